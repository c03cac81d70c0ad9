/* Constructors of arithmetic, comparisons and selects: they bring arguments into the canonical form of term.h.
 *
 * Sums and products are gathered as (term, rational) pairs on a stack of the table, sorted by structural hash, merged,
 * and consed. Infinite branches of selects are pushed outwards before anything else looks at an argument. */
#include <stdlib.h>
#include <string.h>

#include "term/cons.h"

typedef struct TermPair {
  Term term;
  Rational k;
} Pair;

static Guard *guard_of(TermTable *tt) { return tt->arena->guard; }

static void push_pair(TermTable *tt, Term t, Rational k) {
  if (tt->pair_count == tt->pair_capacity) {
    uint32_t room = tt->pair_capacity ? tt->pair_capacity * 2 : 256;
    tt->pairs = arena_grow(tt->arena, tt->pairs, sizeof(Pair) * tt->pair_capacity, sizeof(Pair) * room);
    tt->pair_capacity = room;
  }
  tt->pairs[tt->pair_count++] = (Pair){t, k};
}

/* Insertion sort for the usual few, by structural hash. */
static void sort_pairs(const TermTable *tt, Pair *pairs, uint32_t n) {
  for (uint32_t i = 1; i < n; i++) {
    Pair p = pairs[i];
    uint32_t j = i;
    for (; j && term_order(tt, p.term, pairs[j - 1].term) < 0; j--) pairs[j] = pairs[j - 1];
    pairs[j] = p;
  }
}

static void sort_terms(const TermTable *tt, Term *terms, uint32_t n) {
  for (uint32_t i = 1; i < n; i++) {
    Term t = terms[i];
    uint32_t j = i;
    for (; j && term_order(tt, t, terms[j - 1]) < 0; j--) terms[j] = terms[j - 1];
    terms[j] = t;
  }
}

/* ---- infinities ---- */

static bool is_infinity(const TermTable *tt, Term t) {
  TermKind kind = term_kind(tt, t);
  return kind == TERM_INF || kind == TERM_NEG_INF || kind == TERM_NAN || kind == TERM_UNDEF;
}

/* NaN and undefined values swallow whatever they meet: the first of the two that does, or 0. */
static Term swallowing(const TermTable *tt, Term a, Term b) {
  if (term_kind(tt, a) == TERM_UNDEF || term_kind(tt, a) == TERM_NAN) return a;
  if (b && (term_kind(tt, b) == TERM_UNDEF || term_kind(tt, b) == TERM_NAN)) return b;
  return 0;
}

/* A select with an infinite branch, possibly nested. */
static bool is_infinite_select(const TermTable *tt, Term t) {
  if (term_kind(tt, t) != TERM_SELECT || !(term_node(tt, t)->flags & TERM_HAS_INF)) return false;
  Term branch[2] = {term_arg(tt, t, 1), term_arg(tt, t, 2)};
  for (int i = 0; i < 2; i++)
    if ((is_infinity(tt, branch[i]) && term_kind(tt, branch[i]) != TERM_NAN) || is_infinite_select(tt, branch[i])) return true;
  return false;
}

/* The same, or a NaN branch: NaN may stand inside arithmetic, which it swallows whatever else is done, but not in a test. */
static bool is_special_select(const TermTable *tt, Term t) {
  if (term_kind(tt, t) != TERM_SELECT || !(term_node(tt, t)->flags & TERM_HAS_INF)) return false;
  Term a = term_arg(tt, t, 1), b = term_arg(tt, t, 2);
  return is_infinity(tt, a) || is_infinity(tt, b) || is_special_select(tt, a) || is_special_select(tt, b);
}

typedef Term (*Binary)(TermTable *, Term, Term);

/* f(select(c, x, y), b) = select(c, f(x, b), f(y, b)) */
static Term push_out(TermTable *tt, Binary f, Term a, Term b) {
  bool left = is_infinite_select(tt, a) || (!is_infinite_select(tt, b) && is_special_select(tt, a));
  Term s = left ? a : b, c = term_arg(tt, s, 0), x = term_arg(tt, s, 1), y = term_arg(tt, s, 2);
  Term other = left ? b : a, ox = other, oy = other;
  if (term_kind(tt, other) == TERM_SELECT && term_arg(tt, other, 0) == c) ox = term_arg(tt, other, 1), oy = term_arg(tt, other, 2);
  Term fx = left ? f(tt, x, ox) : f(tt, ox, x), fy = left ? f(tt, y, oy) : f(tt, oy, y);
  return term_select(tt, c, fx, fy);
}

/* ---- sums ---- */

static void gather_sum(TermTable *tt, Rational k, Term t, Rational *constant) {
  Guard *g = guard_of(tt);
  if (term_is_rat(tt, t)) {
    *constant = rational_add(g, *constant, rational_mul(g, k, term_rat(tt, t)));
    return;
  }
  if (term_kind(tt, t) != TERM_ADD) {
    push_pair(tt, t, k);
    return;
  }
  uint32_t count = term_count(tt, t);
  bool unit = k.den == 1 && (k.num == 1 || k.num == -1);
  bool scaled = count == 3 && term_arg(tt, t, 0) == tt->zero;
  if (!unit && !scaled && term_sort(tt, t) != SORT_INT) {
    push_pair(tt, t, k);
    return;
  }
  *constant = rational_add(g, *constant, rational_mul(g, k, term_rat(tt, term_arg(tt, t, 0))));
  for (uint32_t i = 1; i < count; i += 2)
    gather_sum(tt, rational_mul(g, k, term_rat(tt, term_arg(tt, t, i))), term_arg(tt, t, i + 1), constant);
}

static Term finish_sum(TermTable *tt, uint32_t base, Rational constant) {
  Pair *pairs = tt->pairs + base;
  uint32_t n = tt->pair_count - base, kept = 0;
  sort_pairs(tt, pairs, n);
  for (uint32_t i = 0; i < n; i++) {
    if (kept && pairs[kept - 1].term == pairs[i].term)
      pairs[kept - 1].k = rational_add(guard_of(tt), pairs[kept - 1].k, pairs[i].k);
    else pairs[kept++] = pairs[i];
    if (pairs[kept - 1].k.num == 0) kept--;
  }
  tt->pair_count = base;
  if (kept == 0) return term_new_rat(tt, constant);
  if (kept == 1 && constant.num == 0 && pairs[0].k.num == 1 && pairs[0].k.den == 1) return pairs[0].term;
  TermSort sort = constant.den == 1 ? SORT_INT : SORT_REAL;
  Term small[32], *args = 2 * kept + 1 <= 32 ? small : arena_array(tt->arena, Term, 2 * (size_t)kept + 1);
  args[0] = term_new_rat(tt, constant);
  for (uint32_t i = 0; i < kept; i++) {
    if (pairs[i].k.den != 1 || term_sort(tt, pairs[i].term) != SORT_INT) sort = SORT_REAL;
    args[1 + 2 * i] = term_new_rat(tt, pairs[i].k);
    args[2 + 2 * i] = pairs[i].term;
  }
  return term_cons(tt, TERM_ADD, sort, 0, 2 * kept + 1, args);
}

static Term add_scaled(TermTable *tt, Rational k, Term a, Rational l, Term b) {
  uint32_t base = tt->pair_count;
  Rational constant = rational_int(0);
  gather_sum(tt, k, a, &constant);
  if (b) gather_sum(tt, l, b, &constant);
  return finish_sum(tt, base, constant);
}

/* +inf + a etc. (+inf) + (-inf) is NaN; where a is an extremum of nothing, execute/lost.c asks. */
static Term add_infinity(TermTable *tt, Term a, Term b) {
  if (swallowing(tt, a, b)) return swallowing(tt, a, b);
  if (is_infinite_select(tt, a) || is_infinite_select(tt, b)) return push_out(tt, term_add, a, b);
  if (!is_infinity(tt, a)) return b;
  if (!is_infinity(tt, b)) return a;
  return a == b ? a : term_float(tt, __builtin_nan(""));
}

Term term_add(TermTable *tt, Term a, Term b) {
  if (is_infinity(tt, a) || is_infinity(tt, b)) return add_infinity(tt, a, b);
  if (is_infinite_select(tt, a) || is_infinite_select(tt, b)) return push_out(tt, term_add, a, b);
  return add_scaled(tt, rational_int(1), a, rational_int(1), b);
}

Term term_sub(TermTable *tt, Term a, Term b) {
  if (a == b && !is_infinity(tt, a)) return tt->zero;
  if ((term_node(tt, a)->flags | term_node(tt, b)->flags) & TERM_HAS_INF) return term_add(tt, a, term_neg(tt, b));
  return add_scaled(tt, rational_int(1), a, rational_int(-1), b);
}

Term term_scale(TermTable *tt, Rational k, Term a) {
  if (k.num == 0 && !is_infinite_select(tt, a))
    return swallowing(tt, a, 0) ? a : is_infinity(tt, a) ? term_float(tt, __builtin_nan("")) : tt->zero;
  switch (term_kind(tt, a)) {
  case TERM_NAN: case TERM_UNDEF: return a;
  case TERM_INF: return k.num > 0 ? a : tt->neg_inf;
  case TERM_NEG_INF: return k.num > 0 ? a : tt->inf;
  default: break;
  }
  if (is_infinite_select(tt, a))
    return term_select(tt, term_arg(tt, a, 0), term_scale(tt, k, term_arg(tt, a, 1)), term_scale(tt, k, term_arg(tt, a, 2)));
  return add_scaled(tt, k, a, rational_int(0), 0);
}

Term term_neg(TermTable *tt, Term a) { return term_scale(tt, rational_int(-1), a); }

/* ---- products ---- */

/* Powers of 2^64 stay as they are: a float literal far from 1 is a multiple of one, since it fits no rational (term_float). */
static bool is_far_power(Rational base, Rational e) { return base.num == 2 && base.den == 1 && e.num % 64 == 0; }

