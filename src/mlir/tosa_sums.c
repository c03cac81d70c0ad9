/* Sums of the tosa dialect: reductions, products of matrices, convolutions, pooling, each by the named operation of
 * linalg that it is lowered to.
 *
 * Sums start from a positive zero and add in the order of the indices. Extrema start from the least finite number of
 * the type, as the lowering has it; cells of the padding count as such, and as 0 in sums. TOSA leaves open where a bias
 * comes in, at the end or at the start, and whether what a sum starts from shows where there is one summand (as in a
 * depthwise convolution with windows of one cell): MlirFlags.ways says which is taken, and refine/refine.c tries each.
 */
#include <math.h>

#include "mlir/internal.h"

static bool is(const char *a, const char *b) { return !strcmp(a, b); }
static const char *suffix(const Mlir *m, const Op *op) { return strchr(intern_string(m->p->names, op->name), '.') + 1; }

static TypeId result_element(const Mlir *m, const Op *op) {
  const Type *t = program_value_type(m->p, op->first_result);
  return t->kind == TYPE_TENSOR ? t->element : 0;
}

static Cell number(Mlir *m, TypeId type, double value) {
  if (mlir_is_float(m, type))
    return (Cell){floats_constant(&m->floats, mlir_type(m, type)->format, value), m->tt->false_};
  if (mlir_width(m, type) == 1) return (Cell){term_bool(m->tt, value != 0), m->tt->false_};
  return (Cell){term_int(m->tt, (int64_t)value), m->tt->false_};
}

/* The value that a maximum (or minimum) starts from. */
static Cell extreme(Mlir *m, TypeId type, bool least) {
  TermTable *tt = m->tt;
  if (mlir_is_float(m, type)) { /* the pattern before infinity */
    FloatFormat format = mlir_type(m, type)->format;
    uint64_t bits = program_float_encode(format, INFINITY) - 1;
    double value = program_float_decode(format, bits);
    return number(m, type, least ? -value : value);
  }
  if (mlir_width(m, type) == 1) return (Cell){term_bool(tt, least), tt->false_};
  Term half = term_new_rat(tt, (Rational){(Int128)1 << (mlir_width(m, type) - 1), 1});
  return (Cell){least ? term_neg(tt, half) : term_sub(tt, half, tt->one), tt->false_};
}

static MlirValue filled(Mlir *m, TypeId element, uint32_t rank, const Term *extents, Cell cell) {
  MlirValue v = mlir_tensor_new(m, element, rank, extents);
  v.cell = cell;
  return v;
}

/* In the type of the sum, without its zero point; 0 of a float is none. */
static bool as_summand(Mlir *m, MlirValue *v, TypeId type, int64_t zero) {
  v->cell = mlir_convert(m, v->cell, v->element, type), v->element = type;
  if (zero) v->cell = mlir_combine(m, "sub", type, v->cell, number(m, type, (double)zero));
  return v->cell.value && !(zero && mlir_is_float(m, type));
}

MlirValue mlir_padded(Mlir *m, const MlirValue *v, const Term *low, const Term *high, Cell padding) {
  TermTable *tt = m->tt;
  Term extents[MLIR_RANK], index[MLIR_RANK], inside = tt->true_;
  for (uint32_t i = 0; i < v->rank; i++) extents[i] = term_add(tt, term_add(tt, low[i], v->extent[i]), high[i]);
  MlirValue out = mlir_tensor_new(m, v->element, v->rank, extents);
  for (uint32_t i = 0; i < v->rank; i++) {
    index[i] = term_sub(tt, out.index[i], low[i]);
    if (low[i] == tt->zero && high[i] == tt->zero) continue;
    inside = term_and(tt, inside, term_and(tt, term_le(tt, tt->zero, index[i]), term_lt(tt, index[i], v->extent[i])));
  }
  out.cell = mlir_choose(m, inside, mlir_element(m, v, index), padding);
  return out;
}

