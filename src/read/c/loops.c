/* Loops: how often they run, and what they carry.
 *
 * A `for` that counts by a constant from one number to another, neither of which its body changes, is a counted loop
 * over 64-bit numbers; the counter of its own type is that number, which fits as far as the bound has that type too.
 * Every other loop is a scf.while. Both carry the variables of outer scopes that are assigned inside.
 *
 * `break` and `return` put out flags that the loop carries: a scf.while goes on while they stand; a counted loop that
 * fills arrays, of which a search for the end would know nothing, does its body while they stand. */
#include <string.h>

#include "read/c/lower.h"

enum { MOST_STEPS = 8 };

typedef struct Counted {
  const CNode *variable, *bound;
  CBinary compare; /* variable + shift COMPARE bound */
  int64_t shift;
  int64_t step;   /* not 0 */
  uint32_t count; /* of what else is done behind each iteration: i++, p += 3 */
  const CNode *others[MOST_STEPS];
} Counted;

static const CNode *without_casts(const CNode *node) {
  while (node->kind == CNODE_CAST) node = node->children[0];
  return node;
}

/* The variable that the node names, in conversions that keep all its bits. */
static const CNode *counter_of(const CNode *node) {
  const CNode *name = without_casts(node), *target = name->kind == CNODE_NAME ? name->target : NULL;
  if (!target || target->kind != CNODE_VARIABLE || target->type->kind != CTYPE_INT || target->type->is_reference)
    return NULL;
  for (; node != name; node = node->children[0])
    if (node->type->kind != CTYPE_INT || node->type->width < target->type->width) return NULL;
  return target;
}

/* The pointer of the function's own that the node names, or the integer; NULL: it is neither. */
static const CNode *place_of(const CNode *node) {
  const CNode *name = without_casts(node), *target = name->kind == CNODE_NAME ? name->target : NULL;
  bool points = target && target->kind == CNODE_VARIABLE && target->type->kind == CTYPE_POINTER;
  return points && !target->type->is_reference ? target : counter_of(node);
}

typedef const CNode *NamedBy(const CNode *node);

/* i++, i += 2, i = i + 2 */
static bool find_step_of(const CNode *node, NamedBy *named, Counted *c) {
  if (!node) return false;
  if (node->kind == CNODE_UNARY && node->op <= CUNARY_PRE_DEC) {
    c->variable = named(node->children[0]);
    c->step = node->op == CUNARY_PRE_INC || node->op == CUNARY_POST_INC ? 1 : -1;
    return c->variable != NULL;
  }
  if (node->kind != CNODE_BINARY) return false;
  const CNode *right = without_casts(node->children[1]);
  c->variable = named(node->children[0]);
  if (node->op == CBINARY_ASSIGN && right->kind == CNODE_BINARY &&
      (right->op == CBINARY_ADD || right->op == CBINARY_SUB)) {
    if (!c->variable || named(right->children[0]) != c->variable) return false;
    for (const CNode *of = node->children[1]; of != right; of = of->children[0]) /* i = (uint8_t)(i + 1) */
      if (c->variable->type->kind == CTYPE_INT && of->type->width < c->variable->type->width) return false;
    c->step = right->op == CBINARY_ADD ? 1 : -1;
    right = without_casts(right->children[1]);
  } else if (node->op == CBINARY_ADD_ASSIGN || node->op == CBINARY_SUB_ASSIGN) {
    c->step = node->op == CBINARY_ADD_ASSIGN ? 1 : -1;
  } else {
    return false;
  }
  if (right->kind != CNODE_INTEGER || right->integer < 1 || right->integer > INT32_MAX) return false;
  c->step *= right->integer;
  return c->variable != NULL;
}

static bool find_step(const CNode *node, Counted *c) { return find_step_of(node, counter_of, c); }

static bool mentions(const CNode *node, const CNode *variable) {
  if (node && node->kind == CNODE_NAME && node->target == variable) return true;
  for (uint32_t i = 0; node && i < node->count; i++)
    if (mentions(node->children[i], variable)) return true;
  return false;
}

/* The step of the variable that the condition looks at, and what stands beside it with commas and does not look at it.
 */
static bool find_steps(const CNode *node, const CNode *condition, Counted *c) {
  if (node && node->kind == CNODE_BINARY && node->op == CBINARY_COMMA)
    return find_steps(node->children[0], condition, c) && find_steps(node->children[1], condition, c);
  Counted one = {0};
  if (!c->variable && find_step(node, &one) && mentions(condition, one.variable)) {
    c->variable = one.variable, c->step = one.step;
    return true;
  }
  if (!node || c->count == MOST_STEPS) return false;
  c->others[c->count++] = node;
  return true;
}

static bool contains(const VariableList *list, uint32_t variable) {
  for (uint32_t i = 0; i < list->count; i++)
    if (list->data[i].variable == variable) return true;
  return false;
}

static bool resizes(const VariableList *list, uint32_t variable) {
  for (uint32_t i = 0; i < list->count; i++)
    if (list->data[i].variable == variable) return list->data[i].resizes;
  return false;
}

static bool stores(const CNode *node) {
  if (!node) return false;
  bool assigns = (node->kind == CNODE_BINARY && node->op >= CBINARY_ASSIGN && node->op < CBINARY_COMMA) ||
                 (node->kind == CNODE_UNARY && node->op <= CUNARY_PRE_DEC);
  if (assigns && !c_root(node->children[0])) return true;
  if (node->kind == CNODE_CALL && (c_body_of(node) || node->type->kind == CTYPE_VOID)) return true;
  for (uint32_t i = 0; i < node->count; i++)
    if (stores(node->children[i])) return true;
  return false;
}

static bool is_invariant(Lower *l, const CNode *node, const VariableList *assigned, const CNode *body);

/* A vector, or a row, whose length is the same in every iteration. */
static bool has_invariant_length(Lower *l, const CNode *node, const VariableList *assigned, const CNode *body) {
  if (node->kind == CNODE_METHOD && (!strcmp(node->name, "operator[]") || !strcmp(node->name, "at")))
    return has_invariant_length(l, node->children[0], assigned, body) &&
           is_invariant(l, node->children[1], assigned, body);
  if (node->kind == CNODE_METHOD && node->count == 1 && !strcmp(node->name, "front"))
    return has_invariant_length(l, node->children[0], assigned, body);
  if (node->kind != CNODE_NAME || !node->target || node->target->kind != CNODE_VARIABLE) return false;
  uint32_t i = c_find(l, node, node->target);
  const Variable *v = &l->variables.data[i];
  return v->kind != VARIABLE_ALIAS        ? !resizes(assigned, i)
         : v->alias.kind == PLACE_ADDRESS ? false
                                          : !resizes(assigned, v->alias.variable);
}

