/* Idioms: their definitions in plain operators (the table is idioms.def). */
#include <string.h>

#include "tensor/tensor.h"

typedef const TensorExpr *Expr;

static Expr number(TermTable *tt, int64_t n) { return tensor_const(tt, term_int(tt, n)); }
static Expr fraction(TermTable *tt, int64_t num, int64_t den) {
  return tensor_const(tt, term_new_rat(tt, (Rational){num, den}));
}

static Expr exponential(TermTable *tt, Expr x) { return tensor_fn(tt, FN_EXP, 1, &x); }

static Expr reduce(TermTable *tt, TermFoldOp op, Expr x, uint32_t count, const uint8_t *axes) {
  for (uint32_t i = 0; i < count; i++) x = tensor_reduce(tt, op, x, axes[i]);
  return x;
}

static Expr mean(TermTable *tt, Expr x, uint32_t count, const uint8_t *axes) {
  Term n = tt->one;
  for (uint32_t i = 0; i < count; i++) n = term_mul(tt, n, x->shape[axes[i]]);
  return tensor_binary(tt, TENSOR_DIV, reduce(tt, FOLD_SUM, x, count, axes), tensor_size(tt, n));
}

static Expr square(TermTable *tt, Expr x) { return tensor_binary(tt, TENSOR_POW, x, number(tt, 2)); }

static Expr centred(TermTable *tt, Expr x, uint32_t count, const uint8_t *axes) {
  return tensor_binary(tt, TENSOR_SUB, x, mean(tt, x, count, axes));
}

static Expr variance(TermTable *tt, Expr x, uint32_t count, const uint8_t *axes) {
  return mean(tt, square(tt, centred(tt, x, count, axes)), count, axes);
}

static Expr over_root(TermTable *tt, Expr x, Expr squared, Expr eps) {
  return tensor_binary(tt, TENSOR_DIV, x, tensor_unary(tt, TENSOR_SQRT, tensor_binary(tt, TENSOR_ADD, squared, eps)));
}

/* 1 + exp(-x) */
static Expr logistic(TermTable *tt, Expr x) {
  return tensor_binary(tt, TENSOR_ADD, number(tt, 1), exponential(tt, tensor_unary(tt, TENSOR_NEG, x)));
}

static Expr shifted(TermTable *tt, Expr x, uint8_t axis) {
  return tensor_binary(tt, TENSOR_SUB, x, tensor_reduce(tt, FOLD_MAX, x, axis));
}

/* x * (1 + gate) / 2 */
static Expr gated(TermTable *tt, Expr x, Expr gate) {
  Expr product = tensor_binary(tt, TENSOR_MUL, x, tensor_binary(tt, TENSOR_ADD, number(tt, 1), gate));
  return tensor_binary(tt, TENSOR_DIV, product, number(tt, 2));
}

static Expr gelu(TermTable *tt, Expr x) {
  Expr scaled = tensor_binary(tt, TENSOR_DIV, x, tensor_unary(tt, TENSOR_SQRT, number(tt, 2)));
  return gated(tt, x, tensor_fn(tt, FN_ERF, 1, &scaled));
}

static Expr pi(TermTable *tt) {
  Expr one = number(tt, 1);
  return tensor_binary(tt, TENSOR_MUL, number(tt, 4), tensor_fn(tt, FN_ATAN, 1, &one));
}

static Expr gelu_tanh(TermTable *tt, Expr x) {
  Expr root = tensor_unary(tt, TENSOR_SQRT, tensor_binary(tt, TENSOR_DIV, number(tt, 2), pi(tt)));
  Expr cube =
      tensor_binary(tt, TENSOR_MUL, fraction(tt, 44715, 1000000), tensor_binary(tt, TENSOR_POW, x, number(tt, 3)));
  Expr inner = tensor_binary(tt, TENSOR_MUL, root, tensor_binary(tt, TENSOR_ADD, x, cube));
  return gated(tt, x, tensor_fn(tt, FN_TANH, 1, &inner));
}

/* ---- those of several arguments ---- */

/* x[.., from:to] of the last axis */
static Expr part_of(TermTable *tt, Expr x, Term from, Term to) {
  TensorSlice slices[TENSOR_MAX_RANK];
  if (!x->rank) return NULL;
  for (uint32_t i = 0; i < x->rank; i++) slices[i] = (TensorSlice){tt->zero, x->shape[i], tt->one, false};
  slices[x->rank - 1] = (TensorSlice){from, to, tt->one, false};
  return tensor_slice(tt, x, slices);
}

