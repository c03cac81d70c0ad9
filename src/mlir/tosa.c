/* The tosa dialect by its operators, in the forms of all releases: axes as attributes, permutations and shapes as
 * constant operands or attributes.
 *
 * Elementwise operators broadcast dimensions that are 1 in the type; others must agree, else the operation is
 * undefined. Sums start from a positive zero and add in the order of the indices, the bias last. Quantised operators
 * are not executed. */
#include <stdlib.h>

#include "mlir/internal.h"

static const char *suffix(const Mlir *m, const Op *op) { return strchr(intern_string(m->p->names, op->name), '.') + 1; }
static bool is(const char *a, const char *b) { return !strcmp(a, b); }

MlirValue *mlir_tosa_tensor(Mlir *m, const Op *op, uint32_t i) {
  MlirValue *v = i < op->operand_count ? mlir_operand(m, op, i) : NULL;
  return v && v->kind == MLIR_TENSOR ? v : NULL;
}

bool mlir_tosa_finish(Mlir *m, const Op *op, MlirValue v) {
  TypeId type = program_get_value(m->p, op->first_result)->type;
  if (mlir_type(m, type)->kind != TYPE_TENSOR || mlir_type(m, type)->rank != v.rank) return mlir_unsupported(m, op);
  v.element = mlir_type(m, type)->element;
  mlir_need_type(m, &v, type);
  mlir_set(m, op, 0, v);
  return true;
}

uint32_t mlir_tosa_integers(Mlir *m, const Op *op, const char *name, uint32_t operand, int64_t *out) {
  AttrId id = program_op_attr(m->p, op, name);
  if (id) return mlir_integers(m, id, out, MLIR_RANK);
  MlirValue *v = mlir_tosa_tensor(m, op, operand);
  int64_t count;
  if (!v || v->rank != 1 || !term_is_int(m->tt, v->extent[0], &count) || count > MLIR_RANK) return UINT32_MAX;
  for (int64_t i = 0; i < count; i++) {
    Cell cell = mlir_element(m, v, (Term[]){term_int(m->tt, i)});
    if (cell.poison != m->tt->false_ || !term_is_int(m->tt, cell.value, &out[i])) return UINT32_MAX;
  }
  return (uint32_t)count;
}

/* `field = 3` in the text of an attribute. */
static bool field_of(const char *text, const char *field, int64_t *out) {
  const char *at = strstr(text, field);
  if (!at) return false;
  at += strlen(field) + strspn(at + strlen(field), " =");
  return *out = strtoll(at, NULL, 10), true;
}

bool mlir_tosa_zero_point(Mlir *m, const Op *op, const char *field, uint32_t operand, int64_t *out) {
  AttrId info = program_op_attr(m->p, op, "quantization_info");
  *out = 0;
  if (info) {
    Name text = program_get_attr(m->p, info)->text;
    return text && field_of(intern_string(m->p->names, text), field, out);
  }
  if (program_op_attr(m->p, op, field)) return *out = program_op_int(m->p, op, field, 0), true;
  MlirValue *v = mlir_tosa_tensor(m, op, operand);
  if (operand >= op->operand_count) return true;
  if (!v || v->rank != 1) return false;
  Cell cell = mlir_element(m, v, &m->tt->zero);
  return cell.poison == m->tt->false_ && term_is_int(m->tt, cell.value, out) &&
         (!mlir_is_float(m, v->element) || !*out);
}

/* ---- elementwise ---- */

