/* Textbook forms: each law by its text, and both sides evaluated on random arrays; what is no law stays as it is. */
#include "textbook/textbook.h"

#include "../rounds.h"
#include "../term/table.h"
#include <stdio.h>
#include "prove/equal.h"
#include "prove/rewrite.h"
#include "tensor/tensor.h"

typedef const TensorExpr *Expr;

static Expr x, y, v, n, eps, s;
static TensorSteps steps; /* of all tests */

/* The textbook form, as it is shown: each law is asked of the prover. */
static Expr textbook(Expr e, TensorConstants *constants) {
  return tensor_textbook(tt, e, &(TensorLaws){.constants = constants, .steps = &steps, .prove = textbook_prove});
}
static Term size_m, size_n;

static int setup(void **state) {
  table_open(state);
  size_m = integer("m", SYMBOL_SIZE, tt->one, 0);
  size_n = integer("n", SYMBOL_SIZE, tt->one, 0);
  x = tensor_input(tt, symbol("x", SORT_REAL, SYMBOL_TENSOR), "x", 0, SORT_REAL, 2, (Term[]){size_m, size_n});
  y = tensor_input(tt, symbol("y", SORT_REAL, SYMBOL_TENSOR), "y", 1, SORT_REAL, 2, (Term[]){size_m, size_n});
  v = tensor_input(tt, symbol("v", SORT_REAL, SYMBOL_TENSOR), "v", 2, SORT_REAL, 2, (Term[]){size_n, size_m});
  n = tensor_size(tt, size_n);
  eps = tensor_scalar(tt, symbol("eps", SORT_REAL, SYMBOL_SCALAR), "eps", 0);
  s = tensor_scalar(tt, symbol("s", SORT_REAL, SYMBOL_SCALAR), "s", 1);
  return 0;
}

/* ---- short names ---- */

static Expr num(double value) { return tensor_const(tt, term_float(tt, value)); }
static Expr add(Expr a, Expr b) { return tensor_binary(tt, TENSOR_ADD, a, b); }
static Expr sub(Expr a, Expr b) { return tensor_binary(tt, TENSOR_SUB, a, b); }
static Expr mul(Expr a, Expr b) { return tensor_binary(tt, TENSOR_MUL, a, b); }
static Expr divide(Expr a, Expr b) { return tensor_binary(tt, TENSOR_DIV, a, b); }
static Expr square(Expr a) { return tensor_binary(tt, TENSOR_POW, a, num(2)); }
static Expr root(Expr a) { return tensor_unary(tt, TENSOR_SQRT, a); }
static Expr neg(Expr a) { return tensor_unary(tt, TENSOR_NEG, a); }
static Expr fn(TermFn f, Expr a) { return tensor_fn(tt, f, 1, &a); }
static Expr sum(Expr a, uint32_t axis) { return tensor_reduce(tt, FOLD_SUM, a, axis); }
static Expr max(Expr a, uint32_t axis) { return tensor_reduce(tt, FOLD_MAX, a, axis); }
static Expr centred(Expr a) { return sub(a, divide(sum(a, 1), n)); }
static Expr shifted_exp(Expr a) { return fn(FN_EXP, sub(a, max(a, 1))); }
static Expr sigmoid(Expr a) { return divide(num(1), add(num(1), fn(FN_EXP, neg(a)))); }

/* The text of the textbook form; `closed` is the constant that was recognised last, or NULL. */
static void expect_constants(Expr e, const char *text, uint32_t count, const char *closed) {
  TensorConstants constants = {0};
  assert_non_null(e);
  Expr book = textbook(e, &constants);
  assert_string_equal(tensor_text(tt, book), text);
  assert_int_equal(constants.count, count);
  if (closed) assert_string_equal(constants.data[count - 1].closed, closed);
  assert_int_equal(tensor_agree(tt, e, book, closed ? 1e-6 : 1e-12), TENSOR_AGREE);
  assert_int_equal(tensor_agree(tt, book, e, closed ? 1e-6 : 1e-12), TENSOR_AGREE);
}

static void expect_constant(Expr e, const char *text, const char *closed) { expect_constants(e, text, 1, closed); }
static void expect(Expr e, const char *text) { expect_constants(e, text, 0, NULL); }

/* ---- the laws ---- */

static void test_activations(void **state) {
  (void)state;
  expect(sigmoid(x), "sigmoid(x)");
  expect(mul(x, sigmoid(x)), "silu(x)");
  expect(mul(mul(y, x), sigmoid(x)), "silu(x) * y");
  expect(divide(fn(FN_EXP, x), add(num(1), fn(FN_EXP, x))), "sigmoid(x)");
  expect(mul(sub(x, y), sigmoid(sub(x, y))), "silu(x - y)");
  expect(mul(square(x), square(sigmoid(x))), "silu(x) ** 2");
  expect(mul(square(x), sigmoid(x)), "sigmoid(x) * x ** 2");
  expect(mul(x, sigmoid(y)), "x * sigmoid(y)");
  expect(mul(x, sigmoid(mul(num(2), x))), "x * sigmoid(2 * x)");
  expect(divide(num(1), add(num(2), fn(FN_EXP, neg(x)))), "1 / (2 + exp(-x))");
  expect(tensor_binary(tt, TENSOR_MAXIMUM, x, num(0)), "relu(x)");
  Expr above = tensor_binary(tt, TENSOR_GT, x, num(0));
  expect(tensor_where(tt, above, x, num(0)), "relu(x)");
  expect(tensor_where(tt, above, x, mul(s, x)), "leaky_relu(x, s)");
  expect(tensor_where(tt, above, x, mul(num(0.5), x)), "leaky_relu(x, 0.5)");
  expect(tensor_where(tt, above, y, num(0)), "where(x > 0, y, 0)");
  expect(tensor_where(tt, above, mul(x, y), num(0)), "relu(x) * y");
  expect(tensor_where(tt, above, mul(square(x), y), num(0)), "relu(x) ** 2 * y");
  expect(tensor_where(tt, above, divide(y, x), num(0)), "where(x > 0, y / x, 0)"); /* relu(x) may be 0 */
  expect(tensor_where(tt, above, mul(x, fn(FN_LOG, add(num(1), x))), num(0)), "where(x > 0, x * log(1 + x), 0)");
  expect(tensor_where(tt, above, divide(x, y), num(0)), "where(x > 0, x / y, 0)"); /* y may be 0 there */
  expect(tensor_binary(tt, TENSOR_MINIMUM, tensor_binary(tt, TENSOR_MAXIMUM, x, num(-0.5)), num(0.5)),
         "clamp(x, -0.5, 0.5)");
  expect(tensor_binary(tt, TENSOR_MAXIMUM, tensor_binary(tt, TENSOR_MINIMUM, x, num(-0.5)), num(0.5)),
         "maximum(minimum(x, -0.5), 0.5)");
  expect(tensor_binary(tt, TENSOR_MINIMUM, tensor_binary(tt, TENSOR_MAXIMUM, x, num(0)), num(6)), "clamp(x, 0, 6)");
  expect(tensor_binary(tt, TENSOR_MAXIMUM, tensor_binary(tt, TENSOR_MINIMUM, x, num(6)), num(0)), "clamp(x, 0, 6)");
  Expr lower = sub(num(1), s), upper = add(num(1), s);
  expect(tensor_binary(tt, TENSOR_MINIMUM, tensor_binary(tt, TENSOR_MAXIMUM, x, lower), upper),
         "clamp(x, 1 - s, 1 + s)");
  expect(tensor_binary(tt, TENSOR_MAXIMUM, tensor_binary(tt, TENSOR_MINIMUM, x, upper), lower),
         "maximum(minimum(x, 1 + s), 1 - s)"); /* which is 1 - s where that is more */
  expect(tensor_binary(tt, TENSOR_MINIMUM, tensor_binary(tt, TENSOR_MAXIMUM, x, num(0)), num(-1)),
         "minimum(relu(x), -1)");
}

static void test_gelu(void **state) {
  (void)state;
  Expr literal = num((double)0.70710677f), c = num((double)0.7978846f), cube = tensor_binary(tt, TENSOR_POW, x, num(3));
  Expr gate = add(num(1), fn(FN_ERF, mul(literal, x))), inner = mul(c, add(x, mul(num((double)0.044715f), cube)));
  expect_constant(mul(mul(num(0.5), x), gate), "gelu(x)", "1/sqrt(2)");
  expect_constant(mul(x, gate), "2 * gelu(x)", "1/sqrt(2)");
  expect_constants(mul(mul(num(0.5), x), add(num(1), fn(FN_TANH, inner))), "gelu_tanh(x)", 2, "sqrt(2/pi)");
  static const double folded[][2] = {
      {(double)0.7978846f, (double)0.035677408f}, {0.7978845608028654, 0.035677408136300125}, {0.7978845608, 0.03567}};
  Expr by_two[3]; /* 0.044715 * sqrt(2 / pi) in one literal */
  for (int i = 0; i < 3; i++)
    by_two[i] =
        mul(mul(num(0.5), x), add(num(1), fn(FN_TANH, add(mul(num(folded[i][0]), x), mul(num(folded[i][1]), cube)))));
  for (int i = 0; i < 2; i++) expect_constants(by_two[i], "gelu_tanh(x)", 2, "sqrt(2/pi)");
  Expr fast = sub(num(2), divide(num(2), add(num(1), fn(FN_EXP, mul(num(2), inner)))));
  TensorConstants constants = {0};
  assert_string_equal(tensor_text(tt, textbook(mul(mul(num(0.5), x), fast), &constants)), "gelu_tanh(x)");
  /* another constant is another function */
  assert_null(strstr(tensor_text(tt, textbook(by_two[2], &constants)), "gelu"));
  Expr other = mul(mul(num(0.5), x), add(num(1), fn(FN_ERF, mul(num(0.7071), x))));
  expect(other, "0.5 * x * (1 + erf(0.7071 * x))");
  assert_ptr_equal(textbook(other, NULL), other);
  Expr close = mul(mul(num(0.5), x), gate);
  assert_string_equal(tensor_text(tt, textbook(close, NULL)), tensor_text(tt, close)); /* constants are not wanted */
}

