/* Floor division, and what is made of it: remainders and quotients rounded up.
 *
 * What the divisor divides is taken out first, monomial by monomial; then what lies within one divisor, by ranges and
 * facts; then factors that both sides share. What is left stands as one quotient. */
#include "term/cons.h"

/* t / d for monomials, if it divides: 0 if not. */
static Term divide_monomial(TermTable *tt, Term t, Term d) {
  if (t == d) return tt->one;
  if (term_kind(tt, d) == TERM_MUL) {
    for (uint32_t i = 0; t && i < term_count(tt, d); i += 2) {
      int64_t e;
      if (!term_is_int(tt, term_arg(tt, d, i + 1), &e) || e < 1) return 0;
      for (; t && e > 0; e--) t = divide_monomial(tt, t, term_arg(tt, d, i));
    }
    return t;
  }
  if (term_kind(tt, t) != TERM_MUL) return 0;
  for (uint32_t i = 0; i < term_count(tt, t); i += 2)
    if (term_arg(tt, t, i) == d && term_rat(tt, term_arg(tt, t, i + 1)).num >= 1) return term_drop_factor(tt, t, i);
  return 0;
}

/* One step of dividing by a sum: a monomial q such that a - q*b is a shorter sum than a; 0: there is none. */
static Term find_multiple(TermTable *tt, Term a, Term b) {
  for (uint32_t i = 1; i < term_count(tt, b); i += 2) {
    Rational lead = term_rat(tt, term_arg(tt, b, i));
    for (uint32_t k = 1; k < term_count(tt, a); k += 2) {
      Term q = divide_monomial(tt, term_arg(tt, a, k + 1), term_arg(tt, b, i + 1));
      Rational ratio = rational_div(tt->arena->guard, term_rat(tt, term_arg(tt, a, k)), lead);
      if (!q || ratio.den != 1) continue;
      q = term_scale(tt, ratio, q);
      Term left = term_sub(tt, a, term_mul(tt, q, b));
      if (term_kind(tt, left) != TERM_ADD || term_count(tt, left) < term_count(tt, a)) return q;
    }
  }
  return 0;
}

/* a = q*b + r for a sum b. */
static void split_by_sum(TermTable *tt, Term a, Term b, Term *quotient, Term *rest) {
  *quotient = tt->zero, *rest = a;
  for (Term q; term_kind(tt, *rest) == TERM_ADD && (q = find_multiple(tt, *rest, b));) {
    *quotient = term_add(tt, *quotient, q);
    *rest = term_sub(tt, *rest, term_mul(tt, q, b));
  }
}

/* a = q*b + r by collecting the monomials of a that b divides; b is k * monomial (monomial one for a literal), or a
 * sum. */
static void split_multiple(TermTable *tt, Term a, Term b, Term *quotient, Term *rest) {
  Guard *g = tt->arena->guard;
  Term monomial;
  if (term_kind(tt, b) == TERM_ADD && (term_count(tt, b) > 3 || term_constant_part(tt, b).num)) {
    split_by_sum(tt, a, b, quotient, rest);
    return;
  }
  Rational k = term_is_rat(tt, b) ? term_rat(tt, b) : term_coefficient(tt, b, &monomial);
  if (term_is_rat(tt, b)) monomial = tt->one;
  *quotient = tt->zero, *rest = a;
  uint32_t n = term_kind(tt, a) == TERM_ADD ? term_count(tt, a) : 2;
  for (uint32_t i = 1; i < n + (n == 2); i += 2) {
    bool sum = term_kind(tt, a) == TERM_ADD;
    Rational c = sum ? term_rat(tt, term_arg(tt, a, i)) : rational_int(1);
    Term t = sum ? term_arg(tt, a, i + 1) : a;
    Rational ratio = rational_div(g, c, k);
    Term q = ratio.den != 1 ? 0 : monomial == tt->one ? t : divide_monomial(tt, t, monomial);
    if (!q) continue;
    *quotient = term_add_scaled(tt, rational_int(1), *quotient, ratio, q);
    *rest = term_add_scaled(tt, rational_int(1), *rest, rational_neg(c), t);
  }
  if (monomial != tt->one || k.den != 1) return;
  Rational c = term_constant_part(tt, *rest), q = {rational_floor(rational_div(g, c, k)), 1};
  *quotient = term_add(tt, *quotient, term_new_rat(tt, q));
  *rest = term_sub(tt, *rest, term_new_rat(tt, rational_mul(g, q, k)));
}