/* Extents of all operands together; a dimension that the type says is 1 goes along. */
static bool joined_extents(Mlir *m, const Op *op, uint32_t operands, uint32_t *rank, Term *extents) {
  *rank = 0;
  for (uint32_t i = 0; i < operands; i++) {
    if (!mlir_tosa_tensor(m, op, i)) return false;
    if (mlir_tosa_tensor(m, op, i)->rank > *rank) *rank = mlir_tosa_tensor(m, op, i)->rank;
  }
  for (uint32_t k = 0; k < *rank; k++) extents[k] = m->tt->one;
  for (uint32_t i = 0; i < operands; i++) {
    const MlirValue *v = mlir_tosa_tensor(m, op, i);
    for (uint32_t k = 0; k < v->rank; k++) {
      Term *e = &extents[*rank - v->rank + k];
      if (v->extent[k] == m->tt->one) continue;
      if (*e == m->tt->one)
        *e = v->extent[k];
      else
        mlir_need_equal(m, *e, v->extent[k]);
    }
  }
  return true;
}

static Cell broadcast_element(Mlir *m, const MlirValue *v, uint32_t rank, const Term *index) {
  Term own[MLIR_RANK];
  for (uint32_t k = 0; k < v->rank; k++) own[k] = v->extent[k] == m->tt->one ? m->tt->zero : index[rank - v->rank + k];
  return mlir_element(m, v, own);
}

static const char *const binaries[][2] = {{"add", "add"},
                                          {"sub", "sub"},
                                          {"mul", "mul"},
                                          {"maximum", "max"},
                                          {"minimum", "min"},
                                          {"bitwise_and", "andi"},
                                          {"bitwise_or", "ori"},
                                          {"bitwise_xor", "xori"},
                                          {"logical_and", "andi"},
                                          {"logical_or", "ori"},
                                          {"logical_xor", "xori"},
                                          {"pow", "powf"},
                                          {"int_div", "div"},
                                          {"intdiv", "div"},
                                          {"div", "div"},
                                          {"logical_left_shift", "shli"},
                                          {"logical_right_shift", "shrui"},
                                          {"arithmetic_right_shift", "shrsi"}};

static Cell compare(Mlir *m, const char *what, TypeId type, Cell a, Cell b) {
  TermTable *tt = m->tt;
  Cell out = {0, term_or(tt, a.poison, b.poison)};
  if (mlir_is_float(m, type)) {
    const char *predicate = is(what, "equal") ? "oeq" : is(what, "greater") ? "ogt" : "oge";
    out.value = floats_compare(&m->floats, mlir_type(m, type)->format, predicate, a.value, b.value);
    return out;
  }
  Term x = mlir_as_int(tt, a.value), y = mlir_as_int(tt, b.value);
  out.value = is(what, "equal") ? term_eq(tt, x, y) : is(what, "greater") ? term_lt(tt, y, x) : term_le(tt, y, x);
  return out;
}

static Cell negated(Mlir *m, TypeId type, Cell a) {
  if (mlir_is_float(m, type))
    return (Cell){floats_unary(&m->floats, FLOAT_NEG, mlir_type(m, type)->format, a.value), a.poison};
  return (Cell){mlir_truncate(m, term_neg(m->tt, mlir_as_int(m->tt, a.value)), mlir_width(m, type)), a.poison};
}

