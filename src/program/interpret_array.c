/* Arrays as values in the concrete interpreter: array.empty, fill, insert, extract.
 *
 * A value is the number of a node, which never changes: what an insertion leaves is a new node in front of the old one.
 * A read goes back to the newest node that wrote the element. That is slow for long arrays, and right for every order
 * in which values are used; samples are short. */
#include <string.h>

#include "program/interpret_state.h"

typedef enum NodeKind { NODE_EMPTY, NODE_FILL, NODE_INSERT, NODE_ROW } NodeKind;

typedef struct ArrayNode {
  NodeKind kind;
  const struct ArrayNode *older; /* of INSERT and ROW */
  const struct ArrayNode *part;  /* what is filled or inserted is an array; NULL: a number */
  int64_t value;
  uint8_t mark;
  uint32_t count;
  int64_t index[TYPE_MAX_RANK];
} ArrayNode;

static const ArrayNode *node_of(Interp *it, const Op *op, uint32_t i) {
  Lanes lanes = interpret_operand(it, op, i, 1);
  if (lanes.mark && *lanes.mark & MARK_UNDEFINED) return NULL;
  int64_t number = *lanes.i;
  if (number < 1 || number > it->array_nodes.count) interpret_ill_typed(it);
  return it->array_nodes.data[number - 1];
}

static bool is_array(Interp *it, const Op *op, uint32_t i) {
  return program_get_type(it->program, interpret_operand_type(it, op, i))->kind == TYPE_ARRAY;
}

static ArrayNode *node_new(Interp *it, const Op *op, NodeKind kind) {
  ArrayNode *node = arena_new(it->arena, ArrayNode);
  node->kind = kind;
  array_push(it->arena, &it->array_nodes, node);
  *interpret_result(it, op, 0)->i = it->array_nodes.count;
  if (++it->result->steps > it->step_limit) interpret_fail(it, INTERPRET_LIMIT, "step limit reached");
  return node;
}

static void set_value(Interp *it, const Op *op, uint32_t i, ArrayNode *node) {
  if (is_array(it, op, i)) {
    node->part = node_of(it, op, i);
    return;
  }
  Lanes lanes = interpret_operand(it, op, i, 1);
  node->value = *lanes.i;
  node->mark = lanes.mark ? *lanes.mark : 0;
}

static void set_index(Interp *it, const Op *op, uint32_t first, ArrayNode *node) {
  if (op->operand_count - first > TYPE_MAX_RANK) interpret_ill_typed(it);
  for (uint32_t i = first; i < op->operand_count; i++) node->index[node->count++] = interpret_scalar(it, op, i);
}

/* The element at `index`; false: it was never written. */
static bool find(Interp *it, const ArrayNode *node, uint32_t rank, const int64_t *index, int64_t *value,
                 uint8_t *mark) {
  int64_t own[TYPE_MAX_RANK];
  memcpy(own, index, rank * sizeof *own);
  while (node && node->kind != NODE_EMPTY) {
    uint32_t skip = node->kind == NODE_FILL ? 1 : node->count;
    if (++it->result->steps > it->step_limit) interpret_fail(it, INTERPRET_LIMIT, "step limit reached");
    if (node->kind == NODE_ROW) {
      if (rank + node->count > TYPE_MAX_RANK) interpret_ill_typed(it);
      memmove(own + node->count, own, rank * sizeof *own);
      memcpy(own, node->index, node->count * sizeof *own);
      rank += node->count, node = node->older;
    } else if (node->kind == NODE_INSERT && (skip > rank || memcmp(own, node->index, skip * sizeof *own) != 0)) {
      node = node->older;
    } else if (node->part) {
      if (skip > rank) interpret_ill_typed(it);
      memmove(own, own + skip, (rank - skip) * sizeof *own);
      rank -= skip, node = node->part;
    } else {
      *value = node->value, *mark = node->mark;
      return true;
    }
  }
  return false;
}

static void extract(Interp *it, const Op *op) {
  const ArrayNode *from = node_of(it, op, 0);
  if (program_get_type(it->program, interpret_result_type(it, op, 0))->kind == TYPE_ARRAY) {
    ArrayNode *row = node_new(it, op, NODE_ROW);
    row->older = from;
    set_index(it, op, 1, row);
    return;
  }
  ArrayNode at = {0};
  set_index(it, op, 1, &at);
  Lanes *out = interpret_result(it, op, 0);
  Element element = interpret_element(it, interpret_result_type(it, op, 0));
  uint8_t mark = 0;
  if (!find(it, from, at.count, at.index, out->i, &mark))
    *out->i = interpret_undefined(it, &element).integer, mark = MARK_UNDEFINED;
  if (mark) *interpret_marks(it, out) = mark;
}

void interpret_array(Interp *it, const Op *op) {
  ArrayNode *node;
  if (op->code == OP_ARRAY_EXTRACT) {
    extract(it, op);
  } else if (op->code == OP_ARRAY_EMPTY) {
    node_new(it, op, NODE_EMPTY);
  } else if (op->code == OP_ARRAY_FILL) {
    set_value(it, op, 0, node_new(it, op, NODE_FILL));
  } else {
    node = node_new(it, op, NODE_INSERT);
    set_value(it, op, 0, node);
    node->older = node_of(it, op, 1);
    set_index(it, op, 2, node);
  }
}
