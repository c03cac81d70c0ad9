/* The Triton module of a graph: imports, a kernel for each block graph, a host function.
 *
 * Tensors are contiguous: rows of an axis are as far apart as the axes behind it (in its layout) are long, so that
 * kernels take the sizes and no strides. The host function has the inputs as keywords, finds sizes in their shapes,
 * launches the kernels in order, and returns a dict of the outputs. */
#include "emit/triton_internal.h"

#include <string.h>

typedef Array(Term) Sizes;

static void line(Triton *w, const char *text) { text_format(&w->out, "%s%s\n", w->indent, text); }

static const char *pointer(Triton *w, const char *tensor) {
  size_t n = strlen(tensor);
  return n > 4 && !strcmp(tensor + n - 4, "_ptr") ? tensor : arena_format(w->arena, "%s_ptr", tensor);
}

static const PointwiseTensor *tensor_at(const Triton *w, uint32_t i) { return &w->graph->declared->tensors.data[i]; }

/* ---- iterators ---- */

/* The length of the tile of an iterator whose tiles another one cuts. */
static const char *range_text(Triton *w, const GraphKernel *k, const GraphIterator *it) {
  if (it->parent == GRAPH_NONE) return triton_integer(w, it->range);
  const GraphIterator *outer = &k->iterators.data[it->parent];
  return arena_format(w->arena, "tl.minimum(%s, %s - %s * %s)", triton_integer(w, outer->tile), range_text(w, k, outer),
                      outer->name, triton_integer(w, outer->tile));
}

/* How many tiles of a tile; 0: they do not fit into it evenly. Then each of the larger tiles has as many, masked. */
static int64_t tiles_of_tile(Triton *w, const GraphKernel *k, const GraphIterator *it) {
  int64_t whole, own;
  bool known = it->parent != GRAPH_NONE && term_is_int(w->tt, k->iterators.data[it->parent].tile, &whole) &&
               term_is_int(w->tt, it->tile, &own);
  return known && whole % own == 0 ? whole / own : 0;
}

static const char *count_text(Triton *w, const GraphKernel *k, const GraphIterator *it) {
  if (!it->tile) return triton_integer(w, it->count);
  if (it->tile == w->tt->one) return range_text(w, k, it); /* single elements have no mask */
  if (tiles_of_tile(w, k, it)) return arena_format(w->arena, "%ld", (long)tiles_of_tile(w, k, it));
  return arena_format(w->arena, "tl.cdiv(%s, %s)", range_text(w, k, it), triton_integer(w, it->tile));
}

/* Where the tile of an iterator begins on its whole axis. */
static const char *start_text(Triton *w, const GraphKernel *k, const GraphIterator *it) {
  const char *own = arena_format(w->arena, "%s * %s", it->name, triton_integer(w, it->tile));
  if (it->parent == GRAPH_NONE) return own;
  return arena_format(w->arena, "%s + %s", start_text(w, k, &k->iterators.data[it->parent]), own);
}

static const GraphIterator *root_of(const GraphKernel *k, const GraphIterator *it) {
  while (it->parent != GRAPH_NONE) it = &k->iterators.data[it->parent];
  return it;
}

/* Lanes, positions and mask of an iterator's tiles. */
static void open_iterator(Triton *w, const GraphKernel *k, const GraphIterator *it) {
  int64_t tile;
  if (!it->tile) return;
  if (!term_is_int(w->tt, it->tile, &tile)) {
    w->unsupported = "a tile whose length is no number";
    return;
  }
  if (tile == 1) { /* an axis of one lane is none */
    TritonValue v = {.text = start_text(w, k, it)};
    if (it->positions) array_push(w->arena, &w->bounds, (TritonBound){it->positions, v});
    return;
  }
  Term inner = term_min(w->tt, it->tile, term_sub(w->tt, it->range, term_mul(w->tt, it->tile, it->symbol)));
  int64_t lanes = 1;
  while (lanes < tile) lanes *= 2;
  const char *last = it->parent == GRAPH_NONE ? triton_integer(w, it->range) : "";
  const char *limit = it->parent == GRAPH_NONE  ? last
                      : tiles_of_tile(w, k, it) ? triton_integer(w, root_of(k, it)->range)
                                                : arena_format(w->arena, "tl.minimum(%s + %s, %s)",
                                                               start_text(w, k, &k->iterators.data[it->parent]),
                                                               triton_integer(w, k->iterators.data[it->parent].tile),
                                                               triton_integer(w, root_of(k, it)->range));
  line(w, arena_format(w->arena, "offs_%s = %s + tl.arange(0, %ld)", it->name, start_text(w, k, it), (long)lanes));
  TritonDim d = {.extent = inner, .size = arena_format(w->arena, "%ld", (long)lanes), .least = lanes};
  if (inner != it->tile || lanes != tile) {
    d.mask = arena_format(w->arena, "mask_%s", it->name);
    line(w, arena_format(w->arena, "%s = offs_%s < %s", d.mask, it->name, limit));
    if (lanes != tile)
      line(w, arena_format(w->arena, "%s &= tl.arange(0, %ld) < %ld", d.mask, (long)lanes, (long)tile));
  }
  array_push(w->arena, &w->dims, d);
  if (it->positions) {
    TritonValue v = {.text = arena_format(w->arena, "offs_%s", it->name), .rank = 1, .dims = {inner}};
    array_push(w->arena, &w->bounds, (TritonBound){it->positions, v});
  }
}

