/* What the comparisons among the facts say of the sign of a real: under `x > a` a logarithm of x - a has a value. */
#ifndef ASSAY_PROVE_GUARDS_H
#define ASSAY_PROVE_GUARDS_H

#include "term/term.h"

/* True if t > 0, or without `strictly` >= 0, for another reason than a guard. Asked of what a guard leaves of a
 * term. */
typedef bool (*GuardSign)(void *payload, Term t, bool strictly);

/* t > 0, or t >= 0, by a fact that bounds it. Facts and t have a value, though it may be an infinity. */
bool guards_bound(TermTable *tt, Term t, bool strictly, GuardSign sign, void *payload);
/* t != 0: a fact says so of t, of a multiple, or of a product that it is a factor of. */
bool guards_exclude_zero(TermTable *tt, Term t);

#endif
