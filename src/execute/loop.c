/* Loops: carried values in closed form.
 *
 * The body of a counted loop runs once, on a counter symbol t and one unknown function per carried value, read at the lanes
 * (a READ of a CARRY symbol, so that shape ops and reductions inside the body act on it as on any value). The yielded
 * terms are then solved, one after the other in order of dependency (coupling is triangular in practice):
 *
 *   c' = c                       c(t) = c0
 *   c' = c + b(t)                c(t) = c0 + sum[j < t](b(j))                    counters, pointers, accumulators
 *   c' = max(c, d(t))            c(t) = max(c0, max[j < t](d(j)))                also min, and, or
 *   c' = exp(E(t)) c + b(t)      c(t) = exp(-P(t)) (c0 exp(P(0)) + sum[j < t](b(j) exp(P(j+1)))),  E(t) = P(t) - P(t+1)
 *   c' = a(t) c + b(t)           c(t) = c0 prod[i < t](a(i)) + sum[j < t](b(j) prod[j < i < t](a(i)))
 *   c' = g(t) ? v(t) : c         the value of the last j < t with g(j), else c0
 *   c' = v(t)                    t = 0 ? c0 : v(t - 1)
 *
 * The exponential case is online softmax: P is the running maximum, and the factor goes into the folds of b. Each closed
 * form is an equality by induction on t; `verify` checks c(0) = c0 and c(t+1) = step(c(t)) where the constructors can show it.
 * What has no closed form is unrolled when the trip count is a small literal, else the loop is reported as not closed. */
#include <string.h>

#include "execute/internal.h"

enum { UNROLL_FIRST = 4, UNROLL_LIMIT = 64, MAX_CARRIED = 48 };

typedef struct Carried {
  Term symbol;  /* CARRY */
  Term self;    /* READ(symbol, lanes) */
  Term init, next, closed; /* closed: over t and the lanes; 0: not solved */
  Term base;    /* tensor of a pointer, else 0 */
  uint32_t rank;
  Term lanes[TYPE_MAX_RANK];
} Carried;

typedef struct Loop {
  Execution *ex;
  TermTable *tt;
  Term t, trips, steps; /* trips = max(steps, 0) */
  Carried carried[MAX_CARRIED];
  uint32_t count;
} Loop;

/* ---- substitution of closed forms ---- */

static Term put_closed(TermTable *tt, Term t, void *payload) {
  Loop *loop = payload;
  if (term_kind(tt, t) != TERM_READ) return t;
  for (uint32_t i = 0; i < loop->count; i++) {
    Carried *c = &loop->carried[i];
    if (term_arg(tt, t, 0) != c->symbol || !c->closed) continue;
    Term at[TYPE_MAX_RANK];
    for (uint32_t k = 0; k < c->rank; k++) at[k] = term_arg(tt, t, k + 1);
    return c->rank ? term_substitute(tt, c->closed, (TermMap){c->rank, c->lanes, at}) : c->closed;
  }
  return t;
}

static Term with_closed(Loop *loop, Term t) {
  return term_transform(loop->tt, t, put_closed, loop);
}

static bool mentions(Loop *loop, Term t, uint32_t i) { return term_has_symbol(loop->tt, t, loop->carried[i].symbol); }

/* ---- shapes of a step ---- */

