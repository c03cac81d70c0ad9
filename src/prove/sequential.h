/* `--invariant`: the programs as one sequential loop, and the claim as an invariant of it (Verified Lifting of Deep
 * Learning Operators, section 4.2).
 *
 * The programs run in row-major order of the grid: a loop over pid_x around one over pid_y around one over pid_z around
 * the kernel's own loops. A program id that the kernel splits into quotient and remainder is two loops. Of each store
 * the invariant says: every element i of the region with i < a*counter + b has the value of the formula. Each loop has
 * an a and a b of its own, for one axis of the output; an inner loop counts within what one iteration of the outer one
 * adds. a and b are sums of sizes with unknown integer factors, which the solver finds from counterexamples.
 *
 * PATTERN replaces the quantifier by the indices that the body stores to: the formula holds at each of them (the
 * prover's usual engines), so what is left of the three conditions speaks of indices only. TEMPLATE leaves the
 * quantifiers over elements and lanes in, and the three conditions with everything in them to the solver.
 *
 * The order of programs is not given on a GPU. PATTERN does not need it: whatever is stored, in any order, is the
 * formula. TEMPLATE shows besides that a program stores nothing that only a later one is to settle. */
#ifndef ASSAY_PROVE_SEQUENTIAL_H
#define ASSAY_PROVE_SEQUENTIAL_H

#include "prove/prove_internal.h"

enum { SEQUENTIAL_MOST_LEVELS = 8 };

typedef struct SequentialLevel { /* one loop */
  Term counter, count;           /* 0 <= counter < count; both may speak of the loops around it */
  int axis;                      /* of the output, that it runs along; -1: all its iterations store the same elements */
  Term a, b;                     /* i < a*counter + b; with the parts of outer loops along the same axis */
} SequentialLevel;

typedef struct Sequential {
  Prover *p;
  const ProveSite *site;
  uint32_t level_count, lane_count;
  SequentialLevel level[SEQUENTIAL_MOST_LEVELS];
  Term index[POINTWISE_MAX_RANK], mask, value;      /* of the store, over counters and lanes */
  Term claim;                                       /* the value of the formula, over the output's indices */
  Term exists;                                      /* of split program ids: there is such a program */
  Term lane[TYPE_MAX_RANK], lane_at[TYPE_MAX_RANK]; /* that stores the element i: a hint */
} Sequential;

/* The claim of one store, whose place is shown already. All goals are recorded. */
bool sequential_prove(Prover *p, const ProveSite *site);

/* ---- between the files ---- */
/* Where the invariant of loop k ends when its counter is x: elements before it have the formula. */
Term sequential_bound(const Sequential *s, uint32_t k, Term x);
/* True if it is shown in every run that `shown` follows from `given`. */
bool sequential_follows(Sequential *s, Term given, Term shown, EqualEngine *engine);
/* The three conditions with their quantifiers (sequential_template.c). */
bool sequential_prove_template(Sequential *s);

#endif
