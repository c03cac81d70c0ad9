/* Sums, and recurrences of few steps, in forms in which two of them meet.
 *
 *   nested    sum[k < q*m](f(k)) = sum[i < q](sum[j < m](f(m*i + j))), where f looks at k // m
 *   joined    folds over adjacent ranges, and over tiles, as one (laws/)
 *   unrolled  folds and recurrences of at most 32 steps, where that is a number
 *
 * Of integers, which sums of floats in any order are, too (mlir/floats.c): formal sums over what stands for a summand.
 */
#include "laws/compare_laws.h"
#include "refine/internal.h"

enum { MOST_STEPS = 32, MOST_UNROLLED = 400 };

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
  bool recurrence = term_kind(tt, t) == TERM_RECUR && term_is_int(tt, term_arg(tt, t, 0), &hi);
  if ((!fold && !recurrence) || hi - lo > MOST_STEPS || hi - lo > u->left) return t;
  u->left -= (uint32_t)(hi > lo ? hi - lo : 0);
  return fold ? unroll_fold(tt, t, lo, hi) : unroll_recurrence(tt, t, hi);
}

/* ---- */

Term refine_sums(TermTable *tt, Term t, RefineForm form) {
  static const CompareLaw laws[] = {COMPARE_SMOOTH, COMPARE_INWARDS, COMPARE_SHIFTS};
  Unroll u = {MOST_UNROLLED};
  if (!(term_node(tt, t)->flags & TERM_HAS_FOLD)) return t;
  switch (form) {
  case REFINE_NESTED: return term_transform(tt, t, nest, NULL);
  case REFINE_JOINED:
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) t = compare_law(tt, t, laws[i], false);
    return t;
  case REFINE_UNROLLED: return term_transform(tt, t, unroll, &u);
  case REFINE_FORM_COUNT: break;
  }
  return t;
}
