/* Tiles that begin late, or end by what the row says, as one fold:
 *
 *   op[t < T](op[max(0, L - B*t) <= l < min(B, H - B*t)](f(B*t + l))) = op[L <= k < min(H, B*T)](f(k))          for 0
 * <= L
 *
 * The tiles on the diagonal of a causal loop are such; the minimum may be left out where H - B*t is at most B. */
#include "laws/laws.h"
#include "term/term.h"

/* The bound `e` of a minimum or maximum whose other argument is `literal`: 0 if there is none. */
static Term other_bound(TermTable *tt, TermKind kind, Term t, Term literal) {
  if (term_kind(tt, t) != kind || term_count(tt, t) != 2) return 0;
  for (uint32_t i = 0; i < 2; i++)
    if (term_arg(tt, t, i) == literal) return term_arg(tt, t, 1 - i);
  return 0;
}

/* min(a, b) + c = min(a + c, b + c) */
static Term spread_minimum(TermTable *tt, Term t) {
  if (term_kind(tt, t) != TERM_ADD || term_count(tt, t) != 3 || term_kind(tt, term_arg(tt, t, 2)) != TERM_MIN ||
      term_arg(tt, t, 1) != tt->one)
    return t;
  Term m = term_arg(tt, t, 2), result = 0;
  for (uint32_t i = 0; i < term_count(tt, m); i++) {
    Term part = term_add(tt, term_arg(tt, m, i), term_arg(tt, t, 0));
    result = result ? term_min(tt, result, part) : part;
  }
  return result;
}

/* hi = min(B, H - B*t) over the symbol t: B and H; the minimum may be left out where H - B*t is at most B */
static bool split_tail(TermTable *tt, Term hi, Term t, Term *size, Term *high) {
  int64_t literal;
  *size = 0, *high = hi;
  if (term_kind(tt, hi) == TERM_MIN) {
    for (uint32_t i = 0; i < term_count(tt, hi); i++)
      if (term_is_int(tt, term_arg(tt, hi, i), &literal) && literal > 1) *size = term_arg(tt, hi, i);
    *high = *size ? other_bound(tt, TERM_MIN, hi, *size) : 0;
  } else if (term_kind(tt, hi) == TERM_ADD) {
    for (uint32_t i = 1; i < term_count(tt, hi); i += 2)
      if (term_arg(tt, hi, i + 1) == t) *size = term_new_rat(tt, rational_neg(term_rat(tt, term_arg(tt, hi, i))));
    if (*size && (!term_is_int(tt, *size, &literal) || literal < 2 || !term_prove_le(tt, hi, *size))) *size = 0;
  }
  if (!*size || !*high) return false;
  *high = term_add(tt, *high, term_mul(tt, *size, t));
  return !term_has_symbol(tt, *high, t);
}

/* op[t < T](op[max(0, L - B*t) <= l < min(B, H - B*t)](f(B*t + l))) = op[L <= k < min(H, B*T)](f(k)) */
Term term_merge_partial_tiles(TermTable *tt, Term t, void *unused) {
  (void)unused;
  if (term_kind(tt, t) != TERM_FOLD) return t;
  TermFoldOp op = (TermFoldOp)term_aux(tt, t);
  Term inner = term_fold_body(tt, t), size, high;
  if (op > FOLD_ALL || term_kind(tt, inner) != TERM_FOLD || term_aux(tt, inner) != op) return t;
  FoldParts outer = term_fold_open(tt, t), tile = term_fold_open(tt, outer.body);
  if (outer.lo != tt->zero || outer.guard != tt->true_ || tile.guard != tt->true_) return t;
  if (!split_tail(tt, spread_minimum(tt, tile.hi), outer.symbol, &size, &high)) return t;
  Term start = term_mul(tt, size, outer.symbol),
       low = tile.lo == tt->zero ? tt->zero : other_bound(tt, TERM_MAX, tile.lo, tt->zero);
  if (!low) return t;
  if (tile.lo != tt->zero) low = term_add(tt, low, start);
  if (term_has_symbol(tt, low, outer.symbol) || !term_prove_le(tt, tt->zero, low)) return t;
  Term end = term_mul(tt, size, outer.hi), k = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX);
  if (!term_prove_le(tt, high, end)) high = term_min(tt, high, end);
  term_symbol_range(tt, k, low, term_sub(tt, high, tt->one));
  Term body = term_replace(tt, tile.body, tile.symbol, term_sub(tt, k, start));
  if (term_has_symbol(tt, body, outer.symbol) && term_sort(tt, body) == SORT_REAL) body = term_expand_all(tt, body);
  return term_has_symbol(tt, body, outer.symbol) ? t : term_fold(tt, op, k, low, high, tt->true_, body);
}
