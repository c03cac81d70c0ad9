/* Flags: a choice of two numbers for each element of a fold, of which only one matters.
 *
 *   max[k](where(c, a, b))         = where(any[k](c), a, b)        a > b, of some elements
 *   min[k](where(c, a, b))         = where(all[k](c), a, b)        a > b, of some elements
 *   max(b, max[k](where(c, a, b))) = where(any[k](c), a, b)        a > b, of none too; likewise min(a, min[k](..))
 *   sum[k, c](a) <= 0              = not any[k](c)                 a > 0; also == 0, and < a
 *   all[k](c or d)                 = all[k, not c](d)              for a bound c of k, as term_fold has it of any
 *
 * Conditions fold by any and all, so that those of tiles become one (merge.c). A maximum is left as it is written
 * unless its flags are folds themselves, or it is compared (a sum: only if they are): that is what a flag for each
 * lane, or for each tile, leaves behind. */
#include "laws/laws.h"
#include "term/cons.h"

/* The flags of a fold: it is `yes` if one is set, else `no`. */
typedef struct Flags {
  FoldParts p;
  Term set; /* when an element is `yes` */
  Term yes, no;
  bool folds; /* they are any or all of something */
} Flags;

static bool is_condition_fold(const TermTable *tt, Term t, int depth) {
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_FOLD) return term_aux(tt, t) == FOLD_ANY || term_aux(tt, t) == FOLD_ALL;
  for (uint32_t i = 0; depth && (kind == TERM_AND || kind == TERM_OR || kind == TERM_NOT) && i < term_count(tt, t); i++)
    if (is_condition_fold(tt, term_arg(tt, t, i), depth - 1)) return true;
  return false;
}

/* True if t is the greatest, or least, of choices between two numbers. */
static bool find_flags(TermTable *tt, Term t, Flags *f) {
  if (term_kind(tt, t) != TERM_FOLD || (term_aux(tt, t) != FOLD_MAX && term_aux(tt, t) != FOLD_MIN)) return false;
  Term body = term_fold_body(tt, t);
  if (term_kind(tt, body) != TERM_SELECT || !term_is_rat(tt, term_arg(tt, body, 1)) ||
      !term_is_rat(tt, term_arg(tt, body, 2)))
    return false;
  if (term_node(tt, body)->flags & (TERM_HAS_UNDEF | TERM_HAS_INF)) return false;
  f->p = term_fold_open(tt, t);
  body = f->p.body;
  if (term_kind(tt, body) != TERM_SELECT || !term_is_rat(tt, term_arg(tt, body, 1)) ||
      !term_is_rat(tt, term_arg(tt, body, 2)))
    return false;
  Term c = term_arg(tt, body, 0), a = term_arg(tt, body, 1), b = term_arg(tt, body, 2);
  bool greater = rational_compare(tt->arena->guard, term_rat(tt, a), term_rat(tt, b)) > 0,
       first = greater == (f->p.op == FOLD_MAX);
  f->set = first ? c : term_not(tt, c), f->yes = first ? a : b, f->no = first ? b : a;
  f->folds = is_condition_fold(tt, c, 3);
  return true;
}

static bool has_some(TermTable *tt, const Flags *f) {
  return f->p.guard == tt->true_ && term_prove_lt(tt, f->p.lo, f->p.hi);
}

/* any[k](not c) is not all[k](c). */
static Term any_set(TermTable *tt, const Flags *f) {
  bool turned = term_kind(tt, f->set) == TERM_NOT;
  Term fold = term_fold(tt, turned ? FOLD_ALL : FOLD_ANY, f->p.symbol, f->p.lo, f->p.hi, f->p.guard,
                        turned ? term_not(tt, f->set) : f->set);
  return turned ? term_not(tt, fold) : fold;
}

/* In the words of the larger number: a minimum is it where all flags say so. */
static Term as_choice(TermTable *tt, const Flags *f) {
  Term any = any_set(tt, f);
  return f->p.op == FOLD_MAX ? term_select(tt, any, f->yes, f->no) : term_select(tt, term_not(tt, any), f->no, f->yes);
}

/* max(no, fold, ..) */
static Term decide_extremum(TermTable *tt, Term t) {
  bool is_max = term_kind(tt, t) == TERM_MAX;
  for (uint32_t i = 0; i < term_count(tt, t); i++) {
    Flags f;
    bool bounded = false;
    if (!find_flags(tt, term_arg(tt, t, i), &f) || (f.p.op == FOLD_MAX) != is_max) continue;
    for (uint32_t k = 0; k < term_count(tt, t); k++) bounded |= term_arg(tt, t, k) == f.no;
    if (!bounded) continue;
    Term result = as_choice(tt, &f);
    for (uint32_t k = 0; k < term_count(tt, t); k++)
      if (k != i && term_arg(tt, t, k) != f.no)
        result = is_max ? term_max(tt, result, term_arg(tt, t, k)) : term_min(tt, result, term_arg(tt, t, k));
    return result;
  }
  return t;
}

