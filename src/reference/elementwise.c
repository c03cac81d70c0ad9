/* Elementwise functions of NumPy and PyTorch, of math, and the activations of torch.nn.functional. */
#include <string.h>

#include "reference/internal.h"

typedef const TensorExpr *Expr;

static Expr integer(Call *c, int64_t n) { return tensor_of_int(c->e, n); }
static Expr add(Call *c, Expr a, Expr b) { return op2(c->e, TENSOR_ADD, a, b); }
static Expr sub(Call *c, Expr a, Expr b) { return op2(c->e, TENSOR_SUB, a, b); }
static Expr mul(Call *c, Expr a, Expr b) { return op2(c->e, TENSOR_MUL, a, b); }
static Expr divide(Call *c, Expr a, Expr b) { return op2(c->e, TENSOR_DIV, a, b); }
static Expr larger(Call *c, Expr a, Expr b) { return op2(c->e, TENSOR_MAXIMUM, a, b); }
static Expr smaller(Call *c, Expr a, Expr b) { return op2(c->e, TENSOR_MINIMUM, a, b); }
static Expr negative(Call *c, Expr a) { return op1(c->e, TENSOR_NEG, a); }
static Expr exponential(Call *c, Expr a) { return fn1(c->e, FN_EXP, a); }
static Expr logarithm(Call *c, Expr a) { return fn1(c->e, FN_LOG, a); }
static Expr root(Call *c, Expr a) { return op1(c->e, TENSOR_SQRT, a); }

/* ---- functions of one argument that terms know ---- */

static const Value *named_fn(Call *c) {
  TermFn fn = strcmp(c->name, "gammaln") ? term_fn_find(c->name) : FN_LGAMMA;
  Expr x = number_arg(c, 0);
  return x && fn != FN_COUNT ? call_result(c, fn1(c->e, fn, x)) : NULL;
}

/* Of truth values some functions are errors, some keep them, and some make numbers. */
static bool is_no_truth(Call *c) {
  static const char *const of_truths[] = {"logical_not", "isposinf", "isneginf", "isnan", "sqrt", "exp2", "log2"};
  if (c->e->is_formula || value_type(c->args[0]) != 'b' || c->args[0]->is_number) return true;
  for (size_t i = 0; i < sizeof of_truths / sizeof *of_truths; i++)
    if (!strcmp(of_truths[i], c->name)) return true;
  return call_fail(c, "convert them first", "%s of truth values is not read", c->name), false;
}

static bool is_test(TensorOp op) { return op == TENSOR_IS_INF || op == TENSOR_IS_NEG_INF || op == TENSOR_IS_NAN; }
static bool is_jump(TensorOp op) {
  return op == TENSOR_FLOOR || op == TENSOR_CEIL || op == TENSOR_ROUND || op == TENSOR_TRUNC;
}

/* The quotient of integers is one of C. */
static Expr truncated(Evaluator *e, Expr q) {
  if (q->op != TENSOR_DIV || q->args[0]->sort != SORT_INT || q->args[1]->sort != SORT_INT)
    return op1(e, TENSOR_TRUNC, q);
  return op2(e, TENSOR_TRUNCDIV, q->args[0], q->args[1]);
}

static const Value *named_op(Call *c) {
  static const struct {
    const char *name;
    TensorOp op;
  } table[] = {{"sqrt", TENSOR_SQRT},       {"exp2", TENSOR_EXP2},
               {"log2", TENSOR_LOG2},       {"abs", TENSOR_ABS},
               {"absolute", TENSOR_ABS},    {"fabs", TENSOR_ABS},
               {"floor", TENSOR_FLOOR},     {"ceil", TENSOR_CEIL},
               {"round", TENSOR_ROUND},     {"rint", TENSOR_ROUND},
               {"trunc", TENSOR_TRUNC},     {"fix", TENSOR_TRUNC},
               {"neg", TENSOR_NEG},         {"negative", TENSOR_NEG},
               {"isposinf", TENSOR_IS_INF}, {"isneginf", TENSOR_IS_NEG_INF},
               {"isnan", TENSOR_IS_NAN},    {"logical_not", TENSOR_NOT}};
  Expr x = tensor_arg(c, 0);
  if (!x || !is_no_truth(c)) return NULL;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (strcmp(table[i].name, c->name)) continue;
    if (is_test(table[i].op) && !reference_is_number(c->e, c->node, x)) return NULL;
    if (table[i].op == TENSOR_TRUNC && c->e->is_formula) return call_result(c, truncated(c->e, x));
    return call_result(c, is_jump(table[i].op) ? number_jump(c->e, c->node, table[i].op, c->args[0])
                                               : op1(c->e, table[i].op, x));
  }
  return NULL;
}

