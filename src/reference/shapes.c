/* Shapes, views, gathers and new tensors. */
#include <string.h>

#include "reference/internal.h"

typedef const TensorExpr *Expr;

/* Functions that change how a tensor is stored, not what it holds; a cast of real numbers is exact (roundings are the
 * kernel's to report). */
static const Value *same(Call *c) {
  return tensor_arg(c, 0) ? value_like(c->e, value_tensor(c->e, c->args[0]->tensor), c->args[0]) : NULL;
}

/* ---- axes ---- */

static const Value *transpose(Call *c) {
  Expr x = tensor_arg(c, 0);
  uint32_t a, b;
  if (!x) return NULL;
  if (!c->is_numpy && !c->e->is_formula && c->extra_count == 2 && !strcmp(c->name, "transpose")) {
    Call pair = *c;
    pair.args[1] = c->extra[0], pair.args[2] = c->extra[1];
    if (!axis_arg(&pair, 1, x->rank, &a) || !axis_arg(&pair, 2, x->rank, &b)) return NULL;
    return call_result(c, swap_axes(c->e, x, a, b));
  }
  uint32_t n = 0;
  uint8_t axes[TENSOR_MAX_RANK];
  const Value *const *list = c->extra;
  uint32_t count = c->extra_count;
  if (count == 1 && list[0]->kind == VALUE_TUPLE) count = list[0]->count, list = list[0]->items;
  if (!count) {
    for (; n < x->rank; n++) axes[n] = (uint8_t)(x->rank - 1 - n);
  } else {
    uint32_t seen = 0;
    for (; n < count && n < TENSOR_MAX_RANK; n++) {
      Call one = *c;
      one.args[1] = list[n];
      if (!axis_arg(&one, 1, x->rank, &a)) return NULL;
      axes[n] = (uint8_t)a, seen |= 1u << a;
    }
    if (n != x->rank || seen != (1u << x->rank) - 1)
      return call_fail(c, NULL, "%s needs each of the %u axes once", c->name, x->rank);
  }
  return call_result(c, tensor_transpose(c->e->tt, x, axes));
}

static const Value *swap(Call *c) {
  Expr x = tensor_arg(c, 0);
  uint32_t a, b;
  if (!x || !axis_arg(c, 1, x->rank, &a) || !axis_arg(c, 2, x->rank, &b)) return NULL;
  return call_result(c, swap_axes(c->e, x, a, b));
}

/* input, source, destination: one axis */
static const Value *move_axis(Call *c) {
  Expr x = tensor_arg(c, 0);
  uint32_t from, to, n = 0;
  uint8_t axes[TENSOR_MAX_RANK];
  if (!x || !axis_arg(c, 1, x->rank, &from) || !axis_arg(c, 2, x->rank, &to)) return NULL;
  for (uint8_t i = 0, next = 0; i < x->rank; i++) {
    if (i == to)
      axes[n++] = (uint8_t)from;
    else {
      if (next == from) next++;
      axes[n++] = next++;
    }
  }
  return call_result(c, tensor_transpose(c->e->tt, x, axes));
}

static const Value *unsqueeze(Call *c) {
  Expr x = tensor_arg(c, 0);
  uint32_t axis;
  if (!x || !axis_arg(c, 1, x->rank + 1u, &axis)) return NULL;
  return call_result(c, tensor_expand(c->e->tt, x, axis));
}

/* Without an axis, PyTorch drops the axes whose length is 1: here those that are known to be. */
/* The bit of the axis if it is of length 1, else 0. One of a size of its own is taken to be longer. */
static uint32_t single(Call *c, Expr x, uint32_t axis) {
  if (x->shape[axis] == c->e->tt->one) return 1u << axis;
  reference_inside(c->e, term_int(c->e->tt, 2), x->shape[axis]);
  return 0;
}

