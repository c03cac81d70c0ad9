/* Random expressions, each kept as a tree apart from the terms: it is built with the constructors of terms, and
 * evaluated naively, operation by operation. What the naive value is decides; it knows nothing of simplification.
 *
 * Naive values carry an error bound. A comparison or a rounding that the error could turn, an integer that grows too
 * large and whatever has no value by semantics (0 / 0, inf - inf, log of 0, arithmetic on NaN) make the value
 * undefined: nothing is claimed there. A failure is made smaller before it is printed. */
#ifndef ASSAY_TESTS_TERM_EXPRESSION_H
#define ASSAY_TESTS_TERM_EXPRESSION_H

#include "../rounds.h"
#include "table.h"

#include <stdio.h>
#include <stdlib.h>

typedef enum Op {
  OP_NUMBER,
  OP_INF,
  OP_NEG_INF,
  OP_NAN,
  OP_UNDEF,
  OP_TRUE,
  OP_FALSE,
  OP_SYMBOL,
  OP_INDEX,
  OP_READ,
  OP_ADD,
  OP_SUB,
  OP_MUL,
  OP_NEG,
  OP_SCALE,
  OP_DIV,
  OP_POWER,
  OP_FLOORDIV,
  OP_MOD,
  OP_CDIV,
  OP_MIN,
  OP_MAX,
  OP_ABS,
  OP_FLOOR,
  OP_CEIL,
  OP_ROUND,
  OP_TRUNC,
  OP_WRAP,
  OP_FN,
  OP_LE,
  OP_LT,
  OP_EQ,
  OP_NOT,
  OP_AND,
  OP_OR,
  OP_IS_INF,
  OP_IS_NEG_INF,
  OP_IS_NAN,
  OP_SELECT,
  OP_FOLD,
} Op;

static const char *const op_names[] = {
    "number", "inf", "-inf", "nan",   "undef", "true",   "false",      "symbol",   "index",  "read",
    "add",    "sub", "mul",  "neg",   "scale", "div",    "power",      "floordiv", "mod",    "cdiv",
    "min",    "max", "abs",  "floor", "ceil",  "round",  "trunc",      "wrap",     "fn",     "le",
    "lt",     "eq",  "not",  "and",   "or",    "is_inf", "is_neg_inf", "is_nan",   "select", "fold"};

typedef struct Expression {
  Op op;
  TermSort sort;
  int64_t num, den; /* a number; the literal of SCALE and POWER; width; function; fold operation; symbol; index */
  uint32_t count;
  struct Expression *arg[4]; /* of a fold: lo, hi, guard, body */
} Expression;

typedef struct Value {
  bool ok, nan;
  double real, error;
  int64_t integer;
} Value;

/* ---- the world: symbols, their ranges, and what they are ---- */

enum { N, M, A, B, LANE, I, J, U, V, SYMBOLS, INTEGERS = U, INDICES = 24, POOL = 4096 };

static Term symbols[SYMBOLS], tensor_real, tensor_int, tensor_bool;
static Value world[SYMBOLS];
static uint64_t contents; /* of the tensors */
static Expression pool[POOL];
static uint32_t pooled;

static bool chance(uint32_t percent) { return random_below(&dice, 100) < percent; }

static Value integer_value(int64_t i) { return (Value){.ok = true, .real = (double)i, .integer = i}; }
static Value bool_value(bool b) { return integer_value(b); }
static Value nothing(void) { return (Value){0}; }

/* Beyond these bounds rounding errors would decide. */
static Value real_value(double r, double error) {
  if (isnan(r) || isnan(error)) return nothing();
  if (isinf(r)) return (Value){.ok = true, .real = r};
  if (fabs(r) > 1e6 || error > 1e-3) return nothing();
  return (Value){.ok = true, .real = r, .error = error};
}

static Value element(Term tensor, int64_t index) {
  uint64_t h = random_mix(contents + (uint64_t)index * 977u + tensor);
  if (tensor == tensor_bool) return bool_value(h & 1);
  int64_t k = (int64_t)(h % 25) - 12;
  return tensor == tensor_int ? integer_value(k) : real_value((double)k / 4, 0);
}

static TermValue read_element(void *payload, Term tensor, uint32_t count, const int64_t *index) {
  (void)payload, (void)count;
  Value v = element(tensor, index[0]);
  return (TermValue){v.real, v.integer};
}

static void world_open(void) {
  table_open(NULL);
  symbols[N] = integer("n", SYMBOL_SIZE, tt->one, 0);
  symbols[M] = integer("m", SYMBOL_SIZE, tt->zero, 0);
  symbols[A] = symbol("a", SORT_INT, SYMBOL_SIZE);
  symbols[B] = integer("b", SYMBOL_COUNTER, 0, term_int(tt, 9));
  symbols[LANE] = integer("l", SYMBOL_LANE, tt->zero, term_int(tt, 3));
  symbols[I] = integer("i", SYMBOL_INDEX, tt->zero, term_sub(tt, symbols[N], tt->one));
  symbols[J] = integer("j", SYMBOL_PID, term_neg(tt, symbols[M]), term_add(tt, symbols[N], symbols[M]));
  symbols[U] = symbol("u", SORT_REAL, SYMBOL_SCALAR);
  symbols[V] = symbol("v", SORT_REAL, SYMBOL_SCALAR);
  tensor_real = symbol("x", SORT_REAL, SYMBOL_TENSOR);
  tensor_int = symbol("p", SORT_INT, SYMBOL_TENSOR);
  tensor_bool = symbol("q", SORT_BOOL, SYMBOL_TENSOR);
}

