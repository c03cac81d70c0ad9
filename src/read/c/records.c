/* Structs, replaced by their fields in the tree.
 *
 * A variable s of a struct becomes the variables s_x, s_y of its fields; what is s.x, p->x or a[i].x in the source is
 * then s_x, p_x or a_x[i]: an array of structs is an array for each field. A pointer that the file indexes or moves
 * points to several structs (`p_x` is a pointer), any other one to a single struct (`p_x` is a reference). Functions
 * take the fields that they use, and return all fields of a result. A pointer or reference that a function declares is
 * another name of what it points to, with an index of its own where it points into an array.
 *
 * This runs once over each function, before anything else looks at the tree; what it does not replace stays as a node
 * that is refused at its place. */
#include <stdarg.h>
#include <string.h>

#include "read/c/tree.h"

enum { MOST_INDICES = 6, MOST_DEPTH = 32 };

/* A place that is a struct, a field, or an array of these: a variable and indices into it, from the left. */
typedef struct Ref {
  CNode *variable; /* NULL: it is none */
  CNode *index[MOST_INDICES];
  uint32_t count;
  bool is_address; /* of the element, not the element itself */
} Ref;

/* A name of what a local pointer or reference stands for; `moves`: the variable that is its last index. */
typedef struct Alias {
  const CNode *declaration;
  Ref to;
  CNode *moves;
} Alias;

typedef struct Flattened {
  CNode *function;
  CNode **parameters; /* as they were */
  uint32_t count;
  bool is_done;
  bool gives_object; /* a method that ends with `return *this` */
} Flattened;

typedef struct Records {
  Arena *arena;
  CTree *tree;
  Array(Flattened *) functions;
  Array(Alias) aliases;
  Array(CNode *) declared; /* by what is flattened, at the beginning of the function */
  CNode *function;
  uint32_t depth;
} Records;

static const CType integer_type = {.kind = CTYPE_INT, .width = 64, .is_signed = true, .text = "long"};

static CNode *rewrite(Records *r, CNode *node);
static bool changes(const CNode *node, const CNode *v);
static Flattened *flatten(Records *r, const CNode *function);

/* ---- nodes ---- */

static CNode *new_node(Records *r, const CNode *at, CNodeKind kind, const CType *type, uint32_t count, ...) {
  CNode *node = arena_new(r->arena, CNode);
  guard_tick(r->arena->guard);
  *node = (CNode){.kind = kind, .type = type, .count = count, .file = at->file, .line = at->line};
  node->column = at->column, node->span = at->span, node->name = "";
  node->children = arena_array(r->arena, CNode *, count + 1);
  va_list children;
  va_start(children, count);
  for (uint32_t i = 0; i < count; i++) node->children[i] = va_arg(children, CNode *);
  va_end(children);
  return node;
}

static CNode *refused(Records *r, const CNode *at, const char *what) {
  CNode *node = new_node(r, at, CNODE_UNKNOWN, at->type, 0);
  node->name = what;
  return node;
}

static CNode *name_of(Records *r, const CNode *at, const CNode *variable) {
  CNode *node = new_node(r, at, CNODE_NAME, variable->type, 0);
  node->name = variable->name, node->target = variable;
  return node;
}

static CNode *number(Records *r, const CNode *at, const CType *type, int64_t value) {
  CNode *node = new_node(r, at, CNODE_INTEGER, type, 0);
  node->integer = value;
  return node;
}

static CNode *variable(Records *r, const CNode *at, const char *name, const CType *type, CNode *initial) {
  CNode *node = new_node(r, at, CNODE_VARIABLE, type, 1, initial);
  node->name = name;
  return node;
}

static CNode *operator(Records *r, const CNode *at, CNodeKind kind, int op, const CType *type, CNode *a, CNode *b) {
  CNode *node = new_node(r, at, kind, type, b ? 2 : 1, a, b);
  node->op = op;
  return node;
}

static CNode *assign(Records *r, const CNode *at, CNode *to, CNode *value) {
  return operator(r, at, CNODE_BINARY, CBINARY_ASSIGN, to->type, to, value);
}

/* ---- types ---- */

static bool is_struct(const CType *type) { return type && type->kind == CTYPE_STRUCT; }

/* A struct, or arrays, vectors of and pointers to structs. */
static bool has_struct(const CType *type) {
  while (type && (type->kind == CTYPE_POINTER || type->kind == CTYPE_ARRAY || type->kind == CTYPE_VECTOR))
    type = type->element;
  return is_struct(type);
}

static bool points(const CType *type) { return type->kind == CTYPE_POINTER || type->kind == CTYPE_ARRAY; }

static bool is_pointer_to_struct(const CType *type) {
  return type && type->kind == CTYPE_POINTER && is_struct(type->element);
}

static bool is_indexed(const CNode *v) { return v->integer != 0; }

/* The type of a field of a variable of that type; NULL: there is none that is read. */
static const CType *field_type(Records *r, const CType *type, const CField *field, bool indexed) {
  CType *copy = arena_new(r->arena, CType);
  if (type->kind == CTYPE_STRUCT) {
    *copy = *field->type;
    if (type->is_reference) copy->is_reference = true, copy->is_const |= type->is_const;
    return copy;
  }
  const CType *inner = field_type(r, type->element, field, false);
  if (!inner) return NULL;
  if (type->kind == CTYPE_POINTER && !indexed) {
    *copy = *inner;
    copy->is_reference = true, copy->is_const |= type->element->is_const;
    return copy;
  }
  if (inner->kind == CTYPE_POINTER) return NULL;
  *copy = *type;
  CType *element = arena_new(r->arena, CType);
  *element = *inner;
  element->is_const |= type->element->is_const;
  copy->element = element;
  if (type->kind == CTYPE_POINTER && inner->kind == CTYPE_ARRAY) copy->kind = CTYPE_ARRAY, copy->count = -1;
  return copy;
}

/* The variable of a field. NULL: it is not read. */
static CNode *member_of(Records *r, CNode *v, uint32_t k) {
  const CType *type = v->type;
  while (type->kind != CTYPE_STRUCT) type = type->element;
  const CRecord *record = type->record;
  const CField *field = &record->fields[k];
  if (!v->members) v->members = arena_array(r->arena, CNode *, record->count + 1);
  if (v->members[k]) return v->members[k];
  const CType *own = field_type(r, v->type, field, is_indexed(v));
  if (!own) return NULL;
  CNode *member = variable(r, v, arena_format(r->arena, "%s_%s", v->name, field->name), own, NULL);
  member->op = v->op;
  if (own->kind == CTYPE_POINTER)
    member->integer = v->type->kind == CTYPE_POINTER && is_indexed(v) ? 1 : field->is_indexed;
  return v->members[k] = member;
}

/* ---- references ---- */

static const CType *type_at(const Ref *ref) {
  const CType *type = ref->variable->type;
  for (uint32_t i = 0; i < ref->count; i++) type = type->element;
  return type;
}

static const Alias *alias_of(const Records *r, const CNode *declaration) {
  for (uint32_t i = r->aliases.count; i-- > 0;)
    if (r->aliases.data[i].declaration == declaration) return &r->aliases.data[i];
  return NULL;
}

static CNode *sum(Records *r, const CNode *at, CNode *a, CNode *b, int op) {
  if (op == CBINARY_ADD && a->kind == CNODE_INTEGER && !a->integer) return b;
  return operator(r, at, CNODE_BINARY, op, &integer_type, a, b);
}

/* The element of what is pointed to. */
static bool push(Records *r, const CNode *at, Ref *ref, CNode *index) {
  if (ref->is_address) {
    CNode **last = &ref->index[ref->count - 1];
    *last = sum(r, at, *last, index, CBINARY_ADD);
    ref->is_address = false;
    return true;
  }
  if (ref->count == MOST_INDICES) return false;
  ref->index[ref->count++] = index;
  return true;
}

static CNode *as_index(Records *r, CNode *index) {
  index = rewrite(r, index);
  bool is_wide = index->type && index->type->kind == CTYPE_INT && index->type->width == 64 && index->type->is_signed;
  if (is_wide || !index->type || index->type->kind != CTYPE_INT) return index;
  return operator(r, index, CNODE_CAST, 0, &integer_type, index, NULL);
}

