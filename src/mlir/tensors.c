/* The tensor dialect: each operation as a term over the indices of its result.
 *
 * What reads outside of its operand is undefined behaviour, and so are shapes that do not fit. The elements of
 * tensor.empty are poison. Reshapes go through the place in row-major order, group by group. */
#include "mlir/internal.h"

Term mlir_size_operand(Mlir *m, const Op *op, uint32_t i) {
  MlirValue *v = mlir_operand(m, op, i);
  mlir_undefined_at(m, v->cell);
  return v->cell.value;
}

static const Type *result_type(const Mlir *m, const Op *op) { return program_value_type(m->p, op->first_result); }

static Term at_least_zero(Mlir *m, Term size) {
  mlir_undefined(m, term_lt(m->tt, size, m->tt->zero));
  return size;
}

/* Extents of a result type; its dynamic ones are operands from `next` on. */
bool mlir_extents_of(Mlir *m, const Op *op, const Type *t, uint32_t *next, Term *out) {
  for (uint32_t i = 0; i < t->rank; i++) {
    if (t->dims[i] != TYPE_DYNAMIC) {
      out[i] = term_int(m->tt, t->dims[i]);
    } else {
      if (*next >= op->operand_count) return false;
      out[i] = at_least_zero(m, mlir_size_operand(m, op, (*next)++));
    }
  }
  return true;
}

static Term undefined_value(Mlir *m, TypeId element) {
  return mlir_width(m, element) == 1 ? m->tt->false_ : m->tt->zero;
}

bool mlir_empty(Mlir *m, const Op *op) {
  const Type *t = result_type(m, op);
  Term extents[MLIR_RANK];
  uint32_t next = 0;
  if (t->kind != TYPE_TENSOR || !mlir_extents_of(m, op, t, &next, extents)) return mlir_unsupported(m, op);
  MlirValue v = mlir_tensor_new(m, t->element, t->rank, extents);
  v.cell = (Cell){undefined_value(m, t->element), m->tt->true_};
  if (next < op->operand_count && mlir_operand(m, op, next)->kind == MLIR_TENSOR) v = *mlir_operand(m, op, next);
  mlir_set(m, op, 0, v);
  return true;
}

Term mlir_is_outside(Mlir *m, Term index, Term extent) {
  return term_not(m->tt, term_and(m->tt, term_le(m->tt, m->tt->zero, index), term_lt(m->tt, index, extent)));
}

void mlir_need_inside(Mlir *m, Term index, Term extent) { mlir_undefined(m, mlir_is_outside(m, index, extent)); }

bool mlir_extract(Mlir *m, const Op *op) {
  MlirValue *t = mlir_operand(m, op, 0);
  Term index[MLIR_RANK];
  if (t->kind != MLIR_TENSOR || op->operand_count != t->rank + 1) return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < t->rank; i++) {
    index[i] = mlir_size_operand(m, op, i + 1);
    mlir_need_inside(m, index[i], t->extent[i]);
  }
  mlir_set(m, op, 0, mlir_scalar(mlir_element(m, t, index), t->element));
  return true;
}

bool mlir_insert(Mlir *m, const Op *op) {
  MlirValue *v = mlir_operand(m, op, 0), *t = mlir_operand(m, op, 1), out = *t;
  TermTable *tt = m->tt;
  Term here = tt->true_;
  if (t->kind != MLIR_TENSOR || op->operand_count != t->rank + 2) return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < t->rank; i++) {
    Term index = mlir_size_operand(m, op, i + 2);
    mlir_need_inside(m, index, t->extent[i]);
    here = term_and(tt, here, term_eq(tt, t->index[i], index));
  }
  out.cell = mlir_choose(m, here, v->cell, t->cell);
  mlir_set(m, op, 0, out);
  return true;
}

/* ---- slices ---- */

/* Offsets, sizes and strides: numbers, and operands from `next` on. */
static bool read_mixed(Mlir *m, const Op *op, const char *name, uint32_t rank, uint32_t *next, Term *out,
                       int64_t *numbers) {
  int64_t values[MLIR_RANK];
  if (mlir_integers(m, program_op_attr(m->p, op, name), values, MLIR_RANK) != rank) return false;
  for (uint32_t i = 0; i < rank; i++) {
    if (numbers) numbers[i] = values[i];
    if (values[i] == TYPE_DYNAMIC && *next >= op->operand_count) return false;
    out[i] = values[i] == TYPE_DYNAMIC ? mlir_size_operand(m, op, (*next)++) : term_int(m->tt, values[i]);
  }
  return true;
}

