/* Any bytes as an input of the library: operation files, traces, programs. Files that it names lie beside the tests of
 * the command line. Whatever it is, there is a result, its
 * renderings exist, and everything is given back. */
#include <stdlib.h>

#include "api/testing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  AssayContext *context;
  AssayResult *result;
  AssayOptions options = ASSAY_OPTIONS_INIT;
  AssayInput input = {.path = SOURCE_DIR "/tests/cli/data/fuzz.json", .text = (const char *)data, .size = size};
  options.timeout = 5;
  options.memory = (uint64_t)256 << 20;
  options.no_prove = 1;
  if (assay_context_new(&context) != ASSAY_OK) return 0;
  AssayStatus status = assay_list_kernels(&result, context, &input, &options);
  if (!result || !assay_result_json(result)) abort();
  /* Programs have a target of their own; here only what wraps them is wanted. */
  if (status == ASSAY_OK && !assay_result_name_count(result)) {
    assay_result_free(result);
    assay_lift(&result, context, &input, 1, &options);
    if (!result || !assay_result_json(result) || !assay_result_text(result, ASSAY_COLOR)) abort();
    if (!assay_result_diagnostics(result, 0) || !assay_result_row(result, 0)) abort();
  }
  assay_result_free(result);
  assay_context_free(context);
  return 0;
}
