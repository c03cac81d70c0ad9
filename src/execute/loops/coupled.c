/* Coupled recurrences through additive functionals.
 *
 * Values that divide by each other (mean' = mean + (x - mean) / count') have no closed form one after the other, but
 * polynomials of them do: these grow by something that does not depend on the state (additive.c finds them), so they
 * are sums over the steps, and the values follow by solving. Before the first step that counts nothing may be divided:
 * the values are the initial ones. */
#include "execute/loops/additive.h"
#include "execute/loops/loop.h"
#include "laws/laws.h"

enum { MASK_DEPTH = 6 };
static const uint32_t COUNTER = UINT32_MAX; /* in a group, no carried value */

/* True if t, or a part of it that was not seen yet, divides by something carried. */
static bool divides_by_carried(const Loop *loop, Term t, bool *seen) {
  const TermTable *tt = loop->tt;
  if (seen[t]) return false;
  seen[t] = true;
  if (term_kind(tt, t) == TERM_MUL)
    for (uint32_t i = 0; i < term_count(tt, t); i += 2)
      for (uint32_t k = 0; k < loop->count && term_rat(tt, term_arg(tt, t, i + 1)).num < 0; k++)
        if (loop_mentions(loop, term_arg(tt, t, i), k)) return true;
  if (term_kind(tt, t) == TERM_FOLD || term_kind(tt, t) == TERM_READ) return false;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (divides_by_carried(loop, term_arg(tt, t, i), seen)) return true;
  return false;
}

/* A condition in t that depends on nothing carried; 0: there is none. */
static Term find_mask(const Loop *loop, Term t, uint32_t depth) {
  const TermTable *tt = loop->tt;
  if (!depth || term_kind(tt, t) == TERM_FOLD || term_kind(tt, t) == TERM_READ) return 0;
  if (term_kind(tt, t) == TERM_SELECT) {
    bool carried = false;
    for (uint32_t k = 0; k < loop->count; k++) carried |= loop_mentions(loop, term_arg(tt, t, 0), k);
    if (!carried) return term_arg(tt, t, 0);
  }
  for (uint32_t i = 0; i < term_count(tt, t); i++) {
    Term found = find_mask(loop, term_arg(tt, t, i), depth - 1);
    if (found) return found;
  }
  return 0;
}

/* next = guard ? step : self, however it is written; a guard that depends on nothing carried. */
static Term strip_guard(const Loop *loop, const Carried *c, Term *guard) {
  TermTable *tt = loop->tt;
  *guard = tt->true_;
  if (term_kind(tt, c->next) != TERM_SELECT) {
    Term mask = find_mask(loop, c->next, MASK_DEPTH);
    for (int side = 0; mask && side < 2; side++) {
      Term here = side ? term_not(tt, mask) : mask;
      if (term_assume(tt, c->next, term_not(tt, here)) != c->self) continue;
      *guard = here;
      return term_assume(tt, c->next, here);
    }
    return c->next;
  }
  Term g = term_arg(tt, c->next, 0), yes = term_arg(tt, c->next, 1), no = term_arg(tt, c->next, 2);
  if (yes != c->self && no != c->self) return c->next;
  *guard = no == c->self ? g : term_not(tt, g);
  return no == c->self ? yes : no;
}

