/* Memory as a value: what blocks hold is a list of writes over a block and a place in it, the last of which wins.
 *
 * As in C loops (execute/contents.c), nothing is said of order: a load is the content at its place, the writes before
 * it as choices, and what was there before any of them a READ of the memory that the caller filled. A write is made
 * under the path to it, so that branches need no join. Arguments are symbolic blocks that may be one; a block that the
 * function allocates has a number of its own, and holds poison. */
#include "mlir/internal.h"

MlirWorld *mlir_world_new(TermTable *tt, MlirFlags flags) {
  MlirWorld *w = arena_new(tt->arena, MlirWorld);
  w->tt = tt, w->is_distinct = flags.distinct, w->is_real = flags.real;
  w->block = term_symbol_fresh(tt, "block", SORT_INT, SYMBOL_INDEX);
  w->place = term_symbol_fresh(tt, "place", SORT_INT, SYMBOL_INDEX);
  w->heap = term_symbol_fresh(tt, "heap", SORT_INT, SYMBOL_TENSOR);
  term_symbol_range(tt, w->heap, tt->zero, tt->one);
  return w;
}

MlirMemory mlir_copy_memory(Arena *arena, const MlirMemory *from) {
  MlirMemory to = {0};
  for (uint32_t i = 0; i < from->dead.count; i++) array_push(arena, &to.dead, from->dead.data[i]);
  for (uint32_t i = 0; i < from->readonly.count; i++) array_push(arena, &to.readonly, from->readonly.data[i]);
  for (uint32_t i = 0; i < from->spaces.count; i++) {
    const MlirSpace *s = &from->spaces.data[i];
    MlirSpace own = *s;
    own.writes.data = NULL, own.writes.count = own.writes.capacity = 0;
    for (uint32_t k = 0; k < s->writes.count; k++) array_push(arena, &own.writes, s->writes.data[k]);
    array_push(arena, &to.spaces, own);
  }
  return to;
}

Name mlir_memory_type(MlirWorld *w, const Program *p, TypeId element) {
  Text text = text_new(w->tt->arena);
  program_type_print(p, element, &text);
  return intern_text(w->tt->names, text_string(&text));
}

/* ---- elements that no write of this run reached ---- */

void mlir_element_range(TermTable *tt, Term symbol, const Type *e) {
  if (e->kind == TYPE_FLOAT) return;
  uint32_t width = e->kind == TYPE_INDEX ? 64 : e->width;
  Int128 half = (Int128)1 << (width - 1);
  term_symbol_range(tt, symbol, term_new_rat(tt, (Rational){width == 1 ? 0 : -half, 1}),
                    term_new_rat(tt, (Rational){width == 1 ? 1 : half - 1, 1}));
}

static Term shared_memory(MlirWorld *w, Name type, const Type *element, bool is_outside) {
  for (uint32_t i = 0; i < w->memories.count; i++)
    if (w->memories.data[i].type == type) {
      w->memories.data[i].is_outside |= is_outside;
      return w->memories.data[i].memory;
    }
  Name name = intern_text(w->tt->names, arena_format(w->tt->arena, "memory_%s", intern_string(w->tt->names, type)));
  Term memory = term_symbol_new(w->tt, name, mlir_element_sort(w->is_real, element), SYMBOL_TENSOR);
  mlir_element_range(w->tt, memory, element);
  array_push(w->tt->arena, &w->memories, (MlirShared){type, memory, element, is_outside});
  return memory;
}

static Cell base_cell(TermTable *tt, const MlirSpace *s, bool is_bool, Term block, Term place) {
  Term at[2] = {block, place};
  Term value = term_read(tt, s->memory, term_symbol(tt, s->memory)->sort, 2, at);
  Term poison = s->poison ? mlir_as_bool(tt, term_read(tt, s->poison, SORT_INT, 2, at)) : tt->false_;
  return (Cell){is_bool ? mlir_as_bool(tt, value) : value, poison};
}

/* ---- reading ---- */

static bool same_region(MlirRegion a, MlirRegion b) {
  return a.end && a.block == b.block && a.begin == b.begin && a.end == b.end;
}

bool mlir_are_apart(const Mlir *m, MlirRegion a, MlirRegion b) {
  for (uint32_t i = 0; i < m->run->apart.count; i++) {
    const MlirApart *x = &m->run->apart.data[i];
    if ((same_region(x->a, a) && same_region(x->b, b)) || (same_region(x->a, b) && same_region(x->b, a))) return true;
  }
  return false;
}

/* Where an access to that block reaches, as only an argument has it. */
MlirRegion mlir_region_of(const Mlir *m, Term block) {
  for (uint32_t i = 0; i < m->argument_count; i++)
    if (m->arguments[i].kind == MLIR_MEMREF && m->arguments[i].block == block && !term_is_rat(m->tt, block))
      return m->arguments[i].region;
  return (MlirRegion){0};
}

static Term put(MlirWorld *w, Term t, Term block, Term place) {
  Term from[2] = {w->block, w->place}, to[2] = {block, place};
  return term_substitute(w->tt, t, (TermMap){2, from, to});
}

static Cell choose(TermTable *tt, Term c, Cell a, Cell b) {
  if (c == tt->true_) return a;
  Cell out = {0};
  bool is_bool = term_sort(tt, a.value) == SORT_BOOL;
  out.value = a.value == b.value ? a.value
              : is_bool          ? term_or(tt, term_and(tt, c, a.value), term_and(tt, term_not(tt, c), b.value))
                                 : term_select(tt, c, a.value, b.value);
  out.poison =
      a.poison == b.poison ? a.poison : term_or(tt, term_and(tt, c, a.poison), term_and(tt, term_not(tt, c), b.poison));
  return out;
}

