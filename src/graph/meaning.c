/* The meaning of a graph: what each leaf and each saved tensor is, element by element.
 *
 * Tiles are indices and accumulators are folds. A tile that block p of an axis cut by T elements loads is the tensor at
 * T p + i for i < min(T, n - T p); a sum over the iterations of a loop is a fold over its counter; what is saved at
 * place j is the value of block j // T at lane j mod T. So the prover sees the same kind of term as for a kernel whose
 * loops have been closed, and folds of folds over tiles become one fold there (laws/merge.c).
 *
 * A sum that is rescaled by a running maximum m multiplies what it has by exp(m before - m after) in each iteration.
 * These factors telescope: after all of them, what iteration u added has the factor exp(m(u + 1) - m(end)). */
#include "graph/graph.h"

#include "laws/laws.h"
#include "lift/recover.h"
#include "reference/reference.h"

/* ---- leaves as what they are ---- */

static const GraphDefinition *definition_of(const Graph *graph, Term symbol) {
  for (uint32_t i = graph->definitions.count; i-- > 0;)
    if (graph->definitions.data[i].symbol == symbol) return &graph->definitions.data[i];
  return NULL;
}

static Term resolve_read(TermTable *tt, Term t, void *payload) {
  const GraphDefinition *d = term_kind(tt, t) == TERM_READ ? definition_of(payload, term_arg(tt, t, 0)) : NULL;
  Term at[POINTWISE_MAX_RANK];
  if (!d) return t;
  for (uint32_t i = 0; i < d->rank; i++) at[i] = term_arg(tt, t, i + 1);
  return term_substitute(tt, d->value, (TermMap){d->rank, d->index, at});
}

Term graph_resolve(Graph *graph, Term t) {
  return t && (term_node(graph->declared->tt, t)->flags & TERM_HAS_READ)
             ? term_transform(graph->declared->tt, t, resolve_read, graph)
             : t;
}

Term graph_element(Graph *graph, const TensorExpr *e, const Term *index) {
  return graph_resolve(graph, tensor_meaning(graph->declared->tt, e, index));
}

static void new_indices(TermTable *tt, uint32_t rank, const Term *extent, Term *index) {
  for (uint32_t i = 0; i < rank; i++) {
    index[i] = term_symbol_fresh(tt, "l", SORT_INT, SYMBOL_INDEX);
    term_symbol_range(tt, index[i], tt->zero, term_sub(tt, extent[i], tt->one));
  }
}

static void define(Graph *graph, GraphDefinition d) { array_push(graph->declared->tt->arena, &graph->definitions, d); }

/* ---- cutting ---- */

/* An iterator that cuts the tile of another one stands behind it. */
static bool add_cuts(const GraphKernel *kernel, GraphAxis *out, uint32_t iterator) {
  const GraphIterator *it = &kernel->iterators.data[iterator];
  if (it->parent != GRAPH_NONE && !add_cuts(kernel, out, it->parent)) return false;
  if (out->count == GRAPH_MAX_CUTS) return false;
  out->iterator[out->count++] = iterator;
  return true;
}

/* `extent` is of what the cuts before have left. */
static const char *cut_once(Graph *graph, const GraphIterator *it, Term *extent, Term *tile) {
  TermTable *tt = graph->declared->tt;
  *tile = it->tile;
  if (!it->tile) {
    if (recover_divides(tt, it->count, *extent, tile)) return NULL;
    return arena_format(tt->arena, "%s cuts an axis of %s elements into %s parts, which are not equal", it->name,
                        term_text(tt, *extent), term_text(tt, it->count));
  }
  if (*extent != it->range)
    return arena_format(tt->arena, "%s cuts %s elements, and this axis has %s: its tiles are no partition of it",
                        it->name, term_text(tt, it->range), term_text(tt, *extent));
  return NULL;
}

static const char *cut_id(Graph *graph, const GraphKernel *kernel, GraphAxis *axis, Term length) {
  TermTable *tt = graph->declared->tt;
  const GraphIterator *it = &kernel->iterators.data[axis->iterator[0]];
  axis->start = it->symbol, axis->extent = axis->tile[0] = tt->one;
  if (it->count == length && it->parent == GRAPH_NONE) return NULL;
  return arena_format(tt->arena, "%s has %s tiles, and this axis has %s elements", it->name, term_text(tt, it->count),
                      term_text(tt, length));
}

