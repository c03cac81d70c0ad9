/* Terms as text: what is printed of a random term is read as a term with the same value. */
#include "../term/expression.h"

#include "read/formula/formula.h"

enum { WORLDS = 8 };

static uint32_t same, different;

static Pointwise *declared(void) {
  Pointwise *p = arena_new(&arena, Pointwise);
  p->tt = tt;
  const Term tensors[] = {tensor_real, tensor_int, tensor_bool};
  const char *const dtypes[] = {"f32", "i32", "i1"};
  for (int i = 0; i < 3; i++) {
    PointwiseTensor t = {.symbol = tensors[i],
                         .name = term_name(tt, tensors[i]),
                         .dtype = dtypes[i],
                         .sort = term_symbol(tt, tensors[i])->sort,
                         .rank = 1,
                         .is_read = true};
    t.extent[0] = symbols[N], t.stride[0] = tt->one;
    array_push(&arena, &p->tensors, t);
  }
  for (int i = 0; i < SYMBOLS; i++) {
    PointwiseScalar s = {
        .symbol = symbols[i], .name = term_name(tt, symbols[i]), .dtype = i < INTEGERS ? "i32" : "f32"};
    array_push(&arena, &p->scalars, s);
  }
  return p;
}

/* 1 / 0, NaN and infinite bounds have no text that reads. */
static bool is_readable(Expression *e, const char *text) {
  if (strstr(text, "nan") || strstr(text, "inf") || strstr(text, "undefined") || strstr(text, "/ 0") ||
      strstr(text, "/ (0") || strlen(text) > 20000)
    return false;
  for (int w = 0; w < WORLDS; w++) {
    world_draw();
    if (naive_value(e).ok) return true;
  }
  return false;
}

static bool is_read_wrongly(Expression **roots, bool loud) {
  Term t = build(roots[0]);
  const char *text = term_text(tt, t);
  DiagnosticList diagnostics;
  diagnostic_list_init(&diagnostics, &arena);
  const Source *source = source_new(&arena, "test", text, strlen(text));
  const PyNode *syntax = python_parse_expression(&arena, source, (Span){0, (uint32_t)source->size}, &diagnostics);
  Term back = syntax ? formula_read_term(&arena, declared(), source, syntax, &diagnostics) : 0;
  if (!back) {
    if (!is_readable(roots[0], text)) return false;
    if (loud)
      fprintf(stderr, "   %s\n   does not read: %s\n", text,
              diagnostics.items.count ? diagnostics.items.data[0].message : "");
    return true;
  }
  if (back == t)
    same++;
  else
    different++;
  for (int w = 0; w < WORLDS && back != t; w++) {
    world_draw();
    Value v = naive_value(roots[0]);
    if (has_value(back, v, roots[0]->sort)) continue;
    if (loud) {
      TermValue value = term_value(back);
      fprintf(stderr, "   %s\n   is read as\n   %s\n   which is %.17g (%lld), not %.17g (error %g)\n", text,
              term_text(tt, back), value.real, (long long)value.integer, v.real, v.error);
      world_print();
    }
    return true;
  }
  return false;
}

static int run_many(TermSort sort, int depth, int times, uint64_t seed) {
  int failures = 0;
  dice.state = seed;
  for (int i = 0; i < times; i++) {
    expressions_reset();
    Expression *e = random_expression(sort, depth);
    failures += check_one("read back", &e, 1, is_read_wrongly);
  }
  return failures;
}

static void test_reals(void **state) {
  (void)state;
  shape = (Shape){.folds = 10, .functions = 10};
  assert_int_equal(run_many(SORT_REAL, 3, rounds_of(1000), 51) + run_many(SORT_REAL, 4, rounds_of(300), 52), 0);
}

static void test_integers(void **state) {
  (void)state;
  shape = (Shape){.folds = 10, .functions = 5};
  assert_int_equal(run_many(SORT_INT, 3, rounds_of(1000), 53), 0);
}

static void test_nearly_all_are_the_same(void **state) {
  (void)state;
  if (getenv("ASSAY_TEST_TIMES")) fprintf(stderr, "%u the same, %u another term\n", same, different);
  assert_true(different * 5 < same);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_reals), cmocka_unit_test(test_integers),
                                     cmocka_unit_test(test_nearly_all_are_the_same)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
