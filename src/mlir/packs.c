/* tensor.gather, pack and unpack: each element of the result is one of the source, or padding. */
#include "mlir/internal.h"

/* ---- gather ---- */

/* The last dimension of the indices says where, along the gathered dimensions; undefined where that is outside. */
bool mlir_gather(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  const MlirValue *from = mlir_operand(m, op, 0), *at = mlir_operand(m, op, 1);
  const Type *type = program_value_type(m->p, op->first_result);
  int64_t dims[MLIR_RANK], place[MLIR_RANK];
  Term extents[MLIR_RANK], index[MLIR_RANK], where[MLIR_RANK], outside = tt->false_;
  uint32_t count = mlir_integers(m, program_op_attr(m->p, op, "gather_dims"), dims, MLIR_RANK), batch = at->rank - 1;
  if (from->kind != MLIR_TENSOR || at->kind != MLIR_TENSOR || type->kind != TYPE_TENSOR || !at->rank ||
      count > from->rank || at->extent[batch] != term_int(tt, count))
    return mlir_unsupported(m, op);
  bool is_full = type->rank == batch + from->rank;
  if (!is_full && type->rank != batch + from->rank - count) return mlir_unsupported(m, op);
  for (uint32_t d = 0; d < from->rank; d++) place[d] = -1;
  for (uint32_t g = 0; g < count; g++) {
    if (dims[g] < 0 || dims[g] >= from->rank || place[dims[g]] >= 0) return mlir_unsupported(m, op);
    place[dims[g]] = g;
  }
  uint32_t rank = batch;
  for (uint32_t k = 0; k < batch; k++) extents[k] = at->extent[k];
  for (uint32_t d = 0; d < from->rank; d++)
    if (place[d] < 0 || is_full) extents[rank++] = place[d] < 0 ? from->extent[d] : tt->one;
  MlirValue v = mlir_tensor_new(m, from->element, rank, extents);
  for (uint32_t k = 0; k < batch; k++) where[k] = v.index[k];
  for (uint32_t d = 0, next = batch; d < from->rank; d++) {
    if (place[d] < 0) {
      index[d] = v.index[next++];
      continue;
    }
    where[batch] = term_int(tt, place[d]);
    Cell cell = mlir_element(m, at, where);
    index[d] = mlir_as_int(tt, cell.value), next += is_full;
    Term inside = term_and(tt, term_le(tt, tt->zero, index[d]), term_lt(tt, index[d], from->extent[d]));
    outside = term_or(tt, outside, term_or(tt, cell.poison, term_not(tt, inside)));
  }
  mlir_undefined(m, mlir_any(m, batch, v.index, v.extent, outside));
  v.cell = mlir_element(m, from, index);
  mlir_need_type(m, &v, program_get_value(m->p, op->first_result)->type);
  mlir_set(m, op, 0, v);
  return true;
}

/* The other way: each element of the source goes to its place in the destination; where two meet, it is undefined, as
 * `unique` promises that none do. All dimensions are scattered along, or those that remain have their whole size. */
