/* Abstract expressions tell whether what a prefix computes is a part of what is wanted.
 *
 * The expression of a problem is saturated once in an e-graph with axioms in the manner of Mirage's Table 2, and exp,
 * sqrt, max and reductions in two steps (within tiles, over tiles) among them; then every e-node goes into a hash
 * table. The abstract expression of a value is its class: an operation on classes is a part of the problem iff it is in
 * the table, a question that costs one look-up. The axioms only prune: what they wrongly equate costs time, and what
 * they lack costs candidates. There is no cancellation, by which everything would be a part of everything, but for a
 * factor that both sides of a quotient have. Each axiom is held against numbers (tests/unit/optimize/test_abstract.c).
 */
#ifndef ASSAY_OPTIMIZE_ABSTRACT_H
#define ASSAY_OPTIMIZE_ABSTRACT_H

#include "optimize/fingerprint.h"
#include "optimize/region.h"

#define ABSTRACT_NONE UINT32_MAX /* too large for an enumerator */
enum { ABSTRACT_NODES = 30000 };

typedef struct Abstract Abstract;

/* What is saturated with, as rules of the e-graph: a line each. */
const char *abstract_axioms(void);
/* Regions are leaves: nothing is known of what stands within. */
Abstract *abstract_new(Arena *arena, const Problem *p, uint32_t region_count, const ProblemRegion *regions);
/* The class of a node of the problem; ABSTRACT_NONE: it stands within a region. */
uint32_t abstract_node(const Abstract *a, uint32_t node);
/* Classes of operations on classes; ABSTRACT_NONE: no part. */
uint32_t abstract_operation(const Abstract *a, ProblemOp op, uint32_t detail, uint32_t x, uint32_t y, uint32_t z);
uint32_t abstract_reduce(const Abstract *a, ProblemOp op, uint8_t axis, FingerprintPart part, uint32_t x);
/* E-nodes and classes, for --stats; whether the axioms were exhausted. */
void abstract_size(const Abstract *a, uint32_t *nodes, uint32_t *classes, bool *is_saturated);

#endif
