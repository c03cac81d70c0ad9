/* Modules of a table of functions: FUNCTION.NAME.suffix in the folder of -o.
 *
 * Every file has a process of its own (batch.c), which keeps what it emits in a file in memory. The one that prints the
 * answers writes them in the order of the files: the second function of one name gets a number behind it, whatever
 * --jobs is. Kept are, one after another with a zero behind each text: the input, the stem, and for each emitter its
 * name and its code; an empty name ends the list. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Characters of a name that a file name may have. */
static char *file_stem(const char *name) {
  char *stem = copy_string(name && *name ? name : "kernel");
  for (char *at = stem; *at; at++)
    if (strchr("/\\:*?\"<>|", *at) || (unsigned char)*at <= ' ' || *at == 0x7F) *at = '_';
  if (*stem == '.') *stem = '_';
  return stem;
}

static void put_text(FILE *to, const char *text) { fwrite(text, 1, strlen(text) + 1, to); }

FILE *modules_new(void) {
  int fd = memfd_create("modules", MFD_CLOEXEC);
  FILE *file = fd < 0 ? NULL : fdopen(fd, "w+");
  if (!file) rescue_out_of_memory();
  return file;
}

void modules_keep(FILE *to, const AssayResult *result) {
  size_t count = assay_result_emitted_count(result);
  if (!count) return;
  char *stem = file_stem(assay_result_kernel(result));
  put_text(to, assay_result_input(result));
  put_text(to, stem);
  for (size_t i = 0; i < count; i++) {
    put_text(to, assay_result_emitted_name(result, i));
    put_text(to, assay_result_emitted_text(result, i));
  }
  put_text(to, "");
  fflush(to); /* should this process die at the next function */
  free(stem);
}

static bool is_taken(const ModuleNames *names, const char *stem) {
  for (size_t i = 0; i < names->count; i++)
    if (!strcmp(names->data[i], stem)) return true;
  return false;
}

/* The stem, or the first of STEM_2, STEM_3, .. that no module has. */
static char *own_stem(ModuleNames *names, const char *stem) {
  char *own = copy_string(stem);
  for (unsigned k = 2; is_taken(names, own); k++) {
    free(own);
    if (asprintf(&own, "%s_%u", stem, k) < 0) rescue_out_of_memory();
  }
  char **data = realloc(names->data, (names->count + 1) * sizeof *data);
  if (!data) rescue_out_of_memory();
  names->data = data;
  return data[names->count++] = own;
}

static const char *next_text(const char **at) {
  const char *text = *at;
  *at += strlen(text) + 1;
  return text;
}

static bool write_all(const Settings *settings, const char *at, const char *end, ModuleNames *names) {
  bool good = true;
  while (at < end) {
    const char *input = next_text(&at), *stem = next_text(&at), *name;
    const char *own = own_stem(names, stem);
    if (strcmp(own, stem)) say_error("%s of %s is written as %s", stem, input, own);
    while (*(name = next_text(&at))) {
      const char *code = next_text(&at);
      char *path = NULL;
      if (asprintf(&path, "%s/%s.%s%s", settings->output, own, name, assay_emitter_suffix(name)) < 0)
        rescue_out_of_memory();
      good = write_file(path, code) && good;
      free(path);
    }
  }
  return good;
}

bool modules_write(const Settings *settings, int fd, ModuleNames *names) {
  off_t size = lseek(fd, 0, SEEK_END);
  bool good = true;
  if (size > 0) {
    char *text = allocate((size_t)size + 2, 1); /* what a process that died has left may be cut off */
    ssize_t got = 0, n = 0;
    while (got < size && (n = pread(fd, text + got, (size_t)(size - got), got)) > 0) got += n;
    const char *end = text + got;
    while (end > text && (end == text + 1 || end[-1] || end[-2])) end--; /* up to the end of a list */
    good = make_folder(settings->output) && write_all(settings, text, end, names);
    free(text);
  }
  return good;
}

bool modules_write_result(const Settings *settings, const AssayResult *result) {
  ModuleNames names = {0};
  FILE *kept = modules_new();
  modules_keep(kept, result);
  bool good = modules_write(settings, fileno(kept), &names);
  fclose(kept);
  modules_free(&names);
  return good;
}

void modules_free(ModuleNames *names) {
  for (size_t i = 0; i < names->count; i++) free(names->data[i]);
  free(names->data);
  *names = (ModuleNames){0};
}
