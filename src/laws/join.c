/* Folds over ranges that adjoin, as one fold:
 *
 *   op[lo <= k < min(b, p..)](f(k)) op op[k < min(q..)](f(b + k)) = op[lo <= k < min(b + q..)](f(k))
 *
 * (also the other way round, f being what the second folds)
 * for lo <= b, where each p is some b + q, and each q is at least 0 or some p - b: where p < b ends the first range
 * early, the second is empty. A loop that is split or unrolled, its peeled last iteration and a carry before a tile
 * look like that.
 *
 * In general where the second begins behind the first, shifted by any d: f(k) over [a, b) and f(k - d) over [b + d, c).
 * A sum of products goes on behind one with the factors that came since: x sum[k](f(k) y(k)), where x y(k) is what the
 * second one has.
 *
 * Likewise a first element: f(lo - 1) op op[lo <= k < hi](f(k)) for lo <= hi, as a loop that begins with its first
 * value leaves it. And a last one that only some lanes have, op[lo <= k < hi](f(k)) op where(c, f(hi), identity) =
 * op[lo <= k < q](f(k)) where c says that hi < q, and hi <= q <= hi + 1: whole tiles and a masked one behind them.
 *
 * Where op[k](g(k) op op[j](..)) has inner tiles that merge with k, they are taken out of it: the lanes of an
 * accumulator and a tail. */
#include "laws/laws.h"
#include "term/term.h"

enum { MOST_BOUNDS = 12, MOST_PARTS = 24 };

static uint32_t bound_count(const TermTable *tt, Term hi) {
  return term_kind(tt, hi) == TERM_MIN ? term_count(tt, hi) : 1;
}
static Term bound_at(const TermTable *tt, Term hi, uint32_t i) {
  return term_kind(tt, hi) == TERM_MIN ? term_arg(tt, hi, i) : hi;
}

static bool is_bound(const TermTable *tt, Term hi, Term b) {
  for (uint32_t i = 0; i < bound_count(tt, hi); i++)
    if (bound_at(tt, hi, i) == b) return true;
  return false;
}

/* The end of both ranges, of which the second has `length` and begins where the first has its bound b; 0: they do not
 * adjoin. */
static Term end_of_both(TermTable *tt, Term lo, Term hi, Term b, Term length) {
  Term end = 0;
  if (bound_count(tt, length) > MOST_BOUNDS || bound_count(tt, hi) > MOST_BOUNDS) return 0;
  for (uint32_t i = 0; i < bound_count(tt, length); i++) {
    Term q = bound_at(tt, length, i), at = term_add(tt, q, b);
    if (!is_bound(tt, hi, at) && !term_prove_le(tt, tt->zero, q)) return 0;
    end = end ? term_min(tt, end, at) : at;
  }
  for (uint32_t i = 0; i < bound_count(tt, hi); i++) {
    Term p = bound_at(tt, hi, i);
    if (p != b && !is_bound(tt, length, term_sub(tt, p, b))) return 0;
  }
  return term_prove_le(tt, lo, b) ? end : 0;
}

/* op[lo <= k < hi](f(k)) = op[k < hi - lo](f(lo + k)), so that folds that run over the same elements are one term. */
static Term from_zero(TermTable *tt, Term t, void *unused) {
  (void)unused;
  if (term_kind(tt, t) != TERM_FOLD || term_fold_lo(tt, t) == tt->zero || term_aux(tt, t) > FOLD_ALL) return t;
  FoldParts p = term_fold_open(tt, t);
  Term length = term_sub(tt, p.hi, p.lo),
       k = term_symbol_range(tt, term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), tt->zero,
                             term_sub(tt, length, tt->one)),
       at = term_add(tt, p.lo, k);
  return term_fold(tt, p.op, k, tt->zero, length, term_replace(tt, p.guard, p.symbol, at),
                   term_replace(tt, p.body, p.symbol, at));
}

/* What was recognised as one only when multiplied out stays so. */
static Term expanded(TermTable *tt, Term t) { return term_sort(tt, t) == SORT_REAL ? term_expand_all(tt, t) : t; }