/* ---- places in memory ---- */

/* The index within what is cut: a scalar, or a vector of lanes. */
static const char *own_index_text(Triton *w, const GraphKernel *k, const GraphAxis *axis) {
  const char *size = axis->extent == w->tt->one ? NULL : triton_dim(w, axis->extent)->size;
  if (!axis->count) return size ? arena_format(w->arena, "tl.arange(0, %s)", size) : "0";
  const GraphIterator *it = &k->iterators.data[axis->iterator[axis->count - 1]];
  if (axis->is_id) return it->name;
  if (axis->count == 1 && it->tile && size) return arena_format(w->arena, "offs_%s", it->name);
  if (it->tile && it->parent != GRAPH_NONE && size) return arena_format(w->arena, "offs_%s", it->name);
  Text text = text_new(w->arena);
  for (uint32_t i = 0; i < axis->count; i++) {
    const GraphIterator *at = &k->iterators.data[axis->iterator[i]];
    bool one = axis->tile[i] == w->tt->one;
    text_format(&text, one ? "%s%s" : "%s%s * %s", i ? " + " : "", at->name, triton_integer(w, axis->tile[i]));
  }
  return size ? arena_format(w->arena, "(%s + tl.arange(0, %s))", text_string(&text), size)
         : axis->count == 1 && axis->tile[0] == w->tt->one ? text_string(&text)
                                                           : arena_format(w->arena, "(%s)", text_string(&text));
}

/* The index along one axis. */
static const char *index_text(Triton *w, const GraphKernel *k, const GraphAxis *axis) {
  const char *own = own_index_text(w, k, axis);
  if (!axis->length || axis->first == w->tt->zero) return own;
  const char *first = triton_integer(w, axis->first);
  return strcmp(own, "0") ? arena_format(w->arena, "(%s + %s)", first, own) : arena_format(w->arena, "(%s)", first);
}

typedef struct Place {
  const char *offset, *mask; /* mask NULL: everywhere */
  TritonValue shape;
} Place;

static const char *at_axis(Triton *w, const char *text, uint32_t axis, uint32_t rank) {
  Text index = text_new(w->arena);
  if (rank < 2) return text;
  for (uint32_t i = 0; i < rank; i++) text_format(&index, "%s%s", i ? ", " : "", i == axis ? ":" : "None");
  return arena_format(w->arena, "%s[%s]", text, text_string(&index));
}

static const char *stride_text(Triton *w, uint32_t tensor, uint32_t axis) {
  const PointwiseTensor *t = tensor_at(w, tensor);
  const uint8_t *order = w->graph->tensors.data[tensor].order;
  Term stride = w->tt->one;
  for (uint32_t i = t->rank; i-- > 0 && order[i] != axis;) stride = term_mul(w->tt, stride, t->extent[order[i]]);
  if (stride == w->tt->one) return NULL;
  const char *text = triton_integer(w, stride);
  return strpbrk(text, "+-") ? arena_format(w->arena, "(%s)", text) : text;
}

static Place place_of(Triton *w, const GraphKernel *k, const GraphStatement *s) {
  const PointwiseTensor *t = tensor_at(w, s->tensor);
  Place out = {0};
  Text offset = text_new(w->arena), mask = text_new(w->arena);
  for (uint32_t i = 0; i < t->rank; i++)
    if (s->axes[i].extent != w->tt->one) out.shape.dims[out.shape.rank++] = s->axes[i].extent;
  for (uint32_t i = 0, live = 0; i < t->rank; i++) {
    bool is_live = s->axes[i].extent != w->tt->one;
    const char *index = index_text(w, k, &s->axes[i]), *stride = stride_text(w, s->tensor, i);
    const char *own = is_live ? triton_dim(w, s->axes[i].extent)->mask : NULL;
    if (is_live) index = at_axis(w, index, live, out.shape.rank);
    if (strcmp(index, "0"))
      text_format(&offset, stride ? "%s%s * %s" : "%s%s", offset.count ? " + " : "", index, stride);
    if (own) text_format(&mask, "%s%s", mask.count ? " & " : "", at_axis(w, own, live, out.shape.rank));
    if (own) out.shape.zero |= 1u << live;
    live += is_live;
  }
  out.offset = offset.count ? text_string(&offset) : NULL;
  out.mask = mask.count ? text_string(&mask) : NULL;
  return out;
}