static void world_close(void) { table_close(NULL); }

/* Values within the ranges of the symbols, edges more often. */
static void world_draw(void) {
  static const int64_t edges[] = {0, 1, -1, 2, -2, 3, -3, 4, 5, -7, 8, 9};
  contents = random_u64(&dice);
  int64_t n = chance(30) ? 1 : roll(1, 9), m = chance(30) ? 0 : roll(0, 5);
  world[N] = integer_value(n), world[M] = integer_value(m);
  world[A] = integer_value(chance(70) ? edges[roll(0, 11)] : roll(-40, 40));
  world[B] = integer_value(chance(70) ? edges[roll(0, 11)] : roll(-40, 9));
  world[LANE] = integer_value(roll(0, 3));
  world[I] = integer_value(chance(20) ? 0 : chance(20) ? n - 1 : roll(0, n - 1));
  world[J] = integer_value(chance(20) ? -m : chance(20) ? n + m : roll(-m, n + m));
  world[U] = real_value((double)(chance(60) ? edges[roll(0, 11)] : roll(-16, 16)) / (chance(50) ? 1 : 4), 0);
  world[V] = real_value(chance(20) ? world[U].real : (double)roll(-16, 16) / 4, 0);
}

/* The value of a term in the world at hand; elements are remembered, so each world has an evaluation of its own. */
static TermValue term_value(Term t) {
  Arena *scratch = arena_new_child(&arena);
  TermEval *eval = term_eval_new(tt, scratch, read_element, NULL);
  for (int i = 0; i < SYMBOLS; i++) term_eval_set(eval, symbols[i], (TermValue){world[i].real, world[i].integer});
  TermValue value = term_eval(eval, t);
  arena_destroy(scratch);
  return value;
}

/* ---- naive evaluation ---- */

static Value bounded(Int128 i) {
  const Int128 most = (Int128)1 << 40;
  return i > most || i < -most ? nothing() : integer_value((int64_t)i);
}

