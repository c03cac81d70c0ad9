/* Calls, branches of scf.if, affine.apply. A call of a function with a body is executed in its place; of a declared
 * one it is an unknown function of its arguments, elements of tensors included. */
#include "mlir/internal.h"

bool mlir_return(Mlir *m, const Op *op) {
  m->yield_count = 0;
  if (op->operand_count > sizeof m->yielded / sizeof *m->yielded) return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < op->operand_count; i++) m->yielded[m->yield_count++] = *mlir_operand(m, op, i);
  return true;
}

bool mlir_affine_apply(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  const AffineMap *map = program_get_attr(m->p, program_op_attr(m->p, op, "map"))->map;
  const char *name = intern_string(m->p->names, op->name);
  if (!map || map->dims + map->symbols != op->operand_count || !map->result_count) return mlir_unsupported(m, op);
  Term *in = arena_array(m->arena, Term, op->operand_count + 1), poison = tt->false_, value = 0, leaves;
  for (uint32_t i = 0; i < op->operand_count; i++)
    in[i] = mlir_operand(m, op, i)->cell.value, poison = term_or(tt, poison, mlir_operand(m, op, i)->cell.poison);
  Term ub = m->ub;
  if (!mlir_need_divisions(m, map, in, in + map->dims, &leaves)) return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < op->operand_count && m->ub != ub; i++) mlir_size_operand(m, op, i);
  for (uint32_t i = 0; i < map->result_count; i++) {
    Term t = mlir_affine(tt, map, map->results[i], in, in + map->dims);
    leaves = term_or(tt, leaves, mlir_leaves_index(tt, t)), t = mlir_wrap_index(tt, t);
    value = !value ? t : strstr(name, "min") ? term_min(tt, value, t) : term_max(tt, value, t);
  }
  poison = term_or(tt, poison, leaves);
  mlir_set(m, op, 0, mlir_scalar((Cell){value, poison}, program_get_value(m->p, op->first_result)->type));
  return true;
}

static Term select_term(TermTable *tt, Term c, Term a, Term b) { return a == b ? a : term_select(tt, c, a, b); }

MlirValue mlir_choose_memref(Mlir *m, Term c, const MlirValue *a, const MlirValue *b) {
  MlirValue v = *a;
  for (uint32_t k = 0; k < a->rank; k++) {
    v.extent[k] = select_term(m->tt, c, a->extent[k], b->extent[k]);
    v.stride[k] = select_term(m->tt, c, a->stride[k], b->stride[k]);
  }
  v.block = select_term(m->tt, c, a->block, b->block), v.offset = select_term(m->tt, c, a->offset, b->offset);
  v.base = a->base && b->base ? select_term(m->tt, c, a->base, b->base) : 0;
  v.is_loose = a->is_loose || b->is_loose;
  if (a->region.block != b->region.block || a->region.begin != b->region.begin || a->region.end != b->region.end) {
    v.region = (MlirRegion){v.block, 0, 0};
    if (a->region.end && b->region.end && a->region.block == a->block && b->region.block == b->block) {
      v.region.begin = select_term(m->tt, c, a->region.begin, b->region.begin);
      v.region.end = select_term(m->tt, c, a->region.end, b->region.end);
    }
  }
  return v;
}

/* Extents that differ would need a tensor of either shape: they are chosen as well. */
bool mlir_join(Mlir *m, Term condition, const MlirValue *a, const MlirValue *b, MlirValue *out) {
  MlirValue v = *a;
  Term extents[MLIR_RANK];
  if (a->kind != b->kind || a->rank != b->rank) return false;
  if (a->kind == MLIR_SCALAR) {
    v.cell = mlir_choose(m, condition, a->cell, b->cell);
    return *out = v, true;
  }
  if (a->kind == MLIR_MEMREF) return *out = mlir_choose_memref(m, condition, a, b), true;
  for (uint32_t i = 0; i < a->rank; i++)
    extents[i] =
        a->extent[i] == b->extent[i] ? a->extent[i] : term_select(m->tt, condition, a->extent[i], b->extent[i]);
  v = mlir_tensor_new(m, a->element, a->rank, extents);
  v.cell = mlir_choose(m, condition, mlir_element(m, a, v.index), mlir_element(m, b, v.index));
  return *out = v, true;
}

