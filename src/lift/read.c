/* Reads of tensors: index terms become slices, transpositions and expansions where they are affine in one symbol each,
 * a reshape where they divide or join axes, and take, take_along_axis or index arrays otherwise.
 *
 * A slice is used only where it is shown to stay inside the tensor; index arrays may leave it behind a `where`. */
#include <string.h>

#include "lift/frame.h"

typedef enum IndexKind { INDEX_POINT, INDEX_AFFINE, INDEX_OTHER } IndexKind;

typedef struct Dim {
  Term index, extent;
  IndexKind kind;
  int slot; /* AFFINE: index = start + step * symbol of the slot */
  Term start, step;
  bool open; /* the extent is no more than a name for what the accesses need */
} Dim;

typedef struct Access {
  const TensorExpr *tensor; /* reshaped */
  uint32_t rank;
  Dim dim[TENSOR_MAX_RANK];
} Access;

static const PointwiseTensor *find_tensor(const Pointwise *p, Term symbol, uint32_t *place) {
  for (uint32_t i = 0; i < p->tensors.count; i++)
    if (p->tensors.data[i].symbol == symbol) {
      *place = i + 1;
      return &p->tensors.data[i];
    }
  return NULL;
}

/* A dimension of which nothing is known but its name: no argument, no grid size. */
static bool is_open(const Pointwise *p, Term extent) {
  if (term_kind(p->tt, extent) != TERM_SYM || term_symbol(p->tt, extent)->role != SYMBOL_SIZE) return false;
  for (uint32_t i = 0; i < p->scalars.count; i++)
    if (p->scalars.data[i].symbol == extent) return false;
  return true;
}

static void classify(Deduction *d, Dim *dim, const Frame *frame) {
  TermTable *tt = d->tt;
  dim->kind = INDEX_OTHER, dim->slot = -1;
  if (frame_is_free(tt, frame, dim->index)) {
    dim->kind = INDEX_POINT, dim->start = dim->index;
    return;
  }
  for (uint32_t i = 0; i < frame->rank; i++) {
    Term s = frame->slot[i];
    int64_t step;
    if (!s || !term_has_symbol(tt, dim->index, s)) continue;
    Term start = term_replace(tt, dim->index, s, tt->zero), rest = term_sub(tt, dim->index, start);
    Term k = rest == s ? tt->one : 0, base;
    if (!k && term_coefficient(tt, rest, &base).den == 1 && base == s)
      k = term_new_rat(tt, term_coefficient(tt, rest, &base));
    if (!k || !term_is_int(tt, k, &step) || step < 1 || !frame_is_free(tt, frame, start)) return;
    Term stop = term_add(
        tt, start, term_add(tt, term_scale(tt, rational_int(step), term_sub(tt, frame->extent[i], tt->one)), tt->one));
    if (!term_prove_le(tt, tt->zero, start)) return;
    if (!dim->open && !term_prove_le(tt, stop, dim->extent)) return;
    dim->kind = INDEX_AFFINE, dim->slot = (int)i, dim->start = start, dim->step = k;
    return;
  }
}

/* ---- reshapes ---- */

static bool reshape_to(Deduction *d, Access *a) {
  Term shape[TENSOR_MAX_RANK];
  for (uint32_t i = 0; i < a->rank; i++) shape[i] = a->dim[i].extent;
  const TensorExpr *e = tensor_reshape(d->tt, a->tensor, a->rank, shape);
  if (e) a->tensor = e;
  return e != NULL;
}

