/* Obligations: what must hold besides the values (design.md section 3), each with its own verdict.
 *
 * Proved by the range prover over the accesses of the execution, refuted by a concrete launch that the interpreter
 * reports, otherwise unknown with the reason. The assumptions that a proof rests on are added to the recovery's. */
#ifndef ASSAY_SAFETY_OBLIGATIONS_H
#define ASSAY_SAFETY_OBLIGATIONS_H

#include "base/verdict.h"
#include "operation/request.h"
#include "prove/prove.h"
#include "sample/witness.h"

/* Fills recovery->obligations; the worst verdict, with --strict and --allow. The recovery may have stopped. `proof`: of
 * its claim; NULL: there is none. Coverage that is asked of the operation as a whole (is_of_operation) is left open,
 * and no part of the verdict. */
Verdict obligations_find(Arena *arena, Claim *recovery, const ProveResult *proof, const Operation *operation,
                         const Options *options);
/* What the obligation counts as, with --strict and --allow. */
int obligation_decide(Obligation *o, const Effects *ex, const Options *options);

#endif
