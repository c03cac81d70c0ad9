/* Places: variables, elements of vectors and arrays, memory behind pointers.
 *
 * A vector parameter is one block of memory, row-major: rows of one nested vector have one length, which the
 * assumption `rectangular` says. A vector of the function's own has a length for every row, so that nothing is assumed
 * of it. An index out of its length is undefined behaviour: each one is required to lie within (array.require), which
 * is shown or becomes a precondition. */
#include <string.h>

#include "read/c/lower.h"

void c_require(Lower *l, const CNode *at, ValueId condition, const char *message) {
  c_at(l, at);
  build_attr_string(&l->b, "msg", message);
  build_op(&l->b, OP_ARRAY_REQUIRE, 1, &condition, 0, NULL);
}

/* ---- arrays as values ---- */

TypeId c_array_type(Lower *l, const CNode *at, const CType *element, uint32_t rank) {
  return program_type_array(l->p, c_type(l, at, element), rank);
}

static TypeId array_part(Lower *l, ValueId array, uint32_t count) {
  const Type *type = program_value_type(l->p, array);
  return type->rank == count ? type->element : program_type_array(l->p, type->element, type->rank - count);
}

ValueId c_insert(Lower *l, ValueId element, ValueId array, uint32_t count, const ValueId *index) {
  ValueId operands[2 + C_MAX_INDICES] = {element, array};
  TypeId type = program_get_value(l->p, array)->type;
  memcpy(operands + 2, index, count * sizeof *index);
  return build_op(&l->b, OP_ARRAY_INSERT, 2 + count, operands, 1, &type);
}

ValueId c_extract(Lower *l, ValueId array, uint32_t count, const ValueId *index) {
  ValueId operands[1 + C_MAX_INDICES] = {array};
  TypeId type = array_part(l, array, count);
  memcpy(operands + 1, index, count * sizeof *index);
  return count ? build_op(&l->b, OP_ARRAY_EXTRACT, 1 + count, operands, 1, &type) : array;
}

static ValueId empty(Lower *l, TypeId type) { return build_op(&l->b, OP_ARRAY_EMPTY, 0, NULL, 1, &type); }

void c_make_empty(Lower *l, const CNode *at, Variable *v) {
  v->value = empty(l, c_array_type(l, at, v->element, v->rank));
  for (uint32_t k = 0; k < v->rank; k++)
    v->length[k] =
        k ? empty(l, program_type_array(l->p, c_index_type(l), k)) : build_integer(&l->b, c_index_type(l), 0);
}

/* ---- places ---- */

const CNode *c_root(const CNode *node) {
  while (node) {
    bool of_array = node->kind == CNODE_SUBSCRIPT || node->kind == CNODE_CAST;
    if (node->kind == CNODE_NAME) {
      const CNode *target = node->target;
      if (!target || target->kind != CNODE_VARIABLE) return NULL;
      if (!target->type->is_reference || !target->children[0]) return target;
      node = target->children[0];
    } else if (node->kind == CNODE_METHOD || (of_array && node->children[0]->type->kind != CTYPE_POINTER) ||
               (of_array && node->children[0]->kind == CNODE_CAST)) {
      node = node->children[0];
    } else {
      return NULL;
    }
  }
  return NULL;
}

static Place of_address(ValueId address, const CType *type) {
  return (Place){.kind = PLACE_ADDRESS, .address = address, .type = type};
}

void c_note_extents(Lower *l, const CType *type) {
  for (; type->kind == CTYPE_ARRAY || type->kind == CTYPE_POINTER; type = type->element)
    if (type->kind == CTYPE_ARRAY && type->extent)
      array_push(l->arena, &l->extents, (Extent){type->extent, c_index(l, type->extent)});
}

ValueId c_extent(Lower *l, const CNode *at, const CType *array) {
  if (array->count >= 0) return build_integer(&l->b, c_index_type(l), array->count);
  for (uint32_t i = l->extents.count; i-- > 0;)
    if (l->extents.data[i].node == array->extent && array->extent) return l->extents.data[i].value;
  c_refuse(l, at, "write the length where the array is declared", "the length of an array of type %s is not known here",
           array->text);
}

ValueId c_move(Lower *l, const CNode *at, ValueId pointer, ValueId by, const CType *element) {
  for (; element->kind == CTYPE_ARRAY; element = element->element)
    by = c_fitting(l, OP_ARITH_MULI, by, c_extent(l, at, element), c_index_type(l));
  return build_binary(&l->b, OP_TT_ADDPTR, pointer, by, program_get_value(l->p, pointer)->type);
}

static Place add_index(Lower *l, const CNode *at, Place place, ValueId index, const CType *type) {
  if (place.count == C_MAX_INDICES) c_refuse(l, at, NULL, "more than %d axes are not read", C_MAX_INDICES);
  place.kind = PLACE_ELEMENT;
  place.index[place.count++] = index;
  place.type = type;
  return place;
}

/* The variable, where the node names a pointer to what is no memory. */
static const Variable *pointed_to(Lower *l, const CNode *node) {
  while (node->kind == CNODE_CAST && node->type->kind == CTYPE_POINTER) node = node->children[0];
  if (node->kind != CNODE_NAME || !node->target || node->target->kind != CNODE_VARIABLE) return NULL;
  const Variable *v = &l->variables.data[c_find(l, node, node->target)];
  return v->kind == VARIABLE_ALIAS && v->is_pointer ? v : NULL;
}

/* What such a pointer points to: of an array, its first element. */
static Place first_of(Lower *l, const CNode *at, Place place) {
  while (place.type->kind == CTYPE_ARRAY)
    place = add_index(l, at, place, build_integer(&l->b, c_index_type(l), 0), place.type->element);
  return place;
}

