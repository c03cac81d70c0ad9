/* Loops: run the body once on symbols, close what it carries.
 *
 * The body of a counted loop runs once, on a counter symbol t and one unknown function per carried value, read at the
 * lanes (a READ of a CARRY symbol, so that shape ops and reductions inside the body act on it as on any value). The
 * yielded terms are then solved as recurrences (recurrence.c), and every effect of the body is restated in the closed
 * forms. Each loop leaves a record: initial value, step and closed form of each carried value, for a check by
 * induction. What has no closed form is unrolled when the trip count is a small literal, else the loop is reported as
 * not closed. */
#include <math.h>
#include <string.h>

#include "execute/loops/loop.h"

enum { UNROLL_FIRST = 4, UNROLL_LIMIT = 64 };

/* ---- running the body ---- */

uint32_t loop_kind_of_number(TermTable *tt, Term t) {
  return term_is_finite(tt, t) ? SYMBOL_IS_NUMBER | SYMBOL_IS_FINITE : term_is_number(tt, t) ? SYMBOL_IS_NUMBER : 0;
}

/* `is` of c holds what an earlier run of the body has left of it. */
static Carried *next_carried(Loop *loop, ValueId arg, uint32_t place, Term init) {
  Carried *c = &loop->carried[loop->count++];
  c->rank = 0, c->is_array = false, c->content = c->base = c->closed = c->following = c->block = 0;
  c->arg = arg, c->place = place, c->init = init;
  return c;
}

static void name_carried(Loop *loop, Carried *c, TermSort sort) {
  TermTable *tt = loop->tt;
  c->symbol = term_symbol_fresh(tt, "carry", sort, SYMBOL_CARRY);
  if (sort == SORT_REAL) {
    c->is &= loop_kind_of_number(tt, c->init);
    term_symbol(tt, c->symbol)->axis = c->is;
  } else if (sort == SORT_INT)
    term_symbol(tt, c->symbol)->axis = c->is & SYMBOL_IS_DATA;
  c->self = term_read(tt, c->symbol, sort, c->rank, c->lanes);
}

static bool make_block_carried(Loop *loop, ValueId arg, uint32_t place, Term block) {
  Term offset[TYPE_MAX_RANK];
  uint32_t rank = execute_block_rank(loop->tt, block);
  if (loop->count + rank > MAX_CARRIED) return false;
  for (uint32_t d = 0; d < rank; d++) {
    Carried *c = next_carried(loop, arg, place, execute_block_offset(loop->tt, block, d));
    c->block = block, c->part = d;
    name_carried(loop, c, SORT_INT);
    offset[d] = c->self;
  }
  execute_set(loop->ex, arg, execute_block_moved(loop->tt, block, offset));
  return true;
}

static bool make_carried(Machine *ex, Loop *loop, ValueId arg, uint32_t place, Term init) {
  TermTable *tt = ex->tt;
  const Type *type = program_value_type(ex->program, arg), *element = type;
  if (execute_is_block(tt, init)) return make_block_carried(loop, arg, place, init);
  if (loop->count == MAX_CARRIED) return false;
  Carried *c = next_carried(loop, arg, place, init);
  if (type->kind == TYPE_ARRAY) {
    element = program_get_type(ex->program, type->element);
    for (uint32_t i = 0; i < type->rank; i++) c->lanes[c->rank++] = execute_axis(ex, i);
    c->is_array = true;
  }
  if (type->kind == TYPE_TENSOR) {
    element = program_get_type(ex->program, type->element);
    for (uint32_t i = 0; i < type->rank; i++) {
      Term lane = execute_lane(ex, i, type->dims[i]);
      if (lane != tt->zero) c->lanes[c->rank++] = lane;
    }
  }
  if (element->kind == TYPE_POINTER) {
    if (term_kind(tt, init) != TERM_PTR) return false;
    c->base = term_arg(tt, init, 0), c->init = term_arg(tt, init, 1);
  } else if (element->kind != TYPE_FLOAT && element->kind != TYPE_INT && element->kind != TYPE_INDEX)
    return false;
  name_carried(loop, c,
               element->kind == TYPE_FLOAT                        ? SORT_REAL
               : element->kind == TYPE_INT && element->width == 1 ? SORT_BOOL
                                                                  : SORT_INT);
  execute_set(ex, arg, c->base ? term_ptr(tt, c->base, c->self) : c->self);
  return true;
}

/* The value of the argument at that place when `at` says what each carried value is. */
static Term assemble(Loop *loop, uint32_t place, Term (*at)(Loop *, const Carried *)) {
  Term offset[TYPE_MAX_RANK], block = 0;
  for (uint32_t i = 0; i < loop->count; i++) {
    const Carried *c = &loop->carried[i];
    if (c->place != place) continue;
    if (!c->block) return c->base ? term_ptr(loop->tt, c->base, at(loop, c)) : at(loop, c);
    block = c->block, offset[c->part] = at(loop, c);
  }
  return execute_block_moved(loop->tt, block, offset);
}

static Term at_end(Loop *loop, const Carried *c) { return loop_at_end(loop, c->closed); }

typedef EffectsMarks Marks;

static Marks take_marks(const Machine *ex) {
  const Effects *e = ex->effects;
  return (Marks){e->accesses.count, e->ranges.count,   e->divisions.count, e->required.count, e->roundings.count,
                 e->opaque.count,   e->literals.count, e->loops.count,     e->regions.count,  e->executed.count};
}

static void go_back(Machine *ex, Marks m) {
  ex->effects->accesses.count = m.accesses, ex->effects->ranges.count = m.ranges,
  ex->effects->divisions.count = m.divisions, ex->effects->required.count = m.required;
  ex->effects->roundings.count = m.roundings, ex->effects->opaque.count = m.opaque,
  ex->effects->literals.count = m.literals, ex->effects->loops.count = m.loops;
  ex->effects->regions.count = m.regions;
  ex->effects->executed.count = m.executed;
  ex->effects->stop_code = REASON_NONE;
}

/* The record of an inner loop speaks of the values that the outer one carries. */
static void close_record(Loop *loop, LoopRecord *record) {
  record->trips = loop_with_closed(loop, record->trips);
  if (record->go_on) record->go_on = loop_with_closed(loop, record->go_on);
  Term hi = term_symbol(loop->tt, record->counter)->hi;
  if (hi) hi = loop_with_closed(loop, hi);
  term_symbol(loop->tt, record->counter)->hi =
      0; /* closed forms hold for counter = trips too: t < trips must not be used */
  for (uint32_t i = 0; i < record->values.count; i++) {
    LoopValue *v = &record->values.data[i];
    v->init = loop_with_closed(loop, v->init);
    v->step = loop_with_closed(loop, v->step);
    v->closed = loop_with_closed(loop, v->closed);
  }
  term_symbol(loop->tt, record->counter)->hi = hi;
}

