/* Messages, memory, and output files: the whole file or nothing. The text goes to a temporary file in the same folder,
 * which is renamed over the target only after everything is on its way to the disk. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void say_error(const char *format, ...) {
  char text[2000];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  for (char *at = text; *at; at++) {
    if ((unsigned char)*at < 0x20 || *at == 0x7F) *at = '?';
    if (at[0] == '\xC2' && (unsigned char)at[1] >= 0x80 && (unsigned char)at[1] < 0xA0) at[0] = at[1] = '?'; /* C1 */
  }
  fprintf(stderr, "assay: %s\n", text);
}

void *allocate(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (!memory) rescue_out_of_memory();
  return memory;
}

char *copy_string(const char *text) {
  size_t size = strlen(text) + 1;
  return memcpy(allocate(size, 1), text, size);
}

static bool write_all(int fd, const char *text, size_t size) {
  while (size) {
    ssize_t written = write(fd, text, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text += written;
    size -= (size_t)written;
  }
  return true;
}

static bool failed(const char *path) {
  say_error("cannot write '%s': %s", path, strerror(errno));
  return false;
}

/* What is no regular file (a pipe, /dev/stdout) cannot be replaced, only written to. */
static bool write_special(const char *path, const char *text) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  bool good = fd >= 0 && write_all(fd, text, strlen(text));
  if (fd >= 0) close(fd);
  return good || failed(path);
}

bool write_file(const char *path, const char *text) {
  struct stat info;
  if (!stat(path, &info) && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) return write_special(path, text);
  char *temporary = NULL;
  if (asprintf(&temporary, "%s.XXXXXX", path) < 0) return failed(path);
  int fd = mkstemp(temporary);
  bool good = fd >= 0 && write_all(fd, text, strlen(text));
  if (good) {
    mode_t mask = umask(0);
    umask(mask);
    good = !fchmod(fd, 0666 & ~mask) && !fsync(fd);
  }
  if (fd >= 0 && close(fd)) good = false;
  good = good && !rename(temporary, path);
  if (!good) {
    failed(path);
    if (fd >= 0) unlink(temporary);
  }
  free(temporary);
  return good;
}

bool make_folder(const char *path) {
  struct stat info;
  if (!mkdir(path, 0777) || (!stat(path, &info) && S_ISDIR(info.st_mode))) return true;
  return failed(path);
}
