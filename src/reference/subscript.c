/* x[i, a:b, None, ..., j]: slices, places, new axes, and arrays of places. */
#include <string.h>

#include "reference/internal.h"

typedef const TensorExpr *Expr;

static bool is_array(const Value *v) { return v->kind == VALUE_TENSOR && v->tensor->rank > 0; }

/* Places below 0 count from the end. */
static Term from_end(Evaluator *e, Term t, Term length) {
  int64_t literal;
  bool below = e->is_formula ? term_is_int(e->tt, t, &literal) && literal < 0 : term_prove_lt(e->tt, t, e->tt->zero);
  return below ? term_add(e->tt, length, t) : t;
}

/* -k, where k may be 0, is either. */
static bool has_no_side(Evaluator *e, Term t) {
  return !e->is_formula && !term_prove_le(e->tt, e->tt->zero, t) && !term_prove_lt(e->tt, t, e->tt->zero) &&
         term_prove_le(e->tt, t, e->tt->zero);
}

bool reference_place(Evaluator *e, const PyNode *n, Term *place, Term length) {
  if (has_no_side(e, *place))
    return reference_fail(e, n, "reference.subscript", "say that it is not 0: 1 <= k",
                          "%s is from the end unless it is 0", term_text(e->tt, *place)),
           false;
  *place = from_end(e, *place, length);
  return true;
}

/* Are the values of an input, which are taken to be places as they stand. */
static bool is_input(const TensorExpr *t) {
  while (t->count == 1 && (t->op == TENSOR_SLICE || t->op == TENSOR_RESHAPE || t->op == TENSOR_TRANSPOSE ||
                           t->op == TENSOR_EXPAND || t->op == TENSOR_SQUEEZE || t->op == TENSOR_BROADCAST))
    t = t->args[0];
  return t->op == TENSOR_INPUT || t->op == TENSOR_SCALAR;
}

const TensorExpr *reference_places(Evaluator *e, const TensorExpr *places, Term length) {
  TermTable *tt = e->tt;
  Term index[TENSOR_MAX_RANK];
  if (e->is_formula || !places || is_input(places)) return places;
  for (uint32_t i = 0; i < places->rank; i++) {
    index[i] = term_symbol_fresh(tt, "i", SORT_INT, SYMBOL_INDEX);
    term_symbol_range(tt, index[i], tt->zero, term_sub(tt, places->shape[i], tt->one));
  }
  Term least = tensor_meaning(tt, places, index);
  if (least && term_prove_le(tt, tt->zero, least)) return places;
  const TensorExpr *size = tensor_of_size(e, length);
  return choose(e, op2(e, TENSOR_LT, places, tensor_of_int(e, 0)), op2(e, TENSOR_ADD, places, size), places);
}

/* a <= b for every size, or for those that were assumed before. */
static bool is_inside(Evaluator *e, Term a, Term b) {
  if (term_prove_le(e->tt, a, b)) return true;
  uint32_t facts = e->tt->facts.count;
  for (uint32_t i = 0; i < e->r->inside.count; i++) term_push_fact(e->tt, e->r->inside.data[i]);
  bool known = term_prove_le(e->tt, a, b);
  term_pop_facts(e->tt, facts);
  return known;
}

/* A bound of a slice: literals beyond an end are that end. Sizes are taken to be inside, as the slices of formulas are.
 */
static Term bound_of(Evaluator *e, Term t, Term length) {
  TermTable *tt = e->tt;
  int64_t literal;
  Term place = from_end(e, t, length);
  if (!term_is_int(tt, t, &literal) || e->is_formula) return place;
  if (literal < 0) return is_inside(e, tt->zero, place) ? place : term_max(tt, tt->zero, place);
  return is_inside(e, place, length) ? place : term_min(tt, place, length);
}

/* a <= b, so that a slice stays inside its tensor: known, or assumed of the launch (beyond an end, PyTorch would cut it
 * short). */
void reference_inside(Evaluator *e, Term a, Term b) {
  if (e->is_formula || is_inside(e, a, b)) return;
  array_push(e->arena, &e->r->inside, term_le(e->tt, a, b));
}

