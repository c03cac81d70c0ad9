/* Operations on vectors that move lanes, masks, and accesses lane by lane. Each lane of a result is one of an operand,
 * by its index.
 *
 * A position that is no lane is poison, as of LLVM's extractelement, or undefined behaviour, as releases before had it:
 * a source has poison, which allows less, a target is undefined, and neither alone refutes. */
#include "mlir/internal.h"

static const Type *type_of(const Mlir *m, ValueId id) { return program_value_type(m->p, id); }

/* A vector of the type of result `i`; false: it is none. */
static bool result_vector(Mlir *m, const Op *op, uint32_t i, MlirValue *v) {
  Term extents[MLIR_RANK];
  if (i >= op->result_count) return false;
  const Type *t = type_of(m, op->first_result + i);
  if (t->kind != TYPE_TENSOR) return false;
  for (uint32_t k = 0; k < t->rank; k++) {
    if (t->dims[k] == TYPE_DYNAMIC) return false;
    extents[k] = term_int(m->tt, t->dims[k]);
  }
  *v = mlir_tensor_new(m, t->element, t->rank, extents);
  return true;
}

static const MlirValue *vector_operand(Mlir *m, const Op *op, uint32_t i) {
  if (i >= op->operand_count || mlir_operand(m, op, i)->kind != MLIR_TENSOR) return NULL;
  return mlir_operand(m, op, i);
}

static bool finish(Mlir *m, const Op *op, MlirValue v, Cell cell) {
  v.cell = cell;
  mlir_set(m, op, 0, v);
  return true;
}

/* Integers of an attribute, all of them; UINT32_MAX: there are none, or too many. */
static uint32_t integers(Mlir *m, const Op *op, const char *name, int64_t *out) {
  AttrId id = program_op_attr(m->p, op, name);
  uint32_t count = id ? mlir_integers(m, id, out, MLIR_RANK) : UINT32_MAX;
  return count > MLIR_RANK ? UINT32_MAX : count;
}

/* ---- positions ---- */

/* The positions: numbers, and operands from `next` on; where one is no lane of `v`. UINT32_MAX: they are not read. */
static uint32_t read_positions(Mlir *m, const Op *op, uint32_t next, const MlirValue *v, Term *index, Term *outside) {
  TermTable *tt = m->tt;
  int64_t numbers[MLIR_RANK];
  uint32_t count = integers(m, op, "static_position", numbers);
  if (count == UINT32_MAX) count = integers(m, op, "position", numbers); /* 16 */
  if (count == UINT32_MAX || count > v->rank) return UINT32_MAX;
  *outside = tt->false_;
  for (uint32_t k = 0; k < count; k++) {
    if (numbers[k] == TYPE_DYNAMIC && next >= op->operand_count) return UINT32_MAX;
    const MlirValue *own = numbers[k] == TYPE_DYNAMIC ? mlir_operand(m, op, next++) : NULL;
    index[k] = own ? own->cell.value : term_int(tt, numbers[k]);
    *outside = term_or(tt, *outside, mlir_is_outside(m, index[k], v->extent[k]));
    if (own) *outside = term_or(tt, *outside, own->cell.poison);
  }
  if (m->flags.stays_inside && *outside != tt->false_) {
    mlir_undefined(m, *outside);
    m->run->stays_inside = true;
  }
  return count;
}

static Cell or_poison(Mlir *m, Cell cell, Term poison) {
  cell.poison = term_or(m->tt, cell.poison, poison);
  return cell;
}

bool mlir_vector_extract(Mlir *m, const Op *op) {
  const MlirValue *from = vector_operand(m, op, 0);
  Term index[MLIR_RANK], outside;
  if (!from) return mlir_unsupported(m, op);
  uint32_t count = read_positions(m, op, 1, from, index, &outside);
  if (count == UINT32_MAX) return mlir_unsupported(m, op);
  MlirValue v = mlir_scalar((Cell){0}, from->element);
  if (type_of(m, op->first_result)->kind == TYPE_TENSOR && !result_vector(m, op, 0, &v)) return mlir_unsupported(m, op);
  if (v.kind == MLIR_TENSOR ? v.rank != from->rank - count : count != from->rank) return mlir_unsupported(m, op);
  for (uint32_t k = 0; k < from->rank - count; k++) index[count + k] = v.index[k];
  return finish(m, op, v, or_poison(m, mlir_element(m, from, index), outside));
}

