/* Operation files (interface.md, section 5): JSON to an Operation.
 *
 * Every field is checked here for its kind, every key for being known, so that a misspelt one cannot silently change
 * what is proved; each complaint points at the value. The arguments are held against the parameters of the kernel, so
 * that none is missing, unknown or of another type. Expressions are checked for their form and stay text: the
 * pipeline reads them, because it knows the names. A plain number is a sample of a real launch, a string an expression.
 */
#include "front/front.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/json.h"
#include "operation/given.h"

typedef struct Reader {
  Front *front;
  const FrontFile *file;
  const FileList *given; /* files on the command line */
  FileList files;        /* files that were read, with those of earlier launches */
  bool has_sample;
} Reader;

static void complain(Reader *r, const Json *at, const char *code, const char *help, const char *message) {
  diagnostic_add(r->front->diagnostics, SEVERITY_ERROR, code, r->file->source, at->span, help, "%s", message);
}

static bool expect_kind(Reader *r, const Json *value, JsonKind kind, const char *what) {
  if (value->kind == kind) return true;
  complain(
      r, value, "operation.kind", NULL,
      arena_format(r->front->arena, "%s must be %s, not %s", what, json_kind_name(kind), json_kind_name(value->kind)));
  return false;
}

/* Reports keys that are not in the NULL-terminated list. */
static void check_keys(Reader *r, const Json *object, const char *const *known, const char *help) {
  for (uint32_t i = 0; i < object->count; i++) {
    const char *const *key = known;
    while (*key && strcmp(*key, object->members[i].key)) key++;
    if (*key) continue;
    diagnostic_add(r->front->diagnostics, SEVERITY_ERROR, "operation.key", r->file->source, object->members[i].key_span,
                   help, "unknown key '%s'", object->members[i].key);
  }
}

static const Json *require(Reader *r, const Json *object, const char *key, JsonKind kind) {
  const Json *value = json_get(object, key);
  if (!value) {
    complain(r, object, "operation.missing", NULL, arena_format(r->front->arena, "the key \"%s\" is missing", key));
    return NULL;
  }
  return expect_kind(r, value, kind, arena_format(r->front->arena, "\"%s\"", key)) ? value : NULL;
}

static bool is_expression(Reader *r, const Expr *e, bool is_integer) {
  return given_is_expression(r->front->arena, e) || (!is_integer && e->is_real);
}

/* A number or a string; NULL and a complaint otherwise. */
static const Expr *read_expression(Reader *r, const Json *value, bool is_integer) {
  if (value->kind == JSON_STRING && value->size) {
    const Expr *e = expr_read(r->front->arena, value->text);
    if (is_expression(r, e, is_integer)) return e;
    complain(r, value, "operation.expression", GIVEN_EXPRESSION, "this is no expression");
    return NULL;
  }
  bool is_number = value->kind == JSON_NUMBER;
  if (is_number && !(is_integer && strpbrk(value->text, ".eE"))) {
    r->has_sample = true;
    return expr_read(r->front->arena, value->text);
  }
  complain(r, value, "operation.expression", "examples: 1024, \"N\", \"cdiv(N,1024)\"",
           is_number ? "expected a whole number or an expression" : "expected a number or an expression in quotes");
  return NULL;
}

static const Expr *const *read_expressions(Reader *r, const Json *array, uint32_t *count) {
  const Expr **list = arena_array(r->front->arena, const Expr *, array->count + 1);
  *count = array->count;
  for (uint32_t i = 0; i < array->count; i++) list[i] = read_expression(r, array->members[i].value, true);
  return list;
}

static void check_dtype(Reader *r, const Json *value) {
  static const char *const known[] = {
      "f8E4M3FN", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E5M2", "f8E5M2FNUZ", "f16", "bf16", "f32", "f64", "i1",
      "i4",       "i8",         "i16",           "i32",    "i64",        "u8",  "u16",  "u32", "u64"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(known[i], value->text)) return;
  complain(r, value, "operation.dtype", "examples: \"f32\", \"bf16\", \"i64\"", "unknown dtype");
}

