/* Fractions (see fraction.h). */
#include "laws/fraction.h"
#include "laws/laws.h"

enum { MOST_DENOMINATORS = 6, MOST_POWER = 4, MOST_SUMMANDS = 60 };

static uint32_t summand_count(const TermTable *tt, Term t) {
  return term_kind(tt, t) == TERM_ADD ? (term_count(tt, t) + 1) / 2 : 1;
}

typedef struct Fractions {
  Term base[MOST_DENOMINATORS];
  int64_t power[MOST_DENOMINATORS]; /* the greatest one that divides a summand */
  uint32_t count;
} Fractions;

/* The i-th summand; the constant comes first. */
static Term summand(TermTable *tt, Term t, uint32_t i, Rational *k) {
  *k = rational_int(1);
  if (term_kind(tt, t) != TERM_ADD) return t;
  if (i == 0) return term_arg(tt, t, 0);
  *k = term_rat(tt, term_arg(tt, t, 2 * i - 1));
  return term_arg(tt, t, 2 * i);
}

static bool find_denominators(TermTable *tt, Term t, Fractions *f) {
  Rational k;
  for (uint32_t i = 0; i < summand_count(tt, t); i++) {
    Term part = summand(tt, t, i, &k);
    for (uint32_t j = 0; term_kind(tt, part) == TERM_MUL && j < term_count(tt, part); j += 2) {
      int64_t e;
      uint32_t at = 0;
      if (!term_is_int(tt, term_arg(tt, part, j + 1), &e) || e >= 0) continue;
      while (at < f->count && f->base[at] != term_arg(tt, part, j)) at++;
      if (at == MOST_DENOMINATORS || e < -MOST_POWER) return false;
      if (at == f->count) f->base[f->count] = term_arg(tt, part, j), f->power[f->count++] = 0;
      if (-e > f->power[at]) f->power[at] = -e;
    }
  }
  return true;
}

/* t times all the denominators. */
static Term multiplied_out(TermTable *tt, Term t, const Fractions *f) {
  Term sum = tt->zero;
  for (uint32_t i = 0; i < summand_count(tt, t); i++) {
    Rational k;
    Term part = summand(tt, t, i, &k), product = tt->one;
    int64_t left[MOST_DENOMINATORS];
    for (uint32_t d = 0; d < f->count; d++) left[d] = f->power[d];
    bool is_product = term_kind(tt, part) == TERM_MUL;
    for (uint32_t j = 0; j < (is_product ? term_count(tt, part) : 2); j += 2) {
      Term base = is_product ? term_arg(tt, part, j) : part;
      Rational e = is_product ? term_rat(tt, term_arg(tt, part, j + 1)) : rational_int(1);
      uint32_t d = 0;
      while (d < f->count && f->base[d] != base) d++;
      if (d < f->count && e.den == 1 && e.num < 0)
        left[d] += (int64_t)e.num;
      else
        product = term_mul(tt, product, term_power(tt, base, e));
    }
    for (uint32_t d = 0; d < f->count; d++)
      product = term_mul(tt, product, term_power(tt, f->base[d], rational_int(left[d])));
    sum = term_add(tt, sum, term_scale(tt, k, product));
  }
  return sum;
}

/* a = b by their common denominator. What b divides by must not be 0: a divides by it too, or that is shown. */
static bool same_fraction(TermTable *tt, Term a, Term b) {
  Fractions all = {0}, left = {0};
  if (summand_count(tt, a) + summand_count(tt, b) > MOST_SUMMANDS || term_sort(tt, a) != SORT_REAL ||
      term_sort(tt, b) != SORT_REAL)
    return false;
  if (!find_denominators(tt, a, &left) || !find_denominators(tt, a, &all) || !find_denominators(tt, b, &all) ||
      !all.count)
    return false;
  for (uint32_t d = left.count; d < all.count; d++)
    if (!term_is_nonzero(tt, all.base[d])) return false;
  Term x = term_normalize(tt, term_expand(tt, multiplied_out(tt, a, &all))),
       y = term_normalize(tt, term_expand(tt, multiplied_out(tt, b, &all)));
  return x == y;
}

