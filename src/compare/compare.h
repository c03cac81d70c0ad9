/* Tells whether two sides compute the same. Both are outputs given element by element, over one table of terms.
 *
 * A pair of outputs is equal if the shapes are, if the same elements are written, and if the values are equal there,
 * for all sizes and inputs that meet the assumptions. First random evaluation looks for an element where they differ:
 * that is a refutation, with a witness. Then the prover is asked (prove/equal.h); then once more with constants that
 * are within 2 ulp of one another taken as one, which is an assumption. */
#ifndef ASSAY_COMPARE_COMPARE_H
#define ASSAY_COMPARE_COMPARE_H

#include "lift/recover.h"
#include "report/types.h"
#include "prove/equal.h"
#include "tensor/tensor.h"

typedef struct CompareOutput {
  const char *name, *dtype; /* dtype NULL: not known */
  uint32_t rank;
  Term shape[POINTWISE_MAX_RANK];
  Term index[POINTWISE_MAX_RANK]; /* symbols with their range */
  Term region, value;             /* value 0: there is no one term */
  const TensorExpr *expression;   /* what the value was made from, or NULL */
  uint32_t place;                 /* among the arguments of its kernel, or the results of its reference */
  TermList known;                 /* what is true wherever the value is defined; nothing is claimed elsewhere */
  TermList defined;               /* where all of these hold, the value is defined */
  const char *argument;           /* the tensor whose memory it is, which a reference changes in place; or NULL */
  bool is_left_in_argument;       /* it is what that holds in the end, and not what is returned */
  double
      whole_limit; /* of the magnitude of integers that the expression computes, by an assumption; 0: there is none */
} CompareOutput;

typedef Array(CompareOutput) CompareOutputs;

typedef struct ConstantReading { /* what numbers are taken as, and the least and greatest of them */
  Rational as;
  double least, most;
} ConstantReading;

typedef Array(ConstantReading) ConstantReadings;

typedef struct ComparePrecondition {
  Term condition;
  int side; /* 0: the left */
} ComparePrecondition;

typedef struct CompareAssumptions {
  Array(Term) conditions;                   /* over sizes and scalars: what launches meet */
  Array(ComparePrecondition) preconditions; /* those of them that the code of a side needs and does not check */
  Array(ReportAssumption) made;             /* by the comparison; ids are given later */
  Array(Term) arithmetic;       /* that it does not wrap: over contents too, so that it is asked of witnesses alone */
  bool has_more_arithmetic;     /* that no term says: witnesses are of small numbers, then */
  ConstantReadings taken;       /* of which `made` tells, to be kept where a value is changed again */
  Array(PointwiseTensor) apart; /* outputs that have a place for each element, by their strides */
} CompareAssumptions;

typedef enum CompareDifference { COMPARE_SAME, COMPARE_SHAPE, COMPARE_REGION, COMPARE_VALUE } CompareDifference;

typedef struct CompareResult {
  Verdict verdict; /* proved, refuted, probable, unknown */
  CompareDifference difference;
  bool has_no_launch;       /* none was found that meets the assumptions */
  bool keeps_old;           /* what is not written was compared as well, by the old contents */
  const char *text;         /* one sentence */
  const char *left, *right; /* what differs */
  const ReportWitness *witness;
  EqualEngine engine; /* that proved it */
  const char *steps;  /* of an explanation, a line each; NULL: none */
} CompareResult;

/* The widest format that literals may have. */
typedef enum CompareFormat { COMPARE_F32, COMPARE_F64 } CompareFormat;

/* What the evaluation needs to know of tensors: element type and extents. */
typedef struct CompareTensors {
  CompareFormat format;
  uint32_t count;
  const PointwiseTensor *data;
  uint32_t most_reads; /* elements that one launch of random evaluation reads at most; 0: the default */
  bool has_functions;  /* opaque functions are any of their arguments, and not known ones that are not executed */
} CompareTensors;

/* The left with 0 for what it reads outside of a tensor, where places are read from memory (places.c). */
Term compare_checked_places(TermTable *tt, const CompareTensors *tensors, Term left);
/* `right` has the left's rank; its index symbols are replaced by the left's. */
CompareResult compare_outputs(Arena *arena, TermTable *tt, const CompareTensors *tensors, const CompareOutput *left,
                              CompareOutput *right, CompareAssumptions *assumptions);

/* True if a number of programs stands in it. */
bool compare_is_of_grid(TermTable *tt, Term t);
/* What says that the programs reach the end of an axis: `n <= 8*grid_x` of min(n, 8*grid_x). */
TermList compare_reaches(Arena *arena, TermTable *tt, Term value);

/* ---- random evaluation (evaluate.c) ---- */
typedef struct CompareSample {
  bool differs;
  CompareDifference difference;
  uint32_t drawn;              /* launches that meet the assumptions */
  uint32_t launches, elements; /* that were compared */
  double worst;
  int64_t unreached; /* a literal that may be a block, of which no size was more than two; 0: none */
  const char *left, *right;
  const ReportWitness *witness;
} CompareSample;
CompareSample compare_sample(Arena *arena, TermTable *tt, const CompareTensors *tensors, const CompareOutput *left,
                             const CompareOutput *right, const CompareAssumptions *assumptions);
/* At sizes of several blocks that are too large for compare_sample, whose cost is to be the same for each size. */
CompareSample compare_large_blocks(Arena *arena, TermTable *tt, const CompareTensors *tensors,
                                   const CompareOutput *left, const CompareOutput *right,
                                   const CompareAssumptions *assumptions);

/* ---- constants (constants.c) ---- */
/* Both terms with numbers that are within 2 ulp of each other, or of a fraction of small integers, made one, outside of
 * step functions and comparisons; what was taken for what becomes assumptions. */
void compare_unify_constants(Arena *arena, TermTable *tt, CompareFormat format, Term *left, Term *right,
                             CompareAssumptions *assumptions);

#endif
