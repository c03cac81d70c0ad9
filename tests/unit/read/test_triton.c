/* The reader under pressure: kinds of files, truncation at every byte, changed bytes, the n-th allocation failing,
 * depth, sizes and time. What a text means is tested by the golden files. */
#include "../rounds.h"
#include "helper.h"

static const char kernel[] =
    "#loc = loc(\"k.py\":3:0)\n"
    "module {\n"
    "  tt.func public @k(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32} loc(\"x_ptr\"(#loc)), %n: i32) attributes "
    "{noinline = false} {\n"
    "    %cst = arith.constant dense<0xFF800000> : tensor<8xf32> loc(#loc1)\n"
    "    %list = arith.constant dense<[[1, -2], [3, 4]]> : tensor<2x2xi32>\n"
    "    %one = arith.constant 1 : i32\n"
    "    %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>\n"
    "    %s = tt.splat %n : i32 -> tensor<8xi32>\n"
    "    %m = arith.cmpi slt, %r, %s : tensor<8xi32>\n"
    "    %q = tt.splat %p : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>\n"
    "    %a = tt.addptr %q, %r : tensor<8x!tt.ptr<f32>>, tensor<8xi32>\n"
    "    %44:2 = scf.for %i = %one to %n step %one iter_args(%u = %cst, %v = %n) -> (tensor<8xf32>, i32)  : i32 {\n"
    "      %x = tt.load %a, %m, %cst cacheModifier = cg {isVolatile = true} : tensor<8x!tt.ptr<f32>> loc(#loc1)\n"
    "      %y = arith.addf %x, %u fastmath<fast> : tensor<8xf32>\n"
    "      %c = arith.cmpi eq, %v, %i : i32\n"
    "      %z = scf.if %c -> (i32) {\n"
    "        scf.yield %v : i32\n"
    "      } else {\n"
    "        %w = tt.call @f(%v) : (i32) -> i32\n"
    "        scf.yield %w : i32\n"
    "      }\n"
    "      scf.yield %y, %z : tensor<8xf32>, i32\n"
    "    } {tt.num_stages = 3 : i32}\n"
    "    %t = \"tt.reduce\"(%44#0) <{axis = 0 : i32}> ({\n"
    "    ^bb0(%g: f32 loc(unknown), %h: f32):\n"
    "      %k = arith.maxnumf %g, %h : f32\n"
    "      tt.reduce.return %k : f32\n"
    "    }) : (tensor<8xf32>) -> f32\n"
    "    %o = arith.cmpi sgt, %n, %44#1 : i32\n"
    "    cf.cond_br %o, ^bb1, ^bb2(%t : f32)\n"
    "  ^bb1:  // pred: ^bb0\n"
    "    tt.return\n"
    "  ^bb2(%e: f32):  // pred: ^bb0\n"
    "    tt.store %p, %e : !tt.ptr<f32>\n"
    "    tt.return\n"
    "  }\n"
    "  tt.func private @f(%b: i32) -> i32 {\n"
    "    tt.return %b : i32\n"
    "  }\n"
    "}\n"
    "#loc1 = loc(callsite(\"a.py\":1:2 at #loc))\n";

static void expect_code(const char *text, size_t size, const char *code) {
  Reading r;
  assert_true(reading_begin(&r, "t", text, size, 64 << 20, 0));
  assert_null(r.program);
  assert_true(r.diagnostics.items.count > 0);
  assert_string_equal(r.diagnostics.items.data[0].code, code);
  reading_errors(&r);
  arena_destroy(&r.arena);
}

static void test_kinds_of_files(void **state) {
  (void)state;
  expect_code("", 0, "input.empty");
  expect_code(" \n\t\n", 4, "input.empty");
  expect_code("\x7f"
              "ELF\x02\x01\x01\0\0\0",
              10, "input.elf");
  expect_code("ML\xefR\x01", 5, "input.binary");
  expect_code("PK\x03\x04\0\0\0", 7, "input.binary");
  expect_code("module {\0}", 10, "input.binary");
  static const char ptx[] = "\n.version 8.4\n.target sm_90a\n", llvm[] = "target triple = \"nvptx64\"\n";
  expect_code(ptx, sizeof ptx - 1, "input.ptx");
  expect_code(llvm, sizeof llvm - 1, "input.llvm");
  expect_code("import triton\n", 14, "input.python");
  expect_code("# a kernel\n@triton.jit\ndef k(x):\n", 33, "input.python");
}

