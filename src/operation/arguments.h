/* What options and operation files say of a kernel's arguments before it is executed: --set, --alias, and two arguments
 * that an operation file gives one tensor. */
#ifndef ASSAY_ARGUMENTS_H
#define ASSAY_ARGUMENTS_H

#include "execute/execute.h"
#include "operation/request.h"

/* By parameter; NULL where nothing is said. Values that do not fit their parameter are usage errors. Names that are
 * found are marked as used. */
const ExecuteBinding *arguments_bind(Arena *arena, const Program *program, const Function *function,
                                     const Operation *operation, const Launch *launch, const Options *options,
                                     DiagnosticList *diagnostics);

/* After all kernels were lifted: usage errors for names in options that none has. */
void arguments_check_names(const Options *options, DiagnosticList *diagnostics);

#endif
