/* Emitters: the pointwise form as a module of another framework (interface.md section 6), or as LaTeX.
 *
 * They work from any pointwise term: lower.c turns terms into an array program (array.h), python.c prints that as
 * Python, and one small file per framework holds what is particular to it. */
#ifndef ASSAY_EMIT_EMIT_H
#define ASSAY_EMIT_EMIT_H

#include "lift/pointwise.h"

/* What the module's docstring says besides names and shapes. */
typedef struct EmitHeader {
  const char *formula; /* may have several lines; NULL: left out */
  const char *verdict; /* NULL: left out */
  const char *const *assumptions;
  uint32_t assumption_count;
} EmitHeader;

/* A module of that target. Where the target cannot express an operator, it throws GUARD_LIMIT with a message that names
 * the operator (guard_attempt). */
typedef void EmitFunction(const Pointwise *p, const EmitHeader *header, Text *out);
EmitFunction emit_numpy, emit_pytorch, emit_jax, emit_tensorflow, emit_mlx, emit_c, emit_tpc, emit_gemmini;
EmitFunction *emit_find(const char *name); /* NULL: the target is made of something else than the pointwise form */
/* A term in LaTeX mathematics, without dollar signs; lives in the table's arena. */
const char *emit_latex(TermTable *tt, Term t);
const char *emit_latex_name(TermTable *tt, const char *name); /* upright */
/* An output of the pointwise form as an equation: "y_{i} \mathrel{+}= value \quad \text{for } region", for each piece.
 */
const char *emit_latex_pointwise(const Pointwise *p, const PointwiseOutput *output);
/* For the tensor form: "y_{n \times m} = ", and what stands behind the formula: nothing if one of the regions is
 * everything. */
const char *emit_latex_left(TermTable *tt, const PointwiseTensor *t);
const char *emit_latex_region(TermTable *tt, const PointwiseOutput *output, const Term *region, uint32_t count);

#endif
