/* Array programs as Python expressions and statements.
 *
 * A node that is used once is written where it is used; one that is used more often, is long, or is needed inside a
 * loop without depending on it becomes a variable first. Operands keep the precedence rules of Python, so no
 * superfluous parentheses appear. */
#include "emit/python.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_LIMIT = 76, SHORT = 28 };

/* ---- names ---- */

static bool is_reserved(const char *name) {
  static const char *const words[] = {
      "False",    "None",   "True",  "and",  "as",     "assert",   "async",   "await",  "break", "class",
      "continue", "def",    "del",   "elif", "else",   "except",   "finally", "for",    "from",  "global",
      "if",       "import", "in",    "is",   "lambda", "nonlocal", "not",     "or",     "pass",  "raise",
      "return",   "try",    "while", "with", "yield",  "np",       "torch",   "device", "dtype", "tensor",
      "abs",      "int",    "max",   "min",  "range",  "round"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(words[i], name) == 0) return true;
  return false;
}

static bool is_taken(const Python *py, const char *name) {
  for (uint32_t i = 0; i < py->names.count; i++)
    if (strcmp(py->names.data[i].name, name) == 0) return true;
  return is_reserved(name);
}

const char *python_fresh(Python *py, const char *wanted, Term term) {
  char *name = arena_format(py->arena, "%s%s", isdigit((unsigned char)wanted[0]) || !wanted[0] ? "_" : "", wanted);
  for (char *c = name; *c; c++)
    if (!isalnum((unsigned char)*c) && *c != '_') *c = '_';
  if (is_reserved(name)) name = arena_format(py->arena, "%s_", name);
  const char *result = name;
  for (uint32_t i = 2; is_taken(py, result); i++) result = arena_format(py->arena, "%s%s%u", name, term ? "_" : "", i);
  array_push(py->arena, &py->names, (PythonName){term, result});
  return result;
}

const char *python_name(Python *py, Term term) {
  for (uint32_t i = 0; term && i < py->names.count; i++)
    if (py->names.data[i].term == term) return py->names.data[i].name;
  return NULL;
}

