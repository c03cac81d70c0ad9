/* Values of expressions.
 *
 * Implicit conversions stand in the tree, so every operator has operands of its own type. Integers are as C has them
 * on an LP64 machine: unsigned ones wrap, and a signed operation whose exact result does not fit its type is
 * undefined: it carries the mark `fits` (execute/integer.c), under which the exact result is taken. Division
 * truncates. Floats are those of the program form. */
#include <stdarg.h>
#include <stdlib.h>
#include <math.h>
#include <ctype.h>
#include <string.h>

#include "read/c/clang.h"
#include "read/c/lower.h"

bool c_is_number(const CType *type) {
  return type->kind == CTYPE_INT || type->kind == CTYPE_FLOAT || type->kind == CTYPE_BOOL;
}

TypeId c_index_type(Lower *l) { return program_type_int(l->p, 64); }

TypeId c_type(Lower *l, const CNode *at, const CType *type) {
  switch (type->kind) {
  case CTYPE_BOOL: return program_type_int(l->p, 1);
  case CTYPE_INT: return program_type_int(l->p, type->width);
  case CTYPE_FLOAT: return program_type_float(l->p, type->format);
  case CTYPE_POINTER:
  case CTYPE_ARRAY: { /* rows are numbers one after another */
    const CType *element = type->element;
    while (element->kind == CTYPE_ARRAY) element = element->element;
    if (!c_is_number(element)) break;
    return program_type_pointer(l->p, c_type(l, at, element));
  }
  case CTYPE_VECTOR:
  case CTYPE_STRUCT:
  case CTYPE_VOID:
  case CTYPE_OTHER: break;
  }
  c_refuse(l, at, "integers, floats, pointers to these, arrays and std::vector are read", "a value of type %s",
           type->text);
}

static bool points(const CType *type) { return type->kind == CTYPE_POINTER || type->kind == CTYPE_ARRAY; }

ValueId c_fitting(Lower *l, Opcode code, ValueId a, ValueId b, TypeId type) {
  build_attr_unit(&l->b, "fits");
  return build_op(&l->b, code, b ? 2 : 1, (ValueId[]){a, b}, 1, &type);
}

/* ---- conversions ---- */

static ValueId is_not_zero(Lower *l, ValueId value, const CType *type, TypeId id) {
  if (type->kind == CTYPE_FLOAT) return build_compare(&l->b, OP_ARITH_CMPF, "une", value, build_real(&l->b, id, 0));
  return build_compare(&l->b, OP_ARITH_CMPI, "ne", value, build_integer(&l->b, id, 0));
}

ValueId c_convert(Lower *l, const CNode *at, ValueId value, const CType *from, const CType *to) {
  if (from->kind == CTYPE_POINTER || from->kind == CTYPE_ARRAY || to->kind == CTYPE_POINTER) {
    bool points = from->kind == CTYPE_POINTER || from->kind == CTYPE_ARRAY;
    if (points && to->kind == CTYPE_POINTER && c_type(l, at, from) == c_type(l, at, to)) return value;
    c_refuse(l, at, "pointers keep their type", "a conversion of %s to %s", from->text, to->text);
  }
  TypeId source = c_type(l, at, from), target = c_type(l, at, to);
  bool is_signed = from->kind == CTYPE_INT && from->is_signed;
  if (to->kind == CTYPE_BOOL) return from->kind == CTYPE_BOOL ? value : is_not_zero(l, value, from, source);
  if (from->kind == CTYPE_FLOAT && to->kind == CTYPE_FLOAT) {
    if (from->width == to->width) return value;
    return build_unary(&l->b, from->width < to->width ? OP_ARITH_EXTF : OP_ARITH_TRUNCF, value, target);
  }
  if (from->kind == CTYPE_FLOAT)
    return build_unary(&l->b, to->is_signed ? OP_ARITH_FPTOSI : OP_ARITH_FPTOUI, value, target);
  if (to->kind == CTYPE_FLOAT) return build_unary(&l->b, is_signed ? OP_ARITH_SITOFP : OP_ARITH_UITOFP, value, target);
  if (from->width == to->width) return value;
  if (from->width > to->width) return build_unary(&l->b, OP_ARITH_TRUNCI, value, target);
  return build_unary(&l->b, is_signed ? OP_ARITH_EXTSI : OP_ARITH_EXTUI, value, target);
}

static const CType *wide_type(void) {
  static const CType type = {.kind = CTYPE_INT, .width = 64, .is_signed = true, .text = "long"};
  return &type;
}

bool c_keeps_numbers(const CType *from, const CType *to) {
  if (from->kind != CTYPE_INT || to->kind != CTYPE_INT || to->width < from->width) return false;
  return to->is_signed == from->is_signed || (to->is_signed && to->width > from->width);
}

/* In 64 bits a number without sign has the bits of a negative one. */
static bool keeps_wide(const CType *from, const CType *to) {
  return c_keeps_numbers(from, to) || (from->kind == CTYPE_INT && to->kind == CTYPE_INT && to->width == 64);
}

/* A counter in a conversion to 64 bits: as it is counted. */
static ValueId wide_counter(Lower *l, const CNode *node) {
  while (node->kind == CNODE_CAST && keeps_wide(node->children[0]->type, node->type)) node = node->children[0];
  if (node->kind != CNODE_NAME || !node->target) return 0;
  Variable *v = &l->variables.data[c_find(l, node, node->target)];
  return v->kind == VARIABLE_SCALAR ? v->wide : 0;
}

ValueId c_index(Lower *l, const CNode *node) {
  ValueId wide = wide_counter(l, node);
  return wide ? wide : c_convert(l, node, c_value(l, node), node->type, wide_type());
}

static ValueId cast(Lower *l, const CNode *node) {
  const CNode *inner = node->children[0];
  if (node->type->kind == CTYPE_BOOL && points(inner->type)) return c_condition(l, inner);
  if (node->type->kind == CTYPE_POINTER && inner->type->kind == CTYPE_ARRAY) { /* a row: its first element */
    Place place = c_place(l, inner);
    if (place.kind == PLACE_ADDRESS) return place.address;
    if (l->variables.data[place.variable].kind == VARIABLE_MEMORY) return c_read(l, inner, &place);
    c_refuse(l, node, "index the array itself", "a pointer into an array of the function's own is not read yet");
  }
  if (node->type->kind == CTYPE_INT && node->type->width == 64) {
    ValueId wide = wide_counter(l, inner);
    if (wide) return wide;
  }
  if (node->type->kind == CTYPE_VOID) {
    c_effect(l, inner);
    return 0;
  }
  return c_convert(l, node, c_value(l, inner), inner->type, node->type);
}