/* y = a*c + b with a, b free of c. */
static bool linear_step(TermTable *tt, Term y, Term c, Term symbol, Term *a, Term *b) {
  *a = tt->zero, *b = y;
  if (y == c) {
    *a = tt->one, *b = tt->zero;
    return true;
  }
  if (!term_has_symbol(tt, y, symbol)) return true;
  Term a1, b1, a2, b2;
  switch (term_kind(tt, y)) {
  case TERM_ADD: {
    Term slope = tt->zero, rest = term_arg(tt, y, 0);
    for (uint32_t i = 1; i < term_count(tt, y); i += 2) {
      Rational k = term_rat(tt, term_arg(tt, y, i));
      if (!linear_step(tt, term_arg(tt, y, i + 1), c, symbol, &a1, &b1)) return false;
      slope = term_add(tt, slope, term_scale(tt, k, a1));
      rest = term_add(tt, rest, term_scale(tt, k, b1));
    }
    *a = slope, *b = rest;
    return true;
  }
  case TERM_MUL: {
    Term others = tt->one, factor = 0;
    for (uint32_t i = 0; i < term_count(tt, y); i += 2) {
      Term base = term_arg(tt, y, i);
      Rational e = term_rat(tt, term_arg(tt, y, i + 1));
      if (!term_has_symbol(tt, base, symbol)) others = term_mul(tt, others, term_power(tt, base, e));
      else if (!factor && e.num == 1 && e.den == 1) factor = base;
      else return false;
    }
    if (!linear_step(tt, factor, c, symbol, &a1, &b1)) return false;
    *a = term_mul(tt, others, a1), *b = term_mul(tt, others, b1);
    return true;
  }
  case TERM_SELECT: {
    Term g = term_arg(tt, y, 0);
    if (term_has_symbol(tt, g, symbol) || !linear_step(tt, term_arg(tt, y, 1), c, symbol, &a1, &b1) ||
        !linear_step(tt, term_arg(tt, y, 2), c, symbol, &a2, &b2)) return false;
    *a = term_select(tt, g, a1, a2), *b = term_select(tt, g, b1, b2);
    return true;
  }
  default: return false;
  }
}

/* The arguments of an n-ary y other than c; 0 when c is not among them or another mentions it. */
static Term other_arguments(TermTable *tt, Term y, Term c, Term symbol) {
  Term rest = 0;
  bool found = false;
  for (uint32_t i = 0; i < term_count(tt, y); i++) {
    Term x = term_arg(tt, y, i);
    if (x == c) found = true;
    else if (term_has_symbol(tt, x, symbol)) return 0;
    else if (!rest) rest = x;
    else switch (term_kind(tt, y)) {
      case TERM_MAX: rest = term_max(tt, rest, x); break;
      case TERM_MIN: rest = term_min(tt, rest, x); break;
      case TERM_AND: rest = term_and(tt, rest, x); break;
      default: rest = term_or(tt, rest, x); break;
      }
  }
  return found ? rest : 0;
}

static Term index_below(TermTable *tt, Term lo, Term hi) {
  return term_symbol_range(tt, term_symbol_fresh(tt, "j", SORT_INT, SYMBOL_INDEX), lo, term_sub(tt, hi, tt->one));
}

/* op[j < hi](f(j)), f given over t. */
static Term fold_steps(Loop *loop, TermFoldOp op, Term f, Term hi, Term guard) {
  TermTable *tt = loop->tt;
  Term j = index_below(tt, tt->zero, hi);
  return term_fold(tt, op, j, tt->zero, hi, term_replace(tt, guard, loop->t, j), term_replace(tt, f, loop->t, j));
}

/* ---- exponential recurrences ---- */

/* b * exp(x), with the factor moved into sums and joined with the exponentials there. */
static Term times_exp(TermTable *tt, Term b, Term x) {
  if (b == tt->zero || x == tt->zero) return b;
  switch (term_kind(tt, b)) {
  case TERM_FOLD:
    if (term_aux(tt, b) == FOLD_SUM) {
      FoldParts p = term_fold_open(tt, b);
      return term_fold(tt, FOLD_SUM, p.symbol, p.lo, p.hi, p.guard, times_exp(tt, p.body, x));
    }
    break;
  case TERM_SELECT:
    return term_select(tt, term_arg(tt, b, 0), times_exp(tt, term_arg(tt, b, 1), x), times_exp(tt, term_arg(tt, b, 2), x));
  case TERM_ADD: {
    Term sum = times_exp(tt, term_arg(tt, b, 0), x);
    for (uint32_t i = 1; i < term_count(tt, b); i += 2)
      sum = term_add(tt, sum, term_scale(tt, term_rat(tt, term_arg(tt, b, i)), times_exp(tt, term_arg(tt, b, i + 1), x)));
    return sum;
  }
  case TERM_FN:
    if (term_aux(tt, b) == FN_EXP) return term_fn1(tt, FN_EXP, term_expand(tt, term_add(tt, term_arg(tt, b, 0), x)));
    break;
  case TERM_MUL: {
    Term rest = tt->one;
    bool joined = false;
    for (uint32_t i = 0; i < term_count(tt, b); i += 2) {
      Term base = term_arg(tt, b, i);
      Rational e = term_rat(tt, term_arg(tt, b, i + 1));
      bool plain = e.num == 1 && e.den == 1, is_exp = term_kind(tt, base) == TERM_FN && term_aux(tt, base) == FN_EXP;
      bool is_sum = term_kind(tt, base) == TERM_FOLD && term_aux(tt, base) == FOLD_SUM;
      if (!joined && plain && (is_exp || is_sum)) {
        rest = term_mul(tt, rest, times_exp(tt, base, x));
        joined = true;
      } else rest = term_mul(tt, rest, term_power(tt, base, e));
    }
    if (joined) return rest;
    break;
  }
  default: break;
  }
  return term_mul(tt, b, term_fn1(tt, FN_EXP, x));
}