static void test_whole_kernel(void **state) {
  (void)state;
  Reading r;
  assert_true(reading_begin(&r, "k.ttir", kernel, sizeof kernel - 1, 0, 0));
  if (!r.program) fail_msg("%s", reading_errors(&r));
  assert_int_equal(r.program->functions.count, 1);
  const Function *f = &r.program->functions.data[0];
  const Op *op = program_get_op(r.program, f->op);
  const Block *entry = program_get_block(r.program, program_get_region(r.program, op->regions[0])->blocks.data[0]);
  assert_int_equal(entry->arg_count, 2);
  assert_string_equal(program_arg_name(r.program, entry->first_arg), "x_ptr");
  assert_string_equal(program_arg_name(r.program, entry->first_arg + 1), "n");
  const Op *constant = program_get_op(r.program, entry->ops.data[0]);
  const char *file;
  uint32_t line, column;
  assert_true(program_op_line(r.program, constant->loc, &file, &line, &column));
  assert_string_equal(file, "a.py");
  assert_int_equal(line, 1);
  for (OpId id = 1; id < r.program->ops.count;
       id++) /* operands are values of the program, calls are gone from blocks */
    for (uint32_t i = 0; i < program_get_op(r.program, id)->operand_count; i++)
      assert_true(program_get_op(r.program, id)->operands[i] < r.program->values.count);
  assert_null(strstr(reading_print(&r), "tt.call"));
  assert_true(program_check(r.program, &r.diagnostics));
  arena_destroy(&r.arena);
}

/* A function of a program that a reader makes itself: a value of a loop's body is used behind the loop. */
static void test_each_function_is_checked(void **state) {
  (void)state;
  static const char text[] =
      "tt.func @good(%p: !tt.ptr<i32>, %n: i32) {\n  tt.store %p, %n : !tt.ptr<i32>\n  tt.return\n}\n"
      "tt.func @bad(%p: !tt.ptr<i32>, %n: i32) {\n  %one = arith.constant 1 : i32\n"
      "  scf.for %i = %n to %n step %one : i32 {\n    %inside = arith.addi %n, %i : i32\n"
      "    tt.store %p, %inside : !tt.ptr<i32>\n  }\n  tt.store %p, %n : !tt.ptr<i32>\n  tt.return\n}\n";
  Reading r;
  ValueId inside = 0;
  Op *last = NULL;
  assert_true(reading_begin(&r, "k.ttir", text, sizeof text - 1, 0, 0));
  if (!r.program) fail_msg("%s", reading_errors(&r));
  program_check_each(r.program);
  assert_int_equal(r.program->functions.count, 2);
  for (OpId id = 1; id < r.program->ops.count; id++) {
    Op *op = &r.program->ops.data[id];
    if (op->code == OP_ARITH_ADDI) inside = op->first_result;
    if (op->code == OP_TT_STORE) last = op;
  }
  last->operands = memcpy(arena_array(&r.arena, ValueId, 2), (ValueId[]){last->operands[0], inside}, 2 * sizeof inside);
  program_check_each(r.program);
  assert_int_equal(r.program->functions.count, 1);
  assert_int_equal(r.program->refusals.count, 1);
  assert_string_equal(intern_string(r.program->names, r.program->refusals.data[0].name), "bad");
  assert_string_equal(r.program->refusals.data[0].why->items.data[0].code, "check.dominance");
  arena_destroy(&r.arena);
}

static void test_truncation_at_every_byte(void **state) {
  (void)state;
  size_t whole = sizeof kernel - 1;
  for (size_t size = 0; size < whole; size++) {
    char *text = malloc(size + 1); /* of its own, so that a read beyond its end is seen */
    memcpy(text, kernel, size);
    text[size] = 0;
    Reading r;
    assert_true(reading_begin(&r, "t", text, size, 64 << 20, 0));
    if (!r.program) assert_true(r.diagnostics.items.count > 0);
    reading_errors(&r);
    arena_destroy(&r.arena);
    free(text);
  }
}

/* Bytes replaced, removed or doubled at random: a program or diagnostics, never both none. */
static void test_changed_bytes(void **state) {
  (void)state;
  static const char bytes[] = "%#^@!<>(){}[]:,=\"-.x0198 \nabit\\\x80";
  uint64_t seed = 1;
  for (int round = 0; round < rounds_of(20000); round++) {
    char text[sizeof kernel + 8];
    size_t size = sizeof kernel - 1;
    memcpy(text, kernel, sizeof kernel);
    for (int k = 0; k < 1 + round % 3; k++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      size_t at = (seed >> 33) % size;
      char byte = bytes[(seed >> 13) % (sizeof bytes - 1)];
      if (seed >> 62 == 0)
        memmove(text + at, text + at + 1, size-- - at);
      else if (seed >> 62 == 1 && size < sizeof text - 2)
        memmove(text + at + 1, text + at, ++size - at);
      else
        text[at] = byte;
    }
    Reading r;
    assert_true(reading_begin(&r, "t", text, size, 64 << 20, 0));
    if (r.program) {
      Reading again;
      const char *printed = reading_print(&r);
      assert_true(reading_begin(&again, "p", printed, strlen(printed), 64 << 20, 0));
      if (!again.program) fail_msg("%s\n%s", printed, reading_errors(&again));
      assert_string_equal(reading_print(&again), printed);
      arena_destroy(&again.arena);
    } else {
      assert_true(r.diagnostics.items.count > 0);
      reading_errors(&r);
    }
    arena_destroy(&r.arena);
  }
}