static bool is_method(const CNode *node, const char *name, uint32_t arguments) {
  return node->kind == CNODE_METHOD && !strcmp(node->name, name) && node->count == arguments + 1;
}

static Ref resolve(Records *r, CNode *node);

/* What the pointer, array or single struct stands for, as a struct. */
static Ref pointed(Records *r, CNode *node) {
  Ref ref = resolve(r, node);
  if (!ref.variable) return ref;
  const CType *type = type_at(&ref);
  bool single = type->kind == CTYPE_STRUCT || (type->kind == CTYPE_POINTER && !ref.count && !is_indexed(ref.variable));
  if (ref.is_address)
    ref.is_address = false;
  else if (!single && !push(r, node, &ref, number(r, node, &integer_type, 0)))
    ref.variable = NULL;
  return ref;
}

static Ref resolve_moved(Records *r, CNode *node) {
  CNode *pointer = node->children[0], *by = node->children[1];
  if (!has_struct(pointer->type)) pointer = node->children[1], by = node->children[0];
  Ref ref = resolve(r, pointer);
  if (!ref.variable) return ref;
  CNode *index = as_index(r, by);
  if (node->op == CBINARY_SUB) index = sum(r, node, number(r, node, &integer_type, 0), index, CBINARY_SUB);
  if (!ref.is_address && !is_indexed(ref.variable) && type_at(&ref)->kind == CTYPE_POINTER) ref.variable = NULL;
  if (ref.variable && !push(r, node, &ref, index)) ref.variable = NULL;
  ref.is_address = true;
  return ref;
}

/* p++ and the like: its index is moved where it stands. */
static Ref resolve_step(Records *r, CNode *node) {
  CNode *of = node->children[0];
  const Alias *alias = of->kind == CNODE_NAME ? alias_of(r, of->target) : NULL;
  if (!alias || !alias->moves) return (Ref){0};
  Ref ref = alias->to;
  ref.index[ref.count - 1] = operator(r, node, CNODE_UNARY, node->op, &integer_type, name_of(r, node, alias->moves),
                                      NULL);
  return ref;
}

static Ref resolve(Records *r, CNode *node) {
  Ref ref = {0};
  guard_tick(r->arena->guard);
  switch ((int)node->kind) {
  case CNODE_NAME:
    if (!node->target || node->target->kind != CNODE_VARIABLE || !has_struct(node->target->type)) return ref;
    if (alias_of(r, node->target)) return alias_of(r, node->target)->to;
    ref.variable = (CNode *)(uintptr_t)node->target;
    return ref;
  case CNODE_CAST:
    if (!has_struct(node->type) || !has_struct(node->children[0]->type)) return ref;
    return resolve(r, node->children[0]);
  case CNODE_MEMBER:
    ref = pointed(r, node->children[0]);
    if (ref.variable) ref.variable = member_of(r, ref.variable, (uint32_t)node->op);
    return ref;
  case CNODE_SUBSCRIPT:
    ref = resolve(r, node->children[0]);
    if (!ref.variable) return ref;
    if (!ref.is_address && !is_indexed(ref.variable) && type_at(&ref)->kind == CTYPE_POINTER) return (Ref){0};
    return push(r, node, &ref, as_index(r, node->children[1])) ? ref : (Ref){0};
  case CNODE_METHOD:
    if (!is_method(node, "operator[]", 1) && !is_method(node, "at", 1) && !is_method(node, "front", 0)) return ref;
    ref = resolve(r, node->children[0]);
    if (!ref.variable) return ref;
    return push(r, node, &ref, node->count == 2 ? as_index(r, node->children[1]) : number(r, node, &integer_type, 0))
               ? ref
               : (Ref){0};
  case CNODE_UNARY:
    if (node->op == CUNARY_DEREFERENCE) return pointed(r, node->children[0]);
    if (node->op <= CUNARY_PRE_DEC) return resolve_step(r, node);
    if (node->op != CUNARY_ADDRESS) return ref;
    ref = resolve(r, node->children[0]);
    if (ref.variable && ref.count) ref.is_address = true;
    return ref;
  case CNODE_BINARY:
    if ((node->op != CBINARY_ADD && node->op != CBINARY_SUB) || !has_struct(node->type)) return ref;
    return resolve_moved(r, node);
  default: return ref; /* no place */
  }
}

/* The place as an expression. */
static CNode *build(Records *r, const CNode *at, const Ref *ref) {
  CNode *node = name_of(r, at, ref->variable);
  const CType *type = ref->variable->type;
  for (uint32_t i = 0; i < ref->count; i++) {
    bool is_vector = type->kind == CTYPE_VECTOR;
    type = type->element;
    if (!type) return refused(r, at, "this pointer to structs");
    node = new_node(r, at, is_vector ? CNODE_METHOD : CNODE_SUBSCRIPT, type, 2, node, ref->index[i]);
    if (is_vector) node->name = "operator[]";
  }
  if (!ref->is_address) return node;
  CType *pointer = arena_new(r->arena, CType);
  *pointer = (CType){.kind = CTYPE_POINTER, .element = type, .text = "pointer"};
  return operator(r, at, CNODE_UNARY, CUNARY_ADDRESS, pointer, node, NULL);
}

/* ---- values ---- */

typedef Array(CNode *) NodeList;

static bool has_effect(const CNode *node) {
  if (!node) return false;
  if (node->kind == CNODE_BINARY && node->op >= CBINARY_ASSIGN && node->op < CBINARY_COMMA) return true;
  if (node->kind == CNODE_UNARY && node->op <= CUNARY_PRE_DEC) return true;
  if (node->kind == CNODE_CALL || node->kind == CNODE_METHOD || node->kind == CNODE_UNPACK) return true;
  for (uint32_t i = 0; i < node->count; i++)
    if (has_effect(node->children[i])) return true;
  return false;
}

/* Where the index is made of what is about to change, it is that of before. */
static void fix_indices(Records *r, const CNode *at, Ref *ref, NodeList *out) {
  for (uint32_t i = 0; i < ref->count; i++) {
    if (ref->index[i]->kind == CNODE_INTEGER) continue;
    CNode *own = variable(r, at, "at", &integer_type, ref->index[i]);
    array_push(r->arena, out, new_node(r, at, CNODE_DECLARE, NULL, 1, own));
    ref->index[i] = name_of(r, at, own);
  }
}

static bool ref_has_effect(const Ref *ref) {
  for (uint32_t i = 0; i < ref->count; i++)
    if (has_effect(ref->index[i])) return true;
  return false;
}

/* The fields of a place, those of inner structs one after another. */
static bool leaves_of(Records *r, const CNode *at, const Ref *ref, NodeList *out) {
  const CType *type = ref->variable->type;
  while (type->kind != CTYPE_STRUCT) type = type->element;
  for (uint32_t k = 0; k < type->record->count; k++) {
    Ref part = *ref;
    part.variable = member_of(r, ref->variable, k);
    if (!part.variable) return false;
    if (has_struct(part.variable->type) && !is_pointer_to_struct(type->record->fields[k].type)) {
      if (!is_struct(type->record->fields[k].type) || !leaves_of(r, at, &part, out)) return false;
    } else {
      array_push(r->arena, out, build(r, at, &part));
    }
  }
  return true;
}

static const CNode *item_of(const CNode *list, const CField *field, uint32_t k) {
  for (uint32_t i = 0; i < list->count; i++) {
    const CNode *item = list->children[i];
    if (item->kind == CNODE_DESIGNATE ? !strcmp(item->name, field->name)
                                      : i == k && list->children[0]->kind != CNODE_DESIGNATE)
      return item->kind == CNODE_DESIGNATE ? item->children[0] : item;
  }
  return NULL;
}

static bool values_of(Records *r, CNode *node, const CRecord *record, NodeList *out, CNode **before);

