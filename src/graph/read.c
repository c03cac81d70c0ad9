/* Reader of graphs (docs/graph.md).
 *
 *   file      := "graph" NAME { line NEWLINE }
 *   line      := "tensor" | "size" | "scalar" | "assume" ...          as in a formula file
 *              | "temporary" NAME ":" dtype "[" extents "]" [ "layout" "[" axes "]" ]
 *              | NAME "=" formula                                     a kernel of one operation on whole tensors
 *              | "block" NAME [ "grid" iterator { "," iterator } ]    a block graph: lines follow, up to its "end"
 *   in blocks := "loop" iterator                                      lines follow, up to its "end"
 *              | "thread"                                             elementwise lines follow, up to its "end"
 *              | NAME "=" "load" NAME "[" axes "]"
 *              | NAME "=" "accumulate" ("sum" | "max" | "min" | "concat") "(" formula { "," option } ")"
 *              | "save" NAME "[" axes "]" ("=" | "+=") formula
 *              | NAME "=" formula
 *   iterator  := NAME "=" (size | iterator) "/" tile  |  NAME "=" count
 *   axis      := ":" | NAME | NAME "." NAME | NAME "." "id"
 *
 * Declarations are those of formulas: the text with all other lines blanked goes through that reader. Formulas are read
 * in tensor form, with tiles and accumulators as tensors of their own, so that every operator and every check of shapes
 * is the one of formulas. */
#include "graph/graph.h"

#include <string.h>

#include "graph/lines.h"
#include "reference/reference.h"

typedef struct Reader {
  Arena *arena;
  TermTable *tt;
  const Source *source;
  DiagnosticList *diagnostics;
  Graph *graph;
  Formula *formula;
  Reference reference;             /* its bindings are the names that expressions know */
  GraphKernel *kernel;             /* open block graph, or NULL */
  Span opened;                     /* where it, or the open loop, begins */
  uint32_t loop;                   /* open loop, or GRAPH_NONE */
  uint32_t threads, thread;        /* of the block; the open one, from 1, or 0 */
  uint32_t thread_begin;           /* its first statement */
  uint32_t kernel_mark, loop_mark; /* bindings before them */
  const char *temporaries;         /* names, each between spaces */
} Reader;

static bool fail(Reader *r, Span span, const char *help, const char *message) {
  diagnostic_add(r->diagnostics, SEVERITY_ERROR, "graph.line", r->source, span, help, "%s", message);
  return false;
}

/* ---- lines and words ---- */

static const char *span_text(Reader *r, Span span) {
  return arena_copy(r->arena, r->source->text + span.begin, span.end - span.begin);
}

/* ---- declarations ---- */

static bool is_declaration(const Source *s, Span line) {
  static const char *const words[] = {"tensor", "size", "scalar", "assume", "temporary"};
  Span rest = line, word = line_take_word(s, &rest);
  bool assigns = rest.begin < rest.end && strchr("=[", s->text[rest.begin]);
  for (size_t i = 0; i < sizeof words / sizeof *words && !assigns; i++)
    if (line_is(s, word, words[i])) return true;
  return false;
}

/* "layout" "[" axes "]" behind the extents of a temporary tensor; empty: there is none. */
static Span layout_of(const Source *s, Span line) {
  static const char word[] = "layout";
  uint32_t at = line.end;
  while (at > line.begin && s->text[at - 1] != '[') at--;
  Span before = line_trim(s, (Span){line.begin, at > line.begin ? at - 1 : at});
  bool is_one = before.end - before.begin > sizeof word && line_begins(s, (Span){before.end - 6, before.end}, word) &&
                !line_is_word(s->text[before.end - 7]);
  return is_one ? (Span){before.end - 6, line.end} : (Span){line.end, line.end};
}

/* The declarations alone, at their places. */
static const Source *declarations(Reader *r) {
  const Source *s = r->source;
  char *text = arena_copy(r->arena, s->text, s->size);
  Text names = text_new(r->arena);
  for (uint32_t at = 0; at < s->size;) {
    uint32_t from = at;
    Span line = line_next(s, &at), rest = line, word = line_take_word(s, &rest);
    bool declares = is_declaration(s, line);
    for (uint32_t i = from; i < at && i < s->size; i++)
      if (!declares && text[i] != '\n') text[i] = ' ';
    if (!declares || !line_is(s, word, "temporary")) continue;
    memcpy(text + line.begin, "tensor   ", 9);
    Span layout = layout_of(s, line);
    memset(text + layout.begin, ' ', layout.end - layout.begin);
    text_format(&names, " %s ", span_text(r, line_take_word(s, &rest)));
  }
  r->temporaries = text_string(&names);
  const char *all = arena_format(r->arena, "%s\nformula %s\n", text, r->graph->name);
  return source_new(r->arena, s->name, all, strlen(all));
}

