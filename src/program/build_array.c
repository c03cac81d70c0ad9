/* Arrays of a host language (see build_array.h). */
#include "program/build_array.h"

#include <string.h>

static const Type *type_of(Builder *b, ValueId value) { return program_value_type(b->p, value); }

ValueId build_empty(Builder *b, TypeId element, uint32_t rank) {
  TypeId type = program_type_array(b->p, element, rank);
  return build_op(b, OP_ARRAY_EMPTY, 0, NULL, 1, &type);
}

ValueId build_fill(Builder *b, ValueId value) {
  const Type *type = type_of(b, value);
  bool row = type->kind == TYPE_ARRAY;
  TypeId element = row ? type->element : program_get_value(b->p, value)->type;
  return build_unary(b, OP_ARRAY_FILL, value, program_type_array(b->p, element, row ? type->rank + 1 : 1));
}

ValueId build_insert(Builder *b, ValueId element, ValueId array, uint32_t count, const ValueId *index) {
  ValueId operands[2 + TYPE_MAX_RANK] = {element, array};
  TypeId type = program_get_value(b->p, array)->type;
  memcpy(operands + 2, index, count * sizeof *index);
  return build_op(b, OP_ARRAY_INSERT, 2 + count, operands, 1, &type);
}

ValueId build_extract(Builder *b, ValueId array, uint32_t count, const ValueId *index) {
  ValueId operands[1 + TYPE_MAX_RANK] = {array};
  const Type *type = type_of(b, array);
  if (!count) return array;
  TypeId part = type->rank == count ? type->element : program_type_array(b->p, type->element, type->rank - count);
  memcpy(operands + 1, index, count * sizeof *index);
  return build_op(b, OP_ARRAY_EXTRACT, 1 + count, operands, 1, &part);
}

ValueId build_address(Builder *b, ValueId pointer, uint32_t rank, const ValueId *index, const ValueId *length) {
  TypeId type = program_get_value(b->p, pointer)->type, wide = program_type_int(b->p, 64);
  for (uint32_t k = 0; k < rank; k++) {
    ValueId step = index[k];
    for (uint32_t j = k + 1; j < rank; j++) step = build_binary(b, OP_ARITH_MULI, step, length[j], wide);
    pointer = build_binary(b, OP_TT_ADDPTR, pointer, step, type);
  }
  return pointer;
}

void build_require(Builder *b, ValueId condition, const char *message) {
  build_attr_string(b, "msg", message);
  build_op(b, OP_ARRAY_REQUIRE, 1, &condition, 0, NULL);
}

BuildLoop build_for(Builder *b, ValueId lower, ValueId upper, ValueId step, uint32_t count, const ValueId *carried) {
  BuildLoop loop = {.outer = b->block, .count = count};
  TypeId *types = arena_array(b->p->arena, TypeId, count + 1);
  loop.operands = arena_array(b->p->arena, ValueId, count + 3);
  loop.operands[0] = lower, loop.operands[1] = upper, loop.operands[2] = step;
  memcpy(loop.operands + 3, carried, count * sizeof *carried);
  types[0] = program_type_int(b->p, 64);
  for (uint32_t i = 0; i < count; i++) types[1 + i] = program_get_value(b->p, carried[i])->type;
  loop.op = build_open(b, OP_SCF_FOR);
  b->block = build_block(b, loop.op, 1 + count, types);
  loop.region = program_get_block(b->p, b->block)->region;
  loop.counter = program_get_block(b->p, b->block)->first_arg;
  return loop;
}

ValueId build_for_end(Builder *b, const BuildLoop *loop, const ValueId *yields) {
  TypeId *types = arena_array(b->p->arena, TypeId, loop->count + 1);
  for (uint32_t i = 0; i < loop->count; i++) types[i] = program_get_value(b->p, loop->operands[3 + i])->type;
  build_op(b, OP_SCF_YIELD, loop->count, yields, 0, NULL);
  b->block = loop->outer;
  return build_close(b, loop->op, 3 + loop->count, loop->operands, loop->count, types, 1, &loop->region);
}
