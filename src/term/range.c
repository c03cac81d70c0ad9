/* Ranges and signs: tells whether an integer polynomial is non-positive for all values of its symbols, or a real is
 * positive.
 *
 * A question t <= 0 is answered by eliminating one atom after the other: an atom that occurs linearly with a
 * coefficient of known sign is replaced by its bound (lane and index before program id before size), minimum, maximum
 * and select by their cases, floor division by its defining inequalities. Facts are added one at a time, once or as
 * often as they cancel an atom. The answer "true" is a proof; "false" says nothing. Work is bounded by fuel, so cost
 * does not depend on sizes; what model.c refutes is not searched for. */
#include <math.h>

#include "term/cons.h"

enum { FUEL = 400, FACT_DEPTH = 2, DEPTH = 24, MOST_LEFT = 12, BOUNDS_DEPTH = 3 };

static bool nonpositive(TermTable *tt, Term t, uint32_t fact_depth);

/* One of several ways to the answer: it may use one part of the fuel, so that the other ways have some left. */
static bool attempt(TermTable *tt, Term t, uint32_t facts, uint32_t parts) {
  uint32_t kept = tt->fuel - tt->fuel / parts;
  tt->fuel -= kept;
  bool holds = nonpositive(tt, t, facts);
  tt->fuel += kept;
  return holds;
}

/* t = c * atom + rest with atom not in c and not in rest, and not below another atom: false if it is not linear. */
static bool split_linear(TermTable *tt, Term t, Term atom, Term *c, Term *rest) {
  *c = tt->zero, *rest = t;
  if (t == atom) {
    *c = tt->one, *rest = tt->zero;
    return true;
  }
  if (term_kind(tt, t) == TERM_MUL) {
    for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
      if (term_arg(tt, t, i) != atom || term_arg(tt, t, i + 1) != tt->one) continue;
      Term product = tt->one;
      for (uint32_t j = 0; j < term_count(tt, t); j += 2)
        if (j != i)
          product = term_mul(tt, product, term_power(tt, term_arg(tt, t, j), term_rat(tt, term_arg(tt, t, j + 1))));
      *c = product, *rest = tt->zero;
      return true;
    }
    return false;
  }
  if (term_kind(tt, t) != TERM_ADD) return false;
  Term coefficient = tt->zero, others = term_arg(tt, t, 0);
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    Term part_c, part_rest, part = term_arg(tt, t, i + 1);
    Rational k = term_rat(tt, term_arg(tt, t, i));
    if (split_linear(tt, part, atom, &part_c, &part_rest))
      coefficient = term_add(tt, coefficient, term_scale(tt, k, part_c));
    else
      others = term_add(tt, others, term_scale(tt, k, part));
  }
  *c = coefficient, *rest = others;
  return coefficient != tt->zero;
}

/* True if there is a floor division among the factors of the monomials. */
static bool has_floor(const TermTable *tt, Term t) {
  if (term_kind(tt, t) == TERM_FLOORDIV) return true;
  if (term_kind(tt, t) != TERM_ADD && term_kind(tt, t) != TERM_MUL) return false;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (has_floor(tt, term_arg(tt, t, i))) return true;
  return false;
}

static int elimination_rank(const TermTable *tt, Term atom) {
  TermKind kind = term_kind(tt, atom);
  if (term_kind_is_extremum(kind) || kind == TERM_SELECT) return 10;
  if (kind == TERM_FLOORDIV) {
    /* before the coordinates inside it, after those outside a floor of sizes */
    TermKind divisor = term_kind(tt, term_arg(tt, atom, 1));
    if (divisor == TERM_MIN || divisor == TERM_MAX) return 11; /* d*(a // d) before d is taken apart */
    TermTable *table = (TermTable *)tt;
    TermList symbols = {0};
    bool coordinate = false;
    if (has_floor(tt, term_arg(tt, atom, 0))) return 11; /* the outer floor before those inside */
    term_symbols(table, term_arg(tt, atom, 0), &symbols);
    for (uint32_t i = 0; i < symbols.count; i++)
      coordinate |= term_kind(tt, symbols.data[i]) == TERM_SYM && elimination_rank(tt, symbols.data[i]) >= 5;
    return coordinate ? 9 : 4;
  }
  if (kind == TERM_FOLD) return 9;
  if (kind != TERM_SYM) return 0;
  switch (term_symbol(tt, atom)->role) {
  case SYMBOL_INDEX: return 8;
  case SYMBOL_LANE: return 7;
  case SYMBOL_COUNTER:
  case SYMBOL_CARRY: return 6;
  case SYMBOL_PID: return 5;
  case SYMBOL_GRID: return 3;
  case SYMBOL_SIZE: return 2;
  case SYMBOL_SCALAR:
  case SYMBOL_TENSOR: break;
  }
  return 0;
}

/* The factors of the monomials of t. */
static void collect_atoms(TermTable *tt, Term t, Term *atoms, uint32_t *count) {
  uint32_t n = term_count(tt, t);
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_ADD) {
    for (uint32_t i = 2; i < n; i += 2) collect_atoms(tt, term_arg(tt, t, i), atoms, count);
    return;
  }
  if (kind == TERM_MUL) {
    for (uint32_t i = 0; i < n; i += 2) collect_atoms(tt, term_arg(tt, t, i), atoms, count);
    return;
  }
  if (kind == TERM_RAT) return;
  for (uint32_t i = 0; i < *count; i++)
    if (atoms[i] == t) return;
  if (*count < 32) atoms[(*count)++] = t;
}

static Term combine(TermTable *tt, Term c, Term by, Term rest) { return term_add(tt, term_mul(tt, c, by), rest); }

/* A bound of the integer sum a by the bounds of the symbols of at least that rank that occur in it linearly. */
static Term bound_linear(TermTable *tt, Term a, bool up, int rank) {
  Term result = a;
  if (term_kind(tt, a) == TERM_SYM) {
    Symbol *s = term_symbol(tt, a);
    Term by = up ? s->hi : s->lo;
    return elimination_rank(tt, a) >= rank && by ? by : a;
  }
  if (term_kind(tt, a) != TERM_ADD) return a;
  for (uint32_t i = 1; i < term_count(tt, a); i += 2) {
    Term s = term_arg(tt, a, i + 1);
    Rational k = term_rat(tt, term_arg(tt, a, i));
    if (term_kind(tt, s) != TERM_SYM || elimination_rank(tt, s) < rank) continue;
    Term by = (k.num > 0) == up ? term_symbol(tt, s)->hi : term_symbol(tt, s)->lo;
    if (by) result = term_add(tt, term_sub(tt, result, term_scale(tt, k, s)), term_scale(tt, k, by));
  }
  return result;
}

/* c*floor(a / b) - c*floor(a2 / b) + what is left: floors of one divisor are ordered as their numerators are. Of what
 * is left, the constant goes into a numerator: floor(a / b) + m = floor((a + m*b) / b). */
static bool eliminate_floor_pair(TermTable *tt, Term c, bool up, Term q, Term rest, uint32_t facts) {
  Term atoms[32], opposite = term_neg(tt, c);
  uint32_t count = 0;
  collect_atoms(tt, rest, atoms, &count);
  for (uint32_t i = 0; i < count; i++) {
    Term other_c, left;
    if (term_kind(tt, atoms[i]) != TERM_FLOORDIV || term_arg(tt, atoms[i], 1) != term_arg(tt, q, 1)) continue;
    if (!split_linear(tt, rest, atoms[i], &other_c, &left) || other_c != opposite) continue;
    Term over = term_sub(tt, term_arg(tt, q, 0), term_arg(tt, atoms[i], 0));
    if (!up) over = term_neg(tt, over);
    if (nonpositive(tt, left, facts) && attempt(tt, over, facts, 2)) return true;
    Rational constant = term_constant_part(tt, left);
    int64_t k;
    if (!term_is_int(tt, up ? c : opposite, &k) || k < 1 || constant.den != 1 || constant.num == 0) continue;
    Int128 m = constant.num > 0 ? (constant.num + k - 1) / k : -(-constant.num / k);
    if (!nonpositive(tt, term_sub(tt, left, term_new_rat(tt, (Rational){m * k, 1})), facts)) continue;
    if (attempt(tt, term_add(tt, over, term_scale(tt, (Rational){m, 1}, term_arg(tt, q, 1))), facts, 2)) return true;
  }
  return false;
}

