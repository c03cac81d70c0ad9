/* Normalisation, losses and embedding of torch.nn.functional. */
#include <string.h>

#include "reference/internal.h"

typedef const TensorExpr *Expr;

static Expr integer(Call *c, int64_t n) { return tensor_of_int(c->e, n); }
static Expr add(Call *c, Expr a, Expr b) { return op2(c->e, TENSOR_ADD, a, b); }
static Expr sub(Call *c, Expr a, Expr b) { return op2(c->e, TENSOR_SUB, a, b); }
static Expr mul(Call *c, Expr a, Expr b) { return op2(c->e, TENSOR_MUL, a, b); }
static Expr divide(Call *c, Expr a, Expr b) { return op2(c->e, TENSOR_DIV, a, b); }

/* ---- normalisation ---- */

static bool are_one_size(Call *c, Term a, Term b) { return a == b || term_sub(c->e->tt, a, b) == c->e->tt->zero; }

/* A weight or a bias, which does not broadcast: PyTorch asks for that very shape. */
static Expr factor(Call *c, uint32_t i, uint32_t rank, const Term *shape) {
  Expr v = number_arg(c, i);
  bool fits = v && v->rank == rank;
  for (uint32_t k = 0; fits && k < rank; k++) fits = are_one_size(c, v->shape[k], shape[k]);
  if (v && !fits) call_fail(c, NULL, "%s with a weight or bias of shape %s", c->name, reference_shape_text(c->e, v));
  return fits ? v : NULL;
}

static Expr factor_of_axes(Call *c, uint32_t i, Expr x, uint32_t axes) {
  uint32_t first = 0;
  while (!(axes >> first & 1)) first++;
  return factor(c, i, x->rank - first, x->shape + first);
}

/* The axes at the end that `normalized_shape` names. */
static bool normalised_axes(Call *c, Expr x, uint32_t *axes) {
  uint32_t count = 1;
  if (c->args[1] && c->args[1]->kind == VALUE_TUPLE) count = c->args[1]->count;
  if (!count || count > x->rank) {
    call_fail(c, NULL, "%s over %u axes of a tensor of rank %u", c->name, count, x->rank);
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    const Value *size = c->args[1] && c->args[1]->kind == VALUE_TUPLE ? c->args[1]->items[i] : c->args[1];
    Term given, length = x->shape[x->rank - count + i];
    if (!term_value(c->e, size, &given)) return call_fail(c, NULL, "%s expects sizes here", c->name), false;
    if (!are_one_size(c, given, length))
      return call_fail(c, "say it by the shape of the tensor", "%s over an axis of length %s, which is given as %s",
                       c->name, term_text(c->e->tt, length), term_text(c->e->tt, given)),
             false;
  }
  *axes = ((1u << count) - 1) << (x->rank - count);
  return true;
}

static Expr normalise(Call *c, Expr x, uint32_t axes, Expr eps) {
  Expr deviation = op1(c->e, TENSOR_SQRT, add(c, variance_axes(c->e, x, axes, NULL), eps));
  return divide(c, sub(c, x, mean_axes(c->e, x, axes)), deviation);
}

/* input, normalized_shape, weight, bias, eps */
static const Value *layer_norm(Call *c) {
  Expr x = number_arg(c, 0);
  uint32_t axes;
  if (!x || !normalised_axes(c, x, &axes)) return NULL;
  Expr eps = number_or(c, 4, tensor_of_double(c->e, 1e-5)), y = normalise(c, x, axes, eps);
  if (has(c, 2)) y = mul(c, y, factor_of_axes(c, 2, x, axes));
  if (has(c, 3)) y = add(c, y, factor_of_axes(c, 3, x, axes));
  return call_result(c, y);
}

/* input, normalized_shape, weight, eps; without eps the machine's: of f32, also for shorter types, or of f64 */
static const Value *rms_norm(Call *c) {
  Expr x = number_arg(c, 0);
  uint32_t axes;
  if (!x || !normalised_axes(c, x, &axes)) return NULL;
  const char *dtype = c->args[0]->dtype;
  if (!dtype && c->e->has_double && !has(c, 3))
    return call_fail(c, "pass eps", "rms_norm without eps, of an input whose type is not known");
  bool is_double = dtype && !strcmp(dtype, "float64");
  Expr eps = number_or(c, 3, tensor_of_double(c->e, is_double ? 0x1p-52 : 0x1p-23)),
       squares = power_of(c->e, x, integer(c, 2));
  Expr y = divide(c, x, op1(c->e, TENSOR_SQRT, add(c, mean_axes(c->e, squares, axes), eps)));
  return call_result(c, has(c, 2) ? mul(c, y, factor_of_axes(c, 2, x, axes)) : y);
}