typedef struct Found {
  Term guard;
  Cell cell;
} Found;

typedef Array(Found) FoundList;

/* Whether a later write is seen wherever one under that condition would be. */
static bool is_covered(const FoundList *later, Term guard) {
  for (uint32_t i = 0; i < later->count; i++)
    if (later->data[i].guard == guard) return true;
  return false;
}

/* The content at a place; `m`: NULL, or the run whose regions are known not to meet `region`. */
static Cell read_space(MlirWorld *w, const Mlir *m, const MlirSpace *s, bool is_bool, MlirRegion region, Term block,
                       Term place) {
  TermTable *tt = w->tt;
  FoundList found = {0};
  Cell cell = {0};
  bool is_number = term_is_rat(tt, block) && term_is_rat(tt, place);
  if (term_kind(tt, block) == TERM_SELECT && term_is_rat(tt, term_arg(tt, block, 1)) &&
      term_is_rat(tt, term_arg(tt, block, 2))) { /* of two known blocks */
    Term which = term_arg(tt, block, 0);
    Cell first = read_space(w, m, s, is_bool, region, term_arg(tt, block, 1), place);
    Cell second = read_space(w, m, s, is_bool, region, term_arg(tt, block, 2), place);
    first = (Cell){term_replace(tt, first.value, which, tt->true_), term_replace(tt, first.poison, which, tt->true_)};
    second =
        (Cell){term_replace(tt, second.value, which, tt->false_), term_replace(tt, second.poison, which, tt->false_)};
    return choose(tt, which, first, second);
  }
  for (uint32_t i = s->writes.count; i-- > 0 && !cell.value;) {
    const MlirWrite *write = &s->writes.data[i];
    if (write->place && is_number && (write->place != place || write->block != block)) continue;
    if (m && mlir_are_apart(m, write->region, region)) continue;
    if (write->is_constant && !term_is_rat(tt, block)) continue; /* then it is anything */
    Term guard = mlir_decided(tt, put(w, write->guard, block, place));
    if (guard == tt->false_ || is_covered(&found, guard)) continue;
    Cell own = {put(w, write->cell.value, block, place), put(w, write->cell.poison, block, place)};
    if (guard == tt->true_)
      cell = own;
    else
      array_push(tt->arena, &found, (Found){guard, own});
  }
  if (!cell.value) cell = base_cell(tt, s, is_bool, block, place);
  while (found.count-- > 0) cell = choose(tt, found.data[found.count].guard, found.data[found.count].cell, cell);
  return cell;
}

static bool is_bool(const Program *p, TypeId element) {
  const Type *t = program_get_type(p, element);
  return t->kind == TYPE_INT && t->width == 1;
}

MlirSpace *mlir_space(Mlir *m, TypeId element) {
  Name type = mlir_memory_type(m->world, m->p, element);
  for (uint32_t i = 0; i < m->memory.spaces.count; i++)
    if (m->memory.spaces.data[i].type == type) return &m->memory.spaces.data[i];
  MlirSpace s = {.type = type, .element = element};
  s.memory = shared_memory(m->world, type, mlir_type(m, element), false);
  array_push(m->arena, &m->memory.spaces, s);
  return &m->memory.spaces.data[m->memory.spaces.count - 1];
}

Cell mlir_space_at(Mlir *m, const MlirSpace *s, MlirRegion region, Term block, Term place) {
  return read_space(m->world, m, s, is_bool(m->p, s->element), region, block, place);
}

Cell mlir_memory_at(MlirWorld *world, const MlirMemory *memory, const Program *p, Name type, Term block, Term place) {
  for (uint32_t i = 0; i < memory->spaces.count; i++) {
    const MlirSpace *s = &memory->spaces.data[i];
    if (s->type == type) return read_space(world, NULL, s, is_bool(p, s->element), (MlirRegion){0}, block, place);
  }
  for (uint32_t i = 0; i < world->memories.count; i++) {
    const MlirShared *s = &world->memories.data[i];
    MlirSpace space = {.memory = s->memory};
    if (s->type == type)
      return base_cell(world->tt, &space, s->element->kind == TYPE_INT && s->element->width == 1, block, place);
  }
  return (Cell){0};
}

Term mlir_memory_any(MlirWorld *w, const TermList *conditions, Term block) {
  Term any = w->tt->false_;
  for (uint32_t i = 0; i < conditions->count; i++)
    any = term_or(w->tt, any, term_replace(w->tt, conditions->data[i], w->block, block));
  return any;
}

/* ---- addresses ---- */

Term mlir_address(TermTable *tt, const MlirValue *ref, const Term *index) {
  Term at = ref->offset;
  for (uint32_t k = 0; k < ref->rank; k++) at = term_add(tt, at, term_mul(tt, index[k], ref->stride[k]));
  return at;
}

/* The block can be read, or written to, where `some` holds: there is an element. */
void mlir_need_block(Mlir *m, const MlirValue *ref, bool writes, Term some) {
  TermTable *tt = m->tt;
  Term bad = mlir_memory_any(m->world, &m->memory.dead, ref->block);
  if (writes) bad = term_or(tt, bad, mlir_memory_any(m->world, &m->memory.readonly, ref->block));
  mlir_undefined(m, term_and(tt, some, bad));
}

