/* The pipeline as one function: text to report. Every stage is one call; see pipeline.c. */
#ifndef ASSAY_PIPELINE_H
#define ASSAY_PIPELINE_H

#include "operation/request.h"
#include "report/types.h"

/* Lifts one operation. Diagnostics mean bad input (exit 3). Never returns half a report: limits arrive at the guard
 * of `arena`. Progress is reported through `options`-independent callbacks of the API layer. */
Report *pipeline_lift(Arena *arena, const Operation *operation, const Options *options, DiagnosticList *diagnostics);

#endif
