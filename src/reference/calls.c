/* Calls of references: functions of modules and of Python itself, methods, and functions of the file. */
#include <string.h>

#include "reference/internal.h"

/* ---- arguments ---- */

static bool push_argument(Evaluator *e, const PyNode *node, const char *name, const Value *value, Arguments *out) {
  if (!value) return false;
  if (out->count == CALL_MAX_ARGS) {
    reference_fail(e, node, "reference.argument", NULL, "too many arguments");
    return false;
  }
  out->values[out->count] = value, out->nodes[out->count] = node, out->names[out->count++] = name;
  return true;
}

static bool read_arguments(Evaluator *e, const PyNode *n, Arguments *out) {
  for (uint32_t i = 1; i < n->count; i++) {
    const PyNode *arg = n->args[i];
    if (arg->kind == PY_STAR) {
      const Value *list = evaluate(e, arg->args[0]);
      if (!list) return false;
      if (list->kind != VALUE_TUPLE) {
        reference_fail(e, arg, "reference.argument", NULL, "'*' expects a list");
        return false;
      }
      for (uint32_t k = 0; k < list->count; k++)
        if (!push_argument(e, arg, NULL, list->items[k], out)) return false;
      continue;
    }
    bool keyword = arg->kind == PY_KEYWORD;
    if (!push_argument(e, arg, keyword ? arg->text : NULL, evaluate(e, keyword ? arg->args[0] : arg), out))
      return false;
  }
  return true;
}

/* min and max of Python choose by a condition: not of tensors with several elements. */
static bool are_comparable(Evaluator *e, const PyNode *n, const char *name, const Arguments *args) {
  for (uint32_t i = 0; i < args->count; i++)
    if (args->values[i]->kind == VALUE_TENSOR && args->values[i]->tensor->rank)
      return reference_fail(e, n, "reference.operator", "use maximum and minimum",
                            "%s of Python holds all elements of a tensor for one condition", name),
             false;
  return true;
}

/* sum, any, all, min, max of one argument go over its elements: of a tensor, along the first axis. */
static const Value *over_elements(Evaluator *e, const PyNode *n, const char *name, const Arguments *args) {
  const Value *first = args->values[0];
  bool is_sum = !strcmp(name, "sum"), junction = !strcmp(name, "any") || !strcmp(name, "all");
  if (first->kind == VALUE_TENSOR && first->tensor->rank && (is_sum || first->tensor->rank == 1)) {
    Arguments along = *args;
    along.count = 2, along.names[0] = NULL, along.names[1] = "dim", along.nodes[1] = n,
    along.values[1] = value_tensor(e, tensor_of_int(e, 0));
    const Value *result = call_library(e, n,
                                       is_sum || junction ? name
                                       : name[1] == 'a'   ? "amax"
                                                          : "amin",
                                       false, &along);
    return result;
  }
  if (first->kind != VALUE_TUPLE || !first->count || junction)
    return reference_fail(e, n, "reference.unsupported", NULL, "%s of this is not read", name);
  const Value *result = first->items[0];
  if (is_sum)
    result = reference_binary(e, n, "+", value_number(e, value_tensor(e, tensor_of_int(e, 0))),
                              result); /* where Python begins */
  for (uint32_t i = 1; result && i < first->count; i++) {
    Arguments two = {.count = 2, .values = {result, first->items[i]}, .nodes = {n, n}};
    if (!is_sum && !are_comparable(e, n, name, &two)) return NULL;
    result = is_sum ? reference_binary(e, n, "+", result, first->items[i])
                    : call_library(e, n, name[1] == 'a' ? "maximum" : "minimum", false, &two);
  }
  return result;
}

