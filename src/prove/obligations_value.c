/* Undefined values: what is stored must be a number wherever inputs are finite (semantics.md section 3).
 *
 * A term is defined if no lane that a load left open is in it, and no operation leaves its domain: divisors differ from
 * 0, logarithms and roots are of positive numbers, infinities meet nothing but what has laws for them. Selects are seen
 * through: each side is looked at under its condition. What is not shown names the operation that is to blame. */
#include <string.h>

#include "prove/equal.h"
#include "prove/guards.h"
#include "prove/obligations_internal.h"
#include "prove/spread.h"

enum { MOST_STEPS = 40000, MOST_GUARDS = 3 };

typedef struct Domain {
  Safety *s;
  TermTable *tt;
  uint32_t steps, guards; /* guards: of how many the sign at hand makes use */
  Term culprit;     /* the first term that may be undefined */
  const char *why;
  bool skips_open;  /* lanes that no load defined are asked about elsewhere */
  bool assumes_nothing;
  bool trusts_inputs; /* what is read lies in the domain of every operator that takes it */
  uint32_t choices;   /* of the selects around, those that inputs decide */
} Domain;

static bool is_finite(Domain *d, Term t);
static bool is_never(Domain *d, Term t, int sign);
static bool is_nonzero(Domain *d, Term t);
static bool is_positive(Domain *d, Term t, bool strictly);

static bool blame(Domain *d, Term t, const char *why) {
  if (!d->culprit) d->culprit = t, d->why = why;
  return false;
}

/* Pushes the condition of a select, or its negation, and what follows; that a number is a NaN is no alternative.
 * false: it is never so, and then all is true of that side. */
