/* Shapes, contractions and folds of the interpreter.
 *
 * Every shape op is one strided copy: the result's lanes in row-major order, each from a place in the operand that is
 * linear in the result's indices. A fold runs its region on many lanes at once (`batch`): a tree takes neighbours in
 * pairs, which needs associativity only; from the left or from the right, one slice at a time. A region with control
 * flow in it runs lane by lane. */
#include <math.h>
#include <string.h>

#include "program/interpret_state.h"

typedef struct Shape {
  uint32_t rank;
  int64_t dims[TYPE_MAX_RANK + 1];
  int64_t count;
} Shape;

static Shape shape_of(Interp *it, TypeId type) {
  const Type *t = program_get_type(it->program, type);
  Shape s = {.count = interpret_lane_count(it, type)};
  if (t->kind != TYPE_TENSOR) return s;
  s.rank = t->rank;
  for (uint32_t d = 0; d < t->rank; d++) s.dims[d] = interpret_dim(it, t->dims[d]);
  return s;
}

static void row_major(const Shape *s, int64_t *strides) {
  int64_t step = 1;
  for (uint32_t d = s->rank; d-- > 0; step *= s->dims[d]) strides[d] = step;
}

/* out[k] = in[base + sum index_d * strides_d] for k from `start` on, over the indices of `shape`, row-major; the lanes
 * of `in` are known to be enough. */
static void copy_strided(Interp *it, Lanes *out, int64_t start, const Lanes *in, const Shape *shape, int64_t base,
                         const int64_t *strides) {
  int64_t index[TYPE_MAX_RANK + 1] = {0}, place = base;
  uint32_t rank = shape->rank;
  if (in->mark) interpret_marks(it, out);
  for (int64_t k = 0; k < shape->count; k++) {
    out->i[start + k] = in->i[place];
    if (in->mark) out->mark[start + k] = in->mark[place];
    for (uint32_t d = rank; d-- > 0;) {
      place += strides[d];
      if (++index[d] < shape->dims[d]) break;
      place -= strides[d] * shape->dims[d];
      index[d] = 0;
    }
  }
}

static void copy_flat(Interp *it, Lanes *out, int64_t start, const Lanes *in) {
  memcpy(out->i + start, in->i, (size_t)in->count * sizeof *in->i);
  if (in->mark) memcpy(interpret_marks(it, out) + start, in->mark, (size_t)in->count);
}

static void want_alike(Interp *it, TypeId a, TypeId b) {
  Element x = interpret_element(it, a), y = interpret_element(it, b);
  if (x.is_float != y.is_float) interpret_ill_typed(it);
}

/* ---- constants, splats, shape ops */

static InterpretCell attr_cell(const Interp *it, AttrId id, const Element *e) {
  const Attr *attr = program_get_attr(it->program, id);
  if (attr->kind == ATTR_FLOAT) {
    const Type *t = program_get_type(it->program, program_element_type(it->program, attr->type));
    FloatFormat format = t->kind == TYPE_FLOAT ? t->format : e->format;
    double value = program_float_decode(format, attr->bits);
    return e->is_float ? (InterpretCell){.real = value} : (InterpretCell){.integer = 0};
  }
  if (e->is_float) return (InterpretCell){.real = (double)attr->integer};
  return (InterpretCell){.integer = interpret_wrap(e->width, attr->integer)};
}

void interpret_constant(Interp *it, const Op *op) {
  Element e = interpret_element(it, interpret_result_type(it, op, 0));
  AttrId id = program_op_attr(it->program, op, "value");
  const Attr *attr = program_get_attr(it->program, id);
  bool known = attr->kind == ATTR_BOOL || attr->kind == ATTR_INT || attr->kind == ATTR_FLOAT ||
               (attr->kind == ATTR_DENSE && attr->count);
  if (!id || !known) interpret_fail(it, INTERPRET_UNSUPPORTED, "a constant of an unknown kind");
  Lanes *out = interpret_result(it, op, 0);
  if (attr->kind == ATTR_DENSE && attr->count > 1) {
    if (interpret_is_sparse(it, interpret_result_type(it, op, 0))) interpret_need_lanes(it);
    if (attr->count != out->count) interpret_ill_typed(it);
    for (int64_t k = 0; k < out->count; k++) out->i[k] = attr_cell(it, attr->items[k], &e).integer;
    return;
  }
  InterpretCell cell = attr_cell(it, attr->kind == ATTR_DENSE ? attr->items[0] : id, &e);
  for (int64_t k = 0; k < out->count; k++) out->i[k] = cell.integer;
}

void interpret_splat(Interp *it, const Op *op) {
  want_alike(it, interpret_operand_type(it, op, 0), interpret_result_type(it, op, 0));
  Lanes in = interpret_value(it, op->operands[0]), *out = interpret_result(it, op, 0);
  if (in.count != 1) interpret_ill_typed(it);
  for (int64_t k = 0; k < out->count; k++) out->i[k] = *in.i;
  if (in.mark && *in.mark) memset(interpret_marks(it, out), *in.mark, (size_t)out->count);
}