bool mlir_read_slice(Mlir *m, const Op *op, uint32_t rank, uint32_t next, Slice *s) {
  s->rank = rank;
  return read_mixed(m, op, "static_offsets", rank, &next, s->offset, NULL) &&
         read_mixed(m, op, "static_sizes", rank, &next, s->size, s->static_size) &&
         read_mixed(m, op, "static_strides", rank, &next, s->stride, NULL);
}

/* The slice lies inside: its first element, unless it is empty, and its last one. */
void mlir_need_slice_inside(Mlir *m, const Slice *s, const MlirValue *t) {
  TermTable *tt = m->tt;
  for (uint32_t i = 0; i < s->rank; i++) {
    at_least_zero(m, s->size[i]);
    at_least_zero(m, s->offset[i]);
    Term last = term_add(tt, s->offset[i], term_mul(tt, term_sub(tt, s->size[i], tt->one), s->stride[i]));
    Term inside = term_and(tt, term_le(tt, tt->zero, last), term_lt(tt, last, t->extent[i]));
    if (!term_prove_le(tt, tt->zero, s->stride[i])) /* backwards, the first is the one farthest out */
      inside = term_and(tt, inside, term_lt(tt, s->offset[i], t->extent[i]));
    mlir_undefined(m, term_and(tt, term_lt(tt, tt->zero, s->size[i]), term_not(tt, inside)));
    mlir_undefined(m, term_not(tt, term_le(tt, s->offset[i], t->extent[i])));
  }
}

/* Which dimensions of the slice the smaller type keeps: each that has the next size of it, as MLIR infers it; the
 * others have size 1. */
bool mlir_kept_dimensions(const Slice *s, const Type *t, bool *keep) {
  uint32_t have = 0;
  for (uint32_t i = 0; i < s->rank; i++) {
    bool open = have < t->rank && (t->dims[have] == TYPE_DYNAMIC || s->static_size[i] == TYPE_DYNAMIC);
    keep[i] = have < t->rank && (t->dims[have] == s->static_size[i] || (open && t->rank == s->rank));
    if (keep[i])
      have++;
    else if (s->static_size[i] != 1)
      return false;
  }
  return have == t->rank;
}

bool mlir_extract_slice(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  MlirValue *t = mlir_operand(m, op, 0);
  const Type *type = result_type(m, op);
  Slice s;
  bool keep[MLIR_RANK];
  if (t->kind != MLIR_TENSOR || type->kind != TYPE_TENSOR || !mlir_read_slice(m, op, t->rank, 1, &s) ||
      !mlir_kept_dimensions(&s, type, keep))
    return mlir_unsupported(m, op);
  mlir_need_slice_inside(m, &s, t);
  Term extents[MLIR_RANK], index[MLIR_RANK];
  uint32_t rank = 0;
  for (uint32_t i = 0; i < s.rank; i++)
    if (keep[i]) extents[rank++] = s.size[i];
  MlirValue v = mlir_tensor_new(m, t->element, rank, extents);
  for (uint32_t i = 0, k = 0; i < s.rank; i++)
    index[i] = term_add(tt, s.offset[i], keep[i] ? term_mul(tt, v.index[k++], s.stride[i]) : tt->zero);
  v.cell = mlir_element(m, t, index);
  mlir_need_type(m, &v, program_get_value(m->p, op->first_result)->type);
  mlir_set(m, op, 0, v);
  return true;
}