const char *graph_cut_axis(Graph *graph, const GraphKernel *kernel, GraphAxis *axis, Term length) {
  TermTable *tt = graph->declared->tt;
  GraphAxis written = *axis;
  axis->start = tt->zero, axis->extent = length;
  if (axis->length) {
    Term behind = term_add(tt, axis->first, axis->length);
    if (!term_prove_le(tt, tt->zero, axis->first) || !term_prove_le(tt, tt->one, axis->length) ||
        !term_prove_le(tt, behind, length))
      return arena_format(tt->arena, "the part from %s to %s is not known to lie in an axis of %s elements",
                          term_text(tt, axis->first), term_text(tt, behind), term_text(tt, length));
    axis->start = axis->first, axis->extent = axis->length;
  }
  if (axis->is_id) return cut_id(graph, kernel, axis, length);
  axis->count = 0;
  for (uint32_t i = 0; i < written.count; i++)
    if (!add_cuts(kernel, axis, written.iterator[i])) return "this axis is cut too often";
  for (uint32_t i = 0; i < axis->count; i++) {
    const GraphIterator *it = &kernel->iterators.data[axis->iterator[i]];
    const char *wrong = cut_once(graph, it, &axis->extent, &axis->tile[i]);
    if (wrong) return wrong;
    Term before = term_mul(tt, axis->tile[i], it->symbol);
    axis->start = term_add(tt, axis->start, before);
    axis->extent = it->tile ? term_min(tt, axis->tile[i], term_sub(tt, axis->extent, before)) : axis->tile[i];
  }
  return NULL;
}

/* ---- tiles ---- */

void graph_define_load(Graph *graph, GraphStatement *s) {
  TermTable *tt = graph->declared->tt;
  const PointwiseTensor *t = &graph->declared->tensors.data[s->tensor];
  GraphDefinition d = {.rank = t->rank};
  Term at[POINTWISE_MAX_RANK], extent[POINTWISE_MAX_RANK];
  for (uint32_t i = 0; i < t->rank; i++) extent[i] = s->axes[i].extent;
  d.symbol = term_symbol_fresh(tt, s->name, t->sort, SYMBOL_TENSOR);
  new_indices(tt, t->rank, extent, d.index);
  for (uint32_t i = 0; i < t->rank; i++) at[i] = term_add(tt, s->axes[i].start, d.index[i]);
  d.value = graph_resolve(graph, term_read(tt, t->symbol, t->sort, t->rank, at));
  define(graph, d);
  s->leaf = tensor_input(tt, d.symbol, s->name, graph->definitions.count, t->sort, t->rank, extent);
}

/* ---- accumulators ---- */

static bool depends(TermTable *tt, const TensorExpr *e, Term counter) {
  for (uint32_t i = 0; i < e->rank; i++)
    if (term_has_symbol(tt, e->shape[i], counter)) return true;
  return false;
}

/* The values of iterations below `end`, as a function of the indices. */
static Term folded(Graph *graph, const GraphIterator *loop, GraphAccumulator op, Term value, Term end) {
  TermTable *tt = graph->declared->tt;
  TermFoldOp fold = op == GRAPH_MAX ? FOLD_MAX : op == GRAPH_MIN ? FOLD_MIN : FOLD_SUM;
  Term u = term_symbol_fresh(tt, "u", SORT_INT, SYMBOL_INDEX);
  term_symbol_range(tt, u, tt->zero, term_sub(tt, end, tt->one));
  return term_fold(tt, fold, u, tt->zero, end, tt->true_, term_replace(tt, value, loop->symbol, u));
}

/* The running maximum at a place of the accumulator, after `end` iterations. */
static Term maximum_after(Graph *graph, const GraphIterator *loop, const GraphStatement *m, const TensorExpr *of,
                          const Term *index, Term end) {
  TermTable *tt = graph->declared->tt;
  Term at[POINTWISE_MAX_RANK];
  for (uint32_t i = 0; i < m->value->rank; i++)
    at[i] = m->value->shape[i] == tt->one ? tt->zero : index[of->rank - m->value->rank + i];
  return folded(graph, loop, GRAPH_MAX, graph_element(graph, m->value, at), end);
}