static void run_broadcast(Interp *it, const Op *op, Lanes *out, const Lanes *in) {
  Shape from = shape_of(it, interpret_operand_type(it, op, 0)), to = shape_of(it, interpret_result_type(it, op, 0));
  int64_t strides[TYPE_MAX_RANK + 1];
  if (from.rank != to.rank) interpret_ill_typed(it);
  row_major(&from, strides);
  for (uint32_t d = 0; d < to.rank; d++) {
    if (from.dims[d] == 1)
      strides[d] = 0;
    else if (from.dims[d] != to.dims[d])
      interpret_ill_typed(it);
  }
  copy_strided(it, out, 0, in, &to, 0, strides);
}

static void run_trans(Interp *it, const Op *op, Lanes *out, const Lanes *in) {
  Shape from = shape_of(it, interpret_operand_type(it, op, 0)), to = shape_of(it, interpret_result_type(it, op, 0));
  int64_t order[TYPE_MAX_RANK], strides[TYPE_MAX_RANK + 1], taken[TYPE_MAX_RANK + 1];
  uint32_t count = 0, seen = 0;
  if (from.rank != to.rank) interpret_ill_typed(it);
  if (!interpret_attr_list(it, op, "order", order, TYPE_MAX_RANK, &count))
    for (count = 0; count < from.rank; count++) order[count] = from.rank - 1 - count;
  if (count != from.rank) interpret_ill_typed(it);
  row_major(&from, strides);
  for (uint32_t d = 0; d < count; d++) {
    if (order[d] < 0 || order[d] >= count || seen >> order[d] & 1 || to.dims[d] != from.dims[order[d]])
      interpret_ill_typed(it);
    seen |= 1u << order[d];
    taken[d] = strides[order[d]];
  }
  copy_strided(it, out, 0, in, &to, 0, taken);
}

static void run_split(Interp *it, const Op *op, const Lanes *in) {
  Lanes *halves[2];
  for (uint32_t r = 0; r < 2; r++) {
    halves[r] = interpret_result(it, op, r);
    if (halves[r]->count * 2 != in->count) interpret_ill_typed(it);
    Shape flat = {.rank = 1, .dims = {halves[r]->count}, .count = halves[r]->count};
    copy_strided(it, halves[r], 0, in, &flat, r, (int64_t[]){2});
  }
}

static void run_join(Interp *it, const Op *op, Lanes *out, const Lanes *a, const Lanes *b) {
  if (a->count != b->count || a->count * 2 != out->count) interpret_ill_typed(it);
  want_alike(it, interpret_operand_type(it, op, 1), interpret_result_type(it, op, 0));
  bool marked = a->mark || b->mark;
  if (marked) interpret_marks(it, out);
  for (int64_t k = 0; k < out->count; k++) {
    const Lanes *from = k & 1 ? b : a;
    out->i[k] = from->i[k / 2];
    if (marked) out->mark[k] = from->mark ? from->mark[k / 2] : 0;
  }
}

/* True if they have the same axes in the same order, but for those of length 1. */
static bool keeps_axes(Interp *it, TypeId from, TypeId to) {
  const Type *a = program_get_type(it->program, from), *b = program_get_type(it->program, to);
  uint32_t i = 0, j = 0;
  if (a->kind != TYPE_TENSOR || b->kind != TYPE_TENSOR) return false;
  for (;; i++, j++) {
    while (i < a->rank && a->dims[i] == 1) i++;
    while (j < b->rank && b->dims[j] == 1) j++;
    if (i == a->rank || j == b->rank) return i == a->rank && j == b->rank;
    if (a->dims[i] != b->dims[j]) return false;
  }
}

/* Ops that move lanes from one axis to another need all of them. */
static void need_lanes_to_move(Interp *it, const Op *op) {
  TypeId from = interpret_operand_type(it, op, 0), to = interpret_result_type(it, op, 0);
  if (op->code != OP_TT_RESHAPE && op->code != OP_TT_EXPAND_DIMS && op->code != OP_TT_CAT && op->code != OP_TT_GATHER &&
      op->code != OP_TT_HISTOGRAM)
    return;
  bool moves =
      op->code == OP_TT_CAT || op->code == OP_TT_GATHER || op->code == OP_TT_HISTOGRAM || !keeps_axes(it, from, to);
  if (moves && (interpret_is_sparse(it, from) || interpret_is_sparse(it, to))) interpret_need_lanes(it);
}