static Term close_term(Term t, void *loop) { return loop_with_closed(loop, t); }

static void close_effects(Loop *loop, Marks m) {
  Effects *e = loop->ex->effects;
  effects_map(e, EFFECTS_ACCESSES | EFFECTS_OLD | EFFECTS_NEEDS, m, close_term, loop);
  for (uint32_t i = m.loops; i < e->loops.count; i++) close_record(loop, &e->loops.data[i]);
}

/* A closed form without a value before the first step, such as sum(x)^2 / n at n = 0, is there what the value starts
 * as. */
static void begin_as_given(Loop *loop) {
  TermTable *tt = loop->tt;
  for (uint32_t i = 0; i < loop->count; i++) {
    Carried *c = &loop->carried[i];
    if (!c->closed || term_kind(tt, term_replace(tt, c->closed, loop->t, tt->zero)) != TERM_NAN) continue;
    c->closed = term_select(tt, term_le(tt, loop->t, tt->zero), c->init, c->closed);
  }
}

/* True if an iteration adds to the value that it finds, or multiplies it. */
static bool accumulates(TermTable *tt, Term step, Term symbol) {
  TermKind kind = term_kind(tt, step);
  if (kind == TERM_ADD || kind == TERM_MUL) return term_has_symbol(tt, step, symbol);
  bool any = false;
  for (uint32_t i = kind == TERM_SELECT;
       (kind == TERM_SELECT || kind == TERM_MAX || kind == TERM_MIN) && i < term_count(tt, step); i++)
    any |= accumulates(tt, term_arg(tt, step, i), symbol);
  return any;
}

static void record_loop(Loop *loop, OpId op, Term go_on) {
  Machine *ex = loop->ex;
  LoopRecord record = {
      .op = op, .counter = loop->t, .trips = loop->trips, .go_on = go_on, .outer_count = ex->counter_count};
  memcpy(record.outer, ex->counters, sizeof record.outer);
  for (uint32_t i = 0; i < loop->count; i++) {
    const Carried *c = &loop->carried[i];
    LoopValue value = {.arg = c->arg,
                       .symbol = c->symbol,
                       .init = c->init,
                       .step = c->step,
                       .closed = c->closed,
                       .base = c->base,
                       .content = c->content,
                       .rank = c->rank};
    memcpy(value.lanes, c->lanes, sizeof value.lanes);
    array_push(ex->arena, &record.values, value);
    if (c->arg && c->step && accumulates(ex->tt, c->step, c->symbol)) execute_note_accumulator(ex, op, c->arg);
  }
  array_push(ex->arena, &ex->effects->loops, record);
}

/* True if each iteration has an element of its own. One address term says so where it moves on by as much each time:
 * strides are taken to keep elements apart, which the prover asks again. An index that is read from memory may
 * repeat. */
static bool is_by_iteration(const Loop *loop, const Access *store) {
  TermTable *tt = loop->tt;
  Term t = loop->t, next = term_replace(tt, store->offset, t, term_add(tt, t, tt->one));
  Term step = term_sub(tt, next, store->offset);
  if (step != tt->zero && !term_has_symbol(tt, step, t)) return true;
  Term later = term_symbol_range(tt, term_symbol_fresh(tt, "later", SORT_INT, SYMBOL_COUNTER), tt->zero, 0);
  Access before = *store;
  before.mask = term_and(tt, store->mask, term_lt(tt, t, later));
  return execute_is_apart(loop->ex, &before, term_replace(tt, store->offset, t, later),
                          term_replace(tt, store->mask, t, later));
}

/* The name of the tensor, if an iteration reads what another one stored: then old contents are not what it sees. NULL:
 * none does. */
static const char *loop_memory_hazard(const Loop *loop, Marks m) {
  Machine *ex = loop->ex;
  TermTable *tt = ex->tt;
  bool repeats = !term_prove_le(tt, loop->trips, tt->one);
  for (uint32_t i = m.accesses; i < ex->effects->accesses.count; i++) {
    const Access *s = &ex->effects->accesses.data[i];
    if (!s->is_store || s->is_atomic) continue;
    for (uint32_t k = m.accesses; k < ex->effects->accesses.count; k++) {
      const Access *l = &ex->effects->accesses.data[k];
      if (l->is_store || l->tensor != s->tensor) continue;
      if (repeats && k < i && l->offset == s->offset && !is_by_iteration(loop, s))
        return term_message(tt, s->tensor); /* x[i] += ..., h[x[i]] += ... */
      if (l->offset == s->offset || execute_is_apart(ex, s, l->offset, l->mask)) continue;
      execute_want_equal(ex, l->offset, s->offset);
      return term_message(tt, s->tensor);
    }
  }
  return NULL;
}

static bool stops_at_hazard(const Loop *loop, OpId id, Marks marks) {
  const char *hazard = loop_memory_hazard(loop, marks);
  if (hazard)
    execute_stop(loop->ex, id, REASON_LOOP_MEMORY,
                 "%s is read and written in one loop at addresses that another iteration may have written", hazard);
  return hazard != NULL;
}

static void begin_turn(Machine *ex, Term turn) {
  if (ex->turn_count < sizeof ex->turns / sizeof *ex->turns) ex->turns[ex->turn_count] = turn;
  ex->turn_count++;
}

static bool run_body(Machine *ex, const LoopBody *body, Term iv, uint32_t count, Term *values) {
  loop_run_body(ex, body, iv, count, values);
  return !execute_stopped(ex);
}

/* A loop over lo, lo + step, .. that begins with the values of `inits`. */
typedef struct Range {
  LoopBody body;
  const ValueId *inits;
  Term lo, hi, step, count;
} Range;

static void unroll(Machine *ex, const Range *range, int64_t trips) {
  const Program *p = ex->program;
  const Op *op = range->body.op;
  TermTable *tt = ex->tt;
  const Block *b = program_get_block(p, program_get_region(p, op->regions[0])->blocks.data[0]);
  uint32_t n = op->result_count;
  Term *values = arena_array(ex->arena, Term, n + 1);
  for (uint32_t i = 0; i < n; i++) values[i] = execute_value(ex, range->inits[i]);
  for (int64_t k = 0; k < trips && !execute_stopped(ex); k++) {
    for (uint32_t i = 0; i < n; i++) execute_set(ex, b->first_arg + 1 + i, values[i]);
    memset(values, 0, sizeof *values * n);
    begin_turn(ex, term_int(tt, k));
    run_body(ex, &range->body, term_add(tt, range->lo, term_mul(tt, term_int(tt, k), range->step)), n, values);
    ex->turn_count--;
  }
  for (uint32_t i = 0; i < n && !execute_stopped(ex); i++) execute_set(ex, program_result(op, i), values[i]);
}

