/* Quotients of sums, compared over their common denominator. */
#ifndef ASSAY_LAWS_FRACTION_H
#define ASSAY_LAWS_FRACTION_H

#include "term/term.h"

/* a = b, wherever a has a value. */
bool fraction_same(TermTable *tt, Term a, Term b);
/* t without quotients in what it divides by: 1 / (p / q) is q / p, which may have a value where t has none. */
Term fraction_flat(TermTable *tt, Term t);

#endif
