/* Equality of terms, the SMT engine and the laws behind them: what holds, and above all what does not. */
#include "../term/table.h"

#include "prove/equal.h"
#include "solve/smt.h"
#include "solve/solve.h"

static Term n, m, i, x, y, a, b; /* sizes, an index, two tensors, two real scalars */

static int start(void **state) {
  table_open(state);
  n = integer("n", SYMBOL_SIZE, tt->one, 0);
  m = integer("m", SYMBOL_SIZE, tt->zero, 0);
  i = integer("i", SYMBOL_INDEX, tt->zero, term_sub(tt, n, tt->one));
  x = symbol("x", SORT_REAL, SYMBOL_TENSOR);
  y = symbol("y", SORT_REAL, SYMBOL_TENSOR);
  a = symbol("a", SORT_REAL, SYMBOL_SCALAR);
  b = symbol("b", SORT_REAL, SYMBOL_SCALAR);
  return 0;
}

static Term exponential(Term t) { return term_fn1(tt, FN_EXP, t); }

/* op[lo <= k < hi](f), f over the symbol k of index_in. */
static Term fold(TermFoldOp op, Term k, Term lo, Term hi, Term body) {
  return term_fold(tt, op, k, lo, hi, tt->true_, body);
}

static Term maximum_of(Term tensor, Term hi) {
  Term k = index_in(tt->zero, hi);
  return fold(FOLD_MAX, k, tt->zero, hi, read_at(tensor, k));
}

/* sum[k < hi](exp(x[k] - shift)) */
static Term shifted_sum(Term hi, Term shift) {
  Term k = index_in(tt->zero, hi);
  return fold(FOLD_SUM, k, tt->zero, hi, exponential(term_sub(tt, read_at(x, k), shift)));
}

static void holds(Term left, Term right) { assert_int_not_equal(equal_prove(tt, left, right), EQUAL_NONE); }
static void open(Term left, Term right) { assert_int_equal(equal_prove(tt, left, right), EQUAL_NONE); }

static void test_softmax_shift(void **state) {
  (void)state;
  Term top = maximum_of(x, n), xi = read_at(x, i);
  Term stable = term_div(tt, exponential(term_sub(tt, xi, top)), shifted_sum(n, top));
  Term plain = term_div(tt, exponential(xi), shifted_sum(n, tt->zero));
  holds(stable, plain);
  open(stable, term_div(tt, exponential(xi), shifted_sum(m, tt->zero)));
  open(stable, term_div(tt, exponential(term_scale(tt, rational_int(2), xi)), shifted_sum(n, tt->zero)));
}

/* Integers of w bits: what is summed or multiplied may wrap before or after, to no fewer bits. */
static void test_wraps_inside_products(void **state) {
  (void)state;
  Term data = symbol("q", SORT_INT, SYMBOL_TENSOR), q = read_at(data, i), p = read_at(data, n),
       third = term_floordiv(tt, i, term_int(tt, 3));
  Term difference = term_sub(tt, q, third);
  holds(term_wrap(tt, 32, term_mul(tt, third, term_wrap(tt, 32, difference))),
        term_wrap(tt, 32, term_mul(tt, third, difference)));
  holds(term_wrap(tt, 32, term_mul(tt, p, term_wrap(tt, 64, difference))),
        term_wrap(tt, 32, term_mul(tt, p, difference)));
  open(term_wrap(tt, 32, term_mul(tt, p, term_wrap(tt, 16, difference))),
       term_wrap(tt, 32, term_mul(tt, p, difference)));
  open(term_wrap(tt, 32, term_mul(tt, p, term_wrap(tt, 32, difference))),
       term_wrap(tt, 32, term_mul(tt, p, term_add(tt, difference, tt->one))));
  open(term_wrap(tt, 32, term_floordiv(tt, term_wrap(tt, 32, term_mul(tt, p, q)), term_int(tt, 3))),
       term_wrap(tt, 32, term_floordiv(tt, term_mul(tt, p, q), term_int(tt, 3))));
}

