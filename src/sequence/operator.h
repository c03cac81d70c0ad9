/* An operator: the launches of an operation, each lifted by itself, as one recovery under the operation's names.
 *
 * Arguments, grids and sizes of each launch become the operation's expressions; what a launch assumed is kept where
 * these do not make it true. Plain numbers are a sample and no constants: such an argument keeps its name, and a
 * relation between two numbers that the composition needs is an assumption of kind `launch`. */
#ifndef ASSAY_OPERATOR_H
#define ASSAY_OPERATOR_H

#include "lift/recover.h"
#include "base/verdict.h"
#include "operation/request.h"

typedef struct Operator Operator;

/* The pointwise form of the whole. `launches` are those of the operation, in order, each with a table of its own, and
 * none has stopped or has been proved yet: a proof narrows the ranges of its symbols. What cannot be composed stops the
 * result. */
Operator *operator_new(Arena *arena, InternTable *names, const Operation *operation, Claim *const *launches);
Claim *operator_result(Operator *o);
/* The launches that the request describes under its names (a tensor of an operation file, a shape that is given), as
 * `kernel`; NULL: there are no such names, it is one launch, or one has stopped. */
Operator *operator_of(Arena *arena, InternTable *names, const Operation *operation, const Options *options,
                      Claim *const *launches, const char *kernel);
/* The first launch that has stopped, or NULL. */
Claim *operator_stopped(const Operation *operation, Claim *const *launches);
/* What a function returns is no operand of another launch, and no tensor of an operation file: such a claim stops. */
void operator_check_results(const Operation *operation, Claim *claim);
/* Tells the claim of a launch the signs of its tensors' elements, as the launches before leave them. These are proved.
 */
void operator_find_signs(Operator *o, uint32_t launch);
/* The assumptions of the launches become those of the result, and their obligations get the operation's names and rest
 * on these. What is found of all together (order, coverage of what several write) is obligations of theirs: its
 * verdict. is_proved: the value that each of them leaves is. */
Verdict operator_finish(Operator *o, bool is_proved, const Options *options);

#endif
