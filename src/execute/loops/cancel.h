/* x * x^-2 = 1/x, and x / x = 1 where the division is known to be done: what sums over merged states leave to do. */
#ifndef ASSAY_EXECUTE_CANCEL_H
#define ASSAY_EXECUTE_CANCEL_H

#include "term/term.h"

/* For term_transform; with a payload only what stays undefined where it was: the power of x is still negative. */
Term additive_cancel(TermTable *tt, Term t, void *keeps_domain);

#endif
