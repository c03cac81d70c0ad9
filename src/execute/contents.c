/* Memory as a value (see contents.h).
 *
 * The content of a tensor is one term over the place p of an element, its indices along the axes that the function goes
 * by (strides.c) or its offset: READ(T, p) before the first store, and
 *
 *   where(mask and place of the store = p, value, content)
 *
 * behind a store of one lane. A load is the content at its offset, so that what this program
 * has stored before is seen, from whatever iteration. A loop carries the contents of the tensors that its body
 * stores to like values of one lane p (loops/loop.c); closed, they are maps, folds at a place, and scans along it
 * (loops/places.c), shown by the same induction as other carried values. At the end each store is given what its place
 * holds at the end: which of two writers is the last one follows from that, and is no question of order any more. */
#include "execute/contents.h"

#include <string.h>

#include "laws/one_point.h"
#include "laws/row.h"

Content *contents_find(Machine *m, Term tensor) {
  for (uint32_t i = 0; i < m->content_count; i++)
    if (m->contents[i]->tensor == tensor) return m->contents[i];
  return NULL;
}

static Content *contents_add(Machine *m, Term tensor, TypeId element) {
  TermTable *tt = m->tt;
  Content *known = contents_find(m, tensor);
  if (known || m->content_count == CONTENTS_MOST) return known;
  Content *c = arena_new(m->arena, Content);
  c->tensor = tensor, c->element = element;
  contents_find_strides(m, c);
  Term offset = tt->zero;
  for (uint32_t k = 0; k < c->rank; k++) { /* the first: any, as an access may be out of bounds */
    c->place[k] = term_symbol_fresh(tt, "place", SORT_INT, SYMBOL_LANE);
    if (k) term_symbol_range(tt, c->place[k], tt->zero, term_sub(tt, c->extent[k], tt->one));
    offset = term_add(tt, offset, term_mul(tt, c->place[k], c->stride[k]));
  }
  c->is_unsigned = execute_unsigned_width(m, tensor, element) != 0;
  c->value = c->is_unsigned ? term_read(tt, tensor, SORT_INT, 1, &offset) : execute_element(m, tensor, offset, element);
  m->contents[m->content_count++] = c;
  return c;
}

/* The indices of an access; false: the run is stopped. */
static bool find_indices(Machine *m, const Content *content, const Access *a, Term index[CONTENT_RANK]) {
  if (contents_indices(m, content, a, index)) return true;
  execute_stop(m, a->op, REASON_LOOP_MEMORY, "%s is accessed along other axes than elsewhere",
               term_message(m->tt, a->tensor));
  return false;
}

static Term contents_read(Machine *m, const Content *content, const Access *a) {
  Term index[CONTENT_RANK];
  if (!find_indices(m, content, a, index)) return m->tt->zero;
  Term at = term_substitute(m->tt, content->value, (TermMap){content->rank, content->place, index});
  return term_transform(m->tt, at, law_one_point, NULL);
}

/* ---- stores ---- */

/* Lanes see each other's stores behind a barrier alone, which a content does not say. */
static bool has_lanes(const Access *a) {
  for (uint32_t i = 0; i < a->rank; i++)
    if (a->lanes[i]) return true;
  return false;
}

typedef struct SamePlace {
  const Content *content;
  Term offset, place; /* of the store, and over the places */
  const Term *index;
} SamePlace;

/* An element at the offset, or at some of the indices, is the element at the place, where the two are one. */
static Term put_place(TermTable *tt, Term t, void *payload) {
  const SamePlace *same = payload;
  if (term_kind(tt, t) != TERM_READ) return t;
  uint32_t n = term_count(tt, t) - 1;
  SymbolRole role = term_symbol(tt, term_arg(tt, t, 0))->role;
  if (role == SYMBOL_TENSOR && n == 1 && term_arg(tt, t, 1) == same->offset)
    return term_read(tt, term_arg(tt, t, 0), term_sort(tt, t), 1, &same->place);
  if (role != SYMBOL_CARRY || n != same->content->rank) return t;
  Term at[CONTENT_RANK];
  for (uint32_t k = 0; k < n; k++) {
    at[k] = term_arg(tt, t, k + 1);
    if (at[k] == same->index[k]) at[k] = same->content->place[k];
  }
  return term_read(tt, term_arg(tt, t, 0), term_sort(tt, t), n, at);
}

