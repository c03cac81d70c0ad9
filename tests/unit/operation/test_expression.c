/* Expressions of a request: what they are, whatever their text looks like. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "operation/launch.h"

static Guard guard;
static Arena arena;

static int start(void **state) {
  (void)state;
  guard_init(&guard, 0, 0);
  arena_init(&arena, &guard);
  return 0;
}

static int stop(void **state) {
  (void)state;
  arena_destroy(&arena);
  return 0;
}

static const Expr *read(const char *text) { return expr_read(&arena, text); }

static void test_numbers(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int64_t value;
  } numbers[] = {{"16", 16}, {"-3", -3}, {"4 * 1024", 4096}, {"cdiv(100, 8)", 13}, {"9223372036854775807", INT64_MAX}};
  int64_t value;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    assert_true(expr_number(read(numbers[i].text), &value));
    assert_int_equal(value, numbers[i].value);
  }
  static const char *const others[] = {"", "n", "1 // 0", "1.5", "99999999999999999999", "1 +"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) assert_false(expr_number(read(others[i]), &value));
  assert_false(expr_number(NULL, &value));
  assert_true(expr_is_one(read("2 - 1")));
  assert_false(expr_is_one(read("n")));
  assert_true(read("1e-5")->is_real && read("1e-5")->real == 1e-5 && !read("1e-5")->tree);
}

static void test_names(void **state) {
  (void)state;
  assert_string_equal(expr_name(read(" n_cols")), "n_cols");
  assert_null(expr_name(read("n_cols + 1")));
  assert_null(expr_name(NULL));
  assert_true(expr_mentions(read("cdiv(n, 2 * m)"), "m"));
  assert_false(expr_mentions(read("cdiv(n, 2 * m)"), "cdiv")); /* a function is no name */
  assert_false(expr_mentions(read("n_cols"), "n"));
}

static void test_same(void **state) {
  (void)state;
  assert_true(expr_same(read("n*2"), read("(n) * 2")));
  assert_false(expr_same(read("n * 2"), read("2 * n"))); /* as it is written: no law is used */
  assert_true(expr_same(read("2 * 8"), read("16")));
  assert_false(expr_same(read("n"), read("m")));
  assert_true(expr_same(read("1e-3"), read("0.001")));
  assert_false(expr_same(read("n +"), read("n +"))); /* neither is an expression */
  assert_false(expr_same(read("n"), NULL));
  assert_true(expr_same(NULL, NULL));
}

/* Names get their places in the order in which they are written, of `a > b` too. */
static void test_order_of_names(void **state) {
  (void)state;
  LaunchNames names = {0};
  const LaunchExpr *e = launch_bind(&arena, expr_read_condition(&arena, "b > a + b"), &names);
  assert_non_null(e);
  assert_int_equal(names.count, 2);
  assert_string_equal(names.data[0].name, "b");
  assert_string_equal(names.data[1].name, "a");
  int64_t value;
  assert_true(launch_eval(e, (const int64_t[]){3, -1}, &value) && value == 1);
  assert_true(launch_eval(e, (const int64_t[]){3, 1}, &value) && value == 0);
  const Expr *least = expr_at_least_one(&arena, read("b - 1"));
  e = launch_bind(&arena, least, &names);
  assert_string_equal(least->text, "(b - 1) >= 1");
  assert_true(launch_eval(e, (const int64_t[]){2, 0}, &value) && value == 1);
  assert_true(launch_eval(e, (const int64_t[]){1, 0}, &value) && value == 0);
  assert_null(expr_read_condition(&arena, "b")->tree); /* no comparison */
}

static void test_too_many_names(void **state) {
  (void)state;
  LaunchNames names = {0};
  for (uint32_t i = 0; i < LAUNCH_MAX_NAMES; i++)
    assert_non_null(launch_bind(&arena, read(arena_format(&arena, "n%u", i)), &names));
  assert_null(launch_bind(&arena, read("one_more"), &names));
  assert_non_null(launch_bind(&arena, read("n0 + n1"), &names));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_numbers),        cmocka_unit_test(test_names),          cmocka_unit_test(test_same),
      cmocka_unit_test(test_order_of_names), cmocka_unit_test(test_too_many_names),
  };
  return cmocka_run_group_tests(tests, start, stop);
}
