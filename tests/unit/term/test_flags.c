/* Extrema and sums of flags: as any or all, or as they were, the value stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first. */
#include <cmocka.h>

#include <math.h>

#include "base/random.h"
#include "term/term.h"

enum { ROUNDS = 200, SIZES = 24 };

static Guard guard;
static Arena arena;
static InternTable names;
static TermTable *tt;
static Term n, x;
static Random dice;

static int start(void **state) {
  (void)state;
  guard_init(&guard, 0, 0);
  arena_init(&arena, &guard);
  intern_init(&names, &arena);
  tt = term_table_new(&arena, &names);
  n = term_symbol_range(tt, term_symbol_new(tt, intern_text(&names, "n"), SORT_INT, SYMBOL_SIZE), tt->zero, 0);
  x = term_symbol_new(tt, intern_text(&names, "x"), SORT_REAL, SYMBOL_TENSOR);
  return 0;
}

static int stop(void **state) {
  (void)state;
  arena_destroy(&arena);
  return 0;
}

static Term literal(int64_t k) { return term_int(tt, k); }
static int64_t roll(int64_t lo, int64_t hi) { return lo + (int64_t)random_below(&dice, (uint64_t)(hi - lo + 1)); }

static TermValue read_element(void *payload, Term tensor, uint32_t count, const int64_t *index) {
  (void)tensor, (void)count;
  return (TermValue){.real = (double)(random_mix((uint64_t)index[0] + *(const uint64_t *)payload) % 7)};
}

static void assert_same(Term t, Term u) {
  for (uint64_t seed = 0; seed < 4; seed++) {
    Arena *scratch = arena_new_child(&arena);
    TermEval *eval = term_eval_new(tt, scratch, read_element, &seed);
    for (int64_t at = 0; at < SIZES; at++) {
      term_eval_set(eval, n, (TermValue){(double)at, at});
      double a = term_eval(eval, t).real, b = term_eval(eval, u).real;
      if (a != b && !(isnan(a) && isnan(b))) fail_msg("%s\n is not %s\n at n = %d: %g, %g", term_text(tt, t), term_text(tt, u), (int)at, a, b);
    }
    arena_destroy(scratch);
  }
}

static Term settle(Term t) {
  for (int i = 0; i < 3; i++) t = term_transform(tt, t, term_merge_tiles, NULL);
  return t;
}

static Term index_of(Term hi) { return term_symbol_range(tt, term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), tt->zero, term_sub(tt, hi, tt->one)); }

/* any[t](x[4*t + l] < v) of one lane l, or all of it, over the tiles that it has; or one element. */
static Term flag(Term lane, Term v) {
  bool tiles = roll(0, 3), any = roll(0, 1);
  Term hi = term_floordiv(tt, term_sub(tt, term_add(tt, n, literal(3)), lane), literal(4)), k = index_of(hi), at = tiles ? term_add(tt, term_scale(tt, rational_int(4), k), lane) : lane;
  Term c = term_lt(tt, term_read(tt, x, SORT_REAL, 1, &at), v);
  if (!tiles) return c;
  if (!any && roll(0, 1)) { /* the bound as a part of what is folded */
    Term most = term_cdiv(tt, n, literal(4));
    k = index_of(most), at = term_add(tt, term_scale(tt, rational_int(4), k), lane);
    return term_fold(tt, FOLD_ALL, k, tt->zero, most, tt->true_, term_or(tt, term_lt(tt, term_read(tt, x, SORT_REAL, 1, &at), v), term_le(tt, n, at)));
  }
  return term_fold(tt, any ? FOLD_ANY : FOLD_ALL, k, tt->zero, hi, tt->true_, c);
}

static void test_flags_of_lanes(void **state) {
  (void)state;
  uint32_t count = 0;
  for (int i = 0; i < ROUNDS; i++) {
    static const TermFoldOp ops[] = {FOLD_MAX, FOLD_MIN, FOLD_SUM};
    TermFoldOp op = ops[roll(0, 2)];
    Term lanes = roll(0, 3) ? literal(4) : n, lane = index_of(lanes), c = flag(lane, literal(roll(0, 6)));
    Term a = literal(op == FOLD_SUM ? roll(1, 3) : roll(-2, 3)), b = op == FOLD_SUM ? tt->zero : literal(roll(-2, 3));
    Term t = term_fold(tt, op, lane, tt->zero, lanes, tt->true_, term_select(tt, c, a, b));
    int how = (int)roll(0, 5);
    if (how == 0) t = term_max(tt, t, b);
    if (how == 1) t = term_min(tt, t, literal(roll(-2, 3)));
    if (how >= 2) {
      Term limit = literal(roll(-1, 3));
      c = how == 2 ? term_lt(tt, t, limit) : how == 3 ? term_lt(tt, limit, t) : how == 4 ? term_eq(tt, t, limit) : term_le(tt, term_scale(tt, rational_int(2), t), limit);
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
  return cmocka_run_group_tests(tests, start, stop);
}
