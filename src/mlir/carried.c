/* What a loop carries, in closed form: scalars, tensors and memory alike are values over places (a scalar has none),
 * of which each iteration writes some (see carried.h).
 *
 * What is read of a value while it is carried stands as a READ of a symbol, with the place. In this order:
 *   - a place that no iteration before has written holds what it held before the loop;
 *   - of a value that is closed already, it is that value after as many iterations;
 *   - the place that is written itself, under the guard of the write, is the state of a recurrence at that place.
 * A write whose guard holds in one iteration only, for each place, needs no recurrence: that iteration is put in. What
 * is left over is not executed. */
#include "mlir/carried.h"

#include "laws/one_point.h"

/* ---- reading ---- */

Cell carried_read(TermTable *tt, const Carried *c, const Term *place) {
  Term value = term_read(tt, c->value, term_symbol(tt, c->value)->sort, c->rank, place);
  Term poison = term_read(tt, c->poison, SORT_INT, c->rank, place);
  return (Cell){c->is_bool ? mlir_as_bool(tt, value) : value, mlir_as_bool(tt, poison)};
}

static Term put(TermTable *tt, const Carried *c, Term t, const Term *place) {
  Term from[MLIR_RANK], to[MLIR_RANK];
  uint32_t count = 0;
  for (uint32_t i = 0; i < c->rank; i++)
    if (c->place[i] != place[i]) from[count] = c->place[i], to[count++] = place[i];
  return count ? term_substitute(tt, t, (TermMap){count, from, to}) : t;
}

/* What it held before the loop. */
static Cell initial(Loop *l, const Carried *c, const Term *place) {
  if (c->space) return mlir_space_at(l->m, c->space, mlir_region_of(l->m, place[0]), place[0], place[1]);
  TermTable *tt = l->m->tt;
  return (Cell){put(tt, c, c->init.value, place), put(tt, c, c->init.poison, place)};
}

Cell carried_after(Loop *l, const Carried *c, const Term *place, Term steps) {
  TermTable *tt = l->m->tt;
  Term guards[CARRIED_WRITES];
  Cell cells[CARRIED_WRITES], cell = {0};
  uint32_t count = 0;
  for (uint32_t i = c->done.count; i-- > 0 && !cell.value;) {
    const MlirWrite *w = &c->done.data[i];
    Term guard = mlir_decided(tt, term_replace(tt, put(tt, c, w->guard, place), l->steps, steps));
    if (guard == tt->false_) continue;
    Cell own = {term_replace(tt, put(tt, c, w->cell.value, place), l->steps, steps),
                term_replace(tt, put(tt, c, w->cell.poison, place), l->steps, steps)};
    if (guard == tt->true_)
      cell = own;
    else
      guards[count] = guard, cells[count++] = own;
  }
  if (!cell.value) cell = initial(l, c, place);
  while (count-- > 0) cell = mlir_choose(l->m, guards[count], cells[count], cell);
  return cell;
}

/* ---- what an iteration reads ---- */

static const Carried *read_of(const Loop *l, const Term *args, bool *is_poison) {
  for (uint32_t i = 0; i < l->count; i++) {
    *is_poison = args[0] == l->carried[i].poison;
    if (*is_poison || args[0] == l->carried[i].value) return &l->carried[i];
  }
  return NULL;
}

/* True if an iteration with a counter in [lo, hi] may write to that place. false: it is shown that none does. */
static bool may_write(Loop *l, const Carried *c, const Term *place, Term lo, Term hi) {
  TermTable *tt = l->m->tt;
  Term other = term_symbol_fresh(tt, "t", SORT_INT, SYMBOL_COUNTER);
  term_symbol_range(tt, other, lo, hi);
  for (uint32_t i = 0; i < c->writes.count; i++) {
    const MlirWrite *w = &c->writes.data[i];
    if (c->space && mlir_are_apart(l->m, w->region, mlir_region_of(l->m, place[0]))) continue;
    Term guard = put(tt, c, term_replace(tt, w->guard, l->counter, other), place); /* the place is of this iteration */
    if (guard != tt->false_ && !mlir_excludes(tt, term_and(tt, term_le(tt, lo, other), term_le(tt, other, hi)), guard))
      return true;
  }
  return false;
}

static bool is_own_place(const Carried *c, const Term *place) {
  for (uint32_t i = 0; i < c->rank; i++)
    if (place[i] != c->place[i]) return false;
  return true;
}

typedef struct Resolving {
  Loop *loop;
  const Carried *own; /* being closed, or NULL */
  bool failed;
} Resolving;

/* True if it is wrong for iterations of a parallel loop to meet there. In what they reduce to they do, in any
 * order. */
static bool must_not_meet(const Loop *l, const Carried *c) { return l->is_parallel && (c->space || !l->is_reduction); }

static Term resolve_read(TermTable *tt, Term t, void *payload) {
  Resolving *r = payload;
  Loop *l = r->loop;
  Term args[MLIR_RANK + 1];
  bool is_poison;
  if (term_kind(tt, t) != TERM_READ || term_count(tt, t) > MLIR_RANK + 1) return t;
  for (uint32_t i = 0; i < term_count(tt, t); i++) args[i] = term_arg(tt, t, i);
  const Carried *c = read_of(l, args, &is_poison);
  if (!c) return t;
  Cell cell = {0};
  if (c->rank && !is_own_place(c, args + 1) &&
      !may_write(l, c, args + 1, tt->zero, term_sub(tt, l->counter, tt->one))) {
    if (l->is_parallel && may_write(l, c, args + 1, term_add(tt, l->counter, tt->one), term_sub(tt, l->trips, tt->one)))
      l->may_race = true;
    cell = initial(l, c, args + 1);
  } else if (c != r->own && c->is_solved) {
    if (l->is_parallel && c->rank) l->may_race = true;
    cell = carried_after(l, c, args + 1, l->counter);
  } else if (c == r->own || c->is_open) {
    return t;
  } else {
    r->failed = true;
    return t;
  }
  return mlir_as_int(tt, is_poison ? cell.poison : cell.value);
}

bool carried_resolve(Loop *l, const Carried *own, Term *t) {
  Resolving r = {l, own, false};
  *t = term_transform(l->m->tt, *t, resolve_read, &r);
  return !r.failed;
}

static bool resolve_cell(Loop *l, const Carried *own, Cell *cell) {
  return carried_resolve(l, own, &cell->value) && carried_resolve(l, own, &cell->poison);
}

/* ---- the place itself ---- */

typedef struct OwnPlace {
  const Carried *c;
  Term root[MLIR_RANK]; /* what the guard says that the place is; 0: nothing */
  Term value, poison;   /* put in */
  bool foreign;         /* another place is read */
  bool found;
} OwnPlace;

/* What a guard says of the places, as far as it says it without speaking of them. */
static void roots_of(TermTable *tt, const Carried *c, Term guard, Term *out) {
  for (uint32_t i = 0; i < c->rank; i++) {
    out[i] = one_point_root(tt, guard, c->place[i]);
    for (uint32_t k = 0; k < c->rank && out[i]; k++)
      if (term_has_symbol(tt, out[i], c->place[k])) out[i] = 0;
  }
}

static bool same(TermTable *tt, Term a, Term b) {
  if (a == b) return true;
  Term d = term_sub(tt, a, b);
  return d == tt->zero || (term_prove_nonpositive(tt, d) && term_prove_nonpositive(tt, term_neg(tt, d)));
}

static Term put_own(TermTable *tt, Term t, void *payload) {
  OwnPlace *o = payload;
  if (term_kind(tt, t) != TERM_READ) return t;
  bool is_poison = term_arg(tt, t, 0) == o->c->poison;
  if (!is_poison && term_arg(tt, t, 0) != o->c->value) return t;
  for (uint32_t i = 0; i < o->c->rank; i++) {
    Term at = term_arg(tt, t, i + 1);
    if (at == o->c->place[i] || at == o->root[i] || same(tt, at, o->c->place[i])) continue;
    o->foreign = true;
    return t;
  }
  o->found = true;
  return is_poison ? o->poison : o->value;
}

