/* Operation files and traces: what becomes of them, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <stdio.h>

#include "front/front.h"

static Guard guard;
static Arena arena;
static DiagnosticList diagnostics;
static Front front;
static AssayOptions options = ASSAY_OPTIONS_INIT;

static int setup(void **state) {
  (void)state;
  guard_init(&guard, 0, 0);
  arena_init(&arena, &guard);
  diagnostic_list_init(&diagnostics, &arena);
  front_init(&front, &arena, &diagnostics, &options);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  front_close(&front);
  arena_destroy(&arena);
  return guard.bytes != 0;
}

static FrontFile *open_path(const char *path) {
  FrontFile *file = front_read_file(&front, &arena, &(AssayInput){.path = path});
  assert_non_null(file);
  return file;
}

static Operation *read_files(const FileList *files) { return front_operation(&front, files, NULL); }

static Operation *read_one(FrontFile *file) {
  FileList files = {0};
  array_push(&arena, &files, file);
  return read_files(&files);
}

/* The code of the first diagnostic for this text as an operation file beside add.ttir; "" if there is none. */
static const char *refusal(const char *text) {
  diagnostic_list_init(&diagnostics, &arena);
  AssayInput input = {.path = SOURCE_DIR "/tests/cli/data/mine.json", .text = text, .size = strlen(text)};
  FrontFile *file = front_read_file(&front, &arena, &input);
  assert_int_equal(file->kind, INPUT_OPERATION);
  read_one(file);
  return diagnostics.items.count ? diagnostics.items.data[0].code : "";
}

static void test_operation(void **state) {
  (void)state;
  Operation *operation = read_one(open_path(SOURCE_DIR "/tests/cli/data/add.json"));
  assert_non_null(operation);
  assert_string_equal(operation->name, "vector_add");
  assert_int_equal(operation->tensors.count, 3);
  assert_string_equal(operation->tensors.data[0].shape[0]->text, "K");
  assert_int_equal(operation->launches.count, 1);
  const Launch *launch = &operation->launches.data[0];
  assert_string_equal(launch->kernel, "add_kernel");
  assert_string_equal(launch->grid[0]->text, "cdiv(K,1024)");
  assert_int_equal(launch->args.count, 4);
  assert_string_equal(launch->args.data[2].tensor, "c");
  assert_string_equal(launch->args.data[3].scalar->text, "K");
  assert_false(launch->is_sample);
}

#define LAUNCH "{\"file\": \"add.ttir\", \"grid\": [\"g\"], \"args\": {\"x_ptr\": \"a\"}}"

#define TENSORS "\"a\": {\"dtype\": \"f32\", \"shape\": [\"n\"]}, \"b\": {\"dtype\": \"f32\", \"shape\": [\"n\"]}"
#define WHOLE                                                                                                          \
  "{\"file\": \"add.ttir\", \"grid\": [\"g\"], \"args\": {\"x_ptr\": \"a\", \"y_ptr\": \"a\", \"out_ptr\": \"b\"}}"

