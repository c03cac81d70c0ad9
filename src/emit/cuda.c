/* Block graphs as CUDA C.
 *
 * A block is a thread block. Each value that has a name in the graph is an array in shared memory, with rows as long as
 * a whole tile is; the elements of the tile at hand are computed, and loads put 0 beyond them. The threads share the
 * elements of a statement among them; a barrier follows. The lines of a thread graph are one such loop, with values in
 * registers. What has no name is computed where it is used: elementwise operations in the expression, reductions and
 * products by loops before it. Arithmetic is in float, of integers in double.
 *
 * Where rows are whole numbers of 16 bytes, loads copy these at once, by cp.async under the macro ASYNC_COPIES. Under
 * TENSOR_CORES, products of which a side lies in memory in half precision are those of wmma, for tiles of multiples of
 * 16: a side that is no tile as it was loaded is written down in that precision first. The file says LAUNCH where CUDA
 * has its own syntax, so that a compiler for the host takes it too. */
#include "emit/cuda.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emit/integers.h"

typedef struct CudaBound {
  const TensorExpr *e;
  const char *name, *dtype; /* dtype: as it was loaded; or NULL */
  bool is_register;         /* the element at hand alone, not an array */
} CudaBound;

/* An array of a product by tensor cores, or of one of its sides. */
typedef struct CudaArray {
  const char *name, *type;
  int64_t count;
} CudaArray;

typedef struct CudaSide {
  const TensorExpr *e; /* what it is, or the tile that was loaded, whose last two axes may be the other way round */
  const char *name;
  bool is_turned, is_loaded;
} CudaSide;

typedef struct CudaProduct {
  const TensorExpr *e;
  const char *type;
  CudaSide side[2];
  int64_t rows, terms, columns;
  const char *into; /* an array of its own; NULL: the accumulator that it is added to */
} CudaProduct;

typedef struct Cuda {
  Arena *arena;
  TermTable *tt;
  const Graph *graph;
  const GraphKernel *kernel;
  Text out;
  uint32_t indent, names;
  Array(CudaBound) bounds;
  Array(CudaProduct) products; /* of the kernel */
  Array(CudaArray) arrays;     /* that they need */
  bool is_loading, is_copying; /* what has been begun and is not waited for */
  bool has_copies, has_products;
  const char *unsupported;
} Cuda;

static const char *failed(Cuda *w, const char *why) {
  if (!w->unsupported) w->unsupported = why;
  return "0";
}

static void line(Cuda *w, const char *text) { text_format(&w->out, "%*s%s\n", (int)w->indent, "", text); }

static const PointwiseTensor *tensor_at(const Cuda *w, uint32_t i) { return &w->graph->declared->tensors.data[i]; }

