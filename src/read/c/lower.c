/* Functions, statements and scopes (see lower.h).
 *
 * A parameter of a class becomes a pointer and its lengths NAME_d0, NAME_d1, ..; what a function returns is stored
 * through one more pointer, `result`, when it ends. A `return` or `continue` in the middle of a list of statements is
 * one arm of an `if`, of which the statements that follow are the other. */
#include "read/c/read.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "read/c/lower.h"

enum { MOST_CALLS = 16 };

static const CType boolean_type = {.kind = CTYPE_BOOL, .width = 1, .text = "bool"};

void c_refuse(Lower *l, const CNode *at, const char *help, const char *format, ...) {
  char text[300];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  Span span = at->file || !at->span.end ? l->function->span : at->span;
  const char *where = at->file ? arena_format(l->arena, "%s:%u:%u: ", at->file, at->line, at->column) : "";
  diagnostic_add(l->diagnostics, SEVERITY_ERROR, "c.unsupported", l->source, span, help, "%s%s", where, text);
  longjmp(l->refused, 1);
}

/* The name of the file that the node is in, without its folder. */
static const char *file_of(const Lower *l, const CNode *node) {
  const char *file = node->file ? node->file : l->source->name, *slash = strrchr(file, '/');
  return slash ? slash + 1 : file;
}

void c_assume(Lower *l, const CNode *at, const char *text) {
  Name name = intern_text(l->p->names, text);
  for (uint32_t i = 0; i < l->relied.count; i++)
    if (program_get_attr(l->p, program_get_attr(l->p, l->relied.data[i])->items[0])->text == name) return;
  const char *where = arena_format(l->arena, "%s:%u", file_of(l, at), at->line);
  AttrId own = build_list(&l->b, 2, (AttrId[]){build_text(&l->b, text), build_text(&l->b, where)});
  array_push(l->arena, &l->relied, own);
}

void c_at(Lower *l, const CNode *node) {
  if (!node->line) return;
  l->b.loc = build_loc(&l->b, file_of(l, node), node->line, node->column);
  l->b.span = node->span;
}

const char *c_text(Lower *l, const CNode *node) {
  if (node->file || node->span.end <= node->span.begin) return "it";
  char *text = arena_copy(l->arena, l->source->text + node->span.begin, node->span.end - node->span.begin);
  for (char *c = text; *c; c++)
    if (*c == '\n' || *c == '\t' || *c == '\r') *c = ' ';
  return text;
}

/* ---- variables ---- */

uint32_t c_find(Lower *l, const CNode *at, const CNode *declaration) {
  for (uint32_t i = l->variables.count; i-- > 0;)
    if (l->variables.data[i].declaration == declaration) return i;
  c_refuse(l, at, "parameters and local variables are", "the variable %s is not read yet", declaration->name);
}

uint32_t c_declare(Lower *l, const CNode *declaration, VariableKind kind) {
  Variable v = {.kind = kind, .declaration = declaration, .name = declaration->name, .type = declaration->type};
  for (v.element = v.type; v.element->kind == CTYPE_VECTOR || v.element->kind == CTYPE_ARRAY; v.rank++)
    v.element = v.element->element;
  if (v.rank > C_MAX_RANK) c_refuse(l, declaration, NULL, "more than %d axes are not read", C_MAX_RANK);
  array_push(l->arena, &l->variables, v);
  return l->variables.count - 1;
}

/* ---- what is assigned ---- */

static void note_variable(Lower *l, uint32_t variable, bool resizes, VariableList *out) {
  for (uint32_t k = 0; k < out->count; k++)
    if (out->data[k].variable == variable) {
      out->data[k].resizes |= resizes;
      return;
    }
  if (variable != NO_VARIABLE) array_push(l->arena, out, (Assigned){variable, resizes});
}

static bool is_in_scope(const Lower *l, const CNode *declaration) {
  for (uint32_t i = 0; i < l->variables.count; i++)
    if (l->variables.data[i].declaration == declaration) return true;
  return false;
}

/* The variable of *p, p[i], *(p + i), &x or (*p)[i], where p points to a variable; what is declared further in is what
 * it begins as. */
const CNode *c_root_through(const Lower *l, const CNode *node) {
  while (node) {
    const CNode *root = c_root(node);
    if (root && (is_in_scope(l, root) || root->type->kind != CTYPE_POINTER)) return root;
    if (root)
      node = root->children[0];
    else if (node->kind == CNODE_NAME)
      node = node->target && node->target->kind == CNODE_VARIABLE ? node->target->children[0] : NULL;
    else if (node->kind == CNODE_SUBSCRIPT || node->kind == CNODE_CAST || node->kind == CNODE_UNARY ||
             node->kind == CNODE_METHOD)
      node = node->children[0];
    else if (node->kind == CNODE_BINARY && (node->op == CBINARY_ADD || node->op == CBINARY_SUB))
      node = node->children[c_is_number(node->children[0]->type)]; /* the pointer of p + i or i + p */
    else
      return NULL;
  }
  return NULL;
}

/* Where a number is assigned, lengths stay. */
static void note_place(Lower *l, const CNode *place, bool resizes, VariableList *out) {
  const CNode *root = c_root(place);
  bool is_further_in = root && root->type->kind == CTYPE_POINTER && !is_in_scope(l, root);
  const CNode *through = root && !is_further_in ? NULL : c_root_through(l, place);
  for (uint32_t i = 0; through && i < l->variables.count; i++)
    if (l->variables.data[i].declaration == through) {
      const Variable *v = &l->variables.data[i];
      if (v->is_pointer || v->type->kind == CTYPE_VECTOR || v->type->kind == CTYPE_ARRAY) root = through;
      if (v->kind == VARIABLE_ITERATOR && v->alias.type) note_variable(l, v->alias.variable, resizes, out);
    }
  for (uint32_t i = 0; root && i < l->variables.count; i++) {
    if (l->variables.data[i].declaration != root) continue;
    const Variable *v = &l->variables.data[i];
    if (v->kind == VARIABLE_ALIAS && v->alias.kind == PLACE_ADDRESS) return;
    note_variable(l, v->kind == VARIABLE_ALIAS ? v->alias.variable : i, resizes, out);
    return;
  }
}

static void note_assigned(Lower *l, const CNode *place, VariableList *out) {
  const CType *type = place->type;
  while (type->kind == CTYPE_POINTER || type->kind == CTYPE_ARRAY) type = type->element;
  note_place(l, place, !c_is_number(type), out);
}

bool c_changes_object(const CNode *node) {
  static const char *const names[] = {"push_back", "emplace_back", "operator=", "resize", "clear",
                                      "pop_back",  "assign",       "insert",    "swap"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(node->name, names[i])) return true;
  return false;
}

/* The function may change what the argument names. */
static bool changes_argument(const CType *type) {
  bool is_memory = type->kind == CTYPE_POINTER || type->kind == CTYPE_ARRAY;
  return (type->is_reference && !type->is_const) || (is_memory && !type->element->is_const);
}

void c_find_assigned(Lower *l, const CNode *node, VariableList *out) {
  if (!node) return;
  if (node->kind == CNODE_BINARY && node->op >= CBINARY_ASSIGN && node->op < CBINARY_COMMA)
    note_assigned(l, node->children[0], out);
  if (node->kind == CNODE_UNARY && node->op <= CUNARY_PRE_DEC) note_assigned(l, node->children[0], out);
  if (node->kind == CNODE_METHOD && c_changes_object(node)) note_place(l, node->children[0], true, out);
  if (node->kind == CNODE_METHOD && node->count == 2 && !strcmp(node->name, "swap"))
    note_place(l, node->children[1], true, out);
  if (node->kind == CNODE_MOVE) note_place(l, node->children[0], true, out);
  if (node->kind == CNODE_CALL && c_body_of(node)) /* what the function may change */
    for (uint32_t i = 0; i < node->count && i + 1 < node->target->count; i++) {
      const CNode *argument = node->children[i];
      if (!changes_argument(node->target->children[i]->type)) continue;
      if (argument->kind == CNODE_UNARY && argument->op == CUNARY_ADDRESS) argument = argument->children[0];
      note_assigned(l, argument, out);
      for (uint32_t k = 0; argument->kind == CNODE_NAME && k < l->variables.count; k++)
        if (l->variables.data[k].declaration == argument->target && l->variables.data[k].kind == VARIABLE_ITERATOR)
          note_variable(l, l->variables.data[k].alias.variable, false, out); /* what it points into */
    }
  if (node->kind == CNODE_CALL && !c_body_of(node) && !strcmp(node->name, "swap"))
    for (uint32_t i = 0; i < node->count; i++) note_assigned(l, node->children[i], out);
  if (node->kind == CNODE_CALL && !c_body_of(node) && node->count == 1 && !strcmp(node->name, "free"))
    note_variable(l, c_freed(l, node->children[0]), true, out);
  if (node->kind == CNODE_CALL && !c_body_of(node) && c_fills_memory(node))
    note_assigned(l, c_without_cast(node->children[0]), out);
  if (node->kind == CNODE_CALL && c_body_of(node) && l->searched < MOST_CALLS) { /* what lambdas change around them */
    l->searched++;
    c_find_assigned(l, c_body_of(node), out);
    l->searched--;
  }
  if (node->kind == CNODE_EACH && changes_argument(node->children[0]->type))
    note_place(l, node->children[1], !c_is_number(node->children[0]->type), out);
  bool own = !l->searched; /* of this function */
  for (uint32_t i = 0; node->kind == CNODE_RETURN && own && i < l->result_count; i++)
    note_variable(l, l->result + i, true, out);
  for (uint32_t i = 1; node->kind == CNODE_UNPACK && i < node->count; i++) note_assigned(l, node->children[i], out);
  if (node->kind == CNODE_RETURN && own) note_variable(l, l->returned, true, out);
  if (node->kind == CNODE_BREAK && own) note_variable(l, l->going, true, out);
  for (uint32_t i = 0; i < node->count; i++) c_find_assigned(l, node->children[i], out);
}

