/* Pointers to rows, `float **a`, as arrays of rows, `float a[][a_d1]`.
 *
 * A parameter that points to pointers, and that is only read for its rows, is memory of rows of one length, which is a
 * parameter of its own before it: as with nested vectors, the assumption `rectangular` says so, and what pointers
 * are taken for, not to overlap, is said of the rows as well. What moves such a pointer, or puts another row in the
 * place of one, leaves it what it is, and is refused at its place. */
#include "read/c/tree.h"

enum { MOST_CALLED = 16 };
enum { IS_ROWS = 2 };   /* as `integer` of a parameter, until it is one */
enum { IS_LENGTH = 2 }; /* as `integer` of a parameter: of the rows of the next one that is none */

typedef struct Rows {
  Arena *arena;
  const CTree *tree;
  uint32_t depth; /* of calls that are looked into */
} Rows;

static const CType length_type = {.kind = CTYPE_INT, .width = 64, .is_signed = true, .text = "long"};

static bool is_number(const CType *t) {
  return t->kind == CTYPE_INT || t->kind == CTYPE_FLOAT || t->kind == CTYPE_BOOL;
}

/* Nodes that are refused where they stand have no type. */
static bool is_kind(const CNode *node, CTypeKind kind) { return node->type && node->type->kind == kind; }

/* How many pointers lead to a number; 0: it is none of these. */
static uint32_t pointers_of(const CType *t) {
  uint32_t n = 0;
  for (; t->kind == CTYPE_POINTER; t = t->element) n++;
  return is_number(t) ? n : 0;
}

static CNode *new_node(Rows *r, const CNode *at, CNodeKind kind, const CType *type, uint32_t count) {
  CNode *node = arena_new(r->arena, CNode);
  *node = (CNode){.kind = kind, .type = type, .count = count, .file = at->file, .line = at->line};
  node->column = at->column, node->span = at->span, node->name = "";
  node->children = arena_array(r->arena, CNode *, count + 1);
  node->children[0] = NULL;
  return node;
}

static bool is_array(const CNode *node) {
  while (node->kind == CNODE_CAST && is_kind(node, CTYPE_POINTER)) node = node->children[0];
  return is_kind(node, CTYPE_ARRAY);
}

void c_subscript_rows(Arena *arena, CNode *node) {
  if (node->kind != CNODE_UNARY || node->op != CUNARY_DEREFERENCE) return;
  CNode *of = node->children[0], *first = of, *index = NULL;
  bool moves = of->kind == CNODE_BINARY && of->op == CBINARY_ADD && is_kind(of->children[1], CTYPE_INT);
  if (moves) first = of->children[0], index = of->children[1];
  bool points = is_kind(first, CTYPE_POINTER) || is_kind(first, CTYPE_ARRAY);
  if (!points || (!is_array(first) && (!moves || !is_kind(node, CTYPE_ARRAY)))) return;
  CNode **children = arena_array(arena, CNode *, 2);
  Rows r = {.arena = arena};
  children[0] = first, children[1] = index ? index : new_node(&r, node, CNODE_INTEGER, &length_type, 0);
  node->kind = CNODE_SUBSCRIPT, node->op = 0, node->children = children, node->count = 2;
  if (is_kind(node, CTYPE_ARRAY)) node->type = first->type->element;
}

/* ---- what may be read as rows ---- */

/* How deep below the parameter the pointer stands that the expression is: `a` 0, `a + 1` 0, `a[i]` 1; -1: none. */
static int depth_of(const CNode *node, const CNode *parameter) {
  if (node->kind == CNODE_NAME) return node->target == parameter ? 0 : -1;
  bool moves = node->kind == CNODE_BINARY && (node->op == CBINARY_ADD || node->op == CBINARY_SUB);
  bool reads = node->kind == CNODE_SUBSCRIPT || (node->kind == CNODE_UNARY && node->op == CUNARY_DEREFERENCE);
  int below = moves || reads ? depth_of(node->children[0], parameter) : -1;
  return below < 0 ? -1 : below + reads;
}

static bool assigns(const CNode *node) {
  return (node->kind == CNODE_BINARY && node->op >= CBINARY_ASSIGN && node->op < CBINARY_COMMA) ||
         (node->kind == CNODE_UNARY && (node->op <= CUNARY_PRE_DEC || node->op == CUNARY_ADDRESS));
}

static bool is_null(const CNode *node) {
  while (node->kind == CNODE_CAST) node = node->children[0];
  return node->kind == CNODE_INTEGER && !node->integer;
}

