/* What execution found of one function, as plain data: parameters and results, accesses, what has to hold for the terms
 * to be the values (ranges, divisors), loops in closed form, notes, and what the kernel states.
 *
 * A value of type tensor<64x32xf32> is one term over two lane symbols; so cost does not depend on block size. Program
 * ids and loop counters are symbols with ranges. An access has its address (tensor and element offset), its full mask
 * (path condition included) and, if it is a store, its value. The arena owns everything; terms are of `tt`. */
#ifndef ASSAY_EXECUTE_EFFECTS_H
#define ASSAY_EXECUTE_EFFECTS_H

#include "analysis/analysis.h"
#include "base/kinds.h"
#include "program/program.h"
#include "term/term.h"

enum { EXECUTE_MAX_COUNTERS = 6, EXECUTE_MAX_OPERANDS = 3 };

/* A real launch is a sample: that two arguments are equal in it may be assumed where nothing else makes sense of the
 * memory. */
typedef struct ExecuteSample {
  bool is_known;
  int64_t value;
  uint32_t equal_to; /* assumed to be an earlier parameter: 1 + its number; 0: not */
  bool is_assumed;   /* ... by --assume */
  bool is_name;      /* of an operation file, whose names are integers >= 1 */
} ExecuteSample;

typedef struct Param {
  Term symbol; /* tensor symbol of a pointer, else size or scalar symbol */
  const char *name;
  TypeId type, element;     /* element: of a pointer, as declared */
  bool is_pointer, is_size; /* is_size: bounds an index or divides one (sizes.c), so >= 1 */
  bool is_count;            /* says how often a loop runs that goes along nothing, so >= 0 */
  bool is_named;            /* of an integer: stands in a shape or a grid that is given */
  bool is_positive;         /* of a float: scales padding of -inf (signs.c), so > 0 */
  bool is_result;           /* what the function returns, behind the parameters: written as if through a pointer */
  bool is_unsigned;         /* of an integer, or a pointer to some: symbol, READ(symbol) is without sign (unsigned.c) */
  bool is_halved;           /* of a size without sign: taken to be below half of what its type holds */
  ExecuteBinding given;
} Param;

typedef struct Access {
  bool is_store, is_atomic, absent_other; /* masked load without `other` */
  TermFoldOp atomic_op;
  Term tensor, offset, mask, value; /* value: of a store */
  bool is_final;             /* of a tensor whose content is a value: a store leaves what its place holds at the end */
  Term old;                  /* of a load: where it sees what was there before the program stored anything */
  TypeId element;            /* element type in memory */
  OpId op, last_op;          /* last_op: of a store that was written as several, the last of them */
  uint32_t rank;             /* lanes of the access */
  Term lanes[TYPE_MAX_RANK]; /* lane symbols; 0 where the extent is 1 */
  uint32_t counter_count;
  Term counters[EXECUTE_MAX_COUNTERS]; /* of the loops around it, outermost first */
} Access;

typedef struct RangeNeed {
  Term exact, path;
  uint32_t width;
  OpId op;
  bool of_value; /* of signed arithmetic that a source says not to overflow, whatever it is made of */
} RangeNeed;     /* exact fits signed width where path */
typedef struct DivisionNeed {
  Term divisor, path;
  OpId op;
  bool is_undefined; /* a condition that decides something is undefined where the divisor is 0 */
  bool
      is_statement; /* nothing is divided: the kernel states a condition, and the divisor is 1 where it holds, else 0 */
} DivisionNeed;     /* divisor != 0 where path */
/* What the program relies on, where the path leads there; elsewhere it is undefined. */
typedef struct RequiredNeed {
  Term condition, path;
  const char *text;
  OpId op;
} RequiredNeed;
/* Strides of a tensor, the longest first. */
enum { EXECUTE_AXES = 4 };
typedef struct TensorAxes {
  Term tensor;
  uint32_t rank;
  Term stride[EXECUTE_AXES];
} TensorAxes;