static void read_tensor(Reader *r, const JsonMember *member, Operation *operation) {
  static const char *const keys[] = {"dtype", "shape", "strides", "temporary", NULL};
  const Json *json = member->value;
  if (!expect_kind(r, json, JSON_OBJECT, "a tensor")) return;
  check_keys(r, json, keys, "a tensor has dtype, shape, strides and temporary");
  OperationTensor tensor = {.name = member->key, .source = r->file->source, .span = member->key_span};
  const Json *dtype = require(r, json, "dtype", JSON_STRING), *shape = require(r, json, "shape", JSON_ARRAY);
  const Json *strides = json_get(json, "strides"), *temporary = json_get(json, "temporary");
  if (dtype) check_dtype(r, dtype);
  if (!dtype || !shape) return;
  tensor.dtype = dtype->text;
  tensor.shape = read_expressions(r, shape, &tensor.rank);
  const char *wrong = given_shape_error(tensor.shape, tensor.rank, 0); /* of a real call a tensor may be empty */
  if (wrong) complain(r, shape, "operation.shape", NULL, wrong);
  if (strides && expect_kind(r, strides, JSON_ARRAY, "\"strides\"")) {
    uint32_t count;
    bool sample = r->has_sample; /* a stride of 1 says no more than the row-major default */
    tensor.strides = read_expressions(r, strides, &count);
    if (count == 1 && expr_is_one(tensor.strides[0])) r->has_sample = sample;
    if (count != tensor.rank)
      complain(r, strides, "operation.rank", NULL,
               arena_format(r->front->arena, "%u strides for a tensor of %u dimensions", count, tensor.rank));
  }
  if (temporary && temporary->kind != JSON_TRUE && temporary->kind != JSON_FALSE)
    complain(r, temporary, "operation.kind", NULL, "\"temporary\" must be true or false");
  tensor.temporary = temporary && temporary->kind == JSON_TRUE;
  array_push(r->front->arena, &operation->tensors, tensor);
}

static bool is_tensor(const Operation *operation, const char *name) {
  for (uint32_t i = 0; i < operation->tensors.count; i++)
    if (!strcmp(operation->tensors.data[i].name, name)) return true;
  return false;
}

/* A pointer argument is the name of a tensor or {"tensor": ..., "offset": ...}; anything else is a scalar. */
static void read_arg(Reader *r, const JsonMember *member, const Operation *operation, Launch *launch) {
  static const char *const keys[] = {"tensor", "offset", NULL};
  LaunchArg arg = {.param = member->key};
  const Json *json = member->value;
  if (json->kind == JSON_OBJECT) {
    check_keys(r, json, keys, "a pointer argument has tensor and offset");
    const Json *tensor = require(r, json, "tensor", JSON_STRING), *offset = json_get(json, "offset");
    if (!tensor) return;
    arg.tensor = tensor->text;
    arg.offset = offset ? read_expression(r, offset, true) : NULL;
    if (!is_tensor(operation, arg.tensor))
      complain(r, tensor, "operation.tensor", "declare it under \"tensors\"", "unknown tensor");
  } else if (json->kind == JSON_STRING && is_tensor(operation, json->text)) {
    arg.tensor = json->text;
  } else if (json->kind == JSON_TRUE || json->kind == JSON_FALSE) {
    arg.scalar = expr_read(r->front->arena, json->kind == JSON_TRUE ? "1" : "0");
  } else {
    arg.scalar = read_expression(r, json, false);
    if (!arg.scalar) return;
  }
  array_push(r->front->arena, &launch->args, arg);
}

/* ---- arguments against parameters ---- */

static const JsonMember *find_member(const Json *args, const char *name, uint32_t place) {
  char number[24];
  snprintf(number, sizeof number, "arg%u", place);
  for (uint32_t i = 0; args && args->kind == JSON_OBJECT && i < args->count; i++)
    if (!strcmp(args->members[i].key, name) || !strcmp(args->members[i].key, number)) return &args->members[i];
  return NULL;
}

static const LaunchArg *find_arg(const Launch *launch, const char *param) {
  for (uint32_t i = 0; i < launch->args.count; i++)
    if (!strcmp(launch->args.data[i].param, param)) return &launch->args.data[i];
  return NULL;
}

/* Elements are the same bits whether their sign counts or not: Triton's types are signless. */
static bool is_dtype(const char *declared, const char *element) {
  if (*declared == 'u' && *element == 'i') return !strcmp(declared + 1, element + 1);
  return !strcmp(declared, element);
}

