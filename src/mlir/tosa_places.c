/* The tosa dialect, operators that are neither plainly elementwise nor sums: casts, clamps and scales; padding, slices,
 * tables, scatter, resize. What TOSA leaves open is as the lowering to linalg has it. */
#include <math.h>

#include "mlir/internal.h"

static bool is(const char *a, const char *b) { return !strcmp(a, b); }

static TypeId result_element(const Mlir *m, const Op *op) {
  const Type *t = program_value_type(m->p, op->first_result);
  return t->kind == TYPE_TENSOR ? t->element : 0;
}

/* A tensor of the shape of operand 0, whose cell is to be made of that operand's. */
static MlirValue *like_input(Mlir *m, const Op *op, MlirValue *out) {
  MlirValue *v = mlir_tosa_tensor(m, op, 0);
  if (v) *out = *v;
  return v;
}

static Term saturated(Mlir *m, Term t, uint32_t width) {
  TermTable *tt = m->tt;
  Term half = term_new_rat(tt, (Rational){(Int128)1 << (width - 1), 1});
  return term_min(tt, term_sub(tt, half, tt->one), term_max(tt, term_neg(tt, half), t));
}

/* ---- casts and clamps ---- */

/* To the nearest integer, ties to even, saturated: as far as the format goes by extrema, else by choices. */
static Cell float_to_integer(Mlir *m, FloatFormat format, Cell a, uint32_t width) {
  TermTable *tt = m->tt;
  Floats *f = &m->floats;
  double low = -ldexp(1, (int)width - 1), high = -low - 1, value;
  Term x = floats_unary(f, FLOAT_ROUNDEVEN, format, a.value), poison, t;
  Term least = floats_constant(&m->floats, format, low), greatest = floats_constant(&m->floats, format, high);
  Term top = term_new_rat(tt, (Rational){((Int128)1 << (width - 1)) - 1, 1}),
       bottom = term_sub(tt, term_neg(tt, top), tt->one);
  if (!floats_is_constant(&m->floats, least, format, &value) || isinf(value)) {
    t = floats_to_integer(f, format, x, width, true, &poison);
    Term above = floats_compare(f, format, "ueq", x, floats_constant(&m->floats, format, INFINITY)),
         below = floats_compare(f, format, "ueq", x, floats_constant(&m->floats, format, -INFINITY));
    Cell out = {mlir_truncate(m, t, width), poison};
    return mlir_choose(m, below, (Cell){bottom, a.poison}, mlir_choose(m, above, (Cell){top, a.poison}, out));
  }
  if (width <= 53 && floats_is_constant(&m->floats, greatest, format, &value) && value == high) {
    x = floats_binary(f, FLOAT_MAXIMUM, format, floats_binary(f, FLOAT_MINIMUM, format, x, greatest), least);
    t = floats_to_integer(f, format, x, width, true, &poison);
    return (Cell){mlir_truncate(m, t, width), term_or(tt, a.poison, poison)};
  }
  t = floats_to_integer(f, format, floats_binary(f, FLOAT_MAXIMUM, format, x, least), width, true, &poison);
  Term above = floats_compare(f, format, "uge", x, floats_constant(&m->floats, format, -low));
  return mlir_choose(m, above, (Cell){top, a.poison},
                     (Cell){mlir_truncate(m, t, width), term_or(tt, a.poison, poison)});
}

static Cell cast(Mlir *m, Cell a, TypeId from, TypeId to) {
  TermTable *tt = m->tt;
  bool is_float = mlir_is_float(m, from);
  uint32_t width = mlir_width(m, to);
  if (!mlir_is_float(m, to) && width == 1 && is_float) {
    FloatFormat format = mlir_type(m, from)->format;
    return (Cell){floats_compare(&m->floats, format, "une", a.value, floats_constant(&m->floats, format, 0)), a.poison};
  }
  if (!mlir_is_float(m, to) && width == 1) return (Cell){mlir_as_bool(tt, a.value), a.poison};
  if (!mlir_is_float(m, to) && is_float) return float_to_integer(m, mlir_type(m, from)->format, a, width);
  return mlir_convert(m, a, from, to);
}

bool mlir_tosa_cast(Mlir *m, const Op *op) {
  MlirValue out;
  if (!like_input(m, op, &out) || !result_element(m, op)) return mlir_unsupported(m, op);
  out.cell = cast(m, out.cell, out.element, result_element(m, op));
  return out.cell.value ? mlir_tosa_finish(m, op, out) : mlir_unsupported(m, op);
}

