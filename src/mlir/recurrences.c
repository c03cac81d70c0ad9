/* Recurrences of one value in one form, whatever loops they come from: nested, tiled, unrolled, or one behind another.
 *
 *   nested     each step is a recurrence itself, of as many steps each time: one of all the steps
 *   tiled      ... of min(w, n - w*t) steps, for t below s: one of min(w*s, n) steps, or none
 *   unrolled   each step is d steps of one kind, at d*t, d*t + 1, ..: one of d times as many steps; of sums, extrema
 *              and the like, whose operands have no order, each of which is that of d steps
 *   joined     it begins with what another one of the same kind has come to: one of both numbers of steps, also of
 *              several values, and where a step of the other one is several of its own
 *   confined   nothing but steps k with k // n = q do anything: one of these n steps, or fewer at the end
 *
 * Each form is put together by substitution, and taken only if that gives the very steps that were there. */
#include "mlir/internal.h"

enum { MOST_UNROLLED = 64, MOST_OPERANDS = 32, MOST_COMPARED = 500 };

typedef struct Recurrence { /* state after so many steps, from index 0 on */
  Term state, start, next, index, steps;
} Recurrence;

static Term name_of(const TermTable *tt, const Recurrence *r) { return term_arg(tt, r->state, 0); }

static Term at(TermTable *tt, const Recurrence *r, Term index, Term state) {
  Term from[2] = {r->index, r->state}, to[2] = {index, state};
  return term_substitute(tt, r->next, (TermMap){2, from, to});
}

static Term new_index(TermTable *tt, Term steps) {
  Term k = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX);
  return term_symbol_range(tt, k, tt->zero, term_sub(tt, steps, tt->one));
}

static bool is_single(const TermTable *tt, Term t) {
  return term_kind(tt, t) == TERM_RECUR && term_recur_count(tt, t) == 1 && !term_recur_lanes(tt, t);
}

/* ---- nested and tiled ---- */

/* The number of all steps, where each of the outer ones makes so many; 0: not known. `width`: of each but the last. */
static Term all_steps(TermTable *tt, const Recurrence *r, Term own, Term *width) {
  *width = own;
  if (!term_has_symbol(tt, own, r->index)) return term_prove_le(tt, tt->zero, own) ? term_mul(tt, r->steps, own) : 0;
  if (term_kind(tt, own) == TERM_MAX && term_count(tt, own) == 2) /* max(0, min(..)): no tile is empty */
    own = term_arg(tt, own, term_arg(tt, own, 0) == tt->zero);
  for (uint32_t i = 0; term_kind(tt, own) == TERM_MIN && term_count(tt, own) == 2 && i < 2; i++) {
    Term m, n;
    *width = term_arg(tt, own, i);
    if (!mlir_linear_in(tt, term_arg(tt, own, 1 - i), r->index, &m, &n) || m != term_neg(tt, *width)) continue;
    if (!mlir_holds(tt, term_lt(tt, tt->zero, *width))) continue;
    return term_min(tt, term_mul(tt, *width, term_max(tt, tt->zero, r->steps)), term_max(tt, tt->zero, n));
  }
  return 0;
}

static bool flatten(TermTable *tt, Recurrence *r) {
  Term name = name_of(tt, r), width;
  if (!is_single(tt, r->next) || term_arg(tt, r->next, 1) != r->state) return false;
  RecurParts inner = term_recur_open(tt, r->next);
  if (term_has_symbol(tt, inner.steps, name) || term_has_symbol(tt, inner.next[0], name)) return false;
  Term all = all_steps(tt, r, inner.steps, &width);
  if (!all) return false;
  Term k = new_index(tt, all);
  uint32_t facts = tt->facts.count; /* there is a step */
  term_push_fact(tt, term_lt(tt, tt->zero, width));
  Term row = term_floordiv(tt, k, width), column = term_sub(tt, k, term_mul(tt, row, width));
  Term from[2] = {r->index, inner.index}, to[2] = {row, column};
  r->next = term_substitute(tt, inner.next[0], (TermMap){2, from, to});
  term_pop_facts(tt, facts);
  r->state = inner.state[0], r->index = k, r->steps = all;
  return true;
}

/* ---- unrolled ---- */

/* True if t speaks of the state in that part alone, however often the part is there. */
static bool is_only_in(TermTable *tt, Term t, Term part, Term name) {
  Term other = term_symbol_fresh(tt, "part", term_sort(tt, part), SYMBOL_INDEX);
  return !term_has_symbol(tt, term_replace_part(tt, t, part, other), name);
}

