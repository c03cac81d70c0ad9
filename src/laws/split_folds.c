/* A fold whose elements are chosen by a condition on its index, as the two folds over what is chosen:
 *
 *   op[k | g](f(where(c, x, y))) = op[k | g and c](f(x)) op op[k | g and not c](f(y))
 *
 * Sums, maxima and minima, with c of indices and sizes alone. Ranges that begin elsewhere then begin at 0, so that the
 * sum over a concatenation is the sum of the sums over its pieces. */
#include "laws/laws.h"
#include "term/cons.h"

enum { MOST_NODES = 4000, MOST_SPLITS = 4 };

static bool is_closed(const TermTable *tt, Term t) { return !(term_node(tt, t)->free_mask >> 48); }

/* The condition on k of a select in t; 0: there is none. */
static Term find_choice(TermTable *tt, Term t, Term k, uint32_t *nodes) {
  if (!(term_node(tt, t)->free_mask & term_node(tt, k)->free_mask) || tt->marks.data[t] == tt->epoch ||
      ++*nodes > MOST_NODES)
    return 0;
  tt->marks.data[t] = tt->epoch;
  if (term_kind(tt, t) == TERM_SELECT) {
    Term c = term_arg(tt, t, 0);
    bool is_plain = !(term_node(tt, c)->flags & (TERM_HAS_READ | TERM_HAS_FOLD));
    if (is_plain && is_closed(tt, c) && term_has_symbol(tt, c, k)) return c;
  }
  for (uint32_t i = 0; i < term_count(tt, t); i++) {
    Term c = find_choice(tt, term_arg(tt, t, i), k, nodes);
    if (c) return c;
  }
  return 0;
}

static Term from_zero(TermTable *tt, Term fold) {
  if (term_kind(tt, fold) != TERM_FOLD || term_fold_lo(tt, fold) == tt->zero) return fold;
  FoldParts p = term_fold_open(tt, fold);
  Term length = term_sub(tt, p.hi, p.lo), s = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), at;
  term_symbol_range(tt, s, tt->zero, term_sub(tt, length, tt->one));
  at = term_add(tt, s, p.lo);
  return term_fold(tt, p.op, s, tt->zero, length, term_replace(tt, p.guard, p.symbol, at),
                   term_replace(tt, p.body, p.symbol, at));
}

static Term split(TermTable *tt, Term fold, uint32_t depth) {
  uint32_t nodes = 0;
  if (term_kind(tt, fold) != TERM_FOLD || !depth) return fold;
  TermFoldOp op = (TermFoldOp)term_aux(tt, fold);
  if (op != FOLD_SUM && op != FOLD_MAX && op != FOLD_MIN) return fold;
  FoldParts p = term_fold_open(tt, fold);
  term_marks_begin(tt);
  Term c = find_choice(tt, p.body, p.symbol, &nodes), parts[2];
  if (!c) return fold;
  for (int side = 0; side < 2; side++) {
    Term own = side ? term_not(tt, c) : c, body = term_assume(tt, p.body, own);
    Term part = term_fold(tt, op, p.symbol, p.lo, p.hi, term_and(tt, p.guard, own), body);
    parts[side] = split(tt, from_zero(tt, part), depth - 1);
  }
  return op == FOLD_SUM   ? term_add(tt, parts[0], parts[1])
         : op == FOLD_MAX ? term_max(tt, parts[0], parts[1])
                          : term_min(tt, parts[0], parts[1]);
}

Term term_split_folds(TermTable *tt, Term t, void *unused) {
  (void)unused;
  return term_kind(tt, t) == TERM_FOLD ? split(tt, t, MOST_SPLITS) : t;
}
