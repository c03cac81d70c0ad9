/* Values of references, and the tensor expressions that several functions are made of. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "reference/internal.h"

const Value *reference_fail(Evaluator *e, const PyNode *node, const char *code, const char *help, const char *format,
                            ...) {
  char message[400];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  if (!help && strstr(format, "shape")) help = e->r->shape_help;
  diagnostic_add(e->r->diagnostics, SEVERITY_ERROR, code, e->r->source, node->span, help, "%s", message);
  return NULL;
}

/* ---- values ---- */

static Value *new_value(Evaluator *e, ValueKind kind) {
  Value *v = arena_new(e->arena, Value);
  v->kind = kind;
  return v;
}

const Value *value_none(Evaluator *e) { return new_value(e, VALUE_NONE); }

const Value *value_tensor(Evaluator *e, const TensorExpr *t) {
  if (!t) return NULL;
  Value *v = new_value(e, VALUE_TENSOR);
  v->tensor = t;
  value_own(e, v);
  if (t->may_raise) array_push(e->arena, &e->r->raising, (ReferenceStep){t, e->under});
  return v;
}

const Value *value_string(Evaluator *e, const char *text) {
  Value *v = new_value(e, VALUE_STRING);
  v->text = text;
  return v;
}

const Value *value_name(Evaluator *e, const char *text) {
  Value *v = new_value(e, VALUE_NAME);
  v->text = text;
  return v;
}

const Value *value_tuple(Evaluator *e, uint32_t count, const Value *const *items) {
  Value *v = new_value(e, VALUE_TUPLE);
  v->items = arena_array(e->arena, const Value *, count + 1);
  v->count = count;
  value_own(e, v);
  for (uint32_t i = 0; i < count; i++) {
    if (!items[i]) return NULL;
    v->items[i] = items[i];
  }
  return v;
}

const Value *value_shape(Evaluator *e, const TensorExpr *t) {
  const Value *items[TENSOR_MAX_RANK];
  for (uint32_t i = 0; i < t->rank; i++) items[i] = value_number(e, value_tensor(e, tensor_of_size(e, t->shape[i])));
  return value_tuple(e, t->rank, items);
}

const char *reference_shape_text(Evaluator *e, const TensorExpr *t) {
  Text text = text_new(e->arena);
  text_char(&text, '[');
  for (uint32_t i = 0; i < t->rank; i++) text_format(&text, "%s%s", i ? ", " : "", term_text(e->tt, t->shape[i]));
  text_char(&text, ']');
  return text_string(&text);
}

static const Term no_index[1]; /* of a number: never NULL, which memcpy would not have */

/* ---- numbers ---- */

const TensorExpr *tensor_of_int(Evaluator *e, int64_t value) { return tensor_const(e->tt, term_int(e->tt, value)); }

const TensorExpr *tensor_of_rational(Evaluator *e, int64_t num, int64_t den) {
  return tensor_const(e->tt, term_new_rat(e->tt, rational_make(e->arena->guard, num, den)));
}

const TensorExpr *tensor_of_double(Evaluator *e, double value) {
  Rational r;
  if (value != value) return NULL;
  if (value - value != 0) return tensor_const(e->tt, value > 0 ? e->tt->inf : e->tt->neg_inf);
  return tensor_const(e->tt, rational_from_double(value, &r) ? term_new_rat(e->tt, r) : term_float(e->tt, value));
}

const TensorExpr *tensor_of_size(Evaluator *e, Term size) { return tensor_size(e->tt, size); }

const TensorExpr *tensor_folded(Evaluator *e, const TensorExpr *t) {
  if (!t || t->rank || !t->count) return t;
  for (uint32_t i = 0; i < t->count; i++)
    if (t->args[i]->op != TENSOR_CONST) return t;
  Term value = tensor_meaning(e->tt, t, no_index);
  TermKind kind = value ? term_kind(e->tt, value) : TERM_NONE;
  bool constant =
      kind == TERM_RAT || kind == TERM_INF || kind == TERM_NEG_INF || kind == TERM_TRUE || kind == TERM_FALSE;
  return constant ? tensor_const(e->tt, value) : t;
}

