/* Undefined values: what is stored must be a number wherever inputs are finite (semantics.md section 3). What is not
 * shown names the operation that is to blame (domain.c). */
#include <string.h>

#include "safety/domain.h"
#include "prove/equal.h"
#include "safety/definedness.h"

/* ---- the obligation of each store ---- */

/* True if the domain is that of the operator itself, its argument an input as it stands. */
static bool is_elementwise(const TermTable *tt, Term culprit) {
  return !(term_node(tt, culprit)->flags & (TERM_HAS_FOLD | TERM_HAS_UNDEF));
}

/* Of what was found: tells whether it is the inputs alone, or there is something else where these are in the domain of
 * all that takes them. Then that is to domain_blame. The facts are those of the first look. */
static uint8_t part_of_inputs(Domain *d, Term t, bool (*look)(Domain *, Term)) {
  Domain again = {.s = d->s, .tt = d->tt, .skips_open = d->skips_open, .trusts_inputs = true};
  if (!is_elementwise(d->tt, d->culprit)) return OF_INPUTS_NOT;
  if (look(&again, t)) return OF_INPUTS_ALONE;
  if (again.culprit) d->culprit = again.culprit, d->why = again.why;
  return OF_INPUTS_TOO;
}

static const char *on_inputs(uint8_t of_inputs) {
  return of_inputs == OF_INPUTS_ALONE ? "; this depends on the inputs" : "";
}

static const Access *access_of(const Safety *s, uint32_t output, uint32_t piece) {
  for (uint32_t i = 0; i < s->on->hints.places.count; i++) {
    const StorePlace *p = &s->on->hints.places.data[i];
    if (p->output == output && p->piece == piece) return &s->on->ex->accesses.data[p->access];
  }
  return NULL;
}

/* A float argument that is above 0 because it scales padding (recover.c). */
static void rest_on_positive(Safety *s, Obligation *o, Term scalar) {
  for (uint32_t i = 0; i < s->report->assumptions.count; i++) {
    const Assumption *a = &s->report->assumptions.data[i];
    if (a->scalar == scalar && a->sign == SIGN_POSITIVE) safety_rests_on(s, o, i);
  }
}

static void check_piece(Safety *s, uint32_t number, uint32_t piece_number) {
  TermTable *tt = s->tt;
  const PointwiseOutput *output = &s->on->pointwise->outputs.data[number];
  const PointwiseTensor *view = &s->on->pointwise->tensors.data[output->tensor];
  const PointwisePiece *piece = &output->pieces.data[piece_number];
  const Access *access = access_of(s, number, piece_number);
  Domain d = {.s = s, .tt = tt};
  uint32_t facts = tt->facts.count;
  safety_takes_anew(s);
  for (uint32_t k = 0; k < output->rank; k++) {
    equal_push(tt, term_le(tt, tt->zero, output->index[k]));
    equal_push(tt, term_lt(tt, output->index[k], view->extent[k]));
    equal_push(tt,
               term_lt(tt, tt->zero,
                       view->extent[k])); /* an index may bring this bound along, and then says it of itself alone */
  }
  bool good = domain_is_defined(&d, piece->region);
  equal_push(tt, piece->region);
  Term looked_at = good ? piece->value : piece->region;
  good = good && domain_is_defined(&d, piece->value);
  uint8_t of_inputs = good ? OF_INPUTS_NOT : part_of_inputs(&d, looked_at, domain_is_defined);
  term_pop_facts(tt, facts);
  const char *detail =
      good ? NULL
           : arena_format(s->arena, "%s: %s%s", d.why, source_text(tt, s->on, 0, d.culprit), on_inputs(of_inputs));
  Obligation *o = safety_add(s, OBLIGATION_UNDEFINED, good ? OBLIGATION_PROVED : OBLIGATION_UNKNOWN,
                             access ? access->op : 0, view->symbol, detail);
  o->of_inputs = of_inputs;
  safety_rests_on_signs(s, o, false);
  for (uint32_t i = 0; i < s->on->ex->params.count && good; i++) {
    const Param *param = &s->on->ex->params.data[i];
    if (param->is_positive && term_has_symbol(tt, piece->value, param->symbol))
      rest_on_positive(s, o, s->report->ex->params.data[i].symbol);
  }
}

/* ---- loops ---- */