static bool assume_here(Domain *d, Term condition) {
  TermTable *tt = d->tt;
  if (term_kind(tt, condition) == TERM_OR) {
    Term rest = tt->false_;
    for (uint32_t i = 0, n = term_count(tt, condition); i < n; i++) {
      Term c = term_arg(tt, condition, i);
      if (term_kind(tt, c) != TERM_IS_NAN || !is_finite(d, term_arg(tt, c, 0))) rest = term_or(tt, rest, c);
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

typedef struct Opened {
  FoldParts parts;
  uint32_t facts;
  bool empty; /* known to have no index: then all is true of its elements */
} Opened;

static Opened open_fold(Domain *d, Term fold) {
  TermTable *tt = d->tt;
  Opened o = {.parts = term_fold_open(tt, fold), .facts = tt->facts.count};
  o.empty = term_prove_le(tt, o.parts.hi, o.parts.lo);
  equal_push(tt, term_lt(tt, o.parts.lo, o.parts.hi)); /* there is an index */
  equal_push(tt, o.parts.guard);
  return o;
}

static void close_fold(Domain *d, const Opened *o) { term_pop_facts(d->tt, o->facts); }

static bool guard_at(Domain *d, const FoldParts *p, Term index) {
  TermTable *tt = d->tt;
  return term_prove_le(tt, p->lo, index) && term_prove_lt(tt, index, p->hi) && safety_holds(d->s, term_replace(tt, p->guard, p->symbol, index));
}

/* Is there an index in range that passes the guard? The ends and the indices around are tried. */
static bool is_nonempty(Domain *d, Term fold) {
  TermTable *tt = d->tt;
  FoldParts p = term_fold_open(tt, fold);
  if (p.guard == tt->true_) return term_prove_lt(tt, p.lo, p.hi);
  if (guard_at(d, &p, p.lo) || guard_at(d, &p, term_sub(tt, p.hi, tt->one))) return true;
  TermList symbols = {0};
  term_symbols(tt, p.guard, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (symbols.data[i] != p.symbol && term_sort(tt, symbols.data[i]) == SORT_INT && guard_at(d, &p, symbols.data[i])) return true;
  return false;
}

/* ---- signs ---- */

static bool sign_of_select(Domain *d, Term t, bool strictly) {
  TermTable *tt = d->tt;
  uint32_t facts = tt->facts.count;
  bool good = !assume_here(d, term_arg(tt, t, 0)) || is_positive(d, term_arg(tt, t, 1), strictly);
  term_pop_facts(tt, facts);
  if (!good) return false;
  good = !assume_here(d, term_not(tt, term_arg(tt, t, 0))) || is_positive(d, term_arg(tt, t, 2), strictly);
  term_pop_facts(tt, facts);
  return good;
}

/* A float argument that is added under a root or a division, such as eps, is assumed to be positive. */
static bool assume_positive(Domain *d, Term t) {
  if (d->assumes_nothing) return false;
  safety_assume(d->s, "positive", 0, arena_format(d->s->arena, "%s > 0", term_text(d->tt, t)), "the kernel divides by it or takes a root of it", NULL);
  return true;
}

/* Made of float arguments and literals alone. */
static bool is_of_scalars(const TermTable *tt, Term t) {
  if ((term_node(tt, t)->flags & ~TERM_HAS_REAL) || term_sort(tt, t) != SORT_REAL) return false;
  TermList symbols = {0};
  term_symbols((TermTable *)(uintptr_t)tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) if (term_symbol(tt, symbols.data[i])->role != SYMBOL_SCALAR) return false;
  return symbols.count > 0;
}

/* Terms hold exp(x) positive; it is 0 where x is -inf, so their answer counts only without one. */
static bool has_exponential(Domain *d, Term t) {
  const TermTable *tt = d->tt;
  if (++d->steps > MOST_STEPS) return true;
  if (term_kind(tt, t) == TERM_FN && term_aux(tt, t) == FN_EXP) return true;
  if (term_kind(tt, t) == TERM_READ) return false;
  for (uint32_t i = 0; i < term_count(tt, t); i++) if (has_exponential(d, term_arg(tt, t, i))) return true;
  return false;
}

/* Is the first or the last element of a fold there, and positive? */
static bool some_is_positive(Domain *d, Term fold) {
  TermTable *tt = d->tt;
  FoldParts p = term_fold_open(tt, fold);
  Term ends[] = {p.lo, term_sub(tt, p.hi, tt->one)};
  for (int i = 0; i < 2; i++)
    if (guard_at(d, &p, ends[i]) && is_positive(d, term_rebuild(tt, term_replace(tt, p.body, p.symbol, ends[i])), true)) return true;
  return false;
}

static bool sign_beside_guard(void *payload, Term t, bool strictly) { return is_positive(payload, t, strictly); }

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
    if (is_positive(d, term_add(tt, rest, term_scale(tt, k, term_arg(tt, part, n))), strictly) != all) return !all;
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
      if (term_rat(tt, term_arg(tt, t, i)).num < 0 || !is_positive(d, part, false)) return false;
      positive = positive || is_positive(d, part, true);
    }
  return positive || !strictly;
}

/* |a| is the greater of a and -a. */
static bool sign_of_absolute(Domain *d, Term t, uint32_t i, bool strictly) {
  TermTable *tt = d->tt;
  Rational k = term_rat(tt, term_arg(tt, t, i));
  Term part = term_arg(tt, t, i + 1), rest = term_sub(tt, t, term_scale(tt, k, part)), a = term_scale(tt, k, term_arg(tt, part, 0));
  bool above = is_positive(d, term_add(tt, rest, a), strictly);
  if (above != (k.num < 0)) return above;
  return is_positive(d, term_sub(tt, rest, a), strictly);
}

/* c^2 - a^2 has the sign of c - |a|. */
static bool sign_of_difference_of_squares(Domain *d, Term t, bool strictly) {
  TermTable *tt = d->tt;
  const Int128 far = (Int128)1 << 60;
  Rational root;
  if (term_count(tt, t) != 3 || term_kind(tt, term_arg(tt, t, 2)) != TERM_MUL) return false;
  Rational square = term_rat(tt, term_arg(tt, t, 0)), k = term_rat(tt, term_arg(tt, t, 1));
  if (square.num <= 0 || k.num >= 0 || k.num < -far || k.den > far || square.num > far || square.den > far || !rational_sqrt(rational_div(tt->arena->guard, square, rational_neg(k)), &root)) return false;
  Term product = term_arg(tt, t, 2), a = tt->one;
  for (uint32_t i = 0; i < term_count(tt, product); i += 2) {
    Rational e = term_rat(tt, term_arg(tt, product, i + 1));
    if (e.den != 1 || e.num % 2 || e.num < 0) return false;
    a = term_mul(tt, a, term_power(tt, term_arg(tt, product, i), (Rational){e.num / 2, 1}));
  }
  return is_positive(d, term_sub(tt, term_new_rat(tt, root), term_unary(tt, TERM_ABS, a)), strictly);
}

/* A variance, and more. */
static bool sign_of_spread(Domain *d, Term t, bool strictly) {
  TermTable *tt = d->tt;
  Spread spread;
  for (uint32_t number = 0; spread_find(tt, t, number, &spread); number++) {
    uint32_t facts = tt->facts.count;
    equal_push(tt, term_lt(tt, tt->zero, spread.count)); /* of nothing both sums are 0 */
    bool good = is_finite(d, spread.fold) && is_positive(d, spread.sum, false) &&
                (equal_prove(tt, spread.square, spread.least) != EQUAL_NONE || is_positive(d, term_sub(tt, spread.square, spread.least), false));
    term_pop_facts(tt, facts);
    if (good && (term_is_rat(tt, spread.rest) ? rational_sign(term_rat(tt, spread.rest)) >= strictly : is_positive(d, spread.rest, strictly))) return true;
  }
  return false;
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
  return sign_of_difference_of_squares(d, t, strictly);
}

static bool is_positive(Domain *d, Term t, bool strictly) {
  TermTable *tt = d->tt;
  if (++d->steps > MOST_STEPS) return false;
  if (is_positive_by_guard(d, t, strictly)) return true;
  bool whole = term_is_rat(tt, t) || term_sort(tt, t) == SORT_INT;
  if (whole && (strictly ? term_is_positive(tt, t) || term_prove_lt(tt, tt->zero, t) : term_is_nonnegative(tt, t) || term_prove_le(tt, tt->zero, t))) return true;
  if (whole && term_kind(tt, t) != TERM_FOLD) return false;
  if (term_kind(tt, t) == TERM_ADD && !has_exponential(d, t) && (strictly ? term_is_positive(tt, t) : term_is_nonnegative(tt, t))) return true;
  switch (term_kind(tt, t)) {
  case TERM_ABS: return !strictly || is_nonzero(d, term_arg(tt, t, 0));
  case TERM_FN: /* exp(-inf) = 0 */
    if (term_aux(tt, t) == FN_EXP) return !strictly || is_never(d, term_arg(tt, t, 0), -1);
    return strictly ? term_is_positive(tt, t) : term_is_nonnegative(tt, t);
  case TERM_SYM: return term_sort(tt, t) == SORT_REAL && term_symbol(tt, t)->role == SYMBOL_SCALAR && assume_positive(d, t);
  case TERM_SELECT: return sign_of_select(d, t, strictly);
  case TERM_ADD: return sign_of_sum(d, t, strictly);
  case TERM_MUL:
    for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
      Rational e = term_rat(tt, term_arg(tt, t, i + 1));
      bool even = e.den == 1 && e.num % 2 == 0;
      if (even && (!strictly || is_nonzero(d, term_arg(tt, t, i)))) continue;
      if (!is_positive(d, term_arg(tt, t, i), strictly)) return false;
    }
    return true;
  case TERM_MAX:
    for (uint32_t i = 0; i < term_count(tt, t); i++) if (is_positive(d, term_arg(tt, t, i), strictly)) return true;
    return false;
  case TERM_MIN:
    for (uint32_t i = 0; i < term_count(tt, t); i++) if (!is_positive(d, term_arg(tt, t, i), strictly)) return false;
    return true;
  case TERM_FOLD: {
    TermFoldOp op = (TermFoldOp)term_aux(tt, t);
    if (op != FOLD_SUM && op != FOLD_MAX && op != FOLD_PROD && op != FOLD_MIN) return false;
    bool some = op == FOLD_SUM && strictly && some_is_positive(d, t); /* then it is enough that none is negative */
    if (op == FOLD_MAX || (op == FOLD_SUM && strictly && !some)) if (!is_nonempty(d, t)) return false;
    Opened o = open_fold(d, t);
    bool good = o.empty || is_positive(d, o.parts.body, strictly && !some);
    close_fold(d, &o);
    return good;
  }
  default: return false;
  }
}

static bool is_nonzero(Domain *d, Term t) {
  TermTable *tt = d->tt;
  if (term_sort(tt, t) == SORT_INT && (term_prove_lt(tt, tt->zero, t) || term_prove_lt(tt, t, tt->zero))) return true;
  if (guards_exclude_zero(tt, t)) return true;
  if (term_kind(tt, t) == TERM_SELECT) {
    uint32_t facts = tt->facts.count;
    bool good = !assume_here(d, term_arg(tt, t, 0)) || is_nonzero(d, term_arg(tt, t, 1));
    term_pop_facts(tt, facts);
    good = good && (!assume_here(d, term_not(tt, term_arg(tt, t, 0))) || is_nonzero(d, term_arg(tt, t, 2)));
    term_pop_facts(tt, facts);
    return good;
  }
  if (term_sort(tt, t) == SORT_REAL && term_kind(tt, t) != TERM_ABS && is_positive_by_guard(d, term_unary(tt, TERM_ABS, t), true)) return true;
  if (is_positive(d, t, true) || is_positive(d, term_neg(tt, t), true)) return true;
  return is_of_scalars(tt, t) && assume_positive(d, t);
}

/* ---- domains ---- */

typedef enum Need { NEED_POSITIVE, NEED_NONNEGATIVE, NEED_NONZERO, NEED_MORE } Need; /* MORE: what is not looked at here */

static bool is_defined(Domain *d, Term t);
static bool meets(Domain *d, Term t, Need need);

static bool depends_on_inputs(const TermTable *tt, Term t) {
  TermList symbols = {0};
  if (term_node(tt, t)->flags & TERM_HAS_READ) return true;
  term_symbols((TermTable *)(uintptr_t)tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) if (term_symbol(tt, symbols.data[i])->role == SYMBOL_SCALAR) return true;
  return false;
}

/* The condition of a select in t that no input decides; 0: there is none. */
static Term condition_in(Domain *d, Term t) {
  TermTable *tt = d->tt;
  if (++d->steps > MOST_STEPS || term_kind(tt, t) == TERM_READ) return 0;
  if (term_kind(tt, t) == TERM_SELECT && !depends_on_inputs(tt, term_arg(tt, t, 0))) return term_arg(tt, t, 0);
  for (uint32_t i = 0, n = term_count(tt, t); i < n; i++) {
    Term found = condition_in(d, term_arg(tt, t, i));
    if (found) return found;
  }
  return 0;
}

/* Is an input read wherever the need is not met? Padding is none. */
static bool is_of_trust(Domain *d, Term t, Need need) {
  TermTable *tt = d->tt;
  if (!d->trusts_inputs || (term_node(tt, t)->flags & (TERM_HAS_FOLD | TERM_HAS_UNDEF)) || ++d->steps > MOST_STEPS) return false;
  Term condition = condition_in(d, t);
  if (!condition) return depends_on_inputs(tt, t);
  for (int side = 0; side < 2; side++) {
    uint32_t facts = tt->facts.count;
    Term here = side ? term_not(tt, condition) : condition;
    bool good = true;
    if (assume_here(d, here)) {
      Term rest = term_assume(tt, t, here);
      good = rest != t && meets(d, rest, need);
    }
    term_pop_facts(tt, facts);
    if (!good) return false;
  }
  return true;
}

static bool meets(Domain *d, Term t, Need need) {
  bool good = false;
  switch (need) {
  case NEED_POSITIVE: good = is_positive(d, t, true); break;
  case NEED_NONNEGATIVE: good = is_positive(d, t, false); break;
  case NEED_NONZERO: good = is_nonzero(d, t); break;
  case NEED_MORE: break;
  }
  return good || is_of_trust(d, t, need);
}

static bool is_defined_fn(Domain *d, Term t) {
  TermTable *tt = d->tt;
  for (uint32_t i = 0; i < term_count(tt, t); i++) if (!is_defined(d, term_arg(tt, t, i))) return false;
  Term a = term_arg(tt, t, 0);
  switch ((TermFn)term_aux(tt, t)) {
  case FN_EXP: case FN_TANH: case FN_ERF: case FN_ATAN: case FN_SINH: case FN_COSH: case FN_ASINH: case FN_ATAN2: return true;
  case FN_LOG: return meets(d, a, NEED_POSITIVE) || blame(d, t, "the logarithm of a number that may be 0 or less");
  case FN_SIN: case FN_COS: return is_finite(d, a) || blame(d, t, "an angle that may be infinite");
  case FN_POW: return meets(d, a, NEED_POSITIVE) || blame(d, t, "a power of a base that may be 0 or less");
  case FN_BITAND: case FN_BITOR: case FN_BITXOR: case FN_SHL: case FN_SHR: case FN_MULHI: return true;
  case FN_TAN: case FN_ASIN: case FN_ACOS: case FN_ACOSH: case FN_ATANH: case FN_ERFINV: case FN_LGAMMA: case FN_FMOD: case FN_COUNT: break;
  }
  return is_of_trust(d, a, NEED_MORE) || blame(d, t, "a function outside of its domain");
}

/* Is one of the facts from `first` on false where that symbol is `value`? They are laid aside meanwhile: with all of them, it would be true. */
static bool is_false_at(TermTable *tt, uint32_t first, Term symbol, Term value) {
  uint32_t count = tt->facts.count - first;
  Term *facts = arena_array(tt->arena, Term, count + 1);
  bool found = false;
  memcpy(facts, tt->facts.data + first, sizeof *facts * count);
  term_pop_facts(tt, first);
  for (uint32_t i = 0; i < count; i++) found |= term_rebuild(tt, term_replace(tt, facts[i], symbol, value)) == tt->false_;
  for (uint32_t i = 0; i < count; i++) term_push_fact(tt, facts[i]);
  return found;
}

/* Do the facts exclude one of those from `first` on? Where they leave a symbol its least value alone, that is put in. */
static bool is_contradiction(Domain *d, uint32_t first) {
  TermTable *tt = d->tt;
  for (uint32_t i = first; i < tt->facts.count; i++) {
    if (safety_holds(d->s, term_not(tt, tt->facts.data[i]))) return true;
    TermList symbols = {0};
    term_symbols(tt, tt->facts.data[i], &symbols);
    for (uint32_t k = 0; k < symbols.count; k++) {
      Term least = term_sort(tt, symbols.data[k]) == SORT_INT ? term_symbol(tt, symbols.data[k])->lo : 0;
      if (least && term_prove_le(tt, symbols.data[k], least) && is_false_at(tt, first, symbols.data[k], least)) return true;
    }
  }
  return false;
}

/* Is there no case of the condition, under the facts at hand? */
static bool is_impossible(Domain *d, Term c) {
  TermTable *tt = d->tt;
  uint32_t facts = tt->facts.count, n = term_count(tt, c);
  if (++d->steps > MOST_STEPS) return false;
  bool good = false;
  if (c == tt->false_) return true;
  if (term_kind(tt, c) == TERM_OR) {
    for (uint32_t i = 0; i < n; i++) if (!is_impossible(d, term_arg(tt, c, i))) return false;
    return true;
  }
  if (term_kind(tt, c) == TERM_AND) {
    for (uint32_t i = 0; i < n; i++) if (!(term_node(tt, term_arg(tt, c, i))->flags & TERM_HAS_REAL)) equal_push(tt, term_arg(tt, c, i));
    good = is_contradiction(d, facts);
    for (uint32_t i = 0; i < n && !good; i++) {
      Term part = term_rebuild(tt, term_arg(tt, c, i));
      if (part != tt->true_) good = is_impossible(d, part);
    }
  } else if (term_kind(tt, c) == TERM_FOLD && term_aux(tt, c) == FOLD_ANY) {
    Opened o = open_fold(d, c);
    good = o.empty || is_contradiction(d, facts) || is_impossible(d, o.parts.body);
    close_fold(d, &o);
  } else good = safety_holds(d->s, term_not(tt, c));
  term_pop_facts(tt, facts);
  return good;
}

/* NaN where the execution says that the value is lost: the condition is no part of the program. */
static bool is_never_lost(Domain *d, Term t, bool (*check)(Domain *, Term)) {
  TermTable *tt = d->tt;
  uint32_t facts = tt->facts.count;
  if (!is_impossible(d, term_arg(tt, t, 0))) return blame(d, term_arg(tt, t, 1), "a value that infinities leave undefined");
  bool good = !assume_here(d, term_not(tt, term_arg(tt, t, 0))) || check(d, term_arg(tt, t, 2));
  term_pop_facts(tt, facts);
  return good;
}

static bool is_defined_select(Domain *d, Term t, bool (*check)(Domain *, Term)) {
  TermTable *tt = d->tt;
  Term c = term_arg(tt, t, 0);
  uint32_t facts = tt->facts.count;
  if (d->s->on->ex->options.keeps_infinities && term_kind(tt, term_arg(tt, t, 1)) == TERM_NAN) return is_never_lost(d, t, check);
  if (!is_defined(d, c)) return false;
  if (d->trusts_inputs) c = term_rebuild(tt, c);
  bool chosen = d->trusts_inputs && depends_on_inputs(tt, c);
  d->choices += chosen;
  bool good = !assume_here(d, c) || check(d, term_arg(tt, t, 1));
  term_pop_facts(tt, facts);
  good = good && (!assume_here(d, term_not(tt, c)) || check(d, term_arg(tt, t, 2)));
  term_pop_facts(tt, facts);
  d->choices -= chosen;
  return good;
}

static bool is_defined_product(Domain *d, Term t) {
  TermTable *tt = d->tt;
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    Term base = term_arg(tt, t, i);
    Rational e = term_rat(tt, term_arg(tt, t, i + 1));
    if (!is_defined(d, base)) return false;
    if (!is_finite(d, base)) { /* positive * (-inf) = -inf */
      for (uint32_t k = 0; k < term_count(tt, t); k += 2)
        if (k == i ? e.num != 1 || e.den != 1 : !is_finite(d, term_arg(tt, t, k)) || !is_positive(d, term_arg(tt, t, k), true))
          return blame(d, t, "a product with a factor that may be infinite");
      continue;
    }
    if (e.num < 0 && e.den == 1 && !meets(d, base, NEED_NONZERO)) return blame(d, t, "a division by what may be 0");
    if (e.den != 1 && !meets(d, base, e.num < 0 ? NEED_POSITIVE : NEED_NONNEGATIVE)) return blame(d, t, e.num < 0 ? "a root in a divisor that may be 0 or less" : "a root of a number that may be negative");
  }
  return true;
}

