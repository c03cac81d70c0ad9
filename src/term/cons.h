/* The raw hash-consing constructor: only files of src/term/ use it, after they have brought arguments into canonical
 * form. */
#ifndef ASSAY_TERM_CONS_H
#define ASSAY_TERM_CONS_H

#include "base/random.h"
#include "term/term.h"

Term term_cons(TermTable *tt, TermKind kind, TermSort sort, uint32_t aux, uint32_t count, const Term *args);
static inline uint64_t random_hash(uint64_t x) { return random_mix(x + 0x9E3779B97F4A7C15u); }
/* Structural order: independent of creation order. */
static inline int term_order(const TermTable *tt, Term a, Term b) {
  uint64_t x = tt->nodes.data[a].hash, y = tt->nodes.data[b].hash;
  return x < y ? -1 : x > y ? 1 : a < b ? -1 : a > b;
}
/* A new epoch: no node is marked. */
void term_marks_begin(TermTable *tt);
/* build.c: `like` with other arguments, sorted again but not simplified: for the closing of folds. */
Term term_resort(TermTable *tt, Term like, Term *args);
void term_sort_args(const TermTable *tt, Term *args, uint32_t n);
Term term_add_scaled(TermTable *tt, Rational k, Term a, Rational l, Term b); /* k*a + l*b, finite; b may be 0: k*a */
Term term_drop_factor(TermTable *tt, Term t, uint32_t i); /* the product t without one factor base(i) */

/* Infinities (build.c): they, NaN and undefined values stand inside nothing else. */
static inline bool term_is_infinity(const TermTable *tt, Term t) {
  TermKind kind = term_kind(tt, t);
  return kind == TERM_INF || kind == TERM_NEG_INF || kind == TERM_NAN || kind == TERM_UNDEF;
}
/* NaN and undefined values swallow whatever they meet: the first of the two that does, or 0. */
static inline Term term_swallowing(const TermTable *tt, Term a, Term b) {
  if (term_kind(tt, a) == TERM_UNDEF || term_kind(tt, a) == TERM_NAN) return a;
  if (b && (term_kind(tt, b) == TERM_UNDEF || term_kind(tt, b) == TERM_NAN)) return b;
  return 0;
}
/* A select with an infinite branch, possibly nested. */
bool term_is_infinite_select(const TermTable *tt, Term t);
/* The same, or a NaN branch: NaN may stand inside arithmetic, which it swallows whatever else is done, but not in a
 * test. */
bool term_is_special_select(const TermTable *tt, Term t);
/* f(select(c, x, y), b) = select(c, f(x, b), f(y, b)) */
typedef Term (*TermBinary)(TermTable *, Term, Term);
Term term_push_out(TermTable *tt, TermBinary f, Term a, Term b);

/* divide.c: what k and the coefficients of t, its constant left out, have in common. */
Int128 term_content(const TermTable *tt, Term t, Int128 k);
/* conditions.c: positive scaling that makes equal conditions equal, content one for Int, the best looking coefficient
 * one for Real; 0: never zero. */
Term term_scale_comparison(TermTable *tt, Term t, bool equality);

/* fold.c: one leaf or READ for another; the symbol of an array for the STATE, without an index, that its elements are.
 * Every level inside is below that of a BOUND or STATE that comes or goes, so nothing is captured. */
Term term_exchange(TermTable *tt, Term t, Term from, Term to);

/* What constructors call of `laws/`. */
/* op[k < hi, guard](body) as two folds where k is seen only as k // c and k % c (cut.c); 0: it is not. */
Term term_cut_fold(TermTable *tt, TermFoldOp op, Term k, Term hi, Term guard, Term body);

/* min[lo <= k < hi](where(f(k) is the greatest, c + k, n)), by the arg max of f (place.c); 0: it is not that. */
Term term_place_of_extremum(TermTable *tt, Term symbol, Term lo, Term hi, Term body);

#endif
