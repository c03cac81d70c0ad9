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
  const MlirValue *mask; /* of its lanes; NULL: all */
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

/* Undefined where a lane lies outside of what the flags promise; of lanes that are masked off, nothing is asked. */
static void need_lanes(Mlir *m, const Transfer *t, const bool *along) {
  TermTable *tt = m->tt;
  const MlirValue *v = t->whole, *mask = t->mask;
  if (mask) {
    Term bad = tt->false_;
    for (uint32_t d = 0; d < v->rank; d++)
      if (!along[d]) bad = term_or(tt, bad, mlir_is_outside(m, t->begin[d], v->extent[d]));
    for (uint32_t k = 0; k < t->rank; k++) {
      if (t->dim[k] == UINT32_MAX) continue;
      Term index = term_add(tt, t->begin[t->dim[k]], mask->index[k]);
      bad = term_or(tt, bad, term_lt(tt, index, tt->zero));
      if (t->inside[k]) bad = term_or(tt, bad, term_le(tt, v->extent[t->dim[k]], index));
    }
    mlir_undefined(m, mlir_any(m, mask->rank, mask->index, mask->extent, term_and(tt, mask->cell.value, bad)));
    return;
  }
  for (uint32_t k = 0; k < t->rank; k++) {
    if (t->dim[k] == UINT32_MAX) continue;
    uint32_t d = t->dim[k];
    mlir_undefined(m, term_lt(tt, t->begin[d], tt->zero));
    if (t->inside[k]) mlir_undefined(m, term_lt(tt, v->extent[d], term_add(tt, t->begin[d], t->lanes[k])));
  }
  for (uint32_t d = 0; d < v->rank; d++)
    if (!along[d]) mlir_need_inside(m, t->begin[d], v->extent[d]);
}

bool mlir_fits_mask(const Mlir *m, const MlirValue *mask, uint32_t rank, const Term *lanes) {
  if (mask->kind != MLIR_TENSOR || mask->rank != rank || mask->cell.poison != m->tt->false_) return false;
  for (uint32_t k = 0; k < rank; k++)
    if (mask->extent[k] != lanes[k]) return false;
  return true;
}