/* A bound of clamp: of a float or an integer, under the names of any release. */
static Cell bound(Mlir *m, const Op *op, const char *real, const char *whole, const char *either, TypeId type) {
  AttrId id = program_op_attr(m->p, op, either);
  if (!id) id = program_op_attr(m->p, op, mlir_is_float(m, type) ? real : whole);
  const Attr *a = program_get_attr(m->p, id);
  if (!id || (a->kind != ATTR_INT && a->kind != ATTR_FLOAT)) return (Cell){0};
  Cell c = mlir_constant(m, a);
  return a->kind == ATTR_FLOAT ? mlir_convert(m, c, a->type, type) : c;
}

bool mlir_tosa_clamp(Mlir *m, const Op *op) {
  MlirValue out;
  if (!like_input(m, op, &out)) return mlir_unsupported(m, op);
  Cell low = bound(m, op, "min_fp", "min_int", "min_val", out.element),
       high = bound(m, op, "max_fp", "max_int", "max_val", out.element);
  AttrId nan = program_op_attr(m->p, op, "nan_mode");
  if (!low.value || !high.value || mlir_width(m, out.element) == 1 || nan) return mlir_unsupported(m, op);
  out.cell = mlir_combine(m, "max", out.element, mlir_combine(m, "min", out.element, out.cell, high), low);
  return mlir_tosa_finish(m, op, out);
}

/* ---- scales ---- */

/* Shifts from 1 to 63; others are poison. */
Cell mlir_scale(Mlir *m, Cell value, Cell multiplier, Cell shift, bool double_round) {
  TermTable *tt = m->tt;
  int64_t n;
  bool constant = term_is_int(tt, shift.value, &n);
  if (!constant) return (Cell){0};
  Cell out = {tt->zero, tt->true_};
  if (n < 1 || n > 63) return out;
  Term whole = term_new_rat(tt, (Rational){(Int128)1 << n, 1}),
       round = term_new_rat(tt, (Rational){(Int128)1 << (n - 1), 1});
  if (double_round && n > 31) {
    Term more = term_int(tt, 1 << 30);
    round = term_add(tt, round, term_select(tt, term_le(tt, tt->zero, value.value), more, term_neg(tt, more)));
  }
  Term product = term_wrap(tt, 64, term_add(tt, term_mul(tt, value.value, multiplier.value), round));
  out.value = term_wrap(tt, 32, term_floordiv(tt, product, whole));
  out.poison = term_or(tt, value.poison, term_or(tt, multiplier.poison, shift.poison));
  return out;
}

bool mlir_tosa_apply_scale(Mlir *m, const Op *op) {
  if (op->operand_count != 3) return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < 3; i++)
    if (mlir_operand(m, op, i)->kind != MLIR_SCALAR) return mlir_unsupported(m, op);
  const char *mode = program_op_text(m->p, op, "rounding_mode");
  bool twice = program_op_int(m->p, op, "double_round", 0) || (mode && is(mode, "DOUBLE_ROUND"));
  Cell out =
      mlir_scale(m, mlir_operand(m, op, 0)->cell, mlir_operand(m, op, 1)->cell, mlir_operand(m, op, 2)->cell, twice);
  if (!out.value) return mlir_unsupported(m, op);
  mlir_set(m, op, 0, mlir_scalar(out, program_get_value(m->p, op->first_result)->type));
  return true;
}

/* A number of the last dimension, or the one for all. */
static Term along_last(Mlir *m, const MlirValue *v, const int64_t *numbers, uint32_t count) {
  TermTable *tt = m->tt;
  Term t = term_int(tt, numbers[count - 1]);
  for (uint32_t i = count - 1; i-- > 0;)
    t = term_select(tt, term_eq(tt, v->index[v->rank - 1], term_int(tt, i)), term_int(tt, numbers[i]), t);
  return t;
}

