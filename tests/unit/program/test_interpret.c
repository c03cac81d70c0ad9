/* The concrete interpreter: what single ops compute, and each thing that it finds. Whole kernels are compared with
 * Triton's interpreter in tests/python/test_interpreter_c.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first. */
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "program/interpret_state.h"
#include "read/mlir/read.h"

typedef struct Bench {
  Guard guard;
  Arena arena;
  Program *program;
  InterpretBuffer buffers[3];
  InterpretArgument arguments[8];
  uint32_t buffer_count, argument_count;
  InterpretOptions options;
  InterpretResult result;
} Bench;

/* Wraps the lines into a module with one kernel. */
static void open_bench(Bench *b, const char *parameters, const char *body) {
  memset(b, 0, sizeof *b);
  guard_init(&b->guard, (size_t)256 << 20, 0);
  arena_init(&b->arena, &b->guard);
  if (setjmp(b->guard.escape)) fail_msg("%s", b->guard.message);
  const char *text =
      arena_format(&b->arena, "module {\n tt.func public @k(%s) {\n%s\n tt.return\n }\n}\n", parameters, body);
  InternTable *names = arena_new(&b->arena, InternTable);
  DiagnosticList diagnostics;
  intern_init(names, &b->arena);
  diagnostic_list_init(&diagnostics, &b->arena);
  b->program = read_triton(&b->arena, names, source_new(&b->arena, "test", text, strlen(text)), &diagnostics);
  if (b->program && !diagnostics.error_count) return;
  Text out = text_new(&b->arena);
  for (uint32_t i = 0; i < diagnostics.items.count; i++)
    diagnostic_render(&diagnostics.items.data[i], &b->arena, &out, 0);
  fail_msg("%s", text_string(&out));
}

static void close_bench(Bench *b) { arena_destroy(&b->arena); }

static InterpretBuffer *add_buffer(Bench *b, TypeId element, int64_t count) {
  InterpretBuffer *buffer = &b->buffers[b->buffer_count];
  *buffer =
      (InterpretBuffer){.element = element, .count = count, .cells = arena_array(&b->arena, InterpretCell, count)};
  b->arguments[b->argument_count++] = (InterpretArgument){.kind = INTERPRET_ADDRESS, .buffer = b->buffer_count++};
  return buffer;
}

static void add_integer(Bench *b, int64_t value) {
  b->arguments[b->argument_count++] = (InterpretArgument){.kind = INTERPRET_INTEGER, .integer = value};
}

static void launch(Bench *b, int32_t programs) {
  interpret_launch(&b->arena, b->program, &b->program->functions.data[0], (int32_t[]){programs, 1, 1}, b->buffers,
                   b->buffer_count, b->arguments, b->argument_count, &b->options, &b->result);
}

static const InterpretFinding *finding(const Bench *b, InterpretFindingKind kind) {
  for (uint32_t i = 0; i < b->result.findings.count; i++)
    if (b->result.findings.data[i].kind == kind) return &b->result.findings.data[i];
  return NULL;
}

static void assert_clean(const Bench *b) {
  if (b->result.status != INTERPRET_OK) fail_msg("%s", b->result.message);
  for (uint32_t i = 0; i < b->result.findings.count; i++)
    fail_msg("%s", interpret_finding_name(b->result.findings.data[i].kind));
}

static void assert_found(const Bench *b, InterpretFindingKind kind) {
  if (b->result.status != INTERPRET_OK) fail_msg("%s", b->result.message);
  if (!finding(b, kind)) fail_msg("no finding of kind %s", interpret_finding_name(kind));
}

/* What a body of one op on two integer arguments stores. */
static int64_t of_integers(const char *op, const char *type, const char *result, int64_t x, int64_t y,
                           bool *undefined) {
  Bench b;
  char parameters[200], body[300];
  snprintf(parameters, sizeof parameters, "%%p: !tt.ptr<%s>, %%x: %s, %%y: %s", result, type, type);
  snprintf(body, sizeof body, " %%r = %s %%x, %%y : %s\n tt.store %%p, %%r : !tt.ptr<%s>", op, type, result);
  open_bench(&b, parameters, body);
  InterpretBuffer *out = add_buffer(&b, program_type_int(b.program, (uint32_t)atoi(result + 1)), 1);
  add_integer(&b, x);
  add_integer(&b, y);
  launch(&b, 1);
  assert_int_equal(b.result.status, INTERPRET_OK);
  int64_t value = out->cells[0].integer;
  if (undefined) *undefined = out->shadow[0] & INTERPRET_UNDEFINED;
  close_bench(&b);
  return value;
}

