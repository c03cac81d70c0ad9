/* Statements of references, the functions of a file, and the three entries (see reference.h).
 *
 * A branch must be decided while the reference is read (None or not, a flag, a rank); a loop has a known number of
 * iterations. Functions of the same file may be called: they are evaluated in place. */
#include <string.h>

#include "reference/internal.h"

enum { MAX_CALLS = 40 };

static bool execute(Evaluator *e, const PyNode *block);

void scope_bind(Evaluator *e, Scope *scope, const char *name, const Value *value) {
  for (uint32_t i = 0; i < scope->count; i++)
    if (!strcmp(scope->data[i].name, name)) {
      scope->data[i].value = value;
      return;
    }
  array_push(e->arena, scope, (Binding){name, value});
}

static void bind_name(Evaluator *e, const char *name, const Value *value) {
  if (e->locals)
    scope_bind(e, e->locals, name, value);
  else
    scope_bind(e, &e->globals, name, name_of_file(e, name, value));
}

/* ---- statements ---- */

static bool assign(Evaluator *e, const PyNode *target, const Value *value) {
  if (target->kind == PY_NAME) {
    bind_name(e, target->text, value);
    return true;
  }
  bool list = target->kind == PY_TUPLE || target->kind == PY_LIST;
  if (!list) {
    reference_fail(e, target, "reference.assignment", "build the value with where, cat or stack",
                   "assignment to a part of a tensor is not read");
    return false;
  }
  uint32_t star = target->count;
  for (uint32_t i = 0; i < target->count; i++)
    if (target->args[i]->kind == PY_STAR) star = i;
  bool fits = value->kind == VALUE_TUPLE &&
              (star < target->count ? value->count + 1 >= target->count : value->count == target->count);
  if (!fits) {
    reference_fail(e, target, "reference.assignment", NULL, "%u names for %u values", target->count,
                   value->kind == VALUE_TUPLE ? value->count : 1);
    return false;
  }
  for (uint32_t i = 0, k = 0; i < target->count; i++) {
    if (i == star) {
      uint32_t many = value->count + 1 - target->count;
      Value *rest = (Value *)value_tuple(e, many, value->items + k);
      rest->is_list = true;
      if (!assign(e, target->args[i]->args[0], rest)) return false;
      k += many;
    } else if (!assign(e, target->args[i], value->items[k++]))
      return false;
  }
  return true;
}

static bool branch(Evaluator *e, const PyNode *n) {
  const Value *condition = evaluate(e, n->args[0]);
  bool truth;
  if (!condition) return false;
  if (!value_is_truth(e, condition, &truth)) {
    reference_fail(e, n->args[0], "reference.branch", "use torch.where for tensors",
                   "this condition is not known without running the reference");
    return false;
  }
  if (truth) return execute(e, n->args[1]);
  return n->count < 3 || reference_statement(e, n->args[2]); /* a block, or the `if` of an elif */
}

static bool loop(Evaluator *e, const PyNode *n) {
  if (n->count > 3) {
    reference_fail(e, n, "reference.unsupported", NULL, "the else of a loop is not read in a reference");
    return false;
  }
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

/* True if evaluating this might change a value. By a function of the file, or a method that says so. */
static bool may_change(Evaluator *e, const PyNode *n) {
  static const char *const methods[] = {"append",  "extend", "insert",  "pop",       "remove",
                                        "clear",   "sort",   "reverse", "update",    "setdefault",
                                        "popitem", "fill",   "put",     "partition", "resize"};
  const PyNode *callee = n->kind == PY_CALL ? n->args[0] : NULL;
  if (n->kind == PY_KEYWORD && !strcmp(n->text, "out")) return true;
  if (callee && callee->kind == PY_ATTRIBUTE) {
    size_t length = strlen(callee->text);
    if (length && callee->text[length - 1] == '_') return true;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
      if (!strcmp(methods[i], callee->text)) return true;
  } else if (callee) {
    const Value *v = callee->kind == PY_NAME ? scope_find(e, callee->text) : NULL;
    if (callee->kind != PY_NAME || (v && v->kind != VALUE_NAME)) return true;
  }
  for (uint32_t i = 0; i < n->count; i++)
    if (may_change(e, n->args[i])) return true;
  return n->kind == PY_OTHER;
}

static bool is_among(const char *name, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!strcmp(names[i], name)) return true;
  return false;
}

