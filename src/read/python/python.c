/* Parser for Python's expressions and the statements that references are made of: recursive descent over the tokens,
 * with the grammar rule above each function, as in the language reference.
 *
 * A parse stops at its first error, which is remembered; a statement at the top of a file that has one is skipped as a
 * whole, block and all, so that the rest of the file can still be used. */
#include "read/python/python.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "read/python/python_lexer.h"

enum { MAX_DEPTH = 120 };

typedef Array(const PyNode *) Nodes;
typedef Array(const char *) Words;

typedef struct Parser {
  Arena *arena;
  const Source *source;
  PyTokens tokens;
  uint32_t at, depth, defs; /* defs: around the statement at hand */
  const char *error;        /* the first one */
  Span error_span;
} Parser;

static const PyNode *expression(Parser *p);
static const PyNode *junction(Parser *p, PyKind kind);
static const PyNode *primary(Parser *p);
static const PyNode *block(Parser *p);

/* ---- tokens and nodes ---- */

static const PyToken *token(const Parser *p) { return &p->tokens.data[p->at]; }

static bool text_is(const Parser *p, const PyToken *t, const char *text) {
  size_t n = strlen(text);
  return t->span.end - t->span.begin == n && !memcmp(p->source->text + t->span.begin, text, n);
}

static bool is_token(const Parser *p, PyTokenKind kind, const char *text) {
  return token(p)->kind == kind && (!text || text_is(p, token(p), text));
}

static bool is_operator(const Parser *p, const char *text) { return is_token(p, PY_TOKEN_OPERATOR, text); }
static bool is_word(const Parser *p, const char *text) { return is_token(p, PY_TOKEN_NAME, text); }

static void step(Parser *p) {
  if (token(p)->kind != PY_TOKEN_END) p->at++;
}

static bool accept(Parser *p, PyTokenKind kind, const char *text) {
  if (p->error || !is_token(p, kind, text)) return false;
  step(p);
  return true;
}

static bool accept_operator(Parser *p, const char *text) { return accept(p, PY_TOKEN_OPERATOR, text); }
static bool accept_word(Parser *p, const char *text) { return accept(p, PY_TOKEN_NAME, text); }

static void fail(Parser *p, const char *error) {
  if (p->error) return;
  p->error = error;
  p->error_span = token(p)->span;
}

static void expect_operator(Parser *p, const char *text) {
  if (!accept_operator(p, text)) fail(p, arena_format(p->arena, "expected '%s'", text));
}

static const char *token_text(Parser *p, Span span) {
  return arena_copy(p->arena, p->source->text + span.begin, span.end - span.begin);
}

