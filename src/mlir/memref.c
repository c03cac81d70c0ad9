/* memref and bufferization: views are offsets and strides, contents are those of memory.c.
 *
 * Undefined: an index outside of its memref, a block that is freed or may not be written to, a view that leaves what it
 * views, a layout that the type says and the value has not. What bufferization.to_tensor, to_memref and clone share a
 * buffer with may not be written to afterwards, as their documentation has it. */
#include "mlir/internal.h"

static const Type *result_type(const Mlir *m, const Op *op) { return program_value_type(m->p, op->first_result); }

static TypeId result_type_id(const Mlir *m, const Op *op) { return program_get_value(m->p, op->first_result)->type; }

/* The value as the result, whose type may say more of its sizes and layout. */
static bool set_view(Mlir *m, const Op *op, MlirValue v) {
  TermTable *tt = m->tt;
  const Type *t = result_type(m, op);
  if (t->kind != TYPE_MEMREF || t->rank != v.rank) return mlir_unsupported(m, op);
  for (uint32_t k = 0; k < v.rank; k++) {
    Term size = t->dims[k] == TYPE_DYNAMIC ? 0 : term_int(tt, t->dims[k]);
    if (!size || size == v.extent[k]) continue;
    mlir_need_equal(m, v.extent[k], size);
    v.extent[k] = size;
  }
  mlir_set(m, op, 0, v);
  return true;
}

/* ---- allocation ---- */

bool mlir_alloc(Mlir *m, const Op *op) {
  const Type *t = result_type(m, op);
  Term extents[MLIR_RANK];
  uint32_t next = 0;
  MlirValue v;
  MlirOrigin origin = strstr(intern_string(m->p->names, op->name), "alloca") ? MLIR_STACK : MLIR_HEAP;
  if (t->kind != TYPE_MEMREF || !mlir_extents_of(m, op, t, &next, extents) || next != op->operand_count ||
      !mlir_allocate(m, result_type_id(m, op), extents, origin, &v))
    return mlir_unsupported(m, op);
  mlir_set(m, op, 0, v);
  return true;
}

bool mlir_dealloc(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  MlirValue *v = mlir_operand(m, op, 0);
  int64_t id;
  if (v->kind != MLIR_MEMREF || v->is_loose) return mlir_unsupported(m, op);
  mlir_need_block(m, v, false, tt->true_);
  Term at[1] = {v->block}, outside = term_lt(tt, v->block, term_int(tt, MLIR_LOCAL));
  Term bad = term_and(tt, outside, term_eq(tt, term_read(tt, m->world->heap, SORT_INT, 1, at), tt->zero));
  if (term_is_int(tt, v->block, &id) && id >= MLIR_LOCAL)
    bad = term_bool(tt, m->run->locals.data[id - MLIR_LOCAL] != MLIR_HEAP);
  else /* a choice of several, of which some were allocated here */
    for (uint32_t i = 0; i < m->run->locals.count; i++)
      if (m->run->locals.data[i] != MLIR_HEAP)
        bad = term_or(tt, bad, term_eq(tt, v->block, term_int(tt, MLIR_LOCAL + (int64_t)i)));
  bad = term_or(tt, bad, term_and(tt, term_not(tt, outside), term_not(tt, term_eq(tt, v->offset, tt->zero))));
  mlir_undefined(m, bad);
  array_push(m->arena, &m->memory.dead, term_and(tt, m->path, term_eq(tt, m->world->block, v->block)));
  return true;
}

/* ---- elements ---- */

static bool access_indices(Mlir *m, const Op *op, uint32_t memref, Term *index) {
  MlirValue *v = mlir_operand(m, op, memref);
  AttrId id = program_op_attr(m->p, op, "map");
  const AffineMap *map = id ? program_get_attr(m->p, id)->map : NULL;
  uint32_t first = memref + 1, count = op->operand_count - first;
  uint32_t rank = v->rank - v->lanes;
  if (v->kind != MLIR_MEMREF || (map ? map->result_count : count) != rank) return false;
  Term *in = arena_array(m->arena, Term, count + 1), leaves = m->tt->false_;
  for (uint32_t i = 0; i < count; i++) in[i] = mlir_size_operand(m, op, first + i);
  if (map && (map->dims + map->symbols != count || !mlir_need_divisions(m, map, in, in + map->dims, &leaves)))
    return false;
  mlir_undefined(m, leaves);
  for (uint32_t k = 0; k < rank; k++) {
    index[k] = map ? mlir_affine(m->tt, map, map->results[k], in, in + map->dims) : in[k];
    mlir_need_inside(m, index[k], v->extent[k]);
  }
  return true;
}

