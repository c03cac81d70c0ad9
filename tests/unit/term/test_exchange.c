/* The symbol of a fold in the place of its binder, and back: what is summed is sorted by structure, which the symbol is
 * part of, and an equation has the sign of its first summand. So an equation is the same term whatever the symbol was.
 */
#include "table.h"

enum { SYMBOLS = 64 };

/* min[k < n, read(k) == key](k), of whole numbers and of reals. */
static void search_is_one(TermSort sort) {
  Term n = integer("n", SYMBOL_SIZE, tt->one, 0), x = symbol("x", sort, SYMBOL_TENSOR),
       key = symbol("key", sort, SYMBOL_SCALAR), fold = 0;
  for (int i = 0; i < SYMBOLS; i++) {
    Term k = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), at[] = {k};
    term_symbol_range(tt, k, tt->zero, term_sub(tt, n, tt->one));
    Term equal =
        term_eq(tt, term_scale(tt, rational_int(3), term_read(tt, x, sort, 1, at)), term_add(tt, key, tt->one));
    Term made = term_fold(tt, FOLD_MIN, k, tt->zero, n, equal, k);
    if (!fold) fold = made;
    assert_int_equal(made, fold);
    FoldParts parts = term_fold_open(tt, fold);
    Term opened[] = {parts.symbol};
    assert_int_equal(parts.guard, term_eq(tt, term_scale(tt, rational_int(3), term_read(tt, x, sort, 1, opened)),
                                          term_add(tt, key, tt->one)));
  }
}

static void test_integers(void **state) {
  (void)state;
  search_is_one(SORT_INT);
}

static void test_reals(void **state) {
  (void)state;
  search_is_one(SORT_REAL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_integers, table_open, table_close),
                                     cmocka_unit_test_setup_teardown(test_reals, table_open, table_close)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
