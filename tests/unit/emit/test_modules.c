/* Emitted modules, from pointwise forms made by hand: compared with the texts in golden/, which
 * tests/python/test_emit.py runs. ASSAY_UPDATE_GOLDEN=1 writes them anew. */
#include "../term/table.h"

#include <stdio.h>
#include <stdlib.h>

#include "emit/emit.h"

static Pointwise p;

/* ---- making pointwise forms ---- */

static Term size(const char *name) { return integer(name, SYMBOL_SIZE, tt->one, 0); }

static Term scalar(const char *name, TermSort sort) {
  Term s = term_symbol_new(tt, intern_text(&names, name), sort, sort == SORT_INT ? SYMBOL_SIZE : SYMBOL_SCALAR);
  array_push(&arena, &p.scalars, (PointwiseScalar){s, name, sort == SORT_INT ? "i32" : "f32", NULL, false});
  return s;
}

static Term tensor(const char *name, const char *dtype, uint32_t rank, const Term *extent) {
  PointwiseTensor t = {.name = name, .dtype = dtype, .rank = rank, .is_read = true};
  t.sort = strcmp(dtype, "i1") == 0 ? SORT_BOOL : dtype[0] == 'i' ? SORT_INT : SORT_REAL;
  t.symbol = term_symbol_new(tt, intern_text(&names, name), t.sort, SYMBOL_TENSOR);
  memcpy(t.extent, extent, sizeof *extent * rank);
  array_push(&arena, &p.tensors, t);
  return t.symbol;
}

static PointwiseTensor *find(Term symbol) {
  for (uint32_t i = 0; i < p.tensors.count; i++)
    if (p.tensors.data[i].symbol == symbol) return &p.tensors.data[i];
  return NULL;
}

static Term read1(Term t, Term i) { return term_read(tt, t, find(t)->sort, 1, &i); }
static Term read2(Term t, Term i, Term j) { return term_read(tt, t, find(t)->sort, 2, (Term[]){i, j}); }

/* An output of this shape: its index symbols. */
static PointwiseOutput *output(const char *name, const char *dtype, uint32_t rank, const Term *extent) {
  Term symbol = tensor(name, dtype, rank, extent);
  find(symbol)->is_read = false, find(symbol)->is_written = true;
  static const char *const index[] = {"i", "j", "l"};
  PointwiseOutput o = {.tensor = p.tensors.count - 1, .rank = rank};
  for (uint32_t d = 0; d < rank; d++) {
    o.index[d] = term_symbol_new(tt, intern_text(&names, index[d]), SORT_INT, SYMBOL_INDEX);
    term_symbol_range(tt, o.index[d], tt->zero, term_sub(tt, extent[d], tt->one));
  }
  array_push(&arena, &p.outputs, o);
  return &p.outputs.data[p.outputs.count - 1];
}

static void piece(PointwiseOutput *o, Term region, Term value) {
  array_push(&arena, &o->pieces, (PointwisePiece){region, value, 0});
}

static Term fold(TermFoldOp op, Term k, Term hi, Term body) {
  return term_fold(tt, op, k, tt->zero, hi, tt->true_, body);
}
static Term real(double x) { return term_float(tt, x); }
static Term num(int64_t x) { return term_int(tt, x); }

/* ---- the kernels ---- */

static void make_add(void) { /* x + scale * y, on the first n of N elements */
  Term N = size("N"), n = scalar("n", SORT_INT), scale = scalar("scale", SORT_REAL);
  Term x = tensor("x_ptr", "f32", 1, &N), y = tensor("y_ptr", "f16", 1, &N);
  PointwiseOutput *o = output("out_ptr", "f16", 1, &N);
  Term i = o->index[0];
  piece(o, term_lt(tt, i, n), term_add(tt, read1(x, i), term_mul(tt, scale, read1(y, i))));
}

