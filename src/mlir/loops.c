/* Loops: the body is executed once, for any iteration, on symbols for what it carries; carried.c closes these forms.
 *
 * Carried are the loop's own variables and the memory of each element type. What makes the body undefined is so if it
 * is in any iteration. Of loops that are called parallel no order is known: what one iteration writes, no other may
 * read or write. A loop that has no closed form is executed iteration by iteration if their number is small. */
#include <math.h>

#include "laws/one_point.h"
#include "mlir/carried.h"

/* Iterations one by one are counted over all loops of a run: in memory each is compared with all before it. */
enum { MOST_CARRIED = 48, MOST_ON_NUMBERS = 20000, MOST_IN_MEMORY = 32, MOST_UNROLLED = 4096, FEW = 16 };

/* The body of a loop, once: what it allocates on the stack ends with the iteration. */
static bool run_iteration(Mlir *m, const Op *op, const MlirValue *arguments, uint32_t count) {
  uint32_t first = m->run->locals.count;
  if (!mlir_run_region(m, op, 0, arguments, count)) return false;
  mlir_end_stack(m, first);
  return true;
}

/* ---- iteration by iteration ---- */

static bool unroll(Mlir *m, const LoopSpec *s, int64_t trips, MlirValue *out) {
  uint32_t on_numbers = m->flags.most ? m->flags.most : MOST_ON_NUMBERS;
  uint32_t most = m->flags.unrolls ? on_numbers : m->memory.spaces.count ? MOST_IN_MEMORY : MOST_UNROLLED;
  memcpy(out, s->init, s->count * sizeof *out);
  for (int64_t i = 0; i < trips; i++) {
    if (m->unrolled++ >= most)
      return mlir_stop(m, s->op, REASON_LOOP_MEMORY, "what these loops carry has no closed form, and they are long");
    if (!s->body(m, s->op, term_int(m->tt, i), out, s->payload)) return false;
    if (m->yield_count != s->count) return mlir_unsupported(m, s->op);
    memcpy(out, m->yielded, s->count * sizeof *out);
  }
  return true;
}

/* ---- for any iteration ---- */

static Carried *add_carried(Loop *l, TypeId element, uint32_t rank, const Term *place) {
  Mlir *m = l->m;
  if (l->count == MOST_CARRIED) return NULL;
  Carried *c = &l->carried[l->count++];
  *c = (Carried){.rank = rank, .element = element, .is_bool = mlir_width(m, element) == 1};
  c->value = term_symbol_fresh(m->tt, "carried", mlir_state_sort(m, element), SYMBOL_CARRY);
  c->poison = term_symbol_fresh(m->tt, "poisoned", SORT_INT, SYMBOL_CARRY);
  mlir_element_range(m->tt, c->value, mlir_type(m, element));
  term_symbol_range(m->tt, c->poison, m->tt->zero, m->tt->one);
  for (uint32_t i = 0; i < rank; i++) c->place[i] = place[i];
  return c;
}

/* A variable before an iteration; a memref is the same in all of them. */
static bool enter_variable(Loop *l, const MlirValue *init, MlirValue *out) {
  *out = *init;
  if (init->kind == MLIR_MEMREF) return true;
  if (init->kind != MLIR_SCALAR && init->kind != MLIR_TENSOR) return false;
  if (init->kind == MLIR_TENSOR) *out = mlir_tensor_new(l->m, init->element, init->rank, init->extent);
  Carried *c = add_carried(l, init->element, init->kind == MLIR_TENSOR ? init->rank : 0, out->index);
  if (!c) return false;
  c->init = init->kind == MLIR_TENSOR ? mlir_element(l->m, init, out->index) : init->cell;
  out->cell = carried_read(l->m->tt, c, out->index);
  return true;
}

static bool same_memref(const MlirValue *a, const MlirValue *b) {
  if (a->block != b->block || a->offset != b->offset || a->rank != b->rank) return false;
  for (uint32_t k = 0; k < a->rank; k++)
    if (a->extent[k] != b->extent[k] || a->stride[k] != b->stride[k]) return false;
  return true;
}

/* Where the value is another than the one before, which `state` stands for; the value there. */
static void split(Mlir *m, Term value, Term state, Term *guard, Term *written) {
  TermTable *tt = m->tt;
  *guard = value == state ? tt->false_ : tt->true_, *written = value;
  if (value == state || term_kind(tt, value) != TERM_SELECT) return;
  Term c = term_arg(tt, value, 0), guards[2], values[2];
  split(m, term_arg(tt, value, 1), state, &guards[0], &values[0]);
  split(m, term_arg(tt, value, 2), state, &guards[1], &values[1]);
  if (guards[0] == tt->true_ && guards[1] == tt->true_) return;
  *guard = term_or(tt, term_and(tt, c, guards[0]), term_and(tt, term_not(tt, c), guards[1]));
  *written = guards[0] == tt->false_   ? values[1]
             : guards[1] == tt->false_ ? values[0]
                                       : term_select(tt, c, values[0], values[1]);
}