typedef struct Closing {
  const Effects *ex;
  const LoopRecord *loop; /* whose first iteration is looked at; NULL: none */
  const Term
      *start; /* by its values: memory that stands for what it starts with, whatever that is; 0: the closed form */
} Closing;

/* A value that a loop carries, in closed form. */
static Term put_closed(TermTable *tt, Term t, void *payload) {
  const Closing *closing = payload;
  const Effects *ex = closing->ex;
  if (term_kind(tt, t) != TERM_READ || term_symbol(tt, term_arg(tt, t, 0))->role != SYMBOL_CARRY) return t;
  for (uint32_t l = 0; l < ex->loops.count; l++)
    for (uint32_t i = 0; i < ex->loops.data[l].values.count; i++) {
      const LoopValue *v = &ex->loops.data[l].values.data[i];
      Term at[TYPE_MAX_RANK], start = &ex->loops.data[l] == closing->loop ? closing->start[i] : 0;
      if (term_arg(tt, t, 0) != v->symbol) continue;
      for (uint32_t k = 0; k < v->rank; k++) at[k] = term_arg(tt, t, k + 1);
      if (start) return term_read(tt, start, SORT_REAL, v->rank, at);
      return v->rank ? term_substitute(tt, v->closed, (TermMap){v->rank, v->lanes, at}) : v->closed;
    }
  return t;
}

static Term closed_with(Closing *closing, Term t) {
  return term_rebuild(closing->ex->tt, term_transform(closing->ex->tt, t, put_closed, closing));
}

static Term closed(const Effects *ex, Term t) {
  Closing closing = {.ex = ex};
  return closed_with(&closing, t);
}

static const char *blamed(Safety *s, const Domain *d, OpId op, uint8_t of_inputs) {
  return arena_format(s->arena, "%s: %s (%s)%s", d->why, source_text(s->tt, s->on, op, d->culprit),
                      execute_where(s->on->ex, op), on_inputs(of_inputs));
}

static void enter_loop(Safety *s, const LoopRecord *loop, bool first) {
  TermTable *tt = s->tt;
  equal_push(tt, term_lt(tt, tt->zero, loop->trips));
  for (uint32_t k = 0; k < loop->outer_count; k++)
    if (term_symbol(tt, loop->outer[k])->hi) equal_push(tt, term_le(tt, tt->zero, term_symbol(tt, loop->outer[k])->hi));
  if (first)
    equal_push(tt, term_le(tt, loop->counter, tt->zero));
  else
    equal_push(tt, term_lt(tt, loop->counter, loop->trips)), equal_push(tt, term_le(tt, tt->one, loop->counter));
}

/* In the first iteration a closed form may be 0/0, where the loop starts with a number: any number will do. Terms are
 * closed before the facts are known: with them, 0/0 may become 0. */
static Closing first_iteration(Safety *s, const LoopRecord *loop) {
  TermTable *tt = s->tt;
  Term *start = arena_array(s->arena, Term, loop->values.count + 1);
  Closing plain = {.ex = s->on->ex};
  for (uint32_t i = 0; i < loop->values.count; i++) {
    const LoopValue *v = &loop->values.data[i];
    Domain d = {.s = s, .tt = tt}, e = {.s = s, .tt = tt};
    uint32_t facts = tt->facts.count;
    if (term_sort(tt, v->closed) != SORT_REAL) continue;
    Term form = closed_with(&plain, v->closed), init = closed_with(&plain, v->init);
    enter_loop(s, loop, true);
    if (!domain_is_defined(&d, form) && domain_is_defined(&e, init) && domain_is_finite(&e, init))
      start[i] = term_symbol_fresh(tt, "start", SORT_REAL, SYMBOL_TENSOR);
    term_pop_facts(tt, facts);
  }
  return (Closing){s->on->ex, loop, start};
}

/* An array that is made element by element: those that no step has written yet are asked about where they are read. */
static bool is_array(const Effects *ex, const LoopValue *v) {
  return v->arg && program_value_type(ex->program, v->arg)->kind == TYPE_ARRAY;
}