/* Of q = x // (d*e), p = x // e or x for e = 1: d; else 0. Then p - d*q = p % d. */
static int64_t remainder_of(const TermTable *tt, Term p, Term q) {
  int64_t all, e = 1;
  if (term_kind(tt, q) != TERM_FLOORDIV || !term_is_int(tt, term_arg(tt, q, 1), &all)) return 0;
  if (p != term_arg(tt, q, 0) && (term_kind(tt, p) != TERM_FLOORDIV || term_arg(tt, p, 0) != term_arg(tt, q, 0) ||
                                  !term_is_int(tt, term_arg(tt, p, 1), &e)))
    return 0;
  return p != q && e > 0 && all > e && all % e == 0 ? all / e : 0;
}

enum { MOST_PARTS = 12 };

/* The part of a sum that is a multiple of g: coefficient by coefficient, remainders m*(p % d) apart. */
static Term multiple_of(TermTable *tt, const Rational *coefficient, const Term *part, uint32_t n, int64_t g) {
  Term sum = tt->zero;
  for (uint32_t i = 0; i < n; i++)
    if (coefficient[i].num % g == 0) sum = term_add(tt, sum, term_scale(tt, coefficient[i], part[i]));
  return sum;
}

/* (124*(p // 4) + p + c) // 128 = p // 4 + (p % 4 + c) // 128: a remainder is less than what it is the remainder of.
 * What is less than a part of the divisor then counts for nothing: over 256 it is (p // 4) // 2. 0: nothing is found.
 */
static Term divide_less_remainders(TermTable *tt, Term r, Term b) {
  int64_t k, d;
  Rational coefficient[MOST_PARTS];
  Term part[MOST_PARTS];
  uint32_t n = 0;
  bool any = false, is_low[MOST_PARTS] = {false};
  if (!term_is_int(tt, b, &k) || k < 2 || term_kind(tt, r) != TERM_ADD || term_count(tt, r) > 2 * MOST_PARTS) return 0;
  for (uint32_t i = 1; i < term_count(tt, r); i += 2) {
    coefficient[n] = term_rat(tt, term_arg(tt, r, i)), part[n++] = term_arg(tt, r, i + 1);
    if (coefficient[n - 1].den != 1) return 0;
  }
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++) {
      if (is_low[j] || is_low[i] || !(d = remainder_of(tt, part[j], part[i]))) continue;
      Rational whole = rational_mul(tt->arena->guard, coefficient[j], rational_int(d));
      coefficient[i] = rational_add(tt->arena->guard, coefficient[i], whole);
      is_low[j] = any = true;
    }
  if (!any) return 0;
  for (uint32_t j = 0; j < n; j++)
    if (is_low[j]) coefficient[j] = rational_int(1); /* of no multiple */
  Term whole = multiple_of(tt, coefficient, part, n, k);
  if (whole != tt->zero)
    return term_add(tt, term_scale(tt, (Rational){1, k}, whole), term_floordiv(tt, term_sub(tt, r, whole), b));
  for (uint32_t i = 0; i < n; i++) {
    int64_t g = (int64_t)rational_gcd(coefficient[i].num, k);
    if (g <= 1 || g == k) continue;
    Term high = multiple_of(tt, coefficient, part, n, g), low = term_sub(tt, r, high);
    if (term_prove_le(tt, tt->zero, low) && term_prove_lt(tt, low, term_int(tt, g)))
      return term_floordiv(tt, term_scale(tt, (Rational){1, g}, high), term_int(tt, k / g));
  }
  return 0;
}

