/* Places that are read from memory: x[i, t[i]].
 *
 * Nothing is claimed where such a place is outside of its tensor. So the left's element may be taken as 0 there, which
 * the sum over an axis of the elements whose position is t[i] is. */
#include "compare/compare.h"

static Term checked(TermTable *tt, Term t, void *payload) {
  const CompareTensors *tensors = payload;
  const PointwiseTensor *of = NULL;
  Term inside = tt->true_;
  if (term_kind(tt, t) != TERM_READ) return t;
  for (uint32_t i = 0; i < tensors->count && !of; i++)
    if (tensors->data[i].symbol == term_arg(tt, t, 0)) of = &tensors->data[i];
  for (uint32_t k = 0; of && term_count(tt, t) == of->rank + 1 && k < of->rank; k++) {
    Term at = term_arg(tt, t, k + 1);
    if (!(term_node(tt, at)->flags & TERM_HAS_READ)) continue;
    inside = term_and(tt, inside, term_and(tt, term_le(tt, tt->zero, at), term_lt(tt, at, of->extent[k])));
  }
  return term_sort(tt, t) == SORT_BOOL ? t : term_select(tt, inside, t, tt->zero);
}

Term compare_checked_places(TermTable *tt, const CompareTensors *tensors, Term left) {
  return term_transform(tt, left, checked, (void *)tensors);
}
