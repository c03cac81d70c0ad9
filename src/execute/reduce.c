/* Reductions over lanes: tt.reduce and tt.scan by the known monoids (scan.c has other regions), tt.dot, tt.histogram.
 *
 * The region is executed on two symbols per operand; the result term tells the monoid (associativity and commutativity
 * of those are laws of the fold). An arg-reduction is recognised by cases: with a > b, a < b and a = b as facts, the
 * results must be exactly the pair that is better, and the lower index on ties. */
#include <string.h>

#include "execute/loops/additive.h"
#include "execute/reduce.h"
#include "laws/laws.h"

static bool run_region(Machine *ex, const Op *op, Region2 *r) {
  const Program *p = ex->program;
  TermTable *tt = ex->tt;
  const Region *region = program_get_region(p, op->regions[0]);
  const Block *block = program_get_block(p, region->blocks.data[0]);
  r->n = op->operand_count;
  if (r->n > REGION_STATE || block->arg_count != 2 * r->n) return false;
  for (uint32_t i = 0; i < 2 * r->n; i++) {
    const Type *type = program_value_type(p, block->first_arg + i);
    bool flag = type->kind == TYPE_INT && type->width == 1;
    Term value = execute_value(ex, op->operands[i % r->n]), s;
    TermSort sort = flag ? SORT_BOOL : type->kind == TYPE_FLOAT ? SORT_REAL : SORT_INT;
    if (sort == SORT_REAL && r->n > 1 &&
        !term_is_finite(tt, value)) { /* an infinity equals itself: left - right does not stand for both */
      s = term_symbol_fresh(tt, i < r->n ? "left" : "right", sort, SYMBOL_CARRY);
      term_symbol(tt, s)->axis = term_is_number(tt, value) ? SYMBOL_IS_NUMBER : 0;
      s = term_read(tt, s, sort, 0, NULL);
    } else {
      s = term_symbol_fresh(tt, i < r->n ? "left" : "right", sort, SYMBOL_SCALAR);
      if (sort == SORT_INT) term_symbol(tt, s)->axis = SYMBOL_IS_DATA; /* what is combined wraps */
    }
    execute_set(ex, block->first_arg + i, s);
    *(i < r->n ? &r->a[i] : &r->b[i - r->n]) = s;
  }
  memset(r->result, 0, sizeof r->result);
  uint32_t ranges = ex->effects->ranges.count, roundings = ex->effects->roundings.count;
  execute_region(ex, op->regions[0], r->n, r->result);
  ex->effects->ranges.count = ranges;
  ex->effects->roundings.count = roundings;
  return !execute_stopped(ex);
}

/* The integer region wraps: modulo 2^w sums are sums of exact values, wrapped once. */
static Term unwrap(TermTable *tt, Term t) { return term_kind(tt, t) == TERM_WRAP ? term_arg(tt, t, 0) : t; }

static bool is_extremum(TermTable *tt, Term r, Term a, Term b, bool max) {
  if (r == (max ? term_max(tt, a, b) : term_min(tt, a, b))) return true;
  if (term_kind(tt, r) != TERM_SELECT) return false;
  Term c = term_arg(tt, r, 0), x = term_arg(tt, r, 1), y = term_arg(tt, r, 2);
  if ((x != a || y != b) && (x != b || y != a)) return false;
  Term low = max ? y : x, high = max ? x : y; /* x is chosen where c */
  return c == term_lt(tt, low, high) || c == term_le(tt, low, high);
}

static int classify(TermTable *tt, Term a, Term b, Term r) {
  Term plain = unwrap(tt, r);
  if (plain == term_add(tt, a, b)) return FOLD_SUM;
  if (plain == term_mul(tt, a, b)) return FOLD_PROD;
  if (term_sort(tt, a) == SORT_BOOL) {
    if (r == term_and(tt, a, b)) return FOLD_ALL;
    if (r == term_or(tt, a, b)) return FOLD_ANY;
    return -1;
  }
  if (is_extremum(tt, r, a, b, true)) return FOLD_MAX;
  if (is_extremum(tt, r, a, b, false)) return FOLD_MIN;
  if (r == term_fn(tt, FN_BITXOR, 2, (Term[]){a, b})) return FOLD_XOR;
  return -1;
}