/* A closed form may be defined where a step of the loop was not. NULL: all steps are. */
static const char *open_step(Safety *s, uint8_t *of_inputs) {
  TermTable *tt = s->tt;
  const Effects *ex = s->on->ex;
  for (uint32_t l = 0; l < ex->loops.count; l++) {
    const LoopRecord *loop = &ex->loops.data[l];
    uint32_t facts = tt->facts.count;
    Closing closings[] = {{.ex = ex}, first_iteration(s, loop)};
    for (uint32_t i = 0; i < 2 * loop->values.count; i++) {
      const LoopValue *v = &loop->values.data[i / 2];
      Domain d = {.s = s, .tt = tt, .skips_open = is_array(ex, v)};
      if (term_sort(tt, v->step) != SORT_REAL) continue;
      Term step = closed_with(&closings[i % 2], v->step);
      enter_loop(s, loop, i % 2);
      bool good = domain_is_defined(&d, step);
      if (!good) *of_inputs = part_of_inputs(&d, step, domain_is_defined);
      term_pop_facts(tt, facts);
      if (!good) return blamed(s, &d, loop->op, *of_inputs);
    }
  }
  return NULL;
}

/* ---- what the constructors of terms leave out ---- */

/* What was in what is stored, and is not in what was made of it where the mask holds: divisors, or conditions. */
static const char *definedness_of_stores(Safety *s, bool (*is_undefined)(Domain *d, const Access *stored,
                                                                         const PointwisePiece *formula)) {
  for (uint32_t i = 0; i < s->on->hints.places.count; i++) {
    const StorePlace *p = &s->on->hints.places.data[i];
    const Access *access = &s->on->ex->accesses.data[p->access];
    Domain d = {.s = s, .tt = s->tt};
    if (access->value && is_undefined(&d, access, &s->on->pointwise->outputs.data[p->output].pieces.data[p->piece]))
      return blamed(s, &d, access->op, OF_INPUTS_NOT);
  }
  return NULL;
}

static bool joins_conditions(const Effects *ex, const Op *op, const ExecutedOp *e) {
  bool joins =
      op->code == OP_ARITH_ANDI || op->code == OP_ARITH_ORI || op->code == OP_ARITH_XORI || op->code == OP_ARITH_SELECT;
  return joins && term_sort(ex->tt, e->result) == SORT_BOOL;
}

/* A comparison of what may be no number, or such conditions joined: decided by a law, or with fewer parts than all of
 * them. */
static bool decides_too_much(Domain *d, const Op *op, const ExecutedOp *e) {
  const Effects *ex = d->s->on->ex;
  for (uint32_t i = 0; i + 1 < e->operand_count; i++) {
    Term a = e->operands[i], b = e->operands[i + 1];
    if (op->code == OP_ARITH_CMPF && domain_is_defined(d, closed(ex, a)) && domain_is_defined(d, closed(ex, b)))
      continue;
    if (definedness_of_comparison(d, a, b, e->result))
      return !domain_blame(d, a, "a comparison of what may be no number");
  }
  return false;
}

/* What the operation makes of reals; TERM_STEP_OTHER: it is none of these. */
static TermStepKind real_step(Opcode code) {
  if (code == OP_ARITH_DIVF || code == OP_TT_PRECISE_DIVF) return TERM_STEP_QUOTIENT;
  if (code == OP_ARITH_MULF) return TERM_STEP_PRODUCT;
  if (code == OP_ARITH_SUBF) return TERM_STEP_DIFFERENCE;
  return code == OP_ARITH_ADDF ? TERM_STEP_SUM : TERM_STEP_OTHER;
}

/* True if something is left out that is not defined by itself. What is to blame is in d then. */
static bool is_open(Domain *d, const ExecutedOp *e) {
  TermTable *tt = d->tt;
  const Effects *ex = d->s->on->ex;
  const Op *op = program_get_op(ex->program, e->op);
  if (op->code == OP_ARITH_CMPF || joins_conditions(ex, op, e)) return decides_too_much(d, op, e);
  TermStepKind kind = real_step(op->code);
  Term a = e->operands[0], b = e->operands[1];
  bool divides = kind == TERM_STEP_QUOTIENT;
  if (kind == TERM_STEP_OTHER || (term_node(tt, a)->count == 0 && term_node(tt, b)->count == 0 && !divides) ||
      (divides && term_is_rat(tt, b)))
    return false;
  return definedness_some(d, (TermStep){kind, a, b, e->result, 0}) &&
         !definedness_is_defined(d, (TermStep){kind, closed(ex, a), closed(ex, b), e->result, 0});
}

/* 0 / x is 0 as a term, and a / b - a / b too, and log(x) == log(x) is true: what is left out must be defined by
 * itself, in each execution of the operation. NULL: it is. */
