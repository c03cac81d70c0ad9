/* Coverage of a tensor that several launches of an operation write: whether every element of it is written by one of
 * them.
 *
 * Asked where no launch covers it alone: halves, a launch that clears and another that fills in a part. All of it is
 * written where nothing is outside of what the launches are proved to leave; something is not where small sizes have
 * such an element. */
#ifndef ASSAY_OPERATOR_COVERAGE_H
#define ASSAY_OPERATOR_COVERAGE_H

#include "lift/recover.h"
#include "sequence/sequence.h"
#include "sample/sample.h"

typedef struct CoverageAsked {
  Arena *arena;
  const Claim *whole; /* its assumptions, and the numbers of the launch that was given */
  const SequenceTensor *tensor;
  bool is_proved;              /* what the launches leave is */
  bool is_input, may_be_input; /* what was there before the first launch: what nothing writes keeps it */
} CoverageAsked;

typedef struct Coverage {
  int verdict; /* OBLIGATION_* */
  const char *detail;
  const SampleWitness *witness; /* of a refuted one */
  Array(uint32_t) under;        /* assumptions of the whole that a proof rests on */
} Coverage;

Coverage coverage_of_launches(const CoverageAsked *asked);

#endif
