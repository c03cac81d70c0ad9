/* Verdict and reason of a claim, from what evaluation, proof and safety analysis found of it.
 *
 * A proof is of the values, under what is assumed. It is no `proved` where the assumptions exclude each other, where
 * the formula names an element that is another row's, or where it is not known in which ranges the arithmetic of the
 * kernel stays. Of several launches the report is that of the worst. */
#include "report/report.h"

#include <string.h>

#include "operation/given.h"
#include "operation/launch.h"

static bool stops_after(const Options *options, const char *stage) {
  return options->stop_after && !strcmp(options->stop_after, stage);
}

Report *report_new(Arena *arena, const char *input, const Options *options) {
  Report *report = arena_new(arena, Report);
  *report = (Report){.arena = arena, .no_simplify = options->no_simplify, .no_laws = options->no_laws, .input = input};
  report->explains = options->explain;
  return report;
}

void report_begin(Report *report, const Claim *claim, const Options *options) {
  report->verdict = report->safety = VERDICT_UNKNOWN;
  report->signature = claim->ex->function->signature;
  if (options->explain) report_loops(report, claim);
  if (claim->stop_code) report->reason = (ReportReason){claim->stop_code, claim->stop_text};
}

/* The conditions that are assumed, as one. */
static Term all_assumed(const Claim *claim) {
  Term all = claim->tt->true_;
  for (uint32_t i = 0; i < claim->assumptions.count; i++)
    if (claim->assumptions.data[i].condition) all = term_and(claim->tt, all, claim->assumptions.data[i].condition);
  return all;
}

bool report_contradiction(Report *report, const Claim *claim) {
  if (claim->stop_code || !claim->ex->given.count || report->reason.code != REASON_NOT_EVALUATED ||
      !given_is_contradiction(claim->tt, all_assumed(claim)))
    return false;
  report->reason = (ReportReason){
      REASON_NO_LAUNCH, "what --assume says and what else is assumed exclude each other: no launch is spoken of"};
  return true;
}

SampleResult report_evaluate(Report *report, Claim *claim, bool before_proof) {
  SampleOptions options = {.before_proof = before_proof};
  SampleResult sample = sample_check(report->arena, claim->ex->program, claim->ex->function, claim, &options);
  report->verdict = VERDICT_UNKNOWN;
  report_sample(report, claim, &sample);
  return sample;
}

static void weaken(Report *report, const char *why) {
  if (report->verdict != VERDICT_PROVED || !why) return;
  report->verdict = VERDICT_PROBABLE;
  report->reason = (ReportReason){REASON_NOT_PROVED, why};
}

static bool states_of_memory(const Effects *ex) {
  for (uint32_t i = 0; i < ex->assumed.count; i++)
    if (term_node(ex->tt, ex->assumed.data[i])->flags & TERM_HAS_READ) return true;
  return false;
}

/* Assumptions that no launch meets prove anything: one that meets all of them is drawn, or the solver gives one. */
static bool has_launch(const Report *report, const Claim *claim, const SampleResult *sample) {
  if (states_of_memory(claim->ex) && !sample->trials) return false;
  return sample_meets_all(report->arena, claim) || given_has_model(claim->tt, all_assumed(claim));
}

static void refuse(Report *report, const char *why) {
  report->verdict = VERDICT_UNKNOWN;
  report->reason = (ReportReason){REASON_NO_LAUNCH, why};
}

void report_outcome(Report *report, const Claim *claim, const SampleResult *sample, const char *other_row) {
  report->undefined_where = claim->undefined_where, report->other_view = claim->other_view;
  report->is_longer_view = claim->is_longer_view;
  weaken(report, other_row);
  if (claim->open_ranges)
    weaken(report,
           arena_format(report->arena, "not shown in which ranges the arithmetic stays: %s", claim->open_ranges));
  if (claim->excludes_itself) {
    refuse(report, "what is given and what is assumed exclude each other: no launch is spoken of");
    return;
  }
  if (claim->unmet && report->verdict == VERDICT_PROVED) { /* the claim is not about this launch */
    report->verdict = VERDICT_UNKNOWN;
    report->reason = (ReportReason){REASON_UNMET, claim->unmet};
  }
  bool claims = report->verdict == VERDICT_PROVED || report->safety == VERDICT_PROVED;
  if (!claims || report->safety == VERDICT_REFUTED || claim->stop_code || has_launch(report, claim, sample)) return;
  report->safety = VERDICT_UNKNOWN;
  refuse(report, "no launch was found that meets all that is assumed: it may exclude itself");
}

void report_name_arguments(Report *report, const Claim *claim, const Launch *launch) {
  if (report->reason.text) report->reason.text = launch_text(report->arena, launch, claim->ex, report->reason.text);
}