static Expr rotary(TermTable *tt, Expr x, Expr cosine, Expr sine) {
  if (!x->rank || !cosine->rank || x->rank < cosine->rank || x->rank < sine->rank) return NULL;
  Term half = cosine->shape[cosine->rank - 1];
  if (x->shape[x->rank - 1] != term_mul(tt, term_int(tt, 2), half)) return NULL;
  Expr a = part_of(tt, x, tt->zero, half), b = part_of(tt, x, half, x->shape[x->rank - 1]);
  Expr first =
      tensor_binary(tt, TENSOR_SUB, tensor_binary(tt, TENSOR_MUL, a, cosine), tensor_binary(tt, TENSOR_MUL, b, sine));
  Expr second =
      tensor_binary(tt, TENSOR_ADD, tensor_binary(tt, TENSOR_MUL, a, sine), tensor_binary(tt, TENSOR_MUL, b, cosine));
  return tensor_concat(tt, first, second, x->rank - 1u);
}

/* The last two axes change places. */
static Expr transposed(TermTable *tt, Expr x) {
  uint8_t axes[TENSOR_MAX_RANK];
  if (x->rank < 2) return NULL;
  for (uint32_t i = 0; i < x->rank; i++) axes[i] = (uint8_t)i;
  axes[x->rank - 2] = (uint8_t)(x->rank - 1), axes[x->rank - 1] = (uint8_t)(x->rank - 2);
  return tensor_transpose(tt, x, axes);
}

static Expr attention(TermTable *tt, const Expr *args, bool is_causal) {
  Expr q = args[0], k = args[1], v = args[2], scale = args[3];
  if (q->rank < 2 || k->rank != q->rank || v->rank != q->rank || scale->rank) return NULL;
  Expr scores = tensor_binary(tt, TENSOR_MUL, scale, tensor_matmul(tt, q, transposed(tt, k)));
  if (is_causal) {
    Expr queries = tensor_index(tt, q->shape[q->rank - 2]), keys = tensor_index(tt, k->shape[k->rank - 2]);
    Expr mask = queries && keys ? tensor_binary(tt, TENSOR_LE, keys, tensor_expand(tt, queries, 1)) : NULL;
    scores = tensor_where(tt, mask, scores, tensor_const(tt, tt->neg_inf));
  }
  uint8_t last = (uint8_t)(q->rank - 1);
  return scores ? tensor_matmul(tt, tensor_idiom(tt, TENSOR_SOFTMAX, &scores, 1, &last), v) : NULL;
}

/* A number for each place of axis 1 of x. */
static Expr along_channels(TermTable *tt, Expr x, Expr of) {
  if (x->rank < 2 || of->rank != 1 || of->shape[0] != x->shape[1]) return NULL;
  for (uint32_t i = 2; i < x->rank && of; i++) of = tensor_expand(tt, of, i - 1);
  return of;
}

static Expr batch_norm(TermTable *tt, const Expr *args) {
  Expr each[4];
  for (int i = 0; i < 4; i++)
    if (!(each[i] = along_channels(tt, args[0], args[i + 1]))) return NULL;
  Expr normal = over_root(tt, tensor_binary(tt, TENSOR_SUB, args[0], each[0]), each[1], args[5]);
  return tensor_binary(tt, TENSOR_ADD, tensor_binary(tt, TENSOR_MUL, normal, each[2]), each[3]);
}

/* As [axis 0, groups, rest], the rest normalised. */
static Expr group_norm(TermTable *tt, Expr x, Expr groups, Expr eps) {
  Term rest = tt->one, g = groups->op == TENSOR_CONST    ? groups->value
                           : groups->op == TENSOR_SCALAR ? groups->symbol
                                                         : 0;
  if (x->rank < 2 || groups->rank || !g || groups->sort != SORT_INT || !term_prove_le(tt, tt->one, g)) return NULL;
  for (uint32_t i = 1; i < x->rank; i++) rest = term_mul(tt, rest, x->shape[i]);
  Term shape[3] = {x->shape[0], g, term_floordiv(tt, rest, g)};
  if (term_mul(tt, shape[1], shape[2]) != rest) return NULL; /* groups of equal length */
  Expr rows = tensor_reshape(tt, x, 3, shape);
  Expr normal = rows ? tensor_idiom(tt, TENSOR_LAYER_NORM, (Expr[]){rows, eps}, 1, (uint8_t[]){2}) : NULL;
  return normal ? tensor_reshape(tt, normal, x->rank, x->shape) : NULL;
}

