/* What is asked for: launches with what is given to them, and the options of a command. Plain data, made by the front
 * end. */
#ifndef ASSAY_OPERATION_REQUEST_H
#define ASSAY_OPERATION_REQUEST_H

#include "base/kinds.h"
#include "base/source.h"
#include "operation/expression.h"

typedef struct NamedText {
  const char *name, *text;
  int is_used;
} NamedText; /* is_used: an argument of that name was met */
typedef struct NamedNumber {
  const char *name, *text; /* the text: for messages, and for nothing else */
  bool is_integer, is_truth, is_real;
  int64_t integer; /* a whole number, or 1 of true and 0 of false */
  double real;     /* finite */
  int is_used;
} NamedNumber;
typedef struct NamedExpressions {
  const char *name;
  uint32_t count;
  const Expr *const *expressions;
  int is_used;
} NamedExpressions;

typedef struct LaunchArg {
  const char *param;  /* name in the kernel, or argN */
  const char *tensor; /* name of the operation's tensor, or NULL */
  const Expr *offset; /* element offset expression of a pointer, or NULL */
  const Expr *scalar; /* expression of a scalar, or NULL */
  const struct OperationTensor
      *slice; /* the part of the tensor that is given, from `offset` on; NULL: it is not known */
} LaunchArg;

typedef struct OperationTensor {
  const char *name, *dtype;
  uint32_t rank;
  const Expr *const *shape, *const *strides; /* strides NULL: row-major */
  int temporary;
  int own_shape, own_strides; /* not given: as the kernel goes along the tensor */
  Source *source;             /* where it is declared; NULL: in no operation file */
  Span span;
} OperationTensor;

typedef struct Launch {
  const char *file, *kernel; /* kernel NULL: the only public function */
  Source *source;            /* of `file`, read by the front end */
  struct Program *program;   /* `source` as the front end has read it (once for many kernels); NULL: not read yet */
  uint32_t grid_count;
  const Expr *const *grid;
  Array(LaunchArg) args;
  int is_repeated;             /* the next launch of the operation is this one again */
  Array(const char *) results; /* tensors that it is given, and an earlier launch of the operation writes: their
                                  contents are no inputs */
  Array(const char *) shared;  /* tensors that it writes, and another launch of the operation does as well */
  Array(const Expr *) others;  /* conditions that the arguments of the other launches meet */
  int is_grid_given;           /* by --grid: its numbers are the grid, and no sample */
  const char
      *grid_why[3]; /* of a grid that was found for the shapes that were given: an assumption; NULL: the user's */
  int is_sample;    /* numbers come from a real launch: a sample, not constants (semantics.md section 2) */
} Launch;

typedef struct Operation {
  const char *name;
  Array(OperationTensor) tensors;
  Array(Launch) launches; /* at least one */
  int has_tensors;        /* an operation file was given: names are its names */
} Operation;

typedef struct AllowedKind {
  ObligationKind kind;
  const char *line; /* its digits; NULL: everywhere */
} AllowedKind;

typedef struct Options {
  Array(NamedExpressions) shapes, strides;  /* --shape T=E,E  --strides T=E,E */
  Array(NamedNumber) sets;                  /* --set NAME=VALUE */
  Array(NamedText) aliases;                 /* --alias A=B */
  Array(const Expr *) assumes;              /* --assume EXPR */
  uint32_t own_assumes;                     /* the last of these are the kernel's: tt.divisibility of its arguments */
  const char *own_why;                      /* of these, if they are not that; or NULL */
  Array(NamedText) assume_names;            /* each name in them, with the EXPR */
  Array(NamedText) maps;                    /* --map L=R */
  Array(const char *) only;                 /* --only NAME: of outputs */
  int both_ways;                            /* --both-ways */
  const char *floats;                       /* --floats of MLIR; NULL: abstract */
  int reassociate, negative_zero, distinct; /* of MLIR */
  Array(NamedText) result_dims;             /* --result-dims F@I,I of MLIR: the name F, the text I,I */
  bool strict[OBLIGATION_KIND_COUNT];       /* --strict KIND */
  Array(AllowedKind) allow;                 /* --allow KIND[@LINE] */
  Array(const char *) emits;                /* --emit NAME */
  const char *stop_after;                   /* "program", "effects", "pointwise", "tensor", or NULL */
  const char *engine, *invariant;           /* NULL: auto */
  int no_top_down, no_prune, no_prove, no_simplify, explain, stats;
  const char *explain_stage;
  NameList no_laws; /* --no-law NAME */
  /* of optimize */
  const char *target; /* NULL: sm_80 */
  uint32_t top, max_kernel_ops, max_block_ops, jobs;
  int no_expressions, no_canonical, no_fingerprints, unproved;
  uint32_t shard, shards;      /* 0 shards: the whole search */
  Array(const Source *) parts; /* of a search, to be merged */
  uint32_t most_reads;         /* of random evaluation, for those who compare many (compare.h) */
  Text *arguments;             /* of the kernels that were lifted, for those who look for a name */
} Options;

/* One side of `assay check`. */
typedef enum CheckKind { CHECK_OPERATION, CHECK_FORMULA, CHECK_REFERENCE } CheckKind;

typedef struct CheckInput {
  CheckKind kind;
  const char *name;           /* to be shown */
  const Operation *operation; /* OPERATION */
  Source *source;             /* FORMULA, REFERENCE */
  const char *function;       /* REFERENCE */
} CheckInput;

#endif
