/* The prover tells whether the pointwise form is what the kernel computes, for every size.
 *
 * Nothing that the lifter found is believed. The function is executed again on new symbols; of the recovery only the
 * claim (outputs, regions, values, views), the printed assumptions and hints are used. Shown are, each as a goal of its
 * own:
 *
 *   loops     closed(0) = init and closed(t + 1) = step(closed(t)) for each carried value             (induction.c)
 *   place     the address of each store is that of an index of the output, inside its shape and region
 *   value     what is stored there is the formula at that index
 *   coverage  every index of the region is stored by some program, lane and iteration of the launch
 *   order     where regions of two stores overlap, or a tensor is read and written, program order decides
 *
 * The paper's three conditions (initiation, continuation, termination; Verified Lifting of Deep Learning Operators,
 * section 4) are the loops' two and the last three. */
#ifndef ASSAY_PROVE_PROVE_H
#define ASSAY_PROVE_PROVE_H

#include "lift/recover.h"
#include "prove/equal.h"

typedef struct ProveGoal {
  const char *name; /* "value of out_ptr" */
  bool proved;
  EqualEngine engine; /* that closed it; EQUAL_NONE for range reasoning */
  const char *open;   /* of one that was not closed: what remains to be shown; may be NULL */
  const char *steps;  /* of an explanation, a line each; may be NULL */
} ProveGoal;

typedef struct ProveStore { /* what was shown of one store, for the obligations */
  OpId op;
  uint32_t output;
  bool in_shape, covers; /* its indices lie in the shape; every element of its region is stored */
  bool one_program;      /* the index determines the program */
} ProveStore;

typedef struct ProveResult {
  bool proved;
  const char *why; /* the first goal that was not closed: a sentence */
  bool *outputs;   /* per output of the claim: proved */
  Array(ProveGoal) goals;
  Array(ProveStore) stores;
} ProveResult;

/* How value and coverage are shown: from each index back to its program, or as the invariant of the programs in a row
 * (sequential.h). */
typedef enum ProveInvariant { PROVE_BY_INDEX, PROVE_PATTERN, PROVE_TEMPLATE } ProveInvariant;

/* Proves the claim of a finished recovery. Assumptions that the proof itself needs (disjoint tensors, finite inputs,
 * ranges of sizes) are added to recovery->assumptions. */
ProveResult prove_claim(Arena *arena, Claim *recovery);
/* By the name of --invariant; NULL: by index. */
ProveInvariant prove_invariant(const char *name);
ProveResult prove_claim_by(Arena *arena, Claim *recovery, ProveInvariant invariant);

#endif