void interpret_shape(Interp *it, const Op *op) {
  bool two = op->code == OP_TT_CAT || op->code == OP_TT_JOIN;
  if (op->operand_count != (two ? 2 : 1) || it->batch != 1) interpret_ill_typed(it);
  want_alike(it, interpret_operand_type(it, op, 0), interpret_result_type(it, op, 0));
  need_lanes_to_move(it, op);
  Lanes in = interpret_operand(it, op, 0, interpret_lane_count(it, interpret_operand_type(it, op, 0)));
  if (op->code == OP_TT_SPLIT) {
    run_split(it, op, &in);
    return;
  }
  Lanes *out = interpret_result(it, op, 0), second = two ? interpret_value(it, op->operands[1]) : in;
  if (op->code == OP_TT_BROADCAST)
    run_broadcast(it, op, out, &in);
  else if (op->code == OP_TT_TRANS)
    run_trans(it, op, out, &in);
  else if (op->code == OP_TT_JOIN)
    run_join(it, op, out, &in, &second);
  else if (op->code == OP_TT_CAT) {
    if (in.count + second.count != out->count) interpret_ill_typed(it);
    want_alike(it, interpret_operand_type(it, op, 1), interpret_result_type(it, op, 0));
    copy_flat(it, out, 0, &in);
    copy_flat(it, out, in.count, &second);
  } else {
    /* expand_dims, reshape */
    if (in.count != out->count) interpret_ill_typed(it);
    copy_flat(it, out, 0, &in);
  }
}

void interpret_gather(Interp *it, const Op *op) {
  need_lanes_to_move(it, op);
  want_alike(it, interpret_operand_type(it, op, 0), interpret_result_type(it, op, 0));
  Element element = interpret_element(it, interpret_result_type(it, op, 0));
  Shape from = shape_of(it, interpret_operand_type(it, op, 0)), to = shape_of(it, interpret_result_type(it, op, 0));
  int64_t axis = program_op_int(it->program, op, "axis", 0), strides[TYPE_MAX_RANK + 1];
  if (from.rank != to.rank || axis < 0 || axis >= from.rank || it->batch != 1) interpret_ill_typed(it);
  for (uint32_t d = 0; d < to.rank; d++)
    if (d != axis && to.dims[d] > from.dims[d]) interpret_ill_typed(it);
  row_major(&from, strides);
  Lanes *out = interpret_result(it, op, 0), in = interpret_operand(it, op, 0, from.count);
  Lanes at = interpret_operand(it, op, 1, out->count);
  if (interpret_element(it, interpret_operand_type(it, op, 1)).is_float) interpret_ill_typed(it);
  if (at.mark) interpret_merge_marks(it, out, &at, 1);
  for (int64_t k = 0; k < out->count; k++) {
    int64_t rest = k, place = 0;
    for (uint32_t d = to.rank; d-- > 0; rest /= to.dims[d])
      if (d != axis) place += rest % to.dims[d] * strides[d];
    if (at.i[k] < 0 || at.i[k] >= from.dims[axis]) {
      InterpretFinding *f = interpret_report(it, INTERPRET_INDEX, (OpId)(op - it->program->ops.data), -1, k);
      if (f) f->a = at.i[k];
      interpret_marks(it, out)[k] |= MARK_UNDEFINED;
      out->i[k] = interpret_undefined(it, &element).integer;
      continue;
    }
    place += at.i[k] * strides[axis];
    out->i[k] = in.i[place];
    if (in.mark) interpret_marks(it, out)[k] = interpret_join_marks(interpret_marks(it, out)[k], in.mark[place]);
  }
}

void interpret_histogram(Interp *it, const Op *op) {
  if (!op->operand_count || it->batch != 1) interpret_ill_typed(it);
  need_lanes_to_move(it, op);
  Lanes in = interpret_value(it, op->operands[0]), *out = interpret_result(it, op, 0);
  Lanes mask = op->operand_count > 1 ? interpret_operand(it, op, 1, in.count) : (Lanes){0};
  if (interpret_element(it, interpret_operand_type(it, op, 0)).is_float) interpret_ill_typed(it);
  memset(out->i, 0, (size_t)out->count * sizeof *out->i);
  for (int64_t k = 0; k < in.count; k++) {
    if (mask.i && !(mask.i[k] & 1)) continue;
    if (in.mark && in.mark[k] & MARK_UNDEFINED) memset(interpret_marks(it, out), MARK_UNDEFINED, (size_t)out->count);
    if (in.i[k] >= 0 && in.i[k] < out->count) {
      out->i[in.i[k]]++;
      continue;
    }
    InterpretFinding *f = interpret_report(it, INTERPRET_INDEX, (OpId)(op - it->program->ops.data), -1, k);
    if (f) f->a = in.i[k];
  }
}

/* ---- dot */

/* size: batches, rows, columns, depth; the lane at INTERPRET_SPARSE_HEAD counts `weight` times (1, where depth has no
 * run). */
static void dot_floats(Interp *it, Lanes *out, const Lanes *a, const Lanes *b, const Lanes *c, const int64_t *size,
                       FloatFormat format, int64_t weight) {
  int64_t m = size[1], n = size[2], depth = size[3];
  double *row = scratch_alloc(it, (size_t)n * sizeof *row);
  for (int64_t r = 0; r < size[0] * m; r++) {
    const double *left = a->f + r * depth, *right = b->f + r / m * depth * n;
    memset(row, 0, (size_t)n * sizeof *row);
    for (int64_t k = 0; k < depth; k++) {
      double factor = k == INTERPRET_SPARSE_HEAD ? left[k] * (double)weight : left[k];
      for (int64_t j = 0; j < n; j++) row[j] += factor * right[k * n + j];
    }
    for (int64_t j = 0; j < n; j++) {
      double sum = row[j] + c->f[r * n + j];
      out->f[r * n + j] = it->options->exact_reals ? sum : interpret_round(format, sum);
    }
  }
}

