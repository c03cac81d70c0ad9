/* Folds over ranges that adjoin, or nearly so: joined or not, the value stays; and those that do adjoin are joined. */
#include "../term/table.h"
#include "laws/laws.h"

enum { ROUNDS = 200, SIZES = 24 };

static Term n, x;

static int start(void **state) {
  table_open(state);
  n = integer("n", SYMBOL_SIZE, tt->zero, 0);
  x = symbol("x", SORT_REAL, SYMBOL_TENSOR);
  return 0;
}

static TermValue read_element(void *payload, Term tensor, uint32_t count, const int64_t *index) {
  (void)payload, (void)tensor, (void)count;
  return (TermValue){.real = (double)(random_mix((uint64_t)index[0] + 7) % 97) - 40};
}

static void assert_same(Term t, Term u) { assert_same_values(t, u, n, 0, SIZES, true, read_element, NULL); }

static Term join(Term t) {
  for (int i = 0; i < 4; i++)
    t = term_transform(tt, term_transform(tt, t, term_join_ranges, NULL), term_merge_tiles, NULL);
  return t;
}

/* op[lo <= k < hi](x[k + at]) */
static Term range(TermFoldOp op, Term lo, Term hi, Term at) {
  Term k = index_in(lo, hi), index = term_add(tt, k, at);
  return term_fold(tt, op, k, lo, hi, tt->true_, read_at(x, index));
}

static Term both(TermFoldOp op, Term a, Term b) {
  return op == FOLD_SUM ? term_add(tt, a, b) : op == FOLD_MAX ? term_max(tt, a, b) : term_min(tt, a, b);
}

static TermFoldOp any_op(void) {
  static const TermFoldOp ops[] = {FOLD_SUM, FOLD_MAX, FOLD_MIN};
  return ops[roll(0, 2)];
}

static void test_joined_or_not_the_value_stays(void **state) {
  (void)state;
  uint32_t count = 0;
  for (int i = 0; i < ROUNDS; i++) {
    TermFoldOp op = any_op();
    int64_t b = roll(0, 5), off = roll(0, 3) ? 0 : roll(-1, 1);
    Term left = term_sub(tt, n, literal(roll(-2, 6))), hi = roll(0, 1) ? term_min(tt, literal(b), left) : literal(b);
    Term rest = term_sub(tt, left, literal(b + (roll(0, 3) ? 0 : roll(-1, 1)))),
         length = roll(0, 2) ? term_min(tt, literal(roll(-1, 5)), rest) : rest;
    Term t = both(op, range(op, literal(roll(0, 1)), hi, tt->zero), range(op, tt->zero, length, literal(b + off))),
         joined = join(t);
    assert_same(t, joined);
    count += joined != t && term_kind(tt, joined) == TERM_FOLD;
  }
  assert_true(count > 20);
}

/* Unrolled copies of a tile, with a step, a shift and a start that fit or do not. */
static void test_copies(void **state) {
  (void)state;
  uint32_t count = 0;
  for (int i = 0; i < ROUNDS / 2; i++) {
    TermFoldOp op = any_op();
    int64_t size = roll(2, 4), copies = roll(2, 3), step = size * copies + (roll(0, 2) ? 0 : roll(-1, 1)),
            shift = size - (roll(0, 4) ? 0 : 1);
    Term trips = term_cdiv(tt, n, literal(step)), t = 0;
    Term k = index_in(tt->zero, trips);
    for (int64_t u = 0; u < copies; u++) {
      Term at = term_add(tt, term_mul(tt, literal(step), k), literal(u * shift));
      Term tile = range(op, tt->zero, term_min(tt, literal(size), term_sub(tt, n, at)), at);
      t = t ? both(op, t, tile) : tile;
    }
    t = term_fold(tt, op, k, tt->zero, trips, tt->true_, t);
    Term joined = join(t);
    assert_same(t, joined);
    count += joined == range(op, tt->zero, n, tt->zero);
  }
  assert_true(count > 20);
}

