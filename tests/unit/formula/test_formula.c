/* The reader of formulas: what is printed reads back as the same text, and bad formulas are told with their place. */
#include "fixture.h"

static Formula *read(Fixture *f, const char *text) {
  return formula_read(&f->arena, f->tt, source_new(&f->arena, "test", text, strlen(text)), NULL, &f->diagnostics);
}

static void expect_same(const char *text) {
  BEGIN(f);
  Formula *formula = read(f, text);
  if (!formula) fail_msg("%s: %s", text, f->diagnostics.items.data[0].message);
  Text out = text_new(&f->arena);
  formula_print(formula->pointwise, &out);
  assert_string_equal(text_string(&out), text);
  end(f);
}

static void what_is_printed_reads_back(void **state) {
  (void)state;
  static const char head[] = "pointwise f\ntensor x: f32[n, m] strides [s, 1]\ntensor i: i32[n] strides [1]\ntensor y: "
                             "f32[n, m] strides [m, 1]\n"
                             "scalar n: i32, 1 <= n <= 2147483647\nscalar eps: f32\nsize m: 1 <= m\nsize s\n";
  static const char *const values[] = {
      "x[j_, j] + 1",
      "exp(x[j_, j] - max[k < m](x[j_, k])) / sum[k2 < m](exp(x[j_, k2] - max[k < m](x[j_, k])))",
      "where(j < n, eps, -inf)",
      "0.5*x[j_, j]*(erf(0.70710677*x[j_, j]) + 1)",
      "x[j_, 64*(j // 64)]",
      "(1/3)*x[j_, j % 4]",
      "sum[max(0, j - 3) <= k < min(m, j + 1), i[k] == 2](x[j_, k])",
      "sqrt(eps + x[j_, j] ** 2)",
      "x[j_, j] ** (3/2)",
      "min(127, max(-128, round(127*x[j_, j])))",
      "argmax[k < m](x[j_, k])",
      "wrap32(16777619*i[j_])",
      "where(isneginf(x[j_, j]) and not x[j_, j] == 0, 1, 2)",
      "where(any[k < m](x[j_, k] > 0 or i[j_] != 3), 1, 0)",
      "abs(x[j_, j])",
      "pow(x[j_, j], eps)",
      "-x[j_, j]*(1 - eps)",
      "mulhi(i[j_], 5)",
      "-((-j) // 4)",
      "prod[k < m](x[j_, k]) for j < 3; = eps for j >= 3 and j <= 9"};
  char text[1000];
  for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
    /* not everything above is in printed order: print it once, and read that */
    BEGIN(f);
    snprintf(text, sizeof text, "%sy[j_, j] = %s\n", head, values[v]);
    Formula *formula = read(f, text);
    if (!formula) {
      for (uint32_t d = 0; d < f->diagnostics.items.count; d++)
        print_message("%s\n", f->diagnostics.items.data[d].message);
      fail_msg("%s", values[v]);
    }
    Text out = text_new(&f->arena);
    formula_print(formula->pointwise, &out);
    expect_same(text_string(&out));
    end(f);
  }
}

static void declarations_are_kept(void **state) {
  (void)state;
  expect_same("pointwise f\ntensor y: f32[]\ntensor x: i64[count] strides [1]\nsize count: 1 <= count <= 7\nassume "
              "count <= 5\ny[] = sum[k < count](x[k])\n");
  expect_same("pointwise f\ntensor y: f16[n] strides [2]\nscalar n: i64, 1 <= n\ny[i] += i for i <= 3\n");
  expect_same("pointwise f\ntensor y: f16[n] strides [2]\nscalar n: i64\ny[i] max= i\n");
}

/* A stray byte is a part of a name, and the sign of Kelvin is another name than K, which Python has for one. */
static void names_are_bytes(void **state) {
  (void)state;
  expect_same("pointwise f\ntensor x\xff: f32[n] strides [1]\ntensor y: f32[n] strides [1]\nscalar n: i32, 1 <= "
              "n\ny[i] = x\xff[i]\n");
  expect_same("pointwise f\ntensor K: f32[n] strides [1]\ntensor \xe2\x84\xaa: f32[n] strides [1]\nscalar n: i32, 1 <= "
              "n\nK[i] = 2*\xe2\x84\xaa[i]\n");
}

static void numbers_are_exact(void **state) {
  (void)state;
  BEGIN(f);
  Rational r;
  assert_true(formula_number(&f->guard, "0.1", &r)); /* the nearest f32 */
  assert_true(rational_to_double(r) == (double)0.1f);
  assert_true(formula_number(&f->guard, "0.1000000000", &r)); /* more than nine digits: the nearest f64 */
  assert_true(rational_to_double(r) == 0.1);
  assert_true(formula_number(&f->guard, "18014398509481985", &r));
  assert_true(r.num == 18014398509481985 && r.den == 1);
  assert_false(formula_number(&f->guard, "1e999", &r));
  end(f);
}

static void tensor_forms_are_kept_as_syntax(void **state) {
  (void)state;
  BEGIN(f);
  Formula *formula = read(f, "y = softmax(x, axis=1)\nz = x @ w");
  assert_non_null(formula);
  assert_int_equal(formula->lines.count, 2);
  assert_string_equal(formula->lines.data[1].name, "z");
  end(f);
}

