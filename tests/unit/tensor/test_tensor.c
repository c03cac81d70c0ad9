/* Tensor expressions: shapes that fit or not, text, LaTeX, and the property that ties the two meanings together: the
 * array that an expression evaluates to holds, at every index, the value of the term that it denotes there. */
#include "../term/table.h"

#include <stdlib.h>

#include "tensor/tensor.h"

enum { M = 3, N = 4, LEAVES = 6, ROUNDS = 400 };

typedef const TensorExpr *Expr;

static Term size_m, size_n, eps, tensors[3];
static double data[3][M * N];
static Expr x, y, v; /* x[m, n], y[m, n], v[n] */

static int setup(void **state) {
  table_open(state);
  size_m = integer("m", SYMBOL_SIZE, tt->one, 0);
  size_n = integer("n", SYMBOL_SIZE, tt->one, 0);
  eps = symbol("eps", SORT_REAL, SYMBOL_SCALAR);
  for (int i = 0; i < 3; i++) tensors[i] = symbol(i == 0 ? "x" : i == 1 ? "y" : "v", SORT_REAL, SYMBOL_TENSOR);
  x = tensor_input(tt, tensors[0], "x", 0, SORT_REAL, 2, (Term[]){size_m, size_n});
  y = tensor_input(tt, tensors[1], "y", 1, SORT_REAL, 2, (Term[]){size_m, size_n});
  v = tensor_input(tt, tensors[2], "v", 2, SORT_REAL, 1, &size_n);
  Random random = {7};
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < M * N; i++) data[t][i] = random_unit(&random) * 2 - 1;
  return 0;
}

/* ---- the two evaluations ---- */

static int tensor_number(Term t) {
  for (int i = 0; i < 3; i++)
    if (tensors[i] == t) return i;
  fail();
  return 0;
}

static TensorArray input(void *payload, Term t) {
  (void)payload;
  int i = tensor_number(t);
  TensorArray a = {.rank = i == 2 ? 1 : 2, .data = data[i]};
  a.shape[0] = i == 2 ? N : M, a.shape[1] = N;
  return a;
}

static double scalar(void *payload, Term t) {
  (void)payload;
  return t == size_m ? M : t == size_n ? N : 0.25;
}

static TermValue element(void *payload, Term t, uint32_t count, const int64_t *index) {
  (void)payload;
  int i = tensor_number(t);
  int64_t flat = 0, bounds[2] = {i == 2 ? N : M, N};
  for (uint32_t k = 0; k < count; k++) {
    int64_t at = index[k] < 0 ? 0 : index[k] >= bounds[k] ? bounds[k] - 1 : index[k];
    flat = flat * bounds[k] + at;
  }
  return (TermValue){.real = data[i][flat]};
}

