/* Laws of masked sums: products with rows of zeros and a one, convolutions, recurrences; and axes of length 1 around
 * them.
 *
 * A convolution or a recurrence is guessed from its parts. The guess stands only if it gives what was there on random
 * arrays, and, where laws are proved, if the prover shows it for all sizes. */
#include "tensor/textbook.h"

/* ---- axes of length 1 ---- */

static bool is_elementwise(Expr e) {
  TensorForm form = tensor_op_form(e->op);
  return form == TENSOR_FORM_UNARY || form == TENSOR_FORM_BINARY || form == TENSOR_FORM_TERNARY || e->op == TENSOR_FN1;
}

/* e without an axis of length 1, the last but so many; NULL: it is longer, or another operation than those for the
 * elements made it. */
static Expr without_axis(Book *b, Expr e, uint32_t from_last) {
  TermTable *tt = b->tt;
  if (e->rank <= from_last) return e;
  uint8_t axis = (uint8_t)(e->rank - 1 - from_last);
  if (e->shape[axis] != tt->one) return NULL;
  if (e->op == TENSOR_EXPAND) {
    uint32_t low = axis < e->axis ? axis : e->axis, high = axis < e->axis ? e->axis : axis;
    while (low < high && e->shape[low] == tt->one) low++;
    if (low == high) return e->args[0]; /* of neighbours of length 1, it does not matter which one goes */
    bool is_behind = axis > e->axis;
    return tensor_expand(tt, without_axis(b, e->args[0], is_behind ? from_last : from_last - 1),
                         is_behind ? e->axis : e->axis - 1u);
  }
  if (!is_elementwise(e)) return NULL;
  Expr args[3];
  for (uint32_t i = 0; i < e->count; i++)
    if (!(args[i] = without_axis(b, e->args[i], from_last))) return NULL;
  return book_with_args(b, e, args);
}

static Expr expand_at(Book *b, Expr e, uint32_t from_last) {
  return e && e->rank >= from_last ? tensor_expand(b->tt, e, e->rank - from_last) : NULL;
}

/* sum(expand(x, k)) = expand(sum(x), k) along other axes; mean, softmax, .. too */
static Expr expand_out_of_fold(Book *b, Expr e) {
  Expr x = e->args[0], inner = x->op == TENSOR_EXPAND && e->axis_count ? x->args[0] : NULL, args[3] = {inner};
  uint8_t axes[TENSOR_MAX_RANK];
  for (uint32_t i = 1; i < e->count && inner; i++) {
    args[i] = e->args[i];
    if (i == 3 || args[i]->rank) return NULL;
  }
  for (uint32_t i = 0; inner && i < e->axis_count; i++) {
    if (e->axes[i] == x->axis) return NULL;
    axes[i] = (uint8_t)(e->axes[i] - (e->axes[i] > x->axis));
    if (e->op == TENSOR_REDUCE) inner = tensor_reduce(b->tt, e->fold, inner, axes[i]);
  }
  if (inner && e->op == TENSOR_IDIOM) inner = tensor_idiom(b->tt, e->idiom, args, e->axis_count, axes);
  return inner ? tensor_expand(b->tt, book_rewrite(b, inner), x->axis) : NULL;
}

/* f(expand(x, k), expand(y, k)) = expand(f(x, y), k) for an elementwise f */
Expr pull_expand(Book *b, Expr e) {
  if (e->op == TENSOR_REDUCE || (e->op == TENSOR_IDIOM && e->count)) return expand_out_of_fold(b, e);
  if (!is_elementwise(e)) return NULL;
  for (uint32_t k = 0; k < e->count; k++) {
    Expr args[3], own = e->args[k];
    uint32_t arrays = 0, from_last = own->op == TENSOR_EXPAND ? own->rank - 1u - own->axis : 0;
    bool is_whole = own->op == TENSOR_EXPAND;
    for (uint32_t i = 0; i < e->count && is_whole; i++) {
      args[i] = without_axis(b, e->args[i], from_last);
      arrays += e->args[i]->rank > 0;
      is_whole = args[i] != NULL;
    }
    if (is_whole && arrays > 1) return expand_at(b, book_rewrite(b, book_with_args(b, e, args)), from_last);
  }
  return NULL;
}