/* Of what may reach beyond: the address lies in what it was made of. */
static bool need_region(Mlir *m, const MlirValue *ref, Term address, Term *bad) {
  TermTable *tt = m->tt;
  *bad = tt->false_;
  if (!ref->is_loose) return true;
  if (!ref->region.end) return false;
  *bad = term_or(tt, term_lt(tt, address, ref->region.begin), term_le(tt, ref->region.end, address));
  int64_t id;
  if (*bad == tt->false_ || (term_is_int(tt, ref->block, &id) && id >= MLIR_LOCAL)) return true;
  return m->run->stays_inside = m->flags.stays_inside;
}

/* The same of all its elements. */
static bool need_region_of_all(Mlir *m, const MlirValue *ref) {
  Term bad;
  if (!ref->is_loose) return true;
  MlirValue all = mlir_tensor_new(m, ref->element, ref->rank, ref->extent);
  if (!need_region(m, ref, mlir_address(m->tt, ref, all.index), &bad)) return false;
  mlir_undefined(m, mlir_any(m, all.rank, all.index, all.extent, bad));
  return true;
}

/* True if it is known what was written there. */
static bool is_written_value(TermTable *tt, const MlirSpace *s, const Cell *cell) {
  return term_kind(tt, cell->value) != TERM_SELECT && !term_has_symbol(tt, cell->value, s->memory) &&
         !(s->poison && term_has_symbol(tt, cell->poison, s->poison));
}

/* The element of a block of the function's own at symbols for the indices, which are in range where the access is
 * defined: what the ranges of the indices themselves do not tell. */
static void load_in_range(Mlir *m, const MlirSpace *s, const MlirValue *ref, const Term *index, Cell *out) {
  TermTable *tt = m->tt;
  Term any[MLIR_RANK], from[MLIR_RANK], to[MLIR_RANK];
  uint32_t count = 0;
  if (!term_is_rat(tt, ref->block) || is_written_value(tt, s, out)) return;
  for (uint32_t k = 0; k < ref->rank; k++) {
    any[k] = index[k];
    if (term_is_rat(tt, index[k])) continue;
    any[k] = term_symbol_fresh(tt, "i", SORT_INT, SYMBOL_INDEX);
    term_symbol_range(tt, any[k], tt->zero, term_sub(tt, ref->extent[k], tt->one));
    from[count] = any[k], to[count++] = index[k];
  }
  Cell cell = mlir_space_at(m, s, ref->region, ref->block, mlir_address(tt, ref, any));
  if (!count || !is_written_value(tt, s, &cell)) return;
  TermMap back = {count, from, to};
  *out = (Cell){term_substitute(tt, cell.value, back), term_substitute(tt, cell.poison, back)};
}

bool mlir_load(Mlir *m, const MlirValue *ref, const Term *index, Cell *out) {
  Term address = mlir_address(m->tt, ref, index), bad;
  if (!need_region(m, ref, address, &bad)) return false;
  mlir_undefined(m, bad);
  MlirSpace *s = mlir_space(m, ref->element);
  s->is_read = true;
  *out = mlir_space_at(m, s, ref->region, ref->block, address);
  load_in_range(m, s, ref, index, out);
  return true;
}

void mlir_write(Mlir *m, MlirSpace *s, MlirWrite write) {
  write.guard = term_and(m->tt, m->path, write.guard);
  if (write.guard == m->tt->false_) return;
  array_push(m->arena, &s->writes, write);
}

static Term in_block(Mlir *m, const MlirValue *ref) { return term_eq(m->tt, m->world->block, ref->block); }

bool mlir_store(Mlir *m, const MlirValue *ref, const Term *index, Cell value) {
  TermTable *tt = m->tt;
  Term address = mlir_address(m->tt, ref, index), bad;
  if (!need_region(m, ref, address, &bad)) return false;
  mlir_undefined(m, bad);
  Term here = term_eq(tt, m->world->place, address);
  MlirWrite write = {.guard = term_and(tt, in_block(m, ref), here), .cell = value, .region = ref->region};
  if (term_is_rat(tt, ref->block) && term_is_rat(tt, address)) write.block = ref->block, write.place = address;
  mlir_write(m, mlir_space(m, ref->element), write);
  return true;
}

/* ---- whole memrefs ---- */

Term mlir_has_elements(Mlir *m, const MlirValue *v) {
  Term all = m->tt->true_;
  for (uint32_t k = 0; k < v->rank; k++) all = term_and(m->tt, all, term_lt(m->tt, m->tt->zero, v->extent[k]));
  return all;
}

bool mlir_load_tensor(Mlir *m, const MlirValue *ref, MlirValue *out) {
  mlir_need_block(m, ref, false, mlir_has_elements(m, ref));
  *out = mlir_tensor_new(m, ref->element, ref->rank, ref->extent);
  Term before = m->ub;
  m->ub = m->tt->false_;
  bool good = mlir_load(m, ref, out->index, &out->cell);
  Term own = m->ub;
  m->ub = before;
  mlir_undefined(m, mlir_any(m, out->rank, out->index, out->extent, own));
  return good;
}

/* True if the greatest sum of what the other dimensions add is less than the stride. */
static bool covers(TermTable *tt, const MlirValue *ref, const bool *done, uint32_t k) {
  Term reach = tt->zero;
  for (uint32_t j = 0; j < ref->rank; j++) {
    if (done[j] || j == k) continue;
    reach = term_add(tt, reach, term_mul(tt, term_sub(tt, ref->extent[j], tt->one), ref->stride[j]));
  }
  return term_prove_lt(tt, reach, ref->stride[k]);
}

