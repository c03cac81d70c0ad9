/* check_json: standard input must be JSON objects, one a line, of the schema of interface.md section 4.
 *
 * Keys must be there in that order and of the right kind. Then every word of the command line, KEY=VALUE, must hold
 * of the first object: VALUE is the string, or null; a dot goes into objects and arrays (`diagnostics.0.line=3`). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/json.h"

static int errors;
static unsigned line_number;

static void wrong(const char *where, const char *what) {
  fprintf(stderr, "line %u: %s: %s\n", line_number, where, what);
  errors++;
}

/* A field: 's' string, 'S' string or null, 'n' number, 'N' number or null, 'a' array of strings, 'o' object, 'O'
 * object or null, 'A' array of objects, 'x' anything; '?' before it: may be missing. */
typedef struct Field {
  const char *kinds, *key;
} Field;

static int has_kind(const Json *value, char kind) {
  switch (kind) {
  case 's': return value->kind == JSON_STRING;
  case 'S': return value->kind == JSON_STRING || value->kind == JSON_NULL;
  case 'n': return value->kind == JSON_NUMBER;
  case 'N': return value->kind == JSON_NUMBER || value->kind == JSON_NULL;
  case 'o': return value->kind == JSON_OBJECT;
  case 'O': return value->kind == JSON_OBJECT || value->kind == JSON_NULL;
  case 'x': return 1;
  default: break;
  }
  if (value->kind != JSON_ARRAY) return 0;
  for (uint32_t i = 0; i < value->count; i++)
    if (value->members[i].value->kind != (kind == 'a' ? JSON_STRING : JSON_OBJECT)) return 0;
  return 1;
}

static void check_fields(const Json *object, const Field *fields, size_t count, const char *where) {
  uint32_t at = 0;
  for (size_t i = 0; i < count; i++) {
    int optional = *fields[i].kinds == '?';
    int here = at < object->count && !strcmp(object->members[at].key, fields[i].key);
    if (!here && optional) continue;
    if (!here) {
      wrong(where, fields[i].key);
      return;
    }
    if (!has_kind(object->members[at].value, fields[i].kinds[optional])) wrong(fields[i].key, "is of a wrong kind");
    at++;
  }
  if (at < object->count) wrong(object->members[at].key, "is not expected here");
}

#define CHECK(object, fields, where) check_fields(object, fields, sizeof fields / sizeof *fields, where)

static void check_verdict(const Json *object, const char *key) {
  static const char *const verdicts[] = {"proved", "refuted", "bounded", "probable", "unknown"};
  const Json *value = json_get(object, key);
  if (!value || value->kind == JSON_NULL) return;
  for (size_t i = 0; i < 5; i++)
    if (value->kind == JSON_STRING && !strcmp(value->text, verdicts[i])) return;
  wrong(key, "is not a verdict");
}

static void check_each(const Json *root, const char *key, const Field *fields, size_t count) {
  const Json *list = json_get(root, key);
  for (uint32_t i = 0; list && list->kind == JSON_ARRAY && i < list->count; i++) {
    check_fields(list->members[i].value, fields, count, key);
    check_verdict(list->members[i].value, "verdict");
  }
}

#define CHECK_EACH(root, key, fields) check_each(root, key, fields, sizeof fields / sizeof *fields)