static void test_softmax(void **state) {
  (void)state;
  expect(divide(shifted_exp(x), sum(shifted_exp(x), 1)), "softmax(x, axis=1)");
  expect(divide(fn(FN_EXP, x), sum(fn(FN_EXP, x), 1)), "softmax(x, axis=1)");
  expect(divide(fn(FN_EXP, x), sum(fn(FN_EXP, y), 1)), "exp(x) / sum(exp(y), axis=1)");
  Expr shift = tensor_binary(tt, TENSOR_MAXIMUM, max(x, 1), num(0)), raised = fn(FN_EXP, sub(x, shift));
  expect(divide(raised, add(fn(FN_EXP, neg(shift)), sum(raised, 1))), "exp(x) / (1 + sum(exp(x), axis=1))");
  expect(divide(raised, add(fn(FN_EXP, sub(s, shift)), sum(raised, 1))), "exp(x) / (sum(exp(x), axis=1) + exp(s))");
  expect(divide(raised, add(fn(FN_EXP, shift), sum(raised, 1))), /* another shift */
         "exp(x - relu(max(x, axis=1))) / (exp(relu(max(x, axis=1))) + sum(exp(x - relu(max(x, axis=1))), axis=1))");
  Expr along = fn(FN_EXP, sub(x, y)); /* not the same along the axis */
  expect(divide(along, add(fn(FN_EXP, neg(y)), sum(along, 1))), "exp(x - y) / (exp(-y) + sum(exp(x - y), axis=1))");
  expect(add(max(x, 1), fn(FN_LOG, sum(shifted_exp(x), 1))), "logsumexp(x, axis=1)");
  expect(sub(sub(x, max(x, 1)), fn(FN_LOG, sum(shifted_exp(x), 1))), "x - logsumexp(x, axis=1)");
  expect(sub(max(x, 1), fn(FN_LOG, sum(shifted_exp(x), 1))),
         "max(x, axis=1) - log(sum(exp(x - max(x, axis=1)), axis=1))");
  expect(divide(tensor_matmul(tt, shifted_exp(x), v), sum(shifted_exp(x), 1)), "softmax(x, axis=1) @ v");
  expect(tensor_matmul(tt, mul(s, x), v), "s * (x @ v)");
  Expr mask = tensor_binary(tt, TENSOR_LT, y, num(0.5)),
       masked = tensor_where(tt, mask, x, tensor_const(tt, tt->neg_inf));
  Expr weights = tensor_where(tt, mask, fn(FN_EXP, sub(x, max(masked, 1))), num(0));
  expect(divide(tensor_matmul(tt, weights, v), sum(weights, 1)), "softmax(where(y < 0.5, x, -inf), axis=1) @ v");
  Expr other_mask = tensor_binary(tt, TENSOR_GE, y, num(0.5)), raised_masked = fn(FN_EXP, sub(x, max(masked, 1)));
  Expr other_weights = tensor_where(tt, other_mask, num(0), raised_masked);
  expect(divide(other_weights, sum(weights, 1)), "softmax(where(y < 0.5, x, -inf), axis=1)");
  other_mask = tensor_binary(tt, TENSOR_GT, y, num(0.5)); /* where y = 0.5 it is another function */
  expect(tensor_where(tt, other_mask, num(0), raised_masked),
         "where(y > 0.5, 0, exp(x - max(where(y < 0.5, x, -inf), axis=1)))");
}

/* As it is reported. A row of which no element counts has the weights 0, 0, .. and no shifted exponentials; a share of
 * their sum has no value there in either form. */
static void test_masked_rows(void **state) {
  (void)state;
  Expr ids = tensor_input(tt, symbol("ids", SORT_INT, SYMBOL_TENSOR), "ids", 3, SORT_INT, 2, (Term[]){size_m, size_n});
  const Expr masks[] = {
      tensor_binary(tt, TENSOR_LT, y, num(0.5)),
      tensor_binary(tt, TENSOR_LT, y, num(-7)),
      tensor_binary(tt, TENSOR_GT, y, s),
      tensor_binary(tt, TENSOR_LT, y, num(10000)),
      tensor_binary(tt, TENSOR_LT, ids, tensor_const(tt, term_int(tt, 128))),
      tensor_binary(tt, TENSOR_LT, sub(x, y), add(s, num(100)))}; /* false in no array that is drawn */
  for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
    TensorConstants constants = {0};
    TensorSteps own = {0};
    const TensorLaws laws = {.constants = &constants, .steps = &own};
    Expr masked = tensor_where(tt, masks[i], x, tensor_const(tt, tt->neg_inf));
    Expr weights = tensor_where(tt, masks[i], fn(FN_EXP, sub(x, max(masked, 1))), num(0)), total = sum(weights, 1);
    Expr guarded = divide(weights, tensor_where(tt, tensor_binary(tt, TENSOR_EQ, total, num(0)), num(1), total));
    const char *share = tensor_text(tt, textbook_simplify(tt, NULL, divide(weights, total), laws));
    assert_non_null(strstr(share, "softmax(where("));
    own.count = 0;
    assert_ptr_equal(textbook_simplify(tt, NULL, weights, laws), weights);
    assert_int_equal(own.count, 0);
    assert_ptr_equal(textbook_simplify(tt, NULL, total, laws), total);
    const char *lse = tensor_text(tt, textbook_simplify(tt, NULL, add(max(masked, 1), fn(FN_LOG, total)), laws));
    assert_ptr_equal(strstr(lse, "logsumexp(where("), lse);
    own.count = 0;
    const char *kept = tensor_text(tt, textbook_simplify(tt, NULL, guarded, laws));
    assert_null(strstr(kept, "softmax("));
    assert_non_null(strstr(kept, ", exp("));
  }
}

/* The same row backwards, and shifts that stand multiplied out. */
static void test_softmax_in_disguise(void **state) {
  (void)state;
  Expr back = sub(tensor_size(tt, term_sub(tt, size_n, tt->one)), tensor_index(tt, size_n));
  Expr flipped = tensor_take(tt, x, back, 1), turned = fn(FN_EXP, flipped), both = sub(flipped, max(x, 1));
  assert_true(tensor_is_flip(tt, flipped));
  expect(divide(turned, sum(fn(FN_EXP, x), 1)), "softmax(x, axis=1)[:, ::-1]");
  expect(divide(fn(FN_EXP, both), sum(shifted_exp(x), 1)), "softmax(x, axis=1)[:, ::-1]");
  expect(divide(turned, sum(fn(FN_EXP, y), 1)), "exp(x[:, ::-1]) / sum(exp(y), axis=1)");
  expect(divide(fn(FN_EXP, add(flipped, x)), sum(fn(FN_EXP, add(x, x)), 1)),
         "exp(x[:, ::-1] + x) / sum(exp(x + x), axis=1)");
  Expr gate = tensor_idiom(tt, TENSOR_SIGMOID, &y, 0, NULL), inner = sub(mul(num(2), gate), num(1)),
       outer = mul(s, inner), apart = sub(mul(num(2), mul(s, gate)), s), e = fn(FN_EXP, sub(apart, max(outer, 1)));
  expect(divide(e, sum(e, 1)), "softmax(s * (2 * sigmoid(y) - 1), axis=1)");
  Expr other = fn(FN_EXP, sub(apart, max(mul(s, gate), 1)));
  expect(divide(other, sum(other, 1)), "softmax(2 * (s * sigmoid(y)) - s - max(s * sigmoid(y), axis=1), axis=1)");
}

static void test_transposes(void **state) {
  (void)state;
  const uint8_t turned[] = {1, 0};
  Expr t = tensor_transpose(tt, x, turned), u = tensor_transpose(tt, y, turned);
  expect(mul(s, t), "transpose(s * x, 1, 0)");
  expect(add(t, u), "transpose(x + y, 1, 0)");
  expect(add(t, v), "transpose(x, 1, 0) + v");
  expect(divide(fn(FN_EXP, t), tensor_reduce(tt, FOLD_SUM, fn(FN_EXP, t), 0)), "transpose(softmax(x, axis=1), 1, 0)");
}

static void test_base_two(void **state) {
  (void)state;
  Expr literal = num((double)1.442695f), scaled = mul(literal, x),
       e = tensor_unary(tt, TENSOR_EXP2, sub(scaled, max(scaled, 1)));
  expect_constant(divide(e, sum(e, 1)), "softmax(x, axis=1)", "log2(e)");
  expect_constant(tensor_unary(tt, TENSOR_EXP2, neg(scaled)), "exp(-x)", "log2(e)");
  expect(tensor_unary(tt, TENSOR_EXP2, mul(num(1.5), x)), "exp2(1.5 * x)");
  expect_constant(tensor_unary(tt, TENSOR_EXP2, sub(scaled, y)), "exp(x - log(2) * y)", "log2(e)");
  expect_constant(tensor_unary(tt, TENSOR_EXP2, add(neg(scaled), add(y, num(3)))), "exp2(3 + y - x / log(2))",
                  "log2(e)");
  expect(tensor_unary(tt, TENSOR_EXP2, add(x, num(3))), "exp2(x + 3)");
  Expr lse = mul(num((double)0.6931472f), add(max(scaled, 1), tensor_unary(tt, TENSOR_LOG2, sum(e, 1))));
  TensorConstants constants = {0};
  assert_string_equal(tensor_text(tt, textbook(lse, &constants)), "logsumexp(x, axis=1)");
  assert_int_equal(constants.count, 2);
}

static void test_norms(void **state) {
  (void)state;
  Expr variance = divide(sum(square(centred(x)), 1), n), second = divide(sum(square(x), 1), n);
  expect(divide(sum(x, 1), n), "mean(x, axis=1)");
  expect(divide(sum(x, 1), tensor_size(tt, size_m)), "sum(x, axis=1) / m");
  expect(divide(sum(sum(x, 0), 1), tensor_size(tt, term_mul(tt, size_m, size_n))), "mean(x)");
  expect(variance, "var(x, axis=1)");
  expect(sub(second, square(divide(sum(x, 1), n))), "var(x, axis=1)");
  expect(divide(sub(sum(square(x), 1), divide(square(sum(x, 1)), n)), n), "var(x, axis=1)");
  expect(divide(sub(sum(square(x), 1), divide(square(sum(y, 1)), n)), n),
         "(sum(x ** 2, axis=1) - sum(y, axis=1) ** 2 / n) / n");
  expect(divide(centred(x), root(add(variance, eps))), "layer_norm(x, axis=1, eps=eps)");
  expect(mul(divide(centred(x), root(add(variance, eps))), y), "layer_norm(x, axis=1, eps=eps) * y");
  expect(divide(centred(y), root(add(variance, eps))), "(y - mean(y, axis=1)) / sqrt(var(x, axis=1) + eps)");
  expect(divide(x, root(add(second, eps))), "rms_norm(x, axis=1, eps=eps)");
  expect(divide(mul(x, y), root(add(divide(sum(square(mul(x, y)), 1), n), eps))), "rms_norm(x * y, axis=1, eps=eps)");
  expect(divide(y, root(add(second, eps))), "y / sqrt(mean(x ** 2, axis=1) + eps)");
  expect(divide(x, root(add(second, num(1e-5)))), "rms_norm(x, axis=1, eps=1e-05)");
  expect(divide(centred(x), root(add(variance, num(1e-12)))), "layer_norm(x, axis=1, eps=1e-12)");
  expect(divide(num(1), root(add(second, num(0.5)))), "1 / sqrt(0.5 + mean(x ** 2, axis=1))");
}

static void test_common_factors(void **state) {
  (void)state;
  Expr f = fn(FN_SIN, x);
  expect(add(mul(f, y), mul(f, root(tensor_unary(tt, TENSOR_ABS, x)))), "sin(x) * (sqrt(abs(x)) + y)");
  expect(add(sigmoid(x), mul(mul(x, sigmoid(x)), y)), "sigmoid(x) * (1 + x * y)");
  expect(sub(mul(s, x), mul(s, y)), "s * x - s * y"); /* no shorter */
  expect(sub(mul(x, y), mul(x, sum(mul(x, y), 1))), "x * (y - sum(x * y, axis=1))");
  expect(sub(mul(x, y), mul(y, sum(mul(x, y), 1))), "(x - sum(x * y, axis=1)) * y");
  expect(sub(mul(s, y), mul(s, sum(x, 1))), "s * y - s * sum(x, axis=1)"); /* no tensor */
  expect(add(sub(mul(x, y), mul(x, sum(y, 1))), num(1)), "1 + x * (y - sum(y, axis=1))");
  expect(add(divide(x, f), divide(y, f)), "(x + y) / sin(x)");
  expect(divide(sub(x, s), sub(add(eps, eps), s)),
         "(x - s) / (eps + eps - s)"); /* no law takes apart what another joins */
  Expr c = tensor_binary(tt, TENSOR_LT, x, y);
  expect(tensor_where(tt, c, add(mul(f, y), s), mul(f, y)), "sin(x) * y + where(x < y, s, 0)");
  expect(tensor_where(tt, c, add(y, s), y), "where(x < y, y + s, y)"); /* no shorter */
  Expr share = tensor_idiom(tt, TENSOR_SOFTMAX, &x, 1, (uint8_t[]){1});
  expect(tensor_where(tt, c, sub(share, num(1)), share), "softmax(x, axis=1) - where(x < y, 1, 0)");
  expect(tensor_where(tt, c, sub(share, num(1)), add(share, num(1))), "softmax(x, axis=1) + where(x < y, -1, 1)");
}