const TensorExpr *tensor_number(Evaluator *e, const TensorExpr *t) {
  if (!t || t->sort != SORT_BOOL) return t;
  return tensor_folded(e, tensor_where(e->tt, t, tensor_of_int(e, 1), tensor_of_int(e, 0)));
}

const TensorExpr *tensor_truth(Evaluator *e, const TensorExpr *t) {
  if (!t || t->sort == SORT_BOOL) return t;
  return tensor_folded(e, tensor_binary(e->tt, TENSOR_NE, t, tensor_of_int(e, 0)));
}

/* ---- elementwise ---- */

const TensorExpr *op2(Evaluator *e, TensorOp op, const TensorExpr *a, const TensorExpr *b) {
  bool logic = op == TENSOR_AND || op == TENSOR_OR;
  if (!a || !b) return NULL;
  a = logic ? tensor_truth(e, a) : tensor_number(e, a), b = logic ? tensor_truth(e, b) : tensor_number(e, b);
  TensorExpr *both = (TensorExpr *)tensor_binary(e->tt, op, a, b);
  if (both && logic && both->op == op) both->computes_all = !e->is_formula;
  return tensor_folded(e, both);
}

const TensorExpr *op1(Evaluator *e, TensorOp op, const TensorExpr *a) {
  return tensor_folded(e, tensor_unary(e->tt, op, op == TENSOR_NOT ? tensor_truth(e, a) : tensor_number(e, a)));
}

const TensorExpr *fn1(Evaluator *e, TermFn fn, const TensorExpr *a) {
  a = tensor_number(e, a);
  return a ? tensor_folded(e, tensor_fn(e->tt, fn, 1, &a)) : NULL;
}

const TensorExpr *choose(Evaluator *e, const TensorExpr *c, const TensorExpr *a, const TensorExpr *b) {
  if (!c || !a || !b) return NULL;
  if (a->sort != b->sort) a = tensor_number(e, a), b = tensor_number(e, b);
  return tensor_folded(e, tensor_where(e->tt, tensor_truth(e, c), a, b));
}

const TensorExpr *choose_of_computed(Evaluator *e, const TensorExpr *c, const TensorExpr *a, const TensorExpr *b) {
  TensorExpr *chosen = (TensorExpr *)choose(e, c, a, b);
  if (chosen && chosen->op == TENSOR_WHERE) chosen->computes_all = !e->is_formula;
  return chosen;
}

/* An integer that is nowhere negative: x ** n is the product of n factors, whatever the sign of x. */
static bool is_a_number_of_factors(TermTable *tt, const TensorExpr *e) {
  Term index[TENSOR_MAX_RANK];
  if (e->sort != SORT_INT || e->op == TENSOR_CONST) return false;
  for (uint32_t i = 0; i < e->rank; i++) {
    index[i] = term_symbol_fresh(tt, "i", SORT_INT, SYMBOL_INDEX);
    term_symbol_range(tt, index[i], tt->zero, term_sub(tt, e->shape[i], tt->one));
  }
  Term value = tensor_meaning(tt, e, index);
  return value && term_prove_le(tt, tt->zero, value);
}

