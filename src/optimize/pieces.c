/* Concatenations, slices and gathers leave the formula (problem.h): classes have no parts, so what is said of parts of
 * an axis is said of shorter axes. A slice goes down to the tensors; a sum over an axis that is a concatenation is the
 * sum of the sums over its pieces, [A | B] @ [C ; D] = A @ C + B @ D. The element of an axis at a place that data tell
 * is the sum of the elements whose position is that place; of an elementwise operation it is the operation on those of
 * its arguments. What has no such form is left as it is. */
#include "optimize/problem.h"

#include <string.h>

typedef const TensorExpr *Expr;

enum { MOST_CUTS = 16, MOST_SIZE = 4000 };

typedef struct Piece {
  Expr of, is;
  uint32_t axis;
  Term start, stop;
} Piece;

typedef struct Pieces {
  TermTable *tt;
  Array(Piece) known; /* so that what is shared stays shared */
} Pieces;

/* Where an axis is cut, ascending. */
typedef struct Cuts {
  uint32_t count;
  Term at[MOST_CUTS];
  bool failed;
} Cuts;

/* The axis of argument `i` that is axis `axis` of an elementwise operation; false: it is of length 1 or lacks it. */
static bool aligned(const Pieces *p, Expr e, uint32_t i, uint32_t axis, uint32_t *own) {
  Expr a = e->args[i];
  if (axis + a->rank < e->rank) return false;
  *own = axis + a->rank - e->rank;
  return a->shape[*own] != p->tt->one || e->shape[axis] == p->tt->one;
}

static bool has_axis(Expr e, uint32_t axis) {
  for (uint32_t i = 0; i < e->axis_count; i++)
    if (e->axes[i] == axis) return true;
  return false;
}

/* Which axis of which arguments an axis is: fills own[i], UINT32_MAX where it is none of argument i. false: it is made
 * here, or is no plain one. */
static bool follow(const Pieces *p, Expr e, uint32_t axis, uint32_t *own) {
  uint32_t rows = e->rank - 2u;
  for (uint32_t i = 0; i < e->count; i++) own[i] = UINT32_MAX;
  if (e->op == TENSOR_TRANSPOSE) return own[0] = e->axes[axis], true;
  if (e->op == TENSOR_EXPAND) return own[0] = axis - (axis > e->axis), axis != e->axis;
  if (e->op == TENSOR_SQUEEZE) {
    own[0] = axis;
    for (uint32_t i = 0; i < e->axis_count; i++) own[0] += e->axes[i] <= own[0];
    return true;
  }
  if (e->op == TENSOR_REDUCE) return own[0] = axis, !has_axis(e, axis);
  if (e->op == TENSOR_MATMUL) {
    if (e->args[0]->rank < 2 || e->args[1]->rank < 2) return false;
    for (uint32_t i = 0; i < 2; i++)
      if (axis < rows ? !aligned(p, e, i, axis, &own[i]) : axis - rows != i) own[i] = UINT32_MAX;
    if (axis >= rows) own[axis - rows] = e->args[axis - rows]->rank - 2u + (axis - rows);
    return true;
  }
  if (e->op == TENSOR_IDIOM) {
    if (e->idiom > TENSOR_GELU_TANH || e->rank != e->args[0]->rank) return false;
    return own[0] = axis, true;
  }
  TensorForm form = tensor_op_form(e->op);
  if (form != TENSOR_FORM_UNARY && form != TENSOR_FORM_BINARY && form != TENSOR_FORM_TERNARY) return false;
  for (uint32_t i = 0; i < e->count; i++)
    if (!aligned(p, e, i, axis, &own[i])) own[i] = UINT32_MAX;
  return true;
}

/* ---- parts of a value ---- */

static Expr part_of(Pieces *p, Expr e, uint32_t axis, Term start, Term stop);

static Expr part_of_use(Pieces *p, Expr e, uint32_t axis, Term start, Term stop) {
  TensorSlice slices[TENSOR_MAX_RANK];
  Expr tensor = e->op == TENSOR_SLICE ? e->args[0] : e;
  if (tensor->op != TENSOR_INPUT) return NULL;
  for (uint32_t i = 0; i < tensor->rank; i++) {
    slices[i] = e->op == TENSOR_SLICE ? e->slices[i] : (TensorSlice){p->tt->zero, tensor->shape[i], p->tt->one, false};
    if (slices[i].point || slices[i].step != p->tt->one) return NULL;
  }
  slices[axis].stop = term_add(p->tt, slices[axis].start, stop);
  slices[axis].start = term_add(p->tt, slices[axis].start, start);
  return tensor_slice(p->tt, tensor, slices);
}