static const char *address(Triton *w, const GraphStatement *s, const Place *place) {
  const char *base = pointer(w, tensor_at(w, s->tensor)->name);
  return place->offset ? arena_format(w->arena, "%s + %s", base, place->offset) : base;
}

/* ---- statements ---- */

static void bind_value(Triton *w, const TensorExpr *e, TritonValue v) {
  array_push(w->arena, &w->bounds, (TritonBound){e, v});
}

/* How often the leaf stands in e; `divides`: of those times, how often as what is divided by. */
static uint32_t count_uses(const TensorExpr *e, const TensorExpr *leaf, bool is_divisor, uint32_t *divides) {
  uint32_t count = e == leaf;
  bool moves = e->op == TENSOR_EXPAND || e->op == TENSOR_SQUEEZE || e->op == TENSOR_TRANSPOSE;
  *divides += e == leaf && is_divisor;
  for (uint32_t i = 0; i < e->count; i++)
    count += count_uses(e->args[i], leaf, e->op == TENSOR_DIV ? i == 1 : moves && is_divisor, divides);
  return count;
}

/* The kernel divides by the tile, and does nothing else with it: so 1 beyond the ends, where 0 / 0 is no number. */
static bool is_divisor(const GraphKernel *k, const TensorExpr *leaf) {
  uint32_t uses = 0, divides = 0;
  for (uint32_t i = 0; i < k->body.count; i++)
    if (k->body.data[i].value) uses += count_uses(k->body.data[i].value, leaf, false, &divides);
  return uses && uses == divides;
}

static void emit_load(Triton *w, const GraphKernel *k, const GraphStatement *s) {
  Place place = place_of(w, k, s);
  const char *dtype = tensor_at(w, s->tensor)->dtype;
  bool divides = is_divisor(k, s->leaf);
  const char *text = arena_format(w->arena, "%s = tl.load(%s", s->name, address(w, s, &place));
  if (place.mask) text = arena_format(w->arena, "%s, mask=%s, other=%s", text, place.mask, divides ? "1.0" : "0.0");
  line(w, arena_format(w->arena, "%s)", text));
  if (divides) place.shape.zero = 0;
  TritonValue v = place.shape;
  v.text = s->name, v.raw = tensor_at(w, s->tensor)->sort == SORT_REAL ? dtype : NULL;
  if (!v.rank) v = triton_float(w, v), v.raw = NULL;
  bind_value(w, s->leaf, v);
}

static void emit_let(Triton *w, const GraphStatement *s) {
  TritonValue v = triton_value(w, s->value);
  line(w, arena_format(w->arena, "%s = %s", s->name, triton_bare(w, v.text)));
  v.text = s->name;
  bind_value(w, s->value, v);
}

static const char *shape_text(Triton *w, const TritonValue *v) {
  Text text = text_new(w->arena);
  for (uint32_t i = 0; i < v->rank; i++) text_format(&text, "%s%s", i ? ", " : "", triton_dim(w, v->dims[i])->size);
  if (v->rank == 1) text_add(&text, ",");
  return text_string(&text);
}

static TritonValue shape_of(Triton *w, const TensorExpr *e) {
  TritonValue v = {0};
  for (uint32_t i = 0; i < e->rank; i++)
    if (e->shape[i] != w->tt->one) v.dims[v.rank++] = e->shape[i];
  return v;
}

/* Before the loop. */
static void start_accumulator(Triton *w, const GraphStatement *s) {
  bool is_concat = s->accumulator == GRAPH_CONCAT, is_zero = is_concat || s->accumulator == GRAPH_SUM;
  TritonValue v = shape_of(w, is_concat ? s->leaf : s->value);
  const char *first = is_zero ? "0.0" : s->accumulator == GRAPH_MAX ? "float(\"-inf\")" : "float(\"inf\")";
  if (!v.rank)
    line(w, arena_format(w->arena, "%s = %s", s->name, first));
  else if (is_zero)
    line(w, arena_format(w->arena, "%s = tl.zeros((%s), dtype=tl.float32)", s->name, shape_text(w, &v)));
  else
    line(w, arena_format(w->arena, "%s = tl.full((%s), %s, dtype=tl.float32)", s->name, shape_text(w, &v), first));
}

