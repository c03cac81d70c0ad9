/* Any bytes as a graph, in our notation or in Mirage's JSON: a meaning, or diagnostics with a place, within limits.
 * Nothing may crash, hang or leak. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit/cuda.h"
#include "emit/svg.h"
#include "emit/triton.h"
#include "front/front.h"
#include "graph/graph.h"

static void fail(const char *what, const char *input) {
  fprintf(stderr, "%s\nfuzz_graph: %s\n", input, what);
  abort();
}

/* The first graph of a file as text; NULL after diagnostics. */
static Source *translated(Arena *arena, Source *source, DiagnosticList *diagnostics) {
  static const char *const first[] = {"0"};
  AssayOptions options = ASSAY_OPTIONS_INIT;
  Front front;
  options.kernels = (AssayStrings){first, 1};
  front_init(&front, arena, diagnostics, &options);
  Source *text = front_read_mirage(&front, arena, source);
  front_close(&front);
  return text;
}

static void read_graph(Arena *arena, const char *text, size_t size) {
  InternTable names;
  DiagnosticList diagnostics;
  const char *why;
  intern_init(&names, arena);
  diagnostic_list_init(&diagnostics, arena);
  Source *source = source_new(arena, "fuzz", text, size);
  if (front_is_mirage(source)) {
    source = translated(arena, source, &diagnostics);
    if (!source && !diagnostics.error_count) fail("a refusal says why", text);
    if (!source) return;
    if (!graph_is_one(source)) fail("what is translated is a graph", source->text);
  }
  if (!graph_is_one(source)) return;
  Graph *graph = graph_read(arena, term_table_new(arena, &names), source, &diagnostics);
  Text shown = text_new(arena);
  for (uint32_t i = 0; i < diagnostics.items.count; i++)
    diagnostic_render(&diagnostics.items.data[i], arena, &shown, i & 1);
  if (!graph && !diagnostics.error_count) fail("a refusal says why", text);
  if (!graph) return;
  if (!graph->pointwise->outputs.count) fail("a graph without outputs", text);
  const char *code = emit_triton_text(arena, graph, "fuzz", &why);
  if (!code && !why) fail("no code, and no reason", text);
  code = emit_cuda_text(arena, graph, &why);
  if (!code && !why) fail("no code, and no reason", text);
  if (!emit_svg_text(arena, graph, source)) fail("no picture", text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static Guard guard;
  static Arena arena;
  char *text = malloc(size + 1);
  if (!text) return 0;
  memcpy(text, data, size);
  text[size] = 0;
  guard_init(&guard, (size_t)256 << 20, 5);
  arena_init(&arena, &guard);
  if (!setjmp(guard.escape))
    read_graph(&arena, text, size);
  else if (guard.reason == GUARD_INTERNAL)
    fail(guard.message, text);
  arena_destroy(&arena);
  if (guard.bytes) fail("memory is kept", text);
  free(text);
  return 0;
}
