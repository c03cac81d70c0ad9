/* Constructors of minima and maxima, of roundings and tests for infinities, of functions and of wraps.
 *
 * What a function has as its value is taken where it is exact; an infinity gives its limit. */
#include "term/cons.h"

#include <math.h>
#include <string.h>

/* ---- minimum and maximum ---- */

static Term extremum(TermTable *tt, bool is_max, Term a, Term b) {
  if (is_max && a == tt->zero && term_sort(tt, b) == SORT_REAL && term_is_nonnegative(tt, b)) return b;
  if (is_max && b == tt->zero && term_sort(tt, a) == SORT_REAL && term_is_nonnegative(tt, a)) return a;
  TermKind kind = is_max ? TERM_MAX : TERM_MIN;
  Term absorbing = is_max ? tt->inf : tt->neg_inf, neutral = is_max ? tt->neg_inf : tt->inf;
  if (term_swallowing(tt, a, b)) return term_swallowing(tt, a, b);
  if (a == b || b == neutral) return a;
  if (a == neutral) return b;
  if (term_is_special_select(tt, a) || term_is_special_select(tt, b))
    return term_push_out(tt, is_max ? term_max : term_min, a, b);
  if (a == absorbing || b == absorbing) return absorbing;
  Term args[64];
  uint32_t n = 0, in[2] = {a, b};
  for (int side = 0; side < 2; side++) {
    bool flat = term_kind(tt, in[side]) == kind;
    for (uint32_t i = 0; i < (flat ? term_count(tt, in[side]) : 1); i++) {
      Term t = flat ? term_arg(tt, in[side], i) : in[side];
      bool drop = false;
      for (uint32_t j = 0; j < n && !drop; j++) {
        Term low = is_max ? t : args[j], high = is_max ? args[j] : t;
        bool both_rat = term_is_rat(tt, t) && term_is_rat(tt, args[j]);
        bool ints = term_sort(tt, t) == SORT_INT && term_sort(tt, args[j]) == SORT_INT;
        if (t == args[j])
          drop = true;
        else if (both_rat) {
          if (rational_compare(tt->arena->guard, term_rat(tt, low), term_rat(tt, high)) <= 0)
            drop = true;
          else
            args[j] = t, drop = true;
        } else if (ints && term_prove_le(tt, low, high))
          drop = true;
        else if (ints && term_prove_le(tt, high, low))
          args[j--] = args[--n];
      }
      if (n == 64) guard_throw(tt->arena->guard, GUARD_LIMIT, "more than 64 arguments of min or max");
      if (!drop) args[n++] = t;
    }
  }
  if (n == 1) return args[0];
  term_sort_args(tt, args, n);
  TermSort sort = SORT_INT;
  for (uint32_t i = 0; i < n; i++)
    if (term_sort(tt, args[i]) != SORT_INT) sort = SORT_REAL;
  return term_cons(tt, kind, sort, 0, n, args);
}

Term term_min(TermTable *tt, Term a, Term b) { return extremum(tt, false, a, b); }
Term term_max(TermTable *tt, Term a, Term b) { return extremum(tt, true, a, b); }

/* ---- unary ---- */

static Term unary_infinity(TermTable *tt, TermKind kind, Term a) {
  TermKind inf = term_kind(tt, a);
  if (inf == TERM_UNDEF)
    return kind == TERM_IS_INF || kind == TERM_IS_NEG_INF || kind == TERM_IS_NAN
               ? term_undef(tt, SORT_BOOL, term_aux(tt, a))
               : a;
  if (kind == TERM_IS_INF) return term_bool(tt, inf == TERM_INF);
  if (kind == TERM_IS_NEG_INF) return term_bool(tt, inf == TERM_NEG_INF);
  if (kind == TERM_IS_NAN) return term_bool(tt, inf == TERM_NAN);
  if (kind == TERM_ABS && inf == TERM_NEG_INF) return tt->inf;
  return a;
}