/* q = floor(a / b) beside p = floor(a / d), where b = d*k: q = floor(p / k), so that k*q <= p and k*q >= p - k + 1. */
static bool eliminate_by_finer(TermTable *tt, Term c, bool up, Term q, Term rest, uint32_t facts) {
  Term atoms[32];
  uint32_t count = 0;
  collect_atoms(tt, rest, atoms, &count);
  for (uint32_t i = 0; i < count; i++) {
    Term p = atoms[i];
    if (term_kind(tt, p) != TERM_FLOORDIV || p == q || term_arg(tt, p, 0) != term_arg(tt, q, 0)) continue;
    Term b = term_arg(tt, q, 1), d = term_arg(tt, p, 1), k = term_floordiv(tt, b, d), exact = term_floordiv(tt, c, k);
    if (term_mul(tt, k, d) != b || term_mul(tt, exact, k) != c || !nonpositive(tt, term_sub(tt, tt->one, d), facts) ||
        !nonpositive(tt, term_sub(tt, tt->one, k), facts))
      continue;
    Term low = term_add(tt, term_sub(tt, p, k), tt->one);
    if (attempt(tt, combine(tt, exact, up ? p : low, rest), facts, 2)) return true;
  }
  return false;
}

/* c*q with c = c1*b + c0, where c1 is of the sign of c: b*q is bounded by a, and c0*q stays. */
static bool eliminate_multiple(TermTable *tt, Term c, bool up, Term q, Term rest, uint32_t facts) {
  Term a = term_arg(tt, q, 0), b = term_arg(tt, q, 1), times = tt->zero, left = tt->zero;
  if (term_kind(tt, c) != TERM_ADD) return false;
  for (uint32_t i = 0; i < term_count(tt, c); i += i ? 2 : 1) {
    Term part = i ? term_scale(tt, term_rat(tt, term_arg(tt, c, i)), term_arg(tt, c, i + 1)) : term_arg(tt, c, 0),
         by = term_floordiv(tt, part, b);
    if (part != tt->zero && term_mul(tt, by, b) == part)
      times = term_add(tt, times, by);
    else
      left = term_add(tt, left, part);
  }
  if (times == tt->zero || left == tt->zero || !nonpositive(tt, up ? term_neg(tt, times) : times, facts)) return false;
  Term bound = up ? a : term_add(tt, term_sub(tt, a, b), tt->one);
  return attempt(tt, combine(tt, left, q, combine(tt, times, bound, rest)), facts, 2);
}

/* True if it is a fact that b divides a, with q = floor(a/b). */
static bool is_divided(TermTable *tt, Term a, Term b, Term q) {
  for (uint32_t i = 0; i < tt->facts.count; i++) {
    Term f = tt->facts.data[i];
    if (term_kind(tt, f) != TERM_EQ || term_count(tt, f) != 1 ||
        !(term_node(tt, f)->free_mask & term_node(tt, q)->free_mask))
      continue;
    Term remainder = term_sub(tt, a, term_mul(tt, b, q));
    if (term_arg(tt, f, 0) == remainder || term_arg(tt, f, 0) == term_neg(tt, remainder)) return true;
  }
  return false;
}

/* t = c*q + rest with q = floor(a/b), b > 0, c of known sign: replace q by a bound of it. */
static bool eliminate_floor(TermTable *tt, Term c, bool up, Term q, Term rest, uint32_t facts) {
  Term a = term_arg(tt, q, 0), b = term_arg(tt, q, 1), exact, factor;
  if (!nonpositive(tt, term_sub(tt, tt->one, b), facts)) return false;
  if (eliminate_floor_pair(tt, c, up, q, rest, facts)) return true;
  if (tt->splits_quotients &&
      (eliminate_by_finer(tt, c, up, q, rest, facts) || eliminate_multiple(tt, c, up, q, rest, facts)))
    return true;
  if (!up && rational_equal(term_coefficient(tt, c, &factor), rational_int(-1)) &&
      factor == b) { /* a - b*q, a remainder: b - 1 at most */
    if (attempt(tt, term_add(tt, term_sub(tt, rest, a), term_sub(tt, b, tt->one)), facts, 2)) return true;
  }
  if (c == tt->minus_one && attempt(tt, term_sub(tt, term_mul(tt, b, rest), a), facts, 2))
    return true; /* rest <= q iff b*rest <= a */
  if (c == tt->one &&
      attempt(tt, term_add(tt, term_sub(tt, term_add(tt, a, term_mul(tt, b, rest)), b), tt->one), facts, 2))
    return true;
  if (!up && nonpositive(tt, rest, facts) && nonpositive(tt, term_neg(tt, a), facts)) return true; /* q >= 0 */
  if (!up && is_divided(tt, a, b, q) && nonpositive(tt, term_add(tt, c, rest), facts) &&
      nonpositive(tt, term_sub(tt, tt->one, a), facts))
    return true; /* q >= 1 */
  exact = term_floordiv(tt, c, b);
  if (term_mul(tt, exact, b) == c) { /* b*q <= a and b*q >= a - b + 1 */
    Term low = term_add(tt, term_sub(tt, a, b), tt->one);
    if (attempt(tt, combine(tt, exact, up ? a : low, rest), facts, 2)) return true;
  }
  Term smaller; /* k*floor(a / (k*d)) lies in [floor(a / d) - k + 1, floor(a / d)] */
  int64_t k;
  Term size = up ? c : term_neg(tt, c);
  smaller = term_floordiv(tt, b, size);
  if (up && term_is_int(tt, size, &k) && k > 1 && term_mul(tt, smaller, size) == b &&
      nonpositive(tt, term_sub(tt, tt->one, smaller), facts)) {
    /* d*(c*q + rest - 1) < 0 with c*d = b and b*q <= a */
    Term scaled = term_add(tt, a, term_mul(tt, smaller, term_sub(tt, rest, tt->one)));
    if (attempt(tt, term_add(tt, scaled, tt->one), facts, 2)) return true;
  }
  if (up && !term_is_rat(tt, c) && term_is_int(tt, smaller, &k) && k > 1 &&
      term_mul(tt, smaller, c) == b) { /* k*(c*q + rest) = b*q + k*rest, b*q <= a */
    if (attempt(tt, term_add(tt, a, term_scale(tt, rational_int(k), rest)), facts, 2)) return true;
  }
  for (int rank = 5; rank >= 2;
       rank -= 3) { /* floor division grows with its numerator: coordinates first, then sizes */
    Term bounded = bound_linear(tt, a, up, rank);
    if (bounded != a && attempt(tt, combine(tt, c, term_floordiv(tt, bounded, b), rest), facts, 2)) return true;
  }
  bool sized = term_is_int(tt, size, &k) ? k > 1 : nonpositive(tt, term_sub(tt, tt->one, size), facts);
  if (sized && term_mul(tt, smaller, size) == b && nonpositive(tt, term_sub(tt, tt->one, smaller), facts)) {
    Term finer = term_floordiv(tt, a, smaller);
    if (!up) finer = term_sub(tt, term_sub(tt, size, tt->one), finer);
    if (attempt(tt, term_add(tt, finer, rest), facts, 2)) return true;
  }
  if (up) {                   /* q <= floor(max a / b); q <= a for a >= 0 */
    if (term_is_rat(tt, b)) { /* scale: c*q + rest <= 0 if c*a + b*rest <= 0, for b > 0 */
      if (nonpositive(tt, combine(tt, c, a, term_mul(tt, b, rest)), facts)) return true;
    }
    return nonpositive(tt, term_neg(tt, a), facts) && nonpositive(tt, combine(tt, c, a, rest), facts);
  }
  if (!term_is_rat(tt, b)) return false;
  Term low = term_add(tt, term_sub(tt, a, b), tt->one);
  return nonpositive(tt, combine(tt, c, low, term_mul(tt, b, rest)), facts);
}

static bool eliminate_extremum(TermTable *tt, Term c, bool up, Term atom, Term rest, uint32_t facts) {
  bool is_max = term_kind(tt, atom) == TERM_MAX, all = is_max == up;
  for (uint32_t i = 0; i < term_count(tt, atom); i++) {
    bool holds = attempt(tt, combine(tt, c, term_arg(tt, atom, i), rest), facts, all ? 1 : term_count(tt, atom) - i);
    if (holds != all) return holds;
  }
  return all;
}

