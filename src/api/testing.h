/* Hooks for our own tests; not installed, not exported from the shared library. */
#ifndef ASSAY_API_TESTING_H
#define ASSAY_API_TESTING_H

#include "assay/assay.h"

/* The n-th allocation from now on fails; 0: none. */
void assay_testing_fail_at(AssayContext *context, uint64_t n);
/* Allocations of the context so far. */
uint64_t assay_testing_allocations(const AssayContext *context);
/* Bytes that the context holds now. */
size_t assay_testing_bytes(const AssayContext *context);

#endif