bool mlir_vector_insert(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  const MlirValue *to = vector_operand(m, op, 1), *own = op->operand_count ? mlir_operand(m, op, 0) : NULL;
  Term index[MLIR_RANK], outside, here = tt->true_;
  if (!to) return mlir_unsupported(m, op);
  uint32_t count = read_positions(m, op, 2, to, index, &outside);
  if (count == UINT32_MAX || own->kind == MLIR_MEMREF || own->kind == MLIR_NONE ||
      (own->kind == MLIR_TENSOR ? own->rank != to->rank - count : count != to->rank))
    return mlir_unsupported(m, op);
  for (uint32_t k = 0; k < count; k++) here = term_and(tt, here, term_eq(tt, to->index[k], index[k]));
  Cell cell = own->kind == MLIR_TENSOR ? mlir_element(m, own, to->index + count) : own->cell;
  return finish(m, op, *to, or_poison(m, mlir_choose(m, here, cell, to->cell), outside));
}

/* Operand `at` as the position in a vector of one dimension, without sign; of rank 0 there is none. */
static bool position(Mlir *m, const Op *op, uint32_t at, const MlirValue *v, Term *index, Term *outside) {
  TermTable *tt = m->tt;
  *outside = tt->false_;
  if (op->operand_count == at) return v->rank == 0;
  if (op->operand_count != at + 1 || v->rank != 1) return false;
  const MlirValue *own = mlir_operand(m, op, at);
  uint32_t width = mlir_width(m, own->element);
  *index = width < 64 ? mlir_unsigned(m, own->cell.value, width) : own->cell.value;
  *outside = term_or(tt, own->cell.poison, mlir_is_outside(m, *index, v->extent[0]));
  if (m->flags.stays_inside && *outside != tt->false_) mlir_undefined(m, *outside), m->run->stays_inside = true;
  return true;
}

bool mlir_extract_element(Mlir *m, const Op *op) {
  const MlirValue *from = vector_operand(m, op, 0);
  Term index, outside;
  if (!from || !position(m, op, 1, from, &index, &outside)) return mlir_unsupported(m, op);
  MlirValue v = mlir_scalar((Cell){0}, from->element);
  return finish(m, op, v, or_poison(m, mlir_element(m, from, &index), outside));
}

bool mlir_insert_element(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  const MlirValue *to = vector_operand(m, op, 1);
  Term index, outside;
  if (!to || !position(m, op, 2, to, &index, &outside)) return mlir_unsupported(m, op);
  Term here = to->rank ? term_eq(tt, to->index[0], index) : tt->true_;
  return finish(m, op, *to, or_poison(m, mlir_choose(m, here, mlir_operand(m, op, 0)->cell, to->cell), outside));
}

/* ---- lanes in another order ---- */

/* By the place in row-major order. */
bool mlir_shape_cast(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  const MlirValue *from = vector_operand(m, op, 0);
  Term index[MLIR_RANK], place = tt->zero;
  MlirValue v;
  if (!from || !result_vector(m, op, 0, &v) ||
      mlir_product(tt, v.rank, v.extent) != mlir_product(tt, from->rank, from->extent))
    return mlir_unsupported(m, op);
  for (uint32_t k = 0; k < v.rank; k++) place = term_add(tt, term_mul(tt, place, v.extent[k]), v.index[k]);
  for (uint32_t k = from->rank; k-- > 0; place = term_floordiv(tt, place, from->extent[k]))
    index[k] = k ? term_mod(tt, place, from->extent[k]) : place;
  return finish(m, op, v, mlir_element(m, from, index));
}

