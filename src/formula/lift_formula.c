/* The pipeline for formulas (see lift_formula.h). */
#include "formula/lift_formula.h"

#include <string.h>

#include "formula/formula_bounds.h"
#include "graph/graph.h"
#include "operation/given.h"
#include "reference/reference.h"
#include "report/report.h"

/* True if nothing meets all that the formula assumes. */
static bool excludes_itself(TermTable *tt, const Formula *formula) {
  Term all = tt->true_;
  for (uint32_t i = 0; i < formula->assumed.count; i++) {
    const FormulaAssumption *a = &formula->assumed.data[i];
    if (a->condition) all = term_and(tt, all, a->condition);
    if (a->lo) all = term_and(tt, all, term_le(tt, a->lo, a->symbol));
    if (a->hi) all = term_and(tt, all, term_le(tt, a->symbol, a->hi));
  }
  return given_is_contradiction(tt, all);
}

/* Of a formula or of a graph; NULL after diagnostics. */
static Pointwise *read_pointwise(Arena *arena, TermTable *tt, Source *source, bool *excluded,
                                 DiagnosticList *diagnostics) {
  if (graph_is_one(source)) {
    const Graph *graph = graph_read(arena, tt, source, diagnostics);
    return graph ? graph->pointwise : NULL;
  }
  Formula *formula = formula_read(arena, tt, source, NULL, diagnostics);
  bool stands = formula && reference_stand_alone(arena, formula, source, diagnostics);
  *excluded = stands && excludes_itself(tt, formula);
  return stands ? formula->pointwise : NULL;
}

Claim *lift_formula_read(Arena *arena, InternTable *names, Source *source, DiagnosticList *diagnostics) {
  TermTable *tt = term_table_new(arena, names);
  bool excluded = false;
  Pointwise *pointwise = read_pointwise(arena, tt, source, &excluded, diagnostics);
  if (!pointwise) return NULL;
  Claim *claim = arena_new(arena, Claim);
  claim->tt = tt;
  claim->pointwise = pointwise;
  claim->excludes_itself = excluded;
  return claim;
}

/* What a text in tensor form gives element by element had no tensor form: its stage prints itself. */
static void keep_elements(Pointwise *p) {
  for (uint32_t i = 0; p->is_in_tensor_form && i < p->outputs.count; i++)
    p->outputs.data[i].is_of_elements = !p->outputs.data[i].formula;
}

Report *lift_formula(Arena *arena, const Launch *launch, const Options *options, DiagnosticList *diagnostics) {
  Report *report = report_new(arena, launch->file, options);
  InternTable *names = arena_new(arena, InternTable);
  intern_init(names, arena);
  for (uint32_t i = 0; i < options->sets.count; i++)
    diagnostic_add(diagnostics, SEVERITY_ERROR, "usage.argument", NULL, (Span){0, 0},
                   "write the number in its place, or `assay optimize` with --set",
                   "--set: %s has no argument '%s' that is given when it is called", launch->file,
                   options->sets.data[i].name);
  if (options->sets.count) return report;
  Claim *claim = lift_formula_read(arena, names, launch->source, diagnostics);
  if (!claim) return report;
  if (options->stop_after && !strcmp(options->stop_after, "tensor")) keep_elements(claim->pointwise);
  report->claim = claim;
  report->kernel = claim->pointwise->kernel;
  report->verdict = report->safety = VERDICT_PROVED; /* a formula is what it says */
  if (claim->excludes_itself) {
    report->verdict = report->safety = VERDICT_UNKNOWN;
    report->reason = (ReportReason){REASON_NO_LAUNCH, "what is assumed excludes itself: no launch is spoken of"};
  }
  formula_bounds(claim);
  for (uint32_t i = 0; i < claim->obligations.count; i++)
    if (claim->obligations.data[i].verdict != OBLIGATION_PROVED) report->safety = VERDICT_UNKNOWN;
  report_fill(report, claim, &claim, 1);
  report_keep_steps(report, options);
  if (options->stop_after && !strcmp(options->stop_after, "pointwise"))
    report->stage_text = report_pointwise(arena, claim->pointwise);
  if (options->stop_after && !strcmp(options->stop_after, "tensor"))
    report->stage_text =
        arena_format(arena, "%s%s", report_declarations(arena, claim->pointwise), report_tensor_stage(report));
  report_emit(report, claim->pointwise, options);
  return report;
}
