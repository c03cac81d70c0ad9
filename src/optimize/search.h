/* The search for block graphs: which operations, in which order, over loads, loops and accumulators.
 *
 * A prefix is a list of values. Each new one is an operation on earlier ones; keys (greatest argument first) increase
 * strictly, so that every graph is built once. A prefix dies when its last value is no part of what is wanted
 * (abstract.h), when it is worth the same as an earlier value (fingerprints), or when the operations that are left
 * cannot use all its values. Tiles are symbolic: only whether a class is cut by the grid, by the loop or not at all
 * matters, and that no reduced class is cut by the grid. */
#ifndef ASSAY_OPTIMIZE_SEARCH_H
#define ASSAY_OPTIMIZE_SEARCH_H

#include "optimize/abstract.h"

enum { SEARCH_MAX_VALUES = 96, SEARCH_MAX_OUTPUTS = 8, SEARCH_MAX_CANDIDATES = 4096 };

typedef enum SearchKind {
  SEARCH_LEAF,      /* a node of the problem: a load, a constant, positions */
  SEARCH_OPERATION, /* elementwise */
  SEARCH_SHIFTED,   /* exp(x - m) for the running maximum m of the loop */
  SEARCH_REDUCE,
  SEARCH_MATMUL
} SearchKind;

typedef enum SearchStage { SEARCH_BEFORE, SEARCH_IN_LOOP, SEARCH_AFTER } SearchStage;

typedef struct SearchValue {
  SearchKind kind;
  ProblemOp op;
  FingerprintPart part;
  uint8_t axis, stage;
  uint32_t detail; /* LEAF: the node; else as in ProblemNode */
  uint32_t count, args[3];
  uint32_t rescale; /* 1 + the maximum whose shift is in the value, or by which the accumulator rescales */
  bool is_shifted;  /* its shift is that of the iteration */
  uint32_t abstract, uses;
  Fingerprint fingerprint;
} SearchValue;

typedef struct SearchCandidate {
  uint8_t loop; /* class, or PROBLEM_NONE */
  uint32_t count;
  SearchValue *values;
  uint32_t outputs[SEARCH_MAX_OUTPUTS]; /* values */
} SearchCandidate;

typedef struct SearchOptions {
  uint32_t max_ops;
  uint64_t max_states;
  bool no_expressions, no_canonical, no_fingerprints;
  uint32_t region_count;
  const ProblemRegion *regions; /* that count as one operation */
} SearchOptions;

typedef struct SearchStats {
  uint64_t states, pruned, fingerprints;
  bool is_cut; /* by max_states */
} SearchStats;

typedef struct SearchResult {
  Array(SearchCandidate) candidates;
  SearchStats stats;
} SearchResult;

/* Appends the candidates of one loop class (PROBLEM_NONE: no loop). */
void search_blocks(Arena *arena, const Problem *p, const Abstract *abstract, const Field *field, uint8_t loop,
                   const SearchOptions *options, SearchResult *out);
/* Appends the graph that does what the problem says in its own order, where it has one: what is free of the loop leaves
 * sums, and a maximum over it becomes a running one. No search: there is no limit of operations. */
void search_written(Arena *arena, const Problem *p, const Field *field, uint8_t loop, SearchResult *out);
/* A product of values with these classes, summed over `axis`, is one of matrices: both have it, and one has rows, the
 * other columns. */
bool search_contracts(uint8_t axis, ClassSet a, ClassSet b);
/* Classes that some reduction is over; and those that outputs have. */
ClassSet problem_reduced(const Problem *p);
ClassSet problem_written(const Problem *p);

#endif