bool mlir_vector_transpose(Mlir *m, const Op *op) {
  const MlirValue *from = vector_operand(m, op, 0);
  int64_t order[MLIR_RANK];
  bool seen[MLIR_RANK] = {false};
  Term index[MLIR_RANK];
  MlirValue v;
  uint32_t count = integers(m, op, "permutation", order);
  if (count == UINT32_MAX) count = integers(m, op, "transp", order); /* 16, 17 */
  if (!from || !result_vector(m, op, 0, &v) || v.rank != from->rank || count != v.rank) return mlir_unsupported(m, op);
  for (uint32_t k = 0; k < v.rank; k++) {
    if (order[k] < 0 || order[k] >= v.rank || seen[order[k]] || v.extent[k] != from->extent[order[k]])
      return mlir_unsupported(m, op);
    seen[order[k]] = true, index[order[k]] = v.index[k];
  }
  return finish(m, op, v, mlir_element(m, from, index));
}

bool mlir_extract_strided(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  const MlirValue *from = vector_operand(m, op, 0);
  int64_t offsets[MLIR_RANK], sizes[MLIR_RANK], strides[MLIR_RANK], lanes;
  Term index[MLIR_RANK];
  MlirValue v;
  uint32_t count = integers(m, op, "offsets", offsets);
  if (!from || !result_vector(m, op, 0, &v) || v.rank != from->rank || count > v.rank ||
      integers(m, op, "sizes", sizes) != count || integers(m, op, "strides", strides) != count)
    return mlir_unsupported(m, op);
  for (uint32_t k = 0; k < v.rank; k++) {
    index[k] = v.index[k];
    if (k >= count) {
      if (v.extent[k] != from->extent[k]) return mlir_unsupported(m, op);
      continue;
    }
    if (!term_is_int(tt, from->extent[k], &lanes) || offsets[k] < 0 || strides[k] != 1 || sizes[k] < 0 ||
        offsets[k] > lanes || sizes[k] > lanes - offsets[k] || v.extent[k] != term_int(tt, sizes[k]))
      return mlir_unsupported(m, op);
    index[k] = term_add(tt, index[k], term_int(tt, offsets[k]));
  }
  return finish(m, op, v, mlir_element(m, from, index));
}

/* The source's dimensions are the last ones of the destination. */
bool mlir_insert_strided(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  const MlirValue *from = vector_operand(m, op, 0), *to = vector_operand(m, op, 1);
  int64_t offsets[MLIR_RANK], strides[MLIR_RANK], room, own;
  Term inside = tt->true_, index[MLIR_RANK];
  if (!from || !to || from->rank > to->rank || integers(m, op, "offsets", offsets) != to->rank ||
      integers(m, op, "strides", strides) != from->rank)
    return mlir_unsupported(m, op);
  for (uint32_t k = 0; k < to->rank; k++) {
    uint32_t extra = to->rank - from->rank;
    Term size = k < extra ? tt->one : from->extent[k - extra],
         at = term_sub(tt, to->index[k], term_int(tt, offsets[k]));
    if (offsets[k] < 0 || !term_is_int(tt, to->extent[k], &room) || !term_is_int(tt, size, &own) ||
        own > room - offsets[k] || (k >= extra && strides[k - extra] != 1))
      return mlir_unsupported(m, op);
    inside = term_and(tt, inside, term_and(tt, term_le(tt, tt->zero, at), term_lt(tt, at, size)));
    if (k >= extra) index[k - extra] = at;
  }
  return finish(m, op, *to, mlir_choose(m, inside, mlir_element(m, from, index), to->cell));
}