static const char *type_of(const char *dtype) {
  static const char *const types[][2] = {{"f16", "__half"}, {"bf16", "__nv_bfloat16"}, {"f32", "float"},
                                         {"f64", "double"}, {"i8", "signed char"},     {"i16", "short"},
                                         {"i32", "int"},    {"i64", "long"},           {"i1", "bool"}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (!strcmp(types[i][0], dtype)) return types[i][1];
  return NULL;
}

/* Of what is computed: whole numbers keep 53 bits, so that those of 32 are exact. */
static const char *value_type(const TensorExpr *e) { return e->sort == SORT_INT ? "double" : "float"; }

/* A function whose name without an `f` is that for double. */
static const char *value_function(const Cuda *w, const TensorExpr *e, const char *name) {
  return e->sort == SORT_INT ? arena_format(w->arena, "%.*s", (int)strlen(name) - 1, name) : name;
}

/* Sizes and places: what is divided is not negative. */
static const char *integer(Cuda *w, Term t) {
  const char *text = emit_integer_text(w->tt, t);
  if (!text) return failed(w, "a power of an integer");
  Text out = text_new(w->arena);
  for (const char *c = text; *c; c++) {
    if (c[0] == '/' && c[1] == '/') c++;
    text_char(&out, *c);
  }
  bool simple = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(text);
  return simple ? text : arena_format(w->arena, "(%s)", text_string(&out));
}

/* How long the axis of a tile is at most: an iterator's tile is as long as that says, or shorter. 0: not known. */
static Term stored(const Cuda *w, Term length) {
  const GraphKernel *k = w->kernel;
  bool varies = false;
  for (uint32_t n = 0; n < k->iterators.count; n++)
    varies |= term_has_symbol(w->tt, length, k->iterators.data[n].symbol);
  for (uint32_t n = 0; n < k->iterators.count && varies; n++) {
    const GraphIterator *it = &k->iterators.data[n];
    if (it->tile &&
        term_min(w->tt, it->tile, term_sub(w->tt, it->range, term_mul(w->tt, it->tile, it->symbol))) == length)
      return it->tile;
  }
  return varies ? 0 : length;
}

/* ---- elements ---- */

static const char *element(Cuda *w, const TensorExpr *e, const char *const *index);

static const char *flat(Cuda *w, uint32_t rank, const Term *shape, const char *const *index) {
  Text out = text_new(w->arena);
  for (uint32_t i = 0; i < rank; i++) {
    if (shape[i] == w->tt->one) continue;
    if (out.count) {
      const char *inner = text_string(&out);
      out = text_new(w->arena);
      text_format(&out, "(%s) * %s + ", inner, integer(w, shape[i]));
    }
    text_add(&out, index[i]);
  }
  return out.count ? text_string(&out) : "0";
}

/* The place of an element in the array of a tile. */
static const char *at_tile(Cuda *w, uint32_t rank, const Term *shape, const char *const *index) {
  Term whole[TENSOR_MAX_RANK];
  for (uint32_t i = 0; i < rank; i++) {
    whole[i] = stored(w, shape[i]);
    if (!whole[i]) return failed(w, "a tile whose length is not known before the launch");
  }
  return flat(w, rank, whole, index);
}

/* The element of an argument that is broadcast, aligned at the last axis. */
static const char *aligned(Cuda *w, const TensorExpr *e, const TensorExpr *arg, const char *const *index) {
  const char *own[TENSOR_MAX_RANK];
  for (uint32_t i = 0; i < arg->rank; i++) own[i] = arg->shape[i] == w->tt->one ? "0" : index[e->rank - arg->rank + i];
  return element(w, arg, own);
}

static const char *unary(Cuda *w, const TensorExpr *e, const char *x) {
  if (e->op == TENSOR_NEG) return arena_format(w->arena, "(-%s)", x);
  if (e->op == TENSOR_NOT) return arena_format(w->arena, "(!%s)", x);
  if (e->op == TENSOR_SQRT) return arena_format(w->arena, "sqrtf(%s)", x);
  if (e->op == TENSOR_EXP2) return arena_format(w->arena, "exp2f(%s)", x);
  if (e->op == TENSOR_LOG2) return arena_format(w->arena, "log2f(%s)", x);
  if (e->op == TENSOR_ABS) return arena_format(w->arena, "%s(%s)", value_function(w, e, "fabsf"), x);
  if (e->op == TENSOR_FLOOR) return arena_format(w->arena, "floorf(%s)", x);
  if (e->op == TENSOR_CEIL) return arena_format(w->arena, "ceilf(%s)", x);
  if (e->op == TENSOR_FN1 && term_fn_info(e->fn)->sort == SORT_REAL)
    return arena_format(w->arena, "%sf(%s)", term_fn_name(e->fn), x);
  return failed(w, "a function that CUDA has not");
}

static const char *number(Cuda *w, Term value, bool is_real) {
  if (value == w->tt->inf) return "INFINITY";
  if (value == w->tt->neg_inf) return "(-INFINITY)";
  if (!term_is_rat(w->tt, value)) return integer(w, value);
  Rational r = term_rat(w->tt, value);
  if (!is_real && r.den == 1) return integer(w, value);
  const char *text = arena_format(w->arena, "%.9g", rational_to_double(r));
  text = strpbrk(text, ".e") ? text : arena_format(w->arena, "%s.0", text);
  return arena_format(w->arena, text[0] == '-' ? "(%sf)" : "%sf", text);
}

static const char *power(Cuda *w, const TensorExpr *e, const char *x) {
  if (e->args[1]->op != TENSOR_CONST) return failed(w, "a power whose exponent is no number");
  Rational r = term_rat(w->tt, e->args[1]->value);
  if (r.den == 1 && r.num == 2) {
    const char *name = arena_format(w->arena, "p%u", ++w->names);
    line(w, arena_format(w->arena, "const %s %s = %s;", value_type(e->args[0]), name, x));
    return arena_format(w->arena, "(%s * %s)", name, name);
  }
  return arena_format(w->arena, "powf(%s, %s)", x, number(w, e->args[1]->value, true));
}

static const char *binary(Cuda *w, const TensorExpr *e, const char *x, const char *y) {
  if (e->op == TENSOR_ADD || e->op == TENSOR_SUB || e->op == TENSOR_MUL || e->op == TENSOR_LT || e->op == TENSOR_LE ||
      e->op == TENSOR_GT || e->op == TENSOR_GE || e->op == TENSOR_EQ || e->op == TENSOR_NE)
    return arena_format(w->arena, "(%s %s %s)", x, tensor_op_text(e->op), y);
  if (e->op == TENSOR_AND) return arena_format(w->arena, "(%s && %s)", x, y);
  if (e->op == TENSOR_OR) return arena_format(w->arena, "(%s || %s)", x, y);
  if (e->op == TENSOR_DIV) return arena_format(w->arena, "((float)%s / (float)%s)", x, y);
  if (e->op == TENSOR_MAXIMUM) return arena_format(w->arena, "%s(%s, %s)", value_function(w, e, "fmaxf"), x, y);
  if (e->op == TENSOR_MINIMUM) return arena_format(w->arena, "%s(%s, %s)", value_function(w, e, "fminf"), x, y);
  return failed(w, arena_format(w->arena, "'%s'", tensor_op_text(e->op)));
}

static const char *elementwise(Cuda *w, const TensorExpr *e, const char *const *index) {
  const char *x[3] = {NULL};
  for (uint32_t i = 0; i < e->count && i < 3 && !(e->op == TENSOR_POW && i); i++)
    x[i] = aligned(w, e, e->args[i], index);
  if (e->op == TENSOR_WHERE) return arena_format(w->arena, "(%s ? %s : %s)", x[0], x[1], x[2]);
  if (e->op == TENSOR_POW) return power(w, e, x[0]);
  return e->count == 1 ? unary(w, e, x[0]) : binary(w, e, x[0], x[1]);
}

static const char *open_loop(Cuda *w, Term end) {
  const char *k = arena_format(w->arena, "k%u", ++w->names);
  line(w, arena_format(w->arena, "for (long %s = 0; %s < %s; %s++) {", k, k, integer(w, end), k));
  w->indent += 2;
  return k;
}

static void close_loop(Cuda *w) {
  w->indent -= 2;
  line(w, "}");
}

static const char *reduce(Cuda *w, const TensorExpr *e, const char *const *index) {
  const TensorExpr *of = e->args[0];
  const char *own[TENSOR_MAX_RANK], *result = arena_format(w->arena, "r%u", ++w->names);
  if (e->fold != FOLD_SUM && e->fold != FOLD_MAX && e->fold != FOLD_MIN)
    return failed(w, "a reduction that is not searched");
  const char *first = e->fold == FOLD_SUM ? "0" : e->fold == FOLD_MAX ? "-INFINITY" : "INFINITY";
  line(w, arena_format(w->arena, "%s %s = %s;", value_type(e), result, first));
  for (uint32_t i = 0; i < of->rank; i++) own[i] = index[i];
  for (uint32_t i = 0; i < e->axis_count; i++) own[e->axes[i]] = open_loop(w, of->shape[e->axes[i]]);
  const char *x = element(w, of, own), *name = value_function(w, e, e->fold == FOLD_MAX ? "fmaxf" : "fminf");
  line(w, e->fold == FOLD_SUM ? arena_format(w->arena, "%s += %s;", result, x)
                              : arena_format(w->arena, "%s = %s(%s, %s);", result, name, result, x));
  for (uint32_t i = 0; i < e->axis_count; i++) close_loop(w);
  return result;
}

static const char *matmul(Cuda *w, const TensorExpr *e, const char *const *index) {
  const TensorExpr *x = e->args[0], *y = e->args[1];
  const char *a[TENSOR_MAX_RANK], *b[TENSOR_MAX_RANK], *result = arena_format(w->arena, "r%u", ++w->names);
  if (x->rank < 2 || y->rank < 2) return failed(w, "a product of vectors");
  for (uint32_t i = 0; i + 2 < x->rank; i++) a[i] = x->shape[i] == w->tt->one ? "0" : index[e->rank - x->rank + i];
  for (uint32_t i = 0; i + 2 < y->rank; i++) b[i] = y->shape[i] == w->tt->one ? "0" : index[e->rank - y->rank + i];
  line(w, arena_format(w->arena, "%s %s = 0;", value_type(e), result));
  a[x->rank - 2] = index[e->rank - 2], b[y->rank - 1] = index[e->rank - 1];
  a[x->rank - 1] = b[y->rank - 2] = open_loop(w, x->shape[x->rank - 1]);
  const char *left = element(w, x, a);
  line(w, arena_format(w->arena, "%s += %s * %s;", result, left, element(w, y, b)));
  close_loop(w);
  return result;
}

static const char *view(Cuda *w, const TensorExpr *e, const char *const *index) {
  const TensorExpr *of = e->args[0];
  const char *own[TENSOR_MAX_RANK];
  if (e->op == TENSOR_BROADCAST) return aligned(w, e, of, index);
  if (e->op == TENSOR_RESHAPE || e->op == TENSOR_SLICE) return failed(w, "a change of shape");
  for (uint32_t i = 0, gone = 0; i < of->rank; i++) {
    if (e->op == TENSOR_EXPAND) own[i] = index[i + (i >= e->axis)];
    if (e->op == TENSOR_SQUEEZE && gone < e->axis_count && e->axes[gone] == i)
      own[i] = "0", gone++;
    else if (e->op == TENSOR_SQUEEZE)
      own[i] = index[i - gone];
  }
  for (uint32_t i = 0; i < e->rank && e->op == TENSOR_TRANSPOSE; i++) own[e->axes[i]] = index[i];
  return element(w, of, own);
}

static const CudaBound *bound(const Cuda *w, const TensorExpr *e) {
  for (uint32_t i = w->bounds.count; i-- > 0;)
    if (w->bounds.data[i].e == e) return &w->bounds.data[i];
  return NULL;
}

static const char *leaf(Cuda *w, const TensorExpr *e, const char *const *index) {
  if (e->op == TENSOR_CONST) return number(w, e->value, e->sort == SORT_REAL);
  if (e->op == TENSOR_SCALAR) return e->name;
  return e->op == TENSOR_INDEX ? index[0] : failed(w, "a tile that is not loaded");
}

static const char *element(Cuda *w, const TensorExpr *e, const char *const *index) {
  const CudaBound *known = bound(w, e);
  guard_tick(w->arena->guard);
  if (known && known->is_register) return known->name;
  if (known)
    return arena_format(w->arena, e->sort == SORT_REAL ? "(float)%s[%s]" : "%s[%s]", known->name,
                        at_tile(w, e->rank, e->shape, index));
  switch (tensor_op_form(e->op)) {
  case TENSOR_FORM_LEAF: return leaf(w, e, index);
  case TENSOR_FORM_UNARY:
  case TENSOR_FORM_BINARY:
  case TENSOR_FORM_TERNARY: return elementwise(w, e, index);
  case TENSOR_FORM_VIEW: return view(w, e, index);
  case TENSOR_FORM_FOLD:
    if (e->op == TENSOR_REDUCE) return reduce(w, e, index);
    if (e->op == TENSOR_MATMUL) return matmul(w, e, index);
    if (e->op == TENSOR_IDIOM) return element(w, e->plain, index);
    break;
  case TENSOR_FORM_CALL:
  case TENSOR_FORM_INDEX: break;
  }
  return failed(w, arena_format(w->arena, "'%s'", tensor_op_text(e->op)));
}

/* ---- statements ---- */

static void bind(Cuda *w, const TensorExpr *e, const char *name, const char *dtype) {
  array_push(w->arena, &w->bounds, (CudaBound){.e = e, .name = name, .dtype = dtype});
}

/* What was loaded is there for all threads. */
static void end_loads(Cuda *w) {
  if (!w->is_loading) return;
  if (w->is_copying) line(w, "WAIT_FOR_COPIES");
  w->is_loading = w->is_copying = false;
  line(w, "__syncthreads();");
}

/* The threads share the elements of an array, `step` of the last axis at once; those that are neighbours have the
 * neighbours of the last axis, or of the last one in `order`. */
static void open_elements_in(Cuda *w, uint32_t rank, const Term *shape, const uint8_t *order, int64_t step,
                             const char **index) {
  Text count = text_new(w->arena);
  uint32_t live = 0, left = 0;
  for (uint32_t i = 0; i < rank; i++) {
    if (shape[i] == w->tt->one) continue;
    Term length = i + 1 == rank ? term_floordiv(w->tt, shape[i], term_int(w->tt, step)) : shape[i];
    text_format(&count, "%s%s", live++ ? " * " : "", integer(w, length));
  }
  line(w, arena_format(w->arena, "for (long e = threadIdx.x; e < %s; e += blockDim.x) {",
                       live ? text_string(&count) : "1"));
  w->indent += 2;
  if (live > 1) line(w, "long rest = e;");
  left = live;
  for (uint32_t n = rank; n-- > 0;) {
    uint32_t i = order ? order[n] : n;
    index[i] = "0";
    if (shape[i] == w->tt->one) continue;
    index[i] = arena_format(w->arena, "i%u", i);
    int64_t own = i + 1 == rank ? step : 1;
    const char *length = integer(w, own == 1 ? shape[i] : term_floordiv(w->tt, shape[i], term_int(w->tt, own)));
    const char *of = left > 1 ? arena_format(w->arena, "rest %% %s", length) : live > 1 ? "rest" : "e";
    line(w, own == 1 ? arena_format(w->arena, "const long %s = %s;", index[i], of)
                     : arena_format(w->arena, "const long %s = %s * %ld;", index[i], of, (long)own));
    if (--left) line(w, arena_format(w->arena, "rest /= %s;", length));
  }
}

static void open_elements(Cuda *w, uint32_t rank, const Term *shape, int64_t step, const char **index) {
  open_elements_in(w, rank, shape, NULL, step, index);
}

static void close_elements(Cuda *w) {
  close_loop(w);
  line(w, "__syncthreads();");
}

/* Where a tile ends before its array does; NULL: nowhere. The last axis is left out where `most` axes are looked at. */
static const char *within(Cuda *w, uint32_t most, const Term *shape, const char *const *index) {
  Text out = text_new(w->arena);
  for (uint32_t i = 0; i < most; i++)
    if (stored(w, shape[i]) != shape[i])
      text_format(&out, "%s%s < %s", out.count ? " && " : "", index[i], integer(w, shape[i]));
  return out.count ? text_string(&out) : NULL;
}

/* The place of an element of a tile in its tensor. */
static const char *place(Cuda *w, const GraphStatement *s, const char *const *index) {
  const PointwiseTensor *t = tensor_at(w, s->tensor);
  const uint8_t *order = w->graph->tensors.data[s->tensor].order;
  const char *at[POINTWISE_MAX_RANK];
  Term extent[POINTWISE_MAX_RANK];
  for (uint32_t n = 0; n < t->rank; n++) {
    uint32_t i = order[n];
    extent[n] = t->extent[i];
    at[n] = s->axes[i].start == w->tt->zero ? index[i]
            : s->axes[i].extent == w->tt->one
                ? integer(w, s->axes[i].start)
                : arena_format(w->arena, "(%s + %s)", integer(w, s->axes[i].start), index[i]);
  }
  return arena_format(w->arena, "%s[%s]", t->name, flat(w, t->rank, extent, at));
}

/* Elements of 16 bytes, where the rows of the tile are a whole number of these and lie so in memory; 1: they do not. */
static int64_t elements_at_once(Cuda *w, const GraphStatement *s) {
  const PointwiseTensor *t = tensor_at(w, s->tensor);
  int64_t most = 16 / pointwise_element_bytes(t->dtype), length;
  if (!t->rank || s->leaf->rank != t->rank || !type_of(t->dtype) || !graph_is_row_major(w->graph, s->tensor)) return 1;
  Term row = stored(w, s->leaf->shape[t->rank - 1]);
  return row && term_is_int(w->tt, row, &length) && length % most == 0 ? most : 1;
}

static void emit_load(Cuda *w, const GraphStatement *s) {
  const TensorExpr *e = s->leaf;
  const char *index[POINTWISE_MAX_RANK], *dtype = tensor_at(w, s->tensor)->dtype, *type = type_of(dtype);
  int64_t step = elements_at_once(w, s);
  Term whole[TENSOR_MAX_RANK];
  for (uint32_t i = 0; i < e->rank; i++)
    if (!(whole[i] = stored(w, e->shape[i]))) failed(w, "a tile whose length is not known before the launch");
  if (w->unsupported) return;
  open_elements_in(w, e->rank, whole, w->graph->tensors.data[s->tensor].order, step, index);
  const char *to = flat(w, e->rank, whole, index), *from = place(w, s, index);
  if (step > 1) {
    uint32_t last = e->rank - 1u;
    const char *rows = within(w, last, e->shape, index);
    const char *count = arena_format(w->arena, "%s - %s", integer(w, e->shape[last]), index[last]);
    if (rows) count = arena_format(w->arena, "%s ? %s : 0", rows, count);
    line(w, arena_format(w->arena, "copy_16_bytes(&%s[%s], &%s, %s);", s->name, to, from, count));
    w->has_copies = w->is_copying = true;
  } else {
    const char *inside = within(w, e->rank, e->shape, index);
    line(w, inside ? arena_format(w->arena, "%s[%s] = %s ? %s : (%s)0.0f;", s->name, to, inside, from, type)
                   : arena_format(w->arena, "%s[%s] = %s;", s->name, to, from));
  }
  close_loop(w);
  w->is_loading = true;
  bind(w, e, s->name, dtype);
}

static void emit_let(Cuda *w, const GraphStatement *s) {
  const char *index[TENSOR_MAX_RANK];
  open_elements(w, s->value->rank, s->value->shape, 1, index);
  const char *x = element(w, s->value, index);
  line(w, arena_format(w->arena, "%s[%s] = %s;", s->name, at_tile(w, s->value->rank, s->value->shape, index), x));
  close_elements(w);
}

static bool rescales(const GraphKernel *k, uint32_t maximum) {
  for (uint32_t i = 0; i < k->body.count; i++)
    if (k->body.data[i].kind == GRAPH_ACCUMULATE && k->body.data[i].maximum == maximum) return true;
  return false;
}

static void start_accumulator(Cuda *w, const GraphStatement *s) {
  const char *index[TENSOR_MAX_RANK];
  const char *first = s->accumulator == GRAPH_SUM ? "0" : s->accumulator == GRAPH_MAX ? "-INFINITY" : "INFINITY";
  Term whole[TENSOR_MAX_RANK];
  if (s->accumulator == GRAPH_CONCAT) return; /* each of its elements is written in one iteration */
  for (uint32_t i = 0; i < s->value->rank; i++) whole[i] = stored(w, s->value->shape[i]);
  for (uint32_t i = 0; i < s->value->rank; i++)
    if (!whole[i]) failed(w, "a tile whose length is not known before the launch");
  if (w->unsupported) return;
  open_elements(w, s->value->rank, whole, 1, index);
  line(w, arena_format(w->arena, "%s[e] = %s;", s->name, first));
  close_elements(w);
}

/* By how much the sum is smaller now that its maximum has grown. */
static const char *scale_at(Cuda *w, const GraphStatement *s, const GraphStatement *m, const char *const *index) {
  const char *own[TENSOR_MAX_RANK];
  for (uint32_t a = 0; a < m->value->rank; a++)
    own[a] = m->value->shape[a] == w->tt->one ? "0" : index[s->value->rank - m->value->rank + a];
  return arena_format(w->arena, "%s_scale[%s]", m->name, at_tile(w, m->value->rank, m->value->shape, own));
}

/* The place of the tile's element in what its tiles are put together to. */
static const char *at_whole(Cuda *w, const GraphStatement *s, const char **index) {
  const GraphIterator *it = &w->kernel->iterators.data[s->loop];
  const char *own = index[s->axis];
  bool is_one = s->value->shape[s->axis] == w->tt->one;
  index[s->axis] = arena_format(w->arena, "%s * %s%s%s", term_name(w->tt, it->symbol), integer(w, it->tile),
                                is_one ? "" : " + ", is_one ? "" : own);
  const char *at = at_tile(w, s->leaf->rank, s->leaf->shape, index);
  index[s->axis] = own;
  return at;
}

static void emit_accumulator(Cuda *w, const GraphStatement *s) {
  const GraphKernel *k = w->kernel;
  const GraphStatement *m = s->maximum == GRAPH_NONE ? NULL : &k->body.data[s->maximum];
  const char *index[TENSOR_MAX_RANK];
  open_elements(w, s->value->rank, s->value->shape, 1, index);
  const char *x = element(w, s->value, index), *at = at_tile(w, s->value->rank, s->value->shape, index);
  if (s->accumulator == GRAPH_CONCAT) {
    line(w, arena_format(w->arena, "%s[%s] = %s;", s->name, at_whole(w, s, index), x));
  } else if (s->accumulator != GRAPH_SUM) {
    const char *name = value_function(w, s->value, s->accumulator == GRAPH_MAX ? "fmaxf" : "fminf");
    line(w, arena_format(w->arena, "const %s now = %s(%s[%s], %s);", value_type(s->value), name, s->name, at, x));
    if (rescales(k, (uint32_t)(s - k->body.data)))
      line(w, arena_format(w->arena, "%s_scale[%s] = expf(%s[%s] - now);", s->name, at, s->name, at));
    line(w, arena_format(w->arena, "%s[%s] = now;", s->name, at));
  } else if (m) {
    line(w,
         arena_format(w->arena, "%s[%s] = %s[%s] * %s + %s;", s->name, at, s->name, at, scale_at(w, s, m, index), x));
  } else {
    line(w, arena_format(w->arena, "%s[%s] += %s;", s->name, at, x));
  }
  close_elements(w);
}

static void store(Cuda *w, const GraphStatement *s, const char *const *index) {
  const PointwiseTensor *t = tensor_at(w, s->tensor);
  const char *own[TENSOR_MAX_RANK];
  for (uint32_t i = 0; i < s->value->rank; i++)
    own[i] = s->value->shape[i] == w->tt->one ? "0" : index[t->rank - s->value->rank + i];
  const char *x = element(w, s->value, own);
  line(w, s->adds ? arena_format(w->arena, "atomicAdd(&%s, (%s)(%s));", place(w, s, index), type_of(t->dtype), x)
                  : arena_format(w->arena, "%s = (%s)(%s);", place(w, s, index), type_of(t->dtype), x));
}

static void open_saved(Cuda *w, const GraphStatement *s, const char **index) {
  const PointwiseTensor *t = tensor_at(w, s->tensor);
  Term shape[POINTWISE_MAX_RANK];
  for (uint32_t i = 0; i < t->rank; i++) shape[i] = s->axes[i].extent;
  open_elements_in(w, t->rank, shape, w->graph->tensors.data[s->tensor].order, 1, index);
}

static void emit_save(Cuda *w, const GraphStatement *s) {
  const char *index[POINTWISE_MAX_RANK];
  open_saved(w, s, index);
  store(w, s, index);
  close_elements(w);
}

static bool uses(const TensorExpr *e, const TensorExpr *value) {
  bool found = e == value || (e->op == TENSOR_IDIOM && uses(e->plain, value));
  for (uint32_t i = 0; i < e->count && !found; i++) found = uses(e->args[i], value);
  return found;
}

/* Every value of a thread graph that no statement behind it uses is in a register alone. */
static bool is_private(const GraphKernel *k, uint32_t at) {
  bool found = false;
  for (uint32_t i = at + 1; i < k->body.count && k->body.data[at].thread && !found; i++)
    found = k->body.data[i].thread != k->body.data[at].thread && k->body.data[i].value &&
            uses(k->body.data[i].value, k->body.data[at].value);
  return k->body.data[at].kind == GRAPH_LET && k->body.data[at].thread && !found;
}

static void bind_register(Cuda *w, const TensorExpr *e, const char *name) {
  array_push(w->arena, &w->bounds, (CudaBound){.e = e, .name = name, .is_register = true});
}

/* One loop over the elements; returns the last statement of it. */
static uint32_t emit_thread(Cuda *w, uint32_t at) {
  const GraphKernel *k = w->kernel;
  const char *index[TENSOR_MAX_RANK];
  uint32_t thread = k->body.data[at].thread, end = at, save = at;
  while (end < k->body.count && k->body.data[end].thread == thread) end++;
  while (save < end && k->body.data[save].kind != GRAPH_SAVE) save++;
  const TensorExpr *first = k->body.data[at].value;
  end_loads(w);
  if (save < end)
    open_saved(w, &k->body.data[save], index);
  else
    open_elements(w, first->rank, first->shape, 1, index);
  uint32_t known = w->bounds.count;
  for (uint32_t i = at; i < end; i++) {
    const GraphStatement *s = &k->body.data[i];
    if (s->kind == GRAPH_SAVE) {
      store(w, s, index);
      continue;
    }
    const char *name = arena_format(w->arena, "own_%s", s->name), *x = element(w, s->value, index);
    line(w, arena_format(w->arena, "const %s %s = %s;", value_type(s->value), name, x));
    if (!is_private(k, i))
      line(w,
           arena_format(w->arena, "%s[%s] = %s;", s->name, at_tile(w, s->value->rank, s->value->shape, index), name));
    bind_register(w, s->value, name);
  }
  w->bounds.count = known;
  for (uint32_t i = at; i < end; i++)
    if (k->body.data[i].kind == GRAPH_LET && !is_private(k, i))
      bind(w, k->body.data[i].value, k->body.data[i].name, NULL);
  close_elements(w);
  return end - 1;
}

static const char *name_of(Cuda *w, const GraphIterator *it) { return term_name(w->tt, it->symbol); }

static void emit_loop(Cuda *w, uint32_t at) {
  const GraphKernel *k = w->kernel;
  const GraphIterator *it = &k->iterators.data[k->body.data[at].loop];
  for (uint32_t i = at; k->body.data[i].kind != GRAPH_END; i++)
    if (k->body.data[i].kind == GRAPH_ACCUMULATE) start_accumulator(w, &k->body.data[i]);
  const char *t = name_of(w, it);
  line(w, arena_format(w->arena, "for (long %s = 0; %s < %s; %s++) {", t, t, integer(w, it->count), t));
  w->indent += 2;
}

/* ---- products by tensor cores ---- */

static bool is_sixteens(const Cuda *w, Term length, int64_t *out) {
  Term whole = stored(w, length);
  return whole && term_is_int(w->tt, whole, out) && *out % 16 == 0;
}

/* The tile behind transposes of the last two axes and axes of length 1. */
static CudaSide side_of(const Cuda *w, const TensorExpr *e) {
  CudaSide out = {.e = e};
  const TensorExpr *at = e;
  bool is_turned = false;
  while (!bound(w, at) && at->op == TENSOR_TRANSPOSE && at->rank >= 2) {
    for (uint32_t i = 0; i + 2 < at->rank; i++)
      if (at->axes[i] != i) return out;
    is_turned ^= at->axes[at->rank - 1] != at->rank - 1u;
    at = at->args[0];
  }
  const CudaBound *b = bound(w, at);
  if (b && b->dtype) out = (CudaSide){.e = at, .name = b->name, .is_turned = is_turned, .is_loaded = true};
  return out;
}

static const char *half_type(const Cuda *w, const CudaSide *side) {
  const CudaBound *b = side->is_loaded ? bound(w, side->e) : NULL;
  return b && (!strcmp(b->dtype, "f16") || !strcmp(b->dtype, "bf16")) ? type_of(b->dtype) : NULL;
}

/* false: it is none for tensor cores. */
static bool find_product(Cuda *w, const TensorExpr *e, CudaProduct *out) {
  const TensorExpr *x = e->args[0], *y = e->args[1];
  if (x->rank < 2 || y->rank < 2) return false;
  for (uint32_t i = 0; i + 2 < e->rank; i++)
    if (e->shape[i] != w->tt->one) return false;
  *out = (CudaProduct){.e = e, .side = {side_of(w, x), side_of(w, y)}};
  const char *left = half_type(w, &out->side[0]), *right = half_type(w, &out->side[1]);
  out->type = left ? left : right;
  if (!out->type || (left && right && strcmp(left, right))) return false;
  for (uint32_t i = 0; i < 2; i++)
    if (!half_type(w, &out->side[i])) out->side[i] = (CudaSide){.e = i ? y : x};
  return is_sixteens(w, x->shape[x->rank - 2], &out->rows) && is_sixteens(w, x->shape[x->rank - 1], &out->terms) &&
         is_sixteens(w, y->shape[y->rank - 1], &out->columns);
}

static const char *new_array(Cuda *w, const char *what, const char *type, int64_t count) {
  const char *name = arena_format(w->arena, "%s%u", what, w->arrays.count + 1);
  array_push(w->arena, &w->arrays, (CudaArray){name, type, count});
  return name;
}

/* The products within e that no statement before has computed, the inner ones first. */
static void find_products(Cuda *w, const TensorExpr *e, const TensorExpr *accumulated) {
  CudaProduct p;
  if (bound(w, e)) return;
  for (uint32_t i = 0; i < w->products.count; i++)
    if (w->products.data[i].e == e) return;
  if (e->op == TENSOR_IDIOM && e->plain) find_products(w, e->plain, NULL);
  for (uint32_t i = 0; i < e->count; i++) find_products(w, e->args[i], NULL);
  if (e->op != TENSOR_MATMUL || !find_product(w, e, &p)) return;
  for (uint32_t i = 0; i < 2; i++)
    if (!p.side[i].is_loaded) p.side[i].name = new_array(w, "side", p.type, p.terms * (i ? p.columns : p.rows));
  if (e != accumulated) p.into = new_array(w, "product", "float", p.rows * p.columns);
  array_push(w->arena, &w->products, p);
}

/* A side in half precision, 0 beyond the tile. */
static void write_side(Cuda *w, const CudaProduct *p, const CudaSide *side) {
  const TensorExpr *e = side->e;
  const char *index[TENSOR_MAX_RANK];
  Term whole[TENSOR_MAX_RANK];
  for (uint32_t i = 0; i < e->rank; i++) whole[i] = stored(w, e->shape[i]);
  open_elements(w, e->rank, whole, 1, index);
  const char *inside = within(w, e->rank, e->shape, index);
  line(w, arena_format(w->arena, "%s[e] = (%s)0.0f;", side->name, p->type));
  if (inside) line(w, arena_format(w->arena, "if (%s) {", inside));
  w->indent += inside ? 2 : 0;
  const char *x = element(w, e, index);
  line(w, arena_format(w->arena, "%s[e] = (%s)(%s);", side->name, p->type, x));
  if (inside) close_loop(w);
  close_elements(w);
}

static void write_product(Cuda *w, const CudaProduct *p, const char *into) {
  for (uint32_t i = 0; i < 2; i++)
    if (!p->side[i].is_loaded) write_side(w, p, &p->side[i]);
  line(w, arena_format(w->arena, "multiply<%s, %s>(%s, %s, %s, %ld, %ld, %ld, %s);",
                       p->side[0].is_turned ? "true" : "false", p->side[1].is_turned ? "true" : "false", into,
                       p->side[0].name, p->side[1].name, (long)p->rows, (long)p->terms, (long)p->columns,
                       p->into ? "false" : "true"));
  line(w, "__syncthreads();");
  if (p->into) bind(w, p->e, p->into, NULL);
}

/* The sum so far is multiplied first, where its maximum has grown. */
static void add_product(Cuda *w, const GraphStatement *s, const CudaProduct *p) {
  const GraphStatement *m = s->maximum == GRAPH_NONE ? NULL : &w->kernel->body.data[s->maximum];
  const char *index[TENSOR_MAX_RANK];
  if (m) {
    open_elements(w, s->value->rank, s->value->shape, 1, index);
    const char *at = at_tile(w, s->value->rank, s->value->shape, index);
    line(w, arena_format(w->arena, "%s[%s] *= %s;", s->name, at, scale_at(w, s, m, index)));
    close_elements(w);
  }
  write_product(w, p, s->name);
}

static void emit_statement(Cuda *w, const GraphStatement *s) {
  if (s->kind == GRAPH_LET) emit_let(w, s);
  if (s->kind == GRAPH_ACCUMULATE) emit_accumulator(w, s);
  if (s->kind == GRAPH_SAVE) emit_save(w, s);
}

/* A statement in both ways, if it has products. */
static void emit_value(Cuda *w, const GraphStatement *s) {
  uint32_t before = w->products.count, known = w->bounds.count;
  end_loads(w);
  find_products(w, s->value, s->kind == GRAPH_ACCUMULATE && s->accumulator == GRAPH_SUM ? s->value : NULL);
  bool has_products = w->products.count > before, adds = false;
  if (has_products) {
    w->has_products = true;
    text_add(&w->out, "#if TENSOR_CORES\n");
    for (uint32_t i = before; i < w->products.count; i++) {
      const CudaProduct *p = &w->products.data[i];
      adds |= !p->into;
      if (p->into)
        write_product(w, p, p->into);
      else
        add_product(w, s, p);
    }
    if (!adds) emit_statement(w, s);
    text_add(&w->out, "#else\n");
    w->bounds.count = known;
  }
  emit_statement(w, s);
  if (has_products) text_add(&w->out, "#endif\n");
  if (s->kind == GRAPH_LET) bind(w, s->value, s->name, NULL);
  if (s->kind != GRAPH_ACCUMULATE) return;
  if (s->running) bind(w, s->running, s->name, NULL);
  bind(w, s->leaf, s->name, NULL);
}

static void emit_body(Cuda *w) {
  for (uint32_t i = 0; i < w->kernel->body.count && !w->unsupported; i++) {
    const GraphStatement *s = &w->kernel->body.data[i];
    if (s->thread) {
      i = emit_thread(w, i);
      continue;
    }
    switch (s->kind) {
    case GRAPH_LOAD: emit_load(w, s); break;
    case GRAPH_LET:
    case GRAPH_ACCUMULATE:
    case GRAPH_SAVE: emit_value(w, s); break;
    case GRAPH_LOOP: end_loads(w), emit_loop(w, i); break;
    case GRAPH_END: end_loads(w), close_loop(w); break;
    }
  }
}

/* ---- shared memory ---- */

static const char *most(Cuda *w, uint32_t rank, const Term *shape) {
  Text out = text_new(w->arena);
  uint32_t live = 0;
  for (uint32_t i = 0; i < rank; i++) {
    Term length = stored(w, shape[i]);
    if (!length) return failed(w, "a tile whose length is not known before the launch");
    if (length != w->tt->one) text_format(&out, "%s%s", live++ ? " * " : "", integer(w, length));
  }
  return live ? text_string(&out) : "1";
}

/* An array for each named value; `total` (NULL: not wanted) is what the launcher asks for, in bytes. */
static void emit_shared(Cuda *w, const GraphKernel *k, Text *total) {
  for (uint32_t i = 0; i < k->body.count; i++) {
    const GraphStatement *s = &k->body.data[i];
    bool is_concat = s->kind == GRAPH_ACCUMULATE && s->accumulator == GRAPH_CONCAT;
    const TensorExpr *e = s->kind == GRAPH_LOAD || is_concat ? s->leaf : s->value;
    if ((s->kind != GRAPH_LOAD && s->kind != GRAPH_LET && s->kind != GRAPH_ACCUMULATE) || is_private(k, i)) continue;
    const char *type = s->kind == GRAPH_LOAD ? type_of(tensor_at(w, s->tensor)->dtype) : value_type(e);
    uint32_t copies = s->kind == GRAPH_ACCUMULATE && rescales(k, i) ? 2 : 1;
    for (uint32_t c = 0; c < copies; c++) {
      const char *count = most(w, e->rank, e->shape);
      if (total) {
        text_format(total, " + ROUND(%s * sizeof(%s))", count, type);
        continue;
      }
      line(w, arena_format(w->arena, "%s *%s%s = (%s *)shared_at;", type, s->name, c ? "_scale" : "", type));
      line(w, arena_format(w->arena, "shared_at += ROUND(%s * sizeof(%s));", count, type));
    }
  }
  if (w->arrays.count && !total) text_add(&w->out, "#if TENSOR_CORES\n");
  for (uint32_t i = 0; i < w->arrays.count; i++) {
    const CudaArray *a = &w->arrays.data[i];
    if (total) {
      text_format(total, " + TENSOR_CORES * ROUND(%ld * sizeof(%s))", (long)a->count, a->type);
      continue;
    }
    line(w, arena_format(w->arena, "%s *%s = (%s *)shared_at;", a->type, a->name, a->type));
    line(w, arena_format(w->arena, "shared_at += ROUND(%ld * sizeof(%s));", (long)a->count, a->type));
  }
  if (w->arrays.count && !total) text_add(&w->out, "#endif\n");
}

/* ---- the file ---- */

static void add_parameters(Cuda *w, bool names_only, bool is_kernel) {
  const Pointwise *p = w->graph->declared;
  TermList sizes = {0};
  uint32_t shown = 0;
  for (uint32_t i = 0; i < p->tensors.count; i++) {
    const GraphTensor *t = &w->graph->tensors.data[i];
    const char *type = type_of(p->tensors.data[i].dtype);
    for (uint32_t d = 0; d < p->tensors.data[i].rank; d++) term_symbols(w->tt, p->tensors.data[i].extent[d], &sizes);
    if (!type) failed(w, "a type of elements that CUDA has not");
    if (t->is_temporary && !is_kernel) continue;
    if (names_only)
      text_format(&w->out, "%s%s", shown++ ? ", " : "", p->tensors.data[i].name);
    else
      text_format(&w->out, "%s%s%s *%s", shown++ ? ", " : "", t->is_written ? "" : "const ", type,
                  p->tensors.data[i].name);
  }
  for (uint32_t i = 0; i < p->scalars.count; i++) term_symbols(w->tt, p->scalars.data[i].symbol, &sizes);
  for (uint32_t i = 0; i < sizes.count; i++) {
    bool again = false, is_real = term_sort(w->tt, sizes.data[i]) == SORT_REAL;
    for (uint32_t n = 0; n < i; n++) again |= sizes.data[n] == sizes.data[i];
    if (!again)
      text_format(&w->out, names_only ? ", %s%s" : ", %s %s",
                  names_only ? ""
                  : is_real  ? "float"
                             : "long",
                  term_name(w->tt, sizes.data[i]));
  }
}

static void emit_kernel(Cuda *w, const GraphKernel *k) {
  static const char *const axes[] = {"x", "y", "z"};
  Text whole = w->out;
  w->kernel = k;
  w->bounds.count = w->names = w->products.count = w->arrays.count = 0;
  w->out = text_new(w->arena), w->indent = 2;
  emit_body(w);
  Text body = w->out;
  w->out = whole;
  text_format(&w->out, "\n__global__ void %s(", k->name);
  add_parameters(w, false, true);
  text_add(&w->out, ") {\n");
  line(w, "extern __shared__ __align__(32) unsigned char shared[];");
  line(w, "unsigned char *shared_at = shared;");
  emit_shared(w, k, NULL);
  for (uint32_t i = 0; i < k->grid; i++)
    line(w, arena_format(w->arena, "const long %s = blockIdx.%s;", name_of(w, &k->iterators.data[i]), axes[i]));
  text_append(&w->out, text_string(&body), body.count);
  text_add(&w->out, "}\n");
}

/* What the kernel is the first to add to begins as 0. */
static void fill_with_zeros(Cuda *w, uint32_t kernel) {
  for (uint32_t i = 0; i < w->graph->declared->tensors.count; i++) {
    const PointwiseTensor *t = tensor_at(w, i);
    Text count = text_new(w->arena);
    if (graph_first_adder(w->graph, i) != kernel) continue;
    for (uint32_t d = 0; d < t->rank; d++) text_format(&count, " * %s", integer(w, t->extent[d]));
    line(w, arena_format(w->arena, "if (error == cudaSuccess) error = cudaMemsetAsync(%s, 0, sizeof *%s%s, stream);",
                         t->name, t->name, text_string(&count)));
  }
}

static void emit_launch(Cuda *w, const GraphKernel *k) {
  Text total = text_new(w->arena), grid = text_new(w->arena);
  fill_with_zeros(w, (uint32_t)(k - w->graph->kernels.data));
  emit_shared(w, k, &total);
  for (uint32_t i = 0; i < GRAPH_MAX_GRID; i++)
    text_format(&grid, "%s%s", i ? ", " : "", i < k->grid ? integer(w, k->iterators.data[i].count) : "1");
  line(w, arena_format(w->arena, "if (error == cudaSuccess) error = LAUNCH(%s, dim3(%s), 128, 0%s, stream, ", k->name,
                       text_string(&grid), text_string(&total)));
  w->out.count--; /* the end of the line */
  add_parameters(w, true, true);
  text_add(&w->out, ");\n");
}

static bool is_view(const Cuda *w, uint32_t tensor) {
  const GraphTensor *t = &w->graph->tensors.data[tensor];
  return t->is_written && graph_view_of(w->graph, &w->graph->kernels.data[t->writer]) != GRAPH_NONE;
}

static uint32_t views_of(const Cuda *w, uint32_t tensor) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < w->graph->kernels.count; i++)
    count += graph_view_of(w->graph, &w->graph->kernels.data[i]) == tensor;
  return count;
}