static bool rescales(const GraphKernel *k, uint32_t maximum) {
  for (uint32_t i = 0; i < k->body.count; i++)
    if (k->body.data[i].kind == GRAPH_ACCUMULATE && k->body.data[i].maximum == maximum) return true;
  return false;
}

static void emit_extremum(Triton *w, const GraphKernel *k, uint32_t i, const char *value) {
  const GraphStatement *s = &k->body.data[i];
  const char *name = s->accumulator == GRAPH_MAX ? "maximum" : "minimum";
  if (!rescales(k, i)) {
    line(w, arena_format(w->arena, "%s = tl.%s(%s, %s)", s->name, name, s->name, value));
    return;
  }
  line(w, arena_format(w->arena, "%s_before = %s", s->name, s->name));
  line(w, arena_format(w->arena, "%s = tl.%s(%s, %s)", s->name, name, s->name, value));
  line(w, arena_format(w->arena, "%s_scale = tl.exp(%s_before - %s)", s->name, s->name, s->name));
}

/* Lanes of the tile at hand, among those of the axis that its tiles are put together to. */
static void emit_concat(Triton *w, const GraphKernel *k, const GraphStatement *s) {
  const GraphIterator *it = &k->iterators.data[s->loop];
  TritonValue v = triton_float(w, triton_value(w, s->value)), whole = shape_of(w, s->leaf);
  Text at = text_new(w->arena), shape = text_new(w->arena);
  uint32_t axis = 0;
  int64_t tile = 1;
  bool is_tile = term_is_int(w->tt, it->tile, &tile) && !(tile & (tile - 1)) && it->parent == GRAPH_NONE;
  if (!is_tile || s->value->sort != SORT_REAL || s->leaf->shape[s->axis] == w->tt->one)
    w->unsupported = "an accumulator that concatenates other tiles than numbers of a power of two";
  for (uint32_t i = 0; i < s->axis; i++) axis += s->leaf->shape[i] != w->tt->one;
  for (uint32_t i = 0; i < whole.rank && !w->unsupported; i++) {
    const char *size = triton_dim(w, whole.dims[i])->size, *comma = i ? ", " : "";
    if (i != axis)
      text_format(&shape, "%s%s", comma, size), text_format(&at, "%s:", comma);
    else if (tile == 1) /* has no axis */
      text_format(&shape, "%s%s", comma, size), text_format(&at, "%sNone", comma);
    else
      text_format(&shape, "%s%s // %ld, %ld", comma, size, (long)tile, (long)tile),
          text_format(&at, "%sNone, :", comma);
  }
  if (w->unsupported) return;
  const char *size = triton_dim(w, whole.dims[axis])->size;
  const char *text = arena_format(w->arena, v.rank ? "(%s)[%s]" : "%s", v.text, text_string(&at));
  if (tile > 1)
    text = arena_format(w->arena, "tl.reshape(tl.broadcast_to(%s, (%s)), (%s))", text, text_string(&shape),
                        shape_text(w, &whole));
  const char *here = arena_format(w->arena, "(tl.arange(0, %s) // %ld == %s)", size, (long)tile, it->name);
  line(w,
       arena_format(w->arena, "%s = tl.where(%s, %s, %s)", s->name, at_axis(w, here, axis, whole.rank), text, s->name));
  uint32_t low = (1u << axis) - 1;
  whole.zero = tile > 1 ? v.zero : (v.zero & low) | (v.zero & ~low) << 1 | 1u << axis;
  whole.text = s->name;
  bind_value(w, s->leaf, whole);
}

static void emit_accumulator(Triton *w, const GraphKernel *k, uint32_t i) {
  const GraphStatement *s = &k->body.data[i], *m = s->maximum == GRAPH_NONE ? NULL : &k->body.data[s->maximum];
  if (s->accumulator == GRAPH_CONCAT) {
    emit_concat(w, k, s);
    return;
  }
  TritonValue v = triton_float(w, triton_value(w, s->value));
  const char *text = triton_bare(w, v.text);
  if (s->accumulator != GRAPH_SUM) {
    emit_extremum(w, k, i, text);
    v.zero = 0;
  } else if (m) {
    TritonValue scale = shape_of(w, m->value);
    scale.text = arena_format(w->arena, "%s_scale", m->name);
    line(w, arena_format(w->arena, "%s = %s * %s + %s", s->name, s->name, triton_spread(w, scale, m->value, s->value),
                         text));
    v.zero = 0;
  } else {
    line(w, arena_format(w->arena, "%s += %s", s->name, text));
  }
  v.text = s->name;
  bind_value(w, s->running, v);
  bind_value(w, s->leaf, v);
}

