/* Building a program, for readers of languages that are no MLIR: ops at the end of a block, with their types given.
 *
 * Ops with regions are opened first and closed when their regions are whole, so that the ids of a function follow each
 * other as they do in a text. */
#ifndef ASSAY_PROGRAM_BUILD_H
#define ASSAY_PROGRAM_BUILD_H

#include "program/program.h"

typedef struct Builder {
  Program *p;
  BlockId block; /* new ops go to its end */
  LocId loc;
  Span span;
  Array(NamedAttr) attrs; /* of the next op */
} Builder;

/* An op without regions; the first result, or 0. */
ValueId build_op(Builder *b, Opcode code, uint32_t operand_count, const ValueId *operands, uint32_t result_count,
                 const TypeId *results);
/* With one result of that type. */
ValueId build_unary(Builder *b, Opcode code, ValueId a, TypeId result);
ValueId build_binary(Builder *b, Opcode code, ValueId x, ValueId y, TypeId result);
ValueId build_integer(Builder *b, TypeId type, int64_t value);
ValueId build_real(Builder *b, TypeId type, double value);
ValueId build_compare(Builder *b, Opcode code, const char *predicate, ValueId x, ValueId y);

/* Attributes of the op that is built next. */
void build_attr_keyword(Builder *b, const char *name, const char *text);
void build_attr_string(Builder *b, const char *name, const char *text);
void build_attr_unit(Builder *b, const char *name);
/* Values of attributes. */
AttrId build_unit(Builder *b);
AttrId build_number(Builder *b, int64_t value);
AttrId build_text(Builder *b, const char *text);
AttrId build_list(Builder *b, uint32_t count, const AttrId *items);
/* The dictionary (0: an empty one) with one more entry. */
AttrId build_entry(Builder *b, AttrId dictionary, const char *key, AttrId value);
void build_attr(Builder *b, const char *name, AttrId value);
/* The attributes of an argument that points to integers of which the source says whether they have a sign. */
AttrId build_sign(Builder *b, bool is_signed);
/* An attribute of an op that is closed already. */
void build_add_attr(Builder *b, OpId op, const char *name, AttrId value);

OpId build_open(Builder *b, Opcode code);
/* A region of the open op with one block of these arguments; the block. */
BlockId build_block(Builder *b, OpId op, uint32_t argument_count, const TypeId *types);
ValueId build_close(Builder *b, OpId op, uint32_t operand_count, const ValueId *operands, uint32_t result_count,
                    const TypeId *results, uint32_t region_count, const RegionId *regions);

/* True if it is an integer that is written in the program. */
bool build_is_constant(const Program *p, ValueId value, int64_t *out);
LocId build_loc(Builder *b, const char *file, uint32_t line, uint32_t column);
/* A location with the name that the author gave. */
LocId build_named_loc(Builder *b, const char *name, LocId child);

#endif
