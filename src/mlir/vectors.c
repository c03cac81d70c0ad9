/* The vector dialect: a vector is a tensor of static shape, a transfer the part of a memref or tensor that begins at
 * the indices. Lanes that lie outside read the padding and write nothing; where `in_bounds` says that there are none,
 * and along dimensions that the vector has not, they are undefined behaviour, as is a transfer that begins below 0. */
#include "mlir/internal.h"

static const Type *type_of(const Mlir *m, ValueId id) { return program_value_type(m->p, id); }

typedef struct Transfer {
  const MlirValue *whole;
  uint32_t rank;           /* of the vector */
  Term begin[MLIR_RANK];   /* by dimension of the whole */
  uint32_t dim[MLIR_RANK]; /* by dimension of the vector: that it goes along, or UINT32_MAX, of what is broadcast */
  bool inside[MLIR_RANK];
  Term lanes[MLIR_RANK];
} Transfer;

/* The innermost dimensions in their order, if there is no map. */
static bool read_map(Mlir *m, const Op *op, Transfer *t) {
  AttrId id = program_op_attr(m->p, op, "permutation_map");
  const AffineMap *map = id ? program_get_attr(m->p, id)->map : NULL;
  bool used[MLIR_RANK] = {false};
  if (!map && t->rank > t->whole->rank) return false;
  for (uint32_t k = 0; !map && k < t->rank; k++) t->dim[k] = t->whole->rank - t->rank + k;
  if (!map) return true;
  if (map->dims != t->whole->rank || map->symbols || map->result_count != t->rank) return false;
  for (uint32_t k = 0; k < t->rank; k++) {
    const AffineNode *n = &map->nodes[map->results[k]];
    bool is_dim = n->kind == AFFINE_DIM && !used[n->value];
    if (!is_dim && (n->kind != AFFINE_CONSTANT || n->value)) return false;
    t->dim[k] = is_dim ? (uint32_t)n->value : UINT32_MAX;
    if (is_dim) used[n->value] = true;
  }
  return true;
}

/* The indices are operands from `first` on. */
static bool read_transfer(Mlir *m, const Op *op, uint32_t whole, uint32_t first, const Type *vector, Transfer *t) {
  TermTable *tt = m->tt;
  int64_t flags[MLIR_RANK];
  *t = (Transfer){.whole = mlir_operand(m, op, whole), .rank = vector->rank};
  const MlirValue *v = t->whole;
  if ((v->kind != MLIR_MEMREF && v->kind != MLIR_TENSOR) || vector->kind != TYPE_TENSOR ||
      op->operand_count < first + v->rank || !read_map(m, op, t))
    return false;
  uint32_t flag_count = mlir_integers(m, program_op_attr(m->p, op, "in_bounds"), flags, MLIR_RANK);
  bool is_named = !program_op_attr(m->p, op, "in_bounds"), along[MLIR_RANK] = {false};
  if (!is_named && flag_count != t->rank) return false;
  for (uint32_t d = 0; d < v->rank; d++) t->begin[d] = mlir_size_operand(m, op, first + d);
  for (uint32_t k = 0; k < t->rank; k++) {
    t->lanes[k] = term_int(tt, vector->dims[k]), t->inside[k] = !is_named && flags[k];
    if (t->dim[k] == UINT32_MAX) continue;
    uint32_t d = t->dim[k];
    along[d] = true;
    mlir_undefined(m, term_lt(tt, t->begin[d], tt->zero));
    if (t->inside[k]) mlir_undefined(m, term_lt(tt, v->extent[d], term_add(tt, t->begin[d], t->lanes[k])));
  }
  for (uint32_t d = 0; d < v->rank; d++)
    if (!along[d]) mlir_need_inside(m, t->begin[d], v->extent[d]);
  return true;
}

