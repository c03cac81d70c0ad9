/* Recurrences without a closed form: values that each step makes of the ones before.
 *
 *   recur[k < n, s](s0, f(k, s))                 s after n steps: s = s0, then s = f(k, s) for k = 0, 1, ..., n - 1
 *   recur[k < n, s, u](s0, u0, f(k, s, u), g(k, s, u))    likewise of several values at once, the first of which it is;
 * of the second one: recur[k < n, s, u, u](...)
 *   recur[k < n, i < m, s[i]](s0(i), f(k, i, s))[a]       s[a], of an array whose step reads any of its elements
 *
 * The index and the values before a step are bound together, by level as those of folds (fold.c), the lanes of arrays
 * at the levels above. Values that it does not depend on are left out, what does not change is put in, and a lane that
 * is read as itself alone is no lane of an array: each of its elements is a recurrence of its own. Equal recurrences
 * are one term, as the order of values stays. */
#include <string.h>

#include "term/cons.h"

static bool mentions(TermTable *tt, Term t, Term state) {
  if (term_kind(tt, state) == TERM_READ) return term_has_symbol(tt, t, term_arg(tt, state, 0));
  if (t == state) return true;
  if (!(term_node(tt, t)->free_mask & term_node(tt, state)->free_mask)) return false;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (mentions(tt, term_arg(tt, t, i), state)) return true;
  return false;
}

static bool is_array(const TermTable *tt, Term state) {
  return term_kind(tt, state) == TERM_READ && term_count(tt, state) > 1;
}

/* What a state is at the place that is read. */
typedef struct Put {
  Term state, value;
} Put;

static Term put_element(TermTable *tt, Term t, void *payload) {
  const Put *put = payload;
  Term state = put->state, from[RECUR_LANES], to[RECUR_LANES];
  if (term_kind(tt, t) != TERM_READ || term_arg(tt, t, 0) != term_arg(tt, state, 0)) return t;
  uint32_t n = term_count(tt, state) - 1;
  for (uint32_t i = 0; i < n; i++) from[i] = term_arg(tt, state, i + 1), to[i] = term_arg(tt, t, i + 1);
  return term_substitute(tt, put->value, (TermMap){n, from, to});
}

Term term_recur_put(TermTable *tt, const RecurParts *p, uint32_t i, Term value, Term t) {
  Put put = {p->state[i], value};
  if (!mentions(tt, t, p->state[i])) return t;
  return is_array(tt, p->state[i]) ? term_transform(tt, t, put_element, &put)
                                   : term_substitute(tt, t, (TermMap){1, &put.state, &value});
}

/* t at the element that is asked for, and at that index. */
static Term at_element(TermTable *tt, const RecurParts *p, Term t, Term index) {
  Term from[RECUR_LANES + 1], to[RECUR_LANES + 1];
  for (uint32_t d = 0; d < p->lanes; d++) from[d] = p->lane[d], to[d] = p->at[d];
  from[p->lanes] = p->index, to[p->lanes] = index;
  return term_substitute(tt, t, (TermMap){p->lanes + (index != p->index), from, to});
}

/* The values that `which` depends on, and no others. */
static void keep_needed(TermTable *tt, RecurParts *p) {
  bool is_needed[RECUR_STATES] = {false};
  is_needed[p->which] = true;
  for (bool grown = true; grown;) {
    grown = false;
    for (uint32_t i = 0; i < p->n; i++)
      for (uint32_t k = 0; k < p->n && is_needed[i]; k++)
        if (!is_needed[k] && mentions(tt, p->next[i], p->state[k])) is_needed[k] = grown = true;
  }
  uint32_t count = 0, which = p->which;
  for (uint32_t i = 0; i < p->n; i++) {
    if (!is_needed[i]) continue;
    if (i == which) p->which = count;
    p->init[count] = p->init[i], p->next[count] = p->next[i], p->state[count] = p->state[i];
    count++;
  }
  p->n = count;
}

/* ---- lanes ---- */

static void find_crossed(TermTable *tt, const RecurParts *p, Term t, bool *crossed) {
  if (tt->marks.data[t] == tt->epoch || !(term_node(tt, t)->flags & TERM_HAS_READ)) return;
  tt->marks.data[t] = tt->epoch;
  for (uint32_t i = 0; i < p->n && term_kind(tt, t) == TERM_READ; i++) {
    if (term_arg(tt, t, 0) != term_arg(tt, p->state[i], 0)) continue;
    for (uint32_t k = 1; k < term_count(tt, t); k++)
      for (uint32_t d = 0; d < p->lanes; d++)
        crossed[d] |= p->lane[d] == term_arg(tt, p->state[i], k) && p->lane[d] != term_arg(tt, t, k);
  }
  for (uint32_t i = 0; i < term_count(tt, t); i++) find_crossed(tt, p, term_arg(tt, t, i), crossed);
}

