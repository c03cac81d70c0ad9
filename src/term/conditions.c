/* Constructors of comparisons, of logic over them, and of selects by them.
 *
 * An integer comparison is t <= 0 or t == 0, a real one has t < 0 besides: scaled, so that equal conditions are one
 * term, and decided where ranges, facts and signs do. */
#include "term/cons.h"

/* ---- comparisons ---- */

enum { READABLE_BITS = 60 }; /* of numbers whose quotients are computed */

static uint32_t bits_of(Int128 n) {
  uint32_t bits = 0;
  for (UInt128 u = (UInt128)(n < 0 ? -n : n); u; u >>= 1) bits++;
  return bits;
}

/* How a number looks in a formula: one that no float is prints as a fraction. */
static uint32_t looks(Rational r) {
  uint32_t bits = bits_of(r.num) + bits_of(r.den);
  return (r.den & (r.den - 1)) ? 1024 + bits : bits;
}

/* Which coefficient of a real sum is best made 1: the answer is the same for every multiple of the sum. 0: none. */
static uint32_t best_unit(TermTable *tt, Term t) {
  uint32_t best = 0, least = UINT32_MAX, n = term_count(tt, t);
  for (uint32_t i = 0; i < n; i += i ? 2 : 1) {
    Rational r = term_rat(tt, term_arg(tt, t, i));
    if (bits_of(r.num) > READABLE_BITS || bits_of(r.den) > READABLE_BITS) return 0;
  }
  for (uint32_t i = 1; i < n; i += 2) {
    uint32_t sum = 0;
    for (uint32_t k = 0; k < n; k += k ? 2 : 1)
      sum += looks(rational_div(tt->arena->guard, term_rat(tt, term_arg(tt, t, k)), term_rat(tt, term_arg(tt, t, i))));
    if (sum < least) least = sum, best = i;
  }
  return best;
}

/* The sum divided by the absolute value of one coefficient; as an equation, with the first one positive. */
static Term scale_real(TermTable *tt, Term t, uint32_t unit, bool equality) {
  Rational k = unit ? term_rat(tt, term_arg(tt, t, unit)) : rational_int(1);
  if (k.num < 0) k = rational_neg(k);
  if (equality && term_rat(tt, term_arg(tt, t, 1)).num < 0) k = rational_neg(k);
  if (k.num == 1 && k.den == 1) return t;
  k = rational_div(tt->arena->guard, rational_int(1), k);
  Term sum = term_scale(tt, k, term_arg(tt, t, 0));
  for (uint32_t i = 1; i < term_count(tt, t); i += 2)
    sum = term_add(
        tt, sum,
        term_scale(tt, rational_mul(tt->arena->guard, k, term_rat(tt, term_arg(tt, t, i))), term_arg(tt, t, i + 1)));
  return sum;
}

Term term_scale_comparison(TermTable *tt, Term t, bool equality) {
  if (term_kind(tt, t) != TERM_ADD) return t;
  Guard *g = tt->arena->guard;
  Rational first = term_rat(tt, term_arg(tt, t, 1));
  if (term_sort(tt, t) != SORT_INT) {
    while (term_count(tt, t) == 3 && term_arg(tt, t, 0) == tt->zero) { /* k * u: its sign counts */
      Term u = term_arg(tt, t, 2);
      t = !equality && term_rat(tt, term_arg(tt, t, 1)).num < 0 ? term_neg(tt, u) : u;
      if (term_kind(tt, u) != TERM_ADD) return t;
    }
    return scale_real(tt, t, best_unit(tt, t), equality);
  }
  Int128 c = term_content(tt, t, 0);
  if (equality && first.num < 0) c = -c;
  if (c == 1) return t;
  Rational constant = term_constant_part(tt, t);
  if (equality && constant.num % c != 0) return 0; /* never zero */
  Term linear = term_scale(tt, rational_make(g, 1, c), term_sub(tt, t, term_new_rat(tt, constant)));
  Int128 up = -rational_floor(rational_make(g, -constant.num, c)); /* ceil(constant / c) */
  return term_add(tt, linear, term_new_rat(tt, (Rational){equality ? constant.num / c : up, 1}));
}

