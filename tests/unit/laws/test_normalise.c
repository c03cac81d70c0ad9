/* What loops leave behind is put away: each law by the term that comes out, and no law where there is none. */
#include "../term/table.h"

#include "laws/normalise.h"

static Term n, i, j, x; /* x[i, j] for j < n */

static int setup(void **state) {
  table_open(state);
  n = integer("n", SYMBOL_SIZE, tt->one, 0);
  i = integer("i", SYMBOL_INDEX, tt->zero, 0);
  j = integer("j", SYMBOL_INDEX, tt->zero, term_sub(tt, n, tt->one));
  x = symbol("x", SORT_REAL, SYMBOL_TENSOR);
  return 0;
}

static Term num(int64_t value) { return term_int(tt, value); }
static Term add(Term a, Term b) { return term_add(tt, a, b); }
static Term sub(Term a, Term b) { return term_sub(tt, a, b); }
static Term mul(Term a, Term b) { return term_mul(tt, a, b); }
static Term ex(Term a) { return term_fn1(tt, FN_EXP, a); }
static Term at(Term k) { return term_read(tt, x, SORT_REAL, 2, (Term[]){i, k}); }

/* op over k in [lo, hi); its body is made by BODY(k). */
static Term fold(TermFoldOp op, Term k, Term lo, Term hi, Term body) {
  return term_fold(tt, op, k, lo, hi, tt->true_, body);
}

static Term whole(TermFoldOp op) {
  Term k = index_in(tt->zero, n);
  return fold(op, k, tt->zero, n, at(k));
}

static void expect(Term t, Term wanted) {
  assert_string_equal(term_text(tt, normalise_value(tt, t)), term_text(tt, wanted));
}

static void test_bounds(void **state) {
  (void)state;
  Term tile =
      mul(num(32),
          term_floordiv(tt, add(term_min(tt, n, mul(num(64), add(term_floordiv(tt, j, num(64)), tt->one))), num(31)),
                        num(32)));
  Term hi = term_min(tt, term_min(tt, add(j, tt->one), n), tile), k = index_in(tt->zero, hi);
  Term causal = index_in(tt->zero, add(j, tt->one));
  expect(fold(FOLD_SUM, k, tt->zero, hi, at(k)), fold(FOLD_SUM, causal, tt->zero, add(j, tt->one), at(causal)));
}

/* An online sum of exponentials, tile by tile. */
static void test_rescaled_sums(void **state) {
  (void)state;
  Term tiles = term_cdiv(tt, n, num(64)), t = index_in(tt->zero, tiles), start = mul(num(64), t),
       size = term_min(tt, num(64), sub(n, start));
  Term k = index_in(tt->zero, size), top = fold(FOLD_MAX, k, tt->zero, size, at(add(start, k))), most = whole(FOLD_MAX);
  Term l = index_in(tt->zero, size), part = fold(FOLD_SUM, l, tt->zero, size, ex(sub(at(add(start, l)), top)));
  Term online = fold(FOLD_SUM, t, tt->zero, tiles, mul(ex(sub(top, most)), part)), m = index_in(tt->zero, n);
  expect(online, fold(FOLD_SUM, m, tt->zero, n, ex(sub(at(m), most))));
}

static void test_carry_and_last_tile(void **state) {
  (void)state;
  Term start = mul(num(64), term_floordiv(tt, j, num(64))), k = index_in(tt->zero, start),
       length = add(sub(j, start), tt->one);
  Term l = index_in(tt->zero, length), m = index_in(tt->zero, add(j, tt->one));
  expect(add(fold(FOLD_SUM, k, tt->zero, start, at(k)), fold(FOLD_SUM, l, tt->zero, length, at(add(start, l)))),
         fold(FOLD_SUM, m, tt->zero, add(j, tt->one), at(m)));
}

static void test_split_loop(void **state) {
  (void)state;
  Term half = mul(num(32), term_floordiv(tt, add(n, num(31)), num(64))), hi = term_min(tt, n, half),
       k = index_in(tt->zero, hi);
  Term rest = sub(n, half), l = index_in(tt->zero, rest);
  expect(add(fold(FOLD_SUM, k, tt->zero, hi, at(k)), fold(FOLD_SUM, l, tt->zero, rest, at(add(l, half)))),
         whole(FOLD_SUM));
}

