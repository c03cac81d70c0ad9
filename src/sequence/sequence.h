/* Launches in sequence: the pointwise forms of several kernels as that of the whole.
 *
 * Each launch reads what the ones before it wrote. Memory that launches share is one SequenceTensor; the reads of a
 * launch are replaced by the value that the element has by then: that of the last piece that wrote it, atomics combined
 * with what was there, and the initial contents where nothing did. All of it in one table. */
#ifndef ASSAY_SEQUENCE_SEQUENCE_H
#define ASSAY_SEQUENCE_SEQUENCE_H

#include "base/kinds.h"
#include "lift/pointwise.h"

typedef struct SequenceTensor {
  PointwiseTensor view; /* how the result sees it; the symbol stands for its contents before the first launch */
  bool temporary;       /* only launches see it */
  bool is_infinite;     /* filled: a launch reads there what is not shown to be a finite number */
  const PointwiseOutput
      *written; /* filled: what the launches leave there, also in a temporary; NULL: nothing, or it is not known */
} SequenceTensor;

/* One launch; its tensors' symbols are its own. */
typedef struct SequenceStep {
  const Pointwise *pointwise;
  const uint32_t *tensor; /* by tensor of `pointwise`: the number of the SequenceTensor; SEQUENCE_UNUSED: not touched */
  const Term *offset;     /* likewise: where it begins there, in elements */
} SequenceStep;

#define SEQUENCE_UNUSED UINT32_MAX

typedef struct Sequence {
  Arena *arena;
  TermTable *tt;
  Array(SequenceTensor) tensors;
  Array(SequenceStep) steps;
} Sequence;

/* Fills tensors (those that matter) and outputs of `result`; scalars and the name are the caller's. false: not known,
 * with code and sentence. */
bool sequence_compose(Sequence *sequence, Pointwise *result, ReasonCode *code, const char **text);

#endif