bool mlir_insert_slice(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  MlirValue *from = mlir_operand(m, op, 0), *t = mlir_operand(m, op, 1), v = *t;
  Slice s;
  bool keep[MLIR_RANK];
  if (from->kind != MLIR_TENSOR || t->kind != MLIR_TENSOR || !mlir_read_slice(m, op, t->rank, 2, &s) ||
      !mlir_kept_dimensions(&s, program_value_type(m->p, op->operands[0]), keep))
    return mlir_unsupported(m, op);
  mlir_need_slice_inside(m, &s, t);
  Term inside = tt->true_, index[MLIR_RANK];
  for (uint32_t i = 0, k = 0; i < s.rank; i++) {
    Term offset = term_sub(tt, t->index[i], s.offset[i]), place = offset;
    if (s.stride[i] != tt->one) {
      mlir_undefined(m, term_le(tt, s.stride[i], tt->zero)); /* in reverse: not executed */
      int64_t stride;
      if (!term_is_int(tt, s.stride[i], &stride) || stride < 1) return mlir_unsupported(m, op);
      place = term_floordiv(tt, offset, s.stride[i]);
      inside = term_and(tt, inside, term_eq(tt, term_mul(tt, place, s.stride[i]), offset));
    }
    inside = term_and(tt, inside, term_and(tt, term_le(tt, tt->zero, place), term_lt(tt, place, s.size[i])));
    if (!keep[i]) continue;
    mlir_need_equal(m, from->extent[k], s.size[i]);
    index[k++] = place;
  }
  v.cell = mlir_choose(m, inside, mlir_element(m, from, index), t->cell);
  mlir_set(m, op, 0, v);
  return true;
}

/* ---- reshapes ---- */

bool mlir_read_groups(Mlir *m, const Op *op, uint32_t rank, uint32_t count, Groups *g) {
  const Attr *a = program_get_attr(m->p, program_op_attr(m->p, op, "reassociation"));
  uint32_t at = 0;
  if (a->kind != ATTR_ARRAY || a->count != count) return false;
  g->count = count;
  for (uint32_t i = 0; i < a->count; i++) {
    const Attr *group = program_get_attr(m->p, a->items[i]);
    if (group->kind != ATTR_ARRAY || !group->count) return false;
    g->begin[i] = at, at += group->count;
    if (at > rank) return false;
  }
  g->begin[count] = at;
  return at == rank || !count;
}

bool mlir_collapse(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  MlirValue *t = mlir_operand(m, op, 0);
  const Type *type = result_type(m, op);
  Groups g;
  Term extents[MLIR_RANK], index[MLIR_RANK];
  if (t->kind != MLIR_TENSOR || type->kind != TYPE_TENSOR || !mlir_read_groups(m, op, t->rank, type->rank, &g))
    return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < g.count; i++)
    mlir_note_size(m, extents[i] = mlir_product(tt, g.begin[i + 1] - g.begin[i], t->extent + g.begin[i]));
  MlirValue v = mlir_tensor_new(m, t->element, g.count, extents);
  for (uint32_t k = 0; !g.count && k < t->rank; k++) {
    mlir_need_equal(m, t->extent[k], tt->one);
    index[k] = tt->zero;
  }
  for (uint32_t i = 0; i < g.count; i++) {
    Term rest = v.index[i];
    for (uint32_t k = g.begin[i + 1]; k-- > g.begin[i];) {
      index[k] = k > g.begin[i] ? term_mod(tt, rest, t->extent[k]) : rest;
      rest = k > g.begin[i] ? term_floordiv(tt, rest, t->extent[k]) : rest;
    }
  }
  v.cell = mlir_element(m, t, index);
  mlir_need_type(m, &v, program_get_value(m->p, op->first_result)->type);
  mlir_set(m, op, 0, v);
  return true;
}

/* The extents of a group of the result: from the type, from output_shape, else the one that is left. */
static bool group_extents(Mlir *m, const Op *op, const Type *type, uint32_t from, uint32_t to, Term whole,
                          const int64_t *shape, uint32_t *next, Term *extents) {
  TermTable *tt = m->tt;
  Term known = tt->one;
  uint32_t open = UINT32_MAX;
  for (uint32_t k = from; k < to; k++) {
    if (type->dims[k] != TYPE_DYNAMIC)
      extents[k] = term_int(tt, type->dims[k]);
    else if (shape && shape[k] == TYPE_DYNAMIC && *next < op->operand_count)
      extents[k] = at_least_zero(m, mlir_size_operand(m, op, (*next)++));
    else if (open != UINT32_MAX)
      return false;
    else {
      open = k;
      continue;
    }
    known = term_mul(tt, known, extents[k]);
  }
  if (open != UINT32_MAX) {
    if (known == tt->zero) return false;
    extents[open] = term_floordiv(tt, whole, known);
    known = term_mul(tt, known, extents[open]);
  }
  mlir_need_equal(m, known, whole);
  return true;
}