static Term compare(TermTable *tt, TermKind kind, Term a, Term b);
static Term compare_le(TermTable *tt, Term a, Term b) { return compare(tt, TERM_LE, a, b); }
static Term compare_lt(TermTable *tt, Term a, Term b) { return compare(tt, TERM_LT, a, b); }
static Term compare_eq(TermTable *tt, Term a, Term b) { return compare(tt, TERM_EQ, a, b); }
static Term compare_zero(TermTable *tt, TermKind kind, Term t);

/* where(c, 0, 1) == 1, a flag that is asked: c, or not c. 0: another form. */
static Term compare_flag(TermTable *tt, TermKind kind, Term t) {
  bool sum = term_kind(tt, t) == TERM_ADD && term_count(tt, t) == 3;
  Term flag = sum ? term_arg(tt, t, 2) : t, rest = sum ? term_arg(tt, t, 0) : tt->zero;
  if (term_kind(tt, flag) != TERM_SELECT || !term_is_rat(tt, term_arg(tt, flag, 1)) ||
      !term_is_rat(tt, term_arg(tt, flag, 2)))
    return 0;
  Rational k = sum ? term_rat(tt, term_arg(tt, t, 1)) : rational_int(1);
  Term yes = compare_zero(tt, kind, term_add(tt, rest, term_scale(tt, k, term_arg(tt, flag, 1))));
  Term no = compare_zero(tt, kind, term_add(tt, rest, term_scale(tt, k, term_arg(tt, flag, 2))));
  if (yes == no) return 0;
  return yes == tt->true_ ? term_arg(tt, flag, 0) : term_not(tt, term_arg(tt, flag, 0));
}

/* where(c, x, 0) > 1, of a value and a literal that decides: c and x > 1, or not c or x > -1. 0: another form. */
static Term compare_padded(TermTable *tt, TermKind kind, Term t) {
  bool sum = term_kind(tt, t) == TERM_ADD && term_count(tt, t) == 3;
  Term padded = sum ? term_arg(tt, t, 2) : t, rest = sum ? term_arg(tt, t, 0) : tt->zero;
  if (term_kind(tt, padded) != TERM_SELECT || ((term_node(tt, padded)->flags) & (TERM_HAS_UNDEF | TERM_HAS_INF)))
    return 0;
  Term condition = term_arg(tt, padded, 0), value = term_arg(tt, padded, 1), literal = term_arg(tt, padded, 2);
  bool first = term_is_rat(tt, value);
  if (first == term_is_rat(tt, literal)) return 0;
  if (first) literal = value, value = term_arg(tt, padded, 2), condition = term_not(tt, condition);
  Rational k = sum ? term_rat(tt, term_arg(tt, t, 1)) : rational_int(1);
  Term inside = compare_zero(tt, kind, term_add(tt, rest, term_scale(tt, k, value)));
  Term outside = compare_zero(tt, kind, term_add(tt, rest, term_scale(tt, k, literal)));
  return outside == tt->false_ ? term_and(tt, condition, inside) : term_or(tt, term_not(tt, condition), inside);
}

/* The sign of a // d is that of a: a // d >= 0, a // d <= -1. A lane's quotient is bounded where the lane is, lane // 2
 * <= 9 for lane <= 19. 0: another form. (Other bounds tell the block, which is what proofs look for.) */
