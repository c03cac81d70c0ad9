/* Functions and statements (see lower.h).
 *
 * What a function returns is stored to one more pointer, `result`, when it ends. A `return` or `continue` in the
 * middle of a list of statements is one arm of an `if`, of which the statements that follow are the other. */
#include "read/python/read.h"

#include <stdio.h>
#include <string.h>

#include "read/python/lower.h"

enum { MOST_CALLS = 16, MOST_ATTEMPTS = 3000 };

void py_refuse(Lower *l, const PyNode *at, const char *help, const char *format, ...) {
  char text[300];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  diagnostic_add(l->diagnostics, SEVERITY_ERROR, "python.unsupported", l->source, at->span, help, "%s", text);
  longjmp(l->refused, 1);
}

void py_at(Lower *l, const PyNode *node) {
  const char *slash = strrchr(l->source->name, '/');
  LineColumn at = source_locate(l->source, node->span.begin);
  l->b.loc = build_loc(&l->b, slash ? slash + 1 : l->source->name, at.line, at.column);
  l->b.span = node->span;
}

const char *py_text(Lower *l, const PyNode *node) {
  char *text = arena_copy(l->arena, l->source->text + node->span.begin, node->span.end - node->span.begin);
  for (char *c = text; *c; c++)
    if (*c == '\n' || *c == '\t' || *c == '\r') *c = ' ';
  return text;
}

void py_require(Lower *l, const PyNode *at, ValueId condition, const char *message) {
  int64_t known;
  if (py_is_constant(l, condition, &known) && known) return;
  py_at(l, at);
  build_require(&l->b, condition, message);
}

/* ---- statements ---- */

bool py_contains(const PyNode *n, PyKind kind) {
  if (n->kind == kind) return true;
  if (n->kind == PY_DEF) return false;
  for (uint32_t i = 0; i < n->count; i++)
    if (py_contains(n->args[i], kind)) return true;
  return false;
}

static bool is_loop(const PyNode *n) { return n->kind == PY_FOR || n->kind == PY_WHILE; }

/* A return, or a `continue` or `break` of the loop that the node stands in. */
static bool leaves_somewhere(const PyNode *n) {
  if (n->kind == PY_CONTINUE || n->kind == PY_BREAK || n->kind == PY_RETURN) return true;
  if (n->kind == PY_DEF) return false;
  if (is_loop(n)) return py_contains(n, PY_RETURN);
  for (uint32_t i = 0; (n->kind == PY_BLOCK || n->kind == PY_IF) && i < n->count; i++)
    if (leaves_somewhere(n->args[i])) return true;
  return false;
}

/* True if it leaves on every way. */
static bool leaves_always(const PyNode *n) {
  if (n->kind == PY_RETURN || n->kind == PY_CONTINUE || n->kind == PY_BREAK || n->kind == PY_RAISE) return true;
  if (n->kind == PY_BLOCK && n->count) return leaves_always(n->args[n->count - 1]);
  return n->kind == PY_IF && n->count == 3 && leaves_always(n->args[1]) && leaves_always(n->args[2]);
}

static bool raises(const PyNode *n) {
  return n->kind == PY_RAISE || (n->kind == PY_BLOCK && n->count && raises(n->args[n->count - 1]));
}

typedef struct Arms {
  const PyNode *node; /* an IF */
  const PyNode *const *rest;
  uint32_t rest_count;
} Arms;

/* The arm, and what follows it unless it leaves. */
static PyValue statement_arm(Lower *l, bool yes, const void *payload) {
  const Arms *arms = payload;
  const PyNode *arm = yes ? arms->node->args[1] : arms->node->count == 3 ? arms->node->args[2] : NULL;
  uint32_t n = arm && leaves_always(arm) ? 0 : arms->rest_count;
  const PyNode **all = arena_array(l->arena, const PyNode *, n + 1);
  if (arm) all[0] = arm;
  if (n) memcpy(all + (arm != NULL), arms->rest, n * sizeof *all);
  py_statements(l, all, n + (arm != NULL));
  return (PyValue){.kind = PYV_NONE};
}