/* ---- iterators ---- */

static bool is_method(const CNode *node, const char *name, uint32_t arguments) {
  return node->kind == CNODE_METHOD && !strcmp(node->name, name) && node->count == arguments + 1;
}

static bool begins(const CNode *node) {
  return is_method(node, "begin", 0) || is_method(node, "cbegin", 0) || is_method(node, "data", 0);
}

static const CNode *plain_pointer(const CNode *node) {
  while (node->kind == CNODE_CAST && node->type->kind == CTYPE_POINTER) node = node->children[0];
  return node;
}

static const Variable *named(Lower *l, const CNode *node) {
  if (node->kind != CNODE_NAME || !node->target || node->target->kind != CNODE_VARIABLE) return NULL;
  return &l->variables.data[c_find(l, node, node->target)];
}

bool c_is_row(const CNode *node) {
  const CNode *root =
      node->kind == CNODE_SUBSCRIPT && node->type && node->type->kind == CTYPE_ARRAY ? c_root(node) : NULL;
  return root && root->type->is_rows;
}

bool c_points_into(Lower *l, const CNode *node) {
  node = plain_pointer(node);
  if (c_is_row(node)) return true;
  const Variable *v = named(l, node);
  if (v)
    return v->kind == VARIABLE_ITERATOR || (v->kind == VARIABLE_ELEMENTS && v->type->kind == CTYPE_ARRAY) ||
           (v->kind == VARIABLE_ALIAS && v->alias.kind != PLACE_ADDRESS && v->alias.type->kind == CTYPE_ARRAY &&
            l->variables.data[v->alias.variable].kind == VARIABLE_ELEMENTS);
  if (node->kind == CNODE_METHOD)
    return node->count == 1 && node->children[0]->type->kind == CTYPE_VECTOR &&
           (begins(node) || is_method(node, "end", 0) || is_method(node, "cend", 0));
  if (node->kind == CNODE_UNARY && node->op == CUNARY_ADDRESS) {
    const CNode *of = node->children[0];
    if (of->kind == CNODE_METHOD) return is_method(of, "operator[]", 1);
    return of->kind == CNODE_SUBSCRIPT && c_points_into(l, of->children[0]);
  }
  if (node->kind == CNODE_CALL && c_body_of(node) && node->type->kind == CTYPE_POINTER) {
    for (uint32_t i = 0; i < node->count; i++)
      if (c_points_into(l, node->children[i])) return true;
    return false;
  }
  if (node->kind == CNODE_UNARY && node->op <= CUNARY_PRE_DEC) return c_points_into(l, node->children[0]);
  if (node->kind == CNODE_BINARY && (node->op == CBINARY_ADD || node->op == CBINARY_SUB) &&
      node->type->kind == CTYPE_POINTER)
    return c_points_into(l, node->children[0]) || c_points_into(l, node->children[1]);
  return node->kind == CNODE_BINARY && node->op == CBINARY_ASSIGN && node->type->kind == CTYPE_POINTER &&
         c_points_into(l, node->children[0]);
}

static ValueId moved_index(Lower *l, Opcode code, ValueId index, ValueId by) {
  return c_fitting(l, code, index, by, c_index_type(l));
}

/* The element that a place names, as the array and the index. */
static Iterator iterator_to(Place place) {
  Iterator it = {.in = place, .index = place.index[place.count - 1]};
  it.in.count--;
  it.in.kind = it.in.count ? PLACE_ELEMENT : PLACE_VARIABLE;
  return it;
}

Iterator c_iterator(Lower *l, const CNode *node) {
  node = plain_pointer(node);
  ValueId zero = build_integer(&l->b, c_index_type(l), 0), one;
  if (c_is_row(node)) return (Iterator){c_place(l, node), zero};
  const Variable *v = named(l, node);
  if (v && v->kind == VARIABLE_ITERATOR) {
    if (!v->alias.type) c_refuse(l, node, NULL, "this pointer points nowhere yet");
    return (Iterator){v->alias, v->value};
  }
  if (v && v->kind == VARIABLE_ALIAS) return (Iterator){v->alias, zero};
  if (v) return (Iterator){c_place(l, node), zero};
  if (node->kind == CNODE_METHOD) {
    Iterator it = {c_place(l, node->children[0]), zero};
    if (!begins(node)) it.index = c_length(l, node, &it.in);
    return it;
  }
  if (node->kind == CNODE_CALL && c_body_of(node)) return c_inline_iterator(l, node);
  if (node->kind == CNODE_UNARY && node->op == CUNARY_ADDRESS) {
    Place place = c_place(l, node->children[0]);
    if (place.kind != PLACE_ELEMENT) c_refuse(l, node, NULL, "this address is not read yet");
    return iterator_to(place);
  }
  if (node->kind == CNODE_UNARY) {
    Iterator old = c_iterator(l, node->children[0]), now = old;
    bool down = node->op == CUNARY_PRE_DEC || node->op == CUNARY_POST_DEC;
    one = build_integer(&l->b, c_index_type(l), 1);
    now.index = moved_index(l, down ? OP_ARITH_SUBI : OP_ARITH_ADDI, old.index, one);
    v = named(l, node->children[0]);
    if (!v) c_refuse(l, node, NULL, "this pointer is not moved");
    c_set_iterator(l, node, (uint32_t)(v - l->variables.data), &now);
    return node->op == CUNARY_PRE_INC || node->op == CUNARY_PRE_DEC ? now : old;
  }
  if (node->kind != CNODE_BINARY) c_refuse(l, node, NULL, "a pointer that becomes this is not read yet");
  if (node->op == CBINARY_ASSIGN) {
    Iterator to = c_iterator(l, node->children[1]);
    c_set_iterator(l, node, c_find(l, node, node->children[0]->target), &to);
    return to;
  }
  bool first = c_points_into(l, node->children[0]);
  Iterator it = c_iterator(l, node->children[first ? 0 : 1]);
  it.index = moved_index(l, node->op == CBINARY_ADD ? OP_ARITH_ADDI : OP_ARITH_SUBI, it.index,
                         c_index(l, node->children[first ? 1 : 0]));
  return it;
}

