/* Functions, statements and scopes (see lower.h).
 *
 * A parameter of a class becomes a pointer and its lengths NAME_d0, NAME_d1, ..; what a function returns is stored
 * through one more pointer, `result`, when it ends. A `return` or `continue` in the middle of a list of statements is
 * one arm of an `if`, of which the statements that follow are the other. */
#include "read/c/read.h"

#include <stdio.h>
#include <string.h>

#include "read/c/lower.h"

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

void c_at(Lower *l, const CNode *node) {
  const char *slash, *file = node->file ? node->file : l->source->name;
  if (!node->line) return;
  slash = strrchr(file, '/');
  l->b.loc = build_loc(&l->b, slash ? slash + 1 : file, node->line, node->column);
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

static void note_assigned(Lower *l, const CNode *place, VariableList *out) {
  const CNode *root = c_root(place);
  for (uint32_t i = 0; root && i < l->variables.count; i++) {
    if (l->variables.data[i].declaration != root) continue;
    uint32_t at = l->variables.data[i].kind == VARIABLE_ALIAS ? l->variables.data[i].alias.variable : i;
    if (l->variables.data[i].kind == VARIABLE_ALIAS && l->variables.data[i].alias.kind == PLACE_ADDRESS) return;
    for (uint32_t k = 0; k < out->count; k++)
      if (out->data[k] == at) return;
    array_push(l->arena, out, at);
    return;
  }
}

static bool changes_object(const CNode *node) {
  static const char *const names[] = {"push_back", "emplace_back", "operator=", "resize",
                                      "clear",     "pop_back",     "assign"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(node->name, names[i])) return true;
  return false;
}

static bool changes_argument(const CType *type) { return type->is_reference && !type->is_const; }

void c_find_assigned(Lower *l, const CNode *node, VariableList *out) {
  if (!node) return;
  if (node->kind == CNODE_BINARY && node->op >= CBINARY_ASSIGN && node->op < CBINARY_COMMA)
    note_assigned(l, node->children[0], out);
  if (node->kind == CNODE_UNARY && node->op <= CUNARY_PRE_DEC) note_assigned(l, node->children[0], out);
  if (node->kind == CNODE_METHOD && changes_object(node)) note_assigned(l, node->children[0], out);
  if (node->kind == CNODE_CALL && c_body_of(node)) /* what the function may change */
    for (uint32_t i = 0; i < node->count; i++)
      if (changes_argument(node->target->children[i]->type)) note_assigned(l, node->children[i], out);
  if (node->kind == CNODE_EACH && changes_argument(node->children[0]->type)) note_assigned(l, node->children[1], out);
  if (node->kind == CNODE_RETURN && l->has_result) {
    bool known = false;
    for (uint32_t k = 0; k < out->count; k++) known |= out->data[k] == l->result;
    if (!known) array_push(l->arena, out, l->result);
  }
  for (uint32_t i = 0; i < node->count; i++) c_find_assigned(l, node->children[i], out);
}

uint32_t c_count_parts(Lower *l, const VariableList *list) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    const Variable *v = &l->variables.data[list->data[i]];
    n += v->kind == VARIABLE_SCALAR ? 1 : v->kind == VARIABLE_ELEMENTS ? 1 + (v->is_fixed ? 0 : v->rank) : 0;
  }
  return n;
}

uint32_t c_get_parts(Lower *l, const CNode *at, const VariableList *list, ValueId *out) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    Variable *v = &l->variables.data[list->data[i]];
    if (v->kind == VARIABLE_SCALAR) {
      if (!v->value) {
        TypeId type = c_type(l, at, v->type);
        v->value = build_op(&l->b, OP_UB_POISON, 0, NULL, 1, &type);
      }
      out[n++] = v->value;
    } else if (v->kind == VARIABLE_ELEMENTS) {
      out[n++] = v->value;
      for (uint32_t k = 0; k < v->rank && !v->is_fixed; k++) out[n++] = v->length[k];
    }
  }
  return n;
}