/* x += y of an array: the array itself is changed. */
static void in_place(Lower *l, const PyNode *n, const PyValue *old) {
  const Slot *s = &l->slots.data[old->view.slot];
  if (s->is_list) py_refuse(l, n, "write it as a loop", "an operation in place on a whole list is not read yet");
  py_want_numpy(l, n, &old->view);
  PyValue value = py_binary(l, n, n->text, *old, py_value(l, n->args[1]));
  s = &l->slots.data[old->view.slot];
  if (value.kind != PYV_ARRAY || py_rank(&value.view) != py_rank(&old->view) ||
      l->slots.data[value.view.slot].element > s->element)
    py_refuse(l, n, NULL, "the result has not the shape or the elements of the array that it goes into");
  py_store_part(l, n, &old->view, value);
}

static void augmented(Lower *l, const PyNode *n) {
  const PyNode *target = n->args[0];
  bool wraps = strlen(n->text) == 1 && strchr("+-*", *n->text);
  PyValue old = wraps && target->kind == PY_SUBSCRIPT ? py_old_element(l, target) : py_value(l, target);
  if (old.kind == PYV_ARRAY) {
    in_place(l, n, &old);
    return;
  }
  py_assign(l, target, py_binary(l, n, n->text, old, py_value(l, n->args[1])));
}

static void statement(Lower *l, const PyNode *n) {
  guard_tick(l->arena->guard);
  py_at(l, n);
  switch (n->kind) {
  case PY_BLOCK: py_block(l, n); return;
  case PY_EXPRESSION:
    if (n->args[0]->kind != PY_STRING && n->args[0]->kind != PY_NAME) py_value(l, n->args[0]);
    return;
  case PY_ASSIGN: {
    PyValue value = py_value(l, n->args[n->count - 1]);
    for (uint32_t i = 0; i + 1 < n->count; i++) py_assign(l, n->args[i], value);
    return;
  }
  case PY_AUGMENTED: augmented(l, n); return;
  case PY_RETURN: {
    PyValue value = n->count ? py_value(l, n->args[0]) : (PyValue){.kind = PYV_NONE};
    py_bind(l, py_returned, value);
    if (l->going) {
      py_bind(l, py_has_returned, py_number(NUMBER_BOOL, build_integer(&l->b, py_type(l, NUMBER_BOOL), 1)));
      py_break(l);
    }
    return;
  }
  case PY_IF: {
    Arms arms = {.node = n};
    py_branch(l, n, py_condition(l, n->args[0]), statement_arm, &arms);
    return;
  }
  case PY_FOR: py_for(l, n); return;
  case PY_WHILE: py_while(l, n); return;
  case PY_CONTINUE:
  case PY_PASS: return;
  case PY_ASSERT: py_require(l, n, py_condition(l, n->args[0]), py_text(l, n->args[0])); return;
  case PY_DEF:
    if (n->decorators) py_refuse(l, n->decorators, NULL, "what this decorator makes of %s is not read", n->text);
    py_bind(l, n->text, py_function(l, n));
    return;
  case PY_IMPORT: py_bind(l, n->ops[0], py_name(n->text)); return;
  case PY_BREAK:
    if (!l->going) py_refuse(l, n, NULL, "a break of no loop");
    py_break(l);
    return;
  case PY_RAISE: py_refuse(l, n, "raise in an if of its own", "an error that is raised here is not read yet");
  default: break;
  }
  py_refuse(l, n, "assignments, for, while, if and return are read", "this statement is not read yet");
}

/* if c: raise ..: the program relies on it that c is false. */
static const PyNode *without_error(Lower *l, const PyNode *n) {
  bool yes = raises(n->args[1]), no = n->count == 3 && raises(n->args[2]);
  if (!yes && !no) return n;
  ValueId condition = py_condition(l, n->args[0]), one = build_integer(&l->b, py_type(l, NUMBER_BOOL), 1);
  if (yes) condition = build_binary(&l->b, OP_ARITH_XORI, condition, one, py_type(l, NUMBER_BOOL));
  py_require(l, n, condition, arena_format(l->arena, yes ? "not (%s)" : "%s", py_text(l, n->args[0])));
  return yes ? n->count == 3 ? n->args[2] : NULL : n->args[1];
}

const PyNode *py_else_of(const PyNode *n) {
  uint32_t own = n->kind == PY_FOR ? 3 : 2;
  return n->count > own ? n->args[own] : NULL;
}

