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
/* What the launch gives the argument, by its name or place; NULL: nothing. */
const LaunchArg *operator_find_arg(const Launch *launch, const char *name, uint32_t place);
/* The assumptions of the launches become those of the result, and their obligations get the operation's names and rest
 * on these. What is found of all together (order, coverage of what several write) is obligations of theirs: its
 * verdict. is_proved: the value that each of them leaves is. */
Verdict operator_finish(Operator *o, bool is_proved, const Options *options);

#endif
