/* Shared by the handlers of mlir. */
#ifndef ASSAY_MLIR_INTERNAL_H
#define ASSAY_MLIR_INTERNAL_H

#include <string.h>

#include "mlir/floats.h"
#include "mlir/mlir.h"

typedef struct Mlir Mlir;

/* An operation on scalars, applied to each element where operands are tensors. */
typedef bool ScalarHandler(Mlir *m, const Op *op, const Cell *in, const TypeId *types, Cell *out);
typedef bool OpHandler(Mlir *m, const Op *op);

typedef struct MlirHandler {
  const char *name;
  OpHandler *op;
  ScalarHandler *scalar;
  MlirFamily family;
  bool knows_lanes; /* of memrefs of vectors */
} MlirHandler;

enum { MLIR_CALL_DEPTH = 32, MLIR_UNROLL = 64, MLIR_FACTS = 60 };

struct Mlir {
  Arena *arena;
  TermTable *tt;
  MlirWorld *world;
  MlirMemory memory;
  Floats floats;
  const Program *p;
  MlirValue *values;
  const MlirHandler **handler_of; /* by Name */
  uint32_t name_count;
  Term path, ub; /* ub: so far, in this region */
  MlirFlags flags;
  MlirRun *run;
  uint32_t depth; /* of calls */
  bool uses_facts;
  const MlirValue *arguments;
  uint32_t argument_count;
  uint32_t unrolled;      /* iterations that were executed one by one */
  uint32_t in_loop;       /* loops whose body is executed once for all iterations */
  const MlirValue *mask;  /* of the vector.mask around; NULL: there is none */
  const Term *loop_index; /* of linalg.index */
  uint32_t loop_rank;
  MlirValue yielded[16]; /* operands of the last terminator */
  uint32_t yield_count;
};

extern const MlirHandler mlir_handlers[];
extern const uint32_t mlir_handler_count;

/* ---- run.c */
bool mlir_stop(Mlir *m, const Op *op, ReasonCode code, const char *format, ...) __attribute__((format(printf, 4, 5)));
bool mlir_unsupported(Mlir *m, const Op *op); /* returns false */
/* True if the regions of this operation are those of the function itself, executed once. What is undefined there is
 * kept as a step of each operation, which ends here; `before`: what was undefined so far. */
bool mlir_is_top(const Mlir *m, const Op *parent);
void mlir_end_step(Mlir *m, OpId op, Term before);
/* Runs the only block of a region; its terminator's operands are then `yielded`. */
bool mlir_run_block(Mlir *m, BlockId block);
bool mlir_run_region(Mlir *m, const Op *op, uint32_t region, const MlirValue *arguments, uint32_t count);
/* A region that runs for each element, of which there need not be any: where it calls functions without a body, or
 * writes to memory, it is left. */
bool mlir_run_body(Mlir *m, const Op *op, const MlirValue *arguments, uint32_t count);
void mlir_undefined(Mlir *m, Term condition); /* under the path */
void mlir_undefined_at(Mlir *m, Cell cell);   /* a value that must be none of poison */

