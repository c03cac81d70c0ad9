/* Tells whether a store is steered by data. Where it is not, each element that it should write it writes whatever
 * memory holds, so that an element without a writer in one launch is one that the kernel leaves out. Asked of the
 * program alone: of kernels that cannot be executed symbolically.
 *
 * From the address and the mask of the store back to arguments, program ids and lanes; likewise from the bounds of the
 * loops and the conditions around it. A load on the way, or what is not followed, steers. */
#include "sample/witness_internal.h"

typedef struct Walk {
  const Program *program;
  const Function *function;
  bool *seen; /* by value */
} Walk;

static bool is_steered(Walk *w, ValueId value);

static ValueId yielded(const Walk *w, const Op *loop, uint32_t number) {
  const Region *body = program_get_region(w->program, loop->regions[0]);
  const Block *block = program_get_block(w->program, body->blocks.data[0]);
  const Op *last = program_get_op(w->program, block->ops.data[block->ops.count - 1]);
  return last->code == OP_SCF_YIELD && number < last->operand_count ? last->operands[number] : 0;
}

/* One of the values that a loop carries, from the start on. */
static bool is_carried_steered(Walk *w, const Op *loop, uint32_t number) {
  ValueId next = yielded(w, loop, number);
  return !next || 3 + number >= loop->operand_count || is_steered(w, loop->operands[3 + number]) || is_steered(w, next);
}

static bool is_range_steered(Walk *w, const Op *loop) {
  for (uint32_t i = 0; i < 3; i++)
    if (is_steered(w, loop->operands[i])) return true;
  return false;
}

static bool is_argument_steered(Walk *w, const Value *v) {
  const Region *region = program_get_region(w->program, program_get_block(w->program, v->block)->region);
  if (region->parent == w->function->op) return region->blocks.data[0] != v->block;
  const Op *loop = program_get_op(w->program, region->parent);
  if (loop->code != OP_SCF_FOR) return true;
  return v->index == 0 ? is_range_steered(w, loop) : is_carried_steered(w, loop, v->index - 1);
}

static bool is_steered(Walk *w, ValueId value) {
  const Value *v = program_get_value(w->program, value);
  if (w->seen[value]) return false; /* it is being asked, or was answered with no: yes ends the walk */
  w->seen[value] = true;
  if (!v->op) return is_argument_steered(w, v);
  const Op *op = program_get_op(w->program, v->op);
  if (op->code == OP_SCF_FOR) return is_range_steered(w, op) || is_carried_steered(w, op, v->index);
  if (op->region_count || op->code == OP_TT_LOAD || op->code == OP_TT_ATOMIC_RMW || op->code == OP_TT_ATOMIC_CAS ||
      op->code == OP_TT_CALL)
    return true;
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (is_steered(w, op->operands[i])) return true;
  return false;
}

/* The function as a whole branches by data, or what is around the op does. */
static bool is_path_steered(Walk *w, const Op *op) {
  for (;;) {
    const Region *region = program_get_region(w->program, program_get_block(w->program, op->block)->region);
    if (region->parent == w->function->op) return region->blocks.count > 1;
    op = program_get_op(w->program, region->parent);
    bool steered = op->code == OP_SCF_FOR  ? is_range_steered(w, op)
                   : op->code == OP_SCF_IF ? is_steered(w, op->operands[0])
                                           : true;
    if (steered) return true;
  }
}

/* The argument that a pointer is made of; UINT32_MAX: it is not followed. */
static uint32_t base_of(const Walk *w, ValueId pointer) {
  for (uint32_t depth = 0; depth < 64; depth++) {
    const Value *v = program_get_value(w->program, pointer);
    const Op *op = v->op ? program_get_op(w->program, v->op) : NULL;
    if (op && (op->code == OP_TT_ADDPTR || op->code == OP_TT_SPLAT || op->code == OP_TT_BROADCAST ||
               op->code == OP_TT_EXPAND_DIMS)) {
      pointer = op->operands[0];
      continue;
    }
    if (op) return UINT32_MAX;
    const Region *region = program_get_region(w->program, program_get_block(w->program, v->block)->region);
    if (region->parent == w->function->op) return region->blocks.data[0] == v->block ? v->index : UINT32_MAX;
    const Op *loop = program_get_op(w->program, region->parent);
    if (loop->code != OP_SCF_FOR || !v->index || 2 + v->index >= loop->operand_count) return UINT32_MAX;
    pointer = loop->operands[2 + v->index];
  }
  return UINT32_MAX;
}

OpId witness_whole_store(Arena *arena, const Effects *ex, uint32_t argument) {
  const Program *p = ex->program;
  OpId store = 0;
  for (OpId id = ex->extent.first_op; id < ex->extent.end_op; id++) {
    const Op *op = program_get_op(p, id);
    Walk w = {p, ex->function, arena_array(arena, bool, p->values.count + 1)};
    bool is_store = op->code == OP_TT_STORE,
         is_other = op->code >= OP_TT_MAKE_TENSOR_PTR && op->code <= OP_TT_DESCRIPTOR_SCATTER;
    if (is_other || op->code == OP_TT_ATOMIC_RMW || op->code == OP_TT_ATOMIC_CAS || op->code == OP_TT_CALL) return 0;
    if (!is_store && op->code != OP_TT_LOAD) continue;
    uint32_t base = base_of(&w, op->operands[0]);
    if (base == UINT32_MAX) return 0;
    if (base != argument) continue;
    bool steered = !is_store || is_steered(&w, op->operands[0]) || is_path_steered(&w, op) ||
                   (op->operand_count > 2 && is_steered(&w, op->operands[2]));
    if (steered) return 0;
    store = id;
  }
  return store;
}
