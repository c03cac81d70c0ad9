/* From clang's cursors to our tree (see tree.h).
 *
 * libclang shows a typed tree of expressions and statements in which implicit conversions are nodes without a name: a
 * child of another type. That is all that is needed of C's rules of conversion. What it does not show is which part
 * of a `for` is missing; the semicolons of the source tell that.
 *
 * A visitor of libclang must not unwind, as C++ frames lie below it: children are first gathered in memory of their
 * own, then converted. The unit stays in a variable of the thread while it is open, because any allocation may unwind;
 * the next one that is read closes it. */
#include "read/c/tree.h"

#include <stdlib.h>
#include <string.h>

#include "read/c/clang.h"

typedef struct Known {
  ClangCursor cursor;
  unsigned hash;
  CNode *node;
} Known;

typedef struct KnownRecord {
  ClangCursor cursor;
  unsigned hash;
  CRecord *record; /* NULL: it is no plain data */
} KnownRecord;

typedef struct Reader {
  Arena *arena;
  const Clang *clang;
  Source *source;
  const ReadOptions *options;
  DiagnosticList *diagnostics;
  CTree *tree;
  Array(Known) known; /* variables and functions */
  Array(KnownRecord) records;
  bool keeps_going;           /* past errors: in C, as clang drops statements of C++ that call what has one */
  Array(ClangCursor) reached; /* declarations, while a function is searched for faults */
  void *main_file;
  CNode *self;        /* the object of the method or constructor that is read, as a variable; NULL: it is none */
  ClangCursor method; /* which one that is */
} Reader;

typedef struct CursorList {
  ClangCursor *data;
  unsigned count, room;
  bool is_full; /* memory ran out */
} CursorList;

typedef struct Session {
  void *index, *unit;
  CursorList children; /* while they are gathered */
} Session;

static _Thread_local Session session;

static void close_session(const Clang *clang) {
  if (session.unit) clang->disposeTranslationUnit(session.unit);
  if (session.index) clang->disposeIndex(session.index);
  free(session.children.data);
  session = (Session){0};
}

static CNode *convert(Reader *r, ClangCursor cursor);
static void *file_extent(Reader *r, ClangCursor cursor, unsigned *begin, unsigned *end);
static CNode *unknown(Reader *r, ClangCursor cursor);

/* ---- small things ---- */

static const char *take_string(Reader *r, ClangString string) {
  const char *text = r->clang->getCString(string);
  const char *copy = arena_copy(r->arena, text ? text : "", text ? strlen(text) : 0);
  r->clang->disposeString(string);
  return copy;
}

static const char *spelling(Reader *r, ClangCursor cursor) {
  return take_string(r, r->clang->getCursorSpelling(cursor));
}

static int gather(ClangCursor cursor, ClangCursor parent, void *payload) {
  CursorList *list = payload;
  (void)parent;
  if (list->count == list->room) {
    unsigned room = list->room ? 2 * list->room : 64;
    ClangCursor *data = realloc(list->data, room * sizeof *data);
    if (!data) return list->is_full = true, CLANG_VISIT_BREAK;
    list->data = data, list->room = room;
  }
  list->data[list->count++] = cursor;
  return CLANG_VISIT_CONTINUE;
}

/* The children of a cursor, in the arena. */
static ClangCursor *children_of(Reader *r, ClangCursor cursor, uint32_t *count) {
  session.children.count = 0;
  r->clang->visitChildren(cursor, gather, &session.children);
  if (session.children.is_full) guard_throw(r->arena->guard, GUARD_MEMORY, "out of memory");
  *count = session.children.count;
  ClangCursor *list = arena_array(r->arena, ClangCursor, *count + 1);
  if (*count) memcpy(list, session.children.data, *count * sizeof *list);
  return list;
}

static bool is_expression(int kind) { return kind >= 100 && kind < 200; }

static void place(Reader *r, CNode *node, ClangCursor cursor) {
  const Clang *clang = r->clang;
  ClangRange range = clang->getCursorExtent(cursor);
  void *file = NULL;
  unsigned begin = 0, end = 0;
  clang->getExpansionLocation(clang->getRangeStart(range), &file, &node->line, &node->column, &begin);
  clang->getExpansionLocation(clang->getRangeEnd(range), &file, NULL, NULL, &end);
  bool own = clang->Location_isFromMainFile(clang->getCursorLocation(cursor));
  if (own && begin <= end && end <= r->source->size)
    node->span = (Span){begin, end};
  else if (file)
    node->file = take_string(r, clang->getFileName(file));
}

static CNode *new_node(Reader *r, CNodeKind kind, ClangCursor cursor) {
  CNode *node = arena_new(r->arena, CNode);
  guard_tick(r->arena->guard);
  node->kind = kind;
  place(r, node, cursor);
  return node;
}

/* ---- types ---- */

static bool is_standard(Reader *r, ClangCursor declaration, const char *name) {
  const Clang *clang = r->clang;
  return !strcmp(spelling(r, declaration), name) &&
         !strcmp(spelling(r, clang->getCursorSemanticParent(declaration)), "std");
}

static void fill_type(Reader *r, ClangType type, CType *out);
static const CType *convert_type(Reader *r, ClangType from);
static const CType *type_of(Reader *r, ClangCursor cursor);

static ClangCursor *children_of(Reader *r, ClangCursor cursor, uint32_t *count);

static int gather_field(ClangCursor cursor, void *payload) { return gather(cursor, cursor, payload); }

static bool is_constant(const CNode *node) {
  bool is_made = node->kind == CNODE_CAST || node->kind == CNODE_UNARY || node->kind == CNODE_BINARY;
  for (uint32_t i = 0; i < node->count; i++)
    if (!is_constant(node->children[i])) return false;
  return is_made || node->kind == CNODE_INTEGER || node->kind == CNODE_REAL;
}

/* `int n = 3;` inside of a struct; false: what is no constant number. */
static bool find_initial(Reader *r, ClangCursor cursor, CField *field) {
  uint32_t count;
  ClangCursor *parts = children_of(r, cursor, &count);
  CTypeKind kind = field->type->kind;
  for (uint32_t i = 0; i < count; i++) {
    if (!is_expression(parts[i].kind) || (kind == CTYPE_ARRAY && parts[i].kind != CLANG_INIT_LIST)) continue;
    bool is_number = kind == CTYPE_INT || kind == CTYPE_FLOAT || kind == CTYPE_BOOL;
    field->initial = is_number && !field->initial ? convert(r, parts[i]) : NULL;
    if (!field->initial || !is_constant(field->initial)) return false;
  }
  return true;
}

/* A member of a class that makes copies or calls of it more than its text says. */
static bool is_special(Reader *r, ClangCursor member) {
  const Clang *clang = r->clang;
  if (member.kind == CLANG_CONSTRUCTOR)
    return clang->CXXConstructor_isCopyConstructor(member) || clang->CXXConstructor_isMoveConstructor(member) ||
           clang->CXXMethod_isDefaulted(member);
  if (member.kind == CLANG_METHOD)
    return clang->CXXMethod_isVirtual(member) || !strcmp(spelling(r, member), "operator=");
  if (member.kind == CLANG_FUNCTION_TEMPLATE) /* it may make copies of what is no constant */
    return clang->getTemplateCursorKind(member) == CLANG_CONSTRUCTOR;
  return member.kind == CLANG_DESTRUCTOR;
}

static CRecord *record_of(Reader *r, ClangType type);

/* Of a class with one base, the fields of that come first: a derived object is one of its base too. False: the base is
 * no plain data. */
static bool fill_base(Reader *r, ClangCursor base, CRecord *record) {
  CRecord *of = record_of(r, r->clang->getCanonicalType(r->clang->getCursorType(base)));
  if (!of || record->count || of->is_constructed || of->has_constructor) return false;
  record->fields = of->fields, record->count = of->count, record->has_initials = of->has_initials;
  return true;
}

/* Plain data, which constructors may fill: no bits, nothing that is called unseen, nothing that a method changes in a
 * constant. */
static bool fill_fields(Reader *r, ClangType type, CRecord *record) {
  const Clang *clang = r->clang;
  uint32_t count;
  ClangCursor *parts = children_of(r, clang->getTypeDeclaration(type), &count);
  bool constructs = false;
  for (uint32_t i = 0; i < count; i++) {
    if (is_special(r, parts[i]) || (parts[i].kind == CLANG_BASE && !fill_base(r, parts[i], record))) return false;
    constructs |= parts[i].kind == CLANG_CONSTRUCTOR;
  }
  if (constructs && record->has_initials) return false; /* it would fill those of its base, unseen */
  uint32_t inherited = record->count;
  const CField *of_base = record->fields;
  session.children.count = 0;
  clang->Type_visitFields(type, gather_field, &session.children);
  if (session.children.is_full) guard_throw(r->arena->guard, GUARD_MEMORY, "out of memory");
  count = session.children.count;
  ClangCursor *fields = arena_array(r->arena, ClangCursor, count + 1);
  if (count) memcpy(fields, session.children.data, count * sizeof *fields);
  record->fields = arena_array(r->arena, CField, inherited + count + 1);
  if (inherited) memcpy(record->fields, of_base, inherited * sizeof *of_base);
  for (uint32_t i = 0; i < count; i++) {
    CField *field = &record->fields[inherited + i];
    *field = (CField){.name = spelling(r, fields[i]), .type = type_of(r, fields[i])};
    if (!*field->name || clang->Cursor_isBitField(fields[i]) || !find_initial(r, fields[i], field)) return false;
    for (uint32_t k = 0; k < inherited; k++)
      if (!strcmp(field->name, record->fields[k].name)) return false; /* which one is meant is told by its class */
    record->has_initials |= field->initial != NULL;
    if (clang->CXXField_isMutable(fields[i])) return false;
    if (constructs && field->type->is_reference) return false; /* a constructor gives it a place, no value */
    const CType *inner = field->type;
    while (inner->kind == CTYPE_ARRAY) inner = inner->element;
    bool calls = inner->kind == CTYPE_STRUCT && (inner->record->is_constructed || inner->record->has_initials);
    if (calls && constructs) return false; /* it would call that of the field, unseen */
    record->is_constructed |= calls;
  }
  record->has_constructor = constructs;
  record->is_constructed |= constructs;
  record->count = inherited + count;
  return record->count > 0;
}

