/* Stores of several elements in one iteration, as of a loop that is unrolled: y[m + 4*t + k] for k = 0, 1, 2, 3 is
 * y[m + u] for 0 <= u < 4*trips, where the values are one function of the element too.
 *
 * Neither order nor values change: what is united are stores of one program whose value at an element is known, each of
 * one lane and of the same mask, which no counter of that loop decides. Places that are told apart by what they hold,
 * as those of three channels, stay several stores. */
#include "execute/internal.h"

enum { BLOCK_MOST = 16 };

typedef struct Unrolled {
  Term t, first; /* first: the least offset, at t = 0 */
  int64_t count;
  uint32_t at[BLOCK_MOST]; /* by distance from the first: the store; UINT32_MAX: not found yet */
} Unrolled;

/* Its places go by axes (strides.c), or the source declares several of them: a block may be a row. */
static bool has_axes(const Machine *m, Term tensor) {
  const Effects *e = m->effects;
  for (uint32_t i = 0; i < e->axes.count; i++)
    if (e->axes.data[i].tensor == tensor) return true;
  for (uint32_t i = 0, rank; i < e->params.count; i++)
    if (e->params.data[i].symbol == tensor) return program_arg_shape(m->program, m->function, i, &rank) && rank > 1;
  return false;
}

static bool may_be_united(TermTable *tt, const Access *a) {
  if (a->is_atomic || !a->counter_count) return false;
  for (uint32_t i = 0; i < a->rank; i++)
    if (a->lanes[i]) return false;
  Term t = a->counters[a->counter_count - 1];
  return term_symbol(tt, t)->hi && !term_has_symbol(tt, a->mask, t);
}

static bool is_same_kind(const Access *a, const Access *b) {
  bool same = a->is_store == b->is_store && !b->is_atomic && a->tensor == b->tensor && a->element == b->element &&
              a->mask == b->mask && a->old == b->old && a->is_final == b->is_final &&
              a->absent_other == b->absent_other && a->counter_count == b->counter_count;
  for (uint32_t i = 0; same && i < a->counter_count; i++) same = a->counters[i] == b->counters[i];
  return same;
}

/* The stores that a block is made of, one for each element of it; false: there is none with that store. */
static bool find_block(Machine *m, uint32_t from, Unrolled *b) {
  TermTable *tt = m->tt;
  const Access *a = &m->effects->accesses.data[from];
  b->t = a->counters[a->counter_count - 1];
  Term step = term_sub(tt, term_replace(tt, a->offset, b->t, term_add(tt, b->t, tt->one)), a->offset);
  if (!term_is_int(tt, step, &b->count) || b->count < 2 || b->count > BLOCK_MOST) return false;
  int64_t distance[2 * BLOCK_MOST], least = 0;
  uint32_t at[2 * BLOCK_MOST], n = 0;
  for (uint32_t i = from; i < m->effects->accesses.count; i++) {
    const Access *other = &m->effects->accesses.data[i];
    if (!is_same_kind(a, other)) continue;
    if (n == 2 * BLOCK_MOST || !term_is_int(tt, term_sub(tt, other->offset, a->offset), &distance[n])) return false;
    if (distance[n] < least) least = distance[n];
    at[n++] = i;
  }
  if (n != (uint32_t)b->count) return false;
  for (uint32_t k = 0; k < n; k++) b->at[k] = UINT32_MAX;
  for (uint32_t i = 0; i < n; i++) {
    if (distance[i] - least >= b->count || b->at[distance[i] - least] != UINT32_MAX) return false;
    b->at[distance[i] - least] = at[i];
  }
  b->first = term_replace(tt, m->effects->accesses.data[b->at[0]].offset, b->t, tt->zero);
  return true;
}

/* True if another store to the tensor may be the last writer of some elements: one between those of the block, or one
 * in the same loop, whose iterations come between. */
static bool is_interrupted(const Machine *m, uint32_t from, const Unrolled *b) {
  const Access *all = m->effects->accesses.data;
  uint32_t last = from;
  for (int64_t k = 0; k < b->count; k++)
    if (b->at[k] > last) last = b->at[k];
  for (uint32_t i = 0; i < m->effects->accesses.count; i++) {
    if (!all[i].is_store || all[i].tensor != all[from].tensor || is_same_kind(&all[from], &all[i])) continue;
    if (i > from && i < last) return true;
    for (uint32_t k = 0; k < all[i].counter_count; k++)
      if (all[i].counters[k] == b->t) return true;
  }
  return false;
}

/* The value over u = count*t + k, if each of the block is that at its k; 0: they are several functions. */
static Term common_value(Machine *m, const Unrolled *b, Term u) {
  TermTable *tt = m->tt;
  const Access *all = m->effects->accesses.data;
  Term value = term_replace(tt, all[b->at[0]].value, b->t, term_scale(tt, (Rational){1, b->count}, u));
  for (int64_t k = 0; k < b->count; k++) {
    Term own = term_add(tt, term_scale(tt, rational_int(b->count), b->t), term_int(tt, k));
    if (term_replace(tt, value, u, own) != all[b->at[k]].value) return 0;
  }
  return value;
}

/* The accesses of the block as one, in the place of the last. */
static void put_together(Machine *m, const Unrolled *b, Term u, Term value) {
  TermTable *tt = m->tt;
  Access *all = m->effects->accesses.data, one = all[b->at[0]];
  one.offset = term_add(tt, b->first, u), one.value = value, one.counters[one.counter_count - 1] = u;
  uint32_t kept = 0, last = 0;
  for (int64_t k = 0; k < b->count; k++)
    if (b->at[k] > last) last = b->at[k];
  for (uint32_t i = 0; i < m->effects->accesses.count; i++) {
    bool is_part = false;
    for (int64_t k = 0; k < b->count; k++) is_part |= b->at[k] == i;
    if (i == last) all[kept++] = one;
    if (!is_part) all[kept++] = all[i];
  }
  m->effects->accesses.count = kept;
}

/* What the loop reads by such blocks too. */
static void unite_loads(Machine *m, Term t, int64_t count, Term u) {
  for (uint32_t i = 0; i < m->effects->accesses.count;) {
    const Access *a = &m->effects->accesses.data[i];
    Unrolled b;
    bool found = !a->is_store && may_be_united(m->tt, a) && a->counters[a->counter_count - 1] == t &&
                 find_block(m, i, &b) && b.count == count;
    if (found)
      put_together(m, &b, u, 0);
    else
      i++;
  }
}

static bool unite_stores(Machine *m, uint32_t from) {
  TermTable *tt = m->tt;
  const Access *a = &m->effects->accesses.data[from];
  Unrolled b;
  if (!a->is_store || has_axes(m, a->tensor) || !may_be_united(tt, a) || !find_block(m, from, &b) ||
      is_interrupted(m, from, &b))
    return false;
  Term trips = term_add(tt, term_symbol(tt, b.t)->hi, tt->one);
  Term u = term_symbol_fresh(tt, "t", SORT_INT, SYMBOL_COUNTER);
  term_symbol_range(tt, u, tt->zero, term_sub(tt, term_scale(tt, rational_int(b.count), trips), tt->one));
  Term value = common_value(m, &b, u);
  if (!value) return false;
  put_together(m, &b, u, value);
  unite_loads(m, b.t, b.count, u);
  return true;
}

void execute_unite_blocks(Machine *m) {
  if (!m->program->is_host) return;
  for (uint32_t i = 0; i < m->effects->accesses.count;)
    if (!unite_stores(m, i)) i++;
}
