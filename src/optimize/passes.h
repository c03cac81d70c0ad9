/* Block graphs with several loops over one axis: a softmax whose rows fit no block reads them twice.
 *
 * An axis that is reduced and written too cannot be cut by a loop alone: what is written needs what the loop has
 * accumulated. In passes, each with a loop of its own, a later one reads the tiles again, and has what earlier ones
 * accumulated as values of the block. */
#ifndef ASSAY_OPTIMIZE_PASSES_H
#define ASSAY_OPTIMIZE_PASSES_H

#include "optimize/field.h"
#include "optimize/lower.h"

enum { PASSES_MOST = 4 };

/* The passes over that class, in their order, each as the formula is written; 0: there are none. Tensors that the
 * pointwise form of `p` lacks stand for values of the block. */
uint32_t passes_find(Arena *arena, const Problem *p, const Field *field, uint8_t axis, LowerPart out[PASSES_MOST]);
/* In two parts: a loop over that class, whose tiles of products and reductions over others are put together to whole
 * arrays, and what is made of these without a loop. The formula's products are computed once, where passes compute them
 * in each. */
bool passes_gather(Arena *arena, const Problem *p, const Field *field, uint8_t axis, LowerPart out[2]);

#endif
