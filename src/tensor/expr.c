/* Constructors of tensor expressions: they compute shapes and refuse what does not fit.
 *
 * Trivial nodes are not made: a slice of everything, a transposition that moves nothing, the sum over an axis of a sum
 * over another one. No other simplification happens here: the expression is what the deduction asked for. */
#include <string.h>

#include "tensor/tensor.h"

bool tensor_is_whole_division(TensorOp op) {
  return op == TENSOR_FLOORDIV || op == TENSOR_MOD || op == TENSOR_TRUNCDIV;
}

bool tensor_raises(TermTable *tt, const TensorExpr *e) {
  if (e->op == TENSOR_TAKE || e->op == TENSOR_TAKE_ALONG || e->op == TENSOR_GATHER) return true;
  if (!tensor_is_whole_division(e->op) || e->sort != SORT_INT) return false;
  return e->args[1]->op != TENSOR_CONST || e->args[1]->value == tt->zero;
}

static TensorExpr *make(TermTable *tt, TensorOp op, TermSort sort, uint32_t count, const TensorExpr *const *args) {
  TensorExpr *e = arena_new(tt->arena, TensorExpr);
  const TensorExpr **copy = arena_array(tt->arena, const TensorExpr *, count ? count : 1);
  *e = (TensorExpr){.op = op, .sort = sort, .count = count, .size = 1, .place = TENSOR_PLACE_CONST, .args = copy};
  for (uint32_t i = 0; i < count; i++) {
    if (!args[i]) return NULL;
    copy[i] = args[i];
    e->may_raise |= args[i]->may_raise;
    e->size = e->size + args[i]->size < UINT32_MAX / 2 ? e->size + args[i]->size : UINT32_MAX / 2;
    e->cost = e->cost + args[i]->cost < UINT32_MAX / 2 ? e->cost + args[i]->cost : UINT32_MAX / 2;
    bool tensor = e->place < TENSOR_PLACE_INDEX; /* the first tensor that is mentioned, else the least scalar */
    if (!tensor && args[i]->place < e->place) e->place = args[i]->place;
  }
  e->may_raise |= tensor_raises(tt, e);
  return e;
}

static void set_shape(TensorExpr *e, uint32_t rank, const Term *shape) {
  e->rank = (uint8_t)rank;
  for (uint32_t i = 0; i < rank; i++) e->shape[i] = shape[i];
}

/* The shape of e becomes the broadcast of itself and a's. */
static bool broadcast_in(TermTable *tt, TensorExpr *e, const TensorExpr *a) {
  Term shape[TENSOR_MAX_RANK];
  uint32_t rank = e->rank > a->rank ? e->rank : a->rank;
  for (uint32_t i = 0; i < rank; i++) {
    uint32_t back = rank - i;
    Term x = back <= e->rank ? e->shape[e->rank - back] : tt->one,
         y = back <= a->rank ? a->shape[a->rank - back] : tt->one;
    if (x != y && x != tt->one && y != tt->one && term_sub(tt, x, y) != tt->zero) return false;
    shape[i] = x == tt->one ? y : x;
  }
  set_shape(e, rank, shape);
  return true;
}

static const TensorExpr *elementwise(TermTable *tt, TensorOp op, TermSort sort, uint32_t count,
                                     const TensorExpr *const *args) {
  TensorExpr *e = make(tt, op, sort, count, args);
  for (uint32_t i = 0; e && i < count; i++)
    if (!broadcast_in(tt, e, args[i])) return NULL;
  return e;
}

/* ---- leaves ---- */

const TensorExpr *tensor_input(TermTable *tt, Term symbol, const char *name, uint32_t place, TermSort sort,
                               uint32_t rank, const Term *shape) {
  TensorExpr *e = make(tt, TENSOR_INPUT, sort, 0, NULL);
  e->symbol = symbol, e->name = name, e->place = place;
  set_shape(e, rank, shape);
  return e;
}

const TensorExpr *tensor_const(TermTable *tt, Term value) {
  TensorExpr *e = make(tt, TENSOR_CONST, term_sort(tt, value), 0, NULL);
  e->value = value;
  return e;
}

const TensorExpr *tensor_scalar(TermTable *tt, Term symbol, const char *name, uint32_t place) {
  TensorExpr *e = make(tt, TENSOR_SCALAR, term_sort(tt, symbol), 0, NULL);
  e->symbol = symbol, e->name = name, e->place = TENSOR_PLACE_SCALAR + place;
  return e;
}