static void test_unrolled_loop(void **state) {
  (void)state;
  Term half = term_floordiv(tt, n, num(2)), k = index_in(tt->zero, half), twice = mul(num(2), k),
       m = index_in(tt->zero, mul(num(2), half));
  expect(fold(FOLD_SUM, k, tt->zero, half, add(at(twice), at(add(twice, tt->one)))),
         fold(FOLD_SUM, m, tt->zero, mul(num(2), half), at(m)));
  expect(fold(FOLD_MAX, k, tt->zero, half, term_max(tt, at(twice), at(add(twice, tt->one)))),
         fold(FOLD_MAX, m, tt->zero, mul(num(2), half), at(m)));
}

static void test_reversed_loop(void **state) {
  (void)state;
  Term k = index_in(tt->zero, n);
  expect(fold(FOLD_SUM, k, tt->zero, n, at(sub(sub(n, tt->one), k))), whole(FOLD_SUM));
}

static void test_late_start(void **state) {
  (void)state;
  Term first = term_floordiv(tt, j, num(64)), tiles = sub(term_cdiv(tt, n, num(64)), first),
       t = index_in(tt->zero, tiles);
  Term from = mul(num(64), first), tile = mul(num(64), t), low = term_max(tt, tt->zero, sub(sub(j, from), tile));
  Term high = term_min(tt, num(64), sub(sub(n, from), tile)), k = index_in(low, high), m = index_in(j, n);
  Term late = fold(FOLD_SUM, t, tt->zero, tiles, fold(FOLD_SUM, k, low, high, at(add(add(from, tile), k))));
  expect(late, fold(FOLD_SUM, m, j, n, at(m)));
}

static void test_variance_of_a_tile(void **state) {
  (void)state;
  Term mean = mul(whole(FOLD_SUM), term_power(tt, n, (Rational){-1, 1})), k = index_in(tt->zero, n);
  Term spread = fold(FOLD_SUM, k, tt->zero, n, term_power(tt, sub(at(k), mean), (Rational){2, 1}));
  Term share = mul(term_power(tt, whole(FOLD_SUM), (Rational){2, 1}), term_power(tt, n, (Rational){-1, 1})),
       l = index_in(tt->zero, n);
  expect(add(spread, share), fold(FOLD_SUM, l, tt->zero, n, term_power(tt, at(l), (Rational){2, 1})));
  assert_true(normalise_value(tt, spread) == spread); /* alone it stays what a textbook has */
}

/* One element missing, one element twice, another order of what has one: not the same. */
static void test_nothing_else(void **state) {
  (void)state;
  Term half = term_floordiv(tt, n, num(2)), k = index_in(tt->zero, half), l = index_in(tt->zero, sub(n, half));
  Term gap = add(fold(FOLD_SUM, k, tt->zero, half, at(k)),
                 fold(FOLD_SUM, l, tt->zero, sub(n, half), at(add(add(l, half), tt->one))));
  assert_true(normalise_value(tt, gap) == gap);
  Term twice = mul(num(2), k), uneven = fold(FOLD_SUM, k, tt->zero, half, add(at(twice), at(add(twice, num(2)))));
  assert_true(normalise_value(tt, uneven) == uneven);
  Term cumulative =
      fold(FOLD_SUM, k, tt->zero, half, mul(at(k), term_div(tt, tt->one, add(tt->one, at(add(k, tt->one))))));
  assert_true(normalise_value(tt, cumulative) == cumulative);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bounds),
      cmocka_unit_test(test_rescaled_sums),
      cmocka_unit_test(test_carry_and_last_tile),
      cmocka_unit_test(test_split_loop),
      cmocka_unit_test(test_unrolled_loop),
      cmocka_unit_test(test_reversed_loop),
      cmocka_unit_test(test_late_start),
      cmocka_unit_test(test_variance_of_a_tile),
      cmocka_unit_test(test_nothing_else),
  };
  return cmocka_run_group_tests(tests, setup, table_close);
}
