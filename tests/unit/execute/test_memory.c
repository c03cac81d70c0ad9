/* Stores written as several, and loads behind them: what is one store, what a load sees, and what only looks like it.
 */
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
  uint32_t stores;
  char mask[200], value[200]; /* of the last store */
} Ran;

/* %px, %py, %half: blocks of 64 pointers to x and y, and to every second pair of x; %v: what is read from y; %full:
 * lane < n; masks %lo, %hi of two halves of it, %a, %b, %c of three parts, %odd of none in particular. */
static const char *const head =
    "module {\n tt.func public @k(%%x: !tt.ptr<f32>, %%y: !tt.ptr<f32>, %%n: i32) {\n"
    " %%i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n %%c2 = arith.constant dense<2> : "
    "tensor<64xi32>\n"
    " %%c16 = arith.constant dense<16> : tensor<64xi32>\n %%c32 = arith.constant dense<32> : tensor<64xi32>\n %%nn = "
    "tt.splat %%n : i32 -> tensor<64xi32>\n"
    " %%sx = tt.splat %%x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n %%sy = tt.splat %%y : !tt.ptr<f32> -> "
    "tensor<64x!tt.ptr<f32>>\n"
    " %%px = tt.addptr %%sx, %%i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>\n %%py = tt.addptr %%sy, %%i : "
    "tensor<64x!tt.ptr<f32>>, tensor<64xi32>\n"
    " %%r = arith.remsi %%i, %%c32 : tensor<64xi32>\n %%half = tt.addptr %%sx, %%r : tensor<64x!tt.ptr<f32>>, "
    "tensor<64xi32>\n"
    " %%full = arith.cmpi slt, %%i, %%nn : tensor<64xi32>\n %%l = arith.cmpi slt, %%i, %%c32 : tensor<64xi32>\n %%h = "
    "arith.cmpi sge, %%i, %%c32 : tensor<64xi32>\n"
    " %%lo = arith.andi %%full, %%l : tensor<64xi1>\n %%hi = arith.andi %%full, %%h : tensor<64xi1>\n"
    " %%a0 = arith.cmpi slt, %%i, %%c16 : tensor<64xi32>\n %%b0 = arith.cmpi sge, %%i, %%c16 : tensor<64xi32>\n"
    " %%a = arith.andi %%full, %%a0 : tensor<64xi1>\n %%b = arith.andi %%lo, %%b0 : tensor<64xi1>\n"
    " %%v = tt.load %%py : tensor<64x!tt.ptr<f32>>\n %%w = arith.addf %%v, %%v : tensor<64xf32>\n%s\n tt.return\n "
    "}\n}\n";

static Ran run(const char *body) {
  Guard guard;
  Arena arena;
  Ran ran = {0};
  guard_init(&guard, (size_t)256 << 20, 0);
  arena_init(&arena, &guard);
  if (setjmp(guard.escape)) fail_msg("%s", guard.message);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  const char *text = arena_format(&arena, head, body);
#pragma GCC diagnostic pop
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
  for (uint32_t i = 0; i < ex->accesses.count; i++) {
    const Access *access = &ex->accesses.data[i];
    if (!access->is_store) continue;
    ran.stores++;
    snprintf(ran.mask, sizeof ran.mask, "%s", term_text(tt, access->mask));
    snprintf(ran.value, sizeof ran.value, "%s", term_text(tt, access->value));
  }
  arena_destroy(&arena);
  return ran;
}

#define STORE(pointer, value, mask) " tt.store " pointer ", " value ", " mask " : tensor<64x!tt.ptr<f32>>\n"
#define LOAD(name, pointer, mask) " " name " = tt.load " pointer ", " mask ", %v : tensor<64x!tt.ptr<f32>>\n"

static void assert_stores(const char *body, uint32_t stores) {
  Ran ran = run(body);
  assert_false(ran.stopped);
  assert_int_equal(ran.stores, stores);
}

static void test_halves_and_thirds_are_one_store(void **state) {
  (void)state;
  Ran whole = run(STORE("%px", "%v", "%full"));
  static const char *const bodies[] = {STORE("%px", "%v", "%lo") STORE("%px", "%v", "%hi"),
                                       STORE("%px", "%v", "%hi") STORE("%px", "%v", "%lo"),
                                       STORE("%px", "%v", "%a") STORE("%px", "%v", "%b") STORE("%px", "%v", "%hi"),
                                       STORE("%px", "%v", "%a") STORE("%px", "%v", "%hi") STORE("%px", "%v", "%b"),
                                       STORE("%px", "%v", "%hi") STORE("%px", "%v", "%a") STORE("%px", "%v", "%b"),
                                       STORE("%px", "%v", "%lo") STORE("%px", "%v", "%full"),
                                       /* what is read from another tensor in between does not matter */
                                       STORE("%px", "%v", "%lo") LOAD("%z", "%py", "%full") STORE("%px", "%v", "%hi")};
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    Ran ran = run(bodies[i]);
    assert_int_equal(ran.stores, 1);
    assert_string_equal(ran.mask, whole.mask);
    assert_string_equal(ran.value, whole.value);
  }
}

