/* What the files of the interpreter share; nobody else includes it.
 *
 * A value is a flat array of lanes, row-major, eight bytes a lane: doubles for floats, int64 for everything else.
 * Integers are kept sign-extended (i1 as 0 or 1). A pointer is an integer, the virtual byte address: buffer b begins
 * at (b + 1) << 48, so an address tells its buffer even when it lies far outside. Block pointers and descriptors are
 * the integers base, shape.., strides.., offsets.., padding.
 *
 * Each lane may carry a mark: UNDEFINED, the number of an operation that wrapped on the way to it, and AFFINE or VARIES
 * (interpret_sparse.c). Most values have no marked lane and `mark` is NULL. Lanes live in scratch blocks which go back,
 * by mark and reset, after each loop round and each program. In the region of a reduce one run computes `batch` lanes
 * of each scalar. */
#ifndef ASSAY_PROGRAM_INTERPRET_STATE_H
#define ASSAY_PROGRAM_INTERPRET_STATE_H

#include "program/interpret.h"

enum { TRACK_PAGE = 64 };
enum { MARK_UNDEFINED = 0x80, MARK_VARIES = 0x40, MARK_AFFINE = 0x20, MARK_WRAPPED = 0x1f, ADDRESS_SHIFT = 48 };

typedef struct Lanes {
  union {
    double *f;
    int64_t *i;
  };
  uint8_t *mark;
  int64_t count;
} Lanes;

typedef struct Element {
  bool is_float, is_pointer;
  uint32_t width; /* bits */
  uint32_t size;  /* bytes in memory */
  FloatFormat format;
} Element;

/* Who touched an element: program + 1, 0 for nobody, MANY for several. And which thread did since the last barrier
 * of one program: `epoch` counts programs and barriers, `arrival` also folds of a whole tensor to a scalar. Such a fold
 * waits for every lane, so what was loaded before it is not overtaken by a store behind it. `stamp` is the number of
 * the last store. */
typedef struct Track {
  uint32_t writer, reader, atomic, stamp;
  uint32_t write_epoch, write_thread, read_arrival, read_thread;
} Track;

typedef struct Memory {
  InterpretBuffer *buffer;
  Element element;
  Track **tracks; /* by TRACK_PAGE elements, made when touched; NULL: not watched */
} Memory;

typedef struct Scratch {
  Array(char *) blocks;
  Array(size_t) sizes;
  uint32_t block;
  size_t used;
} Scratch;

typedef struct ScratchMark {
  uint32_t block;
  size_t used;
} ScratchMark;

typedef struct Wrap {
  OpId op;
  int32_t program[3];
  int64_t lane, a, b;
} Wrap;

typedef struct Interp {
  const Program *program;
  const InterpretOptions *options;
  InterpretResult *result;
  Arena *kept;  /* of the caller: what the result points to */
  Arena *arena; /* all else: it ends with the launch */
  Scratch scratch;
  Memory *memories;
  uint32_t memory_count;
  Lanes *values; /* from `first_value` on: those of the function alone, as a file may have a thousand */
  ValueId first_value;
  uint32_t value_count;
  OpId first_op, end_op; /* of the function, which `coverage` of the result is about */
  int32_t pid[3], grid[3];
  uint32_t number; /* of the running program, + 1 */
  int64_t batch;
  bool paired; /* lanes 2q and 2q + 1 of the batch are the ends of a run */
  uint32_t depth, stamp, epoch, arrival;
  uint64_t step_limit;
  const Op *op;
  Wrap wraps[MARK_WRAPPED + 1];
  uint32_t wrap_count;
  Array(const struct ArrayNode *) array_nodes; /* interpret_array.c */
  jmp_buf escape;
} Interp;

