/* The invariants of a program, as MLIR's verifier has them for these ops.
 *
 *   * operand and result types obey the op's rule, the column `rule` of ops.def
 *   * every block ends in a terminator, and only there; the terminator fits the op around it
 *   * regions have the blocks and block arguments that their op wants
 *   * a use is dominated by its definition: regions with one block in order, others along the dominator tree
 *     (Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm)
 *
 * A value of type 0 comes from an op that has already been reported: it fits everything. */
#include "program/program.h"

#include <string.h>

typedef enum Rule {
  RULE_NONE,
  RULE_SAME_INT,
  RULE_SAME_FLOAT,
  RULE_CARRY,
  RULE_CMP_INT,
  RULE_CMP_FLOAT,
  RULE_SELECT,
  RULE_EXT_INT,
  RULE_TRUNC_INT,
  RULE_EXT_FLOAT,
  RULE_TRUNC_FLOAT,
  RULE_INT_TO_FP,
  RULE_FP_TO_INT,
  RULE_BITCAST,
  RULE_INDEX_CAST,
  RULE_INT_TO_PTR,
  RULE_PTR_TO_INT,
  RULE_FP_TO_FP,
  RULE_ADDPTR,
  RULE_LOAD,
  RULE_STORE,
  RULE_ATOMIC,
  RULE_SPLAT,
  RULE_UNSPLAT,
  RULE_EXPAND,
  RULE_BROADCAST,
  RULE_TRANS,
  RULE_RESHAPE,
  RULE_CAT,
  RULE_JOIN,
  RULE_SPLIT,
  RULE_GATHER,
  RULE_I32,
  RULE_RANGE,
  RULE_DOT,
  RULE_REDUCE,
  RULE_SCAN,
  RULE_BOOL,
  RULE_CONSTANT,
  RULE_FOR,
  RULE_IF,
  RULE_WHILE,
  RULE_CONDITION,
  RULE_BLOCK_POINTER,
  RULE_DESCRIPTOR,
  RULE_HISTOGRAM,
  RULE_ARRAY_FILL,
  RULE_ARRAY_INSERT,
  RULE_ARRAY_EXTRACT,
} Rule;

enum { PURE, PARTIAL, EFFECT, TERMINATOR, FUNCTION, REGIONS };

static const struct {
  const char *name;
  uint8_t traits, rule;
} rows[OP_COUNT] = {
    {"none", 0, 0},
    {"unknown", 0, 0},
#define OP(id, name, low, high, results, traits, family, rule, format) {name, traits, RULE_##rule},
#include "program/ops.def"
#undef OP
};

typedef struct Checker {
  const Program *p;
  Arena *arena;
  DiagnosticList *diagnostics;
  uint8_t *visible; /* by ValueId */
  Array(ValueId) scope;
  uint32_t *order; /* by BlockId: place in reverse postorder + 1; 0: unreachable */
  bool only_uses;  /* operations are those of any dialect, whose rules are their handlers' */
} Checker;

/* ---- reporting */

static const char *show(const Checker *c, TypeId type) {
  Text text = text_new(c->arena);
  program_type_print(c->p, type, &text);
  return text_string(&text);
}

static bool report(Checker *c, const Op *op, const char *code, const char *message) {
  const char *name = c->only_uses ? intern_string(c->p->names, op->name) : rows[op->code].name;
  diagnostic_add(c->diagnostics, SEVERITY_ERROR, code, c->p->source, op->span, NULL, "%s: %s", name, message);
  return false;
}

static bool wrong_type(Checker *c, const Op *op, const char *what, TypeId found) {
  return report(c, op, "check.type", arena_format(c->arena, "%s, found %s", what, show(c, found)));
}

/* ---- questions about types */

static TypeId operand_type(const Checker *c, const Op *op, uint32_t i) {
  return program_get_value(c->p, op->operands[i])->type;
}
static TypeId result_type(const Checker *c, const Op *op, uint32_t i) {
  return program_get_value(c->p, op->first_result + i)->type;
}
static const Type *get(const Checker *c, TypeId type) { return program_get_type(c->p, type); }
static const Type *element(const Checker *c, TypeId type) { return get(c, program_element_type(c->p, type)); }

static bool is_int(const Checker *c, TypeId t) {
  return element(c, t)->kind == TYPE_INT || element(c, t)->kind == TYPE_INDEX;
}
static bool is_float(const Checker *c, TypeId t) { return element(c, t)->kind == TYPE_FLOAT; }
static bool is_pointer(const Checker *c, TypeId t) { return element(c, t)->kind == TYPE_POINTER; }
static bool is_tensor(const Checker *c, TypeId t) { return get(c, t)->kind == TYPE_TENSOR; }
static bool is_bool(const Checker *c, TypeId t) { return element(c, t)->kind == TYPE_INT && element(c, t)->width == 1; }

static bool same_shape(const Checker *c, TypeId a, TypeId b) {
  const Type *s = get(c, a), *t = get(c, b);
  if ((s->kind == TYPE_TENSOR) != (t->kind == TYPE_TENSOR)) return false;
  if (s->kind != TYPE_TENSOR) return true;
  return s->rank == t->rank && (!s->rank || !memcmp(s->dims, t->dims, s->rank * sizeof *s->dims));
}

/* ---- rules for groups of ops */

static bool all_same(Checker *c, const Op *op, bool wanted_int) {
  TypeId first = operand_type(c, op, 0);
  if (wanted_int ? !is_int(c, first) : !is_float(c, first))
    return wrong_type(c, op, wanted_int ? "takes integers" : "takes floats", first);
  for (uint32_t i = 1; i < op->operand_count; i++)
    if (operand_type(c, op, i) != first) return wrong_type(c, op, "takes operands of one type", operand_type(c, op, i));
  for (uint32_t i = 0; i < op->result_count; i++)
    if (result_type(c, op, i) != first)
      return wrong_type(c, op, "gives the type of its operands", result_type(c, op, i));
  return true;
}

