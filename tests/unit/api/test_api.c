/* The public API: statuses, results, the limits, and every allocation failing once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "api/testing.h"

static const char add[] = SOURCE_DIR "/tests/cli/data/add.ttir", two[] = SOURCE_DIR "/tests/cli/data/two.ttir";

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

/* Each allocation fails once: there is a status, a result that can be shown unless not even that could be made, and
 * nothing is kept when it is freed. */
static void test_allocation_failures(void **state) {
  (void)state;
  AssayInput input = {.path = add};
  AssayStatus status = ASSAY_MEMORY;
  uint64_t n = 1;
  for (; status != ASSAY_OK && n < 100000; n++) {
    AssayContext *context = new_context();
    AssayResult *result;
    assay_testing_fail_at(context, n);
    status = assay_lift(&result, context, &input, 1, NULL);
    assert_true(status == ASSAY_OK || status == ASSAY_MEMORY);
    assert_true(result || n == 1);
    assay_testing_fail_at(context, 0);
    if (result) assert_non_null(assay_result_json(result));
    assay_result_free(result);
    if (status != ASSAY_OK) assert_int_equal(assay_testing_bytes(context), 0);
    assay_context_free(context);
  }
  assert_true(n > 3);
  assert_int_equal(status, ASSAY_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lift),      cmocka_unit_test(test_buffer), cmocka_unit_test(test_usage),
      cmocka_unit_test(test_lifetimes), cmocka_unit_test(test_limits), cmocka_unit_test(test_allocation_failures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