void c_set_iterator(Lower *l, const CNode *at, uint32_t variable, const Iterator *to) {
  Variable *v = &l->variables.data[variable];
  bool same = v->alias.type && v->alias.variable == to->in.variable && v->alias.count == to->in.count &&
              !memcmp(v->alias.index, to->in.index, v->alias.count * sizeof *v->alias.index);
  if (v->kind != VARIABLE_ITERATOR || (v->alias.type && !same))
    c_refuse(l, at, "use a pointer for each array", "a pointer that moves from one array to another");
  v->alias = to->in, v->value = to->index;
}

static Place pointed_element(Lower *l, const CNode *at, const Iterator *it, const CType *type) {
  return add_index(l, at, it->in, it->index, type);
}

static Place subscript(Lower *l, const CNode *node) {
  const CNode *base = node->children[0], *index = node->children[1];
  if (base->type->kind == CTYPE_INT) base = node->children[1], index = node->children[0]; /* 1[p] */
  const CNode *array =
      base->kind == CNODE_CAST && base->children[0]->type->kind == CTYPE_ARRAY ? base->children[0] : base;
  if (array->type->kind != CTYPE_ARRAY && c_points_into(l, array)) {
    Iterator it = c_iterator(l, array);
    it.index = moved_index(l, OP_ARITH_ADDI, it.index, c_index(l, index));
    return pointed_element(l, node, &it, node->type);
  }
  const Variable *v = pointed_to(l, array);
  if (v && v->alias.type->kind != CTYPE_ARRAY) c_refuse(l, node, NULL, "a pointer to a variable as an array");
  if (array->type->kind == CTYPE_ARRAY || v) {
    Place place = v ? v->alias : c_place(l, array);
    if (place.kind != PLACE_ADDRESS) return add_index(l, node, place, c_index(l, index), node->type);
    if (place.count == C_MAX_INDICES) c_refuse(l, node, NULL, "more than %d axes are not read", C_MAX_INDICES);
    ValueId within = c_index(l, index);
    place.address = c_move(l, node, place.address, within, node->type), place.type = node->type;
    place.index[place.count] = within, place.extent[place.count++] = c_extent(l, node, array->type);
    return place;
  }
  ValueId pointer = c_value(l, base);
  return of_address(c_move(l, node, pointer, c_index(l, index), node->type), node->type);
}

static Place method_place(Lower *l, const CNode *node) {
  const CNode *object = node->children[0];
  TypeId wide = c_index_type(l);
  if (object->type->kind == CTYPE_VECTOR && (is_method(node, "operator[]", 1) || is_method(node, "at", 1)))
    return add_index(l, node, c_place(l, object), c_index(l, node->children[1]), node->type);
  if (object->type->kind == CTYPE_VECTOR && is_method(node, "front", 0))
    return add_index(l, node, c_place(l, object), build_integer(&l->b, wide, 0), node->type);
  if (object->type->kind == CTYPE_VECTOR && is_method(node, "back", 0)) {
    Place place = c_place(l, object);
    ValueId last = c_fitting(l, OP_ARITH_SUBI, c_length(l, node, &place), build_integer(&l->b, wide, 1), wide);
    return add_index(l, node, place, last, node->type);
  }
  c_refuse(l, node, NULL, "what %s returns cannot be assigned yet", node->name);
}

Place c_place(Lower *l, const CNode *node) {
  c_at(l, node);
  if (node->kind == CNODE_NAME && node->target && node->target->kind == CNODE_VARIABLE) {
    uint32_t i = c_find(l, node, node->target);
    const Variable *v = &l->variables.data[i];
    if (v->kind == VARIABLE_ALIAS && v->is_pointer)
      c_refuse(l, node, "its elements are read and written", "a pointer to a variable that is kept");
    if (v->kind == VARIABLE_ALIAS) return v->alias;
    if (v->kind == VARIABLE_MEMORY && !v->rank) return of_address(v->value, v->type);
    return (Place){.kind = PLACE_VARIABLE, .variable = i, .type = v->type};
  }
  if (node->kind == CNODE_SUBSCRIPT) return subscript(l, node);
  if (node->kind == CNODE_METHOD) return method_place(l, node);
  if (node->kind == CNODE_UNARY && node->op == CUNARY_DEREFERENCE) {
    if (c_points_into(l, node->children[0])) {
      Iterator it = c_iterator(l, node->children[0]);
      return pointed_element(l, node, &it, node->type);
    }
    const Variable *v = pointed_to(l, node->children[0]);
    if (v) return first_of(l, node, v->alias);
    if (node->children[0]->type->kind == CTYPE_ARRAY) return first_of(l, node, c_place(l, node->children[0]));
    return of_address(c_value(l, node->children[0]), node->type);
  }
  if (node->kind == CNODE_UNARY && (node->op == CUNARY_PRE_INC || node->op == CUNARY_PRE_DEC)) {
    c_value(l, node);
    return c_place(l, node->children[0]);
  }
  if (node->kind == CNODE_CAST) return c_place(l, node->children[0]);
  c_refuse(l, node, "variables, elements and what pointers point to are", "this is no place that is read yet");
}