/* One part of a concatenation has all of it. */
static Expr part_of_concat(Pieces *p, Expr e, uint32_t axis, Term start, Term stop) {
  TermTable *tt = p->tt;
  Term before = tt->zero;
  Expr joined = NULL;
  for (uint32_t i = 0; i < e->count; i++) {
    Expr own = e->args[i];
    if (axis != e->axis) {
      own = part_of(p, own, axis, start, stop);
      joined = !own || !i ? own : tensor_concat(tt, joined, own, e->axis);
      if (!joined) return NULL;
      continue;
    }
    Term behind = term_add(tt, before, own->shape[axis]);
    bool is_here = term_prove_le(tt, before, start) && term_prove_le(tt, stop, behind);
    if (is_here) return part_of(p, own, axis, term_sub(tt, start, before), term_sub(tt, stop, before));
    before = behind;
  }
  return joined;
}

static Expr new_part(Pieces *p, Expr e, uint32_t axis, Term start, Term stop) {
  TermTable *tt = p->tt;
  uint32_t own[TENSOR_MAX_RANK];
  Expr args[TENSOR_MAX_RANK];
  if (e->op == TENSOR_INPUT || e->op == TENSOR_SLICE) return part_of_use(p, e, axis, start, stop);
  if (e->op == TENSOR_INDEX)
    return tensor_binary(tt, TENSOR_ADD, tensor_index(tt, term_sub(tt, stop, start)), tensor_size(tt, start));
  if (e->op == TENSOR_CONCAT) return part_of_concat(p, e, axis, start, stop);
  if (e->count > TENSOR_MAX_RANK || tensor_op_form(e->op) == TENSOR_FORM_LEAF) return NULL;
  if (!follow(p, e, axis, own))
    return e->op == TENSOR_IDIOM && e->plain ? part_of(p, e->plain, axis, start, stop) : NULL;
  for (uint32_t i = 0; i < e->count; i++) {
    args[i] = own[i] == UINT32_MAX ? e->args[i] : part_of(p, e->args[i], own[i], start, stop);
    if (!args[i]) return NULL;
  }
  return tensor_with_args(tt, e, args);
}

/* e[.., start:stop, ..]; NULL: it has no such form. */
static Expr part_of(Pieces *p, Expr e, uint32_t axis, Term start, Term stop) {
  if (start == p->tt->zero && stop == e->shape[axis]) return e;
  for (uint32_t i = 0; i < p->known.count; i++) {
    const Piece *k = &p->known.data[i];
    if (k->of == e && k->axis == axis && k->start == start && k->stop == stop) return k->is;
  }
  guard_tick(p->tt->arena->guard);
  Expr is = new_part(p, e, axis, start, stop);
  array_push(p->tt->arena, &p->known, ((Piece){e, is, axis, start, stop}));
  return is;
}

/* ---- where an axis is cut ---- */

static void add_cut(Pieces *p, Cuts *cuts, Term at) {
  uint32_t i = cuts->count;
  for (uint32_t k = 0; k < cuts->count; k++)
    if (cuts->at[k] == at) return;
  while (i > 0 && term_prove_lt(p->tt, at, cuts->at[i - 1])) i--;
  if (cuts->count == MOST_CUTS || (i > 0 && !term_prove_lt(p->tt, cuts->at[i - 1], at))) cuts->failed = true;
  if (cuts->failed) return;
  memmove(cuts->at + i + 1, cuts->at + i, sizeof *cuts->at * (cuts->count++ - i));
  cuts->at[i] = at;
}

static void find_cuts(Pieces *p, Expr e, uint32_t axis, Cuts *cuts) {
  uint32_t own[TENSOR_MAX_RANK];
  if (e->op == TENSOR_CONCAT && e->axis == axis) {
    Term at = p->tt->zero;
    for (uint32_t i = 0; i + 1 < e->count; i++) add_cut(p, cuts, at = term_add(p->tt, at, e->args[i]->shape[axis]));
    return;
  }
  if (e->op == TENSOR_CONCAT) {
    for (uint32_t i = 0; i < e->count; i++) find_cuts(p, e->args[i], axis, cuts);
    return;
  }
  if (e->count > TENSOR_MAX_RANK || !e->count || e->op == TENSOR_SLICE) return;
  if (follow(p, e, axis, own)) {
    for (uint32_t i = 0; i < e->count; i++)
      if (own[i] != UINT32_MAX) find_cuts(p, e->args[i], own[i], cuts);
  } else if (e->op == TENSOR_IDIOM && e->plain) {
    find_cuts(p, e->plain, axis, cuts);
  }
}

/* ---- the walk ---- */

