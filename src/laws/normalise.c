/* What loops and blocks leave behind in a value, put away:
 *
 *   min(a, n, B*ceil(min(n, c) / B)) = min(a, n)      where a <= c: the last tile of a causal loop ends no earlier
 *   exp(a - m) * sum(exp(x - a)) = sum(exp(x - m))    the rescaled sums of an online softmax, where terms cancel
 *   sum over tiles of sums over lanes = one sum       (term/merge.c), once the rescaling is gone; also from a late
 * start S**2 / c + sum[k < c]((f(k) - S / c)**2) = sum[k < c](f(k)**2), S = sum[k < c](f(k)): a step of Welford's
 *   sum[lo <= k < n - c](f(k + c)) = sum[lo + c <= k < n](f(k))
 *   sum[k < a](f(k)) + sum[k < h](f(a + k)) = sum[k < a + h](f(k)), likewise max and min: a carry and the last tile
 *   the same where a minimum ends the first (term/adjacent.c): a loop that was split, or unrolled over tiles
 *   sum[k < h](g(2*k) + g(2*k + 1)) = sum[k < 2*h](g(k)): a loop that was unrolled
 *   sum[lo <= k < hi](f(-k)) = sum[k < hi - lo](f(k + 1 - hi)): a loop that runs backwards
 *   x // c == 0 is x < c where 0 <= x: two halves of a block that are told apart by a quotient
 *   where(c, x, y) = x where all bounds in y are those in x unless c: a tail that is looked at if there is one
 * (remainder_tiles.c)
 *
 * Infinities: where a is -inf the range of the inner sum is empty, or the left side is undefined; so the right side is
 * equal wherever the left one is defined. The result is not trusted even so: both are evaluated at random values. */
#include "laws/normalise.h"

#include <math.h>

#include "base/random.h"
#include "laws/laws.h"
#include "laws/remainder_tiles.h"

enum { PASSES = 5, TRIALS = 24, WANTED = 6, MOST_READS = 40000 };

/* ---- minima ---- */

/* t = B * ceil(x / B), or at least that by max(.., 0): x, which is at most t; 0 if it is not of that form */
static Term rounded_up(TermTable *tt, Term t) {
  Term base;
  Rational k = term_coefficient(tt, t, &base);
  int64_t size;
  if (term_kind(tt, base) == TERM_MAX && term_count(tt, base) == 2)
    base = term_arg(tt, base, term_arg(tt, base, 0) == tt->zero);
  if (k.den != 1 || k.num < 2 || term_kind(tt, base) != TERM_FLOORDIV ||
      !term_is_int(tt, term_arg(tt, base, 1), &size) || size != (int64_t)k.num)
    return 0;
  return term_sub(tt, term_arg(tt, base, 0), term_int(tt, size - 1));
}

/* True if t is at least one of the arguments of the minimum `m` but itself. */
static bool is_above(TermTable *tt, Term t, Term m, uint32_t self) {
  for (uint32_t i = 0; i < term_count(tt, m); i++)
    if (i != self && term_prove_le(tt, term_arg(tt, m, i), t)) return true;
  if (term_kind(tt, t) == TERM_MIN) {
    for (uint32_t i = 0; i < term_count(tt, t); i++)
      if (!is_above(tt, term_arg(tt, t, i), m, self)) return false;
    return true;
  }
  Term x = rounded_up(tt, t);
  return x && is_above(tt, x, m, self);
}

static Term prune_minimum(TermTable *tt, Term t) {
  for (uint32_t i = 0; i < term_count(tt, t); i++) {
    if (term_sort(tt, t) != SORT_INT || !is_above(tt, term_arg(tt, t, i), t, i)) continue;
    Term rest = 0;
    for (uint32_t k = 0; k < term_count(tt, t); k++)
      if (k != i) rest = rest ? term_min(tt, rest, term_arg(tt, t, k)) : term_arg(tt, t, k);
    return term_kind(tt, rest) == TERM_MIN ? prune_minimum(tt, rest) : rest;
  }
  return t;
}

/* ---- rescaled sums ---- */

static uint32_t summands(TermTable *tt, Term t) { return term_kind(tt, t) == TERM_ADD ? term_count(tt, t) / 2 : 1; }