/* The same in every iteration. */
static bool is_invariant(Lower *l, const CNode *node, const VariableList *assigned, const CNode *body) {
  if (node->kind == CNODE_CALL || node->kind == CNODE_UNKNOWN) return false;
  if (node->kind == CNODE_BINARY && node->op >= CBINARY_ASSIGN) return false;
  if (node->kind == CNODE_UNARY && node->op <= CUNARY_PRE_DEC) return false;
  if (node->kind == CNODE_SUBSCRIPT && stores(body)) return false;
  if (node->kind == CNODE_METHOD && node->count == 1 && node->children[0]->type->kind == CTYPE_VECTOR &&
      (!strcmp(node->name, "size") || !strcmp(node->name, "empty")))
    return has_invariant_length(l, node->children[0], assigned, body);
  if (node->kind == CNODE_NAME) {
    if (!node->target || node->target->kind != CNODE_VARIABLE) return false;
    uint32_t i = c_find(l, node, node->target);
    const Variable *v = &l->variables.data[i];
    if (v->kind == VARIABLE_ALIAS && v->alias.kind == PLACE_ADDRESS) return false;
    return !contains(assigned, v->kind == VARIABLE_ALIAS ? v->alias.variable : i);
  }
  for (uint32_t i = 0; i < node->count; i++)
    if (!is_invariant(l, node->children[i], assigned, body)) return false;
  return true;
}

static CBinary turned(CBinary op) {
  switch ((int)op) {
  case CBINARY_LT: return CBINARY_GT;
  case CBINARY_GT: return CBINARY_LT;
  case CBINARY_LE: return CBINARY_GE;
  case CBINARY_GE: return CBINARY_LE;
  default: return op; /* not an order */
  }
}

/* The comparison is one of the numbers themselves: no negative one became a large unsigned one. A counter that is
 * narrower than an int is compared as an int. */
static bool compares_numbers(const CNode *counter, const CNode *bound) {
  bool is_signed = counter->type->is_signed || counter->type->width < 32;
  const CNode *inner = without_casts(bound);
  if (bound->type->kind != CTYPE_INT || inner->type->kind != CTYPE_INT) return false;
  return is_signed == bound->type->is_signed || !bound->type->is_signed;
}

static const CType *own_type(const CNode *bound) { return without_casts(bound)->type; }

/* The greatest number of an integer type that is narrower than 64 bits, or the least one. */
static int64_t end_of_type(const CType *type, bool greatest) {
  int64_t half = INT64_C(1) << (type->width - type->is_signed);
  return greatest ? half - 1 : type->is_signed ? -half : 0;
}

typedef struct Extremes {
  int64_t least, most; /* INT64_MIN, INT64_MAX: of 64 bits, or not known */
} Extremes;

/* Of what values a bound is, by its type and those that it is converted from. */
static Extremes extremes_of(const CNode *node) {
  const CType *type = node->type;
  Extremes own = {type->kind == CTYPE_INT && !type->is_signed ? 0 : INT64_MIN, INT64_MAX};
  if (type->kind == CTYPE_INT && type->width < 64) own = (Extremes){end_of_type(type, false), end_of_type(type, true)};
  if (node->kind == CNODE_INTEGER) return (Extremes){node->integer, node->integer};
  if (node->kind != CNODE_CAST) return own;
  Extremes from = extremes_of(node->children[0]);
  return from.least >= own.least && from.most <= own.most ? from : own;
}

/* What has no sign is compared downwards, and a step may go from above the bound to below 0, which is a large number:
 * i >= k where k may be 0, i > 0 in steps of 2. */
static bool may_pass_zero(const Counted *c) {
  int64_t least = -c->step - (c->compare == CBINARY_GT); /* for which no step does */
  return c->step < 0 && !c->bound->type->is_signed && least > 0 && extremes_of(c->bound).least < least;
}

/* The step behind the last iteration may leave the type of the counter: i <= n where n may be the greatest number,
 * i < n where n is of a wider type, i += 2. Downwards without sign, may_pass_zero says it. */
static bool may_leave_type(const Counted *c) {
  const CType *type = c->variable->type;
  bool up = c->step > 0, also_equal = c->compare == CBINARY_LE || c->compare == CBINARY_GE;
  int64_t beyond = (up ? c->step : -c->step) - !also_equal;
  if (type->width == 64 || (!up && !c->bound->type->is_signed)) return false;
  if (up ? c->shift < 0 : c->shift > 0) beyond += up ? -c->shift : c->shift;
  Extremes bound = extremes_of(c->bound);
  int64_t end = end_of_type(type, up);
  return up ? bound.most > end - beyond : bound.least < end + beyond;
}

/* True if the conversions keep numbers; the last one is to the type of the comparison, which may have no sign
 * (compares_numbers). */
static bool keeps_compared(const CNode *node) {
  const CNode *outer = node;
  for (; node->kind == CNODE_CAST; node = node->children[0]) {
    const CType *from = node->children[0]->type;
    bool widens =
        node == outer && node->type->kind == CTYPE_INT && from->kind == CTYPE_INT && node->type->width >= from->width;
    if (!widens && !c_keeps_numbers(from, node->type)) return false;
  }
  return true;
}

/* The counter, or i + 3: what an unsigned one is compared with does not wrap as far as its bound is a 64-bit length. */
static bool compared_with(const CNode *node, Counted *c) {
  c->shift = 0;
  if (!keeps_compared(node)) return false;
  if (counter_of(node) == c->variable) return true;
  node = without_casts(node);
  if (node->kind != CNODE_BINARY || (node->op != CBINARY_ADD && node->op != CBINARY_SUB)) return false;
  const CNode *by = without_casts(node->children[1]);
  if (counter_of(node->children[0]) != c->variable || !keeps_compared(node->children[0]) || by->kind != CNODE_INTEGER ||
      by->integer < 0 || by->integer > INT16_MAX || node->type->width != c->variable->type->width)
    return false;
  c->shift = node->op == CBINARY_ADD ? by->integer : -by->integer;
  return c->variable->type->is_signed || (c->variable->type->width == 64 && c->shift > 0);
}

/* What a condition asks not to be 0. */
static const CNode *tested(const CNode *condition) {
  while (condition->kind == CNODE_CAST && condition->type->kind == CTYPE_BOOL) condition = condition->children[0];
  return condition;
}

/* n > 0, for n and n != 0 where n has no sign and goes down one by one; else the condition itself. */
static const CNode *above_zero(Lower *l, const CNode *condition, const CNode *step) {
  static const CType boolean = {.kind = CTYPE_BOOL, .width = 1, .text = "bool"};
  Counted c = {0};
  const CNode *named = tested(condition), *other = NULL;
  if (named->kind == CNODE_BINARY && named->op == CBINARY_NE)
    other = without_casts(named->children[1]), named = named->children[0];
  if (other && (other->kind != CNODE_INTEGER || other->integer)) return condition;
  if (!step || !find_steps(step, condition, &c) || !c.variable || c.step != -1 || c.variable->type->is_signed ||
      counter_of(named) != c.variable || c.variable->type->width < 32)
    return condition;
  named = without_casts(named);
  CNode *zero = c_node(l, condition, CNODE_INTEGER, 0, c.variable->type, 0);
  zero->integer = 0;
  return c_node(l, condition, CNODE_BINARY, CBINARY_GT, &boolean, 2, named, zero);
}