static Term compare_quotient(TermTable *tt, Term t) {
  bool sum = term_kind(tt, t) == TERM_ADD && term_count(tt, t) == 3;
  Term quotient = sum ? term_arg(tt, t, 2) : t;
  Rational k = sum ? term_rat(tt, term_arg(tt, t, 1)) : rational_int(1), c = term_constant_part(tt, t);
  int64_t d;
  if (term_kind(tt, quotient) != TERM_FLOORDIV || !term_is_int(tt, term_arg(tt, quotient, 1), &d) || d < 1) return 0;
  bool below = rational_equal(k, rational_int(1)) && rational_equal(c, rational_int(1)),
       above = rational_equal(k, rational_int(-1)) && c.num == 0;
  Term a = term_arg(tt, quotient, 0), bound = term_scale(tt, rational_int(d), term_new_rat(tt, c));
  if (term_kind(tt, a) == TERM_SYM && term_symbol(tt, a)->role == SYMBOL_LANE) {
    if (rational_equal(k, rational_int(1)))
      return compare_zero(tt, TERM_LE, term_add(tt, term_add(tt, a, bound), term_int(tt, 1 - d)));
    if (rational_equal(k, rational_int(-1))) return compare_zero(tt, TERM_LE, term_sub(tt, bound, a));
  }
  if (below) return compare_zero(tt, TERM_LE, term_add(tt, term_arg(tt, quotient, 0), tt->one));
  return above ? compare_zero(tt, TERM_LE, term_neg(tt, term_arg(tt, quotient, 0))) : 0;
}

/* max(a, c) <= d for literals is a <= d, if c <= d. 0: another form. */
static Term compare_extremum(TermTable *tt, Term t) {
  bool sum = term_kind(tt, t) == TERM_ADD && term_count(tt, t) == 3;
  Term extremum = sum ? term_arg(tt, t, 2) : t;
  TermKind kind = term_kind(tt, extremum);
  if ((kind != TERM_MAX && kind != TERM_MIN) || term_count(tt, extremum) != 2) return 0;
  Rational k = sum ? term_rat(tt, term_arg(tt, t, 1)) : rational_int(1);
  Term rest = term_new_rat(tt, term_constant_part(tt, t)), a = term_arg(tt, extremum, 0), c = term_arg(tt, extremum, 1);
  if (sum && term_arg(tt, t, 0) != rest) return 0;
  if (term_is_rat(tt, a)) a = c, c = term_arg(tt, extremum, 0);
  if (!term_is_rat(tt, c)) return 0;
  bool holds = rational_sign(term_rat(tt, term_add(tt, rest, term_scale(tt, k, c)))) <= 0;
  bool both = (kind == TERM_MAX) == (rational_sign(k) > 0); /* else one suffices */
  if (holds != both) return term_bool(tt, holds);
  return compare_zero(tt, TERM_LE, term_add(tt, rest, term_scale(tt, k, a)));
}

static Term compare_zero(TermTable *tt, TermKind kind, Term t) {
  bool whole = term_sort(tt, t) == SORT_INT;
  if (term_is_rat(tt, t)) {
    int sign = rational_sign(term_rat(tt, t));
    return term_bool(tt, kind == TERM_LE ? sign <= 0 : kind == TERM_LT ? sign < 0 : sign == 0);
  }
  Term flag = compare_flag(tt, kind, t);
  if (!flag) flag = compare_padded(tt, kind, t);
  if (flag) return flag;
  if (whole && kind == TERM_LT) return compare_zero(tt, TERM_LE, term_add(tt, t, tt->one));
  t = term_scale_comparison(tt, t, kind == TERM_EQ);
  if (!t) return tt->false_;
  if (whole) {
    Int128 from, to;
    Term linear = kind == TERM_LE ? compare_quotient(tt, t) : 0;
    if (!linear && kind == TERM_LE) linear = compare_extremum(tt, t);
    if (linear) return linear;
    if (term_interval(tt, t, &from, &to)) {
      if (kind == TERM_LE && to <= 0) return tt->true_;
      if (from > 0 || (kind == TERM_EQ && to < 0)) return tt->false_;
    }
    if (kind == TERM_LE) {
      if (term_prove_nonpositive(tt, t)) return tt->true_;
      if (term_prove_nonpositive(tt, term_sub(tt, tt->one, t))) return tt->false_;
    } else if (term_prove_nonpositive(tt, term_sub(tt, tt->one, t)) ||
               term_prove_nonpositive(tt, term_add(tt, t, tt->one)))
      return tt->false_;
  } else {
    Term n = term_neg(tt, t);
    if (kind == TERM_LT && term_is_positive(tt, n)) return tt->true_;
    if (kind == TERM_LT && term_is_nonnegative(tt, t)) return tt->false_;
    if (kind == TERM_LE && term_is_nonnegative(tt, n)) return tt->true_;
    if (kind == TERM_LE && term_is_positive(tt, t)) return tt->false_;
    if (kind == TERM_EQ && (term_is_positive(tt, t) || term_is_positive(tt, n))) return tt->false_;
  }
  return term_cons(tt, kind, SORT_BOOL, 0, 1, &t);
}