static bool is_none(const Value *v) { return v->kind == VALUE_NONE; }

/* [::-1] */
static bool is_backwards(Evaluator *e, const Value *v) {
  int64_t step;
  return v->kind == VALUE_SLICE && is_none(v->items[0]) && is_none(v->items[1]) && int_value(e, v->items[2], &step) &&
         step == -1;
}

static bool read_slice(Evaluator *e, const PyNode *n, const Value *v, Term length, TensorSlice *out) {
  TermTable *tt = e->tt;
  Term bounds[3] = {tt->zero, length, tt->one};
  int64_t step;
  for (uint32_t i = 0; i < 3; i++)
    if (v->items[i]->kind != VALUE_NONE && !term_value(e, v->items[i], &bounds[i])) {
      reference_fail(e, n, "reference.subscript", NULL, "the bounds of a slice are integers or sizes");
      return false;
    }
  if (!term_is_int(tt, bounds[2], &step) || step < 1) {
    reference_fail(e, n, "reference.subscript", NULL, "the step of a slice is a positive literal");
    return false;
  }
  for (uint32_t i = 0; i < 2; i++)
    if (has_no_side(e, bounds[i]))
      return reference_fail(e, n, "reference.subscript", "say that it is not 0: 1 <= k",
                            "%s is from the end unless it is 0", term_text(tt, bounds[i])),
             false;
  Term start = bound_of(e, bounds[0], length), stop = bound_of(e, bounds[1], length);
  if (term_prove_lt(tt, length, stop)) stop = length;
  if (term_prove_le(tt, stop, start)) {
    reference_fail(e, n, "reference.subscript", NULL, "this slice is empty");
    return false;
  }
  reference_inside(e, tt->zero, start), reference_inside(e, start, stop), reference_inside(e, stop, length);
  *out = (TensorSlice){start, stop, bounds[2], false};
  return true;
}

/* All axes by arrays of places (or single places): one gather. */
static const Value *gather(Evaluator *e, const PyNode *n, Expr x, const Value *const *items, uint32_t count) {
  Expr indices[TENSOR_MAX_RANK];
  if (count != x->rank)
    return reference_fail(e, n, "reference.subscript", "use gather, index_select or take_along_axis",
                          "this mixture of indices is not read");
  for (uint32_t i = 0; i < count; i++) {
    if (items[i]->kind != VALUE_TENSOR || items[i]->tensor->sort != SORT_INT)
      return reference_fail(e, n, "reference.subscript", "use gather, index_select or take_along_axis",
                            "this mixture of indices is not read");
    indices[i] = reference_places(e, items[i]->tensor, x->shape[i]);
  }
  Expr result = tensor_gather(e->tt, x, indices);
  return result ? value_tensor(e, result)
                : reference_fail(e, n, "reference.subscript", NULL, "the shapes of the indices do not fit");
}

/* x[places] and x[:, places]: one array, the other axes whole. */
static const Value *take_rows(Evaluator *e, const PyNode *n, Expr x, const Value *const *items, uint32_t count) {
  uint32_t axis = 0;
  if (e->is_formula && x->rank == 1) return gather(e, n, x, items, count); /* take(x, i, axis=0) is written so */
  for (uint32_t i = 0; i < count; i++) {
    const Value *v = items[i];
    bool whole = v->kind == VALUE_SLICE && v->items[0]->kind == VALUE_NONE && v->items[1]->kind == VALUE_NONE &&
                 v->items[2]->kind == VALUE_NONE;
    if (is_array(v))
      axis = i;
    else if (!whole)
      return gather(e, n, x, items, count);
  }
  if (items[axis]->tensor->sort != SORT_INT)
    return reference_fail(e, n, "reference.subscript", "use where", "indexing by truth values is not read");
  return value_tensor(e, tensor_take(e->tt, x, reference_places(e, items[axis]->tensor, x->shape[axis]), axis));
}

static const Value *index_tensor(Evaluator *e, const PyNode *n, Expr x, const Value *const *items, uint32_t count);