static void test_integers_wrap_and_divide_toward_zero(void **state) {
  (void)state;
  bool undefined;
  assert_int_equal(of_integers("arith.addi", "i32", "i32", INT32_MAX, 1, NULL), INT32_MIN);
  assert_int_equal(of_integers("arith.muli", "i32", "i32", 1 << 16, 1 << 16, NULL), 0);
  assert_int_equal(of_integers("arith.muli", "i64", "i64", INT64_MIN, -1, NULL), INT64_MIN);
  assert_int_equal(of_integers("arith.divsi", "i32", "i32", -7, 2, NULL), -3);
  assert_int_equal(of_integers("arith.remsi", "i32", "i32", -7, 2, NULL), -1);
  assert_int_equal(of_integers("arith.floordivsi", "i32", "i32", -7, 2, NULL), -4);
  assert_int_equal(of_integers("arith.ceildivsi", "i32", "i32", -7, 2, NULL), -3);
  assert_int_equal(of_integers("arith.divui", "i32", "i32", -2, 2, NULL), INT32_MAX);
  assert_int_equal(of_integers("arith.remui", "i32", "i32", -1, 10, NULL), 5);
  assert_int_equal(of_integers("arith.shrsi", "i32", "i32", -8, 1, NULL), -4);
  assert_int_equal(of_integers("arith.shrui", "i32", "i32", -8, 1, NULL), 0x7ffffffc);
  assert_int_equal(of_integers("arith.maxui", "i8", "i8", -1, 1, NULL), -1);
  assert_int_equal(of_integers("arith.maxsi", "i1", "i1", 1, 0, NULL), 0);
  assert_int_equal(of_integers("tt.mulhiui", "i32", "i32", -1, -1, NULL), -2);
  assert_int_equal(of_integers("arith.cmpi ult,", "i32", "i1", -1, 1, NULL), 0);
  assert_int_equal(of_integers("arith.cmpi slt,", "i32", "i1", -1, 1, NULL), 1);
  of_integers("arith.shli", "i32", "i32", 1, 32, &undefined);
  assert_true(undefined);
  of_integers("arith.divsi", "i32", "i32", 1, 0, &undefined);
  assert_true(undefined);
}

static void test_division_by_zero_is_found(void **state) {
  (void)state;
  Bench b;
  open_bench(&b, "%x: i32, %y: i32", " %r = arith.divsi %x, %y : i32");
  add_integer(&b, INT32_MIN);
  add_integer(&b, -1);
  launch(&b, 1);
  assert_found(&b, INTERPRET_DIVISION);
  assert_int_equal(finding(&b, INTERPRET_DIVISION)->a, INT32_MIN);
  close_bench(&b);
}

static const char *const copy_kernel =
    " %c = arith.constant 8 : i32\n %pid = tt.get_program_id x : i32\n %s = arith.muli %pid, %c : i32\n"
    " %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>\n %t = tt.splat %s : i32 -> tensor<8xi32>\n"
    " %o = arith.addi %t, %r : tensor<8xi32>\n %n8 = tt.splat %n : i32 -> tensor<8xi32>\n"
    " %m = arith.cmpi slt, %o, %n8 : tensor<8xi32>\n"
    " %xs = tt.splat %x : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>\n"
    " %ys = tt.splat %y : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>\n"
    " %xp = tt.addptr %xs, %o : tensor<8x!tt.ptr<f32>>, tensor<8xi32>\n"
    " %yp = tt.addptr %ys, %o : tensor<8x!tt.ptr<f32>>, tensor<8xi32>\n";

static Bench *open_copy(Bench *b, const char *tail, int64_t elements, int64_t n) {
  char body[2000];
  snprintf(body, sizeof body, "%s%s", copy_kernel, tail);
  open_bench(b, "%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32", body);
  for (int i = 0; i < 2; i++) {
    InterpretBuffer *buffer = add_buffer(b, program_type_float(b->program, FLOAT_F32), elements);
    for (int64_t k = 0; k < elements; k++) buffer->cells[k].real = i ? 0 : (double)(k + 1);
  }
  add_integer(b, n);
  return b;
}