static Term without_lane(TermTable *tt, Term read, uint32_t k) {
  Term index[RECUR_LANES];
  uint32_t n = 0;
  for (uint32_t i = 1; i < term_count(tt, read); i++)
    if (i != k) index[n++] = term_arg(tt, read, i);
  return term_read(tt, term_arg(tt, read, 0), term_sort(tt, read), n, index);
}

typedef struct Drop {
  const RecurParts *p;
  uint32_t place[RECUR_STATES]; /* of the lane among those of a state; 0: it has none */
} Drop;

static Term drop_in_read(TermTable *tt, Term t, void *payload) {
  const Drop *drop = payload;
  for (uint32_t i = 0; i < drop->p->n && term_kind(tt, t) == TERM_READ; i++)
    if (drop->place[i] && term_arg(tt, t, 0) == term_arg(tt, drop->p->state[i], 0))
      return without_lane(tt, t, drop->place[i]);
  return t;
}

static void drop_lane(TermTable *tt, RecurParts *p, uint32_t d) {
  Drop drop = {.p = p};
  for (uint32_t i = 0; i < p->n; i++)
    for (uint32_t k = 1; k < term_count(tt, p->state[i]); k++)
      if (term_arg(tt, p->state[i], k) == p->lane[d]) drop.place[i] = k;
  for (uint32_t i = 0; i < p->n; i++) {
    p->init[i] = term_replace(tt, p->init[i], p->lane[d], p->at[d]);
    p->next[i] = term_replace(tt, term_transform(tt, p->next[i], drop_in_read, &drop), p->lane[d], p->at[d]);
  }
  for (uint32_t i = 0; i < p->n; i++)
    if (drop.place[i]) p->state[i] = without_lane(tt, p->state[i], drop.place[i]);
  p->lanes--;
  for (uint32_t i = d; i < p->lanes; i++)
    p->lane[i] = p->lane[i + 1], p->extent[i] = p->extent[i + 1], p->at[i] = p->at[i + 1];
}

/* Lanes along which no step reads another one's value. */
static void drop_lanes(TermTable *tt, RecurParts *p) {
  bool crossed[RECUR_LANES] = {false};
  term_marks_begin(tt);
  for (uint32_t i = 0; i < p->n; i++) find_crossed(tt, p, p->next[i], crossed);
  for (uint32_t d = p->lanes; d-- > 0;)
    if (!crossed[d]) drop_lane(tt, p, d);
  for (uint32_t d = 0; d < p->lanes; d++) { /* where the value itself has no such lane, it is read nowhere along it */
    bool has = false;
    for (uint32_t k = 1; k < term_count(tt, p->state[p->which]); k++)
      has |= term_arg(tt, p->state[p->which], k) == p->lane[d];
    if (!has) p->at[d] = tt->zero;
  }
}

/* ---- binding ---- */

static Term bind(TermTable *tt, RecurParts *p) {
  uint32_t level = 0, n = p->n, lanes = p->lanes;
  Term head[RECUR_STATES], args[3 * RECUR_STATES + 2 + 3 * RECUR_LANES];
  for (uint32_t i = 0; i < n; i++) {
    if (term_node(tt, p->next[i])->level > level) level = term_node(tt, p->next[i])->level;
    if (lanes && term_node(tt, p->init[i])->level > level) level = term_node(tt, p->init[i])->level;
  }
  if (level + lanes >= 15) guard_throw(tt->arena->guard, GUARD_LIMIT, "folds nested deeper than 15");
  Term bound = term_cons(tt, TERM_BOUND, SORT_INT, ++level, 0, NULL), *lane = args + 3 * n + 2;
  args[0] = p->steps, args[2 * n + 1] = bound;
  for (uint32_t d = 0; d < lanes; d++) {
    lane[d] = term_cons(tt, TERM_BOUND, SORT_INT, level + 1 + d, 0, NULL);
    lane[lanes + d] = p->extent[d], lane[2 * lanes + d] = p->at[d];
  }
  for (uint32_t i = 0; i < n; i++)
    head[i] = term_cons(tt, TERM_STATE, term_sort(tt, p->state[i]), level * RECUR_STATES + i, 0, NULL);
  for (uint32_t i = 0; i < n; i++) {
    Term next = term_exchange(tt, p->next[i], p->index, bound), init = p->init[i], state = p->state[i];
    for (uint32_t k = 0; k < n; k++) {
      Term from = is_array(tt, p->state[k]) ? term_arg(tt, p->state[k], 0) : p->state[k];
      next = term_exchange(tt, next, from, head[k]);
    }
    state = term_exchange(tt, state, is_array(tt, state) ? term_arg(tt, state, 0) : state, head[i]);
    for (uint32_t d = 0; d < lanes; d++) {
      init = term_exchange(tt, init, p->lane[d], lane[d]);
      next = term_exchange(tt, next, p->lane[d], lane[d]);
      state = term_exchange(tt, state, p->lane[d], lane[d]);
    }
    args[1 + i] = init, args[1 + n + i] = next, args[2 * n + 2 + i] = state;
  }
  return term_cons(tt, TERM_RECUR, term_sort(tt, p->state[p->which]), n * RECUR_STATES + p->which,
                   3 * n + 2 + 3 * lanes, args);
}