static bool compare(Checker *c, const Op *op, bool wanted_int) {
  TypeId a = operand_type(c, op, 0), r = result_type(c, op, 0);
  if (wanted_int ? !is_int(c, a) : !is_float(c, a))
    return wrong_type(c, op, wanted_int ? "takes integers" : "takes floats", a);
  if (operand_type(c, op, 1) != a) return wrong_type(c, op, "takes operands of one type", operand_type(c, op, 1));
  return (is_bool(c, r) && same_shape(c, a, r)) || wrong_type(c, op, "gives i1 in the shape of its operands", r);
}

static bool carry(Checker *c, const Op *op) {
  TypeId a = operand_type(c, op, 0);
  if (!is_int(c, a) || operand_type(c, op, 1) != a || result_type(c, op, 0) != a)
    return wrong_type(c, op, "takes integers of one type", a);
  TypeId r = result_type(c, op, 1);
  return (is_bool(c, r) && same_shape(c, a, r)) || wrong_type(c, op, "gives i1 as its second result", r);
}

static bool select_rule(Checker *c, const Op *op) {
  TypeId condition = operand_type(c, op, 0), a = operand_type(c, op, 1);
  if (!is_bool(c, condition) || (is_tensor(c, condition) && !same_shape(c, condition, a)))
    return wrong_type(c, op, "takes a condition i1, or of its operands' shape", condition);
  if (operand_type(c, op, 2) != a) return wrong_type(c, op, "takes two values of one type", operand_type(c, op, 2));
  return result_type(c, op, 0) == a || wrong_type(c, op, "gives the type of its operands", result_type(c, op, 0));
}

static bool cast(Checker *c, const Op *op, Rule rule) {
  TypeId a = operand_type(c, op, 0), r = result_type(c, op, 0);
  uint32_t from = element(c, a)->width, to = element(c, r)->width;
  bool ints = is_int(c, a) && is_int(c, r), floats = is_float(c, a) && is_float(c, r), good = false;
  bool plain = element(c, a)->kind != TYPE_INDEX && element(c, r)->kind != TYPE_INDEX;
  switch (rule) {
  case RULE_EXT_INT: good = ints && plain && from < to; break;
  case RULE_TRUNC_INT: good = ints && plain && from > to; break;
  case RULE_EXT_FLOAT: good = floats && from < to; break;
  case RULE_TRUNC_FLOAT: good = floats && from > to; break;
  case RULE_FP_TO_FP: good = floats; break;
  case RULE_INT_TO_FP: good = is_int(c, a) && plain && is_float(c, r); break;
  case RULE_FP_TO_INT: good = is_float(c, a) && is_int(c, r) && plain; break;
  case RULE_INDEX_CAST: good = ints && !plain; break;
  case RULE_INT_TO_PTR: good = is_int(c, a) && from == 64 && is_pointer(c, r); break;
  case RULE_PTR_TO_INT: good = is_pointer(c, a) && is_int(c, r) && to == 64; break;
  case RULE_BITCAST:
    good = (is_pointer(c, a) && is_pointer(c, r)) || (from == to && from && !is_pointer(c, a) && !is_pointer(c, r)) ||
           (op->code == OP_TT_BITCAST && is_bool(c, a) && to == 8);
    break; /* the frontend's i1 to i8 */
  default: break;
  }
  if (good && same_shape(c, a, r)) return true;
  return report(c, op, "check.type", arena_format(c->arena, "cannot cast %s to %s", show(c, a), show(c, r)));
}

static bool addptr(Checker *c, const Op *op) {
  TypeId p = operand_type(c, op, 0), i = operand_type(c, op, 1);
  if (!is_pointer(c, p)) return wrong_type(c, op, "takes a pointer", p);
  if (!is_int(c, i) || !same_shape(c, p, i))
    return wrong_type(c, op, "takes an integer offset of the pointer's shape", i);
  return result_type(c, op, 0) == p || wrong_type(c, op, "gives its pointer's type", result_type(c, op, 0));
}

/* Operand `i` is the value behind the address `p`. */
static bool is_value_of(const Checker *c, TypeId p, TypeId value) {
  const Type *pointer = element(c, p);
  if (pointer->kind != TYPE_POINTER) return false;
  if (!is_tensor(c, p) && get(c, pointer->element)->kind == TYPE_TENSOR) return pointer->element == value;
  return same_shape(c, p, value) && program_element_type(c->p, value) == pointer->element;
}

static bool mask_fits(Checker *c, const Op *op, uint32_t i, TypeId shape) {
  if (i >= op->operand_count) return true;
  TypeId mask = operand_type(c, op, i);
  return (is_bool(c, mask) && same_shape(c, mask, shape)) ||
         wrong_type(c, op, "takes a mask of i1 in the pointer's shape", mask);
}

static bool load(Checker *c, const Op *op) {
  TypeId p = operand_type(c, op, 0), r = result_type(c, op, 0);
  if (!is_pointer(c, p)) return wrong_type(c, op, "takes a pointer", p);
  if (!is_value_of(c, p, r)) return wrong_type(c, op, "gives what the pointer points to", r);
  if (op->operand_count > 2 && operand_type(c, op, 2) != r)
    return wrong_type(c, op, "takes the value for masked lanes in its result's type", operand_type(c, op, 2));
  return mask_fits(c, op, 1, r);
}

static bool store(Checker *c, const Op *op) {
  TypeId p = operand_type(c, op, 0), v = operand_type(c, op, 1);
  if (!is_pointer(c, p)) return wrong_type(c, op, "takes a pointer", p);
  if (!is_value_of(c, p, v)) return wrong_type(c, op, "takes a value of the type that the pointer points to", v);
  return mask_fits(c, op, 2, v);
}

