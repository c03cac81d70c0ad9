/* Rescaled exponentials: what an online softmax leaves behind, put away.
 *
 *   exp(a) * (sum(exp(x - a) r) + ..) = sum(exp(x) r) + ..                         where terms cancel
 *   sum(exp(x - c) r) / sum(exp(x - c) s) = sum(exp(x) r) / sum(exp(x) s)           whatever c is, if the sums do not
 * run over it log(sum(exp(x - c))) + c = log(sum(exp(x)))
 *
 * The shift of a softmax need not be its maximum. Each right side is the left one wherever that is defined: an infinite
 * a or c makes it exp(-inf) * exp(inf), unless nothing is summed, and that is 0 / 0 in a quotient. A shift that is the
 * maximum of what is summed is left as it is: that is how a softmax is written. */
#include "laws/laws.h"
#include "term/term.h"

enum { MOST_SUMMANDS = 24 };

static bool is_fn(const TermTable *tt, Term t, TermFn fn) {
  return term_kind(tt, t) == TERM_FN && (TermFn)term_aux(tt, t) == fn;
}
static bool is_sum_fold(const TermTable *tt, Term t) {
  return term_kind(tt, t) == TERM_FOLD && term_aux(tt, t) == FOLD_SUM;
}

static uint32_t summand_count(const TermTable *tt, Term t) {
  return term_kind(tt, t) == TERM_ADD ? (term_count(tt, t) + 1) / 2 : 1;
}

/* How many there are, a constant 0 apart. */
static uint32_t size_of(const TermTable *tt, Term t) {
  return t == tt->zero ? 0 : summand_count(tt, t) - (term_kind(tt, t) == TERM_ADD && term_arg(tt, t, 0) == tt->zero);
}

/* The i-th summand with its factor; the constant comes first. */
static Term summand(TermTable *tt, Term t, uint32_t i) {
  if (term_kind(tt, t) != TERM_ADD) return t;
  return i ? term_scale(tt, term_rat(tt, term_arg(tt, t, 2 * i - 1)), term_arg(tt, t, 2 * i)) : term_arg(tt, t, 0);
}

static bool is_nonzero(TermTable *tt, Term x) {
  if (is_fn(tt, x, FN_LOG) && term_is_rat(tt, term_arg(tt, x, 0)))
    return term_rat(tt, term_arg(tt, x, 0)).num > 0 && term_arg(tt, x, 0) != tt->one;
  return term_is_nonzero(tt, x);
}

/* x * x^-1 for an x that is not 0, as log(2) is. */
static Term cancelled(TermTable *tt, Term t) {
  Term product = tt->one, inner;
  Rational k = term_coefficient(tt, t, &inner);
  if (term_kind(tt, inner) != TERM_MUL) return t;
  for (uint32_t i = 0; i < term_count(tt, inner); i += 2) {
    Rational e = term_rat(tt, term_arg(tt, inner, i + 1));
    bool gone = false;
    for (uint32_t j = 0; j < term_count(tt, inner); j += 2)
      gone |= j != i && term_arg(tt, inner, j) == term_arg(tt, inner, i) &&
              rational_equal(rational_neg(e), term_rat(tt, term_arg(tt, inner, j + 1)));
    if (!gone || !is_nonzero(tt, term_arg(tt, inner, i)))
      product = term_mul(tt, product, term_power(tt, term_arg(tt, inner, i), e));
  }
  return term_scale(tt, k, product);
}

static Term expanded(TermTable *tt, Term t) {
  Term sum = tt->zero;
  t = term_expand(tt, t);
  for (uint32_t i = 0; i < summand_count(tt, t); i++) sum = term_add(tt, sum, cancelled(tt, summand(tt, t, i)));
  return sum;
}