/* One for each type, which may point to itself. */
static CRecord *record_of(Reader *r, ClangType type) {
  ClangCursor declaration = r->clang->getTypeDeclaration(type);
  unsigned hash = r->clang->hashCursor(declaration);
  for (uint32_t i = 0; i < r->records.count; i++)
    if (r->records.data[i].hash == hash && r->clang->equalCursors(r->records.data[i].cursor, declaration))
      return r->records.data[i].record;
  if (declaration.kind != CLANG_STRUCT_DECL && declaration.kind != CLANG_CLASS_DECL) return NULL; /* a union */
  CRecord *record = arena_new(r->arena, CRecord);
  uint32_t at = r->records.count;
  array_push(r->arena, &r->records, (KnownRecord){declaration, hash, record});
  if (!fill_fields(r, type, record)) r->records.data[at].record = NULL;
  return r->records.data[at].record;
}

static void fill_record(Reader *r, ClangType type, CType *out) {
  const Clang *clang = r->clang;
  ClangCursor declaration = clang->getTypeDeclaration(type);
  bool is_std = !strcmp(spelling(r, clang->getCursorSemanticParent(declaration)), "std");
  if (is_std && is_standard(r, declaration, "array") && clang->Type_getNumTemplateArguments(type) == 2) {
    ClangType element = clang->Type_getTemplateArgumentAsType(type, 0);
    int64_t size = clang->Type_getSizeOf(element), whole = clang->Type_getSizeOf(type);
    if (size < 1 || whole < size) return;
    out->kind = CTYPE_ARRAY, out->count = whole / size, out->is_object = true;
    out->element = convert_type(r, element);
    return;
  }
  if (is_std && is_standard(r, declaration, "back_insert_iterator")) { /* it appends to the vector that it is made of */
    fill_type(r, clang->getCanonicalType(clang->Type_getTemplateArgumentAsType(type, 0)), out);
    out->is_reference = true, out->is_const = false;
    return;
  }
  if (is_std && is_standard(r, declaration, "reverse_iterator")) {
    fill_type(r, clang->getCanonicalType(clang->Type_getTemplateArgumentAsType(type, 0)), out);
    out->is_reversed = true;
    return;
  }
  if (is_std && !is_standard(r, declaration, "pair") && !is_standard(r, declaration, "complex")) {
    if (!is_standard(r, declaration, "vector") || clang->Type_getNumTemplateArguments(type) < 1) return;
    out->kind = CTYPE_VECTOR;
    out->element = convert_type(r, clang->Type_getTemplateArgumentAsType(type, 0));
    return;
  }
  out->record = record_of(r, type);
  if (out->record) out->kind = CTYPE_STRUCT;
}

static void set_integer(CType *out, uint32_t width, bool is_signed) {
  out->kind = CTYPE_INT, out->width = width, out->is_signed = is_signed;
}

static void set_float(CType *out, FloatFormat format) {
  out->kind = CTYPE_FLOAT, out->format = format, out->width = program_float_bits(format);
}

static void fill_type(Reader *r, ClangType type, CType *out) {
  const Clang *clang = r->clang;
  switch (type.kind) {
  case CLANG_TYPE_VOID: out->kind = CTYPE_VOID; break;
  case CLANG_TYPE_BOOL: out->kind = CTYPE_BOOL, out->width = 1; break;
  case CLANG_TYPE_CHAR_U:
  case CLANG_TYPE_UCHAR: set_integer(out, 8, false); break;
  case CLANG_TYPE_CHAR_S:
  case CLANG_TYPE_SCHAR: set_integer(out, 8, true); break;
  case CLANG_TYPE_USHORT: set_integer(out, 16, false); break;
  case CLANG_TYPE_SHORT: set_integer(out, 16, true); break;
  case CLANG_TYPE_UINT: set_integer(out, 32, false); break;
  case CLANG_TYPE_INT: set_integer(out, 32, true); break;
  case CLANG_TYPE_ULONG:
  case CLANG_TYPE_ULONGLONG: set_integer(out, 64, false); break;
  case CLANG_TYPE_LONG:
  case CLANG_TYPE_LONGLONG: set_integer(out, 64, true); break;
  case CLANG_TYPE_FLOAT: set_float(out, FLOAT_F32); break;
  case CLANG_TYPE_DOUBLE: set_float(out, FLOAT_F64); break;
  case CLANG_TYPE_LONG_DOUBLE: set_float(out, FLOAT_F80); break;
  case CLANG_TYPE_POINTER:
    out->kind = CTYPE_POINTER;
    out->element = convert_type(r, clang->getPointeeType(type));
    break;
  case CLANG_TYPE_CONSTANT_ARRAY:
  case CLANG_TYPE_INCOMPLETE_ARRAY:
  case CLANG_TYPE_VARIABLE_ARRAY:
    out->kind = CTYPE_ARRAY;
    out->element = convert_type(r, clang->getArrayElementType(type));
    out->count = clang->getArraySize(type);
    break;
  case CLANG_TYPE_ENUM:
    fill_type(r, clang->getCanonicalType(clang->getEnumDeclIntegerType(clang->getTypeDeclaration(type))), out);
    break;
  case CLANG_TYPE_RECORD: fill_record(r, type, out); break;
  default: break; /* libclang's numbers, of which there are many: CTYPE_OTHER */
  }
}

static const CType *convert_type(Reader *r, ClangType from) {
  const Clang *clang = r->clang;
  CType *out = arena_new(r->arena, CType);
  ClangType type = clang->getCanonicalType(from);
  out->text = take_string(r, clang->getTypeSpelling(from));
  if (type.kind == CLANG_TYPE_LVALUE_REFERENCE || type.kind == CLANG_TYPE_RVALUE_REFERENCE) {
    out->is_reference = true;
    type = clang->getCanonicalType(clang->getPointeeType(type));
  }
  out->is_const = clang->isConstQualifiedType(type);
  fill_type(r, type, out);
  return out;
}

static const CType *type_of(Reader *r, ClangCursor cursor) { return convert_type(r, r->clang->getCursorType(cursor)); }

static bool same_type(const CType *a, const CType *b) {
  if (a->kind != b->kind || a->width != b->width) return false;
  if (a->kind == CTYPE_INT) return a->is_signed == b->is_signed;
  if (a->kind == CTYPE_FLOAT) return a->format == b->format;
  if (a->kind == CTYPE_ARRAY && a->count != b->count) return false;
  if (a->kind == CTYPE_POINTER || a->kind == CTYPE_ARRAY || a->kind == CTYPE_VECTOR)
    return same_type(a->element, b->element);
  if (a->kind == CTYPE_STRUCT) return a->record == b->record;
  return a->kind != CTYPE_OTHER || !strcmp(a->text, b->text);
}

/* ---- declarations ---- */

static CNode *find_known(Reader *r, ClangCursor cursor) {
  unsigned hash = r->clang->hashCursor(cursor);
  for (uint32_t i = r->known.count; i-- > 0;)
    if (r->known.data[i].hash == hash && r->clang->equalCursors(r->known.data[i].cursor, cursor))
      return r->known.data[i].node;
  return NULL;
}

static void know(Reader *r, ClangCursor cursor, CNode *node) {
  array_push(r->arena, &r->known, (Known){cursor, r->clang->hashCursor(cursor), node});
}

static void set_children(Reader *r, CNode *node, uint32_t count) {
  node->children = arena_array(r->arena, CNode *, count + 1);
  node->count = count;
}

static const CType *pointer_to(Reader *r, const CType *element, const char *text) {
  CType *pointer = arena_new(r->arena, CType);
  pointer->kind = CTYPE_POINTER, pointer->element = element, pointer->text = text;
  return pointer;
}

static bool has_variable_length(const CType *type) {
  if (type->kind == CTYPE_ARRAY && type->count < 0) return true;
  return (type->kind == CTYPE_ARRAY || type->kind == CTYPE_POINTER) && has_variable_length(type->element);
}

/* The lengths from the innermost array outwards, as libclang lists them. */
static const CType *with_extents(Reader *r, const CType *type, CNode *const *sizes, uint32_t count, uint32_t *used) {
  if (type->kind != CTYPE_ARRAY && type->kind != CTYPE_POINTER) return type;
  CType *copy = arena_new(r->arena, CType);
  *copy = *type;
  copy->element = with_extents(r, type->element, sizes, count, used);
  if (type->kind == CTYPE_ARRAY && *used < count) {
    CNode *size = sizes[(*used)++];
    if (type->count < 0) copy->extent = size;
  }
  return copy;
}

