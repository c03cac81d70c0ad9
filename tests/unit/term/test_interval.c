/* Intervals of what is made of the elements of integer tensors: each value lies inside, and wraps and conditions that
 * they settle are those of the numbers themselves. */
#include "table.h"

enum { ROUNDS = 3000, WORLDS = 20, NODES = 9 };

static Term a, b, n, x, y;

static Term bytes(const char *name, int64_t lo, int64_t hi) {
  return integer(name, SYMBOL_TENSOR, term_int(tt, lo), term_int(tt, hi));
}

static int start(void **state) {
  table_open(state);
  x = bytes("x", -128, 127), y = bytes("y", -32768, 32767);
  n = symbol("n", SORT_INT, SYMBOL_SIZE);
  Term zero = tt->zero;
  a = term_read(tt, x, SORT_INT, 1, &zero), b = term_read(tt, y, SORT_INT, 1, &zero);
  return 0;
}

typedef struct Node {
  int op;
  int64_t number;
  int l, r, p, q;
} Node; /* of a straight line: operands come before */

static Term build(const Node *e, const Term *t) {
  switch (e->op) {
  case 0: return term_int(tt, e->number);
  case 1: return a;
  case 2: return b;
  case 3: return term_add(tt, t[e->l], t[e->r]);
  case 4: return term_sub(tt, t[e->l], t[e->r]);
  case 5: return term_mul(tt, t[e->l], term_int(tt, e->number % 9));
  case 6: return term_floordiv(tt, t[e->l], term_int(tt, 1 + (e->number & 7)));
  case 7: return term_wrap(tt, 8, t[e->l]);
  case 8: return term_wrap(tt, 16, t[e->l]);
  case 9: return term_wrap(tt, 32, t[e->l]);
  case 10: return term_select(tt, term_le(tt, t[e->l], t[e->r]), t[e->p], t[e->q]);
  case 11: return term_min(tt, t[e->l], t[e->r]);
  case 12:
    return term_select(tt, term_lt(tt, t[e->l], tt->zero), term_add(tt, t[e->l], term_int(tt, 256)),
                       t[e->l]); /* unsigned */
  default: return term_max(tt, t[e->l], t[e->r]);
  }
}

static int64_t wrapped(int64_t v, int width) {
  uint64_t mask = (UINT64_C(1) << width) - 1, u = (uint64_t)v & mask;
  return u >> (width - 1) ? (int64_t)(u | ~mask) : (int64_t)u;
}

static int64_t value(const Node *e, const int64_t *v, int64_t one, int64_t other) {
  int64_t d = 1 + (e->number & 7);
  switch (e->op) {
  case 0: return e->number;
  case 1: return one;
  case 2: return other;
  case 3: return v[e->l] + v[e->r];
  case 4: return v[e->l] - v[e->r];
  case 5: return v[e->l] * (e->number % 9);
  case 6: return v[e->l] / d - (v[e->l] % d < 0);
  case 7: return wrapped(v[e->l], 8);
  case 8: return wrapped(v[e->l], 16);
  case 9: return wrapped(v[e->l], 32);
  case 10: return v[e->l] <= v[e->r] ? v[e->p] : v[e->q];
  case 11: return v[e->l] < v[e->r] ? v[e->l] : v[e->r];
  case 12: return v[e->l] < 0 ? v[e->l] + 256 : v[e->l];
  default: return v[e->l] > v[e->r] ? v[e->l] : v[e->r];
  }
}

static TermValue read_element(void *payload, Term tensor, uint32_t count, const int64_t *index) {
  const int64_t *world = payload;
  (void)index, (void)count;
  int64_t v = tensor == x ? world[0] : world[1];
  return (TermValue){(double)v, v};
}

