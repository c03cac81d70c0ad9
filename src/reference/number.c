/* Numbers of Python: sums, products and whole powers are rounded to doubles as Python does it, and what is decided by a
 * number while the reference is read (floor, int, a comparison) is decided only where no rounding could decide it the
 * other way.
 *
 * Other operations stay exact: math.sqrt(2) is the square root, 1 / 3 the fraction. Beside a tensor of f32, PyTorch
 * rounds a number to f32, which is seen at jumps alone (x > 0.3): there it is rounded here too. */
#include <math.h>
#include <string.h>

#include "reference/internal.h"

static const Term no_index[1];

static bool is_rational(Evaluator *e, const TensorExpr *t) {
  return t->op == TENSOR_CONST && term_is_rat(e->tt, t->value);
}

static TermValue no_element(void *payload, Term symbol, uint32_t count, const int64_t *index) {
  (void)payload, (void)symbol, (void)count, (void)index;
  return (TermValue){.real = NAN};
}

/* The number, if nothing in it is left open. */
static bool double_of(Evaluator *e, const Value *v, double *out) {
  if (v->kind != VALUE_TENSOR || !v->is_number || v->tensor->rank) return false;
  if (is_rational(e, v->tensor)) return *out = rational_to_double(term_rat(e->tt, v->tensor->value)), true;
  if (v->tensor->op == TENSOR_LOG2 && is_rational(e, v->tensor->args[0]))
    return *out = log2(rational_to_double(term_rat(e->tt, v->tensor->args[0]->value))), *out == *out;
  Term t = tensor_meaning(e->tt, v->tensor, no_index);
  TermList symbols = {0};
  if (!t || term_sort(e->tt, t) == SORT_BOOL) return false;
  term_symbols(e->tt, t, &symbols);
  if (symbols.count) return false;
  *out = term_eval(term_eval_new(e->tt, e->arena, no_element, NULL), t).real;
  return *out == *out;
}

static bool is_error(Evaluator *e, const PyNode *n, const char *what) {
  return reference_fail(e, n, "reference.number", NULL, "%s is an error of Python", what), false;
}

/* As 1 // where(condition, 1, 0), which is looked at with what else may raise an error (Reference.raising). */
void number_requires(Evaluator *e, const TensorExpr *condition) {
  if (!condition || e->is_formula) return;
  const TensorExpr *one = tensor_of_int(e, 1);
  value_tensor(e, op2(e, TENSOR_FLOORDIV, one, tensor_number(e, condition)));
}

/* What becomes an error of Python for some numbers, and not for those that are known. */
static void combination_requires(Evaluator *e, const char *op, const TensorExpr *x, const TensorExpr *y) {
  const TensorExpr *zero = tensor_of_int(e, 0);
  Rational power = !strcmp(op, "**") && is_rational(e, y) ? term_rat(e->tt, y->value) : (Rational){1, 1};
  bool divides = !strcmp(op, "/") || !strcmp(op, "%") || !strcmp(op, "//");
  if (divides || power.num < 0) number_requires(e, op2(e, TENSOR_NE, tensor_number(e, divides ? y : x), zero));
  if (power.den != 1) number_requires(e, op2(e, TENSOR_GE, tensor_number(e, x), zero));
  if (!strcmp(op, "<<") || !strcmp(op, ">>")) number_requires(e, op2(e, TENSOR_GE, tensor_number(e, y), zero));
  if (strcmp(op, "**") || is_rational(e, y)) return;
  const TensorExpr *above = op2(e, TENSOR_GE, tensor_number(e, y), zero), *base = tensor_number(e, x);
  number_requires(e, y->sort == SORT_INT
                         ? choose(e, above, tensor_const(e->tt, e->tt->true_), op2(e, TENSOR_NE, base, zero))
                         : op2(e, TENSOR_GT, base, zero)); /* a complex number else */
}

bool numbers_combine(Evaluator *e, const PyNode *n, const char *op, const Value *a, const Value *b) {
  double x, y;
  if (e->is_formula) return true;
  if (a->is_number && b->is_number) combination_requires(e, op, a->tensor, b->tensor);
  if (!double_of(e, b, &y)) return true;
  bool are_whole = value_type(a) != 'f' && value_type(b) != 'f', divides = *op == '/' || *op == '%';
  if (divides && y == 0 && (a->is_number || (are_whole && strcmp(op, "/")))) return is_error(e, n, "division by 0");
  if ((*op == '<' || *op == '>') && y < 0) return is_error(e, n, "a shift by a number below 0");
  if (strcmp(op, "**") || !double_of(e, a, &x)) return true;
  if (x == 0 && y < 0) return is_error(e, n, "a power of 0 below 0");
  return !(x < 0 && y != nearbyint(y)) ||
         reference_fail(e, n, "reference.number", NULL, "this power is a complex number");
}

