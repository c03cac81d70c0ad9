/* Launches of an operation to one recovery (see operator.h).
 *
 * 1. bind: per launch, what each argument and grid size is, as a term of the table of the result
 * (operator_arguments.c).
 * 2. tensors: which of the operation's tensors each pointer is, and how the result sees it (operator_tensors.c).
 * 3. import: the launch's pointwise form and its assumptions in these terms.
 * 4. compose (lift/sequence.c).
 * 5. texts of what the launches found, in the operation's names (operator_texts.c). */
#include "sequence/operator_internal.h"

#include <string.h>

#include "operation/given.h"
#include "sequence/operator_coverage.h"
#include "prove/equal.h"
#include "safety/definedness.h"
#include "safety/obligations.h"

void operator_stop(Operator *o, ReasonCode code, const char *text) {
  if (!o->out->stop_code) o->out->stop_code = code, o->out->stop_text = text;
}

/* ---- assumptions ---- */

uint32_t operator_take(Operator *o, Assumption a) {
  uint32_t before = o->out->assumptions.count, number = claim_assume(o->arena, o->out, a);
  Assumption *known = &o->out->assumptions.data[number];
  bool says_more = a.kind == ASSUME_USER || (a.kind == ASSUME_COVER && known->kind == ASSUME_RANGE);
  if (number == before || !says_more) return number;
  known->kind = a.kind, known->why = a.why;
  if (a.limit) known->limit = a.limit;
  return number;
}

uint32_t operator_assume(Operator *o, AssumptionKind kind, Term condition, const char *text, const char *why,
                         const char *limit) {
  return operator_take(o, (Assumption){.kind = kind, .why = why, .limit = limit, .condition = condition, .text = text});
}

void operator_assume_range(Operator *o, const char *why, Term value, Term lo, Term hi) {
  TermTable *tt = o->tt;
  if (hi && !term_prove_le(tt, value, hi))
    operator_assume(o, ASSUME_RANGE, term_le(tt, value, hi),
                    arena_format(o->arena, "%s <= %s", term_text(tt, value), term_text(tt, hi)), why, NULL);
  if (lo && !term_prove_le(tt, lo, value))
    operator_assume(o, ASSUME_RANGE, term_le(tt, lo, value),
                    arena_format(o->arena, "%s >= %s", term_text(tt, value), term_text(tt, lo)), why, NULL);
}

/* ---- 3. import ---- */

static const Pointwise *import_pointwise(Operator *o, Bound *b) {
  const Pointwise *from = b->claim->pointwise;
  Pointwise *to = arena_new(o->arena, Pointwise);
  *to = (Pointwise){.tt = o->tt, .kernel = from->kernel};
  const char **dtypes = arena_array(o->arena, const char *, from->tensors.count + 1);
  for (uint32_t i = 0; i < from->tensors.count; i++)
    dtypes[i] = operator_dtype(o, b, i); /* before anything is imported that reads elements */
  for (uint32_t i = 0; i < from->tensors.count; i++) {
    PointwiseTensor t = from->tensors.data[i];
    t.dtype = dtypes[i];
    t.symbol = importer_term(b->importer, t.symbol);
    for (uint32_t k = 0; k < t.rank; k++)
      t.extent[k] = importer_term(b->importer, t.extent[k]), t.stride[k] = importer_term(b->importer, t.stride[k]);
    if (!t.is_read && !t.is_written) t.rank = 0;
    array_push(o->arena, &to->tensors, t);
  }
  for (uint32_t i = 0; i < from->outputs.count; i++) {
    const PointwiseOutput *output = &from->outputs.data[i];
    PointwiseOutput made = {.tensor = output->tensor, .rank = output->rank, .scatter = output->scatter};
    for (uint32_t k = 0; k < made.rank; k++) made.index[k] = importer_term(b->importer, output->index[k]);
    for (uint32_t k = 0; k < output->pieces.count; k++) {
      const PointwisePiece *piece = &output->pieces.data[k];
      PointwisePiece copy = {importer_term(b->importer, piece->region), importer_term(b->importer, piece->value),
                             piece->accumulate};
      array_push(o->arena, &made.pieces, copy);
    }
    array_push(o->arena, &to->outputs, made);
  }
  return to;
}