/* From the whole step down to the state, the parts which alone speak of it; 0: there are none between. */
static uint32_t path_to_state(TermTable *tt, Term t, Term name, Term state, Term *path) {
  uint32_t count = 0;
  Term last = t; /* on the path */
  path[count++] = t;
  for (bool alone = true; t != state && count <= MOST_UNROLLED * 4;) {
    Term next = 0;
    uint32_t speak = 0;
    if (term_kind(tt, t) == TERM_RECUR || term_kind(tt, t) == TERM_FOLD) return 0;
    for (uint32_t i = term_count(tt, t); i-- > 0;)
      if (term_has_symbol(tt, term_arg(tt, t, i), name)) next = term_arg(tt, t, i), speak++;
    if (!next) return 0;
    t = next, alone &= speak == 1;
    if (!alone && t != state && !(alone = is_only_in(tt, last, t, name))) continue;
    last = t, path[count++] = t;
  }
  return t == state ? count - 1 : 0;
}

typedef struct Between {
  TermTable *tt;
  Term j;
  uint32_t fuel;
} Between;

static Term between(Between *w, Term a, Term b, uint32_t *change);

static bool may_change_places(const TermTable *tt, Term t) {
  TermKind kind = term_kind(tt, t);
  return kind == TERM_AND || kind == TERM_OR || term_kind_is_extremum(kind) || kind == TERM_FN || kind == TERM_MUL ||
         (kind == TERM_OPAQUE && term_count(tt, t) == 2);
}

/* Numbers that are near rather than others, and these rather than sizes. */
static uint32_t size_of(TermTable *tt, Term difference) {
  enum { FAR = 1 << 16 };
  int64_t number;
  if (!term_is_int(tt, difference, &number)) return FAR * (1 + term_count(tt, difference));
  return number > -FAR && number < FAR ? (uint32_t)(number < 0 ? -number : number) : FAR;
}

/* What is read, and what may be a block of memory, by its number or by its name: of these no arithmetic is made. */
static bool is_name(const TermTable *tt, Term t, uint32_t i) {
  if (term_kind(tt, t) != TERM_READ || i > 1) return false;
  return !i || (term_count(tt, t) == 3 &&
                (term_is_rat(tt, term_arg(tt, t, i)) || term_kind(tt, term_arg(tt, t, i)) == TERM_SYM));
}

/* What operand i is between two terms, of those of b that are left the one that changes least; 0: there is none. */
static Term operand_between(Between *w, Term a, Term b, uint32_t i, bool *used, uint32_t *change) {
  TermTable *tt = w->tt;
  uint32_t count = term_count(tt, a), tried = may_change_places(tt, a) ? count : 1, least = UINT32_MAX, which = 0;
  bool is_product = term_kind(tt, a) == TERM_MUL; /* each factor has its exponent behind it */
  Term best = 0;
  if (is_product && i % 2) return term_arg(tt, a, i);
  if (is_name(tt, a, i)) return term_arg(tt, a, i) == term_arg(tt, b, i) ? term_arg(tt, a, i) : 0;
  for (uint32_t n = 0; n < tried && least; n += 1 + is_product) {
    uint32_t k = (i + n) % count, own = 0;
    bool fits = !used[k] && (!is_product || term_arg(tt, a, i + 1) == term_arg(tt, b, k + 1));
    Term one = fits ? between(w, term_arg(tt, a, i), term_arg(tt, b, k), &own) : 0;
    if (one && own < least) best = one, least = own, which = k;
  }
  used[which] |= best != 0;
  *change += best ? least : 0;
  return best;
}

/* What is a for j = 0 and b for j = 1, linear in j where they are other numbers, which is so much of a change; 0:
 * they differ in more than numbers. */
