/* Loops: how often they run, and what they carry.
 *
 * A `for` that counts by a constant from one number to another, neither of which its body changes, is a counted loop
 * over 64-bit numbers; the counter of its own type is that number, which fits as far as the bound has that type too.
 * Every other loop is a scf.while. Both carry the variables of outer scopes that are assigned inside. */
#include <string.h>

#include "read/c/lower.h"

typedef struct Counted {
  const CNode *variable, *bound;
  CBinary compare; /* variable COMPARE bound */
  int64_t step;    /* not 0 */
} Counted;

static const CNode *without_casts(const CNode *node) {
  while (node->kind == CNODE_CAST) node = node->children[0];
  return node;
}

static const CNode *counter_of(const CNode *node) {
  node = without_casts(node);
  return node->kind == CNODE_NAME && node->target && node->target->kind == CNODE_VARIABLE &&
                 node->target->type->kind == CTYPE_INT && !node->target->type->is_reference
             ? node->target
             : NULL;
}

/* i++, i += 2, i = i + 2 */
static bool find_step(const CNode *node, Counted *c) {
  if (!node) return false;
  if (node->kind == CNODE_UNARY && node->op <= CUNARY_PRE_DEC) {
    c->variable = counter_of(node->children[0]);
    c->step = node->op == CUNARY_PRE_INC || node->op == CUNARY_POST_INC ? 1 : -1;
    return c->variable != NULL;
  }
  if (node->kind != CNODE_BINARY) return false;
  const CNode *right = without_casts(node->children[1]);
  c->variable = counter_of(node->children[0]);
  if (node->op == CBINARY_ASSIGN && right->kind == CNODE_BINARY &&
      (right->op == CBINARY_ADD || right->op == CBINARY_SUB)) {
    if (counter_of(right->children[0]) != c->variable) return false;
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

static bool contains(const VariableList *list, uint32_t variable) {
  for (uint32_t i = 0; i < list->count; i++)
    if (list->data[i] == variable) return true;
  return false;
}

static bool stores(const CNode *node) {
  if (!node) return false;
  bool assigns = (node->kind == CNODE_BINARY && node->op >= CBINARY_ASSIGN && node->op < CBINARY_COMMA) ||
                 (node->kind == CNODE_UNARY && node->op <= CUNARY_PRE_DEC);
  if (assigns && !c_root(node->children[0])) return true;
  if (node->kind == CNODE_CALL && c_body_of(node)) return true;
  for (uint32_t i = 0; i < node->count; i++)
    if (stores(node->children[i])) return true;
  return false;
}

/* The same in every iteration. */
static bool is_invariant(Lower *l, const CNode *node, const VariableList *assigned, const CNode *body) {
  if (node->kind == CNODE_CALL || node->kind == CNODE_UNKNOWN) return false;
  if (node->kind == CNODE_BINARY && node->op >= CBINARY_ASSIGN) return false;
  if (node->kind == CNODE_UNARY && node->op <= CUNARY_PRE_DEC) return false;
  if (node->kind == CNODE_SUBSCRIPT && stores(body)) return false;
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

/* The comparison is one of the numbers themselves: no negative one became a large unsigned one. */
static bool compares_numbers(const CNode *counter, const CNode *bound) {
  bool is_signed = counter->type->is_signed;
  const CNode *inner = without_casts(bound);
  if (bound->type->kind != CTYPE_INT || inner->type->kind != CTYPE_INT) return false;
  return is_signed == bound->type->is_signed || !bound->type->is_signed;
}

static bool is_counted(Lower *l, const CNode *node, Counted *c) {
  const CNode *condition = node->children[1];
  VariableList assigned = {0}, in_body = {0};
  if (!condition || !find_step(node->children[2], c)) return false;
  if (condition->kind != CNODE_BINARY || condition->op < CBINARY_LT || condition->op > CBINARY_GE) return false;
  int side = counter_of(condition->children[0]) == c->variable ? 0 : 1;
  if (counter_of(condition->children[side]) != c->variable) return false;
  c->compare = side ? turned((CBinary)condition->op) : (CBinary)condition->op;
  c->bound = condition->children[1 - side];
  bool up = c->compare == CBINARY_LT || c->compare == CBINARY_LE;
  if (up != (c->step > 0) || !compares_numbers(c->variable, c->bound)) return false;
  c_find_assigned(l, node->children[3], &in_body);
  c_find_assigned(l, node, &assigned);
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

static const CType *own_type(const CNode *bound) { return without_casts(bound)->type; }

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
    v->value = c_fitting(l, OP_ARITH_TRUNCI, counter, 0, id);
  }
  l->variables.data[i].wide = counter;
}

/* After the loop: the first number that fails the test. */
static void end_counter(Lower *l, const Counted *c, ValueId start, const ValueId range[3], uint32_t i) {
  TypeId type = c_index_type(l);
  ValueId zero = wide(l, 0), span = c_fitting(l, OP_ARITH_SUBI, range[1], range[0], type);
  ValueId trips =
      build_binary(&l->b, OP_ARITH_CEILDIVSI, build_binary(&l->b, OP_ARITH_MAXSI, span, zero, type), range[2], type);
  ValueId moved = c_fitting(l, OP_ARITH_MULI, trips, wide(l, c->step), type);
  ValueId end = c_fitting(l, OP_ARITH_ADDI, start, moved, type);
  const CType *own = c->variable->type;
  Variable *v = &l->variables.data[i];
  v->value = own->width == 64 ? end : c_fitting(l, OP_ARITH_TRUNCI, end, 0, program_type_int(l->p, own->width));
  l->variables.data[i].wide = end;
}

static void counted(Lower *l, const CNode *node, const Counted *c) {
  Builder *b = &l->b;
  TypeId type = c_index_type(l);
  uint32_t own = c_find(l, node, c->variable);
  VariableList carried = {0}, all = {0};
  c_find_assigned(l, node->children[3], &all);
  for (uint32_t i = 0; i < all.count; i++)
    if (all.data[i] != own) array_push(l->arena, &carried, all.data[i]);
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
  make_range(l, c, start, bound, operands);
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
  c_statement(l, node->children[3]);
  l->variables.count = scope;
  c_at(l, node);
  c_get_parts(l, node, &carried, yields);
  build_op(b, OP_SCF_YIELD, n, yields, 0, NULL);
  b->block = outer;
  ValueId results = build_close(b, op, 3 + n, operands, n, types + 1, 1, &region);
  for (uint32_t i = 0; i < n; i++) yields[i] = results + i;
  c_set_parts(l, &carried, yields);
  end_counter(l, c, start, operands, own);
}

/* ---- others ---- */

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
    if (k == 0) {
      ValueId *passed = arena_array(l->arena, ValueId, n + 1);
      passed[0] = condition ? c_condition(l, condition) : build_integer(b, program_type_int(l->p, 1), 1);
      c_get_parts(l, node, &carried, passed + 1);
      build_op(b, OP_SCF_CONDITION, 1 + n, passed, 0, NULL);
      continue;
    }
    uint32_t scope = l->variables.count;
    c_statement(l, body);
    l->variables.count = scope;
    if (step) c_effect(l, step);
    c_get_parts(l, node, &carried, values);
    build_op(b, OP_SCF_YIELD, n, values, 0, NULL);
  }
  b->block = outer;
  ValueId results = build_close(b, op, n, operands, n, types, 2, regions);
  for (uint32_t i = 0; i < n; i++) values[i] = results + i;
  c_set_parts(l, &carried, values);
}