/* Reads of the place itself, where the guard holds, become these; false: other places are read. */
static bool own_place(Loop *l, const Carried *c, Term guard, Term value, Term poison, Term *t, bool *found) {
  TermTable *tt = l->m->tt;
  OwnPlace o = {.c = c, .value = value, .poison = poison};
  uint32_t facts = tt->facts.count;
  roots_of(tt, c, guard, o.root);
  if (guard != tt->true_) term_push_fact(tt, guard);
  *t = term_transform(tt, *t, put_own, &o);
  term_pop_facts(tt, facts);
  *found |= o.found;
  return !o.foreign;
}

static bool own_place_cell(Loop *l, const Carried *c, Term guard, Term value, Term poison, Cell *cell, bool *found) {
  return own_place(l, c, guard, value, poison, &cell->value, found) &&
         own_place(l, c, guard, value, poison, &cell->poison, found);
}

/* The place that a guard says, as far as it says one for all iterations: what was there before is read there. */
static void place_of(TermTable *tt, const Carried *c, Term guard, Term counter, Term *out) {
  roots_of(tt, c, guard, out);
  for (uint32_t i = 0; i < c->rank; i++)
    if (!out[i] || term_has_symbol(tt, out[i], counter)) out[i] = c->place[i];
}

/* ---- closing ---- */

/* The conjuncts with and without the counter. */
static Term without_counter(TermTable *tt, Term guard, Term counter, const Carried *c) {
  if (term_kind(tt, guard) != TERM_AND)
    return term_has_symbol(tt, guard, counter) || term_has_symbol(tt, guard, c->value) ||
                   term_has_symbol(tt, guard, c->poison)
               ? tt->true_
               : guard;
  Term all = tt->true_;
  for (uint32_t i = 0; i < term_count(tt, guard); i++)
    all = term_and(tt, all, without_counter(tt, term_arg(tt, guard, i), counter, c));
  return all;
}

/* As a recurrence at each place: holds of every guard that reads no other place than its own. Of the writes of one
 * group alone: no other one writes there. `block`: the block of all of them, a number; 0: not known. */
static bool recur_in(Loop *l, Carried *c, const uint32_t *group, uint32_t own, Term block) {
  Mlir *m = l->m;
  TermTable *tt = m->tt;
  Term state = mlir_state_symbol(tt, "state", mlir_state_sort(m, c->element)),
       poisoned = mlir_state_symbol(tt, "poisoned", SORT_INT);
  Cell next = {c->is_bool ? mlir_as_bool(tt, state) : state, mlir_as_bool(tt, poisoned)};
  Term always = 0;
  MlirRegion region = {0};
  for (uint32_t i = 0; i < c->writes.count; i++) {
    MlirWrite w = c->writes.data[i];
    bool found = false;
    if (group[i] != own) continue;
    if (!always) region = w.region;
    if (!own_place(l, c, tt->true_, state, poisoned, &w.guard, &found) ||
        !own_place_cell(l, c, w.guard, state, poisoned, &w.cell, &found))
      return false;
    next = mlir_choose(m, w.guard, w.cell, next);
    Term part = without_counter(tt, c->writes.data[i].guard, l->counter, c);
    always = !always || always == part ? part : tt->true_;
    if (w.region.end != region.end || w.region.begin != region.begin || w.region.block != region.block)
      region = (MlirRegion){0};
  }
  if (!always) always = tt->true_;
  if (block) always = term_and(tt, always, term_eq(tt, c->place[0], block));
  Term place[MLIR_RANK];
  place_of(tt, c, always, l->counter, place);
  if (always != tt->true_) {
    next.value = term_assume(tt, next.value, always), next.poison = term_assume(tt, next.poison, always);
  }
  Cell init = initial(l, c, place);
  init.poison = term_assume(tt, init.poison, always); /* it is read there alone */
  Cell cell = mlir_recur(m, c->element, state, poisoned, l->counter, l->steps, init, next);
  if (term_kind(tt, cell.value) == TERM_SELECT && term_arg(tt, cell.value, 2) == init.value &&
      cell.poison == init.poison) { /* elsewhere it stays what it was */
    always = term_and(tt, always, term_arg(tt, cell.value, 0));
    cell.value = term_arg(tt, cell.value, 1);
  }
  array_push(m->arena, &c->done, (MlirWrite){.guard = always, .cell = cell, .region = region});
  return true;
}

/* True if no place is written by both, in whatever iterations. */
static bool never_meet(Loop *l, const Carried *c, const MlirWrite *a, const MlirWrite *b, bool by_block) {
  TermTable *tt = l->m->tt;
  if (by_block && a->region.block != b->region.block) return true;
  Term x = without_counter(tt, a->guard, l->counter, c), y = without_counter(tt, b->guard, l->counter, c);
  Term root[MLIR_RANK];
  roots_of(tt, c, x, root);
  for (uint32_t i = 0; i < c->rank; i++)
    if (root[i]) y = term_replace(tt, y, c->place[i], root[i]);
  return y == tt->false_ || mlir_excludes(tt, x, y);
}

/* One for each group of writes that meet at some place: what is said of one group does not cover the others. */
static bool close_by_recurrence(Loop *l, Carried *c) {
  uint32_t group[CARRIED_WRITES];
  bool by_block = c->space && c->writes.count, good = true;
  if (must_not_meet(l, c)) l->may_race = true;
  for (uint32_t i = 0; i < c->writes.count; i++)
    by_block &= c->writes.data[i].region.block && term_is_rat(l->m->tt, c->writes.data[i].region.block);
  for (uint32_t i = 0; i < c->writes.count; i++) {
    group[i] = i;
    for (uint32_t k = 0; k < i; k++) {
      if (group[k] == group[i] || never_meet(l, c, &c->writes.data[k], &c->writes.data[i], by_block)) continue;
      uint32_t all = group[i] < group[k] ? group[i] : group[k], other = group[i] + group[k] - all;
      for (uint32_t n = 0; n <= i; n++)
        if (group[n] == other) group[n] = all;
    }
  }
  for (uint32_t i = 0; i < c->writes.count && good; i++)
    if (group[i] == i) good = recur_in(l, c, group, i, by_block ? c->writes.data[i].region.block : 0);
  c->is_recurrence = good;
  return good;
}

typedef struct Point {
  Term at, guard; /* over places: the only iteration, and where there is one */
  Cell cell;
} Point;

/* A product with an extremum: the extremum, and what it is multiplied by, if that is not negative. */
static bool find_extremum(TermTable *tt, Term t, Term *extremum, Term *times) {
  *extremum = t, *times = tt->one;
  if (term_kind(tt, t) == TERM_MIN || term_kind(tt, t) == TERM_MAX) return true;
  uint32_t n = term_kind(tt, t) == TERM_MUL ? term_count(tt, t) : 0;
  bool found = false;
  for (uint32_t i = 0; i < n; i += 2) {
    Term f = term_arg(tt, t, i);
    if (term_arg(tt, t, i + 1) != tt->one) return false;
    if (!found && (term_kind(tt, f) == TERM_MIN || term_kind(tt, f) == TERM_MAX))
      *extremum = f, found = true;
    else
      *times = term_mul(tt, *times, f);
  }
  return found && mlir_holds(tt, term_le(tt, tt->zero, *times));
}