static bool values_of_list(Records *r, CNode *node, const CRecord *record, NodeList *out, CNode **before) {
  for (uint32_t k = 0; k < record->count; k++) {
    const CField *field = &record->fields[k];
    CNode *item = (CNode *)(uintptr_t)item_of(node, field, k);
    CNode *empty = new_node(r, node, CNODE_LIST, field->type, 0);
    if (is_struct(field->type)) {
      if (!values_of(r, item ? item : empty, field->type->record, out, before)) return false;
    } else if (field->type->kind == CTYPE_ARRAY) {
      array_push(r->arena, out, item ? rewrite(r, item) : empty);
    } else if (item || field->initial) {
      array_push(r->arena, out, item ? rewrite(r, item) : c_copy_constant(r->arena, field->initial));
    } else if (field->type->kind == CTYPE_FLOAT) {
      array_push(r->arena, out, new_node(r, node, CNODE_REAL, field->type, 0));
    } else if (field->type->kind == CTYPE_INT || field->type->kind == CTYPE_BOOL) {
      array_push(r->arena, out, number(r, node, field->type, 0));
    } else {
      return false;
    }
  }
  return true;
}

static CNode *call(Records *r, CNode *node);

/* A constructor, called to make the object. */
static CNode *construct(Records *r, CNode *node, const CNode *object) {
  CNode **all = arena_array(r->arena, CNode *, node->count + 2);
  all[0] = name_of(r, node, object);
  if (node->count) memcpy(all + 1, node->children, node->count * sizeof *all);
  node->children = all, node->count++, node->type = node->target->type;
  return call(r, node);
}

static void add_declared(Records *r, CNode *v, NodeList *values, uint32_t *next, NodeList *out);

/* The fields of an object without a name. It is a variable of the whole function: what its constructor leaves as it was
 * would be that of an object made earlier. */
static bool values_of_constructor(Records *r, CNode *node, NodeList *out, CNode **before) {
  const CType *type = node->type;
  const CNode *f = node->target;
  CNode *own = variable(r, node, "made", type, NULL);
  NodeList fields = {0};
  uint32_t next = 0;
  if (*before || !f->sets_fields) return false;
  add_declared(r, own, NULL, &next, &fields);
  for (uint32_t i = 0; i < fields.count; i++) {
    if (fields.data[i]->kind != CNODE_VARIABLE || fields.data[i]->type->is_reference) return false;
    array_push(r->arena, &r->declared, fields.data[i]);
  }
  if ((*before = construct(r, node, own))->kind != CNODE_CALL) return false;
  Ref ref = {.variable = own};
  return leaves_of(r, node, &ref, out);
}

static CNode *first_before(Records *r, CNode *before, CNode *value);
static bool values_of_call(Records *r, CNode *node, NodeList *out, CNode **before);

/* Of x.f(..).g(..), where f gives x itself back: f(x, ..), which is done first, and g is called of x. NULL: the object
 * is another. */
static CNode *unchain(Records *r, CNode *node) {
  CNode *inner = node->count ? node->children[0] : NULL, *before = NULL;
  while (inner && inner->kind == CNODE_CAST) inner = inner->children[0];
  const CNode *f = inner && inner->kind == CNODE_CALL ? inner->target : NULL;
  if (!f || f->kind != CNODE_FUNCTION || !f->type->is_reference || !inner->count || !f->children[f->count - 1] ||
      !flatten(r, f)->gives_object)
    return NULL;
  NodeList values = {0};
  CNode *first = unchain(r, inner), *object = inner->children[0];
  if (!values_of_call(r, inner, &values, &before)) return refused(r, inner, "this method call");
  node->children[0] = object;
  return first ? first_before(r, first, before) : before;
}

/* Variables for what the call returns, and the call. */
static bool values_of_call(Records *r, CNode *node, NodeList *out, CNode **before) {
  const CNode *f = node->target;
  if (f && f->op == CFUNCTION_CONSTRUCTOR) return values_of_constructor(r, node, out, before);
  if (*before || !f || !f->children[f->count - 1] || f->op == CFUNCTION_OPAQUE || !flatten(r, f)->is_done) return false;
  CNode *first = unchain(r, node);
  CNode *unpack = new_node(r, node, CNODE_UNPACK, node->type, 0);
  unpack->count = 1 + (uint32_t)f->integer;
  unpack->children = arena_array(r->arena, CNode *, unpack->count + 1);
  for (uint32_t i = 0; i < f->integer; i++) {
    CNode *own =
        variable(r, node, arena_format(r->arena, "%s_%s", f->name, f->members[i]->name), f->members[i]->type, NULL);
    array_push(r->arena, &r->declared, own);
    array_push(r->arena, out, name_of(r, node, own));
    unpack->children[1 + i] = name_of(r, node, own);
  }
  unpack->children[0] = call(r, node);
  if (unpack->children[0]->kind != CNODE_CALL) return false; /* an argument is refused */
  *before = first_before(r, first, unpack);
  return true;
}

/* The fields of a value, in order; `before`: what is to be done first, or NULL. */
static bool values_of(Records *r, CNode *node, const CRecord *record, NodeList *out, CNode **before) {
  if (node->kind == CNODE_CAST && is_struct(node->type)) return values_of(r, node->children[0], record, out, before);
  bool is_seen = node->kind != CNODE_LIST && node->kind != CNODE_CONSTRUCT;
  if (!is_seen && record->is_constructed) return false; /* what its fields begin with is not what stands here */
  if (node->kind == CNODE_LIST) return values_of_list(r, node, record, out, before);
  if (node->kind == CNODE_CONSTRUCT && !node->count)
    return values_of_list(r, new_node(r, node, CNODE_LIST, node->type, 0), record, out, before);
  if (node->kind == CNODE_CALL && !strcmp(node->name, "make_pair") && node->count == 2 && record->count == 2 &&
      !has_struct(node->children[0]->type) && !has_struct(node->children[1]->type)) {
    for (uint32_t i = 0; i < 2; i++)
      array_push(r->arena,
                 out, operator(r, node, CNODE_CAST, 0, record->fields[i].type, rewrite(r, node->children[i]), NULL));
    return true;
  }
  if (node->kind == CNODE_CALL) return values_of_call(r, node, out, before);
  if (node->kind == CNODE_CONDITIONAL) {
    NodeList arms[2] = {{0}, {0}};
    CNode *condition = rewrite(r, node->children[0]), *other = NULL;
    for (uint32_t i = 0; i < 2; i++)
      if (!values_of(r, node->children[1 + i], record, &arms[i], &other) || other) return false;
    if (has_effect(condition)) return false;
    for (uint32_t i = 0; i < arms[0].count; i++)
      array_push(
          r->arena, out,
          new_node(r, node, CNODE_CONDITIONAL, arms[0].data[i]->type, 3, condition, arms[0].data[i], arms[1].data[i]));
    return true;
  }
  Ref ref = resolve(r, node);
  if (!ref.variable || ref_has_effect(&ref)) return false;
  return leaves_of(r, node, &ref, out);
}

static const CRecord *record_of(const CType *type) {
  while (type->kind != CTYPE_STRUCT) type = type->element;
  return type->record;
}

static CNode *first_before(Records *r, CNode *before, CNode *value) {
  return before ? operator(r, value, CNODE_BINARY, CBINARY_COMMA, value->type, before, value) : value;
}

/* A field of a value that is no place: f(x).y */
static CNode *member_value(Records *r, CNode *node) {
  CNode *object = node->children[0], *before = NULL;
  NodeList values = {0};
  if (!is_struct(object->type)) return NULL;
  const CRecord *record = object->type->record;
  for (uint32_t k = 0; k < record->count; k++)
    if (has_struct(record->fields[k].type)) return NULL;
  if (!values_of(r, object, record, &values, &before)) return NULL;
  return first_before(r, before, values.data[node->op]);
}

/* ---- calls ---- */