/* Only the offsets of a block pointer move. */
static bool same_block(TermTable *tt, Term a, Term b) {
  Term zero[TYPE_MAX_RANK];
  for (uint32_t d = 0; d < TYPE_MAX_RANK; d++) zero[d] = tt->zero;
  return execute_is_block(tt, a) && term_count(tt, a) == term_count(tt, b) &&
         execute_block_moved(tt, a, zero) == execute_block_moved(tt, b, zero);
}

/* e = m + .., and c says m == -inf: exp(e) is 0 there. */
static bool is_power_of_nothing(TermTable *tt, Term c, Term power) {
  if (term_kind(tt, power) != TERM_FN || term_aux(tt, power) != FN_EXP) return false;
  Term e = term_arg(tt, power, 0);
  bool sum = term_kind(tt, e) == TERM_ADD;
  for (uint32_t i = 1; i < (sum ? term_count(tt, e) : 2); i += 2)
    if (term_unary(tt, TERM_IS_NEG_INF, sum ? term_arg(tt, e, i + 1) : e) == c &&
        (!sum || term_rat(tt, term_arg(tt, e, i)).num > 0))
      return true;
  return false;
}

/* where(m == -inf, 0, m) as m, where(m == -inf, 0, exp(m - n)) as exp(m - n): what keeps (-inf) - (-inf) away is in the
 * way of a closed form. */
static Term without_refuge(TermTable *tt, Term t, void *payload) {
  (void)payload;
  if (term_kind(tt, t) != TERM_SELECT || term_sort(tt, t) != SORT_REAL) return t;
  Term c = term_arg(tt, t, 0), a = term_arg(tt, t, 1), b = term_arg(tt, t, 2);
  if (a == tt->zero && is_power_of_nothing(tt, c, b)) return b;
  if (b == tt->zero && is_power_of_nothing(tt, term_not(tt, c), a)) return a;
  if (term_is_rat(tt, a) && term_unary(tt, TERM_IS_NEG_INF, b) == c) return b;
  return term_is_rat(tt, b) && term_unary(tt, TERM_IS_NEG_INF, a) == term_not(tt, c) ? a : t;
}

/* where(seen, f, g) with f = g where nothing was seen: f, for those who look for a closed form; the proof has the whole
 * step. */
static Term without_guard(TermTable *tt, Term next) {
  next = term_transform(tt, next, without_refuge, NULL);
  if (term_kind(tt, next) != TERM_SELECT || term_sort(tt, next) != SORT_REAL) return next;
  Term c = term_arg(tt, next, 0), a = term_arg(tt, next, 1), b = term_arg(tt, next, 2);
  if (term_assume(tt, a, term_not(tt, c)) == b) return a;
  return term_assume(tt, b, c) == a ? b : next;
}

/* max(c, c + x) of the carried number c as c + max(0, x): an addition to it. */
static Term put_addition(TermTable *tt, Term t, void *payload) {
  const Carried *c = payload;
  TermKind kind = term_kind(tt, t);
  if (kind != TERM_MAX && kind != TERM_MIN) return t;
  Term most = 0;
  for (uint32_t i = 0; i < term_count(tt, t); i++) {
    Term rest = term_sub(tt, term_arg(tt, t, i), c->self);
    if (term_has_symbol(tt, rest, c->symbol) || !term_is_finite(tt, rest)) return t;
    most = !most ? rest : kind == TERM_MAX ? term_max(tt, most, rest) : term_min(tt, most, rest);
  }
  return term_add(tt, c->self, most);
}

/* The next values, from that of number `first` on. */
static bool take_next(Loop *loop, OpId id, uint32_t first, const Term *values) {
  TermTable *tt = loop->tt;
  for (uint32_t i = first; i < loop->count; i++) {
    Carried *c = &loop->carried[i];
    Term value = values[c->place];
    bool kept = c->block ? same_block(tt, value, c->block)
                         : !c->base || (term_kind(tt, value) == TERM_PTR && term_arg(tt, value, 0) == c->base);
    if (!kept) {
      execute_stop(loop->ex, id, REASON_LOOP_CARRIED, "a carried pointer changes its tensor");
      return false;
    }
    loop_take_apart(loop, c, &value);
    c->next = c->step = c->block ? execute_block_offset(tt, value, c->part) : c->base ? term_arg(tt, value, 1) : value;
    c->made_again = c->step;
    if (!c->block && !c->base)
      c->next = term_transform(tt, without_guard(tt, value), put_addition, c),
      c->made_again = term_transform(tt, value, without_refuge, NULL);
  }
  return true;
}

static Term as_element(TermTable *tt, Term t, void *payload) {
  (void)payload;
  FoldParts p = {.op = FOLD_SUM};
  if (term_kind(tt, t) == TERM_FOLD && term_sort(tt, t) == SORT_INT) p = term_fold_open(tt, t);
  return p.op == FOLD_MIN || p.op == FOLD_MAX ? p.body : t;
}

/* Made of sizes, ids and counters, or of the place among these where a search of data ended: no data. */
static bool is_place(const Loop *loop, Term t) {
  return execute_is_index(loop->ex, term_transform(loop->tt, t, as_element, NULL));
}

/* How many of the carried places a place is made of, at most, beside literals; more than one: it may grow with each
 * step. What data chooses among such places, `k` or `k + 1`, `low` or `(low + high) // 2`, is one. */
static double places_in(const TermTable *tt, Term t, uint32_t depth) {
  const double many = 1e9;
  double all = 0;
  if (!depth) return many;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_RAT) return 0;
  if (kind == TERM_SYM) return 1;
  if (kind == TERM_READ) {
    const Symbol *s = term_symbol(tt, term_arg(tt, t, 0));
    return s->role == SYMBOL_CARRY && !(s->axis & SYMBOL_IS_DATA) ? 1 : many;
  }
  if (kind == TERM_SELECT)
    return fmax(places_in(tt, term_arg(tt, t, 1), depth - 1), places_in(tt, term_arg(tt, t, 2), depth - 1));
  if (term_kind_is_extremum(kind)) {
    for (uint32_t i = 0; i < term_count(tt, t); i++) all = fmax(all, places_in(tt, term_arg(tt, t, i), depth - 1));
    return all;
  }
  if (kind == TERM_FLOORDIV)
    return term_is_rat(tt, term_arg(tt, t, 1)) ? places_in(tt, term_arg(tt, t, 0), depth - 1) /
                                                     fmax(1, rational_to_double(term_rat(tt, term_arg(tt, t, 1))))
                                               : many;
  if (kind == TERM_ADD) {
    for (uint32_t i = 1; i < term_count(tt, t); i += 2)
      all +=
          fabs(rational_to_double(term_rat(tt, term_arg(tt, t, i)))) * places_in(tt, term_arg(tt, t, i + 1), depth - 1);
    return all;
  }
  return many;
}