enum { MOST_FACTORS = 16 };

typedef struct Product {
  Term base[MOST_FACTORS];
  Rational power[MOST_FACTORS];
  uint32_t count;
  bool is_full;
} Product;

static void multiply(Guard *guard, Product *p, Term base, Rational power) {
  for (uint32_t i = 0; i < p->count; i++)
    if (p->base[i] == base && p->power[i].den == 1 && power.den == 1) {
      p->power[i] = rational_add(guard, p->power[i], power);
      return;
    }
  p->is_full |= p->count == MOST_FACTORS;
  if (!p->is_full) p->base[p->count] = base, p->power[p->count++] = power;
}

/* Sums that something is divided by, multiplied out; where they divide themselves, 1 / (p / q) is q / p: of a left side
 * alone, since the quotient has a value where q is 0, and cancelled factors may be. */
static Term put_denominators(TermTable *tt, Term t, void *payload) {
  const bool *is_left = payload;
  if (term_kind(tt, t) != TERM_MUL || term_sort(tt, t) != SORT_REAL) return t;
  Product p = {.count = 0};
  bool changed = false;
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    Term base = term_arg(tt, t, i);
    Rational e = term_rat(tt, term_arg(tt, t, i + 1));
    Fractions f = {0};
    if (e.num < 0 && e.den == 1 && term_kind(tt, base) == TERM_ADD && summand_count(tt, base) <= MOST_SUMMANDS) {
      bool is_fraction = find_denominators(tt, base, &f) && f.count && *is_left;
      if (is_fraction) base = multiplied_out(tt, base, &f);
      base = term_normalize(tt, term_expand(tt, base));
      for (uint32_t d = 0; is_fraction && d < f.count; d++)
        multiply(tt->arena->guard, &p, f.base[d], rational_int(-(int64_t)e.num * f.power[d]));
    }
    changed |= base != term_arg(tt, t, i);
    multiply(tt->arena->guard, &p, base, e);
  }
  if (!changed || p.is_full) return t;
  Term product = tt->one;
  for (uint32_t i = 0; i < p.count; i++)
    if (p.power[i].num) product = term_mul(tt, product, term_power(tt, p.base[i], p.power[i]));
  return product;
}

Term fraction_flat(TermTable *tt, Term t) {
  bool is_left = true;
  return term_normalize(tt, term_transform(tt, t, put_denominators, &is_left));
}

/* Each summand with its denominators put so. */
static Term put_in_summands(TermTable *tt, Term t, bool is_left) {
  Term sum = tt->zero;
  bool changed = false;
  for (uint32_t i = 0; i < summand_count(tt, t); i++) {
    Rational k;
    Term part = summand(tt, t, i, &k), put = put_denominators(tt, part, &is_left);
    changed |= put != part;
    sum = term_add(tt, sum, term_scale(tt, k, put));
  }
  return changed ? sum : t;
}

/* True if a summand divides by a sum of which a summand divides. */
static bool is_nested(TermTable *tt, Term t) {
  for (uint32_t i = 0; i < summand_count(tt, t); i++) {
    Rational k;
    Term part = summand(tt, t, i, &k);
    for (uint32_t j = 0; term_kind(tt, part) == TERM_MUL && j < term_count(tt, part); j += 2) {
      Fractions f = {0};
      Term base = term_arg(tt, part, j);
      if (term_rat(tt, term_arg(tt, part, j + 1)).num < 0 && term_kind(tt, base) == TERM_ADD &&
          find_denominators(tt, base, &f) && f.count)
        return true;
    }
  }
  return false;
}

bool fraction_same(TermTable *tt, Term a, Term b) {
  if (same_fraction(tt, a, b)) return true;
  if (!is_nested(tt, a)) return false;
  Term x = term_normalize(tt, put_in_summands(tt, a, true)), y = term_normalize(tt, put_in_summands(tt, b, false));
  return x == y || same_fraction(tt, x, y);
}
