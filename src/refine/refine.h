/* Tells whether one MLIR function is a refinement of another, for all inputs and shapes.
 *
 * Where the source is defined, the target is defined, and each result is equal wherever that of the source is not
 * poison. `proved` rests on terms alone (prove.c); `refuted` on numbers at which the evaluation of both sides, with
 * floats as IEEE 754 has them, shows the difference (counterexample.c); everything else is `unknown`. */
#ifndef ASSAY_REFINE_REFINE_H
#define ASSAY_REFINE_REFINE_H

#include "base/kinds.h"
#include "base/verdict.h"
#include "mlir/mlir.h"

typedef struct RefineName {
  const char *name, *value;
} RefineName;

/* Numbers at which they differ. */
typedef struct RefineWitness {
  Array(RefineName) sizes, scalars, inputs, index;
  const char *left, *right;  /* the values; "undefined", "poison" */
  const char *result;        /* "result 1", or what the target is undefined for */
  Array(const char *) lines; /* arguments, operations of both sides up to the first that differs */
} RefineWitness;

typedef struct RefineAnswer {
  const char *name;
  Verdict verdict;
  ReasonCode code; /* why */
  const char *text;
  bool is_typed;         /* memory of different element types is taken not to overlap */
  bool always_undefined; /* the source is, for all inputs */
  bool open_order;       /* a side has sums whose order the dialect leaves open */
  const RefineWitness *witness;
} RefineAnswer;

typedef struct RefineOptions {
  MlirFlags flags;
  Array(const char *) only;         /* names of results; empty: all */
  const char *source, *target;      /* names of functions: the only pair; NULL: any of that side, by the other's name */
  const MlirNumber *const *numbers; /* by function of the source: what its arguments are set to; NULL: nothing */
  double share;                     /* of the time that is left */
} RefineOptions;

/* The pairs of functions, by name, in the order of the source. */
typedef struct RefineAnswers {
  RefineAnswer *data;
  uint32_t count;
} RefineAnswers;

RefineAnswers refine_programs(Arena *arena, const Program *source, const Program *target, const RefineOptions *options);

#endif
