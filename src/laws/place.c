/* The place of an extremum: written as the least index that has it, and put together from the places in tiles.
 *
 *   min[l < h](where(l < b and f(l) == max[k < m](f(k)), c + l, n)) = c + argmax[l < m](f(l))    for m = min(h, b) > 0
 *
 *   min[t, max[l](f(t, l)) == M](B*t + argmax[l](f(t, l))) = min[k, f(k) == M](k) = argmax[k](f(k))    for M =
 * max[t](max[l](f(t, l)))
 *
 *   argmax[l < h](where(l < b, f(l), c)) = argmax[l < min(h, b)](f(l))    for f >= c and b > 0: the first of the best
 * is before the tail
 *
 * (t and l in either order, the last place likewise.) Some element of finite numbers is the greatest, and the least
 * place of one is the arg max; n must not be below it. */
#include "laws/laws.h"
#include "term/cons.h"

/* f where a conjunct says f == max[lo <= k < hi](f) (*op: FOLD_MAX, or FOLD_MIN), or f >= of it, which is the same, and
 * nothing else; 0: it says something else. */
static Term extreme_element(TermTable *tt, Term equation, Term symbol, Term lo, Term hi, TermFoldOp *op) {
  bool is_bound = term_kind(tt, equation) == TERM_LE;
  if ((term_kind(tt, equation) != TERM_EQ && !is_bound) || term_count(tt, equation) != 1 ||
      term_kind(tt, term_arg(tt, equation, 0)) != TERM_ADD)
    return 0;
  Term e = term_arg(tt, equation, 0);
  for (uint32_t i = 1; i < term_count(tt, e); i += 2) {
    Term fold = term_arg(tt, e, i + 1);
    Rational k = term_rat(tt, term_arg(tt, e, i));
    if (term_kind(tt, fold) != TERM_FOLD || (term_aux(tt, fold) != FOLD_MAX && term_aux(tt, fold) != FOLD_MIN) ||
        term_has_symbol(tt, fold, symbol) || (is_bound && (term_aux(tt, fold) == FOLD_MAX) != (k.num > 0)))
      continue;
    Term f = term_scale(tt, rational_neg(rational_div(tt->arena->guard, rational_int(1), k)),
                        term_sub(tt, e, term_scale(tt, k, fold)));
    *op = (TermFoldOp)term_aux(tt, fold);
    if (term_is_finite(tt, f) && term_fold(tt, *op, symbol, lo, hi, tt->true_, f) == fold) return f;
  }
  return 0;
}

/* A conjunct that bounds the index: takes it into [*lo, *hi). */
static bool take_bound(TermTable *tt, Term condition, Term symbol, Term *lo, Term *hi) {
  if (term_kind(tt, condition) != TERM_LE || term_count(tt, condition) != 1 ||
      term_sort(tt, term_arg(tt, condition, 0)) != SORT_INT)
    return false;
  Term e = term_arg(tt, condition, 0), up = term_sub(tt, e, symbol), down = term_add(tt, e, symbol);
  if (!term_has_symbol(tt, up, symbol))
    *hi = term_min(tt, *hi, term_sub(tt, tt->one, up)); /* symbol + up <= 0 */
  else if (!term_has_symbol(tt, down, symbol))
    *lo = term_max(tt, *lo, down);
  else
    return false;
  return true;
}

Term term_place_of_extremum(TermTable *tt, Term symbol, Term lo, Term hi, Term body) {
  if (term_kind(tt, body) != TERM_SELECT || term_sort(tt, body) != SORT_INT) return 0;
  for (uint32_t side = 1; side <= 2; side++) {
    Term place = term_arg(tt, body, side), otherwise = term_arg(tt, body, 3 - side),
         start = term_sub(tt, place, symbol), equation = 0;
    if (term_has_symbol(tt, start, symbol) || term_has_symbol(tt, otherwise, symbol) || !term_is_finite(tt, start) ||
        !term_is_finite(tt, otherwise))
      continue;
    Term condition = side == 1 ? term_arg(tt, body, 0) : term_not(tt, term_arg(tt, body, 0)), from = lo, to = hi;
    bool other = false;
    for (uint32_t i = 0, n = term_conjunct_count(tt, condition); i < n; i++) {
      Term c = term_conjunct(tt, condition, i);
      if (take_bound(tt, c, symbol, &from, &to)) continue;
      other |= equation != 0;
      equation = c;
    }
    if (!equation || other || !term_prove_lt(tt, from, to) ||
        !term_prove_le(tt, term_add(tt, start, term_sub(tt, to, tt->one)), otherwise))
      continue;
    TermFoldOp op = FOLD_MAX;
    Term f = extreme_element(tt, equation, symbol, from, to, &op);
    if (f)
      return term_add(tt, start,
                      term_fold(tt, op == FOLD_MAX ? FOLD_ARGMAX : FOLD_ARGMIN, symbol, from, to, tt->true_, f));
  }
  return 0;
}