static void test_values_lie_inside(void **state) {
  (void)state;
  int known = 0;
  for (int round = 0; round < ROUNDS; round++) {
    table_close(NULL), start(NULL);
    Node e[NODES];
    Term t[NODES];
    int count = (int)roll(3, NODES);
    for (int i = 0; i < count; i++) {
      e[i] = (Node){.op = i < 2 ? i + 1 : (int)roll(0, 13), .number = roll(-300, 300)};
      if (i)
        e[i].l = (int)roll(0, i - 1), e[i].r = (int)roll(0, i - 1), e[i].p = (int)roll(0, i - 1),
        e[i].q = (int)roll(0, i - 1);
      t[i] = build(&e[i], t);
    }
    Int128 lo, hi;
    bool found = term_interval(tt, t[count - 1], &lo, &hi);
    known += found;
    for (int w = 0; w < WORLDS; w++) {
      int64_t world[2] = {roll(0, 3)   ? roll(-128, 127)
                          : roll(0, 1) ? -128
                                       : 127,
                          roll(0, 3) ? roll(-300, 300) : roll(-32768, 32767)},
              v[NODES];
      for (int i = 0; i < count; i++) v[i] = value(&e[i], v, world[0], world[1]);
      TermEval *eval = term_eval_new(tt, &arena, read_element, world);
      assert_int_equal(term_eval(eval, t[count - 1]).integer, v[count - 1]);
      if (found) assert_true(lo <= v[count - 1] && v[count - 1] <= hi);
    }
  }
  assert_true(known > ROUNDS / 2);
}

static void test_what_is_settled(void **state) {
  (void)state;
  Term sum = term_add(tt, a, b),
       unsigned_byte = term_select(tt, term_lt(tt, a, tt->zero), term_add(tt, a, term_int(tt, 256)), a);
  assert_int_equal(term_wrap(tt, 32, sum), sum);
  assert_int_not_equal(term_wrap(tt, 16, sum), sum); /* 127 + 32767 */
  assert_int_not_equal(term_wrap(tt, 8, term_sub(tt, a, tt->one)), term_sub(tt, a, tt->one));
  assert_int_equal(term_lt(tt, unsigned_byte, tt->zero), tt->false_);
  assert_int_equal(term_le(tt, unsigned_byte, term_int(tt, 255)), tt->true_);
  assert_int_not_equal(term_le(tt, unsigned_byte, term_int(tt, 254)), tt->true_);
  Term third = term_floordiv(tt, unsigned_byte, term_int(tt, 3)),
       half = term_floordiv(tt, unsigned_byte, term_int(tt, 2));
  assert_int_equal(term_wrap(tt, 8, third), third);
  assert_int_equal(term_wrap(tt, 8, half), half); /* 127 */
  assert_int_not_equal(term_wrap(tt, 8, unsigned_byte), unsigned_byte);
  Int128 lo, hi;
  assert_false(term_interval(tt, term_add(tt, a, n), &lo, &hi)); /* a size is range.c's */
}

static void test_counts(void **state) {
  (void)state;
  Term k = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), hundred = term_int(tt, 100);
  term_symbol_range(tt, k, tt->zero, term_int(tt, 99));
  Term positive = term_lt(tt, tt->zero, term_read(tt, x, SORT_INT, 1, &k));
  Term count = term_fold(tt, FOLD_SUM, k, tt->zero, hundred, positive, tt->one),
       sum = term_fold(tt, FOLD_SUM, k, tt->zero, hundred, tt->true_, term_read(tt, x, SORT_INT, 1, &k));
  assert_int_equal(term_wrap(tt, 8, count), count);
  assert_int_equal(term_wrap(tt, 32, sum), sum);
  assert_int_equal(term_wrap(tt, 16, sum), sum); /* -12800 .. 12700 */
  assert_int_not_equal(term_wrap(tt, 8, sum), sum);
  Term open = term_fold(tt, FOLD_SUM, k, tt->zero, n, positive, tt->one);
  assert_int_not_equal(term_wrap(tt, 32, open), open);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_values_lie_inside, start, table_close),
                                     cmocka_unit_test_setup_teardown(test_what_is_settled, start, table_close),
                                     cmocka_unit_test_setup_teardown(test_counts, start, table_close)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