static int64_t floor_of(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

/* The sign of a - b: 2 if the errors hide it. */
static int order_of(Value a, Value b) {
  double error = a.error + b.error;
  if (error > 0 && !isinf(a.real) && !isinf(b.real) && fabs(a.real - b.real) <= 1e4 * error) return 2;
  return a.real < b.real ? -1 : a.real > b.real;
}

static const double epsilon = 1e-15;

static double function_value(TermFn fn, double a, double b) {
  switch (fn) {
  case FN_EXP: return exp(a);
  case FN_LOG: return a > 0 ? log(a) : NAN;
  case FN_SIN: return sin(a);
  case FN_COS: return cos(a);
  case FN_TAN: return tan(a);
  case FN_ASIN: return asin(a);
  case FN_ACOS: return acos(a);
  case FN_ATAN: return atan(a);
  case FN_ATAN2: return atan2(a, b);
  case FN_SINH: return sinh(a);
  case FN_COSH: return cosh(a);
  case FN_TANH: return tanh(a);
  case FN_ASINH: return asinh(a);
  case FN_ACOSH: return acosh(a);
  case FN_ATANH: return fabs(a) < 1 ? atanh(a) : NAN;
  case FN_ERF: return erf(a);
  case FN_LGAMMA: return a > 0 ? lgamma(a) : NAN;
  case FN_POW: return (a == 0 && b <= 0) || isinf(a) || isinf(b) ? NAN : pow(a, b);
  case FN_FMOD: return isinf(a) || b == 0 ? NAN : fmod(a, b);
  default: return NAN;
  }
}

static Value naive_function(TermFn fn, Value a, Value b) {
  if (fn == FN_BITAND) return integer_value(a.integer & b.integer);
  if (fn == FN_BITOR) return integer_value(a.integer | b.integer);
  if (fn == FN_BITXOR) return integer_value(a.integer ^ b.integer);
  if (fn == FN_SHL)
    return b.integer < 0 || b.integer > 40 ? nothing() : bounded((Int128)a.integer * ((Int128)1 << b.integer));
  if (fn == FN_SHR) return b.integer < 0 || b.integer > 63 ? nothing() : integer_value(a.integer >> b.integer);
  if (fn == FN_MULHI) return integer_value((int64_t)(((uint64_t)(uint32_t)a.integer * (uint32_t)b.integer) >> 32));
  double r = function_value(fn, a.real, b.real), error = 4 * epsilon * (1 + fabs(r));
  if ((fn == FN_FMOD || fn == FN_ATAN2) && a.error + b.error > 0) return nothing(); /* jumps */
  if (fn == FN_ATAN2 && a.real == 0 && b.real <= 0) return nothing();               /* by the sign of zero */
  if (isinf(r) && !isinf(a.real)) return nothing();
  double moves[4] = {a.real - a.error, a.real + a.error, a.real, a.real},
         others[4] = {b.real, b.real, b.real - b.error, b.real + b.error};
  for (int i = 0; i < 4 && isfinite(r); i++) error += 2 * fabs(function_value(fn, moves[i], others[i]) - r);
  return real_value(r, error);
}

static Value naive_power(Value a, int64_t num, int64_t den) {
  if (num == 0) return integer_value(1);
  if (isinf(a.real))
    return den != 1 && a.real < 0 ? nothing()
                                  : real_value(num < 0                 ? 0
                                               : a.real < 0 && num % 2 ? -INFINITY
                                                                       : INFINITY,
                                               0);
  if (a.error > 0 && fabs(a.real) <= 1e4 * a.error && (num < 0 || den != 1)) return nothing();
  if ((a.real == 0 && num < 0) || (a.real < 0 && den != 1)) return nothing();
  double e = (double)num / (double)den, r = den == 2 && num == 1 ? sqrt(a.real) : pow(a.real, e);
  bool exact = a.error == 0 && den == 1 && num > 0;
  double slope = a.real == 0 ? (e >= 1 ? 1 : 0) : fabs(e * r / a.real);
  return real_value(r, exact ? 0 : slope * a.error * 2 + epsilon * fabs(r));
}

static Value naive_round(Op op, Value a) {
  if (isinf(a.real)) return nothing();
  double r = op == OP_FLOOR   ? floor(a.real)
             : op == OP_CEIL  ? ceil(a.real)
             : op == OP_TRUNC ? trunc(a.real)
                              : rint(a.real);
  if (a.error > 0) {
    double twice = 2 * a.real;
    if (fabs(twice - rint(twice)) <= 1e4 * a.error) return nothing();
  }
  return integer_value((int64_t)r);
}

static Value naive_wrap(int64_t width, int64_t v) {
  if (width >= 64) return integer_value(v);
  int64_t size = (int64_t)1 << width, low = v - size * floor_of(v, size);
  return integer_value(low >= size / 2 ? low - size : low);
}

static Value naive(const Expression *e, int64_t *indices);

static Value naive_fold(const Expression *e, int64_t *indices) {
  Value lo = naive(e->arg[0], indices), hi = naive(e->arg[1], indices);
  TermFoldOp op = (TermFoldOp)e->den;
  bool whole = e->arg[3]->sort == SORT_INT;
  if (!lo.ok || !hi.ok || hi.integer - lo.integer > 60) return nothing();
  Value acc = op == FOLD_PROD || op == FOLD_ALL ? integer_value(1) : integer_value(0);
  int64_t best = -1;
  bool some = false;
  if (op == FOLD_MAX) acc = real_value(-INFINITY, 0);
  if (op == FOLD_MIN) acc = real_value(INFINITY, 0);
  for (int64_t k = lo.integer; k < hi.integer; k++) {
    indices[e->num] = k;
    Value g = naive(e->arg[2], indices);
    if (!g.ok) return nothing();
    if (!g.integer) continue;
    Value v = naive(e->arg[3], indices);
    if (!v.ok || v.nan) return nothing();
    int order = order_of(v, acc);
    switch (op) {
    case FOLD_SUM:
      acc = whole ? bounded((Int128)acc.integer + v.integer)
                  : real_value(acc.real + v.real, acc.error + v.error + epsilon * fabs(v.real));
      break;
    case FOLD_PROD:
      if (!whole && (isinf(acc.real) || isinf(v.real)) && (acc.real == 0 || v.real == 0)) return nothing();
      acc = whole ? bounded((Int128)acc.integer * v.integer)
                  : real_value(acc.real * v.real,
                               acc.error * fabs(v.real) + v.error * fabs(acc.real) + epsilon * fabs(acc.real * v.real));
      break;
    case FOLD_ANY: acc.integer |= v.integer, acc.real = (double)acc.integer; break;
    case FOLD_ALL: acc.integer &= v.integer, acc.real = (double)acc.integer; break;
    case FOLD_XOR: acc = integer_value(acc.integer ^ v.integer); break;
    case FOLD_MAX:
    case FOLD_MIN:
      if (order == 2 ? v.error > acc.error : op == FOLD_MAX ? order > 0 : order < 0) acc = v;
      break;
    case FOLD_ARGMAX:
    case FOLD_ARGMIN:
      if (some && order == 2) return nothing();
      if (!some || (op == FOLD_ARGMAX ? order > 0 : order < 0)) acc = v, best = k;
      break;
    case FOLD_OP_COUNT: break;
    }
    some = true;
    if (!acc.ok) return acc;
  }
  if (op == FOLD_ARGMAX || op == FOLD_ARGMIN) return some ? integer_value(best) : nothing();
  return acc;
}

static Value naive_compare(Op op, Value a, Value b, TermSort sort) {
  if (a.nan || b.nan) return bool_value(false);
  if (sort != SORT_REAL)
    return bool_value(op == OP_LE   ? a.integer <= b.integer
                      : op == OP_LT ? a.integer < b.integer
                                    : a.integer == b.integer);
  int order = order_of(a, b);
  if (order == 2) return nothing();
  return bool_value(op == OP_LE ? order <= 0 : op == OP_LT ? order < 0 : order == 0);
}

static bool is_whole(const Expression *e) { return e->sort == SORT_INT; }

static Value naive_arithmetic(const Expression *e, Value a, Value b) {
  if (a.nan || b.nan) return nothing();
  double size = epsilon * (fabs(a.real) + fabs(b.real)), error = a.error + b.error;
  if (error > 0) error += size;
  bool whole = is_whole(e);
  switch (e->op) {
  case OP_ADD: return whole ? bounded((Int128)a.integer + b.integer) : real_value(a.real + b.real, error);
  case OP_SUB: return whole ? bounded((Int128)a.integer - b.integer) : real_value(a.real - b.real, error);
  case OP_NEG: return whole ? integer_value(-a.integer) : real_value(-a.real, a.error);
  case OP_MUL:
  case OP_SCALE:
    if (e->op == OP_SCALE)
      b = real_value((double)e->num / (double)e->den, e->den == 3 ? epsilon : 0), b.integer = e->num;
    if (whole) return bounded((Int128)a.integer * b.integer);
    if (isinf(a.real) || isinf(b.real)) return a.real == 0 || b.real == 0 ? nothing() : real_value(a.real * b.real, 0);
    return real_value(a.real * b.real, a.error * fabs(b.real) + b.error * fabs(a.real) +
                                           (error > 0 ? epsilon * fabs(a.real * b.real) : 0));
  case OP_DIV: {
    if (isinf(b.real)) return isinf(a.real) ? nothing() : integer_value(0);
    Value inverse = naive_power(b, -1, 1);
    if (!inverse.ok) return inverse;
    return real_value(a.real * inverse.real, a.error * fabs(inverse.real) + inverse.error * fabs(a.real) +
                                                 epsilon * fabs(a.real * inverse.real));
  }
  case OP_POWER:
    return whole && e->num > 0 ? (e->num == 2 ? bounded((Int128)a.integer * a.integer)
                                              : bounded((Int128)a.integer * a.integer * a.integer))
                               : naive_power(a, e->num, e->den);
  case OP_FLOORDIV: return b.integer ? integer_value(floor_of(a.integer, b.integer)) : nothing();
  case OP_MOD: return b.integer ? integer_value(a.integer - b.integer * floor_of(a.integer, b.integer)) : nothing();
  case OP_CDIV: return b.integer ? integer_value(floor_of(a.integer + b.integer - 1, b.integer)) : nothing();
  case OP_MIN:
  case OP_MAX: {
    if (whole) return (e->op == OP_MIN) == (a.integer < b.integer) ? a : b;
    Value better = (e->op == OP_MIN) == (a.real < b.real) ? a : b;
    if (order_of(a, b) == 2) better.error = a.error + b.error;
    return better;
  }
  case OP_ABS: return whole ? integer_value(llabs(a.integer)) : real_value(fabs(a.real), a.error);
  case OP_FLOOR:
  case OP_CEIL:
  case OP_ROUND:
  case OP_TRUNC: return naive_round(e->op, a);
  case OP_WRAP: return naive_wrap(e->num, a.integer);
  case OP_FN: return naive_function((TermFn)e->num, a, b);
  default: return nothing();
  }
}

static Value naive(const Expression *e, int64_t *indices) {
  Value a = nothing(), b = nothing();
  switch (e->op) {
  case OP_NUMBER:
    return is_whole(e) ? integer_value(e->num) : real_value((double)e->num / (double)e->den, e->den == 3 ? epsilon : 0);
  case OP_INF: return real_value(INFINITY, 0);
  case OP_NEG_INF: return real_value(-INFINITY, 0);
  case OP_NAN: return (Value){.ok = true, .nan = true, .real = NAN};
  case OP_UNDEF: return nothing();
  case OP_TRUE: return bool_value(true);
  case OP_FALSE: return bool_value(false);
  case OP_SYMBOL: return world[e->num];
  case OP_INDEX: return integer_value(indices[e->num]);
  case OP_READ:
    a = naive(e->arg[0], indices);
    return a.ok ? element(e->sort == SORT_REAL  ? tensor_real
                          : e->sort == SORT_INT ? tensor_int
                                                : tensor_bool,
                          a.integer)
                : a;
  case OP_SELECT: a = naive(e->arg[0], indices); return a.ok ? naive(e->arg[a.integer ? 1 : 2], indices) : a;
  case OP_FOLD: return naive_fold(e, indices);
  default: break;
  }
  a = naive(e->arg[0], indices);
  if (e->count > 1) b = naive(e->arg[1], indices);
  if (!a.ok || (e->count > 1 && !b.ok)) return nothing();
  TermSort sort = e->arg[0]->sort;
  if (e->count > 1 && e->arg[1]->sort == SORT_REAL) sort = SORT_REAL;
  switch (e->op) {
  case OP_LE:
  case OP_LT:
  case OP_EQ: return naive_compare(e->op, a, b, sort);
  case OP_NOT: return bool_value(!a.integer);
  case OP_AND: return bool_value(a.integer && b.integer);
  case OP_OR: return bool_value(a.integer || b.integer);
  case OP_IS_INF: return bool_value(a.real == INFINITY);
  case OP_IS_NEG_INF: return bool_value(a.real == -INFINITY);
  case OP_IS_NAN: return bool_value(a.nan);
  default: return naive_arithmetic(e, a, b);
  }
}

static Value naive_value(const Expression *e) {
  int64_t indices[INDICES] = {0};
  return naive(e, indices);
}

/* ---- the same as a term ---- */

static Term index_terms[INDICES];

static Term build(const Expression *e) {
  Term a[4] = {0};
  if (e->op != OP_FOLD)
    for (uint32_t i = 0; i < e->count; i++) a[i] = build(e->arg[i]);
  switch (e->op) {
  case OP_NUMBER: return term_new_rat(tt, rational_make(&guard, e->num, e->den));
  case OP_INF: return tt->inf;
  case OP_NEG_INF: return tt->neg_inf;
  case OP_NAN: return term_float(tt, NAN);
  case OP_UNDEF: return term_undef(tt, e->sort, 1);
  case OP_TRUE: return tt->true_;
  case OP_FALSE: return tt->false_;
  case OP_SYMBOL: return symbols[e->num];
  case OP_INDEX: return index_terms[e->num];
  case OP_READ:
    return term_read(tt,
                     e->sort == SORT_REAL  ? tensor_real
                     : e->sort == SORT_INT ? tensor_int
                                           : tensor_bool,
                     e->sort, 1, a);
  case OP_ADD: return term_add(tt, a[0], a[1]);
  case OP_SUB: return term_sub(tt, a[0], a[1]);
  case OP_MUL: return term_mul(tt, a[0], a[1]);
  case OP_NEG: return term_neg(tt, a[0]);
  case OP_SCALE: return term_scale(tt, rational_make(&guard, e->num, e->den), a[0]);
  case OP_DIV: return term_div(tt, a[0], a[1]);
  case OP_POWER: return term_power(tt, a[0], rational_make(&guard, e->num, e->den));
  case OP_FLOORDIV: return term_floordiv(tt, a[0], a[1]);
  case OP_MOD: return term_mod(tt, a[0], a[1]);
  case OP_CDIV: return term_cdiv(tt, a[0], a[1]);
  case OP_MIN: return term_min(tt, a[0], a[1]);
  case OP_MAX: return term_max(tt, a[0], a[1]);
  case OP_ABS: return term_unary(tt, TERM_ABS, a[0]);
  case OP_FLOOR: return term_unary(tt, TERM_FLOOR, a[0]);
  case OP_CEIL: return term_unary(tt, TERM_CEIL, a[0]);
  case OP_ROUND: return term_unary(tt, TERM_ROUND, a[0]);
  case OP_TRUNC: return term_unary(tt, TERM_TRUNC, a[0]);
  case OP_WRAP: return term_wrap(tt, (uint32_t)e->num, a[0]);
  case OP_FN: return term_fn(tt, (TermFn)e->num, e->count, a);
  case OP_LE: return term_le(tt, a[0], a[1]);
  case OP_LT: return term_lt(tt, a[0], a[1]);
  case OP_EQ: return term_eq(tt, a[0], a[1]);
  case OP_NOT: return term_not(tt, a[0]);
  case OP_AND: return term_and(tt, a[0], a[1]);
  case OP_OR: return term_or(tt, a[0], a[1]);
  case OP_IS_INF: return term_unary(tt, TERM_IS_INF, a[0]);
  case OP_IS_NEG_INF: return term_unary(tt, TERM_IS_NEG_INF, a[0]);
  case OP_IS_NAN: return term_unary(tt, TERM_IS_NAN, a[0]);
  case OP_SELECT: return term_select(tt, a[0], a[1], a[2]);
  case OP_FOLD: {
    Term lo = build(e->arg[0]), hi = build(e->arg[1]), kept = index_terms[e->num];
    Term k = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX);
    term_symbol_range(tt, k, lo, term_sub(tt, hi, tt->one));
    index_terms[e->num] = k;
    Term g = build(e->arg[2]), body = build(e->arg[3]);
    index_terms[e->num] = kept;
    return term_fold(tt, (TermFoldOp)e->den, k, lo, hi, g, body);
  }
  }
  return 0;
}