/* The regions under conditions of which one holds, and what they yield. `count` regions; the last one's condition is
 * not looked at. */
static bool choose_region(Mlir *m, const Op *op, uint32_t count, const Term *conditions, const uint32_t *regions) {
  TermTable *tt = m->tt;
  MlirValue results[16];
  Term before = m->path, rest = tt->true_;
  if (op->result_count > 16) return mlir_unsupported(m, op);
  MlirValue *all = arena_array(m->arena, MlirValue, count * (op->result_count + 1));
  for (uint32_t k = 0; k < count; k++) {
    const Region *region = program_get_region(m->p, op->regions[regions[k]]);
    m->yield_count = 0;
    m->path = term_and(tt, before, k + 1 < count ? term_and(tt, rest, conditions[k]) : rest);
    if (region->blocks.count && !mlir_run_region(m, op, regions[k], NULL, 0)) return false;
    m->path = before;
    if (m->yield_count != op->result_count) return mlir_unsupported(m, op);
    memcpy(all + k * op->result_count, m->yielded, sizeof *m->yielded * op->result_count);
    if (k + 1 < count) rest = term_and(tt, rest, term_not(tt, conditions[k]));
  }
  for (uint32_t i = 0; i < op->result_count; i++) {
    results[i] = all[(count - 1) * op->result_count + i];
    for (uint32_t k = count - 1; k-- > 0;) {
      const MlirValue *own = &all[k * op->result_count + i];
      if (!mlir_join(m, conditions[k], own, &results[i], &results[i])) return mlir_unsupported(m, op);
    }
    mlir_set(m, op, i, results[i]);
  }
  return true;
}

bool mlir_if(Mlir *m, const Op *op) {
  MlirValue *condition = mlir_operand(m, op, 0);
  if (op->region_count != 2) return mlir_unsupported(m, op);
  mlir_undefined_at(m, condition->cell);
  Term c = mlir_as_bool(m->tt, condition->cell.value);
  return choose_region(m, op, 2, &c, (uint32_t[]){0, 1});
}

bool mlir_affine_if(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  const AffineMap *set = program_get_attr(m->p, program_op_attr(m->p, op, "condition"))->map;
  if (op->region_count != 2 || !set || !set->equal || set->dims + set->symbols != op->operand_count)
    return mlir_unsupported(m, op);
  Term *in = arena_array(m->arena, Term, op->operand_count + 1), c = tt->true_, leaves;
  for (uint32_t i = 0; i < op->operand_count; i++) in[i] = mlir_size_operand(m, op, i);
  if (!mlir_need_divisions(m, set, in, in + set->dims, &leaves)) return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < set->result_count; i++) {
    Term t = mlir_affine(tt, set, set->results[i], in, in + set->dims);
    leaves = term_or(tt, leaves, mlir_leaves_index(tt, t));
    c = term_and(tt, c, set->equal[i] ? term_eq(tt, t, tt->zero) : term_le(tt, tt->zero, t));
  }
  mlir_undefined(m, leaves);
  return choose_region(m, op, 2, &c, (uint32_t[]){0, 1});
}

/* Region 0 is the default; the others are those of `cases`, in their order. */
bool mlir_index_switch(Mlir *m, const Op *op) {
  int64_t cases[64];
  Term conditions[64];
  uint32_t regions[65], count = mlir_integers(m, program_op_attr(m->p, op, "cases"), cases, 64);
  if (op->region_count != count + 1) return mlir_unsupported(m, op);
  Term value = mlir_size_operand(m, op, 0);
  for (uint32_t k = 0; k < count; k++) {
    conditions[k] = term_eq(m->tt, value, term_int(m->tt, cases[k]));
    regions[k] = k + 1;
  }
  regions[count] = 0;
  return choose_region(m, op, count + 1, conditions, regions);
}

/* ---- calls ---- */

static const Function *find_function(const Mlir *m, Name name) {
  for (uint32_t i = 0; i < m->p->functions.count; i++)
    if (m->p->functions.data[i].name == name) return &m->p->functions.data[i];
  return NULL;
}

/* A tensor as one integer: a sum of an unknown function of place and element, so that equal ones have equal elements.
 */
