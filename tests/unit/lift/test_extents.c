/* How large the tensors of small kernels are taken to be, rows that are dealt to programs in runs, and stores after
 * loops. */
#include "../prove/kernel.h"

#include "base/message.h"
#include "prove/prove.h"

static const char *extent(const char *tensor, uint32_t axis) {
  const Pointwise *p = kernel.recovery->pointwise;
  for (uint32_t i = 0; i < p->tensors.count; i++)
    if (!strcmp(p->tensors.data[i].name, tensor) && axis < p->tensors.data[i].rank)
      return term_text(p->tt, p->tensors.data[i].extent[axis]);
  return "";
}

/* y[p] = x[p] + (MORE ? x[p + m] : 0) */
#define TWO_READS(more)                                                                                                \
  "module { tt.func public @two(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32, %m: i32) {\n"                             \
  "%p = tt.get_program_id x : i32\n%c1 = arith.constant 1 : i32\n%zero = arith.constant 0.0 : f32\n"                   \
  "%a = tt.addptr %x, %p : !tt.ptr<f32>, i32\n%v = tt.load %a : !tt.ptr<f32>\n"                                        \
  "%more = arith.cmpi " more " : i32\n%w = scf.if %more -> (f32) {\n%o = arith.addi %p, %m : i32\n"                    \
  "%b = tt.addptr %x, %o : !tt.ptr<f32>, i32\n%u = tt.load %b : !tt.ptr<f32>\nscf.yield %u : f32\n} else "             \
  "{\nscf.yield %zero : f32\n}\n"                                                                                      \
  "%s = arith.addf %v, %w : f32\n%d = tt.addptr %y, %p : !tt.ptr<f32>, i32\ntt.store %d, %s : "                        \
  "!tt.ptr<f32>\ntt.return\n} }\n"

/* An access that is made under a condition of the launch counts under that condition. */
static void test_condition_of_the_launch(void **state) {
  (void)state;
  kernel_open_whole(TWO_READS("sgt, %n, %c1"));
  assert_string_equal(extent("x", 0), "max(grid_x, where(n >= 2, grid_x + m, 0))");
  assert_string_equal(extent("y", 0), "grid_x");
  kernel_close();
  kernel_open_whole(TWO_READS("sgt, %p, %n")); /* a condition of the program is none of the launch */
  assert_string_equal(extent("x", 0), "max(grid_x, grid_x + m)");
  kernel_close();
}

/* Blocks of 64 lanes of which the mask leaves one: p + lane where p < 4 and lane < 1. */
static void test_masked_tile(void **state) {
  (void)state;
  kernel_open_whole(
      "module { tt.func public @tile(%y: !tt.ptr<f32>) {\n%p = tt.get_program_id x : i32\n%c4 = arith.constant 4 : "
      "i32\n"
      "%zero = arith.constant dense<0.0> : tensor<64xf32>\n%ones = arith.constant dense<1> : tensor<64xi32>\n"
      "%few = arith.cmpi slt, %p, %c4 : i32\nscf.if %few {\n%q = tt.addptr %y, %p : !tt.ptr<f32>, i32\n"
      "%r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n%m = arith.cmpi slt, %r, %ones : "
      "tensor<64xi32>\n"
      "%ys = tt.splat %q : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n%yi = tt.addptr %ys, %r : tensor<64x!tt.ptr<f32>>, "
      "tensor<64xi32>\n"
      "tt.store %yi, %zero, %m : tensor<64x!tt.ptr<f32>>\n}\ntt.return\n} }\n");
  assert_string_equal(extent("y", 0), "4");
  kernel_close();
}

/* for row in range(p*run, min(p*run + run, n)): y[row] = x[row], s += x[row]; then total[p] = s. FIRST: where a program
 * starts. */