/* ---- reductions ---- */

/* The reduced dimension comes back with size 1. */
static MlirValue with_axis(Mlir *m, const MlirValue *v, uint32_t axis) {
  Term extents[MLIR_RANK], index[MLIR_RANK];
  for (uint32_t i = 0; i <= v->rank; i++) extents[i] = i == axis ? m->tt->one : v->extent[i - (i > axis)];
  MlirValue out = mlir_tensor_new(m, v->element, v->rank + 1, extents);
  for (uint32_t i = 0; i < v->rank; i++) index[i] = out.index[i + (i >= axis)];
  out.cell = mlir_element(m, v, index);
  return out;
}

static uint32_t without_axis(const MlirValue *v, uint32_t axis, Term *extents) {
  uint32_t rank = 0;
  for (uint32_t i = 0; i < v->rank; i++)
    if (i != axis) extents[rank++] = v->extent[i];
  return rank;
}

bool mlir_tosa_reduce(Mlir *m, const Op *op) {
  static const struct {
    const char *name, *what;
    int start; /* 2, 3: the least, the greatest */
  } kinds[] = {{"reduce_sum", "add", 0}, {"reduce_prod", "mul", 1}, {"reduce_product", "mul", 1},
               {"reduce_max", "max", 2}, {"reduce_min", "min", 3},  {"reduce_all", "andi", 1},
               {"reduce_any", "ori", 0}};
  MlirValue *v = mlir_tosa_tensor(m, op, 0), out;
  int64_t axis = program_op_int(m->p, op, "axis", -1);
  Term extents[MLIR_RANK];
  if (!v || axis < 0 || axis >= v->rank) return mlir_unsupported(m, op);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (!is(kinds[i].name, suffix(m, op))) continue;
    int start = kinds[i].start;
    if (v->extent[axis] == m->tt->one) {
      bool is_open = mlir_is_float(m, v->element);
      if (is_open) m->run->open |= MLIR_ONE_IS_ITSELF;
      if (!is_open || (m->flags.ways & MLIR_ONE_IS_ITSELF)) return mlir_tosa_finish(m, op, *v);
    }
    uint32_t rank = without_axis(v, (uint32_t)axis, extents);
    MlirValue init = filled(m, v->element, rank, extents,
                            start < 2 ? number(m, v->element, start) : extreme(m, v->element, start == 2));
    if (!mlir_reduce_on(m, op, kinds[i].what, (uint32_t)axis, v, &init, &out)) return false;
    return mlir_tosa_finish(m, op, with_axis(m, &out, (uint32_t)axis));
  }
  return mlir_unsupported(m, op);
}

/* The first place of the greatest element: NaN is never greater. */
static bool argmax_body(Mlir *m, const Op *op, void *payload, const Cell *in, const Cell *out, Cell *yield) {
  TermTable *tt = m->tt;
  const MlirValue *v = mlir_operand(m, op, 0);
  Term greater = mlir_is_float(m, v->element)
                     ? floats_compare(&m->floats, mlir_type(m, v->element)->format, "ogt", in[0].value, out[1].value)
                     : term_lt(tt, mlir_as_int(tt, out[1].value), mlir_as_int(tt, in[0].value));
  Cell place = {mlir_truncate(m, m->loop_index[*(uint32_t *)payload], mlir_width(m, result_element(m, op))),
                tt->false_};
  Term poison = term_or(tt, in[0].poison, out[1].poison);
  yield[0] = mlir_choose(m, greater, place, out[0]), yield[1] = mlir_choose(m, greater, in[0], out[1]);
  yield[0].poison = term_or(tt, yield[0].poison, poison), yield[1].poison = term_or(tt, yield[1].poison, poison);
  return true;
}