static void gather_product(TermTable *tt, Term t, Rational e, Rational *k) {
  Guard *g = guard_of(tt);
  bool whole = e.den == 1;
  if (term_is_rat(tt, t)) {
    Rational r = term_rat(tt, t), root;
    if (whole && (r.num || e.num > 0) && !is_far_power(r, e)) {
      *k = rational_mul(g, *k, rational_power(g, r, (int64_t)e.num));
      return;
    }
    if (!r.num && e.num > 0) {
      *k = rational_int(0);
      return;
    }
    if (e.den == 2 && r.num > 0 && rational_sqrt(r, &root)) {
      *k = rational_mul(g, *k, rational_power(g, root, (int64_t)e.num));
      return;
    }
  }
  Term rest;
  Rational c = term_coefficient(tt, t, &rest), root;
  if (rest != t && whole) {
    *k = rational_mul(g, *k, rational_power(g, c, (int64_t)e.num));
    gather_product(tt, rest, e, k);
    return;
  }
  if (rest != t && e.den == 2 && c.num > 0 && rational_sqrt(c, &root)) {
    *k = rational_mul(g, *k, rational_power(g, root, (int64_t)e.num));
    gather_product(tt, rest, e, k);
    return;
  }
  if (term_kind(tt, t) == TERM_MUL) {
    uint32_t n = term_count(tt, t);
    bool spread = whole;
    if (!spread && n == 2) { /* (x^a)^e: x >= 0 is known where a is not whole, or where a is odd */
      Rational a = term_rat(tt, term_arg(tt, t, 1));
      spread = a.den != 1 || a.num % 2 != 0;
      if (spread && a.num < 0 && !term_is_finite(tt, term_arg(tt, t, 0))) { /* (1 / -inf)^1/2 = 0 */
        push_pair(tt, t, e);
        return;
      }
    }
    if (spread && e.num < 9 && e.num > -9) {
      for (uint32_t i = 0; i < n; i += 2) {
        Term base = term_arg(tt, t, i);
        Rational a = term_rat(tt, term_arg(tt, t, i + 1)), both = rational_mul(g, e, a);
        if (a.den == 1 || both.den != 1 || term_is_nonnegative(tt, base)) gather_product(tt, base, both, k);
        else if (!whole) push_pair(tt, t, e); /* (x^3/2)^2/3 is x only for x >= 0 */
        else for (Int128 copies = e.num < 0 ? -e.num : e.num; copies > 0; copies--) /* sqrt(x) sqrt(x) is x only for x >= 0 */
          push_pair(tt, base, e.num < 0 ? rational_neg(a) : a);
      }
      return;
    }
    if (spread) {
      push_pair(tt, t, e);
      return;
    }
    if (n == 2 && e.den == 2) { /* sqrt(x^2) = |x| */
      Rational a = term_rat(tt, term_arg(tt, t, 1));
      gather_product(tt, term_unary(tt, TERM_ABS, term_arg(tt, t, 0)), rational_mul(g, e, a), k);
      return;
    }
  }
  push_pair(tt, t, e);
}

static Term finish_product(TermTable *tt, uint32_t base, Rational k) {
  Pair *pairs = tt->pairs + base;
  uint32_t n = tt->pair_count - base, kept = 0;
  sort_pairs(tt, pairs, n);
  for (uint32_t i = 0; i < n; i++) {
    bool merged = false;
    for (uint32_t j = kept; j-- > 0 && pairs[j].term == pairs[i].term;) {
      if (rational_sign(pairs[j].k) != rational_sign(pairs[i].k) && !term_is_rat(tt, pairs[i].term)) continue;
      Rational both = rational_add(guard_of(tt), pairs[j].k, pairs[i].k);
      if (both.den == 1 && pairs[i].k.den != 1 && !term_is_nonnegative(tt, pairs[i].term)) continue; /* the root needs x >= 0 */
      pairs[j].k = both;
      merged = true;
      break;
    }
    if (!merged) pairs[kept++] = pairs[i];
    else if (pairs[kept - 1].k.num == 0) kept--;
  }
  for (uint32_t i = 0; i + 1 < kept; i++) /* x^-1 before x^1 */
    if (pairs[i].term == pairs[i + 1].term && pairs[i].k.num > 0) {
      Pair p = pairs[i];
      pairs[i] = pairs[i + 1], pairs[i + 1] = p;
    }
  tt->pair_count = base;
  for (uint32_t i = 0; i < kept; i++) { /* 1 / 0, and roots of what is below 0 */
    bool below = term_is_rat(tt, pairs[i].term) && term_rat(tt, pairs[i].term).num < 0 && pairs[i].k.den % 2 == 0;
    if (below || (pairs[i].term == tt->zero && pairs[i].k.num < 0)) return term_float(tt, __builtin_nan(""));
  }
  if (kept == 0) return term_new_rat(tt, k);
  if (k.num == 0) return tt->zero;
  Term result;
  if (kept == 1 && pairs[0].k.num == 1 && pairs[0].k.den == 1) result = pairs[0].term;
  else {
    TermSort sort = SORT_INT;
    Term small[32], *args = 2 * kept <= 32 ? small : arena_array(tt->arena, Term, 2 * (size_t)kept);
    for (uint32_t i = 0; i < kept; i++) {
      if (pairs[i].k.den != 1 || pairs[i].k.num < 0 || term_sort(tt, pairs[i].term) != SORT_INT || term_is_rat(tt, pairs[i].term)) sort = SORT_REAL;
      args[2 * i] = pairs[i].term;
      args[2 * i + 1] = term_new_rat(tt, pairs[i].k);
    }
    result = term_cons(tt, TERM_MUL, sort, 0, 2 * kept, args);
  }
  if (k.num == 1 && k.den == 1) return result;
  return add_scaled(tt, k, result, rational_int(0), 0);
}

static Term mul_powers(TermTable *tt, Term a, Rational d, Term b, Rational e) {
  uint32_t base = tt->pair_count;
  Rational k = rational_int(1);
  gather_product(tt, a, d, &k);
  if (b) gather_product(tt, b, e, &k);
  return finish_product(tt, base, k);
}

/* An infinity times b, by the sign of b. */
static Term mul_infinity(TermTable *tt, Term inf, Term b) {
  if (swallowing(tt, inf, b)) return swallowing(tt, inf, b);
  if (is_infinite_select(tt, b)) return push_out(tt, term_mul, inf, b);
  Term minus = term_kind(tt, inf) == TERM_INF ? tt->neg_inf : tt->inf;
  if (b == tt->inf || b == tt->neg_inf) return b == tt->inf ? inf : minus;
  if (term_is_positive(tt, b)) return inf;
  if (term_is_positive(tt, term_neg(tt, b))) return minus;
  return term_select(tt, term_lt(tt, tt->zero, b), inf,
                     term_select(tt, term_lt(tt, b, tt->zero), minus, term_float(tt, __builtin_nan(""))));
}

/* Int products expand: (sum a_i)(sum b_j). */
static Term expand_product(TermTable *tt, Term a, Term b) {
  Guard *g = guard_of(tt);
  if (term_kind(tt, a) != TERM_ADD) {
    Term t = a;
    a = b, b = t;
  }
  if ((uint64_t)term_count(tt, a) * term_count(tt, b) > 40000) guard_throw(g, GUARD_LIMIT, "integer polynomial too large");
  Term sum = term_scale(tt, term_rat(tt, term_arg(tt, a, 0)), b);
  for (uint32_t i = 1; i < term_count(tt, a); i += 2) {
    Term part = term_mul(tt, term_arg(tt, a, i + 1), b);
    sum = add_scaled(tt, rational_int(1), sum, term_rat(tt, term_arg(tt, a, i)), part);
  }
  return sum;
}

Term term_mul(TermTable *tt, Term a, Term b) {
  if (is_infinity(tt, a)) return mul_infinity(tt, a, b);
  if (is_infinity(tt, b)) return mul_infinity(tt, b, a);
  if (is_infinite_select(tt, a) || is_infinite_select(tt, b)) return push_out(tt, term_mul, a, b);
  if (term_is_rat(tt, a)) return term_scale(tt, term_rat(tt, a), b);
  if (term_is_rat(tt, b)) return term_scale(tt, term_rat(tt, b), a);
  if (term_sort(tt, a) == SORT_INT && term_sort(tt, b) == SORT_INT &&
      (term_kind(tt, a) == TERM_ADD || term_kind(tt, b) == TERM_ADD) && term_is_finite(tt, a) && term_is_finite(tt, b)) /* an extremum over nothing is infinite */
    return expand_product(tt, a, b);
  return mul_powers(tt, a, rational_int(1), b, rational_int(1));
}

Term term_power(TermTable *tt, Term a, Rational e) {
  if (e.num == 0) return tt->one;
  if (e.num == 1 && e.den == 1) return a;
  if (is_infinity(tt, a)) return swallowing(tt, a, 0) ? a : e.num < 0 ? tt->zero : e.den == 1 && e.num % 2 ? a : tt->inf;
  if (is_infinite_select(tt, a))
    return term_select(tt, term_arg(tt, a, 0), term_power(tt, term_arg(tt, a, 1), e), term_power(tt, term_arg(tt, a, 2), e));
  if (term_sort(tt, a) == SORT_INT && term_kind(tt, a) == TERM_ADD && e.den == 1 && e.num > 0 && e.num <= 16) {
    Term result = a;
    for (Int128 i = 1; i < e.num; i++) result = term_mul(tt, result, a);
    return result;
  }
  return mul_powers(tt, a, e, 0, e);
}

Term term_div(TermTable *tt, Term a, Term b) { return term_mul(tt, a, term_power(tt, b, rational_int(-1))); }

/* ---- floor division ---- */

/* The product t without one factor base(i). */
static Term drop_factor(TermTable *tt, Term t, uint32_t drop) {
  uint32_t base = tt->pair_count, n = term_count(tt, t);
  for (uint32_t i = 0; i < n; i += 2) {
    Rational e = term_rat(tt, term_arg(tt, t, i + 1));
    if (i == drop) e = rational_sub(guard_of(tt), e, rational_int(1));
    if (e.num) push_pair(tt, term_arg(tt, t, i), e);
  }
  return finish_product(tt, base, rational_int(1));
}

/* t / d for monomials, if it divides: 0 if not. */
static Term divide_monomial(TermTable *tt, Term t, Term d) {
  if (t == d) return tt->one;
  if (term_kind(tt, d) == TERM_MUL) {
    for (uint32_t i = 0; t && i < term_count(tt, d); i += 2) {
      int64_t e;
      if (!term_is_int(tt, term_arg(tt, d, i + 1), &e) || e < 1) return 0;
      for (; t && e > 0; e--) t = divide_monomial(tt, t, term_arg(tt, d, i));
    }
    return t;
  }
  if (term_kind(tt, t) != TERM_MUL) return 0;
  for (uint32_t i = 0; i < term_count(tt, t); i += 2)
    if (term_arg(tt, t, i) == d && term_rat(tt, term_arg(tt, t, i + 1)).num >= 1) return drop_factor(tt, t, i);
  return 0;
}

