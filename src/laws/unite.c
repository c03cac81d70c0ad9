/* The union of two conditions, where one conjunction says it, and the value that two values are under them: of stores
 * that are one store.
 *
 *   c and a, c and not a          c
 *   c and a, c and b              c and a where b implies a, b where a implies b, c where one of a and b always holds
 *
 * A part b_i of b is left out where it holds whenever a does not: a or (b_i and rest) = a or rest. What remains is
 * decided by the ranges and facts at hand. */
#include "laws/laws.h"
#include "term/term.h"

static Term part_of(const TermTable *tt, Term t, uint32_t i) { return term_conjunct(tt, t, i); }
static uint32_t part_count(const TermTable *tt, Term t) {
  return term_kind(tt, t) == TERM_AND ? term_count(tt, t) : t != tt->true_;
}

static bool has_part(const TermTable *tt, Term t, Term part) {
  for (uint32_t i = 0; i < part_count(tt, t); i++)
    if (part_of(tt, t, i) == part) return true;
  return false;
}

/* t != 0 as t >= 1 or t <= -1, where the sign of t is known. */
static Term as_order(TermTable *tt, Term condition) {
  Term equal = term_not(tt, condition),
       t = term_kind(tt, equal) == TERM_EQ && term_count(tt, equal) == 1 ? term_arg(tt, equal, 0) : 0;
  if (!t || term_sort(tt, t) != SORT_INT) return condition;
  if (term_prove_le(tt, tt->zero, t)) return term_le(tt, tt->one, t);
  return term_prove_le(tt, t, tt->zero) ? term_le(tt, t, tt->minus_one) : condition;
}

static bool implies(TermTable *tt, Term a, Term b) {
  uint32_t facts = tt->facts.count;
  a = as_order(tt, a);
  if (term_assume(tt, b, a) == tt->true_ || term_assume(tt, term_not(tt, b), a) == tt->false_) return true;
  if (term_kind(tt, b) != TERM_EQ || term_count(tt, b) != 1 || term_sort(tt, term_arg(tt, b, 0)) != SORT_INT)
    return false;
  for (uint32_t i = 0; i < part_count(tt, a); i++) term_push_fact(tt, part_of(tt, a, i));
  bool equal = term_prove_le(tt, term_arg(tt, b, 0), tt->zero) && term_prove_le(tt, tt->zero, term_arg(tt, b, 0));
  term_pop_facts(tt, facts);
  return equal;
}

/* The parts of b that do not hold already where a does not: a or b = a or these. */
static Term beyond(TermTable *tt, Term a, Term b) {
  Term left = tt->true_;
  for (uint32_t i = 0; i < part_count(tt, b); i++) {
    Term part = part_of(tt, b, i);
    bool holds = true;
    for (uint32_t k = 0; k < part_count(tt, a) && holds; k++)
      holds = implies(tt, term_not(tt, part_of(tt, a, k)), part);
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
    if (has_part(tt, y, part))
      common = term_and(tt, common, part);
    else
      a = term_and(tt, a, part);
  }
  for (uint32_t i = 0; i < part_count(tt, y); i++)
    if (!has_part(tt, x, part_of(tt, y, i))) b = term_and(tt, b, part_of(tt, y, i));
  for (uint32_t i = 0; i < part_count(tt, common); i++) term_push_fact(tt, part_of(tt, common, i));
  Term either = unite(tt, a, b);
  term_pop_facts(tt, facts);
  return either ? term_and(tt, common, either) : 0;
}

Term term_unite_values(TermTable *tt, Term a, Term x, Term b, Term y) {
  if (a == b) return a;
  Term at_x = term_assume(tt, a, x), at_y = term_assume(tt, b, y);
  if (at_x == at_y) return at_x;
  if (term_assume(tt, b, x) == at_x) return b;
  return term_assume(tt, a, y) == at_y ? a : 0;
}
