/* What the two files of random evaluation share; nobody else includes it. */
#ifndef ASSAY_PROVE_SAMPLE_INTERNAL_H
#define ASSAY_PROVE_SAMPLE_INTERNAL_H

#include "base/random.h"
#include "prove/sample.h"

enum { SAMPLE_MAX_BLOCKS = 6, SAMPLE_MOST_DENSE = 256 };

/* An integer that a launch must choose: argument, number of programs, or an extent that nothing bounds. */
typedef struct SampleVariable {
  Term symbol;
  int64_t value, constant, least; /* least: an extent that must grow, found by running */
  int64_t step;                   /* of a grid: the greatest number of programs that a region speaks of */
  bool is_argument, is_grid, is_part, is_stride, is_extent, is_constant; /* is_part: of a number of programs that is a product */
} SampleVariable;

/* Values of an integer tensor that are indices: multiples of them stay below an extent. */
typedef struct SampleUse {
  Term extent;
  int64_t coefficient;
} SampleUse;

typedef struct SampleTensor {
  const PointwiseTensor *view; /* NULL: a pointer that nothing is accessed through */
  TypeId element;
  bool is_float, is_bool;
  uint32_t bits;
  Array(SampleUse) uses;
  /* of the launch at hand */
  int64_t extent[POINTWISE_MAX_RANK], stride[POINTWISE_MAX_RANK];
  int64_t count;
  InterpretCell *before; /* contents before the launch */
} SampleTensor;

/* How the floats of a launch are drawn: the kernel may be undefined on some. */
typedef enum SampleDomain { SAMPLE_MIXED, SAMPLE_POSITIVE, SAMPLE_UNIT, SAMPLE_DOMAINS } SampleDomain;

typedef struct Sampler {
  Arena *arena;
  const Program *program;
  const Function *function;
  const Recovery *recovery;
  const Execution *ex;
  const Pointwise *pointwise;
  TermTable *tt;
  Random random;
  Array(SampleVariable) variables;
  Array(SampleTensor) tensors; /* one per pointer argument, in order */
  int64_t blocks[SAMPLE_MAX_BLOCKS];
  uint32_t block_count;
  int64_t lanes, few; /* of the widest access: all, and those that a sparse run computes */
  bool is_dense;      /* every lane is computed: some op needs them all */
  uint32_t smallness; /* 1: no size passes the head of a sparse axis; 2: no product of two does */
  bool ties;          /* values may coincide: every decision of the formulas is exact on small dyadic numbers */
  double *scalars;    /* by parameter */
  bool *is_known;     /* by condition that the kernel assumes: speaks of the launch alone */
  /* of the launch at hand */
  uint32_t trial;
  SampleDomain domain;
  bool dyadic;
  TermEval *eval;
  bool perturbed;     /* reads are off by a relative 1e-9: how well is the formula conditioned? */
  uint64_t noise;
  SampleWitness *recording; /* reads are listed here; NULL: not */
  uint64_t reads;
} Sampler;

#define SAMPLE_PERTURBATION 1e-9

/* sample_draw.c: what has to be chosen; once. false: `why` says what kind of argument is not drawn. */
bool sample_prepare(Sampler *s, const char **why);
/* Sizes, grid, strides and scalars of trial s->trial that meet the assumptions; false: none found. */
bool sample_draw_launch(Sampler *s);
/* Contents of every tensor, by s->domain. */
void sample_draw_data(Sampler *s);
/* `element` lies outside of `t`. An extent that nothing bounds is doubled until it lies inside: draw the contents again. */
typedef enum SampleGrowth { SAMPLE_FIXED, SAMPLE_GROWN, SAMPLE_TOO_LARGE } SampleGrowth;
SampleGrowth sample_grow(Sampler *s, const SampleTensor *t, int64_t element);
/* An evaluator with all symbols of the launch set. */
TermEval *sample_new_eval(Sampler *s);
int64_t sample_value(const Sampler *s, Term symbol);
/* Of the tensors written: the extent times stride makes no two elements meet. */
bool sample_is_injective(const SampleTensor *t);

#endif