/* True if each conjunct of the guard is one of t. */
static bool implies(const TermTable *tt, Term t, Term guard) {
  uint32_t n = term_conjunct_count(tt, guard);
  for (uint32_t i = 0; i < n; i++) {
    Term own = n > 1 ? term_arg(tt, guard, i) : guard;
    bool found = t == own;
    for (uint32_t k = 0; term_kind(tt, t) == TERM_AND && k < term_count(tt, t); k++) found |= term_arg(tt, t, k) == own;
    if (!found) return false;
  }
  return true;
}

/* The condition where the guard does not hold. */
static Term outside_of(TermTable *tt, Term t, Term guard) {
  Term rest = term_assume(tt, t, term_not(tt, guard)), any = tt->false_;
  if (term_kind(tt, rest) != TERM_OR) return implies(tt, rest, guard) ? tt->false_ : rest;
  for (uint32_t i = 0; i < term_count(tt, rest); i++)
    if (!implies(tt, term_arg(tt, rest, i), guard)) any = term_or(tt, any, term_arg(tt, rest, i));
  return any;
}

static void push_writes(Mlir *m, Carried *c, MlirWrite w);

/* Where c or r: x where c, else y. As two writes, y where r and then x where c. */
static bool push_both(Mlir *m, Carried *c, MlirWrite w) {
  TermTable *tt = m->tt;
  Term first = tt->false_, condition = term_kind(tt, w.cell.value) == TERM_SELECT ? term_arg(tt, w.cell.value, 0) : 0;
  bool found = false;
  for (uint32_t i = 0; condition && term_kind(tt, w.guard) == TERM_OR && i < term_count(tt, w.guard); i++) {
    Term part = term_arg(tt, w.guard, i);
    found |= part == condition;
    if (part != condition) first = term_or(tt, first, part);
  }
  if (!found) return false;
  MlirWrite x = w, y = w;
  x.guard = condition, x.cell.value = term_arg(tt, w.cell.value, 1);
  y.guard = first, y.cell.value = term_arg(tt, w.cell.value, 2);
  x.cell.poison = term_assume(tt, w.cell.poison, x.guard), y.cell.poison = term_assume(tt, w.cell.poison, y.guard);
  return push_writes(m, c, y), push_writes(m, c, x), true;
}

static void push_writes(Mlir *m, Carried *c, MlirWrite w) {
  if (!push_both(m, c, w)) array_push(m->arena, &c->writes, w);
}

/* What the iteration makes of a tensor, as writes to part of it. */
static void leave_tensor(Mlir *m, Carried *c, Cell next) {
  TermTable *tt = m->tt;
  Cell before = carried_read(tt, c, c->place);
  MlirWrite w = {.guard = tt->true_, .cell = next};
  Term guard, value;
  split(m, next.value, before.value, &guard, &value);
  if (guard != tt->true_ && guard != tt->false_ && !c->is_bool) {
    Term kept = outside_of(tt, next.poison, guard);
    if (kept == before.poison || kept == tt->false_) {
      w.guard = guard, w.cell = (Cell){value, term_assume(tt, next.poison, guard)};
      if (kept == tt->false_ && kept != before.poison) w = (MlirWrite){.guard = tt->true_, .cell = next};
    }
  }
  if (guard == tt->false_ && next.poison == before.poison) return;
  push_writes(m, c, w);
}

static bool leave_variables(Loop *l, const LoopSpec *s, const MlirValue *variables) {
  Mlir *m = l->m;
  if (m->yield_count != s->count) return false;
  uint32_t at = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    const MlirValue *y = &m->yielded[i], *v = &variables[i];
    if (y->kind != v->kind || y->rank != v->rank) return false;
    if (y->kind == MLIR_MEMREF) {
      if (!same_memref(y, v)) return false;
      continue;
    }
    Carried *c = &l->carried[at++];
    for (uint32_t k = 0; k < y->rank; k++)
      if (y->extent[k] != v->extent[k] &&
          !(term_prove_le(m->tt, y->extent[k], v->extent[k]) && term_prove_le(m->tt, v->extent[k], y->extent[k])))
        return false;
    if (y->kind == MLIR_TENSOR)
      leave_tensor(m, c, mlir_element(m, y, c->place));
    else
      array_push(m->arena, &c->writes, (MlirWrite){.guard = m->tt->true_, .cell = y->cell});
  }
  return true;
}

/* Blocks from `first` on are of one iteration alone. */
static bool is_of_iteration(const Mlir *m, MlirRegion region, uint32_t first) {
  int64_t id;
  return region.block && term_is_int(m->tt, region.block, &id) && id >= MLIR_LOCAL + (int64_t)first;
}

Term mlir_one_block(Mlir *m, Term condition) {
  Term root = one_point_root(m->tt, condition, m->world->block);
  return root && !term_has_symbol(m->tt, root, m->world->block) ? root : 0;
}