/* T[q // n, q % n] with n the second extent is the flat T at q. */
static void join_axes(Deduction *d, Access *a, const Frame *frame) {
  TermTable *tt = d->tt;
  for (uint32_t i = 0; i + 1 < a->rank;) {
    Dim *x = &a->dim[i], *y = &a->dim[i + 1];
    Dim both = {.index = term_add(tt, term_mul(tt, x->index, y->extent), y->index),
                .extent = term_mul(tt, x->extent, y->extent)};
    if (x->kind == INDEX_OTHER && y->kind == INDEX_OTHER)
      classify(d, &both, frame);
    else
      both.kind = INDEX_OTHER;
    Access joined = *a;
    if (both.kind == INDEX_AFFINE) {
      Term length = frame->extent[both.slot]; /* all of it, as the user said of sizes */
      if (both.start == tt->zero && both.step == tt->one && term_prove_le(tt, both.extent, length))
        both.extent = length;
      joined.dim[i] = both;
      joined.rank--;
      for (uint32_t j = i + 1; j < joined.rank; j++) joined.dim[j] = a->dim[j + 1];
    }
    if (both.kind == INDEX_AFFINE && reshape_to(d, &joined))
      *a = joined;
    else
      i++;
  }
}

/* index = start + sum of coefficient * symbol over slots; the slots in order of ascending coefficient chains: each
 * coefficient is the product of the extents before it. Fills dims from the innermost; 0 if the index is not of that
 * form. */
static uint32_t split_index(Deduction *d, Term index, Term extent, const Frame *frame, Dim *out) {
  TermTable *tt = d->tt;
  Term rest = index, chain = tt->one;
  uint32_t n = 0;
  for (uint32_t i = 0; i < frame->rank; i++)
    if (frame->slot[i]) rest = term_replace(tt, rest, frame->slot[i], tt->zero);
  if (rest != tt->zero) return 0;
  rest = index;
  while (rest != tt->zero) {
    uint32_t i = 0;
    for (; i < frame->rank; i++) {
      if (!frame->slot[i] || !term_has_symbol(tt, rest, frame->slot[i])) continue;
      Term next = term_sub(tt, rest, term_mul(tt, chain, frame->slot[i]));
      if (!term_has_symbol(tt, next, frame->slot[i])) break;
    }
    if (i == frame->rank || n == TENSOR_MAX_RANK) return 0;
    rest = term_sub(tt, rest, term_mul(tt, chain, frame->slot[i]));
    out[n++] = (Dim){.index = frame->slot[i],
                     .extent = frame->extent[i],
                     .kind = INDEX_AFFINE,
                     .slot = (int)i,
                     .start = tt->zero,
                     .step = tt->one};
    chain = term_mul(tt, chain, frame->extent[i]);
  }
  return chain == extent ? n : 0;
}

/* A flat axis read at i*n + j becomes two. */
static void split_axes(Deduction *d, Access *a, const Frame *frame) {
  for (uint32_t i = 0; i < a->rank; i++) {
    Dim parts[TENSOR_MAX_RANK];
    if (a->dim[i].kind != INDEX_OTHER) continue;
    uint32_t n = split_index(d, a->dim[i].index, a->dim[i].extent, frame, parts);
    if (n < 2 || a->rank + n - 1 > TENSOR_MAX_RANK) continue;
    Access split = {.tensor = a->tensor};
    for (uint32_t j = 0; j < i; j++) split.dim[split.rank++] = a->dim[j];
    for (uint32_t j = n; j-- > 0;) split.dim[split.rank++] = parts[j];
    for (uint32_t j = i + 1; j < a->rank; j++) split.dim[split.rank++] = a->dim[j];
    if (reshape_to(d, &split)) *a = split;
  }
}

/* ---- views ---- */

/* T with its affine axes sliced, points dropped, and axis `keep` (-1: none) whole. */
static const TensorExpr *slice_all(Deduction *d, Access *a, const Frame *frame, int keep) {
  TermTable *tt = d->tt;
  TensorSlice slices[TENSOR_MAX_RANK];
  for (uint32_t i = 0; i < a->rank; i++) {
    const Dim *dim = &a->dim[i];
    if ((int)i == keep)
      slices[i] = (TensorSlice){tt->zero, dim->extent, tt->one, false};
    else if (dim->kind == INDEX_POINT)
      slices[i] = (TensorSlice){dim->start, 0, tt->one, true};
    else {
      Term span = term_mul(tt, dim->step, term_sub(tt, frame->extent[dim->slot], tt->one));
      slices[i] = (TensorSlice){dim->start, term_add(tt, term_add(tt, dim->start, span), tt->one), dim->step, false};
    }
  }
  return tensor_slice(tt, a->tensor, slices);
}