/* The values that hang together with a division: real, of one guard, and mentioning nothing else that is carried. */
static uint32_t find_group(Loop *loop, uint32_t *group, Term *guard) {
  TermTable *tt = loop->tt;
  uint32_t n = 0;
  for (uint32_t i = 0; i < loop->count && !n; i++)
    if (!loop->carried[i].closed && term_sort(tt, loop->carried[i].self) == SORT_REAL &&
        divides_by_carried(loop, loop->carried[i].next, arena_array(loop->ex->arena, bool, loop->tt->nodes.count)))
      group[n++] = i;
  if (!n) return 0;
  strip_guard(loop, &loop->carried[group[0]], guard);
  for (bool grown = true; grown;) {
    grown = false;
    for (uint32_t k = 0; k < loop->count; k++) {
      const Carried *c = &loop->carried[k];
      bool in = false, touches = false;
      for (uint32_t i = 0; i < n; i++) {
        in |= group[i] == k;
        touches |= loop_mentions(loop, c->next, group[i]) || loop_mentions(loop, loop->carried[group[i]].next, k);
      }
      if (in || !touches) continue;
      Term own;
      strip_guard(loop, c, &own);
      bool needed = false;
      for (uint32_t i = 0; i < n; i++) needed |= loop_mentions(loop, loop->carried[group[i]].next, k);
      bool fits = n < ADDITIVE_STATE && own == *guard && !c->closed && term_sort(tt, c->self) == SORT_REAL &&
                  !c->base && !c->block;
      if (!fits && needed) return 0;
      if (fits) group[n++] = k, grown = true;
    }
  }
  return n;
}

/* True if t divides by something with the counter in it, in no index. */
static bool divides_by_counter(const Loop *loop, Term t) {
  const TermTable *tt = loop->tt;
  if (term_kind(tt, t) == TERM_FOLD || term_kind(tt, t) == TERM_READ) return false;
  for (uint32_t i = 0; term_kind(tt, t) == TERM_MUL && i < term_count(tt, t); i += 2)
    if (term_rat(tt, term_arg(tt, t, i + 1)).num < 0 && !(term_node(tt, term_arg(tt, t, i))->flags & TERM_HAS_READ) &&
        term_has_symbol(tt, term_arg(tt, t, i), loop->t))
      return true;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (divides_by_counter(loop, term_arg(tt, t, i))) return true;
  return false;
}

/* A value that divides by the counter and one that depends on it, both real: with the counter as a part of the state,
 * as if it were carried. A mean alone has a closed form of its own. */
static uint32_t find_counted_group(Loop *loop, uint32_t *group) {
  TermTable *tt = loop->tt;
  for (uint32_t i = 0; i < loop->count; i++) {
    const Carried *mean = &loop->carried[i];
    if (mean->closed || term_kind(tt, mean->next) == TERM_SELECT || term_sort(tt, mean->self) != SORT_REAL ||
        !divides_by_counter(loop, mean->next))
      continue;
    for (uint32_t k = 0; k < loop->count; k++) {
      const Carried *c = &loop->carried[k];
      if (k == i || c->closed || term_kind(tt, c->next) == TERM_SELECT || term_sort(tt, c->self) != SORT_REAL ||
          !loop_mentions(loop, c->next, i) || loop_mentions(loop, mean->next, k))
        continue;
      group[0] = i, group[1] = k, group[2] = COUNTER;
      return 3;
    }
  }
  return 0;
}

static Term counter_to_state(TermTable *tt, Term t, Term counter, Term state) {
  if (t == counter) return state;
  if (!term_has_symbol(tt, t, counter) || term_kind(tt, t) == TERM_READ || term_kind(tt, t) == TERM_FOLD) return t;
  Term args[64];
  uint32_t n = term_count(tt, t);
  if (n > 64) return t;
  for (uint32_t i = 0; i < n; i++) args[i] = counter_to_state(tt, term_arg(tt, t, i), counter, state);
  return term_make(tt, t, args);
}

static Term in_state(Loop *loop, const Additive *a, const uint32_t *group, Term t) {
  Term from[ADDITIVE_STATE];
  bool counted = group[a->n - 1] == COUNTER;
  for (uint32_t i = 0; i < a->n; i++) from[i] = group[i] == COUNTER ? a->state[i] : loop->carried[group[i]].self;
  t = term_substitute(loop->tt, t, (TermMap){a->n, from, a->state});
  return counted ? counter_to_state(loop->tt, t, loop->t, a->state[a->n - 1]) : t;
}

static bool divides_by_zero(TermTable *tt, Term t, TermMap at) {
  if (term_kind(tt, t) == TERM_MUL)
    for (uint32_t i = 0; i < term_count(tt, t); i += 2)
      if (term_rat(tt, term_arg(tt, t, i + 1)).num < 0 && term_substitute(tt, term_arg(tt, t, i), at) == tt->zero)
        return true;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (divides_by_zero(tt, term_arg(tt, t, i), at)) return true;
  return false;
}