/* x[:, [0, 2]]: what is at each of the places, side by side along that axis. */
static const Value *index_list(Evaluator *e, const PyNode *n, Expr x, const Value *const *items, uint32_t count,
                               uint32_t at) {
  const Value *list = items[at], *own[TENSOR_MAX_RANK];
  uint32_t axis = 0;
  Expr result = NULL;
  for (uint32_t i = 0; i < count; i++) {
    if (i != at && items[i]->kind != VALUE_SLICE)
      return reference_fail(e, n, "reference.subscript", "use gather, index_select or take_along_axis",
                            "this mixture of indices is not read");
    own[i] = items[i], axis += i < at;
  }
  for (uint32_t k = 0; k < list->count; k++) {
    int64_t place;
    own[at] = list->items[k];
    if (own[at]->kind != VALUE_TENSOR || own[at]->tensor->sort != SORT_INT || !int_value(e, own[at], &place))
      return reference_fail(e, n, "reference.subscript", NULL, "a list of places has integers");
    const Value *one = index_tensor(e, n, x, own, count);
    if (!one) return NULL;
    Expr part = tensor_expand(e->tt, one->tensor, axis);
    result = result ? tensor_concat(e->tt, result, part, axis) : part;
  }
  return result ? value_tensor(e, result) : reference_fail(e, n, "reference.subscript", NULL, "this slice is empty");
}

/* Axes that run backwards. */
static Expr turned(Evaluator *e, Expr x, uint32_t axes) {
  for (uint32_t i = 0; i < x->rank; i++) {
    if (!(axes >> i & 1)) continue;
    Expr last = tensor_of_size(e, term_sub(e->tt, x->shape[i], e->tt->one));
    x = tensor_take(e->tt, x, op2(e, TENSOR_SUB, last, tensor_index(e->tt, x->shape[i])), i);
  }
  return x;
}

static const Value *index_tensor(Evaluator *e, const PyNode *n, Expr x, const Value *const *items, uint32_t count) {
  TensorSlice slices[TENSOR_MAX_RANK];
  uint32_t places = 0, arrays = 0, axis = 0, backwards = 0, new_axes[TENSOR_MAX_RANK], new_count = 0, out = 0, dots = 0;
  for (uint32_t i = 0; i < count; i++)
    if (items[i]->kind == VALUE_TUPLE)
      return count <= x->rank ? index_list(e, n, x, items, count, i)
                              : reference_fail(e, n, "reference.subscript", NULL, "%u indices of a tensor of rank %u",
                                               count, x->rank);
  for (uint32_t i = 0; i < count; i++) {
    places += items[i]->kind != VALUE_NONE && items[i]->kind != VALUE_ELLIPSIS;
    arrays += is_array(items[i]);
    dots += items[i]->kind == VALUE_ELLIPSIS;
  }
  if (places > x->rank || dots > 1)
    return reference_fail(e, n, "reference.subscript", NULL, "%u indices of a tensor of rank %u", places, x->rank);
  if (arrays == 1 && places == count) return take_rows(e, n, x, items, count);
  if (arrays && places == count && count == x->rank) return gather(e, n, x, items, count);
  if (arrays)
    return reference_fail(e, n, "reference.subscript", "use gather, index_select or take_along_axis",
                          "this mixture of indices is not read");
  for (uint32_t i = 0; i < count; i++) {
    const Value *v = items[i];
    if (v->kind == VALUE_NONE) {
      if (new_count < TENSOR_MAX_RANK) new_axes[new_count++] = out++;
    } else if (v->kind == VALUE_ELLIPSIS) {
      for (uint32_t skip = x->rank - places; skip > 0; skip--, out++, axis++)
        slices[axis] = (TensorSlice){e->tt->zero, x->shape[axis], e->tt->one, false};
    } else if (is_backwards(e, v)) {
      slices[axis] = (TensorSlice){e->tt->zero, x->shape[axis], e->tt->one, false};
      backwards |= 1u << axis;
      axis++, out++;
    } else if (v->kind == VALUE_SLICE) {
      if (!read_slice(e, n, v, x->shape[axis], &slices[axis])) return NULL;
      axis++, out++;
    } else {
      Term place;
      if (!term_value(e, v, &place))
        return reference_fail(e, n, "reference.subscript", NULL,
                              "an index is an integer, a slice or an array of integers");
      if (!reference_place(e, n, &place, x->shape[axis])) return NULL;
      reference_inside(e, e->tt->zero, place), reference_inside(e, term_add(e->tt, place, e->tt->one), x->shape[axis]);
      slices[axis] = (TensorSlice){.start = place, .stop = e->tt->zero, .step = e->tt->one, .point = true};
      axis++;
    }
  }
  for (; axis < x->rank; axis++) slices[axis] = (TensorSlice){e->tt->zero, x->shape[axis], e->tt->one, false};
  Expr whole = turned(e, x, backwards), result = x->rank ? tensor_slice(e->tt, whole, slices) : x;
  for (uint32_t i = 0; i < new_count; i++) result = tensor_expand(e->tt, result, new_axes[i]);
  return result ? value_tensor(e, result) : reference_fail(e, n, "reference.subscript", NULL, "this slice is not read");
}

