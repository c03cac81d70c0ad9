/* The program: SSA with regions, close to the input. One form for every reader.
 *
 * All ids are 32-bit and dense; 0 means "none" for every kind of id, so real ones start at 1. Everything lives
 * in the arena of the program. Ops hold slices into flat arrays; a slice never moves once its op is finished.
 * The opcodes and their assembly formats are rows of ops.def. */
#ifndef ASSAY_PROGRAM_PROGRAM_H
#define ASSAY_PROGRAM_PROGRAM_H

#include <stdbool.h>

#include "base/array.h"
#include "base/intern.h"
#include "base/source.h"

typedef uint32_t TypeId, ValueId, OpId, BlockId, RegionId, LocId, AttrId;

typedef enum Opcode {
  OP_NONE = 0,
  OP_UNKNOWN, /* generic form of an op that is not in the table; `name` tells which */
#define OP(id, name, ...) OP_##id,
#include "program/ops.def"
#undef OP
  OP_COUNT
} Opcode;

/* The column `family` of ops.def. */
typedef enum OpFamily {
  OP_FAMILY_NONE, /* of no op of the table */
  OP_FAMILY_INT,
  OP_FAMILY_SHIFT,
  OP_FAMILY_DIVISION,
  OP_FAMILY_WIDE,
  OP_FAMILY_BITS,
  OP_FAMILY_COMPARE,
  OP_FAMILY_SELECT,
  OP_FAMILY_WIDTH,
  OP_FAMILY_CONVERT,
  OP_FAMILY_BITCAST,
  OP_FAMILY_FLOAT,
  OP_FAMILY_FUNCTION,
  OP_FAMILY_EXTERN,
  OP_FAMILY_SPREAD,
  OP_FAMILY_PERMUTE,
  OP_FAMILY_COMBINE,
  OP_FAMILY_LEAF,
  OP_FAMILY_FOLD,
  OP_FAMILY_MEMORY,
  OP_FAMILY_BLOCK,
  OP_FAMILY_ARRAY,
  OP_FAMILY_CLAIM,
  OP_FAMILY_IDLE,
  OP_FAMILY_CONTROL,
  OP_FAMILY_END,
  OP_FAMILY_WHOLE,
} OpFamily;

/* ---- types (hash-consed: equal iff same id) ---- */

typedef enum TypeKind {
  TYPE_NONE = 0,
  TYPE_INT,        /* width; signedness is in the ops (sign: 0 signless, 1 si, 2 ui) */
  TYPE_INDEX,      /* 64 bit */
  TYPE_FLOAT,      /* float_format */
  TYPE_POINTER,    /* element; address_space (1 by default) */
  TYPE_TENSOR,     /* rank, dims, element */
  TYPE_DESCRIPTOR, /* element: a tensor type */
  TYPE_ARRAY,      /* the content of an array: rank, element; an element for every index */
  TYPE_FUNCTION,   /* element list: arguments, then results; rank = number of arguments, dims unused */
  TYPE_MEMREF,     /* rank, dims, element; `layout` (0: row-major), whose text is `text` */
  TYPE_OPAQUE,     /* anything else that was printed: `text` */
} TypeKind;

typedef enum FloatFormat {
  FLOAT_F16,
  FLOAT_BF16,
  FLOAT_F32,
  FLOAT_F64,
  FLOAT_F80, /* long double, as a value of 128 bits; its constants are those of f64 */
  FLOAT_TF32,
  FLOAT_F8E4M3FN,
  FLOAT_F8E4M3FNUZ,
  FLOAT_F8E4M3B11FNUZ,
  FLOAT_F8E5M2,
  FLOAT_F8E5M2FNUZ,
  FLOAT_FORMAT_COUNT
} FloatFormat;

enum { TYPE_MAX_RANK = 16 };
#define TYPE_DYNAMIC INT64_MIN /* a dimension `?`, of MLIR only */

typedef struct Type {
  TypeKind kind;
  uint32_t width;         /* INT; 64 for INDEX; bits of FLOAT */
  uint8_t sign;           /* INT */
  FloatFormat format;     /* FLOAT */
  uint32_t address_space; /* POINTER */
  uint32_t rank;
  int64_t dims[TYPE_MAX_RANK]; /* TENSOR, MEMREF */
  TypeId element;              /* POINTER, TENSOR, DESCRIPTOR, MEMREF */
  Name text;                   /* OPAQUE; encoding of a TENSOR (0: none; "vector": it is a vector); MEMREF */
  AttrId layout;               /* MEMREF: a MAP, or an ARRAY of offset and strides */
  const TypeId *members;       /* FUNCTION */
  uint32_t member_count;
} Type;