/* ---- lengths and bounds ---- */

ValueId c_length(Lower *l, const CNode *at, const Place *place) {
  const Variable *v = &l->variables.data[place->variable];
  if (place->kind == PLACE_ADDRESS || place->count >= v->rank) c_refuse(l, at, NULL, "this has no length");
  ValueId length = v->length[place->count];
  if (!place->count || v->is_fixed || v->kind == VARIABLE_MEMORY) return length;
  return c_extract(l, length, place->count, place->index);
}

/* "0 <= i < base.size()" */
static const char *within_text(Lower *l, const CNode *at, const Place *place, uint32_t k) {
  const CNode *node = at; /* of base[i][j] the index k, counted from the left */
  for (uint32_t i = place->count; node && (node->kind == CNODE_METHOD || node->kind == CNODE_SUBSCRIPT) && --i > k;)
    node = node->children[0];
  bool indexed = node && node->count == 2 && (node->kind == CNODE_METHOD || node->kind == CNODE_SUBSCRIPT);
  if (!indexed) return "the index is within its length";
  return arena_format(l->arena, "%s is an index of %s", c_text(l, node->children[1]), c_text(l, node->children[0]));
}

uint32_t c_freed(Lower *l, const CNode *pointer) {
  const CNode *named = plain_pointer(pointer);
  if (named->kind != CNODE_NAME || !named->target) return NO_VARIABLE;
  for (uint32_t i = l->variables.count; i-- > 0;) {
    const Variable *v = &l->variables.data[i];
    if (v->declaration != named->target) continue;
    if (v->kind == VARIABLE_ALIAS || v->kind == VARIABLE_ITERATOR)
      v = v->alias.kind == PLACE_ADDRESS ? v : &l->variables.data[v->alias.variable];
    return v->freed ? v->freed - 1 : NO_VARIABLE;
  }
  return NO_VARIABLE;
}

/* Memory that was freed is neither read nor written, nor freed again. */
static void require_held(Lower *l, const CNode *at, uint32_t flag, const char *name) {
  ValueId freed = l->variables.data[flag].value;
  TypeId boolean = program_type_int(l->p, 1);
  int64_t known;
  if (!build_is_constant(l->p, freed, &known))
    c_require(l, at, build_binary(&l->b, OP_ARITH_XORI, freed, build_integer(&l->b, boolean, 1), boolean),
              arena_format(l->arena, "%s is not freed", name));
  else if (known)
    c_refuse(l, at, NULL, "%s is used where it has been freed", name);
}

bool c_free(Lower *l, const CNode *call) {
  const CNode *pointer = call->children[0];
  uint32_t flag = c_freed(l, pointer);
  if (flag == NO_VARIABLE) return false;
  require_held(l, call, flag, c_text(l, plain_pointer(pointer)));
  l->variables.data[flag].value = build_integer(&l->b, program_type_int(l->p, 1), 1);
  return true;
}

static void require_within(Lower *l, const CNode *at, const Place *place) {
  TypeId boolean = program_type_int(l->p, 1);
  const Variable *of = place->kind == PLACE_ADDRESS ? NULL : &l->variables.data[place->variable];
  if (of && of->freed && place->count) require_held(l, at, of->freed - 1, of->name);
  for (uint32_t k = 0; k < place->count; k++) {
    Place row = *place;
    row.count = k;
    if (row.kind != PLACE_ADDRESS && !l->variables.data[place->variable].length[k]) continue; /* not known */
    ValueId length = row.kind == PLACE_ADDRESS ? row.extent[k] : c_length(l, at, &row);
    ValueId zero = build_integer(&l->b, c_index_type(l), 0);
    ValueId from = build_compare(&l->b, OP_ARITH_CMPI, "sle", zero, place->index[k]);
    ValueId below = build_compare(&l->b, OP_ARITH_CMPI, "slt", place->index[k], length);
    c_require(l, at, build_binary(&l->b, OP_ARITH_ANDI, from, below, boolean), within_text(l, at, place, k));
  }
}

/* The address of an element of a vector in memory, or of the first one of a row: its indices as a number, row by row.
 */
static ValueId address_of(Lower *l, const Variable *v, uint32_t count, const ValueId *index) {
  TypeId type = program_get_value(l->p, v->value)->type, wide = c_index_type(l);
  ValueId at = v->value;
  for (uint32_t k = 0; k < count; k++) {
    ValueId step = index[k];
    for (uint32_t j = k + 1; j < v->rank; j++) step = build_binary(&l->b, OP_ARITH_MULI, step, v->length[j], wide);
    at = build_binary(&l->b, OP_TT_ADDPTR, at, step, type);
  }
  return at;
}

/* ---- reading and writing ---- */

ValueId c_read(Lower *l, const CNode *at, const Place *place) {
  c_at(l, at);
  if (place->kind == PLACE_ADDRESS) {
    require_within(l, at, place);
    return build_unary(&l->b, OP_TT_LOAD, place->address, c_type(l, at, place->type));
  }
  const Variable *v = &l->variables.data[place->variable];
  if (place->kind == PLACE_VARIABLE && v->kind == VARIABLE_SCALAR) {
    if (v->value) return v->value;
    TypeId type = c_type(l, at, v->type);
    return build_op(&l->b, OP_UB_POISON, 0, NULL, 1, &type);
  }
  if (v->kind == VARIABLE_MEMORY && v->type->kind == CTYPE_ARRAY && place->count < v->rank) {
    require_within(l, at, place);
    v = &l->variables.data[place->variable];
    return address_of(l, v, place->count, place->index);
  }
  if (place->kind != PLACE_ELEMENT || place->count != v->rank)
    c_refuse(l, at, "name its elements", "a value of type %s inside an expression", place->type->text);
  require_within(l, at, place);
  v = &l->variables.data[place->variable];
  if (v->kind == VARIABLE_ELEMENTS) return c_extract(l, v->value, place->count, place->index);
  return build_unary(&l->b, OP_TT_LOAD, address_of(l, v, v->rank, place->index), c_type(l, at, v->element));
}