static const Value *squeeze(Call *c) {
  Expr x = tensor_arg(c, 0);
  uint32_t axes = 0, axis;
  if (!x) return NULL;
  if (c->extra_count == 0) {
    for (uint32_t i = 0; i < x->rank; i++) axes |= single(c, x, i);
  } else {
    for (uint32_t i = 0; i < c->extra_count; i++) {
      Call one = *c;
      one.args[1] = c->extra[i];
      if (!axis_arg(&one, 1, x->rank, &axis)) return NULL;
      axes |= single(c, x, axis);
    }
  }
  return call_result(c, drop_axes(c->e, x, axes));
}

/* ---- shapes ---- */

/* -1 among the sizes stands for what is left. */
static bool complete_shape(Call *c, Expr x, uint32_t count, Term *shape) {
  TermTable *tt = c->e->tt;
  uint32_t open = count;
  Term total = tt->one, rest = tt->one;
  for (uint32_t i = 0; i < x->rank; i++) total = term_mul(tt, total, x->shape[i]);
  for (uint32_t i = 0; i < count; i++) {
    if (shape[i] == tt->minus_one)
      open = i;
    else
      rest = term_mul(tt, rest, shape[i]);
  }
  if (open == count) return true;
  shape[open] = term_floordiv(tt, total, rest);
  if (term_mul(tt, shape[open], rest) == total) return true;
  call_fail(c, NULL, "%s elements are not seen to be a multiple of %s", term_text(tt, total), term_text(tt, rest));
  return false;
}

static const Value *reshape(Call *c) {
  Expr x = tensor_arg(c, 0);
  Term shape[TENSOR_MAX_RANK + CALL_MAX_ARGS];
  uint32_t count;
  if (!x || !shape_arg(c, 1, &count, shape) || !complete_shape(c, x, count, shape)) return NULL;
  Expr result = tensor_reshape(c->e->tt, x, count, shape);
  return result ? value_tensor(c->e, result)
                : call_fail(c, NULL, "a tensor of shape %s has not so many elements", reference_shape_text(c->e, x));
}

/* input, start, end */
static const Value *flatten(Call *c) {
  Expr x = tensor_arg(c, 0);
  uint32_t first = 0, last;
  Term shape[TENSOR_MAX_RANK];
  if (!x) return NULL;
  last = x->rank ? x->rank - 1u : 0;
  if ((has(c, 1) && !axis_arg(c, 1, x->rank, &first)) || (has(c, 2) && !axis_arg(c, 2, x->rank, &last))) return NULL;
  if (first > last) return call_fail(c, NULL, "flatten from axis %u to %u", first, last);
  uint32_t n = 0;
  for (uint32_t i = 0; i < x->rank; i++) {
    if (i > first && i <= last)
      shape[n - 1] = term_mul(c->e->tt, shape[n - 1], x->shape[i]);
    else
      shape[n++] = x->shape[i];
  }
  if (!x->rank) shape[n++] = c->e->tt->one;
  return call_result(c, tensor_reshape(c->e->tt, x, n, shape));
}

/* -1 keeps the length */
static const Value *stretch(Call *c) {
  Expr x = tensor_arg(c, 0);
  Term shape[TENSOR_MAX_RANK + CALL_MAX_ARGS];
  uint32_t count;
  if (!x) return NULL;
  if (!strcmp(c->name, "expand_as")) {
    Expr like = tensor_arg(c, 1);
    return like ? call_result(c, tensor_broadcast(c->e->tt, x, like->rank, like->shape)) : NULL;
  }
  if (!shape_arg(c, 1, &count, shape)) return NULL;
  for (uint32_t i = 0; i < count; i++)
    if (shape[i] == c->e->tt->minus_one && count - i <= x->rank) shape[i] = x->shape[x->rank - (count - i)];
  return call_result(c, tensor_broadcast(c->e->tt, x, count, shape));
}