/* The fields of a parameter that its function uses, and those fields of the argument. */
static bool add_arguments(Records *r, const CNode *at, const CNode *parameter, const Ref *ref, const NodeList *values,
                          uint32_t *next, NodeList *out) {
  const CRecord *record = record_of(parameter->type);
  for (uint32_t k = 0; k < record->count; k++) {
    const CNode *member = parameter->members ? parameter->members[k] : NULL;
    bool is_inner = is_struct(record->fields[k].type);
    Ref part = ref ? *ref : (Ref){0};
    if (!ref && !is_inner && ++*next > values->count) return false;
    if (!ref && is_inner && !member) return false; /* its values are not counted */
    if (!member) continue;
    if (ref && !(part.variable = member_of(r, ref->variable, k))) return false;
    if (has_struct(member->type)) {
      if (!add_arguments(r, at, member, ref ? &part : NULL, values, next, out)) return false;
    } else {
      array_push(r->arena, out, ref ? build(r, at, &part) : values->data[*next - 1]);
    }
  }
  return true;
}

/* A value of its own, which a reference may be of: no other name of it is seen, and no write to it matters unless it is
 * to a constant. */
static bool is_temporary(const CNode *node) {
  while (node->kind == CNODE_CAST) node = node->children[0];
  if (node->kind == CNODE_CALL) return !node->target || !node->target->type->is_reference;
  return node->kind == CNODE_LIST || node->kind == CNODE_CONSTRUCT;
}

/* Structs among the arguments of the call, by the parameters that the function has now. */
static bool flatten_argument(Records *r, const CNode *parameter, CNode *argument, NodeList *out, CNode **before) {
  NodeList values = {0};
  uint32_t next = 0;
  if (!parameter->members) return true; /* it uses nothing of it */
  if (!points(parameter->type) || parameter->type->kind == CTYPE_VECTOR) {
    Ref ref = resolve(r, argument);
    if (ref.variable && !ref.is_address)
      return !ref_has_effect(&ref) && add_arguments(r, argument, parameter, &ref, NULL, &next, out);
    if (parameter->type->is_reference && !(parameter->type->is_const && is_temporary(argument))) return false;
    return is_struct(parameter->type) && values_of(r, argument, parameter->type->record, &values, before) &&
           add_arguments(r, argument, parameter, NULL, &values, &next, out);
  }
  bool several = parameter->type->kind == CTYPE_ARRAY || is_indexed(parameter);
  Ref ref = several ? resolve(r, argument) : pointed(r, argument);
  if (!ref.variable || ref_has_effect(&ref)) return false;
  if (several && !ref.is_address && !points(type_at(&ref))) return false; /* a single struct */
  return add_arguments(r, argument, parameter, &ref, NULL, &next, out);
}

static bool assigns_global(const CNode *node, uint32_t depth) {
  if (!node) return false;
  if (depth > MOST_DEPTH) return true;
  bool assigns = (node->kind == CNODE_BINARY && node->op >= CBINARY_ASSIGN && node->op < CBINARY_COMMA) ||
                 (node->kind == CNODE_UNARY && (node->op <= CUNARY_PRE_DEC || node->op == CUNARY_ADDRESS));
  const CNode *to = assigns ? node->children[0] : NULL;
  while (to && to->count && to->kind != CNODE_NAME) to = to->children[0];
  if (to && to->kind == CNODE_NAME && to->target && to->target->op) return true;
  const CNode *f = node->kind == CNODE_CALL ? node->target : NULL;
  if (f && f->kind == CNODE_FUNCTION && assigns_global(f->children[f->count - 1], depth + 1)) return true;
  for (uint32_t i = 0; i < node->count; i++)
    if (assigns_global(node->children[i], depth)) return true;
  return false;
}

/* True if the call of a function, which gives a struct, changes nothing but that. Then it matters not when it is
 * done. */
static bool is_pure(Records *r, const CNode *before) {
  if (before->kind == CNODE_BINARY) return false; /* it is done after another one */
  const CNode *call = before->kind == CNODE_UNPACK ? before->children[0] : before;
  const Flattened *f = flatten(r, call->target);
  for (uint32_t i = call->target->op == CFUNCTION_CONSTRUCTOR; i < f->count; i++) {
    const CType *type = f->parameters[i]->type;
    if (type->is_reference ? !type->is_const : type->kind != CTYPE_STRUCT && points(type) && !type->element->is_const)
      return false;
  }
  return !assigns_global(call->target->children[call->target->count - 1], 0);
}

static CNode *call(Records *r, CNode *node) {
  const CNode *f = node->target;
  bool has_body = f && f->kind == CNODE_FUNCTION && f->op != CFUNCTION_OPAQUE && f->children[f->count - 1];
  Flattened *known = has_body ? flatten(r, f) : NULL;
  NodeList out = {0};
  CNode *before = NULL;
  if (known && !known->is_done) return refused(r, node, "a function that calls itself");
  for (uint32_t i = 0; i < node->count; i++) {
    const CNode *parameter = known && i < known->count ? known->parameters[i] : NULL;
    uint32_t first = out.count;
    CNode *own = NULL;
    if (!parameter || !has_struct(parameter->type))
      array_push(r->arena, &out, rewrite(r, node->children[i]));
    else if (!flatten_argument(r, parameter, node->children[i], &out, &own))
      return refused(r, node->children[i], "this struct as an argument");
    if (own && (first == out.count || (before && !(is_pure(r, own) && is_pure(r, before)))))
      return refused(r, node->children[i], "this struct as an argument");
    if (own) out.data[first] = first_before(r, own, out.data[first]), before = own;
  }
  node->children = arena_array(r->arena, CNode *, out.count + 1);
  if (out.count) memcpy(node->children, out.data, out.count * sizeof *out.data);
  node->count = out.count;
  return node;
}

/* ---- statements ---- */

/* Each field of the place becomes that of the value. All but a plain variable, and indices, may be made of what
 * changes: then they are computed first. */
static CNode *assign_struct(Records *r, CNode *node) {
  Ref to = resolve(r, node->children[0]);
  NodeList places = {0}, values = {0}, first = {0};
  CNode *before = NULL, *source = node->children[1];
  if (!to.variable || to.is_address || ref_has_effect(&to)) return refused(r, node, "this assignment of a struct");
  fix_indices(r, node, &to, &first);
  if (!leaves_of(r, node, &to, &places) || !values_of(r, source, record_of(node->type), &values, &before) ||
      places.count != values.count)
    return refused(r, node, "this assignment of a struct");
  Ref from = resolve(r, source);
  bool copies = from.variable && !from.count;
  CNode *list = new_node(r, node, CNODE_COMPOUND, NULL, 0);
  list->children = arena_array(r->arena, CNode *, first.count + 2 * places.count + 2);
  if (before) list->children[list->count++] = before;
  for (uint32_t i = 0; i < places.count; i++) {
    if (points(places.data[i]->type)) return refused(r, node, "an array in a struct that is copied");
    if (copies) continue;
    CNode *own = variable(r, node, "field", places.data[i]->type, values.data[i]);
    CType *plain = arena_new(r->arena, CType);
    *plain = *own->type, plain->is_reference = plain->is_const = false, own->type = plain;
    list->children[list->count++] = new_node(r, node, CNODE_DECLARE, NULL, 1, own);
    values.data[i] = name_of(r, node, own);
  }
  for (uint32_t i = 0; i < first.count; i++) list->children[list->count++] = first.data[i];
  for (uint32_t i = 0; i < places.count; i++)
    list->children[list->count++] = assign(r, node, places.data[i], values.data[i]);
  return list;
}

static void add_declared(Records *r, CNode *v, NodeList *values, uint32_t *next, NodeList *out) {
  const CRecord *record = record_of(v->type);
  for (uint32_t k = 0; k < record->count; k++) {
    CNode *member = member_of(r, v, k);
    if (!member) {
      array_push(r->arena, out, refused(r, v, "this struct as a variable"));
    } else if (has_struct(member->type) && !is_pointer_to_struct(member->type)) {
      add_declared(r, member, values, next, out);
    } else {
      if (values) member->children[0] = values->data[(*next)++];
      array_push(r->arena, out, member);
    }
  }
}