/* What no element of the fold is above (up), or below: for a body that is linear in the index. 0: not known. */
static Term outermost_element(TermTable *tt, Term fold, bool up) {
  Term body = term_fold_body(tt, fold), bound = term_fold_bound(tt, fold), k = 0;
  if (body == bound) k = tt->one;
  for (uint32_t i = 1; term_kind(tt, body) == TERM_ADD && i < term_count(tt, body); i += 2)
    if (term_arg(tt, body, i + 1) == bound) k = term_arg(tt, body, i);
  if (!k) return 0;
  Term rest = term_sub(tt, body, term_mul(tt, k, bound));
  if (term_node(tt, rest)->free_mask & term_node(tt, bound)->free_mask) return 0;
  Term end = (term_rat(tt, k).num > 0) == up ? term_sub(tt, term_fold_hi(tt, fold), tt->one) : term_fold_lo(tt, fold);
  return term_add(tt, rest, term_mul(tt, k, end));
}

/* One side of a selection: also with its condition for a fact. */
static bool nonpositive_where(TermTable *tt, Term t, Term condition, uint32_t facts) {
  if (nonpositive(tt, t, facts)) return true;
  if (tt->depth >= DEPTH || term_kind(tt, condition) != TERM_LE) return false;
  uint32_t count = tt->facts.count;
  term_push_fact(tt, condition);
  bool holds = nonpositive(tt, t, facts ? facts : 1);
  term_pop_facts(tt, count);
  return holds;
}

static bool eliminate(TermTable *tt, Term t, Term atom, uint32_t facts) {
  Term c, rest;
  if (tt->fuel == 0 && term_kind(tt, t) == TERM_ADD && term_count(tt, t) > 2 * MOST_LEFT + 1)
    return false; /* nothing more is asked, and this is no number yet */
  if (!split_linear(tt, t, atom, &c, &rest)) return false;
  if (term_kind(tt, atom) == TERM_SELECT)
    return nonpositive_where(tt, combine(tt, c, term_arg(tt, atom, 1), rest), term_arg(tt, atom, 0), facts) &&
           nonpositive_where(tt, combine(tt, c, term_arg(tt, atom, 2), rest), term_not(tt, term_arg(tt, atom, 0)),
                             facts);
  int64_t literal;
  bool up; /* a greater atom makes t greater */
  Term product;
  bool falls = term_coefficient(tt, c, &product).num <
               0; /* -d: the likely sign first, as a question without an answer takes much fuel */
  if (term_is_int(tt, c, &literal))
    up = literal > 0;
  else if (nonpositive(tt, falls ? c : term_neg(tt, c), facts))
    up = !falls;
  else if (nonpositive(tt, falls ? term_neg(tt, c) : c, facts))
    up = falls;
  else
    return false;
  TermKind kind = term_kind(tt, atom);
  if (term_kind_is_extremum(kind)) return eliminate_extremum(tt, c, up, atom, rest, facts);
  if (kind == TERM_FLOORDIV) return eliminate_floor(tt, c, up, atom, rest, facts);
  if (kind == TERM_FOLD) {
    /* an arg max lies in its range, where that is not empty */
    TermFoldOp op = (TermFoldOp)term_aux(tt, atom);
    if (op ==
        (up ? FOLD_MAX
            : FOLD_MIN)) { /* no element is beyond the bound of all of them; of none it is the infinity on this side */
      Term most = outermost_element(tt, atom, up);
      return most && nonpositive(tt, combine(tt, c, most, rest), facts);
    }
    if (op == FOLD_PROD && !up) { /* of n factors b >= 1: at least 1, and at least 1 + n*(b - 1) */
      Term b = term_fold_body(tt, atom), n = term_sub(tt, term_fold_hi(tt, atom), term_fold_lo(tt, atom));
      if (term_sort(tt, atom) != SORT_INT || !term_is_positive(tt, b)) return false;
      if (nonpositive(tt, combine(tt, c, tt->one, rest), facts)) return true;
      if (!term_is_int(tt, b, &literal) || term_fold_guard(tt, atom) != tt->true_) return false;
      return nonpositive(tt, combine(tt, c, term_add(tt, tt->one, term_scale(tt, rational_int(literal - 1), n)), rest),
                         facts);
    }
    if (op != FOLD_ARGMAX && op != FOLD_ARGMIN) return false;
    Term lo = term_fold_lo(tt, atom), hi = term_fold_hi(tt, atom);
    if (term_fold_guard(tt, atom) != tt->true_ || !nonpositive(tt, term_add(tt, term_sub(tt, lo, hi), tt->one), facts))
      return false;
    return nonpositive(tt, combine(tt, c, up ? term_sub(tt, hi, tt->one) : lo, rest), facts);
  }
  if (kind == TERM_SYM) {
    Symbol *s = term_symbol(tt, atom);
    Term bound = up ? s->hi : s->lo;
    return bound && nonpositive(tt, combine(tt, c, bound, rest), facts);
  }
  return false;
}

/* A set of coordinates, with a bit for each that the question at hand has met. (Masks of terms share bits.) */
static uint64_t coordinate_bit(TermTable *tt, Term symbol) {
  uint32_t i = 0, last = sizeof tt->coordinates / sizeof *tt->coordinates - 1;
  while (i < tt->coordinate_count && tt->coordinates[i] != symbol) i++;
  if (i > last) return UINT64_C(1) << last; /* so many that the last ones share it */
  if (i == tt->coordinate_count) tt->coordinates[tt->coordinate_count++] = symbol;
  return UINT64_C(1) << i;
}

/* The coordinates among the symbols of t. */
static uint64_t coordinate_mask(TermTable *tt, Term t) {
  TermList symbols = {0};
  uint64_t mask = 0;
  if (t) term_symbols(tt, t, &symbols);
  for (uint32_t k = 0; k < symbols.count; k++)
    if (elimination_rank(tt, symbols.data[k]) >= 5) mask |= coordinate_bit(tt, symbols.data[k]);
  return mask;
}

/* The coordinates that the bounds of a coordinate mention, and those that theirs do. */
static uint64_t bounds_within(TermTable *tt, Term atom, uint32_t depth) {
  if (term_kind(tt, atom) != TERM_SYM || elimination_rank(tt, atom) < 5) return 0;
  const Term bounds[] = {term_symbol(tt, atom)->lo, term_symbol(tt, atom)->hi};
  TermList symbols = {0};
  uint64_t mask = 0;
  for (uint32_t i = 0; i < 2; i++)
    if (bounds[i]) term_symbols(tt, bounds[i], &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    if (symbols.data[i] == atom || elimination_rank(tt, symbols.data[i]) < 5) continue;
    mask |= coordinate_bit(tt, symbols.data[i]);
    if (depth > 1) mask |= bounds_within(tt, symbols.data[i], depth - 1);
  }
  return mask & ~coordinate_bit(tt, atom);
}

static uint64_t bounds_mask(TermTable *tt, Term atom) { return bounds_within(tt, atom, BOUNDS_DEPTH); }

/* A coordinate whose bounds mention what a floor division here is of: they may cancel, so it goes first. No other's
 * bounds mention it. */
static Term find_innermost(TermTable *tt, const Term *atoms, uint32_t count) {
  uint64_t floors = 0, bounds[32];
  for (uint32_t i = 0; i < count; i++) {
    bounds[i] = bounds_mask(tt, atoms[i]);
    if (term_kind(tt, atoms[i]) == TERM_FLOORDIV) floors |= coordinate_mask(tt, atoms[i]);
  }
  for (uint32_t i = 0; i < count; i++) {
    bool inner = (bounds[i] & floors) != 0;
    for (uint32_t k = 0; k < count && inner; k++) inner = !(bounds[k] & coordinate_mask(tt, atoms[i]));
    if (inner) return atoms[i];
  }
  return 0;
}

/* A floor division whose coordinates occur in no other atom: its bound loses nothing, whatever the others are. */
static Term find_isolated(TermTable *tt, const Term *atoms, uint32_t count) {
  uint64_t masks[32] = {0};
  for (uint32_t i = 0; i < count; i++) masks[i] = coordinate_mask(tt, atoms[i]);
  for (uint32_t i = 0; i < count; i++) {
    bool shared = term_kind(tt, atoms[i]) != TERM_FLOORDIV || !masks[i];
    for (uint32_t k = 0; k < count && !shared; k++) shared = k != i && (masks[i] & masks[k]);
    if (!shared) return atoms[i];
  }
  return 0;
}

