/* Array programs: nodes numbered by value (see array.h). */
#include "emit/array.h"

#include <string.h>

void array_program_init(ArrayProgram *program, Arena *arena) {
  *program = (ArrayProgram){.arena = arena};
  array_push(arena, &program->nodes, (ArrayNode){.op = ARRAY_NONE, .text = ""});
}

static uint64_t hash_make(const ArrayMake *make, uint32_t count, const Node *args) {
  uint64_t key[3] = {(uint64_t)make->op << 32 | make->aux, (uint64_t)make->sort << 32 | make->term, count};
  uint64_t hash = hash_bytes(key, sizeof key, 1);
  hash = hash_bytes(make->text, strlen(make->text), hash);
  return hash_bytes(args, sizeof *args * count, hash);
}

static bool is_same(const ArrayProgram *program, const ArrayNode *node, const ArrayMake *make, uint32_t count,
                    const Node *args) {
  if (node->op != make->op || node->aux != make->aux || node->sort != make->sort || node->term != make->term)
    return false;
  if (node->count != count || strcmp(node->text, make->text) != 0) return false;
  return !count || memcmp(program->args.data + node->first, args, sizeof *args * count) == 0;
}

static ArrayMake make_again(const ArrayNode *node) {
  return (ArrayMake){.op = node->op, .sort = node->sort, .aux = node->aux, .text = node->text, .term = node->term};
}

static void grow_slots(ArrayProgram *program) {
  uint32_t room = program->slots.capacity ? program->slots.capacity * 2 : 256;
  program->slots.data = arena_array(program->arena, uint32_t, room);
  program->slots.capacity = room;
  for (Node n = 1; n < program->nodes.count; n++) {
    const ArrayNode *node = array_at(program, n);
    ArrayMake make = make_again(node);
    uint32_t i = (uint32_t)hash_make(&make, node->count, program->args.data + node->first) & (room - 1);
    while (program->slots.data[i]) i = (i + 1) & (room - 1);
    program->slots.data[i] = n;
  }
}

/* Arithmetic on integers of any size has such a result. */
static bool keeps_exact(ArrayOp op) {
  return op == ARRAY_SUM || op == ARRAY_PRODUCT || op == ARRAY_FLOORDIV || op == ARRAY_MOD || op == ARRAY_MAX ||
         op == ARRAY_MIN || op == ARRAY_ABS || op == ARRAY_WHERE || op == ARRAY_WRAP || op == ARRAY_POWER ||
         op == ARRAY_FN;
}

Node array_node(ArrayProgram *program, ArrayMake make, uint32_t count, const Node *args) {
  static const Node none[1] = {0};
  if (!make.text) make.text = "";
  if (!args) args = none;
  if (program->nodes.count * 2 >= program->slots.capacity) grow_slots(program);
  uint32_t mask = program->slots.capacity - 1, i = (uint32_t)hash_make(&make, count, args) & mask;
  for (; program->slots.data[i]; i = (i + 1) & mask)
    if (is_same(program, array_at(program, program->slots.data[i]), &make, count, args)) return program->slots.data[i];
  ArrayNode node = {.op = make.op,
                    .sort = make.sort,
                    .is_array = make.is_array,
                    .is_view = make.is_view,
                    .is_exact = make.op == ARRAY_EXACT,
                    .rank = make.rank,
                    .aux = make.aux,
                    .count = count,
                    .text = make.text,
                    .hint = make.hint,
                    .term = make.term};
  node.first = program->args.count;
  for (uint32_t k = 0; k < count; k++) {
    node.loops |= array_at(program, args[k])->loops;
    node.is_exact |= keeps_exact(make.op) && array_at(program, args[k])->is_exact;
    array_push(program->arena, &program->args, args[k]);
  }
  if (make.op == ARRAY_CHUNK) node.loops |= (uint64_t)1 << make.aux;
  if (make.op == ARRAY_STEP) node.loops |= (uint64_t)1 << make.aux;
  if (make.op == ARRAY_STATE) node.loops |= (uint64_t)1 << (make.aux >> 4);
  if (make.op == ARRAY_LOOP || make.op == ARRAY_RECUR)
    node.loops &= ~((uint64_t)1 << (make.aux >> 8)); /* the loop ends here */
  array_push(program->arena, &program->nodes, node);
  program->slots.data[i] = program->nodes.count - 1;
  return program->nodes.count - 1;
}
