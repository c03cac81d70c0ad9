/* The public API: statuses, results, the limits, and every allocation failing once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../rounds.h"
#include "api/testing.h"

static const char add[] = SOURCE_DIR "/tests/cli/data/add.ttir", two[] = SOURCE_DIR "/tests/cli/data/two.ttir";
static const char softmax[] = SOURCE_DIR "/examples/softmax.ttir",
                  online[] = SOURCE_DIR "/tests/fuzz/corpus/lift/softmax_online.ttir";

static AssayContext *new_context(void) {
  AssayContext *context;
  assert_int_equal(assay_context_new(&context), ASSAY_OK);
  return context;
}

static void test_lift(void **state) {
  (void)state;
  AssayContext *context = new_context();
  AssayResult *result;
  AssayInput input = {.path = add};
  assert_int_equal(assay_lift(&result, context, &input, 1, NULL), ASSAY_OK);
  assert_string_equal(assay_result_kernel(result), "add_kernel");
  assert_int_not_equal(assay_result_verdict(result), ASSAY_NONE);
  assert_non_null(strstr(assay_result_json(result), "\"kernel\": \"add_kernel\""));
  assert_non_null(assay_result_text(result, ASSAY_COLOR));
  assert_string_equal(assay_context_message(context), "");
  assay_result_free(result);
  assay_context_free(context);
}

static void test_buffer(void **state) {
  (void)state;
  AssayContext *context = new_context();
  AssayResult *result;
  AssayInput input = {.path = "mine", .text = "not IR at all", .size = 13};
  assert_int_equal(assay_lift(&result, context, &input, 1, NULL), ASSAY_BAD_INPUT);
  assert_int_equal(assay_result_exit_code(result), 3);
  assert_int_equal(assay_result_verdict(result), ASSAY_NONE);
  assert_true(assay_result_diagnostic_count(result) > 0);
  AssayDiagnostic diagnostic;
  assert_int_equal(assay_result_diagnostic(&diagnostic, result, 0), ASSAY_OK);
  assert_string_equal(diagnostic.file, "mine");
  assert_int_equal(assay_result_diagnostic(&diagnostic, result, 1000), ASSAY_USAGE);
  assert_string_not_equal(assay_context_message(context), "");
  assay_context_free(context); /* frees the result */
}

static void test_usage(void **state) {
  (void)state;
  AssayContext *context = new_context();
  AssayResult *result;
  AssayInput input = {.path = two};
  AssayOptions options = ASSAY_OPTIONS_INIT;
  assert_int_equal(assay_lift(&result, context, &input, 1, &options), ASSAY_USAGE);
  assert_int_equal(assay_result_exit_code(result), 64);
  assert_int_equal(assay_lift(&result, context, NULL, 0, &options), ASSAY_USAGE);
  options.version = 99;
  assert_int_equal(assay_lift(&result, context, &input, 1, &options), ASSAY_USAGE);
  assert_null(result);
  assay_context_free(context);
}

/* Two results of two files live side by side, and outlive the reading of a third. */
static void test_lifetimes(void **state) {
  (void)state;
  AssayContext *context = new_context();
  AssayResult *first, *list, *second;
  AssayInput inputs[] = {{.path = add}, {.path = two}};
  assert_int_equal(assay_lift(&first, context, &inputs[0], 1, NULL), ASSAY_OK);
  assert_int_equal(assay_list_kernels(&list, context, &inputs[1], NULL), ASSAY_OK);
  assert_int_equal(assay_result_name_count(list), 2);
  const char *name = assay_result_name(list, 1);
  AssayOptions options = ASSAY_OPTIONS_INIT;
  options.kernels = (AssayStrings){&name, 1};
  assert_int_equal(assay_lift(&second, context, &inputs[1], 1, &options), ASSAY_OK);
  assert_string_equal(assay_result_kernel(second), "second_kernel");
  assert_string_equal(assay_result_kernel(first), "add_kernel");
  assert_non_null(assay_result_json(first));
  assay_result_free(first);
  assay_result_free(list);
  assay_result_free(second);
  assay_context_free(context);
}

static void test_limits(void **state) {
  (void)state;
  AssayContext *context = new_context();
  AssayResult *result;
  AssayInput input = {.path = add};
  AssayOptions options = ASSAY_OPTIONS_INIT;
  options.memory = 1000;
  assert_int_equal(assay_lift(&result, context, &input, 1, &options), ASSAY_MEMORY);
  assert_int_equal(assay_result_verdict(result), ASSAY_UNKNOWN);
  assert_string_equal(assay_result_reason_code(result), "memory");
  assert_int_equal(assay_result_exit_code(result), 2);
  assert_non_null(assay_result_json(result));
  assay_result_free(result);
  /* The context is good for another call. */
  assert_int_equal(assay_lift(&result, context, &input, 1, NULL), ASSAY_OK);
  assay_context_free(context);
}

