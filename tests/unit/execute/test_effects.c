/* The text form of Effects: what is printed reads back and prints the same, for every kernel that is at hand (examples,
 * and the compiled corpus where it is built); and golden tests, tests/golden/execute/NAME.test:
 *
 *     run: effects
 *     the input
 *     ---- expected
 *     the lines of its effects that begin with one of: param, load, store, loop, carries, fits, divides, ...
 *
 * Lines of symbols, axes and executed operations are left away there: they say how, not what. ASSAY_UPDATE_GOLDEN=1
 * rewrites the expected parts. */
#include "../read/helper.h"

#include <dirent.h>
#include <ftw.h>

#include "execute/execute.h"

static const char marker[] = "---- expected\n";

typedef struct Run {
  Guard guard;
  Arena arena;
  Effects *effects;
  const char *text, *errors;
} Run;

static void begin(Run *run, const char *name, const char *text) {
  guard_init(&run->guard, (size_t)1 << 30, 0);
  arena_init(&run->arena, &run->guard);
  run->text = run->errors = NULL;
  if (setjmp(run->guard.escape)) {
    run->errors = run->guard.message;
    return;
  }
  DiagnosticList diagnostics;
  diagnostic_list_init(&diagnostics, &run->arena);
  InternTable *names = arena_new(&run->arena, InternTable);
  intern_init(names, &run->arena);
  Source *source = source_new(&run->arena, name, text, strlen(text));
  Program *program = read_triton(&run->arena, names, source, &diagnostics);
  if (!program || diagnostics.error_count) {
    run->errors = "it is not read";
    return;
  }
  const Function *function = &program->functions.data[0];
  for (uint32_t i = 1; i < program->functions.count; i++)
    if (program->functions.data[i].is_public) function = &program->functions.data[i];
  run->effects =
      execute_function(&run->arena, term_table_new(&run->arena, names), program, function, (ExecuteOptions){0});
  Text out = text_new(&run->arena), again = text_new(&run->arena);
  effects_print(run->effects, &out);
  run->text = text_string(&out);
  const char *why;
  Effects *read = effects_read(&run->arena, program, function, run->text, &why);
  if (!read) {
    run->errors = why;
    return;
  }
  effects_print(read, &again);
  const char *a = run->text, *b = text_string(&again);
  if (!strcmp(a, b)) return;
  uint32_t line = 1;
  const char *start = a, *other = b;
  for (; *a && *a == *b; a++, b++)
    if (*a == '\n') line++, start = a + 1, other = b + 1;
  run->errors = arena_format(&run->arena, "line %u is read as another one:\n%.*s\n%.*s", line,
                             (int)strcspn(start, "\n"), start, (int)strcspn(other, "\n"), other);
}

static uint32_t kernel_count;

static int read_back(const char *path, const struct stat *info, int kind) {
  (void)info;
  size_t length = strlen(path), size;
  if (kind != FTW_F || length < 5 || strcmp(path + length - 5, ".ttir")) return 0;
  char *text = read_whole(path, &size);
  assert_non_null(text);
  Run run;
  begin(&run, path, text);
  if (run.errors) fail_msg("%s: %s", path, run.errors);
  kernel_count++;
  arena_destroy(&run.arena);
  free(text);
  return 0;
}

static void test_kernels(void **state) {
  (void)state;
  assert_int_equal(ftw(SOURCE_DIR "/examples", read_back, 8), 0);
  assert_true(kernel_count > 9);
  if (ftw(SOURCE_DIR "/build/corpus/3.6.0", read_back, 8) == 0) print_message("%u kernels\n", kernel_count);
}

/* ---- wrong texts ---- */

static const char small[] =
    "module {\n tt.func public @k(%p: !tt.ptr<f32>, %n: i32) {\n  %c = arith.constant 1.0 : f32\n"
    "  tt.store %p, %c : !tt.ptr<f32>\n  tt.return\n }\n}\n";

static void refuse(Run *run, const char *before, const char *after, const char *wanted) {
  const char *at = strstr(run->text, before), *why = NULL;
  assert_non_null(at);
  const char *text =
      arena_format(&run->arena, "%.*s%s%s", (int)(at - run->text), run->text, after, at + strlen(before));
  assert_null(effects_read(&run->arena, run->effects->program, run->effects->function, text, &why));
  if (!strstr(why, wanted)) fail_msg("`%s` for `%s`: %s", after, before, why);
}

static void test_wrong_texts(void **state) {
  (void)state;
  Run run;
  begin(&run, "small.ttir", small);
  assert_null(run.errors);
  refuse(&run, "effects k", "k", "line 1: `effects` is expected");
  refuse(&run, "symbol n int", "symbol n integer", "a sort and a role are expected");
  refuse(&run, "symbol n int", "symbol pid_x int", "the symbol is declared twice");
  refuse(&run, "p[0]", "q[0]", "there is no symbol `q`");
  refuse(&run, "p[0]", "p[0", "`]` is expected");
  refuse(&run, "p[0]", "p[0 +]", "a name is expected");
  refuse(&run, "p[0]", "p[$1]", "no line gives this part");
  refuse(&run, "p[0]", "p[where(1)]", "an argument is missing");
  refuse(&run, "p[0]", "p[1/0]", "a number is divided by 0");
  refuse(&run, "'f32' mask", "'f33' mask", "the program has no such type");
  refuse(&run, "store @", "store @9", "the program has no such operation");
  refuse(&run, "store @", "storing @", "no line begins so");
  refuse(&run, "mask true", "mask true true", "the line goes on");
  arena_destroy(&run.arena);
}

/* ---- golden tests ---- */

static bool is_shown(const char *line) {
  static const char *const hidden[] = {"symbol ", "range ", "axis ", "executed ", "effects "};
  for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
    if (!strncmp(line, hidden[i], strlen(hidden[i]))) return false;
  return true;
}

static char *shown_lines(const char *text) {
  char *out = calloc(1, strlen(text) + 1);
  for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
    if (is_shown(line)) strncat(out, line, strcspn(line, "\n") + 1);
  return out;
}

static void run_golden(const char *path) {
  size_t size;
  char *text = read_whole(path, &size);
  assert_non_null(text);
  char *input = strchr(text, '\n') + 1, *end = strstr(text, marker);
  if (!end) fail_msg("%s: no line `---- expected`", path);
  Run run;
  const char *expected = end + strlen(marker);
  *end = 0;
  begin(&run, "input.ttir", input);
  *end = *marker;
  if (run.errors) fail_msg("%s: %s", path, run.errors);
  char *found = shown_lines(run.text);
  if (getenv("ASSAY_UPDATE_GOLDEN")) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(text, 1, (size_t)(expected - text), file);
    fputs(found, file);
    fclose(file);
  } else if (strcmp(found, expected) != 0) {
    fail_msg("%s: found\n%s", path, found);
  }
  free(found);
  arena_destroy(&run.arena);
  free(text);
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void test_golden_files(void **state) {
  (void)state;
  static const char folder[] = SOURCE_DIR "/tests/golden/execute";
  char *names[1000], path[4096];
  size_t count = 0;
  DIR *dir = opendir(folder);
  assert_non_null(dir);
  for (struct dirent *e; (e = readdir(dir)) && count < 1000;)
    if (strstr(e->d_name, ".test")) names[count++] = strdup(e->d_name);
  closedir(dir);
  qsort(names, count, sizeof *names, by_name);
  assert_true(count >= 60);
  for (size_t i = 0; i < count; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    run_golden(path);
    free(names[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_kernels), cmocka_unit_test(test_wrong_texts),
                                     cmocka_unit_test(test_golden_files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