/* ---- all ---- */

static void assume_shared(Operator *o) {
  for (uint32_t i = 0; i < o->named.count; i++) {
    const Named *n = &o->named.data[i];
    if (!n->is_shared || n->is_stride) continue;
    const char *text = arena_format(o->arena, "%s is one number in all launches", n->name);
    operator_assume(o, ASSUME_LAUNCH, 0, text, arena_format(o->arena, "they were given %s", n->number->text), NULL);
  }
}

/* A launch takes what it reads to be finite. */
static void assume_finite(Operator *o) {
  for (uint32_t i = 0; i < o->sequence.tensors.count; i++) {
    const SequenceTensor *t = &o->sequence.tensors.data[i];
    if (!t->is_infinite) continue;
    const char *text = arena_format(o->arena, "what the launches leave in %s is finite", t->view.name);
    operator_assume(o, ASSUME_FINITE, 0, text, "a later launch reads it", NULL);
  }
}

/* A temporary that is read before anything is written there. */
static Verdict check_temporaries(Operator *o, Claim *last) {
  Verdict verdict = VERDICT_PROVED;
  for (uint32_t i = 0; i < o->sequence.tensors.count; i++) {
    const SequenceTensor *t = &o->sequence.tensors.data[i];
    const PointwiseTensor *left = t->temporary ? pointwise_tensor(o->out->pointwise, t->view.symbol) : NULL;
    if (!left) continue;
    const char *detail =
        arena_format(o->arena, "the temporary %s is read where no launch is shown to have written", t->view.name);
    array_push(o->arena, &last->obligations,
               (Obligation){.kind = OBLIGATION_UNDEFINED,
                            .verdict = OBLIGATION_UNKNOWN,
                            .op = last->ex->function->op,
                            .tensor = t->view.name,
                            .detail = detail});
    verdict = VERDICT_UNKNOWN;
  }
  return verdict;
}

/* What an atomic returns is another function in each launch. That of the only program is 0. */
static void name_results(Operator *o, Bound *b) {
  const Effects *ex = b->claim->ex;
  for (OpId id = ex->extent.first_op; id < ex->extent.end_op && o->launch; id++) {
    if (program_get_op(ex->program, id)->code != OP_TT_ATOMIC_RMW) continue;
    const char *own = execute_atomic_name(o->arena, id), *name = arena_format(o->arena, "%s_%u", own, o->launch + 1);
    importer_map_function(b->importer, own, name);
    array_push(o->arena, &b->renames, ((Rename){own, name, 0}));
  }
  for (uint32_t i = 0; i < 3; i++)
    if (b->grid[i] == o->tt->one || term_symbol(ex->tt, ex->pid[i])->hi == ex->tt->zero)
      importer_map(b->importer, ex->pid[i], o->tt->zero);
}

static void bind_launch(Operator *o, Bound *b) {
  const Effects *ex = b->claim->ex;
  b->importer = importer_new(o->arena, o->tt, ex->tt);
  for (uint32_t i = 0; i < ex->params.count; i++)
    if (!ex->params.data[i].is_pointer && !ex->params.data[i].given.is_constant)
      operator_bind_scalar(o, b, &ex->params.data[i], i);
  for (uint32_t i = 0; i < 3; i++) operator_bind_grid(o, b, i);
  name_results(o, b);
  operator_place_tensors(o, b);
  if (!o->out->stop_code) operator_complete_tensors(o, b);
  if (o->out->stop_code) return;
  operator_match_strides(o, b);
  operator_match_extents(o, b);
  operator_check_views(o, b);
  if (o->out->stop_code) return;
  const Pointwise *step = import_pointwise(o, b);
  for (uint32_t i = 0; i < step->tensors.count; i++)
    if (step->tensors.data[i].is_read || step->tensors.data[i].is_written)
      operator_see_tensor(o, &step->tensors.data[i], b->tensor[i]);
  array_push(o->arena, &o->sequence.steps, (SequenceStep){step, b->tensor, b->offset});
  b->is_bound = true;
}

