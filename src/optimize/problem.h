/* What is searched for: the outputs as operations over arrays with named axes.
 *
 * An axis class is an axis of the iteration space of the formula: axes that elementwise operations, contractions and
 * repeated uses of one tensor tie together are one class, so that a map of a tile is "which classes are cut, and by
 * what". Arrays have a set of classes and no order of axes; transposes, broadcasts and axes of length 1 vanish. */
#ifndef ASSAY_OPTIMIZE_PROBLEM_H
#define ASSAY_OPTIMIZE_PROBLEM_H

#include "lift/pointwise.h"
#include "tensor/tensor.h"

enum { PROBLEM_MAX_CLASSES = 12, PROBLEM_NONE = 255 };

typedef uint32_t ClassSet;

typedef enum ProblemOp {
#define PROBLEM_OP(id, text, arity, form) PROBLEM_##id,
#include "optimize/ops.def"
#undef PROBLEM_OP
  PROBLEM_OP_COUNT
} ProblemOp;

typedef struct ProblemNode {
  ProblemOp op;
  uint32_t args[3];
  uint32_t detail; /* FN, THREAD: which function; POW: which constant; of INPUT: the occurrence */
  uint8_t axis;    /* SUM, REDUCE_MAX, REDUCE_MIN: the class; INDEX too */
  Term value;      /* CONST */
  ClassSet classes;
} ProblemNode;

/* A use of a tensor: the class of each axis, PROBLEM_NONE for an axis of length 1. */
typedef struct ProblemUse {
  uint32_t tensor; /* in the pointwise form */
  uint8_t rank, axes[POINTWISE_MAX_RANK];
  Term start[POINTWISE_MAX_RANK]; /* of the part of an axis that is used; 0: all of it */
} ProblemUse;

/* Functions of one value that are written as one: a name and constants, or a term. */
typedef struct ProblemFunction {
  const char *open, *close; /* text before and after the argument */
} ProblemFunction;

/* A tensor of other axes with the same elements in the same order: what reshapes of the formula make of it. The search
 * knows only the view. */
typedef struct ProblemView {
  uint32_t tensor, of; /* in the pointwise form of the problem */
} ProblemView;

typedef struct ProblemOutput {
  uint32_t tensor, node;
  uint8_t rank, axes[POINTWISE_MAX_RANK];
} ProblemOutput;

typedef struct Problem {
  Arena *arena;
  TermTable *tt;
  const Pointwise *pointwise; /* of the formula, then views */
  Array(ProblemView) views;
  uint32_t class_count;
  Term length[PROBLEM_MAX_CLASSES];
  Array(ProblemNode) nodes; /* arguments before their uses; equal nodes are one */
  Array(ProblemUse) uses;
  Array(ProblemFunction) functions;
  Array(ProblemOutput) outputs;
  uint8_t parts;           /* class of the parts that the loop's class is cut into (kernels.h), or PROBLEM_NONE */
  int64_t part;            /* elements of one of them; 0: they are read, not made */
  bool adds;               /* blocks of all parts add to what is written */
  uint32_t bound;          /* tensors from this one on are values of the block (passes.h); 0: none */
  const char *unsupported; /* why nothing is searched, or NULL */
} Problem;

/* Without concatenations, and with slices of tensors alone, where that can be (pieces.c). */
const TensorExpr *problem_pieces(TermTable *tt, const TensorExpr *e);
/* From outputs in tensor form. */
Problem *problem_new(Arena *arena, const Pointwise *pointwise);
/* What `outputs` need, over the tensors of `pointwise`; nodes of `cuts` are inputs there. */
Problem *problem_part(const Problem *p, const Pointwise *pointwise, uint32_t count, const ProblemOutput *outputs,
                      uint32_t cut_count, const ProblemOutput *cuts);
/* A tensor of p's with the same elements in other axes, an old one if there is one. */
uint32_t problem_view(Problem *p, uint32_t tensor, uint32_t rank, const Term *extent);
/* Axes of the outputs that stand together everywhere become one, while there are more than a grid has (unite.c). */
void problem_unite(Problem *p);
/* Chains of functions of one value become one function. */
void problem_fuse(Problem *p);
const char *problem_op_text(ProblemOp op);
uint32_t problem_op_arity(ProblemOp op);

#endif