/* Views share the memory of what they are views of; where that is a temporary tensor and the view is an argument, the
 * other way round. */
static void emit_views(Cuda *w, bool of_arguments) {
  for (uint32_t i = 0; i < w->graph->kernels.count; i++) {
    const GraphKernel *k = &w->graph->kernels.data[i];
    uint32_t from = graph_view_of(w->graph, k), to = from == GRAPH_NONE ? from : k->body.data[0].tensor;
    if (from == GRAPH_NONE || w->graph->tensors.data[to].is_temporary == of_arguments) continue;
    if (of_arguments && !w->graph->tensors.data[from].is_temporary) failed(w, "an argument that is a copy of another");
    if (of_arguments && (is_view(w, from) || views_of(w, from) > 1))
      failed(w, "a view of a view, or two of one tensor");
    const PointwiseTensor *t = tensor_at(w, of_arguments ? from : to), *of = tensor_at(w, of_arguments ? to : from);
    line(w, arena_format(w->arena, "%s = (%s *)%s;", t->name, type_of(t->dtype), of->name));
  }
}

/* True if it has memory of its own. */
static bool is_allocated(const Cuda *w, uint32_t tensor) {
  if (!w->graph->tensors.data[tensor].is_temporary) return false;
  for (uint32_t i = 0; i < w->graph->kernels.count; i++) {
    const GraphKernel *k = &w->graph->kernels.data[i];
    uint32_t from = graph_view_of(w->graph, k), to = from == GRAPH_NONE ? from : k->body.data[0].tensor;
    if (from != GRAPH_NONE && (to == tensor || (from == tensor && !w->graph->tensors.data[to].is_temporary)))
      return false;
  }
  return true;
}