static Cell unary(Mlir *m, const char *what, TypeId type, Cell a) {
  static const struct {
    const char *name;
    FloatOp op;
  } ops[] = {{"abs", FLOAT_ABS}, {"exp", FLOAT_EXP},   {"log", FLOAT_LOG},     {"tanh", FLOAT_TANH},
             {"erf", FLOAT_ERF}, {"ceil", FLOAT_CEIL}, {"floor", FLOAT_FLOOR}, {"rsqrt", FLOAT_RSQRT},
             {"sin", FLOAT_SIN}, {"cos", FLOAT_COS}};
  TermTable *tt = m->tt;
  bool is_float = mlir_is_float(m, type);
  FloatFormat format = mlir_type(m, type)->format;
  if (is(what, "identity")) return a;
  if (is(what, "clz") && !is_float && mlir_width(m, type) > 1)
    return (Cell){mlir_count_bits(m, "ctlz", a.value, mlir_width(m, type)), a.poison};
  if (is(what, "logical_not")) return (Cell){term_not(tt, mlir_as_bool(tt, a.value)), a.poison};
  if (is(what, "bitwise_not") && !is_float && mlir_width(m, type) > 1)
    return (Cell){term_sub(tt, tt->minus_one, a.value), a.poison};
  if (is(what, "abs") && !is_float && mlir_width(m, type) > 1)
    return (Cell){mlir_truncate(m, term_unary(tt, TERM_ABS, a.value), mlir_width(m, type)), a.poison};
  if (!is_float) return (Cell){0};
  Cell one = {floats_constant(&m->floats, format, 1), tt->false_};
  if (is(what, "reciprocal")) return mlir_combine(m, "div", type, one, a);
  if (is(what, "sigmoid")) {
    Cell power = {floats_unary(&m->floats, FLOAT_EXP, format, negated(m, type, a).value), a.poison};
    return mlir_combine(m, "div", type, one, mlir_combine(m, "add", type, power, one));
  }
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    if (is(ops[i].name, what)) return (Cell){floats_unary(&m->floats, ops[i].op, format, a.value), a.poison};
  return (Cell){0};
}

static bool elementwise(Mlir *m, const Op *op, uint32_t operands,
                        Cell (*apply)(Mlir *, const Op *, const Cell *, TypeId)) {
  Term extents[MLIR_RANK];
  uint32_t rank;
  Cell in[3];
  if (!joined_extents(m, op, operands, &rank, extents)) return mlir_unsupported(m, op);
  TypeId element = mlir_tosa_tensor(m, op, operands - 1)->element;
  MlirValue v = mlir_tensor_new(m, element, rank, extents);
  for (uint32_t i = 0; i < operands; i++) in[i] = broadcast_element(m, mlir_tosa_tensor(m, op, i), rank, v.index);
  Term before = m->ub;
  m->ub = m->tt->false_;
  v.cell = apply(m, op, in, element);
  Term own = m->ub;
  m->ub = before;
  mlir_undefined(m, mlir_any(m, rank, v.index, extents, own));
  return v.cell.value ? mlir_tosa_finish(m, op, v) : mlir_unsupported(m, op);
}

static Cell apply_unary(Mlir *m, const Op *op, const Cell *in, TypeId type) {
  return unary(m, suffix(m, op), type, in[0]);
}

/* (a >> b) + the last bit that was shifted out. */
static Cell rounded_shift(Mlir *m, TypeId type, Cell a, Cell b) {
  TermTable *tt = m->tt;
  Cell one = {tt->one, tt->false_}, whole = mlir_combine(m, "shrsi", type, a, b);
  Cell last = mlir_combine(m, "shrsi", type, a, mlir_combine(m, "sub", type, b, one));
  Term up =
      term_and(tt, term_lt(tt, tt->zero, b.value), term_eq(tt, term_mod(tt, last.value, term_int(tt, 2)), tt->one));
  return mlir_combine(m, "add", type, whole, (Cell){mlir_as_int(tt, up), last.poison});
}

static Cell apply_binary(Mlir *m, const Op *op, const Cell *in, TypeId type) {
  const char *what = suffix(m, op);
  if (is(what, "arithmetic_right_shift") && program_op_int(m->p, op, "round", 0) && mlir_width(m, type) > 1)
    return rounded_shift(m, type, in[0], in[1]);
  for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++)
    if (is(binaries[i][0], what)) return mlir_combine(m, binaries[i][1], type, in[0], in[1]);
  return compare(m, what, type, in[0], in[1]);
}