/* log(1 + exp(a)) beside a or half of it; e * (2 + e) over 2 more than that; sums that are each other's negatives */
static void test_softplus(void **state) {
  (void)state;
  Expr d = sub(x, y), plus_d = fn(FN_LOG, add(num(1), fn(FN_EXP, d))), ex = fn(FN_EXP, x);
  Expr twice = fn(FN_LOG, add(num(1), fn(FN_EXP, mul(num(-2), d))));
  expect(sub(plus_d, d), "log(1 + exp(y - x))");
  expect(sub(add(plus_d, y), x), "log(1 + exp(y - x))");
  expect(add(sub(mul(s, y), x), fn(FN_LOG, add(num(1), ex))), "log(1 + exp(-x)) + s * y");
  expect(add(d, twice), "log(cosh(x - y)) + log(2)");
  expect(neg(add(d, twice)), "-(log(cosh(x - y)) + log(2))");
  expect(sub(plus_d, x), "log(1 + exp(x - y)) - x"); /* y is not there */
  expect(sub(mul(num(2), plus_d), d), "2 * log(cosh(0.5 * (x - y))) + 2 * log(2)");
  expect(sub(fn(FN_LOG, add(num(2), ex)), x), "log(2 + exp(x)) - x");
  Expr more = add(num(2), ex), product = mul(ex, more), share = divide(product, add(num(2), product));
  Expr odd = mul(x, add(num(2), x));
  expect(mul(share, y), "tanh(log(1 + exp(x))) * y");
  expect(sub(num(1), square(share)), "1 - tanh(log(1 + exp(x))) ** 2");
  expect(divide(odd, add(num(2), odd)), "x * (2 + x) / (2 + x * (2 + x))"); /* x may be negative */
  expect(divide(product, add(num(3), product)), "exp(x) * (2 + exp(x)) / (3 + exp(x) * (2 + exp(x)))");
  expect(fn(FN_EXP, mul(d, sub(y, x))), "exp(-(x - y) ** 2)");
  expect(divide(mul(d, y), sub(y, x)), "-y");
  expect(mul(d, add(x, y)), "(x - y) * (x + y)");
}

/* Sums over as many places as those of a variance; 1 - x rather than x - 1 where a sign is saved. */
static void test_moments_and_signs(void **state) {
  (void)state;
  Expr d = centred(x), spread = sum(square(d), 1), fourth = sum(tensor_binary(tt, TENSOR_POW, d, num(4)), 1);
  expect(divide(fourth, divide(square(spread), n)), "mean((x - mean(x, axis=1)) ** 4, axis=1) / var(x, axis=1) ** 2");
  expect(divide(sum(y, 1), spread), "mean(y, axis=1) / var(x, axis=1)");
  expect(divide(sum(x, 0), sum(square(centred(x)), 1)),
         "sum(x, axis=0) / sum((x - mean(x, axis=1)) ** 2, axis=1)"); /* over m places */
  expect(divide(sum(y, 1), sum(square(x), 1)), "sum(y, axis=1) / sum(x ** 2, axis=1)");
  expect(divide(sub(sum(square(x), 1), mul(n, square(divide(sum(x, 1), n)))), sub(n, num(1))),
         "n * var(x, axis=1) / (n - 1)");
  Expr less = sub(x, num(1)), minus_y = neg(y);
  expect(mul(less, sub(y, num(1))), "(1 - x) * (1 - y)");
  expect(neg(mul(less, y)), "(1 - x) * y");
  expect(sub(s, mul(less, y)), "(1 - x) * y + s");
  expect(mul(less, y), "(x - 1) * y");
  expect(sub(x, mul(sub(sum(y, 1), num(1)), s)), "x - (sum(y, axis=1) - 1) * s");
  expect(square(less), "(x - 1) ** 2");
  expect(add(x, mul(s, sub(minus_y, mul(num(2), x)))), "x - s * (2 * x + y)");
  expect(add(x, mul(s, sub(mul(sub(s, num(1)), x), y))), "x - s * ((1 - s) * x + y)");
  expect(mul(s, sub(x, y)), "s * (x - y)");
  expect(mul(mul(less, sub(y, num(2))), y), "(x - 1) * (y - 2) * y");
}

static double value_of(Expr e, double at) {
  (void)at;
  TensorEnvironment none = {0};
  return tensor_eval(tt, &arena, e, &none).data[0];
}

/* The definitions, at a number. */
static void test_definitions(void **state) {
  (void)state;
  for (double at = -2; at <= 2; at += 0.5) {
    Expr a = num(at), low = num(-1), high = num(1), slope = num(0.25);
    const struct {
      TensorIdiom idiom;
      double value;
    } table[] = {
        {TENSOR_RELU, fmax(at, 0)},
        {TENSOR_LEAKY_RELU, at >= 0 ? at : 0.25 * at},
        {TENSOR_CLAMP, fmin(fmax(at, -1), 1)},
        {TENSOR_SIGMOID, 1 / (1 + exp(-at))},
        {TENSOR_SILU, at / (1 + exp(-at))},
        {TENSOR_GELU, at * 0.5 * erfc(-at / sqrt(2))},
        {TENSOR_GELU_TANH, 0.5 * at * (1 + tanh(0.79788456080286536 * (at + 0.044715 * at * at * at)))},
        {TENSOR_PI, 3.14159265358979323846},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
      Expr args[3] = {a, table[i].idiom == TENSOR_CLAMP ? low : slope, high};
      assert_true(fabs(value_of(tensor_idiom(tt, table[i].idiom, args, 0, NULL), at) - table[i].value) < 1e-12);
    }
  }
  assert_null(tensor_idiom(tt, TENSOR_MEAN, &x, 1, (uint8_t[]){2}));
}

/* A wrong law would be noticed. */
static void test_disagreement(void **state) {
  (void)state;
  assert_int_equal(tensor_agree(tt, add(x, y), add(y, x), 1e-12), TENSOR_AGREE);
  assert_int_equal(tensor_agree(tt, add(x, y), sub(x, y), 1e-12), TENSOR_DISAGREE);
  assert_int_equal(tensor_agree(tt, sum(x, 1), sum(x, 0), 1e-12), TENSOR_DISAGREE);
  assert_int_equal(tensor_agree(tt, root(x), root(tensor_unary(tt, TENSOR_ABS, x)), 1e-12),
                   TENSOR_AGREE); /* defined in more places */
  assert_int_equal(tensor_agree(tt, root(tensor_unary(tt, TENSOR_ABS, x)), root(x), 1e-12), TENSOR_DISAGREE);
}

static void test_folds(void **state) {
  (void)state;
  Expr low = tensor_const(tt, tt->neg_inf), is_less = tensor_binary(tt, TENSOR_LT, x, y);
  expect(max(tensor_where(tt, is_less, mul(num(2), x), low), 1), "2 * max(where(x < y, x, -inf), axis=1)");
  expect(fn(FN_LOG, sum(fn(FN_EXP, x), 1)), "logsumexp(x, axis=1)");
  expect(tensor_unary(tt, TENSOR_LOG2, sum(fn(FN_EXP, x), 1)), "logsumexp(x, axis=1) / log(2)");
  expect(max(tensor_where(tt, is_less, mul(num(-2), x), low), 1), "max(where(x < y, -2 * x, -inf), axis=1)");
}