static void test_masked_copy_is_clean(void **state) {
  (void)state;
  Bench b;
  open_copy(&b, " %v = tt.load %xp, %m : tensor<8x!tt.ptr<f32>>\n tt.store %yp, %v, %m : tensor<8x!tt.ptr<f32>>", 19,
            19);
  launch(&b, 3);
  assert_clean(&b);
  for (int64_t k = 0; k < 19; k++) {
    assert_true(b.buffers[1].cells[k].real == (double)(k + 1));
    assert_int_equal(b.buffers[1].shadow[k], INTERPRET_WRITTEN);
    assert_int_equal(b.buffers[0].shadow[k], 0);
  }
  assert_int_equal(b.result.programs, 3);
  close_bench(&b);
}

static void test_missing_mask_is_out_of_bounds(void **state) {
  (void)state;
  Bench b;
  open_copy(&b, " %v = tt.load %xp : tensor<8x!tt.ptr<f32>>\n tt.store %yp, %v, %m : tensor<8x!tt.ptr<f32>>", 19, 19);
  launch(&b, 3);
  assert_found(&b, INTERPRET_OUT_OF_BOUNDS);
  const InterpretFinding *f = finding(&b, INTERPRET_OUT_OF_BOUNDS);
  assert_int_equal(f->buffer, 0);
  assert_int_equal(f->element, 19);
  assert_int_equal(f->program[0], 2);
  assert_int_equal(f->lane, 3);
  assert_int_equal(b.result.totals[INTERPRET_OUT_OF_BOUNDS], 5);
  assert_null(finding(&b, INTERPRET_UNDEFINED_STORE));
  close_bench(&b);
}

static void test_undefined_lanes_are_followed_to_the_store(void **state) {
  (void)state;
  Bench b;
  const char *sum =
      " %v = tt.load %xp, %m : tensor<8x!tt.ptr<f32>>\n"
      " %q = \"tt.reduce\"(%v) <{axis = 0 : i32}> ({\n ^bb0(%a: f32, %c2: f32):\n  %z = arith.addf %a, %c2 : f32\n"
      "  tt.reduce.return %z : f32\n }) : (tensor<8xf32>) -> f32\n tt.store %y, %q : !tt.ptr<f32>";
  open_copy(&b, sum, 8, 8);
  launch(&b, 1);
  assert_clean(&b);
  assert_true(b.buffers[1].cells[0].real == 36);
  close_bench(&b);
  open_copy(&b, sum, 8, 5);
  launch(&b, 1);
  assert_found(&b, INTERPRET_UNDEFINED_STORE);
  assert_int_equal(b.buffers[1].shadow[0], INTERPRET_WRITTEN | INTERPRET_UNDEFINED);
  close_bench(&b);
  /* A select on the mask removes the mark. */
  const char *chosen =
      " %v = tt.load %xp, %m : tensor<8x!tt.ptr<f32>>\n %e = arith.constant dense<2.5> : tensor<8xf32>\n"
      " %w = arith.select %m, %v, %e : tensor<8xi1>, tensor<8xf32>\n tt.store %yp, %w : tensor<8x!tt.ptr<f32>>";
  open_copy(&b, chosen, 8, 5);
  launch(&b, 1);
  assert_clean(&b);
  assert_true(b.buffers[1].cells[4].real == 5 && b.buffers[1].cells[5].real == 2.5);
  close_bench(&b);
}

static void test_races_are_found_in_every_order(void **state) {
  (void)state;
  const char *const bodies[] = {
      " %v = tt.load %x : !tt.ptr<f32>\n tt.store %y, %v : !tt.ptr<f32>",                /* same element */
      " %v = tt.load %xp, %m : tensor<8x!tt.ptr<f32>>\n %one = arith.constant 1 : i32\n" /* neighbour */
      " %x1 = tt.addptr %x, %one : !tt.ptr<f32>, i32\n %x1s = tt.splat %x1 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>\n"
      " %x1p = tt.addptr %x1s, %o : tensor<8x!tt.ptr<f32>>, tensor<8xi32>\n tt.store %x1p, %v, %m : "
      "tensor<8x!tt.ptr<f32>>",
  };
  for (int i = 0; i < 2; i++)
    for (InterpretOrder order = INTERPRET_FORWARD; order <= INTERPRET_PERMUTED; order++) {
      Bench b;
      open_copy(&b, bodies[i], 32, 24);
      b.options.order = order;
      b.options.seed = 5;
      launch(&b, 3);
      assert_found(&b, INTERPRET_RACE);
      close_bench(&b);
    }
}