/* What was assumed of the values at the start of an iteration holds of the first and the next ones; else less is
 * assumed (false). */
static bool keeps_numbers(Loop *loop) {
  bool kept = true, by_data = loop->trips && !is_place(loop, loop->trips);
  for (uint32_t i = 0; i < loop->count; i++) {
    Carried *c = &loop->carried[i];
    if (term_sort(loop->tt, c->self) ==
        SORT_INT) { /* what is data wraps, and is no index that is taken to be in range */
      bool is_index = is_place(loop, c->init) &&
                      (execute_is_index(loop->ex, c->step) || places_in(loop->tt, c->step, 12) <= 1) &&
                      (!by_data || c->base || c->block || c->step == c->self);
      uint32_t is = c->is | (is_index ? 0 : SYMBOL_IS_DATA);
      kept &= is == c->is;
      c->is = is;
      continue;
    }
    uint32_t left = c->is ? c->is & loop_kind_of_number(loop->tt, c->step) : 0;
    kept &= left == c->is || term_sort(loop->tt, c->self) != SORT_REAL;
    c->is = left;
  }
  return kept;
}

/* What the body keeps in memory is carried like a value, behind those of the loop. */
static void make_cells_carried(Loop *loop, CellList *cells, const Term *inits, uint32_t place) {
  const Program *p = loop->ex->program;
  for (uint32_t i = 0; i < cells->count; i++) {
    Cell *cell = &cells->cells[i];
    const Access *a = &cell->access;
    Carried *c = next_carried(loop, program_get_op(p, a->op)->first_result, place + i, inits[i]);
    for (uint32_t k = 0; k < a->rank; k++)
      if (a->lanes[k]) c->lanes[c->rank++] = a->lanes[k];
    name_carried(loop, c, program_get_type(p, a->element)->kind == TYPE_FLOAT ? SORT_REAL : SORT_INT);
    cell->current = c->self;
  }
}

/* What the tensors that the body stores to hold is carried like a value whose lanes are the places of an element. */
static void make_contents_carried(Loop *loop, const Term *inits, uint32_t place) {
  for (uint32_t i = 0; i < loop->content_count; i++) {
    Content *content = loop->contents[i];
    Carried *c = next_carried(loop, 0, place + i, inits[i]);
    c->content = content->tensor;
    for (uint32_t k = 0; k < content->rank; k++) c->lanes[c->rank++] = content->place[k];
    name_carried(loop, c, term_sort(loop->tt, inits[i]));
    const Symbol *of = term_symbol(loop->tt, content->tensor);
    if (content->is_unsigned) term_symbol_range(loop->tt, c->symbol, of->lo, of->hi); /* whatever is stored there */
    content->value = c->self;
  }
}

/* The body once, from carried values as unknowns; again while too much was assumed of them. `inits`: of the cells. */
static bool run_on_unknowns(Loop *loop, const Range *range, OpId id, Marks marks, CellList *cells, const Term *inits,
                            const Term *held) {
  Machine *ex = loop->ex;
  const Op *op = range->body.op;
  TermTable *tt = loop->tt;
  const Block *b = program_get_block(ex->program, program_get_region(ex->program, op->regions[0])->blocks.data[0]);
  uint32_t n = op->result_count;
  uint32_t kept = n + cells->count;
  Term *values = arena_array(ex->arena, Term, kept + loop->content_count + 1);
  CellList *outer = ex->cells;
  for (uint32_t i = 0; i < MAX_CARRIED; i++) loop->carried[i].is = SYMBOL_IS_NUMBER | SYMBOL_IS_FINITE;
  do {
    go_back(ex, marks);
    loop->count = 0;
    memset(values, 0, sizeof *values * n);
    for (uint32_t i = 0; i < n; i++)
      if (!make_carried(ex, loop, b->first_arg + 1 + i, i, execute_value(ex, range->inits[i]))) {
        execute_stop(ex, id, REASON_LOOP_CARRIED, "a carried value of this kind is not closed");
        return false;
      }
    make_cells_carried(loop, cells, inits, n);
    make_contents_carried(loop, held, kept);
    ex->counter_end[ex->counter_count] = term_sub(tt, loop->steps, tt->one);
    ex->counters[ex->counter_count++] = loop->t;
    begin_turn(ex, loop->t);
    ex->cells = cells;
    bool ran = run_body(ex, &range->body, term_add(tt, range->lo, term_mul(tt, loop->t, range->step)), n, values);
    ex->cells = outer;
    if (loop->content_count && !execute_stopped(ex)) execute_grant_sizes(ex, marks.required);
    ex->counter_count--;
    ex->turn_count--;
    for (uint32_t i = 0; i < cells->count; i++) values[n + i] = cells->cells[i].current;
    for (uint32_t i = 0; i < loop->content_count; i++) values[kept + i] = loop->contents[i]->value;
    if (!ran || !execute_cells_are_whole(ex, marks.accesses, cells) || !take_next(loop, id, 0, values)) return false;
  } while (!keeps_numbers(loop));
  return true;
}

/* The ends of inner loops, as far as they ask whether this one goes on. */
static void end_inner_counters(Loop *loop, Marks marks) {
  TermTable *tt = loop->tt;
  const Effects *e = loop->ex->effects;
  for (uint32_t i = marks.loops; i < e->loops.count; i++) {
    Term counter = e->loops.data[i].counter, lo = term_symbol(tt, counter)->lo, hi = term_symbol(tt, counter)->hi;
    Term now = hi && counter != loop->t ? term_rebuild(tt, hi) : hi;
    if (now != hi) term_symbol_range(tt, counter, lo, now);
  }
}