/* A vector over the channels (axis 1), made to fit x. */
static Expr per_channel(Call *c, uint32_t i, Expr x) {
  Expr v = factor(c, i, 1, x->shape + 1);
  for (uint32_t k = 2; v && k < x->rank; k++) v = tensor_expand(c->e->tt, v, v->rank);
  return v;
}

/* A running statistic, in place: (1 - momentum) * v + momentum * statistic. */
static bool follow(Call *c, uint32_t i, Expr statistic, uint32_t axes) {
  Expr v = has(c, i) ? factor(c, i, 1, c->args[0]->tensor->shape + 1) : NULL;
  if (!v) return !has(c, i);
  if (!value_is_current(c->e, c->node, c->args[i])) return false; /* the mean and the variance are one tensor */
  Expr change = mul(c, number_or(c, 6, tensor_of_double(c->e, 0.1)), sub(c, drop_axes(c->e, statistic, axes), v));
  const Value *now = value_like(c->e, value_tensor(c->e, add(c, v, change)), c->args[i]);
  return value_changed(c->e, c->node, c->args[i], now) != NULL;
}

/* input, running_mean, running_var, weight, bias, training, momentum, eps */
static const Value *batch_norm(Call *c) {
  Expr x = number_arg(c, 0);
  bool training;
  if (!x || !bool_arg(c, 5, false, &training)) return NULL;
  if (x->rank < 2) return call_fail(c, NULL, "batch_norm of a tensor of rank %u", x->rank);
  uint32_t axes = ((1u << x->rank) - 1) & ~2u;
  Expr eps = number_or(c, 7, tensor_of_double(c->e, 1e-5)), y;
  if (training)
    y = normalise(c, x, axes, eps);
  else
    y = divide(c, sub(c, x, per_channel(c, 1, x)), op1(c->e, TENSOR_SQRT, add(c, per_channel(c, 2, x), eps)));
  if (has(c, 3)) y = mul(c, y, per_channel(c, 3, x));
  if (has(c, 4)) y = add(c, y, per_channel(c, 4, x));
  if (training && (!follow(c, 1, mean_axes(c->e, x, axes), axes) ||
                   !follow(c, 2, variance_axes(c->e, x, axes, tensor_of_int(c->e, 1)), axes)))
    return NULL;
  return call_result(c, y);
}

/* input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps: all places of a channel share them */
static const Value *instance_norm(Call *c) {
  Expr x = number_arg(c, 0);
  bool own;
  if (!x || !bool_arg(c, 5, true, &own)) return NULL;
  if (x->rank < 3) return call_fail(c, NULL, "instance_norm of a tensor of rank %u", x->rank);
  if (has(c, 1) || has(c, 2) || !own)
    return call_fail(c, "batch_norm takes running means", "instance_norm with running means and variances");
  Expr y = normalise(c, x, ((1u << x->rank) - 1) & ~3u, number_or(c, 7, tensor_of_double(c->e, 1e-5)));
  if (has(c, 3)) y = mul(c, y, per_channel(c, 3, x));
  if (has(c, 4)) y = add(c, y, per_channel(c, 4, x));
  return call_result(c, y);
}