/* The fold over each piece of its axis. */
static Expr folded(Pieces *p, Expr e) {
  TermTable *tt = p->tt;
  bool is_product = e->op == TENSOR_MATMUL;
  Expr a = e->args[0], b = is_product ? e->args[1] : NULL, sum = NULL;
  uint32_t axis = is_product ? a->rank - 1u : e->axes[0];
  TensorOp join = e->fold == FOLD_MAX ? TENSOR_MAXIMUM : e->fold == FOLD_MIN ? TENSOR_MINIMUM : TENSOR_ADD;
  Cuts cuts = {0};
  if (is_product ? a->rank < 2 || b->rank < 2 : e->axis_count != 1) return e;
  if (!is_product && e->fold != FOLD_SUM && e->fold != FOLD_MAX && e->fold != FOLD_MIN) return e;
  find_cuts(p, a, axis, &cuts);
  if (b) find_cuts(p, b, b->rank - 2u, &cuts);
  if (!cuts.count || cuts.failed) return e;
  for (uint32_t i = 0; i <= cuts.count; i++) {
    Term start = i ? cuts.at[i - 1] : tt->zero, stop = i < cuts.count ? cuts.at[i] : a->shape[axis];
    Expr x = part_of(p, a, axis, start, stop), y = b ? part_of(p, b, b->rank - 2u, start, stop) : NULL;
    if (!x || (b && !y)) return e;
    Expr own = b ? tensor_matmul(tt, x, y) : tensor_reduce(tt, e->fold, x, axis);
    sum = sum && own ? tensor_binary(tt, is_product ? TENSOR_ADD : join, sum, own) : own;
    if (!sum) return e;
  }
  return sum;
}

static Expr sliced(Pieces *p, Expr e) {
  Expr out = e->args[0];
  for (uint32_t i = 0; i < e->args[0]->rank; i++)
    if (e->slices[i].point || e->slices[i].step != p->tt->one) return e;
  for (uint32_t i = 0; i < e->rank && out; i++) out = part_of(p, out, i, e->slices[i].start, e->slices[i].stop);
  return out ? out : e;
}

/* The element of e at `places`, which have one place along the axis, and e's other axes or ones of length 1; NULL: it
 * has no such form. */
static Expr picked(Pieces *p, Expr e, Expr places, uint32_t axis) {
  TermTable *tt = p->tt;
  uint32_t own[TENSOR_MAX_RANK];
  Expr args[TENSOR_MAX_RANK];
  TensorForm form = tensor_op_form(e->op);
  bool is_elementwise = form == TENSOR_FORM_UNARY || form == TENSOR_FORM_BINARY || form == TENSOR_FORM_TERNARY ||
                        (e->op == TENSOR_IDIOM && e->rank == e->args[0]->rank);
  guard_tick(tt->arena->guard);
  if (is_elementwise && follow(p, e, axis, own)) {
    bool fits = true;
    for (uint32_t i = 0; i < e->count && fits; i++) {
      bool has_it = own[i] != UINT32_MAX;
      fits = !has_it || e->args[i]->rank == e->rank;
      args[i] = !fits ? NULL : has_it ? picked(p, e->args[i], places, axis) : e->args[i];
      fits = args[i] != NULL;
    }
    if (fits) return tensor_with_args(tt, e, args);
  }
  if (e->sort == SORT_BOOL) return NULL;
  Expr position = tensor_index(tt, e->shape[axis]);
  for (uint32_t i = axis + 1; i < e->rank && position; i++) position = tensor_expand(tt, position, 1);
  Expr is_here = position ? tensor_binary(tt, TENSOR_EQ, places, position) : NULL,
       here = is_here ? tensor_where(tt, is_here, e, tensor_const(tt, tt->zero)) : NULL;
  return here ? tensor_reduce(tt, FOLD_SUM, here, axis) : NULL;
}

static Expr gathered(Pieces *p, Expr e) {
  bool is_one = e->args[1]->sort == SORT_INT && e->args[1]->shape[e->axis] == p->tt->one;
  Expr out = is_one ? picked(p, e->args[0], e->args[1], e->axis) : NULL;
  return out && out->rank == e->rank ? out : e;
}

static Expr walk(Pieces *p, Expr e) {
  if (!e->count) return e;
  for (uint32_t i = 0; i < p->known.count; i++)
    if (p->known.data[i].of == e && p->known.data[i].axis == UINT32_MAX) return p->known.data[i].is;
  Expr *args = arena_array(p->tt->arena, Expr, e->count), now = e;
  bool is_new = false;
  for (uint32_t i = 0; i < e->count; i++) args[i] = walk(p, e->args[i]), is_new |= args[i] != e->args[i];
  if (is_new && !(now = tensor_with_args(p->tt, e, args))) now = e;
  if (now->op == TENSOR_SLICE) now = sliced(p, now);
  if (now->op == TENSOR_MATMUL || now->op == TENSOR_REDUCE) now = folded(p, now);
  if (now->op == TENSOR_TAKE_ALONG) now = gathered(p, now);
  array_push(p->tt->arena, &p->known, ((Piece){.of = e, .is = now, .axis = UINT32_MAX}));
  return now;
}

Expr problem_pieces(TermTable *tt, Expr e) {
  Pieces p = {.tt = tt};
  return e->size > MOST_SIZE ? e : walk(&p, e);
}
