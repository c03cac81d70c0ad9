/* What the constructors of terms leave out: 0 * log(x) is 0 as a term, and a / b - a / b too. A value is then defined
 * where the operations that made it are not. */
#ifndef ASSAY_SAFETY_DEFINEDNESS_H
#define ASSAY_SAFETY_DEFINEDNESS_H

#include "safety/domain.h"

/* True if there is something in the operands that the result does not show. */
bool definedness_some(Domain *d, TermStep step);
/* True if the operands are numbers all the same. Else what is to blame is in d. */
bool definedness_is_defined(Domain *d, TermStep step);

/* True if the condition that compares a and b asks for less than they do. Where they are no numbers, none is known. */
bool definedness_of_comparison(Domain *d, Term a, Term b, Term condition);

/* Of an operation of a kernel: true if the operands have a divisor that may be 0, or bits that are shifted too far,
 * which the result does not show. */
bool definedness_of_integers(Domain *d, TermStep step);
/* True if the formula, which is over other indices, has fewer integer divisors that may be 0 than the value it was
 * made of. */
bool definedness_of_store(Domain *d, const Access *stored, const PointwisePiece *formula);
/* True if it compares less that may be no number than the store does. By laws, (log(x) < 0) | (log(x) >= 0) is
 * true. */
bool definedness_of_conditions(Domain *d, const Access *stored, const PointwisePiece *formula);

/* The steps in which the values of the right were made (TermTable.made): the first of which something is left out that
 * neither they nor those of the left ask for, and that is not defined everywhere; as a text. NULL: there is none.
 * `tensors`: whose reads outside count; NULL: those at data. `others`: indices of other outputs, whose steps are none
 * of this one. Also a product with a factor that is 0 by a choice, `(y > 0) * log(x)`, which a proof by cases takes for
 * 0. */
const char *definedness_of_steps(Arena *arena, TermTable *tt, const Pointwise *tensors, const TermSteps *steps,
                                 const TermList *others, const TermList *right, const TermList *left);
/* Why the value may have none for some finite inputs, as a text; NULL: it always has. */
const char *definedness_of_inputs(Arena *arena, TermTable *tt, const Pointwise *tensors, Term value);
/* SIGN_* that the numbers left there have for all finite inputs, if they cover the tensor; 0: none is known. */
uint8_t definedness_sign_of(Arena *arena, TermTable *tt, const Pointwise *tensors, const PointwiseTensor *view,
                            const PointwiseOutput *left);
/* What is true wherever the value is defined: it reads inside of its tensors, where it reads in any case. */
void definedness_places(Arena *arena, TermTable *tt, const Pointwise *tensors, Term value, TermList *out);
/* Pushes what follows from the value being a number in the end: a sum that it divides by has an element, and
 * a float argument is not 0, also where an infinity would be a number again: that is an assumption or a finding. */
void definedness_push_asked(Arena *arena, TermTable *tt, const Pointwise *tensors, Term value);
/* True if less is asked for once `before` was made again with other numbers. Then something cancelled. */
bool definedness_by_making(Arena *arena, TermTable *tt, const Pointwise *tensors, Term before, Term made);
/* The values are proved to be equal, by laws that leave out too: what the right asks for that the left does not, and
 * that is not met everywhere; as a text. NULL: there is none. */
const char *definedness_of_value(Arena *arena, TermTable *tt, const Pointwise *tensors, Term right, Term left);

#endif
