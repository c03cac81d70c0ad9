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
