/* Shape ops: renamings and substitutions of lane symbols. A broadcast axis has extent 1 before, where the lane is the
 * constant 0, so broadcasting changes nothing. */
#include <string.h>

#include "execute/internal.h"

static const Type *type_of(const Machine *ex, ValueId value) { return program_value_type(ex->program, value); }

/* t with lane i of `from` replaced by to[i], at once. */
static Term relane(Machine *ex, Term t, const Type *from, const Term *to) {
  Term lanes[TYPE_MAX_RANK], by[TYPE_MAX_RANK];
  uint32_t n = 0;
  for (uint32_t i = 0; i < from->rank; i++) {
    Term lane = execute_lane(ex, i, from->dims[i]);
    if (lane == ex->tt->zero || lane == to[i]) continue;
    lanes[n] = lane, by[n++] = to[i];
  }
  return n ? term_substitute(ex->tt, t, (TermMap){n, lanes, by}) : t;
}

static Term row_major(Machine *ex, const Type *type) {
  TermTable *tt = ex->tt;
  Term linear = tt->zero;
  for (uint32_t i = 0; i < type->rank; i++)
    linear = term_add(tt, term_scale(tt, rational_int(type->dims[i]), linear), execute_lane(ex, i, type->dims[i]));
  return linear;
}

static Term reshape(Machine *ex, Term t, const Type *from, const Type *to) {
  TermTable *tt = ex->tt;
  Term linear = row_major(ex, to), lanes[TYPE_MAX_RANK];
  int64_t stride = 1;
  for (uint32_t i = from->rank; i-- > 0;) {
    Term q = term_floordiv(tt, linear, term_int(tt, stride));
    lanes[i] = term_mod(tt, q, term_int(tt, from->dims[i]));
    stride *= from->dims[i];
  }
  return relane(ex, t, from, lanes);
}

static Term expand(Machine *ex, Term t, const Type *from, int64_t axis) {
  Term lanes[TYPE_MAX_RANK];
  for (uint32_t i = 0; i < from->rank; i++) lanes[i] = execute_lane(ex, i + (i >= axis), from->dims[i]);
  return relane(ex, t, from, lanes);
}

static Term transpose(Machine *ex, const Op *op, Term t, const Type *from) {
  const Program *p = ex->program;
  AttrId order_id = program_op_attr(p, op, "order");
  Term lanes[TYPE_MAX_RANK];
  for (uint32_t i = 0; i < from->rank; i++) lanes[i] = execute_lane(ex, from->rank - 1 - i, from->dims[i]);
  if (order_id) {
    const Attr *order = program_get_attr(p, order_id);
    for (uint32_t i = 0; i < order->count && i < from->rank; i++) {
      int64_t source = program_get_attr(p, order->items[i])->integer;
      if (source >= 0 && source < from->rank) lanes[source] = execute_lane(ex, i, from->dims[source]);
    }
  }
  return relane(ex, t, from, lanes);
}

/* Undefined where the index lies outside the axis. */
static Term gather(Machine *ex, const Op *op, OpId id) {
  TermTable *tt = ex->tt;
  Term source = execute_value(ex, op->operands[0]), index = execute_value(ex, op->operands[1]), lanes[TYPE_MAX_RANK];
  const Type *from = type_of(ex, op->operands[0]), *to = type_of(ex, op->first_result);
  int64_t axis = program_op_int(ex->program, op, "axis", 0);
  for (uint32_t i = 0; i < from->rank; i++) lanes[i] = i == axis ? index : execute_lane(ex, i, to->dims[i]);
  Term value = relane(ex, source, from, lanes), size = term_int(tt, from->dims[axis]);
  if (term_prove_le(tt, tt->zero, index) && term_prove_lt(tt, index, size)) return value;
  Term inside = term_and(tt, term_le(tt, tt->zero, index), term_lt(tt, index, size));
  return term_select(tt, inside, value, term_undef(tt, term_sort(tt, value), id));
}

static Term concatenate(Machine *ex, const Op *op) {
  TermTable *tt = ex->tt;
  const Type *a = type_of(ex, op->operands[0]), *b = type_of(ex, op->operands[1]), *r = type_of(ex, op->first_result);
  Term lane = execute_lane(ex, 0, r->dims[0]), first = term_int(tt, a->dims[0]);
  Term left = relane(ex, execute_value(ex, op->operands[0]), a, &lane), shifted = term_sub(tt, lane, first);
  Term right = relane(ex, execute_value(ex, op->operands[1]), b, &shifted);
  return term_select(tt, term_lt(tt, lane, first), left, right);
}