static const Value *square(Call *c) { return call_result(c, power_of(c->e, number_arg(c, 0), integer(c, 2))); }
static const Value *reciprocal(Call *c) {
  if (c->is_numpy && value_type(c->args[0]) != 'f')
    return call_fail(c, "1 / x", "reciprocal of integers, cut to integers, is not read");
  return call_result(c, divide(c, integer(c, 1), number_arg(c, 0)));
}
static const Value *rsqrt(Call *c) { return call_result(c, divide(c, integer(c, 1), root(c, number_arg(c, 0)))); }
static const Value *sigmoid(Call *c) { return call_result(c, sigmoid_of(c->e, number_arg(c, 0))); }
static const Value *log1p_of(Call *c) { return call_result(c, logarithm(c, add(c, integer(c, 1), number_arg(c, 0)))); }
static const Value *expm1_of(Call *c) {
  return call_result(c, sub(c, exponential(c, number_arg(c, 0)), integer(c, 1)));
}
static const Value *erfc_of(Call *c) {
  return call_result(c, sub(c, integer(c, 1), fn1(c->e, FN_ERF, number_arg(c, 0))));
}

static const Value *log10_of(Call *c) {
  return call_result(c, divide(c, logarithm(c, number_arg(c, 0)), logarithm(c, integer(c, 10))));
}

static const Value *sign(Call *c) {
  if (!tensor_arg(c, 0) || !is_no_truth(c)) return NULL;
  Expr x = number_arg(c, 0), zero = integer(c, 0);
  Expr below = choose(c->e, op2(c->e, TENSOR_LT, x, zero), integer(c, -1), zero);
  return x ? call_result(c, choose(c->e, op2(c->e, TENSOR_GT, x, zero), integer(c, 1), below)) : NULL;
}

static const Value *is_infinite(Call *c) {
  Expr x = number_arg(c, 0),
       either = x ? op2(c->e, TENSOR_OR, op1(c->e, TENSOR_IS_INF, x), op1(c->e, TENSOR_IS_NEG_INF, x)) : NULL;
  if (!x || !reference_is_number(c->e, c->node, x)) return NULL;
  if (!strcmp(c->name, "isinf")) return call_result(c, either);
  return call_result(c, op1(c->e, TENSOR_NOT, op2(c->e, TENSOR_OR, either, op1(c->e, TENSOR_IS_NAN, x))));
}

/* ---- of two ---- */

/* Numbers among the first arguments, as they are compared with a tensor. */
static void beside(Call *c, uint32_t count) {
  const Value *own = NULL;
  for (uint32_t i = 0; i < count; i++)
    if (has(c, i) && c->args[i]->kind == VALUE_TENSOR && !c->args[i]->is_number) own = c->args[i];
  for (uint32_t i = 0; own && i < count; i++)
    if (has(c, i)) c->args[i] = number_beside(c->e, c->args[i], own);
}

/* torch.equal: one truth value, of all elements and of the shapes */
static const Value *all_equal(Call *c, Expr a, Expr b) {
  bool same = a->rank == b->rank;
  for (uint32_t i = 0; same && i < a->rank; i++) same = a->shape[i] == b->shape[i];
  if (!same && a->rank == b->rank)
    return call_fail(c, NULL, "whether the shapes %s and %s are equal is not known", reference_shape_text(c->e, a),
                     reference_shape_text(c->e, b));
  if (!same) return value_number(c->e, value_tensor(c->e, tensor_const(c->e->tt, c->e->tt->false_)));
  uint32_t axes = (1u << a->rank) - 1;
  if (!equality_is_known(c->e, c->node, TENSOR_EQ, a, b)) return NULL;
  return value_number(
      c->e, call_result(c, drop_axes(c->e, fold_axes(c->e, FOLD_ALL, op2(c->e, TENSOR_EQ, a, b), axes), axes)));
}