static bool is_temporary(Reader *r, const char *name) {
  return strstr(r->temporaries, arena_format(r->arena, " %s ", name)) != NULL;
}

/* Messages show the text as it was written. */
static void show_original(Reader *r, const Source *blanked, uint32_t from) {
  for (uint32_t i = from; i < r->diagnostics->items.count; i++)
    if (r->diagnostics->items.data[i].source == blanked) {
      Diagnostic *d = &r->diagnostics->items.data[i];
      d->source = r->source;
      if (d->span.end > r->source->size) d->span = (Span){0, 0};
    }
}

static bool read_declarations(Reader *r) {
  const Source *blanked = declarations(r);
  uint32_t from = r->diagnostics->items.count;
  r->formula = formula_read(r->arena, r->tt, blanked, NULL, r->diagnostics);
  show_original(r, blanked, from);
  if (!r->formula) return false;
  Pointwise *p = r->graph->declared = r->formula->pointwise;
  r->graph->assumed = r->formula->assumed;
  for (uint32_t i = 0; i < r->formula->sizes.count; i++) reference_bind_sizes(&r->reference, r->formula->sizes.data[i]);
  for (uint32_t i = 0; i < p->tensors.count; i++) {
    GraphTensor t = {.leaf = reference_leaf(p, i), .is_temporary = is_temporary(r, p->tensors.data[i].name)};
    for (uint8_t k = 0; k < POINTWISE_MAX_RANK; k++) t.order[k] = k;
    array_push(r->arena, &r->graph->tensors, t);
  }
  reference_bind(&r->reference, p);
  return true;
}

/* Each axis of the tensor once, the outermost in memory first. */
static bool read_layout(Reader *r, Span layout, uint32_t tensor) {
  uint32_t rank = r->graph->declared->tensors.data[tensor].rank, seen = 0, k = 0;
  const char *help = arena_format(r->arena, "the numbers from 0 to %u, each once", rank ? rank - 1 : 0);
  Span rest = layout;
  line_take_word(r->source, &rest);
  Span inner = line_trim(r->source, (Span){rest.begin + 1, rest.end});
  if (inner.begin == inner.end || r->source->text[inner.end - 1] != ']')
    return fail(r, layout, help, "expected the axes in brackets");
  for (inner.end--; inner.begin < inner.end; k++) {
    Span part = line_take_part(r->source, &inner);
    uint32_t axis = (uint32_t)(r->source->text[part.begin] - '0');
    if (part.end - part.begin != 1 || axis >= rank || (seen >> axis & 1) || k == rank)
      return fail(r, part, help, "a layout is a permutation of the axes");
    seen |= 1u << axis;
    r->graph->tensors.data[tensor].order[k] = (uint8_t)axis;
  }
  return k == rank ? true : fail(r, layout, help, "a layout is a permutation of the axes");
}

static bool read_temporary(Reader *r, Span line) {
  Span layout = layout_of(r->source, line), rest = line, word;
  uint32_t tensor = 0;
  line_take_word(r->source, &rest);
  word = line_take_word(r->source, &rest);
  while (!line_is(r->source, word, r->graph->declared->tensors.data[tensor].name)) tensor++;
  return layout.begin == layout.end ? true : read_layout(r, layout, tensor);
}

/* ---- expressions ---- */

/* Outside of blocks, a part of a tensor that is known to lie in it. */
static bool is_part(Reader *r, const TensorExpr *e) {
  bool lies = e->op == TENSOR_SLICE && !r->kernel;
  for (uint32_t i = 0; lies && i < e->args[0]->rank; i++) {
    const TensorSlice *s = &e->slices[i];
    lies = !s->point && term_prove_le(r->tt, r->tt->zero, s->start) && term_prove_lt(r->tt, s->start, s->stop) &&
           term_prove_le(r->tt, s->stop, e->args[0]->shape[i]);
  }
  return lies;
}

static bool has_index_form(Reader *r, const TensorExpr *e) {
  bool found = e->op != TENSOR_IDIOM &&
               (tensor_op_form(e->op) == TENSOR_FORM_INDEX || (e->op == TENSOR_SLICE && !is_part(r, e)));
  if (e->op == TENSOR_IDIOM) return has_index_form(r, e->plain);
  for (uint32_t i = 0; i < e->count && !found; i++) found = has_index_form(r, e->args[i]);
  return found;
}

/* The declared tensor that stands in the expression as a whole, from number `from` on. */
static uint32_t find_whole(const Reader *r, const TensorExpr *e, uint32_t from) {
  const Pointwise *p = r->graph->declared;
  TensorExprs open = {0};
  array_push(r->arena, &open, e);
  for (uint32_t k = 0; k < open.count; k++) {
    const TensorExpr *at = open.data[k];
    for (uint32_t i = from; at->op == TENSOR_INPUT && i < p->tensors.count; i++)
      if (p->tensors.data[i].symbol == at->symbol) return i;
    if (at->op == TENSOR_IDIOM) array_push(r->arena, &open, at->plain);
    for (uint32_t i = 0; i < at->count; i++) array_push(r->arena, &open, at->args[i]);
  }
  return GRAPH_NONE;
}