bool mlir_expanded_extents(Mlir *m, const Op *op, const Type *type, const MlirValue *t, const Groups *g,
                           Term *extents) {
  int64_t shape[MLIR_RANK];
  uint32_t next = 1;
  bool has = mlir_integers(m, program_op_attr(m->p, op, "static_output_shape"), shape, MLIR_RANK) == type->rank;
  for (uint32_t i = 0; i < g->count; i++)
    if (!group_extents(m, op, type, g->begin[i], g->begin[i + 1], t->extent[i], has ? shape : NULL, &next, extents))
      return false;
  for (uint32_t k = 0; !g->count && k < type->rank; k++) extents[k] = m->tt->one;
  return true;
}

bool mlir_expand(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  MlirValue *t = mlir_operand(m, op, 0);
  const Type *type = result_type(m, op);
  Groups g;
  Term extents[MLIR_RANK], index[MLIR_RANK];
  if (t->kind != MLIR_TENSOR || type->kind != TYPE_TENSOR || !mlir_read_groups(m, op, type->rank, t->rank, &g) ||
      !mlir_expanded_extents(m, op, type, t, &g, extents))
    return mlir_unsupported(m, op);
  MlirValue v = mlir_tensor_new(m, t->element, type->rank, extents);
  for (uint32_t i = 0; i < g.count; i++) {
    index[i] = tt->zero;
    for (uint32_t k = g.begin[i]; k < g.begin[i + 1]; k++)
      index[i] = term_add(tt, term_mul(tt, index[i], extents[k]), extents[k] == tt->one ? tt->zero : v.index[k]);
  }
  v.cell = mlir_element(m, t, index);
  mlir_set(m, op, 0, v);
  return true;
}

/* Through the place in row-major order: the shape is a tensor of sizes. */
bool mlir_tensor_reshape(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  MlirValue *t = mlir_operand(m, op, 0), *shape = mlir_operand(m, op, 1);
  const Type *type = result_type(m, op);
  Term extents[MLIR_RANK], index[MLIR_RANK], place = tt->zero;
  if (t->kind != MLIR_TENSOR || shape->kind != MLIR_TENSOR || type->kind != TYPE_TENSOR || shape->rank != 1)
    return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < type->rank; i++) {
    Cell size = mlir_element(m, shape, (Term[]){term_int(tt, i)});
    mlir_undefined_at(m, size);
    extents[i] = type->dims[i] == TYPE_DYNAMIC ? at_least_zero(m, size.value) : term_int(tt, type->dims[i]);
    mlir_need_equal(m, extents[i], size.value);
  }
  mlir_need_equal(m, mlir_product(tt, type->rank, extents), mlir_product(tt, t->rank, t->extent));
  MlirValue v = mlir_tensor_new(m, t->element, type->rank, extents);
  for (uint32_t i = 0; i < type->rank; i++) place = term_add(tt, term_mul(tt, place, extents[i]), v.index[i]);
  for (uint32_t k = t->rank; k-- > 0; place = k ? term_floordiv(tt, place, t->extent[k]) : place)
    index[k] = k ? term_mod(tt, place, t->extent[k]) : place;
  v.cell = mlir_element(m, t, index);
  mlir_set(m, op, 0, v);
  return true;
}

/* ---- padding, generated and joined tensors ---- */

/* The region at these indices. */
static bool region_element(Mlir *m, const Op *op, uint32_t rank, const Term *index, const Term *extent, Cell *out) {
  MlirValue arguments[MLIR_RANK];
  Term before = m->ub;
  m->ub = m->tt->false_;
  for (uint32_t i = 0; i < rank; i++) arguments[i] = mlir_scalar((Cell){index[i], m->tt->false_}, 0);
  m->in_loop++;
  bool good = mlir_run_body(m, op, arguments, rank) && m->yield_count == 1;
  m->in_loop--;
  if (!good) return false;
  *out = m->yielded[0].cell;
  Term body = m->ub;
  m->ub = before;
  mlir_undefined(m, mlir_any(m, rank, index, extent, body));
  return true;
}

