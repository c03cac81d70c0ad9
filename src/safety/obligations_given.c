/* The launch that was given, held against what was assumed.
 *
 * Its numbers are a sample: the proof is about all sizes that meet the printed assumptions, and this launch has to be
 * one of them. Where it is not, the claim says nothing of it: nothing is proved for the launch, and where one block was
 * to cover an axis that is longer, elements stay unwritten, which refutes coverage with this very launch.
 *
 * Of several launches, what an earlier one leaves in a tensor is no input of a later one: a witness makes its contents
 * up. */
#include "base/message.h"
#include "safety/obligations_internal.h"

#include <string.h>

#include "term/cons.h"

typedef struct Given {
  Safety *s;
  TermEval *eval;
  TermList known;
} Given;

static void know(Given *g, Term symbol, int64_t value) {
  term_eval_set(g->eval, symbol, (TermValue){(double)value, value});
  array_push(g->s->arena, &g->known, symbol);
}

static bool is_known(const Given *g, Term t) {
  TermTable *tt = g->s->report->ex->tt;
  TermList symbols = {0};
  if (term_node(tt, t)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_UNDEF)) return false;
  term_symbols(tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    bool known = false;
    for (uint32_t k = 0; k < g->known.count; k++) known |= g->known.data[k] == symbols.data[i];
    if (!known) return false;
  }
  return true;
}

static SampleWitness *the_launch(Given *g) {
  Safety *s = g->s;
  SampleWitness *w = arena_new(s->arena, SampleWitness);
  for (uint32_t i = 0; i < s->launch->params.count; i++) {
    const LaunchExpr *e = s->launch->params.data[i].scalar;
    if (e && e->op == 'n')
      array_push(
          s->arena, &w->sizes,
          (SamplePair){s->report->ex->params.data[i].name, arena_format(s->arena, "%lld", (long long)e->number)});
  }
  for (uint32_t i = 0; i < 3; i++)
    if (s->launch->grid[i]->op == 'n')
      array_push(s->arena, &w->sizes,
                 (SamplePair){arena_format(s->arena, "grid_%c", "xyz"[i]),
                              arena_format(s->arena, "%lld", (long long)s->launch->grid[i]->number)});
  return w;
}

/* The tensor of the launch that a parameter is given; NULL: none. */
static const LaunchTensor *tensor_of(const Safety *s, Term symbol) {
  for (uint32_t i = 0; i < s->report->ex->params.count; i++) {
    const LaunchParam *param = &s->launch->params.data[i];
    if (s->report->ex->params.data[i].symbol == symbol && param->tensor >= 0)
      return &s->launch->tensors.data[param->tensor];
  }
  return NULL;
}

static const Access *only_store(const Effects *ex, Term tensor) {
  const Access *found = NULL;
  for (uint32_t i = 0; i < ex->accesses.count; i++) {
    const Access *a = &ex->accesses.data[i];
    if (!a->is_store || a->tensor != tensor) continue;
    if (found) return NULL;
    found = a;
  }
  return found;
}

/* An output has one store, which goes no further than the block along an axis; the tensor of the launch does: that
 * store. */
static const Access *leaves_unwritten(const Given *g, Term condition) {
  const Safety *s = g->s;
  TermTable *tt = s->report->ex->tt;
  const Pointwise *p = s->report->pointwise;
  for (uint32_t i = 0; i < p->tensors.count; i++) {
    const PointwiseTensor *t = &p->tensors.data[i];
    const LaunchTensor *given = t->is_written ? tensor_of(s, t->symbol) : NULL;
    const Access *store = given && given->rank == t->rank ? only_store(s->report->ex, t->symbol) : NULL;
    if (!store) continue;
    for (uint32_t k = 0; k < t->rank; k++) {
      if (term_kind(tt, t->extent[k]) != TERM_SYM || !term_has_symbol(tt, condition, t->extent[k]) ||
          !is_known(g, t->extent[k]))
        continue;
      if (given->extent[k]->op == 'n' && given->extent[k]->number == term_eval(g->eval, t->extent[k]).integer)
        return store;
    }
  }
  return NULL;
}

static bool is_refuted_already(const Safety *s, const Obligation *o) {
  for (uint32_t i = 0; i < s->report->obligations.count; i++) {
    const Obligation *known = &s->report->obligations.data[i];
    if (known->kind == o->kind && known->verdict == OBLIGATION_REFUTED && known->op == o->op) return true;
  }
  return false;
}