static Rational round_rational(TermTable *tt, TermKind kind, Rational r) {
  Int128 low = rational_floor(r);
  if (r.den == 1) return r;
  if (kind == TERM_FLOOR) return (Rational){low, 1};
  if (kind == TERM_CEIL) return (Rational){low + 1, 1};
  if (kind == TERM_TRUNC) return (Rational){r.num < 0 ? low + 1 : low, 1};
  Rational half = rational_sub(tt->arena->guard, r, (Rational){low, 1});
  int side = rational_compare(tt->arena->guard, half, (Rational){1, 2});
  return (Rational){side < 0 ? low : side > 0 ? low + 1 : low + (low % 2 != 0), 1};
}

/* The condition under which an extremum over an index is the infinity of that test. One on its own side, where an
 * element is. The one of no elements, where all elements are: none, if the first is not; what the guard asks of the
 * index itself must then hold of that. 0: nothing simpler. */
static Term test_extremum(TermTable *tt, TermKind kind, Term a) {
  Term lo = term_fold_lo(tt, a), none = term_le(tt, term_fold_hi(tt, a), lo), guard = term_fold_guard(tt, a),
       bound = term_fold_bound(tt, a), body = term_fold_body(tt, a);
  if (term_aux(tt, a) != FOLD_MAX && term_aux(tt, a) != FOLD_MIN) return 0;
  if ((term_aux(tt, a) == FOLD_MAX) == (kind == TERM_IS_INF))
    return term_unary(tt, kind, body) == tt->false_ ? tt->false_ : 0;
  uint32_t count = guard == tt->true_ ? 0 : term_conjunct_count(tt, guard);
  if (!term_is_finite(tt, body) &&
      (!term_is_number(tt, body) ||
       term_unary(tt, kind, term_rebuild(tt, term_replace(tt, body, bound, lo))) != tt->false_))
    return 0;
  for (uint32_t i = 0; i < count; i++) {
    Term part = term_conjunct(tt, guard, i);
    if (!term_has_symbol(tt, part, bound))
      none = term_or(tt, none, term_not(tt, part));
    else if (!term_prove_true(tt, term_replace(tt, part, bound, lo)))
      return 0;
  }
  return none;
}

static TermKind other_infinity(TermKind kind) { return kind == TERM_IS_INF ? TERM_IS_NEG_INF : TERM_IS_INF; }

static bool may_be(TermTable *tt, TermKind kind, Term a) { return term_unary(tt, kind, a) != tt->false_; }

/* A sum is no infinity that none of its parts is, and that of the only part that may be infinite. 0: nothing simpler.
 */
static Term test_sum(TermTable *tt, TermKind kind, Term sum) {
  Term found = 0;
  uint32_t infinite = 0;
  bool may = false;
  for (uint32_t i = 1; i < term_count(tt, sum); i += 2) {
    Term part = term_arg(tt, sum, i + 1);
    TermKind own = term_rat(tt, term_arg(tt, sum, i)).num > 0 ? kind : other_infinity(kind);
    if (term_is_finite(tt, part)) continue;
    bool same = may_be(tt, own, part);
    may |= same;
    if (!same && !may_be(tt, other_infinity(own), part)) continue;
    infinite++, found = term_unary(tt, own, part);
  }
  return !may ? tt->false_ : infinite == 1 ? found : 0;
}

/* A product of numbers is infinite where its only factor is that may be, the others being positive. A quotient is asked
 * for its divisor elsewhere. */
static Term test_product(TermTable *tt, TermKind kind, Term product) {
  Term found = 0;
  for (uint32_t i = 0; i < term_count(tt, product); i += 2) {
    Term base = term_arg(tt, product, i);
    Rational e = term_rat(tt, term_arg(tt, product, i + 1));
    if (term_is_finite(tt, base) || (!may_be(tt, TERM_IS_INF, base) && !may_be(tt, TERM_IS_NEG_INF, base))) continue;
    if (found || e.num != 1 || e.den != 1) return 0;
    found = base;
  }
  if (!found) return tt->false_;
  for (uint32_t i = 0; i < term_count(tt, product); i += 2)
    if (term_arg(tt, product, i) != found &&
        !(term_rat(tt, term_arg(tt, product, i + 1)).num > 0 && term_is_positive(tt, term_arg(tt, product, i))))
      return 0;
  return term_unary(tt, kind, found);
}

/* A sum over an index is no infinity that no element is, of those that there are. */
static Term test_fold_sum(TermTable *tt, TermKind kind, Term a) {
  uint32_t facts = tt->facts.count;
  FoldParts parts = term_fold_open(tt, a);
  term_push_fact(tt, term_lt(tt, parts.lo, parts.hi));
  bool may = may_be(tt, kind, parts.body);
  term_pop_facts(tt, facts);
  return may ? 0 : tt->false_;
}

