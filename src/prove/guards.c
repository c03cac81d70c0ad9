/* Signs by guards (see guards.h).
 *
 * A comparison is g > 0 or g >= 0 for a term g. If t = k*g + rest with k > 0 (any k, if g = 0), then t has the sign
 * that k*g and the rest have together. k comes from a part that both have, and the rest loses this part: so log(x)
 * under x > 1 leaves 1, and sqrt(x - y) under y < x leaves 0.
 *
 * Infinities do no harm: a part of g of infinite size makes g infinite, and then either the guard is false or t, which
 * has the part too or is more than what has, is infinite with the sign of g. */
#include "prove/guards.h"

enum { MOST_EXTREMA = 3, MOST_BITS = 120 };

typedef struct Bound {
  Term g;
  bool strict, zero; /* g > 0, g == 0; else g >= 0 */
} Bound;

/* A comparison of reals; false: it is another fact. */
static bool read_bound(TermTable *tt, Term fact, Bound *bound) {
  TermKind kind = term_kind(tt, fact);
  if ((kind != TERM_LE && kind != TERM_LT && kind != TERM_EQ) || term_count(tt, fact) != 1) return false;
  Term e = term_arg(tt, fact, 0);
  if (term_sort(tt, e) != SORT_REAL) return false;
  *bound = (Bound){term_neg(tt, e), kind == TERM_LT, kind == TERM_EQ};
  return true;
}

static uint32_t widest(TermTable *tt, Term t) {
  uint32_t most = 1;
  for (uint32_t i = 0; term_kind(tt, t) == TERM_ADD && i < term_count(tt, t); i += i ? 2 : 1) {
    uint32_t own = rational_bits(term_rat(tt, term_arg(tt, t, i)));
    if (own > most) most = own;
  }
  return most;
}

/* How often a part occurs in a sum; false: it does not. */
static bool coefficient_of(TermTable *tt, Term sum, Term part, Rational *out) {
  if (term_kind(tt, sum) != TERM_ADD) {
    Term rest;
    *out = term_coefficient(tt, sum, &rest);
    return rest == part;
  }
  for (uint32_t i = 1; i < term_count(tt, sum); i += 2)
    if (term_arg(tt, sum, i + 1) == part) return *out = term_rat(tt, term_arg(tt, sum, i)), true;
  return false;
}

/* t - k*g, part by part: sums of reals keep their shape, and then nothing would cancel. */
static Term without(TermTable *tt, Term t, Rational k, Term g) {
  if (term_kind(tt, g) != TERM_ADD) return term_sub(tt, t, term_scale(tt, k, g));
  t = term_sub(tt, t, term_scale(tt, k, term_arg(tt, g, 0)));
  for (uint32_t i = 1; i < term_count(tt, g); i += 2)
    t = term_sub(
        tt, t,
        term_scale(tt, rational_mul(tt->arena->guard, k, term_rat(tt, term_arg(tt, g, i))), term_arg(tt, g, i + 1)));
  return t;
}

static bool bounds_by_part(TermTable *tt, const Bound *b, Term t, Term part, Rational count, bool strictly,
                           GuardSign sign, void *payload) {
  Rational in_guard;
  if (!coefficient_of(tt, b->g, part, &in_guard)) return false;
  if (rational_bits(count) + rational_bits(in_guard) + widest(tt, b->g) + widest(tt, t) > MOST_BITS)
    return false; /* coefficients that do not fit end everything */
  Rational k = rational_div(tt->arena->guard, count, in_guard);
  if (k.num < 0 && !b->zero) return false;
  Term rest = without(tt, t, k, b->g);
  bool more = strictly && !b->strict;
  if (term_is_rat(tt, rest)) return rational_sign(term_rat(tt, rest)) >= (more ? 1 : 0);
  return sign(payload, rest, more);
}

/* a < b or a <= b, which may both be infinite. */
static bool bounds_by_pair(TermTable *tt, Term fact, Term t, bool strictly, GuardSign sign, void *payload) {
  TermKind kind = term_kind(tt, fact);
  if ((kind != TERM_LE && kind != TERM_LT) || term_count(tt, fact) != 2 || term_arg(tt, fact, 1) != t) return false;
  return sign(payload, term_arg(tt, fact, 0), strictly && kind == TERM_LE);
}

static bool bounds(TermTable *tt, const Bound *b, Term t, bool strictly, GuardSign sign, void *payload) {
  if (bounds_by_part(tt, b, t, t, rational_int(1), strictly, sign, payload)) return true;
  for (uint32_t i = 1; term_kind(tt, t) == TERM_ADD && i < term_count(tt, t); i += 2)
    if (bounds_by_part(tt, b, t, term_arg(tt, t, i + 1), term_rat(tt, term_arg(tt, t, i)), strictly, sign, payload))
      return true;
  return false;
}

