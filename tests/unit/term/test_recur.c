/* Recurrences: what is made again, peeled, printed or left out keeps its value; what is not the same is another term.
 */
#include "table.h"
#include "term/import.h"

static Term n, x, k, s, u, v;

static Term value_of_loop(const char *name) {
  return term_read(tt, term_symbol_fresh(tt, name, SORT_REAL, SYMBOL_CARRY), SORT_REAL, 0, NULL);
}

static int start(void **state) {
  table_open(state);
  n = integer("n", SYMBOL_SIZE, tt->zero, 0);
  x = symbol("x", SORT_REAL, SYMBOL_TENSOR);
  k = integer("j", SYMBOL_INDEX, tt->zero, term_sub(tt, n, tt->one));
  s = value_of_loop("a"), u = value_of_loop("b"), v = value_of_loop("c");
  return 0;
}

static TermValue read_element(void *payload, Term tensor, uint32_t count, const int64_t *index) {
  (void)payload, (void)count;
  return (TermValue){.real = (double)(random_mix((uint64_t)index[0] * 3 + tensor) % 97) / 30 - 1.5};
}

static Term element(Term index) { return read_at(x, index); }

static double value(Term t, int64_t steps) {
  TermEval *eval = term_eval_new(tt, &arena, read_element, NULL);
  term_eval_set(eval, n, (TermValue){(double)steps, steps});
  return term_eval(eval, t).real;
}

/* s, u := clip(s + x[k]), s*u + k */
static Term pair(uint32_t which, Term steps) {
  Term next[] = {term_min(tt, tt->one, term_max(tt, tt->minus_one, term_add(tt, s, element(k)))),
                 term_add(tt, term_mul(tt, s, u), k)};
  return term_recur(tt, 2, which, k, steps, (Term[]){tt->zero, tt->one}, next, (Term[]){s, u});
}

static void test_value(void **state) {
  (void)state;
  for (int64_t steps = 0; steps < 9; steps++) {
    double a = 0, b = 1;
    for (int64_t i = 0; i < steps; i++) {
      double c = fmin(1, fmax(-1, a + read_element(NULL, x, 1, &i).real));
      b = a * b + (double)i, a = c;
    }
    assert_true(value(pair(0, n), steps) == a);
    assert_true(value(pair(1, n), steps) == b);
  }
}

static void test_equal_ones_are_one_term(void **state) {
  (void)state;
  Term a = value_of_loop("other"), j = index_in(tt->zero, n);
  Term first = term_recur(tt, 1, 0, k, n, &tt->zero, (Term[]){term_add(tt, term_mul(tt, s, s), element(k))}, &s);
  Term other = term_recur(tt, 1, 0, j, n, &tt->zero, (Term[]){term_add(tt, term_mul(tt, a, a), element(j))}, &a);
  assert_true(first == other);
  assert_true(term_rebuild(tt, first) == first && term_rebuild(tt, pair(1, n)) == pair(1, n));
  assert_true(first !=
              term_recur(tt, 1, 0, k, n, &tt->one, (Term[]){term_add(tt, term_mul(tt, s, s), element(k))}, &s));
  assert_true(first != term_recur(tt, 1, 0, k, term_add(tt, n, tt->one), &tt->zero,
                                  (Term[]){term_add(tt, term_mul(tt, s, s), element(k))}, &s));
  assert_true(pair(0, n) != pair(1, n));
}

/* What the value does not depend on is left out: the first of the pair is a recurrence of one value. */
static void test_left_out(void **state) {
  (void)state;
  assert_int_equal(term_recur_count(tt, pair(0, n)), 1);
  assert_int_equal(term_recur_count(tt, pair(1, n)), 2);
  assert_true(term_recur(tt, 1, 0, k, n, &tt->one, &s, &s) == tt->one);
  assert_true(pair(1, tt->zero) == tt->one);
  Term next[] = {term_add(tt, s, u), u};
  Term fixed = term_recur(tt, 2, 0, k, n, (Term[]){tt->zero, element(tt->zero)}, next, (Term[]){s, u});
  assert_int_equal(term_recur_count(tt, fixed), 1);
  double at = 0;
  for (int i = 0; i < 4; i++) at += value(element(tt->zero), 0);
  assert_true(fabs(value(fixed, 4) - at) < 1e-12);
}

/* After n + 1 steps it is a step of what it is after n; of three values that hang together in a ring, too. */
static Term integer_of_loop(const char *name) {
  return term_read(tt, term_symbol_fresh(tt, name, SORT_INT, SYMBOL_CARRY), SORT_INT, 0, NULL);
}

/* a, b := b, a + b: from 0 and 0 they stay, as neither does alone; from 0 and 1 they do not. */
static void test_numbers_that_stay(void **state) {
  (void)state;
  Term a = integer_of_loop("a"), b = integer_of_loop("b"), next[] = {b, term_add(tt, a, b)};
  for (uint32_t which = 0; which < 2; which++) {
    assert_true(term_recur(tt, 2, which, k, n, (Term[]){tt->zero, tt->zero}, next, (Term[]){a, b}) == tt->zero);
    assert_true(term_kind(tt, term_recur(tt, 2, which, k, n, (Term[]){tt->zero, tt->one}, next, (Term[]){a, b})) ==
                TERM_RECUR);
  }
  next[1] = term_add(tt, a, k); /* not in each step */
  assert_true(term_recur(tt, 2, 1, k, n, (Term[]){tt->zero, tt->zero}, next, (Term[]){a, b}) != tt->zero);
}

