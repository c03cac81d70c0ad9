/* Scans by any associative region, as recurrences along the axis.
 *
 * The value of lane l is the region folded over lanes 0..l from the left; that it is associative over the reals is proved, so
 * that no other order gives anything else. The recurrence state' = region(state, next lane) is closed as the carried values of
 * a loop are: a first-order linear recurrence comes out as sums of products. */
#include "execute/additive.h"
#include "execute/loop.h"
#include "execute/reduce.h"

static bool is_associative(Execution *ex, const Region2 *r) {
  TermTable *tt = ex->tt;
  Term c[REGION_STATE], left[REGION_STATE], right[REGION_STATE], from[2 * REGION_STATE], to[2 * REGION_STATE];
  Additive a = {.n = r->n};
  for (uint32_t i = 0; i < r->n; i++) {
    if (term_sort(tt, r->a[i]) == SORT_BOOL || r->n > ADDITIVE_STATE) return false;
    c[i] = term_symbol_fresh(tt, "third", term_sort(tt, r->a[i]), SYMBOL_SCALAR);
    a.state[i] = r->a[i], a.merged[i] = r->b[i];
    from[i] = r->a[i], from[r->n + i] = r->b[i];
  }
  for (uint32_t i = 0; i < r->n; i++) to[i] = r->result[i], to[r->n + i] = c[i];
  for (uint32_t i = 0; i < r->n; i++) left[i] = term_substitute(tt, r->result[i], (TermMap){2 * r->n, from, to}); /* (a b) c */
  for (uint32_t i = 0; i < r->n; i++) to[i] = r->b[i], to[r->n + i] = c[i];
  for (uint32_t i = 0; i < r->n; i++) right[i] = term_substitute(tt, r->result[i], (TermMap){2 * r->n, from, to}); /* b c */
  for (uint32_t i = 0; i < r->n; i++) to[i] = r->a[i], to[r->n + i] = right[i];
  for (uint32_t i = 0; i < r->n; i++)
    if (!additive_is_zero(tt, term_sub(tt, left[i], term_substitute(tt, r->result[i], (TermMap){2 * r->n, from, to})), &a)) return false;
  return true;
}

bool execute_scan_region(Execution *ex, const Op *op, const Region2 *r, const Type *type, int64_t axis, bool reverse) {
  TermTable *tt = ex->tt;
  int64_t extent = type->dims[axis];
  Term lane = execute_lane(ex, (uint32_t)axis, extent), last = term_int(tt, extent - 1);
  if (extent < 2 || !is_associative(ex, r)) return false;
  Loop *loop = arena_new(ex->arena, Loop);
  *loop = (Loop){.ex = ex, .tt = tt, .steps = last, .trips = last, .count = r->n};
  loop->t = term_symbol_range(tt, term_symbol_fresh(tt, "t", SORT_INT, SYMBOL_COUNTER), tt->zero, 0);
  Term next = term_add(tt, loop->t, tt->one), from[2 * REGION_STATE], to[2 * REGION_STATE];
  for (uint32_t i = 0; i < r->n; i++) {
    Carried *c = &loop->carried[i];
    Term value = execute_value(ex, op->operands[i]);
    c->init = term_replace(tt, value, lane, reverse ? last : tt->zero);
    c->symbol = term_symbol_fresh(tt, "carry", term_sort(tt, r->a[i]), SYMBOL_CARRY);
    c->self = term_read(tt, c->symbol, term_sort(tt, r->a[i]), 0, NULL);
    from[i] = r->a[i], to[i] = c->self;
    from[r->n + i] = r->b[i], to[r->n + i] = term_replace(tt, value, lane, reverse ? term_sub(tt, last, next) : next);
  }
  for (uint32_t i = 0; i < r->n; i++)
    loop->carried[i].next = loop->carried[i].step = term_substitute(tt, r->result[i], (TermMap){2 * r->n, from, to});
  if (!loop_solve(loop)) return false;
  for (uint32_t i = 0; i < r->n; i++)
    execute_set(ex, program_result(op, i), term_replace(tt, loop->carried[i].closed, loop->t, reverse ? term_sub(tt, last, lane) : lane));
  return true;
}