/* ---- attributes ---- */

typedef enum AttrKind {
  ATTR_NONE = 0,
  ATTR_UNIT,    /* a key without a value */
  ATTR_BOOL,    /* integer */
  ATTR_INT,     /* integer : type */
  ATTR_FLOAT,   /* bits (the raw pattern in `type`'s format) : type */
  ATTR_STRING,  /* text */
  ATTR_SYMBOL,  /* @text */
  ATTR_KEYWORD, /* a bare word such as `tf32`, `ca`, `slt` */
  ATTR_TYPE,    /* type */
  ATTR_ARRAY,   /* items; also array<i32: ...> (then type is the element type) */
  ATTR_DENSE,   /* dense<...> : type; one item = splat, else all elements in row-major order */
  ATTR_DICT,    /* keys, items */
  ATTR_MAP,     /* affine_map, affine_set: map */
  ATTR_RAW,     /* anything else, verbatim: text */
} AttrKind;

typedef enum AffineKind {
  AFFINE_CONSTANT,
  AFFINE_DIM,
  AFFINE_SYMBOL,
  AFFINE_ADD,
  AFFINE_MUL,
  AFFINE_MOD,
  AFFINE_FLOORDIV,
  AFFINE_CEILDIV
} AffineKind;

typedef struct AffineNode {
  AffineKind kind;
  int64_t value;        /* of a constant; number of a dimension or symbol */
  uint32_t left, right; /* nodes before this one */
} AffineNode;

/* Results are nodes. Of a set they are constraints: node >= 0, or node == 0 where `equal`. */
typedef struct AffineMap {
  uint32_t dims, symbols, node_count, result_count;
  const AffineNode *nodes;
  const uint32_t *results;
  const bool *equal; /* NULL: it is no set */
} AffineMap;

typedef struct Attr {
  AttrKind kind;
  TypeId type;
  int64_t integer;
  uint64_t bits;
  Name text;
  const AttrId *items;
  const Name *keys;
  uint32_t count;
  const AffineMap *map;
} Attr;

/* ---- locations ---- */

typedef enum LocKind { LOC_UNKNOWN = 0, LOC_FILE, LOC_NAME, LOC_CALLSITE, LOC_FUSED } LocKind;

typedef struct Loc {
  LocKind kind;
  Name text;             /* FILE: file name; NAME: the name */
  uint32_t line, column; /* FILE */
  LocId child, caller;   /* NAME: child; CALLSITE: child at caller; FUSED: child = the first */
  const LocId *parts;    /* FUSED: all of them */
  uint32_t part_count;
} Loc;

/* ---- values, ops, blocks, regions ---- */

typedef struct Value {
  TypeId type;
  OpId op;        /* defining op, or 0 for a block argument */
  BlockId block;  /* of a block argument */
  uint32_t index; /* result number or argument number */
  Name name;      /* SSA name without %, as written ("x_ptr", "0", "cst_12"); of pack %44:3, "44" for all */
  LocId loc;      /* of a block argument */
} Value;

typedef struct NamedAttr {
  Name name;
  AttrId value;
} NamedAttr;

typedef struct Successor {
  BlockId block;
  const ValueId *args;
  uint32_t arg_count;
} Successor;

/* Layout of the ops with regions, as MLIR has it:
 *   scf.for    operands lb, ub, step, inits..; region 0: one block (iv, iters..) ending in scf.yield
 *   scf.if     operand cond; regions then, else (always two; an absent else has no blocks)
 *   scf.while  operands inits..; region 0 ends in scf.condition(cond, args..), region 1 (args..) in scf.yield
 *   tt.reduce, tt.scan   operands n; region 0: one block of 2n arguments (first n: accumulator)
 *   cf.br, cf.cond_br    successors carry their own arguments; operands hold the condition only */
typedef struct Op {
  Opcode code;
  Name name; /* full name "tt.load" */
  uint32_t operand_count, result_count, attr_count, region_count, successor_count;
  const ValueId *operands;
  ValueId first_result; /* results are consecutive ids */
  const NamedAttr *attrs;
  const RegionId *regions;
  const Successor *successors;
  BlockId block; /* the block that holds it */
  LocId loc;
  Span span; /* in the source text */
} Op;