bool mlir_tensor_scatter(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  const MlirValue *from = mlir_operand(m, op, 0), *to = mlir_operand(m, op, 1), *at = mlir_operand(m, op, 2);
  int64_t dims[MLIR_RANK];
  if (from->kind != MLIR_TENSOR || to->kind != MLIR_TENSOR || at->kind != MLIR_TENSOR || at->rank != 2 ||
      !program_op_attr(m->p, op, "unique") || mlir_width(m, to->element) == 1)
    return mlir_unsupported(m, op);
  uint32_t count = mlir_integers(m, program_op_attr(m->p, op, "scatter_dims"), dims, MLIR_RANK);
  bool is_full = from->rank == 1 + to->rank;
  if (count != 1 || dims[0] < 0 || dims[0] >= to->rank || at->extent[1] != tt->one ||
      (!is_full && from->rank != to->rank))
    return mlir_unsupported(m, op);
  uint32_t axis = (uint32_t)dims[0];
  Term k = at->index[0], other = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), index[MLIR_RANK];
  term_symbol_range(tt, other, tt->zero, term_sub(tt, k, tt->one));
  Cell place = mlir_element(m, at, (Term[]){k, tt->zero});
  place.value = mlir_as_int(tt, place.value);
  Term before = mlir_as_int(tt, mlir_element(m, at, (Term[]){other, tt->zero}).value);
  Term same = term_fold(tt, FOLD_ANY, other, tt->zero, k, tt->true_, term_eq(tt, place.value, before));
  Term bad = term_or(tt, place.poison, term_or(tt, mlir_is_outside(m, place.value, to->extent[axis]), same));
  mlir_undefined(m, mlir_any(m, 1, &k, at->extent, bad));
  mlir_need_equal(m, from->extent[0], at->extent[0]);
  MlirValue v = *to;
  index[0] = k;
  for (uint32_t d = 0, next = 1; d < to->rank; d++) {
    if (d == axis && !is_full) continue;
    mlir_need_equal(m, from->extent[next], d == axis ? tt->one : to->extent[d]);
    index[next++] = d == axis ? tt->zero : v.index[d];
  }
  Cell own = mlir_element(m, from, index);
  Term here = term_eq(tt, place.value, v.index[axis]);
  int64_t rows;
  if (term_is_int(tt, at->extent[0], &rows) && rows <= MLIR_UNROLL) { /* one after the other */
    for (int64_t i = 0; i < rows; i++) {
      Term row = term_int(tt, i);
      Cell cell = {term_replace(tt, own.value, k, row), term_replace(tt, own.poison, k, row)};
      v.cell = mlir_choose(m, term_replace(tt, here, k, row), cell, v.cell);
    }
    mlir_set(m, op, 0, v);
    return true;
  }
  Term any = term_fold(tt, FOLD_ANY, k, tt->zero, at->extent[0], tt->true_, here);
  Cell written = {term_fold(tt, FOLD_SUM, k, tt->zero, at->extent[0], here, own.value),
                  term_fold(tt, FOLD_ANY, k, tt->zero, at->extent[0], here, own.poison)};
  v.cell = mlir_choose(m, any, written, v.cell);
  mlir_set(m, op, 0, v);
  return true;
}

/* ---- pack, unpack ---- */

typedef struct Tiles { /* of the tensor that is not packed */
  uint32_t rank, count;
  uint32_t outer[MLIR_RANK]; /* by dimension: of the packed tensor */
  int64_t dim[MLIR_RANK];    /* by tile: that it is of, with the size */
  Term size[MLIR_RANK];
} Tiles;

/* A size that is an operand: undefined where it is not positive. */
static Term tile_operand(Mlir *m, const Op *op, uint32_t i) {
  TermTable *tt = m->tt;
  Term size = mlir_size_operand(m, op, i), bad = term_lt(tt, size, tt->one);
  mlir_undefined(m, bad);
  return bad == tt->false_ ? size : term_select(tt, bad, tt->one, size);
}

/* Sizes that are operands are so from `next` on. */
static bool read_tiles(Mlir *m, const Op *op, uint32_t rank, uint32_t next, Tiles *t) {
  int64_t order[MLIR_RANK], sizes[MLIR_RANK];
  AttrId perm = program_op_attr(m->p, op, "outer_dims_perm");
  uint32_t ordered = perm ? mlir_integers(m, perm, order, MLIR_RANK) : 0;
  *t = (Tiles){.rank = rank};
  uint32_t count = mlir_integers(m, program_op_attr(m->p, op, "inner_dims_pos"), t->dim, MLIR_RANK);
  if (count > MLIR_RANK || rank + count > MLIR_RANK || (ordered && ordered != rank) ||
      mlir_integers(m, program_op_attr(m->p, op, "static_inner_tiles"), sizes, MLIR_RANK) != count)
    return false;
  t->count = count;
  for (uint32_t k = 0; k < rank; k++) t->outer[k] = ordered ? UINT32_MAX : k;
  for (uint32_t k = 0; k < ordered; k++) {
    if (order[k] < 0 || order[k] >= rank || t->outer[order[k]] != UINT32_MAX) return false;
    t->outer[order[k]] = k;
  }
  for (uint32_t k = 0; k < count; k++) {
    bool is_operand = sizes[k] == TYPE_DYNAMIC;
    if ((is_operand ? next >= op->operand_count : sizes[k] < 1) || t->dim[k] < 0 || t->dim[k] >= rank) return false;
    for (uint32_t i = 0; i < k; i++)
      if (t->dim[i] == t->dim[k]) return false;
    t->size[k] = is_operand ? tile_operand(m, op, next++) : term_int(m->tt, sizes[k]);
  }
  return next == op->operand_count;
}

