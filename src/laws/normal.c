/* Normal form: equal values over the reals become one term more often.
 *
 *   products of sums are multiplied out; exp(a) exp(b) = exp(a + b); log(exp(a) b) = a + log(b)
 *   sum[k](c f(k) + g(k)) = c sum[k](f(k)) + sum[k](g(k)), also c = exp(a) out of exp(a + h(k)), c free of k
 *   max[k](r f(k) + c) = r max[k](f(k)) + c for a literal r > 0, and -min for r < 0
 *
 * What is moved out of a fold or joined in an exponent must be finite (semantics: infinities are never summands). */
#include "laws/laws.h"
#include "term/cons.h"

/* (a - b) inf is not a inf - b inf. */
static Term distribute(TermTable *tt, Term a, Term b) {
  if (term_kind(tt, a) == TERM_ADD && term_is_finite(tt, b)) {
    Term sum = distribute(tt, term_arg(tt, a, 0), b);
    for (uint32_t i = 1; i < term_count(tt, a); i += 2)
      sum = term_add(tt, sum,
                     term_scale(tt, term_rat(tt, term_arg(tt, a, i)), distribute(tt, term_arg(tt, a, i + 1), b)));
    return sum;
  }
  if (term_kind(tt, b) == TERM_ADD && !term_is_rat(tt, a) && term_is_finite(tt, a)) return distribute(tt, b, a);
  return term_mul(tt, a, b);
}

Term term_expand(TermTable *tt, Term t) {
  guard_tick(tt->arena->guard);
  if (term_kind(tt, t) == TERM_ADD) {
    Term sum = term_arg(tt, t, 0);
    for (uint32_t i = 1; i < term_count(tt, t); i += 2)
      sum = term_add(tt, sum, distribute(tt, term_arg(tt, t, i), term_expand(tt, term_arg(tt, t, i + 1))));
    return sum;
  }
  if (term_kind(tt, t) != TERM_MUL) return t;
  Term product = tt->one;
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    Term base = term_expand(tt, term_arg(tt, t, i));
    Rational e = term_rat(tt, term_arg(tt, t, i + 1));
    if (e.den == 1 && e.num > 0 && e.num <= 4 && term_kind(tt, base) == TERM_ADD)
      for (Int128 k = 0; k < e.num; k++) product = distribute(tt, product, base);
    else
      product = distribute(tt, product, term_power(tt, base, e));
  }
  return product;
}

static Term expand_node(TermTable *tt, Term t, void *unused) {
  (void)unused;
  return term_sort(tt, t) == SORT_REAL && (term_kind(tt, t) == TERM_ADD || term_kind(tt, t) == TERM_MUL)
             ? term_expand(tt, t)
             : t;
}

Term term_expand_all(TermTable *tt, Term t) { return term_transform(tt, t, expand_node, NULL); }

Term term_flatten(TermTable *tt, Term t) {
  bool nested = false;
  if (term_kind(tt, t) != TERM_ADD) return t;
  for (uint32_t i = 2; i < term_count(tt, t); i += 2) nested |= term_kind(tt, term_arg(tt, t, i)) == TERM_ADD;
  if (!nested) return t;
  Term sum = term_arg(tt, t, 0);
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    Rational k = term_rat(tt, term_arg(tt, t, i));
    Term inner = term_flatten(tt, term_arg(tt, t, i + 1));
    if (term_kind(tt, inner) != TERM_ADD)
      sum = term_add(tt, sum, term_scale(tt, k, inner));
    else {
      sum = term_add(tt, sum, term_scale(tt, k, term_arg(tt, inner, 0)));
      for (uint32_t j = 1; j < term_count(tt, inner); j += 2) {
        Rational both = rational_mul(tt->arena->guard, k, term_rat(tt, term_arg(tt, inner, j)));
        sum = term_add(tt, sum, term_scale(tt, both, term_arg(tt, inner, j + 1)));
      }
    }
  }
  return sum;
}

/* ---- exponentials ---- */

static bool is_fn(const TermTable *tt, Term t, TermFn fn) {
  return term_kind(tt, t) == TERM_FN && term_aux(tt, t) == fn;
}

static Term exponential(TermTable *tt, Term x) { return term_fn1(tt, FN_EXP, term_expand(tt, x)); }