static bool is_same(TermTable *tt, Term x, Term y) {
  if (x == y) return true;
  if (term_sort(tt, x) == SORT_REAL && term_sort(tt, y) == SORT_REAL &&
      (term_node(tt, x)->flags & term_node(tt, y)->flags & TERM_HAS_READ) && expanded(tt, x) == expanded(tt, y))
    return true;
  if (!(term_node(tt, x)->flags & term_node(tt, y)->flags & TERM_HAS_FOLD)) return false;
  return term_transform(tt, x, from_zero, NULL) == term_transform(tt, y, from_zero, NULL);
}

/* The second fold begins where the first, shifted, ends. */
static Term joined_behind(TermTable *tt, Term x, Term y) {
  FoldParts first = term_fold_open(tt, x), second = term_fold_open(tt, y);
  Term shift = term_sub(tt, second.lo, first.hi),
       at = term_add(tt, first.symbol, shift); /* what the second folds, in the first range */
  if (!is_same(tt, term_replace(tt, second.body, second.symbol, at), first.body) ||
      !is_same(tt, term_replace(tt, second.guard, second.symbol, at), first.guard))
    return 0;
  if (!term_prove_le(tt, first.lo, first.hi) || !term_prove_le(tt, second.lo, second.hi)) return 0;
  Term lo = term_add(tt, first.lo, shift), k = term_symbol_range(tt, term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX),
                                                                 lo, term_sub(tt, second.hi, tt->one));
  return term_fold(tt, first.op, k, lo, second.hi, term_replace(tt, second.guard, second.symbol, k),
                   term_replace(tt, second.body, second.symbol, k));
}

/* Both folds as one; 0: they do not adjoin, or fold different things. */
static Term joined(TermTable *tt, Term x, Term y) {
  TermFoldOp op = (TermFoldOp)term_aux(tt, x);
  if (op > FOLD_ALL || term_kind(tt, term_fold_body(tt, x)) != term_kind(tt, term_fold_body(tt, y))) return 0;
  if (term_fold_lo(tt, y) != tt->zero) return joined_behind(tt, x, y);
  FoldParts first = {0}, second = {0};
  for (uint32_t i = 0; i < bound_count(tt, term_fold_hi(tt, x)); i++) {
    Term b = bound_at(tt, term_fold_hi(tt, x), i),
         end = end_of_both(tt, term_fold_lo(tt, x), term_fold_hi(tt, x), b, term_fold_hi(tt, y));
    if (!end) continue;
    if (!first.symbol) first = term_fold_open(tt, x), second = term_fold_open(tt, y);
    Term at = term_add(tt, second.symbol, b), before = term_sub(tt, first.symbol, b);
    Term there = term_replace(tt, second.body, second.symbol, before);
    bool back = is_same(tt, there, first.body) && term_replace(tt, second.guard, second.symbol, before) == first.guard;
    if (back) { /* f with a mask that is true in the first range */
      Term k = term_symbol_range(tt, term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), first.lo,
                                 term_sub(tt, end, tt->one)),
           from = term_sub(tt, k, b);
      Term body = term_replace(tt, second.body, second.symbol, from);
      return term_fold(tt, op, k, first.lo, end, term_replace(tt, second.guard, second.symbol, from),
                       there == first.body ? body : expanded(tt, body));
    }
    if (!is_same(tt, term_replace(tt, first.body, first.symbol, at), second.body) ||
        term_replace(tt, first.guard, first.symbol, at) != second.guard)
      continue;
    Term k =
        term_symbol_range(tt, term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), first.lo, term_sub(tt, end, tt->one));
    return term_fold(tt, op, k, first.lo, end, term_replace(tt, first.guard, first.symbol, k),
                     term_replace(tt, first.body, first.symbol, k));
  }
  return 0;
}

/* op[lo <= k < hi](f(k)) with the element before it, f(lo - 1) = first: op[k < hi - lo + 1](f(lo - 1 + k)); 0: it is
 * another one. */
