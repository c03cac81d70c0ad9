/* Sparse runs of the interpreter: each kernel is run with all lanes and with few; what the second saw must be the same,
 * and where lanes between matter it must stop. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first. */
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "program/interpret.h"
#include "read/mlir/read.h"

enum { BLOCK = 4096, ROOM = 3 * BLOCK };

typedef struct Outcome {
  InterpretStatus status;
  uint64_t steps, seen, unseen, different;
  char message[100];
} Outcome;

/* Kernel of (x, y, n) in a loop-free body; `programs` along x. */
static Outcome compare(const char *body, int64_t n, int32_t programs) {
  Guard guard;
  Arena arena;
  Outcome outcome = {0};
  guard_init(&guard, (size_t)256 << 20, 0);
  arena_init(&arena, &guard);
  if (setjmp(guard.escape)) fail_msg("%s", guard.message);
  const char *text = arena_format(
      &arena, "module {\n tt.func public @k(%%x: !tt.ptr<f32>, %%y: !tt.ptr<f32>, %%n: i32) {\n%s\n tt.return\n }\n}\n",
      body);
  InternTable *names = arena_new(&arena, InternTable);
  DiagnosticList diagnostics;
  intern_init(names, &arena);
  diagnostic_list_init(&diagnostics, &arena);
  Program *program = read_triton(&arena, names, source_new(&arena, "test", text, strlen(text)), &diagnostics);
  if (!program || diagnostics.error_count) {
    Text out = text_new(&arena);
    for (uint32_t i = 0; i < diagnostics.items.count; i++)
      diagnostic_render(&diagnostics.items.data[i], &arena, &out, 0);
    fail_msg("%s", text_string(&out));
  }
  InterpretBuffer buffers[2][2];
  InterpretResult results[2];
  for (int sparse = 0; sparse < 2; sparse++) {
    Random random = {7};
    InterpretArgument arguments[3] = {{.kind = INTERPRET_ADDRESS},
                                      {.kind = INTERPRET_ADDRESS, .buffer = 1},
                                      {.kind = INTERPRET_INTEGER, .integer = n}};
    for (int b = 0; b < 2; b++) {
      buffers[sparse][b] = (InterpretBuffer){.element = program_type_float(program, FLOAT_F32),
                                             .count = ROOM,
                                             .cells = arena_array(&arena, InterpretCell, ROOM)};
      for (int i = 0; i < ROOM; i++) buffers[sparse][b].cells[i].real = (double)random_below(&random, 1000) / 8 - 50;
    }
    InterpretOptions options = {.sparse = sparse, .exact_reals = true};
    interpret_launch(&arena, program, &program->functions.data[0], (int32_t[]){programs, 1, 1}, buffers[sparse], 2,
                     arguments, 3, &options, &results[sparse]);
  }
  assert_int_equal(results[0].status, INTERPRET_OK);
  outcome.status = results[1].status;
  outcome.steps = results[1].steps;
  if (results[1].message) snprintf(outcome.message, sizeof outcome.message, "%s", results[1].message);
  for (int b = 0; b < 2; b++)
    for (int i = 0; i < ROOM; i++) {
      const InterpretBuffer *all = &buffers[0][b], *few = &buffers[1][b];
      if (few->shadow[i] & INTERPRET_UNSEEN) {
        outcome.unseen++;
        outcome.different += !(all->shadow[i] & INTERPRET_WRITTEN);
        continue;
      }
      outcome.seen += (few->shadow[i] & INTERPRET_WRITTEN) != 0;
      outcome.different += few->shadow[i] != all->shadow[i] || fabs(few->cells[i].real - all->cells[i].real) > 1e-9;
    }
  arena_destroy(&arena);
  return outcome;
}

static void assert_same(const char *body, int64_t n, int32_t programs, uint64_t seen, uint64_t unseen) {
  Outcome o = compare(body, n, programs);
  if (o.status != INTERPRET_OK) fail_msg("n = %lld: %s", (long long)n, o.message);
  assert_int_equal(o.different, 0);
  assert_int_equal(o.seen, seen);
  assert_int_equal(o.unseen, unseen);
  assert_true(o.steps < 100000);
}

static void assert_needs_lanes(const char *body, int64_t n, int32_t programs) {
  assert_int_equal(compare(body, n, programs).status, INTERPRET_NEEDS_LANES);
}

