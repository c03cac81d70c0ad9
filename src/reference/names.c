/* The names of a file: which of them have a known value.
 *
 * The statements of the file are followed in their order, as far as they are imports, assignments and definitions.
 * Every other one, and one that cannot be followed, is *unread*: from its tokens (python_uses) it is known which names
 * it may give a value, and which it mentions. What it gives a value is unknown from there on. What it mentions is
 * *touched*: it may be called, or changed if it is a list or a tensor, and so may all that the statements mention which
 * gave it its value. Touched lists and tensors are unknown, as are the names that touched functions call `global`. As a
 * name that becomes unknown may make further statements unread, the file is followed until nothing changes. Modules
 * that are imported are taken to change nothing but themselves. */
#include <string.h>

#include "base/intern.h"
#include "reference/internal.h"

typedef Array(uint32_t) Indices;

typedef struct FileName {
  const char *name;
  const char *module;      /* what it stood for at some time, if that is a name of a module */
  const PyNode *touched;   /* by this statement */
  const PyNode *forbidden; /* this statement has it as a global */
  Indices binders;         /* statements */
} FileName;

typedef struct FileStatement {
  const PyNode *node;
  PyUses uses;
  uint32_t *names;                /* of the uses, in FileNames */
  bool is_unread, is_now, is_all; /* its uses count: those that happen with it; those of its functions too */
} FileStatement;

struct FileNames {
  InternTable table;
  Array(FileName) names;
  Array(FileStatement) statements;
  Indices work;
  FileStatement *current;
  const PyNode *patched; /* the statement that may change anything */
  bool grown;
};

/* ---- the tables ---- */

static uint32_t index_of(Evaluator *e, const char *name) {
  FileNames *f = e->names;
  Name i = intern_text(&f->table, name);
  while (f->names.count <= i) array_push(e->arena, &f->names, (FileName){0});
  f->names.data[i].name = intern_string(&f->table, i);
  return i;
}

static void add_statement(Evaluator *e, const PyNode *n) {
  FileNames *f = e->names;
  if (n->kind == PY_PASS) return;
  if (n->kind == PY_BLOCK) {
    for (uint32_t i = 0; i < n->count; i++) add_statement(e, n->args[i]);
    return;
  }
  FileStatement s = {.node = n};
  python_uses(e->arena, e->r->source, (Span){n->decorators ? n->decorators->span.begin : n->span.begin, n->span.end},
              &s.uses);
  s.names = arena_array(e->arena, uint32_t, s.uses.count + 1);
  uint32_t at = f->statements.count;
  for (uint32_t i = 0; i < s.uses.count; i++) {
    const PyUse *use = &s.uses.data[i];
    s.names[i] = index_of(e, use->name);
    if (use->kind == PY_USE_BOUND && !strcmp(use->name, "__name__")) f->patched = n;
    if (use->kind == PY_USE_BOUND) array_push(e->arena, &f->names.data[s.names[i]].binders, at);
  }
  array_push(e->arena, &f->statements, s);
}

const Value *value_unread(Evaluator *e, const PyNode *at, const char *why) {
  Value *v = arena_new(e->arena, Value);
  v->kind = VALUE_UNREAD, v->def = at;
  v->text = arena_format(e->arena, "line %u: %s", source_locate(e->r->source, at->span.begin).line, why);
  return v;
}

static const char *last_message(Evaluator *e) {
  const DiagnosticList *list = e->r->diagnostics;
  return list->items.count ? list->items.data[list->items.count - 1].message : "this is not read";
}

const Value *name_unread(Evaluator *e, const PyNode *at) {
  if (e->names && e->names->current) e->names->current->is_unread = true;
  return value_unread(e, at, last_message(e));
}

/* ---- values that may change ---- */

