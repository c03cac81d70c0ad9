/* Sums, and recurrences of few steps, in forms in which two of them meet.
 *
 *   behind    what is made of a recurrence as its next step would make it is that recurrence, of one step more
 *   nested    sum[k < q*m](f(k)) = sum[i < q](sum[j < m](f(m*i + j))), where f looks at k // m
 *   cut       where a choice inside changes:
 *             sum[k < n](k < c ? f(k) : g(k)) = sum[k < c](f(k)) + sum[k < n - c](g(c + k))
 *   joined    folds over adjacent ranges, and over tiles, as one (laws/)
 *   together  recurrences whose step k reads what others have come to after k steps: one of all these values
 *   unrolled  folds and recurrences of at most 32 steps, where that is a number
 *
 * Of integers, which sums of floats in any order are, too (mlir/floats.c): formal sums over what stands for a summand.
 */
#include "laws/compare_laws.h"
#include "refine/internal.h"

enum { MOST_STEPS = 32, MOST_UNROLLED = 400, MOST_CUTS = 12 };

static bool is_sum(const TermTable *tt, Term t) { return term_kind(tt, t) == TERM_FOLD && term_aux(tt, t) == FOLD_SUM; }

/* ---- nested ---- */

/* The divisor of a quotient of the index itself; 0: there is none. */
static Term divisor_of(TermTable *tt, Term t, Term index, uint32_t *fuel) {
  if (!*fuel || !term_has_symbol(tt, t, index)) return 0;
  --*fuel;
  if (term_kind(tt, t) == TERM_FLOORDIV && term_arg(tt, t, 0) == index) return term_arg(tt, t, 1);
  for (uint32_t i = 0; i < term_count(tt, t); i++) {
    Term m = divisor_of(tt, term_arg(tt, t, i), index, fuel);
    if (m) return m;
  }
  return 0;
}

static Term index_below(TermTable *tt, const char *name, Term end) {
  Term symbol = term_symbol_fresh(tt, name, SORT_INT, SYMBOL_INDEX);
  return term_symbol_range(tt, symbol, tt->zero, term_sub(tt, end, tt->one));
}

/* t / m without a rest, where it shows: m may be 0, and t is then. 0: it does not. */
static Term quotient(TermTable *tt, Term t, Term m) {
  Term q = term_floordiv(tt, t, m);
  if (term_mul(tt, q, m) == t) return q;
  Term product;
  Rational k = term_coefficient(tt, t, &product);
  if (product == m) return term_new_rat(tt, k);
  if (term_kind(tt, product) != TERM_MUL) return 0;
  q = term_new_rat(tt, k);
  bool found = false;
  for (uint32_t i = 0; i < term_count(tt, product); i += 2) {
    Term base = term_arg(tt, product, i);
    Rational e = term_rat(tt, term_arg(tt, product, i + 1));
    bool here = base == m && !found && e.den == 1 && e.num >= 1;
    found |= here;
    q = term_mul(tt, q, term_power(tt, base, here ? rational_int((int64_t)e.num - 1) : e));
  }
  return found && term_mul(tt, q, m) == t ? q : 0;
}

static Term nest(TermTable *tt, Term t, void *unused) {
  uint32_t fuel = 300;
  if (!is_sum(tt, t) || term_fold_lo(tt, t) != tt->zero) return t;
  FoldParts p = term_fold_open(tt, t);
  Term m = divisor_of(tt, p.body, p.symbol, &fuel);
  if (!m) m = divisor_of(tt, p.guard, p.symbol, &fuel);
  if (!m || term_has_symbol(tt, m, p.symbol)) return t;
  Term q = quotient(tt, p.hi, m);
  if (!q) return t;
  Term i = index_below(tt, "i", q), j = index_below(tt, "j", m), k = term_add(tt, term_mul(tt, m, i), j);
  uint32_t facts = tt->facts.count; /* there is an element */
  term_push_fact(tt, term_lt(tt, tt->zero, m)), term_push_fact(tt, term_lt(tt, tt->zero, q));
  Term guard = term_replace(tt, p.guard, p.symbol, k), body = term_replace(tt, p.body, p.symbol, k);
  term_pop_facts(tt, facts);
  Term inner = term_fold(tt, FOLD_SUM, j, tt->zero, m, guard, body);
  return nest(tt, term_fold(tt, FOLD_SUM, i, tt->zero, q, tt->true_, inner), unused);
}

