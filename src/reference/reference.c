/* Statements of references, the functions of a file, and the three entries (see reference.h).
 *
 * A branch must be decided while the reference is read (None or not, a flag, a rank); a loop has a known number of
 * iterations. Functions of the same file may be called: they are evaluated in place. */
#include <string.h>

#include "reference/internal.h"

enum { MAX_CALLS = 40 };

static bool execute(Evaluator *e, const PyNode *block);
static bool statement(Evaluator *e, const PyNode *n);

static void bind_name(Evaluator *e, Scope *scope, const char *name, const Value *value) {
  for (uint32_t i = 0; i < scope->count; i++)
    if (!strcmp(scope->data[i].name, name)) {
      scope->data[i].value = value;
      return;
    }
  array_push(e->arena, scope, (Binding){name, value});
}

/* ---- statements ---- */

static bool assign(Evaluator *e, const PyNode *target, const Value *value) {
  if (target->kind == PY_NAME) {
    bind_name(e, e->locals ? e->locals : &e->globals, target->text, value);
    return true;
  }
  bool list = target->kind == PY_TUPLE || target->kind == PY_LIST;
  if (!list) {
    reference_fail(e, target, "reference.assignment", "build the value with where, cat or stack", "assignment to a part of a tensor is not read");
    return false;
  }
  uint32_t star = target->count;
  for (uint32_t i = 0; i < target->count; i++) if (target->args[i]->kind == PY_STAR) star = i;
  bool fits = value->kind == VALUE_TUPLE && (star < target->count ? value->count + 1 >= target->count : value->count == target->count);
  if (!fits) {
    reference_fail(e, target, "reference.assignment", NULL, "%u names for %u values", target->count, value->kind == VALUE_TUPLE ? value->count : 1);
    return false;
  }
  for (uint32_t i = 0, k = 0; i < target->count; i++) {
    if (i == star) {
      uint32_t many = value->count + 1 - target->count;
      Value *rest = (Value *)value_tuple(e, many, value->items + k);
      rest->is_list = true;
      if (!assign(e, target->args[i]->args[0], rest)) return false;
      k += many;
    } else if (!assign(e, target->args[i], value->items[k++])) return false;
  }
  return true;
}

static bool branch(Evaluator *e, const PyNode *n) {
  const Value *condition = evaluate(e, n->args[0]);
  bool truth;
  if (!condition) return false;
  if (!value_is_truth(e, condition, &truth)) {
    reference_fail(e, n->args[0], "reference.branch", "use torch.where for tensors", "this condition is not known without running the reference");
    return false;
  }
  if (truth) return execute(e, n->args[1]);
  return n->count < 3 || statement(e, n->args[2]); /* a block, or the `if` of an elif */
}

static bool loop(Evaluator *e, const PyNode *n) {
  const Value *list = evaluate(e, n->args[1]);
  if (!list) return false;
  if (list->kind != VALUE_TUPLE) {
    reference_fail(e, n->args[1], "reference.loop", NULL, "the iterations of this loop are not known");
    return false;
  }
  for (uint32_t i = 0; i < list->count && !e->returned; i++)
    if (!assign(e, n->args[0], list->items[i]) || !execute(e, n->args[2])) return false;
  return true;
}

static const Value *function_value(Evaluator *e, const PyNode *def) {
  Value *v = arena_new(e->arena, Value);
  v->kind = VALUE_FUNCTION, v->def = def, v->text = def->text, v->around = e->locals;
  return v;
}

static bool statement(Evaluator *e, const PyNode *n) {
  const Value *value;
  switch (n->kind) {
  case PY_BLOCK: return execute(e, n);
  case PY_PASS: case PY_ASSERT: return true;
  case PY_EXPRESSION:
    return n->args[0]->kind == PY_STRING || evaluate(e, n->args[0]);
  case PY_ASSIGN:
    value = evaluate(e, n->args[n->count - 1]);
    for (uint32_t i = 0; value && i + 1 < n->count; i++) if (!assign(e, n->args[i], value)) return false;
    return value != NULL;
  case PY_AUGMENTED: {
    const Value *left = evaluate(e, n->args[0]), *right = left ? evaluate(e, n->args[1]) : NULL;
    if (!right || !value_is_current(e, n, left)) return false;
    value = value_changed(e, n, left, reference_binary(e, n, n->text, left, right));
    return value && assign(e, n->args[0], value);
  }
  case PY_RETURN:
    e->returned = n->count ? evaluate(e, n->args[0]) : value_none(e);
    return e->returned != NULL;
  case PY_IF: return branch(e, n);
  case PY_FOR: return loop(e, n);
  case PY_WITH: return execute(e, n->args[0]);
  case PY_DEF: return assign(e, &(PyNode){.kind = PY_NAME, .text = n->text}, function_value(e, n));
  case PY_IMPORT:
    bind_name(e, e->locals ? e->locals : &e->globals, n->ops[0], value_name(e, n->text));
    return true;
  default: break;
  }
  reference_fail(e, n, "reference.unsupported", NULL, "this statement is not read in a reference");
  return false;
}