#define OFFSETS                                                                                                        \
  " %pid = tt.get_program_id x : i32\n %b = arith.constant 4096 : i32\n"                                               \
  " %start = arith.muli %pid, %b : i32\n %s = tt.splat %start : i32 -> tensor<4096xi32>\n"                             \
  " %r = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32>\n"                                       \
  " %o = arith.addi %s, %r : tensor<4096xi32>\n %ns = tt.splat %n : i32 -> tensor<4096xi32>\n"                         \
  " %m = arith.cmpi slt, %o, %ns : tensor<4096xi32>\n"                                                                 \
  " %xs = tt.splat %x : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>>\n"                                                   \
  " %xp = tt.addptr %xs, %o : tensor<4096x!tt.ptr<f32>>, tensor<4096xi32>\n"                                           \
  " %ys = tt.splat %y : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>>\n"                                                   \
  " %yp = tt.addptr %ys, %o : tensor<4096x!tt.ptr<f32>>, tensor<4096xi32>\n"
#define LOAD(other)                                                                                                    \
  " %c = arith.constant dense<" other "> : tensor<4096xf32>\n %v = tt.load %xp, %m, %c : tensor<4096x!tt.ptr<f32>>\n"
#define FOLD(op)                                                                                                       \
  " %t = \"tt.reduce\"(%v) <{axis = 0 : i32}> ({\n ^bb0(%a: f32, %e: f32):\n %f = " op                                 \
  " %a, %e : f32\n tt.reduce.return %f : f32\n }) : (tensor<4096xf32>) -> f32\n"
#define STORE_SCALAR " %p = tt.addptr %y, %pid : !tt.ptr<f32>, i32\n tt.store %p, %t : !tt.ptr<f32>"

static void test_elementwise(void **state) {
  (void)state;
  const char *body =
      OFFSETS LOAD("0.0") " %w = math.exp %v : tensor<4096xf32>\n tt.store %yp, %w, %m : tensor<4096x!tt.ptr<f32>>";
  assert_same(body, 3, 2, 3, 0);
  assert_same(body, 14, 2, 14, 0);
  assert_same(body, 4096, 2, 18, 4078);
  assert_same(body, 4095, 1, 17, 4078);
  assert_same(body, 4099, 2, 21, 4078);
  assert_needs_lanes(body, 1000, 1); /* the edge of the mask lies between */
}

static void test_unmasked_values_differ_between(void **state) {
  (void)state;
  assert_needs_lanes(OFFSETS LOAD("0.0") FOLD("arith.addf") STORE_SCALAR, 4096, 1);
  assert_needs_lanes(OFFSETS LOAD("0.0") FOLD("arith.maxnumf") STORE_SCALAR, 15, 1);
}

static void test_folds_of_a_masked_tail(void **state) {
  (void)state;
  assert_same(OFFSETS LOAD("0.0") FOLD("arith.addf") STORE_SCALAR, 3, 2, 2, 0);
  assert_same(OFFSETS LOAD("2.5") FOLD("arith.addf") STORE_SCALAR, 3, 1, 1, 0); /* 4093 times 2.5 */
  assert_same(OFFSETS LOAD("-200.0") FOLD("arith.maxnumf") STORE_SCALAR, 13, 1, 1, 0);
  assert_same(OFFSETS LOAD("1.0") FOLD("arith.mulf") STORE_SCALAR, 2, 1, 1, 0);
  assert_same(OFFSETS LOAD("3.0") FOLD("arith.subf") STORE_SCALAR, 0, 1, 1, 0);
}

static void test_index_of_the_greatest(void **state) {
  (void)state;
#define ARGMAX(order, other)                                                                                           \
  OFFSETS LOAD(                                                                                                        \
      other) " %t:2 = \"tt.reduce\"(%v, %r) <{axis = 0 : i32}> ({\n ^bb0(%a: f32, %i: i32, %e: f32, %j: i32):\n"       \
             " %gt = arith.cmpf ogt, %a, %e : f32\n %eq = arith.cmpf oeq, %a, %e : f32\n %lt = arith.cmpi " order      \
             ", %i, %j : i32\n"                                                                                        \
             " %tie = arith.andi %eq, %lt : i1\n %or = arith.ori %gt, %tie : i1\n %f = arith.select %or, %a, %e : "    \
             "f32\n"                                                                                                   \
             " %g = arith.select %or, %i, %j : i32\n tt.reduce.return %f, %g : f32, i32\n }) : (tensor<4096xf32>, "    \
             "tensor<4096xi32>) -> (f32, i32)\n"                                                                       \
             " %q = arith.sitofp %t#1 : i32 to f32\n tt.store %y, %q : !tt.ptr<f32>"
  assert_same(ARGMAX("slt", "-200.0"), 5, 1, 1, 0);
  assert_same(ARGMAX("slt", "200.0"), 5, 1, 1, 0); /* the first of the tail */
  assert_same(ARGMAX("sgt", "200.0"), 5, 1, 1, 0); /* the last */
}

