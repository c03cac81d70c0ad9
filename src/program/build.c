/* Building a program (see build.h).
 *
 * An op takes its id when it is opened and its results when it is closed, as in the reader of texts: the values of its
 * regions come before its own results. Operands and regions are copied into the arena of the program. */
#include "program/build.h"

#include <string.h>

static const void *copy(Builder *b, const void *data, uint32_t count, size_t size) {
  return count ? memcpy(arena_alloc(b->p->arena, count * size), data, count * size) : NULL;
}

OpId build_open(Builder *b, Opcode code) {
  Program *p = b->p;
  const char *name = program_opcode_name(code);
  guard_tick(p->arena->guard);
  array_push(
      p->arena, &p->ops,
      (Op){.code = code, .name = intern_text(p->names, name), .block = b->block, .loc = b->loc, .span = b->span});
  OpId id = p->ops.count - 1;
  if (b->block) array_push(p->arena, &p->blocks.data[b->block].ops, id);
  return id;
}

BlockId build_block(Builder *b, OpId op, uint32_t argument_count, const TypeId *types) {
  Program *p = b->p;
  array_push(p->arena, &p->regions, (Region){.parent = op});
  RegionId region = p->regions.count - 1;
  array_push(p->arena, &p->blocks,
             (Block){.region = region, .first_arg = p->values.count, .arg_count = argument_count});
  BlockId block = p->blocks.count - 1;
  array_push(p->arena, &p->regions.data[region].blocks, block);
  for (uint32_t i = 0; i < argument_count; i++)
    array_push(p->arena, &p->values, (Value){.type = types[i], .block = block, .index = i});
  return block;
}

ValueId build_close(Builder *b, OpId id, uint32_t operand_count, const ValueId *operands, uint32_t result_count,
                    const TypeId *results, uint32_t region_count, const RegionId *regions) {
  Program *p = b->p;
  Op *op = &p->ops.data[id];
  op->operands = copy(b, operands, operand_count, sizeof *operands), op->operand_count = operand_count;
  op->regions = copy(b, regions, region_count, sizeof *regions), op->region_count = region_count;
  op->attrs = copy(b, b->attrs.data, b->attrs.count, sizeof *b->attrs.data), op->attr_count = b->attrs.count;
  b->attrs.count = 0;
  op->first_result = result_count ? p->values.count : 0, op->result_count = result_count;
  for (uint32_t i = 0; i < result_count; i++)
    array_push(p->arena, &p->values, (Value){.type = results[i], .op = id, .index = i});
  return p->ops.data[id].first_result;
}

ValueId build_op(Builder *b, Opcode code, uint32_t operand_count, const ValueId *operands, uint32_t result_count,
                 const TypeId *results) {
  return build_close(b, build_open(b, code), operand_count, operands, result_count, results, 0, NULL);
}

ValueId build_unary(Builder *b, Opcode code, ValueId a, TypeId result) { return build_op(b, code, 1, &a, 1, &result); }

ValueId build_binary(Builder *b, Opcode code, ValueId x, ValueId y, TypeId result) {
  return build_op(b, code, 2, (ValueId[]){x, y}, 1, &result);
}

static AttrId attribute(Builder *b, Attr attr) {
  array_push(b->p->arena, &b->p->attrs, attr);
  return b->p->attrs.count - 1;
}

void build_attr(Builder *b, const char *name, AttrId value) {
  array_push(b->p->arena, &b->attrs, (NamedAttr){intern_text(b->p->names, name), value});
}

static void add(Builder *b, const char *name, Attr attr) { build_attr(b, name, attribute(b, attr)); }

void build_attr_keyword(Builder *b, const char *name, const char *text) {
  add(b, name, (Attr){.kind = ATTR_KEYWORD, .text = intern_text(b->p->names, text)});
}

void build_attr_string(Builder *b, const char *name, const char *text) {
  add(b, name, (Attr){.kind = ATTR_STRING, .text = intern_text(b->p->names, text)});
}