/* How many lengths of a vector change with it. */
static uint32_t count_lengths(const Variable *v, const Assigned *a) {
  return v->kind == VARIABLE_ELEMENTS && !v->is_fixed && a->resizes ? v->rank : 0;
}

uint32_t c_count_parts(Lower *l, const VariableList *list) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    const Variable *v = &l->variables.data[list->data[i].variable];
    bool is_value = v->kind == VARIABLE_SCALAR || v->kind == VARIABLE_ITERATOR || v->kind == VARIABLE_ELEMENTS;
    n += is_value ? 1 + count_lengths(v, &list->data[i]) : 0;
  }
  return n;
}

/* A variable with a value that the pointer expression is made from: p of p + i, &p[i], p++. NULL: none is seen. */
static const Variable *pointer_from(const Lower *l, const CNode *node) {
  while (node) {
    for (uint32_t i = 0; node->kind == CNODE_NAME && i < l->variables.count; i++) {
      const Variable *v = &l->variables.data[i];
      bool is_one = v->kind == VARIABLE_MEMORY || (v->kind == VARIABLE_SCALAR && v->type->kind == CTYPE_POINTER);
      if (v->declaration == node->target) return is_one && v->value ? v : NULL;
    }
    bool moves = node->kind == CNODE_CAST || node->kind == CNODE_SUBSCRIPT ||
                 (node->kind == CNODE_UNARY && (node->op <= CUNARY_PRE_DEC || node->op == CUNARY_ADDRESS)) ||
                 (node->kind == CNODE_BINARY && (node->op == CBINARY_ADD || node->op == CBINARY_SUB));
    if (!moves) return NULL;
    bool turned = node->kind == CNODE_BINARY && c_is_number(node->children[0]->type);
    node = node->children[turned];
  }
  return NULL;
}

/* What the first assignment to the pointer below the node takes it from. */
static const Variable *assigned_from(const Lower *l, const CNode *node, const CNode *pointer) {
  if (!node) return NULL;
  bool assigns = node->kind == CNODE_BINARY && node->op == CBINARY_ASSIGN && c_root(node->children[0]) == pointer;
  const Variable *v = assigns ? pointer_from(l, node->children[1]) : NULL;
  for (uint32_t i = 0; !v && i < node->count; i++) v = assigned_from(l, node->children[i], pointer);
  return v;
}

/* A variable that was not set: any value; of a pointer, anywhere in the array into which it is set at the node. */
static ValueId not_set(Lower *l, const CNode *at, const Variable *v) {
  TypeId type = c_type(l, at, v->type), wide = c_index_type(l);
  const Variable *from = v->type->kind == CTYPE_POINTER ? assigned_from(l, at, v->declaration) : NULL;
  if (!from || program_get_value(l->p, from->value)->type != type)
    return build_op(&l->b, OP_UB_POISON, 0, NULL, 1, &type);
  return build_binary(&l->b, OP_TT_ADDPTR, from->value, build_op(&l->b, OP_UB_POISON, 0, NULL, 1, &wide), type);
}

uint32_t c_get_parts(Lower *l, const CNode *at, const VariableList *list, ValueId *out) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    Variable *v = &l->variables.data[list->data[i].variable];
    if (v->kind == VARIABLE_ITERATOR) {
      out[n++] = v->value;
    } else if (v->kind == VARIABLE_SCALAR) {
      if (!v->value) v->value = not_set(l, at, v);
      out[n++] = v->value;
    } else if (v->kind == VARIABLE_ELEMENTS) {
      out[n++] = v->value;
      for (uint32_t k = 0; k < count_lengths(v, &list->data[i]); k++) out[n++] = v->length[k];
    }
  }
  return n;
}

void c_set_parts(Lower *l, const VariableList *list, const ValueId *values) {
  for (uint32_t i = 0; i < list->count; i++) {
    Variable *v = &l->variables.data[list->data[i].variable];
    if (v->kind == VARIABLE_SCALAR || v->kind == VARIABLE_ITERATOR) {
      v->value = *values++, v->wide = 0;
    } else if (v->kind == VARIABLE_ELEMENTS) {
      v->value = *values++;
      for (uint32_t k = 0; k < count_lengths(v, &list->data[i]); k++) v->length[k] = *values++;
    }
  }
}

Snapshot c_snapshot(const Lower *l) {
  uint32_t count = l->variables.count;
  Variable *all = arena_array(l->arena, Variable, count + 1);
  if (count) memcpy(all, l->variables.data, count * sizeof *all);
  return (Snapshot){count, all};
}

void c_refuse_changed(Lower *l, const CNode *at, const Snapshot *before, const VariableList *but) {
  for (uint32_t i = 0; i < before->count; i++) {
    const Variable *v = &l->variables.data[i], *old = &before->variables[i];
    const Assigned *listed = NULL;
    for (uint32_t k = 0; k < but->count && !listed; k++)
      if (but->data[k].variable == i) listed = &but->data[k];
    bool changed = !listed && v->value != old->value;
    for (uint32_t k = listed ? count_lengths(v, listed) : 0; k < v->rank; k++)
      changed |= v->length[k] != old->length[k];
    if (changed)
      c_refuse(l, at, "index it by its name", "a change of %s here by another name is not read yet", v->name);
  }
}

void c_name_parts(Lower *l, const VariableList *list, ValueId first) {
  Value *values = l->p->values.data;
  for (uint32_t i = 0; i < list->count; i++) {
    const Variable *v = &l->variables.data[list->data[i].variable];
    if (v->kind != VARIABLE_SCALAR && v->kind != VARIABLE_ELEMENTS && v->kind != VARIABLE_ITERATOR) continue;
    values[first++].name = intern_text(l->p->names, v->name);
    for (uint32_t k = 0; k < count_lengths(v, &list->data[i]); k++)
      values[first++].name = intern_text(l->p->names, arena_format(l->arena, "%s_d%u", v->name, k));
  }
}

/* ---- declarations ---- */

/* The lengths that a type says, which its declaration has computed; 0 for a first one that it does not say. */
static void set_lengths(Lower *l, Variable *v) {
  const CType *type = v->type;
  uint32_t k = 0;
  while (type->kind == CTYPE_VECTOR) k++, type = type->element; /* whose lengths are parameters */
  for (; type->kind == CTYPE_ARRAY; k++, type = type->element)
    v->length[k] = k || type->count >= 0 || type->extent ? c_extent(l, v->declaration, type) : 0;
}

/* { .. }: elements without a value of their own are 0. */
static void fill_list(Lower *l, const CNode *list, Variable *v, const CType *type, ValueId *index, uint32_t depth) {
  if (list->kind != CNODE_LIST || type->kind != CTYPE_ARRAY)
    c_refuse(l, list, NULL, "this initial value of an array is not read yet");
  for (uint32_t k = 0; k < list->count; k++) {
    const CNode *item = list->children[k];
    index[depth] = build_integer(&l->b, c_index_type(l), k);
    if (depth + 1 < v->rank) {
      fill_list(l, item, v, type->element, index, depth + 1);
    } else {
      ValueId value = c_convert(l, item, c_value(l, item), item->type, v->element);
      v->value = c_insert(l, value, v->value, v->rank, index);
    }
  }
}

/* A length that is computed is at least 1, else the declaration is undefined (C17 6.7.6.2, 5). */
static void require_elements(Lower *l, const CNode *node, const Variable *v) {
  const CType *type = v->type;
  for (uint32_t k = 0; k < v->rank; k++, type = type->element)
    if (type->count < 0)
      c_require(l, node,
                build_compare(&l->b, OP_ARITH_CMPI, "sge", v->length[k], build_integer(&l->b, c_index_type(l), 1)),
                arena_format(l->arena, "%s has an element", v->name));
}

