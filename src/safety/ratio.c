/* Quotients that are at most 1 (see ratio.h): what is divided by the greatest magnitude of its row, as quantisation and
 * scaling to the maximum do.
 *
 * A maximum over a range is at least each of its elements, and a sum of magnitudes too. That x is one of them is shown
 * by the index at which it is: from an element that x reads and one that the body reads follows what the index of the
 * fold would have to be, and the body at that index is x itself or it is not. */
#include "safety/ratio.h"

#include "prove/equal.h"

enum { MOST_READS = 6, MOST_DEPTH = 8 };

typedef struct Reads {
  Term read[MOST_READS];
  uint32_t count;
} Reads;

static Term note_read(TermTable *tt, Term t, void *payload) {
  Reads *reads = payload;
  if (term_kind(tt, t) == TERM_READ && reads->count < MOST_READS) reads->read[reads->count++] = t;
  return t;
}

static Reads reads_of(TermTable *tt, Term t) {
  Reads reads = {.count = 0};
  term_transform(tt, t, note_read, &reads);
  return reads;
}

/* The index at which the read of a body is the one of x, from the first place where they differ; 0: none. */
static Term index_between(TermTable *tt, Term of_body, Term of_x, Term symbol) {
  if (term_count(tt, of_body) != term_count(tt, of_x) || term_arg(tt, of_body, 0) != term_arg(tt, of_x, 0)) return 0;
  for (uint32_t i = 1; i < term_count(tt, of_body); i++) {
    Term at = term_arg(tt, of_body, i), by;
    if (!term_has_symbol(tt, at, symbol)) continue;
    by = term_add(tt, symbol, term_sub(tt, term_arg(tt, of_x, i), at));
    return term_has_symbol(tt, by, symbol) ? 0 : by;
  }
  return 0;
}

static bool is_at_most(TermTable *tt, Term x, Term d, uint32_t depth);

/* True if x is an element of the fold, or less than one. */
static bool is_element(TermTable *tt, Term x, Term fold, uint32_t depth) {
  FoldParts p = term_fold_open(tt, fold);
  Reads of_body = reads_of(tt, p.body), of_x = reads_of(tt, x);
  bool good = false;
  for (uint32_t i = 0; i < of_body.count && !good; i++)
    for (uint32_t k = 0; k < of_x.count && !good; k++) {
      Term at = index_between(tt, of_body.read[i], of_x.read[k], p.symbol);
      good = at && term_prove_le(tt, p.lo, at) && term_prove_lt(tt, at, p.hi) &&
             equal_prove_true(tt, term_replace(tt, p.guard, p.symbol, at)) &&
             is_at_most(tt, x, term_replace(tt, p.body, p.symbol, at), depth + 1);
    }
  return good;
}

/* Never negative, whatever is read. */
static bool is_magnitude(TermTable *tt, Term t) {
  if (term_kind(tt, t) == TERM_ABS || term_is_nonnegative(tt, t)) return true;
  if (term_kind(tt, t) == TERM_FOLD && (term_aux(tt, t) == FOLD_MAX || term_aux(tt, t) == FOLD_SUM)) {
    FoldParts p = term_fold_open(tt, t); /* a maximum of nothing is asked about with the infinities */
    return is_magnitude(tt, p.body);
  }
  for (uint32_t i = 0; term_kind(tt, t) == TERM_MAX && i < term_count(tt, t); i++)
    if (is_magnitude(tt, term_arg(tt, t, i))) return true;
  return false;
}

/* One part with a coefficient of at least 1 is enough, where the others are not negative. */
static bool is_at_most_sum(TermTable *tt, Term x, Term d, uint32_t depth) {
  if (rational_sign(term_rat(tt, term_arg(tt, d, 0))) < 0) return false;
  bool good = false;
  for (uint32_t i = 1; i < term_count(tt, d); i += 2) {
    Rational k = term_rat(tt, term_arg(tt, d, i));
    if (k.num < 0 || !is_magnitude(tt, term_arg(tt, d, i + 1))) return false;
    good |= k.num >= k.den && is_at_most(tt, x, term_arg(tt, d, i + 1), depth + 1);
  }
  return good;
}

static bool is_at_most_fold(TermTable *tt, Term x, Term d, uint32_t depth) {
  TermFoldOp op = (TermFoldOp)term_aux(tt, d);
  if (op != FOLD_MAX && op != FOLD_SUM) return false;
  FoldParts p = term_fold_open(tt, d);
  return (op == FOLD_MAX || is_magnitude(tt, p.body)) && is_element(tt, x, d, depth);
}

/* abs(x) <= d of an x that is no choice. */
static bool is_at_most(TermTable *tt, Term x, Term d, uint32_t depth) {
  if (depth > MOST_DEPTH) return false;
  if (x == tt->zero) return is_magnitude(tt, d);
  if (term_kind(tt, d) == TERM_ABS) return term_arg(tt, d, 0) == x || term_arg(tt, d, 0) == term_neg(tt, x) || d == x;
  if (term_kind(tt, d) == TERM_ADD) return is_at_most_sum(tt, x, d, depth);
  if (term_kind(tt, d) == TERM_FOLD) return is_at_most_fold(tt, x, d, depth);
  for (uint32_t i = 0; term_kind(tt, d) == TERM_MAX && i < term_count(tt, d); i++)
    if (is_at_most(tt, x, term_arg(tt, d, i), depth + 1)) return true;
  return false;
}

bool ratio_is_at_most_one(TermTable *tt, Term x, Term d) {
  if (term_kind(tt, x) != TERM_SELECT) return is_at_most(tt, x, term_rebuild(tt, d), 0);
  bool good = true;
  for (uint32_t side = 1; side <= 2 && good; side++) {
    uint32_t facts = tt->facts.count;
    equal_push(tt, side == 1 ? term_arg(tt, x, 0) : term_not(tt, term_arg(tt, x, 0)));
    good = ratio_is_at_most_one(tt, term_arg(tt, x, side), d);
    term_pop_facts(tt, facts);
  }
  return good;
}
