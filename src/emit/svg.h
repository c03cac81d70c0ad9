/* A picture of a graph: tensors, kernels, blocks, loops, maps and shapes (docs/graph.md). */
#ifndef ASSAY_EMIT_SVG_H
#define ASSAY_EMIT_SVG_H

#include "graph/graph.h"

/* `source`: the text that the graph was read from, whose lines are the labels. */
const char *emit_svg_text(Arena *arena, const Graph *graph, const Source *source);

#endif