static void declare_array(Lower *l, const CNode *node) {
  uint32_t freed = node->type->is_allocated ? 1 + c_new_flag(l, "freed", false) : 0;
  uint32_t i = c_declare(l, node, VARIABLE_ELEMENTS);
  Variable v = l->variables.data[i];
  const CNode *initial = node->children[0];
  ValueId index[C_MAX_RANK];
  v.is_fixed = true, v.freed = freed;
  v.value = build_op(&l->b, OP_ARRAY_EMPTY, 0, NULL, 1, &(TypeId){c_array_type(l, node, v.element, v.rank)});
  if (node->type->is_allocated) c_assume(l, node, "memory is allocated where it is asked for");
  c_note_extents(l, node->type);
  set_lengths(l, &v);
  for (uint32_t k = 0; k < v.rank; k++)
    if (!v.length[k]) c_refuse(l, node, NULL, "this array has no length");
  if (!node->type->is_allocated) require_elements(l, node, &v);
  if (initial) {
    TypeId element = c_type(l, node, v.element), type = c_array_type(l, node, v.element, v.rank);
    v.value = v.element->kind == CTYPE_FLOAT ? build_real(&l->b, element, 0) : build_integer(&l->b, element, 0);
    for (uint32_t k = 1; k <= v.rank; k++)
      v.value = build_unary(&l->b, OP_ARRAY_FILL, v.value, program_type_array(l->p, element, k));
    (void)type;
    fill_list(l, initial, &v, v.type, index, 0);
  }
  l->variables.data[i] = v;
}

static void declare(Lower *l, const CNode *node) {
  const CNode *initial = node->children[0];
  c_at(l, node);
  if (node->op) return; /* a static one is as a global */
  if (node->type->is_reference && initial) {
    Place place = c_place(l, initial);
    if (place.kind == PLACE_VARIABLE && l->variables.data[place.variable].kind == VARIABLE_SCALAR &&
        node->type->is_const) {
      /* a constant reference to a number that may change: not the number of now */
    }
    uint32_t i = c_declare(l, node, VARIABLE_ALIAS);
    l->variables.data[i].alias = place;
    return;
  }
  if (node->type->kind == CTYPE_ARRAY) {
    declare_array(l, node);
  } else if (node->type->kind == CTYPE_VECTOR) {
    uint32_t i = c_declare(l, node, VARIABLE_ELEMENTS);
    Variable v = l->variables.data[i];
    c_vector_initial(l, initial, &v);
    l->variables.data[i] = v;
  } else if (initial && initial->kind == CNODE_LAMBDA) {
    return; /* its calls know it */
  } else if (initial && node->type->kind == CTYPE_POINTER && c_points_into(l, initial)) {
    Iterator it = c_iterator(l, initial);
    uint32_t i = c_declare(l, node, VARIABLE_ITERATOR);
    c_set_iterator(l, node, i, &it);
  } else {
    c_type(l, node, node->type); /* or it is refused */
    c_note_extents(l, node->type);
    ValueId value = initial ? c_convert(l, node, c_value(l, initial), initial->type, node->type) : 0;
    uint32_t i = c_declare(l, node, VARIABLE_SCALAR);
    l->variables.data[i].value = value;
  }
}

/* ---- statements ---- */

/* True if there is such a statement below, for which no inner loop (or, for `break`, switch) is meant. */
static bool leaves_by(const CNode *node, CNodeKind kind) {
  if (!node) return false;
  if (node->kind == kind) return true;
  if (kind != CNODE_RETURN && (c_is_loop(node) || (node->kind == CNODE_SWITCH && kind == CNODE_BREAK))) return false;
  for (uint32_t i = 0; i < node->count; i++)
    if (leaves_by(node->children[i], kind)) return true;
  return false;
}

bool c_breaks(const CNode *node) { return leaves_by(node, CNODE_BREAK); }
bool c_returns(const CNode *node) { return leaves_by(node, CNODE_RETURN); }

static bool returns_in_loop(const CNode *node) {
  if (!node) return false;
  if (c_is_loop(node)) return c_returns(node);
  for (uint32_t i = 0; i < node->count; i++)
    if (returns_in_loop(node->children[i])) return true;
  return false;
}

/* True if the statements that follow it in a list may be skipped. */
static bool leaves(const CNode *node) {
  return leaves_by(node, CNODE_BREAK) || leaves_by(node, CNODE_CONTINUE) || leaves_by(node, CNODE_RETURN);
}

/* True if what follows it is never done. */
static bool leaves_always(const CNode *node) {
  if (!node) return false;
  if (node->kind == CNODE_RETURN || node->kind == CNODE_BREAK) return true;
  if (node->kind == CNODE_COMPOUND && node->count) return leaves_always(node->children[node->count - 1]);
  return node->kind == CNODE_IF && leaves_always(node->children[1]) && leaves_always(node->children[2]);
}

typedef struct Rest {
  CNode *const *list;
  uint32_t count;
} Rest; /* the statements that follow */

/* One list behind the other. */
static Rest behind(Lower *l, CNode *const *first, uint32_t count, Rest rest) {
  CNode **all = arena_array(l->arena, CNode *, count + rest.count + 1);
  if (count) memcpy(all, first, count * sizeof *all);
  if (rest.count) memcpy(all + count, rest.list, rest.count * sizeof *all);
  return (Rest){all, count + rest.count};
}

static CNode *mark(Lower *l, CNodeKind of) {
  CNode *node = arena_new(l->arena, CNode);
  node->kind = CNODE_MARK, node->op = (int)of;
  return node;
}

/* scf.if, in which each arm is such a list. */
static void choose_list(Lower *l, const CNode *at, ValueId condition, const Rest arms[2]) {
  Builder *b = &l->b;
  VariableList assigned = {0};
  for (uint32_t k = 0; k < 2; k++)
    for (uint32_t i = 0; i < arms[k].count; i++) c_find_assigned(l, arms[k].list[i], &assigned);
  uint32_t n = c_count_parts(l, &assigned);
  ValueId *before = arena_array(l->arena, ValueId, n + 1), *after = arena_array(l->arena, ValueId, n + 1);
  TypeId *types = arena_array(l->arena, TypeId, n + 1);
  c_at(l, at);
  c_get_parts(l, at, &assigned, before);
  for (uint32_t i = 0; i < n; i++) types[i] = program_get_value(l->p, before[i])->type;
  OpId op = build_open(b, OP_SCF_IF);
  BlockId outer = b->block;
  RegionId regions[2];
  for (uint32_t i = 0; i < 2; i++) {
    uint32_t scope = l->variables.count;
    b->block = build_block(b, op, 0, NULL);
    regions[i] = program_get_block(l->p, b->block)->region;
    c_set_parts(l, &assigned, before);
    c_list(l, arms[i].list, arms[i].count);
    l->variables.count = scope;
    c_get_parts(l, at, &assigned, after);
    build_op(b, OP_SCF_YIELD, n, after, 0, NULL);
  }
  b->block = outer;
  ValueId first = build_close(b, op, 1, &condition, n, types, 2, regions);
  c_name_parts(l, &assigned, first);
  for (uint32_t i = 0; i < n; i++) after[i] = first + i;
  c_set_parts(l, &assigned, after);
}

void c_list_if(Lower *l, const CNode *at, ValueId condition, CNode *const *list, uint32_t count) {
  choose_list(l, at, condition, (Rest[]){{list, count}, {NULL, 0}});
}

void c_choose(Lower *l, const CNode *at, ValueId condition, CNode *yes, CNode *no) {
  choose_list(l, at, condition, (Rest[]){{&yes, yes != NULL}, {&no, no != NULL}});
}

static void c_if(Lower *l, const CNode *node, Rest rest) {
  Rest arms[2];
  ValueId condition = c_condition(l, node->children[0]);
  for (uint32_t i = 0; i < 2; i++) arms[i] = behind(l, node->children + 1 + i, node->children[1 + i] != NULL, rest);
  choose_list(l, node, condition, arms);
}

/* ---- switch ---- */

typedef struct Cases {
  Array(CNode *) statements; /* of the whole body, without labels */
  Array(CNode *) labels;     /* values; NULL: default */
  Array(uint32_t) starts;    /* of each label: its place in `statements` */
} Cases;

static void find_cases(Lower *l, CNode *node, Cases *c) {
  while (node->kind == CNODE_CASE) {
    array_push(l->arena, &c->labels, node->children[0]);
    array_push(l->arena, &c->starts, c->statements.count);
    node = node->children[1];
    if (!node) return;
  }
  array_push(l->arena, &c->statements, node);
}

/* The labels from the k-th on: those of one place are one condition, under which all from there on is done, up to a
 * break; the default comes last. */