static const Value *builtin(Evaluator *e, const PyNode *n, const char *name, const Arguments *args) {
  bool extremum = !strcmp(name, "min") || !strcmp(name, "max");
  const Value *first = args->count ? args->values[0] : NULL;
  bool has_start = args->count == 2 && !strcmp(name, "sum") && (!args->names[1] || !strcmp(args->names[1], "start"));
  if (has_start) {
    const Value *sum = over_elements(e, n, name, args);
    return sum ? reference_binary(e, n, "+", sum, args->values[1]) : NULL;
  }
  if (!strcmp(name, "sum") && args->count != 1)
    return reference_fail(e, n, "reference.argument", NULL, "these arguments of sum are not read");
  if (args->count == 1 && (extremum || !strcmp(name, "sum") || !strcmp(name, "any") || !strcmp(name, "all")))
    return over_elements(e, n, name, args);
  if (extremum && args->count > 1) {
    Arguments two = *args;
    const Value *result = first;
    if (!are_comparable(e, n, name, args)) return NULL;
    for (uint32_t i = 1; result && i < args->count; i++) {
      two.count = 2, two.values[0] = result, two.values[1] = args->values[i];
      result = call_library(e, n, name[1] == 'a' ? "maximum" : "minimum", false, &two);
    }
    return result;
  }
  if ((!strcmp(name, "tuple") || !strcmp(name, "list")) && args->count == 1 && first->kind == VALUE_TUPLE) {
    Value *copy = (Value *)part_of_list(e, first, 0, first->count);
    copy->is_list = *name == 'l';
    return copy;
  }
  if (!strcmp(name, "range") && args->count) {
    int64_t bounds[3] = {0, 0, 1};
    const Value *items[64];
    uint32_t count = 0;
    for (uint32_t i = 0; i < args->count && i < 3; i++)
      if (!int_value(e, args->values[i], &bounds[args->count == 1 ? 1 : i]))
        return reference_fail(e, n, "reference.loop", NULL, "the range of this loop is not known");
    for (int64_t i = bounds[0]; bounds[2] && (bounds[2] > 0 ? i < bounds[1] : i > bounds[1]); i += bounds[2]) {
      if (count == 64)
        return reference_fail(e, n, "reference.loop", NULL, "a loop of more than 64 iterations is not read");
      items[count++] = value_number(e, value_tensor(e, tensor_of_int(e, i)));
    }
    Value *range = (Value *)value_tuple(e, count, items);
    range->is_list = true; /* places, as an index */
    return range;
  }
  return call_library(e, n, name, false, args);
}

/* Functions of torch.nn.functional that take other arguments, or have other defaults, where another module has that
 * name too. */
static bool is_other_outside(const char *module, const char *name) {
  static const char *const same[] = {"cosine_similarity", "layer_norm", "group_norm", "rms_norm"};
  if (!strcmp(module, "torch.nn.functional")) return false;
  for (size_t i = 0; i < sizeof same / sizeof *same; i++)
    if (!strcmp(same[i], name)) return false;
  for (const LibraryFunction *f = reference_layers; f->name; f++)
    if (!strcmp(f->name, name)) return true;
  return false;
}

static bool are_numbers(const Value *const *values, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!values[i]->is_number) return false;
  return count > 0;
}

/* Names among the arguments are those of modules that are read (types, mostly); false after a diagnostic. */
static bool are_of_modules(Evaluator *e, const Arguments *args) {
  static const char *const roots[] = {"torch", "numpy", "math", "scipy", "builtins", "dtype", "device"};
  for (uint32_t i = 0; i < args->count; i++) {
    const char *text = args->values[i]->kind == VALUE_NAME ? args->values[i]->text : "torch";
    bool good = false;
    for (size_t k = 0; k < sizeof roots / sizeof *roots; k++)
      good |= !strncmp(text, roots[k], strlen(roots[k])) && strcspn(text, ".") == strlen(roots[k]);
    if (!good) return reference_fail(e, args->nodes[i], "reference.name", NULL, "what %s is, is not read", text), false;
  }
  return true;
}

/* x.add_(y): "add", of which PyTorch has a form that changes x; or NULL. */
static const char *changing_method(Evaluator *e, const char *name) {
  static const char *const others[][2] = {
      {"zero_", "zeros_like"}, {"fill_", "full_like"}, {"bitwise_not_", "bitwise_not"}};
  size_t length = strlen(name);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (!strcmp(others[i][0], name)) return others[i][1];
  if (length < 2 || name[length - 1] != '_' || reference_module_has("", name)) return NULL;
  const char *plain = arena_copy(e->arena, name, length - 1);
  return reference_changes(plain) ? plain : NULL;
}

/* The name that x.mul_(2).add_(y) changes has the new value. */
static void rebind(Evaluator *e, const PyNode *n, const Value *value) {
  while (n->kind == PY_CALL && n->args[0]->kind == PY_ATTRIBUTE && changing_method(e, n->args[0]->text))
    n = n->args[0]->args[0];
  if (n->kind == PY_NAME && e->locals && scope_own(e->locals, n->text)) scope_bind(e, e->locals, n->text, value);
}