/* x + m*max(a, b) <= 0 as x + m*a <= 0 and x + m*b <= 0, likewise x - m*min(a, b) <= 0, in each conjunct. */
static Term spread(TermTable *tt, Term c) {
  Term all = tt->true_;
  if (term_kind(tt, c) == TERM_AND) {
    for (uint32_t i = 0; i < term_count(tt, c); i++) all = term_and(tt, all, spread(tt, term_arg(tt, c, i)));
    return all;
  }
  if (term_kind(tt, c) != TERM_LE || term_count(tt, c) != 1) return c;
  Term e = term_arg(tt, c, 0);
  bool is_sum = term_kind(tt, e) == TERM_ADD;
  for (uint32_t i = 1; i < (is_sum ? term_count(tt, e) : 2); i += 2) {
    Term part = is_sum ? term_arg(tt, e, i + 1) : e;
    Rational k = is_sum ? term_rat(tt, term_arg(tt, e, i)) : rational_int(1);
    Term extremum, times;
    if (!find_extremum(tt, part, &extremum, &times)) continue;
    if (term_kind(tt, extremum) != (k.num < 0 ? TERM_MIN : TERM_MAX)) continue;
    Term rest = term_sub(tt, e, term_scale(tt, k, part));
    for (uint32_t j = 0; j < term_count(tt, extremum); j++) {
      Term own = term_add(tt, rest, term_scale(tt, k, term_mul(tt, times, term_arg(tt, extremum, j))));
      all = term_and(tt, all, spread(tt, term_le(tt, own, tt->zero)));
    }
    return all;
  }
  return c;
}

/* m*k <= q and q < m*k + m: k is q // m, as only one k >= 0 below n is where 0 <= q < n*m. The conjuncts are those of
 * numbers `low` and `high`; one of them may say more. */
typedef struct Row {
  Term q, m;
  uint32_t low, high;
  bool low_is_exact, high_is_exact;
} Row;

static uint32_t symbol_count(TermTable *tt, Term t) {
  TermList symbols = {0};
  term_symbols(tt, t, &symbols);
  return symbols.count;
}

/* q without what the upper bound does not speak of, or without any size, where that lies between both: of row m*k the
 * place of its first element, whatever part of the row a tile is. */
static Term between(TermTable *tt, Term q, Term above) {
  TermList symbols = {0};
  Term best = 0;
  term_symbols(tt, q, &symbols);
  for (int sizes = 0; sizes < 2; sizes++) {
    Term t = q;
    for (uint32_t i = 0; i < symbols.count; i++) {
      bool is_size = term_symbol(tt, symbols.data[i])->role == SYMBOL_SIZE;
      if (sizes ? is_size : !term_has_symbol(tt, above, symbols.data[i]))
        t = term_replace(tt, t, symbols.data[i], tt->zero);
    }
    if (t == q || !term_prove_le(tt, q, t) || !term_prove_le(tt, t, above)) continue;
    if (!best || symbol_count(tt, t) < symbol_count(tt, best)) best = t;
  }
  return best;
}

static bool find_row(TermTable *tt, Term guard, Term k, Row *row) {
  uint32_t n = term_kind(tt, guard) == TERM_AND ? term_count(tt, guard) : 0;
  bool found = false;
  for (uint32_t i = 0; i < n; i++) {
    Term low = term_arg(tt, guard, i), rest, m;
    if (term_kind(tt, low) != TERM_LE || term_count(tt, low) != 1) continue;
    if (!mlir_linear_in(tt, term_arg(tt, low, 0), k, &m, &rest)) continue;
    Term q = term_neg(tt, rest);
    Term want = term_add(tt, term_sub(tt, term_sub(tt, q, term_mul(tt, m, k)), m), tt->one);
    for (uint32_t j = 0; j < n; j++) {
      Term high = term_arg(tt, guard, j), more;
      if (j == i || term_kind(tt, high) != TERM_LE || term_count(tt, high) != 1) continue;
      more = term_sub(tt, want, term_arg(tt, high, 0));
      if (more != tt->zero && (term_has_symbol(tt, more, k) || !term_prove_nonpositive(tt, more))) continue;
      if (more == tt->zero) {
        *row = (Row){q, m, i, j, true, true};
        return true;
      }
      Term above = term_sub(tt, q, more); /* the q of the upper bound, which is not less */
      Term middle = between(tt, q, above);
      Row own = {q, m, i, j, true, false};
      if (symbol_count(tt, above) < symbol_count(tt, q)) own = (Row){above, m, i, j, false, true};
      if (middle && symbol_count(tt, middle) < symbol_count(tt, own.q)) own = (Row){middle, m, i, j, false, false};
      if (!found || symbol_count(tt, own.q) < symbol_count(tt, row->q)) *row = own;
      found = true;
    }
  }
  return found;
}

/* m*((q - a*k) // m) == q - a*k for a number a > 0 and 0 <= a*k < m: a*k is q % m. */
static bool find_remainder(Loop *l, Term guard, Term *at) {
  TermTable *tt = l->m->tt;
  uint32_t n = term_conjunct_count(tt, guard);
  for (uint32_t i = 0; i < n; i++) {
    Term c = term_conjunct(tt, guard, i);
    if (term_kind(tt, c) != TERM_EQ || term_count(tt, c) != 1) continue;
    Term e = term_arg(tt, c, 0);
    for (uint32_t j = 2; term_kind(tt, e) == TERM_ADD && j < term_count(tt, e); j += 2) {
      Term f = term_arg(tt, e, j), k, q, m = 0;
      for (uint32_t b = 0; term_kind(tt, f) == TERM_MUL && b < term_count(tt, f); b += 2)
        if (term_kind(tt, term_arg(tt, f, b)) == TERM_FLOORDIV) m = term_arg(tt, f, b);
      if (term_kind(tt, f) == TERM_FLOORDIV) m = f;
      if (!m) continue;
      f = m, m = term_arg(tt, f, 1);
      Term whole = term_sub(tt, term_arg(tt, f, 0), term_mul(tt, m, f));
      if (whole != e && term_neg(tt, whole) != e) continue;
      if (!mlir_linear_in(tt, term_arg(tt, f, 0), l->counter, &k, &q) || term_has_symbol(tt, m, l->counter)) continue;
      int64_t a;
      if (!term_is_int(tt, k, &a) || !a || a == INT64_MIN) continue;
      Term times = a < 0 ? term_neg(tt, k) : k, last = term_mul(tt, times, term_sub(tt, l->trips, tt->one));
      if (!mlir_holds(tt, term_lt(tt, last, m))) continue;
      *at = term_floordiv(tt, term_mod(tt, a > 0 ? term_neg(tt, q) : q, m), times);
      return true;
    }
  }
  return false;
}

/* m*k == q, for m > 0. */
static bool find_equation(Loop *l, Term guard, Term *m, Term *q) {
  TermTable *tt = l->m->tt;
  uint32_t n = term_conjunct_count(tt, guard);
  for (uint32_t i = 0; i < n; i++) {
    Term c = term_conjunct(tt, guard, i);
    if (term_kind(tt, c) != TERM_EQ || term_count(tt, c) != 1) continue;
    if (!mlir_linear_in(tt, term_arg(tt, c, 0), l->counter, m, q)) continue;
    bool up = mlir_holds(tt, term_lt(tt, tt->zero, *m));
    if (!up && !mlir_holds(tt, term_lt(tt, *m, tt->zero))) continue;
    if (up)
      *q = term_neg(tt, *q);
    else
      *m = term_neg(tt, *m);
    return true;
  }
  return false;
}

/* Then k is q // m. */
static bool find_multiple(Loop *l, Term guard, Term *at) {
  Term m, q;
  if (!find_equation(l, guard, &m, &q)) return false;
  *at = term_floordiv(l->m->tt, q, m);
  return true;
}

static bool has_conjunct(const TermTable *tt, Term guard, Term c) {
  if (guard == c || c == tt->true_) return true;
  for (uint32_t i = 0; term_kind(tt, guard) == TERM_AND && i < term_count(tt, guard); i++)
    if (term_arg(tt, guard, i) == c) return true;
  return false;
}

