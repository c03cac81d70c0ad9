/* How often a test that goes through many cases of one kind is repeated. What it says is what `make check-full` does,
 * which sets ASSAY_FULL; else it is a quarter, and a sixteenth under the sanitizers, which are some ten times slower
 * and look for faults that few rounds show as well. ASSAY_TEST_TIMES multiplies it. */
#ifndef ASSAY_TESTS_ROUNDS_H
#define ASSAY_TESTS_ROUNDS_H

#include <stdlib.h>

/* One of `rounds_step()` cases is tested. */
static inline int rounds_step(void) {
  const char *full = getenv("ASSAY_FULL");
  int step = full && *full ? 1 : 4;
#ifdef ASSAY_SANITIZED
  step *= 4;
#endif
  return step;
}

static inline int rounds_of(int count) {
  const char *times = getenv("ASSAY_TEST_TIMES");
  count = (count + rounds_step() - 1) / rounds_step();
  return times ? count * atoi(times) : count;
}

#endif
