/* The fields of fingerprints: primes, exp as a homomorphism, and operations on shrunk arrays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "optimize/abstract.h"
#include "reference/reference.h"

static Guard guard;
static Arena arena;

static int set_up(void **state) {
  (void)state;
  guard_init(&guard, (size_t)1 << 30, 0);
  arena_init(&arena, &guard);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  arena_destroy(&arena);
  assert_int_equal(guard.bytes, 0);
  return 0;
}

static void test_primes(void **state) {
  (void)state;
  assert_true(field_is_prime(2) && field_is_prime(97) && field_is_prime(((uint64_t)1 << 61) - 1));
  assert_false(field_is_prime(1) || field_is_prime(91) || field_is_prime(3215031751u)); /* a strong pseudoprime */
  for (uint64_t seed = 1; seed < 5; seed++) {
    Field f;
    field_init(&f, seed);
    assert_true(field_is_prime(f.p) && field_is_prime(f.q));
    assert_int_equal((f.p - 1) % f.q, 0);
    assert_true(f.p >> 60 && f.q >> 31 && f.p % 4 == 3 && f.q % 4 == 3);
  }
}

static void test_homomorphism(void **state) {
  Field f;
  (void)state;
  field_init(&f, 3);
  for (uint64_t i = 0; i < 200; i++) {
    uint64_t a = field_hash(i, 1) % f.q, b = field_hash(i, 2) % f.q;
    assert_int_equal(field_mul(&f, field_exp(&f, a), field_exp(&f, b)), field_exp(&f, (a + b) % f.q));
    uint64_t c = field_hash(i, 4) % f.q, d = f.q - 1 - i;
    uint64_t sum =
        field_add_q(&f, field_mul_q(&f, a, b), field_add_q(&f, field_mul_q(&f, c, d), field_mul_q(&f, d, d)));
    assert_int_equal(field_reduce_q(&f, (UInt128)a * b + (UInt128)c * d + (UInt128)d * d), sum);
    uint64_t x = field_from(&f, field_hash(i, 3)), inverse = field_power(&f, x, f.p - 2);
    assert_int_equal(field_mul(&f, x, inverse), f.one);
    assert_int_equal(field_from(&f, field_to(&f, x)), x);
  }
  assert_int_equal(field_exp(&f, 0), f.one);
  assert_int_not_equal(field_exp(&f, 1), f.one);
}

static void test_numbers(void **state) {
  Field f;
  uint64_t p, q, three, unused;
  (void)state;
  field_init(&f, 1);
  assert_true(field_rational(&f, (Rational){-7, 3}, &p, &q));
  assert_true(field_rational(&f, (Rational){3, 1}, &three, &unused));
  assert_int_equal(field_mul(&f, p, three), field_sub(&f, 0, field_from(&f, 7)));
  assert_int_equal(field_mul_q(&f, q, 3), f.q - 7);
}

/* ---- problems ---- */

static Problem *problem(const char *line) {
  InternTable *names = arena_new(&arena, InternTable);
  DiagnosticList diagnostics;
  intern_init(names, &arena);
  diagnostic_list_init(&diagnostics, &arena);
  const char *text = arena_format(&arena,
                                  "tensor x: f32[m, k]\ntensor w: f32[k, n]\ntensor v: f32[k, n]\ntensor y: f32[m, n]\n"
                                  "size m: 1 <= m\nsize k: 1 <= k\nsize n: 1 <= n\n%s\n",
                                  line);
  Source *source = source_new(&arena, "test", text, strlen(text));
  Formula *formula = formula_read(&arena, term_table_new(&arena, names), source, NULL, &diagnostics);
  assert_non_null(formula);
  assert_true(reference_stand_alone(&arena, formula, source, &diagnostics));
  Problem *p = problem_new(&arena, formula->pointwise);
  assert_null(p->unsupported);
  return p;
}

static Fingerprint fingerprint(const char *line) {
  Field *f = arena_new(&arena, Field);
  field_init(f, 1);
  Problem *p = problem(line);
  return fingerprint_problem(&arena, f, p, 5)[p->outputs.data[0].node];
}

static void agree(const char *a, const char *b, bool wanted) {
  Fingerprint x = fingerprint(a), y = fingerprint(b);
  if (fingerprint_equal(&x, &y) != wanted) fail_msg("%s and %s", a, b);
}

static void test_equal_formulas_agree(void **state) {
  (void)state;
  agree("y = x @ (w + v)", "y = x @ w + x @ v", true);
  agree("y = exp(x @ w) * exp(x @ v)", "y = exp(x @ w + x @ v)", true);
  agree("y = (x / sum(x, axis=1)) @ w", "y = (x @ w) / sum(x, axis=1)", true);
  agree("y = (exp(x - max(x, axis=1)) @ w) / sum(exp(x - max(x, axis=1)), axis=1)",
        "y = (exp(x) / sum(exp(x), axis=1)) @ w", true);
  agree("y = sqrt(x @ w) * sqrt(x @ v)", "y = sqrt((x @ w) * (x @ v))", true);
  agree("y = silu(x @ w)", "y = silu(x @ w) * 1", true);
}

