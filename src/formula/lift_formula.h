/* The pipeline for inputs that are formulas already: nothing is executed, and nothing is left to prove. */
#ifndef ASSAY_LIFT_FORMULA_H
#define ASSAY_LIFT_FORMULA_H

#include "lift/recover.h"
#include "operation/request.h"
#include "report/types.h"

/* Reads a formula as a recovery that met nothing on the way; NULL and diagnostics if it cannot stand alone. */
Claim *lift_formula_read(Arena *arena, InternTable *names, Source *source, DiagnosticList *diagnostics);
/* The report on it. */
Report *lift_formula(Arena *arena, const Launch *launch, const Options *options, DiagnosticList *diagnostics);

#endif