/* The part of r = op(h(a), h(b)) that is h(a): the summands or the side with `a`, all but those with `b` of an
 * extremum. 0: they are mixed. */
static Term side_of(TermTable *tt, Term r, Term a, Term b) {
  TermKind kind = term_kind(tt, r);
  Term side = 0;
  if (kind != TERM_ADD && kind != TERM_MAX && kind != TERM_MIN && kind != TERM_SELECT) return 0;
  for (uint32_t i = kind == TERM_ADD || kind == TERM_SELECT; i < term_count(tt, r); i += kind == TERM_ADD ? 2 : 1) {
    Term part = kind == TERM_ADD ? term_scale(tt, term_rat(tt, term_arg(tt, r, i)), term_arg(tt, r, i + 1))
                                 : term_arg(tt, r, i);
    bool of_a = term_has_symbol(tt, part, a), of_b = term_has_symbol(tt, part, b);
    if ((of_a && of_b) || (kind == TERM_SELECT && of_a && side)) return 0;
    if (of_b || (!of_a && kind != TERM_MAX && kind != TERM_MIN)) continue;
    side = !side              ? part
           : kind == TERM_ADD ? term_add(tt, side, part)
           : kind == TERM_MAX ? term_max(tt, side, part)
                              : term_min(tt, side, part);
  }
  return side;
}

/* op(h(a), h(b)) for a known op, such as max(|a|, |b|), where h leaves what op makes of its values as it is: with two
 * elements or more the fold of op over h of each, in any order. The op, and h(a); -1: not of that form. */
static int classify_prepared(TermTable *tt, Term a, Term b, Term r, Term *prepared) {
  Term u = side_of(tt, r, a, b), v = u ? term_replace(tt, u, a, b) : 0;
  if (!u || u == a || term_replace(tt, u, a, r) != r) return -1;
  *prepared = u;
  if (r == term_add(tt, u, v)) return FOLD_SUM;
  return is_extremum(tt, r, u, v, true) ? FOLD_MAX : is_extremum(tt, r, u, v, false) ? FOLD_MIN : -1;
}

/* True if, under `fact`, both results are those of side x. */
static bool picks(TermTable *tt, const Region2 *r, Term fact, Term v, Term i) {
  return term_assume(tt, r->result[0], fact) == v && term_assume(tt, r->result[1], fact) == i;
}

/* (value, index) with the lower index on ties, or the higher one (last): FOLD_ARGMAX, FOLD_ARGMIN or -1. */
static int classify_pair(TermTable *tt, const Region2 *r, bool *last) {
  if (r->n != 2 || term_sort(tt, r->a[0]) == SORT_BOOL || term_sort(tt, r->a[1]) != SORT_INT) return -1;
  Term a = r->a[0], b = r->b[0], i = r->a[1], j = r->b[1];
  Term less = term_lt(tt, a, b), greater = term_lt(tt, b, a), equal = term_eq(tt, a, b);
  Term a_less = term_and(tt, term_and(tt, less, term_not(tt, equal)), term_not(tt, greater));
  Term a_more = term_and(tt, term_and(tt, greater, term_not(tt, equal)), term_not(tt, less));
  Term same = term_and(tt, equal, term_and(tt, term_not(tt, less), term_not(tt, greater)));
  Term low = term_lt(tt, i, j), high = term_lt(tt, j, i);
  for (int max = 1; max >= 0; max--) {
    Term first = max ? a_more : a_less, second = max ? a_less : a_more;
    if (!picks(tt, r, first, a, i) || !picks(tt, r, second, b, j)) continue;
    Term tie_low = term_and(tt, same, low), tie_high = term_and(tt, same, high);
    Term lower = term_assume(tt, r->result[1], tie_low), higher = term_assume(tt, r->result[1], tie_high);
    *last = lower == j && higher == i;
    if (*last || (lower == i && higher == j)) return max ? FOLD_ARGMAX : FOLD_ARGMIN;
  }
  return -1;
}