static void choose_case(Lower *l, const CNode *node, ValueId value, const Cases *c, uint32_t k, Rest end) {
  TypeId boolean = program_type_int(l->p, 1);
  ValueId is = 0;
  uint32_t start = 0, next = k;
  for (; next < c->labels.count && (!is || c->starts.data[next] == start); next++) {
    const CNode *label = c->labels.data[next];
    if (!label) continue;
    ValueId own = build_compare(&l->b, OP_ARITH_CMPI, "eq", value,
                                c_convert(l, label, c_value(l, label), label->type, node->children[0]->type));
    start = c->starts.data[next];
    is = is ? build_binary(&l->b, OP_ARITH_ORI, is, own, boolean) : own;
  }
  Rest otherwise = end;
  if (!is) {
    for (uint32_t i = 0; i < c->labels.count; i++)
      if (!c->labels.data[i])
        otherwise = behind(l, c->statements.data + c->starts.data[i], c->statements.count - c->starts.data[i], end);
    c_list(l, otherwise.list, otherwise.count);
    return;
  }
  CNode *others = arena_new(l->arena, CNode); /* the labels that are left, as a statement */
  *others = *node;
  others->op = (int)next, others->integer = (int64_t)value;
  Rest arms[] = {behind(l, c->statements.data + start, c->statements.count - start, end),
                 behind(l, &others, 1, (Rest){end.list + 1, end.count - 1})};
  choose_list(l, node, is, arms);
}

/* op: the first label to look at; integer: the value, from the second time on. */
static void c_switch(Lower *l, const CNode *node, Rest rest) {
  Cases cases = {0};
  CNode *body = node->children[1], *end = mark(l, CNODE_BREAK);
  if (body->kind != CNODE_COMPOUND) c_refuse(l, node, NULL, "a switch without braces is not read");
  for (uint32_t i = 0; i < body->count; i++) find_cases(l, body->children[i], &cases);
  ValueId value = node->integer ? (ValueId)node->integer : c_value(l, node->children[0]);
  choose_case(l, node, value, &cases, (uint32_t)node->op, behind(l, &end, 1, rest));
}

static void c_return(Lower *l, const CNode *node) {
  const CNode *value = node->children[0];
  if (!value || !l->result_count) return;
  if (l->function->type->kind == CTYPE_STRUCT) {
    ValueId *values = arena_array(l->arena, ValueId, node->count);
    for (uint32_t i = 0; i < node->count; i++) {
      const CNode *field = node->children[i];
      Place to = {.kind = PLACE_VARIABLE, .variable = l->result + i, .type = l->function->members[i]->type};
      if (to.type->kind == CTYPE_VECTOR)
        c_set_vector(l, node, &to, field);
      else
        values[i] = c_convert(l, node, c_value(l, field), field->type, to.type);
    }
    for (uint32_t i = 0; i < node->count; i++)
      if (values[i]) l->variables.data[l->result + i].value = values[i];
    return;
  }
  if (l->function->type->kind == CTYPE_VECTOR) {
    Place to = {.kind = PLACE_VARIABLE, .variable = l->result, .type = l->function->type};
    c_set_vector(l, node, &to, value);
    return;
  }
  if (l->function->type->kind == CTYPE_POINTER && c_points_into(l, value)) {
    Iterator it = c_iterator(l, value);
    if (l->function == l->top)
      c_refuse(l, node, "let the caller pass the memory", "memory of the function's own that is returned");
    if (l->b.block != l->call_block)
      c_refuse(l, node, "return it at the end", "a pointer that is returned from within");
    l->variables.data[l->result].kind = VARIABLE_ITERATOR;
    c_set_iterator(l, node, l->result, &it);
    return;
  }
  ValueId v = c_convert(l, node, c_value(l, value), value->type, l->function->type);
  l->variables.data[l->result].value = v;
}

void c_statement(Lower *l, const CNode *node) {
  guard_tick(l->arena->guard);
  c_at(l, node);
  switch (node->kind) {
  case CNODE_COMPOUND: {
    uint32_t scope = l->variables.count;
    c_list(l, node->children, node->count);
    l->variables.count = scope;
    return;
  }
  case CNODE_DECLARE:
    for (uint32_t i = 0; i < node->count; i++)
      if (node->children[i]->kind == CNODE_VARIABLE)
        declare(l, node->children[i]);
      else
        c_statement(l, node->children[i]);
    return;
  case CNODE_IF: c_if(l, node, (Rest){0}); return;
  case CNODE_FOR: c_for(l, node); return;
  case CNODE_WHILE: c_while(l, node); return;
  case CNODE_EACH: c_each(l, node); return;
  case CNODE_SWITCH: c_switch(l, node, (Rest){0}); return;
  case CNODE_DO: c_do(l, node); return;
  case CNODE_EMPTY:
  case CNODE_MARK: return;
  case CNODE_RETURN:
  case CNODE_BREAK:
  case CNODE_CONTINUE: c_list(l, &(CNode *){(CNode *)node}, 1); return;
  case CNODE_CASE: c_refuse(l, node, NULL, "a label inside of a statement is not read");
  case CNODE_LABEL: c_statement(l, node->children[0]); return;
  case CNODE_GOTO: c_refuse(l, node, "write a loop", "a goto back, into a block or past a break is not read yet");
  case CNODE_UNKNOWN: c_refuse(l, node, "for, while and if are read", "%s is not read yet", node->name);
  case CNODE_INTEGER:
  case CNODE_REAL:
  case CNODE_NAME:
  case CNODE_UNARY:
  case CNODE_BINARY:
  case CNODE_SUBSCRIPT:
  case CNODE_CONDITIONAL:
  case CNODE_CAST:
  case CNODE_CALL:
  case CNODE_METHOD:
  case CNODE_CONSTRUCT:
  case CNODE_LAMBDA:
  case CNODE_MOVE:
  case CNODE_LIST: c_effect(l, node); return;
  case CNODE_UNPACK: c_unpack(l, node); return;
  case CNODE_NOT_NULL: return;
  case CNODE_TEXT: return;
  case CNODE_MEMBER:
  case CNODE_DESIGNATE:
  case CNODE_VARIABLE:
  case CNODE_FUNCTION: break;
  }
  c_refuse(l, node, NULL, "this is no statement");
}

/* Behind the mark at which the statement goes on: 0 is none in the list. */
static uint32_t find_mark(CNode *const *list, uint32_t count, CNodeKind of) {
  for (uint32_t i = 0; i < count; i++)
    if (list[i]->kind == CNODE_MARK && list[i]->op == (int)of) return i + 1;
  return 0;
}

static void set_flag(Lower *l, uint32_t flag, bool value) {
  if (flag != NO_VARIABLE) l->variables.data[flag].value = build_integer(&l->b, program_type_int(l->p, 1), value);
}

static ValueId not_returned(Lower *l) {
  TypeId boolean = program_type_int(l->p, 1);
  return build_binary(&l->b, OP_ARITH_XORI, l->variables.data[l->returned].value, build_integer(&l->b, boolean, 1),
                      boolean);
}

/* for (start; c; step) { if (q) { a; break; } b } as start; for (; c && !q; step) b   if (c) { a }: what the loop looks
 * for is its own condition. Only where neither condition has an effect, and the loop fills no array. */
static bool rotate(Lower *l, const CNode *node, Rest rest, Rest *out) {
  bool is_for = node->kind == CNODE_FOR;
  if (!is_for && node->kind != CNODE_WHILE) return false;
  const CNode *condition = node->children[is_for], *body = node->children[is_for ? 3 : 1];
  Rest all = {&node->children[is_for ? 3 : 1], 1};
  while (all.count && all.list[0]->kind == CNODE_COMPOUND)
    all = behind(l, all.list[0]->children, all.list[0]->count, (Rest){all.list + 1, all.count - 1});
  const CNode *test = all.count ? all.list[0] : NULL;
  if (!condition || !test || test->kind != CNODE_IF || test->children[2] || !leaves_always(test->children[1]) ||
      leaves_by(test->children[1], CNODE_CONTINUE) || c_has_effect(condition) || c_has_effect(test->children[0]))
    return false;
  (void)body;
  CNode *parts = arena_array(l->arena, CNode, 5), **of = arena_array(l->arena, CNode *, 12);
  for (int i = 0; i < 5; i++) parts[i] = *test, parts[i].type = &boolean_type;
  parts[0].kind = CNODE_UNARY, parts[0].op = CUNARY_NOT, parts[0].children = of, parts[0].count = 1;
  of[0] = test->children[0];
  parts[1].kind = CNODE_BINARY, parts[1].op = CBINARY_ALL, parts[1].children = of + 1, parts[1].count = 2;
  of[1] = (CNode *)condition, of[2] = &parts[0];
  parts[2].kind = CNODE_COMPOUND, parts[2].children = (CNode **)all.list + 1, parts[2].count = all.count - 1;
  parts[3] = *node, parts[3].children = of + 3;
  of[3] = of[4] = of[5] = of[6] = NULL;
  of[3 + is_for] = &parts[1], of[is_for ? 6 : 4] = &parts[2];
  if (is_for) of[5] = node->children[2];
  parts[4] = *test, parts[4].children = of + 7;
  of[7] = (CNode *)condition, of[8] = test->children[1], of[9] = NULL;
  CNode *list[] = {is_for ? node->children[0] : NULL, &parts[3], &parts[4], mark(l, CNODE_BREAK)};
  uint32_t none = list[0] ? 0 : 1;
  *out = behind(l, list + none, 4 - none, rest);
  return true;
}

