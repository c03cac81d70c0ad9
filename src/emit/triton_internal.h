/* Shared by the files of the Triton emitter. */
#ifndef ASSAY_EMIT_TRITON_INTERNAL_H
#define ASSAY_EMIT_TRITON_INTERNAL_H

#include "emit/integers.h"
#include "emit/triton.h"

/* An extent of values in the code. */
typedef struct TritonDim {
  Term extent;
  const char *size, *mask; /* lanes: a power of two; mask NULL: all of them are elements */
  int64_t least;           /* lanes at least */
  bool is_parameter;       /* size is a constexpr of the kernel */
} TritonDim;

typedef struct TritonValue {
  const char *text;
  uint32_t rank;
  Term dims[TENSOR_MAX_RANK]; /* those that are not 1 */
  uint32_t zero;              /* bits: along which of them padding is 0 */
  const char *raw;            /* its type in memory, if it is as it was loaded */
} TritonValue;

typedef struct TritonBound {
  const TensorExpr *e;
  TritonValue value;
} TritonBound;

typedef struct Triton {
  Arena *arena;
  TermTable *tt;
  const Graph *graph;
  Text out;
  const char *indent;
  Array(TritonDim) dims;
  Array(Term) multiplied; /* extents of products of the kernel (triton_mark_products) */
  Array(TritonDim) tiled; /* axes that tiles are put together to, whose lanes are whole tiles */
  Array(TritonBound) bounds;
  const char *unsupported;
  int64_t widest; /* elements of the largest tile that has a name, as far as they are known */
} Triton;

/* Marks rows, terms and columns of the products of `e`: what of them is no tile has 16 lanes at least, as tl.dot asks.
 */
void triton_mark_products(Triton *w, const TensorExpr *e);
/* The dimension of that extent; those of tiles are made before (triton_module.c). The pointer is good until the next.
 */
TritonDim *triton_dim(Triton *w, Term extent);
TritonValue triton_value(Triton *w, const TensorExpr *e);
TritonValue triton_float(Triton *w, TritonValue v);
/* A size or a place. */
const char *triton_integer(Triton *w, Term t);
const char *triton_bare(Triton *w, const char *text);
const char *triton_spread(Triton *w, TritonValue v, const TensorExpr *from, const TensorExpr *to);
const char *triton_spread_to(Triton *w, TritonValue v, const TensorExpr *from, uint32_t rank, const Term *shape);

#endif
