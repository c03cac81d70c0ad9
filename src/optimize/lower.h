/* From candidates, whose arrays have named axes, to the text of graphs, whose axes have an order. */
#ifndef ASSAY_OPTIMIZE_LOWER_H
#define ASSAY_OPTIMIZE_LOWER_H

#include "optimize/search.h"

/* How classes are cut: a tile of 0 elements is the whole axis. */
typedef struct Tiling {
  int64_t tile[PROBLEM_MAX_CLASSES];
} Tiling;

/* A block graph that computes the outputs of a part. */
typedef struct LowerPart {
  const Problem *p;
  const SearchCandidate *c;
  Tiling tiling;
} LowerPart;

/* A block for each part. Tensors of the last part's pointwise form that `p` lacks are temporary. */
const char *lower_blocks(Arena *arena, const Problem *p, uint32_t count, const LowerPart *parts, const char *note);
/* One block with a loop for each part that has one. Tensors of the last part's pointwise form that `p` lacks are values
 * of it. */
const char *lower_passes(Arena *arena, const Problem *p, uint32_t count, const LowerPart *parts, const char *note);
/* The problem as it stands, one kernel for each contraction, reduction and output, as values of a candidate. */
SearchCandidate lower_problem(Arena *arena, const Problem *p);
/* True if this value of it has a kernel of its own. */
bool lower_is_kernel(const SearchCandidate *c, const Problem *p, uint32_t value);
const char *lower_operations(Arena *arena, const Problem *p, const SearchCandidate *c, const char *note);

#endif