/* One lane stores what another lane of the program loads afterwards, or loaded before. */
static void test_lanes_of_one_program_race_without_a_barrier(void **state) {
  (void)state;
  static const char *const one_up = " %one = arith.constant 1 : i32\n %y1 = tt.addptr %y, %one : !tt.ptr<f32>, i32\n"
                                    " %y1s = tt.splat %y1 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>\n"
                                    " %y1p = tt.addptr %y1s, %o : tensor<8x!tt.ptr<f32>>, tensor<8xi32>\n %v = tt.load "
                                    "%xp : tensor<8x!tt.ptr<f32>>\n";
  static const struct {
    const char *body;
    InterpretFindingKind found;
  } rows[] = {
      {" tt.store %yp, %v : tensor<8x!tt.ptr<f32>>\n %w = tt.load %y1p : tensor<8x!tt.ptr<f32>>", INTERPRET_RACE},
      {" tt.store %yp, %v : tensor<8x!tt.ptr<f32>>\n gpu.barrier\n %w = tt.load %y1p : tensor<8x!tt.ptr<f32>>",
       INTERPRET_FINDING_KINDS},
      {" tt.store %yp, %v : tensor<8x!tt.ptr<f32>>\n %w = tt.load %yp : tensor<8x!tt.ptr<f32>>",
       INTERPRET_FINDING_KINDS},
      {" %w = tt.load %y1p : tensor<8x!tt.ptr<f32>>\n tt.store %yp, %w : tensor<8x!tt.ptr<f32>>", INTERPRET_RACE},
      {" %w = tt.load %yp : tensor<8x!tt.ptr<f32>>\n tt.store %yp, %w : tensor<8x!tt.ptr<f32>>",
       INTERPRET_FINDING_KINDS},
      {" tt.store %yp, %v : tensor<8x!tt.ptr<f32>>\n tt.store %y1p, %v : tensor<8x!tt.ptr<f32>>",
       INTERPRET_DUPLICATE_STORE},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Bench b;
    char tail[1200];
    snprintf(tail, sizeof tail, "%s%s", one_up, rows[i].body);
    open_copy(&b, tail, 9, 9);
    launch(&b, 1);
    if (rows[i].found != INTERPRET_FINDING_KINDS)
      assert_found(&b, rows[i].found);
    else
      assert_clean(&b);
    close_bench(&b);
  }
}

static void test_atomics_do_not_race(void **state) {
  (void)state;
  Bench b;
  open_copy(&b,
            " %f = arith.constant 1.5 : f32\n %t1 = arith.constant true\n"
            " %old = tt.atomic_rmw fadd, relaxed, gpu, %y, %f, %t1 : (!tt.ptr<f32>, f32, i1) -> f32",
            8, 8);
  launch(&b, 4);
  assert_clean(&b);
  assert_true(b.buffers[1].cells[0].real == 6);
  close_bench(&b);
}

static void test_duplicate_lanes_of_a_store(void **state) {
  (void)state;
  Bench b;
  open_copy(&b, " %v = tt.load %xp, %m : tensor<8x!tt.ptr<f32>>\n tt.store %ys, %v, %m : tensor<8x!tt.ptr<f32>>", 8, 8);
  launch(&b, 1);
  assert_found(&b, INTERPRET_DUPLICATE_STORE);
  close_bench(&b);
}

static void test_overflow_is_found_only_when_it_is_an_address(void **state) {
  (void)state;
  const char *body = " %w = arith.muli %n, %n : i32\n %b = arith.constant 1 : i32\n %z = arith.andi %w, %b : i32\n";
  char address[400], value[400];
  Bench b;
  snprintf(address, sizeof address,
           "%s %%q = tt.addptr %%p, %%z : !tt.ptr<i32>, i32\n tt.store %%q, %%b : !tt.ptr<i32>", body);
  snprintf(value, sizeof value, "%s tt.store %%p, %%z : !tt.ptr<i32>", body);
  for (int i = 0; i < 2; i++) {
    open_bench(&b, "%p: !tt.ptr<i32>, %n: i32", i ? value : address);
    add_buffer(&b, program_type_int(b.program, 32), 4);
    add_integer(&b, 100000);
    launch(&b, 1);
    if (i) {
      assert_clean(&b);
    } else {
      assert_found(&b, INTERPRET_OVERFLOW);
      assert_int_equal(finding(&b, INTERPRET_OVERFLOW)->a, 100000);
      assert_int_equal(program_get_op(b.program, finding(&b, INTERPRET_OVERFLOW)->op)->code, OP_ARITH_MULI);
    }
    close_bench(&b);
  }
}