static Operator *compose(Arena *arena, InternTable *names, const Operation *operation, Claim *const *launches,
                         unsigned takes, SameNumbers same) {
  Operator *o = arena_new(arena, Operator);
  uint32_t count = operation->launches.count;
  *o = (Operator){.arena = arena,
                  .takes = takes,
                  .same = same,
                  .tt = term_table_new(arena, names),
                  .operation = operation,
                  .names = arena_new(arena, LaunchNames),
                  .out = arena_new(arena, Claim)};
  o->bound = arena_array(arena, Bound, count), o->count = count;
  Pointwise *p = o->out->pointwise = arena_new(arena, Pointwise);
  o->out->tt = p->tt = o->tt;
  o->sequence = (Sequence){.arena = arena, .tt = o->tt};
  for (uint32_t i = 0; i < count; i++)
    o->bound[i].launch = &operation->launches.data[i], o->bound[i].claim = launches[i],
    o->out->has_f64 |= launches[i]->has_f64;
  for (uint32_t i = 0; i < operation->tensors.count; i++) operator_declare_tensor(o, &operation->tensors.data[i]);
  for (o->launch = 0; o->launch < count; o->launch++)
    if (!o->out->stop_code) bind_launch(o, &o->bound[o->launch]);
  if (!o->out->stop_code) sequence_compose(&o->sequence, p, &o->out->stop_code, &o->out->stop_text);
  for (uint32_t i = 0; i < count && !o->out->stop_code; i++) operator_list_unread(o, &o->bound[i]);
  return o;
}

/* True if the first launch to touch the tensor writes there, and reads nothing of it. */
static bool begins_written(const Operator *o, uint32_t tensor) {
  for (uint32_t i = 0; i < o->sequence.steps.count; i++) {
    const SequenceStep *step = &o->sequence.steps.data[i];
    bool reads = false, writes = false;
    for (uint32_t k = 0; k < step->pointwise->tensors.count; k++) {
      if (step->tensor[k] != tensor) continue;
      reads |= step->pointwise->tensors.data[k].is_read, writes |= step->pointwise->tensors.data[k].is_written;
    }
    if (reads || writes) return !reads;
  }
  return false;
}

/* The result reads what no launch left in a temporary, or in a tensor that is written first. */
static bool reads_unwritten(const Operator *o) {
  for (uint32_t i = 0; i < o->sequence.tensors.count; i++) {
    const SequenceTensor *t = &o->sequence.tensors.data[i];
    const PointwiseTensor *left = pointwise_tensor(o->out->pointwise, t->view.symbol);
    if (left && (t->temporary || (left->is_read && begins_written(o, i)))) return true;
  }
  return false;
}

/* An axis of a tensor is as long as two launches go along it, each by a length of its own. */
static bool has_two_lengths(const Operator *o) {
  for (uint32_t i = 0; i < o->sequence.tensors.count; i++) {
    const PointwiseTensor *t = &o->sequence.tensors.data[i].view;
    for (uint32_t k = 0; t->symbol && k < t->rank; k++)
      if (t->extent[k] && term_kind(o->tt, t->extent[k]) == TERM_MAX) return true;
  }
  return false;
}

/* Numbers are a sample, and the result is for any. Where the programs of a launch then do not cover what another reads,
 * or go along it otherwise, it is for what the sample says: that two numbers are one, or what they are. */
Operator *operator_new(Arena *arena, InternTable *names, const Operation *operation, Claim *const *launches) {
  Operator *any = compose(arena, names, operation, launches, 0, (SameNumbers){0});
  if (any->out->stop_code && any->out->stop_code == REASON_VIEWS) { /* one element, as an axis of its own */
    Operator *o = compose(arena, names, operation, launches, TAKES_ONES, (SameNumbers){0});
    return o->out->stop_code ? any : o;
  }
  bool is_open = !any->out->stop_code && reads_unwritten(any);
  if (any->out->stop_code || (!is_open && !has_two_lengths(any))) return any;
  static const struct {
    unsigned takes;
    bool same;
  } more[] = {{TAKES_RELATIONS, false},
              {0, true},
              {TAKES_RELATIONS, true},
              {TAKES_GRIDS, false},
              {TAKES_RELATIONS | TAKES_GRIDS, false}};
  for (uint32_t i = 0; i < sizeof more / sizeof *more; i++) {
    if ((more[i].same && !any->seen.count) || (!is_open && (!more[i].same || more[i].takes))) continue;
    Operator *o =
        compose(arena, names, operation, launches, more[i].takes, more[i].same ? any->seen : (SameNumbers){0});
    if (!o->out->stop_code && !reads_unwritten(o)) return o;
  }
  return any;
}

