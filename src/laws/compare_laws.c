/* Laws that bring two ways of writing one value together, beyond the prover's own normal form. They are applied to both
 * sides, in steps, and after each step the prover is asked again:
 *
 *   rebuild   the constructors again, which use the facts that hold by now; names that facts make a number
 *   points    folds over an index that only one value of passes (one_point.c)
 *   cuts      folds whose elements a condition on the index chooses, as the folds over what is chosen (split_folds.c)
 *   choices   max(a, b), min(a, b), |a| of reals as selects
 *   smooth    tanh z = 1 - 2/(exp(2z) + 1); one orientation of 1/(1 + exp u); max of a growing function = it of the
 * max; folds over adjacent ranges are one inwards   c * sum(f) = sum(c * f); exp a * exp b = exp(a + b); then folds
 * over tiles are joined shifts    folds of tiles as one, products of sums multiplied out; of the left, rescaled sums
 * without their scale, which may have a value where the left has none tiles     running means and variances over tiles
 * (tiles.c)
 *   quotients  tiles that have a factor each as one fold, in which that of k is the one of k // B
 *   exponents  prod(exp(f)) = exp(sum(f)), with sums over a part of a range as differences of sums from its beginning
 *   elements   folds over a few places as their elements (elements.c)
 *
 * Each law holds wherever its left side is defined; ranges and signs that it needs are proved. */
#include "laws/compare_laws.h"

#include "laws/laws.h"
#include "laws/one_point.h"
#include "term/cons.h"

typedef Term (*Law)(TermTable *tt, Term t);

static bool is_fold(const TermTable *tt, Term t, TermFoldOp op) {
  return term_kind(tt, t) == TERM_FOLD && term_aux(tt, t) == op;
}
static bool is_fn(const TermTable *tt, Term t, TermFn fn) {
  return term_kind(tt, t) == TERM_FN && term_aux(tt, t) == fn;
}

/* ---- rebuild ---- */

/* a // b = 1 for b <= a < 2b: one tile holds the whole row. */
static Term quotient_of_one_tile(TermTable *tt, Term t) {
  if (term_kind(tt, t) != TERM_FLOORDIV) return t;
  Term a = term_arg(tt, t, 0), b = term_arg(tt, t, 1);
  return term_prove_lt(tt, tt->zero, b) && term_prove_le(tt, b, a) &&
                 term_prove_lt(tt, a, term_scale(tt, rational_int(2), b))
             ? tt->one
             : t;
}

/* The number that the facts make of a name: num_programs where the launch gives it. 0: none. */
static Term number_of_name(TermTable *tt, Term t) {
  if (term_kind(tt, t) != TERM_SYM || term_sort(tt, t) != SORT_INT) return 0;
  for (uint32_t i = 0; i < tt->facts.count; i++) {
    Term fact = tt->facts.data[i], e = term_count(tt, fact) == 1 ? term_arg(tt, fact, 0) : 0;
    if (term_kind(tt, fact) != TERM_EQ || !e || !term_has_symbol(tt, e, t)) continue;
    Term rest = term_replace(tt, e, t, tt->zero); /* t + rest = 0 or rest - t = 0, and nothing else of t */
    bool is_added = e == term_add(tt, t, rest), is_taken = e == term_sub(tt, rest, t);
    if (term_is_rat(tt, rest) && (is_added || is_taken)) return is_added ? term_neg(tt, rest) : rest;
  }
  return 0;
}

static Term by_facts(TermTable *tt, Term t) {
  Term number = number_of_name(tt, t);
  return number ? number : quotient_of_one_tile(tt, t);
}

/* ---- choices ---- */

