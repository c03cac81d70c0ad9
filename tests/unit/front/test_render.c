/* Reports as text and JSON: 25 lines however long the lists, JSON that reads back, nothing that a terminal obeys. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "report/json.h"
#include "report/render.h"
#include "base/utf8.h"

static Guard guard;
static Arena arena;
static DiagnosticList diagnostics;

static int setup(void **state) {
  (void)state;
  guard_init(&guard, 0, 0);
  arena_init(&arena, &guard);
  diagnostic_list_init(&diagnostics, &arena);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  arena_destroy(&arena);
  return guard.bytes != 0;
}

/* A report with `count` of everything, named `name`. */
static Report *full_report(uint32_t count, const char *name) {
  Report *report = arena_new(&arena, Report);
  const char **names = arena_array(&arena, const char *, 2);
  names[0] = names[1] = name;
  ReportWitness *witness = arena_new(&arena, ReportWitness);
  array_push(&arena, &witness->sizes, (ReportPair){name, "3"});
  witness->left = "1", witness->right = name;
  ReportTensor tensor = {name, "tensor", "f32", 2, names, names};
  *report = (Report){.input = name,
                     .kernel = name,
                     .verdict = VERDICT_REFUTED,
                     .safety = VERDICT_UNKNOWN,
                     .reason = {REASON_NOT_PROVED, name},
                     .witness = witness};
  for (uint32_t i = 0; i < count; i++) {
    array_push(&arena, &report->inputs, tensor);
    array_push(&arena, &report->outputs,
               (ReportOutput){.tensor = tensor,
                              .region = name,
                              .verdict = VERDICT_BOUNDED,
                              .form = i & 1 ? "tensor" : "opaque",
                              .pointwise = name,
                              .text = name,
                              .latex = name,
                              .raw = name,
                              .indices = name});
    array_push(&arena, &report->assumptions, (ReportAssumption){name, ASSUME_RANGE, name, name, i & 1 ? name : NULL});
    array_push(&arena, &report->obligations,
               (ReportObligation){OBLIGATION_RACE, i % 3 ? VERDICT_UNKNOWN : VERDICT_REFUTED, names, 2, name, name,
                                  name, witness, i & 1, false});
    array_push(&arena, &report->literals, name);
    array_push(&arena, &report->roundings, name);
    array_push(&arena, &report->opaque, name);
    array_push(&arena, &report->stats, (ReportPair){"n", "12"});
  }
  for (uint32_t i = 0; i < count; i++)
    diagnostic_add(&diagnostics, SEVERITY_ERROR, "a.code", source_new(&arena, "f", "text", 4), (Span){1, 2}, name, "%s",
                   name);
  return report;
}

static uint32_t count_lines(const char *text) {
  uint32_t count = 0;
  for (; *text; text++) count += *text == '\n';
  return count;
}

static void test_lines(void **state) {
  (void)state;
  static const uint32_t counts[] = {0, 1, 4, 5, 6, 100};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    Text text = text_new(&arena);
    render_text(full_report(counts[i], "name"), &(RenderParts){0}, 0, &text);
    assert_true(count_lines(text_string(&text)) <= 25);
  }
}

static const Json *json_of(const Report *report, const RenderParts *parts) {
  Text text = text_new(&arena);
  DiagnosticList errors;
  size_t at = 0;
  render_json(report, &diagnostics, parts, &text);
  diagnostic_list_init(&errors, &arena);
  assert_null(strchr(text_string(&text), '\n'));
  const Json *json = json_read(&arena, source_new(&arena, "j", text_string(&text), text.count), &at, &errors);
  assert_non_null(json);
  assert_int_equal(at, text.count);
  return json;
}

static void test_json(void **state) {
  (void)state;
  const Json *json =
      json_of(full_report(3, "a\"b\\c\n\x01\xFF\x7F"), &(RenderParts){.stats = 1, .stage = "program", .emitted = 1});
  assert_string_equal(json_get_string(json, "verdict"), "refuted");
  assert_string_equal(json_get_string(json, "kernel"), "a\"b\\c\n\x01\xEF\xBF\xBD\x7F");
  assert_int_equal(json_get(json, "outputs")->count, 3);
  assert_int_equal(json_get(json_get(json, "stats"), "n")->kind, JSON_NUMBER);
  json = json_of(full_report(0, "x"), &(RenderParts){0});
  assert_null(json_get(json, "stats"));
  assert_null(json_get(json, "emitted"));
}

static void test_plain(void **state) {
  (void)state;
  Report *report = full_report(3, "evil\x1b[2J\r\xFFname");
  Text text = text_new(&arena);
  render_text(report, &(RenderParts){.stats = 1}, 0, &text);
  render_row(report, &diagnostics, 0, false, &text);
  render_diagnostics(&diagnostics, 0, &text);
  const char *string = text_string(&text);
  assert_null(strchr(string, '\x1b'));
  assert_null(strchr(string, '\r'));
  assert_int_equal(utf8_valid_prefix(string, text.count), text.count);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_lines, setup, teardown),
      cmocka_unit_test_setup_teardown(test_json, setup, teardown),
      cmocka_unit_test_setup_teardown(test_plain, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