/* The logarithm of a sum of positive elements is -inf where there are none. 0: of another sum. */
static Term test_log_of_sum(TermTable *tt, TermKind kind, Term sum) {
  if (term_fold_guard(tt, sum) != tt->true_) return 0;
  FoldParts p = term_fold_open(tt, sum);
  if (!term_is_positive(tt, p.body) || !term_is_finite(tt, p.body)) return 0;
  return kind == TERM_IS_NEG_INF ? term_le(tt, p.hi, p.lo) : tt->false_;
}

/* The condition under which a, which may be infinite, is the infinity of that test: of a choice, of an extremum and of
 * one over an index. 0: nothing simpler. */
static Term test_infinity(TermTable *tt, TermKind kind, Term a) {
  if (term_kind(tt, a) == TERM_SELECT)
    return term_select(tt, term_arg(tt, a, 0), term_unary(tt, kind, term_arg(tt, a, 1)),
                       term_unary(tt, kind, term_arg(tt, a, 2)));
  if (kind == TERM_IS_NEG_INF && term_is_nonnegative(tt, a)) return tt->false_;
  if (term_kind(tt, a) == TERM_FN && term_aux(tt, a) == FN_EXP)
    return kind == TERM_IS_INF ? term_unary(tt, kind, term_arg(tt, a, 0)) : tt->false_;
  if (term_kind(tt, a) == TERM_ADD) return test_sum(tt, kind, a);
  if (term_kind(tt, a) == TERM_MUL) return test_product(tt, kind, a);
  if (term_kind(tt, a) == TERM_FOLD && term_aux(tt, a) == FOLD_SUM) return test_fold_sum(tt, kind, a);
  if (term_kind(tt, a) == TERM_FN && term_aux(tt, a) == FN_LOG && term_kind(tt, term_arg(tt, a, 0)) == TERM_FOLD &&
      term_aux(tt, term_arg(tt, a, 0)) == FOLD_SUM)
    return test_log_of_sum(tt, kind, term_arg(tt, a, 0));
  if (!term_is_number(tt, a)) return 0;
  if (term_kind(tt, a) == (kind == TERM_IS_NEG_INF ? TERM_MAX : TERM_MIN)) { /* all of them are it */
    Term all = tt->true_;
    for (uint32_t i = 0; i < term_count(tt, a); i++) all = term_and(tt, all, term_unary(tt, kind, term_arg(tt, a, i)));
    return all;
  }
  if (term_kind(tt, a) == TERM_FOLD) return test_extremum(tt, kind, a);
  return 0;
}

/* True if something in a stands for what a loop carries and may be infinite. Sums and products of it may be, too. */
static bool has_infinite_carry(const TermTable *tt, Term a) {
  if (!(term_node(tt, a)->flags & TERM_HAS_READ) || term_kind(tt, a) == TERM_FOLD) return false;
  if (term_kind(tt, a) == TERM_READ) return !term_is_finite((TermTable *)(uintptr_t)tt, a);
  for (uint32_t i = 0; i < term_count(tt, a); i++)
    if (has_infinite_carry(tt, term_arg(tt, a, i))) return true;
  return false;
}

Term term_binary(TermTable *tt, TermKind kind, Term a, Term b) {
  if (kind == TERM_MIN) return term_min(tt, a, b);
  if (kind == TERM_MAX) return term_max(tt, a, b);
  return kind == TERM_AND ? term_and(tt, a, b) : term_or(tt, a, b);
}