static void test_refusals(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"{\"schema\": 1, \"tensors\": {" TENSORS "}, \"launches\": [" WHOLE "]}", ""},
      {"{\"schema\": 1, \"tensors\": {}, \"launches\": [" LAUNCH "]}", "operation.tensor"},
      {"{\"schema\": 1, \"tensors\": {\"a\": {\"dtype\": \"f32\", \"shape\": [2]}}, \"launches\": [" LAUNCH "]}",
       "operation.missing"},
      {"{\"schema\": 1, \"tensors\": {\"a\": {\"dtype\": \"f16\", \"shape\": [2]}}, \"launches\": [" LAUNCH "]}",
       "operation.dtype"},
      {"{\"schema\": 1, \"tensors\": {\"a\": {\"dtype\": \"f32\", \"shape\": [\"N+\"]}}, \"launches\": [" LAUNCH "]}",
       "operation.expression"},
      {"{\"schema\": 2, \"tensors\": {}, \"launches\": [" LAUNCH "]}", "operation.schema"},
      {"{\"tensors\": {}, \"launches\": [" LAUNCH "]}", "operation.missing"},
      {"{\"schema\": 1, \"tensors\": {}, \"launches\": []}", "operation.launches"},
      {"{\"schema\": 1, \"tensors\": [], \"launches\": [" LAUNCH "]}", "operation.kind"},
      {"{\"schema\": 1, \"tensors\": {}, \"launches\": [" LAUNCH "], \"launch\": 1}", "operation.key"},
      {"{\"schema\": 1, \"tensors\": {\"a\": {\"dtype\": \"float\", \"shape\": []}}, \"launches\": [" LAUNCH "]}",
       "operation.dtype"},
      {"{\"schema\": 1, \"tensors\": {\"a\": {\"dtype\": \"f32\", \"shape\": [1.5]}}, \"launches\": [" LAUNCH "]}",
       "operation.expression"},
      {"{\"schema\": 1, \"tensors\": {\"a\": {\"dtype\": \"f32\", \"shape\": [2], \"strides\": [2, 1]}}, \"launches\": "
       "[" LAUNCH "]}",
       "operation.rank"},
      {"{\"schema\": 1, \"tensors\": {}, \"launches\": [{\"file\": \"add.ttir\", \"grid\": [1, 2, 3, 4]}]}",
       "operation.grid"},
      {"{\"schema\": 1, \"tensors\": {}, \"launches\": [{\"file\": \"none.ttir\", \"grid\": [1]}]}",
       "input.unreadable"},
      {"{\"schema\": 1, \"tensors\": {}, \"launches\": [{\"file\": \"add.json\", \"grid\": [1]}]}", "operation.file"},
      {"{\"schema\": 1, \"tensors\": {}, \"launches\": [{\"file\": \"two.ttir\", \"grid\": [1]}]}", "operation.kernel"},
      {"{\"schema\": 1, \"tensors\": {}, \"launches\": [{\"file\": \"add.ttir\", \"grid\": [1], \"args\": {\"x_ptr\": "
       "{\"tensor\": \"q\"}}}]}",
       "operation.tensor"},
      {"{\"schema\": 1, \"tensors\": {}, \"launches\": [" LAUNCH "]} 1", "json.syntax"},
      {"{\"schema\": 1, \"tensors\": {}, \"launches\": [" LAUNCH "],}", "json.syntax"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) assert_string_equal(refusal(cases[i][0]), cases[i][1]);
}

static void test_trace(void **state) {
  (void)state;
  FrontFile *file = open_path(SOURCE_DIR "/tests/cli/data/trace.ndjson");
  assert_int_equal(file->kind, INPUT_TRACE);
  Operation *operation = read_one(file);
  assert_non_null(operation);
  assert_int_equal(operation->launches.count, 1);
  const Launch *launch = &operation->launches.data[0];
  assert_true(launch->is_sample);
  assert_string_equal(launch->kernel, "add_kernel");
  assert_int_equal(launch->grid_count, 3);
  assert_string_equal(launch->grid[0]->text, "5");
  assert_int_equal(launch->args.count, 4); /* BLOCK is no argument of the compiled function */
  assert_int_equal(operation->tensors.count, 3);
  assert_string_equal(operation->tensors.data[0].dtype, "f32");
  assert_string_equal(operation->tensors.data[0].shape[0]->text, "5000");
}

#define TENSOR(shape, stride, at)                                                                                      \
  "{\"type\": \"tensor\", \"shape\": [" shape "], \"stride\": [" stride                                                \
  "], \"dtype\": \"torch.float32\", \"element_size\": 4, \"data_ptr\": \"" at "\"}"

static Operation *traced(const char *x, const char *y, const char *out) {
  static char text[1024];
  int size = snprintf(text, sizeof text,
                      "{\"event_type\": \"launch\", \"name\": \"add_kernel\", \"grid\": [1], \"extracted_args\": "
                      "{\"x_ptr\": %s, \"y_ptr\": %s, \"out_ptr\": %s, \"n\": {\"type\": \"int\", \"value\": 8}}}\n",
                      x, y, out);
  FrontFile *trace =
      front_read_file(&front, &arena, &(AssayInput){.path = "t.ndjson", .text = text, .size = (size_t)size});
  FileList files = {0};
  array_push(&arena, &files, open_path(SOURCE_DIR "/tests/cli/data/add.ttir"));
  return front_operation(&front, &files, trace);
}

static void assert_argument(const Operation *o, uint32_t i, const char *tensor, const char *offset) {
  const LaunchArg *arg = &o->launches.data[0].args.data[i];
  assert_string_equal(arg->tensor, tensor);
  assert_string_equal(arg->offset ? arg->offset->text : "0", offset);
}