/* input, num_groups, weight, bias, eps: the channels of a group, and all places, share mean and variance */
static const Value *group_norm(Call *c) {
  Expr x = number_arg(c, 0);
  TermTable *tt = c->e->tt;
  Term groups, shape[TENSOR_MAX_RANK];
  if (!x || !term_value(c->e, c->args[1], &groups))
    return x ? call_fail(c, NULL, "the number of groups is an integer") : NULL;
  if (x->rank < 2 || x->rank + 1 > TENSOR_MAX_RANK)
    return call_fail(c, NULL, "group_norm of a tensor of rank %u", x->rank);
  Term size = term_floordiv(tt, x->shape[1], groups);
  if (!term_prove_le(tt, tt->one, groups) || term_mul(tt, size, groups) != x->shape[1])
    return call_fail(c, "give the shape: --shape x=N,G*C,L",
                     "the channels %s are not seen to be a positive multiple of %s", term_text(tt, x->shape[1]),
                     term_text(tt, groups));
  shape[0] = x->shape[0], shape[1] = groups, shape[2] = size;
  for (uint32_t i = 2; i < x->rank; i++) shape[i + 1] = x->shape[i];
  Expr split = tensor_reshape(tt, x, x->rank + 1u, shape), eps = number_or(c, 4, tensor_of_double(c->e, 1e-5));
  if (!split) return call_result(c, NULL);
  Expr y = tensor_reshape(tt, normalise(c, split, ((1u << split->rank) - 1) & ~3u, eps), x->rank, x->shape);
  if (has(c, 2)) y = mul(c, y, per_channel(c, 2, x));
  if (has(c, 3)) y = add(c, y, per_channel(c, 3, x));
  return call_result(c, y);
}

/* input, p, dim, eps */
static const Value *normalize(Call *c) {
  Expr x = number_arg(c, 0);
  uint32_t axis = 1;
  int64_t p = 2;
  if (!x || (has(c, 2) && !axis_arg(c, 2, x->rank, &axis))) return NULL;
  if (c->args[2] && !has(c, 2)) return call_fail(c, "pass one", "%s without an axis is not read", c->name);
  if (axis >= x->rank) return call_fail(c, "pass dim", "%s: no such axis of a tensor of rank %u", c->name, x->rank);
  if (has(c, 1) && (!int_value(c->e, c->args[1], &p) || p != 2)) {
    const TensorExpr *order = c->args[1]->kind == VALUE_TENSOR ? c->args[1]->tensor : NULL;
    if (!order || order->op != TENSOR_CONST || order->value != term_int(c->e->tt, 2))
      return call_fail(c, NULL, "this order of the norm is not read");
  }
  Expr norm = op1(c->e, TENSOR_SQRT, fold_axes(c->e, FOLD_SUM, power_of(c->e, x, integer(c, 2)), 1u << axis));
  return call_result(c, divide(c, x, op2(c->e, TENSOR_MAXIMUM, norm, number_or(c, 3, tensor_of_double(c->e, 1e-12)))));
}

/* x1, x2, dim, eps */
static const Value *cosine_similarity(Call *c) {
  Expr a = number_arg(c, 0), b = a ? number_arg(c, 1) : NULL;
  uint32_t axis = 1;
  Expr both = b ? op2(c->e, TENSOR_MUL, a, b) : NULL;
  if (!both) return b ? call_result(c, NULL) : NULL;
  a = tensor_broadcast(c->e->tt, a, both->rank, both->shape),
  b = tensor_broadcast(c->e->tt, b, both->rank, both->shape);
  if (!a || !b || (has(c, 2) && !axis_arg(c, 2, both->rank, &axis))) return NULL;
  if (c->args[2] && !has(c, 2)) return call_fail(c, "pass one", "%s without an axis is not read", c->name);
  if (axis >= both->rank)
    return call_fail(c, "pass dim", "%s: no such axis of a tensor of rank %u", c->name, both->rank);
  uint32_t axes = 1u << axis;
  Expr eps = number_or(c, 3, tensor_of_double(c->e, 1e-8)), two = integer(c, 2);
  Expr na =
      op2(c->e, TENSOR_MAXIMUM, op1(c->e, TENSOR_SQRT, fold_axes(c->e, FOLD_SUM, power_of(c->e, a, two), axes)), eps);
  Expr nb =
      op2(c->e, TENSOR_MAXIMUM, op1(c->e, TENSOR_SQRT, fold_axes(c->e, FOLD_SUM, power_of(c->e, b, two), axes)), eps);
  return call_result(c,
                     drop_axes(c->e, divide(c, fold_axes(c->e, FOLD_SUM, mul(c, a, b), axes), mul(c, na, nb)), axes));
}

/* ---- losses ---- */