bool mlir_tosa_argmax(Mlir *m, const Op *op) {
  MlirValue *v = mlir_tosa_tensor(m, op, 0), results[2];
  int64_t axis = program_op_int(m->p, op, "axis", -1);
  TypeId type = result_element(m, op);
  Term extents[MLIR_RANK];
  if (!v || axis < 0 || axis >= v->rank || !type || mlir_is_float(m, type)) return mlir_unsupported(m, op);
  uint32_t along = (uint32_t)axis, rank = without_axis(v, along, extents);
  MlirValue place = filled(m, type, rank, extents, number(m, type, 0)),
            best = filled(m, v->element, rank, extents, extreme(m, v->element, true));
  if (!mlir_reduce_by(m, op, along, v, 2, (const MlirValue *[]){&place, &best}, argmax_body, &along, results))
    return false;
  return mlir_tosa_finish(m, op, results[0]);
}

/* ---- products ---- */

/* An element of a bias, which may have one for all. */
static Cell bias_at(Mlir *m, const MlirValue *bias, Term index) {
  return mlir_element(m, bias, (Term[]){bias->extent[0] == m->tt->one ? m->tt->zero : index});
}

/* What a sum of so many summands starts from: one of a single float may be that float, as -0 has it. */
static Cell sum_start(Mlir *m, TypeId type, Term summands) {
  bool is_open = mlir_is_float(m, type) && summands == m->tt->one;
  if (is_open) m->run->open |= MLIR_ONE_PRODUCT;
  return number(m, type, is_open && (m->flags.ways & MLIR_ONE_PRODUCT) ? -0.0 : 0.0);
}

/* A sum over `operands`, the third being the output of zeros; `bias` along the last dimension. */
static bool sum_with_bias(Mlir *m, const Op *op, const char *name, const MlirValue *const *inputs, Term summands,
                          uint32_t rank, const Term *extents, const MlirValue *bias, const int64_t *strides,
                          const int64_t *dilations, MlirValue *out) {
  TypeId type = result_element(m, op);
  bool bias_first = bias && (m->flags.ways & MLIR_BIAS_FIRST);
  MlirValue init = filled(m, type, rank, extents, bias_first ? number(m, type, 0) : sum_start(m, type, summands));
  MlirValue widened;
  if (bias) {
    m->run->open |= MLIR_BIAS_FIRST;
    if (bias->rank != 1) return mlir_unsupported(m, op);
    if (bias->extent[0] != m->tt->one) mlir_need_equal(m, bias->extent[0], extents[rank - 1]);
    widened = *bias;
    if (!as_summand(m, &widened, type, 0)) return mlir_unsupported(m, op);
  }
  if (bias_first) init.cell = bias_at(m, &widened, init.index[rank - 1]);
  const MlirValue *operands[3] = {inputs[0], inputs[1], &init};
  if (!mlir_named_on(m, op, name, operands, strides, dilations, out)) return false;
  if (bias && !bias_first)
    out->cell = mlir_combine(m, "add", type, bias_at(m, &widened, out->index[rank - 1]), out->cell);
  return true;
}

static bool read_inputs(Mlir *m, const Op *op, const char *first, const char *second, uint32_t zero_operand,
                        MlirValue *inputs) {
  static const char *const fields[2] = {"input_zp", "weight_zp"};
  const char *names[2] = {first ? first : fields[0], second ? second : fields[1]};
  for (uint32_t i = 0; i < 2; i++) {
    MlirValue *v = mlir_tosa_tensor(m, op, i);
    int64_t zero;
    if (!v || !mlir_tosa_zero_point(m, op, names[i], zero_operand + i, &zero)) return false;
    inputs[i] = *v;
    if (!as_summand(m, &inputs[i], result_element(m, op), zero)) return false;
  }
  return true;
}