static const char *element_text(const Machine *ex, TypeId element) {
  Text text = text_new(ex->arena);
  program_type_print(ex->program, element, &text);
  return text_string(&text);
}

/* bitcast_i32, bitcast_f32; of narrower floats, of which there are several, from bf16 bitcast_bf16_i16. */
static const char *bitcast_name(const Machine *ex, const Type *from, TypeId from_id, const Type *to, TypeId to_id) {
  bool several = from->kind == TYPE_FLOAT && program_get_type(ex->program, from_id)->width < 32;
  const char *target = to->kind == TYPE_FLOAT ? element_text(ex, to_id) : arena_format(ex->arena, "i%u", to->width);
  return several ? arena_format(ex->arena, "bitcast_%s_%s", element_text(ex, from_id), target)
                 : arena_format(ex->arena, "bitcast_%s", target);
}

/* Pointers keep their term; floats and integers of one width have no law for a bitcast, but that back and forth nothing
 * changes. */
static Term bitcast(Machine *ex, const Op *op, OpId id) {
  TermTable *tt = ex->tt;
  const Program *p = ex->program;
  Term t = execute_value(ex, op->operands[0]);
  TypeId from_id = program_element_type(p, program_get_value(p, op->operands[0])->type),
         to_id = program_element_type(p, program_get_value(p, op->first_result)->type);
  const Type *from = program_get_type(p, from_id), *to = program_get_type(p, to_id);
  if (from->kind == to->kind && from->kind != TYPE_FLOAT && from->kind != TYPE_POINTER) return t;
  if (from->kind == TYPE_FLOAT && to->kind == TYPE_FLOAT && from->format == to->format) return t;
  if (from->kind == TYPE_POINTER && to->kind == TYPE_POINTER) {
    const Type *x = program_get_type(p, from->element), *y = program_get_type(p, to->element);
    uint32_t w = x->width == 1 ? 8 : x->width, v = y->width == 1 ? 8 : y->width; /* a bool is a byte in memory */
    if (w == v && (x->kind == y->kind || execute_is_for_float_atomics(ex, op->first_result, true))) return t;
    execute_stop(ex, id, REASON_UNSUPPORTED_BITCAST,
                 "a pointer to %s is taken for a pointer to %s: what is there then is known by its bits alone",
                 element_text(ex, from->element), element_text(ex, to->element));
    return t;
  }
  if (from->kind == TYPE_POINTER || to->kind == TYPE_POINTER) return 0;
  Name back = intern_text(tt->names, bitcast_name(ex, to, to_id, from, from_id));
  bool exact = to->kind == TYPE_FLOAT && to->width >= 32; /* integers lie between; what reals leave alone, -0 + 0, has
                                                             other bits, and a narrower float is rounded */
  if (exact && term_kind(tt, t) == TERM_OPAQUE && term_aux(tt, t) == back) {
    ex->effects->rounds_bits = true;
    return term_arg(tt, t, 0);
  }
  if (!execute_is_for_float_atomics(ex, op->first_result, false)) {
    execute_note_opaque(ex, id, "bitcast");
    ex->effects->bits_as_reals |= to->kind == TYPE_FLOAT, ex->effects->reals_as_bits |= from->kind == TYPE_FLOAT;
  }
  TermSort sort = to->kind == TYPE_FLOAT ? SORT_REAL : SORT_INT;
  return term_opaque(tt, intern_text(tt->names, bitcast_name(ex, from, from_id, to, to_id)), sort, 1, &t);
}

/* ---- elements in no specified order ---- */

static bool is_lane_by_lane(Opcode code) {
  return (code > OP_ARITH_CONSTANT && code < OP_SCF_FOR) || code == OP_TT_FP_TO_FP || code == OP_TT_CLAMPF ||
         code == OP_TT_PRECISE_SQRT || code == OP_TT_PRECISE_DIVF;
}