/* a = exp(E) times constants and selects without... : E, or 0. */
static Term exponent_of(TermTable *tt, Term a) {
  if (term_kind(tt, a) == TERM_FN && term_aux(tt, a) == FN_EXP) return term_arg(tt, a, 0);
  if (term_kind(tt, a) != TERM_MUL) return 0;
  Term sum = tt->zero;
  for (uint32_t i = 0; i < term_count(tt, a); i += 2) {
    Term base = term_arg(tt, a, i);
    if (term_kind(tt, base) != TERM_FN || term_aux(tt, base) != FN_EXP) return 0;
    sum = term_add(tt, sum, term_scale(tt, term_rat(tt, term_arg(tt, a, i + 1)), term_arg(tt, base, 0)));
  }
  return sum;
}

/* E(t) = P(t) - P(t+1): the summands of E whose image under t -> t+1 stands there with the opposite sign; what is left is
 * summed over the steps. */
static Term potential(Loop *loop, Term e) {
  TermTable *tt = loop->tt;
  Term p = tt->zero, next = term_add(tt, loop->t, tt->one), parts[64];
  uint32_t n = 0;
  if (term_kind(tt, e) != TERM_ADD) parts[n++] = e;
  else
    for (uint32_t i = 1; i < term_count(tt, e) && n < 64; i += 2)
      parts[n++] = term_scale(tt, term_rat(tt, term_arg(tt, e, i)), term_arg(tt, e, i + 1));
  for (uint32_t i = 0; i < n; i++) {
    Term image = term_neg(tt, term_transform(tt, term_replace(tt, parts[i], loop->t, next), term_extend_folds, NULL));
    for (uint32_t k = 0; k < n; k++)
      if (k != i && parts[k] == image) {
        p = term_add(tt, p, parts[i]);
        break;
      }
  }
  Term moved = term_transform(tt, term_replace(tt, p, loop->t, next), term_extend_folds, NULL);
  Term rest = term_add(tt, term_sub(tt, e, p), moved);
  if (rest == tt->zero) return p;
  return term_sub(tt, p, fold_steps(loop, FOLD_SUM, rest, loop->t, tt->true_));
}

static Term at_step(Loop *loop, Term f, Term t) {
  return term_transform(loop->tt, term_replace(loop->tt, f, loop->t, t), term_extend_folds, NULL);
}

static Term solve_exponential(Loop *loop, Term init, Term e, Term b) {
  TermTable *tt = loop->tt;
  Term p = potential(loop, e), t = loop->t;
  Term j = index_below(tt, tt->zero, t);
  Term shift = term_sub(tt, at_step(loop, p, term_add(tt, j, tt->one)), p);
  Term body = times_exp(tt, term_replace(tt, b, t, j), shift);
  Term sum = term_fold(tt, FOLD_SUM, j, tt->zero, t, tt->true_, body);
  if (init == tt->zero) return sum;
  Term start = times_exp(tt, init, term_sub(tt, term_replace(tt, p, t, tt->zero), p));
  if (term_node(tt, term_replace(tt, p, t, tt->zero))->flags & TERM_HAS_INF)
    return term_add(tt, sum, term_select(tt, term_le(tt, t, tt->zero), init, start));
  return term_add(tt, sum, start);
}

