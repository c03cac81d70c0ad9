/* What the files of random evaluation share; nobody else includes it. */
#ifndef ASSAY_SAMPLE_SAMPLE_INTERNAL_H
#define ASSAY_SAMPLE_SAMPLE_INTERNAL_H

#include "base/random.h"
#include "sample/coverage.h"
#include "sample/sample.h"

enum { SAMPLE_MAX_BLOCKS = 6, SAMPLE_MOST_DENSE = 256, SAMPLE_MAX_COLUMNS = 8, SAMPLE_MAX_TAMENESS = 3 };

/* An integer that a launch must choose: argument, number of programs, or an extent that nothing bounds. */
typedef struct SampleVariable {
  Term symbol;
  int64_t value, constant, least; /* least: an extent that must grow, found by running */
  int64_t step;                   /* of a grid: the greatest number of programs that a region speaks of */
  int64_t group;                  /* of a grid: the greatest literal that formulas divide the number of programs by */
  int64_t scale;                  /* of an extent: ranges of so many elements each come from memory */
  bool is_argument, is_grid, is_part, is_stride, is_extent,
      is_constant; /* is_part: of a number of programs that is a product */
  bool is_indexed; /* an extent along which indices are read from memory */
} SampleVariable;

/* Elements `residue` modulo `modulus` of an integer tensor are part of an index: offset + coefficient * (v // divisor)
 * < extent. */
typedef struct SampleUse {
  Term extent, divisor; /* divisor 0: none */
  int64_t coefficient, offset, modulus, residue;
  bool is_place; /* of a store */
} SampleUse;

typedef struct SampleTensor {
  const PointwiseTensor *view; /* NULL: a pointer that nothing is accessed through */
  TypeId element;
  bool is_float, is_bool;
  bool is_unsigned; /* `before` has them without sign, as the formula does; memory has the bits */
  uint32_t bits;
  Array(SampleUse) uses;
  bool is_place, is_sequence,
      is_control;  /* decides where a store goes; holds the bounds of ranges; is read in an address, mask or value */
  int64_t columns; /* of a table whose columns have uses of their own */
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
  const Claim *recovery;
  const Effects *ex;
  const Pointwise *pointwise;
  TermTable *tt;
  Random random;
  Array(SampleVariable) variables;
  Array(SampleTensor) tensors; /* one per pointer argument, in order */
  int64_t blocks[SAMPLE_MAX_BLOCKS];
  uint32_t block_count;
  int64_t lanes, few; /* of the widest access: all, and those that a sparse run computes */
  bool is_dense;      /* every lane is computed: some op needs them all */
  bool is_wide;       /* sizes of several blocks: what few programs show nothing of */
  uint32_t smallness; /* 1: no size passes the head of a sparse axis; 2: no product of two does */
  bool ties;          /* values may coincide: every decision of the formulas is exact on small dyadic numbers */
  double *scalars;    /* by parameter */
  bool has_indices;   /* integers in memory decide what is accessed */
  bool is_wild;       /* some indices of the launch are of any value */
  uint32_t tameness; /* how much the contents of integer tensors keep to what they are for, up to SAMPLE_MAX_TAMENESS */
  uint64_t steps;    /* of a run, at most */
  bool is_limited;   /* a run was cut off */
  int64_t *most_trips;   /* by loop of the execution: iterations in the launches that were compared */
  Coverage coverage;     /* of the launches that were compared */
  uint32_t runs, races;  /* launches that were run to their end; of which two programs wrote one element */
  int64_t most_elements; /* of all tensors together */
  int64_t rows;          /* of extents that ranges from memory cover */
  bool *is_known;        /* by condition that the kernel assumes: speaks of the launch alone */
  /* of the launch at hand */
  uint32_t trial;
  bool before_proof, has_left; /* as in sample.h */
  bool is_long;                /* made for loops that end too early elsewhere */
  SampleDomain domain;
  bool dyadic;
  TermEval *eval;
  bool perturbed; /* reads are off by a relative 1e-9, to see how well the formula is conditioned */
  uint64_t noise;
  SampleWitness *recording; /* reads are listed here; NULL: not */
  uint64_t reads;
  uint64_t strayed; /* tensors of which a read of the formula had an index outside of its axis */
  uint64_t strays;  /* so at an element that was compared, in a launch whose indices in memory fit */
} Sampler;

#define SAMPLE_PERTURBATION 1e-9

/* sample_draw.c: what has to be chosen; once. false: `why` says what kind of argument is not drawn. */
bool sample_prepare(Sampler *s, const char **why);
/* Sizes, grid, strides and scalars of trial s->trial that meet the assumptions; false: none found. */
bool sample_draw_launch(Sampler *s);
void sample_set(Sampler *s, SampleVariable *v, int64_t value);
/* Moves variables to where the equations among the assumptions hold. */
void sample_solve(Sampler *s);
/* sample_loops.c: loops that no launch went through often enough, though a size could be raised; how often this one
 * did; its sizes raised until it does. */
bool sample_has_short_loop(const Sampler *s);
void sample_note_loops(Sampler *s);
void sample_lengthen_loops(Sampler *s);
/* Contents of every tensor, by s->domain. */
void sample_draw_data(Sampler *s);
/* What masks and addresses divide by counts as a block: `every 32nd` is not seen at sizes below 32. */
void sample_add_periods(Sampler *s);
/* sample_indices.c: what the integers of tensors are for; once. */
void sample_find_indices(Sampler *s);
/* Contents of an integer tensor. */
void sample_draw_integers(Sampler *s, SampleTensor *t);
/* An extent that nothing bounds. */
bool sample_is_free_extent(Sampler *s, Term extent);
/* `element` lies outside of `t`. An extent that nothing bounds is doubled until it lies inside: draw the contents
 * again. */
typedef enum SampleGrowth { SAMPLE_FIXED, SAMPLE_GROWN, SAMPLE_TOO_LARGE } SampleGrowth;
SampleGrowth sample_grow(Sampler *s, const SampleTensor *t, int64_t element);
/* An evaluator with all symbols of the launch set. */
TermEval *sample_new_eval(Sampler *s);
int64_t sample_value(const Sampler *s, Term symbol);
/* Of the tensors written: the extent times stride makes no two elements meet. */
bool sample_is_injective(const SampleTensor *t);

#endif
