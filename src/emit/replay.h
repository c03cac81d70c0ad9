/* --emit replay: a witness as a Python script that shows it again in Triton's interpreter. */
#ifndef ASSAY_EMIT_REPLAY_H
#define ASSAY_EMIT_REPLAY_H

#include "sample/witness.h"

typedef struct ReplayHeader {
  const char *kind, *where, *detail, *tensor; /* of the finding; tensor may be NULL */
} ReplayHeader;

/* The script needs Triton and torch, the Python file of the kernel as an argument, and nothing of Assay. */
void emit_replay(const WitnessRun *run, const ReplayHeader *header, Text *out);

#endif
