/* Recurrences without a closed form: values that each step makes of the ones before.
 *
 *   recur[k < n, s](s0, f(k, s))                 s after n steps: s = s0, then s = f(k, s) for k = 0, 1, ..., n - 1
 *   recur[k < n, s, u](s0, u0, f(k, s, u), g(k, s, u))    likewise of several values at once, the first of which it is;
 * of the second one: recur[k < n, s, u, u](...)
 *
 * The index and the values before a step are bound together, by level as those of folds (fold.c). Values that it does
 * not depend on are left out, and what does not change is put in: equal recurrences are one term, as the order of
 * values stays. */
#include <string.h>

#include "term/cons.h"

static bool mentions(TermTable *tt, Term t, Term state) {
  if (t == state) return true;
  if (!(term_node(tt, t)->free_mask & term_node(tt, state)->free_mask)) return false;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (mentions(tt, term_arg(tt, t, i), state)) return true;
  return false;
}

/* The values that `which` depends on, in their order. */
static uint32_t needed(TermTable *tt, uint32_t n, uint32_t which, const Term *next, const Term *state,
                       uint32_t *place) {
  bool is_needed[RECUR_STATES] = {false};
  is_needed[which] = true;
  for (bool grown = true; grown;) {
    grown = false;
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t k = 0; k < n && is_needed[i]; k++)
        if (!is_needed[k] && mentions(tt, next[i], state[k])) is_needed[k] = grown = true;
  }
  uint32_t count = 0;
  for (uint32_t i = 0; i < n; i++)
    if (is_needed[i]) place[count++] = i;
  return count;
}

Term term_recur(TermTable *tt, uint32_t n, uint32_t which, Term index, Term steps, const Term *init, const Term *next,
                const Term *state) {
  uint32_t place[RECUR_STATES];
  Term own[RECUR_STATES], args[3 * RECUR_STATES + 2];
  if (term_prove_le(tt, steps, tt->zero)) return init[which];
  for (uint32_t i = 0; i < n; i++) own[i] = next[i];
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < n && own[i] == state[i]; k++)
      if (k != i) own[k] = term_replace(tt, own[k], state[i], init[i]);
  if (own[which] == state[which]) return init[which];
  n = needed(tt, n, which, own, state, place);
  bool depends = false;
  for (uint32_t i = 0; i < n; i++) depends |= mentions(tt, own[which], state[place[i]]);
  if (!depends)
    return term_select(tt, term_le(tt, steps, tt->zero), init[which],
                       term_replace(tt, own[which], index, term_sub(tt, steps, tt->one)));
  if (steps == tt->one) {
    Term from[RECUR_STATES + 1], to[RECUR_STATES + 1];
    for (uint32_t i = 0; i < n; i++) from[i] = state[place[i]], to[i] = init[place[i]];
    from[n] = index, to[n] = tt->zero;
    return term_substitute(tt, own[which], (TermMap){n + 1, from, to});
  }
  uint32_t level = 0, own_place = 0;
  while (place[own_place] != which) own_place++;
  for (uint32_t i = 0; i < n; i++)
    if (term_node(tt, own[place[i]])->level > level) level = term_node(tt, own[place[i]])->level;
  if (level == 15) guard_throw(tt->arena->guard, GUARD_LIMIT, "folds nested deeper than 15");
  Term bound = term_cons(tt, TERM_BOUND, SORT_INT, level + 1, 0, NULL);
  args[0] = steps, args[2 * n + 1] = bound;
  for (uint32_t i = 0; i < n; i++) {
    args[1 + i] = init[place[i]];
    args[2 * n + 2 + i] =
        term_cons(tt, TERM_STATE, term_sort(tt, state[place[i]]), (level + 1) * RECUR_STATES + i, 0, NULL);
  }
  for (uint32_t i = 0; i < n; i++) {
    Term t = term_exchange(tt, own[place[i]], index, bound);
    for (uint32_t k = 0; k < n; k++) t = term_exchange(tt, t, state[place[k]], args[2 * n + 2 + k]);
    args[1 + n + i] = t;
  }
  return term_cons(tt, TERM_RECUR, term_sort(tt, state[which]), n * RECUR_STATES + own_place, 3 * n + 2, args);
}

bool term_recur_is_finite(TermTable *tt, Term t) {
  uint32_t n = term_recur_count(tt, t), level = term_aux(tt, term_recur_bound(tt, t)), before = tt->finite_states;
  for (uint32_t i = 0; i < n; i++)
    if (!term_is_finite(tt, term_arg(tt, t, 1 + i))) return false;
  tt->finite_states |= 1u << level;
  bool finite = true;
  for (uint32_t i = 0; i < n && finite; i++) finite = term_is_finite(tt, term_arg(tt, t, 1 + n + i));
  tt->finite_states = before;
  return finite;
}

RecurParts term_recur_open(TermTable *tt, Term t) {
  RecurParts p = {.n = term_recur_count(tt, t),
                  .which = term_aux(tt, t) % RECUR_STATES,
                  .steps = term_arg(tt, t, 0),
                  .index = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX)};
  bool finite = term_recur_is_finite(tt, t);
  term_symbol_range(tt, p.index, tt->zero, term_sub(tt, p.steps, tt->one));
  for (uint32_t i = 0; i < p.n; i++) {
    TermSort sort = term_sort(tt, term_arg(tt, t, 2 * p.n + 2 + i));
    Term symbol = term_symbol_fresh(tt, "state", sort, SYMBOL_CARRY);
    if (finite && sort == SORT_REAL) term_symbol(tt, symbol)->axis = SYMBOL_IS_NUMBER | SYMBOL_IS_FINITE;
    p.state[i] = term_read(tt, symbol, sort, 0, NULL);
    p.init[i] = term_arg(tt, t, 1 + i);
  }
  for (uint32_t i = 0; i < p.n; i++) {
    Term next = term_exchange(tt, term_arg(tt, t, 1 + p.n + i), term_arg(tt, t, 2 * p.n + 1), p.index);
    for (uint32_t k = 0; k < p.n; k++) next = term_exchange(tt, next, term_arg(tt, t, 2 * p.n + 2 + k), p.state[k]);
    p.next[i] = next;
  }
  return p;
}

Term term_recur_peel(TermTable *tt, Term t) {
  RecurParts p = term_recur_open(tt, t);
  Term last = term_sub(tt, p.steps, tt->one), from[RECUR_STATES + 1], to[RECUR_STATES + 1];
  term_symbol_narrow(tt, p.index, tt->zero, term_sub(tt, last, tt->one));
  for (uint32_t i = 0; i < p.n; i++)
    from[i] = p.state[i], to[i] = term_recur(tt, p.n, i, p.index, last, p.init, p.next, p.state);
  from[p.n] = p.index, to[p.n] = last;
  return term_substitute(tt, p.next[p.which], (TermMap){p.n + 1, from, to});
}
