/* Reductions, scans and the softmax family. In NumPy and PyTorch the reduced axes go unless keepdim; in formulas they
 * stay. */
#include <string.h>

#include "reference/internal.h"

typedef const TensorExpr *Expr;

/* The axes (argument 1) and whether they stay (argument 2). */
static bool read_axes(Call *c, Expr x, uint32_t *axes, bool *keep) {
  return x && axes_arg(c, 1, x->rank, axes) && bool_arg(c, 2, c->e->is_formula, keep);
}

static const Value *reduced(Call *c, Expr result, uint32_t axes, bool keep) {
  if (!result) return call_result(c, NULL);
  return call_result(c, keep ? result : drop_axes(c->e, result, axes & ((1u << result->rank) - 1)));
}

static bool fold_of(const char *name, TermFoldOp *op) {
  static const struct {
    const char *name;
    TermFoldOp op;
  } table[] = {{"sum", FOLD_SUM},       {"prod", FOLD_PROD},     {"max", FOLD_MAX},    {"amax", FOLD_MAX},
               {"min", FOLD_MIN},       {"amin", FOLD_MIN},      {"any", FOLD_ANY},    {"all", FOLD_ALL},
               {"argmax", FOLD_ARGMAX}, {"argmin", FOLD_ARGMIN}, {"cumsum", FOLD_SUM}, {"cumprod", FOLD_PROD},
               {"cummax", FOLD_MAX},    {"cummin", FOLD_MIN},    {"xor", FOLD_XOR}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!strcmp(table[i].name, name)) {
      *op = table[i].op;
      return true;
    }
  return false;
}

/* dim=(): all of them, in most functions of PyTorch */
static bool has_no_axes(const Call *c) {
  return has(c, 1) && c->args[1]->kind == VALUE_TUPLE && !c->args[1]->count && !c->is_numpy && !c->e->is_formula;
}

/* An extremum of nothing is an error. */
static void ask_for_elements(Call *c, Expr x, uint32_t axes, TermFoldOp op) {
  if (op != FOLD_MAX && op != FOLD_MIN && op != FOLD_ARGMAX && op != FOLD_ARGMIN) return;
  for (uint32_t k = 0; k < x->rank; k++)
    if (axes >> k & 1) reference_inside(c->e, c->e->tt->one, x->shape[k]);
}

static const Value *fold(Call *c) {
  Expr x = tensor_arg(c, 0);
  uint32_t axes;
  bool keep;
  TermFoldOp op;
  if (!fold_of(c->name, &op) || !read_axes(c, x, &axes, &keep)) return NULL;
  bool truths = value_type(c->args[0]) == 'b' && !c->e->is_formula;
  ask_for_elements(c, x, axes, op);
  if (truths && (op == FOLD_MAX || op == FOLD_MIN)) op = op == FOLD_MAX ? FOLD_ANY : FOLD_ALL;
  if ((!strcmp(c->name, "any") || !strcmp(c->name, "all")) && has_no_axes(c))
    return call_fail(c, NULL, "%s along no axis is not read", c->name);
  return reduced(c, fold_axes(c->e, op, x, axes), axes, keep);
}

static const Value *arg_fold(Call *c) {
  Expr x = number_arg(c, 0);
  uint32_t axes;
  bool keep;
  TermFoldOp op;
  if (!fold_of(c->name, &op) || !read_axes(c, x, &axes, &keep)) return NULL;
  if (!has(c, 1) && x->rank > 1)
    return call_fail(c, "pass the axis", "%s of all elements of a tensor of rank %u is not read", c->name, x->rank);
  ask_for_elements(c, x, axes, op);
  if (!x->rank) return call_result(c, tensor_of_int(c->e, 0));
  return reduced(c, fold_axes(c->e, op, x, axes), axes, keep);
}

/* What PyTorch gives as `values` and `indices`. */
static const Value *values_and_indices(Call *c, const Value *values, const Value *indices) {
  static const char *const fields[] = {"values", "indices"};
  Value *pair = (Value *)value_tuple(c->e, 2, (const Value *const[]){values, indices});
  if (pair) pair->fields = fields;
  return pair;
}

/* max and min: of one tensor in PyTorch with a dim, values and places; of two, elementwise; else a fold */
static const Value *extremum(Call *c) {
  Expr x = number_arg(c, 0);
  bool is_max = !strcmp(c->name, "max");
  if (!x) return NULL;
  if (has(c, 1) && c->args[1]->kind == VALUE_TENSOR && (c->args[1]->tensor->rank || !c->args[1]->is_number) &&
      !c->is_numpy && !c->e->is_formula) {
    Arguments two = {.count = 2, .values = {c->args[0], c->args[1]}, .nodes = {c->node, c->node}};
    return call_library(c->e, c->node, is_max ? "maximum" : "minimum", false, &two);
  }
  const Value *values = fold(c);
  if (!values || c->is_numpy || c->e->is_formula || !has(c, 1)) return values;
  Call places = *c;
  places.name = is_max ? "argmax" : "argmin";
  return values_and_indices(c, values, value_typed(c->e, arg_fold(&places), 'i'));
}

