/* The constructors: a term has the value of the operations it was built with, wherever these have one. */
#include "expression.h"

enum { WORLDS = 12 };

/* Some world tells the term from the expression. */
static bool is_wrong(Expression **roots, bool loud) {
  Term t = build(roots[0]);
  for (int w = 0; w < WORLDS; w++) {
    world_draw();
    Value v = naive_value(roots[0]);
    if (has_value(t, v, roots[0]->sort)) continue;
    if (loud) {
      TermValue value = term_value(t);
      fprintf(stderr, "   %s is %.17g (%lld), not %.17g (error %g)\n", term_text(tt, t), value.real,
              (long long)value.integer, v.real, v.error);
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
    failures += check_one("built wrongly", &e, 1, is_wrong);
  }
  return failures;
}

static void test_integers(void **state) {
  (void)state;
  shape = (Shape){.specials = 0, .folds = 0};
  assert_int_equal(run_many(SORT_INT, 3, rounds_of(1500), 1) + run_many(SORT_INT, 5, rounds_of(500), 2), 0);
}

static void test_reals(void **state) {
  (void)state;
  shape = (Shape){.specials = 0, .folds = 0, .functions = 15};
  assert_int_equal(run_many(SORT_REAL, 3, rounds_of(1500), 3) + run_many(SORT_REAL, 5, rounds_of(500), 4), 0);
}

static void test_conditions(void **state) {
  (void)state;
  shape = (Shape){.specials = 0, .folds = 0, .functions = 5};
  assert_int_equal(run_many(SORT_BOOL, 3, rounds_of(1500), 5) + run_many(SORT_BOOL, 5, rounds_of(500), 6), 0);
}

static void test_specials(void **state) {
  (void)state;
  shape = (Shape){.specials = 20, .folds = 0, .functions = 10};
  assert_int_equal(run_many(SORT_REAL, 4, rounds_of(1500), 7) + run_many(SORT_BOOL, 4, rounds_of(1000), 8), 0);
}

static void test_folds(void **state) {
  (void)state;
  shape = (Shape){.specials = 1, .folds = 30, .functions = 8};
  assert_int_equal(run_many(SORT_INT, 3, rounds_of(800), 9) + run_many(SORT_REAL, 3, rounds_of(1200), 10) +
                       run_many(SORT_BOOL, 3, rounds_of(500), 11),
                   0);
}

/* x / x is 1 for a number that is not 0, and for no other x. */
static void test_numbers_cancel(void **state) {
  table_open(state);
  Term x = term_symbol_fresh(tt, "x", SORT_REAL, SYMBOL_SCALAR), log_of_2 = term_fn1(tt, FN_LOG, term_int(tt, 2)),
       log_of_x = term_fn1(tt, FN_LOG, x);
  assert_int_equal(term_div(tt, term_mul(tt, log_of_2, x), log_of_2), x);
  assert_int_equal(term_mul(tt, term_power(tt, log_of_2, rational_int(-3)), term_power(tt, log_of_2, rational_int(3))),
                   tt->one);
  assert_int_not_equal(term_div(tt, term_mul(tt, log_of_x, x), log_of_x), x);
  assert_int_not_equal(term_div(tt, x, x), tt->one);
  table_close(state);
}

/* Sums of whole numbers in which two extrema make up for each other, whatever the order of their arguments. */
static void test_extrema_cancel(void **state) {
  table_open(state);
  Term a = integer("a", SYMBOL_SCALAR, 0, 0), b = integer("b", SYMBOL_SCALAR, 0, 0), three = term_int(tt, 3);
  Term at = term_add(tt, a, three), bt = term_add(tt, b, three), apart = term_add(tt, b, tt->one);
  assert_int_equal(term_add(tt, term_max(tt, a, b), term_min(tt, bt, at)), term_add(tt, a, bt));
  assert_int_equal(term_add(tt, term_max(tt, tt->zero, term_sub(tt, a, three)), term_min(tt, three, a)), a);
  assert_int_equal(term_sub(tt, term_max(tt, bt, at), term_max(tt, a, b)), three);
  assert_int_equal(term_sub(tt, term_min(tt, a, b), term_min(tt, bt, at)), term_neg(tt, three));
  assert_int_equal(term_sub(tt, term_add(tt, bt, term_min(tt, a, b)), term_min(tt, bt, at)), b);
  assert_int_not_equal(term_add(tt, term_max(tt, a, b), term_min(tt, a, apart)), term_add(tt, a, b));
  assert_int_not_equal(term_add(tt, term_max(tt, a, b), term_max(tt, a, b)), term_add(tt, a, b));
  table_close(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_integers),      cmocka_unit_test(test_reals),
                                     cmocka_unit_test(test_conditions),    cmocka_unit_test(test_specials),
                                     cmocka_unit_test(test_folds),         cmocka_unit_test(test_numbers_cancel),
                                     cmocka_unit_test(test_extrema_cancel)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