static PyValue else_arm(Lower *l, bool yes, const void *payload) {
  const Arms *arms = payload;
  const PyNode **all = arena_array(l->arena, const PyNode *, arms->rest_count + 1);
  all[0] = py_else_of(arms->node);
  if (arms->rest_count) memcpy(all + 1, arms->rest, arms->rest_count * sizeof *all);
  py_statements(l, all + !yes, arms->rest_count + yes);
  return (PyValue){.kind = PYV_NONE};
}

/* The `else` of a loop, which no break has left, and what follows it. */
static void else_and_rest(Lower *l, const Arms *arms) {
  const PyNode *otherwise = py_else_of(arms->node);
  const char *going = otherwise ? py_going_of(l, arms->node) : NULL;
  if (!otherwise)
    py_statements(l, arms->rest, arms->rest_count);
  else if (going)
    py_branch(l, otherwise, py_find(l, l->frame, otherwise, going).id, else_arm, arms);
  else
    else_arm(l, true, arms);
}

/* What follows a loop, where it has not returned; else an outer loop ends as well. */
static PyValue after_return(Lower *l, bool yes, const void *payload) {
  if (!yes) {
    if (!l->going) py_bind(l, py_returned, (PyValue){.kind = PYV_UNBOUND});
    else_and_rest(l, payload);
  } else if (l->going) {
    py_break(l);
  }
  return (PyValue){.kind = PYV_NONE};
}

/* A loop that may return, or has an `else`, and the statements behind it. */
static void loop_and_rest(Lower *l, const PyNode *n, const PyNode *const *rest, uint32_t count) {
  Arms arms = {n, rest, count};
  statement(l, n);
  if (py_contains(n, PY_RETURN))
    py_branch(l, n, py_find(l, l->frame, n, py_has_returned).id, after_return, &arms);
  else
    else_and_rest(l, &arms);
}

void py_statements(Lower *l, const PyNode *const *list, uint32_t count) {
  if (l->nesting++ > PY_MOST_NESTING) py_refuse(l, list[0], NULL, "nested too deeply");
  for (uint32_t i = 0; i < count; i++) {
    const PyNode *n = list[i];
    py_at(l, n);
    while (n && n->kind == PY_IF) {
      const PyNode *left = without_error(l, n);
      if (left == n) break;
      n = left;
    }
    if (!n) continue;
    bool leaves = leaves_somewhere(n);
    if (is_loop(n) && py_search(l, n, list + i + 1, count - i - 1)) break;
    if (is_loop(n) && (leaves || py_else_of(n))) {
      loop_and_rest(l, n, list + i + 1, count - i - 1);
      break;
    }
    if (leaves && n->kind == PY_BLOCK && !leaves_always(n) && i + 1 < count) {
      const PyNode **all = arena_array(l->arena, const PyNode *, n->count + count);
      memcpy(all, n->args, n->count * sizeof *all);
      memcpy(all + n->count, list + i + 1, (count - i - 1) * sizeof *all);
      py_statements(l, all, n->count + count - i - 1);
      break;
    }
    if (leaves && n->kind == PY_IF && !leaves_always(n)) {
      Arms arms = {n, list + i + 1, count - i - 1};
      py_branch(l, n, py_condition(l, n->args[0]), statement_arm, &arms);
      break;
    }
    statement(l, n);
    if (leaves_always(n)) break;
  }
  l->nesting--;
}

void py_block(Lower *l, const PyNode *block) {
  if (block->kind == PY_BLOCK)
    py_statements(l, block->args, block->count);
  else
    py_statements(l, &block, 1);
}

/* ---- calls of functions with a body ---- */

static void run_function(Lower *l, const PyNode *def) {
  const PyNode *body = def->args[def->count - 1];
  if (py_returns_in_loop(body))
    py_bind(l, py_has_returned, py_number(NUMBER_BOOL, build_integer(&l->b, py_type(l, NUMBER_BOOL), 0)));
  py_block(l, body);
}

static const PyNode *argument_of(Lower *l, const PyNode *call, const PyNode *def, uint32_t i) {
  const PyNode *found = NULL;
  uint32_t positional = 0;
  for (uint32_t k = 1; k < call->count; k++) {
    const PyNode *a = call->args[k];
    if (a->kind == PY_STAR) py_refuse(l, a, NULL, "*arguments are not read yet");
    if (a->kind == PY_KEYWORD ? !strcmp(a->text, def->args[i]->text) : positional++ == i) {
      if (found) py_refuse(l, a, NULL, "%s is given twice", def->args[i]->text);
      found = a->kind == PY_KEYWORD ? a->args[0] : a;
    }
  }
  if (positional > def->count - 1) py_refuse(l, call, NULL, "%s takes fewer arguments", def->text);
  return found;
}