/* The packed tensor has as many tiles as the elements need. */
static void need_packed_shape(Mlir *m, const Tiles *t, const MlirValue *plain, const MlirValue *packed) {
  TermTable *tt = m->tt;
  Term outer[MLIR_RANK];
  for (uint32_t d = 0; d < t->rank; d++) outer[d] = plain->extent[d];
  for (uint32_t k = 0; k < t->count; k++) {
    outer[t->dim[k]] = term_cdiv(tt, plain->extent[t->dim[k]], t->size[k]);
    mlir_need_equal(m, packed->extent[t->rank + k], t->size[k]);
  }
  for (uint32_t d = 0; d < t->rank; d++) mlir_need_equal(m, packed->extent[t->outer[d]], outer[d]);
}

/* source, destination, padding if any */
bool mlir_pack(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  const MlirValue *from = mlir_operand(m, op, 0), *to = mlir_operand(m, op, 1);
  int64_t segments[4] = {1, 1, 0, 0};
  Term index[MLIR_RANK], inside = tt->true_;
  Tiles t;
  AttrId id = program_op_attr(m->p, op, "operandSegmentSizes");
  if ((id && mlir_integers(m, id, segments, 4) != 4) || segments[2] < 0 || segments[2] > 1 ||
      op->operand_count < 2 + (uint32_t)segments[2] || from->kind != MLIR_TENSOR || to->kind != MLIR_TENSOR ||
      !read_tiles(m, op, from->rank, 2 + (uint32_t)segments[2], &t) || to->rank != t.rank + t.count)
    return mlir_unsupported(m, op);
  need_packed_shape(m, &t, from, to);
  MlirValue v = mlir_tensor_new(m, from->element, to->rank, to->extent);
  for (uint32_t d = 0; d < t.rank; d++) index[d] = v.index[t.outer[d]];
  for (uint32_t k = 0; k < t.count; k++) {
    Term extent = from->extent[t.dim[k]];
    index[t.dim[k]] = term_add(tt, term_mul(tt, index[t.dim[k]], t.size[k]), v.index[t.rank + k]);
    if (!segments[2])
      mlir_need_equal(m, term_mod(tt, extent, t.size[k]), tt->zero);
    else
      inside = term_and(tt, inside, term_lt(tt, index[t.dim[k]], extent));
  }
  v.cell = mlir_element(m, from, index);
  if (segments[2]) v.cell = mlir_choose(m, inside, v.cell, mlir_operand(m, op, 2)->cell);
  mlir_set(m, op, 0, v);
  return true;
}

bool mlir_unpack(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  const MlirValue *from = mlir_operand(m, op, 0), *to = mlir_operand(m, op, 1);
  Term index[MLIR_RANK];
  Tiles t;
  if (op->operand_count < 2 || from->kind != MLIR_TENSOR || to->kind != MLIR_TENSOR ||
      !read_tiles(m, op, to->rank, 2, &t) || from->rank != t.rank + t.count)
    return mlir_unsupported(m, op);
  need_packed_shape(m, &t, to, from);
  MlirValue v = mlir_tensor_new(m, from->element, to->rank, to->extent);
  for (uint32_t d = 0; d < t.rank; d++) index[t.outer[d]] = v.index[d];
  for (uint32_t k = 0; k < t.count; k++) {
    Term whole = v.index[t.dim[k]];
    index[t.outer[t.dim[k]]] = term_floordiv(tt, whole, t.size[k]);
    index[t.rank + k] = term_mod(tt, whole, t.size[k]);
  }
  v.cell = mlir_element(m, from, index);
  mlir_set(m, op, 0, v);
  return true;
}