static bool atomic(Checker *c, const Op *op) {
  TypeId p = operand_type(c, op, 0), v = operand_type(c, op, 1);
  if (!is_pointer(c, p)) return wrong_type(c, op, "takes a pointer", p);
  if (!is_value_of(c, p, v)) return wrong_type(c, op, "takes a value of the type that the pointer points to", v);
  if (result_type(c, op, 0) != v) return wrong_type(c, op, "gives the type of its value", result_type(c, op, 0));
  if (op->code == OP_TT_ATOMIC_CAS)
    return operand_type(c, op, 2) == v || wrong_type(c, op, "takes two values of one type", operand_type(c, op, 2));
  return mask_fits(c, op, 2, v);
}

/* ---- block pointers and descriptors */

static bool scalar_ints(Checker *c, const Op *op, uint32_t first, uint32_t count) {
  if (op->operand_count != first + count)
    return report(
        c, op, "check.count",
        arena_format(c->arena, "takes %u numbers for the dimensions, found %u", count, op->operand_count - first));
  for (uint32_t i = first; i < op->operand_count; i++)
    if (!is_int(c, operand_type(c, op, i)) || is_tensor(c, operand_type(c, op, i)))
      return wrong_type(c, op, "takes integers for the dimensions", operand_type(c, op, i));
  return true;
}

/* The tensor behind a pointer to a tensor or a descriptor; 0 if it is neither. */
static TypeId block_of(const Checker *c, TypeId type) {
  const Type *t = get(c, type);
  if (t->kind != TYPE_POINTER && t->kind != TYPE_DESCRIPTOR) return 0;
  return get(c, t->element)->kind == TYPE_TENSOR ? t->element : 0;
}

static bool block_pointer(Checker *c, const Op *op) {
  TypeId p = operand_type(c, op, 0), r = result_type(c, op, 0), block = block_of(c, r);
  if (!block) return wrong_type(c, op, "gives a pointer to a tensor, or a descriptor", r);
  uint32_t rank = get(c, block)->rank;
  if (op->code == OP_TT_ADVANCE)
    return p == r ? scalar_ints(c, op, 1, rank) : wrong_type(c, op, "takes a pointer to a tensor", p);
  if ((get(c, r)->kind == TYPE_DESCRIPTOR) != (op->code == OP_TT_MAKE_TENSOR_DESCRIPTOR))
    return wrong_type(c, op, "cannot give this", r);
  if (get(c, p)->kind != TYPE_POINTER || get(c, get(c, p)->element)->width != element(c, block)->width)
    return wrong_type(c, op, "takes a pointer to elements of the block", p);
  return scalar_ints(c, op, 1, (op->code == OP_TT_MAKE_TENSOR_PTR ? 3 : 2) * rank);
}

/* Loads and stores; up to 3.1 a descriptor is a pointer to its bytes. */
static bool descriptor(Checker *c, const Op *op) {
  TypeId d = operand_type(c, op, 0), block = block_of(c, d);
  bool old = get(c, d)->kind == TYPE_POINTER && !block, is_load = op->code == OP_TT_DESCRIPTOR_LOAD;
  if (!block && !old) return wrong_type(c, op, "takes a descriptor", d);
  bool by_rows = op->code == OP_TT_DESCRIPTOR_GATHER || op->code == OP_TT_DESCRIPTOR_SCATTER;
  if (by_rows && (!is_tensor(c, operand_type(c, op, 1)) || !is_int(c, operand_type(c, op, 1)) ||
                  is_tensor(c, operand_type(c, op, 2)) || !is_int(c, operand_type(c, op, 2))))
    return wrong_type(c, op, "takes a tensor of rows and a column", operand_type(c, op, 1));
  TypeId value = op->result_count ? result_type(c, op, 0) : operand_type(c, op, by_rows ? 3 : 1);
  if (!is_tensor(c, value)) return wrong_type(c, op, "moves tensors", value);
  if (by_rows || old) return by_rows || scalar_ints(c, op, is_load ? 1 : 2, op->operand_count - (is_load ? 1 : 2));
  if (program_lane_count(c->p, value) != program_lane_count(c->p, block) ||
      element(c, value)->width != element(c, block)->width)
    return wrong_type(c, op, "moves a tensor of the descriptor's size", value);
  return scalar_ints(c, op, is_load ? 1 : 2, get(c, block)->rank);
}

static bool histogram(Checker *c, const Op *op) {
  TypeId a = operand_type(c, op, 0), r = result_type(c, op, 0);
  if (!is_tensor(c, a) || !is_int(c, a)) return wrong_type(c, op, "takes a tensor of integers", a);
  if (!is_tensor(c, r) || !is_int(c, r) || get(c, r)->rank != 1)
    return wrong_type(c, op, "gives integers in one dimension", r);
  return mask_fits(c, op, 1, a);
}

/* ---- shapes */

static bool shape_rule(Checker *c, const Op *op, bool good, const char *message) {
  if (good) return true;
  return report(c, op, "check.shape",
                arena_format(c->arena, "%s, found %s to %s", message, show(c, operand_type(c, op, 0)),
                             show(c, result_type(c, op, 0))));
}

static bool splat(Checker *c, const Op *op) {
  TypeId a = operand_type(c, op, 0), r = result_type(c, op, 0);
  return shape_rule(c, op, is_tensor(c, r) && get(c, r)->element == a, "makes a tensor of a scalar");
}

static bool unsplat(Checker *c, const Op *op) {
  TypeId a = operand_type(c, op, 0);
  return shape_rule(c, op,
                    is_tensor(c, a) && get(c, a)->element == result_type(c, op, 0) && program_lane_count(c->p, a) == 1,
                    "takes the only element of a tensor");
}

static bool expand(Checker *c, const Op *op) {
  const Type *a = get(c, operand_type(c, op, 0)), *r = get(c, result_type(c, op, 0));
  int64_t axis = program_op_int(c->p, op, "axis", -1);
  bool good = a->kind == TYPE_TENSOR && r->kind == TYPE_TENSOR && r->rank == a->rank + 1 && a->element == r->element &&
              axis >= 0 && axis < r->rank && r->dims[axis] == 1;
  for (uint32_t i = 0; good && i < a->rank; i++) good = a->dims[i] == r->dims[i + (i >= axis)];
  return shape_rule(c, op, good, "inserts a dimension of size 1 at `axis`");
}

