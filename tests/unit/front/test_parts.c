/* Names for the parts of long formulas: what is named stands for itself, and says the same when it is put back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "report/parts.h"
#include "read/python/python.h"

static Guard guard;
static Arena arena;

static void name_parts(Parts *parts, uint32_t most, const char *first, const char *second) {
  *parts = (Parts){.most = most};
  array_push(&arena, &parts->formulas, first);
  array_push(&arena, &parts->before, 20);
  if (second) {
    array_push(&arena, &parts->formulas, second);
    array_push(&arena, &parts->before, 20);
  }
  parts_name(&arena, parts);
}

/* The syntax with every name of a part replaced by what it stands for. */
static void describe(const PyNode *n, const Parts *parts, Text *out);

static void describe_text(const char *text, const Parts *parts, Text *out) {
  DiagnosticList errors;
  diagnostic_list_init(&errors, &arena);
  const Source *source = source_new(&arena, "t", text, strlen(text));
  const PyNode *n = python_parse_expression(&arena, source, (Span){0, (uint32_t)strlen(text)}, &errors);
  if (!n) fail_msg("%s: %s", text, errors.items.data[0].message);
  describe(n, parts, out);
}

static void describe(const PyNode *n, const Parts *parts, Text *out) {
  for (uint32_t i = 0; n->kind == PY_NAME && i < parts->parts.count; i++)
    if (!strcmp(parts->parts.data[i].name, n->text)) {
      describe_text(parts->parts.data[i].text, parts, out);
      return;
    }
  text_format(out, "%d%s(", (int)n->kind, n->text ? n->text : "");
  for (uint32_t i = 0; i < n->count; i++) {
    describe(n->args[i], parts, out);
    text_format(out, " %s,", n->ops && n->kind == PY_COMPARE && i + 1 < n->count ? n->ops[i] : "");
  }
  text_char(out, ')');
}

static void expect_same(const char *formula, const Parts *parts, uint32_t number) {
  Text was = text_new(&arena), is = text_new(&arena);
  describe_text(formula, &(Parts){0}, &was);
  describe_text(parts->formulas.data[number], parts, &is);
  assert_string_equal(text_string(&was), text_string(&is));
}

#define SCORES "exp(scale * (q @ transpose(k, 0, 2, 1)) - max(scale * (q @ transpose(k, 0, 2, 1)), axis=2))"

static void short_formulas_are_left(void **state) {
  (void)state;
  Parts parts;
  name_parts(&parts, 8, "softmax(x, axis=1) + softmax(x, axis=1)", NULL);
  assert_int_equal(parts.parts.count, 0);
  assert_string_equal(parts.formulas.data[0], "softmax(x, axis=1) + softmax(x, axis=1)");
  name_parts(&parts, 0, SCORES " / sum(" SCORES ", axis=2)", NULL); /* no line is left for a part */
  assert_int_equal(parts.parts.count, 0);
}

static void repeated_parts_are_named(void **state) {
  (void)state;
  Parts parts;
  name_parts(&parts, 8, SCORES " / sum(" SCORES ", axis=2)", NULL);
  assert_string_equal(parts.formulas.data[0], "e / sum(e, axis=2)");
  assert_int_equal(parts.parts.count, 2);
  assert_string_equal(parts.parts.data[0].name, "e");
  assert_string_equal(parts.parts.data[0].text, "exp(t - max(t, axis=2))");
  assert_string_equal(parts.parts.data[1].text, "scale * (q @ transpose(k, 0, 2, 1))");
}

static void parts_are_shared_between_formulas(void **state) {
  (void)state;
  Parts parts;
  name_parts(&parts, 1, "(" SCORES " * dv) @ transpose(column(e), 1, 0) + where(column(index(n)) < m, " SCORES ", 0)",
             SCORES " @ v");
  assert_string_equal(parts.formulas.data[1], "e2 @ v"); /* e is taken */
  assert_string_equal(parts.formulas.data[0],
                      "(e2 * dv) @ transpose(column(e), 1, 0) + where(column(index(n)) < m, e2, 0)");
}

static void short_formulas_may_be_left(void **state) {
  (void)state;
  Parts parts = {.most = 8, .only_long = 1};
  array_push(&arena, &parts.formulas, SCORES " / sum(" SCORES ", axis=2)");
  array_push(&arena, &parts.formulas, SCORES " @ v");
  for (int i = 0; i < 2; i++) array_push(&arena, &parts.before, 20);
  parts_name(&arena, &parts);
  assert_string_equal(parts.formulas.data[0], "e / sum(e, axis=2)");
  assert_string_equal(parts.formulas.data[1], SCORES " @ v");
}

