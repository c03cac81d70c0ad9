/* What a candidate costs, by counting: bytes, operations, launches; ranking only. */
#ifndef ASSAY_OPTIMIZE_COST_H
#define ASSAY_OPTIMIZE_COST_H

#include "optimize/lower.h"

typedef struct Device {
  const char *name;
  double memory, cache, tensor, vector, units, shared, registers, launch, iteration;
} Device;

typedef struct Cost {
  double bytes, flops, seconds;
  uint32_t launches;
  double blocks, shared; /* of the widest kernel: blocks, bytes of shared memory */
  double widest;         /* elements of its largest tile */
} Cost;

typedef struct CostSizes {
  double length[PROBLEM_MAX_CLASSES];
} CostSizes;

/* NULL: there is none of that name. */
const Device *device_find(const char *name);
/* The length of every class; symbols without a value are taken as `nominal`. */
CostSizes cost_sizes(const Problem *p, double nominal);
Cost cost_block(const Problem *p, const SearchCandidate *c, const Tiling *tiling, const CostSizes *sizes,
                const Device *device);
Cost cost_operations(const Problem *p, const SearchCandidate *c, const CostSizes *sizes, const Device *device);
/* The cost with middling tiles, to tell hopeless candidates before numbers are chosen. */
double cost_guess(const Problem *p, const SearchCandidate *c, const CostSizes *sizes, const Device *device);
/* The numbers with the least cost for a candidate; false: none fits the device. */
bool cost_tune(const Problem *p, const SearchCandidate *c, const CostSizes *sizes, const Device *device, Tiling *tiling,
               Cost *cost);
/* The same for loops of one block (passes.h), which have one tiling. */
bool cost_tune_passes(uint32_t count, LowerPart *parts, const CostSizes *sizes, const Device *device, Cost *cost);

#endif