bool mlir_is_row_major(TermTable *tt, const MlirValue *ref) {
  Term product = tt->one;
  for (uint32_t k = ref->rank; k-- > 0; product = term_mul(tt, product, ref->extent[k]))
    if (ref->stride[k] != product && ref->extent[k] != tt->one) return false;
  return true;
}

bool mlir_is_contiguous(Mlir *m, const MlirValue *ref) { return mlir_is_row_major(m->tt, ref); }

bool mlir_indices_of(TermTable *tt, const MlirValue *ref, Term rest, Term *index, Term *inside) {
  bool done[MLIR_RANK] = {false}, contiguous = mlir_is_row_major(tt, ref);
  uint32_t left = ref->rank;
  Term count = tt->one;
  *inside = term_le(tt, tt->zero, rest);
  for (uint32_t k = 0; k < ref->rank; k++) {
    count = term_mul(tt, count, ref->extent[k]);
    if (ref->extent[k] == tt->one) index[k] = tt->zero, done[k] = true, left--;
  }
  if (contiguous) *inside = term_and(tt, *inside, term_lt(tt, rest, count));
  for (; left; left--) {
    uint32_t k = 0;
    while (k < ref->rank && (done[k] || !covers(tt, ref, done, k))) k++;
    if (k == ref->rank || (!contiguous && !term_prove_lt(tt, tt->zero, ref->stride[k]))) return false;
    index[k] = ref->stride[k] == tt->one ? rest : term_floordiv(tt, rest, ref->stride[k]);
    rest = ref->stride[k] == tt->one ? tt->zero : term_sub(tt, rest, term_mul(tt, index[k], ref->stride[k]));
    if (!contiguous) *inside = term_and(tt, *inside, term_lt(tt, index[k], ref->extent[k]));
    done[k] = true;
  }
  *inside = term_and(tt, *inside, term_eq(tt, rest, tt->zero));
  return true;
}

/* Elements may overlap: the last one in row-major order stays, which recurrences say. */
static Cell last_of(Mlir *m, const MlirValue *ref, const MlirValue *tensor, Cell old) {
  TermTable *tt = m->tt;
  Cell cell = tensor->cell, state = old;
  bool is_bool_ = mlir_width(m, ref->element) == 1;
  Term here = term_eq(tt, m->world->place, mlir_address(m->tt, ref, tensor->index));
  Term values[MLIR_RANK + 1], poisons[MLIR_RANK + 1];
  for (uint32_t k = 0; k < ref->rank; k++) {
    values[k] = mlir_state_symbol(tt, "state", mlir_state_sort(m, ref->element));
    poisons[k] = mlir_state_symbol(tt, "poisoned", SORT_INT);
  }
  for (uint32_t k = ref->rank; k-- > 0;) {
    if (k == ref->rank - 1) {
      state = (Cell){is_bool_ ? mlir_as_bool(tt, values[k]) : values[k], mlir_as_bool(tt, poisons[k])};
      cell = mlir_choose(m, here, tensor->cell, state);
    }
    Term next[2] = {mlir_as_int(tt, cell.value), mlir_as_int(tt, cell.poison)}, states[2] = {values[k], poisons[k]};
    Term init[2] = {k ? values[k - 1] : mlir_as_int(tt, old.value), k ? poisons[k - 1] : mlir_as_int(tt, old.poison)};
    cell.value = term_recur(tt, 2, 0, tensor->index[k], ref->extent[k], init, next, states);
    cell.poison = term_recur(tt, 2, 1, tensor->index[k], ref->extent[k], init, next, states);
  }
  return (Cell){is_bool_ ? mlir_as_bool(tt, cell.value) : cell.value, mlir_as_bool(tt, cell.poison)};
}

bool mlir_store_tensor(Mlir *m, const MlirValue *ref, const MlirValue *tensor) {
  return mlir_store_masked(m, ref, tensor, NULL);
}

bool mlir_store_masked(Mlir *m, const MlirValue *ref, const MlirValue *tensor, const MlirValue *mask) {
  TermTable *tt = m->tt;
  MlirSpace *s = mlir_space(m, ref->element);
  Term index[MLIR_RANK], inside, some = mlir_has_elements(m, ref);
  if (ref->rank != tensor->rank || (mask && ref->is_loose) || !need_region_of_all(m, ref)) return false;
  if (mask) some = mlir_any(m, ref->rank, mask->index, ref->extent, mask->cell.value);
  mlir_need_block(m, ref, true, some);
  for (uint32_t k = 0; k < ref->rank; k++) mlir_need_equal(m, ref->extent[k], tensor->extent[k]);
  MlirWrite write = {.guard = in_block(m, ref), .region = ref->region};
  if (mlir_indices_of(tt, ref, term_sub(tt, m->world->place, ref->offset), index, &inside)) {
    write.guard = term_and(tt, write.guard, inside);
    write.cell = mlir_element(m, tensor, index);
    if (mask) write.guard = term_and(tt, write.guard, mlir_element(m, mask, index).value);
  } else if (mask) {
    return false;
  } else {
    Cell old = mlir_space_at(m, s, (MlirRegion){0}, m->world->block, m->world->place);
    write.cell = last_of(m, ref, tensor, old);
  }
  mlir_write(m, s, write);
  return true;
}

/* ---- regions that do not meet ---- */