static const char *rescaled(Graph *graph, const GraphKernel *kernel, const GraphStatement *s, const Term *index,
                            Term *value, Term end) {
  TermTable *tt = graph->declared->tt;
  const GraphIterator *loop = &kernel->iterators.data[s->loop];
  const GraphStatement *m = &kernel->body.data[s->maximum];
  Term next = term_add(tt, loop->symbol, tt->one);
  if (m->value->rank > s->value->rank) return "the maximum has more axes than what it rescales";
  for (uint32_t i = 0; i < m->value->rank; i++)
    if (m->value->shape[i] != tt->one && m->value->shape[i] != s->value->shape[s->value->rank - m->value->rank + i])
      return "the shape of the maximum does not fit what it rescales";
  Term own = maximum_after(graph, loop, m, s->value, index, next),
       last = maximum_after(graph, loop, m, s->value, index, end);
  Term shift = term_made(tt, TERM_STEP_DIFFERENCE, own, last, term_sub(tt, own, last));
  *value = term_mul(tt, *value, term_fn1(tt, FN_EXP, shift));
  return NULL;
}

static const char *concatenated(Graph *graph, const GraphKernel *kernel, GraphStatement *s) {
  TermTable *tt = graph->declared->tt;
  const GraphIterator *loop = &kernel->iterators.data[s->loop];
  GraphDefinition d = {.rank = s->value->rank};
  Term extent[POINTWISE_MAX_RANK], lane[POINTWISE_MAX_RANK], to[POINTWISE_MAX_RANK + 1], from[POINTWISE_MAX_RANK + 1];
  if (!loop->tile || s->axis >= d.rank ||
      s->value->shape[s->axis] !=
          term_min(tt, loop->tile, term_sub(tt, loop->range, term_mul(tt, loop->tile, loop->symbol))))
    return arena_format(tt->arena, "the tiles of %s do not follow one another along this axis", loop->name);
  for (uint32_t i = 0; i < d.rank; i++) extent[i] = i == s->axis ? loop->range : s->value->shape[i];
  new_indices(tt, d.rank, s->value->shape, lane);
  Term value = graph_element(graph, s->value, lane);
  new_indices(tt, d.rank, extent, d.index);
  for (uint32_t i = 0; i < d.rank; i++) from[i] = lane[i], to[i] = d.index[i];
  from[d.rank] = loop->symbol, to[d.rank] = term_floordiv(tt, d.index[s->axis], loop->tile);
  to[s->axis] = term_mod(tt, d.index[s->axis], loop->tile);
  if (!value) return "this value has no elements that could be written down";
  d.value = term_substitute(tt, value, (TermMap){d.rank + 1, from, to});
  d.symbol = term_symbol_fresh(tt, s->name, s->value->sort, SYMBOL_TENSOR);
  define(graph, d);
  s->leaf = tensor_input(tt, d.symbol, s->name, graph->definitions.count, s->value->sort, d.rank, extent);
  return NULL;
}

/* Its value after `end` iterations. */
static const char *accumulated(Graph *graph, const GraphKernel *kernel, const GraphStatement *s, Term end,
                               const TensorExpr **leaf) {
  TermTable *tt = graph->declared->tt;
  GraphDefinition d = {.rank = s->value->rank};
  new_indices(tt, d.rank, s->value->shape, d.index);
  Term value = graph_element(graph, s->value, d.index);
  if (!value) return "this value has no elements that could be written down";
  const char *wrong = s->maximum == GRAPH_NONE ? NULL : rescaled(graph, kernel, s, d.index, &value, end);
  if (wrong) return wrong;
  d.value = folded(graph, &kernel->iterators.data[s->loop], s->accumulator, value, end);
  d.symbol = term_symbol_fresh(tt, s->name, s->value->sort, SYMBOL_TENSOR);
  define(graph, d);
  *leaf = tensor_input(tt, d.symbol, s->name, graph->definitions.count, s->value->sort, d.rank, s->value->shape);
  return NULL;
}

const char *graph_define_accumulator(Graph *graph, GraphKernel *kernel, GraphStatement *s) {
  TermTable *tt = graph->declared->tt;
  const GraphIterator *loop = &kernel->iterators.data[s->loop];
  if (s->value->rank > POINTWISE_MAX_RANK) return "this has too many axes";
  if (s->accumulator == GRAPH_CONCAT) return concatenated(graph, kernel, s);
  if (depends(tt, s->value, loop->symbol))
    return arena_format(tt->arena, "the shape of what is accumulated differs from tile to tile of %s", loop->name);
  const char *wrong = accumulated(graph, kernel, s, loop->count, &s->leaf);
  return wrong ? wrong : accumulated(graph, kernel, s, term_add(tt, loop->symbol, tt->one), &s->running);
}

