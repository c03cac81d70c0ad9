/* Broken programs in the interpreter: operands, types, attributes and opcodes of a program that runs are exchanged at
 * random, past every check of the reader. Each run must end with a status; the sanitizers say whether it read or
 * wrote where it must not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first. */
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "program/interpret.h"
#include "read/mlir/read.h"

enum { ROUNDS = 4000 };

/* Ops of every family. */
static const char *const first_half =
    "module {\n"
    " tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f16>, %z: !tt.ptr<i32>, %n: i32, %s: f32) {\n"
    "  %c0 = arith.constant 0 : i32\n  %c1 = arith.constant 1 : i32\n  %c4 = arith.constant 4 : i32\n"
    "  %l0 = arith.constant 0 : i64\n  %l1 = arith.constant 1 : i64\n  %l8 = arith.constant 8 : i64\n"
    "  %true = arith.constant true\n  %cst = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>\n"
    "  %zero = arith.constant dense<0.000000e+00> : tensor<4x4xf32>\n"
    "  %pid = tt.get_program_id x : i32\n  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>\n"
    "  %ns = tt.splat %n : i32 -> tensor<16xi32>\n  %m = arith.cmpi slt, %r, %ns : tensor<16xi32>\n"
    "  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>\n"
    "  %xp = tt.addptr %xs, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>\n"
    "  %v = tt.load %xp, %m : tensor<16x!tt.ptr<f32>>\n  %e = math.exp %v : tensor<16xf32>\n"
    "  %w = arith.truncf %e : tensor<16xf32> to tensor<16xf16>\n  %t = tt.reshape %v : tensor<16xf32> -> "
    "tensor<4x4xf32>\n"
    "  %u = tt.trans %t {order = array<i32: 1, 0>} : tensor<4x4xf32> -> tensor<4x4xf32>\n"
    "  %d = tt.dot %t, %u, %zero : tensor<4x4xf32> * tensor<4x4xf32> -> tensor<4x4xf32>\n"
    "  %q:2 = \"tt.reduce\"(%d, %u) <{axis = 1 : i32}> ({\n  ^bb0(%a: f32, %b: f32, %c: f32, %f: f32):\n"
    "   %g = arith.maxnumf %a, %c : f32\n   %h = arith.addf %b, %f : f32\n   tt.reduce.return %g, %h : f32, f32\n"
    "  }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4xf32>)\n"
    "  %sc = \"tt.scan\"(%d) <{axis = 0 : i32, reverse = false}> ({\n  ^bb0(%a: f32, %b: f32):\n"
    "   %gt = arith.cmpf ogt, %a, %b : f32\n   %o = scf.if %gt -> (f32) {\n    scf.yield %a : f32\n   } else {\n"
    "    scf.yield %b : f32\n   }\n   tt.scan.return %o : f32\n  }) : (tensor<4x4xf32>) -> tensor<4x4xf32>\n"
    "  %ed = tt.expand_dims %q#0 {axis = 0 : i32} : tensor<4xf32> -> tensor<1x4xf32>\n"
    "  %bc = tt.broadcast %ed : tensor<1x4xf32> -> tensor<4x4xf32>\n"
    "  %j = tt.join %d, %bc : tensor<4x4xf32> -> tensor<4x4x2xf32>\n"
    "  %s0, %s1 = tt.split %j : tensor<4x4x2xf32> -> tensor<4x4xf32>\n"
    "  %cat = tt.cat %q#0, %q#1 : tensor<4xf32> -> tensor<8xf32>\n"
    "  %ga = tt.gather %q#0[%cst] {axis = 0 : i32} : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>\n"
    "  %hi = tt.histogram %r : tensor<16xi32> -> tensor<4xi32>\n";