/* No name of Python's: the value of a default, which is that of the definition. */
static const char *default_name(Lower *l, const PyNode *parameter) {
  return arena_format(l->arena, "default.%u", parameter->span.begin);
}

PyValue py_function(Lower *l, const PyNode *def) {
  for (uint32_t i = 0; i + 1 < def->count; i++)
    if (def->args[i]->count) py_bind(l, default_name(l, def->args[i]), py_value(l, def->args[i]->args[0]));
  return (PyValue){.kind = PYV_FUNCTION, .node = def, .frame = l->frame};
}

/* That of a function of the file is made of names of the file, and all calls share it. */
static PyValue default_of(Lower *l, const PyNode *call, const PyValue *function, const PyNode *parameter) {
  if (!parameter->count) py_refuse(l, call, NULL, "%s lacks its argument %s", function->node->text, parameter->text);
  if (function->frame) return py_find(l, function->frame, call, default_name(l, parameter));
  Frame *frame = l->frame, file = {.def = l->file};
  l->frame = &file;
  PyValue value = py_value(l, parameter->args[0]);
  l->frame = frame;
  if (value.kind == PYV_ARRAY) py_refuse(l, parameter, "pass it", "a list that is a default is not read yet");
  return value;
}

PyValue py_inline(Lower *l, const PyNode *call, const PyValue *function) {
  const PyNode *def = function->node;
  Frame *frame = arena_new(l->arena, Frame), *outer = l->frame;
  bool live = !function->frame;
  for (uint32_t i = 0; i < l->frames.count; i++) live |= l->frames.data[i] == function->frame;
  if (!live) py_refuse(l, call, NULL, "the function that %s stands in has ended", def->text);
  if (def->decorators) py_refuse(l, call, NULL, "what its decorator makes of %s is not read", def->text);
  *frame = (Frame){.def = def, .around = function->frame, .caller = outer, .call = call};
  for (uint32_t k = 1; k < call->count; k++) {
    const PyNode *a = call->args[k];
    bool known = a->kind != PY_KEYWORD;
    for (uint32_t i = 0; i + 1 < def->count && !known; i++) known = !strcmp(a->text, def->args[i]->text);
    if (!known) py_refuse(l, a, NULL, "%s has no parameter %s", def->text, a->text);
  }
  for (uint32_t i = 0; i + 1 < def->count; i++) {
    const PyNode *argument = argument_of(l, call, def, i), *param = def->args[i];
    py_bind_in(l, frame, param->text, argument ? py_value(l, argument) : default_of(l, call, function, param));
  }
  if (++l->depth > MOST_CALLS) py_refuse(l, call, "write it as a loop", "calls nested deeper than %d", MOST_CALLS);
  array_push(l->arena, &l->frames, frame);
  l->frame = frame;
  const char *going = l->going;
  l->going = NULL;
  run_function(l, def);
  l->going = going;
  const PyValue *value = py_result(l, frame);
  PyValue result = value ? *value : (PyValue){.kind = PYV_NONE};
  if (result.kind == PYV_OTHER) py_refuse(l, call, NULL, "%s", result.text);
  if (result.kind == PYV_FUNCTION) py_refuse(l, call, NULL, "a function that is returned is not read yet");
  l->frame = outer, l->depth--, l->frames.count--;
  return result;
}

/* ---- functions ---- */

typedef struct Signature {
  Array(TypeId) types;
  Array(const char *) names;
} Signature;

static void add_parameter(Lower *l, Signature *s, TypeId type, const char *name) {
  for (uint32_t i = 0; i < s->names.count; i++)
    if (!strcmp(s->names.data[i], name)) name = arena_format(l->arena, "%s_", name), i = UINT32_MAX;
  array_push(l->arena, &s->types, type);
  array_push(l->arena, &s->names, name);
}

typedef struct Declared {
  bool is_known, is_array, is_list, is_open; /* open: of any rank */
  uint32_t rank;
  NumberType element;
} Declared;