static Expr cross_entropy(TermTable *tt, Expr x, Expr labels) {
  if (!x->rank || labels->rank + 1u != x->rank || labels->sort != SORT_INT) return NULL;
  uint8_t last = (uint8_t)(x->rank - 1);
  Expr own = tensor_take_along(tt, x, tensor_expand(tt, labels, last), last);
  return tensor_binary(tt, TENSOR_SUB, tensor_idiom(tt, TENSOR_LOGSUMEXP, &x, 1, &last), own);
}

static Expr sign(TermTable *tt, Expr x) {
  Expr zero = fraction(tt, 0, 1), below = tensor_binary(tt, TENSOR_LT, x, zero);
  Expr rest = tensor_where(tt, below, fraction(tt, -1, 1), zero);
  return tensor_where(tt, tensor_binary(tt, TENSOR_GT, x, zero), fraction(tt, 1, 1), rest);
}

/* v with so many more axes of length 1 behind its last */
static Expr with_axes_behind(TermTable *tt, Expr v, uint32_t count) {
  for (; v && count; count--) v = tensor_expand(tt, v, v->rank);
  return v;
}

/* sum[j < width](w[c, j] * x[.., t + j - width + 1, c]), of places that are not negative */
static Expr conv1d_causal(TermTable *tt, Expr x, Expr w) {
  uint32_t rank = x->rank;
  if (rank < 2 || rank >= TENSOR_MAX_RANK || w->rank != 2 || w->shape[0] != x->shape[rank - 1]) return NULL;
  Expr places[TENSOR_MAX_RANK], taps = tensor_index(tt, w->shape[1]);
  for (uint32_t i = 0; i < rank; i++)
    if (!(places[i] = with_axes_behind(tt, tensor_index(tt, x->shape[i]), rank - i))) return NULL;
  Expr last = taps ? tensor_binary(tt, TENSOR_ADD, taps, places[rank - 2]) : NULL;
  Expr from = last ? tensor_binary(tt, TENSOR_SUB, last, tensor_size(tt, term_sub(tt, w->shape[1], tt->one))) : NULL;
  if (!from) return NULL;
  places[rank - 2] = from;
  Expr product = tensor_binary(tt, TENSOR_MUL, tensor_gather(tt, x, places), w), zero = tensor_const(tt, tt->zero);
  Expr masked = tensor_where(tt, tensor_binary(tt, TENSOR_LE, zero, from), product, number(tt, 0));
  return tensor_squeeze(tt, tensor_reduce(tt, FOLD_SUM, masked, rank), 1, (uint8_t[]){(uint8_t)rank});
}

/* prod[s < u <= t](a[u]), with axes t and s for that of x; of exp(d): exp of the sum of d up to t less that up to s */
static Expr product_between(TermTable *tt, Expr a, Expr x, uint8_t axis, Expr s, Expr t) {
  if (a->rank && a->op == TENSOR_FN1 && a->fn == FN_EXP) {
    Expr sums = tensor_scan(tt, FOLD_SUM, a->args[0], axis);
    return exponential(
        tt, tensor_binary(tt, TENSOR_SUB, tensor_expand(tt, sums, axis + 1u), tensor_expand(tt, sums, axis)));
  }
  Expr u = with_axes_behind(tt, tensor_index(tt, x->shape[axis]), x->rank - 1 - axis);
  Expr from = tensor_binary(tt, TENSOR_LT, tensor_expand(tt, s, 1), u);
  Expr to = tensor_binary(tt, TENSOR_LE, u, tensor_expand(tt, t, 2));
  Expr factors = a->rank ? tensor_expand(tt, tensor_expand(tt, a, axis), axis) : a;
  factors = tensor_where(tt, tensor_binary(tt, TENSOR_AND, from, to), factors, number(tt, 1));
  uint8_t steps = factors ? (uint8_t)(factors->rank - (x->rank - axis)) : 0; /* the axis u */
  return tensor_squeeze(tt, tensor_reduce(tt, FOLD_PROD, factors, steps), 1, &steps);
}