/* Sums over chosen places: rows, windows that end at the own place, steps up to the own one. */
static void test_masked_sums(void **state) {
  (void)state;
  Term taps = term_int(tt, 3), length = integer("length", SYMBOL_SIZE, tt->one, 0);
  Expr ids = tensor_input(tt, symbol("ids", SORT_INT, SYMBOL_TENSOR), "ids", 3, SORT_INT, 1, &size_m);
  Expr rows = tensor_expand(tt, tensor_expand(tt, tensor_index(tt, length), 1), 2), zero = num(0);
  Expr is_own = tensor_binary(tt, TENSOR_EQ, tensor_expand(tt, ids, 1), rows);
  expect(sum(tensor_where(tt, is_own, x, zero), 1), "expand(where(ids == column(index(length)), 1, 0) @ x, 1)");
  expect(sum(tensor_where(tt, is_own, mul(x, rows), zero), 1),
         "sum(where(expand(ids == column(index(length)), 2), x * expand(column(index(length)), 2), 0), axis=1)");
  expect(add(tensor_expand(tt, x, 2), tensor_expand(tt, y, 2)), "expand(x + y, 2)");
  expect(add(tensor_expand(tt, x, 2), tensor_expand(tt, y, 1)), "expand(x, 2) + expand(y, 1)");
  expect(tensor_squeeze(tt, tensor_expand(tt, tensor_expand(tt, x, 0), 3), 2, (uint8_t[]){0, 3}), "x");
  Expr three =
      tensor_input(tt, symbol("z", SORT_REAL, SYMBOL_TENSOR), "z", 9, SORT_REAL, 3, (Term[]){size_m, size_n, length});
  expect(divide(sum(tensor_expand(tt, three, 2), 3), tensor_size(tt, length)), "expand(mean(z, axis=2), 2)");
  expect(divide(sum(tensor_expand(tt, x, 1), 1), n), "sum(expand(x, 1), axis=1) / n"); /* along its own axis */
  /* an axis that a reshape takes apart, and what is the same along it */
  Term parted[3] = {size_m, size_n, length}, whole[2] = {size_m, term_mul(tt, size_n, length)};
  Expr flat = tensor_input(tt, symbol("f", SORT_REAL, SYMBOL_TENSOR), "f", 10, SORT_REAL, 2, whole),
       parts = tensor_reshape(tt, flat, 3, parted), row_sum = tensor_expand(tt, sum(flat, 1), 1);
  expect(sub(parts, row_sum), "reshape(f - sum(f, axis=1), m, n, length)");
  expect(mul(parts, tensor_expand(tt, x, 2)), "reshape(f, m, n, length) * expand(x, 2)");
  expect(mul(parts, tensor_expand(tt, sum(x, 1), 2)), "reshape(sum(x, axis=1) * f, m, n, length)");
  expect(add(parts, three), "reshape(f, m, n, length) + z");
  expect(tensor_reshape(tt, x, 1, (Term[]){term_mul(tt, size_m, size_n)}), "reshape(x, m * n)");
  expect(tensor_squeeze(tt, tensor_expand(tt, sum(x, 1), 0), 2, (uint8_t[]){0, 2}),
         "sum(x, axis=1)"); /* the other axis is kept */
  /* conv1d_causal */
  Expr w = tensor_input(tt, symbol("w", SORT_REAL, SYMBOL_TENSOR), "w", 4, SORT_REAL, 2, (Term[]){size_n, taps});
  Expr conv = tensor_idiom(tt, TENSOR_CONV1D_CAUSAL, (Expr[]){x, w}, 0, NULL);
  expect(conv->plain, "conv1d_causal(x, w)");
  expect(add(conv->plain, y), "conv1d_causal(x, w) + y");
  expect(mul(num(2), conv->plain), "2 * conv1d_causal(x, w)");
  assert_null(tensor_idiom(tt, TENSOR_CONV1D_CAUSAL, (Expr[]){v, w}, 0, NULL));
  /* recurrence */
  Expr start = tensor_input(tt, symbol("h", SORT_REAL, SYMBOL_TENSOR), "h", 5, SORT_REAL, 1, &size_n);
  for (uint8_t axis = 0; axis < 2; axis++) {
    Expr first = axis ? s : start, from_first = tensor_idiom(tt, TENSOR_RECURRENCE, (Expr[]){x, y, first}, 1, &axis);
    Expr own = tensor_idiom(tt, TENSOR_RECURRENCE, (Expr[]){x, y, tensor_const(tt, tt->zero)}, 1, &axis);
    expect(own->plain, axis ? "recurrence(x, y, 0, axis=1)" : "recurrence(x, y, 0, axis=0)");
    expect(from_first->plain, axis ? "recurrence(x, y, s, axis=1)" : "recurrence(x, y, h, axis=0)");
    assert_int_equal(tensor_agree(tt, from_first, from_first->plain, 1e-12), TENSOR_AGREE);
    assert_int_equal(tensor_agree(tt, from_first, own, 1e-12), TENSOR_DISAGREE);
  }
  /* of one number, of views of the factors, and behind a number that stands in front */
  for (uint8_t axis = 0; axis < 2; axis++) {
    Expr first = axis ? tensor_const(tt, tt->zero) : start;
    Expr own = tensor_idiom(tt, TENSOR_RECURRENCE, (Expr[]){s, y, num(0)}, 1, &axis);
    Expr from_first = tensor_idiom(tt, TENSOR_RECURRENCE, (Expr[]){s, y, first}, 1, &axis);
    expect(mul(sub(num(1), s), own->plain),
           axis ? "(1 - s) * recurrence(s, y, 0, axis=1)" : "(1 - s) * recurrence(s, y, 0, axis=0)");
    assert_int_equal(tensor_agree(tt, from_first, from_first->plain, 1e-12), TENSOR_AGREE);
  }
  Expr gate = fn(FN_TANH, x),
       gated =
           tensor_idiom(tt, TENSOR_RECURRENCE, (Expr[]){gate, mul(sub(num(1), gate), y), num(0)}, 1, (uint8_t[]){0});
  expect(gated->plain, "recurrence(tanh(x), (1 - tanh(x)) * y, 0, axis=0)");
  expect(tensor_squeeze(tt, mul(s, tensor_expand(tt, x, 1)), 1, (uint8_t[]){1}), "s * x");
  assert_null(tensor_idiom(tt, TENSOR_RECURRENCE, (Expr[]){s, y, num(0)}, 1, (uint8_t[]){2}));
  /* the last element */
  Expr place = tensor_index(tt, size_n), later = tensor_expand(tt, place, 1), factor = tensor_expand(tt, start, 1);
  Expr behind = tensor_where(tt, tensor_binary(tt, TENSOR_LT, place, later), factor, num(1));
  Expr own_row = tensor_input(tt, symbol("q", SORT_REAL, SYMBOL_TENSOR), "q", 6, SORT_REAL, 1, &size_n);
  Expr of_row = tensor_squeeze(tt, sum(mul(tensor_reduce(tt, FOLD_PROD, behind, 0), own_row), 1), 2, (uint8_t[]){0, 1});
  expect(of_row, "recurrence(h, q, 0, axis=0)[n - 1]");
  expect(add(mul(s, tensor_reduce(tt, FOLD_PROD, start, 0)), of_row), "expand(recurrence(h, q, s, axis=0)[n - 1], 0)");
  /* y + x * (sum over s < t of what y and x were before), of x = exp(d) */
  Expr until = tensor_index(tt, term_sub(tt, size_n, tt->one)), at = tensor_expand(tt, tensor_index(tt, size_n), 1);
  TensorSlice all_but_last[2] = {{tt->zero, size_m, tt->one, false},
                                 {tt->zero, term_sub(tt, size_n, tt->one), tt->one, false}};
  Expr earlier = tensor_binary(tt, TENSOR_LT, until, at);
  Expr x_before = tensor_expand(tt, tensor_slice(tt, x, all_but_last), 1),
       y_before = tensor_expand(tt, tensor_slice(tt, y, all_but_last), 1);
  Expr decay = sub(sum(tensor_where(tt, earlier, x_before, zero), 2), tensor_scan(tt, FOLD_SUM, x_before, 2));
  Expr before = sum(tensor_where(tt, earlier, mul(y_before, fn(FN_EXP, decay)), zero), 2);
  Expr step = add(tensor_expand(tt, y, 2), mul(tensor_expand(tt, fn(FN_EXP, x), 2), before));
  expect(step, "expand(recurrence(exp(x), y, 0, axis=1), 2)");
  TensorConstants none = {0};
  Expr other = add(tensor_expand(tt, y, 2), mul(tensor_expand(tt, fn(FN_EXP, y), 2), before)); /* of another factor */
  assert_null(strstr(tensor_text(tt, textbook(other, &none)), "recurrence"));
  Expr wrong = tensor_scan(tt, FOLD_PROD, x, 1); /* of x that many times, which is no start of that recurrence */
  Expr one = tensor_idiom(tt, TENSOR_RECURRENCE, (Expr[]){x, y, num(0)}, 1, (uint8_t[]){0});
  expect(add(wrong, one), "cumprod(x, axis=1) + recurrence(x, y, 0, axis=0)");
  /* from the end */
  Expr from = tensor_index(tt, size_n), to = tensor_expand(tt, from, 1), wide_x = tensor_expand(tt, x, 1);
  Expr is_later = tensor_binary(tt, TENSOR_LE, to, from), is_before = tensor_binary(tt, TENSOR_LT, from, to);
  expect(sum(tensor_where(tt, is_later, wide_x, zero), 2), "expand(cumsum(x[:, ::-1], axis=1)[:, ::-1], 2)");
  expect(tensor_reduce(tt, FOLD_PROD, tensor_where(tt, is_later, wide_x, num(1)), 2),
         "expand(cumprod(x[:, ::-1], axis=1)[:, ::-1], 2)");
  assert_null(strstr(tensor_text(tt, textbook(sum(tensor_where(tt, is_before, wide_x, num(1)), 2), &none)), "cumsum"));
  Expr u = tensor_expand(tt, tensor_expand(tt, from, 1), 2);
  Expr is_between =
      tensor_binary(tt, TENSOR_AND, tensor_binary(tt, TENSOR_LE, to, u), tensor_binary(tt, TENSOR_LT, u, from));
  Expr factors = tensor_reduce(tt, FOLD_PROD, tensor_where(tt, is_between, s, num(1)), 0);
  expect(tensor_squeeze(tt, sum(tensor_where(tt, is_later, mul(own_row, factors), zero), 2), 2, (uint8_t[]){0, 2}),
         "recurrence(s, q[::-1], 0, axis=0)[::-1]");
  assert_null(tensor_idiom(tt, TENSOR_RECURRENCE, (Expr[]){x, v, s}, 1, (uint8_t[]){0}));
  assert_null(tensor_idiom(tt, TENSOR_RECURRENCE, (Expr[]){x, y, x}, 1, (uint8_t[]){0}));
}

static double as_f16(double value) {
  return round(value * 0x1p10 / exp2(floor(log2(value)))) * exp2(floor(log2(value))) * 0x1p-10;
}

/* Constants behind decimals of f32, f64, f16; head sizes in either order of folding; and what stays a decimal. */
static void test_constants(void **state) {
  (void)state;
  expect_constant(mul(num((float)0.70710678118654752), x), "x / sqrt(2)", "1/sqrt(2)");
  expect_constant(mul(num(0.70710678118654752), x), "x / sqrt(2)", "1/sqrt(2)");
  expect_constant(mul(num((float)0.79788456080286536), x), "sqrt(2 / pi) * x", "sqrt(2/pi)");
  expect_constant(mul(num((float)0.3989422804014327), x), "x / sqrt(2 * pi)", "1/sqrt(2*pi)");
  expect_constant(mul(num((float)3.14159265358979), x), "pi * x", "pi");
  expect_constant(mul(num((float)2.30258509299404), x), "log(10) * x", "log(10)");
  expect_constant(mul(num((float)(1.0 / 3)), x), "x / 3", "1/3");
  expect_constant(mul(num((float)0.79788464), x), "sqrt(2 / pi) * x", "sqrt(2/pi)"); /* the next number */
  /* a product of a constant and a decimal of the formula, multiplied: 3 * 0.044715 * sqrt(2 / pi); and a bit beside it
   */
  Expr inner = mul(num((float)0.79788456080286536), add(x, mul(num((float)0.044715), mul(square(x), x))));
  Expr gate = fn(FN_TANH, inner);
  TensorConstants products = {0}, others = {0};
  Expr merged = mul(gate, mul(num((float)0.10703222440890037), x));
  assert_non_null(strstr(tensor_text(tt, textbook(merged, &products)), "0.134145"));
  assert_int_equal(products.count, 2);
  assert_string_equal(products.data[1].closed, "0.134145*sqrt(2/pi)");
  merged = mul(gate, mul(num((float)0.1070325), x));
  assert_non_null(strstr(tensor_text(tt, textbook(merged, &others)), "0.1070325"));
  assert_int_equal(others.count, 1);
  expect_constant(add(x, num((float)0.69314718056)), "x + log(2)", "log(2)"); /* added */
  expect_constant(sub(x, num((float)0.69314718056)), "x - log(2)", "log(2)");
  expect_constant(sub(x, num((float)0.91893853320467)), "x - 0.5 * log(2 * pi)", "log(2*pi)/2");
  expect_constant(add(x, num((float)1.83787706640935)), "x + log(2 * pi)", "log(2*pi)");
  expect_constant(divide(x, num((float)1.41421356237309)), "x / sqrt(2)", "sqrt(2)");
  expect_constant(divide(x, num((float)3.14159265358979)), "x / pi", "pi");
  expect_constant(divide(mul(num(3), x), num((float)2.30258509299404)), "3 * x / log(10)", "log(10)");
  expect(divide(x, num((float)3.1416)), "x / 3.1416");
  expect(divide(x, num((float)3.14160)), "x / 3.1416");
  expect(add(x, num((float)0.6931475)), "x + 0.6931475");
  expect(add(x, num((float)0.693147)), "x + 0.693147");
  expect(mul(num((float)0.7978847), x), "0.7978847 * x"); /* the one behind it */
  expect(mul(num(0.5), x), "0.5 * x");
  expect(mul(num((float)0.044715), x), "0.044715 * x");
  expect(mul(num((float)0.7978), x), "0.7978 * x"); /* a decimal that somebody wrote */
  expect(mul(num(0.00390625), x), "0.00390625 * x");
  expect(divide(x, num((float)0.9)), "x / 0.9");
  expect(divide(mul(num((float)0.1), x), num((float)0.9)), "0.1 * x / 0.9");
  expect(divide(mul(num(3), x), num((float)0.7)), "3 * x / 0.7");
  expect_constant(mul(num((float)(127.0 / 3)), x), "127 * x / 3", "127/3");
  expect(mul(num((float)(257.0 / 3)), x), "85.666664 * x"); /* more than any level of 8 bits */
  TensorConstants narrow = {0};
  assert_string_equal(tensor_text(tt, textbook(mul(num(as_f16(0.79788456)), x), &narrow)), "sqrt(2 / pi) * x");
  assert_int_equal(narrow.count, 1);
  for (int d = 8; d <= 512; d++)
    for (int order = 0; order < 2; order++) {
      float one_first = (float)(1.4426950408889634 / sqrt(d)), folded = (float)(1 / sqrt(d)) * 1.4426950408889634f;
      TensorConstants constants = {0};
      Expr e = textbook(tensor_unary(tt, TENSOR_EXP2, mul(num(order ? folded : one_first), x)), &constants);
      int side = (int)(sqrt(d) + 0.5);
      char text[60];
      if (side * side != d) {
        snprintf(text, sizeof text, "exp(x / sqrt(%d))", d);
        assert_string_equal(tensor_text(tt, e), text);
      } else
        assert_true(e->op == TENSOR_FN1 && e->fn == FN_EXP);
    }
}