/* What a limit ends in the midst of a case leaves no fact behind, and the work goes on. */
static void assume_and_throw(void *payload) {
  equal_push(tt, *(Term *)payload);
  assert_true(term_prove_true(tt, term_lt(tt, m, n)));
  guard_throw(&guard, GUARD_LIMIT, "too large");
}

static void test_limits_in_a_case(void **state) {
  (void)state;
  Term fact = term_lt(tt, m, n);
  assert_false(term_attempt(tt, 1, assume_and_throw, &fact));
  assert_int_equal(guard.reason, GUARD_NONE);
  assert_false(term_prove_true(tt, fact));
  holds(term_add(tt, m, n), term_add(tt, n, m));
}

/* A maximum over what may be empty is -inf: nothing is divided by its exponential. */
static void test_empty_maximum(void **state) {
  (void)state;
  Term top = maximum_of(x, m);
  open(term_mul(tt, exponential(top), exponential(term_neg(tt, top))), tt->one);
  Term k = index_in(tt->zero, n);
  Term over =
      fold(FOLD_SUM, k, tt->zero, n, exponential(term_sub(tt, read_at(x, k), top))); /* n elements, a maximum of m */
  open(term_mul(tt, over, exponential(top)), shifted_sum(n, tt->zero));
}

static void test_sums(void **state) {
  (void)state;
  Term k = index_in(tt->zero, n), l = index_in(tt->zero, n);
  Term both = fold(FOLD_SUM, k, tt->zero, n, term_add(tt, term_mul(tt, a, read_at(x, k)), read_at(y, k)));
  Term apart = term_add(tt, term_mul(tt, a, fold(FOLD_SUM, l, tt->zero, n, read_at(x, l))),
                        fold(FOLD_SUM, l, tt->zero, n, read_at(y, l)));
  holds(both, apart);
  Term fewer = term_sub(tt, n, tt->one), j = index_in(tt->zero, fewer);
  open(fold(FOLD_SUM, k, tt->zero, n, read_at(x, k)), fold(FOLD_SUM, j, tt->zero, fewer, read_at(x, j)));
  open(fold(FOLD_SUM, k, tt->zero, n, term_mul(tt, read_at(x, k), read_at(y, k))),
       term_mul(tt, fold(FOLD_SUM, k, tt->zero, n, read_at(x, k)), fold(FOLD_SUM, k, tt->zero, n, read_at(y, k))));
}

static void test_maxima_and_signs(void **state) {
  (void)state;
  Term k = index_in(tt->zero, n);
  Term plus = fold(FOLD_MAX, k, tt->zero, n, term_add(tt, read_at(x, k), a));
  holds(plus, term_add(tt, maximum_of(x, n), a));
  Term twice = fold(FOLD_MAX, k, tt->zero, n, term_scale(tt, rational_int(2), read_at(x, k)));
  holds(twice, term_scale(tt, rational_int(2), maximum_of(x, n)));
  Term minus = fold(FOLD_MAX, k, tt->zero, n, term_neg(tt, read_at(x, k)));
  open(minus, term_neg(tt, maximum_of(x, n)));
  Term scaled = fold(FOLD_MAX, k, tt->zero, n, term_mul(tt, a, read_at(x, k))); /* the sign of a is not known */
  open(scaled, term_mul(tt, a, maximum_of(x, n)));
}

static void test_domains(void **state) {
  (void)state;
  open(term_div(tt, a, a), tt->one);
  open(term_mul(tt, term_power(tt, a, rational_make(&guard, 1, 2)), term_power(tt, a, rational_make(&guard, 1, 2))), a);
  open(term_power(tt, term_power(tt, a, rational_int(2)), rational_make(&guard, 1, 2)), a);
  open(exponential(term_add(tt, a, b)), term_add(tt, exponential(a), exponential(b)));
  holds(exponential(term_add(tt, a, b)), term_mul(tt, exponential(a), exponential(b)));
  open(term_fn1(tt, FN_LOG, term_mul(tt, a, b)), term_add(tt, term_fn1(tt, FN_LOG, a), term_fn1(tt, FN_LOG, b)));
}