/* exp(a) * sum(k * exp(b) * r) = sum(k * exp(a + b) * r), if a + b is shorter: 0 if not */
static Term absorb(TermTable *tt, Term a, Term fold) {
  if (term_kind(tt, fold) != TERM_FOLD || term_aux(tt, fold) != FOLD_SUM) return 0;
  FoldParts parts = term_fold_open(tt, fold);
  Term b, rest, product;
  Rational k = term_coefficient(tt, parts.body, &product);
  for (uint32_t number = 0; term_split_exp(tt, product, number, &b, &rest); number++) {
    Term both = term_expand(tt, term_add(tt, a, b)), old_a = term_expand(tt, a), old_b = term_expand(tt, b);
    if (summands(tt, both) >= summands(tt, old_a) + summands(tt, old_b)) continue;
    Term body = term_scale(tt, k, term_mul(tt, term_fn1(tt, FN_EXP, both), rest));
    return term_fold(tt, FOLD_SUM, parts.symbol, parts.lo, parts.hi, parts.guard, body);
  }
  return 0;
}

/* ---- adjacent ranges ---- */

/* op[k < a](f(k)) and op[k < h](f(a + k)): op[k < a + h](f(k)); 0 if they are not so */
static Term joined(TermTable *tt, Term x, Term y) {
  if (term_kind(tt, x) != TERM_FOLD || term_kind(tt, y) != TERM_FOLD || term_aux(tt, x) != term_aux(tt, y)) return 0;
  TermFoldOp op = (TermFoldOp)term_aux(tt, x);
  if (op == FOLD_ARGMAX || op == FOLD_ARGMIN || op == FOLD_XOR) return 0;
  FoldParts first = term_fold_open(tt, x), second = term_fold_open(tt, y);
  Term length = term_sub(tt, second.hi, second.lo);
  if (first.guard != tt->true_ || second.guard != tt->true_) return 0;
  if (!term_prove_le(tt, first.lo, first.hi) || !term_prove_le(tt, tt->zero, length)) return 0;
  Term from_zero = term_replace(tt, second.body, second.symbol, term_add(tt, second.symbol, second.lo));
  if (term_replace(tt, first.body, first.symbol, term_add(tt, second.symbol, first.hi)) != from_zero) return 0;
  Term hi = term_add(tt, first.hi, length);
  term_symbol_range(tt, first.symbol, first.lo, term_sub(tt, hi, tt->one));
  return term_fold(tt, op, first.symbol, first.lo, hi, tt->true_, first.body);
}

static Term join_sums(TermTable *tt, Term t) {
  for (uint32_t i = 1; i < term_count(tt, t); i += 2)
    for (uint32_t k = 1; k < term_count(tt, t); k += 2) {
      Term x = term_arg(tt, t, i + 1), y = term_arg(tt, t, k + 1);
      if (i == k || term_arg(tt, t, i) != term_arg(tt, t, k) || term_kind(tt, x) != TERM_FOLD ||
          term_aux(tt, x) != FOLD_SUM)
        continue;
      Term both = joined(tt, x, y);
      if (!both) continue;
      Rational c = term_rat(tt, term_arg(tt, t, i));
      Term rest = term_sub(tt, term_sub(tt, t, term_scale(tt, c, x)), term_scale(tt, c, y));
      return term_add(tt, rest, term_scale(tt, c, both));
    }
  return t;
}

/* fold = sum[lo <= k < hi]((f - S / c)**2) with S = sum[lo <= k < hi](f) and c = hi - lo: S**2 / c and sum(f**2); false
 * if it is not so. */
static bool split_variance(TermTable *tt, Term fold, Term *share, Term *squares) {
  FoldParts parts = term_fold_open(tt, fold);
  Term base = parts.body, k = parts.symbol;
  if (parts.guard != tt->true_ || term_kind(tt, base) != TERM_MUL || term_count(tt, base) != 2 ||
      term_arg(tt, base, 1) != term_int(tt, 2))
    return false;
  base = term_arg(tt, base, 0);
  Term count = term_sub(tt, parts.hi, parts.lo), over = term_power(tt, count, (Rational){-1, 1});
  if (term_kind(tt, base) != TERM_ADD || !term_prove_lt(tt, tt->zero, count)) return false;
  for (uint32_t i = 1; i < term_count(tt, base); i += 2) {
    Term mean = term_arg(tt, base, i + 1);
    if (term_arg(tt, base, i) != tt->minus_one || term_has_symbol(tt, mean, k)) continue;
    Term f = term_add(tt, base, mean), sum = term_fold(tt, FOLD_SUM, k, parts.lo, parts.hi, tt->true_, f);
    if (term_mul(tt, sum, over) != mean) continue;
    *share = term_mul(tt, term_power(tt, sum, (Rational){2, 1}), over);
    *squares = term_fold(tt, FOLD_SUM, k, parts.lo, parts.hi, tt->true_, term_power(tt, f, (Rational){2, 1}));
    return true;
  }
  return false;
}