static double rounded(double value, int bits) { /* to so many significant bits */
  int exponent;
  double fraction = frexp(value, &exponent);
  return ldexp(nearbyint(ldexp(fraction, bits)), exponent - bits);
}

/* Constants in the bits of f64, f32, f16 and bf16, each by its text. */
static void test_formats(void **state) {
  (void)state;
  static const struct {
    double value;
    const char *text;
    int least_bits;
  } table[] = {
      {3.141592653589793, "pi * x", 8},
      {2.718281828459045, "exp(1) * x", 8},
      {1.4426950408889634, "x / log(2)", 8},
      {0.6931471805599453, "log(2) * x", 8},
      {0.7071067811865476, "x / sqrt(2)", 8},
      {1.4142135623730951, "sqrt(2) * x", 8},
      {0.7978845608028654, "sqrt(2 / pi) * x", 8},
      {0.3989422804014327, "x / sqrt(2 * pi)", 8},
      {2.302585092994046, "log(10) * x", 11},
      {0.4342944819032518, "x / log(10)", 11},
      {0.3678794411714423, "x / exp(1)", 24},
      {0.31830988618379067, "x / pi", 24},
      {1.5707963267948966, "0.5 * pi * x", 24},
      {6.283185307179586, "2 * pi * x", 24},
      {0.017453292519943295, "pi * x / 180", 24},
      {57.29577951308232, "180 * x / pi", 24},
      {9.869604401089358, "pi ** 2 * x", 24},
      {0.10132118364233778, "x / pi ** 2", 24},
      {1.7724538509055159, "sqrt(pi) * x", 24},
      {0.5641895835477563, "x / sqrt(pi)", 24},
      {1.1283791670955126, "2 * x / sqrt(pi)", 24},
      {1.2533141373155003, "sqrt(pi / 2) * x", 24},
      {0.8660254037844386, "0.5 * sqrt(3) * x", 24},
      {0.5773502691896258, "x / sqrt(3)", 24},
      {0.08838834764831845, "x / sqrt(128)", 24},
      {3.321928094887362, "log(10) * x / log(2)", 24},
      {0.30102999566398114, "log(2) * x / log(10)", 53},
      {0.4804530139182014, "log(2) ** 2 * x", 24},
      {0.34657359027997264, "0.5 * log(2) * x", 24},
      {0.7213475204444817, "0.5 * x / log(2)", 24},
      {2.8853900817779268, "2 * x / log(2)", 24},
      {0.3333333333333333, "x / 3", 24},
      {0.14285714285714285, "x / 7", 24},
  };
  static const int formats[] = {53, 24, 11, 8};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
      double value = rounded(table[i].value, formats[f]);
      if (formats[f] >= table[i].least_bits) {
        TensorConstants constants = {0};
        Expr book = textbook(mul(num(value), x), &constants);
        assert_string_equal(tensor_text(tt, book), table[i].text);
        assert_int_equal(constants.count, 1);
      }
    }
  /* decimals that somebody wrote, in any format; and what is further off than 2 ulp */
  static const double others[] = {0.4, 0.5, 0.9, 0.1, 3.1, 1.4, 0.3, 0.8, 2.7, 0.044715, 1.702, 0.25, 1e-5};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
      TensorConstants constants = {0};
      textbook(mul(num(rounded(others[i], formats[f])), x), &constants);
      assert_int_equal(constants.count, 0);
    }
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    TensorConstants constants = {0};
    double off = rounded(table[i].value, 24) * (1 + 0x1p-20);
    Expr book = textbook(mul(num(off), x), &constants);
    assert_true(strcmp(tensor_text(tt, book), table[i].text) != 0);
  }
}

static bool refuse(TermTable *of, Expr before, Expr after, const TensorConstants *constants, void *payload) {
  (void)of, (void)before, (void)after, (void)constants, (void)payload;
  return false;
}

