/* The launch that was given, held against what was assumed.
 *
 * Its numbers are a sample: the proof is about all sizes that meet the printed assumptions, and this launch has to be one
 * of them. Where it is not, the claim says nothing of it: nothing is proved for the launch, and where one block was to
 * cover an axis that is longer, elements stay unwritten, which refutes coverage with this very launch.
 *
 * Of several launches, what an earlier one leaves in a tensor is no input of a later one: a witness makes its contents up. */
#include "prove/obligations_internal.h"

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
    if (e && e->op == 'n') array_push(s->arena, &w->sizes, (SamplePair){s->report->ex->params.data[i].name, arena_format(s->arena, "%lld", (long long)e->number)});
  }
  for (uint32_t i = 0; i < 3; i++)
    if (s->launch->grid[i]->op == 'n') array_push(s->arena, &w->sizes, (SamplePair){arena_format(s->arena, "grid_%c", "xyz"[i]), arena_format(s->arena, "%lld", (long long)s->launch->grid[i]->number)});
  return w;
}

/* The tensor of the launch that a parameter is given whole; NULL: none. */
static const LaunchTensor *tensor_of(const Safety *s, Term symbol) {
  for (uint32_t i = 0; i < s->report->ex->params.count; i++) {
    const LaunchParam *param = &s->launch->params.data[i];
    if (s->report->ex->params.data[i].symbol == symbol && param->tensor >= 0) return &s->launch->tensors.data[param->tensor];
  }
  return NULL;
}

static const Access *only_store(const Execution *ex, Term tensor) {
  const Access *found = NULL;
  for (uint32_t i = 0; i < ex->accesses.count; i++) {
    const Access *a = &ex->accesses.data[i];
    if (!a->is_store || a->tensor != tensor) continue;
    if (found) return NULL;
    found = a;
  }
  return found;
}

/* An output has one store, which goes no further than the block along an axis; the tensor of the launch does: that store. */
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
      if (term_kind(tt, t->extent[k]) != TERM_SYM || !term_has_symbol(tt, condition, t->extent[k]) || !is_known(g, t->extent[k])) continue;
      if (given->extent[k]->op == 'n' && given->extent[k]->number == term_eval(g->eval, t->extent[k]).integer) return store;
    }
  }
  return NULL;
}

static bool is_told(const Safety *s, const Obligation *o) {
  for (uint32_t i = 0; i < s->report->obligations.count; i++) {
    const Obligation *known = &s->report->obligations.data[i];
    if (known->kind == o->kind && known->verdict == OBLIGATION_REFUTED && known->op == o->op) return true;
  }
  return false;
}

static void tell(Given *g, const Assumption *a) {
  Safety *s = g->s;
  const Access *store = !strcmp(a->kind, "cover") ? leaves_unwritten(g, a->condition) : NULL;
  const char *detail = store ? arena_format(s->arena, "the launch that was given does not meet the assumption %s: what lies beyond is not written", a->text)
                               : arena_format(s->arena, "the launch that was given does not meet the assumption %s: nothing is shown for it", a->text);
  Obligation o = {.kind = !strcmp(a->kind, "disjoint") ? OBLIGATION_RACE : !strcmp(a->kind, "range") ? OBLIGATION_OVERFLOW : !strcmp(a->kind, "positive") ? OBLIGATION_UNDEFINED : OBLIGATION_COVERAGE, .op = s->report->ex->function->op, .detail = detail};
  bool shared = store && safety_is_shared(s, tensor_of(s, store->tensor)->name); /* another launch may write what lies beyond */
  o.verdict = store && !shared ? OBLIGATION_REFUTED : OBLIGATION_UNKNOWN;
  if (store) o.op = store->op, o.tensor = safety_tensor_name(s, store->tensor), o.witness = the_launch(g);
  if (!is_told(s, &o)) array_push(s->arena, &s->report->obligations, o);
}

/* NAME > 0 of a float argument that is given, and is not. */
static bool is_not_positive(const Given *g, const Assumption *a) {
  const Execution *ex = g->s->report->ex;
  for (uint32_t i = 0; i < ex->params.count && !strcmp(a->kind, "positive"); i++) {
    const LaunchParam *given = &g->s->launch->params.data[i];
    if (given->is_real && given->real <= 0 && !strcmp(a->text, arena_format(g->s->arena, "%s > 0", ex->params.data[i].name))) return true;
  }
  return false;
}

