/* Any bytes as a kernel to lift, through the public interface: the whole pipeline with random evaluation, every
 * emitter and every rendering. There is always a status and a result; nothing crashes, hangs or leaks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/testing.h"

static void fail(const char *what, const AssayResult *result) {
  fprintf(stderr, "fuzz_lift: %s: %s\n", what, result ? assay_result_reason_text(result) : "");
  abort();
}

static void check(AssayContext *context, AssayResult *result, AssayStatus status) {
  if (!result) fail("no result", NULL);
  if (status == ASSAY_INTERNAL) fail("internal error", result);
  if (!assay_result_json(result) || !assay_result_text(result, ASSAY_COLOR)) fail("no rendering", result);
  if (!assay_result_diagnostics(result, 0) || !assay_result_row(result, 0)) fail("no rendering", result);
  if (status == ASSAY_BAD_INPUT && (assay_result_exit_code(result) != 3 || !assay_result_diagnostic_count(result)))
    fail("a refusal says why", result);
  assay_result_free(result);
  if (status != ASSAY_OK && status != ASSAY_BAD_INPUT && status != ASSAY_USAGE && assay_testing_bytes(context))
    fail("memory is kept", NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *emitters[] = {"numpy", "pytorch", "text", "latex"};
  static const char *const stages[] = {NULL, NULL, NULL, "program", "pointwise", "tensor"};
  AssayContext *context;
  AssayResult *result;
  AssayOptions options = ASSAY_OPTIONS_INIT;
  AssayInput input = {.path = "fuzz.ttir", .text = (const char *)data, .size = size};
  options.timeout = 2;
  options.memory = (uint64_t)512 << 20;
  options.emits = (AssayStrings){emitters, sizeof emitters / sizeof *emitters};
  options.stop_after = stages[size % 6];
  options.stats = 1;
  if (size && data[0] == '{') return 0; /* operation files have a target of their own, and read other files */
  if (assay_context_new(&context) != ASSAY_OK) return 0;
  AssayStatus status = assay_lift(&result, context, &input, 1, &options);
  check(context, result, status);
  assay_context_free(context);
  return 0;
}