enum { EXECUTE_REGION_STATE = 8 };
/* A region of a reduction or scan with operations that are not defined everywhere: result = f(a, b). */
typedef struct RegionNeed {
  OpId op;
  uint32_t n;
  Term a[EXECUTE_REGION_STATE], b[EXECUTE_REGION_STATE], result[EXECUTE_REGION_STATE];
  Term lane[EXECUTE_REGION_STATE]; /* the values that are combined */
} RegionNeed;
/* One execution of an operation that has no effect: an unrolled loop executes one operation several times. What it
 * needs to be defined is asked of each, where `path` holds. */
typedef struct ExecutedOp {
  OpId op;
  Term path, result;
  uint32_t operand_count;
  Term operands[EXECUTE_MAX_OPERANDS]; /* over the values that loops carry, as they were in that iteration */
} ExecutedOp;
typedef struct Note {
  const char *text;
  OpId op;
} Note;
typedef struct GridNeed {
  uint32_t axis;
  Term count;
  OpId op;
} GridNeed; /* the launch has that many programs along the axis */

/* What the closing of a loop claims of one carried value, for a check by induction on the counter t:
 *   closed(0) = init   and   closed(t + 1) = step(t) with each READ(symbol, lanes) in it replaced by that value's
 * closed(t). */
typedef struct LoopValue {
  ValueId arg;             /* the block argument */
  Term symbol;             /* CARRY: step reads READ(symbol, lane terms) */
  Term init, step, closed; /* of a pointer: its element offset */
  Term base;               /* the tensor of a pointer, else 0 */
  Term content;            /* the tensor of which this is the content, over its places, the lanes; arg is 0 then */
  uint32_t rank;
  Term lanes[TYPE_MAX_RANK]; /* the lane symbols in init, step and closed */
} LoopValue;

typedef struct LoopRecord {
  OpId op;
  Term counter, trips; /* the results of the loop are the closed forms at counter = trips */
  Term
      go_on; /* of scf.while: the condition over the carried values; true for counter < trips, false at trips. Else 0 */
  uint32_t outer_count;
  Term outer[EXECUTE_MAX_COUNTERS]; /* counters of the loops around it, outermost first */
  Array(LoopValue) values;
} LoopRecord;

/* Carried values that were closed together through additive functionals: what these are at the end of the loop. */
typedef struct SumRecord {
  uint32_t n;
  Term state[4], functional[4]; /* functionals over the state's symbols */
  Term part[4], sum[4];         /* over the lanes: the values after the loop, and of the functionals */
} SumRecord;

/* Lanes that are compared with an argument: an index up to `most` is to be less than `bound`. */
typedef struct LaneBound {
  Term most, bound;
} LaneBound;

/* A tensor of a real launch, in numbers. */
typedef struct ExecuteTensor {
  uint32_t rank;
  int64_t extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK];
} ExecuteTensor;

typedef struct ExecuteOptions {
  bool zero_fill;         /* lanes of masked loads without `other` are 0, as GPUs do today */
  bool keeps_infinities;  /* values are NaN where infinities meet that have no sum, product or quotient (undefined.c);
                             else  anything */
  bool carries_memory;    /* what tensors hold is a value that loops carry (contents.c) */
  bool flat_contents;     /* by offset, whatever axes there are (strides.c) */
  bool tells_rows;        /* which step stores to a place is told by dividing by the length of a row (loops/places.c) */
  int64_t grid_sample[3]; /* of a real launch: tells which dimension is which, and is never a constant; 0: not known */
  bool is_grid_given;     /* as expressions: that grid and no other */
  bool is_alone[3];       /* one program along that axis, as in the launch: the claim speaks of no other */
  const ExecuteBinding *bindings;      /* by parameter; NULL: nothing is said */
  const ExecuteSample *samples;        /* likewise: the integers of a real launch */
  const ExecuteTensor *const *tensors; /* likewise: its tensors, of which NULL is not known */
} ExecuteOptions;

typedef struct ExecuteGiven {
  Term condition;
  const char *text, *why;
  AssumptionKind kind;
  Term of_contents; /* the same of elements that the program relies on, for all its counters; 0: not known, or none */
} ExecuteGiven;     /* that the user assumes, the kernel was made for, or the program relies on (required.c) */