static const Value *named_binary(Call *c) {
  static const struct {
    const char *name;
    TensorOp op;
  } table[] = {{"multiply", TENSOR_MUL},    {"mul", TENSOR_MUL},
               {"true_divide", TENSOR_DIV}, {"maximum", TENSOR_MAXIMUM},
               {"fmax", TENSOR_MAXIMUM},    {"minimum", TENSOR_MINIMUM},
               {"fmin", TENSOR_MINIMUM},    {"floor_divide", TENSOR_FLOORDIV},
               {"remainder", TENSOR_MOD},   {"mod", TENSOR_MOD},
               {"lt", TENSOR_LT},           {"less", TENSOR_LT},
               {"le", TENSOR_LE},           {"less_equal", TENSOR_LE},
               {"gt", TENSOR_GT},           {"greater", TENSOR_GT},
               {"ge", TENSOR_GE},           {"greater_equal", TENSOR_GE},
               {"eq", TENSOR_EQ},           {"equal", TENSOR_EQ},
               {"ne", TENSOR_NE},           {"not_equal", TENSOR_NE},
               {"logical_and", TENSOR_AND}, {"logical_or", TENSOR_OR}};
  beside(c, 2);
  Expr a = tensor_arg(c, 0), b = a ? tensor_arg(c, 1) : NULL;
  for (size_t i = 0; b && i < sizeof table / sizeof *table; i++) {
    if (strcmp(table[i].name, c->name)) continue;
    bool truths = value_type(c->args[0]) == 'b' && value_type(c->args[1]) == 'b' && !c->e->is_formula;
    bool is_max = table[i].op == TENSOR_MAXIMUM;
    if (table[i].op == TENSOR_MUL && !c->e->is_formula)
      return reference_binary(c->e, c->node, "*", c->args[0], c->args[1]);
    if (truths && (is_max || table[i].op == TENSOR_MINIMUM))
      return call_result(c, op2(c->e, is_max ? TENSOR_OR : TENSOR_AND, a, b));
    if (table[i].op == TENSOR_MOD && c->is_math)
      return call_fail(c, NULL, "remainder of math, to the nearest multiple, is not read");
    if (!strcmp(c->name, "equal") && !c->is_numpy && !c->e->is_formula) return all_equal(c, a, b);
    if (table[i].op == TENSOR_FLOORDIV || table[i].op == TENSOR_MOD)
      return reference_binary(c->e, c->node, table[i].op == TENSOR_MOD ? "%" : "//", c->args[0], c->args[1]);
    bool drops_nan = !strcmp(c->name, "fmax") || !strcmp(c->name, "fmin");
    if (drops_nan && (!reference_is_number(c->e, c->node, a) || !reference_is_number(c->e, c->node, b))) return NULL;
    if (!equality_is_known(c->e, c->node, table[i].op, a, b)) return NULL;
    return call_result(c, op2(c->e, table[i].op, a, b));
  }
  return NULL;
}

static const Value *bitwise(Call *c) {
  static const char *const ops[][2] = {{"bitwise_and", "&"},
                                       {"bitwise_or", "|"},
                                       {"bitwise_xor", "^"},
                                       {"bitwise_left_shift", "<<"},
                                       {"bitwise_right_shift", ">>"}};
  if (!tensor_arg(c, 0) || !tensor_arg(c, 1)) return NULL;
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    if (!strcmp(ops[i][0], c->name)) return reference_binary(c->e, c->node, ops[i][1], c->args[0], c->args[1]);
  return NULL;
}

static const Value *bitwise_not(Call *c) {
  return tensor_arg(c, 0) ? reference_invert(c->e, c->node, c->args[0]) : NULL;
}

static const Value *logical_xor(Call *c) {
  Expr a = tensor_arg(c, 0), b = a ? tensor_arg(c, 1) : NULL;
  return b ? call_result(c, op2(c->e, TENSOR_NE, tensor_number(c->e, tensor_truth(c->e, a)),
                                tensor_number(c->e, tensor_truth(c->e, b))))
           : NULL;
}