Term term_place_before_tail(TermTable *tt, Term t) {
  bool is_largest = term_kind(tt, t) == TERM_FOLD && term_aux(tt, t) == FOLD_ARGMAX;
  if (!is_largest && (term_kind(tt, t) != TERM_FOLD || term_aux(tt, t) != FOLD_ARGMIN)) return t;
  FoldParts p = term_fold_open(tt, t);
  if (p.guard != tt->true_ || term_kind(tt, p.body) != TERM_SELECT) return t;
  for (uint32_t side = 1; side <= 2; side++) {
    Term f = term_arg(tt, p.body, side), tail = term_arg(tt, p.body, 3 - side), condition = term_arg(tt, p.body, 0);
    Term from = p.lo, to = p.hi, above = is_largest ? term_sub(tt, f, tail) : term_sub(tt, tail, f);
    bool is_bound = !term_has_symbol(tt, tail, p.symbol) && term_is_finite(tt, tail);
    if (side == 2) condition = term_not(tt, condition);
    for (uint32_t i = 0, n = term_conjunct_count(tt, condition); i < n; i++)
      is_bound = is_bound && take_bound(tt, term_conjunct(tt, condition, i), p.symbol, &from, &to);
    if (is_bound && from == p.lo && term_prove_lt(tt, from, to) && term_is_nonnegative(tt, above))
      return term_fold(tt, p.op, p.symbol, from, to, tt->true_, f);
  }
  return t;
}

/* A comparison of x with y, in this order. */
static void sides_of(TermTable *tt, Term comparison, Term *x, Term *y) {
  Term e = term_arg(tt, comparison, 0);
  *x = e, *y = term_count(tt, comparison) == 2 ? term_arg(tt, comparison, 1) : tt->zero;
  if (term_count(tt, comparison) == 2 || term_kind(tt, e) != TERM_ADD || term_count(tt, e) != 5 ||
      term_arg(tt, e, 0) != tt->zero)
    return;
  Rational k = term_rat(tt, term_arg(tt, e, 1));
  if (!rational_equal(k, rational_neg(term_rat(tt, term_arg(tt, e, 3))))) return;
  *x = term_arg(tt, e, k.num > 0 ? 2 : 4), *y = term_arg(tt, e, k.num > 0 ? 4 : 2);
}

/* A conjunct says that the best of the tile is the best of all: the tile, the best, and what else the guard says. */
static bool best_tile(TermTable *tt, const FoldParts *p, Term *tile, Term *best, Term *rest) {
  uint32_t n = term_kind(tt, p->guard) == TERM_AND ? term_count(tt, p->guard) : 1;
  for (uint32_t i = 0; i < n; i++) {
    Term x, y, equation = n > 1 ? term_arg(tt, p->guard, i) : p->guard;
    if (term_kind(tt, equation) != TERM_EQ) continue;
    sides_of(tt, equation, &x, &y);
    if (term_has_symbol(tt, y, p->symbol)) {
      Term other = x;
      x = y, y = other;
    }
    if (term_kind(tt, x) != TERM_FOLD || (term_aux(tt, x) != FOLD_MAX && term_aux(tt, x) != FOLD_MIN) ||
        !term_has_symbol(tt, x, p->symbol) || term_has_symbol(tt, y, p->symbol))
      continue;
    *tile = x, *best = y, *rest = tt->true_;
    for (uint32_t k = 0; k < n; k++)
      if (k != i) *rest = term_and(tt, *rest, term_arg(tt, p->guard, k));
    return true;
  }
  return false;
}

/* The place of the first (last) of the best in the tile, as the tile's fold says it. */
static Term place_in(TermTable *tt, Term tile, bool last) {
  FoldParts f = term_fold_open(tt, tile);
  if (last)
    return term_fold(tt, FOLD_MAX, f.symbol, f.lo, f.hi, term_and(tt, f.guard, term_eq(tt, f.body, tile)), f.symbol);
  return term_fold(tt, f.op == FOLD_MAX ? FOLD_ARGMAX : FOLD_ARGMIN, f.symbol, f.lo, f.hi, f.guard, f.body);
}

