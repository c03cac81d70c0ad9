/* Expressions of a request, by recursive descent (see expression.h). Their depth and size are limited, as what walks
 * them recurs. */
#include "operation/expression.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

typedef struct Parser {
  Arena *arena;
  const char *at;
  bool failed;
  uint32_t depth, operators;
} Parser;

enum { MOST_OPERATORS = 1000 }; /* what walks expressions recurs */

static const LaunchExpr zero_expr = {.op = 'n'};

/* An expression of numbers is a number. */
static const LaunchExpr *new_expr(Parser *p, char op, const LaunchExpr *a, const LaunchExpr *b) {
  if (++p->operators > MOST_OPERATORS) p->failed = true;
  LaunchExpr *e = arena_new(p->arena, LaunchExpr);
  *e = (LaunchExpr){.op = op, .a = a, .b = b};
  int64_t number;
  if (a->op == 'n' && (!b || b->op == 'n') && strchr("+-*/%crpmM", op) && launch_eval(e, NULL, &number))
    *e = (LaunchExpr){.op = 'n', .number = number};
  return e;
}

static void skip(Parser *p) {
  while (*p->at == ' ' || *p->at == '\t') p->at++;
}

static bool take(Parser *p, const char *token) {
  skip(p);
  size_t n = strlen(token);
  if (strncmp(p->at, token, n)) return false;
  p->at += n;
  return true;
}

static const LaunchExpr *fail(Parser *p) {
  p->failed = true;
  return &zero_expr;
}

static const LaunchExpr *parse_sum(Parser *p);

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
}

static const LaunchExpr *name_expr(Parser *p, const char *name) {
  LaunchExpr *e = arena_new(p->arena, LaunchExpr);
  *e = (LaunchExpr){.op = 'v', .symbol = name};
  return e;
}

static const LaunchExpr *parse_call(Parser *p, const char *name) {
  static const struct {
    const char *name;
    char op;
    int arguments;
  } functions[] = {{"cdiv", 'c', 2}, {"round_up", 'r', 2}, {"next_pow2", 'p', 1}, {"min", 'm', 2}, {"max", 'M', 2}};
  const LaunchExpr *a = parse_sum(p);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    if (strcmp(name, functions[i].name)) continue;
    const LaunchExpr *b = NULL;
    bool more = functions[i].arguments == 2;
    if (more && take(p, ",")) b = parse_sum(p);
    const LaunchExpr *e = new_expr(p, functions[i].op, a, b);
    while (b && (functions[i].op == 'm' || functions[i].op == 'M') && take(p, ","))
      e = new_expr(p, functions[i].op, e, parse_sum(p));
    if ((more && !b) || !take(p, ")")) return fail(p);
    return e;
  }
  return fail(p);
}

static const LaunchExpr *parse_unary(Parser *p) {
  if (p->failed || ++p->depth > 100) return fail(p);
  const LaunchExpr *e;
  skip(p);
  if (take(p, "-"))
    e = new_expr(p, '-', &zero_expr, parse_unary(p));
  else if (take(p, "(")) {
    e = parse_sum(p);
    if (!take(p, ")")) e = fail(p);
  } else if (*p->at >= '0' && *p->at <= '9') {
    char *end;
    LaunchExpr *number = arena_new(p->arena, LaunchExpr);
    *number = (LaunchExpr){.op = 'n', .number = strtoll(p->at, &end, 10)};
    p->at = end;
    e = is_word(*end) || number->number > (INT64_C(1) << 62) ? fail(p) : number;
  } else {
    const char *begin = p->at;
    while (is_word(*p->at)) p->at++;
    if (p->at == begin) return fail(p);
    const char *name = arena_copy(p->arena, begin, (size_t)(p->at - begin));
    e = take(p, "(") ? parse_call(p, name) : name_expr(p, name);
  }
  p->depth--;
  return e;
}

static const LaunchExpr *parse_product(Parser *p) {
  const LaunchExpr *e = parse_unary(p);
  while (!p->failed) {
    if (take(p, "*"))
      e = new_expr(p, '*', e, parse_unary(p));
    else if (take(p, "//"))
      e = new_expr(p, '/', e, parse_unary(p));
    else if (take(p, "%"))
      e = new_expr(p, '%', e, parse_unary(p));
    else
      break;
  }
  return e;
}

static const LaunchExpr *parse_sum(Parser *p) {
  const LaunchExpr *e = parse_product(p);
  while (!p->failed) {
    if (take(p, "+"))
      e = new_expr(p, '+', e, parse_product(p));
    else if (take(p, "-"))
      e = new_expr(p, '-', e, parse_product(p));
    else
      break;
  }
  return e;
}

static const Expr *new_expression(Arena *arena, const char *text, const LaunchExpr *tree) {
  Expr *e = arena_new(arena, Expr);
  char *end;
  *e = (Expr){.text = text, .tree = tree, .real = strtod(text, &end)};
  e->is_real = end != text && !*end;
  errno = 0;
  e->integer = strtoll(text, &end, 10);
  e->is_integer = end != text && !*end && !errno;
  return e;
}