/* In a block only tiles stand in expressions; outside, what is written or given. */
static bool check_tensors(Reader *r, Span span, const TensorExpr *e) {
  const Pointwise *p = r->graph->declared;
  uint32_t whole = find_whole(r, e, 0);
  if (whole != GRAPH_NONE && r->kernel)
    return fail(r, span, arena_format(r->arena, "load a tile of it: `t = load %s[...]`", p->tensors.data[whole].name),
                arena_format(r->arena, "%s stands here as a whole", p->tensors.data[whole].name));
  for (uint32_t i = 0; i < p->tensors.count && !r->kernel; i++) {
    GraphTensor *t = &r->graph->tensors.data[i];
    if (find_whole(r, e, i) != i) continue;
    if (t->is_temporary && !t->is_written)
      return fail(r, span, NULL, arena_format(r->arena, "%s is not written before", p->tensors.data[i].name));
    p->tensors.data[i].is_read = true;
  }
  return true;
}

static const TensorExpr *read_value(Reader *r, const PyNode *syntax) {
  const TensorExpr *e = reference_formula(&r->reference, syntax);
  Span span = syntax->span;
  if (!e) return NULL;
  if (e->size >= 100000) return fail(r, span, NULL, "this expression is too large"), NULL;
  if (has_index_form(r, e)) return fail(r, span, NULL, "slices and places are no operators of graphs"), NULL;
  return check_tensors(r, span, e) ? e : NULL;
}

static const TensorExpr *read_expression(Reader *r, Span span) {
  const PyNode *syntax = python_parse_expression(r->arena, r->source, span, r->diagnostics);
  return syntax ? read_value(r, syntax) : NULL;
}

/* An integer over the sizes. */
static bool read_integer(Reader *r, const PyNode *syntax, Term *out) {
  const TensorExpr *e = reference_formula(&r->reference, syntax);
  if (!e) return false;
  *out = e->rank || e->sort != SORT_INT ? 0 : tensor_meaning(r->tt, e, NULL);
  return *out ? true : fail(r, syntax->span, "an integer over the declared sizes", "this is no size");
}

static void bind(Reader *r, const char *name, const TensorExpr *value) {
  for (uint32_t i = r->reference.bindings.count; i-- > 0;)
    if (!strcmp(r->reference.bindings.data[i].name, name)) {
      r->reference.bindings.data[i].value = value;
      return;
    }
  array_push(r->arena, &r->reference.bindings, (ReferenceBinding){.name = name, .value = value});
}

static bool is_bound(const Reader *r, const char *name) {
  for (uint32_t i = 0; i < r->reference.bindings.count; i++)
    if (!strcmp(r->reference.bindings.data[i].name, name)) return true;
  return false;
}

static uint32_t find_iterator(const GraphKernel *kernel, const char *name) {
  uint32_t i = kernel->iterators.count;
  while (i-- > 0)
    if (!strcmp(kernel->iterators.data[i].name, name)) return i;
  return GRAPH_NONE;
}

/* A name that nothing has yet. */
static bool take_name(Reader *r, Span *rest, Span *word, const char **name) {
  *word = line_take_word(r->source, rest);
  if (word->begin == word->end || (r->source->text[word->begin] >= '0' && r->source->text[word->begin] <= '9'))
    return fail(r, *word, NULL, "expected a name");
  *name = span_text(r, *word);
  if (formula_is_reserved(*name))
    return fail(r, *word, "choose another name", "names that begin with offs_ and mask_ are those of emitted code");
  if (is_bound(r, *name) || (r->kernel && find_iterator(r->kernel, *name) != GRAPH_NONE))
    return fail(r, *word, NULL, arena_format(r->arena, "%s stands for something else already", *name));
  return true;
}

/* ---- iterators ---- */

static bool is_in_scope(const Reader *r, uint32_t iterator) {
  return iterator != GRAPH_NONE && (iterator < r->kernel->grid || iterator == r->loop);
}

/* What is cut: an axis as long as a size, or the tile of another iterator. */
static bool read_range(Reader *r, const PyNode *syntax, GraphIterator *it) {
  uint32_t parent = syntax->kind == PY_NAME ? find_iterator(r->kernel, syntax->text) : GRAPH_NONE;
  if (!is_in_scope(r, parent)) return read_integer(r, syntax, &it->range);
  const GraphIterator *outer = &r->kernel->iterators.data[parent];
  if (!it->is_loop || !outer->tile) return fail(r, syntax->span, NULL, "only a loop cuts the tiles of a grid");
  it->parent = parent;
  it->range = term_min(r->tt, outer->tile, term_sub(r->tt, outer->range, term_mul(r->tt, outer->tile, outer->symbol)));
  return true;
}

