/* How many of the cases of one kind a test goes through: all in `make check-full`, which sets ASSAY_FULL; else a
 * quarter, and a sixteenth under the sanitizers, which are some ten times slower and look for faults that few cases
 * show as well. Of random ones a quarter is all that is asked of the sanitizers, and ASSAY_TEST_TIMES multiplies their
 * number. */
#ifndef ASSAY_TESTS_ROUNDS_H
#define ASSAY_TESTS_ROUNDS_H

#include <stdlib.h>

/* One of `rounds_step()` cases is tested. */
static inline int rounds_step(void) {
  const char *full = getenv("ASSAY_FULL");
  if (full && *full) return 1;
#ifdef ASSAY_SANITIZED
  return 16;
#else
  return 4;
#endif
}

static inline int rounds_of(int count) {
  const char *times = getenv("ASSAY_TEST_TIMES");
  int step = rounds_step();
#ifdef ASSAY_SANITIZED
  if (step < 4) step = 4;
#endif
  count = (count + step - 1) / step;
  return times ? count * atoi(times) : count;
}

#endif
