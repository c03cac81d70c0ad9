/* The pipeline: text -> program -> accesses -> pointwise form -> report.
 *
 * Each launch of an operation goes through it by itself; several are then composed to one pointwise form
 * (sequence/operator.h), which is reported in their place. The verdict is that of the worst. */
#include "pipeline.h"

#include "formula/formula_bounds.h"

#include <stdlib.h>
#include <string.h>

#include "operation/arguments.h"
#include "operation/given.h"
#include "operation/least_grid.h"
#include "formula/lift_formula.h"
#include "sequence/operator.h"
#include "safety/obligations.h"
#include "prove/prove.h"
#include "sample/sample.h"
#include "read/formula/formula.h"
#include "read/mlir/read.h"
#include "report/report.h"

/* The function that was asked for, or the only public one. */
static const Function *choose_function(const Program *program, const char *wanted, Source *source,
                                       DiagnosticList *diagnostics) {
  const Function *chosen = NULL;
  uint32_t count = 0;
  for (uint32_t i = 0; i < program->functions.count; i++) {
    const Function *f = &program->functions.data[i];
    if (!f->is_public) continue;
    count++;
    if (!wanted || !strcmp(wanted, intern_string(program->names, f->name))) chosen = f;
  }
  if (chosen && (wanted || count == 1)) return chosen;
  Text names = text_new(diagnostics->arena);
  for (uint32_t i = 0, shown = 0; i < program->functions.count; i++)
    if (program->functions.data[i].is_public)
      text_format(&names, "%s%s", shown++ ? ", " : "", intern_string(program->names, program->functions.data[i].name));
  if (wanted)
    diagnostic_add(diagnostics, SEVERITY_ERROR, "kernel.unknown", source, (Span){0, 0}, "pass one of these to --kernel",
                   "no public function %s; there are: %s", wanted, text_string(&names));
  else
    diagnostic_add(diagnostics, SEVERITY_ERROR, count ? "kernel.several" : "kernel.none", source, (Span){0, 0},
                   count ? "choose with --kernel NAME, or --all" : NULL, "%s%s",
                   count ? "the file has several public functions: " : "the file has no public function",
                   text_string(&names));
  return NULL;
}

static bool has_undefined(const Claim *claim) {
  const Pointwise *p = claim->pointwise;
  for (uint32_t i = 0; i < p->outputs.count; i++)
    for (uint32_t k = 0; k < p->outputs.data[i].pieces.count; k++) {
      const PointwisePiece *piece = &p->outputs.data[i].pieces.data[k];
      if ((term_node(p->tt, piece->value)->flags | term_node(p->tt, piece->region)->flags) & TERM_HAS_UNDEF)
        return true;
    }
  return false;
}

static const Block *parameters(const Program *program, const Function *function) {
  const Op *op = program_get_op(program, function->op);
  return program_get_block(program, program_get_region(program, op->regions[0])->blocks.data[0]);
}

/* What the launch gives for a number; NULL: nothing. */
static const char *scalar_of(const Program *program, const Block *entry, const Launch *launch, uint32_t i) {
  const LaunchArg *arg = operator_find_arg(launch, program_arg_name(program, entry->first_arg + i), i);
  return arg ? arg->scalar : NULL;
}

/* The integers of the launch, by parameter. */
static ExecuteSample *take_samples(Arena *arena, const Program *program, const Function *function,
                                   const Launch *launch) {
  const Block *entry = parameters(program, function);
  ExecuteSample *samples = arena_array(arena, ExecuteSample, entry->arg_count + 1);
  for (uint32_t i = 0; i < entry->arg_count; i++) {
    const char *scalar = scalar_of(program, entry, launch, i);
    char *end;
    if (!scalar) continue;
    samples[i].value = strtoll(scalar, &end, 10);
    samples[i].is_known = end != scalar && !*end;
  }
  return samples;
}