static Term with_first(TermTable *tt, Term fold, Term first) {
  if (!(term_node(tt, first)->flags & TERM_HAS_READ) || term_fold_guard(tt, fold) != tt->true_ ||
      !term_prove_le(tt, term_fold_lo(tt, fold), term_fold_hi(tt, fold)))
    return 0;
  FoldParts p = term_fold_open(tt, fold);
  Term before = term_sub(tt, p.lo, tt->one);
  if (term_replace(tt, p.body, p.symbol, before) != first) return 0;
  Term length = term_sub(tt, p.hi, before),
       k = term_symbol_range(tt, term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), tt->zero,
                             term_sub(tt, length, tt->one));
  return term_fold(tt, p.op, k, tt->zero, length, tt->true_,
                   term_replace(tt, p.body, p.symbol, term_add(tt, k, before)));
}

/* The coefficient of x in the integer sum t, if it is a literal above 0; 0: it is not. */
static int64_t coefficient_of(TermTable *tt, Term t, Term x) {
  int64_t c = t == x;
  for (uint32_t i = 1; term_kind(tt, t) == TERM_ADD && i < term_count(tt, t); i += 2)
    if (term_arg(tt, t, i + 1) == x && !term_is_int(tt, term_arg(tt, t, i), &c)) return 0;
  return c > 0 ? c : 0;
}

/* q with c iff hi < q, and hi <= q <= hi + 1: c is b*hi + r <= 0, so q = floor(-r / b) + 1. 0: c is no such condition.
 */
static Term end_with_tail(TermTable *tt, Term c, Term hi) {
  if (term_kind(tt, c) != TERM_LE || term_count(tt, c) != 1 || term_sort(tt, term_arg(tt, c, 0)) != SORT_INT) return 0;
  Term t = term_arg(tt, c, 0);
  for (uint32_t i = term_kind(tt, hi) == TERM_ADD; i < (term_kind(tt, hi) == TERM_ADD ? term_count(tt, hi) : 1);
       i += 2) {
    if (term_kind(tt, hi) == TERM_ADD && term_arg(tt, hi, i) != tt->one) continue;
    Term atom = term_kind(tt, hi) == TERM_ADD ? term_arg(tt, hi, i + 1) : hi;
    int64_t b = coefficient_of(tt, t, atom);
    if (!b) continue;
    Term size = term_int(tt, b), rest = term_sub(tt, t, term_mul(tt, size, hi));
    Term q = term_add(tt, term_floordiv(tt, term_neg(tt, rest), size), tt->one);
    if (term_prove_le(tt, hi, q) && term_prove_le(tt, q, term_add(tt, hi, tt->one))) return q;
  }
  return 0;
}

/* The fold with its next element where c, of which `element` is what that must be; 0: it is another one. */
static Term with_tail(TermTable *tt, Term fold, Term c, Term element) {
  if (term_aux(tt, fold) > FOLD_ALL || term_fold_guard(tt, fold) != tt->true_ ||
      !(term_node(tt, element)->flags & TERM_HAS_READ))
    return 0;
  Term hi = term_fold_hi(tt, fold), q = end_with_tail(tt, c, hi);
  if (!q || !term_prove_le(tt, term_fold_lo(tt, fold), hi)) return 0;
  FoldParts p = term_fold_open(tt, fold);
  if (term_replace(tt, p.body, p.symbol, hi) != element) return 0;
  Term k = term_symbol_range(tt, term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), p.lo, term_sub(tt, q, tt->one));
  return term_fold(tt, p.op, k, p.lo, q, tt->true_, term_replace(tt, p.body, p.symbol, k));
}

/* Likewise with where(c, element, identity), on either side. */
static Term with_choice(TermTable *tt, Term fold, Term y) {
  if (term_kind(tt, y) != TERM_SELECT) return 0;
  Term c = term_arg(tt, y, 0), identity = term_fold_identity(tt, (TermFoldOp)term_aux(tt, fold), SORT_REAL);
  if (term_arg(tt, y, 2) == identity) return with_tail(tt, fold, c, term_arg(tt, y, 1));
  return term_arg(tt, y, 1) == identity ? with_tail(tt, fold, term_not(tt, c), term_arg(tt, y, 2)) : 0;
}