const TensorExpr *power_of(Evaluator *e, const TensorExpr *a, const TensorExpr *b) {
  a = tensor_number(e, a), b = tensor_number(e, b);
  if (!a || !b) return NULL;
  bool whole = a->sort == SORT_INT && b->sort == SORT_INT;
  if (b->op == TENSOR_CONST && term_is_rat(e->tt, b->value)) {
    Rational k = term_rat(e->tt, b->value);
    if (k.num == 1 && k.den == 2) return op1(e, TENSOR_SQRT, a);
    if (k.num == -1 && k.den == 2) return op2(e, TENSOR_DIV, tensor_of_int(e, 1), op1(e, TENSOR_SQRT, a));
    if (k.num == 0) { /* also of 0 and of nan */
      const TensorExpr *like = tensor_binary(e->tt, TENSOR_ADD, a, b);
      return like ? tensor_broadcast(e->tt, tensor_of_int(e, 1), like->rank, like->shape) : NULL;
    }
    if (k.den == 1 || k.den == 2) return tensor_folded(e, tensor_binary(e->tt, TENSOR_POW, a, b));
  }
  const TensorExpr *args[2] = {a, b};
  if ((!whole || e->is_formula) && is_a_number_of_factors(e->tt, b))
    return tensor_folded(e, tensor_binary(e->tt, TENSOR_POW, a, b));
  return whole && b->op != TENSOR_CONST ? NULL : tensor_fn(e->tt, FN_POW, 2, args);
}

const TensorExpr *sigmoid_of(Evaluator *e, const TensorExpr *t) {
  const TensorExpr *one = tensor_of_int(e, 1);
  return op2(e, TENSOR_DIV, one, op2(e, TENSOR_ADD, one, fn1(e, FN_EXP, op1(e, TENSOR_NEG, t))));
}

/* ---- folds ---- */

const TensorExpr *fold_axes(Evaluator *e, TermFoldOp op, const TensorExpr *t, uint32_t axes) {
  if (!t) return NULL;
  bool truths = op == FOLD_ANY || op == FOLD_ALL;
  t = truths ? tensor_truth(e, t) : tensor_number(e, t);
  for (uint32_t i = 0; t && i < TENSOR_MAX_RANK; i++)
    if (axes >> i & 1) t = tensor_reduce(e->tt, op, t, i);
  return t;
}

const TensorExpr *drop_axes(Evaluator *e, const TensorExpr *t, uint32_t axes) {
  uint8_t list[TENSOR_MAX_RANK], n = 0;
  for (uint8_t i = 0; i < TENSOR_MAX_RANK; i++)
    if (axes >> i & 1) list[n++] = i;
  return tensor_squeeze(e->tt, t, n, list);
}

const TensorExpr *count_axes(Evaluator *e, const TensorExpr *t, uint32_t axes) {
  Term count = e->tt->one;
  for (uint32_t i = 0; t && i < t->rank; i++)
    if (axes >> i & 1) count = term_mul(e->tt, count, t->shape[i]);
  return tensor_of_size(e, count);
}

const TensorExpr *mean_axes(Evaluator *e, const TensorExpr *t, uint32_t axes) {
  return op2(e, TENSOR_DIV, fold_axes(e, FOLD_SUM, t, axes), count_axes(e, t, axes));
}

const TensorExpr *variance_axes(Evaluator *e, const TensorExpr *t, uint32_t axes, const TensorExpr *correction) {
  const TensorExpr *centred = op2(e, TENSOR_SUB, t, mean_axes(e, t, axes));
  const TensorExpr *sum = fold_axes(e, FOLD_SUM, power_of(e, centred, tensor_of_int(e, 2)), axes),
                   *count = count_axes(e, t, axes);
  return op2(e, TENSOR_DIV, sum, correction ? op2(e, TENSOR_SUB, count, correction) : count);
}

const TensorExpr *softmax_axis(Evaluator *e, const TensorExpr *t, uint32_t axes, bool logarithm) {
  const TensorExpr *shifted = op2(e, TENSOR_SUB, t, fold_axes(e, FOLD_MAX, t, axes)), *exps = fn1(e, FN_EXP, shifted);
  const TensorExpr *sum = fold_axes(e, FOLD_SUM, exps, axes);
  return logarithm ? op2(e, TENSOR_SUB, shifted, fn1(e, FN_LOG, sum)) : op2(e, TENSOR_DIV, exps, sum);
}

/* ---- shapes ---- */

const TensorExpr *swap_axes(Evaluator *e, const TensorExpr *t, uint32_t a, uint32_t b) {
  uint8_t axes[TENSOR_MAX_RANK];
  if (!t || a >= t->rank || b >= t->rank) return NULL;
  for (uint8_t i = 0; i < t->rank; i++) axes[i] = i;
  axes[a] = (uint8_t)b, axes[b] = (uint8_t)a;
  return tensor_transpose(e->tt, t, axes);
}

