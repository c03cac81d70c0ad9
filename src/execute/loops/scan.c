/* Scans and reductions by any associative region, as recurrences along the axis.
 *
 * The value of lane l is the region folded over lanes 0..l from the left; that it is associative (of a reduction:
 * commutative too) is proved (associative.c), so that no other order gives anything else. The recurrence state' =
 * region(state, next lane) is closed as the carried values of a loop are, and leaves the record of a loop, so that the
 * closed form is proved by induction too. A region that calculates is shown to be associative on finite elements, and
 * -inf to be neutral; where two of them have no value, the lanes that an infinite one goes into are lost (undefined.c),
 * as their order is not known, and undefined where -inf is not neutral. */
#include <string.h>

#include "execute/loops/loop.h"
#include "execute/reduce.h"

static void record(Loop *loop, const Op *op, OpId id) {
  Machine *ex = loop->ex;
  const Block *block = program_get_block(ex->program, program_get_region(ex->program, op->regions[0])->blocks.data[0]);
  LoopRecord record = {.op = id, .counter = loop->t, .trips = loop->trips, .outer_count = ex->counter_count};
  memcpy(record.outer, ex->counters, sizeof record.outer);
  for (uint32_t i = 0; i < loop->count; i++) {
    const Carried *c = &loop->carried[i];
    LoopValue value = {
        .arg = block->first_arg + i, .symbol = c->symbol, .init = c->init, .step = c->step, .closed = c->closed};
    array_push(ex->arena, &record.values, value);
  }
  array_push(ex->arena, &ex->effects->loops, record);
}

/* The elements of a scan. */
typedef struct Elements {
  RegionDomain domain;
  Term value[REGION_STATE]; /* outside of REGION_ANY: where it is finite */
  Term padded, finite;      /* of one part: the element itself, and where it is finite */
} Elements;

static bool is_padded(const Elements *e) { return e->domain == REGION_PADDED || e->domain == REGION_LOST; }

/* False: finite ones are not told from others by a condition, or (padding by -inf) others are not -inf. */
static bool take_finite(TermTable *tt, Elements *e) {
  e->padded = e->value[0];
  Term lowest = term_unary(tt, TERM_IS_NEG_INF, e->padded), highest = term_unary(tt, TERM_IS_INF, e->padded);
  e->finite = term_and(tt, term_not(tt, lowest), term_not(tt, highest));
  e->value[0] = term_assume(tt, e->padded, e->finite);
  return term_is_finite(tt, e->value[0]) &&
         (e->domain == REGION_FINITE || (term_is_number(tt, e->padded) && highest == tt->false_));
}

/* What is -inf leaves the state as it is, and is left by whatever comes. */
static void put_padding(Loop *loop, Carried *c, Term finite, Term element) {
  TermTable *tt = loop->tt;
  Term some = term_is_finite(tt, c->init) ? c->step
                                          : term_select(tt, term_unary(tt, TERM_IS_NEG_INF, c->self), element, c->step);
  c->next = term_select(tt, finite, c->next, c->self);
  c->step = c->made_again = term_select(tt, finite, some, c->self);
}

/* The recurrence along the axis. What is assumed of the state, that it is a number and finite, is shown of the next
 * one; else less is. */
static void take_elements(Loop *loop, const Elements *e, const Region2 *r, const Type *type, int64_t axis, bool is_scan,
                          bool reverse) {
  Machine *ex = loop->ex;
  TermTable *tt = loop->tt;
  Term last = loop->trips, next = term_add(tt, loop->t, tt->one), from[2 * REGION_STATE], to[2 * REGION_STATE];
  bool kept;
  for (uint32_t i = 0; i < r->n; i++) loop->carried[i].is = SYMBOL_IS_NUMBER | SYMBOL_IS_FINITE;
  do {
    for (uint32_t i = 0; i < r->n; i++) {
      Carried *c = &loop->carried[i];
      Term value = e->value[i], first = is_padded(e) ? e->padded : value;
      c->init = execute_at_axis(ex, first, type, axis, reverse ? last : tt->zero, !is_scan);
      c->symbol = term_symbol_fresh(tt, "carry", term_sort(tt, r->a[i]), SYMBOL_CARRY);
      c->is &= loop_kind_of_number(tt, c->init);
      if (term_sort(tt, r->a[i]) == SORT_REAL) term_symbol(tt, c->symbol)->axis = c->is;
      c->self = term_read(tt, c->symbol, term_sort(tt, r->a[i]), 0, NULL);
      from[i] = r->a[i], to[i] = c->self;
      from[r->n + i] = r->b[i], to[r->n + i] = execute_at_axis(ex, value, type, axis,
                                                               reverse ? term_sub(tt, last, next) : next, !is_scan);
    }
    kept = true;
    for (uint32_t i = 0; i < r->n; i++) {
      Carried *c = &loop->carried[i];
      c->next = c->step = c->made_again = term_substitute(tt, r->result[i], (TermMap){2 * r->n, from, to});
      if (is_padded(e))
        put_padding(loop, c,
                    execute_at_axis(ex, e->finite, type, axis, reverse ? term_sub(tt, last, next) : next, !is_scan),
                    to[1]);
      uint32_t left = c->is & loop_kind_of_number(tt, c->step);
      kept &= left == c->is || term_sort(tt, c->self) != SORT_REAL;
      c->is = left;
    }
  } while (!kept);
}