/* S**2 / c + sum((f - S / c)**2) = sum(f**2), for the c values of f with the sum S: a step of Welford's */
static Term open_variance(TermTable *tt, Term t) {
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    Term fold = term_arg(tt, t, i + 1), share, squares;
    if (term_kind(tt, fold) != TERM_FOLD || term_aux(tt, fold) != FOLD_SUM ||
        !split_variance(tt, fold, &share, &squares))
      continue;
    for (uint32_t k = 1; k < term_count(tt, t); k += 2) {
      if (term_arg(tt, t, k + 1) != share || term_arg(tt, t, k) != term_arg(tt, t, i)) continue;
      Rational c = term_rat(tt, term_arg(tt, t, i));
      Term rest = term_sub(tt, term_sub(tt, t, term_scale(tt, c, fold)), term_scale(tt, c, share));
      return term_add(tt, rest, term_scale(tt, c, squares));
    }
  }
  return t;
}

static Term join_extrema(TermTable *tt, Term t) {
  bool is_max = term_kind(tt, t) == TERM_MAX;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    for (uint32_t k = 0; k < term_count(tt, t); k++) {
      Term x = term_arg(tt, t, i), y = term_arg(tt, t, k);
      if (i == k || term_kind(tt, x) != TERM_FOLD || term_aux(tt, x) != (is_max ? FOLD_MAX : FOLD_MIN)) continue;
      Term both = joined(tt, x, y);
      for (uint32_t j = 0; both && j < term_count(tt, t); j++)
        if (j != i && j != k)
          both = is_max ? term_max(tt, both, term_arg(tt, t, j)) : term_min(tt, both, term_arg(tt, t, j));
      if (both) return both;
    }
  return t;
}

/* op[lo <= k < n - c](f(k + c)) = op[lo + c <= k < n](f(k)), where that makes the lower end no longer. */
static Term shift_range(TermTable *tt, Term t) {
  TermFoldOp op = (TermFoldOp)term_aux(tt, t);
  Term hi = term_fold_hi(tt, t), lo = term_fold_lo(tt, t);
  if (op > FOLD_XOR || term_kind(tt, hi) != TERM_ADD || lo == tt->zero) return t;
  for (uint32_t i = 1; i < term_count(tt, hi); i += 2) {
    Rational k = term_rat(tt, term_arg(tt, hi, i));
    if (k.num >= 0 || k.den != 1) continue;
    Term c = term_scale(tt, rational_neg(k), term_arg(tt, hi, i + 1)), from = term_add(tt, lo, c),
         to = term_add(tt, hi, c);
    if (summands(tt, from) > summands(tt, lo) || summands(tt, to) >= summands(tt, hi)) continue;
    FoldParts parts = term_fold_open(tt, t);
    Term s = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), at;
    term_symbol_range(tt, s, from, term_sub(tt, to, tt->one));
    at = term_sub(tt, s, c);
    return term_fold(tt, op, s, from, to, term_replace(tt, parts.guard, parts.symbol, at),
                     term_replace(tt, parts.body, parts.symbol, at));
  }
  return t;
}

/* ---- unrolled loops ---- */

typedef struct Stretch {
  Term from, to, offset;
} Stretch;

/* 2*c*k + r = c*s + r with k = (s - offset) / 2: sums with an even coefficient of k; any other k fails. */
static Term stretch(TermTable *tt, Term t, void *payload) {
  Stretch *w = payload;
  if (t == w->from) return t; /* met again in the sum around it */
  if (term_kind(tt, t) != TERM_ADD || !term_has_symbol(tt, t, w->from)) return t;
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    if (term_arg(tt, t, i + 1) != w->from) continue;
    Rational c = term_rat(tt, term_arg(tt, t, i));
    if (c.den != 1 || c.num % 2) return t;
    c.num /= 2;
    Term by = term_scale(tt, c, term_sub(tt, w->to, w->offset));
    return term_add(tt, term_sub(tt, t, term_scale(tt, rational_mul(tt->arena->guard, c, rational_int(2)), w->from)),
                    by);
  }
  return t;
}