static bool broadcast(Checker *c, const Op *op) {
  const Type *a = get(c, operand_type(c, op, 0)), *r = get(c, result_type(c, op, 0));
  bool good = a->kind == TYPE_TENSOR && r->kind == TYPE_TENSOR && r->rank == a->rank && a->element == r->element;
  for (uint32_t i = 0; good && i < a->rank; i++) good = a->dims[i] == r->dims[i] || a->dims[i] == 1;
  return shape_rule(c, op, good, "repeats dimensions of size 1");
}

static bool trans(Checker *c, const Op *op) {
  const Type *a = get(c, operand_type(c, op, 0)), *r = get(c, result_type(c, op, 0));
  const Attr *order = program_get_attr(c->p, program_op_attr(c->p, op, "order"));
  bool good = a->kind == TYPE_TENSOR && r->kind == TYPE_TENSOR && a->rank == r->rank && a->element == r->element &&
              (order->kind == ATTR_ARRAY || order->kind == ATTR_DENSE) && order->count == a->rank;
  uint32_t seen = 0;
  for (uint32_t i = 0; good && i < a->rank; i++) {
    int64_t from = program_get_attr(c->p, order->items[i])->integer;
    good = from >= 0 && from < a->rank && !(seen >> from & 1) && r->dims[i] == a->dims[from];
    if (good) seen |= 1u << from;
  }
  return shape_rule(c, op, good, "permutes the dimensions by `order`");
}

static bool reshape(Checker *c, const Op *op) {
  TypeId a = operand_type(c, op, 0), r = result_type(c, op, 0);
  bool good = is_tensor(c, a) && is_tensor(c, r) && get(c, a)->element == get(c, r)->element &&
              program_lane_count(c->p, a) == program_lane_count(c->p, r);
  return shape_rule(c, op, good, "keeps the number and the type of elements");
}

static bool cat(Checker *c, const Op *op) {
  TypeId a = operand_type(c, op, 0), r = result_type(c, op, 0);
  bool good = is_tensor(c, a) && operand_type(c, op, 1) == a && is_tensor(c, r) &&
              get(c, a)->element == get(c, r)->element &&
              program_lane_count(c->p, r) == 2 * program_lane_count(c->p, a);
  return shape_rule(c, op, good, "puts two tensors of one type one after the other");
}

/* `wide` is `narrow` with a new last dimension of size 2. */
static bool is_pair(const Checker *c, TypeId narrow, TypeId wide) {
  const Type *r = get(c, wide), *a = get(c, narrow);
  if (r->kind != TYPE_TENSOR || !r->rank || r->dims[r->rank - 1] != 2) return false;
  if (a->kind != TYPE_TENSOR) return r->rank == 1 && r->element == narrow;
  return a->element == r->element && a->rank + 1 == r->rank &&
         (!a->rank || !memcmp(a->dims, r->dims, a->rank * sizeof *a->dims));
}

static bool join(Checker *c, const Op *op) {
  TypeId a = operand_type(c, op, 0);
  return shape_rule(c, op, operand_type(c, op, 1) == a && is_pair(c, a, result_type(c, op, 0)),
                    "makes a last dimension of size 2");
}

static bool split(Checker *c, const Op *op) {
  TypeId r = result_type(c, op, 0);
  return shape_rule(c, op, result_type(c, op, 1) == r && is_pair(c, r, operand_type(c, op, 0)),
                    "takes a last dimension of size 2 apart");
}

static bool gather(Checker *c, const Op *op) {
  TypeId source = operand_type(c, op, 0), index = operand_type(c, op, 1), r = result_type(c, op, 0);
  int64_t axis = program_op_int(c->p, op, "axis", -1);
  bool good = is_tensor(c, source) && is_tensor(c, index) && is_int(c, index) && same_shape(c, index, r) &&
              get(c, source)->element == get(c, r)->element && axis >= 0 && axis < get(c, source)->rank &&
              get(c, source)->rank == get(c, r)->rank;
  return shape_rule(c, op, good, "gathers along `axis` in the shape of the indices");
}

static bool range(Checker *c, const Op *op) {
  TypeId r = result_type(c, op, 0);
  int64_t start = program_op_int(c->p, op, "start", 0), end = program_op_int(c->p, op, "end", 0);
  const Type *t = get(c, r);
  if (t->kind != TYPE_TENSOR || t->rank != 1 || !is_int(c, r) || element(c, r)->width != 32)
    return wrong_type(c, op, "gives a tensor of i32 with one dimension", r);
  if (start < 0 || end <= start || end > INT32_MAX || t->dims[0] != end - start)
    return report(c, op, "check.shape",
                  arena_format(c->arena, "from %lld to %lld in %s", (long long)start, (long long)end, show(c, r)));
  return true;
}

static bool dot(Checker *c, const Op *op) {
  const Type *a = get(c, operand_type(c, op, 0)), *b = get(c, operand_type(c, op, 1)),
             *r = get(c, result_type(c, op, 0));
  if (operand_type(c, op, 2) != result_type(c, op, 0))
    return wrong_type(c, op, "takes an accumulator of its result's type", operand_type(c, op, 2));
  uint32_t rank = a->rank;
  bool good = a->kind == TYPE_TENSOR && b->kind == TYPE_TENSOR && r->kind == TYPE_TENSOR && (rank == 2 || rank == 3) &&
              b->rank == rank && r->rank == rank;
  good = good && a->dims[rank - 1] == b->dims[rank - 2] && a->dims[rank - 2] == r->dims[rank - 2] &&
         b->dims[rank - 1] == r->dims[rank - 1];
  good = good && (rank == 2 || (a->dims[0] == b->dims[0] && a->dims[0] == r->dims[0]));
  return good ||
         report(c, op, "check.shape",
                arena_format(c->arena, "the shapes of %s * %s -> %s do not fit", show(c, operand_type(c, op, 0)),
                             show(c, operand_type(c, op, 1)), show(c, result_type(c, op, 0))));
}

