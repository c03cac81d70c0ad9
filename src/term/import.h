/* Terms of one table made again in another, through its constructors: so equal values become one term as far as the
 * constructors see it. Symbols that are not mapped become new ones, with their ranges. */
#ifndef ASSAY_TERM_IMPORT_H
#define ASSAY_TERM_IMPORT_H

#include "term/term.h"

typedef struct Importer Importer;

/* A tensor as far as reads of it are concerned. `extent` has `rank` terms, and outlives the importer. */
typedef struct ImportTensor {
  Term symbol;
  const char *dtype; /* "i8", "u8", ..; NULL: not known */
  uint32_t rank;
  const Term *extent;
} ImportTensor;

/* Terms of `from` are made again in `to`. */
Importer *importer_new(Arena *arena, TermTable *to, TermTable *from);
/* The same symbols, but what was imported so far is made anew: the ranges of symbols have changed. */
Importer *importer_again(const Importer *importer);
/* This symbol of `from` is that term of `to`. */
void importer_map(Importer *importer, Term symbol, Term to);
bool importer_is_mapped(const Importer *importer, Term symbol);
/* Reads of this tensor are reads of that one at the same place in memory: both are contiguous, their ranks differ. */
void importer_map_memory(Importer *importer, ImportTensor from, ImportTensor to);
/* Elements of one memory, of which one side names the bits with a sign and the other without: each its own way.
 * false: both do alike. */
bool importer_map_bits(Importer *importer, ImportTensor from, ImportTensor to);
/* Opaque functions of that name are called otherwise. */
void importer_map_function(Importer *importer, const char *from, const char *to);
Term importer_term(Importer *importer, Term t);

#endif