/* A product with at most one exponential, whose exponent takes the others in. */
static Term join_exponentials(TermTable *tt, Term product) {
  if (term_kind(tt, product) != TERM_MUL) return product;
  Term sum = tt->zero, rest = tt->one;
  uint32_t count = 0;
  for (uint32_t i = 0; i < term_count(tt, product); i += 2) {
    Term base = term_arg(tt, product, i);
    Rational e = term_rat(tt, term_arg(tt, product, i + 1));
    if (is_fn(tt, base, FN_EXP) && term_is_finite(tt, term_arg(tt, base, 0))) {
      sum = term_add(tt, sum, term_scale(tt, e, term_arg(tt, base, 0)));
      count += e.num == 1 && e.den == 1 ? 1 : 2;
    } else
      rest = term_mul(tt, rest, term_power(tt, base, e));
  }
  return count < 2 ? product : term_mul(tt, rest, exponential(tt, sum));
}

static Term join_in_sum(TermTable *tt, Term t) {
  if (term_kind(tt, t) != TERM_ADD) return join_exponentials(tt, t);
  Term sum = term_arg(tt, t, 0);
  for (uint32_t i = 1; i < term_count(tt, t); i += 2)
    sum = term_add(tt, sum,
                   term_scale(tt, term_rat(tt, term_arg(tt, t, i)), join_exponentials(tt, term_arg(tt, t, i + 1))));
  return term_flatten(tt, sum);
}

static Term multiply(TermTable *tt, Term a, Term b) { return join_in_sum(tt, distribute(tt, a, b)); }

/* (c b1^e1 b2^e2 ...)^e with the content of a sum taken out: (2 x + 2 y)^-1 = 1/2 (x + y)^-1. */
static Term content_out(TermTable *tt, Term t) {
  if (term_kind(tt, t) != TERM_MUL) return t;
  Term product = tt->one;
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    Term base = term_arg(tt, t, i), lead;
    Rational e = term_rat(tt, term_arg(tt, t, i + 1)), k = rational_int(1);
    if (term_kind(tt, base) == TERM_ADD && e.den == 1 && term_sort(tt, base) == SORT_REAL) {
      lead = term_arg(tt, base, 1);
      k = term_rat(tt, lead);
      Rational inverse = rational_div(tt->arena->guard, rational_int(1), k);
      base = term_scale(tt, inverse, base);
      Term power = tt->one, literal = term_power(tt, term_new_rat(tt, k), e);
      power = term_power(tt, base, e);
      product = term_mul(tt, product, term_mul(tt, literal, power));
    } else
      product = term_mul(tt, product, term_power(tt, base, e));
  }
  return product;
}

/* log(c exp(a) rest) = a + log(c rest). */
static Term logarithm(TermTable *tt, Term t) {
  Term x = term_arg(tt, t, 0), product;
  Rational k = term_coefficient(tt, x, &product);
  if (term_kind(tt, product) != TERM_MUL) return t;
  for (uint32_t i = 0; i < term_count(tt, product); i += 2) {
    Term base = term_arg(tt, product, i);
    Rational e = term_rat(tt, term_arg(tt, product, i + 1));
    if (!is_fn(tt, base, FN_EXP)) continue;
    Term rest = term_mul(tt, product, term_power(tt, base, rational_neg(e)));
    return term_add(tt, term_scale(tt, e, term_arg(tt, base, 0)), term_fn1(tt, FN_LOG, term_scale(tt, k, rest)));
  }
  return t;
}

/* ---- folds ---- */

static bool depends(const TermTable *tt, Term t, Term symbol) {
  return (term_node(tt, t)->free_mask & term_node(tt, symbol)->free_mask) && term_has_symbol(tt, t, symbol);
}

/* True if t may stand before the sum. It must be finite, and have a value where nothing is summed, unless this is only
 * a guess. */
static bool may_leave(TermTable *tt, Term t, const FoldParts *p, bool guess) {
  if (!term_is_finite(tt, t)) return false;
  return guess || term_is_total(tt, t) || (p->guard == tt->true_ && term_prove_lt(tt, p->lo, p->hi));
}

/* part = outer * inner with outer free of the index. */
static void split_factors(TermTable *tt, Term part, const FoldParts *p, bool guess, Term *outer, Term *inner) {
  Term symbol = p->symbol;
  *outer = *inner = tt->one;
  uint32_t n = term_kind(tt, part) == TERM_MUL ? term_count(tt, part) : 2;
  for (uint32_t i = 0; i < n; i += 2) {
    bool product = term_kind(tt, part) == TERM_MUL;
    Term base = product ? term_arg(tt, part, i) : part;
    Term factor = product ? term_power(tt, base, term_rat(tt, term_arg(tt, part, i + 1))) : part;
    if (!depends(tt, factor, symbol)) {
      if (may_leave(tt, factor, p, guess))
        *outer = term_mul(tt, *outer, factor);
      else
        *inner = term_mul(tt, *inner, factor);
    } else if (is_fn(tt, factor, FN_EXP) && term_kind(tt, term_arg(tt, factor, 0)) == TERM_ADD) {
      Term x = term_arg(tt, factor, 0), in = tt->zero, out = term_arg(tt, x, 0);
      for (uint32_t k = 1; k < term_count(tt, x); k += 2) {
        Term summand = term_scale(tt, term_rat(tt, term_arg(tt, x, k)), term_arg(tt, x, k + 1));
        if (depends(tt, summand, symbol) || !may_leave(tt, summand, p, guess))
          in = term_add(tt, in, summand);
        else
          out = term_add(tt, out, summand);
      }
      *outer = term_mul(tt, *outer, term_fn1(tt, FN_EXP, out));
      *inner = term_mul(tt, *inner, term_fn1(tt, FN_EXP, in));
    } else
      *inner = term_mul(tt, *inner, factor);
  }
}