/* Rows of the two operands, one behind the other; -1 (20): poison. */
bool mlir_shuffle(Mlir *m, const Op *op) {
  enum { MOST_ROWS = 256 };
  TermTable *tt = m->tt;
  const MlirValue *in[2] = {vector_operand(m, op, 0), vector_operand(m, op, 1)};
  int64_t rows[MOST_ROWS], sizes[2] = {1, 1};
  MlirValue v;
  AttrId id = program_op_attr(m->p, op, "mask");
  uint32_t count = id ? mlir_integers(m, id, rows, MOST_ROWS) : UINT32_MAX;
  if (!in[0] || !in[1] || !result_vector(m, op, 0, &v) || count > MOST_ROWS || !count ||
      v.extent[0] != term_int(tt, count))
    return mlir_unsupported(m, op);
  for (int i = 0; i < 2; i++)
    if (in[i]->rank != in[0]->rank || v.rank != (in[i]->rank ? in[i]->rank : 1) ||
        (in[i]->rank && !term_is_int(tt, in[i]->extent[0], &sizes[i])))
      return mlir_unsupported(m, op);
  Cell cell = {0};
  for (uint32_t i = count; i-- > 0;) {
    if (rows[i] < -1 || rows[i] >= sizes[0] + sizes[1]) return mlir_unsupported(m, op);
    Term index[MLIR_RANK];
    int second = rows[i] >= sizes[0];
    memcpy(index, v.index, sizeof index);
    index[0] = term_int(tt, rows[i] < 0 ? 0 : rows[i] - (second ? sizes[0] : 0));
    Cell row = mlir_element(m, in[second], index);
    if (rows[i] < 0) row.poison = tt->true_;
    cell = i + 1 == count ? row : mlir_choose(m, term_eq(tt, v.index[0], term_int(tt, i)), row, cell);
  }
  return finish(m, op, v, cell);
}

/* Along the last dimension, in turn. */
bool mlir_interleave(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  const MlirValue *a = vector_operand(m, op, 0), *b = vector_operand(m, op, 1);
  Term two = term_int(tt, 2), index[MLIR_RANK];
  MlirValue v;
  if (!a || !b || !result_vector(m, op, 0, &v) || a->rank != b->rank || !v.rank || v.rank != (a->rank ? a->rank : 1))
    return mlir_unsupported(m, op);
  uint32_t last = v.rank - 1;
  for (uint32_t k = 0; k < a->rank; k++)
    if (a->extent[k] != b->extent[k] || v.extent[k] != (k == last ? term_mul(tt, two, a->extent[k]) : a->extent[k]))
      return mlir_unsupported(m, op);
  memcpy(index, v.index, sizeof index);
  index[last] = term_floordiv(tt, v.index[last], two);
  Term even = term_eq(tt, term_mod(tt, v.index[last], two), tt->zero);
  return finish(m, op, v, mlir_choose(m, even, mlir_element(m, a, index), mlir_element(m, b, index)));
}

bool mlir_deinterleave(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  const MlirValue *from = vector_operand(m, op, 0);
  Term two = term_int(tt, 2), index[MLIR_RANK];
  for (uint32_t i = 0; i < 2; i++) {
    MlirValue v;
    if (!from || !result_vector(m, op, i, &v) || v.rank != from->rank || !v.rank) return mlir_unsupported(m, op);
    uint32_t last = v.rank - 1;
    for (uint32_t k = 0; k < v.rank; k++)
      if ((k == last ? term_mul(tt, two, v.extent[k]) : v.extent[k]) != from->extent[k]) return mlir_unsupported(m, op);
    memcpy(index, v.index, sizeof index);
    index[last] = term_add(tt, term_mul(tt, two, v.index[last]), term_int(tt, i));
    v.cell = mlir_element(m, from, index);
    mlir_set(m, op, i, v);
  }
  return true;
}

/* Lane by lane: between types of other widths, lanes would be cut or joined. */
bool mlir_vector_bitcast(Mlir *m, const Op *op) {
  const MlirValue *from = vector_operand(m, op, 0);
  Cell cell;
  MlirValue v;
  if (!from || !result_vector(m, op, 0, &v) || mlir_width(m, from->element) != mlir_width(m, v.element) ||
      mlir_width(m, v.element) == 1 || v.rank != from->rank)
    return mlir_unsupported(m, op);
  cell = mlir_element(m, from, v.index);
  TypeId types[2] = {from->element, v.element};
  Cell out = {0};
  return mlir_float_cast(m, op, &cell, types, &out) && finish(m, op, v, out);
}