/* How far arguments that a launch gives one text are taken to be one: where two of its pointers are one tensor, and in
 * a second attempt all that go by one expression, or by one number of a sample. */
typedef enum Relation { RELATE_SHARED, RELATE_ALL } Relation;

static bool is_constant(const ExecuteBinding *bindings, uint32_t i) { return bindings && bindings[i].is_constant; }

/* Integers that a launch gives one expression, such as the strides of two tensors, are one number. That they are one in
 * a sample is assumed, and said. */
static void relate_equal(const Program *program, const Function *function, const Launch *launch,
                         const ExecuteBinding *bindings, Relation relation, ExecuteSample *samples) {
  const Block *entry = parameters(program, function);
  bool shares = relation == RELATE_ALL;
  for (uint32_t i = 0; bindings && i < entry->arg_count; i++) shares |= bindings[i].same_as != 0;
  for (uint32_t k = 1; k < entry->arg_count && shares; k++) {
    const char *late = scalar_of(program, entry, launch, k);
    if (!late || (samples[k].is_known && relation == RELATE_SHARED) || samples[k].equal_to ||
        is_constant(bindings, k) || program_value_type(program, entry->first_arg + k)->kind != TYPE_INT)
      continue;
    for (uint32_t i = 0; i < k && !samples[k].equal_to; i++) {
      const char *early = scalar_of(program, entry, launch, i);
      bool same = early && !strcmp(early, late) && !samples[i].equal_to && !is_constant(bindings, i);
      if (same &&
          program_value_type(program, entry->first_arg + i) == program_value_type(program, entry->first_arg + k))
        samples[k].equal_to = i + 1, samples[k].is_assumed = !samples[k].is_known;
    }
  }
}

typedef struct Lift {
  Arena *arena;
  InternTable *names;
  const Operation *operation;
  const Options *options;
  DiagnosticList *diagnostics;
  Relation relation;
  Report *report;
  Array(Claim *) launches;
  const char *declarations; /* --stop-after tensor */
} Lift;

static bool stops_after(const Lift *l, const char *stage) {
  return l->options->stop_after && !strcmp(l->options->stop_after, stage);
}

static Claim *run(Lift *l, const Program *program, const Function *function, const Launch *launch,
                  const ExecuteBinding *bindings, bool zero_fill) {
  Arena *arena = l->arena;
  InternTable *names = l->names;
  TermTable *tt = term_table_new(arena, names);
  ExecuteOptions options = {.zero_fill = zero_fill, .bindings = bindings};
  for (uint32_t i = 0; i < launch->grid_count && i < 3; i++) /* an expression is no number: 0 */
    options.grid_sample[i] =
        strspn(launch->grid[i], "0123456789") == strlen(launch->grid[i]) ? strtoll(launch->grid[i], NULL, 10) : 0;
  for (uint32_t i = 0; i < launch->grid_count; i++)
    options.is_grid_given |= launch->is_grid_given || strspn(launch->grid[i], "0123456789") != strlen(launch->grid[i]);
  ExecuteSample *samples = take_samples(arena, program, function, launch);
  given_relate(arena, program, function, bindings, l->options, samples);
  relate_equal(program, function, launch, bindings, l->relation, samples);
  options.samples = samples;
  Effects *ex = execute_function(arena, tt, program, function, options);
  for (int round = 0; round < 4 && ex->stop_code && ex->want_equal; round++) { /* one more relation of the sample */
    samples[ex->want_equal].equal_to = ex->want_earlier + 1, samples[ex->want_equal].is_assumed = false;
    ex = execute_function(arena, term_table_new(arena, names), program, function, options);
  }
  given_assume(ex, l->operation, launch, l->options, l->diagnostics);
  return recover_views(arena, ex);
}

static bool same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