bool mlir_tosa_rescale(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  MlirValue out;
  int64_t multiplier[MLIR_RANK * 4], shift[MLIR_RANK * 4], zero[2];
  uint32_t count = mlir_integers(m, program_op_attr(m->p, op, "multiplier"), multiplier, MLIR_RANK * 4);
  TypeId to = result_element(m, op);
  if (!like_input(m, op, &out) || !to || !count ||
      mlir_integers(m, program_op_attr(m->p, op, "shift"), shift, MLIR_RANK * 4) != count ||
      !mlir_tosa_zero_point(m, op, "input_zp", 3, &zero[0]) || !mlir_tosa_zero_point(m, op, "output_zp", 4, &zero[1]) ||
      mlir_is_float(m, to) || mlir_type(m, to)->sign == 2 || mlir_type(m, out.element)->sign == 2 ||
      mlir_width(m, out.element) > 32 || mlir_width(m, to) > 32)
    return mlir_unsupported(m, op);
  for (uint32_t i = 1; i < count; i++)
    if (shift[i] != shift[0] || !out.rank) return mlir_unsupported(m, op);
  bool twice = program_op_int(m->p, op, "double_round", 0) && program_op_int(m->p, op, "scale32", 0);
  Cell factor = {along_last(m, &out, multiplier, count), tt->false_}, by = {term_int(tt, shift[0]), tt->false_};
  out.cell.value = term_wrap(tt, 32, term_sub(tt, out.cell.value, term_int(tt, zero[0])));
  out.cell = mlir_scale(m, out.cell, factor, by, twice);
  out.cell.value =
      saturated(m, term_wrap(tt, 32, term_add(tt, out.cell.value, term_int(tt, zero[1]))), mlir_width(m, to));
  return mlir_tosa_finish(m, op, out);
}

/* Of 8 bits: the entry at x + 128. */
bool mlir_tosa_table(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  MlirValue *v = mlir_tosa_tensor(m, op, 0), *table = mlir_tosa_tensor(m, op, 1), out;
  if (!v || !table || table->rank != 1 || mlir_is_float(m, v->element) || mlir_width(m, v->element) != 8)
    return mlir_unsupported(m, op);
  out = *v, out.element = table->element;
  Term place = term_add(tt, v->cell.value, term_int(tt, 128));
  Term outside = term_or(tt, v->cell.poison, term_le(tt, table->extent[0], place));
  mlir_undefined(m, mlir_any(m, v->rank, v->index, v->extent, outside));
  out.cell = mlir_element(m, table, &place);
  return mlir_tosa_finish(m, op, out);
}

/* ---- places ---- */

/* Amounts as an operand [rank, 2] or flat. */
bool mlir_tosa_pad(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  MlirValue *v = mlir_tosa_tensor(m, op, 0), *amounts = mlir_tosa_tensor(m, op, 1);
  Term pad[2][MLIR_RANK];
  int64_t zero;
  if (!v || !amounts || amounts->rank < 1 || amounts->rank > 2) return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < 2 * v->rank; i++) {
    Term place[2] = {term_int(tt, amounts->rank == 2 ? i / 2 : i), term_int(tt, i % 2)};
    Cell cell = mlir_element(m, amounts, place);
    mlir_undefined_at(m, cell);
    mlir_undefined(m, term_lt(tt, cell.value, tt->zero));
    pad[i % 2][i / 2] = cell.value;
  }
  Cell padding = {mlir_width(m, v->element) == 1 ? tt->false_ : tt->zero, tt->false_};
  MlirValue *given = mlir_tosa_tensor(m, op, 2);
  if (given && given->rank < 2) {
    padding = mlir_element(m, given, &tt->zero);
  } else if (op->operand_count > 2 || !mlir_tosa_zero_point(m, op, "input_zp", 2, &zero)) {
    return mlir_unsupported(m, op);
  } else if (zero) {
    padding.value = term_int(tt, zero);
  }
  return mlir_tosa_finish(m, op, mlir_padded(m, v, pad[0], pad[1], padding));
}

bool mlir_tosa_slice(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  MlirValue *v = mlir_tosa_tensor(m, op, 0);
  int64_t start[MLIR_RANK], size[MLIR_RANK];
  Term extents[MLIR_RANK], index[MLIR_RANK];
  if (!v || mlir_tosa_integers(m, op, "start", 1, start) != v->rank ||
      mlir_tosa_integers(m, op, "size", 2, size) != v->rank)
    return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < v->rank; i++) {
    Term from = term_int(tt, start[i]); /* a size of -1: up to the end */
    extents[i] = size[i] < 0 ? term_sub(tt, v->extent[i], from) : term_int(tt, size[i]);
    mlir_undefined(m, term_or(tt, term_lt(tt, from, tt->zero), term_lt(tt, extents[i], tt->zero)));
    mlir_undefined(m, term_lt(tt, v->extent[i], term_add(tt, from, extents[i])));
  }
  MlirValue out = mlir_tensor_new(m, v->element, v->rank, extents);
  for (uint32_t i = 0; i < v->rank; i++) index[i] = term_add(tt, out.index[i], term_int(tt, start[i]));
  out.cell = mlir_element(m, v, index);
  return mlir_tosa_finish(m, op, out);
}