/* input, repeats, axis: each element so often in a row */
static const Value *repeat_interleave(Call *c) {
  Expr x = tensor_arg(c, 0);
  TermTable *tt = c->e->tt;
  uint32_t axis;
  Term times, shape[TENSOR_MAX_RANK];
  if (!x) return NULL;
  if (!strcmp(c->name, "repeat") && !c->is_numpy)
    return call_fail(c, "use expand and reshape", "repeat of PyTorch is not read");
  if (!axis_arg(c, 2, x->rank, &axis)) return NULL;
  if (!term_value(c->e, c->args[1], &times) || x->rank + 1 > TENSOR_MAX_RANK)
    return call_fail(c, NULL, "the number of repeats is an integer");
  Expr wide = tensor_expand(tt, x, axis + 1);
  memcpy(shape, wide->shape, sizeof shape);
  shape[axis + 1] = times;
  wide = tensor_broadcast(tt, wide, wide->rank, shape);
  memcpy(shape, x->shape, sizeof shape);
  shape[axis] = term_mul(tt, x->shape[axis], times);
  return call_result(c, wide ? tensor_reshape(tt, wide, x->rank, shape) : NULL);
}

/* ---- parts ---- */

static void whole(Call *c, Expr x, TensorSlice *slices) {
  for (uint32_t i = 0; i < x->rank; i++) slices[i] = (TensorSlice){c->e->tt->zero, x->shape[i], c->e->tt->one, false};
}

static bool are_truths(const Value *list) {
  for (uint32_t i = 0; i < list->count; i++)
    if (value_type(list->items[i]) != 'b') return false;
  return true;
}

static const Value *concatenate(Call *c) {
  const Value *list = c->args[0];
  uint32_t axis = 0;
  Expr result = NULL;
  if (!list || list->kind != VALUE_TUPLE || !list->count)
    return call_fail(c, NULL, "%s expects a list of tensors", c->name);
  if (c->e->is_formula) axis = 0;
  if (c->args[1] && c->args[1]->kind == VALUE_NONE)
    return call_fail(c, "flatten them first", "%s without an axis", c->name);
  for (uint32_t i = 0; i < list->count; i++) {
    Expr x = list->items[i]->kind == VALUE_TENSOR ? list->items[i]->tensor : NULL;
    bool stack = !strcmp(c->name, "stack");
    if (!x) return call_fail(c, NULL, "%s expects a list of tensors", c->name);
    if (!i && has(c, 1) && !axis_arg(c, 1, x->rank + stack, &axis)) return NULL;
    if (!i && !strcmp(c->name, "hstack") && x->rank > 1) axis = 1;
    if (x->sort == SORT_BOOL && !are_truths(list)) x = tensor_number(c->e, x);
    if (stack) x = tensor_expand(c->e->tt, x, axis);
    Expr joined = i ? tensor_concat(c->e->tt, result, x, axis) : x;
    if (!joined)
      return call_fail(c, NULL, "the shapes %s and %s do not fit %s", reference_shape_text(c->e, result),
                       reference_shape_text(c->e, x), c->name);
    result = joined;
  }
  return value_tensor(c->e, result);
}

/* input, axis, start, length */
static const Value *narrow(Call *c) {
  Expr x = tensor_arg(c, 0);
  uint32_t axis;
  TensorSlice slices[TENSOR_MAX_RANK];
  Term start, length;
  if (!x || !axis_arg(c, 1, x->rank, &axis)) return NULL;
  if (!term_value(c->e, c->args[2], &start) || !term_value(c->e, c->args[3], &length))
    return call_fail(c, NULL, "narrow expects integers");
  whole(c, x, slices);
  if (!reference_place(c->e, c->node, &start, x->shape[axis])) return NULL;
  slices[axis].start = start, slices[axis].stop = term_add(c->e->tt, start, length);
  reference_inside(c->e, c->e->tt->zero, start), reference_inside(c->e, c->e->tt->zero, length),
      reference_inside(c->e, slices[axis].stop, x->shape[axis]);
  return call_result(c, tensor_slice(c->e->tt, x, slices));
}

