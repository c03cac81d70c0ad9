/* Operations whose results nothing uses: what is left of a compiler's own checks, such as for overflow. They are not
 * executed, so that they can neither stop the run nor change its answer.
 *
 * Only operations without an effect: a load is an access, and a division, a conversion to an integer, a gather or a
 * histogram may be undefined whatever becomes of its result. Loops and branches stay, and so does what they carry or
 * yield. */
#include "analysis/analysis.h"

static void count_uses(const Analysis *ex, uint32_t *uses) {
  const Program *p = ex->program;
  for (OpId id = ex->extent.first_op; id < ex->extent.end_op; id++) {
    const Op *op = program_get_op(p, id);
    for (uint32_t i = 0; i < op->operand_count; i++) uses[op->operands[i]]++;
    for (uint32_t s = 0; s < op->successor_count; s++)
      for (uint32_t i = 0; i < op->successors[s].arg_count; i++) uses[op->successors[s].args[i]]++;
  }
}

static bool is_used(const Op *op, const uint32_t *uses) {
  for (uint32_t i = 0; i < op->result_count; i++)
    if (uses[program_result(op, i)]) return true;
  return false;
}

bool *analysis_find_dead(const Analysis *ex) {
  const Program *p = ex->program;
  Arena *arena = ex->arena;
  uint32_t *uses = arena_array(arena, uint32_t, p->values.count + 1);
  bool *dead = arena_array(arena, bool, p->ops.count + 1);
  count_uses(ex, uses);
  for (bool again = true; again;) { /* users mostly come later in the text */
    again = false;
    for (OpId id = ex->extent.end_op; id-- > ex->extent.first_op;) {
      const Op *op = program_get_op(p, id);
      if (dead[id] || !op->result_count || !program_op_is_total(op->code) || analysis_is_conversion(p, op) ||
          is_used(op, uses))
        continue;
      dead[id] = again = true;
      for (uint32_t i = 0; i < op->operand_count; i++) uses[op->operands[i]]--;
    }
  }
  return dead;
}