static bool close_with_cells(Loop *loop, const Range *range, OpId id, CellList *cells) {
  Machine *ex = loop->ex;
  TermTable *tt = ex->tt;
  const Op *op = range->body.op;
  Term inits[EXECUTE_MAX_CELLS] = {0}, count = range->count, runs = term_le(tt, tt->one, loop->trips);
  if (ex->effects->options.carries_memory && !contents_of_loop(ex, op, loop->contents, &loop->content_count)) {
    execute_stop(ex, id, REASON_LOOP_MEMORY, "which tensors this loop stores to is not seen");
    return false;
  }
  Term held[CONTENTS_MOST];
  for (uint32_t i = 0; i < loop->content_count; i++) held[i] = loop->contents[i]->value;
  if (op->result_count + cells->count + loop->content_count > MAX_CARRIED ||
      ex->counter_count == EXECUTE_MAX_COUNTERS) {
    execute_stop(ex, id, REASON_LOOP_SIZE, "more carried values or nested loops than are handled");
    return false;
  }
  for (uint32_t i = 0; i < cells->count; i++)
    if (!(inits[i] = execute_cell_begin(ex, &cells->cells[i], runs))) return false;
  Marks marks = take_marks(ex);
  loop->first_access = marks.accesses;
  /* no upper bound while closing: closed forms are wanted for t = trips too, and must not use t < trips */
  loop->t = term_symbol_range(tt, term_symbol_fresh(tt, "t", SORT_INT, SYMBOL_COUNTER), tt->zero, 0);
  if (!is_place(loop, loop->trips))
    term_symbol(tt, loop->t)->axis = SYMBOL_IS_DATA; /* what is made of it has the size that data gives it */
  bool ran = run_on_unknowns(loop, range, id, marks, cells, inits, held), closed = ran && loop_solve(loop);
  for (uint32_t i = 0; i < loop->content_count; i++) loop->contents[i]->value = held[i];
  if (!ran) return false;
  if (!closed) {
    execute_stop(ex, id, REASON_LOOP_RECURRENCE, "a value carried by this loop has no closed form that is known");
    return false;
  }
  begin_as_given(loop);
  loop_put_together(loop);
  close_effects(loop, marks);
  if (!ex->effects->options.carries_memory && stops_at_hazard(loop, id, marks)) return false;
  record_loop(loop, id, 0);
  term_symbol_range(tt, loop->t, tt->zero, term_sub(tt, count, tt->one)); /* an iteration runs only if count > t >= 0 */
  end_inner_counters(loop, marks);
  loop_record_sums(loop);
  for (uint32_t i = 0; i < op->result_count; i++) execute_set(ex, program_result(op, i), assemble(loop, i, at_end));
  for (uint32_t i = 0; i < cells->count; i++)
    execute_cell_end(ex, &cells->cells[i], assemble(loop, op->result_count + i, at_end), runs);
  for (uint32_t i = 0; i < loop->content_count; i++)
    loop->contents[i]->value = contents_after_loop(ex, assemble(loop, op->result_count + cells->count + i, at_end));
  return true;
}

/* What the loop, which was not closed, keeps in memory. */
static bool find_cells(const Loop *loop, Marks marks, CellList *cells) {
  Term symbols[MAX_CARRIED + 1];
  uint32_t n = 0;
  if (!loop->t || loop->ex->effects->options.carries_memory) return false;
  symbols[n++] = loop->t;
  for (uint32_t i = 0; i < loop->count; i++) symbols[n++] = loop->carried[i].symbol;
  execute_find_cells(loop->ex, marks.accesses, symbols, n, cells);
  return cells->count;
}

static bool close_loop(Machine *ex, const Range *range, OpId id, Term trips, Marks marks, bool may_recur) {
  Loop *loop = arena_new(ex->arena, Loop);
  CellList *cells = arena_new(ex->arena, CellList);
  *loop = (Loop){.ex = ex, .tt = ex->tt, .trips = trips, .steps = range->count, .may_recur = may_recur};
  *cells = (CellList){.count = 0};
  if (close_with_cells(loop, range, id, cells)) return true;
  if (!find_cells(loop, marks, cells)) return false;
  ReasonCode code = ex->effects->stop_code;
  const char *text = ex->effects->stop_text;
  OpId op = ex->effects->stop_op;
  go_back(ex, marks);
  *loop = (Loop){.ex = ex, .tt = ex->tt, .trips = trips, .steps = range->count, .may_recur = may_recur};
  if (close_with_cells(loop, range, id, cells)) return true;
  ex->effects->stop_code = code, ex->effects->stop_text = text,
  ex->effects->stop_op = op; /* of the loop as it stands */
  return false;
}

/* The loop before, and what stood there before and behind it. */
typedef struct LoopDone {
  Range range;
  Term path;
  Marks before, after;
} LoopDone;

/* Nothing happened in between, but for operations without an effect. */
static bool same_marks(Marks a, Marks b) {
  a.executed = b.executed;
  return !memcmp(&a, &b, sizeof a);
}

/* The loop goes on where the last one ended: with its values, over the range behind its own, and nothing happened in
 * between. Then both are one loop over both ranges. */
static bool goes_on(Machine *ex, const Op *op, const Range *range) {
  TermTable *tt = ex->tt;
  const LoopDone *last = ex->last;
  if (!last || last->path != ex->path || last->range.step != range->step || last->range.hi != range->lo ||
      !same_marks(last->after, take_marks(ex)))
    return false;
  const Op *before = last->range.body.op;
  if (before->result_count != op->result_count || before == op) return false;
  if (!op->result_count && before->operands[1] != op->operands[0]) return false;
  for (uint32_t i = 0; i < op->result_count; i++)
    if (op->operands[3 + i] != program_result(before, i)) return false;
  Term length = term_sub(tt, last->range.hi, last->range.lo);
  if (term_mul(tt, last->range.count, range->step) != length) return false; /* it ends on a step */
  /* neither range ends before it begins, by more than a step */
  bool forward =
      term_prove_le(tt, tt->zero, range->count) || term_prove_lt(tt, term_sub(tt, range->lo, range->hi), range->step);
  return forward && term_prove_le(tt, tt->zero, last->range.count) &&
         loop_same_body(ex, &last->range.body, &range->body);
}

/* The counter is stepped once more than the body runs: past the end by less than a step, and there it must not wrap. */
static void need_end(Machine *ex, const Range *range, Term trips, OpId id) {
  uint32_t width = execute_width(ex, range->body.op->operands[0]);
  Term end = term_add(ex->tt, range->lo, term_mul(ex->tt, trips, range->step));
  if (!width) return;
  Term wrapped = execute_fit_counter(ex, id, end, width);
  if (term_is_rat(ex->tt, wrapped) && wrapped != end)
    array_push(ex->arena, &ex->effects->ranges,
               (RangeNeed){end, ex->path, width, id, false}); /* numbers that were set: it never ends */
}

