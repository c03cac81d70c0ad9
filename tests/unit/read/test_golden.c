/* Golden tests of the reader: tests/golden/read/NAME.test holds
 *
 *     run: print | errors
 *     the input
 *     ---- expected
 *     the printed program, or the rendered diagnostics
 *
 * What is printed must also read again and print the same. ASSAY_UPDATE_GOLDEN=1 rewrites the expected parts. */
#include "helper.h"

#include <dirent.h>

static const char marker[] = "---- expected\n";

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void update(const char *path, const char *text, size_t head, const char *found) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fwrite(text, 1, head, file);
  fputs(found, file);
  fclose(file);
}

static void check_again(const char *path, const char *printed) {
  Reading again;
  assert_true(reading_begin(&again, "printed.ttir", printed, strlen(printed), 0, 0));
  if (!again.program) fail_msg("%s: what was printed does not read:\n%s", path, reading_errors(&again));
  if (strcmp(reading_print(&again), printed) != 0) fail_msg("%s: printing is not a fixed point", path);
  arena_destroy(&again.arena);
}

static void run_file(const char *path) {
  size_t size;
  char *text = read_whole(path, &size);
  assert_non_null(text);
  char *input = strchr(text, '\n') + 1, *end = strstr(text, marker);
  if (!end) fail_msg("%s: no line `---- expected`", path);
  bool errors = !strncmp(text, "run: errors", 11);
  char saved = *end;
  *end = 0;
  Reading r;
  assert_true(reading_begin(&r, "input.ttir", input, (size_t)(end - input), 0, 0));
  const char *found = r.program ? reading_print(&r) : reading_errors(&r);
  *end = saved;
  const char *expected = end + strlen(marker);
  if (errors == (r.program != NULL))
    fail_msg("%s: %s\n%s", path, errors ? "is read, but is wrong" : "is not read:", found);
  if (getenv("ASSAY_UPDATE_GOLDEN"))
    update(path, text, (size_t)(expected - text), found);
  else if (strcmp(found, expected) != 0)
    fail_msg("%s: found\n%s", path, found);
  if (r.program) check_again(path, found);
  arena_destroy(&r.arena);
  free(text);
}

static void test_golden_files(void **state) {
  (void)state;
  static const char folder[] = SOURCE_DIR "/tests/golden/read";
  char *names[1000], path[4096];
  size_t count = 0;
  DIR *dir = opendir(folder);
  assert_non_null(dir);
  for (struct dirent *e; (e = readdir(dir)) && count < 1000;)
    if (strstr(e->d_name, ".test")) names[count++] = strdup(e->d_name);
  closedir(dir);
  qsort(names, count, sizeof *names, by_name);
  assert_true(count > 20);
  for (size_t i = 0; i < count; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    run_file(path);
    free(names[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_golden_files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
