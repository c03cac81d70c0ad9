/* Between reduce.c and scan.c: the region of a reduction or scan, run on symbols. */
#ifndef ASSAY_EXECUTE_REDUCE_H
#define ASSAY_EXECUTE_REDUCE_H

#include "execute/internal.h"

enum { REGION_STATE = 8 };

typedef struct Region2 {
  uint32_t n;
  Term a[REGION_STATE], b[REGION_STATE], result[REGION_STATE];
} Region2;

/* scan.c: any associative region; false: that is not shown, or the recurrence is not closed. */
bool execute_scan_region(Execution *ex, const Op *op, const Region2 *r, const Type *type, int64_t axis, bool reverse);

#endif
