/* Folds in folds under masks: each takes in its own, and a nest of them costs little more than its folds. */
#include "table.h"

enum { LENGTH = 64, MOST = 12 };

/* sum[k < 64](mask*a[k] + mask*b[k]*(the fold inside + 1)), `depth` of them: an index is at most the one around it, the
 * outermost one below n. Where the mask is false, `other` + a[k] stands for a[k]. */
static Term nest(uint32_t depth, Term n, Term other) {
  Term a = symbol("a", SORT_REAL, SYMBOL_TENSOR), b = symbol("b", SORT_REAL, SYMBOL_TENSOR), k[MOST + 1], t = tt->one;
  k[depth] = term_sub(tt, n, tt->one);
  for (uint32_t i = 0; i < depth; i++) k[i] = index_in(tt->zero, literal(LENGTH));
  for (uint32_t i = 0; i < depth; i++) {
    Term mask = term_le(tt, k[i], k[i + 1]);
    Term no = other == tt->zero ? tt->zero : term_add(tt, other, read_at(a, k[i])),
         x = term_select(tt, mask, read_at(a, k[i]), no), y = term_select(tt, mask, read_at(b, k[i]), tt->zero);
    Term body = term_add(tt, x, term_mul(tt, y, term_add(tt, t, tt->one)));
    t = term_fold(tt, FOLD_SUM, k[i], tt->zero, literal(LENGTH), tt->true_, body);
  }
  return t;
}

static Term inner_fold(Term t) {
  if (term_kind(tt, t) == TERM_FOLD) return t;
  Term found = 0;
  for (uint32_t i = 0; i < term_count(tt, t) && !found; i++) found = inner_fold(term_arg(tt, t, i));
  return found;
}

static void test_each_takes_in_its_mask(void **state) {
  (void)state;
  Term n = integer("n", SYMBOL_SIZE, tt->one, literal(LENGTH)), end = n, t = nest(6, n, tt->zero);
  for (int i = 0; i < 6; i++) {
    assert_int_equal(term_kind(tt, t), TERM_FOLD);
    FoldParts p = term_fold_open(tt, t);
    assert_true(p.hi == end && p.guard == tt->true_);
    end = term_add(tt, p.symbol, tt->one);
    t = inner_fold(p.body);
  }
  assert_true(t == 0);
}

/* Masks that no fold can take in are looked for in vain, in each fold once: to look for those of all inner folds again
 * for each of the outer ones would take 4 to the power of the depth, and not end. */
static void test_masks_that_stay(void **state) {
  (void)state;
  Term n = integer("n", SYMBOL_SIZE, tt->one, literal(LENGTH)), t = nest(MOST, n, tt->one);
  for (int i = 0; i < MOST; i++) {
    assert_int_equal(term_kind(tt, t), TERM_FOLD);
    FoldParts p = term_fold_open(tt, t);
    assert_true(p.hi == literal(LENGTH) && p.guard == tt->true_);
    t = inner_fold(p.body);
  }
  assert_true(t == 0);
}

/* sum[k < 64](factor*where(mask, a[k], otherwise)*b[k] + added) is that of factor*a[k]*b[k] under the mask, if nothing
 * is added elsewhere: one term, whichever way it was made. */
static void expect_masked(Term factor, Term otherwise, Term added, bool is_guard) {
  Term a = symbol("a", SORT_REAL, SYMBOL_TENSOR), b = symbol("b", SORT_REAL, SYMBOL_TENSOR),
       n = integer("n", SYMBOL_SIZE, tt->one, 0), m = integer("m", SYMBOL_SIZE, tt->one, 0);
  Term mask = term_and(tt, term_le(tt, n, literal(5)), term_le(tt, m, n)), k = index_in(tt->zero, literal(LENGTH)),
       x = read_at(a, k), y = read_at(b, k);
  Term chosen = term_mul(tt, factor, term_mul(tt, term_select(tt, mask, x, otherwise), y));
  Term made = term_fold(tt, FOLD_SUM, k, tt->zero, literal(LENGTH), tt->true_, term_add(tt, chosen, added));
  Term under = term_fold(tt, FOLD_SUM, k, tt->zero, literal(LENGTH), mask, term_mul(tt, factor, term_mul(tt, x, y)));
  assert_int_equal(made == under, is_guard);
}

static void test_factors_do_not_hide_a_mask(void **state) {
  (void)state;
  expect_masked(tt->one, tt->zero, tt->zero, true);
  expect_masked(term_new_rat(tt, (Rational){1, 8}), tt->zero, tt->zero, true);
  expect_masked(literal(-3), tt->zero, tt->zero, true);
  expect_masked(term_new_rat(tt, (Rational){1, 8}), tt->one, tt->zero, false);
  expect_masked(literal(-3), tt->zero, tt->one, false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_each_takes_in_its_mask, table_open, table_close),
      cmocka_unit_test_setup_teardown(test_masks_that_stay, table_open, table_close),
      cmocka_unit_test_setup_teardown(test_factors_do_not_hide_a_mask, table_open, table_close),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
