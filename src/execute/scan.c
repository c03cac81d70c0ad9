/* Scans and reductions by any associative region, as recurrences along the axis.
 *
 * The value of lane l is the region folded over lanes 0..l from the left; that it is associative (of a reduction: commutative too) is
 * proved (associative.c), so that no other order gives anything else. The recurrence state' = region(state, next lane) is
 * closed as the carried values of a loop are, and leaves the record of a loop, so that the closed form is proved by induction too. */
#include <string.h>

#include "execute/loop.h"
#include "execute/reduce.h"

static void record(Loop *loop, const Op *op, OpId id) {
  Execution *ex = loop->ex;
  const Block *block = program_get_block(ex->program, program_get_region(ex->program, op->regions[0])->blocks.data[0]);
  LoopRecord record = {.op = id, .counter = loop->t, .trips = loop->trips, .outer_count = ex->counter_count};
  memcpy(record.outer, ex->counters, sizeof record.outer);
  for (uint32_t i = 0; i < loop->count; i++) {
    const Carried *c = &loop->carried[i];
    LoopValue value = {.arg = block->first_arg + i, .symbol = c->symbol, .init = c->init, .step = c->step, .closed = c->closed};
    array_push(ex->arena, &record.values, value);
  }
  array_push(ex->arena, &ex->loops, record);
}

/* The recurrence along the axis. What is assumed of the state, that it is a number and finite, is shown of the next one; else less is. */
static void take_elements(Loop *loop, const Op *op, const Region2 *r, const Type *type, int64_t axis, bool is_scan, bool reverse) {
  Execution *ex = loop->ex;
  TermTable *tt = loop->tt;
  Term last = loop->trips, next = term_add(tt, loop->t, tt->one), from[2 * REGION_STATE], to[2 * REGION_STATE];
  bool kept;
  for (uint32_t i = 0; i < r->n; i++) loop->carried[i].is = SYMBOL_IS_NUMBER | SYMBOL_IS_FINITE;
  do {
    for (uint32_t i = 0; i < r->n; i++) {
      Carried *c = &loop->carried[i];
      Term value = execute_value(ex, op->operands[i]);
      c->init = execute_at_axis(ex, value, type, axis, reverse ? last : tt->zero, !is_scan);
      c->symbol = term_symbol_fresh(tt, "carry", term_sort(tt, r->a[i]), SYMBOL_CARRY);
      c->is &= loop_kind_of_number(tt, c->init);
      if (term_sort(tt, r->a[i]) == SORT_REAL) term_symbol(tt, c->symbol)->axis = c->is;
      c->self = term_read(tt, c->symbol, term_sort(tt, r->a[i]), 0, NULL);
      from[i] = r->a[i], to[i] = c->self;
      from[r->n + i] = r->b[i], to[r->n + i] = execute_at_axis(ex, value, type, axis, reverse ? term_sub(tt, last, next) : next, !is_scan);
    }
    kept = true;
    for (uint32_t i = 0; i < r->n; i++) {
      Carried *c = &loop->carried[i];
      c->next = c->step = c->made_again = term_substitute(tt, r->result[i], (TermMap){2 * r->n, from, to});
      uint32_t left = c->is & loop_kind_of_number(tt, c->step);
      kept &= left == c->is || term_sort(tt, c->self) != SORT_REAL;
      c->is = left;
    }
  } while (!kept);
}

bool execute_scan_region(Execution *ex, const Op *op, OpId id, const Region2 *r, const Type *type, int64_t axis, bool is_scan, bool reverse) {
  TermTable *tt = ex->tt;
  int64_t extent = type->dims[axis];
  Term last = term_int(tt, extent - 1);
  if (extent < 2 || r->n > MAX_CARRIED || !execute_region_is_proved(ex, op, r, is_scan)) return false;
  Loop *loop = arena_new(ex->arena, Loop);
  *loop = (Loop){.ex = ex, .tt = tt, .steps = last, .trips = last, .count = r->n, .may_recur = true, .is_scan = true};
  loop->t = term_symbol_range(tt, term_symbol_fresh(tt, "t", SORT_INT, SYMBOL_COUNTER), tt->zero, 0);
  take_elements(loop, op, r, type, axis, is_scan, reverse);
  for (uint32_t i = 0; i < r->n; i++) loop->begins_with_element |= term_sort(tt, r->a[i]) == SORT_INT; /* places count from the first element */
  if (!loop_solve(loop)) return false;
  record(loop, op, id);
  term_symbol_range(tt, loop->t, tt->zero, term_sub(tt, last, tt->one));
  Term lane = execute_lane(ex, (uint32_t)axis, extent), end = !is_scan ? last : reverse ? term_sub(tt, last, lane) : lane;
  for (uint32_t i = 0; i < r->n; i++) execute_set(ex, program_result(op, i), term_replace(tt, loop->carried[i].closed, loop->t, end));
  return true;
}
