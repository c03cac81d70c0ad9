/* Launches in sequence (see sequence.h).
 *
 * The state of a tensor is a list of layers: what one store site of one launch left behind, over index symbols of its
 * own, in the view of that launch. A read at index i is
 *
 *   v = T[i];  for each layer, oldest first:  v = where(region(i), value(i), v)      or  v op value(i) for an atomic
 *
 * with the condition simplified by the ranges and facts around the read, so that it vanishes where the layer covers
 * what is read. Views that differ go through the offset. An index outside of its row would be another element of the
 * layer: unless it is shown to be inside, a mark is left, and a mark in the result means that it is not known. */
#include "sequence/sequence.h"

#include <string.h>

#include "laws/laws.h"
#include "lift/deduce.h"
#include "lift/recover.h"

static const char *const outside_mark = "outside of its row";

typedef struct Layer {
  uint32_t step;
  uint32_t rank;
  Term index[POINTWISE_MAX_RANK], extent[POINTWISE_MAX_RANK], stride[POINTWISE_MAX_RANK], offset;
  Term region, value;
  int accumulate;
  bool is_infinite; /* not shown to be finite */
} Layer;

typedef Array(Layer) Layers;

typedef struct Composer {
  Sequence *s;
  Arena *arena;
  TermTable *tt;
  Layers *layers; /* by tensor */
  uint32_t step;
  Name mark;
  bool is_marked, has_select;
  ReasonCode code;
  const char *text;
} Composer;

static void stop(Composer *c, ReasonCode code, const char *text) {
  if (!c->code) c->code = code, c->text = text;
}

/* ---- one view to another ---- */

typedef struct Place { /* of an element, as one view sees it */
  uint32_t rank;
  const Term *stride;
  Term offset;
  Term index[POINTWISE_MAX_RANK];
} Place;

static bool same_view(TermTable *tt, const Place *from, uint32_t rank, const Term *stride, Term offset) {
  if (from->rank != rank || term_sub(tt, from->offset, offset) != tt->zero) return false;
  for (uint32_t k = 0; k < rank; k++)
    if (term_sub(tt, from->stride[k], stride[k]) != tt->zero) return false;
  return true;
}

/* The same axes in another order. *axis: of `from`, for each of the view. */
static bool has_axes(TermTable *tt, const Place *from, uint32_t rank, const Term *stride, Term offset, uint32_t *axis) {
  uint32_t taken = 0;
  if (from->rank != rank || term_sub(tt, from->offset, offset) != tt->zero) return false;
  for (uint32_t k = 0; k < rank; k++, taken |= 1u << axis[k - 1]) {
    axis[k] = 0;
    while (axis[k] < rank && (taken >> axis[k] & 1 || term_sub(tt, from->stride[axis[k]], stride[k]) != tt->zero))
      axis[k]++;
    if (axis[k] == rank) return false;
  }
  return true;
}

typedef struct Rows { /* a view, and how many elements of it there are */
  uint32_t rank;
  const Term *stride, *extent;
  Term offset;
  bool is_filled; /* between rows there is nothing else */
} Rows;

static Term in_range(TermTable *tt, Term i, Term extent) {
  return term_and(tt, term_le(tt, tt->zero, i), term_lt(tt, i, extent));
}

/* The axis of the longest stride among those of `left`, the only one whose index leads out of the view and not to
 * another element of it; rank: none is known to be. */
static uint32_t outermost_of(TermTable *tt, uint32_t rank, const Term *stride, uint32_t left) {
  for (uint32_t a = 0; a < rank; a++) {
    bool longest = left >> a & 1;
    for (uint32_t k = 0; k < rank && longest; k++)
      longest = k == a || !(left >> k & 1) || stride[k] == tt->one || term_prove_le(tt, stride[k], stride[a]);
    if (longest) return a;
  }
  return rank;
}