static void expect_error(const char *text, const char *message, uint32_t line, uint32_t column) {
  BEGIN(f);
  Source *source = source_new(&f->arena, "test", text, strlen(text));
  Formula *formula = formula_read(&f->arena, f->tt, source, NULL, &f->diagnostics);
  if (formula || !f->diagnostics.items.count) fail_msg("accepted: %s", text);
  const Diagnostic *d = &f->diagnostics.items.data[0];
  if (!strstr(d->message, message)) fail_msg("%s: %s", text, d->message);
  LineColumn at = source_locate(source, d->span.begin);
  if (at.line != line || at.column != column) fail_msg("%s: %u:%u", text, at.line, at.column);
  end(f);
}

static void bad_formulas_are_diagnosed(void **state) {
  (void)state;
  expect_error("y[i] = x[i] +", "expected an expression", 1, 14);
  expect_error("y[i] = x[i", "expected ']'", 1, 11);
  expect_error("y[i] = x[i] x", "expected an operator", 1, 13);
  expect_error("y[i] = nosuch(x[i])", "no function nosuch", 1, 8);
  expect_error("y[i] = eps", "unknown name", 1, 8);
  expect_error("y[i] = x", "unknown name", 1, 8);
  expect_error("y[i] = x[...]", "no meaning in a formula", 1, 10);
  expect_error("size n: ... <= n\ny[i] = n", "no meaning in a formula", 1, 9);
  expect_error("y[i] = x[i] + x[i, i]", "x has rank 1", 1, 15);
  expect_error("tensor x: f32[n, m > n]\ny[i] = x[i, 0]", "expected an integer", 1, 18);
  expect_error("tensor x: f32[n] strides [m < n]\ny[i] = x[i]", "expected an integer", 1, 27);
  expect_error("size n: 1 <= n <= (m < k)\ny[i] = x[i]", "expected an integer", 1, 20);
  expect_error("pointwise f\ny[1] = 2", "expected the name of an index", 2, 3);
  expect_error("y[i] 2", "expected '='", 1, 6);
  expect_error("y[i] = sum[k](x[k])", "expected the range of a fold", 1, 8);
  expect_error("y[i] = sum[k < n](k < 2)", "expected a number", 1, 19);
  expect_error("y[i] = x[i] for i", "expected a condition", 1, 17);
  expect_error("y[i] = 1 / 0", "has no meaning", 1, 8);
  expect_error("y[i] = x[0.5*i]", "an index is an integer", 1, 10);
  expect_error("tensor x f32\ny[i] = x[i]", "no type", 1, 1);
  expect_error("tensor x: f32[n]\ntensor x: f32[n]\ny[i] = x[i]", "declared twice", 2, 8);
  expect_error("y[i] = $", "no part of a formula", 1, 8);
  expect_error("hello world", "no formula", 1, 1);
  expect_error("", "no formula", 1, 1);
}

static void formulas_are_known_by_their_content(void **state) {
  (void)state;
  BEGIN(f);
  static const char *const yes[] = {
      "y = x", "y[i] = x[i]", "# a comment\n\ny = x", "pointwise f\n", "tensor x: f32[n]\ny = x", "y += 2"};
  static const char *const no[] = {"module {\n}",
                                   "#loc = loc(unknown)\nmodule {",
                                   "\"builtin.module\"() ({}) : () -> ()",
                                   "{\"schema\": 1}",
                                   "",
                                   "tt.func @f() {",
                                   "func.func @f()",
                                   "// comment",
                                   "; ModuleID = 'x'",
                                   ".version 8.0",
                                   ("\x7f"
                                    "ELF"),
                                   "module @m = 3",
                                   "%0 = arith.constant"};
  for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
    assert_true(formula_is_one(source_new(&f->arena, "t", yes[i], strlen(yes[i]))));
  for (size_t i = 0; i < sizeof no / sizeof *no; i++)
    if (formula_is_one(source_new(&f->arena, "t", no[i], strlen(no[i])))) fail_msg("%s", no[i]);
  end(f);
}

static void truncated_files_do_no_harm(void **state) {
  (void)state;
  static const char text[] =
      "pointwise f\ntensor x: f32[n, m] strides [m, 1]\nscalar n: i32, 1 <= n <= 9\nassume n < 5\n"
      "y[i] += sum[0 <= k < n, k != 3](where(x[i, k] > 0.5, -x[i, k] ** 2, inf)) for i < 3; max= 2 for i >= 3\n";
  for (size_t n = 0; n < sizeof text; n++) {
    BEGIN(f);
    formula_read(&f->arena, f->tt, source_new(&f->arena, "t", text, n), NULL, &f->diagnostics);
    end(f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_printed_reads_back), cmocka_unit_test(declarations_are_kept),
      cmocka_unit_test(numbers_are_exact),          cmocka_unit_test(tensor_forms_are_kept_as_syntax),
      cmocka_unit_test(bad_formulas_are_diagnosed), cmocka_unit_test(formulas_are_known_by_their_content),
      cmocka_unit_test(truncated_files_do_no_harm), cmocka_unit_test(names_are_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