/* The type of a declaration, with the lengths that are written in it. Where a typedef has some of them, libclang does
 * not show which of the arrays the others belong to: none is taken. */
static const CType *declared_type(Reader *r, ClangCursor cursor) {
  const CType *type = type_of(r, cursor);
  if (type->is_reference || !has_variable_length(type)) return type;
  uint32_t count, n = 0, used = 0, arrays = 0;
  ClangCursor *parts = children_of(r, cursor, &count);
  CNode **sizes = arena_array(r->arena, CNode *, count + 1);
  for (uint32_t i = 0; i < count; i++)
    if (is_expression(parts[i].kind)) sizes[n++] = convert(r, parts[i]);
  for (const CType *t = type; t->kind == CTYPE_ARRAY || t->kind == CTYPE_POINTER; t = t->element)
    arrays += t->kind == CTYPE_ARRAY;
  bool is_open = r->clang->getCanonicalType(r->clang->getCursorType(cursor)).kind == CLANG_TYPE_INCOMPLETE_ARRAY;
  return n == arrays - is_open ? with_extents(r, type, sizes, n, &used) : type;
}

/* Declared in a file or a namespace, or static in a function. */
static int is_global(Reader *r, ClangCursor variable) {
  int parent = r->clang->getCursorSemanticParent(variable).kind;
  return parent == CLANG_TRANSLATION_UNIT || parent == CLANG_NAMESPACE || parent == CLANG_LINKAGE ||
         r->clang->Cursor_getStorageClass(variable) == CLANG_STORAGE_STATIC;
}

/* bytes / size, as the source has it: sizeof(T) * n, or a number. NULL: it is written otherwise, or may wrap on the way
 * to a number of 64 bits. */
CNode *c_elements_of(Arena *arena, CNode *bytes, int64_t size) {
  if (size == 1) return bytes;
  CNode *out = arena_new(arena, CNode);
  *out = *bytes;
  if (bytes->kind == CNODE_INTEGER) {
    out->integer = bytes->integer / size;
    return bytes->integer % size ? NULL : out;
  }
  if (bytes->type->kind != CTYPE_INT || (bytes->type->width < 64 && !bytes->type->is_signed)) return NULL;
  if (bytes->kind == CNODE_CAST && bytes->type->width >= bytes->children[0]->type->width)
    return c_elements_of(arena, bytes->children[0], size);
  if (bytes->kind != CNODE_BINARY || bytes->op != CBINARY_MUL) return NULL;
  for (int i = 0; i < 2; i++)
    if (bytes->children[i]->kind == CNODE_INTEGER && bytes->children[i]->integer == size) return bytes->children[1 - i];
  for (int i = 0; i < 2; i++) {
    CNode *part = c_elements_of(arena, bytes->children[i], size), *converted = arena_new(arena, CNode);
    if (!part) continue;
    *converted = *bytes, converted->kind = CNODE_CAST, converted->count = 1; /* both factors have the type of bytes */
    converted->children = arena_array(arena, CNode *, 1);
    converted->children[0] = part;
    out->children = arena_array(arena, CNode *, 2);
    out->children[i] = converted, out->children[1 - i] = bytes->children[1 - i];
    return out;
  }
  return NULL;
}

/* T *p = malloc(n * sizeof(T)) is an array of n elements: of the function's own, as nothing else has its address. */
static void allocate(Reader *r, CNode *node, ClangCursor cursor) {
  CNode *call = node->children[0], *bytes = NULL;
  while (call && call->kind == CNODE_CAST) call = call->children[0];
  if (!call || call->kind != CNODE_CALL || node->type->kind != CTYPE_POINTER || node->op) return;
  const Clang *clang = r->clang;
  int64_t size = clang->Type_getSizeOf(clang->getPointeeType(clang->getCanonicalType(clang->getCursorType(cursor))));
  if (!call->target || !call->target->file || strncmp(call->target->file, CLANG_HEADERS, strlen(CLANG_HEADERS)) ||
      size < 1)
    return; /* the user's own malloc */
  bool zero = !strcmp(call->name, "calloc") && call->count == 2;
  if (!strcmp(call->name, "malloc") && call->count == 1) bytes = call->children[0];
  if (zero) {
    bytes = new_node(r, CNODE_BINARY, cursor);
    bytes->op = CBINARY_MUL, bytes->type = call->children[0]->type;
    set_children(r, bytes, 2);
    memcpy(bytes->children, call->children, 2 * sizeof *bytes->children);
  }
  CNode *count = bytes ? c_elements_of(r->arena, bytes, size) : NULL;
  if (!count) return;
  CType *array = arena_new(r->arena, CType);
  *array = *node->type;
  array->kind = CTYPE_ARRAY, array->count = -1, array->extent = count, array->is_allocated = true;
  node->type = array;
  node->children[0] = NULL;
  if (!zero) return;
  node->children[0] = new_node(r, CNODE_LIST, cursor);
  node->children[0]->type = array;
  set_children(r, node->children[0], 0);
}

static CNode *convert_variable(Reader *r, ClangCursor cursor) {
  CNode *node = find_known(r, cursor);
  if (node) return node;
  node = new_node(r, CNODE_VARIABLE, cursor);
  node->name = spelling(r, cursor);
  node->type = declared_type(r, cursor);
  know(r, cursor, node);
  node->op = is_global(r, cursor);
  ClangCursor initial = r->clang->Cursor_getVarDeclInitializer(cursor);
  bool has = r->clang->getCursorType(initial).kind != 0;
  set_children(r, node, 1);
  node->children[0] = has ? convert(r, initial) : NULL;
  allocate(r, node, cursor);
  return node;
}

/* A parameter that is written as an array is a pointer to its first element (C17, 6.7.6.3). It keeps the axes that its
 * type has; a pointer to rows of a known length is an array of these. */
static const CType *parameter_type(Reader *r, ClangCursor parameter) {
  const CType *type = declared_type(r, parameter);
  if (type->kind == CTYPE_POINTER && type->element->kind == CTYPE_ARRAY) {
    CType *array = arena_new(r->arena, CType);
    *array = *type;
    array->kind = CTYPE_ARRAY, array->count = -1;
    type = array;
  }
  if (type->kind != CTYPE_ARRAY || type->is_reference) return type;
  bool is_open = type->count < 0 && !type->extent && type->element->kind != CTYPE_ARRAY;
  return is_open ? pointer_to(r, type->element, type->text) : type;
}

static bool is_walked(const CNode *node, const CNode *parameter) {
  if (!node) return false;
  bool assigns = (node->kind == CNODE_BINARY && node->op >= CBINARY_ASSIGN && node->op < CBINARY_COMMA) ||
                 (node->kind == CNODE_UNARY && node->op <= CUNARY_PRE_DEC);
  if (assigns && node->children[0]->kind == CNODE_NAME && node->children[0]->target == parameter) return true;
  for (uint32_t i = 0; i < node->count; i++)
    if (is_walked(node->children[i], parameter)) return true;
  return false;
}

static void set_name_types(CNode *node, const CNode *parameter) {
  if (!node) return;
  if (node->kind == CNODE_NAME && node->target == parameter) node->type = parameter->type;
  for (uint32_t i = 0; i < node->count; i++) set_name_types(node->children[i], parameter);
}

/* What the uses of a void pointer take it for: NULL: it is used otherwise, or for more than one type. */
static bool find_meant(const CNode *node, const CNode *parameter, const CType **meant) {
  if (!node) return true;
  if (node->kind == CNODE_NAME && node->target == parameter) return false;
  bool casts = node->kind == CNODE_CAST && node->children[0]->kind == CNODE_NAME &&
               node->children[0]->target == parameter && node->type->kind == CTYPE_POINTER;
  if (casts && *meant && !same_type((*meant)->element, node->type->element)) return false;
  if (casts) *meant = node->type;
  for (uint32_t i = 0; !casts && i < node->count; i++)
    if (!find_meant(node->children[i], parameter, meant)) return false;
  return true;
}

/* void *p that the body takes for T * throughout is such a pointer. */
static void type_void_pointer(CNode *body, CNode *parameter) {
  const CType *meant = NULL;
  if (parameter->type->kind != CTYPE_POINTER || parameter->type->element->kind != CTYPE_VOID) return;
  if (!find_meant(body, parameter, &meant) || !meant || meant->element->kind == CTYPE_VOID) return;
  parameter->type = meant;
  set_name_types(body, parameter);
}

/* An array parameter that the body moves is the pointer that it is; else its names have the type with its axes. */
static void type_array_parameters(Reader *r, const CNode *function) {
  CNode *body = function->children[function->count - 1];
  for (uint32_t i = 0; i + 1 < function->count; i++) {
    CNode *p = function->children[i];
    if (body) type_void_pointer(body, p);
    if (p->type->kind != CTYPE_ARRAY) continue;
    if (is_walked(body, p)) p->type = pointer_to(r, p->type->element, p->type->text);
    set_name_types(body, p);
  }
}