/* Of all lanes that are combined into one. */
static Term all_combined(Machine *ex, Term condition, const Type *type, int64_t axis, bool is_scan, bool reverse) {
  TermTable *tt = ex->tt;
  Term lane = execute_lane(ex, (uint32_t)axis, type->dims[axis]), lo = is_scan && reverse ? lane : tt->zero,
       hi = is_scan && !reverse ? term_add(tt, lane, tt->one) : term_int(tt, type->dims[axis]);
  Term k = term_symbol_range(tt, term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), lo, term_sub(tt, hi, tt->one));
  return term_fold(tt, FOLD_ALL, k, lo, hi, tt->true_, execute_at_axis(ex, condition, type, axis, k, !is_scan));
}

bool execute_scan_region(Machine *ex, const Op *op, OpId id, const Region2 *r, const Type *type, int64_t axis,
                         bool is_scan, bool reverse) {
  TermTable *tt = ex->tt;
  int64_t extent = type->dims[axis];
  Term last = term_int(tt, extent - 1);
  Elements e = {0};
  if (extent < 2 || r->n > MAX_CARRIED || !execute_region_is_proved(ex, op, r, is_scan, &e.domain)) return false;
  for (uint32_t i = 0; i < r->n; i++) e.value[i] = execute_value(ex, op->operands[i]);
  if (e.domain != REGION_ANY && !take_finite(tt, &e)) return false;
  if (e.domain == REGION_FINITE && !is_scan) {
    execute_stop(ex, id, REASON_REDUCE_ORDER,
                 "the order in which elements are combined does not matter where they are finite, and where some are "
                 "not it is not specified");
    return true;
  }
  Loop *loop = arena_new(ex->arena, Loop);
  *loop = (Loop){.ex = ex, .tt = tt, .steps = last, .trips = last, .count = r->n, .may_recur = true, .is_scan = true};
  loop->t = term_symbol_range(tt, term_symbol_fresh(tt, "t", SORT_INT, SYMBOL_COUNTER), tt->zero, 0);
  take_elements(loop, &e, r, type, axis, is_scan, reverse);
  for (uint32_t i = 0; i < r->n; i++)
    loop->begins_with_element |= term_sort(tt, r->a[i]) == SORT_INT; /* places count from the first element */
  if (!loop_solve(loop)) return false;
  record(loop, op, id);
  term_symbol_range(tt, loop->t, tt->zero, term_sub(tt, last, tt->one));
  Term lane = execute_lane(ex, (uint32_t)axis, extent), end = !is_scan  ? last
                                                              : reverse ? term_sub(tt, last, lane)
                                                                        : lane;
  Term some_infinite = e.domain == REGION_FINITE || e.domain == REGION_LOST
                           ? term_not(tt, all_combined(ex, e.finite, type, axis, is_scan, reverse))
                           : tt->false_;
  bool keeps = ex->effects->options.keeps_infinities;
  ex->effects->meets_infinities |= e.domain == REGION_LOST && some_infinite != tt->false_;
  for (uint32_t i = 0; i < r->n; i++) {
    Term value = term_replace(tt, loop->carried[i].closed, loop->t, end);
    if (e.domain == REGION_FINITE)
      value = term_select(tt, some_infinite, term_undef(tt, term_sort(tt, value), id), value);
    execute_set(ex, program_result(op, i),
                keeps && e.domain == REGION_LOST ? execute_put_together(tt, some_infinite, value) : value);
  }
  return true;
}