/* A kernel that stores one f32 made from two f32 loads. */
static double of_floats(const char *op, double x, double y, bool exact) {
  Bench b;
  char body[400];
  snprintf(body, sizeof body,
           " %%one = arith.constant 1 : i32\n %%q = tt.addptr %%p, %%one : !tt.ptr<f32>, i32\n %%x = tt.load %%p : "
           "!tt.ptr<f32>\n"
           " %%y = tt.load %%q : !tt.ptr<f32>\n %%r = %s : f32\n tt.store %%p, %%r : !tt.ptr<f32>",
           op);
  open_bench(&b, "%p: !tt.ptr<f32>", body);
  InterpretBuffer *buffer = add_buffer(&b, program_type_float(b.program, FLOAT_F32), 2);
  buffer->cells[0].real = x;
  buffer->cells[1].real = y;
  b.options.exact_reals = exact;
  launch(&b, 1);
  assert_clean(&b);
  double value = buffer->cells[0].real;
  close_bench(&b);
  return value;
}

static void test_floats_round_and_handle_nan(void **state) {
  (void)state;
  assert_true(of_floats("arith.addf %x, %y", 1, 0x1p-24, false) == 1);
  assert_true(of_floats("arith.addf %x, %y", 1, 0x1p-24, true) == 1 + 0x1p-24);
  assert_true(of_floats("arith.maxnumf %x, %y", NAN, 2, false) == 2);
  assert_true(isnan(of_floats("arith.maximumf %x, %y", NAN, 2, false)));
  assert_true(isnan(of_floats("tt.clampf %x, %y, %x, propagateNan = all", NAN, 2, false)));
  assert_true(of_floats("arith.divf %x, %y", 1, 3, false) == (double)(float)(1.0 / 3));
  assert_true(of_floats("math.fma %x, %y, %x", 3, 5, false) == 18);
  assert_true(of_floats("arith.remf %x, %y", -7, 3, false) == -1);
}

static void test_formats_round_as_the_encoder(void **state) {
  (void)state;
  Random random = {1};
  for (FloatFormat f = 0; f < FLOAT_FORMAT_COUNT; f++)
    for (int i = 0; i < 50000; i++) {
      double value =
          ldexp(random_unit(&random) * 2 - 1, (int)random_below(&random, i & 1 ? 40 : 320) - (i & 1 ? 20 : 160));
      if (i % 7 == 0)
        value = program_float_decode(f, random_u64(&random) >> 32) * (1 + (i % 3 - 1) * 0x1p-11); /* near ties */
      double expected = program_float_decode(f, program_float_encode(f, value)), got = interpret_round(f, value);
      if (got != expected && !(isnan(got) && isnan(expected)))
        fail_msg("%s: %a gives %a, not %a", program_float_name(f), value, got, expected);
    }
}

static void test_folds_in_all_orders(void **state) {
  (void)state;
  const char *body =
      " %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>\n"
      " %a = tt.reshape %i : tensor<16xi32> -> tensor<4x4xi32>\n"
      " %s = \"tt.reduce\"(%a) <{axis = 0 : i32}> ({\n ^bb0(%x: i32, %y: i32):\n  %z = arith.subi %x, %y : i32\n"
      "  tt.reduce.return %z : i32\n }) : (tensor<4x4xi32>) -> tensor<4xi32>\n"
      " %c = \"tt.scan\"(%a) <{axis = 1 : i32, reverse = true}> ({\n ^bb0(%x: i32, %y: i32):\n  %z = arith.addi %x, %y "
      ": i32\n"
      "  tt.scan.return %z : i32\n }) : (tensor<4x4xi32>) -> tensor<4x4xi32>\n"
      " %ps = tt.splat %p : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>\n"
      " %pp = tt.addptr %ps, %i : tensor<16x!tt.ptr<i32>>, tensor<16xi32>\n"
      " %cf = tt.reshape %c : tensor<4x4xi32> -> tensor<16xi32>\n tt.store %pp, %cf : tensor<16x!tt.ptr<i32>>\n"
      " %j = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>\n"
      " %qs = tt.splat %p : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>\n %h = arith.constant dense<16> : tensor<4xi32>\n"
      " %k = arith.addi %j, %h : tensor<4xi32>\n %qp = tt.addptr %qs, %k : tensor<4x!tt.ptr<i32>>, tensor<4xi32>\n"
      " tt.store %qp, %s : tensor<4x!tt.ptr<i32>>";
  /* Columns 0 4 8 12: ((0-4)-(8-12)), (((0-4)-8)-12), (0-(4-(8-12))). */
  static const int64_t expected[] = {0, -24, -8};
  for (InterpretFold fold = INTERPRET_TREE; fold <= INTERPRET_RIGHT; fold++) {
    Bench b;
    open_bench(&b, "%p: !tt.ptr<i32>", body);
    InterpretBuffer *out = add_buffer(&b, program_type_int(b.program, 32), 20);
    b.options.fold = fold;
    launch(&b, 1);
    assert_clean(&b);
    assert_int_equal(out->cells[16].integer, expected[fold]);
    assert_int_equal(out->cells[0].integer, 6);
    assert_int_equal(out->cells[3].integer, 3);
    close_bench(&b);
  }
}