/* Of a class that is read: the type of its objects. NULL: of no such class, or a static method. */
static const CType *object_type(Reader *r, ClangCursor method) {
  ClangCursor parent = r->clang->getCursorSemanticParent(method);
  if (method.kind != CLANG_CONSTRUCTOR && (method.kind != CLANG_METHOD || r->clang->CXXMethod_isStatic(method)))
    return NULL;
  const CType *type = type_of(r, parent);
  return type->kind == CTYPE_STRUCT ? type : NULL;
}

static CNode *new_self(Reader *r, ClangCursor cursor, const CType *type) {
  CNode *self = new_node(r, CNODE_VARIABLE, cursor);
  CType *own = arena_new(r->arena, CType);
  *own = *type, own->is_reference = true;
  own->is_const = r->clang->CXXMethod_isConst(cursor);
  self->name = "this", self->type = own;
  set_children(r, self, 1);
  return self;
}

static CNode *self_name(Reader *r, ClangCursor cursor) {
  CNode *name = new_node(r, CNODE_NAME, cursor);
  name->name = r->self->name, name->type = r->self->type, name->target = r->self;
  return name;
}

/* What a field begins with, each time as nodes of its own. */
CNode *c_copy_constant(Arena *arena, const CNode *node) {
  CNode *out = arena_new(arena, CNode);
  *out = *node;
  out->children = arena_array(arena, CNode *, node->count + 1);
  for (uint32_t i = 0; i < node->count; i++) out->children[i] = c_copy_constant(arena, node->children[i]);
  return out;
}

/* `: x(value), y(value)`, as assignments of fields of the object. */
static CNode *member_initial(Reader *r, ClangCursor member, ClangCursor value) {
  CNode *field = new_node(r, CNODE_MEMBER, member), *set = new_node(r, CNODE_BINARY, member);
  const CRecord *record = r->self->type->record;
  field->name = spelling(r, member);
  for (uint32_t i = 0; i < record->count; i++)
    if (!strcmp(record->fields[i].name, field->name)) field->op = (int)i, field->type = record->fields[i].type;
  if (!field->type) return unknown(r, member);
  set_children(r, field, 1);
  field->children[0] = self_name(r, member);
  set->op = CBINARY_ASSIGN, set->type = field->type;
  set_children(r, set, 2);
  set->children[0] = field, set->children[1] = convert(r, value);
  if (field->type->kind == CTYPE_STRUCT || field->type->kind == CTYPE_ARRAY) return unknown(r, member);
  return set;
}

static bool is_before(const CNode *a, const CNode *b) {
  bool both = a->kind == CNODE_BINARY && b->kind == CNODE_BINARY;
  return both && a->children[0]->op < b->children[0]->op;
}

/* What the fields begin with that the constructor does not name. */
static uint32_t add_initials(Reader *r, ClangCursor cursor, const ClangCursor *parts, uint32_t count, CNode **out) {
  const CRecord *record = r->self->type->record;
  uint32_t n = 0;
  for (uint32_t k = 0; k < record->count; k++) {
    const CField *f = &record->fields[k];
    bool is_named = !f->initial;
    for (uint32_t i = 0; i < count && !is_named; i++)
      is_named = parts[i].kind == CLANG_MEMBER_REF && !strcmp(spelling(r, parts[i]), f->name);
    if (is_named) continue;
    CNode *field = new_node(r, CNODE_MEMBER, cursor), *set = out[n++] = new_node(r, CNODE_BINARY, cursor);
    field->name = f->name, field->op = (int)k, field->type = set->type = f->type, set->op = CBINARY_ASSIGN;
    set_children(r, field, 1);
    field->children[0] = self_name(r, cursor);
    set_children(r, set, 2);
    set->children[0] = field, set->children[1] = c_copy_constant(r->arena, f->initial);
  }
  return n;
}

/* A constructor: what is given to its fields, in their order, then its body. */
static CNode *constructor_body(Reader *r, ClangCursor cursor, const ClangCursor *parts, uint32_t count) {
  CNode *body = new_node(r, CNODE_COMPOUND, cursor);
  set_children(r, body, count + r->self->type->record->count);
  uint32_t n = add_initials(r, cursor, parts, count, body->children);
  for (uint32_t i = 0; i < count; i++) {
    if (parts[i].kind == CLANG_MEMBER_REF && i + 1 < count && is_expression(parts[i + 1].kind)) {
      body->children[n++] = member_initial(r, parts[i], parts[i + 1]);
      for (uint32_t k = n - 1; k > 0 && is_before(body->children[k], body->children[k - 1]); k--) {
        CNode *later = body->children[k - 1];
        body->children[k - 1] = body->children[k], body->children[k] = later;
      }
      i++;
    } else if (parts[i].kind == CLANG_COMPOUND) {
      body->children[n++] = convert(r, parts[i]);
    } else if (parts[i].kind == CLANG_MEMBER_REF || is_expression(parts[i].kind)) {
      body->children[n++] = unknown(r, parts[i]); /* another constructor is called */
    }
  }
  body->count = n;
  return body;
}

/* True if a constructor gives each field a value before anything else. */
static bool sets_fields(const CNode *body, const CRecord *record) {
  for (uint32_t k = 0; k < record->count; k++) {
    bool is_set = false;
    for (uint32_t i = 0; i < body->count && body->children[i]->kind == CNODE_BINARY; i++) {
      const CNode *to = body->children[i]->children[0];
      is_set |= body->children[i]->op == CBINARY_ASSIGN && to->kind == CNODE_MEMBER && to->op == (int)k;
    }
    if (!is_set) return false;
  }
  return true;
}

/* A lambda that stands in the method that is read sees its object. */
static bool is_closure_of(Reader *r, ClangCursor function) {
  ClangCursor parent = r->clang->getCursorSemanticParent(function);
  return function.kind == CLANG_METHOD && r->self &&
         r->clang->equalCursors(r->clang->getCursorSemanticParent(parent), r->method);
}

static const char *function_name(Reader *r, ClangCursor cursor, const CType *object) {
  const char *name = spelling(r, cursor);
  if (!object || cursor.kind == CLANG_CONSTRUCTOR) return name;
  return arena_format(r->arena, "%s_%s", spelling(r, r->clang->getCursorSemanticParent(cursor)), name);
}

/* Of a lambda, [&, x], where its class begins: clang does not show which are copies. NULL: they are not there, as in a
 * macro. */
static const char *captures_of(Reader *r, ClangCursor lambda) {
  unsigned begin = 0, end = 0;
  size_t size = 0;
  void *file = file_extent(r, lambda, &begin, &end);
  const char *text = file ? r->clang->getFileContents(session.unit, file, &size) : NULL;
  const char *close = text && begin < size && text[begin] == '[' ? memchr(text + begin, ']', size - begin) : NULL;
  return close ? arena_copy(r->arena, text + begin + 1, (size_t)(close - text) - begin - 1) : NULL;
}

/* A function, with its body where it has one that is not ours. A method takes its object as the first parameter, by
 * reference. */
static CNode *convert_function(Reader *r, ClangCursor cursor) {
  ClangCursor definition = r->clang->getCursorDefinition(cursor);
  if (r->clang->getCursorType(definition).kind) cursor = definition;
  CNode *node = find_known(r, cursor);
  if (node) return node;
  const CType *object = object_type(r, cursor);
  bool constructs = object && cursor.kind == CLANG_CONSTRUCTOR;
  CNode *outer = r->self;
  const ClangCursor outer_method = r->method;
  node = new_node(r, CNODE_FUNCTION, cursor);
  node->name = function_name(r, cursor, object);
  if (read_is_opaque(r->options, node->name)) node->op = CFUNCTION_OPAQUE;
  if (constructs) node->op = CFUNCTION_CONSTRUCTOR;
  if (!strcmp(node->name, "operator()")) node->captures = captures_of(r, r->clang->getCursorSemanticParent(cursor));
  node->type = convert_type(r, r->clang->getCursorResultType(cursor));
  know(r, cursor, node);
  if (object)
    r->self = new_self(r, cursor, object), r->method = cursor;
  else if (!is_closure_of(r, cursor))
    r->self = NULL;
  int parameters = r->clang->Cursor_getNumArguments(cursor);
  uint32_t count, first = object != NULL, n = first + (parameters > 0 ? (uint32_t)parameters : 0);
  set_children(r, node, n + 1);
  if (first) node->children[0] = r->self;
  for (uint32_t i = first; i < n; i++) {
    ClangCursor parameter = r->clang->Cursor_getArgument(cursor, i - first);
    CNode *p = node->children[i] = new_node(r, CNODE_VARIABLE, parameter);
    p->name = spelling(r, parameter), p->type = parameter_type(r, parameter);
    set_children(r, p, 1);
    know(r, parameter, p);
  }
  ClangCursor *parts = children_of(r, cursor, &count);
  for (uint32_t i = 0; i < count; i++)
    if (parts[i].kind == CLANG_COMPOUND)
      node->children[n] = constructs ? constructor_body(r, cursor, parts, count) : convert(r, parts[i]);
  node->sets_fields = constructs && node->children[n] && sets_fields(node->children[n], object->record);
  type_array_parameters(r, node);
  r->self = outer, r->method = outer_method;
  return node;
}

/* ---- expressions ---- */