/* ---- cut ---- */

/* A condition k <= c or c < k on the index alone: where it changes. 0: there is none. */
static Term find_cut(TermTable *tt, Term t, Term index, uint32_t *fuel, Term *at) {
  if (!*fuel || !term_has_symbol(tt, t, index) || term_kind(tt, t) == TERM_FOLD || term_kind(tt, t) == TERM_RECUR)
    return 0;
  --*fuel;
  if (term_kind(tt, t) == TERM_LE && term_count(tt, t) == 1 && term_sort(tt, term_arg(tt, t, 0)) == SORT_INT) {
    Term e = term_arg(tt, t, 0), below = term_sub(tt, e, index), above = term_add(tt, e, index);
    if (!term_has_symbol(tt, below, index)) return *at = term_sub(tt, tt->one, below), t; /* k + r <= 0 */
    if (!term_has_symbol(tt, above, index)) return *at = above, t;                        /* r - k <= 0 */
  }
  for (uint32_t i = 0; i < term_count(tt, t); i++) {
    Term c = find_cut(tt, term_arg(tt, t, i), index, fuel, at);
    if (c) return c;
  }
  return 0;
}

/* A fold of t over part of its range, where the condition is known. */
static Term part_of(TermTable *tt, const FoldParts *p, Term lo, Term hi, Term condition) {
  uint32_t facts = tt->facts.count;
  Term k = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), place = term_add(tt, k, lo);
  Term length = term_max(tt, tt->zero, term_sub(tt, hi, lo));
  term_symbol_range(tt, k, tt->zero, term_sub(tt, length, tt->one));
  Term guard = term_assume(tt, p->guard, condition), body = term_assume(tt, p->body, condition);
  term_push_fact(tt, term_lt(tt, tt->zero, length));
  guard = term_replace(tt, guard, p->symbol, place), body = term_replace(tt, body, p->symbol, place);
  term_pop_facts(tt, facts);
  return term_fold(tt, FOLD_SUM, k, tt->zero, length, guard, body);
}

/* sum[lo <= k < hi](f) = sum[lo <= k < m](f) + sum[m <= k < hi](f), m between lo and hi. */
static Term cut(TermTable *tt, Term t, void *payload) {
  uint32_t fuel = 200, *left = payload;
  Term at = 0;
  if (!is_sum(tt, t) || !*left) return t;
  FoldParts p = term_fold_open(tt, t);
  Term c = find_cut(tt, p.guard, p.symbol, &fuel, &at);
  if (!c) c = find_cut(tt, p.body, p.symbol, &fuel, &at);
  if (!c) return t;
  --*left;
  Term m = term_max(tt, p.lo, term_min(tt, p.hi, at)), no = term_not(tt, c);
  bool first = term_has_symbol(tt, term_sub(tt, term_arg(tt, c, 0), p.symbol), p.symbol); /* r - k: it fails below */
  Term low = part_of(tt, &p, p.lo, m, first ? no : c), high = part_of(tt, &p, m, p.hi, first ? c : no);
  return term_add(tt, cut(tt, low, left), cut(tt, high, left));
}

/* ---- behind ---- */

/* What the recurrence is after one step more. */
static Term next_of(TermTable *tt, const RecurParts *p) {
  Term from[RECUR_STATES + 1], to[RECUR_STATES + 1];
  for (uint32_t i = 0; i < p->n; i++)
    from[i] = p->state[i], to[i] = term_recur(tt, p->n, i, p->index, p->steps, p->init, p->next, p->state);
  from[p->n] = p->index, to[p->n] = p->steps;
  return term_substitute(tt, p->next[p->which], (TermMap){p->n + 1, from, to});
}

/* t, or the recurrence below it that it is the next step of. */
static Term one_step_more(TermTable *tt, Term t, Term below, uint32_t *fuel) {
  if (!*fuel || !(term_node(tt, below)->flags & TERM_HAS_FOLD)) return t;
  --*fuel;
  if (term_kind(tt, below) == TERM_RECUR && !term_recur_lanes(tt, below)) {
    RecurParts p = term_recur_open(tt, below);
    if (!mlir_holds(tt, term_le(tt, tt->zero, p.steps)) || next_of(tt, &p) != t) return t;
    Term steps = term_add(tt, p.steps, tt->one), k = index_below(tt, "k", steps);
    for (uint32_t i = 0; i < p.n; i++) p.next[i] = term_replace(tt, p.next[i], p.index, k);
    return term_recur(tt, p.n, p.which, k, steps, p.init, p.next, p.state);
  }
  Term more = t;
  for (uint32_t i = 0; i < term_count(tt, below) && more == t && term_kind(tt, below) != TERM_FOLD; i++)
    more = one_step_more(tt, t, term_arg(tt, below, i), fuel);
  return more;
}

