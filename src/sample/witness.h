/* Witnesses: small concrete launches at which the interpreter shows that an obligation is violated.
 *
 * A launch family (prove/launch.h) is searched: sizes that break kernels (1, 2, primes, both sides of a block) with
 * contents that break them (zeros, equal values, indices out of range). What shows is then made smaller, name by name,
 * as long as it still shows. So each event is a real launch that meets the launch's description, and a refutation. */
#ifndef ASSAY_SAMPLE_WITNESS_H
#define ASSAY_SAMPLE_WITNESS_H

#include "operation/launch.h"
#include "sample/sample.h"

typedef struct WitnessTensor {
  const char *name;
  TypeId element;
  bool is_float, is_bool, is_unsigned; /* is_unsigned: to be shown so; cells have the bits */
  uint32_t bits, rank;
  int64_t extent[POINTWISE_MAX_RANK], stride[POINTWISE_MAX_RANK], count;
  InterpretCell *before, *after;
  uint8_t *shadow;
} WitnessTensor;

typedef struct WitnessArgument {
  const char *name;
  int32_t tensor; /* -1: a scalar */
  bool is_real;
  int64_t offset, integer;
  double real;
} WitnessArgument;

/* The integer as it is shown. */
int64_t witness_integer(const WitnessTensor *t, int64_t element);

/* A concrete launch, complete: what --emit replay writes down. */
typedef struct WitnessRun {
  const Program *program;
  const Function *function;
  int32_t grid[3];
  uint32_t tensor_count, argument_count;
  bool is_repeated; /* the finding needs a second run on what the first one left */
  WitnessTensor *tensors;
  WitnessArgument *arguments;
  InterpretResult result;
} WitnessRun;

typedef struct WitnessEvent {
  ObligationKind kind;
  OpId op;
  bool computed;      /* an undefined value that arises from defined ones: 0/0, (-inf) - (-inf), ... */
  bool divides;       /* ... in a launch in which a function of a host language divides a float by 0 */
  bool is_positive;   /* ... where all floats that the kernel is given are positive */
  const char *tensor; /* name of the tensor; NULL: none */
  const char *param;  /* of the kernel's parameter for it; NULL: none */
  const char *detail; /* one sentence */
  SampleWitness witness;
  const WitnessRun *run;
} WitnessEvent;

typedef Array(WitnessEvent) WitnessEvents;

/* Conditions over the integer arguments and the grid of an execution of the same kernel. */
typedef struct WitnessConditions {
  const Effects *ex;
  const Term *data;
  uint32_t count;
  bool keeps_covers; /* elements that nobody writes are looked for where one block covers what it is compared with */
} WitnessConditions;

/* Everything found is pushed to `out`, each kind, op and tensor once, of launches that meet `required`. false: no small
 * launch is like that. Makes no terms. */
bool witness_search(Arena *arena, const Effects *ex, const LaunchModel *model, WitnessConditions required,
                    WitnessEvents *out);

#endif