static const char *last_name(const PyNode *n) {
  if (n->kind != PY_NAME && n->kind != PY_ATTRIBUTE && n->kind != PY_STRING) return "";
  const char *dot = strrchr(n->text, '.');
  return dot ? dot + 1 : n->text;
}

static bool is_one_of(const char *name, const char *const *names) {
  for (; *names; names++)
    if (!strcmp(name, *names)) return true;
  return false;
}

/* int, list[float], np.ndarray, ...; false: it is not read. */
static bool read_annotation(const PyNode *n, Declared *out, uint32_t depth) {
  static const char *const lists[] = {"list", "List", "Sequence", "MutableSequence", NULL},
                           *const arrays[] = {"ndarray", "NDArray", "ArrayLike", NULL},
                           *const reals[] = {"float", "float32", "float64", "floating", "Real", "double", NULL},
                           *const any[] = {"Any", "Number", NULL};
  const char *name = last_name(n->kind == PY_SUBSCRIPT ? n->args[0] : n);
  if (depth > PY_MAX_RANK) return false;
  if (is_one_of(name, lists)) {
    out->is_array = out->is_list = true, out->rank++;
    if (n->kind != PY_SUBSCRIPT) return out->is_open = true;
    return read_annotation(n->args[1], out, depth + 1);
  }
  if (is_one_of(name, arrays)) {
    out->is_array = out->is_open = true, out->rank = 1, out->element = NUMBER_REAL;
    if (n->kind != PY_SUBSCRIPT) return true;
    const PyNode *type = n->args[1];
    while (type->kind == PY_TUPLE && type->count) type = type->args[type->count - 1];
    if (type->kind == PY_SUBSCRIPT) type = type->args[1]; /* np.dtype[np.float64] */
    return is_one_of(last_name(type), reals) || is_one_of(last_name(type), any);
  }
  out->is_known = !is_one_of(name, any);
  out->element = !strcmp(name, "int") ? NUMBER_INT : !strcmp(name, "bool") ? NUMBER_BOOL : NUMBER_REAL;
  return out->element != NUMBER_REAL || is_one_of(name, reals) || !out->is_known;
}

static Declared declared(Lower *l, const PyNode *param) {
  Declared d = {.element = NUMBER_REAL};
  if (param->annotations && !read_annotation(param->annotations->args[0], &d, 0))
    py_refuse(l, param, "int, float, bool, list[..] and np.ndarray are read", "a parameter of type %s is not read yet",
              py_text(l, param->annotations->args[0]));
  uint32_t rank = py_fact(l, FACT_RANK, param, NULL);
  bool open = !param->annotations || d.is_open;
  if (rank > d.rank && !open) py_refuse(l, param, NULL, "%s is used with more axes than its type has", param->text);
  if (rank > d.rank) d.rank = rank;
  if (!d.is_known && py_fact(l, FACT_INTEGER, param, NULL)) d.element = NUMBER_INT;
  return d;
}

static void make_signature(Lower *l, const PyNode *def, Signature *s, ValueId first, bool binds) {
  ValueId at = first;
  for (uint32_t i = 0; i + 1 < def->count; i++) {
    const PyNode *param = def->args[i];
    Declared d = declared(l, param);
    TypeId type = py_type(l, d.element);
    if (!binds) {
      add_parameter(l, s, d.rank ? program_type_pointer(l->p, type) : type, param->text);
      for (uint32_t k = 0; k < d.rank; k++)
        add_parameter(l, s, py_wide(l), arena_format(l->arena, "%s_d%u", param->text, k));
      continue;
    }
    if (!d.rank) {
      PyValue value = py_number(d.element, at++);
      value.param = param;
      py_bind(l, param->text, value);
      continue;
    }
    uint32_t slot = py_slot_new(l, param, SLOT_MEMORY, d.rank, d.element);
    Slot *m = &l->slots.data[slot];
    m->is_list = d.is_list, m->is_even = true, m->value = at++;
    m->is_numpy = (d.is_array && !d.is_list) || py_fact(l, FACT_NUMPY, param, NULL);
    for (uint32_t k = 0; k < d.rank; k++) m->length[k] = at++;
    py_bind(l, param->text, py_whole(l, slot));
  }
}

