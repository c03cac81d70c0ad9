/* The claim of an MLIR function (see function.h). */
#ifndef ASSAY_FUNCTION_CLAIM_H
#define ASSAY_FUNCTION_CLAIM_H

#include "function/function.h"

/* `numbers`: what arguments are set to, NULL: none is. `made`: as in function_lift. Stopped, with a code and a
 * sentence, where the function is not executed. */
Claim *function_claim(Arena *arena, const Program *program, const Function *function, const MlirNumber *numbers,
                      TermSteps *made);

#endif
