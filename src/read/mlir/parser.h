/* Parser of MLIR text, private to src/read.
 *
 * parser.c    tokens, diagnostics, scopes of SSA names, forward references
 * types.c attributes.c    types; attributes and locations
 * ops.c       ops after the table ops.def, generic forms, regions and blocks
 * special.c   the ops whose format is a function of its own
 * normalise.c inherent attributes of all versions to one set of names
 * inline.c    tt.call
 * affine.c    affine maps and sets, layouts of memrefs
 * dialects.c  the other dialects of MLIR, after the table dialects.def; mlir.c reads files of them
 * control.c vectors.c     their loops and vectors
 * triton.c    what kind of file this is; the order of it all
 *
 * A parse function returns false (or 0) after it has added a diagnostic; `parse_block` recovers at the next op. */
#ifndef ASSAY_READ_PARSER_H
#define ASSAY_READ_PARSER_H

#include "program/program.h"
#include "read/mlir/lexer.h"

enum { PARSE_DEPTH = 256, TENSOR_LANES = 1 << 20 /* Triton's own limit */ };

enum { ANY = 255 };

typedef enum Traits { PURE, PARTIAL, EFFECT, TERMINATOR, FUNCTION, REGIONS } Traits;

typedef struct OpRow {
  const char *name;
  uint8_t low, high, results, traits;
  const char *format;
} OpRow;

extern const OpRow op_rows[OP_COUNT];

typedef struct Operand {
  ValueId value;
  TypeId type; /* as declared at the use; 0: not declared */
  Span span;
} Operand;

/* What an SSA name stands for now: a value, or the first of a pack. */
typedef struct Binding {
  ValueId first;
  uint32_t count;
} Binding;

typedef struct Undo {
  Name name;
  Binding before;
} Undo;

/* A use that came before its definition: `placeholder` is replaced by `value` at the end of the function. */
typedef struct Forward {
  Name name;
  uint32_t index, older; /* older: the one before of the same name, + 1 */
  ValueId placeholder, value;
  Span span;
} Forward;

typedef struct Label {
  Name name;
  BlockId block;
  bool defined;
  uint32_t shadowed; /* what label_of held before */
  Span span;         /* of the first mention */
} Label;

/* %a or %a:2 on the left of `=`. */
typedef struct LeftName {
  Name name;
  uint32_t count;
  Span span;
} LeftName;

typedef struct Alias {
  Name name;
  AttrId attr;
  LocId loc;
  TypeId type;
  bool defined;
  Span used; /* of a location: where first */
} Alias;

typedef struct Parser {
  Program *p;
  Arena *arena;
  InternTable *names;
  Source *source;
  DiagnosticList *diagnostics;
  Lexer lexer;
  uint32_t depth;
  uint32_t closed;  /* see parser_skip_balanced */
  bool ttgir;       /* a sign of TTGIR was reported */
  bool mlir;        /* MLIR at large: all dialects, dynamic shapes */
  bool in_function; /* functions do not nest: forward references belong to one */
  bool stop;        /* too many errors, or one that makes the rest pointless */

  Opcode *opcode_of; /* by Name, below opcode_names */
  uint32_t opcode_names;
  const OpRow **dialect_row; /* likewise, of ops of dialects.def */
  uint32_t dialect_names;

  Array(Binding) bindings; /* by Name */
  Array(Undo) undo;
  Array(Forward) forwards;    /* of the current function */
  Array(uint32_t) forward_of; /* by Name: the newest unresolved forward + 1 */
  Array(Label) labels;        /* of the open regions, innermost last */
  Array(uint32_t) label_of;   /* by Name: index + 1 in labels */
  uint32_t label_base;        /* first label of the innermost region */
  Array(Alias) aliases;
  Array(uint32_t) alias_of; /* by Name: index + 1 */
  Array(OpId) attr_seen;    /* by Name: the op that had this attribute last */

  /* Stacks of the ops under construction. */
  Array(Operand) operands;
  Array(TypeId) results;
  Array(NamedAttr) attrs;
  Array(RegionId) op_regions;
  Array(Successor) successors;
  Array(AttrId) items;
  Array(LeftName) left;
} Parser;

/* An op under construction: bases into the stacks. */
typedef struct Draft {
  OpId id;
  Opcode code;
  Name name;
  const OpRow *row;
  uint32_t operands, results, attrs, regions, successors, left;
  uint32_t typed; /* operands that have their declared type */
  bool generic;
  bool is_skipped; /* its custom form is not read: see PROGRAM_SKIPPED */
  Span span;
} Draft;

/* ---- parser.c */
void parser_init(Parser *r, Program *p, DiagnosticList *diagnostics);
Span parser_span(const Parser *r); /* of the current token */
bool parser_error(Parser *r, const char *code, Span span, const char *help, const char *format, ...)
    __attribute__((format(printf, 5, 6)));         /* returns false */
bool parser_expected(Parser *r, const char *what); /* "expected WHAT, found TOKEN"; returns false */
bool parser_accept(Parser *r, char c);
bool parser_expect(Parser *r, char c);
bool parser_accept_word(Parser *r, const char *word);
bool parser_expect_word(Parser *r, const char *word);
bool parser_accept_arrow(Parser *r);
bool parser_expect_arrow(Parser *r);
bool parser_enter(Parser *r); /* one level deeper; false beyond the limit */
void parser_leave(Parser *r);
Name parser_name(Parser *r, uint32_t skip);   /* the current token's text without its first `skip` bytes */
bool parser_integer(Parser *r, int64_t *out); /* [-]digits */
/* The contents of the current string or quoted symbol token, unescaped. */
Name parser_string(Parser *r, uint32_t skip);
/* Skip a balanced text that begins at the current ( < [ or {; `closed` is then the offset of the last bracket. */
bool parser_skip_balanced(Parser *r);