bool mlir_tosa_matmul(Mlir *m, const Op *op) {
  MlirValue in[2], out;
  if (!result_element(m, op) || !read_inputs(m, op, "a_zp", "b_zp", 2, in) || in[0].rank != 3 || in[1].rank != 3)
    return mlir_unsupported(m, op);
  Term extents[3] = {in[0].extent[0], in[0].extent[1], in[1].extent[2]};
  return sum_with_bias(m, op, "batch_matmul", (const MlirValue *[]){&in[0], &in[1]}, in[0].extent[2], 3, extents, NULL,
                       NULL, NULL, &out) &&
         mlir_tosa_finish(m, op, out);
}

bool mlir_tosa_fully_connected(Mlir *m, const Op *op) {
  MlirValue in[2], out, *bias = mlir_tosa_tensor(m, op, 2);
  if (!bias || !result_element(m, op) || !read_inputs(m, op, NULL, NULL, 3, in) || in[0].rank != 2 || in[1].rank != 2)
    return mlir_unsupported(m, op);
  Term extents[2] = {in[0].extent[0], in[1].extent[0]};
  return sum_with_bias(m, op, "matmul_transpose_b", (const MlirValue *[]){&in[0], &in[1]}, in[0].extent[1], 2, extents,
                       bias, NULL, NULL, &out) &&
         mlir_tosa_finish(m, op, out);
}

/* ---- windows ---- */

typedef struct Window {
  uint32_t axes; /* 2 or 3 */
  int64_t pad[6], stride[4], dilation[4];
  Term kernel[3];
} Window;

static bool read_window(Mlir *m, const Op *op, Window *w) {
  for (int i = 0; i < 4; i++) w->stride[i] = w->dilation[i] = 1;
  if (mlir_integers(m, program_op_attr(m->p, op, "pad"), w->pad, 6) != 2 * w->axes ||
      mlir_integers(m, program_op_attr(m->p, op, "stride"), w->stride, 4) != w->axes)
    return false;
  AttrId dilation = program_op_attr(m->p, op, "dilation");
  if (dilation && mlir_integers(m, dilation, w->dilation, 4) != w->axes) return false;
  for (uint32_t i = 0; i < 2 * w->axes; i++)
    if (w->pad[i] < 0) return false;
  for (uint32_t i = 0; i < w->axes; i++)
    if (w->stride[i] < 1 || w->dilation[i] < 1) return false;
  return true;
}

/* Of dimensions 1 .. axes; the others are not padded. */
static MlirValue window_padded(Mlir *m, const Window *w, const MlirValue *v, Cell padding) {
  Term low[MLIR_RANK], high[MLIR_RANK];
  for (uint32_t i = 0; i < v->rank; i++) {
    bool inner = i && i <= w->axes;
    low[i] = inner ? term_int(m->tt, w->pad[2 * (i - 1)]) : m->tt->zero;
    high[i] = inner ? term_int(m->tt, w->pad[2 * (i - 1) + 1]) : m->tt->zero;
  }
  return mlir_padded(m, v, low, high, padding);
}

/* (padded - dilation * (kernel - 1) - 1) // stride + 1, which must not be negative. */
static void window_extents(Mlir *m, const Window *w, const MlirValue *padded, Term *extents) {
  TermTable *tt = m->tt;
  for (uint32_t i = 0; i < w->axes; i++) {
    Term reach = term_mul(tt, term_int(tt, w->dilation[i]), term_sub(tt, w->kernel[i], tt->one));
    Term room = term_sub(tt, term_sub(tt, padded->extent[i + 1], reach), tt->one);
    extents[i + 1] = term_add(tt, term_floordiv(tt, room, term_int(tt, w->stride[i])), tt->one);
    mlir_undefined(m, term_lt(tt, extents[i + 1], tt->zero));
  }
}

static MlirValue permuted(Mlir *m, const MlirValue *v, const uint32_t *order) {
  Term extents[MLIR_RANK], index[MLIR_RANK];
  for (uint32_t i = 0; i < v->rank; i++) extents[i] = v->extent[order[i]];
  MlirValue out = mlir_tensor_new(m, v->element, v->rank, extents);
  for (uint32_t i = 0; i < v->rank; i++) index[order[i]] = out.index[i];
  out.cell = mlir_element(m, v, index);
  return out;
}

