/* Deduction on pointwise forms built by hand: golden texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lift/deduce.h"

typedef struct Kernel {
  Guard guard;
  Arena arena;
  InternTable names;
  TermTable *tt;
  Pointwise p;
  PointwiseOutput output;
} Kernel;

static Kernel kernel;

static void start(void) {
  memset(&kernel, 0, sizeof kernel);
  guard_init(&kernel.guard, 0, 0);
  arena_init(&kernel.arena, &kernel.guard);
  intern_init(&kernel.names, &kernel.arena);
  kernel.tt = term_table_new(&kernel.arena, &kernel.names);
  kernel.p = (Pointwise){.tt = kernel.tt, .kernel = "test"};
}

static Term size(const char *name) {
  Term s = term_symbol_new(kernel.tt, intern_text(&kernel.names, name), SORT_INT, SYMBOL_SIZE);
  term_symbol_range(kernel.tt, s, kernel.tt->one, 0);
  array_push(&kernel.arena, &kernel.p.scalars, (PointwiseScalar){s, name, "i32", NULL, false});
  return s;
}

static Term scalar(const char *name) {
  Term s = term_symbol_new(kernel.tt, intern_text(&kernel.names, name), SORT_REAL, SYMBOL_SCALAR);
  array_push(&kernel.arena, &kernel.p.scalars, (PointwiseScalar){s, name, "f32", NULL, false});
  return s;
}

static Term tensor_of(const char *name, TermSort sort, uint32_t rank, Term a, Term b, Term c) {
  Term s = term_symbol_new(kernel.tt, intern_text(&kernel.names, name), sort, SYMBOL_TENSOR);
  PointwiseTensor t = {.symbol = s,
                       .name = name,
                       .dtype = sort == SORT_INT ? "i64" : "f32",
                       .sort = sort,
                       .rank = rank,
                       .extent = {a, b, c}};
  array_push(&kernel.arena, &kernel.p.tensors, t);
  return s;
}

static Term matrix(const char *name, Term m, Term n) { return tensor_of(name, SORT_REAL, 2, m, n, 0); }
static Term vector(const char *name, Term n) { return tensor_of(name, SORT_REAL, 1, n, 0, 0); }

/* The output is the last tensor made. */
static void output_is(uint32_t rank) {
  const PointwiseTensor *t = &kernel.p.tensors.data[kernel.p.tensors.count - 1];
  kernel.output = (PointwiseOutput){.tensor = kernel.p.tensors.count - 1, .rank = rank};
  for (uint32_t i = 0; i < rank; i++) {
    Term s = term_symbol_fresh(kernel.tt, "i", SORT_INT, SYMBOL_INDEX);
    kernel.output.index[i] =
        term_symbol_range(kernel.tt, s, kernel.tt->zero, term_sub(kernel.tt, t->extent[i], kernel.tt->one));
  }
}

static void piece(Term region, Term value, int accumulate) {
  array_push(&kernel.arena, &kernel.output.pieces, (PointwisePiece){region, value, accumulate});
}

static void expect(const char *text) {
  const char *why;
  const TensorExpr *e = deduce(&kernel.p, &kernel.output, &(TensorBitsList){0}, &why);
  if (!e) print_message("not deduced: %s\n", why);
  assert_string_equal(e ? tensor_text(kernel.tt, e) : "", text);
  arena_destroy(&kernel.arena);
}

#define TT kernel.tt
#define I kernel.output.index[0]
#define J kernel.output.index[1]
#define K kernel.output.index[2]
static Term at1(Term t, Term i) { return term_read(TT, t, term_sort(TT, t), 1, &i); }
static Term at2(Term t, Term i, Term j) { return term_read(TT, t, term_sort(TT, t), 2, (Term[]){i, j}); }
static Term at3(Term t, Term i, Term j, Term k) { return term_read(TT, t, term_sort(TT, t), 3, (Term[]){i, j, k}); }

static Term bound(Term length) {
  Term k = term_symbol_fresh(TT, "r", SORT_INT, SYMBOL_INDEX);
  return term_symbol_range(TT, k, TT->zero, term_sub(TT, length, TT->one));
}
static Term fold(TermFoldOp op, Term k, Term n, Term body) {
  return term_fold(TT, op, k, TT->zero, n, TT->true_, body);
}
static Term ex(Term x) { return term_fn1(TT, FN_EXP, x); }
static Term sub(Term a, Term b) { return term_sub(TT, a, b); }
static Term add(Term a, Term b) { return term_add(TT, a, b); }
static Term mul(Term a, Term b) { return term_mul(TT, a, b); }
static Term divide(Term a, Term b) { return term_div(TT, a, b); }