static void dot_ints(Interp *it, Lanes *out, const Lanes *a, const Lanes *b, const Lanes *c, const int64_t *size,
                     uint32_t width, int64_t weight) {
  int64_t m = size[1], n = size[2], depth = size[3];
  (void)it;
  for (int64_t r = 0; r < size[0] * m; r++)
    for (int64_t j = 0; j < n; j++) {
      uint64_t sum = (uint64_t)c->i[r * n + j];
      for (int64_t k = 0; k < depth; k++)
        sum += (uint64_t)a->i[r * depth + k] * (uint64_t)b->i[(r / m * depth + k) * n + j] *
               (uint64_t)(k == INTERPRET_SPARSE_HEAD ? weight : 1);
      out->i[r * n + j] = interpret_wrap(width, (int64_t)sum);
    }
}

/* The products of a run along the depth must be the same all over it: both sides are, or one is 0. */
static void dot_run(Interp *it, const Lanes *a, const Lanes *b, const int64_t *size, bool is_float) {
  int64_t m = size[1], n = size[2], depth = size[3];
  enum { OPEN = MARK_VARIES | MARK_AFFINE };
  for (int64_t r = 0; r < size[0] * m; r++)
    for (int64_t k = INTERPRET_SPARSE_HEAD; k < INTERPRET_SPARSE_HEAD + 2; k++)
      for (int64_t j = 0; j < n; j++) {
        int64_t x = r * depth + k, y = (r / m * depth + k) * n + j;
        bool left = a->mark && a->mark[x] & OPEN, right = b->mark && b->mark[y] & OPEN;
        if (!left && !right) continue;
        bool is_zero = is_float ? (left ? b->f[y] == 0 && isfinite(a->f[x]) : a->f[x] == 0 && isfinite(b->f[y]))
                                : (left ? b->i[y] : a->i[x]) == 0;
        if ((left && right) || !is_zero) interpret_need_lanes(it);
      }
}

/* One undefined lane makes its row or column undefined; of a run along the depth nothing is left open. */
static void dot_marks(Interp *it, Lanes *out, const Lanes *a, const Lanes *b, const int64_t *size, bool runs) {
  int64_t m = size[1], n = size[2], depth = size[3];
  uint8_t *mark = interpret_marks(it, out);
  for (int64_t r = 0; r < size[0] * m; r++) {
    for (int64_t k = 0; k < depth; k++) {
      uint8_t left = a->mark ? a->mark[r * depth + k] : 0;
      const uint8_t *right = b->mark ? b->mark + (r / m * depth + k) * n : NULL;
      if (!left && !right) continue;
      uint8_t kept = runs && (k == INTERPRET_SPARSE_HEAD || k == INTERPRET_SPARSE_HEAD + 1)
                         ? (uint8_t) ~(MARK_VARIES | MARK_AFFINE)
                         : 0xff;
      for (int64_t j = 0; j < n; j++)
        mark[r * n + j] =
            interpret_join_marks(mark[r * n + j], interpret_join_marks(left & kept, right ? right[j] & kept : 0));
    }
  }
}

void interpret_dot(Interp *it, const Op *op) {
  if (op->operand_count != 3) interpret_ill_typed(it);
  Shape a = shape_of(it, interpret_operand_type(it, op, 0)), b = shape_of(it, interpret_operand_type(it, op, 1));
  Shape d = shape_of(it, interpret_result_type(it, op, 0));
  uint32_t rank = d.rank;
  if (rank < 2 || rank > 3 || a.rank != rank || b.rank != rank || it->batch != 1) interpret_ill_typed(it);
  int64_t size[4] = {rank == 3 ? d.dims[0] : 1, d.dims[rank - 2], d.dims[rank - 1], a.dims[rank - 1]};
  if (a.count != size[0] * size[1] * size[3] || b.count != size[0] * size[3] * size[2] || b.dims[rank - 2] != size[3])
    interpret_ill_typed(it);
  Element e = interpret_element(it, interpret_result_type(it, op, 0));
  for (uint32_t i = 0; i < 3; i++)
    if (interpret_element(it, interpret_operand_type(it, op, i)).is_float != e.is_float) interpret_ill_typed(it);
  Lanes *out = interpret_result(it, op, 0);
  Lanes x = interpret_operand(it, op, 0, a.count), y = interpret_operand(it, op, 1, b.count);
  Lanes z = interpret_operand(it, op, 2, d.count);
  it->result->steps += (uint64_t)(d.count * size[3]);
  if (it->result->steps > it->step_limit) interpret_fail(it, INTERPRET_LIMIT, "step limit reached");
  int64_t full = program_get_type(it->program, interpret_operand_type(it, op, 0))->dims[rank - 1];
  bool runs = full != size[3];
  int64_t weight = runs ? full - INTERPRET_SPARSE_DIM + 1 : 1;
  if (runs && (x.mark || y.mark)) dot_run(it, &x, &y, size, e.is_float);
  if (e.is_float)
    dot_floats(it, out, &x, &y, &z, size, e.format, weight);
  else
    dot_ints(it, out, &x, &y, &z, size, e.width, weight);
  interpret_merge_marks(it, out, &z, 1);
  if (x.mark || y.mark) dot_marks(it, out, &x, &y, size, runs);
  interpret_commit_all(out);
}