/* body = c*place + rest with c > 0. */
static bool goes_with(TermTable *tt, Term body, Term place, Term *c, Term *rest) {
  *c = tt->one, *rest = tt->zero;
  if (body == place) return true;
  if (term_kind(tt, body) != TERM_ADD) return false;
  for (uint32_t i = 1; i < term_count(tt, body); i += 2) {
    if (term_arg(tt, body, i + 1) != place) continue;
    *c = term_arg(tt, body, i), *rest = term_sub(tt, body, term_mul(tt, *c, place));
    return term_rat(tt, *c).num > 0 && term_sort(tt, *rest) == SORT_INT;
  }
  return false;
}

/* The best is finite, so that a tile that has it has elements. */
static Term without_empty_tiles(TermTable *tt, Term t) {
  FoldParts p = term_fold_open(tt, t);
  Term tile, best, rest;
  if (!best_tile(tt, &p, &tile, &best, &rest) || !term_is_finite(tt, best)) return 0;
  Term lo = term_fold_lo(tt, tile), hi = term_fold_hi(tt, tile), some = term_lt(tt, lo, hi);
  if (term_kind(tt, hi) == TERM_FLOORDIV && term_prove_lt(tt, tt->zero, term_arg(tt, hi, 1))) /* lo + 1 <= a // b */
    some = term_le(tt, term_mul(tt, term_arg(tt, hi, 1), term_add(tt, lo, tt->one)), term_arg(tt, hi, 0));
  return term_fold(tt, p.op, p.symbol, p.lo, p.hi, term_and(tt, p.guard, some), term_assume(tt, p.body, some));
}

/* min[k, f(k) == max[k](f(k))](c*k + r) = c*argmax[k](f(k)) + r, if there is some k. */
static Term first_place(TermTable *tt, Term t, void *unused) {
  (void)unused;
  if (term_kind(tt, t) != TERM_FOLD || term_aux(tt, t) != FOLD_MIN || term_sort(tt, t) != SORT_INT ||
      term_kind(tt, term_fold_guard(tt, t)) != TERM_EQ)
    return t;
  FoldParts p = term_fold_open(tt, t);
  Term c, rest;
  TermFoldOp op = FOLD_MAX;
  if (!goes_with(tt, p.body, p.symbol, &c, &rest) || term_has_symbol(tt, rest, p.symbol) ||
      !term_prove_lt(tt, p.lo, p.hi))
    return t;
  Term f = extreme_element(tt, p.guard, p.symbol, p.lo, p.hi, &op);
  return f ? term_add(tt, rest,
                      term_mul(tt, c,
                               term_fold(tt, op == FOLD_MAX ? FOLD_ARGMAX : FOLD_ARGMIN, p.symbol, p.lo, p.hi,
                                         tt->true_, f)))
           : t;
}

/* The i-th summand of e is x where e == 0: what x is. */
static Term other_side(TermTable *tt, Term e, uint32_t i) {
  Rational k = term_rat(tt, term_arg(tt, e, i - 1));
  return term_scale(tt, rational_neg(rational_div(tt->arena->guard, rational_int(1), k)),
                    term_sub(tt, e, term_scale(tt, k, term_arg(tt, e, i))));
}

/* An equation of a maximum (minimum) with something: both; false: it is none. */
static bool extremum_and_other(TermTable *tt, Term equation, Term *extremum, Term *other) {
  if (term_kind(tt, equation) != TERM_EQ) return false;
  bool two = term_count(tt, equation) == 2;
  Term e = term_arg(tt, equation, 0);
  if (!two && term_kind(tt, e) != TERM_ADD) return false;
  for (uint32_t i = two ? 0 : 2; i < (two ? 2 : term_count(tt, e)); i += two ? 1 : 2) {
    Term x = two ? term_arg(tt, equation, i) : term_arg(tt, e, i);
    if ((term_kind(tt, x) != TERM_MAX && term_kind(tt, x) != TERM_MIN) || term_count(tt, x) > 8) continue;
    *extremum = x, *other = two ? term_arg(tt, equation, 1 - i) : other_side(tt, e, i);
    return true;
  }
  return false;
}

