/* Expansion: products of sums multiplied out, so that equal polynomials over atoms are one term. */
#include "term/cons.h"

static Term distribute(TermTable *tt, Term a, Term b) {
  if (term_kind(tt, a) == TERM_ADD) {
    Term sum = distribute(tt, term_arg(tt, a, 0), b);
    for (uint32_t i = 1; i < term_count(tt, a); i += 2)
      sum = term_add(tt, sum, term_scale(tt, term_rat(tt, term_arg(tt, a, i)), distribute(tt, term_arg(tt, a, i + 1), b)));
    return sum;
  }
  if (term_kind(tt, b) == TERM_ADD && !term_is_rat(tt, a)) return distribute(tt, b, a);
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
    else product = distribute(tt, product, term_power(tt, base, e));
  }
  return product;
}
