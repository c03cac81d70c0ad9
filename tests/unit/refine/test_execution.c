/* Closed forms of loops and memory against numbers: each function of tests/mlir/pairs is executed for all sizes and
 * then on small ones, where loops are executed iteration by iteration; both must hold the same afterwards. Files that
 * are given as arguments are taken instead of these. */
#include <dirent.h>

#include "../read/helper.h"
#include "../rounds.h"
#include "refine/internal.h"

enum { TRIALS = 30 };

static uint32_t functions, executed_on, stopped;
static const char *const *files;
static int file_count;

static void check_function(Reading *r, const Program *p, const Function *f, const char *path, bool is_distinct) {
  const Op *op = program_get_op(p, f->op);
  if (!op->region_count || !program_get_region(p, op->regions[0])->blocks.count) return;
  TermTable *tt = term_table_new(&r->arena, &r->names);
  RefinePair pair = {.arena = &r->arena, .tt = tt, .source_function = f};
  pair.argument_count = program_get_type(p, f->type)->rank;
  pair.world = mlir_world_new(tt, (MlirFlags){.distinct = is_distinct});
  pair.arguments = mlir_arguments(pair.world, p, f);
  pair.source = mlir_execute(&r->arena, pair.world, p, f, pair.arguments, (MlirFlags){0}, NULL);
  functions++;
  if (pair.source.stop_code) {
    stopped++;
    return;
  }
  uint32_t executed;
  const RefineWitness *w = refine_check_execution(&pair, (uint32_t)rounds_of(TRIALS), &executed);
  executed_on += executed;
  if (!w) return;
  for (uint32_t i = 0; i < w->inputs.count; i++)
    print_error("%s = %s\n", w->inputs.data[i].name, w->inputs.data[i].value);
  for (uint32_t i = 0; i < w->scalars.count; i++)
    print_error("%s = %s\n", w->scalars.data[i].name, w->scalars.data[i].value);
  for (uint32_t i = 0; i < w->index.count; i++) print_error("at %s\n", w->index.data[i].value);
  fail_msg("%s: @%s: %s: %s and %s", path, intern_string(p->names, f->name), w->result, w->left, w->right);
}

static void check_text(const char *path, const char *text, size_t size) {
  static uint32_t turn;
  Reading r = {0};
  guard_init(&r.guard, (size_t)1 << 30, 0);
  arena_init(&r.arena, &r.guard);
  if (!setjmp(r.guard.escape)) {
    intern_init(&r.names, &r.arena);
    diagnostic_list_init(&r.diagnostics, &r.arena);
    Program *p = read_dialects(&r.arena, &r.names, source_new(&r.arena, path, text, size), &r.diagnostics);
    for (uint32_t i = 0; p && i < p->functions.count; i++)
      for (int distinct = 0; distinct < 2; distinct++) /* whether arguments may overlap: in turn, or both */
        if (rounds_step() == 1 || file_count || turn++ % 2)
          check_function(&r, p, &p->functions.data[i], path, distinct);
  } else if (r.guard.reason != GUARD_LIMIT) { /* a fixed limit, of the depth of terms, is the same on any machine */
    fail_msg("%s: %s", path, r.guard.message);
  }
  arena_destroy(&r.arena);
}

/* The parts of a pair, which lines `// -----` divide. */
static void check_file(const char *path) {
  static const char marker[] = "\n// ----- ";
  size_t size;
  char *text = read_whole(path, &size);
  assert_non_null(text);
  for (char *at = text; at;) {
    char *end = strstr(at, marker);
    check_text(path, at, end ? (size_t)(end + 1 - at) : strlen(at));
    at = end ? end + 1 : NULL;
  }
  free(text);
}

/* Under the sanitizers a fourth of the files, unless all is asked for: fuzz_mlir executes the others there. */
static bool is_left_out(const char *name) {
#ifdef ASSAY_SANITIZED
  unsigned sum = 0;
  while (*name) sum += (unsigned char)*name++;
  return rounds_step() > 4 && sum % 4;
#else
  (void)name;
  return false;
#endif
}

static void test_numbers(void **state) {
  (void)state;
  static const char folder[] = SOURCE_DIR "/tests/mlir/pairs";
  DIR *dir = file_count ? NULL : opendir(folder);
  char path[600];
  for (int i = 0; i < file_count; i++) check_file(files[i]);
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    if (strncmp(entry->d_name, "loops", 5) != 0 && strncmp(entry->d_name, "memory", 6) != 0) continue;
    if (is_left_out(entry->d_name)) continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    check_file(path);
  }
  if (dir) closedir(dir);
  assert_true(file_count || executed_on > 20);
  if (file_count) printf("%u functions, %u not executed, %u times on numbers\n", functions, stopped, executed_on);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers)};
  files = (const char *const *)argv + 1, file_count = argc - 1;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
