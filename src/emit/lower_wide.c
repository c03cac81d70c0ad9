/* Integers that 64 bits do not hold on the way: the unsigned reading of an i64 is x or x + 2^64.
 *
 * Arrays of int64 would wrap, silently. Such a term is computed on arrays of Python's own integers, from its elements
 * up to where it is back in 64 bits (a remainder, a wrap), becomes a float, or is compared. Literals tell which terms
 * these are: sizes and indices never are. */
#include "emit/lower.h"

static const Int128 large = (Int128)1 << 62;

static bool is_large(Rational r) { return r.num >= large || r.num <= -large; }

static bool fits(TermTable *tt, Term t) {
  Int128 from, to;
  return term_interval_of_symbols(tt, t, &from, &to) && from >= INT64_MIN && to <= INT64_MAX;
}

static bool has_large_literal(const TermTable *tt, Term t) {
  for (uint32_t i = 0; i < term_count(tt, t); i += i ? 2 : 1)
    if (is_large(term_rat(tt, term_arg(tt, t, i)))) return true;
  return false;
}

bool lower_is_arithmetic(const TermTable *tt, Term t) {
  TermKind kind = term_kind(tt, t);
  if (term_sort(tt, t) != SORT_INT) return false;
  if (kind == TERM_FN) /* those that Python has for its own integers */
    return term_aux(tt, t) == FN_BITAND || term_aux(tt, t) == FN_BITOR || term_aux(tt, t) == FN_BITXOR;
  return kind == TERM_RAT || kind == TERM_ADD || kind == TERM_MUL || kind == TERM_FLOORDIV || kind == TERM_MIN ||
         kind == TERM_MAX || kind == TERM_ABS || kind == TERM_SELECT || kind == TERM_WRAP;
}

bool lower_leaves_64_bits(TermTable *tt, Term t) {
  TermKind kind = term_kind(tt, t);
  if (term_sort(tt, t) != SORT_INT) return false;
  if (kind == TERM_RAT) return is_large(term_rat(tt, t)) && !fits(tt, t);
  return kind == TERM_ADD && has_large_literal(tt, t) && !fits(tt, t);
}

static bool find(Lower *lower, Term t) {
  TermTable *tt = lower->tt;
  TermKind kind = term_kind(tt, t);
  if (lower_leaves_64_bits(tt, t)) return true;
  if (kind == TERM_RAT || !lower_is_arithmetic(tt, t)) return false;
  for (uint32_t i = kind == TERM_SELECT; i < term_count(tt, t); i++)
    if (term_sort(tt, term_arg(tt, t, i)) == SORT_INT && lower_is_wide(lower, term_arg(tt, t, i))) return true;
  return false;
}

bool lower_is_wide(Lower *lower, Term t) {
  if (t >= lower->width_count) {
    uint32_t room = lower->tt->nodes.count + lower->tt->nodes.count / 2 + 64;
    lower->widths = arena_grow(lower->arena, lower->widths, lower->width_count, room);
    lower->width_count = room;
  }
  if (!lower->widths[t]) {
    bool wide = find(lower, t);
    lower->widths[t] = 1 + wide;
  }
  return lower->widths[t] == 2;
}

Value lower_exactly(Lower *lower, Term t, bool narrow) {
  lower->exact++;
  Value value = lower_term(lower, t);
  lower->exact--;
  if (lower->exact || !narrow || !array_at(lower->program, value.node)->is_array) return value;
  TermSort sort = fits(lower->tt, t) || term_kind(lower->tt, t) == TERM_WRAP ? SORT_INT : SORT_REAL;
  return lower_elementwise(lower, (ArrayMake){.op = ARRAY_NARROW, .sort = sort}, 1, &value);
}
