/* Graphs as Triton: a kernel for each block graph, and a host function with the keywords of the NumPy module. */
#ifndef ASSAY_EMIT_TRITON_H
#define ASSAY_EMIT_TRITON_H

#include "graph/graph.h"

/* A Python module; NULL where Triton cannot express the graph, and *why says what. */
const char *emit_triton_text(Arena *arena, const Graph *graph, const char **why);

#endif