const TensorExpr *tensor_index(TermTable *tt, Term length) {
  TensorExpr *e = make(tt, TENSOR_INDEX, SORT_INT, 0, NULL);
  e->place = TENSOR_PLACE_INDEX, e->cost = 2;
  set_shape(e, 1, &length);
  return e;
}

/* ---- elementwise ---- */

/* The column `sort` of ops.def. */
static TermSort sort_of(TensorOp op, TermSort same) {
  enum { INT = SORT_INT, REAL = SORT_REAL, BOOL = SORT_BOOL, SAME = SORT_PTR + 1 };
  static const uint8_t sorts[] = {
#define TENSOR_OP(id, text, form, bind, sort, latex, value, term) sort,
#include "tensor/ops.def"
#undef TENSOR_OP
  };
  return sorts[op] == SAME ? same : (TermSort)sorts[op];
}

const TensorExpr *tensor_unary(TermTable *tt, TensorOp op, const TensorExpr *a) {
  if (!a) return NULL;
  TermSort sort = sort_of(op, a->sort);
  return elementwise(tt, op, sort, 1, &a);
}

static bool is_const(TermTable *tt, const TensorExpr *e, int64_t wanted) {
  int64_t value;
  return e->op == TENSOR_CONST && term_is_int(tt, e->value, &value) && value == wanted;
}

const TensorExpr *tensor_binary(TermTable *tt, TensorOp op, const TensorExpr *a, const TensorExpr *b) {
  if (!a || !b) return NULL;
  TermSort sort = sort_of(op, a->sort == SORT_INT && b->sort == SORT_INT ? SORT_INT : SORT_REAL);
  if (op == TENSOR_MUL && is_const(tt, a, 1)) return b;
  if ((op == TENSOR_MUL || op == TENSOR_DIV || op == TENSOR_POW) && is_const(tt, b, 1)) return a;
  if (op == TENSOR_POW) {
    int64_t e;
    bool is_literal = b->op == TENSOR_CONST && term_is_rat(tt, b->value);
    if (!is_literal && (b->op == TENSOR_CONST || b->sort != SORT_INT)) return NULL;
    if (is_literal && (!term_is_int(tt, b->value, &e) || e < 0)) sort = SORT_REAL;
  }
  return elementwise(tt, op, sort, 2, (const TensorExpr *const[]){a, b});
}

const TensorExpr *tensor_fn(TermTable *tt, TermFn fn, uint32_t count, const TensorExpr *const *args) {
  TensorExpr *e =
      (TensorExpr *)elementwise(tt, count == 1 ? TENSOR_FN1 : TENSOR_FN2, term_fn_info(fn)->sort, count, args);
  if (e) e->fn = fn;
  return e;
}

const TensorExpr *tensor_bits(TermTable *tt, const TensorBits *bits, const TensorExpr *const *args) {
  TensorExpr *e = (TensorExpr *)elementwise(tt, TENSOR_BITS, SORT_INT, bits->count, args);
  if (e) e->bits = bits;
  return e;
}

const TensorExpr *tensor_where(TermTable *tt, const TensorExpr *c, const TensorExpr *a, const TensorExpr *b) {
  if (!c || !a || !b) return NULL;
  bool end_first = a->op == TENSOR_CONST &&
                   (a->value == tt->inf || a->value == tt->neg_inf); /* beside integers, what an empty maximum is */
  bool end_last = b->op == TENSOR_CONST && (b->value == tt->inf || b->value == tt->neg_inf);
  TermSort sort = a->sort == b->sort                 ? a->sort
                  : end_first && b->sort == SORT_INT ? SORT_INT
                  : end_last && a->sort == SORT_INT  ? SORT_INT
                                                     : SORT_REAL;
  return elementwise(tt, TENSOR_WHERE, sort, 3, (const TensorExpr *const[]){c, a, b});
}

/* ---- views ---- */