/* One axis of x that a reshape takes apart, the last but `from_last` of x; false: it does something else. */
static bool takes_one_axis_apart(Expr e, uint32_t *from_last) {
  Expr x = e->args[0];
  uint32_t first = 0, last = 0;
  if (e->op != TENSOR_RESHAPE || x->rank >= e->rank) return false;
  while (first < x->rank && e->shape[first] == x->shape[first]) first++;
  while (last < x->rank - first && e->shape[e->rank - 1 - last] == x->shape[x->rank - 1 - last]) last++;
  *from_last = last;
  return first + last + 1 == x->rank;
}

/* f(reshape(x), y) = reshape(f(x, y)) for an elementwise f, of an axis that the reshape takes apart and y has not */
Expr pull_reshape(Book *b, Expr e) {
  Expr args[3], view = NULL;
  uint32_t from_last;
  for (uint32_t i = 0; is_elementwise(e) && i < e->count && !view; i++)
    if (takes_one_axis_apart(e->args[i], &from_last) && book_same_shape(e->args[i], e)) view = e->args[i];
  if (!view) return NULL;
  Expr x = view->args[0];
  uint32_t arrays = 0;
  for (uint32_t i = 0; i < e->count; i++) {
    Expr own = e->args[i];
    arrays += own->rank > 0;
    if (own->op == TENSOR_RESHAPE && book_same_shape(own, view) && book_same_shape(own->args[0], x))
      own = own->args[0];
    else {
      for (uint32_t k = x->rank; own && k < e->rank; k++) own = without_axis(b, own, from_last);
      if (!own || (own->rank > from_last && own->shape[own->rank - 1 - from_last] != b->tt->one)) return NULL;
    }
    args[i] = own;
  }
  Expr inner = arrays > 1 ? book_with_args(b, e, args) : NULL;
  return inner && book_same_shape(inner, x) ? tensor_reshape(b->tt, book_rewrite(b, inner), view->rank, view->shape)
                                            : NULL;
}

/* squeeze(expand(x, k), k) = x, of several axes one after the other; f of such x is f(x) for an elementwise f */
Expr squeeze_of_expand(Book *b, Expr e) {
  Expr x = e->args[0];
  uint8_t axes[TENSOR_MAX_RANK];
  uint32_t count = e->axis_count;
  memcpy(axes, e->axes, count);
  for (uint32_t i = 0; i < count;) {
    Expr inner = x->op == TENSOR_EXPAND || is_elementwise(x) ? without_axis(b, x, x->rank - 1u - axes[i]) : NULL;
    if (!inner || inner->rank + 1u != x->rank) {
      i++;
      continue;
    }
    for (count--; i < count; i++) axes[i] = (uint8_t)(axes[i + 1] - 1);
    x = inner, i = 0;
  }
  return count < e->axis_count ? tensor_squeeze(b->tt, x, count, axes) : NULL;
}

/* e with axes of length 1 where the shape has more of them; NULL: it does not fit. */
static Expr in_shape(Book *b, Expr e, Expr shape) {
  for (uint32_t i = 0; e && i < shape->rank; i++)
    if (i >= e->rank || e->shape[i] != shape->shape[i])
      e = shape->shape[i] == b->tt->one ? tensor_expand(b->tt, e, i) : NULL;
  return e && book_same_shape(e, shape) ? e : NULL;
}

static Expr without_views(Expr e) {
  while (e->op == TENSOR_EXPAND || e->op == TENSOR_TRANSPOSE || e->op == TENSOR_SQUEEZE) e = e->args[0];
  return e;
}