/* Losses of elements, reduced as the argument `i` says. */
static const Value *reduce_loss(Call *c, uint32_t i, Expr losses) {
  const char *reduction;
  if (!losses || !string_arg(c, i, "mean", &reduction)) return call_result(c, NULL);
  uint32_t axes = (1u << losses->rank) - 1;
  if (!strcmp(reduction, "none")) return call_result(c, losses);
  Expr sum = drop_axes(c->e, fold_axes(c->e, FOLD_SUM, losses, axes), axes);
  if (!strcmp(reduction, "sum")) return call_result(c, sum);
  if (!strcmp(reduction, "mean")) return call_result(c, divide(c, sum, count_axes(c->e, losses, axes)));
  if (!strcmp(reduction, "batchmean") && losses->rank && !strcmp(c->name, "kl_div"))
    return call_result(c, divide(c, sum, count_axes(c->e, losses, 1)));
  return call_fail(c, "none, sum, mean", "unknown reduction '%s'", reduction);
}

/* input, target, reduction, parameter */
static const Value *elementwise_loss(Call *c) {
  Expr x = number_arg(c, 0), y = x ? number_arg(c, 1) : NULL, half = tensor_of_rational(c->e, 1, 2),
       one = integer(c, 1), loss = NULL;
  if (!y) return NULL;
  Expr difference = sub(c, x, y), size = op1(c->e, TENSOR_ABS, difference),
       square = power_of(c->e, difference, integer(c, 2));
  if (!strcmp(c->name, "mse_loss"))
    loss = square;
  else if (!strcmp(c->name, "l1_loss"))
    loss = size;
  else if (!strcmp(c->name, "huber_loss")) {
    Expr delta = number_or(c, 3, one), far = mul(c, delta, sub(c, size, mul(c, half, delta)));
    loss = choose(c->e, op2(c->e, TENSOR_LE, size, delta), mul(c, half, square), far);
  } else if (!strcmp(c->name, "smooth_l1_loss")) {
    Expr beta = number_or(c, 3, one);
    loss = choose(c->e, op2(c->e, TENSOR_LT, size, beta), divide(c, mul(c, half, square), beta),
                  sub(c, size, mul(c, half, beta)));
  } else if (!strcmp(c->name, "binary_cross_entropy")) {
    Expr least = integer(c, -100); /* of both logarithms */
    Expr yes = mul(c, y, op2(c->e, TENSOR_MAXIMUM, fn1(c->e, FN_LOG, x), least));
    Expr no = mul(c, sub(c, one, y), op2(c->e, TENSOR_MAXIMUM, fn1(c->e, FN_LOG, sub(c, one, x)), least));
    loss = op1(c->e, TENSOR_NEG, add(c, yes, no));
  } else { /* binary_cross_entropy_with_logits */
    size = op1(c->e, TENSOR_ABS, x);
    Expr soft = fn1(c->e, FN_LOG, add(c, one, fn1(c->e, FN_EXP, op1(c->e, TENSOR_NEG, size))));
    loss = add(c, sub(c, op2(c->e, TENSOR_MAXIMUM, x, integer(c, 0)), mul(c, x, y)), soft);
  }
  return reduce_loss(c, 2, loss);
}

/* input, target, reduction, log_target: 0 log 0 is 0 */
static const Value *kl_div(Call *c) {
  Expr x = number_arg(c, 0), y = x ? number_arg(c, 1) : NULL;
  bool is_log;
  if (!y || !bool_arg(c, 3, false, &is_log)) return NULL;
  Expr loss;
  if (is_log)
    loss = mul(c, fn1(c->e, FN_EXP, y), sub(c, y, x));
  else
    loss =
        choose(c->e, op2(c->e, TENSOR_EQ, y, integer(c, 0)), integer(c, 0), mul(c, y, sub(c, fn1(c->e, FN_LOG, y), x)));
  return reduce_loss(c, 2, loss);
}

/* The element of x (classes along axis 1, or 0 of a vector) that the target names. */
static Expr pick_class(Call *c, Expr x, Expr target, uint32_t axis) {
  Expr places = tensor_expand(c->e->tt, target, axis),
       picked = places ? tensor_take_along(c->e->tt, x, places, axis) : NULL;
  return picked ? drop_axes(c->e, picked, 1u << axis) : NULL;
}