const TensorExpr *tensor_slice(TermTable *tt, const TensorExpr *a, const TensorSlice *slices) {
  if (!a) return NULL;
  bool whole = true;
  uint32_t rank = 0;
  Term shape[TENSOR_MAX_RANK];
  TensorSlice *copy = arena_array(tt->arena, TensorSlice, a->rank);
  memcpy(copy, slices, sizeof *slices * a->rank);
  for (uint32_t i = 0; i < a->rank; i++) {
    TensorSlice s = copy[i];
    if (!s.point) shape[rank++] = term_cdiv(tt, term_sub(tt, s.stop, s.start), s.step);
    bool has_steps = !s.point && s.step != tt->one;
    bool is_even = has_steps && (s.start == tt->zero || term_mod(tt, a->shape[i], s.step) == tt->zero);
    bool to_end = is_even && shape[rank - 1] == term_cdiv(tt, term_sub(tt, a->shape[i], s.start), s.step);
    if (to_end) copy[i].stop = s.stop = a->shape[i]; /* x[1:4*n - 2:4] of 4*n elements is x[1::4] */
    whole &= !s.point && s.start == tt->zero && s.step == tt->one && s.stop == a->shape[i];
  }
  if (whole) return a;
  TensorExpr *e = make(tt, TENSOR_SLICE, a->sort, 1, &a);
  e->slices = copy, e->cost += 1;
  set_shape(e, rank, shape);
  return e;
}

const TensorExpr *tensor_transpose(TermTable *tt, const TensorExpr *a, const uint8_t *axes) {
  if (!a) return NULL;
  bool same = true;
  for (uint32_t i = 0; i < a->rank; i++) same &= axes[i] == i;
  if (same) return a;
  if (a->op == TENSOR_TRANSPOSE) { /* of a transposition: one */
    uint8_t both[TENSOR_MAX_RANK];
    for (uint32_t i = 0; i < a->rank; i++) both[i] = a->axes[axes[i]];
    return tensor_transpose(tt, a->args[0], both);
  }
  TensorExpr *e = make(tt, TENSOR_TRANSPOSE, a->sort, 1, &a);
  e->rank = a->rank, e->cost += 4;
  for (uint32_t i = 0; i < a->rank; i++) e->axes[i] = axes[i], e->shape[i] = a->shape[axes[i]];
  return e;
}

const TensorExpr *tensor_expand(TermTable *tt, const TensorExpr *a, uint32_t axis) {
  if (!a || a->rank + 1 > TENSOR_MAX_RANK || axis > a->rank) return NULL;
  TensorExpr *e = make(tt, TENSOR_EXPAND, a->sort, 1, &a);
  const TensorExpr *leaf = a;
  while (leaf->op == TENSOR_EXPAND) leaf = leaf->args[0];
  e->rank = (uint8_t)(a->rank + 1), e->axis = (uint8_t)axis, e->cost += leaf->op == TENSOR_INDEX ? 0 : 2;
  for (uint32_t i = 0; i < e->rank; i++) e->shape[i] = i == axis ? tt->one : a->shape[i - (i > axis)];
  return e;
}

const TensorExpr *tensor_reshape(TermTable *tt, const TensorExpr *a, uint32_t rank, const Term *shape) {
  if (!a || rank > TENSOR_MAX_RANK) return NULL;
  Term before = tt->one, after = tt->one;
  bool same = rank == a->rank;
  for (uint32_t i = 0; i < a->rank; i++) before = term_mul(tt, before, a->shape[i]);
  for (uint32_t i = 0; i < rank; i++) after = term_mul(tt, after, shape[i]), same = same && shape[i] == a->shape[i];
  if (before != after && !(term_prove_le(tt, before, after) && term_prove_le(tt, after, before))) return NULL;
  if (same) return a;
  const TensorExpr *once = a->op == TENSOR_RESHAPE ? tensor_reshape(tt, a->args[0], rank, shape) : NULL;
  if (once) return once;
  TensorExpr *e = make(tt, TENSOR_RESHAPE, a->sort, 1, &a);
  e->cost += 3;
  set_shape(e, rank, shape);
  return e;
}

const TensorExpr *tensor_squeeze(TermTable *tt, const TensorExpr *a, uint32_t count, const uint8_t *axes) {
  if (!a) return NULL;
  if (!count) return a;
  TensorExpr *e = make(tt, TENSOR_SQUEEZE, a->sort, 1, &a);
  uint32_t rank = 0, next = 0;
  for (uint32_t i = 0; i < a->rank; i++) {
    if (next < count && axes[next] == i) {
      if (a->shape[i] != tt->one) return NULL;
      e->axes[next++] = (uint8_t)i;
    } else
      e->shape[rank++] = a->shape[i];
  }
  if (next != count) return NULL;
  e->rank = (uint8_t)rank, e->axis_count = (uint8_t)count, e->cost += 2;
  return e;
}