static Term solve_linear(Loop *loop, Term init, Term a, Term b) {
  TermTable *tt = loop->tt;
  Term t = loop->t;
  if (a == tt->one) {
    if (!term_has_symbol(tt, b, t)) return term_add(tt, init, term_mul(tt, t, b));
    return term_add(tt, init, fold_steps(loop, FOLD_SUM, b, t, tt->true_));
  }
  Term e = exponent_of(tt, a);
  if (e) return solve_exponential(loop, init, term_expand(tt, e), b);
  Term all = fold_steps(loop, FOLD_PROD, a, t, tt->true_);
  Term result = term_mul(tt, init, all);
  if (b == tt->zero) return result;
  Term j = index_below(tt, tt->zero, t), i = index_below(tt, term_add(tt, j, tt->one), t);
  Term tail = term_fold(tt, FOLD_PROD, i, term_add(tt, j, tt->one), t, tt->true_, term_replace(tt, a, t, i));
  return term_add(tt, result, term_fold(tt, FOLD_SUM, j, tt->zero, t, tt->true_, term_mul(tt, term_replace(tt, b, t, j), tail)));
}

/* ---- guarded replacement ---- */

/* Within the steps that run, the counter has its upper bound. */
static bool finite_in_range(Loop *loop, Term d) {
  TermTable *tt = loop->tt;
  term_symbol_range(tt, loop->t, tt->zero, term_sub(tt, loop->steps, tt->one));
  bool finite = term_is_finite(tt, term_rebuild(tt, d));
  term_symbol(tt, loop->t)->hi = 0;
  return finite;
}

/* g = (best so far < d) with best so far = max[j < t](d(j)): the last such j is the first arg max. */
static Term first_best(Loop *loop, Term g) {
  TermTable *tt = loop->tt;
  if (term_kind(tt, g) != TERM_LT || term_count(tt, g) > 2) return 0;
  for (int max = 1; max >= 0; max--) {
    Term low = term_arg(tt, g, 0), high = term_count(tt, g) == 2 ? term_arg(tt, g, 1) : tt->zero;
    Term d = 0, fold = 0;
    if (term_count(tt, g) == 2) fold = max ? low : high, d = max ? high : low;
    else if (term_kind(tt, low) == TERM_ADD && term_count(tt, low) == 5 && term_arg(tt, low, 0) == tt->zero) {
      for (uint32_t i = 1; i < 5; i += 2) { /* k*(fold - d) < 0, k > 0 for max */
        Term x = term_arg(tt, low, i + 1);
        Rational k = term_rat(tt, term_arg(tt, low, i)), l = term_rat(tt, term_arg(tt, low, i == 1 ? 3 : 1));
        bool opposite = k.num == -l.num && k.den == l.den;
        if (opposite && term_kind(tt, x) == TERM_FOLD && (k.num > 0) == (bool)max) fold = x, d = term_arg(tt, low, (i == 1 ? 3 : 1) + 1);
      }
    }
    if (!fold || term_kind(tt, fold) != TERM_FOLD || term_aux(tt, fold) != (max ? FOLD_MAX : FOLD_MIN)) continue;
    if (fold_steps(loop, max ? FOLD_MAX : FOLD_MIN, d, loop->t, tt->true_) != fold) continue;
    if (!finite_in_range(loop, d)) continue;
    return fold_steps(loop, max ? FOLD_ARGMAX : FOLD_ARGMIN, d, loop->t, tt->true_);
  }
  return 0;
}

static Term solve_replacement(Loop *loop, Term init, Term g, Term v) {
  TermTable *tt = loop->tt;
  Term t = loop->t, last = first_best(loop, g), some;
  if (last) some = term_lt(tt, tt->zero, t);
  else {
    last = fold_steps(loop, FOLD_MAX, t, t, g);
    some = fold_steps(loop, FOLD_ANY, g, t, tt->true_);
  }
  return term_select(tt, some, term_replace(tt, v, t, last), init);
}

/* ---- one carried value ---- */

