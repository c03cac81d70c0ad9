/* The record of each execution of an operation (ExecutedOp in effects.h).
 *
 * A term is as simple as it is where it is defined, so what an operation needs (a divisor that is not 0, a number that
 * fits, an index in range) is asked of its operands, later. These belong to the execution: the iterations of an
 * unrolled loop, and the two bodies of an inlined call, have different ones. What a body leaves that is run again,
 * because the attempt to close its loop failed, is dropped with the other effects (go_back in loops/loop.c). */
#include <string.h>

#include "execute/internal.h"

static bool is_recorded(const Machine *ex, const Op *op) {
  bool has_value = program_op_is_pure(op->code) || op->code == OP_TT_EXTERN_ELEMENTWISE;
  if (!has_value || op->result_count != 1 || !op->operand_count || op->operand_count > EXECUTE_MAX_OPERANDS)
    return false;
  Term result = ex->values[op->first_result];
  return result && term_sort(ex->tt, result) != SORT_PTR;
}

static bool same_execution(const ExecutedOp *a, const ExecutedOp *b) {
  return a->op == b->op && a->path == b->path && a->result == b->result &&
         !memcmp(a->operands, b->operands, sizeof a->operands);
}

void execute_record(Machine *ex, const Op *op, OpId id) {
  if (!is_recorded(ex, op)) return;
  ExecutedOp e = {
      .op = id, .path = ex->path, .result = ex->values[op->first_result], .operand_count = op->operand_count};
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (!(e.operands[i] = ex->values[op->operands[i]])) return;
  uint32_t last = ex->newest[id];
  if (last && last <= ex->effects->executed.count && same_execution(&ex->effects->executed.data[last - 1], &e)) return;
  array_push(ex->arena, &ex->effects->executed, e);
  ex->newest[id] = ex->effects->executed.count;
}