/* where(g, wrap(x), c) of integers of memory, which have that width: the wrap of where(g, x, c). */
static Term store_where(TermTable *tt, uint32_t width, Term guard, Term value, Term content) {
  bool wraps = width && term_kind(tt, value) == TERM_WRAP && term_aux(tt, value) == width;
  if (!wraps) return term_select(tt, guard, value, content);
  return term_wrap(tt, width, term_select(tt, guard, term_arg(tt, value, 0), content));
}

/* ---- stores to several elements in one iteration ---- */

enum { UNROLLED_MOST = 16 };

/* The equation of integers that tells the counter, and what else the condition asks; 0: it has none, or several. */
static Term take_equation(TermTable *tt, Term condition, Term counter, Term *others) {
  Term equation = 0;
  *others = tt->true_;
  for (uint32_t i = 0, n = term_conjunct_count(tt, condition); i < n; i++) {
    Term c = term_conjunct(tt, condition, i);
    bool equates = term_kind(tt, c) == TERM_EQ && term_count(tt, c) == 1 &&
                   term_sort(tt, term_arg(tt, c, 0)) == SORT_INT && term_has_symbol(tt, c, counter) &&
                   !(term_node(tt, c)->flags & TERM_HAS_READ);
    if (equates && equation) return 0;
    if (equates)
      equation = term_arg(tt, c, 0);
    else
      *others = term_and(tt, *others, c);
  }
  return equation;
}

/* e = 0 or e + 1 = 0 or .. or e + n - 1 = 0, for e = n*t + r and the counter t, as -r // n = t: an unrolled iteration
 * stores to n elements, one after another. */
static Term put_block(TermTable *tt, Term t, void *machine) {
  const Machine *m = machine;
  uint32_t n = term_kind(tt, t) == TERM_OR ? term_count(tt, t) : 0;
  if (n < 2 || n > UNROLLED_MOST || !m->counter_count) return t;
  Term counter = m->counters[m->counter_count - 1], others = 0, first = 0;
  int64_t distance[UNROLLED_MOST], least = 0, factor;
  uint32_t seen = 0;
  for (uint32_t i = 0; i < n; i++) {
    Term rest, e = take_equation(tt, term_arg(tt, t, i), counter, &rest);
    if (!e || (first && rest != others)) return t;
    others = rest;
    Term slope = term_sub(tt, term_replace(tt, e, counter, term_add(tt, counter, tt->one)), e);
    if (!term_is_int(tt, slope, &factor)) return t;
    if (factor < 0) e = term_neg(tt, e), factor = -factor;
    if (!first) first = e;
    if (factor != n || !term_is_int(tt, term_sub(tt, e, first), &distance[i])) return t;
    if (distance[i] < least) least = distance[i];
  }
  for (uint32_t i = 0; i < n; i++)
    if (distance[i] - least < n) seen |= 1u << (distance[i] - least);
  if (seen != (1u << n) - 1) return t;
  Term rest = term_add(tt, term_replace(tt, first, counter, tt->zero), term_int(tt, least));
  Term step = term_floordiv(tt, term_neg(tt, rest), term_int(tt, n));
  return term_and(tt, others, term_eq(tt, step, counter));
}

static bool is_one_lane(Machine *m, const Access *a) {
  if (!has_lanes(a)) return true;
  execute_stop(m, a->op, REASON_LOOP_MEMORY, "%s is stored to and read again by several lanes",
               term_message(m->tt, a->tensor));
  return false;
}

Term contents_load(Machine *m, const Access *load) {
  Content *c = contents_find(m, load->tensor);
  if (!c) return execute_element(m, load->tensor, load->offset, load->element);
  if (c->element != load->element)
    execute_stop(m, load->op, REASON_LOOP_MEMORY, "%s is read as another type", term_message(m->tt, load->tensor));
  if (m->seeks_end) return c->value;
  return is_one_lane(m, load) ? contents_read(m, c, load) : m->tt->zero;
}