Term term_unary(TermTable *tt, TermKind kind, Term a) {
  bool test = kind == TERM_IS_INF || kind == TERM_IS_NEG_INF || kind == TERM_IS_NAN;
  if (term_is_infinity(tt, a)) return unary_infinity(tt, kind, a);
  if (term_is_special_select(tt, a))
    return term_select(tt, term_arg(tt, a, 0), term_unary(tt, kind, term_arg(tt, a, 1)),
                       term_unary(tt, kind, term_arg(tt, a, 2)));
  bool sum = test && (term_kind(tt, a) == TERM_ADD || term_kind(tt, a) == TERM_MUL);
  if (kind == TERM_IS_NAN && term_is_number(tt, a) && !(sum && has_infinite_carry(tt, a))) return tt->false_;
  if (test && term_is_finite(tt, a) && !(sum && has_infinite_carry(tt, a))) return tt->false_;
  Term simple = kind == TERM_IS_INF || kind == TERM_IS_NEG_INF ? test_infinity(tt, kind, a) : 0;
  if (simple) return simple;
  if (test) return term_cons(tt, kind, SORT_BOOL, 0, 1, &a);
  if (kind == TERM_ABS) {
    if (term_is_nonnegative(tt, a)) return a;
    if (term_is_nonnegative(tt, term_neg(tt, a))) return term_neg(tt, a);
    Term rest;
    Rational k = term_coefficient(tt, a, &rest);
    if (rest != a) return term_scale(tt, k.num < 0 ? rational_neg(k) : k, term_unary(tt, kind, rest));
    if (term_kind(tt, a) == TERM_ADD) { /* |a - b| = |b - a|: the one with the smaller hash */
      Term n = term_neg(tt, a);
      if (term_order(tt, n, a) < 0) a = n;
    }
    return term_cons(tt, TERM_ABS, term_sort(tt, a), 0, 1, &a);
  }
  if (term_sort(tt, a) == SORT_INT) return a;
  if (term_is_rat(tt, a)) return term_new_rat(tt, round_rational(tt, kind, term_rat(tt, a)));
  if (term_kind(tt, a) == TERM_ADD && term_count(tt, a) == 3 && term_arg(tt, a, 0) == tt->zero &&
      term_rat(tt, term_arg(tt, a, 1)).num < 0) { /* of a multiple: floor(-x) = -ceil(x) */
    TermKind turned = kind == TERM_FLOOR ? TERM_CEIL : kind == TERM_CEIL ? TERM_FLOOR : kind;
    Term b = term_neg(tt, a);
    return term_neg(tt, term_sort(tt, b) == SORT_INT ? b : term_cons(tt, turned, SORT_INT, 0, 1, &b));
  }
  return term_cons(tt, kind, SORT_INT, 0, 1, &a);
}

/* ---- functions ---- */

const TermFnInfo *term_fn_info(TermFn fn) {
  static const TermFnInfo known[] = {
#define FN(id, text, arity, sort, domain, trait, least, most, at_zero, pole, value, mlir, name, numpy, torch, latex,   \
           tpc, triton)                                                                                                \
  {text,                                                                                                               \
   arity,                                                                                                              \
   SORT_##sort,                                                                                                        \
   FN_DOMAIN_##domain,                                                                                                 \
   FN_TRAIT_##trait,                                                                                                   \
   least,                                                                                                              \
   most,                                                                                                               \
   FN_AT_0_##at_zero,                                                                                                  \
   FN_POLE_##pole,                                                                                                     \
   numpy,                                                                                                              \
   torch,                                                                                                              \
   latex,                                                                                                              \
   tpc,                                                                                                                \
   triton},
#include "base/functions.def"
  };
  return &known[fn];
}

TermFn term_fn_find(const char *name) {
  for (int fn = 0; fn < FN_COUNT; fn++) {
    const TermFnInfo *f = term_fn_info((TermFn)fn);
    bool is_it =
        !strcmp(f->text, name) || (f->numpy && !strcmp(f->numpy, name)) || (f->torch && !strcmp(f->torch, name));
    if (is_it) return (TermFn)fn;
  }
  return FN_COUNT;
}

static Term fn_infinity(TermTable *tt, TermFn fn, Term a) {
  bool minus = a == tt->neg_inf;
  const TermFnInfo *f = term_fn_info(fn);
  if (term_swallowing(tt, a, 0)) return a;
  if (fn == FN_EXP) return minus ? tt->zero : tt->inf;
  if (f->trait == FN_TRAIT_ODD_GROWING && f->most == 1) return minus ? tt->minus_one : tt->one; /* tanh, erf */
  if (fn == FN_LOG && !minus) return a;
  return term_cons(tt, TERM_FN, SORT_REAL, fn, 1, &a);
}