void c_set_parts(Lower *l, const VariableList *list, const ValueId *values) {
  for (uint32_t i = 0; i < list->count; i++) {
    Variable *v = &l->variables.data[list->data[i]];
    if (v->kind == VARIABLE_SCALAR) {
      v->value = *values++, v->wide = 0;
    } else if (v->kind == VARIABLE_ELEMENTS) {
      v->value = *values++;
      for (uint32_t k = 0; k < v->rank && !v->is_fixed; k++) v->length[k] = *values++;
    }
  }
}

void c_name_parts(Lower *l, const VariableList *list, ValueId first) {
  Value *values = l->p->values.data;
  for (uint32_t i = 0; i < list->count; i++) {
    const Variable *v = &l->variables.data[list->data[i]];
    if (v->kind != VARIABLE_SCALAR && v->kind != VARIABLE_ELEMENTS) continue;
    values[first++].name = intern_text(l->p->names, v->name);
    for (uint32_t k = 0; v->kind == VARIABLE_ELEMENTS && k < v->rank && !v->is_fixed; k++)
      values[first++].name = intern_text(l->p->names, arena_format(l->arena, "%s_d%u", v->name, k));
  }
}

/* ---- declarations ---- */

static void declare_array(Lower *l, const CNode *node) {
  uint32_t i = c_declare(l, node, VARIABLE_ELEMENTS);
  Variable v = l->variables.data[i];
  const CNode *initial = node->children[0];
  const CType *type = node->type;
  c_note_extents(l, type);
  v.is_fixed = true;
  v.value = build_op(&l->b, OP_ARRAY_EMPTY, 0, NULL, 1, &(TypeId){c_array_type(l, node, v.element, v.rank)});
  for (uint32_t k = 0; k < v.rank; k++, type = type->element) {
    v.length[k] = c_extent(l, node, type);
  }
  if (initial && (initial->kind != CNODE_LIST || v.rank != 1))
    c_refuse(l, initial, NULL, "this initial value of an array is not read yet");
  if (initial) { /* elements without a value of their own are 0 */
    TypeId element = c_type(l, node, v.element);
    ValueId zero = v.element->kind == CTYPE_FLOAT ? build_real(&l->b, element, 0) : build_integer(&l->b, element, 0);
    v.value = build_unary(&l->b, OP_ARRAY_FILL, zero, program_get_value(l->p, v.value)->type);
    for (uint32_t k = 0; k < initial->count; k++) {
      const CNode *item = initial->children[k];
      ValueId value = c_convert(l, item, c_value(l, item), item->type, v.element);
      v.value = c_insert(l, value, v.value, 1, &(ValueId){build_integer(&l->b, c_index_type(l), k)});
    }
  }
  l->variables.data[i] = v;
}

static void declare(Lower *l, const CNode *node) {
  if (node->kind != CNODE_VARIABLE) c_refuse(l, node, NULL, "this declaration is not read yet");
  const CNode *initial = node->children[0];
  c_at(l, node);
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
  } else {
    c_type(l, node, node->type); /* or it is refused */
    c_note_extents(l, node->type);
    ValueId value = initial ? c_convert(l, node, c_value(l, initial), initial->type, node->type) : 0;
    uint32_t i = c_declare(l, node, VARIABLE_SCALAR);
    l->variables.data[i].value = value;
  }
}

/* ---- statements ---- */

static bool returns_somewhere(const CNode *node) {
  if (!node) return false;
  if (node->kind == CNODE_RETURN) return true;
  for (uint32_t i = 0; i < node->count; i++)
    if (returns_somewhere(node->children[i])) return true;
  return false;
}

static bool is_loop(const CNode *node) {
  return node->kind == CNODE_FOR || node->kind == CNODE_WHILE || node->kind == CNODE_DO || node->kind == CNODE_EACH;
}

/* A return, or a `continue` of the loop that the node stands in. */
static bool leaves_somewhere(const CNode *node) {
  if (!node) return false;
  if (node->kind == CNODE_CONTINUE) return true;
  if (is_loop(node)) return returns_somewhere(node);
  if (node->kind == CNODE_RETURN) return true;
  for (uint32_t i = 0; i < node->count; i++)
    if (leaves_somewhere(node->children[i])) return true;
  return false;
}