/* Inner sums too: s^2/m + sum((x - s/m)^2) with s = sum(x) is sum(x^2). */
static Term simplified(TermTable *tt, Term t) {
  if (term_node(tt, t)->flags & TERM_HAS_FOLD) t = term_normalize_guess(tt, t);
  return additive_polynomial(tt, term_transform(tt, t, additive_cancel, NULL));
}

/* What the functional grows by in a step. The state does not matter: zeros give the shortest, or ones where zeros
 * divide. */
static Term growth(TermTable *tt, const Additive *a, Term functional) {
  Term point[ADDITIVE_STATE], next[ADDITIVE_STATE];
  TermMap at = {a->n, a->state, point};
  for (uint32_t i = 0; i < a->n; i++) point[i] = tt->zero;
  bool zero = false;
  for (uint32_t i = 0; i < a->n; i++) zero |= divides_by_zero(tt, a->next[i], at);
  for (uint32_t i = 0; i < a->n && zero; i++) point[i] = tt->one;
  for (uint32_t i = 0; i < a->n; i++) next[i] = simplified(tt, term_substitute(tt, a->next[i], at));
  Term after = term_substitute(tt, functional, (TermMap){a->n, a->state, next});
  return simplified(tt, term_sub(tt, after, term_substitute(tt, functional, at)));
}

/* ---- bounds ---- */

typedef struct Known {
  TermTable *tt;
  Term self[MAX_CARRIED], closed[MAX_CARRIED];
  uint32_t n;
} Known;

/* Of a maximum those arguments that are not below another one, by what is known. */
static Term drop_bounds(TermTable *tt, Term t, void *payload) {
  const Known *known = payload;
  bool is_max = term_kind(tt, t) == TERM_MAX;
  if (!is_max && term_kind(tt, t) != TERM_MIN) return t;
  TermMap map = {known->n, known->self, known->closed};
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    for (uint32_t k = 0; k < term_count(tt, t); k++) {
      if (i == k) continue;
      Term x = term_substitute(tt, term_arg(tt, t, i), map), y = term_substitute(tt, term_arg(tt, t, k), map), rest = 0;
      if (term_sort(tt, x) != SORT_INT || term_sort(tt, y) != SORT_INT ||
          !(is_max ? term_prove_le(tt, x, y) : term_prove_le(tt, y, x)))
        continue;
      for (uint32_t j = 0; j < term_count(tt, t); j++)
        if (j != i)
          rest = !rest    ? term_arg(tt, t, j)
                 : is_max ? term_max(tt, rest, term_arg(tt, t, j))
                          : term_min(tt, rest, term_arg(tt, t, j));
      return drop_bounds(tt, rest, payload);
    }
  return t;
}

/* True if t divides by an extremum with the value in it. */
static bool is_in_bound(const Loop *loop, Term t, uint32_t i, bool divisor, uint32_t depth) {
  const TermTable *tt = loop->tt;
  if (!depth || !loop_mentions(loop, t, i) || term_kind(tt, t) == TERM_FOLD || term_kind(tt, t) == TERM_READ)
    return false;
  if (divisor && (term_kind(tt, t) == TERM_MAX || term_kind(tt, t) == TERM_MIN)) return true;
  for (uint32_t k = 0; k < term_count(tt, t); k++) {
    bool below =
        divisor || (term_kind(tt, t) == TERM_MUL && k % 2 == 0 && term_rat(tt, term_arg(tt, t, k + 1)).num < 0);
    if (is_in_bound(loop, term_arg(tt, t, k), i, below, depth - 1)) return true;
  }
  return false;
}

