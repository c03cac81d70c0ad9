/* From the syntax of a pointwise formula to terms; shared by the files of the formula reader. */
#ifndef ASSAY_READ_FORMULA_TERM_H
#define ASSAY_READ_FORMULA_TERM_H

#include "lift/pointwise.h"
#include "read/formula/formula.h"

typedef struct FormulaBound {
  const char *name;
  Term symbol;
} FormulaBound;

/* What a `let` was for these arguments. */
typedef struct FormulaKnown {
  uint32_t let;
  const Term *args;
  Term value;
} FormulaKnown;
typedef struct FormulaOpaque {
  const char *name;
  TermSort sort;
} FormulaOpaque;

typedef struct FormulaTerms {
  Arena *arena;
  TermTable *tt;
  const Source *source;
  Pointwise *pointwise;         /* what is declared, and what is met on the way */
  const Pointwise *known;       /* or NULL */
  const FormulaLets *lets;      /* or NULL */
  Array(FormulaKnown) values;   /* of these, as far as they were asked for; by the last of the arguments */
  Array(FormulaBound) bounds;   /* indices of the output and of the folds around, innermost last */
  Array(FormulaBound) sizes;    /* integers that are not arguments */
  Array(FormulaOpaque) opaques; /* functions that are declared, and of which nothing else is known */
  DiagnosticList *diagnostics;
  const struct FormulaTerms *outside; /* of a part that has a name: where it is called */
  uint32_t depth;                     /* of what is read at the moment */
} FormulaTerms;

/* The term that the syntax means; 0 after a diagnostic. `is_integer`: it stands in an index, an extent or a condition,
 * where unknown names are sizes. */
Term formula_term(FormulaTerms *f, const PyNode *syntax, bool is_integer);

PointwiseTensor *formula_find_tensor(FormulaTerms *f, const char *name);
/* An argument or a size; 0 if there is none. */
Term formula_find_scalar(FormulaTerms *f, const char *name, const PointwiseScalar **scalar);
void formula_add_tensor(FormulaTerms *f, const char *name, const char *dtype, TermSort sort, uint32_t rank);
void formula_add_scalar(FormulaTerms *f, Term symbol, const char *name, const char *dtype);
/* A new size; `is_positive`: at least 1. */
Term formula_add_size(FormulaTerms *f, const char *name, bool is_positive);

#endif