#define RUNS(first)                                                                                                    \
  "module { tt.func public @runs(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %total: !tt.ptr<f32>, %n: i32, %run: i32) {\n"    \
  "%p = tt.get_program_id x : i32\n%one = arith.constant 1 : i32\n%zero = arith.constant 0.0 : f32\n"                  \
  "%begin = arith.muli %p, %run : i32\n%next = arith.addi %p, %one : i32\n%most = arith.muli %next, %run : i32\n"      \
  "%end = arith.minsi %most, %n : i32\n" first                                                                         \
  "%s = scf.for %row = %first to %end step %one iter_args(%acc = %zero) -> (f32) : i32 {\n"                            \
  "%a = tt.addptr %x, %row : !tt.ptr<f32>, i32\n%v = tt.load %a : !tt.ptr<f32>\n%b = tt.addptr %y, %row : "            \
  "!tt.ptr<f32>, i32\n"                                                                                                \
  "tt.store %b, %v : !tt.ptr<f32>\n%sum = arith.addf %acc, %v : f32\nscf.yield %sum : f32\n}\n"                        \
  "%t = tt.addptr %total, %p : !tt.ptr<f32>, i32\ntt.store %t, %s : !tt.ptr<f32>\ntt.return\n} }\n"

/* Each row has its program, although another store of the same program is by the program alone. */
static void test_rows_in_runs(void **state) {
  (void)state;
  kernel_open_whole(RUNS("%first = arith.addi %begin, %one : i32\n")); /* the first row of each program is left out */
  assert_false(prove_claim(&kernel.arena, kernel.recovery).proved && !strcmp(extent("y", 0), "n") &&
               kernel.recovery->pointwise->outputs.data[0].pieces.data[0].region ==
                   kernel.recovery->pointwise->tt->true_);
  kernel_close();
  kernel_open_whole(RUNS("%zero_i = arith.constant 0 : i32\n%first = arith.addi %begin, %zero_i : i32\n"));
  assert_string_equal(extent("y", 0), "n");
  ProveResult result = prove_claim(&kernel.arena, kernel.recovery);
  assert_true(result.proved);
  assert_int_equal(result.stores.count, 2);
  assert_true(result.stores.data[0].covers && result.stores.data[0].one_program);
  kernel_close();
}

/* y[q*n + 64*p + lane] = 0 where MASK; z[l] = 0 where l < n, so that n is a size. */
#define ROWS(mask)                                                                                                     \
  "module { tt.func public @rows(%y: !tt.ptr<f32>, %z: !tt.ptr<f32>, %n: i32) {\n"                                     \
  "%p = tt.get_program_id x : i32\n%q = tt.get_program_id y : i32\n%b = arith.constant 64 : i32\n"                     \
  "%zero = arith.constant dense<0.0> : tensor<64xf32>\n%zeros = arith.constant dense<0.0> : tensor<128xf32>\n"         \
  "%l = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n%k = tt.make_range {end = 128 : i32, start " \
  "= 0 : i32} : tensor<128xi32>\n"                                                                                     \
  "%s = arith.muli %p, %b : i32\n%ss = tt.splat %s : i32 -> tensor<64xi32>\n%i = arith.addi %ss, %l : "                \
  "tensor<64xi32>\n"                                                                                                   \
  "%r = arith.muli %q, %n : i32\n%yr = tt.addptr %y, %r : !tt.ptr<f32>, i32\n%ys = tt.splat %yr : !tt.ptr<f32> -> "    \
  "tensor<64x!tt.ptr<f32>>\n"                                                                                          \
  "%yi = tt.addptr %ys, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>\n%ns = tt.splat %n : i32 -> tensor<64xi32>\n"     \
  "%m = arith.cmpi slt, %i, %ns : tensor<64xi32>\ntt.store %yi, %zero" mask " : tensor<64x!tt.ptr<f32>>\n"             \
  "%nk = tt.splat %n : i32 -> tensor<128xi32>\n%mk = arith.cmpi slt, %k, %nk : tensor<128xi32>\n"                      \
  "%zs = tt.splat %z : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>\n%zi = tt.addptr %zs, %k : tensor<128x!tt.ptr<f32>>, " \
  "tensor<128xi32>\n"                                                                                                  \
  "tt.store %zi, %zeros, %mk : tensor<128x!tt.ptr<f32>>\ntt.return\n} }\n"

