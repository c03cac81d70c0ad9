/* Terms of MLIR functions on numbers: integers of any size that fit 128 bits, floats as IEEE 754 has them.
 *
 * Elements of arguments and results of unknown functions are made up from a seed. What does not fit, or takes too many
 * steps, makes the evaluation fail, so that nothing follows from it. */
#ifndef ASSAY_REFINE_EVALUATE_H
#define ASSAY_REFINE_EVALUATE_H

#include "mlir/mlir.h"

typedef struct Evaluation Evaluation;

/* What an argument's elements are. */
typedef struct EvaluationInput {
  Term symbol;
  bool is_float, is_index;
  FloatFormat format;
  uint32_t width;
  bool is_set; /* all elements are this one */
  Int128 set;
} EvaluationInput;

Evaluation *evaluation_new(Arena *arena, TermTable *tt, uint32_t input_count, const EvaluationInput *inputs);
/* Other elements and no symbols; `wild`: infinities, NaN, zeros of both signs and extreme integers are frequent. */
void evaluation_begin(Evaluation *e, uint64_t seed, bool wild);
/* From now on: elements of floats are small halves, whose sums are exact. */
void evaluation_simplify(Evaluation *e);
void evaluation_set(Evaluation *e, Term symbol, Int128 value);
/* All elements of an input are this one, until the next beginning. */
void evaluation_force(Evaluation *e, Term symbol, Int128 value);
/* Of Bools 0 or 1. false: it failed. */
bool evaluation_of(Evaluation *e, Term t, Int128 *out);
/* How many steps all evaluations have taken so far. */
uint64_t evaluation_effort(const Evaluation *e);
/* Of a number, whatever its sort. */
bool evaluation_real_of(Evaluation *e, Term t, double *out);
/* The element that the seed gives an argument. */
Int128 evaluation_element(const Evaluation *e, const EvaluationInput *input, uint32_t count, const Int128 *index);

#endif