/* Of the axes of more than one element, if there are such. */
static uint32_t outermost(TermTable *tt, uint32_t rank, const Term *stride, const Term *extent) {
  uint32_t left = 0;
  for (uint32_t k = 0; k < rank; k++)
    if (extent[k] != tt->one) left |= 1u << k;
  return outermost_of(tt, rank, stride, left ? left : (1u << rank) - 1);
}

/* The index of an address where rows follow each other, none longer than its stride: no other index has that address.
 * Digits that are no less than an extent say that the address is not one of the view. */
static bool index_by_sorted_digits(TermTable *tt, Term address, const Rows *to, Term *index) {
  if (to->rank < 2 || to->stride[to->rank - 1] != tt->one) return false;
  for (uint32_t k = 1; k < to->rank; k++) {
    Term row = term_mul(tt, to->extent[k], to->stride[k]), step = to->stride[k - 1];
    if (!term_prove_lt(tt, tt->zero, step) ||
        !(to->is_filled ? term_sub(tt, row, step) == tt->zero : term_prove_le(tt, row, step)))
      return false;
  }
  for (uint32_t k = 0; k + 1 < to->rank; k++) {
    index[k] = term_floordiv(tt, address, to->stride[k]);
    address = term_sub(tt, address, term_mul(tt, index[k], to->stride[k]));
  }
  index[to->rank - 1] = address;
  return true;
}

/* ... the axes in any order. */
static bool index_by_digits(TermTable *tt, Term address, const Rows *to, Term *index) {
  Term stride[POINTWISE_MAX_RANK], extent[POINTWISE_MAX_RANK], digits[POINTWISE_MAX_RANK];
  uint32_t axis[POINTWISE_MAX_RANK], left = (1u << to->rank) - 1;
  for (uint32_t k = 0; k < to->rank; k++, left &= ~(1u << axis[k - 1])) {
    axis[k] = outermost_of(tt, to->rank, to->stride, left);
    if (axis[k] == to->rank) return index_by_sorted_digits(tt, address, to, index);
    stride[k] = to->stride[axis[k]], extent[k] = to->extent[axis[k]];
  }
  Rows sorted = {
      .rank = to->rank, .stride = stride, .extent = extent, .offset = to->offset, .is_filled = to->is_filled};
  if (!index_by_sorted_digits(tt, address, &sorted, digits)) return false;
  for (uint32_t k = 0; k < to->rank; k++) index[axis[k]] = digits[k];
  return true;
}

/* By the summands of the address. */
static bool index_by_parts(Composer *c, Term address, const Rows *to, Term *index) {
  TermTable *tt = c->tt;
  PointwiseTensor view = {.rank = to->rank};
  memcpy(view.stride, to->stride, sizeof *to->stride * to->rank);
  if (!recover_indices(c->tt, NULL, &view, address, index)) return false;
  Term again = tt->zero;
  for (uint32_t k = 0; k < to->rank; k++) again = term_add(tt, again, term_mul(tt, index[k], to->stride[k]));
  return term_sub(tt, again, address) == tt->zero;
}

typedef enum Found {
  FOUND_NONE,
  FOUND_SAME,
  FOUND_PARTS,
  FOUND_DIGITS
} Found; /* by parts, an index outside of its row may be another element */

/* The element's index in a view. */
static Found convert(Composer *c, const Place *from, const Rows *to, Term *index);

/* An axis of one element may have any stride: true if it is none by which an address has one index. */
static bool is_misplaced(TermTable *tt, const Rows *to, uint32_t axis) {
  Term span = tt->zero;
  bool is_least = to->stride[axis] == tt->one;
  if (to->extent[axis] != tt->one) return false;
  for (uint32_t k = 0; k < to->rank; k++) {
    if (k == axis) continue;
    if (is_least && to->stride[k] == tt->one) return true;
    span = term_add(tt, span, term_mul(tt, to->stride[k], term_sub(tt, to->extent[k], tt->one)));
  }
  return !is_least && !term_prove_lt(tt, span, to->stride[axis]);
}