static Term as_choice(TermTable *tt, Term t) {
  TermKind kind = term_kind(tt, t);
  if (term_sort(tt, t) != SORT_REAL) return t;
  if (kind == TERM_ABS)
    return term_select(tt, term_lt(tt, term_arg(tt, t, 0), tt->zero), term_neg(tt, term_arg(tt, t, 0)),
                       term_arg(tt, t, 0));
  if ((kind != TERM_MAX && kind != TERM_MIN) || term_count(tt, t) != 2) return t;
  /* strict, and with a number on the left: max(0, x) chooses by 0 < x, as people do */
  Term a = term_arg(tt, t, 0), b = term_arg(tt, t, 1);
  if (term_is_rat(tt, b)) a = b, b = term_arg(tt, t, 0);
  return kind == TERM_MAX ? term_select(tt, term_lt(tt, a, b), b, a) : term_select(tt, term_lt(tt, b, a), b, a);
}

/* ---- smooth ---- */

/* k * (a + b) = k*a + k*b for a number k: what the code keeps apart may meet. */
static Term spread_coefficients(TermTable *tt, Term t) {
  if (term_kind(tt, t) != TERM_ADD || term_sort(tt, t) != SORT_REAL) return t;
  Term sum = term_arg(tt, t, 0);
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    Rational k = term_rat(tt, term_arg(tt, t, i));
    Term part = term_arg(tt, t, i + 1);
    if (term_kind(tt, part) != TERM_ADD) {
      sum = term_add(tt, sum, term_scale(tt, k, part));
      continue;
    }
    sum = term_add(tt, sum, term_scale(tt, k, term_arg(tt, part, 0)));
    for (uint32_t j = 1; j < term_count(tt, part); j += 2)
      sum = term_add(tt, sum,
                     term_scale(tt, k, term_scale(tt, term_rat(tt, term_arg(tt, part, j)), term_arg(tt, part, j + 1))));
  }
  return sum;
}

static Term tanh_as_exp(TermTable *tt, Term t) {
  if (!is_fn(tt, t, FN_TANH)) return t;
  Term z = term_arg(tt, t, 0), e = term_fn1(tt, FN_EXP, spread_coefficients(tt, term_scale(tt, rational_int(2), z)));
  return term_sub(tt, tt->one,
                  term_scale(tt, rational_int(2), term_power(tt, term_add(tt, e, tt->one), rational_int(-1))));
}

/* u of 1 + exp(u), or 0 */
static Term logistic_argument(TermTable *tt, Term base) {
  if (term_kind(tt, base) != TERM_ADD || term_count(tt, base) != 3 || term_arg(tt, base, 0) != tt->one ||
      term_arg(tt, base, 1) != tt->one)
    return 0;
  Term e = term_arg(tt, base, 2);
  return is_fn(tt, e, FN_EXP) ? term_arg(tt, e, 0) : 0;
}

/* The sign of the leading coefficient tells u from -u. */
static bool is_turned(TermTable *tt, Term u) {
  if (term_kind(tt, u) != TERM_ADD || term_count(tt, u) < 2) return false;
  Term first = term_arg(tt, u, 1);
  return term_is_rat(tt, first) && term_rat(tt, first).num < 0;
}

/* 1/(1 + exp u) = 1 - 1/(1 + exp(-u)) where u is the turned one of the two. */
static Term orient_logistic(TermTable *tt, Term t) {
  if (term_kind(tt, t) != TERM_MUL) return t;
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    Term base = term_arg(tt, t, i), u = logistic_argument(tt, base);
    Rational e = term_rat(tt, term_arg(tt, t, i + 1));
    if (!u || e.den != 1 || e.num != -1 || !is_turned(tt, u)) continue;
    Term other = term_power(tt, term_add(tt, term_fn1(tt, FN_EXP, term_neg(tt, u)), tt->one), rational_int(-1));
    Term rest = tt->one; /* t * base would keep base / base, for its domain */
    for (uint32_t k = 0; k < term_count(tt, t); k += 2)
      if (k != i) rest = term_mul(tt, rest, term_power(tt, term_arg(tt, t, k), term_rat(tt, term_arg(tt, t, k + 1))));
    return term_mul(tt, rest, term_sub(tt, tt->one, other));
  }
  return t;
}