/* Pointers and references are names of what they point to: the indices are those of now. */
static void declare_alias(Records *r, CNode *v, NodeList *out) {
  CNode *initial = v->children[0];
  bool is_pointer = v->type->kind == CTYPE_POINTER;
  Ref ref = initial ? is_pointer ? resolve(r, initial) : pointed(r, initial) : (Ref){0};
  Alias alias = {.declaration = v};
  if (is_pointer && ref.variable && !ref.is_address && type_at(&ref)->kind == CTYPE_POINTER &&
      is_indexed(ref.variable) && push(r, v, &ref, number(r, v, &integer_type, 0)))
    ref.is_address = true;
  if (is_pointer && ref.variable && !ref.is_address && type_at(&ref)->kind == CTYPE_ARRAY &&
      push(r, v, &ref, number(r, v, &integer_type, 0)))
    ref.is_address = true;
  if (!ref.variable) {
    array_push(r->arena, out, refused(r, v, "this pointer or reference to a struct"));
    return;
  }
  for (uint32_t i = 0; i < ref.count; i++) {
    bool is_last = ref.is_address && i + 1 == ref.count;
    if (ref.index[i]->kind == CNODE_INTEGER && !(is_last && is_indexed(v))) continue;
    CNode *own = variable(r, v, arena_format(r->arena, "%s_at", v->name), &integer_type, ref.index[i]);
    array_push(r->arena, out, own);
    ref.index[i] = name_of(r, v, own);
    if (is_last) alias.moves = own;
  }
  alias.to = ref;
  array_push(r->arena, &r->aliases, alias);
}

static void declare_struct(Records *r, CNode *v, NodeList *out) {
  CNode *initial = v->children[0], *before = NULL;
  NodeList values = {0};
  uint32_t next = 0;
  if (v->type->kind == CTYPE_VECTOR || v->type->kind == CTYPE_ARRAY) {
    bool is_empty = !initial || (initial->kind == CNODE_CONSTRUCT && initial->count <= 1);
    if (record_of(v->type)->is_constructed || record_of(v->type)->has_initials) /* no element is made here */
      is_empty = v->type->kind == CTYPE_VECTOR && (!initial || (initial->kind == CNODE_CONSTRUCT && !initial->count));
    if (!is_empty) {
      array_push(r->arena, out, refused(r, v, "this initial value"));
      return;
    }
    uint32_t first = out->count;
    add_declared(r, v, NULL, &next, out);
    for (uint32_t i = first; initial && i < out->count; i++) out->data[i]->children[0] = initial;
    return;
  }
  if (initial && initial->kind == CNODE_CALL && initial->target && initial->target->op == CFUNCTION_CONSTRUCTOR) {
    add_declared(r, v, NULL, &next, out);
    array_push(r->arena, out, construct(r, initial, v));
    return;
  }
  bool has = initial && (v->type->record->is_constructed || initial->kind != CNODE_CONSTRUCT || initial->count);
  if (has && !values_of(r, initial, v->type->record, &values, &before)) {
    array_push(r->arena, out, refused(r, v, "this initial value"));
    return;
  }
  if (before) array_push(r->arena, out, before);
  add_declared(r, v, has ? &values : NULL, &next, out);
  const CRecord *record = v->type->record;
  for (uint32_t k = 0; k < record->count && initial && !has; k++)
    if (record->fields[k].initial)
      member_of(r, v, k)->children[0] = c_copy_constant(r->arena, record->fields[k].initial);
}

static CNode *declare(Records *r, CNode *node) {
  NodeList out = {0};
  for (uint32_t i = 0; i < node->count; i++) {
    CNode *v = node->children[i];
    if (v->kind != CNODE_VARIABLE || v->op || !has_struct(v->type))
      array_push(r->arena, &out, rewrite(r, v));
    else if (v->type->is_reference || is_pointer_to_struct(v->type))
      declare_alias(r, v, &out);
    else
      declare_struct(r, v, &out);
  }
  node->children = arena_array(r->arena, CNode *, out.count + 1);
  if (out.count) memcpy(node->children, out.data, out.count * sizeof *out.data);
  node->count = out.count;
  return node;
}

static CNode *return_struct(Records *r, CNode *node) {
  NodeList values = {0};
  CNode *before = NULL;
  if (!values_of(r, node->children[0], r->function->type->record, &values, &before))
    return refused(r, node, "this struct as a result");
  node->children = arena_array(r->arena, CNode *, values.count + 1);
  memcpy(node->children, values.data, values.count * sizeof *values.data);
  node->count = values.count;
  return before ? new_node(r, node, CNODE_COMPOUND, NULL, 2, before, node) : node;
}

/* for (long i = 0; i < size; ++i) body */
static CNode *by_index(Records *r, const CNode *node, CNode *i, CNode *size, CNode *body) {
  static const CType boolean = {.kind = CTYPE_BOOL, .width = 1, .text = "bool"};
  return new_node(r, node, CNODE_FOR, NULL, 4,
                  new_node(r, node, CNODE_DECLARE, NULL, 1, i),
                  operator(r, node, CNODE_BINARY, CBINARY_LT, &boolean, name_of(r, node, i), size),
                  operator(r, node, CNODE_UNARY, CUNARY_PRE_INC, &integer_type, name_of(r, node, i), NULL), body);
}

/* for (auto &p : points): by the index. */
static CNode *each(Records *r, CNode *node) {
  CNode *item = node->children[0];
  CNode *i =
      variable(r, node, arena_format(r->arena, "%s_at", item->name), &integer_type, number(r, node, &integer_type, 0));
  Ref ref = resolve(r, node->children[1]), first = ref;
  NodeList all = {0};
  if (!ref.variable || type_at(&ref)->kind != CTYPE_VECTOR || ref_has_effect(&ref) || !leaves_of(r, node, &first, &all))
    return refused(r, node, "this loop over structs");
  CNode *size = new_node(r, node, CNODE_METHOD, &integer_type, 1, all.data[0]);
  size->name = "size";
  push(r, node, &ref, name_of(r, node, i));
  CNode *body = node->children[2];
  array_push(r->arena, &r->aliases, ((Alias){.declaration = item, .to = ref}));
  if (!item->type->is_reference) {
    NodeList out = {0}, values = {0};
    uint32_t next = 0;
    if (!leaves_of(r, node, &ref, &values)) return refused(r, node, "this loop over structs");
    r->aliases.count--;
    add_declared(r, item, &values, &next, &out);
    CNode *copy = new_node(r, node, CNODE_DECLARE, NULL, 0);
    copy->children = out.data, copy->count = out.count;
    body = new_node(r, node, CNODE_COMPOUND, NULL, 2, copy, rewrite(r, body));
  } else {
    body = rewrite(r, body);
  }
  return by_index(r, node, i, size, body);
}

static bool has_return(const CNode *node) {
  if (!node) return false;
  for (uint32_t i = 0; i < node->count; i++)
    if (has_return(node->children[i])) return true;
  return node->kind == CNODE_RETURN;
}

static bool mentions(const CNode *node, const CNode *v) {
  if (!node) return false;
  const CNode *f = node->kind == CNODE_CALL ? node->target : NULL;
  if (f && f->op == CFUNCTION_LAMBDA && mentions(f->children[f->count - 1], v)) return true;
  for (uint32_t i = 0; i < node->count; i++)
    if (mentions(node->children[i], v)) return true;
  return node->kind == CNODE_NAME && node->target == v;
}

/* True if it assigns to plain numbers alone. Then no element of a vector changes. */
static bool keeps_memory(const CNode *node) {
  if (!node) return true;
  bool assigns = (node->kind == CNODE_BINARY && node->op >= CBINARY_ASSIGN && node->op < CBINARY_COMMA) ||
                 (node->kind == CNODE_UNARY && node->op <= CUNARY_ADDRESS);
  const CNode *to = assigns ? node->children[0] : NULL;
  if (to && (to->kind != CNODE_NAME || !to->target || to->target->type->is_reference || points(to->type))) return false;
  if (node->kind == CNODE_CALL && node->target && node->target->kind == CNODE_FUNCTION &&
      node->target->children[node->target->count - 1])
    return false;
  if (node->kind == CNODE_METHOD && strcmp(node->name, "operator[]") && strcmp(node->name, "size")) return false;
  for (uint32_t i = 0; i < node->count; i++)
    if (!keeps_memory(node->children[i])) return false;
  return true;
}

/* for (auto v : x) if (v > 3) return v; - by the index, v being x[i]: what is returned is the element that ends it.
 * NULL: it is no such loop. */