/* It has index 0. */
static Found convert_without(Composer *c, const Place *from, const Rows *to, uint32_t axis, Term *index) {
  Term stride[POINTWISE_MAX_RANK], extent[POINTWISE_MAX_RANK], at[POINTWISE_MAX_RANK];
  Rows rest = {
      .rank = to->rank - 1u, .stride = stride, .extent = extent, .offset = to->offset, .is_filled = to->is_filled};
  for (uint32_t k = 0; k < rest.rank; k++)
    stride[k] = to->stride[k + (k >= axis)], extent[k] = to->extent[k + (k >= axis)];
  Found found = convert(c, from, &rest, at);
  for (uint32_t k = 0; k < to->rank; k++) index[k] = k == axis ? c->tt->zero : at[k - (k > axis)];
  return found;
}

static Found convert(Composer *c, const Place *from, const Rows *to, Term *index) {
  TermTable *tt = c->tt;
  if (same_view(tt, from, to->rank, to->stride, to->offset)) {
    memcpy(index, from->index, sizeof *index * to->rank);
    return FOUND_SAME;
  }
  for (uint32_t k = 0; k < to->rank; k++)
    if (is_misplaced(tt, to, k)) return convert_without(c, from, to, k, index);
  uint32_t axis[POINTWISE_MAX_RANK];
  if (has_axes(tt, from, to->rank, to->stride, to->offset, axis)) {
    for (uint32_t k = 0; k < to->rank; k++) index[k] = from->index[axis[k]];
    return FOUND_PARTS;
  }
  Term address = term_sub(tt, from->offset, to->offset), digits[POINTWISE_MAX_RANK];
  for (uint32_t k = 0; k < from->rank; k++)
    address = term_add(tt, address, term_mul(tt, from->index[k], from->stride[k]));
  if (to->rank == 0)
    return term_prove_le(tt, address, tt->zero) && term_prove_le(tt, tt->zero, address) ? FOUND_PARTS
                                                                                        : FOUND_NONE; /* the only one */
  bool found = index_by_parts(c, address, to, index), inside = found;
  uint32_t outer = outermost(tt, to->rank, to->stride, to->extent);
  for (uint32_t k = 0; k < to->rank && inside; k++)
    inside = k == outer || in_range(tt, index[k], to->extent[k]) == tt->true_;
  if (inside || !index_by_digits(tt, address, to, digits)) return found ? FOUND_PARTS : FOUND_NONE;
  memcpy(index, digits, sizeof *index * to->rank);
  return FOUND_DIGITS;
}

static bool views_differ(Composer *c, uint32_t tensor) {
  stop(
      c, REASON_VIEWS,
      arena_format(c->arena, "%s is seen with strides that do not fit together", c->s->tensors.data[tensor].view.name));
  return false;
}

/* ---- layers ---- */

static Term combine(Composer *c, uint32_t tensor, int accumulate, Term old, Term value) {
  Term both = deduce_combined(c->tt, &c->s->tensors.data[tensor].view, accumulate, old, value);
  if (!both)
    stop(c, REASON_ATOMIC, "a launch combines with an atomic that has no formula what an earlier launch wrote");
  return both ? both : value;
}

static Rows rows_of(const Layer *layer) {
  return (Rows){.rank = layer->rank, .stride = layer->stride, .extent = layer->extent, .offset = layer->offset};
}

static void push_facts(TermTable *tt, Term condition) {
  if (term_kind(tt, condition) == TERM_AND)
    for (uint32_t i = 0, n = term_count(tt, condition); i < n; i++) term_push_fact(tt, term_arg(tt, condition, i));
  else if (condition != tt->true_)
    term_push_fact(tt, condition);
}

/* e = stride*A + r of rows that are told by a size. False: e has none of these. */
static bool split_rows(TermTable *tt, Term e, Term stride, Term *rows, Term *rest) {
  Term q;
  *rows = tt->zero, *rest = e;
  if (term_sort(tt, e) != SORT_INT || term_is_rat(tt, stride)) return false;
  for (uint32_t i = 0; i < recover_monomial_count(tt, e); i++) {
    Term m = recover_monomial(tt, e, i);
    if (term_is_rat(tt, m) || !recover_divides(tt, stride, m, &q)) continue;
    *rows = term_add(tt, *rows, q), *rest = term_sub(tt, *rest, m);
  }
  return *rows != tt->zero;
}