/* ": n_cols = 2000, grid_x = 8", of the condition's symbols. */
static const char *numbers_of(const Given *g, Term condition) {
  TermTable *tt = g->s->report->ex->tt;
  TermList symbols = {0};
  Text text = text_new(g->s->arena);
  if (condition) term_symbols(tt, condition, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    text_format(&text, "%s%s = %lld", i ? ", " : ": ", term_message(tt, symbols.data[i]),
                (long long)term_eval(g->eval, symbols.data[i]).integer);
  return text_string(&text);
}

static void tell(Given *g, const Assumption *a) {
  Safety *s = g->s;
  if (!s->report->unmet)
    s->report->unmet = arena_format(s->arena, "the launch that was given does not meet the assumption %s%s", a->text,
                                    numbers_of(g, a->condition));
  const Access *store = a->kind == ASSUME_COVER ? leaves_unwritten(g, a->condition) : NULL;
  const char *detail =
      store
          ? arena_format(s->arena,
                         "the launch that was given does not meet the assumption %s: what lies beyond is not written",
                         a->text)
          : arena_format(s->arena, "the launch that was given does not meet the assumption %s: nothing is shown for it",
                         a->text);
  Obligation o = {.kind = a->kind == ASSUME_DISJOINT   ? OBLIGATION_RACE
                          : a->kind == ASSUME_RANGE    ? OBLIGATION_OVERFLOW
                          : a->kind == ASSUME_POSITIVE ? OBLIGATION_UNDEFINED
                                                       : OBLIGATION_COVERAGE,
                  .op = s->report->ex->function->op,
                  .detail = detail};
  bool shared =
      store && safety_is_shared(s, tensor_of(s, store->tensor)->name); /* another launch may write what lies beyond */
  o.verdict = store && !shared ? OBLIGATION_REFUTED : OBLIGATION_UNKNOWN;
  if (store) o.op = store->op, o.tensor = safety_tensor_name(s, store->tensor), o.witness = the_launch(g);
  if (!is_refuted_already(s, &o)) array_push(s->arena, &s->report->obligations, o);
}

/* The sign of a float argument that is given, and has another one. */
static bool is_not_positive(const Given *g, const Assumption *a) {
  const Effects *ex = g->s->report->ex;
  for (uint32_t i = 0; i < ex->params.count && a->kind == ASSUME_POSITIVE; i++) {
    const LaunchParam *given = &g->s->launch->params.data[i];
    if (!given->is_real || a->scalar != ex->params.data[i].symbol) continue;
    if (((a->sign & SIGN_NONZERO) && given->real == 0) || ((a->sign & SIGN_NONNEGATIVE) && given->real < 0))
      return true;
  }
  return false;
}

/* "n, m >= 1: sizes are not empty" of those that are given as less. */
static void tell_empty(Given *g) {
  const Effects *ex = g->s->report->ex;
  for (uint32_t i = 0; i < ex->params.count; i++) {
    const LaunchExpr *e = g->s->launch->params.data[i].scalar;
    if (!ex->params.data[i].is_size || !e || e->op != 'n' || e->number >= 1) continue;
    tell(g, &(Assumption){
                .kind = ASSUME_RANGE,
                .text = arena_format(g->s->arena, "%s >= 1", message_name(g->s->arena, ex->params.data[i].name))});
  }
}

/* ---- the tensors that were given, and as what the claim sees them ---- */

/* Axes of more than one element, in order. Of several such places in memory, the elements are taken in row-major order.
 */
typedef struct LayoutAxis {
  int64_t extent, stride;
  bool by_argument; /* the stride is an argument of its own */
} LayoutAxis;

typedef struct Layout {
  uint32_t rank;
  bool is_empty;
  LayoutAxis axes[POINTWISE_MAX_RANK];
} Layout;

/* Numbers beyond are not reckoned with: sums over all axes stay inside 64 bits. */
static bool is_small(LayoutAxis axis) {
  const int64_t most = (int64_t)1 << 56;
  bool is_number =
      axis.extent <= INT32_MAX && axis.extent >= 0 && axis.stride <= INT32_MAX && axis.stride >= -INT32_MAX;
  return is_number && axis.stride * axis.extent <= most && axis.stride * axis.extent >= -most;
}

static void add_axis(Layout *l, LayoutAxis axis) {
  l->is_empty |= axis.extent < 1;
  if (axis.extent > 1) l->axes[l->rank++] = axis;
}

static bool given_number(const Safety *s, const LaunchExpr *e, int64_t *out) {
  LaunchNames names = s->launch->names;
  return term_is_int(s->tt, launch_term(s->tt, e, &names), out);
}

/* False: they are no numbers; `is_beyond`: they are not reckoned with. */
static bool given_layout(const Safety *s, const LaunchTensor *t, Layout *out, bool *is_beyond) {
  *out = (Layout){0}, *is_beyond = false;
  for (uint32_t k = 0; k < t->rank; k++) {
    LayoutAxis axis = {0};
    if (!given_number(s, t->extent[k], &axis.extent) || !given_number(s, t->stride[k], &axis.stride)) return false;
    *is_beyond |= !is_small(axis) || axis.stride < 0 || out->rank == POINTWISE_MAX_RANK;
    if (!*is_beyond) add_axis(out, axis);
  }
  return true;
}

static bool seen_layout(const Given *g, const PointwiseTensor *t, Layout *out, bool *is_beyond) {
  *out = (Layout){0}, *is_beyond = false;
  for (uint32_t k = 0; k < t->rank; k++) {
    if (!is_known(g, t->extent[k]) || !is_known(g, t->stride[k])) return false;
    LayoutAxis axis = {term_eval(g->eval, t->extent[k]).integer, term_eval(g->eval, t->stride[k]).integer,
                       recover_has_stride_argument(g->s->report->ex, t->stride[k])};
    *is_beyond |= !is_small(axis);
    if (!*is_beyond) add_axis(out, axis);
  }
  return true;
}

/* Where in the tensor the parameter begins; false: it is no number. */
static bool first_place(const Safety *s, const LaunchParam *param, int64_t *place) {
  *place = 0;
  if (param->offset && !given_number(s, param->offset, place)) return false;
  const int64_t most = (int64_t)1 << 60; /* no tensor goes that far */
  *place = *place > most ? most : *place < -most ? -most : *place;
  return true;
}

/* Of all axes but those that stand still. */
static double element_count(const Layout *l) {
  double count = !l->is_empty;
  for (uint32_t k = 0; k < l->rank; k++)
    if (l->axes[k].stride) count *= (double)l->axes[k].extent;
  return count;
}

static Layout by_stride(const Layout *l) {
  Layout sorted = {0};
  for (uint32_t k = 0; k < l->rank; k++) {
    uint32_t at = sorted.rank++;
    for (; at && sorted.axes[at - 1].stride < l->axes[k].stride; at--) sorted.axes[at] = sorted.axes[at - 1];
    sorted.axes[at] = l->axes[k];
  }
  return sorted;
}

static bool shares_places(const Layout *l) {
  Layout sorted = by_stride(l);
  int64_t inside = 0;
  for (uint32_t k = sorted.rank; k-- > 0; inside += sorted.axes[k].stride * (sorted.axes[k].extent - 1))
    if (sorted.axes[k].stride <= inside) return true;
  return false;
}

/* True if the next axis is gone through for each step along this one, and no gap is left. */
static bool is_dense_over(const LayoutAxis *axis) { return axis[0].stride == axis[1].stride * axis[1].extent; }

static Layout merge(const Layout *l) {
  Layout merged = {0};
  for (uint32_t k = 0; k < l->rank; k++) {
    LayoutAxis *last = merged.rank ? &merged.axes[merged.rank - 1] : NULL, own = l->axes[k];
    if (last && last->stride == own.stride * own.extent && last->extent <= INT32_MAX)
      last->extent *= own.extent, last->stride = own.stride;
    else
      merged.axes[merged.rank++] = own;
  }
  return merged;
}

/* The same places in the same order: one is a reshape of the other. */
static bool is_reshape(const Layout *a, const Layout *b) {
  Layout x = merge(a), y = merge(b);
  bool same = x.rank == y.rank;
  for (uint32_t k = 0; same && k < x.rank; k++)
    same = x.axes[k].extent == y.axes[k].extent && x.axes[k].stride == y.axes[k].stride;
  return same;
}

/* True if the axis may come elsewhere among the others. By an argument that says so; or as the innermost one, whose
 * stride of 1 leaves no argument in what Triton compiles. */
static bool is_placed_freely(LayoutAxis axis) { return axis.by_argument || axis.stride == 1; }

/* The same axes, which arguments put in another order. */
static bool is_permutation(const Layout *given, const Layout *seen) {
  bool used[POINTWISE_MAX_RANK] = {false};
  if (given->rank != seen->rank) return false;
  for (uint32_t i = 0; i < seen->rank; i++) {
    uint32_t k = 0;
    while (k < given->rank &&
           (used[k] || given->axes[k].extent != seen->axes[i].extent || given->axes[k].stride != seen->axes[i].stride))
      k++;
    if (k == given->rank || (k != i && !is_placed_freely(seen->axes[i]))) return false;
    used[k] = true;
  }
  return true;
}

/* How the axes that are seen go along those of the given tensor, whose elements have places of their own. A unit is one
 * of these, or neighbours without a gap that are gone along as one. */
typedef struct Walk {
  Layout given;
  bool joined[POINTWISE_MAX_RANK]; /* to the axis before it */
  int64_t
      most[POINTWISE_MAX_RANK]; /* of a unit, at its last axis: the place that is reached in it, less where it begins */
  uint32_t along[POINTWISE_MAX_RANK]; /* by axis that is seen: the last one of its unit */
} Walk;

static uint32_t end_of_unit(const Walk *w, uint32_t k) {
  while (k + 1 < w->given.rank && w->joined[k + 1]) k++;
  return k;
}

static uint32_t begin_of_unit(const Walk *w, uint32_t k) {
  while (w->joined[k]) k--;
  return k;
}

/* Axes join until what is reached lies inside. */
static bool reaches(Walk *w, uint32_t k) {
  for (;;) {
    uint32_t first = begin_of_unit(w, k);
    const LayoutAxis *top = &w->given.axes[first];
    if (w->most[end_of_unit(w, k)] < top->stride * top->extent) return true;
    if (!first || !is_dense_over(top - 1)) return false;
    uint32_t above = first - 1;
    w->most[end_of_unit(w, k)] += w->most[above];
    w->joined[first] = true;
  }
}

/* Where the walk begins; false: between elements. */
static bool begin_walk(Walk *w, int64_t place) {
  Layout sorted = by_stride(&w->given);
  if (place < 0) return false;
  for (uint32_t i = 0; i < sorted.rank; i++) {
    LayoutAxis axis = sorted.axes[i];
    int64_t index = place / axis.stride < axis.extent ? place / axis.stride : axis.extent - 1;
    uint32_t k = 0;
    while (w->given.axes[k].stride != axis.stride) k++;
    w->most[k] = index * axis.stride;
    place -= w->most[k];
  }
  return !place;
}

static bool walk_along(Walk *w, uint32_t i, LayoutAxis axis) {
  uint32_t k = 0;
  int64_t last = axis.stride * (axis.extent - 1);
  for (; k < w->given.rank; k++) {
    LayoutAxis own = w->given.axes[k];
    if (axis.stride % own.stride == 0 && axis.stride < own.stride * own.extent) break;
  }
  if (k == w->given.rank) return false;
  w->along[i] = k;
  w->most[end_of_unit(w, k)] += last;
  return reaches(w, k);
}

/* Rows of six as rows of two or of twelve, and not as rows of four. */
static bool is_aligned(const Walk *w, uint32_t k, int64_t stride) {
  for (uint32_t i = begin_of_unit(w, k); i <= k; i++) {
    int64_t own = w->given.axes[i].stride;
    if (stride % own != 0 && own % stride != 0) return false;
  }
  return true;
}

/* Two axes that are seen, i before j. In neighbours that are gone along as one they are a reshape of these, without a
 * step and from the beginning on. */
static bool are_in_order(const Walk *w, uint32_t given_rank, const Layout *moving, uint32_t i, uint32_t j,
                         bool is_from_begin) {
  uint32_t first = end_of_unit(w, w->along[i]), then = end_of_unit(w, w->along[j]);
  LayoutAxis a = moving->axes[i], b = moving->axes[j];
  bool by_argument = a.by_argument && b.by_argument;
  if (first != then) return first < then || (is_placed_freely(a) && is_placed_freely(b));
  if (w->joined[first]) {
    for (uint32_t k = i + 1; k <= j; k++)
      if (end_of_unit(w, w->along[k]) == first)
        return is_from_begin && a.stride == moving->axes[k].stride * moving->axes[k].extent;
  }
  return a.stride > b.stride || (by_argument && given_rank == 1);
}

/* Neighbours that are gone along as one, and an axis that is cut while another one stands still, are gone along whole:
 * else a stride may have been forgotten. */
static bool leaves_part(const Walk *w, const Layout *moving) {
  uint32_t count[POINTWISE_MAX_RANK] = {0};
  double seen[POINTWISE_MAX_RANK], all = 1;
  bool is_left = false, is_part = false;
  for (uint32_t k = 0; k < w->given.rank; k++) seen[k] = 1;
  for (uint32_t i = 0; i < moving->rank; i++) {
    uint32_t end = end_of_unit(w, w->along[i]);
    count[end]++, seen[end] *= (double)moving->axes[i].extent;
  }
  for (uint32_t k = 0; k < w->given.rank; k++) is_left |= end_of_unit(w, k) == k && !count[k];
  for (uint32_t k = 0; k < w->given.rank; k++) {
    all = w->joined[k] ? all * (double)w->given.axes[k].extent : (double)w->given.axes[k].extent;
    if (end_of_unit(w, k) != k || seen[k] == all) continue;
    is_part |= w->joined[k] ? moving->rank > 1 : count[k] > 1 && is_left;
  }
  return is_part;
}

/* True if the axes that are seen go their own ways: an axis may be cut, neighbours be one, and steps be taken, but no
 * index of one carries into another's, and they come in their order, or in another one by arguments. What is gone
 * along as memory has no order; memory is cut in any. */
static bool goes_along(const Layout *given, const Layout *seen, int64_t place) {
  Walk w = {.given = *given};
  Layout moving = {0};
  for (uint32_t i = 0; i < seen->rank; i++) {
    LayoutAxis axis = seen->axes[i];
    if (axis.stride < 0) place += axis.stride * (axis.extent - 1), axis.stride = -axis.stride;
    if (axis.stride) add_axis(&moving, axis);
  }
  if (shares_places(&moving) || (moving.rank < seen->rank && element_count(&moving) != element_count(given)))
    return false;
  if (moving.rank == 1) w.given = by_stride(given);
  if (!begin_walk(&w, place)) return false;
  for (uint32_t i = 0; i < moving.rank; i++)
    if (!walk_along(&w, i, moving.axes[i])) return false;
  for (uint32_t i = 0; i < moving.rank; i++) {
    uint32_t end = end_of_unit(&w, w.along[i]);
    if (w.joined[end] && !is_aligned(&w, end, moving.axes[i].stride)) return false;
  }
  if (leaves_part(&w, &moving)) return false;
  for (uint32_t i = 0; i < moving.rank; i++)
    for (uint32_t j = i + 1; j < moving.rank; j++)
      if (!are_in_order(&w, given->rank, &moving, i, j, !place)) return false;
  return true;
}

static bool fits(const Layout *given, const Layout *seen, int64_t place) {
  if (given->is_empty || seen->is_empty) return seen->is_empty;
  if (!place && is_permutation(given, seen)) return true;
  return shares_places(given) ? !place && is_reshape(given, seen) : goes_along(given, seen, place);
}

/* The same strides: accesses that the tensor of the launch has not, and no other places of those that it has. */
static bool is_longer(const Layout *given, const Layout *seen) {
  bool same = given->rank == seen->rank;
  for (uint32_t k = 0; same && k < seen->rank; k++)
    same = given->axes[k].stride == seen->axes[k].stride && given->axes[k].extent <= seen->axes[k].extent;
  return same;
}

/* Several axes that are gone along as memory, in another order than theirs. */
static bool is_turned(const Layout *given, const Layout *seen) {
  bool turned = false;
  for (uint32_t k = 1; k < given->rank && seen->rank == 1; k++)
    turned |= given->axes[k - 1].stride < given->axes[k].stride;
  return turned;
}

static const char *layout_text(Arena *arena, const Layout *l) {
  Text text = text_new(arena);
  for (int strides = 0; strides < 2; strides++) {
    text_add(&text, strides ? "] with the strides [" : "[");
    for (uint32_t k = 0; k < l->rank; k++)
      text_format(&text, "%s%lld", k ? ", " : "", (long long)(strides ? l->axes[k].stride : l->axes[k].extent));
  }
  text_char(&text, ']');
  return text_string(&text);
}

/* The places from the first to behind the last one. */
static void reach(const Layout *l, int64_t place, int64_t *first, int64_t *end) {
  *first = place, *end = l->is_empty ? place : place + 1;
  for (uint32_t k = 0; k < l->rank && !l->is_empty; k++) {
    int64_t last = l->axes[k].stride * (l->axes[k].extent - 1);
    *(last < 0 ? first : end) += last;
  }
}

static bool is_left(const Safety *s, const char *tensor) {
  for (uint32_t i = 0; i < s->report->obligations.count; i++) {
    const Obligation *o = &s->report->obligations.data[i];
    bool is_of_it = o->kind == OBLIGATION_BOUNDS && o->tensor && !strcmp(o->tensor, tensor);
    if (is_of_it && o->verdict == OBLIGATION_REFUTED) return true;
  }
  return false;
}

/* A claim of elements that the tensor has not is not about this launch. Where the kernel is seen to leave the tensor,
 * its own values are undefined there: the witness says so. */
static void tell_reach(Given *g, const char *tensor, const Layout *given, const Layout *seen, int64_t place) {
  Safety *s = g->s;
  int64_t zero, count, first, end;
  reach(given, 0, &zero, &count), reach(seen, place, &first, &end);
  if ((first >= 0 && end <= count) || s->report->unmet || is_left(s, tensor)) return;
  s->report->unmet = arena_format(
      s->arena, "%s has the places 0..%lld in the launch that was given, and what is claimed is of %lld..%lld", tensor,
      (long long)count, (long long)first, (long long)end);
}

static void tell_view(Given *g, const PointwiseTensor *own, const LaunchTensor *tensor, int64_t place, bool is_shared) {
  Safety *s = g->s;
  OpId op = s->report->ex->function->op;
  bool is_beyond, is_seen_beyond;
  Layout given, seen;
  if (!given_layout(s, tensor, &given, &is_beyond)) return;
  bool is_seen = seen_layout(g, own, &seen, &is_seen_beyond);
  if (is_beyond || (is_seen && is_seen_beyond)) {
    safety_add(s, OBLIGATION_BOUNDS, OBLIGATION_UNKNOWN, op, own->symbol,
               arena_format(s->arena, "in the launch that was given, numbers of %s are too large to be looked at",
                            tensor->name));
    return;
  }
  if (own->is_written && shares_places(&given)) {
    safety_add(s, OBLIGATION_RACE, OBLIGATION_UNKNOWN, op, own->symbol,
               arena_format(s->arena, "in the launch that was given, %s is %s: elements share their places",
                            tensor->name, layout_text(s->arena, &given)));
    return;
  }
  if (!is_seen) return;
  bool good = fits(&given, &seen, place),
       is_part = good && own->is_written && !own->is_read && element_count(&seen) < element_count(&given);
  if (good && is_turned(&given, &seen))
    s->report->is_longer_view = false,
    s->report->other_view = arena_format(
        s->arena, "in the launch that was given, %s is %s, and is gone along as memory: its axes are in another order",
        tensor->name, layout_text(s->arena, &given));
  if (good && !is_part) return;
  const char *at = place ? arena_format(s->arena, " from element %lld on", (long long)place) : "";
  const char *detail = arena_format(s->arena, "in the launch that was given, %s is %s, and what is %s %s%s",
                                    tensor->name, layout_text(s->arena, &given), good ? "written is" : "claimed is of",
                                    layout_text(s->arena, &seen), at);
  if (!good) tell_reach(g, tensor->name, &given, &seen, place);
  if (!good && (!s->report->other_view || s->report->is_longer_view))
    s->report->other_view = detail, s->report->is_longer_view = is_longer(&given, &seen);
  Obligation *o =
      safety_add(s, good ? OBLIGATION_COVERAGE : OBLIGATION_BOUNDS, OBLIGATION_UNKNOWN, op, own->symbol, detail);
  o->is_of_operation = is_part && is_shared; /* another launch may write the rest */
}

/* As what the claim sees the tensor of a parameter; NULL: as nothing. One that is a slice may be gone along as another
 * slice of its tensor. */
static const PointwiseTensor *seen_tensor(const Safety *s, uint32_t place) {
  const PointwiseTensor *own = pointwise_tensor(s->report->pointwise, s->report->ex->params.data[place].symbol);
  const LaunchParam *param = &s->launch->params.data[place];
  for (uint32_t i = 0; !own && param->slice && i < s->launch->params.count; i++)
    if (s->launch->params.data[i].tensor == param->tensor)
      own = pointwise_tensor(s->report->pointwise, s->report->ex->params.data[i].symbol);
  return own;
}

static void tell_views(Given *g) {
  const Safety *s = g->s;
  for (uint32_t i = 0; s->report->pointwise && i < s->launch->params.count; i++) {
    const LaunchParam *param = &s->launch->params.data[i];
    const LaunchTensor *tensor = param->tensor >= 0 ? &s->launch->tensors.data[param->tensor] : NULL;
    const PointwiseTensor *own = tensor && !tensor->inferred ? seen_tensor(s, i) : NULL;
    int64_t place = 0;
    if (own && (param->slice || first_place(s, param, &place)))
      tell_view(g, own, param->slice ? param->slice : tensor, place, safety_is_shared(s, tensor->name));
  }
}

/* A number that the argument's type has not. */
static void tell_unfit(Safety *s, const Param *param, int64_t number) {
  uint32_t width = program_get_type(s->report->ex->program, param->type)->width;
  int64_t most = width < 2 ? 1 : width < 64 ? ((int64_t)1 << (width - 1)) - 1 : INT64_MAX;
  if (!width || (number <= most && number >= -most - 1)) return;
  safety_add(s, OBLIGATION_OVERFLOW, OBLIGATION_UNKNOWN, s->report->ex->function->op, 0,
             arena_format(s->arena, "in the launch that was given, %s = %lld does not fit i%u",
                          message_name(s->arena, param->name), (long long)number, width));
}

/* Programs along an axis of which the kernel asks nothing do what the others do. */
static void tell_repeated(Given *g) {
  Safety *s = g->s;
  const Effects *ex = s->report->ex;
  for (uint32_t i = 0; i < 3; i++) {
    int64_t count;
    if (term_symbol(ex->tt, ex->grid[i])->hi != ex->tt->one || !given_number(s, s->launch->grid[i], &count) ||
        count == 1)
      continue;
    safety_add(s, OBLIGATION_RACE, OBLIGATION_UNKNOWN, ex->function->op, 0,
               arena_format(s->arena,
                            "the launch that was given has %lld programs along %c, of which the kernel asks nothing: "
                            "each does what another one does",
                            (long long)count, "xyz"[i]));
  }
}

/* The axis of the grid of which the condition is `grid = count`; 3: none. */
static uint32_t axis_of_grid(const Safety *s, Term condition, Term *count) {
  TermTable *tt = s->report->ex->tt;
  if (term_kind(tt, condition) != TERM_EQ || term_count(tt, condition) != 1) return 3;
  Term e = term_arg(tt, condition, 0);
  for (uint32_t i = 0; i < 3; i++) {
    Term grid = s->report->ex->grid[i], rest = term_replace(tt, e, grid, tt->zero);
    *count = term_sub(tt, e, rest) == grid ? term_neg(tt, rest) : rest;
    if (*count != rest || term_add(tt, e, grid) == rest) return i;
  }
  return 3;
}

/* The programs beyond store nothing, but go on: what is shown of accesses and arithmetic is not shown of theirs. */
static void doubt_idle_programs(Safety *s, const Assumption *a) {
  for (uint32_t i = 0; i < s->report->obligations.count; i++) {
    Obligation *o = &s->report->obligations.data[i];
    if (o->verdict != OBLIGATION_PROVED || o->kind == OBLIGATION_COVERAGE) continue;
    o->verdict = OBLIGATION_UNKNOWN, o->under.count = 0;
    o->detail = arena_format(s->arena,
                             "programs beyond those that cover the output store nothing, and are not shown to be safe: "
                             "the launch that was given has more than %s",
                             a->text);
  }
}

/* More programs than the least grid that covers, where the others are shown to store nothing: the claim is one about as
 * many as this launch has, and what is shown rests on their index arithmetic too. */
static bool has_idle_programs(Given *g, Assumption *a) {
  Safety *s = g->s;
  Term count;
  TermTable *tt = s->report->ex->tt;
  uint32_t axis = a->kind == ASSUME_GRID && a->is_enough ? axis_of_grid(s, a->condition, &count) : 3;
  if (axis == 3 || s->launch->grid[axis]->op != 'n' || !is_known(g, count)) return false;
  int64_t given = s->launch->grid[axis]->number, most, least = term_eval(g->eval, count).integer;
  if (given < least || (a->most_programs && (!term_is_int(tt, a->most_programs, &most) || given > most))) return false;
  uint32_t number = (uint32_t)(a - s->report->assumptions.data);
  Term grid = s->report->ex->grid[axis];
  if (!a->is_harmless) doubt_idle_programs(s, a);
  a->text = arena_format(s->arena, "%s <= %s", term_message(tt, count), term_message(tt, grid));
  a->why = "programs beyond those that cover the output are idle";
  a->condition = term_le(tt, count, grid);
  if (a->most_programs) {
    a->text = arena_format(s->arena, "%s <= %lld", a->text, (long long)most);
    a->condition = term_and(tt, a->condition, term_le(tt, grid, term_int(tt, most)));
  }
  for (uint32_t i = 0; i < s->report->assumptions.data[number].ranges.count; i++) {
    uint32_t range = safety_assume(s, ASSUME_RANGE, 0, s->report->assumptions.data[number].ranges.data[i],
                                   "index arithmetic of idle programs does not wrap", NULL);
    for (uint32_t k = 0; k < s->report->obligations.count; k++)
      if (s->report->obligations.data[k].verdict == OBLIGATION_PROVED)
        safety_rests_on(s, &s->report->obligations.data[k], range);
  }
  return true;
}

/* A size that a number of programs is a multiple of, grid_x = 2*T*grid_x_d0, is known with these; false: they are no
 * multiple. */
static bool is_multiple(Given *g, const Assumption *a) {
  TermTable *tt = g->s->report->ex->tt;
  TermList symbols = {0};
  Term count, open = 0;
  uint32_t axis = a->kind == ASSUME_GRID && a->condition ? axis_of_grid(g->s, a->condition, &count) : 3;
  if (axis == 3 || g->s->launch->grid[axis]->op != 'n' || !recover_is_plain_size(tt, count)) return true;
  term_symbols(tt, count, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    if (is_known(g, symbols.data[i])) continue;
    if (open || term_symbol(tt, symbols.data[i])->role != SYMBOL_SIZE) return true;
    open = symbols.data[i];
  }
  Term unit = open ? term_replace(tt, count, open, tt->one) : 0;
  if (!unit || term_mul(tt, unit, open) != count) return true;
  int64_t programs = g->s->launch->grid[axis]->number, each = term_eval(g->eval, unit).integer;
  if (each < 1 || programs % each) return false;
  know(g, open, programs / each);
  return true;
}

void safety_given_launch(Safety *s) {
  const Effects *ex = s->report->ex;
  if (!s->launch || !s->is_given || s->report->stop_code) return;
  Given *g = arena_new(s->arena, Given);
  *g = (Given){.s = s, .eval = term_eval_new(ex->tt, s->arena, NULL, NULL)};
  for (uint32_t i = 0; i < ex->params.count; i++) {
    const LaunchExpr *e = s->launch->params.data[i].scalar;
    if (!e || e->op != 'n' || term_sort(ex->tt, ex->params.data[i].symbol) != SORT_INT) continue;
    know(g, ex->params.data[i].symbol, e->number);
    tell_unfit(s, &ex->params.data[i], e->number);
  }
  for (uint32_t i = 0; i < 3; i++)
    if (s->launch->grid[i]->op == 'n') know(g, ex->grid[i], s->launch->grid[i]->number);
  tell_empty(g);
  tell_views(g);
  tell_repeated(g);
  for (uint32_t i = 0; i < s->report->assumptions.count; i++) {
    Assumption *a = &s->report->assumptions.data[i];
    if (a->kind == ASSUME_LAUNCH) continue; /* it says what the launch is */
    bool fails =
        !is_multiple(g, a) ||
        (a->condition ? is_known(g, a->condition) && !term_eval(g->eval, a->condition).integer : is_not_positive(g, a));
    if (fails && !(a->condition && has_idle_programs(g, a))) tell(g, &s->report->assumptions.data[i]);
  }
}

/* ---- what an earlier launch left ---- */

static bool finds_result(const Safety *s, Term t) {
  const Effects *ex = s->report->ex;
  TermTable *tt = ex->tt;
  if (tt->marks.data[t] == tt->epoch || !(term_node(tt, t)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE))) return false;
  tt->marks.data[t] = tt->epoch;
  if (term_kind(tt, t) == TERM_OPAQUE) return true;
  if (term_kind(tt, t) == TERM_READ) {
    uint32_t i = 0;
    while (i < ex->params.count && ex->params.data[i].symbol != term_arg(tt, t, 0)) i++;
    if (i == ex->params.count) return true; /* what a loop carries */
    const char *name = s->launch->has_tensors && s->launch->params.data[i].tensor >= 0
                           ? s->launch->tensors.data[s->launch->params.data[i].tensor].name
                           : ex->params.data[i].name;
    for (uint32_t k = 0; k < s->own->results.count; k++)
      if (!strcmp(s->own->results.data[k], name)) return true;
  }
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (finds_result(s, term_arg(tt, t, i))) return true;
  return false;
}