_Noreturn void interpret_fail(Interp *it, InterpretStatus status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
_Noreturn void interpret_ill_typed(Interp *it);
InterpretFinding *interpret_report(Interp *it, InterpretFindingKind kind, OpId op, int32_t buffer, int64_t lane);

void *scratch_alloc(Interp *it, size_t size); /* not zeroed */
ScratchMark scratch_mark(const Interp *it);
void scratch_reset(Interp *it, ScratchMark mark);

Element interpret_element(const Interp *it, TypeId type); /* of a tensor its element */
static inline int64_t interpret_wrap(uint32_t width, int64_t v) {
  if (width >= 64) return v;
  if (width == 1) return v & 1;
  return (int64_t)((uint64_t)v << (64 - width)) >> (64 - width);
}
static inline uint64_t interpret_unsigned(uint32_t width, int64_t v) {
  return width >= 64 ? (uint64_t)v : (uint64_t)v & ((1ull << width) - 1);
}
double interpret_round(FloatFormat format, double value);
int64_t interpret_bits(const Element *element, InterpretCell cell); /* zero-extended */
InterpretCell interpret_from_bits(const Element *element, uint64_t bits);
static inline uint8_t interpret_join_marks(uint8_t a, uint8_t b) {
  uint8_t wrapped = a & MARK_WRAPPED ? a & MARK_WRAPPED : b & MARK_WRAPPED;
  return (uint8_t)(((a | b) & ~MARK_WRAPPED) | wrapped);
}

/* Lanes of a value of that type; limits are checked. */
int64_t interpret_lane_count(Interp *it, TypeId type);
Lanes interpret_lanes(Interp *it, int64_t count, bool marked); /* marks zeroed */
/* Operand `i`, with `count` lanes: one lane is repeated; another number is ill-typed. */
Lanes interpret_operand(Interp *it, const Op *op, uint32_t i, int64_t count);
Lanes interpret_value(Interp *it, ValueId value);
/* The scalar of operand `i`; an undefined one is reported. */
int64_t interpret_scalar(Interp *it, const Op *op, uint32_t i);
TypeId interpret_operand_type(Interp *it, const Op *op, uint32_t i);
TypeId interpret_result_type(Interp *it, const Op *op, uint32_t r);
/* New lanes for result `r`. */
Lanes *interpret_result(Interp *it, const Op *op, uint32_t r);
/* Its marks, allocated when missing. */
uint8_t *interpret_marks(Interp *it, Lanes *lanes);
void interpret_merge_marks(Interp *it, Lanes *out, const Lanes *operands, uint32_t count);
/* What an undefined lane holds. */
InterpretCell interpret_undefined(const Interp *it, const Element *element);
/* Integers of an array attribute; false when it is absent or too long. */
bool interpret_attr_list(Interp *it, const Op *op, const char *name, int64_t *out, uint32_t limit, uint32_t *count);

/* interpret_sparse.c: how many indices of an axis are computed, and where one of them stands. */
int64_t interpret_dim(const Interp *it, int64_t dim);
int64_t interpret_position(const Interp *it, int64_t dim, int64_t index);
bool interpret_is_sparse(const Interp *it, TypeId type);
_Noreturn void interpret_need_lanes(Interp *it);
int64_t interpret_lane_number(const Interp *it, int64_t lane); /* of the op at hand, for a report */
/* Lane `lane` is an end of a run: the orders that a and b have at its ends, so that between them no other ones are met;
 * 0: not known, or one of them passes 0 (signed and unsigned order are then two). */
enum { ORDER_LESS = 1, ORDER_EQUAL = 2, ORDER_GREATER = 4 };
uint32_t interpret_order(Interp *it, TypeId type, const Lanes *a, const Lanes *b, int64_t lane);
/* True if the lane is the end of a run along an axis other than `except` (-1: any). */
bool interpret_is_between(Interp *it, TypeId type, int64_t lane, int64_t except);
/* What was AFFINE is not any more. */
void interpret_commit(uint8_t *mark);
void interpret_commit_all(Lanes *lanes);
/* Before a store: elements that runs write become UNSEEN. `values` NULL: not a plain store. */
void interpret_spread(Interp *it, TypeId type, const Lanes *at, const Lanes *mask, const Lanes *values, uint32_t size);

/* interpret_math.c */
void interpret_int_op(Interp *it, const Op *op);
void interpret_int_unary(Interp *it, const Op *op);
void interpret_int_extended(Interp *it, const Op *op);
void interpret_compare_int(Interp *it, const Op *op);
void interpret_compare_float(Interp *it, const Op *op);
void interpret_float_op(Interp *it, const Op *op); /* one to three float operands, one float result */
void interpret_select(Interp *it, const Op *op);
void interpret_cast(Interp *it, const Op *op);
void interpret_extern(Interp *it, const Op *op);

/* interpret_shape.c */
void interpret_constant(Interp *it, const Op *op);
void interpret_splat(Interp *it, const Op *op);
void interpret_shape(Interp *it, const Op *op); /* expand_dims, reshape, broadcast, trans, cat, join, split */
void interpret_gather(Interp *it, const Op *op);
void interpret_histogram(Interp *it, const Op *op);
void interpret_dot(Interp *it, const Op *op);
void interpret_fold(Interp *it, const Op *op); /* reduce and scan */
void interpret_map(Interp *it, const Op *op);

/* interpret_array.c: values of array types, one lane each. */
void interpret_array(Interp *it, const Op *op);

/* interpret_memory.c */
void interpret_addptr(Interp *it, const Op *op);
void interpret_load(Interp *it, const Op *op);
void interpret_store(Interp *it, const Op *op);
void interpret_atomic(Interp *it, const Op *op);
void interpret_block_pointer(Interp *it, const Op *op); /* make_tensor_ptr, advance, make_tensor_descriptor */
void interpret_descriptor(Interp *it, const Op *op);    /* descriptor load, store, reduce, gather, scatter */
/* One element, with everything that is watched at a store. */
void interpret_store_lane(Interp *it, const Element *e, int64_t address, uint8_t mark, InterpretCell value,
                          uint8_t value_mark, int64_t lane);

/* interpret_results.c: result i of the function, which `values` are, to the buffer at that address. */
void interpret_store_result(Interp *it, const Function *function, uint32_t i, int64_t address, const Lanes *values);

/* interpret.c: runs a region from its entry block, whose arguments must be set; the terminator, or NULL. */
const Op *interpret_region(Interp *it, RegionId region);
void interpret_set_args(Interp *it, RegionId region, const Lanes *lanes, uint32_t count);
static inline RegionId interpret_region_of(Interp *it, const Op *op, uint32_t i) {
  if (i >= op->region_count) interpret_ill_typed(it);
  return op->regions[i];
}

#endif
