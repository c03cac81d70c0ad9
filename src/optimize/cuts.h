/* Programs beyond one search, in parts.
 *
 * The formula is cut at its products, reductions and norms: each is a temporary tensor, and what is between them is
 * computed by whoever needs it. Then a temporary goes into those that read it, one after the other, as long as that
 * costs less and each part has a kernel: norms go into the products behind them, scores into the attention. Parts have
 * axes of their own, so that an array may be rows of one and columns of the next. */
#ifndef ASSAY_OPTIMIZE_CUTS_H
#define ASSAY_OPTIMIZE_CUTS_H

#include "lift/pointwise.h"
#include "tensor/tensor.h"

enum { CUTS_MOST = 40 };

/* Seconds of the best kernel for the only output; negative: none is found. */
typedef double (*CutsCost)(const Pointwise *part, void *payload);

typedef struct Cuts {
  const Pointwise *tensors;       /* those of the formula, then the temporary ones */
  Array(const Pointwise *) parts; /* each with one output, over `tensors`; those that are read come first */
} Cuts;

/* false: it has no parts, or one of them has no kernel. */
bool cuts_find(Arena *arena, const Pointwise *whole, CutsCost cost, void *payload, Cuts *out);

#endif
