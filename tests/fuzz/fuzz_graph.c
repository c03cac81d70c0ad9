/* Any bytes as a graph, in our notation or in Mirage's JSON: a meaning, or diagnostics with a place, within limits.
 * Nothing may crash, hang or leak. */
#include "emit/cuda.h"
#include "emit/svg.h"
#include "emit/triton.h"
#include "front/front.h"
#include "graph/graph.h"
#include "text.h"

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

static void run_text(Arena *arena, char *text, size_t size) {
  InternTable names;
  DiagnosticList diagnostics;
  const char *why;
  intern_init(&names, arena);
  diagnostic_list_init(&diagnostics, arena);
  Source *source = source_new(arena, "fuzz", text, size);
  if (front_is_mirage(source)) {
    source = translated(arena, source, &diagnostics);
    if (!source && !diagnostics.error_count) fail("a refusal says why", NULL);
    if (!source) return;
    if (!graph_is_one(source)) fail("what is translated is a graph", source->text);
  }
  if (!graph_is_one(source)) return;
  Graph *graph = graph_read(arena, term_table_new(arena, &names), source, &diagnostics);
  show(arena, &diagnostics);
  if (!graph && !diagnostics.error_count) fail("a refusal says why", NULL);
  if (!graph) return;
  if (!graph->pointwise->outputs.count) fail("a graph without outputs", NULL);
  const char *code = emit_triton_text(arena, graph, &why);
  if (!code && !why) fail("no code, and no reason", NULL);
  code = emit_cuda_text(arena, graph, &why);
  if (!code && !why) fail("no code, and no reason", NULL);
  if (!emit_svg_text(arena, graph, source)) fail("no picture", NULL);
}