/* The same of the arguments of operations for the elements: a guess of what they are without the axes around them. */
static Expr without_inner_views(Book *b, Expr e) {
  Expr args[3], own = without_views(e);
  if (!own->count || own->count > 3 || !(is_elementwise(own) || own->op == TENSOR_IDIOM)) return own;
  for (uint32_t i = 0; i < own->count; i++)
    if (!(args[i] = without_inner_views(b, own->args[i]))) return own;
  Expr plain = book_with_args(b, own, args);
  return plain ? plain : own;
}

/* ---- masked sums ---- */

/* sum(where(c, y, 0)) = where(c, 1, 0) @ y: c says which rows of y, and is the same for all columns. */
Expr law_chosen_rows(Book *b, Expr e) {
  TermTable *tt = b->tt;
  Expr masked = e->args[0];
  if (e->fold != FOLD_SUM || e->axis_count != 1 || masked->op != TENSOR_WHERE || !is_zero(tt, masked->args[2]) ||
      e->rank < 3 || e->axes[0] + 2 != e->rank || masked->args[1]->sort != SORT_REAL)
    return NULL;
  Expr c = without_axis(b, masked->args[0], 0), y = without_axis(b, masked->args[1], 2);
  if (!c || !y || c->rank < 2 || y->rank < 2 || c->shape[c->rank - 2] == tt->one) return NULL;
  Expr rows = tensor_where(tt, c, number(tt, one), number(tt, (Rational){0, 1}));
  return tensor_expand(tt, tensor_matmul(tt, rows, y), e->axes[0]);
}

/* The factors of e and of choices whose other arm is 0. */
static void take_masked_factors(Book *b, Expr e, Parts *out) {
  Parts own = book_factors(b, e);
  out->is_full |= own.is_full || !is_one(own.k);
  for (uint32_t i = 0; !out->is_full && i < own.count; i++) {
    Expr part = own.part[i].e;
    if (part->op == TENSOR_WHERE && is_zero(b->tt, part->args[2]) && is_one(own.part[i].k))
      take_masked_factors(b, part->args[1], out);
    else
      book_push(b, out, part, own.part[i].k);
  }
}

static Parts masked_factors(Book *b, Expr e) {
  Parts parts = {.k = one};
  take_masked_factors(b, e, &parts);
  return parts;
}

/* The guess in e's shape, if it agrees with e. */
static Expr agreed(Book *b, Expr e, Expr guess) {
  guess = guess ? in_shape(b, guess, e) : NULL;
  return guess && tensor_agree(b->tt, e, guess, 1e-9) == TENSOR_AGREE ? guess : NULL;
}

/* sum(where(place >= 0, x[.., place, :] * w, 0)) with places that end at the own one */
Expr law_conv1d_causal(Book *b, Expr e) {
  if (e->fold != FOLD_SUM || e->axis_count != 1 || e->args[0]->sort != SORT_REAL) return NULL;
  Parts parts = masked_factors(b, e->args[0]);
  for (uint32_t i = 0; !parts.is_full && parts.count == 2 && i < 2; i++) {
    Expr x = parts.part[i].e, w = without_views(parts.part[1 - i].e);
    if (x->op != TENSOR_GATHER || w->rank != 2 || !is_one(parts.part[i].k) || !is_one(parts.part[1 - i].k)) continue;
    for (int turned = 0; turned < 2; turned++) {
      Expr own = turned ? tensor_transpose(b->tt, w, (uint8_t[]){1, 0}) : w;
      Expr found = agreed(b, e, tensor_idiom(b->tt, TENSOR_CONV1D_CAUSAL, (Expr[]){x->args[0], own}, 0, NULL));
      if (found) return found;
    }
  }
  return NULL;
}

/* e backwards along the axis. */
static Expr backwards(Book *b, Expr e, uint8_t axis) {
  TermTable *tt = b->tt;
  if (!e || axis >= e->rank) return e;
  Expr last = tensor_size(tt, term_sub(tt, e->shape[axis], tt->one)), place = tensor_index(tt, e->shape[axis]);
  return tensor_take(tt, e, last ? tensor_binary(tt, TENSOR_SUB, last, place) : NULL, axis);
}