/* What is returned: 0 nothing, else 1 + a number's type, or 16 + 4 * rank + an element's. */
static uint32_t code_of(Lower *l, const PyNode *def, const PyValue *v) {
  if (v->kind == PYV_NUMBER) return 1 + (uint32_t)v->type;
  if (v->kind == PYV_ARRAY) return 16 + 4 * py_rank(&v->view) + (uint32_t)l->slots.data[v->view.slot].element;
  py_refuse(l, def, "numbers, lists and arrays are", "what the function returns is not read yet");
}

enum { MOST_RESULTS = 16 };

static uint32_t results_of(Lower *l, const PyNode *def, const PyValue *v, PyValue out[MOST_RESULTS]) {
  if (v->kind == PYV_NONE || v->kind == PYV_UNBOUND) return 0;
  if (v->kind != PYV_TUPLE) return out[0] = *v, 1;
  if (v->count > MOST_RESULTS) py_refuse(l, def, NULL, "more than %d results", MOST_RESULTS);
  memcpy(out, v->items, v->count * sizeof *out);
  return v->count;
}

/* A write that would be seen under another name. */
static void check_shares(Lower *l) {
  for (uint32_t i = 1; i < l->slots.count; i++)
    if (l->slots.data[i].shares && l->slots.data[i].row_written)
      py_refuse(l, l->slots.data[i].row_written, "make each row: [[0] * n for _ in range(m)]",
                "this changes all rows, which are one list");
  for (uint32_t i = 0; i < l->shares.count; i++) {
    const Share *s = &l->shares.data[i];
    const Slot *from = &l->slots.data[s->from], *to = &l->slots.data[s->to];
    if (from->given && from->read_since && to->row_written)
      py_refuse(l, to->row_written, "copy it: x[:]", "this changes a list that has another name");
    if (!from->given && from->written)
      py_refuse(l, from->written, "copy it: x[:]", "this changes a list that is a part of another one, or a result");
    if (!from->given && to->row_written)
      py_refuse(l, to->row_written, "copy it: x[:]", "this changes a list that has another name");
  }
}

static void store_results(Lower *l, const PyNode *def, const PyValue *value, ValueId first) {
  PyValue results[MOST_RESULTS];
  uint32_t count = results_of(l, def, value, results);
  uint32_t is_tuple = value->kind == PYV_TUPLE;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t code = code_of(l, def, &results[i]);
    if (py_fact(l, FACT_RESULT, def, &py_returned[i]) != code) py_set_fact(l, FACT_RESULT, def, &py_returned[i], code);
  }
  uint32_t shape = 1 + 2 * count + is_tuple;
  if (py_fact(l, FACT_RESULT, def, NULL) != shape) py_set_fact(l, FACT_RESULT, def, NULL, shape);
  py_at(l, def);
  for (uint32_t i = 0; i < count; i++) {
    ValueId pointer = first + i;
    if (results[i].kind == PYV_NUMBER)
      build_op(&l->b, OP_TT_STORE, 2, (ValueId[]){pointer, results[i].id}, 0, NULL);
    else
      py_store_all(l, def, &results[i].view, pointer);
  }
}

static void add_results(Lower *l, const PyNode *def, Signature *s) {
  uint32_t shape = py_fact(l, FACT_RESULT, def, NULL), count = shape / 2;
  if (!shape) return;
  count = (shape - 1) / 2;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t code = py_fact(l, FACT_RESULT, def, &py_returned[i]);
    TypeId type = py_type(l, (NumberType)(code < 16 ? code - 1 : code % 4));
    bool is_tuple = (shape - 1) % 2;
    add_parameter(l, s, program_type_pointer(l->p, type), is_tuple ? arena_format(l->arena, "result_%u", i) : "result");
  }
}

static OpId begin_function(Lower *l, const PyNode *def, Signature *s, BlockId *entry) {
  Program *p = l->p;
  l->b.block = program_get_region(p, program_get_op(p, p->module)->regions[0])->blocks.data[0];
  py_at(l, def);
  OpId op = build_open(&l->b, OP_TT_FUNC);
  *entry = build_block(&l->b, op, s->types.count, s->types.data);
  for (uint32_t i = 0; i < s->types.count; i++)
    p->values.data[program_get_block(p, *entry)->first_arg + i].name = intern_text(p->names, s->names.data[i]);
  l->b.block = *entry;
  return op;
}

