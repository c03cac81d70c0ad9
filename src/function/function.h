/* An MLIR function as an input of `lift` and `check`: its execution over real numbers (mlir/), as a claim.
 *
 * What the executor finds is a term for each element of each output already, for all sizes; so, as with a formula,
 * nothing is left to prove. What makes the function undefined becomes preconditions where sizes and scalars alone
 * decide it, else obligations; where an element is poison, nothing is claimed of it. */
#ifndef ASSAY_FUNCTION_FUNCTION_H
#define ASSAY_FUNCTION_FUNCTION_H

#include "lift/claim.h"
#include "mlir/mlir.h"
#include "operation/request.h"
#include "report/types.h"

/* True if an input of the operation is a file of such functions. */
bool function_is_one(const Operation *operation);
/* The pipeline for them. `made`: where the steps go in which real numbers are computed; NULL: nowhere. */
Report *function_lift(Arena *arena, const Operation *operation, const Options *options, TermSteps *made,
                      DiagnosticList *diagnostics);

/* What --set says of the arguments of the function, by argument; NULL: nothing. */
const MlirNumber *function_numbers(Arena *arena, const Program *program, const Function *function,
                                   const Operation *operation, const Launch *launch, const Options *options,
                                   DiagnosticList *diagnostics);
/* They are among the literals of the report, as those of kernels are. */
void function_say_numbers(Report *report, const Program *program, const Function *function, const MlirNumber *numbers);

/* ---- places.c ---- */

/* Memory that the caller sees, as a tensor of the claim. */
typedef struct FunctionMemory {
  MlirValue ref;   /* as it is executed */
  MlirValue named; /* with the sizes that are put in: what places are named by */
  Term memory;     /* of its element type, as the executor reads it */
  Term tensor;     /* as the claim does */
} FunctionMemory;

typedef Array(FunctionMemory) FunctionMemories;

/* Strides and offset that the type leaves open become those of a row-major layout: whatever they are, elements have
 * places of their own, and which these are counts for nothing. false: the type's own layout does not fit in. */
bool function_lay_out(TermTable *tt, const Program *p, const Type *type, MlirValue *ref);
/* Reads of memory become reads of tensors at the indices of the place; false: of a block or place that is not seen. */
bool function_name_places(TermTable *tt, const FunctionMemories *memories, Term *t);

#endif
