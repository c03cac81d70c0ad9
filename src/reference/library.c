/* Calls of library functions: their tables, and how arguments find their parameters. */
#include <string.h>

#include "reference/internal.h"

static const LibraryFunction *const tables[] = {reference_elementwise, reference_reductions, reference_shapes,
                                                reference_linear,      reference_layers,     reference_casts};

/* The first of that name; NumPy has other names for some functions. */
static const LibraryFunction *find(Evaluator *e, const char *name) {
  for (const LibraryFunction *f = reference_formulas; e->is_formula && f->name; f++)
    if (!strcmp(f->name, name)) return f;
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    for (const LibraryFunction *f = tables[i]; f->name; f++)
      if (!strcmp(f->name, name)) return f;
  TermFn fn = term_fn_find(name);
  for (const LibraryFunction *f = reference_elementwise; fn != FN_COUNT && f->name; f++)
    if (!strcmp(f->name, term_fn_name(fn))) return f;
  return NULL;
}

/* The next parameter of a list: its names and marks ("~", "!"). */
typedef struct Param {
  const char *names;
  size_t length;
  bool rest, keyword, keyword_in_numpy;
} Param;

static uint32_t split_params(const char *text, Param *out) {
  uint32_t n = 0;
  while (*text && n < CALL_MAX_ARGS) {
    Param p = {.keyword = *text == '!', .keyword_in_numpy = *text == '~'};
    if (p.keyword || p.keyword_in_numpy) text++;
    p.names = text, p.length = strcspn(text, ",");
    p.rest = p.length == 1 && *text == '*';
    out[n++] = p;
    text += p.length + (text[p.length] == ',');
  }
  return n;
}

static bool is_named(const Param *p, const char *name) {
  size_t n = strlen(name);
  for (const char *at = p->names; at < p->names + p->length;) {
    size_t length = strcspn(at, "|,");
    if (length > (size_t)(p->names + p->length - at)) length = (size_t)(p->names + p->length - at);
    if (length == n && !memcmp(at, name, n)) return true;
    at += length + 1;
  }
  return false;
}

/* Where results go, on which device, with which gradients: nothing to do with what is computed. */
static bool is_irrelevant(const char *name) {
  static const char *const names[] = {"dtype",         "device",       "requires_grad", "inplace",
                                      "memory_format", "non_blocking", "pin_memory",    "layout"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(names[i], name)) return true;
  return false;
}

static bool bind_keyword(Call *call, const Param *params, uint32_t count, const char *name, const Value *value,
                         const PyNode *node) {
  if (!strcmp(name, "dtype")) call->dtype = value;
  for (uint32_t i = 0; i < count; i++) {
    if (!is_named(&params[i], name)) continue;
    if (call->args[i]) {
      reference_fail(call->e, node, "reference.argument", NULL, "%s gets its argument '%s' twice", call->name, name);
      return false;
    }
    call->args[i] = value, call->nodes[i] = node;
    return true;
  }
  if (!strcmp(name, "inplace")) call->inplace = value;
  if (is_irrelevant(name)) return true;
  reference_fail(call->e, node, "reference.argument", NULL, "the argument '%s' of %s is not read", name, call->name);
  return false;
}

static bool bind(Call *call, const LibraryFunction *f, const Arguments *args) {
  Param params[CALL_MAX_ARGS];
  uint32_t count = split_params(f->params, params), next = 0;
  for (uint32_t i = 0; i < args->count; i++) {
    if (args->names[i]) {
      if (!bind_keyword(call, params, count, args->names[i], args->values[i], args->nodes[i])) return false;
      continue;
    }
    if (next < count && params[next].rest) {
      call->extra[call->extra_count++] = args->values[i];
      continue;
    }
    bool keyword = next < count && (params[next].keyword || (params[next].keyword_in_numpy && call->is_numpy));
    if (next >= count || keyword) {
      reference_fail(call->e, args->nodes[i], "reference.argument", keyword ? "pass it by keyword" : NULL,
                     "this argument of %s is not read", call->name);
      return false;
    }
    call->args[next] = args->values[i], call->nodes[next++] = args->nodes[i];
  }
  for (uint32_t i = 0; i < count; i++)
    if (is_named(&params[i], "inplace")) call->inplace = call->args[i];
  return true;
}

bool library_has(Evaluator *e, const char *name) {
  const char *dot = strrchr(name, '.');
  return !strncmp(name, "builtins.", 9) || (dot && find(e, dot + 1));
}

const Value *call_library(Evaluator *e, const PyNode *n, const char *name, bool is_numpy, const Arguments *args) {
  const LibraryFunction *f = find(e, name);
  const Value *idiom = e->is_formula ? formula_idiom(e, name, args) : NULL;
  if (idiom) return idiom;
  if (!f && e->is_formula && formula_has_idiom(name))
    return reference_fail(e, n, "reference.argument", "docs/formula.md has the names of textbooks and their arguments",
                          "these arguments of %s are not read", name);
  if (!f)
    return reference_fail(e, n, "reference.unsupported", "docs/formula.md lists what is read",
                          "%s is not read in a reference", name);
  Call *call = arena_new(e->arena, Call);
  *call = (Call){.e = e,
                 .node = n,
                 .name = f->name,
                 .is_numpy = is_numpy,
                 .is_math = e->is_math,
                 .errors = e->r->diagnostics->error_count};
  e->has_other_reals |= is_numpy; /* some make arrays of f64 */
  if (!bind(call, f, args)) return NULL;
  const Value *result = f->handler(call);
  if (result && call->dtype) result = reference_as_type(call, result);
  result = call_typed(call, result);
  if (result) return call_shared(call, result);
  if (e->r->diagnostics->error_count == call->errors)
    return call_fail(call, NULL, "these arguments of %s are not read", name);
  return result;
}
