/* (sum f)^2 <= count * sum f^2, by Cauchy and Schwarz (see spread.h): that is why the variance of a layer norm that is
 * computed from the sum and the sum of squares has a root. */
#include "laws/laws.h"
#include "prove/spread.h"

enum { MOST_BITS = 100 };

/* t / fold^exponent, if the fold is a factor of t with just that exponent; 0: it is not. */
static Term without_factor(TermTable *tt, Term t, Term fold, int64_t exponent) {
  if (t == fold) return exponent == 1 ? tt->one : 0;
  if (term_kind(tt, t) != TERM_MUL) return 0;
  Term rest = tt->one;
  bool found = false;
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    Rational e = term_rat(tt, term_arg(tt, t, i + 1));
    if (term_arg(tt, t, i) == fold && !found && rational_equal(e, rational_int(exponent)))
      found = true;
    else
      rest = term_mul(tt, rest, term_power(tt, term_arg(tt, t, i), e));
  }
  return found ? rest : 0;
}

/* The bits of all coefficients that multiplying out may multiply; as many as there is room for, if it is more. */
static uint32_t bits_inside(TermTable *tt, Term t, uint32_t room) {
  uint32_t n = 0;
  TermKind kind = term_kind(tt, t);
  for (uint32_t i = 0; kind == TERM_ADD && i < term_count(tt, t) && n < room; i += i ? 2 : 1)
    n += rational_bits(term_rat(tt, term_arg(tt, t, i))) - 1;
  for (uint32_t i = kind == TERM_ADD; (kind == TERM_ADD || kind == TERM_MUL) && i < term_count(tt, t) && n < room;
       i += 2) {
    Rational e = kind == TERM_ADD ? rational_int(1) : term_rat(tt, term_arg(tt, t, i + 1));
    uint32_t own = bits_inside(tt, term_arg(tt, t, i + (kind == TERM_ADD)), room - n);
    if (e.num < 0) e.num = -e.num;
    n += own && e.num > (Int128)room ? room : own * (uint32_t)e.num;
  }
  return n < room ? n : room;
}

Term spread_expand(TermTable *tt, Term t) { return bits_inside(tt, t, MOST_BITS) < MOST_BITS ? term_expand(tt, t) : t; }

/* n * n^-2 as n^-1, for an n that is positive: products keep both. */
static Term cancelled(TermTable *tt, Term t) {
  Term product, out = tt->one;
  Rational k = term_coefficient(tt, t, &product);
  if (term_kind(tt, product) != TERM_MUL) return t;
  for (uint32_t i = 0, n = term_count(tt, product); i < n; i += 2) {
    Term base = term_arg(tt, product, i);
    Rational e = term_rat(tt, term_arg(tt, product, i + 1));
    bool before = false;
    for (uint32_t j = 0; j < n && term_is_positive(tt, base); j += 2) {
      if (j == i || term_arg(tt, product, j) != base) continue;
      before |= j < i;
      e = rational_add(tt->arena->guard, e, term_rat(tt, term_arg(tt, product, j + 1)));
    }
    if (!before) out = term_mul(tt, out, term_power(tt, base, e));
  }
  return term_scale(tt, k, out);
}

static bool is_sum(const TermTable *tt, Term t) { return term_kind(tt, t) == TERM_FOLD && term_aux(tt, t) == FOLD_SUM; }

/* The sum that is squared in a product; 0: there is none. */
static Term squared_sum(const TermTable *tt, Term t) {
  for (uint32_t i = 0; term_kind(tt, t) == TERM_MUL && i < term_count(tt, t); i += 2)
    if (is_sum(tt, term_arg(tt, t, i)) && rational_equal(term_rat(tt, term_arg(tt, t, i + 1)), rational_int(2)))
      return term_arg(tt, t, i);
  return 0;
}

static bool is_sum_of_squares(TermTable *tt, Term g, Term f) {
  if (!is_sum(tt, g) || term_fold_lo(tt, g) != term_fold_lo(tt, f) || term_fold_hi(tt, g) != term_fold_hi(tt, f))
    return false;
  FoldParts parts = term_fold_open(tt, f);
  return term_fold(tt, FOLD_SUM, parts.symbol, parts.lo, parts.hi, parts.guard, term_mul(tt, parts.body, parts.body)) ==
         g;
}

/* a of a part a*G; 0: it is none. */
static Term factor_of_squares(TermTable *tt, Term part, Term f) {
  if (is_sum_of_squares(tt, part, f)) return tt->one;
  for (uint32_t i = 0; term_kind(tt, part) == TERM_MUL && i < term_count(tt, part); i += 2)
    if (is_sum_of_squares(tt, term_arg(tt, part, i), f)) return without_factor(tt, part, term_arg(tt, part, i), 1);
  return 0;
}

bool spread_find(TermTable *tt, Term t, uint32_t number, Spread *out) {
  if (term_kind(tt, t) != TERM_ADD || !(term_node(tt, t)->flags & TERM_HAS_FOLD)) return false;
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    Term minus = term_arg(tt, t, i + 1), fold = squared_sum(tt, minus);
    Rational k = term_rat(tt, term_arg(tt, t, i));
    Term b = fold && k.num < 0 ? without_factor(tt, minus, fold, 2) : 0;
    for (uint32_t j = 1; b && j < term_count(tt, t); j += 2) {
      Term plus = term_arg(tt, t, j + 1), a = j == i ? 0 : factor_of_squares(tt, plus, fold);
      Rational l = term_rat(tt, term_arg(tt, t, j));
      if (!a || l.num < 0 || number-- > 0) continue;
      Term count = term_sub(tt, term_fold_hi(tt, fold), term_fold_lo(tt, fold)),
           sum = term_scale(tt, rational_neg(k), b);
      *out = (Spread){.fold = fold,
                      .square = cancelled(tt, term_scale(tt, l, a)),
                      .sum = sum,
                      .count = count,
                      .least = cancelled(tt, term_mul(tt, sum, count)),
                      .rest = term_sub(tt, term_sub(tt, t, term_scale(tt, k, minus)), term_scale(tt, l, plus))};
      return true;
    }
  }
  return false;
}