Claim *operator_result(Operator *o) { return o->out; }

Claim *operator_stopped(const Operation *operation, Claim *const *launches) {
  for (uint32_t i = 0; i < operation->launches.count; i++)
    if (launches[i]->stop_code) return launches[i];
  return NULL;
}

Operator *operator_of(Arena *arena, InternTable *names, const Operation *operation, const Options *options,
                      Claim *const *launches, const char *kernel) {
  const Operation *given = given_operation(arena, operation, options);
  bool has_names = operation->launches.count > 1 || operation->has_tensors || given;
  if (!has_names || operator_stopped(operation, launches)) return NULL;
  Operator *o = operator_new(arena, names, given ? given : operation, launches);
  o->out->pointwise->kernel = kernel;
  return o;
}

void operator_check_results(const Operation *operation, Claim *claim) {
  bool is_operand = operation->launches.count > 1 || operation->has_tensors;
  if (!is_operand || !program_result_count(claim->ex->program, claim->ex->function)) return;
  claim->stop_code = REASON_UNSUPPORTED_RESULT;
  claim->stop_text = "what a function returns is not an operand of other launches, or a tensor of an operation file";
}

static bool is_of_grids(const Expr *condition) {
  return expr_mentions(condition, "grid_x") || expr_mentions(condition, "grid_y") || expr_mentions(condition, "grid_z");
}

/* What the user assumes of names that are no argument of a kernel by themselves: printed, and used of the launches
 * alone. */
static void assume_given(Operator *o, const Options *options) {
  for (uint32_t i = 0; i < options->assumes.count; i++) {
    if (is_of_grids(options->assumes.data[i])) continue; /* each launch has its own */
    const LaunchExpr *e = launch_bind(o->arena, options->assumes.data[i], o->names);
    bool known = false;
    operator_bind_names(o);
    for (uint32_t k = 0; k < o->out->assumptions.count; k++)
      known |= !strcmp(o->out->assumptions.data[k].text, options->assumes.data[i]->text);
    operator_swap_ranges(o); /* of which the launches know already what the user says */
    if (e && !known)
      operator_assume(o, ASSUME_USER, launch_term(o->tt, e, o->names), options->assumes.data[i]->text,
                      given_why(options, i), NULL);
    operator_swap_ranges(o);
  }
}

/* The number of a sample in the place of what goes by a name of its own: arguments and grids. */
static void list_given(Operator *o) {
  int64_t number;
  for (uint32_t i = 0; i < o->named.count; i++)
    if (o->named.data[i].has_sample)
      array_push(o->arena, &o->out->given, ((GivenNumber){o->named.data[i].symbol, o->named.data[i].sample}));
  for (uint32_t i = 0; i < o->count; i++)
    for (uint32_t k = 0; k < 3; k++) {
      const Launch *l = o->bound[i].launch;
      const Expr *size = k < l->grid_count ? l->grid[k] : NULL;
      number = 1;
      if (o->bound[i].is_bound && l->grid_count && (!size || expr_number(size, &number)))
        array_push(o->arena, &o->out->given, ((GivenNumber){o->bound[i].grid[k], number}));
    }
}

/* The tensor as the launches go along it has as many elements as the file says; one of which no launch says so is not
 * known. */
static bool has_declared_shape(Operator *o, uint32_t tensor) {
  const PointwiseTensor *view = &o->sequence.tensors.data[tensor].view;
  const OperationTensor *from = NULL;
  for (uint32_t i = 0; i < o->operation->tensors.count; i++)
    if (!strcmp(o->operation->tensors.data[i].name, view->name)) from = &o->operation->tensors.data[i];
  if (!o->adopted.data[tensor] || !from) return true;
  bool same = view->rank == from->rank;
  for (uint32_t k = 0; k < view->rank && same; k++) {
    int64_t declared, own;
    same = expr_number(from->shape[k], &declared) && operator_sample(o, view->extent[k], &own) && own == declared;
  }
  return same;
}