static void make_softmax(void) {
  Term shape[2] = {size("grid_x"), size("n_cols")};
  Term x = tensor("x_ptr", "f32", 2, shape);
  PointwiseOutput *o = output("y_ptr", "f32", 2, shape);
  Term i = o->index[0], j = o->index[1], k = index_in(tt->zero, shape[1]), l = index_in(tt->zero, shape[1]);
  Term top = fold(FOLD_MAX, k, shape[1], read2(x, i, k));
  Term total = fold(FOLD_SUM, l, shape[1], term_fn1(tt, FN_EXP, term_sub(tt, read2(x, i, l), top)));
  piece(o, tt->true_, term_div(tt, term_fn1(tt, FN_EXP, term_sub(tt, read2(x, i, j), top)), total));
}

static void make_matmul(void) {
  Term M = size("M"), N = size("N"), K = size("K");
  Term a = tensor("a_ptr", "f16", 2, (Term[]){M, K}), b = tensor("b_ptr", "f16", 2, (Term[]){N, K}),
       bias = tensor("bias", "f32", 1, &N);
  PointwiseOutput *o = output("c_ptr", "f16", 2, (Term[]){M, N});
  Term i = o->index[0], j = o->index[1], k = index_in(tt->zero, K);
  Term dot = fold(FOLD_SUM, k, K, term_mul(tt, real(0.5), term_mul(tt, read2(a, i, k), read2(b, j, k))));
  piece(o, tt->true_, term_max(tt, term_add(tt, dot, read1(bias, j)), tt->zero));
}

static void make_gather(void) { /* table[index[i], j], or 0 where the index is negative */
  Term V = size("V"), D = size("D"), n = size("n");
  Term table = tensor("table", "f32", 2, (Term[]){V, D}), index = tensor("lambda", "i64", 1, &n);
  PointwiseOutput *o = output("out", "f32", 2, (Term[]){n, D});
  Term row = read1(index, o->index[0]);
  piece(o, tt->true_, term_select(tt, term_le(tt, tt->zero, row), read2(table, row, o->index[1]), tt->zero));
}

static void make_cumsum(void) {
  Term shape[2] = {size("rows"), size("n")};
  Term x = tensor("x", "f32", 2, shape);
  PointwiseOutput *o = output("y", "f32", 2, shape), *b = output("below", "f32", 2, shape);
  o = &p.outputs.data[0];
  Term k = index_in(tt->zero, shape[1]);
  piece(o, tt->true_,
        term_fold(tt, FOLD_SUM, k, tt->zero, term_add(tt, o->index[1], tt->one), tt->true_, read2(x, o->index[0], k)));
  k = index_in(tt->zero, shape[1]); /* the sum of what comes after */
  piece(b, tt->true_,
        term_fold(tt, FOLD_SUM, k, term_add(tt, b->index[1], tt->one), shape[1], tt->true_, read2(x, b->index[0], k)));
}

static void make_argmax(void) {
  Term shape[2] = {size("rows"), size("n")};
  Term x = tensor("x", "f32", 2, shape);
  PointwiseOutput *value = output("value", "f32", 1, shape), *place = output("place", "i32", 1, shape);
  value = &p.outputs.data[0];
  Term k = index_in(tt->zero, shape[1]), i = place->index[0];
  Term best = fold(FOLD_ARGMAX, k, shape[1], read2(x, i, k));
  piece(place, tt->true_, best);
  best = fold(FOLD_ARGMAX, k, shape[1], read2(x, value->index[0], k));
  piece(value, tt->true_, read2(x, value->index[0], best));
}

static void make_concat(void) { /* two pieces that cover, transposed and shifted */
  Term M = size("M"), N = size("N"), K = size("K");
  Term a = tensor("a", "f32", 2, (Term[]){N, M}), b = tensor("b", "f32", 2, (Term[]){M, K});
  PointwiseOutput *o = output("out", "f32", 2, (Term[]){M, term_add(tt, N, K)});
  Term i = o->index[0], j = o->index[1];
  piece(o, term_lt(tt, j, N), read2(a, j, i));
  piece(o, term_le(tt, N, j), read2(b, i, term_sub(tt, j, N)));
}

