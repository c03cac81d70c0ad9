/* Between the files of the prover. */
#ifndef ASSAY_PROVE_PROVE_INTERNAL_H
#define ASSAY_PROVE_PROVE_INTERNAL_H

#include "prove/prove.h"

typedef struct Prover {
  Arena *arena;
  TermTable *tt;
  const Claim *claim; /* over old symbols */
  Effects *ex;        /* over new ones */
  ProveResult result;
  TermMap renaming; /* old symbols to new ones */
  ProveInvariant invariant;
  uint32_t solver_goals;  /* that were sent to the SMT solver */
  uint32_t rewrite_goals; /* that were given to the e-graph */
} Prover;

enum { PROVE_MAX_COORDINATES = 3 + TYPE_MAX_RANK + EXECUTE_MAX_COUNTERS };

typedef struct ProveSite { /* one store of the new execution and the piece that it became */
  const Access *access;
  const StorePlace *place;
  const PointwiseOutput *output;
  const PointwiseTensor *tensor;
  PointwiseTensor view;           /* over new symbols */
  Term index[POINTWISE_MAX_RANK]; /* of the address, over program ids, lanes and counters */
  uint32_t coordinate_count;
  Term coordinate[PROVE_MAX_COORDINATES],
      at[PROVE_MAX_COORDINATES]; /* program ids, lanes, counters; and where index i comes from */
  Array(Substitution) quotients; /* floor divisions where index i comes from, and what they were shown to be */
  Array(Substitution) back;      /* the same of quotients of the index, at the address */
  Array(Term) free;              /* coordinates that the index does not determine */
  Term region, value;            /* of the piece, over the output's index symbols, with flat reads */
} ProveSite;

/* Records a goal; a failed one is the reason of the verdict. */
bool prove_goal(Prover *p, bool proved, EqualEngine engine, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* A goal a = b under the facts of the table. */
bool prove_equal(Prover *p, Term a, Term b, const char *format, ...) __attribute__((format(printf, 4, 5)));
/* The step of an induction: folds that run up to `end` are cut. */
bool prove_step(Prover *p, Term a, Term b, Term end, const char *format, ...) __attribute__((format(printf, 5, 6)));
/* A condition, under the facts of the table. */
bool prove_true(Prover *p, Term condition, const char *format, ...) __attribute__((format(printf, 3, 4)));

bool prove_loops(Prover *p); /* induction.c */

/* What programs do beyond the least grid, `grid` = `count`, goes into the assumption that says so (idle.c); while the
 * grid is free still. */
void prove_idle_programs(Prover *p, Assumption *a, Term grid, Term count);

#endif