/* x, of max(0, x): fewer steps than none are none. */
static Term steps_done(const TermTable *tt, Term steps) {
  bool is_part = term_kind(tt, steps) == TERM_MAX && term_count(tt, steps) == 2;
  for (uint32_t i = 0; i < 2 && is_part; i++)
    if (term_arg(tt, steps, i) == tt->zero) return term_arg(tt, steps, 1 - i);
  return steps;
}
/* Values that each step leaves as they were: as the step says, or of whole numbers as it says of these numbers, which
 * may need each other for it. */
static void keep_numbers(TermTable *tt, RecurParts *p) {
  bool stays[RECUR_STATES];
  for (uint32_t i = 0; i < p->n; i++)
    stays[i] = term_is_rat(tt, p->init[i]) && term_sort(tt, p->state[i]) == SORT_INT && !is_array(tt, p->state[i]);
  for (uint32_t i = 0; i < p->n; i++) {
    if (!stays[i]) continue;
    Term next = p->next[i];
    for (uint32_t k = 0; k < p->n; k++)
      if (stays[k]) next = term_recur_put(tt, p, k, p->init[k], next);
    if (next == p->init[i]) continue;
    stays[i] = false;
    i = UINT32_MAX; /* from the first on again: what needed this one */
  }
  for (uint32_t i = 0; i < p->n; i++)
    if (stays[i]) p->next[i] = p->state[i];
}

Term term_recur_of(TermTable *tt, RecurParts p) {
  uint32_t which = p.which;
  p.steps = steps_done(tt, p.steps);
  if (term_prove_le(tt, p.steps, tt->zero)) return at_element(tt, &p, p.init[which], p.index);
  keep_numbers(tt, &p);
  for (uint32_t i = 0; i < p.n; i++)
    for (uint32_t k = 0; k < p.n && p.next[i] == p.state[i]; k++)
      if (k != i) p.next[k] = term_recur_put(tt, &p, i, p.init[i], p.next[k]);
  if (p.next[which] == p.state[which]) return at_element(tt, &p, p.init[which], p.index);
  keep_needed(tt, &p);
  which = p.which;
  bool depends = false;
  for (uint32_t i = 0; i < p.n; i++) depends |= mentions(tt, p.next[which], p.state[i]);
  if (!depends)
    return term_select(tt, term_le(tt, p.steps, tt->zero), at_element(tt, &p, p.init[which], p.index),
                       at_element(tt, &p, p.next[which], term_sub(tt, p.steps, tt->one)));
  if (p.steps == tt->one) {
    Term first = at_element(tt, &p, p.next[which], tt->zero);
    for (uint32_t i = 0; i < p.n; i++) first = term_recur_put(tt, &p, i, p.init[i], first);
    return first;
  }
  if (p.lanes) drop_lanes(tt, &p);
  return bind(tt, &p);
}