static bool is_mutable(const Value *v) {
  switch (v->kind) {
  case VALUE_TENSOR: return !v->is_number;
  case VALUE_DICT: return true;
  case VALUE_FUNCTION:
    for (uint32_t i = 0; i + 1 < v->def->count; i++)
      if (v->defaults[i] && is_mutable(v->defaults[i])) return true;
    return v->around != NULL;
  case VALUE_TUPLE:
  case VALUE_METHOD:
  case VALUE_SLICE:
    if (v->is_list) return true;
    for (uint32_t i = 0; i < v->count; i++)
      if (is_mutable(v->items[i])) return true;
    return false;
  case VALUE_NONE:
  case VALUE_STRING:
  case VALUE_NAME:
  case VALUE_ELLIPSIS:
  case VALUE_UNREAD: break;
  }
  return false;
}

const Value *name_of_file(Evaluator *e, const char *name, const Value *value) {
  FileName *known = &e->names->names.data[index_of(e, name)];
  if (value->kind == VALUE_NAME && !known->module) known->module = value->text;
  if (known->forbidden) return value_unread(e, known->forbidden, "it may be changed as a global");
  if (known->touched && is_mutable(value)) return value_unread(e, known->touched, "what it names may be changed");
  return value;
}

/* ---- what unread statements may do ---- */

static void touch(Evaluator *e, uint32_t name, const PyNode *by) {
  FileName *n = &e->names->names.data[name];
  if (n->touched) return;
  n->touched = by, e->names->grown = true;
  for (uint32_t i = 0; i < n->binders.count; i++) array_push(e->arena, &e->names->work, n->binders.data[i]);
}

static bool is_part(const char *text, const char *of) {
  size_t n = strlen(of);
  return !strncmp(text, of, n) && (!text[n] || text[n] == '.');
}

/* True if that is one of the modules whose functions are read. Settings of how they run are no part of what they
 * compute. */
static bool changes_module(Evaluator *e, const char *module, const char *path) {
  static const char *const modules[] = {"torch", "numpy", "math", "scipy", "builtins"}, *const settings[] = {
                                                                                            "torch.backends",
                                                                                            "torch._dynamo",
                                                                                            "torch._inductor",
                                                                                            "torch.cuda"};
  const char *text = arena_format(e->arena, "%s%s", module, path);
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    if (is_part(text, settings[i])) return false;
  for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
    if (is_part(text, modules[i])) return true;
  return false;
}

/* An attribute of that name, which may be a method of all tensors. */
static bool changes_method(Evaluator *e, const PyUse *use) {
  const char *dot = strrchr(use->path, '.');
  return dot && strcmp(use->name, "self") && (library_has(e, dot) || !strncmp(dot, ".__", 3));
}

static bool may_change_anything(Evaluator *e, const PyUse *use, const FileName *name) {
  bool changed = use->kind == PY_USE_CHANGED;
  if (use->kind == PY_USE_REFLECTION) return true;
  if (changed && !name->module) return changes_method(e, use);
  if (!name->module) return false;
  if (changed) return changes_module(e, name->module, use->path);
  return use->kind == PY_USE_READ &&
         ((use->is_alone && reference_is_module(name->module)) || is_part(name->module, "unittest.mock"));
}

static void follow(Evaluator *e, FileStatement *s, bool all, const PyNode *by) {
  if (s->is_all || (s->is_now && !all)) return;
  for (uint32_t i = 0; i < s->uses.count; i++) {
    const PyUse *use = &s->uses.data[i];
    FileName *name = &e->names->names.data[s->names[i]];
    if (use->is_later && !all) continue;
    if (use->kind == PY_USE_READ || use->kind == PY_USE_CHANGED || (all && use->kind == PY_USE_BOUND))
      touch(e, s->names[i], by);
    if (use->kind == PY_USE_GLOBAL && !name->forbidden) name->forbidden = s->node, e->names->grown = true;
    if (!e->names->patched && may_change_anything(e, use, name)) e->names->patched = s->node;
  }
  s->is_now = true, s->is_all = all;
}