static void test_elementwise(void **state) {
  (void)state;
  start();
  Term n = size("n"), x = vector("x", n), y = vector("y", n);
  vector("out", n);
  output_is(1);
  piece(TT->true_, sub(mul(at1(x, I), at1(y, I)), divide(at1(y, I), add(TT->one, ex(term_neg(TT, at1(x, I)))))), 0);
  expect("x * y - y / (1 + exp(-x))");
}

/* Atomics into elements that a store has written, or another atomic, or nobody: what they find there is not the same.
 */
static void test_accumulated_pieces(void **state) {
  (void)state;
  start();
  Term n = size("n"), x = vector("x", n), y = vector("y", n);
  vector("out", n);
  output_is(1);
  Term low = term_le(TT, I, term_int(TT, 3));
  piece(low, at1(x, I), 0);
  piece(TT->true_, at1(y, I), FOLD_SUM + 1);
  expect("where(index(n) <= 3, x, out) + y");
  start();
  n = size("n"), x = vector("x", n), y = vector("y", n);
  vector("out", n);
  output_is(1);
  piece(term_eq(TT, I, TT->zero), at1(x, I), FOLD_SUM + 1);
  piece(term_eq(TT, I, TT->one), at1(y, I), FOLD_SUM + 1);
  expect("out + where(index(n) == 0, x, 0) + where(index(n) == 1, y, 0)");
  start();
  n = size("n"), x = vector("x", n), y = vector("y", n);
  vector("out", n);
  output_is(1);
  piece(term_eq(TT, I, TT->zero), at1(x, I), FOLD_MAX + 1);
  piece(term_eq(TT, I, TT->one), at1(y, I), FOLD_MAX + 1);
  expect("where(index(n) == 1, maximum(out, y), where(index(n) == 0, maximum(out, x), out))");
}

static void test_bias_broadcast(void **state) {
  (void)state;
  start();
  Term m = size("m"), n = size("n"), x = matrix("x", m, n), row = vector("row", n), column = vector("col", m);
  matrix("out", m, n);
  output_is(2);
  piece(TT->true_, add(add(at2(x, I, J), at1(row, J)), at1(column, I)), 0);
  expect("x + row + column(col)");
}

static void test_transpose(void **state) {
  (void)state;
  start();
  Term m = size("m"), n = size("n"), x = matrix("x", m, n);
  matrix("out", n, m);
  output_is(2);
  piece(TT->true_, at2(x, J, I), 0);
  expect("transpose(x, 1, 0)");
}

static void test_softmax(void **state) {
  (void)state;
  start();
  Term m = size("m"), n = size("n"), x = matrix("x", m, n);
  matrix("out", m, n);
  output_is(2);
  Term k = bound(n), largest = fold(FOLD_MAX, k, n, at2(x, I, k)), j = bound(n);
  Term total = fold(FOLD_SUM, j, n, ex(sub(at2(x, I, j), largest)));
  piece(TT->true_, divide(ex(sub(at2(x, I, J), largest)), total), 0);
  expect("exp(x - max(x, axis=1)) / sum(exp(x - max(x, axis=1)), axis=1)");
}

static void test_layer_norm(void **state) {
  (void)state;
  start();
  Term m = size("m"), n = size("n"), eps = scalar("eps"), x = matrix("x", m, n), w = vector("w", n), b = vector("b", n);
  matrix("out", m, n);
  output_is(2);
  Term k = bound(n), mean = divide(fold(FOLD_SUM, k, n, at2(x, I, k)), n), j = bound(n), d = sub(at2(x, I, j), mean);
  Term var = divide(fold(FOLD_SUM, j, n, mul(d, d)), n), rstd = term_power(TT, add(var, eps), (Rational){-1, 2});
  piece(TT->true_, add(mul(mul(sub(at2(x, I, J), mean), rstd), at1(w, J)), at1(b, J)), 0);
  expect("(x - sum(x, axis=1) / n) / sqrt(sum((x - sum(x, axis=1) / n) ** 2, axis=1) / n + eps) * w + b");
}

static void test_row_results(void **state) { /* the reduced axis is dropped at the output, and kept before */
  (void)state;
  start();
  Term m = size("m"), n = size("n"), x = matrix("x", m, n), b = vector("b", m);
  vector("out", m);
  output_is(1);
  Term k = bound(n);
  piece(TT->true_, add(fold(FOLD_SUM, k, n, at2(x, I, k)), at1(b, I)), 0);
  expect("sum(x, axis=1) + column(b)");
}

static void test_column_sum_and_argmax(void **state) {
  (void)state;
  start();
  Term m = size("m"), n = size("n"), x = matrix("x", m, n);
  vector("out", n);
  output_is(1);
  Term k = bound(m);
  piece(TT->true_, fold(FOLD_ARGMAX, k, m, at2(x, k, I)), 0);
  expect("argmax(x, axis=0)");
}

