/* What of a graph is chosen behind its proof, as it has no part in its meaning: how temporary tensors lie in memory,
 * and which lines of a block are one thread graph.
 *
 * A thread graph is a chain of elementwise operations: each of its lines is computed element by element of one shape,
 * from tiles and from earlier lines at the same element, so that a thread keeps these in registers. The rule takes as
 * many lines one behind the other as are such, where they are two operations or more.
 *
 * Of the layouts of a tensor that differ in their innermost axis, the one is taken whose loads and saves move the
 * fewest bytes: memory is moved in sectors, and the elements of a tile are in one piece as far as its innermost axes
 * are whole. */
#include "graph/graph.h"

#include <string.h>

#include "graph/lines.h"

enum { SECTOR = 32, LONG = 1 << 20 /* elements of an axis whose length is no number */ };

/* ---- thread graphs ---- */

static bool is_group(const GraphStatement *s) { return s->kind == GRAPH_LET || s->kind == GRAPH_SAVE; }

/* The statement before `at` that has named the value; GRAPH_NONE: none has. */
static uint32_t named(const GraphKernel *kernel, uint32_t at, const TensorExpr *e) {
  uint32_t i = at;
  while (i-- > 0)
    if (kernel->body.data[i].kind == GRAPH_LET && kernel->body.data[i].value == e) return i;
  return GRAPH_NONE;
}

typedef struct Chain {
  const GraphKernel *kernel;
  uint32_t first, at, operations;
} Chain;

/* `moves`: elements at other places are used, which only what stands before the thread graph has. */
static bool is_elementwise(Chain *c, const TensorExpr *e, bool moves) {
  uint32_t name = named(c->kernel, c->at, e);
  bool holds = true;
  if (name != GRAPH_NONE) return name < c->first || !moves;
  if (e->op == TENSOR_IDIOM) return is_elementwise(c, e->plain, moves);
  switch (tensor_op_form(e->op)) {
  case TENSOR_FORM_LEAF: return true;
  case TENSOR_FORM_VIEW: moves = true, holds = e->op != TENSOR_RESHAPE && e->op != TENSOR_SLICE; break;
  case TENSOR_FORM_UNARY:
  case TENSOR_FORM_BINARY:
  case TENSOR_FORM_TERNARY:
  case TENSOR_FORM_CALL: c->operations++; break;
  case TENSOR_FORM_INDEX:
  case TENSOR_FORM_FOLD: return false;
  }
  for (uint32_t i = 0; i < e->count && holds; i++) holds = is_elementwise(c, e->args[i], moves);
  return holds;
}

static uint32_t shape_of(const Graph *graph, const GraphStatement *s, Term *shape) {
  uint32_t rank = s->kind == GRAPH_SAVE ? graph->declared->tensors.data[s->tensor].rank : s->value->rank;
  for (uint32_t i = 0; i < rank; i++) shape[i] = s->kind == GRAPH_SAVE ? s->axes[i].extent : s->value->shape[i];
  return rank;
}

static const char *check(const Graph *graph, Chain *c) {
  const GraphStatement *s = &c->kernel->body.data[c->at];
  Term own[TENSOR_MAX_RANK], first[TENSOR_MAX_RANK];
  if (!is_group(s)) return "a thread graph has values and what is saved";
  uint32_t rank = shape_of(graph, s, own);
  bool same = rank == shape_of(graph, &c->kernel->body.data[c->first], first) && rank == s->value->rank;
  for (uint32_t i = 0; i < rank && same; i++) same = own[i] == first[i] && s->value->shape[i] == own[i];
  if (!same) return "the lines of a thread graph have one shape";
  return is_elementwise(c, s->value, false) ? NULL : "this is not computed element by element";
}

const char *graph_check_thread(const Graph *graph, const GraphKernel *kernel, uint32_t first, uint32_t at) {
  return check(graph, &(Chain){.kernel = kernel, .first = first, .at = at});
}

/* The statement behind the longest thread graph that begins here; `at` itself: none does. */
static uint32_t end_of_thread(const Graph *graph, const GraphKernel *kernel, uint32_t at) {
  Chain c = {.kernel = kernel, .first = at, .at = at};
  uint32_t operations = 0;
  while (c.at < kernel->body.count && !check(graph, &c)) c.at++, operations = c.operations;
  return operations >= 2 ? c.at : at;
}

/* ---- layouts ---- */