/* Such a floor division goes to its greatest or least value. */
static bool eliminate_alone(TermTable *tt, Term t, Term q, uint32_t facts) {
  Term c, rest, a = term_arg(tt, q, 0), b = term_arg(tt, q, 1);
  if (!split_linear(tt, t, q, &c, &rest) || !term_is_rat(tt, c) || !term_is_rat(tt, b) || term_rat(tt, b).num <= 0)
    return false;
  Term bounded = bound_linear(tt, a, term_rat(tt, c).num > 0, 5);
  return bounded != a && attempt(tt, combine(tt, c, term_floordiv(tt, bounded, b), rest), facts, 2);
}

/* Coefficients so large that products of two could leave 127 bits: no question about sizes has them. The constant may
 * be the end of 64 bits. */
static bool too_large(const TermTable *tt, Term t) {
  if (term_kind(tt, t) != TERM_ADD) return false;
  for (uint32_t i = 0; i < term_count(tt, t); i += i ? 2 : 1) {
    const Int128 most = (Int128)1 << (i ? 58 : 65);
    Rational k = term_rat(tt, term_arg(tt, t, i));
    if (k.num > most || k.num < -most) return true;
  }
  return false;
}

/* g*s + c <= 0 iff s + ceil(c / g) <= 0, over the integers. */
static Term without_content(TermTable *tt, Term t) {
  if (term_kind(tt, t) != TERM_ADD) return t;
  Int128 g = 0;
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    Rational k = term_rat(tt, term_arg(tt, t, i));
    if (k.den != 1) return t;
    for (Int128 b = k.num < 0 ? -k.num : k.num; b;) {
      Int128 r = g % b;
      g = b, b = r;
    }
    if (g == 1) return t;
  }
  Rational c = term_rat(tt, term_arg(tt, t, 0));
  if (g <= 1 || c.den != 1) return t;
  Int128 up = c.num > 0 ? (c.num + g - 1) / g : -(-c.num / g);
  Term s = term_scale(tt, rational_make(tt->arena->guard, 1, g), term_sub(tt, t, term_arg(tt, t, 0)));
  return term_add(tt, s, term_new_rat(tt, (Rational){up, 1}));
}

/* How often the sum e goes into t by one of its atoms; 1 if no more than once. */
static Rational times_in(const TermTable *tt, Term e, Term t) {
  if (term_kind(tt, t) != TERM_ADD) return rational_int(1);
  uint32_t n = term_kind(tt, e) == TERM_ADD ? term_count(tt, e) : 2;
  for (uint32_t i = 1; i < n; i += 2) {
    Term atom = term_kind(tt, e) == TERM_ADD ? term_arg(tt, e, i + 1) : e;
    Rational own = term_kind(tt, e) == TERM_ADD ? term_rat(tt, term_arg(tt, e, i)) : rational_int(1);
    for (uint32_t k = 1; k < term_count(tt, t); k += 2) {
      Rational there = term_rat(tt, term_arg(tt, t, k));
      if (term_arg(tt, t, k + 1) != atom || own.den != 1 || there.den != 1 || there.num % own.num) continue;
      if (there.num / own.num > 1) return (Rational){there.num / own.num, 1};
    }
  }
  return rational_int(1);
}

/* t without what the fact e <= 0 bounds in it: N*(c + 1 - M) <= 0 goes where N*c is in t, and with it all coordinates
 * of e; 0: not so. */
static Term without_multiple(TermTable *tt, Term e, Term t) {
  Term atoms[32], c, rest, own, product;
  uint32_t count = 0;
  uint64_t inside = coordinate_mask(tt, e);
  if (term_kind(tt, t) != TERM_ADD || !inside || (coordinate_mask(tt, t) & inside) != inside) return 0;
  collect_atoms(tt, e, atoms, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (elimination_rank(tt, atoms[i]) < 5 || !split_linear(tt, e, atoms[i], &own, &rest) ||
        !split_linear(tt, t, atoms[i], &c, &rest))
      continue;
    if (term_is_rat(tt, c) || !term_is_rat(tt, own)) continue;
    Rational k = rational_div(tt->arena->guard, term_coefficient(tt, c, &product), term_rat(tt, own));
    Term times = term_scale(tt, k, product), left;
    if (k.den != 1 || k.num <= 0 || coordinate_mask(tt, times)) return 0;
    left = term_sub(tt, t, term_mul(tt, times, e));
    return !(coordinate_mask(tt, left) & inside) && nonpositive(tt, term_neg(tt, times), 0) ? left : 0;
  }
  return 0;
}

/* Facts that take coordinates away by a multiple of a size: nothing that is left mentions them, so they come first. */
static bool decide_by_multiples(TermTable *tt, Term t, uint32_t facts) {
  for (uint32_t i = 0; i < tt->facts.count; i++) {
    Term f = tt->facts.data[i];
    if (term_kind(tt, f) != TERM_LE || term_count(tt, f) != 1 || term_sort(tt, term_arg(tt, f, 0)) != SORT_INT)
      continue;
    Term left = without_multiple(tt, term_arg(tt, f, 0), t);
    if (left && attempt(tt, left, facts, 2)) return true;
  }
  return false;
}

/* a // b - s >= 0 iff a - b*s >= 0, and a // b + s <= 0 iff a + b*s < b: nothing is lost, so coordinates may stay, for
 * facts to speak of. */
static bool clear_floor(TermTable *tt, Term t, Term q, uint32_t facts) {
  Term c, rest, a = term_arg(tt, q, 0), b = term_arg(tt, q, 1);
  if (!term_is_rat(tt, b) || term_rat(tt, b).num <= 0 || !split_linear(tt, t, q, &c, &rest)) return false;
  if (c == tt->minus_one) return attempt(tt, term_sub(tt, term_mul(tt, b, rest), a), facts, 2);
  if (c == tt->one)
    return attempt(tt, term_add(tt, term_sub(tt, term_add(tt, a, term_mul(tt, b, rest)), b), tt->one), facts, 2);
  return false;
}

/* A fact that takes all its own coordinates out of t, however many others there are. */
static bool cancel_some(TermTable *tt, Term t, uint64_t coordinates, uint32_t facts) {
  for (uint32_t i = 0; i < tt->facts.count; i++) {
    Term f = tt->facts.data[i];
    if (term_kind(tt, f) != TERM_LE || term_count(tt, f) != 1 || term_sort(tt, term_arg(tt, f, 0)) != SORT_INT)
      continue;
    Term e = term_arg(tt, f, 0);
    uint64_t own = coordinate_mask(tt, e);
    if (!own || (own & ~coordinates)) continue;
    Term left = term_sub(tt, t, term_scale(tt, times_in(tt, e, t), e));
    if (!(coordinate_mask(tt, left) & own) && attempt(tt, left, facts - 1, 4)) return true;
  }
  return false;
}

/* A fact that takes all coordinates out of t at once: what is left is a question about sizes, and soon answered. */
static bool cancel_symbols(TermTable *tt, Term t, uint64_t symbols) {
  for (uint32_t i = 0; i < tt->facts.count; i++) {
    Term f = tt->facts.data[i];
    if (term_kind(tt, f) != TERM_LE || term_count(tt, f) != 1 || term_sort(tt, term_arg(tt, f, 0)) != SORT_INT)
      continue;
    Term e = term_arg(tt, f, 0);
    if (symbols & ~term_node(tt, e)->free_mask) continue;
    Term left = term_sub(tt, t, term_scale(tt, times_in(tt, e, t), e));
    if (!(term_node(tt, left)->free_mask & symbols) && attempt(tt, left, 0, 4)) return true;
  }
  return false;
}

/* rest - min(a, b) <= 0 says both rest - a <= 0 and rest - b <= 0: nothing is lost, so extrema of sizes go before
 * floors of coordinates, which are better bounded knowing one alternative. */