static Term fingerprint(Mlir *m, const MlirValue *v, Term what) {
  TermTable *tt = m->tt;
  Term args[MLIR_RANK + 1];
  for (uint32_t i = 0; i < v->rank; i++) args[i] = v->index[i];
  args[v->rank] = mlir_as_int(tt, what);
  Term t = term_opaque(tt, intern_text(tt->names, "element"), SORT_INT, v->rank + 1, args);
  for (uint32_t i = v->rank; i-- > 0;) t = term_fold(tt, FOLD_SUM, v->index[i], tt->zero, v->extent[i], tt->true_, t);
  return t;
}

/* Of a result that is a float, the name ends with its format. */
static const char *call_name(Mlir *m, const char *callee, uint32_t result, TypeId element) {
  const char *format = mlir_is_float(m, element) ? program_float_name(mlir_type(m, element)->format) : "";
  return arena_format(m->arena, "call_%s_%u%s%s", callee, result, *format ? "." : "", format);
}

/* Calls of functions without a body are the same in both programs, one after the other. */
static void note_call(Mlir *m, const char *callee, uint32_t count, const Term *args) {
  TermTable *tt = m->tt;
  Name name = intern_text(tt->names, arena_format(m->arena, "call_%s", callee));
  Term ub = m->ub; /* of the operation that runs; those before it are steps */
  for (uint32_t i = 0; i < m->run->steps.count; i++) ub = term_or(tt, ub, m->run->steps.data[i].ub);
  array_push(m->arena, &m->run->call_ub, ub);
  array_push(m->arena, &m->run->call_memory, mlir_copy_memory(m->arena, &m->memory));
  array_push(m->arena, &m->run->call_escaped, m->run->escaped.count);
  Term call = term_opaque(tt, name, SORT_INT, count, args);
  array_push(m->arena, &m->run->calls, term_select(tt, m->path, call, tt->zero));
}

/* The sizes that --result-dims gives the result: of the argument, or of several together. */
static uint32_t given_sizes(Mlir *m, const Op *op, const char *callee, uint32_t result, uint32_t rank, Term *sizes) {
  for (uint32_t i = 0; i < m->flags.result_sizes.count; i++) {
    const MlirResultSizes *given = &m->flags.result_sizes.data[i];
    if (strcmp(given->function, callee) != 0) continue;
    uint32_t count = 0, first = given->argument[result < given->count ? result : given->count - 1];
    if (first < op->operand_count && mlir_operand(m, op, first)->rank == rank)
      return memcpy(sizes, mlir_operand(m, op, first)->extent, rank * sizeof *sizes), rank;
    for (uint32_t k = 0; k < given->count; k++) {
      if (given->argument[k] >= op->operand_count) return 0;
      const MlirValue *v = mlir_operand(m, op, given->argument[k]);
      for (uint32_t d = 0; d < v->rank && count < rank; d++) sizes[count++] = v->extent[d];
      if (v->kind == MLIR_SCALAR && count < rank) sizes[count++] = v->cell.value;
    }
    return count;
  }
  return 0;
}

/* Blocks that may be the caller's. */
static Term passed_blocks(const Mlir *m) {
  TermTable *tt = m->tt;
  Term block = m->world->block;
  return term_and(tt, term_le(tt, tt->zero, block), term_lt(tt, block, term_int(tt, MLIR_LOCAL)));
}

/* True if memory that a callee may write to may be what nobody may write to from now on. */
static bool has_readonly_memory(Mlir *m) {
  int64_t block;
  for (uint32_t i = 0; i < m->memory.readonly.count; i++) {
    Term own = mlir_one_block(m, m->memory.readonly.data[i]);
    bool is_local = own && term_is_int(m->tt, own, &block) && (block < 0 || block >= MLIR_LOCAL);
    if (!is_local || mlir_may_have_escaped(m->tt, m->run, own)) return true;
  }
  return false;
}

/* A block of its own that was passed, as callees of both sides know it. */
static Term escaped_name(Mlir *m, uint32_t number) { return term_int(m->tt, MLIR_LOCAL + (int64_t)number); }