void c_write(Lower *l, const CNode *at, const Place *place, ValueId value) {
  c_at(l, at);
  if (place->kind == PLACE_ADDRESS) {
    require_within(l, at, place);
    build_op(&l->b, OP_TT_STORE, 2, (ValueId[]){place->address, value}, 0, NULL);
    return;
  }
  Variable *v = &l->variables.data[place->variable];
  if (place->kind == PLACE_VARIABLE && v->kind == VARIABLE_SCALAR) {
    v->value = value, v->wide = 0;
    return;
  }
  if (place->kind != PLACE_ELEMENT || place->count != v->rank)
    c_refuse(l, at, "assign its elements", "a value of type %s is not assigned here", place->type->text);
  require_within(l, at, place);
  v = &l->variables.data[place->variable];
  if (v->kind == VARIABLE_MEMORY)
    build_op(&l->b, OP_TT_STORE, 2, (ValueId[]){address_of(l, v, v->rank, place->index), value}, 0, NULL);
  else
    v->value = c_insert(l, value, v->value, place->count, place->index);
}

/* ---- whole vectors ---- */

/* A row or all of a vector of the function's own: no copy is needed, values do not change. */
static void take_part(Lower *l, const Place *from, Variable *to) {
  const Variable v = l->variables.data[from->variable];
  to->value = c_extract(l, v.value, from->count, from->index);
  for (uint32_t k = 0; k < to->rank; k++) {
    ValueId length = v.length[k + from->count];
    to->length[k] = v.is_fixed ? length : c_extract(l, length, from->count, from->index);
  }
}

/* One axis of a copy out of memory: a loop that carries the elements. */
static void copy_axis(Lower *l, const CNode *at, const Variable *from, Place *row, Variable *to, uint32_t axis) {
  Builder *b = &l->b;
  TypeId wide = c_index_type(l), types[2] = {wide, program_get_value(l->p, to->value)->type};
  ValueId parts[4] = {build_integer(b, wide, 0), from->length[row->count], build_integer(b, wide, 1), to->value};
  OpId op = build_open(b, OP_SCF_FOR);
  BlockId outer = b->block;
  b->block = build_block(b, op, 2, types);
  RegionId region = program_get_block(l->p, b->block)->region;
  ValueId first = program_get_block(l->p, b->block)->first_arg;
  row->index[row->count++] = first;
  to->value = first + 1;
  if (axis + 1 < to->rank) {
    copy_axis(l, at, from, row, to, axis + 1);
  } else {
    const ValueId *own = row->index + row->count - axis - 1;
    ValueId element =
        build_unary(b, OP_TT_LOAD, address_of(l, from, from->rank, row->index), c_type(l, at, from->element));
    to->value = c_insert(l, element, to->value, axis + 1, own);
  }
  row->count--;
  build_op(b, OP_SCF_YIELD, 1, &to->value, 0, NULL);
  b->block = outer;
  to->value = build_close(b, op, 4, parts, 1, types + 1, 1, &region);
}

/* The same length for every row. */
static ValueId fill_length(Lower *l, ValueId length, uint32_t rank) {
  for (uint32_t k = 1; k <= rank; k++)
    length = build_unary(&l->b, OP_ARRAY_FILL, length, program_type_array(l->p, c_index_type(l), k));
  return length;
}

void c_copy(Lower *l, const CNode *at, const Place *from, Variable *to) {
  const Variable source = l->variables.data[from->variable];
  if (from->kind == PLACE_ADDRESS || source.kind == VARIABLE_SCALAR)
    c_refuse(l, at, NULL, "this copy of a vector is not read yet");
  for (uint32_t k = 0; k < from->count; k++) {
    Place row = *from;
    row.count = k + 1;
    require_within(l, at, &row);
  }
  if (source.kind == VARIABLE_ELEMENTS) {
    take_part(l, from, to);
    return;
  }
  Place row = *from;
  c_make_empty(l, at, to);
  for (uint32_t k = 0; k < to->rank; k++) to->length[k] = fill_length(l, source.length[from->count + k], k);
  copy_axis(l, at, &source, &row, to, 0);
  build_attr_unit(&l->b, "written"); /* within its lengths, beyond which nothing is read */
  to->value = build_unary(&l->b, OP_ARRAY_EXTRACT, to->value, program_get_value(l->p, to->value)->type);
}

static Variable like(const Variable *v, uint32_t rank) {
  return (Variable){.kind = VARIABLE_ELEMENTS, .type = v->type, .element = v->element, .rank = rank};
}

/* What a vector or a row becomes: `part` under the indices of the place. */
static void put_part(Lower *l, const CNode *at, const Place *to, const Variable *part) {
  Variable *v = &l->variables.data[to->variable];
  if (v->kind != VARIABLE_ELEMENTS) c_refuse(l, at, NULL, "a vector parameter that is assigned as a whole");
  if (!to->count) {
    v->value = part->value;
    memcpy(v->length, part->length, sizeof v->length);
    return;
  }
  v->value = c_insert(l, part->value, v->value, to->count, to->index);
  for (uint32_t k = 0; k < part->rank; k++)
    v->length[k + to->count] = c_insert(l, part->length[k], v->length[k + to->count], to->count, to->index);
}

