/* Regions: parts of a problem that depend on one value only, such as a norm or a softmax of it, or on tensors alone,
 * element by element, such as a rotary embedding before a product. The search takes a region as one operation where the
 * primitive ones would be too many. */
#ifndef ASSAY_OPTIMIZE_REGION_H
#define ASSAY_OPTIMIZE_REGION_H

#include "optimize/problem.h"

enum { REGION_MOST = 8, REGION_NODES = 400 };

#define REGION_TENSORS UINT32_MAX /* too large for an enumerator */

typedef struct ProblemRegion {
  uint32_t entry, exit; /* nodes; entry REGION_TENSORS: elementwise, of tensors */
} ProblemRegion;

/* For each entry the last exit with a reduction between, none of them over `loop` (a class, or PROBLEM_NONE); and what
 * is made of tensors, element by element, for reductions alone. How many were found. */
uint32_t region_find(const Problem *p, uint8_t loop, ProblemRegion out[REGION_MOST]);
/* The nodes of a region, arguments first, without the entry, with constants; how many. */
uint32_t region_nodes(const Problem *p, const ProblemRegion *region, uint32_t *nodes, uint32_t most);

#endif
