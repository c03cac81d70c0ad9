/* The running state of an execution, which only the files of execute/ know. */
#ifndef ASSAY_EXECUTE_MACHINE_H
#define ASSAY_EXECUTE_MACHINE_H

#include "execute/effects.h"

typedef struct Machine {
  Effects *effects; /* what is found */
  Arena *arena;     /* these four as in the effects */
  TermTable *tt;
  const Program *program;
  const Function *function;
  Term *values;    /* by ValueId; 0: not yet */
  Term *undefined; /* by ValueId: where a condition is undefined because infinities met; NULL: this is not looked at */
  Term path;
  Term returned; /* where the function has returned */
  OpId return_op;
  Array(uint32_t) range_of; /* by Term: the newest range with it + 1, to be checked */
  uint32_t counter_count;
  Term counters[EXECUTE_MAX_COUNTERS];
  Term counter_end[EXECUTE_MAX_COUNTERS]; /* the last value of the counter; itself: not known */
  uint32_t turn_count;                    /* may be more than there is room for */
  Term turns[2 * EXECUTE_MAX_COUNTERS];   /* what iteration of each loop around runs, outermost first: its counter, or a
                                             number where it is unrolled */
  uint32_t depth;
  bool writes_nan;             /* a constant that is a NaN was executed */
  struct CellList *cells;      /* of the loop whose body runs (cells.c) */
  struct Content *contents[8]; /* of the tensors that are stored to, if the run carries memory (contents.c) */
  uint32_t content_count;
  bool seeks_end;        /* of a loop, by values that do not depend on what tensors hold: that is not followed then */
  uint32_t *newest;      /* by OpId: 1 + the number of its newest execution, to be checked */
  const bool *dead;      /* by op: not executed (dead.c) */
  struct LoopDone *last; /* the last loop that was closed, for one that goes on with its range (loop.c) */
} Machine;

#endif
