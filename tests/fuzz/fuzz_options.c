/* Any lines as options of a lift: `s` shape, `t` strides, `g` grid, `=` set, `a` assume, `l` alias, `r` strict, `w`
 * allow, `e` emit, `k` kernel, each with the rest of its line. The kernel is always the same. There is always a status
 * and a result; nothing crashes, hangs or leaks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/testing.h"

enum { MOST = 8 };

static const char kernel[] =
    "module {\n"
    "  tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %stride: i32, %n: i32, %eps: f32) {\n"
    "    %row = tt.get_program_id x : i32\n"
    "    %lanes = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>\n"
    "    %limit = tt.splat %n : i32 -> tensor<16xi32>\n"
    "    %mask = arith.cmpi slt, %lanes, %limit : tensor<16xi32>\n"
    "    %start = arith.muli %row, %stride : i32\n"
    "    %p = tt.addptr %x, %start : !tt.ptr<f32>, i32\n"
    "    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>\n"
    "    %px = tt.addptr %ps, %lanes : tensor<16x!tt.ptr<f32>>, tensor<16xi32>\n"
    "    %v = tt.load %px, %mask : tensor<16x!tt.ptr<f32>>\n"
    "    %e = tt.splat %eps : f32 -> tensor<16xf32>\n"
    "    %sum = arith.addf %v, %e : tensor<16xf32>\n"
    "    %q = tt.addptr %y, %start : !tt.ptr<f32>, i32\n"
    "    %qs = tt.splat %q : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>\n"
    "    %py = tt.addptr %qs, %lanes : tensor<16x!tt.ptr<f32>>, tensor<16xi32>\n"
    "    tt.store %py, %sum, %mask : tensor<16x!tt.ptr<f32>>\n"
    "    tt.return\n"
    "  }\n"
    "}\n";

typedef struct Words {
  const char *data[MOST];
  size_t count;
} Words;

static void fail(const char *what, const AssayResult *result) {
  fprintf(stderr, "fuzz_options: %s: %s\n", what, result ? assay_result_reason_text(result) : "");
  abort();
}

static void add(Words *words, const char *word) {
  if (words->count < MOST) words->data[words->count++] = word;
}

static AssayStrings strings(Words *words) { return (AssayStrings){words->data, words->count}; }

static void lift(const AssayOptions *options) {
  AssayContext *context;
  AssayResult *result;
  AssayInput input = {.path = "fuzz.ttir", .text = kernel, .size = sizeof kernel - 1};
  if (assay_context_new(&context) != ASSAY_OK) return;
  AssayStatus status = assay_lift(&result, context, &input, 1, options);
  if (!result) fail("no result", NULL);
  if (status == ASSAY_INTERNAL) fail("internal error", result);
  if (!assay_result_json(result) || !assay_result_text(result, 0) || !assay_result_diagnostics(result, 0))
    fail("no rendering", result);
  assay_result_free(result);
  assay_context_free(context);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  AssayOptions options = ASSAY_OPTIONS_INIT;
  Words shapes = {0}, strides = {0}, sets = {0}, assumes = {0}, aliases = {0}, strict = {0}, allow = {0}, emits = {0},
        kernels = {0};
  char *text = malloc(size + 1), *rest = text;
  if (!text) return 0;
  memcpy(text, data, size);
  text[size] = 0;
  for (char *line; (line = strsep(&rest, "\n"));) {
    switch (*line) {
    case 's': add(&shapes, line + 1); break;
    case 't': add(&strides, line + 1); break;
    case 'g': options.grid = line + 1; break;
    case '=': add(&sets, line + 1); break;
    case 'a': add(&assumes, line + 1); break;
    case 'l': add(&aliases, line + 1); break;
    case 'r': add(&strict, line + 1); break;
    case 'w': add(&allow, line + 1); break;
    case 'e': add(&emits, line + 1); break;
    case 'k': add(&kernels, line + 1); break;
    case 'p': options.no_prove = 1; break;
    default: break;
    }
  }
  options.shapes = strings(&shapes), options.strides = strings(&strides), options.sets = strings(&sets);
  options.assumes = strings(&assumes), options.aliases = strings(&aliases), options.strict = strings(&strict);
  options.allow = strings(&allow), options.emits = strings(&emits), options.kernels = strings(&kernels);
  options.timeout = 2;
  options.memory = (uint64_t)512 << 20;
  lift(&options);
  free(text);
  return 0;
}