typedef struct Block {
  RegionId region;
  ValueId first_arg; /* block arguments are consecutive ids */
  uint32_t arg_count;
  Array(OpId) ops;
  Name label; /* "bb0" */
} Block;

typedef struct Region {
  OpId parent;
  Array(BlockId) blocks; /* entry first */
} Region;

/* A function is the op FUNC with one region; its name, visibility and argument attributes stand here. */
typedef struct Function {
  OpId op;
  Name name;
  bool is_public;
  bool is_straight;      /* its source has no loop */
  const char *signature; /* the parameters that its source has, `*` before arrays, a blank between; NULL: not known */
  TypeId type;
  const AttrId *arg_attrs; /* a DICT each, or 0; as many as the entry block has arguments */
} Function;

/* A function that its reader does not read, and why. */
typedef struct ProgramRefusal {
  Name name;
  const DiagnosticList *why;
  bool is_straight; /* as of Function */
} ProgramRefusal;

/* What readers of host languages say beside the operations are attributes:
 *
 *   of the module     assay.host, assay.reads_behind (see Program)
 *   of a function     assay.relies = [["what it relies on and no comparison says", "file:line"], ..]
 *   of an argument    assay.shape = [SIZE, ..]: of what it points to
 *                     assay.part = "1_x": a member x of the second parameter, or the name of a variable of the file;
 *                       those that the function uses are such arguments
 *                     assay.nested: vectors of vectors, whose rows are taken to have one length
 *                     assay.result: what the function returns, and no memory of its caller
 *
 *   SIZE = number | "name of an argument" | ["+" | "-" | "*", SIZE, SIZE]; `unit` for a first axis of which nothing is
 *   known */
#define PROGRAM_HOST "assay.host"
#define PROGRAM_READS_BEHIND "assay.reads_behind"
#define PROGRAM_RELIES "assay.relies"
#define PROGRAM_SHAPE "assay.shape"
#define PROGRAM_NESTED "assay.nested"
#define PROGRAM_PART "assay.part"
#define PROGRAM_RESULT "assay.result"

typedef struct Program {
  Arena *arena;
  InternTable *names;
  Source *source;
  Array(Type) types;
  Array(Attr) attrs;
  Array(Loc) locs;
  Array(Value) values;
  Array(Op) ops;
  Array(Block) blocks;
  Array(Region) regions;
  Array(Function) functions;
  OpId module;         /* 0 when the text has no module op */
  const char *effects; /* that the input says it has, as text (read/effects.h); NULL: it says nothing */
  bool is_host;        /* functions of a host language: one program each, that no launch surrounds */
  bool reads_behind;   /* a number among the arguments lies in memory there: what is stored does not change it */
  Array(ProgramRefusal) refusals;
  uint32_t *type_slots, type_slot_count;
} Program;

Program *program_new(Arena *arena, InternTable *names, Source *source);

/* Hash-consing constructors of types. */
TypeId program_type(Program *program, const Type *type);
TypeId program_type_int(Program *program, uint32_t width);
TypeId program_type_float(Program *program, FloatFormat format);
TypeId program_type_tensor(Program *program, TypeId element, uint32_t rank, const int64_t *dims);
TypeId program_type_pointer(Program *program, TypeId element);
TypeId program_type_array(Program *program, TypeId element, uint32_t rank);

static inline const Type *program_get_type(const Program *p, TypeId id) { return &p->types.data[id]; }
static inline const Attr *program_get_attr(const Program *p, AttrId id) { return &p->attrs.data[id]; }
static inline const Value *program_get_value(const Program *p, ValueId id) { return &p->values.data[id]; }
static inline const Op *program_get_op(const Program *p, OpId id) { return &p->ops.data[id]; }
static inline const Block *program_get_block(const Program *p, BlockId id) { return &p->blocks.data[id]; }
static inline const Region *program_get_region(const Program *p, RegionId id) { return &p->regions.data[id]; }
static inline const Type *program_value_type(const Program *p, ValueId id) {
  return &p->types.data[p->values.data[id].type];
}
static inline ValueId program_result(const Op *op, uint32_t i) { return op->first_result + i; }