static void test_cases(void **state) {
  (void)state;
  Term c = term_le(tt, m, n), low = term_select(tt, c, m, n);
  holds(low, term_min(tt, m, n));
  open(low, term_max(tt, m, n));
  holds(term_select(tt, c, read_at(x, m), read_at(y, m)),
        term_select(tt, term_not(tt, c), read_at(y, m), read_at(x, m)));
  open(term_select(tt, c, read_at(x, m), read_at(y, m)), term_select(tt, c, read_at(y, m), read_at(x, m)));
}

static void test_step(void **state) {
  (void)state;
  Term t = integer("t", SYMBOL_COUNTER, tt->zero, 0), end = term_add(tt, t, tt->one);
  Term before = maximum_of(x, t), after = term_max(tt, before, read_at(x, t));
  Term step = term_add(tt, term_mul(tt, shifted_sum(t, before), exponential(term_sub(tt, before, after))),
                       exponential(term_sub(tt, read_at(x, t), after)));
  assert_int_not_equal(equal_prove_step(tt, step, shifted_sum(end, maximum_of(x, end)), end), EQUAL_NONE);
  Term forgotten =
      term_add(tt, shifted_sum(t, before), exponential(term_sub(tt, read_at(x, t), after))); /* without the rescaling */
  assert_int_equal(equal_prove_step(tt, forgotten, shifted_sum(end, maximum_of(x, end)), end), EQUAL_NONE);
}

static void test_conditions(void **state) {
  (void)state;
  Term either = term_or(tt, term_le(tt, m, n), term_le(tt, m, term_add(tt, n, term_int(tt, 5))));
  term_push_fact(tt, either);
  assert_true(equal_prove_true(tt, term_le(tt, m, term_add(tt, n, term_int(tt, 5)))));
  assert_false(equal_prove_true(tt, term_le(tt, m, n)));
  assert_false(equal_prove_true(tt, term_le(tt, n, m)));
}

/* Bounds of a quotient are bounds of what is divided; and a fact counts as often as it is needed. */
static void test_quotients(void **state) {
  (void)state;
  Term four = term_int(tt, 4), q = term_floordiv(tt, i, four), r = term_floordiv(tt, term_add(tt, i, m), n);
  term_push_fact(tt, term_le(tt, term_int(tt, 8), q));
  assert_true(term_prove_le(tt, term_int(tt, 32), i));
  assert_false(term_prove_le(tt, term_int(tt, 33), i));
  assert_true(term_prove_le(tt, term_int(tt, 24), term_mul(tt, four, q)));
  assert_false(term_prove_le(tt, term_int(tt, 33), term_mul(tt, four, q)));
  term_push_fact(tt, term_le(tt, q, term_int(tt, 9)));
  assert_true(term_prove_le(tt, i, term_int(tt, 39)));
  assert_false(term_prove_le(tt, i, term_int(tt, 38)));
  term_pop_facts(tt, 0);
  assert_false(term_prove_le(tt, term_int(tt, 32), i));
  assert_true(term_prove_le(tt, term_floordiv(tt, i, n), r)); /* i <= i + m */
  assert_false(term_prove_le(tt, r, term_floordiv(tt, i, n)));
  assert_false(term_prove_lt(tt, term_floordiv(tt, i, n), r));
  Term pid = integer("pid", SYMBOL_PID, tt->zero, term_sub(tt, n, tt->one)); /* where pid = 5, n is 6 at least */
  term_push_fact(tt, term_eq(tt, pid, term_int(tt, 5)));
  assert_true(term_prove_le(tt, term_int(tt, 6), n));
  assert_false(term_prove_le(tt, term_int(tt, 7), n));
}