static void test_peeled(void **state) {
  (void)state;
  Term more = term_add(tt, n, tt->one), longer = term_sub(tt, more, tt->one);
  term_symbol_range(tt, k, tt->zero, longer);
  for (uint32_t which = 0; which < 3; which++) {
    Term next[] = {term_fn1(tt, FN_SIN, v), term_add(tt, s, element(k)), term_mul(tt, u, u)}, state3[] = {s, u, v},
         init[] = {tt->zero, tt->one, tt->one};
    Term after = term_recur(tt, 3, which, k, more, init, next, state3), peeled = term_recur_peel(tt, after),
         step = next[which];
    term_symbol_range(tt, k, tt->zero, term_sub(tt, n, tt->one));
    Term from[] = {s, u, v, k}, to[4] = {0, 0, 0, n};
    for (uint32_t i = 0; i < 3; i++) to[i] = term_recur(tt, 3, i, k, n, init, next, state3);
    assert_true(peeled == term_substitute(tt, step, (TermMap){4, from, to}));
    for (int64_t steps = 0; steps < 5; steps++) assert_true(value(after, steps) == value(peeled, steps));
    assert_true(peeled != to[which]);
    term_symbol_range(tt, k, tt->zero, longer);
  }
  term_symbol_range(tt, k, tt->zero, term_sub(tt, n, tt->one));
}

static void test_finite(void **state) {
  (void)state;
  Term clipped = pair(0, n),
       from_nothing = term_recur(tt, 1, 0, k, n, &tt->neg_inf, (Term[]){term_max(tt, s, element(k))}, &s);
  assert_true(term_is_finite(tt, clipped));
  assert_false(term_is_finite(tt, from_nothing));
  Term lost =
      term_recur(tt, 1, 0, k, n, &tt->zero, (Term[]){term_select(tt, term_le(tt, s, element(k)), tt->inf, s)}, &s);
  assert_false(term_is_finite(tt, lost));
}

/* A fold around a recurrence, one inside, and the elements before the indices: nothing is captured. */
static void test_nested(void **state) {
  (void)state;
  Term t = term_symbol_range(tt, term_symbol_fresh(tt, "t", SORT_INT, SYMBOL_INDEX), tt->zero, k);
  Term below = term_fold(tt, FOLD_SUM, t, tt->zero, term_add(tt, k, tt->one), tt->true_, term_mul(tt, element(t), s));
  Term inner = term_recur(tt, 1, 0, k, n, &tt->one, &below, &s);
  Term m = index_in(tt->zero, n);
  Term all = term_fold(tt, FOLD_SUM, m, tt->zero, n, tt->true_, term_replace(tt, inner, n, m));
  for (int64_t steps = 0; steps < 6; steps++) {
    double total = 0;
    for (int64_t i = 0; i < steps; i++) {
      double a = 1;
      for (int64_t q = 0; q < i; q++) {
        double sum = 0;
        for (int64_t p = 0; p <= q; p++) sum += read_element(NULL, x, 1, &p).real * a;
        a = sum;
      }
      total += a;
    }
    assert_true(fabs(value(all, steps) - total) < 1e-9);
  }
  assert_true(term_rebuild(tt, all) == all);
  assert_string_equal(term_text(tt, inner), "recur[k2 < n, s2](1, sum[k < k2 + 1](s2*x[k]))");
}

/* A maximum over tiles is finite where each tile has elements, whichever it is, and total too; not where one may have
 * none. */
static void test_tiles_that_have_elements(void **state) {
  (void)state;
  for (int first = 1; first >= 0; first--) {
    Term more = term_add(tt, n, tt->one),
         t = term_symbol_range(tt, term_symbol_fresh(tt, "t", SORT_INT, SYMBOL_INDEX), tt->zero, n);
    Term size = term_min(tt, term_int(tt, 32), term_add(tt, term_mul(tt, term_int(tt, 32), t), term_int(tt, first)));
    Term i = index_in(tt->zero, size);
    Term tile = term_fold(tt, FOLD_MAX, i, tt->zero, size, tt->true_, element(term_add(tt, i, term_mul(tt, t, n))));
    Term all = term_fold(tt, FOLD_MIN, t, tt->zero, more, tt->true_, tile);
    assert_true(term_is_finite(tt, all) == (first > 0));
    assert_true(term_is_total(tt, all) == (first > 0));
  }
}

/* ---- arrays ---- */

enum { LENGTH = 4 };

static Term i, c;

/* The array s at an index. */
static Term array_at(Term array, Term index) { return term_read(tt, term_arg(tt, array, 0), SORT_REAL, 1, &index); }