static Term compare_infinity(TermTable *tt, TermKind kind, Term a, Term b) {
  Term swallowed = term_swallowing(tt, a, b);
  if (swallowed)
    return term_kind(tt, swallowed) == TERM_NAN ? tt->false_ : term_undef(tt, SORT_BOOL, term_aux(tt, swallowed));
  if (term_is_special_select(tt, a) || term_is_special_select(tt, b))
    return term_push_out(tt, kind == TERM_LE ? compare_le : kind == TERM_LT ? compare_lt : compare_eq, a, b);
  bool a_inf = term_is_infinity(tt, a), b_inf = term_is_infinity(tt, b);
  if (a_inf && b_inf) {
    int sign = (a == b) ? 0 : a == tt->neg_inf ? -1 : 1;
    return term_bool(tt, kind == TERM_LE ? sign <= 0 : kind == TERM_LT ? sign < 0 : sign == 0);
  }
  Term x = a_inf ? b : a, infinity = a_inf ? a : b;
  Term equal = term_unary(tt, infinity == tt->inf ? TERM_IS_INF : TERM_IS_NEG_INF, x);
  if (kind == TERM_EQ) return equal;
  bool below = b_inf ? b == tt->inf : a == tt->neg_inf; /* x is on the side where a <= b always holds */
  if (kind == TERM_LE) return below ? tt->true_ : equal;
  return below ? term_not(tt, equal) : tt->false_;
}

static Term compare(TermTable *tt, TermKind kind, Term a, Term b) {
  if (a == b && !term_is_infinity(tt, a)) return term_bool(tt, kind != TERM_LT);
  if (term_is_infinity(tt, a) || term_is_infinity(tt, b)) return compare_infinity(tt, kind, a, b);
  if (term_is_special_select(tt, a) || term_is_special_select(tt, b))
    return term_push_out(tt, kind == TERM_LE ? compare_le : kind == TERM_LT ? compare_lt : compare_eq, a, b);
  if (term_sort(tt, a) == SORT_BOOL)
    return term_or(tt, term_and(tt, a, b), term_and(tt, term_not(tt, a), term_not(tt, b)));
  if (!term_is_finite(tt, a) && !term_is_finite(tt, b)) { /* the difference of two infinities would lose the answer */
    Term args[2] = {a, b};
    if (kind == TERM_EQ) term_sort_args(tt, args, 2);
    return term_cons(tt, kind, SORT_BOOL, 0, 2, args);
  }
  return compare_zero(tt, kind, term_sub(tt, a, b));
}

Term term_le(TermTable *tt, Term a, Term b) { return compare(tt, TERM_LE, a, b); }
Term term_lt(TermTable *tt, Term a, Term b) { return compare(tt, TERM_LT, a, b); }
Term term_eq(TermTable *tt, Term a, Term b) {
  if (b == tt->zero && term_kind(tt, a) == TERM_FN && term_aux(tt, a) == FN_BITOR)
    return term_and(tt, term_eq(tt, term_arg(tt, a, 0), b), term_eq(tt, term_arg(tt, a, 1), b));
  return compare(tt, TERM_EQ, a, b);
}

/* ---- logic ---- */