static void emit_save(Triton *w, const GraphKernel *k, const GraphStatement *s) {
  Place place = place_of(w, k, s);
  TritonValue v = triton_float(w, triton_value(w, s->value));
  const char *text = triton_bare(w, v.text), *verb = s->adds ? "atomic_add" : "store";
  if (v.rank != place.shape.rank) { /* a smaller value fills the tile */
    Term shape[POINTWISE_MAX_RANK];
    uint32_t rank = tensor_at(w, s->tensor)->rank;
    for (uint32_t i = 0; i < rank; i++) shape[i] = s->axes[i].extent;
    if (s->adds || !v.rank) w->unsupported = "a value that is smaller than what it fills";
    text = triton_spread_to(w, v, s->value, rank, shape);
  }
  line(w, arena_format(w->arena, place.mask ? "tl.%s(%s, %s, mask=%s)" : "tl.%s(%s, %s)", verb, address(w, s, &place),
                       text, place.mask));
}

static void emit_loop(Triton *w, const GraphKernel *k, uint32_t at) {
  const GraphIterator *it = &k->iterators.data[k->body.data[at].loop];
  for (uint32_t i = at; k->body.data[i].kind != GRAPH_END; i++)
    if (k->body.data[i].kind == GRAPH_ACCUMULATE) start_accumulator(w, &k->body.data[i]);
  line(w, arena_format(w->arena, "for %s in range(0, %s):", it->name, count_text(w, k, it)));
  w->indent = "        ";
  open_iterator(w, k, it);
}

static void emit_body(Triton *w, const GraphKernel *k) {
  for (uint32_t i = 0; i < k->body.count; i++) {
    const GraphStatement *s = &k->body.data[i];
    switch (s->kind) {
    case GRAPH_LOAD: emit_load(w, k, s); break;
    case GRAPH_LET: emit_let(w, s); break;
    case GRAPH_ACCUMULATE: emit_accumulator(w, k, i); break;
    case GRAPH_SAVE: emit_save(w, k, s); break;
    case GRAPH_LOOP: emit_loop(w, k, i); break;
    case GRAPH_END: w->indent = "    "; break;
    }
  }
}

/* ---- arguments ---- */

static void add_sizes(Triton *w, Term t, Sizes *out) {
  TermList symbols = {0};
  term_symbols(w->tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    bool known = term_symbol(w->tt, symbols.data[i])->role == SYMBOL_INDEX;
    for (uint32_t k = 0; k < out->count; k++) known |= out->data[k] == symbols.data[i];
    if (!known) array_push(w->arena, out, symbols.data[i]);
  }
}

/* Of an expression of statement `at`; what earlier ones have named is theirs. */
static void add_sizes_of(Triton *w, const GraphKernel *k, uint32_t at, const TensorExpr *e, Sizes *out) {
  for (uint32_t i = 0; i < at; i++)
    if (k->body.data[i].value == e) return;
  if (e->op == TENSOR_CONST || e->op == TENSOR_SCALAR) add_sizes(w, e->op == TENSOR_CONST ? e->value : e->symbol, out);
  if (e->op == TENSOR_IDIOM && e->plain) add_sizes_of(w, k, at, e->plain, out);
  for (uint32_t i = 0; i < e->count; i++) add_sizes_of(w, k, at, e->args[i], out);
}

static bool uses_tensor(const GraphKernel *k, uint32_t tensor) {
  for (uint32_t i = 0; i < k->body.count; i++) {
    const GraphStatement *s = &k->body.data[i];
    if ((s->kind == GRAPH_LOAD || s->kind == GRAPH_SAVE) && s->tensor == tensor) return true;
  }
  return false;
}

/* Sizes of the tensors that a kernel uses, all of its ranges, and sizes and scalars in its expressions. */
static Sizes kernel_sizes(Triton *w, const GraphKernel *k) {
  Sizes out = {0};
  for (uint32_t i = 0; i < w->graph->declared->tensors.count; i++)
    for (uint32_t d = 0; uses_tensor(k, i) && d < tensor_at(w, i)->rank; d++)
      add_sizes(w, tensor_at(w, i)->extent[d], &out);
  for (uint32_t i = 0; i < k->iterators.count; i++) {
    if (k->iterators.data[i].range) add_sizes(w, k->iterators.data[i].range, &out);
    add_sizes(w, k->iterators.data[i].count, &out);
  }
  for (uint32_t i = 0; i < k->body.count; i++)
    if (k->body.data[i].value) add_sizes_of(w, k, i, k->body.data[i].value, &out);
  for (uint32_t i = 0; i < k->body.count; i++)
    for (uint32_t d = 0; d < POINTWISE_MAX_RANK; d++)
      if (k->body.data[i].axes[d].length) {
        add_sizes(w, k->body.data[i].axes[d].first, &out);
        add_sizes(w, k->body.data[i].axes[d].length, &out);
      }
  for (uint32_t i = 0; i < w->graph->declared->scalars.count; i++)
    add_sizes(w, w->graph->declared->scalars.data[i].symbol, &out);
  return out;
}