/* In the type of the result, which may be wider; shifted as the product is before it is cut. */
static Cell apply_mul(Mlir *m, const Op *op, const Cell *in, TypeId type) {
  TermTable *tt = m->tt;
  TypeId to = program_value_type(m->p, op->first_result)->element;
  int64_t shift;
  if (!mlir_tosa_zero_point(m, op, "shift", 2, &shift)) return (Cell){0};
  if (!shift) return mlir_combine(m, "mul", to, mlir_convert(m, in[0], type, to), mlir_convert(m, in[1], type, to));
  if (mlir_is_float(m, to) || mlir_width(m, to) != 32 || shift < 0 || shift > 62) return (Cell){0};
  return mlir_scale(m, in[0], in[1], (Cell){term_int(tt, shift), tt->false_}, false);
}

static Cell apply_select(Mlir *m, const Op *op, const Cell *in, TypeId type) {
  (void)op, (void)type;
  Cell out = mlir_choose(m, mlir_as_bool(m->tt, in[0].value), in[1], in[2]);
  out.poison = term_or(m->tt, out.poison, in[0].poison);
  return out;
}

/* Of quantised ones (zero points a and b): a + b - x in a wider type, saturated. */
static Cell apply_negate(Mlir *m, const Op *op, const Cell *in, TypeId type) {
  TermTable *tt = m->tt;
  int64_t zero[2];
  bool is_float = mlir_is_float(m, type);
  const char *field = program_op_attr(m->p, op, "quantization_info") ? "input_zp" : "input1_zp";
  if (!mlir_tosa_zero_point(m, op, field, 1, &zero[0]) || !mlir_tosa_zero_point(m, op, "output_zp", 2, &zero[1]))
    return (Cell){0};
  if (!zero[0] && !zero[1]) return negated(m, type, in[0]);
  if (is_float || mlir_width(m, type) < 2) return (Cell){0};
  Term half = term_new_rat(tt, (Rational){(Int128)1 << (mlir_width(m, type) - 1), 1});
  Term exact = term_sub(tt, term_int(tt, zero[0] + zero[1]), in[0].value);
  exact = term_min(tt, term_sub(tt, half, tt->one), term_max(tt, term_neg(tt, half), exact));
  return (Cell){exact, in[0].poison};
}

bool mlir_tosa_unary(Mlir *m, const Op *op) {
  bool negate = is(suffix(m, op), "negate");
  return elementwise(m, op, 1, negate ? apply_negate : apply_unary);
}

bool mlir_tosa_binary(Mlir *m, const Op *op) {
  return elementwise(m, op, 2, is(suffix(m, op), "mul") ? apply_mul : apply_binary);
}

bool mlir_tosa_select(Mlir *m, const Op *op) { return elementwise(m, op, 3, apply_select); }

/* ---- shapes ---- */

bool mlir_tosa_transpose(Mlir *m, const Op *op) {
  MlirValue *v = mlir_tosa_tensor(m, op, 0);
  int64_t order[MLIR_RANK];
  Term extents[MLIR_RANK], index[MLIR_RANK];
  uint32_t seen = 0;
  if (!v || mlir_tosa_integers(m, op, "perms", 1, order) != v->rank) return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < v->rank; i++) {
    if (order[i] < 0 || order[i] >= v->rank || seen >> order[i] & 1) return mlir_unsupported(m, op);
    seen |= 1u << order[i], extents[i] = v->extent[order[i]];
  }
  MlirValue out = mlir_tensor_new(m, v->element, v->rank, extents);
  for (uint32_t i = 0; i < v->rank; i++) index[order[i]] = out.index[i];
  out.cell = mlir_element(m, v, index);
  return mlir_tosa_finish(m, op, out);
}

bool mlir_tosa_reverse(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  MlirValue *v = mlir_tosa_tensor(m, op, 0);
  int64_t axis = program_op_int(m->p, op, "axis", -1);
  Term index[MLIR_RANK];
  if (!v || axis < 0 || axis >= v->rank) return mlir_unsupported(m, op);
  MlirValue out = mlir_tensor_new(m, v->element, v->rank, v->extent);
  memcpy(index, out.index, sizeof index);
  index[axis] = term_sub(tt, term_sub(tt, v->extent[axis], tt->one), out.index[axis]);
  out.cell = mlir_element(m, v, index);
  return mlir_tosa_finish(m, op, out);
}

