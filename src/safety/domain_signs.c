/* Signs: what is positive, and what is not 0. A fold is looked at at one index; a difference by guards, by extrema and
 * by squares. */
#include "laws/laws.h"
#include "safety/domain.h"
#include "prove/equal.h"
#include "prove/guards.h"
#include "prove/spread.h"

enum { MOST_GUARDS = 3 };

bool domain_blame(Domain *d, Term t, const char *why) {
  if (!d->culprit) d->culprit = t, d->why = why;
  return false;
}

bool domain_assume(Domain *d, Term condition) {
  TermTable *tt = d->tt;
  if (term_kind(tt, condition) == TERM_OR) {
    Term rest = tt->false_;
    for (uint32_t i = 0, n = term_count(tt, condition); i < n; i++) {
      Term c = term_arg(tt, condition, i);
      if (term_kind(tt, c) != TERM_IS_NAN || !domain_is_finite(d, term_arg(tt, c, 0))) rest = term_or(tt, rest, c);
    }
    condition = rest;
  }
  if (condition == tt->false_) return false;
  uint32_t known = tt->facts.count;
  equal_push(tt, condition);
  for (uint32_t i = 0; i < known; i++) { /* of alternatives that are known, those that are left */
    Term fact = tt->facts.data[i], left = term_kind(tt, fact) == TERM_OR ? term_assume(tt, fact, condition) : fact;
    if (left == tt->false_) return false;
    if (left != fact && left != tt->true_ && term_kind(tt, left) != TERM_OR) equal_push(tt, left);
  }
  return true;
}

/* ---- folds ---- */

DomainFold domain_open_fold(Domain *d, Term fold) {
  TermTable *tt = d->tt;
  DomainFold o = {.parts = term_fold_open(tt, fold), .facts = tt->facts.count};
  o.empty = term_prove_le(tt, o.parts.hi, o.parts.lo);
  equal_push(tt, term_lt(tt, o.parts.lo, o.parts.hi)); /* there is an index */
  equal_push(tt, o.parts.guard);
  return o;
}

void domain_close_fold(Domain *d, const DomainFold *o) { term_pop_facts(d->tt, o->facts); }

bool domain_guard_at(Domain *d, const FoldParts *p, Term index) {
  TermTable *tt = d->tt;
  return term_prove_le(tt, p->lo, index) && term_prove_lt(tt, index, p->hi) &&
         safety_holds(d->s, term_replace(tt, p->guard, p->symbol, index));
}

/* True if an empty range would contradict a fact. */
static bool has_some(TermTable *tt, Term lo, Term hi) {
  uint32_t facts = tt->facts.count;
  bool good = term_prove_lt(tt, lo, hi);
  if (good || !facts) return good;
  term_push_fact(tt, term_le(tt, hi, lo));
  for (uint32_t i = 0; i < facts && !good; i++)
    if (term_kind(tt, tt->facts.data[i]) == TERM_LE) good = term_prove_true(tt, term_not(tt, tt->facts.data[i]));
  term_pop_facts(tt, facts);
  return good;
}

/* Whether an index passes, whatever the body of the fold is. */
static Term has_index(TermTable *tt, const FoldParts *p) {
  return term_fold(tt, FOLD_ANY, p->symbol, p->lo, p->hi, p->guard, tt->true_);
}

void domain_push_nonempty(TermTable *tt, Term fold) {
  FoldParts p = term_fold_open(tt, fold);
  Term some = has_index(tt, &p);
  equal_push(tt, term_lt(tt, p.lo, p.hi));
  if (p.guard != tt->true_) term_push_fact(tt, some);
}

static bool is_known_nonempty(TermTable *tt, const FoldParts *p) {
  Term some = 0;
  for (uint32_t i = 0; i < tt->facts.count; i++) {
    if (term_kind(tt, tt->facts.data[i]) != TERM_FOLD) continue;
    if (!some) some = has_index(tt, p);
    if (tt->facts.data[i] == some) return true;
  }
  return false;
}

