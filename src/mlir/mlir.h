/* Execution of MLIR functions over tensors and scalars, on symbols.
 *
 * A scalar is a pair of terms, value and poison; a tensor is such a pair over index symbols, with an extent for each
 * dimension. Integers hold the signed value, i1 is a Bool, index has 64 bits. Undefined behaviour is one condition,
 * the disjunction over all operations that were executed, each under the path to it.
 *
 * Floats (abstract) are integers to the engine: their own bit patterns, all NaNs being one, and operations on them are
 * opaque functions of integers (floats.h). A term of sort Real never occurs, so no law of the reals can apply.
 *
 * Nothing is assumed: extents may be 0, reads are arbitrary. What an operation leaves undefined is what MLIR says now:
 * poison for values, undefined behaviour for accesses outside, shapes that do not fit and division by 0. */
#ifndef ASSAY_MLIR_MLIR_H
#define ASSAY_MLIR_MLIR_H

#include "base/kinds.h"
#include "program/program.h"
#include "term/term.h"

enum { MLIR_RANK = TYPE_MAX_RANK };
#define MLIR_LOCAL ((int64_t)1 << 40)

typedef struct Cell {
  Term value, poison;
} Cell;

typedef enum MlirKind { MLIR_NONE, MLIR_SCALAR, MLIR_TENSOR, MLIR_MEMREF } MlirKind;

/* Places of a block that an access may reach; end 0: not known. */
typedef struct MlirRegion {
  Term block, begin, end;
} MlirRegion;

/* A memref has no cell: its element is what memory holds at offset + sum of index * stride of the block. */
typedef struct MlirValue {
  MlirKind kind;
  TypeId element; /* of the program that it belongs to */
  uint32_t rank;
  Term extent[MLIR_RANK], index[MLIR_RANK];
  Cell cell; /* over the index symbols */
  Term block, offset, stride[MLIR_RANK];
  Term base; /* the place of the block from which its offset counts, as a type says it; 0: not known */
  MlirRegion region;
  bool is_any_layout; /* offset and strides are one choice among others, as nobody asks for them */
  bool is_loose;      /* it may reach beyond what it was made of */
  uint32_t lanes;     /* how many of the innermost dimensions of a memref are those of vectors that are its elements */
  uint32_t argument;  /* 1 + number of the argument whose memory it is a view of; 0: of none */
} MlirValue;

typedef struct MlirShared {
  Name type;
  Term memory;
  const Type *element;
  bool is_outside; /* of an argument, or a global */
} MlirShared;

/* What a pair of functions shares of memory: each element type has one of its own, which the caller filled. Contents
 * are terms over `block` and `place`. A block is an integer: below 0 a global, from MLIR_LOCAL on one that the function
 * allocates, between them what the caller passes. */
typedef struct MlirWorld {
  TermTable *tt;
  bool is_distinct; /* memref arguments are different blocks with offset 0 */
  bool is_real;     /* elements that are floats are real numbers */
  Term block, place, heap /* of a block: it may be freed */;
  Array(MlirShared) memories;
} MlirWorld;

/* Where the guard holds, memory holds the cell; later writes win. */
typedef struct MlirWrite {
  Term guard;
  Cell cell;
  MlirRegion region;
  bool is_constant;  /* what a constant global holds */
  Term block, place; /* where both are numbers: the only place that it writes to */
} MlirWrite;

typedef struct MlirSpace {
  Name type;
  TypeId element;
  Term memory, poison; /* symbols that are read where nothing was written; poison 0: none is */
  Array(MlirWrite) writes;
  bool is_read;
} MlirSpace;

typedef struct MlirMemory {
  Array(MlirSpace) spaces;
  TermList dead, readonly; /* conditions on `block` */
} MlirMemory;

typedef struct MlirApart {
  MlirRegion a, b;
} MlirApart;

/* What a top-level operation of the function asked for: it is undefined under this condition. */
typedef struct MlirStep {
  OpId op;
  Term ub;
} MlirStep;

/* Results of the declared function have the sizes of these arguments, one after the other. */
typedef struct MlirResultSizes {
  const char *function;
  uint32_t count, argument[8];
} MlirResultSizes;

