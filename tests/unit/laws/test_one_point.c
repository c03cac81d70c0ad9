/* Folds that one index passes; witnesses of `any`: a number at hand shows it, but not by what is known only inside a
 * fold. */
#include "../term/table.h"

#include "laws/one_point.h"

static Term n, m, lane, program;

static int start(void **state) {
  table_open(state);
  n = integer("n", SYMBOL_SIZE, tt->zero, 0);
  m = integer("m", SYMBOL_SIZE, tt->one, 0);
  lane = integer("lane", SYMBOL_LANE, tt->zero, literal(7));
  program = integer("program", SYMBOL_PID, tt->zero, literal(99));
  return 0;
}

static Term any(Term k, Term hi, Term where, Term body) {
  return term_fold(tt, FOLD_ANY, k, tt->zero, hi, where, body);
}

static Term shown(Term t) { return term_transform(tt, t, law_any_witness, NULL); }

/* Of a product, so that no law closes the fold by solving for its index. */
static Term same_square(Term a, Term b) { return term_eq(tt, term_mul(tt, a, a), term_mul(tt, b, b)); }

static void test_what_walks_is_a_witness(void **state) {
  (void)state;
  Term k = index_in(tt->zero, literal(100)), row = term_floordiv(tt, term_add(tt, lane, program), m);
  assert_int_equal(shown(any(k, literal(100), tt->true_, same_square(k, program))), tt->true_);
  assert_int_equal(shown(any(k, literal(8), tt->true_, same_square(k, lane))), tt->true_);
  assert_int_equal(shown(any(k, literal(107), tt->true_, same_square(k, row))), tt->true_);
  Term low = any(k, literal(99), tt->true_, same_square(k, program));
  assert_int_equal(shown(low), low); /* the last program is beyond the range */
  Term sized = any(k, literal(100), tt->true_, same_square(k, n));
  assert_int_equal(shown(sized), sized); /* a size does not walk, and may be larger */
}

/* any[k < 8](any[j < n, lane < m](k*k = lane*lane and j*j*m >= 0)): that lane < m, or that n is not 0, is known below
 * the inner fold alone. */
static void test_what_a_fold_assumes_is_not_known_of_it(void **state) {
  (void)state;
  Term k = index_in(tt->zero, literal(8)), j = index_in(tt->zero, n);
  Term body = term_and(tt, same_square(k, lane), term_lt(tt, term_mul(tt, j, lane), term_mul(tt, m, m)));
  Term inner = any(j, n, term_lt(tt, lane, m), body), t = any(k, literal(8), tt->true_, inner);
  assert_int_not_equal(shown(t), tt->true_);
  Term within = index_in(tt->zero, n), empty = any(within, n, tt->true_, same_square(within, k));
  assert_int_not_equal(shown(any(k, n, tt->true_, empty)), tt->true_);
}

/* sum[k < n // 8 + 1, n < 8*k + min(8, m - 8*k)](k): the only k is n // 8, where that lies in the range; below m. */
static void test_a_bound_names_the_only_index(void **state) {
  (void)state;
  Term k = index_in(tt->zero, n), eight = term_scale(tt, rational_int(8), k), at = term_floordiv(tt, n, literal(8));
  Term end = term_add(tt, eight, term_min(tt, literal(8), term_sub(tt, m, eight)));
  Term sum = term_fold(tt, FOLD_SUM, k, tt->zero, term_add(tt, at, tt->one), term_lt(tt, n, end), k);
  assert_int_equal(law_one_point(tt, sum, NULL), term_select(tt, term_lt(tt, n, m), at, tt->zero));
  end = term_add(tt, eight, term_min(tt, literal(9), term_sub(tt, m, eight))); /* two tiles may reach n */
  sum = term_fold(tt, FOLD_SUM, k, tt->zero, term_add(tt, at, tt->one), term_lt(tt, n, end), k);
  assert_int_equal(law_one_point(tt, sum, NULL), sum);
}

/* sum[k < n*m, (k + 2) // m == p](k) for a program p: over the m indices from p*m - 2 on that there are. */
static void test_a_block_of_indices(void **state) {
  (void)state;
  Term end = term_mul(tt, n, m), k = index_in(tt->zero, end), j = index_in(tt->zero, m);
  Term block = term_floordiv(tt, term_add(tt, k, literal(2)), m);
  Term sum = term_fold(tt, FOLD_SUM, k, tt->zero, end, term_eq(tt, block, program), k);
  Term at = term_add(tt, term_sub(tt, term_mul(tt, m, program), literal(2)), j);
  Term in = term_and(tt, term_le(tt, tt->zero, at), term_lt(tt, at, end));
  assert_int_equal(law_one_point(tt, sum, NULL), term_fold(tt, FOLD_SUM, j, tt->zero, m, in, at));
  Term other = term_floordiv(tt, term_scale(tt, rational_int(2), k), m); /* of k in steps of two: no block of m */
  sum = term_fold(tt, FOLD_SUM, k, tt->zero, end, term_eq(tt, other, program), k);
  assert_int_equal(law_one_point(tt, sum, NULL), sum);
  block = term_floordiv(tt, k, n); /* n may be 0 */
  sum = term_fold(tt, FOLD_SUM, k, tt->zero, end, term_eq(tt, block, program), k);
  assert_int_equal(law_one_point(tt, sum, NULL), sum);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_what_walks_is_a_witness, start, table_close),
      cmocka_unit_test_setup_teardown(test_what_a_fold_assumes_is_not_known_of_it, start, table_close),
      cmocka_unit_test_setup_teardown(test_a_bound_names_the_only_index, start, table_close),
      cmocka_unit_test_setup_teardown(test_a_block_of_indices, start, table_close),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