/* ---- folds */

/* True if the region can run on many lanes at once. */
static bool runs_in_batches(Interp *it, RegionId id) {
  const Region *region = program_get_region(it->program, id);
  if (region->blocks.count != 1) return false;
  const Block *block = program_get_block(it->program, region->blocks.data[0]);
  for (uint32_t i = 0; i < block->ops.count; i++) {
    const Op *op = program_get_op(it->program, block->ops.data[i]);
    if (op->region_count || op->successor_count || op->code == OP_TT_CALL) return false;
  }
  return true;
}

static void take_terminator(Interp *it, const Op *end, Lanes *out, uint32_t count) {
  if (!end || end->operand_count != count) interpret_ill_typed(it);
  it->op = end;
  for (uint32_t i = 0; i < count; i++) out[i] = interpret_operand(it, end, i, it->batch);
}

static Lanes one_lane(const Lanes *from, int64_t k) {
  return (Lanes){.i = from->i + k, .mark = from->mark ? from->mark + k : NULL, .count = 1};
}

/* results = region(arguments), lane by lane; `results` may have no lanes yet. */
static void run_region(Interp *it, const Op *op, bool batches, const Lanes *arguments, uint32_t argument_count,
                       Lanes *results, uint32_t result_count, int64_t lanes) {
  RegionId region = interpret_region_of(it, op, 0);
  int64_t outer = it->batch;
  if (batches) {
    it->batch = lanes;
    interpret_set_args(it, region, arguments, argument_count);
    take_terminator(it, interpret_region(it, region), results, result_count);
    it->batch = outer;
    return;
  }
  Lanes *single = scratch_alloc(it, (argument_count + result_count) * sizeof *single), *got = single + argument_count;
  it->batch = 1;
  for (uint32_t r = 0; r < result_count; r++) results[r] = interpret_lanes(it, lanes, true);
  ScratchMark mark = scratch_mark(it);
  for (int64_t k = 0; k < lanes; k++) {
    for (uint32_t a = 0; a < argument_count; a++) single[a] = one_lane(&arguments[a], k);
    interpret_set_args(it, region, single, argument_count);
    take_terminator(it, interpret_region(it, region), got, result_count);
    for (uint32_t r = 0; r < result_count; r++) {
      results[r].i[k] = *got[r].i;
      if (got[r].mark) results[r].mark[k] = *got[r].mark;
    }
    scratch_reset(it, mark);
  }
  it->batch = outer;
}

/* The operands of a fold as [outer, length, inner]. */
typedef struct Fold {
  const Op *op;
  uint32_t count;
  int64_t outer, length, inner;
  bool batches;
} Fold;

/* Slices first, first + step, .. (`many` of them) along the axis. */
static Lanes take_slices(Interp *it, const Fold *f, const Lanes *in, int64_t length, int64_t first, int64_t step,
                         int64_t many) {
  Lanes out = interpret_lanes(it, f->outer * many * f->inner, false);
  Shape shape = {.rank = 3, .dims = {f->outer, many, f->inner}, .count = out.count};
  int64_t strides[3] = {length * f->inner, step * f->inner, 1};
  copy_strided(it, &out, 0, in, &shape, first * f->inner, strides);
  return out;
}

/* `many` more slices behind the first `at`, to be filled in. */
static Lanes widen(Interp *it, const Fold *f, const Lanes *in, int64_t at, int64_t many) {
  int64_t length = f->length + many;
  Lanes out = interpret_lanes(it, f->outer * length * f->inner, true);
  for (int64_t o = 0; o < f->outer; o++)
    for (int64_t s = 0; s < f->length; s++) {
      int64_t from = (o * f->length + s) * f->inner, to = (o * length + (s < at ? s : s + many)) * f->inner;
      memcpy(out.i + to, in->i + from, (size_t)f->inner * sizeof *out.i);
      if (in->mark) memcpy(out.mark + to, in->mark + from, (size_t)f->inner);
    }
  return out;
}

/* values = values folded with themselves, `times` of them: by squaring. */
static void fold_power(Interp *it, const Fold *f, Lanes *values, int64_t times) {
  int64_t lanes = f->outer * f->inner;
  Lanes *args = scratch_alloc(it, 2 * f->count * sizeof *args), *total = scratch_alloc(it, f->count * sizeof *total);
  bool any = false;
  for (;; times /= 2) {
    if (times & 1) {
      memcpy(args, total, f->count * sizeof *args);
      memcpy(args + f->count, values, f->count * sizeof *args);
      if (any)
        run_region(it, f->op, f->batches, args, 2 * f->count, total, f->count, lanes);
      else
        memcpy(total, values, f->count * sizeof *total);
      any = true;
    }
    if (times <= 1) break;
    memcpy(args, values, f->count * sizeof *args);
    memcpy(args + f->count, values, f->count * sizeof *args);
    run_region(it, f->op, f->batches, args, 2 * f->count, values, f->count, lanes);
  }
  memcpy(values, total, f->count * sizeof *values);
}

