/* Rows of an array: what says length*x <= place < length*x + width, by its form; held against numbers. */
#include "../term/table.h"

#include "laws/row.h"

static Term x, place, m;

static int start(void **state) {
  table_open(state);
  x = integer("x", SYMBOL_COUNTER, tt->zero, 0);
  place = integer("place", SYMBOL_LANE, tt->zero, 0);
  m = integer("m", SYMBOL_SIZE, tt->one, 0);
  return 0;
}

static bool is_row(Term from, Term to, LawRow *row) {
  return law_row(tt, term_le(tt, from, place), term_lt(tt, place, to), x, row);
}

static void test_a_row_is_told_from_its_ends(void **state) {
  (void)state;
  LawRow row;
  Term longer = term_add(tt, m, tt->one), from = term_mul(tt, x, m);
  assert_true(is_row(from, term_add(tt, from, m), &row));
  assert_int_equal(row.place, place);
  assert_int_equal(row.length, m);
  assert_int_equal(row.width, m);
  from = term_add(tt, term_mul(tt, x, longer), literal(3)); /* behind three elements, and one between rows */
  assert_true(is_row(from, term_add(tt, from, m), &row));
  assert_int_equal(row.place, term_sub(tt, place, literal(3)));
  assert_int_equal(row.length, longer);
  assert_int_equal(row.width, m);
}

static void test_an_equation_is_a_row_of_one(void **state) {
  (void)state;
  LawRow row;
  Term from = term_add(tt, term_mul(tt, x, m), literal(3)), square = term_mul(tt, term_mul(tt, x, x), m);
  assert_true(law_row_of_one(tt, term_eq(tt, place, from), x, &row));
  assert_int_equal(row.place, term_sub(tt, place, literal(3)));
  assert_int_equal(row.length, m);
  assert_int_equal(row.width, tt->one);
  assert_false(law_row_of_one(tt, term_eq(tt, place, square), x, &row));
  assert_false(law_row_of_one(tt, term_eq(tt, place, term_add(tt, x, m)), x, &row));
  assert_false(law_row_of_one(tt, term_le(tt, place, from), x, &row));
}

static void test_what_is_no_row(void **state) {
  (void)state;
  LawRow row;
  Term from = term_mul(tt, x, m), back = term_neg(tt, from), square = term_mul(tt, from, x);
  assert_false(is_row(from, term_add(tt, from, x), &row)); /* each is as wide as its number */
  assert_false(is_row(from, term_add(tt, term_scale(tt, rational_int(2), from), m), &row));
  assert_false(is_row(back, term_add(tt, back, m), &row));     /* they go back */
  assert_false(is_row(square, term_add(tt, square, m), &row)); /* no equal steps */
  assert_false(is_row(x, term_add(tt, x, m), &row));           /* each lies in the next one */
  assert_false(is_row(m, term_add(tt, m, m), &row));
  assert_false(law_row(tt, term_lt(tt, place, term_add(tt, from, m)), tt->true_, x, &row));
}

/* Where 0 < width <= length, the conditions hold of the one x that is place // length, and of none else; of wider rows
 * several x may be. */
static void test_the_row_is_place_by_length(void **state) {
  (void)state;
  for (int length = 1; length <= 5; length++)
    for (int width = 1; width <= length + 1; width++)
      for (int at = 0; at < 30; at++) {
        int found = 0;
        for (int row = 0; row < 40; row++) {
          bool holds = length * row <= at && at < length * row + width;
          found += holds;
          if (width <= length) assert_int_equal(holds, row == at / length && at % length < width);
        }
        if (width > length && at >= length && at % length == 0) assert_int_equal(found, 2);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_a_row_is_told_from_its_ends, start, table_close),
      cmocka_unit_test_setup_teardown(test_an_equation_is_a_row_of_one, start, table_close),
      cmocka_unit_test_setup_teardown(test_what_is_no_row, start, table_close),
      cmocka_unit_test_setup_teardown(test_the_row_is_place_by_length, start, table_close),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