static const TensorExpr *read_view(Deduction *d, Access *a, uint32_t f) {
  Frame frame = d->frames.data[f];
  int places[TENSOR_MAX_RANK];
  uint32_t n = 0;
  for (uint32_t i = 0; i < a->rank; i++)
    if (a->dim[i].kind == INDEX_AFFINE) places[n++] = a->dim[i].slot;
  return deduction_place(d, slice_all(d, a, &frame, -1), places, f);
}

/* The frame of the slots on which the index depends, in order. */
static Frame compact_frame(Deduction *d, const Frame *frame, Term index, int *places) {
  Frame compact = {.rank = 0};
  for (uint32_t i = 0; i < frame->rank; i++) {
    if (!frame->slot[i] || !term_has_symbol(d->tt, index, frame->slot[i])) continue;
    places[compact.rank] = (int)i;
    compact.slot[compact.rank] = frame->slot[i], compact.extent[compact.rank++] = frame->extent[i];
  }
  return compact;
}

/* One gathered axis g; the index runs over slots of its own: take(T, index, axis). */
static const TensorExpr *read_take(Deduction *d, Access *a, uint32_t g, uint32_t f) {
  Frame frame = d->frames.data[f];
  int inner[TENSOR_MAX_RANK], places[2 * TENSOR_MAX_RANK];
  Frame compact = compact_frame(d, &frame, a->dim[g].index, inner);
  uint32_t n = 0, axis = 0;
  for (uint32_t i = 0; i < a->rank; i++) {
    if (i == g) {
      axis = n;
      for (uint32_t j = 0; j < compact.rank; j++) places[n++] = inner[j];
    } else if (a->dim[i].kind == INDEX_AFFINE) {
      for (uint32_t j = 0; j < compact.rank; j++)
        if (inner[j] == a->dim[i].slot) return NULL;
      places[n++] = a->dim[i].slot;
    }
  }
  const TensorExpr *index = deduce_build(d, a->dim[g].index, deduction_frame(d, &compact));
  if (!index || index->rank != compact.rank) return NULL;
  return deduction_place(d, tensor_take(d->tt, slice_all(d, a, &frame, (int)g), index, axis), places, f);
}

/* The index runs over slots of the other axes (and at most one more): take_along_axis(T, index, axis). */
static const TensorExpr *read_along(Deduction *d, Access *a, uint32_t g, uint32_t f) {
  Frame frame = d->frames.data[f], local = {.rank = 0};
  int places[TENSOR_MAX_RANK], extra = -1;
  uint32_t axis = 0;
  bool used[TENSOR_MAX_RANK] = {0};
  for (uint32_t i = 0; i < a->rank; i++) {
    if (a->dim[i].kind == INDEX_POINT) continue;
    uint32_t at = local.rank++;
    places[at] = i == g ? -1 : a->dim[i].slot;
    if (i == g)
      axis = at;
    else
      used[a->dim[i].slot] = true, local.slot[at] = frame.slot[a->dim[i].slot],
      local.extent[at] = frame.extent[a->dim[i].slot];
  }
  for (uint32_t i = 0; i < frame.rank; i++) {
    if (!frame.slot[i] || used[i] || !term_has_symbol(d->tt, a->dim[g].index, frame.slot[i])) continue;
    if (extra >= 0) return NULL;
    extra = (int)i;
  }
  local.slot[axis] = extra >= 0 ? frame.slot[extra] : 0;
  local.extent[axis] = extra >= 0 ? frame.extent[extra] : d->tt->one;
  const TensorExpr *index = deduce_build(d, a->dim[g].index, deduction_frame(d, &local));
  const TensorExpr *e = tensor_take_along(d->tt, slice_all(d, a, &frame, (int)g), index, axis);
  if (!e) return NULL;
  if (extra >= 0) {
    places[axis] = extra;
    return deduction_place(d, e, places, f);
  }
  /* the picked axis has length 1: into a slot between its neighbours if there is one, else away */
  int low = axis ? places[axis - 1] + 1 : 0, high = axis + 1 < local.rank ? places[axis + 1] : (int)frame.rank;
  if (low < high && !used[low]) {
    places[axis] = low;
    return deduction_place(d, e, places, f);
  }
  for (uint32_t i = axis; i + 1 < local.rank; i++) places[i] = places[i + 1];
  return deduction_place(d, tensor_squeeze(d->tt, e, 1, &(uint8_t){(uint8_t)axis}), places, f);
}

