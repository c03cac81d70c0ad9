/* Folds over an index that only one value of passes the guard (one_point.c). */
#ifndef ASSAY_LAWS_ONE_POINT_H
#define ASSAY_LAWS_ONE_POINT_H

#include "term/term.h"

/* The only k for which the guard may hold, as far as its form tells; 0: it does not. To be shown by who uses it. */
Term one_point_of(TermTable *tt, Term guard, Term k);
/* The only k for which an equation of the condition may hold that is linear in k; 0: it has none. */
Term one_point_root(TermTable *tt, Term condition, Term k);
/* The fold as a choice on its one element, to be passed to term_transform. */
Term law_one_point(TermTable *tt, Term t, void *unused);

/* any[lo <= k < hi](g(k)) is true where g holds of a number at hand that lies in the range, such as the iteration that
 * is spoken of; to be passed to term_transform. */
Term law_any_witness(TermTable *tt, Term t, void *unused);

#endif