void contents_store(Machine *m, const Access *store, Term value) {
  TermTable *tt = m->tt;
  Content *c = contents_add(m, store->tensor, store->element);
  if (m->seeks_end || !is_one_lane(m, store)) return;
  if (!c || c->element != store->element) {
    execute_stop(m, store->op, REASON_LOOP_MEMORY,
                 "more tensors, or more types of one, are stored to than are handled");
    return;
  }
  Term index[CONTENT_RANK], place = tt->zero, guard = store->mask;
  if (!find_indices(m, c, store, index)) return;
  for (uint32_t k = 0; k < c->rank; k++) {
    place = term_add(tt, place, term_mul(tt, c->place[k], c->stride[k]));
    guard = term_and(tt, guard, term_eq(tt, index[k], c->place[k]));
  }
  SamePlace same = {c, store->offset, place, index};
  value = term_transform(tt, value, put_place, &same);
  const Type *type = program_get_type(m->program, c->element);
  uint32_t width = type->kind == TYPE_INT && type->width > 1 && !c->is_unsigned ? type->width : 0;
  c->value = term_transform(tt, store_where(tt, width, guard, value, c->value), put_block, m);
}

/* ---- rows ---- */

/* The rows of what is stored do not overlap: shown, or said of a function of a host language, whose arguments tell. */
static bool is_within(Machine *ex, Term width, Term m) {
  TermTable *tt = ex->tt;
  TermList symbols = {0};
  if (term_prove_le(tt, width, m)) return true;
  if (!ex->program->is_host || term_is_rat(tt, m)) return false;
  Term condition = term_le(tt, width, m);
  term_symbols(tt, condition, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (term_symbol(tt, symbols.data[i])->role != SYMBOL_SIZE) return false;
  if (term_node(tt, condition)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_UNDEF) || condition == tt->false_)
    return false;
  execute_assume(ex->effects, condition, "no two elements of what is written share an address", ASSUME_DISJOINT);
  return true;
}

/* The conditions of a row with x = place // length in them: how a row of an array, or the part of it that is written,
 * is told from its place. */
static Term row_of(Machine *ex, Term low, Term high) {
  TermTable *tt = ex->tt;
  TermList symbols = {0};
  LawRow row;
  term_symbols(tt, low, &symbols);
  for (uint32_t k = 0; k < symbols.count; k++) {
    Term x = symbols.data[k];
    if (term_symbol(tt, x)->role != SYMBOL_COUNTER || !law_row(tt, low, high, x, &row)) continue;
    bool is_one = term_prove_lt(tt, tt->zero, row.length) || term_prove_lt(tt, tt->zero, row.width);
    if (!is_one || !is_within(ex, row.width, row.length)) continue;
    Term at = term_floordiv(tt, row.place, row.length);
    return term_and(tt, term_eq(tt, at, x), term_le(tt, term_replace(tt, term_arg(tt, high, 0), x, at), tt->zero));
  }
  return 0;
}

static Term put_rows(TermTable *tt, Term t, void *machine) {
  if (term_kind(tt, t) != TERM_AND) return t;
  uint32_t n = term_count(tt, t);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < n; k++) {
      Term row = i != k ? row_of(machine, term_arg(tt, t, i), term_arg(tt, t, k)) : 0;
      if (!row) continue;
      for (uint32_t j = 0; j < n; j++)
        if (j != i && j != k) row = term_and(tt, row, term_arg(tt, t, j));
      return put_rows(tt, row, machine);
    }
  return t;
}

Term contents_after_loop(Machine *m, Term value) { return term_transform(m->tt, value, put_rows, m); }

/* ---- what a loop stores to ---- */

/* What the condition of a scf.while hands on to its body and, at the end, as its results. */
static ValueId handed_on(const Program *p, const Op *loop, uint32_t index) {
  const Block *before = program_get_block(p, program_get_region(p, loop->regions[0])->blocks.data[0]);
  const Op *condition = program_get_op(p, before->ops.data[before->ops.count - 1]);
  return condition->code == OP_SCF_CONDITION ? condition->operands[1 + index] : 0;
}

