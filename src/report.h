/* From the results of the stages to the report: texts only. */
#ifndef ASSAY_REPORT_H
#define ASSAY_REPORT_H

#include "lift/recover.h"
#include "pipeline.h"

/* Fills inputs, outputs, assumptions, obligations, literals, roundings and opaque from a recovery. */
void report_fill(Report *report, const Recovery *recovery);

#endif