static bool finish_iterator(Reader *r, GraphIterator *it, Span span) {
  TermTable *tt = r->tt;
  if (it->tile && !term_prove_lt(tt, tt->zero, it->tile)) return fail(r, span, NULL, "a tile has at least one element");
  if (it->tile) it->count = term_cdiv(tt, it->range, it->tile);
  if (!it->tile && !term_prove_lt(tt, tt->zero, it->count)) return fail(r, span, NULL, "there is at least one tile");
  it->symbol = term_symbol_fresh(tt, it->name, SORT_INT, SYMBOL_INDEX);
  term_symbol_range(tt, it->symbol, tt->zero, term_sub(tt, it->count, tt->one));
  array_push(r->arena, &r->kernel->iterators, *it);
  return true;
}

/* NAME "=" range "/" tile, or NAME "=" count. */
static bool read_iterator(Reader *r, Span span, bool is_loop) {
  GraphIterator it = {.is_loop = is_loop, .parent = GRAPH_NONE};
  Span word, rest = span;
  if (!take_name(r, &rest, &word, &it.name)) return false;
  if (!line_begins(r->source, rest, "=")) return fail(r, span, "write `x = n / 64`, or `x = 8`", "expected '='");
  rest.begin++;
  const PyNode *syntax = python_parse_expression(r->arena, r->source, line_trim(r->source, rest), r->diagnostics);
  if (!syntax) return false;
  bool cuts = syntax->kind == PY_BINARY && !strcmp(syntax->text, "/");
  if (cuts ? !read_range(r, syntax->args[0], &it) || !read_integer(r, syntax->args[1], &it.tile)
           : !read_integer(r, syntax, &it.count))
    return false;
  return finish_iterator(r, &it, span);
}

/* The positions that a tile covers, under the name of its iterator. */
static void bind_positions(Reader *r, uint32_t iterator) {
  GraphIterator *it = &r->kernel->iterators.data[iterator];
  GraphAxis axis = {.count = 1, .iterator = {iterator}};
  Term length = it->range;
  if (!it->tile) return;
  if (it->parent != GRAPH_NONE) length = r->kernel->iterators.data[it->parent].range;
  if (graph_cut_axis(r->graph, r->kernel, &axis, length)) return;
  it->positions = tensor_binary(r->tt, TENSOR_ADD, tensor_const(r->tt, axis.start), tensor_index(r->tt, axis.extent));
  bind(r, it->name, it->positions);
}

static uint32_t steps_made(const Reader *r) { return r->tt->made ? r->tt->made->count : 0; }

static bool open_block(Reader *r, Span line, Span rest) {
  if (r->kernel) return fail(r, line, "end the block before it with `end`", "a block in a block");
  Span word = line_take_word(r->source, &rest);
  GraphKernel kernel = {.name = span_text(r, word), .span = line, .is_block = true, .steps = steps_made(r)};
  if (word.begin == word.end) return fail(r, line, "write `block NAME grid x = n / 64`", "a block has a name");
  array_push(r->arena, &r->graph->kernels, kernel);
  r->kernel = &r->graph->kernels.data[r->graph->kernels.count - 1];
  r->opened = line, r->loop = GRAPH_NONE, r->threads = 0, r->kernel_mark = r->reference.bindings.count;
  if (rest.begin == rest.end) return true;
  if (!line_is(r->source, line_take_word(r->source, &rest), "grid") || rest.begin == rest.end)
    return fail(r, line, "write `block NAME grid x = n / 64`", "expected the grid");
  while (rest.begin < rest.end) {
    Span part = line_take_part(r->source, &rest);
    if (r->kernel->grid == GRAPH_MAX_GRID) return fail(r, part, NULL, "a grid has at most 3 dimensions");
    if (!read_iterator(r, part, false)) return false;
    r->kernel->grid++;
  }
  for (uint32_t i = 0; i < r->kernel->grid; i++) bind_positions(r, i);
  return true;
}

/* ---- maps ---- */

/* start:stop, of an axis of that length; `:` is all of it. */
static bool read_part(Reader *r, const PyNode *syntax, Term length, GraphAxis *axis) {
  const PyNode *start = syntax->args[0], *stop = syntax->args[1];
  Term behind = length;
  axis->first = r->tt->zero;
  if (syntax->args[2]->kind != PY_EMPTY)
    return fail(r, syntax->span, "`:`, an iterator, `x.t` or `x.id`", "a map of an axis has no step");
  if (start->kind == PY_EMPTY && stop->kind == PY_EMPTY) return true;
  if ((start->kind != PY_EMPTY && !read_integer(r, start, &axis->first)) ||
      (stop->kind != PY_EMPTY && !read_integer(r, stop, &behind)))
    return false;
  axis->length = term_sub(r->tt, behind, axis->first);
  return true;
}