static bool is_defined_sum(Domain *d, Term t) {
  TermTable *tt = d->tt;
  bool above = false, below = false; /* may be +inf, -inf */
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    Term part = term_arg(tt, t, i + 1);
    int sign = term_rat(tt, term_arg(tt, t, i)).num < 0 ? -1 : 1;
    if (!is_defined(d, part)) return false;
    if (is_finite(d, part)) continue;
    above |= !is_never(d, part, sign), below |= !is_never(d, part, -sign);
  }
  return !(above && below) || blame(d, t, "a sum of parts that may be infinite with opposite signs");
}

/* A number or an infinity, for all finite inputs, under the facts at hand. */
static bool is_defined(Domain *d, Term t) {
  TermTable *tt = d->tt;
  uint32_t flags = term_node(tt, t)->flags;
  if (++d->steps > MOST_STEPS) return blame(d, t, "the formula is too large to be looked through");
  if (term_sort(tt, t) == SORT_INT && !(flags & (TERM_HAS_UNDEF | TERM_HAS_REAL))) return true;
  switch (term_kind(tt, t)) {
  case TERM_UNDEF: return d->skips_open || blame(d, t, "a lane that no load defined");
  case TERM_NAN: return d->choices || blame(d, t, "a NaN that the kernel writes itself");
  case TERM_SELECT: return is_defined_select(d, t, is_defined);
  case TERM_MUL: return is_defined_product(d, t);
  case TERM_ADD: return is_defined_sum(d, t);
  case TERM_FN: return is_defined_fn(d, t);
  case TERM_FOLD: {
    TermFoldOp op = (TermFoldOp)term_aux(tt, t);
    Opened o = open_fold(d, t);
    bool good = o.empty || (is_defined(d, o.parts.guard) && is_defined(d, o.parts.body));
    if (good && !o.empty && (op == FOLD_SUM || op == FOLD_PROD) && term_sort(tt, o.parts.body) != SORT_BOOL && !is_finite(d, o.parts.body))
      good = blame(d, t, "a sum with an element that may be infinite");
    close_fold(d, &o);
    return good;
  }
  default: break;
  }
  for (uint32_t i = 0; i < term_count(tt, t); i++) if (term_kind(tt, t) != TERM_READ && !is_defined(d, term_arg(tt, t, i))) return false;
  return true;
}

