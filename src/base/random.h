/* Seeded random numbers (splitmix64): the same seed gives the same run on every machine. */
#ifndef ASSAY_BASE_RANDOM_H
#define ASSAY_BASE_RANDOM_H

#include <stdint.h>

typedef struct Random {
  uint64_t state;
} Random;

static inline uint64_t random_mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}
static inline uint64_t random_u64(Random *random) { return random_mix(random->state += 0x9E3779B97F4A7C15u); }
/* Uniform in [0, bound), bound > 0. */
static inline uint64_t random_below(Random *random, uint64_t bound) { return random_u64(random) % bound; }
/* Uniform in [0, 1). */
static inline double random_unit(Random *random) { return (double)(random_u64(random) >> 11) * 0x1p-53; }

#endif