/* One step of dividing by a sum: a monomial q such that a - q*b is a shorter sum than a; 0: there is none. */
static Term find_multiple(TermTable *tt, Term a, Term b) {
  for (uint32_t i = 1; i < term_count(tt, b); i += 2) {
    Rational lead = term_rat(tt, term_arg(tt, b, i));
    for (uint32_t k = 1; k < term_count(tt, a); k += 2) {
      Term q = divide_monomial(tt, term_arg(tt, a, k + 1), term_arg(tt, b, i + 1));
      Rational ratio = rational_div(guard_of(tt), term_rat(tt, term_arg(tt, a, k)), lead);
      if (!q || ratio.den != 1) continue;
      q = term_scale(tt, ratio, q);
      Term left = term_sub(tt, a, term_mul(tt, q, b));
      if (term_kind(tt, left) != TERM_ADD || term_count(tt, left) < term_count(tt, a)) return q;
    }
  }
  return 0;
}

/* a = q*b + r for a sum b. */
static void split_by_sum(TermTable *tt, Term a, Term b, Term *quotient, Term *rest) {
  *quotient = tt->zero, *rest = a;
  for (Term q; term_kind(tt, *rest) == TERM_ADD && (q = find_multiple(tt, *rest, b));) {
    *quotient = term_add(tt, *quotient, q);
    *rest = term_sub(tt, *rest, term_mul(tt, q, b));
  }
}

/* a = q*b + r by collecting the monomials of a that b divides; b is k * monomial (monomial one for a literal), or a sum. */
static void split_multiple(TermTable *tt, Term a, Term b, Term *quotient, Term *rest) {
  Guard *g = guard_of(tt);
  Term monomial;
  if (term_kind(tt, b) == TERM_ADD && (term_count(tt, b) > 3 || term_constant_part(tt, b).num)) {
    split_by_sum(tt, a, b, quotient, rest);
    return;
  }
  Rational k = term_is_rat(tt, b) ? term_rat(tt, b) : term_coefficient(tt, b, &monomial);
  if (term_is_rat(tt, b)) monomial = tt->one;
  *quotient = tt->zero, *rest = a;
  uint32_t n = term_kind(tt, a) == TERM_ADD ? term_count(tt, a) : 2;
  for (uint32_t i = 1; i < n + (n == 2); i += 2) {
    bool sum = term_kind(tt, a) == TERM_ADD;
    Rational c = sum ? term_rat(tt, term_arg(tt, a, i)) : rational_int(1);
    Term t = sum ? term_arg(tt, a, i + 1) : a;
    Rational ratio = rational_div(g, c, k);
    Term q = ratio.den != 1 ? 0 : monomial == tt->one ? t : divide_monomial(tt, t, monomial);
    if (!q) continue;
    *quotient = add_scaled(tt, rational_int(1), *quotient, ratio, q);
    *rest = add_scaled(tt, rational_int(1), *rest, rational_neg(c), t);
  }
  if (monomial != tt->one || k.den != 1) return;
  Rational c = term_constant_part(tt, *rest), q = {rational_floor(rational_div(g, c, k)), 1};
  *quotient = term_add(tt, *quotient, term_new_rat(tt, q));
  *rest = term_sub(tt, *rest, term_new_rat(tt, rational_mul(g, q, k)));
}

/* (3*n + c) // 2 = n + (n + c) // 2: of one monomial, whose coefficient is more than the divisor. *whole: n. */
static Term less_whole(TermTable *tt, Term r, Term b, Term *whole) {
  int64_t k, c;
  if (!term_is_int(tt, b, &k) || k < 2 || term_kind(tt, r) != TERM_ADD || term_count(tt, r) != 3 || !term_is_int(tt, term_arg(tt, r, 1), &c) || c <= k) return r;
  *whole = term_scale(tt, rational_int(c / k), term_arg(tt, r, 2));
  return term_sub(tt, r, term_scale(tt, rational_int(c / k * k), term_arg(tt, r, 2)));
}

/* Common factor of the coefficients of t (constant left out) and k. */
static Int128 content(const TermTable *tt, Term t, Int128 k) {
  if (term_kind(tt, t) != TERM_ADD) return 1;
  Int128 g = k < 0 ? -k : k;
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    Int128 c = term_rat(tt, term_arg(tt, t, i)).num, r;
    if (c < 0) c = -c;
    while (c) r = g % c, g = c, c = r;
  }
  return g ? g : 1;
}

/* floor(g*t + c / g*k) = floor((t + floor(c/g)) / k) */
static Term reduce_content(TermTable *tt, Term r, Term b, Int128 g) {
  Rational c = term_constant_part(tt, r), inverse = {1, g};
  Term t = term_scale(tt, inverse, term_sub(tt, r, term_new_rat(tt, c)));
  Rational low = {rational_floor(rational_make(guard_of(tt), c.num, g)), 1};
  return term_floordiv(tt, term_add(tt, t, term_new_rat(tt, low)), term_scale(tt, inverse, b));
}

/* floor((f*q + r) / (f*b)) = floor(q / b) for 0 <= r < f, f > 0: for a factor f of the divisor that leaves such an r. */
static Term divide_by_factor(TermTable *tt, Term a, Term b, Term f) {
  Term q, r, whole, none;
  if (f == b || f == tt->one || !term_prove_lt(tt, tt->zero, f)) return 0;
  split_multiple(tt, a, f, &q, &r);
  if (q == tt->zero || !term_prove_le(tt, tt->zero, r) || !term_prove_lt(tt, r, f)) return 0;
  split_multiple(tt, b, f, &whole, &none);
  return none == tt->zero ? term_floordiv(tt, q, whole) : 0;
}

/* The factors that two products of whole powers share. */
static Term shared_factors(TermTable *tt, Term a, Term b) {
  Term shared = tt->one;
  for (uint32_t i = 0; term_kind(tt, b) == TERM_MUL && i < term_count(tt, b); i += 2) {
    Term base = term_arg(tt, b, i);
    for (uint32_t j = 0; term_kind(tt, a) == TERM_MUL && j < term_count(tt, a); j += 2) {
      if (term_arg(tt, a, j) != base) continue;
      Rational x = term_rat(tt, term_arg(tt, a, j + 1)), y = term_rat(tt, term_arg(tt, b, i + 1));
      if (x.den == 1 && y.den == 1) shared = term_mul(tt, shared, term_power(tt, base, x.num < y.num ? x : y));
    }
  }
  return shared;
}

static Term divide_by_factors(TermTable *tt, Term a, Term b) {
  Term monomial, result = 0;
  int64_t literal, c;
  if (term_is_int(tt, b, &literal)) { /* the coefficients of a that divide b */
    for (uint32_t i = 1; term_kind(tt, a) == TERM_ADD && i < term_count(tt, a) && !result; i += 2)
      if (term_is_int(tt, term_arg(tt, a, i), &c) && c > 1 && c < literal && literal % c == 0)
        result = divide_by_factor(tt, a, b, term_int(tt, c));
    return result;
  }
  Rational k = term_coefficient(tt, b, &monomial);
  if (k.num > 1) result = divide_by_factor(tt, a, b, term_new_rat(tt, k));
  if (!result && k.num != 1) result = divide_by_factor(tt, a, b, monomial);
  for (uint32_t i = 0; term_kind(tt, monomial) == TERM_MUL && i < term_count(tt, monomial) && !result; i += 2)
    result = divide_by_factor(tt, a, b, term_arg(tt, monomial, i));
  for (uint32_t i = 1; term_kind(tt, a) == TERM_ADD && i < term_count(tt, a) && !result; i += 2) { /* rows of H*W in planes of C*H*W, pairs in rows of 4*W */
    Int128 common = rational_gcd(term_rat(tt, term_arg(tt, a, i)).num, k.num);
    Term shared = term_scale(tt, (Rational){common, 1}, shared_factors(tt, term_arg(tt, a, i + 1), monomial));
    if (shared != tt->one && shared != b) result = divide_by_factor(tt, a, b, shared);
  }
  return result;
}

static bool has_part(const TermTable *tt, Term t, Term part, uint32_t depth) {
  if (t == part) return true;
  if (!depth || !(term_node(tt, t)->free_mask & term_node(tt, part)->free_mask)) return false;
  for (uint32_t i = 0; i < term_count(tt, t); i++) if (has_part(tt, term_arg(tt, t, i), part, depth - 1)) return true;
  return false;
}

/* (x + c) // b for a literal c, where a fact speaks of x // b, and so perhaps of x % b: x // b, or one more. 0: not known. */
static Term quotient_by_facts(TermTable *tt, Term x, Rational c, Term b) {
  Term q = term_cons(tt, TERM_FLOORDIV, SORT_INT, 0, 2, (Term[]){x, b});
  bool spoken_of = false;
  for (uint32_t i = 0; i < tt->facts.count && !spoken_of; i++) spoken_of = has_part(tt, tt->facts.data[i], q, 5);
  if (!spoken_of) return 0;
  Term whole = term_floordiv(tt, term_new_rat(tt, c), b);
  Term left = term_sub(tt, term_new_rat(tt, c), term_mul(tt, whole, b)), r = term_add(tt, term_sub(tt, x, term_mul(tt, b, q)), left);
  if (term_prove_lt(tt, r, b)) return term_add(tt, q, whole);
  return term_prove_le(tt, b, r) ? term_add(tt, q, term_add(tt, whole, tt->one)) : 0;
}