/* Is the first or the last element of a fold there, and not the infinity of that sign? */
static bool some_is_not(Domain *d, Term fold, int sign) {
  TermTable *tt = d->tt;
  FoldParts p = term_fold_open(tt, fold);
  Term ends[] = {p.lo, term_sub(tt, p.hi, tt->one)};
  for (int i = 0; i < 2; i++)
    if (guard_at(d, &p, ends[i]) && is_never(d, term_rebuild(tt, term_replace(tt, p.body, p.symbol, ends[i])), sign)) return true;
  return false;
}

/* Not the infinity of that sign, given that it is defined. */
static bool is_never(Domain *d, Term t, int sign) {
  TermTable *tt = d->tt;
  if (++d->steps > MOST_STEPS) return false;
  for (uint32_t i = 0; i < tt->facts.count; i++) { /* a guard that says so */
    Term f = tt->facts.data[i], c = term_kind(tt, f) == TERM_NOT ? term_arg(tt, f, 0) : 0;
    if (c && term_kind(tt, c) == (sign < 0 ? TERM_IS_NEG_INF : TERM_IS_INF) && term_arg(tt, c, 0) == t) return true;
  }
  if (t == tt->inf || t == tt->neg_inf) return t == (sign > 0 ? tt->neg_inf : tt->inf);
  switch (term_kind(tt, t)) {
  case TERM_FOLD: { /* a maximum of nothing is -inf, a minimum +inf */
    TermFoldOp op = (TermFoldOp)term_aux(tt, t);
    if (op != FOLD_MAX && op != FOLD_MIN) return is_finite(d, t);
    Opened o = open_fold(d, t);
    bool body = o.empty || is_never(d, o.parts.body, sign);
    close_fold(d, &o);
    if ((op == FOLD_MAX) == (sign > 0)) return body; /* of all elements; else of one is enough */
    return (body && is_nonempty(d, t)) || some_is_not(d, t, sign);
  }
  case TERM_ADD:
    for (uint32_t i = 1; i < term_count(tt, t); i += 2)
      if (!is_never(d, term_arg(tt, t, i + 1), term_rat(tt, term_arg(tt, t, i)).num < 0 ? -sign : sign)) return false;
    return true;
  case TERM_MUL: { /* with positive factors, the sign of the one that is infinite */
    Term infinite = 0;
    for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
      Term base = term_arg(tt, t, i);
      if (is_finite(d, base)) continue;
      if (infinite) return false;
      infinite = base;
    }
    return !infinite || is_never(d, infinite, sign); /* is_defined has seen that the others are positive */
  }
  case TERM_MAX: case TERM_MIN: {
    bool all = (term_kind(tt, t) == TERM_MAX) == (sign > 0); /* none may be it, or one that is not is enough */
    for (uint32_t i = 0; i < term_count(tt, t); i++) if (is_never(d, term_arg(tt, t, i), sign) != all) return !all;
    return all;
  }
  case TERM_SELECT: {
    uint32_t facts = tt->facts.count;
    bool good = !assume_here(d, term_arg(tt, t, 0)) || is_never(d, term_arg(tt, t, 1), sign);
    term_pop_facts(tt, facts);
    if (!good) return false;
    good = !assume_here(d, term_not(tt, term_arg(tt, t, 0))) || is_never(d, term_arg(tt, t, 2), sign);
    term_pop_facts(tt, facts);
    return good;
  }
  default: return is_finite(d, t);
  }
}

