/* Unsigned: which pointers' elements are read without sign (semantics, section 3: types are signless, signs are in the
 * operations).
 *
 * A pointer to u8 is one to i8 in the IR. Where whatever reads its elements takes them without sign (an extension, a
 * conversion, a division, a shift to the right, a comparison), they are shown so: `q[i]` from 0 to 255, and not
 * `where(q[i] < 0, q[i] + 256, q[i])`. This is about names alone: a load is the same bits either way
 * (execute/memory.c), so that nothing rests on what is found here.
 *
 * How a value is read goes backwards from its uses: shapes, choices and bitwise operations hand on how their results
 * are read; a test for equality and a mask of bits with a sign bit of 0 ask for neither. Whatever is not known here
 * reads with a sign, as stores do. */
#include "analysis/analysis.h"

#include <string.h>

enum { READ_SIGNED = 1, READ_UNSIGNED = 2 };

typedef struct Readings {
  const Analysis *ex;
  const Program *p;
  uint8_t *read; /* by value: how it is read; of a pointer, its elements */
  bool changed;
} Readings;

static void add(Readings *r, ValueId value, uint8_t how) {
  r->changed |= (r->read[value] | how) != r->read[value];
  r->read[value] |= how;
}

static void add_all(Readings *r, const Op *op, uint32_t first, uint8_t how) {
  for (uint32_t i = first; i < op->operand_count; i++) add(r, op->operands[i], how);
}

static uint8_t of_results(const Readings *r, const Op *op) {
  uint8_t how = 0;
  for (uint32_t i = 0; i < op->result_count; i++) how |= r->read[program_result(op, i)];
  return how;
}

/* A constant without sign bit: nothing is left of that of the other operand. */
static bool is_mask(const Program *p, ValueId value) {
  OpId id = program_get_value(p, analysis_root(p, value))->op;
  const Op *op = id ? program_get_op(p, id) : NULL;
  AttrId attr = op && op->code == OP_ARITH_CONSTANT ? program_op_attr(p, op, "value") : 0;
  if (!attr) return false;
  const Attr *a = program_get_attr(p, attr);
  if (a->kind == ATTR_DENSE && a->count == 1) a = program_get_attr(p, a->items[0]);
  return a->kind == ATTR_INT && a->integer >= 0;
}

/* How a value is read that a loop carries: a pointer as in the body and behind it. Numbers are unknowns of the loop,
 * which have a sign. */
static uint8_t of_carried(const Readings *r, const Op *loop, uint32_t i) {
  const Block *body = program_get_block(r->p, program_get_region(r->p, loop->regions[0])->blocks.data[0]);
  TypeId type = program_get_value(r->p, program_result(loop, i))->type;
  if (program_get_type(r->p, program_element_type(r->p, type))->kind != TYPE_POINTER) return READ_SIGNED;
  return r->read[program_result(loop, i)] | r->read[body->first_arg + 1 + i];
}

static void add_loop(Readings *r, const Op *op) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    add(r, op->operands[i], i < 3 ? READ_SIGNED : of_carried(r, op, i - 3));
}

static void add_yield(Readings *r, const Op *op) {
  const Op *parent = program_get_op(r->p, program_get_region(r->p, program_get_block(r->p, op->block)->region)->parent);
  for (uint32_t i = 0; i < op->operand_count; i++) {
    uint8_t how = parent->code == OP_SCF_FOR  ? of_carried(r, parent, i)
                  : parent->code == OP_SCF_IF ? r->read[program_result(parent, i)]
                                              : READ_SIGNED;
    add(r, op->operands[i], how);
  }
}

static void add_edges(Readings *r, const Op *op) {
  for (uint32_t s = 0; s < op->successor_count; s++)
    for (uint32_t i = 0; i < op->successors[s].arg_count; i++)
      add(r, op->successors[s].args[i], r->read[program_get_block(r->p, op->successors[s].block)->first_arg + i]);
}

static void add_comparison(Readings *r, const Op *op) {
  const char *predicate = program_op_text(r->p, op, "predicate");
  if (predicate && (predicate[0] == 'e' || predicate[0] == 'n')) return;
  add_all(r, op, 0, predicate && predicate[0] == 'u' ? READ_UNSIGNED : READ_SIGNED);
}