/* What stays as it is: a write to it would be undefined. */
static bool is_of_readonly(Mlir *m, const MlirMemory *memory, const MlirWrite *w) {
  if (w->is_constant) return true;
  return w->region.block && term_is_rat(m->tt, w->region.block) &&
         mlir_memory_any(m->world, &memory->readonly, w->region.block) == m->tt->true_;
}

/* True if what is written later, to a block that is not known, may be to the block of that write. */
static bool is_covered(Mlir *m, const MlirSpace *s, uint32_t number) {
  Term block = s->writes.data[number].region.block;
  bool covered = false;
  for (uint32_t i = number + 1; i < s->writes.count && !covered; i++) {
    const MlirWrite *w = &s->writes.data[i];
    if (w->is_constant || (w->region.block && term_is_rat(m->tt, w->region.block))) continue;
    covered = term_replace(m->tt, w->guard, m->world->block, block) != m->tt->false_;
  }
  return covered;
}

/* Nothing that it holds is poison: then no iteration finds any, if none writes any. */
static bool is_clean(const TermTable *tt, const MlirSpace *s) {
  bool clean = !s->poison;
  for (uint32_t i = 0; i < s->writes.count && clean; i++) clean = s->writes.data[i].cell.poison == tt->false_;
  return clean;
}

static void enter_memory(Loop *l, const MlirMemory *outer, MlirMemory *inner) {
  Mlir *m = l->m;
  Term place[2] = {m->world->block, m->world->place};
  *inner = (MlirMemory){0};
  for (uint32_t i = 0; i < outer->dead.count; i++) array_push(m->arena, &inner->dead, outer->dead.data[i]);
  for (uint32_t i = 0; i < outer->readonly.count; i++) array_push(m->arena, &inner->readonly, outer->readonly.data[i]);
  for (uint32_t i = 0; i < outer->spaces.count; i++) {
    MlirSpace own = {.type = outer->spaces.data[i].type, .element = outer->spaces.data[i].element};
    Carried *c = add_carried(l, own.element, 2, place);
    if (!c) continue;
    c->space = &outer->spaces.data[i];
    c->is_clean = l->is_clean && is_clean(m->tt, c->space);
    own.memory = c->value, own.poison = c->is_clean ? 0 : c->poison;
    for (uint32_t k = 0; k < c->space->writes.count; k++) {
      MlirWrite w = c->space->writes.data[k];
      if (!is_of_readonly(m, outer, &w) || (!w.is_constant && is_covered(m, c->space, k))) continue;
      w.is_constant = true;
      array_push(m->arena, &own.writes, w);
    }
    array_push(m->arena, &inner->spaces, own);
  }
}

/* What was written of each memory; a block that was freed, or may not be written to any more, is one of the iteration
 * alone. */
static bool leave_memory(Loop *l, const MlirMemory *outer, const MlirMemory *inner, uint32_t first_local,
                         uint32_t first_space) {
  Mlir *m = l->m;
  if (inner->spaces.count != outer->spaces.count) return false;
  for (uint32_t i = outer->dead.count; i < inner->dead.count; i++) {
    Term block = mlir_one_block(m, inner->dead.data[i]);
    if (!is_of_iteration(m, (MlirRegion){block, 0, 0}, first_local)) return false;
  }
  for (uint32_t i = outer->readonly.count; i < inner->readonly.count; i++) {
    Term block = mlir_one_block(m, inner->readonly.data[i]);
    if (!is_of_iteration(m, (MlirRegion){block, 0, 0}, first_local)) return false;
  }
  for (uint32_t i = 0; i < inner->spaces.count; i++) {
    Carried *c = &l->carried[first_space + i];
    if (l->is_clean && is_clean(m->tt, c->space) && !is_clean(m->tt, &inner->spaces.data[i]))
      return l->is_dirty = true, false;
    for (uint32_t k = 0; k < inner->spaces.data[i].writes.count; k++) {
      MlirWrite w = inner->spaces.data[i].writes.data[k];
      if (!w.is_constant && !is_of_iteration(m, w.region, first_local)) array_push(m->arena, &c->writes, w);
    }
  }
  return true;
}

static void put_memory(Loop *l, uint32_t first_space) {
  Mlir *m = l->m;
  for (uint32_t i = first_space; i < l->count; i++) {
    Carried *c = &l->carried[i];
    MlirSpace *space = &m->memory.spaces.data[i - first_space];
    for (uint32_t k = 0; k < c->done.count; k++) {
      MlirWrite w = c->done.data[k];
      w.guard = carried_guard(l, c, w.guard);
      w.cell.value = term_replace(m->tt, w.cell.value, l->steps, l->trips);
      w.cell.poison = term_replace(m->tt, w.cell.poison, l->steps, l->trips);
      mlir_write(m, space, w);
    }
  }
}

static void put_variables(Loop *l, const LoopSpec *s, MlirValue *out) {
  Mlir *m = l->m;
  uint32_t at = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    out[i] = s->init[i];
    if (out[i].kind == MLIR_MEMREF) continue;
    const Carried *c = &l->carried[at++];
    if (out[i].kind == MLIR_TENSOR) out[i] = mlir_tensor_new(m, c->element, s->init[i].rank, s->init[i].extent);
    out[i].cell = carried_after(l, c, out[i].index, l->trips);
  }
}