void build_attr_unit(Builder *b, const char *name) { add(b, name, (Attr){.kind = ATTR_UNIT}); }

AttrId build_unit(Builder *b) { return attribute(b, (Attr){.kind = ATTR_UNIT}); }

AttrId build_number(Builder *b, int64_t value) {
  return attribute(b, (Attr){.kind = ATTR_INT, .type = program_type_int(b->p, 64), .integer = value});
}

AttrId build_text(Builder *b, const char *text) {
  return attribute(b, (Attr){.kind = ATTR_STRING, .text = intern_text(b->p->names, text)});
}

AttrId build_list(Builder *b, uint32_t count, const AttrId *items) {
  return attribute(b, (Attr){.kind = ATTR_ARRAY, .count = count, .items = copy(b, items, count, sizeof *items)});
}

AttrId build_entry(Builder *b, AttrId dictionary, const char *key, AttrId value) {
  uint32_t count = dictionary ? program_get_attr(b->p, dictionary)->count : 0;
  AttrId *items = arena_array(b->p->arena, AttrId, count + 1);
  Name *keys = arena_array(b->p->arena, Name, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    items[i] = program_get_attr(b->p, dictionary)->items[i];
    keys[i] = program_get_attr(b->p, dictionary)->keys[i];
  }
  items[count] = value, keys[count] = intern_text(b->p->names, key);
  return attribute(b, (Attr){.kind = ATTR_DICT, .count = count + 1, .items = items, .keys = keys});
}

AttrId build_sign(Builder *b, bool is_signed) {
  return build_entry(b, 0, is_signed ? "signed" : "unsigned", build_unit(b));
}

void build_add_attr(Builder *b, OpId id, const char *name, AttrId value) {
  Op *op = &b->p->ops.data[id];
  NamedAttr *all = arena_array(b->p->arena, NamedAttr, op->attr_count + 1);
  for (uint32_t i = 0; i < op->attr_count; i++) all[i] = op->attrs[i];
  all[op->attr_count++] = (NamedAttr){intern_text(b->p->names, name), value};
  op->attrs = all;
}

ValueId build_integer(Builder *b, TypeId type, int64_t value) {
  add(b, "value", (Attr){.kind = ATTR_INT, .type = type, .integer = value});
  return build_op(b, OP_ARITH_CONSTANT, 0, NULL, 1, &type);
}

ValueId build_real(Builder *b, TypeId type, double value) {
  FloatFormat format = program_get_type(b->p, type)->format;
  add(b, "value", (Attr){.kind = ATTR_FLOAT, .type = type, .bits = program_float_encode(format, value)});
  return build_op(b, OP_ARITH_CONSTANT, 0, NULL, 1, &type);
}

ValueId build_compare(Builder *b, Opcode code, const char *predicate, ValueId x, ValueId y) {
  build_attr_keyword(b, "predicate", predicate);
  return build_binary(b, code, x, y, program_type_int(b->p, 1));
}

LocId build_loc(Builder *b, const char *file, uint32_t line, uint32_t column) {
  array_push(b->p->arena, &b->p->locs,
             (Loc){.kind = LOC_FILE, .text = intern_text(b->p->names, file), .line = line, .column = column});
  return b->p->locs.count - 1;
}

bool build_is_constant(const Program *p, ValueId value, int64_t *out) {
  const Op *op = value ? program_get_op(p, program_get_value(p, value)->op) : NULL;
  if (!value || !program_get_value(p, value)->op || op->code != OP_ARITH_CONSTANT) return false;
  const Attr *attr = program_get_attr(p, program_op_attr(p, op, "value"));
  *out = attr->integer;
  return attr->kind == ATTR_INT;
}

LocId build_named_loc(Builder *b, const char *name, LocId child) {
  array_push(b->p->arena, &b->p->locs, (Loc){.kind = LOC_NAME, .text = intern_text(b->p->names, name), .child = child});
  return b->p->locs.count - 1;
}