static bool constant(Checker *c, const Op *op) {
  const Attr *a = program_get_attr(c->p, program_op_attr(c->p, op, "value"));
  bool value = a->kind == ATTR_INT || a->kind == ATTR_BOOL || a->kind == ATTR_FLOAT || a->kind == ATTR_DENSE;
  if (!value) return report(c, op, "check.type", "its value is a number or a dense literal");
  return a->type == result_type(c, op, 0) || wrong_type(c, op, "gives its value's type", result_type(c, op, 0));
}

/* ---- ops with regions */

static const Block *only_block(Checker *c, const Op *op, uint32_t i) {
  if (i >= op->region_count) return NULL;
  const Region *r = program_get_region(c->p, op->regions[i]);
  return r->blocks.count == 1 ? program_get_block(c->p, r->blocks.data[0]) : NULL;
}

static const Op *last_op(const Checker *c, const Block *b) {
  return b->ops.count ? program_get_op(c->p, b->ops.data[b->ops.count - 1]) : NULL;
}

static bool types_match(const Checker *c, const ValueId *values, uint32_t count, ValueId first, uint32_t wanted) {
  if (count != wanted) return false;
  for (uint32_t i = 0; i < count; i++) {
    TypeId a = program_get_value(c->p, values[i])->type, b = program_get_value(c->p, first + i)->type;
    if (a && b && a != b) return false;
  }
  return true;
}

/* Block `b` ends in `code` with values of the op's results. */
static bool ends_in(Checker *c, const Op *op, const Block *b, Opcode code) {
  const Op *end = b ? last_op(c, b) : NULL;
  if (!end || end->code != code)
    return report(c, op, "check.region",
                  arena_format(c->arena, "its region is one block that ends in %s", rows[code].name));
  return types_match(c, end->operands, end->operand_count, op->first_result, op->result_count) ||
         report(c, end, "check.type",
                arena_format(c->arena, "the values do not fit the results of %s", rows[op->code].name));
}

static bool reduce(Checker *c, const Op *op, bool scan) {
  uint32_t n = op->operand_count;
  const Block *b = only_block(c, op, 0);
  if (!b || op->region_count != 1) return report(c, op, "check.region", "has one region of one block");
  if (op->result_count != n || b->arg_count != 2 * n)
    return report(c, op, "check.count", "n operands, 2n block arguments and n results");
  int64_t axis = program_op_int(c->p, op, "axis", -1);
  for (uint32_t i = 0; i < n; i++) {
    TypeId type = operand_type(c, op, i), r = result_type(c, op, i);
    if (!type) continue;
    const Type *t = get(c, type), *u = get(c, r);
    if (t->kind != TYPE_TENSOR || axis < 0 || axis >= t->rank || !same_shape(c, type, operand_type(c, op, 0)))
      return wrong_type(c, op, "takes tensors of one shape, with the dimension `axis`", type);
    for (uint32_t k = 0; k < 2; k++)
      if (program_get_value(c->p, b->first_arg + i + k * n)->type != t->element)
        return wrong_type(c, op, "its block takes elements", program_get_value(c->p, b->first_arg + i + k * n)->type);
    bool good = scan           ? r == type
                : t->rank == 1 ? r == t->element
                               : u->kind == TYPE_TENSOR && u->rank + 1 == t->rank && u->element == t->element;
    for (uint32_t k = 0; good && !scan && t->rank > 1 && k < u->rank; k++)
      good = u->dims[k] == t->dims[k + (k >= axis)];
    if (!good) return wrong_type(c, op, scan ? "gives the type of its operand" : "gives its operand without `axis`", r);
  }
  const Op *end = last_op(c, b);
  if (!end || end->code != (scan ? OP_TT_SCAN_RETURN : OP_TT_REDUCE_RETURN))
    return report(c, op, "check.region", "its block ends in its return");
  return types_match(c, end->operands, end->operand_count, b->first_arg, n) ||
         report(c, end, "check.type", "returns one value per operand, of its element type");
}

static bool for_rule(Checker *c, const Op *op) {
  const Block *b = only_block(c, op, 0);
  if (!b || op->region_count != 1) return report(c, op, "check.region", "has one region of one block");
  TypeId type = operand_type(c, op, 0);
  if (type && (!is_int(c, type) || is_tensor(c, type))) return wrong_type(c, op, "counts with an integer", type);
  if (op->operand_count != op->result_count + 3 || b->arg_count != op->result_count + 1)
    return report(c, op, "check.count", "one result and one block argument for each loop variable");
  if (operand_type(c, op, 1) != type || operand_type(c, op, 2) != type ||
      program_get_value(c->p, b->first_arg)->type != type)
    return report(c, op, "check.type", "bounds, step and induction variable have one type");
  if (!types_match(c, op->operands + 3, op->result_count, b->first_arg + 1, op->result_count) ||
      !types_match(c, op->operands + 3, op->result_count, op->first_result, op->result_count))
    return report(c, op, "check.type", "the types of loop variables, block arguments and results differ");
  return ends_in(c, op, b, OP_SCF_YIELD);
}

static bool if_rule(Checker *c, const Op *op) {
  if (!is_bool(c, operand_type(c, op, 0)) || is_tensor(c, operand_type(c, op, 0)))
    return wrong_type(c, op, "takes an i1", operand_type(c, op, 0));
  if (op->region_count != 2) return report(c, op, "check.region", "has two regions");
  bool has_else = program_get_region(c->p, op->regions[1])->blocks.count > 0;
  if (!has_else && op->result_count) return report(c, op, "check.region", "an if with results has an else");
  return ends_in(c, op, only_block(c, op, 0), OP_SCF_YIELD) &&
         (!has_else || ends_in(c, op, only_block(c, op, 1), OP_SCF_YIELD));
}

