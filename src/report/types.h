/* What is reported, as texts: the fields of the JSON object (interface.md, section 4). */
#ifndef ASSAY_REPORT_TYPES_H
#define ASSAY_REPORT_TYPES_H

#include "base/array.h"
#include "base/kinds.h"
#include "base/source.h"
#include "base/verdict.h"

/* Everything below is text as it will be shown; the report owns nothing outside its arena. Lists keep the order in
 * which they are printed. The JSON names of interface.md section 4 are the field names. */

typedef struct ReportReason {
  ReasonCode code;
  const char *text;
} ReportReason;

typedef struct ReportTensor {
  const char *name, *kind; /* kind: "tensor" or "scalar" */
  const char *dtype;       /* "f32", "i64", ... */
  uint32_t rank;
  const char *const *shape, *const *strides; /* rank texts each */
} ReportTensor;

typedef struct ReportOutput {
  ReportTensor tensor;
  const char *region;
  Verdict verdict;
  const char *form;               /* "tensor", "pointwise", "opaque" */
  const char *pointwise;          /* lines `let t1(k) = ..` before it name its parts where it would be cut as a whole */
  const char *line;               /* its last line; NULL: it is one */
  const char *text, *latex, *raw; /* in tensor form right sides: latex with its region, which text leaves to `region` */
  const char *named;              /* the formula in names of layers; NULL: it has none */
  const char *latex_left;         /* "y_{n} = "; empty where latex is a whole equation */
  const char *indices;            /* "i, j": what the region speaks of */
  bool names_bits;                /* the formula calls random bits by name */
  const struct PointwiseOutput *whole; /* what `pointwise` and `text` are texts of */
  const struct TensorExpr *formula;    /* NULL in pointwise form */
} ReportOutput;

typedef struct ReportAssumption {
  const char *id;
  AssumptionKind kind;
  const char *text, *why, *limit; /* limit may be NULL */
} ReportAssumption;

typedef struct ReportPair {
  const char *name, *value;
} ReportPair;

typedef struct ReportWitness {
  Array(ReportPair) sizes, scalars, strides, program, lane, index, inputs;
  const char *left, *right;
} ReportWitness;

typedef struct ReportObligation {
  ObligationKind kind;
  Verdict verdict;
  const char *const *under; /* ids of assumptions */
  uint32_t under_count;
  const char *where, *tensor, *detail; /* where: "softmax.py:12"; tensor may be NULL */
  const ReportWitness *witness;        /* may be NULL */
  bool is_of_inputs; /* undefined: an operator outside of its domain on inputs as they stand, and nothing else */
  bool may_leave;    /* bounds: an extent is no plain size, or an index is read from memory */
} ReportObligation;

typedef struct ReportSideOutput {
  const char *name, *formula;
  bool is_line; /* the formula begins with what it is of: y[i, j] = .. */
} ReportSideOutput;

/* What `check` adds to the report on its left side. */
typedef struct ReportSide {
  const char *input, *kernel;
  const char *kind; /* "kernel", "formula", "reference" */
  Verdict verdict;  /* of its lift */
  Array(ReportSideOutput) outputs;
} ReportSide;

typedef struct ReportDifference {
  const char *kind; /* "value", "region", "shape", "dtype", "output" */
  const char *output, *text, *left, *right;
} ReportDifference;

/* A pair of MLIR functions. */
typedef struct ReportFunction {
  const char *name;
  Verdict verdict;
  ReportReason reason;
} ReportFunction;

typedef struct ReportCheck {
  ReportSide left, right;
  Array(ReportPair) pairs; /* inputs of both that are one: left, right */
  Array(ReportDifference) differences;
  Array(const char *) only;        /* outputs that the claim is restricted to; none: all */
  Array(ReportFunction) functions; /* MLIR: each pair */
  Array(const char *) trace;       /* MLIR: the operations that first differ, at the witness */
  uint32_t own_assumptions;        /* those of the two sides come first, then what the comparison made */
} ReportCheck;

/* What `optimize` lists. */
typedef struct ReportCandidate {
  uint32_t rank, kernels, launches;
  const char *graph;
  double bytes, flops, seconds;
  const char *summary; /* what it is made of, for the line of the table */
  bool is_input;       /* the formula as it stands */
  Verdict verdict;
  Array(ReportAssumption) assumptions;
  Array(const char *) files;
} ReportCandidate;

typedef struct Report {
  Arena *arena;
  int no_simplify;   /* formulas as the code computes them */
  NameList no_laws;  /* that are not used */
  bool explains;     /* steps are wanted */
  bool is_not_found; /* a search was asked for, and there is an output of which it found no formula */
  const char *input, *kernel;
  const char *signature; /* of the function in its source (program.h); NULL: not known */
  Verdict verdict, safety;
  const char *undefined_where; /* of a kernel: why it may be undefined where its formula is not; NULL: it is not */
  const char *other_view;      /* as in Claim */
  bool is_longer_view;
  ReportReason reason;
  const ReportCheck *check; /* NULL: of a lift */
  Array(ReportTensor) inputs;
  Array(ReportOutput) outputs;
  Array(ReportAssumption) assumptions;
  Array(ReportObligation) obligations;
  Array(const char *) literals, roundings, opaque;
  const ReportWitness *witness;
  Array(ReportPair) stats;       /* counts, then times in ms; shown only with --stats */
  Array(const char *) steps;     /* --explain: the steps with the rules used */
  struct Claim *claim;           /* what the report was made from, for those that go on with it; NULL: nothing */
  struct Claim *const *launches; /* of each launch by itself */
  uint32_t launch_count;
  const char *declarations;        /* of --stop-after tensor */
  const char *stage_text;          /* --stop-after: that stage in its own notation */
  Array(ReportPair) emitted;       /* --emit: target name, text; of `optimize`: file name, text */
  Array(const char *) not_emitted; /* why a target of --emit has no module, in words */
  bool is_optimized;               /* `candidates` counts */
  Array(ReportCandidate) candidates;
} Report;

#endif