/* ---- values.c */
static inline const Type *mlir_type(const Mlir *m, TypeId id) { return program_get_type(m->p, id); }
bool mlir_is_float(const Mlir *m, TypeId type);
uint32_t mlir_width(const Mlir *m, TypeId type);
static inline MlirValue *mlir_value(Mlir *m, ValueId id) { return &m->values[id]; }
static inline MlirValue *mlir_operand(Mlir *m, const Op *op, uint32_t i) { return &m->values[op->operands[i]]; }
bool mlir_is_tensor(const Mlir *m, ValueId id);
MlirValue mlir_scalar(Cell cell, TypeId element);
/* A tensor that exists has a size that is an index. */
void mlir_note_size(Mlir *m, Term size);
MlirValue mlir_tensor_new(Mlir *m, TypeId element, uint32_t rank, const Term *extents);
static inline Cell mlir_element(Mlir *m, const MlirValue *t, const Term *index) { return mlir_at(m->tt, t, index); }
/* Of what is known from here on; not all of it helps. */
void mlir_push_fact(TermTable *tt, Term fact);
/* Of a loop that has an iteration: where that number is a product of sizes, none of them is 0. */
void mlir_push_some(TermTable *tt, Term trips);
/* True if the guard is false wherever the fact holds. */
bool mlir_excludes(TermTable *tt, Term fact, Term guard);
/* x, of max(0, x): one is positive where the other is. */
Term mlir_positive_part(const TermTable *tt, Term t);
Term mlir_integer(const MlirValue *v);
Term mlir_unsigned(Mlir *m, Term t, uint32_t width);
Term mlir_truncate(Mlir *m, Term t, uint32_t width); /* to a signed value, or a Bool */
Term mlir_wrap_index(TermTable *tt, Term t);         /* modulo 2^64, signed */
Cell mlir_choose(Mlir *m, Term condition, Cell a, Cell b);
Cell mlir_constant(Mlir *m, const Attr *attr);
bool mlir_dense(Mlir *m, const Attr *attr, MlirValue *out);
/* The condition that there is an index in [0, extent) of each dimension at which it holds. */
Term mlir_any(Mlir *m, uint32_t rank, const Term *index, const Term *extent, Term condition);
Term mlir_product(TermTable *tt, uint32_t count, const Term *factors);
/* The integers of an attribute array, or dense literal. */
uint32_t mlir_integers(const Mlir *m, AttrId attr, int64_t *out, uint32_t most);
/* Shapes that must agree; else undefined. */
void mlir_need_equal(Mlir *m, Term a, Term b);
/* The static sizes of the type hold, where the type says so. */
void mlir_need_type(Mlir *m, MlirValue *v, TypeId type);
void mlir_set(Mlir *m, const Op *op, uint32_t i, MlirValue v);

/* ---- memory.c */
MlirValue mlir_memref_argument(MlirWorld *w, const Program *p, TypeId type, const char *name, uint32_t number);
void mlir_enter_globals(Mlir *m);
/* The block of a condition that is true of one alone; 0: it is not seen to be one. */
Term mlir_one_block(Mlir *m, Term condition);
MlirSpace *mlir_space(Mlir *m, TypeId element);
bool mlir_are_apart(const Mlir *m, MlirRegion a, MlirRegion b);
MlirRegion mlir_region_of(const Mlir *m, Term block);
/* The content at a place of a block; `region`: where the access may reach, if that is known. */
Cell mlir_space_at(Mlir *m, const MlirSpace *s, MlirRegion region, Term block, Term place);
void mlir_write(Mlir *m, MlirSpace *s, MlirWrite write); /* under the path */
/* Undefined where its block is freed, or written to and may not be, under the condition. */
void mlir_need_block(Mlir *m, const MlirValue *ref, bool writes, Term some);
/* One element, whose indices the caller has checked. false: not executed. */
bool mlir_load(Mlir *m, const MlirValue *ref, const Term *index, Cell *out);
bool mlir_store(Mlir *m, const MlirValue *ref, const Term *index, Cell value);
/* All elements. */
bool mlir_load_tensor(Mlir *m, const MlirValue *ref, MlirValue *out);
bool mlir_store_tensor(Mlir *m, const MlirValue *ref, const MlirValue *tensor);
/* Those of the mask, which has the same indices; NULL: all. */
bool mlir_store_masked(Mlir *m, const MlirValue *ref, const MlirValue *tensor, const MlirValue *mask);
Term mlir_has_elements(Mlir *m, const MlirValue *v);
Term mlir_meet(Mlir *m, const MlirValue *a, const MlirValue *b);
void mlir_need_apart(Mlir *m, const MlirValue *a, const MlirValue *b); /* else undefined */
bool mlir_is_contiguous(Mlir *m, const MlirValue *ref);
void mlir_identity_layout(Mlir *m, MlirValue *v);
bool mlir_need_layout(Mlir *m, const MlirValue *v, Term offset, TypeId type);
bool mlir_allocate(Mlir *m, TypeId type, const Term *extents, MlirOrigin origin, MlirValue *out);
/* The blocks from this one on that are on the stack are no more, as the function ends. */
void mlir_end_stack(Mlir *m, uint32_t first);
/* Its block, which the function allocated as one of another type, holds poison of this type, too, at first; false: in a
 * branch or loop this cannot be said. */
