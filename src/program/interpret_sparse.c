/* Lanes that stand for others: what lets the cost of a run not depend on the size of a block.
 *
 * Of an axis with INTERPRET_SPARSE_LEAST positions or more only INTERPRET_SPARSE_DIM are computed: the first
 * INTERPRET_SPARSE_HEAD, the last INTERPRET_SPARSE_TAIL, and the two ends of the run between them. Each lane that is
 * computed is exact; a mark on the ends of a run tells what is known of the lanes between them: none     they hold the
 * same value, AFFINE   (integers, addresses) they lie on the line, or plane, through the ends, VARIES   nothing. A
 * masked tail is uniform, so a fold takes it as a power of one value and a contraction as a multiple; the mask itself
 * is the comparison of a line with a bound, which is uniform when it is the same at every end. What a run stores is
 * written but UNSEEN. Where lanes between would have to be known the launch stops with INTERPRET_NEEDS_LANES. */
#include "program/interpret_state.h"

enum { MOST_CORNERS = 16 };

int64_t interpret_dim(const Interp *it, int64_t dim) {
  return it->options->sparse && dim >= INTERPRET_SPARSE_LEAST ? INTERPRET_SPARSE_DIM : dim;
}

int64_t interpret_position(const Interp *it, int64_t dim, int64_t index) {
  return interpret_dim(it, dim) == dim || index <= INTERPRET_SPARSE_HEAD ? index : dim - INTERPRET_SPARSE_DIM + index;
}

_Noreturn void interpret_need_lanes(Interp *it) {
  interpret_fail(it, INTERPRET_NEEDS_LANES, "%s needs every lane", intern_string(it->program->names, it->op->name));
}

bool interpret_is_sparse(const Interp *it, TypeId type) {
  const Type *t = program_get_type(it->program, type);
  for (uint32_t d = 0; t->kind == TYPE_TENSOR && d < t->rank; d++)
    if (interpret_dim(it, t->dims[d]) != t->dims[d]) return true;
  return false;
}

int64_t interpret_lane_number(const Interp *it, int64_t lane) {
  const Op *op = it->op;
  ValueId value = !op ? 0 : op->result_count ? op->first_result : op->operand_count ? op->operands[0] : 0;
  if (!value || it->batch != 1) return lane;
  const Type *t = program_get_type(it->program, it->program->values.data[value].type);
  int64_t number = 0, step = 1;
  if (t->kind != TYPE_TENSOR) return lane;
  for (uint32_t d = t->rank; d-- > 0; step *= t->dims[d]) {
    int64_t dim = interpret_dim(it, t->dims[d]);
    number += interpret_position(it, t->dims[d], lane % dim) * step;
    lane /= dim;
  }
  return number;
}

/* The lanes at the ends of the runs that `lane` is an end of, itself among them; for each axis with a run in `steps`
 * how far its ends lie apart. */
typedef struct Corners {
  uint32_t count, axes;
  int64_t lanes[MOST_CORNERS]; /* bit a of the number: the end along axis a */
  int64_t between[4];          /* by axis: positions from one end to the other */
  bool is_first;               /* `lane` is lanes[0] */
} Corners;

static Corners corners_of(Interp *it, TypeId type, int64_t lane) {
  const Type *t = program_get_type(it->program, type);
  Corners c = {.count = 1, .lanes = {lane}, .is_first = true};
  if (it->paired) return (Corners){.count = 2, .lanes = {lane & ~1, lane | 1}, .is_first = !(lane & 1)};
  int64_t step = 1, rest = lane;
  for (uint32_t d = t->rank; t->kind == TYPE_TENSOR && d-- > 0;) {
    int64_t dim = interpret_dim(it, t->dims[d]), index = rest % dim;
    rest /= dim;
    if (dim != t->dims[d] && (index == INTERPRET_SPARSE_HEAD || index == INTERPRET_SPARSE_HEAD + 1)) {
      if (c.axes == 4) interpret_need_lanes(it);
      if (index != INTERPRET_SPARSE_HEAD) c.is_first = false;
      for (uint32_t i = 0; i < c.count; i++) {
        c.lanes[i] -= (index - INTERPRET_SPARSE_HEAD) * step;
        c.lanes[c.count + i] = c.lanes[i] + step;
      }
      c.count *= 2;
      c.between[c.axes++] = t->dims[d] - INTERPRET_SPARSE_DIM + 1;
    }
    step *= dim;
  }
  return c;
}

static uint8_t mark_of(const Lanes *lanes, int64_t lane) { return lanes->mark ? lanes->mark[lane] : 0; }