static void test_folds_of_lines(void **state) {
  (void)state;
  /* the sum of the indices: no end stands for the others, so all are taken */
  assert_same(OFFSETS " %t0 = \"tt.reduce\"(%o) <{axis = 0 : i32}> ({\n ^bb0(%a: i32, %e: i32):\n %f = arith.addi %a, "
                      "%e : i32\n tt.reduce.return %f : i32\n"
                      " }) : (tensor<4096xi32>) -> i32\n %t = arith.sitofp %t0 : i32 to f32\n" STORE_SCALAR,
              1, 2, 2, 0);
}

static void test_scans(void **state) {
  (void)state;
#define SCAN(reverse, other)                                                                                           \
  OFFSETS LOAD(other) " %w = \"tt.scan\"(%v) <{axis = 0 : i32, reverse = " reverse                                     \
                      "}> ({\n ^bb0(%a: f32, %e: f32):\n %f = arith.addf %a, %e : f32\n"                               \
                      " tt.scan.return %f : f32\n }) : (tensor<4096xf32>) -> tensor<4096xf32>\n"
#define LAST_OF_ALL                                                                                                    \
  " %z = arith.constant 4095 : i32\n %zs = tt.splat %z : i32 -> tensor<4096xi32>\n %l = arith.cmpi eq, %r, %zs : "     \
  "tensor<4096xi32>\n"
  assert_same(SCAN("false", "0.0") " tt.store %yp, %w, %m : tensor<4096x!tt.ptr<f32>>", 5, 1, 5, 0);
  assert_same(SCAN("true", "0.0") " tt.store %yp, %w, %m : tensor<4096x!tt.ptr<f32>>", 5, 1, 5, 0);
  assert_same(SCAN("true", "1.5") " tt.store %yp, %w, %m : tensor<4096x!tt.ptr<f32>>", 5, 1, 5,
              0); /* the tail counts */
  assert_same(SCAN("false", "1.5") LAST_OF_ALL " tt.store %yp, %w, %l : tensor<4096x!tt.ptr<f32>>", 5, 1, 1, 0);
}

#define TILE(name, x, rows_below, columns_below)                                                                       \
  " %" name "r = tt.expand_dims %i {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>\n"                            \
  " %" name "c = tt.expand_dims %i {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>\n"                            \
  " %" name "w = arith.constant dense<70> : tensor<64x1xi32>\n %" name "s = arith.muli %" name "r, %" name             \
  "w : tensor<64x1xi32>\n"                                                                                             \
  " %" name "sb = tt.broadcast %" name "s : tensor<64x1xi32> -> tensor<64x64xi32>\n"                                   \
  " %" name "cb = tt.broadcast %" name "c : tensor<1x64xi32> -> tensor<64x64xi32>\n"                                   \
  " %" name "o = arith.addi %" name "sb, %" name "cb : tensor<64x64xi32>\n"                                            \
  " %" name "lr = arith.constant dense<" rows_below "> : tensor<64x1xi32>\n %" name                                    \
  "lc = arith.constant dense<" columns_below "> : tensor<1x64xi32>\n"                                                  \
  " %" name "mr = arith.cmpi slt, %" name "r, %" name "lr : tensor<64x1xi32>\n %" name "mc = arith.cmpi slt, %" name   \
  "c, %" name "lc : tensor<1x64xi32>\n"                                                                                \
  " %" name "mrb = tt.broadcast %" name "mr : tensor<64x1xi1> -> tensor<64x64xi1>\n %" name                            \
  "mcb = tt.broadcast %" name "mc : tensor<1x64xi1> -> tensor<64x64xi1>\n"                                             \
  " %" name "m = arith.andi %" name "mrb, %" name "mcb : tensor<64x64xi1>\n"                                           \
  " %" name "ps = tt.splat %" x " : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>\n"                                      \
  " %" name "p = tt.addptr %" name "ps, %" name "o : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>\n"
#define DOT(rows_a, columns_a, rows_b, columns_b)                                                                      \
  " %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n %zero = arith.constant dense<0.0> : "      \
  "tensor<64x64xf32>\n" TILE("a", "x", rows_a, columns_a) TILE("b", "x", rows_b, columns_b)                            \
      TILE("d", "y", rows_a,                                                                                           \
           columns_b) " %av = tt.load %ap, %am, %zero : tensor<64x64x!tt.ptr<f32>>\n %bv = tt.load %bp, %bm, %zero : " \
                      "tensor<64x64x!tt.ptr<f32>>\n"                                                                   \
                      " %dv = tt.dot %av, %bv, %zero : tensor<64x64xf32> * tensor<64x64xf32> -> tensor<64x64xf32>\n"   \
                      " tt.store %dp, %dv, %dm : tensor<64x64x!tt.ptr<f32>>"

