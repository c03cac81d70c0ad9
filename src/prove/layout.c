/* Places of elements (see layout.h). */
#include "prove/layout.h"

/* From the first to the last element of axes from `first` on, but for one. */
static Term span_of(TermTable *tt, const PointwiseTensor *t, uint32_t first, uint32_t but) {
  Term span = tt->zero;
  for (uint32_t i = first; i < t->rank; i++)
    if (i != but) span = term_add(tt, span, term_mul(tt, t->stride[i], term_sub(tt, t->extent[i], tt->one)));
  return span;
}

Term layout_places(TermTable *tt, const PointwiseTensor *t) {
  return term_add(tt, span_of(tt, t, 0, t->rank), tt->one);
}

bool layout_separates(TermTable *tt, const PointwiseTensor *t) {
  PointwiseTensor rest = *t;
  while (rest.rank) {
    uint32_t outer = 0;
    while (outer < rest.rank && rest.extent[outer] != tt->one &&
           !term_prove_lt(tt, span_of(tt, &rest, 0, outer), rest.stride[outer]))
      outer++;
    if (outer == rest.rank) return false;
    rest.rank--;
    for (uint32_t i = outer; i < rest.rank; i++)
      rest.extent[i] = rest.extent[i + 1], rest.stride[i] = rest.stride[i + 1];
  }
  return true;
}

bool layout_overlaps(TermTable *tt, const PointwiseTensor *t) {
  for (uint32_t k = 0; k + 1 < t->rank; k++)
    if (!term_prove_le(tt, t->extent[k], tt->one) && term_prove_le(tt, t->stride[k], span_of(tt, t, k + 1, k)))
      return true;
  return false;
}

bool layout_is_literal(const TermTable *tt, const PointwiseTensor *t) {
  for (uint32_t k = 0; k < t->rank; k++)
    if (!term_is_rat(tt, t->stride[k])) return false;
  return true;
}

/* The condition is on the axes inside even where this one may have a single element: a place in such a tensor is cut
 * into rows by its literal strides, and a longer row would be cut as several. */
Term layout_bound(TermTable *tt, const PointwiseTensor *t, uint32_t axis) {
  Term span = tt->zero, stride = t->stride[axis];
  if (!layout_is_literal(tt, t) || t->extent[axis] == tt->one) return 0;
  for (uint32_t i = 0; i < t->rank; i++) {
    bool inside = i > axis ? term_prove_le(tt, t->stride[i], stride) : term_prove_lt(tt, t->stride[i], stride);
    if (i != axis && inside) span = term_add(tt, span, term_mul(tt, t->stride[i], term_sub(tt, t->extent[i], tt->one)));
  }
  return term_prove_lt(tt, span, stride) ? 0 : term_le(tt, term_add(tt, span, tt->one), stride);
}