Term term_floordiv(TermTable *tt, Term a, Term b) {
  int64_t literal;
  if (swallowing(tt, a, b)) return swallowing(tt, a, b);
  if (is_infinite_select(tt, a) || is_infinite_select(tt, b)) return push_out(tt, term_floordiv, a, b);
  if (b == tt->zero) return term_cons(tt, TERM_FLOORDIV, SORT_INT, 0, 2, (Term[]){a, b}); /* has no value: nothing is known of it */
  if (b == tt->one || a == tt->zero) return a;
  if (b == tt->minus_one) return term_neg(tt, a);
  if (term_is_rat(tt, a) && term_is_int(tt, b, &literal) && literal)
    return term_new_rat(tt, (Rational){rational_floor(rational_div(guard_of(tt), term_rat(tt, a), term_rat(tt, b))), 1});
  if (a == b) return tt->one;
  Term q, r;
  split_multiple(tt, a, b, &q, &r);
  if (r == tt->zero) return q;
  bool positive = term_prove_lt(tt, tt->zero, b);
  if (positive && term_prove_le(tt, tt->zero, r) && term_prove_lt(tt, r, b)) return q;
  if (positive && term_prove_lt(tt, r, tt->zero) && term_prove_le(tt, term_neg(tt, b), r)) return term_sub(tt, q, tt->one);
  Term smaller = positive && tt->depth == 0 ? divide_by_factors(tt, r, b) : 0;
  if (smaller) return term_add(tt, q, smaller);
  Term whole = tt->zero, left = less_whole(tt, r, b, &whole);
  if (left != r) return term_add(tt, q, term_add(tt, whole, term_floordiv(tt, left, b)));
  if (term_is_rat(tt, b) && positive) {
    Int128 g = content(tt, r, term_rat(tt, b).num);
    if (g > 1) return term_add(tt, q, reduce_content(tt, r, b, g));
  }
  /* floor((floor(x/y) + c)/b) = floor((x + c*y)/(y*b)) for y, b > 0 */
  Term c = term_new_rat(tt, term_constant_part(tt, r)), inner = term_sub(tt, r, c);
  if (positive && term_kind(tt, inner) == TERM_FLOORDIV && term_prove_lt(tt, tt->zero, term_arg(tt, inner, 1))) {
    Term x = term_arg(tt, inner, 0), y = term_arg(tt, inner, 1);
    return term_add(tt, q, term_floordiv(tt, term_add(tt, x, term_mul(tt, c, y)), term_mul(tt, y, b)));
  }
  if (c != tt->zero && inner != tt->zero && positive && tt->facts.count && tt->depth == 0 && term_is_rat(tt, b)) {
    Term known = quotient_by_facts(tt, inner, term_rat(tt, c), b);
    if (known) return term_add(tt, q, known);
  }
  return term_add(tt, q, term_cons(tt, TERM_FLOORDIV, SORT_INT, 0, 2, (Term[]){r, b}));
}

bool term_remainder_of_quotient(TermTable *tt, Term t, uint32_t i, Term q, Term *a, Term *b, Rational *m, Term *rest) {
  for (uint32_t j = 1; j < term_count(tt, t); j += 2) {
    Term p = term_arg(tt, t, j + 1), base;
    if (j == i || term_kind(tt, p) != TERM_FLOORDIV || term_arg(tt, p, 0) != term_arg(tt, q, 0)) continue;
    Term d = term_arg(tt, p, 1), c = term_floordiv(tt, term_arg(tt, q, 1), d);
    if (c == tt->one || term_mul(tt, c, d) != term_arg(tt, q, 1) || !term_is_positive(tt, c)) continue; /* (x // d) // c is x // (d*c) for c > 0 */
    Rational k = term_coefficient(tt, term_mul(tt, c, q), &base);
    if (base != term_arg(tt, t, i + 1)) continue;
    *m = rational_neg(rational_div(tt->arena->guard, term_rat(tt, term_arg(tt, t, i)), k));
    if (m->den != 1 || !rational_equal(*m, term_rat(tt, term_arg(tt, t, j)))) continue;
    *a = p, *b = c;
    *rest = term_sub(tt, term_add(tt, t, term_scale(tt, rational_mul(tt->arena->guard, *m, k), base)), term_scale(tt, *m, p));
    return true;
  }
  return false;
}

Term term_mod(TermTable *tt, Term a, Term b) { return term_sub(tt, a, term_mul(tt, b, term_floordiv(tt, a, b))); }

Term term_cdiv(TermTable *tt, Term a, Term b) {
  return term_floordiv(tt, term_sub(tt, term_add(tt, a, b), tt->one), b);
}

/* ---- minimum and maximum ---- */

static Term extremum(TermTable *tt, bool is_max, Term a, Term b) {
  if (is_max && a == tt->zero && term_sort(tt, b) == SORT_REAL && term_is_nonnegative(tt, b)) return b;
  if (is_max && b == tt->zero && term_sort(tt, a) == SORT_REAL && term_is_nonnegative(tt, a)) return a;
  TermKind kind = is_max ? TERM_MAX : TERM_MIN;
  Term absorbing = is_max ? tt->inf : tt->neg_inf, neutral = is_max ? tt->neg_inf : tt->inf;
  if (swallowing(tt, a, b)) return swallowing(tt, a, b);
  if (a == b || b == neutral) return a;
  if (a == neutral) return b;
  if (is_special_select(tt, a) || is_special_select(tt, b)) return push_out(tt, is_max ? term_max : term_min, a, b);
  if (a == absorbing || b == absorbing) return absorbing;
  Term args[64];
  uint32_t n = 0, in[2] = {a, b};
  for (int side = 0; side < 2; side++) {
    bool flat = term_kind(tt, in[side]) == kind;
    for (uint32_t i = 0; i < (flat ? term_count(tt, in[side]) : 1); i++) {
      Term t = flat ? term_arg(tt, in[side], i) : in[side];
      bool drop = false;
      for (uint32_t j = 0; j < n && !drop; j++) {
        Term low = is_max ? t : args[j], high = is_max ? args[j] : t;
        bool both_rat = term_is_rat(tt, t) && term_is_rat(tt, args[j]);
        bool ints = term_sort(tt, t) == SORT_INT && term_sort(tt, args[j]) == SORT_INT;
        if (t == args[j]) drop = true;
        else if (both_rat) {
          if (rational_compare(guard_of(tt), term_rat(tt, low), term_rat(tt, high)) <= 0) drop = true;
          else args[j] = t, drop = true;
        } else if (ints && term_prove_le(tt, low, high)) drop = true;
        else if (ints && term_prove_le(tt, high, low)) args[j--] = args[--n];
      }
      if (n == 64) guard_throw(guard_of(tt), GUARD_LIMIT, "more than 64 arguments of min or max");
      if (!drop) args[n++] = t;
    }
  }
  if (n == 1) return args[0];
  sort_terms(tt, args, n);
  TermSort sort = SORT_INT;
  for (uint32_t i = 0; i < n; i++) if (term_sort(tt, args[i]) != SORT_INT) sort = SORT_REAL;
  return term_cons(tt, kind, sort, 0, n, args);
}

Term term_min(TermTable *tt, Term a, Term b) { return extremum(tt, false, a, b); }
Term term_max(TermTable *tt, Term a, Term b) { return extremum(tt, true, a, b); }

/* ---- unary ---- */

static Term unary_infinity(TermTable *tt, TermKind kind, Term a) {
  TermKind inf = term_kind(tt, a);
  if (inf == TERM_UNDEF) return kind == TERM_IS_INF || kind == TERM_IS_NEG_INF || kind == TERM_IS_NAN ? term_undef(tt, SORT_BOOL, term_aux(tt, a)) : a;
  if (kind == TERM_IS_INF) return term_bool(tt, inf == TERM_INF);
  if (kind == TERM_IS_NEG_INF) return term_bool(tt, inf == TERM_NEG_INF);
  if (kind == TERM_IS_NAN) return term_bool(tt, inf == TERM_NAN);
  if (kind == TERM_ABS && inf == TERM_NEG_INF) return tt->inf;
  return a;
}

static Rational round_rational(TermTable *tt, TermKind kind, Rational r) {
  Int128 low = rational_floor(r);
  if (r.den == 1) return r;
  switch (kind) {
  case TERM_FLOOR: return (Rational){low, 1};
  case TERM_CEIL: return (Rational){low + 1, 1};
  case TERM_TRUNC: return (Rational){r.num < 0 ? low + 1 : low, 1};
  default: break;
  }
  Rational half = rational_sub(guard_of(tt), r, (Rational){low, 1});
  int side = rational_compare(guard_of(tt), half, (Rational){1, 2});
  return (Rational){side < 0 ? low : side > 0 ? low + 1 : low + (low % 2 != 0), 1};
}

/* Is an extremum over an index the infinity of that test? One on its own side, where an element is. The one of no elements, where all
 * elements are: none, if the first is not; what the guard asks of the index itself must then hold of that. 0: nothing simpler. */
static Term test_extremum(TermTable *tt, TermKind kind, Term a) {
  Term lo = term_fold_lo(tt, a), none = term_le(tt, term_fold_hi(tt, a), lo), guard = term_fold_guard(tt, a), bound = term_fold_bound(tt, a), body = term_fold_body(tt, a);
  if (term_aux(tt, a) != FOLD_MAX && term_aux(tt, a) != FOLD_MIN) return 0;
  if ((term_aux(tt, a) == FOLD_MAX) == (kind == TERM_IS_INF)) return term_unary(tt, kind, body) == tt->false_ ? tt->false_ : 0;
  uint32_t count = guard == tt->true_ ? 0 : term_kind(tt, guard) == TERM_AND ? term_count(tt, guard) : 1;
  if (!term_is_finite(tt, body) && (!term_is_number(tt, body) || term_unary(tt, kind, term_rebuild(tt, term_replace(tt, body, bound, lo))) != tt->false_)) return 0;
  for (uint32_t i = 0; i < count; i++) {
    Term part = term_kind(tt, guard) == TERM_AND ? term_arg(tt, guard, i) : guard;
    if (!term_has_symbol(tt, part, bound)) none = term_or(tt, none, term_not(tt, part));
    else if (!term_prove_true(tt, term_replace(tt, part, bound, lo))) return 0;
  }
  return none;
}

static TermKind other_infinity(TermKind kind) { return kind == TERM_IS_INF ? TERM_IS_NEG_INF : TERM_IS_INF; }

static bool may_be(TermTable *tt, TermKind kind, Term a) { return term_unary(tt, kind, a) != tt->false_; }

