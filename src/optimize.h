/* `assay optimize`: a faster kernel for the same formula. */
#ifndef ASSAY_OPTIMIZE_H
#define ASSAY_OPTIMIZE_H

#include "pipeline.h"

/* The report lists candidates, best first, each proved equal to the input unless --unproved is given. */
Report *pipeline_optimize(Arena *arena, const CheckInput *input, const Options *options, DiagnosticList *diagnostics);

#endif