/* The vector at these indices, as a memref of its lanes. */
static MlirValue vector_at(Mlir *m, const MlirValue *v, const Term *index) {
  MlirValue out = *v;
  uint32_t first = v->rank - v->lanes;
  for (uint32_t k = 0; k < first; k++)
    out.offset = term_add(m->tt, out.offset, term_mul(m->tt, index[k], v->stride[k]));
  for (uint32_t k = 0; k < v->lanes; k++) out.extent[k] = v->extent[first + k], out.stride[k] = v->stride[first + k];
  out.rank = v->lanes, out.lanes = 0;
  return out;
}

bool mlir_memref_load(Mlir *m, const Op *op) {
  Term index[MLIR_RANK];
  Cell cell;
  if (!access_indices(m, op, 0, index)) return mlir_unsupported(m, op);
  MlirValue *v = mlir_operand(m, op, 0);
  mlir_need_block(m, v, false, m->tt->true_);
  if (v->lanes) {
    MlirValue part = vector_at(m, v, index), vector;
    if (!mlir_load_tensor(m, &part, &vector)) return mlir_unsupported(m, op);
    mlir_set(m, op, 0, vector);
    return true;
  }
  if (!mlir_load(m, v, index, &cell)) return mlir_unsupported(m, op);
  mlir_set(m, op, 0, mlir_scalar(cell, v->element));
  return true;
}

bool mlir_memref_store(Mlir *m, const Op *op) {
  Term index[MLIR_RANK];
  if (!access_indices(m, op, 1, index)) return mlir_unsupported(m, op);
  MlirValue *value = mlir_operand(m, op, 0), *v = mlir_operand(m, op, 1);
  mlir_need_block(m, v, true, m->tt->true_);
  if (v->lanes) {
    MlirValue part = vector_at(m, v, index);
    return (value->kind == MLIR_TENSOR && mlir_store_tensor(m, &part, value)) || mlir_unsupported(m, op);
  }
  return (value->kind == MLIR_SCALAR && mlir_store(m, v, index, value->cell)) || mlir_unsupported(m, op);
}

/* kind, value, memref, indices: what was there, and there is what both make. */
bool mlir_atomic_rmw(Mlir *m, const Op *op) {
  static const char *const kinds[][2] = {
      {"addf", "add"}, {"addi", "add"}, {"mulf", "mul"}, {"muli", "mul"}, {"assign", ""}};
  static const char *const by_number[] = {"addf", "addi", "assign"};
  Term index[MLIR_RANK];
  Cell old, made = {0};
  const Attr *kind = program_get_attr(m->p, program_op_attr(m->p, op, "kind"));
  const char *text = kind->kind == ATTR_INT ? (kind->integer >= 0 && kind->integer < 3 ? by_number[kind->integer] : "")
                     : kind->text           ? intern_string(m->p->names, kind->text)
                                            : "";
  if (op->operand_count < 2 || !access_indices(m, op, 1, index)) return mlir_unsupported(m, op);
  MlirValue *value = mlir_operand(m, op, 0), *v = mlir_operand(m, op, 1);
  mlir_need_block(m, v, true, m->tt->true_);
  if (!mlir_load(m, v, index, &old)) return mlir_unsupported(m, op);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (!strcmp(kinds[i][0], text))
      made = *kinds[i][1] ? mlir_combine(m, kinds[i][1], v->element, old, value->cell) : value->cell;
  if (!made.value || !mlir_store(m, v, index, made)) return mlir_unsupported(m, op);
  mlir_set(m, op, 0, mlir_scalar(old, v->element));
  return true;
}

/* ---- copies ---- */

static bool same_place(const MlirValue *a, const MlirValue *b) {
  if (a->block != b->block || a->offset != b->offset || a->rank != b->rank) return false;
  for (uint32_t k = 0; k < a->rank; k++)
    if (a->stride[k] != b->stride[k] || a->extent[k] != b->extent[k]) return false;
  return true;
}