/* Channels and multiplier of a depthwise convolution as one dimension, the bias at the end. */
static bool depthwise(Mlir *m, const Op *op, const MlirValue *in, const Window *w, const MlirValue *bias) {
  TermTable *tt = m->tt;
  Term extents[5] = {in[0].extent[0], 0, 0, in[1].extent[2], in[1].extent[3]};
  MlirValue sum;
  window_extents(m, w, &in[0], extents);
  if (!sum_with_bias(m, op, "depthwise_conv_2d_nhwc_hwcm", (const MlirValue *[]){&in[0], &in[1]},
                     mlir_product(tt, 2, w->kernel), 5, extents, NULL, w->stride, w->dilation, &sum))
    return false;
  Term flat[4] = {extents[0], extents[1], extents[2], term_mul(tt, extents[3], extents[4])};
  MlirValue out = mlir_tensor_new(m, sum.element, 4, flat);
  Term channel = term_floordiv(tt, out.index[3], extents[4]), rest = term_mod(tt, out.index[3], extents[4]);
  Cell cell = mlir_element(m, &sum, (Term[]){out.index[0], out.index[1], out.index[2], channel, rest});
  if (bias->rank != 1) return mlir_unsupported(m, op);
  if (bias->extent[0] != tt->one) mlir_need_equal(m, bias->extent[0], flat[3]);
  MlirValue widened = *bias;
  if (!as_summand(m, &widened, sum.element, 0)) return mlir_unsupported(m, op);
  out.cell = mlir_combine(m, "add", sum.element, bias_at(m, &widened, out.index[3]), cell);
  return mlir_tosa_finish(m, op, out);
}

bool mlir_tosa_conv(Mlir *m, const Op *op) {
  bool deep = is(suffix(m, op), "conv3d"), each = is(suffix(m, op), "depthwise_conv2d");
  Window w = {.axes = deep ? 3 : 2};
  MlirValue in[2], out, *bias = mlir_tosa_tensor(m, op, 2);
  Term extents[5];
  if (!bias || !result_element(m, op) || !read_window(m, op, &w) || !read_inputs(m, op, NULL, NULL, 3, in) ||
      in[0].rank != w.axes + 2 || in[1].rank != w.axes + 2)
    return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < w.axes; i++) w.kernel[i] = in[1].extent[each ? i : i + 1];
  in[0] = window_padded(m, &w, &in[0], number(m, in[0].element, 0));
  if (each) return depthwise(m, op, in, &w, bias);
  extents[0] = in[0].extent[0], extents[w.axes + 1] = in[1].extent[0];
  window_extents(m, &w, &in[0], extents);
  Term summands = term_mul(m->tt, mlir_product(m->tt, w.axes, w.kernel), in[0].extent[w.axes + 1]);
  if (deep) in[1] = permuted(m, &in[1], (uint32_t[]){1, 2, 3, 4, 0});
  return sum_with_bias(m, op, deep ? "conv_3d_ndhwc_dhwcf" : "conv_2d_nhwc_fhwc", (const MlirValue *[]){&in[0], &in[1]},
                       summands, w.axes + 2, extents, bias, w.stride, w.dilation, &out) &&
         mlir_tosa_finish(m, op, out);
}

/* A convolution over the places of the input, of which `stride` outputs each are made: with the kernel backwards, and
 * cut into as many as there are outputs to a place (filled up with zeros), these being channels. So the lowering has
 * it, zeros of the padding among the summands. */
typedef struct Spread {
  int64_t stride[2], pad[4];
  Term kernel[2], parts[2]; /* parts: of the cut kernel */
  Term more[2];             /* of the padding, where outputs lie before the first place */
} Spread;

