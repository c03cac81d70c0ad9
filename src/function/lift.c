/* The pipeline for MLIR functions (see function.h). */
#include <string.h>

#include "function/claim.h"
#include "operation/arguments.h"
#include "operation/kernel.h"
#include "prove/equal.h"
#include "read/mlir/read.h"
#include "read/readers.h"
#include "report/report.h"
#include "search/search.h"

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

/* What execution found, for all sizes, is what is proposed. */
static bool is_proved(TermTable *tt, const PointwisePiece *piece, Term value) {
  uint32_t facts = tt->facts.count;
  equal_push(tt, piece->region);
  bool good = equal_prove(tt, value, piece->value) != EQUAL_NONE;
  term_pop_facts(tt, facts);
  return good;
}

typedef struct Proposal {
  Claim *claim;
  Term *before;
  bool good;
} Proposal;

static void prove_all(void *payload) {
  Proposal *proposal = payload;
  const Pointwise *p = proposal->claim->pointwise;
  uint32_t n = 0;
  proposal->good = true;
  for (uint32_t i = 0; i < p->outputs.count; i++)
    for (uint32_t k = 0; k < p->outputs.data[i].pieces.count && proposal->good; k++)
      proposal->good = is_proved(p->tt, &p->outputs.data[i].pieces.data[k], proposal->before[n++]);
}

static const double TIME_SHARE = 0.5; /* of the time that is left: the values as executed are an answer too */

/* Formulas that the search finds take the place of the values as executed where they are proved equal to them. */
static bool search(Report *report, Claim *claim, const Options *options) {
  Pointwise *p = claim->pointwise;
  SearchOptions how = {.no_top_down = options->no_top_down, .no_prune = options->no_prune};
  SearchLog log = {0};
  Array(Term) before = {0};
  how.is_brief = !options->engine;
  for (uint32_t i = 0; i < p->outputs.count; i++)
    for (uint32_t k = 0; k < p->outputs.data[i].pieces.count; k++)
      array_push(report->arena, &before, p->outputs.data[i].pieces.data[k].value);
  bool found = search_claim(report->arena, claim, &how, &log);
  for (uint32_t i = 0; i < log.count; i++) array_push(report->arena, &report->steps, log.data[i]);
  if (!found) return false;
  Proposal proposal = {claim, before.data, false};
  bool good = term_attempt(claim->tt, TIME_SHARE, prove_all, &proposal) && proposal.good;
  for (uint32_t i = 0, n = 0; i < p->outputs.count && !good; i++)
    for (uint32_t k = 0; k < p->outputs.data[i].pieces.count; k++)
      p->outputs.data[i].pieces.data[k].value = before.data[n++];
  const char *how_it_ends = good ? "is shown for all sizes" : "is not shown for all sizes; the values as executed are";
  array_push(report->arena, &report->steps, arena_format(report->arena, "search: what was found %s", how_it_ends));
  return good;
}

void function_say_numbers(Report *report, const Program *p, const Function *f, const MlirNumber *numbers) {
  const Block *entry =
      program_get_block(p, program_get_region(p, program_get_op(p, f->op)->regions[0])->blocks.data[0]);
  for (uint32_t i = 0; numbers && i < entry->arg_count; i++) {
    const char *name = program_arg_name(p, entry->first_arg + i), *text;
    bool is_float = program_value_type(p, entry->first_arg + i)->kind == TYPE_FLOAT, known = !numbers[i].is_set;
    if (is_float)
      text = arena_format(report->arena, "%s = %.17g", name, numbers[i].real);
    else
      text = arena_format(report->arena, "%s = %lld", name, (long long)numbers[i].integer);
    for (uint32_t k = 0; k < report->literals.count && !known; k++) known = !strcmp(report->literals.data[k], text);
    if (!known) array_push(report->arena, &report->literals, text);
  }
}

static void fill(Report *report, const Kernel *kernel, const MlirNumber *numbers, Claim *claim) {
  report->claim = claim;
  conclude(report, claim);
  report_fill(report, claim, &claim, 1);
  function_say_numbers(report, kernel->program, kernel->function, numbers);
  note_roundings(report, kernel->program, kernel->function);
}

const MlirNumber *function_numbers(Arena *arena, const Program *p, const Function *f, const Operation *operation,
                                   const Launch *launch, const Options *options, DiagnosticList *diagnostics) {
  const ExecuteBinding *bound = arguments_bind(arena, p, f, operation, launch, options, diagnostics);
  uint32_t count = program_get_type(p, f->type)->rank;
  MlirNumber *numbers = bound ? arena_array(arena, MlirNumber, count + 1) : NULL;
  for (uint32_t i = 0; bound && i < count; i++)
    numbers[i] = (MlirNumber){bound[i].is_constant, bound[i].integer, bound[i].real};
  return numbers;
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
  const MlirNumber *numbers =
      function_numbers(arena, kernel.program, kernel.function, operation, launch, options, diagnostics);
  Claim *claim = function_claim(arena, kernel.program, kernel.function, numbers, made);
  bool is_asked = options->engine && !strcmp(options->engine, "search"),
       is_auto = !options->engine || !strcmp(options->engine, "auto");
  if (is_asked && !claim->stop_code && !options->no_prove) search(report, claim, options);
  fill(report, &kernel, numbers, claim);
  if (claim->stop_code) return report;
  if (is_auto && !options->stop_after && !options->no_prove && report_elementwise(report)) {
    Report *again = report_new(arena, launch->file, options);
    report_kernel(again, kernel.program, kernel.function, options);
    if (search(again, claim, options)) fill(report = again, &kernel, numbers, claim);
  }
  print_stages(report, claim, options);
  report_emit(report, claim->pointwise, options);
  return report;
}