bool mlir_step(Mlir *m, const Op *op) {
  MlirValue v;
  if (!result_vector(m, op, 0, &v) || v.rank != 1) return mlir_unsupported(m, op);
  return finish(m, op, v, (Cell){v.index[0], m->tt->false_});
}

/* ---- masks ---- */

bool mlir_constant_mask(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  int64_t sizes[MLIR_RANK];
  Term inside = tt->true_;
  MlirValue v;
  uint32_t count = integers(m, op, "mask_dim_sizes", sizes);
  if (!result_vector(m, op, 0, &v) || (count != v.rank && !(v.rank == 0 && count == 1))) return mlir_unsupported(m, op);
  if (!v.rank) inside = term_bool(tt, sizes[0] > 0);
  for (uint32_t k = 0; k < v.rank; k++) inside = term_and(tt, inside, term_lt(tt, v.index[k], term_int(tt, sizes[k])));
  return finish(m, op, v, (Cell){inside, tt->false_});
}

bool mlir_create_mask(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  Cell cell = {tt->true_, tt->false_};
  MlirValue v;
  if (!result_vector(m, op, 0, &v) || op->operand_count != (v.rank ? v.rank : 1)) return mlir_unsupported(m, op);
  for (uint32_t k = 0; k < op->operand_count; k++) {
    Cell size = mlir_operand(m, op, k)->cell;
    cell.value = term_and(tt, cell.value, term_lt(tt, v.rank ? v.index[k] : tt->zero, size.value));
    cell.poison = term_or(tt, cell.poison, size.poison);
  }
  return finish(m, op, v, cell);
}

/* One operation, which asks for the mask itself; lanes that are masked off are those of the second operand. */
bool mlir_mask(Mlir *m, const Op *op) {
  static const char *const maskable[] = {"vector.transfer_read", "vector.transfer_write", "vector.reduction",
                                         "vector.multi_reduction", "vector.contract"};
  const Region *region = op->region_count == 1 ? program_get_region(m->p, op->regions[0]) : NULL;
  if (!region || region->blocks.count != 1 || m->mask || !vector_operand(m, op, 0)) return mlir_unsupported(m, op);
  const Block *block = program_get_block(m->p, region->blocks.data[0]);
  const Op *own = block->ops.count ? program_get_op(m->p, block->ops.data[0]) : NULL;
  bool known = false;
  for (size_t i = 0; own && i < sizeof maskable / sizeof *maskable; i++)
    known = known || !strcmp(intern_string(m->p->names, own->name), maskable[i]);
  bool reads = known && !strcmp(intern_string(m->p->names, own->name), maskable[0]);
  if (!known || block->ops.count > 2 || op->operand_count > (reads ? 2 : 1) || op->result_count != own->result_count)
    return mlir_unsupported(m, op);
  if (block->ops.count == 2) { /* what the generic form says */
    const Op *end = program_get_op(m->p, block->ops.data[1]);
    if (strcmp(intern_string(m->p->names, end->name), "vector.yield") != 0 || end->operand_count != own->result_count)
      return mlir_unsupported(m, op);
    for (uint32_t i = 0; i < end->operand_count; i++)
      if (end->operands[i] != own->first_result + i) return mlir_unsupported(m, op);
  }
  m->mask = mlir_operand(m, op, 0);
  bool good = mlir_run_block(m, region->blocks.data[0]);
  m->mask = NULL;
  for (uint32_t i = 0; good && i < op->result_count; i++) {
    MlirValue v = m->values[own->first_result + i];
    const MlirValue *mask = mlir_operand(m, op, 0);
    if (op->operand_count == 2)
      v.cell = mlir_choose(m, mlir_element(m, mask, v.index).value, v.cell,
                           mlir_element(m, mlir_operand(m, op, 1), v.index));
    mlir_set(m, op, i, v);
  }
  return good;
}

/* ---- lanes at places of their own ---- */