static bool is_counted(Lower *l, const CNode *node, Counted *c) {
  const CNode *condition = node->children[1];
  VariableList assigned = {0}, in_body = {0};
  if (!condition || !find_steps(node->children[2], condition, c) || !c->variable) return false;
  condition = above_zero(l, condition, node->children[2]);
  if (condition->kind != CNODE_BINARY || condition->op < CBINARY_LT || condition->op > CBINARY_GE) return false;
  int side = compared_with(condition->children[0], c) ? 0 : 1;
  if (!compared_with(condition->children[side], c)) return false;
  c->compare = side ? turned((CBinary)condition->op) : (CBinary)condition->op;
  c->bound = condition->children[1 - side];
  if (c->shift < 0 && !c->bound->type->is_signed) return false; /* i - 1 is a large number where i is 0 */
  bool up = c->compare == CBINARY_LT || c->compare == CBINARY_LE;
  if (up != (c->step > 0) || !compares_numbers(c->variable, c->bound)) return false;
  if (!up && c->variable->type->is_signed && !c->bound->type->is_signed) return false; /* below 0 it is large */
  bool may_leave = c_breaks(node->children[3]) || c_returns(node->children[3]);
  if (may_leave && (may_pass_zero(c) || may_leave_type(c))) return false;
  bool skips =
      c->step < -1 || c->step > 1; /* then a narrow one that has left its type may come to an end all the same */
  if (skips && c->variable->type->width < 32 && without_casts(c->bound)->kind == CNODE_INTEGER && may_leave_type(c))
    return false;
  c_find_assigned(l, node->children[3], &in_body);
  c_find_assigned(l, node, &assigned);
  for (uint32_t i = 0; i < c->count; i++)
    if (mentions(c->others[i], c->variable) || stores(c->others[i])) return false; /* which may depend on the order */
  return !contains(&in_body, c_find(l, node, c->variable)) && is_invariant(l, c->bound, &assigned, node->children[3]);
}

/* ---- counted loops ---- */

static ValueId wide(Lower *l, int64_t value) { return build_integer(&l->b, c_index_type(l), value); }

/* The range of a counter from 0 (downwards) or from its start, in steps that are positive. */
static void make_range(Lower *l, const Counted *c, ValueId start, ValueId bound, ValueId range[3]) {
  TypeId type = c_index_type(l);
  bool also_equal = c->compare == CBINARY_LE || c->compare == CBINARY_GE;
  if (c->step > 0) {
    range[0] = start;
    range[1] = also_equal ? c_fitting(l, OP_ARITH_ADDI, bound, wide(l, 1), type) : bound;
  } else {
    range[0] = wide(l, 0);
    range[1] = c_fitting(l, OP_ARITH_SUBI, start, bound, type);
    if (also_equal) range[1] = c_fitting(l, OP_ARITH_ADDI, range[1], wide(l, 1), type);
  }
  range[2] = wide(l, c->step > 0 ? c->step : -c->step);
}

/* `has_sign`: what is given, or carried by a loop, has a sign here; a size without one is taken to be no large number.
 */
static bool may_be_negative(const Lower *l, ValueId value, bool has_sign, uint32_t depth) {
  OpId id = program_get_value(l->p, value)->op;
  const Op *op = id ? program_get_op(l->p, id) : NULL;
  int64_t number;
  if (!op) return has_sign;
  if (depth > MOST_STEPS) return true;
  if (program_op_literal(l->p, op, &number)) return number < 0;
  OpFamily family = program_op_family(op->code);
  bool is_of_operands = family == OP_FAMILY_INT || family == OP_FAMILY_DIVISION || family == OP_FAMILY_SHIFT ||
                        family == OP_FAMILY_SELECT || family == OP_FAMILY_WIDTH;
  if (op->code == OP_ARITH_SUBI) return true;
  if (op->code == OP_ARITH_EXTUI) return false;
  if (!is_of_operands) return has_sign;
  bool of_all = op->code == OP_ARITH_MAXSI || op->code == OP_ARITH_ANDI; /* else one is enough */
  for (uint32_t i = op->code == OP_ARITH_SELECT; i < op->operand_count; i++)
    if (may_be_negative(l, op->operands[i], has_sign || op->code == OP_ARITH_EXTSI, depth + 1) != of_all)
      return !of_all;
  return of_all;
}

bool c_may_be_negative(const Lower *l, ValueId value) { return may_be_negative(l, value, false, 0); }

static void require_positive(Lower *l, const CNode *node, ValueId value, const char *message) {
  c_require(l, node, build_compare(&l->b, OP_ARITH_CMPI, "sle", wide(l, 0), value), message);
}

/* The bound of a comparison without sign, as one of numbers: upwards from -1, which is a large number there, no step is
 * done; what is taken away from n is no more than n. */
static ValueId bound_of_numbers(Lower *l, const CNode *node, const Counted *c, ValueId start, ValueId bound) {
  Builder *b = &l->b;
  TypeId type = c_index_type(l);
  int64_t number;
  OpId op = program_get_value(l->p, start)->op;
  bool is_known = op && program_op_literal(l->p, program_get_op(l->p, op), &number) && number >= -c->shift;
  bool falls = c->variable->type->is_signed ? !is_known : c_may_be_negative(l, start);
  if (c->bound->type->is_signed) return bound;
  if (c->bound->type->width == 64 && may_be_negative(l, bound, own_type(c->bound)->is_signed, 0))
    require_positive(l, node, bound, "the bound of the loop, which has no sign, does not wrap");
  if (!falls) return bound;
  ValueId first = c->shift ? c_fitting(l, OP_ARITH_ADDI, start, wide(l, c->shift), type) : start;
  if (c->step < 0) {
    require_positive(l, node, first, "where the loop starts, which has no sign, does not wrap");
    return bound;
  }
  ValueId same = bound, none = first;
  if (c->bound->type->width < 64) {
    same = build_unary(b, OP_ARITH_TRUNCI, bound, program_type_int(l->p, c->bound->type->width));
    same = build_unary(b, OP_ARITH_EXTSI, same, type);
  }
  if (c->compare == CBINARY_LE) {
    none = c_fitting(l, OP_ARITH_SUBI, first, wide(l, 1), type);
    c_require(l, node, build_compare(b, OP_ARITH_CMPI, "ne", same, wide(l, -1)),
              "the bound of the loop, which has no sign, is not the greatest number");
  }
  ValueId is_large = build_compare(b, OP_ARITH_CMPI, "slt", same, wide(l, 0));
  none = build_op(b, OP_ARITH_SELECT, 3, (ValueId[]){is_large, same, none}, 1, &type);
  ValueId is_below = build_compare(b, OP_ARITH_CMPI, "slt", first, wide(l, 0));
  return build_op(b, OP_ARITH_SELECT, 3, (ValueId[]){is_below, none, bound}, 1, &type);
}

/* Where the loop ends by its condition: what it compared last is not below 0, where it would be a large number. */
static void require_end(Lower *l, const CNode *node, const Counted *c, ValueId compared, ValueId end) {
  static const char message[] = "the counter of the loop, which has no sign, does not wrap";
  const CNode *bound = without_casts(c->bound);
  if (!may_pass_zero(c)) return;
  if (c->compare == CBINARY_GE && bound->kind == CNODE_INTEGER && bound->integer == 0) {
    c_require(l, node, build_integer(&l->b, program_type_int(l->p, 1), 0), message);
    return;
  }
  if (c->compare == CBINARY_GE && c->step == -1) { /* the number before the bound */
    end = c_fitting(l, OP_ARITH_SUBI, compared, wide(l, 1), c_index_type(l));
  } else if (c->shift) {
    end = c_fitting(l, OP_ARITH_ADDI, end, wide(l, c->shift), c_index_type(l));
  }
  require_positive(l, node, end, message);
}

