/* Sums over lanes of what each has summed up and divided by its count: taken apart or not, the value stays. */
#include "laws/laws.h"
#include "table.h"

enum { ROUNDS = 120, SIZES = 14 };

static Term n, x;

static int start(void **state) {
  table_open(state);
  n = integer("n", SYMBOL_SIZE, tt->one, 0);
  x = symbol("x", SORT_REAL, SYMBOL_TENSOR);
  return 0;
}

static TermValue read_element(void *payload, Term tensor, uint32_t count, const int64_t *index) {
  (void)tensor, (void)count, (void)payload;
  return (TermValue){.real = (double)(random_mix((uint64_t)index[0] + 3) % 13) - 5};
}

static void assert_same(Term t, Term u) { assert_same_values(t, u, n, 1, SIZES, false, read_element, NULL); }

/* sum[t < q](x[4*t + l]^e) */
static Term of_lane(Term lane, Term q, int64_t e, int64_t step) {
  Term k = index_in(tt->zero, q), at = term_add(tt, term_mul(tt, literal(step), k), lane);
  return term_fold(tt, FOLD_SUM, k, tt->zero, q, tt->true_, term_power(tt, read_at(x, at), rational_int(e)));
}

static Term over(Term a, Term b) { return term_mul(tt, a, term_power(tt, b, rational_int(-1))); }

/* The lanes' count is right or off by one, they are masked or not, and what is put together is a mean, squares around
 * one, or less than that. */
static void test_lanes_put_together(void **state) {
  (void)state;
  uint32_t count = 0;
  for (int i = 0; i < ROUNDS; i++) {
    int64_t off = roll(0, 2) ? 0 : roll(-1, 1), step = roll(0, 5) ? 4 : 3;
    Term lane = index_in(tt->zero, literal(4)),
         q = term_floordiv(tt, term_sub(tt, term_add(tt, n, literal(3)), lane), literal(4)),
         c = term_add(tt, q, literal(off));
    Term some = term_lt(tt, roll(0, 4) ? tt->zero : literal(roll(-1, 1)), q), s = of_lane(lane, q, 1, step),
         squares = of_lane(lane, q, 2, step);
    Term mean = term_select(tt, some, over(s, q), roll(0, 4) ? tt->zero : literal(1)),
         m2 = term_select(tt, some, term_sub(tt, squares, over(term_power(tt, s, rational_int(2)), q)), tt->zero);
    Term at = tt->zero, whole = over(read_at(x, at), n), body = 0;
    Term apart = term_power(tt, term_sub(tt, mean, whole), rational_int(2));
    switch (roll(0, 3)) {
    case 0: body = term_mul(tt, c, mean); break;
    case 1: body = term_add(tt, m2, term_mul(tt, c, apart)); break;
    case 2: body = term_add(tt, m2, term_mul(tt, c, term_power(tt, mean, rational_int(2)))); break;
    default: body = m2; break;
    }
    Term t = term_fold(tt, FOLD_SUM, lane, tt->zero, literal(4), tt->true_, body),
         apart_now = term_transform(tt, t, term_merge_tiles, NULL);
    assert_same(t, apart_now);
    count += apart_now != t;
  }
  assert_true(count > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lanes_put_together)};
  return cmocka_run_group_tests(tests, start, table_close);
}