static void test_solver(void **state) {
  (void)state;
  if (smt_solve(&arena, "(assert false)\n(check-sat)\n", NULL).answer != SMT_UNSAT) skip(); /* no solver here */
  Term p = term_mul(tt, n, m), q = term_floordiv(tt, p, n);
  assert_true(solve_condition(tt, term_le(tt, tt->zero, p), 5));
  assert_false(solve_condition(tt, term_le(tt, tt->one, p), 5)); /* m may be 0 */
  assert_false(solve_condition(tt, term_lt(tt, q, m), 5));
  term_push_fact(tt, term_lt(tt, tt->zero, m));
  assert_true(solve_condition(tt, term_le(tt, tt->one, p), 5));
  assert_false(solve_condition(tt, term_le(tt, read_at(x, i), a), 5)); /* reals stay closed */
}

/* sum[lo <= k < hi](x[k + by] * y[k + by]) */
static Term sum_from(Term lo, Term hi, Term by) {
  Term k = index_in(lo, hi);
  return fold(FOLD_SUM, k, lo, hi, term_mul(tt, read_at(x, term_add(tt, k, by)), read_at(y, term_add(tt, k, by))));
}

static void test_ranges_that_are_moved(void **state) {
  (void)state;
  Term two = term_int(tt, 2), here = sum_from(tt->zero, n, tt->zero);
  assert_int_equal(equal_prove(tt, sum_from(two, term_add(tt, n, two), term_int(tt, -2)), here), EQUAL_IDENTITY);
  assert_int_equal(equal_prove(tt, sum_from(m, term_add(tt, n, m), term_neg(tt, m)), here), EQUAL_IDENTITY);
  assert_int_equal(equal_prove(tt, sum_from(two, term_add(tt, n, two), tt->minus_one), here),
                   EQUAL_NONE); /* other elements */
  assert_int_equal(equal_prove(tt, sum_from(two, term_add(tt, n, tt->one), term_int(tt, -2)), here),
                   EQUAL_NONE); /* one less */
  assert_int_equal(equal_prove(tt, sum_from(m, n, term_neg(tt, m)), here), EQUAL_NONE);
}

static Term chosen(Term condition, Term then, Term otherwise) { return term_select(tt, condition, then, otherwise); }

static void test_cases_at_the_boundary(void **state) {
  (void)state;
  Term e = read_at(x, tt->zero), below = term_lt(tt, e, tt->zero), up_to = term_le(tt, e, tt->zero),
       f = term_sub(tt, exponential(e), tt->one);
  assert_int_equal(equal_prove(tt, chosen(below, f, e), chosen(up_to, f, e)), EQUAL_CASES); /* both are 0 at 0 */
  assert_int_equal(equal_prove(tt, chosen(below, a, b), chosen(up_to, a, b)), EQUAL_NONE);
  assert_int_equal(equal_prove(tt, chosen(below, f, b), chosen(up_to, f, b)), EQUAL_NONE);
  Term d = term_sub(tt, e, a), below_a = term_lt(tt, d, tt->zero), up_to_a = term_le(tt, d, tt->zero),
       ours = term_mul(tt, e, b), theirs = term_mul(tt, a, b);
  assert_int_equal(equal_prove(tt, chosen(below_a, ours, theirs), chosen(up_to_a, ours, theirs)),
                   EQUAL_CASES); /* at e = a */
  assert_int_equal(equal_prove(tt, chosen(below_a, e, b), chosen(up_to_a, e, b)), EQUAL_NONE);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, table_close)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(test_softmax_shift),
                                     TEST(test_empty_maximum),
                                     TEST(test_wraps_inside_products),
                                     TEST(test_limits_in_a_case),
                                     TEST(test_sums),
                                     TEST(test_maxima_and_signs),
                                     TEST(test_domains),
                                     TEST(test_cases),
                                     TEST(test_step),
                                     TEST(test_ranges_that_are_moved),
                                     TEST(test_cases_at_the_boundary),
                                     TEST(test_conditions),
                                     TEST(test_quotients),
                                     TEST(test_solver)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