/* m*(p % d) for the summand m*p of r and the largest d of its quotients; 0: it is in no quotient. */
static Term least_digit(TermTable *tt, Term r, uint32_t at) {
  Term p = term_arg(tt, r, at + 1), quotient = 0;
  int64_t d, most = 0;
  for (uint32_t i = 1; i < term_count(tt, r); i += 2)
    if ((d = remainder_of(tt, p, term_arg(tt, r, i + 1))) > most) most = d, quotient = term_arg(tt, r, i + 1);
  return most ? term_scale(tt, term_rat(tt, term_arg(tt, r, at)),
                           term_sub(tt, p, term_scale(tt, rational_int(most), quotient)))
              : 0;
}

/* (x // 512 + 2*(x // 16) - 130*(x // 1024)) // 4 = ((x // 16) - 64*(x // 1024)) // 2: what is no multiple of a factor
 * of the divisor is a digit that is less than it. 0: nothing is found. */
static Term divide_less_digits(TermTable *tt, Term r, Term b) {
  int64_t k;
  if (!term_is_int(tt, b, &k) || k < 2 || term_kind(tt, r) != TERM_ADD || term_count(tt, r) > 2 * MOST_PARTS) return 0;
  for (uint32_t i = 1; i < term_count(tt, r); i += 2)
    if (term_rat(tt, term_arg(tt, r, i)).den != 1) return 0;
  for (uint32_t n = 1; n < term_count(tt, r); n += 2) {
    Int128 g = rational_gcd(term_rat(tt, term_arg(tt, r, n)).num, k);
    Term low = tt->zero, digit;
    if (g <= 1 || g == k) continue;
    for (uint32_t i = 1; i < term_count(tt, r) && low; i += 2) {
      if (term_rat(tt, term_arg(tt, r, i)).num % g == 0) continue;
      low = (digit = least_digit(tt, r, i)) ? term_add(tt, low, digit) : 0;
    }
    if (!low || low == tt->zero || !term_prove_le(tt, tt->zero, low)) continue;
    Term high = term_sub(tt, r, low), factor = term_new_rat(tt, (Rational){g, 1});
    if (term_content(tt, high, g) == g && term_constant_part(tt, high).num % g == 0 && term_prove_lt(tt, low, factor))
      return term_floordiv(tt, term_scale(tt, (Rational){1, g}, high), term_new_rat(tt, (Rational){k / g, 1}));
  }
  return 0;
}

/* (3*n + c) // 2 = n + (n + c) // 2: of one monomial, whose coefficient is more than the divisor. *whole: n. */
static Term less_whole(TermTable *tt, Term r, Term b, Term *whole) {
  int64_t k, c;
  if (!term_is_int(tt, b, &k) || k < 2 || term_kind(tt, r) != TERM_ADD || term_count(tt, r) != 3 ||
      !term_is_int(tt, term_arg(tt, r, 1), &c) || c <= k)
    return r;
  *whole = term_scale(tt, rational_int(c / k), term_arg(tt, r, 2));
  return term_sub(tt, r, term_scale(tt, rational_int(c / k * k), term_arg(tt, r, 2)));
}

Int128 term_content(const TermTable *tt, Term t, Int128 k) {
  if (term_kind(tt, t) != TERM_ADD) return 1;
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) k = rational_gcd(k, term_rat(tt, term_arg(tt, t, i)).num);
  return k ? k : 1;
}

/* floor(g*t + c / g*k) = floor((t + floor(c/g)) / k) */
static Term reduce_content(TermTable *tt, Term r, Term b, Int128 g) {
  Rational c = term_constant_part(tt, r), inverse = {1, g};
  Term t = term_scale(tt, inverse, term_sub(tt, r, term_new_rat(tt, c)));
  Rational low = {rational_floor(rational_make(tt->arena->guard, c.num, g)), 1};
  return term_floordiv(tt, term_add(tt, t, term_new_rat(tt, low)), term_scale(tt, inverse, b));
}