/* a*(k mod n) + b*(k // n) == q, where one of a and b is 1 and its digit is below the other: both digits are q's. */
static bool find_digits(Loop *l, Term guard, Term *at) {
  TermTable *tt = l->m->tt;
  uint32_t count = term_conjunct_count(tt, guard);
  for (uint32_t i = 0; i < count; i++) {
    Term c = term_conjunct(tt, guard, i);
    if (term_kind(tt, c) != TERM_EQ || term_count(tt, c) != 1) continue;
    for (int sign = 0; sign < 2; sign++) {
      Term e = sign ? term_neg(tt, term_arg(tt, c, 0)) : term_arg(tt, c, 0);
      for (uint32_t j = 2; term_kind(tt, e) == TERM_ADD && j < term_count(tt, e); j += 2) {
        Term f = term_arg(tt, e, j);
        int64_t n, a, rest;
        if (term_kind(tt, f) != TERM_FLOORDIV || term_arg(tt, f, 0) != l->counter) continue;
        if (!term_is_int(tt, term_arg(tt, f, 1), &n) || n < 2) continue;
        Rational times = term_rat(tt, term_arg(tt, e, j - 1));
        Term without = term_sub(tt, e, term_scale(tt, times, f)), ta, q;
        if (!mlir_linear_in(tt, without, l->counter, &ta, &q) || !term_is_int(tt, ta, &a) || a < 1) continue;
        if (times.den != 1 || times.num < -(1 << 30) || times.num > 1 << 30 || a > 1 << 30 || n > 1 << 30) continue;
        int64_t b = (int64_t)times.num + a * n; /* a*k + times*(k // n) */
        rest = a == 1 ? b : a, q = term_neg(tt, q);
        if (b < 1 || (a != 1 && b != 1)) continue;
        Term width = term_int(tt, rest), low = term_mod(tt, q, width), high = term_floordiv(tt, q, width);
        Term rows = term_int(tt, n);
        if (a == 1 ? n > b : !mlir_holds(tt, term_le(tt, l->trips, term_mul(tt, rows, width)))) continue;
        *at = a == 1 ? term_add(tt, low, term_mul(tt, rows, high)) : term_add(tt, high, term_mul(tt, rows, low));
        return true;
      }
    }
  }
  return false;
}

/* A quotient of the counter below t; 0: there is none. */
static Term quotient_of(TermTable *tt, Term t, Term counter) {
  if (term_kind(tt, t) == TERM_FLOORDIV && term_arg(tt, t, 0) == counter) return t;
  if (term_kind(tt, t) != TERM_ADD && term_kind(tt, t) != TERM_MUL) return 0;
  Term found = 0;
  for (uint32_t i = 0; i < term_count(tt, t) && !found; i++) found = quotient_of(tt, term_arg(tt, t, i), counter);
  return found;
}

/* (k mod n) + b*(k // n) == q for 0 < n <= b, which need not be numbers: k is q mod b + n*(q // b), where that digit is
 * below n, as it is known to be there. */
static bool find_sizes_of_digits(Loop *l, Term guard, Term *at, Term *known) {
  TermTable *tt = l->m->tt;
  for (uint32_t i = 0; i < term_conjunct_count(tt, guard); i++) {
    Term c = term_conjunct(tt, guard, i), e = term_arg(tt, c, 0), f, times, rest, one, q;
    if (term_kind(tt, c) != TERM_EQ || term_count(tt, c) != 1 || !(f = quotient_of(tt, e, l->counter))) continue;
    Term n = term_arg(tt, f, 1), row = term_symbol_fresh(tt, "row", SORT_INT, SYMBOL_INDEX);
    if (!mlir_linear_in(tt, term_replace_part(tt, e, f, row), row, &times, &rest)) continue;
    if (!mlir_linear_in(tt, rest, l->counter, &one, &q) || (one != tt->one && one != tt->minus_one)) continue;
    if (one == tt->one)
      q = term_neg(tt, q);
    else
      times = term_neg(tt, times);
    Term b = term_add(tt, times, n);
    bool moves = term_has_symbol(tt, n, l->counter) || term_has_symbol(tt, b, l->counter) ||
                 term_has_symbol(tt, q, l->counter) || term_has_symbol(tt, q, row) || term_has_symbol(tt, b, row);
    if (moves || !mlir_holds(tt, term_lt(tt, tt->zero, n)) || !mlir_holds(tt, term_le(tt, n, b))) continue;
    Term digit = term_mod(tt, q, b);
    *at = term_add(tt, digit, term_mul(tt, n, term_floordiv(tt, q, b)));
    *known = term_and(tt, term_lt(tt, digit, n), term_lt(tt, tt->zero, n));
    return true;
  }
  return false;
}

/* d*(x mod n) + r <= 0, where f is x // n, c its factor, and r is above -d*m for numbers: x mod n < m. */
static bool is_in_digit(const Loop *l, Term e, Term f, Term c, int64_t m) {
  TermTable *tt = l->m->tt;
  int64_t n, factor;
  if (!term_is_int(tt, term_arg(tt, f, 1), &n) || n <= 0 || !term_is_int(tt, c, &factor) || factor >= 0 ||
      factor < -INT32_MAX || factor % n)
    return false;
  Rational d = rational_int(-(factor / n));
  Term digit = term_sub(tt, term_arg(tt, f, 0), term_scale(tt, rational_int(n), f));
  Term rest = term_sub(tt, e, term_scale(tt, d, digit));
  return !term_has_symbol(tt, rest, l->counter) &&
         mlir_holds(tt, term_lt(tt, tt->zero, term_add(tt, rest, term_scale(tt, d, term_int(tt, m)))));
}

/* (q - m*k) mod n < m for 0 <= k, and m*(k + 1) <= n or m*k <= q mod n, as tiles have it: k is (q mod n) // m. As well
 * as it stands, x mod n < m, as with x mod n >= n - m, which is (x - (n - m)) mod n < m. */
static bool find_digit(Loop *l, Term guard, Term *at) {
  TermTable *tt = l->m->tt;
  uint32_t count = term_conjunct_count(tt, guard);
  for (uint32_t i = 0; i < count; i++) {
    Term c = term_conjunct(tt, guard, i);
    if (term_kind(tt, c) != TERM_LE || term_count(tt, c) != 1) continue;
    Term e = term_arg(tt, c, 0);
    for (uint32_t j = 2; term_kind(tt, e) == TERM_ADD && j < term_count(tt, e); j += 2) {
      Term f = term_arg(tt, e, j), k, q;
      if (term_kind(tt, f) != TERM_FLOORDIV) continue;
      Term n = term_arg(tt, f, 1), x = term_arg(tt, f, 0), rest = term_sub(tt, x, term_mul(tt, n, f));
      Term m = term_add(tt, term_sub(tt, rest, e), tt->one);
      int64_t step;
      bool is_digit = mlir_linear_in(tt, x, l->counter, &k, &q) && term_is_int(tt, k, &step) && step < 0 &&
                      step > INT64_MIN && is_in_digit(l, e, f, term_arg(tt, e, j - 1), -step);
      if (is_digit) {
        m = term_neg(tt, k);
      } else if (term_has_symbol(tt, m, l->counter)) {
        Term least = term_add(tt, e, rest);
        m = term_sub(tt, n, least), x = term_sub(tt, x, least);
      }
      if (term_has_symbol(tt, m, l->counter) || term_has_symbol(tt, n, l->counter)) continue;
      if (!mlir_linear_in(tt, x, l->counter, &k, &q) || k != term_neg(tt, m)) continue;
      Term below = term_le(tt, term_mul(tt, m, l->counter), term_mod(tt, q, n));
      if (!mlir_holds(tt, term_lt(tt, tt->zero, m)) ||
          (!mlir_holds(tt, term_le(tt, term_mul(tt, l->trips, m), n)) && !has_conjunct(tt, guard, below)))
        continue;
      *at = term_floordiv(tt, term_mod(tt, q, n), m);
      return true;
    }
  }
  return false;
}

static bool has_quotient(const TermTable *tt, Term t, Term f) {
  if (t == f) return true;
  if (term_kind(tt, t) != TERM_ADD && term_kind(tt, t) != TERM_MUL) return false;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (has_quotient(tt, term_arg(tt, t, i), f)) return true;
  return false;
}