static bool read_spread(Mlir *m, const Op *op, const MlirValue *weights, Spread *s) {
  TermTable *tt = m->tt;
  if (mlir_integers(m, program_op_attr(m->p, op, "out_pad"), s->pad, 4) != 4 ||
      mlir_integers(m, program_op_attr(m->p, op, "stride"), s->stride, 2) != 2 || s->stride[0] < 1 || s->stride[1] < 1)
    return false;
  bool is_dense = s->stride[0] == 1 && s->stride[1] == 1;
  for (uint32_t a = 0; a < 2; a++) {
    s->kernel[a] = weights->extent[a + 1], s->parts[a] = term_cdiv(tt, s->kernel[a], term_int(tt, s->stride[a]));
    s->more[a] = is_dense && s->pad[2 * a] > 0 ? term_int(tt, s->pad[2 * a]) : tt->zero;
    mlir_undefined(m, term_lt(tt, s->kernel[a], tt->one));
  }
  return true;
}

static MlirValue cut_kernel(Mlir *m, const Spread *s, const MlirValue *weights) {
  TermTable *tt = m->tt;
  Term channels = weights->extent[0], inside = tt->true_, width = term_int(tt, s->stride[1]);
  Term extents[4] = {term_scale(tt, rational_int(s->stride[0] * s->stride[1]), channels), s->parts[0], s->parts[1],
                     weights->extent[3]};
  MlirValue out = mlir_tensor_new(m, weights->element, 4, extents);
  Term part = term_floordiv(tt, out.index[0], channels);
  Term index[4] = {term_mod(tt, out.index[0], channels), term_floordiv(tt, part, width), term_mod(tt, part, width),
                   out.index[3]};
  for (uint32_t a = 0; a < 2; a++) {
    Term back = term_sub(tt, term_sub(tt, s->parts[a], tt->one), out.index[a + 1]);
    index[a + 1] = term_add(tt, index[a + 1], term_scale(tt, rational_int(s->stride[a]), back));
    inside = term_and(tt, inside, term_lt(tt, index[a + 1], s->kernel[a]));
  }
  out.cell = mlir_choose(m, inside, mlir_element(m, weights, index), number(m, weights->element, 0));
  return out;
}