/* `with` what has nothing to do with the values in it. */
static bool enter(Evaluator *e, const PyNode *n) {
  static const char *const names[] = {"torch.no_grad",
                                      "torch.inference_mode",
                                      "torch.enable_grad",
                                      "torch.set_grad_enabled",
                                      "torch.autocast",
                                      "torch.amp.autocast",
                                      "torch.cuda.amp.autocast",
                                      "torch.device",
                                      "torch.cuda.device",
                                      "torch.cuda.stream",
                                      "torch.random.fork_rng",
                                      "torch.nn.attention.sdpa_kernel",
                                      "torch.backends.cuda.sdp_kernel",
                                      "torch.profiler.record_function",
                                      "torch.autograd.profiler.record_function",
                                      "torch.cuda.nvtx.range",
                                      "numpy.errstate",
                                      "warnings.catch_warnings",
                                      "contextlib.nullcontext"};
  const PyNode *callee = n->kind == PY_CALL ? n->args[0] : n;
  const Value *v = evaluate(e, callee);
  if (!v) return false;
  bool quiet = v->kind == VALUE_NAME && is_among(v->text, names, sizeof names / sizeof *names);
  for (uint32_t i = 1; n->kind == PY_CALL && i < n->count; i++) quiet = quiet && !may_change(e, n->args[i]);
  if (!quiet)
    reference_fail(e, n, "reference.unsupported", NULL, "what this does to the statements under it is not read");
  return quiet;
}

static bool with(Evaluator *e, const PyNode *n) {
  for (uint32_t i = 0; i + 1 < n->count; i += 2) {
    const PyNode *target = n->args[i + 1];
    if (!enter(e, n->args[i])) return false;
    if (target->kind == PY_EMPTY) continue;
    if (target->kind != PY_NAME)
      return reference_fail(e, target, "reference.assignment", NULL, "this is not read as a name"), false;
    bind_name(e, target->text, value_unread(e, target, "what a context gives is not read"));
  }
  return execute(e, n->args[n->count - 1]);
}

/* ---- definitions ---- */

/* Decorators that say how a function is run, and not what it computes. */
static bool is_harmless(Evaluator *e, const PyNode *n) {
  static const char *const names[] = {"torch.no_grad",          "torch.inference_mode", "torch.enable_grad",
                                      "torch.compile",          "torch.jit.script",     "torch._dynamo.disable",
                                      "torch.compiler.disable", "builtins.staticmethod"};
  const Value *v = evaluate(e, n->kind == PY_CALL ? n->args[0] : n);
  if (!v || v->kind != VALUE_NAME || !is_among(v->text, names, sizeof names / sizeof *names)) return false;
  for (uint32_t i = 1; n->kind == PY_CALL && i < n->count; i++)
    if (may_change(e, n->args[i])) return false;
  return true;
}

/* A name that an import gives its value, or Python itself: what is made of it does nothing to the file. */
static bool is_foreign(Evaluator *e, const PyNode *n) {
  while (n->kind == PY_ATTRIBUTE || n->kind == PY_SUBSCRIPT) n = n->args[0];
  const Value *v = n->kind == PY_NAME ? scope_find(e, n->text) : NULL;
  return n->kind == PY_STRING || (n->kind == PY_NAME && (!v || v->kind == VALUE_NAME));
}