/* ---- random expressions ---- */

typedef struct Shape {
  uint32_t specials; /* percent of leaves that are infinite, NaN or undefined */
  uint32_t folds;    /* percent of operations */
  uint32_t functions;
} Shape;

static Shape shape = {.specials = 3, .folds = 12, .functions = 10};
static Expression *scope[INDICES]; /* what stands for indices of the folds around */
static uint32_t scoped, bound_count;

static Expression *make(Op op, TermSort sort, int64_t num, int64_t den, uint32_t count, Expression *a, Expression *b,
                        Expression *c) {
  Expression *e = &pool[pooled < POOL - 1 ? pooled++ : pooled];
  *e = (Expression){op, sort, num, den, count, {a, b, c, NULL}};
  return e;
}

static Expression *number(int64_t v) { return make(OP_NUMBER, SORT_INT, v, 1, 0, NULL, NULL, NULL); }
static Expression *of_symbol(int64_t s) {
  return make(OP_SYMBOL, s < INTEGERS ? SORT_INT : SORT_REAL, s, 1, 0, NULL, NULL, NULL);
}
static Expression *unary(Op op, TermSort sort, Expression *a) { return make(op, sort, 0, 1, 1, a, NULL, NULL); }
static Expression *binary(Op op, TermSort sort, Expression *a, Expression *b) {
  return make(op, sort, 0, 1, 2, a, b, NULL);
}