static bool is_made_of_sizes(TermTable *tt, Term t) {
  TermList symbols = {0};
  term_symbols(tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (term_symbol(tt, symbols.data[i])->role != SYMBOL_SIZE) return false;
  return true;
}

/* f is x // m, or m*(x // m): which. */
static bool is_quotient(const TermTable *tt, Term t, Term *f, bool *times) {
  *times = false, *f = t;
  if (term_kind(tt, t) == TERM_FLOORDIV) return true;
  if (term_kind(tt, t) != TERM_MUL || term_count(tt, t) != 4) return false;
  for (uint32_t i = 0; i < 4; i += 2) {
    *f = term_arg(tt, t, i), *times = true;
    if (term_kind(tt, *f) == TERM_FLOORDIV && term_arg(tt, *f, 1) == term_arg(tt, t, 2 - i)) return true;
  }
  return false;
}

/* True if they have no symbol in common. */
static bool is_apart(TermTable *tt, Term x, Term y) {
  TermList symbols = {0};
  term_symbols(tt, x, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (term_has_symbol(tt, y, symbols.data[i])) return false;
  return true;
}

/* x // m < n as x < n*m, m*(x // m) <= y as x < m*(y // m + 1), x % m < m as true, for m > 0, in each conjunct. */
static Term clear_quotients(TermTable *tt, Term c) {
  Term all = tt->true_;
  if (term_kind(tt, c) == TERM_AND) {
    for (uint32_t i = 0; i < term_count(tt, c); i++) all = term_and(tt, all, clear_quotients(tt, term_arg(tt, c, i)));
    return all;
  }
  if (term_kind(tt, c) != TERM_LE || term_count(tt, c) != 1) return c;
  Term e = term_arg(tt, c, 0), f;
  bool is_sum = term_kind(tt, e) == TERM_ADD, times;
  for (uint32_t i = 1; i < (is_sum ? term_count(tt, e) : 2); i += 2) {
    Term part = is_sum ? term_arg(tt, e, i + 1) : e, m = 0;
    Rational k = is_sum ? term_rat(tt, term_arg(tt, e, i)) : rational_int(1);
    int64_t number = 0;
    if (k.den != 1 || !is_quotient(tt, part, &f, &times)) continue;
    m = term_arg(tt, f, 1);
    if (term_is_int(tt, m, &number) && (k.num == number || k.num == -number)) /* 4*(x // 4) */
      times = true, k.num /= number;
    else
      number = 0;
    if ((k.num != 1 && k.num != -1) || !mlir_holds(tt, term_lt(tt, tt->zero, m))) continue;
    Term x = term_arg(tt, f, 0), whole = term_sub(tt, x, term_mul(tt, m, f));
    if (times && is_made_of_sizes(tt, x)) continue; /* a bound, of what there is no quotient */
    if (times && (term_add(tt, term_sub(tt, e, whole), term_sub(tt, m, tt->one)) == tt->zero ||
                  term_add(tt, e, whole) == tt->zero))
      return tt->true_;
    if (times && is_apart(tt, x, k.num < 0 ? term_sub(tt, e, whole) : term_add(tt, e, whole)))
      continue; /* x mod m against what has nothing to do with it */
    Term rest = term_sub(tt, e, term_scale(tt, number ? (Rational){k.num * number, 1} : k, part));
    if (term_kind(tt, rest) == TERM_FLOORDIV || has_quotient(tt, rest, f)) continue;
    if (!times && k.num > 0) return term_lt(tt, x, term_mul(tt, m, term_sub(tt, tt->one, rest)));
    if (!times) return term_le(tt, term_mul(tt, m, rest), x);
    if (k.num > 0)
      return term_lt(tt, x, term_mul(tt, m, term_add(tt, term_floordiv(tt, term_neg(tt, rest), m), tt->one)));
    return term_le(tt, term_mul(tt, m, term_cdiv(tt, rest, m)), x);
  }
  return c;
}

Term mlir_positive_divisor(TermTable *tt, Term guard) {
  for (uint32_t i = 0; i < term_conjunct_count(tt, guard); i++) {
    Term c = term_conjunct(tt, guard, i), e = term_arg(tt, c, 0), f;
    if (term_kind(tt, c) != TERM_LE || term_count(tt, c) != 1) continue;
    bool is_sum = term_kind(tt, e) == TERM_ADD, times;
    for (uint32_t k = 1; k < (is_sum ? term_count(tt, e) : 2); k += 2) {
      if (!is_quotient(tt, is_sum ? term_arg(tt, e, k + 1) : e, &f, &times)) continue;
      Term m = term_arg(tt, f, 1);
      if (!mlir_holds(tt, term_lt(tt, tt->zero, m)) && mlir_implies_positive(tt, guard, m)) return m;
    }
  }
  return 0;
}

/* Without the conjuncts that the others imply. */
static Term without_implied(TermTable *tt, Term guard) {
  Term all = tt->true_;
  if (term_kind(tt, guard) != TERM_AND) return guard;
  for (uint32_t i = 0; i < term_count(tt, guard); i++) {
    Term own = term_arg(tt, guard, i), others = all;
    for (uint32_t k = i + 1; k < term_count(tt, guard); k++) others = term_and(tt, others, term_arg(tt, guard, k));
    uint32_t before = tt->facts.count;
    for (uint32_t k = 0; others != tt->true_ && k < term_conjunct_count(tt, others); k++)
      term_push_fact(tt, term_conjunct(tt, others, k));
    bool implied = term_kind(tt, own) == TERM_LE && mlir_holds(tt, own);
    term_pop_facts(tt, before);
    if (!implied) all = term_and(tt, all, own);
  }
  return all;
}

/* By what is known where it holds, that a divisor is positive: it still says so. */
static Term simpler_guard(TermTable *tt, Term guard) {
  Term m = mlir_positive_divisor(tt, guard);
  uint32_t facts = tt->facts.count;
  if (m) term_push_fact(tt, term_lt(tt, tt->zero, m));
  Term less = without_implied(tt, clear_quotients(tt, guard));
  term_pop_facts(tt, facts);
  return !m || mlir_implies_positive(tt, less, m) ? less : term_and(tt, less, term_lt(tt, tt->zero, m));
}

/* Where 0 <= d and d < n for the digit d = x mod b: d + n*(x // b) < n*r as x < b*r, n*r <= d + n*(x // b) as b*r <= x.
 */
static Term without_digit(TermTable *tt, Term c, Term f, Term n) {
  Term x = term_arg(tt, f, 0), b = term_arg(tt, f, 1), digit = term_sub(tt, x, term_mul(tt, b, f));
  Term row = term_symbol_fresh(tt, "row", SORT_INT, SYMBOL_INDEX), times, rest;
  if (term_kind(tt, c) != TERM_LE || term_count(tt, c) != 1) return c;
  for (int upper = 0; upper < 2; upper++) { /* n*r - d - n*f <= 0, d + n*f + 1 - n*r <= 0 */
    Term e = term_arg(tt, c, 0), rows = upper ? term_sub(tt, term_sub(tt, e, digit), tt->one) : term_add(tt, e, digit);
    if (!mlir_linear_in(tt, term_replace_part(tt, rows, f, row), row, &times, &rest)) continue;
    if (times != (upper ? n : term_neg(tt, n))) continue;
    Term r = term_floordiv(tt, upper ? term_neg(tt, rest) : rest, n), all = term_mul(tt, r, n);
    if (all != (upper ? term_neg(tt, rest) : rest) || term_has_part(tt, r, f)) continue;
    return upper ? term_lt(tt, x, term_mul(tt, b, r)) : term_le(tt, term_mul(tt, b, r), x);
  }
  return c;
}

/* In each conjunct, where another one says that the digit is below n. */
static Term digits_cleared(TermTable *tt, Term guard) {
  for (uint32_t i = 0; i < term_conjunct_count(tt, guard); i++) {
    Term own = term_conjunct(tt, guard, i), e = term_arg(tt, own, 0), all = own;
    if (term_kind(tt, own) != TERM_LE || term_count(tt, own) != 1 || term_kind(tt, e) != TERM_ADD) continue;
    for (uint32_t k = 2; k < term_count(tt, e) && all == own; k += 2) {
      Term f, n;
      bool times;
      if (!is_quotient(tt, term_arg(tt, e, k), &f, &times)) continue;
      n = term_add(tt, term_sub(tt, term_sub(tt, term_arg(tt, f, 0), term_mul(tt, term_arg(tt, f, 1), f)), e), tt->one);
      if (term_has_part(tt, n, f) || !mlir_holds(tt, term_lt(tt, tt->zero, n)) ||
          !mlir_holds(tt, term_lt(tt, tt->zero, term_arg(tt, f, 1))))
        continue;
      for (uint32_t j = 0; j < term_conjunct_count(tt, guard); j++)
        if (j != i) all = term_and(tt, all, without_digit(tt, term_conjunct(tt, guard, j), f, n));
      return all;
    }
  }
  return guard;
}

static Term without_digits(TermTable *tt, Term guard) {
  uint32_t facts = tt->facts.count;
  mlir_push_consequences(tt, tt->true_);
  guard = digits_cleared(tt, guard);
  term_pop_facts(tt, facts);
  return guard;
}

Term carried_guard(Loop *l, const Carried *c, Term guard) {
  TermTable *tt = l->m->tt;
  Term trips = c->is_recurrence ? l->trips : mlir_positive_part(tt, l->trips), some = term_lt(tt, tt->zero, trips);
  guard = term_replace(tt, guard, l->steps, trips);
  uint32_t facts = tt->facts.count;
  mlir_push_some(tt, trips);
  guard = without_implied(tt, clear_quotients(tt, without_digits(tt, guard)));
  term_pop_facts(tt, facts);
  if (!c->is_recurrence && !mlir_implies_positive(tt, guard, trips)) guard = term_and(tt, some, guard);
  return simpler_guard(tt, guard);
}

/* Where the guard holds, it says which iteration it is. What is known only there tells no more than that, and that a
 * row has a length. */
static bool find_iteration(Loop *l, Term guard, Term *at, Term *known) {
  TermTable *tt = l->m->tt;
  uint32_t facts = tt->facts.count;
  Row row = {0};
  mlir_push_consequences(tt, guard);
  bool found = find_remainder(l, guard, at) || find_multiple(l, guard, at) || find_digit(l, guard, at) ||
               find_digits(l, guard, at);
  found = found || find_sizes_of_digits(l, guard, at, known);
  bool is_row = !found && find_row(tt, guard, l->counter, &row);
  if (is_row) *at = term_floordiv(tt, row.q, row.m), found = true;
  term_pop_facts(tt, facts);
  if (is_row) *known = term_lt(tt, tt->zero, row.m);
  return found;
}

/* The only iteration in which the guard holds, and the guard without it: over places and steps. */
static bool only_iteration(Loop *l, const Carried *c, Term guard, Term *at, Term *left) {
  TermTable *tt = l->m->tt;
  Row row = {0};
  guard = spread(tt, guard);
  if (find_row(tt, guard, l->counter, &row) && !term_has_symbol(tt, row.q, c->value)) {
    *at = term_floordiv(tt, row.q, row.m);
    *left = term_and(tt, term_le(tt, tt->zero, row.q), term_lt(tt, row.q, term_mul(tt, l->steps, row.m)));
    for (uint32_t i = 0; i < term_count(tt, guard); i++)
      if ((i != row.low || !row.low_is_exact) && (i != row.high || !row.high_is_exact))
        *left = term_and(tt, *left, term_replace(tt, term_arg(tt, guard, i), l->counter, *at));
    return true;
  }
  Term known = tt->true_;
  if (find_iteration(l, guard, at, &known)) {
    if (term_has_symbol(tt, *at, c->value)) return false;
    Term in = term_and(tt, known, term_and(tt, term_le(tt, tt->zero, *at), term_lt(tt, *at, l->steps)));
    uint32_t facts = tt->facts.count;
    for (uint32_t i = 0; i < term_conjunct_count(tt, known); i++) mlir_push_fact(tt, term_conjunct(tt, known, i));
    guard = term_replace(tt, guard, l->counter, *at);
    term_pop_facts(tt, facts);
    *left = clear_quotients(tt, term_and(tt, in, guard));
    return true;
  }
  *at = one_point_of(tt, guard, l->counter);
  if (!*at || term_has_symbol(tt, *at, l->counter) || term_has_symbol(tt, *at, c->value) ||
      !mlir_excludes(tt, term_lt(tt, l->counter, *at), guard) ||
      !mlir_excludes(tt, term_lt(tt, *at, l->counter), guard))
    return false;
  Term in = term_and(tt, term_le(tt, tt->zero, *at), term_lt(tt, *at, l->steps));
  *left = term_and(tt, in, term_replace(tt, guard, l->counter, *at));
  return true;
}

/* Where m*k == q: what is linear in k, by a multiple of m. */
typedef struct Multiple {
  Term k, m, q;
} Multiple;

static Term put_multiple(TermTable *tt, Term t, void *payload) {
  const Multiple *p = payload;
  Term times, rest;
  int64_t step, number;
  if (term_kind(tt, t) != TERM_ADD || !mlir_linear_in(tt, t, p->k, &times, &rest)) return t;
  if (times == p->m) return term_add(tt, rest, p->q);
  if (!term_is_int(tt, p->m, &step) || !term_is_int(tt, times, &number) || number % step != 0) return t;
  return term_add(tt, rest, term_scale(tt, rational_int(number / step), p->q));
}

static bool mentions(TermTable *tt, Term t, const Carried *c) {
  return term_has_symbol(tt, t, c->value) || term_has_symbol(tt, t, c->poison);
}

static bool other_blocks(const TermTable *tt, const MlirWrite *a, const MlirWrite *b) {
  Term x = a->region.block, y = b->region.block;
  return x && y && x != y && term_is_rat(tt, x) && term_is_rat(tt, y);
}

/* The iterations in which two writes meet a place, where both say m*k = q, a number of them apart: a's is the later one
 * by `apart`; `never`: no place is met by both. false: not seen. */
static bool iterations_apart(Loop *l, Term a, Term b, Int128 *apart, bool *never) {
  TermTable *tt = l->m->tt;
  Term m[2], q[2];
  int64_t step, distance;
  if (!find_equation(l, a, &m[0], &q[0]) || !find_equation(l, b, &m[1], &q[1]) || m[0] != m[1]) return false;
  if (!term_is_int(tt, m[0], &step) || !term_is_int(tt, term_sub(tt, q[0], q[1]), &distance) || distance == INT64_MIN)
    return false;
  *apart = distance / step;
  Term most = term_int(tt, distance < 0 ? -(distance / step) : distance / step);
  *never = distance % step != 0 || mlir_holds(tt, term_le(tt, l->trips, most));
  return true;
}

/* Each write by one iteration for each place (the last one, where all of them write there), and what it reads of that
 * place is what was there before. */
static bool close_by_points(Loop *l, Carried *c) {
  TermTable *tt = l->m->tt;
  Point points[CARRIED_WRITES];
  bool reads_own = false;
  for (uint32_t i = 0; i < c->writes.count; i++) {
    const MlirWrite *w = &c->writes.data[i];
    Term at, guard,
        own[2] = {term_read(tt, c->value, term_symbol(tt, c->value)->sort, c->rank, c->place),
                  term_read(tt, c->poison, SORT_INT, c->rank, c->place)};
    bool always = !term_has_symbol(tt, w->guard, l->counter) && !mentions(tt, w->guard, c), found = false;
    if (always) {
      at = term_sub(tt, l->steps, tt->one), guard = term_and(tt, w->guard, term_lt(tt, tt->zero, l->steps));
      l->may_race |= must_not_meet(l, c);
    } else if (!only_iteration(l, c, w->guard, &at, &guard)) {
      return false;
    }
    Point p = {at, guard, w->cell};
    if (!own_place_cell(l, c, w->guard, own[0], own[1], &p.cell, &found) || (always && found)) return false;
    reads_own |= found;
    Multiple multiple = {.k = l->counter};
    if (!always && find_equation(l, w->guard, &multiple.m, &multiple.q)) {
      p.cell.value = term_transform(tt, p.cell.value, put_multiple, &multiple);
      p.cell.poison = term_transform(tt, p.cell.poison, put_multiple, &multiple);
    }
    p.cell.value = term_replace(tt, p.cell.value, l->counter, at);
    p.cell.poison = term_replace(tt, p.cell.poison, l->counter, at);
    Term place[MLIR_RANK];
    place_of(tt, c, p.guard, l->counter, place);
    Cell before = initial(l, c, place);
    Term value = mlir_as_int(tt, before.value), poison = mlir_as_int(tt, before.poison);
    if (!own_place(l, c, tt->true_, value, poison, &p.guard, &reads_own) ||
        !own_place_cell(l, c, p.guard, value, poison, &p.cell, &reads_own))
      return false;
    points[i] = p;
  }
  /* of two writes to one place, the later one */
  for (uint32_t i = 0; i < c->writes.count; i++) {
    Point p = points[i];
    for (uint32_t k = 0; k < i; k++) {
      if (other_blocks(tt, &c->writes.data[k], &c->writes.data[i])) continue;
      Int128 apart;
      bool never;
      if (iterations_apart(l, c->writes.data[k].guard, c->writes.data[i].guard, &apart, &never)) {
        if (never) continue;
        if (must_not_meet(l, c) && apart) l->may_race = true;
        if (apart <= 0 && !reads_own) continue;
      }
      Term both = term_and(tt, points[k].guard, p.guard);
      Term is_later = term_le(tt, points[k].at, p.at);
      if (both == tt->false_ || mlir_excludes(tt, tt->true_, both)) continue;
      if (must_not_meet(l, c) && points[k].at != p.at) l->may_race = true;
      if (is_later == tt->true_ && !reads_own) continue; /* what another one writes there is not what was before */
      uint32_t facts = tt->facts.count;
      term_push_fact(tt, both);
      bool good = mlir_holds(tt, is_later);
      term_pop_facts(tt, facts);
      if (reads_own || !good) return false;
    }
    array_push(l->m->arena, &c->done,
               (MlirWrite){.guard = p.guard, .cell = p.cell, .region = c->writes.data[i].region});
  }
  return true;
}

/* The same place under the same guard: the later write alone. */
static void drop_shadowed(Carried *c) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < c->writes.count; i++) {
    bool shadowed = false;
    for (uint32_t k = i + 1; k < c->writes.count; k++) shadowed |= c->writes.data[k].guard == c->writes.data[i].guard;
    if (!shadowed) c->writes.data[kept++] = c->writes.data[i];
  }
  c->writes.count = kept;
}

