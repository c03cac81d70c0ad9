/* Tails that are looked at if there are any:
 *
 *   where(c, x, y) = x where all bounds in y are those in x unless c
 *
 * A kernel goes over the whole tiles of a row, and over what is left of it under a condition. What it has then is one
 * of two values, of the whole row and of its whole tiles; where nothing is left, both are one. */
#include "laws/remainder_tiles.h"

enum { SAME_DEPTH = 12 };

static bool same_here(TermTable *tt, Term a, Term b, uint32_t depth);

/* Each argument of one has its equal among those of the other: sums and products are sorted. */
static bool same_arguments(TermTable *tt, Term a, Term b, uint32_t depth) {
  TermKind kind = term_kind(tt, a);
  bool pairs = kind == TERM_ADD || kind == TERM_MUL, any = pairs || kind == TERM_MAX || kind == TERM_MIN;
  uint32_t n = term_count(tt, a), first = kind == TERM_ADD, step = pairs ? 2 : 1, used = 0;
  if (n > 24 || (first && term_arg(tt, a, 0) != term_arg(tt, b, 0))) return false;
  for (uint32_t i = first; i < n; i += step) {
    uint32_t k = any ? first : i, end = any ? n : i + 1;
    for (; k < end; k += step) {
      bool factor = !pairs || term_arg(tt, a, first ? i : i + 1) ==
                                  term_arg(tt, b, first ? k : k + 1); /* coefficient or exponent */
      if (!(used >> k & 1) && factor &&
          same_here(tt, term_arg(tt, a, i + first), term_arg(tt, b, k + first), depth + 1))
        break;
    }
    if (k >= end) return false;
    used |= 1u << k;
  }
  return true;
}

/* True if both are one term but for integers, which are equal under the facts at hand. */
static bool same_here(TermTable *tt, Term a, Term b, uint32_t depth) {
  if (a == b) return true;
  if (depth > SAME_DEPTH || term_sort(tt, a) != term_sort(tt, b)) return false;
  if (term_sort(tt, a) == SORT_INT &&
      !((term_node(tt, a)->flags | term_node(tt, b)->flags) & (TERM_HAS_READ | TERM_HAS_FOLD)))
    return term_prove_le(tt, a, b) && term_prove_le(tt, b, a);
  if (term_kind(tt, a) != term_kind(tt, b) || term_aux(tt, a) != term_aux(tt, b) ||
      term_count(tt, a) != term_count(tt, b) || !term_count(tt, a))
    return false;
  if (term_kind(tt, a) != TERM_FOLD) return same_arguments(tt, a, b, depth);
  FoldParts x = term_fold_open(tt, a), y = term_fold_open(tt, b);
  if (!same_here(tt, x.lo, y.lo, depth + 1) || !same_here(tt, x.hi, y.hi, depth + 1)) return false;
  return same_here(tt, x.guard, term_replace(tt, y.guard, y.symbol, x.symbol), depth + 1) &&
         same_here(tt, x.body, term_replace(tt, y.body, y.symbol, x.symbol), depth + 1);
}

Term tails_drop_choice(TermTable *tt, Term t) {
  Term c = term_arg(tt, t, 0);
  if (term_kind(tt, c) != TERM_LE || term_sort(tt, t) != SORT_REAL ||
      (term_node(tt, c)->flags & (TERM_HAS_READ | TERM_HAS_REAL | TERM_HAS_FOLD)))
    return t;
  for (uint32_t side = 1; side <= 2; side++) {
    Term kept = term_arg(tt, t, side), other = term_arg(tt, t, 3 - side);
    if (!(term_node(tt, kept)->flags & TERM_HAS_FOLD)) continue;
    uint32_t facts = tt->facts.count;
    term_push_fact(tt, side == 1 ? term_not(tt, c) : c);
    bool same = same_here(tt, kept, other, 0);
    term_pop_facts(tt, facts);
    if (same) return kept;
  }
  return t;
}