static Expression *random_expression(TermSort sort, int depth);
static Expression *random_int(int depth) { return random_expression(SORT_INT, depth); }
static Expression *random_real(int depth) { return random_expression(chance(15) ? SORT_INT : SORT_REAL, depth); }
static Expression *random_bool(int depth) { return random_expression(SORT_BOOL, depth); }

static Expression *random_leaf(TermSort sort) {
  if (sort == SORT_BOOL) {
    if (chance(10)) return make(chance(50) ? OP_TRUE : OP_FALSE, sort, 0, 1, 0, NULL, NULL, NULL);
    if (chance(25)) return unary(OP_READ, sort, random_leaf(SORT_INT));
    return binary(chance(50) ? OP_LE : chance(50) ? OP_LT : OP_EQ, sort, random_leaf(SORT_INT), random_leaf(SORT_INT));
  }
  if (chance(shape.specials)) {
    if (sort == SORT_INT) return make(OP_UNDEF, sort, 0, 1, 0, NULL, NULL, NULL);
    return make(chance(30)   ? OP_INF
                : chance(50) ? OP_NEG_INF
                : chance(50) ? OP_NAN
                             : OP_UNDEF,
                sort, 0, 1, 0, NULL, NULL, NULL);
  }
  if (sort == SORT_INT) {
    if (scoped && chance(50)) return scope[random_below(&dice, scoped)];
    if (chance(35)) return number(chance(70) ? roll(-2, 4) : roll(-12, 16));
    if (chance(8)) return unary(OP_READ, sort, random_leaf(SORT_INT));
    return of_symbol(roll(0, INTEGERS - 1));
  }
  if (chance(25))
    return make(OP_NUMBER, sort, roll(-8, 8), chance(4) ? 3 : chance(50) ? 1 : chance(50) ? 2 : 4, 0, NULL, NULL, NULL);
  if (chance(50)) return unary(OP_READ, sort, random_leaf(SORT_INT));
  return of_symbol(chance(50) ? U : V);
}