static const Value *mean(Call *c) {
  Expr x = number_arg(c, 0);
  uint32_t axes;
  bool keep;
  if (!read_axes(c, x, &axes, &keep)) return NULL;
  return reduced(c, mean_axes(c->e, x, axes), axes, keep);
}

/* input, axis, keepdim, correction, unbiased: PyTorch divides by n - 1 unless told, NumPy by n */
static const Value *variance(Call *c) {
  Expr x = number_arg(c, 0);
  uint32_t axes;
  bool keep, unbiased;
  if (!read_axes(c, x, &axes, &keep) || !bool_arg(c, 4, !c->is_numpy && !c->e->is_formula, &unbiased)) return NULL;
  Expr correction = number_or(c, 3, unbiased ? tensor_of_int(c->e, 1) : NULL);
  int64_t zero;
  if (correction && has(c, 3) && int_value(c->e, c->args[3], &zero) && !zero) correction = NULL;
  Expr result = variance_axes(c->e, x, axes, correction);
  if (strstr(c->name, "std")) result = op1(c->e, TENSOR_SQRT, result);
  const Value *value = reduced(c, result, axes, keep);
  if (!strstr(c->name, "_mean")) return value;
  return value_tuple(c->e, 2, (const Value *const[]){value, reduced(c, mean_axes(c->e, x, axes), axes, keep)});
}

/* input, axis, keepdim, p: the 2-norm, or another one by number; of vectors, whatever the axes */
static const Value *norm_of_elements(Call *c) {
  Expr x = number_arg(c, 0), two = tensor_of_int(c->e, 2);
  uint32_t axes;
  bool keep;
  int64_t p = 2;
  if (!read_axes(c, x, &axes, &keep)) return NULL;
  bool frobenius = has(c, 3) && c->args[3]->kind == VALUE_STRING && !strcmp(c->args[3]->text, "fro") &&
                   strcmp(c->name, "vector_norm");
  if (has(c, 3) && c->args[3]->kind != VALUE_TENSOR && !frobenius)
    return call_fail(c, NULL, "this order of the norm is not read");
  if (has(c, 3) && c->args[3]->kind == VALUE_TENSOR && !int_value(c->e, c->args[3], &p)) {
    const TensorExpr *order = c->args[3]->tensor;
    if (order->op == TENSOR_CONST && order->value == c->e->tt->inf)
      return reduced(c, fold_axes(c->e, FOLD_MAX, op1(c->e, TENSOR_ABS, x), axes), axes, keep);
    return call_fail(c, NULL, "this order of the norm is not read");
  }
  if (p == 1) return reduced(c, fold_axes(c->e, FOLD_SUM, op1(c->e, TENSOR_ABS, x), axes), axes, keep);
  if (p != 2) return call_fail(c, NULL, "this order of the norm is not read");
  return reduced(c, op1(c->e, TENSOR_SQRT, fold_axes(c->e, FOLD_SUM, power_of(c->e, x, two), axes)), axes, keep);
}

/* torch.linalg.norm and numpy.linalg.norm: without an order the 2-norm of all elements; with one, that of vectors along
 * one axis, and that of matrices along two, of which the one of Frobenius alone is of the elements. */
static const Value *norm_of_axes(Call *c) {
  Expr x = number_arg(c, 0);
  uint32_t axes, count = 0;
  if (!x || !axes_arg(c, 1, x->rank, &axes)) return NULL;
  for (uint32_t i = 0; i < x->rank; i++) count += axes >> i & 1;
  if (has(c, 1) ? count > 2 : has(c, 3) && count > 2)
    return call_fail(c, "pass one axis or two", "the norm along %u axes", count);
  if (!has(c, 3)) return norm_of_elements(c);
  bool frobenius = c->args[3]->kind == VALUE_STRING && !strcmp(c->args[3]->text, "fro");
  if (count == 2 && !frobenius)
    return call_fail(c, "pass one axis for the norm of vectors",
                     "of the norms of matrices only that of Frobenius is read");
  if (count == 1 && frobenius) return call_fail(c, NULL, "the norm of Frobenius is one of matrices");
  return norm_of_elements(c);
}

/* input, p, axis, keepdim: p stands in front where it is no keyword */
static const Value *norm(Call *c) {
  Call other = *c;
  for (uint32_t i = 1; i < 4; i++) other.args[i] = c->args[1 + i % 3], other.nodes[i] = c->nodes[1 + i % 3];
  return strcmp(c->name, "linalg_norm") ? norm_of_elements(&other) : norm_of_axes(&other);
}