/* input, other, alpha */
static const Value *add_scaled(Call *c) {
  Expr a = tensor_arg(c, 0), b = a ? tensor_arg(c, 1) : NULL;
  if (!b) return NULL;
  bool is_scaled = has(c, 2) && !c->e->is_formula;
  if (is_scaled && value_type(c->args[0]) != 'f' && value_type(c->args[1]) != 'f' && value_type(c->args[2]) != 'i')
    return call_fail(c, NULL, "alpha of integers is an integer");
  if (is_scaled && type_of_pair(c->args[0], c->args[1]) == 'b')
    return call_fail(c, "use |", "%s of truth values with alpha is not read", c->name);
  if (!c->e->is_formula && !is_scaled)
    return reference_binary(c->e, c->node, c->name[0] == 'a' ? "+" : "-", c->args[0], c->args[1]);
  a = number_arg(c, 0), b = number_arg(c, 1);
  if (has(c, 2)) b = mul(c, number_arg(c, 2), b);
  return call_result(c, c->name[0] == 'a' ? add(c, a, b) : sub(c, a, b));
}

/* Of integers it is an error, whatever the result is made of. */
static void division_by_zero(Call *c, Expr a, Expr b) {
  if (!c->e->is_formula && !c->is_numpy && a->sort == SORT_INT && b->sort == SORT_INT)
    value_tensor(c->e, op2(c->e, TENSOR_FLOORDIV, a, b));
}

/* input, other, rounding_mode */
static const Value *division(Call *c) {
  Expr a = number_arg(c, 0), b = a ? number_arg(c, 1) : NULL;
  const char *mode;
  if (!b || !string_arg(c, 2, "", &mode)) return NULL;
  bool is_whole = value_type(c->args[0]) != 'f' && value_type(c->args[1]) != 'f';
  if (is_whole && !strcmp(mode, "floor") && !c->e->is_formula)
    return reference_binary(c->e, c->node, "//", c->args[0], c->args[1]);
  Expr q = divide(c, a, b);
  if (!strcmp(mode, "floor"))
    q = op1(c->e, TENSOR_FLOOR, q);
  else if (!strcmp(mode, "trunc"))
    q = truncated(c->e, q);
  else if (*mode)
    return call_fail(c, "floor or trunc", "unknown rounding mode '%s'", mode);
  if (*mode) division_by_zero(c, a, b);
  return call_result(c, q);
}

static const Value *power(Call *c) {
  Expr a = number_arg(c, 0), b = a ? number_arg(c, 1) : NULL;
  if (b && !c->e->is_formula && strcmp(c->name, "float_power"))
    return reference_binary(c->e, c->node, "**", c->args[0], c->args[1]);
  return b ? call_result(c, power_of(c->e, a, b)) : NULL;
}

static const Value *fn_of_two(Call *c) {
  Expr args[2] = {number_arg(c, 0), c->args[1] ? number_arg(c, 1) : NULL};
  if (!args[0] || !args[1]) return args[0] ? call_fail(c, NULL, "%s lacks an argument", c->name) : NULL;
  if (!strcmp(c->name, "hypot"))
    return call_result(c, root(c, add(c, mul(c, args[0], args[0]), mul(c, args[1], args[1]))));
  if (!strcmp(c->name, "logaddexp")) {
    Expr top = larger(c, args[0], args[1]);
    return call_result(
        c,
        add(c, top, logarithm(c, add(c, exponential(c, sub(c, args[0], top)), exponential(c, sub(c, args[1], top))))));
  }
  if (!strcmp(c->name, "xlogy"))
    return call_result(c, choose(c->e, op2(c->e, TENSOR_EQ, args[0], integer(c, 0)), integer(c, 0),
                                 mul(c, args[0], logarithm(c, args[1]))));
  TermFn fn = !strcmp(c->name, "fmod") ? FN_FMOD : FN_ATAN2;
  if (fn == FN_FMOD) division_by_zero(c, args[0], args[1]);
  const Value *result = call_result(c, tensor_fn(c->e->tt, fn, 2, args));
  bool is_whole = fn == FN_FMOD && !c->is_math && value_type(c->args[0]) != 'f' && value_type(c->args[1]) != 'f';
  if (!is_whole || !result || c->e->is_formula) return is_whole ? value_typed(c->e, result, 'i') : result;
  result = value_typed(c->e, result, type_of_pair(c->args[0], c->args[1]));
  return integers_fit(c->e, c->node, c->name, result) ? result : NULL;
}