/* values [N, K, C], places [N, W], what goes there [N, W, C]: places of one n differ, so that the sum over those that
 * are k, as bit patterns, is the one element. */
bool mlir_tosa_scatter(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  MlirValue *v = mlir_tosa_tensor(m, op, 0), *at = mlir_tosa_tensor(m, op, 1), *from = mlir_tosa_tensor(m, op, 2);
  if (!v || !at || !from || v->rank != 3 || at->rank != 2 || from->rank != 3) return mlir_unsupported(m, op);
  mlir_need_equal(m, v->extent[0], at->extent[0]), mlir_need_equal(m, v->extent[0], from->extent[0]);
  mlir_need_equal(m, at->extent[1], from->extent[1]), mlir_need_equal(m, v->extent[2], from->extent[2]);
  Term n = at->index[0], w = at->index[1], other = term_symbol_fresh(tt, "w", SORT_INT, SYMBOL_INDEX);
  term_symbol_range(tt, other, tt->zero, term_sub(tt, w, tt->one));
  Cell first = at->cell, second = mlir_element(m, at, (Term[]){n, other});
  Term outside = term_or(tt, term_lt(tt, first.value, tt->zero), term_le(tt, v->extent[1], first.value));
  Term same = term_fold(tt, FOLD_ANY, other, tt->zero, w, tt->true_, term_eq(tt, first.value, second.value));
  Term bad = term_or(tt, first.poison, term_or(tt, outside, same));
  mlir_undefined(m, mlir_any(m, 2, at->index, at->extent, bad));
  MlirValue out = *v;
  Term here = term_eq(tt, mlir_element(m, at, (Term[]){out.index[0], w}).value, out.index[1]);
  Cell own = mlir_element(m, from, (Term[]){out.index[0], w, out.index[2]});
  Term any = term_fold(tt, FOLD_ANY, w, tt->zero, at->extent[1], tt->true_, here);
  Cell written = {term_fold(tt, FOLD_SUM, w, tt->zero, at->extent[1], here, mlir_as_int(tt, own.value)),
                  term_fold(tt, FOLD_ANY, w, tt->zero, at->extent[1], here, own.poison)};
  if (mlir_width(m, v->element) == 1) written.value = mlir_as_bool(tt, written.value);
  out.cell = mlir_choose(m, any, written, v->cell);
  return mlir_tosa_finish(m, op, out);
}

/* ---- resize ---- */

typedef struct Axis {
  Term place, rest; /* whole place in the input, and what is left, over `scale` */
  int64_t scale;
  Term last; /* of the input */
} Axis;

static Term clamped(Mlir *m, const Axis *a, Term t) {
  return term_min(m->tt, a->last, term_max(m->tt, m->tt->zero, t));
}

static Cell fraction(Mlir *m, TypeId type, const Axis *a) {
  FloatFormat format = mlir_type(m, type)->format;
  Term rest = floats_from_integer(&m->floats, format, a->rest),
       scale = floats_constant(&m->floats, format, (double)a->scale);
  return (Cell){floats_binary(&m->floats, FLOAT_DIV, format, rest, scale), m->tt->false_};
}

/* Of floats by their fraction, as the lowering computes it. */
static Term nearest(Mlir *m, TypeId type, const Axis *a) {
  TermTable *tt = m->tt;
  Term up = term_le(tt, term_int(tt, a->scale), term_mul(tt, term_int(tt, 2), a->rest));
  if (mlir_is_float(m, type)) {
    FloatFormat format = mlir_type(m, type)->format;
    up =
        floats_compare(&m->floats, format, "oge", fraction(m, type, a).value, floats_constant(&m->floats, format, 0.5));
  }
  return clamped(m, a, term_add(tt, a->place, mlir_as_int(tt, up)));
}