/* The same kernel, grid and arguments: what an autotuner does that runs a kernel to time it. */
static bool is_again(const Launch *a, const Launch *b) {
  bool same = a->source == b->source && same_text(a->kernel, b->kernel) && a->grid_count == b->grid_count &&
              a->args.count == b->args.count;
  for (uint32_t i = 0; i < a->grid_count && same; i++) same = !strcmp(a->grid[i], b->grid[i]);
  for (uint32_t i = 0; i < a->args.count && same; i++) {
    const LaunchArg *x = &a->args.data[i], *y = &b->args.data[i];
    same = same_text(x->param, y->param) && same_text(x->tensor, y->tensor) && same_text(x->offset, y->offset) &&
           same_text(x->scalar, y->scalar);
  }
  return same;
}

/* The tensor of the operation that a pointer of launch i is. */
static const char *tensor_name(const Lift *l, uint32_t i, uint32_t param) {
  const char *own = l->launches.data[i]->ex->params.data[param].name;
  const LaunchArg *arg = operator_find_arg(&l->operation->launches.data[i], own, param);
  return arg && arg->tensor ? arg->tensor : own;
}

/* May launch i write the tensor? */
static bool may_write(const Lift *l, uint32_t i, const char *name) {
  const Claim *r = l->launches.data[i];
  for (uint32_t n = 0; n < r->ex->params.count; n++) {
    if (!r->ex->params.data[n].is_pointer || strcmp(tensor_name(l, i, n), name)) continue;
    const PointwiseTensor *t =
        r->stop_code || !r->pointwise ? NULL : pointwise_tensor(r->pointwise, r->ex->params.data[n].symbol);
    if (!t || t->is_written) return true;
  }
  return false;
}

static void note_results(Lift *l, uint32_t i, Launch *launch) {
  const Effects *ex = l->launches.data[i]->ex;
  for (uint32_t n = 0; n < ex->params.count; n++) {
    const char *name = ex->params.data[n].is_pointer ? tensor_name(l, i, n) : NULL;
    bool written = false;
    for (uint32_t k = 0; name && k < i; k++) written |= may_write(l, k, name);
    if (written) array_push(l->arena, &launch->results, name);
  }
}

/* What other launches write as well: whether all of it is written is asked of the operation. */
static void share_outputs(Lift *l, uint32_t i, Launch *launch) {
  const Claim *r = l->launches.data[i];
  for (uint32_t n = 0; n < r->ex->params.count; n++) {
    const char *name = r->ex->params.data[n].is_pointer ? tensor_name(l, i, n) : NULL;
    bool shared = false;
    for (uint32_t k = 0; name && k < l->launches.count; k++) shared |= k != i && may_write(l, k, name);
    if (shared && may_write(l, i, name)) array_push(l->arena, &launch->shared, name);
  }
}

/* "(N - 1) >= 1" of an argument that another launch is given as N - 1, and that is a size there: a witness is a launch
 * of the operation. */
static void note_others(Lift *l, uint32_t i, Launch *launch) {
  static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  for (uint32_t k = 0; k < l->launches.count; k++) {
    const Effects *ex = l->launches.data[k]->ex;
    for (uint32_t n = 0; k != i && n < ex->params.count; n++) {
      const Param *param = &ex->params.data[n];
      const LaunchArg *arg =
          param->is_pointer ? NULL : operator_find_arg(&l->operation->launches.data[k], param->name, n);
      if (arg && arg->scalar && param->is_size && arg->scalar[strspn(arg->scalar, word)])
        array_push(l->arena, &launch->others, arena_format(l->arena, "(%s) >= 1", arg->scalar));
    }
  }
}

/* The operation with this launch alone. */
static const Operation *single_launch(Lift *l, uint32_t i) {
  Operation *single = arena_new(l->arena, Operation);
  Launch *launch = arena_new(l->arena, Launch);
  *single = *l->operation;
  *launch = l->operation->launches.data[i];
  launch->is_repeated = l->operation->has_tensors && i + 1 < l->operation->launches.count &&
                        is_again(launch, &l->operation->launches.data[i + 1]);
  note_results(l, i, launch);
  share_outputs(l, i, launch);
  note_others(l, i, launch);
  single->launches.data = launch, single->launches.count = 1;
  return single;
}