/* sum over s of where(t <= s, x[s], 0) = cumsum(x[::-1])[::-1]; products and extrema likewise */
Expr law_suffixes(Book *b, Expr e) {
  Expr masked = e->args[0];
  bool is_scan = e->fold == FOLD_SUM || e->fold == FOLD_PROD || e->fold == FOLD_MAX || e->fold == FOLD_MIN;
  if (!is_scan || e->axis_count != 1 || masked->op != TENSOR_WHERE) return NULL;
  TensorOp op = masked->args[0]->op;
  if ((op != TENSOR_LE && op != TENSOR_LT) || masked->args[0]->args[0]->sort != SORT_INT) return NULL;
  Expr x = without_inner_views(b, masked->args[1]);
  for (uint8_t axis = 0; axis < x->rank; axis++) {
    Expr all = tensor_scan(b->tt, e->fold, backwards(b, x, axis), axis);
    Expr found = agreed(b, e, backwards(b, all, axis));
    if (found) return found;
  }
  return NULL;
}

/* ---- recurrences ---- */

/* a[:T - 1], and functions of such parts, without the cut: a guess. */
static Expr without_cuts(Book *b, Expr e) {
  Expr args[3];
  if (e->op == TENSOR_SLICE) return e->rank == e->args[0]->rank ? without_cuts(b, e->args[0]) : e;
  if (!e->count || e->count > 3 || !(is_elementwise(e) || e->op == TENSOR_IDIOM)) return e;
  for (uint32_t i = 0; i < e->count; i++) args[i] = without_cuts(b, e->args[i]);
  Expr whole = book_with_args(b, e, args);
  return whole ? whole : e;
}

/* Its last element along the axis. */
static Expr last_of(Book *b, Expr e, uint8_t axis) {
  TermTable *tt = b->tt;
  TensorSlice slices[TENSOR_MAX_RANK];
  if (!e) return NULL;
  for (uint32_t i = 0; i < e->rank; i++) slices[i] = (TensorSlice){tt->zero, e->shape[i], tt->one, false};
  Term last = term_sub(tt, e->shape[axis], tt->one);
  slices[axis] = (TensorSlice){last, term_add(tt, last, tt->one), tt->one, true};
  return tensor_slice(tt, e, slices);
}

/* The recurrence along some axis that is e, or whose last element is; the whole one may go from the end. */
static Expr recurrence(Book *b, Expr e, Expr a, Expr x, Expr first, bool is_last) {
  for (uint8_t axis = 0; axis < x->rank; axis++) {
    Expr all = tensor_idiom(b->tt, TENSOR_RECURRENCE, (Expr[]){a, x, first}, 1, &axis);
    Expr found = agreed(b, e, is_last ? last_of(b, all, axis) : all);
    if (found) return found;
    if (is_last || first->rank) continue;
    Expr turned[] = {backwards(b, a, axis), backwards(b, x, axis), first};
    all = turned[0] && turned[1] ? tensor_idiom(b->tt, TENSOR_RECURRENCE, turned, 1, &axis) : NULL;
    found = agreed(b, e, backwards(b, all, axis));
    if (found) return found;
  }
  return NULL;
}

/* sum over s of where(s <= t, prod over s < u <= t of a[u] * x[s], 0) = recurrence(a, x, 0), and without the choice its
 * last element */