/* The condition that the two share a place. Where this is undefined, it is known from now on that they do not. */
Term mlir_meet(Mlir *m, const MlirValue *a, const MlirValue *b) {
  TermTable *tt = m->tt;
  Term same = term_eq(tt, a->block, b->block);
  if (same == tt->false_ || a->element != b->element) return tt->false_;
  Term some = term_and(tt, mlir_has_elements(m, a), mlir_has_elements(m, b));
  if (mlir_is_contiguous(m, a) && mlir_is_contiguous(m, b)) {
    Term ends[2];
    for (int i = 0; i < 2; i++) {
      const MlirValue *v = i ? b : a;
      ends[i] = term_add(tt, v->offset, mlir_product(tt, v->rank, v->extent));
    }
    Term meet = term_and(tt, term_lt(tt, a->offset, ends[1]), term_lt(tt, b->offset, ends[0]));
    return term_and(tt, term_and(tt, same, some), meet);
  }
  MlirValue x = mlir_tensor_new(m, a->element, a->rank, a->extent),
            y = mlir_tensor_new(m, b->element, b->rank, b->extent);
  Term meet = term_eq(tt, mlir_address(m->tt, a, x.index), mlir_address(m->tt, b, y.index));
  meet = mlir_any(m, y.rank, y.index, y.extent, meet);
  return term_and(tt, term_and(tt, same, some), mlir_any(m, x.rank, x.index, x.extent, meet));
}

void mlir_need_apart(Mlir *m, const MlirValue *a, const MlirValue *b) {
  if (!a->is_loose && !b->is_loose && mlir_are_apart(m, a->region, b->region)) return;
  Term meet = mlir_meet(m, a, b);
  mlir_undefined(m, meet);
  MlirRegion x = a->region, y = b->region;
  bool whole = x.end && y.end && a->offset == x.begin && b->offset == y.begin && mlir_is_contiguous(m, a) &&
               mlir_is_contiguous(m, b);
  for (int i = 0; i < 2 && whole; i++) {
    const MlirValue *v = i ? b : a;
    whole = v->region.end == term_add(m->tt, v->offset, mlir_product(m->tt, v->rank, v->extent));
  }
  if (whole && m->path == m->tt->true_ && !m->in_loop) array_push(m->arena, &m->run->apart, (MlirApart){x, y});
}

/* ---- layouts ---- */

void mlir_identity_layout(Mlir *m, MlirValue *v) {
  Term product = m->tt->one;
  for (uint32_t k = v->rank; k-- > 0; product = term_mul(m->tt, product, v->extent[k])) v->stride[k] = product;
}

static bool is_linear(const AffineMap *map) {
  if (map->result_count != 1) return false;
  for (uint32_t i = 0; i < map->node_count; i++) {
    AffineKind k = map->nodes[i].kind;
    if (k == AFFINE_MOD || k == AFFINE_FLOORDIV || k == AFFINE_CEILDIV) return false;
  }
  return true;
}

static Term dynamic(MlirWorld *w, const char *name, const char *what, uint32_t k) {
  const char *text = name ? arena_format(w->tt->arena, "%s_%s%u", name, what, k) : what;
  return term_symbol_new(w->tt, intern_text(w->tt->names, text), SORT_INT, SYMBOL_SIZE);
}

/* Offset and strides that the type says; where it says `?`, 0, or a new symbol if there is a name for it. */
static bool type_layout(MlirWorld *w, const Program *p, const Type *t, const char *name, MlirValue *v) {
  TermTable *tt = w->tt;
  v->offset = tt->zero;
  if (!t->layout) {
    Term product = tt->one;
    for (uint32_t k = v->rank; k-- > 0; product = term_mul(tt, product, v->extent[k])) v->stride[k] = product;
    return true;
  }
  const Attr *a = program_get_attr(p, t->layout);
  if (a->kind == ATTR_ARRAY && a->count == v->rank + 1) {
    for (uint32_t i = 0; i < a->count; i++) {
      int64_t n = program_get_attr(p, a->items[i])->integer;
      Term value = n != TYPE_DYNAMIC ? term_int(tt, n) : name ? dynamic(w, name, i ? "s" : "offset", i ? i - 1 : 0) : 0;
      if (i)
        v->stride[i - 1] = value;
      else
        v->offset = value;
    }
    return true;
  }
  const AffineMap *map = a->kind == ATTR_MAP ? a->map : NULL;
  if (!map || map->equal || map->dims != v->rank) return false;
  bool permutes = map->result_count == v->rank && map->result_count != 1, seen[MLIR_RANK] = {false};
  for (uint32_t i = 0; i < map->result_count && permutes; i++) {
    const AffineNode *n = &map->nodes[map->results[i]];
    permutes = n->kind == AFFINE_DIM && n->value < v->rank && !seen[n->value];
    if (permutes) seen[n->value] = true;
  }
  if (permutes) {
    Term product = tt->one;
    for (uint32_t i = map->result_count; i-- > 0;) {
      uint32_t dim = (uint32_t)map->nodes[map->results[i]].value;
      v->stride[dim] = product, product = term_mul(tt, product, v->extent[dim]);
    }
    return true;
  }
  if (!is_linear(map)) return false;
  Term symbols[2 * MLIR_RANK], dims[MLIR_RANK];
  if (map->symbols > 2 * MLIR_RANK) return false;
  for (uint32_t i = 0; i < map->symbols; i++) symbols[i] = name ? dynamic(w, name, "s", i) : tt->zero;
  for (uint32_t i = 0; i < v->rank; i++) dims[i] = tt->zero;
  v->offset = mlir_affine(tt, map, map->results[0], dims, symbols);
  for (uint32_t i = 0; i < v->rank; i++) {
    dims[i] = tt->one;
    v->stride[i] = term_sub(tt, mlir_affine(tt, map, map->results[0], dims, symbols), v->offset);
    dims[i] = tt->zero;
  }
  if (map->symbols && !name)
    for (uint32_t i = 0; i <= v->rank; i++) *(i ? &v->stride[i - 1] : &v->offset) = 0;
  return true;
}