static void follow_unread(Evaluator *e) {
  FileNames *f = e->names;
  for (uint32_t i = 0; i < f->statements.count; i++) {
    FileStatement *s = &f->statements.data[i];
    if (s->is_unread) follow(e, s, false, s->node);
    while (f->work.count) follow(e, &f->statements.data[f->work.data[--f->work.count]], true, s->node);
  }
}

/* ---- the statements in their order ---- */

static void bind_unread(Evaluator *e, const char *name, const PyNode *at, const char *why) {
  scope_bind(e, &e->globals, name, value_unread(e, at, why));
}

static void forget(Evaluator *e, const FileStatement *s, const char *why) {
  for (uint32_t i = 0; i < s->uses.count; i++) {
    const PyUse *use = &s->uses.data[i];
    if (use->kind == PY_USE_BOUND && !use->is_later) bind_unread(e, use->name, s->node, why);
    if (use->kind != PY_USE_STAR) continue;
    e->star = s->node;
    for (uint32_t k = 0; k < e->globals.count; k++)
      bind_unread(e, e->globals.data[k].name, s->node, "import * may give it a value");
  }
}

static void read_statement(Evaluator *e, FileStatement *s) {
  const PyNode *n = s->node;
  DiagnosticList ignored;
  diagnostic_list_init(&ignored, e->arena);
  e->r->diagnostics = &ignored, e->names->current = s;
  bool is_text = n->kind == PY_EXPRESSION && n->args[0]->kind == PY_STRING;
  bool is_read = n->kind == PY_IMPORT || n->kind == PY_ASSIGN || n->kind == PY_DEF;
  if (!is_text && (!is_read || !reference_statement(e, n))) {
    const char *why = n->error ? n->error : is_read ? last_message(e) : "this statement is not read";
    s->is_unread = true;
    forget(e, s, why);
  }
  e->names->current = NULL;
}

static void read_file(Evaluator *e) {
  FileNames *f = e->names;
  e->globals.count = 0, e->steps = 0, e->star = NULL, e->r->inside.count = 0;
  for (uint32_t i = 0; i < f->names.count; i++)
    if (f->names.data[i].forbidden)
      bind_unread(e, f->names.data[i].name, f->names.data[i].forbidden, "it may be changed as a global");
  for (uint32_t i = 0; i < f->statements.count; i++) read_statement(e, &f->statements.data[i]);
}

/* Methods of inputs are those of PyTorch if the file imports it at all, or no other library of arrays. */
static void find_libraries(Evaluator *e, const FileNames *f) {
  bool torch = false, numpy = false;
  for (uint32_t i = 0; i < f->statements.count; i++)
    for (uint32_t k = 0; k < f->statements.data[i].uses.count; k++) {
      const PyUse *use = &f->statements.data[i].uses.data[k];
      torch |= use->kind == PY_USE_IMPORT && !strcmp(use->name, "torch");
      numpy |= use->kind == PY_USE_IMPORT &&
               (!strcmp(use->name, "numpy") || !strcmp(use->name, "jax") || !strcmp(use->name, "cupy"));
    }
  e->is_numpy = numpy && !torch, e->has_both = numpy && torch;
}

bool reference_globals(Evaluator *e) {
  DiagnosticList *diagnostics = e->r->diagnostics;
  e->names = arena_new(e->arena, FileNames);
  intern_init(&e->names->table, e->arena);
  add_statement(e, e->r->file);
  find_libraries(e, e->names);
  do {
    e->names->grown = false;
    read_file(e);
    follow_unread(e);
  } while (e->names->grown && !e->names->patched);
  e->r->diagnostics = diagnostics;
  e->steps = 0;
  if (!e->names->patched) return true;
  reference_fail(e, e->names->patched, "reference.name", "leave it out, or put it under if __name__ == \"__main__\"",
                 "this may change any name of the file, or what its modules compute");
  return false;
}
