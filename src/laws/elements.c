/* Folds over a few places whose number is known, element by element: a window of 3 by 3, a pair of neighbours.
 *
 *   op[lo <= k < hi | g(k)](f(k)) = where(g(lo), f(lo), e) op where(g(lo + 1), f(lo + 1), e) op ..
 *
 * for numbers lo and hi and the neutral element e; where the range is less, lo <= k < hi for lo = max(0, 1 - i), that
 * is part of each condition. What an element reads is made again where its guard holds: a place that is kept within its
 * row, min(max(j - 1, 0), n - 1), is j - 1 where 0 < j <= n. */
#include "laws/compare_laws.h"

enum { MOST_ELEMENTS = 16, MOST_IN_ALL = 64 };

typedef struct Elements {
  uint32_t left; /* that may still be written out */
} Elements;

/* The number that a bound, or one that is at least (`kind`: TERM_MAX) or at most (TERM_MIN) that, gives. */
static bool number_of(const TermTable *tt, Term bound, TermKind kind, int64_t *number) {
  if (term_is_int(tt, bound, number)) return true;
  for (uint32_t i = 0; term_kind(tt, bound) == kind && i < term_count(tt, bound); i++)
    if (term_is_int(tt, term_arg(tt, bound, i), number)) return true;
  return false;
}

/* That the range has that place. */
static Term within(TermTable *tt, const FoldParts *p, Term at) {
  Term inside = tt->true_;
  bool max = term_kind(tt, p->lo) == TERM_MAX, min = term_kind(tt, p->hi) == TERM_MIN;
  for (uint32_t i = 0; i < (max ? term_count(tt, p->lo) : 1); i++)
    inside = term_and(tt, inside, term_le(tt, max ? term_arg(tt, p->lo, i) : p->lo, at));
  for (uint32_t i = 0; i < (min ? term_count(tt, p->hi) : 1); i++)
    inside = term_and(tt, inside, term_lt(tt, at, min ? term_arg(tt, p->hi, i) : p->hi));
  return inside;
}

static Term element(TermTable *tt, const FoldParts *p, Term at, Term neutral) {
  Term guard = term_and(tt, within(tt, p, at), term_rebuild(tt, term_replace(tt, p->guard, p->symbol, at)));
  Term body = term_replace(tt, p->body, p->symbol, at);
  if (guard == tt->false_) return neutral;
  uint32_t facts = tt->facts.count;
  for (uint32_t i = 0, n = term_conjunct_count(tt, guard); i < n && guard != tt->true_; i++)
    term_push_fact(tt, term_conjunct(tt, guard, i));
  body = term_rebuild(tt, term_assume(tt, body, guard));
  term_pop_facts(tt, facts);
  return term_select(tt, guard, body, neutral);
}

static Term write_out(TermTable *tt, Term t, void *payload) {
  Elements *e = payload;
  int64_t lo, hi;
  if (term_kind(tt, t) != TERM_FOLD || !number_of(tt, term_fold_lo(tt, t), TERM_MAX, &lo) ||
      !number_of(tt, term_fold_hi(tt, t), TERM_MIN, &hi) || hi <= lo || hi - lo > MOST_ELEMENTS || hi - lo > e->left)
    return t;
  FoldParts p = term_fold_open(tt, t);
  Term neutral = term_fold_identity(tt, p.op, term_sort(tt, t)), all = neutral;
  for (int64_t k = lo; k < hi && all; k++)
    all = term_fold_combine(tt, p.op, all, element(tt, &p, term_int(tt, k), neutral));
  if (!all) return t;
  e->left -= (uint32_t)(hi - lo);
  return all;
}

Term compare_elements(TermTable *tt, Term t) { return term_transform(tt, t, write_out, &(Elements){MOST_IN_ALL}); }