static bool is_single(const TermTable *tt, Term t) {
  return term_kind(tt, t) == TERM_RECUR && !term_recur_lanes(tt, t) && term_recur_count(tt, t) == 1;
}

/* Operands that may change places stand in an order that depends on what a state is called: they are made again. */
static Term in_one_form(TermTable *tt, Term t) {
  RecurParts p = term_recur_open(tt, t);
  return mlir_recurrence(tt, p.state[0], p.init[0], term_rebuild(tt, p.next[0]), p.index, p.steps);
}

/* Of at most one step, which is a recurrence itself and has no steps where there is none: that one. */
static Term only_step(TermTable *tt, Term t) {
  RecurParts p = term_recur_open(tt, t);
  if (!is_single(tt, p.next[0]) || term_arg(tt, p.next[0], 1) != p.state[0]) return t;
  if (!refine_holds(tt, term_le(tt, p.steps, tt->one))) return t;
  Term from[2] = {p.index, p.state[0]}, to[2] = {tt->zero, p.init[0]};
  Term own = term_replace(tt, term_arg(tt, p.next[0], 0), p.index, tt->zero);
  if (!refine_holds(tt, term_or(tt, term_lt(tt, tt->zero, p.steps), term_le(tt, own, tt->zero)))) return t;
  Term only = term_substitute(tt, p.next[0], (TermMap){2, from, to});
  return is_single(tt, only) ? in_one_form(tt, only) : only;
}

static Term join_steps(TermTable *tt, Term t, void *unused) {
  uint32_t fuel = 40;
  (void)unused;
  if (term_kind(tt, t) != TERM_RECUR) return one_step_more(tt, t, t, &fuel);
  if (!is_single(tt, t)) return t;
  Term joined = in_one_form(tt, t);
  return is_single(tt, joined) ? only_step(tt, joined) : joined;
}

/* ---- together ---- */

/* A recurrence below t of so many steps; 0: there is none. */
static Term find_recurrence(TermTable *tt, Term t, Term steps, uint32_t *fuel) {
  if (!*fuel || !term_has_symbol(tt, t, steps)) return 0;
  --*fuel;
  if (term_kind(tt, t) == TERM_RECUR && term_arg(tt, t, 0) == steps && !term_recur_lanes(tt, t)) return t;
  for (uint32_t i = 0; i < term_count(tt, t); i++) {
    Term found = find_recurrence(tt, term_arg(tt, t, i), steps, fuel);
    if (found) return found;
  }
  return 0;
}

typedef struct Exchange {
  RecurParts parts;
  Term value[RECUR_STATES]; /* what each of them has come to */
} Exchange;

static Term put_states(TermTable *tt, Term t, void *payload) {
  const Exchange *e = payload;
  (void)tt;
  for (uint32_t i = 0; i < e->parts.n; i++)
    if (t == e->value[i]) return e->parts.state[i];
  return t;
}

/* True if a part is made of the outer recurrence: its values, or its index where that is not the number of steps. */
static bool is_made_of(TermTable *tt, const RecurParts *inner, const RecurParts *outer) {
  for (uint32_t i = 0; i < inner->n; i++) {
    if (term_has_symbol(tt, inner->init[i], outer->index) || term_has_symbol(tt, inner->next[i], outer->index))
      return true;
    for (uint32_t k = 0; k < outer->n; k++) {
      Term name = term_arg(tt, outer->state[k], 0);
      if (term_has_symbol(tt, inner->init[i], name) || term_has_symbol(tt, inner->next[i], name)) return true;
    }
  }
  return false;
}