static const char *const second_half =
    "  %di = arith.divsi %r, %ns : tensor<16xi32>\n  %sh = arith.shli %di, %r : tensor<16xi32>\n"
    "  %lo, %hig = arith.mulsi_extended %sh, %ns : tensor<16xi32>\n  %ct = math.ctpop %hig : tensor<16xi32>\n"
    "  %bits = tt.bitcast %v : tensor<16xf32> -> tensor<16xi32>\n  %fi = arith.sitofp %ct : tensor<16xi32> to "
    "tensor<16xf32>\n"
    "  %if = arith.fptosi %fi : tensor<16xf32> to tensor<16xi32>\n"
    "  %ex = tt.extern_elementwise %fi, %v {libname = \"\", libpath = \"\", pure = true, symbol = \"__nv_powf\"} : "
    "(tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>\n"
    "  %lp:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %ex, %p = %xp) -> (tensor<16xf32>, "
    "tensor<16x!tt.ptr<f32>>)  : i32 {\n"
    "   %la = tt.load %p, %m, %ex : tensor<16x!tt.ptr<f32>>\n   %ad = arith.addf %acc, %la : tensor<16xf32>\n"
    "   %np = tt.addptr %p, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>\n"
    "   scf.yield %ad, %np : tensor<16xf32>, tensor<16x!tt.ptr<f32>>\n  }\n"
    "  %wh = scf.while (%a = %c0) : (i32) -> i32 {\n   %lt = arith.cmpi slt, %a, %c4 : i32\n   scf.condition(%lt) %a : "
    "i32\n"
    "  } do {\n  ^bb0(%a: i32):\n   %nx = arith.addi %a, %c1 : i32\n   scf.yield %nx : i32\n  }\n"
    "  %ys = tt.splat %y : !tt.ptr<f16> -> tensor<16x!tt.ptr<f16>>\n"
    "  %yp = tt.addptr %ys, %r : tensor<16x!tt.ptr<f16>>, tensor<16xi32>\n  tt.store %yp, %w, %m : "
    "tensor<16x!tt.ptr<f16>>\n"
    "  tt.store %xp, %lp#0, %m : tensor<16x!tt.ptr<f32>>\n"
    "  %old = tt.atomic_rmw add, relaxed, gpu, %z, %wh, %true : (!tt.ptr<i32>, i32, i1) -> i32\n"
    "  %cas = tt.atomic_cas acq_rel, gpu, %z, %c0, %c1 : (!tt.ptr<i32>, i32, i32) -> i32\n"
    "  %bp = tt.make_tensor_ptr %x, [%l8, %l8], [%l8, %l1], [%c0, %c1] {order = array<i32: 1, 0>} : <tensor<4x4xf32>>\n"
    "  %ba = tt.advance %bp, [%c1, %c1] : <tensor<4x4xf32>>\n"
    "  %bl = tt.load %ba {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<4x4xf32>>\n"
    "  tt.store %bp, %bl {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<4x4xf32>>\n"
    "  %de = tt.make_tensor_descriptor %x, [%c4, %c4], [%l8, %l1] : <f32>, <tensor<4x4xf32>>\n"
    "  %dl = tt.descriptor_load %de[%c0, %c1] : !tt.tensordesc<tensor<4x4xf32>> -> tensor<4x4xf32>\n"
    "  tt.descriptor_store %de[%c1, %c0], %dl : !tt.tensordesc<tensor<4x4xf32>>, tensor<4x4xf32>\n"
    "  %early = arith.cmpi eq, %n, %c0 : i32\n  cf.cond_br %early, ^bb1, ^bb2(%wh : i32)\n ^bb1:\n  tt.return\n"
    " ^bb2(%last: i32):\n  tt.store %z, %last : !tt.ptr<i32>\n  tt.return\n }\n}\n";

static Program *read_text(Arena *arena) {
  const char *text = arena_format(arena, "%s%s", first_half, second_half);
  InternTable *names = arena_new(arena, InternTable);
  DiagnosticList diagnostics;
  intern_init(names, arena);
  diagnostic_list_init(&diagnostics, arena);
  Program *program = read_triton(arena, names, source_new(arena, "test", text, strlen(text)), &diagnostics);
  if (program && !diagnostics.error_count) return program;
  Text out = text_new(arena);
  for (uint32_t i = 0; i < diagnostics.items.count; i++) diagnostic_render(&diagnostics.items.data[i], arena, &out, 0);
  fail_msg("%s", text_string(&out));
  return NULL;
}

static uint32_t pick(Random *random, uint32_t count) { return (uint32_t)random_below(random, count); }