static void test_full_sum(void **state) {
  (void)state;
  start();
  Term m = size("m"), n = size("n"), x = matrix("x", m, n);
  tensor_of("out", SORT_REAL, 0, 0, 0, 0);
  output_is(0);
  Term k = bound(n), i = bound(m);
  piece(TT->true_, fold(FOLD_SUM, i, m, fold(FOLD_SUM, k, n, at2(x, i, k))), 1 + FOLD_SUM);
  expect("out + sum(x)");
}

static void test_matmul(void **state) {
  (void)state;
  start();
  Term m = size("m"), n = size("n"), l = size("l"), a = matrix("a", m, l), b = matrix("b", n, l),
       bias = vector("bias", n);
  matrix("out", m, n);
  output_is(2);
  Term k = bound(l);
  piece(TT->true_, add(fold(FOLD_SUM, k, l, mul(at2(a, I, k), at2(b, J, k))), at1(bias, J)), 0);
  expect("a @ transpose(b, 1, 0) + bias");
}

static void test_attention(void **state) {
  (void)state;
  start();
  Term h = size("h"), n = size("n"), dim = size("dim"), scale = scalar("scale");
  Term q = tensor_of("q", SORT_REAL, 3, h, n, dim), key = tensor_of("k", SORT_REAL, 3, h, n, dim),
       v = tensor_of("v", SORT_REAL, 3, h, n, dim);
  tensor_of("out", SORT_REAL, 3, h, n, dim);
  output_is(3);
  Term e = bound(dim), t = bound(n), u = bound(n);
  Term score = mul(scale, fold(FOLD_SUM, e, dim, mul(at3(q, I, J, e), at3(key, I, t, e))));
  Term largest = fold(FOLD_MAX, t, n, score), weight = ex(sub(score, largest));
  Term total = fold(FOLD_SUM, u, n, term_replace(TT, weight, t, u));
  piece(TT->true_, divide(fold(FOLD_SUM, t, n, mul(weight, at3(v, I, t, K))), total), 0);
  expect("(exp(scale * (q @ transpose(k, 0, 2, 1)) - max(scale * (q @ transpose(k, 0, 2, 1)), axis=2)) @ v) / "
         "sum(exp(scale * (q @ transpose(k, 0, 2, 1)) - max(scale * (q @ transpose(k, 0, 2, 1)), axis=2)), axis=2)");
}

static void test_causal_mask(void **state) {
  (void)state;
  start();
  Term n = size("n"), x = matrix("x", n, n);
  vector("out", n);
  output_is(1);
  Term k = bound(n);
  piece(TT->true_, term_fold(TT, FOLD_SUM, k, TT->zero, n, term_le(TT, k, I), at2(x, I, k)), 0);
  expect("sum(where(index(n) <= column(index(n)), x, 0), axis=1)");
}

static void test_cumsum(void **state) {
  (void)state;
  start();
  Term m = size("m"), n = size("n"), x = matrix("x", m, n);
  matrix("out", m, n);
  output_is(2);
  Term k = bound(n);
  piece(TT->true_, term_fold(TT, FOLD_SUM, k, TT->zero, n, term_le(TT, k, J), at2(x, I, k)), 0);
  expect("cumsum(x, axis=1)");
}

static void test_cat(void **state) { /* one piece with a select, as the cat kernel stores it */
  (void)state;
  start();
  Term m = size("m"), p = size("p"), q = size("q"), a = matrix("a", m, p), b = matrix("b", m, q);
  matrix("out", m, add(p, q));
  output_is(2);
  piece(TT->true_, term_select(TT, term_lt(TT, J, p), at2(a, I, J), at2(b, I, sub(J, p))), 0);
  expect("concat(a, b, axis=1)");
}

static void test_rotary_halves(void **state) { /* two pieces that tile the last axis */
  (void)state;
  start();
  Term s = size("s"), h = size("h"), half = size("half"), whole = term_scale(TT, rational_int(2), half);
  Term x = tensor_of("x", SORT_REAL, 3, s, h, whole), c = matrix("cos", s, half), w = matrix("sin", s, half);
  tensor_of("out", SORT_REAL, 3, s, h, whole);
  output_is(3);
  Term low = term_lt(TT, K, half), back = sub(K, half);
  piece(low, sub(mul(at3(x, I, J, K), at2(c, I, K)), mul(at3(x, I, J, add(K, half)), at2(w, I, K))), 0);
  piece(term_not(TT, low), add(mul(at3(x, I, J, K), at2(c, I, back)), mul(at3(x, I, J, back), at2(w, I, back))), 0);
  expect("concat(x[:, :, :half] * expand(cos, 1) - x[:, :, half:] * expand(sin, 1), "
         "x[:, :, :half] * expand(sin, 1) + x[:, :, half:] * expand(cos, 1), axis=2)");
}

