/* Loops that are one loop written as several: a body that is two iterations, and two loops over adjoining ranges.
 *
 * Both are found by comparing operations one by one, up to the names of values: a match says that the same operations
 * are done on the same operands in the same order, so nothing has to be proved about what they compute. What is
 * compared is the program, not its meaning; whether ranges adjoin is a question for the terms of the bounds (loop.c).
 */
#include <string.h>

#include "execute/loops/loop.h"

typedef struct Match {
  const Program *p;
  ValueId *to; /* by value of the first: its counterpart in the second; 0: not in it */
  /* of a body that is two iterations: its arguments after the first of them, as far as known; the counter of the second
   */
  ValueId first_arg, *after, moved;
  uint32_t arg_count;
} Match;

static bool same_attr(const Program *p, AttrId x, AttrId y, uint32_t depth) {
  const Attr *a = program_get_attr(p, x), *b = program_get_attr(p, y);
  if (x == y) return true;
  if (depth > 20 || a->kind != b->kind || a->type != b->type || a->integer != b->integer || a->bits != b->bits ||
      a->text != b->text || a->count != b->count)
    return false;
  for (uint32_t i = 0; i < a->count; i++) {
    if (a->items && !same_attr(p, a->items[i], b->items[i], depth + 1)) return false;
    if (a->keys && a->keys[i] != b->keys[i]) return false;
  }
  return true;
}

static bool same_value(Match *m, ValueId a, ValueId b) {
  if (m->moved && a == m->moved) return false;
  if (m->after && a >= m->first_arg && a < m->first_arg + m->arg_count) {
    ValueId *after = &m->after[a - m->first_arg];
    if (!*after) *after = b;
    return *after == b;
  }
  return m->to[a] ? m->to[a] == b : a == b;
}

static bool same_region(Match *m, RegionId a, RegionId b, uint32_t depth);

static bool same_op(Match *m, OpId x, OpId y, uint32_t depth) {
  const Program *p = m->p;
  const Op *a = program_get_op(p, x), *b = program_get_op(p, y);
  if (a->code != b->code || a->name != b->name || a->operand_count != b->operand_count ||
      a->result_count != b->result_count || a->attr_count != b->attr_count || a->region_count != b->region_count ||
      a->successor_count || b->successor_count || depth > 60)
    return false;
  for (uint32_t i = 0; i < a->operand_count; i++)
    if (!same_value(m, a->operands[i], b->operands[i])) return false;
  for (uint32_t i = 0; i < a->attr_count; i++)
    if (a->attrs[i].name != b->attrs[i].name || !same_attr(p, a->attrs[i].value, b->attrs[i].value, 0)) return false;
  for (uint32_t i = 0; i < a->result_count; i++) {
    if (program_get_value(p, a->first_result + i)->type != program_get_value(p, b->first_result + i)->type)
      return false;
    m->to[a->first_result + i] = b->first_result + i;
  }
  for (uint32_t i = 0; i < a->region_count; i++)
    if (!same_region(m, a->regions[i], b->regions[i], depth + 1)) return false;
  return true;
}

static bool same_region(Match *m, RegionId x, RegionId y, uint32_t depth) {
  const Program *p = m->p;
  const Region *a = program_get_region(p, x), *b = program_get_region(p, y);
  if (a->blocks.count > 1 || a->blocks.count != b->blocks.count) return false;
  if (!a->blocks.count) return true;
  const Block *c = program_get_block(p, a->blocks.data[0]), *d = program_get_block(p, b->blocks.data[0]);
  if (c->arg_count != d->arg_count || c->ops.count != d->ops.count) return false;
  for (uint32_t i = 0; i < c->arg_count; i++) {
    if (program_get_value(p, c->first_arg + i)->type != program_get_value(p, d->first_arg + i)->type) return false;
    m->to[c->first_arg + i] = d->first_arg + i;
  }
  for (uint32_t i = 0; i < c->ops.count; i++)
    if (!same_op(m, c->ops.data[i], d->ops.data[i], depth)) return false;
  return true;
}

static const Block *body_block(const Program *p, const Op *op) {
  return program_get_block(p, program_get_region(p, op->regions[0])->blocks.data[0]);
}

static LoopBody whole_body(const Program *p, const Op *op) {
  const Block *b = body_block(p, op);
  const Op *end = program_get_op(p, b->ops.data[b->ops.count - 1]);
  return (LoopBody){.op = op, .count = b->ops.count - 1, .yields = end->operands};
}

/* The n-th operation of the body that is not `advance`. */
static OpId op_at(const Block *b, OpId advance, uint32_t n) {
  for (uint32_t i = 0; i < b->ops.count; i++)
    if (b->ops.data[i] != advance && n-- == 0) return b->ops.data[i];
  return 0;
}