/* "n, m >= 1: sizes are not empty" of those that are given as less. */
static void tell_empty(Given *g) {
  const Execution *ex = g->s->report->ex;
  for (uint32_t i = 0; i < ex->params.count; i++) {
    const LaunchExpr *e = g->s->launch->params.data[i].scalar;
    if (!ex->params.data[i].is_size || !e || e->op != 'n' || e->number >= 1) continue;
    tell(g, &(Assumption){.kind = "range", .text = arena_format(g->s->arena, "%s >= 1", ex->params.data[i].name)});
  }
}

/* ---- the tensors that were given, and as what the claim sees them ---- */

/* Axes of more than one element, by decreasing stride. */
typedef struct Layout {
  uint32_t rank;
  struct LayoutAxis { int64_t extent, stride; uint32_t number; } axes[POINTWISE_MAX_RANK];
  bool repeats, is_beyond;   /* elements share places; its numbers are too large to be reckoned with */
  uint32_t still, by_argument; /* bits: axes of stride 0; axes whose stride is an argument of its own */
} Layout;

static void add_axis(Layout *l, uint32_t number, int64_t extent, int64_t stride) {
  uint32_t at = l->rank;
  if (extent <= 1) return;
  for (l->rank++; at && l->axes[at - 1].stride < stride; at--) l->axes[at] = l->axes[at - 1];
  l->axes[at] = (struct LayoutAxis){extent, stride, number};
}

static void note_repeats(Layout *l) {
  int64_t inside = 0;
  for (uint32_t k = l->rank; k-- > 0 && !l->repeats; inside += l->axes[k].stride * (l->axes[k].extent - 1)) l->repeats = l->axes[k].stride <= inside;
}

static bool given_layout(const Safety *s, const LaunchTensor *t, Layout *out) {
  LaunchNames names = s->launch->names;
  *out = (Layout){0};
  for (uint32_t k = 0; k < t->rank; k++) {
    int64_t extent, stride;
    if (!term_is_int(s->tt, launch_term(s->tt, t->extent[k], &names), &extent) || !term_is_int(s->tt, launch_term(s->tt, t->stride[k], &names), &stride)) return false;
    out->is_beyond |= extent > INT32_MAX || stride > INT32_MAX || stride < 0;
    if (out->is_beyond) continue;
    if (stride) add_axis(out, k, extent, stride);
    else out->still |= (uint32_t)(extent > 1) << k;
  }
  note_repeats(out);
  return true;
}

static bool seen_layout(const Given *g, const PointwiseTensor *t, Layout *out) {
  *out = (Layout){0};
  for (uint32_t k = 0; k < t->rank; k++) {
    if (!is_known(g, t->extent[k]) || !is_known(g, t->stride[k])) return false;
    int64_t extent = term_eval(g->eval, t->extent[k]).integer, stride = term_eval(g->eval, t->stride[k]).integer;
    if (stride < 0 || extent > INT32_MAX || stride > INT32_MAX) return false;
    if (stride) add_axis(out, k, extent, stride);
    else out->still |= (uint32_t)(extent > 1) << k;
    out->by_argument |= (uint32_t)recover_has_stride_argument(g->s->report->ex, t->stride[k]) << k;
  }
  note_repeats(out);
  return true;
}

static int64_t gcd(int64_t a, int64_t b) { return b ? gcd(b, a % b) : a; }

/* The greatest index along axis k of the given tensor at the places 0, stride, 2 * stride, ... */
static int64_t greatest_index(const Layout *given, uint32_t k, struct LayoutAxis along) {
  int64_t last = along.stride * (along.extent - 1), row = k ? given->axes[k - 1].stride : 0;
  for (uint32_t i = 0; i < given->rank; i++) { /* of one axis alone */
    struct LayoutAxis own = given->axes[i];
    if (along.stride % own.stride == 0 && last <= own.stride * (own.extent - 1)) return i == k ? last / own.stride : 0;
  }
  if (row && last >= row) last = row - gcd(along.stride, row);
  return last / given->axes[k].stride;
}

static int64_t element_count(const Layout *l) {
  int64_t count = 1;
  for (uint32_t k = 0; k < l->rank && count < INT64_MAX / INT32_MAX; k++) count *= l->axes[k].extent;
  return count;
}

static int64_t last_place(const Layout *l) {
  int64_t last = 0;
  for (uint32_t k = 0; k < l->rank && last < INT64_MAX / 4; k++) last += l->axes[k].stride * (l->axes[k].extent - 1);
  return last;
}

/* Do the axes that are seen go their own ways in the given tensor? An axis may be cut in two or two be one, and steps are taken; but no index of one axis carries into another's, and
 * they come in their order, or in another one by arguments. `is_same_rank`: an axis that stands still is none of several elements. */