static AssayStatus lift_or_check(AssayResult **result, AssayContext *context, const AssayInput *input,
                                 const AssayInput *right, const AssayOptions *options) {
  return right ? assay_check(result, context, input, right, options) : assay_lift(result, context, input, 1, options);
}

/* What one allocation that fails leaves: a status, a result that can be shown unless not even that could be made, and
 * nothing when it is freed. Returns whether the call went through, because it has fewer than n allocations. */
static bool lift_with_failure(const AssayInput *input, const AssayInput *right, const AssayOptions *options,
                              uint64_t n) {
  AssayContext *context = new_context();
  AssayResult *result;
  assay_testing_fail_at(context, n);
  AssayStatus status = lift_or_check(&result, context, input, right, options);
  assert_true(status == ASSAY_OK || status == ASSAY_MEMORY);
  assert_true(result || n == 1);
  assay_testing_fail_at(context, 0);
  if (result) {
    assert_non_null(assay_result_json(result));
    assert_non_null(assay_result_text(result, 0));
    if (status == ASSAY_MEMORY) assert_string_equal(assay_result_reason_code(result), "memory");
  }
  assay_result_free(result);
  if (status != ASSAY_OK) assert_int_equal(assay_testing_bytes(context), 0);
  assay_context_free(context);
  return status == ASSAY_OK;
}

/* Allocations of a whole lift, with the sampling, all emitters and the stages that print. */
static uint64_t count_allocations(const AssayInput *input, const AssayInput *right, const AssayOptions *options) {
  AssayContext *context = new_context();
  AssayResult *result;
  assert_int_equal(lift_or_check(&result, context, input, right, options), ASSAY_OK);
  uint64_t count = assay_testing_allocations(context);
  assay_context_free(context);
  return count;
}

/* Each of the first allocations fails once, then enough of the others that the whole takes a second or two; fewer of
 * both in `make check`. A step that shares no factor with powers of two meets every kind of place. */
static void fail_allocations(const char *path, const AssayInput *right, uint64_t first, uint64_t samples) {
  static const char *emitters[] = {"numpy", "pytorch", "text", "latex"};
  AssayInput input = {.path = path};
  AssayOptions options = ASSAY_OPTIONS_INIT;
  if (!right) options.emits = (AssayStrings){emitters, sizeof emitters / sizeof *emitters};
  uint64_t count = count_allocations(&input, right, &options);
  uint64_t one_of = (uint64_t)rounds_step() | 1, step = (count * one_of / samples) | 1;
  assert_true(count > first);
  for (uint64_t n = 1; n <= first; n += one_of) assert_false(lift_with_failure(&input, right, &options, n));
  for (uint64_t n = first + 1; n <= count; n += step) assert_false(lift_with_failure(&input, right, &options, n));
  for (uint64_t n = count - 50; n <= count; n += one_of) assert_false(lift_with_failure(&input, right, &options, n));
  assert_true(lift_with_failure(&input, right, &options, count + 1));
}

static void test_allocation_failures(void **state) {
  (void)state;
  static const char formula[] =
      "out_ptr = exp(x_ptr - max(x_ptr, axis=1)) / sum(exp(x_ptr - max(x_ptr, axis=1)), axis=1)";
  AssayInput right = {.path = "-e", .text = formula, .size = sizeof formula - 1};
  fail_allocations(add, NULL, 600, 300);
  fail_allocations(softmax, NULL, 50, 100);
  fail_allocations(online, NULL, 50, 60);
  fail_allocations(softmax, &right, 50, 100);
}

/* The same for a file that is refused. */
static void test_allocation_failures_of_bad_input(void **state) {
  (void)state;
  static const char *const files[] = {"bad.ttir", "bad.json", "syntax.json", "trace.ndjson"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char path[1000];
    snprintf(path, sizeof path, "%s/tests/cli/data/%s", SOURCE_DIR, files[i]);
    AssayInput input = {.path = path};
    AssayStatus status = ASSAY_MEMORY;
    uint64_t one_of = (uint64_t)rounds_step() | 1;
    for (uint64_t n = 1; status == ASSAY_MEMORY; n += n < 500 ? one_of : 37 * one_of) {
      AssayContext *context = new_context();
      AssayResult *result;
      assay_testing_fail_at(context, n);
      status = assay_lift(&result, context, &input, 1, NULL);
      assay_testing_fail_at(context, 0);
      if (result) assert_non_null(assay_result_json(result));
      assay_context_free(context);
      assert_true(n < 100000);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lift),
      cmocka_unit_test(test_buffer),
      cmocka_unit_test(test_usage),
      cmocka_unit_test(test_lifetimes),
      cmocka_unit_test(test_limits),
      cmocka_unit_test(test_allocation_failures),
      cmocka_unit_test(test_allocation_failures_of_bad_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
