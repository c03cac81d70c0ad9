/* Graphs as SVG (svg.h): tensors stand at the left, those that are written at the right; kernels follow one another
 * downwards, each a box with a row for each line, loops and thread graphs as boxes within. Lines lead from tensors to
 * their loads, from values to what is computed of them, and from saves to tensors. */
#include "emit/svg.h"

#include <string.h>

enum {
  ROW = 26,
  HEAD = 30,
  GAP = 24,
  LETTER = 7, /* pixels of a letter */
  MARGIN = 20
};

typedef struct Svg {
  Arena *arena;
  const Graph *graph;
  const Source *source;
  Text boxes, lines;
  uint32_t width, tensor_width; /* of kernels, of tensors */
  uint32_t *at;                 /* y of each statement of the kernel at hand */
} Svg;

static void escape(Text *out, const char *text, size_t size) {
  for (size_t i = 0; i < size; i++) {
    if (text[i] == '<')
      text_add(out, "&lt;");
    else if (text[i] == '>')
      text_add(out, "&gt;");
    else if (text[i] == '&')
      text_add(out, "&amp;");
    else if (text[i] == '"')
      text_add(out, "&quot;");
    else
      text_char(out, (unsigned char)text[i] < 32 ? ' ' : text[i]);
  }
}

static void box(Svg *s, const char *kind, uint32_t x, uint32_t y, uint32_t width, uint32_t height) {
  text_format(&s->boxes, "<rect class=\"%s\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" rx=\"4\"/>\n", kind, x, y,
              width, height);
}

static void label(Svg *s, const char *kind, uint32_t x, uint32_t y, const char *text, size_t size) {
  text_format(&s->boxes, "<text class=\"%s\" x=\"%u\" y=\"%u\">", kind, x, y);
  escape(&s->boxes, text, size);
  text_add(&s->boxes, "</text>\n");
}

static void connect(Svg *s, const char *kind, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1) {
  uint32_t bend = kind[0] == 'u' ? x0 - 16 - (y1 > y0 ? y1 - y0 : 0) / 12 % 60 : (x0 + x1) / 2;
  text_format(&s->lines, "<path class=\"%s\" d=\"M %u %u C %u %u %u %u %u %u\"/>\n", kind, x0, y0, bend, y0, bend, y1,
              x1, y1);
}

/* ---- tensors ---- */

static uint32_t tensor_y(uint32_t tensor) { return MARGIN + tensor * (2 * ROW + 8); }

static const char *shape_of(const Svg *s, uint32_t tensor) {
  const PointwiseTensor *t = &s->graph->declared->tensors.data[tensor];
  Text shape = text_new(s->arena);
  text_format(&shape, "%s [", t->dtype);
  for (uint32_t k = 0; k < t->rank; k++)
    text_format(&shape, "%s%s", k ? ", " : "", term_text(s->graph->declared->tt, t->extent[k]));
  text_char(&shape, ']');
  for (uint32_t k = 0; k < t->rank && !graph_is_row_major(s->graph, tensor); k++)
    text_format(&shape, "%s%u%s", k ? ", " : " layout [", s->graph->tensors.data[tensor].order[k],
                k + 1 == t->rank ? "]" : "");
  return text_string(&shape);
}

static uint32_t left(const Svg *s) { return MARGIN + s->tensor_width + 100; }

static uint32_t right(const Svg *s) { return left(s) + s->width + 100; }

static void add_tensors(Svg *s) {
  const Pointwise *p = s->graph->declared;
  for (uint32_t i = 0; i < p->tensors.count; i++) {
    const PointwiseTensor *t = &p->tensors.data[i];
    const char *shape = shape_of(s, i);
    uint32_t x = s->graph->tensors.data[i].is_written ? right(s) : MARGIN;
    box(s, s->graph->tensors.data[i].is_temporary ? "temporary" : "tensor", x, tensor_y(i), s->tensor_width, 2 * ROW);
    label(s, "name", x + 10, tensor_y(i) + 20, t->name, strlen(t->name));
    label(s, "shape", x + 10, tensor_y(i) + 40, shape, strlen(shape));
  }
}

/* ---- statements ---- */

static bool uses(const TensorExpr *e, const GraphStatement *of) {
  bool found = e == of->leaf || e == of->running || (of->kind == GRAPH_LET && e == of->value);
  if (!found && e->op == TENSOR_IDIOM) found = uses(e->plain, of);
  for (uint32_t i = 0; i < e->count && !found; i++) found = uses(e->args[i], of);
  return found;
}

