/* Refutation without a formula: both sides of a comparison are run on some launches (see check_run.c). */
#ifndef ASSAY_CHECK_RUN_H
#define ASSAY_CHECK_RUN_H

#include "compare/side.h"

typedef struct CheckRun {
  bool fits;           /* both sides are about the tensors of the launch; false: or it is not known */
  uint32_t launches;   /* on which both sides were compared; 0: none */
  const char *missing; /* what none of them reached (sample/coverage.h); NULL: nothing */
  bool differs;        /* the rest tells where */
  const char *output;  /* the left's name */
  const char *left, *right;
  const ReportWitness *witness;
} CheckRun;

/* The left is a kernel that is launched once, as its operation or options describe; the right is one too, or a
 * reference. Pairs inputs and outputs as a comparison of formulas does; where they do not fit, nothing is run. */
CheckRun check_run(Arena *arena, const Side *left, const Side *right, const Options *options);

#endif