static bool evaluate(Reader *r, ClangCursor cursor, CNode *node) {
  void *result = r->clang->Cursor_Evaluate(cursor);
  if (!result) return false;
  int kind = r->clang->EvalResult_getKind(result);
  if (kind == CLANG_EVAL_INT) node->kind = CNODE_INTEGER, node->integer = r->clang->EvalResult_getAsLongLong(result);
  if (kind == CLANG_EVAL_FLOAT) node->kind = CNODE_REAL, node->real = r->clang->EvalResult_getAsDouble(result);
  r->clang->EvalResult_dispose(result);
  return kind == CLANG_EVAL_INT || kind == CLANG_EVAL_FLOAT;
}

static CNode *unknown(Reader *r, ClangCursor cursor) {
  CNode *node = new_node(r, CNODE_UNKNOWN, cursor);
  node->name = take_string(r, r->clang->getCursorKindSpelling(cursor.kind));
  node->type = type_of(r, cursor);
  return node;
}

static CNode *convert_literal(Reader *r, ClangCursor cursor) {
  CNode *node = new_node(r, CNODE_UNKNOWN, cursor);
  node->type = type_of(r, cursor);
  return evaluate(r, cursor, node) ? node : unknown(r, cursor);
}

static CNode *convert_name(Reader *r, ClangCursor cursor) {
  ClangCursor target = r->clang->getCursorReferenced(cursor);
  CNode *node = new_node(r, CNODE_NAME, cursor);
  node->name = spelling(r, cursor);
  node->type = type_of(r, cursor);
  if (target.kind == CLANG_ENUM_CONSTANT) {
    node->kind = CNODE_INTEGER, node->integer = r->clang->getEnumConstantDeclValue(target);
  } else if (target.kind == CLANG_VARIABLE || target.kind == CLANG_PARAMETER) {
    if (node->type->is_const && (node->type->kind == CTYPE_INT || node->type->kind == CTYPE_FLOAT) &&
        target.kind == CLANG_VARIABLE && evaluate(r, cursor, node))
      return node;
    node->target = convert_variable(r, target);
    const CType *type = node->target->type; /* libclang shows a parameter that is written as an array as one */
    if (!type->is_reference && (type->kind == CTYPE_POINTER || type->kind == CTYPE_ARRAY)) node->type = type;
  } else if (target.kind == CLANG_FUNCTION) {
    node->target = convert_function(r, target);
  } else {
    return unknown(r, cursor);
  }
  return node;
}

/* The type that the parts give, where lengths of arrays stand in it; else clang's. */
static const CType *operator_type(Reader *r, const CNode *node) {
  for (uint32_t i = 0; i < node->count; i++) {
    const CType *part = node->children[i]->type;
    if (!part || (part->kind != CTYPE_POINTER && part->kind != CTYPE_ARRAY)) continue;
    bool points = node->type->kind == CTYPE_POINTER;
    if (node->kind == CNODE_SUBSCRIPT) return part->element;
    if (node->kind == CNODE_UNARY && node->op == CUNARY_DEREFERENCE) return part->element;
    if (node->kind == CNODE_UNARY && node->op == CUNARY_ADDRESS) return pointer_to(r, part, node->type->text);
    if (points && node->kind == CNODE_UNARY && part->kind == CTYPE_POINTER) return part;
    if (points && node->kind == CNODE_BINARY && part->kind == CTYPE_POINTER && node->op != CBINARY_COMMA) return part;
  }
  return node->type;
}

static CNode *convert_operator(Reader *r, ClangCursor cursor, CNodeKind kind, uint32_t wanted) {
  uint32_t count;
  ClangCursor *parts = children_of(r, cursor, &count);
  if (count < wanted) return unknown(r, cursor);
  CNode *node = new_node(r, kind, cursor);
  node->type = type_of(r, cursor);
  if (kind == CNODE_BINARY) node->op = r->clang->getCursorBinaryOperatorKind(cursor);
  if (kind == CNODE_UNARY) node->op = r->clang->getCursorUnaryOperatorKind(cursor);
  set_children(r, node, wanted);
  for (uint32_t i = 0; i < wanted; i++) node->children[i] = convert(r, parts[count - wanted + i]);
  node->type = operator_type(r, node);
  c_subscript_rows(r->arena, node);
  return node;
}

static CNode *cast_to(Reader *r, ClangCursor cursor, CNode *inner) {
  const CType *type = type_of(r, cursor), *from = inner->type;
  bool is_written = cursor.kind != CLANG_UNEXPOSED_EXPR && cursor.kind != CLANG_PARENTHESES;
  if (!from) return inner; /* it is refused where it stands */
  if (!is_written && type->kind == CTYPE_ARRAY && from->kind == CTYPE_POINTER) return inner; /* a parameter */
  if (!is_written && type->kind == CTYPE_POINTER && from->kind == CTYPE_ARRAY)
    type = pointer_to(r, from->element, type->text);
  if (same_type(type, from) && !(is_written && has_variable_length(type))) return inner;
  CNode *node = new_node(r, CNODE_CAST, cursor);
  node->type = type;
  set_children(r, node, 1);
  node->children[0] = inner;
  return node;
}

/* Parentheses, implicit conversions, temporaries, explicit casts: the last child that is an expression. */
static CNode *convert_wrapped(Reader *r, ClangCursor cursor) {
  uint32_t count;
  ClangCursor *parts = children_of(r, cursor, &count);
  for (uint32_t i = count; i-- > 0;)
    if (is_expression(parts[i].kind)) return cast_to(r, cursor, convert(r, parts[i]));
  return convert_literal(r, cursor);
}

static CNode *convert_arguments(Reader *r, ClangCursor cursor, CNode *node, uint32_t before) {
  int n = r->clang->Cursor_getNumArguments(cursor);
  uint32_t count = n > 0 ? (uint32_t)n : 0;
  CNode **objects = node->children;
  set_children(r, node, before + count);
  if (before) node->children[0] = objects[0];
  for (uint32_t i = 0; i < count; i++) node->children[before + i] = convert(r, r->clang->Cursor_getArgument(cursor, i));
  return node;
}

/* Of std::array, as of the array that it is. */
static CNode *convert_array_method(Reader *r, ClangCursor cursor, CNode *node) {
  CNode *object = node->children[0], *index = node->count == 2 ? node->children[1] : NULL;
  static const CType wide = {.kind = CTYPE_INT, .width = 64, .is_signed = true, .text = "long"};
  bool back = !strcmp(node->name, "back"), front = !strcmp(node->name, "front");
  CNode *number = new_node(r, CNODE_INTEGER, cursor);
  number->type = &wide, number->integer = back ? object->type->count - 1 : 0;
  if (!strcmp(node->name, "size") && !index) {
    number->integer = object->type->count, number->type = node->type;
    return number;
  }
  if (front || back) index = number;
  if (!index || (!front && !back && strcmp(node->name, "operator[]") && strcmp(node->name, "at")))
    return unknown(r, cursor);
  CNode *element = new_node(r, CNODE_SUBSCRIPT, cursor);
  element->type = object->type->element;
  set_children(r, element, 2);
  element->children[0] = object, element->children[1] = index;
  return element;
}

static CNode *convert_methods(Reader *r, ClangCursor cursor, CNode *node) {
  uint32_t count, inner;
  node->kind = CNODE_METHOD;
  if (!strncmp(node->name, "operator", 8)) return convert_arguments(r, cursor, node, 0);
  ClangCursor *parts = children_of(r, cursor, &count);
  if (!count || parts[0].kind != CLANG_MEMBER_EXPR) return convert_literal(r, cursor); /* a static one */
  ClangCursor *objects = children_of(r, parts[0], &inner);
  if (!inner || !is_expression(objects[0].kind)) return unknown(r, cursor);
  set_children(r, node, 1);
  node->children[0] = convert(r, objects[0]);
  return convert_arguments(r, cursor, node, 1);
}

/* An operator of std::reverse_iterator: that of the pointer behind its element, the other way round. */
static CNode *convert_reversed(Reader *r, ClangCursor cursor, CNode *node) {
  static const struct {
    const char *name;
    CNodeKind kind;
    int op;
    uint32_t count; /* of operands */
    bool is_turned;
  } rows[] = {
      {"operator++", CNODE_UNARY, CUNARY_PRE_DEC, 1, false}, {"operator++", CNODE_UNARY, CUNARY_POST_DEC, 2, false},
      {"operator--", CNODE_UNARY, CUNARY_PRE_INC, 1, false}, {"operator+=", CNODE_BINARY, CBINARY_SUB_ASSIGN, 2, false},
      {"operator==", CNODE_BINARY, CBINARY_EQ, 2, false},    {"operator!=", CNODE_BINARY, CBINARY_NE, 2, false},
      {"operator<", CNODE_BINARY, CBINARY_LT, 2, true},      {"operator+", CNODE_BINARY, CBINARY_SUB, 2, false}};
  static const CType wide = {.kind = CTYPE_INT, .width = 64, .is_signed = true, .text = "long"};
  CNode *object = node->children[0], *number = new_node(r, CNODE_INTEGER, cursor);
  number->type = &wide, number->integer = -1;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (strcmp(node->name, rows[i].name) || node->count != rows[i].count) continue;
    node->kind = rows[i].kind, node->op = rows[i].op;
    if (rows[i].kind == CNODE_UNARY) node->count = 1;
    if (rows[i].is_turned) node->children[0] = node->children[1], node->children[1] = object;
    return node;
  }
  if (!strcmp(node->name, "operator-") && node->count == 2 && node->children[1]->type->is_reversed) {
    node->kind = CNODE_BINARY, node->op = CBINARY_SUB;
    node->children[0] = node->children[1], node->children[1] = object;
    return node;
  }
  bool subscripts = !strcmp(node->name, "operator[]") && node->count == 2;
  if (!subscripts && (strcmp(node->name, "operator*") || node->count != 1)) return unknown(r, cursor);
  CNode *element = new_node(r, CNODE_SUBSCRIPT, cursor), *at = number;
  if (subscripts) {
    at = new_node(r, CNODE_BINARY, cursor);
    at->op = CBINARY_SUB, at->type = &wide;
    set_children(r, at, 2);
    at->children[0] = number, at->children[1] = node->children[1];
  }
  element->type = object->type->element;
  set_children(r, element, 2);
  element->children[0] = object, element->children[1] = at;
  return element;
}