/* An iteration that is undefined makes all of it so: what holds where it is not is known of each, and of the last. */
static void add_own_facts(Loop *l, Term undefined) {
  TermTable *tt = l->m->tt;
  Term last = term_sub(tt, l->trips, tt->one);
  bool several = term_kind(tt, undefined) == TERM_OR;
  for (uint32_t i = 0; i < (several ? term_count(tt, undefined) : 1); i++) {
    Term own = several ? term_arg(tt, undefined, i) : undefined;
    mlir_push_fact(tt, term_not(tt, own));
    bool varies = term_node(tt, own)->flags & TERM_HAS_READ; /* what is read may be another value then */
    if (!varies && term_has_symbol(tt, own, l->counter))
      mlir_push_fact(tt, term_not(tt, term_replace(tt, own, l->counter, last)));
  }
}

static bool run_closed(Mlir *m, const LoopSpec *s, bool is_clean, MlirValue *out, bool *is_dirty) {
  TermTable *tt = m->tt;
  Loop *l = arena_new(m->arena, Loop);
  *l = (Loop){.m = m, .trips = s->trips, .is_parallel = s->is_parallel, .is_clean = is_clean};
  l->is_reduction = s->is_reduction;
  l->carried = arena_array(m->arena, Carried, MOST_CARRIED);
  l->counter = term_symbol_fresh(tt, "t", SORT_INT, SYMBOL_COUNTER);
  term_symbol_range(tt, l->counter, tt->zero, term_sub(tt, s->trips, tt->one));
  l->steps = term_symbol_fresh(tt, "n", SORT_INT, SYMBOL_INDEX);
  term_symbol_range(tt, l->steps, tt->zero, s->trips);
  MlirValue *variables = arena_array(m->arena, MlirValue, s->count + 1);
  for (uint32_t i = 0; i < s->count; i++)
    if (!enter_variable(l, &s->init[i], &variables[i])) return mlir_unsupported(m, s->op);
  MlirMemory outer = m->memory;
  uint32_t first_local = m->run->locals.count, first_space = l->count, calls = m->run->calls.count;
  if (l->count + outer.spaces.count > MOST_CARRIED) return mlir_unsupported(m, s->op);
  enter_memory(l, &outer, &m->memory);
  Term path = m->path, ub = m->ub;
  m->path = tt->true_, m->ub = tt->false_;
  m->in_loop++;
  uint32_t facts = tt->facts.count; /* of an iteration that there is */
  mlir_push_some(tt, s->trips), mlir_push_consequences(tt, tt->true_);
  bool good = s->body(m, s->op, l->counter, variables, s->payload);
  m->in_loop--;
  MlirMemory inner = m->memory;
  Term own = m->ub;
  m->path = path, m->ub = ub, m->memory = outer;
  uint32_t iteration = tt->facts.count;
  if (good) add_own_facts(l, own);
  good = good && m->run->calls.count == calls && leave_variables(l, s, variables) &&
         leave_memory(l, &outer, &inner, first_local, first_space) && carried_close(l);
  term_pop_facts(tt, iteration); /* which would say that it is defined */
  good = good && carried_resolve(l, NULL, &own);
  term_pop_facts(tt, facts);
  *is_dirty = l->is_dirty;
  if (!good) return mlir_stop(m, s->op, REASON_LOOP_MEMORY, "what this loop carries has no closed form");
  if (l->may_race)
    return mlir_stop(m, s->op, REASON_LOOP_MEMORY, "iterations of this parallel loop may meet in memory");
  mlir_undefined(m, mlir_any(m, 1, &l->counter, &l->trips, own));
  put_variables(l, s, out);
  put_memory(l, first_space);
  return true;
}

static void restore(Mlir *m, const Mlir *before, const MlirRun *run) {
  uint32_t unrolled = m->unrolled;
  *m = *before, *m->run = *run;
  m->unrolled = unrolled;
}

bool mlir_run_loop(Mlir *m, const LoopSpec *s, MlirValue *out) {
  int64_t trips;
  bool known = term_is_int(m->tt, s->trips, &trips);
  bool may_unroll = known && (!s->is_parallel || trips <= 1); /* in order, no iteration is seen to meet another */
  m->run->has_loops = true, m->run->has_parallel |= s->is_parallel;
  if (known && trips <= 0) return unroll(m, s, 0, out);
  if (known && m->flags.unrolls)
    return trips <= MLIR_UNROLL * 64 ? unroll(m, s, trips, out) : mlir_unsupported(m, s->op);
  if (may_unroll && m->flags.unrolls_few && trips <= FEW) return unroll(m, s, trips, out);
  Mlir before = *m;
  MlirRun run = *m->run;
  bool is_dirty = false;
  if (run_closed(m, s, true, out, &is_dirty)) return true;
  if (is_dirty) {
    restore(m, &before, &run);
    if (run_closed(m, s, false, out, &is_dirty)) return true;
  }
  if (!may_unroll || trips > MLIR_UNROLL) return false;
  restore(m, &before, &run);
  return unroll(m, s, trips, out);
}