/* body = out + factor * inner, with out and factor > 0 free of the index. */
typedef struct Split {
  Term out, factor, inner;
} Split;

static Split split_body(TermTable *tt, Term body, Term index) {
  Split s = {tt->zero, tt->one, body};
  if (term_kind(tt, body) == TERM_ADD)
    for (uint32_t i = 1; i < term_count(tt, body); i += 2) {
      Term part = term_scale(tt, term_rat(tt, term_arg(tt, body, i)), term_arg(tt, body, i + 1));
      if (term_has_symbol(tt, part, index) || !term_is_finite(tt, part)) continue;
      s.out = term_add(tt, s.out, part), s.inner = term_sub(tt, s.inner, part);
    }
  Term product;
  Rational k = term_coefficient(tt, s.inner, &product);
  if (product != s.inner && k.num != 1) { /* 2*u, -2*u */
    Rational size = k.num < 0 ? rational_neg(k) : k;
    s.factor = term_new_rat(tt, size), s.inner = term_scale(tt, rational_int(k.num < 0 ? -1 : 1), product);
  }
  if (term_kind(tt, s.inner) != TERM_MUL) return s;
  Term rest = tt->one;
  for (uint32_t i = 0; i < term_count(tt, s.inner); i += 2) {
    Term part = term_power(tt, term_arg(tt, s.inner, i), term_rat(tt, term_arg(tt, s.inner, i + 1)));
    if (term_has_symbol(tt, part, index) || !term_is_positive(tt, part))
      rest = term_mul(tt, rest, part);
    else
      s.factor = term_mul(tt, s.factor, part);
  }
  s.inner = rest;
  return s;
}

/* max f(g(k)) = f(max g(k)) for growing f, of a range that is not empty; the place of the maximum is that of g's. */
static Term pull_out_of_max(TermTable *tt, Term t) {
  t = term_place_before_tail(tt, t);
  bool place = is_fold(tt, t, FOLD_ARGMAX) || is_fold(tt, t, FOLD_ARGMIN);
  if (!place && !is_fold(tt, t, FOLD_MAX) && !is_fold(tt, t, FOLD_MIN)) return t;
  if (term_sort(tt, term_fold_body(tt, t)) != SORT_REAL) return t;
  FoldParts p = term_fold_open(tt, t);
  bool is_exp = is_fn(tt, p.body, FN_EXP);
  if (!place && (p.guard != tt->true_ || !term_prove_lt(tt, p.lo, p.hi))) return t;
  Split s = is_exp ? (Split){tt->zero, tt->one, term_arg(tt, p.body, 0)} : split_body(tt, p.body, p.symbol);
  if (!is_exp && s.inner == p.body) return t;
  Term inner = pull_out_of_max(tt, term_fold(tt, p.op, p.symbol, p.lo, p.hi, p.guard, s.inner));
  if (place) return inner;
  return is_exp ? term_fn1(tt, FN_EXP, inner) : term_add(tt, s.out, term_mul(tt, s.factor, inner));
}

/* op[a <= k < b](f(k)) and op[c <= k < d](f(k + s)) with s = b - c: one fold over [a, d + s); 0 if they do not fit. */
static Term joined(TermTable *tt, Term x, Term y) {
  if (term_fold_guard(tt, x) != tt->true_ || term_fold_guard(tt, y) != tt->true_) return 0;
  FoldParts p = term_fold_open(tt, x), q = term_fold_open(tt, y);
  Term shift = term_sub(tt, p.hi, q.lo), end = term_add(tt, q.hi, shift);
  if (!term_prove_le(tt, p.lo, p.hi) || !term_prove_le(tt, p.hi, end)) return 0;
  term_symbol_range(tt, p.symbol, p.lo, term_sub(tt, end, tt->one));
  Term body = term_rebuild(tt, p.body),
       moved = term_rebuild(tt, term_replace(tt, q.body, q.symbol, term_sub(tt, p.symbol, shift)));
  return body == moved ? term_fold(tt, p.op, p.symbol, p.lo, end, tt->true_, body) : 0;
}

