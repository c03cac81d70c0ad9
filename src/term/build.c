/* Constructors of sums and products: they bring arguments into the canonical form of term.h.
 *
 * Both are gathered as (term, rational) pairs on a stack of the table, sorted by structural hash, merged, and consed.
 * Infinite branches of selects are pushed outwards before anything else looks at an argument; so they are by the other
 * constructors (divide.c, functions.c, conditions.c). */
#include "term/cons.h"

typedef struct TermPair {
  Term term;
  Rational k;
} Pair;

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

void term_sort_args(const TermTable *tt, Term *terms, uint32_t n) {
  for (uint32_t i = 1; i < n; i++) {
    Term t = terms[i];
    uint32_t j = i;
    for (; j && term_order(tt, t, terms[j - 1]) < 0; j--) terms[j] = terms[j - 1];
    terms[j] = t;
  }
}

/* ---- infinities ---- */

bool term_is_infinite_select(const TermTable *tt, Term t) {
  if (term_kind(tt, t) != TERM_SELECT || !(term_node(tt, t)->flags & TERM_HAS_INF)) return false;
  Term branch[2] = {term_arg(tt, t, 1), term_arg(tt, t, 2)};
  for (int i = 0; i < 2; i++)
    if ((term_is_infinity(tt, branch[i]) && term_kind(tt, branch[i]) != TERM_NAN) ||
        term_is_infinite_select(tt, branch[i]))
      return true;
  return false;
}

bool term_is_special_select(const TermTable *tt, Term t) {
  if (term_kind(tt, t) != TERM_SELECT || !(term_node(tt, t)->flags & TERM_HAS_INF)) return false;
  Term a = term_arg(tt, t, 1), b = term_arg(tt, t, 2);
  return term_is_infinity(tt, a) || term_is_infinity(tt, b) || term_is_special_select(tt, a) ||
         term_is_special_select(tt, b);
}

Term term_push_out(TermTable *tt, TermBinary f, Term a, Term b) {
  bool left = term_is_infinite_select(tt, a) || (!term_is_infinite_select(tt, b) && term_is_special_select(tt, a));
  Term s = left ? a : b, c = term_arg(tt, s, 0), x = term_arg(tt, s, 1), y = term_arg(tt, s, 2);
  Term other = left ? b : a, ox = other, oy = other;
  if (term_kind(tt, other) == TERM_SELECT && term_arg(tt, other, 0) == c)
    ox = term_arg(tt, other, 1), oy = term_arg(tt, other, 2);
  Term fx = left ? f(tt, x, ox) : f(tt, ox, x), fy = left ? f(tt, y, oy) : f(tt, oy, y);
  return term_select(tt, c, fx, fy);
}

/* ---- sums ---- */

static void gather_sum(TermTable *tt, Rational k, Term t, Rational *constant) {
  Guard *g = tt->arena->guard;
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

/* What k*x + l*y is without an extremum, of whole numbers: max(a, b) + min(a + c, b + c) = a + b + c, and
 * max(a + c, b + c) - max(a, b) = c, likewise min. 0: x and y are no such two. */
static Term without_extrema(TermTable *tt, Pair x, Pair y) {
  TermKind one = term_kind(tt, x.term), other = term_kind(tt, y.term);
  Rational k = one == other ? rational_neg(y.k) : y.k;
  if (term_count(tt, x.term) != 2 || term_count(tt, y.term) != 2 || k.num != x.k.num || k.den != x.k.den) return 0;
  Term a = term_arg(tt, x.term, 0), b = term_arg(tt, x.term, 1), c = term_arg(tt, y.term, 0),
       d = term_arg(tt, y.term, 1);
  Term left = term_sub(tt, a, b), right = term_sub(tt, c, d);
  if (left != right && left != term_neg(tt, right)) return 0;
  Term like_a = left == right ? c : d;
  return term_scale(tt, x.k, one == other ? term_sub(tt, a, like_a) : term_add(tt, b, like_a));
}

static bool is_whole_extremum(const TermTable *tt, Term t) {
  return (term_kind(tt, t) == TERM_MAX || term_kind(tt, t) == TERM_MIN) && term_sort(tt, t) == SORT_INT;
}

static Term finish_sum(TermTable *tt, uint32_t base, Rational constant);

/* The sum of `n` pairs and the constant where two of them are a sum without an extremum; 0: no two are. */
static Term sum_without_extrema(TermTable *tt, uint32_t base, uint32_t n, Rational constant) {
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = i + 1; is_whole_extremum(tt, tt->pairs[base + i].term) && j < n; j++) {
      if (!is_whole_extremum(tt, tt->pairs[base + j].term)) continue;
      tt->pair_count = base + n;
      Term both = without_extrema(tt, tt->pairs[base + i], tt->pairs[base + j]);
      if (!both) continue;
      Pair *pairs = tt->pairs + base;
      pairs[j] = pairs[n - 1], pairs[i] = pairs[n - 2];
      tt->pair_count = base + n - 2;
      return term_add(tt, finish_sum(tt, base, constant), both);
    }
  return 0;
}