/* g with more in the place of part i, alternative n; 0: there is no such. */
static Term more_than(TermTable *tt, Term g, uint32_t i, uint32_t n) {
  Term part = term_arg(tt, g, i + 1);
  Rational k = term_rat(tt, term_arg(tt, g, i));
  TermKind kind = term_kind(tt, part);
  if (kind == TERM_ABS   ? k.num > 0 || n > 1
      : kind == TERM_MAX ? k.num > 0 || n >= term_count(tt, part)
      : kind == TERM_MIN ? k.num < 0 || n >= term_count(tt, part)
                         : true)
    return 0;
  Term by = kind != TERM_ABS ? term_arg(tt, part, n) : n ? term_neg(tt, term_arg(tt, part, 0)) : term_arg(tt, part, 0);
  return term_add(tt, term_sub(tt, g, term_scale(tt, k, part)), term_scale(tt, k, by));
}

/* What a bound says of the arguments of its extrema, too: |x| < 1 is x < 1, and -x < 1. */
static bool bounds_weakly(TermTable *tt, const Bound *b, Term t, bool strictly, GuardSign sign, void *payload,
                          uint32_t depth) {
  if (bounds(tt, b, t, strictly, sign, payload)) return true;
  for (uint32_t n = 0; depth < MOST_EXTREMA && term_kind(tt, b->g) == TERM_MIN && n < term_count(tt, b->g); n++) {
    Bound weaker = {.g = term_arg(tt, b->g, n), .strict = b->strict};
    if (bounds_weakly(tt, &weaker, t, strictly, sign, payload, depth + 1)) return true;
  }
  for (uint32_t i = 1; depth < MOST_EXTREMA && term_kind(tt, b->g) == TERM_ADD && i < term_count(tt, b->g); i += 2)
    for (uint32_t n = 0;; n++) {
      Bound weaker = {.g = more_than(tt, b->g, i, n), .strict = b->strict};
      if (!weaker.g) break;
      if (bounds_weakly(tt, &weaker, t, strictly, sign, payload, depth + 1)) return true;
    }
  return false;
}

/* A root or an odd power of t that g names; 0: none. Where a root has a value, it has the sign of what is below it. */
static Term power_of(TermTable *tt, Term g, Term t) {
  Term part = 0;
  bool sum = term_kind(tt, g) == TERM_ADD;
  for (uint32_t i = 1; i < (sum ? term_count(tt, g) : 2); i += 2) {
    if (sum)
      part = term_arg(tt, g, i + 1);
    else
      term_coefficient(tt, g, &part);
    if (term_kind(tt, part) != TERM_MUL || term_count(tt, part) != 2 || term_arg(tt, part, 0) != t) continue;
    Rational power = term_rat(tt, term_arg(tt, part, 1));
    if (power.num > 0 && (power.den == 2 || (power.den == 1 && power.num % 2))) return part;
  }
  return 0;
}

bool guards_bound(TermTable *tt, Term t, bool strictly, GuardSign sign, void *payload) {
  for (uint32_t f = tt->facts.count; f-- > 0;) {
    Term fact = tt->facts.data[f];
    Bound bound;
    if (bounds_by_pair(tt, fact, t, strictly, sign, payload)) return true;
    if (!read_bound(tt, fact, &bound)) continue;
    if (bounds_weakly(tt, &bound, t, strictly, sign, payload, 0)) return true;
    Term power = power_of(tt, bound.g, t);
    if (power && bounds(tt, &bound, power, strictly, sign, payload)) return true;
  }
  return false;
}

bool guards_exclude_zero(TermTable *tt, Term t) {
  Term own, other;
  term_coefficient(tt, t, &own);
  for (uint32_t f = tt->facts.count; f-- > 0;) {
    Term fact = tt->facts.data[f];
    if (term_kind(tt, fact) != TERM_NOT || term_kind(tt, term_arg(tt, fact, 0)) != TERM_EQ ||
        term_count(tt, term_arg(tt, fact, 0)) != 1)
      continue;
    Term e = term_arg(tt, term_arg(tt, fact, 0), 0);
    Rational k = term_coefficient(tt, e, &other);
    if (e == t || e == term_neg(tt, t) || (other == own && k.num != 0)) return true;
    if (term_kind(tt, other) == TERM_ABS && term_arg(tt, other, 0) == own) return true;
    for (uint32_t i = 0; term_kind(tt, other) == TERM_MUL && i < term_count(tt, other); i += 2)
      if (term_arg(tt, other, i) == t && term_rat(tt, term_arg(tt, other, i + 1)).num > 0) return true;
  }
  return false;
}