/* What an argument points to is there. */
static ValueId not_null(Lower *l, const CNode *at, const char *pointer) {
  c_assume(l, at, arena_format(l->arena, "%s is not NULL", pointer));
  return build_integer(&l->b, program_type_int(l->p, 1), 1);
}

static bool is_null(const CNode *node) {
  while (node->kind == CNODE_CAST) node = node->children[0];
  return node->kind == CNODE_INTEGER && !node->integer;
}

static ValueId points_somewhere(Lower *l, const CNode *pointer) {
  const CNode *named = c_without_cast(pointer);
  bool own = (named->type->kind == CTYPE_ARRAY && !named->type->is_rows) ||
             (named->kind == CNODE_UNARY && named->op == CUNARY_ADDRESS) || c_points_into(l, named);
  if (own && !c_is_row(named)) return build_integer(&l->b, program_type_int(l->p, 1), 1);
  if (c_has_effect(named)) c_refuse(l, pointer, NULL, "a pointer in a condition that has an effect");
  c_value(l, named); /* or it is refused */
  return not_null(l, pointer, c_text(l, named));
}

ValueId c_condition(Lower *l, const CNode *node) {
  static const CType boolean = {.kind = CTYPE_BOOL, .width = 1, .text = "bool"};
  if (points(node->type)) return points_somewhere(l, node);
  return c_convert(l, node, c_value(l, node), node->type, &boolean);
}

/* ---- operators ---- */

/* By 0 nothing is divided; the quotient of the least number and -1 does not fit. */
static ValueId divide(Lower *l, const CNode *at, Opcode of_signed, Opcode of_unsigned, ValueId a, ValueId b,
                      const CType *type) {
  TypeId id = c_type(l, at, type);
  bool literal = program_get_op(l->p, program_get_value(l->p, b)->op)->code == OP_ARITH_CONSTANT;
  const CNode *divisor = at->kind == CNODE_BINARY ? at->children[1] : at;
  if (!literal)
    c_require(l, at, build_compare(&l->b, OP_ARITH_CMPI, "ne", b, build_integer(&l->b, id, 0)),
              arena_format(l->arena, "%s != 0", c_text(l, divisor)));
  if (type->is_signed) return c_fitting(l, of_signed, a, b, id);
  build_attr_unit(&l->b, "nonzero");
  return build_binary(&l->b, of_unsigned, a, b, id);
}

/* A shift by less than nothing, or by all bits, is undefined, whatever becomes of the result. Of signed shifts to the
 * left the result has to fit besides, which is not asked for here. */
static void require_near(Lower *l, const CNode *at, ValueId by, TypeId id) {
  uint32_t width = program_get_type(l->p, id)->width;
  int64_t known;
  if (build_is_constant(l->p, by, &known) && known >= 0 && known < width) return;
  const CNode *distance = at->kind == CNODE_BINARY ? at->children[1] : at;
  c_require(l, at, build_compare(&l->b, OP_ARITH_CMPI, "ult", by, build_integer(&l->b, id, width)),
            arena_format(l->arena, "%s is at least 0 and less than %u", c_text(l, distance), width));
}