static Term join_sums(TermTable *tt, Term t) {
  uint32_t n = term_count(tt, t);
  for (uint32_t i = 1; i < n; i += 2)
    for (uint32_t k = 1; k < n; k += 2) {
      Term x = term_arg(tt, t, i + 1), y = term_arg(tt, t, k + 1);
      if (i == k || term_arg(tt, t, i) != term_arg(tt, t, k) || !is_fold(tt, x, FOLD_SUM) || !is_fold(tt, y, FOLD_SUM))
        continue;
      Term one = joined(tt, x, y);
      if (!one) continue;
      Rational c = term_rat(tt, term_arg(tt, t, i));
      Term without = term_sub(tt, t, term_scale(tt, c, term_add(tt, x, y)));
      return term_add(tt, without, term_scale(tt, c, one));
    }
  return t;
}

static Term join_extrema(TermTable *tt, Term t, bool is_max) {
  TermFoldOp op = is_max ? FOLD_MAX : FOLD_MIN;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    for (uint32_t k = 0; k < term_count(tt, t); k++) {
      Term x = term_arg(tt, t, i), y = term_arg(tt, t, k);
      Term one = i != k && is_fold(tt, x, op) && is_fold(tt, y, op) ? joined(tt, x, y) : 0;
      if (!one) continue;
      for (uint32_t j = 0; j < term_count(tt, t); j++)
        if (j != i && j != k)
          one = is_max ? term_max(tt, one, term_arg(tt, t, j)) : term_min(tt, one, term_arg(tt, t, j));
      return one;
    }
  return t;
}

static Term join_folds(TermTable *tt, Term t) {
  if (!(term_node(tt, t)->flags & TERM_HAS_FOLD)) return t;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_ADD) return join_sums(tt, t);
  if (kind == TERM_MAX) return join_extrema(tt, t, true);
  if (kind == TERM_MIN) return join_extrema(tt, t, false);
  return t;
}

static Term smooth(TermTable *tt, Term t) {
  return join_folds(tt, pull_out_of_max(tt, orient_logistic(tt, tanh_as_exp(tt, spread_coefficients(tt, t)))));
}

/* ---- inwards ---- */

/* exp a * exp b = exp(a + b) */
static Term merge_exps(TermTable *tt, Term t) {
  Term sum = tt->zero, rest = tt->one;
  uint32_t count = 0;
  if (term_kind(tt, t) != TERM_MUL) return t;
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    Term base = term_arg(tt, t, i);
    Rational e = term_rat(tt, term_arg(tt, t, i + 1));
    if (is_fn(tt, base, FN_EXP)) {
      sum = term_add(tt, sum, term_scale(tt, e, term_arg(tt, base, 0)));
      count += 1 + (e.num != 1 || e.den != 1);
    } else
      rest = term_mul(tt, rest, term_power(tt, base, e));
  }
  return count < 2 ? t : term_mul(tt, rest, term_fn1(tt, FN_EXP, term_expand(tt, sum)));
}

/* Finite whether the range is empty or not. */
static bool is_finite_over(TermTable *tt, Term factor, Term lo, Term hi) {
  if (term_is_finite(tt, factor)) return true;
  uint32_t facts = tt->facts.count;
  term_push_fact(tt, term_lt(tt, lo, hi));
  bool finite = term_is_finite(tt, factor);
  term_pop_facts(tt, facts);
  return finite && term_is_finite(tt, term_assume(tt, factor, term_le(tt, hi, lo)));
}

