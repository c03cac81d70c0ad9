/* Launches in sequence: pointwise forms as texts, composed, and what is left of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sequence/sequence.h"
#include "read/formula/formula.h"

typedef struct Fixture {
  Guard guard;
  Arena arena;
  InternTable names;
  TermTable *tt;
  DiagnosticList diagnostics;
  Pointwise sizes; /* what all texts may use */
  Sequence sequence;
  Pointwise result;
  ReasonCode code;
  const char *text;
} Fixture;

static Fixture f;

static void start(void) {
  memset(&f, 0, sizeof f);
  guard_init(&f.guard, 0, 0);
  arena_init(&f.arena, &f.guard);
  intern_init(&f.names, &f.arena);
  f.tt = term_table_new(&f.arena, &f.names);
  diagnostic_list_init(&f.diagnostics, &f.arena);
  f.sizes = (Pointwise){.tt = f.tt, .kernel = "sizes"};
  f.sequence = (Sequence){.arena = &f.arena, .tt = f.tt};
  static const char *const names[] = {"n", "m"};
  for (int i = 0; i < 2; i++) {
    Term s = term_symbol_new(f.tt, intern_text(&f.names, names[i]), SORT_INT, SYMBOL_SIZE);
    term_symbol_range(f.tt, s, f.tt->one, term_int(f.tt, INT32_MAX));
    array_push(&f.arena, &f.sizes.scalars, (PointwiseScalar){s, names[i], "i32", NULL, false});
  }
}

static uint32_t tensor_named(const char *name) {
  for (uint32_t i = 0; i < f.sequence.tensors.count; i++)
    if (!strcmp(f.sequence.tensors.data[i].view.name, name)) return i;
  return SEQUENCE_UNUSED;
}

/* A launch, as `--stop-after pointwise` prints one. Tensors of one name are one; the first launch tells how it is seen.
 */
static void launch(const char *text) {
  const Source *source = source_new(&f.arena, "launch", text, strlen(text));
  Formula *formula = formula_read(&f.arena, f.tt, source, &f.sizes, &f.diagnostics);
  assert_non_null(formula);
  const Pointwise *p = formula->pointwise;
  uint32_t *tensor = arena_array(&f.arena, uint32_t, p->tensors.count + 1);
  Term *offset = arena_array(&f.arena, Term, p->tensors.count + 1);
  for (uint32_t i = 0; i < p->tensors.count; i++) {
    tensor[i] = tensor_named(p->tensors.data[i].name), offset[i] = f.tt->zero;
    if (tensor[i] != SEQUENCE_UNUSED) continue;
    PointwiseTensor view = p->tensors.data[i];
    view.symbol = term_symbol_new(f.tt, intern_text(&f.names, view.name), view.sort, SYMBOL_TENSOR);
    tensor[i] = f.sequence.tensors.count;
    array_push(&f.arena, &f.sequence.tensors, (SequenceTensor){.view = view, .temporary = view.name[0] == 't'});
  }
  array_push(&f.arena, &f.sequence.steps, (SequenceStep){p, tensor, offset});
}

static bool compose(void) { return sequence_compose(&f.sequence, &f.result, &f.code, &f.text); }

static void expect_output(const char *name, const char *value, const char *region) {
  for (uint32_t i = 0; i < f.result.outputs.count; i++) {
    const PointwiseOutput *output = &f.result.outputs.data[i];
    if (strcmp(f.result.tensors.data[output->tensor].name, name)) continue;
    const PointwisePiece *last = &output->pieces.data[output->pieces.count - 1];
    assert_string_equal(term_text(f.tt, last->value), value);
    assert_string_equal(term_text(f.tt, last->region), region);
    return;
  }
  fail_msg("no output %s", name);
}

static void expect_input(const char *name, bool is_one) {
  bool found = false;
  for (uint32_t i = 0; i < f.result.tensors.count; i++)
    found |= !strcmp(f.result.tensors.data[i].name, name) && f.result.tensors.data[i].is_read;
  assert_int_equal(found, is_one);
}

static void finish(void) { arena_destroy(&f.arena); }