/* The step behind the last iteration, with which the loop ends, fits the type of the counter. */
static void require_fit(Lower *l, const CNode *node, const Counted *c, ValueId bound, ValueId end) {
  TypeId type = c_index_type(l);
  bool up = c->step > 0, also_equal = c->compare == CBINARY_LE || c->compare == CBINARY_GE;
  if (!may_leave_type(c)) return;
  ValueId last = wide(l, end_of_type(c->variable->type, up));
  if (c->step == 1 || c->step == -1)
    end = also_equal ? c_fitting(l, OP_ARITH_ADDI, bound, wide(l, c->step), type) : bound;
  if (up ? c->shift > 0 : c->shift < 0) end = c_fitting(l, OP_ARITH_ADDI, end, wide(l, c->shift), type);
  ValueId fits = build_compare(&l->b, OP_ARITH_CMPI, "sle", up ? end : last, up ? last : end);
  c_require(l, node, fits, arena_format(l->arena, "the counter of the loop fits %s", c->variable->type->text));
}

/* The counter in its own type. Where the bound is of a wider one, the counter is taken to fit. */
static void set_counter(Lower *l, const Counted *c, ValueId counter, uint32_t i) {
  const CType *type = c->variable->type;
  Variable *v = &l->variables.data[i];
  TypeId id = program_type_int(l->p, type->width);
  if (type->width == 64) {
    v->value = counter;
  } else if (own_type(c->bound)->width > type->width) {
    ValueId narrow = type->is_signed ? c_fitting(l, OP_ARITH_TRUNCI, counter, 0, id)
                                     : build_unary(&l->b, OP_ARITH_TRUNCI, counter, id);
    v = &l->variables.data[i];
    v->value = narrow;
    counter = build_unary(&l->b, type->is_signed ? OP_ARITH_EXTSI : OP_ARITH_EXTUI, narrow, c_index_type(l));
  } else {
    v->value = type->is_signed ? c_fitting(l, OP_ARITH_TRUNCI, counter, 0, id)
                               : build_unary(&l->b, OP_ARITH_TRUNCI, counter, id);
  }
  l->variables.data[i].wide = counter;
}

/* After the loop: the first number that fails the test. */
static ValueId find_end(Lower *l, const Counted *c, ValueId start, const ValueId range[3]) {
  TypeId type = c_index_type(l);
  ValueId zero = wide(l, 0), span = c_fitting(l, OP_ARITH_SUBI, range[1], range[0], type);
  ValueId trips =
      build_binary(&l->b, OP_ARITH_CEILDIVSI, build_binary(&l->b, OP_ARITH_MAXSI, span, zero, type), range[2], type);
  ValueId moved = c_fitting(l, OP_ARITH_MULI, trips, wide(l, c->step), type);
  return c_fitting(l, OP_ARITH_ADDI, start, moved, type);
}

static void end_counter(Lower *l, const Counted *c, ValueId end, uint32_t i) {
  uint32_t width = c->variable->type->width;
  ValueId own = width == 64 ? end : build_unary(&l->b, OP_ARITH_TRUNCI, end, program_type_int(l->p, width));
  l->variables.data[i].value = own, l->variables.data[i].wide = end;
}

/* ---- flags ---- */

uint32_t c_new_flag(Lower *l, const char *name, bool value) {
  static const CType boolean = {.kind = CTYPE_BOOL, .width = 1, .text = "bool"};
  CNode *declaration = arena_new(l->arena, CNode);
  *declaration = (CNode){.kind = CNODE_VARIABLE, .name = name, .type = &boolean, .line = 1};
  uint32_t i = c_declare(l, declaration, VARIABLE_SCALAR);
  l->variables.data[i].value = build_integer(&l->b, program_type_int(l->p, 1), value);
  return i;
}

static ValueId negated(Lower *l, ValueId condition) {
  TypeId boolean = program_type_int(l->p, 1);
  return build_binary(&l->b, OP_ARITH_XORI, condition, build_integer(&l->b, boolean, 1), boolean);
}

/* Nothing has left the loop yet; 0: nothing can. */
static ValueId still_in(Lower *l, bool breaks, bool returns) {
  TypeId boolean = program_type_int(l->p, 1);
  ValueId going = breaks ? l->variables.data[l->going].value : 0;
  ValueId here = returns ? negated(l, l->variables.data[l->returned].value) : 0;
  return going && here ? build_binary(&l->b, OP_ARITH_ANDI, going, here, boolean) : going ? going : here;
}

/* The body, behind which `continue` goes on with the steps. */
static void run_body(Lower *l, const CNode *body, const CNode *const *steps, uint32_t count) {
  static const CNode mark = {.kind = CNODE_MARK, .op = CNODE_CONTINUE};
  CNode *list[2 + MOST_STEPS] = {(CNode *)body, (CNode *)&mark};
  for (uint32_t i = 0; i < count; i++) list[2 + i] = (CNode *)steps[i];
  c_list(l, list, 2 + count);
}

/* True if an array or memory is changed, which a search for the end of a loop does not close. */
static bool fills(Lower *l, const CNode *node) {
  VariableList assigned = {0};
  c_find_assigned(l, node, &assigned);
  for (uint32_t i = 0; i < assigned.count; i++)
    if (l->variables.data[assigned.data[i].variable].kind != VARIABLE_SCALAR) return true;
  return stores(node);
}

