/* Expressions whose parts are evaluated in no order, and change what another part reads or changes.
 *
 * `*z++ = *z + a` is undefined in C, as is `s += *p++ * *p++`: the reader would take one order, and say nothing. An
 * order there is between the parts of `&&`, `||`, `?:`, a comma and a list in braces, and between the operands of an
 * assignment and the change that it makes itself. What a call does inside is in one piece, behind its arguments, but
 * before or after the other parts: `next(&k) - next(&k)` has two values. An element of an array is taken to be any
 * element of it. C++17 has an order in an assignment, which is not used. */
#include "read/c/lower.h"

typedef struct Touch {
  const CNode *variable;
  bool is_element; /* of what it points to, or of the array */
  bool changes;
  bool is_done; /* in a call, which has ended before its value is there */
} Touch;

typedef Array(Touch) Touches;

enum { MOST_NESTED = 6 }; /* calls in calls, whose bodies are looked at */

static bool is_dereference(const CNode *node) { return node->kind == CNODE_UNARY && node->op == CUNARY_DEREFERENCE; }

static void touch(Lower *l, Touches *all, const CNode *place, bool changes, bool is_element) {
  while (place->kind == CNODE_SUBSCRIPT || place->kind == CNODE_CAST || is_dereference(place) ||
         (place->kind == CNODE_BINARY && place->type->kind == CTYPE_POINTER && place->op < CBINARY_ASSIGN) ||
         (place->kind == CNODE_UNARY && place->op <= CUNARY_PRE_DEC)) {
    is_element |= place->kind == CNODE_SUBSCRIPT || is_dereference(place);
    place = place->children[0];
  }
  if (place->kind == CNODE_NAME && place->target)
    array_push(l->arena, all, (Touch){place->target, is_element, changes, false});
}

static const Touch *conflict(const Touches *a, const Touches *b) {
  for (uint32_t i = 0; i < a->count; i++)
    for (uint32_t k = 0; k < b->count; k++) {
      const Touch *x = &a->data[i], *y = &b->data[k];
      if (x->variable == y->variable && x->is_element == y->is_element && (x->changes || y->changes)) return x;
    }
  return NULL;
}

static void add(Lower *l, Touches *all, const Touches *more) {
  for (uint32_t i = 0; i < more->count; i++) {
    const Touch *t = &more->data[i];
    uint32_t k = 0;
    while (k < all->count && !(all->data[k].variable == t->variable && all->data[k].is_element == t->is_element &&
                               all->data[k].changes == t->changes && all->data[k].is_done == t->is_done))
      k++;
    if (k == all->count) array_push(l->arena, all, *t);
  }
}

/* What a call reads and changes of what is around it: of `in`, which its body does. */
static void touched_by_call(Lower *l, const CNode *call, const Touches *in, Touches *out) {
  const CNode *function = call->target;
  for (uint32_t k = 0; k < in->count; k++) {
    const Touch *t = &in->data[k];
    uint32_t i = 0;
    while (i + 1 < function->count && function->children[i] != t->variable) i++;
    uint32_t from = out->count;
    if (i + 1 >= function->count) {
      if (t->variable->op || function->op == CFUNCTION_LAMBDA) array_push(l->arena, out, *t);
    } else if (i < call->count && (t->is_element || t->variable->type->is_reference)) {
      const CNode *argument = c_without_cast(call->children[i]);
      bool is_address = argument->kind == CNODE_UNARY && argument->op == CUNARY_ADDRESS;
      touch(l, out, is_address ? argument->children[0] : argument, t->changes, t->is_element && !is_address);
    }
    for (; from < out->count; from++) out->data[from].is_done = true;
  }
}

static bool is_change(const CNode *node);

/* All that a body reads and changes. */
static void gather(Lower *l, const CNode *node, uint32_t depth, Touches *out) {
  if (!node || node->kind == CNODE_FUNCTION) return;
  guard_tick(l->arena->guard);
  if (is_change(node)) touch(l, out, node->children[0], true, false);
  if (node->kind == CNODE_METHOD && c_changes_object(node)) touch(l, out, node->children[0], true, false);
  if (node->kind == CNODE_NAME || node->kind == CNODE_SUBSCRIPT || is_dereference(node))
    touch(l, out, node, false, false);
  if (node->kind == CNODE_CALL && depth && c_body_of(node)) {
    Touches inner = {0};
    gather(l, c_body_of(node), depth - 1, &inner);
    touched_by_call(l, node, &inner, out);
  }
  for (uint32_t i = 0; i < node->count; i++) gather(l, node->children[i], depth, out);
}

static void refuse(Lower *l, const CNode *at, const Touch *t) {
  c_refuse(l, at, "write it as several statements", "%s%s is changed and used in no order",
           t->is_element ? "an element of " : "", t->variable->name);
}