static bool while_rule(Checker *c, const Op *op) {
  const Block *before = only_block(c, op, 0), *after = only_block(c, op, 1);
  if (!before || !after || op->region_count != 2) return report(c, op, "check.region", "has two regions of one block");
  if (!types_match(c, op->operands, op->operand_count, before->first_arg, before->arg_count))
    return report(c, op, "check.type", "the initial values do not fit the arguments of the first region");
  const Op *condition = last_op(c, before), *yield = last_op(c, after);
  if (!condition || condition->code != OP_SCF_CONDITION || !yield || yield->code != OP_SCF_YIELD)
    return report(c, op, "check.region", "its regions end in scf.condition and scf.yield");
  if (!condition->operand_count ||
      !types_match(c, condition->operands + 1, condition->operand_count - 1, op->first_result, op->result_count) ||
      !types_match(c, condition->operands + 1, condition->operand_count - 1, after->first_arg, after->arg_count))
    return report(c, condition, "check.type", "the values do not fit the results or the second region");
  return types_match(c, yield->operands, yield->operand_count, before->first_arg, before->arg_count) ||
         report(c, yield, "check.type", "the values do not fit the arguments of the first region");
}

static bool scalar_bool(Checker *c, const Op *op) {
  TypeId type = operand_type(c, op, 0);
  bool tensor_allowed = op->code == OP_TT_ASSERT;
  return (is_bool(c, type) && (tensor_allowed || !is_tensor(c, type))) || wrong_type(c, op, "takes an i1", type);
}

/* `part` is what `count` indices leave of the array. */
static bool array_part(Checker *c, const Op *op, TypeId array, uint32_t count, TypeId part) {
  const Type *a = get(c, array), *p = get(c, part);
  if (a->kind != TYPE_ARRAY || a->rank < count) return wrong_type(c, op, "takes an array of more axes", array);
  bool good = a->rank == count ? part == a->element
                               : p->kind == TYPE_ARRAY && p->rank == a->rank - count && p->element == a->element;
  return good || wrong_type(c, op, "an element or a row of the array is wanted", part);
}

static bool array_indices(Checker *c, const Op *op, uint32_t first) {
  for (uint32_t i = first; i < op->operand_count; i++)
    if (!is_int(c, operand_type(c, op, i)) || is_tensor(c, operand_type(c, op, i)))
      return wrong_type(c, op, "indices are integers", operand_type(c, op, i));
  return true;
}

static bool array_insert(Checker *c, const Op *op) {
  TypeId array = operand_type(c, op, 1);
  if (result_type(c, op, 0) != array) return wrong_type(c, op, "gives the type of its array", result_type(c, op, 0));
  return array_indices(c, op, 2) && array_part(c, op, array, op->operand_count - 2, operand_type(c, op, 0));
}

static bool array_extract(Checker *c, const Op *op) {
  return array_indices(c, op, 1) &&
         array_part(c, op, operand_type(c, op, 0), op->operand_count - 1, result_type(c, op, 0));
}

static bool apply_rule(Checker *c, const Op *op) {
  Rule rule = (Rule)rows[op->code].rule;
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (!operand_type(c, op, i)) return true;
  for (uint32_t i = 0; i < op->result_count; i++)
    if (!result_type(c, op, i)) return true;
  switch (rule) {
  case RULE_NONE: return true;
  case RULE_SAME_INT: return all_same(c, op, true);
  case RULE_SAME_FLOAT: return all_same(c, op, false);
  case RULE_CARRY: return carry(c, op);
  case RULE_CMP_INT: return compare(c, op, true);
  case RULE_CMP_FLOAT: return compare(c, op, false);
  case RULE_SELECT: return select_rule(c, op);
  case RULE_EXT_INT:
  case RULE_TRUNC_INT:
  case RULE_EXT_FLOAT:
  case RULE_TRUNC_FLOAT:
  case RULE_INT_TO_FP:
  case RULE_FP_TO_INT:
  case RULE_BITCAST:
  case RULE_INDEX_CAST:
  case RULE_INT_TO_PTR:
  case RULE_PTR_TO_INT:
  case RULE_FP_TO_FP: return cast(c, op, rule);
  case RULE_ADDPTR: return addptr(c, op);
  case RULE_LOAD: return load(c, op);
  case RULE_STORE: return store(c, op);
  case RULE_ATOMIC: return atomic(c, op);
  case RULE_SPLAT: return splat(c, op);
  case RULE_UNSPLAT: return unsplat(c, op);
  case RULE_EXPAND: return expand(c, op);
  case RULE_BROADCAST: return broadcast(c, op);
  case RULE_TRANS: return trans(c, op);
  case RULE_RESHAPE: return reshape(c, op);
  case RULE_CAT: return cat(c, op);
  case RULE_JOIN: return join(c, op);
  case RULE_SPLIT: return split(c, op);
  case RULE_GATHER: return gather(c, op);
  case RULE_I32:
    return result_type(c, op, 0) && is_int(c, result_type(c, op, 0)) && !is_tensor(c, result_type(c, op, 0)) &&
                   element(c, result_type(c, op, 0))->width == 32
               ? true
               : wrong_type(c, op, "gives an i32", result_type(c, op, 0));
  case RULE_RANGE: return range(c, op);
  case RULE_DOT: return dot(c, op);
  case RULE_REDUCE: return reduce(c, op, false);
  case RULE_SCAN: return reduce(c, op, true);
  case RULE_BOOL:
  case RULE_CONDITION: return scalar_bool(c, op);
  case RULE_CONSTANT: return constant(c, op);
  case RULE_FOR: return for_rule(c, op);
  case RULE_IF: return if_rule(c, op);
  case RULE_WHILE: return while_rule(c, op);
  case RULE_BLOCK_POINTER: return block_pointer(c, op);
  case RULE_DESCRIPTOR: return descriptor(c, op);
  case RULE_HISTOGRAM: return histogram(c, op);
  case RULE_ARRAY_FILL: return array_part(c, op, result_type(c, op, 0), 1, operand_type(c, op, 0));
  case RULE_ARRAY_INSERT: return array_insert(c, op);
  case RULE_ARRAY_EXTRACT: return array_extract(c, op);
  }
  return true;
}