bool mlir_begin_poison(Mlir *m, const MlirValue *v);
bool mlir_hold_tensor(Mlir *m, const MlirValue *tensor, TypeId type, MlirOrigin origin, MlirValue *out);
OpHandler mlir_get_global;

/* ---- memref.c */
OpHandler mlir_alloc, mlir_dealloc, mlir_memref_load, mlir_memref_store, mlir_memref_copy, mlir_memref_cast,
    mlir_subview, mlir_reinterpret_cast, mlir_memref_collapse, mlir_memref_expand, mlir_memref_reshape,
    mlir_memref_transpose, mlir_strided_metadata, mlir_memory_space_cast, mlir_assume_alignment, mlir_clone,
    mlir_to_memref, mlir_to_tensor, mlir_materialize, mlir_alloc_tensor, mlir_nothing, mlir_atomic_rmw, mlir_view,
    mlir_type_cast;

/* ---- scalars.c */
ScalarHandler mlir_integer_binary, mlir_integer_cast, mlir_compare_integers, mlir_select, mlir_float_op,
    mlir_compare_floats, mlir_float_cast, mlir_extended, mlir_index_op;
OpHandler mlir_constant_op, mlir_poison_op;
/* The two operands as the body of a named operation combines them. */
Cell mlir_combine(Mlir *m, const char *what, TypeId type, Cell a, Cell b);
/* Of overflow or fast math: nsw, nuw, nnan, .. */
bool mlir_has_flag(const Mlir *m, const Op *op, const char *flag);
/* slt, eq, .. of a comparison of integers. */
const char *mlir_predicate(const Mlir *m, const Op *op);
Cell mlir_convert(Mlir *m, Cell cell, TypeId from, TypeId to);
/* ctlz, cttz, ctpop of an integer. */
Term mlir_count_bits(Mlir *m, const char *what, Term value, uint32_t width);
/* (value * multiplier + 2^(shift - 1)) >> shift, as tosa.apply_scale has it. */
Cell mlir_scale(Mlir *m, Cell value, Cell multiplier, Cell shift, bool double_round);

/* ---- tensors.c */
OpHandler mlir_empty, mlir_extract, mlir_insert, mlir_extract_slice, mlir_insert_slice, mlir_collapse, mlir_expand,
    mlir_pad, mlir_generate, mlir_from_elements, mlir_splat, mlir_concat, mlir_cast, mlir_dim, mlir_rank, mlir_shape_of,
    mlir_copy_value, mlir_tensor_reshape;

typedef struct Slice {
  uint32_t rank;
  Term offset[MLIR_RANK], size[MLIR_RANK], stride[MLIR_RANK];
  int64_t static_size[MLIR_RANK];
} Slice;
typedef struct Groups {
  uint32_t count, begin[MLIR_RANK + 1];
} Groups;

/* Offsets, sizes and strides: numbers, and operands from `next` on. */
bool mlir_read_slice(Mlir *m, const Op *op, uint32_t rank, uint32_t next, Slice *s);
void mlir_need_slice_inside(Mlir *m, const Slice *s, const MlirValue *t);
/* Which dimensions of the slice the smaller type keeps. */
bool mlir_kept_dimensions(const Slice *s, const Type *t, bool *keep);
/* [[0, 1], [2]]: consecutive dimensions of the larger rank. */
bool mlir_read_groups(Mlir *m, const Op *op, uint32_t rank, uint32_t count, Groups *g);
bool mlir_expanded_extents(Mlir *m, const Op *op, const Type *type, const MlirValue *t, const Groups *g, Term *extents);
Term mlir_size_operand(Mlir *m, const Op *op, uint32_t i); /* undefined where it is poison */
Term mlir_is_outside(Mlir *m, Term index, Term extent);
void mlir_need_inside(Mlir *m, Term index, Term extent);
/* Extents of a result type; its dynamic ones are operands from `next` on. */
bool mlir_extents_of(Mlir *m, const Op *op, const Type *t, uint32_t *next, Term *out);

