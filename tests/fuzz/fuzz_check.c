/* Any bytes as the right side of `assay check`: Python source whose function `f` is the reference, or, after a first
 * byte `=`, a formula. The left side is a kernel that is known to lift. There is always a status and a result; nothing
 * crashes, hangs or leaks. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/testing.h"

static const char left_text[] = "module {\n"
                                "  tt.func public @rows(%x_ptr: !tt.ptr<f32>, %out_ptr: !tt.ptr<f32>, %n_cols: i32) {\n"
                                "    %cst = arith.constant dense<0xFF800000> : tensor<64xf32>\n"
                                "    %row = tt.get_program_id x : i32\n"
                                "    %lanes = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n"
                                "    %n = tt.splat %n_cols : i32 -> tensor<64xi32>\n"
                                "    %mask = arith.cmpi slt, %lanes, %n : tensor<64xi32>\n"
                                "    %start = arith.muli %row, %n_cols : i32\n"
                                "    %p = tt.addptr %x_ptr, %start : !tt.ptr<f32>, i32\n"
                                "    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n"
                                "    %px = tt.addptr %ps, %lanes : tensor<64x!tt.ptr<f32>>, tensor<64xi32>\n"
                                "    %x = tt.load %px, %mask, %cst : tensor<64x!tt.ptr<f32>>\n"
                                "    %max = \"tt.reduce\"(%x) <{axis = 0 : i32}> ({\n"
                                "    ^bb0(%a: f32, %b: f32):\n"
                                "      %m = arith.maxnumf %a, %b : f32\n"
                                "      tt.reduce.return %m : f32\n"
                                "    }) : (tensor<64xf32>) -> f32\n"
                                "    %out = tt.addptr %out_ptr, %row : !tt.ptr<f32>, i32\n"
                                "    tt.store %out, %max : !tt.ptr<f32>\n"
                                "    tt.return\n"
                                "  }\n"
                                "}\n";

static void fail(const char *what, const AssayResult *result) {
  fprintf(stderr, "fuzz_check: %s: %s\n", what, result ? assay_result_reason_text(result) : "");
  abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  AssayContext *context;
  AssayResult *result;
  AssayOptions options = ASSAY_OPTIONS_INIT;
  bool formula = size && data[0] == '=';
  AssayInput left = {.path = "left.ttir", .text = left_text, .size = sizeof left_text - 1};
  AssayInput right = {
      .path = formula ? "-e" : "fuzz.py:f", .text = (const char *)data + formula, .size = size - formula};
  options.timeout = 2;
  options.memory = (uint64_t)512 << 20;
  if (assay_context_new(&context) != ASSAY_OK) return 0;
  AssayStatus status = assay_check(&result, context, &left, &right, &options);
  if (!result) fail("no result", NULL);
  if (status == ASSAY_INTERNAL) fail("internal error", result);
  if (!assay_result_json(result) || !assay_result_text(result, ASSAY_COLOR) || !assay_result_diagnostics(result, 0))
    fail("no rendering", result);
  if (status == ASSAY_BAD_INPUT && !assay_result_diagnostic_count(result)) fail("a refusal says why", result);
  assay_result_free(result);
  assay_context_free(context);
  return 0;
}