static void test_regions_with_control_flow_run_lane_by_lane(void **state) {
  (void)state;
  Bench b;
  open_bench(
      &b, "%p: !tt.ptr<i32>",
      " %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>\n"
      " %s = \"tt.reduce\"(%i) <{axis = 0 : i32}> ({\n ^bb0(%x: i32, %y: i32):\n  %g = arith.cmpi sgt, %x, %y : i32\n"
      "  %z = scf.if %g -> (i32) {\n   scf.yield %x : i32\n  } else {\n   scf.yield %y : i32\n  }\n"
      "  tt.reduce.return %z : i32\n }) : (tensor<8xi32>) -> i32\n tt.store %p, %s : !tt.ptr<i32>");
  InterpretBuffer *out = add_buffer(&b, program_type_int(b.program, 32), 1);
  launch(&b, 1);
  assert_clean(&b);
  assert_int_equal(out->cells[0].integer, 7);
  close_bench(&b);
}

static void test_pointers_are_cast(void **state) {
  (void)state;
  Bench b;
  open_bench(
      &b, "%p: !tt.ptr<i32>",
      " %q = tt.bitcast %p : !tt.ptr<i32> -> !tt.ptr<i8>\n %one = arith.constant 1 : i32\n"
      " %r = tt.addptr %q, %one : !tt.ptr<i8>, i32\n %v = tt.load %r : !tt.ptr<i8>\n %w = arith.extui %v : i8 to i32\n"
      " %a = tt.ptr_to_int %p : !tt.ptr<i32> -> i64\n %four = arith.constant 4 : i64\n %c = arith.addi %a, %four : "
      "i64\n"
      " %d = tt.int_to_ptr %c : i64 -> !tt.ptr<i32>\n tt.store %d, %w : !tt.ptr<i32>\n"
      " tt.store %q, %v : !tt.ptr<i8>");
  InterpretBuffer *out = add_buffer(&b, program_type_int(b.program, 32), 2);
  out->cells[0].integer = 0x1234;
  launch(&b, 1);
  assert_clean(&b);
  assert_int_equal(out->cells[1].integer, 0x12);
  assert_int_equal(out->cells[0].integer, 0x1212);
  close_bench(&b);
}

static void test_block_pointers_and_descriptors(void **state) {
  (void)state;
  Bench b;
  open_bench(
      &b, "%x: !tt.ptr<f32>, %y: !tt.ptr<f32>",
      " %r = arith.constant 3 : i64\n %c = arith.constant 5 : i64\n %s = arith.constant 5 : i64\n"
      " %u = arith.constant 1 : i64\n %o = arith.constant 0 : i32\n %t = arith.constant 2 : i32\n %ri = arith.constant "
      "3 : i32\n %ci = arith.constant 5 : i32\n"
      " %b = tt.make_tensor_ptr %x, [%r, %c], [%s, %u], [%o, %o] {order = array<i32: 1, 0>} : <tensor<2x4xf32>>\n"
      " %a = tt.advance %b, [%t, %t] : <tensor<2x4xf32>>\n"
      " %v = tt.load %a {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<2x4xf32>>\n"
      " %d = tt.make_tensor_descriptor %y, [%ri, %ci], [%s, %u] : <f32>, <tensor<2x4xf32>>\n"
      " tt.descriptor_store %d[%t, %t], %v : !tt.tensordesc<tensor<2x4xf32>>, tensor<2x4xf32>");
  InterpretBuffer *in = add_buffer(&b, program_type_float(b.program, FLOAT_F32), 15);
  InterpretBuffer *out = add_buffer(&b, program_type_float(b.program, FLOAT_F32), 15);
  for (int k = 0; k < 15; k++) in->cells[k].real = k;
  launch(&b, 1);
  assert_clean(&b);
  for (int k = 0; k < 15; k++) {
    assert_true(out->cells[k].real == (k >= 12 ? k : 0));
    assert_int_equal(out->shadow[k], k >= 12 ? INTERPRET_WRITTEN : 0);
  }
  close_bench(&b);
}