/* Where the first holds, so does the second. */
static bool follows(TermTable *tt, Term first, Term also, Term second) {
  uint32_t facts = tt->facts.count;
  term_push_fact(tt, first), term_push_fact(tt, also);
  bool good = mlir_holds(tt, second);
  term_pop_facts(tt, facts);
  return good;
}

/* c and s and x, or not c and s and y, where c says y, and not c says x: s and x and y, as of ranges that adjoin. 0:
 * the two are not of this kind. */
static Term united(TermTable *tt, Term a, Term b) {
  Term shared = tt->true_, x = tt->true_, y = tt->true_, c = 0;
  for (uint32_t i = 0; i < term_conjunct_count(tt, a); i++) {
    Term part = term_conjunct(tt, a, i);
    if (has_conjunct(tt, b, part))
      shared = term_and(tt, shared, part);
    else if (!c && has_conjunct(tt, b, term_not(tt, part)))
      c = part;
    else
      x = term_and(tt, x, part);
  }
  if (!c) return 0;
  Term other = term_not(tt, c);
  for (uint32_t i = 0; i < term_conjunct_count(tt, b); i++) {
    Term part = term_conjunct(tt, b, i);
    if (part != other && !has_conjunct(tt, a, part)) y = term_and(tt, y, part);
  }
  if (!follows(tt, shared, c, y) || !follows(tt, shared, other, x)) return 0;
  return term_and(tt, shared, term_and(tt, x, y));
}