/* Annotations are evaluated too: T[1] and a | b may call functions of the file, names and lists of them do nothing. */
static bool is_plain(Evaluator *e, const PyNode *n) {
  bool is_part = n->kind == PY_ATTRIBUTE || n->kind == PY_SUBSCRIPT,
       is_choice = n->kind == PY_BINARY && !strcmp(n->text, "|");
  if (n->kind == PY_NAME || n->kind == PY_NUMBER || n->kind == PY_STRING || n->kind == PY_EMPTY) return true;
  if (is_part && !is_foreign(e, n)) return false;
  if (!is_part && !is_choice && n->kind != PY_TUPLE && n->kind != PY_LIST) return false;
  for (uint32_t i = 0; i < n->count; i++)
    if (!is_plain(e, n->args[i]) || (is_choice && n->args[i]->kind != PY_BINARY && !is_foreign(e, n->args[i])))
      return false;
  return true;
}

/* One that may do something is like an unread statement of the file; false in a function, after a diagnostic. */
static bool pass_annotations(Evaluator *e, const PyNode *n) {
  if (!n->annotations || is_plain(e, n->annotations)) return true;
  reference_fail(e, n->annotations, "reference.unsupported", "use names of modules",
                 "what evaluating this annotation does is not read");
  if (!e->locals) name_unread(e, n);
  return !e->locals;
}

/* Defaults and decorators are evaluated here, once. In the file, what is not read of them is missed where the function
 * is called. */
static const Value *function_value(Evaluator *e, const PyNode *def) {
  Value *v = arena_new(e->arena, Value);
  v->kind = VALUE_FUNCTION, v->def = def, v->text = def->text, v->around = e->locals;
  v->defaults = arena_array(e->arena, const Value *, def->count);
  if (!pass_annotations(e, def)) return NULL;
  uint32_t errors = e->r->diagnostics->error_count;
  for (uint32_t i = 0; def->decorators && i < def->decorators->count && !v->decorator; i++) {
    const PyNode *n = def->decorators->args[i];
    if (is_harmless(e, n)) continue;
    if (e->r->diagnostics->error_count == errors)
      reference_fail(e, n, "reference.unsupported", "name a function without it",
                     "what this decorator makes of %s is not read", def->text);
    if (e->locals) return NULL;
    v->decorator = n;
    name_unread(e, n);
  }
  for (uint32_t i = 0; i + 1 < def->count; i++) {
    if (!def->args[i]->count) continue;
    v->defaults[i] = evaluate(e, def->args[i]->args[0]);
    if (!v->defaults[i] && e->locals) return NULL;
    if (!v->defaults[i]) v->defaults[i] = name_unread(e, def->args[i]);
    value_keep(v->defaults[i]);
  }
  return v;
}

/* ---- assert ---- */

/* What the source says there, in one line. */
static const char *text_of(Evaluator *e, Span span) {
  Text text = text_new(e->arena);
  bool space = false;
  for (uint32_t i = span.begin; i < span.end && text.count < 1000; i++) {
    unsigned char c = (unsigned char)e->r->source->text[i];
    bool is_space = c <= ' ' || c == '\\';
    if (!is_space && space && text.count) text_char(&text, ' ');
    if (!is_space) text_char(&text, (char)c);
    space = is_space;
  }
  return text_string(&text);
}

/* The condition, where it is of sizes and integers alone. */
static Term condition_of(Evaluator *e, const Value *v) {
  TermTable *tt = e->tt;
  const TensorExpr *truth = v && v->kind == VALUE_TENSOR && !v->tensor->rank ? tensor_truth(e, v->tensor) : NULL;
  if (truth && e->under) truth = choose(e, e->under, truth, tensor_const(tt, tt->true_));
  Term t = truth ? tensor_meaning(tt, truth, &tt->zero) : 0;
  TermList symbols = {0};
  if (!t || (term_node(tt, t)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_PARTIAL))) return 0;
  term_symbols(tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (term_sort(tt, symbols.data[i]) != SORT_INT) return 0;
  return t;
}