/* g with p(k) = g(2*k + offset), over the symbol s; 0 if p is not made so */
static Term stretched(TermTable *tt, Term p, Term k, Term s, Term offset) {
  Stretch w = {k, s, offset};
  Term g = term_transform(tt, p, stretch, &w);
  return term_has_symbol(tt, g, k) ? 0 : g;
}

static Term combine(TermTable *tt, TermFoldOp op, Term a, Term b) {
  return op == FOLD_SUM ? term_add(tt, a, b) : op == FOLD_MAX ? term_max(tt, a, b) : term_min(tt, a, b);
}

/* op[k < h](g(2*k) op g(2*k + 1)) = op[s < 2*h](g(s)) */
static Term roll_up(TermTable *tt, Term t) {
  TermFoldOp op = (TermFoldOp)term_aux(tt, t);
  Term body = term_fold_body(tt, t);
  TermKind kind = op == FOLD_SUM ? TERM_ADD : op == FOLD_MAX ? TERM_MAX : TERM_MIN;
  if ((op != FOLD_SUM && op != FOLD_MAX && op != FOLD_MIN) || term_fold_lo(tt, t) != tt->zero ||
      term_fold_guard(tt, t) != tt->true_)
    return t;
  if (term_kind(tt, body) != kind ||
      (kind == TERM_ADD ? term_count(tt, body) != 5 || term_arg(tt, body, 0) != tt->zero : term_count(tt, body) != 2))
    return t;
  FoldParts parts = term_fold_open(tt, t);
  Term two = term_int(tt, 2), s = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), k = parts.symbol;
  body = parts.body;
  if (term_kind(tt, body) != kind) return t;
  term_symbol_range(tt, s, tt->zero, term_sub(tt, term_mul(tt, two, parts.hi), tt->one));
  for (uint32_t i = 0; i < 2; i++) {
    Term odd = kind == TERM_ADD
                   ? term_scale(tt, term_rat(tt, term_arg(tt, body, 1 + 2 * i)), term_arg(tt, body, 2 + 2 * i))
                   : term_arg(tt, body, i);
    Term g = stretched(tt, odd, k, s, tt->one);
    if (!g) continue;
    Term first = term_replace(tt, g, s, term_mul(tt, two, k)),
         second = term_replace(tt, g, s, term_add(tt, term_mul(tt, two, k), tt->one));
    if (combine(tt, op, first, second) != body) continue;
    return term_fold(tt, op, s, tt->zero, term_mul(tt, two, parts.hi), tt->true_, g);
  }
  return t;
}

/* ---- reversed loops ---- */

/* -((a - b) // c) = (b - a + c - 1) // c, where the first has more subtracted than added */
static Term turn_floor(TermTable *tt, Term t) {
  for (uint32_t i = 1; term_sort(tt, t) == SORT_INT && i < term_count(tt, t); i += 2) {
    Rational k = term_rat(tt, term_arg(tt, t, i));
    Term q = term_arg(tt, t, i + 1);
    int64_t c;
    if (k.num >= 0 || k.den != 1 || term_kind(tt, q) != TERM_FLOORDIV || !term_is_int(tt, term_arg(tt, q, 1), &c) ||
        c < 2)
      continue;
    Term a = term_arg(tt, q, 0), negative = term_sub(tt, term_int(tt, c - 1), a);
    uint32_t minus = 0, plus = 0;
    if (term_kind(tt, a) != TERM_ADD) continue;
    for (uint32_t j = 1; j < term_count(tt, a); j += 2)
      *(term_rat(tt, term_arg(tt, a, j)).num < 0 ? &minus : &plus) += 1;
    if (minus < plus || (minus == plus && !term_prove_le(tt, a, tt->zero))) continue;
    Term turned = term_floordiv(tt, negative, term_int(tt, c));
    return term_add(tt, term_sub(tt, t, term_scale(tt, k, q)), term_scale(tt, rational_neg(k), turned));
  }
  return t;
}