/* Writes of the same to places that adjoin, as a loop and the one of its last iterations make them: one write. */
static void unite_writes(TermTable *tt, Carried *c) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < c->writes.count; i++) {
    MlirWrite w = c->writes.data[i];
    const MlirWrite *last = kept ? &c->writes.data[kept - 1] : NULL;
    bool is_same = last && last->cell.value == w.cell.value && last->cell.poison == w.cell.poison &&
                   last->region.block == w.region.block && last->region.begin == w.region.begin &&
                   last->region.end == w.region.end;
    Term both = is_same ? united(tt, last->guard, w.guard) : 0;
    if (both)
      c->writes.data[kept - 1].guard = both, c->writes.data[kept - 1].place = 0;
    else
      c->writes.data[kept++] = w;
  }
  c->writes.count = kept;
}

/* The write of iteration d*t + i of another loop, whose counter is k. */
static bool is_write_of(const Loop *l, const MlirWrite *w, const MlirWrite *one, Term k, int64_t d, int64_t i) {
  TermTable *tt = l->m->tt;
  Term now = term_add(tt, term_scale(tt, rational_int(d), l->counter), term_int(tt, i));
  if (w->region.block != one->region.block || w->region.begin != one->region.begin || w->region.end != one->region.end)
    return false;
  return !term_has_symbol(tt, one->guard, l->counter) && !term_has_symbol(tt, one->cell.value, l->counter) &&
         !term_has_symbol(tt, one->cell.poison, l->counter) && term_replace(tt, one->guard, k, now) == w->guard &&
         term_replace(tt, one->cell.value, k, now) == w->cell.value &&
         term_replace(tt, one->cell.poison, k, now) == w->cell.poison;
}

typedef struct Earlier {
  const Carried *c;
  const MlirWrite *write;
  uint32_t count; /* of writes that are earlier */
  bool is_met;
} Earlier;

static Term find_met(TermTable *tt, Term t, void *payload) {
  Earlier *e = payload;
  const Carried *c = e->c;
  if (term_kind(tt, t) != TERM_READ || (term_arg(tt, t, 0) != c->value && term_arg(tt, t, 0) != c->poison)) return t;
  Term place[MLIR_RANK];
  for (uint32_t i = 0; i < c->rank; i++) place[i] = term_arg(tt, t, i + 1);
  for (uint32_t i = 0; i < e->count && !e->is_met; i++) {
    Term earlier = put(tt, c, c->writes.data[i].guard, place), both = term_and(tt, e->write->guard, earlier);
    e->is_met = both != tt->false_ && !mlir_excludes(tt, e->write->guard, earlier);
  }
  return t;
}

/* True if a write may read what one of the first so many writes of the same iteration has written. */
static bool meets_earlier(TermTable *tt, const Carried *c, const MlirWrite *w, uint32_t count) {
  Earlier e = {c, w, count, false};
  term_transform(tt, w->cell.value, find_met, &e), term_transform(tt, w->cell.poison, find_met, &e);
  return e.is_met;
}

