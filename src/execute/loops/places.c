/* Contents of tensors in closed form: steps that the place of an element determines, and scans along the places.
 *
 *   c' = where(p = t + s and g(t), v(c, t), c)    c(p) = where(0 <= p - s < t and g(p - s), v(init(p), p - s), init(p))
 *   c' = where(p = t + s, f(c at p - 1, t), c)    c(p) = where(-1 <= p - s < t, S(p - s + 1), init(p))
 *   c' = where(p = s - t, f(c at p + 1, t), c)    c(p) = where(-1 <= s - p < t, S(s - p + 1), init(p))
 *
 * (s may be a multiple of t's step away). Of several stores in one step the last one to the place decides. S(n) is the
 * carried number with S(0) = init(s - 1) and S(k + 1) = f(S(k), k), closed by the other rules. What
 * no step determines is left to these as well: a sum over the steps at a place, or the last step that writes it. Where
 * these do not close S, or f is of the elements at p - 2, p - 3, .. too, S is a recurrence of these. */
#include <string.h>

#include "execute/loops/loop.h"
#include "laws/one_point.h"
#include "laws/row.h"

/* What a tensor holds, or an array of a function's own. */
static bool has_places(const Carried *c) { return c->content || c->is_array; }

static bool is_over(TermTable *tt, const Carried *c, Term t) {
  for (uint32_t k = 0; k < c->rank; k++)
    if (term_has_symbol(tt, t, c->lanes[k])) return true;
  return false;
}

static bool has_place(const Loop *loop, Term t) {
  for (uint32_t i = 0; i < loop->count; i++)
    if (has_places(&loop->carried[i]) && is_over(loop->tt, &loop->carried[i], t)) return true;
  return false;
}

/* m*t + r = 0, for a positive m that is no number: t = -r // m. 0: the equation is another. */
static Term row_step(Loop *loop, Term e) {
  TermTable *tt = loop->tt;
  Term rest = term_replace(tt, e, loop->t, tt->zero), m = term_replace(tt, e, loop->t, tt->one);
  m = term_sub(tt, m, rest);
  if (term_add(tt, rest, term_mul(tt, m, loop->t)) != e || term_is_rat(tt, m)) return 0;
  if (term_prove_lt(tt, tt->zero, m)) return term_floordiv(tt, term_neg(tt, rest), m);
  return term_prove_lt(tt, m, tt->zero) ? term_floordiv(tt, rest, term_neg(tt, m)) : 0;
}

/* a - m*(a // m) = 0 for a = p - t: m divides that, so that t = p mod m, of the steps below m. 0: it is another. */
static Term column_step(Loop *loop, Term e) {
  TermTable *tt = loop->tt;
  for (uint32_t i = 1; term_kind(tt, e) == TERM_ADD && i < term_count(tt, e); i += 2) {
    Term part = term_arg(tt, e, i + 1), floor = 0;
    for (uint32_t k = 0; term_kind(tt, part) == TERM_MUL && k < term_count(tt, part); k += 2)
      if (term_kind(tt, term_arg(tt, part, k)) == TERM_FLOORDIV) floor = term_arg(tt, part, k);
    if (term_kind(tt, part) == TERM_FLOORDIV) floor = part;
    if (!floor) continue;
    Term a = term_arg(tt, floor, 0), m = term_arg(tt, floor, 1);
    Term whole = term_sub(tt, a, term_mul(tt, m, floor)), p = term_replace(tt, a, loop->t, tt->zero);
    if (whole != e && term_neg(tt, whole) != e) continue;
    bool falls = term_add(tt, a, loop->t) == p, rises = term_sub(tt, a, loop->t) == p;
    if (term_has_symbol(tt, m, loop->t) || (!falls && !rises)) continue;
    if (rises) p = term_neg(tt, p);
    return term_sub(tt, p, term_mul(tt, m, term_floordiv(tt, p, m)));
  }
  return 0;
}