void c_for(Lower *l, const CNode *node) {
  uint32_t scope = l->variables.count;
  Counted c = {0};
  if (node->children[0]) c_statement(l, node->children[0]);
  if (is_counted(l, node, &c))
    counted(l, node, &c);
  else
    general(l, node, node->children[1], node->children[3], node->children[2]);
  l->variables.count = scope;
}

void c_while(Lower *l, const CNode *node) { general(l, node, node->children[0], node->children[1], NULL); }

/* Once, and then as long as the condition holds. */
void c_do(Lower *l, const CNode *node) {
  uint32_t scope = l->variables.count;
  c_statement(l, node->children[0]);
  l->variables.count = scope;
  general(l, node, node->children[1], node->children[0], NULL);
}

/* for (auto x : v): the elements one after another, by value or by another name. */
void c_each(Lower *l, const CNode *node) {
  Builder *b = &l->b;
  TypeId type = c_index_type(l);
  uint32_t scope = l->variables.count;
  const CNode *variable = node->children[0], *body = node->children[2];
  VariableList carried = {0};
  Place range = c_place(l, node->children[1]);
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
  Place element = range;
  element.kind = PLACE_ELEMENT, element.type = range.type->element;
  element.index[element.count++] = first;
  bool whole = element.type->kind == CTYPE_VECTOR;
  if (whole && !variable->type->is_reference) c_refuse(l, variable, "take it by reference", "a copy of each row");
  ValueId value = variable->type->is_reference ? 0 : c_read(l, node, &element);
  if (value) value = c_convert(l, variable, value, element.type, variable->type);
  uint32_t own = c_declare(l, variable, value ? VARIABLE_SCALAR : VARIABLE_ALIAS);
  l->variables.data[own].alias = element, l->variables.data[own].value = value;
  c_statement(l, body);
  c_get_parts(l, node, &carried, values);
  build_op(b, OP_SCF_YIELD, n, values, 0, NULL);
  b->block = outer;
  l->variables.count = scope;
  ValueId results = build_close(b, op, 3 + n, operands, n, types + 1, 1, &region);
  for (uint32_t i = 0; i < n; i++) values[i] = results + i;
  c_set_parts(l, &carried, values);
}
