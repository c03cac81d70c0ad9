/* Equality of terms for all values of their symbols, under the ranges and facts of the table.
 *
 * Engines in order: one id (the constructors have done it); the normal form, also of fractions over their common
 * denominator; structure; cases. Where `a` has no value, as in 0 / 0, nothing is claimed: a = b is read from left to
 * right. Cases are the conditions of selects, the sides of minima in bounds, and whether a fold whose value might be
 * infinite is empty. */
#ifndef ASSAY_PROVE_EQUAL_H
#define ASSAY_PROVE_EQUAL_H

#include "term/term.h"

typedef enum EqualEngine {
  EQUAL_NONE,
  EQUAL_IDENTITY,
  EQUAL_NORMAL,
  EQUAL_CASES,
  EQUAL_INDUCTION,
  EQUAL_EXPLANATION,
  EQUAL_SMT,
  EQUAL_ENGINE_COUNT
} EqualEngine;

/* How a = b was shown; EQUAL_NONE: it was not. */
EqualEngine equal_prove(TermTable *tt, Term a, Term b);
/* The same for the step of an induction: folds that run up to `end` are cut into those before and the last element. */
EqualEngine equal_prove_step(TermTable *tt, Term a, Term b, Term end);
/* recurrence.c: the same where one side is a closed form of a recurrence of the other one. */
bool equal_by_induction(TermTable *tt, Term a, Term b);
/* A term with those folds cut; end 0: as it is. */
Term equal_peel(TermTable *tt, Term t, Term end);
const char *equal_engine_name(EqualEngine engine);

/* a = b if `prove` shows it both where a condition of a select in them holds, which is a fact then, and where it does
 * not. The condition that was chosen comes back; 0: there is none, or it is not shown. */
typedef bool (*EqualProve)(TermTable *tt, Term a, Term b, Term condition, void *payload);
Term equal_split(TermTable *tt, Term a, Term b, EqualProve prove, void *payload);

/* True if the condition is shown to be true, by ranges, and by the cases of the alternatives among the facts. */
bool equal_prove_true(TermTable *tt, Term condition);

/* True if the condition is shown to be false, under the facts: one of its conjuncts is, where the others hold. */
bool equal_prove_false(TermTable *tt, Term condition);

/* Pushes a condition as facts, conjunct by conjunct. */
void equal_push(TermTable *tt, Term condition);

#endif
