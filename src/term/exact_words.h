/* Between exact.c and exact_read.c: the words of the exact text, and the sorts that follow from arguments. */
#ifndef ASSAY_TERM_EXACT_WORDS_H
#define ASSAY_TERM_EXACT_WORDS_H

#include "term/term.h"

bool exact_is_word(const char *name);       /* of the notation: no name of a symbol goes without quotes */
const char *exact_call_name(TermKind kind); /* of a kind that is written as a call, else NULL */
const char *exact_sort_name(TermSort sort);
bool exact_sort_of_name(const char *name, TermSort *sort);
/* The sort that a node of that kind has if nothing is said of it. */
TermSort exact_sort(const TermTable *tt, TermKind kind, uint32_t aux, uint32_t count, const Term *args);

#endif