static CNode *each_search(Records *r, CNode *node) {
  CNode *item = node->children[0], *range = node->children[1], *body = node->children[2];
  const CType *type = range->type;
  if (range->kind != CNODE_NAME || !range->target || range->target->kind != CNODE_VARIABLE ||
      type->kind != CTYPE_VECTOR || points(type->element) || type->element->kind == CTYPE_VECTOR)
    return NULL;
  if (!has_return(body) || mentions(body, range->target) || changes(body, item) || !keeps_memory(body)) return NULL;
  CNode *i =
      variable(r, node, arena_format(r->arena, "%s_at", item->name), &integer_type, number(r, node, &integer_type, 0));
  CNode *size = new_node(r, node, CNODE_METHOD, &integer_type, 1, range);
  size->name = "size";
  Ref ref = {.variable = (CNode *)(uintptr_t)range->target, .count = 1};
  ref.index[0] = name_of(r, node, i);
  array_push(r->arena, &r->aliases, ((Alias){.declaration = item, .to = ref}));
  return by_index(r, node, i, size, rewrite(r, body));
}

/* The item of such a loop, as the element that it is. */
static CNode *element_of(Records *r, CNode *node) {
  const Alias *alias = node->target && !has_struct(node->target->type) ? alias_of(r, node->target) : NULL;
  if (!alias) return node;
  CType *plain = arena_new(r->arena, CType);
  *plain = *node->target->type, plain->is_reference = plain->is_const = false;
  return operator(r, node, CNODE_CAST, 0, plain, build(r, node, &alias->to), NULL);
}

/* A variable of that value, which is computed once: in the chain, before what follows. NULL: a vector. */
static CNode *once(Records *r, CNode *value, CNode **chain) {
  CType *plain = arena_new(r->arena, CType);
  *plain = *value->type, plain->is_reference = plain->is_const = false;
  if (plain->kind != CTYPE_INT && plain->kind != CTYPE_BOOL && plain->kind != CTYPE_FLOAT) return NULL;
  CNode *own = variable(r, value, "value", plain, NULL);
  array_push(r->arena, &r->declared, own);
  CNode *set = assign(r, value, name_of(r, value, own), value);
  *chain = *chain ? operator(r, value, CNODE_BINARY, CBINARY_COMMA, plain, *chain, set) : set;
  return name_of(r, value, own);
}

/* push_back, size, .. of vectors of structs: of each of their fields. What calls of functions and methods give may
 * change with the first of these, so that it is computed before. */
static CNode *method(Records *r, CNode *node) {
  Ref ref = resolve(r, node->children[0]);
  NodeList all = {0}, values = {0};
  CNode *before = NULL, *chain = NULL;
  if (!ref.variable || type_at(&ref)->kind != CTYPE_VECTOR || !leaves_of(r, node, &ref, &all)) return NULL;
  static const CType nothing = {.kind = CTYPE_VOID, .text = "void"}; /* the place that emplace_back gives is not used */
  bool pushes = is_method(node, "push_back", 1) || is_method(node, "emplace_back", 1);
  if (!strcmp(node->name, "emplace_back")) node->type = &nothing;
  const CRecord *record = record_of(ref.variable->type);
  if (is_method(node, "emplace_back", record->count) && record->count > 1 && !record->is_constructed) {
    CNode *list = new_node(r, node, CNODE_LIST, type_at(&ref)->element, 0); /* of its fields */
    list->count = record->count, list->children = node->children + 1;
    node = new_node(r, node, CNODE_METHOD, node->type, 2, node->children[0], list);
    node->name = "emplace_back", pushes = true;
    for (uint32_t k = 0; k < record->count; k++) {
      if (has_struct(record->fields[k].type)) return NULL;
      list->children[k] = operator(r, list, CNODE_CAST, 0, record->fields[k].type, list->children[k], NULL);
    }
  }
  if (pushes && (!is_struct(node->children[1]->type) || node->children[1]->type->record != record)) return NULL;
  if (pushes && !values_of(r, node->children[1], record, &values, &before)) return NULL;
  if ((record->is_constructed || record->has_initials) && is_method(node, "resize", 1))
    return NULL; /* it makes elements */
  bool each_field = pushes || is_method(node, "clear", 0) || is_method(node, "pop_back", 0) ||
                    is_method(node, "reserve", 1) || is_method(node, "resize", 1);
  if (!each_field && !is_method(node, "size", 0) && !is_method(node, "empty", 0)) return NULL;
  if (each_field && (ref_has_effect(&ref) || (pushes && all.count != values.count))) return NULL;
  CNode *argument = !pushes && node->count == 2 ? rewrite(r, node->children[1]) : NULL;
  if (argument && has_effect(argument) && !(argument = once(r, argument, &chain))) return NULL;
  bool any = false;
  for (uint32_t i = 0; i < values.count; i++) any |= has_effect(values.data[i]);
  for (uint32_t i = 0; any && i < values.count; i++)
    if (!(values.data[i] = once(r, values.data[i], &chain))) return NULL;
  for (uint32_t i = 0; i < (each_field ? all.count : 1); i++) {
    CNode *value = pushes ? values.data[i] : argument;
    CNode *one = new_node(r, node, CNODE_METHOD, node->type, value ? 2 : 1, all.data[i], value);
    one->name = node->name;
    chain = chain ? operator(r, node, CNODE_BINARY, CBINARY_COMMA, one->type, chain, one) : one;
  }
  return before ? operator(r, node, CNODE_BINARY, CBINARY_COMMA, node->type, before, chain) : chain;
}

/* ---- pointers ---- */

static bool is_null(const CNode *node) {
  while (node->kind == CNODE_CAST) node = node->children[0];
  return node->kind == CNODE_INTEGER && !node->integer;
}

/* A pointer to what is there. */
static CNode *not_null(Records *r, const CNode *at, const CNode *pointer) {
  static const CType boolean = {.kind = CTYPE_BOOL, .width = 1, .text = "bool"};
  CNode *node = new_node(r, at, CNODE_NOT_NULL, &boolean, 0);
  node->name = pointer->kind == CNODE_NAME || pointer->kind == CNODE_MEMBER ? pointer->name : "a pointer to a struct";
  return node;
}

static bool same_place(const Ref *a, const Ref *b) {
  bool same = a->variable && a->variable == b->variable && a->count == b->count && a->is_address && b->is_address;
  for (uint32_t i = 0; same && i + 1 < a->count; i++)
    same = a->index[i] == b->index[i] || (a->index[i]->target && a->index[i]->target == b->index[i]->target);
  return same;
}

/* Pointers are compared and subtracted by their indices; a pointer to what is there is not NULL. */
static CNode *binary_of_pointers(Records *r, CNode *node) {
  CNode *a = node->children[0], *b = node->children[1];
  if ((node->op == CBINARY_EQ || node->op == CBINARY_NE) && (is_null(a) || is_null(b))) {
    CNode *is = not_null(r, node, is_null(a) ? b : a);
    return node->op == CBINARY_NE ? is : operator(r, node, CNODE_UNARY, CUNARY_NOT, is->type, is, NULL);
  }
  Ref left = resolve(r, a), right = resolve(r, b);
  if (!same_place(&left, &right)) return refused(r, node, "this comparison of pointers to structs");
  return operator(r, node, CNODE_BINARY, node->op, node->type, left.index[left.count - 1],
                  right.index[right.count - 1]);
}

/* p = q, p += n: its index changes. */
static CNode *move_pointer(Records *r, CNode *node) {
  CNode *of = node->children[0];
  const Alias *alias = of->kind == CNODE_NAME ? alias_of(r, of->target) : NULL;
  if (!alias || !alias->moves) return refused(r, node, "this pointer to a struct that moves");
  const Alias own = *alias;
  CNode *index = name_of(r, node, own.moves);
  if (node->kind == CNODE_UNARY) return operator(r, node, CNODE_UNARY, node->op, &integer_type, index, NULL);
  if (node->op == CBINARY_ADD_ASSIGN || node->op == CBINARY_SUB_ASSIGN)
    return operator(r, node, CNODE_BINARY, node->op, &integer_type, index, as_index(r, node->children[1]));
  Ref to = resolve(r, node->children[1]), from = own.to;
  if (node->op != CBINARY_ASSIGN || !same_place(&to, &from))
    return refused(r, node, "a pointer to structs that moves from one array to another");
  return assign(r, node, index, to.index[to.count - 1]);
}