static void set_region(TermTable *tt, MlirValue *v) {
  Term end = tt->one;
  v->region = (MlirRegion){v->block, v->offset, 0};
  bool contiguous = true;
  Term product = tt->one;
  for (uint32_t k = v->rank; k-- > 0; product = term_mul(tt, product, v->extent[k]))
    contiguous &= v->stride[k] == product;
  for (uint32_t k = 0; k < v->rank; k++) {
    if (!contiguous && !term_prove_le(tt, tt->zero, v->stride[k])) return;
    end = term_add(tt, end, term_mul(tt, term_sub(tt, v->extent[k], tt->one), v->stride[k]));
  }
  v->region.end = term_add(tt, v->offset, contiguous ? product : end);
}

MlirValue mlir_memref_argument(MlirWorld *w, const Program *p, TypeId type, const char *name, uint32_t number) {
  TermTable *tt = w->tt;
  const Type *t = program_get_type(p, type);
  MlirValue v = {.kind = MLIR_MEMREF, .element = t->element, .rank = t->rank, .argument = number + 1};
  const Type *e = program_get_type(p, t->element);
  if (e->kind != TYPE_INT && e->kind != TYPE_INDEX && e->kind != TYPE_FLOAT) return (MlirValue){.kind = MLIR_NONE};
  for (uint32_t i = 0; i < t->rank; i++) {
    v.extent[i] = t->dims[i] == TYPE_DYNAMIC ? dynamic(w, name, "d", i) : term_int(tt, t->dims[i]);
    Term most = t->layout ? term_int(tt, INT64_MAX) : mlir_greatest_size(tt, e);
    if (t->dims[i] == TYPE_DYNAMIC) term_symbol_range(tt, v.extent[i], tt->zero, most);
  }
  if (!type_layout(w, p, t, name, &v)) return (MlirValue){.kind = MLIR_NONE};
  v.base = tt->zero;
  if (w->is_distinct) {
    v.block = term_int(tt, number);
  } else {
    Term begin = dynamic(w, arena_format(tt->arena, "%s_begin", name), "", 0);
    v.block = dynamic(w, arena_format(tt->arena, "%s_block", name), "", 0);
    term_symbol_range(tt, v.block, term_int(tt, -MLIR_LOCAL), term_int(tt, MLIR_LOCAL - 1));
    term_symbol_range(tt, begin, tt->zero, term_int(tt, INT64_MAX));
    v.base = begin, v.offset = term_add(tt, begin, v.offset);
  }
  shared_memory(w, mlir_memory_type(w, p, t->element), e, true);
  set_region(tt, &v);
  return v;
}

/* The layout of a type, where it says it, is that of the value: else undefined. */
bool mlir_need_layout(Mlir *m, const MlirValue *v, Term offset, TypeId type) {
  MlirValue said = *v;
  const Type *t = mlir_type(m, type);
  if (!type_layout(m->world, m->p, t, NULL, &said)) return false;
  for (uint32_t k = 0; k <= v->rank && v->is_any_layout; k++)
    if (k ? said.stride[k - 1] : said.offset) return false; /* it may have another one */
  if (said.offset) mlir_need_equal(m, offset, said.offset);
  for (uint32_t k = 0; k < v->rank; k++)
    if (said.stride[k] && v->extent[k] != m->tt->one) {
      Term differs = term_not(m->tt, term_eq(m->tt, said.stride[k], v->stride[k]));
      mlir_undefined(m, term_and(m->tt, term_lt(m->tt, m->tt->one, v->extent[k]), differs));
    }
  return true;
}

/* ---- allocation and globals ---- */

static Term local_block(Mlir *m, MlirOrigin origin) {
  Term id = term_int(m->tt, MLIR_LOCAL + m->run->locals.count);
  array_push(m->arena, &m->run->locals, origin);
  return id;
}

bool mlir_allocate(Mlir *m, TypeId type, const Term *extents, MlirOrigin origin, MlirValue *out) {
  const Type *t = mlir_type(m, type), *vector = mlir_type(m, t->element);
  TermTable *tt = m->tt;
  *out = (MlirValue){.kind = MLIR_MEMREF, .element = t->element, .rank = t->rank, .base = tt->zero};
  out->block = local_block(m, origin);
  memcpy(out->extent, extents, t->rank * sizeof *extents);
  if (vector->kind == TYPE_TENSOR) { /* its lanes are the innermost dimensions */
    if (t->layout || t->rank + vector->rank > MLIR_RANK) return false;
    out->element = vector->element, out->rank += vector->rank, out->lanes = vector->rank;
    for (uint32_t k = 0; k < vector->rank; k++) out->extent[t->rank + k] = term_int(tt, vector->dims[k]);
  }
  if (!type_layout(m->world, m->p, t, NULL, out) || !out->offset) return false;
  for (uint32_t k = 0; k < out->rank; k++)
    if (!out->stride[k]) return false;
  set_region(tt, out);
  bool is_bool_ = mlir_width(m, out->element) == 1;
  Cell nothing = {is_bool_ ? tt->false_ : tt->zero, tt->true_};
  MlirWrite write = {.guard = in_block(m, out), .cell = nothing, .region = out->region};
  mlir_write(m, mlir_space(m, out->element), write);
  return true;
}

