/* Rows of an array: which x is the row of a place (row.c). */
#ifndef ASSAY_LAWS_ROW_H
#define ASSAY_LAWS_ROW_H

#include "term/term.h"

typedef struct LawRow {
  Term place, length, width; /* over terms without x */
} LawRow;

/* True if the conditions are length*x <= place and place < length*x + width, by their form. Where 0 < width <= length,
 * they say that x = place // length and place mod length < width. */
bool law_row(TermTable *tt, Term low, Term high, Term x, LawRow *row);
/* The same of length*x = place: a row of width 1. */
bool law_row_of_one(TermTable *tt, Term equation, Term x, LawRow *row);

#endif
