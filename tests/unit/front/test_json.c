/* The JSON reader: what it accepts, what it refuses, and where it says so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "report/json.h"
#include "base/utf8.h"

static Guard guard;
static Arena arena;
static DiagnosticList diagnostics;

static int setup(void **state) {
  (void)state;
  guard_init(&guard, 0, 0);
  arena_init(&arena, &guard);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  arena_destroy(&arena);
  return guard.bytes != 0;
}

/* The value if the whole text is one. */
static const Json *read(const char *text) {
  size_t at = 0;
  diagnostic_list_init(&diagnostics, &arena);
  const Json *json = json_read(&arena, source_new(&arena, "x.json", text, strlen(text)), &at, &diagnostics);
  return json && at == strlen(text) ? json : NULL;
}

static void test_accepts(void **state) {
  (void)state;
  const char *const good[] = {
      "0",           "-0.5e+10", " [1, 2 , []] ", "{}", "{\"a\":{\"b\":null}}", "true", "\"\\u00e9\\ud83d\\ude00\\n\"",
      "\"\xC3\xA9\""};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) assert_non_null(read(good[i]));
  assert_string_equal(read("\"\\u00e9\\ud83d\\ude00\"")->text, "\xC3\xA9\xF0\x9F\x98\x80");
  assert_string_equal(json_get(read("{\"a\": 1, \"b\": 2.50}"), "b")->text, "2.50");
  assert_null(json_get(read("[1]"), "b"));
}

static void test_refuses(void **state) {
  (void)state;
  const char *const bad[] = {"",
                             "{",
                             "[1,]",
                             "{\"a\":1,}",
                             "01",
                             "1.",
                             "-",
                             "1e",
                             "nul",
                             "\"",
                             "\"\\x\"",
                             "\"\\ud800\"",
                             "\"\\udc00\"",
                             "\"\n\"",
                             "\"\xFF\"",
                             "{\"a\":1,\"a\":2}",
                             "{a:1}",
                             "{\"a\" 1}",
                             "[1 2]",
                             "1 2",
                             "\"\\u0000\"",
                             "\xEF\xBB\xBF{}"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    if (read(bad[i])) fail_msg("accepted: %s", bad[i]);
}

static void test_position(void **state) {
  (void)state;
  const char *text = "{\"a\": 1,\n \"b\": x}";
  assert_null(read(text));
  Source *source = (Source *)diagnostics.items.data[0].source;
  LineColumn at = source_locate(source, diagnostics.items.data[0].span.begin);
  assert_int_equal(at.line, 2);
  assert_int_equal(at.column, 7);
}

static void test_depth(void **state) {
  (void)state;
  char text[20001];
  memset(text, '[', 20000);
  text[20000] = 0;
  assert_null(read(text));
}

static void test_utf8(void **state) {
  (void)state;
  Text text = text_new(&arena);
  utf8_add(&text, "a\xFF\xC3\xA9\xED\xA0\x80z", 8);
  assert_string_equal(text_string(&text), "a\xEF\xBF\xBD\xC3\xA9\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDz");
  text = text_new(&arena);
  utf8_add_plain(&text, "a\x1b[1m\n\xC2\x9B"
                        "b");
  assert_string_equal(text_string(&text), "a?[1m??b");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_accepts, setup, teardown),
      cmocka_unit_test_setup_teardown(test_refuses, setup, teardown),
      cmocka_unit_test_setup_teardown(test_position, setup, teardown),
      cmocka_unit_test_setup_teardown(test_depth, setup, teardown),
      cmocka_unit_test_setup_teardown(test_utf8, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