/* cumprod(a) * first + sum[s <= t](prod[s < u <= t](a[u]) * x[s]): behind the axis t stands s. A scalar a is the same
 * at each step. */
static Expr recurrence(TermTable *tt, Expr a, Expr x, Expr first, uint8_t axis) {
  uint32_t rank = x->rank;
  if (axis >= rank || rank + 2 > TENSOR_MAX_RANK || first->rank >= rank) return NULL;
  if (a->rank && (a->rank != rank || a->shape[axis] != x->shape[axis])) return NULL;
  Expr s = with_axes_behind(tt, tensor_index(tt, x->shape[axis]), rank - 1 - axis), t = tensor_expand(tt, s, 1);
  Expr between = t ? product_between(tt, a, x, axis, s, t) : NULL;
  Expr product = between ? tensor_binary(tt, TENSOR_MUL, between, tensor_expand(tt, x, axis)) : NULL;
  Expr masked = tensor_where(tt, tensor_binary(tt, TENSOR_LE, s, t), product, number(tt, 0));
  Expr sum = tensor_squeeze(tt, tensor_reduce(tt, FOLD_SUM, masked, axis + 1u), 1, (uint8_t[]){(uint8_t)(axis + 1)});
  if (first->op == TENSOR_CONST && term_is_rat(tt, first->value) && !term_rat(tt, first->value).num) return sum;
  if (first->rank && first->rank + 1u + axis >= rank) first = tensor_expand(tt, first, axis + first->rank + 1u - rank);
  Expr steps = tensor_binary(tt, TENSOR_ADD, s, number(tt, 1));
  Expr powers = a->rank ? tensor_scan(tt, FOLD_PROD, a, axis) : tensor_binary(tt, TENSOR_POW, a, steps);
  Expr start = tensor_binary(tt, TENSOR_MUL, powers, first);
  return tensor_binary(tt, TENSOR_ADD, start, sum);
}

static Expr define(TermTable *tt, TensorIdiom idiom, const Expr *args, uint32_t count, const uint8_t *axes) {
  Expr x = tensor_idiom_arguments(idiom) ? args[0] : NULL;
  switch (idiom) {
  case TENSOR_PI: return pi(tt);
  case TENSOR_RELU: return tensor_binary(tt, TENSOR_MAXIMUM, x, number(tt, 0));
  case TENSOR_LEAKY_RELU:
    return tensor_where(tt, tensor_binary(tt, TENSOR_GE, x, number(tt, 0)), x,
                        tensor_binary(tt, TENSOR_MUL, args[1], x));
  case TENSOR_CLAMP: return tensor_binary(tt, TENSOR_MINIMUM, tensor_binary(tt, TENSOR_MAXIMUM, x, args[1]), args[2]);
  case TENSOR_SIGMOID: return tensor_binary(tt, TENSOR_DIV, number(tt, 1), logistic(tt, x));
  case TENSOR_SILU: return tensor_binary(tt, TENSOR_DIV, x, logistic(tt, x));
  case TENSOR_GELU: return gelu(tt, x);
  case TENSOR_GELU_TANH: return gelu_tanh(tt, x);
  case TENSOR_SIGN: return sign(tt, x);
  case TENSOR_SOFTMAX: {
    Expr e = exponential(tt, shifted(tt, x, axes[0]));
    return tensor_binary(tt, TENSOR_DIV, e, tensor_reduce(tt, FOLD_SUM, e, axes[0]));
  }
  case TENSOR_LOGSUMEXP: {
    Expr sum = tensor_reduce(tt, FOLD_SUM, exponential(tt, shifted(tt, x, axes[0])), axes[0]);
    return sum ? tensor_binary(tt, TENSOR_ADD, tensor_reduce(tt, FOLD_MAX, x, axes[0]), tensor_fn(tt, FN_LOG, 1, &sum))
               : NULL;
  }
  case TENSOR_MEAN: return mean(tt, x, count, axes);
  case TENSOR_VAR: return variance(tt, x, count, axes);
  case TENSOR_LAYER_NORM: return over_root(tt, centred(tt, x, count, axes), variance(tt, x, count, axes), args[1]);
  case TENSOR_RMS_NORM: return over_root(tt, x, mean(tt, square(tt, x), count, axes), args[1]);
  case TENSOR_CONV1D_CAUSAL: return conv1d_causal(tt, x, args[1]);
  case TENSOR_RECURRENCE: return recurrence(tt, x, args[1], args[2], axes[0]);
  case TENSOR_LOG_SOFTMAX: return tensor_binary(tt, TENSOR_SUB, x, tensor_idiom(tt, TENSOR_LOGSUMEXP, &x, 1, axes));
  case TENSOR_SWIGLU: return tensor_binary(tt, TENSOR_MUL, tensor_idiom(tt, TENSOR_SILU, &x, 0, NULL), args[1]);
  case TENSOR_LINEAR:
    return args[1]->rank == 2 ? tensor_binary(tt, TENSOR_ADD, tensor_matmul(tt, x, transposed(tt, args[1])), args[2])
                              : NULL;
  case TENSOR_ROTARY: return rotary(tt, x, args[1], args[2]);
  case TENSOR_BATCH_NORM: return batch_norm(tt, args);
  case TENSOR_GROUP_NORM: return group_norm(tt, x, args[1], args[2]);
  case TENSOR_CROSS_ENTROPY: return cross_entropy(tt, x, args[1]);
  case TENSOR_ATTENTION: return attention(tt, args, false);
  case TENSOR_CAUSAL_ATTENTION: return attention(tt, args, true);
  case TENSOR_IDIOM_COUNT: break;
  }
  return NULL;
}