/* True if there is an index in range that passes the guard. The ends and the indices around are tried. */
bool domain_is_nonempty(Domain *d, Term fold) {
  TermTable *tt = d->tt;
  FoldParts p = term_fold_open(tt, fold);
  if (p.guard == tt->true_) return has_some(tt, p.lo, p.hi);
  if (is_known_nonempty(tt, &p) || domain_guard_at(d, &p, p.lo) || domain_guard_at(d, &p, term_sub(tt, p.hi, tt->one)))
    return true;
  TermList symbols = {0};
  term_symbols(tt, p.guard, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (symbols.data[i] != p.symbol && term_sort(tt, symbols.data[i]) == SORT_INT &&
        domain_guard_at(d, &p, symbols.data[i]))
      return true;
  return false;
}

/* Of two ranges that adjoin, one may have no elements. */
Term domain_join(TermTable *tt, Term t) {
  return (term_node(tt, t)->flags & TERM_HAS_FOLD) ? term_transform(tt, t, term_join_ranges, NULL) : t;
}

/* ---- signs ---- */

/* One side of a select, where it is chosen at all. */
static bool sign_of_side(Domain *d, Term c, Term t, bool strictly) {
  TermTable *tt = d->tt;
  uint32_t facts = tt->facts.count;
  bool good = !domain_assume(d, c) || domain_is_positive(d, t, strictly);
  term_pop_facts(tt, facts);
  return good || safety_holds(d->s, term_not(tt, c));
}

static bool sign_of_select(Domain *d, Term t, bool strictly) {
  TermTable *tt = d->tt;
  Term c = term_arg(tt, t, 0);
  return sign_of_side(d, c, term_arg(tt, t, 1), strictly) &&
         sign_of_side(d, term_not(tt, c), term_arg(tt, t, 2), strictly);
}

/* A float argument that is added under a root or a division, such as eps, may be assumed to be positive. */
static bool takes(Domain *d, Term t, ScalarSign asked) { return !d->assumes_nothing && safety_takes(d->s, t, asked); }

/* A product of float arguments: none of them is 0. They are finite, so that no quotient by them is. */
static bool is_product_of_nonzero(Domain *d, Term t) {
  TermTable *tt = d->tt;
  if (term_kind(tt, t) != TERM_MUL || (term_node(tt, t)->flags & ~(TERM_HAS_REAL | TERM_HAS_PARTIAL))) return false;
  for (uint32_t i = 0; i < term_count(tt, t); i += 2)
    if (!domain_is_nonzero(d, term_arg(tt, t, i))) return false;
  return true;
}

/* Terms hold exp(x) positive; it is 0 where x is -inf, so their answer counts only without one. */
static bool has_exponential(Domain *d, Term t) {
  const TermTable *tt = d->tt;
  if (++d->steps > DOMAIN_MOST_STEPS) return true;
  if (term_kind(tt, t) == TERM_FN && term_aux(tt, t) == FN_EXP) return true;
  if (term_kind(tt, t) == TERM_READ) return false;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (has_exponential(d, term_arg(tt, t, i))) return true;
  return false;
}

/* True if the first or the last element of a fold is there, and positive. */
static bool some_is_positive(Domain *d, Term fold) {
  TermTable *tt = d->tt;
  FoldParts p = term_fold_open(tt, fold);
  Term ends[] = {p.lo, term_sub(tt, p.hi, tt->one)};
  for (int i = 0; i < 2; i++) {
    if (!domain_guard_at(d, &p, ends[i])) continue;
    Term there = term_rebuild(tt, term_replace(tt, p.body, p.symbol, ends[i])), one = domain_join(tt, there);
    if (domain_is_positive(d, there, true) || (one != there && domain_is_positive(d, one, true))) return true;
  }
  return false;
}

static bool sign_beside_guard(void *payload, Term t, bool strictly) { return domain_is_positive(payload, t, strictly); }

static bool is_positive_by_guard(Domain *d, Term t, bool strictly) {
  if (d->guards == MOST_GUARDS || term_sort(d->tt, t) != SORT_REAL) return false;
  bool assumes = d->assumes_nothing, good = false;
  d->guards++;
  for (int pass = assumes; pass < 2 && !good; pass++) { /* what needs no assumption first */
    d->assumes_nothing = pass == 0 || assumes;
    good = guards_bound(d->tt, t, strictly, sign_beside_guard, d);
  }
  d->assumes_nothing = assumes;
  d->guards--;
  return good;
}

/* A sum with part i, an extremum, put as each of its arguments: c - min(a, b) is the greater of c - a and c - b. */
static bool sign_of_extremum(Domain *d, Term t, uint32_t i, bool strictly) {
  TermTable *tt = d->tt;
  Rational k = term_rat(tt, term_arg(tt, t, i));
  Term part = term_arg(tt, t, i + 1), rest = term_sub(tt, t, term_scale(tt, k, part));
  bool all = (term_kind(tt, part) == TERM_MIN) == (k.num > 0);
  for (uint32_t n = 0, count = term_count(tt, part); n < count; n++)
    if (domain_is_positive(d, term_add(tt, rest, term_scale(tt, k, term_arg(tt, part, n))), strictly) != all)
      return !all;
  return all;
}

static bool sign_of_parts(Domain *d, Term t, bool strictly) {
  TermTable *tt = d->tt;
  if (!strictly && term_is_nonnegative(tt, t)) return true;
  Rational c = term_rat(tt, term_arg(tt, t, 0));
  bool positive = c.num > 0;
  if (c.num < 0) return false;
  for (int pass = 0; pass < 2; pass++) /* scalars last: what needs no assumption first */
    for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
      Term part = term_arg(tt, t, i + 1);
      bool scalar = term_kind(tt, part) == TERM_SYM && term_sort(tt, part) == SORT_REAL;
      if (scalar != (pass == 1)) continue;
      if (term_rat(tt, term_arg(tt, t, i)).num < 0 || !domain_is_positive(d, part, false)) return false;
      positive = positive || domain_is_positive(d, part, true);
    }
  return positive || !strictly;
}