/* The values of the outer recurrence stand last, those that they need before them. */
static Term put_together(TermTable *tt, Term t, void *unused) {
  if (term_kind(tt, t) != TERM_RECUR || term_recur_lanes(tt, t)) return t;
  RecurParts p = term_recur_open(tt, t);
  Term found = 0;
  uint32_t fuel = 300;
  for (uint32_t i = 0; i < p.n && !found; i++) found = find_recurrence(tt, p.next[i], p.index, &fuel);
  if (!found) return t;
  Exchange e = {.parts = term_recur_open(tt, found)};
  if (is_made_of(tt, &e.parts, &p) || p.n + e.parts.n > RECUR_STATES) return t;
  RecurParts all = p, own = e.parts;
  for (uint32_t i = 0; i < own.n; i++)
    e.value[i] = term_recur(tt, own.n, i, own.index, own.steps, own.init, own.next, own.state);
  for (uint32_t i = 0; i < own.n; i++)
    all.init[i] = own.init[i], all.next[i] = term_replace(tt, own.next[i], own.index, p.index),
    all.state[i] = own.state[i];
  for (uint32_t i = 0; i < p.n; i++) {
    all.init[own.n + i] = p.init[i], all.state[own.n + i] = p.state[i];
    all.next[own.n + i] = term_transform(tt, p.next[i], put_states, &e);
  }
  all.n += own.n, all.which += own.n;
  return put_together(tt, term_recur_of(tt, all), unused);
}

/* ---- unrolled ---- */

typedef struct Unroll {
  uint32_t left;
} Unroll;

static Term unroll_fold(TermTable *tt, Term t, int64_t lo, int64_t hi) {
  FoldParts p = term_fold_open(tt, t);
  Term total = tt->zero;
  for (int64_t k = lo; k < hi; k++) {
    Term at = term_int(tt, k);
    total = term_add(
        tt, total,
        term_select(tt, term_replace(tt, p.guard, p.symbol, at), term_replace(tt, p.body, p.symbol, at), tt->zero));
  }
  return total;
}

static Term unroll_recurrence(TermTable *tt, Term t, int64_t steps) {
  RecurParts p = term_recur_open(tt, t);
  Term now[RECUR_STATES], next[RECUR_STATES], from[RECUR_STATES + 1], to[RECUR_STATES + 1];
  for (uint32_t i = 0; i < p.n; i++) now[i] = p.init[i];
  for (int64_t k = 0; k < steps; k++) {
    for (uint32_t i = 0; i < p.n; i++) from[i] = p.state[i], to[i] = now[i];
    from[p.n] = p.index, to[p.n] = term_int(tt, k);
    for (uint32_t i = 0; i < p.n; i++) next[i] = term_substitute(tt, p.next[i], (TermMap){p.n + 1, from, to});
    for (uint32_t i = 0; i < p.n; i++) now[i] = next[i];
  }
  return now[p.which];
}

static Term unroll(TermTable *tt, Term t, void *payload) {
  Unroll *u = payload;
  int64_t lo = 0, hi;
  bool fold = is_sum(tt, t) && term_is_int(tt, term_fold_lo(tt, t), &lo) && term_is_int(tt, term_fold_hi(tt, t), &hi);
  bool recurrence =
      term_kind(tt, t) == TERM_RECUR && !term_recur_lanes(tt, t) && term_is_int(tt, term_arg(tt, t, 0), &hi);
  if ((!fold && !recurrence) || hi - lo > MOST_STEPS || hi - lo > u->left) return t;
  u->left -= (uint32_t)(hi > lo ? hi - lo : 0);
  return fold ? unroll_fold(tt, t, lo, hi) : unroll_recurrence(tt, t, hi);
}

/* ---- */

Term refine_sums(TermTable *tt, Term t, RefineForm form) {
  static const CompareLaw laws[] = {COMPARE_SMOOTH, COMPARE_INWARDS, COMPARE_SHIFTS};
  Unroll u = {MOST_UNROLLED};
  uint32_t most_cuts = MOST_CUTS;
  if (!(term_node(tt, t)->flags & TERM_HAS_FOLD)) return t;
  switch (form) {
  case REFINE_BEHIND: return term_transform(tt, t, join_steps, NULL);
  case REFINE_NESTED: return term_transform(tt, t, nest, NULL);
  case REFINE_CUT: return term_transform(tt, t, cut, &most_cuts);
  case REFINE_JOINED:
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) t = compare_law(tt, t, laws[i], false);
    return t;
  case REFINE_TOGETHER: return term_transform(tt, t, put_together, NULL);
  case REFINE_UNROLLED: return term_transform(tt, t, unroll, &u);
  case REFINE_FORM_COUNT: break;
  }
  return t;
}