/* A length that is taken away from wraps where it would be below 0: there is no such vector. */
static void require_length(Lower *l, const CNode *at, ValueId count) {
  if (!c_may_be_negative(l, count)) return;
  ValueId zero = build_integer(&l->b, c_index_type(l), 0);
  c_require(l, at, build_compare(&l->b, OP_ARITH_CMPI, "sle", zero, count),
            "a vector has a length that is not below 0");
}

/* vector(n), vector(n, x): x may be a vector itself. */
static void make_filled(Lower *l, const CNode *at, ValueId count, const CNode *element, Variable *v) {
  TypeId type = c_array_type(l, at, v->element, v->rank);
  ValueId parts[2];
  if (v->rank == 1) {
    parts[0] = element                           ? c_convert(l, at, c_value(l, element), element->type, v->element)
               : v->element->kind == CTYPE_FLOAT ? build_real(&l->b, type = c_type(l, at, v->element), 0)
                                                 : build_integer(&l->b, c_type(l, at, v->element), 0);
    type = c_array_type(l, at, v->element, v->rank);
    v->value = build_unary(&l->b, OP_ARRAY_FILL, parts[0], type);
    v->length[0] = count;
    return;
  }
  Variable inner = like(v, v->rank - 1);
  if (element)
    c_vector_initial(l, element, &inner);
  else
    c_make_empty(l, at, &inner);
  v->value = build_unary(&l->b, OP_ARRAY_FILL, inner.value, type);
  v->length[0] = count;
  for (uint32_t k = 1; k < v->rank; k++)
    v->length[k] = build_unary(&l->b, OP_ARRAY_FILL, inner.length[k - 1], program_type_array(l->p, c_index_type(l), k));
}

static CNode *own_value(Lower *l, const CNode *at, const char *name, const CType *type, ValueId value,
                        const CNode *vector);

static void set_length(Lower *l, const Place *place, ValueId length) {
  Variable *v = &l->variables.data[place->variable];
  ValueId now = place->count ? c_insert(l, length, v->length[place->count], place->count, place->index) : length;
  l->variables.data[place->variable].length[place->count] = now;
}

/* What it holds is moved away: only what gives it a length again makes it a vector that may be read. */
static void take_vector(Lower *l, const CNode *at, const CNode *from, Variable *to) {
  TypeId wide = c_index_type(l);
  Place place = c_place(l, from);
  if (l->variables.data[place.variable].kind != VARIABLE_ELEMENTS)
    c_refuse(l, at, NULL, "a vector parameter that is moved from");
  c_copy(l, at, &place, to);
  set_length(l, &place, build_op(&l->b, OP_UB_POISON, 0, NULL, 1, &wide));
}

/* for (i = 0; i < last - first; i++) object.push_back(first[i]) */
static void append_range(Lower *l, const CNode *at, const CNode *object, const CNode *first, const CNode *last) {
  static const CType number = {.kind = CTYPE_INT, .width = 64, .is_signed = true, .text = "long"};
  uint32_t scope = l->variables.count;
  if (c_has_effect(first) || c_has_effect(last) || c_has_effect(object) || c_root(object) == c_root(first))
    c_refuse(l, at, "name the iterators, or append the elements one by one", "this range of a vector is not read yet");
  CNode *count = c_node(l, at, CNODE_BINARY, CBINARY_SUB, &number, 2, last, first);
  ValueId length = c_value(l, count), zero = build_integer(&l->b, c_index_type(l), 0);
  c_require(l, at, build_compare(&l->b, OP_ARITH_CMPI, "sle", zero, length), "the range does not end before it begins");
  CNode *bound = own_value(l, at, "n", &number, length, NULL), *start = c_node(l, at, CNODE_INTEGER, 0, &number, 0);
  start->integer = 0;
  CNode *i = c_node(l, at, CNODE_VARIABLE, 0, &number, 1, start), *name = c_node(l, at, CNODE_NAME, 0, &number, 0);
  CNode *element = c_node(l, at, CNODE_SUBSCRIPT, 0, first->type->element, 2, first, name);
  CNode *push = c_node(l, at, CNODE_METHOD, 0, at->type, 2, object, element);
  push->name = "push_back", i->name = name->name = "i", name->target = i;
  c_statement(l, c_node(l, at, CNODE_FOR, 0, at->type, 4, c_node(l, at, CNODE_DECLARE, 0, at->type, 1, i),
                        c_node(l, at, CNODE_BINARY, CBINARY_LT, &number, 2, name, bound),
                        c_node(l, at, CNODE_UNARY, CUNARY_PRE_INC, &number, 1, name), push));
  l->variables.count = scope;
}

/* vector(first, last) */
static void make_of_range(Lower *l, const CNode *initial, Variable *v) {
  uint32_t scope = l->variables.count;
  CType *type = arena_new(l->arena, CType);
  *type = *initial->type, type->is_reference = type->is_const = false;
  CNode *own = own_value(l, initial, "range", type, 0, c_node(l, initial, CNODE_CONSTRUCT, 0, type, 0));
  append_range(l, initial, own, initial->children[0], initial->children[1]);
  const Variable made = l->variables.data[scope];
  v->value = made.value;
  memcpy(v->length, made.length, sizeof v->length);
  l->variables.count = scope;
}

static bool is_range(const CNode *first, const CNode *last) {
  return first->type->kind == CTYPE_POINTER && last->type->kind == CTYPE_POINTER;
}

