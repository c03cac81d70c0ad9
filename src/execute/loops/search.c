/* The first step at which the condition of a loop is false.
 *
 *   s*t + r <= 0, s > 0              floor(-r / s) + 1                        N, where the loop ends at the latest
 *   .. or u*t + v <= 0, u > 0         the later of both ends
 *   .. and t != e                    min(N, e) where e lies ahead
 *   s*t + r <= 0, s < 0              0: it is not entered
 *   anything that is false at 2^k     N = k, where values double or halve
 *   .. and q(t)                      min(N, min[k < N, not q(k)](k))          what is searched for, or the end
 *   .. and all[j < t](r(j))          min(N, min[k < N, not r(k)](k + 1))      a step that asks for no other (break)
 *
 * q may read memory, at other places in each step. Without a bound N the search may go on for ever, and there is no
 * closed form. */
#include "execute/loops/loop.h"

static Term first_false(Loop *loop, Term condition);

/* Each of them is true up to a step, and false from then on: so are they together. 0: not each. */
static Term first_false_of_all(Loop *loop, Term condition) {
  TermTable *tt = loop->tt;
  Term end = 0;
  for (uint32_t i = 0; i < term_count(tt, condition); i++) {
    Term own = first_false(loop, term_arg(tt, condition, i));
    if (!own) return 0;
    if (!end)
      end = own;
    else
      end = term_kind(tt, condition) == TERM_OR ? term_max(tt, end, own) : term_min(tt, end, own);
  }
  return end;
}

/* t + rest != 0 or -t + rest != 0: the step where they are equal, if it lies ahead. 0: another form. */
static Term first_equal(Loop *loop, Term condition) {
  TermTable *tt = loop->tt;
  Term equal = term_kind(tt, condition) == TERM_NOT ? term_arg(tt, condition, 0) : 0, t = loop->t;
  if (!equal || !loop->ex->program->is_host || term_kind(tt, equal) != TERM_EQ || term_count(tt, equal) != 1) return 0;
  Term e = term_arg(tt, equal, 0), rest = term_replace(tt, e, t, tt->zero), end = 0;
  if (term_sort(tt, e) != SORT_INT) return 0;
  if (term_add(tt, rest, t) == e) end = term_neg(tt, rest);
  if (term_sub(tt, rest, t) == e) end = rest;
  return end && !term_has_symbol(tt, end, t) ? end : 0;
}

/* Where nothing else ends the loop, the step lies ahead: else the loop would go on for ever, or until its counter
 * overflows, and a program of a host language relies on neither. */
static Term must_be_equal(Loop *loop, Term end) {
  TermTable *tt = loop->tt;
  RequiredNeed need = {term_le(tt, tt->zero, end), loop->ex->path, "the loop ends", loop->op};
  if (need.condition != tt->true_) array_push(loop->ex->arena, &loop->ex->effects->required, need);
  return end;
}

/* s*t + rest <= 0, s < 0: once it is true it stays so, until the counter overflows. A program of a host language does
 * not rely on that: its loop is not entered. */
static Term never_entered(Loop *loop, Term condition) {
  TermTable *tt = loop->tt;
  Term t = loop->t;
  if (!loop->ex->program->is_host || term_kind(tt, condition) != TERM_LE || term_count(tt, condition) != 1) return 0;
  Term e = term_arg(tt, condition, 0), rest = term_replace(tt, e, t, tt->zero);
  if (term_sort(tt, e) != SORT_INT || term_node(tt, e)->flags & TERM_HAS_READ) return 0;
  Term slope = term_sub(tt, term_replace(tt, e, t, term_add(tt, t, tt->one)), e);
  if (term_has_symbol(tt, slope, t) || !term_prove_lt(tt, slope, tt->zero)) return 0;
  RequiredNeed need = {term_lt(tt, tt->zero, rest), loop->ex->path, "the loop ends", loop->op};
  if (need.condition != tt->true_) array_push(loop->ex->arena, &loop->ex->effects->required, need);
  return tt->zero;
}

