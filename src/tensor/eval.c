/* Evaluation of tensor expressions on whole arrays of doubles, as NumPy would do it: the oracle of tensor_meaning.
 *
 * Plain loops over dense row-major arrays; nothing is shared with the term evaluator but the rational constants.
 * Indices that leave a tensor are clamped: a `where` decides whether the element counts. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "tensor/tensor.h"

typedef struct Eval {
  TermTable *tt;
  Arena *arena;
  const TensorEnvironment *environment;
} Eval;

static TensorArray eval(Eval *v, const TensorExpr *e);

static double size_value(Eval *v, Term size) {
  TermTable *tt = v->tt;
  const TensorExpr *e = tensor_size(tt, size);
  if (!e) guard_throw(v->arena->guard, GUARD_INTERNAL, "a size that is no size: %s", term_text(tt, size));
  double value = eval(v, e).data[0];
  return isfinite(value) ? value : 0; /* a division by 0, as term_eval has it */
}

static int64_t count_of(const TensorArray *a) {
  int64_t n = 1;
  for (uint32_t i = 0; i < a->rank; i++) n *= a->shape[i];
  return n;
}

static TensorArray new_array(Eval *v, const TensorExpr *e) {
  TensorArray a = {.rank = e->rank};
  for (uint32_t i = 0; i < e->rank; i++)
    a.shape[i] = e->shape[i] == v->tt->one ? 1 : (int64_t)size_value(v, e->shape[i]);
  a.data = arena_array(v->arena, double, count_of(&a) + 1);
  return a;
}

static int64_t clamp(int64_t i, int64_t n) { return i < 0 || n < 1 ? 0 : i >= n ? n - 1 : i; }

/* The element of a at the multi-index, aligned at the last axis; axes of length 1 are stretched. */
static double at(const TensorArray *a, uint32_t rank, const int64_t *index) {
  int64_t flat = 0;
  for (uint32_t i = 0; i < a->rank; i++) {
    int64_t k = index[rank - a->rank + i];
    flat = flat * a->shape[i] + (a->shape[i] == 1 ? 0 : clamp(k, a->shape[i]));
  }
  return a->data[flat];
}

static bool next(const TensorArray *a, int64_t *index) {
  for (uint32_t i = a->rank; i-- > 0; index[i] = 0)
    if (++index[i] < a->shape[i]) return true;
  return false;
}

/* Modulo 2^width, as a signed number. */
static double wrapped(int width, double x) {
  double all = ldexp(1, width), rest = x - all * floor(x / all);
  return rest >= all / 2 ? rest - all : rest;
}

static double fn_value(TermFn fn, double a, double b) {
  bool of_bits = fn == FN_BITAND || fn == FN_BITOR || fn == FN_BITXOR;
  if (of_bits && !(fabs(a) < 0x1p63 && fabs(b) < 0x1p63)) return NAN; /* no integer */
  if (fn == FN_BITAND) return (double)((int64_t)a & (int64_t)b);
  if (fn == FN_BITOR) return (double)((int64_t)a | (int64_t)b);
  return fn == FN_BITXOR ? (double)((int64_t)a ^ (int64_t)b) : term_fn_value(fn, a, b);
}

/* Any function will do: expressions that agree for one that was drawn agree for the bits. */
static double any_bits(const TensorExpr *e, const double *x) {
  uint64_t h = random_mix(e->bits->body);
  for (uint32_t i = 0; i < e->count; i++) h = random_mix(h ^ (uint64_t)(int64_t)x[i]);
  return (double)(int32_t)(uint32_t)h;
}

/* What is no number stays none. */
static double maximum(double a, double b) { return isnan(a) ? a : !(a > b) ? b : a; }

static double scalar_op(const TensorExpr *e, const double *x) {
  switch (e->op) {
#define TENSOR_OP(id, text, form, bind, sort, latex, value, term)                                                      \
  case TENSOR_##id:                                                                                                    \
    return value;
#include "tensor/ops.def"
#undef TENSOR_OP
  case TENSOR_OP_COUNT: break;
  }
  return NAN;
}

static double leaf_value(Eval *v, const TensorExpr *e) {
  if (e->op == TENSOR_SCALAR) return v->environment->scalar(v->environment->payload, e->symbol);
  TermKind kind = term_kind(v->tt, e->value);
  if (kind == TERM_INF) return INFINITY;
  if (kind == TERM_NEG_INF) return -INFINITY;
  if (kind == TERM_TRUE) return 1;
  if (kind == TERM_FALSE) return 0;
  double far;
  return term_is_far(v->tt, e->value, &far) ? far : rational_to_double(term_rat(v->tt, e->value));
}