bool term_split_exp(TermTable *tt, Term product, uint32_t number, Term *a, Term *rest) {
  *rest = tt->one;
  if (is_fn(tt, product, FN_EXP)) {
    *a = term_arg(tt, product, 0);
    return number == 0;
  }
  if (term_kind(tt, product) != TERM_MUL) return false;
  bool found = false;
  for (uint32_t i = 0, n = 0; i < term_count(tt, product); i += 2) {
    Term base = term_arg(tt, product, i), e = term_arg(tt, product, i + 1);
    if (is_fn(tt, base, FN_EXP) && e == tt->one && n++ == number)
      *a = term_arg(tt, base, 0), found = true;
    else
      *rest = term_mul(tt, *rest, term_power(tt, base, term_rat(tt, e)));
  }
  return found;
}

/* ---- a factor into sums ---- */

/* exp(a) * t, where in every sum of t something of a goes away; 0: it does not. */
static Term absorbed(TermTable *tt, Term a, Term t) {
  Term b, rest, product;
  if (term_kind(tt, t) == TERM_ADD) {
    Term sum = tt->zero;
    if (term_arg(tt, t, 0) != tt->zero || term_count(tt, t) > 2 * MOST_SUMMANDS) return 0;
    for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
      Term part = absorbed(tt, a, term_arg(tt, t, i + 1));
      if (!part) return 0;
      sum = term_add(tt, sum, term_scale(tt, term_rat(tt, term_arg(tt, t, i)), part));
    }
    return sum;
  }
  if (is_sum_fold(tt, t)) {
    FoldParts p = term_fold_open(tt, t);
    Term body = absorbed(tt, a, p.body);
    return body ? term_fold(tt, FOLD_SUM, p.symbol, p.lo, p.hi, p.guard, body) : 0;
  }
  Rational k = term_coefficient(tt, t, &product);
  a = expanded(tt, a);
  for (uint32_t number = 0; term_split_exp(tt, product, number, &b, &rest); number++) {
    b = expanded(tt, b);
    Term both = expanded(tt, term_add(tt, a, b));
    if (size_of(tt, both) < size_of(tt, a) + size_of(tt, b))
      return term_scale(tt, k, term_mul(tt, term_fn1(tt, FN_EXP, both), rest));
  }
  return 0;
}

Term term_absorb_exp(TermTable *tt, Term t, Term (*join)(TermTable *tt, Term a, Term sum)) {
  Term a, rest;
  for (uint32_t number = 0; term_split_exp(tt, t, number, &a, &rest); number++) {
    bool product = term_kind(tt, rest) == TERM_MUL;
    for (uint32_t i = 0; i < (product ? term_count(tt, rest) : 1); i += 2) {
      if (product && term_arg(tt, rest, i + 1) != tt->one) continue;
      Term joined = join(tt, a, product ? term_arg(tt, rest, i) : rest);
      if (!joined) continue;
      for (uint32_t k = 0; product && k < term_count(tt, rest); k += 2)
        if (k != i)
          joined = term_mul(tt, joined, term_power(tt, term_arg(tt, rest, k), term_rat(tt, term_arg(tt, rest, k + 1))));
      return joined;
    }
  }
  return t;
}

static Term join_sum(TermTable *tt, Term a, Term sum) {
  return term_kind(tt, sum) == TERM_ADD || is_sum_fold(tt, sum) ? absorbed(tt, a, sum) : 0;
}

/* ---- a shift that all have ---- */

/* The summands of x that are free of the symbol and hold an extremum: what may be a shift. */
static Term shift_of(TermTable *tt, Term x, Term symbol) {
  Term shift = tt->zero;
  for (uint32_t i = 0; i < summand_count(tt, x); i++) {
    Term part = summand(tt, x, i), factor;
    bool extreme = false;
    term_coefficient(tt, part, &factor);
    for (uint32_t k = 0; k < (term_kind(tt, factor) == TERM_MUL ? term_count(tt, factor) : 1); k += 2) {
      Term base = term_kind(tt, factor) == TERM_MUL ? term_arg(tt, factor, k) : factor;
      extreme |=
          term_kind(tt, base) == TERM_MAX || (term_kind(tt, base) == TERM_FOLD && term_aux(tt, base) == FOLD_MAX);
    }
    if (extreme && !term_has_symbol(tt, part, symbol)) shift = term_add(tt, shift, part);
  }
  return shift;
}

