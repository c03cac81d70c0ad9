/* The last engine: an integer condition, under the ranges and facts of the table, as a goal for the SMT solver.
 *
 * Sums, products, floor divisions, minima, maxima and selects keep their meaning; everything else (reads, folds,
 * functions) is a constant of its own, which loses what is known of it and nothing more. `unsat` for the negation is a
 * proof. */
#ifndef ASSAY_PROVE_SOLVE_H
#define ASSAY_PROVE_SOLVE_H

#include "term/term.h"

typedef enum SolveAnswer { SOLVE_UNKNOWN, SOLVE_NONE, SOLVE_FOUND } SolveAnswer;

/* Are there values at which the condition holds? NONE is a proof that there are not. FOUND gives those of the symbols;
 * where the condition has more than integers inside, they are a hint. */
SolveAnswer solve_find(TermTable *tt, Term condition, double seconds, uint32_t count, const Term *symbols,
                       Term *values);
/* true: the condition holds for all values of the symbols. false: not shown within the time, or there is no solver. */
bool solve_condition(TermTable *tt, Term condition, double seconds);

/* solve_bits.c: is x = y, bit by bit, under the facts? Integers only are exact; with `floats`, opaque functions that
 * are called NAME.FORMAT are operations of IEEE 754. `format`: of x and y ("f32"), where they are floats; else NULL. */
bool solve_bits(TermTable *tt, Term x, Term y, const char *format, bool floats, double seconds);

#endif