const TensorExpr *row_index(Evaluator *e, const TensorExpr *like, uint32_t axis) {
  const TensorExpr *t = tensor_index(e->tt, like->shape[axis]);
  for (uint32_t i = axis + 1; i < like->rank; i++) t = tensor_expand(e->tt, t, t->rank);
  return t;
}

/* As NumPy's: vectors take part as a row on the left and a column on the right. */
const TensorExpr *matrix_product(Evaluator *e, const TensorExpr *a, const TensorExpr *b) {
  a = tensor_number(e, a), b = tensor_number(e, b);
  if (!a || !b || !a->rank || !b->rank) return NULL;
  bool row = a->rank == 1, column = b->rank == 1;
  const TensorExpr *left = row ? tensor_expand(e->tt, a, 0) : a, *right = column ? tensor_expand(e->tt, b, 1) : b;
  const TensorExpr *product = tensor_matmul(e->tt, left, right);
  if (!product) return NULL;
  uint32_t gone = 0;
  if (row) gone |= 1u << (product->rank - 2);
  if (column) gone |= 1u << (product->rank - 1);
  return gone ? drop_axes(e, product, gone) : product;
}

/* ---- arguments ---- */

bool has(const Call *call, uint32_t i) { return call->args[i] && call->args[i]->kind != VALUE_NONE; }

const Value *call_result(Call *call, const TensorExpr *t) {
  TermTable *tt = call->e->tt;
  for (uint32_t i = 0; t && i < t->rank; i++) {
    if (term_prove_lt(tt, t->shape[i], tt->zero))
      return call_fail(call, NULL, "%s with an axis of %s elements", call->name, term_text(tt, t->shape[i]));
    reference_inside(call->e, tt->zero, t->shape[i]);
  }
  if (t) return value_tensor(call->e, t);
  if (call->e->r->diagnostics->error_count > call->errors) return NULL; /* said already */
  Text shapes = text_new(call->e->arena);
  for (uint32_t i = 0; i < CALL_MAX_ARGS; i++)
    if (call->args[i] && call->args[i]->kind == VALUE_TENSOR)
      text_format(&shapes, "%s%s", shapes.count ? " and " : "", reference_shape_text(call->e, call->args[i]->tensor));
  return call_fail(call, NULL, "the shapes do not fit %s: %s", call->name, text_string(&shapes));
}

const TensorExpr *tensor_arg(Call *call, uint32_t i) {
  const Value *v = call->args[i];
  if (v && v->kind == VALUE_TENSOR) return v->tensor;
  if (v)
    reference_fail(call->e, call->nodes[i] ? call->nodes[i] : call->node, "reference.argument", NULL,
                   "%s expects a tensor or a number here", call->name);
  else
    call_fail(call, NULL, "%s lacks an argument", call->name);
  return NULL;
}

const TensorExpr *number_arg(Call *call, uint32_t i) { return tensor_number(call->e, tensor_arg(call, i)); }
const TensorExpr *number_or(Call *call, uint32_t i, const TensorExpr *otherwise) {
  return has(call, i) ? number_arg(call, i) : otherwise;
}

bool term_value(Evaluator *e, const Value *v, Term *out) {
  if (!v || v->kind != VALUE_TENSOR || v->tensor->rank || v->tensor->sort != SORT_INT) return false;
  *out = tensor_meaning(e->tt, v->tensor, no_index);
  return *out && !(term_node(e->tt, *out)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE));
}

bool int_value(Evaluator *e, const Value *v, int64_t *out) {
  Term t;
  return term_value(e, v, &t) && term_is_int(e->tt, t, out);
}