/* What a run along the axis is made of: one value, or (some operand) lines. */
static bool run_has_lines(Interp *it, const Fold *f, TypeId type, int64_t axis, const Lanes *now) {
  bool lines = false;
  for (uint32_t i = 0; i < f->count; i++)
    for (int64_t o = 0; o < f->outer && now[i].mark; o++)
      for (int64_t k = 0; k < 2 * f->inner; k++) {
        int64_t lane = (o * f->length + INTERPRET_SPARSE_HEAD) * f->inner + k;
        if (!(now[i].mark[lane] & (MARK_VARIES | MARK_AFFINE))) continue;
        if (now[i].mark[lane] & MARK_VARIES || interpret_is_between(it, type, lane, axis)) interpret_need_lanes(it);
        lines = true;
      }
  return lines;
}

/* From one lane of the run that begins at `first` to the next: of integers on a line. */
static int64_t run_step(const Lanes *in, int64_t first, int64_t inner, int64_t between) {
  if (!in->mark || !(in->mark[first] & MARK_AFFINE)) return 0;
  return (int64_t)((uint64_t)in->i[first + inner] - (uint64_t)in->i[first]) / (between + 1);
}

/* Folded with any lane between the ends, the end (0: the first) stays as it is. */
static bool end_absorbs(Interp *it, const Fold *f, const Lanes *now, int64_t end, int64_t between) {
  int64_t lanes = 2 * f->outer * f->inner;
  Lanes *args = scratch_alloc(it, 2 * f->count * sizeof *args), *got = scratch_alloc(it, f->count * sizeof *got);
  if (!f->batches) return false;
  for (uint32_t i = 0; i < f->count; i++) {
    Lanes *fixed = &args[end ? f->count + i : i], *run = &args[end ? i : f->count + i];
    *fixed = interpret_lanes(it, lanes, true), *run = interpret_lanes(it, lanes, true);
    for (int64_t k = 0; k < lanes; k++) {
      int64_t row = (k / 2 / f->inner * f->length + INTERPRET_SPARSE_HEAD) * f->inner + k / 2 % f->inner,
              at = row + (k & 1) * f->inner;
      uint64_t step = (uint64_t)run_step(&now[i], row, f->inner, between);
      run->i[k] = (int64_t)((uint64_t)now[i].i[at] + (k & 1 ? 0 - step : step));
      fixed->i[k] = now[i].i[row + end * f->inner];
      if (now[i].mark) run->mark[k] = now[i].mark[at], fixed->mark[k] = now[i].mark[at] & (uint8_t)~MARK_AFFINE;
    }
  }
  it->paired = true;
  run_region(it, f->op, true, args, 2 * f->count, got, f->count, lanes);
  it->paired = false;
  for (uint32_t i = 0; i < f->count; i++)
    for (int64_t k = 0; k < lanes; k++)
      if (got[i].i[k] != args[end ? f->count + i : i].i[k] ||
          (got[i].mark && got[i].mark[k] & (MARK_AFFINE | MARK_VARIES)))
        return false;
  return true;
}

/* The lanes between the ends of the run of a fold's axis: as one slice (a power), or, of lines, none (an end stands for
 * them) or all. */
static void fill_run(Interp *it, Fold *f, TypeId type, int64_t axis, Lanes *now, int64_t full) {
  int64_t between = full - INTERPRET_SPARSE_DIM, at = INTERPRET_SPARSE_HEAD + 1, many = 1;
  if (run_has_lines(it, f, type, axis, now))
    many = end_absorbs(it, f, now, 0, between) || end_absorbs(it, f, now, 1, between) ? 0 : between;
  Lanes *power = scratch_alloc(it, f->count * sizeof *power);
  for (uint32_t i = 0; i < f->count; i++)
    power[i] = take_slices(it, f, &now[i], f->length, INTERPRET_SPARSE_HEAD, 1, 1);
  if (many == 1) fold_power(it, f, power, between);
  for (uint32_t i = 0; i < f->count; i++) {
    Lanes wide = widen(it, f, &now[i], at, many);
    for (int64_t o = 0; o < f->outer; o++)
      for (int64_t s = 0; s < many; s++)
        for (int64_t n = 0; n < f->inner; n++) {
          int64_t to = (o * (f->length + many) + at + s) * f->inner + n,
                  first = (o * f->length + INTERPRET_SPARSE_HEAD) * f->inner + n;
          uint64_t beyond = (uint64_t)run_step(&now[i], first, f->inner, between) * ((uint64_t)s + 1);
          wide.i[to] = many == 1 ? power[i].i[o * f->inner + n] : (int64_t)((uint64_t)now[i].i[first] + beyond);
          wide.mark[to] = many == 1     ? (power[i].mark ? power[i].mark[o * f->inner + n] : 0)
                          : now[i].mark ? now[i].mark[first]
                                        : 0;
        }
    for (int64_t k = 0; many != 1 && k < wide.count; k++) { /* along this axis nothing is missing */
      int64_t s = k / f->inner % (f->length + many), from = s < at          ? s
                                                            : s < at + many ? INTERPRET_SPARSE_HEAD
                                                                            : s - many;
      int64_t lane = (k / f->inner / (f->length + many) * f->length + from) * f->inner + k % f->inner;
      if (!interpret_is_between(it, type, lane, axis)) wide.mark[k] &= (uint8_t)~MARK_AFFINE;
    }
    now[i] = wide;
  }
  f->length += many;
}