static void test_gathers(void **state) {
  (void)state;
  start();
  Term m = size("m"), n = size("n"), d = size("d"), table = matrix("table", n, d),
       ids = tensor_of("ids", SORT_INT, 1, m, 0, 0);
  matrix("out", m, d);
  output_is(2);
  piece(TT->true_, at2(table, at1(ids, I), J), 0);
  expect("take(table, ids, axis=0)");
}

static void test_cross_entropy(void **state) {
  (void)state;
  start();
  Term m = size("m"), n = size("n"), x = matrix("logits", m, n), labels = tensor_of("labels", SORT_INT, 1, m, 0, 0);
  vector("loss", m);
  output_is(1);
  Term k = bound(n), j = bound(n), largest = fold(FOLD_MAX, k, n, at2(x, I, k));
  Term lse = add(term_fn1(TT, FN_LOG, fold(FOLD_SUM, j, n, ex(sub(at2(x, I, j), largest)))), largest);
  piece(TT->true_, sub(lse, at2(x, I, at1(labels, I))), 0);
  expect("max(logits, axis=1) + log(sum(exp(logits - max(logits, axis=1)), axis=1)) - take_along_axis(logits, "
         "column(labels), axis=1)");
}

static void test_flat_views(void **state) { /* a matrix written flat */
  (void)state;
  start();
  Term m = size("m"), n = size("n"), x = matrix("x", m, n);
  vector("out", mul(m, n));
  output_is(1);
  piece(TT->true_, at2(x, term_floordiv(TT, I, n), term_mod(TT, I, n)), 0);
  expect("reshape(x, m * n)");
}

static void test_flat_input(void **state) {
  (void)state;
  start();
  Term m = size("m"), n = size("n"), x = vector("x", mul(m, n));
  matrix("out", m, n);
  output_is(2);
  piece(TT->true_, term_max(TT, at1(x, add(mul(I, n), J)), TT->zero), 0);
  expect("maximum(reshape(x, m, n), 0)");
}

static void test_pooling(void **state) {
  (void)state;
  start();
  Term n = size("n"), x = vector("x", add(term_scale(TT, rational_int(2), n), TT->one));
  vector("out", n);
  output_is(1);
  Term two = term_scale(TT, rational_int(2), I), sum = TT->zero;
  for (int64_t i = 0; i < 3; i++) sum = add(sum, at1(x, add(two, term_int(TT, i))));
  piece(TT->true_, term_scale(TT, (Rational){1, 3}, sum), 0);
  expect("(x[:2 * n - 1:2] + x[1:2 * n:2] + x[2::2]) / 3");
}

static void test_shift(void **state) { /* zero-filled: the branch not taken is never read */
  (void)state;
  start();
  Term n = size("n"), x = vector("x", n);
  vector("out", n);
  output_is(1);
  piece(TT->true_, term_select(TT, term_le(TT, TT->one, I), at1(x, sub(I, TT->one)), TT->zero), 0);
  expect("concat(broadcast(0, 1), x[:n - 1], axis=0)");
}

static void test_refused(void **state) {
  (void)state;
  start();
  Term n = size("n");
  vector("out", n);
  output_is(1);
  piece(TT->true_, term_opaque(TT, intern_text(&kernel.names, "philox"), SORT_REAL, 1, &I), 0);
  const char *why;
  assert_null(deduce(&kernel.p, &kernel.output, &(TensorBitsList){0}, &why));
  assert_string_equal(why, "the value has an opaque function");
  arena_destroy(&kernel.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_elementwise),    cmocka_unit_test(test_accumulated_pieces),
      cmocka_unit_test(test_bias_broadcast), cmocka_unit_test(test_transpose),
      cmocka_unit_test(test_softmax),        cmocka_unit_test(test_layer_norm),
      cmocka_unit_test(test_row_results),    cmocka_unit_test(test_column_sum_and_argmax),
      cmocka_unit_test(test_full_sum),       cmocka_unit_test(test_matmul),
      cmocka_unit_test(test_attention),      cmocka_unit_test(test_causal_mask),
      cmocka_unit_test(test_cumsum),         cmocka_unit_test(test_cat),
      cmocka_unit_test(test_rotary_halves),  cmocka_unit_test(test_gathers),
      cmocka_unit_test(test_cross_entropy),  cmocka_unit_test(test_flat_views),
      cmocka_unit_test(test_flat_input),     cmocka_unit_test(test_pooling),
      cmocka_unit_test(test_shift),          cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