/* Whether it points to something is an assumption, as of other pointers: expression.c. */
static bool asks_for_null(const CNode *node) {
  if (node->kind == CNODE_UNARY) return node->op == CUNARY_NOT;
  return node->kind == CNODE_BINARY && (node->op == CBINARY_EQ || node->op == CBINARY_NE) &&
         (is_null(node->children[0]) || is_null(node->children[1]));
}

static bool compares_order(const CNode *node) {
  return node->kind == CNODE_BINARY && ((node->op >= CBINARY_LT && node->op <= CBINARY_GE) ||
                                        (node->op == CBINARY_SUB && is_kind(node->children[1], CTYPE_POINTER)));
}

static bool is_readable(Rows *r, const CNode *function, const CNode *parameter);

/* A function that is called with such a pointer reads rows of it as well. */
static bool is_passed_on(Rows *r, const CNode *call, uint32_t argument) {
  const CNode *f = call->target;
  if (!f || f->kind != CNODE_FUNCTION || f->op != CFUNCTION_PLAIN || argument + 1 >= f->count) return false;
  if (!f->children[f->count - 1] || r->depth == MOST_CALLED) return false;
  bool known = false; /* no instance of a template */
  for (uint32_t i = 0; i < r->tree->functions.count; i++) known |= r->tree->functions.data[i] == f;
  if (!known) return false;
  r->depth++;
  bool readable = is_readable(r, f, f->children[argument]);
  r->depth--;
  return readable;
}

/* `levels`: of pointers of the parameter. The last is a pointer to numbers, which may be used as any other. */
static bool only_reads_rows(Rows *r, const CNode *node, const CNode *parameter, int levels) {
  if (!node) return true;
  if (node->kind == CNODE_LAMBDA) return false; /* its body may name the parameter */
  if (node->kind == CNODE_CALL && node->target && node->target->op == CFUNCTION_LAMBDA) return false;
  for (uint32_t i = 0; i < node->count; i++) {
    const CNode *child = node->children[i];
    int depth = child ? depth_of(child, parameter) : -1;
    if (depth < 0 || depth >= levels) continue;
    if (assigns(node) && !i) return false;
    if (compares_order(node)) return false; /* of two rows nothing is known */
    if (node->kind == CNODE_RETURN || (node->kind == CNODE_CONDITIONAL && i)) return false; /* one of several rows */
    bool is_row = depth == levels - 1;
    bool steps = depth_of(node, parameter) >= 0 && !i;
    if (!is_row && !steps && !asks_for_null(node) &&
        !(node->kind == CNODE_CALL && child->kind == CNODE_NAME && is_passed_on(r, node, i)))
      return false;
  }
  for (uint32_t i = 0; i < node->count; i++)
    if (!only_reads_rows(r, node->children[i], parameter, levels)) return false;
  return true;
}

static bool is_readable(Rows *r, const CNode *function, const CNode *parameter) {
  uint32_t levels = pointers_of(parameter->type);
  return parameter->kind == CNODE_VARIABLE && !parameter->op && levels >= 2 && levels <= 4 &&
         only_reads_rows(r, function->children[function->count - 1], parameter, (int)levels);
}

/* ---- what it becomes ---- */

static const CType *array_of(Rows *r, const CType *pointer, const CNode *extent, const CType *element) {
  CType *type = arena_new(r->arena, CType);
  *type = (CType){.kind = CTYPE_ARRAY, .count = -1, .element = element, .text = pointer->text};
  if (extent) {
    CNode *name = new_node(r, extent, CNODE_NAME, extent->type, 0);
    name->name = extent->name, name->target = extent;
    type->extent = name;
  }
  return type;
}

/* The type of a parameter whose rows have the lengths of `lengths` on. */
static const CType *type_of_rows(Rows *r, const CType *pointer, CNode *const *lengths, bool is_first) {
  if (pointer->kind != CTYPE_POINTER) return pointer;
  const CType *element = type_of_rows(r, pointer->element, lengths + !is_first, false);
  return array_of(r, pointer, is_first ? NULL : *lengths, element);
}

static bool is_rows(const CNode *v) { return v->kind == CNODE_VARIABLE && v->type->is_rows; }