/* Nothing is lost where the condition is not read: it is said as it stands. */
static bool assertion(Evaluator *e, const PyNode *n) {
  DiagnosticList before = *e->r->diagnostics;
  uint32_t raising = e->r->raising.count;
  bool truth, known = false;
  const Value *v = evaluate(e, n->args[0]);
  if (v)
    known = value_is_truth(e, v, &truth);
  else
    *e->r->diagnostics = before;
  if (known && !truth) return reference_fail(e, n, "reference.assert", NULL, "this assertion fails"), false;
  if (known) return true;
  ReferenceClaim claim = {text_of(e, n->span), condition_of(e, v)};
  if (!claim.condition) e->r->raising.count = raising; /* as it is printed, it excludes its own errors */
  for (uint32_t i = 0; i < e->r->claims.count; i++)
    if (e->r->claims.data[i].condition == claim.condition && !strcmp(e->r->claims.data[i].text, claim.text))
      return true;
  array_push(e->arena, &e->r->claims, claim);
  return true;
}

/* ---- all of them ---- */

bool reference_statement(Evaluator *e, const PyNode *n) {
  const Value *value;
  switch (n->kind) {
  case PY_BLOCK: return execute(e, n);
  case PY_PASS: return true;
  case PY_ASSERT:
    if (may_change(e, n->args[0])) break;
    return !e->locals || assertion(e, n);
  case PY_EXPRESSION: return n->args[0]->kind == PY_STRING || evaluate(e, n->args[0]);
  case PY_ASSIGN:
    if (!e->locals) pass_annotations(e, n); /* in a function nobody evaluates them */
    value = evaluate(e, n->args[n->count - 1]);
    for (uint32_t i = 0; value && i + 1 < n->count; i++)
      if (!assign(e, n->args[i], value)) return false;
    return value != NULL;
  case PY_AUGMENTED: {
    const Value *left = evaluate(e, n->args[0]), *right = left ? evaluate(e, n->args[1]) : NULL;
    if (!right || !value_is_current(e, n, left)) return false;
    value = changed_in_place(e, n, n->text, left, reference_binary(e, n, n->text, left, right));
    return value && assign(e, n->args[0], value);
  }
  case PY_RETURN:
    e->returned = n->count ? evaluate(e, n->args[0]) : value_none(e);
    e->returned_by = n->count ? n->args[0] : NULL;
    return e->returned != NULL;
  case PY_IF: return branch(e, n);
  case PY_FOR: return loop(e, n);
  case PY_WITH: return with(e, n);
  case PY_DEF:
    value = function_value(e, n);
    if (value) bind_name(e, n->text, value);
    return value != NULL;
  case PY_IMPORT:
    value = reference_constant(e, n->text); /* from math import pi */
    bind_name(e, n->ops[0], value ? value : value_name(e, n->text));
    return true;
  default: break;
  }
  reference_fail(e, n, "reference.unsupported", NULL, "%s",
                 n->error ? n->error : "this statement is not read in a reference");
  return false;
}

static bool execute(Evaluator *e, const PyNode *block) {
  for (uint32_t i = 0; i < block->count && !e->returned; i++) {
    guard_tick(e->arena->guard);
    if (!reference_statement(e, block->args[i])) return false;
  }
  return true;
}

/* ---- functions ---- */

static bool bind_params(Evaluator *e, const PyNode *n, const Value *function, const Arguments *args, Scope *scope) {
  const PyNode *def = function->def;
  uint32_t next = 0, params = def->count - 1;
  const Value **values = arena_array(e->arena, const Value *, params + 1);
  for (uint32_t i = 0; i < args->count; i++) {
    uint32_t at = next;
    if (args->names[i])
      for (at = 0; at < params && strcmp(def->args[at]->text, args->names[i]); at++) {
      }
    else
      next++;
    if (at >= params || values[at]) {
      reference_fail(e, args->nodes[i], "reference.argument", NULL, "%s has no place for this argument", def->text);
      return false;
    }
    values[at] = args->values[i];
  }
  for (uint32_t i = 0; i < params; i++) {
    const PyNode *param = def->args[i];
    if (!values[i]) values[i] = function->defaults[i];
    if (!values[i])
      return reference_fail(e, n, "reference.argument", NULL, "%s lacks its argument '%s'", def->text, param->text),
             false;
    if (values[i]->kind == VALUE_UNREAD)
      return reference_fail(e, param, "reference.argument", NULL, "the default of '%s' is not read: %s", param->text,
                            values[i]->text),
             false;
    scope_bind(e, scope, param->text, values[i]);
  }
  return true;
}

