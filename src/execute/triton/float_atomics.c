/* The maximum of floats by atomics on their bits, as Triton writes it:
 *
 *   atomic max  on the bits as a signed integer     of the values without a sign
 *   atomic umin on the bits as an unsigned integer  of the values with one
 *
 * Bits of floats without a sign are ordered as the floats are, those of the others the other way round, and below all
 * of the first as signed, above as unsigned integers. So each of the two leaves the larger of two floats, whatever was
 * there and in whatever order the programs come; both together are one atomic maximum where either mask holds. Likewise
 * min and umax for the minimum. Of -0 and 0, which are one real, and of NaN, which no input is, nothing is said. */
#include <string.h>

#include "execute/internal.h"

static const Op *maker_of(const Program *p, ValueId value) {
  OpId id = program_get_value(p, value)->op;
  return id ? program_get_op(p, id) : NULL;
}

/* What a bitcast from floats to integers of their width is of, pointers to them as well; 0: it is none. */
static ValueId floats_behind(const Program *p, ValueId value, bool pointer) {
  const Op *op = maker_of(p, value);
  if (!op || (op->code != OP_TT_BITCAST && op->code != OP_ARITH_BITCAST)) return 0;
  const Type *from = program_get_type(p, program_element_type(p, program_get_value(p, op->operands[0])->type));
  const Type *to = program_get_type(p, program_element_type(p, program_get_value(p, value)->type));
  if ((from->kind == TYPE_POINTER) != pointer || (to->kind == TYPE_POINTER) != pointer) return 0;
  if (pointer) from = program_get_type(p, from->element), to = program_get_type(p, to->element);
  return from->kind == TYPE_FLOAT && to->kind == TYPE_INT && from->width == to->width ? op->operands[0] : 0;
}

static bool is_used(const Machine *ex, ValueId value) {
  for (OpId id = ex->effects->extent.first_op; id < ex->effects->extent.end_op; id++) {
    const Op *op = program_get_op(ex->program, id);
    for (uint32_t i = 0; i < op->operand_count; i++)
      if (op->operands[i] == value) return true;
  }
  return false;
}

/* 1: of values without a sign, 2: with one, of a maximum; 3, 4: of a minimum. */
static int part_of(const Machine *ex, const Op *op) {
  static const char *const parts[] = {"max", "umin", "min", "umax"};
  const char *kind = program_op_text(ex->program, op, "atomic_rmw_op");
  for (int i = 0; kind && i < 4; i++)
    if (!strcmp(kind, parts[i])) return i + 1;
  return 0;
}

/* The operations between two of one block make masks. */
static bool is_arithmetic(const Program *p, const Block *block, uint32_t first, uint32_t last) {
  for (uint32_t i = first + 1; i < last; i++) {
    Opcode code = program_get_op(p, block->ops.data[i])->code;
    if (code != OP_ARITH_ANDI && code != OP_ARITH_ORI && code != OP_ARITH_XORI && code != OP_ARITH_CMPI &&
        code != OP_ARITH_SHRUI && code != OP_ARITH_CONSTANT)
      return false;
  }
  return true;
}

bool execute_float_atomics(const Machine *ex, OpId id, FloatAtomics *out) {
  const Program *p = ex->program;
  const Op *op = program_get_op(p, id);
  if (op->code != OP_TT_ATOMIC_RMW || op->operand_count < 3 || !part_of(ex, op)) return false;
  ValueId pointer = floats_behind(p, op->operands[0], true), value = floats_behind(p, op->operands[1], false);
  if (!pointer || !value) return false;
  const Block *block = program_get_block(p, op->block);
  uint32_t at = block->ops.count, other = block->ops.count;
  for (uint32_t i = 0; i < block->ops.count; i++) {
    const Op *x = program_get_op(p, block->ops.data[i]);
    if (block->ops.data[i] == id)
      at = i;
    else if (x->code == OP_TT_ATOMIC_RMW && x->operand_count > 2 && x->operands[0] == op->operands[0] &&
             x->operands[1] == op->operands[1]) {
      if (other < block->ops.count) return false;
      other = i;
    }
  }
  if (at == block->ops.count || other == block->ops.count) return false;
  uint32_t first = at < other ? at : other, second = at < other ? other : at;
  const Op *a = program_get_op(p, block->ops.data[first]), *b = program_get_op(p, block->ops.data[second]);
  int x = part_of(ex, a), y = part_of(ex, b);
  if (x > y) x = part_of(ex, b), y = part_of(ex, a), b = a, a = program_get_op(p, block->ops.data[second]);
  if (!x || y != x + 1 || x % 2 == 0 || !is_arithmetic(p, block, first, second) || is_used(ex, a->first_result) ||
      is_used(ex, b->first_result))
    return false;
  *out = (FloatAtomics){.pointer = pointer,
                        .value = value,
                        .bits = op->operands[1],
                        .fold = x == 1 ? FOLD_MAX : FOLD_MIN,
                        .plain_mask = a->operands[2],
                        .signed_mask = b->operands[2],
                        .is_last = block->ops.data[second] == id};
  return true;
}

bool execute_is_for_float_atomics(const Machine *ex, ValueId value, bool pointer) {
  bool some = false;
  for (OpId id = ex->effects->extent.first_op; id < ex->effects->extent.end_op; id++) {
    const Op *op = program_get_op(ex->program, id);
    for (uint32_t i = 0; i < op->operand_count; i++) {
      FloatAtomics atomics;
      if (op->operands[i] != value) continue;
      if (!pointer && op->code == OP_ARITH_SHRUI && i == 0) continue;
      if (i != !pointer || !execute_float_atomics(ex, id, &atomics)) return false;
      some = true;
    }
  }
  return some;
}

/* mask = rest and c; 0: it is not. */
static Term rest_of(TermTable *tt, Term mask, Term c) {
  Term rest = tt->true_;
  bool found = false;
  if (mask == c) return tt->true_;
  for (uint32_t i = 0; term_kind(tt, mask) == TERM_AND && i < term_count(tt, mask); i++) {
    if (term_arg(tt, mask, i) == c)
      found = true;
    else
      rest = term_and(tt, rest, term_arg(tt, mask, i));
  }
  return found ? rest : 0;
}

Term execute_float_atomics_mask(Machine *ex, const FloatAtomics *atomics) {
  TermTable *tt = ex->tt;
  for (OpId id = ex->effects->extent.first_op; id < ex->effects->extent.end_op; id++) {
    const Op *op = program_get_op(ex->program, id);
    if (op->code != OP_ARITH_SHRUI || op->operands[0] != atomics->bits || !ex->values[op->first_result]) continue;
    const Type *type = program_get_type(
        ex->program, program_element_type(ex->program, program_get_value(ex->program, atomics->bits)->type));
    int64_t by;
    if (!term_is_int(tt, execute_value(ex, op->operands[1]), &by) || by != (int64_t)type->width - 1) continue;
    Term plain = term_eq(tt, execute_value(ex, op->first_result), tt->zero);
    Term a = rest_of(tt, execute_value(ex, atomics->plain_mask), plain),
         b = rest_of(tt, execute_value(ex, atomics->signed_mask), term_not(tt, plain));
    if (a && a == b) return a;
  }
  return 0;
}