static void counted(Lower *l, const CNode *node, const Counted *c) {
  Builder *b = &l->b;
  TypeId type = c_index_type(l);
  uint32_t own = c_find(l, node, c->variable);
  VariableList carried = {0}, all = {0};
  c_find_assigned(l, node->children[3], &all);
  for (uint32_t i = 0; i < c->count; i++) c_find_assigned(l, c->others[i], &all);
  for (uint32_t i = 0; i < all.count; i++)
    if (all.data[i].variable != own) array_push(l->arena, &carried, all.data[i]);
  uint32_t n = c_count_parts(l, &carried);
  ValueId *operands = arena_array(l->arena, ValueId, n + 3), *yields = arena_array(l->arena, ValueId, n + 1);
  TypeId *types = arena_array(l->arena, TypeId, n + 1);
  const Variable *v = &l->variables.data[own];
  ValueId start = v->wide ? v->wide : 0;
  if (!start) {
    CNode name = {
        .kind = CNODE_NAME, .target = c->variable, .type = c->variable->type, .line = node->line, .span = node->span};
    start = c_index(l, &name);
  }
  ValueId bound = c_index(l, c->bound);
  c_at(l, node);
  bound = bound_of_numbers(l, node, c, start, bound);
  ValueId compared = bound;
  if (c->shift) bound = c_fitting(l, OP_ARITH_SUBI, bound, wide(l, c->shift), type);
  make_range(l, c, start, bound, operands);
  ValueId end = find_end(l, c, start, operands);
  c_get_parts(l, node, &carried, operands + 3);
  types[0] = type;
  for (uint32_t i = 0; i < n; i++) types[1 + i] = program_get_value(l->p, operands[3 + i])->type;
  OpId op = build_open(b, OP_SCF_FOR);
  BlockId outer = b->block;
  b->block = build_block(b, op, 1 + n, types);
  RegionId region = program_get_block(l->p, b->block)->region;
  ValueId first = program_get_block(l->p, b->block)->first_arg;
  l->p->values.data[first].name = intern_text(l->p->names, c->variable->name);
  c_name_parts(l, &carried, first + 1);
  for (uint32_t i = 0; i < n; i++) yields[i] = first + 1 + i;
  c_set_parts(l, &carried, yields);
  set_counter(l, c, c->step > 0 ? first : c_fitting(l, OP_ARITH_SUBI, start, first, type), own);
  uint32_t scope = l->variables.count;
  Snapshot before = c_snapshot(l);
  bool breaks = c_breaks(node->children[3]), returns = c_returns(node->children[3]);
  ValueId going = still_in(l, breaks, returns);
  if (going)
    c_list_if(l, node, going, node->children + 3, 1);
  else
    run_body(l, node->children[3], c->others, c->count);
  l->variables.count = scope;
  c_refuse_changed(l, node, &before, &carried);
  c_at(l, node);
  c_get_parts(l, node, &carried, yields);
  build_op(b, OP_SCF_YIELD, n, yields, 0, NULL);
  b->block = outer;
  ValueId results = build_close(b, op, 3 + n, operands, n, types + 1, 1, &region);
  for (uint32_t i = 0; i < n; i++) yields[i] = results + i;
  c_set_parts(l, &carried, yields);
  end_counter(l, c, end, own);
  require_fit(l, node, c, bound, end);
  require_end(l, node, c, compared, end);
}

/* ---- others ---- */

/* The condition, where nothing has left the loop. */
static ValueId goes_on(Lower *l, const CNode *at, const CNode *condition, ValueId going) {
  if (!condition) return going ? going : build_integer(&l->b, program_type_int(l->p, 1), 1);
  return going ? c_condition_where(l, at, going, condition) : c_condition(l, condition);
}

static void general(Lower *l, const CNode *node, const CNode *condition, const CNode *body, const CNode *step) {
  Builder *b = &l->b;
  VariableList carried = {0};
  c_find_assigned(l, condition, &carried);
  c_find_assigned(l, body, &carried);
  c_find_assigned(l, step, &carried);
  uint32_t n = c_count_parts(l, &carried);
  ValueId *operands = arena_array(l->arena, ValueId, n + 1), *values = arena_array(l->arena, ValueId, n + 1);
  TypeId *types = arena_array(l->arena, TypeId, n + 1);
  RegionId regions[2];
  c_get_parts(l, node, &carried, operands);
  for (uint32_t i = 0; i < n; i++) types[i] = program_get_value(l->p, operands[i])->type;
  OpId op = build_open(b, OP_SCF_WHILE);
  BlockId outer = b->block;
  for (int k = 0; k < 2; k++) {
    b->block = build_block(b, op, n, types);
    regions[k] = program_get_block(l->p, b->block)->region;
    c_name_parts(l, &carried, program_get_block(l->p, b->block)->first_arg);
    for (uint32_t i = 0; i < n; i++) values[i] = program_get_block(l->p, b->block)->first_arg + i;
    c_set_parts(l, &carried, values);
    Snapshot before = c_snapshot(l);
    if (k == 0) {
      ValueId *passed = arena_array(l->arena, ValueId, n + 1);
      passed[0] = goes_on(l, node, condition, still_in(l, c_breaks(body), c_returns(body)));
      c_refuse_changed(l, node, &before, &carried);
      c_get_parts(l, node, &carried, passed + 1);
      build_op(b, OP_SCF_CONDITION, 1 + n, passed, 0, NULL);
      continue;
    }
    uint32_t scope = l->variables.count;
    run_body(l, body, &step, step != NULL);
    l->variables.count = scope;
    c_refuse_changed(l, node, &before, &carried);
    c_get_parts(l, node, &carried, values);
    build_op(b, OP_SCF_YIELD, n, values, 0, NULL);
  }
  b->block = outer;
  ValueId results = build_close(b, op, n, operands, n, types, 2, regions);
  for (uint32_t i = 0; i < n; i++) values[i] = results + i;
  c_set_parts(l, &carried, values);
}

/* ---- two counters, or two pointers, that meet ---- */

typedef struct Meeting {
  const CNode *low, *high;       /* low < high, or low <= high */
  int64_t closer;                /* by each iteration */
  bool also_equal, rises, falls; /* rises: low does */
  uint32_t count;
  const CNode *steps[MOST_STEPS];
  uint32_t rest_count; /* of a block: the statements before those of its steps */
} Meeting;

/* Notes the step of one of both; false: it is another statement. */
static bool meets(Meeting *m, const CNode *node) {
  Counted one = {0};
  bool moves = find_step_of(node, place_of, &one) && m->count < MOST_STEPS &&
               ((one.variable == m->low && one.step > 0) || (one.variable == m->high && one.step < 0));
  if (!moves) return false;
  m->closer += one.step > 0 ? one.step : -one.step;
  *(one.step > 0 ? &m->rises : &m->falls) = true;
  m->steps[m->count++] = node;
  return true;
}

static bool meets_all(Meeting *m, const CNode *node) {
  if (node && node->kind == CNODE_BINARY && node->op == CBINARY_COMMA)
    return meets_all(m, node->children[0]) && meets_all(m, node->children[1]);
  return !node || meets(m, node);
}

static bool has_continue(const CNode *node) {
  if (!node || c_is_loop(node)) return false;
  if (node->kind == CNODE_CONTINUE) return true;
  for (uint32_t i = 0; i < node->count; i++)
    if (has_continue(node->children[i])) return true;
  return false;
}

/* Steps within the statements of the body, x[i++] = x[j--], which stay there. False: one that only some iterations
 * make, or another change of either variable. */
static bool meets_within(Lower *l, Meeting *m, const CNode *node, bool is_certain) {
  if (!node) return true;
  bool assigns = node->kind == CNODE_BINARY && node->op >= CBINARY_ASSIGN && node->op < CBINARY_COMMA;
  bool steps = node->kind == CNODE_UNARY && node->op <= CUNARY_ADDRESS;
  bool calls = node->kind == CNODE_CALL || node->kind == CNODE_UNPACK;
  for (uint32_t i = 0; (assigns || steps || calls) && i < node->count; i++) {
    const CNode *root = node->children[i] ? c_root(node->children[i]) : NULL;
    bool by_value = node->kind == CNODE_CALL && node->target && i + 1 < node->target->count &&
                    !node->target->children[i]->type->is_reference;
    if (!root || by_value || (root != m->low && root != m->high) || (assigns && i)) continue;
    if (steps && node->op != CUNARY_ADDRESS) {
      bool rises = node->op == CUNARY_POST_INC || node->op == CUNARY_PRE_INC;
      if (!is_certain || rises != (root == m->low)) return false;
      m->closer++;
      *(rises ? &m->rises : &m->falls) = true;
    } else
      return false;
  }
  if (node->kind == CNODE_CALL && c_body_of(node)) {
    VariableList changed = {0};
    c_find_assigned(l, c_body_of(node), &changed);
    if (contains(&changed, c_find(l, node, m->low)) || contains(&changed, c_find(l, node, m->high))) return false;
  }
  bool in_order = node->kind == CNODE_COMPOUND || node->kind == CNODE_DECLARE || node->kind == CNODE_VARIABLE;
  bool may_skip = node->kind == CNODE_CONDITIONAL ||
                  (node->kind == CNODE_BINARY && (node->op == CBINARY_ALL || node->op == CBINARY_ANY));
  bool inside = is_certain && !may_skip && (in_order || node->kind < CNODE_COMPOUND);
  for (uint32_t i = 0; i < node->count; i++)
    if (!meets_within(l, m, node->children[i], inside)) return false;
  return true;
}

