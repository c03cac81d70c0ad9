/* Block graphs as Triton kernels.
 *
 * A block is a program, the grid is the launch's, loops are loops. An axis that is cut into tiles has a vector of
 * positions and, where its last tile may be shorter, a mask; a whole axis whose length is no power of two is padded to
 * the next one, which the host function passes as a constexpr where the length is a size. Loads give 0 beyond the ends;
 * what may be something else there when it is summed, contracted or compared is replaced first: each value knows along
 * which axes it is 0 in the padding. Axes of length 1 do not exist in the code; they come back as [:, None] where a
 * value meets a larger one. Products of at least 16 rows, columns and terms are tl.dot, all others sums of products.
 * Arithmetic is in float32, as are accumulators. */
#include "emit/triton_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static TritonValue failed(Triton *w, const char *why) {
  if (!w->unsupported) w->unsupported = why;
  return (TritonValue){.text = "0.0"};
}

const char *triton_integer(Triton *w, Term t) {
  const char *text = emit_integer_text(w->tt, t);
  return text ? text : failed(w, "a power of an integer").text;
}

/* ---- dimensions ---- */

static int64_t power_of_two(int64_t n) {
  int64_t p = 1;
  while (p < n && p < (int64_t)1 << 40) p *= 2;
  return p;
}

static bool is_live(const Triton *w, Term extent) { return extent != w->tt->one; }

void triton_mark_products(Triton *w, const TensorExpr *e) {
  for (uint32_t i = 0; i < e->count; i++) triton_mark_products(w, e->args[i]);
  if (e->op == TENSOR_IDIOM && e->plain) triton_mark_products(w, e->plain);
  if (e->op != TENSOR_MATMUL) return;
  const TensorExpr *x = e->args[0], *y = e->args[1];
  Term sides[] = {x->shape[x->rank - 2], x->shape[x->rank - 1], y->shape[y->rank - 1]};
  for (int i = 0; i < 3; i++)
    if (!is_live(w, sides[i])) return;
  for (int i = 0; i < 3; i++) array_push(w->arena, &w->multiplied, sides[i]);
}

static int64_t lanes_of(const Triton *w, Term extent, int64_t length) {
  int64_t lanes = power_of_two(length), least = 1;
  for (uint32_t i = 0; i < w->multiplied.count; i++)
    if (w->multiplied.data[i] == extent) least = 16;
  for (uint32_t i = 0; i < w->tiled.count; i++)
    if (w->tiled.data[i].extent == extent && w->tiled.data[i].least > least) least = w->tiled.data[i].least;
  return lanes < least ? least : lanes;
}

TritonDim *triton_dim(Triton *w, Term extent) {
  for (uint32_t i = 0; i < w->dims.count; i++)
    if (w->dims.data[i].extent == extent) return &w->dims.data[i];
  TritonDim d = {.extent = extent};
  int64_t length;
  if (term_is_int(w->tt, extent, &length)) {
    d.least = lanes_of(w, extent, length), d.size = arena_format(w->arena, "%ld", (long)d.least);
    if (d.least != length) d.mask = arena_format(w->arena, "(tl.arange(0, %s) < %ld)", d.size, (long)length);
  } else {
    const char *text = triton_integer(w, extent);
    bool is_size = term_kind(w->tt, extent) == TERM_SYM;
    d.size = is_size ? arena_format(w->arena, "BLOCK_%s", text) : arena_format(w->arena, "BLOCK_%u", w->dims.count);
    d.least = lanes_of(w, extent, 16), d.is_parameter = true;
    d.mask = arena_format(w->arena, "(tl.arange(0, %s) < %s)", d.size, text);
  }
  array_push(w->arena, &w->dims, d);
  return &w->dims.data[w->dims.count - 1];
}

static void add_dim(Triton *w, TritonValue *v, Term extent) {
  if (is_live(w, extent) && v->rank < TENSOR_MAX_RANK) v->dims[v->rank++] = extent;
}

/* ---- values ---- */

static TritonValue as_float(Triton *w, TritonValue v) {
  if (!v.raw) return v;
  v.text = arena_format(w->arena, "%s.to(tl.float32)", v.text), v.raw = NULL;
  return v;
}

