/* The pipeline: text -> program -> effects -> claim -> proof -> report.
 * Each launch of an operation goes through it by itself; several are then composed to one claim (sequence/operator.h),
 * which is reported in their place. The verdict is that of the worst. What is tried again is said in attempts.c. */
#include "pipeline.h"

#include "attempts.h"
#include "formula/formula_bounds.h"
#include "formula/lift_formula.h"
#include "function/function.h"
#include "operation/arguments.h"
#include "prove/prove.h"
#include "read/readers.h"
#include "report/report.h"
#include "safety/obligations.h"
#include "sequence/operator.h"
#include "sequence/others.h"

typedef struct Lift {
  Arena *arena;
  InternTable names;
  const Operation *operation;
  const Options *options;
  DiagnosticList *diagnostics;
  Report *report;
  Array(Claim *) launches;
} Lift;

/* Read, execute, recover. false: the input has errors, or that was the last stage, or a search was in vain. */
static bool claim_launch(Lift *l, uint32_t i, const Attempt *attempt) {
  const Launch *launch = &l->operation->launches.data[i];
  Kernel kernel = {.operation = l->operation, .launch = launch, .options = l->options, .reading = attempt->reading};
  kernel.program = launch->program; /* by the front end, which reads a file of several kernels once; else NULL */
  if (!kernel.program) kernel.program = read_program(l->arena, &l->names, launch->source, NULL, l->diagnostics);
  if (kernel.program && report_prints_effects(kernel.program, l->options))
    kernel.program = read_again(l->arena, kernel.program, l->diagnostics);
  if (!kernel.program || !kernel_choose(&kernel, l->diagnostics)) return false;
  if (!report_kernel(l->report, kernel.program, kernel.function, l->options)) return false;
  kernel.bindings =
      arguments_bind(l->arena, kernel.program, kernel.function, l->operation, launch, l->options, l->diagnostics);
  if (l->diagnostics->error_count) return false;
  Claim *claim;
  do {
    Effects *effects = kernel_execute(l->arena, &l->names, &kernel, l->diagnostics);
    if (!report_effects(l->report, effects, l->options)) return false;
    claim = recover_views(l->arena, effects);
  } while (attempts_of_kernel(l->arena, &kernel, claim));
  l->operation = kernel.operation;
  if (!attempts_search(l->report, attempt, claim)) return false;
  operator_check_results(l->operation, claim);
  array_push(l->arena, &l->launches, claim);
  return l->diagnostics->error_count == 0;
}

/* Random evaluation, proof and safety of one launch. */
static void prove(Lift *l, Report *own, Claim *claim, const Operation *single) {
  ProveResult proof = {0};
  report_begin(own, claim, l->options);
  SampleResult sample = claim->stop_code ? (SampleResult){0} : report_evaluate(own, claim, !l->options->no_prove);
  if (report_contradiction(own, claim)) return;
  if (!l->options->no_prove && !claim->stop_code) {
    proof = prove_claim_by(l->arena, claim, prove_invariant(l->options->invariant));
    if (sample.has_left && !proof.proved) sample = report_evaluate(own, claim, false);
    report_proof(own, claim, &proof);
  }
  own->safety = obligations_find(l->arena, claim, &proof, single, l->options);
  report_outcome(own, claim, &sample, own->verdict == VERDICT_PROVED ? formula_assume_rows(claim, &sample) : NULL);
}

/* One claim for all launches, shown: their composition, the only one, or the first that stopped. */
static void prove_all(Lift *l) {
  Report *report = l->report;
  Claim **launches = l->launches.data;
  bool is_alone = l->launches.count == 1;
  Operator *whole = operator_of(l->arena, &l->names, l->operation, l->options, launches, report->kernel);
  Claim *stopped = operator_stopped(l->operation, launches);
  report->claim = whole ? operator_result(whole) : stopped ? stopped : launches[0];
  report_pointwise_stage(report, report->claim, l->options); /* a proof narrows ranges */
  bool is_proved = !is_alone;                                /* all launches so far */
  for (uint32_t i = 0; i < l->launches.count; i++) {
    Report *own = is_alone ? report : report_new(l->arena, NULL, l->options);
    if (!is_alone) own->kernel = launches[i]->pointwise->kernel;
    if (whole && is_proved) operator_find_signs(whole, i);
    prove(l, own, launches[i], is_alone ? l->operation : sequence_single(l->arena, l->operation, launches, i));
    report_name_arguments(own, launches[i], &l->operation->launches.data[i]);
    if (!is_alone) report_add_launch(report, own);
    is_proved &= own->verdict == VERDICT_PROVED;
  }
  stopped = operator_stopped(l->operation, launches);
  if (stopped) report->claim = stopped, whole = NULL;
  if (whole) report_whole(report, operator_finish(whole, report->verdict == VERDICT_PROVED, l->options));
  report_fill(report, report->claim, whole ? launches : &report->claim, whole ? l->launches.count : 1);
}

static Report *lift(Arena *arena, const Attempt *attempt, DiagnosticList *diagnostics, const Effects **ex) {
  const Operation *operation = attempt->operation;
  Report *report = report_new(arena, operation->launches.data[0].file, attempt->options);
  Lift *l = arena_new(arena, Lift);
  *l = (Lift){.arena = arena, .operation = operation, .options = attempt->options, .report = report};
  l->diagnostics = diagnostics;
  intern_init(&l->names, arena);
  for (uint32_t i = 0; i < operation->launches.count; i++)
    if (!claim_launch(l, i, attempt)) return report;
  if (operation->name && operation->launches.count > 1) report->kernel = operation->name;
  *ex = l->launches.data[0]->ex;
  prove_all(l);
  if (!diagnostics->error_count) report_finish(report, l->launches.data, l->launches.count, attempt->options);
  return report;
}

Report *pipeline_lift(Arena *arena, const Operation *operation, const Options *options, DiagnosticList *diagnostics) {
  const Launch *first = &operation->launches.data[0];
  if (!reader_of(first->source)->read) return lift_formula(arena, first, options, diagnostics);
  if (function_is_one(operation)) return function_lift(arena, operation, options, NULL, diagnostics);
  return attempts_make(arena, operation, options, lift, diagnostics);
}