/* ---- blocks */

static void check_region(Checker *c, RegionId id, const Function *function);

static void make_visible(Checker *c, ValueId first, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    c->visible[first + i] = 1;
    array_push(c->arena, &c->scope, first + i);
  }
}

static void hide(Checker *c, uint32_t mark) {
  while (c->scope.count > mark) c->visible[c->scope.data[--c->scope.count]] = 0;
}

static bool check_use(Checker *c, const Op *op, ValueId value) {
  if (c->visible[value] || !program_get_value(c->p, value)->type) return true;
  return report(c, op, "check.dominance",
                arena_format(c->arena, "%%%s is not defined on every way to this use",
                             intern_string(c->p->names, program_get_value(c->p, value)->name)));
}

static bool check_uses(Checker *c, const Op *op) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (!check_use(c, op, op->operands[i])) return false;
  for (uint32_t s = 0; s < op->successor_count; s++)
    for (uint32_t i = 0; i < op->successors[s].arg_count; i++)
      if (!check_use(c, op, op->successors[s].args[i])) return false;
  return true;
}

static bool check_successors(Checker *c, const Op *op) {
  for (uint32_t s = 0; s < op->successor_count; s++) {
    const Block *b = program_get_block(c->p, op->successors[s].block);
    if (!types_match(c, op->successors[s].args, op->successors[s].arg_count, b->first_arg, b->arg_count))
      return report(
          c, op, "check.block",
          arena_format(c->arena, "the values do not fit the arguments of ^%s", intern_string(c->p->names, b->label)));
    const Region *region = program_get_region(c->p, b->region);
    if (region->blocks.data[0] == op->successors[s].block)
      return report(c, op, "check.block", "the entry block cannot be a target");
  }
  return true;
}

static bool check_return(Checker *c, const Op *op, const Function *f) {
  const Type *t = get(c, f->type);
  bool good = op->operand_count == t->member_count - t->rank;
  for (uint32_t i = 0; good && i < op->operand_count; i++) {
    TypeId type = operand_type(c, op, i);
    good = !type || type == t->members[t->rank + i];
  }
  return good || report(c, op, "check.type", "the values do not fit the results of the function");
}

/* False: what the op holds is not looked at. */
static bool check_op(Checker *c, const Op *op, const Op *parent, const Function *function, bool reachable, bool last) {
  if (c->only_uses) return !reachable || check_uses(c, op);
  bool ends = rows[op->code].traits == TERMINATOR;
  if (ends != last)
    report(c, op, "check.terminator", last ? "a block cannot end here" : "nothing may follow in this block");
  bool good = (!reachable || check_uses(c, op)) && apply_rule(c, op) && check_successors(c, op);
  if (op->code == OP_TT_RETURN && function) check_return(c, op, function);
  if ((op->code == OP_TT_RETURN) != (parent->code == OP_TT_FUNC) && ends && !op->successor_count)
    report(c, op, "check.terminator", "this terminator does not belong here");
  if (op->code == OP_TT_FUNC || op->code == OP_BUILTIN_MODULE) report(c, op, "check.nesting", "stands only at the top");
  return good;
}

/* `reachable`: dominance means nothing elsewhere. */
static void check_block(Checker *c, BlockId id, const Function *function, bool reachable) {
  const Block *b = program_get_block(c->p, id);
  const Op *parent = program_get_op(c->p, program_get_region(c->p, b->region)->parent);
  make_visible(c, b->first_arg, b->arg_count);
  for (uint32_t i = 0; i < b->ops.count; i++) {
    const Op *op = program_get_op(c->p, b->ops.data[i]);
    guard_tick(c->arena->guard);
    bool good = check_op(c, op, parent, function, reachable, i + 1 == b->ops.count);
    for (uint32_t k = 0; good && k < op->region_count; k++) check_region(c, op->regions[k], NULL);
    make_visible(c, op->first_result, op->result_count);
  }
  if (!b->ops.count && !c->only_uses) report(c, parent, "check.terminator", "a block of its region is empty");
}

/* ---- dominance in regions with several blocks */

typedef struct Flow {
  Array(BlockId) postorder;
  uint32_t *dominator; /* by place in reverse postorder */
  BlockId *blocks;     /* by place */
} Flow;

typedef struct Walk {
  BlockId block;
  uint32_t next;
} Walk;

static void number_blocks(Checker *c, const Region *region, Flow *flow) {
  Array(Walk) stack = {0};
  BlockId entry = region->blocks.data[0];
  c->order[entry] = 1;
  array_push(c->arena, &stack, (Walk){entry, 0});
  while (stack.count) {
    Walk *top = &stack.data[stack.count - 1];
    const Op *end = last_op(c, program_get_block(c->p, top->block));
    if (!end || top->next >= end->successor_count) {
      array_push(c->arena, &flow->postorder, top->block);
      stack.count--;
      continue;
    }
    BlockId next = end->successors[top->next++].block;
    if (c->order[next]) continue;
    c->order[next] = 1;
    array_push(c->arena, &stack, (Walk){next, 0});
  }
  uint32_t n = flow->postorder.count;
  flow->blocks = arena_array(c->arena, BlockId, n);
  for (uint32_t i = 0; i < n; i++) {
    flow->blocks[i] = flow->postorder.data[n - 1 - i];
    c->order[flow->blocks[i]] = i + 1;
  }
}

static uint32_t meet(const uint32_t *dominator, uint32_t a, uint32_t b) {
  while (a != b) {
    while (a > b) a = dominator[a];
    while (b > a) b = dominator[b];
  }
  return a;
}