static void emit_kernel(Triton *w, const GraphKernel *k) {
  Sizes sizes = kernel_sizes(w, k);
  Text body = text_new(w->arena), whole = w->out;
  w->dims.count = w->bounds.count = w->multiplied.count = w->tiled.count = 0;
  for (uint32_t i = 0; i < k->body.count; i++) {
    const GraphStatement *s = &k->body.data[i];
    TritonDim d = {.least = 1};
    if (s->kind != GRAPH_ACCUMULATE || s->accumulator != GRAPH_CONCAT) continue;
    d.extent = s->leaf->shape[s->axis];
    if (term_is_int(w->tt, k->iterators.data[s->loop].tile, &d.least)) array_push(w->arena, &w->tiled, d);
  }
  for (uint32_t i = 0; i < k->body.count; i++)
    if (k->body.data[i].value) triton_mark_products(w, k->body.data[i].value);
  w->out = body, w->indent = "    ";
  for (uint32_t i = 0; i < k->grid; i++)
    line(w, arena_format(w->arena, "%s = tl.program_id(%u)", k->iterators.data[i].name, i));
  for (uint32_t i = 0; i < k->grid; i++) open_iterator(w, k, &k->iterators.data[i]);
  emit_body(w, k);
  body = w->out, w->out = whole;
  text_format(&w->out, "\n\n@triton.jit\ndef %s(", k->name);
  uint32_t shown = 0;
  for (uint32_t i = 0; i < w->graph->declared->tensors.count; i++)
    if (uses_tensor(k, i)) text_format(&w->out, "%s%s", shown++ ? ", " : "", pointer(w, tensor_at(w, i)->name));
  for (uint32_t i = 0; i < sizes.count; i++) {
    if (formula_is_reserved(term_name(w->tt, sizes.data[i]))) w->unsupported = "a size that is named as lanes are";
    text_format(&w->out, ", %s", term_name(w->tt, sizes.data[i]));
  }
  for (uint32_t i = 0; i < w->dims.count; i++)
    if (w->dims.data[i].is_parameter) text_format(&w->out, ", %s: tl.constexpr", w->dims.data[i].size);
  text_add(&w->out, "):\n");
  text_append(&w->out, text_string(&body), body.count);
}

/* ---- the host function ---- */