static Expression *fold_over(TermFoldOp op, TermSort sort, Expression *index, Expression *lo, Expression *hi,
                             Expression *g, Expression *body) {
  Expression *e = make(OP_FOLD, sort, index->num, op, 4, lo, hi, g);
  e->arg[3] = body;
  return e;
}

static Expression *new_index(void) { return make(OP_INDEX, SORT_INT, bound_count++, 1, 0, NULL, NULL, NULL); }

static Expression *random_guard(int depth) {
  return chance(60) ? make(OP_TRUE, SORT_BOOL, 0, 1, 0, NULL, NULL, NULL) : random_bool(depth);
}

/* Fold over tiles of b of a fold over lanes, with and without a tail. */
static Expression *random_tiles(TermFoldOp op, TermSort sort, TermSort body_sort, int depth) {
  Expression *t = new_index(), *l = new_index(), *size = chance(60) ? number(roll(2, 4)) : of_symbol(N),
             *length = chance(50) ? of_symbol(M) : of_symbol(N);
  Expression *k = binary(OP_ADD, SORT_INT, binary(OP_MUL, SORT_INT, size, t), l),
             *left = binary(OP_SUB, SORT_INT, length, binary(OP_MUL, SORT_INT, size, t));
  Expression *tiles = binary(OP_CDIV, SORT_INT, length, size),
             *true_guard = make(OP_TRUE, SORT_BOOL, 0, 1, 0, NULL, NULL, NULL);
  Expression *lanes = chance(60) ? binary(OP_MIN, SORT_INT, size, left) : size;
  Expression *g = chance(70) ? true_guard : binary(OP_LT, SORT_BOOL, k, length);
  if (chance(20)) tiles = random_leaf(SORT_INT);
  scope[scoped++] = k;
  Expression *body = random_expression(body_sort, depth - 2);
  scoped--;
  bool swap = chance(30);
  if (swap) { /* every lane takes its own tiles: l, l + b, ... */
    Expression *count = binary(OP_CDIV, SORT_INT, binary(OP_SUB, SORT_INT, length, l), size);
    return fold_over(op, sort, l, number(0), size, true_guard,
                     fold_over(op, sort, t, number(0), count, true_guard, body));
  }
  return fold_over(op, sort, t, number(0), tiles, true_guard, fold_over(op, sort, l, number(0), lanes, g, body));
}

static Expression *random_fold(TermSort sort, int depth) {
  static const TermFoldOp ints[] = {FOLD_SUM, FOLD_SUM, FOLD_PROD, FOLD_XOR, FOLD_ARGMAX, FOLD_ARGMIN},
                          reals[] = {FOLD_SUM, FOLD_SUM, FOLD_PROD, FOLD_MAX, FOLD_MAX, FOLD_MIN};
  TermFoldOp op = sort == SORT_INT    ? ints[roll(0, 5)]
                  : sort == SORT_REAL ? reals[roll(0, 5)]
                  : chance(50)        ? FOLD_ANY
                                      : FOLD_ALL;
  bool arg = op == FOLD_ARGMAX || op == FOLD_ARGMIN;
  TermSort body_sort = arg ? SORT_REAL : sort;
  if (bound_count >= INDICES / 2) return random_leaf(sort);
  if (!arg && depth > 2 && chance(25)) return random_tiles(op, sort, body_sort, depth);
  Expression *lo = chance(70) ? number(0) : random_int(chance(50) ? 0 : 1),
             *hi = chance(50) ? of_symbol(chance(60) ? N : M) : random_int(chance(40) ? 2 : 1);
  Expression *k = new_index();
  scope[scoped++] = k;
  Expression *g = arg && chance(80) ? make(OP_TRUE, SORT_BOOL, 0, 1, 0, NULL, NULL, NULL)
                                    : random_guard(depth > 2 ? 2 : 1),
             *body = random_expression(body_sort, depth - 1);
  scoped--;
  return fold_over(op, sort, k, lo, hi, g, body);
}

static Expression *random_select(TermSort sort, int depth) {
  return make(OP_SELECT, sort, 0, 1, 3, random_bool(depth - 1), random_expression(sort, depth - 1),
              random_expression(sort, depth - 1));
}

