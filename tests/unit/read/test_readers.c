/* Which reader an input goes to: by content, whatever it is called, then by suffix. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "read/readers.h"

static void test_content_then_suffix(void **state) {
  (void)state;
  static const struct {
    const char *name, *text, *language;
  } inputs[] = {
      {"a.ttir", "module {\n}\n", "MLIR"},
      {"a.mlir", "func.func @f() { return }\n", "MLIR"},
      {"a.ttir", "pointwise f\ntensor x: f32[n]\n", "formula"}, /* content first */
      {"a.txt", "y = x + 1\n", "formula"},
      {"a",
       "\x7f"
       "ELF",
       "MLIR"}, /* whose reader says what it is */
      {"", "", "MLIR"},
  };
  Guard guard;
  Arena arena;
  guard_init(&guard, 0, 0);
  arena_init(&arena, &guard);
  for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
    Source *source = source_new(&arena, inputs[i].name, inputs[i].text, strlen(inputs[i].text));
    const Reader *reader = reader_of(source);
    assert_string_equal(reader->language, inputs[i].language);
    assert_int_equal(reader->read == NULL, !strcmp(inputs[i].language, "formula"));
    assert_int_equal(reader->is_of_dialects, strstr(inputs[i].text, "func.func") != NULL);
  }
  arena_destroy(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_content_then_suffix)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