/* Python's slices: a negative bound counts from the end, and what lies outside is cut; backwards, the bounds are the
 * other ends. */
static const Value *slice_tuple(Evaluator *e, const PyNode *n, const Value *value, const Value *slice) {
  int64_t count = value->count, step = 1;
  if (slice->items[2]->kind != VALUE_NONE &&
      (!int_value(e, slice->items[2], &step) || !step || step > INT32_MAX || step < -INT32_MAX))
    return reference_fail(e, n, "reference.subscript", NULL, "this slice is not read");
  int64_t least = step > 0 ? 0 : -1, most = step > 0 ? count : count - 1,
          bounds[2] = {step > 0 ? 0 : count - 1, step > 0 ? count : -1};
  for (int i = 0; i < 2; i++) {
    if (slice->items[i]->kind == VALUE_NONE) continue;
    if (!int_value(e, slice->items[i], &bounds[i]))
      return reference_fail(e, n, "reference.subscript", NULL, "this slice is not read");
    if (bounds[i] < 0) bounds[i] += count;
    bounds[i] = bounds[i] < least ? least : bounds[i] > most ? most : bounds[i];
  }
  const Value **items = arena_array(e->arena, const Value *, value->count + 1);
  uint32_t taken = 0;
  for (int64_t i = bounds[0]; step > 0 ? i < bounds[1] : i > bounds[1]; i += step) items[taken++] = value->items[i];
  Value *part = (Value *)value_tuple(e, taken, items);
  part->is_list = value->is_list;
  return part;
}

static const Value *index_tuple(Evaluator *e, const PyNode *n, const Value *value, const Value *index) {
  int64_t at;
  if (index->kind == VALUE_SLICE) return slice_tuple(e, n, value, index);
  if (!int_value(e, index, &at) || at < -(int64_t)value->count || at >= (int64_t)value->count)
    return reference_fail(e, n, "reference.subscript", NULL, "there is no such element: the list has %u", value->count);
  return value->items[at < 0 ? at + value->count : at];
}

const Value *reference_subscript(Evaluator *e, const PyNode *n, const Value *value, const Value *index) {
  if (value->kind == VALUE_TUPLE) return index_tuple(e, n, value, index);
  if (value->kind == VALUE_DICT) {
    for (uint32_t i = 0; i + 1 < value->count; i += 2)
      if (index->kind == VALUE_STRING && value->items[i]->kind == VALUE_STRING &&
          !strcmp(value->items[i]->text, index->text))
        return value->items[i + 1];
    return reference_fail(e, n, "reference.subscript", NULL, "this key is not there, or no string");
  }
  if (value->kind != VALUE_TENSOR) return reference_fail(e, n, "reference.subscript", NULL, "this has no elements");
  if (index->kind == VALUE_TUPLE && !index->is_list)
    return index_tensor(e, n, value->tensor, index->items, index->count);
  return index_tensor(e, n, value->tensor, &index, 1);
}