/* length*t <= p < length*t + length of a place p, a whole row: t = p // length. 0: the guard says no such thing. */
static Term step_by_row(Loop *loop, Term guard) {
  TermTable *tt = loop->tt;
  uint32_t n = term_conjunct_count(tt, guard);
  LawRow row;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < n; k++)
      if (i != k && law_row(tt, term_conjunct(tt, guard, i), term_conjunct(tt, guard, k), loop->t, &row) &&
          has_place(loop, row.place) && row.width == row.length && term_prove_lt(tt, tt->zero, row.length))
        return term_floordiv(tt, row.place, row.length);
  return 0;
}

/* The step at which the guard may hold, by an equation of the counter with a place, or by rows; 0: there is none. That
 * it is the only one is the induction's to show. */
static Term step_of(Loop *loop, Term guard) {
  TermTable *tt = loop->tt;
  Term at = one_point_root(tt, guard, loop->t);
  bool several = term_kind(tt, guard) == TERM_AND;
  uint32_t n = !loop->ex->effects->options.tells_rows ? 0 : several ? term_count(tt, guard) : 1;
  for (uint32_t i = 0; i < n && !(at && has_place(loop, at)); i++) {
    Term part = several ? term_arg(tt, guard, i) : guard;
    bool equation =
        term_kind(tt, part) == TERM_EQ && term_count(tt, part) == 1 && term_sort(tt, term_arg(tt, part, 0)) == SORT_INT;
    if (!equation || !term_has_symbol(tt, part, loop->t)) continue;
    at = row_step(loop, term_arg(tt, part, 0));
    if (!at || !has_place(loop, at)) at = column_step(loop, term_arg(tt, part, 0));
  }
  return at && has_place(loop, at) ? at : step_by_row(loop, guard);
}

static Term is_step(Loop *loop, Term guard, Term at, Term hi) {
  TermTable *tt = loop->tt;
  Term in = term_and(tt, term_le(tt, tt->zero, at), term_lt(tt, at, hi));
  return term_and(tt, in, term_replace(tt, guard, loop->t, at));
}

Term loop_sum_at_place(Loop *loop, Term f, Term hi) {
  TermTable *tt = loop->tt;
  if (term_kind(tt, f) != TERM_SELECT || term_arg(tt, f, 2) != tt->zero) return 0;
  Term guard = term_arg(tt, f, 0), at = step_of(loop, guard);
  if (!at) return 0;
  return term_select(tt, is_step(loop, guard, at, hi), term_replace(tt, term_arg(tt, f, 1), loop->t, at), tt->zero);
}

/* ---- scans ---- */

enum { SCAN_BACK = 4 };

/* The carried elements at the places that the steps before have stored to, the last one first. */
typedef struct Before {
  Term before[SCAN_BACK], scalar[SCAN_BACK];
} Before;

static Term put_scalar(TermTable *tt, Term t, void *payload) {
  const Before *b = payload;
  if (term_kind(tt, t) != TERM_READ) return t;
  for (uint32_t i = 0; i < SCAN_BACK; i++)
    if (t == b->before[i]) return b->scalar[i];
  return t;
}

/* f of the elements that the last steps have stored, as a recurrence of these, over the counter; 0: it is of others. */
static Term scan_as_recurrence(Loop *loop, const Carried *c, Term f, const Term *init, Term *scalar) {
  TermTable *tt = loop->tt;
  RecurParts p = {.steps = loop->t};
  if (!loop->may_recur || term_has_symbol(tt, f, c->symbol) ||
      term_node(tt, f)->flags & (TERM_HAS_UNDEF | TERM_HAS_OPAQUE))
    return 0;
  for (uint32_t i = 0; i < SCAN_BACK; i++)
    if (term_has_symbol(tt, f, term_arg(tt, scalar[i], 0))) p.n = i + 1;
  p.index = term_symbol_range(tt, term_symbol_fresh(tt, "j", SORT_INT, SYMBOL_INDEX), tt->zero,
                              term_sub(tt, loop->t, tt->one));
  for (uint32_t i = 0; i < p.n; i++) {
    p.state[i] = scalar[i], p.init[i] = init[i];
    p.next[i] = i ? scalar[i - 1] : term_replace(tt, f, loop->t, p.index);
  }
  return term_recur_of(tt, p);
}