static const Value *logsumexp(Call *c) {
  Expr x = number_arg(c, 0);
  uint32_t axes;
  bool keep;
  if (!read_axes(c, x, &axes, &keep)) return NULL;
  if (has_no_axes(c)) return call_fail(c, NULL, "%s along no axis is not read", c->name);
  Expr top = fold_axes(c->e, FOLD_MAX, x, axes), exps = fn1(c->e, FN_EXP, op2(c->e, TENSOR_SUB, x, top));
  return reduced(c, op2(c->e, TENSOR_ADD, top, fn1(c->e, FN_LOG, fold_axes(c->e, FOLD_SUM, exps, axes))), axes, keep);
}

static const Value *softmax(Call *c) {
  Expr x = number_arg(c, 0);
  uint32_t axes;
  if (!x) return NULL;
  if (!has(c, 1)) return call_fail(c, "pass the axis", "%s lacks its axis", c->name);
  if (!axes_arg(c, 1, x->rank, &axes)) return NULL;
  if (!strcmp(c->name, "softmin")) x = op1(c->e, TENSOR_NEG, x);
  return call_result(c, softmax_axis(c->e, x, axes, !strcmp(c->name, "log_softmax")));
}

static const Value *scan(Call *c) {
  Expr x = number_arg(c, 0);
  uint32_t axis = 0;
  TermFoldOp op;
  if (!x || !fold_of(c->name, &op)) return NULL;
  if (c->is_numpy && !has(c, 1)) { /* of all elements in a row */
    Term count = c->e->tt->one;
    for (uint32_t i = 0; i < x->rank; i++) count = term_mul(c->e->tt, count, x->shape[i]);
    x = tensor_reshape(c->e->tt, x, 1, &count);
  }
  if (!x || ((x->rank != 1 || has(c, 1)) && !axis_arg(c, 1, x->rank, &axis))) return NULL;
  Expr result = tensor_scan(c->e->tt, op, x, axis);
  const Value *value = call_result(c, result);
  if (!value || op == FOLD_SUM || op == FOLD_PROD || c->e->is_formula) return value;
  return values_and_indices(c, value, value_string(c->e, c->name)); /* places are not read: no tensor */
}

static const Value *count_nonzero(Call *c) {
  Expr x = tensor_arg(c, 0);
  uint32_t axes;
  bool keep;
  if (!read_axes(c, x, &axes, &keep)) return NULL;
  return reduced(c, fold_axes(c->e, FOLD_SUM, tensor_number(c->e, tensor_truth(c->e, x)), axes), axes, keep);
}

#define X "input|x|a|self"
#define AXIS X ",dim|axis|axes,~keepdim|keepdims" /* "~": by keyword alone in NumPy, "!": everywhere */
#define KEYS X ",dim|axis,!keepdim|keepdims"
const LibraryFunction reference_reductions[] = {{"sum", fold, AXIS ",!dtype"},
                                                {"prod", fold, AXIS ",!dtype"},
                                                {"amax", fold, AXIS},
                                                {"amin", fold, AXIS},
                                                {"any", fold, AXIS},
                                                {"all", fold, AXIS},
                                                {"max", extremum, AXIS},
                                                {"min", extremum, AXIS},
                                                {"argmax", arg_fold, AXIS},
                                                {"argmin", arg_fold, AXIS},
                                                {"xor", fold, AXIS},
                                                {"mean", mean, AXIS ",!dtype"},
                                                {"var", variance, KEYS ",!correction|ddof,!unbiased"},
                                                {"std", variance, KEYS ",!correction|ddof,!unbiased"},
                                                {"var_mean", variance, KEYS ",!correction,!unbiased"},
                                                {"std_mean", variance, KEYS ",!correction,!unbiased"},
                                                {"norm", norm, X ",p|ord,dim|axis,keepdim|keepdims"},
                                                {"linalg_norm", norm, X ",p|ord,dim|axis,keepdim|keepdims"},
                                                {"vector_norm", norm, X ",p|ord,dim|axis,keepdim|keepdims"},
                                                {"logsumexp", logsumexp, AXIS},
                                                {"softmax", softmax, X ",dim|axis,!_stacklevel,!dtype"},
                                                {"log_softmax", softmax, X ",dim|axis,!_stacklevel,!dtype"},
                                                {"softmin", softmax, X ",dim|axis,!dtype"},
                                                {"cumsum", scan, X ",dim|axis,!dtype"},
                                                {"cumprod", scan, X ",dim|axis,!dtype"},
                                                {"cummax", scan, X ",dim|axis"},
                                                {"cummin", scan, X ",dim|axis"},
                                                {"count_nonzero", count_nonzero, KEYS},
                                                {NULL, NULL, NULL}};