/* What an argument of a loop is at first; 0: it is another argument. */
static ValueId initial_value(const Program *p, const Value *v) {
  RegionId region = program_get_block(p, v->block)->region;
  const Op *parent = program_get_op(p, program_get_region(p, region)->parent);
  if (parent->code == OP_SCF_FOR) return v->index ? parent->operands[2 + v->index] : 0;
  if (parent->code != OP_SCF_WHILE) return 0;
  return region == parent->regions[0] ? parent->operands[v->index] : handed_on(p, parent, v->index);
}

ValueId contents_root(const Program *p, ValueId value) {
  for (uint32_t steps = 0; steps < 10000; steps++) {
    const Value *v = program_get_value(p, value);
    const Op *op = v->op ? program_get_op(p, v->op) : NULL;
    if (!op) {
      const Op *parent = program_get_op(p, program_get_region(p, program_get_block(p, v->block)->region)->parent);
      if (parent->code == OP_TT_FUNC) return value;
      value = initial_value(p, v);
      if (!value) return 0;
      continue;
    }
    bool is_view = op->code == OP_TT_ADDPTR || op->code == OP_TT_SPLAT || op->code == OP_TT_BROADCAST ||
                   op->code == OP_TT_EXPAND_DIMS || op->code == OP_TT_RESHAPE;
    if (is_view)
      value = op->operands[0];
    else if (op->code == OP_SCF_FOR)
      value = op->operands[3 + v->index];
    else if (op->code == OP_SCF_WHILE)
      value = handed_on(p, op, v->index);
    else
      return 0;
    if (!value) return 0;
  }
  return 0;
}

typedef struct Stored {
  Machine *m;
  Content **out;
  uint32_t *count;
} Stored;

static bool note_stored(Stored *s, ValueId pointer) {
  const Program *p = s->m->program;
  ValueId root = contents_root(p, pointer);
  Term base = root ? execute_value(s->m, root) : 0;
  if (!base || term_kind(s->m->tt, base) != TERM_PTR) return false;
  TypeId type = program_element_type(p, program_get_value(p, pointer)->type);
  Content *c = contents_add(s->m, term_arg(s->m->tt, base, 0), program_get_type(p, type)->element);
  for (uint32_t i = 0; i < *s->count; i++)
    if (s->out[i] == c) return true;
  if (c) s->out[(*s->count)++] = c;
  return c != NULL;
}

static bool note_region(Stored *s, RegionId id) {
  const Program *p = s->m->program;
  const Region *region = program_get_region(p, id);
  for (uint32_t b = 0; b < region->blocks.count; b++) {
    const Block *block = program_get_block(p, region->blocks.data[b]);
    for (uint32_t i = 0; i < block->ops.count; i++) {
      const Op *op = program_get_op(p, block->ops.data[i]);
      if (op->code == OP_TT_STORE && !note_stored(s, op->operands[0])) return false;
      if (op->code == OP_TT_ATOMIC_RMW || op->code == OP_TT_ATOMIC_CAS || op->code == OP_TT_DESCRIPTOR_STORE)
        return false;
      for (uint32_t r = 0; r < op->region_count; r++)
        if (!note_region(s, op->regions[r])) return false;
    }
  }
  return true;
}

bool contents_of_loop(Machine *m, const Op *loop, Content *out[CONTENTS_MOST], uint32_t *count) {
  *count = 0;
  Stored s = {m, out, count};
  for (uint32_t r = 0; r < loop->region_count; r++)
    if (!note_region(&s, loop->regions[r])) return false;
  return true;
}

/* ---- the end ---- */

void contents_finish(Machine *m) {
  TermTable *tt = m->tt;
  for (uint32_t i = 0; i < m->effects->accesses.count && !execute_stopped(m); i++) {
    Access *a = &m->effects->accesses.data[i];
    const Content *c = contents_find(m, a->tensor);
    if (!c) continue;
    a->is_final = true;
    if (!a->is_store) continue;
    uint32_t facts = tt->facts.count;
    term_push_fact(tt, a->mask);
    Term value = contents_read(m, c, a);
    value = term_rebuild(tt, value);
    term_pop_facts(tt, facts);
    a->value = term_assume(tt, value, a->mask);
  }
}