/* f of the elements before along the axis alone, which step t stores to at first + way*t: its closed form after n
 * steps over the counter; 0: none is known. */
static Term solve_scan(Loop *loop, uint32_t i, uint32_t axis, Term f, Term first, int way) {
  TermTable *tt = loop->tt;
  const Carried *c = &loop->carried[i];
  if (loop->count == MAX_CARRIED) return 0;
  Carried *s = &loop->carried[loop->count];
  *s = (Carried){.place = UINT32_MAX, .is = c->is};
  Term at[TYPE_MAX_RANK], init[SCAN_BACK];
  Before before;
  memcpy(at, c->lanes, sizeof at);
  for (uint32_t k = 0; k < SCAN_BACK; k++) {
    Term symbol = term_symbol_fresh(tt, "carry", term_sort(tt, c->self), SYMBOL_CARRY);
    term_symbol(tt, symbol)->axis = c->is;
    if (!k) s->symbol = symbol;
    before.scalar[k] = term_read(tt, symbol, term_sort(tt, c->self), 0, NULL);
    at[axis] = term_sub(tt, first, term_int(tt, way * (int64_t)(k + 1)));
    init[k] = term_replace(tt, c->init, c->lanes[axis], at[axis]);
    at[axis] = term_add(tt, term_scale(tt, rational_int(way), loop->t), at[axis]);
    before.before[k] = term_read(tt, c->symbol, term_sort(tt, c->self), c->rank, at);
  }
  s->self = before.scalar[0], s->init = init[0];
  s->next = s->step = s->made_again = term_transform(tt, f, put_scalar, &before);
  for (uint32_t k = 0; k < loop->count; k++)
    if (term_has_symbol(tt, s->next, loop->carried[k].symbol)) return 0;
  bool alone = true;
  for (uint32_t k = 1; k < SCAN_BACK; k++) alone &= !term_has_symbol(tt, s->next, term_arg(tt, before.scalar[k], 0));
  loop->count++;
  Term next = s->next, closed = alone ? loop_solve_alone(loop, loop->count - 1) : 0;
  loop->count--;
  return closed ? closed : scan_as_recurrence(loop, c, next, init, before.scalar);
}

/* A condition under which a sum, or a wrap of one, is another: where(g, 0, c) + where(g, x, 0). 0: there is none. */
static Term condition_in(TermTable *tt, Term t) {
  if (term_kind(tt, t) == TERM_SELECT) return term_arg(tt, t, 0);
  if (term_kind(tt, t) == TERM_WRAP) return condition_in(tt, term_arg(tt, t, 0));
  for (uint32_t i = 1; term_kind(tt, t) == TERM_ADD && i < term_count(tt, t); i += 2)
    if (term_kind(tt, term_arg(tt, t, i + 1)) == TERM_SELECT) return term_arg(tt, term_arg(tt, t, i + 1), 0);
  return 0;
}

/* The carried element, or the wrap of it, which memory of that width holds as it is. */
static bool is_kept(TermTable *tt, const Carried *c, Term t) {
  return t == c->self || (term_kind(tt, t) == TERM_WRAP && term_arg(tt, t, 0) == c->self);
}

typedef struct OwnPlace {
  const Carried *c;
  Term at[TYPE_MAX_RANK]; /* of the store, by axis; 0: not known */
} OwnPlace;

static Term put_own(TermTable *tt, Term t, void *payload) {
  const OwnPlace *own = payload;
  const Carried *c = own->c;
  if (term_kind(tt, t) != TERM_READ || term_arg(tt, t, 0) != c->symbol) return t;
  Term at[TYPE_MAX_RANK];
  for (uint32_t k = 0; k < c->rank; k++)
    at[k] = term_arg(tt, t, k + 1) == own->at[k] ? c->lanes[k] : term_arg(tt, t, k + 1);
  return term_read(tt, c->symbol, term_sort(tt, c->self), c->rank, at);
}