/* Arrays have the shapes of their lengths, which follow them in the signature; results, from the `first` on, have none.
 */
static const AttrId *declare_shapes(Lower *l, const PyNode *def, const Signature *s, uint32_t first) {
  AttrId *out = arena_array(l->arena, AttrId, s->names.count + 1);
  for (uint32_t i = first; i < s->names.count; i++) out[i] = build_entry(&l->b, 0, PROGRAM_RESULT, build_unit(&l->b));
  for (uint32_t i = 0, at = 0; i + 1 < def->count; i++) {
    Declared d = declared(l, def->args[i]);
    bool is_numpy = (d.is_array && !d.is_list) || py_fact(l, FACT_NUMPY, def->args[i], NULL);
    AttrId dims[TYPE_MAX_RANK], *own = &out[at++];
    for (uint32_t k = 0; k < d.rank; k++) dims[k] = build_text(&l->b, s->names.data[at++]);
    if (d.rank) *own = build_entry(&l->b, *own, PROGRAM_SHAPE, build_list(&l->b, d.rank, dims));
    if (d.rank > 1 && !is_numpy) *own = build_entry(&l->b, *own, PROGRAM_NESTED, build_unit(&l->b));
  }
  return out;
}

static void attempt(Lower *l, const PyNode *def) {
  Builder *b = &l->b;
  Program *p = l->p;
  Signature s = {0};
  Frame *frame = arena_new(l->arena, Frame);
  BlockId entry;
  *frame = (Frame){.def = def};
  l->frame = frame, l->frames.count = l->shares.count = l->wanted.count = l->opaque.count = 0;
  l->in_while = false;
  l->loop = l->loop_count = l->depth = l->nesting = 0;
  l->slots.count = 0;
  b->attrs.count = 0;
  array_push(l->arena, &l->slots, (Slot){0});
  array_push(l->arena, &l->frames, frame);
  make_signature(l, def, &s, 0, false);
  uint32_t own = s.types.count;
  add_results(l, def, &s);
  OpId op = begin_function(l, def, &s, &entry);
  RegionId region = program_get_block(p, entry)->region;
  ValueId first = program_get_block(p, entry)->first_arg;
  make_signature(l, def, &s, first, true);
  l->going = NULL;
  run_function(l, def);
  const PyValue *value = py_result(l, frame);
  PyValue result = value ? *value : (PyValue){.kind = PYV_NONE};
  if (result.kind == PYV_OTHER) py_refuse(l, def, NULL, "%s", result.text);
  store_results(l, def, &result, first + own);
  check_shares(l);
  build_op(b, OP_TT_RETURN, 0, NULL, 0, NULL);
  build_close(b, op, 0, NULL, 0, NULL, 1, &region);
  Type signature = {
      .kind = TYPE_FUNCTION, .rank = s.types.count, .members = s.types.data, .member_count = s.types.count};
  array_push(l->arena, &p->functions,
             (Function){.op = op,
                        .name = intern_text(p->names, def->text),
                        .is_public = true,
                        .signature = "", /* Python itself tells */
                        .type = program_type(p, &signature),
                        .arg_attrs = declare_shapes(l, def, &s, own)});
}

/* How far the tables of the program were filled. */
typedef struct Filled {
  uint32_t values, ops, blocks, regions, locs, attrs, top;
} Filled;

static Block *top_block(Program *p) {
  return &p->blocks.data[program_get_region(p, program_get_op(p, p->module)->regions[0])->blocks.data[0]];
}

static void note_filled(Program *p, Filled *f) {
  *f = (Filled){p->values.count, p->ops.count,   p->blocks.count,        p->regions.count,
                p->locs.count,   p->attrs.count, top_block(p)->ops.count};
}

static void empty_to(Program *p, const Filled *f) {
  top_block(p)->ops.count = f->top;
  p->values.count = f->values, p->ops.count = f->ops, p->blocks.count = f->blocks;
  p->regions.count = f->regions, p->locs.count = f->locs, p->attrs.count = f->attrs;
}

