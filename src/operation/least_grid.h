/* With --shape alone: the least grid that covers the tensors that were given. */
#ifndef ASSAY_LEAST_GRID_H
#define ASSAY_LEAST_GRID_H

#include "lift/recover.h"
#include "operation/request.h"

/* The launch with that grid, and why; NULL: the kernel says itself how many programs there are, a grid was given, or
 * the shapes do not tell. */
const Launch *least_grid(Arena *arena, const Claim *claim, const Launch *launch, const Options *options);

#endif