/* t + start: what t cuts begins there. */
static bool read_shifted(Reader *r, const PyNode *syntax, GraphAxis *axis) {
  uint32_t at = find_iterator(r->kernel, syntax->args[0]->text);
  if (!is_in_scope(r, at) || !r->kernel->iterators.data[at].tile)
    return fail(r, syntax->args[0]->span, NULL, "only an iterator that cuts a size has a place to begin");
  axis->iterator[axis->count++] = at;
  while (r->kernel->iterators.data[at].parent != GRAPH_NONE) at = r->kernel->iterators.data[at].parent;
  axis->length = r->kernel->iterators.data[at].range;
  return read_integer(r, syntax->args[1], &axis->first);
}

static bool read_axis(Reader *r, const PyNode *syntax, Term length, GraphAxis *axis) {
  const PyNode *outer = syntax->kind == PY_ATTRIBUTE ? syntax->args[0] : syntax;
  bool is_sum = syntax->kind == PY_BINARY && !strcmp(syntax->text, "+");
  if (syntax->kind == PY_SLICE) return read_part(r, syntax, length, axis);
  if (is_sum && syntax->args[0]->kind == PY_NAME) return read_shifted(r, syntax, axis);
  if (outer->kind != PY_NAME)
    return fail(r, syntax->span, "`:`, an iterator, `x.t` or `x.id`", "this is no map of an axis");
  const char *names[2] = {outer->text, syntax->kind == PY_ATTRIBUTE ? syntax->text : NULL};
  axis->is_id = names[1] && !strcmp(names[1], "id");
  for (int i = 0; i < 2 && names[i] && !(i && axis->is_id); i++) {
    axis->iterator[axis->count] = find_iterator(r->kernel, names[i]);
    if (!is_in_scope(r, axis->iterator[axis->count++]))
      return fail(r, syntax->span, NULL, arena_format(r->arena, "%s is no iterator here", names[i]));
  }
  return true;
}

/* NAME "[" axes "]", or NAME alone for a tensor of rank 0 or all of it. */
static bool read_place(Reader *r, Span span, GraphStatement *s) {
  const PyNode *syntax = python_parse_expression(r->arena, r->source, span, r->diagnostics);
  if (!syntax) return false;
  const PyNode *name = syntax->kind == PY_SUBSCRIPT ? syntax->args[0] : syntax,
               *index = syntax->kind == PY_SUBSCRIPT ? syntax->args[1] : NULL;
  const Pointwise *p = r->graph->declared;
  if (name->kind != PY_NAME) return fail(r, span, "write `X[x, :]`", "expected a tensor with a map for each axis");
  while (s->tensor < p->tensors.count && strcmp(p->tensors.data[s->tensor].name, name->text)) s->tensor++;
  if (s->tensor == p->tensors.count) return fail(r, name->span, "declare it", "no tensor has this name");
  const PointwiseTensor *t = &p->tensors.data[s->tensor];
  bool is_list = index && index->kind == PY_TUPLE;
  if (index && (is_list ? index->count : 1) != t->rank)
    return fail(r, index->span, NULL, arena_format(r->arena, "%s has %u axes", t->name, t->rank));
  for (uint32_t k = 0; k < t->rank; k++) {
    const PyNode *axis = !index ? NULL : is_list ? index->args[k] : index;
    if (axis && !read_axis(r, axis, t->extent[k], &s->axes[k])) return false;
    const char *wrong = graph_cut_axis(r->graph, r->kernel, &s->axes[k], t->extent[k]);
    if (wrong) return fail(r, axis ? axis->span : span, NULL, wrong);
  }
  return true;
}

static bool needs_block(Reader *r, Span line) {
  return r->kernel ? true : fail(r, line, "open one with `block NAME grid x = n / 64`", "this line stands in no block");
}

static bool add_statement(Reader *r, GraphStatement s) {
  s.loop = s.kind == GRAPH_LOOP || s.kind == GRAPH_END ? s.loop : r->loop;
  s.thread = r->thread;
  array_push(r->arena, &r->kernel->body, s);
  const char *wrong =
      s.thread ? graph_check_thread(r->graph, r->kernel, r->thread_begin, r->kernel->body.count - 1) : NULL;
  return wrong ? fail(r, s.span, "what threads compute one element at a time", wrong) : true;
}

static bool read_load(Reader *r, Span line, const char *name, Span rest) {
  GraphStatement s = {.kind = GRAPH_LOAD, .name = name, .span = line, .maximum = GRAPH_NONE};
  uint32_t own = r->graph->kernels.count - 1;
  if (!needs_block(r, line) || !read_place(r, rest, &s)) return false;
  GraphTensor *t = &r->graph->tensors.data[s.tensor];
  if ((t->is_written && t->writer == own) || (t->is_temporary && !t->is_written))
    return fail(r, rest, "a kernel sees what earlier kernels have written", "this tensor is not written before");
  graph_define_load(r->graph, &s);
  r->graph->declared->tensors.data[s.tensor].is_read = true;
  bind(r, name, s.leaf);
  return add_statement(r, s);
}