/* The only launch that writes the tensor; SEQUENCE_UNUSED: there are several, or none. */
static uint32_t only_writer(const Operator *o, uint32_t tensor) {
  uint32_t found = SEQUENCE_UNUSED;
  for (uint32_t i = 0; i < o->sequence.steps.count; i++) {
    const SequenceStep *step = &o->sequence.steps.data[i];
    for (uint32_t k = 0; k < step->pointwise->tensors.count; k++) {
      if (step->tensor[k] != tensor || !step->pointwise->tensors.data[k].is_written) continue;
      if (found != SEQUENCE_UNUSED && found != i) return SEQUENCE_UNUSED;
      found = i;
    }
  }
  return found;
}

static uint8_t sign_of_left(Operator *o, uint32_t tensor, uint32_t launch) {
  const SequenceTensor *t = &o->sequence.tensors.data[tensor];
  bool is_known = t->temporary && t->written && only_writer(o, tensor) < launch && has_declared_shape(o, tensor) &&
                  !pointwise_tensor(o->out->pointwise, t->view.symbol);
  return is_known ? definedness_sign_of(o->arena, o->tt, o->out->pointwise, &t->view, t->written) : 0;
}

void operator_find_signs(Operator *o, uint32_t launch) {
  const Bound *b = &o->bound[launch];
  const Effects *ex = b->claim->ex;
  uint8_t *found = arena_array(o->arena, uint8_t, ex->params.count + 1);
  if (o->out->stop_code || !b->is_bound) return;
  for (uint32_t i = 0; i < b->claim->pointwise->tensors.count; i++) {
    const PointwiseTensor *own = &b->claim->pointwise->tensors.data[i];
    if (b->tensor[i] == SEQUENCE_UNUSED || !own->is_read) continue;
    for (uint32_t k = 0; k < ex->params.count; k++)
      if (ex->params.data[k].symbol == own->symbol) found[k] = sign_of_left(o, b->tensor[i], launch);
  }
  b->claim->left = found;
}

/* Says whether what was in the tensor before the first launch is an input. The first launch to touch it reads it; what
 * a later one reads of it may be a gap between what is written, which is no input for being read: not known where that
 * launch writes the tensor as well. */
static void say_kept(const Operator *o, uint32_t tensor, CoverageAsked *asked) {
  bool first = true;
  for (uint32_t i = 0; i < o->sequence.steps.count; i++) {
    const SequenceStep *step = &o->sequence.steps.data[i];
    bool reads = false, writes = false;
    for (uint32_t k = 0; k < step->pointwise->tensors.count; k++) {
      if (step->tensor[k] != tensor) continue;
      reads |= step->pointwise->tensors.data[k].is_read, writes |= step->pointwise->tensors.data[k].is_written;
    }
    asked->is_input |= first && reads, asked->may_be_input |= reads && writes;
    first &= !reads && !writes;
  }
}

static bool is_open_coverage(const Obligation *ob, const char *tensor) {
  return ob->is_of_operation && ob->verdict == OBLIGATION_UNKNOWN && ob->tensor && !strcmp(ob->tensor, tensor);
}

/* Of a tensor that several launches write, where each alone leaves something out. What is not written or not known is
 * said once. */
static void judge_coverage(Operator *o, uint32_t tensor, bool is_proved) {
  const SequenceTensor *t = &o->sequence.tensors.data[tensor];
  Obligation *last = NULL;
  for (uint32_t i = 0; i < o->count; i++)
    for (uint32_t k = 0; k < o->bound[i].claim->obligations.count; k++)
      if (is_open_coverage(&o->bound[i].claim->obligations.data[k], t->view.name))
        last = &o->bound[i].claim->obligations.data[k];
  if (!last) return;
  CoverageAsked asked = {.arena = o->arena,
                         .whole = o->out,
                         .tensor = t,
                         .is_proved = is_proved && !o->out->stop_code && has_declared_shape(o, tensor)};
  const PointwiseTensor *left = t->temporary ? NULL : pointwise_tensor(o->out->pointwise, t->view.symbol);
  if (left && left->is_read) say_kept(o, tensor, &asked);
  bool unread = t->temporary && asked.is_proved && !pointwise_tensor(o->out->pointwise, t->view.symbol);
  Coverage found = unread ? (Coverage){.verdict = OBLIGATION_PROVED} : coverage_of_launches(&asked);
  for (uint32_t i = 0; i < o->count; i++) {
    Claim *r = o->bound[i].claim;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < r->obligations.count; k++) {
      Obligation *ob = &r->obligations.data[k];
      bool open = is_open_coverage(ob, t->view.name);
      if (open && ob != last && found.verdict != OBLIGATION_PROVED) continue;
      if (open)
        ob->verdict = found.verdict, ob->detail = found.detail, ob->witness = found.witness, ob->under.count = 0;
      for (uint32_t n = 0; n < found.under.count && open; n++) array_push(o->arena, &ob->under, found.under.data[n]);
      r->obligations.data[kept++] = *ob;
    }
    r->obligations.count = kept;
  }
}