/* A sum is no infinity that none of its parts is, and that of the only part that may be infinite. 0: nothing simpler. */
static Term test_sum(TermTable *tt, TermKind kind, Term sum) {
  Term found = 0;
  uint32_t infinite = 0;
  bool may = false;
  for (uint32_t i = 1; i < term_count(tt, sum); i += 2) {
    Term part = term_arg(tt, sum, i + 1);
    TermKind own = term_rat(tt, term_arg(tt, sum, i)).num > 0 ? kind : other_infinity(kind);
    if (term_is_finite(tt, part)) continue;
    bool same = may_be(tt, own, part);
    may |= same;
    if (!same && !may_be(tt, other_infinity(own), part)) continue;
    infinite++, found = term_unary(tt, own, part);
  }
  return !may ? tt->false_ : infinite == 1 ? found : 0;
}

/* A product of numbers is infinite where its only factor is that may be, the others being positive. A quotient is asked for its divisor elsewhere. */
static Term test_product(TermTable *tt, TermKind kind, Term product) {
  Term found = 0;
  for (uint32_t i = 0; i < term_count(tt, product); i += 2) {
    Term base = term_arg(tt, product, i);
    Rational e = term_rat(tt, term_arg(tt, product, i + 1));
    if (term_is_finite(tt, base) || (!may_be(tt, TERM_IS_INF, base) && !may_be(tt, TERM_IS_NEG_INF, base))) continue;
    if (found || e.num != 1 || e.den != 1) return 0;
    found = base;
  }
  if (!found) return tt->false_;
  for (uint32_t i = 0; i < term_count(tt, product); i += 2)
    if (term_arg(tt, product, i) != found && !(term_rat(tt, term_arg(tt, product, i + 1)).num > 0 && term_is_positive(tt, term_arg(tt, product, i)))) return 0;
  return term_unary(tt, kind, found);
}

/* A sum over an index is no infinity that no element is, of those that there are. */
static Term test_fold_sum(TermTable *tt, TermKind kind, Term a) {
  uint32_t facts = tt->facts.count;
  FoldParts parts = term_fold_open(tt, a);
  term_push_fact(tt, term_lt(tt, parts.lo, parts.hi));
  bool may = may_be(tt, kind, parts.body);
  term_pop_facts(tt, facts);
  return may ? 0 : tt->false_;
}

/* The logarithm of a sum of positive elements is -inf where there are none. 0: of another sum. */
static Term test_log_of_sum(TermTable *tt, TermKind kind, Term sum) {
  if (term_fold_guard(tt, sum) != tt->true_) return 0;
  FoldParts p = term_fold_open(tt, sum);
  if (!term_is_positive(tt, p.body) || !term_is_finite(tt, p.body)) return 0;
  return kind == TERM_IS_NEG_INF ? term_le(tt, p.hi, p.lo) : tt->false_;
}

/* Is a, which may be infinite, the infinity of that test? Of a choice, of an extremum and of one over an index: 0: nothing simpler. */
static Term test_infinity(TermTable *tt, TermKind kind, Term a) {
  if (term_kind(tt, a) == TERM_SELECT)
    return term_select(tt, term_arg(tt, a, 0), term_unary(tt, kind, term_arg(tt, a, 1)), term_unary(tt, kind, term_arg(tt, a, 2)));
  if (kind == TERM_IS_NEG_INF && term_is_nonnegative(tt, a)) return tt->false_;
  if (term_kind(tt, a) == TERM_FN && term_aux(tt, a) == FN_EXP) return kind == TERM_IS_INF ? term_unary(tt, kind, term_arg(tt, a, 0)) : tt->false_;
  if (term_kind(tt, a) == TERM_ADD) return test_sum(tt, kind, a);
  if (term_kind(tt, a) == TERM_MUL) return test_product(tt, kind, a);
  if (term_kind(tt, a) == TERM_FOLD && term_aux(tt, a) == FOLD_SUM) return test_fold_sum(tt, kind, a);
  if (term_kind(tt, a) == TERM_FN && term_aux(tt, a) == FN_LOG && term_kind(tt, term_arg(tt, a, 0)) == TERM_FOLD && term_aux(tt, term_arg(tt, a, 0)) == FOLD_SUM) return test_log_of_sum(tt, kind, term_arg(tt, a, 0));
  if (!term_is_number(tt, a)) return 0;
  if (term_kind(tt, a) == (kind == TERM_IS_NEG_INF ? TERM_MAX : TERM_MIN)) { /* all of them are it */
    Term all = tt->true_;
    for (uint32_t i = 0; i < term_count(tt, a); i++) all = term_and(tt, all, term_unary(tt, kind, term_arg(tt, a, i)));
    return all;
  }
  if (term_kind(tt, a) == TERM_FOLD) return test_extremum(tt, kind, a);
  return 0;
}

/* Does something in a stand for what a loop carries and may be infinite? Sums and products of it may be, too. */
static bool has_infinite_carry(const TermTable *tt, Term a) {
  if (!(term_node(tt, a)->flags & TERM_HAS_READ) || term_kind(tt, a) == TERM_FOLD) return false;
  if (term_kind(tt, a) == TERM_READ) return !term_is_finite((TermTable *)(uintptr_t)tt, a);
  for (uint32_t i = 0; i < term_count(tt, a); i++) if (has_infinite_carry(tt, term_arg(tt, a, i))) return true;
  return false;
}

Term term_unary(TermTable *tt, TermKind kind, Term a) {
  bool test = kind == TERM_IS_INF || kind == TERM_IS_NEG_INF || kind == TERM_IS_NAN;
  if (is_infinity(tt, a)) return unary_infinity(tt, kind, a);
  if (is_special_select(tt, a))
    return term_select(tt, term_arg(tt, a, 0), term_unary(tt, kind, term_arg(tt, a, 1)), term_unary(tt, kind, term_arg(tt, a, 2)));
  bool sum = test && (term_kind(tt, a) == TERM_ADD || term_kind(tt, a) == TERM_MUL);
  if (kind == TERM_IS_NAN && term_is_number(tt, a) && !(sum && has_infinite_carry(tt, a))) return tt->false_;
  if (test && term_is_finite(tt, a) && !(sum && has_infinite_carry(tt, a))) return tt->false_;
  Term simple = kind == TERM_IS_INF || kind == TERM_IS_NEG_INF ? test_infinity(tt, kind, a) : 0;
  if (simple) return simple;
  if (test) return term_cons(tt, kind, SORT_BOOL, 0, 1, &a);
  if (kind == TERM_ABS) {
    if (term_is_nonnegative(tt, a)) return a;
    if (term_is_nonnegative(tt, term_neg(tt, a))) return term_neg(tt, a);
    Term rest;
    Rational k = term_coefficient(tt, a, &rest);
    if (rest != a) return term_scale(tt, k.num < 0 ? rational_neg(k) : k, term_unary(tt, kind, rest));
    if (term_kind(tt, a) == TERM_ADD) { /* |a - b| = |b - a|: the one with the smaller hash */
      Term n = term_neg(tt, a);
      if (term_order(tt, n, a) < 0) a = n;
    }
    return term_cons(tt, TERM_ABS, term_sort(tt, a), 0, 1, &a);
  }
  if (term_sort(tt, a) == SORT_INT) return a;
  if (term_is_rat(tt, a)) return term_new_rat(tt, round_rational(tt, kind, term_rat(tt, a)));
  if (term_kind(tt, a) == TERM_ADD && term_count(tt, a) == 3 && term_arg(tt, a, 0) == tt->zero && term_rat(tt, term_arg(tt, a, 1)).num < 0) { /* of a multiple: floor(-x) = -ceil(x) */
    TermKind turned = kind == TERM_FLOOR ? TERM_CEIL : kind == TERM_CEIL ? TERM_FLOOR : kind;
    Term b = term_neg(tt, a);
    return term_neg(tt, term_sort(tt, b) == SORT_INT ? b : term_cons(tt, turned, SORT_INT, 0, 1, &b));
  }
  return term_cons(tt, kind, SORT_INT, 0, 1, &a);
}

/* ---- functions ---- */

static Term fn_infinity(TermTable *tt, TermFn fn, Term a) {
  bool minus = a == tt->neg_inf;
  if (swallowing(tt, a, 0)) return a;
  switch (fn) {
  case FN_EXP: return minus ? tt->zero : tt->inf;
  case FN_TANH: case FN_ERF: return minus ? tt->minus_one : tt->one;
  case FN_LOG: if (!minus) return a; break;
  default: break;
  }
  return term_cons(tt, TERM_FN, SORT_REAL, fn, 1, &a);
}

static Term fn_constant(TermTable *tt, TermFn fn, Term a) {
  if (a == tt->zero) {
    switch (fn) {
    case FN_EXP: case FN_COS: case FN_COSH: return tt->one;
    case FN_SIN: case FN_TAN: case FN_ASIN: case FN_ATAN: case FN_SINH: case FN_TANH: case FN_ASINH: case FN_ATANH:
    case FN_ERF: case FN_ERFINV: return tt->zero;
    default: break;
    }
  }
  if (a == tt->one && (fn == FN_LOG || fn == FN_LGAMMA)) return tt->zero;
  if (fn == FN_LOG && a == tt->zero) return tt->neg_inf;
  if (fn == FN_LOG && term_is_rat(tt, a) && term_rat(tt, a).num < 0) return term_float(tt, __builtin_nan(""));
  return 0;
}