/* Undefined where the two overlap in part; what is copied to where it is, stays. */
static void need_apart_or_same(Mlir *m, const MlirValue *a, const MlirValue *b) {
  TermTable *tt = m->tt;
  Term same = term_and(tt, term_eq(tt, a->block, b->block), term_eq(tt, a->offset, b->offset));
  for (uint32_t k = 0; k < a->rank; k++) { /* the stride between fewer than two elements is none */
    Term few = term_le(tt, a->extent[k], tt->one);
    same = term_and(tt, same, term_or(tt, few, term_eq(tt, a->stride[k], b->stride[k])));
  }
  if (same == tt->false_)
    mlir_need_apart(m, a, b);
  else
    mlir_undefined(m, term_and(tt, mlir_meet(m, a, b), term_not(tt, same)));
}

bool mlir_memref_copy(Mlir *m, const Op *op) {
  MlirValue *from = mlir_operand(m, op, 0), *to = mlir_operand(m, op, 1), tensor;
  if (from->kind != MLIR_MEMREF || to->kind != MLIR_MEMREF || from->rank != to->rank) return mlir_unsupported(m, op);
  for (uint32_t k = 0; k < from->rank; k++) mlir_need_equal(m, from->extent[k], to->extent[k]);
  if (same_place(from, to) && !to->is_loose) {
    mlir_need_block(m, to, true, mlir_has_elements(m, to));
    return true;
  }
  if (!mlir_load_tensor(m, from, &tensor)) return mlir_unsupported(m, op);
  need_apart_or_same(m, from, to);
  return mlir_store_tensor(m, to, &tensor) || mlir_unsupported(m, op);
}

/* ---- views ---- */

/* Undefined where the type says a size, an offset or a stride that the value has not. */
bool mlir_memref_cast(Mlir *m, const Op *op) {
  MlirValue v = *mlir_operand(m, op, 0);
  if (v.kind != MLIR_MEMREF || result_type(m, op)->kind != TYPE_MEMREF) return mlir_unsupported(m, op);
  Term offset = v.base ? term_sub(m->tt, v.offset, v.base) : 0;
  return (offset && mlir_need_layout(m, &v, offset, result_type_id(m, op)) && set_view(m, op, v)) ||
         mlir_unsupported(m, op);
}

/* Which of its dimensions are lanes of its elements. */
bool mlir_type_cast(Mlir *m, const Op *op) {
  MlirValue v = *mlir_operand(m, op, 0);
  const Type *t = result_type(m, op), *vector = mlir_type(m, t->element);
  if (v.kind != MLIR_MEMREF || t->kind != TYPE_MEMREF || t->layout || vector->kind != TYPE_TENSOR ||
      t->rank + vector->rank != v.rank || !mlir_is_contiguous(m, &v))
    return mlir_unsupported(m, op);
  for (uint32_t k = 0; k < v.rank; k++) {
    int64_t size = k < t->rank ? t->dims[k] : vector->dims[k - t->rank];
    if (v.extent[k] != term_int(m->tt, size)) return mlir_unsupported(m, op);
  }
  v.lanes = vector->rank;
  mlir_set(m, op, 0, v);
  return true;
}

bool mlir_subview(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  MlirValue *t = mlir_operand(m, op, 0), v;
  const Type *type = result_type(m, op);
  Slice s;
  bool keep[MLIR_RANK];
  if (t->kind != MLIR_MEMREF || type->kind != TYPE_MEMREF || !mlir_read_slice(m, op, t->rank, 1, &s) ||
      !mlir_kept_dimensions(&s, type, keep))
    return mlir_unsupported(m, op);
  mlir_need_slice_inside(m, &s, t);
  v = *t;
  v.rank = 0;
  for (uint32_t i = 0; i < s.rank; i++) {
    v.offset = term_add(tt, v.offset, term_mul(tt, s.offset[i], t->stride[i]));
    if (!keep[i]) continue;
    v.extent[v.rank] = s.size[i], v.stride[v.rank] = term_mul(tt, s.stride[i], t->stride[i]);
    v.rank++;
  }
  return set_view(m, op, v);
}