/* Does it leave on every way? */
static bool leaves_always(const CNode *node) {
  if (!node) return false;
  if (node->kind == CNODE_RETURN || node->kind == CNODE_CONTINUE) return true;
  if (node->kind == CNODE_COMPOUND && node->count) return leaves_always(node->children[node->count - 1]);
  return node->kind == CNODE_IF && leaves_always(node->children[1]) && leaves_always(node->children[2]);
}

static void c_list(Lower *l, CNode *const *list, uint32_t count);

typedef struct Rest {
  CNode *const *list;
  uint32_t count;
} Rest; /* the statements that follow an arm that does not leave */

static void c_arm(Lower *l, const CNode *arm, Rest rest) {
  uint32_t scope = l->variables.count;
  CNode **all = arena_array(l->arena, CNode *, rest.count + 1);
  if (leaves_always(arm)) rest.count = 0;
  if (arm) all[0] = (CNode *)arm;
  if (rest.count) memcpy(all + (arm != NULL), rest.list, rest.count * sizeof *all);
  c_list(l, all, rest.count + (arm != NULL));
  l->variables.count = scope;
}

static void c_if(Lower *l, const CNode *node, Rest rest) {
  Builder *b = &l->b;
  VariableList assigned = {0};
  c_find_assigned(l, node, &assigned);
  for (uint32_t i = 0; i < rest.count; i++) c_find_assigned(l, rest.list[i], &assigned);
  ValueId condition = c_condition(l, node->children[0]);
  uint32_t n = c_count_parts(l, &assigned);
  ValueId *before = arena_array(l->arena, ValueId, n + 1), *after = arena_array(l->arena, ValueId, n + 1);
  TypeId *types = arena_array(l->arena, TypeId, n + 1);
  c_at(l, node);
  c_get_parts(l, node, &assigned, before);
  for (uint32_t i = 0; i < n; i++) types[i] = program_get_value(l->p, before[i])->type;
  OpId op = build_open(b, OP_SCF_IF);
  BlockId outer = b->block;
  RegionId regions[2];
  for (uint32_t i = 0; i < 2; i++) {
    b->block = build_block(b, op, 0, NULL);
    regions[i] = program_get_block(l->p, b->block)->region;
    c_set_parts(l, &assigned, before);
    c_arm(l, node->children[1 + i], rest);
    c_get_parts(l, node, &assigned, after);
    build_op(b, OP_SCF_YIELD, n, after, 0, NULL);
  }
  b->block = outer;
  ValueId first = build_close(b, op, 1, &condition, n, types, 2, regions);
  c_name_parts(l, &assigned, first);
  for (uint32_t i = 0; i < n; i++) after[i] = first + i;
  c_set_parts(l, &assigned, after);
}

static void c_return(Lower *l, const CNode *node) {
  const CNode *value = node->children[0];
  if (!value || !l->has_result) return;
  if (l->function->type->kind == CTYPE_VECTOR) {
    Place to = {.kind = PLACE_VARIABLE, .variable = l->result, .type = l->function->type};
    c_set_vector(l, node, &to, value);
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
    for (uint32_t i = 0; i < node->count; i++) declare(l, node->children[i]);
    return;
  case CNODE_IF: c_if(l, node, (Rest){0}); return;
  case CNODE_FOR: c_for(l, node); return;
  case CNODE_WHILE: c_while(l, node); return;
  case CNODE_EACH: c_each(l, node); return;
  case CNODE_EMPTY:
  case CNODE_CONTINUE: return; /* what follows it in the loop is not read: c_list */
  case CNODE_RETURN: c_return(l, node); return;
  case CNODE_DO: c_do(l, node); return;
  case CNODE_BREAK: c_refuse(l, node, "put the condition into that of the loop", "a break is not read yet");
  case CNODE_UNKNOWN: c_refuse(l, node, "for, while, do and if are read", "%s is not read yet", node->name);
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
  case CNODE_LIST: c_effect(l, node); return;
  case CNODE_VARIABLE:
  case CNODE_FUNCTION: break;
  }
  c_refuse(l, node, NULL, "this is no statement");
}