static int start_arrays(void **state) {
  start(state);
  i = integer("i", SYMBOL_INDEX, tt->zero, term_int(tt, LENGTH - 1));
  c = integer("c", SYMBOL_SIZE, tt->zero, term_int(tt, LENGTH - 1));
  return 0;
}

/* s[i] := x[k + i] + 0.5*s[LENGTH - 1 - i], or of s[i], from s[i] = i, at c. */
static Term array(Term steps, bool reversed) {
  Term carried = term_read(tt, term_symbol_fresh(tt, "array", SORT_REAL, SYMBOL_CARRY), SORT_REAL, 1, &i),
       index = reversed ? term_sub(tt, term_int(tt, LENGTH - 1), i) : i;
  Term half = term_scale(tt, (Rational){1, 2}, array_at(carried, index)),
       next = term_add(tt, element(term_add(tt, k, i)), half);
  RecurParts p = {.n = 1, .index = k, .steps = steps, .lanes = 1};
  p.init[0] = i, p.next[0] = next, p.state[0] = carried;
  p.lane[0] = i, p.extent[0] = term_int(tt, LENGTH), p.at[0] = c;
  return term_recur_of(tt, p);
}

static double array_value(Term t, int64_t steps, int64_t at) {
  TermEval *eval = term_eval_new(tt, &arena, read_element, NULL);
  term_eval_set(eval, n, (TermValue){(double)steps, steps});
  term_eval_set(eval, c, (TermValue){(double)at, at});
  return term_eval(eval, t).real;
}

static double array_expected(int64_t steps, int64_t at, bool reversed) {
  double now[LENGTH], next[LENGTH];
  for (int64_t q = 0; q < LENGTH; q++) now[q] = (double)q;
  for (int64_t p = 0; p < steps; p++) {
    for (int64_t q = 0; q < LENGTH; q++) {
      int64_t place = p + q;
      next[q] = read_element(NULL, x, 1, &place).real + 0.5 * now[reversed ? LENGTH - 1 - q : q];
    }
    for (int64_t q = 0; q < LENGTH; q++) now[q] = next[q];
  }
  return now[at];
}

/* Where a step reads another lane, the recurrence is one of arrays; where it does not, of the element alone. */
static void test_array(void **state) {
  (void)state;
  assert_true(array(n, true) == array(n, true)); /* of other symbols */
  for (int reversed = 0; reversed < 2; reversed++) {
    Term t = array(n, reversed);
    assert_int_equal(term_recur_lanes(tt, t), reversed);
    for (int64_t steps = 0; steps < 5; steps++)
      for (int64_t at = 0; at < LENGTH; at++)
        assert_true(array_value(t, steps, at) == array_expected(steps, at, reversed));
  }
}

/* A sum over where it is read, with a fold below; a step more is a step of it; text, copies. */
static void test_array_rewritten(void **state) {
  (void)state;
  Term t = array(n, true), at = index_in(tt->zero, term_int(tt, LENGTH));
  Term all = term_fold(tt, FOLD_SUM, at, tt->zero, term_int(tt, LENGTH), tt->true_, term_replace(tt, t, c, at));
  assert_true(term_rebuild(tt, t) == t && term_rebuild(tt, all) == all);
  Term more = term_add(tt, n, tt->one), after = term_replace(tt, t, n, more), peeled = term_recur_peel(tt, after);
  assert_true(peeled != after && term_has_symbol(tt, peeled, x));
  for (int64_t steps = 0; steps < 5; steps++) {
    double sum = 0;
    for (int64_t q = 0; q < LENGTH; q++) {
      sum += array_expected(steps, q, true);
      assert_true(array_value(peeled, steps, q) == array_expected(steps + 1, q, true));
    }
    assert_true(fabs(array_value(all, steps, 0) - sum) < 1e-12);
  }
  assert_string_equal(term_text(tt, t), "recur[k < n, k2 < 4, s[k2]](k2, 0.5*s[3 - k2] + x[k + k2])[c]");
  TermTable *there = term_table_new(&arena, tt->names);
  assert_string_equal(term_text(there, importer_term(importer_new(&arena, there, tt), t)), term_text(tt, t));
  assert_true(term_is_finite(tt, t));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_value, start, table_close),
                                     cmocka_unit_test_setup_teardown(test_equal_ones_are_one_term, start, table_close),
                                     cmocka_unit_test_setup_teardown(test_left_out, start, table_close),
                                     cmocka_unit_test_setup_teardown(test_numbers_that_stay, start, table_close),
                                     cmocka_unit_test_setup_teardown(test_peeled, start, table_close),
                                     cmocka_unit_test_setup_teardown(test_finite, start, table_close),
                                     cmocka_unit_test_setup_teardown(test_nested, start, table_close),
                                     cmocka_unit_test_setup_teardown(test_tiles_that_have_elements, start, table_close),
                                     cmocka_unit_test_setup_teardown(test_array, start_arrays, table_close),
                                     cmocka_unit_test_setup_teardown(test_array_rewritten, start_arrays, table_close)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
