/* Of a formula on its own: tells whether it stays inside of its tensors. */
#ifndef ASSAY_FORMULA_BOUNDS_H
#define ASSAY_FORMULA_BOUNDS_H

#include "lift/recover.h"
#include "sample/sample.h"

/* A bounds obligation for each tensor that is read: proved, or unknown with an index that is not shown to lie in its
 * shape. An extent that nobody gave (x_d0 of x) is as large as the reads need. */
void formula_bounds(Claim *claim);
/* Of the formula that was found for a kernel: a tensor whose formula names an element by a place that is not shown to
 * lie in its row is said to have it there, in an assumption. Memory has the element in any case: it may be another
 * row's. Where the place never lies in the row, or did not in random evaluation although the kernel's own accesses are
 * shown to, that is the formula's fault, and nothing to assume: a sentence; else NULL. */
const char *formula_assume_rows(Claim *claim, const SampleResult *sample);

#endif