const TensorExpr *tensor_broadcast(TermTable *tt, const TensorExpr *a, uint32_t rank, const Term *shape) {
  if (!a || a->rank > rank) return NULL;
  bool same = a->rank == rank;
  for (uint32_t i = 0; i < rank && same; i++) same = a->shape[i] == shape[i];
  if (same) return a;
  TensorExpr *e = make(tt, TENSOR_BROADCAST, a->sort, 1, &a);
  set_shape(e, rank, shape);
  if (!broadcast_in(tt, e, a)) return NULL;
  for (uint32_t i = 0; i < rank; i++) /* an axis of length 1 there does not take in a longer one */
    if (e->shape[i] != shape[i] && term_sub(tt, e->shape[i], shape[i]) != tt->zero) return NULL;
  return e;
}

const TensorExpr *tensor_take(TermTable *tt, const TensorExpr *a, const TensorExpr *indices, uint32_t axis) {
  if (!a || !indices || axis >= a->rank || a->rank + indices->rank > TENSOR_MAX_RANK + 1) return NULL;
  TensorExpr *e = make(tt, TENSOR_TAKE, a->sort, 2, (const TensorExpr *const[]){a, indices});
  e->axis = (uint8_t)axis, e->cost += 3;
  uint32_t n = 0;
  for (uint32_t i = 0; i < axis; i++) e->shape[n++] = a->shape[i];
  for (uint32_t i = 0; i < indices->rank; i++) e->shape[n++] = indices->shape[i];
  for (uint32_t i = axis + 1; i < a->rank; i++) e->shape[n++] = a->shape[i];
  e->rank = (uint8_t)n;
  return e;
}

/* sign * e = *rest + *slope * index(n), over sizes */
static bool is_linear(TermTable *tt, const TensorExpr *e, int sign, Term *rest, int *slope) {
  if (e->op == TENSOR_INDEX) return *slope += sign, true;
  if (e->op == TENSOR_NEG) return is_linear(tt, e->args[0], -sign, rest, slope);
  if (e->op == TENSOR_ADD || e->op == TENSOR_SUB)
    return is_linear(tt, e->args[0], sign, rest, slope) &&
           is_linear(tt, e->args[1], e->op == TENSOR_ADD ? sign : -sign, rest, slope);
  Term size = e->rank ? 0 : tensor_meaning(tt, e, NULL);
  if (size) *rest = term_add(tt, *rest, term_scale(tt, rational_int(sign), size));
  return size != 0;
}

bool tensor_is_flip(TermTable *tt, const TensorExpr *e) {
  if (e->op != TENSOR_TAKE || e->args[1]->rank != 1 || e->args[1]->sort != SORT_INT ||
      e->args[1]->shape[0] != e->args[0]->shape[e->axis])
    return false;
  Term rest = tt->zero;
  int slope = 0;
  return is_linear(tt, e->args[1], 1, &rest, &slope) && slope == -1 &&
         rest == term_sub(tt, e->args[1]->shape[0], tt->one);
}

const TensorExpr *tensor_take_along(TermTable *tt, const TensorExpr *a, const TensorExpr *indices, uint32_t axis) {
  if (!a || !indices || axis >= a->rank) return NULL;
  for (uint32_t i = indices->rank; i < a->rank; i++) indices = tensor_expand(tt, indices, 0);
  if (!indices || indices->rank != a->rank) return NULL;
  TensorExpr *e = make(tt, TENSOR_TAKE_ALONG, a->sort, 2, (const TensorExpr *const[]){a, indices});
  e->axis = (uint8_t)axis, e->cost += 3, e->rank = a->rank;
  for (uint32_t i = 0; i < a->rank; i++) {
    Term x = a->shape[i], y = indices->shape[i];
    if (i != axis && x != y && y != tt->one && x != tt->one) return NULL;
    e->shape[i] = i == axis ? y : x == tt->one ? y : x;
  }
  return e;
}

const TensorExpr *tensor_gather(TermTable *tt, const TensorExpr *a, const TensorExpr *const *indices) {
  const TensorExpr *args[TENSOR_MAX_RANK + 1];
  if (!a) return NULL;
  args[0] = a;
  for (uint32_t i = 0; i < a->rank; i++) args[i + 1] = indices[i];
  TensorExpr *e = make(tt, TENSOR_GATHER, a->sort, a->rank + 1u, args);
  if (!e) return NULL;
  e->cost += 12;
  for (uint32_t i = 1; i <= a->rank; i++)
    if (!broadcast_in(tt, e, args[i])) return NULL;
  return e;
}

/* ---- folds ---- */

static bool is_arg(TermFoldOp fold) { return fold == FOLD_ARGMAX || fold == FOLD_ARGMIN; }