/* Not an infinity, given that it is defined. */
static bool is_finite(Domain *d, Term t) {
  TermTable *tt = d->tt;
  if (++d->steps > MOST_STEPS) return false;
  if (term_sort(tt, t) == SORT_INT || term_sort(tt, t) == SORT_BOOL) return true;
  switch (term_kind(tt, t)) {
  case TERM_INF: case TERM_NEG_INF: return false;
  case TERM_NAN: return d->choices > 0;
  case TERM_UNDEF: return d->skips_open;
  case TERM_SELECT: return is_defined_select(d, t, is_finite);
  case TERM_MAX: case TERM_MIN: return is_never(d, t, 1) && is_never(d, t, -1);
  case TERM_FOLD: {
    TermFoldOp op = (TermFoldOp)term_aux(tt, t);
    Opened o = open_fold(d, t);
    if (op == FOLD_MAX || op == FOLD_MIN) {
      close_fold(d, &o);
      return is_never(d, t, 1) && is_never(d, t, -1);
    }
    bool good = o.empty || is_finite(d, o.parts.body);
    close_fold(d, &o);
    return good;
  }
  case TERM_FN:
    if (term_aux(tt, t) == FN_EXP) return is_never(d, term_arg(tt, t, 0), 1); /* exp(-inf) = 0 */
    break;
  default: break;
  }
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (term_kind(tt, t) != TERM_READ && term_kind(tt, t) != TERM_RAT && !is_finite(d, term_arg(tt, t, i))) return false;
  return true;
}