static bool close(double a, double b) {
  if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
  return a == b || fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

static void check_meaning(Expr e) {
  Term index[TENSOR_MAX_RANK];
  for (uint32_t i = 0; i < e->rank; i++) {
    index[i] = term_symbol_fresh(tt, "i", SORT_INT, SYMBOL_INDEX);
    term_symbol_range(tt, index[i], tt->zero, term_sub(tt, e->shape[i], tt->one));
  }
  Term meaning = tensor_meaning(tt, e, index);
  assert_true(meaning != 0);
  TensorArray array = tensor_eval(tt, &arena, e, &(TensorEnvironment){.input = input, .scalar = scalar});
  assert_int_equal(array.rank, e->rank);
  TermEval *eval = term_eval_new(tt, &arena, element, NULL);
  term_eval_set(eval, size_m, (TermValue){M, M});
  term_eval_set(eval, size_n, (TermValue){N, N});
  term_eval_set(eval, eps, (TermValue){.real = 0.25});
  int64_t total = 1;
  for (uint32_t i = 0; i < e->rank; i++) total *= array.shape[i];
  for (int64_t flat = 0; flat < total; flat++) {
    int64_t rest = flat;
    for (uint32_t i = e->rank; i-- > 0; rest /= array.shape[i]) {
      int64_t k = rest % array.shape[i];
      term_eval_set(eval, index[i], (TermValue){(double)k, k});
    }
    double a = array.data[flat], b = term_eval(eval, meaning).real;
    if (isinf(a) && isnan(b)) continue; /* x / 0, of a 0 that is known: an infinity in arrays, no value in terms */
    if (!close(a, b))
      print_message("%s at %d: array %g, term %g = %s\n", tensor_text(tt, e), (int)flat, a, b, term_text(tt, meaning));
    assert_true(close(a, b));
  }
}

/* ---- random expressions ---- */

static Expr random_view(Random *random, Expr a) {
  uint8_t axes[TENSOR_MAX_RANK] = {1, 0};
  TensorSlice s[2] = {{tt->zero, a->shape[0], tt->one, false}, {tt->zero, a->shape[1], tt->one, false}};
  switch (random_below(random, 6)) {
  case 0: return a->rank == 2 ? tensor_transpose(tt, a, axes) : NULL;
  case 1: return a->rank < 3 ? tensor_expand(tt, a, (uint32_t)random_below(random, a->rank + 1u)) : NULL;
  case 2:
    if (a->rank != 2) return NULL;
    s[random_below(random, 2)].point = true;
    return tensor_slice(tt, a, s);
  case 3:
    if (a->rank != 2 || a->shape[1] != size_n) return NULL;
    s[1].start = tt->one, s[1].step = term_int(tt, 2);
    return tensor_slice(tt, a, s);
  case 4: return a->rank == 2 ? tensor_reshape(tt, a, 1, (Term[]){term_mul(tt, a->shape[0], a->shape[1])}) : NULL;
  default: /* backwards */
    if (a->rank != 1) return NULL;
    return tensor_take(tt, a,
                       tensor_binary(tt, TENSOR_SUB, tensor_size(tt, term_sub(tt, a->shape[0], tt->one)),
                                     tensor_index(tt, a->shape[0])),
                       0);
  }
}

static Expr random_elementwise(Random *random, Expr a, Expr b) {
  static const TensorOp binary[] = {TENSOR_ADD, TENSOR_SUB, TENSOR_MUL, TENSOR_DIV, TENSOR_MAXIMUM, TENSOR_MINIMUM};
  switch (random_below(random, 6)) {
  case 0: return tensor_fn(tt, FN_TANH, 1, &a);
  case 1: return tensor_unary(tt, TENSOR_EXP2, tensor_fn(tt, FN_SIN, 1, &a));
  case 2: return tensor_unary(tt, TENSOR_ABS, a);
  case 3: return tensor_where(tt, tensor_binary(tt, TENSOR_LT, a, b), b, a);
  default: return tensor_binary(tt, binary[random_below(random, 6)], a, b);
  }
}

static Expr random_fold(Random *random, Expr a, Expr b) {
  static const TermFoldOp ops[] = {FOLD_SUM, FOLD_MAX, FOLD_MIN, FOLD_PROD, FOLD_ARGMAX, FOLD_ARGMIN};
  uint32_t axis = a->rank ? (uint32_t)random_below(random, a->rank) : 0;
  switch (random_below(random, 4)) {
  case 0: return tensor_scan(tt, FOLD_SUM, a, axis);
  case 1: return tensor_matmul(tt, a, b);
  case 2: return tensor_concat(tt, a, b, axis);
  default: return tensor_reduce(tt, ops[random_below(random, 6)], a, axis);
  }
}

static Expr random_expr(Random *random, int depth) {
  if (!depth || !random_below(random, 8)) {
    Expr leaves[LEAVES] = {
        x, y, v, tensor_scalar(tt, eps, "eps", 0), tensor_index(tt, size_n), tensor_const(tt, term_float(tt, 0.5))};
    return leaves[random_below(random, LEAVES)];
  }
  Expr a = random_expr(random, depth - 1), b = random_expr(random, depth - 1), e;
  switch (random_below(random, 4)) {
  case 0: e = random_view(random, a); break;
  case 1: e = random_fold(random, a, b); break;
  default: e = random_elementwise(random, a, b); break;
  }
  return e ? e : a;
}

static void test_meaning_is_evaluation(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
    Random random = {seed * 977};
    Expr e = random_expr(&random, 1 + (int)(seed % 4));
    check_meaning(e);
  }
}

