/* Axes that stand beside each other wherever one of them stands, as one: B and H of x[B, H, M, N] + y[B, H, M, N] are
 * one axis of B*H elements, of views that cost nothing. So more than three axes of an output fit a grid of three. */
#include "optimize/problem.h"

#include <string.h>

enum { GRID_RANK = 3, WHOLE = 256 /* elements that one block may hold */ };

static ClassSet grid_classes(const Problem *p) {
  ClassSet all = 0;
  for (uint32_t i = 0; i < p->outputs.count; i++) all |= p->nodes.data[p->outputs.data[i].node].classes;
  for (uint32_t i = 0; i < p->nodes.count; i++)
    if (p->nodes.data[i].axis != PROBLEM_NONE) all &= ~(1u << p->nodes.data[i].axis); /* reductions and positions */
  return all;
}

static uint32_t count_cut(const Problem *p) {
  uint32_t count = 0;
  ClassSet all = grid_classes(p);
  for (uint32_t c = 0; c < p->class_count; c++) {
    int64_t length;
    bool is_short = term_is_int(p->tt, p->length[c], &length) && length <= WHOLE;
    count += (all >> c & 1) && !is_short;
  }
  return count;
}

/* Each of the two has the other beside it, and neither is a part of an axis. */
static bool are_beside(uint32_t rank, const uint8_t *axes, const Term *start, uint8_t outer, uint8_t inner) {
  for (uint32_t k = 0; k < rank; k++) {
    if (axes[k] == outer && (k + 1 == rank || axes[k + 1] != inner)) return false;
    if (axes[k] == inner && (!k || axes[k - 1] != outer)) return false;
    if (start && start[k] && (axes[k] == outer || axes[k] == inner)) return false;
  }
  return true;
}

static bool may_unite(const Problem *p, uint8_t outer, uint8_t inner) {
  ClassSet both = 1u << outer | 1u << inner;
  if (outer == inner || inner == PROBLEM_NONE || (grid_classes(p) & both) != both) return false;
  for (uint32_t i = 0; i < p->uses.count; i++)
    if (!are_beside(p->uses.data[i].rank, p->uses.data[i].axes, p->uses.data[i].start, outer, inner)) return false;
  for (uint32_t i = 0; i < p->outputs.count; i++)
    if (!are_beside(p->outputs.data[i].rank, p->outputs.data[i].axes, NULL, outer, inner)) return false;
  return true;
}

static uint32_t original_of(const Problem *p, uint32_t tensor) {
  for (uint32_t i = 0; i < p->views.count; i++)
    if (p->views.data[i].tensor == tensor) return p->views.data[i].of;
  return tensor;
}

/* The place `at` and the one behind it become one; the tensor with such axes. */
static uint32_t unite_at(Problem *p, uint32_t tensor, uint32_t at, uint8_t *rank, uint8_t *axes, Term *start) {
  Term extent[POINTWISE_MAX_RANK];
  memcpy(extent, p->pointwise->tensors.data[tensor].extent, sizeof extent);
  extent[at] = term_mul(p->tt, extent[at], extent[at + 1]);
  for (uint32_t k = at + 1; k + 1 < *rank; k++) {
    axes[k] = axes[k + 1], extent[k] = extent[k + 1];
    if (start) start[k] = start[k + 1];
  }
  --*rank;
  if (start) start[*rank] = 0;
  return problem_view(p, original_of(p, tensor), *rank, extent);
}

static uint32_t position(uint32_t rank, const uint8_t *axes, uint8_t axis) {
  uint32_t k = 0;
  while (k < rank && axes[k] != axis) k++;
  return k;
}

static void unite(Problem *p, uint8_t outer, uint8_t inner) {
  for (uint32_t i = 0; i < p->uses.count; i++) {
    ProblemUse *use = &p->uses.data[i];
    uint32_t at = position(use->rank, use->axes, outer);
    if (at < use->rank) use->tensor = unite_at(p, use->tensor, at, &use->rank, use->axes, use->start);
  }
  for (uint32_t i = 0; i < p->outputs.count; i++) {
    ProblemOutput *out = &p->outputs.data[i];
    uint32_t at = position(out->rank, out->axes, outer);
    if (at < out->rank) out->tensor = unite_at(p, out->tensor, at, &out->rank, out->axes, NULL);
  }
  for (uint32_t i = 0; i < p->nodes.count; i++) p->nodes.data[i].classes &= ~(1u << inner);
  p->length[outer] = term_mul(p->tt, p->length[outer], p->length[inner]);
  p->length[inner] = p->tt->one; /* nothing has this class now */
}

/* The first pair, in the order of the outputs' axes. */
static bool unite_pair(Problem *p) {
  for (uint32_t i = 0; i < p->outputs.count; i++) {
    const ProblemOutput *out = &p->outputs.data[i];
    for (uint32_t k = 0; k + 1 < out->rank; k++) {
      uint8_t outer = out->axes[k], inner = out->axes[k + 1];
      if (outer == PROBLEM_NONE || !may_unite(p, outer, inner)) continue;
      unite(p, outer, inner);
      return true;
    }
  }
  return false;
}

void problem_unite(Problem *p) {
  while (count_cut(p) > GRID_RANK && unite_pair(p)) continue;
}