/* ---- scf.for, affine.for ---- */

typedef struct Counted {
  Term lower, step;
  TypeId type;
} Counted;

static bool counted_body(Mlir *m, const Op *op, Term iteration, const MlirValue *variables, void *payload) {
  const Counted *c = payload;
  TermTable *tt = m->tt;
  MlirValue arguments[MOST_VARIABLES + 1];
  uint32_t count = op->result_count;
  Term at = term_add(tt, c->lower, term_mul(tt, iteration, c->step));
  arguments[0] = mlir_scalar((Cell){at, tt->false_}, c->type);
  for (uint32_t i = 0; i < count; i++) arguments[i + 1] = variables[i];
  return run_iteration(m, op, arguments, count + 1);
}

/* Iterations from `lower` below `upper`; a step that is not positive is undefined. */
static Term trips_of(Mlir *m, Term lower, Term upper, Term step) {
  TermTable *tt = m->tt;
  mlir_undefined(m, term_le(tt, step, tt->zero));
  Term span = term_sub(tt, upper, lower);
  if (term_kind(tt, upper) == TERM_MIN && lower != tt->zero) { /* the least of the distances, as of tiles */
    span = term_sub(tt, term_arg(tt, upper, 0), lower);
    for (uint32_t i = 1; i < term_count(tt, upper); i++)
      span = term_min(tt, span, term_sub(tt, term_arg(tt, upper, i), lower));
  }
  return term_max(tt, tt->zero, step == tt->one ? span : term_cdiv(tt, span, step));
}

static bool counted_loop(Mlir *m, const Op *op, Term lower, Term upper, Term step, TypeId type, uint32_t first) {
  LoopSpec *s = arena_new(m->arena, LoopSpec);
  Counted counted = {lower, step, type};
  MlirValue out[MOST_VARIABLES];
  if (op->result_count > MOST_VARIABLES || op->result_count > 16 || op->operand_count != first + op->result_count)
    return mlir_unsupported(m, op);
  *s = (LoopSpec){.op = op, .count = op->result_count, .body = counted_body, .payload = &counted};
  s->trips = trips_of(m, lower, upper, step);
  for (uint32_t i = 0; i < s->count; i++) s->init[i] = *mlir_operand(m, op, first + i);
  if (!mlir_run_loop(m, s, out)) return false;
  for (uint32_t i = 0; i < s->count; i++) mlir_set(m, op, i, out[i]);
  return true;
}

bool mlir_for(Mlir *m, const Op *op) {
  if (op->operand_count < 3 || program_op_attr(m->p, op, "unsignedCmp")) return mlir_unsupported(m, op);
  Term lower = mlir_size_operand(m, op, 0), upper = mlir_size_operand(m, op, 1), step = mlir_size_operand(m, op, 2);
  return counted_loop(m, op, lower, upper, step, program_get_value(m->p, op->operands[0])->type, 3);
}

/* How many operands a map has; -1: there is none. */
static int64_t operands_of(const Mlir *m, const Op *op, const char *name) {
  AttrId id = program_op_attr(m->p, op, name);
  const AffineMap *map = id ? program_get_attr(m->p, id)->map : NULL;
  return map ? (int64_t)map->dims + map->symbols : -1;
}

/* The bounds of so many loops: of each the greatest (least) of as many results as `sizes` says of a map of the operands
 * from `first` on; NULL: of all. */
static bool bounds_of(Mlir *m, const Op *op, const char *name, uint32_t first, bool greatest, uint32_t loops,
                      const int64_t *sizes, Term *out) {
  TermTable *tt = m->tt;
  AttrId id = program_op_attr(m->p, op, name);
  const AffineMap *map = id ? program_get_attr(m->p, id)->map : NULL;
  uint32_t count = map ? map->dims + map->symbols : 0, next = 0;
  if (!map || first + count > op->operand_count) return false;
  Term *in = arena_array(m->arena, Term, count + 1), leaves;
  for (uint32_t i = 0; i < count; i++) in[i] = mlir_size_operand(m, op, first + i);
  if (!mlir_need_divisions(m, map, in, in + map->dims, &leaves)) return false;
  for (uint32_t k = 0; k < loops; k++) {
    int64_t size = sizes ? sizes[k] : map->result_count;
    if (size < 1 || size > map->result_count - next) return false;
    for (int64_t i = 0; i < size; i++) {
      Term t = mlir_affine(tt, map, map->results[next++], in, in + map->dims);
      out[k] = !i ? t : greatest ? term_max(tt, out[k], t) : term_min(tt, out[k], t);
      leaves = term_or(tt, leaves, mlir_leaves_index(tt, t));
    }
  }
  mlir_undefined(m, leaves);
  return next == map->result_count;
}