/* The attribute of that name (inherent attributes such as `predicate`, `axis`, `value` included), or 0. */
AttrId program_op_attr(const Program *program, const Op *op, const char *name);
/* The attribute of an operation of MLIR whose custom form is kept as text: its operands and regions are not known. */
#define PROGRAM_SKIPPED "custom form"
/* That of an argument of a function, or 0. */
AttrId program_arg_attr(const Program *program, const Function *function, uint32_t argument, const char *name);
/* The sizes of what the argument points to, their number in `rank`; NULL: nothing is said, or no shape. */
const AttrId *program_arg_shape(const Program *program, const Function *function, uint32_t argument, uint32_t *rank);
/* Reads `is_host` and `reads_behind` off the module. */
void program_note_host(Program *program);
/* Its integer, or `otherwise`. */
int64_t program_op_int(const Program *program, const Op *op, const char *name, int64_t otherwise);
/* The integer of a constant, or of all its lanes; false: it is none. */
bool program_op_literal(const Program *program, const Op *op, int64_t *out);
/* The ops and values of one function, of a thousand perhaps: ids from first up to end, not all of which need be its.
 * All, if it calls others. */
typedef struct ProgramExtent {
  OpId first_op, end_op;
  ValueId first_value, end_value;
} ProgramExtent;
ProgramExtent program_extent(const Program *program, const Function *function);
/* Its keyword or string text, or NULL. */
const char *program_op_text(const Program *program, const Op *op, const char *name);

/* The tensor type of that shape with another element; `element` itself when `shape` is a scalar. */
TypeId program_type_with_element(Program *program, TypeId shape, TypeId element);

/* Element type of a tensor, the type itself otherwise; number of lanes (1 for scalars). */
TypeId program_element_type(const Program *program, TypeId type);
int64_t program_lane_count(const Program *program, TypeId type);

const char *program_opcode_name(Opcode code);
OpFamily program_op_family(Opcode code);
bool program_op_is_pure(Opcode code);               /* no effect */
bool program_op_is_total(Opcode code);              /* and a value for all operands: unused, it may be dropped */
uint32_t program_float_bits(FloatFormat format);    /* 8, 16, 32, 64 */
const char *program_float_name(FloatFormat format); /* "f32" */
/* The exact double of a bit pattern (NaN and infinities included), and the pattern nearest to a double. */
double program_float_decode(FloatFormat format, uint64_t bits);
uint64_t program_float_encode(FloatFormat format, double value); /* round to nearest even */

/* The values that the function returns. Its results are outputs of a program, as what it stores is. */
uint32_t program_result_count(const Program *program, const Function *function);
TypeId program_result_type(const Program *program, const Function *function, uint32_t i);
/* True if the function asks for its program id along that axis, 0 to 2. Then each program of a launch has a result of
 * its own. */
bool program_asks_for_id(const Program *program, const Function *function, uint32_t axis);

/* "f32", "i64", "!tt.ptr<f32>", "tensor<4x8xf32>": as in the text form. */
void program_type_print(const Program *program, TypeId type, Text *out);
void program_map_print(const AffineMap *map, Text *out); /* the same text for the same linear expressions */

/* The innermost file location of an op ("softmax.py", 12); false when the IR has none. For a callsite the callee's
 * line, as a user would click on it, unless the callee is of Triton's own library. */
bool program_op_line(const Program *program, LocId loc, const char **file, uint32_t *line, uint32_t *column);
/* The variable that a location names; NULL: none. */
const char *program_author_name(const Program *program, LocId loc);
/* The author's name of a function argument: its NameLoc, else its SSA name. */
const char *program_arg_name(const Program *program, ValueId arg);
/* The variable that a block argument is. A printer of MLIR leaves its location out, and calls it `total`, or `total_7`
 * where that is taken. */
const char *program_variable_name(const Program *program, ValueId value);

/* print.c: the text form, which is MLIR assembly that Triton's own parser accepts. */
void program_print(const Program *program, Text *out);

/* check.c: the invariants (dominance, operand and result types, terminators); adds diagnostics, true when sound. */
bool program_check(const Program *program, DiagnosticList *diagnostics);
/* Of operations of any dialect, dominance alone. */
bool program_check_uses(const Program *program, DiagnosticList *diagnostics);
/* For readers of languages: a function that breaks one is refused, and is none of the program's. */
void program_check_each(Program *program);

#endif