static Term solve(Loop *loop, uint32_t i) {
  TermTable *tt = loop->tt;
  Carried *c = &loop->carried[i];
  Term y = c->next, a, b;
  if (y == c->self) return c->init;
  if (!mentions(loop, y, i)) {
    Term previous = term_replace(tt, y, loop->t, term_sub(tt, loop->t, tt->one));
    return term_select(tt, term_le(tt, loop->t, tt->zero), c->init, previous);
  }
  Term d;
  switch (term_kind(tt, y)) {
  case TERM_MAX:
    if ((d = other_arguments(tt, y, c->self, c->symbol))) return term_max(tt, c->init, fold_steps(loop, FOLD_MAX, d, loop->t, tt->true_));
    break;
  case TERM_MIN:
    if ((d = other_arguments(tt, y, c->self, c->symbol))) return term_min(tt, c->init, fold_steps(loop, FOLD_MIN, d, loop->t, tt->true_));
    break;
  case TERM_AND:
    if ((d = other_arguments(tt, y, c->self, c->symbol))) return term_and(tt, c->init, fold_steps(loop, FOLD_ALL, d, loop->t, tt->true_));
    break;
  case TERM_OR:
    if ((d = other_arguments(tt, y, c->self, c->symbol))) return term_or(tt, c->init, fold_steps(loop, FOLD_ANY, d, loop->t, tt->true_));
    break;
  case TERM_SELECT: {
    Term g = term_arg(tt, y, 0), yes = term_arg(tt, y, 1), no = term_arg(tt, y, 2);
    Term other = no == c->self ? yes : yes == c->self ? no : 0;
    if (other && !mentions(loop, other, i)) { /* a maximum or minimum written as a select on the comparison */
      bool up = g == term_lt(tt, no, yes) || g == term_le(tt, no, yes), down = g == term_lt(tt, yes, no) || g == term_le(tt, yes, no);
      if (up) return term_max(tt, c->init, fold_steps(loop, FOLD_MAX, other, loop->t, tt->true_));
      if (down) return term_min(tt, c->init, fold_steps(loop, FOLD_MIN, other, loop->t, tt->true_));
    }
    if (mentions(loop, g, i)) break;
    if (no == c->self && !mentions(loop, yes, i)) return solve_replacement(loop, c->init, g, yes);
    if (yes == c->self && !mentions(loop, no, i)) return solve_replacement(loop, c->init, term_not(tt, g), no);
    if (term_kind(tt, yes) == TERM_MAX && no == c->self && (d = other_arguments(tt, yes, c->self, c->symbol)))
      return term_max(tt, c->init, fold_steps(loop, FOLD_MAX, term_select(tt, g, d, tt->neg_inf), loop->t, tt->true_));
    break;
  }
  case TERM_WRAP: /* integer accumulation modulo 2^w: wrap once at the end */
    if (linear_step(tt, term_arg(tt, y, 0), c->self, c->symbol, &a, &b) && a == tt->one)
      return term_wrap(tt, term_aux(tt, y), solve_linear(loop, c->init, a, b));
    return 0;
  default: break;
  }
  if (!linear_step(tt, y, c->self, c->symbol, &a, &b)) return 0;
  if (term_has_symbol(tt, a, c->symbol) || term_has_symbol(tt, b, c->symbol)) return 0;
  return solve_linear(loop, c->init, a, b);
}

/* Triangular order: a value whose step mentions only itself and solved ones. */
static bool solve_all(Loop *loop) {
  uint32_t left = loop->count;
  while (left) {
    bool progress = false;
    for (uint32_t i = 0; i < loop->count; i++) {
      Carried *c = &loop->carried[i];
      if (c->closed) continue;
      bool ready = true;
      for (uint32_t k = 0; k < loop->count; k++) ready &= k == i || loop->carried[k].closed || !mentions(loop, c->next, k);
      if (!ready) continue;
      c->next = term_transform(loop->tt, with_closed(loop, c->next), term_extend_folds, NULL);
      Term closed = solve(loop, i);
      if (!closed) continue;
      c->closed = closed;
      progress = true;
      left--;
    }
    if (!progress) return false;
  }
  return true;
}

/* ---- running the body ---- */

