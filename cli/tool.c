/* Other programs, each in a process of its own: mlir-opt for one pass over one text, and Python for the script that
 * times functions (timing.py). mlir-opt is what ASSAY_MLIR_OPT names, else the first of mlir-opt, mlir-opt-22, ..,
 * mlir-opt-16 that is installed; Python is what ASSAY_PYTHON names, else python3. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_RELEASE = 22, LAST_RELEASE = 16, NOT_FOUND = 127 };

/* Becomes the tool, or comes back. */
typedef void Become(const void *payload);

static char *read_all(int fd, size_t *size) {
  struct stat info;
  *size = !fstat(fd, &info) ? (size_t)info.st_size : 0;
  char *text = allocate(*size + 1, 1);
  size_t have = 0;
  for (ssize_t got; have < *size && (got = pread(fd, text + have, *size - have, (off_t)have)) > 0;) have += (size_t)got;
  *size = have;
  return text;
}

static bool write_all(int fd, const char *text, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t put = write(fd, text + done, size - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    done += (size_t)put;
  }
  return lseek(fd, 0, SEEK_SET) == 0;
}

static void become_mlir_opt(const void *pipeline) {
  char *option = NULL, name[32];
  const char *chosen = getenv("ASSAY_MLIR_OPT");
  if (asprintf(&option, "--pass-pipeline=%s", (const char *)pipeline) < 0) return;
  if (chosen && *chosen) {
    execlp(chosen, chosen, option, (char *)NULL);
    return;
  }
  execlp("mlir-opt", "mlir-opt", option, (char *)NULL);
  for (int release = FIRST_RELEASE; release >= LAST_RELEASE; release--) {
    snprintf(name, sizeof name, "mlir-opt-%d", release);
    execlp(name, name, option, (char *)NULL);
  }
}

/* The arguments behind the name. */
static void become_python(const void *arguments) {
  const char *chosen = getenv("ASSAY_PYTHON");
  char **all = (char **)(uintptr_t)arguments;
  all[0] = chosen && *chosen ? (char *)(uintptr_t)chosen : (char[]){"python3"};
  execvp(all[0], all);
}

/* In the child: never comes back. */
static _Noreturn void become_tool(Become *become, const void *payload, const int fds[3]) {
  for (int i = 0; i < 3; i++)
    if (dup2(fds[i], i) < 0) _exit(NOT_FOUND);
  become(payload);
  _exit(NOT_FOUND);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Its status; it is killed behind the limit (0: none). */
static int wait_for(pid_t process, double seconds, bool *is_late) {
  double end = now() + seconds;
  int status = -1;
  for (long pause = 1000000; waitpid(process, &status, seconds > 0 ? WNOHANG : 0) == 0;) {
    nanosleep(&(struct timespec){0, pause}, NULL);
    if (pause < 50000000) pause *= 2;
    if (now() < end) continue;
    *is_late = true;
    kill(process, SIGKILL);
    waitpid(process, &status, 0);
    break;
  }
  return status;
}

static ToolStatus run(Become *become, const void *payload, const char *text, double seconds, char **out,
                      char **message) {
  int fds[3] = {-1, -1, -1};
  size_t size;
  bool good = true, is_late = false;
  int status = -1;
  *out = *message = NULL;
  for (int i = 0; i < 3; i++) good = (fds[i] = memfd_create("assay", MFD_CLOEXEC)) >= 0 && good;
  if (good && write_all(fds[0], text, strlen(text))) {
    fflush(NULL);
    pid_t process = fork();
    if (!process) become_tool(become, payload, fds);
    if (process > 0) status = wait_for(process, seconds, &is_late);
  }
  if (good) *out = read_all(fds[1], &size), *message = read_all(fds[2], &size);
  for (int i = 0; i < 3; i++)
    if (fds[i] >= 0) close(fds[i]);
  if (is_late) return TOOL_LATE;
  if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND) return TOOL_MISSING;
  return WIFEXITED(status) && !WEXITSTATUS(status) ? TOOL_GOOD : TOOL_FAILED;
}

ToolStatus mlir_opt_run(const char *pipeline, const char *text, double seconds, char **out, char **message) {
  return run(become_mlir_opt, pipeline, text, seconds, out, message);
}

ToolStatus python_run(char **arguments, const char *text, double seconds, char **out, char **message) {
  return run(become_python, arguments, text, seconds, out, message);
}