const Value *call_function(Evaluator *e, const PyNode *n, const Value *function, const Arguments *args) {
  const PyNode *def = function->def;
  Scope *scope = arena_new(e->arena, Scope); /* a function in it may outlive the call */
  scope->around = function->around, scope->def = def;
  if (e->depth >= MAX_CALLS) return reference_fail(e, n, "reference.limit", NULL, "calls nested too deeply");
  if (function->decorator)
    return reference_fail(e, function->decorator, "reference.unsupported", "name a function without it",
                          "what this decorator makes of %s is not read", def->text);
  if (!bind_params(e, n, function, args, scope)) return NULL;
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
  const PyNode *broken = NULL;
  Text names = text_new(r->arena);
  for (uint32_t i = 0; i < r->file->count; i++) {
    const PyNode *n = r->file->args[i];
    bool is_other = n->kind == PY_OTHER && !strcmp(n->text, function);
    if (is_other) broken = n;
    if (n->kind != PY_DEF) continue;
    text_format(&names, "%s%s", names.count ? ", " : "", n->text);
    if (!strcmp(n->text, function)) r->function = n, broken = NULL;
  }
  if (broken)
    return diagnostic_add(r->diagnostics, SEVERITY_ERROR, "reference.syntax", r->source, broken->error_span, NULL, "%s",
                          broken->error),
           false;
  if (!r->function) {
    diagnostic_add(r->diagnostics, SEVERITY_ERROR, "reference.function", r->source, (Span){0, 0},
                   names.count ? arena_format(r->arena, "there are: %s", text_string(&names)) : NULL,
                   "there is no function '%s' in this file", function);
    return false;
  }
  for (uint32_t i = 0; i + 1 < r->function->count; i++) {
    const PyNode *param = r->function->args[i];
    array_push(r->arena, &r->params, (ReferenceParam){param->text, param->count > 0, param->span});
  }
  return true;
}

/* The function that is asked for, as the file leaves it; NULL after a diagnostic if it may be something else. */
static const Value *asked_function(Evaluator *e) {
  const PyNode *def = e->r->function;
  const Value *v = scope_find(e, def->text);
  if (v && v->kind == VALUE_UNREAD)
    return reference_fail(e, v->def, "reference.function", NULL, "%s is something else from here on: %s", def->text,
                          v->text);
  if (!v || v->kind != VALUE_FUNCTION || v->def != def)
    return reference_fail(e, def, "reference.function", NULL, "%s is something else after this", def->text);
  return v;
}

static bool push_output(Evaluator *e, const char *name, const Value *value, const Arguments *args) {
  if (value->kind != VALUE_TENSOR) {
    reference_fail(e, e->r->function, "reference.result", NULL, "%s returns something that is no tensor",
                   e->r->function->text);
    return false;
  }
  if (!value_is_current(e, e->r->function, value)) return false;
  ReferenceBinding output = {.name = name, .value = value->tensor};
  for (uint32_t i = 0; i < args->count; i++)
    if (value_is_of(value, args->values[i])) output.argument = e->r->bindings.data[i].value;
  array_push(e->arena, &e->r->outputs, output);
  return true;
}

static void push_changed(Evaluator *e, const Arguments *args) {
  for (uint32_t i = 0; i < args->count; i++) {
    const TensorExpr *contents = value_contents(args->values[i]), *argument = e->r->bindings.data[i].value;
    if (contents) array_push(e->arena, &e->r->changed, (ReferenceBinding){args->names[i], contents, NULL, argument});
  }
}