/* ---- structured.c, named.c */
/* The map to these of so many dimensions. */
const AffineMap *mlir_dims_map(Mlir *m, uint32_t dims, uint32_t count, const uint32_t *kept);
typedef struct MlirAccess { /* an operand of a structured operation, and its indices */
  const MlirValue *value;   /* NULL: a scalar */
  Cell scalar;
  TypeId element;
  uint32_t rank;
  Term *map; /* over the loop symbols */
} MlirAccess;

typedef struct MlirLoops {
  uint32_t count;
  Term symbol[MLIR_RANK], extent[MLIR_RANK];
} MlirLoops;

typedef bool MlirBody(Mlir *m, const Op *op, void *payload, const Cell *in, const Cell *out, Cell *yield);

/* Executes a structured operation: `maps` of inputs, then outputs, over `loops` dimensions. Results are the outputs. */
bool mlir_structured(Mlir *m, const Op *op, uint32_t loops, uint32_t inputs, uint32_t outputs,
                     const MlirValue *const *operands, const AffineMap *const *maps, MlirBody *body, void *payload,
                     MlirValue *results);
/* A named operation of linalg on these two inputs and output; no strides, no dilations: 1. */
bool mlir_named_on(Mlir *m, const Op *op, const char *name, const MlirValue *const *operands, const int64_t *strides,
                   const int64_t *dilations, MlirValue *result);
/* A reduction along an axis, which the results lack: by a body; init OP in. */
bool mlir_reduce_by(Mlir *m, const Op *op, uint32_t axis, const MlirValue *in, uint32_t outputs,
                    const MlirValue *const *inits, MlirBody *body, void *payload, MlirValue *results);
bool mlir_reduce_on(Mlir *m, const Op *op, const char *what, uint32_t axis, const MlirValue *in, const MlirValue *init,
                    MlirValue *result);
TermSort mlir_state_sort(const Mlir *m, TypeId element);
Term mlir_state_symbol(TermTable *tt, const char *name, TermSort sort);
/* The value after all steps, and its poison; `state` and `poisoned` stand for them before a step. */
Cell mlir_recur(Mlir *m, TypeId element, Term state, Term poisoned, Term index, Term steps, Cell init, Cell next);
/* recurrences.c */
/* Where a step is several steps of one kind: one of these, with its index, and how many there are. */
void mlir_rolled(TermTable *tt, Term state, Term *next, Term *index, Term *steps);
/* A step k of d times as many, of which `first` is the one at d*t, and `second` the one at d*t + 1; 0: it is none. It
 * is a guess, also of the others. `has_digits`: it may look at k // d and k % d, as any two steps may be taken to. */
Term mlir_one_step(TermTable *tt, Term first, Term second, Term t, Term k, int64_t d, bool has_digits);
bool mlir_is_plain_map(const AffineMap *map); /* divisors are positive constants */
Term mlir_affine(TermTable *tt, const AffineMap *map, uint32_t result, const Term *dims, const Term *symbols);
/* Affine maps are of whole numbers: where no index holds t. */
Term mlir_leaves_index(TermTable *tt, Term t);
/* The divisors of a map are positive (false: one is a number that is not); `leaves`: where no index holds what they
 * divide. */
bool mlir_need_divisions(Mlir *m, const AffineMap *map, const Term *dims, const Term *symbols, Term *leaves);
OpHandler mlir_generic, mlir_linalg_index, mlir_named, mlir_transpose, mlir_broadcast, mlir_map, mlir_reduce, mlir_fill,
    mlir_softmax, mlir_linalg_elementwise;

/* Of a dimension, by the type of an element: all of them together, those of size 0 left out, have no more bytes than an
 * index can say. */
Term mlir_greatest_size(TermTable *tt, const Type *element);