static bool write_tensor(Reader *r, Span line, uint32_t tensor) {
  GraphTensor *t = &r->graph->tensors.data[tensor];
  const PointwiseTensor *p = &r->graph->declared->tensors.data[tensor];
  if (t->is_written) return fail(r, line, NULL, arena_format(r->arena, "%s is written twice", p->name));
  if (p->is_read && !t->is_temporary)
    return fail(r, line, "write to another tensor", arena_format(r->arena, "%s is read before it is written", p->name));
  t->is_written = true, t->writer = r->graph->kernels.count - 1;
  return true;
}

static bool read_save(Reader *r, Span line, Span rest) {
  GraphStatement s = {.kind = GRAPH_SAVE, .span = line, .maximum = GRAPH_NONE, .loop = r->loop};
  uint32_t at = line_find_assignment(r->source, rest);
  if (!needs_block(r, line)) return false;
  if (at == rest.end) return fail(r, line, "write `save Y[x, y] = value`", "expected '='");
  s.adds = at > rest.begin && r->source->text[at - 1] == '+';
  Span place = line_trim(r->source, (Span){rest.begin, at - s.adds}),
       value = line_trim(r->source, (Span){at + 1, rest.end});
  if (!read_place(r, place, &s)) return false;
  for (uint32_t k = 0; k < POINTWISE_MAX_RANK; k++)
    if (s.axes[k].length) return fail(r, place, NULL, "what is saved covers its axes");
  if (!(s.value = read_expression(r, value)) || !write_tensor(r, place, s.tensor)) return false;
  const char *wrong = graph_define_save(r->graph, r->kernel, &s);
  if (wrong) return fail(r, line, NULL, wrong);
  return add_statement(r, s);
}

/* ---- accumulators ---- */

static bool read_option(Reader *r, const PyNode *option, GraphStatement *s) {
  const PyNode *value = option->args[0];
  bool is_concat = s->accumulator == GRAPH_CONCAT;
  if (is_concat && !strcmp(option->text, "axis") && value->kind == PY_NUMBER && strlen(value->text) == 1) {
    s->axis = (uint8_t)(value->text[0] - '0');
    return true;
  }
  if (s->accumulator != GRAPH_SUM || strcmp(option->text, "rescale") || value->kind != PY_NAME)
    return fail(r, option->span, "sum(value, rescale=m), concat(value, axis=k)", "accumulators have no such option");
  for (uint32_t i = 0; i < r->kernel->body.count; i++) {
    const GraphStatement *m = &r->kernel->body.data[i];
    if (m->kind == GRAPH_ACCUMULATE && m->accumulator == GRAPH_MAX && m->loop == r->loop &&
        !strcmp(m->name, value->text))
      s->maximum = i;
  }
  return s->maximum != GRAPH_NONE ? true : fail(r, value->span, NULL, "this is no running maximum of the loop");
}

static bool read_accumulate(Reader *r, Span line, const char *name, Span rest) {
  static const char *const names[] = {"sum", "max", "min", "concat"};
  static const char *const help = "write `a = accumulate sum(value)`; sum, max, min or concat";
  GraphStatement s = {.kind = GRAPH_ACCUMULATE, .name = name, .span = line, .maximum = GRAPH_NONE, .loop = r->loop};
  if (!needs_block(r, line)) return false;
  if (r->loop == GRAPH_NONE) return fail(r, line, NULL, "an accumulator stands in a loop");
  const PyNode *call = python_parse_expression(r->arena, r->source, rest, r->diagnostics);
  if (!call) return false;
  if (call->kind != PY_CALL || call->args[0]->kind != PY_NAME || call->count < 2 || call->args[1]->kind == PY_KEYWORD)
    return fail(r, rest, help, "this is no accumulator");
  uint32_t op = 0;
  while (op < 4 && strcmp(names[op], call->args[0]->text)) op++;
  if (op == 4) return fail(r, call->args[0]->span, help, "this is no accumulator");
  s.accumulator = (GraphAccumulator)op;
  for (uint32_t i = 2; i < call->count; i++)
    if (call->args[i]->kind != PY_KEYWORD ? !fail(r, call->args[i]->span, help, "this is no accumulator")
                                          : !read_option(r, call->args[i], &s))
      return false;
  if (!(s.value = read_value(r, call->args[1]))) return false;
  const char *wrong = graph_define_accumulator(r->graph, r->kernel, &s);
  if (wrong) return fail(r, call->args[1]->span, NULL, wrong);
  if (s.running) bind(r, name, s.running);
  return add_statement(r, s);
}