static bool is_fold(const TermTable *tt, Term t, TermFoldOp op) {
  return term_kind(tt, t) == TERM_FOLD && (TermFoldOp)term_aux(tt, t) == op;
}

static Term join_products(TermTable *tt, Term t);

/* x sum[k](f(k)) = sum[k](x f(k)), with folds in x joined to those of f; 0: there is no sum, or nothing joins. */
static Term moved_inwards(TermTable *tt, Term t) {
  if (term_kind(tt, t) != TERM_MUL) return 0;
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    Term rest = tt->one, sum = term_arg(tt, t, i);
    bool products = false;
    if (!is_fold(tt, sum, FOLD_SUM) || term_arg(tt, t, i + 1) != tt->one) continue;
    for (uint32_t k = 0; k < term_count(tt, t); k += 2) {
      if (k == i) continue;
      products |= is_fold(tt, term_arg(tt, t, k), FOLD_PROD);
      rest = term_mul(tt, rest, term_power(tt, term_arg(tt, t, k), term_rat(tt, term_arg(tt, t, k + 1))));
    }
    if (!products || !term_is_total(tt, rest)) continue;
    FoldParts p = term_fold_open(tt, sum);
    Term whole = term_mul(tt, rest, p.body), body = term_kind(tt, whole) == TERM_MUL ? join_products(tt, whole) : whole;
    if (body != whole) return term_fold(tt, FOLD_SUM, p.symbol, p.lo, p.hi, p.guard, body);
  }
  return 0;
}

/* Both summands as one sum; 0: they are not parts of one. */
static Term joined_sum(TermTable *tt, Term x, Term y) {
  if (is_fold(tt, x, FOLD_SUM)) {
    Term both = is_fold(tt, y, FOLD_SUM) ? joined(tt, x, y) : with_first(tt, x, y);
    return both ? both : with_choice(tt, x, y);
  }
  Term inwards = is_fold(tt, y, FOLD_SUM) ? moved_inwards(tt, x) : 0;
  return inwards && is_fold(tt, inwards, FOLD_SUM) ? joined(tt, inwards, y) : 0;
}

static Term join_sums(TermTable *tt, Term t) {
  for (uint32_t i = 1; i < term_count(tt, t); i += 2)
    for (uint32_t k = 1; k < term_count(tt, t); k += 2) {
      Term x = term_arg(tt, t, i + 1), y = term_arg(tt, t, k + 1);
      if (i == k || term_arg(tt, t, i) != term_arg(tt, t, k)) continue;
      Term both = joined_sum(tt, x, y);
      if (!both) continue;
      Rational c = term_rat(tt, term_arg(tt, t, i));
      return term_add(tt, term_sub(tt, term_sub(tt, t, term_scale(tt, c, x)), term_scale(tt, c, y)),
                      term_scale(tt, c, both));
    }
  return t;
}

static Term join_products(TermTable *tt, Term t) {
  for (uint32_t i = 0; i < term_count(tt, t); i += 2)
    for (uint32_t k = 0; k < term_count(tt, t); k += 2) {
      Term x = term_arg(tt, t, i), y = term_arg(tt, t, k);
      if (i == k || term_arg(tt, t, i + 1) != term_arg(tt, t, k + 1) || term_rat(tt, term_arg(tt, t, i + 1)).num < 0 ||
          !is_fold(tt, x, FOLD_PROD))
        continue;
      Term both = is_fold(tt, y, FOLD_PROD) ? joined(tt, x, y) : with_first(tt, x, y);
      if (!both) continue;
      Term all = term_power(tt, both, term_rat(tt, term_arg(tt, t, i + 1)));
      for (uint32_t j = 0; j < term_count(tt, t); j += 2)
        if (j != i && j != k)
          all = term_mul(tt, all, term_power(tt, term_arg(tt, t, j), term_rat(tt, term_arg(tt, t, j + 1))));
      return all;
    }
  return t;
}