static Term sum_of_part(TermTable *tt, const FoldParts *p, Term part, bool guess) {
  Term outer, inner;
  split_factors(tt, part, p, guess, &outer, &inner);
  Term fold = term_fold(tt, FOLD_SUM, p->symbol, p->lo, p->hi, p->guard, inner);
  return multiply(tt, join_exponentials(tt, outer), fold);
}

static Term normal_sum(TermTable *tt, Term t, bool guess) {
  FoldParts p = term_fold_open(tt, t);
  if (term_sort(tt, p.body) != SORT_REAL) { /* integers: a literal factor alone */
    Term rest;
    Rational k = term_coefficient(tt, p.body, &rest);
    return rest == p.body ? t : term_scale(tt, k, term_fold(tt, FOLD_SUM, p.symbol, p.lo, p.hi, p.guard, rest));
  }
  Term body = join_in_sum(tt, term_expand(tt, p.body));
  if (term_kind(tt, body) != TERM_ADD) return sum_of_part(tt, &p, body, guess);
  Term sum = term_arg(tt, body, 0) == tt->zero
                 ? tt->zero
                 : term_fold(tt, FOLD_SUM, p.symbol, p.lo, p.hi, p.guard, term_arg(tt, body, 0));
  for (uint32_t i = 1; i < term_count(tt, body); i += 2)
    sum = term_add(
        tt, sum,
        term_scale(tt, term_rat(tt, term_arg(tt, body, i)), sum_of_part(tt, &p, term_arg(tt, body, i + 1), guess)));
  return term_flatten(tt, sum);
}

static Term normal_extremum(TermTable *tt, Term t) {
  FoldParts p = term_fold_open(tt, t);
  bool is_real = term_sort(tt, p.body) == SORT_REAL; /* of integers no factor is taken out */
  if (term_sort(tt, p.body) == SORT_BOOL || p.guard != tt->true_ || !term_prove_lt(tt, p.lo, p.hi)) return t;
  Term inner = tt->zero, outer = tt->zero, body = p.body, rest;
  if (term_kind(tt, body) == TERM_ADD) {
    outer = term_arg(tt, body, 0);
    for (uint32_t i = 1; i < term_count(tt, body); i += 2) {
      Term summand = term_scale(tt, term_rat(tt, term_arg(tt, body, i)), term_arg(tt, body, i + 1));
      if (depends(tt, summand, p.symbol) || !term_is_finite(tt, summand))
        inner = term_add(tt, inner, summand);
      else
        outer = term_add(tt, outer, summand);
    }
  } else
    inner = body;
  if (!depends(tt, inner, p.symbol)) return t;
  bool single = is_real && (term_kind(tt, inner) != TERM_ADD ||
                            (term_count(tt, inner) == 3 && term_arg(tt, inner, 0) == tt->zero));
  Rational k = single ? term_coefficient(tt, inner, &rest) : rational_int(1);
  inner = term_scale(tt, rational_div(tt->arena->guard, rational_int(1), k), inner);
  TermFoldOp op = k.num > 0 ? p.op : p.op == FOLD_MAX ? FOLD_MIN : FOLD_MAX;
  Term fold = term_fold(tt, op, p.symbol, p.lo, p.hi, p.guard, inner);
  return term_add(tt, outer, term_scale(tt, k, fold));
}

/* where(a < b, b, a) = max(a, b), also <= and min. */
Term term_extremum_of_select(TermTable *tt, Term t, void *unused) {
  (void)unused;
  if (term_kind(tt, t) != TERM_SELECT) return t;
  Term c = term_arg(tt, t, 0), yes = term_arg(tt, t, 1), no = term_arg(tt, t, 2);
  if (!term_is_number(tt, yes) || !term_is_number(tt, no)) return t;
  if (c == term_lt(tt, no, yes) || c == term_le(tt, no, yes)) return term_max(tt, yes, no);
  if (c == term_lt(tt, yes, no) || c == term_le(tt, yes, no)) return term_min(tt, yes, no);
  return t;
}