bool mlir_memref_collapse(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  MlirValue *t = mlir_operand(m, op, 0), v = *t;
  const Type *type = result_type(m, op);
  Groups g;
  if (t->kind != MLIR_MEMREF || type->kind != TYPE_MEMREF || !mlir_read_groups(m, op, t->rank, type->rank, &g))
    return mlir_unsupported(m, op);
  v.rank = g.count;
  for (uint32_t i = 0; i < g.count; i++) {
    uint32_t from = g.begin[i], to = g.begin[i + 1];
    v.extent[i] = mlir_product(tt, to - from, t->extent + from);
    Term stride = 0; /* of the innermost dimension that has more than one element, which the ones outside of it fit */
    for (uint32_t k = to; k-- > from;) {
      if (t->extent[k] == tt->one && k > from) continue;
      if (t->extent[k] == tt->one && stride) continue;
      if (!stride) v.stride[i] = t->stride[k];
      if (stride && stride != t->stride[k]) {
        Term differs = term_not(tt, term_eq(tt, stride, t->stride[k]));
        mlir_undefined(m, term_and(tt, term_lt(tt, tt->one, t->extent[k]), differs));
      }
      stride = term_mul(tt, t->stride[k], t->extent[k]);
    }
  }
  for (uint32_t k = 0; !g.count && k < t->rank; k++) mlir_need_equal(m, t->extent[k], tt->one);
  return set_view(m, op, v);
}

bool mlir_memref_expand(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  MlirValue *t = mlir_operand(m, op, 0), v = *t;
  const Type *type = result_type(m, op);
  Groups g;
  if (t->kind != MLIR_MEMREF || type->kind != TYPE_MEMREF || !mlir_read_groups(m, op, type->rank, t->rank, &g) ||
      !mlir_expanded_extents(m, op, type, t, &g, v.extent))
    return mlir_unsupported(m, op);
  v.rank = type->rank;
  for (uint32_t k = 0; !g.count && k < v.rank; k++) v.stride[k] = tt->one;
  for (uint32_t i = 0; i < g.count; i++) {
    Term stride = t->stride[i];
    for (uint32_t k = g.begin[i + 1]; k-- > g.begin[i]; stride = term_mul(tt, stride, v.extent[k]))
      v.stride[k] = stride;
  }
  return set_view(m, op, v);
}

static Term at_least_zero(Mlir *m, Term size) {
  mlir_undefined(m, term_lt(m->tt, size, m->tt->zero));
  return size;
}

bool mlir_memref_reshape(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  MlirValue *t = mlir_operand(m, op, 0), *shape = mlir_operand(m, op, 1), v = *t;
  const Type *type = result_type(m, op);
  if (t->kind != MLIR_MEMREF || shape->kind != MLIR_MEMREF || type->kind != TYPE_MEMREF || shape->rank != 1 ||
      !mlir_is_contiguous(m, t))
    return mlir_unsupported(m, op);
  mlir_need_block(m, shape, false, tt->true_);
  v.rank = type->rank;
  for (uint32_t i = 0; i < type->rank; i++) {
    Cell size;
    mlir_need_inside(m, term_int(tt, i), shape->extent[0]);
    if (!mlir_load(m, shape, (Term[]){term_int(tt, i)}, &size)) return mlir_unsupported(m, op);
    mlir_undefined_at(m, size);
    v.extent[i] = at_least_zero(m, size.value);
  }
  mlir_need_equal(m, mlir_product(tt, v.rank, v.extent), mlir_product(tt, t->rank, t->extent));
  mlir_identity_layout(m, &v);
  return set_view(m, op, v);
}

bool mlir_reinterpret_cast(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  MlirValue *t = mlir_operand(m, op, 0), v = *t;
  const Type *type = result_type(m, op);
  int64_t numbers[3][MLIR_RANK];
  static const char *const names[3] = {"static_offsets", "static_sizes", "static_strides"};
  uint32_t next = 1, counts[3];
  if (t->kind != MLIR_MEMREF || type->kind != TYPE_MEMREF) return mlir_unsupported(m, op);
  for (int i = 0; i < 3; i++) counts[i] = mlir_integers(m, program_op_attr(m->p, op, names[i]), numbers[i], MLIR_RANK);
  if (counts[0] != 1 || counts[1] != type->rank || counts[2] != type->rank) return mlir_unsupported(m, op);
  v.rank = type->rank;
  Term offset = 0;
  if (!t->base || !t->region.begin || !t->region.end) return mlir_unsupported(m, op);
  for (int i = 0; i < 3; i++)
    for (uint32_t k = 0; k < counts[i]; k++) {
      if (numbers[i][k] == TYPE_DYNAMIC && next >= op->operand_count) return mlir_unsupported(m, op);
      Term value = numbers[i][k] == TYPE_DYNAMIC ? mlir_size_operand(m, op, next++) : term_int(tt, numbers[i][k]);
      if (i == 0) offset = value;
      if (i == 1) v.extent[k] = at_least_zero(m, value);
      if (i == 2) v.stride[k] = value;
    }
  v.offset = term_add(tt, t->base, offset);
  v.is_loose = true;
  if (mlir_is_contiguous(m, &v)) { /* it stays inside */
    Term end = term_add(tt, v.offset, mlir_product(tt, v.rank, v.extent));
    v.is_loose = t->is_loose || !term_prove_le(tt, t->region.begin, v.offset) || !term_prove_le(tt, end, t->region.end);
  }
  return set_view(m, op, v);
}

