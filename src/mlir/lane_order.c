/* Operations of vector that go from lane to lane: scan, expandload, compressstore. Lanes are taken one by one, as the
 * lowerings take them. */
#include "mlir/internal.h"

static const char *kind_of(Mlir *m, const Op *op) {
  const char *kind = program_op_text(m->p, op, "kind");
  const char *open = kind ? strchr(kind, '<') : NULL, *close = open ? strchr(open, '>') : NULL;
  return close ? arena_copy(m->arena, open + 1, (size_t)(close - open - 1)) : kind;
}

/* The number of lanes, if these are to be taken one by one. */
static bool lane_count(Mlir *m, Term extent, int64_t *lanes) {
  return term_is_int(m->tt, extent, lanes) && *lanes >= 1 && *lanes <= MLIR_UNROLL;
}

/* Along one dimension, each result is the one before with what comes: the first is the first element (inclusive), or
 * the initial value, and what comes is the element before. The second result is the last. */
bool mlir_vector_scan(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  const MlirValue *from = mlir_operand(m, op, 0), *init = mlir_operand(m, op, 1);
  const char *kind = kind_of(m, op);
  AttrId flag = program_op_attr(m->p, op, "inclusive");
  int64_t axis = program_op_int(m->p, op, "reduction_dim", -1), lanes;
  Term index[MLIR_RANK], rest[MLIR_RANK];
  if (from->kind != MLIR_TENSOR || axis < 0 || axis >= from->rank || !flag || !kind || m->mask ||
      !lane_count(m, from->extent[axis], &lanes) || init->kind != MLIR_TENSOR || init->rank + 1 != from->rank)
    return mlir_unsupported(m, op);
  bool is_inclusive = program_get_attr(m->p, flag)->integer != 0;
  MlirValue all = mlir_tensor_new(m, from->element, from->rank, from->extent);
  memcpy(index, all.index, sizeof index);
  for (uint32_t k = 0; k < init->rank; k++) rest[k] = all.index[k + (k >= axis)];
  Cell last = mlir_element(m, init, rest), before = {0};
  for (int64_t i = 0; i < lanes; i++) {
    index[axis] = term_int(tt, i);
    Cell own = mlir_element(m, from, index);
    if (i || is_inclusive) last = i ? mlir_vector_step(m, kind, from->element, last, is_inclusive ? own : before) : own;
    if (!last.value) return mlir_unsupported(m, op);
    all.cell = i ? mlir_choose(m, term_eq(tt, all.index[axis], index[axis]), last, all.cell) : last;
    before = own;
  }
  MlirValue sum = mlir_tensor_new(m, init->element, init->rank, init->extent);
  TermMap map = {init->rank, rest, sum.index};
  sum.cell = (Cell){term_substitute(tt, last.value, map), term_substitute(tt, last.poison, map)};
  mlir_set(m, op, 0, all);
  mlir_set(m, op, 1, sum);
  return true;
}

/* memref, indices, mask, vector: the lanes of the mask are one behind the other in memory. */
typedef struct Packed {
  const MlirValue *whole, *mask, *vector;
  Term index[MLIR_RANK], first;
  int64_t lanes;
} Packed;

static bool read_packed(Mlir *m, const Op *op, Packed *p) {
  uint32_t count = op->operand_count;
  if (count < 4) return false;
  p->whole = mlir_operand(m, op, 0);
  p->mask = mlir_operand(m, op, count - 2), p->vector = mlir_operand(m, op, count - 1);
  if (p->whole->kind != MLIR_MEMREF || !p->whole->rank || count != p->whole->rank + 3 || m->mask ||
      p->vector->kind != MLIR_TENSOR || p->vector->rank != 1 || p->vector->element != p->whole->element ||
      !mlir_fits_mask(m, p->mask, 1, p->vector->extent) || !lane_count(m, p->vector->extent[0], &p->lanes))
    return false;
  for (uint32_t d = 0; d < p->whole->rank; d++) p->index[d] = mlir_size_operand(m, op, 1 + d);
  p->first = p->index[p->whole->rank - 1];
  return true;
}

/* Where the path goes on to a lane: the condition that it is of the mask. Its indices must be inside there. */
static Term enter_lane(Mlir *m, Packed *p, int64_t lane, Term *before) {
  TermTable *tt = m->tt;
  Term at = term_int(tt, lane), taken = mlir_as_bool(tt, mlir_element(m, p->mask, &at).value);
  m->path = term_and(tt, m->path, taken);
  p->index[p->whole->rank - 1] = term_add(tt, p->first, *before);
  for (uint32_t d = 0; d < p->whole->rank; d++) mlir_need_inside(m, p->index[d], p->whole->extent[d]);
  *before = term_add(tt, *before, mlir_as_int(tt, taken));
  return taken;
}

bool mlir_expandload(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  Packed p;
  Term before = tt->zero, path = m->path;
  if (!op->result_count || !read_packed(m, op, &p)) return mlir_unsupported(m, op);
  MlirValue v = mlir_tensor_new(m, p.vector->element, 1, p.vector->extent);
  v.cell = mlir_element(m, p.vector, v.index);
  for (int64_t i = 0; i < p.lanes; i++) {
    Cell own;
    Term taken = enter_lane(m, &p, i, &before);
    bool good = mlir_load(m, p.whole, p.index, &own);
    m->path = path;
    if (!good) return mlir_unsupported(m, op);
    v.cell = mlir_choose(m, term_and(tt, taken, term_eq(tt, v.index[0], term_int(tt, i))), own, v.cell);
  }
  mlir_set(m, op, 0, v);
  return true;
}

bool mlir_compressstore(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  Packed p;
  Term before = tt->zero, path = m->path;
  if (!read_packed(m, op, &p)) return mlir_unsupported(m, op);
  for (int64_t i = 0; i < p.lanes; i++) {
    Term at = term_int(tt, i);
    enter_lane(m, &p, i, &before);
    bool good = mlir_store(m, p.whole, p.index, mlir_element(m, p.vector, &at));
    m->path = path;
    if (!good) return mlir_unsupported(m, op);
  }
  return true;
}