static bool is_one_number(const Program *p, ValueId value) {
  OpId made = program_get_value(p, value)->op;
  Opcode code = made ? program_get_op(p, made)->code : OP_NONE;
  return code == OP_TT_SPLAT || code == OP_ARITH_CONSTANT || program_value_type(p, value)->kind != TYPE_TENSOR;
}

/* What a reduction combines by, if that is one operation; 0: it is another, or no reduction of one value. */
static Opcode combines_by(const Program *p, const Op *op) {
  if (op->code != OP_TT_REDUCE || op->operand_count != 1) return OP_NONE;
  const Block *block = program_get_block(p, program_get_region(p, op->regions[0])->blocks.data[0]);
  return block->ops.count == 2 ? program_get_op(p, block->ops.data[0])->code : OP_NONE;
}

/* True if that reduction, of one axis of several, is carried on along all of them by the same operation. */
static bool reduces_all(const Machine *ex, const Op *op) {
  const Program *p = ex->program;
  ValueId result = op->first_result;
  if (program_value_type(p, result)->kind != TYPE_TENSOR) return true;
  for (OpId id = ex->effects->extent.first_op; id < ex->effects->extent.end_op; id++) {
    const Op *user = program_get_op(p, id);
    for (uint32_t i = 0; i < user->operand_count; i++)
      if (user->operands[i] == result &&
          (!combines_by(p, op) || combines_by(p, user) != combines_by(p, op) || !reduces_all(ex, user)))
        return false;
  }
  return true;
}

/* A reduction of all elements does not see their order, nor what changes each by itself before. */
static bool order_matters(const Machine *ex, ValueId value) {
  const Program *p = ex->program;
  bool *without = arena_array(ex->arena, bool, p->values.count + 1); /* which have the order of `value` */
  without[value] = true;
  for (OpId id = ex->effects->extent.first_op; id < ex->effects->extent.end_op; id++) {
    const Op *op = program_get_op(p, id);
    bool used = false, alone = true;
    for (uint32_t i = 0; i < op->operand_count; i++) {
      used |= without[op->operands[i]];
      alone &= without[op->operands[i]] || is_one_number(p, op->operands[i]);
    }
    for (uint32_t s = 0; s < op->successor_count; s++)
      for (uint32_t i = 0; i < op->successors[s].arg_count; i++)
        if (without[op->successors[s].args[i]]) return true;
    if (!used || (op->code == OP_TT_REDUCE && op->operand_count == 1 && reduces_all(ex, op))) continue;
    if (!is_lane_by_lane(op->code) || !alone) return true;
    for (uint32_t i = 0; i < op->result_count; i++) without[program_result(op, i)] = true;
  }
  return false;
}

/* tt.cat, and a reshape with allow_reorder, as tl.view makes it: the elements are those, in an order that the compiler
 * chooses. */
static bool needs_order(Machine *ex, const Op *op, OpId id) {
  if (!order_matters(ex, op->first_result)) return false;
  execute_stop(ex, id, REASON_UNSPECIFIED_ORDER,
               op->code == OP_TT_CAT ? "the order of the elements that tl.cat makes is not specified, and what follows "
                                       "depends on it: tl.join and a reshape keep it"
                                     : "the order of the elements of a reshape with can_reorder, as in tl.view, is not "
                                       "specified, and what follows depends on it: tl.reshape keeps it");
  return true;
}

/* Inline assembly, element by element: a function of which nothing is known but its text, so that the same text on the
 * same values is the same value. With packed elements each lane may see its neighbours, and with side effects more. */
