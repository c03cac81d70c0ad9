/* What a load sees of what another lane of its program stored, with a barrier in between.
 *
 * Of store(base + c0*l0 + c1*l1) and load(a) the lanes follow from a - base, the symbolic strides first, then the
 * literal ones as digits. Where these lanes lie in their ranges and under the store's mask, the load has their value;
 * elsewhere what was there before (Access.old). That no other lane or program writes the element is for the races. */
#include "execute/internal.h"

static bool is_barrier(const Program *p, OpId id) {
  Opcode code = program_get_op(p, id)->code;
  return code == OP_GPU_BARRIER || code == OP_TTG_BARRIER;
}

/* In one block: a barrier on the way from one op to the other; where the first stands behind, around the loop. */
static bool waits_between(const Program *p, OpId from, OpId to) {
  BlockId block = program_get_op(p, from)->block;
  if (program_get_op(p, to)->block != block) return false;
  const Block *b = program_get_block(p, block);
  for (uint32_t i = 0; i < b->ops.count; i++) {
    OpId id = b->ops.data[i];
    bool between = from < to ? from < id && id < to : id > from || id < to;
    if (between && is_barrier(p, id)) return true;
  }
  return false;
}

/* The summands of t that c divides, divided by it. */
static Term part_over(TermTable *tt, Term t, Term c) {
  Term sum = tt->zero;
  uint32_t n = term_kind(tt, t) == TERM_ADD ? term_count(tt, t) : 0;
  for (uint32_t i = 1; i < (n ? n : 2); i += 2) {
    Term m = n ? term_scale(tt, term_rat(tt, term_arg(tt, t, i)), term_arg(tt, t, i + 1)) : t,
         q = term_floordiv(tt, m, c);
    if (term_mul(tt, q, c) == m) sum = term_add(tt, sum, q);
  }
  return sum;
}

typedef struct Lane {
  Term symbol, stride, last;
  int64_t literal;
} Lane; /* literal: of the stride; 0: it is symbolic */

static bool goes_before(TermTable *tt, const Lane *a, const Lane *b) {
  if (a->literal && b->literal) return a->literal > b->literal;
  if (a->literal || b->literal) return !a->literal;
  return term_mul(tt, term_floordiv(tt, a->stride, b->stride), b->stride) == a->stride;
}

/* The lanes of a store in the order of their strides; false: the address is not linear, or its literal strides are no
 * digits. */
static bool lanes_of(TermTable *tt, const Access *a, Lane *lanes, uint32_t *count, Term *base) {
  *count = 0, *base = a->offset;
  for (uint32_t i = 0; i < a->rank; i++) {
    if (!a->lanes[i]) continue;
    Lane lane = {.symbol = a->lanes[i], .last = term_symbol(tt, a->lanes[i])->hi};
    lane.stride = term_sub(tt, term_replace(tt, a->offset, lane.symbol, term_add(tt, lane.symbol, tt->one)), a->offset);
    for (uint32_t k = 0; k < a->rank; k++)
      if (a->lanes[k] && term_has_symbol(tt, lane.stride, a->lanes[k])) return false;
    if (lane.stride == tt->zero || (term_is_int(tt, lane.stride, &lane.literal) && lane.literal < 0 && a->rank > 1))
      return false;
    uint32_t at = (*count)++;
    for (; at && goes_before(tt, &lane, &lanes[at - 1]); at--) lanes[at] = lanes[at - 1];
    lanes[at] = lane;
    *base = term_replace(tt, *base, lane.symbol, tt->zero);
  }
  Term below = tt->zero; /* the greatest sum of the digits below */
  for (uint32_t i = *count; i-- > 0 && lanes[i].literal > 0;) {
    if (!term_prove_lt(tt, below, lanes[i].stride)) return false;
    below = term_add(tt, below, term_mul(tt, lanes[i].stride, lanes[i].last));
  }
  return true;
}

Term execute_of_other_lane(Machine *ex, const Access *a, OpId load, Term offset, Term *where) {
  TermTable *tt = ex->tt;
  Lane lanes[TYPE_MAX_RANK];
  Term from[TYPE_MAX_RANK], to[TYPE_MAX_RANK], base;
  uint32_t count;
  bool same_loops = a->counter_count == ex->counter_count;
  for (uint32_t i = 0; i < a->counter_count && same_loops; i++) same_loops = a->counters[i] == ex->counters[i];
  if (a->is_atomic || !same_loops || !waits_between(ex->program, a->last_op, load) ||
      !lanes_of(tt, a, lanes, &count, &base))
    return 0;
  Term rest = term_sub(tt, offset, base);
  *where = tt->true_;
  for (uint32_t i = 0; i < count; i++) {
    Term at = !lanes[i].literal      ? part_over(tt, rest, lanes[i].stride)
              : lanes[i].literal < 0 ? term_floordiv(tt, term_neg(tt, rest), term_neg(tt, lanes[i].stride))
                                     : term_floordiv(tt, rest, lanes[i].stride);
    rest = term_sub(tt, rest, term_mul(tt, lanes[i].stride, at));
    from[i] = lanes[i].symbol, to[i] = at;
    *where = term_and(tt, *where, term_and(tt, term_le(tt, tt->zero, at), term_le(tt, at, lanes[i].last)));
  }
  TermMap map = {count, from, to};
  *where = term_and(tt, *where, term_and(tt, term_eq(tt, rest, tt->zero), term_substitute(tt, a->mask, map)));
  return term_substitute(tt, a->value, map);
}