static Expression *random_int_operation(int depth) {
  static const Op ops[] = {OP_ADD, OP_ADD, OP_SUB,      OP_SUB,      OP_MUL, OP_MUL,
                           OP_MIN, OP_MAX, OP_FLOORDIV, OP_FLOORDIV, OP_MOD, OP_CDIV};
  static const TermFn fns[] = {FN_BITAND, FN_BITOR, FN_BITXOR, FN_SHL, FN_SHR, FN_MULHI};
  static const Op rounds[] = {OP_FLOOR, OP_CEIL, OP_ROUND, OP_TRUNC};
  switch (roll(0, 9)) {
  case 0: return make(OP_SCALE, SORT_INT, roll(-4, 4), 1, 1, random_int(depth - 1), NULL, NULL);
  case 1:
    return chance(50) ? unary(OP_NEG, SORT_INT, random_int(depth - 1)) : unary(OP_ABS, SORT_INT, random_int(depth - 1));
  case 2:
    return chance(50) ? unary(rounds[roll(0, 3)], SORT_INT, random_real(depth - 1))
                      : make(OP_POWER, SORT_INT, roll(2, 3), 1, 1, random_int(depth - 1), NULL, NULL);
  case 3:
    return chance(50)
               ? make(OP_WRAP, SORT_INT, chance(70) ? roll(1, 5) : 32, 1, 1, random_int(depth - 1), NULL, NULL)
               : make(OP_FN, SORT_INT, fns[roll(0, 5)], 1, 2, random_int(depth - 1), random_int(depth - 1), NULL);
  default: return binary(ops[roll(0, 11)], SORT_INT, random_int(depth - 1), random_int(depth - 1));
  }
}

static Expression *random_real_operation(int depth) {
  static const Op ops[] = {OP_ADD, OP_ADD, OP_SUB, OP_SUB, OP_MUL, OP_MUL, OP_MIN, OP_MAX, OP_DIV};
  static const TermFn fns[] = {FN_EXP,   FN_EXP,   FN_EXP,   FN_LOG,  FN_LOG,   FN_SIN,  FN_COS,
                               FN_TAN,   FN_ASIN,  FN_ACOS,  FN_ATAN, FN_SINH,  FN_COSH, FN_TANH,
                               FN_ASINH, FN_ACOSH, FN_ATANH, FN_ERF,  FN_LGAMMA},
                      pairs[] = {FN_POW, FN_FMOD, FN_ATAN2};
  static const int64_t powers[][2] = {{2, 1}, {2, 1}, {3, 1},  {4, 1}, {-1, 1}, {-1, 1}, {-2, 1}, {-3, 1},
                                      {1, 2}, {1, 2}, {-1, 2}, {3, 2}, {1, 3},  {2, 3},  {0, 1}};
  if (chance(shape.functions)) {
    if (chance(80)) return make(OP_FN, SORT_REAL, fns[roll(0, 18)], 1, 1, random_real(depth - 1), NULL, NULL);
    return make(OP_FN, SORT_REAL, pairs[roll(0, 2)], 1, 2, random_real(depth - 1), random_real(depth - 1), NULL);
  }
  switch (roll(0, 9)) {
  case 0: return make(OP_SCALE, SORT_REAL, roll(-4, 4), chance(50) ? 1 : 2, 1, random_real(depth - 1), NULL, NULL);
  case 1:
    return chance(50) ? unary(OP_NEG, SORT_REAL, random_real(depth - 1))
                      : unary(OP_ABS, SORT_REAL, random_real(depth - 1));
  case 2: {
    const int64_t *p = powers[roll(0, 14)];
    return make(OP_POWER, SORT_REAL, p[0], p[1], 1, random_real(depth - 1), NULL, NULL);
  }
  case 3: { /* the same again: x / x, x - x, x * x */
    Expression *a = random_real(depth - 1);
    return binary(ops[roll(0, 8)], SORT_REAL, a, chance(50) ? a : binary(OP_MUL, SORT_REAL, a, random_real(depth - 2)));
  }
  default: return binary(ops[roll(0, 8)], SORT_REAL, random_real(depth - 1), random_real(depth - 1));
  }
}

static Expression *random_bool_operation(int depth) {
  static const Op ops[] = {OP_LE, OP_LT, OP_EQ};
  switch (roll(0, 8)) {
  case 0: return unary(OP_NOT, SORT_BOOL, random_bool(depth - 1));
  case 1:
  case 2: return binary(chance(50) ? OP_AND : OP_OR, SORT_BOOL, random_bool(depth - 1), random_bool(depth - 1));
  case 3:
    return unary(chance(50)   ? OP_IS_INF
                 : chance(50) ? OP_IS_NEG_INF
                              : OP_IS_NAN,
                 SORT_BOOL, random_expression(SORT_REAL, depth - 1));
  case 4:
    return chance(20) ? binary(OP_EQ, SORT_BOOL, random_bool(depth - 1), random_bool(depth - 1))
                      : random_leaf(SORT_BOOL);
  case 5:
  case 6: return binary(ops[roll(0, 2)], SORT_BOOL, random_real(depth - 1), random_real(depth - 1));
  default: return binary(ops[roll(0, 2)], SORT_BOOL, random_int(depth - 1), random_int(depth - 1));
  }
}

static Expression *random_expression(TermSort sort, int depth) {
  if (depth <= 0 || chance(8)) return random_leaf(sort);
  if (chance(shape.folds)) return random_fold(sort, depth);
  if (chance(12)) return random_select(sort, depth);
  return sort == SORT_INT    ? random_int_operation(depth)
         : sort == SORT_REAL ? random_real_operation(depth)
                             : random_bool_operation(depth);
}

static void expressions_reset(void) { pooled = scoped = bound_count = 0; }

/* ---- failures: printed, and made smaller ---- */