bool mlir_tosa_transpose_conv(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  MlirValue in[2], sum, *bias = mlir_tosa_tensor(m, op, 2);
  Spread s;
  TypeId type = result_element(m, op);
  if (!bias || bias->rank != 1 || !type || !read_inputs(m, op, NULL, NULL, 3, in) || in[0].rank != 4 ||
      in[1].rank != 4 || !read_spread(m, op, &in[1], &s))
    return mlir_unsupported(m, op);
  bool is_dense = s.stride[0] == 1 && s.stride[1] == 1;
  Term low[4] = {tt->zero, tt->zero, tt->zero, tt->zero}, high[4] = {tt->zero, tt->zero, tt->zero, tt->zero};
  Term extents[4] = {in[0].extent[0], 0, 0, 0}, size[4] = {in[0].extent[0], 0, 0, in[1].extent[0]};
  for (uint32_t a = 0; a < 2; a++) {
    Term reach = term_sub(tt, s.parts[a], tt->one), pads = term_int(tt, s.pad[2 * a] + s.pad[2 * a + 1]);
    int64_t behind = is_dense && s.pad[2 * a + 1] > 0 ? s.pad[2 * a + 1] : 0;
    low[a + 1] = term_add(tt, reach, s.more[a]), high[a + 1] = term_add(tt, reach, term_int(tt, behind));
    Term steps = term_scale(tt, rational_int(s.stride[a]), term_sub(tt, in[0].extent[a + 1], tt->one));
    size[a + 1] = term_add(tt, term_add(tt, steps, pads), s.kernel[a]);
    mlir_undefined(m, term_lt(tt, size[a + 1], tt->zero));
  }
  in[0] = mlir_padded(m, &in[0], low, high, number(m, in[0].element, 0));
  for (uint32_t a = 0; a < 2; a++)
    extents[a + 1] = term_add(tt, term_sub(tt, in[0].extent[a + 1], s.parts[a]), tt->one);
  in[1] = cut_kernel(m, &s, &in[1]);
  extents[3] = in[1].extent[0];
  Term summands = term_mul(tt, mlir_product(tt, 2, s.parts), in[0].extent[3]);
  MlirValue zeros = filled(m, type, 1, &extents[3], number(m, type, 0));
  if (!sum_with_bias(m, op, "conv_2d_nhwc_fhwc", (const MlirValue *[]){&in[0], &in[1]}, summands, 4, extents,
                     is_dense ? bias : &zeros, (const int64_t[]){1, 1}, (const int64_t[]){1, 1}, &sum))
    return false;
  MlirValue out = mlir_tensor_new(m, type, 4, size);
  Term index[4] = {out.index[0], 0, 0, out.index[3]}, inside = tt->true_, part = tt->zero;
  for (uint32_t a = 0; a < 2; a++) {
    Term stride = term_int(tt, s.stride[a]), place = term_sub(tt, out.index[a + 1], term_int(tt, s.pad[2 * a]));
    Term row = term_floordiv(tt, place, stride);
    part = term_add(tt, term_mul(tt, part, stride), term_mod(tt, place, stride));
    index[a + 1] = term_add(tt, row, s.more[a]);
    inside = term_and(tt, inside, term_le(tt, tt->zero, index[a + 1]));
    inside = term_and(tt, inside, term_lt(tt, index[a + 1], extents[a + 1]));
  }
  index[3] = term_add(tt, index[3], term_mul(tt, part, size[3]));
  out.cell = mlir_choose(m, inside, mlir_element(m, &sum, index), number(m, type, 0));
  if (is_dense) return mlir_tosa_finish(m, op, out);
  if (bias->extent[0] != tt->one) mlir_need_equal(m, bias->extent[0], size[3]);
  MlirValue widened = *bias;
  if (!as_summand(m, &widened, type, 0)) return mlir_unsupported(m, op);
  out.cell = mlir_combine(m, "add", type, out.cell, bias_at(m, &widened, out.index[3]));
  return mlir_tosa_finish(m, op, out);
}

/* How many cells of a window along an axis are none of the padding; at least 1. */
static Term cells_inside(Mlir *m, const Window *w, uint32_t axis, Term index, Term extent) {
  TermTable *tt = m->tt;
  Term stride = term_int(tt, w->stride[axis]), count = w->kernel[axis];
  Term places[2] = {index, term_sub(tt, term_sub(tt, extent, tt->one), index)};
  for (int side = 0; side < 2; side++) {
    int64_t pad = w->pad[2 * axis + (uint32_t)side];
    Term over = term_sub(tt, term_mul(tt, places[side], stride), term_int(tt, pad));
    if (pad) count = term_add(tt, count, term_min(tt, over, tt->zero));
  }
  return term_max(tt, tt->one, count);
}

/* The mean of `count` integers, at most `most`, as the lowering has it: less their zero points, times the reciprocal of
 * the count as a fixed-point number, saturated around the zero point of the result. */
static Cell integer_mean(Mlir *m, TypeId type, Cell sum, Term count, int64_t most, const int64_t *zero) {
  TermTable *tt = m->tt;
  Term half = term_new_rat(tt, (Rational){(Int128)1 << (mlir_width(m, type) - 1), 1});
  Cell mean = {0};
  sum.value = term_wrap(tt, 32, term_sub(tt, sum.value, term_mul(tt, count, term_int(tt, zero[0]))));
  for (int64_t n = most; n >= 1; n--) {
    uint32_t k = 0;
    while (((int64_t)1 << k) < n) k++;
    Cell factor = {term_int(tt, ((((int64_t)1 << 30) + 1) << k) / n), tt->false_};
    Cell own = mlir_scale(m, sum, factor, (Cell){term_int(tt, 30 + (int64_t)k), tt->false_}, false);
    mean = n == most ? own : mlir_choose(m, term_eq(tt, count, term_int(tt, n)), own, mean);
  }
  mean.value = term_wrap(tt, 32, term_add(tt, mean.value, term_int(tt, zero[1])));
  mean.value = term_min(tt, term_sub(tt, half, tt->one), term_max(tt, term_neg(tt, half), mean.value));
  return mean;
}