/* A statement that may leave the list takes what follows with it, into each of its arms. */
void c_list(Lower *l, CNode *const *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const CNode *node = list[i];
    Rest rest = {list + i + 1, count - i - 1};
    c_at(l, node);
    if (node->kind == CNODE_RETURN) {
      c_return(l, node);
      set_flag(l, l->returned, true);
      return;
    }
    if (node->kind == CNODE_BREAK || node->kind == CNODE_CONTINUE) {
      uint32_t at = find_mark(rest.list, rest.count, node->kind);
      if (!at && node->kind == CNODE_BREAK) set_flag(l, l->going, false);
      if (!at) return;
      i += at;
      continue;
    }
    if (node->kind == CNODE_IF && c_ends_program(node->children[2]) && !c_ends_program(node->children[1])) {
      c_require(l, node, c_condition(l, node->children[0]), c_text(l, node->children[0]));
      Rest all = behind(l, node->children + 1, 1, rest);
      c_list(l, all.list, all.count);
      return;
    }
    if (node->kind == CNODE_IF && c_ends_program(node->children[1])) { /* that it does not is relied on */
      ValueId ends = c_condition(l, node->children[0]), one = build_integer(&l->b, program_type_int(l->p, 1), 1);
      ends = build_binary(&l->b, OP_ARITH_XORI, ends, one, program_type_int(l->p, 1));
      c_require(l, node, ends, arena_format(l->arena, "not (%s)", c_text(l, node->children[0])));
      Rest all = behind(l, node->children + 2, node->children[2] != NULL, rest);
      c_list(l, all.list, all.count);
      return;
    }
    Rest other;
    if (c_runs_once(node)) {
      CNode *parts[] = {node->children[0], node->children[3], node->children[2]};
      Rest all = behind(l, parts, 3, rest);
      c_list(l, all.list, all.count);
      return;
    }
    if (rotate(l, node, rest, &other)) {
      c_list(l, other.list, other.count);
      return;
    }
    if (!leaves(node)) {
      c_statement(l, node);
    } else if (node->kind == CNODE_COMPOUND) {
      Rest all = behind(l, node->children, node->count, rest);
      c_list(l, all.list, all.count);
      return;
    } else if (node->kind == CNODE_IF) {
      c_if(l, node, rest);
      return;
    } else if (node->kind == CNODE_SWITCH) {
      c_switch(l, node, rest);
      return;
    } else { /* a loop that may return */
      c_statement(l, node);
      if (rest.count) c_list_if(l, node, not_returned(l), rest.list, rest.count);
      return;
    }
  }
}

/* ---- calls ---- */

const CNode *c_body_of(const CNode *call) {
  const CNode *f = call->target;
  return f && f->kind == CNODE_FUNCTION && f->op != CFUNCTION_OPAQUE ? f->children[f->count - 1] : NULL;
}

/* A pointer to a variable or to an array of the function's own is another name of it, one to memory an address. */
static void bind_pointer(Lower *l, const CNode *parameter, const CNode *argument) {
  if (argument->kind == CNODE_CAST && argument->type->kind == CTYPE_POINTER &&
      argument->type->element->kind == CTYPE_VOID)
    argument = argument->children[0]; /* the parameter is what its function takes it for */
  const CNode *object = argument;
  if (parameter->type->kind == CTYPE_POINTER && c_points_into(l, argument)) {
    Iterator it = c_iterator(l, argument);
    uint32_t own = c_declare(l, parameter, VARIABLE_ITERATOR);
    c_set_iterator(l, argument, own, &it);
    return;
  }
  bool is_array = parameter->type->kind == CTYPE_ARRAY;
  while (object->kind == CNODE_CAST && object->type->kind == CTYPE_POINTER) object = object->children[0];
  if (object->kind == CNODE_UNARY && object->op == CUNARY_ADDRESS) object = object->children[0];
  const CNode *root = c_root(object);
  if (root && (object != argument || object->type->kind != CTYPE_POINTER)) {
    Place place = {.kind = PLACE_ADDRESS};
    const Variable *v = &l->variables.data[c_find(l, argument, root)];
    if (object->kind == CNODE_NAME && v->kind == VARIABLE_ALIAS && v->is_pointer)
      place = v->alias;
    else
      place = c_place(l, object);
    if (place.kind != PLACE_ADDRESS && l->variables.data[place.variable].kind != VARIABLE_MEMORY) {
      uint32_t i = c_declare(l, parameter, VARIABLE_ALIAS);
      l->variables.data[i].alias = place, l->variables.data[i].is_pointer = !is_array;
      return;
    }
  }
  ValueId value =
      is_array ? c_value(l, argument) : c_convert(l, argument, c_value(l, argument), argument->type, parameter->type);
  uint32_t i = c_declare(l, parameter, is_array ? VARIABLE_MEMORY : VARIABLE_SCALAR);
  Variable v = l->variables.data[i];
  v.value = value;
  c_note_extents(l, parameter->type);
  if (is_array) set_lengths(l, &v);
  l->variables.data[i] = v;
}

/* A lambda, or an object without fields: std::plus<int>(). */
static bool is_closure(const CNode *argument) {
  while ((argument->kind == CNODE_CONSTRUCT || argument->kind == CNODE_CAST) && argument->count == 1)
    argument = argument->children[0];
  return argument->kind == CNODE_LAMBDA || (argument->kind == CNODE_CONSTRUCT && !argument->count) ||
         (argument->kind == CNODE_LIST && !argument->count) ||
         (argument->kind == CNODE_NAME && argument->target && argument->target->kind == CNODE_VARIABLE);
}

/* A reference is another name of the argument's place; a vector or std::array by value is a copy. */
static void bind_argument(Lower *l, const CNode *parameter, const CNode *argument) {
  if (parameter->type->kind == CTYPE_OTHER && is_closure(argument)) return; /* its calls know it */
  if (parameter->type->is_reference && argument->kind == CNODE_MOVE) argument = argument->children[0];
  if (parameter->type->is_reference &&
      (argument->kind == CNODE_NAME || argument->kind == CNODE_METHOD || argument->kind == CNODE_SUBSCRIPT)) {
    Place place = c_place(l, argument);
    uint32_t i = c_declare(l, parameter, VARIABLE_ALIAS);
    l->variables.data[i].alias = place;
  } else if (parameter->type->kind == CTYPE_VECTOR || (parameter->type->is_object && !parameter->type->is_reference)) {
    uint32_t i = c_declare(l, parameter, VARIABLE_ELEMENTS);
    Variable v = l->variables.data[i];
    c_vector_initial(l, argument, &v);
    v.is_fixed = parameter->type->is_object;
    l->variables.data[i] = v;
  } else if (parameter->type->kind == CTYPE_ARRAY || parameter->type->kind == CTYPE_POINTER) {
    bind_pointer(l, parameter, argument);
  } else {
    ValueId value = c_convert(l, argument, c_value(l, argument), argument->type, parameter->type);
    uint32_t i = c_declare(l, parameter, VARIABLE_SCALAR);
    l->variables.data[i].value = value;
  }
}

/* One value that is returned: a vector is empty, and then what `return` says. */
static uint32_t declare_part(Lower *l, const CNode *declaration) {
  bool vector = declaration->type->kind == CTYPE_VECTOR;
  if (!vector) c_type(l, declaration, declaration->type); /* or it is refused */
  uint32_t i = c_declare(l, declaration, vector ? VARIABLE_ELEMENTS : VARIABLE_SCALAR);
  if (!vector) return i;
  Variable v = l->variables.data[i];
  c_make_empty(l, declaration, &v);
  l->variables.data[i] = v;
  return i;
}

static uint32_t declare_result(Lower *l, const CNode *function) {
  if (function->type->kind == CTYPE_STRUCT) {
    uint32_t first = l->variables.count;
    for (uint32_t i = 0; i < (uint32_t)function->integer; i++) declare_part(l, function->members[i]);
    return first;
  }
  CNode *declaration = arena_new(l->arena, CNode);
  *declaration = *function;
  declaration->kind = CNODE_VARIABLE, declaration->name = "result";
  return declare_part(l, declaration);
}

static uint32_t count_results(const CNode *function) {
  return function->type->kind == CTYPE_VOID     ? 0
         : function->type->kind == CTYPE_STRUCT ? (uint32_t)function->integer
                                                : 1;
}

static size_t name_length(const char *text) {
  size_t n = 0;
  while (text[n] == '_' || isalnum((unsigned char)text[n])) n++;
  return n;
}

/* True if the lambda has a copy of that variable, or may have one. Its list of captures names variables, or structs
 * that this is a field of; what is not understood there counts as a copy. */