/* input, sections, axis: chunk into so many; split of PyTorch into parts of that size, or of these sizes */
static const Value *split(Call *c) {
  Expr x = tensor_arg(c, 0);
  TermTable *tt = c->e->tt;
  uint32_t axis = 0, n = 0;
  int64_t literal;
  Term at = tt->zero, length[CALL_MAX_ARGS];
  const Value *parts[CALL_MAX_ARGS], *sections = c->args[1];
  if (!x || (has(c, 2) && !axis_arg(c, 2, x->rank, &axis)) || !x->rank) return NULL;
  bool by_count = !strcmp(c->name, "chunk") || c->is_numpy;
  if (sections && sections->kind == VALUE_TUPLE && !by_count && sections->count < CALL_MAX_ARGS) {
    Term all = tt->zero;
    for (; n < sections->count; n++) {
      if (!term_value(c->e, sections->items[n], &length[n])) return call_fail(c, NULL, "split expects sizes");
      all = term_add(tt, all, length[n]);
      reference_inside(c->e, tt->zero, length[n]);
    }
    if (all != x->shape[axis])
      return call_fail(c, "give the shape: --shape x=M,8", "the parts are not seen to be %s long together",
                       term_text(tt, x->shape[axis]));
  } else if (by_count && int_value(c->e, sections, &literal) && literal > 0 && literal < CALL_MAX_ARGS) {
    Term one = term_floordiv(tt, x->shape[axis], term_int(tt, literal));
    if (term_mul(tt, one, term_int(tt, literal)) != x->shape[axis])
      return call_fail(c, "give the shape: --shape x=M,2*N", "%s is not seen to be a multiple of %lld",
                       term_text(tt, x->shape[axis]), (long long)literal);
    for (; n < (uint32_t)literal; n++) length[n] = one;
  } else if (!by_count && sections && sections->kind == VALUE_TENSOR) {
    Term size, count;
    if (!term_value(c->e, sections, &size)) return call_fail(c, NULL, "split expects sizes");
    count = term_cdiv(tt, x->shape[axis], size);
    if (!term_is_int(tt, count, &literal) || literal < 1 || literal >= CALL_MAX_ARGS)
      return call_fail(c, NULL, "the number of parts is not known");
    for (; n < (uint32_t)literal; n++) length[n] = size;
    length[n - 1] = term_sub(tt, x->shape[axis], term_mul(tt, size, term_int(tt, literal - 1)));
  } else
    return call_fail(c, NULL, "these parts are not read");
  for (uint32_t i = 0; i < n; i++) {
    TensorSlice slices[TENSOR_MAX_RANK];
    whole(c, x, slices);
    slices[axis].start = at, slices[axis].stop = at = term_add(tt, at, length[i]);
    parts[i] = value_tensor(c->e, tensor_slice(tt, x, slices));
  }
  return value_tuple(c->e, n, parts);
}

static const Value *flip(Call *c) {
  Expr x = tensor_arg(c, 0);
  uint32_t axes;
  Call all = *c;
  if (c->extra_count) { /* x.flip(0, 1) */
    const Value *list[CALL_MAX_ARGS] = {c->args[1]};
    for (uint32_t i = 0; i < c->extra_count; i++) list[i + 1] = c->extra[i];
    all.args[1] = value_tuple(c->e, c->extra_count + 1, list);
  }
  if (!x || (c->extra_count && c->is_numpy) || !axes_arg(&all, 1, x->rank, &axes)) return NULL;
  for (uint32_t i = 0; i < x->rank; i++) {
    if (!(axes >> i & 1)) continue;
    Expr last = tensor_of_size(c->e, term_sub(c->e->tt, x->shape[i], c->e->tt->one));
    x = tensor_take(c->e->tt, x, op2(c->e, TENSOR_SUB, last, tensor_index(c->e->tt, x->shape[i])), i);
  }
  return call_result(c, x);
}

/* ---- gathers ---- */