/* Where p = t and c[t] > 0: p = t and c[p] > 0, so that an element which decides of itself is read at its place. */
static void read_at_place(TermTable *tt, const Carried *c, Term *guard, Term *value) {
  OwnPlace own = {.c = c};
  for (uint32_t k = 0; k < c->rank; k++) own.at[k] = one_point_root(tt, *guard, c->lanes[k]);
  *guard = term_transform(tt, *guard, put_own, &own);
  *value = term_transform(tt, *value, put_own, &own);
}

/* The equations of integers, as far as the condition is made of such, in which an axis of the tensor stands. */
static void find_equations(TermTable *tt, const Carried *c, Term t, uint32_t depth, TermList *out) {
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_EQ && term_count(tt, t) == 1 && term_sort(tt, term_arg(tt, t, 0)) == SORT_INT && is_over(tt, c, t)) {
    for (uint32_t i = 0; i < out->count; i++)
      if (out->data[i] == t) return;
    array_push(tt->arena, out, t);
  }
  for (uint32_t i = 0; (kind == TERM_AND || kind == TERM_OR || kind == TERM_NOT) && depth && i < term_count(tt, t); i++)
    find_equations(tt, c, term_arg(tt, t, i), depth - 1, out);
}

/* A flag's step, p = t and v or p != t and c. */
static bool is_flag_store(TermTable *tt, const Carried *c, Term *guard, Term *value) {
  TermList equations = {0};
  if (term_sort(tt, c->self) != SORT_BOOL) return false;
  find_equations(tt, c, c->next, 4, &equations);
  *guard = tt->true_, *value = c->next;
  for (uint32_t i = 0; i < equations.count; i++) {
    Term equation = equations.data[i];
    if (term_assume(tt, c->next, term_not(tt, equation)) != c->self) continue; /* one that the value asks */
    *guard = term_and(tt, *guard, equation), *value = term_assume(tt, *value, equation);
  }
  if (*guard == tt->true_) return false;
  read_at_place(tt, c, guard, value);
  return true;
}

/* The step as where(guard, value, c); false: it is another. */
static bool is_store(TermTable *tt, const Carried *c, Term *guard, Term *value) {
  if (is_flag_store(tt, c, guard, value)) return true;
  Term condition = condition_in(tt, c->next);
  if (!condition) return false;
  Term other = term_not(tt, condition), yes = term_assume(tt, c->next, condition), no = term_assume(tt, c->next, other);
  bool is_yes = is_kept(tt, c, no);
  if (!is_yes && !is_kept(tt, c, yes)) return false;
  *guard = is_yes ? condition : other;
  *value = is_yes ? yes : no;
  read_at_place(tt, c, guard, value);
  return true;
}

/* One step alone changes the element, so that it finds what was there at first. */
static Term solve_once(Loop *loop, const Carried *c, Term guard, Term value, Term at) {
  TermTable *tt = loop->tt;
  value = term_replace(tt, value, c->self, c->init);
  guard = term_replace(tt, guard, c->self, c->init);
  if (term_has_symbol(tt, value, c->symbol) || term_has_symbol(tt, guard, c->symbol)) return 0;
  return term_select(tt, is_step(loop, guard, at, loop->t), term_replace(tt, value, loop->t, at), c->init);
}

/* ---- the stores of one step ---- */

enum { STORES_MOST = 8 };

typedef struct Stores {
  Loop *loop;
  const Carried *c;
  uint32_t count;
  Term at[STORES_MOST], guard[STORES_MOST], value[STORES_MOST]; /* at: the step that stores to a place, if one does */
} Stores;

/* The step of p = m*t + b or p = m*t + b + 1 or .., m places one after another: (p - b) // m. 0: it is no such
 * condition. */
