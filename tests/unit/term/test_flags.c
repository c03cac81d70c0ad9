/* Extrema and sums of flags: as any or all, or as they were, the value stays. */
#include "laws/laws.h"
#include "table.h"

enum { ROUNDS = 200, SIZES = 24 };

static Term n, x;

static int start(void **state) {
  table_open(state);
  n = integer("n", SYMBOL_SIZE, tt->zero, 0);
  x = symbol("x", SORT_REAL, SYMBOL_TENSOR);
  return 0;
}

static TermValue read_element(void *payload, Term tensor, uint32_t count, const int64_t *index) {
  (void)tensor, (void)count;
  return (TermValue){.real = (double)(random_mix((uint64_t)index[0] + *(const uint64_t *)payload) % 7)};
}

static void assert_same(Term t, Term u) {
  for (uint64_t seed = 0; seed < 4; seed++) assert_same_values(t, u, n, 0, SIZES, true, read_element, &seed);
}

static Term settle(Term t) {
  for (int i = 0; i < 3; i++) t = term_transform(tt, t, term_merge_tiles, NULL);
  return t;
}

/* any[t](x[4*t + l] < v) of one lane l, or all of it, over the tiles that it has; or one element. */
static Term flag(Term lane, Term v) {
  bool tiles = roll(0, 3), any = roll(0, 1);
  Term hi = term_floordiv(tt, term_sub(tt, term_add(tt, n, literal(3)), lane), literal(4)), k = index_in(tt->zero, hi),
       at = tiles ? term_add(tt, term_scale(tt, rational_int(4), k), lane) : lane;
  Term c = term_lt(tt, read_at(x, at), v);
  if (!tiles) return c;
  if (!any && roll(0, 1)) { /* the bound as a part of what is folded */
    Term most = term_cdiv(tt, n, literal(4));
    k = index_in(tt->zero, most), at = term_add(tt, term_scale(tt, rational_int(4), k), lane);
    return term_fold(tt, FOLD_ALL, k, tt->zero, most, tt->true_,
                     term_or(tt, term_lt(tt, read_at(x, at), v), term_le(tt, n, at)));
  }
  return term_fold(tt, any ? FOLD_ANY : FOLD_ALL, k, tt->zero, hi, tt->true_, c);
}

static void test_flags_of_lanes(void **state) {
  (void)state;
  uint32_t count = 0;
  for (int i = 0; i < ROUNDS; i++) {
    static const TermFoldOp ops[] = {FOLD_MAX, FOLD_MIN, FOLD_SUM};
    TermFoldOp op = ops[roll(0, 2)];
    Term lanes = roll(0, 3) ? literal(4) : n, lane = index_in(tt->zero, lanes), c = flag(lane, literal(roll(0, 6)));
    Term a = literal(op == FOLD_SUM ? roll(1, 3) : roll(-2, 3)), b = op == FOLD_SUM ? tt->zero : literal(roll(-2, 3));
    Term t = term_fold(tt, op, lane, tt->zero, lanes, tt->true_, term_select(tt, c, a, b));
    int how = (int)roll(0, 5);
    if (how == 0) t = term_max(tt, t, b);
    if (how == 1) t = term_min(tt, t, literal(roll(-2, 3)));
    if (how >= 2) {
      Term limit = literal(roll(-1, 3));
      c = how == 2   ? term_lt(tt, t, limit)
          : how == 3 ? term_lt(tt, limit, t)
          : how == 4 ? term_eq(tt, t, limit)
                     : term_le(tt, term_scale(tt, rational_int(2), t), limit);
      t = term_select(tt, c, tt->one, tt->zero);
    }
    Term settled = settle(t);
    assert_same(t, settled);
    count += settled != t;
  }
  assert_true(count > 60);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_flags_of_lanes)};
  return cmocka_run_group_tests(tests, start, table_close);
}