static bool make_carried(Execution *ex, Loop *loop, ValueId arg, Term init) {
  TermTable *tt = ex->tt;
  const Type *type = program_value_type(ex->program, arg), *element = type;
  Carried *c = &loop->carried[loop->count++];
  if (type->kind == TYPE_TENSOR) {
    element = program_get_type(ex->program, type->element);
    for (uint32_t i = 0; i < type->rank; i++) {
      Term lane = execute_lane(ex, i, type->dims[i]);
      if (lane != tt->zero) c->lanes[c->rank++] = lane;
    }
  }
  TermSort sort = element->kind == TYPE_FLOAT ? SORT_REAL : element->kind == TYPE_INT && element->width == 1 ? SORT_BOOL : SORT_INT;
  c->init = init;
  if (element->kind == TYPE_POINTER) {
    if (term_kind(tt, init) != TERM_PTR) return false;
    c->base = term_arg(tt, init, 0), c->init = term_arg(tt, init, 1);
  } else if (element->kind != TYPE_FLOAT && element->kind != TYPE_INT && element->kind != TYPE_INDEX) return false;
  c->symbol = term_symbol_fresh(tt, "carry", sort, SYMBOL_CARRY);
  c->self = term_read(tt, c->symbol, sort, c->rank, c->lanes);
  execute_set(ex, arg, c->base ? term_ptr(tt, c->base, c->self) : c->self);
  return true;
}

typedef struct Marks { uint32_t accesses, ranges, divisions, roundings, opaque, literals; } Marks;

static Marks take_marks(const Execution *ex) {
  return (Marks){ex->accesses.count, ex->ranges.count, ex->divisions.count, ex->roundings.count, ex->opaque.count, ex->literals.count};
}

static void go_back(Execution *ex, Marks m) {
  ex->accesses.count = m.accesses, ex->ranges.count = m.ranges, ex->divisions.count = m.divisions;
  ex->roundings.count = m.roundings, ex->opaque.count = m.opaque, ex->literals.count = m.literals;
  ex->stop_code = NULL;
}

static void close_effects(Loop *loop, Marks m) {
  Execution *ex = loop->ex;
  for (uint32_t i = m.accesses; i < ex->accesses.count; i++) {
    Access *a = &ex->accesses.data[i];
    a->offset = with_closed(loop, a->offset);
    a->mask = with_closed(loop, a->mask);
    if (a->value) a->value = with_closed(loop, a->value);
  }
  for (uint32_t i = m.ranges; i < ex->ranges.count; i++) ex->ranges.data[i].exact = with_closed(loop, ex->ranges.data[i].exact);
  for (uint32_t i = m.divisions; i < ex->divisions.count; i++) {
    ex->divisions.data[i].divisor = with_closed(loop, ex->divisions.data[i].divisor);
    ex->divisions.data[i].path = with_closed(loop, ex->divisions.data[i].path);
  }
}

/* Does an iteration read what another one stored? Then old contents are not what it sees. */
static const char *loop_memory_hazard(Execution *ex, Marks m) {
  TermTable *tt = ex->tt;
  for (uint32_t i = m.accesses; i < ex->accesses.count; i++) {
    const Access *s = &ex->accesses.data[i];
    if (!s->is_store || s->is_atomic) continue;
    for (uint32_t k = m.accesses; k < ex->accesses.count; k++) {
      const Access *l = &ex->accesses.data[k];
      if (!l->is_store && l->tensor == s->tensor && l->offset != s->offset) return term_name(tt, s->tensor);
    }
  }
  return NULL;
}

static bool run_body(Execution *ex, const Op *op, Term iv, uint32_t count, Term *values) {
  const Program *p = ex->program;
  BlockId block = program_get_region(p, op->regions[0])->blocks.data[0];
  const Block *b = program_get_block(p, block);
  execute_set(ex, b->first_arg, iv);
  execute_region(ex, op->regions[0], count, values);
  return !execute_stopped(ex);
}

static void unroll(Execution *ex, const Op *op, Term lo, Term step, int64_t trips) {
  const Program *p = ex->program;
  TermTable *tt = ex->tt;
  const Block *b = program_get_block(p, program_get_region(p, op->regions[0])->blocks.data[0]);
  uint32_t n = op->result_count;
  Term *values = arena_array(ex->arena, Term, n + 1);
  for (uint32_t i = 0; i < n; i++) values[i] = execute_value(ex, op->operands[3 + i]);
  for (int64_t k = 0; k < trips && !execute_stopped(ex); k++) {
    for (uint32_t i = 0; i < n; i++) execute_set(ex, b->first_arg + 1 + i, values[i]);
    memset(values, 0, sizeof *values * n);
    run_body(ex, op, term_add(tt, lo, term_mul(tt, term_int(tt, k), step)), n, values);
  }
  for (uint32_t i = 0; i < n && !execute_stopped(ex); i++) execute_set(ex, program_result(op, i), values[i]);
}

