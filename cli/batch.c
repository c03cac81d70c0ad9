/* assay lift --all: every public function of every file, each on its own.
 *
 * With several files each one has a process of its own, at most --jobs at a time, so that whatever one of them does
 * costs the others nothing. A process writes its answers into a file in memory; they are printed in the order of
 * the files, so the output does not depend on --jobs. The exit code is the worst one: 64, 3, 1, 2, 0. */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Job {
  pid_t process; /* 0: not begun or done */
  int out, errors;
  FILE *modules; /* or NULL */
  bool is_done;
  int code;
} Job;

int worse_code(int a, int b) {
  static const int order[] = {64, 3, 1, 2, 0};
  for (size_t i = 0; i < sizeof order / sizeof *order; i++)
    if (a == order[i] || b == order[i]) return order[i];
  return EXIT_UNKNOWN;
}

static int lift_one(Settings *settings, AssayContext *context, const AssayInput *input, const char *kernel, FILE *out,
                    FILE *errors) {
  AssayResult *result;
  AssayOptions options = settings->options;
  const char *names[] = {kernel};
  if (kernel) options.kernels = (AssayStrings){names, 1};
  rescue_expect(input->path, kernel, settings->json ? RESCUE_JSON : RESCUE_ROW, options.timeout);
  assay_lift(&result, context, input, 1, &options);
  if (!result) rescue_out_of_memory();
  int code = show_lift(settings, result, out, errors, true);
  fflush(out);
  fflush(errors);
  rescue_done();
  assay_result_free(result);
  return code;
}

static int lift_file(Settings *settings, const AssayInput *input, FILE *out, FILE *errors) {
  AssayContext *context;
  AssayResult *list = NULL;
  int code = 0;
  rescue_expect(input->path, NULL, settings->json ? RESCUE_JSON : RESCUE_ROW, settings->options.timeout);
  if (assay_context_new(&context) != ASSAY_OK) rescue_out_of_memory();
  AssayStatus status = assay_list_kernels(&list, context, input, &settings->options);
  size_t count = status == ASSAY_OK && list ? assay_result_name_count(list) : 0;
  char **kernels = allocate(count + 1, sizeof *kernels);
  for (size_t i = 0; i < count; i++) kernels[i] = copy_string(assay_result_name(list, i));
  assay_result_free(list);
  rescue_done();
  /* A file that cannot be read, or has no list of kernels, is answered by lifting it as a whole. */
  for (size_t i = 0; i < (count ? count : 1); i++)
    code = worse_code(code, lift_one(settings, context, input, kernels[i], out, errors));
  for (size_t i = 0; i < count; i++) free(kernels[i]);
  free(kernels);
  assay_context_free(context);
  return code;
}

/* ---- processes ---- */

static FILE *new_modules(const Settings *settings) { return settings->output ? modules_new() : NULL; }

static void begin_job(Settings *settings, FileTask *task, const AssayInput *input, Job *job) {
  settings->modules = job->modules = new_modules(settings);
  job->out = memfd_create("out", MFD_CLOEXEC);
  job->errors = memfd_create("errors", MFD_CLOEXEC);
  fflush(stdout);
  fflush(stderr);
  job->process = job->out < 0 || job->errors < 0 ? -1 : fork();
  if (job->process) return;
  /* rescue.c writes to 1 and 2, so these become the files in memory. */
  dup2(job->out, 1);
  dup2(job->errors, 2);
  progress_enable(false);
  int code = task(settings, input, stdout, stderr);
  fflush(stdout);
  fflush(stderr);
  if (job->modules) fflush(job->modules);
  _exit(code);
}

static void end_job(Job *job, int state) {
  job->is_done = true;
  job->process = 0;
  job->code = WIFEXITED(state) ? WEXITSTATUS(state) : EXIT_UNKNOWN;
}

static void wait_for_one(Job *jobs, size_t count) {
  int state;
  pid_t process = waitpid(-1, &state, 0);
  if (process < 0 && errno == EINTR) return;
  for (size_t i = 0; i < count; i++)
    if (jobs[i].process == process && process > 0) end_job(&jobs[i], state);
}

static void copy_out(int fd, FILE *out) {
  char buffer[1 << 16];
  ssize_t size;
  if (fd < 0) return;
  for (off_t at = 0; (size = pread(fd, buffer, sizeof buffer, at)) > 0; at += size)
    fwrite(buffer, 1, (size_t)size, out);
  close(fd);
}

/* On a terminal: how far it is. */
static void show_count(const Settings *settings, size_t done, size_t count) {
  if (!settings->is_terminal) return;
  if (done < count)
    fprintf(stderr, "\r\x1b[K%zu of %zu files", done, count);
  else
    fputs("\r\x1b[K", stderr);
  fflush(stderr);
}

/* The worse of the code and that of a file which could not be written. */
static int write_modules(const Settings *settings, FILE *kept, ModuleNames *names, int code) {
  if (!kept) return code;
  fflush(kept);
  bool good = modules_write(settings, fileno(kept), names);
  fclose(kept);
  return good ? code : worse_code(code, settings->command->bit == PORT ? EXIT_UNKNOWN : EXIT_BAD_INPUT);
}

static int run_jobs(Settings *settings, FileTask *task, const AssayInput *inputs, size_t count) {
  Job *jobs = allocate(count, sizeof *jobs);
  ModuleNames names = {0};
  int code = 0;
  show_count(settings, 0, count);
  for (size_t begun = 0, printed = 0, running = 0; printed < count;) {
    if (begun < count && running < settings->jobs) {
      begin_job(settings, task, &inputs[begun], &jobs[begun]);
      if (jobs[begun].process > 0)
        running++;
      else
        jobs[begun].is_done = true, jobs[begun].code = task(settings, &inputs[begun], stdout, stderr);
      begun++;
    } else {
      wait_for_one(jobs, begun);
    }
    running = 0;
    for (size_t i = printed; i < begun; i++) running += jobs[i].process > 0;
    for (; printed < begun && jobs[printed].is_done; printed++) {
      show_count(settings, count, count);
      copy_out(jobs[printed].errors, stderr);
      copy_out(jobs[printed].out, stdout);
      fflush(stdout);
      code = worse_code(code, write_modules(settings, jobs[printed].modules, &names, jobs[printed].code));
      show_count(settings, printed + 1, count);
    }
  }
  modules_free(&names);
  free(jobs);
  return code;
}

static int run_one(Settings *settings, FileTask *task, const AssayInput *input) {
  ModuleNames names = {0};
  settings->modules = new_modules(settings);
  int code = write_modules(settings, settings->modules, &names, task(settings, input, stdout, stderr));
  modules_free(&names);
  return code;
}

int run_files(Settings *settings, FileTask *task) {
  AssayContext *context;
  AssayResult *files = NULL;
  if (assay_context_new(&context) != ASSAY_OK) rescue_out_of_memory();
  AssayStatus status = assay_list_files(&files, context, settings->inputs, settings->input_count, &settings->options);
  if (status != ASSAY_OK && files) {
    int code = show_lift(settings, files, stdout, stderr, false);
    assay_context_free(context);
    return code;
  }
  size_t count = files ? assay_result_name_count(files) : 0;
  AssayInput *inputs = allocate(count + 1, sizeof *inputs);
  for (size_t i = 0; i < count; i++) inputs[i].path = assay_result_name(files, i);
  int code = count == 1 ? run_one(settings, task, &inputs[0]) : run_jobs(settings, task, inputs, count);
  free(inputs);
  assay_context_free(context);
  return code;
}

int run_batch(Settings *settings) { return run_files(settings, lift_file); }
