/* The pipeline: text -> program -> accesses -> pointwise form -> report. */
#include "pipeline.h"

#include <stdlib.h>
#include <string.h>

#include "lift_formula.h"
#include "prove/obligations.h"
#include "prove/prove.h"
#include "prove/sample.h"
#include "read/formula.h"
#include "read/read.h"
#include "report.h"

/* The function that was asked for, or the only public one. */
static const Function *choose_function(const Program *program, const char *wanted, Source *source, DiagnosticList *diagnostics) {
  const Function *chosen = NULL;
  uint32_t count = 0;
  Text names = text_new(diagnostics->arena);
  for (uint32_t i = 0; i < program->functions.count; i++) {
    const Function *f = &program->functions.data[i];
    if (!f->is_public) continue;
    const char *name = intern_string(program->names, f->name);
    text_format(&names, "%s%s", count++ ? ", " : "", name);
    if (!wanted || !strcmp(wanted, name)) chosen = f;
  }
  if (chosen && (wanted || count == 1)) return chosen;
  if (wanted)
    diagnostic_add(diagnostics, SEVERITY_ERROR, "kernel.unknown", source, (Span){0, 0}, "pass one of these to --kernel",
                   "no public function %s; there are: %s", wanted, text_string(&names));
  else
    diagnostic_add(diagnostics, SEVERITY_ERROR, count ? "kernel.several" : "kernel.none", source, (Span){0, 0},
                   count ? "choose with --kernel NAME, or --all" : NULL, "%s%s",
                   count ? "the file has several public functions: " : "the file has no public function", text_string(&names));
  return NULL;
}

static bool has_undefined(const Recovery *recovery) {
  const Pointwise *p = recovery->pointwise;
  for (uint32_t i = 0; i < p->outputs.count; i++)
    for (uint32_t k = 0; k < p->outputs.data[i].pieces.count; k++) {
      const PointwisePiece *piece = &p->outputs.data[i].pieces.data[k];
      if ((term_node(p->tt, piece->value)->flags | term_node(p->tt, piece->region)->flags) & TERM_HAS_UNDEF) return true;
    }
  return false;
}

static Recovery *run(Arena *arena, InternTable *names, const Program *program, const Function *function, const Launch *launch, bool zero_fill) {
  TermTable *tt = term_table_new(arena, names);
  ExecuteOptions options = {.zero_fill = zero_fill};
  for (uint32_t i = 0; i < launch->grid_count && i < 3; i++) /* an expression is no number: 0 */
    options.grid_sample[i] = strspn(launch->grid[i], "0123456789") == strlen(launch->grid[i]) ? strtoll(launch->grid[i], NULL, 10) : 0;
  Execution *ex = execute_function(arena, tt, program, function, options);
  return recover_views(arena, ex);
}

Report *pipeline_lift(Arena *arena, const Operation *operation, const Options *options, DiagnosticList *diagnostics) {
  Report *report = arena_new(arena, Report);
  const Launch *launch = &operation->launches.data[0];
  if (formula_is_one(launch->source)) return lift_formula(arena, launch, options, diagnostics);
  InternTable *names = arena_new(arena, InternTable);
  intern_init(names, arena);
  report->arena = arena;
  report->input = launch->file;
  Program *program = read_triton(arena, names, launch->source, diagnostics);
  if (!program) return report;
  const Function *function = choose_function(program, launch->kernel, launch->source, diagnostics);
  if (!function) return report;
  report->kernel = intern_string(names, function->name);
  if (options->stop_after && !strcmp(options->stop_after, "program")) {
    Text text = text_new(arena);
    program_print(program, &text);
    report->stage_text = text_string(&text);
    report->verdict = report->safety = VERDICT_UNKNOWN;
    report->reason = (ReportReason){"stopped", "stopped after the program"};
    return report;
  }
  Recovery *recovery = run(arena, names, program, function, launch, false);
  if (!recovery->stop_code && has_undefined(recovery)) recovery = run(arena, names, program, function, launch, true);
  if (options->stop_after && !strcmp(options->stop_after, "pointwise") && !recovery->stop_code)
    report->stage_text = report_pointwise(arena, recovery->pointwise);
  report->verdict = report->safety = VERDICT_UNKNOWN;
  SampleResult sample = {0};
  ProveResult proof = {0};
  if (options->explain) report_loops(report, recovery->ex);
  if (recovery->stop_code) report->reason = (ReportReason){recovery->stop_code, recovery->stop_text};
  else {
    sample = sample_check(arena, program, function, recovery, NULL);
    report_sample(report, recovery, &sample);
    if (!options->no_prove && !recovery->stop_code) {
      proof = prove_claim(arena, recovery);
      report_proof(report, recovery, &proof);
    }
  }
  report->safety = obligations_find(arena, recovery, &proof, operation, options);
  report->recovery = recovery;
  report_fill(report, recovery);
  report_replay(report, recovery, options);
  if (!options->explain) report->steps.count = 0;
  if (recovery->stop_code) return report;
  if (options->stop_after && !strcmp(options->stop_after, "tensor")) report->stage_text = report_tensor(report);
  report_emit(report, recovery->pointwise, options);
  return report;
}
