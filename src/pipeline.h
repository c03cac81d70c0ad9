/* The pipeline as one function: text to report. Every stage is one call; see pipeline.c. */
#ifndef ASSAY_PIPELINE_H
#define ASSAY_PIPELINE_H

#include "base/source.h"

typedef enum Verdict { VERDICT_NONE = 0, VERDICT_PROVED, VERDICT_REFUTED, VERDICT_BOUNDED, VERDICT_PROBABLE, VERDICT_UNKNOWN } Verdict;

/* Everything below is text as it will be shown; the report owns nothing outside its arena. Lists keep the order in
 * which they are printed. The JSON names of interface.md section 4 are the field names. */

typedef struct ReportReason { const char *code, *text; } ReportReason; /* code NULL: none */

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
  const char *form; /* "tensor", "pointwise", "opaque" */
  const char *pointwise;
  const char *text, *latex, *raw; /* in tensor form right sides: latex with its region, which text leaves to `region` */
  const char *latex_left; /* "y_{n} = "; empty where latex is a whole equation */
  const char *indices; /* "i, j": what the region speaks of */
  bool names_bits;     /* the formula calls random bits by name */
  const struct PointwiseOutput *whole; /* what `pointwise` and `text` are texts of */
  const struct TensorExpr *formula;    /* NULL in pointwise form */
} ReportOutput;

typedef struct ReportAssumption {
  const char *id, *kind, *text, *why, *limit; /* limit may be NULL */
} ReportAssumption;

typedef struct ReportPair { const char *name, *value; } ReportPair;

typedef struct ReportWitness {
  Array(ReportPair) sizes, scalars, strides, program, lane, index, inputs;
  const char *left, *right;
} ReportWitness;

typedef struct ReportObligation {
  const char *kind;
  Verdict verdict;
  const char *const *under; /* ids of assumptions */
  uint32_t under_count;
  const char *where, *tensor, *detail; /* where: "softmax.py:12"; tensor may be NULL */
  const ReportWitness *witness;        /* may be NULL */
} ReportObligation;

/* What `check` adds to the report on its left side. */
typedef struct ReportSide {
  const char *input, *kernel;
  const char *kind; /* "kernel", "formula", "reference" */
  Verdict verdict;  /* of its lift */
  Array(ReportPair) outputs; /* name, formula */
} ReportSide;

typedef struct ReportDifference {
  const char *kind; /* "value", "region", "shape", "dtype", "output" */
  const char *output, *text, *left, *right;
} ReportDifference;

typedef struct ReportCheck {
  ReportSide left, right;
  Array(ReportPair) pairs; /* inputs of both that are one: left, right */
  Array(ReportDifference) differences;
  uint32_t own_assumptions; /* those of the two sides come first, then what the comparison made */
} ReportCheck;

typedef struct Report {
  Arena *arena;
  int no_simplify; /* formulas as the code computes them */
  const char *input, *kernel;
  Verdict verdict, safety;
  const char *left_out; /* of a kernel: why it may be undefined where its formula is not; NULL: it is not */
  ReportReason reason;
  const ReportCheck *check; /* NULL: of a lift */
  Array(ReportTensor) inputs;
  Array(ReportOutput) outputs;
  Array(ReportAssumption) assumptions;
  Array(ReportObligation) obligations;
  Array(const char *) literals, roundings, opaque;
  const ReportWitness *witness;
  Array(ReportPair) stats;   /* counts, then times in ms; shown only with --stats */
  Array(const char *) steps; /* --explain: the steps with the rules used */
  struct Recovery *recovery; /* what the report was made from, for those that go on with it; NULL: nothing */
  const char *stage_text;    /* --stop-after: that stage in its own notation */
  Array(ReportPair) emitted; /* --emit: target name, text */
} Report;

/* Expressions of interface.md section 5 arrive as text and are parsed by the pipeline. */
typedef struct NamedText { const char *name, *text; int is_used; } NamedText; /* is_used: an argument of that name was met */
typedef struct NamedTexts { const char *name; uint32_t count; const char *const *texts; int is_used; } NamedTexts;

typedef struct LaunchArg {
  const char *param;  /* name in the kernel, or argN */
  const char *tensor; /* name of the operation's tensor, or NULL */
  const char *offset; /* element offset expression of a pointer, or NULL */
  const char *scalar; /* expression of a scalar, or NULL */
  const struct OperationTensor *slice; /* the part of the tensor that is given, from `offset` on; NULL: it is not known */
} LaunchArg;

typedef struct OperationTensor {
  const char *name, *dtype;
  uint32_t rank;
  const char *const *shape, *const *strides; /* strides NULL: row-major */
  int temporary;
  int own_shape, own_strides; /* not given: as the kernel goes along the tensor */
  Source *source; /* where it is declared; NULL: in no operation file */
  Span span;
} OperationTensor;

typedef struct Launch {
  const char *file, *kernel; /* kernel NULL: the only public function */
  Source *source;            /* of `file`, read by the front end */
  struct Program *program;   /* `source` as the front end has read it (once for many kernels); NULL: not read yet */
  uint32_t grid_count;
  const char *const *grid;
  Array(LaunchArg) args;
  int is_repeated;   /* the next launch of the operation is this one again */
  Array(const char *) results; /* tensors that it is given, and an earlier launch of the operation writes: their contents are no inputs */
  Array(const char *) shared; /* tensors that it writes, and another launch of the operation does as well */
  Array(const char *) others; /* conditions that the arguments of the other launches meet */
  int is_grid_given; /* by --grid: its numbers are the grid, and no sample */
  const char *grid_why[3]; /* of a grid that was found for the shapes that were given: an assumption; NULL: the user's */
  int is_sample; /* numbers come from a real launch: a sample, not constants (semantics.md section 2) */
} Launch;

typedef struct Operation {
  const char *name;
  Array(OperationTensor) tensors;
  Array(Launch) launches; /* at least one */
  int has_tensors;        /* an operation file was given: names are its names */
} Operation;

typedef struct Options {
  Array(NamedTexts) shapes, strides;      /* --shape T=E,E  --strides T=E,E */
  Array(NamedText) sets;                  /* --set NAME=VALUE */
  Array(NamedText) aliases;               /* --alias A=B */
  Array(const char *) assumes;            /* --assume EXPR */
  uint32_t own_assumes;                   /* the last of these are the kernel's: tt.divisibility of its arguments */
  Array(NamedText) assume_names;          /* each name in them, with the EXPR */
  Array(NamedText) maps;                  /* --map L=R */
  int both_ways;                          /* --both-ways */
  Array(const char *) strict, allow;      /* KIND, KIND[@LINE] */
  Array(const char *) emits;              /* --emit NAME */
  const char *stop_after;                 /* "program", "pointwise", "tensor", or NULL */
  const char *engine, *invariant;         /* NULL: auto */
  int no_top_down, no_prune, no_prove, no_simplify, explain, stats;
  const char *explain_stage;
  Text *arguments;                        /* of the kernels that were lifted, for those who look for a name */
} Options;

/* Lifts one operation. Diagnostics mean bad input (exit 3). Never returns half a report: limits arrive at the guard
 * of `arena`. Progress is reported through `options`-independent callbacks of the API layer. */
Report *pipeline_lift(Arena *arena, const Operation *operation, const Options *options, DiagnosticList *diagnostics);

/* After all kernels were lifted: usage errors for names of --set and --alias that none has. */
void pipeline_check_names(const Options *options, DiagnosticList *diagnostics);

const char *verdict_name(Verdict verdict);

#endif