/* x // c <= r is x <= c*r + c - 1, and x // c >= r is x >= c*r */
static Term clear_floor(TermTable *tt, Term t) {
  Term sum = term_arg(tt, t, 0);
  int64_t c;
  if (term_sort(tt, sum) != SORT_INT || term_kind(tt, sum) != TERM_ADD) return t;
  for (uint32_t i = 1; i < term_count(tt, sum); i += 2) {
    Term q = term_arg(tt, sum, i + 1);
    Rational k = term_rat(tt, term_arg(tt, sum, i));
    if (k.den != 1 || (k.num != 1 && k.num != -1) || term_kind(tt, q) != TERM_FLOORDIV ||
        !term_is_int(tt, term_arg(tt, q, 1), &c) || c < 2)
      continue;
    Term rest = term_sub(tt, sum, term_scale(tt, k, q)), x = term_arg(tt, q, 0),
         scaled = term_scale(tt, rational_int(c), rest);
    if (k.num == 1) return term_le(tt, term_add(tt, x, scaled), term_int(tt, c - 1));
    return term_le(tt, scaled, x);
  }
  return t;
}

/* x // c == r, of numbers, where x is known to end or to begin there: x <= c*r + c - 1, x >= c*r */
static Term clear_equal(TermTable *tt, Term t) {
  Term sum = term_arg(tt, t, 0), q;
  int64_t c;
  if (term_sort(tt, sum) != SORT_INT || term_count(tt, t) != 1) return t;
  Rational k = term_kind(tt, sum) == TERM_FLOORDIV
                   ? rational_int(1)
                   : term_coefficient(tt, term_sub(tt, sum, term_new_rat(tt, term_constant_part(tt, sum))), &q);
  if (term_kind(tt, sum) == TERM_FLOORDIV) q = sum;
  if (k.den != 1 || (k.num != 1 && k.num != -1) || term_kind(tt, q) != TERM_FLOORDIV ||
      !term_is_int(tt, term_arg(tt, q, 1), &c) || c < 2)
    return t;
  Term first = term_scale(tt, rational_int(k.num == 1 ? -c : c), term_new_rat(tt, term_constant_part(tt, sum))),
       x = term_arg(tt, q, 0), last = term_add(tt, first, term_int(tt, c - 1));
  if (term_prove_le(tt, first, x)) return term_le(tt, x, last);
  return term_prove_le(tt, x, last) ? term_le(tt, first, x) : t;
}

/* Conditions on quotients by literals. Of others the quotient tells the block. */
static Term visit_condition(TermTable *tt, Term t, void *payload) {
  (void)payload;
  if (term_kind(tt, t) == TERM_EQ) return clear_equal(tt, t);
  Term sum = term_kind(tt, t) == TERM_LE ? term_arg(tt, t, 0) : 0;
  return sum && term_kind(tt, sum) == TERM_ADD && term_count(tt, sum) == 3 ? clear_floor(tt, t) : t;
}

/* The sign with which `s` stands in the indices that t reads: 0 none, 1 only added, -1 only subtracted, 2 both or
 * otherwise. */
static int direction(TermTable *tt, Term t, Term s) {
  if (!term_has_symbol(tt, t, s)) return 0;
  int found = 0;
  bool is_read = term_kind(tt, t) == TERM_READ;
  for (uint32_t i = is_read; i < term_count(tt, t); i++) {
    Term a = term_arg(tt, t, i);
    int own = 0;
    if (!is_read)
      own = direction(tt, a, s);
    else if (a == s)
      own = 1;
    else if (term_has_symbol(tt, a, s)) {
      own = 2;
      for (uint32_t k = 1; term_kind(tt, a) == TERM_ADD && k < term_count(tt, a); k += 2)
        if (term_arg(tt, a, k + 1) == s) own = term_rat(tt, term_arg(tt, a, k)).num < 0 ? -1 : 1;
    }
    if (own && found && own != found) return 2;
    if (own) found = own;
  }
  return found;
}

/* op[lo <= k < hi](f(k)) = op[k < hi - lo](f(hi - 1 - k)), where k is only subtracted in what f reads */
static Term turn_round(TermTable *tt, Term t) {
  TermFoldOp op = (TermFoldOp)term_aux(tt, t);
  if (op > FOLD_XOR || !(term_node(tt, t)->flags & TERM_HAS_READ)) return t;
  FoldParts parts = term_fold_open(tt, t);
  if (direction(tt, parts.body, parts.symbol) != -1) return t;
  Term s = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), length = term_sub(tt, parts.hi, parts.lo), at;
  if (term_kind(tt, length) == TERM_ADD) length = turn_floor(tt, length);
  term_symbol_range(tt, s, tt->zero, term_sub(tt, length, tt->one));
  at = term_sub(tt, term_sub(tt, parts.hi, tt->one), s);
  return term_fold(tt, op, s, tt->zero, length, term_replace(tt, parts.guard, parts.symbol, at),
                   term_replace(tt, parts.body, parts.symbol, at));
}