/* |a| is the greater of a and -a. */
static bool sign_of_absolute(Domain *d, Term t, uint32_t i, bool strictly) {
  TermTable *tt = d->tt;
  Rational k = term_rat(tt, term_arg(tt, t, i));
  Term part = term_arg(tt, t, i + 1), rest = term_sub(tt, t, term_scale(tt, k, part)),
       a = term_scale(tt, k, term_arg(tt, part, 0));
  bool above = domain_is_positive(d, term_add(tt, rest, a), strictly);
  if (above != (k.num < 0)) return above;
  return domain_is_positive(d, term_sub(tt, rest, a), strictly);
}

/* c^2 - a^2 has the sign of c - |a|. */
static bool sign_of_difference_of_squares(Domain *d, Term t, bool strictly) {
  TermTable *tt = d->tt;
  const Int128 far = (Int128)1 << 60;
  Rational root;
  if (term_count(tt, t) != 3 || term_kind(tt, term_arg(tt, t, 2)) != TERM_MUL) return false;
  Rational square = term_rat(tt, term_arg(tt, t, 0)), k = term_rat(tt, term_arg(tt, t, 1));
  if (square.num <= 0 || k.num >= 0 || k.num < -far || k.den > far || square.num > far || square.den > far ||
      !rational_sqrt(rational_div(tt->arena->guard, square, rational_neg(k)), &root))
    return false;
  Term product = term_arg(tt, t, 2), a = tt->one;
  for (uint32_t i = 0; i < term_count(tt, product); i += 2) {
    Rational e = term_rat(tt, term_arg(tt, product, i + 1));
    if (e.den != 1 || e.num % 2 || e.num < 0) return false;
    a = term_mul(tt, a, term_power(tt, term_arg(tt, product, i), (Rational){e.num / 2, 1}));
  }
  return domain_is_positive(d, term_sub(tt, term_new_rat(tt, root), term_unary(tt, TERM_ABS, a)), strictly);
}

/* A variance, and more. */
static bool sign_of_spread(Domain *d, Term t, bool strictly) {
  TermTable *tt = d->tt;
  Spread spread;
  for (uint32_t number = 0; spread_find(tt, t, number, &spread); number++) {
    uint32_t facts = tt->facts.count;
    equal_push(tt, term_lt(tt, tt->zero, spread.count)); /* of nothing both sums are 0 */
    bool good = domain_is_finite(d, spread.fold) && domain_is_positive(d, spread.sum, false) &&
                (equal_prove(tt, spread.square, spread.least) != EQUAL_NONE ||
                 domain_is_positive(d, term_sub(tt, spread.square, spread.least), false));
    term_pop_facts(tt, facts);
    if (good && (term_is_rat(tt, spread.rest) ? rational_sign(term_rat(tt, spread.rest)) >= strictly
                                              : domain_is_positive(d, spread.rest, strictly)))
      return true;
  }
  return false;
}