/* True if what the launch reads of an earlier one's results decides on t. Atomics return what is in memory. */
static bool reads_result(const Safety *s, Term t) {
  term_marks_begin(s->report->ex->tt);
  return t && finds_result(s, t);
}

static bool access_reads_result(const Safety *s, const Access *a) {
  const Effects *ex = s->report->ex;
  bool reads = reads_result(s, a->offset) || reads_result(s, a->mask);
  for (uint32_t i = 0; i < a->counter_count; i++)
    for (uint32_t k = 0; k < ex->loops.count; k++)
      reads |= ex->loops.data[k].counter == a->counters[i] && reads_result(s, ex->loops.data[k].trips);
  return reads;
}

bool safety_rests_on_results(const Safety *s, const WitnessEvent *e) {
  const Effects *ex = s->report->ex;
  bool rests = false, is_known = false;
  if (!s->own->results.count || e->kind == OBLIGATION_UNDEFINED) return s->own->results.count > 0;
  for (uint32_t i = 0; i < ex->divisions.count && e->kind == OBLIGATION_DIVISION; i++) {
    const DivisionNeed *need = &ex->divisions.data[i];
    if (!safety_same_place(ex->program, need->op, e->op)) continue;
    is_known = true, rests |= reads_result(s, need->divisor) || reads_result(s, need->path);
  }
  for (uint32_t i = 0; i < ex->accesses.count && e->kind != OBLIGATION_DIVISION; i++) { /* of a race there are two */
    const Access *a = &ex->accesses.data[i];
    if (!safety_same_place(ex->program, a->op, e->op) &&
        (e->kind == OBLIGATION_BOUNDS || !e->param || strcmp(term_name(ex->tt, a->tensor), e->param)))
      continue;
    is_known = true, rests |= access_reads_result(s, a) ||
                              (e->kind == OBLIGATION_ALIAS && e->computed && reads_result(s, a->value)); /* run twice */
  }
  return rests || !is_known;
}