static bool execute(Evaluator *e, const PyNode *block) {
  for (uint32_t i = 0; i < block->count && !e->returned; i++) {
    guard_tick(e->arena->guard);
    if (!statement(e, block->args[i])) return false;
  }
  return true;
}

/* ---- functions ---- */

static bool bind_params(Evaluator *e, const PyNode *n, const PyNode *def, const Arguments *args, Scope *scope) {
  uint32_t next = 0, params = def->count - 1;
  const Value **values = arena_array(e->arena, const Value *, params + 1);
  for (uint32_t i = 0; i < args->count; i++) {
    uint32_t at = next;
    if (args->names[i])
      for (at = 0; at < params && strcmp(def->args[at]->text, args->names[i]); at++) {}
    else next++;
    if (at >= params || values[at]) {
      reference_fail(e, args->nodes[i], "reference.argument", NULL, "%s has no place for this argument", def->text);
      return false;
    }
    values[at] = args->values[i];
  }
  for (uint32_t i = 0; i < params; i++) {
    const PyNode *param = def->args[i];
    if (!values[i] && param->count) {
      values[i] = evaluate(e, param->args[0]);
      if (values[i]) value_keep(values[i]);
    }
    if (!values[i]) {
      if (!param->count) reference_fail(e, n, "reference.argument", NULL, "%s lacks its argument '%s'", def->text, param->text);
      return false;
    }
    bind_name(e, scope, param->text, values[i]);
  }
  return true;
}

/* Decorators that say how a function is run, and not what it computes. */
static bool is_harmless(const char *name) {
  static const char *const names[] = {"torch.no_grad", "torch.inference_mode", "torch.enable_grad", "torch.compile", "torch.jit.script", "torch._dynamo.disable",
                                      "torch.compiler.disable", "builtins.staticmethod"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) if (!strcmp(names[i], name)) return true;
  return false;
}

static bool read_decorators(Evaluator *e, const PyNode *def) {
  Scope *locals = e->locals;
  for (uint32_t i = 0; def->decorators && i < def->decorators->count; i++) {
    const PyNode *n = def->decorators->args[i];
    e->locals = NULL;
    const Value *v = evaluate(e, n->kind == PY_CALL ? n->args[0] : n);
    e->locals = locals;
    if (v && v->kind == VALUE_NAME && is_harmless(v->text)) continue;
    if (v) reference_fail(e, n, "reference.unsupported", "name a function without it", "what this decorator makes of %s is not read", def->text);
    return false;
  }
  return true;
}

const Value *call_function(Evaluator *e, const PyNode *n, const Value *function, const Arguments *args) {
  const PyNode *def = function->def;
  Scope *scope = arena_new(e->arena, Scope); /* a function in it may outlive the call */
  scope->around = function->around;
  if (e->depth >= MAX_CALLS) return reference_fail(e, n, "reference.limit", NULL, "calls nested too deeply");
  if (!read_decorators(e, def) || !bind_params(e, n, def, args, scope)) return NULL;
  Scope *outer = e->locals;
  const Value *returned = e->returned;
  e->locals = scope, e->returned = NULL, e->depth++;
  bool good = execute(e, def->args[def->count - 1]);
  const Value *result = good ? e->returned ? e->returned : value_none(e) : NULL;
  e->locals = outer, e->returned = returned, e->depth--;
  return result;
}

/* ---- entries ---- */