static Term extremum(TermTable *tt, bool is_max, Term a, Term b) {
  return is_max ? term_max(tt, a, b) : term_min(tt, a, b);
}

static Term join_extrema(TermTable *tt, Term t) {
  bool is_max = term_kind(tt, t) == TERM_MAX;
  TermFoldOp op = is_max ? FOLD_MAX : FOLD_MIN;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    for (uint32_t k = 0; k < term_count(tt, t); k++) {
      Term x = term_arg(tt, t, i), y = term_arg(tt, t, k);
      if (i == k || !is_fold(tt, x, op)) continue;
      Term both = is_fold(tt, y, op) ? joined(tt, x, y) : with_first(tt, x, y);
      if (!both) both = with_choice(tt, x, y);
      for (uint32_t j = 0; both && j < term_count(tt, t); j++)
        if (j != i && j != k) both = extremum(tt, is_max, both, term_arg(tt, t, j));
      if (both) return both;
    }
  return t;
}

typedef struct Parts {
  Term data[MOST_PARTS + 1];
  uint32_t count;
} Parts;

static bool is_extremum(const TermTable *tt, TermFoldOp op, Term t) {
  return (op == FOLD_MAX && term_kind(tt, t) == TERM_MAX) || (op == FOLD_MIN && term_kind(tt, t) == TERM_MIN);
}

static Term combined(TermTable *tt, TermFoldOp op, Term a, Term b) {
  return op == FOLD_SUM ? term_add(tt, a, b) : extremum(tt, op == FOLD_MAX, a, b);
}

/* where(c, F op f(hi), F) for a fold F, also among others. */
static Term join_choice(TermTable *tt, Term t) {
  for (int side = 1; side <= 2; side++) {
    Term c = side == 1 ? term_arg(tt, t, 0) : term_not(tt, term_arg(tt, t, 0)), both = term_arg(tt, t, (uint32_t)side),
         kept = term_arg(tt, t, (uint32_t)(3 - side));
    TermKind kind = term_kind(tt, kept);
    TermFoldOp op = term_kind(tt, both) == TERM_ADD ? FOLD_SUM : term_kind(tt, both) == TERM_MAX ? FOLD_MAX : FOLD_MIN;
    bool several = kind == TERM_ADD || kind == TERM_MAX || kind == TERM_MIN, sum = op == FOLD_SUM;
    if ((!sum && !is_extremum(tt, op, both)) || (several && kind != term_kind(tt, both))) continue;
    for (uint32_t i = several && sum; i < (several ? term_count(tt, kept) : 1); i += 1u + sum) {
      Term fold = several ? term_arg(tt, kept, i + sum) : kept;
      if (!is_fold(tt, fold, op)) continue;
      FoldParts p = term_fold_open(tt, fold);
      Rational factor = several && sum ? term_rat(tt, term_arg(tt, kept, i)) : rational_int(1);
      Term element = term_replace(tt, p.body, p.symbol, p.hi), more = term_scale(tt, factor, element);
      Term longer = combined(tt, op, kept, more) == both ? with_tail(tt, fold, c, element) : 0;
      if (!longer) continue;
      if (sum) return term_add(tt, term_sub(tt, kept, term_scale(tt, factor, fold)), term_scale(tt, factor, longer));
      for (uint32_t k = 0; several && k < term_count(tt, kept); k++)
        if (k != i) longer = combined(tt, op, longer, term_arg(tt, kept, k));
      return longer;
    }
  }
  return t;
}