/* ---- shapes ---- */

static void test_shapes_that_do_not_fit(void **state) {
  (void)state;
  Expr column = tensor_expand(tt, v, 1);
  assert_null(tensor_binary(tt, TENSOR_ADD, x, column)); /* m and n differ */
  assert_null(tensor_matmul(tt, x, y));
  assert_null(tensor_matmul(tt, x, v));
  assert_null(tensor_reduce(tt, FOLD_SUM, v, 1));
  assert_null(tensor_concat(tt, x, v, 0));
  assert_null(tensor_squeeze(tt, x, 1, (uint8_t[]){0}));
  assert_null(tensor_binary(tt, TENSOR_ADD, NULL, x));
  assert_null(tensor_reshape(tt, x, 1, &size_n));
  assert_non_null(tensor_binary(tt, TENSOR_ADD, x, v));
}

/* ---- sorts ---- */

static void test_sorts(void **state) {
  (void)state;
  Expr i = tensor_index(tt, size_n);
  const TensorOp whole[] = {TENSOR_ADD, TENSOR_MUL, TENSOR_FLOORDIV, TENSOR_TRUNCDIV, TENSOR_MOD, TENSOR_MAXIMUM},
                 real[] = {TENSOR_SQRT, TENSOR_EXP2, TENSOR_LOG2}, jumps[] = {TENSOR_FLOOR, TENSOR_TRUNC};
  for (size_t k = 0; k < sizeof whole / sizeof *whole; k++)
    assert_int_equal(tensor_binary(tt, whole[k], i, i)->sort, SORT_INT);
  for (size_t k = 0; k < sizeof real / sizeof *real; k++)
    assert_int_equal(tensor_unary(tt, real[k], i)->sort, SORT_REAL);
  for (size_t k = 0; k < sizeof jumps / sizeof *jumps; k++)
    assert_int_equal(tensor_unary(tt, jumps[k], v)->sort, SORT_INT);
  assert_int_equal(tensor_binary(tt, TENSOR_DIV, i, i)->sort, SORT_REAL);
  assert_int_equal(tensor_unary(tt, TENSOR_NEG, i)->sort, SORT_INT);
  assert_int_equal(tensor_binary(tt, TENSOR_ADD, i, v)->sort, SORT_REAL);
  assert_int_equal(tensor_binary(tt, TENSOR_LE, i, v)->sort, SORT_BOOL);
  assert_int_equal(tensor_binary(tt, TENSOR_LT, i, i)->sort, SORT_BOOL);
}

/* ---- text ---- */

static Expr number(int64_t n) { return tensor_const(tt, term_int(tt, n)); }

static void test_parentheses(void **state) {
  (void)state;
  Expr sum = tensor_binary(tt, TENSOR_ADD, x, y), difference = tensor_binary(tt, TENSOR_SUB, x, sum);
  assert_string_equal(tensor_text(tt, difference), "x - (x + y)");
  assert_string_equal(tensor_text(tt, tensor_binary(tt, TENSOR_SUB, sum, x)), "x + y - x");
  Expr product = tensor_binary(tt, TENSOR_MUL, x, y);
  assert_string_equal(tensor_text(tt, tensor_binary(tt, TENSOR_DIV, x, product)), "x / (x * y)");
  assert_string_equal(tensor_text(tt, tensor_binary(tt, TENSOR_DIV, product, x)), "x * y / x");
  assert_string_equal(tensor_text(tt, tensor_unary(tt, TENSOR_NEG, sum)), "-(x + y)");
  assert_string_equal(tensor_text(tt, tensor_binary(tt, TENSOR_POW, tensor_unary(tt, TENSOR_NEG, x), number(2))),
                      "(-x) ** 2");
  Expr square = tensor_matmul(tt, x, tensor_transpose(tt, y, (uint8_t[]){1, 0}));
  assert_string_equal(tensor_text(tt, tensor_binary(tt, TENSOR_MUL, number(2), square)),
                      "2 * (x @ transpose(y, 1, 0))");
  Expr quotient = tensor_binary(tt, TENSOR_FLOORDIV, tensor_index(tt, size_n), tensor_index(tt, size_n));
  assert_string_equal(tensor_text(tt, tensor_unary(tt, TENSOR_NEG, quotient)), "-(index(n) // index(n))");
  assert_string_equal(tensor_text(tt, tensor_unary(tt, TENSOR_NEG, product)), "-x * y");
  Expr low = tensor_binary(tt, TENSOR_LT, x, y), other = tensor_binary(tt, TENSOR_LE, v, y);
  assert_string_equal(tensor_text(tt, tensor_binary(tt, TENSOR_AND, low, other)), "(x < y) & (v <= y)");
}