Term execute_at_axis(Machine *ex, Term t, const Type *type, int64_t axis, Term k, bool drop) {
  Term from[TYPE_MAX_RANK], to[TYPE_MAX_RANK];
  uint32_t n = 0;
  for (uint32_t i = 0; i < type->rank; i++) {
    Term lane = execute_lane(ex, i, type->dims[i]);
    if (lane == ex->tt->zero) continue;
    Term by = i == axis ? k : drop && i > axis ? execute_lane(ex, i - 1, type->dims[i]) : lane;
    if (by == lane) continue;
    from[n] = lane, to[n++] = by;
  }
  return n ? term_substitute(ex->tt, t, (TermMap){n, from, to}) : t;
}

static Term fresh_index(TermTable *tt, Term lo, Term hi) {
  return term_symbol_range(tt, term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), lo, term_sub(tt, hi, tt->one));
}

static uint32_t int_width(const Machine *ex, ValueId value) {
  const Type *t =
      program_get_type(ex->program, program_element_type(ex->program, program_get_value(ex->program, value)->type));
  return t->kind == TYPE_INT && t->width > 1 ? t->width : 0;
}

/* The symbol of an operand that is known to be an integer >= 0, as a count kept in a float is. */
static void use_integers(Machine *ex, const Op *op, Region2 *r) {
  TermTable *tt = ex->tt;
  for (uint32_t i = 0; i < r->n; i++) {
    Term value = execute_value(ex, op->operands[i]);
    if (term_sort(tt, r->a[i]) != SORT_REAL || term_sort(tt, value) != SORT_INT || !term_is_nonnegative(tt, value))
      continue;
    Term *side[2] = {&r->a[i], &r->b[i]};
    for (int k = 0; k < 2; k++) {
      Term s = term_symbol_range(tt, term_symbol_fresh(tt, "n", SORT_INT, SYMBOL_SIZE), tt->zero, 0);
      for (uint32_t j = 0; j < r->n; j++) r->result[j] = term_replace(tt, r->result[j], *side[k], s);
      *side[k] = s;
    }
  }
}

/* The values of the functionals in a lane: those of the loop that made the operands, if it is the same functional. */
static void lane_sums(Machine *ex, const Op *op, const Additive *a, Term *sums) {
  TermTable *tt = ex->tt;
  Term values[ADDITIVE_STATE];
  for (uint32_t i = 0; i < a->n; i++) values[i] = execute_value(ex, op->operands[i]);
  for (uint32_t i = 0; i < a->count; i++)
    sums[i] = additive_polynomial(tt, term_substitute(tt, a->functional[i], (TermMap){a->n, a->state, values}));
  for (uint32_t k = 0; k < ex->effects->sums.count; k++) {
    const SumRecord *r = &ex->effects->sums.data[k];
    Term as[ADDITIVE_STATE];
    bool all = r->n == a->n;
    for (uint32_t i = 0; i < a->n && all; i++) {
      as[i] = 0;
      for (uint32_t j = 0; j < r->n; j++)
        if (r->part[j] == values[i]) as[i] = r->state[j];
      all = as[i] != 0;
    }
    for (uint32_t i = 0; i < a->count && all; i++) {
      Term same = term_substitute(tt, a->functional[i], (TermMap){a->n, a->state, as});
      for (uint32_t j = 0; j < r->n; j++)
        if (term_expand(tt, r->functional[j]) == term_expand(tt, same)) sums[i] = r->sum[j];
    }
  }
}