/* Where element `index` of a view lies in its argument. */
static void view_index(Eval *v, const TensorExpr *e, const TensorArray *own, const TensorArray *a, const int64_t *index,
                       int64_t *out) {
  int64_t flat = 0;
  if (e->op == TENSOR_SLICE) {
    for (uint32_t i = 0, n = 0; i < a->rank; i++) {
      TensorSlice s = e->slices[i];
      int64_t start = (int64_t)size_value(v, s.start);
      out[i] = s.point ? start : start + (int64_t)size_value(v, s.step) * index[n];
      n += !s.point;
    }
  } else if (e->op == TENSOR_TRANSPOSE) {
    for (uint32_t i = 0; i < e->rank; i++) out[e->axes[i]] = index[i];
  } else if (e->op == TENSOR_EXPAND) {
    for (uint32_t i = 0; i < a->rank; i++) out[i] = index[i + (i >= e->axis)];
  } else if (e->op == TENSOR_RESHAPE) {
    for (uint32_t i = 0; i < own->rank; i++) flat = flat * own->shape[i] + index[i];
    for (uint32_t i = a->rank; i-- > 0; flat /= a->shape[i]) out[i] = flat % a->shape[i];
  } else if (e->op == TENSOR_SQUEEZE) {
    for (uint32_t i = 0, gone = 0; i < a->rank; i++) {
      bool drop = gone < e->axis_count && e->axes[gone] == i;
      out[i] = drop ? 0 : index[i - gone];
      gone += drop;
    }
  } else {
    for (uint32_t i = 0; i < a->rank; i++) out[i] = index[own->rank - a->rank + i];
  }
}

static double indexed_value(const TensorExpr *e, const TensorArray *args, uint32_t rank, const int64_t *index) {
  int64_t out[TENSOR_MAX_RANK];
  const TensorArray *a = &args[0];
  for (uint32_t i = 0; i < a->rank; i++) {
    if (e->op == TENSOR_GATHER)
      out[i] = (int64_t)at(&args[i + 1], rank, index);
    else if (e->op == TENSOR_TAKE_ALONG)
      out[i] = i == e->axis ? (int64_t)at(&args[1], rank, index) : index[i];
    else if (i == e->axis)
      out[i] = (int64_t)at(&args[1], args[1].rank, index + e->axis);
    else
      out[i] = i < e->axis ? index[i] : index[i + args[1].rank - 1];
  }
  return at(a, a->rank, out);
}

static double combine(TermFoldOp op, double acc, double x) {
  switch (op) {
  case FOLD_SUM: return acc + x;
  case FOLD_PROD: return acc * x;
  case FOLD_MAX: return isnan(acc) ? acc : !(acc > x) ? x : acc;
  case FOLD_MIN: return isnan(acc) ? acc : !(acc < x) ? x : acc;
  case FOLD_ANY: return acc != 0 || x != 0;
  case FOLD_ALL: return acc != 0 && x != 0;
  case FOLD_XOR: return (double)((int64_t)acc ^ (int64_t)x);
  case FOLD_ARGMAX:
  case FOLD_ARGMIN:
  case FOLD_OP_COUNT: break;
  }
  return NAN;
}

static double fold_start(TermFoldOp op) {
  if (op == FOLD_PROD || op == FOLD_ALL) return 1;
  if (op == FOLD_MAX || op == FOLD_ARGMAX) return -INFINITY;
  if (op == FOLD_MIN || op == FOLD_ARGMIN) return INFINITY;
  return 0;
}

static double reduce_value(const TensorExpr *e, const TensorArray *a, const int64_t *index) {
  int64_t in[TENSOR_MAX_RANK], best = -1;
  double acc = fold_start(e->fold);
  TensorArray range = {.rank = e->axis_count};
  int64_t k[TENSOR_MAX_RANK] = {0};
  memcpy(in, index, sizeof *in * a->rank);
  for (uint32_t i = 0; i < e->axis_count; i++) range.shape[i] = a->shape[e->axes[i]];
  if (!count_of(&range)) return acc;
  do {
    for (uint32_t i = 0; i < e->axis_count; i++) in[e->axes[i]] = k[i];
    double x = at(a, a->rank, in);
    if (e->fold == FOLD_ARGMAX || e->fold == FOLD_ARGMIN) {
      if (best < 0 || (e->fold == FOLD_ARGMAX ? x > acc : x < acc)) acc = x, best = k[0];
    } else
      acc = combine(e->fold, acc, x);
  } while (next(&range, k));
  return best >= 0 ? (double)best : acc;
}

