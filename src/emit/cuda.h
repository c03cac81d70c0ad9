/* Graphs as CUDA C: a kernel for each block graph, and a launcher; plain, with nothing to install but CUDA. */
#ifndef ASSAY_EMIT_CUDA_H
#define ASSAY_EMIT_CUDA_H

#include "graph/graph.h"

/* One file; NULL where it cannot express the graph, and *why says what. */
const char *emit_cuda_text(Arena *arena, const Graph *graph, const char **why);

#endif