/* floor((f*q + r) / (f*b)) = floor(q / b) for 0 <= r < f, f > 0: for a factor f of the divisor that leaves such an r.
 */
static Term divide_by_factor(TermTable *tt, Term a, Term b, Term f) {
  Term q, r, whole, none;
  if (f == b || f == tt->one || !term_prove_lt(tt, tt->zero, f)) return 0;
  split_multiple(tt, a, f, &q, &r);
  if (q == tt->zero || !term_prove_le(tt, tt->zero, r) || !term_prove_lt(tt, r, f)) return 0;
  split_multiple(tt, b, f, &whole, &none);
  return none == tt->zero ? term_floordiv(tt, q, whole) : 0;
}

/* The factors that two products of whole powers share. */
static Term shared_factors(TermTable *tt, Term a, Term b) {
  Term shared = tt->one;
  for (uint32_t i = 0; term_kind(tt, b) == TERM_MUL && i < term_count(tt, b); i += 2) {
    Term base = term_arg(tt, b, i);
    for (uint32_t j = 0; term_kind(tt, a) == TERM_MUL && j < term_count(tt, a); j += 2) {
      if (term_arg(tt, a, j) != base) continue;
      Rational x = term_rat(tt, term_arg(tt, a, j + 1)), y = term_rat(tt, term_arg(tt, b, i + 1));
      if (x.den == 1 && y.den == 1) shared = term_mul(tt, shared, term_power(tt, base, x.num < y.num ? x : y));
    }
  }
  return shared;
}

static Term divide_by_factors(TermTable *tt, Term a, Term b) {
  Term monomial, result = 0;
  int64_t literal, c;
  if (term_is_int(tt, b, &literal)) { /* the coefficients of a that divide b */
    for (uint32_t i = 1; term_kind(tt, a) == TERM_ADD && i < term_count(tt, a) && !result; i += 2)
      if (term_is_int(tt, term_arg(tt, a, i), &c) && c > 1 && c < literal && literal % c == 0)
        result = divide_by_factor(tt, a, b, term_int(tt, c));
    return result;
  }
  Rational k = term_coefficient(tt, b, &monomial);
  if (k.num > 1) result = divide_by_factor(tt, a, b, term_new_rat(tt, k));
  if (!result && k.num != 1) result = divide_by_factor(tt, a, b, monomial);
  for (uint32_t i = 0; term_kind(tt, monomial) == TERM_MUL && i < term_count(tt, monomial) && !result; i += 2)
    result = divide_by_factor(tt, a, b, term_arg(tt, monomial, i));
  for (uint32_t i = 1; term_kind(tt, a) == TERM_ADD && i < term_count(tt, a) && !result;
       i += 2) { /* rows of H*W in planes of C*H*W, pairs in rows of 4*W */
    Int128 common = rational_gcd(term_rat(tt, term_arg(tt, a, i)).num, k.num);
    Term shared = term_scale(tt, (Rational){common, 1}, shared_factors(tt, term_arg(tt, a, i + 1), monomial));
    if (shared != tt->one && shared != b) result = divide_by_factor(tt, a, b, shared);
  }
  return result;
}

static bool has_part(const TermTable *tt, Term t, Term part, uint32_t depth) {
  if (t == part) return true;
  if (!depth || !(term_node(tt, t)->free_mask & term_node(tt, part)->free_mask)) return false;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (has_part(tt, term_arg(tt, t, i), part, depth - 1)) return true;
  return false;
}

/* (x + c) // b for a literal c, where a fact speaks of x // b, and so perhaps of x % b: x // b, or one more. 0: not
 * known. */