/* ---- the obligation of each store ---- */

/* Is the domain that of the operator itself, its argument an input as it stands? */
static bool is_elementwise(const TermTable *tt, Term culprit) { return !(term_node(tt, culprit)->flags & (TERM_HAS_FOLD | TERM_HAS_UNDEF)); }

/* Of what was found: is it the inputs alone, or is there something else where these are in the domain of all that takes them?
 * Then that is to blame. The facts are those of the first look. */
static uint8_t part_of_inputs(Domain *d, Term t, bool (*look)(Domain *, Term)) {
  Domain again = {.s = d->s, .tt = d->tt, .skips_open = d->skips_open, .trusts_inputs = true};
  if (!is_elementwise(d->tt, d->culprit)) return OF_INPUTS_NOT;
  if (look(&again, t)) return OF_INPUTS_ALONE;
  if (again.culprit) d->culprit = again.culprit, d->why = again.why;
  return OF_INPUTS_TOO;
}

static const char *on_inputs(uint8_t of_inputs) { return of_inputs == OF_INPUTS_ALONE ? "; this depends on the inputs" : ""; }

static const Access *access_of(const Safety *s, uint32_t output, uint32_t piece) {
  for (uint32_t i = 0; i < s->on->places.count; i++) {
    const RecoveryPlace *p = &s->on->places.data[i];
    if (p->output == output && p->piece == piece) return &s->on->ex->accesses.data[p->access];
  }
  return NULL;
}

static void check_piece(Safety *s, uint32_t number, uint32_t piece_number) {
  TermTable *tt = s->tt;
  const PointwiseOutput *output = &s->on->pointwise->outputs.data[number];
  const PointwiseTensor *view = &s->on->pointwise->tensors.data[output->tensor];
  const PointwisePiece *piece = &output->pieces.data[piece_number];
  const Access *access = access_of(s, number, piece_number);
  Domain d = {.s = s, .tt = tt};
  uint32_t facts = tt->facts.count;
  for (uint32_t k = 0; k < output->rank; k++) {
    equal_push(tt, term_le(tt, tt->zero, output->index[k]));
    equal_push(tt, term_lt(tt, output->index[k], view->extent[k]));
  }
  bool good = is_defined(&d, piece->region);
  equal_push(tt, piece->region);
  Term looked_at = good ? piece->value : piece->region;
  good = good && is_defined(&d, piece->value);
  uint8_t of_inputs = good ? OF_INPUTS_NOT : part_of_inputs(&d, looked_at, is_defined);
  term_pop_facts(tt, facts);
  const char *detail = good ? NULL : arena_format(s->arena, "%s: %.160s%s", d.why, term_text(tt, d.culprit), on_inputs(of_inputs));
  Obligation *o = safety_add(s, OBLIGATION_UNDEFINED, good ? OBLIGATION_PROVED : OBLIGATION_UNKNOWN, access ? access->op : 0, view->symbol, detail);
  o->of_inputs = of_inputs;
}

/* ---- loops ---- */

typedef struct Closing {
  const Execution *ex;
  const LoopRecord *loop; /* whose first iteration is looked at; NULL: none */
  const Term *start;      /* by its values: memory that stands for what it starts with, whatever that is; 0: the closed form */
} Closing;

/* A value that a loop carries, in closed form. */
static Term put_closed(TermTable *tt, Term t, void *payload) {
  const Closing *closing = payload;
  const Execution *ex = closing->ex;
  if (term_kind(tt, t) != TERM_READ || term_symbol(tt, term_arg(tt, t, 0))->role != SYMBOL_CARRY) return t;
  for (uint32_t l = 0; l < ex->loops.count; l++)
    for (uint32_t i = 0; i < ex->loops.data[l].values.count; i++) {
      const LoopValue *v = &ex->loops.data[l].values.data[i];
      Term at[TYPE_MAX_RANK], start = &ex->loops.data[l] == closing->loop ? closing->start[i] : 0;
      if (term_arg(tt, t, 0) != v->symbol) continue;
      for (uint32_t k = 0; k < v->rank; k++) at[k] = term_arg(tt, t, k + 1);
      if (start) return term_read(tt, start, SORT_REAL, v->rank, at);
      return v->rank ? term_substitute(tt, v->closed, (TermMap){v->rank, v->lanes, at}) : v->closed;
    }
  return t;
}

static Term closed_with(Closing *closing, Term t) {
  return term_rebuild(closing->ex->tt, term_transform(closing->ex->tt, t, put_closed, closing));
}

static Term closed(const Execution *ex, Term t) {
  Closing closing = {.ex = ex};
  return closed_with(&closing, t);
}