static void fold_tree(Interp *it, const Fold *f, Lanes *now) {
  Lanes *args = scratch_alloc(it, 2 * f->count * sizeof *args), *got = scratch_alloc(it, f->count * sizeof *got);
  for (int64_t length = f->length; length > 1;) {
    int64_t half = length / 2, odd = length & 1, next = half + odd;
    for (uint32_t i = 0; i < f->count; i++) {
      args[i] = take_slices(it, f, &now[i], length, 0, 2, half);
      args[f->count + i] = take_slices(it, f, &now[i], length, 1, 2, half);
    }
    run_region(it, f->op, f->batches, args, 2 * f->count, got, f->count, f->outer * half * f->inner);
    for (uint32_t i = 0; i < f->count && odd; i++) { /* the last slice goes along */
      Lanes joined = interpret_lanes(it, f->outer * next * f->inner, now[i].mark || got[i].mark);
      for (int64_t k = 0; k < joined.count; k++) {
        int64_t o = k / (next * f->inner), s = k / f->inner % next, n = k % f->inner;
        const Lanes *from = s < half ? &got[i] : &now[i];
        int64_t place = s < half ? (o * half + s) * f->inner + n : (o * length + length - 1) * f->inner + n;
        joined.i[k] = from->i[place];
        if (joined.mark) joined.mark[k] = from->mark ? from->mark[place] : 0;
      }
      got[i] = joined;
    }
    memcpy(now, got, f->count * sizeof *now);
    length = next;
  }
}

/* The accumulators at the ends of a run of equal lanes. Where one step changed nothing none does, and they are equal
 * too. */
static void mark_scanned(const Fold *f, Lanes **all, bool backward) {
  int64_t first = INTERPRET_SPARSE_HEAD, before = backward ? first + 2 : first - 1,
          after = backward ? first + 1 : first;
  for (int64_t n = 0; n < f->outer * f->inner; n++) {
    int64_t row = n / f->inner * f->length, column = n % f->inner;
    bool same = true;
    for (uint32_t i = 0; i < f->count; i++)
      same &= all[i]->i[(row + before) * f->inner + column] == all[i]->i[(row + after) * f->inner + column];
    for (uint32_t i = 0; i < f->count && !same; i++)
      for (int64_t s = first; s < first + 2; s++) all[i]->mark[(row + s) * f->inner + column] |= MARK_VARIES;
  }
}

/* One slice after another; with `all`, every accumulator is kept there (a scan). `between`: lanes between the ends of
 * the run of a sparse axis. */
static void fold_slices(Interp *it, const Fold *f, Lanes *now, bool backward, bool accumulator_first, Lanes **all,
                        int64_t between) {
  int64_t lanes = f->outer * f->inner;
  Lanes *args = scratch_alloc(it, 2 * f->count * sizeof *args), *got = scratch_alloc(it, f->count * sizeof *got);
  Lanes *sums = scratch_alloc(it, f->count * sizeof *sums);
  for (uint32_t i = 0; i < f->count; i++) sums[i] = interpret_lanes(it, lanes, true);
  Lanes *power = scratch_alloc(it, f->count * sizeof *power);
  for (uint32_t i = 0; i < f->count && between; i++)
    power[i] = take_slices(it, f, &now[i], f->length, INTERPRET_SPARSE_HEAD, 1, 1);
  if (between) fold_power(it, f, power, between);
  ScratchMark mark = scratch_mark(it);
  for (int64_t k = 0; k < f->length; k++) {
    int64_t slice = backward ? f->length - 1 - k : k;
    for (uint32_t i = 0; i < f->count; i++) {
      args[accumulator_first ? i : f->count + i] = sums[i];
      args[accumulator_first ? f->count + i : i] = take_slices(it, f, &now[i], f->length, slice, 1, 1);
    }
    if (k) run_region(it, f->op, f->batches, args, 2 * f->count, got, f->count, lanes);
    for (uint32_t i = 0; i < f->count; i++) {
      const Lanes *from = k ? &got[i] : &args[accumulator_first ? f->count + i : i];
      memcpy(sums[i].i, from->i, (size_t)lanes * sizeof *from->i);
      if (from->mark)
        memcpy(sums[i].mark, from->mark, (size_t)lanes);
      else
        memset(sums[i].mark, 0, (size_t)lanes);
      for (int64_t n = 0; all && n < lanes; n++) {
        int64_t place = (n / f->inner * f->length + slice) * f->inner + n % f->inner;
        all[i]->i[place] = sums[i].i[n];
        all[i]->mark[place] = sums[i].mark[n];
      }
    }
    if (between && slice == INTERPRET_SPARSE_HEAD + backward) {
      memcpy(args + (accumulator_first ? 0 : f->count), sums, f->count * sizeof *sums);
      memcpy(args + (accumulator_first ? f->count : 0), power, f->count * sizeof *sums);
      run_region(it, f->op, f->batches, args, 2 * f->count, got, f->count, lanes);
      for (uint32_t i = 0; i < f->count; i++) {
        memcpy(sums[i].i, got[i].i, (size_t)lanes * sizeof *sums[i].i);
        if (got[i].mark) memcpy(sums[i].mark, got[i].mark, (size_t)lanes);
      }
    }
    scratch_reset(it, mark);
  }
  if (between) mark_scanned(f, all, backward);
  memcpy(now, sums, f->count * sizeof *now);
}