static Term between(Between *w, Term a, Term b, uint32_t *change) {
  TermTable *tt = w->tt;
  Term args[MOST_OPERANDS];
  bool used[MOST_OPERANDS] = {false};
  uint32_t count = term_count(tt, a);
  TermKind kind = term_kind(tt, a);
  if (a == b) return a;
  if (!w->fuel || term_sort(tt, a) != term_sort(tt, b)) return 0;
  w->fuel--;
  if (term_sort(tt, a) == SORT_INT) {
    Term difference = term_sub(tt, b, a);
    uint32_t is_more = TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_FOLD;
    if (!(term_node(tt, difference)->flags & is_more))
      return *change += size_of(tt, difference), term_add(tt, a, term_mul(tt, difference, w->j));
  }
  if (kind != term_kind(tt, b) || term_aux(tt, a) != term_aux(tt, b) || count != term_count(tt, b)) return 0;
  if (!count || count > MOST_OPERANDS || kind == TERM_FOLD) return 0;
  for (uint32_t i = 0; i < count; i++) {
    if (kind == TERM_RECUR && i && term_arg(tt, a, i) != term_arg(tt, b, i)) return 0; /* but for how many steps */
    if (!(args[i] = operand_between(w, a, b, i, used, change))) return 0;
  }
  return term_make(tt, a, args);
}

Term mlir_one_step(TermTable *tt, Term first, Term second, Term t, Term k, int64_t d, bool has_digits) {
  Term j = term_symbol_fresh(tt, "j", SORT_INT, SYMBOL_INDEX);
  term_symbol_range(tt, j, tt->zero, term_int(tt, d - 1));
  Between w = {tt, j, MOST_COMPARED};
  uint32_t change = 0;
  Term any = between(&w, first, second, &change), row = term_floordiv(tt, k, term_int(tt, d));
  Term from[2] = {t, j}, to[2] = {row, term_sub(tt, k, term_scale(tt, rational_int(d), row))};
  Term one = any ? term_substitute(tt, any, (TermMap){2, from, to}) : 0;
  return one && !has_digits && term_has_part(tt, one, row) ? 0 : one;
}

static Term step_of(TermTable *tt, Term t, int64_t d, int64_t i) {
  return term_add(tt, term_scale(tt, rational_int(d), t), term_int(tt, i));
}

/* True if `one` d times is the step. */
static bool is_step_of(TermTable *tt, const Recurrence *r, const Recurrence *one, int64_t d) {
  Term state = r->state;
  for (int64_t i = 0; i < d; i++) state = at(tt, one, step_of(tt, r->index, d, i), state);
  return state == r->next;
}

static bool roll(TermTable *tt, Recurrence *r) {
  Term path[MOST_UNROLLED * 4 + 2];
  uint32_t length = path_to_state(tt, r->next, name_of(tt, r), r->state, path);
  for (uint32_t d = length < MOST_UNROLLED ? length : MOST_UNROLLED; d >= 2; d--) {
    if (length % d) continue;
    Term first = path[length - length / d], second = path[length - length / d * 2];
    Term all = term_scale(tt, rational_int(d), r->steps);
    Recurrence one = *r;
    one.index = new_index(tt, all), one.steps = all;
    one.next = mlir_one_step(tt, first, term_replace_part(tt, second, first, r->state), r->index, one.index, d, d > 2);
    if (one.next && is_step_of(tt, r, &one, d)) return *r = one, true;
  }
  return false;
}

/* ---- unrolled, of operands without order ---- */

typedef struct Operands { /* of one operation: what leads to the state, and the others */
  Term whole, inner, list[MOST_UNROLLED];
  uint32_t count;
} Operands;

static bool has_operands(TermTable *tt, Term t) {
  TermKind kind = term_kind(tt, t);
  return kind == TERM_ADD || kind == TERM_AND || kind == TERM_OR || term_kind_is_extremum(kind) ||
         (kind == TERM_OPAQUE && term_count(tt, t) > 2);
}

static bool take_operands(TermTable *tt, Term whole, Term inner, Operands *o) {
  *o = (Operands){.whole = whole, .inner = inner};
  bool is_sum = term_kind(tt, whole) == TERM_ADD, found = false;
  uint32_t count = term_count(tt, whole);
  if (!has_operands(tt, whole) || count >= MOST_UNROLLED) return false;
  if (is_sum && term_arg(tt, whole, 0) != tt->zero) o->list[o->count++] = term_arg(tt, whole, 0);
  for (uint32_t i = is_sum; i < count; i += 1 + is_sum) {
    Term operand = is_sum ? term_scale(tt, term_rat(tt, term_arg(tt, whole, i)), term_arg(tt, whole, i + 1))
                          : term_arg(tt, whole, i);
    if (operand == inner && !found)
      found = true;
    else
      o->list[o->count++] = operand;
  }
  return found && o->count > 1;
}