static const char *torch_type(const char *dtype) {
  static const char *const names[][2] = {{"f16", "float16"}, {"bf16", "bfloat16"}, {"f64", "float64"},
                                         {"i1", "bool"},     {"i8", "int8"},       {"i16", "int16"},
                                         {"i32", "int32"},   {"i64", "int64"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(names[i][0], dtype)) return names[i][1];
  return "float32";
}

static bool is_input(const Triton *w, uint32_t i) { return !w->graph->tensors.data[i].is_written; }

/* The size as an axis of an input. */
static const char *size_source(Triton *w, Term size) {
  for (uint32_t i = 0; i < w->graph->declared->tensors.count; i++)
    for (uint32_t d = 0; is_input(w, i) && d < tensor_at(w, i)->rank; d++)
      if (tensor_at(w, i)->extent[d] == size) return arena_format(w->arena, "%s.shape[%u]", tensor_at(w, i)->name, d);
  return NULL;
}

static Sizes all_sizes(Triton *w) {
  Sizes out = {0};
  for (uint32_t i = 0; i < w->graph->declared->tensors.count; i++)
    for (uint32_t d = 0; d < tensor_at(w, i)->rank; d++) add_sizes(w, tensor_at(w, i)->extent[d], &out);
  for (uint32_t i = 0; i < w->graph->declared->scalars.count; i++)
    add_sizes(w, w->graph->declared->scalars.data[i].symbol, &out);
  return out;
}

/* How the kernels may be launched: with the warps that fit the largest tile first, to be timed by who has a device. */
static void emit_configurations(Triton *w) {
  enum { WIDE = 128 * 64 };
  int warps = w->widest >= WIDE ? 8 : 4, others = w->widest >= WIDE ? 4 : 8;
  text_add(&w->out, "\n\nCONFIGURATIONS = [  # the first is expected to be the best\n");
  for (int stages = 3; stages >= 2; stages--)
    text_format(&w->out, "    dict(num_warps=%d, num_stages=%d), dict(num_warps=%d, num_stages=%d),\n", warps, stages,
                others, stages);
  text_add(&w->out, "]\n");
}

static void emit_signature(Triton *w, const Sizes *sizes) {
  text_format(&w->out, "\n\ndef %s(*", w->graph->name);
  for (uint32_t i = 0; i < w->graph->declared->tensors.count; i++)
    if (is_input(w, i)) text_format(&w->out, ", %s", tensor_at(w, i)->name);
  for (uint32_t i = 0; i < w->graph->declared->tensors.count && !w->unsupported; i++)
    if (!strcmp(tensor_at(w, i)->name, "configuration")) w->unsupported = "a tensor that is named `configuration`";
  for (uint32_t i = 0; i < sizes->count; i++)
    if (!size_source(w, sizes->data[i])) text_format(&w->out, ", %s", term_name(w->tt, sizes->data[i]));
  text_add(&w->out, ", configuration=CONFIGURATIONS[0]):\n");
}

/* The kernel that fills the tensor with zeros, by a name that nothing else of the graph has. */
static const char *zeros_name(Triton *w, const PointwiseTensor *t) {
  const char *name = arena_format(w->arena, "%s_zeros", t->name);
  for (uint32_t i = 0; i < w->graph->declared->tensors.count; i++)
    if (!strcmp(tensor_at(w, i)->name, name)) name = arena_format(w->arena, "%s_", name), i = UINT32_MAX;
  return name;
}

/* A kernel of its own, so that what is lifted back is all that the module does. */
static void emit_zeros(Triton *w, const PointwiseTensor *t) {
  text_format(&w->out, "\n\n@triton.jit\ndef %s(%s, elements):\n", zeros_name(w, t), pointer(w, t->name));
  line(w, "offs = tl.program_id(0) * 1024 + tl.arange(0, 1024)");
  line(w, arena_format(w->arena, "tl.store(%s + offs, tl.zeros((1024,), dtype=tl.float32), mask=offs < elements)",
                       pointer(w, t->name)));
}

static void launch_zeros(Triton *w, const PointwiseTensor *t) {
  Term elements = w->tt->one;
  for (uint32_t d = 0; d < t->rank; d++) elements = term_mul(w->tt, elements, t->extent[d]);
  const char *count = triton_integer(w, elements);
  line(w, arena_format(w->arena, "%s[(triton.cdiv(%s, 1024),)](%s, %s, **configuration)", zeros_name(w, t), count,
                       t->name, count));
}

/* True if it is what a reshape makes of another one. */
static bool is_view(const Triton *w, uint32_t tensor) {
  const GraphTensor *t = &w->graph->tensors.data[tensor];
  return t->is_written && graph_view_of(w->graph, &w->graph->kernels.data[t->writer]) != GRAPH_NONE;
}

/* As its axes lie in memory. */
static const char *extents_text(Triton *w, uint32_t tensor) {
  const PointwiseTensor *t = tensor_at(w, tensor);
  const uint8_t *order = w->graph->tensors.data[tensor].order;
  Text shape = text_new(w->arena);
  for (uint32_t d = 0; d < t->rank; d++)
    text_format(&shape, "%s%s", d ? ", " : "", triton_integer(w, t->extent[order[d]]));
  return arena_format(w->arena, "(%s%s)", text_string(&shape), t->rank == 1 ? "," : "");
}

static void emit_view(Triton *w, const GraphKernel *k) {
  const PointwiseTensor *t = tensor_at(w, k->body.data[0].tensor), *of = tensor_at(w, graph_view_of(w->graph, k));
  line(w, arena_format(w->arena, "%s = %s.reshape(%s)", t->name, of->name, extents_text(w, k->body.data[0].tensor)));
}

static void emit_tensors(Triton *w) {
  const char *device = NULL;
  for (uint32_t i = 0; i < w->graph->declared->tensors.count; i++) {
    const PointwiseTensor *t = tensor_at(w, i);
    if (!is_input(w, i) || !t->is_read) continue;
    line(w, arena_format(w->arena, "%s = %s.contiguous()", t->name, t->name));
    if (!device) device = t->name;
  }
  for (uint32_t i = 0; i < w->graph->declared->tensors.count; i++) {
    const PointwiseTensor *t = tensor_at(w, i);
    if (is_input(w, i) || is_view(w, i)) continue;
    line(w, arena_format(w->arena, "%s = torch.empty(%s, device=%s.device, dtype=torch.%s)", t->name,
                         extents_text(w, i), device ? device : "torch.empty(0)", torch_type(t->dtype)));
  }
}

static void emit_launch(Triton *w, const GraphKernel *k) {
  Sizes sizes = kernel_sizes(w, k);
  Text call = text_new(w->arena);
  text_format(&call, "%s[(", k->name);
  for (uint32_t i = 0; i < k->grid; i++) {
    const GraphIterator *it = &k->iterators.data[i];
    text_format(&call, it->tile ? "triton.cdiv(%s, %s)," : "%s,", triton_integer(w, it->tile ? it->range : it->count),
                it->tile ? triton_integer(w, it->tile) : "");
    if (i + 1 < k->grid) text_char(&call, ' ');
  }
  text_add(&call, k->grid ? ")](" : "1,)](");
  uint32_t shown = 0;
  for (uint32_t i = 0; i < w->graph->declared->tensors.count; i++)
    if (uses_tensor(k, i)) text_format(&call, "%s%s", shown++ ? ", " : "", tensor_at(w, i)->name);
  for (uint32_t i = 0; i < sizes.count; i++) text_format(&call, ", %s", term_name(w->tt, sizes.data[i]));
  for (uint32_t i = 0; i < w->dims.count; i++)
    if (w->dims.data[i].is_parameter)
      text_format(&call, ", %s=max(%ld, triton.next_power_of_2(%s))", w->dims.data[i].size, (long)w->dims.data[i].least,
                  triton_integer(w, w->dims.data[i].extent));
  text_add(&call, ", **configuration)");
  line(w, text_string(&call));
}

/* Tensors as they lie in memory. */
static void emit_docstring(Triton *w) {
  line(w, arena_format(w->arena, "\"\"\"%s: found by `assay optimize`, whose proof is of the graph below.",
                       w->graph->name));
  text_char(&w->out, '\n');
  for (uint32_t i = 0; i < w->graph->declared->tensors.count; i++) {
    const PointwiseTensor *t = tensor_at(w, i);
    text_format(&w->out, "    %s: %s[", t->name, t->dtype);
    for (uint32_t d = 0; d < t->rank; d++)
      text_format(&w->out, "%s%s", d ? ", " : "", term_text(w->tt, t->extent[w->graph->tensors.data[i].order[d]]));
    text_format(&w->out, "]%s\n", w->graph->tensors.data[i].is_temporary ? ", temporary" : "");
  }
  line(w, "\"\"\"");
}

static void emit_returns(Triton *w) {
  Text text = text_new(w->arena);
  text_add(&text, "return {");
  for (uint32_t i = 0, shown = 0; i < w->graph->declared->tensors.count; i++)
    if (!is_input(w, i) && !w->graph->tensors.data[i].is_temporary)
      text_format(&text, "%s\"%s\": %s", shown++ ? ", " : "", tensor_at(w, i)->name, tensor_at(w, i)->name);
  text_add(&text, "}");
  line(w, text_string(&text));
}

const char *emit_triton_text(Arena *arena, const Graph *graph, const char **why) {
  Triton w = {.arena = arena, .tt = graph->declared->tt, .graph = graph, .out = text_new(arena), .indent = "    "};
  Text launches = text_new(arena);
  text_add(&w.out, "import torch\nimport triton\nimport triton.language as tl\n");
  for (uint32_t i = 0; i < graph->kernels.count && !w.unsupported; i++) {
    const GraphKernel *k = &graph->kernels.data[i];
    bool views = graph_view_of(graph, k) != GRAPH_NONE;
    if (!k->is_block && !views) w.unsupported = "an operation on whole tensors";
    if (w.unsupported) break;
    w.indent = "    ";
    for (uint32_t t = 0; t < graph->declared->tensors.count; t++)
      if (graph_first_adder(graph, t) == i) emit_zeros(&w, tensor_at(&w, t));
    if (!views) emit_kernel(&w, k);
    Text module = w.out;
    w.out = launches, w.indent = "    ";
    for (uint32_t t = 0; t < graph->declared->tensors.count; t++)
      if (graph_first_adder(graph, t) == i) launch_zeros(&w, tensor_at(&w, t));
    if (views)
      emit_view(&w, k);
    else
      emit_launch(&w, k);
    launches = w.out, w.out = module;
  }
  Sizes sizes = all_sizes(&w);
  emit_configurations(&w);
  emit_signature(&w, &sizes);
  emit_docstring(&w);
  for (uint32_t i = 0; i < sizes.count; i++)
    if (size_source(&w, sizes.data[i]))
      line(&w, arena_format(arena, "%s = %s", term_name(w.tt, sizes.data[i]), size_source(&w, sizes.data[i])));
  emit_tensors(&w);
  text_append(&w.out, text_string(&launches), launches.count);
  emit_returns(&w);
  *why = w.unsupported;
  return w.unsupported ? NULL : text_string(&w.out);
}
