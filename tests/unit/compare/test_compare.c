/* The comparison: its laws hold on random values, pairs get the verdicts they should, and terms survive the way into
 * another table. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "compare/compare.h"
#include "laws/compare_laws.h"
#include "lift/deduce.h"
#include "read/formula/formula.h"

typedef struct Fixture {
  Guard guard;
  Arena arena;
  InternTable names;
  TermTable *tt;
  DiagnosticList diagnostics;
  uint64_t seed;
} Fixture;

static const char head[] = "tensor x: f32[n, m]\ntensor v: f32[m]\ntensor i: i32[n]\ntensor y: f32[n, m]\nscalar n: "
                           "i32, 1 <= n <= 2147483647\n"
                           "scalar m: i32, 1 <= m <= 2147483647\nscalar e: f32\n";

static Fixture *begin(void) {
  Fixture *f = calloc(1, sizeof *f);
  guard_init(&f->guard, 0, 60);
  arena_init(&f->arena, &f->guard);
  intern_init(&f->names, &f->arena);
  f->tt = term_table_new(&f->arena, &f->names);
  diagnostic_list_init(&f->diagnostics, &f->arena);
  return f;
}

static void end(Fixture *f) {
  arena_destroy(&f->arena);
  free(f);
}

/* The outputs y and z of two values. */
static Formula *read(Fixture *f, const char *left, const char *right) {
  const char *text = arena_format(&f->arena, "%stensor z: f32[n, m]\ny[r, c] = %s\nz[r, c] = %s\n", head, left, right);
  Formula *formula =
      formula_read(&f->arena, f->tt, source_new(&f->arena, "test", text, strlen(text)), NULL, &f->diagnostics);
  if (!formula) fail_msg("%s | %s: %s", left, right, f->diagnostics.items.data[0].message);
  return formula;
}

static TermValue element(void *payload, Term tensor, uint32_t count, const int64_t *index) {
  Fixture *f = payload;
  uint64_t h = f->seed + term_aux(f->tt, tensor) * 977;
  for (uint32_t k = 0; k < count; k++) {
    if (index[k] < 0) return (TermValue){.real = NAN};
    h = random_mix(h * 31 + (uint64_t)index[k]);
  }
  double real = (double)(h >> 11) * 0x1p-51 - 2;
  if (term_sort(f->tt, tensor) == SORT_REAL) return (TermValue){real, 0};
  return (TermValue){(double)(h % 3), (int64_t)(h % 3)};
}

static void set(TermEval *eval, const Fixture *f, const char *name, double value) {
  for (uint32_t i = 0; i < f->tt->symbols.count; i++)
    if (!strcmp(intern_string(&f->names, f->tt->symbols.data[i].name), name) &&
        f->tt->symbols.data[i].role != SYMBOL_TENSOR)
      term_eval_set(eval, f->tt->symbols.data[i].term, (TermValue){value, (int64_t)value});
}

static double value_at(Fixture *f, Term t, int64_t n, int64_t m, int64_t r, int64_t c) {
  TermEval *eval = term_eval_new(f->tt, &f->arena, element, f);
  set(eval, f, "n", (double)n), set(eval, f, "m", (double)m), set(eval, f, "r", (double)r),
      set(eval, f, "c", (double)c), set(eval, f, "e", 0.25);
  return term_eval(eval, t).real;
}

static void check_laws(const char *text, uint64_t number) {
  static const int64_t sizes[][4] = {{1, 1, 0, 0}, {2, 3, 1, 2}, {3, 4, 0, 3}, {2, 5, 1, 4},
                                     {4, 7, 3, 5}, {2, 8, 0, 7}, {3, 13, 2, 9}};
  Fixture *f = begin();
  if (setjmp(f->guard.escape)) fail_msg("%s: %s", text, f->guard.message);
  const Pointwise *p = read(f, text, "0")->pointwise;
  Term t = deduce_value(p, &p->outputs.data[0]);
  for (int law = 0; law < COMPARE_LAW_COUNT; law++) {
    Term changed = compare_law(f->tt, t, (CompareLaw)law, true);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      const int64_t *size = sizes[s];
      f->seed = 1000 * number + s;
      double a = value_at(f, t, size[0], size[1], size[2], size[3]),
             b = value_at(f, changed, size[0], size[1], size[2], size[3]);
      if (isfinite(a) && !(fabs(a - b) <= 1e-9 * (1 + fabs(a))))
        fail_msg("law %d of %s, m = %lld: %.17g became %.17g: %s", law, text, (long long)size[1], a, b,
                 term_text(f->tt, changed));
    }
  }
  end(f);
}