static void expression_print(const Expression *e) {
  switch (e->op) {
  case OP_NUMBER:
    e->den == 1 ? fprintf(stderr, "%d", (int)e->num) : fprintf(stderr, "%d/%d", (int)e->num, (int)e->den);
    return;
  case OP_SYMBOL: fputc("nmabliJuv"[e->num] == 'J' ? 'j' : "nmabliJuv"[e->num], stderr); return;
  case OP_INDEX: fprintf(stderr, "k%d", (int)e->num); return;
  case OP_FOLD: fprintf(stderr, "(%s k%d", term_fold_name((TermFoldOp)e->den), (int)e->num); break;
  case OP_FN: fprintf(stderr, "(%s", term_fn_name((TermFn)e->num)); break;
  case OP_SCALE:
  case OP_POWER:
  case OP_WRAP: fprintf(stderr, "(%s %d/%d", op_names[e->op], (int)e->num, (int)e->den); break;
  case OP_READ: fprintf(stderr, "(%s", e->sort == SORT_REAL ? "x" : e->sort == SORT_INT ? "p" : "q"); break;
  default: fprintf(stderr, "(%s", op_names[e->op]); break;
  }
  for (uint32_t i = 0; i < e->count; i++) fputc(' ', stderr), expression_print(e->arg[i]);
  fputc(')', stderr);
}

/* True if a property fails for the expressions, in a world that is open. It must not depend on anything else. `loud`:
 * say how. */
typedef bool (*Fails)(Expression **roots, bool loud);

/* The same in a world of its own, with the same assignments each time. A limit (coefficients, nesting) is no failure.
 */
static uint64_t world_seed;

static bool fails_now(Fails fails, Expression **roots, bool loud) {
  Random kept = dice;
  volatile bool bad = false;
  world_open();
  dice.state = world_seed;
  if (setjmp(guard.escape) == 0)
    bad = fails(roots, loud);
  else if (guard.reason != GUARD_LIMIT) {
    bad = true;
    if (loud) fprintf(stderr, "%s\n", guard.message);
  }
  world_close();
  dice = kept;
  return bad;
}

static bool has_index(const Expression *e) {
  if (e->op == OP_INDEX) return true;
  for (uint32_t i = 0; i < e->count; i++)
    if (has_index(e->arg[i])) return true;
  return false;
}

/* Replaces *place by something smaller wherever the failure stays. */
static bool shrink_at(Expression **place, Expression **roots, Fails fails, int *budget) {
  Expression *e = *place;
  for (uint32_t i = 0; i<e->count && * budget> 0; i++) {
    Expression *a = e->arg[i];
    if (a->sort != e->sort && !(a->sort == SORT_INT && e->sort == SORT_REAL)) continue;
    if (e->op == OP_FOLD && has_index(a)) continue;
    *place = a, --*budget;
    if (fails_now(fails, roots, false)) return true;
    *place = e;
  }
  if (e->count && *budget > 0) {
    static Expression simple[] = {{OP_NUMBER, SORT_INT, 0, 1, 0, {0}}, {OP_NUMBER, SORT_INT, 1, 1, 0, {0}},
                                  {OP_SYMBOL, SORT_INT, A, 1, 0, {0}}, {OP_SYMBOL, SORT_REAL, U, 1, 0, {0}},
                                  {OP_TRUE, SORT_BOOL, 0, 1, 0, {0}},  {OP_FALSE, SORT_BOOL, 0, 1, 0, {0}}};
    for (uint32_t i = 0; i < sizeof simple / sizeof *simple; i++) {
      if (simple[i].sort != e->sort && !(simple[i].sort == SORT_INT && e->sort == SORT_REAL)) continue;
      *place = &simple[i], --*budget;
      if (fails_now(fails, roots, false)) return true;
      *place = e;
    }
  }
  for (uint32_t i = 0; i < e->count; i++)
    if (shrink_at(&e->arg[i], roots, fails, budget)) return true;
  return false;
}

static void show_failure(const char *what, Expression **roots, uint32_t count, Fails fails) {
  int budget = 4000;
  for (bool again = true; again && budget > 0;) {
    again = false;
    for (uint32_t i = 0; i < count && !again; i++) again = shrink_at(&roots[i], roots, fails, &budget);
  }
  fprintf(stderr, "%s:", what);
  for (uint32_t i = 0; i < count; i++) fputs("\n  ", stderr), expression_print(roots[i]);
  fputc('\n', stderr);
  fails_now(fails, roots, true);
}

/* Checks one: 1 if it fails. */
static int check_one(const char *what, Expression **roots, uint32_t count, Fails fails) {
  world_seed = random_u64(&dice);
  if (!fails_now(fails, roots, false)) return 0;
  show_failure(what, roots, count, fails);
  return 1;
}

/* True if the value of the term at hand agrees with the naive one. */
static bool agrees(Value v, TermValue t, TermSort sort) {
  if (!v.ok) return true;
  if (sort == SORT_BOOL) return (t.integer != 0) == (v.integer != 0);
  if (v.nan) return isnan(t.real);
  if (isinf(v.real)) return t.real == v.real;
  if (sort == SORT_INT) return t.real == v.real; /* a branch may be infinite, and the term Real */
  return fabs(t.real - v.real) <= 1e-7 * (1 + fabs(v.real)) + 1e5 * v.error;
}

/* Where the naive value is undefined the term is not evaluated: its folds may be long. */
static bool has_value(Term t, Value v, TermSort sort) { return !v.ok || agrees(v, term_value(t), sort); }

static void world_print(void) {
  fputs("   at", stderr);
  for (int i = 0; i < SYMBOLS; i++) fprintf(stderr, " %s=%g", term_name(tt, symbols[i]), world[i].real);
  fputc('\n', stderr);
}

#endif
