/* Lowering of recurrences: a loop that goes step by step, with values of the shape that all steps have together. */
#include <string.h>

#include "emit/lower.h"

enum { MOST_LOOPS = 60 }; /* the bits of ArrayNode.loops */

typedef struct Shape {
  uint32_t count;
  uint8_t axes[VALUE_AXES];
  Node lengths;
} Shape;

/* The axes of all values, outer ones first; false: one of them runs in chunks. */
static bool shape_of(Lower *lower, const RecurParts *p, Shape *shape) {
  AxisSet axes = lower_axes(lower, p->steps);
  Node lengths[VALUE_AXES];
  for (uint32_t i = 0; i < p->n; i++) axes |= lower_axes(lower, p->init[i]) | lower_axes(lower, p->next[i]);
  for (uint32_t i = 0; i < p->n; i++)
    array_push(lower->arena, &lower->states, (StateAxes){term_arg(lower->tt, p->state[i], 0), axes});
  *shape = (Shape){0};
  for (uint32_t i = 0; i < lower->axes.count; i++) {
    uint32_t at = shape->count;
    if (!(axes >> i & 1)) continue;
    if (lower->axes.data[i].loop != NO_LOOP || shape->count == VALUE_AXES) return false;
    for (shape->count++; at && lower->axes.data[i].order < lower->axes.data[shape->axes[at - 1]].order; at--)
      shape->axes[at] = shape->axes[at - 1];
    shape->axes[at] = (uint8_t)i;
  }
  for (uint32_t i = 0; i < shape->count; i++) {
    Value ends[2] = {{.node = lower_axis_end(lower, shape->axes[i], true)},
                     {.node = lower_axis_end(lower, shape->axes[i], false)}};
    bool from_zero = lower->axes.data[shape->axes[i]].lo == lower->tt->zero;
    lengths[i] =
        from_zero
            ? ends[0].node
            : lower_elementwise(lower, (ArrayMake){.op = ARRAY_SUM, .sort = SORT_INT, .text = "+-"}, 2, ends).node;
  }
  shape->lengths = array_node(lower->program, (ArrayMake){.op = ARRAY_SHAPE, .sort = SORT_INT}, shape->count, lengths);
  return true;
}

static Value of_shape(const Shape *shape, Node node) {
  Value value = {.node = node, .count = (uint8_t)shape->count};
  memcpy(value.axes, shape->axes, shape->count);
  return value;
}

/* The value after a step, of the whole shape. */
static Node whole(Lower *lower, const Shape *shape, Value value) {
  Node node = lower_aligned(lower, value, shape->count, shape->axes);
  ArrayNode n = *array_at(lower->program, node);
  if (value.count == shape->count && n.is_array) return node;
  ArrayMake make = {.op = ARRAY_EXPAND, .sort = n.sort, .is_array = true, .rank = (uint8_t)shape->count};
  return array_node(lower->program, make, 2, (Node[]){node, shape->lengths});
}

Value lower_recur(Lower *lower, Term t) {
  TermTable *tt = lower->tt;
  ArrayProgram *program = lower->program;
  RecurParts p = term_recur_open(tt, t);
  Shape shape;
  Node args[2 * RECUR_STATES + 2];
  uint32_t which = program->loops.count;
  if (p.lanes || which == MOST_LOOPS || !shape_of(lower, &p, &shape)) {
    lower->is_opaque = true;
    return lower_text(lower, "nan");
  }
  array_push(lower->arena, &program->loops, (ArrayLoop){0});
  Node step = array_node(program, (ArrayMake){.op = ARRAY_STEP, .sort = SORT_INT, .aux = which}, 0, NULL);
  bool differs =
      lower_axes(lower, p.steps) != 0; /* some elements make fewer steps: of these the index may go beyond theirs */
  Term index =
      differs ? term_symbol_range(tt, term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), tt->zero, 0) : p.index;
  lower_remember(lower, index, (Value){.node = step});
  for (uint32_t i = 0; i < p.n; i++) {
    Value init = lower_term(lower, p.init[i]);
    args[p.n + i] = lower_aligned(lower, init, shape.count, shape.axes);
    ArrayMake make = {.op = ARRAY_STATE,
                      .sort = term_sort(tt, p.state[i]),
                      .is_array = true,
                      .rank = (uint8_t)shape.count,
                      .aux = which << 4 | i};
    lower_remember(lower, p.state[i], of_shape(&shape, array_node(program, make, 0, NULL)));
  }
  for (uint32_t i = 0; i < p.n; i++) {
    Value next = lower_term(lower, differs ? term_replace(tt, p.next[i], p.index, index) : p.next[i]);
    if (differs)
      next = lower_select(lower, lower_term(lower, term_lt(tt, index, p.steps)), next, lower_term(lower, p.state[i]));
    args[i] = whole(lower, &shape, next);
  }
  args[2 * p.n] = shape.lengths, args[2 * p.n + 1] = lower_largest(lower, p.steps);
  ArrayMake make = {.op = ARRAY_RECUR,
                    .sort = term_sort(tt, t),
                    .is_array = true,
                    .rank = (uint8_t)shape.count,
                    .aux = which << 8 | p.n << 4 | p.which};
  return of_shape(&shape, array_node(program, make, 2 * p.n + 2, args));
}
