/* The transforms of tosa: sums over all elements of a plane, in the order of their indices, of their products with the
 * cosine and the sine of an angle that is 2 pi times the fractions of both indices. Angles are made of operations on
 * floats as the lowering to linalg makes them, so that abstract floats know them again. */
#include <math.h>

#include "mlir/internal.h"

typedef struct Fourier {
  Term size[2];
  TypeId type;
  bool is_real, is_inverse;
} Fourier;

/* (inner * outer mod size) / size, which are 32 bits wide as floats. */
static Cell fraction(Mlir *m, const Fourier *f, uint32_t axis) {
  TermTable *tt = m->tt;
  FloatFormat format = mlir_type(m, f->type)->format;
  Term product = mlir_wrap_index(tt, term_mul(tt, m->loop_index[axis + 3], m->loop_index[axis + 1]));
  Term size =
      term_select(tt, term_eq(tt, f->size[axis], tt->zero), tt->one, f->size[axis]); /* there is no such plane */
  Term rest = term_mod(tt, mlir_unsigned(m, product, 64), size);
  Term parts[2] = {rest, f->size[axis]};
  for (int i = 0; i < 2; i++)
    parts[i] = floats_from_integer(&m->floats, format, mlir_unsigned(m, mlir_truncate(m, parts[i], 32), 32));
  return mlir_combine(m, "div", f->type, (Cell){parts[0], tt->false_}, (Cell){parts[1], tt->false_});
}

static bool body(Mlir *m, const Op *op, void *payload, const Cell *in, const Cell *out, Cell *yield) {
  const Fourier *f = payload;
  FloatFormat format = mlir_type(m, f->type)->format;
  Cell turn = {floats_constant(&m->floats, format, 2 * M_PI), m->tt->false_},
       back = {floats_constant(&m->floats, format, -1), m->tt->false_};
  Cell angle =
      mlir_combine(m, "mul", f->type, turn, mlir_combine(m, "add", f->type, fraction(m, f, 0), fraction(m, f, 1)));
  (void)op;
  if (f->is_inverse) angle = mlir_combine(m, "mul", f->type, angle, back);
  Cell cosine = {floats_unary(&m->floats, FLOAT_COS, format, angle.value), angle.poison},
       sine = {floats_unary(&m->floats, FLOAT_SIN, format, angle.value), angle.poison};
  Cell real = mlir_combine(m, "mul", f->type, in[0], cosine), imaginary = mlir_combine(m, "mul", f->type, in[0], sine);
  if (f->is_real) {
    yield[0] = mlir_combine(m, "add", f->type, out[0], real);
    yield[1] = mlir_combine(m, "sub", f->type, out[1], imaginary);
    return true;
  }
  real = mlir_combine(m, "add", f->type, real, mlir_combine(m, "mul", f->type, in[1], sine));
  imaginary = mlir_combine(m, "sub", f->type, mlir_combine(m, "mul", f->type, in[1], cosine), imaginary);
  yield[0] = mlir_combine(m, "add", f->type, out[0], real);
  yield[1] = mlir_combine(m, "add", f->type, out[1], imaginary);
  return true;
}

/* rfft2d, of a real plane, of which half is kept; fft2d. */
bool mlir_tosa_fourier(Mlir *m, const Op *op) {
  TermTable *tt = m->tt;
  Fourier f = {.is_real = op->operand_count == 1};
  const MlirValue *values[4];
  const AffineMap *maps[4];
  MlirValue zeros, results[2];
  uint32_t inputs = f.is_real ? 1 : 2;
  static const uint32_t inner[3] = {0, 3, 4}, outer[3] = {0, 1, 2};
  AttrId inverse = program_op_attr(m->p, op, "inverse");
  if (op->operand_count != inputs || op->result_count != 2) return mlir_unsupported(m, op);
  f.is_inverse = !f.is_real && inverse && program_get_attr(m->p, inverse)->integer;
  for (uint32_t i = 0; i < inputs; i++) {
    MlirValue *v = mlir_tosa_tensor(m, op, i);
    if (!v || v->rank != 3 || !mlir_is_float(m, v->element)) return mlir_unsupported(m, op);
    values[i] = v, maps[i] = mlir_dims_map(m, 5, 3, inner);
  }
  f.type = values[0]->element, f.size[0] = values[0]->extent[1], f.size[1] = values[0]->extent[2];
  Term extents[3] = {values[0]->extent[0], f.size[0], f.size[1]};
  if (f.is_real) extents[2] = term_add(tt, term_floordiv(tt, f.size[1], term_int(tt, 2)), tt->one);
  zeros = mlir_tensor_new(m, f.type, 3, extents);
  zeros.cell = (Cell){floats_constant(&m->floats, mlir_type(m, f.type)->format, 0), tt->false_};
  for (uint32_t i = inputs; i < inputs + 2; i++) values[i] = &zeros, maps[i] = mlir_dims_map(m, 5, 3, outer);
  if (!mlir_structured(m, op, 5, inputs, 2, values, maps, body, &f, results)) return false;
  for (uint32_t i = 0; i < 2; i++) {
    mlir_need_type(m, &results[i], program_get_value(m->p, op->first_result + i)->type);
    mlir_set(m, op, i, results[i]);
  }
  return true;
}
