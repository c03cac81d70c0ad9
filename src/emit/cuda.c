/* Block graphs as CUDA C.
 *
 * A block is a thread block. Each value that has a name in the graph is an array in shared memory, as long as the tile
 * at hand: tiles need no masks, since loops end where they do. The threads share the elements of a statement among
 * them; a barrier follows each. What has no name is computed where it is used: elementwise operations in the
 * expression, reductions and products by loops before it. Arithmetic is in float. The file says LAUNCH where CUDA has
 * its own syntax, so that a compiler for the host takes it too. */
#include "emit/cuda.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emit/integers.h"

typedef struct CudaBound {
  const TensorExpr *e;
  const char *name;
} CudaBound;

typedef struct Cuda {
  Arena *arena;
  TermTable *tt;
  const Graph *graph;
  Text out;
  uint32_t indent, names;
  Array(CudaBound) bounds;
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
  if (e->op == TENSOR_ABS) return arena_format(w->arena, "fabsf(%s)", x);
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
    line(w, arena_format(w->arena, "const float %s = %s;", name, x));
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
  if (e->op == TENSOR_MAXIMUM) return arena_format(w->arena, "fmaxf(%s, %s)", x, y);
  if (e->op == TENSOR_MINIMUM) return arena_format(w->arena, "fminf(%s, %s)", x, y);
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
  line(w, arena_format(w->arena, "float %s = %s;", result, first));
  for (uint32_t i = 0; i < of->rank; i++) own[i] = index[i];
  for (uint32_t i = 0; i < e->axis_count; i++) own[e->axes[i]] = open_loop(w, of->shape[e->axes[i]]);
  const char *x = element(w, of, own), *name = e->fold == FOLD_MAX ? "fmaxf" : "fminf";
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
  line(w, arena_format(w->arena, "float %s = 0;", result));
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

static const char *bound(Cuda *w, const TensorExpr *e) {
  for (uint32_t i = w->bounds.count; i-- > 0;)
    if (w->bounds.data[i].e == e) return w->bounds.data[i].name;
  return NULL;
}

static const char *leaf(Cuda *w, const TensorExpr *e, const char *const *index) {
  if (e->op == TENSOR_CONST) return number(w, e->value, e->sort == SORT_REAL);
  if (e->op == TENSOR_SCALAR) return e->name;
  return e->op == TENSOR_INDEX ? index[0] : failed(w, "a tile that is not loaded");
}

static const char *element(Cuda *w, const TensorExpr *e, const char *const *index) {
  const char *name = bound(w, e);
  guard_tick(w->arena->guard);
  if (name)
    return arena_format(w->arena, e->sort == SORT_REAL ? "(float)%s[%s]" : "%s[%s]", name,
                        flat(w, e->rank, e->shape, index));
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

static void bind(Cuda *w, const TensorExpr *e, const char *name) {
  array_push(w->arena, &w->bounds, (CudaBound){e, name});
}

/* The threads share the elements of a tile. */
static void open_elements(Cuda *w, uint32_t rank, const Term *shape, const char **index) {
  Text count = text_new(w->arena);
  uint32_t live = 0, left = 0;
  for (uint32_t i = 0; i < rank; i++) {
    if (shape[i] == w->tt->one) continue;
    text_format(&count, "%s%s", live++ ? " * " : "", integer(w, shape[i]));
  }
  line(w, arena_format(w->arena, "for (long e = threadIdx.x; e < %s; e += blockDim.x) {",
                       live ? text_string(&count) : "1"));
  w->indent += 2;
  if (live > 1) line(w, "long rest = e;");
  left = live;
  for (uint32_t i = rank; i-- > 0;) {
    index[i] = "0";
    if (shape[i] == w->tt->one) continue;
    index[i] = arena_format(w->arena, "i%u", i);
    const char *length = integer(w, shape[i]);
    line(w, --left ? arena_format(w->arena, "const long %s = rest %% %s;", index[i], length)
                   : arena_format(w->arena, "const long %s = %s;", index[i], live > 1 ? "rest" : "e"));
    if (left) line(w, arena_format(w->arena, "rest /= %s;", length));
  }
}

static void close_elements(Cuda *w) {
  close_loop(w);
  line(w, "__syncthreads();");
}

/* The place of an element of a tile in its tensor. */
static const char *place(Cuda *w, const GraphStatement *s, const char *const *index) {
  const PointwiseTensor *t = tensor_at(w, s->tensor);
  const char *at[POINTWISE_MAX_RANK];
  for (uint32_t i = 0; i < t->rank; i++)
    at[i] = s->axes[i].start == w->tt->zero ? index[i]
            : s->axes[i].extent == w->tt->one
                ? integer(w, s->axes[i].start)
                : arena_format(w->arena, "(%s + %s)", integer(w, s->axes[i].start), index[i]);
  return arena_format(w->arena, "%s[%s]", t->name, flat(w, t->rank, t->extent, at));
}

static void emit_load(Cuda *w, const GraphStatement *s) {
  const char *index[POINTWISE_MAX_RANK];
  open_elements(w, s->leaf->rank, s->leaf->shape, index);
  line(w, arena_format(w->arena, "%s[e] = %s;", s->name, place(w, s, index)));
  close_elements(w);
  bind(w, s->leaf, s->name);
}

static void emit_let(Cuda *w, const GraphStatement *s) {
  const char *index[TENSOR_MAX_RANK];
  open_elements(w, s->value->rank, s->value->shape, index);
  const char *x = element(w, s->value, index);
  line(w, arena_format(w->arena, "%s[e] = %s;", s->name, x));
  close_elements(w);
  bind(w, s->value, s->name);
}

static bool rescales(const GraphKernel *k, uint32_t maximum) {
  for (uint32_t i = 0; i < k->body.count; i++)
    if (k->body.data[i].kind == GRAPH_ACCUMULATE && k->body.data[i].maximum == maximum) return true;
  return false;
}

static void start_accumulator(Cuda *w, const GraphStatement *s) {
  const char *index[TENSOR_MAX_RANK];
  const char *first = s->accumulator == GRAPH_SUM ? "0" : s->accumulator == GRAPH_MAX ? "-INFINITY" : "INFINITY";
  if (s->accumulator == GRAPH_CONCAT) failed(w, "an accumulator that concatenates");
  open_elements(w, s->value->rank, s->value->shape, index);
  line(w, arena_format(w->arena, "%s[e] = %s;", s->name, first));
  close_elements(w);
}

static void emit_accumulator(Cuda *w, const GraphKernel *k, uint32_t i) {
  const GraphStatement *s = &k->body.data[i], *m = s->maximum == GRAPH_NONE ? NULL : &k->body.data[s->maximum];
  const char *index[TENSOR_MAX_RANK], *own[TENSOR_MAX_RANK];
  open_elements(w, s->value->rank, s->value->shape, index);
  const char *x = element(w, s->value, index);
  if (s->accumulator != GRAPH_SUM) {
    const char *name = s->accumulator == GRAPH_MAX ? "fmaxf" : "fminf";
    line(w, arena_format(w->arena, "const float now = %s(%s[e], %s);", name, s->name, x));
    if (rescales(k, i)) line(w, arena_format(w->arena, "%s_scale[e] = expf(%s[e] - now);", s->name, s->name));
    line(w, arena_format(w->arena, "%s[e] = now;", s->name));
  } else if (m) {
    for (uint32_t a = 0; a < m->value->rank; a++)
      own[a] = m->value->shape[a] == w->tt->one ? "0" : index[s->value->rank - m->value->rank + a];
    line(w, arena_format(w->arena, "%s[e] = %s[e] * %s_scale[%s] + %s;", s->name, s->name, m->name,
                         flat(w, m->value->rank, m->value->shape, own), x));
  } else {
    line(w, arena_format(w->arena, "%s[e] += %s;", s->name, x));
  }
  close_elements(w);
  bind(w, s->running, s->name);
  bind(w, s->leaf, s->name);
}

static void emit_save(Cuda *w, const GraphStatement *s) {
  const PointwiseTensor *t = tensor_at(w, s->tensor);
  Term shape[POINTWISE_MAX_RANK];
  const char *index[POINTWISE_MAX_RANK], *own[TENSOR_MAX_RANK];
  for (uint32_t i = 0; i < t->rank; i++) shape[i] = s->axes[i].extent;
  open_elements(w, t->rank, shape, index);
  for (uint32_t i = 0; i < s->value->rank; i++)
    own[i] = s->value->shape[i] == w->tt->one ? "0" : index[t->rank - s->value->rank + i];
  const char *x = element(w, s->value, own);
  line(w, s->adds ? arena_format(w->arena, "atomicAdd(&%s, (%s)(%s));", place(w, s, index), type_of(t->dtype), x)
                  : arena_format(w->arena, "%s = (%s)(%s);", place(w, s, index), type_of(t->dtype), x));
  close_elements(w);
}

static const char *name_of(Cuda *w, const GraphIterator *it) { return term_name(w->tt, it->symbol); }

static void emit_loop(Cuda *w, const GraphKernel *k, uint32_t at) {
  const GraphIterator *it = &k->iterators.data[k->body.data[at].loop];
  for (uint32_t i = at; k->body.data[i].kind != GRAPH_END; i++)
    if (k->body.data[i].kind == GRAPH_ACCUMULATE) start_accumulator(w, &k->body.data[i]);
  const char *t = name_of(w, it);
  line(w, arena_format(w->arena, "for (long %s = 0; %s < %s; %s++) {", t, t, integer(w, it->count), t));
  w->indent += 2;
}

static void emit_body(Cuda *w, const GraphKernel *k) {
  for (uint32_t i = 0; i < k->body.count; i++) {
    const GraphStatement *s = &k->body.data[i];
    switch (s->kind) {
    case GRAPH_LOAD: emit_load(w, s); break;
    case GRAPH_LET: emit_let(w, s); break;
    case GRAPH_ACCUMULATE: emit_accumulator(w, k, i); break;
    case GRAPH_SAVE: emit_save(w, s); break;
    case GRAPH_LOOP: emit_loop(w, k, i); break;
    case GRAPH_END: close_loop(w); break;
    }
  }
}

/* ---- shared memory ---- */

/* The most elements of a tile: a tile of an iterator is as long as it says, or shorter. */
static const char *most(Cuda *w, const GraphKernel *k, uint32_t rank, const Term *shape) {
  Text out = text_new(w->arena);
  uint32_t live = 0;
  for (uint32_t i = 0; i < rank; i++) {
    Term length = shape[i];
    for (uint32_t n = 0; n < k->iterators.count; n++)
      if (term_has_symbol(w->tt, shape[i], k->iterators.data[n].symbol)) length = 0;
    for (uint32_t n = 0; n < k->iterators.count && !length; n++) {
      const GraphIterator *it = &k->iterators.data[n];
      Term own =
          it->tile ? term_min(w->tt, it->tile, term_sub(w->tt, it->range, term_mul(w->tt, it->tile, it->symbol))) : 0;
      if (own == shape[i]) length = it->tile;
    }
    if (!length) return failed(w, "a tile whose length is not known before the launch");
    if (length != w->tt->one) text_format(&out, "%s%s", live++ ? " * " : "", integer(w, length));
  }
  return live ? text_string(&out) : "1";
}

/* An array for each named value; `total` (NULL: not wanted) is what the launcher asks for, in bytes. */
static void emit_shared(Cuda *w, const GraphKernel *k, Text *total) {
  for (uint32_t i = 0; i < k->body.count; i++) {
    const GraphStatement *s = &k->body.data[i];
    const TensorExpr *e = s->kind == GRAPH_LOAD ? s->leaf : s->value;
    if (s->kind != GRAPH_LOAD && s->kind != GRAPH_LET && s->kind != GRAPH_ACCUMULATE) continue;
    const char *type = s->kind == GRAPH_LOAD ? type_of(tensor_at(w, s->tensor)->dtype) : "float";
    uint32_t copies = s->kind == GRAPH_ACCUMULATE && rescales(k, i) ? 2 : 1;
    for (uint32_t c = 0; c < copies; c++) {
      const char *count = most(w, k, e->rank, e->shape);
      if (total) {
        text_format(total, " + ROUND(%s * sizeof(%s))", count, type);
        continue;
      }
      line(w, arena_format(w->arena, "%s *%s%s = (%s *)shared_at;", type, s->name, c ? "_scale" : "", type));
      line(w, arena_format(w->arena, "shared_at += ROUND(%s * sizeof(%s));", count, type));
    }
  }
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
  w->bounds.count = 0, w->names = 0;
  text_format(&w->out, "\n__global__ void %s(", k->name);
  add_parameters(w, false, true);
  text_add(&w->out, ") {\n");
  w->indent = 2;
  line(w, "extern __shared__ __align__(16) unsigned char shared[];");
  line(w, "unsigned char *shared_at = shared;");
  emit_shared(w, k, NULL);
  for (uint32_t i = 0; i < k->grid; i++)
    line(w, arena_format(w->arena, "const long %s = blockIdx.%s;", name_of(w, &k->iterators.data[i]), axes[i]));
  emit_body(w, k);
  text_add(&w->out, "}\n");
}

static void emit_launch(Cuda *w, const GraphKernel *k) {
  Text total = text_new(w->arena), grid = text_new(w->arena);
  emit_shared(w, k, &total);
  for (uint32_t i = 0; i < GRAPH_MAX_GRID; i++)
    text_format(&grid, "%s%s", i ? ", " : "", i < k->grid ? integer(w, k->iterators.data[i].count) : "1");
  line(w, arena_format(w->arena, "if (error == cudaSuccess) error = LAUNCH(%s, dim3(%s), 128, 0%s, stream, ", k->name,
                       text_string(&grid), text_string(&total)));
  w->out.count--; /* the end of the line */
  add_parameters(w, true, true);
  text_add(&w->out, ");\n");
}

static void emit_launcher(Cuda *w) {
  const Pointwise *p = w->graph->declared;
  text_format(&w->out,
              "\n/* Tensors are contiguous; the kernels run one after the other in `stream`. The first error of a "
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
      if (!w->graph->tensors.data[i].is_temporary) continue;
      if (end) {
        line(w, arena_format(w->arena, "if (%s) cudaFreeAsync(%s, stream);", t->name, t->name));
        continue;
      }
      line(w, arena_format(w->arena, "%s *%s = NULL;", type_of(t->dtype), t->name));
      line(w, arena_format(w->arena,
                           "if (error == cudaSuccess) error = cudaMallocAsync((void **)&%s, sizeof *%s%s, stream);",
                           t->name, t->name, text_string(&count)));
    }
    for (uint32_t i = 0; i < w->graph->kernels.count && !end; i++) emit_launch(w, &w->graph->kernels.data[i]);
  }
  line(w, "return error;");
  text_add(&w->out, "}\n");
}

const char *emit_cuda_text(Arena *arena, const Graph *graph, const char **why) {
  Cuda w = {.arena = arena, .tt = graph->declared->tt, .graph = graph, .out = text_new(arena)};
  text_format(
      &w.out,
      "/* %s: found by `assay optimize`, whose proof is of the graph. */\n"
      "#ifndef LAUNCH /* a header for the host has its own */\n#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n"
      "#include <math.h>\n"
      "#define LAUNCH(kernel, grid, threads, shared, stream, ...)                                            \\\n"
      "  (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)(shared)),          \\\n"
      "   kernel<<<grid, threads, shared, stream>>>(__VA_ARGS__), cudaGetLastError())\n#endif\n"
      "#define ROUND(bytes) (((bytes) + 15) / 16 * 16)\n#undef min\n#define min(a, b) ((a) < (b) ? (a) : (b))\n",
      graph->name);
  for (uint32_t i = 0; i < graph->kernels.count && !w.unsupported; i++) {
    if (!graph->kernels.data[i].is_block) w.unsupported = "an operation on whole tensors";
    if (!w.unsupported) emit_kernel(&w, &graph->kernels.data[i]);
  }
  if (!w.unsupported) emit_launcher(&w);
  *why = w.unsupported;
  return w.unsupported ? NULL : text_string(&w.out);
}