/* stride*A + r <= 0 is A < 0 for 0 < r <= stride, and A <= 0 for -stride < r <= 0. */
static Term compare_rows(TermTable *tt, Term t, void *payload) {
  const Place *place = payload;
  Term rows, rest;
  if (term_kind(tt, t) != TERM_LE || term_count(tt, t) != 1) return t;
  for (uint32_t k = 0; k < place->rank; k++) {
    Term stride = place->stride[k];
    if (!split_rows(tt, term_arg(tt, t, 0), stride, &rows, &rest)) continue;
    if (term_prove_lt(tt, tt->zero, rest) && term_prove_le(tt, rest, stride)) return term_lt(tt, rows, tt->zero);
    if (term_prove_le(tt, rest, tt->zero) && term_prove_lt(tt, term_neg(tt, stride), rest))
      return term_le(tt, rows, tt->zero);
  }
  return t;
}

/* stride*A + r where A is 0, by the facts at hand. */
static Term settle_rows(TermTable *tt, Term t, void *payload) {
  const Place *place = payload;
  Term rows, rest;
  if (term_kind(tt, t) != TERM_ADD) return t;
  for (uint32_t k = 0; k < place->rank; k++)
    if (split_rows(tt, t, place->stride[k], &rows, &rest) && term_prove_le(tt, rows, tt->zero) &&
        term_prove_le(tt, tt->zero, rows))
      return rest;
  return t;
}

/* The condition by rows of the place's own view, and the value where it holds. */
static Term simplify_rows(TermTable *tt, const Place *place, Term condition, Term *value) {
  uint32_t facts = tt->facts.count;
  condition = term_transform(tt, condition, compare_rows, (void *)place);
  push_facts(tt, condition);
  *value = term_transform(tt, *value, settle_rows, (void *)place);
  term_pop_facts(tt, facts);
  return condition;
}

/* The element at `place` after that layer, when it was `before`. */
static Term over_layer(Composer *c, uint32_t tensor, const Layer *layer, const Place *place, Term before) {
  TermTable *tt = c->tt;
  Term index[POINTWISE_MAX_RANK];
  Rows rows = rows_of(layer);
  Found found = convert(c, place, &rows, index);
  if (!found) {
    views_differ(c, tensor);
    return before;
  }
  TermMap map = {layer->rank, layer->index, index};
  uint32_t outer = outermost(tt, layer->rank, layer->stride, layer->extent);
  if (found == FOUND_SAME && outer == layer->rank)
    outer = 0; /* axes stand in the order of their strides, as far as that is known */
  Term here = outer < layer->rank ? in_range(tt, index[outer], layer->extent[outer]) : tt->true_, row = tt->true_;
  for (uint32_t k = 0; k < layer->rank; k++)
    if (k != outer) row = term_and(tt, row, in_range(tt, index[k], layer->extent[k]));
  here = term_and(tt, here, term_substitute(tt, layer->region, map));
  if (found == FOUND_DIGITS) here = term_and(tt, here, row), row = tt->true_;
  Term inside = term_and(tt, row, here);
  if (layer->is_infinite) c->s->tensors.data[tensor].is_infinite = true;
  Term value = term_assume(tt, term_substitute(tt, layer->value, map), inside);
  if (found == FOUND_DIGITS) here = inside = simplify_rows(tt, place, inside, &value);
  if (layer->accumulate) value = combine(c, tensor, layer->accumulate, before, value);
  if (inside != tt->true_) c->has_select = true;
  value = term_select(tt, here, value, before);
  if (row == tt->true_) return value;
  c->is_marked = true;
  return term_select(tt, row, value, term_opaque(tt, c->mark, term_sort(tt, value), layer->rank, index));
}

