/* Lowering of recurrences: a loop that goes step by step, with values of the shape that all steps have together. An
 * array that is carried has its lanes for further axes, of which a step reads any element. */
#include <string.h>

#include "emit/lower.h"

enum { MOST_LOOPS = 60 }; /* the bits of ArrayNode.loops */

typedef struct Shape {
  uint32_t count;
  uint8_t axes[VALUE_AXES];
  Node lengths;
} Shape;

/* The axes along which values differ that one loop makes, lanes apart. */
static AxisSet shared_axes(Lower *lower, const RecurParts *p, AxisSet lanes) {
  AxisSet axes = lower_axes(lower, p->steps);
  for (uint32_t i = 0; i < p->n; i++) axes |= lower_axes(lower, p->init[i]) | lower_axes(lower, p->next[i]);
  return axes & ~lanes;
}

/* Outer axes first; false: one of them runs in chunks. */
static bool shape_of(Lower *lower, AxisSet axes, Shape *shape) {
  Node lengths[VALUE_AXES];
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

/* Lanes as axes, behind all others; false: their extents differ from one element to the next. */
static bool open_lanes(Lower *lower, const RecurParts *p, AxisSet *lanes) {
  *lanes = 0;
  for (uint32_t d = 0; d < p->lanes; d++) {
    if (lower_axes(lower, p->extent[d]) || (term_node(lower->tt, p->extent[d])->flags & TERM_HAS_READ)) return false;
    Axis axis = {
        .symbol = p->lane[d], .lo = lower->tt->zero, .hi = p->extent[d], .order = lower->depth + d, .loop = NO_LOOP};
    *lanes |= (AxisSet)1 << lower_axis_add(lower, axis);
  }
  return true;
}

/* How the elements of an array are found: by the axes that all values have, then by its own lanes; false: the end of an
 * axis is known only when the module runs. */
static bool describe_array(Lower *lower, const RecurParts *p, uint32_t i, AxisSet axes, const Shape *shape,
                           State *state) {
  TermTable *tt = lower->tt;
  for (uint32_t k = 0; k < shape->count; k++) {
    const Axis *axis = &lower->axes.data[shape->axes[k]];
    if (!axis->hi || !axis->lo) return false;
    state->extent[k] = term_sub(tt, axis->hi, axis->lo);
    if (axes >> shape->axes[k] & 1) state->index[state->count++] = term_sub(tt, axis->symbol, axis->lo);
  }
  state->rank = shape->count;
  for (uint32_t k = 1; k < term_count(tt, p->state[i]); k++) /* lanes are the last axes, in the order of the index */
    if (lower->axes.data[shape->axes[state->count + k - 1]].symbol != term_arg(tt, p->state[i], k)) return false;
  return state->count + term_count(tt, p->state[i]) - 1 == shape->count;
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

/* The shapes of all values, which are in Lower.states from `first` on. */
static bool open_states(Lower *lower, const RecurParts *p, Shape *shapes, uint32_t *first) {
  TermTable *tt = lower->tt;
  AxisSet lanes;
  if (!open_lanes(lower, p, &lanes)) return false;
  AxisSet axes = shared_axes(lower, p, lanes);
  *first = lower->states.count;
  for (uint32_t i = 0; i < p->n; i++) {
    State state = {.symbol = term_arg(tt, p->state[i], 0), .axes = axes};
    AxisSet own = axes;
    for (uint32_t k = 1; k < term_count(tt, p->state[i]); k++)
      own |= (AxisSet)1 << lower_axis_find(lower, term_arg(tt, p->state[i], k));
    if (!shape_of(lower, own, &shapes[i])) return false;
    if (own != axes && !describe_array(lower, p, i, axes, &shapes[i], &state)) return false;
    array_push(lower->arena, &lower->states, state);
  }
  return true;
}

/* The value of the i-th of them before a step, or after all. */
static void put_state(Lower *lower, const RecurParts *p, uint32_t i, uint32_t first, const Shape *shape, Node node) {
  State *state = &lower->states.data[first + i];
  if (state->rank)
    state->node = node;
  else
    lower_remember(lower, p->state[i], of_shape(shape, node));
}

/* The same recurrence of which another element was asked for; UINT32_MAX: there was none. */
static uint32_t find_made(const Lower *lower, Term t) {
  const TermTable *tt = lower->tt;
  uint32_t same = term_count(tt, t) - term_recur_lanes(tt, t);
  for (uint32_t i = 0; i < lower->made.count; i++) {
    Term u = lower->made.data[i].recur;
    uint32_t k = 0;
    if (term_count(tt, u) != term_count(tt, t) || term_aux(tt, u) != term_aux(tt, t)) continue;
    while (k < same && term_arg(tt, u, k) == term_arg(tt, t, k)) k++;
    if (k == same) return lower->made.data[i].state;
  }
  return UINT32_MAX;
}

/* The element that is asked for, along the lanes that the value itself has. */
static Value asked(Lower *lower, const RecurParts *p, uint32_t state) {
  Term at[RECUR_LANES];
  uint32_t n = 0;
  for (uint32_t k = 1; k < term_count(lower->tt, p->state[p->which]); k++)
    for (uint32_t d = 0; d < p->lanes; d++)
      if (p->lane[d] == term_arg(lower->tt, p->state[p->which], k)) at[n++] = p->at[d];
  State copy = lower->states.data[state]; /* the table may move */
  return lower_element(lower, &copy, at);
}

Value lower_recur(Lower *lower, Term t) {
  TermTable *tt = lower->tt;
  ArrayProgram *program = lower->program;
  RecurParts p = term_recur_open(tt, t);
  Shape shapes[RECUR_STATES];
  Node args[3 * RECUR_STATES + 1];
  uint32_t which = program->loops.count, first, made = find_made(lower, t);
  if (made != UINT32_MAX) return asked(lower, &p, made);
  if (which == MOST_LOOPS || !open_states(lower, &p, shapes, &first)) {
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
  lower->depth += p.lanes;
  for (uint32_t i = 0; i < p.n; i++) {
    Value init = lower_term(lower, p.init[i]);
    args[p.n + i] = lower_aligned(lower, init, shapes[i].count, shapes[i].axes);
    args[2 * p.n + i] = shapes[i].lengths;
    ArrayMake make = {.op = ARRAY_STATE,
                      .sort = term_sort(tt, p.state[i]),
                      .is_array = true,
                      .rank = (uint8_t)shapes[i].count,
                      .aux = which << 4 | i};
    put_state(lower, &p, i, first, &shapes[i], array_node(program, make, 0, NULL));
  }
  for (uint32_t i = 0; i < p.n; i++) {
    Value next = lower_term(lower, differs ? term_replace(tt, p.next[i], p.index, index) : p.next[i]);
    if (differs)
      next = lower_select(lower, lower_term(lower, term_lt(tt, index, p.steps)), next, lower_term(lower, p.state[i]));
    args[i] = whole(lower, &shapes[i], next);
  }
  lower->depth -= p.lanes;
  args[3 * p.n] = lower_largest(lower, p.steps);
  const Shape *own = &shapes[p.which];
  ArrayMake make = {.op = ARRAY_RECUR,
                    .sort = term_sort(tt, t),
                    .is_array = true,
                    .rank = (uint8_t)own->count,
                    .aux = which << 8 | p.n << 4 | p.which};
  Node node = array_node(program, make, 3 * p.n + 1, args);
  if (!lower->states.data[first + p.which].rank) return of_shape(own, node);
  put_state(lower, &p, p.which, first, own, node);
  array_push(lower->arena, &lower->made, (Made){t, first + p.which});
  return asked(lower, &p, first + p.which);
}