static bool run_range(Machine *ex, const Range *range, OpId id) {
  TermTable *tt = ex->tt;
  Term trips = term_max(tt, range->count, tt->zero);
  Marks marks = take_marks(ex);
  int64_t literal;
  bool known = term_is_int(tt, trips, &literal);
  ex->last = NULL;
  if (known && literal <= UNROLL_FIRST) {
    unroll(ex, range, literal);
    return true;
  }
  if (close_loop(ex, range, id, trips, marks,
                 !known || literal > UNROLL_LIMIT)) { /* few steps without a closed form are unrolled */
    need_end(ex, range, trips, id);
    ex->last = arena_new(ex->arena, LoopDone);
    *ex->last = (LoopDone){*range, ex->path, marks, take_marks(ex)};
    return true;
  }
  if (!known || literal > UNROLL_LIMIT) return false;
  go_back(ex, marks);
  unroll(ex, range, literal);
  return true;
}

/* To before the loop that is gone on with. What was executed behind it stays executed. */
static void go_back_before(Machine *ex, const LoopDone *last, const ExecutedOp *behind, uint32_t count) {
  go_back(ex, last->before);
  for (uint32_t i = 0; i < count; i++) array_push(ex->arena, &ex->effects->executed, behind[i]);
}

/* Both as one; false: as if nothing had been tried. */
static bool run_joined(Machine *ex, const Range *range, OpId id) {
  LoopDone last = *ex->last;
  uint32_t count = ex->effects->executed.count - last.after.executed;
  ExecutedOp *behind = arena_array(ex->arena, ExecutedOp, count + 1);
  if (count) memcpy(behind, &ex->effects->executed.data[last.after.executed], sizeof *behind * count);
  Range both = {range->body, last.range.inits, last.range.lo,
                range->hi,   range->step,      term_add(ex->tt, last.range.count, range->count)};
  go_back_before(ex, &last, behind, count);
  if (run_range(ex, &both, id)) {
    if (ex->last) ex->last->before = last.before;
    return true;
  }
  go_back_before(ex, &last, behind, count);
  run_range(ex, &last.range, (OpId)(last.range.body.op - ex->program->ops.data));
  return false;
}

void execute_for(Machine *ex, const Op *op, OpId id) {
  TermTable *tt = ex->tt;
  Term lo = execute_value(ex, op->operands[0]), hi = execute_value(ex, op->operands[1]),
       step = execute_value(ex, op->operands[2]), single;
  if (execute_stopped(ex)) return;
  if (!term_prove_lt(tt, tt->zero, step)) {
    execute_stop(ex, id, REASON_LOOP_STEP, "the step of this loop is not known to be positive");
    return;
  }
  Range range = {
      .body = loop_body_of(ex, op, step, &single), .inits = op->operands + 3, .lo = lo, .hi = hi, .step = single};
  range.count = term_cdiv(tt, term_sub(tt, hi, lo), step);
  if (single != step) { /* two iterations in each: as many as there are, whatever hi is */
    range.count = term_scale(tt, rational_int(2), range.count);
    if (term_mul(tt, range.count, single) != term_sub(tt, hi, lo))
      range.hi = term_add(tt, lo, term_mul(tt, range.count, single));
  }
  if (!ex->effects->options.carries_memory && goes_on(ex, op, &range) && run_joined(ex, &range, id)) return;
  run_range(ex, &range, id);
}

/* Of what the condition of a while loop reads and needs: it is executed once more than the body, which ends the loop.
 */
static void append_asked(Arena *arena, Effects *to, const Effects *from, Marks m) {
#define APPEND(field)                                                                                                  \
  for (uint32_t i = m.field; i < from->field.count; i++) array_push(arena, &to->field, from->field.data[i])
  APPEND(accesses);
  APPEND(ranges);
  APPEND(divisions);
  APPEND(required);
  APPEND(executed);
#undef APPEND
}

static Term after_term(Term t, void *loop) { return loop_after(loop, t); }

static void ask_at_end(Loop *loop, Effects *asked) {
  enum { ASKED = EFFECTS_ACCESSES | EFFECTS_OLD | EFFECTS_NEEDS | EFFECTS_EXECUTED };
  effects_map(asked, ASKED, (Marks){0}, after_term, loop);
  for (uint32_t i = 0; i < asked->accesses.count; i++) asked->accesses.data[i].counter_count--;
  append_asked(loop->ex->arena, loop->ex->effects, asked, (Marks){0});
}

static bool writes(const Machine *ex, uint32_t first) {
  for (uint32_t i = first; i < ex->effects->accesses.count; i++)
    if (ex->effects->accesses.data[i].is_store) return true;
  return false;
}

/* One run of the condition and the body of a scf.while. */
typedef struct While {
  const Op *op;
  OpId id;
  const Op *condition;
  Term go_on;               /* over the carried values; 0: its steps are guarded by it */
  Term invariant;           /* of steps that are guarded */
  Term *passed;             /* what the condition hands on */
  uint32_t asked;           /* accesses up to the body */
  Effects needs;            /* of the condition alone */
  Term held[CONTENTS_MOST]; /* before the loop, by the tensors that it stores to */
} While;

/* Condition and body once, on what the arguments are set to. */
static bool run_turn(Loop *loop, While *w, Marks marks, bool guarded, Term end, Term *values) {
  Machine *ex = loop->ex;
  TermTable *tt = loop->tt;
  const Program *p = ex->program;
  BlockId before = program_get_region(p, w->op->regions[0])->blocks.data[0],
          body = program_get_region(p, w->op->regions[1])->blocks.data[0];
  uint32_t n = w->op->operand_count, results = w->op->result_count;
  Term path = ex->path;
  CellList *outer = ex->cells;
  ex->cells = NULL;
  ex->counter_end[ex->counter_count] = end;
  ex->counters[ex->counter_count++] = loop->t;
  begin_turn(ex, loop->t);
  execute_block(ex, before, 0);
  w->go_on = execute_stopped(ex) ? 0 : execute_value(ex, w->condition->operands[0]);
  for (uint32_t i = 0; i < results && !execute_stopped(ex); i++) {
    w->passed[i] = execute_value(ex, w->condition->operands[1 + i]);
    execute_set(ex, program_get_block(p, body)->first_arg + i, w->passed[i]);
  }
  w->asked = ex->effects->accesses.count;
  w->needs = (Effects){0}; /* before the body is executed, which may need the same elsewhere */
  append_asked(ex->arena, &w->needs, ex->effects, marks);
  if (writes(ex, marks.accesses))
    execute_stop(ex, w->id, REASON_LOOP_CONDITION, "the condition of this loop changes memory");
  if (guarded && !execute_stopped(ex)) ex->path = term_and(tt, path, w->go_on);
  if (!execute_stopped(ex)) execute_region(ex, w->op->regions[1], n, values);
  if (loop->content_count && !execute_stopped(ex)) execute_grant_sizes(ex, marks.required);
  ex->path = path;
  ex->counter_count--;
  ex->turn_count--;
  ex->cells = outer;
  for (uint32_t i = 0; i < loop->content_count; i++) values[n + i] = loop->contents[i]->value;
  return !execute_stopped(ex);
}