/* Laws that the fixed order does not reach, and what none of them may change. */
static void test_search(void **state) {
  (void)state;
  Expr ex = fn(FN_EXP, x), em = fn(FN_EXP, neg(x)), two_x = mul(num(2), x), lse = fn(FN_LOG, sum(fn(FN_EXP, x), 1));
  Expr abs_x = tensor_unary(tt, TENSOR_ABS, x), tanh_abs = fn(FN_TANH, mul(num(0.5), abs_x)),
       log_one_plus = fn(FN_LOG, add(num(1), fn(FN_EXP, neg(abs_x))));
  Expr log_one_plus_distance = fn(FN_LOG, add(num(1), fn(FN_EXP, neg(tensor_unary(tt, TENSOR_ABS, sub(x, y))))));
  Expr mean_x = divide(sum(x, 1), n), zero = num(0), shift = sum(y, 1), low = tensor_binary(tt, TENSOR_LT, x, zero);
  Expr high = tensor_binary(tt, TENSOR_GT, x, zero), ex2 = fn(FN_EXP, mul(num(2), x));
  Expr below = tensor_binary(tt, TENSOR_LT, x, num(-1)), above = tensor_binary(tt, TENSOR_GT, x, num(1));
  const struct {
    Expr e;
    const char *text;
  } table[] = {
      {sub(num(1), divide(num(1), add(num(1), ex))), "sigmoid(x)"},
      {divide(sub(ex, em), add(ex, em)), "tanh(x)"},
      {fn(FN_LOG, mul(num(0.5), add(ex, em))), "log(cosh(x))"},
      {mul(num(0.5), sub(ex, em)), "sinh(x)"},
      {add(ex, fn(FN_EXP, y)), "exp(x) + exp(y)"},
      {divide(sub(num(1), fn(FN_EXP, neg(two_x))), add(num(1), fn(FN_EXP, neg(two_x)))), "tanh(x)"},
      {divide(sub(fn(FN_EXP, two_x), num(1)), add(fn(FN_EXP, two_x), num(1))), "tanh(x)"},
      {sub(mul(num(2), sigmoid(two_x)), num(1)), "tanh(x)"},
      {sub(num(1), divide(num(2), add(num(1), fn(FN_EXP, two_x)))), "tanh(x)"},
      {mul(num(0.5), add(num(1), fn(FN_TANH, mul(num(0.5), x)))), "sigmoid(x)"},
      /* one function rather than two */
      {mul(add(num(0.5), mul(num(0.5), fn(FN_TANH, x))), fn(FN_SIN, y)), "sigmoid(2 * x) * sin(y)"},
      {mul(sigmoid(two_x), sub(num(1), square(fn(FN_TANH, x)))), "0.5 * (1 + tanh(x)) * (1 - tanh(x) ** 2)"},
      {mul(sigmoid(x), sub(num(1), square(fn(FN_TANH, x)))), "sigmoid(x) * (1 - tanh(x) ** 2)"},
      {tensor_binary(tt, TENSOR_MAXIMUM, x, neg(x)), "abs(x)"},
      {tensor_binary(tt, TENSOR_MAXIMUM, sub(x, y), sub(y, x)), "abs(x - y)"},
      {tensor_where(tt, low, neg(x), x), "abs(x)"},
      {tensor_where(tt, tensor_binary(tt, TENSOR_LE, x, zero), neg(x), x), "abs(x)"},
      {tensor_where(tt, tensor_binary(tt, TENSOR_GT, x, zero), x, neg(x)), "abs(x)"},
      {tensor_where(tt, tensor_binary(tt, TENSOR_GE, x, zero), x, neg(x)), "abs(x)"},
      {fn(FN_SIN, tensor_where(tt, low, neg(abs_x), abs_x)), "sin(x)"},
      {fn(FN_SIN, tensor_where(tt, tensor_binary(tt, TENSOR_LE, x, zero), neg(abs_x), abs_x)), "sin(x)"},
      {fn(FN_SIN, tensor_where(tt, low, abs_x, neg(abs_x))), "sin(where(x < 0, abs(x), -abs(x)))"},
      {sub(mul(num(2), sigmoid(mul(num(2), tensor_matmul(tt, x, v)))), num(1)), "tanh(x @ v)"},
      {tensor_where(tt, tensor_binary(tt, TENSOR_LT, x, y), x, y), "minimum(x, y)"},
      {tensor_where(tt, tensor_binary(tt, TENSOR_LE, x, y), x, y), "minimum(x, y)"},
      {tensor_where(tt, tensor_binary(tt, TENSOR_LT, x, y), y, x), "maximum(x, y)"},
      {tensor_where(tt, tensor_binary(tt, TENSOR_LE, x, y), y, x), "maximum(x, y)"},
      {tensor_where(tt, tensor_binary(tt, TENSOR_LT, x, y), sigmoid(x), divide(ex, add(num(1), ex))), "sigmoid(x)"},
      {tensor_where(tt, high, sigmoid(x), divide(ex, add(num(1), ex))), "sigmoid(x)"}, /* and no leaky_relu(x, 1) */
      {tensor_where(tt, tensor_binary(tt, TENSOR_LT, x, y), shift, shift),
       "where(x < y, sum(y, axis=1), sum(y, axis=1))"},
      {sub(tensor_binary(tt, TENSOR_MAXIMUM, x, zero), tensor_binary(tt, TENSOR_MAXIMUM, neg(x), zero)), "x"},
      {mul(ex, fn(FN_EXP, y)), "exp(x + y)"},
      {divide(ex, fn(FN_EXP, y)), "exp(x - y)"},
      {fn(FN_EXP, add(fn(FN_LOG, x), y)), "x * exp(y)"},
      {fn(FN_EXP, mul(num(0.5), fn(FN_LOG, x))), "sqrt(x)"},
      {mul(mul(num(4), fn(FN_ATAN, num(1))), x), "pi * x"},
      {fn(FN_LOG, ex), "x"},
      {fn(FN_LOG, mul(ex, y)), "x + log(y)"},
      {fn(FN_LOG, mul(fn(FN_EXP, mul(s, x)), fn(FN_EXP, mul(s, y)))), "s * (x + y)"},
      {fn(FN_LOG, tensor_binary(tt, TENSOR_POW, fn(FN_EXP, x), num(3))), "3 * x"},
      {sub(mul(sum(x, 1), fn(FN_SIN, y)), mul(s, sum(x, 1))), "sum(x, axis=1) * (sin(y) - s)"},
      {sub(sum(add(x, y), 1), sum(y, 1)), "sum(x, axis=1)"},
      {sub(divide(sum(add(x, y), 1), n), divide(sum(y, 1), n)), "mean(x, axis=1)"},
      {divide(sum(mul(shift, x), 1), shift), "sum(x, axis=1)"},
      {divide(divide(sum(mul(shift, x), 1), n), shift), "mean(x, axis=1)"},
      {sub(max(add(x, shift), 1), shift), "max(x, axis=1)"},
      {sub(fn(FN_LOG, sum(fn(FN_EXP, add(x, shift)), 1)), shift), "logsumexp(x, axis=1)"},
      {divide(mul(ex, y), mul(sum(ex, 1), shift)), "softmax(x, axis=1) * y / sum(y, axis=1)"},
      {divide(fn(FN_EXP, sub(x, shift)), sum(fn(FN_EXP, sub(x, shift)), 1)), "softmax(x, axis=1)"},
      {divide(fn(FN_EXP, sub(x, y)), sum(fn(FN_EXP, sub(x, y)), 1)), "softmax(x - y, axis=1)"},
      {fn(FN_EXP, sub(x, lse)), "softmax(x, axis=1)"},
      {divide(num(1), sum(shifted_exp(x), 1)), "max(softmax(x, axis=1), axis=1)"},
      {divide(num(1), sum(fn(FN_EXP, sub(x, max(y, 1))), 1)), "1 / sum(exp(x - max(y, axis=1)), axis=1)"},
      {sub(max(add(x, y), 1), max(y, 1)), "max(x + y, axis=1) - max(y, axis=1)"},
      {sub(max(x, 1), fn(FN_LOG, sum(shifted_exp(x), 1))), "2 * max(x, axis=1) - logsumexp(x, axis=1)"},
      {fn(FN_LOG, mul(x, y)), "log(x * y)"},
      {sub(num(1), sigmoid(x)), "1 - sigmoid(x)"}, /* hardly shorter */
      {tensor_where(tt, tensor_binary(tt, TENSOR_LT, x, y), sub(y, x), zero), "relu(y - x)"},
      {tensor_where(tt, tensor_binary(tt, TENSOR_LE, x, y), sub(y, x), zero), "relu(y - x)"},
      {tensor_where(tt, tensor_binary(tt, TENSOR_LT, x, y), zero, sub(x, y)), "relu(x - y)"},
      {tensor_where(tt, tensor_binary(tt, TENSOR_LE, x, y), zero, sub(x, y)), "relu(x - y)"},
      {tensor_where(tt, tensor_binary(tt, TENSOR_LT, x, y), sub(x, y), zero), "where(x < y, x - y, 0)"},
      {tensor_where(tt, tensor_binary(tt, TENSOR_LT, x, y), sub(y, x), num(1)), "where(x < y, y - x, 1)"},
      {tensor_where(tt, low, sub(num(1), tanh_abs), add(num(1), tanh_abs)), "1 + tanh(0.5 * x)"},
      {tensor_where(tt, low, neg(fn(FN_ERF, mul(num(3), abs_x))), fn(FN_ERF, mul(num(3), abs_x))), "erf(3 * x)"},
      {tensor_where(tt, low, tanh_abs, neg(tanh_abs)), "where(x < 0, tanh(0.5 * abs(x)), -tanh(0.5 * abs(x)))"},
      {add(tensor_binary(tt, TENSOR_MAXIMUM, x, zero), log_one_plus), "log(1 + exp(x))"},
      {sub(tensor_binary(tt, TENSOR_MAXIMUM, x, zero), log_one_plus), "relu(x) + log(sigmoid(abs(x)))"},
      {add(tensor_binary(tt, TENSOR_MAXIMUM, y, zero), log_one_plus), "log(1 + exp(-abs(x))) + relu(y)"},
      {sub(tensor_binary(tt, TENSOR_MINIMUM, x, zero), log_one_plus), "log(sigmoid(x))"},
      {add(tensor_binary(tt, TENSOR_MAXIMUM, x, y), log_one_plus_distance), "log(exp(x) + exp(y))"},
      {add(tensor_binary(tt, TENSOR_MAXIMUM, y, x), log_one_plus_distance), "log(exp(x) + exp(y))"},
      {add(tensor_binary(tt, TENSOR_MAXIMUM, y, zero), log_one_plus_distance), "log(1 + exp(-abs(x - y))) + relu(y)"},
      {divide(ex, add(ex, fn(FN_EXP, y))), "sigmoid(x - y)"},
      {divide(fn(FN_EXP, y), add(ex, fn(FN_EXP, mul(num(2), y)))), "exp(y) / (exp(x) + exp(2 * y))"},
      {divide(sub(square(add(num(1), ex)), num(1)), add(square(add(num(1), ex)), num(1))), "tanh(log(1 + exp(x)))"},
      {divide(sub(square(x), num(1)), add(square(x), num(1))), "(x ** 2 - 1) / (x ** 2 + 1)"}, /* x may be negative */
      {add(mean_x, num(0)), "mean(x, axis=1)"},
      {divide(x, tensor_where(tt, low, sub(num(1), x), add(num(1), x))), "x / (1 + abs(x))"},
      {tensor_where(tt, tensor_binary(tt, TENSOR_LT, x, y), sub(y, x), sub(x, y)), "abs(y - x)"},
      {tensor_where(tt, tensor_binary(tt, TENSOR_LE, x, y), sub(y, x), sub(x, y)), "abs(y - x)"},
      {tensor_where(tt, tensor_binary(tt, TENSOR_LT, x, y), sub(x, y), sub(y, x)), "-abs(x - y)"},
      {tensor_where(tt, tensor_binary(tt, TENSOR_LE, x, y), sub(x, y), sub(y, x)), "-abs(x - y)"},
      {tensor_where(tt, low, x, neg(x)), "-abs(x)"},
      {tensor_where(tt, tensor_binary(tt, TENSOR_LE, x, zero), x, neg(x)), "-abs(x)"},
      {tensor_where(tt, high, x, neg(y)), "where(x > 0, x, -y)"},
      {tensor_binary(tt, TENSOR_MINIMUM, x, neg(y)), "minimum(x, -y)"},
      {tensor_where(tt, below, num(-1), tensor_where(tt, above, num(1), x)), "clamp(x, -1, 1)"},
      {tensor_where(tt, above, num(1), tensor_where(tt, below, num(-1), x)), "clamp(x, -1, 1)"},
      {tensor_where(tt, tensor_binary(tt, TENSOR_LE, x, num(-1)), num(-1), tensor_where(tt, above, num(1), x)),
       "clamp(x, -1, 1)"},
      {tensor_where(tt, tensor_binary(tt, TENSOR_GE, x, num(1)), num(1), tensor_where(tt, below, num(-1), x)),
       "clamp(x, -1, 1)"},
      {tensor_where(tt, tensor_binary(tt, TENSOR_GT, x, num(-0.5)), num(-0.5),
                    tensor_where(tt, tensor_binary(tt, TENSOR_LT, x, num(0.5)), num(0.5), x)),
       "where(x <= -0.5, maximum(x, 0.5), -0.5)"}, /* the bounds are the wrong way round */
      {tensor_where(tt, low, divide(x, sub(num(1), x)), divide(x, add(num(1), x))), "x / (1 + abs(x))"},
      {tensor_where(tt, low, divide(x, sub(num(1), x)), x), "where(x < 0, x / (1 - x), x)"},
      {add(abs_x, fn(FN_LOG, add(num(1), fn(FN_EXP, mul(num(-2), abs_x))))), "log(cosh(x)) + log(2)"},
      {add(abs_x, fn(FN_LOG, add(num(1), fn(FN_EXP, mul(num(-3), abs_x))))), "abs(x) + log(1 + exp(-3 * abs(x)))"},
      {mul(y, tensor_where(tt, high, num(1), tensor_where(tt, low, num(-1), zero))), "sign(x) * y"},
      {tensor_where(tt, low, num(-1), tensor_where(tt, high, num(1), zero)), "sign(x)"},
      {sub(tensor_where(tt, high, num(1), zero), tensor_where(tt, low, num(1), zero)), "sign(x)"},
      {tensor_where(tt, low, num(1), tensor_where(tt, high, num(-1), zero)), "-sign(x)"},
      {tensor_where(tt, high, num(2), tensor_where(tt, low, num(-1), zero)), "where(x > 0, 2, where(x < 0, -1, 0))"},
      {neg(fn(FN_LOG, add(num(1), fn(FN_EXP, neg(x))))), "log(sigmoid(x))"},
      {fn(FN_LOG, add(num(1), fn(FN_EXP, neg(x)))), "log(1 + exp(-x))"},
      {mul(square(sub(ex2, num(1))), square(sigmoid(mul(num(-2), x)))), "tanh(x) ** 2"},
      {mul(square(sub(ex2, num(1))), sigmoid(mul(num(-2), x))), "tanh(x) * (exp(2 * x) - 1)"},
      {divide(sub(num(1), ex2), add(num(1), ex2)), "-tanh(x)"},
      {divide(sub(ex, num(1)), add(num(1), ex2)), "(exp(x) - 1) * sigmoid(-2 * x)"},
  };
  const TensorLaws proved = {.steps = &steps, .prove = textbook_prove}, refused = {.prove = refuse};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    Expr plain = textbook(table[i].e, &(TensorConstants){0});
    Expr book = tensor_search(tt, plain, &proved);
    assert_true(tensor_equal(tt, tensor_search(tt, plain, &refused), plain)); /* not proved */
    assert_string_equal(tensor_text(tt, book), table[i].text);
    assert_int_equal(tensor_agree(tt, table[i].e, book, 1e-12), TENSOR_AGREE); /* which may be defined in more places */
  }
}

static bool is_shown(Expr before, Expr after) { return textbook_prove(tt, before, after, NULL, NULL); }

/* log(1 + sum(exp(a))), shifted by the maximum: log(1) where the axis is empty, which the maximum of nothing is not. */
static Expr log_of_more(Expr a, bool is_shifted) {
  Expr top = max(a, 1), shifted = fn(FN_LOG, add(fn(FN_EXP, neg(top)), sum(shifted_exp(a), 1)));
  return is_shifted ? add(top, shifted) : fn(FN_LOG, add(num(1), sum(fn(FN_EXP, a), 1)));
}

/* Of an axis that may be empty: sum / sum has no value then, and a maximum is no number. */
static void test_empty_axes(void **state) {
  (void)state;
  Term size_k = integer("k", SYMBOL_SIZE, tt->zero, 0);
  Expr a = tensor_input(tt, symbol("a", SORT_REAL, SYMBOL_TENSOR), "a", 3, SORT_REAL, 2, (Term[]){size_m, size_k});
  Expr w = tensor_input(tt, symbol("w", SORT_REAL, SYMBOL_TENSOR), "w", 4, SORT_REAL, 2, (Term[]){size_k, size_m});
  Expr weights = fn(FN_EXP, a), share = divide(tensor_matmul(tt, weights, w), sum(weights, 1));
  assert_string_equal(tensor_text(tt, textbook(share, &(TensorConstants){0})), "softmax(a, axis=1) @ w");
  assert_true(is_shown(log_of_more(x, false), log_of_more(x, true)));
  assert_false(is_shown(log_of_more(a, false), log_of_more(a, true)));
}

static Expr places(int64_t length) { return tensor_index(tt, term_int(tt, length)); }
static Expr is_place(Expr index, double place) { return tensor_binary(tt, TENSOR_EQ, index, num(place)); }