Expr law_recurrence(Book *b, Expr e) {
  TermTable *tt = b->tt;
  Rational unit;
  if (e->fold != FOLD_SUM || e->axis_count != 1) return NULL;
  bool is_last = e->args[0]->op != TENSOR_WHERE;
  Parts parts = masked_factors(b, e->args[0]);
  for (uint32_t i = 0; !parts.is_full && parts.count > 1 && i < parts.count; i++) {
    Expr factors = without_views(parts.part[i].e), masked = factors->count ? factors->args[0] : factors;
    if (!is_reduce(factors, FOLD_PROD) || masked->op != TENSOR_WHERE || !is_one(parts.part[i].k) ||
        !is_number(tt, masked->args[2], &unit) || !is_one(unit))
      continue;
    book_drop(&parts, i);
    Expr x = book_put_product(b, &parts);
    Expr a = without_inner_views(b, masked->args[1]), own = x ? without_inner_views(b, x) : NULL;
    Expr zero = number(tt, (Rational){0, 1}), whole = own ? without_cuts(b, a) : NULL;
    Expr found = own ? recurrence(b, e, a, own, zero, is_last) : NULL;
    if (!found && whole && !tensor_equal(tt, whole, a)) found = recurrence(b, e, whole, own, zero, is_last);
    if (found || is_last || !x) return found;
    a = without_axis(b, masked->args[1], e->rank - 1u - e->axes[0]); /* where they have axes of their own */
    return a ? recurrence(b, e, a, x, zero, is_last) : NULL;
  }
  return NULL;
}

/* The guess without axes of length 1, which the parts are given with. */
static Expr recurrence_without_axes(Book *b, Expr e, Expr a, Expr x) {
  for (uint32_t i = e->rank; a && x && i-- > 0;)
    if (e->shape[i] == b->tt->one) a = without_axis(b, a, e->rank - 1 - i), x = without_axis(b, x, e->rank - 1 - i);
  return a && x ? recurrence(b, e, a, x, number(b->tt, (Rational){0, 1}), false) : NULL;
}

/* x + a * (sum over s < t of what x and a were before) = recurrence(a, x, 0) */
bool law_recurrence_step(Book *b, Parts *p) {
  for (uint32_t i = 0; i < p->count && p->count == 2 && !p->k.num; i++) {
    Parts parts = book_factors(b, p->part[i].e);
    Expr x = p->part[1 - i].e;
    if (parts.is_full || parts.count != 2 || !is_one(parts.k) || !is_one(p->part[0].k) || !is_one(p->part[1].k))
      continue;
    for (uint32_t f = 0; f < 2; f++) {
      Expr before = parts.part[1 - f].e, a = parts.part[f].e;
      if (!is_reduce(before, FOLD_SUM) || before->args[0]->op != TENSOR_WHERE || !is_one(parts.part[f].k)) continue;
      Expr whole = tensor_binary(b->tt, TENSOR_ADD, x, p->part[i].e);
      Expr found = whole ? recurrence_without_axes(b, whole, a, x) : NULL;
      if (!found) continue;
      p->part[0] = (Part){found, one}, p->count = 1;
      return true;
    }
  }
  return false;
}

/* cumprod(a) * h + recurrence(a, x, 0) = recurrence(a, x, h); prod(a) * h beside the last element */
bool law_recurrence_from(Book *b, Parts *p) {
  for (uint32_t i = 0; i < p->count; i++) {
    Expr inner = without_views(p->part[i].e);
    bool is_last = inner->op == TENSOR_SLICE;
    if (is_last) inner = inner->args[0];
    if (!is_idiom(inner, TENSOR_RECURRENCE) || !is_zero(b->tt, inner->args[2]) || !is_one(p->part[i].k)) continue;
    for (uint32_t j = 0; j < p->count; j++) {
      Parts parts = book_factors(b, without_views(p->part[j].e));
      if (j == i || !is_one(p->part[j].k) || parts.is_full) continue;
      for (uint32_t f = 0; f < parts.count; f++) {
        if (parts.part[f].e->op != (is_last ? TENSOR_REDUCE : TENSOR_SCAN) || parts.part[f].e->fold != FOLD_PROD)
          continue;
        Parts rest = parts;
        book_drop(&rest, f);
        Expr first = book_put_product(b, &rest);
        Expr whole = tensor_binary(b->tt, TENSOR_ADD, p->part[i].e, p->part[j].e);
        Expr found =
            first && whole ? recurrence(b, whole, inner->args[0], inner->args[1], without_views(first), is_last) : NULL;
        if (!found) continue;
        p->part[i].e = found;
        book_drop(p, j);
        return true;
      }
    }
  }
  return false;
}