/* Whole tiles, of one lane, and a masked one behind them: the mask is right, or off by some. */
static void test_masked_tail(void **state) {
  (void)state;
  uint32_t count = 0;
  for (int i = 0; i < ROUNDS; i++) {
    TermFoldOp op = any_op();
    int64_t size = roll(2, 5), lane = roll(0, size - 1), off = roll(0, 1) ? 0 : roll(-size, size);
    Term whole = roll(0, 1) ? term_floordiv(tt, n, literal(size))
                            : term_max(tt, term_sub(tt, term_cdiv(tt, n, literal(size)), tt->one), tt->zero);
    Term k = index_in(tt->zero, whole);
    Term at = term_add(tt, term_mul(tt, literal(size), k), literal(lane)), next = term_replace(tt, at, k, whole),
         mask = term_lt(tt, term_add(tt, next, literal(off)), n);
    Term tiles = term_fold(tt, op, k, tt->zero, whole, tt->true_, read_at(x, at)), element = read_at(x, next);
    Term t = roll(0, 1) ? both(op, tiles, term_select(tt, mask, element, term_fold_identity(tt, op, SORT_REAL)))
                        : term_select(tt, mask, both(op, tiles, element), tiles);
    Term joined = join(t);
    assert_same(t, joined);
    count += joined != t && term_kind(tt, joined) == TERM_FOLD;
  }
  assert_true(count > 20);
}

/* Lanes around steps: a tile outside of the loop, before or behind it. */
static void test_a_tile_apart(void **state) {
  (void)state;
  uint32_t count = 0;
  for (int i = 0; i < ROUNDS / 2; i++) {
    TermFoldOp op = any_op();
    int64_t size = roll(2, 4), off = roll(0, 3) ? 0 : roll(-1, 1);
    bool first = roll(0, 1);
    Term lane = term_symbol_range(tt, term_symbol_fresh(tt, "l", SORT_INT, SYMBOL_INDEX), tt->zero, literal(size - 1)),
         b = literal(size);
    Term whole = term_floordiv(tt, n, b),
         apart = term_add(tt, first ? lane : term_add(tt, lane, term_mul(tt, b, whole)), literal(off));
    Term k = term_symbol_fresh(tt, "t", SORT_INT, SYMBOL_INDEX), at = term_add(tt, lane, term_mul(tt, b, k)),
         lo = first ? tt->one : tt->zero;
    Term hi = first ? term_floordiv(tt, term_add(tt, term_sub(tt, n, lane), literal(size - 1)), b) : whole;
    term_symbol_range(tt, k, lo, term_sub(tt, hi, tt->one));
    Term steps = term_fold(tt, op, k, lo, hi, tt->true_, read_at(x, at));
    Term one = term_select(tt, term_lt(tt, apart, n), read_at(x, apart), term_fold_identity(tt, op, SORT_REAL));
    Term t = term_fold(tt, op, lane, tt->zero, b, tt->true_, both(op, steps, one)), joined = join(t);
    assert_same(t, joined);
    count += joined == range(op, tt->zero, n, tt->zero);
  }
  assert_true(count > 20);
}

/* An element in front of a range, which may be empty or worse. */
static void test_a_first_element(void **state) {
  (void)state;
  uint32_t count = 0;
  for (int i = 0; i < ROUNDS; i++) {
    TermFoldOp op = any_op();
    Term lo = literal(roll(0, 2)), hi = roll(0, 1) ? term_add(tt, n, literal(roll(-2, 2))) : literal(roll(-2, 3)),
         at = literal(roll(3, 5));
    Term before = term_add(tt, term_sub(tt, lo, tt->one), term_add(tt, at, literal(roll(0, 3) ? 0 : roll(-1, 1))));
    Term t = both(op, range(op, lo, hi, at), read_at(x, before)), joined = join(t);
    assert_same(t, joined);
    count += joined != t && term_kind(tt, joined) == TERM_FOLD;
  }
  assert_true(count > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_joined_or_not_the_value_stays, start, table_close),
      cmocka_unit_test_setup_teardown(test_copies, start, table_close),
      cmocka_unit_test_setup_teardown(test_masked_tail, start, table_close),
      cmocka_unit_test_setup_teardown(test_a_tile_apart, start, table_close),
      cmocka_unit_test_setup_teardown(test_a_first_element, start, table_close),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
