/* Any bytes as MLIR, through the public interface: the reader, the execution of each function, the comparison. A text
 * is compared with itself; of one in the form of tests/mlir/pairs the last part is, and then the first with the last.
 * There is always a status and a result; nothing crashes or hangs; no function is refuted by itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/testing.h"

static void fail(const char *what, const AssayResult *result) {
  fprintf(stderr, "fuzz_mlir: %s: %s\n", what, result ? assay_result_reason_text(result) : "");
  abort();
}

static void check(const AssayInput *left, const AssayInput *right) {
  AssayContext *context;
  AssayResult *result;
  AssayOptions options = ASSAY_OPTIONS_INIT;
  options.timeout = 2;
  options.memory = (uint64_t)512 << 20;
  if (assay_context_new(&context) != ASSAY_OK) return;
  AssayStatus status = assay_check(&result, context, left, right, &options);
  if (!result) fail("no result", NULL);
  if (status == ASSAY_INTERNAL) fail("internal error", result);
  const char *json = assay_result_json(result);
  if (!json || !assay_result_text(result, ASSAY_COLOR) || !assay_result_diagnostics(result, 0))
    fail("no rendering", result);
  if (left == right && strstr(json, "\"verdict\": \"refuted\"")) fail("a function is refuted by itself", result);
  if (status == ASSAY_BAD_INPUT && !assay_result_diagnostic_count(result)) fail("a refusal says why", result);
  assay_result_free(result);
  assay_context_free(context);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char marker[] = "\n// ----- ";
  const char *text = (const char *)data, *end = text + size, *last = text, *first = NULL;
  for (const char *p = text; size && (p = memmem(p, (size_t)(end - p), marker, sizeof marker - 1)); p++)
    first = first ? first : p, last = p + 1;
  AssayInput source = {.path = "source.mlir", .text = text, .size = first ? (size_t)(first + 1 - text) : size};
  AssayInput target = {.path = "target.mlir", .text = last, .size = (size_t)(end - last)};
  check(&target, &target);
  if (first) check(&source, &target);
  return 0;
}