static Term block_step(const Stores *s, Term guard) {
  Loop *loop = s->loop;
  TermTable *tt = loop->tt;
  uint32_t n = term_kind(tt, guard) == TERM_OR ? term_count(tt, guard) : 0, axis = s->c->rank - 1;
  Term p = s->c->lanes[axis], first = 0, next = term_add(tt, loop->t, tt->one);
  int64_t least = 0, step;
  uint64_t seen = 0;
  if (n < 2 || n > STORES_MOST) return 0;
  for (uint32_t i = 0; i < n; i++) {
    Term part = term_arg(tt, guard, i), place = term_kind(tt, part) == TERM_EQ ? one_point_root(tt, part, p) : 0;
    int64_t distance;
    if (!place || is_over(tt, s->c, place) || term_has_symbol(tt, place, s->c->symbol)) return 0;
    if (!first) first = place;
    if (!term_is_int(tt, term_sub(tt, place, first), &distance) || distance >= n || distance <= -(int64_t)n) return 0;
    if (distance < least) least = distance;
    seen |= (uint64_t)1 << (distance + n);
  }
  Term rises = term_sub(tt, term_replace(tt, first, loop->t, next), first);
  if (!term_is_int(tt, rises, &step) || step != n || seen >> (least + n) != ((uint64_t)1 << n) - 1) return 0;
  Term base = term_add(tt, term_replace(tt, first, loop->t, tt->zero), term_int(tt, least));
  return term_floordiv(tt, term_sub(tt, p, base), term_int(tt, n));
}

/* A store under the guard, or, of where(g or h, v, ..), one for each part that determines its step. */
static bool add_stores(Stores *s, Term guard, Term value) {
  TermTable *tt = s->loop->tt;
  Term block = block_step(s, guard), at = term_has_symbol(tt, guard, s->c->symbol) ? 0 : step_of(s->loop, guard);
  if (block) at = block, guard = term_eq(tt, block, s->loop->t);
  if (at && s->count < STORES_MOST) {
    s->at[s->count] = at, s->guard[s->count] = guard, s->value[s->count] = value;
    s->count++;
    return true;
  }
  if (at || term_kind(tt, guard) != TERM_OR) return false;
  for (uint32_t i = 0; i < term_count(tt, guard); i++)
    if (!add_stores(s, term_arg(tt, guard, i), value)) return false;
  return true;
}

/* (p + k) // m for a literal m that divides p + k where the guard holds, as p // m and a number: so the stores to
 * p[3*t], p[3*t + 1], .. have one step, p // 3, and differ by p mod 3. */
static Term put_row(TermTable *tt, Term t, void *guard) {
  int64_t m, k = 0;
  if (term_kind(tt, t) != TERM_FLOORDIV || !term_is_int(tt, term_arg(tt, t, 1), &m) || m < 2) return t;
  Term e = term_arg(tt, t, 0);
  if (term_kind(tt, e) != TERM_ADD || !term_is_int(tt, term_arg(tt, e, 0), &k) || !k || k > m || k <= -m) return t;
  if (term_assume(tt, term_eq(tt, term_scale(tt, rational_int(m), t), e), *(Term *)guard) != tt->true_) return t;
  Term row = term_floordiv(tt, term_sub(tt, e, term_int(tt, k)), term_int(tt, m));
  return term_add(tt, row, term_int(tt, k > 0)); /* ceil(k / m) */
}

static void by_rows(Stores *s) {
  TermTable *tt = s->loop->tt;
  for (uint32_t i = 0; s->count > 1 && i < s->count; i++) {
    Term guard = term_replace(tt, s->guard[i], s->loop->t, s->at[i]);
    s->at[i] = term_transform(tt, s->at[i], put_row, &guard);
  }
}

/* where(g1, v1, where(g2, v2, .. c)) */
static bool find_stores(Loop *loop, const Carried *c, Stores *s) {
  TermTable *tt = loop->tt;
  *s = (Stores){.loop = loop, .c = c};
  for (Term next = c->next; next != c->self;) {
    if (term_kind(tt, next) != TERM_SELECT) return false;
    Term guard = term_arg(tt, next, 0), value = term_arg(tt, next, 1), rest = term_arg(tt, next, 2);
    uint32_t count = s->count;
    if (!add_stores(s, guard, value)) {
      s->count = count;
      if (!add_stores(s, term_not(tt, guard), rest)) return false;
      rest = value;
    }
    next = rest;
  }
  by_rows(s);
  return s->count > 0;
}