static Term element(Composer *c, uint32_t tensor, const Place *place) {
  TermTable *tt = c->tt;
  const PointwiseTensor *view = &c->s->tensors.data[tensor].view;
  Term index[POINTWISE_MAX_RANK];
  Rows rows = {
      .rank = view->rank, .stride = view->stride, .extent = view->extent, .offset = tt->zero, .is_filled = true};
  Found found = convert(c, place, &rows, index);
  bool may_leave_row = found == FOUND_PARTS && place->rank != view->rank;
  uint32_t outer = outermost(tt, view->rank, view->stride, view->extent);
  for (uint32_t k = 0; k < view->rank && may_leave_row; k++)
    if (k != outer && in_range(tt, index[k], view->extent[k]) != tt->true_) found = FOUND_NONE;
  if (!found) {
    views_differ(c, tensor);
    return tt->zero;
  }
  Term value = term_read(tt, view->symbol, view->sort, view->rank, index);
  for (uint32_t i = 0; i < c->layers[tensor].count; i++)
    value = over_layer(c, tensor, &c->layers[tensor].data[i], place, value);
  return value;
}

/* ---- what a launch reads ---- */

static Term replace_read(TermTable *tt, Term t, void *payload) {
  Composer *c = payload;
  if (term_kind(tt, t) != TERM_READ || c->code) return t;
  const SequenceStep *step = &c->s->steps.data[c->step];
  for (uint32_t i = 0; i < step->pointwise->tensors.count; i++) {
    const PointwiseTensor *from = &step->pointwise->tensors.data[i];
    if (from->symbol != term_arg(tt, t, 0)) continue;
    Place place = {.rank = term_count(tt, t) - 1, .stride = from->stride, .offset = step->offset[i]};
    for (uint32_t k = 0; k < place.rank; k++) place.index[k] = term_arg(tt, t, k + 1);
    return element(c, step->tensor[i], &place);
  }
  return t;
}

/* where(c, a, b): c holds in a. */
static Term assume_condition_in_sides(TermTable *tt, Term t, void *unused) {
  (void)unused;
  if (term_kind(tt, t) != TERM_SELECT) return t;
  Term condition = term_arg(tt, t, 0), a = term_arg(tt, t, 1), b = term_arg(tt, t, 2);
  return term_select(tt, condition, term_assume(tt, a, condition), term_assume(tt, b, term_not(tt, condition)));
}

static Term find_mark(TermTable *tt, Term t, void *payload) {
  Composer *c = payload;
  if (term_kind(tt, t) == TERM_OPAQUE && term_aux(tt, t) == c->mark) c->is_marked = true;
  return t;
}

/* t of the launch at hand over the initial contents, where `condition` holds. */
static Term resolve(Composer *c, Term t, Term condition) {
  TermTable *tt = c->tt;
  uint32_t facts = tt->facts.count;
  c->is_marked = c->has_select = false;
  push_facts(tt, condition);
  t = term_transform(tt, t, replace_read, c);
  if (c->has_select) t = term_transform(tt, t, assume_condition_in_sides, NULL);
  if (c->is_marked && !c->code) {
    c->is_marked = false;
    term_transform(tt, t, find_mark, c);
    if (c->is_marked)
      stop(c, REASON_VIEWS,
           arena_format(c->arena, "an index of launch %u is not shown to lie in a row of what was written before",
                        c->step + 1));
  }
  t = term_transform(tt, t, term_merge_tiles, NULL);
  term_pop_facts(tt, facts);
  return t;
}

static Place own_place(const Layer *layer) {
  Place place = {.rank = layer->rank, .stride = layer->stride, .offset = layer->offset};
  memcpy(place.index, layer->index, sizeof place.index);
  return place;
}

/* Everything was written over: what was there before no longer matters. */
static bool covers(TermTable *tt, const Layer *layer, const PointwiseTensor *view) {
  if (layer->accumulate || layer->region != tt->true_ || layer->rank != view->rank) return false;
  for (uint32_t k = 0; k < layer->rank; k++)
    if (term_sub(tt, layer->stride[k], view->stride[k]) != tt->zero ||
        !term_prove_le(tt, view->extent[k], layer->extent[k]))
      return false;
  return true;
}