static bool assumes(const char *text) {
  for (uint32_t i = 0; i < kernel.recovery->assumptions.count; i++)
    if (!message_compare(kernel.recovery->assumptions.data[i].text, text)) return true;
  return false;
}

/* Rows that nothing masks are no longer than their stride: assumed, in so many words, as elements of an output are
 * apart. */
static void test_rows_apart(void **state) {
  (void)state;
  kernel_open_whole(ROWS(""));
  assert_string_equal(extent("y", 0), "grid_y");
  assert_string_equal(extent("y", 1), "64*grid_x");
  assert_true(assumes("64*grid_x <= n"));
  assert_true(prove_claim(&kernel.arena, kernel.recovery).proved);
  kernel_close();
  kernel_open_whole(
      ROWS(", %m")); /* a mask keeps each row within its stride: nothing is assumed, least of all that 64 divides n */
  assert_string_equal(extent("y", 1), "n");
  assert_false(assumes("64*grid_x <= n"));
  kernel_close();
}

/* for t in 0..n: y[p*n + t] = 1; then y[p*n] = 2. Which lane writes last is known where all wait in BETWEEN. */
#define TWICE(between)                                                                                                 \
  "module { tt.func public @twice(%y: !tt.ptr<f32>, %n: i32) {\n%p = tt.get_program_id x : i32\n"                      \
  "%from = arith.constant 0 : i32\n%step = arith.constant 1 : i32\n%a = arith.constant 1.0 : f32\n%b = "               \
  "arith.constant 2.0 : f32\n"                                                                                         \
  "%r = arith.muli %p, %n : i32\n%row = tt.addptr %y, %r : !tt.ptr<f32>, i32\nscf.for %t = %from to %n step %step : "  \
  "i32 {\n"                                                                                                            \
  "%e = tt.addptr %row, %t : !tt.ptr<f32>, i32\ntt.store %e, %a : !tt.ptr<f32>\n}\n" between                           \
  "tt.store %row, %b : !tt.ptr<f32>\ntt.return\n} }\n"

static void test_store_after_a_loop(void **state) {
  (void)state;
  kernel_open_whole(TWICE("gpu.barrier\n"));
  assert_true(prove_claim(&kernel.arena, kernel.recovery).proved);
  kernel_close();
  kernel_open_whole(TWICE(""));
  assert_false(prove_claim(&kernel.arena, kernel.recovery).proved);
  kernel_close();
}

/* for row in range(p*run, min((p + MORE)*run, n)): y[row*s] = VALUE; total[p] = VALUE. */
#define STRIDED_RUNS(more, value)                                                                                      \
  "module { tt.func public @strided(%y: !tt.ptr<f32>, %total: !tt.ptr<f32>, %n: i32, %run: i32, %s: i32) {\n"          \
  "%p = tt.get_program_id x : i32\n%one = arith.constant 1 : i32\n%more = arith.constant " more " : i32\n" value "\n"  \
  "%begin = arith.muli %p, %run : i32\n%next = arith.addi %p, %more : i32\n%most = arith.muli %next, %run : i32\n"     \
  "%end = arith.minsi %most, %n : i32\nscf.for %row = %begin to %end step %one : i32 {\n%o = arith.muli %row, %s : "   \
  "i32\n"                                                                                                              \
  "%b = tt.addptr %y, %o : !tt.ptr<f32>, i32\ntt.store %b, %v : !tt.ptr<f32>\n}\n"                                     \
  "%t = tt.addptr %total, %p : !tt.ptr<f32>, i32\ntt.store %t, %v : !tt.ptr<f32>\ntt.return\n} }\n"

