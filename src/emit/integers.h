/* Sizes and places in languages that have no power of integers. */
#ifndef ASSAY_EMIT_INTEGERS_H
#define ASSAY_EMIT_INTEGERS_H

#include "term/term.h"

/* The text of an integer with `(M * M)` for `M ** 2`. NULL: the base of a power is no name. */
const char *emit_integer_text(TermTable *tt, Term t);

#endif