bool mlir_reaches_outside(const MlirWorld *world) {
  for (uint32_t i = 0; i < world->memories.count; i++)
    if (world->memories.data[i].is_outside) return true;
  return false;
}

uint32_t mlir_escaped(const MlirRun *run, Term block) {
  for (uint32_t i = 0; i < run->escaped.count; i++)
    if (run->escaped.data[i] == block) return i;
  return UINT32_MAX;
}

bool mlir_may_have_escaped(TermTable *tt, const MlirRun *run, Term block) {
  for (uint32_t i = 0; i < run->escaped.count; i++)
    if (term_eq(tt, run->escaped.data[i], block) != tt->false_) return true;
  return false;
}

bool mlir_is_own_block(TermTable *tt, const MlirRun *run, Term block, MlirOrigin *origin) {
  int64_t id;
  MlirOrigin other;
  if (term_kind(tt, block) == TERM_SELECT)
    return mlir_is_own_block(tt, run, term_arg(tt, block, 1), origin) &&
           mlir_is_own_block(tt, run, term_arg(tt, block, 2), &other) && other == *origin;
  if (!term_is_int(tt, block, &id) || id < MLIR_LOCAL) return false;
  *origin = run->locals.data[id - MLIR_LOCAL];
  return true;
}

void mlir_end_stack(Mlir *m, uint32_t first) {
  for (uint32_t i = first; i < m->run->locals.count; i++) {
    Term block = term_int(m->tt, MLIR_LOCAL + (int64_t)i);
    if (m->run->locals.data[i] == MLIR_STACK)
      array_push(m->arena, &m->memory.dead, term_eq(m->tt, m->world->block, block));
  }
}

bool mlir_begin_poison(Mlir *m, const MlirValue *v) {
  MlirSpace *s = mlir_space(m, v->element);
  Term guard = in_block(m, v);
  for (uint32_t i = 0; i < s->writes.count; i++)
    if (s->writes.data[i].guard == guard && s->writes.data[i].cell.poison == m->tt->true_) return true;
  if (mlir_may_have_escaped(m->tt, m->run, v->block)) return false; /* a callee may have written there */
  Cell nothing = {mlir_width(m, v->element) == 1 ? m->tt->false_ : m->tt->zero, m->tt->true_};
  if (m->path != m->tt->true_ || m->in_loop) return false;
  mlir_write(m, s, (MlirWrite){.guard = guard, .cell = nothing});
  return true;
}

/* A block of its own that holds the tensor. */
bool mlir_hold_tensor(Mlir *m, const MlirValue *tensor, TypeId type, MlirOrigin origin, MlirValue *out) {
  Term extents[MLIR_RANK];
  const Type *t = mlir_type(m, type);
  memcpy(extents, tensor->extent, sizeof extents);
  MlirValue v = {.kind = MLIR_MEMREF, .element = t->element, .rank = t->rank, .base = m->tt->zero};
  v.block = local_block(m, origin);
  memcpy(v.extent, extents, sizeof extents);
  if (!type_layout(m->world, m->p, t, NULL, &v)) return false;
  Term product = m->tt->one;
  v.is_any_layout = !v.offset;
  if (!v.offset) v.offset = m->tt->zero;
  for (uint32_t k = t->rank; k-- > 0; product = term_mul(m->tt, product, v.extent[k])) {
    v.is_any_layout |= !v.stride[k];
    if (!v.stride[k]) v.stride[k] = product;
  }
  set_region(m->tt, &v);
  *out = v;
  return mlir_store_tensor(m, &v, tensor);
}

const Op *mlir_find_global(const Program *p, const char *name) {
  for (uint32_t i = 1; i < p->ops.count; i++) {
    const Op *op = program_get_op(p, (OpId)i);
    AttrId id = program_op_attr(p, op, "sym_name");
    bool is_global = id && !strcmp(intern_string(p->names, op->name), "memref.global");
    if (is_global && !strcmp(intern_string(p->names, program_get_attr(p, id)->text), name)) return op;
  }
  return NULL;
}

static bool is_private(const Program *p, const Op *global) {
  AttrId id = program_op_attr(p, global, "sym_visibility");
  const Attr *visibility = id ? program_get_attr(p, id) : NULL;
  return visibility && visibility->kind == ATTR_STRING && !strcmp(intern_string(p->names, visibility->text), "private");
}

static bool is_one_of(const char *name, const char *const *names) {
  for (; *names; names++)
    if (!strcmp(name, *names)) return true;
  return false;
}

/* The global that the memref is, or a part of it; 0: another one, or not known. */
static Name global_of(const Program *p, ValueId value) {
  static const char *const views[] = {"memref.cast",           "memref.subview",   "memref.expand_shape",
                                      "memref.collapse_shape", "memref.transpose", NULL};
  for (uint32_t depth = 0; depth < 64; depth++) {
    const Value *v = program_get_value(p, value);
    const Op *op = v->op ? program_get_op(p, v->op) : NULL;
    const char *name = op ? intern_string(p->names, op->name) : "";
    if (!strcmp(name, "memref.get_global")) return program_get_attr(p, program_op_attr(p, op, "name"))->text;
    if (!op || !op->operand_count || !is_one_of(name, views)) return 0;
    value = op->operands[0];
  }
  return 0;
}