static Term normal_node(TermTable *tt, Term t, void *guess) {
  if (term_sort(tt, t) != SORT_REAL && !(term_kind(tt, t) == TERM_FOLD)) return t;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_ADD) return join_in_sum(tt, term_flatten(tt, term_expand(tt, t)));
  if (kind == TERM_MUL) return join_in_sum(tt, term_flatten(tt, term_expand(tt, content_out(tt, t))));
  if (kind == TERM_SELECT) return term_extremum_of_select(tt, t, NULL);
  if (kind == TERM_FN) {
    if (is_fn(tt, t, FN_EXP) && term_kind(tt, term_arg(tt, t, 0)) == TERM_ADD)
      return exponential(tt, term_arg(tt, t, 0));
    return is_fn(tt, t, FN_LOG) ? logarithm(tt, t) : t;
  }
  if (kind == TERM_FOLD) {
    if (term_aux(tt, t) == FOLD_SUM) return normal_sum(tt, t, guess != NULL);
    if (term_aux(tt, t) == FOLD_MAX || term_aux(tt, t) == FOLD_MIN) return normal_extremum(tt, t);
    return t;
  }
  return t;
}

Term term_normalize(TermTable *tt, Term t) { return term_transform(tt, t, normal_node, NULL); }
Term term_normalize_guess(TermTable *tt, Term t) { return term_transform(tt, t, normal_node, tt); }

Term term_spread_extrema(TermTable *tt, Term t, void *unused) {
  for (uint32_t i = 1; term_kind(tt, t) == TERM_ADD && i < term_count(tt, t); i += 2) {
    Term part = term_arg(tt, t, i + 1), all = 0;
    Rational k = term_rat(tt, term_arg(tt, t, i));
    if (term_kind(tt, part) != TERM_MAX && term_kind(tt, part) != TERM_MIN) continue;
    Term rest = term_sub(tt, t, term_scale(tt, k, part));
    if (!term_is_finite(tt, rest)) continue;
    for (uint32_t j = 0; j < term_count(tt, part); j++) {
      Term x = term_spread_extrema(tt, term_add(tt, rest, term_scale(tt, k, term_arg(tt, part, j))), unused);
      all = !all ? x : (term_kind(tt, part) == TERM_MAX) == (k.num > 0) ? term_max(tt, all, x) : term_min(tt, all, x);
    }
    return all;
  }
  return t;
}

/* exp(k log(x) + r) = x^k exp(r) where x > 0. */
static Term without_log(TermTable *tt, Term t, void *unused) {
  (void)unused;
  if (!is_fn(tt, t, FN_EXP)) return t;
  Term e = term_arg(tt, t, 0), product = tt->one, rest = e;
  bool sum = term_kind(tt, e) == TERM_ADD;
  for (uint32_t i = 1; i < (sum ? term_count(tt, e) : 2); i += 2) {
    Term part = sum ? term_arg(tt, e, i + 1) : e;
    Rational k = sum ? term_rat(tt, term_arg(tt, e, i)) : rational_int(1);
    if (!is_fn(tt, part, FN_LOG) || k.den != 1 || k.num > 4 || k.num < -4) continue;
    Term of = term_arg(tt, part, 0);
    if (!term_is_positive(tt, of) &&
        (k.num < 0 || !term_is_nonnegative(tt, of) || !term_is_finite(tt, term_sub(tt, e, term_scale(tt, k, part)))))
      continue; /* exp(log(0)) = 0 */
    product = term_mul(tt, product, term_power(tt, term_arg(tt, part, 0), k));
    rest = term_sub(tt, rest, term_scale(tt, k, part));
  }
  return product == tt->one ? t : term_mul(tt, product, term_fn1(tt, FN_EXP, rest));
}

Term term_exponential(TermTable *tt, Term t) {
  bool sum = term_kind(tt, t) == TERM_ADD;
  if (term_sort(tt, t) != SORT_REAL) return 0;
  for (uint32_t i = 1; i < (sum ? term_count(tt, t) : 2); i += 2) {
    Term part = sum ? term_arg(tt, t, i + 1) : t;
    if (!is_fn(tt, part, FN_LOG) || (sum && term_arg(tt, t, i) != tt->one)) continue;
    Term product = term_mul(tt, term_fn1(tt, FN_EXP, term_sub(tt, t, part)), term_arg(tt, part, 0));
    return term_normalize(tt, term_transform(tt, term_expand(tt, product), without_log, NULL));
  }
  return 0;
}
