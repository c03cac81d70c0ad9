/* Fingerprints: arrays over shrunk axes in the fields of field.h.
 *
 * Each class of axes has FINGERPRINT_LENGTH elements in FINGERPRINT_TILES tiles, whatever its length is, so that the
 * partition of the search is kept: an array has a class with its elements, with one entry for each tile (what was
 * reduced within tiles), or not at all. */
#ifndef ASSAY_OPTIMIZE_FINGERPRINT_H
#define ASSAY_OPTIMIZE_FINGERPRINT_H

#include "optimize/field.h"
#include "optimize/problem.h"

enum { FINGERPRINT_LENGTH = 4, FINGERPRINT_TILES = 2 };

typedef struct Fingerprint {
  ClassSet elements, tiles;
  bool is_defined, has_q; /* q: a residue modulo q as well */
  uint32_t count;
  uint64_t *p, *q;
} Fingerprint;

typedef enum FingerprintPart { FINGERPRINT_ALL, FINGERPRINT_IN_TILES, FINGERPRINT_OVER_TILES } FingerprintPart;

Fingerprint fingerprint_leaf(Arena *arena, const Field *f, const Problem *p, const ProblemNode *n, uint64_t seed);
Fingerprint fingerprint_unary(Arena *arena, const Field *f, ProblemOp op, uint32_t detail, const Fingerprint *a);
Fingerprint fingerprint_binary(Arena *arena, const Field *f, ProblemOp op, const Fingerprint *a, const Fingerprint *b);
Fingerprint fingerprint_where(Arena *arena, const Field *f, const Fingerprint *c, const Fingerprint *a,
                              const Fingerprint *b);
Fingerprint fingerprint_reduce(Arena *arena, const Field *f, ProblemOp op, uint8_t axis, FingerprintPart part,
                               const Fingerprint *a);
/* The sum over an axis of a product, which is not written down. */
Fingerprint fingerprint_matmul(Arena *arena, const Field *f, uint8_t axis, FingerprintPart part, const Fingerprint *a,
                               const Fingerprint *b);
bool fingerprint_equal(const Fingerprint *a, const Fingerprint *b);
/* Of every node of the problem. */
Fingerprint *fingerprint_problem(Arena *arena, const Field *f, const Problem *p, uint64_t seed);

#endif
