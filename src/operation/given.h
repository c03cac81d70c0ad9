/* What the user assumes (--assume): conditions over a kernel's arguments and grid, as assumptions of kind `user`.
 *
 * They are facts for claim, proof, obligations and random evaluation, and are printed as the user wrote them. A name
 * is that of the author, argN, the name that an operation file gives the argument, or grid_x, grid_y, grid_z. */
#ifndef ASSAY_GIVEN_H
#define ASSAY_GIVEN_H

#include "execute/execute.h"
#include "operation/request.h"

/* An expression of interface.md, section 5, and none that divides by zero whatever its names are. */
bool given_is_expression(Arena *arena, const Expr *given);
#define GIVEN_EXPRESSION                                                                                               \
  "names, whole numbers up to 2^62, + - * // %, cdiv, round_up, next_pow2, min, max; at most 1000 operators"
/* What is wrong with the sizes of a tensor or of a grid, as far as they are numbers; NULL: nothing. */
const char *given_shape_error(const Expr *const *given, uint32_t count, int64_t least);
const char *given_grid_error(Arena *arena, const Expr *const *given, uint32_t count);
/* True if the operation has a size or a number of that name. */
bool given_names(const Operation *operation, const char *name);
/* Adds a condition and its names to the options; false: it is none. */
bool given_read_condition(Arena *arena, const char *text, Options *to);
/* The operation with the tensors that --shape and --strides describe, under the kernels' names; NULL: neither these nor
 * --grid are given. */
const Operation *given_operation(Arena *arena, const Operation *operation, const Options *options);
/* Adds to `ex->given` what speaks of this kernel alone. What can never hold, one by one or together, or speaks of what
 * is no integer, is a usage error. */
void given_assume(Effects *ex, const Operation *operation, const Launch *launch, const Options *options,
                  DiagnosticList *diagnostics);

/* What the numbers of a launch say, as assumptions of kind `launch`: that a flat index which is cut by sizes ends at
 * their product; that an argument which places go by is not negative, but for those in `waived`; and what its
 * expressions say: the number of programs, where it is one of the kernel's arguments. Adds to `ex->given` and
 * `ex->grids` what is taken of it. The result, and ex->launch_signs: all that there is to take. Before places are
 * looked at. */
enum { TAKE_GRIDS = 1, TAKE_ENDS = 2, TAKE_SIGNS = 4 };
uint32_t given_by_launch(Effects *ex, const Operation *operation, const Launch *launch, uint32_t taken,
                         uint64_t waived);

/* The options with what the kernel was compiled for: that integer arguments are multiples. NULL: of none. */
const Options *given_by_kernel(const Effects *ex, const Options *options);
/* Why assumption `number` of the options is made. */
const char *given_why(const Options *options, uint32_t number);

/* --assume 'a == b' of two integer arguments: the later one is the earlier. `samples` has one for each argument. */
void given_relate(Arena *arena, const Program *program, const Function *function, const ExecuteBinding *bindings,
                  const Options *options, ExecuteSample *samples);

/* True if it is shown that nothing meets the condition, within the ranges and facts of the table. */
bool given_is_contradiction(TermTable *tt, Term condition);
/* The solver gives values that meet it, which is of integers alone. */
bool given_has_model(TermTable *tt, Term condition);

#endif
