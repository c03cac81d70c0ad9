/* Several loops in one block (passes.h). */
#include "optimize/passes.h"

#include "optimize/kernels.h"

#include <string.h>

enum { MOST_VALUES = 8 }; /* from one pass to the next */

typedef struct Maker {
  Arena *arena;
  const Field *field;
  uint8_t axis;
  Pointwise *all;        /* with tensors for what goes from one pass to the next */
  uint32_t count, bound; /* the first of these tensors */
  LowerPart *out;
} Maker;

static Maker maker(Arena *arena, const Problem *p, const Field *field, uint8_t axis, LowerPart *out) {
  Maker m = {.arena = arena, .field = field, .axis = axis, .all = kernels_tensors(arena, p), .out = out};
  m.bound = m.all->tensors.count;
  return m;
}

static bool has_axis(const Maker *m, const Problem *p, uint32_t node) {
  return p->nodes.data[node].classes >> m->axis & 1;
}

/* How many passes must be over before a node has its value. */
static uint32_t *find_levels(const Maker *m, const Problem *p) {
  uint32_t *level = arena_array(m->arena, uint32_t, p->nodes.count + 1);
  for (uint32_t i = 0; i < p->nodes.count; i++) {
    const ProblemNode *n = &p->nodes.data[i];
    for (uint32_t k = 0; k < problem_op_arity(n->op); k++)
      if (level[n->args[k]] > level[i]) level[i] = level[n->args[k]];
    level[i] += n->op >= PROBLEM_SUM && n->axis == m->axis;
  }
  return level;
}

typedef struct Values {
  uint32_t count;
  ProblemOutput data[MOST_VALUES];
} Values;

/* What the last pass has from those before: values that are free of the axis, the outermost ones. */
static bool find_values(Maker *m, const Problem *p, uint32_t node, const uint32_t *level, uint32_t last, bool *seen,
                        Values *out) {
  const ProblemNode *n = &p->nodes.data[node];
  bool good = true;
  if (seen[node]) return true;
  seen[node] = true;
  if (has_axis(m, p, node) || !level[node] || level[node] > last) {
    for (uint32_t k = 0; k < problem_op_arity(n->op) && good; k++)
      good = find_values(m, p, n->args[k], level, last, seen, out);
    return good;
  }
  if (out->count == MOST_VALUES) return false;
  ProblemOutput *value = &out->data[out->count++];
  for (uint32_t o = 0; o < p->outputs.count; o++)
    if (p->outputs.data[o].node == node) return *value = p->outputs.data[o], true;
  *value = kernels_add_temporary(m->all, p, node, n->classes, 1u << m->axis, PROBLEM_NONE);
  return true;
}

static bool is_value(const Values *values, const ProblemOutput *o) {
  for (uint32_t i = 0; i < values->count; i++)
    if (values->data[i].node == o->node) return true;
  return false;
}

/* In one loop, or in none, where that can be. */
static bool write_pass(Maker *m, Problem *p, uint8_t loop) {
  SearchResult written = {0};
  p->bound = m->bound;
  if (m->count < PASSES_MOST) search_written(m->arena, p, m->field, loop, &written);
  if (written.candidates.count) m->out[m->count++] = (LowerPart){.p = p, .c = &written.candidates.data[0]};
  return written.candidates.count > 0;
}

/* What the outputs need of earlier passes first. */
static bool write_passes(Maker *m, Problem *p, uint32_t depth) {
  if (write_pass(m, p, m->axis)) return true;
  if (depth == PASSES_MOST) return false;
  uint32_t *level = find_levels(m, p), last = 0;
  bool *seen = arena_array(m->arena, bool, p->nodes.count + 1);
  Values values = {0};
  Array(ProblemOutput) rest = {0};
  for (uint32_t i = 0; i < p->nodes.count; i++)
    if (has_axis(m, p, i) && level[i] > last) last = level[i];
  for (uint32_t o = 0; o < p->outputs.count; o++)
    if (!find_values(m, p, p->outputs.data[o].node, level, last, seen, &values)) return false;
  for (uint32_t o = 0; o < p->outputs.count; o++)
    if (!is_value(&values, &p->outputs.data[o])) array_push(m->arena, &rest, p->outputs.data[o]);
  bool saves = !depth && rest.count < p->outputs.count; /* an output that an earlier pass has */
  if (!values.count || !rest.count || saves) return false;
  return write_passes(m, problem_part(p, m->all, values.count, values.data, 0, NULL), depth + 1) &&
         write_pass(m, problem_part(p, m->all, rest.count, rest.data, values.count, values.data), m->axis);
}

uint32_t passes_find(Arena *arena, const Problem *p, const Field *field, uint8_t axis, LowerPart out[PASSES_MOST]) {
  Maker m = maker(arena, p, field, axis, out);
  Problem *whole = problem_part(p, m.all, p->outputs.count, p->outputs.data, 0, NULL);
  return write_passes(&m, whole, 0) ? m.count : 0;
}

/* ---- one loop, whose tiles are put together ---- */

/* The outermost values that one iteration has all of, and that are more than tiles of tensors. */
static bool find_tiles(Maker *m, const Problem *p, uint32_t node, const uint32_t *level, const bool *reduces,
                       bool *seen, Values *out) {
  const ProblemNode *n = &p->nodes.data[node];
  bool good = true;
  if (seen[node]) return true;
  seen[node] = true;
  if (!has_axis(m, p, node) || level[node] || !reduces[node]) {
    for (uint32_t k = 0; k < problem_op_arity(n->op) && good; k++)
      good = find_tiles(m, p, n->args[k], level, reduces, seen, out);
    return good;
  }
  if (out->count == MOST_VALUES) return false;
  out->data[out->count++] = kernels_add_temporary(m->all, p, node, n->classes, 0, PROBLEM_NONE);
  return true;
}

bool passes_gather(Arena *arena, const Problem *p, const Field *field, uint8_t axis, LowerPart out[2]) {
  Maker m = maker(arena, p, field, axis, out);
  bool *seen = arena_array(arena, bool, p->nodes.count + 1), *reduces = arena_array(arena, bool, p->nodes.count + 1);
  uint32_t *level = find_levels(&m, p);
  for (uint32_t i = 0; i < p->nodes.count; i++) {
    const ProblemNode *n = &p->nodes.data[i];
    reduces[i] = n->op >= PROBLEM_SUM;
    for (uint32_t k = 0; k < problem_op_arity(n->op); k++) reduces[i] |= reduces[n->args[k]];
  }
  Values tiles = {0};
  for (uint32_t o = 0; o < p->outputs.count; o++)
    if (!find_tiles(&m, p, p->outputs.data[o].node, level, reduces, seen, &tiles)) return false;
  for (uint32_t o = 0; o < p->outputs.count; o++)
    if (is_value(&tiles, &p->outputs.data[o])) return false;
  return tiles.count && write_pass(&m, problem_part(p, m.all, tiles.count, tiles.data, 0, NULL), axis) &&
         write_pass(&m, problem_part(p, m.all, p->outputs.count, p->outputs.data, tiles.count, tiles.data),
                    PROBLEM_NONE);
}