static void replace_parameters(Rows *r, CNode *function) {
  uint32_t count = 0;
  CNode **children = arena_array(r->arena, CNode *, 4 * function->count);
  for (uint32_t i = 0; i + 1 < function->count; i++) {
    CNode *p = function->children[i];
    uint32_t levels = p->integer == IS_ROWS ? pointers_of(p->type) : 0;
    for (uint32_t k = 1; k < levels; k++) {
      CNode *length = children[count++] = new_node(r, p, CNODE_VARIABLE, &length_type, 1);
      length->name = arena_format(r->arena, "%s_d%u", p->name, k), length->integer = IS_LENGTH;
    }
    children[count++] = p;
    if (!levels) continue;
    CType *type = arena_new(r->arena, CType);
    *type = *type_of_rows(r, p->type, &children[count - levels], true);
    type->is_rows = true;
    p->type = type, p->integer = 0;
    function->is_flattened = true;
  }
  children[count++] = function->children[function->count - 1];
  function->children = children, function->count = count;
}

/* What stands for a row, which an expression takes for the address of its first element. */
static const char decay[] = "row";

static CNode *decayed(Rows *r, CNode *node) {
  CType *type = arena_new(r->arena, CType);
  *type = (CType){.kind = CTYPE_POINTER, .element = node->type->element, .text = node->type->text};
  CNode *cast = new_node(r, node, CNODE_CAST, type, 1);
  cast->children[0] = node, cast->name = decay;
  return cast;
}

static const CNode *named_array(const CNode *argument) {
  while (argument->kind == CNODE_CAST) argument = argument->children[0];
  return argument;
}

/* A call passes the lengths on: they stand before the array in the list of parameters. */
static void pass_lengths(Rows *r, CNode *call) {
  const CNode *f = call->target;
  if (!f || f->kind != CNODE_FUNCTION || call->count + 1 >= f->count) return;
  uint32_t given = 0, count = 0;
  CNode **children = arena_array(r->arena, CNode *, f->count + call->count);
  while (given < call->count) {
    const CType *t = named_array(call->children[given])->type;
    uint32_t first = count;
    for (; count + 1 < f->count && f->children[count]->kind == CNODE_VARIABLE &&
           f->children[count]->integer == IS_LENGTH;) {
      t = t && t->kind == CTYPE_ARRAY ? t->element : NULL;
      bool known = t && t->kind == CTYPE_ARRAY && t->extent;
      children[count++] = known ? (CNode *)(uintptr_t)t->extent : new_node(r, call, CNODE_INTEGER, &length_type, 0);
    }
    if (count > first && !is_rows(f->children[count])) count = first;
    children[count++] = call->children[given++];
  }
  call->children = children, call->count = count;
}

/* The types below a parameter, as clang gives them for `float a[][n]`. */
static CNode *rewrite(Rows *r, CNode *node) {
  if (!node || (node->kind == CNODE_CAST && node->name == decay)) return node;
  guard_tick(r->arena->guard);
  for (uint32_t i = 0; i < node->count; i++) node->children[i] = rewrite(r, node->children[i]);
  if (node->kind == CNODE_CALL) pass_lengths(r, node);
  if (node->kind == CNODE_NAME && node->target && is_rows(node->target)) {
    node->type = node->target->type;
    return decayed(r, node);
  }
  bool moves = node->kind == CNODE_BINARY && (node->op == CBINARY_ADD || node->op == CBINARY_SUB);
  bool reads = node->kind == CNODE_SUBSCRIPT || (node->kind == CNODE_UNARY && node->op == CUNARY_DEREFERENCE);
  if (reads) c_subscript_rows(r->arena, node);
  if ((!moves && !reads) || !is_kind(node, CTYPE_POINTER) || !is_kind(node->children[0], CTYPE_POINTER)) return node;
  const CType *of = node->children[0]->type;
  if (of->element->kind != CTYPE_ARRAY) return node;
  node->type = reads ? of->element : of;
  c_subscript_rows(r->arena, node);
  return reads ? decayed(r, node) : node;
}

void c_replace_rows(Arena *arena, CTree *tree) {
  Rows r = {.arena = arena, .tree = tree};
  bool any = false;
  for (uint32_t i = 0; i < tree->functions.count; i++) {
    CNode *f = tree->functions.data[i];
    for (uint32_t k = 0; k + 1 < f->count; k++)
      if (f->children[f->count - 1] && is_readable(&r, f, f->children[k]))
        f->children[k]->integer = IS_ROWS, any = true;
  }
  for (uint32_t i = 0; any && i < tree->functions.count; i++) replace_parameters(&r, tree->functions.data[i]);
  for (uint32_t i = 0; any && i < tree->functions.count; i++) {
    CNode *f = tree->functions.data[i];
    f->children[f->count - 1] = rewrite(&r, f->children[f->count - 1]);
  }
}