/* ---- elements that no step before stores ---- */

/* True if the store writes that place in no step before this one. `at`: the step that would. */
static bool is_later(const Stores *s, uint32_t i, const Term *place) {
  Loop *loop = s->loop;
  TermTable *tt = loop->tt;
  TermMap there = {s->c->rank, s->c->lanes, place};
  Term step = term_substitute(tt, s->at[i], there);
  if (term_prove_le(tt, loop->t, step) || term_prove_lt(tt, step, tt->zero)) return true;
  Term guard = term_substitute(tt, term_replace(tt, s->guard[i], loop->t, s->at[i]), there);
  return guard == tt->false_ || term_prove_true(tt, term_not(tt, guard));
}

typedef struct Ahead {
  const Stores *stores;
  const Carried *reader;   /* at its own place */
  Term own[TYPE_MAX_RANK]; /* that place, over the counter, as far as it is known */
} Ahead;

/* An element that no step before this one stores is what it was at first. */
static Term put_initial(TermTable *tt, Term t, void *payload) {
  const Ahead *a = payload;
  const Carried *c = a->stores->c;
  if (term_kind(tt, t) != TERM_READ || term_arg(tt, t, 0) != c->symbol) return t;
  Term at[TYPE_MAX_RANK], own[TYPE_MAX_RANK];
  for (uint32_t k = 0; k < c->rank; k++) {
    at[k] = own[k] = term_arg(tt, t, k + 1);
    for (uint32_t lane = 0; lane < a->reader->rank; lane++)
      if (at[k] == a->reader->lanes[lane]) own[k] = a->own[lane];
  }
  for (uint32_t i = 0; i < a->stores->count; i++)
    if (!is_later(a->stores, i, own)) return t;
  return term_substitute(tt, c->init, (TermMap){c->rank, c->lanes, at});
}

/* The place of the reader where the guard holds. */
static Ahead ahead_of(const Stores *s, const Carried *reader, Term guard) {
  TermTable *tt = s->loop->tt;
  Ahead ahead = {.stores = s, .reader = reader};
  for (uint32_t k = 0; k < reader->rank; k++) {
    ahead.own[k] = one_point_root(tt, guard, reader->lanes[k]);
    if (!ahead.own[k] || is_over(tt, reader, ahead.own[k])) ahead.own[k] = reader->lanes[k];
  }
  return ahead;
}

static void read_initial(Stores *s) {
  Loop *loop = s->loop;
  TermTable *tt = loop->tt;
  uint32_t facts = tt->facts.count;
  if (loop->trips) term_push_fact(tt, term_lt(tt, loop->t, loop->trips)); /* a step that is done */
  for (uint32_t i = 0; i < s->count; i++) {
    Ahead ahead = ahead_of(s, s->c, s->guard[i]);
    uint32_t known = tt->facts.count;
    term_push_fact(tt, s->guard[i]); /* and that stores there */
    s->value[i] = term_transform(tt, s->value[i], put_initial, &ahead);
    term_pop_facts(tt, known);
  }
  term_pop_facts(tt, facts);
}

/* True if two stores never meet, whatever their steps, as those to p[3*t] and p[3*t + 1]. */
static bool are_apart(const Stores *s, uint32_t i, uint32_t k) {
  TermTable *tt = s->loop->tt;
  Term t = s->loop->t, next = term_add(tt, t, tt->one);
  for (uint32_t axis = 0; axis < s->c->rank; axis++) {
    Term a = one_point_root(tt, s->guard[i], s->c->lanes[axis]), b = one_point_root(tt, s->guard[k], s->c->lanes[axis]);
    int64_t step, other, distance;
    bool known =
        a && b && term_is_int(tt, term_sub(tt, term_replace(tt, a, t, next), a), &step) &&
        term_is_int(tt, term_sub(tt, term_replace(tt, b, t, next), b), &other) &&
        term_is_int(tt, term_sub(tt, term_replace(tt, a, t, tt->zero), term_replace(tt, b, t, tt->zero)), &distance);
    if (known && step == other && step && distance % step) return true;
  }
  return false;
}

