/* Tails that are looked at under a condition (remainder_tiles.c). */
#ifndef ASSAY_LAWS_REMAINDER_TILES_H
#define ASSAY_LAWS_REMAINDER_TILES_H

#include "term/term.h"

/* where(c, x, y) as x (or y), where both are one unless c (if c); t itself: they are not known to be. */
Term tails_drop_choice(TermTable *tt, Term t);

#endif
