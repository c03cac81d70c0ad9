/* Poles (see poles.h).
 *
 * Without a choice that depends on data both sides are continuous wherever they are numbers. A pole can be approached
 * from places where they are equal, and there the left grows beyond all bounds: the right is no number at the pole
 * either. (A recurrence is its steps one after another, as many as integers say: it chooses where one of them does, by
 * what is carried too, which counts as data.) With a choice the pole may be all that one of its branches has. Then each
 * pole that the conditions around it leave possible is a case of its own: its argument is 0, and the sides are compared
 * there. Below a fold that would be said of one index only, so nothing is shown then. */
#include "prove/poles.h"

#include "prove/equal.h"
#include "prove/guards.h"
#include "term/cons.h"

enum { MOST_STEPS = 4000 };

typedef struct Poles {
  TermTable *tt;
  Term a, b;
  uint32_t steps, folds;
} Poles;

/* ---- choices ---- */

/* Of sizes and indices nothing is approached: between two of them there is no third. */
static bool is_of_data(TermTable *tt, Term condition) {
  TermList symbols = {0};
  if (term_node(tt, condition)->flags & (TERM_HAS_READ | TERM_HAS_REAL | TERM_HAS_OPAQUE)) return true;
  if (term_has_kind(tt, condition, TERM_STATE)) return true;
  term_symbols(tt, condition, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (term_sort(tt, symbols.data[i]) == SORT_REAL) return true;
  return false;
}

static bool is_choice(TermTable *tt, Term t) {
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_SELECT) return is_of_data(tt, term_arg(tt, t, 0));
  if (term_kind_is_rounding(kind) || kind == TERM_OPAQUE) return true;
  if (kind == TERM_FN)
    return term_sort(tt, t) != SORT_REAL || term_aux(tt, t) == FN_FMOD || term_aux(tt, t) == FN_ATAN2;
  if (kind == TERM_FOLD)
    return term_aux(tt, t) == FOLD_ARGMAX || term_aux(tt, t) == FOLD_ARGMIN ||
           (term_fold_guard(tt, t) != tt->true_ && is_of_data(tt, term_fold_guard(tt, t)));
  if (term_kind_is_comparison(kind)) return is_of_data(tt, t);
  return false;
}

static bool has_choice(TermTable *tt, Term t) {
  if (tt->marks.data[t] == tt->epoch) return false;
  tt->marks.data[t] = tt->epoch;
  if (is_choice(tt, t)) return true;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (has_choice(tt, term_arg(tt, t, i))) return true;
  return false;
}

/* A case of a proof is a choice that was made. */
static bool has_fact_of_data(TermTable *tt) {
  for (uint32_t i = 0; i < tt->facts.count; i++)
    if (is_of_data(tt, tt->facts.data[i])) return true;
  return false;
}

/* ---- the case of one pole ---- */

typedef struct Zero {
  Term part, by;
} Zero;

/* argument = 0, solved for an element or a symbol in it; else it is 0 as a whole. */
static Zero solve(TermTable *tt, Term argument) {
  for (uint32_t i = 2; term_kind(tt, argument) == TERM_ADD && i < term_count(tt, argument); i += 2) {
    Term part = term_arg(tt, argument, i);
    Rational k = term_rat(tt, term_arg(tt, argument, i - 1));
    if (term_sort(tt, part) != SORT_REAL || (term_kind(tt, part) != TERM_READ && term_kind(tt, part) != TERM_SYM))
      continue;
    return (Zero){part, term_scale(tt, rational_div(tt->arena->guard, rational_int(-1), k),
                                   term_sub(tt, argument, term_scale(tt, k, part)))};
  }
  return (Zero){argument, tt->zero};
}

static bool is_undefined(const TermTable *tt, Term t) {
  return term_kind(tt, t) == TERM_NAN || term_kind(tt, t) == TERM_UNDEF;
}

static bool sign_of(void *payload, Term t, bool strictly) {
  return strictly ? term_is_positive(payload, t) : term_is_nonnegative(payload, t);
}

/* By what stands around it, or of itself. */
static bool is_never_zero(TermTable *tt, Term t) {
  Term zero = term_eq(tt, t, tt->zero);
  if (term_is_nonzero(tt, t) || zero == tt->false_ || guards_exclude_zero(tt, t) ||
      equal_prove_true(tt, term_not(tt, zero)))
    return true;
  return guards_bound(tt, t, true, sign_of, tt) || guards_bound(tt, term_neg(tt, t), true, sign_of, tt);
}