/* The other arguments of an extremum than x; 0: x is none of them, or the only one. */
static Term extremum_without(TermTable *tt, Term extremum, Term x) {
  Term rest = 0;
  bool found = false;
  for (uint32_t i = 0; i < term_count(tt, extremum); i++) {
    Term y = term_arg(tt, extremum, i);
    if (y == x)
      found = true;
    else
      rest = !rest ? y : term_kind(tt, extremum) == TERM_MAX ? term_max(tt, rest, y) : term_min(tt, rest, y);
  }
  return found ? rest : 0;
}

/* where(x > y or x == y and c, x, y) = max(x, y) of two numbers: equal ones need no choice. */
static Term choice_to_extremum(TermTable *tt, Term t) {
  Term c = term_arg(tt, t, 0), x = term_assume(tt, term_arg(tt, t, 1), c),
       y = term_assume(tt, term_arg(tt, t, 2), term_not(tt, c));
  if (term_sort(tt, t) != SORT_REAL || !term_is_number(tt, x) || !term_is_number(tt, y) || term_is_rat(tt, x) ||
      term_is_rat(tt, y))
    return t;
  Term less = term_lt(tt, x, y), more = term_lt(tt, y, x), differ = term_not(tt, term_eq(tt, x, y));
  Term if_less = term_assume(tt, c, term_and(tt, less, term_and(tt, differ, term_not(tt, more)))),
       if_more = term_assume(tt, c, term_and(tt, more, term_and(tt, differ, term_not(tt, less))));
  if (if_less == tt->false_ && if_more == tt->true_) return term_max(tt, x, y);
  return if_less == tt->true_ && if_more == tt->false_ ? term_min(tt, x, y) : t;
}

/* where(a or b and i < j, i, j) of integers, in steps: where(a, i, where(b, min(i, j), j)); 0: no part of c compares x
 * and y. */
static Term choice_in_steps(TermTable *tt, Term c, Term x, Term y) {
  if (c == term_lt(tt, x, y) || c == term_le(tt, x, y)) return term_min(tt, x, y);
  if (c == term_lt(tt, y, x) || c == term_le(tt, y, x)) return term_max(tt, x, y);
  bool any = term_kind(tt, c) == TERM_OR;
  if (!any && term_kind(tt, c) != TERM_AND) return 0;
  for (uint32_t i = 0; i < term_count(tt, c); i++) {
    Term inner = choice_in_steps(tt, term_arg(tt, c, i), x, y), others = term_bool(tt, !any);
    for (uint32_t k = 0; k < term_count(tt, c); k++)
      if (k != i) others = any ? term_or(tt, others, term_arg(tt, c, k)) : term_and(tt, others, term_arg(tt, c, k));
    if (!inner) continue;
    if (!any) return term_select(tt, others, inner, y);
    if (term_kind(tt, others) == TERM_LT && term_kind(tt, inner) == TERM_SELECT &&
        term_arg(tt, inner, 2) == y) { /* a < b or a == b and ..: what is left is b < a */
      Term a, b;
      sides_of(tt, others, &a, &b);
      if (term_is_number(tt, a) && term_is_number(tt, b) && term_arg(tt, inner, 0) == term_eq(tt, a, b))
        inner = term_select(tt, term_lt(tt, b, a), y, term_arg(tt, inner, 1));
    }
    return term_select(tt, others, x, inner);
  }
  return 0;
}

/* op[k, g(k) and f(k) == max(m, e)](h(k)) with m = max[k, g(k)](f(k)): nothing where e is more than all of them, else
 * what it is of m alone. */
static Term places_of_longer(TermTable *tt, Term t) {
  FoldParts p = term_fold_open(tt, t);
  uint32_t n = term_kind(tt, p.guard) == TERM_AND ? term_count(tt, p.guard) : 1;
  for (uint32_t i = 0; i < n; i++) {
    Term extremum, f, rest = tt->true_;
    if (!extremum_and_other(tt, n > 1 ? term_arg(tt, p.guard, i) : p.guard, &extremum, &f) ||
        term_has_symbol(tt, extremum, p.symbol) || !term_is_number(tt, f))
      continue;
    for (uint32_t k = 0; k < n; k++)
      if (k != i) rest = term_and(tt, rest, term_arg(tt, p.guard, k));
    bool max = term_kind(tt, extremum) == TERM_MAX;
    Term best = term_fold(tt, max ? FOLD_MAX : FOLD_MIN, p.symbol, p.lo, p.hi, rest, f),
         more = extremum_without(tt, extremum, best);
    if (!more || !term_is_number(tt, more)) continue;
    Term shorter = term_fold(tt, p.op, p.symbol, p.lo, p.hi, term_and(tt, rest, term_eq(tt, f, best)), p.body);
    return term_select(tt, max ? term_lt(tt, best, more) : term_lt(tt, more, best),
                       term_fold_identity(tt, p.op, term_sort(tt, p.body)), shorter);
  }
  return t;
}

