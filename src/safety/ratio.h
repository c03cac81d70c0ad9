/* Quotients that are at most 1: abs(x) <= d, under the facts at hand. */
#ifndef ASSAY_SAFETY_RATIO_H
#define ASSAY_SAFETY_RATIO_H

#include "term/term.h"

/* True if d is shown to be at least abs(x), for all finite inputs. What is not shown is false. */
bool ratio_is_at_most_one(TermTable *tt, Term x, Term d);

#endif
