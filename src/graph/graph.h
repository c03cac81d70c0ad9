/* Graphs of kernels: how a program is spread over kernels, blocks and loops (docs/graph.md).
 *
 * A graph is a list of kernels over declared tensors. A kernel is one whole-tensor operation, or a block graph: a grid
 * of blocks that each load tiles, compute on them, accumulate over the iterations of loops, and save tiles. Iterators
 * (the dimensions of the grid and the loops) cut axes into tiles; the last tile of an axis is as long as what is left,
 * so that a graph has a meaning for every size. What stands in expressions are tensor expressions (tensor/tensor.h)
 * over leaves: a tile that was loaded and an accumulator are inputs of their own, with a symbol each, whose definitions
 * are terms.
 *
 * The meaning of a graph is a pointwise form over its tensors, as that of a kernel or a formula is. */
#ifndef ASSAY_GRAPH_GRAPH_H
#define ASSAY_GRAPH_GRAPH_H

#include "lift/pointwise.h"
#include "read/formula/formula.h"
#include "tensor/tensor.h"

#define GRAPH_NONE UINT32_MAX /* too large for an enumerator */
enum { GRAPH_MAX_GRID = 3, GRAPH_MAX_CUTS = 4 };

typedef struct GraphIterator {
  const char *name;
  bool is_loop;
  uint32_t parent;    /* the iterator whose tile it cuts; GRAPH_NONE: a whole axis */
  Term range, tile;   /* elements that are cut, and of one tile; tile 0: it cuts any axis into `count` equal parts */
  Term count, symbol; /* symbol: the number of the tile at hand, from 0 */
  const TensorExpr *positions; /* what its name stands for in expressions; NULL: nothing */
} GraphIterator;

/* One axis of a tile: which iterators cut it, outermost first. No iterator: the whole axis, or the whole part. */
typedef struct GraphAxis {
  Term first, length; /* of the part that is cut; length 0: all of the axis */
  uint32_t count, iterator[GRAPH_MAX_CUTS];
  Term tile[GRAPH_MAX_CUTS];
  bool is_id;         /* one element: the number of the tile */
  Term start, extent; /* of the tile at hand */
} GraphAxis;

typedef enum GraphStatementKind {
  GRAPH_LOAD,
  GRAPH_LET,
  GRAPH_ACCUMULATE,
  GRAPH_SAVE,
  GRAPH_LOOP,
  GRAPH_END
} GraphStatementKind;

typedef enum GraphAccumulator { GRAPH_SUM, GRAPH_MAX, GRAPH_MIN, GRAPH_CONCAT } GraphAccumulator;

typedef struct GraphStatement {
  GraphStatementKind kind;
  const char *name;
  Span span;
  uint32_t tensor; /* LOAD, SAVE */
  GraphAxis axes[POINTWISE_MAX_RANK];
  uint32_t loop; /* LOOP, END: its iterator; others: the loop around, or GRAPH_NONE */
  GraphAccumulator accumulator;
  uint8_t axis;                     /* CONCAT */
  bool adds;                        /* SAVE: to what is there, the tiles of all blocks of one place are summed */
  uint32_t thread;                  /* LET, SAVE: the thread graph of the kernel that it stands in, from 1; 0: none */
  uint32_t maximum;                 /* ACCUMULATE of a sum that is rescaled: the statement of the running maximum */
  const TensorExpr *value;          /* LET, ACCUMULATE, SAVE */
  const TensorExpr *leaf, *running; /* LOAD, ACCUMULATE: what the name stands for; within the loop of the accumulator */
} GraphStatement;

typedef struct GraphKernel {
  const char *name;
  Span span;
  bool is_block;
  Array(GraphIterator) iterators; /* the grid first */
  uint32_t grid;                  /* how many of them are of the grid */
  uint32_t steps;                 /* that the table had made before it (TermTable.made) */
  Array(GraphStatement) body;     /* of a whole-tensor operation: one SAVE without axes */
} GraphKernel;

/* What a symbol of a leaf is: its element at `index`. */
typedef struct GraphDefinition {
  Term symbol, index[POINTWISE_MAX_RANK], value;
  uint32_t rank;
} GraphDefinition;

typedef struct GraphTensor {
  const TensorExpr *leaf; /* of the tensor as a whole */
  bool is_temporary, is_written;
  uint32_t writer;                   /* kernel */
  uint8_t order[POINTWISE_MAX_RANK]; /* of a temporary tensor: its axes in memory, the outermost first */
} GraphTensor;

typedef struct Graph {
  const char *name;
  Pointwise *pointwise; /* tensors, sizes and scalars; outputs of those that are written and not temporary */
  Pointwise *declared;  /* with the temporary tensors, which stand in no pointwise form */
  FormulaAssumptions assumed;
  Array(GraphTensor) tensors; /* as in `declared` */
  Array(GraphKernel) kernels;
  Array(GraphDefinition) definitions;
} Graph;

/* True if the text begins as a graph does. */
bool graph_is_one(const Source *source);
/* NULL after diagnostics. */
Graph *graph_read(Arena *arena, TermTable *tt, const Source *source, DiagnosticList *diagnostics);

/* True if rows lie in memory one behind the other. */
bool graph_is_row_major(const Graph *graph, uint32_t tensor);
/* The tensor whose elements the kernel gives other axes, and nothing else; GRAPH_NONE: it does more. */
uint32_t graph_view_of(const Graph *graph, const GraphKernel *kernel);
/* The first kernel whose blocks add to the tensor, which begins as 0; GRAPH_NONE: none does. */
uint32_t graph_first_adder(const Graph *graph, uint32_t tensor);

/* ---- chosen.c ---- */
/* NULL, or why statement `at` of the kernel cannot stand in the thread graph that begins with statement `first`. */
const char *graph_check_thread(const Graph *graph, const GraphKernel *kernel, uint32_t first, uint32_t at);
/* The text of a graph without them, with a layout for each temporary tensor and with thread graphs. */
const char *graph_chosen_text(Arena *arena, const Graph *graph, const Source *source);

/* ---- meaning.c ---- */
/* Cuts an axis of that length as the iterators of `axis` say: fills tile, start and extent. NULL, or why it cannot. */
const char *graph_cut_axis(Graph *graph, const GraphKernel *kernel, GraphAxis *axis, Term length);
/* The element of an expression at `index`, with the leaves replaced by what they are. 0: it has none. */
Term graph_element(Graph *graph, const TensorExpr *e, const Term *index);
Term graph_resolve(Graph *graph, Term t);
void graph_define_load(Graph *graph, GraphStatement *s);
/* NULL, or why the accumulator has no meaning. */
const char *graph_define_accumulator(Graph *graph, GraphKernel *kernel, GraphStatement *s);
const char *graph_define_save(Graph *graph, GraphKernel *kernel, GraphStatement *s);
/* The pointwise form of what is defined. */
void graph_finish(Graph *graph);

#endif
