/* Parts of a search: written as JSON by those that search them (--shard I/N), and merged to what one search gives. */
#ifndef ASSAY_OPTIMIZE_SHARD_H
#define ASSAY_OPTIMIZE_SHARD_H

#include "operation/request.h"
#include "optimize/cost.h"

/* A candidate that is not proved yet. */
typedef struct OptimizeEntry {
  const char *text;
  Cost cost;
  bool is_input;
  uint32_t unit;        /* of the search: the whole formula, or one node at which it is cut */
  uint32_t number;      /* in the order of the search */
  const char *composed; /* of a program whose parts are proved: their formulas, one in the other; or NULL */
} OptimizeEntry;

typedef struct OptimizeSearch {
  Array(OptimizeEntry) entries;
  SearchStats stats;
  uint32_t found;
} OptimizeSearch;

/* `formula`: what is searched, by which parts of one search know each other. */
const char *optimize_shard_text(Arena *arena, const OptimizeSearch *search, const char *formula,
                                const Options *options);
/* Adds what the parts of options->parts found, in the order of their units; false after diagnostics: they are not all
 * parts of this search. */
bool optimize_shard_merge(Arena *arena, const Options *options, const char *formula, DiagnosticList *diagnostics,
                          OptimizeSearch *out);

#endif