static void test_orders_of_people(void **state) {
  (void)state;
  Expr e = tensor_scalar(tt, eps, "eps", 0), half = tensor_const(tt, term_float(tt, 0.5));
  Expr text = tensor_sum(tt, rational_int(1), 2, (TensorPart[]){{e, {1, 1}}, {x, {-1, 1}}});
  assert_string_equal(tensor_text(tt, text), "1 + eps - x");
  text = tensor_sum(tt, rational_int(-1), 2, (TensorPart[]){{y, {2, 1}}, {x, {-1, 9}}});
  assert_string_equal(tensor_text(tt, text), "2 * y - x / 9 - 1");
  text = tensor_product(tt, rational_int(1), 3, (TensorPart[]){{y, {1, 1}}, {x, {-1, 2}}, {e, {1, 1}}});
  assert_string_equal(tensor_text(tt, text), "eps * y / sqrt(x)");
  text = tensor_product(tt, (Rational){1, 2}, 3, (TensorPart[]){{v, {1, 1}}, {x, {1, 1}}, {y, {-1, 1}}});
  assert_string_equal(tensor_text(tt, text), "0.5 * x / y * v");
  (void)half;
}

static void test_sizes(void **state) {
  (void)state;
  Term size = term_sub(tt, term_mul(tt, term_int(tt, 2), size_m), tt->one);
  assert_string_equal(tensor_text(tt, tensor_size(tt, size)), "2 * m - 1");
  size = term_floordiv(tt, term_add(tt, size_n, term_int(tt, 63)), term_int(tt, 64));
  assert_string_equal(tensor_text(tt, tensor_size(tt, size)), "(n + 63) // 64");
}

static void test_latex(void **state) {
  (void)state;
  Expr largest = tensor_reduce(tt, FOLD_MAX, x, 1), shifted = tensor_binary(tt, TENSOR_SUB, x, largest),
       e = tensor_fn(tt, FN_EXP, 1, &shifted);
  assert_string_equal(tensor_latex(tt, tensor_binary(tt, TENSOR_DIV, e, tensor_reduce(tt, FOLD_SUM, e, 1))),
                      "\\frac{\\exp\\left(\\mathrm{x} - "
                      "\\max_{1}\\left(\\mathrm{x}\\right)\\right)}{\\operatorname{sum}_{1}\\left(\\exp"
                      "\\left(\\mathrm{x} - \\max_{1}\\left(\\mathrm{x}\\right)\\right)\\right)}");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_meaning_is_evaluation, setup, table_close),
      cmocka_unit_test_setup_teardown(test_shapes_that_do_not_fit, setup, table_close),
      cmocka_unit_test_setup_teardown(test_sorts, setup, table_close),
      cmocka_unit_test_setup_teardown(test_parentheses, setup, table_close),
      cmocka_unit_test_setup_teardown(test_orders_of_people, setup, table_close),
      cmocka_unit_test_setup_teardown(test_sizes, setup, table_close),
      cmocka_unit_test_setup_teardown(test_latex, setup, table_close),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