Term term_fn(TermTable *tt, TermFn fn, uint32_t count, const Term *args) {
  if (count == 1) {
    Term a = args[0], folded = fn_constant(tt, fn, a);
    if (folded) return folded;
    if (is_infinity(tt, a)) return fn_infinity(tt, fn, a);
    if (fn == FN_EXP && term_kind(tt, a) == TERM_FN && term_aux(tt, a) == FN_LOG && term_is_positive(tt, term_arg(tt, a, 0))) return term_arg(tt, a, 0);
    if (is_infinite_select(tt, a))
      return term_select(tt, term_arg(tt, a, 0), term_fn1(tt, fn, term_arg(tt, a, 1)), term_fn1(tt, fn, term_arg(tt, a, 2)));
  }
  if (count == 2) {
    if (swallowing(tt, args[0], args[1])) return swallowing(tt, args[0], args[1]);
    for (uint32_t i = 0; i < 2; i++) {
      if (!is_infinite_select(tt, args[i])) continue;
      Term s = args[i], x[2] = {args[0], args[1]}, y[2] = {args[0], args[1]};
      x[i] = term_arg(tt, s, 1), y[i] = term_arg(tt, s, 2);
      return term_select(tt, term_arg(tt, s, 0), term_fn(tt, fn, 2, x), term_fn(tt, fn, 2, y));
    }
  }
  if (count == 2 && fn == FN_POW && term_is_rat(tt, args[1])) {
    Rational e = term_rat(tt, args[1]);
    if (e.den == 1 || e.den == 2) return term_power(tt, args[0], e);
  }
  if (count == 2 && (fn == FN_BITAND || fn == FN_BITOR || fn == FN_BITXOR)) {
    int64_t x, y;
    bool cx = term_is_int(tt, args[0], &x), cy = term_is_int(tt, args[1], &y);
    if (cx && cy) return term_int(tt, fn == FN_BITAND ? x & y : fn == FN_BITOR ? x | y : x ^ y);
    if (cy && y == 0) return fn == FN_BITAND ? tt->zero : args[0];
    if (cx && x == 0) return fn == FN_BITAND ? tt->zero : args[1];
    if (fn == FN_BITAND && cy && y > 0 && ((y + 1) & y) == 0) return term_mod(tt, args[0], term_int(tt, y + 1));
    if (fn == FN_BITAND && cx && x > 0 && ((x + 1) & x) == 0) return term_mod(tt, args[1], term_int(tt, x + 1));
    if (fn == FN_BITXOR && ((cx && x == -1) || (cy && y == -1))) return term_sub(tt, term_neg(tt, args[cx && x == -1]), tt->one);
    Term sorted[2] = {args[0], args[1]};
    sort_terms(tt, sorted, 2);
    return term_cons(tt, TERM_FN, SORT_INT, fn, 2, sorted);
  }
  if (fn == FN_MULHI && (args[0] == tt->zero || args[1] == tt->zero)) return tt->zero;
  static const TermSort sorts[] = {
#define FN(id, text, arity, sort) SORT_##sort,
#include "term/functions.def"
#undef FN
  };
  return term_cons(tt, TERM_FN, sorts[fn], fn, count, args);
}

Term term_fn1(TermTable *tt, TermFn fn, Term a) { return term_fn(tt, fn, 1, &a); }

/* Is t a signed number of so many bits, by how it is made? */
static bool has_width(TermTable *tt, Term t, uint32_t width, uint32_t depth) {
  if (!depth) return false;
  switch (term_kind(tt, t)) {
  case TERM_WRAP: return term_aux(tt, t) <= width;
  case TERM_RAT: return term_wrap(tt, width, t) == t;
  case TERM_FN:
    if (term_aux(tt, t) != FN_BITXOR && term_aux(tt, t) != FN_BITAND && term_aux(tt, t) != FN_BITOR) return false;
    return has_width(tt, term_arg(tt, t, 0), width, depth - 1) && has_width(tt, term_arg(tt, t, 1), width, depth - 1);
  case TERM_ADD: /* -1 - x, the complement */
    return term_count(tt, t) == 3 && term_arg(tt, t, 0) == tt->minus_one && term_arg(tt, t, 1) == tt->minus_one && has_width(tt, term_arg(tt, t, 2), width, depth - 1);
  case TERM_SELECT: return has_width(tt, term_arg(tt, t, 1), width, depth - 1) && has_width(tt, term_arg(tt, t, 2), width, depth - 1);
  default: return false;
  }
}

static Term without_wrap(TermTable *tt, uint32_t width, Term t) {
  return term_kind(tt, t) == TERM_WRAP && term_aux(tt, t) >= width ? term_arg(tt, t, 0) : t;
}

Term term_wrap(TermTable *tt, uint32_t width, Term a) {
  if (width == 0 || width > 64 || swallowing(tt, a, 0)) return a;
  if (is_infinite_select(tt, a))
    return term_select(tt, term_arg(tt, a, 0), term_wrap(tt, width, term_arg(tt, a, 1)), term_wrap(tt, width, term_arg(tt, a, 2)));
  Int128 half = (Int128)1 << (width - 1);
  if (term_is_rat(tt, a)) {
    Int128 v = term_rat(tt, a).num & ((half << 1) - 1);
    return term_new_rat(tt, (Rational){v >= half ? v - 2 * half : v, 1});
  }
  Term low = term_new_rat(tt, (Rational){-half, 1}), high = term_new_rat(tt, (Rational){half - 1, 1});
  Int128 from, to;
  if (term_interval(tt, a, &from, &to) && from >= -half && to < half) return a;
  if (has_width(tt, a, width, 4) || (term_prove_le(tt, low, a) && term_prove_le(tt, a, high))) return a;
  if (without_wrap(tt, width, a) != a) return term_wrap(tt, width, without_wrap(tt, width, a));
  if (term_kind(tt, a) == TERM_SELECT) { /* x + 2^32 or x */
    Term yes = term_wrap(tt, width, term_arg(tt, a, 1));
    if (yes == term_wrap(tt, width, term_arg(tt, a, 2))) return yes;
  }
  if (term_kind(tt, a) == TERM_ADD) { /* coefficients count modulo 2^width, and so do the summands */
    Term sum = term_wrap(tt, width, term_arg(tt, a, 0));
    for (uint32_t i = 1; i < term_count(tt, a); i += 2)
      sum = term_add(tt, sum, term_scale(tt, term_rat(tt, term_wrap(tt, width, term_arg(tt, a, i))), without_wrap(tt, width, term_arg(tt, a, i + 1))));
    if (sum != a) return term_wrap(tt, width, sum);
  }
  return term_cons(tt, TERM_WRAP, SORT_INT, width, 1, &a);
}

/* ---- comparisons ---- */

enum { READABLE_BITS = 60 }; /* of numbers whose quotients are computed */

static uint32_t bits_of(Int128 n) {
  uint32_t bits = 0;
  for (UInt128 u = (UInt128)(n < 0 ? -n : n); u; u >>= 1) bits++;
  return bits;
}

/* How a number looks in a formula: one that no float is prints as a fraction. */
static uint32_t looks(Rational r) {
  uint32_t bits = bits_of(r.num) + bits_of(r.den);
  return (r.den & (r.den - 1)) ? 1024 + bits : bits;
}

/* Which coefficient of a real sum is best made 1: the answer is the same for every multiple of the sum. 0: none. */
static uint32_t best_unit(TermTable *tt, Term t) {
  uint32_t best = 0, least = UINT32_MAX, n = term_count(tt, t);
  for (uint32_t i = 0; i < n; i += i ? 2 : 1) {
    Rational r = term_rat(tt, term_arg(tt, t, i));
    if (bits_of(r.num) > READABLE_BITS || bits_of(r.den) > READABLE_BITS) return 0;
  }
  for (uint32_t i = 1; i < n; i += 2) {
    uint32_t sum = 0;
    for (uint32_t k = 0; k < n; k += k ? 2 : 1) sum += looks(rational_div(guard_of(tt), term_rat(tt, term_arg(tt, t, k)), term_rat(tt, term_arg(tt, t, i))));
    if (sum < least) least = sum, best = i;
  }
  return best;
}

/* The sum divided by the absolute value of one coefficient; as an equation, with the first one positive. */
static Term scale_real(TermTable *tt, Term t, uint32_t unit, bool equality) {
  Rational k = unit ? term_rat(tt, term_arg(tt, t, unit)) : rational_int(1);
  if (k.num < 0) k = rational_neg(k);
  if (equality && term_rat(tt, term_arg(tt, t, 1)).num < 0) k = rational_neg(k);
  if (k.num == 1 && k.den == 1) return t;
  k = rational_div(guard_of(tt), rational_int(1), k);
  Term sum = term_scale(tt, k, term_arg(tt, t, 0));
  for (uint32_t i = 1; i < term_count(tt, t); i += 2)
    sum = term_add(tt, sum, term_scale(tt, rational_mul(guard_of(tt), k, term_rat(tt, term_arg(tt, t, i))), term_arg(tt, t, i + 1)));
  return sum;
}

/* Positive scaling that makes equal conditions equal: content one for Int, the best looking coefficient one for Real. */
static Term scale_comparison(TermTable *tt, Term t, bool equality) {
  if (term_kind(tt, t) != TERM_ADD) return t;
  Guard *g = guard_of(tt);
  Rational first = term_rat(tt, term_arg(tt, t, 1));
  if (term_sort(tt, t) != SORT_INT) {
    while (term_count(tt, t) == 3 && term_arg(tt, t, 0) == tt->zero) { /* k * u: its sign counts */
      Term u = term_arg(tt, t, 2);
      t = !equality && term_rat(tt, term_arg(tt, t, 1)).num < 0 ? term_neg(tt, u) : u;
      if (term_kind(tt, u) != TERM_ADD) return t;
    }
    return scale_real(tt, t, best_unit(tt, t), equality);
  }
  Int128 c = content(tt, t, 0);
  if (equality && first.num < 0) c = -c;
  if (c == 1) return t;
  Rational constant = term_constant_part(tt, t);
  if (equality && constant.num % c != 0) return 0; /* never zero */
  Term linear = term_scale(tt, rational_make(g, 1, c), term_sub(tt, t, term_new_rat(tt, constant)));
  Int128 up = -rational_floor(rational_make(g, -constant.num, c)); /* ceil(constant / c) */
  return term_add(tt, linear, term_new_rat(tt, (Rational){equality ? constant.num / c : up, 1}));
}

static Term compare(TermTable *tt, TermKind kind, Term a, Term b);
static Term compare_le(TermTable *tt, Term a, Term b) { return compare(tt, TERM_LE, a, b); }
static Term compare_lt(TermTable *tt, Term a, Term b) { return compare(tt, TERM_LT, a, b); }
static Term compare_eq(TermTable *tt, Term a, Term b) { return compare(tt, TERM_EQ, a, b); }
static Term compare_zero(TermTable *tt, TermKind kind, Term t);

/* where(c, 0, 1) == 1, a flag that is asked: c, or not c. 0: another form. */
static Term compare_flag(TermTable *tt, TermKind kind, Term t) {
  bool sum = term_kind(tt, t) == TERM_ADD && term_count(tt, t) == 3;
  Term flag = sum ? term_arg(tt, t, 2) : t, rest = sum ? term_arg(tt, t, 0) : tt->zero;
  if (term_kind(tt, flag) != TERM_SELECT || !term_is_rat(tt, term_arg(tt, flag, 1)) || !term_is_rat(tt, term_arg(tt, flag, 2))) return 0;
  Rational k = sum ? term_rat(tt, term_arg(tt, t, 1)) : rational_int(1);
  Term yes = compare_zero(tt, kind, term_add(tt, rest, term_scale(tt, k, term_arg(tt, flag, 1))));
  Term no = compare_zero(tt, kind, term_add(tt, rest, term_scale(tt, k, term_arg(tt, flag, 2))));
  if (yes == no) return 0;
  return yes == tt->true_ ? term_arg(tt, flag, 0) : term_not(tt, term_arg(tt, flag, 0));
}