/* ---- what is saved ---- */

typedef struct Inverse {
  Array(Term) from, to;
} Inverse;

static bool is_set(const Inverse *inverse, Term symbol) {
  for (uint32_t i = 0; i < inverse->from.count; i++)
    if (inverse->from.data[i] == symbol) return true;
  return false;
}

/* Finds the tiles that element `index` of an axis lies in, at which lane. */
static const char *invert_axis(Graph *graph, const GraphKernel *kernel, const GraphAxis *axis, Term index, Term lane,
                               Inverse *out) {
  TermTable *tt = graph->declared->tt;
  Term rest = index;
  for (uint32_t i = 0; i < axis->count; i++) {
    const GraphIterator *it = &kernel->iterators.data[axis->iterator[i]];
    Term part = axis->is_id ? rest : term_floordiv(tt, rest, axis->tile[i]);
    if (is_set(out, it->symbol))
      return arena_format(tt->arena, "%s cuts two axes of it: only the tiles on the diagonal are written", it->name);
    array_push(tt->arena, &out->from, it->symbol);
    array_push(tt->arena, &out->to, part);
    rest = term_sub(tt, rest, term_mul(tt, part, axis->tile[i]));
  }
  array_push(tt->arena, &out->from, lane);
  array_push(tt->arena, &out->to, rest);
  return NULL;
}

/* What several blocks write to one place is a sum, if the graph says so. */
static const char *sum_blocks(Graph *graph, const GraphKernel *kernel, const GraphStatement *s, const Inverse *inverse,
                              Term *value) {
  TermTable *tt = graph->declared->tt;
  for (uint32_t i = 0; i < kernel->iterators.count; i++) {
    const GraphIterator *it = &kernel->iterators.data[i];
    bool in_scope = i < kernel->grid || i == s->loop;
    if (!in_scope || is_set(inverse, it->symbol)) continue;
    if (!s->adds)
      return arena_format(tt->arena, "all tiles of %s are written to one place: the map is no partition", it->name);
    *value = folded(graph, it, GRAPH_SUM, *value, it->count);
  }
  return NULL;
}

static void output_indices(TermTable *tt, const PointwiseTensor *t, Term *index) {
  for (uint32_t k = 0; k < t->rank; k++) {
    index[k] = term_axis_symbol(tt, k);
    term_symbol_range(tt, index[k], tt->zero, term_sub(tt, t->extent[k], tt->one));
  }
}

/* Symbols of a step whose ranges speak of tiles are others where the tiles are those of a place: a lane of an
 * accumulator is the lane of an axis that is cut alike, which is every lane, as all places are spoken of. */
static void renew_symbols(Graph *graph, Term t, const GraphStatement *s, const Term *lane, Inverse *map) {
  TermTable *tt = graph->declared->tt;
  TermList symbols = {0};
  term_symbols(tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    const Symbol *symbol = term_symbol(tt, symbols.data[i]);
    if (symbol->role != SYMBOL_INDEX || !symbol->hi || is_set(map, symbols.data[i])) continue;
    Term hi = symbol->hi, now = 0, fresh;
    renew_symbols(graph, hi, s, lane, map);
    for (uint32_t k = 0; k < graph->declared->tensors.data[s->tensor].rank && !now; k++)
      if (s->axes[k].count && hi == term_symbol(tt, lane[k])->hi)
        for (uint32_t n = 0; n < map->from.count; n++) now = map->from.data[n] == lane[k] ? map->to.data[n] : now;
    Term new_hi = term_substitute(tt, hi, (TermMap){map->from.count, map->from.data, map->to.data});
    if (!now && new_hi == hi) continue;
    fresh = now ? now : term_symbol_fresh(tt, "l", SORT_INT, SYMBOL_INDEX);
    if (!now) term_symbol_range(tt, fresh, term_symbol(tt, symbols.data[i])->lo, new_hi);
    array_push(tt->arena, &map->from, symbols.data[i]);
    array_push(tt->arena, &map->to, fresh);
  }
}