uint32_t interpret_order(Interp *it, TypeId type, const Lanes *a, const Lanes *b, int64_t lane) {
  Corners c = corners_of(it, type, lane);
  uint32_t order = 0;
  if ((it->batch != 1 && !it->paired) || c.count == 1) return 0;
  bool below_zero = a->i[lane] < 0 || b->i[lane] < 0;
  for (uint32_t i = 0; i < c.count; i++) {
    int64_t x = a->i[c.lanes[i]], y = b->i[c.lanes[i]];
    if ((mark_of(a, c.lanes[i]) | mark_of(b, c.lanes[i])) & MARK_VARIES) return 0;
    if ((x < 0 || y < 0) != below_zero || (below_zero && ((x < 0) != (a->i[lane] < 0) || (y < 0) != (b->i[lane] < 0))))
      return 0;
    order |= x < y ? ORDER_LESS : x == y ? ORDER_EQUAL : ORDER_GREATER;
  }
  return order;
}

void interpret_commit(uint8_t *mark) {
  if (*mark & MARK_AFFINE) *mark = (uint8_t)((*mark & ~MARK_AFFINE) | MARK_VARIES);
}

void interpret_commit_all(Lanes *lanes) {
  for (int64_t k = 0; lanes->mark && k < lanes->count; k++) interpret_commit(&lanes->mark[k]);
}

bool interpret_is_between(Interp *it, TypeId type, int64_t lane, int64_t except) {
  const Type *t = program_get_type(it->program, type);
  for (uint32_t d = t->rank; d-- > 0;) {
    int64_t dim = interpret_dim(it, t->dims[d]), index = lane % dim;
    lane /= dim;
    if (d != except && dim != t->dims[d] && (index == INTERPRET_SPARSE_HEAD || index == INTERPRET_SPARSE_HEAD + 1))
      return true;
  }
  return false;
}

/* ---- what a run writes */

static void mark_line(uint8_t *shadow, int64_t element, int64_t step, int64_t count) {
  if (step == 1) {
    for (int64_t t = 0; t <= count; t++) shadow[element + t] = INTERPRET_WRITTEN | INTERPRET_UNSEEN;
  } else {
    for (int64_t t = 0; t <= count; t++) shadow[element + t * step] = INTERPRET_WRITTEN | INTERPRET_UNSEEN;
  }
}

static void mark_plane(uint8_t *shadow, int64_t element, const int64_t *steps, const Corners *c, uint32_t axis) {
  if (!axis) {
    mark_line(shadow, element, steps[0], c->between[0]);
    return;
  }
  for (int64_t t = 0; t <= c->between[axis]; t++) mark_plane(shadow, element + t * steps[axis], steps, c, axis - 1);
}

/* All corners lie in one buffer, on elements: what is between does too. */
static bool corner_elements(Interp *it, const Corners *c, const Lanes *at, uint32_t size, int64_t *elements,
                            InterpretBuffer **buffer) {
  uint64_t zone = (uint64_t)at->i[c->lanes[0]] >> ADDRESS_SHIFT;
  if (!zone || zone > it->memory_count) return false;
  const Memory *m = &it->memories[zone - 1];
  *buffer = m->buffer;
  for (uint32_t i = 0; i < c->count; i++) {
    int64_t offset = (int64_t)((uint64_t)at->i[c->lanes[i]] - (zone << ADDRESS_SHIFT));
    if (offset < 0 || offset + size > m->buffer->count * m->element.size) return false;
    if (m->element.size != size || offset % size) interpret_need_lanes(it);
    elements[i] = offset / size;
  }
  return true;
}

void interpret_spread(Interp *it, TypeId type, const Lanes *at, const Lanes *mask, const Lanes *values, uint32_t size) {
  if (!interpret_is_sparse(it, type)) return;
  for (int64_t k = 0; k < at->count; k++) {
    Corners c = corners_of(it, type, k);
    int64_t elements[MOST_CORNERS], steps[4];
    InterpretBuffer *buffer;
    uint8_t marks = 0;
    if (c.count == 1 || !c.is_first) continue;
    for (uint32_t i = 0; i < c.count; i++) {
      if (mask->i && mark_of(mask, c.lanes[i]) & (MARK_VARIES | MARK_AFFINE)) interpret_need_lanes(it);
      marks |= mark_of(at, c.lanes[i]);
    }
    if (mask->i && !(mask->i[k] & 1)) continue;
    if (marks & MARK_VARIES) interpret_need_lanes(it);
    if (!(marks & MARK_AFFINE) && (!values || mark_of(values, k) & (MARK_VARIES | MARK_AFFINE)))
      interpret_need_lanes(it);
    if (!corner_elements(it, &c, at, size, elements, &buffer)) continue;
    for (uint32_t a = 0; a < c.axes; a++) {
      int64_t apart = elements[1u << a] - elements[0];
      if (apart % c.between[a]) interpret_need_lanes(it);
      steps[a] = apart / c.between[a];
    }
    mark_plane(buffer->shadow, elements[0], steps, &c, c.axes - 1);
  }
}