static void test_contractions(void **state) {
  (void)state;
  assert_same(DOT("3", "5", "5", "7"), 0, 1, 21, 0);
  assert_same(DOT("64", "5", "5", "64"), 0, 1, 18 * 18, 64 * 64 - 18 * 18); /* rows and columns between are not seen */
  assert_same(DOT("64", "5", "64", "7"), 0, 1, 18 * 7, 46 * 7); /* one side is masked: 0 times what varies */
  assert_needs_lanes(DOT("3", "64", "64", "7"), 0, 1);
  assert_needs_lanes(DOT("40", "5", "5", "7"), 0, 1);
}

static void test_block_pointers(void **state) {
  (void)state;
#define BLOCKS(bound)                                                                                                  \
  " %one = arith.constant 1 : i64\n %l = arith.constant " bound " : i64\n %z = arith.constant 0 : i32\n"               \
  " %p = tt.make_tensor_ptr %x, [%l], [%one], [%z] {order = array<i32: 0>} : <tensor<4096xf32>>\n"                     \
  " %q = tt.make_tensor_ptr %y, [%l], [%one], [%z] {order = array<i32: 0>} : <tensor<4096xf32>>\n"                     \
  " %v = tt.load %p {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<4096xf32>>\n"                  \
  " tt.store %q, %v {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<4096xf32>>"
  assert_same(BLOCKS("7"), 0, 1, 7, 0);
  assert_same(BLOCKS("9000"), 0, 1, 18, 4078);
  assert_needs_lanes(BLOCKS("100"), 0, 1);
}

static void test_choices_and_remainders(void **state) {
  (void)state;
  /* min(o, 4000) changes sides between; its address may be read, as what is read is not known anyway, but not written
   */
#define CLAMPED " %k = arith.constant dense<4000> : tensor<4096xi32>\n %w = arith.minsi %o, %k : tensor<4096xi32>\n"
  assert_same(OFFSETS CLAMPED " %wp = tt.addptr %xs, %w : tensor<4096x!tt.ptr<f32>>, tensor<4096xi32>\n %v = tt.load "
                              "%wp : tensor<4096x!tt.ptr<f32>>\n"
                              " tt.store %yp, %v : tensor<4096x!tt.ptr<f32>>",
              0, 1, 18, 4078);
  assert_needs_lanes(OFFSETS LOAD("0.0") CLAMPED
                     " %wp = tt.addptr %ys, %w : tensor<4096x!tt.ptr<f32>>, tensor<4096xi32>\n"
                     " tt.store %wp, %v : tensor<4096x!tt.ptr<f32>>",
                     4096, 1);
  assert_same(OFFSETS
              " %k = arith.constant dense<9000> : tensor<4096xi32>\n %w = arith.minsi %o, %k : tensor<4096xi32>\n"
              " %wp = tt.addptr %ys, %w : tensor<4096x!tt.ptr<f32>>, tensor<4096xi32>\n %v = tt.load %xp : "
              "tensor<4096x!tt.ptr<f32>>\n"
              " tt.store %wp, %v : tensor<4096x!tt.ptr<f32>>",
              0, 1, 18, 4078);
  /* o == 100 somewhere between */
  assert_needs_lanes(
      OFFSETS " %k = arith.constant dense<100> : tensor<4096xi32>\n %w = arith.cmpi eq, %o, %k : tensor<4096xi32>\n"
              " %v = tt.load %xp : tensor<4096x!tt.ptr<f32>>\n tt.store %yp, %v, %w : tensor<4096x!tt.ptr<f32>>",
      0, 1);
}

static void test_what_was_not_seen_is_not_read(void **state) {
  (void)state;
  /* every second lane stays as it was; then one that was written between is read */
  assert_needs_lanes(
      OFFSETS LOAD("0.0") " tt.store %yp, %v, %m : tensor<4096x!tt.ptr<f32>>\n %k = arith.constant 50 : i32\n"
                          " %p = tt.addptr %y, %k : !tt.ptr<f32>, i32\n %t = tt.load %p : !tt.ptr<f32>\n tt.store %x, "
                          "%t : !tt.ptr<f32>",
      4096, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_elementwise),
      cmocka_unit_test(test_unmasked_values_differ_between),
      cmocka_unit_test(test_folds_of_a_masked_tail),
      cmocka_unit_test(test_index_of_the_greatest),
      cmocka_unit_test(test_folds_of_lines),
      cmocka_unit_test(test_scans),
      cmocka_unit_test(test_contractions),
      cmocka_unit_test(test_block_pointers),
      cmocka_unit_test(test_choices_and_remainders),
      cmocka_unit_test(test_what_was_not_seen_is_not_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