static void c_list(Lower *l, CNode *const *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const CNode *node = list[i];
    bool leaves = leaves_somewhere(node);
    if (leaves && node->kind == CNODE_IF && !leaves_always(node)) {
      c_if(l, node, (Rest){list + i + 1, count - i - 1});
      return;
    }
    if (leaves && node->kind == CNODE_COMPOUND && !leaves_always(node) && i + 1 < count) {
      CNode **all = arena_array(l->arena, CNode *, node->count + count - i);
      memcpy(all, node->children, node->count * sizeof *all);
      memcpy(all + node->count, list + i + 1, (count - i - 1) * sizeof *all);
      c_list(l, all, node->count + count - i - 1);
      return;
    }
    if (leaves && is_loop(node)) c_refuse(l, node, "return behind the loop", "a return inside a loop is not read yet");
    c_statement(l, node);
    if (leaves_always(node)) return;
  }
}

/* ---- calls ---- */

enum { MOST_CALLS = 16 };

const CNode *c_body_of(const CNode *call) {
  const CNode *f = call->target;
  return f && f->kind == CNODE_FUNCTION ? f->children[f->count - 1] : NULL;
}

/* A reference is another name of the argument's place; a vector by value is a copy. */
static void bind_argument(Lower *l, const CNode *parameter, const CNode *argument) {
  if (parameter->type->is_reference &&
      (argument->kind == CNODE_NAME || argument->kind == CNODE_METHOD || argument->kind == CNODE_SUBSCRIPT)) {
    Place place = c_place(l, argument);
    uint32_t i = c_declare(l, parameter, VARIABLE_ALIAS);
    l->variables.data[i].alias = place;
  } else if (parameter->type->kind == CTYPE_VECTOR) {
    uint32_t i = c_declare(l, parameter, VARIABLE_ELEMENTS);
    Variable v = l->variables.data[i];
    c_vector_initial(l, argument, &v);
    l->variables.data[i] = v;
  } else {
    ValueId value = c_convert(l, argument, c_value(l, argument), argument->type, parameter->type);
    uint32_t i = c_declare(l, parameter, VARIABLE_SCALAR);
    l->variables.data[i].value = value;
  }
}

static uint32_t declare_result(Lower *l, const CNode *function) {
  CNode *declaration = arena_new(l->arena, CNode);
  *declaration = *function;
  declaration->kind = CNODE_VARIABLE, declaration->name = "result";
  bool vector = function->type->kind == CTYPE_VECTOR;
  uint32_t i = c_declare(l, declaration, vector ? VARIABLE_ELEMENTS : VARIABLE_SCALAR);
  if (!vector) return i;
  Variable v = l->variables.data[i];
  c_make_empty(l, function, &v);
  l->variables.data[i] = v;
  return i;
}