/* The library's own functions that take a pair of these as plain pointers would go the wrong way. */
static bool takes_reversed(const CNode *node, uint32_t first) {
  for (uint32_t i = first; i < node->count; i++)
    if (node->children[i]->type && node->children[i]->type->is_reversed) return true;
  return false;
}

static CNode *convert_method(Reader *r, ClangCursor cursor, CNode *node) {
  node = convert_methods(r, cursor, node);
  bool is_method = node->kind == CNODE_METHOD && node->count && node->children[0]->type;
  if (is_method && node->children[0]->type->is_reversed) return convert_reversed(r, cursor, node);
  if (is_method && takes_reversed(node, 1)) return unknown(r, cursor);
  if (is_method && node->count == 1 && (!strcmp(node->name, "rbegin") || !strcmp(node->name, "crbegin")))
    node->name = "end";
  if (is_method && node->count == 1 && (!strcmp(node->name, "rend") || !strcmp(node->name, "crend")))
    node->name = "begin";
  const CType *object = node->kind == CNODE_METHOD && node->count ? node->children[0]->type : NULL;
  return object && object->is_object && object->kind == CTYPE_ARRAY ? convert_array_method(r, cursor, node) : node;
}

/* A call of a method of a class that is read: of a function whose first argument is the object. */
static CNode *convert_own_method(Reader *r, ClangCursor cursor, ClangCursor target, CNode *node) {
  uint32_t count, inner = 0;
  node->target = convert_function(r, target);
  if (!strncmp(spelling(r, target), "operator", 8)) return convert_arguments(r, cursor, node, 0);
  ClangCursor *parts = children_of(r, cursor, &count);
  if (!count || parts[0].kind != CLANG_MEMBER_EXPR) return unknown(r, cursor);
  ClangCursor member = parts[0], *objects = children_of(r, member, &inner);
  while (inner && !is_expression(objects[0].kind)) objects++, inner--;
  if (!inner && !r->self) return unknown(r, cursor);
  CNode *object = inner ? convert(r, objects[0]) : self_name(r, member);
  if (object->type && object->type->kind == CTYPE_POINTER) {
    CNode *behind = new_node(r, CNODE_UNARY, member);
    behind->op = CUNARY_DEREFERENCE, behind->type = object->type->element;
    set_children(r, behind, 1);
    behind->children[0] = object, object = behind;
  }
  set_children(r, node, 1);
  node->children[0] = object;
  return convert_arguments(r, cursor, node, 1);
}

/* A call of a lambda: of its operator, without the object. Objects of other classes have no such operator here. */
static CNode *convert_closure_call(Reader *r, ClangCursor cursor, CNode *node) {
  ClangCursor target = r->clang->getCursorReferenced(cursor);
  node->target = convert_function(r, target);
  convert_arguments(r, cursor, node, 0);
  if (!node->count || !node->target->children[node->target->count - 1]) return unknown(r, cursor);
  ((CNode *)(uintptr_t)node->target)->op = CFUNCTION_LAMBDA;
  node->children++, node->count--;
  return node;
}

static CNode *convert_call(Reader *r, ClangCursor cursor) {
  ClangCursor target = r->clang->getCursorReferenced(cursor);
  CNode *node = new_node(r, CNODE_CALL, cursor);
  node->type = type_of(r, cursor);
  node->name = spelling(r, target);
  if (target.kind == CLANG_METHOD && object_type(r, target)) return convert_own_method(r, cursor, target, node);
  if (target.kind == CLANG_METHOD && !strcmp(node->name, "operator()")) return convert_closure_call(r, cursor, node);
  if (target.kind == CLANG_METHOD) return convert_method(r, cursor, node);
  if (target.kind == CLANG_CONSTRUCTOR) {
    node->kind = CNODE_CONSTRUCT;
    convert_arguments(r, cursor, node, 0);
    bool copies = node->count == 1 && same_type(node->type, node->children[0]->type);
    if (copies) return node->children[0];
    if (takes_reversed(node, 0)) return unknown(r, cursor);
    if (node->type->kind != CTYPE_STRUCT || !node->type->record->has_constructor) return node;
    node->kind = CNODE_CALL, node->target = convert_function(r, target);
    return node->target->children[node->target->count - 1] ? node : unknown(r, cursor);
  }
  if (target.kind != CLANG_FUNCTION) return unknown(r, cursor);
  node->target = convert_function(r, target);
  convert_arguments(r, cursor, node, 0);
  bool is_std = node->count == 1 && is_standard(r, target, node->name);
  if (is_std && !strcmp(node->name, "back_inserter")) return node->children[0]; /* its type is a reference to that */
  if (is_std && !strcmp(node->name, "move")) {
    if (node->type->kind != CTYPE_VECTOR) return node->children[0];
    node->kind = CNODE_MOVE;
  }
  return node;
}

static CNode *convert_member(Reader *r, ClangCursor cursor) {
  uint32_t count;
  ClangCursor *parts = children_of(r, cursor, &count);
  bool of_self = !count && r->self;
  if (!of_self && (count != 1 || !is_expression(parts[0].kind))) return unknown(r, cursor);
  CNode *node = new_node(r, CNODE_MEMBER, cursor);
  node->name = spelling(r, cursor), node->type = type_of(r, cursor);
  set_children(r, node, 1);
  node->children[0] = of_self ? self_name(r, cursor) : convert(r, parts[0]);
  const CType *of = node->children[0]->type;
  if (of && of->kind == CTYPE_POINTER) of = of->element;
  if (!of || of->kind != CTYPE_STRUCT) return unknown(r, cursor);
  for (uint32_t i = 0; i < of->record->count; i++)
    if (!strcmp(of->record->fields[i].name, node->name)) return node->op = (int)i, node;
  return unknown(r, cursor);
}

/* An item of a list; .name = value is shown without a type, as a name and a value. */
static CNode *convert_item(Reader *r, ClangCursor cursor) {
  uint32_t count;
  if (cursor.kind != CLANG_UNEXPOSED_EXPR) return convert(r, cursor);
  ClangCursor *parts = children_of(r, cursor, &count);
  if (!count || parts[0].kind != CLANG_MEMBER_REF) return convert(r, cursor);
  if (count != 2) return unknown(r, cursor);
  CNode *node = new_node(r, CNODE_DESIGNATE, cursor);
  node->name = spelling(r, parts[0]);
  set_children(r, node, 1);
  node->children[0] = convert(r, parts[1]);
  node->type = node->children[0]->type;
  return node;
}

static CNode *convert_list(Reader *r, ClangCursor cursor) {
  uint32_t count;
  ClangCursor *parts = children_of(r, cursor, &count);
  CNode *node = new_node(r, CNODE_LIST, cursor);
  node->type = type_of(r, cursor);
  set_children(r, node, count);
  for (uint32_t i = 0; i < count; i++) node->children[i] = convert_item(r, parts[i]);
  return node;
}

/* ---- statements ---- */

static CNode *convert_parts(Reader *r, ClangCursor cursor, CNodeKind kind, uint32_t least, uint32_t most) {
  uint32_t count;
  ClangCursor *parts = children_of(r, cursor, &count);
  if (count < least || count > most) return unknown(r, cursor);
  CNode *node = new_node(r, kind, cursor);
  set_children(r, node, most == UINT32_MAX ? count : most);
  for (uint32_t i = 0; i < count; i++) node->children[i] = convert(r, parts[i]);
  return node;
}

/* Past a comment or a literal that begins at i. */
static uint32_t skip_text(const char *text, uint32_t i, uint32_t end) {
  if (text[i] == '/' && i + 1 < end && text[i + 1] == '/') {
    while (i < end && text[i] != '\n') i++;
  } else if (text[i] == '/' && i + 1 < end && text[i + 1] == '*') {
    for (i += 2; i + 1 < end && (text[i] != '*' || text[i + 1] != '/');) i++;
    i++;
  } else if (text[i] == '"' || text[i] == '\'') {
    char quote = text[i++];
    while (i < end && text[i] != quote) i += text[i] == '\\' ? 2 : 1;
  }
  return i;
}

/* The two semicolons and the closing parenthesis of a `for`. */
static bool find_semicolons(const char *text, uint32_t begin, uint32_t end, uint32_t at[3]) {
  uint32_t depth = 0, found = 0;
  for (uint32_t i = begin; i < end && found < 3; i++) {
    i = skip_text(text, i, end);
    if (i >= end) break;
    char c = text[i];
    if (c == '(' || c == '[' || c == '{') depth++;
    if (c == ';' && depth == 1 && found < 2) at[found++] = i;
    if (c == ')' && depth == 1 && found == 2) at[found++] = i;
    if (c == ')' || c == ']' || c == '}') depth--;
  }
  return found == 3;
}

