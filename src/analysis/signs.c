/* Signs: which float arguments must be positive for the kernel to compute anything (semantics, section 2: "scalars that
 * must be positive, such as eps").
 *
 * Rows are padded with -inf so that the padding counts for nothing in exp. Where what is padded is multiplied by an
 * argument, or divided by one, and goes into exp, only a positive argument leaves it so: 0 * -inf is no number, and a
 * negative one makes it +inf, of which exp - exp of their difference, in a softmax - is none either. What is not
 * padded, and what never comes to exp, asks for nothing. */
#include <math.h>

#include "analysis/analysis.h"

enum { STEPS = 64 };

typedef struct Signs {
  const Analysis *ex;
  const Program *p;
  bool *padded;  /* by value: may be -inf in some lanes only */
  bool *reached; /* by value: what was multiplied so far comes here */
} Signs;

static const Op *definition(const Program *p, ValueId value) {
  OpId id = program_get_value(p, value)->op;
  return id ? program_get_op(p, id) : NULL;
}

/* The literal that all lanes of the value are; false: it is none. */
static bool literal_of(const Program *p, ValueId value, double *out) {
  const Op *op = definition(p, value);
  for (; op && op->code == OP_TT_SPLAT; op = definition(p, op->operands[0]))
    ;
  AttrId id = op && op->code == OP_ARITH_CONSTANT ? program_op_attr(p, op, "value") : 0;
  if (!id) return false;
  const Attr *a = program_get_attr(p, id);
  const Type *type = program_get_type(p, program_element_type(p, program_get_value(p, op->first_result)->type));
  if (a->kind == ATTR_DENSE && a->count == 1) a = program_get_attr(p, a->items[0]);
  if (a->kind != ATTR_FLOAT || type->kind != TYPE_FLOAT) return false;
  *out = program_float_decode(type->format, a->bits);
  return true;
}

static bool is_below_all(const Program *p, ValueId value) {
  double literal;
  return literal_of(p, value, &literal) && isinf(literal) && literal < 0;
}

/* The float argument of the function that the value is, times a positive literal; 0: it is none. */
static ValueId argument_of(const Signs *s, ValueId value) {
  for (int i = 0; i < STEPS; i++) {
    const Value *v = program_get_value(s->p, value);
    if (!v->op) {
      const Region *region = program_get_region(s->p, program_get_block(s->p, v->block)->region);
      bool is_argument = program_get_op(s->p, region->parent)->code == OP_TT_FUNC && region->blocks.data[0] == v->block;
      return is_argument && program_get_type(s->p, v->type)->kind == TYPE_FLOAT ? value : 0;
    }
    const Op *op = program_get_op(s->p, v->op);
    double literal;
    if (program_op_family(op->code) == OP_FAMILY_SPREAD || op->code == OP_ARITH_EXTF || op->code == OP_ARITH_TRUNCF)
      value = op->operands[0];
    else if (op->code == OP_ARITH_MULF || op->code == OP_ARITH_DIVF) {
      if (literal_of(s->p, op->operands[1], &literal) && literal > 0 && isfinite(literal))
        value = op->operands[0];
      else if (op->code == OP_ARITH_MULF && literal_of(s->p, op->operands[0], &literal) && literal > 0 &&
               isfinite(literal))
        value = op->operands[1];
      else
        return 0;
    } else
      return 0;
  }
  return 0;
}