static bool lower_function(Lower *l, const PyNode *def) {
  Filled before;
  volatile uint32_t attempts = 0;
  note_filled(l->p, &before);
  l->function = def, l->facts.count = 0;
  if (setjmp(l->refused)) {
    empty_to(l->p, &before);
    return false;
  }
  if (setjmp(l->again)) empty_to(l->p, &before);
  if (attempts++ > MOST_ATTEMPTS) py_refuse(l, def, NULL, "what %s works on is not found out", def->text);
  if (def->decorators) py_refuse(l, def->decorators, NULL, "what this decorator makes of %s is not read", def->text);
  attempt(l, def);
  return true;
}

/* An import binds a name, and is said to import it as well. */
static void note_uses(Lower *l, const PyNode *n) {
  PyUses own = {0};
  python_uses(l->arena, l->source, n->span, &own);
  bool imports = n->kind == PY_BLOCK && n->count && n->args[0]->kind == PY_IMPORT;
  for (uint32_t i = 0; i < own.count; i++)
    if (!imports || own.data[i].kind != PY_USE_IMPORT) array_push(l->arena, &l->uses, own.data[i]);
}

Program *read_python(Arena *arena, InternTable *names, Source *source, const ReadOptions *options,
                     DiagnosticList *diagnostics) {
  Lower *l = arena_new(arena, Lower);
  (void)diagnostics;
  *l = (Lower){.arena = arena, .source = source, .options = options, .file = python_parse_file(arena, source)};
  l->p = l->b.p = program_new(arena, names, source);
  OpId module = build_open(&l->b, OP_BUILTIN_MODULE);
  BlockId top = build_block(&l->b, module, 0, NULL);
  build_attr_unit(&l->b, PROGRAM_HOST);
  build_close(&l->b, module, 0, NULL, 0, NULL, 1, &l->p->blocks.data[top].region);
  l->p->module = module;
  program_note_host(l->p);
  for (uint32_t i = 0; i < l->file->count; i++) note_uses(l, l->file->args[i]);
  for (uint32_t i = 0; i < l->file->count; i++) {
    const PyNode *n = l->file->args[i];
    bool is_other = n->kind == PY_OTHER && n->text && *n->text;
    if (n->kind != PY_DEF && !is_other) continue;
    DiagnosticList *own = arena_new(arena, DiagnosticList);
    diagnostic_list_init(own, arena);
    l->diagnostics = own;
    if (is_other)
      diagnostic_add(own, SEVERITY_ERROR, "python.syntax", source, n->error_span, NULL, "%s", n->error);
    else if (lower_function(l, n))
      continue;
    array_push(arena, &l->p->refusals, (ProgramRefusal){.name = intern_text(names, n->text), .why = own});
  }
  return l->p;
}

/* ---- which reading a function has ---- */

static const PyNode *definition_of(const PyNode *file, const char *name) {
  for (uint32_t i = 0; i < file->count; i++)
    if (file->args[i]->kind == PY_DEF && !strcmp(file->args[i]->text, name)) return file->args[i];
  return NULL;
}

static bool loops_below(const PyNode *file, const PyNode *n, uint32_t depth) {
  if (is_loop(n) || n->kind == PY_COMPREHENSION) return true;
  if (depth && n->kind == PY_NAME) {
    const PyNode *def = definition_of(file, n->text);
    if (def && loops_below(file, def, depth - 1)) return true;
  }
  for (uint32_t i = 0; i < n->count; i++)
    if (loops_below(file, n->args[i], depth)) return true;
  return false;
}

static bool takes_arrays(const Program *p, const Function *f) {
  const Type *type = program_get_type(p, f->type);
  bool real = false;
  for (uint32_t i = 0, rank; i < type->rank; i++)
    if (program_arg_shape(p, f, i, &rank)) return true;
  for (uint32_t i = 0; i < type->member_count; i++) real |= program_get_type(p, type->members[i])->kind == TYPE_FLOAT;
  return !real;
}

bool python_has_loops(Arena *arena, Source *source, const char *function) {
  const PyNode *file = python_parse_file(arena, source), *def = definition_of(file, function);
  if (!def || !loops_below(file, def, 3)) return false;
  InternTable *names = arena_new(arena, InternTable);
  intern_init(names, arena);
  const Program *p = read_python(arena, names, source, &(ReadOptions){0}, NULL);
  for (uint32_t i = 0; i < p->functions.count; i++)
    if (!strcmp(intern_string(names, p->functions.data[i].name), function))
      return takes_arrays(p, &p->functions.data[i]);
  return true;
}
