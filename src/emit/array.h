/* Array programs: what NumPy, PyTorch and their relatives have in common.
 *
 * A program is a DAG of whole-array operations. Nodes are numbered by value: the same operation on the same nodes is
 * one node, whichever index symbols its axes came from; so exp(x[i,k] - max_k x[i,k]) under a sum over k and the same
 * expression at an output index j are computed once. A node without `is_array` is a Python number.
 *
 * A node that depends on the index of a loop carries the loop's bit; it is computed inside that loop. */
#ifndef ASSAY_EMIT_ARRAY_H
#define ASSAY_EMIT_ARRAY_H

#include "emit/emit.h"

typedef uint32_t Node; /* 0: none */

typedef enum ArrayOp {
#define ARRAY(op) ARRAY_##op,
#include "emit/array.def"
#undef ARRAY
  ARRAY_OP_COUNT
} ArrayOp;

enum { ARRAY_FUNCTION = 0x40000000 };
enum { EXTREME_LARGEST = 1, EXTREME_OF_NONE = 2 }; /* aux of EXTREME: of none, the array may have no element */

typedef struct ArrayNode {
  ArrayOp op;
  TermSort sort;
  bool is_array, is_view; /* is_view: may share memory with an input */
  bool is_exact;          /* of Python's own integers, which an array of no axes does not stay */
  uint8_t rank;
  uint32_t aux, first, count;
  const char *text;     /* name, number, template; "" if none */
  const char *hint;     /* a name for a variable that holds it */
  Term term;            /* of a NAME: the symbol; of a CALL: ARRAY_FUNCTION | Name */
  uint64_t loops;       /* loops whose index it depends on */
  uint32_t uses;        /* of nodes reachable from the roots */
  uint64_t user_loops;  /* loops that all its users are in */
  const char *variable; /* once it has one */
} ArrayNode;

typedef struct ArrayLoop {
  const char *name;     /* of the variable, while printing */
  const char *state[8]; /* of a recurrence, likewise */
} ArrayLoop;

typedef struct ArrayProgram {
  Arena *arena;
  Array(ArrayNode) nodes;
  Array(Node) args;
  Array(ArrayLoop) loops;
  Array(uint32_t) slots;
} ArrayProgram;

/* What a new node is made of; `hint`, `rank` and `is_view` do not tell nodes apart. */
typedef struct ArrayMake {
  ArrayOp op;
  TermSort sort;
  bool is_array, is_view;
  uint8_t rank;
  uint32_t aux;
  const char *text, *hint;
  Term term;
} ArrayMake;

void array_program_init(ArrayProgram *program, Arena *arena);
Node array_node(ArrayProgram *program, ArrayMake make, uint32_t count, const Node *args);
static inline ArrayNode *array_at(const ArrayProgram *program, Node n) { return &program->nodes.data[n]; }
static inline Node array_arg(const ArrayProgram *program, Node n, uint32_t i) {
  return program->args.data[program->nodes.data[n].first + i];
}

/* ---- lower.c ---- */

typedef struct LoweredOutput {
  const PointwiseTensor *tensor;
  Node value;     /* rank of the tensor, or fewer axes that broadcast to it */
  Node shape;     /* SHAPE */
  bool is_whole;  /* no old contents are needed */
  bool is_opaque; /* no value can be computed */
} LoweredOutput;

typedef struct Lowered {
  ArrayProgram program;
  Array(LoweredOutput) outputs;
} Lowered;

/* What the target has: products of matrices of integers; no operations of integers with reals; division of arrays of
 * integers that truncates. */
typedef struct LowerTarget {
  bool multiplies_integers, is_strict, truncates;
} LowerTarget;
Lowered *lower_pointwise(const Pointwise *p, LowerTarget target);
/* An integer term over sizes. */
Node lower_size(Lowered *lowered, const Pointwise *p, Term t);

#endif