static bool inline_assembly(Machine *ex, const Op *op, OpId id) {
  TermTable *tt = ex->tt;
  Term args[16];
  const char *text = program_op_text(ex->program, op, "asm_string");
  AttrId pure = program_op_attr(ex->program, op, "pure");
  bool is_pure = pure && program_get_attr(ex->program, pure)->integer;
  if (op->operand_count > 15 || program_op_int(ex->program, op, "packed_element", 1) != 1 || !is_pure) {
    execute_stop(ex, id, REASON_OPAQUE_ASSEMBLY, "inline assembly that is packed or has side effects is not followed");
    return true;
  }
  for (uint32_t i = 0; i < op->operand_count; i++) args[i] = execute_value(ex, op->operands[i]);
  execute_note_opaque(ex, id, "inline assembly");
  uint64_t hash = 0;
  for (const char *c = text ? text : ""; *c; c++) hash = hash * 0x100000001B3u ^ (uint8_t)*c;
  for (uint32_t i = 0; i < op->result_count && !execute_stopped(ex); i++) {
    const Type *type = program_get_type(
        ex->program, program_element_type(ex->program, program_get_value(ex->program, program_result(op, i))->type));
    if (type->kind != TYPE_FLOAT && type->kind != TYPE_INT) return false;
    const char *name = arena_format(ex->arena, "asm_%08x%s", (uint32_t)(hash ^ hash >> 32),
                                    i ? arena_format(ex->arena, "_%u", i) : "");
    Term value = term_opaque(tt, intern_text(tt->names, name), type->kind == TYPE_FLOAT ? SORT_REAL : SORT_INT,
                             op->operand_count, args);
    execute_set(ex, program_result(op, i), type->width == 1 ? term_not(tt, term_eq(tt, value, tt->zero)) : value);
  }
  return true;
}

bool execute_shape(Machine *ex, const Op *op, OpId id) {
  TermTable *tt = ex->tt;
  Term r = 0;
  if (op->code == OP_TT_MAKE_RANGE) {
    int64_t start = program_op_int(ex->program, op, "start", 0), end = program_op_int(ex->program, op, "end", 0);
    r = term_add(tt, term_int(tt, start), execute_lane(ex, 0, end - start));
    const char *name = program_author_name(ex->program, op->loc);
    if (!name) name = intern_string(ex->program->names, program_get_value(ex->program, op->first_result)->name);
    bool is_variable = name[strspn(name, "0123456789")] != 0; /* else the number that the text gives the value */
    const char *text = is_variable ? arena_format(ex->arena, "%s: %lld..%lld", name, (long long)start, (long long)end)
                                   : arena_format(ex->arena, "arange(%lld, %lld)", (long long)start, (long long)end);
    array_push(ex->arena, &ex->effects->literals, (Note){text, id});
  } else if (op->code == OP_TT_SPLAT || op->code == OP_TT_BROADCAST)
    r = execute_value(ex, op->operands[0]);
  else if (op->code == OP_TT_UNSPLAT)
    r = execute_value(ex, op->operands[0]);
  else if (op->code == OP_TT_EXPAND_DIMS)
    r = expand(ex, execute_value(ex, op->operands[0]), type_of(ex, op->operands[0]),
               program_op_int(ex->program, op, "axis", 0));
  else if (op->code == OP_TT_TRANS)
    r = transpose(ex, op, execute_value(ex, op->operands[0]), type_of(ex, op->operands[0]));
  else if (op->code == OP_TT_RESHAPE) {
    if (program_op_attr(ex->program, op, "allow_reorder") && needs_order(ex, op, id)) return true;
    r = reshape(ex, execute_value(ex, op->operands[0]), type_of(ex, op->operands[0]), type_of(ex, op->first_result));
  } else if (op->code == OP_TT_JOIN) {
    const Type *to = type_of(ex, op->first_result);
    Term lane = execute_lane(ex, to->rank - 1, 2);
    r = term_select(tt, term_eq(tt, lane, tt->zero), execute_value(ex, op->operands[0]),
                    execute_value(ex, op->operands[1]));
  } else if (op->code == OP_TT_SPLIT) {
    const Type *from = type_of(ex, op->operands[0]);
    Term t = execute_value(ex, op->operands[0]), lane = execute_lane(ex, from->rank - 1, 2);
    execute_set(ex, program_result(op, 0), term_replace(tt, t, lane, tt->zero));
    execute_set(ex, program_result(op, 1), term_replace(tt, t, lane, tt->one));
    return true;
  } else if (op->code == OP_TT_ELEMENTWISE_INLINE_ASM)
    return inline_assembly(ex, op, id);
  else if (op->code == OP_TT_CAT) {
    if (needs_order(ex, op, id)) return true;
    r = concatenate(ex, op);
  } else if (op->code == OP_TT_GATHER)
    r = gather(ex, op, id);
  else if (op->code == OP_TT_BITCAST || op->code == OP_ARITH_BITCAST)
    r = bitcast(ex, op, id);
  else
    return false;
  if (!r) return false;
  execute_set(ex, op->first_result, r);
  return true;
}