Term term_not(TermTable *tt, Term a) {
  if (term_kind(tt, a) == TERM_UNDEF) return a; /* any value is any other */
  TermKind kind = term_kind(tt, a);
  if (kind == TERM_TRUE) return tt->false_;
  if (kind == TERM_FALSE) return tt->true_;
  if (kind == TERM_NOT) return term_arg(tt, a, 0);
  if (kind == TERM_LE) {
    if (term_count(tt, a) == 2) return term_lt(tt, term_arg(tt, a, 1), term_arg(tt, a, 0));
    if (term_sort(tt, term_arg(tt, a, 0)) == SORT_INT)
      return compare_zero(tt, TERM_LE, term_sub(tt, tt->one, term_arg(tt, a, 0)));
    return compare_zero(tt, TERM_LT, term_neg(tt, term_arg(tt, a, 0)));
  }
  if (kind == TERM_LT) {
    if (term_count(tt, a) == 2) return term_le(tt, term_arg(tt, a, 1), term_arg(tt, a, 0));
    return compare_zero(tt, TERM_LE, term_neg(tt, term_arg(tt, a, 0)));
  }
  if (kind == TERM_AND || kind == TERM_OR) {
    Term result = term_bool(tt, term_kind(tt, a) == TERM_OR);
    bool is_or = term_kind(tt, a) == TERM_OR;
    for (uint32_t i = 0; i < term_count(tt, a); i++) {
      Term n = term_not(tt, term_arg(tt, a, i));
      result = is_or ? term_and(tt, result, n) : term_or(tt, result, n);
    }
    return result;
  }
  return term_cons(tt, TERM_NOT, SORT_BOOL, 0, 1, &a);
}

/* t of a disjunct t == c (for AND: of a conjunct that says the opposite), with c; 0: it is none. */
static Term equated(const TermTable *tt, TermKind kind, Term condition, Rational *c) {
  if (kind == TERM_AND) {
    if (term_kind(tt, condition) != TERM_NOT) return 0;
    condition = term_arg(tt, condition, 0);
  }
  if (term_kind(tt, condition) != TERM_EQ || term_count(tt, condition) != 1 ||
      term_sort(tt, term_arg(tt, condition, 0)) != SORT_INT)
    return 0;
  Term e = term_arg(tt, condition, 0);
  *c = term_constant_part(tt, e);
  return e;
}

/* l == 0 or l == 1 where 0 <= l <= 1: all that there is. */
static bool is_exhausted(TermTable *tt, TermKind kind, const Term *args, uint32_t n) {
  enum { MOST = 8 };
  Rational constant[MOST + 1], c;
  for (uint32_t i = 0; i < n && n <= MOST; i++) {
    Term e = equated(tt, kind, args[i], &constant[0]), t;
    uint32_t count = 1;
    if (!e) continue;
    t = term_sub(tt, e, term_new_rat(tt, constant[0])); /* t == -constant */
    for (uint32_t j = 0; j < n; j++) {                  /* upwards from this one */
      Term other = j == i ? 0 : equated(tt, kind, args[j], &c);
      if (!other || c.den != 1 || c.num != constant[0].num - (Int128)count ||
          term_add(tt, t, term_new_rat(tt, c)) != other)
        continue;
      count++, j = (uint32_t)-1;
    }
    if (count < 2 || constant[0].den != 1) continue;
    Term first = term_new_rat(tt, rational_neg(constant[0])),
         last = term_add(tt, first, term_int(tt, (int64_t)count - 1));
    if (term_prove_le(tt, first, t) && term_prove_le(tt, t, last)) return true;
  }
  return false;
}

enum { MOST_ABSORBED = 12 };

/* What is false where t is true. An arbitrary value has none: x > 0 and x <= 1 are two of one lane. 0: none. */
static Term opposite_of(TermTable *tt, Term t) {
  return term_node(tt, t)->flags & TERM_HAS_UNDEF ? 0 : term_not(tt, t);
}

/* Among the arguments of an OR, an AND without the factors whose opposite is another argument: a or not a and b is a or
 * b; or none of it, where a factor is another argument: a or a and b is a. The same with AND and OR changed. 0: as it
 * is. */