static const char *name_of(const PyNode *n) { return n && n->kind == PY_NAME ? n->text : NULL; }

/* The types of real numbers are PyTorch's; an i8 may be one of three, a truth value among them. */
static const Value *input_value(Evaluator *e, const ReferenceBinding *binding) {
  static const char *const types[][2] = {{"f32", "float32"}, {"f16", "float16"}, {"bf16", "bfloat16"},
                                         {"f64", "float64"}, {"u8", "uint8"},    {"u16", "uint16"},
                                         {"u32", "uint32"}};
  const char *dtype = binding->dtype ? binding->dtype : "";
  bool is_truth = !strcmp(dtype, "i1") || !strcmp(dtype, "bool");
  Value *v = (Value *)value_tensor(e, is_truth ? tensor_truth(e, binding->value) : binding->value);
  if (v && (!strcmp(dtype, "i8") || !strcmp(dtype, "i16") || !strcmp(dtype, "u8") || !strcmp(dtype, "u16")))
    v->dtype = "?", v->type = !strcmp(dtype, "i8") ? '?' : 'n';
  e->has_other_reals |= v && value_type(v) == 'f' && v->tensor->rank && strcmp(dtype, "f32") != 0;
  e->has_double |= v && value_type(v) == 'f' && v->tensor->rank && (!*dtype || !strcmp(dtype, "f64"));
  if (v && v->tensor->op == TENSOR_SCALAR) v->is_number = true;
  for (size_t i = 0; v && binding->dtype && i < sizeof types / sizeof *types; i++)
    if (!strcmp(types[i][0], binding->dtype)) v->dtype = types[i][1];
  if (v) value_of_caller(v);
  return v;
}

bool reference_run(Reference *r) {
  Evaluator e = {.r = r, .arena = r->arena, .tt = r->tt};
  Arguments args = {0};
  const Value *function = reference_globals(&e) ? asked_function(&e) : NULL;
  if (!function) return false;
  if (r->bindings.count > CALL_MAX_ARGS)
    return reference_fail(&e, r->function, "reference.limit", NULL, "more than %d parameters", CALL_MAX_ARGS), false;
  for (uint32_t i = 0; i < r->bindings.count; i++) {
    args.values[i] = input_value(&e, &r->bindings.data[i]), args.names[i] = r->bindings.data[i].name,
    args.nodes[i] = r->function;
    args.count++;
  }
  const Value *result = call_function(&e, r->function, function, &args);
  if (!result) return false;
  push_changed(&e, &args);
  const PyNode *written = e.returned_by; /* `return y, mean`: the outputs' names */
  if (result->kind == VALUE_NONE && r->changed.count) return true;
  if (result->kind == VALUE_DICT) {
    for (uint32_t i = 0; i + 1 < result->count; i += 2)
      if (!push_output(&e, result->items[i]->kind == VALUE_STRING ? result->items[i]->text : NULL, result->items[i + 1],
                       &args))
        return false;
    return true;
  }
  if (result->kind != VALUE_TUPLE) return push_output(&e, name_of(written), result, &args);
  for (uint32_t i = 0; i < result->count; i++) {
    const PyNode *part =
        written && written->kind == PY_TUPLE && written->count == result->count ? written->args[i] : NULL;
    if (!push_output(&e, name_of(part), result->items[i], &args)) return false;
  }
  return true;
}

const TensorExpr *reference_formula(Reference *r, const PyNode *syntax) {
  Evaluator e = {.r = r, .arena = r->arena, .tt = r->tt, .is_formula = true};
  for (uint32_t i = 0; i < r->bindings.count; i++)
    scope_bind(&e, &e.globals, r->bindings.data[i].name, value_tensor(&e, r->bindings.data[i].value));
  const Value *v = evaluate(&e, syntax);
  if (v && v->kind == VALUE_TENSOR) return v->tensor;
  if (v) reference_fail(&e, syntax, "reference.result", NULL, "this formula is no tensor");
  return NULL;
}