/* ---- all nodes ---- */

static void rewrite_extents(Records *r, const CType *type) {
  for (; type && points(type); type = type->element)
    if (type->extent) *(CNode *)(uintptr_t)type->extent = *rewrite(r, (CNode *)(uintptr_t)type->extent);
}

static CNode *rewrite(Records *r, CNode *node) {
  if (!node) return NULL;
  guard_tick(r->arena->guard);
  const CType *type = node->type, *first = node->count && node->children[0] ? node->children[0]->type : NULL;
  if (node->kind == CNODE_MEMBER) {
    Ref ref = resolve(r, node);
    CNode *value = ref.variable ? build(r, node, &ref) : member_value(r, node);
    return value ? value : refused(r, node, "this field of a struct");
  }
  if (node->kind == CNODE_DECLARE) return declare(r, node);
  if (node->kind == CNODE_CALL && !is_struct(type)) {
    CNode *before = unchain(r, node);
    return first_before(r, before, call(r, node));
  }
  if (node->kind == CNODE_CALL) {
    NodeList values = {0};
    CNode *before = NULL; /* what it returns is not used */
    return values_of_call(r, node, &values, &before) ? before : refused(r, node, "this struct as a result");
  }
  if (node->kind == CNODE_RETURN && node->count && node->children[0] && is_struct(r->function->type))
    return return_struct(r, node);
  if (node->kind == CNODE_EACH) {
    CNode *search = has_struct(node->children[1]->type) ? each(r, node) : each_search(r, node);
    if (search) return search;
  }
  if (node->kind == CNODE_METHOD && is_method(node, "operator=", 1) && is_struct(first)) return assign_struct(r, node);
  if (node->kind == CNODE_METHOD && has_struct(first) && (!has_struct(type) || !strcmp(node->name, "emplace_back"))) {
    CNode *value = method(r, node);
    return value ? value : refused(r, node, "this method of a vector of structs");
  }
  if (node->kind == CNODE_BINARY && is_struct(type) && node->op == CBINARY_ASSIGN) return assign_struct(r, node);
  if (node->kind == CNODE_UNARY && node->op <= CUNARY_PRE_DEC && is_pointer_to_struct(type))
    return move_pointer(r, node);
  if (node->kind == CNODE_BINARY && is_pointer_to_struct(first) && node->op >= CBINARY_ASSIGN &&
      node->op < CBINARY_COMMA)
    return move_pointer(r, node);
  if (node->kind == CNODE_BINARY && !has_struct(type) && node->op <= CBINARY_NE &&
      (is_pointer_to_struct(first) || is_pointer_to_struct(node->children[1]->type)))
    return binary_of_pointers(r, node);
  if (node->kind == CNODE_CAST && type->kind == CTYPE_BOOL && is_pointer_to_struct(first))
    return not_null(r, node, node->children[0]);
  if (is_pointer_to_struct(type) && resolve(r, node).variable) return not_null(r, node, node); /* in a condition */
  if (node->kind == CNODE_NAME) return element_of(r, node);
  if (node->kind == CNODE_FUNCTION) return node;
  if (node->kind == CNODE_VARIABLE) rewrite_extents(r, type);
  for (uint32_t i = 0; i < node->count; i++) node->children[i] = rewrite(r, node->children[i]);
  return node;
}

/* ---- functions ---- */

static void add_used(Records *r, CNode *v, NodeList *out) {
  const CRecord *record = record_of(v->type);
  for (uint32_t k = 0; v->members && k < record->count; k++) {
    if (!v->members[k]) continue;
    if (has_struct(v->members[k]->type))
      add_used(r, v->members[k], out);
    else
      array_push(r->arena, out, v->members[k]);
  }
}

static bool changes(const CNode *node, const CNode *v) {
  if (!node) return false;
  bool assigns = (node->kind == CNODE_BINARY && node->op >= CBINARY_ASSIGN && node->op < CBINARY_COMMA) ||
                 (node->kind == CNODE_UNARY && (node->op <= CUNARY_PRE_DEC || node->op == CUNARY_ADDRESS)) ||
                 node->kind == CNODE_CALL || node->kind == CNODE_UNPACK;
  for (uint32_t i = 0; i < node->count; i++) {
    const CNode *part = node->children[i];
    while (assigns && part && (part->kind == CNODE_SUBSCRIPT || part->kind == CNODE_CAST)) part = part->children[0];
    if (assigns && part && part->kind == CNODE_NAME && part->target == v) return true;
    if (changes(node->children[i], v)) return true;
  }
  return false;
}

/* True if it is an element of the array. */
static bool is_element(const CNode *node, const CNode *v) {
  while (node && node->kind == CNODE_CAST) node = node->children[0];
  if (!node || node->kind != CNODE_SUBSCRIPT || node->type->kind == CTYPE_ARRAY) return false;
  while (node->kind == CNODE_SUBSCRIPT || node->kind == CNODE_CAST) node = node->children[0];
  return node->kind == CNODE_NAME && node->target == v;
}

/* Every mention of the array reads an element of it: nothing else becomes a name of it. */
static bool only_read(const CNode *node, const CNode *v) {
  if (!node) return true;
  if (node->kind == CNODE_NAME) return node->target != v;
  if (is_element(node, v)) {
    for (; node->kind != CNODE_NAME; node = node->children[0])
      if (node->kind == CNODE_SUBSCRIPT && !only_read(node->children[1], v)) return false;
    return true;
  }
  if (node->kind == CNODE_VARIABLE && node->type->is_reference && is_element(node->children[0], v)) return false;
  const CNode *f = node->kind == CNODE_CALL ? node->target : NULL, *body = NULL;
  if (f && f->op == CFUNCTION_LAMBDA) body = f->children[f->count - 1]; /* it sees what is around it */
  if (body && (changes(body, v) || !only_read(body, v))) return false;
  for (uint32_t i = 0; i < node->count; i++)
    if (!only_read(node->children[i], v)) return false;
  return true;
}

/* An array in a struct that is passed by value would be a copy, a pointer in one that is passed by its address may
 * change there: neither is read. */
static bool is_read(const CNode *parameter, const CNode *field, const CNode *body) {
  bool by_value = parameter->type->kind == CTYPE_STRUCT && !parameter->type->is_reference;
  if (field->type->kind == CTYPE_ARRAY && by_value) return !changes(body, field) && only_read(body, field);
  if (field->type->kind != CTYPE_POINTER || !field->type->is_reference) return true;
  for (uint32_t i = 0; i < body->count; i++) /* the pointer itself, not what it points to */
    if (body->children[i] && !is_read(parameter, field, body->children[i])) return false;
  bool assigns = (body->kind == CNODE_BINARY && body->op >= CBINARY_ASSIGN && body->op < CBINARY_COMMA) ||
                 (body->kind == CNODE_UNARY && (body->op <= CUNARY_PRE_DEC || body->op == CUNARY_ADDRESS));
  return !(assigns && body->children[0]->kind == CNODE_NAME && body->children[0]->target == field);
}

/* The variables of what is returned. */
static void add_results(Records *r, CNode *function, const CRecord *record, const char *before, NodeList *out) {
  for (uint32_t k = 0; k < record->count; k++) {
    const CField *field = &record->fields[k];
    const char *name = arena_format(r->arena, "%s_%s", before, field->name);
    if (is_struct(field->type))
      add_results(r, function, field->type->record, name, out);
    else
      array_push(r->arena, out, variable(r, function, name, field->type, NULL));
  }
}

/* A parameter that moves is an index into what it pointed to first. */
static bool is_moved(const CNode *node, const CNode *v) {
  if (!node) return false;
  bool assigns = (node->kind == CNODE_BINARY && node->op >= CBINARY_ASSIGN && node->op < CBINARY_COMMA) ||
                 (node->kind == CNODE_UNARY && node->op <= CUNARY_PRE_DEC);
  if (assigns && node->children[0]->kind == CNODE_NAME && node->children[0]->target == v) return true;
  for (uint32_t i = 0; i < node->count; i++)
    if (is_moved(node->children[i], v)) return true;
  return false;
}