/* `guarded`: the body is run as if under a condition, which makes it one of as many steps as there may be. */
static bool run_while(Loop *loop, While *w, Marks marks, bool guarded) {
  Machine *ex = loop->ex;
  TermTable *tt = loop->tt;
  const Program *p = ex->program;
  const Block *before = program_get_block(p, program_get_region(p, w->op->regions[0])->blocks.data[0]);
  uint32_t n = w->op->operand_count;
  Term *values = arena_array(ex->arena, Term, n + loop->content_count + 1);
  loop->t = term_symbol_range(tt, term_symbol_fresh(tt, "t", SORT_INT, SYMBOL_COUNTER), tt->zero, 0);
  for (uint32_t i = 0; i < n; i++)
    if (!make_carried(ex, loop, before->first_arg + i, i, execute_value(ex, w->op->operands[i]))) {
      execute_stop(ex, w->id, REASON_LOOP_CARRIED, "a carried value of this kind is not closed");
      return false;
    }
  make_contents_carried(loop, w->held, n);
  return run_turn(loop, w, marks, guarded, loop->t /* it is not known */, values) && take_next(loop, w->id, 0, values);
}

/* Every step is done while the condition holds, and changes nothing from then on. */
static void guard_steps(Loop *loop, Term go_on) {
  TermTable *tt = loop->tt;
  for (uint32_t i = 0; i < loop->count; i++) {
    Carried *c = &loop->carried[i];
    c->next = term_select(tt, go_on, c->next, c->self);
    c->step = c->made_again = term_select(tt, go_on, c->step, c->self);
  }
}

/* The number of iterations, with the values in closed form; false: it has none, and the loop is not ended. */
static bool end_while(Loop *loop, While *w, bool bools) {
  Term go_on = loop_find_flags(loop, w->go_on, bools);
  if (!loop_solve(loop)) {
    execute_stop(loop->ex, w->id, REASON_LOOP_RECURRENCE,
                 "a value carried by this loop has no closed form that is known");
    return false;
  }
  loop_put_together(loop);
  loop->steps = loop_find_end(loop, loop_with_closed(loop, go_on));
  w->go_on = go_on;
  return loop->steps != 0;
}

/* What of the condition the launch alone decides holds where the body reads, which the number of iterations may not
 * tell. */
static void note_condition(Loop *loop, const While *w, Term go_on) {
  TermTable *tt = loop->tt;
  Term known = tt->true_, closed = loop_with_closed(loop, go_on);
  for (uint32_t i = 0, several = term_kind(tt, closed) == TERM_AND, n = several ? term_count(tt, closed) : 1; i < n;
       i++) {
    Term part = several ? term_arg(tt, closed, i) : closed;
    if (!(term_node(tt, part)->flags & ((w->go_on ? TERM_HAS_READ : 0) | TERM_HAS_UNDEF | TERM_HAS_OPAQUE)) &&
        (term_node(tt, part)->flags & TERM_HAS_FOLD || !w->go_on))
      known = term_and(tt, known, part);
  }
  for (uint32_t i = w->asked; i < loop->ex->effects->accesses.count && known != tt->true_; i++) {
    Access *a = &loop->ex->effects->accesses.data[i];
    if (!a->is_store && !a->is_atomic) a->mask = term_and(tt, a->mask, known);
  }
}

/* As many steps as a measure of the condition allows, each done while the condition holds. */
static bool bound_while(Loop *loop, While *w) {
  TermTable *tt = loop->tt;
  for (uint32_t i = 0; i < loop->count; i++) loop->carried[i].next = term_assume(tt, loop->carried[i].next, w->go_on);
  loop->steps = loop_bound_steps(loop, w->go_on, &w->invariant);
  if (!loop->steps) return false;
  for (uint32_t i = 0; i < loop->count; i++) {
    Carried *c = &loop->carried[i];
    c->next = term_assume(tt, c->next, w->invariant),
    c->step = term_assume(tt, c->step, term_and(tt, w->go_on, w->invariant));
  }
  guard_steps(loop, w->go_on);
  w->go_on = 0;
  if (!loop_solve_as_one(loop) && !loop_solve(loop)) {
    loop->steps = 0;
    return false;
  }
  loop_put_together(loop);
  return true;
}

static Term look_in_fold(TermTable *tt, Term t, void *payload) {
  if (term_kind(tt, t) == TERM_FOLD && term_has_kind(tt, t, TERM_RECUR)) *(bool *)payload = true;
  return t;
}

/* A search, or a sum, over the steps of a recurrence: each of its elements would begin with the first step. */
static bool repeats_recurrence(const Loop *loop) {
  bool found = false;
  for (uint32_t i = 0; i < loop->count && !found; i++)
    if (loop->carried[i].closed) term_transform(loop->tt, loop->carried[i].closed, look_in_fold, &found);
  if (loop->steps) term_transform(loop->tt, loop->steps, look_in_fold, &found);
  return found;
}

/* A new attempt; again while too much was assumed of the carried values. */
static bool begin_while(Loop *loop, While *w, Marks marks, bool guarded) {
  Machine *ex = loop->ex;
  uint32_t count = loop->content_count;
  Content *contents[CONTENTS_MOST];
  memcpy(contents, loop->contents, sizeof contents);
  *loop = (Loop){.ex = ex, .tt = ex->tt, .op = w->id, .may_recur = true, .content_count = count};
  loop->first_access = marks.accesses;
  memcpy(loop->contents, contents, sizeof contents);
  do {
    go_back(ex, marks);
    loop->count = 0;
    if (!run_while(loop, w, marks, guarded)) return false;
  } while (!keeps_numbers(loop));
  return true;
}

/* Closed forms and a search for the end; with flags; a bounded number of steps, where values have none or would be made
 * again in each. */
static bool try_while(Loop *loop, While *w, Marks marks) {
  bool ended[2] = {false};
  ReasonCode code = REASON_NONE;
  const char *text = NULL;
  for (int bools = 0; bools < 2; bools++) {
    if (!begin_while(loop, w, marks, false)) return false;
    ended[bools] = end_while(loop, w, bools);
    if (ended[bools] && !repeats_recurrence(loop)) return true;
    if (!bools) code = loop->ex->effects->stop_code, text = loop->ex->effects->stop_text;
  }
  bool reads = w->asked != marks.accesses;
  if (!begin_while(loop, w, marks, true)) return false;
  if (bound_while(loop, w)) return true;
  for (int bools = 0; bools < 2; bools++)
    if (ended[bools]) return begin_while(loop, w, marks, false) && end_while(loop, w, bools);
  if (code)
    execute_stop(loop->ex, w->id, code, "%s", text);
  else if (reads)
    execute_stop(loop->ex, w->id, REASON_LOOP_CONDITION,
                 "the condition of this loop reads memory, and nothing else bounds the number of iterations");
  else
    execute_stop(loop->ex, w->id, REASON_LOOP_CONDITION,
                 "the number of iterations of this loop has no closed form that is known");
  return false;
}