static bool goes_along(const Layout *given, const Layout *seen, bool is_same_rank) {
  uint32_t first[POINTWISE_MAX_RANK] = {0}, last[POINTWISE_MAX_RANK] = {0}; /* by axis that is seen: the given ones that it moves along */
  for (uint32_t i = 0; i < POINTWISE_MAX_RANK; i++) first[i] = UINT32_MAX;
  for (uint32_t k = 0; k < given->rank && is_same_rank; k++) if (seen->still >> given->axes[k].number & 1) return false;
  for (uint32_t k = 0; k < given->rank; k++) {
    int64_t sum = 0;
    for (uint32_t i = 0; i < seen->rank; i++) {
      int64_t most = greatest_index(given, k, seen->axes[i]);
      uint32_t axis = seen->axes[i].number, number = given->axes[k].number;
      sum += most;
      if (most && number < first[axis]) first[axis] = number;
      if (most && number > last[axis]) last[axis] = number;
    }
    if (sum >= given->axes[k].extent) return false;
  }
  for (uint32_t i = 0; i < POINTWISE_MAX_RANK; i++)
    for (uint32_t j = i + 1; j < POINTWISE_MAX_RANK; j++)
      if (first[i] != UINT32_MAX && first[j] != UINT32_MAX && last[i] > first[j] && (~seen->by_argument & (1u << i | 1u << j))) return false;
  return !seen->repeats;
}

static const char *layout_text(Arena *arena, const Layout *l) {
  Text text = text_new(arena);
  for (int strides = 0; strides < 2; strides++) {
    text_add(&text, strides ? "] with the strides [" : "[");
    for (uint32_t number = 0, n = 0; number < POINTWISE_MAX_RANK; number++)
      for (uint32_t k = 0; k < l->rank; k++)
        if (l->axes[k].number == number) text_format(&text, "%s%lld", n++ ? ", " : "", (long long)(strides ? l->axes[k].stride : l->axes[k].extent));
  }
  text_char(&text, ']');
  return text_string(&text);
}

/* Where in the tensor the parameter begins; false: it is no number. */
static bool first_place(const Safety *s, Term symbol, int64_t *place) {
  LaunchNames names = s->launch->names;
  *place = 0;
  for (uint32_t i = 0; i < s->report->ex->params.count; i++) {
    const LaunchExpr *offset = s->launch->params.data[i].offset;
    if (s->report->ex->params.data[i].symbol == symbol) return !offset || (term_is_int(s->tt, launch_term(s->tt, offset, &names), place) && *place <= INT64_MAX / 4);
  }
  return false;
}

/* What is wrong with it; NULL: nothing. */
static const char *misfit(const Safety *s, const PointwiseTensor *t, int64_t place, const Layout *given, const Layout *seen, bool is_same_rank, ObligationKind *kind) {
  *kind = OBLIGATION_BOUNDS;
  if (place < 0 || place + last_place(seen) > last_place(given) || (!place && !goes_along(given, seen, is_same_rank))) return "what is claimed is of";
  *kind = OBLIGATION_COVERAGE;
  bool is_part = t->is_written && !t->is_read && element_count(seen) < element_count(given);
  return is_part && !safety_is_shared(s, tensor_of(s, t->symbol)->name) ? "what is written is" : NULL;
}

static void tell_views(Given *g) {
  Safety *s = g->s;
  const Pointwise *p = s->report->pointwise;
  for (uint32_t i = 0; p && i < p->tensors.count; i++) {
    const LaunchTensor *tensor = tensor_of(s, p->tensors.data[i].symbol);
    const PointwiseTensor *own = &p->tensors.data[i];
    OpId op = s->report->ex->function->op;
    ObligationKind kind;
    Layout given, seen;
    int64_t place;
    if (!tensor || tensor->inferred || !first_place(s, own->symbol, &place) || !given_layout(s, tensor, &given)) continue;
    if (given.is_beyond) {
      safety_add(s, OBLIGATION_BOUNDS, OBLIGATION_UNKNOWN, op, own->symbol, arena_format(s->arena, "in the launch that was given, numbers of %s are too large to be looked at", tensor->name));
      continue;
    }
    if (given.repeats || (given.still && own->is_written)) {
      if (own->is_written)
        safety_add(s, OBLIGATION_RACE, OBLIGATION_UNKNOWN, op, own->symbol, arena_format(s->arena, "in the launch that was given, %s is %s: elements share their places", tensor->name, layout_text(s->arena, &given)));
      continue;
    }
    const char *what = seen_layout(g, own, &seen) ? misfit(s, own, place, &given, &seen, tensor->rank == own->rank, &kind) : NULL;
    if (what)
      safety_add(s, kind, OBLIGATION_UNKNOWN, op, own->symbol,
                 arena_format(s->arena, "in the launch that was given, %s is %s, and %s %s", tensor->name, layout_text(s->arena, &given), what, layout_text(s->arena, &seen)));
  }
}