/* The second tensor begins inside the first, or before it; the third is the first. */
static void test_trace_overlap(void **state) {
  (void)state;
  Operation *o = traced(TENSOR("8", "1", "0x1000"), TENSOR("8", "1", "0x1010"), TENSOR("8", "1", "0x1000"));
  assert_int_equal(o->tensors.count, 1);
  assert_string_equal(o->tensors.data[0].shape[0]->text, "12");
  assert_argument(o, 1, "x_ptr", "4");
  assert_argument(o, 2, "x_ptr", "0");
  o = traced(TENSOR("8", "1", "0x1010"), TENSOR("8", "1", "0x1000"), TENSOR("8", "1", "0x1100"));
  assert_int_equal(o->tensors.count, 2);
  assert_string_equal(o->tensors.data[0].shape[0]->text, "12");
  assert_argument(o, 0, "x_ptr", "4");
  assert_argument(o, 1, "x_ptr", "0");
  assert_argument(o, 2, "out_ptr", "0");
  o = traced(TENSOR("8", "1", "0x1000"), TENSOR("8", "1", "0x1030"),
             TENSOR("16", "1", "0x1010")); /* the third has elements of both */
  assert_int_equal(o->tensors.count, 1);
  assert_string_equal(o->tensors.data[0].shape[0]->text, "20");
  assert_argument(o, 2, "x_ptr", "4");
}

/* Halves of rows, every other element, whole rows of one buffer. */
static void test_trace_slices(void **state) {
  (void)state;
  assert_int_equal(
      traced(TENSOR("3, 8", "16, 1", "0x1000"), TENSOR("3, 8", "16, 1", "0x1020"), TENSOR("3, 8", "8, 1", "0x2000"))
          ->tensors.count,
      3);
  assert_int_equal(
      traced(TENSOR("8", "2", "0x1000"), TENSOR("8", "2", "0x1004"), TENSOR("8", "1", "0x2000"))->tensors.count, 3);
  assert_int_equal(
      traced(TENSOR("3, 1, 4", "8, 8, 1", "0x1000"), TENSOR("3, 4", "8, 1", "0x1010"), TENSOR("3", "8", "0x2000"))
          ->tensors.count,
      3);
  assert_int_equal(
      traced(TENSOR("3, 7", "8, 1", "0x1004"), TENSOR("3", "8", "0x1000"), TENSOR("3", "1", "0x2000"))->tensors.count,
      3); /* a scale in front of each row */
  assert_int_equal(
      traced(TENSOR("3, 7", "8, 1", "0x1004"), TENSOR("3", "8", "0x1008"), TENSOR("3", "1", "0x2000"))->tensors.count,
      2);
  Operation *o =
      traced(TENSOR("3, 8", "16, 1", "0x1010"), TENSOR("3, 8", "16, 1", "0x1000"), TENSOR("3, 8", "8, 1", "0x2000"));
  assert_int_equal(o->tensors.count, 2);
  assert_string_equal(o->tensors.data[0].shape[1]->text, "12");
  assert_argument(o, 0, "x_ptr", "4");
  assert_argument(o, 1, "x_ptr", "0");
  o = traced(TENSOR("3, 8", "16, 1", "0x1020"), TENSOR("3, 16", "16, 1", "0x1000"),
             TENSOR("3, 8", "8, 1", "0x2000")); /* all of it, and a half */
  assert_int_equal(o->tensors.count, 2);
  assert_string_equal(o->tensors.data[0].shape[1]->text, "16");
  o = traced(TENSOR("4, 2", "2, 1", "0x1010"), TENSOR("4, 2", "1, 4", "0x1000"),
             TENSOR("8", "1", "0x2000")); /* no slices of one: memory */
  assert_int_equal(o->tensors.count, 2);
  assert_int_equal(o->tensors.data[0].rank, 1);
  assert_string_equal(o->tensors.data[0].shape[0]->text, "12");
}

static void test_folder(void **state) {
  (void)state;
  InputList out = {0};
  front_expand(&front, &(AssayInput){.path = SOURCE_DIR "/tests/cli/data/"}, 1, &out);
  assert_int_equal(out.count, 4);
  assert_non_null(strstr(out.data[0].path, "data/add.ttir"));
  assert_non_null(strstr(out.data[3].path, "data/two.ttir"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_operation, setup, teardown),
      cmocka_unit_test_setup_teardown(test_refusals, setup, teardown),
      cmocka_unit_test_setup_teardown(test_trace, setup, teardown),
      cmocka_unit_test_setup_teardown(test_trace_overlap, setup, teardown),
      cmocka_unit_test_setup_teardown(test_trace_slices, setup, teardown),
      cmocka_unit_test_setup_teardown(test_folder, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