/* The same operation of these operands. */
static Term with_operands(TermTable *tt, const Operands *o, Term *list, uint32_t count) {
  TermKind kind = term_kind(tt, o->whole);
  Term t = o->inner;
  list[count] = o->inner;
  if (kind == TERM_OPAQUE) return term_opaque(tt, term_aux(tt, o->whole), term_sort(tt, o->whole), count + 1, list);
  for (uint32_t i = 0; i < count; i++)
    t = kind == TERM_ADD   ? term_add(tt, t, list[i])
        : kind == TERM_AND ? term_and(tt, t, list[i])
        : kind == TERM_OR  ? term_or(tt, t, list[i])
        : kind == TERM_MAX ? term_max(tt, t, list[i])
                           : term_min(tt, t, list[i]);
  return t;
}

static void drop(Operands *o, uint32_t i) {
  o->count--;
  o->list[i] = o->list[o->count];
}

/* Takes out what a step is at d*t, d*t + 1, ..; false: not all of these are there. */
static bool take_steps(TermTable *tt, Operands *o, Term step, Term t, Term k, int64_t d) {
  for (int64_t i = 0; i < d; i++) {
    Term there = term_replace(tt, step, k, step_of(tt, t, d, i));
    uint32_t at = 0;
    while (at < o->count && o->list[at] != there) at++;
    if (at == o->count) return false;
    drop(o, at);
  }
  return true;
}

/* Takes out operands that are one for each of d steps k, and gives that one; 0: there are none. */
static Term take_one(TermTable *tt, Operands *o, Term t, Term k, int64_t d) {
  int64_t number;
  for (uint32_t i = 0; i < o->count * 2; i++) { /* at last such as look at digits of k */
    Term first = o->list[i % o->count];
    bool has_digits = i >= o->count && d > 2;
    if (term_kind(tt, o->whole) == TERM_ADD && term_is_int(tt, first, &number) && number % d == 0)
      return drop(o, i % o->count), term_int(tt, number / d); /* each step has its part of it */
    for (uint32_t n = 0; n < o->count; n++) {
      Operands left = *o;
      Term step = first == o->list[n] ? 0 : mlir_one_step(tt, first, o->list[n], t, k, d, has_digits);
      if (step && take_steps(tt, &left, step, t, k, d)) return *o = left, step;
    }
  }
  return 0;
}

/* The operation with the operands of a step k, of d times as many; 0: they are not those of d steps. */
static Term operands_of_one(TermTable *tt, const Operands *o, Term t, Term k, int64_t d) {
  Term list[MOST_UNROLLED + 1], one;
  uint32_t count = 0;
  Operands left = *o;
  if (o->count % d && term_kind(tt, o->whole) != TERM_ADD) return 0;
  while (left.count && (one = take_one(tt, &left, t, k, d))) list[count++] = one;
  return left.count ? 0 : with_operands(tt, o, list, count);
}

static bool roll_operands(TermTable *tt, Recurrence *r) {
  Term path[MOST_UNROLLED * 4 + 2];
  uint32_t length = path_to_state(tt, r->next, name_of(tt, r), r->state, path);
  for (uint32_t i = 0; i < length; i++) {
    Operands o;
    if (!take_operands(tt, path[i], path[i + 1], &o)) continue;
    for (uint32_t d = o.count; d >= 2; d--) {
      Term all = term_scale(tt, rational_int(d), r->steps);
      Recurrence one = *r;
      one.index = new_index(tt, all), one.steps = all;
      Term operands = operands_of_one(tt, &o, r->index, one.index, d);
      if (!operands) continue;
      one.next = term_replace_part(tt, r->next, path[i], operands);
      if (is_step_of(tt, r, &one, d)) return *r = one, true;
    }
  }
  return false;
}

void mlir_rolled(TermTable *tt, Term state, Term *next, Term *index, Term *steps) {
  Recurrence r = {state, tt->zero, *next, *index, *steps};
  if (roll(tt, &r) || roll_operands(tt, &r)) *next = r.next, *index = r.index, *steps = r.steps;
}

/* ---- joined ---- */

/* where(x != 0, 1, 0), for a recurrence x of truth values: x. */
static Term as_recurrence(TermTable *tt, Term t) {
  Term c = term_kind(tt, t) == TERM_SELECT ? term_arg(tt, t, 0) : t, x = term_arg(tt, c, 0);
  if (term_kind(tt, c) != TERM_EQ || t != mlir_as_int(tt, mlir_as_bool(tt, x))) return t;
  if (term_kind(tt, x) != TERM_RECUR || term_recur_lanes(tt, x)) return t;
  RecurParts p = term_recur_open(tt, x);
  for (int i = 0; i < 2; i++) {
    Term value = i ? p.next[p.which] : p.init[p.which];
    bool is_choice =
        term_kind(tt, value) == TERM_SELECT && term_arg(tt, value, 1) == tt->one && term_arg(tt, value, 2) == tt->zero;
    if (!is_choice && value != tt->zero && value != tt->one) return t;
  }
  return x;
}