static bool is_inside(const Program *p, const Block *b, ValueId value) {
  OpId maker = program_get_value(p, value)->op;
  if (value >= b->first_arg && value < b->first_arg + b->arg_count) return true;
  for (uint32_t i = 0; i < b->ops.count && maker; i++)
    if (b->ops.data[i] == maker) return true;
  return false;
}

/* The body is two iterations: the second half is the first, on the counter moved by `advance` and on what the first
 * yields. */
static bool is_twice(Machine *ex, const Op *op, OpId advance, LoopBody *body) {
  const Program *p = ex->program;
  const Block *b = body_block(p, op);
  const Op *end = program_get_op(p, b->ops.data[b->ops.count - 1]);
  uint32_t n = b->ops.count - 2, args = b->arg_count - 1;
  if (n == 0 || n % 2) return false;
  Match m = {
      .p = p, .to = arena_array(ex->arena, ValueId, p->values.count), .first_arg = b->first_arg + 1, .arg_count = args};
  m.after = arena_array(ex->arena, ValueId, args + 1);
  m.to[b->first_arg] = m.moved = program_result(program_get_op(p, advance), 0);
  for (uint32_t i = 0; i < n / 2; i++)
    if (!same_op(&m, op_at(b, advance, i), op_at(b, advance, n / 2 + i), 0)) return false;
  for (uint32_t k = 0; k < args; k++) {
    ValueId yield = end->operands[k];
    for (uint32_t i = 0; i < n / 2 && !m.after[k]; i++) { /* an argument that nothing used */
      const Op *x = program_get_op(p, op_at(b, advance, i));
      for (uint32_t r = 0; r < x->result_count; r++)
        if (m.to[x->first_result + r] == yield) m.after[k] = x->first_result + r;
    }
    if (!m.after[k]) return false;
  }
  for (uint32_t k = 0; k < args; k++) { /* what the second half yields is what the first would, on its own arguments */
    ValueId first = m.after[k], second;
    bool is_arg = first >= m.first_arg && first < m.first_arg + args;
    if (!is_arg && (first == b->first_arg || (!m.to[first] && is_inside(p, b, first))))
      return false; /* known only in the second */
    second = is_arg ? m.after[first - m.first_arg] : m.to[first] ? m.to[first] : first;
    if (second != end->operands[k]) return false;
  }
  *body = (LoopBody){.op = op, .count = n / 2, .advance = advance, .yields = m.after};
  return true;
}

LoopBody loop_body_of(Machine *ex, const Op *op, Term step, Term *single) {
  const Program *p = ex->program;
  const Block *b = body_block(p, op);
  LoopBody body = whole_body(p, op);
  *single = step;
  for (uint32_t i = 0; i < b->ops.count; i++) {
    const Op *add = program_get_op(p, b->ops.data[i]);
    if (add->code != OP_ARITH_ADDI || (add->operands[0] != b->first_arg && add->operands[1] != b->first_arg)) continue;
    ValueId by = add->operands[add->operands[0] == b->first_arg];
    if (is_inside(p, b, by) || !ex->values[by] || term_scale(ex->tt, rational_int(2), ex->values[by]) != step) continue;
    if (!is_twice(ex, op, b->ops.data[i], &body)) continue;
    *single = ex->values[by];
    return body;
  }
  return body;
}

bool loop_same_body(Machine *ex, const LoopBody *x, const LoopBody *y) {
  const Program *p = ex->program;
  const Block *a = body_block(p, x->op), *b = body_block(p, y->op);
  if (x->count != y->count || a->arg_count != b->arg_count) return false;
  Match m = {.p = p, .to = arena_array(ex->arena, ValueId, p->values.count)};
  for (uint32_t i = 0; i < a->arg_count; i++) {
    if (program_get_value(p, a->first_arg + i)->type != program_get_value(p, b->first_arg + i)->type) return false;
    m.to[a->first_arg + i] = b->first_arg + i;
  }
  for (uint32_t i = 0; i < x->count; i++)
    if (!same_op(&m, op_at(a, x->advance, i), op_at(b, y->advance, i), 0)) return false;
  for (uint32_t k = 0; k + 1 < a->arg_count; k++)
    if (!same_value(&m, x->yields[k], y->yields[k])) return false;
  return true;
}

void loop_run_body(Machine *ex, const LoopBody *body, Term iv, uint32_t count, Term *values) {
  const Block *b = body_block(ex->program, body->op);
  if (body->advance)
    iv =
        execute_fit(ex, body->advance, iv, execute_width(ex, b->first_arg)); /* what the op that moved it had to hold */
  execute_set(ex, b->first_arg, iv);
  for (uint32_t i = 0; i < body->count && !execute_stopped(ex); i++) execute_one(ex, op_at(b, body->advance, i));
  for (uint32_t k = 0; k < count && !execute_stopped(ex); k++) values[k] = execute_value(ex, body->yields[k]);
}