typedef struct Effects {
  Arena *arena;
  TermTable *tt;
  const Program *program;
  const Function *function;
  ExecuteOptions options;
  ProgramExtent extent;   /* of the function */
  Array(Param) params;    /* of the function, and behind them its results */
  Array(Access) accesses; /* in program order */
  Array(RangeNeed) ranges;
  Array(DivisionNeed) divisions;
  Array(RequiredNeed) required; /* those that no condition on sizes grants are left here */
  Array(RegionNeed) regions;
  Array(ExecutedOp) executed; /* in program order */
  Array(Note) roundings, opaque, literals;
  Array(SumRecord) sums;
  Array(LoopRecord) loops; /* that were closed; unrolled ones leave no record */
  Array(GridNeed) grids;   /* assumed: without it a divisor in a grouped order would not be positive */
  Array(LaneBound) lane_bounds;
  uint32_t launch_says;  /* beyond what is assumed: operation/given.h */
  uint64_t launch_signs; /* ... of which arguments, by number */
  Array(Term) assumed;   /* what the kernel states of every launch, or of what memory holds (statements.c) */
  Array(ExecuteGiven) given;
  Term pid[3], grid[3];
  bool bits_as_reals, reals_as_bits; /* integers are taken for floats of their bits, floats for integers */
  bool rounds_bits;                  /* a value goes by its bits, which the interpreter has of f32 and f64 alone */
  bool meets_infinities;             /* there may be such values */
  Array(TensorAxes) axes;            /* of contents that are over several (strides.c): each access goes along them */
  bool requires_divisors;            /* the program relies on it that divisors of reals are not 0 */
  bool has_other_quotients;          /* and not of all of them */
  uint32_t want_equal, want_earlier; /* stopped for lack of it: parameter want_equal = want_earlier; 0: nothing helps */
  ReasonCode stop_code;              /* REASON_NONE: it went through */
  const char *stop_text;             /* execution could not go on: code and sentence */
  OpId stop_op;
} Effects;

/* How much there was of each at some time. */
typedef struct EffectsMarks {
  uint32_t accesses, ranges, divisions, required, roundings, opaque, literals, loops, regions, executed;
} EffectsMarks;

enum {
  EFFECTS_ACCESSES = 1, /* addresses, masks, values */
  EFFECTS_OLD = 2,      /* where loads see old contents */
  EFFECTS_NEEDS = 4,    /* ranges, divisions */
  EFFECTS_EXECUTED = 8, /* operations and regions of reductions */
  EFFECTS_LOOPS = 16,
  EFFECTS_LAUNCH = 32, /* sums, grids, bounds of lanes, statements, what is given */
  EFFECTS_ALL = 63
};
/* Each term of these parts that was found since becomes what `visit` says. Symbols that are named as such (of tensors,
 * lanes, counters, parameters) stay. */
typedef Term (*EffectsVisit)(Term t, void *payload);
void effects_map(Effects *effects, uint32_t parts, EffectsMarks from, EffectsVisit visit, void *payload);

/* A symbol becomes a term; everything is made again, so that the ranges known now are used. */
void effects_replace(Effects *effects, uint32_t parts, Term from, Term to);
void effects_rebuild(Effects *effects, uint32_t parts);

/* effects_print.c, effects_read.c: the text form, one item a line, in which operations go by their number in the
 * program. Reading makes the terms in a new table; NULL: the text is wrong, and *why says where. */
void effects_print(Effects *effects, Text *out);
Effects *effects_read(Arena *arena, const Program *program, const Function *function, const char *text,
                      const char **why);

/* The result that is written as that tensor, or NULL; and the extents of its axes, those of the programs first. */
enum { EXECUTE_MAX_RESULT_RANK = 8 };
const Param *execute_result(const Effects *effects, Term tensor);
uint32_t execute_result_shape(const Effects *effects, const Param *result, Term *extents);

/* BASE_dAXIS, for a size that no argument names; with `_` behind it where an argument has that name. */
const char *execute_size_name(const Effects *effects, const char *base, uint32_t axis);

/* The function that stands for what that atomic returns: of these programs, lanes and iterations, in this launch. */
const char *execute_atomic_name(Arena *arena, OpId op);

/* "softmax.py:12" or "line 34" of the IR. */
const char *execute_where(const Effects *effects, OpId op);

#endif