static void test_a_descriptor_as_argument(void **state) {
  (void)state;
  Bench b;
  open_bench(
      &b, "%d: !tt.tensordesc<tensor<2x4xf32>>, %y: !tt.ptr<f32>",
      " %o = arith.constant 1 : i32\n %v = tt.descriptor_load %d[%o, %o] : !tt.tensordesc<tensor<2x4xf32>> -> "
      "tensor<2x4xf32>\n"
      " %f = tt.reshape %v : tensor<2x4xf32> -> tensor<8xf32>\n"
      " %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>\n"
      " %ys = tt.splat %y : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>\n"
      " %yp = tt.addptr %ys, %r : tensor<8x!tt.ptr<f32>>, tensor<8xi32>\n tt.store %yp, %f : tensor<8x!tt.ptr<f32>>\n"
      " tt.descriptor_reduce add, %d[%o, %o], %v : !tt.tensordesc<tensor<2x4xf32>>, tensor<2x4xf32>");
  InterpretBuffer *in = add_buffer(&b, program_type_float(b.program, FLOAT_F32), 8);
  InterpretBuffer *out = add_buffer(&b, program_type_float(b.program, FLOAT_F32), 8);
  b.arguments[0].kind = INTERPRET_DESCRIPTOR;
  b.arguments[0].shape = (const int64_t[]){2, 3};
  b.arguments[0].strides = (const int64_t[]){4, 1};
  for (int k = 0; k < 8; k++) in->cells[k].real = k;
  launch(&b, 1);
  assert_clean(&b);
  for (int k = 0; k < 8; k++) {
    assert_true(out->cells[k].real == (k < 2 ? 5 + k : 0));
    assert_true(in->cells[k].real == (k == 5 || k == 6 ? 2 * k : k));
  }
  close_bench(&b);
}

/* Starts from -5; the value is 3. */
static int64_t of_atomic(const char *kind) {
  Bench b;
  char body[300];
  snprintf(body, sizeof body,
           " %%v = arith.constant 3 : i32\n %%t = arith.constant true\n"
           " %%old = tt.atomic_rmw %s, relaxed, gpu, %%p, %%v, %%t : (!tt.ptr<i32>, i32, i1) -> i32",
           kind);
  open_bench(&b, "%p: !tt.ptr<i32>", body);
  InterpretBuffer *buffer = add_buffer(&b, program_type_int(b.program, 32), 1);
  buffer->cells[0].integer = -5;
  launch(&b, 1);
  assert_clean(&b);
  int64_t value = buffer->cells[0].integer;
  close_bench(&b);
  return value;
}

static void test_each_kind_of_atomic(void **state) {
  (void)state;
  assert_int_equal(of_atomic("and"), -5 & 3);
  assert_int_equal(of_atomic("or"), -5 | 3);
  assert_int_equal(of_atomic("xor"), -5 ^ 3);
  assert_int_equal(of_atomic("add"), -2);
  assert_int_equal(of_atomic("max"), 3);
  assert_int_equal(of_atomic("min"), -5);
  assert_int_equal(of_atomic("umax"), -5);
  assert_int_equal(of_atomic("umin"), 3);
  assert_int_equal(of_atomic("exch"), 3);
}

static void test_map_with_packs(void **state) {
  (void)state;
  Bench b;
  /* Pairs change places; then odd numbers are negated, lane by lane. */
  open_bench(
      &b, "%p: !tt.ptr<i32>",
      " %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>\n"
      " %m = \"tt.map_elementwise\"(%i) <{pack = 2 : i32}> ({\n ^bb0(%x: i32, %y: i32):\n"
      "  tt.map_elementwise.return %y, %x : i32, i32\n }) : (tensor<8xi32>) -> tensor<8xi32>\n"
      " %n = \"tt.map_elementwise\"(%m) <{pack = 1 : i32}> ({\n ^bb0(%x: i32):\n  %one = arith.constant 1 : i32\n"
      "  %zero = arith.constant 0 : i32\n  %o = arith.trunci %x : i32 to i1\n  cf.cond_br %o, ^bb1, ^bb2\n ^bb1:\n"
      "  %s = arith.subi %zero, %x : i32\n  tt.map_elementwise.return %s : i32\n ^bb2:\n"
      "  tt.map_elementwise.return %x : i32\n }) : (tensor<8xi32>) -> tensor<8xi32>\n"
      " %ps = tt.splat %p : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>\n"
      " %pp = tt.addptr %ps, %i : tensor<8x!tt.ptr<i32>>, tensor<8xi32>\n tt.store %pp, %n : tensor<8x!tt.ptr<i32>>");
  InterpretBuffer *out = add_buffer(&b, program_type_int(b.program, 32), 8);
  launch(&b, 1);
  assert_clean(&b);
  for (int64_t k = 0; k < 8; k++) assert_int_equal(out->cells[k].integer, k % 2 ? k - 1 : -(k + 1));
  close_bench(&b);
}