static const char *blamed(Safety *s, const Domain *d, OpId op, uint8_t of_inputs) {
  return arena_format(s->arena, "%s: %.160s (%s)%s", d->why, term_text(s->tt, d->culprit), execute_where(s->on->ex, op), on_inputs(of_inputs));
}

static void enter_loop(Safety *s, const LoopRecord *loop, bool first) {
  TermTable *tt = s->tt;
  equal_push(tt, term_lt(tt, tt->zero, loop->trips));
  for (uint32_t k = 0; k < loop->outer_count; k++)
    if (term_symbol(tt, loop->outer[k])->hi) equal_push(tt, term_le(tt, tt->zero, term_symbol(tt, loop->outer[k])->hi));
  if (first) equal_push(tt, term_le(tt, loop->counter, tt->zero));
  else equal_push(tt, term_lt(tt, loop->counter, loop->trips)), equal_push(tt, term_le(tt, tt->one, loop->counter));
}

/* In the first iteration a closed form may be 0/0, where the loop starts with a number: any number will do. Terms are closed
 * before the facts are known: with them, 0/0 may become 0. */
static Closing first_iteration(Safety *s, const LoopRecord *loop) {
  TermTable *tt = s->tt;
  Term *start = arena_array(s->arena, Term, loop->values.count + 1);
  Closing plain = {.ex = s->on->ex};
  for (uint32_t i = 0; i < loop->values.count; i++) {
    const LoopValue *v = &loop->values.data[i];
    Domain d = {.s = s, .tt = tt}, e = {.s = s, .tt = tt};
    uint32_t facts = tt->facts.count;
    if (term_sort(tt, v->closed) != SORT_REAL) continue;
    Term form = closed_with(&plain, v->closed), init = closed_with(&plain, v->init);
    enter_loop(s, loop, true);
    if (!is_defined(&d, form) && is_defined(&e, init) && is_finite(&e, init)) start[i] = term_symbol_fresh(tt, "start", SORT_REAL, SYMBOL_TENSOR);
    term_pop_facts(tt, facts);
  }
  return (Closing){s->on->ex, loop, start};
}

/* A closed form may be defined where a step of the loop was not. NULL: all steps are. */
static const char *open_step(Safety *s, uint8_t *of_inputs) {
  TermTable *tt = s->tt;
  const Execution *ex = s->on->ex;
  for (uint32_t l = 0; l < ex->loops.count; l++) {
    const LoopRecord *loop = &ex->loops.data[l];
    uint32_t facts = tt->facts.count;
    Closing closings[] = {{.ex = ex}, first_iteration(s, loop)};
    for (uint32_t i = 0; i < 2 * loop->values.count; i++) {
      const LoopValue *v = &loop->values.data[i / 2];
      Domain d = {.s = s, .tt = tt};
      if (term_sort(tt, v->step) != SORT_REAL) continue;
      Term step = closed_with(&closings[i % 2], v->step);
      enter_loop(s, loop, i % 2);
      bool good = is_defined(&d, step);
      if (!good) *of_inputs = part_of_inputs(&d, step, is_defined);
      term_pop_facts(tt, facts);
      if (!good) return blamed(s, &d, loop->op, *of_inputs);
    }
  }
  return NULL;
}

/* ---- what the constructors of terms leave out ---- */

enum { MOST_PARTS = 48 };

/* Divisors and arguments of roots and logarithms below a term. */
typedef struct Parts {
  Term data[MOST_PARTS];
  uint32_t count, visited;
  bool all;
} Parts;

static void add_part(Parts *p, Term t) {
  for (uint32_t i = 0; i < p->count; i++) if (p->data[i] == t) return;
  if (p->count < MOST_PARTS) p->data[p->count++] = t;
  else p->all = false;
}

static void find_parts(const TermTable *tt, Term t, Parts *p, uint8_t *seen) {
  if (seen[t] || ++p->visited > 4000) {
    p->all &= p->visited <= 4000;
    return;
  }
  seen[t] = 1;
  if (term_sort(tt, t) != SORT_REAL && term_kind(tt, t) != TERM_LE && term_kind(tt, t) != TERM_LT && term_kind(tt, t) != TERM_EQ) return;
  if (term_kind(tt, t) == TERM_READ) return;
  if (term_kind(tt, t) == TERM_MUL)
    for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
      Rational e = term_rat(tt, term_arg(tt, t, i + 1));
      if (e.num < 0 || e.den != 1) add_part(p, term_arg(tt, t, i));
    }
  if (term_kind(tt, t) == TERM_FN && (term_aux(tt, t) == FN_LOG || term_aux(tt, t) == FN_POW)) add_part(p, term_arg(tt, t, 0));
  for (uint32_t i = 0; i < term_count(tt, t); i++) find_parts(tt, term_arg(tt, t, i), p, seen);
}

static Parts parts_of(Safety *s, Term t) {
  Parts p = {.all = true};
  ArenaMark mark = arena_mark(s->arena);
  find_parts(s->tt, t, &p, arena_array(s->arena, uint8_t, s->tt->nodes.count + 1));
  arena_reset(s->arena, mark);
  return p;
}

static bool has_part(const Parts *p, Term t) {
  for (uint32_t i = 0; i < p->count; i++) if (p->data[i] == t) return true;
  return false;
}