static bool join(TermTable *tt, Recurrence *r) {
  r->start = as_recurrence(tt, r->start);
  if (!is_single(tt, r->start)) return false;
  RecurParts before = term_recur_open(tt, r->start);
  Recurrence first = {before.state[0], before.init[0], before.next[0], before.index, before.steps};
  if (term_sort(tt, first.state) != term_sort(tt, r->state)) return false;
  if (!mlir_holds(tt, term_le(tt, tt->zero, first.steps)) || !mlir_holds(tt, term_le(tt, tt->zero, r->steps)))
    return false;
  if (at(tt, &first, term_add(tt, first.steps, r->index), r->state) != r->next) return false;
  first.steps = term_add(tt, first.steps, r->steps);
  Term k = new_index(tt, first.steps); /* which may be more than what first.index is known to be below */
  first.next = at(tt, &first, k, first.state), first.index = k;
  return *r = first, true;
}

enum { MOST_JOINED = 8 };

/* What these values are after one step at that index. */
static void advance(TermTable *tt, const RecurParts *r, Term index, Term *value) {
  Term from[RECUR_STATES + 1], to[RECUR_STATES + 1], next[RECUR_STATES];
  for (uint32_t i = 0; i < r->n; i++) from[i] = r->state[i], to[i] = value[i];
  from[r->n] = r->index, to[r->n] = index;
  for (uint32_t i = 0; i < r->n; i++) next[i] = term_substitute(tt, r->next[i], (TermMap){r->n + 1, from, to});
  for (uint32_t i = 0; i < r->n; i++) value[i] = next[i];
}

/* A state is what it begins with or what a step makes: within the numbers of both. */
static void bound_states(TermTable *tt, const RecurParts *r) {
  for (uint32_t i = 0; i < r->n; i++) {
    Int128 lo[2], hi[2];
    if (term_sort(tt, r->state[i]) != SORT_INT) continue;
    if (!term_interval_of_symbols(tt, r->init[i], &lo[0], &hi[0])) continue;
    if (!term_interval_of_symbols(tt, r->next[i], &lo[1], &hi[1])) continue;
    Rational least = {lo[0] < lo[1] ? lo[0] : lo[1], 1}, most = {hi[0] > hi[1] ? hi[0] : hi[1], 1};
    term_symbol_range(tt, term_arg(tt, r->state[i], 0), term_new_rat(tt, least), term_new_rat(tt, most));
  }
}

/* True if a step of `before` is d steps of `r`, whose own step k is the one at index d * before->steps + k. */
static bool is_unrolled_by(TermTable *tt, const RecurParts *before, const RecurParts *r, int64_t d) {
  Term value[RECUR_STATES], first = term_scale(tt, rational_int(d), before->steps);
  for (uint32_t i = 0; i < r->n; i++) value[i] = before->state[i];
  for (int64_t k = 0; k < d; k++) advance(tt, r, term_sub(tt, step_of(tt, before->index, d, k), first), value);
  bool good = true;
  for (uint32_t i = 0; i < r->n; i++) good &= term_rebuild(tt, value[i]) == term_rebuild(tt, before->next[i]);
  return good;
}

Term mlir_joined(TermTable *tt, Term t) {
  if (term_kind(tt, t) != TERM_RECUR || term_recur_lanes(tt, t)) return t;
  uint32_t n = term_recur_count(tt, t);
  for (uint32_t i = 0; i < n; i++) { /* all values of one recurrence, in this order */
    Term init = as_recurrence(tt, term_arg(tt, t, 1 + i)), first = as_recurrence(tt, term_arg(tt, t, 1));
    if (term_kind(tt, init) != TERM_RECUR || term_aux(tt, init) != n * RECUR_STATES + i) return t;
    if (term_count(tt, init) != term_count(tt, first)) return t;
    for (uint32_t k = 0; k < term_count(tt, init); k++)
      if (term_arg(tt, init, k) != term_arg(tt, first, k)) return t;
  }
  RecurParts r = term_recur_open(tt, t), before = term_recur_open(tt, as_recurrence(tt, r.init[0]));
  if (before.lanes || !mlir_holds(tt, term_le(tt, tt->zero, before.steps)) ||
      !mlir_holds(tt, term_le(tt, tt->zero, r.steps)))
    return t;
  bound_states(tt, &before);
  int64_t d = 1;
  while (d <= MOST_JOINED && !is_unrolled_by(tt, &before, &r, d)) d++;
  if (d > MOST_JOINED) return t;
  Term first = term_scale(tt, rational_int(d), before.steps), all = term_add(tt, first, r.steps);
  RecurParts both = r;
  both.steps = all, both.index = new_index(tt, all);
  for (uint32_t i = 0; i < n; i++) {
    both.init[i] = before.init[i];
    both.next[i] = term_replace(tt, r.next[i], r.index, term_sub(tt, both.index, first));
  }
  return term_recur_of(tt, both);
}