void c_vector_initial(Lower *l, const CNode *initial, Variable *v) {
  if (!initial || (initial->kind == CNODE_CONSTRUCT && !initial->count)) {
    c_make_empty(l, initial ? initial : v->declaration, v);
    return;
  }
  if (initial->kind == CNODE_CONSTRUCT && initial->count <= 2 && initial->children[0]->type->kind == CTYPE_INT &&
      (initial->count == 1 || initial->children[1]->type->kind != CTYPE_POINTER)) {
    ValueId count = c_index(l, initial->children[0]);
    require_length(l, initial, count);
    make_filled(l, initial, count, initial->count == 2 ? initial->children[1] : NULL, v);
    return;
  }
  if (initial->kind == CNODE_CONSTRUCT && initial->count == 2 && is_range(initial->children[0], initial->children[1])) {
    make_of_range(l, initial, v);
    return;
  }
  if (initial->kind == CNODE_CALL && c_body_of(initial)) {
    c_inline_vector(l, initial, v);
    return;
  }
  if (initial->kind == CNODE_MOVE) {
    take_vector(l, initial, initial->children[0], v);
    return;
  }
  bool is_element =
      initial->kind == CNODE_SUBSCRIPT || (initial->kind == CNODE_UNARY && initial->op == CUNARY_DEREFERENCE);
  if (initial->kind == CNODE_NAME || initial->kind == CNODE_METHOD || is_element) {
    Place from = c_place(l, initial);
    c_copy(l, initial, &from, v);
    return;
  }
  c_refuse(l, initial, "vectors begin empty, as (count), (count, value) or as a copy",
           "this way to make a vector is not read yet");
}

void c_set_vector(Lower *l, const CNode *at, const Place *to, const CNode *value) {
  Variable part = like(&l->variables.data[to->variable], l->variables.data[to->variable].rank - to->count);
  c_vector_initial(l, value, &part);
  put_part(l, at, to, &part);
}

static void push_back(Lower *l, const CNode *node, const CNode *element) {
  Place place = c_place(l, node->children[0]);
  TypeId wide = c_index_type(l);
  const Variable v = l->variables.data[place.variable];
  if (v.kind != VARIABLE_ELEMENTS) c_refuse(l, node, NULL, "a vector parameter that grows is not read yet");
  ValueId length = c_length(l, node, &place);
  Place end = add_index(l, node, place, length, element->type);
  if (end.count == v.rank) {
    ValueId value = c_convert(l, node, c_value(l, element), element->type, v.element);
    Variable *now = &l->variables.data[place.variable];
    now->value = c_insert(l, value, now->value, end.count, end.index);
  } else {
    Variable part = like(&v, v.rank - end.count);
    c_vector_initial(l, element, &part);
    put_part(l, node, &end, &part);
  }
  length = c_fitting(l, OP_ARITH_ADDI, length, build_integer(&l->b, wide, 1), wide);
  Variable *now = &l->variables.data[place.variable];
  now->length[place.count] =
      place.count ? c_insert(l, length, now->length[place.count], place.count, place.index) : length;
}

static const Variable *own_vector(Lower *l, const CNode *node, const Place *place) {
  const Variable *v = &l->variables.data[place->variable];
  if (place->kind == PLACE_ADDRESS || v->kind != VARIABLE_ELEMENTS)
    c_refuse(l, node, NULL, "a vector parameter whose length changes is not read yet");
  return v;
}

static bool is_zero(Lower *l, ValueId value) {
  int64_t known;
  return build_is_constant(l->p, value, &known) && !known;
}

/* A variable of that value, which is computed once. */
static CNode *own_value(Lower *l, const CNode *at, const char *name, const CType *type, ValueId value,
                        const CNode *vector) {
  CNode *own = c_node(l, at, CNODE_VARIABLE, 0, type, 1, NULL), *named = c_node(l, at, CNODE_NAME, 0, type, 0);
  own->name = named->name = name, named->target = own;
  uint32_t i = c_declare(l, own, vector ? VARIABLE_ELEMENTS : VARIABLE_SCALAR);
  Variable v = l->variables.data[i];
  v.value = value;
  if (vector) c_vector_initial(l, vector, &v);
  l->variables.data[i] = v;
  return named;
}

/* for (i = v.size(); i < n; i++) v.push_back(x) */
static void grow(Lower *l, const CNode *node, ValueId count, const CNode *element) {
  static const CType wide = {.kind = CTYPE_INT, .width = 64, .is_signed = true, .text = "long"};
  const CNode *object = node->children[0];
  uint32_t scope = l->variables.count;
  CType *of = arena_new(l->arena, CType);
  *of = *object->type->element, of->is_reference = of->is_const = false;
  if (c_has_effect(object)) c_refuse(l, node, NULL, "a vector whose length changes and that is named by an effect");
  CNode *size = c_node(l, node, CNODE_METHOD, 0, &wide, 1, object);
  CNode *i = c_node(l, node, CNODE_VARIABLE, 0, &wide, 1, size), *name = c_node(l, node, CNODE_NAME, 0, &wide, 0);
  CNode *bound = own_value(l, node, "n", &wide, count, NULL), *value;
  if (element && of->kind == CTYPE_VECTOR) {
    value = own_value(l, node, "x", of, 0, element);
  } else if (element) {
    value = own_value(l, node, "x", of, c_convert(l, node, c_value(l, element), element->type, of), NULL);
  } else {
    value = c_node(l, node,
                   of->kind == CTYPE_FLOAT    ? CNODE_REAL
                   : of->kind == CTYPE_VECTOR ? CNODE_CONSTRUCT
                                              : CNODE_INTEGER,
                   0, of, 0);
    value->integer = 0, value->real = 0;
  }
  CNode *push = c_node(l, node, CNODE_METHOD, 0, node->type, 2, object, value);
  size->name = "size", push->name = "push_back", i->name = name->name = "i", name->target = i;
  c_statement(l, c_node(l, node, CNODE_FOR, 0, node->type, 4, c_node(l, node, CNODE_DECLARE, 0, node->type, 1, i),
                        c_node(l, node, CNODE_BINARY, CBINARY_LT, &wide, 2, name, bound),
                        c_node(l, node, CNODE_UNARY, CUNARY_PRE_INC, &wide, 1, name), push));
  l->variables.count = scope;
}

