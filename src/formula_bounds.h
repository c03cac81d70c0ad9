/* Of a formula on its own: does it stay inside of its tensors? */
#ifndef ASSAY_FORMULA_BOUNDS_H
#define ASSAY_FORMULA_BOUNDS_H

#include "lift/recover.h"

/* A bounds obligation for each tensor that is read: proved, or unknown with an index that is not shown to lie in its shape. An
 * extent that nobody gave (x_d0 of x) is as large as the reads need. */
void formula_bounds(Recovery *recovery);

#endif
