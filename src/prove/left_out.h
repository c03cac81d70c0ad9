/* What the constructors of terms leave out: 0 * log(x) is 0 as a term, and a / b - a / b too. A value is then defined where
 * the operations that made it are not. */
#ifndef ASSAY_PROVE_LEFT_OUT_H
#define ASSAY_PROVE_LEFT_OUT_H

#include "prove/domain.h"

/* Is there something in the operands that the result does not show? */
bool left_out_some(Domain *d, TermStep step);
/* Are the operands numbers all the same? Else what is to blame is in d. */
bool left_out_is_defined(Domain *d, TermStep step);

/* The steps in which terms were made (TermTable.made): the first of which something is left out that neither is in one of the
 * values that are `kept` nor defined everywhere, as a text; NULL: there is none. */
const char *left_out_of_steps(Arena *arena, TermTable *tt, const TermSteps *steps, uint32_t count, const Term *kept);

#endif