static bool copies(const CNode *function, const char *name) {
  static const char space[] = " \t\r\n";
  bool by_default = false, by_name = false;
  for (const char *c = function->captures; c; c = *c ? c + 1 : NULL) {
    c += strspn(c, space);
    bool by_reference = *c == '&';
    c += by_reference;
    c += strspn(c, space);
    size_t n = name_length(c);
    bool names_it = n && !strncmp(name, c, n) && (!name[n] || name[n] == '_'),
         is_this = n == 4 && !memcmp(c, "this", n);
    c += n + (!n && !by_reference && *c == '='); /* [=]: what is not named is a copy */
    c += strspn(c, space);
    if (*c && *c != ',') return true;
    if (by_reference && !n) by_default = true;
    if (names_it && !by_reference && !is_this) return true;
    by_name |= names_it && (by_reference || is_this);
  }
  return !by_default && !by_name;
}

/* A lambda sees the variables around it as they are when it is called. One that took copies would see what they were:
 * so what it uses does not change, by any of its names. */
static bool changes_around(Lower *l, const CNode *declaration) {
  VariableList assigned = {0};
  uint32_t i = l->variables.count;
  while (i > 0 && l->variables.data[i - 1].declaration != declaration) i--;
  if (!i--) return false; /* of the lambda */
  if (l->variables.data[i].kind == VARIABLE_ALIAS) {
    if (l->variables.data[i].alias.kind == PLACE_ADDRESS) return true;
    i = l->variables.data[i].alias.variable;
  }
  c_find_assigned(l, l->top->children[l->top->count - 1], &assigned);
  for (uint32_t k = 0; k < assigned.count; k++)
    if (assigned.data[k].variable == i) return true;
  return false;
}

static bool is_parameter(const CNode *function, const CNode *variable) {
  for (uint32_t i = 0; i + 1 < function->count; i++)
    if (function->children[i] == variable) return true;
  return false;
}

/* Lambdas that are called inside see the copies too. */
static void check_captures(Lower *l, const CNode *call, const CNode *node, uint32_t depth) {
  if (!node || depth > MOST_CALLS) return;
  if (node->kind == CNODE_NAME && node->target && node->target->kind == CNODE_VARIABLE &&
      !is_parameter(call->target, node->target) && copies(call->target, node->name) && changes_around(l, node->target))
    c_refuse(l, call, "pass it as an argument, or capture it by reference", "a lambda with a copy of %s, which changes",
             node->name);
  if (node->kind == CNODE_CALL && node->target && node->target->op == CFUNCTION_LAMBDA)
    check_captures(l, call, c_body_of(node), depth + 1);
  for (uint32_t i = 0; i < node->count; i++) check_captures(l, call, node->children[i], depth);
}

/* The variable that holds what the call returns; what the call declared has left the scope but for it. */
static uint32_t inlined(Lower *l, const CNode *call) {
  const CNode *function = call->target, *outer = l->function;
  uint32_t result = l->result, depth = l->depth, going = l->going, returned = l->returned;
  uint32_t result_count = l->result_count;
  BlockId call_block = l->call_block;
  if (++l->depth > MOST_CALLS) c_refuse(l, call, "write it as a loop", "calls nested deeper than %d", MOST_CALLS);
  for (uint32_t i = 0; i + 1 < function->count && i < call->count; i++)
    bind_argument(l, function->children[i], call->children[i]);
  if (function->op == CFUNCTION_LAMBDA) check_captures(l, call, c_body_of(call), 0);
  l->function = function, l->result_count = count_results(function);
  l->going = NO_VARIABLE, l->call_block = l->b.block;
  l->returned =
      returns_in_loop(function->children[function->count - 1]) ? c_new_flag(l, "returned", false) : NO_VARIABLE;
  uint32_t own = l->result_count ? l->result = declare_result(l, function) : 0;
  c_check_order(l, c_body_of(call));
  c_statement(l, c_body_of(call));
  l->function = outer, l->result = result, l->result_count = result_count, l->depth = depth;
  l->going = going, l->returned = returned, l->call_block = call_block;
  return own;
}

ValueId c_inline(Lower *l, const CNode *call) {
  uint32_t scope = l->variables.count;
  if (call->type->kind == CTYPE_VECTOR) c_refuse(l, call, "give it a name", "a vector inside an expression");
  uint32_t own = inlined(l, call);
  ValueId value = call->type->kind == CTYPE_VOID ? 0 : l->variables.data[own].value;
  if (!value && call->type->kind != CTYPE_VOID) c_refuse(l, call, NULL, "%s returns no value", call->name);
  l->variables.count = scope;
  return value;
}

void c_unpack(Lower *l, const CNode *node) {
  uint32_t scope = l->variables.count, own = inlined(l, node->children[0]);
  ValueId *values = arena_array(l->arena, ValueId, node->count);
  for (uint32_t i = 1; i < node->count; i++)
    if (l->variables.data[own + i - 1].kind != VARIABLE_SCALAR)
      c_refuse(l, node, "return it by itself", "a vector in a struct that a function returns here");
    else if (!(values[i] = l->variables.data[own + i - 1].value))
      c_refuse(l, node, NULL, "%s does not return every field", node->children[0]->name);
  l->variables.count = scope;
  for (uint32_t i = 1; i < node->count; i++) {
    Place place = c_place(l, node->children[i]);
    c_write(l, node, &place, values[i]);
  }
}

Iterator c_inline_iterator(Lower *l, const CNode *call) {
  uint32_t scope = l->variables.count, own = inlined(l, call);
  const Variable *v = &l->variables.data[own];
  if (v->kind != VARIABLE_ITERATOR) c_refuse(l, call, NULL, "what %s returns points into no array", call->name);
  Iterator it = {v->alias, v->value};
  l->variables.count = scope;
  return it;
}

void c_inline_vector(Lower *l, const CNode *call, Variable *to) {
  uint32_t scope = l->variables.count, own = inlined(l, call);
  to->value = l->variables.data[own].value;
  memcpy(to->length, l->variables.data[own].length, sizeof to->length);
  l->variables.count = scope;
}

/* ---- functions ---- */

typedef struct Signature {
  Array(TypeId) types;
  Array(AttrId) attrs; /* 0: none */
  Array(const char *) names;
  Array(uint32_t) places; /* of the function's own parameters among these */
} Signature;

static bool is_taken(const Signature *s, const char *name) {
  for (uint32_t i = 0; i < s->names.count; i++)
    if (!strcmp(s->names.data[i], name)) return true;
  return false;
}

static void add_parameter(Lower *l, Signature *s, TypeId type, AttrId attrs, const char *name) {
  while (is_taken(s, name)) name = arena_format(l->arena, "%s_", name);
  array_push(l->arena, &s->types, type);
  array_push(l->arena, &s->attrs, attrs);
  array_push(l->arena, &s->names, name);
}

static void add_entry(Lower *l, Signature *s, uint32_t place, const char *key, AttrId value) {
  s->attrs.data[place] = build_entry(&l->b, s->attrs.data[place], key, value);
}

/* The number behind an array or pointer, whatever its shape. */
static const CType *innermost(const CType *type) {
  while (type->kind == CTYPE_VECTOR || type->kind == CTYPE_ARRAY || type->kind == CTYPE_POINTER) type = type->element;
  return type;
}

static AttrId sign_of(Lower *l, const CType *number) {
  return number->kind == CTYPE_INT ? build_sign(&l->b, number->is_signed) : 0;
}

/* ---- globals ---- */

enum { MOST_IN_TABLE = 64 };

typedef struct Globals {
  Array(CNode *) all;
  Array(const CNode *) visited; /* functions */
} Globals;

static void find_globals(Lower *l, const CNode *node, Globals *g) {
  if (!node) return;
  bool known = false;
  if (node->kind == CNODE_NAME && node->target && node->target->kind == CNODE_VARIABLE && node->target->op &&
      !c_is_library(node->target)) {
    for (uint32_t i = 0; i < g->all.count; i++) known |= g->all.data[i] == node->target;
    if (!known) array_push(l->arena, &g->all, (CNode *)(uintptr_t)node->target);
  }
  if (node->kind == CNODE_CALL && c_body_of(node)) {
    for (uint32_t i = 0; i < g->visited.count; i++) known |= g->visited.data[i] == node->target;
    if (!known) {
      array_push(l->arena, &g->visited, node->target);
      find_globals(l, c_body_of(node), g);
    }
  }
  for (uint32_t i = 0; i < node->count; i++) find_globals(l, node->children[i], g);
}

static bool is_changed(const CNode *node, const CNode *variable) {
  if (!node) return false;
  bool assigns = (node->kind == CNODE_BINARY && node->op >= CBINARY_ASSIGN && node->op < CBINARY_COMMA) ||
                 (node->kind == CNODE_UNARY && (node->op <= CUNARY_PRE_DEC || node->op == CUNARY_ADDRESS));
  if (assigns && c_root(node->children[0]) == variable) return true;
  if (node->kind == CNODE_CALL) /* by reference, or in its body */
    for (uint32_t i = 0; i < node->count; i++)
      if (c_root(node->children[i]) == variable) return true;
  for (uint32_t i = 0; i < node->count; i++)
    if (is_changed(node->children[i], variable)) return true;
  return false;
}

/* A constant array of few elements that the file gives: a value. Longer ones, and what may change, are arguments of
 * their own name: whatever they hold, the claim is of it. */