/* Indexed with None where `to` has an axis that v lacks. `places`: where v's axes are among those. */
static const char *spread(Triton *w, TritonValue v, uint32_t rank, const uint32_t *places) {
  Text index = text_new(w->arena);
  if (!v.rank || v.rank == rank) return v.text;
  for (uint32_t i = 0, next = 0; i < rank; i++) {
    bool has = next < v.rank && places[next] == i;
    text_format(&index, "%s%s", i ? ", " : "", has ? ":" : "None");
    next += has;
  }
  bool simple = strspn(v.text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(v.text);
  return arena_format(w->arena, simple ? "%s[%s]" : "(%s)[%s]", v.text, text_string(&index));
}

/* The mask of one dimension, as an array of v's rank. */
static const char *mask_at(Triton *w, const TritonValue *v, uint32_t at) {
  TritonValue mask = {.text = triton_dim(w, v->dims[at])->mask, .rank = 1, .dims = {v->dims[at]}};
  return spread(w, mask, v->rank, &at);
}

static bool is_padded(Triton *w, Term extent) { return triton_dim(w, extent)->mask != NULL; }

static TritonValue fill(Triton *w, TritonValue v, uint32_t at, const char *with) {
  bool zero = !strcmp(with, "0.0");
  if (!is_padded(w, v.dims[at]) || (zero && (v.zero >> at & 1))) return v;
  v.text = arena_format(w->arena, "tl.where(%s, %s, %s)", mask_at(w, &v, at), v.text, with);
  v.zero = zero ? v.zero | 1u << at : v.zero & ~(1u << at);
  return v;
}

static TritonValue value(Triton *w, const TensorExpr *e);

/* ---- elementwise ---- */

static const char *unary_text(Triton *w, const TensorExpr *e, const char *x) {
  if (e->op == TENSOR_NEG) return arena_format(w->arena, "(-%s)", x);
  if (e->op == TENSOR_NOT) return arena_format(w->arena, "(~%s)", x);
  if (e->op == TENSOR_SQRT) return arena_format(w->arena, "tl.sqrt(%s)", x);
  if (e->op == TENSOR_EXP2) return arena_format(w->arena, "tl.exp2(%s)", x);
  if (e->op == TENSOR_LOG2) return arena_format(w->arena, "tl.log2(%s)", x);
  if (e->op == TENSOR_ABS) return arena_format(w->arena, "tl.abs(%s)", x);
  if (e->op == TENSOR_FLOOR) return arena_format(w->arena, "tl.floor(%s)", x);
  if (e->op == TENSOR_CEIL) return arena_format(w->arena, "tl.ceil(%s)", x);
  const char *call = e->op == TENSOR_FN1 ? term_fn_info(e->fn)->triton : NULL, *mark = call ? strstr(call, "%s") : NULL;
  if (mark) return arena_format(w->arena, "%.*s%s%s", (int)(mark - call), call, x, mark + 2);
  return failed(w, "a function that Triton's language has not").text;
}

/* 0: it is no number. */
static Rational exponent_of(const Triton *w, const TensorExpr *e) {
  bool is_number = e->args[1]->op == TENSOR_CONST && term_is_rat(w->tt, e->args[1]->value);
  return is_number ? term_rat(w->tt, e->args[1]->value) : (Rational){.num = 0, .den = 1};
}

static const char *power_text(Triton *w, const TensorExpr *e, const char *x) {
  Rational r = exponent_of(w, e);
  if (r.den == 1 && r.num == 2) return arena_format(w->arena, "(%s * %s)", x, x);
  if (r.den == 1 && r.num == 3) return arena_format(w->arena, "(%s * %s * %s)", x, x, x);
  if (r.den == 1 && r.num == -1) return arena_format(w->arena, "(1.0 / %s)", x);
  if (r.den == 2 && r.num == 1) return arena_format(w->arena, "tl.sqrt(%s)", x);
  if (r.den == 2 && r.num == -1) return arena_format(w->arena, "tl.rsqrt(%s)", x);
  return failed(w, "a power that Triton's language has not").text;
}

static const char *binary_text(Triton *w, const TensorExpr *e, const char *x, const char *y) {
  if (e->op == TENSOR_MAXIMUM) return arena_format(w->arena, "tl.maximum(%s, %s)", x, y);
  if (e->op == TENSOR_MINIMUM) return arena_format(w->arena, "tl.minimum(%s, %s)", x, y);
  if (e->op == TENSOR_POW) return power_text(w, e, x);
  if (e->op == TENSOR_FN2) return failed(w, "a function of two values").text;
  return arena_format(w->arena, "(%s %s %s)", x, tensor_op_text(e->op), y);
}

static const char *idiom_text(Triton *w, const TensorExpr *e, const char *x) {
  if (e->idiom == TENSOR_RELU) return arena_format(w->arena, "tl.maximum(%s, 0.0)", x);
  if (e->idiom == TENSOR_SIGMOID) return arena_format(w->arena, "tl.sigmoid(%s)", x);
  if (e->idiom == TENSOR_SILU) return arena_format(w->arena, "(%s * tl.sigmoid(%s))", x, x);
  return NULL;
}

static bool compares(TensorOp op) {
  return op == TENSOR_LT || op == TENSOR_LE || op == TENSOR_GT || op == TENSOR_GE || op == TENSOR_EQ || op == TENSOR_NE;
}

/* A whole number beside what it is compared with, as one: integers are not rounded to floats then. */
static const char *whole_text(Triton *w, const TensorExpr *e, const char *text) {
  int64_t value;
  bool is_whole =
      e->op == TENSOR_CONST && term_is_int(w->tt, e->value, &value) && value >= -INT32_MAX && value <= INT32_MAX;
  return is_whole ? arena_format(w->arena, "%lld", (long long)value) : text;
}

/* The axes along which it is 0 in the padding, if its arguments are. A product with what may be no number there is
 * not. */
static uint32_t zero_of(const Triton *w, const TensorExpr *e, const uint32_t *zero, const uint32_t *has) {
  if (e->op == TENSOR_MUL) return (zero[0] | zero[1]) & (zero[0] | ~has[0]) & (zero[1] | ~has[1]);
  if (e->op == TENSOR_DIV) return 0; /* 0 / 0 */
  if (e->op == TENSOR_ADD || e->op == TENSOR_SUB || e->op == TENSOR_MAXIMUM || e->op == TENSOR_MINIMUM)
    return zero[0] & zero[1];
  if (e->op == TENSOR_NEG || e->op == TENSOR_SQRT || e->op == TENSOR_ABS) return zero[0];
  if (e->op == TENSOR_POW) return exponent_of(w, e).num > 0 ? zero[0] : 0; /* 1 / 0 */
  if (e->op == TENSOR_IDIOM) return e->idiom == TENSOR_RELU || e->idiom == TENSOR_SILU ? zero[0] : 0;
  return 0;
}

static TritonValue elementwise(Triton *w, const TensorExpr *e, uint32_t count) {
  TritonValue out = {0}, args[3];
  uint32_t live[TENSOR_MAX_RANK], zero[3] = {0}, has[3] = {0};
  for (uint32_t i = 0; i < e->rank; i++) {
    live[i] = out.rank;
    add_dim(w, &out, e->shape[i]);
  }
  for (uint32_t a = 0; a < count; a++) {
    const TensorExpr *x = e->args[a];
    uint32_t places[TENSOR_MAX_RANK], n = 0;
    args[a] = as_float(w, value(w, x));
    if (compares(e->op)) args[a].text = whole_text(w, x, args[a].text);
    for (uint32_t i = 0; i < x->rank; i++)
      if (is_live(w, x->shape[i])) places[n++] = live[e->rank - x->rank + i];
    for (uint32_t i = 0; i < n; i++) {
      has[a] |= 1u << places[i];
      if (args[a].zero >> i & 1) zero[a] |= 1u << places[i];
    }
    args[a].text = spread(w, args[a], out.rank, places);
  }
  out.text = e->op == TENSOR_IDIOM ? idiom_text(w, e, args[0].text)
             : e->op == TENSOR_WHERE
                 ? arena_format(w->arena, "tl.where(%s, %s, %s)", args[0].text, args[1].text, args[2].text)
             : count == 1 && e->op != TENSOR_POW ? unary_text(w, e, args[0].text)
                                                 : binary_text(w, e, args[0].text, args[1].text);
  out.zero = zero_of(w, e, zero, has);
  return out;
}

/* ---- reductions and products ---- */

static TritonValue reduce(Triton *w, const TensorExpr *e) {
  TritonValue v = as_float(w, value(w, e->args[0]));
  const char *name = e->fold == FOLD_SUM ? "sum" : e->fold == FOLD_MAX ? "max" : "min";
  const char *neutral = e->fold == FOLD_SUM ? "0.0" : e->fold == FOLD_MAX ? "float(\"-inf\")" : "float(\"inf\")";
  if (e->fold != FOLD_SUM && e->fold != FOLD_MAX && e->fold != FOLD_MIN)
    return failed(w, "a reduction that Triton's language has not");
  for (uint32_t k = e->axis_count; k-- > 0;) {
    uint32_t at = 0;
    if (!is_live(w, e->args[0]->shape[e->axes[k]])) continue;
    for (uint32_t i = 0; i < e->axes[k]; i++) at += is_live(w, e->args[0]->shape[i]);
    v = fill(w, v, at, neutral);
    v.text = arena_format(w->arena, "tl.%s(%s, %u)", name, v.text, at);
    uint32_t low = (1u << at) - 1;
    v.zero = e->fold == FOLD_SUM ? (v.zero & low) | (v.zero >> 1 & ~low) : 0;
    for (uint32_t i = at; i + 1 < v.rank; i++) v.dims[i] = v.dims[i + 1];
    v.rank--;
  }
  return v;
}

static bool is_large(Triton *w, Term extent) { return is_live(w, extent) && triton_dim(w, extent)->least >= 16; }

/* Both in the type that one of them has in memory, or in float32. */
static const char *dot_text(Triton *w, TritonValue a, TritonValue b) {
  bool half = (a.raw && strcmp(a.raw, "f32")) || (b.raw && strcmp(b.raw, "f32"));
  const char *options = half ? "" : ", input_precision=\"ieee\"";
  if (a.raw && b.raw && strcmp(a.raw, b.raw)) { /* in the narrower one */
    bool left = !strcmp(a.raw, "f32");
    TritonValue *wide = left ? &a : &b;
    wide->text = arena_format(w->arena, "%s.to(%s.dtype)", wide->text, left ? b.text : a.text);
  }
  if (a.raw && !b.raw) b.text = arena_format(w->arena, "%s.to(%s.dtype)", b.text, a.text);
  if (b.raw && !a.raw) a.text = arena_format(w->arena, "%s.to(%s.dtype)", a.text, b.text);
  return arena_format(w->arena, "tl.dot(%s, %s%s)", a.text, b.text, options);
}

/* A side of the product `e` with all batch axes of the result, of length 1 in the code where it lacks them. */
static TritonValue with_batch(Triton *w, const TensorExpr *e, const TensorExpr *side, TritonValue v,
                              const TritonValue *all, uint32_t batch) {
  TritonValue out = {.raw = v.raw};
  uint32_t places[TENSOR_MAX_RANK], n = 0, live = 0, own = 0;
  for (uint32_t i = 0; i + 2 < e->rank; i++) {
    uint32_t missing = e->rank - side->rank;
    bool has = i >= missing && is_live(w, side->shape[i - missing]);
    if (!is_live(w, e->shape[i])) continue;
    if (has && (v.zero >> own & 1)) out.zero |= 1u << live;
    if (has) places[n++] = live, own++;
    live++;
  }
  if (own == batch) return v;
  for (uint32_t i = 0; i < batch; i++) out.dims[out.rank++] = all->dims[i];
  for (; own < v.rank; own++) {
    if (v.zero >> own & 1) out.zero |= 1u << out.rank;
    places[n++] = out.rank, out.dims[out.rank++] = v.dims[own];
  }
  out.text = spread(w, v, out.rank, places);
  return out;
}

/* With copies along the axes that `v` lacks. */
static const char *copied(Triton *w, const TritonValue *v, bool is_short) {
  Text shape = text_new(w->arena);
  if (!is_short) return v->text;
  for (uint32_t i = 0; i < v->rank; i++) text_format(&shape, "%s%s", i ? ", " : "", triton_dim(w, v->dims[i])->size);
  return arena_format(w->arena, "tl.broadcast_to(%s, (%s))", v->text, text_string(&shape));
}

static TritonValue matmul(Triton *w, const TensorExpr *e) {
  const TensorExpr *x = e->args[0], *y = e->args[1];
  TritonValue a = value(w, x), b = value(w, y), out = {0};
  Term inner = x->shape[x->rank - 1], row = x->shape[x->rank - 2], column = y->shape[y->rank - 1];
  for (uint32_t i = 0; i < e->rank; i++) add_dim(w, &out, e->shape[i]);
  uint32_t batch = out.rank - is_live(w, row) - is_live(w, column), a_rank = a.rank, b_rank = b.rank;
  a = with_batch(w, e, x, a, &out, batch), b = with_batch(w, e, y, b, &out, batch);
  bool has_terms = is_live(w, inner); /* else rows by columns, and nothing is summed */
  bool large = has_terms && is_large(w, inner) && is_large(w, row) && is_large(w, column) && batch <= 1;
  if (large) a.text = copied(w, &a, a_rank < a.rank), b.text = copied(w, &b, b_rank < b.rank);
  if (has_terms) a = fill(w, a, a.rank - 1, "0.0"), b = fill(w, b, batch, "0.0");
  out.zero = (a.zero & ((1u << (batch + is_live(w, row))) - 1)) |
             (is_live(w, column) && (b.zero >> (b.rank - 1) & 1) ? 1u << (out.rank - 1) : 0);
  if (large) {
    out.text = dot_text(w, a, b);
    return out;
  }
  /* rows by terms by columns, summed over the terms */
  uint32_t places[TENSOR_MAX_RANK], all = out.rank + has_terms, at = batch + is_live(w, row);
  a = as_float(w, a), b = as_float(w, b);
  for (uint32_t i = 0; i < a.rank; i++) places[i] = i;
  const char *left = spread(w, a, all, places);
  for (uint32_t i = 0; i < b.rank; i++) places[i] = i < batch ? i : i + is_live(w, row);
  out.text =
      arena_format(w->arena, has_terms ? "tl.sum(%s * %s, %u)" : "(%s * %s)", left, spread(w, b, all, places), at);
  return out;
}

/* ---- views and leaves ---- */

static TritonValue transpose(Triton *w, const TensorExpr *e) {
  TritonValue v = value(w, e->args[0]), out = {.raw = v.raw};
  Text order = text_new(w->arena);
  bool same = true;
  for (uint32_t i = 0; i < e->rank; i++) {
    uint32_t from = 0;
    if (!is_live(w, e->shape[i])) continue;
    for (uint32_t k = 0; k < e->axes[i]; k++) from += is_live(w, e->args[0]->shape[k]);
    text_format(&order, ", %u", from);
    same &= from == out.rank;
    if (v.zero >> from & 1) out.zero |= 1u << out.rank;
    add_dim(w, &out, e->shape[i]);
  }
  out.text = same ? v.text : arena_format(w->arena, "tl.permute(%s%s)", v.text, text_string(&order));
  return out;
}

static TritonValue view(Triton *w, const TensorExpr *e) {
  if (e->op == TENSOR_TRANSPOSE) return transpose(w, e);
  TritonValue v = value(w, e->args[0]);
  uint32_t live = 0;
  for (uint32_t i = 0; i < e->rank; i++) live += is_live(w, e->shape[i]);
  if (e->op == TENSOR_EXPAND || e->op == TENSOR_SQUEEZE) return v;
  if (live != v.rank) return failed(w, "a change of shape that is more than axes of length 1");
  return v;
}

/* A literal of a float: with a point, so that no function takes it for an integer. */
static const char *float_text(Triton *w, double value) {
  for (int digits = 6;; digits++) {
    const char *text = arena_format(w->arena, "%.*g", digits, value);
    if (strtod(text, NULL) == value || digits == 17)
      return strpbrk(text, ".e") ? text : arena_format(w->arena, "%s.0", text);
  }
}

static TritonValue number(Triton *w, const TensorExpr *e) {
  TritonValue out = {0};
  Term t = e->value;
  if (t == w->tt->inf || t == w->tt->neg_inf)
    out.text = t == w->tt->inf ? "float(\"inf\")" : "float(\"-inf\")";
  else if (term_is_rat(w->tt, t))
    out.text = float_text(w, rational_to_double(term_rat(w->tt, t)));
  else
    out.text = arena_format(w->arena, "(%s)", triton_integer(w, t));
  return out;
}

static TritonValue leaf(Triton *w, const TensorExpr *e) {
  TritonValue out = {0};
  if (e->op == TENSOR_CONST) return number(w, e);
  if (e->op == TENSOR_SCALAR) return out.text = e->name, out;
  if (e->op == TENSOR_INPUT) return failed(w, "a tile that is not loaded");
  add_dim(w, &out, e->shape[0]);
  out.text = out.rank ? arena_format(w->arena, "tl.arange(0, %s)", triton_dim(w, e->shape[0])->size) : "0";
  return out;
}

static const TritonBound *bound_of(const Triton *w, const TensorExpr *e) {
  for (uint32_t i = w->bounds.count; i-- > 0;)
    if (w->bounds.data[i].e == e) return &w->bounds.data[i];
  return NULL;
}

/* What is made of numbers alone, such as sqrt(2 / (4 * atan(1))), is a number, and not computed by each lane. */
static bool is_number(const Triton *w, const TensorExpr *e, double *out) {
  double x[2] = {0};
  if (e->op == TENSOR_CONST && term_is_rat(w->tt, e->value))
    return *out = rational_to_double(term_rat(w->tt, e->value)), true;
  if (e->rank || !e->count || e->count > 2) return false;
  for (uint32_t i = 0; i < e->count; i++)
    if (!is_number(w, e->args[i], &x[i])) return false;
  if (e->op == TENSOR_SQRT) return *out = sqrt(x[0]), true;
  if (e->op == TENSOR_FN1) return *out = term_fn_value(e->fn, x[0], 0), true;
  if (e->op == TENSOR_MUL) return *out = x[0] * x[1], true;
  if (e->op == TENSOR_DIV && x[1] != 0) return *out = x[0] / x[1], true;
  return false;
}

static TritonValue value(Triton *w, const TensorExpr *e) {
  const TritonBound *bound = bound_of(w, e);
  double number;
  if (bound) return bound->value;
  if (e->op != TENSOR_CONST && is_number(w, e, &number) && isfinite(number))
    return (TritonValue){.text = float_text(w, number)};
  guard_tick(w->arena->guard);
  switch (tensor_op_form(e->op)) {
  case TENSOR_FORM_LEAF: return leaf(w, e);
  case TENSOR_FORM_UNARY: return elementwise(w, e, 1);
  case TENSOR_FORM_BINARY: return elementwise(w, e, e->op == TENSOR_POW ? 1 : 2);
  case TENSOR_FORM_TERNARY: return elementwise(w, e, 3);
  case TENSOR_FORM_VIEW: return view(w, e);
  case TENSOR_FORM_FOLD:
    if (e->op == TENSOR_REDUCE) return reduce(w, e);
    if (e->op == TENSOR_MATMUL) return matmul(w, e);
    if (e->op == TENSOR_IDIOM && idiom_text(w, e, "x")) return elementwise(w, e, 1);
    if (e->op == TENSOR_IDIOM) return value(w, e->plain);
    break;
  case TENSOR_FORM_CALL:
  case TENSOR_FORM_INDEX: break;
  }
  return failed(w, arena_format(w->arena, "'%s'", tensor_op_text(e->op)));
}

TritonValue triton_value(Triton *w, const TensorExpr *e) {
  TritonValue v = value(w, e);
  int64_t elements = 1;
  for (uint32_t i = 0; i < v.rank && elements < INT32_MAX; i++) elements *= triton_dim(w, v.dims[i])->least;
  if (elements > w->widest) w->widest = elements;
  return v;
}

TritonValue triton_float(Triton *w, TritonValue v) { return as_float(w, v); }

/* Without the brackets around all of it. */
const char *triton_bare(Triton *w, const char *text) {
  size_t n = strlen(text);
  int depth = 0;
  if (n < 2 || text[0] != '(') return text;
  for (size_t i = 0; i < n; i++) {
    depth += (text[i] == '(') - (text[i] == ')');
    if (!depth && i + 1 < n) return text;
  }
  return arena_copy(w->arena, text + 1, n - 2);
}

/* v at the places of `to`, whose last axes it has; axes of length 1 of `from` are in neither. */
const char *triton_spread(Triton *w, TritonValue v, const TensorExpr *from, const TensorExpr *to) {
  return triton_spread_to(w, v, from, to->rank, to->shape);
}

const char *triton_spread_to(Triton *w, TritonValue v, const TensorExpr *from, uint32_t to, const Term *shape) {
  uint32_t places[TENSOR_MAX_RANK], n = 0, rank = 0, live[TENSOR_MAX_RANK];
  for (uint32_t i = 0; i < to; i++) {
    live[i] = rank;
    rank += is_live(w, shape[i]);
  }
  for (uint32_t i = 0; i < from->rank; i++)
    if (is_live(w, from->shape[i])) places[n++] = live[to - from->rank + i];
  return spread(w, v, rank, places);
}