/* i < j, where i goes up and j down, once in each iteration: behind it, or in a `while` in its body. */
static bool find_meeting(Lower *l, const CNode *condition, const CNode *body, const CNode *step, Meeting *m) {
  bool ordered =
      condition && condition->kind == CNODE_BINARY && condition->op >= CBINARY_LT && condition->op <= CBINARY_GE;
  if (!ordered || c_breaks(body) || c_returns(body) || !fills(l, body)) return false;
  bool up = condition->op == CBINARY_LT || condition->op == CBINARY_LE;
  m->low = place_of(condition->children[!up]), m->high = place_of(condition->children[up]);
  m->also_equal = condition->op == CBINARY_LE || condition->op == CBINARY_GE;
  if (!m->low || !m->high || m->low == m->high || m->low->type->kind != m->high->type->kind) return false;
  if (m->low->type->kind == CTYPE_INT && (!m->low->type->is_signed || !m->high->type->is_signed)) return false;
  if (!meets_all(m, step)) return false;
  uint32_t end = body->kind == CNODE_COMPOUND ? body->count : 0;
  while (end && meets(m, body->children[end - 1])) end--;
  if (body->kind == CNODE_COMPOUND && end < body->count && has_continue(body)) return false;
  const int64_t behind = m->closer;
  for (uint32_t i = 0; i < end; i++)
    if (!meets_within(l, m, body->children[i], true)) return false;
  if (body->kind != CNODE_COMPOUND && !meets_within(l, m, body, true)) return false;
  m->rest_count = end;
  return m->rises && m->falls && (m->closer == behind || !has_continue(body));
}

static const CType long_type = {.kind = CTYPE_INT, .width = 64, .is_signed = true, .text = "long"};

static CNode *long_number(Lower *l, const CNode *at, int64_t value) {
  CNode *node = c_node(l, at, CNODE_INTEGER, 0, &long_type, 0);
  node->integer = value;
  return node;
}

/* An integer as a long, a pointer as it is. */
static CNode *long_name(Lower *l, const CNode *at, const CNode *variable) {
  CNode *name = c_node(l, at, CNODE_NAME, 0, variable->type, 0);
  name->name = variable->name, name->target = variable;
  return variable->type->kind == CTYPE_INT ? c_node(l, at, CNODE_CAST, 0, &long_type, 1, name) : name;
}

static CNode *long_variable(Lower *l, const CNode *at, const char *name, CNode *initial) {
  CNode *variable = c_node(l, at, CNODE_VARIABLE, 0, &long_type, 1, initial);
  variable->name = name;
  return variable;
}

/* As a loop that counts its steps, of which the distance of both says how many there are. */
static void lower_meeting(Lower *l, const CNode *node, const CNode *body, const Meeting *m) {
  CNode *distance = c_node(l, node, CNODE_BINARY, CBINARY_SUB, &long_type, 2, long_name(l, node, m->high),
                           long_name(l, node, m->low));
  CNode *sum = c_node(l, node, CNODE_BINARY, CBINARY_ADD, &long_type, 2, distance,
                      long_number(l, node, m->closer - !m->also_equal));
  CNode *trips =
      long_variable(l, node, "steps",
                    c_node(l, node, CNODE_BINARY, CBINARY_DIV, &long_type, 2, sum, long_number(l, node, m->closer)));
  CNode *k = long_variable(l, node, "step", long_number(l, node, 0));
  c_statement(l, c_node(l, node, CNODE_DECLARE, 0, &long_type, 2, trips, k));
  CNode *all = c_node(l, node, CNODE_UNARY, CUNARY_PRE_INC, &long_type, 1, without_casts(long_name(l, node, k)));
  for (uint32_t i = 0; i < m->count; i++)
    all = c_node(l, node, CNODE_BINARY, CBINARY_COMMA, &long_type, 2, all, m->steps[i]);
  CNode *inner = (CNode *)body;
  if (body->kind == CNODE_COMPOUND) {
    inner = c_node(l, body, CNODE_COMPOUND, 0, body->type, 0);
    inner->children = body->children, inner->count = m->rest_count;
  }
  CNode *test = c_node(l, node, CNODE_BINARY, CBINARY_LT, &long_type, 2, without_casts(long_name(l, node, k)),
                       without_casts(long_name(l, node, trips)));
  c_for(l, c_node(l, node, CNODE_FOR, 0, &long_type, 4, NULL, test, all, inner));
}

/* The flags of a loop, while it is lowered. */
typedef struct Flags {
  uint32_t going, returned;
} Flags;

static Flags begin_flags(Lower *l, const CNode *body) {
  Flags outer = {l->going, l->returned};
  l->going = c_breaks(body) ? c_new_flag(l, "going", true) : NO_VARIABLE;
  if (c_returns(body) && l->returned == NO_VARIABLE) c_refuse(l, body, NULL, "this return is not read yet");
  return outer;
}

/* What the variable begins with, as a literal; false: it is none. */
static bool first_literal(const CNode *start, const CNode *variable, int64_t *first) {
  const CNode *value = NULL;
  if (start && start->kind == CNODE_DECLARE && start->count == 1 && start->children[0] == variable)
    value = variable->children[0];
  else if (start && start->kind == CNODE_BINARY && start->op == CBINARY_ASSIGN &&
           counter_of(start->children[0]) == variable)
    value = start->children[1];
  if (value) value = without_casts(value);
  if (!value || value->kind != CNODE_INTEGER) return false;
  *first = value->integer;
  return true;
}

static bool is_true(CBinary op, int64_t a, int64_t b) {
  return (op == CBINARY_LT && a < b) || (op == CBINARY_LE && a <= b) || (op == CBINARY_GT && a > b) ||
         (op == CBINARY_GE && a >= b) || (op == CBINARY_NE && a != b);
}

/* True if the node may change the variable. */
static bool may_set(const CNode *node, const CNode *variable) {
  if (!node) return false;
  bool assigns = (node->kind == CNODE_BINARY && node->op >= CBINARY_ASSIGN && node->op < CBINARY_COMMA) ||
                 (node->kind == CNODE_UNARY && node->op <= CUNARY_ADDRESS);
  bool calls = node->kind == CNODE_CALL || node->kind == CNODE_UNPACK || node->kind == CNODE_METHOD;
  if (node->kind == CNODE_LAMBDA) return true;
  for (uint32_t i = 0; i < node->count; i++) {
    const CNode *child = node->children[i];
    if (child && ((assigns && !i) || calls || node->kind == CNODE_VARIABLE) && counter_of(child) == variable &&
        (node->kind != CNODE_VARIABLE || node->type->is_reference))
      return true;
    if (may_set(child, variable)) return true;
  }
  return false;
}