static bool is_table(const CNode *global) {
  int64_t count = 1;
  const CType *type = global->type;
  for (; type->kind == CTYPE_ARRAY; type = type->element)
    count = type->count >= 0 && count <= MOST_IN_TABLE ? count * type->count : MOST_IN_TABLE + 1;
  return global->children[0] && (type->is_const || global->type->is_const) && type != global->type &&
         count <= MOST_IN_TABLE;
}

/* The function with the globals that it uses as further parameters; a number that it changes lies in memory. */
static const CNode *with_globals(Lower *l, const CNode *function, Globals *g) {
  const CNode *body = function->children[function->count - 1];
  find_globals(l, body, g);
  CNode *out = arena_new(l->arena, CNode);
  *out = *function;
  out->children = arena_array(l->arena, CNode *, function->count + g->all.count);
  memcpy(out->children, function->children, function->count * sizeof *out->children);
  out->count = function->count - 1;
  for (uint32_t i = 0; i < g->all.count; i++)
    if (!is_table(g->all.data[i])) out->children[out->count++] = g->all.data[i];
  out->children[out->count++] = (CNode *)(uintptr_t)body;
  return out;
}

/* A global number, or one behind a reference, that the function, or one that it calls, may change. */
static bool lies_in_memory(Lower *l, const CNode *function, const CNode *p) {
  if ((!p->op && (!p->type->is_reference || p->type->is_const)) || !c_is_number(p->type)) return false;
  Globals called = {0};
  const CNode *body = function->children[function->count - 1];
  find_globals(l, body, &called);
  bool changed = is_changed(body, p);
  for (uint32_t i = 0; i < called.visited.count; i++)
    changed |= is_changed(called.visited.data[i]->children[called.visited.data[i]->count - 1], p);
  return changed;
}

/* The size of an axis as sums and products of parameters and numbers; 0: it is more than that. */
static AttrId size_of(Lower *l, const CNode *function, const Signature *s, const CNode *node) {
  while (node->kind == CNODE_CAST) node = node->children[0];
  if (node->kind == CNODE_INTEGER) return build_number(&l->b, node->integer);
  if (node->kind == CNODE_NAME)
    for (uint32_t i = 0; i + 1 < function->count; i++)
      if (function->children[i] == node->target) return build_text(&l->b, s->names.data[s->places.data[i]]);
  bool reads =
      node->kind == CNODE_BINARY && (node->op == CBINARY_ADD || node->op == CBINARY_SUB || node->op == CBINARY_MUL);
  AttrId a = reads ? size_of(l, function, s, node->children[0]) : 0;
  AttrId b = a ? size_of(l, function, s, node->children[1]) : 0;
  const char *op = node->op == CBINARY_ADD ? "+" : node->op == CBINARY_SUB ? "-" : "*";
  return b ? build_list(&l->b, 3, (AttrId[]){build_text(&l->b, op), a, b}) : 0;
}

/* The parameters that are vectors have the shapes of their lengths, which follow them, arrays those of their types. */
static void declare_shapes(Lower *l, const CNode *function, Signature *s) {
  for (uint32_t i = 0; i + 1 < function->count; i++) {
    const CNode *p = function->children[i];
    uint32_t place = s->places.data[i], rank = 0;
    AttrId dims[TYPE_MAX_RANK];
    bool is_vector = p->type->kind == CTYPE_VECTOR && p->type->element->kind == CTYPE_VECTOR, known = true;
    const CType *t = p->type;
    for (; t->kind == CTYPE_VECTOR && rank < TYPE_MAX_RANK; t = t->element, rank++)
      dims[rank] = build_text(&l->b, s->names.data[place + 1 + rank]);
    for (; t->kind == CTYPE_ARRAY && rank < TYPE_MAX_RANK; t = t->element, rank++) {
      AttrId dim = t->count >= 0 ? build_number(&l->b, t->count) : t->extent ? size_of(l, function, s, t->extent) : 0;
      known &= dim || t == p->type;
      dims[rank] = dim ? dim : build_unit(&l->b);
    }
    if (rank && known) add_entry(l, s, place, PROGRAM_SHAPE, build_list(&l->b, rank, dims));
    if (is_vector || p->type->is_rows) add_entry(l, s, place, PROGRAM_NESTED, build_unit(&l->b));
  }
}

static void name_parameters(Lower *l, const CNode *function, Signature *s) {
  for (uint32_t i = 0; i + 1 < function->count; i++) {
    const CNode *p = function->children[i];
    const CType *type = p->type;
    bool is_memory = type->kind == CTYPE_VECTOR || type->kind == CTYPE_POINTER || type->kind == CTYPE_ARRAY ||
                     lies_in_memory(l, function, p);
    const CType *inner = innermost(type);
    uint32_t rank = 0;
    if (!is_memory && (type->is_reference || p->op)) l->reads_behind = true;
    if (!c_is_number(inner))
      c_refuse(l, p, "integers, floats, pointers to these, arrays and std::vector are read",
               "a parameter of type %s is not read yet", type->text);
    if (type->kind == CTYPE_POINTER) c_type(l, p, type); /* no pointers to pointers */
    TypeId element = c_type(l, p, inner);
    array_push(l->arena, &s->places, s->names.count);
    add_parameter(l, s, is_memory ? program_type_pointer(l->p, element) : element, sign_of(l, inner),
                  *p->name ? p->name : arena_format(l->arena, "arg%u", i));
    const char *part = p->part ? p->part : p->op ? p->name : NULL;
    if (part) add_entry(l, s, s->places.data[i], PROGRAM_PART, build_text(&l->b, part));
    if (type->kind != CTYPE_VECTOR) continue;
    for (const CType *t = type; t->kind == CTYPE_VECTOR; t = t->element, rank++)
      add_parameter(l, s, c_index_type(l), 0, arena_format(l->arena, "%s_d%u", p->name, rank));
  }
  for (uint32_t i = 0; i < l->result_count; i++) {
    bool fields = function->type->kind == CTYPE_STRUCT;
    const CType *result = innermost(fields ? function->members[i]->type : function->type);
    add_parameter(l, s, program_type_pointer(l->p, c_type(l, function, result)), sign_of(l, result),
                  fields ? function->members[i]->name : "result");
    add_entry(l, s, s->names.count - 1, PROGRAM_RESULT, build_unit(&l->b));
  }
  declare_shapes(l, function, s);
}

/* A parameter by value that is changed is a vector of the function's own. */
static void bind_parameters(Lower *l, const CNode *function, BlockId entry) {
  ValueId at = program_get_block(l->p, entry)->first_arg;
  for (uint32_t i = 0; i + 1 < function->count; i++) {
    const CNode *p = function->children[i];
    bool is_memory = p->type->kind == CTYPE_VECTOR || p->type->kind == CTYPE_ARRAY || lies_in_memory(l, function, p);
    uint32_t declared = c_declare(l, p, is_memory ? VARIABLE_MEMORY : VARIABLE_SCALAR);
    Variable *v = &l->variables.data[declared];
    v->value = at++;
    uint32_t k = 0;
    for (const CType *t = p->type; t->kind == CTYPE_VECTOR; t = t->element) v->length[k++] = at++;
  }
  for (uint32_t i = 0; i + 1 < function->count; i++) c_note_extents(l, function->children[i]->type);
  for (uint32_t i = 0; i + 1 < function->count; i++)
    if (function->children[i]->type->is_rows)
      c_assume(l, function->children[i],
               arena_format(l->arena, "the rows of %s do not overlap", function->children[i]->name));
  for (uint32_t i = 0; i < l->variables.count; i++) {
    Variable v = l->variables.data[i];
    if (v.kind != VARIABLE_MEMORY || (v.type->kind != CTYPE_ARRAY && v.type->kind != CTYPE_VECTOR)) continue;
    set_lengths(l, &v);
    l->variables.data[i] = v;
  }
  VariableList assigned = {0};
  c_find_assigned(l, function->children[function->count - 1], &assigned);
  for (uint32_t i = 0; i < assigned.count; i++) {
    uint32_t at_own = assigned.data[i].variable;
    Variable own = l->variables.data[at_own];
    if (own.kind != VARIABLE_MEMORY || own.type->is_reference ||
        (own.type->kind != CTYPE_VECTOR && !own.type->is_object))
      continue;
    Place all = {.kind = PLACE_VARIABLE, .variable = at_own, .type = own.type};
    c_at(l, own.declaration);
    c_copy(l, own.declaration, &all, &own);
    own.kind = VARIABLE_ELEMENTS, own.is_fixed = own.type->is_object;
    l->variables.data[at_own] = own;
  }
}