/* where(c, max(x, y), y) = max(where(c, x, -inf), y) */
static bool parts_of_select(TermTable *tt, TermFoldOp op, Term body, Parts *parts) {
  for (int side = 1; side <= 2; side++) {
    Term both = term_arg(tt, body, (uint32_t)side), kept = term_arg(tt, body, (uint32_t)(3 - side)),
         c = term_arg(tt, body, 0), more = 0;
    if (!is_extremum(tt, op, both) || combined(tt, op, both, kept) != both) continue;
    uint32_t n = is_extremum(tt, op, kept) ? term_count(tt, kept) : 1;
    for (uint32_t i = 0; i < term_count(tt, both); i++) {
      Term x = term_arg(tt, both, i);
      bool known = false;
      for (uint32_t k = 0; k < n; k++) known |= x == (is_extremum(tt, op, kept) ? term_arg(tt, kept, k) : kept);
      if (!known) more = more ? combined(tt, op, more, x) : x;
    }
    if (!more || n + 1 > MOST_PARTS || combined(tt, op, kept, more) != both) continue;
    for (uint32_t k = 0; k < n; k++)
      parts->data[parts->count++] = is_extremum(tt, op, kept) ? term_arg(tt, kept, k) : kept;
    parts->data[parts->count++] =
        term_select(tt, side == 1 ? c : term_not(tt, c), more, term_fold_identity(tt, op, SORT_REAL));
    return true;
  }
  return false;
}

/* The parts that a body is put together of by the operation of its fold; none: another operation, or too many. */
static void find_parts(TermTable *tt, TermFoldOp op, Term body, Parts *parts) {
  parts->count = 0;
  if (op != FOLD_SUM && term_kind(tt, body) == TERM_SELECT) {
    parts_of_select(tt, op, body, parts);
    return;
  }
  bool sum = op == FOLD_SUM && term_kind(tt, body) == TERM_ADD;
  if ((!sum && !is_extremum(tt, op, body)) || term_count(tt, body) > MOST_PARTS) return;
  if (sum && term_arg(tt, body, 0) != tt->zero) parts->data[parts->count++] = term_arg(tt, body, 0);
  for (uint32_t i = sum; i < term_count(tt, body); i += 1u + sum)
    parts->data[parts->count++] =
        sum ? term_scale(tt, term_rat(tt, term_arg(tt, body, i)), term_arg(tt, body, i + 1)) : term_arg(tt, body, i);
}

/* op[k < min(B, n)](tile(k)) is op[k < B](tile(k)) where the tile is empty from n on. */
static FoldParts widened(TermTable *tt, FoldParts p, Term tile) {
  int64_t literal;
  if (term_kind(tt, p.hi) != TERM_MIN || term_count(tt, p.hi) != 2 || p.guard != tt->true_) return p;
  for (uint32_t i = 0; i < 2; i++) {
    Term size = term_arg(tt, p.hi, i), n = term_arg(tt, p.hi, 1 - i);
    if (!term_is_int(tt, size, &literal) || term_is_int(tt, n, &literal) || !term_prove_le(tt, p.lo, n)) continue;
    Term k = term_symbol_range(tt, term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), n, term_sub(tt, size, tt->one));
    if (!term_prove_le(tt, term_replace(tt, term_fold_hi(tt, tile), p.symbol, k),
                       term_replace(tt, term_fold_lo(tt, tile), p.symbol, k)))
      continue;
    Term wide =
        term_symbol_range(tt, term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), p.lo, term_sub(tt, size, tt->one));
    p.body = term_replace(tt, p.body, p.symbol, wide);
    p.symbol = wide, p.hi = size;
    return p;
  }
  return p;
}

/* The fold of the tile alone, merged with it; 0: they do not merge. */
static Term merged_tile(TermTable *tt, FoldParts p, Term part) {
  Term tile, nested = term_fold(tt, p.op, p.symbol, p.lo, p.hi, p.guard, part),
             merged = term_transform(tt, nested, term_merge_tiles, NULL);
  if (merged != nested) return merged;
  term_coefficient(tt, part, &tile);
  p.body = part;
  FoldParts wide = widened(tt, p, tile);
  if (wide.hi == p.hi) return 0;
  nested = term_fold(tt, p.op, wide.symbol, wide.lo, wide.hi, wide.guard, wide.body),
  merged = term_transform(tt, nested, term_merge_tiles, NULL);
  return merged != nested ? merged : 0;
}