/* A merge of states that are known from sums (Welford's): proved additive, so the order does not matter. */
static bool reduce_by_sums(Machine *ex, const Op *op, OpId id, Region2 *r, const Type *type, int64_t axis) {
  TermTable *tt = ex->tt;
  Additive a = {.n = r->n};
  Term lane[ADDITIVE_STATE], total[ADDITIVE_STATE], parts[ADDITIVE_STATE];
  if (r->n > ADDITIVE_STATE || r->n < 2) return false;
  use_integers(ex, op, r);
  for (uint32_t i = 0; i < r->n; i++) {
    if (term_sort(tt, r->a[i]) == SORT_BOOL) return false;
    a.state[i] = r->a[i], a.merged[i] = r->b[i], a.next[i] = r->result[i];
  }
  if (!additive_find(ex, &a) || !additive_proved(ex, &a)) return false;
  lane_sums(ex, op, &a, lane);
  Term hi = term_int(tt, type->dims[axis]);
  for (uint32_t i = 0; i < a.count; i++) {
    Term k = fresh_index(tt, tt->zero, hi);
    total[i] = term_fold(tt, FOLD_SUM, k, tt->zero, hi, tt->true_, execute_at_axis(ex, lane[i], type, axis, k, true));
  }
  additive_invert(tt, &a, total, parts);
  for (uint32_t i = 0; i < a.count; i++) { /* nothing is known where all states were empty */
    Term from[ADDITIVE_STATE], to[ADDITIVE_STATE], *part = &parts[a.solves[i]];
    for (uint32_t k = 0; k < i; k++) from[k] = a.state[a.solves[k]], to[k] = parts[a.solves[k]];
    Term factor = term_substitute(tt, a.factor[i], (TermMap){i, from, to});
    if (!term_is_rat(tt, factor))
      *part = term_select(tt, term_lt(tt, tt->zero, factor), *part, term_undef(tt, SORT_REAL, id));
  }
  for (uint32_t i = 0; i < a.n; i++) execute_set(ex, program_result(op, i), parts[i]);
  return true;
}

/* True if there is an operation that some arguments are outside of the domain of. */
static bool is_partial(const Program *p, RegionId region) {
  const Region *r = program_get_region(p, region);
  for (uint32_t b = 0; b < r->blocks.count; b++) {
    const Block *block = program_get_block(p, r->blocks.data[b]);
    for (uint32_t i = 0; i < block->ops.count; i++) {
      const Op *op = program_get_op(p, block->ops.data[i]);
      if (op->code == OP_ARITH_DIVF || op->code == OP_ARITH_REMF || op->code == OP_TT_PRECISE_DIVF ||
          op->code == OP_MATH_SQRT || op->code == OP_TT_PRECISE_SQRT || op->code == OP_MATH_RSQRT ||
          op->code == OP_MATH_LOG || op->code == OP_MATH_LOG2 || op->code == OP_TT_EXTERN_ELEMENTWISE)
        return true;
      for (uint32_t k = 0; k < op->region_count; k++)
        if (is_partial(p, op->regions[k])) return true;
    }
  }
  return false;
}

static void need_region(Machine *ex, const Op *op, OpId id, const Region2 *r) {
  RegionNeed need = {.op = id, .n = r->n};
  if (!is_partial(ex->program, op->regions[0])) return;
  for (uint32_t i = 0; i < r->n; i++) {
    need.a[i] = r->a[i], need.b[i] = r->b[i], need.result[i] = r->result[i];
    need.lane[i] = execute_value(ex, op->operands[i]);
  }
  array_push(ex->arena, &ex->effects->regions, need);
}