const char *tensor_idiom_text(TensorIdiom idiom) {
  static const char *const texts[] = {
#define TENSOR_IDIOM(id, text, arguments, axes, last) text,
#include "tensor/idioms.def"
#undef TENSOR_IDIOM
  };
  return texts[idiom];
}

uint32_t tensor_idiom_arguments(TensorIdiom idiom) {
  static const uint8_t counts[] = {
#define TENSOR_IDIOM(id, text, arguments, axes, last) arguments,
#include "tensor/idioms.def"
#undef TENSOR_IDIOM
  };
  return counts[idiom];
}

const char *tensor_idiom_keyword(TensorIdiom idiom) {
  static const char *const keywords[] = {
#define TENSOR_IDIOM(id, text, arguments, axes, last) last,
#include "tensor/idioms.def"
#undef TENSOR_IDIOM
  };
  return keywords[idiom];
}

TensorIdiomAxes tensor_idiom_axes(TensorIdiom idiom) {
  static const uint8_t axes[] = {
#define TENSOR_IDIOM(id, text, arguments, axes, last) TENSOR_AXES_##axes,
#include "tensor/idioms.def"
#undef TENSOR_IDIOM
  };
  return (TensorIdiomAxes)axes[idiom];
}

/* The first argument of a recurrence may be a scalar. */
uint32_t tensor_idiom_array(TensorIdiom idiom) { return idiom == TENSOR_RECURRENCE ? 1 : 0; }

bool tensor_idiom_shows_axes(const TensorExpr *e) {
  TensorIdiomAxes axes = tensor_idiom_axes(e->idiom);
  return axes == TENSOR_AXES_SOME ? e->axis_count < e->args[0]->rank : axes == TENSOR_AXES_ONE;
}

const TensorExpr *tensor_idiom(TermTable *tt, TensorIdiom idiom, const Expr *args, uint32_t axis_count,
                               const uint8_t *axes) {
  uint32_t count = tensor_idiom_arguments(idiom);
  const TensorExpr **copy = arena_array(tt->arena, const TensorExpr *, count + 1);
  for (uint32_t i = 0; i < count; i++)
    if (!(copy[i] = args[i])) return NULL;
  for (uint32_t i = 0; i < axis_count; i++)
    if (axes[i] >= copy[tensor_idiom_array(idiom)]->rank) return NULL;
  Expr plain = define(tt, idiom, args, axis_count, axes);
  if (!plain) return NULL;
  TensorExpr *e = arena_new(tt->arena, TensorExpr);
  *e = (TensorExpr){.op = TENSOR_IDIOM,
                    .idiom = idiom,
                    .plain = plain,
                    .sort = plain->sort,
                    .rank = plain->rank,
                    .count = count,
                    .size = 1,
                    .place = plain->place,
                    .args = copy,
                    .axis_count = (uint8_t)axis_count};
  memcpy(e->shape, plain->shape, sizeof e->shape);
  if (axis_count) memcpy(e->axes, axes, axis_count);
  for (uint32_t i = 0; i < count; i++) e->size += args[i]->size, e->cost += args[i]->cost;
  return e;
}