static bool holds_fold(const TermTable *tt, Term body, TermFoldOp op, int depth) {
  TermKind kind = term_kind(tt, body);
  if (is_fold(tt, body, op)) return true;
  if (!depth || (kind != TERM_ADD && kind != TERM_MAX && kind != TERM_MIN && kind != TERM_SELECT)) return false;
  for (uint32_t i = 0; i < term_count(tt, body); i++)
    if (holds_fold(tt, term_arg(tt, body, i), op, depth - 1)) return true;
  return false;
}

/* op[k < min(B, n)](tile(k)), where only all B lanes are one fold with their tiles. */
static Term widened_tiles(TermTable *tt, Term t) {
  if (!is_fold(tt, term_fold_body(tt, t), (TermFoldOp)term_aux(tt, t)) ||
      term_kind(tt, term_fold_hi(tt, t)) != TERM_MIN)
    return t;
  FoldParts p = term_fold_open(tt, t);
  Term merged = merged_tile(tt, p, p.body);
  return merged ? merged : t;
}

/* op[k](tile(k) op rest(k)) = op(op[k](tile(k)), op[k](rest(k))) where the tiles are one fold then. */
static Term split_tiles(TermTable *tt, Term t) {
  TermFoldOp op = (TermFoldOp)term_aux(tt, t);
  Term inner, body = term_fold_body(tt, t);
  if ((op != FOLD_SUM && op != FOLD_MAX && op != FOLD_MIN) || term_kind(tt, body) == TERM_FOLD ||
      !holds_fold(tt, body, op, 2))
    return t;
  FoldParts p = term_fold_open(tt, t);
  Parts parts;
  find_parts(tt, op, p.body, &parts);
  for (uint32_t i = 0; i < parts.count; i++) {
    term_coefficient(tt, parts.data[i], &inner);
    if (!is_fold(tt, inner, op) || !term_has_symbol(tt, inner, p.symbol)) continue;
    Term merged = merged_tile(tt, p, parts.data[i]), rest = 0;
    for (uint32_t k = 0; k < parts.count; k++)
      if (k != i) rest = rest ? combined(tt, op, rest, parts.data[k]) : parts.data[k];
    if (!merged || !rest) continue;
    return combined(tt, op, merged, term_fold(tt, op, p.symbol, p.lo, p.hi, p.guard, rest));
  }
  return t;
}

/* sum[t](x(t) sum[l](f(t, l))) = sum[k](..) where x goes on with the products in f: the tiles of a linear recurrence.
 */
static Term factored_tiles(TermTable *tt, Term t) {
  if (term_aux(tt, t) != FOLD_SUM || term_kind(tt, term_fold_body(tt, t)) != TERM_MUL) return t;
  FoldParts p = term_fold_open(tt, t);
  Term inwards = moved_inwards(tt, p.body), merged = inwards ? merged_tile(tt, p, inwards) : 0;
  return merged ? merged : t;
}

/* k < h, a floor division multiplied out. */
static Term is_below(TermTable *tt, Term k, Term h) {
  if (term_kind(tt, h) != TERM_FLOORDIV || !term_prove_lt(tt, tt->zero, term_arg(tt, h, 1))) return term_lt(tt, k, h);
  return term_le(tt, term_mul(tt, term_arg(tt, h, 1), term_add(tt, k, tt->one)), term_arg(tt, h, 0));
}

/* op[l < B](op[k < h(l)](f(k, l) op g(k, l) ..)), lanes outside and unrolled copies inside, is op[k <
 * h(0)](op(op[l](f), op[l](g), ..)) if the copies are one fold then. */
