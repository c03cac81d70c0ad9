/* Signs that comparisons give, and variances: what follows, and above all what does not. */
#include "../term/table.h"

#include "prove/guards.h"
#include "prove/spread.h"

static Term n, x, y, z; /* a size, three elements */

static Term element(const char *name) { return read_at(symbol(name, SORT_REAL, SYMBOL_TENSOR), tt->zero); }

static int start(void **state) {
  table_open(state);
  n = integer("n", SYMBOL_SIZE, tt->one, 0);
  x = element("x"), y = element("y"), z = element("z");
  return 0;
}

static bool by_structure(void *payload, Term t, bool strictly) {
  (void)payload;
  return strictly ? term_is_positive(tt, t) : term_is_nonnegative(tt, t);
}

static Term number(double value) { return term_float(tt, value); }
static Term times(double k, Term t) { return term_mul(tt, number(k), t); }
static Term plus(Term a, double c) { return term_add(tt, a, number(c)); }

/* True if the fact alone says t > 0, or t >= 0. */
static bool says(Term fact, Term t, bool strictly) {
  uint32_t facts = tt->facts.count;
  term_push_fact(tt, fact);
  bool good = guards_bound(tt, t, strictly, by_structure, NULL);
  term_pop_facts(tt, facts);
  return good;
}

static bool excludes(Term fact, Term t) {
  uint32_t facts = tt->facts.count;
  term_push_fact(tt, fact);
  bool good = guards_exclude_zero(tt, t);
  term_pop_facts(tt, facts);
  return good;
}

static void test_comparisons(void **state) {
  (void)state;
  Term above = term_lt(tt, tt->zero, x), at_least = term_le(tt, tt->zero, x), over_one = term_lt(tt, tt->one, x);
  assert_true(says(above, x, true));
  assert_true(says(above, x, false));
  assert_true(says(at_least, x, false));
  assert_false(says(at_least, x, true));
  assert_false(says(above, y, false));
  assert_false(says(above, term_neg(tt, x), false));
  assert_true(says(over_one, plus(times(2, x), -1), true));
  assert_true(says(over_one, plus(times(2, x), -2), true));
  assert_false(says(over_one, plus(times(2, x), -2.5), false));
  assert_true(says(term_le(tt, y, x), term_sub(tt, x, y), false));
  assert_false(says(term_le(tt, y, x), term_sub(tt, x, y), true));
  assert_false(says(term_le(tt, y, x), term_sub(tt, y, x), false));
  assert_true(says(term_eq(tt, x, number(0.25)), x, true));
  assert_true(says(term_eq(tt, x, number(0.25)), plus(term_neg(tt, x), 0.5), true));
  assert_false(says(term_eq(tt, x, number(-0.25)), x, false));
}

static void test_extrema(void **state) {
  (void)state;
  Term within = term_lt(tt, term_unary(tt, TERM_ABS, x), tt->one),
       beyond = term_lt(tt, tt->one, term_unary(tt, TERM_ABS, x));
  assert_true(says(within, plus(x, 1), true));
  assert_true(says(within, plus(term_neg(tt, x), 1), true));
  assert_false(says(within, plus(times(2, x), 1), false));
  assert_false(says(beyond, x, false));
  assert_true(says(term_lt(tt, tt->zero, term_min(tt, x, y)), y, true));
  assert_false(says(term_lt(tt, tt->zero, term_max(tt, x, y)), y, false));
  assert_true(says(term_lt(tt, term_max(tt, x, y), tt->one), plus(term_neg(tt, y), 1), true));
  assert_false(says(term_lt(tt, term_min(tt, x, y), tt->one), plus(term_neg(tt, y), 1), false));
}

static void test_zero(void **state) {
  (void)state;
  Term differs = term_not(tt, term_eq(tt, x, tt->zero));
  assert_true(excludes(differs, x));
  assert_true(excludes(differs, times(-3, x)));
  assert_false(excludes(differs, y));
  assert_false(excludes(differs, plus(x, 1)));
  assert_true(excludes(term_not(tt, term_eq(tt, term_mul(tt, x, y), tt->zero)), y));
  assert_false(excludes(term_not(tt, term_eq(tt, term_add(tt, x, y), tt->zero)), y));
  assert_false(excludes(term_not(tt, term_eq(tt, x, tt->one)), x));
}

/* Coefficients that have no room are no answer, and no failure. */
static void test_wide(void **state) {
  (void)state;
  Term fact = term_lt(tt, tt->zero, term_add(tt, times(0.1234567890123456, x), times(1.1111111111111e-7, y)));
  Term t = term_add(tt, times(0.9876543210987654, x), times(0.1234567890123456, y));
  assert_false(says(fact, t, true));
}

static Term sum_of(Term hi, Term tensor, bool squared) {
  Term k = index_in(tt->zero, hi);
  Term f = read_at(tensor, k);
  return term_fold(tt, FOLD_SUM, k, tt->zero, hi, tt->true_, squared ? term_mul(tt, f, f) : f);
}

static void test_spread(void **state) {
  (void)state;
  Term tensor = term_arg(tt, x, 0), other = term_arg(tt, y, 0), count = term_div(tt, tt->one, n);
  Term sum = sum_of(n, tensor, false), squares = sum_of(n, tensor, true), mean = term_mul(tt, sum, count);
  Term variance = term_sub(tt, term_mul(tt, squares, count), term_mul(tt, mean, mean));
  Spread s;
  assert_true(spread_find(tt, plus(variance, 0.5), 0, &s));
  assert_int_equal(s.fold, sum);
  assert_int_equal(s.square, s.least);
  assert_int_equal(s.rest, number(0.5));
  assert_false(spread_find(tt, plus(variance, 0.5), 1, &s));
  assert_false(spread_find(tt, term_neg(tt, variance), 0, &s));
  assert_false(
      spread_find(tt, term_sub(tt, term_mul(tt, sum_of(n, other, true), count), term_mul(tt, mean, mean)), 0, &s));
  assert_false(spread_find(
      tt, term_sub(tt, term_mul(tt, sum_of(plus(n, 1), tensor, true), count), term_mul(tt, mean, mean)), 0, &s));
  assert_true(spread_find(tt, term_sub(tt, term_mul(tt, squares, count), times(2, term_mul(tt, mean, mean))), 0, &s));
  assert_int_not_equal(s.square, s.least); /* which is twice as much */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, table_close)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(test_comparisons), TEST(test_extrema), TEST(test_zero), TEST(test_wide),
                                     TEST(test_spread)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
