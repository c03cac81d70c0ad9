/* Axes that one block covers, as the program says it.
 *
 * A kernel that covers an axis with one block is right for rows that fit in it, which a lift assumes and prints. Where
 * there is no lift, the comparisons of the program say so: `lane < n`, of a lane alone with arguments alone, is a block
 * that covers an axis, and launches keep to n that it covers. */
#include "sample/witness_internal.h"

enum { MOST_DEPTH = 24 };

static const Op *op_of(const Program *p, ValueId value) {
  const Value *v = program_get_value(p, value);
  return v->op ? program_get_op(p, v->op) : NULL;
}

static bool passes_on(const Op *op) {
  OpFamily family = program_op_family(op->code);
  return family == OP_FAMILY_SPREAD || family == OP_FAMILY_WIDTH;
}

/* The greatest value of what is made of a range and of numbers alone; INT64_MIN: it is made of something else. */
static int64_t last_lane(const Program *p, ValueId value, uint32_t depth, bool *has_range) {
  const Op *op = op_of(p, value);
  if (!op || depth > MOST_DEPTH) return INT64_MIN;
  if (op->code == OP_TT_MAKE_RANGE) {
    *has_range = true;
    return program_op_int(p, op, "end", 1) - 1;
  }
  if (passes_on(op)) return last_lane(p, op->operands[0], depth + 1, has_range);
  if (op->code != OP_ARITH_ADDI && op->code != OP_ARITH_MULI) {
    int64_t number;
    return program_op_literal(p, op, &number) ? number : INT64_MIN;
  }
  int64_t a = last_lane(p, op->operands[0], depth + 1, has_range),
          b = last_lane(p, op->operands[1], depth + 1, has_range), out;
  if (a == INT64_MIN || b == INT64_MIN) return INT64_MIN;
  bool over = op->code == OP_ARITH_ADDI ? __builtin_add_overflow(a, b, &out) : __builtin_mul_overflow(a, b, &out);
  return over ? INT64_MIN : out;
}

/* The number of the argument that the value is; -1: it is made of arguments and numbers; -2: of something else. */
static int32_t argument_of(const Search *s, ValueId value, uint32_t depth) {
  const Program *p = s->ex->program;
  const Op *op = op_of(p, value);
  if (depth > MOST_DEPTH) return -2;
  if (!op) {
    const Value *of = program_get_value(p, value);
    const Region *region = program_get_region(p, program_get_block(p, of->block)->region);
    bool is_argument = region->parent == s->ex->function->op && region->blocks.data[0] == of->block;
    return is_argument ? (int32_t)of->index : -2;
  }
  if (passes_on(op)) return argument_of(s, op->operands[0], depth + 1);
  int64_t number;
  if (program_op_literal(p, op, &number)) return -1;
  if (op->region_count || op->code == OP_TT_LOAD || op->code == OP_TT_GET_PROGRAM_ID || op->code == OP_TT_MAKE_RANGE ||
      !op->operand_count)
    return -2;
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (argument_of(s, op->operands[i], depth + 1) == -2) return -2;
  return -1;
}

static void look_at_comparison(Search *s, const Op *op) {
  const Program *p = s->ex->program;
  for (int side = 0; side < 2; side++) {
    bool has_range = false;
    int64_t last = last_lane(p, op->operands[side], 0, &has_range);
    int32_t argument = has_range && last != INT64_MIN ? argument_of(s, op->operands[!side], 0) : -2;
    if (argument >= 0)
      array_push(s->arena, &s->covers, ((WitnessCover){(uint32_t)argument, last}));
    else if (argument == -1 && last < s->most_size)
      s->most_size = last;
  }
}

void witness_find_covers(Search *s) {
  const Program *p = s->ex->program;
  s->most_size = INT64_MAX;
  for (OpId id = s->ex->extent.first_op; id < s->ex->extent.end_op; id++)
    if (program_get_op(p, id)->code == OP_ARITH_CMPI) look_at_comparison(s, program_get_op(p, id));
}

bool witness_is_covered(const Search *s) {
  for (uint32_t i = 0; i < s->covers.count; i++)
    if (s->run.arguments[s->covers.data[i].argument].integer - 1 > s->covers.data[i].last) return false;
  for (uint32_t i = 0; i < s->model->names.count && s->most_size != INT64_MAX; i++)
    if (!s->model->names.data[i].is_stride && s->values[i] > s->most_size) return false;
  return true;
}