static Term finish_sum(TermTable *tt, uint32_t base, Rational constant) {
  Pair *pairs = tt->pairs + base;
  uint32_t n = tt->pair_count - base, kept = 0;
  sort_pairs(tt, pairs, n);
  for (uint32_t i = 0; i < n; i++) {
    if (kept && pairs[kept - 1].term == pairs[i].term)
      pairs[kept - 1].k = rational_add(tt->arena->guard, pairs[kept - 1].k, pairs[i].k);
    else
      pairs[kept++] = pairs[i];
    if (pairs[kept - 1].k.num == 0) kept--;
  }
  Term simpler = sum_without_extrema(tt, base, kept, constant);
  if (simpler) return simpler;
  tt->pair_count = base, pairs = tt->pairs + base;
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

Term term_add_scaled(TermTable *tt, Rational k, Term a, Rational l, Term b) {
  uint32_t base = tt->pair_count;
  Rational constant = rational_int(0);
  gather_sum(tt, k, a, &constant);
  if (b) gather_sum(tt, l, b, &constant);
  return finish_sum(tt, base, constant);
}

/* +inf + a etc. (+inf) + (-inf) is NaN; where a is an extremum of nothing, execute/loops/undefined.c asks. */
static Term add_infinity(TermTable *tt, Term a, Term b) {
  if (term_swallowing(tt, a, b)) return term_swallowing(tt, a, b);
  if (term_is_infinite_select(tt, a) || term_is_infinite_select(tt, b)) return term_push_out(tt, term_add, a, b);
  if (!term_is_infinity(tt, a)) return b;
  if (!term_is_infinity(tt, b)) return a;
  return a == b ? a : term_float(tt, __builtin_nan(""));
}

Term term_add(TermTable *tt, Term a, Term b) {
  if (term_is_infinity(tt, a) || term_is_infinity(tt, b)) return add_infinity(tt, a, b);
  if (term_is_infinite_select(tt, a) || term_is_infinite_select(tt, b)) return term_push_out(tt, term_add, a, b);
  return term_add_scaled(tt, rational_int(1), a, rational_int(1), b);
}

Term term_sub(TermTable *tt, Term a, Term b) {
  if (a == b && !term_is_infinity(tt, a)) return tt->zero;
  if ((term_node(tt, a)->flags | term_node(tt, b)->flags) & TERM_HAS_INF) return term_add(tt, a, term_neg(tt, b));
  return term_add_scaled(tt, rational_int(1), a, rational_int(-1), b);
}

Term term_scale(TermTable *tt, Rational k, Term a) {
  if (k.num == 0 && !term_is_infinite_select(tt, a))
    return term_swallowing(tt, a, 0) ? a : term_is_infinity(tt, a) ? term_float(tt, __builtin_nan("")) : tt->zero;
  TermKind kind = term_kind(tt, a);
  if (kind == TERM_NAN || kind == TERM_UNDEF) return a;
  if (kind == TERM_INF) return k.num > 0 ? a : tt->neg_inf;
  if (kind == TERM_NEG_INF) return k.num > 0 ? a : tt->inf;
  if (term_is_infinite_select(tt, a))
    return term_select(tt, term_arg(tt, a, 0), term_scale(tt, k, term_arg(tt, a, 1)),
                       term_scale(tt, k, term_arg(tt, a, 2)));
  return term_add_scaled(tt, k, a, rational_int(0), 0);
}

Term term_neg(TermTable *tt, Term a) { return term_scale(tt, rational_int(-1), a); }

/* ---- products ---- */

/* Powers of 2^64 stay as they are: a float literal far from 1 is a multiple of one, since it fits no rational
 * (term_float). */
static bool is_far_power(Rational base, Rational e) { return base.num == 2 && base.den == 1 && e.num % 64 == 0; }

/* c = s^2 m with a whole m that has no square of a small number in it; false: c is too large to look. */
static bool square_part(Guard *g, Rational c, Rational *s, Rational *m) {
  enum { MOST = 1 << 30, MOST_BASE = 1000 };
  if (c.num <= 0 || c.num > MOST || c.den > MOST) return false;
  Int128 rest = c.num * c.den, root = 1;
  for (Int128 p = 2; p <= MOST_BASE && p * p <= rest; p++)
    for (; rest % (p * p) == 0; rest /= p * p) root *= p;
  *m = (Rational){rest, 1};
  *s = rational_make(g, root, c.den);
  return true;
}

static bool is_closed_constant(const TermTable *tt, Term t) {
  const TermNode *node = term_node(tt, t);
  return !node->free_mask && !(node->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_FOLD | TERM_HAS_UNDEF));
}