/* x < m and m == -inf: never. */
static bool is_below_lowest(TermTable *tt, Term conjunction) {
  for (uint32_t i = 0; i < term_count(tt, conjunction); i++) {
    Term less = term_arg(tt, conjunction, i), x, y;
    if (term_kind(tt, less) != TERM_LT) continue;
    sides_of(tt, less, &x, &y);
    Term lowest = term_unary(tt, TERM_IS_NEG_INF, y);
    for (uint32_t k = 0; k < term_count(tt, conjunction); k++)
      if (term_arg(tt, conjunction, k) == lowest) return true;
  }
  return false;
}

Term term_normalise_places(TermTable *tt, Term t, void *unused) {
  (void)unused;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_AND) return is_below_lowest(tt, t) ? tt->false_ : t;
  if (kind == TERM_SELECT) {
    Term c = term_arg(tt, t, 0),
         inner = term_select(tt, c, term_assume(tt, term_arg(tt, t, 1), c),
                             term_assume(tt, term_arg(tt, t, 2), term_not(tt, c))); /* masks once */
    if (term_kind(tt, inner) != TERM_SELECT) return inner;
    t = inner;
    Term steps = term_sort(tt, t) == SORT_INT
                     ? choice_in_steps(tt, term_arg(tt, t, 0), term_arg(tt, t, 1), term_arg(tt, t, 2))
                     : 0;
    return steps ? steps : choice_to_extremum(tt, t);
  }
  if (kind == TERM_FOLD) {
    bool place = (term_aux(tt, t) == FOLD_MIN || term_aux(tt, t) == FOLD_MAX) && term_fold_guard(tt, t) != tt->true_;
    return place ? places_of_longer(tt, t) : t;
  }
  if (kind == TERM_EQ) {
    /* x == max(x, y) */
    Term extremum, x, y;
    if (!extremum_and_other(tt, t, &extremum, &x) || !(y = extremum_without(tt, extremum, x)) ||
        !term_is_number(tt, x) || !term_is_number(tt, y))
      return t;
    return term_kind(tt, extremum) == TERM_MAX ? term_le(tt, y, x) : term_le(tt, x, y);
  }
  return t;
}

Term term_merge_places(TermTable *tt, Term t) {
  bool last = term_aux(tt, t) == FOLD_MAX;
  FoldParts closed = {.symbol = term_fold_bound(tt, t),
                      .guard = term_fold_guard(tt, t)}; /* it is not opened for nothing */
  Term tile, best, guard, c, rest,
      narrow = best_tile(tt, &closed, &tile, &best, &guard) ? without_empty_tiles(tt, t) : 0;
  if (!narrow || term_kind(tt, narrow) != TERM_FOLD || term_aux(tt, narrow) != term_aux(tt, t)) return t;
  FoldParts p = term_fold_open(tt, narrow), o = term_fold_open(tt, t);
  p.body = term_transform(tt, p.body, first_place, NULL);
  if (!best_tile(tt, &p, &tile, &best, &guard) || !goes_with(tt, p.body, place_in(tt, tile, last), &c, &rest)) return t;
  if (!best_tile(tt, &o, &tile, &best, &guard)) return t; /* over all tiles, the empty ones too */
  FoldParts f = term_fold_open(tt, tile);
  if (term_merge_tiles(tt, term_fold(tt, f.op, o.symbol, o.lo, o.hi, guard, tile), NULL) != best) return t;
  Term at = term_add(tt, term_replace(tt, rest, p.symbol, o.symbol), term_mul(tt, c, f.symbol));
  Term place = term_fold(tt, o.op, f.symbol, f.lo, f.hi, term_and(tt, f.guard, term_eq(tt, f.body, best)), at);
  Term nested = term_fold(tt, o.op, o.symbol, o.lo, o.hi, guard, place), one = term_merge_tiles(tt, nested, NULL);
  if (one == nested || term_kind(tt, one) != TERM_FOLD || last) return one == nested ? t : one;
  return first_place(tt, one, NULL);
}