static const char *undefined_where(Safety *s) {
  const Effects *ex = s->on->ex;
  for (uint32_t i = 0; i < ex->executed.count; i++) {
    const ExecutedOp *e = &ex->executed.data[i];
    Domain d = {.s = s, .tt = s->tt};
    guard_tick(s->arena->guard);
    if (is_open(&d, e)) return blamed(s, &d, e->op, is_elementwise(s->tt, d.culprit) ? OF_INPUTS_ALONE : OF_INPUTS_NOT);
  }
  return definedness_of_stores(s, definedness_of_conditions);
}

/* What one operand alone leaves without a value is so in the result; of a choice it need not be. */
static bool is_strict(Opcode code, TermStepKind *kind) {
  OpFamily family = program_op_family(code);
  *kind = family == OP_FAMILY_DIVISION ? TERM_STEP_QUOTIENT : TERM_STEP_OTHER;
  return family == OP_FAMILY_DIVISION || family == OP_FAMILY_INT || family == OP_FAMILY_SHIFT ||
         family == OP_FAMILY_COMPARE || family == OP_FAMILY_WIDTH || family == OP_FAMILY_FLOAT;
}

static bool may_shift_too_far(const Effects *ex) {
  for (uint32_t i = 0; i < ex->executed.count; i++) {
    const ExecutedOp *e = &ex->executed.data[i];
    Opcode code = program_get_op(ex->program, e->op)->code;
    bool shifts = program_op_family(code) == OP_FAMILY_SHIFT;
    if (shifts && (term_node(ex->tt, e->result)->flags & TERM_HAS_UNDEF)) return true;
  }
  return false;
}

/* i // i is 1 as a term, and (x << y) - (x << y) is 0. The division obligation says so, but not of the value. NULL:
 * nothing of that kind goes. */
static const char *definedness_of_integer_operations(Safety *s) {
  const Effects *ex = s->on->ex;
  if (!ex->divisions.count && !may_shift_too_far(ex)) return NULL;
  for (uint32_t i = 0; i < ex->executed.count; i++) {
    const ExecutedOp *e = &ex->executed.data[i];
    Domain d = {.s = s, .tt = s->tt};
    TermStepKind kind;
    if (is_strict(program_get_op(ex->program, e->op)->code, &kind) &&
        definedness_of_integers(&d, (TermStep){kind, e->operands[0], e->operands[1], e->result, 0}))
      return blamed(s, &d, e->op, OF_INPUTS_NOT);
  }
  return definedness_of_stores(s, definedness_of_store);
}

/* A program of which the kernel states what is not so leaves all undefined. */
static const char *open_statement(const Safety *s) {
  for (uint32_t i = 0; i < s->report->obligations.count; i++) {
    const Obligation *o = &s->report->obligations.data[i];
    const Op *op = program_get_op(s->on->ex->program, o->op);
    bool states = op->code == OP_LLVM_ASSUME || op->code == OP_TT_ASSERT || op->code == OP_CF_ASSERT;
    if (states && o->verdict != OBLIGATION_PROVED) return "what the kernel states is not shown of every program";
  }
  return NULL;
}

static bool is_number(Domain *d, Term t) {
  return domain_is_defined(d, t) && (domain_is_finite(d, t) || domain_blame(d, t, "an infinity"));
}

const char *safety_not_a_number(Safety *s, Term t, OpId op, uint8_t *of_inputs) {
  Domain d = {.s = s, .tt = s->tt, .skips_open = true};
  if (is_number(&d, t)) return NULL;
  *of_inputs = part_of_inputs(&d, t, is_number);
  return blamed(s, &d, op, *of_inputs);
}

Term safety_closed(Safety *s, Term t) { return closed(s->on->ex, t); }

/* A mask, a branch or a loop may go by a condition on what infinities leave undefined. */
static bool decides_something(Safety *s) {
  for (uint32_t i = 0; i < s->on->ex->divisions.count; i++) {
    const DivisionNeed *need = &s->on->ex->divisions.data[i];
    Domain d = {.s = s, .tt = s->tt};
    uint32_t facts = s->tt->facts.count;
    if (!need->is_undefined) continue;
    bool never = !domain_assume(&d, need->path) || domain_is_impossible(&d, term_eq(s->tt, need->divisor, s->tt->zero));
    term_pop_facts(s->tt, facts);
    if (!never) return true;
  }
  return false;
}

