/* Deduction: from a pointwise value to a tensor expression, by structure and without search.
 *
 * The result is only believed because its meaning is the value again: deduce checks that the term which the expression
 * denotes is the output's own term (up to the region, and to folds counted from 0), and returns NULL otherwise. */
#ifndef ASSAY_LIFT_DEDUCE_H
#define ASSAY_LIFT_DEDUCE_H

#include "lift/pointwise.h"
#include "tensor/tensor.h"

/* The formula of an output of p, of the output's shape; NULL when no tensor form is found, with a reason in *why (which
 * may be NULL): a short text for --explain. New nodes and symbols go to the arena of p->tt. Random bits that the
 * formula calls by name are added to `bits`, which the outputs of a kernel share (lift/bits.c). */
const TensorExpr *deduce(const Pointwise *p, const PointwiseOutput *output, TensorBitsList *bits, const char **why);

/* The output with those pieces as one that one value under one condition says: stores that were written as several. */
PointwiseOutput deduce_whole(const Pointwise *p, const PointwiseOutput *output);
/* The value that the pieces of an output make together: later pieces over earlier ones, atomics over the old contents.
 * 0 when the pieces leave part of the region open in a way that no one term says. */
Term deduce_value(const Pointwise *p, const PointwiseOutput *output);
/* What an atomic leaves of `old` in the memory of that tensor, which holds integers modulo 2^w. 0: no term says that.
 */
Term deduce_combined(TermTable *tt, const PointwiseTensor *tensor, int accumulate, Term old, Term value);
/* Where the output is written: the union of the pieces' regions. */
Term deduce_region(const Pointwise *p, const PointwiseOutput *output);

#endif