/* Runs that reach into the next one overlap, whatever the stride: that it keeps elements apart is nothing to assume. */
static void test_runs_that_overlap(void **state) {
  (void)state;
  kernel_open_whole(STRIDED_RUNS("1", "%v = arith.constant 1.0 : f32"));
  assert_string_equal(extent("y", 0), "n");
  ProveResult result = prove_claim(&kernel.arena, kernel.recovery);
  assert_true(result.proved && result.stores.data[0].one_program);
  kernel_close();
  kernel_open_whole(STRIDED_RUNS("2", "%v = arith.constant 1.0 : f32"));
  assert_string_equal(extent("y", 1), "");
  result = prove_claim(&kernel.arena, kernel.recovery);
  assert_false(result.stores.data[0].one_program); /* what they write twice is the same, but they race for it */
  kernel_close();
  kernel_open_whole(STRIDED_RUNS("2", "%v = arith.sitofp %p : i32 to f32"));
  result = prove_claim(&kernel.arena, kernel.recovery);
  assert_false(result.proved);
  assert_false(result.stores.data[0].one_program);
  kernel_close();
}

#define CHECK_OF_PRODUCT                                                                                               \
  "%most = arith.constant 2147483647 : i64\n%pl = arith.extsi %p : i32 to i64\n%sl = arith.extsi %s : i32 to i64\n"    \
  "%w = arith.muli %pl, %sl : i64\n%fits = arith.cmpi sle, %w, %most : i64\n%small = arith.cmpi slt, %pl, %w : i64\n"  \
  "%both = arith.andi %fits, %small : i1\n%o = arith.muli %p, %s : i32\n%a = tt.addptr %y, %o : !tt.ptr<f32>, i32\n"

static bool is_size(const char *name) {
  for (uint32_t i = 0; i < kernel.recovery->ex->params.count; i++)
    if (!strcmp(kernel.recovery->ex->params.data[i].name, name)) return kernel.recovery->ex->params.data[i].is_size;
  return false;
}

/* A comparison that nothing looks at (a check for overflow that was not asked for) makes no stride a size. */
static void test_idle_comparisons(void **state) {
  (void)state;
  kernel_open_whole("module { tt.func public @checked(%y: !tt.ptr<f32>, %s: i32) {\n%p = tt.get_program_id x : "
                    "i32\n%one = arith.constant 1.0 : f32\n" CHECK_OF_PRODUCT
                    "tt.store %a, %one : !tt.ptr<f32>\ntt.return\n} }\n");
  assert_false(is_size("s"));
  kernel_close();
  kernel_open_whole("module { tt.func public @checked(%y: !tt.ptr<f32>, %s: i32) {\n%p = tt.get_program_id x : "
                    "i32\n%one = arith.constant 1.0 : f32\n" CHECK_OF_PRODUCT
                    "tt.store %a, %one, %both : !tt.ptr<f32>\ntt.return\n} }\n");
  assert_true(is_size("s"));
  kernel_close();
}

/* Lanes i and j, a program id p, and an argument n that is compared in one way. */
#define COMPARED(ops, mask)                                                                                            \
  "module { tt.func public @k(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %n: i32, %m: i32) {\n%p = tt.get_program_id x : "    \
  "i32\n"                                                                                                              \
  "%c0 = arith.constant 0 : i32\n%i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>\n"                \
  "%ps = tt.splat %p : i32 -> tensor<8xi32>\n%ns = tt.splat %n : i32 -> tensor<8xi32>\n%ms = tt.splat %m : i32 -> "    \
  "tensor<8xi32>\n"                                                                                                    \
  "%xs = tt.splat %x : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>\n%xi = tt.addptr %xs, %i : tensor<8x!tt.ptr<i32>>, "     \
  "tensor<8xi32>\n"                                                                                                    \
  "%v = tt.load %xi : tensor<8x!tt.ptr<i32>>\n" ops "%ys = tt.splat %y : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>\n%yi " \
  "= tt.addptr %ys, %i : tensor<8x!tt.ptr<i32>>, tensor<8xi32>\n"                                                      \
  "tt.store %yi, %v, " mask " : tensor<8x!tt.ptr<i32>>\ntt.return\n} }\n"
