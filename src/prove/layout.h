/* Tells whether each element of a tensor has a place of its own, by its strides and extents. */
#ifndef ASSAY_PROVE_LAYOUT_H
#define ASSAY_PROVE_LAYOUT_H

#include "lift/pointwise.h"

/* From the first element to the last one, if strides are not negative. */
Term layout_places(TermTable *tt, const PointwiseTensor *t);
/* Shown under the facts at hand, axis by axis, from the one that steps over all of the others. */
bool layout_separates(TermTable *tt, const PointwiseTensor *t);
/* True if rows overlap by their lengths, whatever the sizes are. Then that they do not is nothing to assume: it would
 * mean one row. */
bool layout_overlaps(TermTable *tt, const PointwiseTensor *t);
/* Where the stride of that axis and the smaller ones are literals, that elements do not overlap bounds sizes: the
 * condition that is still to be shown of the axes inside. 0: none, or strides are no literals. */
Term layout_bound(TermTable *tt, const PointwiseTensor *t, uint32_t axis);
/* True if these conditions say it all: each stride is a literal. */
bool layout_is_literal(const TermTable *tt, const PointwiseTensor *t);

#endif
