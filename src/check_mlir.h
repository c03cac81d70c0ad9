/* `assay check` of two MLIR files tells whether each function of the second is a refinement of that of the first. */
#ifndef ASSAY_CHECK_MLIR_H
#define ASSAY_CHECK_MLIR_H

#include "operation/request.h"
#include "report/types.h"

bool check_mlir_is_one(const Source *source);
/* NULL: one of them is not MLIR, as the diagnostics say. */
/* `functions`: of FILE:FUNCTION, NULL where none was named. */
Report *check_mlir(Arena *arena, Source *source, Source *target, const char *const functions[2], const Options *options,
                   DiagnosticList *diagnostics);

#endif
