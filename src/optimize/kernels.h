/* Programs of two kernels that are made from candidates of one.
 *
 * A problem is cut at a value: one kernel computes it, the other one reads it. And a loop is split into parts: its
 * accumulators are the same over each part, by blocks of their own, as partial results; the next kernel combines them
 * (split-K, and split-KV where a running maximum rescales), and goes on with what stands behind the loop. */
#ifndef ASSAY_OPTIMIZE_KERNELS_H
#define ASSAY_OPTIMIZE_KERNELS_H

#include "optimize/lower.h"

enum { KERNELS_MAX_PARTS = 64 };

/* The tensors of `p`'s pointwise form with room for temporary ones. */
Pointwise *kernels_tensors(Arena *arena, const Problem *p);
/* A new contiguous tensor like that, with a symbol and a name of its own: its number. */
uint32_t kernels_add_tensor(Pointwise *all, const Problem *p, PointwiseTensor like);
/* A new temporary tensor with these classes: `first` (or PROBLEM_NONE), then those of the outputs in their order. Where
 * it lacks one of `places`, its axis has length 1. */
ProblemOutput kernels_add_temporary(Pointwise *all, const Problem *p, uint32_t node, ClassSet classes, ClassSet places,
                                    uint8_t first);
/* `a` with its loop cut into parts of `part` elements, then what combines them and goes on as `b` does with `a`'s only
 * output, its tensor `joint`; b NULL: as `a` itself does behind its loop. false: there is nothing to split. */
bool kernels_split(Arena *arena, const LowerPart *a, const LowerPart *b, uint32_t joint, int64_t part,
                   LowerPart out[2]);
/* `a` with its loop cut into parts whose blocks add to the outputs, by atomics; false: these are no sums over the loop,
 * or of a type in which sums of many parts are rough. */
bool kernels_add_parts(Arena *arena, const LowerPart *a, int64_t part, LowerPart *out);

#endif
