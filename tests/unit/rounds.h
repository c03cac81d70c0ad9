/* How often a random test is repeated: as often as it says, ASSAY_TEST_TIMES as often, and an eighth of it under the
 * sanitizers, which are some ten times slower and look for faults that few rounds show as well. */
#ifndef ASSAY_TESTS_ROUNDS_H
#define ASSAY_TESTS_ROUNDS_H

#include <stdlib.h>

static inline int rounds_of(int count) {
  const char *times = getenv("ASSAY_TEST_TIMES");
#ifdef ASSAY_SANITIZED
  count = (count + 7) / 8;
#endif
  return times ? count * atoi(times) : count;
}

#endif