/* Where the cursor begins in its file, and ends. */
static void *file_extent(Reader *r, ClangCursor cursor, unsigned *begin, unsigned *end) {
  ClangRange range = r->clang->getCursorExtent(cursor);
  void *file = NULL;
  r->clang->getExpansionLocation(r->clang->getRangeEnd(range), NULL, NULL, NULL, end);
  r->clang->getExpansionLocation(r->clang->getRangeStart(range), &file, NULL, NULL, begin);
  return file;
}

static CNode *convert_for(Reader *r, ClangCursor cursor) {
  uint32_t count, at[3];
  ClangCursor *parts = children_of(r, cursor, &count);
  CNode *node = new_node(r, CNODE_FOR, cursor);
  unsigned begin = 0, end = 0, part_end;
  size_t size = 0;
  void *file = file_extent(r, cursor, &begin, &end);
  const char *text = file ? r->clang->getFileContents(session.unit, file, &size) : NULL;
  bool placed = text && end <= size && find_semicolons(text, begin, end, at);
  if (!count || count > 4 || (count < 4 && !placed)) return unknown(r, cursor);
  set_children(r, node, 4);
  for (uint32_t i = 0; i < count; i++) {
    CNode *part = convert(r, parts[i]);
    uint32_t k = count == 4 ? i : 0;
    if (count < 4)
      for (file_extent(r, parts[i], &begin, &part_end), k = 0; k < 3 && begin > at[k];) k++;
    if (k > 3 || node->children[k]) return unknown(r, cursor);
    node->children[k] = part;
  }
  return node->children[3] ? node : unknown(r, cursor);
}

static CNode *convert_default(Reader *r, ClangCursor cursor) {
  CNode *node = convert_parts(r, cursor, CNODE_CASE, 1, 2), *statement = node->count ? node->children[0] : NULL;
  if (node->kind == CNODE_CASE) node->children[0] = NULL, node->children[1] = statement;
  return node;
}

static CNode *convert_goto(Reader *r, ClangCursor cursor) {
  uint32_t count;
  ClangCursor *parts = children_of(r, cursor, &count);
  if (count != 1 || parts[0].kind != CLANG_LABEL_REF) return unknown(r, cursor);
  CNode *node = new_node(r, CNODE_GOTO, cursor);
  node->name = spelling(r, parts[0]);
  return node;
}

static CNode *convert_label(Reader *r, ClangCursor cursor) {
  CNode *node = convert_parts(r, cursor, CNODE_LABEL, 1, 1);
  if (node->kind == CNODE_LABEL) node->name = spelling(r, cursor);
  return node;
}

/* The variable is an element of the range, whatever clang says that it begins as. */
static CNode *convert_each(Reader *r, ClangCursor cursor) {
  CNode *node = convert_parts(r, cursor, CNODE_EACH, 3, 3), *variable = node->count ? node->children[0] : NULL;
  if (variable && variable->kind == CNODE_VARIABLE && variable->count) variable->children[0] = NULL;
  return node;
}

static CNode *convert(Reader *r, ClangCursor cursor) {
  guard_tick(r->arena->guard);
  switch (cursor.kind) {
  case CLANG_INTEGER:
  case CLANG_REAL:
  case CLANG_CHARACTER:
  case CLANG_BOOL:
  case CLANG_UNARY_EXPR: return convert_literal(r, cursor);
  case CLANG_NAME_EXPR: return convert_name(r, cursor);
  case CLANG_TEXT: {
    CNode *node = new_node(r, CNODE_TEXT, cursor);
    node->type = type_of(r, cursor);
    set_children(r, node, 0);
    return node;
  }
  case CLANG_UNEXPOSED_EXPR:
  case CLANG_PARENTHESES:
  case CLANG_C_CAST:
  case CLANG_STATIC_CAST:
  case CLANG_CONST_CAST:
  case CLANG_FUNCTIONAL_CAST:
  case CLANG_COMPOUND_LITERAL: return convert_wrapped(r, cursor);
  case CLANG_UNARY: return convert_operator(r, cursor, CNODE_UNARY, 1);
  case CLANG_BINARY:
  case CLANG_COMPOUND_ASSIGN: return convert_operator(r, cursor, CNODE_BINARY, 2);
  case CLANG_SUBSCRIPT: return convert_operator(r, cursor, CNODE_SUBSCRIPT, 2);
  case CLANG_CONDITIONAL: return convert_operator(r, cursor, CNODE_CONDITIONAL, 3);
  case CLANG_CALL: return convert_call(r, cursor);
  case CLANG_MEMBER_EXPR: return convert_member(r, cursor);
  case CLANG_INIT_LIST: return convert_list(r, cursor);
  case CLANG_THIS: {
    if (!r->self) return unknown(r, cursor);
    CNode *node = new_node(r, CNODE_UNARY, cursor);
    node->op = CUNARY_ADDRESS, node->type = pointer_to(r, r->self->type, "this");
    set_children(r, node, 1);
    node->children[0] = self_name(r, cursor);
    return node;
  }
  case CLANG_LAMBDA: {
    CNode *node = new_node(r, CNODE_LAMBDA, cursor);
    node->type = type_of(r, cursor);
    set_children(r, node, 0);
    return node;
  }
  case CLANG_COMPOUND: return convert_parts(r, cursor, CNODE_COMPOUND, 0, UINT32_MAX);
  case CLANG_DECLARATION: return convert_parts(r, cursor, CNODE_DECLARE, 0, UINT32_MAX);
  case CLANG_IF: return convert_parts(r, cursor, CNODE_IF, 2, 3);
  case CLANG_FOR: return convert_for(r, cursor);
  case CLANG_WHILE: return convert_parts(r, cursor, CNODE_WHILE, 2, 2);
  case CLANG_DO: return convert_parts(r, cursor, CNODE_DO, 2, 2);
  case CLANG_RANGE_FOR: return convert_each(r, cursor);
  case CLANG_RETURN: return convert_parts(r, cursor, CNODE_RETURN, 0, 1);
  case CLANG_SWITCH: return convert_parts(r, cursor, CNODE_SWITCH, 2, 2);
  case CLANG_CASE: return convert_parts(r, cursor, CNODE_CASE, 2, 2);
  case CLANG_DEFAULT: return convert_default(r, cursor);
  case CLANG_BREAK: return new_node(r, CNODE_BREAK, cursor);
  case CLANG_GOTO: return convert_goto(r, cursor);
  case CLANG_LABEL: return convert_label(r, cursor);
  case CLANG_CONTINUE: return new_node(r, CNODE_CONTINUE, cursor);
  case CLANG_EMPTY: return new_node(r, CNODE_EMPTY, cursor);
  case CLANG_VARIABLE: return convert_variable(r, cursor);
  default: return unknown(r, cursor); /* of libclang's 300 kinds */
  }
}

/* ---- files ---- */

/* The second function of a name is NAME_2: a name chooses one function. */
static const char *unique_name(Reader *r, const char *name) {
  const char *own = name;
  uint32_t n = 1;
  for (uint32_t k = 0; k < r->tree->functions.count; k++)
    if (!strcmp(r->tree->functions.data[k]->name, own)) {
      own = arena_format(r->arena, "%s_%u", name, ++n);
      k = UINT32_MAX; /* from the first one again */
    }
  return own;
}

/* Of the file, or of a source that it includes, which is no header: `#define BASE double`, `#include "mean_source.c"`.
 */
static bool is_of_file(Reader *r, ClangCursor cursor) {
  static const char *const sources[] = {".c", ".cc", ".cpp", ".cxx", ".inc"};
  const Clang *clang = r->clang;
  if (clang->Location_isFromMainFile(clang->getCursorLocation(cursor))) return true;
  void *file = NULL;
  clang->getExpansionLocation(clang->getCursorLocation(cursor), &file, NULL, NULL, NULL);
  const char *dot = file ? strrchr(take_string(r, clang->getFileName(file)), '.') : NULL;
  for (size_t i = 0; dot && i < sizeof sources / sizeof *sources; i++)
    if (!strcmp(dot, sources[i])) return true;
  return false;
}

/* ---- what does not compile ---- */

void c_report_fault(Arena *arena, const Source *source, DiagnosticList *diagnostics, const CFault *fault) {
  const char *at = fault->file ? arena_format(arena, "%s:%u:%u: ", fault->file, fault->line, fault->column) : "";
  diagnostic_add(diagnostics, SEVERITY_ERROR, "c.compile", fault->file ? NULL : source, fault->span, NULL, "%s%s", at,
                 fault->text);
}

static CFault *fault_within(Reader *r, ClangCursor cursor) {
  unsigned begin = 0, end = 0;
  void *file = file_extent(r, cursor, &begin, &end);
  for (uint32_t i = 0; i < r->tree->faults.count; i++) {
    CFault *fault = &r->tree->faults.data[i];
    if (fault->of_file && fault->of_file == file && begin <= fault->offset && fault->offset <= end) return fault;
  }
  return NULL;
}

static bool has_members(int kind) {
  return kind == CLANG_STRUCT_DECL || kind == CLANG_CLASS_DECL || kind == CLANG_UNION_DECL || kind == CLANG_ENUM_DECL;
}

