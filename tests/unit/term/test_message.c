/* Messages: names are parts of a text, and the plain text has them as they are. */
#include "table.h"

#include "base/message.h"

static void test_parts(void **state) {
  (void)state;
  const char *message = arena_format(&arena, "the %s of %s", "is", message_name(&arena, "is"));
  assert_string_equal(message_plain(&arena, message), "the is of is");
  assert_int_equal(message_length(message), strlen("the is of is"));
  assert_int_equal(message_compare(message, "the is of is"), 0);
  assert_true(message_compare(message, "the is of it") < 0 && message_compare("the it", message) > 0);
  uint32_t count = 0;
  const char *rest = message;
  for (MessagePart part; message_part(&rest, &part);)
    count += part.is_name && part.size == 2 && !strncmp(part.text, "is", 2);
  assert_int_equal(count, 1);
  assert_string_equal(rest, "");
  const char *cut = arena_copy(&arena, message, strlen(message) - 2); /* in the midst of the name */
  assert_string_equal(message_plain(&arena, cut), "the is of i");
  assert_null(message_plain(&arena, NULL));
}

/* Parts of sums and products are in the order that they have without marks. */
static void test_terms(void **state) {
  (void)state;
  Term n = symbol("n", SORT_INT, SYMBOL_SIZE), a = symbol("a", SORT_INT, SYMBOL_SIZE),
       i = symbol("i", SORT_INT, SYMBOL_INDEX);
  Term t = term_max(tt, term_add(tt, term_mul(tt, n, a), i), term_floordiv(tt, a, n));
  const char *message = term_message(tt, t), *rest = message;
  assert_string_equal(message_plain(&arena, message), term_text(tt, t));
  uint32_t count = 0;
  for (MessagePart part; message_part(&rest, &part);) count += part.is_name;
  assert_int_equal(count, 4); /* the index is none */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_parts, table_open, table_close),
                                     cmocka_unit_test_setup_teardown(test_terms, table_open, table_close)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
