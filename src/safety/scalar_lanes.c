/* Which lanes a scalar matters to.
 *
 * A scalar is held by every lane of a program: all of them load it, and the first one stores it. A scalar that is read
 * from where the program itself stores one is a race, unless all lanes wait in between, or the first lane alone makes
 * something of what it has read: another scalar that is stored, say. What a splat, a branch, an address or a whole
 * tensor is made of matters to every lane. */
#include <math.h>

#include "safety/obligations_internal.h"

typedef struct Reach {
  const Program *p;
  bool *own; /* by value: it is made of the scalar */
  bool changed, leaves;
} Reach;

static void reach(Reach *r, ValueId value) { r->changed |= !r->own[value], r->own[value] = true; }

static double elements_of(const Type *type) {
  double count = 1;
  for (uint32_t i = 0; type->kind == TYPE_TENSOR && i < type->rank; i++) count *= (double)type->dims[i];
  return count;
}

/* A number, or a tensor of one. */
static bool is_scalar(const Program *p, ValueId value) {
  const Type *type = program_value_type(p, value);
  TypeKind kind = type->kind == TYPE_TENSOR ? program_get_type(p, type->element)->kind : type->kind;
  return (kind == TYPE_INT || kind == TYPE_FLOAT) && elements_of(type) == 1;
}

/* Where the i-th value that the op hands on goes; the op is a loop, or ends a region. */
static void reach_along(Reach *r, const Op *op, uint32_t i) {
  const Op *parent = op->code == OP_SCF_FOR ? op : NULL;
  if (!parent)
    parent = program_get_op(r->p, program_get_region(r->p, program_get_block(r->p, op->block)->region)->parent);
  bool is_loop = parent->code == OP_SCF_FOR;
  if (!is_loop && parent->code != OP_SCF_IF) {
    r->leaves = true;
    return;
  }
  reach(r, program_result(parent, i));
  if (!is_loop) return;
  const Region *body = program_get_region(r->p, parent->regions[0]);
  reach(r, program_get_block(r->p, body->blocks.data[0])->first_arg + 1 + i);
}

static void reach_from(Reach *r, const Op *op, uint32_t i) {
  bool is_stored = (op->code == OP_TT_STORE || op->code == OP_TT_ATOMIC_RMW) && i >= 1;
  if (is_stored && elements_of(program_value_type(r->p, op->operands[0])) == 1) return;
  if (op->code == OP_SCF_YIELD || (op->code == OP_SCF_FOR && i >= 3)) {
    reach_along(r, op, op->code == OP_SCF_YIELD ? i : i - 3);
    return;
  }
  bool is_plain = op->result_count > 0 && !op->region_count;
  for (uint32_t k = 0; k < op->result_count; k++) is_plain = is_plain && is_scalar(r->p, program_result(op, k));
  OpFamily family = program_op_family(op->code);
  if (!is_plain || family == OP_FAMILY_MEMORY || family == OP_FAMILY_CONTROL)
    r->leaves = true;
  else
    for (uint32_t k = 0; k < op->result_count; k++) reach(r, program_result(op, k));
}

/* A scalar is held by as many as the greatest tensor has. */
bool safety_has_lanes_of(const Safety *s, ValueId folded, ValueId loaded) {
  const Program *p = s->on->ex->program;
  double count = elements_of(program_value_type(p, folded)), most = elements_of(program_value_type(p, loaded));
  for (ValueId i = 1; i < p->values.count && elements_of(program_value_type(p, loaded)) == 1; i++)
    most = fmax(most, elements_of(program_value_type(p, i)));
  return count >= most;
}

bool safety_matters_to_all_lanes(const Safety *s, const Access *load) {
  const Program *p = s->on->ex->program;
  Reach r = {.p = p, .own = arena_array(s->arena, bool, p->values.count + 1)};
  const Op *op = program_get_op(p, load->op);
  if (p->is_host || load->is_store || load->is_atomic || op->code != OP_TT_LOAD) return false;
  if (!is_scalar(p, program_result(op, 0))) return false;
  reach(&r, program_result(op, 0));
  while (r.changed && !r.leaves) {
    r.changed = false;
    for (OpId id = 1; id < p->ops.count && !r.leaves; id++) {
      const Op *user = program_get_op(p, id);
      for (uint32_t i = 0; i < user->operand_count && !r.leaves; i++)
        if (r.own[user->operands[i]]) reach_from(&r, user, i);
    }
  }
  return r.leaves;
}
