/* The program form by itself: number formats, hash-consed types, attributes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "program/program.h"

static Guard guard;
static Arena arena;
static InternTable names;
static Program *program;

static int setup(void **state) {
  (void)state;
  guard_init(&guard, 0, 0);
  if (setjmp(guard.escape)) return 1;
  arena_init(&arena, &guard);
  intern_init(&names, &arena);
  program = program_new(&arena, &names, source_new(&arena, "x", "", 0));
  return 0;
}

static int teardown(void **state) {
  (void)state;
  arena_destroy(&arena);
  return 0;
}

static bool is_nan_pattern(FloatFormat format, uint64_t bits) { return isnan(program_float_decode(format, bits)); }

/* Every pattern of the small formats decodes and encodes to itself; NaN to some NaN. */
static void test_small_formats_round_trip(void **state) {
  (void)state;
  for (FloatFormat f = 0; f < FLOAT_FORMAT_COUNT; f++) {
    uint32_t bits = program_float_bits(f);
    if (bits > 19) continue;
    for (uint64_t p = 0; p < 1ull << bits; p++) {
      double value = program_float_decode(f, p);
      uint64_t again = program_float_encode(f, value);
      if (is_nan_pattern(f, p))
        assert_true(is_nan_pattern(f, again));
      else
        assert_int_equal(again, p);
    }
  }
}

/* f32 against the machine's own conversion, halfway cases and subnormals included. */
static void test_f32_as_the_machine(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (int i = 0; i < 2000000; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    uint64_t pattern = seed;
    if (i % 4 == 0)
      pattern = (pattern & ~(0x7FFull << 52)) | (uint64_t)(1023 - 160 + i % 320) << 52; /* near f32's range */
    if (i % 8 == 0) pattern = (pattern & ~((1ull << 29) - 1)) | 1ull << 28;             /* halfway */
    double value;
    memcpy(&value, &pattern, sizeof value);
    if (isnan(value)) continue;
    float single = (float)value;
    uint32_t want;
    memcpy(&want, &single, sizeof want);
    assert_int_equal(program_float_encode(FLOAT_F32, value), want);
    assert_true(program_float_decode(FLOAT_F32, want) == (double)single);
  }
}

static void test_known_values(void **state) {
  (void)state;
  assert_int_equal(program_float_encode(FLOAT_F16, 65504), 0x7BFF);
  assert_int_equal(program_float_encode(FLOAT_F16, 65520), 0x7C00);
  assert_int_equal(program_float_encode(FLOAT_F16, -INFINITY), 0xFC00);
  assert_int_equal(program_float_encode(FLOAT_BF16, 1.0), 0x3F80);
  assert_int_equal(program_float_encode(FLOAT_F8E4M3FN, 448), 0x7E);
  assert_int_equal(program_float_encode(FLOAT_F8E5M2, 57344), 0x7B);
  assert_int_equal(program_float_encode(FLOAT_F8E4M3FNUZ, -0.0), 0);
  assert_true(program_float_decode(FLOAT_F8E4M3FN, 0x01) == 0x1p-9);
  assert_true(isnan(program_float_decode(FLOAT_F8E4M3FNUZ, 0x80)));
  assert_true(isinf(program_float_decode(FLOAT_F32, 0xFF800000)));
}

static void expect_type(TypeId type, const char *text) {
  Text out = text_new(&arena);
  program_type_print(program, type, &out);
  assert_string_equal(text_string(&out), text);
}

static void test_types(void **state) {
  (void)state;
  TypeId f32 = program_type_float(program, FLOAT_F32), i1 = program_type_int(program, 1);
  int64_t dims[2] = {4, 8};
  TypeId tensor = program_type_tensor(program, f32, 2, dims), pointer = program_type_pointer(program, f32);
  assert_int_equal(tensor, program_type_tensor(program, program_type_float(program, FLOAT_F32), 2, dims));
  assert_int_not_equal(tensor, program_type_tensor(program, f32, 1, dims));
  assert_int_equal(program_type_with_element(program, tensor, i1), program_type_tensor(program, i1, 2, dims));
  assert_int_equal(program_type_with_element(program, f32, i1), i1);
  assert_int_equal(program_lane_count(program, tensor), 32);
  assert_int_equal(program_lane_count(program, f32), 1);
  assert_int_equal(program_element_type(program, tensor), f32);
  expect_type(tensor, "tensor<4x8xf32>");
  expect_type(program_type_tensor(program, pointer, 1, dims), "tensor<4x!tt.ptr<f32>>");
  expect_type(program_type_tensor(program, f32, 0, NULL), "tensor<f32>");
  TypeId members[3] = {f32, i1, tensor};
  expect_type(program_type(program, &(Type){.kind = TYPE_FUNCTION, .rank = 2, .members = members, .member_count = 3}),
              "(f32, i1) -> tensor<4x8xf32>");
  for (uint32_t w = 1; w <= 64; w++) assert_int_equal(program_type_int(program, w), program_type_int(program, w));
  for (int64_t n = 1; n < 5000; n++)
    assert_int_equal(program_lane_count(program, program_type_tensor(program, f32, 1, &n)), n);
  assert_int_equal(tensor, program_type_tensor(program, f32, 2, dims));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_small_formats_round_trip),
      cmocka_unit_test(test_f32_as_the_machine),
      cmocka_unit_test(test_known_values),
      cmocka_unit_test_setup_teardown(test_types, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