const TensorExpr *tensor_reduce(TermTable *tt, TermFoldOp fold, const TensorExpr *a, uint32_t axis) {
  if (!a || axis >= a->rank) return NULL;
  const TensorExpr *inner = a->op == TENSOR_REDUCE && a->fold == fold && !is_arg(fold) ? a->args[0] : a;
  TensorExpr *e = make(tt, TENSOR_REDUCE, is_arg(fold) ? SORT_INT : a->sort, 1, &inner);
  e->fold = fold;
  bool gone[TENSOR_MAX_RANK] = {0};
  gone[axis] = true;
  for (uint32_t i = 0; inner != a && i < a->axis_count; i++) {
    if (gone[a->axes[i]]) return NULL;
    gone[a->axes[i]] = true;
  }
  set_shape(e, a->rank, inner->shape);
  for (uint32_t i = 0; i < a->rank; i++)
    if (gone[i]) e->axes[e->axis_count++] = (uint8_t)i, e->shape[i] = tt->one;
  return e;
}

const TensorExpr *tensor_scan(TermTable *tt, TermFoldOp fold, const TensorExpr *a, uint32_t axis) {
  if (!a || axis >= a->rank || is_arg(fold) || fold == FOLD_XOR) return NULL;
  TensorExpr *e = make(tt, TENSOR_SCAN, a->sort, 1, &a);
  e->fold = fold, e->axis = (uint8_t)axis;
  set_shape(e, a->rank, a->shape);
  return e;
}

const TensorExpr *tensor_matmul(TermTable *tt, const TensorExpr *a, const TensorExpr *b) {
  if (!a || !b || a->rank < 2 || b->rank < 2) return NULL;
  Term k = a->shape[a->rank - 1];
  if (k != b->shape[b->rank - 2]) return NULL;
  TensorExpr *e = make(tt, TENSOR_MATMUL, a->sort == SORT_INT && b->sort == SORT_INT ? SORT_INT : SORT_REAL, 2,
                       (const TensorExpr *const[]){a, b});
  TensorExpr lead = {.rank = 0}, left = *a, right = *b;
  left.rank = (uint8_t)(a->rank - 2), right.rank = (uint8_t)(b->rank - 2);
  if (!broadcast_in(tt, &lead, &left) || !broadcast_in(tt, &lead, &right)) return NULL;
  set_shape(e, lead.rank, lead.shape);
  e->shape[e->rank++] = a->shape[a->rank - 2];
  e->shape[e->rank++] = b->shape[b->rank - 1];
  return e;
}

const TensorExpr *tensor_concat(TermTable *tt, const TensorExpr *a, const TensorExpr *b, uint32_t axis) {
  if (!a || !b || a->rank != b->rank || axis >= a->rank) return NULL;
  const TensorExpr *args[32];
  uint32_t n = 0;
  const TensorExpr *side[2] = {a, b};
  for (int s = 0; s < 2; s++) {
    bool flat = side[s]->op == TENSOR_CONCAT && side[s]->axis == axis && n + side[s]->count < 31;
    for (uint32_t i = 0; i < (flat ? side[s]->count : 1); i++) args[n++] = flat ? side[s]->args[i] : side[s];
  }
  TensorExpr *e = make(tt, TENSOR_CONCAT, a->sort == b->sort ? a->sort : SORT_REAL, n, args);
  e->axis = (uint8_t)axis;
  set_shape(e, a->rank, a->shape);
  for (uint32_t i = 0; i < a->rank; i++) {
    if (i == axis)
      e->shape[i] = term_add(tt, a->shape[i], b->shape[i]);
    else if (a->shape[i] != b->shape[i])
      return NULL;
  }
  return e;
}

/* ---- looking ---- */

const char *tensor_op_text(TensorOp op) {
  static const char *const texts[] = {
#define TENSOR_OP(id, text, form, bind, sort, latex, value, term) text,
#include "tensor/ops.def"
#undef TENSOR_OP
  };
  return texts[op];
}

TensorForm tensor_op_form(TensorOp op) {
  static const TensorForm forms[] = {
#define TENSOR_OP(id, text, form, bind, sort, latex, value, term) TENSOR_FORM_##form,
#include "tensor/ops.def"
#undef TENSOR_OP
  };
  return forms[op];
}