/* A sum with a choice that no input makes: each side as a sum of its own. */
static bool sign_of_choice(Domain *d, Term t, bool strictly) {
  TermTable *tt = d->tt;
  Term c = 0;
  for (uint32_t i = 2; i < term_count(tt, t) && !c; i += 2)
    if (term_kind(tt, term_arg(tt, t, i)) == TERM_SELECT) c = term_arg(tt, term_arg(tt, t, i), 0);
  if (!c || (term_node(tt, c)->flags & (TERM_HAS_READ | TERM_HAS_REAL | TERM_HAS_UNDEF | TERM_HAS_OPAQUE)))
    return false;
  for (int side = 0; side < 2; side++) {
    Term here = side ? term_not(tt, c) : c, rest = term_assume(tt, t, here);
    if (rest == t || !sign_of_side(d, here, rest, strictly)) return false;
  }
  return true;
}

static bool sign_of_sum(Domain *d, Term t, bool strictly) {
  TermTable *tt = d->tt;
  if (sign_of_parts(d, t, strictly) || sign_of_spread(d, t, strictly)) return true;
  if ((term_node(tt, t)->flags & TERM_HAS_FOLD) && sign_of_spread(d, spread_expand(tt, t), strictly)) return true;
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    TermKind kind = term_kind(tt, term_arg(tt, t, i + 1));
    if (kind == TERM_MIN || kind == TERM_MAX) return sign_of_extremum(d, t, i, strictly);
    if (kind == TERM_ABS) return sign_of_absolute(d, t, i, strictly);
  }
  return sign_of_difference_of_squares(d, t, strictly) || sign_of_choice(d, t, strictly);
}

/* The guard says "x or y": in both cases. */
static bool is_positive_by_alternatives(Domain *d, const DomainFold *o, bool strictly) {
  TermTable *tt = d->tt;
  Term guard = o->parts.guard;
  if (term_kind(tt, guard) != TERM_OR) return false;
  for (uint32_t i = 0; i < term_count(tt, guard); i++) {
    uint32_t facts = tt->facts.count;
    bool good = !domain_assume(d, term_arg(tt, guard, i)) || domain_is_positive(d, o->parts.body, strictly);
    term_pop_facts(tt, facts);
    if (!good) return false;
  }
  return true;
}

static bool is_odd_and_increasing(TermFn fn) { return term_fn_info(fn)->trait == FN_TRAIT_ODD_GROWING; }

/* The sign of what a launch before has left in the tensor. */
static bool is_left_so(const Domain *d, Term tensor, uint8_t sign) {
  const Claim *report = d->s->report, *on = d->s->on;
  for (uint32_t i = 0; report->left && i < on->ex->params.count; i++)
    if (on->ex->params.data[i].symbol == tensor) return (report->left[i] & sign) == sign;
  return false;
}