/* What both arms of a choice share; choices by the place along a short axis; places of the largest. */
static void test_choices(void **state) {
  (void)state;
  Expr c = tensor_binary(tt, TENSOR_LT, x, y), ex = fn(FN_EXP, x), ey = fn(FN_EXP, y), zero = num(0);
  Expr column = tensor_expand(tt, x, 2), other = tensor_expand(tt, y, 2), two = places(2);
  expect(tensor_where(tt, c, mul(x, fn(FN_SIN, y)), mul(x, fn(FN_COS, y))), "x * where(x < y, sin(y), cos(y))");
  expect(tensor_where(tt, c, mul(num(2), ex), mul(num(3), ex)), "where(x < y, 2 * exp(x), 3 * exp(x))");
  expect(tensor_where(tt, c, ex, ey), "exp(where(x < y, x, y))");
  expect(tensor_where(tt, c, ex, fn(FN_EXP, sub(x, y))), "exp(where(x < y, x, x - y))");
  expect(tensor_where(tt, c, ex, fn(FN_SIN, y)), "where(x < y, exp(x), sin(y))");
  expect(tensor_where(tt, c, mul(s, x), zero), "where(x < y, s * x, 0)");
  Expr product = mul(mul(num((float)1.0507009), num((float)1.6732632)), ey); /* has more digits than either literal */
  expect(tensor_where(tt, c, mul(num((float)1.0507009), x), product),
         "1.0507009 * where(x < y, x, 1.6732632 * exp(y))");
  expect(tensor_where(tt, c, product, mul(num((float)1.0507009), x)),
         "1.0507009 * where(x < y, 1.6732632 * exp(y), x)");
  expect(fn(FN_TANH, neg(x)), "-tanh(x)");
  expect(fn(FN_COS, mul(num(-2), x)), "cos(2 * x)");
  expect(fn(FN_COSH, tensor_unary(tt, TENSOR_ABS, x)), "cosh(x)");
  expect(fn(FN_TANH, tensor_unary(tt, TENSOR_ABS, x)), "tanh(abs(x))");
  Expr bounds[] = {x, num(-1), num(1), num(2)};
  Expr low = tensor_idiom(tt, TENSOR_CLAMP, bounds, 0, NULL);
  Expr high = tensor_idiom(tt, TENSOR_CLAMP, (Expr[]){y, bounds[1], bounds[2]}, 0, NULL);
  Expr higher = tensor_idiom(tt, TENSOR_CLAMP, (Expr[]){y, bounds[1], bounds[3]}, 0, NULL);
  expect(tensor_where(tt, c, low, high), "clamp(where(x < y, x, y), -1, 1)");
  expect(tensor_where(tt, c, low, higher), "where(x < y, clamp(x, -1, 1), clamp(y, -1, 2))");
  expect(fn(FN_EXP, neg(x)), "exp(-x)");
  expect(tensor_unary(tt, TENSOR_ABS, neg(x)), "abs(x)");
  expect(tensor_binary(tt, TENSOR_POW, tensor_unary(tt, TENSOR_ABS, x), num(2)), "x ** 2");
  expect(tensor_binary(tt, TENSOR_POW, tensor_unary(tt, TENSOR_ABS, x), num(3)), "abs(x) ** 3");
  Expr place = tensor_index(tt, size_n), from = sub(n, place), zero_place = tensor_const(tt, tt->zero);
  Expr at_least = tensor_binary(tt, TENSOR_MAXIMUM, from, zero_place);
  expect(tensor_where(tt, tensor_binary(tt, TENSOR_LE, at_least, place), x, y),
         "where(n - index(n) <= index(n), x, y)");
  Expr column_place = tensor_expand(tt, tensor_index(tt, size_m), 1),
       two_less = sub(column_place, tensor_const(tt, term_int(tt, 2)));
  Expr window = tensor_binary(tt, TENSOR_LE, tensor_binary(tt, TENSOR_MAXIMUM, two_less, zero_place), place);
  expect(tensor_where(tt, window, x, y), "where(column(index(m)) <= index(n) + 2, x, y)");
  expect(tensor_where(tt, tensor_binary(tt, TENSOR_LE, at_least, from), x, y),
         "where(maximum(n - index(n), 0) <= n - index(n), x, y)"); /* which may be negative */
  /* choices by what is known */
  Expr inner = tensor_where(tt, c, x, y),
       rare_row = tensor_binary(tt, TENSOR_LT, tensor_reduce(tt, FOLD_MAX, x, 1), eps);
  expect(tensor_where(tt, c, add(fn(FN_SIN, inner), y), num(7)), "where(x < y, sin(x) + y, 7)");
  expect(tensor_where(tt, c, num(7), add(fn(FN_SIN, inner), x)), "where(x < y, 7, x + sin(y))");
  expect(tensor_where(tt, rare_row, num(7), sum(tensor_where(tt, rare_row, x, y), 1)),
         "where(max(x, axis=1) < eps, 7, sum(y, axis=1))");
  expect(tensor_where(tt, c, sum(inner, 1), num(7)), "where(x < y, sum(where(x < y, x, y), axis=1), 7)");
  /* stacks */
  expect(tensor_where(tt, is_place(two, 1), column, other), "stack(y, x, axis=2)");
  expect(tensor_where(tt, tensor_binary(tt, TENSOR_LT, places(3), num(2)), mul(num(2), column), other),
         "stack(2 * x, 2 * x, y, axis=2)");
  expect(tensor_where(tt, tensor_binary(tt, TENSOR_LT, places(8), num(7)), mul(num(2), column), other),
         "where(index(8) < 7, 2 * expand(x, 2), expand(y, 2))"); /* a stack is longer */
  Expr third = tensor_where(tt, is_place(places(3), 2), column, add(column, other));
  expect(tensor_where(tt, is_place(places(3), 1), other, third), "stack(x + y, y, x, axis=2)");
  expect(tensor_where(tt, is_place(tensor_index(tt, size_n), 1), x, y), "where(index(n) == 1, x, y)");
  expect(add(tensor_where(tt, is_place(two, 0), column, other), tensor_where(tt, is_place(two, 0), other, column)),
         "stack(x + y, x + y, axis=2)");
  /* argmax */
  Expr m = max(x, 1), largest = tensor_reduce(tt, FOLD_ARGMAX, divide(shifted_exp(x), sum(shifted_exp(x), 1)), 1);
  expect(largest, "argmax(x, axis=1)");
  expect(tensor_reduce(tt, FOLD_ARGMAX, sub(mul(num(3), x), m), 1), "argmax(x, axis=1)");
  expect(tensor_reduce(tt, FOLD_ARGMIN, divide(ex, sum(ey, 1)), 1), "argmin(x, axis=1)");
  expect(tensor_reduce(tt, FOLD_ARGMAX, mul(num(-3), x), 1), "argmax(-3 * x, axis=1)");
  expect(tensor_reduce(tt, FOLD_ARGMAX, mul(m, x), 1), "argmax(max(x, axis=1) * x, axis=1)"); /* of unknown sign */
  Expr rare = tensor_binary(tt, TENSOR_LT, m, num(-1000000)),
       masked = tensor_where(tt, rare, tensor_const(tt, tt->neg_inf), m), shifted = tensor_where(tt, rare, num(1), m);
  expect(tensor_reduce(tt, FOLD_ARGMAX, add(x, shifted), 1), "argmax(x, axis=1)");
  expect(tensor_reduce(tt, FOLD_ARGMAX, mul(fn(FN_EXP, shifted), x), 1), "argmax(x, axis=1)");
  /* a row beside -inf has its first place alone */
  expect(tensor_reduce(tt, FOLD_ARGMAX, add(x, masked), 1),
         "argmax(x + where(max(x, axis=1) < -1000000, -inf, max(x, axis=1)), axis=1)");
  expect(tensor_reduce(tt, FOLD_ARGMAX, mul(fn(FN_EXP, masked), x), 1),
         "argmax(exp(where(max(x, axis=1) < -1000000, -inf, max(x, axis=1))) * x, axis=1)");
  expect(tensor_reduce(tt, FOLD_ARGMAX, add(x, fn(FN_LOG, square(m))), 1),
         "argmax(x + log(max(x, axis=1) ** 2), axis=1)"); /* log(0) */
  expect(tensor_reduce(tt, FOLD_ARGMAX, fn(FN_SIN, x), 1), "argmax(sin(x), axis=1)");
  Term shape[2] = {size_m, term_int(tt, 3)};
  Expr tail = tensor_broadcast(tt, zero, 2, shape);
  expect(tensor_reduce(tt, FOLD_ARGMAX, tensor_concat(tt, ex, tail, 1), 1), "argmax(x, axis=1)");
  expect(tensor_reduce(tt, FOLD_ARGMAX, tensor_concat(tt, x, tail, 1), 1),
         "argmax(concat(x, broadcast(0, m, 3), axis=1), axis=1)"); /* all may be below 0 */
  expect(tensor_reduce(tt, FOLD_ARGMIN, tensor_concat(tt, ex, tail, 1), 1),
         "argmin(concat(exp(x), broadcast(0, m, 3), axis=1), axis=1)");
  Expr eight_over_pi = divide(num(8), tensor_idiom(tt, TENSOR_PI, NULL, 0, NULL));
  expect(mul(mul(num(0.5), root(eight_over_pi)), sigmoid(x)), "sqrt(2 / pi) * sigmoid(x)");
  expect(mul(mul(num(0.25), root(eight_over_pi)), sigmoid(x)), "0.25 * sqrt(8 / pi) * sigmoid(x)");
}

/* What report.c asks of the prover, for laws that are wrong where x is negative or 0, and for right ones. */
static void test_wrong_laws_are_not_proved(void **state) {
  (void)state;
  Term index[2] = {integer("i", SYMBOL_INDEX, tt->zero, 0), integer("j", SYMBOL_INDEX, tt->zero, 0)};
  Expr absolute = tensor_unary(tt, TENSOR_ABS, x), negative = tensor_binary(tt, TENSOR_LT, x, num(0)),
       less = tensor_binary(tt, TENSOR_LT, x, y);
  const struct {
    Expr before, after;
    bool is_law;
  } table[] = {
      {absolute, x, false},
      {tensor_where(tt, negative, num(0), x), x, false},
      {fn(FN_LOG, mul(x, y)), add(fn(FN_LOG, x), fn(FN_LOG, y)), false},
      {root(square(x)), x, false},
      {tensor_where(tt, less, sub(y, x), num(0)), tensor_binary(tt, TENSOR_MAXIMUM, sub(x, y), num(0)), false},
      {tensor_where(tt, less, sub(y, x), num(0)), tensor_binary(tt, TENSOR_MAXIMUM, sub(y, x), num(0)), true},
      {divide(sub(square(x), num(1)), add(square(x), num(1))), fn(FN_TANH, fn(FN_LOG, x)), false},
      {tensor_where(tt, negative, fn(FN_TANH, absolute), neg(fn(FN_TANH, absolute))), fn(FN_TANH, x), false},
      {tensor_where(tt, negative, neg(fn(FN_TANH, absolute)), fn(FN_TANH, absolute)), fn(FN_TANH, x), true},
      {tensor_binary(tt, TENSOR_MAXIMUM, x, neg(x)), absolute, true},
      {fn(FN_LOG, fn(FN_EXP, x)), x, true},
      {sub(num(1), divide(num(1), add(num(1), fn(FN_EXP, x)))), sigmoid(x), true},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    Term a = tensor_meaning(tt, table[i].before, index), b = tensor_meaning(tt, table[i].after, index);
    assert_int_equal(equal_prove(tt, a, b) != EQUAL_NONE || rewrite_prove(tt, a, b, NULL), table[i].is_law);
  }
}