static void math_requires(Evaluator *e, const char *name, const Arguments *args) {
  static const struct {
    const char *name;
    TensorOp op;
    int bound;
  } domains[] = {{"sqrt", TENSOR_GE, 0},   {"log", TENSOR_GT, 0},    {"log2", TENSOR_GT, 0},   {"log10", TENSOR_GT, 0},
                 {"log1p", TENSOR_GT, -1}, {"acosh", TENSOR_GE, 1},  {"asin", TENSOR_GE, -1},  {"asin", TENSOR_LE, 1},
                 {"acos", TENSOR_GE, -1},  {"acos", TENSOR_LE, 1},   {"atanh", TENSOR_GT, -1}, {"atanh", TENSOR_LT, 1},
                 {"fmod", TENSOR_NE, 0},   {"lgamma", TENSOR_GT, 0}, {"gamma", TENSOR_GT, 0}};
  for (size_t i = 0; i < sizeof domains / sizeof *domains; i++) {
    const Value *v = args->count ? args->values[!strcmp(name, "fmod") && args->count > 1] : NULL;
    if (!strcmp(domains[i].name, name) && v && v->kind == VALUE_TENSOR)
      number_requires(e, op2(e, domains[i].op, tensor_number(e, v->tensor), tensor_of_int(e, domains[i].bound)));
  }
}

bool math_is_defined(Evaluator *e, const PyNode *n, const char *name, const Arguments *args, const Value *result) {
  double value;
  math_requires(e, name_last_part(name), args);
  for (uint32_t i = 0; i < args->count; i++)
    if (!double_of(e, args->values[i], &value) || !isfinite(value)) return true;
  if (result->kind != VALUE_TENSOR || result->tensor->sort == SORT_BOOL ||
      (double_of(e, result, &value) && isfinite(value)))
    return true;
  return is_error(e, n, arena_format(e->arena, "%s of this number", name));
}

const TensorExpr *number_arithmetic(Evaluator *e, const char *op, const Value *a, const Value *b) {
  double x, y;
  if (!a->is_number || !b->is_number || type_of_both(value_type(a), value_type(b)) != 'f') return NULL;
  if (!is_rational(e, a->tensor) || !is_rational(e, b->tensor) || !double_of(e, a, &x) || !double_of(e, b, &y))
    return NULL;
  if (!strcmp(op, "**")) { /* a root stays exact */
    double power = fabs(y) <= 1024 && y == nearbyint(y) ? pow(x, y) : 0;
    return isfinite(power) && power != 0 ? tensor_of_double(e, power) : NULL;
  }
  if (strcmp(op, "+") && strcmp(op, "-") && strcmp(op, "*")) return NULL;
  return tensor_of_double(e, *op == '+' ? x + y : *op == '-' ? x - y : x * y);
}

static const TensorExpr *unsure(Evaluator *e, const PyNode *n) {
  reference_fail(e, n, "reference.number", "write the number that is meant",
                 "how this number is rounded decides what follows");
  return NULL;
}

const TensorExpr *number_jump(Evaluator *e, const PyNode *n, TensorOp op, const Value *v) {
  double value, offset = op == TENSOR_ROUND ? 0.5 : 0;
  const TensorExpr *t = v->tensor;
  if (e->is_formula || !double_of(e, v, &value) || fabs(value) > 0x1p52) return op1(e, op, t);
  double distance = fabs(value - offset - nearbyint(value - offset));
  bool is_near = distance < 1e-9 * (1 + fabs(value)), is_one_step = t->op == TENSOR_LOG2 && is_rational(e, t->args[0]);
  if (is_rational(e, t) ? is_near && distance > 0 : is_near && !(is_one_step && distance == 0)) return unsure(e, n);
  if (is_rational(e, t)) return op1(e, op, t);
  return tensor_of_double(e, op == TENSOR_FLOOR   ? floor(value)
                             : op == TENSOR_CEIL  ? ceil(value)
                             : op == TENSOR_ROUND ? nearbyint(value)
                                                  : trunc(value));
}

bool numbers_are_apart(Evaluator *e, const PyNode *n, const Value *a, const Value *b) {
  double x, y;
  if (e->is_formula || !double_of(e, a, &x) || !double_of(e, b, &y)) return true;
  if (is_rational(e, a->tensor) && is_rational(e, b->tensor)) return true;
  if (fabs(x - y) > 1e-9 * (fabs(x) + fabs(y))) return true;
  return unsure(e, n), false;
}

bool number_bits_fit(Evaluator *e, const char *op, const Value *a, const Value *b) {
  const double most = 0x1p62;
  double x, y;
  if (!a->is_number || !b->is_number || !double_of(e, a, &x) || !double_of(e, b, &y)) return true;
  return fabs(x) < most && fabs(y) < most && (strcmp(op, "<<") || (y < 62 && fabs(ldexp(x, (int)y)) < most));
}

const Value *number_beside(Evaluator *e, const Value *v, const Value *other) {
  double value;
  bool beside = v && other && v->kind == VALUE_TENSOR && v->is_number && value_type(v) == 'f' &&
                other->kind == VALUE_TENSOR && !other->is_number && value_type(other) == 'f';
  if (e->is_formula || !beside || e->has_other_reals || !is_rational(e, v->tensor) || !double_of(e, v, &value))
    return v;
  float single = (float)value;
  if ((double)single == value || single == 0 || !isfinite(single)) return v;
  return value_number(e, value_typed(e, value_tensor(e, tensor_of_double(e, (double)single)), 'f'));
}