static Cell mixed(Mlir *m, TypeId type, Cell a, Cell b, Cell first, Cell second) {
  return mlir_combine(m, "add", type, mlir_combine(m, "mul", type, a, first), mlir_combine(m, "mul", type, b, second));
}

/* Weights of the two neighbours along an axis. */
static void weights(Mlir *m, TypeId type, const Axis *a, Cell *first, Cell *second) {
  TermTable *tt = m->tt;
  if (mlir_is_float(m, type)) {
    *second = fraction(m, type, a);
    *first = mlir_combine(m, "sub", type,
                          (Cell){floats_constant(&m->floats, mlir_type(m, type)->format, 1), tt->false_}, *second);
    return;
  }
  *second = (Cell){a->rest, tt->false_}, *first = (Cell){term_sub(tt, term_int(tt, a->scale), a->rest), tt->false_};
}

static Cell bilinear(Mlir *m, const MlirValue *v, TypeId type, const MlirValue *out, const Axis *axes) {
  Cell rows[2], first, second;
  for (uint32_t k = 0; k < 2; k++) {
    Cell cells[2];
    for (uint32_t i = 0; i < 2; i++) {
      Term y = clamped(m, &axes[0], term_add(m->tt, axes[0].place, term_int(m->tt, k))),
           x = clamped(m, &axes[1], term_add(m->tt, axes[1].place, term_int(m->tt, i)));
      cells[i] = mlir_convert(m, mlir_element(m, v, (Term[]){out->index[0], y, x, out->index[3]}), v->element, type);
    }
    weights(m, type, &axes[1], &first, &second);
    rows[k] = mixed(m, type, cells[0], cells[1], first, second);
  }
  weights(m, type, &axes[0], &first, &second);
  return mixed(m, type, rows[0], rows[1], first, second);
}

bool mlir_tosa_resize(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  MlirValue *v = mlir_tosa_tensor(m, op, 0);
  int64_t scale[4], offset[2], border[2];
  const char *mode = program_op_text(m->p, op, "mode");
  TypeId type = result_element(m, op);
  if (!v || v->rank != 4 || !mode || !type || mlir_tosa_integers(m, op, "scale", 1, scale) != 4 ||
      mlir_tosa_integers(m, op, "offset", 2, offset) != 2 || mlir_tosa_integers(m, op, "border", 3, border) != 2)
    return mlir_unsupported(m, op);
  Term extents[4] = {v->extent[0], 0, 0, v->extent[3]};
  Axis axes[2];
  for (int i = 0; i < 2; i++) {
    if (scale[2 * i] < 1 || scale[2 * i + 1] < 1) return mlir_unsupported(m, op);
    axes[i].last = term_sub(tt, v->extent[i + 1], tt->one), axes[i].scale = scale[2 * i];
    if (axes[i].last == tt->zero && is(mode, "BILINEAR")) return mlir_unsupported(m, op);
    Term reach = term_sub(tt, term_mul(tt, axes[i].last, term_int(tt, scale[2 * i])), term_int(tt, offset[i]));
    reach = term_floordiv(tt, term_add(tt, reach, term_int(tt, border[i])), term_int(tt, scale[2 * i + 1]));
    extents[i + 1] = term_add(tt, reach, tt->one);
    mlir_undefined(m, term_lt(tt, axes[i].last, tt->zero));
    mlir_undefined(m, term_lt(tt, extents[i + 1], tt->zero));
  }
  MlirValue out = mlir_tensor_new(m, type, 4, extents);
  for (int i = 0; i < 2; i++) {
    Term at = term_add(tt, term_mul(tt, out.index[i + 1], term_int(tt, scale[2 * i + 1])), term_int(tt, offset[i]));
    axes[i].place = term_floordiv(tt, at, term_int(tt, axes[i].scale));
    axes[i].rest = term_mod(tt, at, term_int(tt, axes[i].scale));
  }
  if (is(mode, "NEAREST_NEIGHBOR")) {
    if (type != v->element) return mlir_unsupported(m, op);
    out.cell = mlir_element(
        m, v, (Term[]){out.index[0], nearest(m, type, &axes[0]), nearest(m, type, &axes[1]), out.index[3]});
  } else if (is(mode, "BILINEAR")) {
    out.cell = bilinear(m, v, type, &out, axes);
  }
  return out.cell.value ? mlir_tosa_finish(m, op, out) : mlir_unsupported(m, op);
}