static Term fn_constant(TermTable *tt, TermFn fn, Term a) {
  TermFnAtZero at_zero = term_fn_info(fn)->at_zero;
  if (a == tt->zero && at_zero != FN_AT_0_NONE) return at_zero == FN_AT_0_ONE ? tt->one : tt->zero;
  if (a == tt->one && (fn == FN_LOG || fn == FN_LGAMMA)) return tt->zero;
  if (fn == FN_LOG && a == tt->zero) return tt->neg_inf;
  if (fn == FN_LOG && term_is_rat(tt, a) && term_rat(tt, a).num < 0) return term_float(tt, __builtin_nan(""));
  return 0;
}

Term term_fn(TermTable *tt, TermFn fn, uint32_t count, const Term *args) {
  if (count == 1) {
    Term a = args[0], folded = fn_constant(tt, fn, a);
    if (folded) return folded;
    if (term_is_infinity(tt, a)) return fn_infinity(tt, fn, a);
    if (fn == FN_EXP && term_kind(tt, a) == TERM_FN && term_aux(tt, a) == FN_LOG &&
        term_is_positive(tt, term_arg(tt, a, 0)))
      return term_arg(tt, a, 0);
    if (term_is_infinite_select(tt, a))
      return term_select(tt, term_arg(tt, a, 0), term_fn1(tt, fn, term_arg(tt, a, 1)),
                         term_fn1(tt, fn, term_arg(tt, a, 2)));
  }
  if (count == 2) {
    if (term_swallowing(tt, args[0], args[1])) return term_swallowing(tt, args[0], args[1]);
    for (uint32_t i = 0; i < 2; i++) {
      if (!term_is_infinite_select(tt, args[i])) continue;
      Term s = args[i], x[2] = {args[0], args[1]}, y[2] = {args[0], args[1]};
      x[i] = term_arg(tt, s, 1), y[i] = term_arg(tt, s, 2);
      return term_select(tt, term_arg(tt, s, 0), term_fn(tt, fn, 2, x), term_fn(tt, fn, 2, y));
    }
  }
  if (count == 2 && fn == FN_POW && term_is_rat(tt, args[1])) {
    Rational e = term_rat(tt, args[1]);
    if (e.den == 1 || e.den == 2) return term_power(tt, args[0], e);
  }
  if (count == 2 && (fn == FN_BITAND || fn == FN_BITOR || fn == FN_BITXOR)) {
    int64_t x, y;
    bool cx = term_is_int(tt, args[0], &x), cy = term_is_int(tt, args[1], &y);
    if (cx && cy) return term_int(tt, fn == FN_BITAND ? x & y : fn == FN_BITOR ? x | y : x ^ y);
    if (cy && y == 0) return fn == FN_BITAND ? tt->zero : args[0];
    if (cx && x == 0) return fn == FN_BITAND ? tt->zero : args[1];
    if (fn == FN_BITAND && cy && y > 0 && ((y + 1) & y) == 0) return term_mod(tt, args[0], term_int(tt, y + 1));
    if (fn == FN_BITAND && cx && x > 0 && ((x + 1) & x) == 0) return term_mod(tt, args[1], term_int(tt, x + 1));
    if (fn == FN_BITXOR && ((cx && x == -1) || (cy && y == -1)))
      return term_sub(tt, term_neg(tt, args[cx && x == -1]), tt->one);
    Term sorted[2] = {args[0], args[1]};
    term_sort_args(tt, sorted, 2);
    return term_cons(tt, TERM_FN, SORT_INT, fn, 2, sorted);
  }
  int64_t places;
  if (fn == FN_SHR && term_is_int(tt, args[1], &places) && places >= 0 && places < 63)
    return term_floordiv(tt, args[0], term_int(tt, (int64_t)1 << places));
  if (fn == FN_MULHI && (args[0] == tt->zero || args[1] == tt->zero)) return tt->zero;
  return term_cons(tt, TERM_FN, term_fn_info(fn)->sort, fn, count, args);
}

Term term_fn1(TermTable *tt, TermFn fn, Term a) { return term_fn(tt, fn, 1, &a); }

