/* Infinities of the left side, which the laws of rewriting know nothing of.
 *
 * A law holds of numbers: where log(x) stands, x > 0 is taken for granted. But log(0) is a value too, an infinity, and
 * where(x >= 0, log(x), 0) is not where(x > 0, log(x), 0). So what rewriting has shown is looked at once more at the
 * poles of the left side. */
#ifndef ASSAY_PROVE_POLES_H
#define ASSAY_PROVE_POLES_H

#include "term/term.h"

/* a = b holds, from left to right, wherever the parts of a are numbers. True if it does at poles, too, where b may
 * also be undefined. false: not shown. */
bool poles_agree(TermTable *tt, Term a, Term b);

#endif
