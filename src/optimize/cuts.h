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

/* What the parts cost. */
typedef struct CutsCost {
  void *payload;
  uint32_t jobs;                                               /* processes at most */
  const char *(*answer)(const Pointwise *part, void *payload); /* the best kernel for its only output, as a text */
  double (*seconds)(const char *answer, void *payload); /* once for each answer that is used; negative: no kernel */
} CutsCost;

typedef struct Cuts {
  const Pointwise *tensors;       /* those of the formula, then the temporary ones */
  Array(const Pointwise *) parts; /* each with one output, over `tensors`; those that are read come first */
} Cuts;

/* false: it has no parts, or one of them has no kernel. */
bool cuts_find(Arena *arena, const Pointwise *whole, const CutsCost *cost, Cuts *out);

#endif