static void reduce_or_scan(Machine *ex, const Op *op, OpId id, bool scan) {
  const Program *p = ex->program;
  TermTable *tt = ex->tt;
  Region2 r;
  if (!run_region(ex, op, &r)) return;
  const Type *type = program_value_type(p, op->operands[0]);
  int64_t axis = program_op_int(p, op, "axis", 0), extent = type->dims[axis];
  if (extent > 1) need_region(ex, op, id, &r);
  if (extent == 1) { /* nothing is combined */
    for (uint32_t i = 0; i < op->operand_count; i++)
      execute_set(ex, program_result(op, i),
                  execute_at_axis(ex, execute_value(ex, op->operands[i]), type, axis, tt->zero, !scan));
    return;
  }
  bool reverse = scan && program_op_int(p, op, "reverse", 0);
  Term lo = tt->zero, hi = term_int(tt, extent), lane = execute_lane(ex, (uint32_t)axis, extent);
  if (scan && reverse) lo = lane;
  if (scan && !reverse) hi = term_add(tt, lane, tt->one);
  bool last;
  int pair = classify_pair(tt, &r, &last);
  Term k = fresh_index(tt, lo, hi);
  if (pair >= 0) {
    Term key = execute_at_axis(ex, execute_value(ex, op->operands[0]), type, axis, k, !scan);
    Term index = execute_at_axis(ex, execute_value(ex, op->operands[1]), type, axis, k, !scan);
    Term best = term_fold(tt, pair == FOLD_ARGMAX ? FOLD_MAX : FOLD_MIN, k, lo, hi, tt->true_, key), place;
    /* the first best lane has the lowest index if the index grows with the lane, the last one the highest */
    Term next = term_replace(tt, index, k, term_add(tt, k, tt->one));
    if (!term_prove_lt(tt, index, next)) { /* the least (greatest) index of those that are the best */
      Term of_best = term_fold(tt, last ? FOLD_MAX : FOLD_MIN, k, lo, hi, term_eq(tt, key, best), index);
      execute_set(ex, program_result(op, 0), best);
      execute_set(ex, program_result(op, 1), of_best);
      return;
    }
    place = last ? term_fold(tt, FOLD_MAX, k, lo, hi, term_eq(tt, key, best), k)
                 : term_fold(tt, (TermFoldOp)pair, k, lo, hi, tt->true_, key);
    execute_set(ex, program_result(op, 0), best);
    execute_set(ex, program_result(op, 1), term_replace(tt, index, k, place));
    return;
  }
  bool known = true;
  for (uint32_t i = 0; i < r.n; i++) {
    int op_of = classify(tt, r.a[i], r.b[i], r.result[i]);
    known &= op_of >= 0;
    if (op_of != FOLD_MAX && op_of != FOLD_MIN) execute_note_accumulator(ex, id, op->operands[i]);
  }
  Region2 region = r;
  Term prepared;
  int monoid = r.n == 1 && !known && !scan ? classify_prepared(tt, r.a[0], r.b[0], r.result[0], &prepared) : -1;
  if (monoid >= 0) {
    Term body = term_replace(tt, prepared, r.a[0],
                             execute_at_axis(ex, execute_value(ex, op->operands[0]), type, axis, k, true));
    execute_set(ex, program_result(op, 0), term_fold(tt, (TermFoldOp)monoid, k, lo, hi, tt->true_, body));
    return;
  }
  if (!known && !scan && reduce_by_sums(ex, op, id, &r, type, axis)) return;
  if (!known && execute_scan_region(ex, op, id, &region, type, axis, scan, reverse)) return;
  for (uint32_t i = 0; i < r.n; i++) {
    monoid = classify(tt, r.a[i], r.b[i], r.result[i]);
    if (monoid < 0) {
      const char *order = execute_region_order_shows(tt, &region, scan);
      if (order)
        execute_stop(
            ex, id, REASON_REDUCE_ORDER,
            "the value of this %s depends on the order in which elements are combined, which is not specified: %s",
            scan ? "scan" : "reduction", order);
      else
        execute_stop(ex, id, REASON_UNSUPPORTED_REDUCE, "the combine region of this %s is not one that is lifted yet",
                     scan ? "scan" : "reduction");
      return;
    }
    Term body = execute_at_axis(ex, execute_value(ex, op->operands[i]), type, axis, k, !scan);
    Term folded = term_fold(tt, (TermFoldOp)monoid, k, lo, hi, tt->true_, body);
    uint32_t width = int_width(ex, op->operands[i]);
    if (width && (monoid == FOLD_SUM || monoid == FOLD_PROD)) folded = term_wrap(tt, width, folded);
    execute_set(ex, program_result(op, i), folded);
  }
}