/* What has an index of a fold around it does not stand for itself. */
static void indices_stay_in_their_folds(void **state) {
  (void)state;
  static const char text[] = "sum[k < n](exp(x[i, k] - m[i, k]) * y[i, k] ** 2) / sum[k < n](exp(x[i, k] - m[i, k]) * "
                             "z[i, k] ** 2) + sum[k2 < n](exp(x[i, j] - m[i, j + 1]) * k2) / "
                             "(1 + exp(x[i, j] - m[i, j + 1])) * sum[k < n](exp(x[i, k] - m[i, k]) * y[i, k] ** 2)";
  Parts parts;
  name_parts(&parts, 8, text, NULL);
  assert_int_equal(parts.parts.count, 2);
  assert_string_equal(parts.parts.data[0].name, "total");
  assert_string_equal(parts.parts.data[0].text, "sum[k < n](exp(x[i, k] - m[i, k]) * y[i, k] ** 2)");
  assert_string_equal(parts.parts.data[1].text, "exp(x[i, j] - m[i, j + 1])");
  expect_same(text, &parts, 0);
}

static void what_is_put_back_is_the_same(void **state) {
  (void)state;
  static const char *const texts[] = {
      "(a + long_name_of_b * 2) ** 2 - (a + long_name_of_b * 2) * (a + long_name_of_b * 2 - c) / -(a + long_name_of_b "
      "* 2) + f(a + long_name_of_b * 2) + x[a + long_name_of_b * 2, 1]",
      "a + long_name_of_b + c + (a + long_name_of_b) * 3 - (c + (a + long_name_of_b)) // (a + long_name_of_b) % 7 + "
      "where((a + long_name_of_b) > 0, (a + long_name_of_b), -1) + aaaaaaaa",
      "where((index(number) < count) & (index(number) >= first), x[:, first:count] * 2, where(~(index(number) < "
      "count), 0, x[:, first:count])) + concat(x[:, first:count], y, axis=1)",
      "-(aaaaaaaaaaaaaaaaaaaa + bbbbbbbbbbbbbbbbbbbb) * (aaaaaaaaaaaaaaaaaaaa + bbbbbbbbbbbbbbbbbbbb) ** "
      "-(aaaaaaaaaaaaaaaaaaaa + bbbbbbbbbbbbbbbbbbbb) @ "
      "((aaaaaaaaaaaaaaaaaaaa + bbbbbbbbbbbbbbbbbbbb) @ ccccccccccccccc)",
      "max(sum(exp(aaaaaaaaaaaa - bbbbbbbbbbbbbbb), axis=1), sum(exp(cccccccccccccccc - dddddddddddddddddddddd), "
      "axis=1), sum(exp(eeeeeeeeeeeee - fffffffffffffffff), axis=1), "
      "sum(exp(gggggggggggggg - hhhhhhhhhhhhhhhhhhhhh), axis=1), sum(sqrt(aaaaaaaaaaaaaa) * "
      "mean(bbbbbbbbbbbbbbbbbbbbbbbbbbb ** 2, axis=(0, 2)) + 1, axis=1), 77777777)"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    for (uint32_t most = 0; most <= 8; most += 2) {
      Parts parts;
      name_parts(&parts, most, texts[i], NULL);
      assert_true(parts.parts.count <= most);
      if (most) assert_true(parts.parts.count > 0);
      expect_same(texts[i], &parts, 0);
    }
}

static void pieces_of_a_pointwise_form_are_found(void **state) {
  (void)state;
  static const char text[] = "y[i, j] = exp(x_of_that_row[i, j] - largest_of_row[i]) * 2 for i < 3 and "
                             "x_of_that_row[i, j] > 0.25; max= exp(x_of_that_row[i, j] - largest_of_row[i]) + 1 "
                             "for x_of_that_row[i, j] > 0.25";
  Parts parts;
  name_parts(&parts, 8, text, NULL);
  assert_int_equal(parts.parts.count, 2);
  assert_string_equal(parts.formulas.data[0], "y[i, j] = e * 2 for i < 3 and part > 0.25; max= e + 1 for part > 0.25");
}

static void other_texts_are_left(void **state) {
  (void)state;
  static const char *const texts[] = {"((((((((((((((((", "a \x01 b \xFF", "", "_0_ + _1_", "...", "x[", ")"};
  Text text = text_new(&arena);
  Parts parts;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    text_add(&text, texts[i]);
    for (int n = 0; n < 60; n++) text_format(&text, " + %s", texts[i]);
    name_parts(&parts, 8, text_string(&text), texts[i]);
    assert_string_equal(parts.formulas.data[0], text_string(&text));
    assert_int_equal(parts.parts.count, 0);
    text = text_new(&arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(short_formulas_are_left),
      cmocka_unit_test(repeated_parts_are_named),
      cmocka_unit_test(parts_are_shared_between_formulas),
      cmocka_unit_test(indices_stay_in_their_folds),
      cmocka_unit_test(what_is_put_back_is_the_same),
      cmocka_unit_test(pieces_of_a_pointwise_form_are_found),
      cmocka_unit_test(other_texts_are_left),
      cmocka_unit_test(short_formulas_may_be_left),
  };
  guard_init(&guard, 0, 0);
  arena_init(&arena, &guard);
  if (setjmp(guard.escape)) {
    print_error("%s\n", guard.message);
    return 1;
  }
  return cmocka_run_group_tests(tests, NULL, NULL);
}