static bool eliminate_size_extremum(TermTable *tt, Term t, const Term *atoms, uint32_t count, uint32_t facts) {
  for (uint32_t i = 0; i < count; i++) {
    Term c, rest;
    int64_t k;
    bool is_max = term_kind(tt, atoms[i]) == TERM_MAX, sizes = is_max || term_kind(tt, atoms[i]) == TERM_MIN;
    if (!sizes || coordinate_mask(tt, atoms[i]) || !split_linear(tt, t, atoms[i], &c, &rest) ||
        !term_is_int(tt, c, &k) || (k > 0) != is_max)
      continue;
    return eliminate_extremum(tt, c, is_max, atoms[i], rest, facts);
  }
  return false;
}

/* True if another of the atoms is a quotient by the same divisor. Asked first, as taking a sum apart costs what it is
 * long. */
static bool has_digit_beside(const TermTable *tt, const Term *atoms, uint32_t count, uint32_t number) {
  for (uint32_t k = 0; k < count; k++)
    if (k != number && term_kind(tt, atoms[k]) == TERM_FLOORDIV &&
        term_arg(tt, atoms[k], 1) == term_arg(tt, atoms[number], 1))
      return true;
  return false;
}

/* The leading digit of a number: c*(a // d) + lower - c*(b // d), where the coordinates of a occur nowhere else. If
 * a // d < b // d and c >= 0, this is no more than lower - c: digits are less than the weight of the next. */
static bool drop_digit(TermTable *tt, const Term *atoms, uint32_t count, Term t, Term *without) {
  for (uint32_t i = 0; i < count; i++) {
    Term c, rest, own, left, q = atoms[i];
    if (term_kind(tt, q) != TERM_FLOORDIV || !coordinate_mask(tt, q) || !has_digit_beside(tt, atoms, count, i) ||
        !split_linear(tt, t, q, &c, &rest) || term_is_rat(tt, c) ||
        (coordinate_mask(tt, rest) & coordinate_mask(tt, q)))
      continue;
    for (uint32_t k = 0; k < count; k++) {
      Term p = atoms[k], d = term_arg(tt, q, 1);
      if (k == i || term_kind(tt, p) != TERM_FLOORDIV || term_arg(tt, p, 1) != d ||
          !split_linear(tt, rest, p, &own, &left) || own != term_neg(tt, c))
        continue;
      Term below = term_add(tt, term_sub(tt, term_arg(tt, q, 0), term_arg(tt, p, 0)), d);
      *without = term_sub(tt, left, c);
      if (nonpositive(tt, term_sub(tt, tt->one, d), 0) && nonpositive(tt, below, 0) &&
          nonpositive(tt, term_neg(tt, c), 0))
        return true;
    }
  }
  return false;
}

/* A coordinate between literals that nothing else speaks of goes to its end: nothing is lost, and what is left is
 * simpler. */
static bool find_free(TermTable *tt, Term t, const Term *atoms, uint32_t count, uint32_t facts, Term *without) {
  for (uint32_t i = 0; i < count; i++) {
    Term c, rest;
    int64_t k;
    if (term_kind(tt, atoms[i]) != TERM_SYM || elimination_rank(tt, atoms[i]) < 5) continue;
    Symbol *s = term_symbol(tt, atoms[i]);
    if (!s->lo || !s->hi || !term_is_rat(tt, s->lo) || !term_is_rat(tt, s->hi)) continue;
    uint64_t own = coordinate_mask(tt, atoms[i]);
    bool alone = true;
    for (uint32_t n = 0; n < count && alone; n++)
      alone = n == i || !((coordinate_mask(tt, atoms[n]) | bounds_mask(tt, atoms[n])) & own);
    for (uint32_t n = 0; n < tt->facts.count && facts && alone; n++)
      alone = !(coordinate_mask(tt, tt->facts.data[n]) & own);
    if (!alone || !split_linear(tt, t, atoms[i], &c, &rest) || !term_is_int(tt, c, &k)) continue;
    *without = combine(tt, c, k > 0 ? s->hi : s->lo, rest);
    return true;
  }
  return false;
}

/* 1 - a*b*c: factors that are at least 1 each have such a product. */
static bool has_positive_factors(TermTable *tt, Term t, uint32_t facts) {
  if (term_kind(tt, t) != TERM_ADD || term_count(tt, t) != 3) return false;
  Rational constant = term_rat(tt, term_arg(tt, t, 0)), k = term_rat(tt, term_arg(tt, t, 1));
  Term product = term_arg(tt, t, 2);
  if (term_kind(tt, product) != TERM_MUL || k.den != 1 || constant.den != 1 || constant.num + k.num > 0) return false;
  for (uint32_t i = 0; i < term_count(tt, product); i += 2) {
    Rational power = term_rat(tt, term_arg(tt, product, i + 1));
    if (power.den != 1 || power.num < 1 || !nonpositive(tt, term_sub(tt, tt->one, term_arg(tt, product, i)), facts))
      return false;
  }
  return k.num <= 0;
}

/* By coordinates whose bounds speak of others that would go first, as those of a counter below one that runs
 * backwards. */
static bool eliminate_bounded(TermTable *tt, Term t, const Term *atoms, uint32_t count, uint32_t facts) {
  for (uint32_t i = 0; i < count; i++) {
    int rank = elimination_rank(tt, atoms[i]);
    bool speaks = false;
    for (uint32_t n = 0; n < count && rank > 4 && rank < 8; n++)
      speaks |= elimination_rank(tt, atoms[n]) > rank && elimination_rank(tt, atoms[n]) <= 8 &&
                (bounds_mask(tt, atoms[i]) & coordinate_mask(tt, atoms[n]));
    if (speaks && eliminate(tt, t, atoms[i], facts)) return true;
  }
  return false;
}

static bool decide(TermTable *tt, Term t, uint32_t facts) {
  Term atoms[32];
  uint32_t count = 0;
  bool holds = false;
  if (has_positive_factors(tt, t, facts)) return true;
  if (facts > 0 && decide_by_multiples(tt, t, facts)) return true;
  collect_atoms(tt, t, atoms, &count);
  int best_rank = 0;
  for (uint32_t i = 0; i < count; i++) {
    int rank = elimination_rank(tt, atoms[i]);
    if (rank > best_rank) best_rank = rank;
  }
  if (facts > 0 && best_rank > 4 && best_rank <= 8) {
    uint64_t coordinates = 0, symbols = 0;
    for (uint32_t i = 0; i < count; i++) {
      if (elimination_rank(tt, atoms[i]) <= 4) continue;
      coordinates |= coordinate_mask(tt, atoms[i]), symbols |= term_node(tt, atoms[i])->free_mask;
    }
    if (cancel_symbols(tt, t, symbols) || cancel_some(tt, t, coordinates, facts)) return true;
  }
  Term without;
  if (best_rank > 4 && find_free(tt, t, atoms, count, facts, &without)) return nonpositive(tt, without, facts);
  if (best_rank == 9 && drop_digit(tt, atoms, count, t, &without) && attempt(tt, without, facts, 2)) return true;
  if (best_rank == 11 && eliminate_size_extremum(tt, t, atoms, count, facts)) return true;
  Term innermost = best_rank >= 9 ? find_innermost(tt, atoms, count) : 0;
  if (innermost) {
    uint32_t kept = tt->fuel / 2;
    tt->fuel -= kept;
    holds = eliminate(tt, t, innermost, facts);
    tt->fuel += kept;
  }
  if (!holds && best_rank > 4 && best_rank <= 8) holds = eliminate_bounded(tt, t, atoms, count, facts);
  Term alone = best_rank == 9 && !holds ? find_isolated(tt, atoms, count) : 0;
  if (alone) holds = eliminate_alone(tt, t, alone, facts) || eliminate(tt, t, alone, facts);
  for (int rank = best_rank; rank > 0 && !holds && !alone; rank--) {
    bool any = false;
    for (uint32_t i = 0; i < count && !holds; i++) {
      if (elimination_rank(tt, atoms[i]) != rank) continue;
      any = true;
      holds = eliminate(tt, t, atoms[i], facts);
    }
    if (any && rank <= 8 && rank > 4) break; /* bounds of later symbols do not mention earlier ones */
  }
  for (uint32_t i = 0; i < count && facts > 0 && !holds && best_rank > 4 && best_rank <= 8; i++)
    if (term_kind(tt, atoms[i]) == TERM_FLOORDIV) holds = clear_floor(tt, t, atoms[i], facts);
  for (uint32_t i = 0; i < tt->facts.count && !holds && facts > 0; i++) {
    Term f = tt->facts.data[i];
    if (term_kind(tt, f) != TERM_LE && term_kind(tt, f) != TERM_EQ) continue;
    if (term_count(tt, f) != 1 || term_sort(tt, term_arg(tt, f, 0)) != SORT_INT) continue;
    Term e = term_arg(tt, f, 0);
    bool related = term_node(tt, e)->free_mask & term_node(tt, t)->free_mask;
    if (!related && term_kind(tt, f) == TERM_LE)
      continue; /* an equation may tell by the bounds of what it fixes: pid = 5 has pid < grid */
    Rational times = times_in(tt, e, t); /* 4*(8 - q) <= 0 where 8 - q <= 0 */
    if (times.num > 1) holds = nonpositive(tt, term_sub(tt, t, term_scale(tt, times, e)), facts - 1);
    if (!holds) holds = nonpositive(tt, term_sub(tt, t, e), facts - 1);
    if (!holds && term_kind(tt, f) == TERM_EQ) holds = nonpositive(tt, term_add(tt, t, e), facts - 1);
  }
  return holds;
}