/* A term is what it is where it is defined (execute/loops/undefined.c): so the kernel is executed once more with NaN
 * where infinities meet, which must not reach what is stored. */
static bool infinities_meet(const Safety *s) {
  const Effects *old = s->on->ex;
  if (!old->meets_infinities) return false;
  Safety again = *s;
  again.tt = term_table_new(s->arena, s->tt->names);
  ExecuteOptions options = old->options;
  options.keeps_infinities = true;
  Effects *ex = execute_function(s->arena, again.tt, old->program, old->function, options);
  if (!ex->stop_code) safety_bind_again(&again, ex);
  again.on = recover_views(s->arena, ex);
  if (again.on->stop_code) return true;
  again.report = arena_new(s->arena, Claim);
  again.report->ex = ex, again.report->left = s->report->left;
  for (uint32_t i = 0; i < again.on->pointwise->outputs.count; i++)
    for (uint32_t k = 0; k < again.on->pointwise->outputs.data[i].pieces.count; k++) check_piece(&again, i, k);
  bool good = !decides_something(&again);
  for (uint32_t i = 0; i < again.report->obligations.count; i++)
    good &= again.report->obligations.data[i].verdict == OBLIGATION_PROVED;
  return !good;
}

void safety_undefined(Safety *s) {
  TermTable *tt = s->tt;
  const Effects *ex = s->on->ex;
  for (uint32_t i = 0; i < ex->accesses.count; i++) { /* addresses and masks */
    const Access *a = &ex->accesses.data[i];
    if (!((term_node(tt, a->offset)->flags | term_node(tt, a->mask)->flags) & TERM_HAS_UNDEF)) continue;
    safety_add(s, OBLIGATION_UNDEFINED, OBLIGATION_UNKNOWN, a->op, a->tensor,
               "a lane that no load defined may reach an address or a mask");
  }
  uint8_t of_inputs = OF_INPUTS_NOT;
  const char *open = open_step(s, &of_inputs);
  if (!open) open = undefined_where(s);
  safety_takes_for_all(s);
  uint32_t first = s->report->obligations.count;
  bool may_hide = false; /* lanes that hold 0 by assumption are not seen in the terms any more */
  for (uint32_t i = 0; i < ex->accesses.count; i++)
    may_hide |= ex->options.zero_fill && ex->accesses.data[i].absent_other;
  for (uint32_t i = 0; i < s->on->pointwise->outputs.count; i++)
    for (uint32_t k = 0; k < s->on->pointwise->outputs.data[i].pieces.count; k++) {
      if (!may_hide && !open) {
        check_piece(s, i, k);
        continue;
      }
      const Access *access = access_of(s, i, k);
      Obligation *o = safety_add(s, OBLIGATION_UNDEFINED, OBLIGATION_UNKNOWN, access ? access->op : 0,
                                 s->on->pointwise->tensors.data[s->on->pointwise->outputs.data[i].tensor].symbol,
                                 may_hide ? "lanes of a masked load without `other` may reach what is stored" : open);
      o->of_inputs = may_hide ? OF_INPUTS_NOT : of_inputs;
    }
  bool good = !may_hide && !open;
  for (uint32_t i = first; i < s->report->obligations.count; i++)
    good &= s->report->obligations.data[i].verdict == OBLIGATION_PROVED;
  const char *meets = "(-inf) - (-inf) may reach what is stored";
  safety_takes_anew(s);
  bool meet = good ? infinities_meet(s) : ex->meets_infinities;
  s->report->undefined_where = open ? open : meet ? meets : definedness_of_integer_operations(s);
  if (!s->report->undefined_where) s->report->undefined_where = open_statement(s);
  for (uint32_t i = first; good && meet && i < s->report->obligations.count; i++)
    s->report->obligations.data[i].verdict = OBLIGATION_UNKNOWN, s->report->obligations.data[i].detail = meets;
  safety_takes_for_all(s);
  for (uint32_t i = first; i < s->report->obligations.count; i++)
    safety_rests_on_signs(s, &s->report->obligations.data[i], true);
  if (may_hide)
    safety_assume(s, ASSUME_ZERO_FILL, 0, "masked lanes of loads without `other` hold 0", "as GPUs do today", NULL);
}