static void test_other_formulas_do_not(void **state) {
  (void)state;
  agree("y = x @ w", "y = x @ v", false);
  agree("y = x @ (w + v)", "y = x @ w - x @ v", false);
  agree("y = silu(x @ w)", "y = silu(x @ v)", false);
  agree("y = max(x, axis=1) * (x @ w)", "y = sum(x, axis=1) * (x @ w)", false);
  agree("y = exp(x @ w)", "y = exp(x @ v)", false);
  agree("y = max(x, axis=1) * (x @ w)", "y = min(x, axis=1) * (x @ w)", false);
}

/* A sum within tiles, then over them, is the sum. */
static void test_sums_by_tiles(void **state) {
  Field f;
  (void)state;
  field_init(&f, 2);
  Problem *p = problem("y = sum(x, axis=1) * (x @ w)");
  for (uint32_t i = 0; i < p->nodes.count; i++) {
    if (p->nodes.data[i].op != PROBLEM_INPUT) continue;
    Fingerprint x = fingerprint_leaf(&arena, &f, p, &p->nodes.data[i], 9);
    for (uint8_t c = 0; c < p->class_count; c++) {
      if (!(x.elements >> c & 1)) continue;
      for (ProblemOp op = PROBLEM_SUM; op <= PROBLEM_REDUCE_MIN; op++) {
        Fingerprint part = fingerprint_reduce(&arena, &f, op, c, FINGERPRINT_IN_TILES, &x);
        Fingerprint twice = fingerprint_reduce(&arena, &f, op, c, FINGERPRINT_OVER_TILES, &part);
        Fingerprint once = fingerprint_reduce(&arena, &f, op, c, FINGERPRINT_ALL, &x);
        assert_true(part.tiles == 1u << c && fingerprint_equal(&once, &twice));
      }
    }
  }
}

static void test_uses_of_a_tensor_share_classes(void **state) {
  (void)state;
  assert_int_equal(problem("y = (x / sqrt(mean(x ** 2, axis=1))) @ w")->class_count, 3);
  assert_int_equal(problem("y = (x @ w) * (x @ v)")->class_count, 3);
  assert_int_equal(problem("y = (x @ transpose(x, 1, 0)) @ (x @ w)")->class_count, 4); /* rows of x in two roles */
}

static void test_parts(void **state) {
  (void)state;
  Problem *p = problem("y = (x / sum(x, axis=1)) @ w");
  Abstract *a = abstract_new(&arena, p, 0, NULL);
  uint32_t x = 0, w = 0, nodes, classes;
  bool saturated;
  for (uint32_t i = 0; i < p->nodes.count; i++)
    if (p->nodes.data[i].op == PROBLEM_INPUT) *(p->uses.data[p->nodes.data[i].detail].tensor ? &w : &x) = i;
  uint8_t k = 0;
  while (!(p->nodes.data[x].classes >> k & 1) || !(p->nodes.data[w].classes >> k & 1)) k++;
  uint32_t product = abstract_operation(a, PROBLEM_MUL, 0, abstract_node(a, x), abstract_node(a, w), 0);
  uint32_t part = abstract_reduce(a, PROBLEM_SUM, k, FINGERPRINT_IN_TILES, product);
  uint32_t whole = abstract_reduce(a, PROBLEM_SUM, k, FINGERPRINT_OVER_TILES, part);
  uint32_t total = abstract_reduce(a, PROBLEM_SUM, k, FINGERPRINT_ALL, abstract_node(a, x));
  assert_int_not_equal(whole, ABSTRACT_NONE);
  assert_int_equal(abstract_operation(a, PROBLEM_DIV, 0, whole, total, 0), abstract_node(a, p->outputs.data[0].node));
  assert_int_equal(abstract_operation(a, PROBLEM_ADD, 0, abstract_node(a, x), abstract_node(a, w), 0), ABSTRACT_NONE);
  assert_int_equal(abstract_reduce(a, PROBLEM_SUM, k, FINGERPRINT_ALL, abstract_node(a, w)), ABSTRACT_NONE);
  abstract_size(a, &nodes, &classes, &saturated);
  assert_true(nodes > 10 && classes > 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_primes),
      cmocka_unit_test(test_homomorphism),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test_setup_teardown(test_equal_formulas_agree, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_other_formulas_do_not, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_sums_by_tiles, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_uses_of_a_tensor_share_classes, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_parts, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
