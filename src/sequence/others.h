/* One launch of an operation, with what the other launches mean for it: which of its tensors earlier ones wrote, which
 * others write as well, and which sizes the arguments of the others have to be. */
#ifndef ASSAY_SEQUENCE_OTHERS_H
#define ASSAY_SEQUENCE_OTHERS_H

#include "lift/recover.h"
#include "operation/request.h"

/* The operation with launch i alone. `launches`: the claims of all, in order. */
const Operation *sequence_single(Arena *arena, const Operation *operation, Claim *const *launches, uint32_t i);

#endif
