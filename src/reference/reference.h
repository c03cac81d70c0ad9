/* References: what a function of NumPy or PyTorch calls computes, read from its source without running it.
 *
 * The function is evaluated over tensor expressions: its parameters stand for tensors of symbolic shapes, each call is
 * replaced by what it means, and the returned values are tensor expressions over the reals, whose elements are terms
 * (tensor_meaning). What has no meaning here is a diagnostic with its place. Formulas in tensor form (docs/formula.md)
 * are expressions of the same kind with laws of their own: reductions keep their axis. */
#ifndef ASSAY_REFERENCE_REFERENCE_H
#define ASSAY_REFERENCE_REFERENCE_H

#include "read/formula/formula.h"
#include "read/python/python.h"
#include "tensor/tensor.h"

typedef struct ReferenceParam {
  const char *name;
  bool has_default;
  Span span;
} ReferenceParam;

typedef struct ReferenceBinding {
  const char *name;
  const TensorExpr *value;
  const char *dtype;          /* of a tensor in memory: "f32", or NULL */
  const TensorExpr *argument; /* of an output: whose memory it is, or NULL */
} ReferenceBinding;

/* What an `assert` says. */
typedef struct ReferenceClaim {
  const char *text;
  Term condition; /* over sizes and integer scalars; 0: it is of something else, or is not read */
} ReferenceClaim;

typedef struct ReferenceStep {
  const TensorExpr *value, *under; /* where that holds, of rank 0; NULL: in any case */
} ReferenceStep;

typedef struct Reference {
  Arena *arena;
  TermTable *tt;
  Source *source;
  DiagnosticList *diagnostics;
  const PyNode *file;     /* NULL: a formula */
  const PyNode *function; /* of the file */
  Array(ReferenceParam) params;
  Array(ReferenceBinding) bindings; /* of parameters, and of names in a formula */
  const FormulaLets *lets;          /* parts of a formula that have names, or NULL */
  const TensorExpr **let_values;    /* of these, as far as they were asked for */
  const char *shape_help;           /* what to do about shapes that do not fit, or NULL */
  bool may_wrap;                    /* there is arithmetic on integers, which are taken to stay inside their types */
  bool is_wide;                     /* some of these have 64 bits, for all that is known */
  Array(Term) inside; /* conditions over sizes and scalars under which its slices stay inside their tensors */
  Array(ReferenceBinding) outputs; /* of a run: what is returned; name NULL where it has none */
  Array(ReferenceBinding) changed; /* of a run: what it leaves in arguments that it changes in place */
  Array(ReferenceClaim) claims;    /* that are met, or a run ends with an error */
  Array(ReferenceStep) raising;    /* what a run computes that may be an error, also where nothing uses it */
} Reference;

/* The file is parsed and the function found; false after diagnostics. */
bool reference_open(Reference *r, const char *function);
/* Evaluates the function on r->bindings (parameters without one have their default); false after diagnostics. */
bool reference_run(Reference *r);
/* A formula in tensor form over r->bindings; NULL after diagnostics. */
const TensorExpr *reference_formula(Reference *r, const PyNode *syntax);

/* ---- formulas over tensors of known shapes (formula.c) ---- */
/* Tensor i of p as an expression. */
const TensorExpr *reference_leaf(const Pointwise *p, uint32_t i);
/* Bindings for the tensors, scalars and sizes of p, and for the sizes in a term (0: none). */
void reference_bind(Reference *r, const Pointwise *p);
void reference_bind_sizes(Reference *r, Term t);
/* The value as an output of that shape: axes of length 1 that are too many are dropped, and a value that is smaller
 * fills it (docs/formula.md, Shapes). NULL: it does not fit. */
const TensorExpr *reference_fit(TermTable *tt, const TensorExpr *e, uint32_t rank, const Term *shape);
/* The lines in tensor form of a formula that declares its tensors become outputs of its pointwise form; false after
 * diagnostics. */
bool reference_stand_alone(Arena *arena, Formula *formula, Source *source, DiagnosticList *diagnostics);

#endif
