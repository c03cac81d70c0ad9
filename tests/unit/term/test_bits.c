/* Integers modulo 2^w, their unsigned readings, and comparisons of real sums: one form for what is equal. */
#include "table.h"

static Term x, y, u, v;

static int start(void **state) {
  table_open(state);
  x = symbol("x", SORT_INT, SYMBOL_SCALAR), y = symbol("y", SORT_INT, SYMBOL_SCALAR),
  u = symbol("u", SORT_REAL, SYMBOL_SCALAR), v = symbol("v", SORT_REAL, SYMBOL_SCALAR);
  return 0;
}

static Term fn2(TermFn fn, Term a, Term b) { return term_fn(tt, fn, 2, (Term[]){a, b}); }

static void test_complement(void **state) {
  (void)state;
  Term minus = term_sub(tt, term_neg(tt, x), tt->one);
  assert_int_equal(fn2(FN_BITXOR, x, tt->minus_one), minus);
  assert_int_equal(fn2(FN_BITXOR, tt->minus_one, x), minus);
  assert_int_not_equal(fn2(FN_BITXOR, x, tt->one), minus);
  assert_int_equal(fn2(FN_MULHI, x, tt->zero), tt->zero);
}

static void test_wraps_inside_of_wraps(void **state) {
  (void)state;
  Term sum = term_wrap(tt, 32, term_add(tt, x, y));
  assert_int_equal(term_wrap(tt, 32, term_add(tt, term_wrap(tt, 32, x), y)), sum);
  assert_int_equal(term_wrap(tt, 32, term_add(tt, term_wrap(tt, 64, x), y)), sum);
  assert_int_not_equal(term_wrap(tt, 32, term_add(tt, term_wrap(tt, 16, x), y)), sum);
  Term both = fn2(FN_BITXOR, term_wrap(tt, 32, x), term_wrap(tt, 32, y));
  assert_int_equal(term_wrap(tt, 32, both), both);
  assert_int_not_equal(term_wrap(tt, 16, both), both);
  Term far = term_select(tt, term_lt(tt, y, tt->zero), term_add(tt, x, term_int(tt, (int64_t)1 << 32)), x);
  assert_int_equal(term_wrap(tt, 32, far), term_wrap(tt, 32, x));
  /* as a summand too; not where the arms are apart by less than what wraps */
  assert_int_equal(term_wrap(tt, 32, term_add(tt, far, y)), sum);
  assert_int_equal(term_wrap(tt, 16, term_add(tt, far, y)), term_wrap(tt, 16, term_add(tt, x, y)));
  assert_int_not_equal(term_wrap(tt, 40, term_add(tt, far, y)), term_wrap(tt, 40, term_add(tt, x, y)));
  Term half = term_add(tt, term_scale(tt, (Rational){1, 2}, x), term_scale(tt, (Rational){3, 2}, y));
  assert_int_not_equal(term_wrap(tt, 32, half),
                       term_wrap(tt, 32, term_add(tt, x, term_scale(tt, (Rational){3, 1}, y))));
}

static TermValue nothing(void *payload, Term tensor, uint32_t count, const int64_t *index) {
  (void)payload, (void)tensor, (void)count, (void)index;
  return (TermValue){0, 0};
}

/* An unsigned i64 is more than an i64 holds. */
static void test_evaluation_beyond_64_bits(void **state) {
  (void)state;
  TermEval *eval = term_eval_new(tt, &arena, nothing, NULL);
  Term half = term_int(tt, (int64_t)1 << 32), whole = term_mul(tt, half, half);
  term_eval_set(eval, x, (TermValue){-19, -19});
  term_eval_set(eval, y, (TermValue){4294967296.0, 4294967296});
  assert_int_equal(term_eval(eval, term_floordiv(tt, term_add(tt, x, whole), half)).integer, 4294967295);
  assert_int_equal(term_eval(eval, term_floordiv(tt, term_add(tt, x, term_mul(tt, y, y)), y)).integer, 4294967295);
  assert_int_equal(term_eval(eval, term_le(tt, term_mul(tt, y, y), x)).integer, 0);
}

/* Every positive multiple is the same condition, and to make it again changes nothing. */
static void test_comparisons_have_one_scale(void **state) {
  (void)state;
  Term small = term_float(tt, 4.6566127e-10), difference = term_sub(tt, u, term_mul(tt, small, v));
  Term lt = term_lt(tt, difference, tt->zero);
  assert_string_equal(term_text(tt, lt), "u < 4.6566127e-10*v");
  assert_int_equal(term_lt(tt, term_scale(tt, (Rational){3, 7}, difference), tt->zero), lt);
  assert_int_equal(term_lt(tt, u, term_mul(tt, small, v)), lt);
  assert_int_equal(term_rebuild(tt, lt), lt);
  assert_int_not_equal(term_lt(tt, term_neg(tt, difference), tt->zero), lt);
  Term eq = term_eq(tt, difference, tt->zero);
  assert_int_equal(term_eq(tt, term_scale(tt, (Rational){-5, 2}, difference), tt->zero), eq);
  assert_int_equal(term_eq(tt, term_mul(tt, small, v), u), eq);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_complement, start, table_close),
      cmocka_unit_test_setup_teardown(test_wraps_inside_of_wraps, start, table_close),
      cmocka_unit_test_setup_teardown(test_evaluation_beyond_64_bits, start, table_close),
      cmocka_unit_test_setup_teardown(test_comparisons_have_one_scale, start, table_close)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
