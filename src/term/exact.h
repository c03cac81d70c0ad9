/* The exact text of terms: what is printed reads back to the same node, whatever the constructors would make of it now.
 *
 *   n + 2*x*y**-1 - 3    sums and products with their arguments in order; x + -(...) has no other form
 *   t <= 0, t == 0       comparisons; le(a, b) of two sides
 *   where(c, a, b)       and other calls; div is the integer quotient
 *   x['t.1' + 4]         reads; names that are no words, or words of this notation, are quoted
 *   sum[0 <= #1 < n, guard](body)    folds, whose index is named by its level
 *   (t : real)           a sort that does not follow from the arguments
 *   $3                   a part that a line `let $3 = ..` gives
 */
#ifndef ASSAY_TERM_EXACT_H
#define ASSAY_TERM_EXACT_H

#include "term/term.h"

typedef struct ExactWriter {
  TermTable *tt;
  Arena *arena;
  Text *out;
  const char **names;  /* by symbol: different ones */
  const char **texts;  /* by term; NULL: not yet */
  uint8_t *precedence; /* of the text */
  uint32_t *uses;      /* by term: how often another part or a line has it */
  uint32_t let_count;
} ExactWriter;

ExactWriter *exact_writer_new(Arena *arena, TermTable *tt, Text *out);
/* To be called of every term that will be printed, so that parts with several uses are known. */
void exact_count(ExactWriter *w, Term t);
/* Writes the lines of parts that the terms have and that no line gave yet. */
void exact_let(ExactWriter *w, Term t);
/* The text of t, after exact_let(t). */
const char *exact_text(ExactWriter *w, Term t);
const char *exact_symbol(const ExactWriter *w, Term symbol); /* its name, quoted if need be */

/* Reads one line; the first failure is kept. */
typedef struct ExactReader {
  TermTable *tt;
  Arena *arena;
  const char *at;
  const char *why;     /* what was expected; NULL: all is well */
  Array(Term) symbols; /* by Name of the printed name; 0: none */
  TermList lets;
  uint32_t depth;
} ExactReader;

void exact_fail(ExactReader *r, const char *why);
bool exact_take(ExactReader *r, const char *word); /* the word, or the punctuation, if it comes next */
void exact_need(ExactReader *r, const char *word);
int64_t exact_number(ExactReader *r);
const char *exact_name(ExactReader *r); /* a word or a quoted text; "" after a failure */
void exact_define(ExactReader *r, const char *name, Term symbol);
Term exact_read_symbol(ExactReader *r);
Term exact_read(ExactReader *r);

void exact_quote(Text *out, const char *text);

#endif