static void gather_product(TermTable *tt, Term t, Rational e, Rational *k) {
  Guard *g = tt->arena->guard;
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
  Rational m; /* sqrt(8 / pi) = 2 sqrt(2 / pi) */
  if (rest != t && e.den == 2 && is_closed_constant(tt, rest) && square_part(g, c, &root, &m)) {
    *k = rational_mul(g, *k, rational_power(g, root, (int64_t)e.num));
    push_pair(tt, term_scale(tt, m, rest), e);
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
        if (a.den == 1 || both.den != 1 || term_is_nonnegative(tt, base))
          gather_product(tt, base, both, k);
        else if (!whole)
          push_pair(tt, t, e); /* (x^3/2)^2/3 is x only for x >= 0 */
        else
          for (Int128 copies = e.num < 0 ? -e.num : e.num; copies > 0;
               copies--) /* sqrt(x) sqrt(x) is x only for x >= 0 */
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

/* A number that is not 0: x / x = 1, for log(2) too. */
static bool is_nonzero_number(TermTable *tt, Term t) {
  bool is_log = term_kind(tt, t) == TERM_FN && term_aux(tt, t) == FN_LOG && term_is_rat(tt, term_arg(tt, t, 0));
  return term_is_rat(tt, t) || (is_log && term_is_positive(tt, t));
}

static Term finish_product(TermTable *tt, uint32_t base, Rational k) {
  Pair *pairs = tt->pairs + base;
  uint32_t n = tt->pair_count - base, kept = 0;
  sort_pairs(tt, pairs, n);
  for (uint32_t i = 0; i < n; i++) {
    bool merged = false;
    for (uint32_t j = kept; j-- > 0 && pairs[j].term == pairs[i].term;) {
      if (rational_sign(pairs[j].k) != rational_sign(pairs[i].k) && !is_nonzero_number(tt, pairs[i].term)) continue;
      Rational both = rational_add(tt->arena->guard, pairs[j].k, pairs[i].k);
      if (both.den == 1 && pairs[i].k.den != 1 && !term_is_nonnegative(tt, pairs[i].term))
        continue; /* the root needs x >= 0 */
      pairs[j].k = both;
      merged = true;
      break;
    }
    if (!merged)
      pairs[kept++] = pairs[i];
    else if (pairs[kept - 1].k.num == 0)
      kept--;
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
  if (kept == 1 && pairs[0].k.num == 1 && pairs[0].k.den == 1)
    result = pairs[0].term;
  else {
    TermSort sort = SORT_INT;
    Term small[32], *args = 2 * kept <= 32 ? small : arena_array(tt->arena, Term, 2 * (size_t)kept);
    for (uint32_t i = 0; i < kept; i++) {
      if (pairs[i].k.den != 1 || pairs[i].k.num < 0 || term_sort(tt, pairs[i].term) != SORT_INT ||
          term_is_rat(tt, pairs[i].term))
        sort = SORT_REAL;
      args[2 * i] = pairs[i].term;
      args[2 * i + 1] = term_new_rat(tt, pairs[i].k);
    }
    result = term_cons(tt, TERM_MUL, sort, 0, 2 * kept, args);
  }
  if (k.num == 1 && k.den == 1) return result;
  return term_add_scaled(tt, k, result, rational_int(0), 0);
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
  if (term_swallowing(tt, inf, b)) return term_swallowing(tt, inf, b);
  if (term_is_infinite_select(tt, b)) return term_push_out(tt, term_mul, inf, b);
  Term minus = term_kind(tt, inf) == TERM_INF ? tt->neg_inf : tt->inf;
  if (b == tt->inf || b == tt->neg_inf) return b == tt->inf ? inf : minus;
  if (term_is_positive(tt, b)) return inf;
  if (term_is_positive(tt, term_neg(tt, b))) return minus;
  return term_select(tt, term_lt(tt, tt->zero, b), inf,
                     term_select(tt, term_lt(tt, b, tt->zero), minus, term_float(tt, __builtin_nan(""))));
}

/* Int products expand: (sum a_i)(sum b_j). */
static Term expand_product(TermTable *tt, Term a, Term b) {
  Guard *g = tt->arena->guard;
  if (term_kind(tt, a) != TERM_ADD) {
    Term t = a;
    a = b, b = t;
  }
  if ((uint64_t)term_count(tt, a) * term_count(tt, b) > 40000)
    guard_throw(g, GUARD_LIMIT, "integer polynomial too large");
  Term sum = term_scale(tt, term_rat(tt, term_arg(tt, a, 0)), b);
  for (uint32_t i = 1; i < term_count(tt, a); i += 2) {
    Term part = term_mul(tt, term_arg(tt, a, i + 1), b);
    sum = term_add_scaled(tt, rational_int(1), sum, term_rat(tt, term_arg(tt, a, i)), part);
  }
  return sum;
}

Term term_mul(TermTable *tt, Term a, Term b) {
  if (term_is_infinity(tt, a)) return mul_infinity(tt, a, b);
  if (term_is_infinity(tt, b)) return mul_infinity(tt, b, a);
  if (term_is_infinite_select(tt, a) || term_is_infinite_select(tt, b)) return term_push_out(tt, term_mul, a, b);
  if (term_is_rat(tt, a)) return term_scale(tt, term_rat(tt, a), b);
  if (term_is_rat(tt, b)) return term_scale(tt, term_rat(tt, b), a);
  if (term_sort(tt, a) == SORT_INT && term_sort(tt, b) == SORT_INT &&
      (term_kind(tt, a) == TERM_ADD || term_kind(tt, b) == TERM_ADD) && term_is_finite(tt, a) &&
      term_is_finite(tt, b)) /* an extremum over nothing is infinite */
    return expand_product(tt, a, b);
  return mul_powers(tt, a, rational_int(1), b, rational_int(1));
}

Term term_power(TermTable *tt, Term a, Rational e) {
  if (e.num == 0) return tt->one;
  if (e.num == 1 && e.den == 1) return a;
  if (a == tt->neg_inf && e.den != 1) return term_float(tt, __builtin_nan(""));
  if (term_is_infinity(tt, a))
    return term_swallowing(tt, a, 0) ? a : e.num < 0 ? tt->zero : e.den == 1 && e.num % 2 ? a : tt->inf;
  if (term_is_infinite_select(tt, a))
    return term_select(tt, term_arg(tt, a, 0), term_power(tt, term_arg(tt, a, 1), e),
                       term_power(tt, term_arg(tt, a, 2), e));
  if (term_sort(tt, a) == SORT_INT && term_kind(tt, a) == TERM_ADD && e.den == 1 && e.num > 0 && e.num <= 16) {
    Term result = a;
    for (Int128 i = 1; i < e.num; i++) result = term_mul(tt, result, a);
    return result;
  }
  return mul_powers(tt, a, e, 0, e);
}

Term term_without_factor(TermTable *tt, Term product, uint32_t at) {
  Term rest = tt->one;
  for (uint32_t i = 0; i < term_count(tt, product); i += 2)
    if (i != at)
      rest = term_mul(tt, rest, term_power(tt, term_arg(tt, product, i), term_rat(tt, term_arg(tt, product, i + 1))));
  return rest;
}

Term term_div(TermTable *tt, Term a, Term b) { return term_mul(tt, a, term_power(tt, b, rational_int(-1))); }

Term term_drop_factor(TermTable *tt, Term t, uint32_t drop) {
  uint32_t base = tt->pair_count, n = term_count(tt, t);
  for (uint32_t i = 0; i < n; i += 2) {
    Rational e = term_rat(tt, term_arg(tt, t, i + 1));
    if (i == drop) e = rational_sub(tt->arena->guard, e, rational_int(1));
    if (e.num) push_pair(tt, term_arg(tt, t, i), e);
  }
  return finish_product(tt, base, rational_int(1));
}

/* ---- the same in order ---- */

Term term_resort(TermTable *tt, Term like, Term *args) {
  TermNode n = *term_node(tt, like);
  TermKind kind = (TermKind)n.kind;
  if (kind == TERM_ADD || kind == TERM_MUL) {
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
  } else if (term_kind_is_extremum(kind) || kind == TERM_AND || kind == TERM_OR)
    term_sort_args(tt, args, n.count);
  else if (kind == TERM_EQ) {
    /* another summand may be the first, whose sign an equation has */
    Term t = n.count == 1 ? term_scale_comparison(tt, args[0], true) : 0;
    if (t) args[0] = t;
  } else if (kind == TERM_FN) {
    if (n.aux == FN_BITAND || n.aux == FN_BITOR || n.aux == FN_BITXOR) term_sort_args(tt, args, n.count);
  }
  return term_cons(tt, (TermKind)n.kind, (TermSort)n.sort, n.aux, n.count, args);
}