static void make_distance(void) { /* sum_k |a[i,k] - b[j,k]|: bounded memory */
  Term M = size("M"), N = size("N"), K = size("K");
  Term a = tensor("a", "f32", 2, (Term[]){M, K}), b = tensor("b", "f32", 2, (Term[]){N, K});
  PointwiseOutput *o = output("out", "f32", 2, (Term[]){M, N});
  Term k = index_in(tt->zero, K);
  Term top = fold(FOLD_MAX, k, K, read2(a, o->index[0], k));
  Term d =
      term_unary(tt, TERM_ABS, term_sub(tt, term_sub(tt, read2(a, o->index[0], k), top), read2(b, o->index[1], k)));
  piece(o, tt->true_, term_div(tt, fold(FOLD_SUM, k, K, d), K));
}

static void make_pool(void) { /* the mean of windows of 2 by 3 */
  Term H = size("H"), W = size("W");
  Term in[2] = {term_scale(tt, rational_int(2), H), term_add(tt, W, num(2))}, out[2] = {H, W};
  Term x = tensor("x", "f32", 2, in);
  PointwiseOutput *o = output("y", "f32", 2, out);
  Term r = index_in(tt->zero, num(2)), s = index_in(tt->zero, num(3));
  Term cell = read2(x, term_add(tt, term_scale(tt, rational_int(2), o->index[0]), r), term_add(tt, o->index[1], s));
  Term total = fold(FOLD_SUM, r, num(2), fold(FOLD_SUM, s, num(3), cell));
  piece(o, tt->true_, term_div(tt, total, num(6)));
}

static void make_gelu(void) { /* in place, with erf and an infinity test */
  Term n = size("n");
  PointwiseOutput *o = output("x_ptr", "bf16", 1, &n);
  find(p.tensors.data[0].symbol)->is_read = true;
  Term x = read1(p.tensors.data[0].symbol, o->index[0]), half = real(0.5);
  Term erf = term_fn1(tt, FN_ERF, term_mul(tt, x, term_power(tt, num(2), (Rational){-1, 2})));
  piece(o, tt->true_, term_mul(tt, term_mul(tt, half, x), term_add(tt, erf, tt->one)));
}

static void make_attention(void) { /* softmax(q k^T * scale) v under a causal mask */
  Term n = size("n"), d = size("d"), scale = scalar("scale", SORT_REAL), shape[2] = {n, d};
  Term q = tensor("q", "f32", 2, shape), key = tensor("k", "f32", 2, shape), v = tensor("v", "f32", 2, shape);
  PointwiseOutput *o = output("out", "f32", 2, shape);
  Term i = o->index[0], s = index_in(tt->zero, n), c = index_in(tt->zero, d), past = term_add(tt, i, tt->one);
  Term score = term_mul(tt, scale, fold(FOLD_SUM, c, d, term_mul(tt, read2(q, i, c), read2(key, s, c))));
  Term top = term_fold(tt, FOLD_MAX, s, tt->zero, past, tt->true_, score);
  Term e = term_fn1(tt, FN_EXP, term_sub(tt, score, top));
  Term below = term_fold(tt, FOLD_SUM, s, tt->zero, past, tt->true_, e);
  Term above = term_fold(tt, FOLD_SUM, s, tt->zero, past, tt->true_, term_mul(tt, e, read2(v, s, o->index[1])));
  piece(o, tt->true_, term_div(tt, above, below));
}