/* A loop over each axis of the result, which stores its elements row by row. All rows have the length of the first. */
static void store_axis(Lower *l, const Variable *v, ValueId pointer, const ValueId *length, ValueId *index,
                       uint32_t axis) {
  Builder *b = &l->b;
  TypeId wide = c_index_type(l);
  ValueId bounds[3] = {build_integer(b, wide, 0), length[axis], build_integer(b, wide, 1)};
  OpId op = build_open(b, OP_SCF_FOR);
  BlockId outer = b->block;
  b->block = build_block(b, op, 1, &wide);
  RegionId region = program_get_block(l->p, b->block)->region;
  index[axis] = program_get_block(l->p, b->block)->first_arg;
  if (axis + 1 < v->rank) {
    ValueId own = c_extract(l, v->length[axis + 1], axis + 1, index);
    ValueId same = build_compare(b, OP_ARITH_CMPI, "eq", own, length[axis + 1]);
    build_attr_unit(b, "relied"); /* not undefined behaviour: the shape of the output rests on it */
    c_require(l, l->function, same, "the rows of what is returned have one length");
    store_axis(l, v, pointer, length, index, axis + 1);
  } else {
    TypeId type = program_get_value(l->p, pointer)->type;
    for (uint32_t k = 0; k < v->rank; k++) {
      ValueId step = index[k];
      for (uint32_t j = k + 1; j < v->rank; j++) step = build_binary(b, OP_ARITH_MULI, step, length[j], wide);
      pointer = build_binary(b, OP_TT_ADDPTR, pointer, step, type);
    }
    build_op(b, OP_TT_STORE, 2, (ValueId[]){pointer, c_extract(l, v->value, v->rank, index)}, 0, NULL);
  }
  build_op(b, OP_SCF_YIELD, 0, NULL, 0, NULL);
  b->block = outer;
  build_close(b, op, 3, bounds, 0, NULL, 1, &region);
}

static void store_result(Lower *l, uint32_t result, ValueId pointer) {
  const Variable v = l->variables.data[result];
  ValueId length[C_MAX_RANK], index[C_MAX_RANK], zeros[C_MAX_RANK];
  c_at(l, l->function);
  if (!v.rank) {
    if (!v.value) c_refuse(l, l->function, NULL, "no value is returned");
    if (v.type->kind == CTYPE_POINTER)
      c_refuse(l, l->function, NULL, "a result of type %s is not read yet", v.type->text);
    build_op(&l->b, OP_TT_STORE, 2, (ValueId[]){pointer, v.value}, 0, NULL);
    return;
  }
  for (uint32_t k = 0; k < v.rank; k++) {
    zeros[k] = build_integer(&l->b, c_index_type(l), 0);
    length[k] = c_extract(l, v.length[k], k, zeros);
  }
  store_axis(l, &v, pointer, length, index, 0);
}

static bool has_loop(const CNode *node) {
  if (!node) return false;
  if (c_is_loop(node)) return true;
  for (uint32_t i = 0; i < node->count; i++)
    if (has_loop(node->children[i])) return true;
  return false;
}

/* As in program.h: not known where parameters were structs, or where it needs variables of its file. */
static const char *signature_of(Lower *l, const CNode *function) {
  Text text = text_new(l->arena);
  for (uint32_t i = 0; i + 1 < function->count; i++) {
    const CNode *p = function->children[i];
    if (p->op) return NULL;
    bool is_array = p->type->kind == CTYPE_VECTOR || p->type->kind == CTYPE_POINTER || p->type->kind == CTYPE_ARRAY;
    text_format(&text, "%s%s%s", i ? " " : "", is_array ? "*" : "", p->name);
    if (!*p->name) text_format(&text, "arg%u", i);
  }
  return function->is_flattened ? NULL : text_string(&text);
}

static void c_body(Lower *l, const CNode *function, const Globals *globals) {
  Builder *b = &l->b;
  Program *p = l->p;
  Signature s = {0};
  l->b.block = 0;
  l->result_count = count_results(function);
  if (function->type->kind == CTYPE_ARRAY || function->type->kind == CTYPE_OTHER)
    c_refuse(l, function, NULL, "a result of type %s is not read yet", function->type->text);
  c_check_order(l, function->children[function->count - 1]);
  c_at(l, function);
  name_parameters(l, function, &s);
  b->block = program_get_region(p, program_get_op(p, p->module)->regions[0])->blocks.data[0];
  OpId op = build_open(b, OP_TT_FUNC);
  TypeId *types = arena_array(l->arena, TypeId, s.types.count + 1);
  memcpy(types, s.types.data, s.types.count * sizeof *types);
  BlockId entry = build_block(b, op, s.types.count, types);
  RegionId region = program_get_block(p, entry)->region;
  for (uint32_t i = 0; i < s.types.count; i++)
    p->values.data[program_get_block(p, entry)->first_arg + i].name = intern_text(p->names, s.names.data[i]);
  b->block = entry;
  l->going = NO_VARIABLE;
  if (l->result_count) l->result = declare_result(l, function);
  l->returned =
      returns_in_loop(function->children[function->count - 1]) ? c_new_flag(l, "returned", false) : NO_VARIABLE;
  bind_parameters(l, function, entry);
  for (uint32_t i = 0; i < globals->all.count; i++)
    if (is_table(globals->all.data[i])) declare_array(l, globals->all.data[i]);
  c_statement(l, function->children[function->count - 1]);
  for (uint32_t i = 0; i < l->result_count; i++)
    store_result(l, l->result + i, program_get_block(p, entry)->first_arg + s.types.count - l->result_count + i);
  build_op(b, OP_TT_RETURN, 0, NULL, 0, NULL);
  if (l->relied.count) build_attr(b, PROGRAM_RELIES, build_list(b, l->relied.count, l->relied.data));
  build_close(b, op, 0, NULL, 0, NULL, 1, &region);
  AttrId *attrs = arena_array(l->arena, AttrId, s.types.count + 1);
  memcpy(attrs, s.attrs.data, s.attrs.count * sizeof *attrs);
  Type signature = {.kind = TYPE_FUNCTION, .rank = s.types.count, .members = types, .member_count = s.types.count};
  array_push(l->arena, &p->functions,
             (Function){.op = op,
                        .name = intern_text(p->names, function->name),
                        .is_public = true,
                        .is_straight = !has_loop(function),
                        .signature = signature_of(l, function),
                        .type = program_type(p, &signature),
                        .arg_attrs = attrs});
}

/* An error elsewhere, such as a header that is missing, may hide what would change what this function does: that it
 * does not is an assumption. */
static void relies_on_rest(Lower *l) {
  if (!l->tree->faults.count) return;
  const CFault *first = &l->tree->faults.data[0];
  uint32_t others = l->tree->faults.count - 1;
  CNode at = {.line = first->line, .column = first->column, .file = first->file, .span = first->span};
  const char *more = others ? arena_format(l->arena, " and %u more", others) : "";
  c_assume(l, &at, arena_format(l->arena, "the error '%s'%s changes nothing here", first->text, more));
}

static void c_function(Lower *l, const CNode *source, ProgramRefusal *refusal) {
  Globals globals = {0};
  const CNode *function = with_globals(l, source, &globals);
  l->function = l->top = function;
  l->searched = 0;
  l->variables.count = l->extents.count = l->opaque.count = l->relied.count = 0;
  l->b.attrs.count = 0;
  BlockId top = program_get_region(l->p, program_get_op(l->p, l->p->module)->regions[0])->blocks.data[0];
  const uint32_t before = l->p->blocks.data[top].ops.count;
  if (source->fault) {
    c_report_fault(l->arena, l->source, l->diagnostics, source->fault);
  } else if (!setjmp(l->refused)) {
    relies_on_rest(l);
    c_body(l, function, &globals);
    return;
  }
  l->p->blocks.data[top].ops.count = before; /* it is half built */
  refusal->name = intern_text(l->p->names, function->name);
  refusal->is_straight = source->fault ? !source->fault->loops : !has_loop(function);
}

static void make_module(Lower *l) {
  Program *p = l->p;
  OpId module = build_open(&l->b, OP_BUILTIN_MODULE);
  BlockId top = build_block(&l->b, module, 0, NULL);
  build_attr_unit(&l->b, PROGRAM_HOST);
  build_close(&l->b, module, 0, NULL, 0, NULL, 1, &p->blocks.data[top].region);
  p->module = module;
}

Program *read_c(Arena *arena, InternTable *names, Source *source, const ReadOptions *options,
                DiagnosticList *diagnostics) {
  CTree *tree = c_tree_read(arena, source, options, diagnostics);
  if (!tree) return NULL;
  Lower *l = arena_new(arena, Lower);
  *l = (Lower){.arena = arena, .source = source};
  l->p = l->b.p = program_new(arena, names, source);
  make_module(l);
  l->tree = tree;
  for (uint32_t i = 0; i < tree->functions.count; i++) {
    ProgramRefusal refusal = {0};
    DiagnosticList *own = arena_new(arena, DiagnosticList);
    diagnostic_list_init(own, arena);
    l->diagnostics = own;
    c_function(l, tree->functions.data[i], &refusal);
    refusal.why = own;
    if (refusal.name) array_push(arena, &l->p->refusals, refusal);
  }
  if (l->reads_behind) build_add_attr(&l->b, l->p->module, PROGRAM_READS_BEHIND, build_unit(&l->b));
  program_note_host(l->p);
  return l->p;
}
