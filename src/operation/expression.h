/* Expressions of operation files and options (interface.md section 5), parsed once, where the request is made.
 *
 *   sum     = product { ("+" | "-") product }
 *   product = unary { ("*" | "//" | "%") unary }
 *   unary   = "-" unary | number | name | name "(" sum { "," sum } ")" | "(" sum ")"
 *   functions: cdiv, round_up, next_pow2, min, max
 *   condition = sum ("<" | "<=" | ">" | ">=" | "==" | "!=") sum
 *
 * A plain name is a size of its own, an integer >= 1. What is made of numbers alone is a number. */
#ifndef ASSAY_OPERATION_EXPRESSION_H
#define ASSAY_OPERATION_EXPRESSION_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct LaunchExpr {
  char op; /* n number, v name, + - * / % , c cdiv, r round_up, p next_pow2, m min, M max; < { (<=) = !; & | ~; ? (b
              where a, else 0) */
  bool is_swapped; /* of a relation: b was written first */
  int64_t number;
  uint32_t name;      /* bound (launch_bind): the place in LaunchNames */
  const char *symbol; /* as it was written */
  const struct LaunchExpr *a, *b;
} LaunchExpr;

typedef struct Expr {
  const char *text;       /* as it was written: for messages, and for nothing else */
  const LaunchExpr *tree; /* NULL: no expression of integers */
  bool is_real;           /* a number, also with a point or an exponent */
  double real;
  bool is_integer; /* a whole number, also one beyond what expressions reach */
  int64_t integer;
} Expr;

/* Never NULL. */
const Expr *expr_read(Arena *arena, const char *text);
const Expr *expr_read_condition(Arena *arena, const char *text);
/* false: a division by zero, or a value beyond 2^62. `values`: of the names of a bound expression. */
bool launch_eval(const LaunchExpr *e, const int64_t *values, int64_t *out);

/* NULL is no expression in all of these. */
bool expr_number(const Expr *e, int64_t *value);
bool expr_is_one(const Expr *e);
/* The name that it is and nothing else; NULL: it is none. */
const char *expr_name(const Expr *e);
bool expr_mentions(const Expr *e, const char *name);
/* One expression, or one number. */
bool expr_same(const Expr *a, const Expr *b);
/* "(e) >= 1" */
const Expr *expr_at_least_one(Arena *arena, const Expr *e);

#endif
