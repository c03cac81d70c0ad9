/* Abstract floats: bit patterns as integers, operations as opaque functions of them, with the identities of
 * docs/mlir.md and no others. Operations on constants are computed, as IEEE 754 has them. */
#ifndef ASSAY_MLIR_FLOATS_H
#define ASSAY_MLIR_FLOATS_H

#include "program/program.h"
#include "term/term.h"

typedef enum FloatOp {
#define FLOAT_OP(id, name, arity, kind) FLOAT_##id,
#include "mlir/floats.def"
#undef FLOAT_OP
  FLOAT_OP_COUNT
} FloatOp;

typedef struct Floats {
  bool real;              /* numbers (reals.c), not bits */
  Term *undefined, *path; /* of reals: where what has no value is noted, under this path; NULL: its term has none */
  bool *no_greatest;      /* the greatest number of a format is infinity: set where that was met; NULL: it is not */
  TermTable *tt;
  bool reassociate, ieee; /* ieee: what IEEE 754 says beyond the list, too: signs are exact */
  Name names[FLOAT_OP_COUNT][FLOAT_FORMAT_COUNT];
  uint32_t *codes, code_count; /* by name, operator and format; 0: it is none */
} Floats;

/* `reassociate`: sums and products are those of multisets (sumf, and mulf of many operands). */
void floats_init(Floats *f, TermTable *tt, bool reassociate, bool ieee);
/* True if t is such an operation. */
bool floats_is(const TermTable *tt, Term t, FloatOp *op, FloatFormat *format);
const char *floats_name(FloatOp op);

Term floats_constant(Floats *f, FloatFormat format, double value);
bool floats_is_constant(const Floats *f, Term t, FloatFormat format, double *value);
Term floats_unary(Floats *f, FloatOp op, FloatFormat format, Term a);
Term floats_binary(Floats *f, FloatOp op, FloatFormat format, Term a, Term b);
/* Of sums in any order: the formal sum of the summands of a, an integer over item(x); and the float that it is. */
Term floats_items(Floats *f, FloatFormat format, Term a);
Term floats_sum(Floats *f, FloatFormat format, Term items);
Term floats_fma(Floats *f, FloatFormat format, Term a, Term b, Term c);
/* From one format to another, wider or narrower. */
Term floats_convert(Floats *f, FloatFormat from, FloatFormat to, Term a);
Term floats_from_integer(Floats *f, FloatFormat format, Term value);
/* Towards zero; `poison` where it does not fit. */
Term floats_to_integer(Floats *f, FloatFormat format, Term a, uint32_t width, bool is_signed, Term *poison);
/* Predicates of arith.cmpf; NULL or unknown: 0. */
Term floats_compare(Floats *f, FloatFormat format, const char *predicate, Term a, Term b);
Term floats_is_nan(Floats *f, FloatFormat format, Term a);
Term floats_is_infinite(Floats *f, FloatFormat format, Term a);
/* The bits as an integer, and back. */
Term floats_bits(Floats *f, FloatFormat format, Term a, uint32_t width);
Term floats_from_bits(Floats *f, FloatFormat format, Term bits);

/* The same of reals; 0: it is none of theirs. */
Term reals_constant(Floats *f, FloatFormat format, double value);
Term reals_operation(Floats *f, FloatOp op, Term a, Term b, Term c);
Term reals_to_integer(Floats *f, Term a, uint32_t width, bool is_signed, Term *poison);
Term reals_compare(Floats *f, const char *predicate, Term a, Term b);

/* Concrete values: the pattern with all NaNs as one, and an operation on patterns. false: not an operation that this
 * computes. `exactly`: only where IEEE 754 says the result. */
uint64_t floats_canonical(FloatFormat format, uint64_t bits);
int64_t floats_of_integer(FloatFormat format, Int128 value);
bool floats_compute(FloatOp op, FloatFormat format, uint32_t count, const int64_t *in, bool exactly, int64_t *out);

#endif