/* What was shown on the way, and what was not with so much fuel at that depth: many ways lead to the same questions. */
enum { STEPS = 1 << 12 };

typedef struct RangeStep {
  uint64_t context;
  Term term;
  uint32_t fuel, used;
  uint16_t depth, facts;
  bool holds;
} RangeStep;

static RangeStep *step_slot(TermTable *tt, Term t, uint32_t facts) {
  uint64_t at = random_hash(tt->context + t + ((uint64_t)facts << 32)) & (STEPS - 1);
  return pages_at(tt->arena, &tt->steps, at, sizeof(RangeStep));
}

static bool nonpositive(TermTable *tt, Term t, uint32_t facts) {
  if (too_large(tt, t)) return false;
  t = without_content(tt, t);
  if (term_is_rat(tt, t)) return term_rat(tt, t).num <= 0;
  if (tt->fuel == 0 || tt->depth >= DEPTH) return false;
  RangeStep *slot = step_slot(tt, t, facts);
  bool known = slot->term == t && slot->context == tt->context && slot->facts == facts;
  if (known && (slot->holds || (slot->fuel >= tt->fuel && slot->depth <= tt->depth))) {
    tt->fuel -= slot->used < tt->fuel ? slot->used
                                      : tt->fuel; /* as if it were gone again, so that a search ends where it did */
    return slot->holds;
  }
  RangeStep step = {
      .context = tt->context, .term = t, .fuel = tt->fuel, .depth = (uint16_t)tt->depth, .facts = (uint16_t)facts};
  tt->fuel--;
  tt->depth++;
  step.holds = decide(tt, t, facts);
  tt->depth--;
  step.used = step.fuel - tt->fuel;
  *step_slot(tt, t, facts) = step;
  return step.holds;
}

/* The answers of before: the same term in the same context (facts, ranges) with the same patience. */
enum { ANSWERS = 1 << 14 };

typedef struct RangeAnswer {
  uint64_t context;
  Term term;
  bool holds;
} RangeAnswer;

static RangeAnswer *answer_slot(TermTable *tt, Term t, uint64_t context) {
  return pages_at(tt->arena, &tt->answers, random_hash(context + t) & (ANSWERS - 1), sizeof(RangeAnswer));
}

/* x // d and x // (d*k) in one question: (x // d) % k. So are x // d and x itself, for a d that is no number. */
static bool has_finer_quotient(TermTable *tt, Term t) {
  Term atoms[32];
  uint32_t count = 0;
  collect_atoms(tt, t, atoms, &count);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t j = 0; j < count && term_kind(tt, atoms[i]) == TERM_FLOORDIV; j++) {
      if (atoms[j] == term_arg(tt, atoms[i], 0) && !term_is_rat(tt, term_arg(tt, atoms[i], 1))) return true;
      if (i == j || term_kind(tt, atoms[j]) != TERM_FLOORDIV || term_arg(tt, atoms[i], 0) != term_arg(tt, atoms[j], 0))
        continue;
      if (term_mul(tt, term_floordiv(tt, term_arg(tt, atoms[i], 1), term_arg(tt, atoms[j], 1)),
                   term_arg(tt, atoms[j], 1)) == term_arg(tt, atoms[i], 1))
        return true;
    }
  return false;
}

/* With no facts first, then with more of them. */
static bool ask(TermTable *tt, Term t, uint32_t times) {
  bool holds = false;
  for (uint32_t facts = 0; facts <= FACT_DEPTH && !holds && (facts == 0 || tt->facts.count); facts++) {
    tt->fuel = times * (tt->patience ? tt->patience : FUEL);
    holds = nonpositive(tt, t, facts);
  }
  return holds;
}

/* e*(p - k*q) for p = x // d and q = x // (d*k), a remainder: at its bound, 0 or e*(k - 1), by the sign of e. No more
 * than that is t; 0: there is none, or its coefficients do not fit. */
static Term bound_remainder(TermTable *tt, Term t, Term q, Term p) {
  Term c, e, rest, left;
  if (term_arg(tt, q, 0) != term_arg(tt, p, 0) || !split_linear(tt, t, q, &c, &rest) ||
      !split_linear(tt, rest, p, &e, &left))
    return 0;
  Term b = term_arg(tt, q, 1), d = term_arg(tt, p, 1), k = term_floordiv(tt, b, d);
  if (k == tt->one || term_mul(tt, k, d) != b || term_add(tt, c, term_mul(tt, e, k)) != tt->zero) return 0;
  if (!nonpositive(tt, term_sub(tt, tt->one, d), 0) || !nonpositive(tt, term_sub(tt, tt->one, k), 0)) return 0;
  if (nonpositive(tt, e, 0)) return left;
  return nonpositive(tt, term_neg(tt, e), 0) ? term_add(tt, left, term_mul(tt, e, term_sub(tt, k, tt->one))) : 0;
}

/* All remainders of quotients in t at their bounds. */
static Term bound_remainders(TermTable *tt, Term t) {
  Term atoms[32], less;
  uint32_t count = 0;
  collect_atoms(tt, t, atoms, &count);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t j = 0; j < count; j++) {
      if (i == j || term_kind(tt, atoms[i]) != TERM_FLOORDIV || term_kind(tt, atoms[j]) != TERM_FLOORDIV) continue;
      tt->fuel = tt->patience ? tt->patience : FUEL;
      if ((less = bound_remainder(tt, t, atoms[i], atoms[j]))) return bound_remainders(tt, less);
    }
  return t;
}

/* Once more, looking at quotients of quotients, which takes fuel that other questions do not have. */
static bool ask_by_quotients(TermTable *tt, Term t) {
  const uint64_t mark = random_hash(TERM_FLOORDIV);
  if (!has_finer_quotient(tt, t)) return false;
  Term bound = bound_remainders(tt, t);
  if (bound != t && ask(tt, bound, 1)) return true;
  tt->splits_quotients = true, tt->context += mark; /* what was not shown before may be now */
  bool holds = ask(tt, t, 4);
  tt->splits_quotients = false, tt->context -= mark;
  return holds;
}

bool term_prove_nonpositive(TermTable *tt, Term t) {
  if (term_is_rat(tt, t)) return term_rat(tt, t).num <= 0;
  if (term_sort(tt, t) != SORT_INT) return false;
  if (tt->depth > 0) { /* a constructor inside a question: only cheap help */
    return tt->depth < DEPTH - 4 && nonpositive(tt, t, 0);
  }
  uint64_t context = tt->context + random_hash(tt->patience + 1);
  RangeAnswer *slot = answer_slot(tt, t, context);
  if (slot->term == t && slot->context == context) return slot->holds;
  tt->splits_quotients = false; /* an earlier question may have been broken off */
  tt->coordinate_count = 0;
  bool holds = !term_is_refuted(tt, t) && (ask(tt, t, 1) || ask_by_quotients(tt, t));
  *slot = (RangeAnswer){context, t, holds};
  return holds;
}

bool term_prove_le(TermTable *tt, Term a, Term b) { return term_prove_nonpositive(tt, term_sub(tt, a, b)); }
bool term_prove_lt(TermTable *tt, Term a, Term b) {
  return term_prove_nonpositive(tt, term_add(tt, term_sub(tt, a, b), tt->one));
}