static Term exchange_copies(TermTable *tt, Term t) {
  TermFoldOp op = (TermFoldOp)term_aux(tt, t);
  Term inner = term_fold_body(tt, t), all = 0;
  if ((op != FOLD_SUM && op != FOLD_MAX && op != FOLD_MIN) || !is_fold(tt, inner, op) ||
      term_fold_lo(tt, t) != tt->zero || !term_is_rat(tt, term_fold_hi(tt, t)))
    return t;
  TermKind kind = term_kind(tt, term_fold_body(tt, inner));
  if (kind != TERM_ADD && kind != TERM_MAX && kind != TERM_MIN && kind != TERM_SELECT) return t;
  FoldParts outer = term_fold_open(tt, t), steps = term_fold_open(tt, outer.body);
  Term most = term_replace(tt, steps.hi, outer.symbol, tt->zero);
  if (steps.lo != tt->zero || !term_prove_le(tt, steps.hi, most)) return t;
  Parts parts;
  find_parts(tt, op, steps.body, &parts);
  if (parts.count < 2) return t;
  Term k =
      term_symbol_range(tt, term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), tt->zero, term_sub(tt, most, tt->one));
  Term guard = term_and(tt, term_and(tt, outer.guard, term_replace(tt, steps.guard, steps.symbol, k)),
                        is_below(tt, k, steps.hi));
  for (uint32_t i = 0; i < parts.count; i++) {
    Term lanes =
        term_fold(tt, op, outer.symbol, outer.lo, outer.hi, guard, term_replace(tt, parts.data[i], steps.symbol, k));
    all = all ? combined(tt, op, all, lanes) : lanes;
  }
  Term one = term_join_ranges(tt, all, NULL);
  return is_fold(tt, one, op) ? term_fold(tt, op, k, tt->zero, most, tt->true_, one) : t;
}

Term term_join_ranges(TermTable *tt, Term t, void *unused) {
  (void)unused;
  if (!(term_node(tt, t)->flags & TERM_HAS_FOLD)) return t;
  for (int i = 0; i < 8; i++) { /* unrolled copies one after the other */
    TermKind kind = term_kind(tt, t);
    Term next = kind == TERM_ADD                                       ? join_sums(tt, t)
                : kind == TERM_MUL                                     ? join_products(tt, t)
                : kind == TERM_MAX || kind == TERM_MIN                 ? join_extrema(tt, t)
                : kind == TERM_SELECT && term_sort(tt, t) != SORT_BOOL ? join_choice(tt, t)
                                                                       : t;
    if (kind == TERM_FOLD) {
      next = split_tiles(tt, t);
      if (next == t) next = widened_tiles(tt, t);
      if (next == t) next = factored_tiles(tt, t);
      return next == t ? exchange_copies(tt, t) : next;
    }
    if (next == t) break;
    t = next;
  }
  return t;
}

/* True if there is an extremum of two folds in t, free of the index that `bound` stands for. */
static bool has_free_extremum(const TermTable *tt, Term t, uint64_t bound, int depth) {
  TermKind kind = term_kind(tt, t);
  if (!depth || kind == TERM_READ || !(term_node(tt, t)->flags & TERM_HAS_FOLD)) return false;
  if ((kind == TERM_MAX || kind == TERM_MIN) && !(term_node(tt, t)->free_mask & bound)) {
    uint32_t folds = 0;
    for (uint32_t i = 0; i < term_count(tt, t); i++) folds += term_kind(tt, term_arg(tt, t, i)) == TERM_FOLD;
    if (folds > 1) return true;
  }
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (has_free_extremum(tt, term_arg(tt, t, i), bound, depth - 1)) return true;
  return false;
}

/* Where anything is folded, the range has an element: what that says of ranges in the body that do not depend on the
 * index. */
Term term_join_where_some(TermTable *tt, Term t, void *unused) {
  (void)unused;
  if (term_kind(tt, t) != TERM_FOLD) return t;
  Term lo = term_fold_lo(tt, t), hi = term_fold_hi(tt, t), body = term_fold_body(tt, t);
  if (term_aux(tt, t) > FOLD_ALL || !has_free_extremum(tt, body, term_node(tt, term_fold_bound(tt, t))->free_mask, 6) ||
      term_prove_lt(tt, lo, hi))
    return t;
  FoldParts p = term_fold_open(tt, t);
  uint32_t facts = tt->facts.count;
  term_push_fact(tt, term_lt(tt, lo, hi));
  body = term_transform(tt, p.body, term_join_ranges, NULL);
  term_pop_facts(tt, facts);
  return body == p.body ? t : term_fold(tt, p.op, p.symbol, p.lo, p.hi, p.guard, body);
}