static Term late_tiles(TermTable *tt, Term t) { return term_merge_partial_tiles(tt, t, NULL); }

static Term visit_fold(TermTable *tt, Term t) {
  static Term (*const laws[])(TermTable *, Term) = {late_tiles, shift_range, roll_up, turn_round};
  Term result = term_merge_tiles(tt, t, NULL);
  if (result == t) result = term_join_ranges(tt, t, NULL);
  for (size_t i = 0; result == t && i < sizeof laws / sizeof *laws; i++) result = laws[i](tt, t);
  return result;
}

static bool has_log(const TermTable *tt, Term t, int depth) {
  if (term_kind(tt, t) == TERM_FN && term_aux(tt, t) == FN_LOG) return true;
  for (uint32_t i = 0; i < term_count(tt, t) && depth; i++)
    if (has_log(tt, term_arg(tt, t, i), depth - 1)) return true;
  return false;
}

/* log(exp(log(x) - m) + exp(log(y) - m)) + m = log(x + y): where no logarithm is left in what the exponential of a sum
 * is. */
static Term join_logarithms(TermTable *tt, Term t) {
  if (term_sort(tt, t) != SORT_REAL || !has_log(tt, t, 3)) return t;
  bool sum = term_kind(tt, t) == TERM_ADD, nested = false;
  for (uint32_t i = 1; i < (sum ? term_count(tt, t) : 2) && !nested; i += 2) {
    Term part = sum ? term_arg(tt, t, i + 1) : t;
    nested = term_kind(tt, part) == TERM_FN && term_aux(tt, part) == FN_LOG && has_log(tt, term_arg(tt, part, 0), 40);
  }
  Term e = nested ? term_exponential(tt, t) : 0;
  return e && !has_log(tt, e, 40) ? term_fn1(tt, FN_LOG, e) : t;
}

static Term visit(TermTable *tt, Term t, void *payload) {
  (void)payload;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_MIN) {
    Term pruned = prune_minimum(tt, t);
    if (term_kind(tt, pruned) != TERM_MIN) return pruned;
    Term one = term_join_ranges(tt, pruned, NULL);
    return one == pruned ? join_extrema(tt, pruned) : one;
  }
  if (kind == TERM_MAX) {
    Term one = term_join_ranges(tt, t, NULL);
    return one == t ? join_extrema(tt, t) : one;
  }
  if (kind == TERM_ADD) {
    Term turned = turn_floor(tt, t);
    if (turned == t) turned = term_join_ranges(tt, t, NULL);
    if (turned == t) turned = join_sums(tt, t);
    if (turned == t) turned = term_drop_shifts(tt, t, NULL);
    if (turned == t) turned = join_logarithms(tt, t);
    return turned == t && (term_node(tt, t)->flags & TERM_HAS_FOLD) ? open_variance(tt, t) : turned;
  }
  if (kind == TERM_SELECT) {
    Term longer = term_join_ranges(tt, t, NULL);
    return longer == t ? tails_drop_choice(tt, t) : longer;
  }
  if (kind == TERM_LE) return clear_floor(tt, t);
  if (kind == TERM_EQ) return clear_equal(tt, t);
  if (kind == TERM_MUL) {
    Term absorbed = term_absorb_exp(tt, t, absorb);
    if (absorbed == t) absorbed = term_join_ranges(tt, t, NULL);
    return absorbed == t ? term_drop_shifts(tt, t, NULL) : absorbed;
  }
  if (kind == TERM_FOLD) return visit_fold(tt, t);
  if (kind == TERM_FN) {
    Term joined = join_logarithms(tt, t);
    return joined == t ? term_drop_shifts(tt, t, NULL) : joined;
  }
  return t;
}

/* ---- both at random values ---- */

typedef struct Reading {
  const TermTable *tt;
  uint64_t seed, count;
} Reading;

/* The same for the same element. */
static TermValue read_element(void *payload, Term tensor, uint32_t count, const int64_t *index) {
  Reading *r = payload;
  uint64_t h = r->seed + tensor * 0x9E3779B97F4A7C15u;
  r->count++;
  for (uint32_t i = 0; i < count; i++) h = random_mix(h ^ (uint64_t)index[i] * 0xBF58476D1CE4E5B9u);
  double x = (double)(random_mix(h) >> 11) * 0x1p-53;
  TermSort sort = term_symbol(r->tt, tensor)->sort;
  if (sort != SORT_REAL)
    return (TermValue){(double)(h % (sort == SORT_BOOL ? 2 : 5)), (int64_t)(h % (sort == SORT_BOOL ? 2 : 5))};
  return (TermValue){.real = 2 * x - 1};
}

