/* Formulas as text, in the notation of docs/formula.md: reading, recognition by content, printing.
 *
 * A pointwise file declares tensors and scalars and gives each output element by element; it reads back as the form
 * that
 * `--stop-after pointwise` printed. A formula in tensor form (`y = softmax(x, axis=1)`) has no shapes of its own unless
 * they are declared, as `--stop-after tensor` does: it is kept as syntax and gets its meaning in src/reference/. */
#ifndef ASSAY_READ_FORMULA_H
#define ASSAY_READ_FORMULA_H

#include "lift/pointwise.h"
#include "read/python/python.h"

/* `y[n, m] = value for i, j: region`; what stands in the brackets is the shape. */
typedef struct FormulaLine {
  const char *name;
  Span name_span;
  const PyNode *value;
  uint32_t rank;  /* of `extent` and `index` */
  bool has_shape; /* written behind the name, in a text that declares something */
  Term extent[POINTWISE_MAX_RANK];
  Term region;                    /* 0: everywhere. Else the output is a tensor that was declared, or is known */
  Term index[POINTWISE_MAX_RANK]; /* of the region */
  uint32_t before;                /* outputs given element by element that stand above the line */
} FormulaLine;

/* `let t3(i, k) = ...`: syntax that stands for its value wherever it is called. */
typedef struct FormulaLet {
  const char *name;
  Array(const char *) parameters;
  const PyNode *value;
} FormulaLet;
typedef Array(FormulaLet) FormulaLets;

/* A range or an `assume` of the text, as it is written there. */
typedef struct FormulaAssumption {
  const char *text;
  Term condition;      /* 0: it is a range */
  Term symbol, lo, hi; /* lo, hi 0: none */
} FormulaAssumption;
typedef Array(FormulaAssumption) FormulaAssumptions;

typedef struct Formula {
  const char *kernel;       /* NULL: not named */
  Pointwise *pointwise;     /* declarations, and the outputs given element by element */
  Array(FormulaLine) lines; /* in tensor form */
  uint32_t declared;        /* tensors and scalars that the text declares */
  uint32_t own_tensors;     /* tensors that it declares: the first of the pointwise form's */
  FormulaLets lets;         /* of either form */
  FormulaAssumptions assumed;
  Array(Term) sizes; /* integers that are no arguments: declared, or met */
} Formula;

/* True if the text begins as a formula does. Programs and JSON never do. */
bool formula_is_one(const Source *source);
/* True if it stands alone, with tensors of its own. */
bool formula_declares_tensors(const Source *source);
/* `known`, which may be NULL, gives the tensors and scalars that the text uses and does not declare; it must be over
 * `tt`. NULL and diagnostics if the text is not a formula. */
Formula *formula_read(Arena *arena, TermTable *tt, const Source *source, const Pointwise *known,
                      DiagnosticList *diagnostics);
/* A term over the scalars, sizes and tensors of p: 0 and a diagnostic on an error. */
Term formula_read_term(Arena *arena, const Pointwise *p, const Source *source, const PyNode *syntax,
                       DiagnosticList *diagnostics);

/* The declarations, ranges and facts of p, one on a line. Indices that are called like something declared get other
 * names. */
void formula_print_declarations(const Pointwise *p, Text *out);
/* The outputs, a line each; before them, where they are long, `let` lines that name their parts. */
void formula_print_outputs(const Pointwise *p, Text *out);
/* The whole pointwise form. */
void formula_print(const Pointwise *p, Text *out);

/* The number that a formula means by this literal: at most nine digits are the nearest f32 (as kernels have them), more
 * the nearest f64; integers and fractions of them are exact. False: out of range. */
bool formula_number(Guard *guard, const char *text, Rational *out);
/* Names of lanes in emitted code, which graphs leave alone. */
bool formula_is_reserved(const char *name);

#endif