/* Nobody outside of the module knows the global, and all that the module does with it is to read: of an operation that
 * is kept as text, the operands are not known. */
static bool is_hidden(const Program *p, const Op *global) {
  static const char *const reads[] = {"memref.load",           "affine.load",      "memref.dim",
                                      "memref.cast",           "memref.subview",   "memref.expand_shape",
                                      "memref.collapse_shape", "memref.transpose", NULL};
  Name name = program_get_attr(p, program_op_attr(p, global, "sym_name"))->text;
  if (!is_private(p, global)) return false;
  for (uint32_t i = 1; i < p->ops.count; i++) {
    const Op *op = program_get_op(p, (OpId)i);
    const char *what = intern_string(p->names, op->name);
    if (program_op_attr(p, op, PROGRAM_SKIPPED)) return false;
    if (is_one_of(what, reads)) continue;
    for (uint32_t k = !strcmp(what, "memref.copy"); k < op->operand_count; k++)
      if (program_value_type(p, op->operands[k])->kind == TYPE_MEMREF && global_of(p, op->operands[k]) == name)
        return false;
  }
  return true;
}

static bool is_constant_global(const Program *p, const Op *global) {
  return program_op_attr(p, global, "constant") || is_hidden(p, global);
}

/* No argument is a hidden one: their blocks lie below all others. */
static Term global_block(MlirWorld *w, const Program *p, const Op *global) {
  const char *name = intern_string(p->names, program_get_attr(p, program_op_attr(p, global, "sym_name"))->text);
  Name shared = intern_text(w->tt->names, arena_format(w->tt->arena, "global %s", name));
  return term_int(w->tt, -(int64_t)shared - (is_hidden(p, global) ? MLIR_LOCAL : 0));
}

/* Constant ones hold what they say, and so do those that nobody writes; a caller may have written to the others. */
void mlir_enter_globals(Mlir *m) {
  for (uint32_t i = 1; i < m->p->ops.count; i++) {
    const Op *op = program_get_op(m->p, (OpId)i);
    if (strcmp(intern_string(m->p->names, op->name), "memref.global") != 0) continue;
    if (!is_constant_global(m->p, op)) continue;
    Term block = global_block(m->world, m->p, op), here = term_eq(m->tt, m->world->block, block);
    array_push(m->arena, &m->memory.readonly, here);
    MlirValue tensor;
    const Attr *value = program_get_attr(m->p, program_op_attr(m->p, op, "initial_value"));
    if (!program_op_attr(m->p, op, "initial_value") || !mlir_dense(m, value, &tensor)) continue;
    MlirValue v = tensor;
    v.kind = MLIR_MEMREF, v.block = block, v.offset = m->tt->zero;
    mlir_identity_layout(m, &v);
    Term index[MLIR_RANK], inside;
    if (!mlir_indices_of(m->tt, &v, m->world->place, index, &inside)) continue;
    array_push(m->arena, &mlir_space(m, v.element)->writes,
               (MlirWrite){.guard = term_and(m->tt, here, inside),
                           .cell = mlir_element(m, &tensor, index),
                           .is_constant = true});
  }
}

static bool global_value(MlirWorld *w, const Program *p, const Op *op, const Type *t, MlirValue *v) {
  *v = (MlirValue){.kind = MLIR_MEMREF, .element = t->element, .rank = t->rank, .base = w->tt->zero};
  v->block = global_block(w, p, op);
  for (uint32_t k = 0; k < t->rank; k++) {
    if (t->dims[k] == TYPE_DYNAMIC) return false;
    v->extent[k] = term_int(w->tt, t->dims[k]);
  }
  if (!type_layout(w, p, t, NULL, v) || !v->offset) return false;
  set_region(w->tt, v);
  return true;
}

bool mlir_global_at(MlirWorld *w, const Program *p, uint32_t i, const char **name, MlirValue *out) {
  for (uint32_t k = 1; k < p->ops.count; k++) {
    const Op *op = program_get_op(p, (OpId)k);
    if (strcmp(intern_string(p->names, op->name), "memref.global") != 0 || i--) continue;
    const Type *t = program_get_type(p, program_get_attr(p, program_op_attr(p, op, "type"))->type);
    *name = intern_string(p->names, program_get_attr(p, program_op_attr(p, op, "sym_name"))->text);
    if (t->kind != TYPE_MEMREF || !global_value(w, p, op, t, out)) out->kind = MLIR_NONE;
    return true;
  }
  return false;
}

bool mlir_global_is_seen(const Program *p, const Program *other, const char *name) {
  const Op *op = mlir_find_global(p, name), *its = mlir_find_global(other, name);
  if (!op || !is_private(p, op)) return true;
  return !program_op_attr(p, op, "constant") && its && !(is_hidden(p, op) && is_hidden(other, its));
}

bool mlir_get_global(Mlir *m, const Op *op) {
  const Attr *name = program_get_attr(m->p, program_op_attr(m->p, op, "name"));
  const Op *global = mlir_find_global(m->p, intern_string(m->p->names, name->text));
  const Type *t = program_value_type(m->p, op->first_result);
  MlirValue v;
  if (!global || t->kind != TYPE_MEMREF || !global_value(m->world, m->p, global, t, &v)) return mlir_unsupported(m, op);
  shared_memory(m->world, mlir_memory_type(m->world, m->p, t->element), mlir_type(m, t->element), true);
  mlir_set(m, op, 0, v);
  return true;
}