static bool is_finite(TermTable *tt, const Layer *layer) {
  uint32_t facts = tt->facts.count;
  push_facts(tt, layer->region);
  bool finite = term_is_finite(tt, layer->value);
  term_pop_facts(tt, facts);
  return finite;
}

static void run_output(Composer *c, const PointwiseOutput *output, Layers *made) {
  TermTable *tt = c->tt;
  const SequenceStep *step = &c->s->steps.data[c->step];
  const PointwiseTensor *from = &step->pointwise->tensors.data[output->tensor];
  uint32_t tensor = step->tensor[output->tensor];
  for (uint32_t i = 0; i < output->pieces.count && !c->code; i++) {
    const PointwisePiece *piece = &output->pieces.data[i];
    Layer layer = {
        .step = c->step, .rank = output->rank, .offset = step->offset[output->tensor], .accumulate = piece->accumulate};
    memcpy(layer.index, output->index, sizeof layer.index);
    memcpy(layer.extent, from->extent, sizeof layer.extent);
    memcpy(layer.stride, from->stride, sizeof layer.stride);
    layer.region = resolve(c, piece->region, tt->true_);
    layer.value = resolve(c, piece->value, layer.region);
    if (piece->accumulate && c->layers[tensor].count) { /* what was there is known */
      uint32_t facts = tt->facts.count;
      Place place = own_place(&layer);
      if (i) stop(c, REASON_ATOMIC, "a launch combines several atomics with what an earlier launch wrote");
      push_facts(tt, layer.region);
      layer.value = combine(c, tensor, piece->accumulate, element(c, tensor, &place), layer.value);
      layer.accumulate = 0;
      term_pop_facts(tt, facts);
    }
    layer.is_infinite = term_sort(tt, layer.value) == SORT_REAL && !is_finite(tt, &layer);
    array_push(c->arena, made, layer);
  }
}

static void run_step(Composer *c) {
  const Pointwise *p = c->s->steps.data[c->step].pointwise;
  Layers *made = arena_array(c->arena, Layers, p->outputs.count + 1);
  for (uint32_t i = 0; i < p->outputs.count && !c->code; i++) run_output(c, &p->outputs.data[i], &made[i]);
  for (uint32_t i = 0; i < p->outputs.count && !c->code; i++) {
    uint32_t tensor = c->s->steps.data[c->step].tensor[p->outputs.data[i].tensor];
    for (uint32_t k = 0; k < made[i].count; k++) {
      if (covers(c->tt, &made[i].data[k], &c->s->tensors.data[tensor].view)) c->layers[tensor].count = 0;
      array_push(c->arena, &c->layers[tensor], made[i].data[k]);
    }
  }
}

/* ---- the whole ---- */

static void name_index(Composer *c, PointwiseOutput *output, const PointwiseTensor *view) {
  TermTable *tt = c->tt;
  output->rank = view->rank;
  for (uint32_t k = 0; k < view->rank; k++) {
    output->index[k] = term_axis_symbol(tt, k);
    term_symbol_range(tt, output->index[k], tt->zero, term_sub(tt, view->extent[k], tt->one));
  }
}

/* A layer as a piece of the output, which has the indices of the result's view. false: their strides do not fit
 * together. */
static bool as_piece(Composer *c, uint32_t tensor, const Layer *layer, const PointwiseOutput *output,
                     PointwisePiece *piece) {
  TermTable *tt = c->tt;
  const PointwiseTensor *view = &c->s->tensors.data[tensor].view;
  Place place = {.rank = view->rank, .stride = view->stride, .offset = tt->zero};
  Term index[POINTWISE_MAX_RANK];
  memcpy(place.index, output->index, sizeof place.index);
  Rows rows = rows_of(layer);
  Found found = convert(c, &place, &rows, index);
  if (!found) return false;
  TermMap map = {layer->rank, layer->index, index};
  Term region = tt->true_;
  uint32_t outer = outermost(tt, layer->rank, layer->stride, layer->extent);
  for (uint32_t k = 0; k < layer->rank; k++) {
    Term row = in_range(tt, index[k], layer->extent[k]);
    if (k != outer && row != tt->true_ && found == FOUND_PARTS) return false;
    region = term_and(tt, region, row);
  }
  region = term_and(tt, region, term_substitute(tt, layer->region, map));
  Term value = term_assume(tt, term_substitute(tt, layer->value, map), region);
  if (found == FOUND_DIGITS) region = simplify_rows(tt, &place, region, &value);
  *piece = (PointwisePiece){.region = region, .value = value, .accumulate = layer->accumulate};
  return true;
}

