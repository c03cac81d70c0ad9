/* Execution of MLIR functions over tensors and scalars, on symbols.
 *
 * A scalar is a pair of terms, value and poison; a tensor is such a pair over index symbols, with an extent for each
 * dimension. Integers hold the signed value, i1 is a Bool, index has 64 bits. Undefined behaviour is one condition,
 * the disjunction over all operations that were executed, each under the path to it.
 *
 * Floats (abstract) are integers to the engine: their own bit patterns, all NaNs being one, and operations on them are
 * opaque functions of integers (floats.h). A term of sort Real never occurs, so no law of the reals can apply.
 *
 * Nothing is assumed: extents may be 0, reads are arbitrary. What an operation leaves undefined is what MLIR says now:
 * poison for values, undefined behaviour for accesses outside, shapes that do not fit and division by 0. */
#ifndef ASSAY_MLIR_MLIR_H
#define ASSAY_MLIR_MLIR_H

#include "base/kinds.h"
#include "program/program.h"
#include "term/term.h"

enum { MLIR_RANK = TYPE_MAX_RANK };

typedef struct Cell {
  Term value, poison;
} Cell;

typedef enum MlirKind { MLIR_NONE, MLIR_SCALAR, MLIR_TENSOR } MlirKind;

typedef struct MlirValue {
  MlirKind kind;
  TypeId element; /* of the program that it belongs to */
  uint32_t rank;
  Term extent[MLIR_RANK], index[MLIR_RANK];
  Cell cell; /* over the index symbols */
} MlirValue;

/* What a top-level operation of the function asked for: it is undefined under this condition. */
typedef struct MlirStep {
  OpId op;
  Term ub;
} MlirStep;

/* Results of the declared function have the sizes of these arguments, one after the other. */
typedef struct MlirResultSizes {
  const char *function;
  uint32_t count, argument[8];
} MlirResultSizes;

typedef struct MlirFlags {
  bool reassociate; /* sums and products of floats are taken in any order */
  bool ieee;        /* floats are those of IEEE 754, beyond the identities of abstract ones */
  bool distinct;    /* memref arguments are different blocks with offset 0 */
  Array(MlirResultSizes) result_sizes;
  bool negative_zero; /* +0 that starts an accumulation is -0 */
  bool bias_first;    /* convolutions of tosa and fully_connected start from the bias */
} MlirFlags;

typedef struct MlirRun {
  const Program *program;
  const Function *function;
  MlirValue *values; /* by ValueId */
  MlirValue *results;
  uint32_t result_count;
  Term ub;
  bool has_bias; /* it depends on MlirFlags.bias_first */
  Array(MlirStep) steps;
  TermList sizes;   /* what holds of sizes because tensors have them: no more than an index can say */
  bool calls_again; /* one of these is called twice, and may return another value then */
  Array(Name) callees;
  Array(Term) calls;    /* of functions without a body, which may have effects: callee and operands, under the path */
  Array(Term) call_ub;  /* what is undefined before each of them, which need not return */
  ReasonCode stop_code; /* none: it was executed to the end */
  const char *stop_text;
  OpId stop_op;
} MlirRun;

/* The arguments of a function of that type, as symbols. `names`: of the arguments, NULL: by number. */
MlirValue *mlir_arguments(TermTable *tt, const Program *program, const Function *function);
MlirRun mlir_execute(Arena *arena, TermTable *tt, const Program *program, const Function *function,
                     const MlirValue *arguments, MlirFlags flags);
/* The element at these indices. */
Cell mlir_at(TermTable *tt, const MlirValue *tensor, const Term *index);
Term mlir_as_bool(TermTable *tt, Term t);
/* Are the two values of a scalar or element the same? */
Term mlir_equal(TermTable *tt, Term a, Term b);

#endif