/* The condition with x, an argument of it or a summand of one, put as a number. */
static Term with_number(TermTable *tt, Term condition, Term x, Term number) {
  Term args[2], t;
  for (uint32_t i = 0; i < 2 && i < term_count(tt, condition); i++) {
    args[i] = t = term_arg(tt, condition, i);
    if (t == x) args[i] = number;
    for (uint32_t k = 1; term_kind(tt, t) == TERM_ADD && k < term_count(tt, t); k += 2) {
      Rational r = term_rat(tt, term_arg(tt, t, k));
      if (term_arg(tt, t, k + 1) == x)
        args[i] = term_add(tt, term_sub(tt, t, term_scale(tt, r, x)), term_scale(tt, r, number));
    }
  }
  return term_make(tt, condition, args);
}

/* A sum of one positive number, which is 0 where no element passes the guard, compared with what only 0 is below. */
static Term decide_sum(TermTable *tt, Term t, Term sum) {
  FoldParts p = term_fold_open(tt, sum);
  if (term_aux(tt, sum) != FOLD_SUM || !term_is_rat(tt, p.body) || term_rat(tt, p.body).num <= 0 ||
      !is_condition_fold(tt, p.guard, 3))
    return t;
  Term none = with_number(tt, t, sum, tt->zero),
       one = with_number(tt, t, sum, p.body); /* linear in the sum: of several as of one */
  bool above = none == tt->false_ && one == tt->true_ && term_kind(tt, t) != TERM_EQ;
  if (!above && (none != tt->true_ || one != tt->false_)) return t;
  Term any = term_fold(tt, FOLD_ANY, p.symbol, p.lo, p.hi, tt->true_, p.guard);
  return above ? any : term_not(tt, any);
}

static Term decide_fold_in(TermTable *tt, Term t, Term x) {
  Flags f;
  if (term_kind(tt, x) != TERM_FOLD) return t;
  if (term_aux(tt, x) == FOLD_SUM) return decide_sum(tt, t, x);
  if (!find_flags(tt, x, &f) || !has_some(tt, &f)) return t;
  Term any = any_set(tt, &f), yes = with_number(tt, t, x, f.yes), no = with_number(tt, t, x, f.no);
  return term_or(tt, term_and(tt, any, yes), term_and(tt, term_not(tt, any), no));
}

static Term decide_comparison(TermTable *tt, Term t) {
  for (uint32_t i = 0; i < term_count(tt, t); i++) {
    Term side = term_arg(tt, t, i);
    bool sum = term_kind(tt, side) == TERM_ADD;
    for (uint32_t k = sum ? 2 : 0; k < (sum ? term_count(tt, side) : 1); k += 2) {
      Term decided = decide_fold_in(tt, t, sum ? term_arg(tt, side, k) : side);
      if (decided != t) return decided;
    }
  }
  return t;
}

static bool holds_extremum(const TermTable *tt, Term t) {
  bool found = term_kind(tt, t) == TERM_MIN || term_kind(tt, t) == TERM_MAX;
  for (uint32_t i = 2; term_kind(tt, t) == TERM_ADD && i < term_count(tt, t); i += 2)
    found |= holds_extremum(tt, term_arg(tt, t, i));
  return found;
}

/* Where that makes the range no more than shorter. */
static Term decide_bounds(TermTable *tt, Term t) {
  if (term_kind(tt, term_fold_body(tt, t)) != TERM_OR) return t;
  FoldParts p = term_fold_open(tt, t);
  Term guard = p.guard, rest = tt->false_;
  for (uint32_t i = 0; term_kind(tt, p.body) == TERM_OR && i < term_count(tt, p.body); i++) {
    Term c = term_arg(tt, p.body, i);
    bool bound = term_kind(tt, c) == TERM_LE && term_count(tt, c) == 1 &&
                 term_sort(tt, term_arg(tt, c, 0)) == SORT_INT &&
                 !(term_node(tt, c)->flags & (TERM_HAS_READ | TERM_HAS_UNDEF | TERM_HAS_OPAQUE)) &&
                 term_has_symbol(tt, c, p.symbol);
    if (bound)
      guard = term_and(tt, guard, term_not(tt, c));
    else
      rest = term_or(tt, rest, c);
  }
  if (guard == p.guard) return t;
  Term all = term_fold(tt, FOLD_ALL, p.symbol, p.lo, p.hi, guard, rest);
  return term_kind(tt, all) == TERM_FOLD &&
                 (holds_extremum(tt, term_fold_lo(tt, all)) || holds_extremum(tt, term_fold_hi(tt, all)))
             ? t
             : all;
}

Term term_normalise_flags(TermTable *tt, Term t) {
  Flags f;
  if (!(term_node(tt, t)->flags & TERM_HAS_FOLD)) return t;
  TermKind kind = term_kind(tt, t);
  if (term_kind_is_extremum(kind)) return decide_extremum(tt, t);
  if (term_kind_is_comparison(kind)) return decide_comparison(tt, t);
  if (kind == TERM_FOLD) {
    if (term_aux(tt, t) == FOLD_ALL) return decide_bounds(tt, t);
    return find_flags(tt, t, &f) && f.folds && has_some(tt, &f) ? as_choice(tt, &f) : t;
  }
  return t;
}