/* From now on a space holds anything where the guard says: of a block that is called so. */
static void forget_space(Mlir *m, MlirSpace *s, const char *callee, Term guard, Term block, bool may_be_poison) {
  TermTable *tt = m->tt;
  Term args[3] = {term_int(tt, m->run->calls.count), block, m->world->place}, poison = tt->false_;
  const char *what = arena_format(m->arena, "%s_memory_%s", callee, intern_string(tt->names, s->type));
  Name name = intern_text(tt->names, call_name(m, what, 0, s->element));
  Name unset = intern_text(tt->names, arena_format(m->arena, "call_%s_poison", what));
  Term value = term_opaque(tt, name, mlir_state_sort(m, s->element), 3, args);
  if (!mlir_is_float(m, s->element)) value = mlir_truncate(m, value, mlir_width(m, s->element));
  if (may_be_poison) poison = term_opaque(tt, unset, SORT_BOOL, 3, args);
  mlir_write(m, s, (MlirWrite){.guard = guard, .cell = {value, poison}});
}

/* It may write to what the caller passed, which it may free, to globals that are not constant, and to blocks of its
 * own that it was given once: afterwards they hold anything, which is the same where both sides make the same calls
 * with the same memory (refine.c holds them against each other). What was never written to may still not be. */
static void forget_memory(Mlir *m, const char *callee) {
  TermTable *tt = m->tt;
  Term block = m->world->block, outside = term_lt(tt, block, term_int(tt, MLIR_LOCAL));
  Name free = intern_text(tt->names, call_name(m, "free", 0, 0));
  Term args[2] = {term_int(tt, m->run->calls.count), block};
  for (uint32_t i = 0; i < m->memory.spaces.count; i++) {
    MlirSpace *s = &m->memory.spaces.data[i];
    uint32_t writes = s->writes.count;
    forget_space(m, s, callee, outside, block, false);
    for (uint32_t k = 0; k < m->run->escaped.count; k++)
      forget_space(m, s, callee, term_eq(tt, block, m->run->escaped.data[k]), escaped_name(m, k), true);
    for (uint32_t k = 0; k < writes; k++)
      if (s->writes.data[k].is_constant) array_push(m->arena, &s->writes, s->writes.data[k]);
  }
  Term freed = term_eq(tt, term_opaque(tt, free, SORT_INT, 2, args), tt->zero);
  array_push(m->arena, &m->memory.dead, term_and(tt, m->path, term_and(tt, passed_blocks(m), freed)));
  for (uint32_t k = 0; k < m->run->escaped.count; k++) {
    MlirOrigin origin;
    if (!mlir_is_own_block(tt, m->run, m->run->escaped.data[k], &origin) || origin == MLIR_STACK) continue;
    args[1] = escaped_name(m, k);
    freed = term_eq(tt, term_opaque(tt, free, SORT_INT, 2, args), tt->zero);
    Term own = term_and(tt, term_eq(tt, block, m->run->escaped.data[k]), freed);
    array_push(m->arena, &m->memory.dead, term_and(tt, m->path, own));
  }
}

/* A memref as the callee sees it: of a block of its own, which of those that were passed it is, how far it goes, and
 * whether it may be freed. */
static bool memref_arguments(Mlir *m, const MlirValue *v, Term *args, uint32_t *count) {
  TermTable *tt = m->tt;
  MlirOrigin origin;
  Term block = v->block;
  if (mlir_is_own_block(tt, m->run, block, &origin)) {
    uint32_t number = mlir_escaped(m->run, block);
    if (v->is_any_layout || !v->region.end) return false;
    if (number == UINT32_MAX) {
      if (mlir_may_have_escaped(tt, m->run, block)) return false; /* on one way it has two names */
      if (m->path != tt->true_) return false; /* a callee behind the branch would know it on one way alone */
      number = m->run->escaped.count;
      array_push(m->arena, &m->run->escaped, block);
    }
    block = escaped_name(m, number);
    args[(*count)++] = v->region.end;
    args[(*count)++] = term_int(tt, origin != MLIR_STACK);
  }
  if (!v->base || term_kind(tt, block) == TERM_SELECT) return false;
  args[(*count)++] = block, args[(*count)++] = v->offset, args[(*count)++] = v->base;
  for (uint32_t k = 0; k < v->rank; k++) args[(*count)++] = v->stride[k];
  return !v->is_loose;
}

