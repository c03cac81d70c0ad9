/* The value of an output before deduction, in the form that a tensor expression can say. Internal to lift/. */
#ifndef ASSAY_LAWS_NORMALISE_H
#define ASSAY_LAWS_NORMALISE_H

#include "term/term.h"

/* t by the laws in normalise.c; t itself where none helps, or where the result differs from t on random values. */
Term normalise_value(TermTable *tt, Term t);

#endif
