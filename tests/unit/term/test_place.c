/* The least place of an extremum: with the arg max or without it the value stays; and what is one, in range, is written
 * so. */
#include "table.h"

enum { ROUNDS = 400, SIZES = 20 };

static Term n, x;

static int start(void **state) {
  table_open(state);
  n = integer("n", SYMBOL_SIZE, tt->one, 0);
  x = symbol("x", SORT_REAL, SYMBOL_TENSOR);
  return 0;
}

static double element(int64_t at) { return (double)(random_mix((uint64_t)at + 11) % 5) - 2; } /* many are equal */

static TermValue read_element(void *payload, Term tensor, uint32_t count, const int64_t *index) {
  (void)payload, (void)tensor, (void)count;
  return (TermValue){.real = element(index[0])};
}

/* min[first <= l < last](where(l < bound and scale*x[l] == max[first <= k < most](scale*x[k]), from + l, otherwise)),
 * or the min */
typedef struct Written {
  int64_t first, last, from, scale;
  bool max, by_size, of_all; /* bound: n; most: all of the lanes */
  Term otherwise;
} Written;

static Term write(const Written *w) {
  Term k = term_symbol_range(tt, term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), term_int(tt, w->first),
                             term_int(tt, w->last - 1));
  Term f = term_scale(tt, rational_int(w->scale), read_at(x, k)), lo = term_int(tt, w->first),
       hi = term_int(tt, w->last);
  Term most = w->by_size && !w->of_all ? term_min(tt, hi, n) : hi;
  Term best = term_fold(tt, w->max ? FOLD_MAX : FOLD_MIN, k, lo, most, tt->true_, f), is = term_eq(tt, f, best);
  if (w->by_size) is = term_and(tt, is, term_lt(tt, k, n));
  Term place = term_add(tt, k, term_int(tt, w->from));
  Term body =
      roll(0, 1) ? term_select(tt, is, place, w->otherwise) : term_select(tt, term_not(tt, is), w->otherwise, place);
  return term_fold(tt, FOLD_MIN, k, lo, hi, tt->true_, body);
}

static int64_t count_out(const Written *w, int64_t size, int64_t otherwise) {
  int64_t most = w->by_size && !w->of_all && size < w->last ? size : w->last, found = INT64_MAX;
  double best = 0;
  for (int64_t k = w->first; k < most; k++) {
    double v = (double)w->scale * element(k);
    if (k == w->first || (w->max ? v > best : v < best)) best = v;
  }
  for (int64_t l = w->first; l < w->last; l++) {
    bool is = (!w->by_size || l < size) && (double)w->scale * element(l) == best && most > w->first;
    int64_t value = is ? w->from + l : otherwise;
    if (value < found) found = value;
  }
  return found;
}

static bool has_place(Term t) {
  if (term_kind(tt, t) == TERM_FOLD && (term_aux(tt, t) == FOLD_ARGMAX || term_aux(tt, t) == FOLD_ARGMIN)) return true;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (has_place(term_arg(tt, t, i))) return true;
  return false;
}

static void test_written_or_not_the_value_stays(void **state) {
  (void)state;
  int written = 0;
  dice = (Random){5};
  for (int round = 0; round < ROUNDS; round++) {
    static const int64_t scales[] = {1, 2, -3};
    Written w = {.first = roll(0, 1) * roll(0, 3),
                 .from = roll(-9, 9),
                 .scale = scales[roll(0, 2)],
                 .max = roll(0, 1),
                 .by_size = roll(0, 1),
                 .of_all = !roll(0, 3)};
    w.last = w.first + roll(1, 9);
    int64_t literal = roll(-12, 20);
    w.otherwise = w.by_size && roll(0, 1) ? term_add(tt, n, term_int(tt, literal)) : term_int(tt, literal);
    Term t = write(&w);
    written += has_place(t);
    Arena *scratch = arena_new_child(&arena);
    TermEval *eval = term_eval_new(tt, scratch, read_element, NULL);
    for (int64_t size = 1; size < SIZES; size++) {
      term_eval_set(eval, n, (TermValue){(double)size, size});
      int64_t otherwise = term_is_rat(tt, w.otherwise) ? literal : size + literal,
              wanted = count_out(&w, size, otherwise), got = term_eval(eval, t).integer;
      if (got != wanted) fail_msg("%s\n at n = %d: %d, not %d", term_text(tt, t), (int)size, (int)got, (int)wanted);
    }
    arena_destroy(scratch);
  }
  assert_true(written > ROUNDS / 20);
}

static void test_what_is_a_place_and_what_is_none(void **state) {
  (void)state;
  dice = (Random){6};
  Written w = {.last = 8, .scale = 1, .max = true, .otherwise = term_int(tt, 8)};
  assert_true(has_place(write(&w)));
  w.otherwise = term_int(tt, 6); /* below the last place */
  assert_false(has_place(write(&w)));
  w = (Written){.last = 8, .scale = 1, .max = false, .by_size = true, .otherwise = n};
  assert_true(has_place(write(&w)));
  w.of_all = true; /* equal to the least of more lanes than are asked */
  assert_false(has_place(write(&w)));
  w = (Written){.first = 2,
                .last = 8,
                .scale = 1,
                .max = true,
                .by_size = true,
                .otherwise = n}; /* none of the lanes may be below n */
  assert_false(has_place(write(&w)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_written_or_not_the_value_stays, start, table_close),
      cmocka_unit_test_setup_teardown(test_what_is_a_place_and_what_is_none, start, table_close),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