const char *tensor_fold_text(const TensorExpr *e) {
  if (e->op != TENSOR_SCAN) return term_fold_name(e->fold);
  switch (e->fold) {
  case FOLD_SUM: return "cumsum";
  case FOLD_PROD: return "cumprod";
  case FOLD_MAX: return "cummax";
  case FOLD_MIN: return "cummin";
  case FOLD_ANY: return "cumany";
  case FOLD_ALL: return "cumall";
  case FOLD_XOR:
  case FOLD_ARGMAX:
  case FOLD_ARGMIN:
  case FOLD_OP_COUNT: break;
  }
  return "?";
}

/* ---- equality ---- */

bool tensor_alike(TermTable *tt, const TensorExpr *a, const TensorExpr *b) {
  if (a->op != b->op || a->count != b->count || a->rank != b->rank || a->size != b->size || a->sort != b->sort)
    return false;
  if (a->symbol != b->symbol || a->value != b->value || a->axis != b->axis || a->axis_count != b->axis_count)
    return false;
  if (a->fn != b->fn || a->bits != b->bits || a->fold != b->fold || a->idiom != b->idiom ||
      memcmp(a->axes, b->axes, sizeof a->axes))
    return false;
  for (uint32_t i = 0; i < a->rank; i++)
    if (a->shape[i] != b->shape[i]) return false;
  for (uint32_t i = 0; a->slices && i < a->args[0]->rank; i++) {
    TensorSlice x = a->slices[i], y = b->slices[i];
    if (x.start != y.start || x.point != y.point || x.step != y.step || (!x.point && x.stop != y.stop)) return false;
  }
  (void)tt;
  return true;
}

bool tensor_equal(TermTable *tt, const TensorExpr *a, const TensorExpr *b) {
  if (a == b) return true;
  guard_tick(tt->arena->guard);
  if (!a || !b || !tensor_alike(tt, a, b)) return false;
  for (uint32_t i = 0; i < a->count; i++)
    if (!tensor_equal(tt, a->args[i], b->args[i])) return false;
  return true;
}

const TensorExpr *tensor_with_args(TermTable *tt, const TensorExpr *e, const TensorExpr *const *args) {
  const TensorExpr *result = args[0];
  switch (tensor_op_form(e->op)) {
  case TENSOR_FORM_LEAF: return e;
  case TENSOR_FORM_UNARY: return e->op == TENSOR_FN1 ? tensor_fn(tt, e->fn, 1, args) : tensor_unary(tt, e->op, args[0]);
  case TENSOR_FORM_BINARY:
    return e->op == TENSOR_FN2 ? tensor_fn(tt, e->fn, 2, args) : tensor_binary(tt, e->op, args[0], args[1]);
  case TENSOR_FORM_TERNARY: return tensor_where(tt, args[0], args[1], args[2]);
  case TENSOR_FORM_CALL: return tensor_bits(tt, e->bits, args);
  case TENSOR_FORM_VIEW:
    if (e->op == TENSOR_SLICE) return tensor_slice(tt, args[0], e->slices);
    if (e->op == TENSOR_TRANSPOSE) return tensor_transpose(tt, args[0], e->axes);
    if (e->op == TENSOR_EXPAND) return tensor_expand(tt, args[0], e->axis);
    if (e->op == TENSOR_RESHAPE) return tensor_reshape(tt, args[0], e->rank, e->shape);
    if (e->op == TENSOR_SQUEEZE) return tensor_squeeze(tt, args[0], e->axis_count, e->axes);
    return tensor_broadcast(tt, args[0], e->rank, e->shape);
  case TENSOR_FORM_INDEX:
    if (e->op == TENSOR_TAKE) return tensor_take(tt, args[0], args[1], e->axis);
    if (e->op == TENSOR_TAKE_ALONG) return tensor_take_along(tt, args[0], args[1], e->axis);
    return tensor_gather(tt, args[0], args + 1);
  case TENSOR_FORM_FOLD:
    if (e->op == TENSOR_REDUCE) {
      for (uint32_t i = 0; i < e->axis_count; i++) result = tensor_reduce(tt, e->fold, result, e->axes[i]);
      return result;
    }
    if (e->op == TENSOR_SCAN) return tensor_scan(tt, e->fold, args[0], e->axis);
    if (e->op == TENSOR_MATMUL) return tensor_matmul(tt, args[0], args[1]);
    if (e->op == TENSOR_CONCAT) {
      for (uint32_t i = 1; i < e->count; i++) result = tensor_concat(tt, result, args[i], e->axis);
      return result;
    }
    return tensor_idiom(tt, e->idiom, args, e->axis_count, e->axes);
  }
  return NULL;
}