/* Of a lane, the indices in the whole, and whether it lies there. */
static Term lane_inside(Mlir *m, const Transfer *t, const Term *lane, Term *index) {
  TermTable *tt = m->tt;
  Term inside = tt->true_;
  for (uint32_t d = 0; d < t->whole->rank; d++) index[d] = t->begin[d];
  for (uint32_t k = 0; k < t->rank; k++) {
    if (t->dim[k] == UINT32_MAX) continue;
    uint32_t d = t->dim[k];
    index[d] = term_add(tt, t->begin[d], lane[k]);
    if (!t->inside[k]) inside = term_and(tt, inside, term_lt(tt, index[d], t->whole->extent[d]));
  }
  return inside;
}

/* The element, where it lies inside. */
static bool element_at(Mlir *m, const Transfer *t, const MlirValue *out, Term inside, const Term *index, Cell *cell) {
  TermTable *tt = m->tt;
  if (t->whole->kind == MLIR_TENSOR) return *cell = mlir_element(m, t->whole, index), true;
  mlir_need_block(m, t->whole, false, mlir_any(m, out->rank, out->index, out->extent, inside));
  Term before = m->ub;
  m->ub = tt->false_;
  bool good = mlir_load(m, t->whole, index, cell);
  Term own = m->ub;
  m->ub = before;
  mlir_undefined(m, mlir_any(m, out->rank, out->index, out->extent, term_and(tt, inside, own)));
  return good;
}

static bool read_lanes(Mlir *m, const Op *op, const Transfer *t, const Cell *padding) {
  MlirValue v = mlir_tensor_new(m, t->whole->element, t->rank, t->lanes);
  Term index[MLIR_RANK], inside = lane_inside(m, t, v.index, index);
  if (!element_at(m, t, &v, inside, index, &v.cell)) return mlir_unsupported(m, op);
  if (padding) v.cell = mlir_choose(m, inside, v.cell, *padding);
  mlir_set(m, op, 0, v);
  return true;
}

/* source, indices, padding */
bool mlir_transfer_read(Mlir *m, const Op *op) {
  Transfer t;
  uint32_t last = op->operand_count - 1;
  if (!op->operand_count || !op->result_count || !read_transfer(m, op, 0, 1, type_of(m, op->first_result), &t) ||
      last != 1 + t.whole->rank)
    return mlir_unsupported(m, op); /* or a mask */
  return read_lanes(m, op, &t, &mlir_operand(m, op, last)->cell);
}

/* The part of a memref that lanes are written to: fewer than there are, where the others lie outside. */
static bool write_memref(Mlir *m, const Op *op, const Transfer *t, const MlirValue *vector) {
  TermTable *tt = m->tt;
  MlirValue view = *t->whole, lanes = *vector;
  view.rank = t->rank;
  for (uint32_t d = 0; d < t->whole->rank; d++)
    view.offset = term_add(tt, view.offset, term_mul(tt, t->begin[d], t->whole->stride[d]));
  for (uint32_t k = 0; k < t->rank; k++) {
    Term room = term_max(tt, tt->zero, term_sub(tt, t->whole->extent[t->dim[k]], t->begin[t->dim[k]]));
    view.stride[k] = t->whole->stride[t->dim[k]];
    view.extent[k] = t->inside[k] ? t->lanes[k] : term_min(tt, t->lanes[k], room);
    lanes.extent[k] = view.extent[k];
  }
  return mlir_store_tensor(m, &view, &lanes) || mlir_unsupported(m, op);
}

static bool write_tensor(Mlir *m, const Op *op, const Transfer *t, const MlirValue *vector) {
  TermTable *tt = m->tt;
  MlirValue v = *t->whole;
  Term lane[MLIR_RANK], inside = tt->true_;
  bool along[MLIR_RANK] = {false};
  for (uint32_t k = 0; k < t->rank; k++) {
    lane[k] = term_sub(tt, v.index[t->dim[k]], t->begin[t->dim[k]]), along[t->dim[k]] = true;
    inside = term_and(tt, inside, term_and(tt, term_le(tt, tt->zero, lane[k]), term_lt(tt, lane[k], t->lanes[k])));
  }
  for (uint32_t d = 0; d < v.rank; d++)
    if (!along[d]) inside = term_and(tt, inside, term_eq(tt, v.index[d], t->begin[d]));
  v.cell = mlir_choose(m, inside, mlir_element(m, vector, lane), v.cell);
  mlir_set(m, op, 0, v);
  return true;
}