/* What tosa and vector leave open: a source is refined by either. */
typedef enum MlirWay {
  MLIR_BIAS_FIRST = 1,    /* convolutions and fully_connected start from the bias */
  MLIR_ONE_IS_ITSELF = 2, /* a reduction of one element is that element */
  MLIR_ONE_PRODUCT = 4,   /* a sum of one product is that product */
  MLIR_FROM_ZERO = 8      /* vector.reduction without a start adds floats to +0, as the lowering to LLVM does */
} MlirWay;

/* What a scalar argument is set to. */
typedef struct MlirNumber {
  bool is_set;
  int64_t integer;
  double real; /* of a float */
} MlirNumber;

typedef struct MlirFlags {
  bool reassociate; /* sums and products of floats are taken in any order */
  bool real;        /* floats are real numbers */
  bool total;       /* ... an operation outside of its domain is no undefined behaviour, as its term has no value
                       there, and the greatest number of a format is infinity */
  bool ieee;        /* floats are those of IEEE 754, beyond the identities of abstract ones */
  bool distinct;    /* memref arguments are different blocks with offset 0 */
  Array(MlirResultSizes) result_sizes;
  bool negative_zero;        /* +0 that starts an accumulation is -0 */
  uint8_t ways;              /* of MlirWay: how what is left open is taken */
  const MlirNumber *numbers; /* by argument; NULL: none is set */
  bool keeps_facts;          /* what being defined says is kept, for a side that has memory or loops */
  bool unrolls;              /* loops whose number of iterations is known are executed one by one */
  uint32_t most;             /* ... up to so many iterations together; 0: the default */
  bool unrolls_few;          /* those of a few iterations are */
  bool stays_index;          /* undefined is also where any part of an affine map is what no index holds: so operations
                                that it is lowered to may have it, and what is said there is in doubt */
  bool stays_inside;         /* of a target, whose definedness is to be shown: outside of the memref of the caller that
                                another one was made of, there is nothing (there may be, as its block may be larger) */
} MlirFlags;

/* Where a block of a function's own is from: the stack, to the end of that function; the heap, until it is freed; a
 * tensor's future buffer, which is not the function's to free. */
typedef enum MlirOrigin { MLIR_STACK, MLIR_HEAP, MLIR_BUFFER } MlirOrigin;

typedef struct MlirRun {
  const Program *program;
  const Function *function;
  MlirValue *values; /* by ValueId */
  MlirValue *results;
  uint32_t result_count;
  Term ub;
  uint8_t open; /* the ways that it depends on */
  Array(MlirStep) steps;
  TermList sizes; /* what holds of sizes because tensors have them: no more than an index can say */
  bool has_loops, has_parallel;
  bool no_greatest;    /* MlirFlags.total: the greatest number of a format was taken for infinity */
  bool leaves_index;   /* a part of an affine map may be what no index holds */
  bool stays_inside;   /* MlirFlags.stays_inside was needed: that it is undefined is not for sure */
  bool open_order;     /* sums of floats whose order the dialect leaves open: that they differ is not for sure */
  bool calls_unknown;  /* of a function without a body */
  Array(Term) calls;   /* of functions without a body, which may have effects: callee and operands, under the path */
  Array(Term) call_ub; /* what is undefined before each of them, which need not return */
  Array(MlirMemory) call_memory; /* what they find */
  TermList escaped;              /* blocks of its own that they were given, of which they may keep the address */
  Array(uint32_t) call_escaped;  /* how many of these, at each call */
  MlirMemory memory;             /* at the end */
  Array(MlirApart) apart;        /* regions that do not meet where it is defined */
  Array(MlirOrigin) locals;      /* of the blocks that it allocates */
  TermList facts;                /* that hold where it is defined */
  ReasonCode stop_code;          /* none: it was executed to the end */
  const char *stop_text;
  OpId stop_op;
} MlirRun;

/* Why an operation may be undefined: an index outside, a divisor; another reason, or none. */
typedef enum MlirFamily { MLIR_OTHER, MLIR_PLACES, MLIR_DIVIDES } MlirFamily;
MlirFamily mlir_family(const char *operation);
/* The arguments of a function of that type, as symbols. `names`: of the arguments, NULL: by number. */
MlirValue *mlir_arguments(MlirWorld *world, const Program *program, const Function *function);
/* All elements together are as many as an index can say, as of each that exists. */
Term mlir_fits_index(TermTable *tt, const MlirValue *v);
/* `before`: NULL, or a run whose facts hold as well, as where it is undefined nothing is asked. */
MlirRun mlir_execute(Arena *arena, MlirWorld *world, const Program *program, const Function *function,
                     const MlirValue *arguments, MlirFlags flags, const MlirRun *before);