bool reference_open(Reference *r, const char *function) {
  r->file = python_parse_file(r->arena, r->source);
  Text names = text_new(r->arena);
  for (uint32_t i = 0; i < r->file->count; i++) {
    const PyNode *n = r->file->args[i];
    if (n->kind == PY_OTHER && !strcmp(n->text, function)) {
      diagnostic_add(r->diagnostics, SEVERITY_ERROR, "reference.syntax", r->source, n->error_span, NULL, "%s", n->error);
      return false;
    }
    if (n->kind == PY_ASSIGN && r->function)
      for (uint32_t k = 0; k + 1 < n->count; k++)
        if (n->args[k]->kind == PY_NAME && !strcmp(n->args[k]->text, function)) {
          diagnostic_add(r->diagnostics, SEVERITY_ERROR, "reference.function", r->source, n->span, NULL, "%s is something else from here on", function);
          return false;
        }
    if (n->kind != PY_DEF) continue;
    text_format(&names, "%s%s", names.count ? ", " : "", n->text);
    if (!strcmp(n->text, function)) r->function = n;
  }
  if (!r->function) {
    diagnostic_add(r->diagnostics, SEVERITY_ERROR, "reference.function", r->source, (Span){0, 0}, names.count ? arena_format(r->arena, "there are: %s", text_string(&names)) : NULL,
                   "there is no function '%s' in this file", function);
    return false;
  }
  for (uint32_t i = 0; i + 1 < r->function->count; i++) {
    const PyNode *param = r->function->args[i];
    array_push(r->arena, &r->params, (ReferenceParam){param->text, param->count > 0, param->span});
  }
  return true;
}

static void forget_target(Evaluator *e, const PyNode *target) {
  if (target->kind == PY_NAME) bind_name(e, &e->globals, target->text, &reference_unread);
  else for (uint32_t i = 0; i < target->count; i++) forget_target(e, target->args[i]);
}

static bool mentions_name(const PyNode *n, const char *name) {
  if (n->kind == PY_NAME && !strcmp(n->text, name)) return true;
  for (uint32_t i = 0; i < n->count; i++) if (mentions_name(n->args[i], name)) return true;
  return false;
}

/* The names that a statement of the file gives a value, if it is run. */
static void forget(Evaluator *e, const PyNode *n) {
  switch (n->kind) {
  case PY_ASSIGN:
    for (uint32_t i = 0; i + 1 < n->count; i++) forget_target(e, n->args[i]);
    break;
  case PY_AUGMENTED: forget_target(e, n->args[0]); break;
  case PY_DEF: bind_name(e, &e->globals, n->text, &reference_unread); break;
  case PY_IMPORT: bind_name(e, &e->globals, n->ops[0], &reference_unread); break;
  case PY_FOR: forget_target(e, n->args[0]); /* fall through */
  case PY_IF: case PY_WITH: case PY_BLOCK:
    if (n->kind == PY_IF && mentions_name(n->args[0], "__name__")) break; /* not run where the file is imported */
    for (uint32_t i = 0; i < n->count; i++) forget(e, n->args[i]);
    break;
  default: break;
  }
}

/* Imports, constants and functions of the file; what cannot be evaluated is missed only where it is used. */
static void read_globals(Evaluator *e) {
  DiagnosticList ignored, *diagnostics = e->r->diagnostics;
  diagnostic_list_init(&ignored, e->arena);
  e->r->diagnostics = &ignored;
  for (uint32_t i = 0; i < e->r->file->count; i++) {
    const PyNode *n = e->r->file->args[i];
    bool is_read = n->kind == PY_BLOCK || n->kind == PY_IMPORT || n->kind == PY_ASSIGN || n->kind == PY_DEF;
    if (!is_read || !statement(e, n)) forget(e, n);
  }
  e->r->diagnostics = diagnostics;
  bool torch = false;
  for (uint32_t i = 0; i < e->globals.count; i++) {
    const Value *v = e->globals.data[i].value;
    torch |= v->kind == VALUE_NAME && !strncmp(v->text, "torch", 5);
    e->is_numpy |= v->kind == VALUE_NAME && !strncmp(v->text, "numpy", 5);
  }
  e->is_numpy &= !torch;
}