static Verdict judge_all(Operator *o, bool is_proved, const Options *options) {
  Verdict worst = VERDICT_PROVED;
  for (uint32_t i = 0; i < o->sequence.tensors.count; i++) judge_coverage(o, i, is_proved);
  for (uint32_t i = 0; i < o->count; i++)
    for (uint32_t k = 0; k < o->bound[i].claim->obligations.count; k++) {
      Obligation *ob = &o->bound[i].claim->obligations.data[k];
      int verdict = ob->is_of_operation ? obligation_decide(ob, o->bound[i].claim->ex, options) : OBLIGATION_PROVED;
      if (verdict == OBLIGATION_REFUTED)
        worst = VERDICT_REFUTED;
      else if (verdict != OBLIGATION_PROVED && worst != VERDICT_REFUTED)
        worst = VERDICT_UNKNOWN;
    }
  return worst;
}

/* What holds anyway is said as well. */
static void say_given(Operator *o, const Options *options) {
  for (uint32_t i = 0; i < options->assumes.count; i++) {
    if (!is_of_grids(options->assumes.data[i])) continue;
    uint32_t number = operator_assume(o, ASSUME_USER, 0, options->assumes.data[i]->text, "--assume", NULL);
    o->out->assumptions.data[number].holds_anyway = true;
  }
}

/* What the user and the kernels assume, and what is found of the launches, exclude each other: anything would be
 * proved. */
static bool excludes_itself(Operator *o, const Options *options) {
  Term all = o->tt->true_;
  for (uint32_t i = 0; i < o->out->assumptions.count; i++) {
    Term condition = o->out->assumptions.data[i].condition;
    if (condition && (condition != o->tt->false_ || options->assumes.count))
      all = term_and(o->tt, all, condition); /* unmet() tells of one alone */
  }
  return options->assumes.count ? given_is_contradiction(o->tt, all)
                                : all != o->tt->true_ && equal_prove_false(o->tt, all);
}

/* What is assumed, and no launch of the operation meets; NULL: nothing. */
static const char *unmet(const Operator *o) {
  for (uint32_t i = 0; i < o->out->assumptions.count; i++)
    if (o->out->assumptions.data[i].condition == o->tt->false_) return o->out->assumptions.data[i].text;
  return NULL;
}

Verdict operator_finish(Operator *o, bool is_proved, const Options *options) {
  assume_given(o, options);
  for (uint32_t i = 0; i < o->count; i++) operator_take_texts(o, &o->bound[i]);
  say_given(o, options);
  if (o->names->count) operator_assume_sizes(o);
  assume_finite(o);
  assume_shared(o);
  operator_take_arrays(o);
  if (!o->out->stop_code && excludes_itself(o, options)) {
    operator_stop(o, REASON_NO_LAUNCH, "what is given and what is assumed exclude each other: no launch is spoken of");
    return VERDICT_UNKNOWN;
  }
  list_given(o);
  Verdict covered = judge_all(o, is_proved, options);
  const char *open = o->out->stop_code ? NULL : unmet(o);
  if (open)
    operator_stop(o, REASON_NO_LAUNCH,
                  arena_format(o->arena, "no launch of the operation meets what is assumed: %s", open));
  if (covered == VERDICT_REFUTED || o->out->stop_code) return covered == VERDICT_REFUTED ? covered : VERDICT_UNKNOWN;
  Verdict order = check_temporaries(o, o->bound[o->count - 1].claim);
  return covered == VERDICT_PROVED ? order : covered;
}