bool term_prove_true(TermTable *tt, Term c) {
  if (c == tt->true_) return true;
  for (uint32_t i = 0; i < tt->facts.count; i++)
    if (tt->facts.data[i] == c) return true;
  if (term_kind(tt, c) == TERM_AND) {
    for (uint32_t i = 0; i < term_count(tt, c); i++)
      if (!term_prove_true(tt, term_arg(tt, c, i))) return false;
    return true;
  }
  if (term_kind(tt, c) == TERM_OR) {
    for (uint32_t i = 0; i < term_count(tt, c); i++)
      if (term_prove_true(tt, term_arg(tt, c, i))) return true;
    return false;
  }
  return term_kind(tt, c) == TERM_LE && term_count(tt, c) == 1 && term_prove_nonpositive(tt, term_arg(tt, c, 0));
}

/* ---- signs of reals, by structure ---- */

/* k sum(f^2) - k sum(f)^2 / n over n values is not negative (Cauchy and Schwarz): what is left of t without it; 0: not
 * there. */
static Term without_variance(TermTable *tt, Term t) {
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    Term squares = term_arg(tt, t, i + 1);
    Rational k = term_rat(tt, term_arg(tt, t, i));
    if (k.num <= 0 || term_kind(tt, squares) != TERM_FOLD || term_aux(tt, squares) != FOLD_SUM ||
        term_fold_guard(tt, squares) != tt->true_)
      continue;
    FoldParts p = term_fold_open(tt, squares);
    if (term_kind(tt, p.body) != TERM_MUL || term_count(tt, p.body) != 2 ||
        !rational_equal(term_rat(tt, term_arg(tt, p.body, 1)), rational_int(2)))
      continue;
    Term sum = term_fold(tt, FOLD_SUM, p.symbol, p.lo, p.hi, tt->true_, term_arg(tt, p.body, 0));
    Term square =
        term_mul(tt, term_power(tt, sum, rational_int(2)), term_power(tt, term_sub(tt, p.hi, p.lo), rational_int(-1)));
    Term rest = term_add(tt, term_sub(tt, t, term_scale(tt, k, squares)), term_scale(tt, k, square));
    uint32_t left = term_kind(tt, rest) == TERM_ADD ? term_count(tt, rest) : rest == tt->zero ? 1 : 3;
    if (left + 4 <= term_count(tt, t)) return rest;
  }
  return 0;
}

static bool is_bounded(TermTable *tt, Term t, bool up);

/* The constant of a sum, and the least values of its sines and the like with it, rounded
 * outwards; *rest: the places of what is left, as bits (no more than 64: false). */
static bool least_constant(TermTable *tt, Term t, Rational *least, uint64_t *rest) {
  Guard *guard = tt->arena->guard;
  *least = term_rat(tt, term_arg(tt, t, 0)), *rest = 0;
  if (term_count(tt, t) > 128) return false;
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    Rational k = term_rat(tt, term_arg(tt, t, i));
    Term part = term_arg(tt, t, i + 1);
    double bound = term_kind(tt, part) == TERM_FN && term_sort(tt, part) == SORT_REAL
                       ? (k.num > 0 ? term_fn_info((TermFn)term_aux(tt, part))->least
                                    : term_fn_info((TermFn)term_aux(tt, part))->most)
                       : INFINITY;
    if (isfinite(bound) && bound != 0)
      *least = rational_add(guard, *least,
                            rational_mul(guard, k, rational_int((int64_t)(k.num > 0 ? floor(bound) : ceil(bound)))));
    else
      *rest |= UINT64_C(1) << i / 2;
  }
  return true;
}

bool term_is_nonnegative(TermTable *tt, Term t) {
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_RAT) return term_rat(tt, t).num >= 0;
  if (kind == TERM_INF || kind == TERM_ABS) return true;
  if (kind == TERM_SYM) {
    Term lo = term_symbol(tt, t)->lo;
    if (term_symbol(tt, t)->role == SYMBOL_SCALAR && (term_symbol(tt, t)->axis & SYMBOL_IS_POSITIVE)) return true;
    return lo && lo != t && term_is_nonnegative(tt, lo);
  }
  if (kind == TERM_ADD) {
    if (term_sort(tt, t) == SORT_INT && tt->depth == 0 && term_prove_nonpositive(tt, term_neg(tt, t))) return true;
    if (term_sort(tt, t) == SORT_REAL && (term_node(tt, t)->flags & TERM_HAS_FOLD)) {
      Term rest = without_variance(tt, t);
      if (rest) return rest == tt->zero || term_is_nonnegative(tt, rest);
    }
    Rational least;
    uint64_t rest;
    if (!least_constant(tt, t, &least, &rest) || least.num < 0) return false;
    for (uint32_t i = 1; i < term_count(tt, t); i += 2)
      if (rest >> i / 2 & 1 &&
          (term_rat(tt, term_arg(tt, t, i)).num < 0 || !term_is_nonnegative(tt, term_arg(tt, t, i + 1))))
        return false;
    return true;
  }
  if (kind == TERM_MUL) {
    for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
      Rational e = term_rat(tt, term_arg(tt, t, i + 1));
      bool even = e.den == 1 && e.num % 2 == 0;
      if (!even && e.den == 1 && !term_is_nonnegative(tt, term_arg(tt, t, i))) return false;
    }
    return true;
  }
  if (kind == TERM_MAX) {
    for (uint32_t i = 0; i < term_count(tt, t); i++)
      if (term_is_nonnegative(tt, term_arg(tt, t, i))) return true;
    return false;
  }
  if (kind == TERM_MIN) {
    for (uint32_t i = 0; i < term_count(tt, t); i++)
      if (!term_is_nonnegative(tt, term_arg(tt, t, i))) return false;
    return true;
  }
  if (kind == TERM_SELECT)
    return term_is_nonnegative(tt, term_arg(tt, t, 1)) && term_is_nonnegative(tt, term_arg(tt, t, 2));
  if (kind == TERM_FN) return term_aux(tt, t) == FN_EXP || term_is_positive(tt, t);
  if (kind == TERM_FLOORDIV)
    return term_is_nonnegative(tt, term_arg(tt, t, 0)) && term_is_nonnegative(tt, term_arg(tt, t, 1));
  if (kind == TERM_FOLD) {
    TermFoldOp fold = (TermFoldOp)term_aux(tt, t);
    if (fold == FOLD_SUM || fold == FOLD_PROD || fold == FOLD_MIN)
      return term_is_nonnegative(tt, term_fold_body(tt, t));
    if (fold == FOLD_MAX)
      return term_prove_lt(tt, term_fold_lo(tt, t), term_fold_hi(tt, t)) && term_fold_guard(tt, t) == tt->true_ &&
             term_is_nonnegative(tt, term_fold_body(tt, t));
    if (fold == FOLD_ARGMAX || fold == FOLD_ARGMIN) return term_is_nonnegative(tt, term_fold_lo(tt, t));
    return false;
  }
  return false;
}