static void test_a_temporary_disappears(void **state) {
  (void)state;
  start();
  launch("pointwise a\ntensor x: f32[n] strides [1]\ntensor t: f32[n] strides [1]\nt[i] = x[i] + 1\n");
  launch("pointwise b\ntensor t: f32[n] strides [1]\ntensor y: f32[n] strides [1]\ny[i] = 2*t[i]\n");
  assert_true(compose());
  assert_int_equal(f.result.outputs.count, 1);
  expect_output("y", "2*(x[i] + 1)", "true");
  expect_input("x", true);
  expect_input("t", false);
  finish();
}

static void test_two_stages_of_a_sum_are_one(void **state) {
  (void)state;
  start();
  launch("pointwise a\ntensor x: f32[n] strides [1]\ntensor t: f32[(n + 15) // 16] strides [1]\n"
         "t[i] = sum[k < min(16, n - 16*i)](x[16*i + k])\n");
  launch(
      "pointwise b\ntensor t: f32[(n + 15) // 16] strides [1]\ntensor y: f32[]\ny[] = sum[k < (n + 15) // 16](t[k])\n");
  assert_true(compose());
  expect_output("y", "sum[k < n](x[k])", "true");
  finish();
}

static void test_what_was_not_written_is_as_before(void **state) {
  (void)state;
  start();
  launch("pointwise a\ntensor x: f32[n] strides [1]\ntensor u: f32[n] strides [1]\nu[i] = x[i] for i < m\n");
  launch("pointwise b\ntensor u: f32[n] strides [1]\ntensor y: f32[n] strides [1]\ny[i] = u[i]\n");
  assert_true(compose());
  expect_output("u", "x[i]", "i < m");
  expect_output("y", "where(i < m, x[i], u[i])", "true");
  expect_input("u", true);
  finish();
}

static void test_in_place_twice(void **state) {
  (void)state;
  start();
  launch("pointwise a\ntensor x: f32[n] strides [1]\nx[i] = 2*x[i]\n");
  launch("pointwise b\ntensor x: f32[n] strides [1]\nx[i] = x[i] + 1\n");
  assert_true(compose());
  expect_output("x", "2*x[i] + 1", "true");
  assert_int_equal(f.result.outputs.data[0].pieces.count, 1); /* the second covers the first */
  finish();
}

static void test_the_last_launch_wins(void **state) {
  (void)state;
  start();
  launch("pointwise a\ntensor x: f32[n] strides [1]\ntensor y: f32[n] strides [1]\ny[i] = x[i]\n");
  launch("pointwise b\ntensor y: f32[n] strides [1]\ny[i] = 0 for i < m\n");
  assert_true(compose());
  assert_int_equal(f.result.outputs.data[0].pieces.count, 2);
  expect_output("y", "0", "i < m");
  finish();
}

static void test_an_atomic_adds_to_what_a_launch_left(void **state) {
  (void)state;
  start();
  launch("pointwise a\ntensor y: f32[]\ny[] = 0\n");
  launch("pointwise b\ntensor x: f32[n] strides [1]\ntensor y: f32[]\ny[] += sum[k < n](x[k])\n");
  assert_true(compose());
  expect_output("y", "sum[k < n](x[k])", "true");
  assert_int_equal(f.result.outputs.data[0].pieces.data[0].accumulate, 0);
  expect_input("y", false);
  finish();
}

static void test_memory_of_integers_wraps(void **state) {
  (void)state;
  start();
  launch("pointwise a\ntensor x: i32[n] strides [1]\ntensor y: i32[n] strides [1]\ny[i] += x[i]\n");
  launch("pointwise b\ntensor z: i32[n] strides [1]\ntensor y: i32[n] strides [1]\ny[i] += z[i]\n");
  launch("pointwise c\ntensor y: i32[n] strides [1]\ntensor o: i64[n] strides [1]\no[i] = y[i]\n");
  assert_true(compose());
  expect_output("y", "wrap32(x[i] + y[i] + z[i])", "true");
  expect_output("o", "wrap32(x[i] + y[i] + z[i])", "true");
  finish();
  start();
  launch("pointwise a\ntensor y: i32[n] strides [1]\ny[i] = where(i < m, 1, 2)\n");
  launch("pointwise b\ntensor y: i32[n] strides [1]\ny[i] += 3\n");
  assert_true(compose());
  expect_output("y", "where(i < m, 1, 2) + 3", "true"); /* which fits */
  finish();
}