/* resize(n), resize(n, x): an empty vector is made anew, another one grows by push_back or is cut off. */
static void resize(Lower *l, const CNode *node) {
  Place place = c_place(l, node->children[0]);
  const CNode *element = node->count == 3 ? node->children[2] : NULL;
  Variable part = like(own_vector(l, node, &place), l->variables.data[place.variable].rank - place.count);
  ValueId length = c_length(l, node, &place), count = c_index(l, node->children[1]);
  require_length(l, node, count);
  if (!is_zero(l, length) && !is_method(node, "assign", 2)) {
    grow(l, node, count, element);
    set_length(l, &place, count);
    return;
  }
  make_filled(l, node, count, element, &part);
  put_part(l, node, &place, &part);
}

/* Of a vector, or a row of one: a value of its own. */
static Variable part_of(Lower *l, const CNode *at, const Place *place) {
  const Variable *v = own_vector(l, at, place);
  Variable part = like(v, v->rank - place->count);
  c_copy(l, at, place, &part);
  return part;
}

void c_swap_vectors(Lower *l, const CNode *node) {
  Place places[2];
  Variable parts[2];
  for (int i = 0; i < 2; i++) places[i] = c_place(l, node->children[i]), parts[i] = part_of(l, node, &places[i]);
  for (int i = 0; i < 2; i++) put_part(l, node, &places[i], &parts[1 - i]);
}

/* true: it was one of these. */
static bool change_length(Lower *l, const CNode *node) {
  TypeId wide = c_index_type(l);
  if (is_method(node, "assign", 2) && is_range(node->children[1], node->children[2])) {
    Place place = c_place(l, node->children[0]);
    own_vector(l, node, &place);
    set_length(l, &place, build_integer(&l->b, wide, 0));
    append_range(l, node, node->children[0], node->children[1], node->children[2]);
  } else if (is_method(node, "insert", 3) && is_range(node->children[2], node->children[3])) {
    const CNode *at = node->children[1];
    if ((!is_method(at, "end", 0) && !is_method(at, "cend", 0)) || c_root(at) != c_root(node->children[0]))
      c_refuse(l, node, "append at the end", "an insertion into the middle of a vector is not read yet");
    append_range(l, node, node->children[0], node->children[2], node->children[3]);
  } else if (is_method(node, "swap", 1) && node->children[1]->type->kind == CTYPE_VECTOR) {
    c_swap_vectors(l, node);
  } else if (is_method(node, "resize", 1) || is_method(node, "resize", 2) || is_method(node, "assign", 2)) {
    resize(l, node);
  } else if (is_method(node, "clear", 0)) {
    Place place = c_place(l, node->children[0]);
    own_vector(l, node, &place);
    set_length(l, &place, build_integer(&l->b, wide, 0));
  } else if (is_method(node, "pop_back", 0)) {
    Place place = c_place(l, node->children[0]);
    own_vector(l, node, &place);
    ValueId length = c_length(l, node, &place), zero = build_integer(&l->b, wide, 0);
    c_require(l, node, build_compare(&l->b, OP_ARITH_CMPI, "sgt", length, zero), "the vector is not empty");
    set_length(l, &place, c_fitting(l, OP_ARITH_SUBI, length, build_integer(&l->b, wide, 1), wide));
  } else {
    return false;
  }
  return true;
}

bool c_vector_method(Lower *l, const CNode *node, ValueId *value) {
  const CNode *object = node->children[0];
  TypeId wide = c_index_type(l);
  if (object->type->kind != CTYPE_VECTOR) return false;
  if (change_length(l, node)) return true;
  if (is_method(node, "size", 0)) {
    Place place = c_place(l, object);
    *value = c_length(l, node, &place);
  } else if (is_method(node, "empty", 0)) {
    Place place = c_place(l, object);
    *value = build_compare(&l->b, OP_ARITH_CMPI, "eq", c_length(l, node, &place), build_integer(&l->b, wide, 0));
  } else if (is_method(node, "push_back", 1) || is_method(node, "emplace_back", 1)) {
    push_back(l, node, node->children[1]);
  } else if (is_method(node, "emplace_back", 0)) {
    static const CType integer = {.kind = CTYPE_INT, .width = 32, .is_signed = true, .text = "int"};
    const CType *element = object->type->element;
    bool is_zero = c_is_number(element);
    CNode *made = c_node(l, node, is_zero ? CNODE_INTEGER : CNODE_CONSTRUCT, 0, is_zero ? &integer : element, 0);
    made->integer = 0;
    push_back(l, node, made);
  } else if (is_method(node, "reserve", 1)) {
    c_effect(l, node->children[1]); /* what it holds does not change */
  } else if (is_method(node, "operator[]", 1) || is_method(node, "at", 1) || is_method(node, "front", 0) ||
             is_method(node, "back", 0)) {
    Place place = c_place(l, node);
    *value = c_read(l, node, &place);
  } else if (is_method(node, "operator=", 1)) {
    Place to = c_place(l, object);
    c_set_vector(l, node, &to, node->children[1]);
  } else {
    return false;
  }
  return true;
}
