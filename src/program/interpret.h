/* The concrete interpreter: runs a kernel on arrays of numbers, program by program.
 *
 * It is the oracle of `probable`, and it watches what it runs: accesses out of bounds, undefined lanes that reach
 * memory, two programs that touch one element, wrapped integers that become addresses, divisions by zero.
 * A launch that cannot be run to its end says so in the status; what was found and written until then stands. */
#ifndef ASSAY_PROGRAM_INTERPRET_H
#define ASSAY_PROGRAM_INTERPRET_H

#include "program/program.h"

/* One element: `real` for FLOAT; `integer` for everything else, sign-extended (i1: 0 or 1). */
typedef union InterpretCell {
  double real;
  int64_t integer;
} InterpretCell;

enum { INTERPRET_THEN = 1, INTERPRET_ELSE = 2 };
enum {
  INTERPRET_WRITTEN = 1,
  INTERPRET_UNDEFINED = 2,
  INTERPRET_UNSEEN = 4
}; /* bits of `shadow`; UNSEEN: by a lane that was not computed */

/* With `sparse`: an axis of LEAST positions or more is computed at the first HEAD, the last TAIL, and the two ends of
 * the run between. */
enum {
  INTERPRET_SPARSE_HEAD = 14,
  INTERPRET_SPARSE_TAIL = 2,
  INTERPRET_SPARSE_DIM = INTERPRET_SPARSE_HEAD + 2 + INTERPRET_SPARSE_TAIL,
  INTERPRET_SPARSE_LEAST = 32
};

typedef struct InterpretBuffer {
  const char *name;
  TypeId element; /* INT, INDEX, FLOAT or POINTER */
  int64_t count;
  InterpretCell *cells; /* changed in place */
  bool uninitialised;   /* elements not yet written read as undefined */
  const bool *padding;  /* `count` flags: places between the elements of a tensor, out of its bounds; NULL: none */
  uint8_t *shadow;      /* out, `count` bytes in the arena of the launch */
} InterpretBuffer;

typedef enum InterpretArgumentKind {
  INTERPRET_ADDRESS,
  INTERPRET_INTEGER,
  INTERPRET_REAL,
  INTERPRET_DESCRIPTOR
} InterpretArgumentKind;

typedef struct InterpretArgument {
  InterpretArgumentKind kind;
  uint32_t buffer; /* ADDRESS, DESCRIPTOR: from 0 */
  int64_t offset;  /* in elements of the buffer */
  int64_t integer;
  double real;
  const int64_t *shape, *strides; /* DESCRIPTOR; as many as its rank */
} InterpretArgument;

typedef enum InterpretOrder { INTERPRET_FORWARD, INTERPRET_BACKWARD, INTERPRET_PERMUTED } InterpretOrder;
typedef enum InterpretFold { INTERPRET_TREE, INTERPRET_LEFT, INTERPRET_RIGHT } InterpretFold;

typedef struct InterpretOptions {
  bool exact_reals; /* floats are doubles, no cast rounds: the meaning that formulas have */
  bool no_races;    /* do not watch for races: less memory and time */
  bool fills_lanes; /* masked lanes of a load without `other` are defined: `undefined_value` */
  bool no_nans;     /* a NaN that an operation makes of numbers is undefined, whatever becomes of it */
  bool saturates;   /* a float that does not fit an integer becomes the nearest one, and not undefined */
  bool sparse; /* compute a few lanes of each long axis (interpret_sparse.c): elements may stay UNSEEN, findings may be
                  missed */
  InterpretOrder order;
  uint64_t seed;          /* of PERMUTED */
  InterpretFold fold;     /* order of tt.reduce, which the IR leaves open */
  int64_t first, count;   /* programs to run, by number in the chosen order; count 0: all */
  double noise;           /* sums, products and quotients that are no whole numbers move by up to this share of them */
  double undefined_value; /* what undefined lanes happen to hold */
  uint64_t step_limit;    /* lanes computed; 0: INTERPRET_STEP_LIMIT */
} InterpretOptions;

#define INTERPRET_STEP_LIMIT 20000000000u

typedef enum InterpretStatus {
  INTERPRET_OK,
  INTERPRET_UNSUPPORTED, /* an op that is not executed: `op` and `message` name it */
  INTERPRET_LIMIT,       /* steps, depth or lanes */
  INTERPRET_INVALID,     /* arguments that do not fit, or an ill-formed program */
  INTERPRET_NEEDS_LANES, /* `sparse` does not do */
} InterpretStatus;

typedef enum InterpretFindingKind {
  INTERPRET_OUT_OF_BOUNDS,   /* buffer, element (buffer -1: no buffer is near; element is the address) */
  INTERPRET_UNDEFINED_STORE, /* an undefined value was written: buffer, element */
  INTERPRET_UNDEFINED_USE,   /* a mask, an address, a condition or a loop bound is undefined */
  INTERPRET_RACE, /* buffer, element, other: the other program (-1: several; itself: another lane, no barrier) */
  INTERPRET_DUPLICATE_STORE, /* two lanes wrote different values with no barrier between: buffer, element */
  INTERPRET_OVERFLOW,        /* `op` wrapped (operands a, b) and its value became an address that was used */
  INTERPRET_DIVISION,        /* by zero, or least value by -1: a, b */
  INTERPRET_INDEX,           /* tt.gather or tt.histogram index out of range: a */
  INTERPRET_ASSERT,          /* tt.assert or cf.assert that is false */
  INTERPRET_ASSUME,          /* llvm.intr.assume that is false */
  INTERPRET_FINDING_KINDS,
} InterpretFindingKind;

typedef struct InterpretFinding {
  InterpretFindingKind kind;
  OpId op;
  int32_t program[3]; /* program id */
  int64_t lane, element, a, b, other;
  int32_t buffer;
  uint64_t times; /* that this kind was found at this op and buffer; the rest tells of the first time */
} InterpretFinding;

typedef struct InterpretResult {
  InterpretStatus status;
  const char *message; /* NULL if OK */
  OpId op;
  Array(InterpretFinding) findings; /* the first of each kind, op and buffer */
  uint64_t totals[INTERPRET_FINDING_KINDS];
  uint64_t zero_divisors; /* in functions of a host language: floats that are 0 and are divided by */
  uint64_t steps;
  int64_t programs;   /* run to their end */
  uint32_t *coverage; /* by op of the function, from its first: of a loop the most iterations, of scf.if the arms that
                         were taken (INTERPRET_THEN | INTERPRET_ELSE); NULL: nothing was run */
} InterpretResult;

/* Behind the arguments of the parameters stands the address of each result of the function.
 * Everything that the result points to lives in `arena`. A failure of the guard (memory, deadline) is thrown. */
void interpret_launch(Arena *arena, const Program *program, const Function *function, const int32_t grid[3],
                      InterpretBuffer *buffers, uint32_t buffer_count, const InterpretArgument *arguments,
                      uint32_t argument_count, const InterpretOptions *options, InterpretResult *result);

const char *interpret_status_name(InterpretStatus status);
const char *interpret_finding_name(InterpretFindingKind kind); /* "out_of_bounds" */

/* Elements as they lie in memory (little-endian; i1 and narrower take a byte): bytes of one, and both directions. */
uint32_t interpret_element_size(const Program *program, TypeId element);
void interpret_decode(const Program *program, TypeId element, const void *bytes, int64_t count, InterpretCell *cells);
void interpret_encode(const Program *program, TypeId element, const InterpretCell *cells, int64_t count, void *bytes);

#endif
