/* Operations whose results nothing uses: what is left of a compiler's own checks, such as for overflow. They are not
 * executed, so that they can neither stop the run nor change its answer.
 *
 * Only operations without an effect: a load is an access, and a division, a conversion to an integer, a gather or a
 * histogram may be undefined whatever becomes of its result. Loops and branches stay, and so does what they carry or
 * yield. */
#include "analysis/analysis.h"

static bool is_pure(Opcode code) {
  enum { PURE = 1, EFFECT = 0, TERMINATOR = 0, FUNCTION = 0, REGIONS = 0 };
  static const bool pure[] = {
#define OP(id, name, lo, hi, res, traits, ...) [OP_##id] = traits,
#include "program/ops.def"
#undef OP
  };
  switch (code) {
  case OP_NONE:
  case OP_UNKNOWN:
  case OP_COUNT: return false;
  case OP_ARITH_DIVSI:
  case OP_ARITH_DIVUI:
  case OP_ARITH_CEILDIVSI:
  case OP_ARITH_CEILDIVUI:
  case OP_ARITH_FLOORDIVSI:
  case OP_ARITH_REMSI:
  case OP_ARITH_REMUI:
  case OP_ARITH_FPTOSI:
  case OP_ARITH_FPTOUI:
  case OP_TT_GATHER:
  case OP_TT_HISTOGRAM: return false;
  default: return pure[code];
  }
}

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
      if (dead[id] || !op->result_count || !is_pure(op->code) || analysis_is_conversion(p, op) || is_used(op, uses))
        continue;
      dead[id] = again = true;
      for (uint32_t i = 0; i < op->operand_count; i++) uses[op->operands[i]]--;
    }
  }
  return dead;
}