static bool close_loop(Execution *ex, const Op *op, OpId id, Term lo, Term step, Term count, Term trips, Marks marks) {
  TermTable *tt = ex->tt;
  const Program *p = ex->program;
  const Block *b = program_get_block(p, program_get_region(p, op->regions[0])->blocks.data[0]);
  Loop *loop = arena_new(ex->arena, Loop);
  uint32_t n = op->result_count;
  Term *values = arena_array(ex->arena, Term, n + 1);
  *loop = (Loop){.ex = ex, .tt = tt, .trips = trips, .steps = count};
  if (n > MAX_CARRIED || ex->counter_count == EXECUTE_MAX_COUNTERS) {
    execute_stop(ex, id, "loop-size", "more carried values or nested loops than are handled");
    return false;
  }
  /* no upper bound while closing: closed forms are wanted for t = trips too, and must not use t < trips */
  loop->t = term_symbol_range(tt, term_symbol_fresh(tt, "t", SORT_INT, SYMBOL_COUNTER), tt->zero, 0);
  for (uint32_t i = 0; i < n; i++)
    if (!make_carried(ex, loop, b->first_arg + 1 + i, execute_value(ex, op->operands[3 + i]))) {
      execute_stop(ex, id, "loop-carried", "a carried value of this kind is not closed");
      return false;
    }
  ex->counter_end[ex->counter_count] = term_sub(tt, count, tt->one);
  ex->counters[ex->counter_count++] = loop->t;
  bool ran = run_body(ex, op, term_add(tt, lo, term_mul(tt, loop->t, step)), n, values);
  ex->counter_count--;
  if (!ran) return false;
  for (uint32_t i = 0; i < n; i++) {
    Carried *c = &loop->carried[i];
    c->next = values[i];
    if (!c->base) continue;
    if (term_kind(tt, values[i]) != TERM_PTR || term_arg(tt, values[i], 0) != c->base) {
      execute_stop(ex, id, "loop-carried", "a carried pointer changes its tensor");
      return false;
    }
    c->next = term_arg(tt, values[i], 1);
  }
  if (!solve_all(loop)) {
    execute_stop(ex, id, "loop-recurrence", "a value carried by this loop has no closed form that is known");
    return false;
  }
  close_effects(loop, marks);
  const char *hazard = loop_memory_hazard(ex, marks);
  if (hazard) {
    execute_stop(ex, id, "loop-memory", "%s is read and written in one loop at different addresses", hazard);
    return false;
  }
  term_symbol_range(tt, loop->t, tt->zero, term_sub(tt, count, tt->one)); /* an iteration runs only if count > t >= 0 */
  for (uint32_t i = 0; i < n; i++) {
    Carried *c = &loop->carried[i];
    Term result = term_replace(tt, c->closed, loop->t, trips);
    execute_set(ex, program_result(op, i), c->base ? term_ptr(tt, c->base, result) : result);
  }
  return true;
}

void execute_for(Execution *ex, const Op *op, OpId id) {
  TermTable *tt = ex->tt;
  Term lo = execute_value(ex, op->operands[0]), hi = execute_value(ex, op->operands[1]), step = execute_value(ex, op->operands[2]);
  int64_t literal;
  if (execute_stopped(ex)) return;
  if (!term_prove_lt(tt, tt->zero, step)) {
    execute_stop(ex, id, "loop-step", "the step of this loop is not known to be positive");
    return;
  }
  Term count = term_cdiv(tt, term_sub(tt, hi, lo), step), trips = term_max(tt, count, tt->zero);
  Marks marks = take_marks(ex);
  bool known = term_is_int(tt, trips, &literal);
  if (known && literal <= UNROLL_FIRST) {
    unroll(ex, op, lo, step, literal);
    return;
  }
  if (close_loop(ex, op, id, lo, step, count, trips, marks)) return;
  if (known && literal <= UNROLL_LIMIT) {
    go_back(ex, marks);
    unroll(ex, op, lo, step, literal);
  }
}