static void break_op(Program *p, Random *random) {
  Op *op = &p->ops.data[1 + pick(random, p->ops.count - 1)];
  switch (pick(random, 8)) {
  case 0:
  case 1:
  case 2: /* operands: arena memory, so the cast is sound */
    if (op->operand_count)
      ((ValueId *)(uintptr_t)op->operands)[pick(random, op->operand_count)] = pick(random, p->values.count + 3);
    break;
  case 3: p->values.data[1 + pick(random, p->values.count - 1)].type = 1 + pick(random, p->types.count - 1); break;
  case 4: op->code = (Opcode)pick(random, OP_COUNT); break;
  case 5: {
    static const int64_t numbers[] = {0, 1, -1, 2, 15, 17, 64, INT64_MAX, INT64_MIN, 1 << 20};
    p->attrs.data[1 + pick(random, p->attrs.count - 1)].integer = numbers[pick(random, 10)];
    break;
  }
  case 6:
    if (op->operand_count && op->code != OP_TT_FUNC)
      op->operand_count--;
    else if (op->result_count)
      op->result_count--;
    break;
  case 7:
    if (op->attr_count)
      ((NamedAttr *)(uintptr_t)op->attrs)[pick(random, op->attr_count)].value = pick(random, p->attrs.count);
    break;
  }
}

static InterpretStatus run_broken(uint64_t seed, uint32_t changes) {
  Guard guard;
  Arena arena;
  Random random = {seed};
  InterpretResult result = {.status = INTERPRET_LIMIT};
  guard_init(&guard, (size_t)1 << 30, 0);
  arena_init(&arena, &guard);
  if (!setjmp(guard.escape)) {
    Program *program = read_text(&arena);
    for (uint32_t i = 0; i < changes; i++) break_op(program, &random);
    InterpretBuffer buffers[3] = {{.element = program_type_float(program, FLOAT_F32), .count = 80},
                                  {.element = program_type_float(program, FLOAT_F16), .count = 16},
                                  {.element = program_type_int(program, 32), .count = 4}};
    InterpretArgument arguments[5] = {{.buffer = 0},
                                      {.buffer = 1},
                                      {.buffer = 2},
                                      {.kind = INTERPRET_INTEGER, .integer = 13},
                                      {.kind = INTERPRET_REAL, .real = 0.5}};
    for (int b = 0; b < 3; b++) buffers[b].cells = arena_array(&arena, InterpretCell, buffers[b].count);
    InterpretOptions options = {.step_limit = 100000, .fold = (InterpretFold)(seed % 3)};
    interpret_launch(&arena, program, &program->functions.data[0], (int32_t[]){2, 1, 1}, buffers, 3, arguments, 5,
                     &options, &result);
  } else {
    assert_true(guard.reason == GUARD_MEMORY);
  }
  arena_destroy(&arena);
  assert_int_equal(guard.bytes, 0);
  return result.status;
}

static void test_the_whole_program_runs(void **state) {
  (void)state;
  assert_int_equal(run_broken(0, 0), INTERPRET_OK);
}

static void test_broken_programs_end_with_a_status(void **state) {
  (void)state;
  uint32_t seen[4] = {0};
  for (uint64_t seed = 1; seed <= ROUNDS; seed++) seen[run_broken(seed * 7919, 1 + (uint32_t)(seed % 4))]++;
  assert_true(seen[INTERPRET_OK] > 0 && seen[INTERPRET_UNSUPPORTED] > 0 && seen[INTERPRET_INVALID] > 0);
}

/* Every allocation may fail: the guard catches it, and nothing leaks. */
static void test_failing_allocations(void **state) {
  (void)state;
  for (uint64_t n = 1; n < 60; n++) {
    Guard guard;
    Arena arena;
    guard_init(&guard, 0, 0);
    guard.fail_at = n;
    arena_init(&arena, &guard);
    if (!setjmp(guard.escape)) {
      Program *program = read_text(&arena);
      InterpretBuffer buffer = {.element = program_type_float(program, FLOAT_F32), .count = 1 << 12};
      buffer.cells = arena_array(&arena, InterpretCell, buffer.count);
      InterpretArgument arguments[5] = {
          {0}, {0}, {0}, {.kind = INTERPRET_INTEGER, .integer = 13}, {.kind = INTERPRET_REAL}};
      InterpretResult result;
      interpret_launch(&arena, program, &program->functions.data[0], (int32_t[]){2, 1, 1}, &buffer, 1, arguments, 5,
                       NULL, &result);
      assert_int_equal(result.status, INTERPRET_OK);
    }
    arena_destroy(&arena);
    assert_int_equal(guard.bytes, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_the_whole_program_runs),
      cmocka_unit_test(test_broken_programs_end_with_a_status),
      cmocka_unit_test(test_failing_allocations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
