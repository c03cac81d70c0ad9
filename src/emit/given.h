/* Emitted code takes the arrays of the launch as they are: where a row-major array of a launch has other axes than the
 * tensor of the form, it is reshaped, and cut where rows are longer than what is read of them. */
#ifndef ASSAY_EMIT_GIVEN_H
#define ASSAY_EMIT_GIVEN_H

#include "lift/pointwise.h"

typedef struct GivenReshape {
  const char *test; /* that it is the launch's array, and not one of the tensor's shape */
  const char
      *shape; /* "(-1, 4, 16)", of `name`; NULL: what the test tells has the tensor's rank, and is not the tensor */
  const char *cut;    /* "[:, :, :8]", or "": nothing is cut off */
  bool is_itself;     /* it is the tensor as it is, longer than what is read of it */
  bool has_more_rows; /* its first axis is longer than the form's, which is a size */
  bool asks_sizes;    /* `test` and `shape` have sizes in them that `GivenSizes` wrote */
} GivenReshape;

/* How the code writes a length that is computed of sizes; NULL: they are not known where arrays are taken. */
typedef struct GivenSizes {
  const char *(*text)(void *payload, Term length);
  void *payload;
} GivenSizes;

/* False: the array has the tensor's shape, or none that can be told from it, or it is no reshape that other sizes would
 * have too. */
bool given_reshape(Arena *arena, TermTable *tt, const PointwiseTensor *tensor, const char *name, GivenSizes sizes,
                   GivenReshape *out);

/* True if the axis of the launch's array is longer than what is read of it, which sizes say. */
bool given_is_longer(TermTable *tt, const PointwiseTensor *tensor, uint32_t axis);

#endif