/* The first elements of x along the other axes, as many as there are places. */
static Expr as_long(Call *c, Expr x, Expr places, uint32_t axis) {
  TensorSlice slices[TENSOR_MAX_RANK];
  whole(c, x, slices);
  for (uint32_t i = 0; i < x->rank; i++) {
    if (i == axis) continue;
    slices[i].stop = places->shape[i];
    reference_inside(c->e, slices[i].stop, x->shape[i]);
  }
  return tensor_slice(c->e->tt, x, slices);
}

/* input, axis, index (PyTorch) or input, index, axis (NumPy) */
static const Value *gather(Call *c) {
  bool places_first = !strcmp(c->name, "take_along_axis") || !strcmp(c->name, "take_along_dim");
  uint32_t place = places_first ? 1 : 2, axis = 0;
  Expr x = tensor_arg(c, 0), places = x ? tensor_arg(c, place) : NULL;
  if (!places || !axis_arg(c, 3 - place, x->rank, &axis)) return NULL;
  if (value_type(c->args[place]) != 'i') return call_fail(c, NULL, "the places of %s are integers", c->name);
  if (places->rank != x->rank) return call_fail(c, NULL, "%s needs places of rank %u", c->name, x->rank);
  if (places_first && !c->e->is_formula)
    places = reference_places(c->e, places, x->shape[axis]);
  else if (!c->e->is_formula)
    x = as_long(c, x, places, axis); /* PyTorch's gather does not broadcast */
  return call_result(c, tensor_take_along(c->e->tt, x, places, axis));
}

/* input, axis, index (PyTorch) or input, index, axis (NumPy) */
static const Value *take(Call *c) {
  uint32_t place = !strcmp(c->name, "take") ? 1 : 2, axis = 0;
  Expr x = tensor_arg(c, 0), places = x ? tensor_arg(c, place) : NULL;
  if (!places || ((x->rank > 1 || has(c, 3 - place)) && !axis_arg(c, 3 - place, x->rank, &axis))) return NULL;
  if (!c->e->is_formula && value_type(c->args[place]) != 'i')
    return call_fail(c, NULL, "the places of %s are integers", c->name);
  if (place == 2 && places->rank != 1) return call_fail(c, NULL, "the places of index_select are a vector");
  if (!x->rank) return call_fail(c, NULL, "%s of a number", c->name);
  if (place == 1 && !c->e->is_formula) places = reference_places(c->e, places, x->shape[axis]);
  return call_result(c, tensor_take(c->e->tt, x, places, axis));
}

/* ---- new tensors ---- */

static const TensorExpr *filled(Call *c, const TensorExpr *value, uint32_t count, const Term *shape) {
  return value ? tensor_broadcast(c->e->tt, value, count, shape) : NULL;
}

static const Value *fill(Call *c) {
  Term shape[TENSOR_MAX_RANK + CALL_MAX_ARGS];
  uint32_t count;
  bool full = !strcmp(c->name, "full");
  if (!shape_arg(c, 0, &count, shape)) return NULL;
  const TensorExpr *value = full ? tensor_arg(c, 1) : tensor_of_int(c->e, !strcmp(c->name, "ones"));
  if (full && c->e->is_formula) value = number_arg(c, 1);
  return call_result(c, filled(c, value, count, shape));
}