static void laws_hold_on_random_values(void **state) {
  (void)state;
  static const char *const values[] = {
      "max(x[r, c], v[c])",
      "min(x[r, c], 0)",
      "abs(x[r, c] - v[c])",
      "tanh(2*x[r, c] + 1)",
      "x[r, c] / (1 + exp(-x[r, c]))",
      "v[c] / (1 + exp(x[r, c] - v[c]))",
      "max[k < m](2*x[r, k] + v[c])",
      "max[k < m](exp(x[r, k] - v[c]))",
      "max[k < m](exp(x[r, k]) / (1 + exp(v[c])))",
      "min[k < m](0.5*x[r, k] - v[c])",
      "argmax[k < m](exp(x[r, k] - v[c]))",
      "argmin[k < m](3*x[r, k] + v[c])",
      "max[k < m](-2*x[r, k])",
      "sum[k < 4*(c // 4)](x[r, k]) + sum[k < c % 4 + 1](x[r, 4*(c // 4) + k])",
      "max(max[k < 3](v[k]), max[k < 2](v[3 + k]))",
      "exp(v[c])*sum[k < m](exp(x[r, k] - v[c]))",
      "sum[k < m](x[r, k])*sum[k < m](v[k])",
      "sum[t < (m + 3) // 4](exp(max[k < min(4, m - 4*t)](x[r, 4*t + k]) - v[c])*sum[k < min(4, m - 4*t)](exp(x[r, 4*t "
      "+ k] - max[k2 < min(4, m - 4*t)](x[r, 4*t + k2]))))",
      "sum[t < 4](exp(max[k < (m + 3 - t) // 4](x[r, 4*k + t]) - v[c])*sum[k < (m + 3 - t) // 4](exp(x[r, 4*k + t] - "
      "max[k2 < (m + 3 - t) // 4](x[r, 4*k2 + t]))))",
      "sum[t < (c + 4) // 4](sum[k < c + 1 - 4*t](x[r, 4*t + k]))",
      "max[t < (c + 4) // 4](max[max(0, 2 - 4*t) <= k < min(4, c + 1 - 4*t)](x[r, 4*t + k]))",
      "sum[t < c // 2](sum[k < min(4, m - 4*t)](x[r, 4*t + k]*v[k]))",
      "sum[k < 4*(c // 4)](exp(x[r, k] - v[r]*k)) + sum[k < c % 4 + 1](exp(x[r, 4*(c // 4) + k] - v[r]*(k + 4*(c // "
      "4))))",
      "exp(max[k < 4*(c // 4)](x[r, k]) - max(max[k < 4*(c // 4)](x[r, k]), v[c]))*sum[k < 4*(c // 4)](exp(x[r, k] - "
      "max[k < 4*(c // 4)](x[r, k]))) + exp(v[c] - max(max[k < 4*(c // 4)](x[r, k]), v[c]))",
      "sum[t < (m + 3) // 4](min(4, m - 4*t)*v[t])",
      "sum[k < (m + 3) // 4](min(4, m - 4*k)) / m",
      "sum[k < n](min(4, m - 4*k))",
      "sum[s < (m + 3) // 4](v[s]*prod[s + 1 <= t < (m + 3) // 4](1 - min(4, m - 4*t) / sum[k < t + 1](min(4, m - "
      "4*k))))",
      "prod[1 <= k < m](1 - 1 / (k + 1))",
      "prod[2 <= k < m](1 - 2 / (k + 1))",
      "x[r, c]*m / m",
      "sum[t < (m + 3) // 4](4*t*(sum[k < min(4, m - 4*t)](x[r, 4*t + k]) / min(4, m - 4*t) - sum[k < 4*t](x[r, k] / "
      "(4*t))) ** 2*min(4, m - 4*t) / min(4*t + 4, m) + "
      "sum[k < min(4, m - 4*t)]((x[r, 4*t + k] - sum[k2 < min(4, m - 4*t)](x[r, 4*t + k2]) / min(4, m - 4*t)) ** 2)) / "
      "m",
      "sum[t < (m + 3) // 4](3*t*(sum[k < min(4, m - 4*t)](x[r, 4*t + k]) / min(4, m - 4*t) - sum[k < 4*t](x[r, k] / "
      "(4*t))) ** 2*min(4, m - 4*t) / min(4*t + 4, m) + "
      "sum[k < min(4, m - 4*t)]((x[r, 4*t + k] - sum[k2 < min(4, m - 4*t)](x[r, 4*t + k2]) / min(4, m - 4*t)) ** 2)) / "
      "m",
      "2*(x[r, c] + 3*(v[c] - 1))",
      "where(m // 4 == 1, x[r, c], v[c])"};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) check_laws(values[i], i);
}