bool value_is_truth(Evaluator *e, const Value *v, bool *out) {
  switch (v->kind) {
  case VALUE_NONE: *out = false; return true;
  case VALUE_STRING: *out = *v->text; return true;
  case VALUE_TUPLE: *out = v->count; return true;
  case VALUE_TENSOR: {
    const TensorExpr *t = v->tensor->rank ? NULL : tensor_truth(e, v->tensor);
    Term value = t ? tensor_meaning(e->tt, t, no_index) : 0;
    *out = value == e->tt->true_;
    return value == e->tt->true_ || value == e->tt->false_;
  }
  case VALUE_METHOD: return false; /* x.is_cuda: an attribute that is not read looks like one */
  case VALUE_NAME: *out = true; return reference_is_known(v->text);
  case VALUE_DICT: *out = v->count; return true;
  case VALUE_FUNCTION:
  case VALUE_ELLIPSIS: *out = true; return true;
  case VALUE_SLICE:
  case VALUE_UNREAD: break;
  }
  return false;
}

bool bool_arg(Call *call, uint32_t i, bool otherwise, bool *out) {
  *out = otherwise;
  if (!has(call, i) || value_is_truth(call->e, call->args[i], out)) return true;
  call_fail(call, NULL, "this argument of %s must be True or False", call->name);
  return false;
}

bool string_arg(Call *call, uint32_t i, const char *otherwise, const char **out) {
  *out = otherwise;
  if (!has(call, i)) return true;
  if (call->args[i]->kind == VALUE_STRING) {
    *out = call->args[i]->text;
    return true;
  }
  call_fail(call, NULL, "this argument of %s must be a string", call->name);
  return false;
}

static bool one_axis(Call *call, const Value *v, uint32_t rank, uint32_t *out) {
  int64_t axis;
  if (!int_value(call->e, v, &axis) || axis < -(int64_t)rank || axis >= (int64_t)rank) {
    call_fail(call, NULL, "%s: no such axis of a tensor of rank %u", call->name, rank);
    return false;
  }
  *out = (uint32_t)(axis < 0 ? axis + rank : axis);
  return true;
}

bool axis_arg(Call *call, uint32_t i, uint32_t rank, uint32_t *out) {
  if (has(call, i)) return one_axis(call, call->args[i], rank, out);
  call_fail(call, NULL, "%s lacks its axis", call->name);
  return false;
}

bool axes_arg(Call *call, uint32_t i, uint32_t rank, uint32_t *out) {
  uint32_t axis;
  *out = (1u << rank) - 1;
  if (!has(call, i)) return true;
  const Value *v = call->args[i];
  if (v->kind == VALUE_TUPLE && !v->count && !call->is_numpy && !call->e->is_formula)
    return true; /* PyTorch: all of them */
  *out = 0;
  for (uint32_t k = 0; k < (v->kind == VALUE_TUPLE ? v->count : 1); k++) {
    if (!one_axis(call, v->kind == VALUE_TUPLE ? v->items[k] : v, rank, &axis)) return false;
    if (*out >> axis & 1) return call_fail(call, NULL, "%s: axis %u twice", call->name, axis), false;
    *out |= 1u << axis;
  }
  return true;
}

bool shape_arg(Call *call, uint32_t i, uint32_t *count, Term *out) {
  const Value *list[TENSOR_MAX_RANK + CALL_MAX_ARGS];
  *count = 0;
  if (call->args[i] && call->args[i]->kind == VALUE_TUPLE) {
    if (call->args[i]->count > TENSOR_MAX_RANK) return false;
    for (uint32_t k = 0; k < call->args[i]->count; k++) list[(*count)++] = call->args[i]->items[k];
  } else {
    if (call->args[i]) list[(*count)++] = call->args[i];
    for (uint32_t k = 0; k < call->extra_count && *count < TENSOR_MAX_RANK; k++) list[(*count)++] = call->extra[k];
  }
  for (uint32_t k = 0; k < *count; k++)
    if (!term_value(call->e, list[k], &out[k])) {
      call_fail(call, NULL, "%s expects integers or sizes here", call->name);
      return false;
    }
  return true;
}