static void test_endless_loops_end(void **state) {
  (void)state;
  Bench b;
  open_bench(&b, "%x: i32",
             " %t = arith.constant true\n scf.while : () -> () {\n  scf.condition(%t)\n } do {\n  scf.yield\n }");
  add_integer(&b, 0);
  b.options.step_limit = 100000;
  launch(&b, 1);
  assert_int_equal(b.result.status, INTERPRET_LIMIT);
  close_bench(&b);
  open_bench(&b, "%x: i32", " cf.br ^bb1\n^bb1:\n cf.br ^bb1\n^bb2:");
  add_integer(&b, 0);
  b.options.step_limit = 100000;
  launch(&b, 1);
  assert_int_equal(b.result.status, INTERPRET_LIMIT);
  close_bench(&b);
}

static void test_what_cannot_run_is_named(void **state) {
  (void)state;
  Bench b;
  open_bench(&b, "%x: f32",
             " %r = tt.elementwise_inline_asm \"mov $0, $1;\" {constraints = \"=r,r\", packed_element = 1 : i32, pure "
             "= true} %x : f32 -> f32");
  b.arguments[b.argument_count++] = (InterpretArgument){.kind = INTERPRET_REAL, .real = 1};
  launch(&b, 1);
  assert_int_equal(b.result.status, INTERPRET_UNSUPPORTED);
  assert_non_null(strstr(b.result.message, "tt.elementwise_inline_asm"));
  close_bench(&b);
  open_bench(&b, "%x: f32", "");
  launch(&b, 1);
  assert_int_equal(b.result.status, INTERPRET_INVALID);
  add_integer(&b, 1);
  launch(&b, 1);
  assert_int_equal(b.result.status, INTERPRET_INVALID);
  close_bench(&b);
}

static void test_early_return(void **state) {
  (void)state;
  Bench b;
  open_bench(
      &b, "%p: !tt.ptr<i32>, %n: i32",
      " %z = arith.constant 0 : i32\n %c = arith.cmpi eq, %n, %z : i32\n cf.cond_br %c, ^bb1, ^bb2(%n : i32)\n^bb1:\n"
      " tt.return\n^bb2(%v: i32):\n tt.store %p, %v : !tt.ptr<i32>");
  InterpretBuffer *out = add_buffer(&b, program_type_int(b.program, 32), 1);
  add_integer(&b, 0);
  launch(&b, 1);
  assert_clean(&b);
  assert_int_equal(out->shadow[0], 0);
  b.arguments[1].integer = 9;
  launch(&b, 1);
  assert_clean(&b);
  assert_int_equal(out->cells[0].integer, 9);
  close_bench(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_integers_wrap_and_divide_toward_zero),
      cmocka_unit_test(test_division_by_zero_is_found),
      cmocka_unit_test(test_masked_copy_is_clean),
      cmocka_unit_test(test_missing_mask_is_out_of_bounds),
      cmocka_unit_test(test_undefined_lanes_are_followed_to_the_store),
      cmocka_unit_test(test_races_are_found_in_every_order),
      cmocka_unit_test(test_lanes_of_one_program_race_without_a_barrier),
      cmocka_unit_test(test_atomics_do_not_race),
      cmocka_unit_test(test_duplicate_lanes_of_a_store),
      cmocka_unit_test(test_overflow_is_found_only_when_it_is_an_address),
      cmocka_unit_test(test_floats_round_and_handle_nan),
      cmocka_unit_test(test_formats_round_as_the_encoder),
      cmocka_unit_test(test_folds_in_all_orders),
      cmocka_unit_test(test_regions_with_control_flow_run_lane_by_lane),
      cmocka_unit_test(test_pointers_are_cast),
      cmocka_unit_test(test_block_pointers_and_descriptors),
      cmocka_unit_test(test_a_descriptor_as_argument),
      cmocka_unit_test(test_each_kind_of_atomic),
      cmocka_unit_test(test_map_with_packs),
      cmocka_unit_test(test_endless_loops_end),
      cmocka_unit_test(test_what_cannot_run_is_named),
      cmocka_unit_test(test_early_return),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
