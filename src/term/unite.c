/* The union of two conditions, where one conjunction says it: what stores under both are one store under.
 *
 *   c and a, c and not a          c
 *   c and a, c and b              c and a where b implies a, b where a implies b, c where one of a and b always holds
 *
 * A part b_i of b is left out where it holds whenever a does not: a or (b_i and rest) = a or rest. What remains is decided by
 * the ranges and facts at hand. */
#include "term/term.h"

static Term part_of(const TermTable *tt, Term t, uint32_t i) { return term_kind(tt, t) == TERM_AND ? term_arg(tt, t, i) : t; }
static uint32_t part_count(const TermTable *tt, Term t) { return term_kind(tt, t) == TERM_AND ? term_count(tt, t) : t != tt->true_; }

static bool has_part(const TermTable *tt, Term t, Term part) {
  for (uint32_t i = 0; i < part_count(tt, t); i++) if (part_of(tt, t, i) == part) return true;
  return false;
}

static bool implies(TermTable *tt, Term a, Term b) { return term_assume(tt, b, a) == tt->true_ || term_assume(tt, term_not(tt, b), a) == tt->false_; }

/* The parts of b that do not hold already where a does not: a or b = a or these. */
static Term beyond(TermTable *tt, Term a, Term b) {
  Term left = tt->true_;
  for (uint32_t i = 0; i < part_count(tt, b); i++) {
    Term part = part_of(tt, b, i);
    bool holds = true;
    for (uint32_t k = 0; k < part_count(tt, a) && holds; k++) holds = implies(tt, term_not(tt, part_of(tt, a, k)), part);
    if (!holds) left = term_and(tt, left, part);
  }
  return left;
}

/* Of two conditions without a common part; 0: no conjunction is known for it. */
static Term unite(TermTable *tt, Term a, Term b) {
  b = beyond(tt, a, b);
  a = beyond(tt, b, a);
  if (a == tt->true_ || b == tt->true_) return tt->true_;
  return implies(tt, a, b) ? b : implies(tt, b, a) ? a : 0;
}

Term term_unite(TermTable *tt, Term x, Term y) {
  Term common = tt->true_, a = tt->true_, b = tt->true_;
  uint32_t facts = tt->facts.count;
  for (uint32_t i = 0; i < part_count(tt, x); i++) {
    Term part = part_of(tt, x, i);
    if (has_part(tt, y, part)) common = term_and(tt, common, part);
    else a = term_and(tt, a, part);
  }
  for (uint32_t i = 0; i < part_count(tt, y); i++) if (!has_part(tt, x, part_of(tt, y, i))) b = term_and(tt, b, part_of(tt, y, i));
  for (uint32_t i = 0; i < part_count(tt, common); i++) term_push_fact(tt, part_of(tt, common, i));
  Term either = unite(tt, a, b);
  term_pop_facts(tt, facts);
  return either ? term_and(tt, common, either) : 0;
}