/* Elements of a tile along the axis; `whole`: all of them. */
static int64_t elements_of(const Graph *graph, const GraphStatement *s, uint32_t axis, bool *whole) {
  const GraphAxis *a = &s->axes[axis];
  Term length = a->count ? a->tile[a->count - 1] : graph->declared->tensors.data[s->tensor].extent[axis];
  int64_t number;
  *whole = !a->count && !a->length;
  if (a->length && !a->count) length = a->length;
  return term_is_int(graph->declared->tt, length, &number) && number < LONG ? number : LONG;
}

static double bytes_moved(const Graph *graph, const GraphStatement *s, const uint8_t *order) {
  const PointwiseTensor *t = &graph->declared->tensors.data[s->tensor];
  double own = pointwise_element_bytes(t->dtype), piece = own;
  bool whole = true;
  for (uint32_t k = t->rank; k-- > 0 && whole && piece < SECTOR;)
    piece *= (double)elements_of(graph, s, order[k], &whole);
  return piece < SECTOR ? own * SECTOR / piece : own;
}

static double cost_of(const Graph *graph, uint32_t tensor, const uint8_t *order) {
  double sum = 0;
  for (uint32_t k = 0; k < graph->kernels.count; k++)
    for (uint32_t i = 0; i < graph->kernels.data[k].body.count && graph->kernels.data[k].is_block; i++) {
      const GraphStatement *s = &graph->kernels.data[k].body.data[i];
      if ((s->kind == GRAPH_LOAD || s->kind == GRAPH_SAVE) && s->tensor == tensor) sum += bytes_moved(graph, s, order);
    }
  return sum;
}

static bool is_viewed(const Graph *graph, uint32_t tensor) {
  for (uint32_t k = 0; k < graph->kernels.count; k++) {
    uint32_t of = graph_view_of(graph, &graph->kernels.data[k]);
    if (of != GRAPH_NONE && (of == tensor || graph->kernels.data[k].body.data[0].tensor == tensor)) return true;
  }
  return false;
}

static void choose_layout(const Graph *graph, uint32_t tensor, uint8_t *best) {
  uint32_t rank = graph->declared->tensors.data[tensor].rank;
  uint8_t order[POINTWISE_MAX_RANK];
  double least;
  for (uint8_t k = 0; k < rank; k++) best[k] = k;
  least = cost_of(graph, tensor, best);
  for (uint32_t inner = rank; inner-- > 0 && !is_viewed(graph, tensor);) {
    for (uint32_t k = 0, n = 0; k < rank; k++)
      if (k != inner) order[n++] = (uint8_t)k;
    order[rank - 1] = (uint8_t)inner;
    double cost = cost_of(graph, tensor, order);
    if (cost < least) least = cost, memcpy(best, order, rank);
  }
}

/* ---- the text ---- */

static void add_layout(Text *out, const Graph *graph, const Source *source, Span line) {
  Span rest = line, word = line_take_word(source, &rest);
  uint8_t order[POINTWISE_MAX_RANK];
  if (!line_is(source, word, "temporary")) return;
  word = line_take_word(source, &rest);
  for (uint32_t i = 0; i < graph->tensors.count; i++) {
    const PointwiseTensor *t = &graph->declared->tensors.data[i];
    if (!graph->tensors.data[i].is_temporary || !t->rank || !line_is(source, word, t->name)) continue;
    choose_layout(graph, i, order);
    for (uint32_t k = 0; k < t->rank; k++) text_format(out, "%s%u", k ? ", " : " layout [", order[k]);
    text_char(out, ']');
  }
}

/* The place where the thread graph ends that begins in this line; 0: none does. */
static uint32_t thread_at(const Graph *graph, Span line) {
  for (uint32_t k = 0; k < graph->kernels.count; k++) {
    const GraphKernel *kernel = &graph->kernels.data[k];
    for (uint32_t i = 0; i < kernel->body.count && kernel->is_block; i++) {
      uint32_t end = kernel->body.data[i].span.begin == line.begin ? end_of_thread(graph, kernel, i) : i;
      if (end > i) return kernel->body.data[end - 1].span.end;
    }
  }
  return 0;
}

const char *graph_chosen_text(Arena *arena, const Graph *graph, const Source *source) {
  Text out = text_new(arena);
  uint32_t end = 0;
  for (uint32_t at = 0; at < source->size;) {
    uint32_t from = at;
    Span line = line_next(source, &at);
    uint32_t indent = line.begin - from, stop = at - 1;
    bool begins = !end && (end = thread_at(graph, line));
    if (begins) text_format(&out, "%*sthread\n", (int)indent, "");
    if (end) text_add(&out, "  ");
    text_append(&out, source->text + from, stop - from);
    add_layout(&out, graph, source, line);
    text_char(&out, '\n');
    if (end && line.end >= end) text_format(&out, "%*send\n", (int)indent, ""), end = 0;
  }
  return text_string(&out);
}
