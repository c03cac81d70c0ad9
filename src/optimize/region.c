/* Regions by dominance (region.h): a node is an entry where every path from the exit down to what is no constant
 * passes it. Problems have tens of nodes, so the definition is tried as it stands. */
#include "optimize/region.h"

#include <string.h>

typedef struct Walk {
  const Problem *p;
  uint32_t entry, count;
  uint8_t loop;
  bool seen[REGION_NODES], leaks, reduces;
} Walk;

static void walk(Walk *w, uint32_t node) {
  const ProblemNode *n = &w->p->nodes.data[node];
  if (node == w->entry || w->seen[node]) return;
  w->seen[node] = true, w->count++;
  w->leaks |= n->op == PROBLEM_INPUT || n->op == PROBLEM_INDEX || (n->op >= PROBLEM_SUM && n->axis == w->loop);
  w->reduces |= n->op >= PROBLEM_SUM;
  for (uint32_t i = 0; i < problem_op_arity(n->op) && !w->leaks; i++) walk(w, n->args[i]);
}

static bool is_region(const Problem *p, uint8_t loop, uint32_t entry, uint32_t exit) {
  Walk w = {.p = p, .entry = entry, .loop = loop};
  walk(&w, exit);
  return !w.leaks && w.reduces && w.count > 2;
}

/* ---- regions of tensors ---- */

static uint32_t uses_within(const Problem *p, uint32_t node, const bool *seen) {
  uint32_t uses = 0;
  for (uint32_t i = 0; i < p->nodes.count; i++)
    for (uint32_t k = 0; seen[i] && k < problem_op_arity(p->nodes.data[i].op); k++)
      uses += p->nodes.data[i].args[k] == node;
  return uses;
}

/* A product that is summed over what both factors have. */
static bool is_contracted(const Problem *p, uint32_t node) {
  const ProblemNode *n = &p->nodes.data[node];
  for (uint32_t i = 0; i < p->nodes.count; i++) {
    const ProblemNode *sum = &p->nodes.data[i];
    if (sum->op != PROBLEM_SUM || sum->args[0] != node || n->op != PROBLEM_MUL) continue;
    if (p->nodes.data[n->args[0]].classes & p->nodes.data[n->args[1]].classes & 1u << sum->axis) return true;
  }
  return false;
}

static bool is_reduced(const Problem *p, uint32_t node) {
  for (uint32_t i = 0; i < p->nodes.count; i++)
    for (uint32_t k = 0; k < problem_op_arity(p->nodes.data[i].op); k++)
      if (p->nodes.data[i].args[k] == node && (p->nodes.data[i].op >= PROBLEM_SUM || is_contracted(p, i))) return true;
  return false;
}

static void walk_elements(Walk *w, uint32_t node) {
  const ProblemNode *n = &w->p->nodes.data[node];
  if (w->seen[node]) return;
  w->seen[node] = true;
  w->count += problem_op_arity(n->op) > 0;
  w->leaks |= n->op >= PROBLEM_SUM || is_contracted(w->p, node);
  for (uint32_t i = 0; i < problem_op_arity(n->op) && !w->leaks; i++) walk_elements(w, n->args[i]);
}

/* What is within is used nowhere else. */
static bool is_of_tensors(const Problem *p, uint32_t exit) {
  Walk w = {.p = p};
  bool all[REGION_NODES];
  memset(all, true, sizeof all);
  walk_elements(&w, exit);
  bool is_own = !w.leaks && w.count > 2 && is_reduced(p, exit);
  for (uint32_t i = 0; i < p->nodes.count && is_own; i++) {
    bool is_inner = w.seen[i] && i != exit && problem_op_arity(p->nodes.data[i].op);
    for (uint32_t o = 0; o < p->outputs.count; o++) is_own &= !is_inner || p->outputs.data[o].node != i;
    is_own &= !is_inner || uses_within(p, i, all) == uses_within(p, i, w.seen);
  }
  return is_own;
}

uint32_t region_find(const Problem *p, uint8_t loop, ProblemRegion out[REGION_MOST]) {
  uint32_t count = 0;
  if (p->nodes.count > REGION_NODES) return 0;
  for (uint32_t entry = 0; entry < p->nodes.count && count < REGION_MOST; entry++) {
    if (p->nodes.data[entry].op == PROBLEM_CONST) continue;
    for (uint32_t exit = p->nodes.count; exit-- > entry + 1;)
      if (is_region(p, loop, entry, exit)) {
        out[count++] = (ProblemRegion){entry, exit};
        break;
      }
  }
  for (uint32_t exit = 0; exit < p->nodes.count && count < REGION_MOST; exit++)
    if (is_of_tensors(p, exit)) out[count++] = (ProblemRegion){REGION_TENSORS, exit};
  return count;
}

static void list(const Problem *p, const ProblemRegion *region, uint32_t node, uint32_t *nodes, uint32_t most,
                 uint32_t *count) {
  for (uint32_t i = 0; i < *count; i++)
    if (nodes[i] == node) return;
  if (node == region->entry) return;
  for (uint32_t i = 0; i < problem_op_arity(p->nodes.data[node].op); i++)
    list(p, region, p->nodes.data[node].args[i], nodes, most, count);
  if (*count < most) nodes[(*count)++] = node;
}

uint32_t region_nodes(const Problem *p, const ProblemRegion *region, uint32_t *nodes, uint32_t most) {
  uint32_t count = 0;
  list(p, region, region->exit, nodes, most, &count);
  return count;
}
