/* Between reduce.c, scan.c and associative.c: the region of a reduction or scan, run on symbols. */
#ifndef ASSAY_EXECUTE_REDUCE_H
#define ASSAY_EXECUTE_REDUCE_H

#include "execute/internal.h"

enum { REGION_STATE = EXECUTE_REGION_STATE };

typedef struct Region2 {
  uint32_t n;
  Term a[REGION_STATE], b[REGION_STATE], result[REGION_STATE];
} Region2;

/* Values of the operands with the reduced axis as `k` and, with `drop`, the later axes moved up. */
Term execute_at_axis(Machine *ex, Term t, const Type *type, int64_t axis, Term k, bool drop);
/* scan.c: any region that is shown to be associative, and commutative if this is no scan; false: that is not shown, or
 * the recurrence is not closed. */
bool execute_scan_region(Machine *ex, const Op *op, OpId id, const Region2 *r, const Type *type, int64_t axis,
                         bool is_scan, bool reverse);

typedef enum RegionDomain {
  REGION_ANY,    /* the elements of this op */
  REGION_PADDED, /* finite ones; of one part, and -inf is neutral */
  REGION_LOST,   /* likewise, but two that are -inf have no value together */
  REGION_FINITE, /* finite ones; of one part */
} RegionDomain;
/* associative.c: true if the order in which elements are combined does not matter, on the elements of this domain. A
 * proof. */
bool execute_region_is_proved(Machine *ex, const Op *op, const Region2 *r, bool scan, RegionDomain *domain);
/* Numbers at which the order of elements shows: f is not associative there, or (of a reduction) not commutative. NULL:
 * none of a few shows it, which proves nothing. */
const char *execute_region_order_shows(TermTable *tt, const Region2 *r, bool scan);

#endif