/* ---- of three and more ---- */

static const Value *where(Call *c) {
  Expr condition = tensor_arg(c, 0), a = condition ? tensor_arg(c, 1) : NULL, b = a ? tensor_arg(c, 2) : NULL;
  return b ? call_result(c, choose_of_computed(c->e, condition, a, b)) : NULL;
}

/* input, mask, value */
static const Value *masked_fill(Call *c) {
  Expr x = tensor_arg(c, 0), mask = x ? tensor_arg(c, 1) : NULL, value = mask ? tensor_arg(c, 2) : NULL;
  if (value && value_type(c->args[0]) != 'f' &&
      value_type(c->args[0]) != value_type(c->args[2])) { /* of the type of x */
    const Value *cast = reference_cast(c, c->args[2], reference_type_text(c->e, c->args[0]));
    value = cast ? cast->tensor : NULL;
  }
  return value ? call_result(c, choose_of_computed(c->e, mask, value, x)) : NULL;
}

/* input, least, greatest */
static const Value *clamp(Call *c) {
  if (!tensor_arg(c, 0) || !is_no_truth(c)) return NULL;
  beside(c, 3);
  Expr x = number_arg(c, 0);
  bool is_upper = !strcmp(c->name, "clamp_max");
  if (x && has(c, 1)) x = is_upper ? smaller(c, x, number_arg(c, 1)) : larger(c, x, number_arg(c, 1));
  if (x && has(c, 2)) x = smaller(c, x, number_arg(c, 2));
  return call_result(c, x);
}

static const Value *lerp(Call *c) {
  Expr a = number_arg(c, 0), b = a ? number_arg(c, 1) : NULL, w = b ? number_arg(c, 2) : NULL;
  return w ? call_result(c, add(c, a, mul(c, w, sub(c, b, a)))) : NULL;
}

/* input, a, b, value */
static const Value *add_combined(Call *c) {
  Expr x = number_arg(c, 0), a = x ? number_arg(c, 1) : NULL, b = a ? number_arg(c, 2) : NULL;
  if (!b) return NULL;
  Expr both = !strcmp(c->name, "addcmul") ? mul(c, a, b) : divide(c, a, b);
  return call_result(c, add(c, x, has(c, 3) ? mul(c, number_arg(c, 3), both) : both));
}

/* ---- activations ---- */

static const Value *relu(Call *c) { return call_result(c, larger(c, integer(c, 0), number_arg(c, 0))); }
static const Value *relu6(Call *c) {
  return call_result(c, smaller(c, larger(c, number_arg(c, 0), integer(c, 0)), integer(c, 6)));
}

static const Value *silu(Call *c) {
  Expr x = number_arg(c, 0);
  return call_result(c, x ? mul(c, x, sigmoid_of(c->e, x)) : NULL);
}

/* 4 atan(1) */
static Expr pi(Call *c) { return mul(c, integer(c, 4), fn1(c->e, FN_ATAN, integer(c, 1))); }

/* input, approximate */
static const Value *gelu(Call *c) {
  Expr x = number_arg(c, 0), half = tensor_of_rational(c->e, 1, 2), one = integer(c, 1);
  const char *approximate;
  if (!x || !string_arg(c, 1, "none", &approximate)) return NULL;
  if (!strcmp(approximate, "none")) {
    Expr inner = divide(c, x, root(c, integer(c, 2)));
    return call_result(c, mul(c, mul(c, half, x), add(c, one, fn1(c->e, FN_ERF, inner))));
  }
  if (strcmp(approximate, "tanh")) return call_fail(c, "none or tanh", "unknown approximation '%s'", approximate);
  Expr cube = mul(c, tensor_of_rational(c->e, 44715, 1000000), power_of(c->e, x, integer(c, 3)));
  Expr inner = mul(c, root(c, divide(c, integer(c, 2), pi(c))), add(c, x, cube));
  return call_result(c, mul(c, mul(c, half, x), add(c, one, fn1(c->e, FN_TANH, inner))));
}