static void connect_statement(Svg *s, const GraphKernel *k, uint32_t i) {
  const GraphStatement *to = &k->body.data[i];
  uint32_t y = s->at[i] - 5, x = left(s) + (to->loop == GRAPH_NONE ? 10 : 24);
  if (to->kind == GRAPH_LOAD) {
    bool made = s->graph->tensors.data[to->tensor].is_written;
    uint32_t end = made ? left(s) + s->width : x;
    connect(s, "load", made ? right(s) : MARGIN + s->tensor_width, tensor_y(to->tensor) + ROW, end, y);
  }
  if (to->kind == GRAPH_SAVE) connect(s, "save", left(s) + s->width, y, right(s), tensor_y(to->tensor) + ROW);
  for (uint32_t from = 0; from < i && to->value; from++)
    if ((k->body.data[from].leaf || k->body.data[from].kind == GRAPH_LET) && uses(to->value, &k->body.data[from]))
      connect(s, "use", x, s->at[from] - 5, x, y);
}

static size_t line_of(const Svg *s, Span span, const char **text) {
  *text = s->source->text + span.begin;
  return span.end - span.begin;
}

/* Returns the y below it. */
static uint32_t add_kernel(Svg *s, const GraphKernel *k, uint32_t y) {
  const char *text;
  size_t size = line_of(s, k->span, &text);
  uint32_t top = y, loop = 0, thread = 0;
  s->at = arena_array(s->arena, uint32_t, k->body.count + 1);
  if (k->is_block) label(s, "head", left(s) + 10, y + 20, text, size);
  y += HEAD;
  for (uint32_t i = 0; i < k->body.count; i++, y += ROW) {
    const GraphStatement *st = &k->body.data[i];
    bool inner = st->loop != GRAPH_NONE && st->kind != GRAPH_LOOP;
    s->at[i] = y + 10;
    if (st->thread && (!i || st[-1].thread != st->thread)) thread = y - 6;
    if (st->thread && (i + 1 == k->body.count || st[1].thread != st->thread))
      box(s, "thread", left(s) + (inner ? 24 : 10), thread, s->width - (inner ? 36 : 20), y + ROW - 8 - thread);
    if (st->kind == GRAPH_LOOP) loop = y - 8;
    if (st->kind == GRAPH_END) box(s, "loop", left(s) + 6, loop, s->width - 12, y - loop - 8);
    if (st->kind == GRAPH_END) continue;
    size = line_of(s, st->span, &text);
    label(s, st->kind == GRAPH_LOOP ? "head" : "line", left(s) + (inner ? 30 : 16), s->at[i], text, size);
  }
  box(s, "kernel", left(s), top, s->width, y - top);
  for (uint32_t i = 0; i < k->body.count; i++) connect_statement(s, k, i);
  return y + GAP;
}

static uint32_t widest(const Svg *s) {
  size_t most = 30;
  for (uint32_t i = 0; i < s->graph->kernels.count; i++) {
    const GraphKernel *k = &s->graph->kernels.data[i];
    for (uint32_t n = 0; n <= k->body.count; n++) {
      Span span = n ? k->body.data[n - 1].span : k->span;
      if (span.end - span.begin > most) most = span.end - span.begin;
    }
  }
  return (uint32_t)most * LETTER + 60;
}

const char *emit_svg_text(Arena *arena, const Graph *graph, const Source *source) {
  Svg s = {.arena = arena, .graph = graph, .source = source, .boxes = text_new(arena), .lines = text_new(arena)};
  Text out = text_new(arena);
  uint32_t y = MARGIN, below = tensor_y(graph->declared->tensors.count);
  s.width = widest(&s), s.tensor_width = 120;
  for (uint32_t i = 0; i < graph->declared->tensors.count; i++) {
    uint32_t own = (uint32_t)strlen(shape_of(&s, i)) * LETTER + 20;
    if (own > s.tensor_width) s.tensor_width = own;
  }
  add_tensors(&s);
  for (uint32_t i = 0; i < graph->kernels.count; i++) y = add_kernel(&s, &graph->kernels.data[i], y);
  text_format(&out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\">\n<title>",
              right(&s) + s.tensor_width + MARGIN, (y > below ? y : below) + MARGIN);
  escape(&out, graph->name, strlen(graph->name));
  text_add(&out,
           "</title>\n<style>rect { fill: none; stroke: #444 } .tensor { fill: #dbe9f6 } .temporary { fill: #fdf3d0 } "
           ".loop { stroke-dasharray: 5 3 } .thread { stroke: #5a8f4d } "
           "text { font: 12px monospace } .head, .name { font-weight: bold } "
           "path { fill: none; stroke: #888 } .load { stroke: #3572a5 } .save { stroke: #a54435 }</style>\n");
  text_append(&out, text_string(&s.lines), s.lines.count);
  text_append(&out, text_string(&s.boxes), s.boxes.count);
  text_add(&out, "</svg>\n");
  return text_string(&out);
}