/* where(c, x, 0) > 1, of a value and a literal that decides: c and x > 1, or not c or x > -1. 0: another form. */
static Term compare_padded(TermTable *tt, TermKind kind, Term t) {
  bool sum = term_kind(tt, t) == TERM_ADD && term_count(tt, t) == 3;
  Term padded = sum ? term_arg(tt, t, 2) : t, rest = sum ? term_arg(tt, t, 0) : tt->zero;
  if (term_kind(tt, padded) != TERM_SELECT || ((term_node(tt, padded)->flags) & (TERM_HAS_UNDEF | TERM_HAS_INF))) return 0;
  Term condition = term_arg(tt, padded, 0), value = term_arg(tt, padded, 1), literal = term_arg(tt, padded, 2);
  bool first = term_is_rat(tt, value);
  if (first == term_is_rat(tt, literal)) return 0;
  if (first) literal = value, value = term_arg(tt, padded, 2), condition = term_not(tt, condition);
  Rational k = sum ? term_rat(tt, term_arg(tt, t, 1)) : rational_int(1);
  Term inside = compare_zero(tt, kind, term_add(tt, rest, term_scale(tt, k, value)));
  Term outside = compare_zero(tt, kind, term_add(tt, rest, term_scale(tt, k, literal)));
  return outside == tt->false_ ? term_and(tt, condition, inside) : term_or(tt, term_not(tt, condition), inside);
}

/* The sign of a // d is that of a: a // d >= 0, a // d <= -1. 0: another form. (Other bounds tell the block, which is what proofs look for.) */
static Term compare_quotient(TermTable *tt, Term t) {
  bool sum = term_kind(tt, t) == TERM_ADD && term_count(tt, t) == 3;
  Term quotient = sum ? term_arg(tt, t, 2) : t;
  Rational k = sum ? term_rat(tt, term_arg(tt, t, 1)) : rational_int(1), c = term_constant_part(tt, t);
  int64_t d;
  if (term_kind(tt, quotient) != TERM_FLOORDIV || !term_is_int(tt, term_arg(tt, quotient, 1), &d) || d < 1) return 0;
  bool below = rational_equal(k, rational_int(1)) && rational_equal(c, rational_int(1)), above = rational_equal(k, rational_int(-1)) && c.num == 0;
  if (below) return compare_zero(tt, TERM_LE, term_add(tt, term_arg(tt, quotient, 0), tt->one));
  return above ? compare_zero(tt, TERM_LE, term_neg(tt, term_arg(tt, quotient, 0))) : 0;
}

static Term compare_zero(TermTable *tt, TermKind kind, Term t) {
  bool whole = term_sort(tt, t) == SORT_INT;
  if (term_is_rat(tt, t)) {
    int sign = rational_sign(term_rat(tt, t));
    return term_bool(tt, kind == TERM_LE ? sign <= 0 : kind == TERM_LT ? sign < 0 : sign == 0);
  }
  Term flag = compare_flag(tt, kind, t);
  if (!flag) flag = compare_padded(tt, kind, t);
  if (flag) return flag;
  if (whole && kind == TERM_LT) return compare_zero(tt, TERM_LE, term_add(tt, t, tt->one));
  t = scale_comparison(tt, t, kind == TERM_EQ);
  if (!t) return tt->false_;
  if (whole) {
    Int128 from, to;
    Term linear = kind == TERM_LE ? compare_quotient(tt, t) : 0;
    if (linear) return linear;
    if (term_interval(tt, t, &from, &to)) {
      if (kind == TERM_LE && to <= 0) return tt->true_;
      if (from > 0 || (kind == TERM_EQ && to < 0)) return tt->false_;
    }
    if (kind == TERM_LE) {
      if (term_prove_nonpositive(tt, t)) return tt->true_;
      if (term_prove_nonpositive(tt, term_sub(tt, tt->one, t))) return tt->false_;
    } else if (term_prove_nonpositive(tt, term_sub(tt, tt->one, t)) || term_prove_nonpositive(tt, term_add(tt, t, tt->one)))
      return tt->false_;
  } else {
    Term n = term_neg(tt, t);
    if (kind == TERM_LT && term_is_positive(tt, n)) return tt->true_;
    if (kind == TERM_LT && term_is_nonnegative(tt, t)) return tt->false_;
    if (kind == TERM_LE && term_is_nonnegative(tt, n)) return tt->true_;
    if (kind == TERM_LE && term_is_positive(tt, t)) return tt->false_;
    if (kind == TERM_EQ && (term_is_positive(tt, t) || term_is_positive(tt, n))) return tt->false_;
  }
  return term_cons(tt, kind, SORT_BOOL, 0, 1, &t);
}

static Term compare_infinity(TermTable *tt, TermKind kind, Term a, Term b) {
  Term swallowed = swallowing(tt, a, b);
  if (swallowed) return term_kind(tt, swallowed) == TERM_NAN ? tt->false_ : term_undef(tt, SORT_BOOL, term_aux(tt, swallowed));
  if (is_special_select(tt, a) || is_special_select(tt, b))
    return push_out(tt, kind == TERM_LE ? compare_le : kind == TERM_LT ? compare_lt : compare_eq, a, b);
  bool a_inf = is_infinity(tt, a), b_inf = is_infinity(tt, b);
  if (a_inf && b_inf) {
    int sign = (a == b) ? 0 : a == tt->neg_inf ? -1 : 1;
    return term_bool(tt, kind == TERM_LE ? sign <= 0 : kind == TERM_LT ? sign < 0 : sign == 0);
  }
  Term x = a_inf ? b : a, infinity = a_inf ? a : b;
  Term equal = term_unary(tt, infinity == tt->inf ? TERM_IS_INF : TERM_IS_NEG_INF, x);
  if (kind == TERM_EQ) return equal;
  bool below = b_inf ? b == tt->inf : a == tt->neg_inf; /* x is on the side where a <= b always holds */
  if (kind == TERM_LE) return below ? tt->true_ : equal;
  return below ? term_not(tt, equal) : tt->false_;
}

static Term compare(TermTable *tt, TermKind kind, Term a, Term b) {
  if (a == b && !is_infinity(tt, a)) return term_bool(tt, kind != TERM_LT);
  if (is_infinity(tt, a) || is_infinity(tt, b)) return compare_infinity(tt, kind, a, b);
  if (is_special_select(tt, a) || is_special_select(tt, b))
    return push_out(tt, kind == TERM_LE ? compare_le : kind == TERM_LT ? compare_lt : compare_eq, a, b);
  if (term_sort(tt, a) == SORT_BOOL) return term_or(tt, term_and(tt, a, b), term_and(tt, term_not(tt, a), term_not(tt, b)));
  if (!term_is_finite(tt, a) && !term_is_finite(tt, b)) { /* the difference of two infinities would lose the answer */
    Term args[2] = {a, b};
    if (kind == TERM_EQ) sort_terms(tt, args, 2);
    return term_cons(tt, kind, SORT_BOOL, 0, 2, args);
  }
  return compare_zero(tt, kind, term_sub(tt, a, b));
}

Term term_le(TermTable *tt, Term a, Term b) { return compare(tt, TERM_LE, a, b); }
Term term_lt(TermTable *tt, Term a, Term b) { return compare(tt, TERM_LT, a, b); }
Term term_eq(TermTable *tt, Term a, Term b) {
  if (b == tt->zero && term_kind(tt, a) == TERM_FN && term_aux(tt, a) == FN_BITOR) return term_and(tt, term_eq(tt, term_arg(tt, a, 0), b), term_eq(tt, term_arg(tt, a, 1), b));
  return compare(tt, TERM_EQ, a, b);
}

/* ---- logic ---- */

Term term_not(TermTable *tt, Term a) {
  switch (term_kind(tt, a)) {
  case TERM_TRUE: return tt->false_;
  case TERM_FALSE: return tt->true_;
  case TERM_NOT: return term_arg(tt, a, 0);
  case TERM_LE:
    if (term_count(tt, a) == 2) return term_lt(tt, term_arg(tt, a, 1), term_arg(tt, a, 0));
    if (term_sort(tt, term_arg(tt, a, 0)) == SORT_INT) return compare_zero(tt, TERM_LE, term_sub(tt, tt->one, term_arg(tt, a, 0)));
    return compare_zero(tt, TERM_LT, term_neg(tt, term_arg(tt, a, 0)));
  case TERM_LT:
    if (term_count(tt, a) == 2) return term_le(tt, term_arg(tt, a, 1), term_arg(tt, a, 0));
    return compare_zero(tt, TERM_LE, term_neg(tt, term_arg(tt, a, 0)));
  case TERM_AND: case TERM_OR: {
    Term result = term_bool(tt, term_kind(tt, a) == TERM_OR);
    bool is_or = term_kind(tt, a) == TERM_OR;
    for (uint32_t i = 0; i < term_count(tt, a); i++) {
      Term n = term_not(tt, term_arg(tt, a, i));
      result = is_or ? term_and(tt, result, n) : term_or(tt, result, n);
    }
    return result;
  }
  default: return term_cons(tt, TERM_NOT, SORT_BOOL, 0, 1, &a);
  }
}

/* t of a disjunct t == c (for AND: of a conjunct that says the opposite), with c; 0: it is none. */
static Term equated(const TermTable *tt, TermKind kind, Term condition, Rational *c) {
  if (kind == TERM_AND) {
    if (term_kind(tt, condition) != TERM_NOT) return 0;
    condition = term_arg(tt, condition, 0);
  }
  if (term_kind(tt, condition) != TERM_EQ || term_count(tt, condition) != 1 || term_sort(tt, term_arg(tt, condition, 0)) != SORT_INT) return 0;
  Term e = term_arg(tt, condition, 0);
  *c = term_constant_part(tt, e);
  return e;
}