/* The type that integers are added in; 0: not i32. */
static TypeId sum_type(const Mlir *m, const Op *op) {
  const Attr *a = program_get_attr(m->p, program_op_attr(m->p, op, "acc_type"));
  bool fits = a->kind == ATTR_TYPE && mlir_type(m, a->type)->kind == TYPE_INT && mlir_width(m, a->type) == 32;
  return fits ? a->type : 0;
}

bool mlir_tosa_pool(Mlir *m, const Op *op) {
  enum { MOST_CELLS = 256 };
  TermTable *tt = m->tt;
  bool average = is(suffix(m, op), "avg_pool2d");
  Window w = {.axes = 2};
  MlirValue *v = mlir_tosa_tensor(m, op, 0), out;
  int64_t kernel[2], zero[2] = {0, 0};
  TypeId type = result_element(m, op);
  if (!v || v->rank != 4 || v->element != type || !read_window(m, op, &w) ||
      mlir_integers(m, program_op_attr(m->p, op, "kernel"), kernel, 2) != 2 ||
      (average && (!mlir_tosa_zero_point(m, op, "input_zp", 1, &zero[0]) ||
                   !mlir_tosa_zero_point(m, op, "output_zp", 2, &zero[1]))))
    return mlir_unsupported(m, op);
  bool is_integer = average && !mlir_is_float(m, type);
  MlirValue summands = *v;
  TypeId result = type;
  if (is_integer) {
    type = sum_type(m, op);
    bool small = kernel[0] > 0 && kernel[1] > 0 && kernel[0] <= MOST_CELLS && kernel[1] <= MOST_CELLS / kernel[0];
    if (!type || !small || mlir_width(m, result) < 2 || !as_summand(m, &summands, type, 0))
      return mlir_unsupported(m, op);
    v = &summands;
  } else if (zero[0] || zero[1]) {
    return mlir_unsupported(m, op);
  }
  for (int i = 0; i < 2; i++) w.kernel[i] = term_int(tt, kernel[i]);
  Cell start = average ? number(m, type, 0) : extreme(m, type, true);
  MlirValue padded = window_padded(m, &w, v, start), shape = filled(m, type, 2, w.kernel, start);
  Term extents[4] = {v->extent[0], 0, 0, v->extent[3]};
  window_extents(m, &w, &padded, extents);
  MlirValue init = filled(m, type, 4, extents, start);
  const MlirValue *operands[3] = {&padded, &shape, &init};
  if (!mlir_named_on(m, op, average ? "pooling_nhwc_sum" : "pooling_nhwc_max", operands, w.stride, NULL, &out))
    return false;
  if (average) {
    Term count = term_mul(tt, cells_inside(m, &w, 0, out.index[1], extents[1]),
                          cells_inside(m, &w, 1, out.index[2], extents[2]));
    if (is_integer) {
      out.cell = integer_mean(m, result, out.cell, count, kernel[0] * kernel[1], zero), out.element = result;
      return mlir_tosa_finish(m, op, out);
    }
    Term divisor = floats_from_integer(&m->floats, mlir_type(m, type)->format, term_wrap(tt, 32, count));
    out.cell = mlir_combine(m, "div", type, out.cell, (Cell){divisor, tt->false_});
  }
  return mlir_tosa_finish(m, op, out);
}
