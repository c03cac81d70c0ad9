/* Laws for terms that are to be compared (laws.c). */
#ifndef ASSAY_COMPARE_LAWS_H
#define ASSAY_COMPARE_LAWS_H

#include "term/term.h"

typedef enum CompareLaw {
  COMPARE_REBUILD,
  COMPARE_POINTS,
  COMPARE_CUTS,
  COMPARE_CHOICES,
  COMPARE_SMOOTH,
  COMPARE_TILES,
  COMPARE_INWARDS,
  COMPARE_SHIFTS,
  COMPARE_QUOTIENTS,
  COMPARE_EXPONENTS,
  COMPARE_ELEMENTS,
  COMPARE_LAW_COUNT
} CompareLaw;

/* An equal term, under the ranges and facts of the table; of the left side, equal wherever that is defined. */
Term compare_law(TermTable *tt, Term t, CompareLaw law, bool is_left);
/* tiles.c */
Term compare_tiles(TermTable *tt, Term t);
/* elements.c */
Term compare_elements(TermTable *tt, Term t);

#endif
