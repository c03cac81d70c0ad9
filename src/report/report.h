/* From the results of the stages to the report: texts only. */
#ifndef ASSAY_REPORT_H
#define ASSAY_REPORT_H

#include "lift/recover.h"
#include "operation/request.h"
#include "report/types.h"
#include "prove/prove.h"
#include "sample/sample.h"

/* Fills inputs, outputs and assumptions from a claim, and obligations, literals, roundings and opaque from those of
 * the launches that it is made of (itself, if there is one). */
void report_fill(Report *report, const Claim *claim, Claim *const *launches, uint32_t count);

/* The verdict that random evaluation supports, and its witness; before report_fill. A mismatch is a fault of the
 * lifting: the recovery is stopped, so that no formula is claimed. */
void report_sample(Report *report, Claim *claim, const SampleResult *sample);

/* Steps of --explain: what each loop that was closed carries, one step of it and its closed form. */
void report_loops(Report *report, const Effects *ex);

/* The verdict of the prover over that of random evaluation; its goals become steps and statistics. */
void report_proof(Report *report, const Claim *claim, const ProveResult *proof);
/* The steps of the stage of --explain=STAGE alone; none without --explain. */
void report_keep_steps(Report *report, const Options *options);
/* The steps of an explanation, a line each (NULL: none), of that goal. */
void report_steps(Report *report, const char *name, const char *lines);

/* The text of the pointwise form, which reads back: declarations, then a line `y[i, j] = value for region` per output.
 */
const char *report_pointwise(Arena *arena, const Pointwise *pointwise);
/* `formula NAME`, and the declarations of what formulas in tensor form speak of. */
const char *report_declarations(Arena *arena, const Pointwise *pointwise);
/* The formulas of a filled report, one line `y[rows, cols] = formula` per output (docs/formula.md). */
const char *report_tensor(const Report *report);
/* The same, to be read again: random bits, which are only a name, in pointwise form, and parts of long ones by name. */
const char *report_tensor_stage(const Report *report);

/* The modules of --emit that are made from the formula itself; after report_fill. */
void report_emit(Report *report, const Pointwise *pointwise, const Options *options);

/* The script of --emit replay, of the first refuted obligation whose witness is a whole launch; after report_fill. */
void report_replay(Report *report, const Claim *claim, const Options *options);

#endif