/* ---- control.c */
MlirValue mlir_choose_memref(Mlir *m, Term condition, const MlirValue *a, const MlirValue *b);
/* The value after a branch: a where the condition holds, else b. false: they are of different kinds. */
bool mlir_join(Mlir *m, Term condition, const MlirValue *a, const MlirValue *b, MlirValue *out);
OpHandler mlir_call, mlir_return, mlir_affine_apply, mlir_if, mlir_affine_if, mlir_index_switch;

/* ---- branches.c */
/* Runs a region of several blocks. */
bool mlir_run_graph(Mlir *m, const Op *op, uint32_t region, const MlirValue *arguments, uint32_t count);
OpHandler mlir_while, mlir_condition;

/* ---- loops.c */
OpHandler mlir_for, mlir_affine_for, mlir_parallel, mlir_affine_parallel, mlir_forall, mlir_in_parallel,
    mlir_parallel_insert, mlir_execute_region;

/* ---- packs.c */
OpHandler mlir_gather, mlir_tensor_scatter, mlir_pack, mlir_unpack;

/* ---- vectors.c */
OpHandler mlir_transfer_read, mlir_transfer_write, mlir_vector_load, mlir_vector_store, mlir_masked_load,
    mlir_masked_store, mlir_vector_broadcast;
/* True if it is a mask of so many lanes, none of which is poison. */
bool mlir_fits_mask(const Mlir *m, const MlirValue *mask, uint32_t rank, const Term *lanes);

/* ---- lanes.c */
OpHandler mlir_vector_extract, mlir_vector_insert, mlir_extract_element, mlir_insert_element, mlir_shape_cast,
    mlir_vector_transpose, mlir_extract_strided, mlir_insert_strided, mlir_shuffle, mlir_interleave, mlir_deinterleave,
    mlir_constant_mask, mlir_create_mask, mlir_step, mlir_vector_bitcast, mlir_vector_gather, mlir_vector_scatter,
    mlir_mask;

/* ---- vector_sums.c */
/* One step of a reduction of that kind, in the order that is written; value 0: there is none of that type. */
Cell mlir_vector_step(Mlir *m, const char *kind, TypeId type, Cell before, Cell next);
OpHandler mlir_vector_reduction, mlir_multi_reduction, mlir_contract, mlir_outerproduct;

/* ---- lane_order.c */
OpHandler mlir_vector_scan, mlir_expandload, mlir_compressstore;

/* ---- tosa.c, tosa_places.c, tosa_sums.c, tosa_fourier.c */
OpHandler mlir_tosa_unary, mlir_tosa_binary, mlir_tosa_select, mlir_tosa_transpose, mlir_tosa_reverse, mlir_tosa_gather,
    mlir_tosa_tile, mlir_tosa_reshape, mlir_tosa_cast, mlir_tosa_clamp, mlir_tosa_apply_scale, mlir_tosa_rescale,
    mlir_tosa_table, mlir_tosa_pad, mlir_tosa_slice, mlir_tosa_scatter, mlir_tosa_resize, mlir_tosa_reduce,
    mlir_tosa_argmax, mlir_tosa_matmul, mlir_tosa_fully_connected, mlir_tosa_conv, mlir_tosa_transpose_conv,
    mlir_tosa_fourier, mlir_tosa_pool;
/* Operand i as a tensor, or NULL. */
MlirValue *mlir_tosa_tensor(Mlir *m, const Op *op, uint32_t i);
/* The result, with the sizes that its type says. */
bool mlir_tosa_finish(Mlir *m, const Op *op, MlirValue v);
/* Integers of an attribute, else of a constant operand; UINT32_MAX: there are none. */
uint32_t mlir_tosa_integers(Mlir *m, const Op *op, const char *name, uint32_t operand, int64_t *out);
/* A zero point, as a field of an attribute (16 to 20) or as a constant operand (21, 22); 0 if there is none. */
bool mlir_tosa_zero_point(Mlir *m, const Op *op, const char *field, uint32_t operand, int64_t *out);
/* The tensor between so much of a cell. */
MlirValue mlir_padded(Mlir *m, const MlirValue *v, const Term *low, const Term *high, Cell padding);

#endif