/* l == 0 or l == 1 where 0 <= l <= 1: all that there is. */
static bool is_exhausted(TermTable *tt, TermKind kind, const Term *args, uint32_t n) {
  enum { MOST = 8 };
  Rational constant[MOST + 1], c;
  for (uint32_t i = 0; i < n && n <= MOST; i++) {
    Term e = equated(tt, kind, args[i], &constant[0]), t;
    uint32_t count = 1;
    if (!e) continue;
    t = term_sub(tt, e, term_new_rat(tt, constant[0])); /* t == -constant */
    for (uint32_t j = 0; j < n; j++) { /* upwards from this one */
      Term other = j == i ? 0 : equated(tt, kind, args[j], &c);
      if (!other || c.den != 1 || c.num != constant[0].num - (Int128)count || term_add(tt, t, term_new_rat(tt, c)) != other) continue;
      count++, j = (uint32_t)-1;
    }
    if (count < 2 || constant[0].den != 1) continue;
    Term first = term_new_rat(tt, rational_neg(constant[0])), last = term_add(tt, first, term_int(tt, (int64_t)count - 1));
    if (term_prove_le(tt, first, t) && term_prove_le(tt, t, last)) return true;
  }
  return false;
}

enum { MOST_ABSORBED = 12 };

/* Among the arguments of an OR, an AND without the factors whose opposite is another argument: a or not a and b is a or b; or
 * none of it, where a factor is another argument: a or a and b is a. The same with AND and OR changed. 0: as it is. */
static Term absorbed(TermTable *tt, TermKind kind, const Term *args, uint32_t n, uint32_t i) {
  TermKind other = kind == TERM_AND ? TERM_OR : TERM_AND;
  Term neutral = kind == TERM_AND ? tt->true_ : tt->false_, rest = kind == TERM_AND ? tt->false_ : tt->true_;
  if (term_kind(tt, args[i]) != other || term_count(tt, args[i]) > MOST_ABSORBED) return 0;
  bool changed = false;
  for (uint32_t k = 0; k < term_count(tt, args[i]); k++) {
    Term factor = term_arg(tt, args[i], k), opposite = term_not(tt, factor);
    bool drop = false;
    for (uint32_t j = 0; j < n; j++) {
      if (args[j] == factor) return neutral;
      drop |= args[j] == opposite;
    }
    if (!drop) rest = kind == TERM_AND ? term_or(tt, rest, factor) : term_and(tt, rest, factor);
    changed |= drop;
  }
  return changed ? rest : 0;
}

static Term junction(TermTable *tt, TermKind kind, Term a, Term b) {
  Term neutral = kind == TERM_AND ? tt->true_ : tt->false_, absorbing = kind == TERM_AND ? tt->false_ : tt->true_;
  if (a == neutral || a == b) return b;
  if (b == neutral) return a;
  if (a == absorbing || b == absorbing) return absorbing;
  uint32_t room = (term_kind(tt, a) == kind ? term_count(tt, a) : 1) + (term_kind(tt, b) == kind ? term_count(tt, b) : 1);
  Term small[32], *args = room <= 32 ? small : arena_array(tt->arena, Term, room);
  uint32_t n = 0;
  Term in[2] = {a, b};
  for (int side = 0; side < 2; side++) {
    bool flat = term_kind(tt, in[side]) == kind;
    for (uint32_t i = 0; i < (flat ? term_count(tt, in[side]) : 1); i++) {
      Term t = flat ? term_arg(tt, in[side], i) : in[side];
      bool drop = false;
      for (uint32_t j = 0; j < n; j++) drop |= args[j] == t;
      if (!drop) args[n++] = t;
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    Term opposite = term_not(tt, args[i]);
    for (uint32_t j = 0; j < n; j++) if (args[j] == opposite) return absorbing;
  }
  for (uint32_t i = 0; i < n && n <= MOST_ABSORBED; i++) {
    Term less = absorbed(tt, kind, args, n, i), all = less;
    if (!less) continue;
    for (uint32_t j = 0; j < n; j++) if (j != i) all = junction(tt, kind, all, args[j]);
    return all;
  }
  if (n == 1) return args[0];
  if (is_exhausted(tt, kind, args, n)) return absorbing;
  sort_terms(tt, args, n);
  return term_cons(tt, kind, SORT_BOOL, 0, n, args);
}

Term term_and(TermTable *tt, Term a, Term b) { return junction(tt, TERM_AND, a, b); }
Term term_or(TermTable *tt, Term a, Term b) { return junction(tt, TERM_OR, a, b); }

/* select(a <= b, a, b) over integers is a minimum. */
static Term select_extremum(TermTable *tt, Term c, Term a, Term b) {
  if (term_kind(tt, c) != TERM_LE || term_count(tt, c) != 1 || term_sort(tt, a) != SORT_INT || term_sort(tt, b) != SORT_INT) return 0;
  Term t = term_arg(tt, c, 0), d = term_sub(tt, a, b);
  Term up = term_sub(tt, t, d), down = term_add(tt, t, d);
  if (up == tt->zero || up == tt->one) return term_min(tt, a, b);
  if (down == tt->zero || down == tt->one) return term_max(tt, a, b);
  return 0;
}

/* where(k <= v, a, f(k)) with k >= v and a = f(v): f(k). */
static bool is_first_of(TermTable *tt, Term c, Term a, Term b) {
  if (term_kind(tt, c) != TERM_LE || term_count(tt, c) != 1) return false;
  Term x = term_arg(tt, c, 0), k = term_kind(tt, x) == TERM_SYM ? x : 0;
  if (term_kind(tt, x) == TERM_ADD && term_count(tt, x) == 3 && term_arg(tt, x, 1) == tt->one && term_kind(tt, term_arg(tt, x, 2)) == TERM_SYM) k = term_arg(tt, x, 2);
  if (!k || term_sort(tt, k) != SORT_INT || !term_symbol(tt, k)->lo || !term_has_symbol(tt, b, k) || term_has_symbol(tt, a, k)) return false;
  Term v = term_sub(tt, k, x);
  return term_symbol(tt, k)->lo == v && term_replace(tt, b, k, v) == a;
}

Term term_select(TermTable *tt, Term c, Term a, Term b) {
  if (c == tt->true_ || a == b || term_kind(tt, c) == TERM_UNDEF) return term_kind(tt, c) == TERM_UNDEF ? term_undef(tt, term_sort(tt, a), term_aux(tt, c)) : a;
  if (c == tt->false_) return b;
  if (term_kind(tt, c) == TERM_NOT) return term_select(tt, term_arg(tt, c, 0), b, a);
  Term opposite = term_not(tt, c);
  for (int i = 0; i < 8 && term_kind(tt, a) == TERM_SELECT; i++) {
    if (term_arg(tt, a, 0) == c) a = term_arg(tt, a, 1);
    else if (term_arg(tt, a, 0) == opposite) a = term_arg(tt, a, 2);
    else break;
  }
  for (int i = 0; i < 8 && term_kind(tt, b) == TERM_SELECT; i++) {
    if (term_arg(tt, b, 0) == c) b = term_arg(tt, b, 2);
    else if (term_arg(tt, b, 0) == opposite) b = term_arg(tt, b, 1);
    else break;
  }
  if (a == b) return a;
  if (term_sort(tt, a) == SORT_BOOL) return term_or(tt, term_and(tt, c, a), term_and(tt, opposite, b));
  Term e = select_extremum(tt, c, a, b);
  if (e) return e;
  if (is_first_of(tt, c, a, b)) return b;
  /* select(c, x, select(d, x, y)) = select(c or d, x, y); select(c, select(d, x, y), y) = select(c and d, x, y) */
  if (term_kind(tt, b) == TERM_SELECT && term_arg(tt, b, 1) == a)
    return term_select(tt, term_or(tt, c, term_arg(tt, b, 0)), a, term_arg(tt, b, 2));
  if (term_kind(tt, a) == TERM_SELECT && term_arg(tt, a, 2) == b)
    return term_select(tt, term_and(tt, c, term_arg(tt, a, 0)), term_arg(tt, a, 1), b);
  TermSort sort = term_sort(tt, a) == SORT_INT && term_sort(tt, b) == SORT_INT ? SORT_INT
                  : term_sort(tt, a) == SORT_PTR ? SORT_PTR : SORT_REAL;
  return term_cons(tt, TERM_SELECT, sort, 0, 3, (Term[]){c, a, b});
}

/* Make a node again with its arguments in canonical order but no other change: for the closing of folds. */
Term term_resort(TermTable *tt, Term like, Term *args) {
  TermNode n = *term_node(tt, like);
  switch ((TermKind)n.kind) {
  case TERM_ADD: case TERM_MUL: {
    uint32_t base = tt->pair_count, first = n.kind == TERM_ADD;
    for (uint32_t i = first; i < n.count; i += 2) {
      Term t = first ? args[i + 1] : args[i], k = first ? args[i] : args[i + 1];
      push_pair(tt, t, term_rat(tt, k));
    }
    uint32_t m = tt->pair_count - base;
    sort_pairs(tt, tt->pairs + base, m);
    if (!first)
      for (uint32_t i = 0; i + 1 < m; i++)
        if (tt->pairs[base + i].term == tt->pairs[base + i + 1].term && tt->pairs[base + i].k.num > 0) {
          Pair p = tt->pairs[base + i];
          tt->pairs[base + i] = tt->pairs[base + i + 1], tt->pairs[base + i + 1] = p;
        }
    for (uint32_t i = 0; i < m; i++) {
      Term k = term_new_rat(tt, tt->pairs[base + i].k);
      args[first + 2 * i] = first ? k : tt->pairs[base + i].term;
      args[first + 2 * i + 1] = first ? tt->pairs[base + i].term : k;
    }
    tt->pair_count = base;
    break;
  }
  case TERM_MIN: case TERM_MAX: case TERM_AND: case TERM_OR: sort_terms(tt, args, n.count); break;
  case TERM_EQ: { /* another summand may be the first, whose sign an equation has */
    Term t = n.count == 1 ? scale_comparison(tt, args[0], true) : 0;
    if (t) args[0] = t;
    break;
  }
  case TERM_FN:
    if (n.aux == FN_BITAND || n.aux == FN_BITOR || n.aux == FN_BITXOR) sort_terms(tt, args, n.count);
    break;
  default: break;
  }
  return term_cons(tt, (TermKind)n.kind, (TermSort)n.sort, n.aux, n.count, args);
}