/* values [N, K, C] at indices [N, W]: out[n, w, c] = values[n, indices[n, w], c] */
bool mlir_tosa_gather(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  MlirValue *v = mlir_tosa_tensor(m, op, 0), *at = mlir_tosa_tensor(m, op, 1);
  if (!v || !at || v->rank != 3 || at->rank != 2) return mlir_unsupported(m, op);
  mlir_need_equal(m, v->extent[0], at->extent[0]);
  Term extents[3] = {v->extent[0], at->extent[1], v->extent[2]};
  MlirValue out = mlir_tensor_new(m, v->element, 3, extents);
  Cell place = mlir_element(m, at, out.index);
  Term outside = term_or(tt, term_lt(tt, place.value, tt->zero), term_le(tt, v->extent[1], place.value));
  mlir_undefined(m, mlir_any(m, 3, out.index, extents, term_or(tt, outside, place.poison)));
  out.cell = mlir_element(m, v, (Term[]){out.index[0], place.value, out.index[2]});
  return mlir_tosa_finish(m, op, out);
}

bool mlir_tosa_tile(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  MlirValue *v = mlir_tosa_tensor(m, op, 0);
  int64_t times[MLIR_RANK];
  Term extents[MLIR_RANK], index[MLIR_RANK];
  if (!v || mlir_tosa_integers(m, op, "multiples", 1, times) != v->rank) return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < v->rank; i++) {
    if (times[i] < 1) return mlir_unsupported(m, op);
    mlir_note_size(m, extents[i] = term_mul(tt, v->extent[i], term_int(tt, times[i])));
  }
  MlirValue out = mlir_tensor_new(m, v->element, v->rank, extents);
  for (uint32_t i = 0; i < v->rank; i++)
    index[i] = v->extent[i] == tt->one ? tt->zero
               : times[i] == 1         ? out.index[i]
                                       : term_mod(tt, out.index[i], v->extent[i]);
  out.cell = mlir_element(m, v, index);
  return mlir_tosa_finish(m, op, out);
}

/* Through the place in row-major order; one size may be -1. */
bool mlir_tosa_reshape(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  MlirValue *v = mlir_tosa_tensor(m, op, 0);
  int64_t shape[MLIR_RANK];
  Term extents[MLIR_RANK], index[MLIR_RANK], place = tt->zero, known = tt->one;
  uint32_t rank = mlir_tosa_integers(m, op, "new_shape", 1, shape), open = UINT32_MAX;
  if (!v || rank == UINT32_MAX) return mlir_unsupported(m, op);
  Term whole = mlir_product(tt, v->rank, v->extent);
  for (uint32_t i = 0; i < rank; i++) {
    if (shape[i] < 0 && open != UINT32_MAX) return mlir_unsupported(m, op);
    if (shape[i] < 0)
      open = i;
    else
      extents[i] = term_int(tt, shape[i]), known = term_mul(tt, known, extents[i]);
  }
  if (open != UINT32_MAX) {
    if (known == tt->zero) return mlir_unsupported(m, op);
    extents[open] = term_floordiv(tt, whole, known), known = term_mul(tt, known, extents[open]);
  }
  mlir_need_equal(m, known, whole);
  MlirValue out = mlir_tensor_new(m, v->element, rank, extents);
  for (uint32_t i = 0; i < rank; i++)
    place = term_add(tt, term_mul(tt, place, extents[i]), extents[i] == tt->one ? tt->zero : out.index[i]);
  for (uint32_t k = v->rank; k-- > 0; place = k ? term_floordiv(tt, place, v->extent[k]) : place)
    index[k] = k ? term_mod(tt, place, v->extent[k]) : place;
  out.cell = mlir_element(m, v, index);
  return mlir_tosa_finish(m, op, out);
}