static ProveInvariant wanted_invariant(const Options *options) {
  if (!options->invariant) return PROVE_BY_INDEX;
  return strcmp(options->invariant, "template") ? PROVE_PATTERN : PROVE_TEMPLATE;
}

/* No launch was found: do the user's assumptions exclude those that the kernel's memory asks for? Then nothing is
 * claimed. */
static bool excludes_itself(const Claim *claim) {
  TermTable *tt = claim->ex->tt;
  Term all = tt->true_;
  for (uint32_t i = 0; i < claim->assumptions.count; i++)
    if (claim->assumptions.data[i].condition) all = term_and(tt, all, claim->assumptions.data[i].condition);
  return given_is_contradiction(tt, all);
}

/* By random launches. The longest of them costs as much as the blocks are large, and is left to what is not proved. */
static SampleResult evaluate(Lift *l, Report *own, Claim *claim, bool before_proof) {
  SampleResult sample = sample_check(l->arena, claim->ex->program, claim->ex->function, claim,
                                     &(SampleOptions){.before_proof = before_proof});
  own->verdict = VERDICT_UNKNOWN;
  report_sample(own, claim, &sample);
  return sample;
}

static bool states_of_memory(const Effects *ex) {
  for (uint32_t i = 0; i < ex->assumed.count; i++)
    if (term_node(ex->tt, ex->assumed.data[i])->flags & TERM_HAS_READ) return true;
  return false;
}

/* Assumptions that no launch meets prove anything: one that meets all of them is drawn, or the solver gives one. */
static bool has_launch(const Lift *l, const Claim *claim, const SampleResult *sample) {
  TermTable *tt = claim->ex->tt;
  Term all = tt->true_;
  if (states_of_memory(claim->ex) && !sample->trials) return false;
  if (sample_meets_all(l->arena, claim)) return true;
  for (uint32_t i = 0; i < claim->assumptions.count; i++)
    if (claim->assumptions.data[i].condition) all = term_and(tt, all, claim->assumptions.data[i].condition);
  return given_has_model(tt, all);
}

/* Random evaluation, proof and safety of one launch. */
static void judge(Lift *l, Report *own, Claim *claim, const Operation *single) {
  ProveResult proof = {0};
  SampleResult sample = {0};
  own->verdict = own->safety = VERDICT_UNKNOWN;
  if (l->options->explain) report_loops(own, claim->ex);
  if (claim->stop_code)
    own->reason = (ReportReason){claim->stop_code, claim->stop_text};
  else {
    sample = evaluate(l, own, claim, !l->options->no_prove);
    if (claim->ex->given.count && own->reason.code == REASON_NOT_EVALUATED && excludes_itself(claim)) {
      own->reason = (ReportReason){
          REASON_NO_LAUNCH, "what --assume says and what else is assumed exclude each other: no launch is spoken of"};
      return;
    }
    if (!l->options->no_prove && !claim->stop_code) {
      proof = prove_claim_by(l->arena, claim, wanted_invariant(l->options));
      if (sample.has_left && !proof.proved) sample = evaluate(l, own, claim, false);
      report_proof(own, claim, &proof);
    }
  }
  own->safety = obligations_find(l->arena, claim, &proof, single, l->options);
  own->undefined_where = claim->undefined_where;
  const char *other_row = own->verdict == VERDICT_PROVED ? formula_assume_rows(claim, &sample) : NULL;
  if (other_row) own->verdict = VERDICT_PROBABLE, own->reason = (ReportReason){REASON_NOT_PROVED, other_row};
  if (own->verdict == VERDICT_PROVED && claim->open_ranges)
    own->verdict = VERDICT_PROBABLE,
    own->reason =
        (ReportReason){REASON_NOT_PROVED, arena_format(l->arena, "not shown in which ranges the arithmetic stays: %s",
                                                       claim->open_ranges)};
  bool claims = own->verdict == VERDICT_PROVED || own->safety == VERDICT_PROVED;
  if (!claim->excludes_itself &&
      (!claims || own->safety == VERDICT_REFUTED || claim->stop_code || has_launch(l, claim, &sample)))
    return;
  const char *text = "what is given and what is assumed exclude each other: no launch is spoken of";
  if (!claim->excludes_itself)
    own->safety = VERDICT_UNKNOWN, text = "no launch was found that meets all that is assumed: it may exclude itself";
  own->verdict = VERDICT_UNKNOWN;
  own->reason = (ReportReason){REASON_NO_LAUNCH, text};
}

