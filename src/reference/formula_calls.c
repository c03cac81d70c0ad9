/* What formulas in tensor form have beside the library, and what is called alike and means something else there: shapes are
 * written as arguments, reductions keep their axis (docs/formula.md). */
#include <string.h>

#include "reference/internal.h"

typedef const TensorExpr *Expr;

static bool small_int(Call *c, const Value *v, uint32_t limit, uint32_t *out) {
  int64_t n;
  if (!int_value(c->e, v, &n) || n < 0 || n >= limit) {
    call_fail(c, NULL, "%s expects an axis here", c->name);
    return false;
  }
  *out = (uint32_t)n;
  return true;
}

static const Value *expand(Call *c) {
  Expr x = tensor_arg(c, 0);
  uint32_t axis;
  if (!x || !small_int(c, c->args[1], x->rank + 1u, &axis)) return NULL;
  return call_result(c, tensor_expand(c->e->tt, x, axis));
}

static const Value *squeeze(Call *c) {
  Expr x = tensor_arg(c, 0);
  uint32_t axes = 0, axis;
  for (uint32_t i = 0; x && i < c->extra_count; i++) {
    if (!small_int(c, c->extra[i], x->rank, &axis)) return NULL;
    axes |= 1u << axis;
  }
  return x ? call_result(c, drop_axes(c->e, x, axes)) : NULL;
}

static const Value *broadcast(Call *c) {
  Expr x = tensor_arg(c, 0);
  Term shape[TENSOR_MAX_RANK + CALL_MAX_ARGS];
  uint32_t count;
  if (!x || !shape_arg(c, 1, &count, shape)) return NULL;
  return call_result(c, tensor_broadcast(c->e->tt, x, count, shape));
}

static const Value *concat(Call *c) {
  uint32_t axis = 0;
  Expr result = NULL;
  for (uint32_t i = 0; i < c->extra_count; i++) {
    Expr x = c->extra[i]->kind == VALUE_TENSOR ? c->extra[i]->tensor : NULL;
    if (!x || (!i && !axis_arg(c, 1, x->rank, &axis))) return x ? NULL : call_fail(c, NULL, "concat joins tensors");
    Expr joined = i ? tensor_concat(c->e->tt, result, x, axis) : x;
    if (!joined) return call_fail(c, NULL, "the shapes %s and %s do not fit concat", reference_shape_text(c->e, result), reference_shape_text(c->e, x));
    result = joined;
  }
  return call_result(c, result);
}

static const Value *place_index(Call *c) {
  Term length;
  if (!term_value(c->e, c->args[0], &length)) return call_fail(c, NULL, "index expects a size");
  return call_result(c, tensor_index(c->e->tt, length));
}

static const Value *integer_function(Call *c) {
  static const TermFn fns[] = {FN_BITAND, FN_BITOR, FN_BITXOR, FN_SHL, FN_SHR, FN_MULHI};
  Expr args[2] = {number_arg(c, 0), c->args[1] ? number_arg(c, 1) : NULL};
  if (!args[0] || !args[1] || args[0]->sort != SORT_INT || args[1]->sort != SORT_INT) return call_fail(c, NULL, "%s is of two integers", c->name);
  for (size_t i = 0; i < sizeof fns / sizeof *fns; i++)
    if (!strcmp(term_fn_name(fns[i]), c->name)) return call_result(c, tensor_fn(c->e->tt, fns[i], 2, args));
  return NULL;
}

/* x, axis, eps: the names of textbooks, as docs/formula.md defines them */
static const Value *norm(Call *c) {
  Expr x = number_arg(c, 0), eps = x ? number_arg(c, 2) : NULL;
  uint32_t axes;
  if (!eps || !axes_arg(c, 1, x->rank, &axes)) return NULL;
  bool is_layer = !strcmp(c->name, "layer_norm");
  Expr top = is_layer ? op2(c->e, TENSOR_SUB, x, mean_axes(c->e, x, axes)) : x;
  Expr spread = is_layer ? variance_axes(c->e, x, axes, NULL) : mean_axes(c->e, power_of(c->e, x, tensor_of_int(c->e, 2)), axes);
  return call_result(c, op2(c->e, TENSOR_DIV, top, op1(c->e, TENSOR_SQRT, op2(c->e, TENSOR_ADD, spread, eps))));
}

static const Value *gelu_tanh(Call *c) {
  Arguments args = {.count = 2, .values = {c->args[0], value_string(c->e, "tanh")}, .nodes = {c->node, c->node}, .names = {NULL, "approximate"}};
  return c->args[0] ? call_library(c->e, c->node, "gelu", false, &args) : call_fail(c, NULL, "gelu_tanh lacks its argument");
}

const LibraryFunction reference_formulas[] = {
    {"layer_norm", norm, "x,!axis,!eps"}, {"rms_norm", norm, "x,!axis,!eps"}, {"gelu_tanh", gelu_tanh, "x"},
    {"expand", expand, "x,axis"}, {"squeeze", squeeze, "x,*"}, {"broadcast", broadcast, "x,shape,*"}, {"concat", concat, "*,!axis"},
    {"index", place_index, "n"}, {"bitand", integer_function, "a,b"}, {"bitor", integer_function, "a,b"}, {"bitxor", integer_function, "a,b"},
    {"shl", integer_function, "a,b"}, {"shr", integer_function, "a,b"}, {"mulhi", integer_function, "a,b"}, {NULL, NULL, NULL}};