/* ---- confined ---- */

/* index // n == q, for n > 0. */
static bool is_row(TermTable *tt, const Recurrence *r, Term c, Term *n, Term *q) {
  if (term_kind(tt, c) != TERM_EQ || term_count(tt, c) != 1) return false;
  Term e = term_arg(tt, c, 0);
  for (uint32_t i = 2; term_kind(tt, e) == TERM_ADD && i < term_count(tt, e); i += 2) {
    Term f = term_arg(tt, e, i), times = term_arg(tt, e, i - 1), rest = term_sub(tt, e, term_mul(tt, times, f));
    if (term_kind(tt, f) != TERM_FLOORDIV || term_arg(tt, f, 0) != r->index) continue;
    if (times != tt->one && times != term_neg(tt, tt->one)) continue;
    *n = term_arg(tt, f, 1), *q = times == tt->one ? term_neg(tt, rest) : rest;
    for (int side = 0; side < 2; side++)
      if (term_has_symbol(tt, side ? *n : *q, r->index) || term_has_symbol(tt, side ? *n : *q, name_of(tt, r)))
        return false;
    return mlir_holds(tt, term_lt(tt, tt->zero, *n));
  }
  return false;
}

/* So many steps of it, from `first` on. */
static Term from_step(TermTable *tt, const Recurrence *r, Term first, Term steps) {
  Term k = new_index(tt, steps);
  uint32_t facts = tt->facts.count;
  term_push_fact(tt, term_lt(tt, k, steps));
  Term next = term_replace(tt, r->next, r->index, term_add(tt, first, k));
  term_pop_facts(tt, facts);
  return mlir_recurrence(tt, r->state, r->start, next, k, steps);
}

/* 0: it is not confined. */
static Term confined(TermTable *tt, const Recurrence *r) {
  Term n = 0, q = 0;
  if (term_kind(tt, r->next) != TERM_SELECT || term_arg(tt, r->next, 2) != r->state) return 0;
  Term guard = term_arg(tt, r->next, 0), others = tt->true_;
  uint32_t count = term_conjunct_count(tt, guard), found = count;
  for (uint32_t i = 0; i < count; i++)
    if (found == count && is_row(tt, r, term_conjunct(tt, guard, i), &n, &q))
      found = i;
    else
      others = term_and(tt, others, term_conjunct(tt, guard, i));
  if (found == count) return 0;
  Recurrence row = *r;
  row.next = term_select(tt, others, term_arg(tt, r->next, 1), r->state);
  Term first = term_mul(tt, n, q), some = term_and(tt, term_le(tt, tt->zero, q), term_lt(tt, first, r->steps));
  Term all = term_and(tt, some, term_le(tt, term_add(tt, first, n), r->steps)); /* so that equal ones are one */
  Term part = from_step(tt, &row, first, term_sub(tt, r->steps, first));
  return term_select(tt, some, term_select(tt, all, from_step(tt, &row, first, n), part), r->start);
}

Term mlir_recurrence(TermTable *tt, Term state, Term start, Term next, Term index, Term steps) {
  Recurrence r = {state, start, next, index, steps};
  Term row = confined(tt, &r);
  if (row) return row;
  flatten(tt, &r);
  if (!roll(tt, &r)) roll_operands(tt, &r);
  Term all = join(tt, &r) ? 0 : term_recur(tt, 1, 0, r.index, r.steps, &r.start, &r.next, &r.state);
  return all ? mlir_joined(tt, all) : term_recur(tt, 1, 0, r.index, r.steps, &r.start, &r.next, &r.state);
}
