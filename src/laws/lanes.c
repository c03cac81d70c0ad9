/* Sums over lanes of what each lane has summed up, divided by its count, say: Welford's mean and squares put together.
 *
 *   sum[l < B](c(l) where(c(l) > 0, S(l) / c(l), 0)) = sum[l < B](S(l))          where S(l) is a sum of nothing unless
 * c(l) > 0
 *
 * The body is looked at under the condition of its choices, where the count is not 0: there it is multiplied out, x / x
 * goes away, and the sum is taken apart (normal.c). Where the condition fails all summands are 0, which is shown of
 * each by a factor that is 0 there. What is left must be sums over the tiles of lanes that are one sum with them
 * (merge.c), or sums of integers in closed form; if any is not, the sum stays as it is. */
#include "laws/laws.h"
#include "term/cons.h"

enum { MOST_SUMMANDS = 24, DEPTH = 6 };

/* The condition of a choice in t, outside of folds, on integers alone; 0: there is none. */
static Term find_choice(const TermTable *tt, Term t, Term symbol, int depth) {
  TermKind kind = term_kind(tt, t);
  if (!depth || kind == TERM_FOLD || kind == TERM_READ) return 0;
  if (kind == TERM_SELECT) {
    Term c = term_arg(tt, t, 0);
    bool plain = term_kind(tt, c) == TERM_LE && term_count(tt, c) == 1 && term_sort(tt, term_arg(tt, c, 0)) == SORT_INT;
    if (plain && !(term_node(tt, c)->flags & (TERM_HAS_READ | TERM_HAS_FOLD | TERM_HAS_UNDEF | TERM_HAS_OPAQUE)) &&
        term_has_symbol(tt, c, symbol))
      return c;
  }
  for (uint32_t i = 0; i < term_count(tt, t); i++) {
    Term found = find_choice(tt, term_arg(tt, t, i), symbol, depth - 1);
    if (found) return found;
  }
  return 0;
}

/* True if there is a sum below, over a range that depends on the symbol. */
static bool has_sum_of_lane(TermTable *tt, Term t, Term symbol, int depth) {
  if (!term_has_symbol(tt, t, symbol) || !depth || term_kind(tt, t) == TERM_READ) return false;
  if (term_kind(tt, t) == TERM_FOLD)
    return term_aux(tt, t) == FOLD_SUM && term_has_symbol(tt, term_fold_hi(tt, t), symbol);
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (has_sum_of_lane(tt, term_arg(tt, t, i), symbol, depth - 1)) return true;
  return false;
}

/* True if there is a division by an integer of the lane, its count. */
static bool divides_by_count(const TermTable *tt, Term t, uint64_t lane, int depth) {
  TermKind kind = term_kind(tt, t);
  if (!depth || kind == TERM_FOLD || kind == TERM_READ || !(term_node(tt, t)->free_mask & lane)) return false;
  for (uint32_t i = 0; i < term_count(tt, t); i++) {
    Term x = term_arg(tt, t, i);
    if (kind == TERM_MUL && i % 2 == 0 && term_sort(tt, x) == SORT_INT &&
        term_rat(tt, term_arg(tt, t, i + 1)).num < 0 && (term_node(tt, x)->free_mask & lane))
      return true;
    if (divides_by_count(tt, x, lane, depth - 1)) return true;
  }
  return false;
}

static uint32_t summand_count(const TermTable *tt, Term t) {
  return term_kind(tt, t) == TERM_ADD ? (term_count(tt, t) + 1) / 2 : 1;
}

static Term summand(TermTable *tt, Term t, uint32_t i) {
  if (term_kind(tt, t) != TERM_ADD) return t;
  return i ? term_scale(tt, term_rat(tt, term_arg(tt, t, 2 * i - 1)), term_arg(tt, t, 2 * i)) : term_arg(tt, t, 0);
}

static uint32_t factor_count(const TermTable *tt, Term t) {
  return term_kind(tt, t) == TERM_MUL ? term_count(tt, t) / 2 : 1;
}
static Term factor(const TermTable *tt, Term t, uint32_t i) {
  return term_kind(tt, t) == TERM_MUL ? term_arg(tt, t, 2 * i) : t;
}
static Rational power(const TermTable *tt, Term t, uint32_t i) {
  return term_kind(tt, t) == TERM_MUL ? term_rat(tt, term_arg(tt, t, 2 * i + 1)) : rational_int(1);
}

/* An integer that is 0 under the facts at hand, or a sum of nothing. */
static bool is_nothing(TermTable *tt, Term t) {
  if (term_kind(tt, t) == TERM_FOLD)
    return term_aux(tt, t) == FOLD_SUM && term_prove_le(tt, term_fold_hi(tt, t), term_fold_lo(tt, t));
  return term_sort(tt, t) == SORT_INT && term_prove_le(tt, t, tt->zero) && term_prove_le(tt, tt->zero, t);
}

/* True if every summand is 0 where the condition fails. */
static bool vanishes(TermTable *tt, Term body, Term condition) {
  Term off = term_not(tt, condition), t = term_expand(tt, term_assume(tt, body, off));
  bool all = summand_count(tt, t) <= MOST_SUMMANDS;
  uint32_t facts = tt->facts.count;
  term_push_fact(tt, off);
  for (uint32_t i = 0; i < summand_count(tt, t) && all; i++) {
    Term product, part = summand(tt, t, i);
    bool zero = part == tt->zero, total = true;
    term_coefficient(tt, part, &product);
    for (uint32_t k = 0; k < factor_count(tt, product); k++) {
      zero |= power(tt, product, k).num > 0 && is_nothing(tt, factor(tt, product, k));
      total &= term_is_total(tt, term_power(tt, factor(tt, product, k), power(tt, product, k)));
    }
    all = zero && total;
  }
  term_pop_facts(tt, facts);
  return all;
}

