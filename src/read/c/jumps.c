/* goto, forward, as break, continue and flags.
 *
 * Where a label stands in a block behind the statements that jump to it, a jump leaves these: `continue` where nothing
 * follows the label in the body of a loop, `break` where they are one loop, else the break out of a switch that is put
 * around them. A jump out of loops further in sets a flag, which each of them hands on: `if (flag) break;`. A jump
 * back, or one past a `break` or a `case` that belongs to a statement around, stays what it is, and is refused at its
 * place. */
#include <string.h>

#include "read/c/tree.h"

typedef struct Jumps {
  Arena *arena;
  const char *label;
  CNodeKind exit;    /* BREAK or CONTINUE: what leads to the label where it stands */
  const CNode *flag; /* a variable, made when it is needed */
  const CNode *at;
} Jumps;

static const CType truth = {.kind = CTYPE_INT, .width = 32, .is_signed = true, .text = "int"};

static CNode *node_new(Jumps *j, const CNode *at, CNodeKind kind, uint32_t count) {
  CNode *node = arena_new(j->arena, CNode);
  *node = *at;
  node->kind = kind, node->op = 0, node->integer = 0, node->name = NULL, node->target = NULL, node->type = &truth;
  node->count = count, node->children = arena_array(j->arena, CNode *, count + 1);
  return node;
}

static CNode *integer(Jumps *j, const CNode *at, int64_t value) {
  CNode *node = node_new(j, at, CNODE_INTEGER, 0);
  node->integer = value;
  return node;
}

static CNode *flag_name(Jumps *j, const CNode *at) {
  if (!j->flag) {
    CNode *variable = node_new(j, at, CNODE_VARIABLE, 1);
    variable->name = j->label, variable->children[0] = integer(j, at, 0);
    j->flag = variable;
  }
  CNode *name = node_new(j, at, CNODE_NAME, 0);
  name->name = j->label, name->target = j->flag;
  return name;
}

static CNode *pair(Jumps *j, const CNode *at, CNode *first, CNode *second) {
  CNode *node = node_new(j, at, CNODE_COMPOUND, 2);
  node->children[0] = first, node->children[1] = second;
  return node;
}

bool c_is_loop(const CNode *n) {
  return n->kind == CNODE_FOR || n->kind == CNODE_WHILE || n->kind == CNODE_DO || n->kind == CNODE_EACH;
}

static CNode **body_of(const CNode *loop) {
  return &loop->children[loop->kind == CNODE_FOR ? 3 : loop->kind == CNODE_EACH ? 2 : loop->kind == CNODE_WHILE];
}

static bool jumps_to(const CNode *n, const char *label) {
  if (!n) return false;
  if (n->kind == CNODE_GOTO && !strcmp(n->name, label)) return true;
  for (uint32_t i = 0; i < n->count; i++)
    if (jumps_to(n->children[i], label)) return true;
  return false;
}

/* True if the statement has a break of a loop or switch around it. */
static bool leaves(const CNode *n) {
  if (!n || c_is_loop(n) || n->kind == CNODE_SWITCH) return false;
  if (n->kind == CNODE_BREAK) return true;
  for (uint32_t i = 0; i < n->count; i++)
    if (leaves(n->children[i])) return true;
  return false;
}

/* True if it has a label of a switch around it. */
static bool has_case(const CNode *n) {
  if (!n || n->kind == CNODE_SWITCH) return false;
  if (n->kind == CNODE_CASE) return true;
  for (uint32_t i = 0; i < n->count; i++)
    if (has_case(n->children[i])) return true;
  return false;
}

/* The statement, in which jumps to the label have become exits; inside: of a loop or switch in which `exit` is another
 * one's, so that its break and the flag lead there. */
static CNode *redirect(Jumps *j, CNode *n, bool inside) {
  if (!n || !jumps_to(n, j->label)) return n;
  if (n->kind == CNODE_GOTO) {
    CNode *exit = node_new(j, n, inside ? CNODE_BREAK : j->exit, 0);
    if (!inside) return exit;
    CNode *set = node_new(j, n, CNODE_BINARY, 2);
    set->op = CBINARY_ASSIGN, set->children[0] = flag_name(j, n), set->children[1] = integer(j, n, 1);
    return pair(j, n, set, exit);
  }
  bool own = c_is_loop(n) || n->kind == CNODE_SWITCH;
  for (uint32_t i = 0; i < n->count; i++) n->children[i] = redirect(j, n->children[i], inside || own);
  if (!own) return n;
  CNode *test = node_new(j, n, CNODE_IF, 3);
  test->children[0] = flag_name(j, n), test->children[1] = node_new(j, n, inside ? CNODE_BREAK : j->exit, 0);
  return pair(j, n, n, test);
}