static void test_every_allocation_can_fail(void **state) {
  (void)state;
  Reading r;
  assert_true(reading_begin(&r, "t", kernel, sizeof kernel - 1, 0, 0));
  uint64_t allocations = r.guard.allocations;
  size_t peak = r.guard.bytes_peak;
  arena_destroy(&r.arena);
  for (uint64_t n = 1; n <= allocations; n++) {
    assert_false(reading_begin(&r, "t", kernel, sizeof kernel - 1, 0, n));
    assert_int_equal(r.guard.reason, GUARD_MEMORY);
    arena_destroy(&r.arena);
    assert_int_equal(r.guard.bytes, 0);
  }
  for (size_t limit = 1000; limit < peak; limit += peak / 50) {
    assert_false(reading_begin(&r, "t", kernel, sizeof kernel - 1, limit, 0));
    arena_destroy(&r.arena);
  }
}

static char *repeat(const char *before, const char *unit, size_t count, const char *after) {
  size_t a = strlen(before), b = strlen(unit), c = strlen(after);
  char *text = malloc(a + b * count + c + 1);
  memcpy(text, before, a);
  for (size_t i = 0; i < count; i++) memcpy(text + a + i * b, unit, b);
  memcpy(text + a + b * count, after, c + 1);
  return text;
}

static void expect_repeated(const char *before, const char *unit, size_t count, const char *after, const char *code) {
  char *text = repeat(before, unit, count, after);
  Reading r;
  double start = guard_now();
  assert_true(reading_begin(&r, "t", text, strlen(text), (size_t)2 << 30, 0));
  if (code) {
    assert_null(r.program);
    assert_string_equal(r.diagnostics.items.data[0].code, code);
  } else if (!r.program) {
    fail_msg("%s", reading_errors(&r));
  }
  assert_true(guard_now() - start < 30);
  arena_destroy(&r.arena);
  free(text);
}

static void test_depth(void **state) {
  (void)state;
  enum { MANY = 300000 };
  expect_repeated("module { tt.func @k(%c: i1) {\n", "scf.if %c {\n", MANY, "", "parse.depth");
  expect_repeated("module { tt.func @k(%c: ", "tensor<1x", MANY, "", "parse.depth");
  expect_repeated("module { tt.func @k(%c: ", "!tt.ptr<", MANY, "", "parse.depth");
  expect_repeated("module { tt.func @k(%c: ", "(", MANY, "", "parse.depth");
  expect_repeated("module attributes {a = ", "[", MANY, "", "parse.depth");
  expect_repeated("module attributes {a = ", "{b = ", MANY, "", "parse.depth");
  expect_repeated("#a = loc(", "callsite(", MANY, "", "parse.depth");
  expect_repeated("module { tt.func @k() { %a = arith.constant dense<", "[", MANY, "> : tensor<2xi32>", "parse.depth");
  expect_repeated("module { tt.func @k() { %a = \"tt.reduce\"() (", "{ \"tt.reduce\"() (", MANY, "", "parse.depth");
}

static void test_long_files(void **state) {
  (void)state;
  size_t lines = 1000000 / (size_t)rounds_step();
  expect_repeated("module { tt.func @k(%n: i32) {\n", "    tt.print \"x\" {hex = false} : %n : i32\n", lines,
                  "tt.return } }", NULL);
  expect_repeated("module {\n", "// nothing\n", lines, "tt.func @k() { tt.return } }", NULL);
  expect_repeated("module { tt.func @k() {\n", "    tt.store %a, %b : i32\n", lines, "} }", "parse.undefined");
  expect_repeated("module {\n", "tt.unknown\n", lines, "", "parse.unknown-op");
  expect_repeated("module { tt.func @k(%c: i1) {\n", "  cf.br ^bb9\n", lines / 10, "} }", "parse.block");
}

/* 2^n copies of a body are a limit, not a hang. */
static void test_growing_calls(void **state) {
  (void)state;
  Guard guard;
  Arena arena;
  guard_init(&guard, 0, 0);
  arena_init(&arena, &guard);
  Text text = text_new(&arena);
  text_add(&text, "tt.func @f0(%p: !tt.ptr<i32>, %n: i32) {\n  tt.store %p, %n : !tt.ptr<i32>\n  tt.return\n}\n");
  for (int i = 1; i < 40; i++)
    text_format(&text,
                "tt.func @f%d(%%p: !tt.ptr<i32>, %%n: i32) {\n  tt.call @f%d(%%p, %%n) : (!tt.ptr<i32>, i32) -> ()\n"
                "  tt.call @f%d(%%p, %%n) : (!tt.ptr<i32>, i32) -> ()\n  tt.return\n}\n",
                i, i - 1, i - 1);
  Reading r;
  assert_true(reading_begin(&r, "t", text.data, text.count, (size_t)3 << 30, 0));
  assert_null(r.program);
  assert_string_equal(r.diagnostics.items.data[0].code, "call.size");
  arena_destroy(&r.arena);
  arena_destroy(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kinds_of_files),
      cmocka_unit_test(test_whole_kernel),
      cmocka_unit_test(test_each_function_is_checked),
      cmocka_unit_test(test_truncation_at_every_byte),
      cmocka_unit_test(test_changed_bytes),
      cmocka_unit_test(test_every_allocation_can_fail),
      cmocka_unit_test(test_depth),
      cmocka_unit_test(test_long_files),
      cmocka_unit_test(test_growing_calls),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