static bool push_output(Evaluator *e, const char *name, const Value *value) {
  if (value->kind != VALUE_TENSOR) {
    reference_fail(e, e->r->function, "reference.result", NULL, "%s returns something that is no tensor", e->r->function->text);
    return false;
  }
  if (!value_is_current(e, e->r->function, value)) return false;
  array_push(e->arena, &e->r->outputs, (ReferenceBinding){.name = name, .value = value->tensor});
  return true;
}

/* The names of `return y, mean`, which are the outputs' names; NULL where there is none. */
static const PyNode *last_return(const PyNode *n) {
  const PyNode *found = NULL;
  if (n->kind == PY_RETURN) return n->count ? n->args[0] : NULL;
  if (n->kind != PY_BLOCK && n->kind != PY_IF && n->kind != PY_WITH && n->kind != PY_FOR) return NULL;
  for (uint32_t i = 0; i < n->count; i++) {
    const PyNode *inner = last_return(n->args[i]);
    if (inner) found = inner;
  }
  return found;
}

static const char *name_of(const PyNode *n) { return n && n->kind == PY_NAME ? n->text : NULL; }

/* The types of real numbers are PyTorch's; an i8 may be one of three, a truth value among them. */
static const Value *input_value(Evaluator *e, const ReferenceBinding *binding) {
  static const char *const types[][2] = {{"f32", "float32"}, {"f16", "float16"}, {"bf16", "bfloat16"}, {"f64", "float64"}};
  const char *dtype = binding->dtype ? binding->dtype : "";
  bool is_truth = !strcmp(dtype, "i1") || !strcmp(dtype, "bool");
  Value *v = (Value *)value_tensor(e, is_truth ? tensor_truth(e, binding->value) : binding->value);
  if (v && (!strcmp(dtype, "i8") || !strcmp(dtype, "i16") || !strcmp(dtype, "u8") || !strcmp(dtype, "u16"))) v->dtype = "?", v->type = !strcmp(dtype, "i8") ? '?' : 'i';
  e->has_double |= v && value_type(v) == 'f' && v->tensor->rank && (!*dtype || !strcmp(dtype, "f64"));
  if (v && v->tensor->op == TENSOR_SCALAR) v->is_number = true;
  for (size_t i = 0; v && binding->dtype && i < sizeof types / sizeof *types; i++) if (!strcmp(types[i][0], binding->dtype)) v->dtype = types[i][1];
  return v;
}

bool reference_run(Reference *r) {
  Evaluator e = {.r = r, .arena = r->arena, .tt = r->tt};
  Arguments args = {0};
  read_globals(&e);
  e.steps = 0;
  if (r->bindings.count > CALL_MAX_ARGS) return reference_fail(&e, r->function, "reference.limit", NULL, "more than %d parameters", CALL_MAX_ARGS), false;
  for (uint32_t i = 0; i < r->bindings.count; i++) {
    args.values[i] = input_value(&e, &r->bindings.data[i]), args.names[i] = r->bindings.data[i].name, args.nodes[i] = r->function;
    args.count++;
  }
  const Value *result = call_function(&e, r->function, function_value(&e, r->function), &args);
  if (!result) return false;
  const PyNode *written = last_return(r->function->args[r->function->count - 1]);
  if (result->kind == VALUE_DICT) {
    for (uint32_t i = 0; i + 1 < result->count; i += 2)
      if (!push_output(&e, result->items[i]->kind == VALUE_STRING ? result->items[i]->text : NULL, result->items[i + 1])) return false;
    return true;
  }
  if (result->kind != VALUE_TUPLE) return push_output(&e, name_of(written), result);
  for (uint32_t i = 0; i < result->count; i++) {
    const PyNode *part = written && written->kind == PY_TUPLE && written->count == result->count ? written->args[i] : NULL;
    if (!push_output(&e, name_of(part), result->items[i])) return false;
  }
  return true;
}

const TensorExpr *reference_formula(Reference *r, const PyNode *syntax) {
  Evaluator e = {.r = r, .arena = r->arena, .tt = r->tt, .is_formula = true};
  for (uint32_t i = 0; i < r->bindings.count; i++) bind_name(&e, &e.globals, r->bindings.data[i].name, value_tensor(&e, r->bindings.data[i].value));
  const Value *v = evaluate(&e, syntax);
  if (v && v->kind == VALUE_TENSOR) return v->tensor;
  if (v) reference_fail(&e, syntax, "reference.result", NULL, "this formula is no tensor");
  return NULL;
}