bool mlir_affine_for(Mlir *m, const Op *op) {
  int64_t counts[3];
  Term lower, upper;
  if (mlir_integers(m, program_op_attr(m->p, op, "operandSegmentSizes"), counts, 3) != 3 || counts[0] < 0 ||
      counts[1] < 0 || counts[0] + counts[1] > op->operand_count)
    return mlir_unsupported(m, op);
  uint32_t first = (uint32_t)(counts[0] + counts[1]);
  if (operands_of(m, op, "lowerBoundMap") != counts[0] || operands_of(m, op, "upperBoundMap") != counts[1] ||
      !bounds_of(m, op, "lowerBoundMap", 0, true, 1, NULL, &lower) ||
      !bounds_of(m, op, "upperBoundMap", (uint32_t)counts[0], false, 1, NULL, &upper))
    return mlir_unsupported(m, op);
  Term step = term_int(m->tt, program_op_int(m->p, op, "step", 1));
  return counted_loop(m, op, lower, upper, step, 0, first);
}

/* ---- scf.parallel, affine.parallel: one loop inside of another ---- */

typedef struct Nest {
  uint32_t dim, count;
  Term lower[MLIR_RANK], upper[MLIR_RANK], step[MLIR_RANK], at[MLIR_RANK];
  bool (*body)(Mlir *m, const Op *op, const Term *at, const MlirValue *variables, void *payload);
  void *payload;
  const LoopSpec *outer;
  const char *what[MOST_VARIABLES]; /* that the results are reductions by */
} Nest;

static bool run_nest(Mlir *m, const LoopSpec *outer, const MlirValue *variables, Nest *n, MlirValue *out);

static bool nest_body(Mlir *m, const Op *op, Term iteration, const MlirValue *variables, void *payload) {
  Nest inner = *(const Nest *)payload;
  TermTable *tt = m->tt;
  MlirValue out[MOST_VARIABLES];
  inner.at[inner.dim] = term_add(tt, inner.lower[inner.dim], term_mul(tt, iteration, inner.step[inner.dim]));
  inner.dim++;
  if (inner.dim == inner.count) return inner.body(m, op, inner.at, variables, inner.payload);
  if (!run_nest(m, inner.outer, variables, &inner, out)) return false;
  m->yield_count = inner.outer->count;
  memcpy(m->yielded, out, inner.outer->count * sizeof *out);
  return true;
}

static bool run_nest(Mlir *m, const LoopSpec *outer, const MlirValue *variables, Nest *n, MlirValue *out) {
  LoopSpec *s = arena_new(m->arena, LoopSpec);
  *s = *outer;
  s->body = nest_body, s->payload = n;
  n->outer = outer;
  memcpy(s->init, variables, outer->count * sizeof *variables);
  s->trips = trips_of(m, n->lower[n->dim], n->upper[n->dim], n->step[n->dim]);
  return mlir_run_loop(m, s, out);
}

/* The order of the iterations is open: what they yield is combined by an operation that takes any. */
static bool plain_body(Mlir *m, const Op *op, const Term *at, const MlirValue *variables, void *payload) {
  const Nest *n = payload;
  MlirValue arguments[MLIR_RANK];
  for (uint32_t i = 0; i < n->count; i++) arguments[i] = mlir_scalar((Cell){at[i], m->tt->false_}, 0);
  if (!run_iteration(m, op, arguments, n->count)) return false;
  if (m->yield_count != op->result_count) return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < op->result_count; i++) {
    MlirValue *v = &m->yielded[i];
    if (v->kind != MLIR_SCALAR || variables[i].kind != MLIR_SCALAR) return mlir_unsupported(m, op);
    v->cell = mlir_combine(m, n->what[i], v->element, variables[i].cell, v->cell);
    if (!v->cell.value) return mlir_unsupported(m, op);
  }
  return true;
}

static bool run_plain_nest(Mlir *m, const Op *op, Nest *n, const MlirValue *init) {
  LoopSpec outer = {.op = op, .count = op->result_count, .is_parallel = true, .is_reduction = true};
  MlirValue out[MOST_VARIABLES] = {{0}};
  n->body = plain_body, n->payload = n;
  if (!n->count || op->result_count > 16 || !run_nest(m, &outer, init, n, out)) return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < op->result_count; i++) mlir_set(m, op, i, out[i]);
  return true;
}

static TypeId result_type_at(const Mlir *m, const Op *op, uint32_t i) {
  return program_get_value(m->p, op->first_result + i)->type;
}

/* Sums and products of floats depend on the order, unless that is given up. */
static bool takes_any_order(const Mlir *m, const char *what, TypeId type) {
  return !mlir_is_float(m, type) || !strcmp(what, "max") || !strcmp(what, "min") || m->flags.reassociate ||
         m->flags.real;
}