static double fold_value(const TensorExpr *e, const TensorArray *args, uint32_t rank, const int64_t *index) {
  const TensorArray *a = &args[0];
  int64_t in[TENSOR_MAX_RANK], other[TENSOR_MAX_RANK];
  memcpy(in, index, sizeof *in * rank);
  if (e->op == TENSOR_REDUCE) return reduce_value(e, a, index);
  if (e->op == TENSOR_SCAN) {
    double acc = fold_start(e->fold);
    for (in [e->axis] = 0; in[e->axis] <= index[e->axis]; in[e->axis]++) acc = combine(e->fold, acc, at(a, rank, in));
    return acc;
  }
  if (e->op == TENSOR_MATMUL) {
    double sum = 0;
    memcpy(other, index, sizeof *other * rank);
    for (int64_t k = 0; k < a->shape[a->rank - 1]; k++) {
      in[rank - 1] = other[rank - 2] = k;
      sum += at(a, rank, in) * at(&args[1], rank, other);
    }
    return sum;
  }
  uint32_t part = 0;
  for (; part + 1 < e->count && in[e->axis] >= args[part].shape[e->axis]; part++)
    in[e->axis] -= args[part].shape[e->axis];
  return at(&args[part], rank, in);
}

/* a[t] * y[t - 1] + x[t]: own has what stands before it. Its definition would take arrays of three such axes. */
static double recurrence_value(const TensorExpr *e, const TensorArray *args, const TensorArray *own,
                               const int64_t *index) {
  uint32_t axis = e->axes[0], kept = 0;
  int64_t before[TENSOR_MAX_RANK], start[TENSOR_MAX_RANK];
  memcpy(before, index, sizeof *before * own->rank);
  for (uint32_t i = 0; i < own->rank; i++)
    if (i != axis) start[kept++] = index[i];
  before[axis]--;
  double previous = index[axis] ? at(own, own->rank, before) : at(&args[2], kept, start);
  return at(&args[0], own->rank, index) * previous + at(&args[1], own->rank, index);
}

/* Of nothing but -inf: the logarithm of 0, as array libraries have it. */
static TensorArray logsumexp(Eval *v, const TensorExpr *e) {
  TensorArray a = eval(v, e->plain);
  if (e->plain->op != TENSOR_ADD) return a;
  TensorArray largest = eval(v, e->plain->args[0]);
  for (int64_t i = 0; i < count_of(&a) && count_of(&a) == count_of(&largest); i++)
    if (largest.data[i] == -INFINITY) a.data[i] = -INFINITY;
  return a;
}

static TensorArray eval(Eval *v, const TensorExpr *e) {
  guard_tick(v->arena->guard);
  if (e->op == TENSOR_INPUT) return v->environment->input(v->environment->payload, e->symbol);
  bool is_recurrence = e->op == TENSOR_IDIOM && e->idiom == TENSOR_RECURRENCE;
  if (e->op == TENSOR_IDIOM && e->idiom == TENSOR_LOGSUMEXP) return logsumexp(v, e);
  if (e->op == TENSOR_IDIOM && !is_recurrence) return eval(v, e->plain);
  TensorArray own = new_array(v, e), *args = arena_array(v->arena, TensorArray, e->count + 1);
  for (uint32_t i = 0; i < e->count; i++) args[i] = eval(v, e->args[i]);
  int64_t index[TENSOR_MAX_RANK] = {0}, in[TENSOR_MAX_RANK], n = 0;
  double x[TENSOR_BITS_ARGUMENTS], limit = v->environment->whole_limit;
  bool is_limited = limit > 0 && e->sort == SORT_INT && e->place < TENSOR_PLACE_INDEX;
  if (!count_of(&own)) return own;
  do {
    double value = NAN;
    switch (tensor_op_form(e->op)) {
    case TENSOR_FORM_LEAF: value = e->op == TENSOR_INDEX ? (double)index[0] : leaf_value(v, e); break;
    case TENSOR_FORM_UNARY:
    case TENSOR_FORM_BINARY:
    case TENSOR_FORM_TERNARY:
    case TENSOR_FORM_CALL:
      for (uint32_t i = 0; i < e->count; i++) x[i] = at(&args[i], own.rank, index);
      value = scalar_op(e, x);
      break;
    case TENSOR_FORM_VIEW:
      view_index(v, e, &own, &args[0], index, in);
      value = at(&args[0], args[0].rank, in);
      break;
    case TENSOR_FORM_INDEX: value = indexed_value(e, args, own.rank, index); break;
    case TENSOR_FORM_FOLD:
      value = is_recurrence ? recurrence_value(e, args, &own, index) : fold_value(e, args, own.rank, index);
      break;
    }
    own.data[n++] = is_limited && !(value < limit && value >= -limit) ? NAN : value;
  } while (next(&own, index));
  return own;
}

TensorArray tensor_eval(TermTable *tt, Arena *arena, const TensorExpr *e, const TensorEnvironment *environment) {
  Eval v = {.tt = tt, .arena = arena, .environment = environment};
  return eval(&v, e);
}