static Term quotient_by_facts(TermTable *tt, Term x, Rational c, Term b) {
  Term q = term_cons(tt, TERM_FLOORDIV, SORT_INT, 0, 2, (Term[]){x, b});
  bool spoken_of = false;
  for (uint32_t i = 0; i < tt->facts.count && !spoken_of; i++) spoken_of = has_part(tt, tt->facts.data[i], q, 5);
  if (!spoken_of) return 0;
  Term whole = term_floordiv(tt, term_new_rat(tt, c), b);
  Term left = term_sub(tt, term_new_rat(tt, c), term_mul(tt, whole, b)),
       r = term_add(tt, term_sub(tt, x, term_mul(tt, b, q)), left);
  if (term_prove_lt(tt, r, b)) return term_add(tt, q, whole);
  return term_prove_le(tt, b, r) ? term_add(tt, q, term_add(tt, whole, tt->one)) : 0;
}

static Int128 floor_of(Int128 a, Int128 d) { return a / d - (a % d != 0 && a < 0); }

Term term_floordiv(TermTable *tt, Term a, Term b) {
  int64_t literal;
  if (term_swallowing(tt, a, b)) return term_swallowing(tt, a, b);
  if (term_is_infinite_select(tt, a) || term_is_infinite_select(tt, b)) return term_push_out(tt, term_floordiv, a, b);
  if (b == tt->zero)
    return term_cons(tt, TERM_FLOORDIV, SORT_INT, 0, 2, (Term[]){a, b}); /* has no value: nothing is known of it */
  if (b == tt->one || a == tt->zero) return a;
  if (b == tt->minus_one) return term_neg(tt, a);
  if (term_is_rat(tt, a) && term_is_int(tt, b, &literal) && literal)
    return term_new_rat(
        tt, (Rational){rational_floor(rational_div(tt->arena->guard, term_rat(tt, a), term_rat(tt, b))), 1});
  if (a == b) return tt->one;
  Term q, r;
  split_multiple(tt, a, b, &q, &r);
  if (r == tt->zero) return q;
  bool positive = term_prove_lt(tt, tt->zero, b);
  if (term_prove_le(tt, tt->zero, r) && term_prove_lt(tt, r, b)) return q; /* b is positive then */
  if (positive && term_prove_lt(tt, r, tt->zero) && term_prove_le(tt, term_neg(tt, b), r))
    return term_sub(tt, q, tt->one);
  Int128 from, to;
  if (term_is_int(tt, b, &literal) && literal > 0 && (term_node(tt, r)->flags & TERM_HAS_READ) &&
      term_interval(tt, r, &from, &to)) { /* elements of a type that is narrow enough */
    Int128 least = floor_of(from, literal);
    if (least == floor_of(to, literal)) return term_add(tt, q, term_new_rat(tt, (Rational){least, 1}));
  }
  Term smaller = positive && tt->depth == 0 ? divide_by_factors(tt, r, b) : 0;
  if (smaller) return term_add(tt, q, smaller);
  Term whole = tt->zero, left = less_whole(tt, r, b, &whole);
  if (left != r) return term_add(tt, q, term_add(tt, whole, term_floordiv(tt, left, b)));
  if ((left = divide_less_remainders(tt, r, b)) || (left = divide_less_digits(tt, r, b))) return term_add(tt, q, left);
  if (term_is_rat(tt, b) && positive) {
    Int128 g = term_content(tt, r, term_rat(tt, b).num);
    if (g > 1) return term_add(tt, q, reduce_content(tt, r, b, g));
  }
  /* floor((floor(x/y) + c)/b) = floor((x + c*y)/(y*b)) for y, b > 0 */
  Term c = term_new_rat(tt, term_constant_part(tt, r)), inner = term_sub(tt, r, c);
  if (positive && term_kind(tt, inner) == TERM_FLOORDIV && term_prove_lt(tt, tt->zero, term_arg(tt, inner, 1))) {
    Term x = term_arg(tt, inner, 0), y = term_arg(tt, inner, 1);
    return term_add(tt, q, term_floordiv(tt, term_add(tt, x, term_mul(tt, c, y)), term_mul(tt, y, b)));
  }
  if (c != tt->zero && inner != tt->zero && positive && tt->facts.count && tt->depth == 0 && term_is_rat(tt, b)) {
    Term known = quotient_by_facts(tt, inner, term_rat(tt, c), b);
    if (known) return term_add(tt, q, known);
  }
  return term_add(tt, q, term_cons(tt, TERM_FLOORDIV, SORT_INT, 0, 2, (Term[]){r, b}));
}