static bool open_loop(Reader *r, Span line, Span rest) {
  if (!needs_block(r, line)) return false;
  if (r->loop != GRAPH_NONE) return fail(r, line, NULL, "a loop in a loop");
  if (r->thread) return fail(r, line, NULL, "a loop in a thread graph");
  r->loop_mark = r->reference.bindings.count;
  if (!read_iterator(r, rest, true)) return false;
  r->loop = r->kernel->iterators.count - 1, r->opened = line;
  bind_positions(r, r->loop);
  return add_statement(r, (GraphStatement){.kind = GRAPH_LOOP, .span = line, .loop = r->loop, .maximum = GRAPH_NONE});
}

static bool open_thread(Reader *r, Span line) {
  if (!needs_block(r, line)) return false;
  if (r->thread) return fail(r, line, NULL, "a thread graph in a thread graph");
  r->thread = ++r->threads, r->thread_begin = r->kernel->body.count;
  return true;
}

/* What was named in the loop is gone; accumulators stand for what they are in the end. */
static void close_loop(Reader *r, Span line) {
  uint32_t loop = r->loop;
  r->reference.bindings.count = r->loop_mark;
  r->loop = GRAPH_NONE;
  add_statement(r, (GraphStatement){.kind = GRAPH_END, .span = line, .loop = loop, .maximum = GRAPH_NONE});
  for (uint32_t i = 0; i < r->kernel->body.count; i++) {
    const GraphStatement *s = &r->kernel->body.data[i];
    if (s->kind == GRAPH_ACCUMULATE && s->loop == loop) bind(r, s->name, s->leaf);
  }
}

static bool read_end(Reader *r, Span line) {
  if (!r->kernel) return fail(r, line, NULL, "there is nothing to end");
  if (r->thread) return r->thread = 0, true;
  if (r->loop != GRAPH_NONE) return close_loop(r, line), true;
  r->reference.bindings.count = r->kernel_mark;
  r->kernel = NULL;
  return true;
}

/* ---- lines ---- */

/* A kernel that is one operation on whole tensors. */
static bool read_operation(Reader *r, Span line, Span word, Span value) {
  GraphStatement s = {.kind = GRAPH_SAVE, .span = line, .maximum = GRAPH_NONE, .loop = GRAPH_NONE};
  const Pointwise *p = r->graph->declared;
  GraphKernel kernel = {.name = span_text(r, word), .span = line, .steps = steps_made(r)};
  while (s.tensor < p->tensors.count && strcmp(p->tensors.data[s.tensor].name, kernel.name)) s.tensor++;
  if (s.tensor == p->tensors.count)
    return fail(r, word, "declare it: `tensor` for an output, `temporary` for what the next kernels read",
                "outside of blocks, what is assigned are tensors");
  array_push(r->arena, &r->graph->kernels, kernel);
  GraphKernel *own = &r->graph->kernels.data[r->graph->kernels.count - 1];
  if (!(s.value = read_expression(r, value)) || !write_tensor(r, word, s.tensor)) return false;
  for (uint32_t k = 0; k < p->tensors.data[s.tensor].rank; k++)
    graph_cut_axis(r->graph, own, &s.axes[k], p->tensors.data[s.tensor].extent[k]);
  const char *wrong = graph_define_save(r->graph, own, &s);
  if (wrong) return fail(r, line, NULL, wrong);
  array_push(r->arena, &own->body, s);
  return true;
}

static bool read_assignment(Reader *r, Span line) {
  uint32_t at = line_find_assignment(r->source, line);
  Span left = line_trim(r->source, (Span){line.begin, at}), rest = line_trim(r->source, (Span){at + 1, line.end}),
       word = left;
  const char *name;
  if (at == line.end) return fail(r, line, "docs/graph.md has the grammar", "this line is none of a graph");
  word = line_take_word(r->source, &left);
  if (left.begin != left.end) return fail(r, left, NULL, "expected a name on the left");
  if (!r->kernel) return read_operation(r, line, word, rest);
  left = word;
  if (!take_name(r, &left, &word, &name)) return false;
  Span after = rest, verb = line_take_word(r->source, &after);
  bool is_verb = after.begin < after.end && line_is_word(r->source->text[after.begin]);
  if (is_verb && line_is(r->source, verb, "load")) return read_load(r, line, name, after);
  if (is_verb && line_is(r->source, verb, "accumulate")) return read_accumulate(r, line, name, after);
  GraphStatement s = {.kind = GRAPH_LET, .name = name, .span = line, .maximum = GRAPH_NONE};
  if (!(s.value = read_expression(r, rest))) return false;
  bind(r, name, s.value);
  return add_statement(r, s);
}