/* vector, destination, indices */
bool mlir_transfer_write(Mlir *m, const Op *op) {
  Transfer t;
  if (op->operand_count < 2 || !read_transfer(m, op, 1, 2, type_of(m, op->operands[0]), &t) ||
      op->operand_count != 2 + t.whole->rank)
    return mlir_unsupported(m, op);
  for (uint32_t k = 0; k < t.rank; k++)
    if (t.dim[k] == UINT32_MAX) return mlir_unsupported(m, op);
  const MlirValue *vector = mlir_operand(m, op, 0);
  if (vector->kind != MLIR_TENSOR) return mlir_unsupported(m, op);
  return t.whole->kind == MLIR_MEMREF ? write_memref(m, op, &t, vector) : write_tensor(m, op, &t, vector);
}

/* All lanes lie inside, along the innermost dimensions: there is no map. */
static bool read_contiguous(Mlir *m, const Op *op, uint32_t memref, const Type *vector, Transfer *t) {
  if (program_op_attr(m->p, op, "permutation_map") || !read_transfer(m, op, memref, memref + 1, vector, t) ||
      t->whole->kind != MLIR_MEMREF || op->operand_count != memref + 1 + t->whole->rank)
    return false;
  for (uint32_t k = 0; k < t->rank; k++) {
    t->inside[k] = true;
    mlir_undefined(m, term_lt(m->tt, t->whole->extent[t->dim[k]], term_add(m->tt, t->begin[t->dim[k]], t->lanes[k])));
  }
  return true;
}

bool mlir_vector_load(Mlir *m, const Op *op) {
  Transfer t;
  if (!op->operand_count || !op->result_count || !read_contiguous(m, op, 0, type_of(m, op->first_result), &t))
    return mlir_unsupported(m, op);
  return read_lanes(m, op, &t, NULL);
}

bool mlir_vector_store(Mlir *m, const Op *op) {
  Transfer t;
  if (op->operand_count < 2 || !read_contiguous(m, op, 1, type_of(m, op->operands[0]), &t) ||
      mlir_operand(m, op, 0)->kind != MLIR_TENSOR)
    return mlir_unsupported(m, op);
  return write_memref(m, op, &t, mlir_operand(m, op, 0));
}

/* Of a scalar, or of a vector whose dimensions are the last ones, or 1. */
bool mlir_vector_broadcast(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  const MlirValue *from = mlir_operand(m, op, 0);
  const Type *type = type_of(m, op->first_result);
  Term extents[MLIR_RANK], index[MLIR_RANK];
  if (type->kind != TYPE_TENSOR || from->kind == MLIR_MEMREF || from->kind == MLIR_NONE || from->rank > type->rank)
    return mlir_unsupported(m, op);
  for (uint32_t k = 0; k < type->rank; k++) extents[k] = term_int(tt, type->dims[k]);
  MlirValue v = mlir_tensor_new(m, type->element, type->rank, extents);
  uint32_t extra = type->rank - from->rank;
  for (uint32_t k = 0; k < from->rank; k++) {
    bool same = from->extent[k] == v.extent[extra + k];
    if (!same && from->extent[k] != tt->one) return mlir_unsupported(m, op);
    index[k] = same ? v.index[extra + k] : tt->zero;
  }
  v.cell = from->kind == MLIR_SCALAR ? from->cell : mlir_element(m, from, index);
  mlir_set(m, op, 0, v);
  return true;
}