static void add_op(Readings *r, const Op *op) {
  Opcode code = op->code;
  OpFamily family = program_op_family(code);
  if (family == OP_FAMILY_SPREAD || family == OP_FAMILY_PERMUTE || code == OP_TT_CAT || code == OP_TT_JOIN ||
      code == OP_TT_SPLIT || code == OP_ARITH_XORI || code == OP_ARITH_ORI)
    add_all(r, op, 0, of_results(r, op));
  else if (code == OP_TT_ADDPTR || code == OP_TT_MAKE_TENSOR_PTR || code == OP_TT_ADVANCE ||
           code == OP_TT_MAKE_TENSOR_DESCRIPTOR || code == OP_TT_DESCRIPTOR_LOAD || code == OP_TT_DESCRIPTOR_GATHER ||
           code == OP_TT_GATHER) {
    add(r, op->operands[0], of_results(r, op));
    add_all(r, op, 1, READ_SIGNED); /* whole numbers that say where */
  } else if (code == OP_TT_LOAD) {
    for (uint32_t i = 0; i < op->operand_count; i += 2)
      add(r, op->operands[i], of_results(r, op)); /* pointer and `other` */
  } else if (code == OP_ARITH_SELECT)
    add_all(r, op, 1, of_results(r, op));
  else if (code == OP_ARITH_ANDI) {
    for (uint32_t i = 0; i < 2; i++)
      if (!is_mask(r->p, op->operands[1 - i])) add(r, op->operands[i], of_results(r, op));
  } else if (code == OP_ARITH_UITOFP || code == OP_ARITH_EXTUI || code == OP_ARITH_SHRUI || code == OP_ARITH_DIVUI ||
             code == OP_ARITH_CEILDIVUI || code == OP_ARITH_REMUI || code == OP_ARITH_MAXUI || code == OP_ARITH_MINUI)
    add_all(r, op, 0, READ_UNSIGNED);
  else if (code == OP_ARITH_CMPI)
    add_comparison(r, op);
  else if (code == OP_SCF_FOR)
    add_loop(r, op);
  else if (code == OP_SCF_YIELD)
    add_yield(r, op);
  else if (code == OP_CF_BR || code == OP_CF_COND_BR)
    add_edges(r, op);
  else if (code != OP_ARITH_TRUNCI && code != OP_TT_PRINT && code != OP_TT_ASSERT && code != OP_SCF_IF) {
    add_all(r, op, 0, READ_SIGNED); /* but low bits, and conditions */
    add_edges(r, op);
  }
}

static bool may_be_unsigned(const Program *p, ValueId value, bool is_pointer) {
  const Type *type = program_value_type(p, value), *element = type;
  if ((type->kind == TYPE_POINTER) != is_pointer) return false;
  if (is_pointer) element = program_get_type(p, type->element);
  return element->kind == TYPE_INT && element->width >= 8 &&
         element->width <= 32; /* greater numbers do not fit random evaluation's */
}

/* The function whose first argument that is; NULL: none. */
static const Function *function_of(const Program *p, ValueId first) {
  for (uint32_t i = 0; i < p->functions.count; i++) {
    const Function *f = &p->functions.data[i];
    const Op *op = program_get_op(p, f->op);
    const Region *body = op->region_count ? program_get_region(p, op->regions[0]) : NULL;
    if (body && body->blocks.count && program_get_block(p, body->blocks.data[0])->first_arg == first) return f;
  }
  return NULL;
}

/* The source says of an argument that its integers have a sign, or none. */
static bool is_declared(const Program *p, const Function *f, uint32_t argument, const char *sign) {
  return f && program_arg_attr(p, f, argument, sign);
}

void analysis_find_unsigned(const Analysis *ex, ValueId first, uint32_t count, bool *is_unsigned) {
  const Program *p = ex->program;
  const ExecuteBinding *bindings = ex->bindings;
  const Function *f = count ? function_of(p, first) : NULL;
  Readings r = {.ex = ex, .p = p, .read = arena_array(ex->arena, uint8_t, p->values.count + 1)};
  bool any = false;
  for (uint32_t i = 0; i < count; i++) any |= may_be_unsigned(p, first + i, true);
  for (r.changed = any; r.changed;) { /* uses mostly come later in the text */
    r.changed = false;
    guard_tick(ex->arena->guard);
    for (OpId id = ex->extent.end_op; id-- > ex->extent.first_op;)
      if (!ex->dead[id]) add_op(&r, program_get_op(p, id));
  }
  for (uint32_t i = 0; i < count; i++) /* the names of one tensor read it together */
    if (bindings && bindings[i].same_as) add(&r, first + bindings[i].same_as - 1, r.read[first + i]);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t root = bindings && bindings[i].same_as ? bindings[i].same_as - 1 : i;
    bool is_signed =
        is_declared(p, f, root, "signed") || (bindings && (bindings[i].is_signed || bindings[root].is_signed));
    bool is_given =
        is_declared(p, f, root, "unsigned") || (bindings && (bindings[i].is_unsigned || bindings[root].is_unsigned));
    bool is_read = r.read[first + root] == READ_UNSIGNED && !is_signed;
    is_unsigned[first + i] = ((is_given || is_read) && may_be_unsigned(p, first + i, true)) ||
                             (is_declared(p, f, i, "unsigned") && may_be_unsigned(p, first + i, false));
  }
}