/* input, pad, mode, value: two lengths for each axis, from the last one on; what is before and behind is `value` */
static const Value *pad(Call *c) {
  TermTable *tt = c->e->tt;
  Expr x = tensor_arg(c, 0);
  const Value *list = c->args[1], *value = has(c, 3) ? c->args[3] : value_tensor(c->e, tensor_of_int(c->e, 0));
  const char *mode;
  if (!x || !string_arg(c, 2, "constant", &mode)) return NULL;
  if (strcmp(mode, "constant")) return call_fail(c, NULL, "pad in the mode %s is not read", mode);
  if (value_type(c->args[0]) != 'f') return call_fail(c, NULL, "pad of what is no float tensor is not read");
  if (value->kind != VALUE_TENSOR || value->tensor->rank || value_type(value) == 'b')
    return call_fail(c, NULL, "the value of pad is a number");
  if (!list || list->kind != VALUE_TUPLE || list->count % 2 || list->count / 2 > x->rank)
    return call_fail(c, NULL, "pad expects two lengths for each of the last axes, of which there are %u", x->rank);
  if (value_type(value) != 'f') value = reference_cast(c, value, reference_type_text(c->e, c->args[0]));
  for (uint32_t i = 0; i < list->count && value && x; i++) {
    uint32_t axis = x->rank - 1 - i / 2;
    Term shape[TENSOR_MAX_RANK];
    Term length;
    memcpy(shape, x->shape, sizeof *shape * x->rank);
    if (!term_value(c->e, list->items[i], &length) || !term_prove_le(tt, tt->zero, length))
      return call_fail(c, "for fewer elements take a slice",
                       "a length of pad is not seen to be an integer of at least 0");
    shape[axis] = length;
    if (length == tt->zero) continue;
    Expr more = filled(c, value->tensor, x->rank, shape);
    x = !more ? NULL : i % 2 ? tensor_concat(tt, x, more, axis) : tensor_concat(tt, more, x, axis);
  }
  return value ? call_result(c, x) : NULL;
}

static bool has_dtype(const Call *c) { return c->dtype && c->dtype->kind != VALUE_NONE; }

static const Value *fill_like(Call *c) {
  Expr x = tensor_arg(c, 0);
  if (!x) return NULL;
  bool full = !strncmp(c->name, "full", 4);
  const Value *value = !full              ? value_tensor(c->e, tensor_of_int(c->e, !strncmp(c->name, "ones", 4)))
                       : tensor_arg(c, 1) ? c->args[1]
                                          : NULL;
  if (!value) return NULL;
  if (c->e->is_formula || (has_dtype(c) && full))
    return call_result(c, filled(c, value->tensor, x->rank, x->shape)); /* reference_as_type converts */
  bool fits = !full || value_type(value) == value_type(c->args[0]);
  if (!fits || value_type(c->args[0]) == 'b') value = reference_cast(c, value, reference_type_text(c->e, c->args[0]));
  return value ? call_result(c, filled(c, value->tensor, x->rank, x->shape)) : NULL;
}

static const Value *arange(Call *c) {
  TermTable *tt = c->e->tt;
  Term start = tt->zero, stop, step = tt->one;
  bool one = !has(c, 1);
  int64_t literal;
  if (!term_value(c->e, c->args[one ? 0 : 1], &stop) || (!one && !term_value(c->e, c->args[0], &start)) ||
      (has(c, 2) && (!term_value(c->e, c->args[2], &step) || !term_is_int(tt, step, &literal) || literal < 1)))
    return call_fail(c, NULL, "%s expects integers or sizes", c->name);
  if (!term_prove_lt(tt, stop, start)) reference_inside(c->e, start, stop);
  Expr index = tensor_index(tt, term_cdiv(tt, term_sub(tt, stop, start), step));
  return call_result(
      c, op2(c->e, TENSOR_ADD, tensor_of_size(c->e, start), op2(c->e, TENSOR_MUL, tensor_of_size(c->e, step), index)));
}

/* n, m */
static const Value *eye(Call *c) {
  Term shape[2];
  if (!term_value(c->e, c->args[0], &shape[0])) return call_fail(c, NULL, "%s expects integers or sizes", c->name);
  shape[1] = shape[0];
  if (has(c, 1) && !term_value(c->e, c->args[1], &shape[1]))
    return call_fail(c, NULL, "%s expects integers or sizes", c->name);
  Expr rows = tensor_expand(c->e->tt, tensor_index(c->e->tt, shape[0]), 1);
  return call_result(c, tensor_number(c->e, op2(c->e, TENSOR_EQ, rows, tensor_index(c->e->tt, shape[1]))));
}