bool mlir_memref_transpose(Mlir *m, const Op *op) {
  MlirValue *t = mlir_operand(m, op, 0), v = *t;
  const AffineMap *map = program_get_attr(m->p, program_op_attr(m->p, op, "permutation"))->map;
  if (t->kind != MLIR_MEMREF || !map || map->result_count != t->rank || map->dims != t->rank)
    return mlir_unsupported(m, op);
  for (uint32_t k = 0; k < t->rank; k++) {
    const AffineNode *n = &map->nodes[map->results[k]];
    if (n->kind != AFFINE_DIM || n->value >= t->rank) return mlir_unsupported(m, op);
    v.extent[k] = t->extent[n->value], v.stride[k] = t->stride[n->value];
  }
  return set_view(m, op, v);
}

/* The base, which is a memref without dimensions, offset, sizes and strides. */
bool mlir_strided_metadata(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  MlirValue *t = mlir_operand(m, op, 0), base = *t;
  bool is_known = t->kind == MLIR_MEMREF && t->base && t->region.end && !t->is_any_layout;
  if (!is_known || op->result_count != 2 + 2 * t->rank) return mlir_unsupported(m, op);
  base.rank = 0, base.offset = t->base;
  mlir_set(m, op, 0, base);
  TypeId index = program_get_value(m->p, op->first_result + 1)->type;
  mlir_set(m, op, 1, mlir_scalar((Cell){term_sub(tt, t->offset, t->base), tt->false_}, index));
  for (uint32_t k = 0; k < t->rank; k++) {
    mlir_set(m, op, 2 + k, mlir_scalar((Cell){t->extent[k], tt->false_}, index));
    mlir_set(m, op, 2 + t->rank + k, mlir_scalar((Cell){t->stride[k], tt->false_}, index));
  }
  return true;
}

/* True if a buffer of bytes that the function allocates is used as elements of one type alone, through views of it. */
static bool is_viewed_as(const Mlir *m, ValueId buffer, TypeId element) {
  for (OpId id = 1; id < m->p->ops.count; id++) {
    const Op *op = program_get_op(m->p, id);
    for (uint32_t s = 0; s < op->successor_count; s++)
      for (uint32_t i = 0; i < op->successors[s].arg_count; i++)
        if (op->successors[s].args[i] == buffer) return false;
    for (uint32_t i = 0; i < op->operand_count; i++) {
      if (op->operands[i] != buffer) continue;
      const char *name = intern_string(m->p->names, op->name);
      const Type *t = op->result_count ? program_value_type(m->p, op->first_result) : NULL;
      bool views = !strcmp(name, "memref.view") && i == 0 && t->element == element;
      if (!views && strcmp(name, "memref.dealloc") != 0) return false;
    }
  }
  return true;
}

/* buffer, shift in bytes, sizes. Memory of a type is one of its own: so only of a buffer all of whose views have one
 * type, at a shift that is a whole number of elements, and where the view is seen to lie inside. */
bool mlir_view(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  const MlirValue *buffer = mlir_operand(m, op, 0);
  const Type *type = program_value_type(m->p, op->first_result);
  const Op *made = program_get_op(m->p, program_get_value(m->p, op->operands[0])->op);
  int64_t block, shift;
  uint32_t next = 2;
  if (type->kind != TYPE_MEMREF || type->layout || buffer->kind != MLIR_MEMREF || !made ||
      strncmp(intern_string(m->p->names, made->name), "memref.alloc", 12) != 0 ||
      !term_is_int(tt, buffer->block, &block) || block < MLIR_LOCAL || mlir_width(m, buffer->element) != 8)
    return mlir_unsupported(m, op);
  MlirValue v = *buffer;
  uint32_t bytes = mlir_width(m, type->element) / 8;
  const Type *element = mlir_type(m, type->element);
  if (element->kind == TYPE_INDEX || mlir_width(m, type->element) % 8 || !bytes ||
      !term_is_int(tt, mlir_size_operand(m, op, 1), &shift) || shift < 0 || shift % bytes ||
      !is_viewed_as(m, op->operands[0], type->element))
    return mlir_unsupported(m, op);
  v.element = type->element, v.rank = type->rank, v.argument = 0;
  if (!mlir_extents_of(m, op, type, &next, v.extent) || next != op->operand_count) return mlir_unsupported(m, op);
  mlir_identity_layout(m, &v);
  v.base = v.offset = term_int(tt, shift / bytes), v.region = (MlirRegion){0};
  Term size = term_mul(tt, mlir_product(tt, v.rank, v.extent), term_int(tt, bytes));
  if (!mlir_holds(tt, term_le(tt, term_add(tt, term_int(tt, shift), size), buffer->extent[0])))
    return mlir_unsupported(m, op);
  if (!mlir_begin_poison(m, &v)) return mlir_unsupported(m, op);
  mlir_set(m, op, 0, v);
  return true;
}