static void emit_launcher(Cuda *w, const char *launches) {
  const Pointwise *p = w->graph->declared;
  text_format(&w->out,
              "\n#ifndef __CUDACC_RTC__\n/* Tensors are contiguous; the kernels run one after the other in `stream`. "
              "The first error of a "
              "launch, as when"
              "\n * the device has less shared memory than a block asks for, is returned. */\nextern \"C\" cudaError_t "
              "%s_launch(",
              w->graph->name);
  add_parameters(w, false, false);
  text_add(&w->out, ", cudaStream_t stream) {\n");
  w->indent = 2;
  line(w, "cudaError_t error = cudaSuccess;");
  for (int end = 0; end < 2; end++) {
    for (uint32_t i = 0; i < p->tensors.count; i++) {
      const PointwiseTensor *t = &p->tensors.data[i];
      Text count = text_new(w->arena);
      for (uint32_t d = 0; d < t->rank; d++) text_format(&count, " * %s", integer(w, t->extent[d]));
      if (!end && w->graph->tensors.data[i].is_temporary)
        line(w, arena_format(w->arena, "%s *%s = NULL;", type_of(t->dtype), t->name));
      if (!is_allocated(w, i)) continue;
      if (end) {
        line(w, arena_format(w->arena, "if (%s) cudaFreeAsync(%s, stream);", t->name, t->name));
        continue;
      }
      line(w, arena_format(w->arena,
                           "if (error == cudaSuccess) error = cudaMallocAsync((void **)&%s, sizeof *%s%s, stream);",
                           t->name, t->name, text_string(&count)));
    }
    if (!end) emit_views(w, true), emit_views(w, false), text_add(&w->out, launches);
  }
  line(w, "return error;");
  text_add(&w->out, "}\n#endif\n");
}

