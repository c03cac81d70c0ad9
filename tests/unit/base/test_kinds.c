/* The tables of kinds and reasons: every row has a name of its own and a sentence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/kinds.h"

static void expect_distinct(const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++) {
    assert_true(names[i] && *names[i]);
    assert_int_equal(strspn(names[i], "abcdefghijklmnopqrstuvwxyz-"), strlen(names[i]));
    for (size_t k = 0; k < i; k++) assert_string_not_equal(names[i], names[k]);
  }
}

static void test_names(void **state) {
  (void)state;
  static const char *const assumptions[] = {
#define ASSUMPTION(constant, name, sentence) name,
#include "base/assumption_kinds.def"
#undef ASSUMPTION
  };
  static const char *const reasons[] = {
#define REASON(constant, name, sentence) name,
#include "base/reasons.def"
#undef REASON
  };
  expect_distinct(assumptions, sizeof assumptions / sizeof *assumptions);
  expect_distinct(reasons, sizeof reasons / sizeof *reasons);
  assert_string_equal(assumption_name(ASSUME_ZERO_FILL), "zero-fill");
  assert_string_equal(reason_name(REASON_NO_LAUNCH), "no-launch");
  assert_null(reason_name(REASON_NONE));
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
    assert_string_equal(reason_name((ReasonCode)(i + 1)), reasons[i]);
    assert_true(*reason_sentence((ReasonCode)(i + 1)));
  }
}

static void test_find(void **state) {
  (void)state;
  ObligationKind kind;
  for (size_t i = 0; i < OBLIGATION_KIND_COUNT; i++) {
    const char *name = obligation_name((ObligationKind)i);
    assert_true(obligation_find(name, strlen(name), &kind));
    assert_int_equal(kind, i);
    assert_false(obligation_find(name, strlen(name) - 1, &kind));
  }
  assert_true(obligation_find("race@12", 4, &kind) && kind == OBLIGATION_RACE);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_find)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
