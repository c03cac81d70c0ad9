/* What the user assumes (--assume): conditions over a kernel's arguments and grid, as assumptions of kind `user`.
 *
 * They are facts for recovery, proof, obligations and random evaluation, and are printed as the user wrote them. A name is that
 * of the author, argN, the name that an operation file gives the argument, or grid_x, grid_y, grid_z. */
#ifndef ASSAY_GIVEN_H
#define ASSAY_GIVEN_H

#include "execute/execute.h"
#include "pipeline.h"

/* Adds to `ex->given` what speaks of this kernel alone. What can never hold, or speaks of what is no integer, is a usage error. */
void given_assume(Execution *ex, const Operation *operation, const Launch *launch, const Options *options, DiagnosticList *diagnostics);

#endif