static void check_pointer(Reader *r, const Json *args, const JsonMember *member, const Program *program,
                          const Type *type, const char *name, const Operation *operation, const Launch *launch) {
  Arena *arena = r->front->arena;
  if (!member) {
    complain(r, args, "operation.missing", "name one of the tensors",
             arena_format(arena, "the kernel's argument \"%s\" is a pointer, and no tensor is given for it", name));
    return;
  }
  const LaunchArg *arg = find_arg(launch, member->key);
  if (!arg) return; /* has been complained about */
  if (!arg->tensor) {
    const char *help = "the argument is a pointer: name a tensor that is declared under \"tensors\"";
    complain(r, member->value, "operation.tensor", help,
             member->value->kind == JSON_STRING ? "unknown tensor" : "a number for a pointer");
    return;
  }
  Text element = text_new(arena);
  program_type_print(program, type->element, &element);
  for (uint32_t i = 0; i < operation->tensors.count; i++) {
    const OperationTensor *t = &operation->tensors.data[i];
    if (strcmp(t->name, arg->tensor) || is_dtype(t->dtype, text_string(&element))) continue;
    complain(r, member->value, "operation.dtype", NULL,
             arena_format(arena, "%s has elements of %s, but \"%s\" of the kernel points to %s", t->name, t->dtype,
                          name, text_string(&element)));
  }
}

static void check_scalar(Reader *r, const JsonMember *member, const Type *type, const Launch *launch) {
  const LaunchArg *arg = member ? find_arg(launch, member->key) : NULL;
  if (!arg) return;
  if (arg->tensor)
    complain(r, member->value, "operation.kind", NULL, "a tensor for an argument that is a number");
  else if (type->kind != TYPE_FLOAT && !given_is_expression(r->front->arena, arg->scalar))
    complain(r, member->value, "operation.expression", NULL,
             "the argument is an integer: expected a whole number or an expression");
}

