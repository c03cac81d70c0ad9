/* The place of an extremum, written as the least index that has it.
 *
 *   min[l < h](where(l < b and f(l) == max[k < m](f(k)), c + l, n)) = c + argmax[l < m](f(l))    for m = min(h, b) > 0
 *
 * Some element of finite numbers is the greatest, and the least place of one is the arg max; n must not be below it. */
#include "term/cons.h"

/* f where a conjunct says f == max[lo <= k < hi](f) (*op: FOLD_MAX, or FOLD_MIN), and nothing else; 0: it says something else. */
static Term extreme_element(TermTable *tt, Term equation, Term symbol, Term lo, Term hi, TermFoldOp *op) {
  if (term_kind(tt, equation) != TERM_EQ || term_count(tt, equation) != 1 || term_kind(tt, term_arg(tt, equation, 0)) != TERM_ADD) return 0;
  Term e = term_arg(tt, equation, 0);
  for (uint32_t i = 1; i < term_count(tt, e); i += 2) {
    Term fold = term_arg(tt, e, i + 1);
    Rational k = term_rat(tt, term_arg(tt, e, i));
    if (term_kind(tt, fold) != TERM_FOLD || (term_aux(tt, fold) != FOLD_MAX && term_aux(tt, fold) != FOLD_MIN) || term_has_symbol(tt, fold, symbol)) continue;
    Term f = term_scale(tt, rational_neg(rational_div(tt->arena->guard, rational_int(1), k)), term_sub(tt, e, term_scale(tt, k, fold)));
    *op = (TermFoldOp)term_aux(tt, fold);
    if (term_is_finite(tt, f) && term_fold(tt, *op, symbol, lo, hi, tt->true_, f) == fold) return f;
  }
  return 0;
}

/* A conjunct that bounds the index: takes it into [*lo, *hi). */
static bool take_bound(TermTable *tt, Term condition, Term symbol, Term *lo, Term *hi) {
  if (term_kind(tt, condition) != TERM_LE || term_count(tt, condition) != 1 || term_sort(tt, term_arg(tt, condition, 0)) != SORT_INT) return false;
  Term e = term_arg(tt, condition, 0), up = term_sub(tt, e, symbol), down = term_add(tt, e, symbol);
  if (!term_has_symbol(tt, up, symbol)) *hi = term_min(tt, *hi, term_sub(tt, tt->one, up)); /* symbol + up <= 0 */
  else if (!term_has_symbol(tt, down, symbol)) *lo = term_max(tt, *lo, down);
  else return false;
  return true;
}

Term term_place_of_extremum(TermTable *tt, Term symbol, Term lo, Term hi, Term body) {
  if (term_kind(tt, body) != TERM_SELECT || term_sort(tt, body) != SORT_INT) return 0;
  for (uint32_t side = 1; side <= 2; side++) {
    Term place = term_arg(tt, body, side), otherwise = term_arg(tt, body, 3 - side), start = term_sub(tt, place, symbol), equation = 0;
    if (term_has_symbol(tt, start, symbol) || term_has_symbol(tt, otherwise, symbol) || !term_is_finite(tt, start) || !term_is_finite(tt, otherwise)) continue;
    Term condition = side == 1 ? term_arg(tt, body, 0) : term_not(tt, term_arg(tt, body, 0)), from = lo, to = hi;
    bool other = false;
    for (uint32_t i = 0, n = term_kind(tt, condition) == TERM_AND ? term_count(tt, condition) : 1; i < n; i++) {
      Term c = term_kind(tt, condition) == TERM_AND ? term_arg(tt, condition, i) : condition;
      if (take_bound(tt, c, symbol, &from, &to)) continue;
      other |= equation != 0;
      equation = c;
    }
    if (!equation || other || !term_prove_lt(tt, from, to) || !term_prove_le(tt, term_add(tt, start, term_sub(tt, to, tt->one)), otherwise)) continue;
    TermFoldOp op = FOLD_MAX;
    Term f = extreme_element(tt, equation, symbol, from, to, &op);
    if (f) return term_add(tt, start, term_fold(tt, op == FOLD_MAX ? FOLD_ARGMAX : FOLD_ARGMIN, symbol, from, to, tt->true_, f));
  }
  return 0;
}
