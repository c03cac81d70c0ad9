/* Shared by the files of function: a claim in the making. */
#ifndef ASSAY_FUNCTION_INTERNAL_H
#define ASSAY_FUNCTION_INTERNAL_H

#include "function/claim.h"
#include "sample/sample.h"

/* Sizes may be 0, unless loops have a closed form only where they run; at last, those of a few iterations need none. */
typedef enum Attempt { ATTEMPT_PLAIN, ATTEMPT_POSITIVE, ATTEMPT_UNROLLED } Attempt;

typedef struct Undefined { /* a way in which an operation is undefined */
  Term condition;
  OpId op;
} Undefined;

/* What an output is: a result, or memory of the caller. */
typedef struct FunctionSource {
  bool is_result;
  uint32_t number;
} FunctionSource;

typedef struct Making {
  Arena *arena;
  TermTable *tt;
  const Program *p;
  const Function *f;
  const Block *entry;
  MlirWorld *world;
  MlirValue *arguments;
  uint32_t argument_count;
  MlirRun run;
  Claim *claim;
  Pointwise *pointwise;
  FunctionMemories memories;
  Array(uint32_t) tensors; /* of the pointwise form, by number of the memory */
  Array(Undefined) undefined;
  TermList from, to;             /* sizes that equations say, and what they are */
  Array(FunctionSource) sources; /* of the outputs */
  TermSteps steps;               /* of the execution */
  Attempt how;
  const MlirNumber *numbers; /* that arguments are set to, by argument; NULL: none */
} Making;

/* What an output holds after a run, at these indices; `memories`: of the claim, with the sizes of the run. false: not
 * seen. */
bool function_cell(const Making *m, const MlirRun *run, const FunctionMemories *memories, FunctionSource source,
                   const Term *index, Cell *out);

/* True if the memory is a constant global. Nothing writes to it, and its elements are numbers. */
bool function_is_constant(const Making *m, uint32_t memory);

/* evaluate.c: the claim against the function, executed iteration by iteration on a few numbers; NULL: they agree, or
 * nothing was compared; else a sentence. */
const char *function_disagrees(const Making *m);
/* A launch and an element of the output that is poison there; NULL: none was found. */
const SampleWitness *function_poison(const Making *m, const PointwiseOutput *o);
/* Any launch: the function is undefined for all inputs. */
const SampleWitness *function_any_launch(const Making *m);
/* Something meets all that is assumed; false: nothing is known to, and then nothing is claimed. */
bool function_has_launch(const Making *m);

#endif