static const Value *is_real(Call *c) {
  return tensor_arg(c, 0) ? value_tensor(c->e, tensor_const(c->e->tt, value_type(c->args[0]) == 'f' ? c->e->tt->true_
                                                                                                    : c->e->tt->false_))
                          : NULL;
}

static const Value *triangle(Call *c) {
  Expr x = tensor_arg(c, 0), diagonal = x ? number_or(c, 1, tensor_of_int(c->e, 0)) : NULL;
  if (!diagonal) return NULL;
  if (x->rank < 2) return call_fail(c, NULL, "%s of a tensor of rank %u", c->name, x->rank);
  if (has(c, 1) && value_type(c->args[1]) != 'i')
    return call_fail(c, NULL, "the diagonal of %s is an integer", c->name);
  Expr offset = op2(c->e, TENSOR_SUB, row_index(c->e, x, x->rank - 1), row_index(c->e, x, x->rank - 2));
  Expr inside = op2(c->e, !strcmp(c->name, "tril") ? TENSOR_LE : TENSOR_GE, offset, diagonal);
  Expr zero = x->sort == SORT_BOOL ? tensor_const(c->e->tt, c->e->tt->false_) : tensor_of_int(c->e, 0);
  return call_result(c, choose_of_computed(c->e, inside, x, zero));
}

/* torch.tensor(3.0), float(x), int(n): a number stays one */
static const Value *scalar(Call *c) {
  const Value *v = c->args[0];
  if (v && v->kind == VALUE_STRING) {
    bool minus = v->text[0] == '-';
    if (!strcmp(v->text + minus, "inf") || !strcmp(v->text + minus, "infinity"))
      return value_tensor(c->e, tensor_const(c->e->tt, minus ? c->e->tt->neg_inf : c->e->tt->inf));
    return call_fail(c, NULL, "%s of this string is not read", c->name);
  }
  Expr x = tensor_arg(c, 0);
  if (!x) return NULL;
  const Value *cast = c->e->is_formula ? NULL : reference_cast(c, v, c->name);
  if (cast || c->e->r->diagnostics->error_count > c->errors) return cast;
  if (c->e->is_formula) x = tensor_number(c->e, x);
  if (!strcmp(c->name, "item") && x->rank) return call_fail(c, NULL, "item of a tensor of rank %u", x->rank);
  return call_result(c, x); /* tensor, array, item */
}

static const Value *size(Call *c) {
  Expr x = tensor_arg(c, 0);
  uint32_t axis;
  if (!x) return NULL;
  if (!has(c, 1) && c->is_numpy) return value_tensor(c->e, count_axes(c->e, x, (1u << x->rank) - 1));
  if (!has(c, 1)) return value_shape(c->e, x);
  return axis_arg(c, 1, x->rank, &axis) ? value_tensor(c->e, tensor_of_size(c->e, x->shape[axis])) : NULL;
}

static const Value *element_count(Call *c) {
  Expr x = tensor_arg(c, 0);
  return x ? value_tensor(c->e, count_axes(c->e, x, (1u << x->rank) - 1)) : NULL;
}

static const Value *rank_of(Call *c) {
  Expr x = tensor_arg(c, 0);
  return x ? value_tensor(c->e, tensor_of_int(c->e, x->rank)) : NULL;
}

static const Value *length(Call *c) {
  const Value *v = c->args[0];
  if (v && v->kind == VALUE_TUPLE) return value_tensor(c->e, tensor_of_int(c->e, v->count));
  Expr x = tensor_arg(c, 0);
  if (!x || !x->rank) return x ? call_fail(c, NULL, "a number has no length") : NULL;
  return value_tensor(c->e, tensor_of_size(c->e, x->shape[0]));
}

static const Value *column(Call *c) {
  Expr x = tensor_arg(c, 0);
  return x ? call_result(c, tensor_expand(c->e->tt, x, x->rank)) : NULL;
}

