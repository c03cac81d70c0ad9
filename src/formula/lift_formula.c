/* The pipeline for formulas (see lift_formula.h). */
#include "formula/lift_formula.h"

#include <string.h>

#include "formula/formula_bounds.h"
#include "reference/reference.h"
#include "report/report.h"

Recovery *lift_formula_read(Arena *arena, InternTable *names, Source *source, DiagnosticList *diagnostics) {
  TermTable *tt = term_table_new(arena, names);
  Formula *formula = formula_read(arena, tt, source, NULL, diagnostics);
  if (!formula || !reference_stand_alone(arena, formula, source, diagnostics)) return NULL;
  Recovery *recovery = arena_new(arena, Recovery);
  recovery->ex = arena_new(arena, Effects);
  recovery->ex->arena = arena, recovery->ex->tt = tt;
  recovery->pointwise = formula->pointwise;
  return recovery;
}

/* What a text in tensor form gives element by element had no tensor form: its stage prints itself. */
static void keep_elements(Pointwise *p) {
  for (uint32_t i = 0; p->is_in_tensor_form && i < p->outputs.count; i++)
    p->outputs.data[i].is_of_elements = !p->outputs.data[i].formula;
}

Report *lift_formula(Arena *arena, const Launch *launch, const Options *options, DiagnosticList *diagnostics) {
  Report *report = arena_new(arena, Report);
  InternTable *names = arena_new(arena, InternTable);
  intern_init(names, arena);
  report->arena = arena;
  report->input = launch->file;
  Recovery *recovery = lift_formula_read(arena, names, launch->source, diagnostics);
  if (!recovery) return report;
  if (options->stop_after && !strcmp(options->stop_after, "tensor")) keep_elements(recovery->pointwise);
  report->recovery = recovery;
  report->kernel = recovery->pointwise->kernel;
  report->verdict = report->safety = VERDICT_PROVED; /* a formula is what it says */
  formula_bounds(recovery);
  for (uint32_t i = 0; i < recovery->obligations.count; i++)
    if (recovery->obligations.data[i].verdict != OBLIGATION_PROVED) report->safety = VERDICT_UNKNOWN;
  report_fill(report, recovery, &recovery, 1);
  if (options->stop_after && !strcmp(options->stop_after, "pointwise"))
    report->stage_text = report_pointwise(arena, recovery->pointwise);
  if (options->stop_after && !strcmp(options->stop_after, "tensor"))
    report->stage_text =
        arena_format(arena, "%s%s", report_declarations(arena, recovery->pointwise), report_tensor_stage(report));
  report_emit(report, recovery->pointwise, options);
  return report;
}