/* input, slope */
static const Value *leaky_relu(Call *c) {
  Expr x = number_arg(c, 0), slope = x ? number_or(c, 1, tensor_of_rational(c->e, 1, 100)) : NULL;
  return slope ? call_result(c, choose(c->e, op2(c->e, TENSOR_GE, x, integer(c, 0)), x, mul(c, slope, x))) : NULL;
}

/* input, alpha */
static const Value *elu(Call *c) {
  Expr x = number_arg(c, 0), alpha = x ? number_or(c, 1, integer(c, 1)) : NULL;
  if (!alpha) return NULL;
  Expr inner = !strcmp(c->name, "celu") ? divide(c, x, alpha) : x;
  Expr low = mul(c, alpha, sub(c, exponential(c, inner), integer(c, 1)));
  return call_result(c, choose(c->e, op2(c->e, TENSOR_GT, x, integer(c, 0)), x, low));
}

/* input, beta, threshold: above the threshold PyTorch returns the input, which is a rounding of the same value */
static const Value *softplus(Call *c) {
  Expr x = number_arg(c, 0), beta = x ? number_or(c, 1, integer(c, 1)) : NULL;
  if (!beta) return NULL;
  Expr value = divide(c, logarithm(c, add(c, integer(c, 1), exponential(c, mul(c, beta, x)))), beta);
  Expr threshold = number_or(c, 2, integer(c, 20));
  return call_result(c, choose(c->e, op2(c->e, TENSOR_GT, mul(c, beta, x), threshold), x, value));
}

static const Value *other_activation(Call *c) {
  Expr x = number_arg(c, 0), one = integer(c, 1), zero = integer(c, 0);
  if (!x) return NULL;
  if (!strcmp(c->name, "mish"))
    return call_result(c, mul(c, x, fn1(c->e, FN_TANH, logarithm(c, add(c, one, exponential(c, x))))));
  if (!strcmp(c->name, "softsign")) return call_result(c, divide(c, x, add(c, one, op1(c->e, TENSOR_ABS, x))));
  if (!strcmp(c->name, "tanhshrink")) return call_result(c, sub(c, x, fn1(c->e, FN_TANH, x)));
  if (!strcmp(c->name, "logsigmoid"))
    return call_result(c, negative(c, logarithm(c, add(c, one, exponential(c, negative(c, x))))));
  Expr ramp = smaller(c, larger(c, add(c, x, integer(c, 3)), zero), integer(c, 6));
  if (!strcmp(c->name, "hardsigmoid")) return call_result(c, divide(c, ramp, integer(c, 6)));
  return call_result(c, mul(c, x, divide(c, ramp, integer(c, 6)))); /* hardswish */
}

/* input, lambd */
static const Value *shrink(Call *c) {
  beside(c, 2);
  Expr x = number_arg(c, 0), limit = x ? number_or(c, 1, tensor_of_rational(c->e, 1, 2)) : NULL, zero = integer(c, 0);
  if (!limit) return NULL;
  bool hard = !strcmp(c->name, "hardshrink");
  Expr below = choose(c->e, op2(c->e, TENSOR_LT, x, negative(c, limit)), hard ? x : add(c, x, limit), zero);
  return call_result(c, choose(c->e, op2(c->e, TENSOR_GT, x, limit), hard ? x : sub(c, x, limit), below));
}

/* The numbers are those of PyTorch, to more digits than f32 has. */
static const Value *selu(Call *c) {
  Expr x = number_arg(c, 0), scale = tensor_of_double(c->e, 1.0507009873554804934193349852946),
       alpha = tensor_of_double(c->e, 1.6732632423543772848170429916717);
  if (!x) return NULL;
  return call_result(c, mul(c, scale,
                            choose(c->e, op2(c->e, TENSOR_GT, x, integer(c, 0)), x,
                                   mul(c, alpha, sub(c, exponential(c, x), integer(c, 1))))));
}

static const Value *logit(Call *c) {
  Expr x = number_arg(c, 0);
  return x ? call_result(c, logarithm(c, divide(c, x, sub(c, integer(c, 1), x)))) : NULL;
}

static const Value *fraction(Call *c) {
  Expr x = number_arg(c, 0);
  return x ? call_result(c, sub(c, x, op1(c->e, TENSOR_TRUNC, x))) : NULL;
}