bool mlir_pad(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  MlirValue *t = mlir_operand(m, op, 0);
  Term low[MLIR_RANK], high[MLIR_RANK], extents[MLIR_RANK], index[MLIR_RANK], inside = tt->true_;
  uint32_t next = 1;
  if (t->kind != MLIR_TENSOR || !op->region_count || !read_mixed(m, op, "static_low", t->rank, &next, low, NULL) ||
      !read_mixed(m, op, "static_high", t->rank, &next, high, NULL))
    return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < t->rank; i++)
    extents[i] =
        at_least_zero(m, term_add(tt, term_add(tt, at_least_zero(m, low[i]), t->extent[i]), at_least_zero(m, high[i])));
  for (uint32_t i = 0; i < t->rank; i++) mlir_note_size(m, extents[i]);
  MlirValue v = mlir_tensor_new(m, t->element, t->rank, extents);
  for (uint32_t i = 0; i < t->rank; i++) {
    index[i] = term_sub(tt, v.index[i], low[i]);
    inside = term_and(tt, inside, term_and(tt, term_le(tt, tt->zero, index[i]), term_lt(tt, index[i], t->extent[i])));
  }
  Cell padding;
  if (!region_element(m, op, v.rank, v.index, v.extent, &padding)) return false;
  v.cell = mlir_choose(m, inside, mlir_element(m, t, index), padding);
  mlir_need_type(m, &v, program_get_value(m->p, op->first_result)->type);
  mlir_set(m, op, 0, v);
  return true;
}

bool mlir_generate(Mlir *m, const Op *op) {
  const Type *t = result_type(m, op);
  Term extents[MLIR_RANK];
  uint32_t next = 0;
  if (t->kind != TYPE_TENSOR || !op->region_count || !mlir_extents_of(m, op, t, &next, extents))
    return mlir_unsupported(m, op);
  MlirValue v = mlir_tensor_new(m, t->element, t->rank, extents);
  if (!region_element(m, op, v.rank, v.index, v.extent, &v.cell)) return false;
  mlir_set(m, op, 0, v);
  return true;
}

bool mlir_from_elements(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  const Type *t = result_type(m, op);
  Term extents[MLIR_RANK], place = tt->zero;
  if (t->kind != TYPE_TENSOR ||
      program_lane_count(m->p, program_get_value(m->p, op->first_result)->type) != (int64_t)op->operand_count)
    return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < t->rank; i++) extents[i] = term_int(tt, t->dims[i]);
  MlirValue v = mlir_tensor_new(m, t->element, t->rank, extents);
  v.cell = (Cell){undefined_value(m, t->element), tt->false_};
  for (uint32_t i = 0; i < t->rank; i++) place = term_add(tt, term_mul(tt, place, extents[i]), v.index[i]);
  for (uint32_t i = op->operand_count; i-- > 0;) {
    Cell own = mlir_operand(m, op, i)->cell;
    v.cell = i + 1 == op->operand_count ? own : mlir_choose(m, term_eq(tt, place, term_int(tt, i)), own, v.cell);
  }
  mlir_set(m, op, 0, v);
  return true;
}

bool mlir_splat(Mlir *m, const Op *op) {
  const Type *t = result_type(m, op);
  Term extents[MLIR_RANK];
  uint32_t next = 1;
  MlirValue *from = mlir_operand(m, op, 0);
  if (t->kind != TYPE_TENSOR || from->kind != MLIR_SCALAR || !mlir_extents_of(m, op, t, &next, extents))
    return mlir_unsupported(m, op);
  MlirValue v = mlir_tensor_new(m, t->element, t->rank, extents);
  v.cell = from->cell;
  mlir_set(m, op, 0, v);
  return true;
}