/* True if t is a signed number of so many bits, by how it is made. */
static bool has_width(TermTable *tt, Term t, uint32_t width, uint32_t depth) {
  if (!depth) return false;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_WRAP) return term_aux(tt, t) <= width;
  if (kind == TERM_RAT) return term_wrap(tt, width, t) == t;
  if (kind == TERM_FN) {
    if (term_aux(tt, t) != FN_BITXOR && term_aux(tt, t) != FN_BITAND && term_aux(tt, t) != FN_BITOR) return false;
    return has_width(tt, term_arg(tt, t, 0), width, depth - 1) && has_width(tt, term_arg(tt, t, 1), width, depth - 1);
  }
  if (kind == TERM_ADD) {
    /* -1 - x, the complement */
    return term_count(tt, t) == 3 && term_arg(tt, t, 0) == tt->minus_one && term_arg(tt, t, 1) == tt->minus_one &&
           has_width(tt, term_arg(tt, t, 2), width, depth - 1);
  }
  if (kind == TERM_SELECT)
    return has_width(tt, term_arg(tt, t, 1), width, depth - 1) && has_width(tt, term_arg(tt, t, 2), width, depth - 1);
  return false;
}

/* What t is modulo 2^width, in fewer words: x of a wrap to that and more bits, and of where(g, x + 2^width, x). */
static Term without_wrap(TermTable *tt, uint32_t width, Term t) {
  if (term_kind(tt, t) == TERM_WRAP && term_aux(tt, t) >= width) return term_arg(tt, t, 0);
  if (term_kind(tt, t) != TERM_SELECT || term_sort(tt, t) != SORT_INT) return t;
  Term apart = term_sub(tt, term_arg(tt, t, 1), term_arg(tt, t, 2));
  bool same = term_is_rat(tt, apart) && term_rat(tt, apart).den == 1 &&
              (term_rat(tt, apart).num & (((Int128)1 << width) - 1)) == 0;
  return same ? without_wrap(tt, width, term_arg(tt, t, 2)) : t;
}

Term term_wrap(TermTable *tt, uint32_t width, Term a) {
  if (width == 0 || width > 64 || term_swallowing(tt, a, 0)) return a;
  if (term_is_infinite_select(tt, a))
    return term_select(tt, term_arg(tt, a, 0), term_wrap(tt, width, term_arg(tt, a, 1)),
                       term_wrap(tt, width, term_arg(tt, a, 2)));
  Int128 half = (Int128)1 << (width - 1);
  if (term_is_rat(tt, a)) {
    if (term_rat(tt, a).den != 1) return a; /* a coefficient of what is a whole number all the same */
    Int128 v = term_rat(tt, a).num & ((half << 1) - 1);
    return term_new_rat(tt, (Rational){v >= half ? v - 2 * half : v, 1});
  }
  Term low = term_new_rat(tt, (Rational){-half, 1}), high = term_new_rat(tt, (Rational){half - 1, 1});
  Int128 from, to;
  if (term_interval(tt, a, &from, &to) && from >= -half && to < half) return a;
  if (has_width(tt, a, width, 4) || (term_prove_le(tt, low, a) && term_prove_le(tt, a, high))) return a;
  if (term_kind(tt, a) == TERM_ABS && term_prove_le(tt, term_neg(tt, high), term_arg(tt, a, 0)) &&
      term_prove_le(tt, term_arg(tt, a, 0), high))
    return a;
  if (without_wrap(tt, width, a) != a) return term_wrap(tt, width, without_wrap(tt, width, a));
  if (term_kind(tt, a) == TERM_SELECT) { /* x + 2^32 or x */
    Term yes = term_wrap(tt, width, term_arg(tt, a, 1));
    if (yes == term_wrap(tt, width, term_arg(tt, a, 2))) return yes;
  }
  if (term_kind(tt, a) == TERM_ADD) { /* coefficients count modulo 2^width, and so do the summands */
    Term sum = term_wrap(tt, width, term_arg(tt, a, 0));
    for (uint32_t i = 1; i < term_count(tt, a); i += 2) {
      Rational k = term_rat(tt, term_wrap(tt, width, term_arg(tt, a, i)));
      Term part = term_arg(tt, a, i + 1);
      sum = term_add(tt, sum, term_scale(tt, k, k.den == 1 ? without_wrap(tt, width, part) : part));
    }
    if (sum != a) return term_wrap(tt, width, sum);
  }
  return term_cons(tt, TERM_WRAP, SORT_INT, width, 1, &a);
}