/* Numbers beside x that are of its type; integers would be cut, or taken to real numbers. */
static bool are_of_its_type(Call *c) {
  bool good = value_type(c->args[0]) == 'f' ||
              ((!has(c, 1) || value_type(c->args[1]) != 'f') && (!has(c, 2) || value_type(c->args[2]) != 'f'));
  if (!good) call_fail(c, NULL, "%s of integers with these numbers is not read", c->name);
  return good;
}

static const Value *hardtanh(Call *c) {
  if (!are_of_its_type(c)) return NULL;
  beside(c, 3);
  Expr x = number_arg(c, 0), low = x ? number_or(c, 1, integer(c, -1)) : NULL,
       high = low ? number_or(c, 2, integer(c, 1)) : NULL;
  return high ? call_result(c, smaller(c, larger(c, x, low), high)) : NULL;
}

static const Value *threshold(Call *c) {
  if (!are_of_its_type(c)) return NULL;
  beside(c, 3);
  Expr x = number_arg(c, 0), limit = x ? number_arg(c, 1) : NULL, value = limit ? number_arg(c, 2) : NULL;
  return value ? call_result(c, choose(c->e, op2(c->e, TENSOR_GT, x, limit), x, value)) : NULL;
}

/* input, axis */
static const Value *glu(Call *c) {
  Expr x = number_arg(c, 0);
  uint32_t axis = x ? x->rank - 1 : 0;
  TensorSlice slices[2][TENSOR_MAX_RANK];
  TermTable *tt = c->e->tt;
  if (!x || !x->rank || (has(c, 1) && !axis_arg(c, 1, x->rank, &axis))) return NULL;
  Term half = term_floordiv(tt, x->shape[axis], term_int(tt, 2));
  if (term_mul(tt, half, term_int(tt, 2)) != x->shape[axis])
    return call_fail(c, "give the shape: --shape x=M,2*N", "%s is not seen to be even", term_text(tt, x->shape[axis]));
  for (uint32_t i = 0; i < x->rank; i++)
    for (int side = 0; side < 2; side++) slices[side][i] = (TensorSlice){tt->zero, x->shape[i], tt->one, false};
  slices[0][axis].stop = half, slices[1][axis].start = half;
  return call_result(c, mul(c, tensor_slice(tt, x, slices[0]), sigmoid_of(c->e, tensor_slice(tt, x, slices[1]))));
}

/* p, training: only without training is it a function of its input */
static const Value *dropout(Call *c) {
  Expr x = number_arg(c, 0);
  bool training;
  if (!x || !bool_arg(c, 2, true, &training)) return NULL;
  if (training) return call_fail(c, "pass training=False, or the mask as an argument", "dropout in training is random");
  return value_tensor(c->e, x);
}