/* max(count + 1, 1) is count + 1: divisors with values that have a closed form by themselves. */
static void decide_bounds(Loop *loop) {
  Known known = {.tt = loop->tt};
  for (uint32_t i = 0; i < loop->count; i++) {
    const Carried *c = &loop->carried[i];
    bool alone = !c->closed && !c->base && !c->block && term_sort(loop->tt, c->self) != SORT_BOOL, used = false;
    for (uint32_t k = 0; k < loop->count && alone; k++) {
      alone = k == i || !loop_mentions(loop, c->next, k);
      used |= k != i && is_in_bound(loop, loop->carried[k].next, i, false, 8);
    }
    Term closed = alone && used ? loop_solve_alone(loop, i) : 0;
    if (closed) known.self[known.n] = c->self, known.closed[known.n++] = closed;
  }
  for (uint32_t i = 0; i < loop->count && known.n; i++)
    loop->carried[i].next = term_transform(loop->tt, loop->carried[i].next, drop_bounds, &known);
}

void loop_solve_coupled(Loop *loop) {
  TermTable *tt = loop->tt;
  decide_bounds(loop);
  uint32_t group[ADDITIVE_STATE];
  Term guard = tt->true_, init[ADDITIVE_STATE], parts[ADDITIVE_STATE];
  Additive a = {.n = find_group(loop, group, &guard)};
  loop->coupled.n = 0;
  if (!a.n) a.n = find_counted_group(loop, group);
  for (uint32_t i = 0; i < loop->count && a.n; i++)
    if (loop_mentions(loop, guard, i)) return;
  if (a.n < 2) return;
  for (uint32_t i = 0; i < a.n; i++) a.state[i] = term_symbol_fresh(tt, "s", SORT_REAL, SYMBOL_SCALAR);
  for (uint32_t i = 0; i < a.n; i++) {
    Term own;
    if (group[i] == COUNTER) {
      init[i] = tt->zero, a.next[i] = term_add(tt, a.state[i], tt->one);
      continue;
    }
    init[i] = loop->carried[group[i]].init;
    a.next[i] = in_state(loop, &a, group, strip_guard(loop, &loop->carried[group[i]], &own));
    for (uint32_t k = 0; k < loop->count; k++)
      if (loop_mentions(loop, a.next[i], k)) return;
  }
  if (!additive_find(loop->ex, &a)) return;
  SumRecord *r = &loop->coupled;
  for (uint32_t i = 0; i < a.n; i++) {
    Term start = term_substitute(tt, a.functional[i], (TermMap){a.n, a.state, init});
    r->functional[i] = a.functional[i], r->state[i] = a.state[i];
    r->sum[i] = term_add(tt, start, loop_fold_steps(loop, FOLD_SUM, growth(tt, &a, a.functional[i]), loop->t, guard));
  }
  additive_invert(tt, &a, r->sum, parts);
  Term some = loop_fold_steps(loop, FOLD_ANY, guard, loop->t, tt->true_);
  bool divided = false; /* by what is 0 before the first step that counts */
  for (uint32_t i = 0; i < a.n; i++) {
    uint32_t v = a.solves[i];
    divided |= !term_is_rat(tt, a.factor[i]);
    if (group[v] == COUNTER) {
      r->part[v] = loop->t;
      continue;
    }
    loop->carried[group[v]].closed = !divided || (term_is_rat(tt, a.factor[i]) && guard == tt->true_)
                                         ? parts[v]
                                         : term_select(tt, some, parts[v], init[v]);
    r->part[v] = loop->carried[group[v]].closed;
  }
  r->n = a.n;
}

Term loop_at_end(Loop *loop, Term closed) {
  Term end = term_replace(loop->tt, closed, loop->t, loop->trips);
  return loop->coupled.n ? term_transform(loop->tt, end, additive_cancel, loop) : end; /* n * (x / n)^2 of each tile */
}

void loop_record_sums(Loop *loop) {
  SumRecord r = loop->coupled;
  for (uint32_t i = 0; i < r.n; i++) {
    r.part[i] = loop_at_end(loop, r.part[i]);
    r.sum[i] = loop_at_end(loop, r.sum[i]);
  }
  if (r.n) array_push(loop->ex->arena, &loop->ex->effects->sums, r);
}