/* The last step that stores there decides; of one step, the store that is written first. 0: one reads what an earlier
 * step stored. */
static Term last_of_stores(const Stores *s) {
  TermTable *tt = s->loop->tt;
  Term t = s->loop->t, all = s->c->init, in[STORES_MOST];
  for (uint32_t i = 0; i < s->count; i++) {
    if (term_has_symbol(tt, s->value[i], s->c->symbol) || term_has_symbol(tt, s->guard[i], s->c->symbol)) return 0;
    in[i] = is_step(s->loop, s->guard[i], s->at[i], t);
  }
  for (uint32_t i = s->count; i-- > 0;) {
    Term last = in[i];
    for (uint32_t k = 0; k < s->count; k++) {
      if (k == i || are_apart(s, i, k)) continue;
      Term later = k < i ? term_le(tt, s->at[i], s->at[k]) : term_lt(tt, s->at[i], s->at[k]);
      last = term_and(tt, last, term_not(tt, term_and(tt, in[k], later)));
    }
    all = term_select(tt, last, term_replace(tt, s->value[i], t, s->at[i]), all);
  }
  return all;
}

/* What the others read of a tensor's elements before a step stores them, as where two arrays are swapped, is what these
 * were at first. */
static Term read_ahead(const Stores *s, const Carried *reader, Term t) {
  TermTable *tt = s->loop->tt;
  if (term_kind(tt, t) != TERM_SELECT) {
    Ahead ahead = ahead_of(s, reader, tt->true_);
    return term_transform(tt, t, put_initial, &ahead);
  }
  Term guard = term_arg(tt, t, 0), no = read_ahead(s, reader, term_arg(tt, t, 2));
  Ahead ahead = ahead_of(s, reader, guard);
  uint32_t facts = tt->facts.count;
  term_push_fact(tt, guard);
  Term yes = term_transform(tt, term_arg(tt, t, 1), put_initial, &ahead);
  term_pop_facts(tt, facts);
  return term_select(tt, guard, yes, no);
}

/* An index that is negative in no step that is done does not count from the end. */
void loop_decide_places(Loop *loop, uint32_t i) {
  TermTable *tt = loop->tt;
  Carried *c = &loop->carried[i];
  if (!has_places(c) || !loop->trips) return;
  uint32_t facts = tt->facts.count;
  term_push_fact(tt, term_lt(tt, loop->t, loop->trips));
  c->next = term_rebuild(tt, c->next);
  term_pop_facts(tt, facts);
}

void loop_read_ahead(Loop *loop, uint32_t i) {
  TermTable *tt = loop->tt;
  const Carried *c = &loop->carried[i];
  Stores stores;
  if (!has_places(c) || !find_stores(loop, c, &stores)) return;
  uint32_t facts = tt->facts.count;
  if (loop->trips) term_push_fact(tt, term_lt(tt, loop->t, loop->trips)); /* a step that is done */
  for (uint32_t k = 0; k < loop->count; k++)
    if (k != i) loop->carried[k].next = read_ahead(&stores, &loop->carried[k], loop->carried[k].next);
  term_pop_facts(tt, facts);
}

/* ---- elements that no step at all stores ---- */

typedef struct Untouched {
  Loop *loop;
  const Carried *c;
  uint32_t count;
  Term guard[STORES_MOST];
} Untouched;

