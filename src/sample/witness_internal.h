/* Between the search for witnesses (witness.c) and visits of launches (visit.c); nobody else includes it. */
#ifndef ASSAY_SAMPLE_WITNESS_INTERNAL_H
#define ASSAY_SAMPLE_WITNESS_INTERNAL_H

#include "base/random.h"
#include "sample/witness.h"

enum {
  WITNESS_MOST_EVENTS = 24,
  WITNESS_MOST_CANDIDATES = 32,
  WITNESS_MOST_ELEMENTS = 1 << 19,
  WITNESS_MOST_FIXED = 64
};

/* ANY: reals and places of any value, as visits want them. */
typedef enum Pattern { PATTERN_ZERO, PATTERN_ONE, PATTERN_SMALL, PATTERN_MIXED, PATTERNS, PATTERN_ANY } Pattern;

typedef struct Event { /* what shows, and at which launch */
  ObligationKind kind;
  OpId op;
  bool computed, divides;
  int32_t buffer; /* tensor of the run; -1: none */
  int64_t values[LAUNCH_MAX_NAMES], pad;
  Pattern pattern;
  InterpretFinding finding;
  InterpretCell once, twice; /* of a launch that is repeated: the element after each run */
} Event;

typedef struct WitnessElement { /* of a tensor of the run; what it holds */
  uint32_t tensor;
  int64_t element;
  InterpretCell cell;
} WitnessElement;

typedef struct WitnessCover { /* argument - 1 <= last */
  uint32_t argument;
  int64_t last;
} WitnessCover;

typedef struct Search {
  Arena *arena;
  const Effects *ex;
  const LaunchModel *model;
  Random random;
  int64_t candidates[WITNESS_MOST_CANDIDATES];
  uint32_t candidate_count;
  int64_t lanes, block;  /* of the widest value, and of the widest range */
  int64_t step;          /* the greatest number of the program beyond that; 0: none */
  bool is_costly;        /* a launch was cut off: only the smallest are tried */
  bool has_integers;     /* in memory: they steer. Else contents show as values alone */
  bool has_alias, apart; /* apart: tensors that two arguments share are given to each on its own */
  WitnessConditions required;
  uint32_t ran;
  uint64_t steps;
  int64_t values[LAUNCH_MAX_NAMES], pad;
  Pattern pattern;
  uint64_t seed, places; /* of contents; of PATTERN_ANY: integers are below */
  int64_t index_limit;   /* integers in memory stay below: they may be indices into tensors of unknown extent */
  WitnessElement fixed[WITNESS_MOST_FIXED]; /* contents that are these, whatever the pattern says */
  uint32_t fixed_count;
  WitnessRun run;
  Array(WitnessCover) covers; /* of a kernel without a lift, which would have assumed them */
  int64_t most_size;          /* of every size: a bound that is no plain argument; INT64_MAX: none */
  Event shown[WITNESS_MOST_EVENTS], found[WITNESS_MOST_EVENTS];
  uint32_t shown_count, found_count;
} Search;

/* Values that break kernels; once. */
void witness_find_candidates(Search *s);
/* Values of all names, small first; of trial 0, 1, .. */
void witness_draw_values(Search *s, uint32_t trial);
uint32_t witness_count_sizes(const Search *s);
/* The launch of s->values, with contents of s->pattern; false: there is none, or it is too large. */
bool witness_make_launch(Search *s);
/* Runs it; false: it came to no end, or breaks what the kernel states. */
bool witness_interpret(Search *s);

/* cover.c: axes that one block covers; whether the launch at hand keeps to them. */
void witness_find_covers(Search *s);
bool witness_is_covered(const Search *s);
/* steered.c: the last store through the argument of a kernel, where it is only stored through, and data steers none of
 * that; else 0. */
OpId witness_whole_store(Arena *arena, const Effects *ex, uint32_t argument);

#endif