/* What a region of scf.reduce computes of its two arguments; NULL: something else. */
static const char *reduction_of(const Mlir *m, const Op *reduce, uint32_t i) {
  static const char *const names[][2] = {{"addi", "add"},    {"muli", "mul"},   {"maxsi", "max"}, {"minsi", "min"},
                                         {"maxui", "maxu"},  {"minui", "minu"}, {"andi", "andi"}, {"ori", "ori"},
                                         {"xori", "xori"},   {"addf", "add"},   {"mulf", "mul"},  {"maximumf", "max"},
                                         {"minimumf", "min"}};
  const Region *region = program_get_region(m->p, reduce->regions[i]);
  const Block *b = region->blocks.count == 1 ? program_get_block(m->p, region->blocks.data[0]) : NULL;
  if (!b || b->arg_count != 2 || b->ops.count != 2) return NULL;
  const Op *op = program_get_op(m->p, b->ops.data[0]), *end = program_get_op(m->p, b->ops.data[1]);
  const char *name = intern_string(m->p->names, op->name);
  if (op->operand_count != 2 || op->result_count != 1 || end->operand_count != 1 ||
      end->operands[0] != op->first_result || op->operands[0] + op->operands[1] != 2 * b->first_arg + 1 ||
      (op->operands[0] != b->first_arg && op->operands[1] != b->first_arg) || strncmp(name, "arith.", 6) != 0)
    return NULL;
  static const char *const flags[] = {"nsw", "nuw", "nnan", "ninf", "fast"};
  for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
    if (mlir_has_flag(m, op, flags[k])) return NULL;
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (!strcmp(names[k][0], name + 6)) return names[k][1];
  return NULL;
}

static bool read_reductions(const Mlir *m, const Op *op, Nest *n) {
  const Region *region = program_get_region(m->p, op->regions[0]);
  const Block *b = region->blocks.count == 1 ? program_get_block(m->p, region->blocks.data[0]) : NULL;
  const Op *reduce = b && b->ops.count ? program_get_op(m->p, b->ops.data[b->ops.count - 1]) : NULL;
  if (!op->result_count) return true;
  if (op->result_count > 16 || !reduce || reduce->region_count != op->result_count) return false;
  for (uint32_t i = 0; i < op->result_count; i++) {
    n->what[i] = reduction_of(m, reduce, i);
    if (!n->what[i] || !takes_any_order(m, n->what[i], result_type_at(m, op, i))) return false;
  }
  return true;
}

bool mlir_parallel(Mlir *m, const Op *op) {
  Nest n = {0};
  MlirValue init[MOST_VARIABLES];
  uint32_t bounds = op->operand_count - op->result_count;
  n.count = bounds / 3;
  if (op->operand_count < op->result_count || bounds != 3 * n.count || n.count > MLIR_RANK ||
      !read_reductions(m, op, &n))
    return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < n.count; i++) {
    n.lower[i] = mlir_size_operand(m, op, i), n.upper[i] = mlir_size_operand(m, op, n.count + i);
    n.step[i] = mlir_size_operand(m, op, 2 * n.count + i);
  }
  for (uint32_t i = 0; i < op->result_count; i++) init[i] = *mlir_operand(m, op, bounds + i);
  return run_plain_nest(m, op, &n, init);
}

/* The reductions of affine.parallel, which have no initial value but what changes nothing. */
static bool affine_reductions(Mlir *m, const Op *op, Nest *n, MlirValue *init) {
  static const struct {
    const char *what;
    bool is_float;
    int start; /* 2, 3: the least, the greatest; 4: all bits */
  } kinds[] = {{"add", true, 0},   {"add", false, 0}, {NULL, false, 0},  {"max", true, 2},   {"max", false, 2},
               {"maxu", false, 0}, {"min", true, 3},  {"min", false, 3}, {"minu", false, 4}, {"mul", true, 1},
               {"mul", false, 1},  {"ori", false, 0}, {"andi", false, 4}};
  TermTable *tt = m->tt;
  int64_t numbers[16], most = sizeof kinds / sizeof *kinds;
  if (!op->result_count) return true;
  if (op->result_count > 16 ||
      mlir_integers(m, program_op_attr(m->p, op, "reductions"), numbers, 16) != op->result_count)
    return false;
  for (uint32_t i = 0; i < op->result_count; i++) {
    TypeId type = result_type_at(m, op, i);
    bool is_float = mlir_is_float(m, type);
    if (numbers[i] < 0 || numbers[i] >= most || !kinds[numbers[i]].what || is_float != kinds[numbers[i]].is_float ||
        (!is_float && mlir_width(m, type) == 1) || !takes_any_order(m, kinds[numbers[i]].what, type))
      return false;
    n->what[i] = kinds[numbers[i]].what;
    int start = kinds[numbers[i]].start;
    double ends[2] = {-INFINITY, INFINITY};
    Term half = is_float ? 0 : term_new_rat(tt, (Rational){(Int128)1 << (mlir_width(m, type) - 1), 1});
    Term value = is_float ? floats_constant(&m->floats, mlir_type(m, type)->format, start < 2 ? start : ends[start - 2])
                 : start == 2 ? term_neg(tt, half)
                 : start == 3 ? term_sub(tt, half, tt->one)
                              : term_int(tt, start == 4 ? -1 : start);
    init[i] = mlir_scalar((Cell){value, tt->false_}, type);
  }
  return true;
}