/* input, target, ignore_index, reduction, label_smoothing, weight */
static const Value *class_loss(Call *c) {
  Expr x = number_arg(c, 0), target = x ? number_arg(c, 1) : NULL,
       ignored = target ? number_or(c, 2, integer(c, -100)) : NULL;
  if (!ignored) return NULL;
  if (target->sort != SORT_INT || !x->rank || target->rank + 1 != x->rank)
    return call_fail(c, "integers are said by --shape t:i64=M", "the target of %s holds classes", c->name);
  if (has(c, 5)) return call_fail(c, NULL, "weights of classes are not read");
  uint32_t axis = x->rank > 1;
  bool is_entropy = !strcmp(c->name, "cross_entropy");
  Expr logs = is_entropy ? softmax_axis(c->e, x, 1u << axis, true) : x,
       loss = op1(c->e, TENSOR_NEG, pick_class(c, logs, target, axis));
  if (has(c, 4)) {
    Expr smoothing = number_arg(c, 4),
         spread = op1(c->e, TENSOR_NEG, drop_axes(c->e, mean_axes(c->e, logs, 1u << axis), 1u << axis));
    loss = add(c, mul(c, sub(c, integer(c, 1), smoothing), loss), mul(c, smoothing, spread));
  }
  Expr counts = op2(c->e, TENSOR_NE, target, ignored);
  loss = choose(c->e, counts, loss, integer(c, 0));
  const char *reduction;
  if (!loss || !string_arg(c, 3, "mean", &reduction)) return call_result(c, NULL);
  if (strcmp(reduction, "mean")) return reduce_loss(c, 3, loss);
  uint32_t axes = (1u << loss->rank) - 1;
  Expr sum = drop_axes(c->e, fold_axes(c->e, FOLD_SUM, loss, axes), axes);
  return call_result(
      c, divide(c, sum, drop_axes(c->e, fold_axes(c->e, FOLD_SUM, tensor_number(c->e, counts), axes), axes)));
}

/* input, weight */
static const Value *embedding(Call *c) {
  Expr places = tensor_arg(c, 0), table = places ? number_arg(c, 1) : NULL;
  if (!table) return NULL;
  if (value_type(c->args[0]) != 'i' || table->rank != 2)
    return call_fail(c, NULL, "embedding takes integers and a matrix");
  return call_result(c, tensor_take(c->e->tt, table, places, 0));
}

/* input, num_classes */
static const Value *one_hot(Call *c) {
  Expr x = number_arg(c, 0);
  Term classes;
  if (!x || !term_value(c->e, c->args[1], &classes) || term_prove_lt(c->e->tt, classes, c->e->tt->zero))
    return x ? call_fail(c, NULL, "one_hot needs the number of classes") : NULL;
  Expr place = tensor_index(c->e->tt, classes), unit = op2(c->e, TENSOR_EQ, tensor_expand(c->e->tt, place, 1), place);
  return call_result(c, tensor_take(c->e->tt, tensor_number(c->e, unit), x, 0)); /* what is no class is an error */
}

const LibraryFunction reference_layers[] = {
    {"layer_norm", layer_norm, "input|x,normalized_shape,weight,bias,eps"},
    {"rms_norm", rms_norm, "input|x,normalized_shape,weight,eps"},
    {"instance_norm", instance_norm, "input,running_mean,running_var,weight,bias,use_input_stats,momentum,eps"},
    {"batch_norm", batch_norm, "input,running_mean,running_var,weight,bias,training,momentum,eps"},
    {"group_norm", group_norm, "input,num_groups,weight,bias,eps"},
    {"normalize", normalize, "input,p,dim,eps"},
    {"cosine_similarity", cosine_similarity, "x1,x2,dim,eps"},
    {"mse_loss", elementwise_loss, "input,target,!reduction"},
    {"l1_loss", elementwise_loss, "input,target,!reduction"},
    {"huber_loss", elementwise_loss, "input,target,reduction,delta"},
    {"smooth_l1_loss", elementwise_loss, "input,target,!reduction,!beta"},
    {"binary_cross_entropy", elementwise_loss, "input,target,!reduction"},
    {"binary_cross_entropy_with_logits", elementwise_loss, "input,target,!reduction"},
    {"kl_div", kl_div, "input,target,!reduction,!log_target"},
    {"cross_entropy", class_loss, "input,target,!ignore_index,!reduction,!label_smoothing,!weight"},
    {"nll_loss", class_loss, "input,target,!ignore_index,!reduction,!-,!weight"},
    {"embedding", embedding, "input,weight,padding_idx"},
    {"one_hot", one_hot, "tensor|input,num_classes"},
    {NULL, NULL, NULL}};