bool domain_is_positive(Domain *d, Term t, bool strictly) {
  TermTable *tt = d->tt;
  if (++d->steps > DOMAIN_MOST_STEPS) return false;
  if (is_positive_by_guard(d, t, strictly)) return true;
  bool whole = term_is_rat(tt, t) || term_sort(tt, t) == SORT_INT;
  if (whole && (strictly ? term_is_positive(tt, t) || term_prove_lt(tt, tt->zero, t)
                         : term_is_nonnegative(tt, t) || term_prove_le(tt, tt->zero, t)))
    return true;
  if (whole && term_kind(tt, t) != TERM_FOLD) return false;
  if (term_kind(tt, t) == TERM_ADD && !has_exponential(d, t) &&
      (strictly ? term_is_positive(tt, t) : term_is_nonnegative(tt, t)))
    return true;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_READ) return is_left_so(d, term_arg(tt, t, 0), strictly ? SIGN_POSITIVE : SIGN_NONNEGATIVE);
  if (kind == TERM_ABS) return !strictly || domain_is_nonzero(d, term_arg(tt, t, 0));
  if (kind == TERM_FN) {
    /* exp(-inf) = 0 */
    if (term_aux(tt, t) == FN_EXP) return !strictly || domain_is_never(d, term_arg(tt, t, 0), -1);
    if (is_odd_and_increasing((TermFn)term_aux(tt, t))) return domain_is_positive(d, term_arg(tt, t, 0), strictly);
    return strictly ? term_is_positive(tt, t) : term_is_nonnegative(tt, t);
  }
  if (kind == TERM_SYM) {
    if (term_sort(tt, t) != SORT_REAL || term_symbol(tt, t)->role != SYMBOL_SCALAR) return false;
    return term_is_positive(tt, t) || takes(d, t, strictly ? SCALAR_POSITIVE : SCALAR_NONNEGATIVE);
  }
  if (kind == TERM_SELECT) return sign_of_select(d, t, strictly);
  if (kind == TERM_ADD) return sign_of_sum(d, t, strictly);
  if (kind == TERM_MUL) {
    for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
      Rational e = term_rat(tt, term_arg(tt, t, i + 1));
      bool even = e.den == 1 && e.num % 2 == 0;
      if (even && (!strictly || domain_is_nonzero(d, term_arg(tt, t, i)))) continue;
      if (!domain_is_positive(d, term_arg(tt, t, i), strictly)) return false;
    }
    return true;
  }
  if (kind == TERM_MAX) {
    for (uint32_t i = 0; i < term_count(tt, t); i++)
      if (domain_is_positive(d, term_arg(tt, t, i), strictly)) return true;
    for (uint32_t i = 1; i < term_count(tt, t); i++)
      if (term_arg(tt, t, 0) == term_neg(tt, term_arg(tt, t, i))) return !strictly; /* max(x, -x) */
    return false;
  }
  if (kind == TERM_MIN) {
    for (uint32_t i = 0; i < term_count(tt, t); i++)
      if (!domain_is_positive(d, term_arg(tt, t, i), strictly)) return false;
    return true;
  }
  if (kind == TERM_FOLD) {
    TermFoldOp op = (TermFoldOp)term_aux(tt, t);
    if (op != FOLD_SUM && op != FOLD_MAX && op != FOLD_PROD && op != FOLD_MIN) return false;
    bool some = op == FOLD_SUM && strictly && some_is_positive(d, t); /* then it is enough that none is negative */
    if (op == FOLD_MAX || (op == FOLD_SUM && strictly && !some))
      if (!domain_is_nonempty(d, t)) return false;
    DomainFold o = domain_open_fold(d, t);
    bool good = o.empty || domain_is_positive(d, o.parts.body, strictly && !some) ||
                is_positive_by_alternatives(d, &o, strictly && !some);
    domain_close_fold(d, &o);
    return good;
  }
  return false;
}

bool domain_is_nonzero(Domain *d, Term t) {
  TermTable *tt = d->tt;
  if (term_sort(tt, t) == SORT_INT && (term_prove_lt(tt, tt->zero, t) || term_prove_lt(tt, t, tt->zero))) return true;
  if (guards_exclude_zero(tt, t)) return true;
  if (term_kind(tt, t) == TERM_SELECT) {
    uint32_t facts = tt->facts.count;
    bool good = !domain_assume(d, term_arg(tt, t, 0)) || domain_is_nonzero(d, term_arg(tt, t, 1));
    term_pop_facts(tt, facts);
    good = good && (!domain_assume(d, term_not(tt, term_arg(tt, t, 0))) || domain_is_nonzero(d, term_arg(tt, t, 2)));
    term_pop_facts(tt, facts);
    return good;
  }
  if (term_sort(tt, t) == SORT_REAL && term_kind(tt, t) != TERM_ABS &&
      is_positive_by_guard(d, term_unary(tt, TERM_ABS, t), true))
    return true;
  while (term_kind(tt, t) == TERM_ABS) t = term_arg(tt, t, 0);
  if (takes(d, t, SCALAR_NONZERO) || is_product_of_nonzero(d, t)) return true;
  return domain_is_positive(d, t, true) || domain_is_positive(d, term_neg(tt, t), true);
}