static const char head[] =
    "#ifndef CUDA_HOST_H /* which has its own of all this */\n#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n"
    "#define LAUNCH(kernel, grid, threads, shared, stream, ...)                                            \\\n"
    "  (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)(shared)),          \\\n"
    "   kernel<<<grid, threads, shared, stream>>>(__VA_ARGS__), cudaGetLastError())\n#endif\n"
    "#if !defined INFINITY && !defined __CUDACC_RTC__\n#include <math.h>\n#endif\n"
    "#ifndef INFINITY\n#define INFINITY __int_as_float(0x7f800000)\n#endif\n"
    "#define ROUND(bytes) (((bytes) + 31) / 32 * 32)\n#undef min\n#define min(a, b) ((a) < (b) ? (a) : (b))\n";

static const char copies[] =
    "\n#ifndef ASYNC_COPIES /* cp.async */\n#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800\n"
    "#define ASYNC_COPIES 1\n#else\n#define ASYNC_COPIES 0\n#endif\n#endif\n"
    "#if ASYNC_COPIES\n#ifndef CUDA_HOST_H\n#include <cuda_pipeline.h>\n#endif\n"
    "#define WAIT_FOR_COPIES __pipeline_commit(), __pipeline_wait_prior(0);\n#else\n#define WAIT_FOR_COPIES\n#endif\n\n"
    "/* 16 bytes of a row, to shared memory; 0 beyond the `count` elements that are left. */\n"
    "template <class T> __device__ static void copy_16_bytes(T *to, const T *from, long count) {\n"
    "  const long all = 16 / sizeof(T);\n"
    "  if (count >= all && (unsigned long)from % 16 == 0) {\n"
    "#if ASYNC_COPIES\n    __pipeline_memcpy_async(to, from, 16);\n#else\n"
    "    *(int4 *)to = *(const int4 *)from;\n#endif\n    return;\n  }\n"
    "  for (long i = 0; i < all; i++) to[i] = i < count ? from[i] : (T)0.0f;\n}\n";

