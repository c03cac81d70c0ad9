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

static bool is_reserved(const Python *py, const char *name) {
  static const char *const words[] = {
      "False",    "None",   "True",  "and",  "as",     "assert",   "async",   "await",  "break", "class",
      "continue", "def",    "del",   "elif", "else",   "except",   "finally", "for",    "from",  "global",
      "if",       "import", "in",    "is",   "lambda", "nonlocal", "not",     "or",     "pass",  "raise",
      "return",   "try",    "while", "with", "yield",  "np",       "torch",   "device", "dtype", "tensor",
      "abs",      "int",    "max",   "min",  "range",  "round",    "float"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(words[i], name) == 0) return true;
  return strcmp(py->framework->module, name) == 0;
}

static bool is_taken(const Python *py, const char *name) {
  for (uint32_t i = 0; i < py->names.count; i++)
    if (strcmp(py->names.data[i].name, name) == 0) return true;
  return is_reserved(py, name);
}

const char *python_fresh(Python *py, const char *wanted, Term term) {
  char *name = arena_format(py->arena, "%s%s", isdigit((unsigned char)wanted[0]) || !wanted[0] ? "_" : "", wanted);
  for (char *c = name; *c; c++)
    if (!isalnum((unsigned char)*c) && *c != '_') *c = '_';
  if (is_reserved(py, name)) name = arena_format(py->arena, "%s_", name);
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
  if (node->op == ARRAY_NONE || node->op == ARRAY_NAME || node->op == ARRAY_NUMBER || node->op == ARRAY_LENGTH ||
      node->op == ARRAY_SHAPE || node->op == ARRAY_CHUNK || node->op == ARRAY_STEP || node->op == ARRAY_STATE ||
      node->op == ARRAY_EXPAND)
    return true;
  if (node->op == ARRAY_LOOP || node->op == ARRAY_RECUR) return false;
  return is_cheap_view(py, node);
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
  if (node->op == ARRAY_REDUCE) return folds[node->aux];
  if (node->op == ARRAY_LOOP) return folds[node->aux & 255];
  if (node->op == ARRAY_MATMUL || node->op == ARRAY_EINSUM) return "dot";
  if (node->op == ARRAY_SCAN) return "running";
  if (node->op == ARRAY_COMPARE || node->op == ARRAY_AND || node->op == ARRAY_OR || node->op == ARRAY_NOT ||
      node->op == ARRAY_TEST)
    return "mask";
  if (node->op == ARRAY_FN) return node->aux == FN_EXP ? "e" : term_fn_name((TermFn)node->aux);
  if (node->op == ARRAY_SQRT) return "root";
  if (node->op == ARRAY_QUOTIENT) return "ratio";
  if (node->op == ARRAY_INDEX) {
    const ArrayNode *base = array_at(py->program, py->program->args.data[node->first]);
    return node->count == 1 && base->op != ARRAY_NAME ? variable_hint(py, base) : "part";
  }
  if (node->op == ARRAY_CLIP || node->op == ARRAY_FLOORDIV || node->op == ARRAY_MOD) return "index";
  return node->sort == SORT_INT ? "n" : node->sort == SORT_BOOL ? "mask" : "t";
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

/* ---- calls ---- */

void python_give_up(Python *py, const char *what) {
  guard_throw(py->arena->guard, GUARD_LIMIT, "%s has no %s", py->framework->name, what);
}

/* The template with its arguments, in parentheses where what follows binds closer. */
static const char *fill(Python *py, const char *template, const PythonText *arguments) {
  Text text = text_new(py->arena);
  for (const char *s = template; *s; s++) {
    if (*s != '$') {
      text_char(&text, *s);
      continue;
    }
    PythonText argument = arguments[*++s - '0'];
    text_add(&text, wrap(py, argument, s[1] == '.' || s[1] == '[' ? PY_ATOM : PY_ANY));
  }
  return text_string(&text);
}

static const char *call_name(Python *py, Call call) {
  static const char *const names[] = {
#define CALL(call) #call,
#include "emit/calls.def"
#undef CALL
  };
  char *name = arena_format(py->arena, "%s", names[call]);
  for (char *c = name; *c; c++) *c = *c == '_' ? ' ' : (char)tolower((unsigned char)*c);
  return name;
}

static bool has(const Python *py, Call call) { return py->framework->calls[call] != NULL; }

/* The first of the two that the framework has. */
static const char *call_text(Python *py, Call call, Call otherwise, const PythonText *arguments) {
  const char *template = py->framework->calls[has(py, call) ? call : otherwise];
  if (!template) python_give_up(py, call_name(py, otherwise));
  return fill(py, template, arguments);
}

const char *python_call(Python *py, Call call, Call otherwise, const char *a, const char *b, const char *c) {
  return call_text(py, call, otherwise, (PythonText[]){atom(a), atom(b), atom(c)});
}

static PythonText call1(Python *py, Call call, PythonText a) { return atom(call_text(py, call, call, &a)); }

static PythonText call2(Python *py, Call call, PythonText a, PythonText b) {
  return atom(call_text(py, call, call, (PythonText[]){a, b}));
}

/* Of the arguments of a node. */
static PythonText call_of(Python *py, Call call, Node node) {
  PythonText arguments[4] = {{0}};
  for (uint32_t i = 0; i < 4 && i < array_at(py->program, node)->count; i++)
    arguments[i] = render(py, arg_of(py, node, i));
  return atom(call_text(py, call, call, arguments));
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
  uint32_t n = array_at(py->program, node)->count, arrays = 0;
  const char **parts = arena_array(py->arena, const char *, n);
  bool apart = sorted && py->framework->has_numbers_last;
  for (uint32_t i = 0; i < n; i++)
    if (!apart || is_array(py, node, i)) parts[arrays++] = arg(py, node, i, inner);
  for (uint32_t i = 0, at = arrays; i < n && at < n; i++)
    if (!is_array(py, node, i)) parts[at++] = arg(py, node, i, inner);
  if (sorted) qsort(parts, arrays, sizeof *parts, compare_texts);
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

/* True if a minus may stand before it. -a * b is -(a * b), but -a // b is (-a) // b. */
static bool takes_sign(Python *py, Node node) {
  const ArrayNode *n = array_at(py->program, node);
  if (n->op == ARRAY_QUOTIENT)
    return takes_sign(py, arg_of(py, node, 0)) && array_at(py->program, arg_of(py, node, 0))->op != ARRAY_MATMUL;
  return n->variable || (n->op != ARRAY_FLOORDIV && n->op != ARRAY_MOD && n->op != ARRAY_MATMUL);
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
    return (PythonText){arena_format(py->arena, "%s%s", *s == '-' ? "-" : "",
                                     strcmp(digits, "inf") == 0 ? py->framework->inf : py->framework->nan),
                        *s == '-' ? PY_UNARY : PY_ATOM};
  if (strstr(s, " - ")) return (PythonText){s, PY_SUM};
  if (strchr(s, '/')) return (PythonText){s, PY_PRODUCT};
  return (PythonText){s, *s == '-' ? PY_UNARY : strchr(s, '*') ? PY_POWER : PY_ATOM};
}

/* Indices that are arrays, where brackets do not take them: slices first, then the rest along its axes, which lie side
 * by side. */
static PythonText taken(Python *py, Node node) {
  Text slices = text_new(py->arena), indices = text_new(py->arena);
  uint32_t next = 1, axis = 0, place = 0;
  bool slices_any = false;
  for (const char *s = array_at(py->program, node)->text; *s; place++) {
    size_t n = strcspn(s, ",");
    text_add(&slices, place ? ", " : "");
    if (*s == '%' && n == 1) {
      text_char(&slices, ':');
      if (!indices.count) axis = place;
      text_format(&indices, "%s%s", indices.count ? ", " : "", arg(py, node, next++, PY_ANY));
    } else {
      for (const char *c = s; c < s + n; c++)
        if (*c == '%')
          text_add(&slices, arg(py, node, next++, PY_ANY));
        else
          text_char(&slices, *c);
      slices_any |= n > 1;
    }
    s += n + strspn(s + n, ", ");
  }
  const char *array = arg(py, node, 0, PY_ATOM);
  if (slices_any) array = arena_format(py->arena, "%s[%s]", array, text_string(&slices));
  return atom(python_call(py, CALL_TAKE, CALL_TAKE, array, arena_format(py->arena, "%u", axis), text_string(&indices)));
}

static bool has_array_index(Python *py, Node node) {
  for (uint32_t i = 1; i < array_at(py->program, node)->count; i++)
    if (is_array(py, node, i)) return true;
  return false;
}

/* The subscript template with its holes filled. */
static PythonText subscript(Python *py, Node node) {
  if (has(py, CALL_TAKE) && has_array_index(py, node)) return taken(py, node);
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
  return call1(py, CALL_RANGE, atom(zero ? hi : arena_format(py->arena, "%s, %s", lo, hi)));
}

static PythonText transpose(Python *py, Node node) {
  const char *order = array_at(py->program, node)->text;
  if (strcmp(order, "1, 0") == 0) return call_of(py, CALL_MATRIX_TRANSPOSE, node);
  return call2(py, CALL_PERMUTE, render(py, arg_of(py, node, 0)), atom(order));
}

static PythonText clip(Python *py, Node node) {
  const char *index = arg(py, node, 0, PY_ANY), *length = arg(py, node, 1, PY_SUM);
  if (!is_array(py, node, 0)) return atom(arena_format(py->arena, "min(max(%s, 0), %s - 1)", index, length));
  return call2(py, CALL_CLIP, atom(index), atom(length));
}

/* An element, as a Python integer of any size: functions of arrays would make a float of it, or refuse it. */
static bool is_exact_number(const Python *py, Node node) {
  const ArrayNode *n = array_at(py->program, node);
  return n->is_exact && !n->rank;
}

static PythonText extremum(Python *py, Node node, bool is_max) {
  const char *a = arg(py, node, 0, PY_ANY), *b = arg(py, node, 1, PY_ANY);
  Call call = is_max ? CALL_MAXIMUM : CALL_MINIMUM, of_number = is_max ? CALL_MAXIMUM_NUMBER : CALL_MINIMUM_NUMBER;
  bool x = is_array(py, node, 0), y = is_array(py, node, 1);
  if ((!x && !y) || is_exact_number(py, node))
    return atom(arena_format(py->arena, "%s(%s, %s)", is_max ? "max" : "min", a, b));
  if (!x || !y) return atom(python_call(py, of_number, call, x ? a : b, x ? b : a, NULL));
  bool swap = compare_texts(&a, &b) > 0;
  return call2(py, call, atom(swap ? b : a), atom(swap ? a : b));
}

static PythonText rounded(Python *py, Node node) {
  TermKind kind = (TermKind)array_at(py->program, node)->aux;
  py->may_warn = true;
  if (is_array(py, node, 0)) {
    Call call = kind == TERM_FLOOR   ? CALL_FLOOR
                : kind == TERM_CEIL  ? CALL_CEIL
                : kind == TERM_TRUNC ? CALL_TRUNC
                                     : CALL_ROUND;
    return call1(py, CALL_WHOLE, call_of(py, call, node));
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
    return call_of(py, kind == TERM_IS_NAN ? CALL_IS_NAN : kind == TERM_IS_INF ? CALL_IS_INF : CALL_IS_NEG_INF, node);
  if (kind == TERM_IS_NAN) return (PythonText){arena_format(py->arena, "%s != %s", a, a), PY_COMPARE};
  return (PythonText){arena_format(py->arena, "%s == %s%s", a, kind == TERM_IS_INF ? "" : "-", py->framework->inf),
                      PY_COMPARE};
}

static PythonText junction(Python *py, Node node, bool is_and) {
  if (array_at(py->program, node)->is_array)
    return joined(py, node, is_and ? " & " : " | ", is_and ? PY_BITAND : PY_BITOR, is_and ? PY_BITAND : PY_BITOR, true);
  return joined(py, node, is_and ? " and " : " or ", is_and ? PY_NOT : PY_AND, is_and ? PY_AND : PY_OR, true);
}

static PythonText where(Python *py, Node node) {
  const ArrayNode *a = array_at(py->program, arg_of(py, node, 1)), *b = array_at(py->program, arg_of(py, node, 2));
  if (is_exact_number(py, node) || (!is_array(py, node, 0) && a->rank == b->rank))
    return (PythonText){arena_format(py->arena, "%s if %s else %s", arg(py, node, 1, PY_OR), arg(py, node, 0, PY_OR),
                                     arg(py, node, 2, PY_IF)),
                        PY_IF};
  bool numbers = !a->is_array && !b->is_array, real = array_at(py->program, node)->sort == SORT_REAL;
  const char *condition = arg(py, node, 0, PY_ANY), *then = arg(py, node, 1, PY_ANY),
             *otherwise = arg(py, node, 2, PY_ANY);
  if (!is_array(py, node, 0) && has(py, CALL_MASK)) condition = call1(py, CALL_MASK, atom(condition)).text;
  Call call = !numbers                                        ? CALL_WHERE
              : real                                          ? CALL_WHERE_REALS
              : array_at(py->program, node)->sort == SORT_INT ? CALL_WHERE_INTS
                                                              : CALL_WHERE;
  return atom(python_call(py, call, CALL_WHERE, condition, then, otherwise));
}

static PythonText shift(Python *py, Node node, bool left) {
  Call call = left ? CALL_SHIFT_LEFT : CALL_SHIFT_RIGHT;
  if (array_at(py->program, node)->is_array && has(py, call)) return call_of(py, call, node);
  return infix(py, node, left ? "<<" : ">>", PY_SHIFT, PY_SHIFT, PY_SUM);
}

static PythonText function(Python *py, Node node) {
  TermFn fn = (TermFn)array_at(py->program, node)->aux;
  if (fn == FN_BITAND) return joined(py, node, " & ", PY_BITAND, PY_BITAND, true);
  if (fn == FN_BITOR) return joined(py, node, " | ", PY_BITOR, PY_BITOR, true);
  if (fn == FN_BITXOR) return joined(py, node, " ^ ", PY_BITXOR, PY_BITXOR, true);
  if (fn == FN_SHL) return shift(py, node, true);
  if (fn == FN_SHR) return shift(py, node, false);
  if (fn == FN_MULHI) {
    if (has(py, CALL_SHIFT_RIGHT)) python_give_up(py, "upper half of a product");
    const char *a = arg(py, node, 0, PY_BITAND), *b = arg(py, node, 1, PY_BITAND);
    return (PythonText){arena_format(py->arena, "(%s & 0xFFFFFFFF) * (%s & 0xFFFFFFFF) >> 32 & 0xFFFFFFFF", a, b),
                        PY_BITAND};
  }
  py->may_warn = true;
  Text text = text_new(py->arena);
  for (uint32_t i = 0; i < array_at(py->program, node)->count; i++) {
    const char *a = arg(py, node, i, PY_ANY);
    bool number = has(py, CALL_NUMBER) && !is_array(py, node, i);
    text_format(&text, "%s%s", i ? ", " : "", number ? call1(py, CALL_NUMBER, atom(a)).text : a);
  }
  const Framework *f = py->framework;
  const char *name = f->has_torch_names ? term_fn_info(fn)->torch : term_fn_info(fn)->numpy;
  if (f->function[fn] && *f->function[fn])
    return atom(fill(py, f->function[fn], (PythonText[]){atom(text_string(&text))}));
  if (f->function[fn] || !name) python_give_up(py, term_fn_name(fn));
  return atom(arena_format(py->arena, "%s%s(%s)", f->functions, name, text_string(&text)));
}

/* What Python's own operator would raise an exception for, or give a complex number: as arrays have it, infinite or not
 * a number. */
static PythonText of_numbers(Python *py, Node node, Call call) {
  const char *a = arg(py, node, 0, PY_ANY);
  const char *b = call == CALL_DIVIDE_NUMBERS ? arg(py, node, 1, PY_ANY) : array_at(py->program, node)->text;
  return call2(py, call, atom(a), atom(b));
}

static PythonText extreme(Python *py, Node node) {
  uint32_t aux = array_at(py->program, node)->aux;
  Call call = aux & EXTREME_LARGEST ? CALL_LARGEST : CALL_SMALLEST;
  if (!(aux & EXTREME_OF_NONE)) return atom(arena_format(py->arena, "int(%s)", call_of(py, call, node).text));
  PythonText all = atom(python_variable(py, arg_of(py, node, 0)));
  return (PythonText){
      arena_format(py->arena, "int(%s) if %s else 0", call1(py, call, all).text, call1(py, CALL_SIZE, all).text),
      PY_IF};
}

static PythonText reduction(Python *py, Node node, bool keep) {
  const ArrayNode *n = array_at(py->program, node);
  bool several = strchr(n->text, ',') != NULL;
  Call call = (Call)(CALL_SUM + n->aux);
  if (n->term) call = n->aux == FOLD_MAX ? CALL_MAX_OR_NONE : CALL_MIN_OR_NONE;
  PythonText arguments[] = {render(py, arg_of(py, node, 0)),
                            atom(several ? arena_format(py->arena, "(%s)", n->text) : n->text),
                            atom(keep ? py->framework->keepdims : ""), atom(arena_format(py->arena, "(%s,)", n->text))};
  return atom(call_text(py, call, n->aux == FOLD_MAX ? CALL_MAX : n->aux == FOLD_MIN ? CALL_MIN : call, arguments));
}

static PythonText scan(Python *py, Node node) {
  const ArrayNode *n = array_at(py->program, node);
  return call2(py, (Call)(CALL_SUMS + n->aux), render(py, arg_of(py, node, 0)), atom(n->text));
}

/* a @ b, or what the framework says for it where one of them is a vector. */
static PythonText matmul(Python *py, Node node) {
  bool left = array_at(py->program, arg_of(py, node, 0))->rank > 1,
       right = array_at(py->program, arg_of(py, node, 1))->rank > 1;
  Call call = left ? CALL_MATRIX_VECTOR : right ? CALL_VECTOR_MATRIX : CALL_VECTOR_VECTOR;
  if ((left && right) || !has(py, call)) return infix(py, node, "@", PY_PRODUCT, PY_PRODUCT, PY_UNARY);
  return call_of(py, call, node);
}

static PythonText einsum(Python *py, Node node) {
  PythonText operands = joined(py, node, ", ", PY_ANY, PY_ANY, false);
  const char *spec = arena_format(py->arena, "\"%s\"", array_at(py->program, node)->text);
  return call2(py, CALL_EINSUM, atom(spec), atom(operands.text));
}

static PythonText shape(Python *py, Node node) {
  uint32_t n = array_at(py->program, node)->count;
  return atom(arena_format(py->arena, "(%s%s)", joined(py, node, ", ", PY_ANY, PY_ANY, false).text, n == 1 ? "," : ""));
}

/* True if it depends on a loop inside, which has not begun. */
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
  static const char *const starts[] = {"0", "1", "", "", "False", "True"};
  const char *value = op > FOLD_ALL ? "0" : starts[op];
  if (op == FOLD_MAX || op == FOLD_MIN)
    value = node->sort == SORT_INT ? op == FOLD_MAX ? "-2**63" : "2**63 - 1"
                                   : arena_format(py->arena, op == FOLD_MAX ? "-%s" : "%s", py->framework->inf);
  Call call = node->rank ? CALL_START : CALL_START_NUMBER;
  if (!has(py, call)) return value;
  Text shape = text_new(py->arena);
  for (uint32_t i = 0; i < node->rank; i++) text_format(&shape, "%s1%s", i ? ", " : "", node->rank == 1 ? "," : "");
  return python_call(py, call, call, arena_format(py->arena, "(%s)", text_string(&shape)), value, NULL);
}

static PythonText loop(Python *py, Node node) {
  ArrayNode n = *array_at(py->program, node);
  TermFoldOp op = (TermFoldOp)(n.aux & 255);
  uint32_t which = n.aux >> 8;
  hoist(py, arg_of(py, node, 0), loop_bit(&n), arena_array(py->arena, bool, py->program->nodes.count));
  const char *cells = arg(py, node, 1, PY_ANY), *lo = arg(py, node, 2, PY_ANY), *hi = arg(py, node, 3, PY_ANY);
  const char *turns = py->program->loops.data[which].name = python_fresh(py, "k", 0);
  const char *name = python_fresh(py, variable_hint(py, &n), 0);
  const char *start = loop_start(py, &n, op);
  python_line(py, "%s = %s", name, start);
  python_line(py, "for %s in %s:", turns, python_call(py, CALL_CHUNKS, CALL_CHUNKS, lo, hi, cells));
  py->indent++;
  const char *turn = arg(py, node, 0, PY_BITOR);
  static const char *const signs[] = {"+", "*", "", "", "|", "&"};
  if (op == FOLD_MAX || op == FOLD_MIN)
    python_line(
        py, "%s = %s", name,
        call2(py, op == FOLD_MAX ? CALL_MAXIMUM : CALL_MINIMUM, atom(name), atom(arg(py, node, 0, PY_ANY))).text);
  else if (py->framework->has_numbers_last && (op == FOLD_ANY || op == FOLD_ALL)) /* it starts as a number */
    python_line(py, "%s = %s %s %s", name, turn, signs[op], name);
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
  bool *seen = arena_array(py->arena, bool, py->program->nodes.count);
  for (uint32_t i = 0; i < count; i++) hoist(py, arg_of(py, node, i), loop_bit(&n), seen);
  const char *steps = arg(py, node, 3 * count, PY_ANY);
  Text left = text_new(py->arena), right = text_new(py->arena);
  for (uint32_t i = 0; i < count; i++) {
    const char *first = arg(py, node, count + i, PY_ANY), *lengths = arg(py, node, 2 * count + i, PY_ANY),
               *name = python_fresh(py, "s", 0);
    py->program->loops.data[which].state[i] = name;
    bool real = array_at(py->program, arg_of(py, node, i))->sort == SORT_REAL;
    python_line(py, "%s = %s", name,
                python_call(py, real ? CALL_STATE_REAL : CALL_STATE, CALL_STATE, first, lengths, NULL));
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

static const char *type_of_sort(const Python *py, TermSort sort) {
  const Framework *f = py->framework;
  return sort == SORT_INT ? f->integer : sort == SORT_REAL ? f->real : f->boolean;
}

/* A function that is an argument. */
static PythonText called(Python *py, Node node) {
  const ArrayNode *n = array_at(py->program, node);
  const char *name = python_name(py, n->term) ? python_name(py, n->term) : n->text;
  PythonText text = atom(arena_format(py->arena, "%s(%s)", name, joined(py, node, ", ", PY_ANY, PY_ANY, false).text));
  return n->is_array && has(py, CALL_CALLED) ? call2(py, CALL_CALLED, text, atom(type_of_sort(py, n->sort))) : text;
}

/* m[:, None] of a reduction that is used nowhere else keeps the dimension instead. */
static bool keeps_dimension(Python *py, Node node) {
  const ArrayNode *view = array_at(py->program, node);
  if (view->op != ARRAY_INDEX || view->count != 1) return false;
  Node inner = arg_of(py, node, 0);
  const ArrayNode *n = array_at(py->program, inner);
  if (n->op != ARRAY_REDUCE || n->variable || n->uses != 1) return false;
  const char *row = py->framework->calls[CALL_SUM + n->aux];
  if (!row || !strstr(row, "$2") || view->rank != array_at(py->program, arg_of(py, inner, 0))->rank) return false;
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
  case ARRAY_FILLED: return call_of(py, CALL_FILLED, node);
  case ARRAY_SUM: return sum(py, node);
  case ARRAY_PRODUCT: return joined(py, node, " * ", PY_UNARY, PY_PRODUCT, true);
  case ARRAY_QUOTIENT:
    py->may_warn = true;
    return n->aux && !n->is_array ? of_numbers(py, node, CALL_DIVIDE_NUMBERS)
                                  : infix(py, node, "/", PY_PRODUCT, PY_PRODUCT, PY_UNARY);
  case ARRAY_POWER:
    py->may_warn = true;
    if (n->aux && !n->is_array) return of_numbers(py, node, CALL_POWER_NUMBER);
    return (PythonText){arena_format(py->arena, "%s ** %s", arg(py, node, 0, PY_ATOM),
                                     strchr(n->text, '/') ? arena_format(py->arena, "(%s)", n->text) : n->text),
                        PY_POWER};
  case ARRAY_SQRT:
    py->may_warn = true;
    if (n->aux && !n->is_array) return of_numbers(py, node, CALL_SQRT_NUMBER);
    if (!is_array(py, node, 0))
      return (PythonText){arena_format(py->arena, "%s ** 0.5", arg(py, node, 0, PY_ATOM)), PY_POWER};
    return call_of(py, CALL_SQRT, node);
  case ARRAY_FLOORDIV: return infix(py, node, "//", PY_PRODUCT, PY_PRODUCT, PY_UNARY);
  case ARRAY_TRUNCDIV: return call_of(py, CALL_TRUNCDIV, node);
  case ARRAY_MOD: return infix(py, node, "%", PY_PRODUCT, PY_PRODUCT, PY_UNARY);
  case ARRAY_SAFE: {
    const char *b = python_variable(py, arg_of(py, node, 0));
    return atom(python_call(py, CALL_WHERE, CALL_WHERE, arena_format(py->arena, "%s == 0", b), "1", b));
  }
  case ARRAY_MAX: return extremum(py, node, true);
  case ARRAY_MIN: return extremum(py, node, false);
  case ARRAY_ABS:
    return n->is_array ? call_of(py, CALL_ABS, node)
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
  case ARRAY_CALL: return called(py, node);
  case ARRAY_WRAP:
    if (n->aux >= 64 && n->is_array && !*n->text) return render(py, arg_of(py, node, 0));
    return call2(py, CALL_WRAP, render(py, arg_of(py, node, 0)), atom(arena_format(py->arena, "%u", n->aux)));
  case ARRAY_EXACT:
    if (!has(py, CALL_EXACT)) python_give_up(py, "integers of more than 64 bits");
    return call_of(py, CALL_EXACT, node);
  case ARRAY_NARROW: {
    PythonText exact = render(py, arg_of(py, node, 0));
    if (is_exact_number(py, arg_of(py, node, 0)))
      return call1(py, n->sort == SORT_REAL ? CALL_FROM_REAL : CALL_FROM_INT, exact);
    return call2(py, CALL_CAST, exact, atom(type_of_sort(py, n->sort)));
  }
  case ARRAY_TO_REAL: return has(py, CALL_REAL) ? call_of(py, CALL_REAL, node) : render(py, arg_of(py, node, 0));
  case ARRAY_REDUCE: return reduction(py, node, false);
  case ARRAY_SCAN: return scan(py, node);
  case ARRAY_EXTREME: return extreme(py, node);
  case ARRAY_MATMUL: return matmul(py, node);
  case ARRAY_EINSUM: return einsum(py, node);
  case ARRAY_LOOP: return loop(py, node);
  case ARRAY_STEP: return atom(py->program->loops.data[n->aux].name);
  case ARRAY_STATE: return atom(py->program->loops.data[n->aux >> 4].state[n->aux & 15]);
  case ARRAY_RECUR: return recurrence(py, node);
  case ARRAY_EXPAND: return call_of(py, CALL_BROADCAST, node);
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
