/* Laws of statistics over tiles, as a Welford layer norm leaves them behind:
 *
 *   count     sum[k < m](min(B, c - B*k)) = min(B*m, c)                                  while c - B*(m - 1) >= 0
 *   squares   sum[lo <= k < hi]((d(k) + c)^2) = sum(d^2) + 2*c*sum(d) + c^2*(hi - lo)    for lo <= hi and c finite
 *   cancel    a/a = 1                                                                   where a > 0 is shown
 *
 * So the variance about any mean is made of sums and sums of squares, in which tiles can be joined. */
#include "laws/compare_laws.h"

static bool is_fold(const TermTable *tt, Term t, TermFoldOp op) {
  return term_kind(tt, t) == TERM_FOLD && term_aux(tt, t) == op;
}

/* min(B, c - B*k) over k: B and c; false if t is not of that form. */
static bool tile_length(TermTable *tt, Term t, Term k, int64_t *size, Term *end) {
  if (term_kind(tt, t) != TERM_MIN || term_count(tt, t) != 2) return false;
  for (uint32_t i = 0; i < 2; i++) {
    if (!term_is_int(tt, term_arg(tt, t, i), size) || *size < 1) continue;
    *end = term_add(tt, term_arg(tt, t, 1 - i), term_scale(tt, rational_int(*size), k));
    return !term_has_symbol(tt, *end, k);
  }
  return false;
}

static Term count_tiles(TermTable *tt, Term t, void *unused) {
  (void)unused;
  if (!is_fold(tt, t, FOLD_SUM) || term_fold_guard(tt, t) != tt->true_ || term_fold_lo(tt, t) != tt->zero) return t;
  FoldParts p = term_fold_open(tt, t);
  int64_t size;
  Term end;
  if (!tile_length(tt, p.body, p.symbol, &size, &end) || !term_prove_le(tt, tt->zero, p.hi)) return t;
  Term before = term_scale(tt, rational_int(size), term_sub(tt, p.hi, tt->one));
  if (!term_prove_le(tt, tt->zero, end) || !term_prove_le(tt, before, end)) return t;
  return term_min(tt, term_scale(tt, rational_int(size), p.hi), end);
}

static Term cancel(TermTable *tt, Term t, void *unused) {
  (void)unused;
  for (uint32_t i = 0; term_kind(tt, t) == TERM_MUL && i + 3 < term_count(tt, t); i += 2) {
    Term base = term_arg(tt, t, i);
    if (base != term_arg(tt, t, i + 2) ||
        !(term_sort(tt, base) == SORT_INT ? term_prove_lt(tt, tt->zero, base) : term_is_positive(tt, base)))
      continue;
    Rational a = term_rat(tt, term_arg(tt, t, i + 1)), b = term_rat(tt, term_arg(tt, t, i + 3));
    Term rest = term_power(tt, base, rational_add(tt->arena->guard, a, b));
    for (uint32_t k = 0; k < term_count(tt, t); k += 2)
      if (k != i && k != i + 2)
        rest = term_mul(tt, rest, term_power(tt, term_arg(tt, t, k), term_rat(tt, term_arg(tt, t, k + 1))));
    t = rest, i = UINT32_MAX - 1; /* again from the first */
  }
  return t;
}

/* sum((d + c)^2) = sum(d^2) + 2*c*sum(d) + c^2*(hi - lo), for c free of the index. */
static Term open_squares(TermTable *tt, Term t, void *unused) {
  (void)unused;
  if (!is_fold(tt, t, FOLD_SUM) || term_fold_guard(tt, t) != tt->true_ ||
      !term_prove_le(tt, term_fold_lo(tt, t), term_fold_hi(tt, t)))
    return t;
  FoldParts p = term_fold_open(tt, t);
  if (term_kind(tt, p.body) != TERM_MUL || term_count(tt, p.body) != 2 || term_arg(tt, p.body, 1) != term_int(tt, 2))
    return t;
  Term base = term_arg(tt, p.body, 0), moving = base, fixed = tt->zero;
  if (term_kind(tt, base) != TERM_ADD) return t;
  fixed = term_arg(tt, base, 0), moving = term_sub(tt, base, fixed);
  for (uint32_t i = 1; i < term_count(tt, base); i += 2) {
    Term part = term_scale(tt, term_rat(tt, term_arg(tt, base, i)), term_arg(tt, base, i + 1));
    if (!term_has_symbol(tt, part, p.symbol)) fixed = term_add(tt, fixed, part), moving = term_sub(tt, moving, part);
  }
  if (fixed == tt->zero || !term_is_finite(tt, fixed)) return t;
  Term squares = term_fold(tt, FOLD_SUM, p.symbol, p.lo, p.hi, tt->true_, term_power(tt, moving, rational_int(2)));
  Term plain = term_fold(tt, FOLD_SUM, p.symbol, p.lo, p.hi, tt->true_, moving);
  Term cross = term_scale(tt, rational_int(2), term_mul(tt, fixed, plain));
  Term rest = term_mul(tt, term_power(tt, fixed, rational_int(2)), term_sub(tt, p.hi, p.lo));
  return term_add(tt, squares, term_add(tt, cancel(tt, cross, NULL), cancel(tt, rest, NULL)));
}

Term compare_tiles(TermTable *tt, Term t) {
  t = term_transform(tt, t, count_tiles, NULL);
  t = term_transform(tt, t, open_squares, NULL);
  t = term_transform(tt, t, cancel, NULL);
  return compare_law(tt, t, COMPARE_INWARDS, false);
}