#define LANES " : tensor<8xi32>\n"

/* n is a size where it bounds an index: not a flag, a threshold of data, a diagonal, the width of a band or a shift. */
static void test_what_is_a_size(void **state) {
  (void)state;
  static const struct {
    const char *kernel;
    bool is_size;
  } cases[] = {
      {COMPARED("%k = arith.cmpi slt, %i, %ns" LANES, "%k"), true},
      {COMPARED("%k = arith.cmpi sgt, %ns, %i" LANES, "%k"), true},
      {COMPARED("%l = arith.constant dense<1> : tensor<8xi32>\n%b = arith.subi %ns, %l" LANES
                "%k = arith.cmpi sle, %i, %b" LANES,
                "%k"),
       true},
      {COMPARED("%b = arith.muli %ns, %ms" LANES "%k = arith.cmpi slt, %i, %b" LANES, "%k"), true},
      {COMPARED("%o = arith.muli %ps, %ns" LANES "%b = arith.addi %o, %ns" LANES "%k = arith.cmpi slt, %i, %b" LANES,
                "%k"),
       true}, /* runs of n */
      {COMPARED("%o = arith.muli %ps, %ms" LANES "%b = arith.addi %o, %ns" LANES "%k = arith.cmpi slt, %i, %b" LANES,
                "%k"),
       false},
      {COMPARED("%b = arith.addi %ns, %ms" LANES "%d = arith.subi %i, %ms" LANES
                "%u = tt.addptr %xs, %d : tensor<8x!tt.ptr<i32>>, tensor<8xi32>\n"
                "%w = tt.load %u : tensor<8x!tt.ptr<i32>>\n%k = arith.cmpi slt, %i, %b" LANES,
                "%k"),
       true}, /* two side by side */
      {COMPARED(
           "%u = tt.addptr %xs, %v : tensor<8x!tt.ptr<i32>>, tensor<8xi32>\n%w = tt.load %u : tensor<8x!tt.ptr<i32>>\n"
           "%k = arith.cmpi slt, %v, %ns" LANES,
           "%k"),
       true}, /* an index that is read */
      {COMPARED("%f = arith.cmpi sgt, %n, %c0 : i32\n%k = tt.splat %f : i1 -> tensor<8xi1>\n", "%k"), false},
      {COMPARED("%f = arith.cmpi sle, %c0, %n : i32\n%k = tt.splat %f : i1 -> tensor<8xi1>\n", "%k"), false},
      {COMPARED(
           "%f = arith.minsi %n, %c0 : i32\n%g = arith.cmpi slt, %f, %m : i32\n%k = tt.splat %g : i1 -> tensor<8xi1>\n",
           "%k"),
       false},
      {COMPARED("%f = arith.cmpi slt, %m, %n : i32\n%k = tt.splat %f : i1 -> tensor<8xi1>\n", "%k"), false},
      {COMPARED("%k = arith.cmpi slt, %v, %ns" LANES, "%k"), false},
      {COMPARED("%q = arith.divsi %v, %ns" LANES "%k = arith.cmpi slt, %q, %i" LANES, "%k"), false},
      {COMPARED("%k = arith.cmpi sge, %i, %ns" LANES, "%k"), false},
      {COMPARED("%b = arith.addi %ps, %ns" LANES "%k = arith.cmpi sle, %i, %b" LANES, "%k"), false},
      {COMPARED("%b = arith.addi %ps, %ns" LANES "%k = arith.cmpi slt, %i, %b" LANES, "%k"), false},
      {COMPARED("%b = arith.addi %ns, %ms" LANES "%k = arith.cmpi slt, %i, %b" LANES, "%k"), false},
      {COMPARED("%d = arith.subi %ps, %i" LANES "%k = arith.cmpi slt, %d, %ns" LANES, "%k"), false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    kernel_open_whole(cases[i].kernel);
    if (is_size("n") != cases[i].is_size) print_message("case %zu\n", i);
    assert_int_equal(is_size("n"), cases[i].is_size);
    kernel_close();
  }
}

/* What nothing uses is not executed: it neither stops the run nor is asked about. A load is an access all the same. */
static void test_unused(void **state) {
  (void)state;
#define STOPPING                                                                                                       \
  "%f = tt.bitcast %xi : tensor<8x!tt.ptr<i32>> -> tensor<8x!tt.ptr<i64>>\n" /* elements of another width */
  kernel_open_whole(COMPARED(STOPPING "%k = arith.cmpi slt, %i, %ns" LANES, "%k"));
  assert_null(kernel.recovery->ex->stop_code);
  assert_int_equal(kernel.recovery->ex->accesses.count, 2);
  kernel_close();
  kernel_open_whole(COMPARED(
      STOPPING "%g = tt.addptr %f, %i : tensor<8x!tt.ptr<i64>>, tensor<8xi32>\n%k = arith.cmpi slt, %i, %ns" LANES,
      "%k"));
  assert_null(kernel.recovery->ex->stop_code);
  kernel_close();
  kernel_open_whole(COMPARED(
      "%g = arith.muli %ns, %ns" LANES "%h = arith.addi %g, %i" LANES "%k = arith.cmpi slt, %i, %ns" LANES, "%k"));
  assert_int_equal(kernel.recovery->ex->ranges.count, 0);
  kernel_close();
  kernel_open_whole(COMPARED("%u = tt.load %xi : tensor<8x!tt.ptr<i32>>\n%k = arith.cmpi slt, %i, %ns" LANES, "%k"));
  assert_int_equal(kernel.recovery->ex->accesses.count, 3);
  kernel_close();
}

/* x[i / 2] for i < n in blocks of 64: one axis, whatever the block is. */
static void test_quotients(void **state) {
  (void)state;
  kernel_open_whole(
      "module { tt.func public @pairs(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {\n%p = tt.get_program_id x : i32\n"
      "%b = arith.constant 64 : i32\n%two = arith.constant dense<2> : tensor<64xi32>\n%s = arith.muli %p, %b : i32\n"
      "%l = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n%ss = tt.splat %s : i32 -> "
      "tensor<64xi32>\n"
      "%i = arith.addi %ss, %l : tensor<64xi32>\n%ns = tt.splat %n : i32 -> tensor<64xi32>\n%m = arith.cmpi slt, %i, "
      "%ns : tensor<64xi32>\n"
      "%h = arith.divsi %i, %two : tensor<64xi32>\n%xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n"
      "%xi = tt.addptr %xs, %h : tensor<64x!tt.ptr<f32>>, tensor<64xi32>\n%v = tt.load %xi, %m : "
      "tensor<64x!tt.ptr<f32>>\n"
      "%ys = tt.splat %y : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n%yi = tt.addptr %ys, %i : tensor<64x!tt.ptr<f32>>, "
      "tensor<64xi32>\n"
      "tt.store %yi, %v, %m : tensor<64x!tt.ptr<f32>>\ntt.return\n} }\n");
  assert_string_equal(extent("x", 0), "(n + 1) // 2");
  assert_string_equal(extent("y", 0), "n");
  assert_true(prove_claim(&kernel.arena, kernel.recovery).proved);
  kernel_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_condition_of_the_launch),
      cmocka_unit_test(test_masked_tile),
      cmocka_unit_test(test_rows_in_runs),
      cmocka_unit_test(test_quotients),
      cmocka_unit_test(test_rows_apart),
      cmocka_unit_test(test_runs_that_overlap),
      cmocka_unit_test(test_idle_comparisons),
      cmocka_unit_test(test_what_is_a_size),
      cmocka_unit_test(test_unused),
      cmocka_unit_test(test_store_after_a_loop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