/* The condition as s*t + rest <= 0, s > 0: true for t <= floor(-rest / s), false from then on. */
static Term first_false(TermTable *tt, Term condition, Term t) {
  if (term_kind(tt, condition) != TERM_LE || term_count(tt, condition) != 1) return 0;
  Term e = term_arg(tt, condition, 0), rest = term_replace(tt, e, t, tt->zero);
  if (term_sort(tt, e) != SORT_INT) return 0;
  Term slope = term_sub(tt, term_replace(tt, e, t, term_add(tt, t, tt->one)), e);
  if (term_has_symbol(tt, slope, t) || term_add(tt, rest, term_mul(tt, slope, t)) != e || !term_prove_lt(tt, tt->zero, slope)) return 0;
  return term_add(tt, term_floordiv(tt, term_neg(tt, rest), slope), tt->one);
}

/* A while loop whose condition, once the carried values are closed, is an inequality that grows with the counter. */
void execute_while(Execution *ex, const Op *op, OpId id) {
  TermTable *tt = ex->tt;
  const Program *p = ex->program;
  BlockId before_id = program_get_region(p, op->regions[0])->blocks.data[0], body_id = program_get_region(p, op->regions[1])->blocks.data[0];
  const Block *before = program_get_block(p, before_id), *body = program_get_block(p, body_id);
  const Op *condition = program_get_op(p, before->ops.data[before->ops.count - 1]);
  Loop *loop = arena_new(ex->arena, Loop);
  uint32_t n = op->operand_count, results = op->result_count;
  Term *values = arena_array(ex->arena, Term, n + 1), *passed = arena_array(ex->arena, Term, results + 1);
  Marks marks = take_marks(ex);
  *loop = (Loop){.ex = ex, .tt = tt};
  if (n > MAX_CARRIED || ex->counter_count == EXECUTE_MAX_COUNTERS || condition->code != OP_SCF_CONDITION) {
    execute_stop(ex, id, "loop-size", "this form of scf.while is not executed yet");
    return;
  }
  loop->t = term_symbol_range(tt, term_symbol_fresh(tt, "t", SORT_INT, SYMBOL_COUNTER), tt->zero, 0);
  for (uint32_t i = 0; i < n; i++)
    if (!make_carried(ex, loop, before->first_arg + i, execute_value(ex, op->operands[i]))) {
      execute_stop(ex, id, "loop-carried", "a carried value of this kind is not closed");
      return;
    }
  ex->counters[ex->counter_count++] = loop->t;
  execute_block(ex, before_id, 0);
  Term go_on = execute_stopped(ex) ? 0 : execute_value(ex, condition->operands[0]);
  for (uint32_t i = 0; i < results && !execute_stopped(ex); i++) {
    passed[i] = execute_value(ex, condition->operands[1 + i]);
    execute_set(ex, body->first_arg + i, passed[i]);
  }
  if (ex->accesses.count != marks.accesses) execute_stop(ex, id, "loop-condition", "the condition of this loop reads memory");
  if (!execute_stopped(ex)) execute_region(ex, op->regions[1], n, values);
  ex->counter_count--;
  for (uint32_t i = 0; i < n && !execute_stopped(ex); i++) {
    Carried *c = &loop->carried[i];
    c->next = c->base ? term_arg(tt, values[i], 1) : values[i];
    if (c->base && (term_kind(tt, values[i]) != TERM_PTR || term_arg(tt, values[i], 0) != c->base))
      execute_stop(ex, id, "loop-carried", "a carried pointer changes its tensor");
  }
  if (execute_stopped(ex)) return;
  if (!solve_all(loop)) {
    execute_stop(ex, id, "loop-recurrence", "a value carried by this loop has no closed form that is known");
    return;
  }
  loop->steps = first_false(tt, with_closed(loop, go_on), loop->t);
  if (!loop->steps) {
    execute_stop(ex, id, "loop-condition", "the number of iterations of this loop has no closed form that is known");
    return;
  }
  close_effects(loop, marks);
  term_symbol_range(tt, loop->t, tt->zero, term_sub(tt, loop->steps, tt->one));
  Term trips = term_max(tt, loop->steps, tt->zero);
  for (uint32_t i = 0; i < results; i++)
    execute_set(ex, program_result(op, i), term_replace(tt, with_closed(loop, passed[i]), loop->t, trips));
}