void report_add_launch(Report *report, const Report *own) {
  Arena *arena = report->arena;
  if (!report->verdict) report->verdict = report->safety = VERDICT_PROVED; /* of no launch yet */
  if (verdict_worse(report->verdict, own->verdict) != report->verdict) {
    const char *text = own->reason.text ? arena_format(arena, "%s: %s", own->kernel, own->reason.text) : NULL;
    report->verdict = own->verdict, report->witness = own->witness;
    report->reason = (ReportReason){own->reason.code, text};
  }
  report->safety = verdict_worse(report->safety, own->safety);
  if (!report->undefined_where) report->undefined_where = own->undefined_where;
  if (own->other_view && (!report->other_view || report->is_longer_view))
    report->other_view = own->other_view, report->is_longer_view = own->is_longer_view;
  for (uint32_t i = 0; i < own->steps.count; i++)
    array_push(arena, &report->steps, arena_format(arena, "%s: %s", own->kernel, own->steps.data[i]));
  for (uint32_t i = 0; i < own->stats.count; i++) {
    const char *name = arena_format(arena, "%s.%s", own->kernel, own->stats.data[i].name);
    array_push(arena, &report->stats, (ReportPair){name, own->stats.data[i].value});
  }
}

void report_whole(Report *report, Verdict safety) {
  const Claim *whole = report->claim;
  report->safety = verdict_worse(report->safety, safety);
  if (whole->stop_code == REASON_NO_LAUNCH && report->safety != VERDICT_REFUTED) /* a fault was seen in some launch */
    report->safety = VERDICT_UNKNOWN;
  if (!whole->stop_code) return;
  report->verdict = VERDICT_UNKNOWN;
  report->reason = (ReportReason){whole->stop_code, whole->stop_text};
}

static void stop_at(Report *report, Text *stage, const char *why) {
  report->stage_text = text_string(stage);
  report->verdict = report->safety = VERDICT_UNKNOWN;
  report->reason = (ReportReason){REASON_STOPPED, why};
}

bool report_kernel(Report *report, const Program *program, const Function *function, const Options *options) {
  const char *name = intern_string(program->names, function->name);
  report->kernel = report->kernel ? arena_format(report->arena, "%s+%s", report->kernel, name) : name;
  if (!stops_after(options, "program")) return true;
  Text text = text_new(report->arena);
  program_print(program, &text);
  stop_at(report, &text, "stopped after the program");
  return false;
}

bool report_prints_effects(const Program *program, const Options *options) {
  return stops_after(options, "effects") && !program->effects;
}

bool report_effects(Report *report, Effects *effects, const Options *options) {
  if (!stops_after(options, "effects")) return true;
  Text text = text_new(report->arena);
  effects_print(effects, &text);
  text_add(&text, "program\n");
  program_print(effects->program, &text);
  stop_at(report, &text, "stopped after execution");
  return false;
}

bool report_is_done(const Report *report) {
  return report->verdict == VERDICT_PROVED && report->safety == VERDICT_PROVED;
}

uint32_t report_elementwise(const Report *report) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < report->outputs.count; i++) n += !strcmp(report->outputs.data[i].form, "pointwise");
  return n;
}

bool report_is_better(const Report *a, const Report *b) {
  bool verdict = verdict_worse(a->verdict, b->verdict) == b->verdict,
       safety = verdict_worse(a->safety, b->safety) == b->safety;
  bool form = a->outputs.count && report_elementwise(a) < report_elementwise(b);
  return verdict && safety && (a->verdict != b->verdict || a->safety != b->safety || form);
}

void report_pointwise_stage(Report *report, const Claim *claim, const Options *options) {
  if (claim->stop_code) return;
  if (stops_after(options, "tensor")) report->declarations = report_declarations(report->arena, claim->pointwise);
  if (stops_after(options, "pointwise")) report->stage_text = report_pointwise(report->arena, claim->pointwise);
}

/* What the user said of sizes, on which the shapes of formulas may rest, as lines of a formula: behind the
 * declarations, and none that stands there. */
static const char *said_of_sizes(Arena *arena, const Claim *claim, const char *declarations) {
  Text text = text_new(arena);
  text_add(&text, declarations);
  for (uint32_t i = 0; i < claim->assumptions.count; i++) {
    const Assumption *said = &claim->assumptions.data[i];
    if (said->kind != ASSUME_USER || !said->condition || said->is_sentence) continue;
    const char *line = arena_format(arena, "assume %s\n", term_text(claim->tt, said->condition));
    if (!strstr(text_string(&text), line)) text_add(&text, line);
  }
  return text_string(&text);
}

void report_finish(Report *report, Claim *const *launches, uint32_t count, const Options *options) {
  const Claim *claim = report->claim;
  report->launches = launches, report->launch_count = count;
  for (uint32_t i = 0, had = report->emitted.count; i < count && report->emitted.count == had; i++)
    report_replay(report, launches[i], options);
  report_keep_steps(report, options);
  if (claim->stop_code) return;
  if (stops_after(options, "tensor"))
    report->stage_text = arena_format(report->arena, "%s%s", said_of_sizes(report->arena, claim, report->declarations),
                                      report_tensor_stage(report));
  report_emit(report, claim->pointwise, options);
}