#define X "input|x|a|self|tensor"
const LibraryFunction reference_shapes[] = {
    {"contiguous", same, X ",!memory_format"},
    {"clone", same, X ",!memory_format"},
    {"detach", same, X},
    {"cpu", same, X},
    {"cuda", same, X ",device"},
    {"copy", same, X},
    {"asarray", same, X ",!dtype"},
    {"as_tensor", same, X ",!dtype,!device"},
    {"array", scalar, X ",!dtype"},
    {"ascontiguousarray", same, X},
    {"requires_grad_", same, X ",r"},
    {"numpy", same, X},
    {"from_numpy", same, X},
    {"transpose", transpose, X ",*"},
    {"permute", transpose, X ",*"},
    {"t", transpose, X ",*"},
    {"swapaxes", swap, X ",axis0|axis1,axis1|axis2"},
    {"swapdims", swap, X ",dim0,dim1"},
    {"movedim", move_axis, X ",source,destination"},
    {"moveaxis", move_axis, X ",source,destination"},
    {"unsqueeze", unsqueeze, X ",dim"},
    {"expand_dims", unsqueeze, X ",axis"},
    {"squeeze", squeeze, X ",*"},
    {"reshape", reshape, X ",shape|newshape,*"},
    {"view", reshape, X ",size|shape,*"},
    {"flatten", flatten, X ",start_dim,end_dim"},
    {"ravel", flatten, X},
    {"expand", stretch, X ",size,*"},
    {"broadcast_to", stretch, X ",size|shape,*"},
    {"expand_as", stretch, X ",other"},
    {"repeat_interleave", repeat_interleave, X ",repeats,dim|axis"},
    {"repeat", repeat_interleave, X ",repeats,axis"},
    {"cat", concatenate, "tensors,dim|axis"},
    {"concat", concatenate, "tensors,dim|axis"},
    {"concatenate", concatenate, "tensors|arrays,dim|axis"},
    {"pad", pad, X ",pad,mode,value"},
    {"stack", concatenate, "tensors|arrays,dim|axis"},
    {"hstack", concatenate, "tensors|tup"},
    {"narrow", narrow, X ",dim,start,length"},
    {"chunk", split, X ",chunks,dim"},
    {"split", split, X ",split_size_or_sections|indices_or_sections|split_size,dim|axis"},
    {"flip", flip, X ",dims|axis,*"},
    {"gather", gather, X ",dim,index"},
    {"take_along_axis", gather, X ",indices,axis"},
    {"take_along_dim", gather, X ",indices,dim"},
    {"index_select", take, X ",dim,index"},
    {"take", take, X ",indices|index,axis"},
    {"zeros", fill, "size|shape,*,!dtype,!device"},
    {"ones", fill, "size|shape,*,!dtype,!device"},
    {"full", fill, "size|shape,fill_value,!dtype,!device"},
    {"zeros_like", fill_like, X ",!dtype,!device"},
    {"ones_like", fill_like, X ",!dtype,!device"},
    {"full_like", fill_like, X ",fill_value,!dtype,!device"},
    {"eye", eye, "n|N,m|M,!dtype,!device"},
    {"is_floating_point", is_real, X},
    {"arange", arange, "start,end|stop,step,!dtype,!device"},
    {"tril", triangle, X ",diagonal|k"},
    {"triu", triangle, X ",diagonal|k"},
    {"tensor", scalar, "data|object,!dtype,!device"},
    {"float", scalar, "x"},
    {"int", scalar, "x"},
    {"bool", scalar, "x"},
    {"item", scalar, X},
    {"float32", scalar, "x"},
    {"float64", scalar, "x"},
    {"int32", scalar, "x"},
    {"int64", scalar, "x"},
    {"size", size, X ",dim"},
    {"numel", element_count, X},
    {"dim", rank_of, X},
    {"ndimension", rank_of, X},
    {"len", length, "x"},
    {"column", column, "x"},
    {NULL, NULL, NULL}};