static Term now(Loop *loop, const Carried *c) {
  (void)loop;
  return c->closed;
}

/* A loop whose end the other values tell: the body once more, on these in closed form, with what it stores to as the
 * values that are left. */
static bool close_contents(Loop *loop, While *w, Marks marks, uint32_t known) {
  Machine *ex = loop->ex;
  TermTable *tt = loop->tt;
  const Block *before =
      program_get_block(ex->program, program_get_region(ex->program, w->op->regions[0])->blocks.data[0]);
  uint32_t n = w->op->operand_count;
  Term *values = arena_array(ex->arena, Term, n + loop->content_count + 1), go_on = w->go_on,
       ends = loop_with_closed(loop, go_on), *passed = w->passed;
  w->passed = arena_array(ex->arena, Term, w->op->result_count + 1);
  loop->trips = term_max(tt, loop->steps, tt->zero);
  for (uint32_t i = known; i < MAX_CARRIED; i++) loop->carried[i].is = SYMBOL_IS_NUMBER | SYMBOL_IS_FINITE;
  do {
    go_back(ex, marks);
    loop_find_end(loop, ends); /* for what it relies on, which is forgotten with that run */
    loop->count = known;
    for (uint32_t i = 0; i < n; i++) execute_set(ex, before->first_arg + i, assemble(loop, i, now));
    make_contents_carried(loop, w->held, n);
    if (!run_turn(loop, w, marks, false, term_sub(tt, loop->steps, tt->one), values) ||
        !take_next(loop, w->id, known, values))
      return false;
  } while (!keeps_numbers(loop));
  w->go_on = go_on, w->passed = passed;
  if (loop_solve(loop)) return true;
  execute_stop(ex, w->id, REASON_LOOP_RECURRENCE, "a value carried by this loop has no closed form that is known");
  return false;
}

/* As many steps as values say that do not depend on what the loop stores. */
static bool end_by_others(Loop *loop, While *w) {
  uint32_t known = loop->count - loop->content_count, all = loop->count;
  for (uint32_t k = known; k < all; k++) {
    if (term_has_symbol(loop->tt, w->go_on, loop->carried[k].symbol)) return false;
    for (uint32_t i = 0; i < known; i++)
      if (loop_mentions(loop, loop->carried[i].next, k)) return false;
  }
  loop->count = known;
  return end_while(loop, w, false) && !(term_node(loop->tt, loop->steps)->flags & TERM_HAS_READ);
}

/* A while loop that stores to memory which it reads, or stores to twice. */
static void while_with_contents(Loop *loop, While *w, Marks marks) {
  Machine *ex = loop->ex;
  TermTable *tt = loop->tt;
  for (uint32_t i = 0; i < loop->content_count; i++) w->held[i] = loop->contents[i]->value;
  uint32_t count = loop->content_count, n = w->op->operand_count;
  bool outer = ex->seeks_end, closed = false;
  ex->seeks_end = true;
  bool ran = n + count <= MAX_CARRIED && begin_while(loop, w, marks, false);
  ex->seeks_end = outer;
  uint32_t known = loop->count - count;
  if (ran && w->asked == marks.accesses && end_by_others(loop, w)) closed = close_contents(loop, w, marks, known);
  for (uint32_t i = 0; i < count; i++) loop->contents[i]->value = w->held[i];
  if (!closed) {
    execute_stop(ex, w->id, REASON_LOOP_MEMORY, "this loop stores to memory, and its end is searched for");
    return;
  }
  begin_as_given(loop);
  loop_put_together(loop);
  close_effects(loop, marks);
  ask_at_end(loop, &w->needs);
  record_loop(loop, w->id, w->go_on);
  for (uint32_t i = 0; i < w->op->result_count; i++)
    execute_set(ex, program_result(w->op, i), loop_after(loop, w->passed[i]));
  term_symbol_range(tt, loop->t, tt->zero, term_sub(tt, loop->steps, tt->one));
  end_inner_counters(loop, marks);
  loop_record_sums(loop);
  for (uint32_t i = 0; i < count; i++)
    loop->contents[i]->value = contents_after_loop(ex, assemble(loop, n + i, at_end));
}

/* A while loop whose condition, once the carried values are closed, ends at a step that is known (search.c); or one of
 * a bounded number of steps (measure.c), as a recurrence. */
void execute_while(Machine *ex, const Op *op, OpId id) {
  TermTable *tt = ex->tt;
  const Program *p = ex->program;
  const Block *before = program_get_block(p, program_get_region(p, op->regions[0])->blocks.data[0]);
  Loop *loop = arena_new(ex->arena, Loop);
  uint32_t n = op->operand_count, results = op->result_count;
  Marks marks = take_marks(ex);
  While w = {.op = op,
             .id = id,
             .condition = program_get_op(p, before->ops.data[before->ops.count - 1]),
             .passed = arena_array(ex->arena, Term, results + 1)};
  *loop = (Loop){.ex = ex, .tt = tt, .op = id, .may_recur = true};
  if (n > MAX_CARRIED || ex->counter_count == EXECUTE_MAX_COUNTERS || w.condition->code != OP_SCF_CONDITION) {
    execute_stop(ex, id, REASON_LOOP_SIZE, "this form of scf.while is not executed yet");
    return;
  }
  if (ex->effects->options.carries_memory && !contents_of_loop(ex, op, loop->contents, &loop->content_count)) {
    execute_stop(ex, id, REASON_LOOP_MEMORY, "which tensors this loop stores to is not seen");
    return;
  }
  if (loop->content_count) {
    while_with_contents(loop, &w, marks);
    return;
  }
  if (!try_while(loop, &w, marks)) return;
  close_effects(loop, marks);
  loop->trips = term_max(tt, loop->steps, tt->zero);
  note_condition(loop, &w, w.go_on ? w.go_on : w.invariant);
  ask_at_end(loop, &w.needs);
  if (stops_at_hazard(loop, id, marks)) return;
  record_loop(loop, id, w.go_on);
  for (uint32_t i = 0; i < results; i++) /* at t = trips, which is not below trips */
    execute_set(ex, program_result(op, i), loop_after(loop, w.passed[i]));
  term_symbol_range(tt, loop->t, tt->zero, term_sub(tt, loop->steps, tt->one));
}