bool mlir_affine_parallel(Mlir *m, const Op *op) {
  static const char *const names[2][2] = {{"lowerBoundsMap", "lowerBoundsGroups"},
                                          {"upperBoundsMap", "upperBoundsGroups"}};
  int64_t steps[MLIR_RANK], sizes[MLIR_RANK], first = 0;
  Nest n = {0};
  MlirValue init[MOST_VARIABLES];
  n.count = mlir_integers(m, program_op_attr(m->p, op, "steps"), steps, MLIR_RANK);
  if (n.count == UINT32_MAX) return mlir_unsupported(m, op);
  for (int i = 0; i < 2; i++) {
    int64_t operands = operands_of(m, op, names[i][0]);
    if (operands < 0 || mlir_integers(m, program_op_attr(m->p, op, names[i][1]), sizes, MLIR_RANK) != n.count ||
        !bounds_of(m, op, names[i][0], (uint32_t)first, !i, n.count, sizes, i ? n.upper : n.lower))
      return mlir_unsupported(m, op);
    first += operands;
  }
  for (uint32_t k = 0; k < n.count; k++) n.step[k] = term_int(m->tt, steps[k]);
  if (first != op->operand_count || !affine_reductions(m, op, &n, init)) return mlir_unsupported(m, op);
  return run_plain_nest(m, op, &n, init);
}

/* ---- scf.forall: outputs that iterations share, each of which inserts its part ---- */

static bool forall_body(Mlir *m, const Op *op, const Term *at, const MlirValue *variables, void *payload) {
  const Nest *n = payload;
  const Block *block = program_get_block(m->p, program_get_region(m->p, op->regions[0])->blocks.data[0]);
  MlirValue arguments[MLIR_RANK + MOST_VARIABLES];
  for (uint32_t i = 0; i < n->count; i++) arguments[i] = mlir_scalar((Cell){at[i], m->tt->false_}, 0);
  for (uint32_t i = 0; i < op->result_count; i++) arguments[n->count + i] = variables[i];
  if (!run_iteration(m, op, arguments, n->count + op->result_count)) return false;
  m->yield_count = op->result_count;
  for (uint32_t i = 0; i < op->result_count; i++) m->yielded[i] = m->values[block->first_arg + n->count + i];
  return true;
}

bool mlir_in_parallel(Mlir *m, const Op *op) { return mlir_run_region(m, op, 0, NULL, 0); }

/* tensor.insert_slice, whose result takes the place of the shared output. */
bool mlir_parallel_insert(Mlir *m, const Op *op) {
  Op insert = *op;
  insert.result_count = 1, insert.first_result = op->operands[1];
  return mlir_insert_slice(m, &insert);
}

static bool mixed_bounds(Mlir *m, const Op *op, const char *name, uint32_t count, uint32_t *next, Term *out) {
  int64_t numbers[MLIR_RANK];
  if (mlir_integers(m, program_op_attr(m->p, op, name), numbers, MLIR_RANK) != count) return false;
  for (uint32_t i = 0; i < count; i++) {
    if (numbers[i] == TYPE_DYNAMIC && *next >= op->operand_count) return false;
    out[i] = numbers[i] == TYPE_DYNAMIC ? mlir_size_operand(m, op, (*next)++) : term_int(m->tt, numbers[i]);
  }
  return true;
}

bool mlir_forall(Mlir *m, const Op *op) {
  int64_t numbers[MLIR_RANK];
  Nest n = {.body = forall_body};
  uint32_t next = 0;
  MlirValue variables[MOST_VARIABLES], out[MOST_VARIABLES];
  n.count = mlir_integers(m, program_op_attr(m->p, op, "staticUpperBound"), numbers, MLIR_RANK);
  if (!n.count || !mixed_bounds(m, op, "staticLowerBound", n.count, &next, n.lower) ||
      !mixed_bounds(m, op, "staticUpperBound", n.count, &next, n.upper) ||
      !mixed_bounds(m, op, "staticStep", n.count, &next, n.step) || op->result_count > 16 ||
      next + op->result_count != op->operand_count)
    return mlir_unsupported(m, op);
  n.payload = &n;
  LoopSpec outer = {.op = op, .count = op->result_count, .is_parallel = true};
  for (uint32_t i = 0; i < op->result_count; i++) variables[i] = *mlir_operand(m, op, next + i);
  if (!run_nest(m, &outer, variables, &n, out)) return false;
  for (uint32_t i = 0; i < op->result_count; i++) mlir_set(m, op, i, out[i]);
  return true;
}

bool mlir_execute_region(Mlir *m, const Op *op) {
  if (!mlir_run_region(m, op, 0, NULL, 0)) return false;
  if (m->yield_count != op->result_count) return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < op->result_count; i++) mlir_set(m, op, i, m->yielded[i]);
  return true;
}