/* 0 / x is 0 as a term, and a / b - a / b too: what is left out must be defined by itself. NULL: it is. */
static const char *left_out(Safety *s) {
  TermTable *tt = s->tt;
  const Execution *ex = s->on->ex;
  const Program *p = ex->program;
  for (OpId id = ex->extent.first_op; id < ex->extent.end_op; id++) {
    const Op *op = program_get_op(p, id);
    bool divides = op->code == OP_ARITH_DIVF;
    if ((!divides && op->code != OP_ARITH_MULF && op->code != OP_ARITH_SUBF && op->code != OP_ARITH_ADDF) || !ex->values[op->first_result]) continue;
    Term a = ex->values[op->operands[0]], b = ex->values[op->operands[1]], r = ex->values[op->first_result];
    Domain d = {.s = s, .tt = tt};
    if (!a || !b || (term_node(tt, a)->count == 0 && term_node(tt, b)->count == 0 && !divides)) continue;
    if (divides && term_is_rat(tt, b)) continue;
    Parts left = parts_of(s, a), right = parts_of(s, b), kept = parts_of(s, r);
    bool good = left.all && right.all && kept.all;
    for (uint32_t i = 0; i < left.count; i++) good &= has_part(&kept, left.data[i]);
    for (uint32_t i = 0; i < right.count; i++) good &= has_part(&kept, right.data[i]);
    if (divides && a == tt->zero && !has_part(&kept, b)) good = false;
    if (op->code == OP_ARITH_SUBF && a == b && !is_finite(&d, closed(ex, a))) good = false;
    if (op->code == OP_ARITH_MULF && (a == tt->zero || b == tt->zero) && !is_finite(&d, closed(ex, a == tt->zero ? b : a))) good = false;
    if (good) continue;
    Term x = closed(ex, a), y = closed(ex, b);
    d = (Domain){.s = s, .tt = tt};
    if (is_defined(&d, x) && is_defined(&d, y) && is_finite(&d, x) && is_finite(&d, y) && (!divides || is_nonzero(&d, y) || blame(&d, y, "a division by what may be 0"))) continue;
    if (!d.culprit) blame(&d, r, "an operation that may be on infinities");
    return blamed(s, &d, id, is_elementwise(tt, d.culprit) ? OF_INPUTS_ALONE : OF_INPUTS_NOT);
  }
  return NULL;
}

static bool is_number(Domain *d, Term t) { return is_defined(d, t) && (is_finite(d, t) || blame(d, t, "an infinity")); }

const char *safety_not_a_number(Safety *s, Term t, OpId op, uint8_t *of_inputs) {
  Term value = closed(s->on->ex, t);
  Domain d = {.s = s, .tt = s->tt, .skips_open = true};
  if (is_number(&d, value)) return NULL;
  *of_inputs = part_of_inputs(&d, value, is_number);
  return blamed(s, &d, op, *of_inputs);
}

Term safety_closed(Safety *s, Term t) { return closed(s->on->ex, t); }

/* A term is what it is where it is defined (execute/lost.c): so the kernel is executed once more with NaN where infinities meet, which
 * must not reach what is stored. */
static bool infinities_meet(const Safety *s) {
  const Execution *old = s->on->ex;
  if (!old->meets_infinities) return false;
  Safety again = *s;
  again.tt = term_table_new(s->arena, s->tt->names);
  ExecuteOptions options = old->options;
  options.keeps_infinities = true;
  Execution *ex = execute_function(s->arena, again.tt, old->program, old->function, options);
  again.on = recover_views(s->arena, ex);
  if (again.on->stop_code) return true;
  again.report = arena_new(s->arena, Recovery);
  again.report->ex = ex;
  for (uint32_t i = 0; i < again.on->pointwise->outputs.count; i++)
    for (uint32_t k = 0; k < again.on->pointwise->outputs.data[i].pieces.count; k++) check_piece(&again, i, k);
  bool good = true;
  for (uint32_t i = 0; i < again.report->obligations.count; i++) good &= again.report->obligations.data[i].verdict == OBLIGATION_PROVED;
  return !good;
}

void safety_undefined(Safety *s) {
  TermTable *tt = s->tt;
  const Execution *ex = s->on->ex;
  for (uint32_t i = 0; i < ex->accesses.count; i++) { /* addresses and masks */
    const Access *a = &ex->accesses.data[i];
    if (!((term_node(tt, a->offset)->flags | term_node(tt, a->mask)->flags) & TERM_HAS_UNDEF)) continue;
    safety_add(s, OBLIGATION_UNDEFINED, OBLIGATION_UNKNOWN, a->op, a->tensor, "a lane that no load defined may reach an address or a mask");
  }
  uint8_t of_inputs = OF_INPUTS_NOT;
  const char *open = open_step(s, &of_inputs);
  if (!open) open = left_out(s);
  uint32_t first = s->report->obligations.count;
  bool may_hide = false; /* lanes that hold 0 by assumption are not seen in the terms any more */
  for (uint32_t i = 0; i < ex->accesses.count; i++) may_hide |= ex->options.zero_fill && ex->accesses.data[i].absent_other;
  for (uint32_t i = 0; i < s->on->pointwise->outputs.count; i++)
    for (uint32_t k = 0; k < s->on->pointwise->outputs.data[i].pieces.count; k++) {
      if (!may_hide && !open) {
        check_piece(s, i, k);
        continue;
      }
      const Access *access = access_of(s, i, k);
      Obligation *o = safety_add(s, OBLIGATION_UNDEFINED, OBLIGATION_UNKNOWN, access ? access->op : 0, s->on->pointwise->tensors.data[s->on->pointwise->outputs.data[i].tensor].symbol,
                                 may_hide ? "lanes of a masked load without `other` may reach what is stored" : open);
      o->of_inputs = may_hide ? OF_INPUTS_NOT : of_inputs;
    }
  bool good = !may_hide && !open;
  for (uint32_t i = first; i < s->report->obligations.count; i++) good &= s->report->obligations.data[i].verdict == OBLIGATION_PROVED;
  if (good && infinities_meet(s))
    for (uint32_t i = first; i < s->report->obligations.count; i++)
      s->report->obligations.data[i].verdict = OBLIGATION_UNKNOWN, s->report->obligations.data[i].detail = "(-inf) - (-inf) may reach what is stored";
  if (may_hide) safety_assume(s, "zero-fill", 0, "masked lanes of loads without `other` hold 0", "as GPUs do today", NULL);
}
