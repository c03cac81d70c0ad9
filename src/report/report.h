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
/* What the user says of sizes, as facts: it is printed, and so formulas may be the shorter for it. */
void report_push_said(const Claim *claim);
void report_fill(Report *report, const Claim *claim, Claim *const *launches, uint32_t count);

/* The verdict that random evaluation supports, and its witness; before report_fill. A mismatch is a fault of the
 * lifting: the recovery is stopped, so that no formula is claimed. */
void report_sample(Report *report, Claim *claim, const SampleResult *sample);

/* ---- outcome.c ---- */

Report *report_new(Arena *arena, const char *input, const Options *options);
/* Of one launch, before anything is found: unknown, with the reason why lifting stopped. */
void report_begin(Report *report, const Claim *claim, const Options *options);
/* Random evaluation. The longest launches cost as much as the blocks are large; before a proof, these are left to what
 * is not proved. */
SampleResult report_evaluate(Report *report, Claim *claim, bool before_proof);
/* After it. No launch was found: true if the user's assumptions exclude those that the kernel's memory asks for. Then
 * nothing is claimed, and that is reported. */
bool report_contradiction(Report *report, const Claim *claim);
/* After proof and safety analysis: what the verdict is under all of it. `other_row`: formula_assume_rows, or NULL. */
void report_outcome(Report *report, const Claim *claim, const SampleResult *sample, const char *other_row);
/* The reason says what the launch gives the kernel: its tensors, in place of arguments. */
void report_name_arguments(Report *report, const Claim *claim, const Launch *launch);
/* What one of several launches found, under its name. */
void report_add_launch(Report *report, const Report *own);
/* `report->claim` is that of all launches; the verdict on what they do together. */
void report_whole(Report *report, Verdict safety);
/* One more kernel of the operation, by name; false: --stop-after program, whose text is its report. */
bool report_kernel(Report *report, const Program *program, const Function *function, const Options *options);
/* --stop-after effects of a kernel, which are to be read back with its program. */
bool report_prints_effects(const Program *program, const Options *options);
/* false: --stop-after effects. */
bool report_effects(Report *report, Effects *effects, const Options *options);
/* --stop-after pointwise, and the declarations of tensor; before a proof, which narrows ranges. */
void report_pointwise_stage(Report *report, const Claim *claim, const Options *options);
/* What is made of a filled report: steps, stages, modules. */
void report_finish(Report *report, Claim *const *launches, uint32_t count, const Options *options);
/* Nothing is left open. */
bool report_is_done(const Report *report);
/* How many outputs have no tensor form, though they were not given element by element. */
uint32_t report_elementwise(const Report *report);
/* a says more than b, and nothing less. */
bool report_is_better(const Report *a, const Report *b);

/* ---- report.c ---- */

/* Steps of --explain: what each loop that was closed carries, one step of it and its closed form. */
void report_loops(Report *report, const Claim *claim);

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