/* The steps of the kernel so far, at the places of what is saved: there the other side may do the same. */
static void place_steps(Graph *graph, const GraphKernel *kernel, const GraphStatement *s, const Term *lane,
                        const Inverse *inverse) {
  TermTable *tt = graph->declared->tt;
  for (uint32_t i = kernel->steps; tt->made && i < tt->made->count; i++) {
    TermStep *step = &tt->made->data[i];
    Term *const parts[] = {&step->a, &step->b, &step->result, &step->under};
    Inverse map = {0};
    for (uint32_t k = 0; k < inverse->from.count; k++) {
      array_push(tt->arena, &map.from, inverse->from.data[k]);
      array_push(tt->arena, &map.to, inverse->to.data[k]);
    }
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
      if (!*parts[k]) continue;
      *parts[k] = graph_resolve(graph, *parts[k]);
      renew_symbols(graph, *parts[k], s, lane, &map);
    }
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
      if (!*parts[k]) continue;
      Term now = term_substitute(tt, *parts[k], (TermMap){map.from.count, map.from.data, map.to.data});
      *parts[k] = term_transform(tt, now, term_merge_tiles, NULL);
    }
  }
}

const char *graph_define_save(Graph *graph, GraphKernel *kernel, GraphStatement *s) {
  TermTable *tt = graph->declared->tt;
  const PointwiseTensor *t = &graph->declared->tensors.data[s->tensor];
  GraphDefinition d = {.symbol = t->symbol, .rank = t->rank};
  Term extent[POINTWISE_MAX_RANK], lane[POINTWISE_MAX_RANK];
  Inverse inverse = {0};
  for (uint32_t i = 0; i < t->rank; i++) extent[i] = s->axes[i].extent;
  const TensorExpr *value = reference_fit(tt, s->value, t->rank, extent);
  for (uint32_t i = 0; value && i < t->rank; i++)
    if (term_sub(tt, value->shape[i], extent[i]) != tt->zero) value = NULL;
  if (!value) return "the value does not have the shape of the tile that is written";
  new_indices(tt, t->rank, extent, lane);
  output_indices(tt, t, d.index);
  d.value = graph_element(graph, value, lane);
  if (!d.value) return "this value has no elements that could be written down";
  for (uint32_t i = 0; i < t->rank; i++) {
    const char *wrong = invert_axis(graph, kernel, &s->axes[i], d.index[i], lane[i], &inverse);
    if (wrong) return wrong;
  }
  const char *wrong = sum_blocks(graph, kernel, s, &inverse, &d.value);
  if (wrong) return wrong;
  d.value = term_substitute(tt, d.value, (TermMap){inverse.from.count, inverse.from.data, inverse.to.data});
  place_steps(graph, kernel, s, lane, &inverse);
  define(graph, d);
  return NULL;
}

/* ---- the whole ---- */

static void mark_reads(Pointwise *p, Term t) {
  TermList symbols = {0};
  term_symbols(p->tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    for (uint32_t k = 0; k < p->tensors.count; k++)
      if (p->tensors.data[k].symbol == symbols.data[i]) p->tensors.data[k].is_read = true;
}

static void add_output(Pointwise *p, const GraphDefinition *d) {
  PointwiseOutput out = {.rank = d->rank};
  while (p->tensors.data[out.tensor].symbol != d->symbol) out.tensor++;
  for (uint32_t k = 0; k < d->rank; k++) out.index[k] = d->index[k];
  array_push(p->tt->arena, &out.pieces, (PointwisePiece){.region = p->tt->true_, .value = d->value});
  p->tensors.data[out.tensor].is_written = true;
  mark_reads(p, d->value);
  array_push(p->tt->arena, &p->outputs, out);
}

void graph_finish(Graph *graph) {
  Pointwise *d = graph->declared, *p = arena_new(d->tt->arena, Pointwise);
  *p = (Pointwise){.tt = d->tt, .kernel = graph->name, .scalars = d->scalars, .sizes = d->sizes};
  for (uint32_t i = 0; i < d->tensors.count; i++)
    if (!graph->tensors.data[i].is_temporary) array_push(d->tt->arena, &p->tensors, d->tensors.data[i]);
  for (uint32_t i = 0; i < d->tensors.count; i++) {
    const GraphDefinition *made_of = definition_of(graph, d->tensors.data[i].symbol);
    if (made_of && !graph->tensors.data[i].is_temporary) add_output(p, made_of);
  }
  graph->pointwise = p;
}