static const char tensor_cores[] =
    "\n#ifndef TENSOR_CORES /* products in half precision by wmma: sm_70 and later */\n#define TENSOR_CORES 1\n#endif\n"
    "#if TENSOR_CORES\n#ifndef CUDA_HOST_H\n#include <mma.h>\n#endif\n"
    "template <bool turned> struct Layout { typedef nvcuda::wmma::row_major type; };\n"
    "template <> struct Layout<true> { typedef nvcuda::wmma::col_major type; };\n\n"
    "/* c = a @ b, or c += a @ b: each warp has 16 rows by 16 columns of c at a time. Turned is what lies in memory "
    "by\n"
    " * columns. */\n"
    "template <bool a_turned, bool b_turned, class T>\n"
    "__device__ static void multiply(float *c, const T *a, const T *b, int rows, int terms, int columns, bool adds) {\n"
    "  using namespace nvcuda;\n"
    "  const int a_row = a_turned ? rows : terms, b_row = b_turned ? terms : columns;\n"
    "  for (int tile = threadIdx.x / 32; tile < rows / 16 * (columns / 16); tile += blockDim.x / 32) {\n"
    "    const int i = tile / (columns / 16) * 16, j = tile % (columns / 16) * 16;\n"
    "    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;\n"
    "    if (adds)\n      wmma::load_matrix_sync(sum, c + i * columns + j, columns, wmma::mem_row_major);\n"
    "    else\n      wmma::fill_fragment(sum, 0.0f);\n"
    "    for (int k = 0; k < terms; k += 16) {\n"
    "      wmma::fragment<wmma::matrix_a, 16, 16, 16, T, typename Layout<a_turned>::type> left;\n"
    "      wmma::fragment<wmma::matrix_b, 16, 16, 16, T, typename Layout<b_turned>::type> right;\n"
    "      wmma::load_matrix_sync(left, a + (a_turned ? k * a_row + i : i * a_row + k), a_row);\n"
    "      wmma::load_matrix_sync(right, b + (b_turned ? j * b_row + k : k * b_row + j), b_row);\n"
    "      wmma::mma_sync(sum, left, right, sum);\n    }\n"
    "    wmma::store_matrix_sync(c + i * columns + j, sum, columns, wmma::mem_row_major);\n  }\n}\n#endif\n";