bool mlir_concat(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  AttrId id = program_op_attr(m->p, op, "axis");
  int64_t axis = program_op_int(m->p, op, id ? "axis" : "dim", -1);
  MlirValue *first = op->operand_count ? mlir_operand(m, op, 0) : NULL;
  if (!first || first->kind != MLIR_TENSOR || axis < 0 || axis >= first->rank) return mlir_unsupported(m, op);
  Term extents[MLIR_RANK], total = tt->zero;
  memcpy(extents, first->extent, sizeof extents);
  for (uint32_t i = 0; i < op->operand_count; i++) {
    MlirValue *t = mlir_operand(m, op, i);
    if (t->kind != MLIR_TENSOR || t->rank != first->rank) return mlir_unsupported(m, op);
    for (uint32_t k = 0; k < t->rank; k++)
      if (k != (uint32_t)axis) mlir_need_equal(m, t->extent[k], first->extent[k]);
    total = term_add(tt, total, t->extent[axis]);
  }
  extents[axis] = total;
  mlir_note_size(m, total);
  MlirValue v = mlir_tensor_new(m, first->element, first->rank, extents);
  Term end = total, index[MLIR_RANK];
  memcpy(index, v.index, sizeof index);
  for (uint32_t i = op->operand_count; i-- > 0;) {
    MlirValue *t = mlir_operand(m, op, i);
    Term begin = term_sub(tt, end, t->extent[axis]);
    index[axis] = term_sub(tt, v.index[axis], begin);
    Cell own = mlir_element(m, t, index);
    v.cell = i + 1 == op->operand_count ? own : mlir_choose(m, term_lt(tt, v.index[axis], end), own, v.cell);
    end = begin;
  }
  mlir_need_type(m, &v, program_get_value(m->p, op->first_result)->type);
  mlir_set(m, op, 0, v);
  return true;
}

/* ---- shapes ---- */

bool mlir_cast(Mlir *m, const Op *op) {
  MlirValue v = *mlir_operand(m, op, 0);
  if (v.kind != MLIR_TENSOR || result_type(m, op)->kind != TYPE_TENSOR) return mlir_unsupported(m, op);
  mlir_need_type(m, &v, program_get_value(m->p, op->first_result)->type);
  mlir_set(m, op, 0, v);
  return true;
}

bool mlir_copy_value(Mlir *m, const Op *op) {
  MlirValue v = *mlir_operand(m, op, 0);
  if (v.kind == MLIR_NONE) return mlir_unsupported(m, op);
  mlir_set(m, op, 0, v);
  return true;
}

bool mlir_dim(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  MlirValue *t = mlir_operand(m, op, 0);
  if (t->kind != MLIR_TENSOR && t->kind != MLIR_MEMREF) return mlir_unsupported(m, op);
  Term axis = mlir_size_operand(m, op, 1), size = tt->zero;
  mlir_need_inside(m, axis, term_int(tt, t->rank));
  for (uint32_t i = t->rank; i-- > 0;)
    size = i + 1 == t->rank ? t->extent[i] : term_select(tt, term_eq(tt, axis, term_int(tt, i)), t->extent[i], size);
  mlir_set(m, op, 0, mlir_scalar((Cell){size, tt->false_}, program_get_value(m->p, op->first_result)->type));
  return true;
}

bool mlir_rank(Mlir *m, const Op *op) {
  MlirValue *t = mlir_operand(m, op, 0);
  if (t->kind != MLIR_TENSOR && t->kind != MLIR_MEMREF) return mlir_unsupported(m, op);
  mlir_set(
      m, op, 0,
      mlir_scalar((Cell){term_int(m->tt, t->rank), m->tt->false_}, program_get_value(m->p, op->first_result)->type));
  return true;
}

/* A tensor of the sizes. */
bool mlir_shape_of(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  MlirValue *t = mlir_operand(m, op, 0);
  const Type *type = result_type(m, op);
  if (t->kind != MLIR_TENSOR || type->kind != TYPE_TENSOR || !t->rank) return mlir_unsupported(m, op);
  MlirValue v = mlir_tensor_new(m, type->element, 1, (Term[]){term_int(tt, t->rank)});
  v.cell = (Cell){t->extent[t->rank - 1], tt->false_};
  for (uint32_t i = t->rank - 1; i-- > 0;)
    v.cell.value = term_select(tt, term_eq(tt, v.index[0], term_int(tt, i)), t->extent[i], v.cell.value);
  mlir_set(m, op, 0, v);
  return true;
}