static const LaunchExpr *finish(Parser *p, const LaunchExpr *e) {
  skip(p);
  return p->failed || *p->at ? NULL : e;
}

const Expr *expr_read(Arena *arena, const char *text) {
  Parser p = {.arena = arena, .at = text};
  const LaunchExpr *e = parse_sum(&p);
  return new_expression(arena, text, finish(&p, e));
}

const Expr *expr_read_condition(Arena *arena, const char *text) {
  static const struct {
    const char *token;
    char op;
    bool swapped;
  } relations[] = {{"<=", '{', false}, {">=", '{', true}, {"==", '=', false},
                   {"!=", '!', false}, {"<", '<', false}, {">", '<', true}};
  Parser p = {.arena = arena, .at = text};
  const LaunchExpr *a = parse_sum(&p);
  LaunchExpr *e = NULL;
  for (size_t i = 0; i < sizeof relations / sizeof *relations && !e; i++) {
    if (!take(&p, relations[i].token)) continue;
    const LaunchExpr *b = parse_sum(&p);
    bool swapped = relations[i].swapped;
    e = arena_new(arena, LaunchExpr);
    *e = (LaunchExpr){.op = relations[i].op, .a = swapped ? b : a, .b = swapped ? a : b, .is_swapped = swapped};
  }
  return new_expression(arena, text, finish(&p, e));
}

/* ---- values ---- */

static int64_t floor_div(int64_t a, int64_t b) {
  int64_t q = a / b;
  return q - (a % b != 0 && (a < 0) != (b < 0));
}

static bool in_reach(int64_t v) { return v < (INT64_C(1) << 62) && v > -(INT64_C(1) << 62); }

bool launch_eval(const LaunchExpr *e, const int64_t *values, int64_t *out) {
  int64_t a = 0, b = 0;
  if (e->op == 'n') *out = e->number;
  if (e->op == 'v') *out = values[e->name];
  if (e->op == 'n' || e->op == 'v') return true;
  if (!launch_eval(e->a, values, &a) || (e->b && !launch_eval(e->b, values, &b))) return false;
  bool divides = strchr("/%cr", e->op) != NULL;
  if (divides && b == 0) return false;
  switch (e->op) {
  case '+': *out = a + b; break;
  case '-': *out = a - b; break;
  case '*': return !__builtin_mul_overflow(a, b, out) && in_reach(*out);
  case '/': *out = floor_div(a, b); break;
  case '%': *out = a - b * floor_div(a, b); break;
  case 'c': *out = -floor_div(-a, b); break;
  case 'r': return !__builtin_mul_overflow(-floor_div(-a, b), b, out) && in_reach(*out);
  case 'p':
    for (*out = 1; *out < a;) *out *= 2;
    break;
  case 'm': *out = a < b ? a : b; break;
  case 'M': *out = a > b ? a : b; break;
  case '<': *out = a < b; break;
  case '{': *out = a <= b; break;
  case '=': *out = a == b; break;
  case '!': *out = a != b; break;
  case '&': *out = a && b; break;
  case '|': *out = a || b; break;
  case '~': *out = !a; break;
  case '?': *out = a ? b : 0; break;
  default: return false;
  }
  return in_reach(*out);
}

/* ---- what an expression is ---- */

bool expr_number(const Expr *e, int64_t *value) {
  bool is_tree = e && e->tree && e->tree->op == 'n';
  if (!is_tree && !(e && e->is_integer)) return false;
  *value = is_tree ? e->tree->number : e->integer;
  return true;
}

bool expr_is_one(const Expr *e) {
  int64_t number;
  return expr_number(e, &number) && number == 1;
}

const char *expr_name(const Expr *e) { return e && e->tree && e->tree->op == 'v' ? e->tree->symbol : NULL; }

static bool mentions(const LaunchExpr *e, const char *name) {
  if (!e) return false;
  if (e->op == 'v') return !strcmp(e->symbol, name);
  return mentions(e->a, name) || mentions(e->b, name);
}

bool expr_mentions(const Expr *e, const char *name) { return e && mentions(e->tree, name); }

static bool same(const LaunchExpr *a, const LaunchExpr *b) {
  if (a == b) return true;
  if (!a || !b || a->op != b->op) return false;
  if (a->op == 'v') return !strcmp(a->symbol, b->symbol);
  return a->number == b->number && same(a->a, b->a) && same(a->b, b->b);
}

bool expr_same(const Expr *a, const Expr *b) {
  if (a == b) return true;
  if (!a || !b) return false;
  if (a->tree && b->tree) return same(a->tree, b->tree);
  return a->is_real && b->is_real && a->real == b->real;
}

const Expr *expr_at_least_one(Arena *arena, const Expr *e) {
  LaunchExpr *one = arena_new(arena, LaunchExpr), *condition = arena_new(arena, LaunchExpr);
  Expr *out = arena_new(arena, Expr);
  *one = (LaunchExpr){.op = 'n', .number = 1};
  *condition = (LaunchExpr){.op = '{', .a = one, .b = e->tree, .is_swapped = true};
  *out = (Expr){.text = arena_format(arena, "(%s) >= 1", e->text), .tree = e->tree ? condition : NULL};
  return out;
}