/* `args` has the object first. */
static const Value *call_method(Evaluator *e, const PyNode *n, const Value *method, Arguments *args) {
  const char *name = method->text;
  bool is_numpy;
  if (method->items[0]->kind != VALUE_TENSOR)
    return reference_fail(e, n, "reference.unsupported", NULL, "the method '%s' of this is not read", name);
  const char *changing = e->is_numpy || method->items[0]->is_number || method->items[0]->library == LIBRARY_ARRAY
                             ? NULL
                             : changing_method(e, name);
  if (changing && are_of_modules(e, args)) {
    const Value *result = changed_in_place(
        e, n, name, args->values[0],
        value_of_library(e, call_library(e, n->args[0], changing, false, args), args->values[0]->library));
    if (result) rebind(e, n, result);
    return result;
  }
  if (!reference_module_has("", name))
    return reference_fail(e, n, "reference.unsupported", "docs/formula.md lists what is read",
                          "the method %s is not read in a reference", name);
  if (!are_of_modules(e, args) || !method_is_numpy(e, n, method, args, &is_numpy)) return NULL;
  if (!strcmp(name, "where") && args->count > 1 && !args->names[1]) { /* x.where(condition, other) */
    const Value *condition = args->values[1];
    args->values[1] = args->values[0], args->values[0] = condition;
  }
  const Value *result = call_library(e, n->args[0], name, is_numpy, args);
  return value_of_library(e, result, strcmp(name, "numpy") ? library_of_arguments(args) : LIBRARY_ARRAY);
}

const Value *evaluate_call(Evaluator *e, const PyNode *n) {
  Arguments args = {0};
  const PyNode *callee = n->args[0];
  const char *name = callee->kind == PY_NAME ? callee->text : NULL;
  bool direct = e->is_formula && name;
  const Value *function = direct ? NULL : evaluate(e, callee);
  if (!direct && !function) return NULL;
  if (function && function->kind == VALUE_METHOD)
    args.values[0] = function->items[0], args.nodes[0] = callee, args.count = 1;
  if (!read_arguments(e, n, &args)) return NULL;
  for (uint32_t i = 0; i < args.count; i++)
    if (!value_is_current(e, args.nodes[i], args.values[i])) return NULL;
  if (direct) return call_library(e, n, name, false, &args);
  switch (function->kind) {
  case VALUE_FUNCTION: return call_function(e, n, function, &args);
  case VALUE_METHOD: return call_method(e, n, function, &args);
  case VALUE_NAME: break;
  default: return reference_fail(e, n, "reference.unsupported", NULL, "this cannot be called");
  }
  if (!are_of_modules(e, &args)) return NULL;
  if (!strncmp(function->text, "builtins.", 9)) {
    bool numbers = !strcmp(function->text, "builtins.float") || !strcmp(function->text, "builtins.int") ||
                   !strcmp(function->text, "builtins.bool") || are_numbers(args.values, args.count);
    bool is_scalar = numbers && (!strcmp(function->text, "builtins.float") || !strcmp(function->text, "builtins.int") ||
                                 !strcmp(function->text, "builtins.bool"));
    if (is_scalar && args.count && args.values[0]->kind == VALUE_TENSOR && args.values[0]->tensor->rank)
      return reference_fail(e, n, "reference.argument", NULL, "%s of a tensor of rank %u", function->text + 9,
                            args.values[0]->tensor->rank);
    if (args.count == 1 && args.values[0]->kind == VALUE_TUPLE)
      numbers = numbers || are_numbers(args.values[0]->items, args.values[0]->count);
    const Value *result = builtin(e, n, function->text + 9, &args);
    bool is_list = result && result->kind != VALUE_TENSOR;
    return numbers   ? value_number(e, result)
           : is_list ? result
                     : value_of_library(e, result, library_of_arguments(&args));
  }
  const char *last = name_last_part(function->text);
  const char *module =
      arena_copy(e->arena, function->text, last > function->text ? (size_t)(last - function->text - 1) : 0);
  if (!reference_is_module(module))
    return reference_fail(e, callee, "reference.unsupported", "NumPy, PyTorch, torch.nn.functional and math are read",
                          "%s is not read in a reference", function->text);
  if (!reference_module_has(module, last))
    return reference_fail(e, callee, "reference.unsupported", "docs/formula.md lists what is read",
                          "%s is not read in a reference", function->text);
  for (uint32_t i = 0; !strcmp(module, "math") && i < args.count; i++)
    if (args.values[i]->kind == VALUE_TENSOR && args.values[i]->tensor->rank)
      return reference_fail(e, callee, "reference.argument", "use torch or numpy", "%s of a tensor", function->text);
  if (is_other_outside(module, last))
    return reference_fail(e, callee, "reference.unsupported", "use torch.nn.functional",
                          "%s is not read in a reference", function->text);
  if (!strcmp(name_last_part(module), "linalg") && !strcmp(last, "norm"))
    last = "linalg_norm"; /* that of matrices, where there are two axes */
  e->is_math = !strcmp(module, "math");
  bool is_numpy = !strncmp(module, "numpy", 5);
  const Value *result = call_library(e, callee, last, is_numpy, &args);
  e->is_math = false;
  result = value_of_library(e, result, is_numpy ? library_of_function(e, last, &args) : LIBRARY_FILE);
  if (!result || strcmp(module, "math")) return result;
  result = value_number(e, result);
  return math_is_defined(e, callee, function->text, &args, result) ? result : NULL;
}