static bool read_line(Reader *r, Span line) {
  Span rest = line, word = line_take_word(r->source, &rest);
  bool is_verb = rest.begin == rest.end || line_is_word(r->source->text[rest.begin]);
  guard_tick(r->arena->guard);
  if (is_declaration(r->source, line)) return line_is(r->source, word, "temporary") ? read_temporary(r, line) : true;
  if (is_verb && line_is(r->source, word, "block")) return open_block(r, line, rest);
  if (is_verb && line_is(r->source, word, "loop")) return open_loop(r, line, rest);
  if (is_verb && line_is(r->source, word, "thread") && rest.begin == rest.end) return open_thread(r, line);
  if (is_verb && line_is(r->source, word, "save")) return read_save(r, line, rest);
  if (is_verb && line_is(r->source, word, "end") && rest.begin == rest.end) return read_end(r, line);
  return read_assignment(r, line);
}

/* ---- files ---- */

static bool check_written(Reader *r) {
  const Pointwise *p = r->graph->declared;
  bool some = false;
  if (r->kernel)
    return fail(r, r->loop != GRAPH_NONE ? r->opened : r->kernel->span, "close it with `end`", "this is not ended");
  for (uint32_t i = 0; i < p->tensors.count; i++) {
    const GraphTensor *t = &r->graph->tensors.data[i];
    if (t->is_temporary && !t->is_written)
      return fail(r, (Span){0, 0}, NULL, arena_format(r->arena, "no kernel writes %s", p->tensors.data[i].name));
    some |= t->is_written && !t->is_temporary;
  }
  return some ? true : fail(r, (Span){0, 0}, "save a tensor that is declared with `tensor`", "the graph has no output");
}

static bool read_header(Reader *r, uint32_t *at) {
  Span line = {0, 0};
  while (*at < r->source->size && line.begin == line.end) line = line_next(r->source, at);
  line_take_word(r->source, &line);
  Span word = line_take_word(r->source, &line);
  if (word.begin == word.end || line.begin != line.end) return fail(r, line, NULL, "write `graph NAME` first");
  r->graph->name = span_text(r, word);
  return true;
}

bool graph_is_one(const Source *source) {
  uint32_t at = 0;
  while (at < source->size) {
    Span line = line_next(source, &at);
    if (line.begin == line.end) continue;
    return line_is(source, line_take_word(source, &line), "graph");
  }
  return false;
}

Graph *graph_read(Arena *arena, TermTable *tt, const Source *source, DiagnosticList *diagnostics) {
  Reader r = {.arena = arena, .tt = tt, .source = source, .diagnostics = diagnostics, .loop = GRAPH_NONE};
  uint32_t at = 0, errors = diagnostics->error_count;
  r.graph = arena_new(arena, Graph);
  r.reference = (Reference){.arena = arena, .tt = tt, .source = (Source *)source, .diagnostics = diagnostics};
  if (memchr(source->text, 0, source->size)) return fail(&r, (Span){0, 0}, NULL, "a NUL byte in the text"), NULL;
  if (!read_header(&r, &at) || !read_declarations(&r)) return NULL;
  while (at < source->size) {
    Span line = line_next(source, &at);
    if (line.begin != line.end && !read_line(&r, line)) return NULL;
  }
  if (!check_written(&r) || diagnostics->error_count != errors) return NULL;
  graph_finish(r.graph);
  return r.graph;
}

bool graph_is_row_major(const Graph *graph, uint32_t tensor) {
  const uint8_t *order = graph->tensors.data[tensor].order;
  bool is_one = true;
  for (uint32_t k = 0; k < graph->declared->tensors.data[tensor].rank; k++) is_one &= order[k] == k;
  return is_one;
}

/* Both have their elements in one order. */
uint32_t graph_view_of(const Graph *graph, const GraphKernel *kernel) {
  const GraphStatement *s = kernel->body.data;
  if (kernel->is_block || kernel->body.count != 1 || s->value->op != TENSOR_RESHAPE) return GRAPH_NONE;
  if (!graph_is_row_major(graph, s->tensor)) return GRAPH_NONE;
  for (uint32_t i = 0; i < graph->tensors.count; i++)
    if (s->value->args[0]->op == TENSOR_INPUT && graph->declared->tensors.data[i].symbol == s->value->args[0]->symbol)
      return !graph_is_row_major(graph, i) ||
                     strcmp(graph->declared->tensors.data[i].dtype, graph->declared->tensors.data[s->tensor].dtype)
                 ? GRAPH_NONE
                 : i;
  return GRAPH_NONE;
}

uint32_t graph_first_adder(const Graph *graph, uint32_t tensor) {
  for (uint32_t k = 0; k < graph->kernels.count; k++)
    for (uint32_t i = 0; i < graph->kernels.data[k].body.count; i++) {
      const GraphStatement *s = &graph->kernels.data[k].body.data[i];
      if (s->kind == GRAPH_SAVE && s->adds && s->tensor == tensor) return k;
    }
  return GRAPH_NONE;
}