static bool is_keyword(const Parser *p) {
  static const char *const words[] = {"and",    "or",      "not",    "if",       "else",   "elif",  "for",   "in",
                                      "is",     "return",  "def",    "lambda",   "import", "from",  "class", "while",
                                      "with",   "as",      "pass",   "assert",   "del",    "yield", "await", "try",
                                      "except", "finally", "global", "nonlocal", "async",  "raise"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (is_word(p, words[i])) return true;
  return false;
}

static const char *name(Parser *p) {
  if (token(p)->kind != PY_TOKEN_NAME || is_keyword(p)) {
    fail(p, "expected a name");
    return "";
  }
  const char *text = token_text(p, token(p)->span);
  step(p);
  return text;
}

static PyNode *make(Parser *p, PyKind kind, uint32_t begin, const char *text, const Nodes *args) {
  PyNode *n = arena_new(p->arena, PyNode);
  uint32_t end = p->at ? p->tokens.data[p->at - 1].span.end : begin;
  *n = (PyNode){.kind = kind, .span = {begin, end > begin ? end : begin}, .text = text};
  if (args) n->count = args->count, n->args = args->data;
  return n;
}

static PyNode *make_one(Parser *p, PyKind kind, uint32_t begin, const char *text, const PyNode *arg) {
  Nodes args = {0};
  array_push(p->arena, &args, arg);
  return make(p, kind, begin, text, &args);
}

static PyNode *make_two(Parser *p, PyKind kind, const char *text, const PyNode *a, const PyNode *b) {
  Nodes args = {0};
  array_push(p->arena, &args, a);
  array_push(p->arena, &args, b);
  return make(p, kind, a->span.begin, text, &args);
}

static bool enter(Parser *p) {
  if (p->depth >= MAX_DEPTH) fail(p, "nested too deeply");
  if (p->error) return false;
  p->depth++;
  return true;
}

/* ---- atoms ---- */

static const PyNode *targets(Parser *p) {
  uint32_t at = token(p)->span.begin;
  Nodes items = {0};
  do array_push(p->arena, &items, primary(p));
  while (accept_operator(p, ","));
  return items.count == 1 ? items.data[0] : make(p, PY_TUPLE, at, NULL, &items);
}

/* clauses := {"for" targets "in" disjunction {"if" disjunction}}, behind the element */
static const PyNode *comprehension(Parser *p, const PyNode *element, const char *open) {
  Nodes parts = {0};
  array_push(p->arena, &parts, element);
  while (is_word(p, "for")) {
    uint32_t begin = token(p)->span.begin;
    Nodes clause = {0};
    step(p);
    array_push(p->arena, &clause, targets(p));
    if (!accept_word(p, "in")) fail(p, "expected 'in'");
    array_push(p->arena, &clause, junction(p, PY_OR));
    while (accept_word(p, "if")) array_push(p->arena, &clause, junction(p, PY_OR));
    array_push(p->arena, &parts, make(p, PY_CLAUSE, begin, NULL, &clause));
  }
  return make(p, PY_COMPREHENSION, element->span.begin, open, &parts);
}

/* group := "(" [expression {"," expression} [","]] ")" | "(" expression clauses ")" */
static const PyNode *group(Parser *p, const char *close, PyKind kind) {
  uint32_t begin = token(p)->span.begin;
  bool comma = false;
  Nodes items = {0};
  step(p);
  while (!p->error && !is_operator(p, close)) {
    array_push(p->arena, &items, expression(p));
    if (items.count == 1 && is_word(p, "for")) {
      const PyNode *all = comprehension(p, items.data[0], kind == PY_LIST ? "[" : "(");
      expect_operator(p, close);
      return all;
    }
    if (!accept_operator(p, ",")) break;
    comma = true;
  }
  expect_operator(p, close);
  if (kind == PY_TUPLE && items.count == 1 && !comma) return items.data[0];
  return make(p, kind, begin, NULL, &items);
}

/* dict := "{" [expression ":" expression {"," ...}] "}" */
static const PyNode *dict(Parser *p) {
  uint32_t begin = token(p)->span.begin;
  Nodes items = {0};
  step(p);
  while (!p->error && !is_operator(p, "}")) {
    array_push(p->arena, &items, expression(p));
    expect_operator(p, ":");
    array_push(p->arena, &items, expression(p));
    if (!accept_operator(p, ",")) break;
  }
  expect_operator(p, "}");
  return make(p, PY_DICT, begin, NULL, &items);
}

/* A formatted string is code that is not parsed. */
static const PyNode *strings(Parser *p) {
  uint32_t begin = token(p)->span.begin;
  bool is_code = false, is_other = false;
  Text text = text_new(p->arena);
  for (; token(p)->kind == PY_TOKEN_STRING; step(p)) {
    Span span = token(p)->span, content = token(p)->content;
    bool is_raw = false;
    for (uint32_t i = span.begin; i < content.begin; i++) {
      int c = p->source->text[i] | 32;
      is_code |= c == 'f' || c == 't', is_other |= c == 'b', is_raw |= c == 'r';
    }
    is_other |= !is_raw && memchr(p->source->text + content.begin, '\\', content.end - content.begin);
    text_append(&text, p->source->text + content.begin, content.end - content.begin);
  }
  PyNode *n = make(p, is_code ? PY_OTHER : PY_STRING, begin, text_string(&text), NULL);
  if (is_code || is_other)
    n->error = is_code ? "a formatted string is not read" : "bytes and escapes are not read in a string",
    n->error_span = n->span;
  return n;
}

static const PyNode *atom(Parser *p) {
  const PyToken *t = token(p);
  uint32_t begin = t->span.begin;
  if (is_operator(p, "(")) return group(p, ")", PY_TUPLE);
  if (is_operator(p, "[")) return group(p, "]", PY_LIST);
  if (is_operator(p, "{")) return dict(p);
  if (t->kind == PY_TOKEN_STRING) return strings(p);
  if (t->kind == PY_TOKEN_NUMBER || is_operator(p, "...") || (t->kind == PY_TOKEN_NAME && !is_keyword(p))) {
    const char *text = token_text(p, t->span);
    PyKind kind = t->kind == PY_TOKEN_NUMBER ? PY_NUMBER : PY_NAME;
    step(p);
    return make(p, kind, begin, text, NULL);
  }
  fail(p, t->kind == PY_TOKEN_BAD ? "this is no part of a formula" : "expected an expression");
  return make(p, PY_EMPTY, begin, NULL, NULL);
}

/* ---- postfix ---- */

/* argument := NAME "=" expression | "*" expression | expression */
static const PyNode *argument(Parser *p) {
  uint32_t begin = token(p)->span.begin;
  if (accept_operator(p, "*")) return make_one(p, PY_STAR, begin, NULL, expression(p));
  if (token(p)->kind == PY_TOKEN_NAME && p->tokens.data[p->at + 1].kind == PY_TOKEN_OPERATOR &&
      text_is(p, &p->tokens.data[p->at + 1], "=")) {
    const char *text = name(p);
    step(p);
    return make_one(p, PY_KEYWORD, begin, text, expression(p));
  }
  const PyNode *value = expression(p);
  return is_word(p, "for") ? comprehension(p, value, "(") : value; /* f(x for x in a) */
}

static const PyNode *call(Parser *p, const PyNode *callee) {
  Nodes args = {0};
  array_push(p->arena, &args, callee);
  step(p);
  while (!p->error && !is_operator(p, ")")) {
    array_push(p->arena, &args, argument(p));
    if (!accept_operator(p, ",")) break;
  }
  expect_operator(p, ")");
  return make(p, PY_CALL, callee->span.begin, NULL, &args);
}

/* index := expression | [expression] ":" [expression] [":" [expression]] */
static const PyNode *index_part(Parser *p) {
  uint32_t begin = token(p)->span.begin;
  Nodes parts = {0};
  const PyNode *empty = make(p, PY_EMPTY, begin, NULL, NULL);
  const PyNode *first = is_operator(p, ":") ? empty : expression(p);
  if (!is_operator(p, ":")) return first;
  array_push(p->arena, &parts, first);
  while (parts.count < 3 && accept_operator(p, ":"))
    array_push(p->arena, &parts,
               is_operator(p, ":") || is_operator(p, ",") || is_operator(p, "]") ? empty : expression(p));
  while (parts.count < 3) array_push(p->arena, &parts, empty);
  return make(p, PY_SLICE, begin, NULL, &parts);
}

static const PyNode *subscript(Parser *p, const PyNode *value) {
  Nodes parts = {0};
  bool comma = false;
  step(p);
  uint32_t begin = token(p)->span.begin;
  while (!p->error && !is_operator(p, "]")) {
    array_push(p->arena, &parts, index_part(p));
    if (!accept_operator(p, ",")) break;
    comma = true;
  }
  expect_operator(p, "]");
  const PyNode *index = parts.count == 1 && !comma ? parts.data[0] : make(p, PY_TUPLE, begin, NULL, &parts);
  return make_two(p, PY_SUBSCRIPT, NULL, value, index);
}

/* primary := atom {"." NAME | "(" arguments ")" | "[" indices "]"} */
static const PyNode *primary(Parser *p) {
  const PyNode *value = atom(p);
  while (!p->error) {
    if (is_operator(p, "("))
      value = call(p, value);
    else if (is_operator(p, "["))
      value = subscript(p, value);
    else if (accept_operator(p, ".")) {
      const char *text = name(p);
      value = make_one(p, PY_ATTRIBUTE, value->span.begin, text, value);
    } else
      break;
  }
  return value;
}

/* ---- operators ---- */

static const PyNode *unary(Parser *p);

/* power := primary ["**" unary] */
static const PyNode *power(Parser *p) {
  const PyNode *base = primary(p);
  if (!accept_operator(p, "**")) return base;
  return make_two(p, PY_BINARY, "**", base, unary(p));
}

/* unary := ("-" | "+" | "~") unary | power */
static const PyNode *unary(Parser *p) {
  static const char *const signs[] = {"-", "+", "~"};
  uint32_t begin = token(p)->span.begin;
  if (!enter(p)) return make(p, PY_EMPTY, begin, NULL, NULL);
  const PyNode *result = NULL;
  for (size_t i = 0; i < 3 && !result; i++)
    if (accept_operator(p, signs[i])) result = make_one(p, PY_UNARY, begin, signs[i], unary(p));
  if (!result) result = power(p);
  p->depth--;
  return result;
}

/* One level for each row, the weakest first; the operators of a row associate to the left. */
static const PyNode *binary(Parser *p, uint32_t level) {
  static const char *const levels[][6] = {{"|"}, {"^"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "//", "%", "@"}};
  if (level == sizeof levels / sizeof *levels) return unary(p);
  const PyNode *left = binary(p, level + 1);
  for (bool more = true; more && !p->error;) {
    more = false;
    for (size_t i = 0; i < 6 && levels[level][i] && !more; i++) {
      if (!accept_operator(p, levels[level][i])) continue;
      left = make_two(p, PY_BINARY, levels[level][i], left, binary(p, level + 1));
      more = true;
    }
  }
  return left;
}

static const char *comparison_operator(Parser *p) {
  static const char *const operators[] = {"<=", ">=", "==", "!=", "<", ">"};
  for (size_t i = 0; i < 6; i++)
    if (accept_operator(p, operators[i])) return operators[i];
  if (accept_word(p, "is")) return accept_word(p, "not") ? "is not" : "is";
  if (accept_word(p, "in")) return "in";
  if (is_word(p, "not") && text_is(p, &p->tokens.data[p->at + 1], "in")) {
    step(p), step(p);
    return "not in";
  }
  return NULL;
}

/* comparison := sum {operator sum} */
static const PyNode *comparison(Parser *p) {
  Nodes values = {0};
  Words ops = {0};
  array_push(p->arena, &values, binary(p, 0));
  for (const char *op; !p->error && (op = comparison_operator(p));) {
    array_push(p->arena, &ops, op);
    array_push(p->arena, &values, binary(p, 0));
  }
  if (!ops.count) return values.data[0];
  PyNode *n = make(p, PY_COMPARE, values.data[0]->span.begin, NULL, &values);
  n->ops = ops.data;
  return n;
}

static const PyNode *negation(Parser *p) {
  uint32_t begin = token(p)->span.begin;
  if (!is_word(p, "not")) return comparison(p);
  if (!enter(p)) return make(p, PY_EMPTY, begin, NULL, NULL);
  step(p);
  const PyNode *result = make_one(p, PY_UNARY, begin, "not", negation(p));
  p->depth--;
  return result;
}

static const PyNode *junction(Parser *p, PyKind kind) {
  Nodes parts = {0};
  do array_push(p->arena, &parts, kind == PY_OR ? junction(p, PY_AND) : negation(p));
  while (accept_word(p, kind == PY_OR ? "or" : "and"));
  return parts.count == 1 ? parts.data[0] : make(p, kind, parts.data[0]->span.begin, NULL, &parts);
}

/* "lambda" names ":" expression, as a function that returns it */
static const PyNode *lambda(Parser *p) {
  uint32_t begin = token(p)->span.begin;
  Nodes parts = {0};
  step(p);
  while (!p->error && !is_operator(p, ":")) {
    uint32_t at = token(p)->span.begin;
    const char *parameter = name(p);
    bool has = accept_operator(p, "=");
    const PyNode *n =
        has ? make_one(p, PY_PARAM, at, parameter, expression(p)) : make(p, PY_PARAM, at, parameter, NULL);
    array_push(p->arena, &parts, n);
    if (!accept_operator(p, ",")) break;
  }
  expect_operator(p, ":");
  uint32_t at = token(p)->span.begin;
  array_push(p->arena, &parts, (const PyNode *)make_one(p, PY_RETURN, at, NULL, expression(p)));
  return make_one(p, PY_LAMBDA, begin, NULL, make(p, PY_DEF, begin, "lambda", &parts));
}

/* expression := lambda | disjunction ["if" disjunction "else" expression] */
static const PyNode *expression(Parser *p) {
  uint32_t begin = token(p)->span.begin;
  if (!enter(p)) return make(p, PY_EMPTY, begin, NULL, NULL);
  const PyNode *value = is_word(p, "lambda") ? lambda(p) : junction(p, PY_OR);
  if (accept_word(p, "if")) {
    Nodes parts = {0};
    array_push(p->arena, &parts, junction(p, PY_OR));
    array_push(p->arena, &parts, value);
    if (!accept_word(p, "else")) fail(p, "expected 'else'");
    array_push(p->arena, &parts, expression(p));
    value = make(p, PY_CHOICE, begin, NULL, &parts);
  }
  p->depth--;
  return value;
}

/* expressions := expression {"," expression} [","] */
static const PyNode *expressions(Parser *p) {
  Nodes items = {0};
  bool comma = false;
  uint32_t begin = token(p)->span.begin;
  do {
    if (items.count && (token(p)->kind == PY_TOKEN_NEWLINE || is_operator(p, "=") || is_operator(p, ")"))) break;
    uint32_t star = token(p)->span.begin;
    if (accept_operator(p, "*"))
      array_push(p->arena, &items, make_one(p, PY_STAR, star, NULL, expression(p)));
    else
      array_push(p->arena, &items, expression(p));
  } while (accept_operator(p, ",") && (comma = true));
  return items.count == 1 && !comma ? items.data[0] : make(p, PY_TUPLE, begin, NULL, &items);
}

/* ---- statements ---- */

static void end_line(Parser *p) {
  if (!accept(p, PY_TOKEN_NEWLINE, NULL) && !accept_operator(p, ";")) fail(p, "expected the end of the line");
}

/* {"."} NAME {"." NAME}, or dots alone: of a package around the file, whose modules are not read. */
static const char *dotted(Parser *p) {
  Text text = text_new(p->arena);
  while (is_operator(p, ".") || is_operator(p, "...")) {
    text_char(&text, '.');
    step(p);
  }
  if (!text.count || !is_word(p, "import")) text_add(&text, name(p));
  while (accept_operator(p, ".")) text_format(&text, ".%s", name(p));
  return text_string(&text);
}

static const PyNode *make_import(Parser *p, uint32_t begin, const char *module, const char *bound) {
  PyNode *n = make(p, PY_IMPORT, begin, module, NULL);
  const char **ops = arena_array(p->arena, const char *, 1);
  ops[0] = bound;
  n->ops = ops;
  return n;
}

static PyNode *make_failing(Parser *p, PyKind kind, uint32_t begin, const char *error) {
  PyNode *n = make(p, kind, begin, "", NULL);
  n->error = error, n->error_span = n->span;
  return n;
}

static PyNode *make_other(Parser *p, uint32_t begin, const char *error) {
  return make_failing(p, PY_OTHER, begin, error);
}

/* "import" dotted ["as" NAME] {"," ...} */
static const PyNode *import(Parser *p) {
  uint32_t begin = token(p)->span.begin;
  Nodes items = {0};
  step(p);
  do {
    const char *module = dotted(p), *dot = strchr(module, '.');
    const char *bound = accept_word(p, "as") ? name(p) : NULL;
    if (!bound)
      bound = module = dot ? arena_copy(p->arena, module, (size_t)(dot - module)) : module; /* import a.b binds a */
    array_push(p->arena, &items, make_import(p, begin, module, bound));
  } while (accept_operator(p, ","));
  end_line(p);
  return make(p, PY_BLOCK, begin, NULL, &items);
}

/* "from" dotted "import" NAME ["as" NAME] {"," ...} */
static const PyNode *import_from(Parser *p) {
  uint32_t begin = token(p)->span.begin;
  Nodes items = {0};
  step(p);
  const char *module = dotted(p);
  if (!accept_word(p, "import")) fail(p, "expected 'import'");
  bool closed = accept_operator(p, "(");
  if (accept_operator(p, "*"))
    array_push(p->arena, &items, make_other(p, begin, "import * may give any name a value"));
  else {
    do {
      if (closed && is_operator(p, ")")) break;
      const char *what = name(p), *bound = accept_word(p, "as") ? name(p) : what;
      array_push(p->arena, &items, make_import(p, begin, arena_format(p->arena, "%s.%s", module, what), bound));
    } while (accept_operator(p, ","));
  }
  if (closed) expect_operator(p, ")");
  end_line(p);
  return make(p, PY_BLOCK, begin, NULL, &items);
}

static const PyNode *if_statement(Parser *p) {
  uint32_t begin = token(p)->span.begin;
  Nodes parts = {0};
  step(p);
  array_push(p->arena, &parts, expression(p));
  array_push(p->arena, &parts, block(p));
  if (is_word(p, "elif")) {
    if (enter(p)) {
      array_push(p->arena, &parts, if_statement(p));
      p->depth--;
    }
  } else if (accept_word(p, "else"))
    array_push(p->arena, &parts, block(p));
  return make(p, PY_IF, begin, NULL, &parts);
}

static const PyNode *for_statement(Parser *p) {
  uint32_t begin = token(p)->span.begin;
  Nodes parts = {0};
  step(p);
  array_push(p->arena, &parts, targets(p));
  if (!accept_word(p, "in")) fail(p, "expected 'in'");
  array_push(p->arena, &parts, expressions(p));
  array_push(p->arena, &parts, block(p));
  if (accept_word(p, "else")) array_push(p->arena, &parts, block(p));
  return make(p, PY_FOR, begin, NULL, &parts);
}

static const PyNode *while_statement(Parser *p) {
  uint32_t begin = token(p)->span.begin;
  Nodes parts = {0};
  step(p);
  array_push(p->arena, &parts, expression(p));
  array_push(p->arena, &parts, block(p));
  if (accept_word(p, "else")) array_push(p->arena, &parts, block(p));
  return make(p, PY_WHILE, begin, NULL, &parts);
}

/* "with" expression ["as" primary] {"," ...} block */
static const PyNode *with_statement(Parser *p) {
  uint32_t begin = token(p)->span.begin;
  Nodes parts = {0};
  step(p);
  do {
    array_push(p->arena, &parts, expression(p));
    array_push(p->arena, &parts, accept_word(p, "as") ? primary(p) : make(p, PY_EMPTY, begin, NULL, NULL));
  } while (accept_operator(p, ","));
  array_push(p->arena, &parts, block(p));
  return make(p, PY_WITH, begin, NULL, &parts);
}

static bool has_call(const PyNode *n) {
  if (n->kind == PY_CALL) return true;
  for (uint32_t i = 0; i < n->count; i++)
    if (has_call(n->args[i])) return true;
  return false;
}

static void annotation(Parser *p, Nodes *out) {
  const PyNode *n = expression(p);
  if (!p->error && has_call(n)) fail(p, "a call in an annotation is not read");
  array_push(p->arena, out, n);
}

static const PyNode *annotated(Parser *p, const PyNode *n, Nodes *annotations) {
  if (!annotations->count || p->error) return n;
  PyNode *copy = arena_new(p->arena, PyNode);
  *copy = *n, copy->annotations = make(p, PY_TUPLE, n->span.begin, NULL, annotations);
  return copy;
}

/* "def" NAME "(" parameters ")" ["->" expression] block */
static const PyNode *definition(Parser *p) {
  uint32_t begin = token(p)->span.begin;
  Nodes parts = {0}, annotations = {0};
  step(p);
  const char *text = name(p);
  expect_operator(p, "(");
  while (!p->error && !is_operator(p, ")")) {
    uint32_t at = token(p)->span.begin;
    if (!accept_operator(p, "/") &&
        !(is_operator(p, "*") && text_is(p, &p->tokens.data[p->at + 1], ",") && accept_operator(p, "*"))) {
      const char *parameter = name(p);
      const PyNode *value = NULL;
      uint32_t annotated_before = annotations.count;
      if (accept_operator(p, ":")) annotation(p, &annotations);
      if (accept_operator(p, "=")) value = expression(p);
      PyNode *n = value ? make_one(p, PY_PARAM, at, parameter, value) : make(p, PY_PARAM, at, parameter, NULL);
      for (uint32_t i = annotated_before; i < annotations.count; i++) {
        Nodes own = {0};
        array_push(p->arena, &own, annotations.data[i]);
        n->annotations = make(p, PY_TUPLE, at, NULL, &own);
      }
      array_push(p->arena, &parts, (const PyNode *)n);
    }
    if (!accept_operator(p, ",")) break;
  }
  expect_operator(p, ")");
  if (accept_operator(p, "->")) annotation(p, &annotations);
  p->defs++;
  array_push(p->arena, &parts, block(p));
  p->defs--;
  return annotated(p, make(p, PY_DEF, begin, text, &parts), &annotations);
}

/* expressions | targets "=" ... expressions | target operator "=" expressions | target ":" expression ["=" expressions]
 */
static const PyNode *simple(Parser *p) {
  static const char *const augmented[] = {
      "+=", "-=", "*=", "/=", "//=", "%=", "**=", "@=", "&=", "|=", "^=", "<<=", ">>="};
  uint32_t begin = token(p)->span.begin;
  const PyNode *first = expressions(p), *result = NULL;
  for (size_t i = 0; i < sizeof augmented / sizeof *augmented; i++)
    if (accept_operator(p, augmented[i]))
      result = make_two(p, PY_AUGMENTED, arena_copy(p->arena, augmented[i], strlen(augmented[i]) - 1), first,
                        expressions(p));
  if (!result) {
    Nodes parts = {0}, annotations = {0};
    array_push(p->arena, &parts, first);
    if (accept_operator(p, ":")) annotation(p, &annotations);
    while (accept_operator(p, "=")) array_push(p->arena, &parts, expressions(p));
    result = annotated(p, make(p, parts.count > 1 ? PY_ASSIGN : PY_EXPRESSION, begin, NULL, &parts), &annotations);
  }
  end_line(p);
  return result;
}

static const PyNode *statement_body(Parser *p) {
  uint32_t begin = token(p)->span.begin;
  if (is_word(p, "import")) return import(p);
  if (is_word(p, "from")) return import_from(p);
  if (is_word(p, "if")) return if_statement(p);
  if (is_word(p, "for")) return for_statement(p);
  if (is_word(p, "while")) return while_statement(p);
  if (is_word(p, "with")) return with_statement(p);
  if (is_word(p, "def")) return definition(p);
  if (accept_word(p, "pass")) {
    end_line(p);
    return make(p, PY_PASS, begin, NULL, NULL);
  }
  if (accept_word(p, "assert")) {
    const PyNode *condition = expression(p);
    if (accept_operator(p, ",")) expression(p);
    end_line(p);
    return make_one(p, PY_ASSERT, begin, NULL, condition);
  }
  if (accept_word(p, "return")) {
    Nodes parts = {0};
    if (token(p)->kind != PY_TOKEN_NEWLINE) array_push(p->arena, &parts, expressions(p));
    end_line(p);
    return make(p, PY_RETURN, begin, NULL, &parts);
  }
  if (p->defs && accept_word(p, "raise")) { /* of a function that is called with what it asks for, it is not reached */
    if (token(p)->kind != PY_TOKEN_NEWLINE) expression(p);
    if (accept_word(p, "from")) expression(p);
    end_line(p);
    return make_failing(p, PY_RAISE, begin, "an error is raised here");
  }
  for (size_t i = 0; i < 2; i++) {
    const char *word = i ? "continue" : "break";
    if (!p->defs || !accept_word(p, word)) continue;
    end_line(p);
    return make_failing(p, i ? PY_CONTINUE : PY_BREAK, begin,
                        arena_format(p->arena, "%s is not read in a reference", word));
  }
  if (is_keyword(p)) fail(p, "this statement is not read in a reference");
  return simple(p);
}

/* Decorators may say what a function computes: who reads a DEF has to look at them. */
static const PyNode *statement(Parser *p) {
  uint32_t begin = token(p)->span.begin;
  if (!enter(p)) return make(p, PY_EMPTY, begin, NULL, NULL);
  Nodes decorators = {0};
  while (accept_operator(p, "@")) {
    array_push(p->arena, &decorators, expression(p));
    end_line(p);
  }
  const PyNode *result = statement_body(p);
  if (decorators.count && result->kind == PY_DEF) {
    PyNode *decorated = arena_new(p->arena, PyNode);
    *decorated = *result, decorated->decorators = make(p, PY_TUPLE, begin, NULL, &decorators);
    result = decorated;
  }
  p->depth--;
  return result;
}

/* block := ":" (simple statements | NEWLINE INDENT statements DEDENT) */
static const PyNode *block(Parser *p) {
  uint32_t begin = token(p)->span.begin;
  Nodes items = {0};
  expect_operator(p, ":");
  if (!accept(p, PY_TOKEN_NEWLINE, NULL)) {
    do array_push(p->arena, &items, statement(p));
    while (!p->error && p->tokens.data[p->at - 1].kind == PY_TOKEN_OPERATOR);
  } else if (!accept(p, PY_TOKEN_INDENT, NULL))
    fail(p, "expected an indented block");
  else
    while (!p->error && !accept(p, PY_TOKEN_DEDENT, NULL)) array_push(p->arena, &items, statement(p));
  return make(p, PY_BLOCK, begin, NULL, &items);
}

/* ---- files ---- */

/* To the first statement of the file after the one at hand. */
static void skip_statement(Parser *p, uint32_t from) {
  uint32_t depth = 0;
  for (p->at = from; token(p)->kind != PY_TOKEN_END; p->at++) {
    PyTokenKind kind = token(p)->kind, next = p->tokens.data[p->at + 1].kind;
    if (kind == PY_TOKEN_INDENT) depth++;
    if (kind == PY_TOKEN_DEDENT && depth) depth--;
    if ((kind == PY_TOKEN_NEWLINE || kind == PY_TOKEN_DEDENT) && !depth && next != PY_TOKEN_INDENT &&
        next != PY_TOKEN_DEDENT) {
      p->at++;
      return;
    }
  }
}

static const PyNode *other_statement(Parser *p, uint32_t from) {
  PyNode *n = make_other(p, p->tokens.data[from].span.begin, p->error);
  n->error_span = p->error_span;
  for (uint32_t i = from; i < p->at; i++)
    if (p->tokens.data[i].kind == PY_TOKEN_NAME && text_is(p, &p->tokens.data[i], "def")) {
      n->text = token_text(p, p->tokens.data[i + 1].span);
      break;
    }
  p->error = NULL, p->depth = p->defs = 0;
  skip_statement(p, from);
  if (p->at == from) step(p);
  n->span.end = p->tokens.data[p->at - 1].span.end;
  return n;
}

static bool token_at(const Parser *p, uint32_t ahead, PyTokenKind kind, const char *text) {
  for (uint32_t i = 0; i < ahead; i++)
    if (p->tokens.data[p->at + i].kind == PY_TOKEN_END) return false;
  return p->tokens.data[p->at + ahead].kind == kind && text_is(p, &p->tokens.data[p->at + ahead], text);
}

/* Past `if __name__ == "__main__":` and its block: it is not run where the file is imported. */
static bool skip_main(Parser *p) {
  bool is_main = is_word(p, "if") && token_at(p, 1, PY_TOKEN_NAME, "__name__") &&
                 token_at(p, 2, PY_TOKEN_OPERATOR, "==") &&
                 (token_at(p, 3, PY_TOKEN_STRING, "\"__main__\"") || token_at(p, 3, PY_TOKEN_STRING, "'__main__'")) &&
                 token_at(p, 4, PY_TOKEN_OPERATOR, ":");
  if (is_main) skip_statement(p, p->at);
  return is_main;
}

/* `__name__ != "__main__"`: its block is run. */
static bool is_imported(const PyNode *condition) {
  return condition->kind == PY_COMPARE && condition->count == 2 && !strcmp(condition->ops[0], "!=") &&
         condition->args[0]->kind == PY_NAME && !strcmp(condition->args[0]->text, "__name__") &&
         condition->args[1]->kind == PY_STRING && !condition->args[1]->error &&
         !strcmp(condition->args[1]->text, "__main__");
}

static void push_all(Parser *p, Nodes *items, const PyNode *block) {
  for (uint32_t i = 0; i < block->count; i++) array_push(p->arena, items, block->args[i]);
}

const PyNode *python_parse_file(Arena *arena, Source *source) {
  Parser p = {.arena = arena, .source = source};
  Nodes items = {0};
  python_lex(arena, source, (Span){0, (uint32_t)source->size}, true, true, &p.tokens);
  while (token(&p)->kind != PY_TOKEN_END) {
    bool after_main = skip_main(&p), is_else = after_main && accept_word(&p, "else");
    uint32_t from = p.at;
    if (token(&p)->kind == PY_TOKEN_END || (after_main && !is_else && !is_word(&p, "elif"))) continue;
    const PyNode *n = is_else ? block(&p) : after_main ? if_statement(&p) : statement(&p);
    if (p.error)
      array_push(arena, &items, other_statement(&p, from));
    else if (is_else)
      push_all(&p, &items, n);
    else if (n->kind == PY_IF && is_imported(n->args[0]))
      push_all(&p, &items, n->args[1]);
    else
      array_push(arena, &items, n);
    if (p.at == from) step(&p);
  }
  return make(&p, PY_BLOCK, 0, NULL, &items);
}

const PyNode *python_parse_expression(Arena *arena, const Source *source, Span span, DiagnosticList *diagnostics) {
  Parser p = {.arena = arena, .source = source};
  python_lex(arena, source, span, false, false, &p.tokens);
  const PyNode *n = expressions(&p);
  if (!p.error && token(&p)->kind != PY_TOKEN_END) fail(&p, "expected an operator, or the end");
  if (!p.error) return n;
  diagnostic_add(diagnostics, SEVERITY_ERROR, "formula.syntax", source, p.error_span, NULL, "%s", p.error);
  return NULL;
}

PyNumber python_number(const char *text, double *value, int64_t *integer) {
  char digits[400], *end;
  size_t n = 0;
  for (; *text && n + 1 < sizeof digits; text++)
    if (*text != '_') digits[n++] = *text;
  digits[n] = 0;
  *value = 0, *integer = 0;
  if (*text || !n) return PY_NUMBER_UNREAD;
  int letter = digits[0] == '0' ? tolower((unsigned char)digits[1]) : 0, base = letter == 'x'   ? 16
                                                                                : letter == 'o' ? 8
                                                                                : letter == 'b' ? 2
                                                                                                : 10;
  if (base == 10 && strpbrk(digits, ".eEjJ")) {
    *value = strtod(digits, &end);
    return *end ? PY_NUMBER_UNREAD : PY_NUMBER_REAL;
  }
  errno = 0;
  *integer = strtoll(digits + (base == 10 ? 0 : 2), &end, base);
  *value = (double)*integer;
  return *end || errno ? PY_NUMBER_UNREAD : PY_NUMBER_INT;
}