/* The indices are operands from `first` on. `mask`: an operand behind all others, or of the vector.mask around. */
static bool read_transfer(Mlir *m, const Op *op, uint32_t whole, uint32_t first, const Type *vector,
                          const MlirValue *mask, bool all_inside, Transfer *t) {
  TermTable *tt = m->tt;
  int64_t flags[MLIR_RANK];
  *t = (Transfer){.whole = mlir_operand(m, op, whole), .rank = vector->rank, .mask = mask};
  const MlirValue *v = t->whole;
  if ((v->kind != MLIR_MEMREF && v->kind != MLIR_TENSOR) || vector->kind != TYPE_TENSOR ||
      op->operand_count < first + v->rank || !read_map(m, op, t))
    return false;
  uint32_t flag_count = mlir_integers(m, program_op_attr(m->p, op, "in_bounds"), flags, MLIR_RANK);
  bool is_named = !program_op_attr(m->p, op, "in_bounds"), along[MLIR_RANK] = {false};
  if (!is_named && flag_count != t->rank) return false;
  for (uint32_t d = 0; d < v->rank; d++) t->begin[d] = mlir_size_operand(m, op, first + d);
  for (uint32_t k = 0; k < t->rank; k++) {
    t->lanes[k] = term_int(tt, vector->dims[k]), t->inside[k] = all_inside || (!is_named && flags[k]);
    if (t->dim[k] != UINT32_MAX) along[t->dim[k]] = true;
  }
  /* a mask has the shape of the memory: where that is the vector's */
  if (mask && (program_op_attr(m->p, op, "permutation_map") || !mlir_fits_mask(m, mask, t->rank, t->lanes)))
    return false;
  need_lanes(m, t, along);
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
  if (t->mask) inside = term_and(tt, inside, mlir_element(m, t->mask, lane).value);
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

/* The last operand, if there is one more than `count`; else that of the vector.mask around. */
static const MlirValue *mask_of(Mlir *m, const Op *op, uint32_t count) {
  return op->operand_count == count + 1 ? mlir_operand(m, op, count) : m->mask;
}

/* source, indices, padding, mask if any */
bool mlir_transfer_read(Mlir *m, const Op *op) {
  Transfer t;
  uint32_t count = op->operand_count ? 2 + mlir_operand(m, op, 0)->rank : 0;
  if (!count || op->operand_count < count || op->operand_count > count + 1 || !op->result_count ||
      !read_transfer(m, op, 0, 1, type_of(m, op->first_result), mask_of(m, op, count), false, &t))
    return mlir_unsupported(m, op);
  return read_lanes(m, op, &t, &mlir_operand(m, op, count - 1)->cell);
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
  return mlir_store_masked(m, &view, &lanes, t->mask) || mlir_unsupported(m, op);
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
  if (t->mask) inside = term_and(tt, inside, mlir_element(m, t->mask, lane).value);
  v.cell = mlir_choose(m, inside, mlir_element(m, vector, lane), v.cell);
  mlir_set(m, op, 0, v);
  return true;
}

/* vector, destination, indices, mask if any */
bool mlir_transfer_write(Mlir *m, const Op *op) {
  Transfer t;
  uint32_t count = op->operand_count < 2 ? UINT32_MAX : 2 + mlir_operand(m, op, 1)->rank;
  if (op->operand_count < count || op->operand_count > count + 1 ||
      !read_transfer(m, op, 1, 2, type_of(m, op->operands[0]), mask_of(m, op, count), false, &t))
    return mlir_unsupported(m, op);
  for (uint32_t k = 0; k < t.rank; k++)
    if (t.dim[k] == UINT32_MAX) return mlir_unsupported(m, op);
  const MlirValue *vector = mlir_operand(m, op, 0);
  if (vector->kind != MLIR_TENSOR) return mlir_unsupported(m, op);
  return t.whole->kind == MLIR_MEMREF ? write_memref(m, op, &t, vector) : write_tensor(m, op, &t, vector);
}

/* All lanes lie inside, along the innermost dimensions: there is no map. `behind`: operands behind the indices. */
static bool read_contiguous(Mlir *m, const Op *op, uint32_t memref, uint32_t behind, const Type *vector,
                            const MlirValue *mask, Transfer *t) {
  return !program_op_attr(m->p, op, "permutation_map") && mlir_operand(m, op, memref)->kind == MLIR_MEMREF &&
         op->operand_count == memref + 1 + mlir_operand(m, op, memref)->rank + behind &&
         read_transfer(m, op, memref, memref + 1, vector, mask, true, t);
}

bool mlir_vector_load(Mlir *m, const Op *op) {
  Transfer t;
  if (!op->operand_count || !op->result_count || !read_contiguous(m, op, 0, 0, type_of(m, op->first_result), NULL, &t))
    return mlir_unsupported(m, op);
  return read_lanes(m, op, &t, NULL);
}

bool mlir_vector_store(Mlir *m, const Op *op) {
  Transfer t;
  if (op->operand_count < 2 || !read_contiguous(m, op, 1, 0, type_of(m, op->operands[0]), NULL, &t) ||
      mlir_operand(m, op, 0)->kind != MLIR_TENSOR)
    return mlir_unsupported(m, op);
  return write_memref(m, op, &t, mlir_operand(m, op, 0));
}

/* memref, indices, mask, what lanes are that are masked off */
bool mlir_masked_load(Mlir *m, const Op *op) {
  Transfer t;
  uint32_t last = op->operand_count - 1;
  if (op->operand_count < 3 || !op->result_count ||
      !read_contiguous(m, op, 0, 2, type_of(m, op->first_result), mlir_operand(m, op, last - 1), &t))
    return mlir_unsupported(m, op);
  MlirValue v = mlir_tensor_new(m, t.whole->element, t.rank, t.lanes);
  Term index[MLIR_RANK], inside = lane_inside(m, &t, v.index, index);
  if (!element_at(m, &t, &v, inside, index, &v.cell)) return mlir_unsupported(m, op);
  v.cell = mlir_choose(m, inside, v.cell, mlir_element(m, mlir_operand(m, op, last), v.index));
  mlir_set(m, op, 0, v);
  return true;
}

/* memref, indices, mask, vector */
bool mlir_masked_store(Mlir *m, const Op *op) {
  Transfer t;
  uint32_t last = op->operand_count - 1;
  if (op->operand_count < 3 ||
      !read_contiguous(m, op, 0, 2, type_of(m, op->operands[last]), mlir_operand(m, op, last - 1), &t))
    return mlir_unsupported(m, op);
  return write_memref(m, op, &t, mlir_operand(m, op, last));
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