static void check_object(const Json *root) {
  static const Field top[] = {{"n", "schema"},      {"s", "version"},     {"s", "input"},       {"S", "kernel"},
                              {"S", "verdict"},     {"S", "safety"},      {"O", "reason"},      {"?o", "left"},
                              {"?o", "right"},      {"?A", "pairs"},      {"?a", "only"},       {"?A", "differences"},
                              {"?A", "functions"},  {"?a", "trace"},      {"A", "inputs"},      {"A", "outputs"},
                              {"A", "assumptions"}, {"A", "obligations"}, {"a", "literals"},    {"a", "roundings"},
                              {"a", "opaque"},      {"O", "witness"},     {"A", "diagnostics"}, {"?o", "stage"},
                              {"?o", "emitted"},    {"?A", "candidates"}, {"?a", "steps"},      {"?o", "stats"},
                              {"?S", "pass"},       {"?S", "before"},     {"?S", "after"},      {"?A", "passes"}};
  static const Field side[] = {{"s", "input"}, {"S", "kernel"}, {"s", "kind"}, {"s", "verdict"}, {"A", "outputs"}};
  static const Field difference[] = {{"s", "kind"}, {"s", "output"}, {"s", "text"}, {"S", "left"}, {"S", "right"}};
  static const Field reason[] = {{"s", "code"}, {"s", "text"}};
  static const Field input[] = {{"s", "name"}, {"s", "kind"}, {"S", "dtype"}, {"a", "shape"}, {"a", "strides"}};
  static const Field output[] = {{"s", "name"},    {"s", "dtype"},     {"a", "shape"},
                                 {"a", "strides"}, {"S", "region"},    {"s", "verdict"},
                                 {"s", "form"},    {"S", "pointwise"}, {"o", "formula"}};
  static const Field formula[] = {{"S", "text"}, {"S", "latex"}, {"S", "raw"}};
  static const Field assumption[] = {{"s", "id"}, {"s", "kind"}, {"s", "text"}, {"S", "why"}, {"x", "limit"}};
  static const Field obligation[] = {{"s", "kind"},   {"s", "verdict"}, {"a", "under"},  {"S", "where"},
                                     {"S", "tensor"}, {"S", "detail"},  {"O", "witness"}};
  static const Field diagnostic[] = {{"s", "severity"}, {"s", "code"}, {"s", "message"}, {"S", "help"},
                                     {"S", "file"},     {"N", "line"}, {"N", "column"}};
  CHECK(root, top, "the object");
  check_verdict(root, "verdict");
  check_verdict(root, "safety");
  const Json *why = json_get(root, "reason");
  if (why && why->kind == JSON_OBJECT) CHECK(why, reason, "reason");
  if (json_get(root, "left")) { /* of check */
    CHECK(json_get(root, "left"), side, "left");
    CHECK(json_get(root, "right"), side, "right");
    CHECK_EACH(root, "differences", difference);
  }
  CHECK_EACH(root, "inputs", input);
  CHECK_EACH(root, "outputs", output);
  CHECK_EACH(root, "assumptions", assumption);
  CHECK_EACH(root, "obligations", obligation);
  CHECK_EACH(root, "diagnostics", diagnostic);
  const Json *outputs = json_get(root, "outputs");
  for (uint32_t i = 0; outputs && i < outputs->count; i++) {
    const Json *text = json_get(outputs->members[i].value, "formula");
    if (text && text->kind == JSON_OBJECT) CHECK(text, formula, "formula");
  }
}

static const Json *follow(const Json *value, char *path) {
  char *rest = NULL;
  for (char *step = strtok_r(path, ".", &rest); step && value; step = strtok_r(NULL, ".", &rest)) {
    unsigned long index = strtoul(step, NULL, 10);
    if (value->kind == JSON_ARRAY)
      value = index < value->count ? value->members[index].value : NULL;
    else
      value = json_get(value, step);
  }
  return value;
}

static void check_wish(const Json *root, char *wish) {
  char *equals = strchr(wish, '=');
  if (!equals) exit(2);
  *equals = 0;
  char *path = strdup(wish);
  const Json *value = follow(root, path);
  free(path);
  const char *text = !value ? "(missing)" : value->kind == JSON_NULL ? "null" : value->text ? value->text : "(a list)";
  if (strcmp(text, equals + 1)) {
    fprintf(stderr, "%s is %s, not %s\n", wish, text, equals + 1);
    errors++;
  }
}

int main(int argc, char **argv) {
  static Guard guard;
  static Arena arena;
  static char buffer[1 << 24];
  guard_init(&guard, 0, 0);
  arena_init(&arena, &guard);
  if (setjmp(guard.escape)) return 2;
  size_t size = fread(buffer, 1, sizeof buffer - 1, stdin), at = 0;
  Source *source = source_new(&arena, "stdin", buffer, size);
  DiagnosticList diagnostics;
  diagnostic_list_init(&diagnostics, &arena);
  for (line_number = 1; at < size; line_number++) {
    if (source_locate(source, (uint32_t)at).column != 1) wrong("object", "does not begin a line");
    const Json *root = json_read(&arena, source, &at, &diagnostics);
    if (!root) {
      fprintf(stderr, "%s\n", diagnostics.items.data[0].message);
      return 1;
    }
    check_object(root);
    for (int i = 1; line_number == 1 && i < argc; i++) check_wish(root, argv[i]);
  }
  if (line_number == 1) wrong("output", "is empty");
  arena_destroy(&arena);
  return errors ? 1 : 0;
}