void python_line(Python *py, const char *format, ...) {
  char buffer[512], *text = buffer;
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(buffer, sizeof buffer, format, args);
  va_end(args);
  if ((size_t)length >= sizeof buffer) {
    text = arena_alloc(py->arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
  }
  va_end(again);
  text_format(py->body, "%*s%s\n", (int)(4 * py->indent), "", text);
}

/* ---- which nodes become variables ---- */

static uint64_t loop_bit(const ArrayNode *node) {
  return node->op == ARRAY_LOOP || node->op == ARRAY_RECUR ? (uint64_t)1 << (node->aux >> 8) : 0;
}

/* How many of its arguments are computed in the loop that it is. */
static uint32_t inside_count(const ArrayNode *node) { return node->op == ARRAY_RECUR ? node->aux >> 4 & 15 : 1; }

void python_count_uses(Python *py, Node root) {
  ArrayNode *node = array_at(py->program, root);
  if (node->uses++) return;
  for (uint32_t i = 0; i < node->count; i++) {
    ArrayNode *arg = array_at(py->program, array_arg(py->program, root, i));
    uint64_t loops = node->loops | (i < inside_count(node) ? loop_bit(node) : 0);
    arg->user_loops |= loops;
    python_count_uses(py, array_arg(py->program, root, i));
  }
}

/* x.T and m[:, None] of something that has a name. */
static bool is_cheap_view(const Python *py, const ArrayNode *node) {
  if (node->count != 1 || (node->op != ARRAY_TRANSPOSE && node->op != ARRAY_INDEX)) return false;
  if (strspn(node->text, ":, None0123456789") != strlen(node->text)) return false;
  const ArrayNode *base = array_at(py->program, py->program->args.data[node->first]);
  return base->op == ARRAY_NAME || base->op == ARRAY_CHUNK || base->variable || is_cheap_view(py, base);
}

static bool is_free(const Python *py, const ArrayNode *node) {
  switch (node->op) {
  case ARRAY_NONE:
  case ARRAY_NAME:
  case ARRAY_NUMBER:
  case ARRAY_LENGTH:
  case ARRAY_SHAPE:
  case ARRAY_CHUNK:
  case ARRAY_STEP:
  case ARRAY_STATE:
  case ARRAY_EXPAND: return true;
  case ARRAY_LOOP:
  case ARRAY_RECUR: return false;
  default: return is_cheap_view(py, node);
  }
}

static bool wants_variable(const Python *py, const ArrayNode *node, const PythonText *text) {
  if (is_free(py, node) || text->precedence < 0) return false;
  bool outer = (node->user_loops & ~node->loops) != 0;
  if (!node->is_array && strlen(text->text) <= SHORT) return false;
  return node->uses > 1 || outer;
}

static const char *variable_hint(const Python *py, const ArrayNode *node) {
  static const char *const folds[] = {"total", "product", "largest", "smallest", "found",
                                      "every", "parity",  "place",   "place"};
  if (node->hint) return node->hint;
  switch (node->op) {
  case ARRAY_REDUCE: return folds[node->aux];
  case ARRAY_LOOP: return folds[node->aux & 255];
  case ARRAY_MATMUL:
  case ARRAY_EINSUM: return "dot";
  case ARRAY_SCAN: return "running";
  case ARRAY_COMPARE:
  case ARRAY_AND:
  case ARRAY_OR:
  case ARRAY_NOT:
  case ARRAY_TEST: return "mask";
  case ARRAY_FN: return node->aux == FN_EXP ? "e" : term_fn_name((TermFn)node->aux);
  case ARRAY_SQRT: return "root";
  case ARRAY_QUOTIENT: return "ratio";
  case ARRAY_INDEX: {
    const ArrayNode *base = array_at(py->program, py->program->args.data[node->first]);
    return node->count == 1 && base->op != ARRAY_NAME ? variable_hint(py, base) : "part";
  }
  case ARRAY_CLIP:
  case ARRAY_FLOORDIV:
  case ARRAY_MOD: return "index";
  default: return node->sort == SORT_INT ? "n" : node->sort == SORT_BOOL ? "mask" : "t";
  }
}

/* ---- expressions ---- */

static PythonText render(Python *py, Node node);

static const char *wrap(Python *py, PythonText text, int precedence) {
  return text.precedence < precedence ? arena_format(py->arena, "(%s)", text.text) : text.text;
}

const char *python_expression(Python *py, Node node, int precedence) { return wrap(py, render(py, node), precedence); }

static void remember(Python *py, Node node, PythonText text) {
  if (node >= py->memo_count) {
    uint32_t room = py->program->nodes.count + 16;
    py->memo = arena_grow(py->arena, py->memo, sizeof *py->memo * py->memo_count, sizeof *py->memo * room);
    py->memo_count = room;
  }
  py->memo[node] = text;
}

const char *python_variable(Python *py, Node node) {
  PythonText text = render(py, node);
  const ArrayNode *n = array_at(py->program, node);
  bool plain = n->op == ARRAY_NAME || n->op == ARRAY_NUMBER || n->op == ARRAY_CHUNK;
  if (plain || n->variable) return text.text;
  const char *name = python_fresh(py, variable_hint(py, n), 0);
  python_line(py, "%s = %s", name, text.text);
  array_at(py->program, node)->variable = name;
  remember(py, node, (PythonText){name, PY_ATOM});
  return name;
}

static Node arg_of(Python *py, Node node, uint32_t i) { return array_arg(py->program, node, i); }
static const char *arg(Python *py, Node node, uint32_t i, int precedence) {
  return python_expression(py, arg_of(py, node, i), precedence);
}
static bool is_array(Python *py, Node node, uint32_t i) { return array_at(py->program, arg_of(py, node, i))->is_array; }

static PythonText atom(const char *text) { return (PythonText){text, PY_ATOM}; }

static PythonText call1(Python *py, const char *function, const char *argument) {
  return atom(arena_format(py->arena, "%s.%s(%s)", py->dialect->module, function, argument));
}

/* Keeps lines short: the longest operands become variables until the rest fits. */
static void shorten(Python *py, Node node) {
  uint32_t count = array_at(py->program, node)->count;
  for (;;) {
    size_t total = 4 * py->indent, longest = SHORT;
    Node which = 0;
    for (uint32_t i = 0; i < count; i++) {
      Node operand = arg_of(py, node, i);
      size_t length = strlen(render(py, operand).text);
      total += length + 4;
      const ArrayNode *n = array_at(py->program, operand);
      if (n->op == ARRAY_SHAPE || n->op == ARRAY_EXPAND || n->variable || length <= longest) continue;
      longest = length, which = operand;
    }
    if (total <= LINE_LIMIT || !which) return;
    python_variable(py, which);
  }
}

static int compare_texts(const void *a, const void *b) {
  const char *x = *(const char *const *)a, *y = *(const char *const *)b;
  bool fx = strchr(x, '(') != NULL, fy = strchr(y, '(') != NULL;
  return fx != fy ? fx - fy : strcmp(x, y);
}

static PythonText joined(Python *py, Node node, const char *separator, int inner, int own, bool sorted) {
  uint32_t n = array_at(py->program, node)->count;
  const char **parts = arena_array(py->arena, const char *, n);
  for (uint32_t i = 0; i < n; i++) parts[i] = arg(py, node, i, inner);
  if (sorted) qsort(parts, n, sizeof *parts, compare_texts);
  Text text = text_new(py->arena);
  for (uint32_t i = 0; i < n; i++) text_format(&text, "%s%s", i ? separator : "", parts[i]);
  return (PythonText){text_string(&text), n > 1 ? own : PY_ATOM};
}

typedef struct Summand {
  const char *text;
  Node node;
  bool negative, constant;
} Summand;

static int compare_summands(const void *a, const void *b) {
  const Summand *x = a, *y = b;
  if (x->negative != y->negative) return x->negative - y->negative;
  if (x->constant != y->constant) return x->constant - y->constant;
  return compare_texts(&x->text, &y->text);
}

/* May a minus stand before it? -a * b is -(a * b), but -a // b is (-a) // b. */
static bool takes_sign(Python *py, Node node) {
  const ArrayNode *n = array_at(py->program, node);
  if (n->op == ARRAY_QUOTIENT)
    return takes_sign(py, arg_of(py, node, 0)) && array_at(py->program, arg_of(py, node, 0))->op != ARRAY_MATMUL;
  return n->op != ARRAY_FLOORDIV && n->op != ARRAY_MOD && n->op != ARRAY_MATMUL;
}

static PythonText sum(Python *py, Node node) {
  uint32_t n = array_at(py->program, node)->count;
  const char *signs = array_at(py->program, node)->text;
  Summand *parts = arena_array(py->arena, Summand, n);
  for (uint32_t i = 0; i < n; i++) {
    bool constant = array_at(py->program, arg_of(py, node, i))->op == ARRAY_NUMBER, negative = signs[i] == '-';
    parts[i] = (Summand){arg(py, node, i, negative ? PY_PRODUCT : PY_SUM), arg_of(py, node, i), negative, constant};
  }
  qsort(parts, n, sizeof *parts, compare_summands);
  if (parts[0].negative && parts[n - 1].constant && n > 1 && !parts[n - 1].negative) { /* 1 - x */
    Summand last = parts[n - 1];
    memmove(parts + 1, parts, sizeof *parts * (n - 1));
    parts[0] = last;
  }
  if (parts[0].negative && !takes_sign(py, parts[0].node))
    parts[0].text = arena_format(py->arena, "(%s)", parts[0].text);
  Text text = text_new(py->arena);
  for (uint32_t i = 0; i < n; i++)
    text_format(&text, "%s%s", i ? parts[i].negative ? " - " : " + " : parts[i].negative ? "-" : "", parts[i].text);
  return (PythonText){text_string(&text), n > 1 ? PY_SUM : PY_UNARY};
}

static PythonText infix(Python *py, Node node, const char *op, int own, int left, int right) {
  return (PythonText){arena_format(py->arena, "%s %s %s", arg(py, node, 0, left), op, arg(py, node, 1, right)), own};
}

static PythonText number(Python *py, const ArrayNode *node) {
  const char *s = node->text, *digits = s + (*s == '-');
  if (strcmp(digits, "inf") == 0 || strcmp(digits, "nan") == 0)
    return (PythonText){arena_format(py->arena, "%s%s.%s", *s == '-' ? "-" : "", py->dialect->module, digits),
                        *s == '-' ? PY_UNARY : PY_ATOM};
  if (strstr(s, " - ")) return (PythonText){s, PY_SUM};
  if (strchr(s, '/')) return (PythonText){s, PY_PRODUCT};
  return (PythonText){s, *s == '-' ? PY_UNARY : strchr(s, '*') ? PY_POWER : PY_ATOM};
}

/* The subscript template with its holes filled. */
static PythonText subscript(Python *py, Node node) {
  const char *template = array_at(py->program, node)->text;
  Text text = text_new(py->arena);
  uint32_t next = 1;
  text_format(&text, "%s[", arg(py, node, 0, PY_ATOM));
  for (const char *s = template; *s; s++) {
    if (*s != '%')
      text_char(&text, *s);
    else {
      const char *part = arg(py, node, next++, PY_ANY);
      bool is_start = s[1] == ':' && strcmp(part, "0") == 0;
      if (!is_start) text_add(&text, part);
    }
  }
  text_char(&text, ']');
  return atom(text_string(&text));
}

static PythonText range(Python *py, Node node) {
  const char *lo = arg(py, node, 0, PY_ANY), *hi = arg(py, node, 1, PY_ANY);
  bool zero = strcmp(lo, "0") == 0;
  py->uses_device |= py->dialect->is_torch;
  return atom(arena_format(py->arena, "%s.arange(%s%s%s%s)", py->dialect->module, zero ? "" : lo, zero ? "" : ", ", hi,
                           py->dialect->is_torch ? ", device=device" : ""));
}

static PythonText transpose(Python *py, Node node) {
  const char *order = array_at(py->program, node)->text;
  if (strcmp(order, "1, 0") == 0) return atom(arena_format(py->arena, "%s.T", arg(py, node, 0, PY_ATOM)));
  const char *name = py->dialect->is_torch ? "permute" : "transpose";
  return atom(arena_format(py->arena, "%s.%s(%s, (%s))", py->dialect->module, name, arg(py, node, 0, PY_ANY), order));
}

static PythonText clip(Python *py, Node node) {
  const char *index = arg(py, node, 0, PY_ANY), *length = arg(py, node, 1, PY_SUM);
  if (!is_array(py, node, 0)) return atom(arena_format(py->arena, "min(max(%s, 0), %s - 1)", index, length));
  return atom(arena_format(py->arena, "%s.%s(%s, 0, %s - 1)", py->dialect->module,
                           py->dialect->is_torch ? "clamp" : "clip", index, length));
}

static PythonText extremum(Python *py, Node node, bool is_max) {
  const char *a = arg(py, node, 0, PY_ANY), *b = arg(py, node, 1, PY_ANY), *module = py->dialect->module;
  bool x = is_array(py, node, 0), y = is_array(py, node, 1);
  if (!x && !y) return atom(arena_format(py->arena, "%s(%s, %s)", is_max ? "max" : "min", a, b));
  if (!py->dialect->is_torch || (x && y)) {
    bool swap = compare_texts(&a, &b) > 0;
    const char *name = is_max ? "maximum" : "minimum";
    if (!y) swap = false;
    if (!x) swap = true;
    return atom(arena_format(py->arena, "%s.%s(%s, %s)", module, name, swap ? b : a, swap ? a : b));
  }
  return atom(arena_format(py->arena, "%s.clamp(%s, %s=%s)", module, x ? a : b, is_max ? "min" : "max", x ? b : a));
}

static PythonText rounded(Python *py, Node node) {
  TermKind kind = (TermKind)array_at(py->program, node)->aux;
  const char *name = kind == TERM_FLOOR ? "floor" : kind == TERM_CEIL ? "ceil" : kind == TERM_TRUNC ? "trunc" : "round";
  bool torch = py->dialect->is_torch;
  py->may_warn = true;
  if (is_array(py, node, 0)) {
    if (!torch && kind == TERM_ROUND) name = "rint";
    return atom(arena_format(py->arena, "%s.%s(%s).%s", py->dialect->module, name, arg(py, node, 0, PY_ANY),
                             torch ? "to(torch.int64)" : "astype(np.int64)"));
  }
  const char *a = arg(py, node, 0, PY_PRODUCT);
  if (kind == TERM_FLOOR) return atom(arena_format(py->arena, "int(%s // 1)", a));
  if (kind == TERM_CEIL)
    return (PythonText){arena_format(py->arena, "-int(-%s // 1)", arg(py, node, 0, PY_UNARY)), PY_UNARY};
  return atom(arena_format(py->arena, "%s(%s)", kind == TERM_TRUNC ? "int" : "round", a));
}

static PythonText test(Python *py, Node node) {
  TermKind kind = (TermKind)array_at(py->program, node)->aux;
  const char *a = arg(py, node, 0, PY_BITOR);
  if (is_array(py, node, 0))
    return call1(py,
                 kind == TERM_IS_NAN   ? "isnan"
                 : kind == TERM_IS_INF ? "isposinf"
                                       : "isneginf",
                 arg(py, node, 0, PY_ANY));
  if (kind == TERM_IS_NAN) return (PythonText){arena_format(py->arena, "%s != %s", a, a), PY_COMPARE};
  return (PythonText){arena_format(py->arena, "%s == %s%s.inf", a, kind == TERM_IS_INF ? "" : "-", py->dialect->module),
                      PY_COMPARE};
}

static PythonText junction(Python *py, Node node, bool is_and) {
  if (array_at(py->program, node)->is_array)
    return joined(py, node, is_and ? " & " : " | ", is_and ? PY_BITAND : PY_BITOR, is_and ? PY_BITAND : PY_BITOR, true);
  return joined(py, node, is_and ? " and " : " or ", is_and ? PY_NOT : PY_AND, is_and ? PY_AND : PY_OR, true);
}

static PythonText where(Python *py, Node node) {
  const ArrayNode *a = array_at(py->program, arg_of(py, node, 1)), *b = array_at(py->program, arg_of(py, node, 2));
  bool torch = py->dialect->is_torch, scalars = !a->is_array && !b->is_array;
  if (!is_array(py, node, 0) && a->rank == b->rank)
    return (PythonText){arena_format(py->arena, "%s if %s else %s", arg(py, node, 1, PY_OR), arg(py, node, 0, PY_OR),
                                     arg(py, node, 2, PY_IF)),
                        PY_IF};
  const char *condition = arg(py, node, 0, PY_ANY), *then = arg(py, node, 1, PY_ANY),
             *otherwise = arg(py, node, 2, PY_ANY);
  if (!is_array(py, node, 0) && torch) condition = arena_format(py->arena, "torch.tensor(%s)", condition);
  bool cast = torch && scalars && array_at(py->program, node)->sort == SORT_REAL;
  py->uses_dtype |= cast;
  return atom(arena_format(py->arena, "%s.where(%s, %s, %s)%s", py->dialect->module, condition, then, otherwise,
                           cast ? ".to(dtype)" : ""));
}

static PythonText helper(Python *py, PythonHelper which, const char *name, const char *arguments) {
  py->helpers[which] = true;
  return atom(arena_format(py->arena, "%s(%s)", name, arguments));
}

static PythonText function(Python *py, Node node) {
  TermFn fn = (TermFn)array_at(py->program, node)->aux;
  switch (fn) {
  case FN_BITAND: return joined(py, node, " & ", PY_BITAND, PY_BITAND, true);
  case FN_BITOR: return joined(py, node, " | ", PY_BITOR, PY_BITOR, true);
  case FN_BITXOR: return joined(py, node, " ^ ", PY_BITXOR, PY_BITXOR, true);
  case FN_SHL: return infix(py, node, "<<", PY_SHIFT, PY_SHIFT, PY_SUM);
  case FN_SHR: return infix(py, node, ">>", PY_SHIFT, PY_SHIFT, PY_SUM);
  case FN_MULHI: {
    const char *a = arg(py, node, 0, PY_BITAND), *b = arg(py, node, 1, PY_BITAND);
    return (PythonText){arena_format(py->arena, "(%s & 0xFFFFFFFF) * (%s & 0xFFFFFFFF) >> 32 & 0xFFFFFFFF", a, b),
                        PY_BITAND};
  }
  default: break;
  }
  py->may_warn = true;
  Text text = text_new(py->arena);
  for (uint32_t i = 0; i < array_at(py->program, node)->count; i++) {
    const char *a = arg(py, node, i, PY_ANY);
    bool lift = py->dialect->is_torch && !is_array(py, node, i); /* PyTorch's functions take tensors */
    text_format(&text, lift ? "%storch.tensor(%s, dtype=torch.float64)" : "%s%s", i ? ", " : "", a);
  }
  const char *name = py->dialect->is_torch ? term_fn_info(fn)->torch : term_fn_info(fn)->numpy;
  if (name) return call1(py, name, text_string(&text));
  if (fn == FN_ERF) return helper(py, HELPER_ERF, "_erf", text_string(&text));
  if (fn == FN_ERFINV) {
    py->helpers[HELPER_ERF] = true;
    return helper(py, HELPER_ERFINV, "_erfinv", text_string(&text));
  }
  return helper(py, HELPER_LGAMMA, "_lgamma", text_string(&text));
}

/* What Python's own operator would raise an exception for, or give a complex number: as arrays have it, infinite or not
 * a number. */
static PythonText of_numbers(Python *py, Node node, PythonHelper which) {
  const ArrayNode *n = array_at(py->program, node);
  static const char *const names[] = {[HELPER_DIVIDE] = "divide", [HELPER_ROOT] = "sqrt", [HELPER_POWER] = "power"};
  Text text = text_new(py->arena);
  text_add(&text, arg(py, node, 0, PY_ANY));
  if (which == HELPER_DIVIDE) text_format(&text, ", %s", arg(py, node, 1, PY_ANY));
  if (which == HELPER_POWER) text_format(&text, ", %s", n->text);
  if (!py->dialect->is_torch && which != HELPER_POWER) return call1(py, names[which], text_string(&text));
  return helper(py, which, arena_format(py->arena, "_%s", names[which]), text_string(&text));
}

static PythonText extreme(Python *py, Node node) {
  uint32_t aux = array_at(py->program, node)->aux;
  const char *name = aux & EXTREME_LARGEST ? "max" : "min", *module = py->dialect->module;
  if (!(aux & EXTREME_OF_NONE))
    return atom(arena_format(py->arena, "int(%s.%s(%s))", module, name, arg(py, node, 0, PY_ANY)));
  const char *all = python_variable(py, arg_of(py, node, 0)), *size = py->dialect->is_torch ? "numel()" : "size";
  return (PythonText){arena_format(py->arena, "int(%s.%s(%s)) if %s.%s else 0", module, name, all, all, size), PY_IF};
}

static const char *axis_keyword(const Python *py) { return py->dialect->is_torch ? "dim" : "axis"; }

static PythonText reduction(Python *py, Node node, bool keep) {
  const ArrayNode *n = array_at(py->program, node);
  const char *axes = n->text, *a = arg(py, node, 0, PY_ANY);
  bool several = strchr(axes, ',') != NULL, torch = py->dialect->is_torch;
  if (torch && n->aux == FOLD_XOR) return helper(py, HELPER_XOR, "_xor", arena_format(py->arena, "%s, %s", a, axes));
  const char *initial = "";
  if (n->term && torch)
    return helper(py, n->aux == FOLD_MAX ? HELPER_LARGEST : HELPER_SMALLEST,
                  n->aux == FOLD_MAX ? "_largest" : "_smallest",
                  arena_format(py->arena, "%s, (%s,)%s", a, axes, keep ? ", keepdim=True" : ""));
  if (n->term) initial = n->aux == FOLD_MAX ? ", initial=-np.inf" : ", initial=np.inf";
  return atom(arena_format(py->arena, "%s.%s(%s, %s=%s%s%s%s%s)", py->dialect->module, py->dialect->reductions[n->aux],
                           a, axis_keyword(py), several ? "(" : "", axes, several ? ")" : "",
                           keep ? torch ? ", keepdim=True" : ", keepdims=True" : "", initial));
}

static PythonText scan(Python *py, Node node) {
  const ArrayNode *n = array_at(py->program, node);
  bool torch = py->dialect->is_torch;
  const char *a = arg(py, node, 0, PY_ANY), *axis = arena_format(py->arena, "%s=%s", axis_keyword(py), n->text);
  switch ((TermFoldOp)n->aux) {
  case FOLD_SUM: return call1(py, "cumsum", arena_format(py->arena, "%s, %s", a, axis));
  case FOLD_PROD: return call1(py, "cumprod", arena_format(py->arena, "%s, %s", a, axis));
  default: break;
  }
  bool is_max = n->aux == FOLD_MAX;
  const char *name = torch ? is_max ? "cummax" : "cummin" : is_max ? "maximum.accumulate" : "minimum.accumulate";
  return atom(arena_format(py->arena, "%s.%s(%s, %s)%s", py->dialect->module, name, a, axis, torch ? ".values" : ""));
}

static PythonText einsum(Python *py, Node node) {
  PythonText operands = joined(py, node, ", ", PY_ANY, PY_ANY, false);
  const char *spec = array_at(py->program, node)->text;
  return atom(arena_format(py->arena, "%s.einsum(\"%s\", %s%s)", py->dialect->module, spec, operands.text,
                           py->dialect->is_torch ? "" : ", optimize=True"));
}

static PythonText shape(Python *py, Node node) {
  uint32_t n = array_at(py->program, node)->count;
  return atom(arena_format(py->arena, "(%s%s)", joined(py, node, ", ", PY_ANY, PY_ANY, false).text, n == 1 ? "," : ""));
}

/* Does it depend on a loop inside, which has not begun? */
static bool is_of_inner_loop(const Python *py, const ArrayNode *node) {
  for (uint32_t i = 0; i < py->program->loops.count; i++)
    if ((node->loops >> i & 1) && !py->program->loops.data[i].name) return true;
  return false;
}

/* Everything inside the loop that does not depend on it is computed before. */
static void hoist(Python *py, Node node, uint64_t bit, bool *seen) {
  if (seen[node]) return;
  seen[node] = true;
  const ArrayNode *n = array_at(py->program, node);
  if ((n->loops & bit) || is_of_inner_loop(py, n)) {
    for (uint32_t i = 0; i < n->count; i++) hoist(py, arg_of(py, node, i), bit, seen);
    return;
  }
  if (is_free(py, n))
    for (uint32_t i = 0; i < n->count; i++) hoist(py, arg_of(py, node, i), bit, seen);
  else if (n->is_array)
    python_variable(py, node);
  else
    render(py, node);
}

/* The identity of a fold, with one element per dimension: what an empty loop leaves. */
static const char *loop_start(Python *py, const ArrayNode *node, TermFoldOp op) {
  static const char *const starts[] = {"0", "1", "-inf", "inf", "False", "True"};
  const char *value = op > FOLD_ALL ? "0" : starts[op], *module = py->dialect->module;
  bool torch = py->dialect->is_torch;
  if (op == FOLD_MAX || op == FOLD_MIN)
    value = node->sort == SORT_INT ? op == FOLD_MAX ? "-2**63" : "2**63 - 1"
                                   : arena_format(py->arena, op == FOLD_MAX ? "-%s.inf" : "%s.inf", module);
  py->uses_device |= torch;
  if (!torch && node->rank == 0) return value;
  Text shape = text_new(py->arena);
  for (uint32_t i = 0; i < node->rank; i++) text_format(&shape, "%s1%s", i ? ", " : "", node->rank == 1 ? "," : "");
  return arena_format(py->arena, "%s.full((%s), %s%s)", module, text_string(&shape), value,
                      torch ? ", device=device" : "");
}

static PythonText loop(Python *py, Node node) {
  ArrayNode n = *array_at(py->program, node);
  TermFoldOp op = (TermFoldOp)(n.aux & 255);
  uint32_t which = n.aux >> 8;
  bool torch = py->dialect->is_torch;
  hoist(py, arg_of(py, node, 0), loop_bit(&n), arena_array(py->arena, bool, py->program->nodes.count));
  const char *cells = arg(py, node, 1, PY_ANY), *lo = arg(py, node, 2, PY_ANY), *hi = arg(py, node, 3, PY_ANY);
  const char *turns = py->program->loops.data[which].name = python_fresh(py, "k", 0);
  const char *name = python_fresh(py, variable_hint(py, &n), 0), *module = py->dialect->module;
  const char *start = loop_start(py, &n, op);
  python_line(py, "%s = %s", name, start);
  python_line(py, "for %s in _chunks(%s, %s, %s%s):", turns, lo, hi, cells, torch ? ", device" : "");
  py->helpers[HELPER_CHUNKS] = true, py->uses_device |= torch;
  py->indent++;
  const char *turn = arg(py, node, 0, PY_BITOR);
  static const char *const signs[] = {"+", "*", "", "", "|", "&"};
  if (op == FOLD_MAX || op == FOLD_MIN)
    python_line(py, "%s = %s.%s(%s, %s)", name, module, op == FOLD_MAX ? "maximum" : "minimum", name,
                arg(py, node, 0, PY_ANY));
  else
    python_line(py, "%s = %s %s %s", name, name, signs[op], op == FOLD_PROD ? arg(py, node, 0, PY_UNARY) : turn);
  py->indent--;
  array_at(py->program, node)->variable = name;
  return atom(name);
}

/* All values at once, as each step takes those before it. */
static PythonText recurrence(Python *py, Node node) {
  ArrayNode n = *array_at(py->program, node);
  uint32_t count = inside_count(&n), which = n.aux >> 8;
  bool torch = py->dialect->is_torch;
  bool *seen = arena_array(py->arena, bool, py->program->nodes.count);
  for (uint32_t i = 0; i < count; i++) hoist(py, arg_of(py, node, i), loop_bit(&n), seen);
  const char *lengths = arg(py, node, 2 * count, PY_ANY), *steps = arg(py, node, 2 * count + 1, PY_ANY);
  Text left = text_new(py->arena), right = text_new(py->arena);
  py->uses_device |= torch;
  for (uint32_t i = 0; i < count; i++) {
    const char *first = arg(py, node, count + i, PY_ANY), *name = python_fresh(py, "s", 0);
    py->program->loops.data[which].state[i] = name;
    if (torch)
      python_line(py, "%s = torch.broadcast_to(torch.as_tensor(%s, device=device), %s).clone()", name, first, lengths);
    else
      python_line(py, "%s = np.full(%s, %s%s)", name, lengths, first,
                  array_at(py->program, arg_of(py, node, i))->sort == SORT_REAL ? ", dtype=np.float64" : "");
    text_format(&left, "%s%s", i ? ", " : "", name);
  }
  const char *turn = py->program->loops.data[which].name = python_fresh(py, "k", 0);
  python_line(py, "for %s in range(%s):", turn, steps);
  py->indent++;
  for (uint32_t i = 0; i < count; i++) text_format(&right, "%s%s", i ? ", " : "", arg(py, node, i, PY_ANY));
  python_line(py, "%s = %s", text_string(&left), text_string(&right));
  py->indent--;
  const char *name = py->program->loops.data[which].state[n.aux & 15];
  array_at(py->program, node)->variable = name;
  return atom(name);
}

/* m[:, None] of a reduction that is used nowhere else keeps the dimension instead. */
static bool keeps_dimension(Python *py, Node node) {
  const ArrayNode *view = array_at(py->program, node);
  if (view->op != ARRAY_INDEX || view->count != 1) return false;
  Node inner = arg_of(py, node, 0);
  const ArrayNode *n = array_at(py->program, inner);
  if (n->op != ARRAY_REDUCE || n->variable || n->uses != 1 || n->aux == FOLD_ARGMAX || n->aux == FOLD_ARGMIN ||
      n->aux == FOLD_XOR)
    return false;
  if (view->rank != array_at(py->program, arg_of(py, inner, 0))->rank || (py->dialect->is_torch && n->aux == FOLD_PROD))
    return false;
  Text gaps = text_new(py->arena);
  uint32_t place = 0;
  for (const char *s = view->text; *s; s++) {
    if (*s == ',') place++;
    if (*s == 'N') text_format(&gaps, "%s%u", gaps.count ? ", " : "", place);
  }
  return strcmp(text_string(&gaps), n->text) == 0;
}

static PythonText expression(Python *py, Node node) {
  if (keeps_dimension(py, node)) {
    shorten(py, arg_of(py, node, 0));
    return reduction(py, arg_of(py, node, 0), true);
  }
  const ArrayNode *n = array_at(py->program, node);
  if (n->op != ARRAY_LOOP && n->op != ARRAY_RECUR) shorten(py, node);
  n = array_at(py->program, node);
  switch (n->op) {
  case ARRAY_NONE:
  case ARRAY_OP_COUNT: break;
  case ARRAY_NAME: return atom(python_name(py, n->term) ? python_name(py, n->term) : n->text);
  case ARRAY_NUMBER: return number(py, n);
  case ARRAY_RANGE: return range(py, node);
  case ARRAY_CHUNK: return atom(py->program->loops.data[n->aux].name);
  case ARRAY_INDEX: return subscript(py, node);
  case ARRAY_TRANSPOSE: return transpose(py, node);
  case ARRAY_LENGTH: return atom(arena_format(py->arena, "%s.shape[%u]", arg(py, node, 0, PY_ATOM), n->aux));
  case ARRAY_CLIP: return clip(py, node);
  case ARRAY_SUM: return sum(py, node);
  case ARRAY_PRODUCT: return joined(py, node, " * ", PY_UNARY, PY_PRODUCT, true);
  case ARRAY_QUOTIENT:
    py->may_warn = true;
    return n->aux && !n->is_array ? of_numbers(py, node, HELPER_DIVIDE)
                                  : infix(py, node, "/", PY_PRODUCT, PY_PRODUCT, PY_UNARY);
  case ARRAY_POWER:
    py->may_warn = true;
    if (n->aux && !n->is_array) return of_numbers(py, node, HELPER_POWER);
    return (PythonText){arena_format(py->arena, "%s ** %s", arg(py, node, 0, PY_ATOM),
                                     strchr(n->text, '/') ? arena_format(py->arena, "(%s)", n->text) : n->text),
                        PY_POWER};
  case ARRAY_SQRT:
    py->may_warn = true;
    if (n->aux && !n->is_array) return of_numbers(py, node, HELPER_ROOT);
    if (!is_array(py, node, 0))
      return (PythonText){arena_format(py->arena, "%s ** 0.5", arg(py, node, 0, PY_ATOM)), PY_POWER};
    return call1(py, "sqrt", arg(py, node, 0, PY_ANY));
  case ARRAY_FLOORDIV: return infix(py, node, "//", PY_PRODUCT, PY_PRODUCT, PY_UNARY);
  case ARRAY_MOD: return infix(py, node, "%", PY_PRODUCT, PY_PRODUCT, PY_UNARY);
  case ARRAY_SAFE: {
    const char *b = python_variable(py, arg_of(py, node, 0));
    return call1(py, "where", arena_format(py->arena, "%s == 0, 1, %s", b, b));
  }
  case ARRAY_MAX: return extremum(py, node, true);
  case ARRAY_MIN: return extremum(py, node, false);
  case ARRAY_ABS:
    return n->is_array ? call1(py, "abs", arg(py, node, 0, PY_ANY))
                       : atom(arena_format(py->arena, "abs(%s)", arg(py, node, 0, PY_ANY)));
  case ARRAY_ROUND: return rounded(py, node);
  case ARRAY_COMPARE: return infix(py, node, n->text, PY_COMPARE, PY_BITOR, PY_BITOR);
  case ARRAY_TEST: return test(py, node);
  case ARRAY_AND: return junction(py, node, true);
  case ARRAY_OR: return junction(py, node, false);
  case ARRAY_NOT:
    if (n->is_array) return (PythonText){arena_format(py->arena, "~%s", arg(py, node, 0, PY_UNARY)), PY_UNARY};
    return (PythonText){arena_format(py->arena, "not %s", arg(py, node, 0, PY_NOT)), PY_NOT};
  case ARRAY_WHERE: return where(py, node);
  case ARRAY_FN: return function(py, node);
  case ARRAY_CALL:
    return atom(arena_format(py->arena, "%s(%s)", python_name(py, n->term) ? python_name(py, n->term) : n->text,
                             joined(py, node, ", ", PY_ANY, PY_ANY, false).text));
  case ARRAY_WRAP:
    if (n->aux >= 64 && n->is_array && !*n->text) return render(py, arg_of(py, node, 0));
    return helper(py, HELPER_WRAP, "_wrap", arena_format(py->arena, "%s, %u", arg(py, node, 0, PY_ANY), n->aux));
  case ARRAY_EXACT: return atom(arena_format(py->arena, "%s.astype(object)", arg(py, node, 0, PY_ATOM)));
  case ARRAY_NARROW:
    return atom(arena_format(py->arena, "%s.astype(np.%s)", arg(py, node, 0, PY_ATOM),
                             n->sort == SORT_INT ? "int64" : "float64"));
  case ARRAY_REDUCE: return reduction(py, node, false);
  case ARRAY_SCAN: return scan(py, node);
  case ARRAY_EXTREME: return extreme(py, node);
  case ARRAY_MATMUL: return infix(py, node, "@", PY_PRODUCT, PY_PRODUCT, PY_UNARY);
  case ARRAY_EINSUM: return einsum(py, node);
  case ARRAY_LOOP: return loop(py, node);
  case ARRAY_STEP: return atom(py->program->loops.data[n->aux].name);
  case ARRAY_STATE: return atom(py->program->loops.data[n->aux >> 4].state[n->aux & 15]);
  case ARRAY_RECUR: return recurrence(py, node);
  case ARRAY_EXPAND:
    return call1(py, "broadcast_to",
                 arena_format(py->arena, "%s, %s", arg(py, node, 0, PY_ANY), arg(py, node, 1, PY_ANY)));
  case ARRAY_SHAPE: return shape(py, node);
  }
  return atom("None");
}

static PythonText render(Python *py, Node node) {
  guard_tick(py->arena->guard);
  if (node < py->memo_count && py->memo[node].text) return py->memo[node];
  PythonText text = expression(py, node);
  if (!text.text) guard_throw(py->arena->guard, GUARD_LIMIT, "the formula names what is no argument: it has no module");
  remember(py, node, text);
  const ArrayNode *n = array_at(py->program, node);
  if (!n->variable && wants_variable(py, n, &text)) {
    python_variable(py, node);
    return py->memo[node];
  }
  return text;
}