static bool is_empty(const CNode *n) {
  if (n->kind == CNODE_LABEL) return is_empty(n->children[0]);
  return n->kind == CNODE_EMPTY || (n->kind == CNODE_COMPOUND && !n->count);
}

/* default: of a switch, which `break` leaves. */
static CNode *breakable(Jumps *j, const CNode *at, CNode *body) {
  CNode *node = node_new(j, at, CNODE_SWITCH, 2), *all = node_new(j, at, CNODE_COMPOUND, 1);
  CNode *label = node_new(j, at, CNODE_CASE, 2);
  label->children[1] = body, all->children[0] = label;
  node->children[0] = integer(j, at, 0), node->children[1] = all;
  return node;
}

/* The block, whose k-th statement has the label, without it and without jumps from before it. */
static void resolve(Jumps *j, CNode *block, uint32_t k, bool is_body) {
  CNode *label = block->children[k];
  uint32_t first = 0;
  bool at_end = is_body;
  j->label = label->name, j->flag = NULL;
  block->children[k] = label->children[0];
  while (first < k && !jumps_to(block->children[first], j->label)) first++;
  if (first == k) return;
  for (uint32_t i = k; at_end && i < block->count; i++) at_end = is_empty(block->children[i]);
  CNode *one = block->children[first];
  j->exit = at_end ? CNODE_CONTINUE : CNODE_BREAK;
  if (at_end) {
    for (uint32_t i = first; i < k; i++) block->children[i] = redirect(j, block->children[i], false);
  } else if (first + 1 == k && c_is_loop(one)) {
    CNode **body = body_of(one);
    *body = redirect(j, *body, false);
  } else {
    bool good = true;
    for (uint32_t i = first; i < k && good; i++) good = !leaves(block->children[i]) && !has_case(block->children[i]);
    if (!good) return;
    CNode *region = node_new(j, one, CNODE_COMPOUND, k - first);
    for (uint32_t i = first; i < k; i++) region->children[i - first] = redirect(j, block->children[i], false);
    block->children[first] = breakable(j, one, region);
    memmove(block->children + first + 1, block->children + k, (block->count - k) * sizeof *block->children);
    block->count -= k - first - 1;
  }
  if (!j->flag) return;
  CNode *declare = node_new(j, one, CNODE_DECLARE, 1), **all = arena_array(j->arena, CNode *, block->count + 2);
  declare->children[0] = (CNode *)j->flag;
  memcpy(all, block->children, first * sizeof *all);
  all[first] = declare;
  memcpy(all + first + 1, block->children + first, (block->count - first) * sizeof *all);
  block->children = all, block->count++;
}

static void rewrite(Jumps *j, CNode *n, bool is_body) {
  if (!n) return;
  guard_tick(j->arena->guard);
  for (uint32_t i = 0; i < n->count; i++) rewrite(j, n->children[i], c_is_loop(n) && &n->children[i] == body_of(n));
  for (uint32_t k = 0; n->kind == CNODE_COMPOUND && k < n->count; k++)
    if (n->children[k] && n->children[k]->kind == CNODE_LABEL) resolve(j, n, k, is_body), k = UINT32_MAX;
  if (n->kind == CNODE_LABEL) return;
  for (uint32_t i = 0; i < n->count; i++) /* of a statement by itself, into which no jump goes */
    while (n->children[i] && n->children[i]->kind == CNODE_LABEL) n->children[i] = n->children[i]->children[0];
}

static bool has_label(const CNode *n) {
  if (!n) return false;
  for (uint32_t i = 0; i < n->count; i++)
    if (has_label(n->children[i])) return true;
  return n->kind == CNODE_LABEL;
}

void c_replace_jumps(Arena *arena, CTree *tree) {
  for (uint32_t i = 0; i < tree->functions.count; i++) {
    CNode *function = tree->functions.data[i];
    Jumps j = {.arena = arena};
    if (has_label(function)) rewrite(&j, function->children[function->count - 1], false);
  }
}