/* What one of several launches found, under its name. */
static void add_launch(Lift *l, const Report *own) {
  Report *report = l->report;
  if (verdict_worse(report->verdict, own->verdict) != report->verdict) {
    report->verdict = own->verdict, report->witness = own->witness;
    report->reason = (ReportReason){
        own->reason.code, own->reason.text ? arena_format(l->arena, "%s: %s", own->kernel, own->reason.text) : NULL};
  }
  report->safety = verdict_worse(report->safety, own->safety);
  if (!report->undefined_where) report->undefined_where = own->undefined_where;
  for (uint32_t i = 0; i < own->steps.count; i++)
    array_push(l->arena, &report->steps, arena_format(l->arena, "%s: %s", own->kernel, own->steps.data[i]));
  for (uint32_t i = 0; i < own->stats.count; i++)
    array_push(
        l->arena, &report->stats,
        (ReportPair){arena_format(l->arena, "%s.%s", own->kernel, own->stats.data[i].name), own->stats.data[i].value});
}

/* A program is read once, however many of its kernels are lifted: by the front end already, or for an earlier launch.
 */
static const Program *read_program(Lift *l, uint32_t i) {
  const Launch *launch = &l->operation->launches.data[i];
  if (launch->program) return launch->program;
  for (uint32_t k = 0; k < l->launches.count; k++)
    if (l->operation->launches.data[k].source == launch->source) return l->launches.data[k]->ex->program;
  return read_triton(l->arena, l->names, launch->source, l->diagnostics);
}

/* What --shape says of the grid, as if it had been given. */
static const Launch *take_least_grid(Lift *l, const Claim *claim) {
  bool alone = l->operation->launches.count == 1 && !l->operation->has_tensors;
  const Launch *launch = alone ? least_grid(l->arena, claim, &l->operation->launches.data[0], l->options) : NULL;
  if (!launch) return NULL;
  Operation *operation = arena_new(l->arena, Operation);
  *operation = *l->operation;
  memset(&operation->launches, 0, sizeof operation->launches);
  array_push(l->arena, &operation->launches, *launch);
  l->operation = operation;
  return &operation->launches.data[0];
}

/* false: the input has errors, or that was the last stage. */
static bool execute_launch(Lift *l, uint32_t i) {
  Report *report = l->report;
  const Launch *launch = &l->operation->launches.data[i];
  const Program *program = read_program(l, i);
  const Function *function = program ? choose_function(program, launch->kernel, launch->source, l->diagnostics) : NULL;
  if (!function) {
    report->verdict = report->safety = VERDICT_NONE;
    return false;
  }
  const char *kernel = intern_string(program->names, function->name);
  report->kernel = report->kernel ? arena_format(l->arena, "%s+%s", report->kernel, kernel) : kernel;
  if (stops_after(l, "program")) {
    Text text = text_new(l->arena);
    program_print(program, &text);
    report->stage_text = text_string(&text);
    report->verdict = report->safety = VERDICT_UNKNOWN;
    report->reason = (ReportReason){REASON_STOPPED, "stopped after the program"};
    return false;
  }
  const ExecuteBinding *bindings =
      arguments_bind(l->arena, program, function, l->operation, launch, l->options, l->diagnostics);
  if (l->diagnostics->error_count) return false;
  Claim *claim = run(l, program, function, launch, bindings, false);
  const Launch *least = take_least_grid(l, claim);
  if (least) launch = least, claim = run(l, program, function, launch, bindings, false);
  if (!claim->stop_code && has_undefined(claim)) claim = run(l, program, function, launch, bindings, true);
  if (program_result_count(program, function) && (l->operation->launches.count > 1 || l->operation->has_tensors))
    claim->stop_code = REASON_UNSUPPORTED_RESULT,
    claim->stop_text = "what a function returns is not an operand of other launches, or a tensor of an operation file";
  array_push(l->arena, &l->launches, claim);
  return l->diagnostics->error_count == 0;
}

