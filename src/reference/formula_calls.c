/* What formulas in tensor form have beside the library, and what is called alike and means something else there: shapes
 * are written as arguments, reductions keep their axis (docs/formula.md). */
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
    if (!joined)
      return call_fail(c, NULL, "the shapes %s and %s do not fit concat", reference_shape_text(c->e, result),
                       reference_shape_text(c->e, x));
    result = joined;
  }
  return call_result(c, result);
}

static const Value *stack(Call *c) {
  uint32_t axis = 0;
  Expr result = NULL;
  for (uint32_t i = 0; i < c->extra_count; i++) {
    Expr x = c->extra[i]->kind == VALUE_TENSOR ? c->extra[i]->tensor : NULL;
    if (!x || (!i && !axis_arg(c, 1, x->rank + 1u, &axis))) return x ? NULL : call_fail(c, NULL, "stack joins tensors");
    Expr part = tensor_expand(c->e->tt, x, axis), joined = i ? tensor_concat(c->e->tt, result, part, axis) : part;
    if (!joined) return call_fail(c, NULL, "what stack joins is of one shape, not %s", reference_shape_text(c->e, x));
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
  if (!args[0] || !args[1] || args[0]->sort != SORT_INT || args[1]->sort != SORT_INT)
    return call_fail(c, NULL, "%s is of two integers", c->name);
  for (size_t i = 0; i < sizeof fns / sizeof *fns; i++)
    if (!strcmp(term_fn_name(fns[i]), c->name)) return call_result(c, tensor_fn(c->e->tt, fns[i], 2, args));
  return NULL;
}

static const Value *wrap(Call *c) {
  static const TensorOp ops[] = {TENSOR_WRAP8, TENSOR_WRAP16, TENSOR_WRAP32, TENSOR_WRAP64};
  Expr x = number_arg(c, 0);
  if (!x || x->sort != SORT_INT) return call_fail(c, NULL, "%s is of an integer", c->name);
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    if (!strcmp(tensor_op_text(ops[i]), c->name)) return call_result(c, tensor_unary(c->e->tt, ops[i], x));
  return NULL;
}

/* ---- names of textbooks ---- */

static bool find_idiom(const char *name, TensorIdiom *idiom) {
  for (int i = 0; i < TENSOR_IDIOM_COUNT; i++)
    if (!strcmp(tensor_idiom_text((TensorIdiom)i), name)) {
      *idiom = (TensorIdiom)i;
      return true;
    }
  return false;
}

bool formula_has_idiom(const char *name) {
  TensorIdiom idiom;
  return find_idiom(name, &idiom);
}

/* axis=1 or axis=(0, 2), counted from 0: a bit per axis. */
static bool read_axes(Evaluator *e, const Value *v, uint32_t rank, uint32_t *axes) {
  bool list = v->kind == VALUE_TUPLE;
  *axes = 0;
  for (uint32_t i = 0; i < (list ? v->count : 1); i++) {
    int64_t axis;
    if (!int_value(e, list ? v->items[i] : v, &axis) || axis < 0 || axis >= rank) return false;
    *axes |= 1u << axis;
  }
  return *axes != 0;
}

const Value *formula_idiom(Evaluator *e, const char *name, const Arguments *args) {
  TensorIdiom idiom;
  if (!find_idiom(name, &idiom)) return NULL;
  TensorIdiomAxes wants = tensor_idiom_axes(idiom);
  uint32_t wanted = tensor_idiom_arguments(idiom), count = 0, axes = 0, axis_count = 0;
  const char *keyword = tensor_idiom_keyword(idiom);
  const TensorExpr *parts[CALL_MAX_ARGS];
  const Value *axis = NULL;
  uint8_t list[TENSOR_MAX_RANK];
  for (uint32_t i = 0; i < args->count; i++) {
    const char *own = args->names[i];
    if (own && !strcmp(own, "axis") && !axis) {
      axis = args->values[i];
      continue;
    }
    bool last = *keyword && count + 1 == wanted;
    if (count == wanted || args->values[i]->kind != VALUE_TENSOR || (own ? !last || strcmp(own, keyword) != 0 : last))
      return NULL;
    parts[count++] = tensor_number(e, args->values[i]->tensor);
  }
  if (count < wanted || !count) return NULL;
  uint32_t rank = parts[tensor_idiom_array(idiom)]->rank;
  if (axis && (wants == TENSOR_AXES_NONE || !read_axes(e, axis, rank, &axes))) return NULL;
  if (!axis && wants == TENSOR_AXES_SOME) axes = (1u << rank) - 1;
  for (uint32_t k = 0; k < rank; k++)
    if (axes >> k & 1) list[axis_count++] = (uint8_t)k;
  if ((wants != TENSOR_AXES_NONE && !axis_count) || (wants == TENSOR_AXES_ONE && axis_count != 1)) return NULL;
  return value_tensor(e, tensor_idiom(e->tt, idiom, parts, axis_count, list));
}

/* Those that the library has not, or has with other parameters. */
static const Value *misused_idiom(Call *c) {
  return call_fail(c, "docs/formula.md has the names of textbooks: layer_norm(x, axis=1, eps=eps)",
                   "these arguments of %s are not read", c->name);
}

const LibraryFunction reference_formulas[] = {{"layer_norm", misused_idiom, "*,!axis,!eps"},
                                              {"rms_norm", misused_idiom, "*,!axis,!eps"},
                                              {"gelu_tanh", misused_idiom, "*"},
                                              {"expand", expand, "x,axis"},
                                              {"squeeze", squeeze, "x,*"},
                                              {"broadcast", broadcast, "x,shape,*"},
                                              {"concat", concat, "*,!axis"},
                                              {"stack", stack, "*,!axis"},
                                              {"index", place_index, "n"},
                                              {"bitand", integer_function, "a,b"},
                                              {"bitor", integer_function, "a,b"},
                                              {"bitxor", integer_function, "a,b"},
                                              {"shl", integer_function, "a,b"},
                                              {"shr", integer_function, "a,b"},
                                              {"mulhi", integer_function, "a,b"},
                                              {"wrap8", wrap, "x"},
                                              {"wrap16", wrap, "x"},
                                              {"wrap32", wrap, "x"},
                                              {"wrap64", wrap, "x"},
                                              {NULL, NULL, NULL}};