static void make_bits(void) { /* integers: packed halves, a hash, atomically added */
  Term n = size("n"), two = term_scale(tt, rational_int(2), n);
  Term x = tensor("packed", "i8", 1, &n);
  PointwiseOutput *o = output("nibble", "i32", 1, &two), *h = output("hash", "i32", 1, &n);
  o = &p.outputs.data[0];
  Term i = o->index[0], byte = read1(x, term_floordiv(tt, i, num(2)));
  Term shift = term_scale(tt, rational_int(4), term_mod(tt, i, num(2)));
  piece(o, tt->true_, term_fn(tt, FN_BITAND, 2, (Term[]){term_fn(tt, FN_SHR, 2, (Term[]){byte, shift}), num(15)}));
  Term mixed = term_wrap(
      tt, 32, term_mul(tt, num(1664525), term_fn(tt, FN_BITXOR, 2, (Term[]){read1(x, h->index[0]), num(12345)})));
  array_push(&arena, &h->pieces, (PointwisePiece){tt->true_, mixed, 1 + FOLD_SUM});
}

static void make_segments(void) { /* rows of different lengths, given by offsets */
  Term rows = size("rows"), total = size("total"), more = term_add(tt, rows, tt->one);
  Term x = tensor("x", "f32", 1, &total), offset = tensor("offset", "i32", 1, &more);
  PointwiseOutput *o = output("y", "f32", 1, &rows);
  Term i = o->index[0], lo = read1(offset, i), hi = read1(offset, term_add(tt, i, tt->one));
  Term k = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX);
  piece(o, tt->true_, term_fold(tt, FOLD_SUM, k, lo, hi, tt->true_, read1(x, k)));
}

static void make_zeros(void) {
  Term n = size("n");
  PointwiseOutput *o = output("out", "f32", 1, &n);
  piece(o, tt->true_, tt->zero);
}

/* ---- golden texts ---- */

typedef struct Case {
  const char *name;
  void (*make)(void);
  const char *formula;
} Case;

static const Case cases[] = {
    {"add", make_add, "out_ptr = x_ptr + scale*y_ptr"},
    {"softmax", make_softmax, "y_ptr = softmax(x_ptr, axis=1)"},
    {"matmul", make_matmul, "c_ptr = maximum(0.5*matmul(a_ptr, transpose(b_ptr, 1, 0)) + bias, 0)"},
    {"gather", make_gather, NULL},
    {"cumsum", make_cumsum, NULL},
    {"argmax", make_argmax, NULL},
    {"concat", make_concat, "out = concat(transpose(a, 1, 0), b, axis=1)"},
    {"distance", make_distance, NULL},
    {"pool", make_pool, NULL},
    {"gelu", make_gelu, "x_ptr = gelu(x_ptr)"},
    {"attention", make_attention, NULL},
    {"bits", make_bits, NULL},
    {"segments", make_segments, NULL},
    {"zeros", make_zeros, "out = 0"},
};

static const char *load(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return "";
  char *text = arena_alloc(&arena, 1 << 16);
  size_t count = fread(text, 1, (1 << 16) - 1, file);
  text[count] = 0;
  fclose(file);
  return text;
}

static void compare(const Case *c, const char *framework, Text *text) {
  const char *path = arena_format(&arena, SOURCE_DIR "/tests/unit/emit/golden/%s_%s.py", c->name, framework);
  if (getenv("ASSAY_UPDATE_GOLDEN")) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text_string(text), file);
    fclose(file);
  }
  assert_string_equal(load(path), text_string(text));
}

static void check_case(void **state) {
  const Case *c = *state;
  static const char *const assumptions[] = {"inputs are finite"};
  EmitHeader header = {c->formula, "probable", assumptions, 1};
  static const char *const frameworks[] = {"numpy", "pytorch", "jax", "tensorflow", "mlx"};
  for (size_t i = 0; i < sizeof frameworks / sizeof *frameworks; i++) {
    table_open(state);
    assert_int_equal(setjmp(guard.escape), 0);
    p = (Pointwise){.tt = tt, .kernel = c->name};
    c->make();
    Text text = text_new(&arena);
    emit_find(frameworks[i])(&p, &header, &text);
    compare(c, frameworks[i], &text);
    arena_destroy(&arena);
  }
}

int main(void) {
  struct CMUnitTest tests[sizeof cases / sizeof *cases];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    tests[i] = (struct CMUnitTest){cases[i].name, check_case, NULL, NULL, (void *)(uintptr_t)&cases[i]};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