static bool is_padded(const Signs *s, const Op *op) {
  if (op->code == OP_TT_LOAD) return op->operand_count > 2 && is_below_all(s->p, op->operands[2]);
  if (op->code == OP_ARITH_SELECT)
    return is_below_all(s->p, op->operands[1]) || is_below_all(s->p, op->operands[2]) || s->padded[op->operands[1]] ||
           s->padded[op->operands[2]];
  OpFamily family = program_op_family(op->code);
  if (family == OP_FAMILY_SPREAD || family == OP_FAMILY_PERMUTE || op->code == OP_ARITH_EXTF ||
      op->code == OP_ARITH_TRUNCF)
    return s->padded[op->operands[0]];
  if (op->code == OP_ARITH_ADDF) return s->padded[op->operands[0]] || s->padded[op->operands[1]];
  if (op->code == OP_ARITH_SUBF) return s->padded[op->operands[0]];
  if (op->code == OP_ARITH_MULF) {
    /* a literal keeps it */
    double literal;
    for (uint32_t i = 0; i < 2; i++)
      if (s->padded[op->operands[i]] && literal_of(s->p, op->operands[1 - i], &literal) && literal > 0) return true;
    return false;
  }
  return false;
}

/* The argument that the op multiplies padding by; 0: it does no such thing. */
static ValueId scales_padding(const Signs *s, const Op *op) {
  if (op->code != OP_ARITH_MULF && op->code != OP_ARITH_DIVF) return 0;
  if (s->padded[op->operands[0]]) return argument_of(s, op->operands[1]);
  return op->code == OP_ARITH_MULF && s->padded[op->operands[1]] ? argument_of(s, op->operands[0]) : 0;
}

static bool reach(Signs *s, ValueId first, uint32_t count) {
  bool more = false;
  for (uint32_t i = 0; i < count; i++) {
    more |= !s->reached[first + i];
    s->reached[first + i] = true;
  }
  return more;
}

/* True if the value comes to an exp, through loops and branches too. */
static bool comes_to_exp(Signs *s, ValueId from) {
  const Program *p = s->p;
  for (ValueId v = s->ex->extent.first_value; v < s->ex->extent.end_value; v++) s->reached[v] = v == from;
  for (bool changed = true; changed;) {
    changed = false;
    guard_tick(s->ex->arena->guard);
    for (OpId id = s->ex->extent.first_op; id < s->ex->extent.end_op; id++) {
      const Op *op = program_get_op(p, id);
      bool here = false;
      for (uint32_t i = 0; i < op->operand_count && !here; i++) here = s->reached[op->operands[i]];
      bool finite = op->code == OP_MATH_TANH || op->code == OP_MATH_ERF ||
                    op->code == OP_TT_EXTERN_ELEMENTWISE; /* or may be: no infinity passes */
      if (!here || finite || s->ex->dead[id]) continue;
      if (op->code == OP_MATH_EXP || op->code == OP_MATH_EXP2) return true;
      changed |= reach(s, op->first_result, op->result_count);
      const Op *parent = op->code == OP_SCF_YIELD
                             ? program_get_op(p, program_get_region(p, program_get_block(p, op->block)->region)->parent)
                             : NULL;
      if (parent) changed |= reach(s, parent->first_result, parent->result_count);
      for (const Op *loop = parent ? parent : op; loop; loop = NULL) /* what a loop carries */
        for (uint32_t r = 0; r < loop->region_count; r++)
          for (uint32_t b = 0; b < program_get_region(p, loop->regions[r])->blocks.count; b++) {
            const Block *block = program_get_block(p, program_get_region(p, loop->regions[r])->blocks.data[b]);
            changed |= reach(s, block->first_arg, block->arg_count);
          }
    }
  }
  return false;
}

void analysis_find_signs(const Analysis *ex, bool *is_positive) {
  const Program *p = ex->program;
  Signs s = {.ex = ex,
             .p = p,
             .padded = arena_array(ex->arena, bool, p->values.count),
             .reached = arena_array(ex->arena, bool, p->values.count)};
  for (OpId id = ex->extent.first_op; id < ex->extent.end_op; id++) {
    const Op *op = program_get_op(p, id);
    if (ex->dead[id] || !op->result_count) continue;
    if (is_padded(&s, op)) s.padded[op->first_result] = true;
    ValueId argument = scales_padding(&s, op);
    if (argument && !is_positive[argument] && comes_to_exp(&s, op->first_result)) is_positive[argument] = true;
    if (argument && is_positive[argument]) s.padded[op->first_result] = true;
  }
}