/* x^a x^-b as one power, for integers x > 0. */
static Term cancelled(TermTable *tt, Term t) {
  Term sum = tt->zero;
  for (uint32_t i = 0; i < summand_count(tt, t); i++) {
    Term product, result = tt->one;
    Rational k = term_coefficient(tt, summand(tt, t, i), &product);
    for (uint32_t j = 0; j < factor_count(tt, product); j++) {
      Term x = factor(tt, product, j);
      Rational e = power(tt, product, j);
      bool first = true, twice = false;
      for (uint32_t o = 0; o < factor_count(tt, product); o++) {
        if (o == j || factor(tt, product, o) != x) continue;
        twice = true, first &= o > j;
        e = rational_add(tt->arena->guard, e, power(tt, product, o));
      }
      if (!twice || term_sort(tt, x) != SORT_INT || !term_prove_lt(tt, tt->zero, x))
        result = term_mul(tt, result, term_power(tt, x, power(tt, product, j)));
      else if (first)
        result = term_mul(tt, result, term_power(tt, x, e));
    }
    sum = term_add(tt, sum, term_scale(tt, k, result));
  }
  return sum;
}

/* One summand's sum, without parts of the guard that fail only where it is 0; 0: tiles of it are not one sum with the
 * lanes. */
static Term merged(TermTable *tt, const FoldParts *p, Term body) {
  Term rest = tt->true_;
  bool several = term_kind(tt, p->guard) == TERM_AND;
  for (uint32_t i = 0; i < (several ? term_count(tt, p->guard) : 1); i++) {
    Term part = several ? term_arg(tt, p->guard, i) : p->guard;
    if (part != tt->true_ && !vanishes(tt, body, part)) rest = term_and(tt, rest, part);
  }
  Term fold = term_fold(tt, FOLD_SUM, p->symbol, p->lo, p->hi, rest, body);
  if (term_kind(tt, fold) != TERM_FOLD) return fold;
  if (term_kind(tt, term_fold_body(tt, fold)) != TERM_FOLD) return 0;
  Term one = term_transform(tt, fold, term_merge_tiles, NULL);
  return one != fold && (term_kind(tt, one) != TERM_FOLD || term_kind(tt, term_fold_body(tt, one)) != TERM_FOLD) ? one
                                                                                                                 : 0;
}

/* The product as what is free of the lane and what is not; false: the first may have no value. */
static bool split_product(TermTable *tt, Term product, Term symbol, Term *outer, Term *inner) {
  *outer = *inner = tt->one;
  for (uint32_t k = 0; k < factor_count(tt, product); k++) {
    Term x = factor(tt, product, k), *side = term_has_symbol(tt, x, symbol) ? inner : outer;
    *side = term_mul(tt, *side, term_power(tt, x, power(tt, product, k)));
  }
  return term_is_total(tt, *outer);
}

Term term_sum_lanes(TermTable *tt, Term t) {
  int64_t lanes;
  uint64_t lane = term_node(tt, term_fold_bound(tt, t))->free_mask;
  if (term_sort(tt, t) != SORT_REAL || !term_is_int(tt, term_fold_hi(tt, t), &lanes) ||
      !divides_by_count(tt, term_fold_body(tt, t), lane, DEPTH))
    return t;
  FoldParts p = term_fold_open(tt, t);
  if (p.op != FOLD_SUM || !has_sum_of_lane(tt, p.body, p.symbol, DEPTH)) return t;
  for (int i = 0; i < 4; i++) {
    Term c = find_choice(tt, p.body, p.symbol, DEPTH);
    if (!c) break;
    if (!vanishes(tt, p.body, c)) c = term_not(tt, c);
    if (!vanishes(tt, p.body, c)) return t;
    p.body = term_assume(tt, p.body, c), p.guard = term_and(tt, p.guard, c);
  }
  if (p.guard == tt->true_ || find_choice(tt, p.body, p.symbol, DEPTH)) return t;
  uint32_t facts = tt->facts.count;
  for (uint32_t i = 0; i < (term_kind(tt, p.guard) == TERM_AND ? term_count(tt, p.guard) : 1); i++)
    term_push_fact(tt, term_kind(tt, p.guard) == TERM_AND ? term_arg(tt, p.guard, i) : p.guard);
  Term body = cancelled(tt, term_expand(tt, term_rebuild(tt, p.body)));
  term_pop_facts(tt, facts);
  if (summand_count(tt, body) > MOST_SUMMANDS || !term_is_finite(tt, body)) return t;
  Term sum = tt->zero;
  for (uint32_t i = 0; i < summand_count(tt, body); i++) {
    Term product, outer, inner;
    if (summand(tt, body, i) == tt->zero) continue;
    Rational k = term_coefficient(tt, summand(tt, body, i), &product);
    if (!split_product(tt, product, p.symbol, &outer, &inner)) return t;
    Term one = merged(tt, &p, inner);
    if (!one) return t;
    sum = term_add(tt, sum, term_scale(tt, k, term_mul(tt, outer, one)));
  }
  return cancelled(tt, term_expand(tt, sum));
}
