/* Shifts of softmaxes: what is put away is so at any values, also of what only looks like a softmax. */
#include "laws/laws.h"
#include "table.h"

static Term n, x, y, scale;

static int start(void **state) {
  table_open(state);
  n = integer("n", SYMBOL_SIZE, tt->one, 0);
  x = symbol("x", SORT_REAL, SYMBOL_TENSOR), y = symbol("y", SORT_REAL, SYMBOL_TENSOR);
  scale = symbol("scale", SORT_REAL, SYMBOL_SCALAR);
  return 0;
}

static TermValue read_element(void *payload, Term tensor, uint32_t count, const int64_t *index) {
  (void)payload, (void)count;
  return (TermValue){.real = (double)(random_mix((uint64_t)index[0] * 3 + tensor) % 97) / 30 - 1.5};
}

static double value(Term t, int64_t size, double by) {
  Arena *scratch = arena_new_child(&arena);
  TermEval *eval = term_eval_new(tt, scratch, read_element, NULL);
  term_eval_set(eval, n, (TermValue){(double)size, size});
  term_eval_set(eval, scale, (TermValue){.real = by});
  double v = term_eval(eval, t).real;
  arena_destroy(scratch);
  return v;
}

/* Everywhere the left has a value, whatever the sign of the scale. */
static Term assert_put_away(Term t) {
  Term u = t;
  for (int i = 0; i < 4; i++)
    u = term_transform(tt, term_transform(tt, u, term_drop_shifts, NULL), term_join_ranges, NULL);
  for (int64_t size = 1; size < 12; size++)
    for (int sign = -1; sign <= 1; sign++) {
      double a = value(t, size, 0.7 * sign), b = value(u, size, 0.7 * sign);
      if (isfinite(a) && !(fabs(a - b) <= 1e-12 * fmax(1, fabs(a))))
        fail_msg("%s\n is not %s\n at n = %d: %g, %g", term_text(tt, t), term_text(tt, u), (int)size, a, b);
    }
  return u;
}

static Term score(Term k) { return term_mul(tt, scale, read_at(x, k)); }
static Term exponential(Term t) { return term_fn1(tt, FN_EXP, t); }

/* scale * max(x) over [lo, hi): no maximum of the scores where the scale is negative. */
static Term shift(Term lo, Term hi) {
  Term k = index_in(lo, hi);
  return term_mul(tt, scale, term_fold(tt, FOLD_MAX, k, lo, hi, tt->true_, read_at(x, k)));
}

/* sum[lo <= k < hi](exp(score - c) * y), or without y. */
static Term sum(Term lo, Term hi, Term c, bool weighted) {
  Term k = index_in(lo, hi), e = exponential(term_sub(tt, score(k), c));
  return term_fold(tt, FOLD_SUM, k, lo, hi, tt->true_, weighted ? term_mul(tt, e, read_at(y, k)) : e);
}

static void test_any_shift_leaves_a_quotient(void **state) {
  (void)state;
  Term c = term_max(tt, shift(tt->zero, n), tt->zero),
       without = term_div(tt, sum(tt->zero, n, tt->zero, true), sum(tt->zero, n, tt->zero, false));
  Term u = assert_put_away(term_div(tt, sum(tt->zero, n, c, true), sum(tt->zero, n, c, false)));
  assert_int_equal(u, without);
}

static void test_shifts_that_differ_stay(void **state) {
  (void)state;
  Term c = term_max(tt, shift(tt->zero, n), tt->zero), d = term_max(tt, shift(tt->zero, n), tt->one);
  Term t = term_div(tt, sum(tt->zero, n, c, true), sum(tt->zero, n, d, false));
  assert_put_away(t);
  t = term_div(tt, term_add(tt, sum(tt->zero, n, c, true), tt->one),
               sum(tt->zero, n, c, false)); /* a summand without it */
  assert_put_away(t);
  t = term_div(tt, term_add(tt, sum(tt->zero, n, c, true), sum(tt->zero, n, d, true)), sum(tt->zero, n, c, false));
  assert_put_away(t);
}

static void test_a_logarithm(void **state) {
  (void)state;
  Term c = term_max(tt, shift(tt->zero, n), tt->zero), two = term_fn1(tt, FN_LOG, term_int(tt, 2));
  Term log = term_fn1(tt, FN_LOG, sum(tt->zero, n, c, false)),
       without = term_fn1(tt, FN_LOG, sum(tt->zero, n, tt->zero, false));
  assert_int_equal(assert_put_away(term_add(tt, log, c)), without);
  assert_int_equal(assert_put_away(term_add(tt, term_div(tt, log, two), term_div(tt, c, two))),
                   term_div(tt, without, two));
  assert_put_away(term_sub(tt, log, c));
  assert_put_away(term_add(tt, log, term_scale(tt, rational_int(2), c)));
}

/* Two stages, the second of which rescales the first; the first may be empty. */
static void test_stages(void **state) {
  (void)state;
  Term half = term_floordiv(tt, n, term_int(tt, 2)), c = shift(tt->zero, half), d = term_max(tt, c, shift(half, n)),
       e = exponential(term_sub(tt, c, d)), parts[2];
  for (int weighted = 0; weighted < 2; weighted++)
    parts[weighted] = term_add(tt, term_mul(tt, e, sum(tt->zero, half, c, weighted)), sum(half, n, d, weighted));
  assert_put_away(term_div(tt, parts[1], parts[0]));
  Term wrong = term_add(tt, sum(tt->zero, half, c, true), sum(half, n, d, true)); /* not rescaled */
  assert_put_away(term_div(tt, wrong, parts[0]));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_any_shift_leaves_a_quotient, start, table_close),
      cmocka_unit_test_setup_teardown(test_shifts_that_differ_stay, start, table_close),
      cmocka_unit_test_setup_teardown(test_a_logarithm, start, table_close),
      cmocka_unit_test_setup_teardown(test_stages, start, table_close),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