static CFault *reached_fault(Reader *r, ClangCursor declaration);

/* Of what the nodes below mention. */
static CFault *mentioned_fault(Reader *r, ClangCursor cursor) {
  uint32_t count;
  ClangCursor *parts = children_of(r, cursor, &count);
  CFault *fault = NULL;
  guard_tick(r->arena->guard);
  for (uint32_t i = 0; i < count && !fault; i++) {
    ClangCursor target = r->clang->getCursorReferenced(parts[i]);
    bool declares = target.kind >= CLANG_DECLARATION_FIRST && target.kind <= CLANG_DECLARATION_LAST;
    if (declares && target.kind != CLANG_NAMESPACE) fault = reached_fault(r, target);
    if (!fault) fault = mentioned_fault(r, parts[i]);
  }
  return fault;
}

/* A fault of the declaration, or of one that it mentions. A member is a part of its class. */
static CFault *reached_fault(Reader *r, ClangCursor declaration) {
  ClangCursor parent = r->clang->getCursorSemanticParent(declaration);
  if (has_members(parent.kind)) declaration = parent;
  ClangCursor definition = r->clang->getCursorDefinition(declaration);
  for (uint32_t i = 0; i < r->reached.count; i++)
    if (r->clang->equalCursors(r->reached.data[i], declaration)) return NULL;
  array_push(r->arena, &r->reached, declaration);
  CFault *fault = fault_within(r, declaration);
  if (!fault) fault = mentioned_fault(r, declaration);
  if (fault || r->clang->equalCursors(definition, declaration)) return fault;
  return r->clang->getCursorType(definition).kind ? reached_fault(r, definition) : NULL;
}

static bool has_body(Reader *r, ClangCursor function) {
  uint32_t count;
  ClangCursor *parts = children_of(r, function, &count);
  for (uint32_t i = 0; i < count; i++)
    if (parts[i].kind == CLANG_COMPOUND) return true;
  return false;
}

static bool has_loop(Reader *r, ClangCursor cursor) {
  uint32_t count;
  ClangCursor *parts = children_of(r, cursor, &count);
  bool loops = cursor.kind == CLANG_FOR || cursor.kind == CLANG_WHILE || cursor.kind == CLANG_DO ||
               cursor.kind == CLANG_RANGE_FOR;
  for (uint32_t i = 0; i < count && !loops; i++) loops = has_loop(r, parts[i]);
  return loops;
}

/* A function that is not converted: clang's tree of what does not compile has gaps, and other types than the source. */
static CNode *faulty_function(Reader *r, ClangCursor cursor) {
  r->reached.count = 0;
  CFault *own = fault_within(r, cursor), *fault = own ? own : reached_fault(r, cursor);
  if (!fault) return NULL;
  CFault *copy = arena_new(r->arena, CFault);
  CNode *node = new_node(r, CNODE_FUNCTION, cursor), *body = new_node(r, CNODE_COMPOUND, cursor);
  *copy = *fault, copy->loops = own || has_loop(r, cursor); /* clang leaves statements away */
  node->name = function_name(r, cursor, NULL), node->fault = copy;
  node->type = convert_type(r, r->clang->getCursorResultType(cursor));
  set_children(r, body, 0);
  set_children(r, node, 1);
  node->children[0] = body;
  return node;
}

static void add_function(Reader *r, CNode *function) {
  function->name = unique_name(r, function->name);
  array_push(r->arena, &r->tree->functions, function);
}

static void add_functions(Reader *r, ClangCursor parent) {
  uint32_t count;
  ClangCursor *list = children_of(r, parent, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (!is_of_file(r, list[i])) continue;
    if (list[i].kind == CLANG_NAMESPACE || list[i].kind == CLANG_LINKAGE || list[i].kind == CLANG_STRUCT_DECL ||
        list[i].kind == CLANG_CLASS_DECL || list[i].kind == CLANG_UNEXPOSED_STATEMENT - 199)
      add_functions(r, list[i]);
    if (list[i].kind != CLANG_FUNCTION && list[i].kind != CLANG_METHOD) continue;
    CNode *function = r->tree->faults.count ? faulty_function(r, list[i]) : NULL;
    if (function) {
      if (has_body(r, list[i])) add_function(r, function);
      continue;
    }
    function = convert_function(r, list[i]);
    bool known = false;
    for (uint32_t k = 0; k < r->tree->functions.count; k++) known |= r->tree->functions.data[k] == function;
    if (known || !function->children[function->count - 1]) continue;
    add_function(r, function);
  }
}

static void report_one(Reader *r, void *diagnostic) {
  const Clang *clang = r->clang;
  void *file = NULL;
  unsigned line = 0, column = 0, offset = 0;
  clang->getExpansionLocation(clang->getDiagnosticLocation(diagnostic), &file, &line, &column, &offset);
  const char *text = take_string(r, clang->getDiagnosticSpelling(diagnostic));
  const char *name = file ? take_string(r, clang->getFileName(file)) : r->source->name;
  bool own = !strcmp(name, r->source->name) && offset <= r->source->size;
  CFault fault = {.of_file = file,
                  .offset = offset,
                  .text = text,
                  .file = own ? NULL : name,
                  .line = line,
                  .column = column,
                  .span = own ? (Span){offset, offset} : (Span){0, 0}};
  if (r->keeps_going)
    array_push(r->arena, &r->tree->faults, fault);
  else
    c_report_fault(r->arena, r->source, r->diagnostics, &fault);
}

/* What is said of a file in which nothing else is found. */
static void report_faults(Reader *r) {
  for (uint32_t i = 0; i < r->tree->faults.count; i++)
    c_report_fault(r->arena, r->source, r->diagnostics, &r->tree->faults.data[i]);
}

/* clang's errors; the rest of what it says is the user's compiler's business. */
static void report(Reader *r, void *unit) {
  for (unsigned i = 0, n = r->clang->getNumDiagnostics(unit); i < n; i++) {
    void *diagnostic = r->clang->getDiagnostic(unit, i);
    if (r->clang->getDiagnosticSeverity(diagnostic) >= 3) report_one(r, diagnostic);
    r->clang->disposeDiagnostic(diagnostic);
  }
}

static bool is_c(const char *name) {
  size_t n = strlen(name);
  return n > 2 && (!strcmp(name + n - 2, ".c") || !strcmp(name + n - 2, ".h"));
}

static void *parse(Reader *r, const char *const *arguments, uint32_t argument_count) {
  const char **all = arena_array(r->arena, const char *, argument_count + 16);
  uint32_t n = 0;
  unsigned headers;
  const ClangUnsaved *ours = clang_headers(&headers);
  ClangUnsaved *files = arena_array(r->arena, ClangUnsaved, headers + 1);
  memcpy(files, ours, headers * sizeof *files);
  const char *name = strchr(r->source->name, '.') ? r->source->name : "input.cc";
  files[headers] = (ClangUnsaved){name, r->source->text, r->source->size};
  r->keeps_going = r->options->keeps_going && is_c(name);
  all[n++] = "-x", all[n++] = is_c(name) ? "c" : "c++";
  all[n++] = is_c(name) ? "-std=gnu17" : "-std=c++17";
  all[n++] = "--target=x86_64-unknown-linux-gnu", all[n++] = "-nostdinc", all[n++] = "-isystem",
  all[n++] = CLANG_HEADERS;
  all[n++] = "-w", all[n++] = r->keeps_going ? "-ferror-limit=0" : "-ferror-limit=20";
  for (uint32_t i = 0; i < argument_count; i++) all[n++] = arguments[i];
  session.index = r->clang->createIndex(0, 0);
  r->clang->parseTranslationUnit2(session.index, name, all, (int)n, files, headers + 1,
                                  r->keeps_going ? CLANG_KEEP_GOING : 0, &session.unit);
  return session.unit;
}

CTree *c_tree_read(Arena *arena, Source *source, const ReadOptions *options, DiagnosticList *diagnostics) {
  const char *missing;
  Reader r = {.arena = arena,
              .source = source,
              .options = options,
              .diagnostics = diagnostics,
              .tree = arena_new(arena, CTree)};
  r.clang = clang_load(&missing);
  if (!r.clang) {
    diagnostic_add(diagnostics, SEVERITY_ERROR, "c.libclang", source, (Span){0, 0},
                   "install Debian's package libclang1-19, or name a library of version 17 to 22 in ASSAY_LIBCLANG",
                   "C and C++ are read through libclang: %s", missing);
    return NULL;
  }
  close_session(r.clang);
  uint32_t errors = diagnostics->error_count;
  void *unit = parse(&r, options->arguments, options->argument_count);
  if (!unit)
    diagnostic_add(diagnostics, SEVERITY_ERROR, "c.compile", source, (Span){0, 0}, NULL, "clang cannot read this file");
  else
    report(&r, unit);
  if (unit && diagnostics->error_count == errors) add_functions(&r, r.clang->getTranslationUnitCursor(unit));
  bool any = false; /* a function that compiles */
  for (uint32_t i = 0; i < r.tree->functions.count; i++) any |= !r.tree->functions.data[i]->fault;
  if (!any) report_faults(&r);
  close_session(r.clang);
  c_replace_jumps(arena, r.tree);
  c_flatten_records(arena, r.tree);
  c_replace_rows(arena, r.tree);
  return diagnostics->error_count == errors ? r.tree : NULL;
}