/* The first launch that stopped, or NULL. */
static Claim *stopped(const Lift *l) {
  for (uint32_t i = 0; i < l->launches.count; i++)
    if (l->launches.data[i]->stop_code) return l->launches.data[i];
  return NULL;
}

/* --stop-after pointwise, and the declarations of tensor; a proof narrows ranges, so both come before. */
static void show_pointwise(Lift *l, const Claim *claim) {
  if (stops_after(l, "tensor") && !claim->stop_code) l->declarations = report_declarations(l->arena, claim->pointwise);
  if (stops_after(l, "pointwise") && !claim->stop_code)
    l->report->stage_text = report_pointwise(l->arena, claim->pointwise);
}

/* The launches under the operation's names; NULL: there are no such names, or a launch stopped. What does not fit them
 * stops the result. */
static Operator *compose(Lift *l) {
  bool several = l->launches.count > 1;
  const Operation *given = given_operation(l->arena, l->operation, l->options);
  if (stopped(l) || (!several && !l->operation->has_tensors && !given)) return NULL;
  if (l->diagnostics->error_count) return NULL;
  Operator *operator= operator_new(l->arena, l->names, given ? given : l->operation, l->launches.data);
  operator_result(operator)->pointwise->kernel = l->report->kernel;
  return operator;
}

static void judge_each(Lift *l) {
  Report *report = l->report;
  if (l->launches.count == 1) {
    judge(l, report, l->launches.data[0], l->operation);
    return;
  }
  report->verdict = report->safety = VERDICT_PROVED;
  for (uint32_t i = 0; i < l->launches.count; i++) {
    Report *own = arena_new(l->arena, Report);
    own->arena = l->arena, own->kernel = l->launches.data[i]->pointwise->kernel;
    judge(l, own, l->launches.data[i], single_launch(l, i));
    add_launch(l, own);
  }
}

/* One recovery for all launches: their composition, the only one, or the first that stopped. */
static Claim *judge_all(Lift *l) {
  Report *report = l->report;
  Operator *operator= compose(l);
  if (l->diagnostics->error_count) return l->launches.data[0];
  Claim *whole = operator? operator_result(operator) : stopped(l) ? stopped(l) : l->launches.data[0];
  show_pointwise(l, whole);
  judge_each(l);
  if (stopped(l)) whole = stopped(l), operator= NULL;
  if (!operator) {
    report_fill(report, whole, &whole, 1);
    return whole;
  }
  report->safety =
      verdict_worse(report->safety, operator_finish(operator, report->verdict == VERDICT_PROVED, l->options));
  if (whole->stop_code == REASON_NO_LAUNCH) report->safety = VERDICT_UNKNOWN;
  if (whole->stop_code)
    report->verdict = VERDICT_UNKNOWN, report->reason = (ReportReason){whole->stop_code, whole->stop_text};
  report_fill(report, whole, l->launches.data, l->launches.count);
  return whole;
}