static Term absorbed(TermTable *tt, TermKind kind, const Term *args, uint32_t n, uint32_t i) {
  TermKind other = kind == TERM_AND ? TERM_OR : TERM_AND;
  Term neutral = kind == TERM_AND ? tt->true_ : tt->false_, rest = kind == TERM_AND ? tt->false_ : tt->true_;
  if (term_kind(tt, args[i]) != other || term_count(tt, args[i]) > MOST_ABSORBED) return 0;
  bool changed = false;
  for (uint32_t k = 0; k < term_count(tt, args[i]); k++) {
    Term factor = term_arg(tt, args[i], k), opposite = opposite_of(tt, factor);
    bool drop = false;
    for (uint32_t j = 0; j < n; j++) {
      if (args[j] == factor) return neutral;
      drop |= opposite && args[j] == opposite;
    }
    if (!drop) rest = kind == TERM_AND ? term_or(tt, rest, factor) : term_and(tt, rest, factor);
    changed |= drop;
  }
  return changed ? rest : 0;
}

static Term junction(TermTable *tt, TermKind kind, Term a, Term b) {
  Term neutral = kind == TERM_AND ? tt->true_ : tt->false_, absorbing = kind == TERM_AND ? tt->false_ : tt->true_;
  if (a == neutral || a == b) return b;
  if (b == neutral) return a;
  if (a == absorbing || b == absorbing) return absorbing;
  uint32_t room =
      (term_kind(tt, a) == kind ? term_count(tt, a) : 1) + (term_kind(tt, b) == kind ? term_count(tt, b) : 1);
  Term small[32], *args = room <= 32 ? small : arena_array(tt->arena, Term, room);
  uint32_t n = 0;
  Term in[2] = {a, b};
  for (int side = 0; side < 2; side++) {
    bool flat = term_kind(tt, in[side]) == kind;
    for (uint32_t i = 0; i < (flat ? term_count(tt, in[side]) : 1); i++) {
      Term t = flat ? term_arg(tt, in[side], i) : in[side];
      bool drop = false;
      for (uint32_t j = 0; j < n; j++) drop |= args[j] == t;
      if (!drop) args[n++] = t;
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    Term opposite = opposite_of(tt, args[i]);
    for (uint32_t j = 0; j < n && opposite; j++)
      if (args[j] == opposite) return absorbing;
  }
  for (uint32_t i = 0; i < n && n <= MOST_ABSORBED; i++) {
    Term less = absorbed(tt, kind, args, n, i), all = less;
    if (!less) continue;
    for (uint32_t j = 0; j < n; j++)
      if (j != i) all = junction(tt, kind, all, args[j]);
    return all;
  }
  if (n == 1) return args[0];
  if (is_exhausted(tt, kind, args, n)) return absorbing;
  term_sort_args(tt, args, n);
  return term_cons(tt, kind, SORT_BOOL, 0, n, args);
}

Term term_and(TermTable *tt, Term a, Term b) { return junction(tt, TERM_AND, a, b); }
Term term_or(TermTable *tt, Term a, Term b) { return junction(tt, TERM_OR, a, b); }

/* ---- selects ---- */

/* select(a <= b, a, b) over integers is a minimum. */
static Term select_extremum(TermTable *tt, Term c, Term a, Term b) {
  if (term_kind(tt, c) != TERM_LE || term_count(tt, c) != 1 || term_sort(tt, a) != SORT_INT ||
      term_sort(tt, b) != SORT_INT)
    return 0;
  Term t = term_arg(tt, c, 0), d = term_sub(tt, a, b);
  Term up = term_sub(tt, t, d), down = term_add(tt, t, d);
  if (up == tt->zero || up == tt->one) return term_min(tt, a, b);
  if (down == tt->zero || down == tt->one) return term_max(tt, a, b);
  return 0;
}

/* where(k <= v, a, f(k)) with k >= v and a = f(v): f(k). */
static bool is_first_of(TermTable *tt, Term c, Term a, Term b) {
  if (term_kind(tt, c) != TERM_LE || term_count(tt, c) != 1) return false;
  Term x = term_arg(tt, c, 0), k = term_kind(tt, x) == TERM_SYM ? x : 0;
  if (term_kind(tt, x) == TERM_ADD && term_count(tt, x) == 3 && term_arg(tt, x, 1) == tt->one &&
      term_kind(tt, term_arg(tt, x, 2)) == TERM_SYM)
    k = term_arg(tt, x, 2);
  if (!k || term_sort(tt, k) != SORT_INT || !term_symbol(tt, k)->lo || !term_has_symbol(tt, b, k) ||
      term_has_symbol(tt, a, k))
    return false;
  Term v = term_sub(tt, k, x);
  return term_symbol(tt, k)->lo == v && term_replace(tt, b, k, v) == a;
}

/* where(w < 0, w + 2^k, w) with w = wrap_k(x), the bits of x without sign, is x modulo 2^k; 0: it is not that. */
static Term without_sign(TermTable *tt, Term negative, Term other, Term w) {
  if (term_kind(tt, w) != TERM_WRAP || term_aux(tt, w) >= 64) return 0;
  Term size = term_new_rat(tt, (Rational){(Int128)1 << term_aux(tt, w), 1});
  bool is = other == term_add(tt, w, size) && negative == term_lt(tt, w, tt->zero);
  return is ? term_mod(tt, term_arg(tt, w, 0), size) : 0;
}

Term term_select(TermTable *tt, Term c, Term a, Term b) {
  if (c == tt->true_ || a == b || term_kind(tt, c) == TERM_UNDEF)
    return term_kind(tt, c) == TERM_UNDEF ? term_undef(tt, term_sort(tt, a), term_aux(tt, c)) : a;
  if (c == tt->false_) return b;
  if (term_kind(tt, c) == TERM_NOT) return term_select(tt, term_arg(tt, c, 0), b, a);
  Term opposite = term_not(tt, c);
  for (int i = 0; i < 8 && term_kind(tt, a) == TERM_SELECT; i++) {
    if (term_arg(tt, a, 0) == c)
      a = term_arg(tt, a, 1);
    else if (term_arg(tt, a, 0) == opposite)
      a = term_arg(tt, a, 2);
    else
      break;
  }
  for (int i = 0; i < 8 && term_kind(tt, b) == TERM_SELECT; i++) {
    if (term_arg(tt, b, 0) == c)
      b = term_arg(tt, b, 2);
    else if (term_arg(tt, b, 0) == opposite)
      b = term_arg(tt, b, 1);
    else
      break;
  }
  if (a == b) return a;
  if (term_sort(tt, a) == SORT_BOOL) return term_or(tt, term_and(tt, c, a), term_and(tt, opposite, b));
  Term e = select_extremum(tt, c, a, b);
  if (!e) e = without_sign(tt, c, a, b);
  if (!e) e = without_sign(tt, opposite, b, a);
  if (e) return e;
  if (is_first_of(tt, c, a, b)) return b;
  /* select(c, x, select(d, x, y)) = select(c or d, x, y); select(c, select(d, x, y), y) = select(c and d, x, y) */
  if (term_kind(tt, b) == TERM_SELECT && term_arg(tt, b, 1) == a)
    return term_select(tt, term_or(tt, c, term_arg(tt, b, 0)), a, term_arg(tt, b, 2));
  if (term_kind(tt, a) == TERM_SELECT && term_arg(tt, a, 2) == b)
    return term_select(tt, term_and(tt, c, term_arg(tt, a, 0)), term_arg(tt, a, 1), b);
  TermSort sort = term_sort(tt, a) == SORT_INT && term_sort(tt, b) == SORT_INT ? SORT_INT
                  : term_sort(tt, a) == SORT_PTR                               ? SORT_PTR
                                                                               : SORT_REAL;
  return term_cons(tt, TERM_SELECT, sort, 0, 3, (Term[]){c, a, b});
}