static bool call_unknown(Mlir *m, const Op *op, Name callee) {
  TermTable *tt = m->tt;
  Term args[MLIR_RANK * 8 + 2], poison = tt->false_;
  uint32_t count = 1; /* the first says which call it is: what it returns may be another value each time */
  for (uint32_t i = 0; i < op->operand_count; i++) {
    MlirValue *v = mlir_operand(m, op, i);
    if (count + 2 * v->rank + 5 > MLIR_RANK * 7 || v->kind == MLIR_NONE) return mlir_unsupported(m, op);
    for (uint32_t k = 0; k < v->rank; k++) args[count++] = v->extent[k];
    if (v->kind == MLIR_MEMREF) {
      if (!memref_arguments(m, v, args, &count)) return mlir_unsupported(m, op);
      continue;
    }
    args[count++] = v->kind == MLIR_TENSOR ? fingerprint(m, v, v->cell.value) : mlir_as_int(tt, v->cell.value);
    poison = term_or(tt, poison, mlir_any(m, v->rank, v->index, v->extent, v->cell.poison));
  }
  bool has_memory = m->memory.spaces.count > 0;
  if (has_memory && (m->in_loop || has_readonly_memory(m))) return mlir_unsupported(m, op);
  m->run->calls_unknown = true;
  mlir_undefined(m, poison); /* what a callee does with poison is not known */
  const char *name = intern_string(m->p->names, callee);
  note_call(m, name, count - 1, args + 1);
  if (has_memory) forget_memory(m, name);
  args[0] = term_int(tt, m->run->calls.count);
  for (uint32_t r = 0; r < op->result_count; r++) {
    TypeId type = program_get_value(m->p, op->first_result + r)->type;
    const Type *t = mlir_type(m, type);
    Term extents[MLIR_RANK];
    if (t->kind == TYPE_MEMREF || t->kind == TYPE_OPAQUE) return mlir_unsupported(m, op);
    TypeId element = t->kind == TYPE_TENSOR ? t->element : type;
    uint32_t rank = t->kind == TYPE_TENSOR ? t->rank : 0;
    Term given[MLIR_RANK];
    bool is_given = rank && given_sizes(m, op, name, r, rank, given) == rank;
    for (uint32_t k = 0; k < rank; k++) {
      const char *size = arena_format(m->arena, "call_%s_%u_d%u", name, r, k);
      extents[k] = t->dims[k] != TYPE_DYNAMIC ? term_int(tt, t->dims[k])
                   : is_given
                       ? given[k]
                       : term_max(tt, tt->zero, term_opaque(tt, intern_text(tt->names, size), SORT_INT, count, args));
    }
    MlirValue v = mlir_tensor_new(m, element, rank, extents);
    if (t->kind != TYPE_TENSOR) v.kind = MLIR_SCALAR;
    for (uint32_t k = 0; k < rank; k++) args[count + k] = v.index[k];
    TermSort sort = mlir_state_sort(m, element);
    Term value = term_opaque(tt, intern_text(tt->names, call_name(m, name, r, element)), sort, count + rank, args);
    v.cell = (Cell){mlir_is_float(m, element) ? value : mlir_truncate(m, value, mlir_width(m, element)), tt->false_};
    mlir_set(m, op, r, v);
  }
  return true;
}

bool mlir_call(Mlir *m, const Op *op) {
  const Attr *callee = program_get_attr(m->p, program_op_attr(m->p, op, "callee"));
  const Function *f = callee->kind == ATTR_SYMBOL ? find_function(m, callee->text) : NULL;
  if (!f) return mlir_unsupported(m, op);
  const Op *definition = program_get_op(m->p, f->op);
  const Region *region = definition->region_count ? program_get_region(m->p, definition->regions[0]) : NULL;
  if (!region || !region->blocks.count) return call_unknown(m, op, f->name);
  MlirValue *arguments = arena_array(m->arena, MlirValue, op->operand_count + 1);
  for (uint32_t i = 0; i < op->operand_count; i++) arguments[i] = *mlir_operand(m, op, i);
  if (m->depth == MLIR_CALL_DEPTH)
    return mlir_stop(m, op, REASON_UNSUPPORTED_OP, "calls nested deeper than %d", MLIR_CALL_DEPTH);
  uint32_t first = m->run->locals.count;
  m->depth++;
  bool good = mlir_run_region(m, definition, 0, arguments, op->operand_count);
  m->depth--;
  mlir_end_stack(m, first);
  if (!good || m->yield_count != op->result_count) return good ? mlir_unsupported(m, op) : false;
  for (uint32_t i = 0; i < op->result_count; i++) mlir_set(m, op, i, m->yielded[i]);
  return true;
}