/* True if the shift is -c * max(f) with left = c * f, over the range of the sum. */
static bool is_own_maximum(TermTable *tt, const FoldParts *p, Term shift, Term left) {
  Term product, each = tt->one;
  Rational k = term_coefficient(tt, shift, &product);
  bool found = false, is_product = term_kind(tt, product) == TERM_MUL;
  for (uint32_t i = 0; i < (is_product ? term_count(tt, product) : 1); i += 2) {
    Term base = is_product ? term_arg(tt, product, i) : product;
    Rational e = is_product ? term_rat(tt, term_arg(tt, product, i + 1)) : rational_int(1);
    bool own = !found && term_kind(tt, base) == TERM_FOLD && term_aux(tt, base) == FOLD_MAX &&
               rational_equal(e, rational_int(1));
    if (own && term_fold_lo(tt, base) == p->lo && term_fold_hi(tt, base) == p->hi) {
      FoldParts max = term_fold_open(tt, base);
      found = term_replace(tt, max.guard, max.symbol, p->symbol) == p->guard;
      base = term_replace(tt, max.body, max.symbol, p->symbol);
    }
    each = term_mul(tt, each, term_power(tt, base, e));
  }
  return found && expanded(tt, term_scale(tt, rational_neg(k), each)) == left;
}

/* True if both are equal where anything is folded. */
static bool same_where_some(TermTable *tt, const FoldParts *p, Term x, Term y) {
  uint32_t facts = tt->facts.count;
  term_push_fact(tt, term_lt(tt, p->lo, p->hi));
  x = term_transform(tt, term_rebuild(tt, x), term_join_ranges, NULL),
  y = term_transform(tt, term_rebuild(tt, y), term_join_ranges, NULL);
  term_pop_facts(tt, facts);
  return x == y;
}

/* sum(exp(x - c) r) as exp(-c) times a sum: -c and the sum. With `wanted`, that shift and no other. */
static bool split_fold(TermTable *tt, Term fold, Term wanted, Term *shift, Term *rest) {
  Term x, others, product;
  FoldParts p = term_fold_open(tt, fold);
  Rational k = term_coefficient(tt, p.body, &product);
  for (uint32_t number = 0; term_split_exp(tt, product, number, &x, &others); number++) {
    x = expanded(tt, x);
    *shift = shift_of(tt, x, p.symbol);
    if (wanted && *shift != wanted && !same_where_some(tt, &p, wanted, *shift)) continue;
    if (*shift == tt->zero || term_has_symbol(tt, *shift, p.symbol)) continue;
    Term left = expanded(tt, term_sub(tt, x, *shift));
    if (size_of(tt, left) + size_of(tt, *shift) > size_of(tt, x)) continue;
    if (!wanted && is_own_maximum(tt, &p, *shift, left)) continue;
    *rest = term_fold(tt, FOLD_SUM, p.symbol, p.lo, p.hi, p.guard,
                      term_scale(tt, k, term_mul(tt, term_fn1(tt, FN_EXP, left), others)));
    return true;
  }
  return false;
}

/* Likewise for sums of such sums. */
static bool split_shift(TermTable *tt, Term t, Term wanted, Term *shift, Term *rest) {
  if (is_sum_fold(tt, t)) return split_fold(tt, t, wanted, shift, rest);
  if (term_kind(tt, t) != TERM_ADD || term_arg(tt, t, 0) != tt->zero) return false;
  *rest = tt->zero, *shift = wanted;
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    Term part = term_arg(tt, t, i + 1), left, own;
    if (!is_sum_fold(tt, part) || !split_fold(tt, part, *shift, &own, &left)) return false;
    if (!*shift) *shift = own;
    *rest = term_add(tt, *rest, term_scale(tt, term_rat(tt, term_arg(tt, t, i)), left));
  }
  return true;
}