static void test_views_meet_by_address(void **state) {
  (void)state;
  start();
  launch(
      "pointwise a\ntensor x: f32[n, 8] strides [8, 1]\ntensor t: f32[n, 8] strides [8, 1]\nt[i, j] = x[i, j] + 1\n");
  launch("pointwise b\ntensor t: f32[8*n] strides [1]\ntensor y: f32[n] strides [1]\ny[i] = t[8*i + 3]\n");
  bool good = compose();
  if (good)
    expect_output("y", "x[i, 3] + 1", "true");
  else
    assert_int_equal(f.code, REASON_VIEWS); /* not known, but never wrong */
  finish();
}

static void test_beyond_a_row_is_not_another_element(void **state) {
  (void)state;
  start();
  launch("pointwise a\ntensor x: f32[n, m] strides [m, 1]\ntensor t: f32[n, m] strides [m, 1]\nt[i, j] = x[i, j]\n");
  launch("pointwise b\ntensor t: f32[n, m] strides [m, 1]\ntensor y: f32[n] strides [1]\ny[i] = t[i, m]\n"); /* t[i + 1,
                                                                                                                0] */
  assert_false(compose());
  assert_int_equal(f.code, REASON_VIEWS);
  finish();
}

static void test_strides_that_do_not_fit(void **state) {
  (void)state;
  start();
  launch("pointwise a\ntensor x: f32[n, m] strides [m, 1]\ntensor t: f32[n, m] strides [m, 1]\nt[i, j] = x[i, j]\n");
  launch("pointwise b\ntensor t: f32[m, n] strides [n, 1]\ntensor y: f32[m, n] strides [n, 1]\ny[i, j] = t[i, j]\n");
  assert_true(compose());
  expect_output("y", "x[(i*n + j) // m, (i*n + j) % m]", "true");
  finish();
}

static void test_between_rows_is_what_was_there_before(void **state) {
  (void)state;
  start();
  launch("pointwise a\ntensor x: f32[n, 3] strides [3, 1]\ntensor t: f32[n, 3] strides [4, 1]\nt[i, j] = x[i, j]\n");
  launch("pointwise b\ntensor t: f32[4*n] strides [1]\ntensor y: f32[4*n] strides [1]\ny[i] = t[i]\n");
  assert_false(compose()); /* no index of t, as the first launch sees it */
  assert_int_equal(f.code, REASON_VIEWS);
  finish();
}

static void test_rows_that_may_overlap_have_no_digits(void **state) {
  (void)state;
  start();
  launch(
      "pointwise a\ntensor x: f32[n, m] strides [m, 1]\ntensor t: f32[n, m + 1] strides [m, 1]\nt[i, j] = x[i, j]\n");
  launch("pointwise b\ntensor t: f32[m*n] strides [1]\ntensor y: f32[m*n] strides [1]\ny[i] = t[i]\n");
  assert_false(compose());
  assert_int_equal(f.code, REASON_VIEWS);
  finish();
}

static void test_infinite_partials_are_noticed(void **state) {
  (void)state;
  start();
  launch(
      "pointwise a\ntensor x: f32[n] strides [1]\ntensor t: f32[m] strides [1]\nt[i] = max[k < n - i](x[k])\n"); /* may
                                                                                                                    be
                                                                                                                    of
                                                                                                                    nothing
                                                                                                                  */
  launch("pointwise b\ntensor t: f32[m] strides [1]\ntensor y: f32[m] strides [1]\ny[i] = t[i]\n");
  assert_true(compose());
  assert_true(f.sequence.tensors.data[tensor_named("t")].is_infinite);
  finish();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_temporary_disappears),
      cmocka_unit_test(test_two_stages_of_a_sum_are_one),
      cmocka_unit_test(test_what_was_not_written_is_as_before),
      cmocka_unit_test(test_in_place_twice),
      cmocka_unit_test(test_the_last_launch_wins),
      cmocka_unit_test(test_an_atomic_adds_to_what_a_launch_left),
      cmocka_unit_test(test_memory_of_integers_wraps),
      cmocka_unit_test(test_views_meet_by_address),
      cmocka_unit_test(test_beyond_a_row_is_not_another_element),
      cmocka_unit_test(test_strides_that_do_not_fit),
      cmocka_unit_test(test_between_rows_is_what_was_there_before),
      cmocka_unit_test(test_rows_that_may_overlap_have_no_digits),
      cmocka_unit_test(test_infinite_partials_are_noticed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