const char *emit_cuda_text(Arena *arena, const Graph *graph, const char **why) {
  Cuda w = {.arena = arena, .tt = graph->declared->tt, .graph = graph, .out = text_new(arena)};
  Text launches = text_new(arena), whole = text_new(arena);
  for (uint32_t i = 0; i < graph->kernels.count && !w.unsupported; i++) {
    if (graph_view_of(graph, &graph->kernels.data[i]) != GRAPH_NONE) continue;
    if (!graph->kernels.data[i].is_block) w.unsupported = "an operation on whole tensors";
    if (w.unsupported) break;
    emit_kernel(&w, &graph->kernels.data[i]);
    Text kernels = w.out;
    w.out = launches, w.indent = 2;
    emit_launch(&w, &graph->kernels.data[i]);
    launches = w.out, w.out = kernels;
  }
  if (!w.unsupported) emit_launcher(&w, text_string(&launches));
  *why = w.unsupported;
  if (w.unsupported) return NULL;
  text_format(&whole, "/* %s: found by `assay optimize`, whose proof is of the graph. */\n", graph->name);
  text_add(&whole, head);
  if (w.has_copies) text_add(&whole, copies);
  if (w.has_products) text_add(&whole, tensor_cores);
  text_append(&whole, text_string(&w.out), w.out.count);
  return text_string(&whole);
}