/* Every pointer is given a tensor, every argument is one of the kernel's, and the types agree. */
static void check_args(Reader *r, const Json *json, const Json *args, const Program *program,
                       const Operation *operation, const Launch *launch) {
  const Function *function = NULL;
  for (uint32_t i = 0; i < program->functions.count && launch->kernel; i++)
    if (!strcmp(intern_string(program->names, program->functions.data[i].name), launch->kernel))
      function = &program->functions.data[i];
  const Op *op = function ? program_get_op(program, function->op) : NULL;
  if (!op || !op->region_count) return;
  const Block *entry = program_get_block(program, program_get_region(program, op->regions[0])->blocks.data[0]);
  Text help = text_new(r->front->arena);
  bool *known = arena_array(r->front->arena, bool, (args ? args->count : 0) + 1);
  for (uint32_t i = 0; i < entry->arg_count; i++) {
    const char *name = program_arg_name(program, entry->first_arg + i);
    const Type *type = program_value_type(program, entry->first_arg + i);
    const JsonMember *member = find_member(args, name, i);
    if (member) known[member - args->members] = true;
    text_format(&help, "%s%s", i ? ", " : "the arguments are: ", name);
    if (type->kind == TYPE_POINTER)
      check_pointer(r, args ? args : json, member, program, type, name, operation, launch);
    else
      check_scalar(r, member, type, launch);
  }
  for (uint32_t i = 0; args && i < args->count; i++)
    if (!known[i])
      diagnostic_add(r->front->diagnostics, SEVERITY_ERROR, "operation.argument", r->file->source,
                     args->members[i].key_span, text_string(&help), "%s has no argument '%s'", launch->kernel,
                     args->members[i].key);
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static FrontFile *find_file(const FileList *files, const char *name) {
  for (uint32_t i = 0; i < files->count; i++)
    if (!strcmp(base_name(files->data[i]->name), base_name(name))) return files->data[i];
  return NULL;
}

/* What was said of the file (from diagnostic `known` on) is said of its place. */
static void not_read(Reader *r, const Json *name, uint32_t known) {
  DiagnosticList *list = r->front->diagnostics;
  Diagnostic *last = list->items.count > known ? &list->items.data[list->items.count - 1] : NULL;
  if (!last || last->source)
    complain(r, name, "operation.file", NULL, "cannot read this file");
  else
    last->source = r->file->source, last->span = name->span, last->help = "paths are relative to the operation file";
}

/* The program of a launch: a file of the command line of that name, or the file beside the operation file. Without
 * "file", the one file of the command line. */
static FrontFile *launch_file(Reader *r, const Json *json) {
  const Json *name = json_get(json, "file");
  if (!name && r->given->count == 1) return r->given->data[0];
  if (!name) {
    complain(r, json, "operation.missing", "name the .ttir file of this launch, or pass it on the command line",
             "the key \"file\" is missing");
    return NULL;
  }
  if (!expect_kind(r, name, JSON_STRING, "\"file\"")) return NULL;
  FrontFile *file = find_file(r->given, name->text);
  AssayInput input = {.path = front_relative_path(r->front->arena, r->file->name, name->text)};
  for (uint32_t i = 0; !file && i < r->files.count; i++)
    if (!strcmp(r->files.data[i]->name, input.path)) file = r->files.data[i];
  if (file) return file;
  uint32_t known = r->front->diagnostics->items.count;
  file = front_read_file(r->front, r->front->arena, &input);
  if (!file) {
    not_read(r, name, known);
  } else if (file->kind != INPUT_PROGRAM) {
    complain(r, name, "operation.file", NULL, "this is not a file of Triton IR");
    return NULL;
  } else {
    array_push(r->front->arena, &r->files, file);
  }
  return file;
}

static const char *launch_kernel(Reader *r, const Json *json, const Program *program) {
  const Json *kernel = json_get(json, "kernel");
  NameList names = {0};
  if (kernel && !expect_kind(r, kernel, JSON_STRING, "\"kernel\"")) return NULL;
  front_public_names(r->front->arena, program, false, &names);
  for (uint32_t i = 0; kernel && i < names.count; i++)
    if (!strcmp(names.data[i], kernel->text)) return names.data[i];
  if (!kernel && names.count == 1) return names.data[0];
  Text help = text_new(r->front->arena);
  text_add(&help, "public functions there:");
  for (uint32_t i = 0; i < names.count && i < 20; i++) text_format(&help, " %s", names.data[i]);
  complain(r, kernel ? kernel : json, "operation.kernel", text_string(&help),
           kernel ? "no public function of this name in the file"
                  : "\"kernel\" must say which public function is launched");
  return NULL;
}

static void read_launch(Reader *r, const Json *json, Operation *operation) {
  static const char *const keys[] = {"file", "kernel", "grid", "args", NULL};
  if (!expect_kind(r, json, JSON_OBJECT, "a launch")) return;
  check_keys(r, json, keys, "a launch has file, kernel, grid and args");
  Launch launch = {0};
  const Json *grid = require(r, json, "grid", JSON_ARRAY), *args = json_get(json, "args");
  if (grid && (grid->count < 1 || grid->count > 3)) {
    complain(r, grid, "operation.grid", NULL, "a grid has one to three sizes");
  } else if (grid) {
    launch.grid = read_expressions(r, grid, &launch.grid_count);
    const char *wrong = given_grid_error(r->front->arena, launch.grid, launch.grid_count);
    if (wrong) complain(r, grid, "operation.grid", NULL, wrong);
  }
  if (args && expect_kind(r, args, JSON_OBJECT, "\"args\""))
    for (uint32_t i = 0; i < args->count; i++) read_arg(r, &args->members[i], operation, &launch);
  FrontFile *file = launch_file(r, json);
  Program *program = file ? front_read_program(r->front, r->front->arena, file) : NULL;
  if (!program) return;
  launch.kernel = launch_kernel(r, json, program);
  launch.file = file->name;
  launch.source = file->source;
  launch.program = program;
  check_args(r, json, args && args->kind == JSON_OBJECT ? args : NULL, program, operation, &launch);
  array_push(r->front->arena, &operation->launches, launch);
}

void front_read_operation(Front *front, FrontFile *file, const FileList *given, Operation *operation) {
  static const char *const keys[] = {"schema", "name", "tensors", "launches", NULL};
  Reader reader = {.front = front, .file = file, .given = given}, *r = &reader;
  const Json *json = json_read_whole(front->arena, file->source, front->diagnostics);
  if (!json) return;
  check_keys(r, json, keys, "an operation file has schema, name, tensors and launches");
  const Json *schema = require(r, json, "schema", JSON_NUMBER), *name = json_get(json, "name");
  const Json *tensors = require(r, json, "tensors", JSON_OBJECT), *launches = require(r, json, "launches", JSON_ARRAY);
  if (schema && strcmp(schema->text, "1")) complain(r, schema, "operation.schema", NULL, "only schema 1 is known");
  if (name && expect_kind(r, name, JSON_STRING, "\"name\"")) operation->name = name->text;
  for (uint32_t i = 0; tensors && i < tensors->count; i++) read_tensor(r, &tensors->members[i], operation);
  for (uint32_t i = 0; launches && i < launches->count; i++) read_launch(r, launches->members[i].value, operation);
  if (launches && !launches->count) complain(r, launches, "operation.launches", NULL, "at least one launch is needed");
  operation->has_tensors = 1;
  for (uint32_t i = 0; i < operation->launches.count; i++) operation->launches.data[i].is_sample = r->has_sample;
}
