/* Loops written as several: what is joined, and what only looks like it. A loop that is closed leaves one record. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first. */
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "execute/execute.h"
#include "read/mlir/read.h"

typedef struct Ran {
  bool stopped;
  uint32_t loops;
  char trips[200]; /* of the last loop */
} Ran;

/* %x, %y: pointers to f32; %n, %w >= 1 and 0 <= %h <= %n by tt.assume. */
static Ran run(const char *body) {
  Guard guard;
  Arena arena;
  Ran ran = {0};
  guard_init(&guard, (size_t)256 << 20, 0);
  arena_init(&arena, &guard);
  if (setjmp(guard.escape)) fail_msg("%s", guard.message);
  const char *text = arena_format(
      &arena,
      "module {\n tt.func public @k(%%x: !tt.ptr<f32>, %%y: !tt.ptr<f32>, %%n: i32, %%h: i32, %%w: i32) {\n"
      " %%c0 = arith.constant 0 : i32\n %%c1 = arith.constant 1 : i32\n %%c2 = arith.constant 2 : i32\n %%c3 = "
      "arith.constant 3 : i32\n %%c4 = arith.constant 4 : i32\n"
      " %%zero = arith.constant 0.0 : f32\n %%one = arith.constant 1.0 : f32\n"
      " %%a0 = arith.cmpi sge, %%n, %%c1 : i32\n llvm.intr.assume %%a0 : i1\n %%a1 = arith.cmpi sge, %%h, %%c0 : i32\n "
      "llvm.intr.assume %%a1 : i1\n"
      " %%a2 = arith.cmpi sle, %%h, %%n : i32\n llvm.intr.assume %%a2 : i1\n %%a3 = arith.cmpi sge, %%w, %%c1 : i32\n "
      "llvm.intr.assume %%a3 : i1\n%s\n tt.return\n }\n}\n",
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
  TermTable *tt = term_table_new(&arena, names);
  Effects *ex = execute_function(&arena, tt, program, &program->functions.data[0], (ExecuteOptions){0});
  ran.stopped = ex->stop_code != REASON_NONE;
  ran.loops = ex->loops.count;
  if (ran.loops) snprintf(ran.trips, sizeof ran.trips, "%s", term_text(tt, ex->loops.data[ran.loops - 1].trips));
  arena_destroy(&arena);
  return ran;
}

#define STEP(n, at, sum, arg, op)                                                                                      \
  " %p" n " = tt.addptr %x, " at " : !tt.ptr<f32>, i32\n %v" n " = tt.load %p" n " : !tt.ptr<f32>\n " sum " = " op     \
  " " arg ", %v" n " : f32\n"
#define SUM(result, lo, hi, step, init, n, op)                                                                         \
  " " result " = scf.for %i" n " = " lo " to " hi " step " step " iter_args(%s" n " = " init                           \
  ") -> (f32) : i32 {\n" STEP(n, "%i" n, "%r" n, "%s" n, op) " scf.yield %r" n " : f32\n }\n"
#define STORE(value) " tt.store %y, " value " : !tt.ptr<f32>"

static void assert_loops(const char *body, uint32_t loops) {
  Ran ran = run(body);
  assert_false(ran.stopped);
  assert_int_equal(ran.loops, loops);
}

static void test_adjoining_ranges_are_one_loop(void **state) {
  (void)state;
  Ran ran = run(SUM("%a", "%c0", "%h", "%c1", "%zero", "1", "arith.addf")
                    SUM("%b", "%h", "%n", "%c1", "%a", "2", "arith.addf") STORE("%b"));
  assert_int_equal(ran.loops, 1);
  assert_string_equal(ran.trips, "n");
  ran = run(" %m = arith.addi %n, %h : i32\n" SUM("%a", "%c0", "%h", "%c1", "%zero", "1", "arith.addf")
                SUM("%b", "%h", "%n", "%c1", "%a", "2", "arith.addf")
                    SUM("%c", "%n", "%m", "%c1", "%b", "3", "arith.addf") STORE("%c"));
  assert_int_equal(ran.loops, 1);
}

static void test_what_does_not_adjoin(void **state) {
  (void)state;
  /* another operation; another range; another start; a range that may end before it begins; what the first left is not
   * taken up */
  assert_loops(SUM("%a", "%c0", "%h", "%c1", "%zero", "1", "arith.addf")
                   SUM("%b", "%h", "%n", "%c1", "%a", "2", "arith.maxnumf") STORE("%b"),
               2);
  assert_loops(SUM("%a", "%c0", "%h", "%c1", "%zero", "1", "arith.addf")
                   SUM("%b", "%c1", "%n", "%c1", "%a", "2", "arith.addf") STORE("%b"),
               2);
  assert_loops(SUM("%a", "%c0", "%h", "%c1", "%zero", "1", "arith.addf")
                   SUM("%b", "%h", "%n", "%c2", "%a", "2", "arith.addf") STORE("%b"),
               2);
  assert_loops(" %m = arith.subi %h, %c3 : i32\n" SUM("%a", "%c0", "%m", "%c1", "%zero", "1", "arith.addf")
                   SUM("%b", "%m", "%n", "%c1", "%a", "2", "arith.addf") STORE("%b"),
               2);
  assert_loops(SUM("%a", "%c0", "%h", "%c1", "%zero", "1", "arith.addf")
                   SUM("%b", "%h", "%n", "%c1", "%one", "2", "arith.addf") STORE("%b"),
               2);
  /* the first does not end on a step of its own: h may be odd */
  assert_loops(SUM("%a", "%c0", "%h", "%c2", "%zero", "1", "arith.addf")
                   SUM("%b", "%h", "%n", "%c2", "%a", "2", "arith.addf") STORE("%b"),
               2);
  /* something is stored in between */
  assert_loops(SUM("%a", "%c0", "%h", "%c1", "%zero", "1", "arith.addf") " tt.store %y, %a : !tt.ptr<f32>\n" SUM(
                   "%b", "%h", "%n", "%c1", "%a", "2", "arith.addf") STORE("%b"),
               2);
}

#define TWICE(first, moved, second, yield)                                                                             \
  " %m2 = arith.muli %h, %c2 : i32\n"                                                                                  \
  " %a = scf.for %i = %c0 to %m2 step %c2 iter_args(%s = %zero) -> (f32) : i32 {\n" first                              \
  " %j = arith.addi %i, " moved " : i32\n" second " scf.yield " yield " : f32\n }\n" STORE("%a")

static void test_a_body_that_is_two_iterations(void **state) {
  (void)state;
  Ran ran =
      run(TWICE(STEP("1", "%i", "%r1", "%s", "arith.addf"), "%c1", STEP("2", "%j", "%r2", "%r1", "arith.addf"), "%r2"));
  assert_int_equal(ran.loops, 1);
  assert_string_equal(ran.trips, "2*h");
  /* moved by another distance; another operation; the second does not go on with the first; only the first is kept */
  assert_string_equal(
      run(TWICE(STEP("1", "%i", "%r1", "%s", "arith.addf"), "%c3", STEP("2", "%j", "%r2", "%r1", "arith.addf"), "%r2"))
          .trips,
      "h");
  assert_string_not_equal(
      run(TWICE(STEP("1", "%i", "%r1", "%s", "arith.addf"), "%c1", STEP("2", "%j", "%r2", "%r1", "arith.subf"), "%r2"))
          .trips,
      "2*h");
  assert_string_not_equal(
      run(TWICE(STEP("1", "%i", "%r1", "%s", "arith.addf"), "%c1", STEP("2", "%j", "%r2", "%one", "arith.addf"), "%r2"))
          .trips,
      "2*h");
  assert_string_not_equal(
      run(TWICE(STEP("1", "%i", "%r1", "%s", "arith.addf"), "%c1", STEP("2", "%j", "%r2", "%r1", "arith.addf"), "%r1"))
          .trips,
      "2*h");
  /* both read the moved place */
  assert_string_not_equal(run(" %m2 = arith.muli %h, %c2 : i32\n %a = scf.for %i = %c0 to %m2 step %c2 iter_args(%s = "
                              "%zero) -> (f32) : i32 {\n"
                              " %j = arith.addi %i, %c1 : i32\n" STEP("1", "%j", "%r1", "%s", "arith.addf")
                                  STEP("2", "%j", "%r2", "%r1", "arith.addf") " scf.yield %r2 : f32\n }\n" STORE("%a"))
                              .trips,
                          "2*h");
}

static void test_two_iterations_and_the_rest(void **state) {
  (void)state;
  Ran ran = run(
      " %m2 = arith.muli %h, %c2 : i32\n %m3 = arith.addi %m2, %n : i32\n"
      " %a = scf.for %i = %c0 to %m2 step %c2 iter_args(%s = %zero) -> (f32) : i32 {\n" STEP(
          "1", "%i", "%r1", "%s",
          "arith.addf") " %j = arith.addi %i, %c1 : i32\n" STEP("2", "%j", "%r2", "%r1",
                                                                "arith.addf") " scf.yield %r2 : f32\n "
                                                                              "}\n" SUM("%b", "%m2", "%m3", "%c1", "%a",
                                                                                        "3", "arith.addf") STORE("%b"));
  assert_false(ran.stopped);
  assert_int_equal(ran.loops, 1);
  assert_string_equal(ran.trips, "2*h + n");
}

/* Every n-th from h on, up to w: half of them first, as a grid of programs strides over blocks. */
#define HALF(more)                                                                                                     \
  " %d0 = arith.addi %w, %n : i32\n %d1 = arith.subi %d0, %h : i32\n"                                                  \
  " %d2 = arith.subi %d1, %c1 : i32\n %n2 = arith.muli %n, %c2 : i32\n %q0 = arith.divsi %d2, %n2 : i32\n"             \
  " %q = arith.addi %q0, " more " : i32\n %k = arith.muli %q, %n : i32\n %m = arith.addi %h, %k : i32\n"

static void test_strides_that_are_sizes(void **state) {
  (void)state;
  assert_loops(" %g = arith.cmpi slt, %h, %n : i32\n llvm.intr.assume %g : i1\n" HALF("%c0")
                   SUM("%a", "%h", "%m", "%n", "%zero", "1", "arith.addf")
                       SUM("%b", "%m", "%w", "%n", "%a", "2", "arith.addf") STORE("%b"),
               1);
  /* further than half: it may lie behind the end */
  assert_loops(" %g = arith.cmpi slt, %h, %n : i32\n llvm.intr.assume %g : i1\n" HALF("%c3")
                   SUM("%a", "%h", "%m", "%n", "%zero", "1", "arith.addf")
                       SUM("%b", "%m", "%w", "%n", "%a", "2", "arith.addf") STORE("%b"),
               2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_adjoining_ranges_are_one_loop), cmocka_unit_test(test_what_does_not_adjoin),
      cmocka_unit_test(test_a_body_that_is_two_iterations), cmocka_unit_test(test_two_iterations_and_the_rest),
      cmocka_unit_test(test_strides_that_are_sizes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