/* An iteration that makes the writes of d iterations of another loop, one after the other: as that loop. */
static bool close_unrolled(Loop *l, Carried *c) {
  TermTable *tt = l->m->tt;
  uint32_t count = c->writes.count;
  if (must_not_meet(l, c)) return false;
  for (uint32_t i = 0; i < count; i++) {
    const MlirWrite *w = &c->writes.data[i];
    if (mentions(tt, w->guard, c)) return false;
  }
  for (uint32_t d = count; d >= 2; d--) {
    if (count % d) continue;
    uint32_t own = count / d;
    Term times = term_int(tt, d), all = term_mul(tt, times, l->trips);
    Loop other = *l;
    other.trips = all;
    other.counter = term_symbol_fresh(tt, "t", SORT_INT, SYMBOL_COUNTER);
    other.steps = term_symbol_fresh(tt, "n", SORT_INT, SYMBOL_INDEX);
    term_symbol_range(tt, other.counter, tt->zero, term_sub(tt, all, tt->one));
    term_symbol_range(tt, other.steps, tt->zero, all);
    Carried one = *c;
    one.writes.data = NULL, one.writes.count = one.writes.capacity = 0;
    bool good = true;
    for (uint32_t k = 0; k < own && good; k++) {
      MlirWrite w = c->writes.data[k];
      const MlirWrite *second = &c->writes.data[own + k];
      w.guard = mlir_one_step(tt, w.guard, second->guard, l->counter, other.counter, d, false);
      w.cell.value = mlir_one_step(tt, w.cell.value, second->cell.value, l->counter, other.counter, d, false);
      w.cell.poison = mlir_one_step(tt, w.cell.poison, second->cell.poison, l->counter, other.counter, d, false);
      good = w.guard && w.cell.value && w.cell.poison;
      for (uint32_t i = 0; i < d && good; i++)
        good = is_write_of(l, &c->writes.data[i * own + k], &w, other.counter, d, i) &&
               !meets_earlier(tt, c, &c->writes.data[i * own + k], (uint32_t)i * own);
      array_push(l->m->arena, &one.writes, w);
    }
    if (!good || !close_by_points(&other, &one)) continue;
    Term steps = term_mul(tt, times, l->steps);
    for (uint32_t i = 0; i < one.done.count; i++) {
      MlirWrite w = one.done.data[i];
      w.guard = term_replace(tt, w.guard, other.steps, steps);
      w.cell.value = term_replace(tt, w.cell.value, other.steps, steps);
      w.cell.poison = term_replace(tt, w.cell.poison, other.steps, steps);
      array_push(l->m->arena, &c->done, w);
    }
    return true;
  }
  return false;
}

/* True if an earlier write of the same iteration is to a place of this one, where that condition holds. */
static bool is_written_before(TermTable *tt, const Carried *c, uint32_t i, Term condition) {
  Term here = term_and(tt, condition, c->writes.data[i].guard);
  for (uint32_t k = 0; k < i; k++) {
    Term both = term_and(tt, here, c->writes.data[k].guard);
    if (both != tt->false_ && !mlir_excludes(tt, here, c->writes.data[k].guard)) return true;
  }
  return false;
}

/* A recurrence of no step leaves its place as it was before the iteration, where no other write of it came first: it
 * is written where there is a step, which may say more of sizes. false: that is so already. */
static bool write_where_steps(Loop *l, Carried *c) {
  TermTable *tt = l->m->tt;
  Cell own = carried_read(tt, c, c->place);
  bool some = false;
  for (uint32_t i = 0; i < c->writes.count; i++) {
    MlirWrite *w = &c->writes.data[i];
    if (term_kind(tt, w->cell.value) != TERM_RECUR || term_recur_lanes(tt, w->cell.value)) continue;
    Term steps = term_arg(tt, w->cell.value, 0), none = term_le(tt, steps, tt->zero);
    Term start = term_arg(tt, w->cell.value, 1 + term_aux(tt, w->cell.value) % RECUR_STATES);
    Term poison = term_assume(tt, w->cell.poison, none);
    bool found = false, stays = poison == own.poison || (poison == tt->false_ && c->is_clean);
    if (none == tt->false_ || !stays || mlir_excludes(tt, none, w->guard)) continue;
    if (is_written_before(tt, c, i, none)) continue;
    if (!own_place(l, c, w->guard, own.value, mlir_as_int(tt, own.poison), &start, &found) || start != own.value)
      continue;
    w->guard = term_and(tt, w->guard, term_not(tt, none)), w->place = 0;
    some = true;
  }
  return some;
}

static bool close_alone(Loop *l, Carried *c) {
  TermTable *tt = l->m->tt;
  drop_shadowed(c), unite_writes(tt, c);
  if (c->writes.count > CARRIED_WRITES) return false;
  if (!c->writes.count) return c->is_solved = true;
  Array(MlirWrite) before = {0};
  for (uint32_t i = 0; i < c->writes.count; i++) array_push(l->m->arena, &before, c->writes.data[i]);
  bool good = true, free_of_counter = true;
  for (uint32_t i = 0; i < c->writes.count && good; i++) {
    MlirWrite *w = &c->writes.data[i];
    good = carried_resolve(l, c, &w->guard) && resolve_cell(l, c, &w->cell);
    free_of_counter &= !term_has_symbol(tt, w->guard, l->counter) && !mentions(tt, w->guard, c);
  }
  if (good) {
    bool by_points = !free_of_counter && c->rank;
    good = by_points && (close_unrolled(l, c) || close_by_points(l, c));
    if (!good && by_points) {
      Carried some = *c;
      some.writes.data = arena_array(l->m->arena, MlirWrite, c->writes.count);
      memcpy(some.writes.data, c->writes.data, c->writes.count * sizeof(MlirWrite));
      some.writes.capacity = c->writes.count, some.done.data = NULL, some.done.count = some.done.capacity = 0;
      good = write_where_steps(l, &some) && close_by_points(l, &some);
      if (good) c->done = some.done;
    }
    if (!good) c->done.count = 0, good = close_by_recurrence(l, c);
  }
  if (!good) /* as it was: others may be closed first */
    for (uint32_t i = 0; i < before.count; i++) c->writes.data[i] = before.data[i];
  c->is_solved = good;
  return good;
}

/* Scalars that depend on each other, as one recurrence of several values. */
static bool close_scalars(Loop *l) {
  Mlir *m = l->m;
  TermTable *tt = m->tt;
  Carried *own[RECUR_STATES / 2];
  Term init[RECUR_STATES], next[RECUR_STATES], state[RECUR_STATES];
  uint32_t count = 0;
  for (uint32_t i = 0; i < l->count; i++) {
    Carried *c = &l->carried[i];
    if (c->rank || c->is_solved) continue;
    if (count == RECUR_STATES / 2 || c->space) return false;
    own[count++] = c;
  }
  for (uint32_t i = 0; i < count; i++) {
    Cell cell = own[i]->writes.data[0].cell;
    state[2 * i] = term_read(tt, own[i]->value, term_symbol(tt, own[i]->value)->sort, 0, NULL);
    state[2 * i + 1] = term_read(tt, own[i]->poison, SORT_INT, 0, NULL);
    init[2 * i] = mlir_as_int(tt, own[i]->init.value), init[2 * i + 1] = mlir_as_int(tt, own[i]->init.poison);
    for (uint32_t k = 0; k < l->count; k++) { /* those that are closed */
      Carried *c = &l->carried[k];
      bool depends = mentions(tt, cell.value, c) || mentions(tt, cell.poison, c);
      if (!depends) continue;
      if (!c->is_solved && c->rank) return false;
    }
    Resolving r = {l, NULL, false};
    for (uint32_t k = 0; k < count; k++) own[k]->is_open = true;
    next[2 * i] = mlir_as_int(tt, term_transform(tt, cell.value, resolve_read, &r));
    next[2 * i + 1] = mlir_as_int(tt, term_transform(tt, cell.poison, resolve_read, &r));
    for (uint32_t k = 0; k < count; k++) own[k]->is_open = false;
    if (r.failed) return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    Term value = term_recur(tt, 2 * count, 2 * i, l->counter, l->steps, init, next, state),
         poison = term_recur(tt, 2 * count, 2 * i + 1, l->counter, l->steps, init, next, state);
    Cell cell = {mlir_joined(tt, value), mlir_as_bool(tt, mlir_joined(tt, poison))};
    if (own[i]->is_bool) cell.value = mlir_as_bool(tt, cell.value);
    array_push(m->arena, &own[i]->done, (MlirWrite){.guard = tt->true_, .cell = cell});
    own[i]->is_solved = true;
  }
  return count > 0;
}

bool carried_close(Loop *l) {
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 0; i < l->count; i++)
      if (!l->carried[i].is_solved && close_alone(l, &l->carried[i])) again = true;
    if (!again) again = close_scalars(l);
  }
  for (uint32_t i = 0; i < l->count; i++)
    if (!l->carried[i].is_solved) return false;
  return true;
}
