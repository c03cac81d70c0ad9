/* Has each element of a tensor a place of its own, by its strides and extents? */
#ifndef ASSAY_PROVE_LAYOUT_H
#define ASSAY_PROVE_LAYOUT_H

#include "lift/pointwise.h"

/* From the first element to the last one, if strides are not negative. */
Term layout_places(TermTable *tt, const PointwiseTensor *t);
/* Shown under the facts at hand, axis by axis, from the one that steps over all of the others. */
bool layout_separates(TermTable *tt, const PointwiseTensor *t);
/* Do rows overlap by their lengths, whatever the sizes are? Then that they do not is nothing to assume: it would mean
 * one row. */
bool layout_overlaps(TermTable *tt, const PointwiseTensor *t);

#endif