static void flatten_body(Records *r, Flattened *f, CNode *body) {
  CNode *function = f->function;
  NodeList parameters = {0}, results = {0};
  if (is_struct(function->type)) add_results(r, function, function->type->record, "result", &results);
  function->members = results.data, function->integer = results.count;
  for (uint32_t i = 0; i < f->count; i++) {
    CNode *p = f->parameters[i];
    if (!is_pointer_to_struct(p->type) || !is_moved(body, p)) continue;
    CNode *at = variable(r, p, arena_format(r->arena, "%s_at", p->name), &integer_type, number(r, p, &integer_type, 0));
    array_push(r->arena, &r->declared, at);
    Ref ref = {.variable = p, .count = 1, .is_address = true};
    ref.index[0] = name_of(r, p, at);
    array_push(r->arena, &r->aliases, ((Alias){.declaration = p, .to = ref, .moves = at}));
  }
  body = rewrite(r, body);
  if (r->declared.count) {
    CNode *declares = new_node(r, body, CNODE_DECLARE, NULL, 0);
    declares->children = r->declared.data, declares->count = r->declared.count;
    CNode **all = arena_array(r->arena, CNode *, body->count + 2);
    all[0] = declares;
    if (body->count) memcpy(all + 1, body->children, body->count * sizeof *all);
    body->children = all, body->count++;
  }
  for (uint32_t i = 0; i < f->count; i++) {
    uint32_t start = parameters.count;
    function->is_flattened |= has_struct(f->parameters[i]->type);
    if (has_struct(f->parameters[i]->type))
      add_used(r, f->parameters[i], &parameters);
    else
      array_push(r->arena, &parameters, f->parameters[i]);
    for (uint32_t k = start; k < parameters.count && has_struct(f->parameters[i]->type); k++) {
      const char *path = parameters.data[k]->name + strlen(f->parameters[i]->name);
      parameters.data[k]->part = arena_format(r->arena, "%u%s", i, path);
      if (!is_read(f->parameters[i], parameters.data[k], body))
        body->children[0] = refused(r, f->parameters[i], "this struct as a parameter");
    }
  }
  array_push(r->arena, &parameters, body);
  function->children = parameters.data, function->count = parameters.count;
}

/* The only return of the method is its last statement, `return *this`. */
static bool gives_object(const CNode *function) {
  const CNode *body = function->children[function->count - 1], *last = NULL;
  for (uint32_t i = 0; body && body->kind == CNODE_COMPOUND && i < body->count; i++) {
    if (last && has_return(last)) return false;
    last = body->children[i];
  }
  const CNode *value = last && last->kind == CNODE_RETURN && last->count ? last->children[0] : NULL;
  int steps[] = {CUNARY_DEREFERENCE, CUNARY_ADDRESS};
  for (uint32_t i = 0; i < 2; i++) {
    while (value && value->kind == CNODE_CAST) value = value->children[0];
    value = value && value->kind == CNODE_UNARY && value->op == steps[i] ? value->children[0] : NULL;
  }
  return value && value->kind == CNODE_NAME && function->count > 1 && value->target == function->children[0];
}

static Flattened *flatten(Records *r, const CNode *function) {
  for (uint32_t i = 0; i < r->functions.count; i++)
    if (r->functions.data[i]->function == function) return r->functions.data[i];
  Flattened *f = arena_new(r->arena, Flattened);
  CNode *body = function->children[function->count - 1];
  *f =
      (Flattened){(CNode *)(uintptr_t)function, function->children, function->count - 1, false, gives_object(function)};
  array_push(r->arena, &r->functions, f);
  if (++r->depth > MOST_DEPTH) return r->depth--, f;
  Records own = *r; /* what belongs to the function that is at work */
  if (function->op != CFUNCTION_LAMBDA) r->aliases.count = 0, r->aliases.data = NULL, r->aliases.capacity = 0;
  r->declared.count = 0, r->declared.data = NULL, r->declared.capacity = 0;
  r->function = f->function;
  if (body && body->kind == CNODE_COMPOUND) flatten_body(r, f, body);
  r->aliases = own.aliases, r->declared = own.declared, r->function = own.function;
  r->depth--;
  f->is_done = true;
  return f;
}

/* ---- which pointers point to several ---- */

static bool mark(const CNode *node);

static bool mark_both(const CNode *node) {
  bool left = mark(node->children[0]), right = mark(node->children[1]);
  return left || right;
}

static bool mark(const CNode *node) {
  while (node->kind == CNODE_CAST) node = node->children[0];
  if (!is_pointer_to_struct(node->type)) return false;
  if (node->kind == CNODE_NAME && node->target && !node->target->integer)
    return (((CNode *)(uintptr_t)node->target)->integer = 1);
  if (node->kind == CNODE_MEMBER) {
    const CType *of = node->children[0]->type;
    CField *field = &(is_struct(of) ? of : of->element)->record->fields[node->op];
    bool is_new = !field->is_indexed;
    field->is_indexed = true;
    return is_new;
  }
  if (node->kind == CNODE_BINARY) return mark_both(node);
  return node->kind == CNODE_UNARY && node->op <= CUNARY_PRE_DEC && mark(node->children[0]);
}

static bool marked(const CNode *node) {
  while (node->kind == CNODE_CAST) node = node->children[0];
  return node->kind == CNODE_NAME && node->target && node->target->kind == CNODE_VARIABLE && node->target->integer;
}

typedef Array(const CNode *) Visited;

static bool mark_uses(Records *r, const CNode *node, Visited *visited) {
  bool any = false;
  if (!node) return false;
  guard_tick(r->arena->guard);
  if (node->kind == CNODE_SUBSCRIPT) any |= mark(node->children[0]);
  if (node->kind == CNODE_BINARY && node->op != CBINARY_ASSIGN && node->op != CBINARY_EQ && node->op != CBINARY_NE &&
      node->op != CBINARY_COMMA && node->op != CBINARY_ALL && node->op != CBINARY_ANY)
    any |= mark_both(node);
  if (node->kind == CNODE_UNARY && node->op <= CUNARY_PRE_DEC) any |= mark(node->children[0]);
  if (node->kind == CNODE_VARIABLE && node->integer && node->children[0]) any |= mark(node->children[0]);
  if (node->kind == CNODE_BINARY && node->op == CBINARY_ASSIGN && node->children[0]->kind == CNODE_NAME)
    any |= mark(node->children[0]); /* it moves */
  if (node->kind == CNODE_BINARY && node->op == CBINARY_ASSIGN && marked(node->children[0]))
    any |= mark(node->children[1]);
  const CNode *f = node->kind == CNODE_CALL ? node->target : NULL;
  if (f && f->kind == CNODE_FUNCTION && f->children[f->count - 1]) {
    bool known = false;
    for (uint32_t i = 0; i < visited->count; i++) known |= visited->data[i] == f;
    if (!known) {
      array_push(r->arena, visited, f);
      any |= mark_uses(r, f->children[f->count - 1], visited);
    }
    uint32_t own = f->op == CFUNCTION_CONSTRUCTOR; /* the object, which the call does not mention */
    for (uint32_t i = 0; i < node->count && i + own + 1 < f->count; i++)
      if (f->children[i + own]->integer) any |= mark(node->children[i]);
  }
  for (uint32_t i = 0; i < node->count; i++) any |= mark_uses(r, node->children[i], visited);
  return any;
}

void c_flatten_records(Arena *arena, CTree *tree) {
  Records r = {.arena = arena, .tree = tree};
  for (bool again = true; again;) {
    Visited visited = {0};
    again = false;
    for (uint32_t i = 0; i < tree->functions.count; i++) {
      const CNode *f = tree->functions.data[i];
      again |= mark_uses(&r, f->children[f->count - 1], &visited);
    }
  }
  for (uint32_t i = 0; i < tree->functions.count; i++) flatten(&r, tree->functions.data[i]);
}