static Term inwards(TermTable *tt, Term t) {
  t = merge_exps(tt, t);
  if (term_kind(tt, t) != TERM_MUL) return t;
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    Term fold = term_arg(tt, t, i);
    if (!is_fold(tt, fold, FOLD_SUM) || term_arg(tt, t, i + 1) != tt->one) continue;
    Term factor = tt->one;
    for (uint32_t k = 0; k < term_count(tt, t); k += 2)
      if (k != i)
        factor = term_mul(tt, factor, term_power(tt, term_arg(tt, t, k), term_rat(tt, term_arg(tt, t, k + 1))));
    if (factor == tt->one || !is_finite_over(tt, factor, term_fold_lo(tt, fold), term_fold_hi(tt, fold))) continue;
    FoldParts p = term_fold_open(tt, fold);
    return term_fold(tt, FOLD_SUM, p.symbol, p.lo, p.hi, p.guard, inwards(tt, term_mul(tt, factor, p.body)));
  }
  return t;
}

/* ---- exponents ---- */

/* prod[a <= k < b](exp(f)) = exp(sum[k < b](f) - sum[k < a](f)), of an f that is finite everywhere */
static Term exponents(TermTable *tt, Term t) {
  if (!is_fold(tt, t, FOLD_PROD) || term_fold_guard(tt, t) != tt->true_) return t;
  FoldParts p = term_fold_open(tt, t);
  if (!is_fn(tt, p.body, FN_EXP) || !term_prove_le(tt, tt->zero, p.lo) || !term_prove_le(tt, p.lo, p.hi)) return t;
  Term f = term_arg(tt, p.body, 0), sums[2], ends[] = {p.hi, p.lo};
  if (!term_is_total(tt, f)) return t;
  for (int i = 0; i < 2; i++) {
    Term k = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX);
    term_symbol_range(tt, k, tt->zero, term_sub(tt, ends[i], tt->one));
    sums[i] = term_fold(tt, FOLD_SUM, k, tt->zero, ends[i], tt->true_, term_replace(tt, f, p.symbol, k));
  }
  return term_fn1(tt, FN_EXP, term_sub(tt, sums[0], sums[1]));
}

/* ---- steps ---- */

static Term apply(TermTable *tt, Term t, void *law) { return (*(const Law *)law)(tt, t); }

static Term transform(TermTable *tt, Term t, Law law) { return term_transform(tt, t, apply, &law); }

Term compare_law(TermTable *tt, Term t, CompareLaw law, bool is_left) {
  switch (law) {
  case COMPARE_REBUILD: return transform(tt, t, by_facts);
  case COMPARE_POINTS: return term_transform(tt, t, law_one_point, NULL);
  case COMPARE_CUTS: return term_transform(tt, t, term_split_folds, NULL);
  case COMPARE_CHOICES: return transform(tt, t, as_choice);
  case COMPARE_SMOOTH: return transform(tt, t, smooth);
  case COMPARE_INWARDS:
    for (int i = 0; i < 3; i++) {
      Term before = t;
      t = term_transform(tt, transform(tt, t, inwards), term_merge_tiles, NULL);
      if (t == before) break;
    }
    return t;
  case COMPARE_TILES: return compare_tiles(tt, t);
  case COMPARE_SHIFTS:
    for (int i = 0; i < 8; i++) {
      Term before = t;
      t = term_transform(
          tt, term_transform(tt, term_transform(tt, t, term_merge_partial_tiles, NULL), term_merge_tiles, NULL),
          term_join_ranges, NULL);
      if (is_left) t = term_transform(tt, t, term_drop_shifts, NULL);
      if (t == before) t = term_transform(tt, t, term_join_where_some, NULL);
      if (t == before) break;
    }
    return term_expand_all(tt, t);
  case COMPARE_QUOTIENTS:
    t = compare_law(tt, t, COMPARE_INWARDS, is_left);
    return term_transform(tt, t, term_merge_tiles_by_quotients, NULL);
  case COMPARE_EXPONENTS:
    t = term_transform(tt, term_transform(tt, t, term_extend_recurrences, NULL), term_join_ranges, NULL);
    return transform(tt, t, exponents);
  case COMPARE_ELEMENTS: return compare_elements(tt, t);
  case COMPARE_LAW_COUNT: break;
  }
  return t;
}