static bool agree_at(Poles *p, Term argument) {
  TermTable *tt = p->tt;
  uint32_t facts = tt->facts.count;
  Term zero = term_eq(tt, argument, tt->zero);
  if (term_kind(tt, argument) == TERM_ABS) return agree_at(p, term_arg(tt, argument, 0));
  if (term_kind(tt, argument) == TERM_MUL) { /* one of the factors is 0 */
    for (uint32_t i = 0; i < term_count(tt, argument); i += 2)
      if (!agree_at(p, term_arg(tt, argument, i))) return false;
    return true;
  }
  if (is_never_zero(tt, argument)) return true;
  if (p->folds) return false;
  Zero solution = solve(tt, argument);
  equal_push(tt, zero);
  Term a = term_replace_part(tt, p->a, solution.part, solution.by),
       b = term_replace_part(tt, p->b, solution.part, solution.by);
  bool good = a == b || is_undefined(tt, b) || (!is_undefined(tt, a) && equal_prove(tt, a, b) != EQUAL_NONE);
  term_pop_facts(tt, facts);
  return good;
}

/* ---- where they are ---- */

static bool agree_in(Poles *p, Term t);

static bool agree_under(Poles *p, Term t, Term condition) {
  TermTable *tt = p->tt;
  uint32_t facts = tt->facts.count;
  if (condition == tt->false_ || equal_prove_false(tt, condition)) return true;
  equal_push(tt, condition);
  bool good = agree_in(p, t);
  term_pop_facts(tt, facts);
  return good;
}

static bool agree_in_fold(Poles *p, Term t) {
  FoldParts parts = term_fold_open(p->tt, t);
  p->folds++;
  bool good = agree_in(p, parts.guard) && agree_under(p, parts.body, parts.guard);
  p->folds--;
  return good;
}

static bool agree_in_product(Poles *p, Term t) {
  TermTable *tt = p->tt;
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    Term base = term_arg(tt, t, i);
    if (!agree_in(p, base) || (term_rat(tt, term_arg(tt, t, i + 1)).num < 0 && !agree_at(p, base))) return false;
  }
  return true;
}

static bool agree_in_function(Poles *p, Term t) {
  TermTable *tt = p->tt;
  Term x = term_arg(tt, t, 0);
  switch (term_fn_info((TermFn)term_aux(tt, t))->pole) {
  case FN_POLE_ZERO: return agree_at(p, x);
  case FN_POLE_ONE: return agree_at(p, term_sub(tt, x, tt->one)) && agree_at(p, term_add(tt, x, tt->one));
  case FN_POLE_WHOLE: return term_is_positive(tt, x);
  case FN_POLE_NONE: break;
  }
  return true;
}

/* Anything at all that may be a pole: inside a recurrence nothing is known of what it is applied to. */
static bool may_have_pole(TermTable *tt, Term t, uint32_t depth) {
  if (!depth || (term_kind(tt, t) == TERM_FN && term_fn_info((TermFn)term_aux(tt, t))->pole != FN_POLE_NONE))
    return true;
  for (uint32_t i = 1; term_kind(tt, t) == TERM_MUL && i < term_count(tt, t); i += 2)
    if (term_rat(tt, term_arg(tt, t, i)).num < 0) return true;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (may_have_pole(tt, term_arg(tt, t, i), depth - 1)) return true;
  return false;
}

static bool agree_in(Poles *p, Term t) {
  TermTable *tt = p->tt;
  guard_tick(tt->arena->guard);
  if (++p->steps > MOST_STEPS) return false;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_FOLD) return agree_in_fold(p, t);
  if (kind == TERM_MUL) return agree_in_product(p, t);
  if (kind == TERM_READ) return true; /* indices have none */
  if (kind == TERM_RECUR) return !may_have_pole(tt, t, 12);
  if (kind == TERM_SELECT) {
    Term c = term_arg(tt, t, 0);
    return agree_in(p, c) && agree_under(p, term_arg(tt, t, 1), c) &&
           agree_under(p, term_arg(tt, t, 2), term_not(tt, c));
  }
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (!agree_in(p, term_arg(tt, t, i))) return false;
  return term_kind(tt, t) != TERM_FN || agree_in_function(p, t);
}

bool poles_agree(TermTable *tt, Term a, Term b) {
  Poles p = {.tt = tt, .a = a, .b = b};
  term_marks_begin(tt);
  if (!has_choice(tt, a) && !has_choice(tt, b) && !has_fact_of_data(tt)) return true;
  return agree_in(&p, a);
}
