/* Additive functionals: polynomials of a state that sum up over steps or over merges of states.
 *
 * Welford's (mean, m2, count) is the example: count, count*mean and m2 + count*mean^2 grow by 1, x and x^2 in a step,
 * and add up when two states are merged. None is known by name: they are the solutions of linear equations, found at
 * random points. With as many of them as there are parts of the state, each solved for one part, the state after any
 * number of steps or merges is known from sums. */
#ifndef ASSAY_EXECUTE_ADDITIVE_H
#define ASSAY_EXECUTE_ADDITIVE_H

#include "execute/internal.h"
#include "execute/loops/cancel.h"

enum { ADDITIVE_STATE = 4 };

typedef struct Additive {
  uint32_t n;                  /* parts of the state */
  Term state[ADDITIVE_STATE];  /* symbols: the state before */
  Term merged[ADDITIVE_STATE]; /* of a merge: the symbols of the other state; 0 for a step */
  Term next[ADDITIVE_STATE];   /* over all of these and whatever else there is */
  /* found: */
  uint32_t count;
  Term functional[ADDITIVE_STATE]; /* over `state`; exactly n of them */
  uint32_t
      solves[ADDITIVE_STATE]; /* functional[i] = factor * state[solves[i]] + rest, over parts solved by earlier ones */
  Term factor[ADDITIVE_STATE], rest[ADDITIVE_STATE];
} Additive;

/* Fills the found part; false: the state is not known from sums. What is found holds at random points: a candidate. */
bool additive_find(Machine *ex, Additive *a);
/* The parts of the state, given the values of the functionals. */
void additive_invert(TermTable *tt, const Additive *a, const Term *values, Term *parts);
/* Over the reals, and for integers >= 0 where the symbols are Int: true if functional(next) = functional(state) +
 * functional(merged) for all states. By cases on the selects of `next`. A proof. */
bool additive_proved(Machine *ex, const Additive *a);

/* True if the term is 0 for all values of its symbols. By cases on its selects, each as a fraction of polynomials. A
 * proof. */
bool additive_is_zero(TermTable *tt, Term t, const Additive *a);
/* Multiplied out, coefficients too. */
Term additive_polynomial(TermTable *tt, Term t);

#endif