static Report *lift_once(Arena *arena, const Operation *operation, const Options *options, Relation relation,
                         DiagnosticList *diagnostics, const Effects **kernel) {
  Report *report = arena_new(arena, Report);
  Lift *l = arena_new(arena, Lift);
  *l = (Lift){.arena = arena,
              .names = arena_new(arena, InternTable),
              .operation = operation,
              .options = options,
              .diagnostics = diagnostics,
              .relation = relation,
              .report = report};
  intern_init(l->names, arena);
  report->arena = arena;
  report->no_simplify = options->no_simplify;
  report->input = operation->launches.data[0].file;
  for (uint32_t i = 0; i < operation->launches.count; i++)
    if (!execute_launch(l, i)) return report;
  if (operation->name && operation->launches.count > 1) report->kernel = operation->name;
  *kernel = l->launches.data[0]->ex;
  Claim *claim = report->claim = judge_all(l);
  if (diagnostics->error_count) return report;
  for (uint32_t i = 0, had = report->emitted.count; i < l->launches.count && report->emitted.count == had; i++)
    report_replay(report, l->launches.data[i], options);
  report_keep_steps(report, options);
  if (claim->stop_code) return report;
  if (stops_after(l, "tensor"))
    report->stage_text = arena_format(arena, "%s%s", l->declarations, report_tensor_stage(report));
  report_emit(report, claim->pointwise, options);
  return report;
}

static bool is_better(const Report *a, const Report *b) {
  bool verdict = verdict_worse(a->verdict, b->verdict) == b->verdict,
       safety = verdict_worse(a->safety, b->safety) == b->safety;
  return verdict && safety && (a->verdict != b->verdict || a->safety != b->safety);
}

/* The launch gives two integers one text. */
static bool gives_one_twice(const Operation *operation) {
  const Launch *launch = &operation->launches.data[0];
  for (uint32_t i = 0; i < launch->args.count; i++)
    for (uint32_t k = 0; k < i; k++)
      if (launch->args.data[i].scalar && launch->args.data[k].scalar &&
          !strcmp(launch->args.data[i].scalar, launch->args.data[k].scalar))
        return true;
  return false;
}

/* The better of what was found and of another attempt. */
static Report *better_of(Report *report, Report *again, const DiagnosticList *diagnostics) {
  return !diagnostics->error_count && is_better(again, report) ? again : report;
}

static bool is_done(const Report *report) {
  return report->verdict == VERDICT_PROVED && report->safety == VERDICT_PROVED;
}

/* No views fit: arguments that the launch gives one text may have to be one for that. */
static bool asks_for_relations(const Report *report, const Operation *operation) {
  bool of_views = report->reason.code == REASON_VIEWS || report->reason.code == REASON_ADDRESS;
  return of_views && operation->has_tensors && gives_one_twice(operation);
}

/* Where something is left open, once more: with the relations of a launch; for the arguments that the kernel was
 * compiled for, sizes that are multiples of 16. */
Report *pipeline_lift(Arena *arena, const Operation *operation, const Options *options, DiagnosticList *diagnostics) {
  if (formula_is_one(operation->launches.data[0].source))
    return lift_formula(arena, &operation->launches.data[0], options, diagnostics);
  Relation relation = RELATE_SHARED;
  const Effects *kernel = NULL;
  Report *report = lift_once(arena, operation, options, relation, diagnostics, &kernel);
  if (is_done(report) || diagnostics->error_count || options->stop_after || options->no_prove ||
      operation->launches.count > 1 || !kernel)
    return report;
  if (asks_for_relations(report, operation)) {
    Report *related =
        better_of(report, lift_once(arena, operation, options, RELATE_ALL, diagnostics, &kernel), diagnostics);
    if (related != report) report = related, relation = RELATE_ALL;
  }
  const Options *more = is_done(report) ? NULL : given_by_kernel(kernel, options);
  return more ? better_of(report, lift_once(arena, operation, more, relation, diagnostics, &kernel), diagnostics)
              : report;
}