void interpret_fold(Interp *it, const Op *op) {
  Shape shape = shape_of(it, interpret_operand_type(it, op, 0));
  int64_t axis = program_op_int(it->program, op, "axis", 0);
  Fold f = {.op = op, .count = op->operand_count, .outer = 1, .inner = 1};
  bool scan = op->code == OP_TT_SCAN, backward = program_op_int(it->program, op, "reverse", 0) != 0;
  if (!f.count || f.count != op->result_count || axis < 0 || axis >= shape.rank || it->batch != 1)
    interpret_ill_typed(it);
  f.length = shape.dims[axis];
  for (uint32_t d = 0; d < shape.rank; d++) {
    if (d < axis) f.outer *= shape.dims[d];
    if (d > axis) f.inner *= shape.dims[d];
  }
  f.batches = runs_in_batches(it, interpret_region_of(it, op, 0));
  Lanes *now = scratch_alloc(it, f.count * sizeof *now), **all = scratch_alloc(it, f.count * sizeof *all);
  for (uint32_t i = 0; i < f.count; i++) {
    want_alike(it, interpret_operand_type(it, op, i), interpret_result_type(it, op, i));
    now[i] = interpret_operand(it, op, i, shape.count);
    all[i] = interpret_result(it, op, i);
    if (all[i]->count != (scan ? shape.count : f.outer * f.inner)) interpret_ill_typed(it);
    if (scan) interpret_marks(it, all[i]);
  }
  const Type *type = program_get_type(it->program, interpret_operand_type(it, op, 0));
  if (f.length != type->dims[axis]) {
    if (!scan && it->options->fold != INTERPRET_TREE) interpret_need_lanes(it);
    if (!scan)
      fill_run(it, &f, interpret_operand_type(it, op, 0), axis, now, type->dims[axis]);
    else if (run_has_lines(it, &f, interpret_operand_type(it, op, 0), axis, now))
      interpret_need_lanes(it);
  }
  if (scan) {
    fold_slices(it, &f, now, backward, true, all, type->dims[axis] - f.length);
    return;
  }
  if (shape.rank == 1) it->arrival++;
  if (it->options->fold == INTERPRET_TREE)
    fold_tree(it, &f, now);
  else
    fold_slices(it, &f, now, it->options->fold == INTERPRET_RIGHT, it->options->fold == INTERPRET_LEFT, NULL, 0);
  for (uint32_t i = 0; i < f.count; i++) copy_flat(it, all[i], 0, &now[i]);
}

/* `pack` lanes side by side: the region's arguments are pack of operand 0, pack of operand 1, .. */
void interpret_map(Interp *it, const Op *op) {
  int64_t pack = program_op_int(it->program, op, "pack", 1);
  int64_t lanes = interpret_lane_count(it, interpret_result_type(it, op, 0));
  if (pack > 1 && interpret_is_sparse(it, interpret_result_type(it, op, 0))) interpret_need_lanes(it);
  if (pack < 1 || pack > 64 || lanes % pack || it->batch != 1) interpret_ill_typed(it);
  uint32_t wide = (uint32_t)pack;
  Lanes *args = scratch_alloc(it, op->operand_count * wide * sizeof *args);
  Lanes *got = scratch_alloc(it, op->result_count * wide * sizeof *got);
  Fold f = {.op = op, .outer = 1, .inner = 1, .length = lanes};
  for (uint32_t i = 0; i < op->operand_count; i++) {
    Lanes in = interpret_operand(it, op, i, lanes);
    for (uint32_t p = 0; p < wide; p++) args[i * wide + p] = take_slices(it, &f, &in, lanes, p, pack, lanes / pack);
  }
  bool batches = runs_in_batches(it, interpret_region_of(it, op, 0));
  run_region(it, op, batches, args, op->operand_count * wide, got, op->result_count * wide, lanes / pack);
  for (uint32_t r = 0; r < op->result_count; r++) {
    Lanes *out = interpret_result(it, op, r);
    if (out->count != lanes) interpret_ill_typed(it);
    for (int64_t k = 0; k < lanes; k++) {
      const Lanes *from = &got[r * wide + (uint32_t)(k % pack)];
      out->i[k] = from->i[k / pack];
      if (from->mark) interpret_marks(it, out)[k] = from->mark[k / pack];
    }
  }
}