static void test_stores_that_stay_apart(void **state) {
  (void)state;
  assert_stores(STORE("%px", "%v", "%lo") STORE("%px", "%w", "%hi"), 2);   /* another value */
  assert_stores(STORE("%px", "%v", "%lo") STORE("%py", "%v", "%hi"), 2);   /* another tensor */
  assert_stores(STORE("%px", "%v", "%lo") STORE("%half", "%v", "%hi"), 2); /* another place */
  assert_stores(STORE("%px", "%v", "%a") STORE("%px", "%v", "%hi"), 2);    /* with a gap */
  assert_stores(STORE("%px", "%v", "%lo") STORE("%px", "%w", "%full") STORE("%px", "%v", "%hi"),
                3); /* another store in between */
}

static void test_equal_under_the_masks(void **state) {
  (void)state;
  /* what the second stores is there, or where the first stores, what that one does: one value says both */
  assert_stores(" %u = arith.select %h, %v, %w : tensor<64xi1>, tensor<64xf32>\n" STORE("%px", "%v", "%lo")
                    STORE("%px", "%u", "%hi"),
                1);
  assert_stores(" %u = arith.select %l, %v, %w : tensor<64xi1>, tensor<64xf32>\n" STORE("%px", "%v", "%lo")
                    STORE("%px", "%u", "%hi"),
                1);
  assert_stores(" %u = arith.select %a0, %v, %w : tensor<64xi1>, tensor<64xf32>\n" STORE("%px", "%v", "%lo")
                    STORE("%px", "%u", "%hi"),
                2);
}

/* A load in no lane, behind a store: nothing is left to be seen, and nothing was. */
static void test_load_in_no_lane(void **state) {
  (void)state;
  Ran ran = run(" %none = arith.constant dense<false> : tensor<64xi1>\n" STORE("%px", "%w", "%lo")
                    LOAD("%z", "%px", "%none") STORE("%py", "%z", "%hi"));
  assert_false(ran.stopped);
  assert_int_equal(ran.stores, 2);
}

static void test_what_a_load_sees(void **state) {
  (void)state;
  Ran old = run(LOAD("%z", "%px", "%hi") STORE("%py", "%z", "%hi")), ran;
  ran = run(STORE("%px", "%w", "%lo") LOAD("%z", "%px", "%hi") STORE("%py", "%z", "%hi"));
  assert_false(ran.stopped);
  assert_string_equal(ran.value, old.value);
  Ran new = run(STORE("%py", "%w", "%lo"));
  ran = run(STORE("%px", "%w", "%lo") LOAD("%z", "%px", "%lo") STORE("%py", "%z", "%lo")); /* all of it new */
  assert_non_null(strstr(ran.value, "2*y[lane0_64]"));
  assert_non_null(strstr(new.value, "2*y[lane0_64]"));
  ran = run(STORE("%px", "%w", "%a") LOAD("%z", "%px", "%full") STORE("%py", "%z", "%full")); /* part of it */
  assert_false(ran.stopped);
  assert_non_null(strstr(ran.value, "2*y[lane0_64]"));
  assert_non_null(strstr(ran.value, "x[lane0_64]"));
  /* lanes that share elements, and other lanes' elements: not told */
  assert_true(run(STORE("%half", "%w", "%lo") LOAD("%z", "%half", "%hi") STORE("%py", "%z", "%hi")).stopped);
  assert_true(run(STORE("%px", "%w", "%full") LOAD("%z", "%half", "%hi") STORE("%py", "%z", "%hi")).stopped);
  /* another address, which the lanes that store do not have */
  ran = run(STORE("%px", "%w", "%hi") LOAD("%z", "%half", "%full") STORE("%py", "%z", "%full"));
  assert_false(ran.stopped);
  assert_null(strstr(ran.value, "2*y"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_halves_and_thirds_are_one_store),
      cmocka_unit_test(test_stores_that_stay_apart),
      cmocka_unit_test(test_equal_under_the_masks),
      cmocka_unit_test(test_load_in_no_lane),
      cmocka_unit_test(test_what_a_load_sees),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