/* A memref or tensor of one dimension, its index, places, mask: the index of a lane. */
static bool read_places(Mlir *m, const Op *op, const Type *vector, Term *lanes, Term *lane, Term *index) {
  TermTable *tt = m->tt;
  if (op->operand_count != 5 || vector->kind != TYPE_TENSOR) return false;
  const MlirValue *base = mlir_operand(m, op, 0), *places = vector_operand(m, op, 2), *mask = mlir_operand(m, op, 3);
  for (uint32_t k = 0; k < vector->rank; k++) lanes[k] = term_int(tt, vector->dims[k]);
  if ((base->kind != MLIR_MEMREF && base->kind != MLIR_TENSOR) || base->rank != 1 || !places ||
      !mlir_fits_mask(m, mask, vector->rank, lanes) || places->rank != vector->rank ||
      places->cell.poison != tt->false_ || mlir_width(m, places->element) == 1)
    return false;
  for (uint32_t k = 0; k < vector->rank; k++)
    if (places->extent[k] != lanes[k]) return false;
  *index = term_add(tt, mlir_size_operand(m, op, 1), mlir_element(m, places, lane).value);
  return true;
}

bool mlir_vector_gather(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  Term lanes[MLIR_RANK], index;
  MlirValue v;
  if (op->operand_count != 5 || !result_vector(m, op, 0, &v) ||
      !read_places(m, op, type_of(m, op->first_result), lanes, v.index, &index))
    return mlir_unsupported(m, op);
  const MlirValue *base = mlir_operand(m, op, 0);
  Term on = mlir_element(m, mlir_operand(m, op, 3), v.index).value;
  mlir_undefined(m,
                 mlir_any(m, v.rank, v.index, v.extent, term_and(tt, on, mlir_is_outside(m, index, base->extent[0]))));
  Cell cell;
  if (base->kind == MLIR_TENSOR) {
    cell = mlir_element(m, base, &index);
  } else {
    if (base->is_loose) return mlir_unsupported(m, op);
    mlir_need_block(m, base, false, mlir_any(m, v.rank, v.index, v.extent, on));
    if (!mlir_load(m, base, &index, &cell)) return mlir_unsupported(m, op);
  }
  return finish(m, op, v, mlir_choose(m, on, cell, mlir_element(m, mlir_operand(m, op, 4), v.index)));
}

/* Lane by lane: of several at one place, the last one stays, as of LLVM's scatter; the dialect leaves that undefined,
 * which a target is, and a source is not. */
bool mlir_vector_scatter(Mlir *m, const Op *op) {
  enum { MOST_LANES = 64 };
  TermTable *tt = m->tt;
  Term lanes[MLIR_RANK], lane, index, before[MOST_LANES], on[MOST_LANES];
  if (op->operand_count != 5) return mlir_unsupported(m, op);
  const Type *type = type_of(m, op->operands[4]);
  const MlirValue *base = mlir_operand(m, op, 0);
  if (base->kind != MLIR_MEMREF || base->is_loose || type->kind != TYPE_TENSOR || type->rank != 1 ||
      type->dims[0] > MOST_LANES || op->result_count)
    return mlir_unsupported(m, op);
  Term outer = m->path;
  bool good = true;
  for (int64_t k = 0; k < type->dims[0] && good; k++) {
    lane = term_int(tt, k);
    if (!read_places(m, op, type, lanes, &lane, &index)) return mlir_unsupported(m, op);
    before[k] = index, on[k] = mlir_element(m, mlir_operand(m, op, 3), &lane).value;
    m->path = term_and(tt, outer, on[k]);
    for (int64_t i = 0; i < k && m->flags.stays_inside; i++) {
      Term twice = term_and(tt, on[i], term_eq(tt, before[i], index));
      if (twice == tt->false_) continue;
      mlir_undefined(m, twice);
      m->run->stays_inside = true;
    }
    mlir_need_inside(m, index, base->extent[0]);
    mlir_need_block(m, base, true, tt->true_);
    good = mlir_store(m, base, &index, mlir_element(m, mlir_operand(m, op, 4), &lane));
    m->path = outer;
  }
  return good || mlir_unsupported(m, op);
}