bool mlir_memory_space_cast(Mlir *m, const Op *op) {
  MlirValue v = *mlir_operand(m, op, 0);
  return v.kind == MLIR_MEMREF ? set_view(m, op, v) : mlir_unsupported(m, op);
}

/* Undefined where it is not aligned, which is a question of the block and the offset alone. */
bool mlir_assume_alignment(Mlir *m, const Op *op) {
  MlirValue v = *mlir_operand(m, op, 0);
  if (v.kind != MLIR_MEMREF) return mlir_unsupported(m, op);
  Term args[3] = {v.block, v.offset, term_int(m->tt, program_op_int(m->p, op, "alignment", 1))};
  mlir_undefined(m, term_opaque(m->tt, intern_text(m->tt->names, "relaxed_misaligned"), SORT_BOOL, 3, args));
  if (op->result_count == 1) mlir_set(m, op, 0, v);
  return true;
}

/* ---- bufferization ---- */

static void make_readonly(Mlir *m, const MlirValue *v) {
  array_push(m->arena, &m->memory.readonly, term_and(m->tt, m->path, term_eq(m->tt, m->world->block, v->block)));
}

bool mlir_clone(Mlir *m, const Op *op) {
  MlirValue *from = mlir_operand(m, op, 0), tensor, v;
  if (from->kind != MLIR_MEMREF || result_type(m, op)->kind != TYPE_MEMREF || !mlir_load_tensor(m, from, &tensor) ||
      !mlir_hold_tensor(m, &tensor, result_type_id(m, op), MLIR_HEAP, &v))
    return mlir_unsupported(m, op);
  make_readonly(m, from), make_readonly(m, &v);
  return set_view(m, op, v);
}

bool mlir_to_memref(Mlir *m, const Op *op) {
  MlirValue *from = mlir_operand(m, op, 0), v;
  if (from->kind != MLIR_TENSOR || result_type(m, op)->kind != TYPE_MEMREF ||
      !mlir_hold_tensor(m, from, result_type_id(m, op), MLIR_BUFFER, &v))
    return mlir_unsupported(m, op);
  make_readonly(m, &v);
  return set_view(m, op, v);
}

bool mlir_to_tensor(Mlir *m, const Op *op) {
  MlirValue *from = mlir_operand(m, op, 0), tensor;
  if (from->kind != MLIR_MEMREF || result_type(m, op)->kind != TYPE_TENSOR || !mlir_load_tensor(m, from, &tensor))
    return mlir_unsupported(m, op);
  if (!program_op_attr(m->p, op, "writable")) make_readonly(m, from);
  mlir_need_type(m, &tensor, result_type_id(m, op));
  mlir_set(m, op, 0, tensor);
  return true;
}

bool mlir_materialize(Mlir *m, const Op *op) {
  MlirValue *from = mlir_operand(m, op, 0), *to = mlir_operand(m, op, 1);
  if (from->kind != MLIR_TENSOR || from->rank != to->rank) return mlir_unsupported(m, op);
  for (uint32_t k = 0; k < to->rank; k++) mlir_need_equal(m, from->extent[k], to->extent[k]);
  if (to->kind == MLIR_MEMREF) return mlir_store_tensor(m, to, from) || mlir_unsupported(m, op);
  mlir_set(m, op, 0, *from);
  return to->kind == MLIR_TENSOR || mlir_unsupported(m, op);
}

bool mlir_nothing(Mlir *m, const Op *op) {
  (void)m, (void)op;
  return true;
}