static CompareFormat literals = COMPARE_F32;

static Verdict verdict_of(const char *left, const char *right, const char **assumed) {
  Fixture *f = begin();
  Verdict verdict = VERDICT_UNKNOWN;
  if (setjmp(f->guard.escape)) fail_msg("%s | %s: %s", left, right, f->guard.message);
  const Pointwise *p = read(f, left, right)->pointwise;
  CompareOutput sides[2] = {0};
  for (int s = 0; s < 2; s++) {
    const PointwiseOutput *from = &p->outputs.data[s];
    const PointwiseTensor *t = &p->tensors.data[from->tensor];
    sides[s] =
        (CompareOutput){.name = t->name, .rank = 2, .region = deduce_region(p, from), .value = deduce_value(p, from)};
    memcpy(sides[s].shape, t->extent, sizeof sides[s].shape);
    memcpy(sides[s].index, from->index, sizeof sides[s].index);
  }
  CompareAssumptions assumptions = {0};
  CompareTensors tensors = {literals, p->tensors.count, p->tensors.data, 0, false};
  CompareResult result = compare_outputs(&f->arena, f->tt, &tensors, &sides[0], &sides[1], &assumptions);
  verdict = result.verdict;
  if (verdict == VERDICT_REFUTED && (!result.witness || !result.left || !result.right))
    fail_msg("%s | %s: no witness", left, right);
  if (assumed) *assumed = assumptions.made.count ? "constant" : "";
  end(f);
  return verdict;
}