/* True if the flag is among those of an attribute of overflow or fast math. */
bool mlir_names_flag(const Program *program, AttrId flags, const char *flag);
bool mlir_has_memory_or_loops(const Program *program, const Function *function);
MlirWorld *mlir_world_new(TermTable *tt, MlirFlags flags);
/* Of what stands for an element. */
TermSort mlir_element_sort(bool is_real, const Type *element);
void mlir_element_range(TermTable *tt, Term symbol, const Type *element);
/* What facts say that are several conditions, one of which holds, where others are known not to where the guard does.
 */
void mlir_push_consequences(TermTable *tt, Term guard);
Term mlir_decided(TermTable *tt, Term guard); /* true or false where it is shown to be */
/* The state after so many steps, in the form that nested, tiled and unrolled loops have in common (recurrences.c). */
Term mlir_recurrence(TermTable *tt, Term state, Term start, Term next, Term index, Term steps);
/* A recurrence that begins with what another one has come to, whose steps are one or several of its own each: one of
 * all these steps. Others stay as they are. */
Term mlir_joined(TermTable *tt, Term t);
/* A divisor of a condition's that the condition says is positive; 0: there is none. */
Term mlir_positive_divisor(TermTable *tt, Term condition);
/* True if n is positive where the guard holds. */
bool mlir_implies_positive(TermTable *tt, Term guard, Term n);
/* True if it holds, by ranges and facts. false: not shown. */
bool mlir_holds(TermTable *tt, Term condition);
/* A copy, which may be changed. */
MlirMemory mlir_copy_memory(Arena *arena, const MlirMemory *memory);
/* True if there is memory of the caller that one of the two reaches. What else it has only callees write to. */
bool mlir_reaches_outside(const MlirWorld *world);
/* Which of the escaped blocks it is; UINT32_MAX: none. */
uint32_t mlir_escaped(const MlirRun *run, Term block);
/* False: it is surely none of them. */
bool mlir_may_have_escaped(TermTable *tt, const MlirRun *run, Term block);
/* True if it is a block that the function allocates, or a choice of such of one origin. */
bool mlir_is_own_block(TermTable *tt, const MlirRun *run, Term block, MlirOrigin *origin);
/* What memory holds at the end at that place of a block. */
Cell mlir_memory_at(MlirWorld *world, const MlirMemory *memory, const Program *p, Name type, Term block, Term place);
/* The i-th global of a program as a memref; false: there are no more, `out` is of kind MLIR_NONE if it has no shape. */
bool mlir_global_at(MlirWorld *world, const Program *p, uint32_t i, const char **name, MlirValue *out);
/* The global of that name; NULL: there is none. */
const Op *mlir_find_global(const Program *p, const char *name);
/* True if a caller sees what the global of that name holds. Not if it is private, and constant or not in `other`: no
 * other function of the two modules relies on it. */
bool mlir_global_is_seen(const Program *p, const Program *other, const char *name);
Name mlir_memory_type(MlirWorld *world, const Program *p, TypeId element);
Term mlir_memory_any(MlirWorld *world, const TermList *conditions, Term block);
/* The address of an element of a memref. */
Term mlir_address(TermTable *tt, const MlirValue *ref, const Term *index);
/* Row-major without gaps. */
bool mlir_is_row_major(TermTable *tt, const MlirValue *ref);
/* The indices of the element at `rest` places behind the first one, by division by the strides, the greatest first;
 * `inside`: there is such an element. false: elements may overlap, or it is not seen that they do not. */
bool mlir_indices_of(TermTable *tt, const MlirValue *ref, Term rest, Term *index, Term *inside);
/* Undefined where this is false: symbol = *value, a size. */
bool mlir_defines_size(TermTable *tt, Term undefined, Term *symbol, Term *value);
/* t = k*m + rest; false: it is not linear in k. */
bool mlir_linear_in(TermTable *tt, Term t, Term k, Term *m, Term *rest);
/* The element at these indices. */
Cell mlir_at(TermTable *tt, const MlirValue *tensor, const Term *index);
Term mlir_as_bool(TermTable *tt, Term t);
Term mlir_as_int(TermTable *tt, Term t); /* a Bool as 0 or 1 */
/* The condition that the two values of a scalar or element are the same. */
Term mlir_equal(TermTable *tt, Term a, Term b);

#endif