bool term_remainder_of_quotient(TermTable *tt, Term t, uint32_t i, Term q, Term *a, Term *b, Rational *m, Term *rest) {
  for (uint32_t j = 1; j < term_count(tt, t); j += 2) {
    Term p = term_arg(tt, t, j + 1), base;
    if (j == i || term_kind(tt, p) != TERM_FLOORDIV || term_arg(tt, p, 0) != term_arg(tt, q, 0)) continue;
    Term d = term_arg(tt, p, 1), c = term_floordiv(tt, term_arg(tt, q, 1), d);
    if (c == tt->one || term_mul(tt, c, d) != term_arg(tt, q, 1) || !term_is_positive(tt, c))
      continue; /* (x // d) // c is x // (d*c) for c > 0 */
    Rational k = term_coefficient(tt, term_mul(tt, c, q), &base);
    if (base != term_arg(tt, t, i + 1)) continue;
    *m = rational_neg(rational_div(tt->arena->guard, term_rat(tt, term_arg(tt, t, i)), k));
    if (m->den != 1 || !rational_equal(*m, term_rat(tt, term_arg(tt, t, j)))) continue;
    *a = p, *b = c;
    *rest = term_sub(tt, term_add(tt, t, term_scale(tt, rational_mul(tt->arena->guard, *m, k), base)),
                     term_scale(tt, *m, p));
    return true;
  }
  return false;
}

/* Modulo b = 2^k, bits from the k-th on do not count: a wrap to k or more bits changes nothing. */
static Term without_wraps(TermTable *tt, Term a, Int128 b) {
  if (term_kind(tt, a) == TERM_WRAP && term_aux(tt, a) < 127 && ((Int128)1 << term_aux(tt, a)) % b == 0)
    return without_wraps(tt, term_arg(tt, a, 0), b);
  if (term_kind(tt, a) == TERM_SELECT && term_sort(tt, a) == SORT_INT)
    return term_select(tt, term_arg(tt, a, 0), without_wraps(tt, term_arg(tt, a, 1), b),
                       without_wraps(tt, term_arg(tt, a, 2), b));
  if (term_kind(tt, a) != TERM_ADD) return a;
  Term sum = term_arg(tt, a, 0);
  for (uint32_t i = 1; i < term_count(tt, a); i += 2) {
    bool whole = term_rat(tt, term_arg(tt, a, i)).den == 1;
    Term part = term_arg(tt, a, i + 1), bare = whole ? without_wraps(tt, part, b) : part;
    sum = term_add(tt, sum, term_scale(tt, term_rat(tt, term_arg(tt, a, i)), bare));
  }
  return sum;
}

Term term_mod(TermTable *tt, Term a, Term b) {
  Rational literal = term_is_rat(tt, b) ? term_rat(tt, b) : (Rational){0, 1};
  if (literal.den == 1 && literal.num > 1 && !(literal.num & (literal.num - 1))) a = without_wraps(tt, a, literal.num);
  return term_sub(tt, a, term_mul(tt, b, term_floordiv(tt, a, b)));
}

Term term_cdiv(TermTable *tt, Term a, Term b) {
  return term_floordiv(tt, term_sub(tt, term_add(tt, a, b), tt->one), b);
}

/* ---- truncation ---- */

/* a and b, b != 0, have the same sign: there the quotient is rounded down, and up elsewhere. */
static Term same_signs(TermTable *tt, Term a, Term b) {
  return term_or(tt, term_and(tt, term_le(tt, tt->zero, a), term_lt(tt, tt->zero, b)),
                 term_and(tt, term_lt(tt, a, tt->zero), term_lt(tt, b, tt->zero)));
}