/* Symbols within their ranges, one of them perhaps large, as folds in folds over several would take long; false: a
 * range is empty. Ranges may mention symbols before: several passes. */
static bool draw(TermTable *tt, TermEval *eval, const TermList *symbols, Random *random) {
  uint32_t large = (uint32_t)random_below(random, symbols->count + 1);
  for (uint32_t i = 0; i < symbols->count; i++) {
    const Symbol *s = term_symbol(tt, symbols->data[i]);
    int64_t n = 1 + (int64_t)random_below(random, i == large ? 150 : 9);
    bool is_real = s->sort == SORT_REAL;
    term_eval_set(eval, s->term,
                  is_real ? (TermValue){.real = 0.05 + 0.9 * random_unit(random)} : (TermValue){(double)n, n});
  }
  for (int pass = 0; pass < 3; pass++)
    for (uint32_t i = 0; i < symbols->count; i++) {
      const Symbol *s = term_symbol(tt, symbols->data[i]);
      if (s->sort != SORT_INT || (s->role != SYMBOL_INDEX && s->role != SYMBOL_PID && s->role != SYMBOL_LANE)) continue;
      int64_t lo = s->lo ? term_eval(eval, s->lo).integer : 0, hi = s->hi ? term_eval(eval, s->hi).integer : lo + 5;
      if (hi < lo) return false;
      int64_t n = lo + (int64_t)random_below(random, (uint64_t)(hi - lo) + 1);
      term_eval_set(eval, s->term, (TermValue){(double)n, n});
    }
  for (uint32_t i = 0; i < symbols->count; i++) {
    const Symbol *s = term_symbol(tt, symbols->data[i]);
    if (s->sort != SORT_INT) continue;
    int64_t n = term_eval(eval, s->term).integer;
    if ((s->lo && n < term_eval(eval, s->lo).integer) || (s->hi && n > term_eval(eval, s->hi).integer)) return false;
  }
  return true;
}

/* Ranges mention further symbols. */
static void add_range_symbols(TermTable *tt, TermList *symbols) {
  for (uint32_t i = 0; i < symbols->count; i++) {
    const Symbol *s = term_symbol(tt, symbols->data[i]);
    if (s->lo) term_symbols(tt, s->lo, symbols);
    s = term_symbol(tt, symbols->data[i]);
    if (s->hi) term_symbols(tt, s->hi, symbols);
  }
}

static bool agree(TermTable *tt, Term a, Term b) {
  Arena *arena = arena_new_child(tt->arena);
  Random random = {23};
  TermList symbols = {0};
  uint32_t compared = 0;
  bool same = true;
  term_symbols(tt, a, &symbols), term_symbols(tt, b, &symbols);
  add_range_symbols(tt, &symbols);
  for (uint32_t i = 0; i < TRIALS && compared < WANTED && same; i++) {
    Reading reading = {tt, random_u64(&random), 0};
    TermEval *eval = term_eval_new(tt, arena, read_element, &reading);
    guard_tick(tt->arena->guard);
    if (!draw(tt, eval, &symbols, &random)) continue;
    double x = term_eval(eval, a).real;
    if (!isfinite(x)) continue; /* undefined there */
    double y = term_eval(eval, b).real;
    same = fabs(x - y) <= 1e-9 * fmax(1, fabs(x));
    compared++;
    if (reading.count > MOST_READS) break;
  }
  arena_destroy(arena);
  return same && compared;
}

Term normalise_value(TermTable *tt, Term t) {
  Term result = t;
  bool has_fold = (term_node(tt, t)->flags & TERM_HAS_FOLD) != 0;
  if (term_sort(tt, t) == SORT_BOOL) return t;
  for (int i = 0; i < PASSES; i++) {
    Term next = term_transform(tt, result, has_fold ? visit : visit_condition, NULL);
    if (next == result && has_fold) next = term_transform(tt, result, term_join_where_some, NULL);
    if (next == result) break;
    result = next;
  }
  return result == t || agree(tt, t, result) ? result : t;
}