/* Predecessors of the block at place i: list[start[i]] to list[start[i + 1]]. */
static void list_predecessors(Checker *c, const Flow *flow, uint32_t *start, uint32_t **list) {
  uint32_t n = flow->postorder.count;
  for (int fill = 0; fill < 2; fill++) {
    for (uint32_t i = 0; i < n; i++) {
      const Op *end = last_op(c, program_get_block(c->p, flow->blocks[i]));
      for (uint32_t s = 0; end && s < end->successor_count; s++) {
        uint32_t to = c->order[end->successors[s].block] - 1;
        if (fill)
          (*list)[start[to]++] = i;
        else
          start[to + 1]++;
      }
    }
    if (fill) break;
    for (uint32_t i = 0; i < n; i++) start[i + 1] += start[i];
    *list = arena_array(c->arena, uint32_t, start[n] + 1);
  }
  for (uint32_t i = n; i > 0; i--) start[i] = start[i - 1]; /* filling moved every start to the next one */
  start[0] = 0;
}

static void find_dominators(Checker *c, Flow *flow) {
  uint32_t n = flow->postorder.count, *list = NULL, *start = arena_array(c->arena, uint32_t, n + 1);
  list_predecessors(c, flow, start, &list);
  flow->dominator = arena_array(c->arena, uint32_t, n);
  for (uint32_t i = 1; i < n; i++) flow->dominator[i] = UINT32_MAX;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 1; i < n; i++) {
      uint32_t found = UINT32_MAX;
      guard_tick(c->arena->guard);
      for (uint32_t k = start[i]; k < start[i + 1]; k++)
        if (flow->dominator[list[k]] != UINT32_MAX)
          found = found == UINT32_MAX ? list[k] : meet(flow->dominator, found, list[k]);
      if (found != flow->dominator[i]) flow->dominator[i] = found, changed = true;
    }
  }
}

static void check_flow(Checker *c, const Region *region, const Function *function) {
  Flow flow = {0};
  number_blocks(c, region, &flow);
  find_dominators(c, &flow);
  uint32_t n = flow.postorder.count;
  /* Children of each block in the dominator tree, as linked lists; then the tree, depth first. */
  uint32_t *child = arena_array(c->arena, uint32_t, n), *sibling = arena_array(c->arena, uint32_t, n);
  for (uint32_t i = n; i-- > 1;) sibling[i] = child[flow.dominator[i]], child[flow.dominator[i]] = i;
  typedef struct Step {
    uint32_t block, mark;
    bool entered;
  } Step;
  Array(Step) stack = {0};
  array_push(c->arena, &stack, (Step){0, 0, false});
  while (stack.count) {
    Step *top = &stack.data[stack.count - 1];
    if (top->entered) {
      hide(c, top->mark);
      stack.count--;
      continue;
    }
    top->entered = true;
    top->mark = c->scope.count;
    uint32_t block = top->block;
    check_block(c, flow.blocks[block], function, true);
    for (uint32_t i = child[block]; i; i = sibling[i]) array_push(c->arena, &stack, (Step){i, 0, false});
  }
  for (uint32_t i = 0; i < region->blocks.count; i++)
    if (!c->order[region->blocks.data[i]]) {
      uint32_t mark = c->scope.count;
      check_block(c, region->blocks.data[i], function, false);
      hide(c, mark);
    }
}

static void check_region(Checker *c, RegionId id, const Function *function) {
  const Region *region = program_get_region(c->p, id);
  uint32_t mark = c->scope.count;
  if (region->blocks.count == 1)
    check_block(c, region->blocks.data[0], function, true);
  else if (region->blocks.count)
    check_flow(c, region, function);
  hide(c, mark);
}

static bool check_entry(Checker *c, const Function *f, const Op *op) {
  const Region *region = program_get_region(c->p, op->regions[0]);
  if (!region->blocks.count) return false;
  const Block *entry = program_get_block(c->p, region->blocks.data[0]);
  const Type *t = get(c, f->type);
  bool good = entry->arg_count == t->rank;
  for (uint32_t i = 0; good && i < t->rank; i++)
    good = program_get_value(c->p, entry->first_arg + i)->type == t->members[i];
  return good || report(c, op, "check.type", "the entry block's arguments are not those of the function's type");
}

static void check_function(Checker *c, const Function *f) {
  const Op *op = program_get_op(c->p, f->op);
  if (check_entry(c, f, op)) check_region(c, op->regions[0], f);
}

static Checker make_checker(const Program *p, DiagnosticList *diagnostics) {
  return (Checker){.p = p,
                   .arena = p->arena,
                   .diagnostics = diagnostics,
                   .visible = arena_array(p->arena, uint8_t, p->values.count),
                   .order = arena_array(p->arena, uint32_t, p->blocks.count)};
}

bool program_check(const Program *p, DiagnosticList *diagnostics) {
  uint32_t errors = diagnostics->error_count;
  Checker c = make_checker(p, diagnostics);
  for (uint32_t i = 0; i < p->functions.count; i++) check_function(&c, &p->functions.data[i]);
  return diagnostics->error_count == errors;
}

bool program_check_uses(const Program *p, DiagnosticList *diagnostics) {
  uint32_t errors = diagnostics->error_count;
  Checker c = make_checker(p, diagnostics);
  c.only_uses = true;
  for (uint32_t i = 0; i < p->functions.count; i++) {
    const Op *op = program_get_op(p, p->functions.data[i].op);
    if (op->region_count) check_region(&c, op->regions[0], NULL);
  }
  return diagnostics->error_count == errors;
}

void program_check_each(Program *p) {
  uint32_t kept = 0;
  Checker c = make_checker(p, NULL);
  for (uint32_t i = 0; i < p->functions.count; i++) {
    const Function f = p->functions.data[i];
    c.diagnostics = arena_new(p->arena, DiagnosticList);
    diagnostic_list_init(c.diagnostics, p->arena);
    check_function(&c, &f);
    if (c.diagnostics->error_count)
      array_push(p->arena, &p->refusals, (ProgramRefusal){.name = f.name, .why = c.diagnostics});
    else
      p->functions.data[kept++] = f;
  }
  p->functions.count = kept;
}