Term term_truncdiv(TermTable *tt, Term a, Term b) {
  bool a_nonneg = term_prove_le(tt, tt->zero, a), b_pos = term_prove_le(tt, tt->zero, b);
  if (a_nonneg && b_pos) return term_floordiv(tt, a, b);
  Term up = term_floordiv(tt, a, b), down = term_neg(tt, term_floordiv(tt, term_neg(tt, a), b));
  if (b_pos) return term_select(tt, term_le(tt, tt->zero, a), up, down);
  if (a_nonneg) return term_select(tt, term_lt(tt, tt->zero, b), up, down);
  return term_select(tt, same_signs(tt, a, b), up, down);
}

/* True if t chooses floor(a / b) where a and b have one sign, and the quotient rounded up elsewhere. Either may be
 * written as a sum, or with the sides of the choice turned around. */
static bool chooses_quotient(TermTable *tt, Term condition, Term up, Term down, Term a, Term b) {
  if (up != term_floordiv(tt, a, b)) return false;
  bool is_ceil = down == term_cdiv(tt, a, b) && term_prove_lt(tt, tt->zero, b);
  if (!is_ceil && down != term_neg(tt, term_floordiv(tt, term_neg(tt, a), b))) return false;
  if (condition == same_signs(tt, a, b)) return true;
  return (condition == term_le(tt, tt->zero, a) && term_prove_le(tt, tt->zero, b)) ||
         (condition == term_lt(tt, tt->zero, b) && term_prove_le(tt, tt->zero, a));
}

bool term_is_truncdiv(TermTable *tt, Term t, Term *a, Term *b) {
  if (term_kind(tt, t) != TERM_SELECT || term_sort(tt, t) != SORT_INT) return false;
  Term condition = term_arg(tt, t, 0);
  for (uint32_t side = 1; side <= 2; side++, condition = term_not(tt, condition)) {
    Term up = term_arg(tt, t, side), down = term_arg(tt, t, 3 - side);
    bool sum = term_kind(tt, up) == TERM_ADD;
    for (uint32_t k = 0; k < (sum ? term_count(tt, up) : 1); k++) { /* floor(p / b) + r is floor((p + r b) / b) */
      Term floor = sum ? term_arg(tt, up, k) : up;
      if (term_kind(tt, floor) != TERM_FLOORDIV) continue;
      *b = term_arg(tt, floor, 1);
      *a = term_add(tt, term_arg(tt, floor, 0), term_mul(tt, term_sub(tt, up, floor), *b));
      if (chooses_quotient(tt, condition, up, down, *a, *b)) return true;
    }
  }
  return false;
}

static Term zero_quotient(TermTable *tt, Term t, void *unused) {
  (void)unused;
  if (term_kind(tt, t) != TERM_FLOORDIV || term_is_rat(tt, t)) return t;
  Term a = term_arg(tt, t, 0), b = term_arg(tt, t, 1);
  return term_prove_le(tt, tt->zero, a) && term_prove_lt(tt, a, b) ? tt->zero : t;
}

static uint32_t count_quotients(TermTable *tt, Term t) {
  if (tt->marks.data[t] == tt->epoch) return 0;
  tt->marks.data[t] = tt->epoch;
  uint32_t count = term_kind(tt, t) == TERM_FLOORDIV;
  for (uint32_t i = 0; i < term_count(tt, t); i++) count += count_quotients(tt, term_arg(tt, t, i));
  return count;
}

Term term_without_quotients(TermTable *tt, Term t) {
  term_marks_begin(tt);
  uint32_t before = count_quotients(tt, t);
  if (!before) return t;
  Term plain = term_transform(tt, t, zero_quotient, NULL);
  term_marks_begin(tt);
  return count_quotients(tt, plain) < before ? plain : t; /* else it is not made again under the facts */
}