static void equal_values_are_proved(void **state) {
  (void)state;
  static const char *const pairs[][2] = {
      {"x[r, c]*(v[c] + 1)", "x[r, c]*v[c] + x[r, c]"},
      {"max(0, x[r, c]) ** 2", "where(x[r, c] > 0, x[r, c] ** 2, 0)"},
      {"x[r, c] / (1 + exp(-x[r, c]))", "x[r, c]*exp(x[r, c]) / (1 + exp(x[r, c]))"},
      {"tanh(x[r, c])", "1 - 2 / (1 + exp(2*x[r, c]))"},
      {"sum[k < m](x[r, k] - v[c])", "sum[k < m](x[r, k]) - m*v[c]"},
      {"log(sum[k < m](exp(x[r, k])))",
       "log(sum[k < m](exp(x[r, k] - max[k2 < m](x[r, k2])))) + max[k2 < m](x[r, k2])"},
      {"sum[t < (m + 7) // 8](sum[k < min(8, m - 8*t)](x[r, 8*t + k]))", "sum[k < m](x[r, k])"},
      {"argmax[k < m](exp(x[r, k]))", "argmax[k < m](x[r, k])"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    Verdict verdict = verdict_of(pairs[i][0], pairs[i][1], NULL);
    if (verdict == VERDICT_REFUTED) fail_msg("%s | %s: refuted", pairs[i][0], pairs[i][1]);
    if (verdict != VERDICT_PROVED && i != 2 && i != 5)
      fail_msg("%s | %s: %s", pairs[i][0], pairs[i][1], verdict_name(verdict));
  }
}

static void different_values_are_refuted(void **state) {
  (void)state;
  static const char *const pairs[][2] = {
      {"x[r, c]", "x[r, c] + e"},
      {"x[r, c]", "abs(x[r, c])"},
      {"sum[k < m](x[r, k])", "sum[k < m - 1](x[r, k])"},
      {"sum[k < m](x[r, k])", "sum[1 <= k < m](x[r, k])"},
      {"argmax[k < m](x[r, k])", "argmin[k < m](x[r, k])"},
      {"where(x[r, c] >= 1, 1, 0)", "where(x[r, c] > 1, 1, 0)"},
      {"x[r, c]", "x[r, c]*1.00001"},
      {"x[r, c] for c > 0", "x[r, c]"},
      {"x[r, c]", "x[r, c] for c < m - 1"},
      {"where(m == 1, 0, x[r, c])", "x[r, c]"},
      {"x[r, c // 2]", "x[r, c]"},
      {"1 / sqrt(x[r, c] ** 2 + 0.00001)", "1 / sqrt(x[r, c] ** 2 + 0.000001)"},
      {"v[i[r]]", "v[r]"},
      {"min(m, 5)", "m"},
      {"sum[k < min(1024, m)](x[r, k])", "sum[k < m](x[r, k])"},
      {"max[k < m](x[r, k])", "max(0, max[k < m](x[r, k]))"},
      /* infinities are values */
      {"where(x[r, c] >= 0, log(x[r, c]), 0)", "where(x[r, c] > 0, log(x[r, c]), 0)"},
      {"where(x[r, c] > 0, 1 / x[r, c], 0)", "where(x[r, c] >= 0, 1 / x[r, c], 0)"},
      {"1 / (1 - x[r, c])", "where(x[r, c] == 1, 0, 1 / (1 - x[r, c]))"},
      {"-log(x[r, c] ** 2)", "where(x[r, c] == 0, -inf, -log(x[r, c] ** 2))"},
      {"sum[k < m](log(abs(x[r, k])))", "sum[k < m](where(x[r, k] == 0, 0, log(abs(x[r, k]))))"},
      /* what happens at numbers that stand in the terms */
      {"min(max(0, x[r, c] + 3), 6)", "where(x[r, c] == 3, 5, min(max(0, x[r, c] + 3), 6))"},
      {"where(x[r, c] > 20, 1, 0)", "where(x[r, c] >= 20, 1, 0)"},
      {"where(max[k < m](x[r, k]) == 0, 1, 2)", "where(max[k < m](abs(x[r, k])) == 0, 1, 2)"},
      {"where(x[r, c] * 3 > 1, 1, 0)", "where(x[r, c] * 3 > 1.5, 1, 0)"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    Verdict verdict = verdict_of(pairs[i][0], pairs[i][1], NULL);
    if (verdict != VERDICT_REFUTED) fail_msg("%s | %s: %s", pairs[i][0], pairs[i][1], verdict_name(verdict));
  }
}

/* An infinity that only doubles have refutes nothing; nor does one where the right is undefined. */
static void rounding_makes_no_infinities(void **state) {
  (void)state;
  static const char *const pairs[][2] = {
      {"log(1 - tanh(30*x[r, c]))", "log(2) - 30*x[r, c] - log(exp(30*x[r, c]) + exp(-30*x[r, c]))"},
      {"1 / (exp(800*x[r, c]) + 1)", "exp(-800*x[r, c]) / (1 + exp(-800*x[r, c]))"},
      {"log(exp(900*x[r, c]))", "900*x[r, c]"},
      {"(v[c] + x[r, c]) / x[r, c] ** 2", "v[c] / x[r, c] ** 2 + 1 / x[r, c]"},
      {"log(x[r, c] ** 2)", "log(x[r, c] ** 2)"},
      {"1 / x[r, c]", "1 / abs(x[r, c]) * where(x[r, c] > 0, 1, -1)"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    Verdict verdict = verdict_of(pairs[i][0], pairs[i][1], NULL);
    if (verdict == VERDICT_REFUTED) fail_msg("%s | %s: refuted", pairs[i][0], pairs[i][1]);
  }
}

static void close_constants_are_assumed(void **state) {
  (void)state;
  const char *assumed = NULL;
  assert_int_equal(verdict_of("x[r, c]*0.70710677", "x[r, c] / sqrt(2)", &assumed), VERDICT_PROVED);
  assert_string_equal(assumed, "constant");
  assert_int_equal(verdict_of("x[r, c]*0.1", "x[r, c]*0.1000000000", &assumed), VERDICT_PROVED);
  assert_string_equal(assumed, "constant");
  assert_int_equal(verdict_of("x[r, c]*0.5", "x[r, c] / 2", &assumed), VERDICT_PROVED);
  assert_string_equal(assumed, "");
  assert_int_not_equal(verdict_of("x[r, c]*0.7071", "x[r, c] / sqrt(2)", &assumed), VERDICT_PROVED);
}

/* Within 2 ulp of their own format, each of each, and nowhere where a small difference decides. */
static void constants_that_are_apart_are_not_taken_as_one(void **state) {
  (void)state;
  static const char *const apart[][2] = {
      {"floor(x[r, c]*0.9999999)", "floor(x[r, c])"},
      {"round(x[r, c]*0.9999999)", "round(x[r, c])"},
      {"trunc(x[r, c]*1.0000001)", "trunc(x[r, c])"},
      {"where(x[r, c] < 1.0000001, 1, 0)", "where(x[r, c] < 1, 1, 0)"},
      {"where(x[r, c]*0.9999999 < v[c], x[r, c], 0)", "where(x[r, c] < v[c], x[r, c], 0)"},
      {"sum[k < m, x[r, k]*0.9999999 < 1](x[r, k])", "sum[k < m, x[r, k] < 1](x[r, k])"},
      {"exp(0.9999999*x[r, c]) + floor(0.9999999*x[r, c])", "exp(x[r, c]) + floor(x[r, c])"},
      {"0.9999999*x[r, c]", "1.0000002*x[r, c]"},
      {"0.9999999*x[r, c] + v[c]", "1.0000002*x[r, c] + 1*v[c]"}};
  static const char *const near[][2] = {{"exp(0.9999999*x[r, c]) + floor(x[r, c])", "exp(x[r, c]) + floor(x[r, c])"},
                                        {"where(x[r, c] < 1, 0.9999999*x[r, c], 0)", "where(x[r, c] < 1, x[r, c], 0)"},
                                        {"sum[k < m](0.70710677*x[r, k])", "sum[k < m](x[r, k]) / sqrt(2)"},
                                        {"tanh(0.7978846*(x[r, c] + 0.044715*x[r, c]**3))",
                                         "tanh(sqrt(2/3.141592653589793)*(x[r, c] + 0.044715*x[r, c]**3))"}};
  for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
    if (verdict_of(apart[i][0], apart[i][1], NULL) == VERDICT_PROVED) fail_msg("%s | %s", apart[i][0], apart[i][1]);
  for (size_t i = 0; i < sizeof near / sizeof *near; i++)
    if (verdict_of(near[i][0], near[i][1], NULL) != VERDICT_PROVED) fail_msg("%s | %s", near[i][0], near[i][1]);
  literals = COMPARE_F64;
  assert_int_not_equal(verdict_of("x[r, c]*1.000000000001", "x[r, c]", NULL), VERDICT_PROVED);
  assert_int_not_equal(verdict_of("x[r, c]*0.70710677", "x[r, c] / sqrt(2)", NULL), VERDICT_PROVED);
  assert_int_equal(verdict_of("x[r, c]*0.7071067811865476", "x[r, c] / sqrt(2)", NULL), VERDICT_PROVED);
  literals = COMPARE_F32;
}

static void terms_survive_the_way_into_another_table(void **state) {
  (void)state;
  Fixture *f = begin();
  if (setjmp(f->guard.escape)) fail_msg("%s", f->guard.message);
  const Pointwise *p = read(f, "where(x[r, c] > v[c], sum[k < m, k != 2](x[r, k] ** 2) / 3, -inf)",
                            "max[r <= k < c](min(7, x[r, k // 2 + 1])) + argmax[k < m](v[k]) - wrap32(i[r])")
                           ->pointwise;
  TermTable *to = term_table_new(&f->arena, &f->names);
  Importer *there = importer_new(&f->arena, to, f->tt), *back = importer_new(&f->arena, f->tt, to);
  for (uint32_t o = 0; o < 2; o++) {
    Term value = deduce_value(p, &p->outputs.data[o]);
    TermList symbols = {0};
    Term moved = importer_term(there, value);
    term_symbols(f->tt, value, &symbols);
    for (uint32_t k = 0; k < symbols.count; k++)
      importer_map(back, importer_term(there, symbols.data[k]), symbols.data[k]);
    assert_int_equal(importer_term(back, moved), value);
  }
  end(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(laws_hold_on_random_values),
      cmocka_unit_test(equal_values_are_proved),
      cmocka_unit_test(different_values_are_refuted),
      cmocka_unit_test(rounding_makes_no_infinities),
      cmocka_unit_test(close_constants_are_assumed),
      cmocka_unit_test(constants_that_are_apart_are_not_taken_as_one),
      cmocka_unit_test(terms_survive_the_way_into_another_table),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