static const TensorExpr *read_gather(Deduction *d, const TensorExpr *tensor, uint32_t rank, const Term *index,
                                     uint32_t f) {
  const TensorExpr *args[TENSOR_MAX_RANK];
  for (uint32_t i = 0; i < rank; i++)
    if (!(args[i] = deduce_build(d, index[i], f))) return NULL;
  return tensor_gather(d->tt, tensor, args);
}

/* Of a quotient too by what is known not to be negative: by 0 nothing is divided. */
static bool is_no_negative(TermTable *tt, Term index) {
  if (term_prove_le(tt, tt->zero, index)) return true;
  return term_kind(tt, index) == TERM_FLOORDIV && term_prove_le(tt, tt->zero, term_arg(tt, index, 0)) &&
         term_prove_le(tt, tt->zero, term_arg(tt, index, 1));
}

static bool stays_inside(TermTable *tt, const Dim *dim) {
  return is_no_negative(tt, dim->index) && (dim->open || term_prove_lt(tt, dim->index, dim->extent));
}

const TensorExpr *deduce_read(Deduction *d, Term t, uint32_t f) {
  TermTable *tt = d->tt;
  Frame frame = d->frames.data[f];
  uint32_t place = 0, others = 0, g = 0;
  const PointwiseTensor *tensor = find_tensor(d->p, term_arg(tt, t, 0), &place);
  if (!tensor || term_count(tt, t) != tensor->rank + 1)
    return deduction_fail(d, "an access whose dimensions were not recovered");
  if (tensor == d->accumulated) place = 0; /* the old contents come first: out + sum(x) */
  Access a = {.rank = tensor->rank};
  a.tensor = tensor_input(tt, tensor->symbol, tensor->name, place, tensor->sort, tensor->rank, tensor->extent);
  const TensorExpr *whole = a.tensor;
  Term index[TENSOR_MAX_RANK];
  bool taken[TENSOR_MAX_RANK] = {0};
  for (uint32_t i = 0; i < a.rank; i++) {
    index[i] = term_arg(tt, t, i + 1);
    a.dim[i] = (Dim){.index = index[i], .extent = tensor->extent[i], .open = is_open(d->p, tensor->extent[i])};
    classify(d, &a.dim[i], &frame);
  }
  join_axes(d, &a, &frame);
  split_axes(d, &a, &frame);
  for (uint32_t i = 0; i < a.rank; i++) { /* T[i, i]: the second is gathered */
    Dim *dim = &a.dim[i];
    if (dim->kind == INDEX_AFFINE && taken[dim->slot])
      dim->kind = INDEX_OTHER;
    else if (dim->kind == INDEX_AFFINE)
      taken[dim->slot] = true;
    if (dim->kind == INDEX_OTHER) others++, g = i;
  }
  if (!others) return read_view(d, &a, f);
  const TensorExpr *e = NULL;
  if (others == 1) {
    e = read_take(d, &a, g, f);
    if (!e) e = read_along(d, &a, g, f);
    /* an index that is no data and may leave the tensor: a concat may do without */
    if (e && !(term_node(tt, a.dim[g].index)->flags & TERM_HAS_READ) && !stays_inside(tt, &a.dim[g]))
      e = deduction_dearer(d, e);
  }
  const TensorExpr *gather = e && e->cost < DEDUCTION_GATHER ? NULL : read_gather(d, whole, tensor->rank, index, f);
  return !e || (gather && gather->cost < e->cost) ? gather : e;
}