/* The condition as s*t + rest <= 0, s > 0: true for t <= floor(-rest / s), false from then on. */
static Term first_false(Loop *loop, Term condition) {
  TermTable *tt = loop->tt;
  Term t = loop->t;
  if (term_kind(tt, condition) == TERM_OR || term_kind(tt, condition) == TERM_AND)
    return first_false_of_all(loop, condition);
  if (term_kind(tt, condition) != TERM_LE || term_count(tt, condition) != 1) return 0;
  Term e = term_arg(tt, condition, 0), rest = term_replace(tt, e, t, tt->zero);
  if (term_sort(tt, e) != SORT_INT) return 0;
  Term slope = term_sub(tt, term_replace(tt, e, t, term_add(tt, t, tt->one)), e);
  if (term_has_symbol(tt, slope, t) || term_add(tt, rest, term_mul(tt, slope, t)) != e ||
      !term_prove_lt(tt, tt->zero, slope))
    return 0;
  return term_add(tt, term_floordiv(tt, term_neg(tt, rest), slope), tt->one);
}

/* min[k < hi, not q(k)](k + after). */
static Term first_hit(Loop *loop, Term q, Term hi, Term after) {
  TermTable *tt = loop->tt;
  return loop_fold_steps(loop, FOLD_MIN, term_add(tt, loop->t, after), hi, term_not(tt, q));
}

/* all[j < t](r(j)), or none of not r(j): r over the counter; 0: another form. */
static Term asked_of_all(Loop *loop, Term q) {
  TermTable *tt = loop->tt;
  bool none = term_kind(tt, q) == TERM_NOT;
  if (none) q = term_arg(tt, q, 0);
  if (term_kind(tt, q) != TERM_FOLD || term_aux(tt, q) != (none ? FOLD_ANY : FOLD_ALL) ||
      term_fold_lo(tt, q) != tt->zero || term_fold_hi(tt, q) != loop->t)
    return 0;
  FoldParts p = term_fold_open(tt, q);
  Term body = none ? term_not(tt, p.body) : p.body,
       r = p.guard == tt->true_ ? body : term_or(tt, term_not(tt, p.guard), body);
  return term_has_symbol(tt, r, loop->t) ? 0 : term_replace(tt, r, p.symbol, loop->t);
}

/* Steps after which no number of the usual widths goes on: what doubles or halves has passed all of them. */
static Term last_by_width(Loop *loop, Term condition) {
  static const int widths[] = {7, 8, 15, 16, 31, 32, 63, 64};
  TermTable *tt = loop->tt;
  for (uint32_t i = 0; i < sizeof widths / sizeof *widths; i++) {
    Term at = term_int(tt, widths[i]);
    if (term_prove_true(tt, term_not(tt, term_replace(tt, condition, loop->t, at)))) return at;
  }
  return 0;
}

Term loop_find_end(Loop *loop, Term condition) {
  TermTable *tt = loop->tt;
  bool several = term_kind(tt, condition) == TERM_AND;
  uint32_t n = several ? term_count(tt, condition) : 1;
  Term bound = 0, q = tt->true_, all = tt->true_;
  TermList equal = {0};
  for (uint32_t i = 0; i < n; i++) {
    Term part = several ? term_arg(tt, condition, i) : condition, end = first_false(loop, part),
         step = end ? 0 : first_equal(loop, part), r = end || step ? 0 : asked_of_all(loop, part);
    if (end)
      bound = bound ? term_min(tt, bound, end) : end;
    else if (step)
      array_push(tt->arena, &equal, step);
    else if (r)
      all = term_and(tt, all, r);
    else
      q = term_and(tt, q, part);
  }
  for (uint32_t i = 0; i < equal.count; i++) {
    Term step = equal.data[i];
    if (bound)
      bound = term_min(tt, bound, term_select(tt, term_le(tt, tt->zero, step), step, bound));
    else
      bound = must_be_equal(loop, step);
  }
  if (!bound) bound = last_by_width(loop, condition);
  if (!bound) bound = never_entered(loop, condition);
  if (!bound) return 0;
  Term end = bound;
  if (q != tt->true_) end = term_min(tt, end, first_hit(loop, q, bound, tt->zero));
  if (all != tt->true_) end = term_min(tt, end, first_hit(loop, all, bound, tt->one));
  return end;
}