static Term drop_in_quotient(TermTable *tt, Term t) {
  for (uint32_t i = 0; i < term_count(tt, t); i += 2)
    for (uint32_t k = 0; k < term_count(tt, t) && term_arg(tt, t, i + 1) == tt->minus_one; k += 2) {
      Term shift, below, above, same;
      if (term_arg(tt, t, k + 1) != tt->one || !split_shift(tt, term_arg(tt, t, i), 0, &shift, &below)) continue;
      if (!split_shift(tt, term_arg(tt, t, k), shift, &same, &above)) {
        Term x, others;
        if (!term_split_exp(tt, term_arg(tt, t, k), 0, &x, &others)) continue;
        Term left = expanded(tt, term_sub(tt, x, shift));
        if (size_of(tt, left) + size_of(tt, shift) > size_of(tt, expanded(tt, x))) continue;
        above = term_fn1(tt, FN_EXP, left);
      }
      Term result = term_mul(tt, above, term_power(tt, below, rational_int(-1)));
      for (uint32_t j = 0; j < term_count(tt, t); j += 2)
        if (j != i && j != k)
          result = term_mul(tt, result, term_power(tt, term_arg(tt, t, j), term_rat(tt, term_arg(tt, t, j + 1))));
      return result;
    }
  return t;
}

/* factor * (x + y + ..), each by itself. */
static Term times(TermTable *tt, Term factor, Term sum) {
  Term result = tt->zero;
  for (uint32_t i = 0; i < summand_count(tt, sum); i++) {
    Term product;
    Rational k = term_coefficient(tt, summand(tt, sum, i), &product);
    result = term_add(tt, result, term_scale(tt, k, cancelled(tt, term_mul(tt, factor, product))));
  }
  return result;
}

/* r*log(sum(exp(x - c))) + r*c + .. */
static Term drop_in_logarithm(TermTable *tt, Term t) {
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    Term part = term_arg(tt, t, i + 1), factor = tt->one, log = 0, shift, rest;
    bool product = term_kind(tt, part) == TERM_MUL;
    for (uint32_t k = 0; k < (product ? term_count(tt, part) : 1); k += 2) {
      Term base = product ? term_arg(tt, part, k) : part;
      if (!log && is_fn(tt, base, FN_LOG) && (!product || term_arg(tt, part, k + 1) == tt->one) &&
          !term_is_rat(tt, term_arg(tt, base, 0)))
        log = base;
      else if (product)
        factor = term_mul(tt, factor, term_power(tt, base, term_rat(tt, term_arg(tt, part, k + 1))));
    }
    if (!log || !split_shift(tt, term_arg(tt, log, 0), 0, &shift, &rest)) continue;
    Rational r = term_rat(tt, term_arg(tt, t, i));
    Term others = term_sub(tt, t, term_scale(tt, r, part)),
         moved = expanded(tt, term_add(tt, others, term_scale(tt, r, times(tt, factor, shift))));
    if (size_of(tt, moved) >= size_of(tt, others)) continue;
    return term_add(tt, moved, term_scale(tt, r, term_mul(tt, factor, term_fn1(tt, FN_LOG, rest))));
  }
  return t;
}

Term term_drop_shifts(TermTable *tt, Term t, void *unused) {
  (void)unused;
  if (!(term_node(tt, t)->flags & TERM_HAS_FOLD) || term_sort(tt, t) != SORT_REAL) return t;
  if (term_kind(tt, t) == TERM_ADD) return drop_in_logarithm(tt, t);
  if (is_fn(tt, t, FN_EXP) && term_kind(tt, term_arg(tt, t, 0)) == TERM_MUL)
    return term_fn1(tt, FN_EXP, expanded(tt, term_arg(tt, t, 0)));
  if (term_kind(tt, t) != TERM_MUL) return t;
  Term next = term_absorb_exp(tt, t, join_sum);
  return next != t || term_kind(tt, t) != TERM_MUL ? next : drop_in_quotient(tt, t);
}
