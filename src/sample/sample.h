/* Random evaluation: the pointwise form against the concrete interpreter.
 *
 * Small launches are made up: sizes, grid, strides, scalars and inputs that meet the assumptions of the recovery. The
 * interpreter runs the kernel on them with exact reals; then the terms are evaluated at a few dozen elements of each
 * output, and compared; what was written is compared with the claimed region. This is the evidence behind `probable`
 * (semantics.md section 8); a difference is a bug of the lifting, never a fault of the kernel. */
#ifndef ASSAY_SAMPLE_SAMPLE_H
#define ASSAY_SAMPLE_SAMPLE_H

#include "lift/recover.h"
#include "program/interpret.h"

typedef enum SampleStatus {
  SAMPLE_AGREES,        /* every output was compared at some elements, and all agree */
  SAMPLE_MISMATCH,      /* `witness` tells where */
  SAMPLE_NOT_EVALUATED, /* `text` tells why */
} SampleStatus;

typedef struct SampleOptions {
  uint32_t trials;   /* 0: SAMPLE_TRIALS; one more where a loop is left early in all of them */
  uint64_t seed;     /* the same seed gives the same launches */
  bool before_proof; /* a long launch whose cost grows with the blocks is left, to be made where nothing is proved */
} SampleOptions;

enum { SAMPLE_TRIALS = 5 };
#define SAMPLE_BIT(number) ((uint64_t)1 << ((number) < 63 ? (number) : 63))

typedef struct SamplePair {
  const char *name, *value;
} SamplePair;
typedef Array(SamplePair) SamplePairs;

/* One launch and one element of it. `left` is what the kernel leaves there, `right` what the formula says. */
typedef struct SampleWitness {
  SamplePairs sizes, scalars, strides, index, inputs; /* inputs: the elements that the formula reads there */
  SamplePairs program, lane;                          /* of a finding */
  const char *left, *right;
} SampleWitness;

/* What the interpreter met on the way and the launch is not to blame for. */
typedef struct SampleFinding {
  InterpretFindingKind kind;
  OpId op;
  const char *tensor; /* NULL: none */
  SampleWitness witness;
} SampleFinding;

typedef struct SampleResult {
  SampleStatus status;
  uint32_t trials;    /* launches at which elements were compared */
  uint32_t elements;  /* of outputs, compared */
  double worst;       /* greatest relative difference among them */
  const char *sizes;  /* "n = 3; n = 1025": of each launch */
  const char *text;   /* one sentence: the evidence, or what is missing */
  bool has_left;      /* a long launch was left */
  const char *output; /* MISMATCH: name of the tensor */
  bool is_rounding;   /* MISMATCH: other roundings give the kernel another value */
  bool is_outside;    /* MISMATCH: what is stored is no element of the shape that was found */
  uint64_t strays; /* SAMPLE_BIT of tensors of the pointwise form: the formula has an element of it by an index outside
                      of its axis */
  SampleWitness witness;
  Array(SampleFinding) findings; /* the first of each kind, op and tensor */
} SampleResult;

/* The recovery must not have stopped. Makes no terms. Everything returned lives in `arena`. */
SampleResult sample_check(Arena *arena, const Program *program, const Function *function, const Claim *recovery,
                          const SampleOptions *options);

/* True if one of some launches that are made up meets all assumptions of the recovery. false: none was found. */
bool sample_meets_all(Arena *arena, const Claim *claim);

#endif