#define X "input|x|a|x1|self"
#define ROWS_1(text) {text, named_fn, X},
#define ROWS_2(text)
const LibraryFunction reference_elementwise[] = {
#define FN(id, text, arity, ...) ROWS_##arity(text)
#define FN_INT(...)
#include "base/functions.def"
    {"gammaln", named_fn, X},
    {"sqrt", named_op, X},
    {"exp2", named_op, X},
    {"log2", named_op, X},
    {"abs", named_op, X},
    {"absolute", named_op, X},
    {"fabs", named_op, X},
    {"floor", named_op, X},
    {"ceil", named_op, X},
    {"round", named_op, X},
    {"rint", named_op, X},
    {"trunc", named_op, X},
    {"fix", named_op, X},
    {"neg", named_op, X},
    {"negative", named_op, X},
    {"isposinf", named_op, X},
    {"isneginf", named_op, X},
    {"isnan", named_op, X},
    {"logical_not", named_op, X},
    {"isinf", is_infinite, X},
    {"isfinite", is_infinite, X},
    {"square", square, X},
    {"reciprocal", reciprocal, X},
    {"rsqrt", rsqrt, X},
    {"sigmoid", sigmoid, X},
    {"expit", sigmoid, X},
    {"log1p", log1p_of, X},
    {"expm1", expm1_of, X},
    {"erfc", erfc_of, X},
    {"log10", log10_of, X},
    {"sign", sign, X},
    {"sgn", sign, X},
    {"multiply", named_binary, X ",other|x2|b"},
    {"mul", named_binary, X ",other|x2|b"},
    {"true_divide", named_binary, X ",other|x2"},
    {"maximum", named_binary, X ",other|x2"},
    {"fmax", named_binary, X ",other|x2"},
    {"minimum", named_binary, X ",other|x2"},
    {"fmin", named_binary, X ",other|x2"},
    {"floor_divide", named_binary, X ",other|x2"},
    {"remainder", named_binary, X ",other|x2"},
    {"mod", named_binary, X ",other|x2"},
    {"lt", named_binary, X ",other"},
    {"less", named_binary, X ",other|x2"},
    {"le", named_binary, X ",other"},
    {"less_equal", named_binary, X ",other|x2"},
    {"gt", named_binary, X ",other"},
    {"greater", named_binary, X ",other|x2"},
    {"ge", named_binary, X ",other"},
    {"greater_equal", named_binary, X ",other|x2"},
    {"eq", named_binary, X ",other"},
    {"equal", named_binary, X ",other|x2"},
    {"ne", named_binary, X ",other"},
    {"not_equal", named_binary, X ",other|x2"},
    {"logical_and", named_binary, X ",other|x2"},
    {"logical_or", named_binary, X ",other|x2"},
    {"add", add_scaled, X ",other|x2,!alpha"},
    {"sub", add_scaled, X ",other|x2,!alpha"},
    {"subtract", add_scaled, X ",other|x2,!alpha"},
    {"div", division, X ",other|x2,!rounding_mode"},
    {"divide", division, X ",other|x2,!rounding_mode"},
    {"pow", power, X ",exponent|x2"},
    {"power", power, X ",exponent|x2"},
    {"float_power", power, X ",exponent|x2"},
    {"atan2", fn_of_two, X ",other|x2"},
    {"arctan2", fn_of_two, X ",other|x2"},
    {"fmod", fn_of_two, X ",other|x2"},
    {"hypot", fn_of_two, X ",other|x2"},
    {"logaddexp", fn_of_two, X ",other|x2"},
    {"xlogy", fn_of_two, X ",other|y"},
    {"where", where, "condition,input|x,other|y"},
    {"masked_fill", masked_fill, X ",mask,value"},
    {"clamp", clamp, X ",min,max"},
    {"clip", clamp, X ",min|a_min,max|a_max"},
    {"clamp_min", clamp, X ",min"},
    {"clamp_max", clamp, X ",max"},
    {"bitwise_and", bitwise, X ",other|x2"},
    {"bitwise_or", bitwise, X ",other|x2"},
    {"bitwise_xor", bitwise, X ",other|x2"},
    {"bitwise_left_shift", bitwise, X ",other|x2"},
    {"bitwise_right_shift", bitwise, X ",other|x2"},
    {"bitwise_not", bitwise_not, X},
    {"logical_xor", logical_xor, X ",other|x2"},
    {"lerp", lerp, X ",end,weight"},
    {"addcmul", add_combined, X ",tensor1,tensor2,!value"},
    {"addcdiv", add_combined, X ",tensor1,tensor2,!value"},
    {"relu", relu, X ",inplace"},
    {"relu6", relu6, X ",inplace"},
    {"silu", silu, X ",inplace"},
    {"swish", silu, X},
    {"gelu", gelu, X ",!approximate"},
    {"leaky_relu", leaky_relu, X ",negative_slope,inplace"},
    {"elu", elu, X ",alpha,inplace"},
    {"celu", elu, X ",alpha,inplace"},
    {"softplus", softplus, X ",beta,threshold"},
    {"mish", other_activation, X ",inplace"},
    {"softsign", other_activation, X},
    {"tanhshrink", other_activation, X},
    {"logsigmoid", other_activation, X},
    {"hardsigmoid", other_activation, X ",inplace"},
    {"hardswish", other_activation, X ",inplace"},
    {"hardtanh", hardtanh, X ",min_val,max_val,inplace"},
    {"hardshrink", shrink, X ",lambd"},
    {"softshrink", shrink, X ",lambd"},
    {"selu", selu, X ",inplace"},
    {"logit", logit, X},
    {"frac", fraction, X},
    {"threshold", threshold, X ",threshold,value,inplace"},
    {"glu", glu, X ",dim"},
    {"dropout", dropout, X ",p,training,inplace"},
    {NULL, NULL, NULL}};
