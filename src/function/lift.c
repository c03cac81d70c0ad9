/* The pipeline for MLIR functions (see function.h). */
#include <string.h>

#include "function/claim.h"
#include "operation/kernel.h"
#include "read/mlir/read.h"
#include "read/readers.h"
#include "report/report.h"

bool function_is_one(const Operation *operation) {
  for (uint32_t i = 0; i < operation->launches.count; i++)
    if (reader_of(operation->launches.data[i].source)->is_of_dialects) return true;
  return false;
}

static bool stops_after(const Options *options, const char *stage) {
  return options->stop_after && !strcmp(options->stop_after, stage);
}

/* Conversions to formats that cannot hold what they are of. */
static void note_roundings(Report *report, const Program *p, const Function *f) {
  ProgramExtent extent = program_extent(p, f);
  for (OpId id = extent.first_op; id < extent.end_op; id++) {
    const Op *op = program_get_op(p, id);
    if (strcmp(intern_string(p->names, op->name), "arith.truncf") != 0) continue;
    Text text = text_new(report->arena);
    program_type_print(p, program_get_value(p, op->operands[0])->type, &text);
    text_add(&text, " to ");
    program_type_print(p, program_get_value(p, op->first_result)->type, &text);
    text_format(&text, " (line %u)", source_locate(p->source, op->span.begin).line);
    array_push(report->arena, &report->roundings, text_string(&text));
  }
}

static void conclude(Report *report, const Claim *claim) {
  report->undefined_where = claim->undefined_where;
  report->verdict = report->safety = VERDICT_PROVED;
  if (claim->stop_code) {
    report->verdict = report->safety = VERDICT_UNKNOWN;
    report->reason = (ReportReason){claim->stop_code, claim->stop_text};
  }
  for (uint32_t i = 0; i < claim->obligations.count; i++) {
    int own = claim->obligations.data[i].verdict;
    Verdict verdict = own == OBLIGATION_PROVED    ? VERDICT_PROVED
                      : own == OBLIGATION_REFUTED ? VERDICT_REFUTED
                                                  : VERDICT_UNKNOWN;
    report->safety = verdict_worse(report->safety, verdict);
  }
}

static void print_stages(Report *report, const Claim *claim, const Options *options) {
  if (stops_after(options, "pointwise")) report->stage_text = report_pointwise(report->arena, claim->pointwise);
  if (stops_after(options, "tensor"))
    report->stage_text = arena_format(report->arena, "%s%s", report_declarations(report->arena, claim->pointwise),
                                      report_tensor_stage(report));
}

Report *function_lift(Arena *arena, const Operation *operation, const Options *options, TermSteps *made,
                      DiagnosticList *diagnostics) {
  const Launch *launch = &operation->launches.data[0];
  Report *report = report_new(arena, launch->file, options);
  Kernel kernel = {.operation = operation, .launch = launch, .options = options, .program = launch->program};
  InternTable *names = arena_new(arena, InternTable);
  intern_init(names, arena);
  report->verdict = report->safety = VERDICT_UNKNOWN;
  report->reason = (ReportReason){REASON_UNSUPPORTED_OP, "functions of MLIR are lifted one by one, without a launch"};
  if (operation->launches.count > 1 || operation->has_tensors) return report;
  if (!kernel.program) kernel.program = read_program(arena, names, launch->source, NULL, diagnostics);
  if (!kernel.program || !kernel_choose(&kernel, diagnostics)) return report;
  report->reason = (ReportReason){0};
  if (!report_kernel(report, kernel.program, kernel.function, options)) return report;
  Claim *claim = function_claim(arena, kernel.program, kernel.function, made);
  report->claim = claim;
  conclude(report, claim);
  report_fill(report, claim, &claim, 1);
  note_roundings(report, kernel.program, kernel.function);
  if (claim->stop_code) return report;
  print_stages(report, claim, options);
  report_emit(report, claim->pointwise, options);
  return report;
}