static void dot(Machine *ex, const Op *op, OpId id) {
  const Program *p = ex->program;
  TermTable *tt = ex->tt;
  const Type *a = program_value_type(p, op->operands[0]), *b = program_value_type(p, op->operands[1]);
  uint32_t rank = a->rank;
  Term k = fresh_index(tt, tt->zero, term_int(tt, a->dims[rank - 1]));
  Term left = execute_at_axis(ex, execute_value(ex, op->operands[0]), a, rank - 1, k, false);
  Term right = execute_at_axis(ex, execute_value(ex, op->operands[1]), b, rank - 2, k, false);
  Term sum =
      term_fold(tt, FOLD_SUM, k, tt->zero, term_int(tt, a->dims[rank - 1]), tt->true_, term_mul(tt, left, right));
  Term result = term_add(tt, execute_value(ex, op->operands[2]), sum);
  uint32_t width = int_width(ex, op->first_result);
  execute_set(ex, op->first_result, width ? term_wrap(tt, width, result) : result);
  const char *precision = program_op_text(p, op, "inputPrecision");
  const Type *element = program_get_type(p, a->element);
  if (element->kind == TYPE_FLOAT && element->format == FLOAT_F32 && precision && strcmp(precision, "ieee"))
    execute_note_rounding(ex, id, arena_format(ex->arena, "%s dot", precision));
  execute_note_accumulator(ex, id, op->first_result);
}

static void histogram(Machine *ex, const Op *op) {
  TermTable *tt = ex->tt;
  const Type *from = program_value_type(ex->program, op->operands[0]),
             *to = program_value_type(ex->program, op->first_result);
  Term hi = term_int(tt, from->dims[0]), k = fresh_index(tt, tt->zero, hi);
  Term x = execute_at_axis(ex, execute_value(ex, op->operands[0]), from, 0, k, false);
  Term hit = term_eq(tt, x, execute_lane(ex, 0, to->dims[0]));
  if (op->operand_count > 1)
    hit = term_and(tt, hit, execute_at_axis(ex, execute_value(ex, op->operands[1]), from, 0, k, false));
  execute_set(ex, op->first_result, term_fold(tt, FOLD_SUM, k, tt->zero, hi, hit, tt->one));
}

/* The region of map_elementwise runs on the lanes as they are. */
static void map_elementwise(Machine *ex, const Op *op, OpId id) {
  const Program *p = ex->program;
  const Block *block = program_get_block(p, program_get_region(p, op->regions[0])->blocks.data[0]);
  Term *results = arena_array(ex->arena, Term, op->result_count + 1);
  if (program_op_int(p, op, "pack", 1) != 1 || block->arg_count != op->operand_count) {
    execute_stop(ex, id, REASON_UNSUPPORTED_OP, "tt.map_elementwise with pack > 1 is not executed yet");
    return;
  }
  for (uint32_t i = 0; i < op->operand_count; i++)
    execute_set(ex, block->first_arg + i, execute_value(ex, op->operands[i]));
  execute_region(ex, op->regions[0], op->result_count, results);
  for (uint32_t i = 0; i < op->result_count && !execute_stopped(ex); i++)
    execute_set(ex, program_result(op, i), results[i]);
}

/* Where an element along the reduced axis is undefined, the result is. */
static Term spread_axis(Machine *ex, const Op *op, uint32_t operand, Term undefined) {
  const Type *type = program_value_type(ex->program, op->operands[operand]);
  bool is_dot = op->code == OP_TT_DOT;
  if (is_dot && operand > 1) return undefined;
  int64_t axis = is_dot ? (int64_t)type->rank - 1 - operand : program_op_int(ex->program, op, "axis", 0);
  Term k = fresh_index(ex->tt, ex->tt->zero, term_int(ex->tt, type->dims[axis]));
  return term_fold(ex->tt, FOLD_ANY, k, ex->tt->zero, term_int(ex->tt, type->dims[axis]), ex->tt->true_,
                   execute_at_axis(ex, undefined, type, axis, k, op->code == OP_TT_REDUCE));
}

static bool execute_fold(Machine *ex, const Op *op, OpId id) {
  if (op->code == OP_TT_DOT)
    dot(ex, op, id);
  else
    reduce_or_scan(ex, op, id, op->code == OP_TT_SCAN);
  return true;
}

bool execute_reduce(Machine *ex, const Op *op, OpId id) {
  if (op->code == OP_TT_REDUCE || op->code == OP_TT_SCAN || op->code == OP_TT_DOT)
    return execute_watching(ex, op, id, execute_fold, spread_axis);
  if (op->code == OP_TT_HISTOGRAM) {
    histogram(ex, op);
    return true;
  }
  if (op->code == OP_TT_MAP_ELEMENTWISE) {
    map_elementwise(ex, op, id);
    return true;
  }
  return false;
}
