/* Shared by the files of src/refine. */
#ifndef ASSAY_REFINE_INTERNAL_H
#define ASSAY_REFINE_INTERNAL_H

#include "refine/refine.h"
#include "solve/solve.h"

/* A pair of executed functions over one table of terms. */
typedef struct RefinePair {
  Arena *arena;
  TermTable *tt;
  MlirWorld *world;
  const MlirValue *arguments;
  uint32_t argument_count;
  MlirRun source, target;
  const Function *source_function, *target_function;
  const Program *target_program;
  MlirFlags source_flags, target_flags;
  bool reassociate;
  bool thorough;     /* sums in other forms, and single bits, too */
  bool real;         /* floats are real numbers */
  bool ieee;         /* and floats are those of IEEE 754 */
  TermList from, to; /* sizes that the source being defined makes equal to a term, in order */
} RefinePair;

/* The sizes that the source being defined fixes, put into the arguments, and into what is known of them (`known`, NULL:
 * nothing). */
void refine_fix_sizes(RefinePair *pair, MlirValue *arguments, MlirRun *known);
/* True if what is undefined there says what a size is. */
bool refine_size_of(TermTable *tt, Term undefined, Term *symbol, Term *value);
/* Proves what it can; the first thing that is not shown, as a text, or NULL. */
const char *refine_prove(RefinePair *pair);
/* Numbers that show the difference, or NULL. `quick`: a few are tried, as the terms are. */
const RefineWitness *refine_counterexample(RefinePair *pair, bool quick);
/* The same at values that the solver proposes, with the operations of IEEE 754. */
const RefineWitness *refine_ask_for_counterexample(RefinePair *pair);
/* True if they are the same, operation by operation, and what they refer to likewise. */
bool refine_is_same(Arena *arena, const Program *p, const Function *f, const Program *q, const Function *g);
bool refine_same_types(Arena *arena, const Program *p, TypeId a, const Program *q, TypeId b);
/* For tests: numbers at which the source, executed for all sizes, differs from itself on numbers, where loops are
 * executed iteration by iteration. NULL: there are none. `executed`: how many it was executed on. */
const RefineWitness *refine_check_execution(RefinePair *pair, uint32_t trials, uint32_t *executed);

/* True if a caller sees what that global of a program of the pair holds. It sees what is returned, private or not. */
bool refine_global_is_seen(const RefinePair *pair, const Program *own, const char *name, const MlirValue *v);
/* What the solver may take floats for. */
SolveFloats refine_floats(const RefinePair *pair);
/* True if the two terms are equal, under the facts of the table. */
bool refine_equal(TermTable *tt, Term a, Term b);
/* The same, with sums brought into other forms: slower. */
bool refine_equal_sums(TermTable *tt, Term a, Term b);
/* An equal term, in one of these forms (sums.c). */
typedef enum RefineForm {
  REFINE_BEHIND,
  REFINE_NESTED,
  REFINE_CUT,
  REFINE_JOINED,
  REFINE_TOGETHER,
  REFINE_UNROLLED,
  REFINE_FORM_COUNT
} RefineForm;
Term refine_sums(TermTable *tt, Term t, RefineForm form);
/* True if it says that there is an index, and what it says is an instance of what one of the list does. */
bool refine_is_instance(TermTable *tt, Term condition, const TermList *list);
/* True if the condition holds. */
bool refine_holds(TermTable *tt, Term condition);

#endif