static ValueId integer_arithmetic(Lower *l, const CNode *at, CBinary op, ValueId a, ValueId b, const CType *type,
                                  TypeId id) {
  static const struct {
    CBinary op;
    Opcode plain, of_unsigned;
    bool overflows;
  } rows[] = {
      {CBINARY_ADD, OP_ARITH_ADDI, OP_ARITH_ADDI, true},    {CBINARY_SUB, OP_ARITH_SUBI, OP_ARITH_SUBI, true},
      {CBINARY_MUL, OP_ARITH_MULI, OP_ARITH_MULI, true},    {CBINARY_DIV, OP_ARITH_DIVSI, OP_ARITH_DIVUI, false},
      {CBINARY_REM, OP_ARITH_REMSI, OP_ARITH_REMUI, false}, {CBINARY_SHL, OP_ARITH_SHLI, OP_ARITH_SHLI, true},
      {CBINARY_SHR, OP_ARITH_SHRSI, OP_ARITH_SHRUI, false}, {CBINARY_AND, OP_ARITH_ANDI, OP_ARITH_ANDI, false},
      {CBINARY_OR, OP_ARITH_ORI, OP_ARITH_ORI, false},      {CBINARY_XOR, OP_ARITH_XORI, OP_ARITH_XORI, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (rows[i].op != op) continue;
    if (op == CBINARY_DIV || op == CBINARY_REM) return divide(l, at, rows[i].plain, rows[i].of_unsigned, a, b, type);
    if (op == CBINARY_SHR || (op == CBINARY_SHL && !type->is_signed)) require_near(l, at, b, id);
    if (type->is_signed && rows[i].overflows) return c_fitting(l, rows[i].plain, a, b, id);
    return build_binary(&l->b, type->is_signed ? rows[i].plain : rows[i].of_unsigned, a, b, id);
  }
  return 0;
}

/* The program form has the bits of an integer as a signed number: 0xff000000u is -16777216. */
static int64_t signed_bits(const CNode *node) {
  uint32_t width = node->type->kind == CTYPE_INT ? node->type->width : 64;
  if (width >= 64) return node->integer;
  uint64_t bits = (uint64_t)node->integer & ((1ull << width) - 1), sign = 1ull << (width - 1);
  return (int64_t)(bits ^ sign) - (int64_t)sign;
}

/* The number that a literal is, with a sign before it or as another float; false: it is none. */
static bool literal_number(const CNode *node, double *number) {
  if (node->type->kind == CTYPE_INT && !node->type->is_signed) return false;
  if (node->kind == CNODE_REAL || node->kind == CNODE_INTEGER) {
    *number = node->kind == CNODE_REAL ? node->real : (double)signed_bits(node);
    return true;
  }
  bool minus = node->kind == CNODE_UNARY && node->op == CUNARY_MINUS;
  bool widened = node->kind == CNODE_CAST && node->type->kind == CTYPE_FLOAT;
  if ((!minus && !widened) || !literal_number(node->children[0], number)) return false;
  if (minus) *number = node->type->kind == CTYPE_FLOAT ? -*number : 0 - *number; /* there is no integer -0 */
  return true;
}

static ValueId float_arithmetic(Lower *l, CBinary op, ValueId a, ValueId b, TypeId id) {
  Opcode code = op == CBINARY_ADD   ? OP_ARITH_ADDF
                : op == CBINARY_SUB ? OP_ARITH_SUBF
                : op == CBINARY_MUL ? OP_ARITH_MULF
                : op == CBINARY_DIV ? OP_ARITH_DIVF
                                    : OP_NONE;
  return code ? build_binary(&l->b, code, a, b, id) : 0;
}

ValueId c_arithmetic(Lower *l, const CNode *at, CBinary op, ValueId a, ValueId b, const CType *type) {
  TypeId id = c_type(l, at, type);
  double above, below;
  if (type->kind == CTYPE_FLOAT && op == CBINARY_DIV && at->kind == CNODE_BINARY &&
      literal_number(at->children[0], &above) && literal_number(at->children[1], &below) && below == 0)
    return build_real(&l->b, id, above / below); /* 1 / 0.0: how an infinity is written */
  ValueId value = type->kind == CTYPE_FLOAT ? float_arithmetic(l, op, a, b, id)
                  : type->kind == CTYPE_INT ? integer_arithmetic(l, at, op, a, b, type, id)
                                            : 0;
  if (!value) c_refuse(l, at, NULL, "this operator on %s is not read yet", type->text);
  return value;
}

/* How far the first pointer is behind the second, in bytes. */
static ValueId pointer_difference(Lower *l, const CNode *node) {
  TypeId wide = c_index_type(l);
  ValueId at[2];
  for (int i = 0; i < 2; i++) {
    if (!points(node->children[i]->type)) c_refuse(l, node, NULL, "a pointer and a number are not compared");
    at[i] = build_unary(&l->b, OP_TT_PTR_TO_INT, c_value(l, node->children[i]), wide);
  }
  return c_fitting(l, OP_ARITH_SUBI, at[0], at[1], wide);
}

static ValueId compare_pointers(Lower *l, const CNode *node, const char *how) {
  ValueId difference = pointer_difference(l, node), zero = build_integer(&l->b, c_index_type(l), 0);
  ValueId value = build_compare(&l->b, OP_ARITH_CMPI, how, difference, zero);
  return node->type->kind == CTYPE_BOOL ? value
                                        : build_unary(&l->b, OP_ARITH_EXTUI, value, c_type(l, node, node->type));
}

/* The indices of two pointers into one array. */
static void two_indices(Lower *l, const CNode *node, ValueId at[2]) {
  if (!c_points_into(l, node->children[1])) c_refuse(l, node, NULL, "pointers into different arrays are compared");
  Iterator a = c_iterator(l, node->children[0]), b = c_iterator(l, node->children[1]);
  if (a.in.variable != b.in.variable || a.in.count != b.in.count ||
      memcmp(a.in.index, b.in.index, a.in.count * sizeof *a.in.index))
    c_refuse(l, node, NULL, "pointers into different arrays are compared");
  at[0] = a.index, at[1] = b.index;
}

static ValueId compare_iterators(Lower *l, const CNode *node, const char *how) {
  ValueId at[2];
  two_indices(l, node, at);
  ValueId value = build_compare(&l->b, OP_ARITH_CMPI, how, at[0], at[1]);
  return node->type->kind == CTYPE_BOOL ? value
                                        : build_unary(&l->b, OP_ARITH_EXTUI, value, c_type(l, node, node->type));
}

static ValueId compare(Lower *l, const CNode *node) {
  static const char *const ints[2][6] = {{"slt", "sgt", "sle", "sge", "eq", "ne"},
                                         {"ult", "ugt", "ule", "uge", "eq", "ne"}};
  static const char *const floats[] = {"olt", "ogt", "ole", "oge", "oeq", "une"};
  const CType *type = node->children[0]->type;
  int which = node->op - CBINARY_LT;
  const CNode *pointer = is_null(node->children[0]) ? node->children[1] : node->children[0];
  if (points(pointer->type) && (is_null(node->children[0]) || is_null(node->children[1])) && node->op >= CBINARY_EQ) {
    ValueId is = points_somewhere(l, pointer);
    if (node->op == CBINARY_EQ) is = build_integer(&l->b, program_type_int(l->p, 1), 0);
    return node->type->kind == CTYPE_BOOL ? is : build_unary(&l->b, OP_ARITH_EXTUI, is, c_type(l, node, node->type));
  }
  if (points(type) && c_points_into(l, node->children[0])) return compare_iterators(l, node, ints[0][which]);
  if (points(type)) return compare_pointers(l, node, ints[0][which]);
  ValueId a = c_value(l, node->children[0]), b = c_value(l, node->children[1]), value;
  if (!c_is_number(type)) c_refuse(l, node, NULL, "a comparison of %s is not read yet", type->text);
  bool is_unsigned = type->kind == CTYPE_BOOL || !type->is_signed;
  if (type->kind == CTYPE_FLOAT)
    value = build_compare(&l->b, OP_ARITH_CMPF, floats[which], a, b);
  else
    value = build_compare(&l->b, OP_ARITH_CMPI, ints[is_unsigned][which], a, b);
  return node->type->kind == CTYPE_BOOL ? value
                                        : build_unary(&l->b, OP_ARITH_EXTUI, value, c_type(l, node, node->type));
}

/* Of numbers to a number. */
static bool takes_numbers(const CNode *node) {
  bool all = c_is_number(node->type) && node->count > 0;
  for (uint32_t i = 0; i < node->count; i++) all = all && c_is_number(node->children[i]->type);
  return all;
}

bool c_has_effect(const CNode *node) {
  if (!node) return false;
  if (node->kind == CNODE_BINARY && node->op >= CBINARY_ASSIGN && node->op < CBINARY_COMMA) return true;
  if (node->kind == CNODE_UNARY && node->op <= CUNARY_PRE_DEC) return true;
  if (node->kind == CNODE_UNKNOWN || node->kind == CNODE_UNPACK) return true;
  if (node->kind == CNODE_METHOD && c_changes_object(node)) return true;
  if (node->kind == CNODE_CALL && (c_body_of(node) || !takes_numbers(node))) return true;
  for (uint32_t i = 0; i < node->count; i++)
    if (c_has_effect(node->children[i])) return true;
  return false;
}

static CNode *set_to(Lower *l, const CNode *at, CNode *name, const CNode *value) {
  return c_node(l, at, CNODE_BINARY, CBINARY_ASSIGN, name->type, 2, name, value);
}

/* An arm has an effect: as `if (condition) value = yes; else value = no;` */
static ValueId choose_effect(Lower *l, const CNode *node, ValueId condition, const CNode *yes, const CNode *no) {
  static const CType boolean = {.kind = CTYPE_BOOL, .width = 1, .text = "bool"};
  const CType *type = node->kind == CNODE_CONDITIONAL ? node->type : &boolean;
  if (type->kind == CTYPE_VOID) {
    c_choose(l, node, condition, (CNode *)(uintptr_t)yes, (CNode *)(uintptr_t)no);
    return 0;
  }
  const CNode *arms[] = {yes, no};
  CNode *other = c_node(l, node, CNODE_INTEGER, 0, &boolean, 0), *name = c_node(l, node, CNODE_NAME, 0, type, 0);
  other->integer = node->op == CBINARY_ANY;
  for (int i = 0; i < 2; i++) {
    if (!arms[i]) arms[i] = other;
    if (!c_is_number(arms[i]->type))
      c_refuse(l, node, "write it as an if", "a part that is computed under a condition has an effect");
  }
  CNode *own = c_node(l, node, CNODE_VARIABLE, 0, type, 1, NULL);
  own->name = name->name = "value", name->target = own;
  uint32_t scope = l->variables.count, i = c_declare(l, own, VARIABLE_SCALAR);
  c_choose(l, node, condition, set_to(l, node, name, arms[0]), set_to(l, node, name, arms[1]));
  ValueId value = l->variables.data[i].value;
  l->variables.count = scope;
  return value;
}

/* A value of one of two arms, of which the other is not computed. */
static ValueId choose(Lower *l, const CNode *node, ValueId condition, const CNode *yes, const CNode *no, TypeId type) {
  Builder *b = &l->b;
  if (c_has_effect(yes) || c_has_effect(no)) return choose_effect(l, node, condition, yes, no);
  OpId op = build_open(b, OP_SCF_IF);
  BlockId outer = b->block;
  RegionId regions[2];
  const CNode *const arms[] = {yes, no};
  for (int i = 0; i < 2; i++) {
    b->block = build_block(b, op, 0, NULL);
    regions[i] = program_get_block(l->p, b->block)->region;
    ValueId value = arms[i] ? node->kind == CNODE_CONDITIONAL ? c_value(l, arms[i]) : c_condition(l, arms[i])
                    : node->op == CBINARY_ALL ? build_integer(b, type, 0)
                                              : build_integer(b, type, 1);
    build_op(b, OP_SCF_YIELD, 1, &value, 0, NULL);
  }
  b->block = outer;
  return build_close(b, op, 1, &condition, 1, &type, 2, regions);
}

ValueId c_condition_where(Lower *l, const CNode *at, ValueId holds, const CNode *condition) {
  static const CType boolean = {.kind = CTYPE_BOOL, .width = 1, .text = "bool"};
  c_at(l, at);
  const CNode *both = c_node(l, at, CNODE_BINARY, CBINARY_ALL, &boolean, 1, condition);
  return choose(l, both, holds, condition, NULL, program_type_int(l->p, 1));
}

/* a && b, a || b: b is computed where a does not decide. */
static ValueId both(Lower *l, const CNode *node) {
  TypeId type = program_type_int(l->p, 1);
  ValueId a = c_condition(l, node->children[0]);
  bool all = node->op == CBINARY_ALL;
  ValueId value = choose(l, node, a, all ? node->children[1] : NULL, all ? NULL : node->children[1], type);
  return node->type->kind == CTYPE_BOOL ? value
                                        : build_unary(&l->b, OP_ARITH_EXTUI, value, c_type(l, node, node->type));
}

/* Pointer arithmetic: p + n, n + p, p - n. */
static ValueId move_pointer(Lower *l, const CNode *node) {
  const CNode *pointer = node->children[0], *by = node->children[1];
  if (pointer->type->kind != CTYPE_POINTER) pointer = node->children[1], by = node->children[0];
  if (by->type->kind != CTYPE_INT || (node->op != CBINARY_ADD && node->op != CBINARY_SUB))
    c_refuse(l, node, "a pointer and an integer are added", "this pointer arithmetic is not read yet");
  ValueId p = c_value(l, pointer), n = c_index(l, by);
  TypeId wide = c_index_type(l);
  if (node->op == CBINARY_SUB) n = c_fitting(l, OP_ARITH_SUBI, build_integer(&l->b, wide, 0), n, wide);
  return c_move(l, node, p, n, pointer->type->element);
}

static ValueId computed(Lower *l, const CNode *at, int op, ValueId old, const CType *old_type, const CNode *right) {
  /* the type that both sides are converted to; of a shift, the left side's own */
  const CType *type = right->type;
  static const CType promoted = {.kind = CTYPE_INT, .width = 32, .is_signed = true, .text = "int"};
  bool shifts = op == CBINARY_SHL || op == CBINARY_SHR;
  const CType *left = old_type->kind != CTYPE_FLOAT && old_type->width < 32 ? &promoted : old_type;
  if (type->kind != CTYPE_FLOAT && type->width < 32) type = &promoted;
  if (shifts || left->kind > type->kind || (left->kind == type->kind && left->width > type->width) ||
      (left->kind == CTYPE_INT && type->kind == CTYPE_INT && left->width == type->width && !left->is_signed))
    type = left;
  ValueId a = c_convert(l, at, old, old_type, type), b = c_value(l, right);
  b = c_convert(l, at, b, right->type, type);
  return c_convert(l, at, c_arithmetic(l, at, (CBinary)op, a, b, type), type, old_type);
}

static ValueId assign(Lower *l, const CNode *node) {
  const CNode *right = node->children[1];
  if (node->children[0]->type->kind == CTYPE_VECTOR) {
    Place to = c_place(l, node->children[0]);
    c_set_vector(l, node, &to, right);
    return 0;
  }
  ValueId value;
  if (node->type->kind == CTYPE_POINTER && c_points_into(l, node->children[0])) {
    uint32_t own = c_find(l, node, node->children[0]->target);
    Iterator to = c_iterator(l, node->op == CBINARY_ASSIGN ? right : node->children[0]);
    if (node->op != CBINARY_ASSIGN)
      to.index = c_fitting(l, node->op == CBINARY_ADD_ASSIGN ? OP_ARITH_ADDI : OP_ARITH_SUBI, to.index,
                           c_index(l, right), c_index_type(l));
    c_set_iterator(l, node, own, &to);
    return 0;
  }
  if (node->op == CBINARY_ASSIGN) {
    value = c_convert(l, node, c_value(l, right), right->type, node->children[0]->type);
    Place place = c_place(l, node->children[0]);
    c_write(l, node, &place, value);
    return value;
  }
  Place place = c_place(l, node->children[0]);
  int op = node->op - CBINARY_MUL_ASSIGN + CBINARY_MUL;
  static const CBinary of_assign[] = {CBINARY_MUL, CBINARY_DIV, CBINARY_REM, CBINARY_ADD, CBINARY_SUB,
                                      CBINARY_SHL, CBINARY_SHR, CBINARY_AND, CBINARY_XOR, CBINARY_OR};
  op = of_assign[node->op - CBINARY_MUL_ASSIGN];
  ValueId old = c_read(l, node, &place);
  if (place.type->kind == CTYPE_POINTER) {
    TypeId wide = c_index_type(l);
    ValueId n = c_index(l, right);
    if (op == CBINARY_SUB) n = c_fitting(l, OP_ARITH_SUBI, build_integer(&l->b, wide, 0), n, wide);
    value = c_move(l, node, old, n, place.type->element);
  } else {
    value = computed(l, node, op, old, place.type, right);
  }
  c_write(l, node, &place, value);
  return value;
}

static ValueId step(Lower *l, const CNode *node) {
  if (node->type->kind == CTYPE_POINTER && c_points_into(l, node)) {
    c_iterator(l, node);
    return 0;
  }
  Place place = c_place(l, node->children[0]);
  ValueId old = c_read(l, node, &place), value;
  bool down = node->op == CUNARY_PRE_DEC || node->op == CUNARY_POST_DEC;
  if (place.type->kind == CTYPE_POINTER) {
    value = c_move(l, node, old, build_integer(&l->b, c_index_type(l), down ? -1 : 1), place.type->element);
  } else {
    CNode one = {.kind = CNODE_INTEGER, .integer = 1, .type = place.type, .line = node->line};
    static const CType real = {.kind = CTYPE_INT, .width = 32, .is_signed = true, .text = "int"};
    if (place.type->kind == CTYPE_FLOAT) one.type = &real;
    value = computed(l, node, down ? CBINARY_SUB : CBINARY_ADD, old, place.type, &one);
  }
  c_write(l, node, &place, value);
  return node->op == CUNARY_PRE_DEC || node->op == CUNARY_PRE_INC ? value : old;
}

static ValueId unary(Lower *l, const CNode *node) {
  const CNode *inner = node->children[0];
  TypeId type;
  switch ((CUnary)node->op) {
  case CUNARY_POST_INC:
  case CUNARY_POST_DEC:
  case CUNARY_PRE_INC:
  case CUNARY_PRE_DEC: return step(l, node);
  case CUNARY_DEREFERENCE: {
    Place place = c_place(l, node);
    return c_read(l, node, &place);
  }
  case CUNARY_PLUS: return c_value(l, inner);
  case CUNARY_MINUS: {
    type = c_type(l, node, node->type);
    ValueId a = c_value(l, inner);
    if (node->type->kind == CTYPE_FLOAT) return build_unary(&l->b, OP_ARITH_NEGF, a, type);
    return c_arithmetic(l, node, CBINARY_SUB, build_integer(&l->b, type, 0), a, node->type);
  }
  case CUNARY_COMPLEMENT:
    type = c_type(l, node, node->type);
    return build_binary(&l->b, OP_ARITH_XORI, c_value(l, inner), build_integer(&l->b, type, -1), type);
  case CUNARY_NOT: {
    TypeId boolean = program_type_int(l->p, 1);
    ValueId c = c_condition(l, inner);
    c = build_binary(&l->b, OP_ARITH_XORI, c, build_integer(&l->b, boolean, 1), boolean);
    return node->type->kind == CTYPE_BOOL ? c : build_unary(&l->b, OP_ARITH_EXTUI, c, c_type(l, node, node->type));
  }
  case CUNARY_ADDRESS: {
    Place place = c_place(l, inner);
    if (place.kind == PLACE_ADDRESS) return place.address;
    break;
  }
  }
  c_refuse(l, node, NULL, "this unary operator is not read yet");
}

static ValueId binary(Lower *l, const CNode *node) {
  if (node->op >= CBINARY_LT && node->op <= CBINARY_NE) return compare(l, node);
  if (node->op == CBINARY_ALL || node->op == CBINARY_ANY) return both(l, node);
  if (node->op == CBINARY_COMMA) {
    c_effect(l, node->children[0]);
    return c_value(l, node->children[1]);
  }
  if (node->op >= CBINARY_ASSIGN && node->op < CBINARY_COMMA) return assign(l, node);
  if (node->type->kind == CTYPE_POINTER) return move_pointer(l, node);
  if (node->op == CBINARY_SUB && points(node->children[0]->type) && c_points_into(l, node->children[0])) {
    ValueId at[2];
    two_indices(l, node, at);
    return c_fitting(l, OP_ARITH_SUBI, at[0], at[1], c_index_type(l));
  }
  if (node->op == CBINARY_SUB && points(node->children[0]->type)) {
    const CType *element = node->children[0]->type->element;
    TypeId wide = c_index_type(l);
    ValueId one = build_integer(&l->b, wide, 1);
    for (; element->kind == CTYPE_ARRAY; element = element->element)
      one = c_fitting(l, OP_ARITH_MULI, one, c_extent(l, node, element), wide);
    ValueId size = build_integer(&l->b, wide, element->width < 8 ? 1 : element->width / 8);
    return c_fitting(l, OP_ARITH_DIVSI, pointer_difference(l, node), c_fitting(l, OP_ARITH_MULI, one, size, wide),
                     wide);
  }
  ValueId a = c_value(l, node->children[0]), b = c_value(l, node->children[1]);
  b = c_convert(l, node, b, node->children[1]->type, node->type); /* the count of a shift */
  return c_arithmetic(l, node, (CBinary)node->op, a, b, node->type);
}

/* ---- calls ---- */

static const struct {
  const char *name;
  Opcode code;
  uint32_t count;
} functions[] = {
#define FN(id, text, arity, sort, domain, trait, least, most, at_zero, pole, value, mlir, ...)                         \
  {text, OP_MATH_##mlir, arity},
#define FN_REAL(...)
#define FN_INT(...)
#include "base/functions.def"
    {"sqrt", OP_MATH_SQRT, 1},     {"cbrt", OP_MATH_CBRT, 1},         {"exp2", OP_MATH_EXP2, 1},
    {"expm1", OP_MATH_EXPM1, 1},   {"log2", OP_MATH_LOG2, 1},         {"log10", OP_MATH_LOG10, 1},
    {"log1p", OP_MATH_LOG1P, 1},   {"fabs", OP_MATH_ABSF, 1},         {"abs", OP_MATH_ABSF, 1},
    {"floor", OP_MATH_FLOOR, 1},   {"ceil", OP_MATH_CEIL, 1},         {"round", OP_MATH_ROUND, 1},
    {"trunc", OP_MATH_TRUNC, 1},   {"rint", OP_MATH_ROUNDEVEN, 1},    {"nearbyint", OP_MATH_ROUNDEVEN, 1},
    {"fmod", OP_ARITH_REMF, 2},    {"copysign", OP_MATH_COPYSIGN, 2}, {"fmax", OP_ARITH_MAXNUMF, 2},
    {"fmin", OP_ARITH_MINNUMF, 2}, {"fma", OP_MATH_FMA, 3},           {"hypot", OP_NONE, 2},
};

/* By its name, or with the suffix of its type. */
static bool is_math(const char *name, const char *of, const CType *type) {
  size_t n = strlen(of);
  if (strncmp(name, of, n)) return false;
  return !name[n] || (!name[n + 1] &&
                      ((type->format == FLOAT_F32 && name[n] == 'f') || (type->format == FLOAT_F80 && name[n] == 'l')));
}

/* lround, lrint and the like: to the nearest integer, which fits. */
static ValueId rounded(Lower *l, const CNode *node) {
  static const struct {
    const char *name;
    Opcode code;
  } rows[] = {{"lrint", OP_MATH_ROUNDEVEN},
              {"llrint", OP_MATH_ROUNDEVEN},
              {"lround", OP_MATH_ROUND},
              {"llround", OP_MATH_ROUND}};
  const CType *from = node->count == 1 ? node->children[0]->type : node->type;
  for (size_t i = 0; from->kind == CTYPE_FLOAT && i < sizeof rows / sizeof *rows; i++) {
    if (!is_math(node->name, rows[i].name, from)) continue;
    TypeId type = c_type(l, node, from);
    ValueId x = build_unary(&l->b, rows[i].code, c_value(l, node->children[0]), type);
    return c_convert(l, node, x, from, node->type);
  }
  return 0;
}

/* abs of integers: |INT_MIN| does not fit. */
static ValueId absolute(Lower *l, const CNode *node) {
  TypeId type = c_type(l, node, node->type);
  ValueId a = c_convert(l, node, c_value(l, node->children[0]), node->children[0]->type, node->type);
  ValueId zero = build_integer(&l->b, type, 0), minus = c_fitting(l, OP_ARITH_SUBI, zero, a, type);
  return build_op(&l->b, OP_ARITH_SELECT, 3, (ValueId[]){build_compare(&l->b, OP_ARITH_CMPI, "slt", a, zero), minus, a},
                  1, &type);
}

/* std::min, std::max: the first where both are equal. */
static ValueId extreme(Lower *l, const CNode *node, bool max) {
  const CType *type = node->type;
  TypeId id = c_type(l, node, type);
  ValueId a = c_value(l, node->children[0]), b = c_value(l, node->children[1]);
  if (type->kind == CTYPE_FLOAT) {
    build_attr_unit(&l->b, "compares"); /* a < b ? b : a */
    return build_binary(&l->b, max ? OP_ARITH_MAXNUMF : OP_ARITH_MINNUMF, a, b, id);
  }
  Opcode code = type->is_signed ? max ? OP_ARITH_MAXSI : OP_ARITH_MINSI : max ? OP_ARITH_MAXUI : OP_ARITH_MINUI;
  return build_binary(&l->b, code, a, b, id);
}

static bool same_signature(const CNode *a, const CNode *b) {
  bool same = a->count == b->count && a->type->kind == b->type->kind && a->type->width == b->type->width;
  for (uint32_t i = 0; same && i + 1 < a->count; i++) {
    const CType *x = a->children[i]->type, *y = b->children[i]->type;
    same = x->kind == y->kind && x->width == y->width && x->is_signed == y->is_signed;
  }
  return same;
}

/* A function of the user's that has no body here, or shall have none: any function of its arguments. It is known by
 * its name. */
static ValueId opaque_call(Lower *l, const CNode *node) {
  if (!takes_numbers(node))
    c_refuse(l, node, "what has numbers for arguments and result can be one", "%s as an unknown function", node->name);
  for (uint32_t i = 0; i < l->opaque.count; i++) {
    const CNode *other = l->opaque.data[i];
    if (other != node->target && !strcmp(other->name, node->name) && !same_signature(other, node->target))
      c_refuse(l, node, "give them different names", "two unknown functions with the name %s", node->name);
  }
  array_push(l->arena, &l->opaque, node->target);
  ValueId *args = arena_array(l->arena, ValueId, node->count);
  for (uint32_t i = 0; i < node->count; i++) args[i] = c_value(l, node->children[i]);
  TypeId id = c_type(l, node, node->type);
  build_attr_string(&l->b, "symbol", node->name);
  build_attr_unit(&l->b, "pure");
  return build_op(&l->b, OP_TT_EXTERN_ELEMENTWISE, node->count, args, 1, &id);
}

/* ---- memset, memcpy ---- */

const CNode *c_without_cast(const CNode *node) {
  while (node->kind == CNODE_CAST && node->type->kind == CTYPE_POINTER) node = node->children[0];
  return node;
}

CNode *c_node(Lower *l, const CNode *at, CNodeKind kind, int op, const CType *type, uint32_t count, ...) {
  CNode *node = arena_new(l->arena, CNode);
  *node = *at;
  node->kind = kind, node->op = op, node->type = type, node->count = count, node->target = NULL;
  node->children = arena_array(l->arena, CNode *, count + 1);
  va_list children;
  va_start(children, count);
  for (uint32_t i = 0; i < count; i++) node->children[i] = va_arg(children, CNode *);
  va_end(children);
  return node;
}

bool c_fills_memory(const CNode *node) {
  return node->count == 3 && (!strcmp(node->name, "memset") || !strcmp(node->name, "memcpy"));
}

/* memset(p, 0, sizeof(T) * n) as for (i = 0; i < n; i++) p[i] = 0; memcpy likewise. What else these functions may do,
 * such as to set bytes of wider numbers, is not read. */
static bool fill_memory(Lower *l, const CNode *node) {
  if (!c_fills_memory(node)) return false;
  bool sets = !strcmp(node->name, "memset");
  const CNode *to = c_without_cast(node->children[0]), *from = c_without_cast(node->children[1]);
  const CType *element = to->type->element;
  if (!points(to->type) || !c_is_number(element) || c_has_effect(to) || c_has_effect(from) ||
      c_has_effect(node->children[2]) ||
      (to->kind != CNODE_NAME && to->type->kind != CTYPE_ARRAY && c_points_into(l, to)))
    return false;
  int64_t size = element->width < 8 ? 1 : element->width / 8;
  CNode *count = c_elements_of(l->arena, node->children[2], size);
  if (sets ? from->kind != CNODE_INTEGER || from->integer != 0
           : !points(from->type) || from->type->element->kind != element->kind ||
                 from->type->element->width != element->width)
    return false;
  if (!sets && c_root_through(l, to) && c_root_through(l, to) == c_root_through(l, from))
    c_refuse(l, node, "write a loop", "memcpy within one array, whose parts may overlap, is not read");
  if (!count) c_refuse(l, node, "write the number of bytes as sizeof(T) * n", "this number of bytes is not read");
  CNode *zero = c_node(l, node, CNODE_INTEGER, 0, count->type, 0);
  zero->integer = 0;
  CNode *i = c_node(l, node, CNODE_VARIABLE, 0, count->type, 1, zero);
  CNode *name = c_node(l, node, CNODE_NAME, 0, count->type, 0);
  i->name = name->name = "i", name->target = i;
  CNode *value = sets ? c_node(l, node, CNODE_INTEGER, 0, from->type, 0)
                      : c_node(l, node, CNODE_SUBSCRIPT, 0, element, 2, from, name);
  value->integer = 0;
  CNode *element_of = c_node(l, node, CNODE_SUBSCRIPT, 0, element, 2, to, name);
  c_statement(l, c_node(l, node, CNODE_FOR, 0, node->type, 4, c_node(l, node, CNODE_DECLARE, 0, node->type, 1, i),
                        c_node(l, node, CNODE_BINARY, CBINARY_LT, count->type, 2, name, count),
                        c_node(l, node, CNODE_UNARY, CUNARY_PRE_INC, count->type, 1, name),
                        c_node(l, node, CNODE_BINARY, CBINARY_ASSIGN, element, 2, element_of, value)));
  return true;
}

/* Text and numbers: nothing through which a function could reach what its caller has in memory. */
static bool takes_values(const CNode *node) {
  for (uint32_t i = 0; i < node->count; i++) {
    const CNode *argument = c_without_cast(node->children[i]), *f = node->target;
    const CType *parameter = f && i + 1 < f->count ? f->children[i]->type : NULL;
    if (parameter && parameter->is_reference && !parameter->is_const) return false;
    bool stream = argument->kind == CNODE_NAME && argument->target && c_is_library(argument->target); /* stderr */
    if (!c_is_number(argument->type) && argument->kind != CNODE_TEXT && !stream) return false;
  }
  return true;
}

bool c_is_library(const CNode *declaration) {
  return declaration->file && !strncmp(declaration->file, CLANG_HEADERS, strlen(CLANG_HEADERS));
}

bool c_ends_program(const CNode *node) {
  if (node && node->kind == CNODE_COMPOUND && node->count) return c_ends_program(node->children[node->count - 1]);
  return node && node->kind == CNODE_CALL && node->target && c_is_library(node->target) &&
         (!strcmp(node->name, "exit") || !strcmp(node->name, "abort"));
}

/* Functions that print, whose result is not used; those that end the program: that they are not called is relied on;
 * other functions without a body and a result, which are taken to change nothing. */
static bool effect_elsewhere(Lower *l, const CNode *node) {
  static const char *const prints[] = {"printf", "fprintf", "puts",   "fputs", "putchar",
                                       "fputc",  "putc",    "perror", "fflush"};
  bool is_ours = node->target && c_is_library(node->target), is_print = false;
  for (size_t i = 0; i < sizeof prints / sizeof *prints; i++) is_print |= is_ours && !strcmp(node->name, prints[i]);
  bool ends = c_ends_program(node);
  bool unknown = node->target && !is_ours && node->type->kind == CTYPE_VOID;
  if ((!is_print && !ends && !unknown) || !takes_values(node)) return false;
  for (uint32_t i = 0; i < node->count; i++) c_effect(l, node->children[i]);
  if (ends)
    c_require(l, node, build_integer(&l->b, program_type_int(l->p, 1), 0),
              arena_format(l->arena, "%s is not called", node->name));
  if (unknown) c_assume(l, node, arena_format(l->arena, "%s changes nothing that is used here", node->name));
  return true;
}

/* What stands between the parentheses of the macro: what it is replaced by has no place but a line and a column. */
static const char *text_of_assertion(Lower *l, const CNode *call) {
  const char *c = l->source->text, *end = c + l->source->size, *from;
  uint32_t open = 0;
  char quote = 0;
  if (call->file && strcmp(call->file, l->source->name)) return c_text(l, call->children[0]);
  for (uint32_t line = 1; line < call->line && c < end; c++) line += *c == '\n';
  for (c += call->column ? call->column - 1 : 0;
       c < end && (isalnum((unsigned char)*c) || isspace((unsigned char)*c) || *c == '_');)
    c++;
  for (from = c + 1; c < end; c++) {
    if (quote) {
      if (*c == '\\')
        c++;
      else if (*c == quote)
        quote = 0;
    } else if (*c == '"' || *c == '\'')
      quote = *c;
    else if (*c == '(')
      open++;
    else if (!open || (*c == ')' && !--open))
      break;
  }
  if (c >= end || c <= from || *c != ')') return c_text(l, call->children[0]);
  char *text = arena_copy(l->arena, from, (size_t)(c - from));
  for (char *space = text; *space; space++)
    if (isspace((unsigned char)*space)) *space = ' ';
  return text;
}

/* std::swap of numbers; an assertion, which the program relies on. false: the call is none of these. */
static bool library_effect(Lower *l, const CNode *node) {
  if (!strcmp(node->name, "__assay_assert") && node->count == 1) {
    const CNode *condition = node->children[0];
    c_require(l, node, c_condition(l, condition), text_of_assertion(l, node));
    return true;
  }
  if (!strcmp(node->name, "free") && node->count == 1 && node->target && c_is_library(node->target)) {
    if (c_free(l, node)) return true;
    c_refuse(l, node, NULL, "free of memory that is not allocated here is not read yet");
  }
  if (strcmp(node->name, "swap") || node->count != 2) return false;
  if (node->children[0]->type->kind == CTYPE_VECTOR) return c_swap_vectors(l, node), true;
  if (!c_is_number(node->children[0]->type)) return false;
  Place places[2];
  ValueId values[2];
  for (int i = 0; i < 2; i++) {
    places[i] = c_place(l, node->children[i]);
    values[i] = c_read(l, node, &places[i]);
  }
  for (int i = 0; i < 2; i++) c_write(l, node, &places[i], values[1 - i]);
  return true;
}

/* INFINITY, HUGE_VAL, NAN and std::numeric_limits<T>::infinity(); 0: it is none. */
static ValueId no_number(Lower *l, const CNode *node) {
  static const struct {
    const char *name;
    double value;
  } rows[] = {{"__builtin_inff", INFINITY},
              {"__builtin_inf", INFINITY},
              {"__builtin_infl", INFINITY},
              {"__builtin_huge_val", INFINITY},
              {"__builtin_huge_valf", INFINITY},
              {"__builtin_nanf", NAN},
              {"__builtin_nan", NAN},
              {"nan", NAN},
              {"nanf", NAN}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (node->count == (isnan(rows[i].value) ? 1u : 0u) && !strcmp(node->name, rows[i].name))
      return build_real(&l->b, c_type(l, node, node->type), rows[i].value);
  return 0;
}

/* isnan, isinf, isfinite; 0: it is none. */
static ValueId is_of_kind(Lower *l, const CNode *node) {
  static const struct {
    const char *name, *predicate;
  } rows[] = {{"isnan", "uno"}, {"isinf", "oeq"}, {"isfinite", "olt"}};
  const char *name = !strncmp(node->name, "__builtin_", 10) ? node->name + 10 : node->name;
  bool is_ours = name != node->name || (node->target && c_is_library(node->target));
  const CType *from = node->count == 1 ? node->children[0]->type : node->type;
  for (size_t i = 0; is_ours && from->kind == CTYPE_FLOAT && i < sizeof rows / sizeof *rows; i++) {
    if (strcmp(name, rows[i].name)) continue;
    TypeId type = c_type(l, node, from);
    ValueId x = c_value(l, node->children[0]), other = x;
    if (i) x = build_unary(&l->b, OP_MATH_ABSF, x, type), other = build_real(&l->b, type, INFINITY);
    ValueId is = build_compare(&l->b, OP_ARITH_CMPF, rows[i].predicate, x, other);
    return node->type->kind == CTYPE_BOOL ? is : build_unary(&l->b, OP_ARITH_EXTUI, is, c_type(l, node, node->type));
  }
  return 0;
}

static ValueId call(Lower *l, const CNode *node) {
  const CType *type = node->type;
  bool in_body = c_body_of(node);
  if (in_body) return c_inline(l, node);
  if (node->target && node->target->op == CFUNCTION_OPAQUE) return opaque_call(l, node);
  if (type->kind == CTYPE_VOID && library_effect(l, node)) return 0;
  if (type->kind == CTYPE_VOID && effect_elsewhere(l, node)) return 0;
  if (type->kind == CTYPE_POINTER && fill_memory(l, node)) return 0;
  ValueId special = type->kind == CTYPE_FLOAT ? no_number(l, node) : is_of_kind(l, node);
  if (special) return special;
  if (!in_body && type->kind == CTYPE_FLOAT)
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
      if (node->count != functions[i].count || !is_math(node->name, functions[i].name, type)) continue;
      ValueId args[3];
      for (uint32_t k = 0; k < node->count; k++)
        args[k] = c_convert(l, node, c_value(l, node->children[k]), node->children[k]->type, type);
      TypeId id = c_type(l, node, type);
      if (functions[i].code != OP_NONE) return build_op(&l->b, functions[i].code, node->count, args, 1, &id);
      ValueId a = build_binary(&l->b, OP_ARITH_MULF, args[0], args[0], id); /* hypot */
      ValueId b = build_binary(&l->b, OP_ARITH_MULF, args[1], args[1], id);
      return build_unary(&l->b, OP_MATH_SQRT, build_binary(&l->b, OP_ARITH_ADDF, a, b, id), id);
    }
  if (!in_body && type->kind == CTYPE_INT && node->count == 1 &&
      (!strcmp(node->name, "abs") || !strcmp(node->name, "labs") || !strcmp(node->name, "llabs")))
    return absolute(l, node);
  ValueId integer = type->kind == CTYPE_INT ? rounded(l, node) : 0;
  if (integer) return integer;
  bool is_ours = node->target && c_is_library(node->target);
  if (is_ours && node->count == 2 && c_is_number(type) && type->kind != CTYPE_BOOL &&
      (!strcmp(node->name, "min") || !strcmp(node->name, "max")))
    return extreme(l, node, node->name[1] == 'a');
  if (node->target && !is_ours && takes_numbers(node)) return opaque_call(l, node);
  c_refuse(l, node, "functions of <math.h> and std::min, std::max are read", "a call of %s is not read yet",
           node->name);
}

/* ---- all of them ---- */

/* Clang hands out a long double as a double, which may be another number: the text says. */
static bool is_the_literal(Lower *l, const CNode *node) {
  if (node->type->kind != CTYPE_FLOAT || node->type->format != FLOAT_F80) return true;
  char *end;
  const char *text = c_text(l, node);
  long double exact = strtold(text, &end);
  return end != text && strspn(end, "lL") == strlen(end) && exact == (long double)node->real;
}

ValueId c_value(Lower *l, const CNode *node) {
  ValueId value = 0;
  guard_tick(l->arena->guard);
  c_at(l, node);
  switch (node->kind) {
  case CNODE_INTEGER: return build_integer(&l->b, c_type(l, node, node->type), signed_bits(node));
  case CNODE_REAL:
    if (!is_the_literal(l, node)) c_refuse(l, node, "a double", "a long double that no double holds is not read");
    return build_real(&l->b, c_type(l, node, node->type), node->real);
  case CNODE_NAME:
  case CNODE_SUBSCRIPT: {
    Place place = c_place(l, node);
    return c_read(l, node, &place);
  }
  case CNODE_UNARY: return unary(l, node);
  case CNODE_BINARY: return binary(l, node);
  case CNODE_CONDITIONAL:
    return choose(l, node, c_condition(l, node->children[0]), node->children[1], node->children[2],
                  node->type->kind == CTYPE_VOID ? 0 : c_type(l, node, node->type));
  case CNODE_CAST: return cast(l, node);
  case CNODE_CALL: return call(l, node);
  case CNODE_METHOD:
    if (c_vector_method(l, node, &value)) return value;
    c_refuse(l, node, NULL, "the method %s is not read yet", node->name);
  case CNODE_UNKNOWN: c_refuse(l, node, NULL, "%s is not read yet", node->name);
  case CNODE_UNPACK: c_unpack(l, node); return 0;
  case CNODE_NOT_NULL: return not_null(l, node, node->name);
  case CNODE_LAMBDA:
  case CNODE_MOVE:
  case CNODE_TEXT:
  case CNODE_CONSTRUCT:
  case CNODE_MEMBER:
  case CNODE_DESIGNATE:
  case CNODE_LIST:
    if (c_is_number(node->type) && node->count < 2) /* int{}, {x} */
      return node->count ? c_convert(l, node, c_value(l, node->children[0]), node->children[0]->type, node->type)
             : node->type->kind == CTYPE_FLOAT ? build_real(&l->b, c_type(l, node, node->type), 0)
                                               : build_integer(&l->b, c_type(l, node, node->type), 0);
    c_refuse(l, node, "give it a name", "a value of type %s inside an expression", node->type->text);
  case CNODE_COMPOUND:
  case CNODE_DECLARE:
  case CNODE_IF:
  case CNODE_FOR:
  case CNODE_WHILE:
  case CNODE_DO:
  case CNODE_EACH:
  case CNODE_RETURN:
  case CNODE_BREAK:
  case CNODE_CONTINUE:
  case CNODE_SWITCH:
  case CNODE_CASE:
  case CNODE_EMPTY:
  case CNODE_GOTO:
  case CNODE_LABEL:
  case CNODE_MARK:
  case CNODE_VARIABLE:
  case CNODE_FUNCTION: break;
  }
  c_refuse(l, node, NULL, "this is no expression");
}

void c_effect(Lower *l, const CNode *node) {
  if (node->kind == CNODE_CAST && node->type->kind == CTYPE_VOID) node = node->children[0];
  if (node->kind == CNODE_CALL && !c_body_of(node) && node->type->kind == CTYPE_INT && effect_elsewhere(l, node))
    return;
  if (c_has_effect(node) || node->kind == CNODE_METHOD) c_value(l, node);
}