/* The variable that holds what the call returns; what the call declared has left the scope but for it. */
static uint32_t inlined(Lower *l, const CNode *call) {
  const CNode *function = call->target, *outer = l->function;
  uint32_t result = l->result, depth = l->depth;
  bool has_result = l->has_result;
  if (++l->depth > MOST_CALLS) c_refuse(l, call, "write it as a loop", "calls nested deeper than %d", MOST_CALLS);
  for (uint32_t i = 0; i + 1 < function->count && i < call->count; i++)
    bind_argument(l, function->children[i], call->children[i]);
  for (uint32_t i = 0; i + 1 < function->count; i++) c_note_extents(l, function->children[i]->type);
  l->function = function, l->has_result = function->type->kind != CTYPE_VOID;
  uint32_t own = l->has_result ? l->result = declare_result(l, function) : 0;
  c_statement(l, c_body_of(call));
  l->function = outer, l->result = result, l->has_result = has_result, l->depth = depth;
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

void c_inline_vector(Lower *l, const CNode *call, Variable *to) {
  uint32_t scope = l->variables.count, own = inlined(l, call);
  to->value = l->variables.data[own].value;
  memcpy(to->length, l->variables.data[own].length, sizeof to->length);
  l->variables.count = scope;
}

/* ---- functions ---- */

typedef struct Signature {
  Array(TypeId) types;
  Array(const char *) names;
} Signature;

static bool is_taken(const Signature *s, const char *name) {
  for (uint32_t i = 0; i < s->names.count; i++)
    if (!strcmp(s->names.data[i], name)) return true;
  return false;
}

static void add_parameter(Lower *l, Signature *s, TypeId type, const char *name) {
  while (is_taken(s, name)) name = arena_format(l->arena, "%s_", name);
  array_push(l->arena, &s->types, type);
  array_push(l->arena, &s->names, name);
}

/* The number behind an array or pointer, whatever its shape. */
static const CType *innermost(const CType *type) {
  while (type->kind == CTYPE_VECTOR || type->kind == CTYPE_ARRAY || type->kind == CTYPE_POINTER) type = type->element;
  return type;
}

static void name_parameters(Lower *l, const CNode *function, Signature *s) {
  for (uint32_t i = 0; i + 1 < function->count; i++) {
    const CNode *p = function->children[i];
    array_push(l->arena, &s->names, *p->name ? p->name : arena_format(l->arena, "arg%u", i));
  }
  s->names.count = 0; /* in the order of the arguments below */
  for (uint32_t i = 0; i + 1 < function->count; i++) {
    const CNode *p = function->children[i];
    const CType *type = p->type;
    bool is_memory = type->kind == CTYPE_VECTOR || type->kind == CTYPE_POINTER || type->kind == CTYPE_ARRAY;
    const CType *inner = innermost(type);
    uint32_t rank = 0;
    if (!c_is_number(inner) || (!is_memory && type->is_reference && !type->is_const))
      c_refuse(l, p, "integers, floats, pointers to these, arrays and std::vector are read",
               "a parameter of type %s is not read yet", type->text);
    if (type->kind == CTYPE_POINTER) c_type(l, p, type); /* no pointers to pointers */
    TypeId element = c_type(l, p, inner);
    add_parameter(l, s, is_memory ? program_type_pointer(l->p, element) : element,
                  *p->name ? p->name : arena_format(l->arena, "arg%u", i));
    if (type->kind != CTYPE_VECTOR) continue;
    for (const CType *t = type; t->kind == CTYPE_VECTOR; t = t->element, rank++)
      add_parameter(l, s, c_index_type(l), arena_format(l->arena, "%s_d%u", p->name, rank));
  }
  if (function->type->kind == CTYPE_VOID) return;
  add_parameter(l, s, program_type_pointer(l->p, c_type(l, function, innermost(function->type))), "result");
}

/* A parameter by value that is changed is a vector of the function's own. */
static void bind_parameters(Lower *l, const CNode *function, BlockId entry) {
  ValueId at = program_get_block(l->p, entry)->first_arg;
  for (uint32_t i = 0; i + 1 < function->count; i++) {
    const CNode *p = function->children[i];
    VariableKind kind = p->type->kind == CTYPE_VECTOR ? VARIABLE_MEMORY : VARIABLE_SCALAR;
    uint32_t declared = c_declare(l, p, kind);
    Variable *v = &l->variables.data[declared];
    v->value = at++;
    for (uint32_t k = 0; kind == VARIABLE_MEMORY && k < v->rank; k++) v->length[k] = at++;
  }
  for (uint32_t i = 0; i + 1 < function->count; i++) c_note_extents(l, function->children[i]->type);
  VariableList assigned = {0};
  c_find_assigned(l, function->children[function->count - 1], &assigned);
  for (uint32_t i = 0; i < assigned.count; i++) {
    Variable own = l->variables.data[assigned.data[i]];
    if (own.kind != VARIABLE_MEMORY || own.type->is_reference) continue;
    Place all = {.kind = PLACE_VARIABLE, .variable = assigned.data[i], .type = own.type};
    c_at(l, own.declaration);
    c_copy(l, own.declaration, &all, &own);
    own.kind = VARIABLE_ELEMENTS;
    l->variables.data[assigned.data[i]] = own;
  }
}

/* A loop over each axis of the result, which stores its elements row by row. All rows have the length of the first. */
static void store_axis(Lower *l, const Variable *v, ValueId pointer, const ValueId *length, ValueId *index,
                       uint32_t axis) {
  Builder *b = &l->b;
  TypeId wide = c_index_type(l), boolean = program_type_int(l->p, 1);
  (void)boolean;
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

static void store_result(Lower *l, ValueId pointer) {
  const Variable v = l->variables.data[l->result];
  ValueId length[C_MAX_RANK], index[C_MAX_RANK], zeros[C_MAX_RANK];
  c_at(l, l->function);
  if (!v.rank) {
    if (!v.value) c_refuse(l, l->function, NULL, "no value is returned");
    build_op(&l->b, OP_TT_STORE, 2, (ValueId[]){pointer, v.value}, 0, NULL);
    return;
  }
  for (uint32_t k = 0; k < v.rank; k++) {
    zeros[k] = build_integer(&l->b, c_index_type(l), 0);
    length[k] = c_extract(l, v.length[k], k, zeros);
  }
  store_axis(l, &v, pointer, length, index, 0);
}

static void c_body(Lower *l, const CNode *function) {
  Builder *b = &l->b;
  Program *p = l->p;
  Signature s = {0};
  l->b.block = 0;
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
  l->has_result = function->type->kind != CTYPE_VOID;
  if (l->has_result) l->result = declare_result(l, function);
  bind_parameters(l, function, entry);
  c_statement(l, function->children[function->count - 1]);
  if (l->has_result) store_result(l, program_get_block(p, entry)->first_arg + s.types.count - 1);
  build_op(b, OP_TT_RETURN, 0, NULL, 0, NULL);
  build_close(b, op, 0, NULL, 0, NULL, 1, &region);
  Type signature = {.kind = TYPE_FUNCTION, .rank = s.types.count, .members = types, .member_count = s.types.count};
  array_push(l->arena, &p->functions,
             (Function){.op = op,
                        .name = intern_text(p->names, function->name),
                        .is_public = true,
                        .type = program_type(p, &signature),
                        .arg_attrs = arena_array(l->arena, AttrId, s.types.count + 1)});
}

static void c_function(Lower *l, const CNode *function, ProgramRefusal *refusal) {
  l->function = function;
  l->variables.count = l->extents.count = 0;
  l->b.attrs.count = 0;
  BlockId top = program_get_region(l->p, program_get_op(l->p, l->p->module)->regions[0])->blocks.data[0];
  const uint32_t before = l->p->blocks.data[top].ops.count;
  if (!setjmp(l->refused)) {
    c_body(l, function);
    return;
  }
  l->p->blocks.data[top].ops.count = before; /* it is half built */
  refusal->name = intern_text(l->p->names, function->name);
}

static void make_module(Lower *l) {
  Program *p = l->p;
  OpId module = build_open(&l->b, OP_BUILTIN_MODULE);
  BlockId top = build_block(&l->b, module, 0, NULL);
  build_close(&l->b, module, 0, NULL, 0, NULL, 1, &p->blocks.data[top].region);
  p->module = module;
}

/* The parameters that are vectors have the shapes of their lengths. */
static void note_shapes(Lower *l, const CNode *function) {
  for (uint32_t i = 0; i + 1 < function->count; i++) {
    const CNode *p = function->children[i];
    ProgramShape shape = {.function = intern_text(l->p->names, function->name), .argument = p->name};
    for (const CType *t = p->type; t->kind == CTYPE_VECTOR; t = t->element)
      shape.dims[shape.rank] = arena_format(l->arena, "%s_d%u", p->name, shape.rank), shape.rank++;
    if (shape.rank) array_push(l->arena, &l->p->shapes, shape);
  }
}

Program *read_c(Arena *arena, InternTable *names, Source *source, const ReadOptions *options,
                DiagnosticList *diagnostics) {
  CTree *tree = c_tree_read(arena, source, options->arguments, options->argument_count, diagnostics);
  if (!tree) return NULL;
  Lower *l = arena_new(arena, Lower);
  *l = (Lower){.arena = arena, .source = source};
  l->p = l->b.p = program_new(arena, names, source);
  l->p->is_host = true;
  make_module(l);
  for (uint32_t i = 0; i < tree->functions.count; i++) {
    ProgramRefusal refusal = {0};
    DiagnosticList *own = arena_new(arena, DiagnosticList);
    diagnostic_list_init(own, arena);
    l->diagnostics = own;
    c_function(l, tree->functions.data[i], &refusal);
    refusal.why = own;
    if (refusal.name)
      array_push(arena, &l->p->refusals, refusal);
    else
      note_shapes(l, tree->functions.data[i]);
  }
  return l->p;
}