/* A number that is the same in every type of a comparison. */
static bool fits_all_types(int64_t n) { return n >= 0 && n <= INT8_MAX; }

bool c_runs_once(const CNode *node) {
  const CNode *condition = node->kind == CNODE_FOR ? node->children[1] : NULL;
  Counted c = {0};
  int64_t first;
  if (!condition || condition->kind != CNODE_BINARY || !find_step(node->children[2], &c) ||
      counter_of(condition->children[0]) != c.variable || !first_literal(node->children[0], c.variable, &first))
    return false;
  const CNode *bound = without_casts(condition->children[1]), *body = node->children[3];
  if (bound->kind != CNODE_INTEGER || !fits_all_types(bound->integer)) return false;
  if (!fits_all_types(first) || !fits_all_types(first + c.step)) return false;
  return !c_breaks(body) && !has_continue(body) && !may_set(body, c.variable) &&
         is_true((CBinary)condition->op, first, bound->integer) &&
         !is_true((CBinary)condition->op, first + c.step, bound->integer);
}

void c_for(Lower *l, const CNode *node) {
  uint32_t scope = l->variables.count;
  const CNode *start = node->children[0], *body = node->children[3];
  Counted c = {0};
  if (start) c_statement(l, start);
  Meeting m = {0};
  if (find_meeting(l, node->children[1], body, node->children[2], &m)) {
    lower_meeting(l, node, body, &m);
    l->variables.count = scope;
    return;
  }
  Flags outer = begin_flags(l, body);
  bool may_leave = c_breaks(body) || c_returns(body), is_own = start && start->kind == CNODE_DECLARE;
  if (is_counted(l, node, &c) && (!may_leave || (is_own && !c.count && fills(l, body))))
    counted(l, node, &c);
  else
    general(l, node, node->children[1], body, node->children[2]);
  l->going = outer.going;
  l->variables.count = scope;
}

/* `while (n > 0) { ..; n--; }` as a `for`, where n has no sign: nothing else says how often it runs. NULL: it is
 * another loop. */
static const CNode *as_for(Lower *l, const CNode *node) {
  const CNode *body = node->children[1];
  if (!body || body->kind != CNODE_COMPOUND || body->count < 2 || has_continue(body)) return NULL;
  CNode *step = body->children[body->count - 1], *rest = c_node(l, body, CNODE_COMPOUND, 0, body->type, 0);
  Counted c = {0}, own = {0};
  if (!find_step(step, &own) || own.variable->type->is_signed || own.step != -1) return NULL;
  rest->children = body->children, rest->count = body->count - 1;
  CNode *loop = c_node(l, node, CNODE_FOR, 0, node->type, 4, NULL, node->children[0], step, rest);
  return !c_breaks(rest) && !c_returns(rest) && is_counted(l, loop, &c) ? loop : NULL;
}

/* `while (n--)`, where n has no sign: for (k = n; k > 0; k--) { n = k - 1; .. } n--; False: it is another loop. */
static bool count_down(Lower *l, const CNode *node) {
  static const CType boolean = {.kind = CTYPE_BOOL, .width = 1, .text = "bool"};
  const CNode *test = tested(node->children[0]), *body = node->children[1];
  if (test->kind == CNODE_BINARY && (test->op == CBINARY_GT || test->op == CBINARY_NE)) {
    const CNode *zero = without_casts(test->children[1]);
    if (zero->kind != CNODE_INTEGER || zero->integer) return false;
    test = test->children[0];
  }
  Counted c = {0};
  VariableList in_body = {0};
  if (test->kind != CNODE_UNARY || test->op != CUNARY_POST_DEC || !find_step(test, &c) || !body) return false;
  const CType *type = c.variable->type;
  c_find_assigned(l, body, &in_body);
  if (type->is_signed || type->width != 32 || c_breaks(body) || c_returns(body) ||
      contains(&in_body, c_find(l, node, c.variable)))
    return false;
  CNode *named = test->children[0], *k = c_node(l, node, CNODE_VARIABLE, 0, type, 1, named);
  CNode *name = c_node(l, node, CNODE_NAME, 0, type, 0), *one = c_node(l, node, CNODE_INTEGER, 0, type, 0);
  CNode *zero = c_node(l, node, CNODE_INTEGER, 0, type, 0);
  k->name = name->name = c.variable->name, name->target = k, one->integer = 1, zero->integer = 0;
  CNode *before = c_node(l, node, CNODE_BINARY, CBINARY_SUB, type, 2, name, one);
  CNode *set = c_node(l, node, CNODE_BINARY, CBINARY_ASSIGN, type, 2, named, before);
  c_for(l, c_node(l, node, CNODE_FOR, 0, node->type, 4, c_node(l, node, CNODE_DECLARE, 0, node->type, 1, k),
                  c_node(l, node, CNODE_BINARY, CBINARY_GT, &boolean, 2, name, zero),
                  c_node(l, node, CNODE_UNARY, CUNARY_PRE_DEC, type, 1, name),
                  c_node(l, node, CNODE_COMPOUND, 0, node->type, 2, set, body)));
  c_effect(l, test);
  return true;
}

void c_while(Lower *l, const CNode *node) {
  uint32_t scope = l->variables.count;
  Meeting m = {0};
  if (find_meeting(l, node->children[0], node->children[1], NULL, &m)) {
    lower_meeting(l, node, node->children[1], &m);
    l->variables.count = scope;
    return;
  }
  const CNode *counting = as_for(l, node);
  if (counting) c_for(l, counting);
  if (counting || count_down(l, node)) return;
  Flags outer = begin_flags(l, node->children[1]);
  general(l, node, node->children[0], node->children[1], NULL);
  l->going = outer.going;
  l->variables.count = scope;
}

static uint32_t count_mentions(const CNode *node, const CNode *variable) {
  uint32_t n = node && node->kind == CNODE_NAME && node->target == variable;
  for (uint32_t i = 0; node && i < node->count; i++) n += count_mentions(node->children[i], variable);
  return n;
}

/* ++i of the condition ++i < n, the only effect that it has, as a step behind the body; NULL: it is another. `rest`:
 * i < n. */