static Term put_untouched(TermTable *tt, Term t, void *payload) {
  const Untouched *u = payload;
  const Carried *c = u->c;
  if (term_kind(tt, t) != TERM_READ || term_arg(tt, t, 0) != c->symbol || t == c->self) return t;
  Term at[TYPE_MAX_RANK];
  for (uint32_t k = 0; k < c->rank; k++) at[k] = term_arg(tt, t, k + 1);
  TermMap there = {c->rank, c->lanes, at};
  for (uint32_t i = 0; i < u->count; i++) {
    Term guard = term_substitute(tt, u->guard[i], there);
    if (guard != tt->false_ && !term_prove_true(tt, term_not(tt, guard))) return t;
  }
  return term_substitute(tt, c->init, there);
}

/* True if the condition is another one in other steps. */
static bool is_of_step(const Loop *loop, Term guard) {
  bool found = term_has_symbol(loop->tt, guard, loop->t);
  for (uint32_t k = 0; k < loop->count && !found; k++)
    found = term_has_symbol(loop->tt, guard, loop->carried[k].symbol);
  return found;
}

void loop_read_untouched(Loop *loop, uint32_t i) {
  TermTable *tt = loop->tt;
  Carried *c = &loop->carried[i];
  Untouched u = {loop, c, 0, {0}};
  if (!has_places(c)) return;
  Term next = c->next;
  for (; next != c->self; u.count++, next = term_arg(tt, next, 2)) {
    if (u.count == STORES_MOST || term_kind(tt, next) != TERM_SELECT) return;
    u.guard[u.count] = term_arg(tt, next, 0);
    if (is_of_step(loop, u.guard[u.count])) return;
  }
  uint32_t facts = tt->facts.count;
  if (loop->trips) term_push_fact(tt, term_lt(tt, loop->t, loop->trips));
  c->next = term_transform(tt, c->next, put_untouched, &u);
  term_pop_facts(tt, facts);
}

Term loop_solve_content(Loop *loop, uint32_t i) {
  TermTable *tt = loop->tt;
  const Carried *c = &loop->carried[i];
  Term guard, value, closed = 0;
  Stores stores;
  if (!has_places(c)) return 0;
  if (!find_stores(loop, c, &stores)) {
    if (!is_store(tt, c, &guard, &value) || !step_of(loop, guard)) return 0;
    stores = (Stores){loop, c, 1, {step_of(loop, guard)}, {guard}, {value}};
  }
  read_initial(&stores);
  closed = last_of_stores(&stores);
  if (closed || stores.count > 1) return closed;
  guard = stores.guard[0], value = stores.value[0];
  read_at_place(tt, c, &guard, &value);
  Term at = stores.at[0], once = solve_once(loop, c, guard, value, at);
  if (once) return once;
  uint32_t axis = 0; /* along which p = first + t, or first - t */
  while (axis < c->rank && !term_has_symbol(tt, at, c->lanes[axis])) axis++;
  if (axis == c->rank) return 0;
  int way = term_has_symbol(tt, term_sub(tt, c->lanes[axis], at), c->lanes[axis]) ? -1 : 1;
  Term first = term_sub(tt, c->lanes[axis], term_scale(tt, rational_int(way), at));
  Term here = term_eq(tt, at, loop->t), others = term_assume(tt, guard, here); /* what it asks of the other axes */
  if (term_has_symbol(tt, first, c->lanes[axis]) || term_has_symbol(tt, first, loop->t) ||
      term_and(tt, others, here) != guard || term_has_symbol(tt, others, loop->t) ||
      term_has_symbol(tt, others, c->lanes[axis]))
    return 0;
  Term place = term_add(tt, term_scale(tt, rational_int(way), loop->t), first);
  closed = solve_scan(loop, i, axis, term_replace(tt, value, c->lanes[axis], place), first, way);
  if (!closed) return 0;
  /* with the element before the first, which is S(0), so that a step finds it in one form */
  closed = term_replace(tt, closed, loop->t, term_add(tt, at, tt->one));
  Term in = term_and(tt, term_le(tt, tt->minus_one, at), term_lt(tt, at, loop->t));
  return term_select(tt, term_and(tt, in, others), closed, c->init);
}
