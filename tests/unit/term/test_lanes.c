/* Sums over lanes of what each has summed up and divided by its count: taken apart or not, the value stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first. */
#include <cmocka.h>

#include <math.h>

#include "base/random.h"
#include "term/term.h"

enum { ROUNDS = 120, SIZES = 14 };

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
  n = term_symbol_range(tt, term_symbol_new(tt, intern_text(&names, "n"), SORT_INT, SYMBOL_SIZE), tt->one, 0);
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
  (void)tensor, (void)count, (void)payload;
  return (TermValue){.real = (double)(random_mix((uint64_t)index[0] + 3) % 13) - 5};
}

static void assert_same(Term t, Term u) {
  Arena *scratch = arena_new_child(&arena);
  TermEval *eval = term_eval_new(tt, scratch, read_element, NULL);
  for (int64_t at = 1; at < SIZES; at++) {
    term_eval_set(eval, n, (TermValue){(double)at, at});
    double a = term_eval(eval, t).real, b = term_eval(eval, u).real;
    if (isfinite(a) && !(fabs(a - b) <= 1e-9 * fmax(1, fabs(a)))) fail_msg("%s\n is not %s\n at n = %d: %g, %g", term_text(tt, t), term_text(tt, u), (int)at, a, b);
  }
  arena_destroy(scratch);
}

static Term index_of(Term hi) { return term_symbol_range(tt, term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), tt->zero, term_sub(tt, hi, tt->one)); }

/* sum[t < q](x[4*t + l]^e) */
static Term of_lane(Term lane, Term q, int64_t e, int64_t step) {
  Term k = index_of(q), at = term_add(tt, term_mul(tt, literal(step), k), lane);
  return term_fold(tt, FOLD_SUM, k, tt->zero, q, tt->true_, term_power(tt, term_read(tt, x, SORT_REAL, 1, &at), rational_int(e)));
}

static Term over(Term a, Term b) { return term_mul(tt, a, term_power(tt, b, rational_int(-1))); }

/* The lanes' count is right or off by one, they are masked or not, and what is put together is a mean, squares around one, or less than that. */
static void test_lanes_put_together(void **state) {
  (void)state;
  uint32_t count = 0;
  for (int i = 0; i < ROUNDS; i++) {
    int64_t off = roll(0, 2) ? 0 : roll(-1, 1), step = roll(0, 5) ? 4 : 3;
    Term lane = index_of(literal(4)), q = term_floordiv(tt, term_sub(tt, term_add(tt, n, literal(3)), lane), literal(4)), c = term_add(tt, q, literal(off));
    Term some = term_lt(tt, roll(0, 4) ? tt->zero : literal(roll(-1, 1)), q), s = of_lane(lane, q, 1, step), squares = of_lane(lane, q, 2, step);
    Term mean = term_select(tt, some, over(s, q), roll(0, 4) ? tt->zero : literal(1)), m2 = term_select(tt, some, term_sub(tt, squares, over(term_power(tt, s, rational_int(2)), q)), tt->zero);
    Term at = tt->zero, whole = over(term_read(tt, x, SORT_REAL, 1, &at), n), body = 0;
    Term apart = term_power(tt, term_sub(tt, mean, whole), rational_int(2));
    switch (roll(0, 3)) {
    case 0: body = term_mul(tt, c, mean); break;
    case 1: body = term_add(tt, m2, term_mul(tt, c, apart)); break;
    case 2: body = term_add(tt, m2, term_mul(tt, c, term_power(tt, mean, rational_int(2)))); break;
    default: body = m2; break;
    }
    Term t = term_fold(tt, FOLD_SUM, lane, tt->zero, literal(4), tt->true_, body), apart_now = term_transform(tt, t, term_merge_tiles, NULL);
    assert_same(t, apart_now);
    count += apart_now != t;
  }
  assert_true(count > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lanes_put_together)};
  return cmocka_run_group_tests(tests, start, stop);
}