static const CNode *step_in(Lower *l, const CNode *condition, CNode **rest) {
  const CNode *node = condition, *step = NULL;
  CNode *copy = NULL, **to = rest;
  while (!step) { /* down to where the effect is, along operators that compute both sides */
    bool plain = node->kind == CNODE_CAST || (node->kind == CNODE_BINARY && node->op < CBINARY_ALL) ||
                 (node->kind == CNODE_UNARY && node->op > CUNARY_PRE_DEC);
    if (node->kind == CNODE_UNARY && (node->op == CUNARY_PRE_INC || node->op == CUNARY_PRE_DEC)) {
      step = node;
      break;
    }
    uint32_t k = 0;
    while (plain && k < node->count && !c_has_effect(node->children[k])) k++;
    if (!plain || k == node->count) return NULL;
    for (uint32_t i = k + 1; i < node->count; i++)
      if (c_has_effect(node->children[i])) return NULL;
    copy = c_node(l, node, node->kind, node->op, node->type, 0);
    copy->children = arena_array(l->arena, CNode *, node->count), copy->count = node->count;
    memcpy(copy->children, node->children, node->count * sizeof *copy->children);
    *to = copy, to = &copy->children[k];
    node = node->children[k];
  }
  const CNode *variable = step->children[0]->kind == CNODE_NAME ? step->children[0]->target : NULL;
  if (!variable || variable->kind != CNODE_VARIABLE || count_mentions(condition, variable) != 1) return NULL;
  *to = step->children[0];
  return step;
}

/* `do .. while (--n);` as a `for`: it relies on n being above 0, since below the counter would leave its type, or go
 * through all of it. NULL: it is another loop. */
static const CNode *as_count(Lower *l, const CNode *node, const CNode *step, const CNode *condition) {
  static const CType boolean = {.kind = CTYPE_BOOL, .width = 1, .text = "bool"};
  const CNode *named = tested(condition), *body = node->children[0];
  Counted own = {0}, c = {0};
  bool ordered = named->kind == CNODE_BINARY && named->op == CBINARY_GT;
  if (named->kind == CNODE_BINARY && (named->op == CBINARY_NE || ordered)) {
    const CNode *zero = without_casts(named->children[1]);
    if (zero->kind != CNODE_INTEGER || zero->integer) return NULL;
    named = named->children[0];
  }
  if (!find_step(step, &own) || own.step != -1 || counter_of(named) != own.variable || own.variable->type->width < 32 ||
      (ordered && own.variable->type->is_signed))
    return NULL;
  CNode *zero = c_node(l, condition, CNODE_INTEGER, 0, own.variable->type, 0);
  zero->integer = 0, named = without_casts(named);
  CNode *above = c_node(l, condition, CNODE_BINARY, CBINARY_GT, &boolean, 2, named, zero);
  CNode *loop = c_node(l, node, CNODE_FOR, 0, node->type, 4, NULL, above, step, body);
  if (c_breaks(body) || c_returns(body) || !is_counted(l, loop, &c)) return NULL;
  ValueId first = c_index(l, named);
  c_require(l, node, build_compare(&l->b, OP_ARITH_CMPI, "sle", wide(l, 1), first),
            "the loop counts down from above 0");
  return loop;
}

/* As a `while` whose condition is not asked for the first time. */
void c_do(Lower *l, const CNode *node) {
  static const CType boolean = {.kind = CTYPE_BOOL, .width = 1, .text = "bool"};
  uint32_t scope = l->variables.count, first = c_new_flag(l, "first", true);
  CNode *condition = node->children[1];
  const CNode *step = c_has_effect(condition) ? step_in(l, condition, &condition) : NULL;
  if (!step) condition = node->children[1];
  const CNode *counting = step ? as_count(l, node, step, condition) : NULL;
  if (counting) {
    l->variables.count = scope;
    c_for(l, counting);
    return;
  }
  Flags outer = begin_flags(l, node->children[0]);
  CNode *parts = arena_array(l->arena, CNode, 5), **of = arena_array(l->arena, CNode *, 8);
  const CNode at = {.line = node->line, .column = node->column, .file = node->file, .span = node->span};
  for (int i = 0; i < 5; i++) parts[i] = at, parts[i].type = &boolean;
  parts[0].kind = CNODE_NAME, parts[0].target = l->variables.data[first].declaration, parts[0].name = "first";
  parts[1].kind = CNODE_BINARY, parts[1].op = CBINARY_ANY, parts[1].children = of, parts[1].count = 2;
  of[0] = &parts[0], of[1] = condition;
  parts[2].kind = CNODE_INTEGER;
  parts[3].kind = CNODE_BINARY, parts[3].op = CBINARY_ASSIGN, parts[3].children = of + 2, parts[3].count = 2;
  of[2] = &parts[0], of[3] = &parts[2];
  parts[4].kind = CNODE_COMPOUND, parts[4].children = of + 4, parts[4].count = 2;
  of[4] = &parts[3], of[5] = node->children[0];
  general(l, node, &parts[1], &parts[4], step);
  l->going = outer.going;
  l->variables.count = scope;
}

/* for (auto x : v): the elements one after another, by value or by another name. */
void c_each(Lower *l, const CNode *node) {
  Builder *b = &l->b;
  TypeId type = c_index_type(l);
  uint32_t scope = l->variables.count;
  const CNode *variable = node->children[0], *body = node->children[2];
  VariableList carried = {0};
  Place range = c_place(l, node->children[1]);
  Flags outer_flags = begin_flags(l, body);
  c_find_assigned(l, node, &carried);
  uint32_t n = c_count_parts(l, &carried);
  ValueId *operands = arena_array(l->arena, ValueId, n + 3), *values = arena_array(l->arena, ValueId, n + 1);
  TypeId *types = arena_array(l->arena, TypeId, n + 1);
  operands[0] = wide(l, 0), operands[1] = c_length(l, node, &range), operands[2] = wide(l, 1);
  c_get_parts(l, node, &carried, operands + 3);
  types[0] = type;
  for (uint32_t i = 0; i < n; i++) types[1 + i] = program_get_value(l->p, operands[3 + i])->type;
  OpId op = build_open(b, OP_SCF_FOR);
  BlockId outer = b->block;
  b->block = build_block(b, op, 1 + n, types);
  RegionId region = program_get_block(l->p, b->block)->region;
  ValueId first = program_get_block(l->p, b->block)->first_arg;
  c_name_parts(l, &carried, first + 1);
  for (uint32_t i = 0; i < n; i++) values[i] = first + 1 + i;
  c_set_parts(l, &carried, values);
  Snapshot before = c_snapshot(l);
  Place element = range;
  element.kind = PLACE_ELEMENT, element.type = range.type->element;
  element.index[element.count++] = first;
  bool whole = element.type->kind == CTYPE_VECTOR;
  if (whole && !variable->type->is_reference) c_refuse(l, variable, "take it by reference", "a copy of each row");
  ValueId value = variable->type->is_reference ? 0 : c_read(l, node, &element);
  if (value) value = c_convert(l, variable, value, element.type, variable->type);
  uint32_t own = c_declare(l, variable, value ? VARIABLE_SCALAR : VARIABLE_ALIAS);
  l->variables.data[own].alias = element, l->variables.data[own].value = value;
  ValueId going = still_in(l, c_breaks(body), c_returns(body));
  if (going)
    c_list_if(l, node, going, node->children + 2, 1);
  else
    run_body(l, body, NULL, 0);
  c_refuse_changed(l, node, &before, &carried);
  c_get_parts(l, node, &carried, values);
  build_op(b, OP_SCF_YIELD, n, values, 0, NULL);
  b->block = outer;
  l->going = outer_flags.going;
  l->variables.count = scope;
  ValueId results = build_close(b, op, 3 + n, operands, n, types + 1, 1, &region);
  for (uint32_t i = 0; i < n; i++) values[i] = results + i;
  c_set_parts(l, &carried, values);
}
