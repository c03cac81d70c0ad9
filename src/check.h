/* `assay check` tells whether two inputs compute the same. Each is a kernel, a formula, or a function of a Python
 * file. */
#ifndef ASSAY_CHECK_H
#define ASSAY_CHECK_H

#include "pipeline.h"

/* LEFT is the implementation: where it is defined, RIGHT is to be defined and equal. Diagnostics as in pipeline_lift; a
 * pairing that cannot be found is a usage error. */
Report *pipeline_check(Arena *arena, const CheckInput *left, const CheckInput *right, const Options *options,
                       DiagnosticList *diagnostics);

#endif