static bool is_change(const CNode *node) {
  return (node->kind == CNODE_BINARY && node->op >= CBINARY_ASSIGN && node->op < CBINARY_COMMA) ||
         (node->kind == CNODE_UNARY && node->op <= CUNARY_PRE_DEC);
}

static bool is_ordered(const CNode *node) {
  return node->kind == CNODE_CONDITIONAL || node->kind == CNODE_LIST ||
         (node->kind == CNODE_BINARY &&
          (node->op == CBINARY_ALL || node->op == CBINARY_ANY || node->op == CBINARY_COMMA));
}

static void expression(Lower *l, const CNode *node, Touches *out);

/* The place that is changed is not read, but for what says which one it is. */
static void changed_place(Lower *l, const CNode *place, Touches *out) {
  while (place->kind == CNODE_CAST) place = place->children[0];
  if (place->kind == CNODE_NAME) return;
  if (is_change(place) || is_ordered(place)) {
    expression(l, place, out);
    return;
  }
  Touches parts[2] = {{0}, {0}};
  for (uint32_t i = 0; i < place->count && i < 2; i++) expression(l, place->children[i], &parts[i]);
  const Touch *t = conflict(&parts[0], &parts[1]);
  if (t) refuse(l, place, t);
  add(l, out, &parts[0]), add(l, out, &parts[1]);
}

static void change(Lower *l, const CNode *node, Touches *out) {
  Touches place = {0}, value = {0}, own = {0};
  changed_place(l, node->children[0], &place);
  if (node->kind == CNODE_BINARY) expression(l, node->children[1], &value);
  touch(l, &own, node->children[0], true, false);
  const Touch *t = conflict(&place, &value);
  /* a[i] = a[j] = s: both get s, or one place twice */
  bool is_chain =
      node->kind == CNODE_BINARY && is_change(c_without_cast(node->children[1])) && own.count && own.data[0].is_element;
  bool is_plain = node->kind == CNODE_BINARY && node->op == CBINARY_ASSIGN; /* what it was is not used */
  add(l, &place, &value);
  for (uint32_t i = 0; i < place.count && !t && !is_chain; i++)
    if (place.data[i].changes && own.count && place.data[i].variable == own.data[0].variable &&
        place.data[i].is_element == own.data[0].is_element && !(is_plain && place.data[i].is_done))
      t = &place.data[i];
  if (t) refuse(l, node, t);
  add(l, out, &place), add(l, out, &own);
}

/* The arguments in no order, then what the call does. */
static void called(Lower *l, const CNode *call, Touches *out) {
  Touches all = {0}, body = {0};
  for (uint32_t i = 0; i < call->count; i++) {
    Touches part = {0};
    const CNode *argument = c_without_cast(call->children[i]);
    bool is_place = argument->kind == CNODE_NAME || argument->kind == CNODE_SUBSCRIPT || is_dereference(argument);
    if (is_place && i + 1 < call->target->count && call->target->children[i]->type->is_reference)
      changed_place(l, call->children[i], &part);
    else
      expression(l, call->children[i], &part);
    const Touch *t = conflict(&all, &part);
    if (t) refuse(l, call, t);
    add(l, &all, &part);
  }
  gather(l, c_body_of(call), MOST_NESTED, &body);
  touched_by_call(l, call, &body, &all);
  add(l, out, &all);
}

static void expression(Lower *l, const CNode *node, Touches *out) {
  if (!node) return;
  if (node->kind == CNODE_UNPACK) { /* the variables that get what the call returns are its own */
    expression(l, node->children[0], out);
    return;
  }
  if (node->kind == CNODE_CALL && c_body_of(node)) {
    called(l, node, out);
    return;
  }
  if (is_change(node)) {
    change(l, node, out);
    return;
  }
  Touches all = {0};
  bool is_row = node->kind == CNODE_SUBSCRIPT && node->type->kind == CTYPE_ARRAY; /* of which nothing is read yet */
  if (node->kind == CNODE_NAME || (node->kind == CNODE_SUBSCRIPT && !is_row) || is_dereference(node))
    touch(l, &all, node, false, false);
  uint32_t count = node->kind == CNODE_VARIABLE || node->kind == CNODE_FUNCTION ? 0 : node->count;
  for (uint32_t i = 0; i < count; i++) {
    Touches part = {0};
    expression(l, node->children[i], &part);
    const Touch *t = is_ordered(node) ? NULL : conflict(&all, &part);
    if (t) refuse(l, node, t);
    add(l, &all, &part);
  }
  add(l, out, &all);
}

static bool is_statement(const CNode *node) { return node->kind >= CNODE_COMPOUND; }

void c_check_order(Lower *l, const CNode *node) {
  Touches touches = {0};
  if (!node) return;
  if (!is_statement(node)) {
    expression(l, node, &touches);
    return;
  }
  for (uint32_t i = 0; i < node->count; i++) c_check_order(l, node->children[i]);
}