/* Names of layers stand for what is there, and for nothing near it. */
static void test_names(void **state) {
  (void)state;
  const uint8_t turned[] = {1, 0};
  Expr lse = tensor_idiom(tt, TENSOR_LOGSUMEXP, &x, 1, (uint8_t[]){1}),
       silu_x = tensor_idiom(tt, TENSOR_SILU, &x, 0, NULL),
       first_x = tensor_idiom(tt, TENSOR_SOFTMAX, &x, 1, (uint8_t[]){1});
  Expr scores = mul(s, tensor_matmul(tt, x, tensor_transpose(tt, y, turned))), low = tensor_const(tt, tt->neg_inf);
  Expr row = tensor_index(tt, size_m), keys = row, queries = tensor_expand(tt, row, 1);
  Expr causal = tensor_where(tt, tensor_binary(tt, TENSOR_LE, keys, queries), scores, low),
       later = tensor_where(tt, tensor_binary(tt, TENSOR_LT, keys, queries), scores, low);
  Expr first = tensor_idiom(tt, TENSOR_SOFTMAX, &scores, 1, (uint8_t[]){1}),
       other = tensor_idiom(tt, TENSOR_SOFTMAX, &scores, 1, (uint8_t[]){0}),
       masked = tensor_idiom(tt, TENSOR_SOFTMAX, &causal, 1, (uint8_t[]){1}),
       strict = tensor_idiom(tt, TENSOR_SOFTMAX, &later, 1, (uint8_t[]){1});
  Expr bias = tensor_input(tt, symbol("b", SORT_REAL, SYMBOL_TENSOR), "b", 3, SORT_REAL, 1, (Term[]){size_m});
  Expr labels = tensor_input(tt, symbol("l", SORT_INT, SYMBOL_TENSOR), "l", 4, SORT_INT, 1, (Term[]){size_m});
  Expr picked = tensor_take_along(tt, x, tensor_expand(tt, labels, 1), 1);
  Term twice = term_mul(tt, term_int(tt, 2), size_n), eight = term_int(tt, 8);
  Expr pairs = tensor_input(tt, symbol("p", SORT_REAL, SYMBOL_TENSOR), "p", 5, SORT_REAL, 2, (Term[]){size_m, twice});
  Expr image =
      tensor_input(tt, symbol("i", SORT_REAL, SYMBOL_TENSOR), "i", 6, SORT_REAL, 3, (Term[]){size_n, size_m, size_n});
  Expr eights =
      tensor_input(tt, symbol("g", SORT_REAL, SYMBOL_TENSOR), "g", 7, SORT_REAL, 3, (Term[]){size_n, eight, size_n});
  Expr turned_pairs = tensor_idiom(tt, TENSOR_ROTARY, (Expr[]){pairs, x, y}, 0, NULL)->plain;
  Expr batch = tensor_idiom(tt, TENSOR_BATCH_NORM, (Expr[]){image, bias, bias, bias, bias, eps}, 0, NULL)->plain;
  Expr group = tensor_idiom(tt, TENSOR_GROUP_NORM, (Expr[]){eights, num(4), eps}, 0, NULL)->plain;
  assert_null(tensor_idiom(tt, TENSOR_GROUP_NORM, (Expr[]){eights, num(3), eps}, 0, NULL)); /* groups of 2 or 3 */
  assert_null(tensor_idiom(tt, TENSOR_ROTARY, (Expr[]){x, x, y}, 0, NULL));
  const struct {
    Expr e;
    const char *text; /* NULL: it has no name */
  } table[] = {
      {turned_pairs, "rotary(p, x, y)"},
      {tensor_concat(tt, turned_pairs->args[1], turned_pairs->args[0], 1), NULL},
      {batch, "batch_norm(i, b, b, b, b, eps=eps)"},
      {sub(batch->args[0], batch->args[1]), NULL},
      {group, "group_norm(g, 4, eps=eps)"},
      {sub(x, lse), "log_softmax(x, axis=1)"},
      {fn(FN_LOG, first_x), "log_softmax(x, axis=1)"},
      {fn(FN_EXP, first_x), NULL},
      {sub(y, lse), NULL},
      {add(x, lse), NULL},
      {sub(add(x, y), tensor_idiom(tt, TENSOR_LOGSUMEXP, &(Expr){add(x, y)}, 1, (uint8_t[]){1})),
       "log_softmax(x + y, axis=1)"},
      {sub(lse, picked), "cross_entropy(x, labels=l)"},
      {sub(picked, lse), "-cross_entropy(x, labels=l)"},
      {add(lse, picked), NULL},
      {mul(silu_x, y), "swiglu(x, y)"},
      {mul(silu_x, sub(num(1), square(fn(FN_TANH, x)))), NULL}, /* one input is no gate */
      {mul(num(2), silu_x), NULL},
      {add(tensor_matmul(tt, x, tensor_transpose(tt, y, turned)), bias), "linear(x, y, b)"},
      {sub(tensor_matmul(tt, x, tensor_transpose(tt, y, turned)), bias), NULL},
      {tensor_matmul(tt, first, y), "attention(x, y, y, scale=s)"},
      {tensor_matmul(tt, other, y), NULL},
      {tensor_matmul(tt, masked, y), "causal_attention(x, y, y, scale=s)"},
      {tensor_matmul(tt, strict, y), NULL},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    assert_non_null(table[i].e);
    Expr named = tensor_named(tt, table[i].e, &(TensorLaws){.steps = &steps, .prove = textbook_prove});
    assert_string_equal(tensor_text(tt, named), table[i].text ? table[i].text : tensor_text(tt, table[i].e));
  }
}

/* ---- numbers that decide ---- */

enum { UNIFORM = 5 * 5 * 5, CASES = UNIFORM + 75, EXTREME = CASES - 5 };

/* Inputs of few numbers: first each of one number, so that a comparison is true, false or of equals everywhere; last
 * with numbers whose exponentials are none, for choices alone. */
typedef struct Case {
  uint32_t place;
  bool chosen[2]; /* whether a condition was false somewhere, and true */
  TensorExprs inputs;
} Case;

static double case_number(const Case *c, uint32_t leaf, uint32_t element) {
  static const double numbers[] = {0, 1, -1, 2, -0.5, 0.5};
  static const uint32_t divisors[] = {1, 5, 25};
  if (c->place < UNIFORM) return numbers[c->place / divisors[leaf % 3] % 5];
  if (c->place >= EXTREME) return element / 4 % 2 ? -3e6 : 1; /* a row each */
  return numbers[random_mix(c->place + 131 * leaf + 977 * element) % 6];
}

static double case_scalar(void *payload, Term symbol) {
  const Case *c = payload;
  if (term_sort(tt, symbol) != SORT_REAL) return symbol == size_m ? 3 : 4;
  return 0.25 + fabs(case_number(c, symbol == s->symbol, 0)); /* what is added to a variance, a slope */
}

static TensorArray case_value(Case *c, Expr e);

static int64_t cells_of(const TensorArray *a) {
  int64_t cells = 1;
  for (uint32_t i = 0; i < a->rank; i++) cells *= a->shape[i];
  return cells;
}

static TensorArray case_input(void *payload, Term symbol) {
  Case *c = payload;
  uint32_t leaf = 0;
  while (c->inputs.data[leaf]->symbol != symbol) leaf++;
  Expr e = c->inputs.data[leaf];
  TensorArray a = {.rank = e->rank};
  for (uint32_t i = 0; i < e->rank; i++) a.shape[i] = (int64_t)case_value(c, tensor_size(tt, e->shape[i])).data[0];
  int64_t cells = cells_of(&a);
  a.data = arena_array(&arena, double, cells + 1);
  for (int64_t i = 0; i < cells; i++)
    a.data[i] = e->sort == SORT_REAL ? case_number(c, leaf, (uint32_t)i) : (double)((c->place + (uint32_t)i) % 3);
  return a;
}

static TensorArray case_value(Case *c, Expr e) {
  return tensor_eval(tt, &arena, e, &(TensorEnvironment){.payload = c, .input = case_input, .scalar = case_scalar});
}

static void find_inputs(Case *c, Expr e) {
  bool found = e->op != TENSOR_INPUT;
  for (uint32_t i = 0; i < c->inputs.count; i++) found |= c->inputs.data[i]->symbol == e->symbol;
  if (!found) array_push(&arena, &c->inputs, e);
  for (uint32_t i = 0; i < e->count; i++) find_inputs(c, e->args[i]);
}

/* Returns whether there is a choice in e, outside of definitions. */
static bool note_choices(Case *c, Expr e) {
  bool found = e->op == TENSOR_WHERE;
  for (uint32_t i = 0; i < e->count; i++) found |= note_choices(c, e->args[i]);
  if (e->op != TENSOR_WHERE) return found;
  TensorArray condition = case_value(c, e->args[0]);
  for (int64_t i = 0; i < cells_of(&condition); i++) c->chosen[condition.data[i] != 0] = true;
  return true;
}

/* Where `before` has a value, `after` has that one: returns of how many elements. */
static uint32_t compare_sides(const TensorStep *step, const Case *c, const TensorArray *a, const TensorArray *b,
                              double tolerance) {
  /* A row without any element that counts: under it a formula is divided by 0. Others are not shown (test_masked_rows).
   */
  bool is_of_rows = !strcmp(step->law, "masked-exponential");
  uint32_t compared = 0;
  double scale = 1;
  assert_int_equal(cells_of(a), cells_of(b));
  for (int64_t i = 0; i < cells_of(a); i++)
    if (isfinite(a->data[i])) scale = fmax(scale, fabs(a->data[i]));
  for (int64_t i = 0; i < cells_of(a); i++) {
    double p = a->data[i], q = b->data[i];
    if (isnan(p) || (isnan(q) && is_of_rows)) continue;
    compared++;
    if (p != q && !(fabs(p - q) <= tolerance * scale))
      fail_msg("%s: %s = %s: %.17g, %.17g, case %u", step->law, tensor_text(tt, step->before),
               tensor_text(tt, step->after), p, q, c->place);
  }
  return compared;
}

/* Under the sanitizers faults are looked for, which few cases show as well. */
#ifdef ASSAY_SANITIZED
#define CASES_STEP ((uint32_t)rounds_step())
#else
#define CASES_STEP 1u
#endif

/* And each choice goes either way. */
static void check_step(const TensorStep *step, double tolerance) {
  Case c = {0};
  uint32_t compared = 0;
  bool has_choice = false;
  find_inputs(&c, step->before), find_inputs(&c, step->after);
  for (; c.place < CASES; c.place += CASES_STEP) {
    TensorArray a = case_value(&c, step->before), b = case_value(&c, step->after);
    if (c.place < EXTREME) compared += compare_sides(step, &c, &a, &b, tolerance);
    has_choice |= note_choices(&c, step->before);
    has_choice |= note_choices(&c, step->after);
  }
  if (CASES_STEP > 1) return;
  if (!compared) fail_msg("%s: %s is never a number", step->law, tensor_text(tt, step->before));
  if (has_choice && !(c.chosen[0] && c.chosen[1]))
    fail_msg("%s: the choice in %s is always %d", step->law, tensor_text(tt, step->before), c.chosen[1]);
}

/* Each law of the table was applied by some test, and its two sides agree. */
static void test_every_law(void **state) {
  (void)state;
  for (uint32_t i = 0; tensor_law_name(i); i++) {
    bool found = false;
    for (uint32_t k = 0; k < steps.count; k++) found |= !strcmp(steps.data[k].law, tensor_law_name(i));
    if (!found) fail_msg("no test applies %s", tensor_law_name(i));
  }
  for (uint32_t k = 0; k < steps.count; k++) {
    double tolerance = strcmp(steps.data[k].law, "constant") ? 1e-6 : 1e-2; /* a literal of bf16 */
    if (strcmp(steps.data[k].law, "masked-exponential"))
      assert_int_equal(tensor_agree(tt, steps.data[k].before, steps.data[k].after, tolerance), TENSOR_AGREE);
    check_step(&steps.data[k], tolerance);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_activations), cmocka_unit_test(test_gelu),
      cmocka_unit_test(test_softmax),     cmocka_unit_test(test_softmax_in_disguise),
      cmocka_unit_test(test_transposes),  cmocka_unit_test(test_base_two),
      cmocka_unit_test(test_norms),       cmocka_unit_test(test_common_factors),
      cmocka_unit_test(test_softplus),    cmocka_unit_test(test_moments_and_signs),
      cmocka_unit_test(test_definitions), cmocka_unit_test(test_disagreement),
      cmocka_unit_test(test_folds),       cmocka_unit_test(test_constants),
      cmocka_unit_test(test_formats),     cmocka_unit_test(test_search),
      cmocka_unit_test(test_choices),     cmocka_unit_test(test_empty_axes),
      cmocka_unit_test(test_names),       cmocka_unit_test(test_wrong_laws_are_not_proved),
      cmocka_unit_test(test_masked_sums), cmocka_unit_test(test_masked_rows),
      cmocka_unit_test(test_every_law),
  };
  return cmocka_run_group_tests(tests, setup, table_close);
}