bool term_is_positive(TermTable *tt, Term t) {
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_RAT) return term_rat(tt, t).num > 0;
  if (kind == TERM_INF) return true;
  if (kind == TERM_SYM) {
    Term lo = term_symbol(tt, t)->lo;
    if (term_symbol(tt, t)->role == SYMBOL_SCALAR && (term_symbol(tt, t)->axis & SYMBOL_IS_POSITIVE)) return true;
    return lo && lo != t && term_is_positive(tt, lo);
  }
  if (kind == TERM_ADD) {
    if (term_sort(tt, t) == SORT_INT && tt->depth == 0 && term_prove_nonpositive(tt, term_sub(tt, tt->one, t)))
      return true;
    Rational least;
    uint64_t rest;
    if (!least_constant(tt, t, &least, &rest) || least.num < 0) return false;
    bool positive = least.num > 0;
    for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
      Term part = term_arg(tt, t, i + 1);
      if (!(rest >> i / 2 & 1)) continue;
      if (term_rat(tt, term_arg(tt, t, i)).num < 0 || !term_is_nonnegative(tt, part)) return false;
      positive |= term_is_positive(tt, part);
    }
    return positive;
  }
  if (kind == TERM_MUL) {
    for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
      Rational e = term_rat(tt, term_arg(tt, t, i + 1));
      Term base = term_arg(tt, t, i);
      bool even = e.den == 1 && e.num % 2 == 0;
      /* a negative power is defined only off zero, and then of the base's sign */
      bool ok = term_is_positive(tt, base) || (e.num < 0 && (even || e.den != 1 || term_is_nonnegative(tt, base)));
      if (e.num < 0 && !term_is_finite(tt, base)) ok = false; /* 1 / inf = 0 */
      if (!ok) return false;
    }
    return true;
  }
  if (kind == TERM_MAX) {
    for (uint32_t i = 0; i < term_count(tt, t); i++)
      if (term_is_positive(tt, term_arg(tt, t, i))) return true;
    return false;
  }
  if (kind == TERM_MIN) {
    for (uint32_t i = 0; i < term_count(tt, t); i++)
      if (!term_is_positive(tt, term_arg(tt, t, i))) return false;
    return true;
  }
  if (kind == TERM_SELECT) return term_is_positive(tt, term_arg(tt, t, 1)) && term_is_positive(tt, term_arg(tt, t, 2));
  if (kind == TERM_FN) {
    Term a = term_arg(tt, t, 0);
    if (term_aux(tt, t) == FN_LOG) return term_is_rat(tt, a) && term_rat(tt, a).num > term_rat(tt, a).den;
    if (term_aux(tt, t) == FN_EXP) return is_bounded(tt, a, false); /* exp(-inf) = 0 */
    return term_aux(tt, t) == FN_COSH;
  }
  if (kind == TERM_FOLD) {
    bool nonempty = term_fold_guard(tt, t) == tt->true_ && term_prove_lt(tt, term_fold_lo(tt, t), term_fold_hi(tt, t));
    TermFoldOp fold = (TermFoldOp)term_aux(tt, t);
    if (fold == FOLD_SUM || fold == FOLD_MAX) return nonempty && term_is_positive(tt, term_fold_body(tt, t));
    if (fold == FOLD_PROD || fold == FOLD_MIN) return term_is_positive(tt, term_fold_body(tt, t));
    return false;
  }
  return false;
}

bool term_is_nonzero(TermTable *tt, Term t) { return term_is_positive(tt, t) || term_is_positive(tt, term_neg(tt, t)); }

/* The logarithm of a sum that may be of nothing is -inf then. */
static bool is_log_of_fold(const TermTable *tt, Term t) {
  return term_kind(tt, t) == TERM_FN && term_aux(tt, t) == FN_LOG && term_kind(tt, term_arg(tt, t, 0)) == TERM_FOLD &&
         term_aux(tt, term_arg(tt, t, 0)) == FOLD_SUM;
}

/* Never +inf (up) or never -inf (!up), and never undefined; the other infinity may be. */
static bool is_bounded(TermTable *tt, Term t, bool up) {
  if (t == (up ? tt->neg_inf : tt->inf)) return true;
  if (term_kind(tt, t) == (up ? TERM_MAX : TERM_MIN)) {
    for (uint32_t i = 0; i < term_count(tt, t); i++)
      if (!is_bounded(tt, term_arg(tt, t, i), up)) return false;
    return true;
  }
  if (up && is_log_of_fold(tt, t)) return term_is_finite(tt, term_arg(tt, t, 0));
  if (term_kind(tt, t) == TERM_SELECT)
    return is_bounded(tt, term_arg(tt, t, 1), up) && is_bounded(tt, term_arg(tt, t, 2), up);
  if (term_kind(tt, t) == TERM_FOLD && term_aux(tt, t) == (up ? FOLD_MAX : FOLD_MIN))
    return is_bounded(tt, term_fold_body(tt, t), up);
  return term_is_finite(tt, t);
}

/* An extremum is finite when no element has the wrong infinity and the first one is finite. */
static bool is_finite_extremum(TermTable *tt, Term t) {
  bool up = term_aux(tt, t) == FOLD_MAX;
  Term bound = term_fold_bound(tt, t), lo = term_fold_lo(tt, t), body = term_fold_body(tt, t);
  if (!term_prove_lt(tt, lo, term_fold_hi(tt, t))) return false;
  if (term_fold_guard(tt, t) != tt->true_ && !term_prove_true(tt, term_replace(tt, term_fold_guard(tt, t), bound, lo)))
    return false;
  if (is_bounded(tt, body, up) && (term_is_finite(tt, body) || term_is_finite(tt, term_replace(tt, body, bound, lo))))
    return true;
  if (term_kind(tt, body) != TERM_FOLD) return false;
  FoldParts p = term_fold_open(tt, t); /* an inner one has elements wherever the index is */
  return is_bounded(tt, p.body, up) && term_is_finite(tt, p.body);
}

bool term_is_finite(TermTable *tt, Term t) {
  TermKind kind = term_kind(tt, t);
  if (term_kind_is_special(kind) || kind == TERM_UNDEF) return false;
  if (kind == TERM_RAT || kind == TERM_SYM || kind == TERM_BOUND || term_kind_is_truth(kind)) return true;
  if (kind == TERM_STATE)
    return term_sort(tt, t) != SORT_REAL || (tt->finite_states >> term_aux(tt, t) / RECUR_STATES & 1);
  if (kind == TERM_RECUR) return term_recur_is_finite(tt, t);
  if (kind == TERM_READ) {
    /* a running maximum starts at -inf */
    const Symbol *s = term_symbol(tt, term_arg(tt, t, 0));
    return s->role != SYMBOL_CARRY || s->sort != SORT_REAL || (s->axis & SYMBOL_IS_FINITE);
  }
  uint32_t flags = term_node(tt, t)->flags;
  bool chooses = term_kind(tt, t) == TERM_SELECT || term_kind(tt, t) == TERM_MAX ||
                 term_kind(tt, t) == TERM_MIN; /* what a loop carries, perhaps */
  if (!(flags & (TERM_HAS_INF | TERM_HAS_FOLD | TERM_HAS_UNDEF)) && !(chooses && (flags & TERM_HAS_READ))) return true;
  if (term_sort(tt, t) == SORT_INT && !(flags & (TERM_HAS_FOLD | TERM_HAS_UNDEF)))
    return true; /* an extremum of integers over nothing is infinite */
  if (term_kind(tt, t) == TERM_SELECT)
    return term_is_finite(tt, term_arg(tt, t, 1)) && term_is_finite(tt, term_arg(tt, t, 2));
  if (term_kind(tt, t) == TERM_FOLD) {
    TermFoldOp op = (TermFoldOp)term_aux(tt, t);
    if (op == FOLD_MAX || op == FOLD_MIN) return is_finite_extremum(tt, t);
    return (op > FOLD_MIN && !(flags & TERM_HAS_UNDEF)) || term_is_finite(tt, term_fold_body(tt, t));
  }
  if (term_kind(tt, t) == TERM_MAX || term_kind(tt, t) == TERM_MIN) {
    bool some = false;
    for (uint32_t i = 0; i < term_count(tt, t); i++) {
      if (!is_bounded(tt, term_arg(tt, t, i), term_kind(tt, t) == TERM_MAX)) return false;
      some = some || term_is_finite(tt, term_arg(tt, t, i));
    }
    return some;
  }
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (!term_is_finite(tt, term_arg(tt, t, i))) return false;
  return !is_log_of_fold(tt, t) || term_is_positive(tt, term_arg(tt, t, 0));
}

/* A maximum of finite values is -inf when there are none, but never NaN. */
bool term_is_number(TermTable *tt, Term t) {
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_INF || kind == TERM_NEG_INF) return true;
  if (kind == TERM_NAN || kind == TERM_UNDEF) return false;
  if (kind == TERM_READ) {
    const Symbol *s = term_symbol(tt, term_arg(tt, t, 0));
    return s->role != SYMBOL_CARRY || s->sort != SORT_REAL || s->axis;
  }
  if (term_kind_is_extremum(kind)) {
    for (uint32_t i = 0; i < term_count(tt, t); i++)
      if (!term_is_number(tt, term_arg(tt, t, i))) return false;
    return true;
  }
  if (kind == TERM_SELECT) return term_is_number(tt, term_arg(tt, t, 1)) && term_is_number(tt, term_arg(tt, t, 2));
  if (kind == TERM_FOLD) {
    if (term_aux(tt, t) == FOLD_MAX || term_aux(tt, t) == FOLD_MIN) return term_is_number(tt, term_fold_body(tt, t));
  } else if (kind == TERM_FN) {
    if (is_log_of_fold(tt, t)) return term_is_finite(tt, term_arg(tt, t, 0));
  }
  return term_is_finite(tt, t);
}