uint32_t parser_scope_begin(const Parser *r);
void parser_scope_end(Parser *r, uint32_t mark);
ValueId parser_new_value(Parser *r, TypeId type, OpId op, BlockId block, uint32_t index, Name name);
bool parser_define(Parser *r, Name name, ValueId first, uint32_t count, Span span);
bool parser_use(Parser *r, Operand *out); /* %name or %name#k */
bool parser_function_begin(Parser *r, Span span, uint32_t *mark);
void parser_function_end(Parser *r, uint32_t mark, OpId first_op);
Alias *parser_alias(Parser *r, Name name);
char *parser_show_type(Parser *r, TypeId type);

/* ---- types.c */
TypeId parse_type(Parser *r);
TypeId parse_stripped_type(Parser *r, TypeKind kind); /* <T> for !tt.ptr<T> */
/* (A, B) or A: pushes on r->results. */
bool parse_type_list(Parser *r);
/* (A, B) -> R: function type. */
TypeId parse_function_type(Parser *r);
TypeId type_bool_like(Parser *r, TypeId shape);

/* ---- attributes.c */
AttrId attr_new(Parser *r, Attr attr);
AttrId attr_keyword(Parser *r, const char *text);
AttrId attr_int(Parser *r, int64_t value, uint32_t width);
AttrId parse_attribute(Parser *r);
AttrId parse_literal_of(Parser *r, TypeId type); /* dense<..> or another value, whose type stands in front */
/* {a = 1, b}: pushes on r->attrs. */
bool parse_attribute_entries(Parser *r);
bool parse_optional_dict(Parser *r);
/* loc(...) at the word `loc`, or 0 when there is none. */
bool parse_optional_loc(Parser *r, LocId *out);

/* ---- ops.c */
bool parse_op(Parser *r, BlockId block);
void parse_block_ops(Parser *r, BlockId block); /* up to a label, `}` or the end; recovers from errors */
bool parse_format(Parser *r, Draft *d, const char *format);
/* { blocks } with these entry arguments already declared by the op (types, names), if any. */
typedef struct Argument {
  Name name;
  TypeId type;
  LocId loc;
  Span span;
} Argument;
RegionId region_new(Parser *r, OpId parent);
BlockId block_new(Parser *r, RegionId region, Name label);
/* Arguments are the block's first; defines their names. */
bool block_arguments(Parser *r, BlockId block, const Argument *arguments, uint32_t count);
/* `terminator` != OP_NONE: added when the block does not end in one. */
bool parse_region(Parser *r, Draft *d, const Argument *arguments, uint32_t count, Opcode terminator);
bool parse_empty_region(Parser *r, Draft *d);
bool parse_operand(Parser *r, Draft *d);
bool parse_operand_list(Parser *r, Draft *d); /* zero or more, separated by commas */
bool parse_successor(Parser *r, Draft *d);
void draft_attr(Parser *r, const char *name, AttrId value);
AttrId draft_get_attr(Parser *r, const Draft *d, const char *name);
bool draft_drop_attr(Parser *r, const Draft *d, const char *name);

/* ---- special.c: for the formats "!name" */
bool parse_special(Parser *r, Draft *d, const char *name);
/* The Function of a finished tt.func: from its attributes (generic form). */
bool function_from_attributes(Parser *r, Draft *d);

/* ---- normalise.c */
void opcode_table_fill(Parser *r);
bool normalise_attributes(Parser *r, Draft *d);

/* ---- affine.c */
const AffineMap *parse_affine_map(Parser *r, bool is_set);
AttrId parse_affine_attribute(Parser *r); /* at the word affine_map or affine_set */
const AffineMap *parse_affine_operands(Parser *r, Draft *d, char close);
const AffineMap *parse_affine_bounds(Parser *r, Draft *d, const char *word, uint32_t dims, int64_t *sizes);
AttrId parse_strided(Parser *r); /* at the word strided */
AttrId attr_integers(Parser *r, const int64_t *values, uint32_t count);

/* ---- dialects.c */
void dialect_table_fill(Parser *r);
const OpRow *dialect_row(const Parser *r, Name name);      /* NULL: not in dialects.def */
bool parse_dialect(Parser *r, Draft *d, const char *name); /* formats "!name" */
bool parse_alias_definition(Parser *r);
uint32_t draft_operand_count(const Parser *r, const Draft *d);
Operand *draft_operand(Parser *r, const Draft *d, uint32_t i);
bool draft_result(Parser *r, TypeId type); /* false: of no type */
TypeId type_index(Parser *r);
bool parse_subscripts(Parser *r, Draft *d);                /* [%i, ..] */
TypeId parse_shaped_type(Parser *r, Draft *d, uint32_t i); /* : T of the operand `i` */
/* [%a, 3, ..]: numbers, and operands as TYPE_DYNAMIC. */
bool parse_mixed_attribute(Parser *r, Draft *d, const char *name, char open, char close);
bool parse_dictionary_alias(Parser *r); /* at #name: pushes on r->attrs */

/* ---- vectors.c: formats "!name" of vectors */
bool parse_vector(Parser *r, Draft *d, const char *name);

/* ---- control.c: formats "!name" of loops, and of memrefs that are seen otherwise */
bool parse_control(Parser *r, Draft *d, const char *name);

/* ---- inline.c */
/* By name, 1 + the place in the program's list; NULL, with an error, where two functions have one name. */
uint32_t *parser_index_functions(Parser *r);
bool inline_calls(Parser *r);

#endif