typedef struct Uses {
  Term symbol;
  bool found;
} Uses;

static Term find_read(TermTable *tt, Term t, void *payload) {
  Uses *uses = payload;
  if (term_kind(tt, t) == TERM_READ && term_arg(tt, t, 0) == uses->symbol) uses->found = true;
  return t;
}

static bool is_read(Composer *c, const Pointwise *p, Term symbol) {
  Uses uses = {symbol, false};
  for (uint32_t i = 0; i < p->outputs.count; i++)
    for (uint32_t k = 0; k < p->outputs.data[i].pieces.count; k++) {
      term_transform(c->tt, p->outputs.data[i].pieces.data[k].value, find_read, &uses);
      term_transform(c->tt, p->outputs.data[i].pieces.data[k].region, find_read, &uses);
    }
  return uses.found;
}

/* What the launches leave in a tensor; NULL: it is not known. */
static PointwiseOutput *output_of(Composer *c, uint32_t tensor) {
  PointwiseOutput *output = arena_new(c->arena, PointwiseOutput);
  *output = (PointwiseOutput){.tensor = tensor};
  name_index(c, output, &c->s->tensors.data[tensor].view);
  for (uint32_t k = 0; k < c->layers[tensor].count; k++) {
    PointwisePiece piece;
    if (!as_piece(c, tensor, &c->layers[tensor].data[k], output, &piece)) return NULL;
    if (piece.region != c->tt->false_) array_push(c->arena, &output->pieces, piece);
  }
  return output;
}

static void finish(Composer *c, Pointwise *p) {
  uint32_t count = c->s->tensors.count;
  for (uint32_t i = 0; i < count && !c->code; i++) {
    SequenceTensor *t = &c->s->tensors.data[i];
    array_push(c->arena, &p->tensors, t->view);
    PointwiseOutput *output = c->layers[i].count ? output_of(c, i) : NULL;
    if (output && !t->temporary)
      array_push(c->arena, &p->outputs, *output);
    else if (c->layers[i].count && !t->temporary)
      views_differ(c, i);
    t->written = output;
  }
  uint32_t kept = 0, *place = arena_array(c->arena, uint32_t, count + 1);
  for (uint32_t i = 0; i < count && !c->code; i++) {
    PointwiseTensor t = p->tensors.data[i];
    t.is_written = !c->s->tensors.data[i].temporary && c->layers[i].count;
    t.is_read = is_read(c, p, t.symbol);
    place[i] = kept;
    if (t.is_read || t.is_written) p->tensors.data[kept++] = t;
  }
  if (c->code) return;
  p->tensors.count = kept;
  for (uint32_t i = 0; i < p->outputs.count; i++) p->outputs.data[i].tensor = place[p->outputs.data[i].tensor];
}

bool sequence_compose(Sequence *s, Pointwise *result, ReasonCode *code, const char **text) {
  Composer *c = arena_new(s->arena, Composer);
  *c = (Composer){.s = s, .arena = s->arena, .tt = s->tt};
  c->layers = arena_array(s->arena, Layers, s->tensors.count + 1);
  c->mark = intern_text(s->tt->names, outside_mark);
  result->tt = s->tt;
  for (; c->step < s->steps.count && !c->code; c->step++) run_step(c);
  if (!c->code) finish(c, result);
  *code = c->code, *text = c->text;
  return !c->code;
}