Term term_recur(TermTable *tt, uint32_t n, uint32_t which, Term index, Term steps, const Term *init, const Term *next,
                const Term *state) {
  RecurParts p = {.n = n, .which = which, .index = index, .steps = steps};
  memcpy(p.init, init, sizeof *init * n), memcpy(p.next, next, sizeof *next * n);
  memcpy(p.state, state, sizeof *state * n);
  return term_recur_of(tt, p);
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
                  .index = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX),
                  .lanes = term_recur_lanes(tt, t)};
  bool finite = term_recur_is_finite(tt, t);
  Term head[RECUR_STATES], symbol[RECUR_STATES];
  term_symbol_range(tt, p.index, tt->zero, term_sub(tt, p.steps, tt->one));
  for (uint32_t d = 0; d < p.lanes; d++) {
    p.extent[d] = term_recur_lane(tt, t, d, 1), p.at[d] = term_recur_lane(tt, t, d, 2);
    p.lane[d] = term_symbol_fresh(tt, "lane", SORT_INT, SYMBOL_INDEX);
    term_symbol_range(tt, p.lane[d], tt->zero, term_sub(tt, p.extent[d], tt->one));
  }
  for (uint32_t i = 0; i < p.n; i++) {
    Term state = term_arg(tt, t, 2 * p.n + 2 + i), lanes[RECUR_LANES];
    TermSort sort = term_sort(tt, state);
    symbol[i] = term_symbol_fresh(tt, "state", sort, SYMBOL_CARRY);
    if (finite && sort == SORT_REAL) term_symbol(tt, symbol[i])->axis = SYMBOL_IS_NUMBER | SYMBOL_IS_FINITE;
    for (uint32_t k = 0; k < term_count(tt, state); k++)
      for (uint32_t d = 0; d < p.lanes; d++)
        if (term_arg(tt, state, k) == term_recur_lane(tt, t, d, 0)) lanes[k] = p.lane[d];
    p.state[i] = term_read(tt, symbol[i], sort, term_count(tt, state), lanes);
    head[i] = term_cons(tt, TERM_STATE, sort, term_aux(tt, state), 0, NULL);
    if (!term_count(tt, state)) symbol[i] = p.state[i];
  }
  for (uint32_t i = 0; i < p.n; i++) {
    Term next = term_exchange(tt, term_arg(tt, t, 1 + p.n + i), term_recur_bound(tt, t), p.index);
    p.init[i] = term_arg(tt, t, 1 + i);
    for (uint32_t k = 0; k < p.n; k++) next = term_exchange(tt, next, head[k], symbol[k]);
    for (uint32_t d = 0; d < p.lanes; d++) {
      next = term_exchange(tt, next, term_recur_lane(tt, t, d, 0), p.lane[d]);
      p.init[i] = term_exchange(tt, p.init[i], term_recur_lane(tt, t, d, 0), p.lane[d]);
    }
    p.next[i] = next;
  }
  return p;
}

/* What stands for a state before the last step: the recurrence of one step less, where it is read. */
typedef struct Last {
  RecurParts p;
} Last;

static Term before_last(TermTable *tt, Term t, void *payload) {
  const Last *last = payload;
  if (term_kind(tt, t) != TERM_READ) return t;
  for (uint32_t i = 0; i < last->p.n; i++) {
    if (term_arg(tt, t, 0) != term_arg(tt, last->p.state[i], 0)) continue;
    RecurParts p = last->p;
    p.which = i;
    for (uint32_t k = 1; k < term_count(tt, t); k++)
      for (uint32_t d = 0; d < p.lanes; d++)
        if (p.lane[d] == term_arg(tt, p.state[i], k)) p.at[d] = term_arg(tt, t, k);
    return term_recur_of(tt, p);
  }
  return t;
}

Term term_recur_peel(TermTable *tt, Term t) {
  RecurParts p = term_recur_open(tt, t);
  Term last = term_sub(tt, p.steps, tt->one), from[RECUR_STATES + 1], to[RECUR_STATES + 1];
  term_symbol_narrow(tt, p.index, tt->zero, term_sub(tt, last, tt->one));
  if (p.lanes) {
    Last payload = {p};
    payload.p.steps = last;
    return term_transform(tt, at_element(tt, &p, p.next[p.which], last), before_last, &payload);
  }
  for (uint32_t i = 0; i < p.n; i++)
    from[i] = p.state[i], to[i] = term_recur(tt, p.n, i, p.index, last, p.init, p.next, p.state);
  from[p.n] = p.index, to[p.n] = last;
  return term_substitute(tt, p.next[p.which], (TermMap){p.n + 1, from, to});
}

/* The number that this one is a step later; p->n: it is none, or one of those that change places. */
static uint32_t copied_state(const RecurParts *p, uint32_t which) {
  uint32_t of = p->n, at = which;
  for (uint32_t steps = 0, i = 0; i < p->n && steps < p->n; i++) {
    if (p->next[at] != p->state[i]) continue;
    if (of == p->n) of = i;
    if (++steps == p->n) return p->n;
    at = i, i = UINT32_MAX;
  }
  return of;
}

/* s after n steps, of s' = u, is u after n - 1 steps, and what s began with where there is none. */
static Term with_copies(TermTable *tt, RecurParts p) {
  uint32_t which = p.which, of = copied_state(&p, which);
  Term steps = p.steps;
  if (of == p.n) return term_recur_of(tt, p);
  p.which = of, p.steps = term_sub(tt, steps, tt->one);
  return term_select(tt, term_le(tt, steps, tt->zero), p.init[which], with_copies(tt, p));
}

Term term_recur_without_copies(TermTable *tt, Term t, void *unused) {
  (void)unused;
  if (term_kind(tt, t) != TERM_RECUR || term_recur_lanes(tt, t)) return t;
  RecurParts p = term_recur_open(tt, t);
  return copied_state(&p, p.which) < p.n ? with_copies(tt, p) : t;
}