void safety_given_launch(Safety *s) {
  const Execution *ex = s->report->ex;
  if (!s->launch || !s->is_given || s->report->stop_code) return;
  Given *g = arena_new(s->arena, Given);
  *g = (Given){.s = s, .eval = term_eval_new(ex->tt, s->arena, NULL, NULL)};
  for (uint32_t i = 0; i < ex->params.count; i++) {
    const LaunchExpr *e = s->launch->params.data[i].scalar;
    if (e && e->op == 'n' && term_sort(ex->tt, ex->params.data[i].symbol) == SORT_INT) know(g, ex->params.data[i].symbol, e->number);
  }
  for (uint32_t i = 0; i < 3; i++) if (s->launch->grid[i]->op == 'n') know(g, ex->grid[i], s->launch->grid[i]->number);
  tell_empty(g);
  tell_views(g);
  for (uint32_t i = 0; i < s->report->assumptions.count; i++) {
    const Assumption *a = &s->report->assumptions.data[i];
    if (!strcmp(a->kind, "launch")) continue; /* it says what the launch is */
    if (a->condition ? is_known(g, a->condition) && !term_eval(g->eval, a->condition).integer : is_not_positive(g, a)) tell(g, a);
  }
}

/* ---- what an earlier launch left ---- */

static bool finds_result(const Safety *s, Term t) {
  const Execution *ex = s->report->ex;
  TermTable *tt = ex->tt;
  if (tt->marks.data[t] == tt->epoch || !(term_node(tt, t)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE))) return false;
  tt->marks.data[t] = tt->epoch;
  if (term_kind(tt, t) == TERM_OPAQUE) return true;
  if (term_kind(tt, t) == TERM_READ) {
    uint32_t i = 0;
    while (i < ex->params.count && ex->params.data[i].symbol != term_arg(tt, t, 0)) i++;
    if (i == ex->params.count) return true; /* what a loop carries */
    const char *name = s->launch->has_tensors && s->launch->params.data[i].tensor >= 0 ? s->launch->tensors.data[s->launch->params.data[i].tensor].name : ex->params.data[i].name;
    for (uint32_t k = 0; k < s->own->results.count; k++) if (!strcmp(s->own->results.data[k], name)) return true;
  }
  for (uint32_t i = 0; i < term_count(tt, t); i++) if (finds_result(s, term_arg(tt, t, i))) return true;
  return false;
}

/* Does what the launch reads of an earlier one's results decide on t? Atomics return what is in memory. */
static bool reads_result(const Safety *s, Term t) {
  term_marks_begin(s->report->ex->tt);
  return t && finds_result(s, t);
}

static bool access_reads_result(const Safety *s, const Access *a) {
  const Execution *ex = s->report->ex;
  bool reads = reads_result(s, a->offset) || reads_result(s, a->mask);
  for (uint32_t i = 0; i < a->counter_count; i++)
    for (uint32_t k = 0; k < ex->loops.count; k++) reads |= ex->loops.data[k].counter == a->counters[i] && reads_result(s, ex->loops.data[k].trips);
  return reads;
}

bool safety_rests_on_results(const Safety *s, const WitnessEvent *e) {
  const Execution *ex = s->report->ex;
  bool rests = false, is_known = false;
  if (!s->own->results.count || e->kind == OBLIGATION_UNDEFINED) return s->own->results.count > 0;
  for (uint32_t i = 0; i < ex->divisions.count && e->kind == OBLIGATION_DIVISION; i++) {
    const DivisionNeed *need = &ex->divisions.data[i];
    if (!safety_same_place(ex->program, need->op, e->op)) continue;
    is_known = true, rests |= reads_result(s, need->divisor) || reads_result(s, need->path);
  }
  for (uint32_t i = 0; i < ex->accesses.count && e->kind != OBLIGATION_DIVISION; i++) { /* of a race there are two */
    const Access *a = &ex->accesses.data[i];
    if (!safety_same_place(ex->program, a->op, e->op) && (e->kind == OBLIGATION_BOUNDS || !e->param || strcmp(term_name(ex->tt, a->tensor), e->param))) continue;
    is_known = true, rests |= access_reads_result(s, a) || (e->kind == OBLIGATION_ALIAS && e->computed && reads_result(s, a->value)); /* run twice */
  }
  return rests || !is_known;
}
