/* Symbolic execution: one function of a program to its effects (effects.h). */
#ifndef ASSAY_EXECUTE_EXECUTE_H
#define ASSAY_EXECUTE_EXECUTE_H

#include "execute/effects.h"

/* Runs the function. `tt` must be fresh for each run. Never fails: what could not be executed stands in stop_*. */
Effects *execute_function(Arena *arena, TermTable *tt, const Program *program, const Function *function,
                          ExecuteOptions options);

#endif
