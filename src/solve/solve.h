/* The last engine: an integer condition, under the ranges and facts of the table, as a goal for the SMT solver.
 *
 * Sums, products, floor divisions, minima, maxima and selects keep their meaning; everything else (reads, folds,
 * functions) is a constant of its own, which loses what is known of it and nothing more. `unsat` for the negation is a
 * proof. */
#ifndef ASSAY_SOLVE_SOLVE_H
#define ASSAY_SOLVE_SOLVE_H

#include "term/term.h"

typedef enum SolveAnswer { SOLVE_UNKNOWN, SOLVE_NONE, SOLVE_FOUND } SolveAnswer;

/* Looks for values at which the condition holds. NONE is a proof that there are none. FOUND gives those of the
 * symbols; where the condition has more than integers inside, they are a hint. */
SolveAnswer solve_find(TermTable *tt, Term condition, double seconds, uint32_t count, const Term *symbols,
                       Term *values);
/* true: the condition holds for all values of the symbols. false: not shown within the time, or there is no solver. */
bool solve_condition(TermTable *tt, Term condition, double seconds);

/* solve_bits.c. What opaque functions that are called NAME.FORMAT are: nothing is said of them; comparisons are those
 * of IEEE 754, and every other one is any function of its operands, but of NaN, infinities and zeros in sums, products,
 * quotients and exp (where x and y are no floats, signs, extrema and casts are what a comparison of IEEE 754 sees of
 * them, too); all are operations of IEEE 754. */
typedef enum SolveFloats { SOLVE_INTEGERS, SOLVE_COMPARISONS, SOLVE_IEEE } SolveFloats;
typedef struct SolveQuestion {
  Term x, y;
  const char *format; /* of x and y ("f32"), where they are floats; else NULL */
  SolveFloats floats;
  double seconds;
} SolveQuestion;
typedef struct SolveValue { /* what is read, or a symbol; a float is its bit pattern, without sign */
  Term term;
  Int128 value;
} SolveValue;
typedef Array(SolveValue) SolveValues;
/* True if x = y, bit by bit, under the facts. true is a proof. */
bool solve_bits(TermTable *tt, const SolveQuestion *question);
/* Values at which x and y differ, as the solver has it: a hint. false: none was found. */
bool solve_bits_apart(TermTable *tt, const SolveQuestion *question, SolveValues *out);

#endif
