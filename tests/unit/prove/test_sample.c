/* Random evaluation: small kernels agree with their own lift, and a lift that was made wrong does not. */
#include "../rounds.h"
#include "kernel.h"

#include <stdlib.h>

#include "formula/formula_bounds.h"
#include "sample/sample.h"

static SampleResult check(void) {
  return sample_check(&kernel.arena, kernel.program, kernel.function, kernel.recovery, NULL);
}

static void expect(SampleStatus status) {
  SampleResult result = check();
  if (result.status != status) print_message("%s\n", result.status == SAMPLE_MISMATCH ? result.output : result.text);
  assert_int_equal(result.status, status);
}

static PointwisePiece *first_piece(void) { return &kernel.recovery->pointwise->outputs.data[0].pieces.data[0]; }

/* y[i] = OP(x[i]) for i < n, in blocks of 64 */
#define MAP(op)                                                                                                        \
  "module { tt.func public @map(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {\n"                                      \
  "%b = arith.constant 64 : i32\n%zero = arith.constant dense<0.0> : tensor<64xf32>\n%p = tt.get_program_id x : i32\n" \
  "%s = arith.muli %p, %b : i32\n%r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n"              \
  "%ss = tt.splat %s : i32 -> tensor<64xi32>\n%i = arith.addi %ss, %r : tensor<64xi32>\n%ns = tt.splat %n : i32 -> "   \
  "tensor<64xi32>\n"                                                                                                   \
  "%m = arith.cmpi slt, %i, %ns : tensor<64xi32>\n%xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n"       \
  "%xi = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>\n%v = tt.load %xi, %m, %zero : "                  \
  "tensor<64x!tt.ptr<f32>>\n"                                                                                          \
  "%ys = tt.splat %y : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n%yi = tt.addptr %ys, %i : tensor<64x!tt.ptr<f32>>, "   \
  "tensor<64xi32>\n" op "tt.store %yi, %w, %m : tensor<64x!tt.ptr<f32>>\ntt.return\n} }\n"

static void test_agrees(void **state) {
  (void)state;
  kernel_open_whole(MAP("%w = math.exp %v : tensor<64xf32>\n"));
  SampleResult result = check();
  assert_int_equal(result.status, SAMPLE_AGREES);
  assert_int_equal(result.trials, SAMPLE_TRIALS);
  assert_true(result.elements > 50);
  assert_true(result.findings.count == 0);
  kernel_close();
}

/* 0/0 that a maximum forgets, and becomes an integer: the kernel has no value there, and the formula is not to blame.
 */
static void test_undefined_value_is_no_mismatch(void **state) {
  (void)state;
  kernel_open_whole(
      MAP("%q = arith.divf %zero, %v : tensor<64xf32>\n%z = arith.subf %v, %v : tensor<64xf32>\n%q1 = arith.divf %v, "
          "%z : tensor<64xf32>\n"
          "%q2 = arith.mulf %q1, %zero : tensor<64xf32>\n%q3 = arith.addf %q2, %v : tensor<64xf32>\n"
          "%q4 = arith.maxnumf %q3, %q : tensor<64xf32>\n%k = arith.fptosi %q4 : tensor<64xf32> to tensor<64xi32>\n"
          "%w = arith.sitofp %k : tensor<64xi32> to tensor<64xf32>\n"));
  assert_int_not_equal(check().status, SAMPLE_MISMATCH);
  kernel_close();
}

/* y[p // 4, i, p % 4] = i for i < x[p // 4]: how many i there are is in memory, and the first extent is tied to the
 * grid. */
#define SPLIT                                                                                                          \
  "module { tt.func public @split(%x: !tt.ptr<i32>, %y: !tt.ptr<f32>, %s0: i32, %s1: i32, %n: i32) {\n"                \
  "%four = arith.constant 4 : i32\n"                                                                                   \
  "%c64 = arith.constant 64 : i32\n"                                                                                   \
  "%c0 = arith.constant 0 : i32\n"                                                                                     \
  "%c1 = arith.constant 1 : i32\n"                                                                                     \
  "%one = arith.constant 1.0 : f32\n"                                                                                  \
  "%p = tt.get_program_id x : i32\n"                                                                                   \
  "%a = arith.divsi %p, %four : i32\n"                                                                                 \
  "%b = arith.remsi %p, %four : i32\n"                                                                                 \
  "%xp = tt.addptr %x, %a : !tt.ptr<i32>, i32\n"                                                                       \
  "%k = tt.load %xp : !tt.ptr<i32>\n"                                                                                  \
  "%o0 = arith.muli %a, %s0 : i32\n"                                                                                   \
  "%y0 = tt.addptr %y, %o0 : !tt.ptr<f32>, i32\n"                                                                      \
  "%y2 = tt.addptr %y0, %b : !tt.ptr<f32>, i32\n"                                                                      \
  "scf.for %i = %c0 to %k step %c1 : i32 {\n"                                                                          \
  "%o1 = arith.muli %i, %s1 : i32\n"                                                                                   \
  "%y1 = tt.addptr %y2, %o1 : !tt.ptr<f32>, i32\n"                                                                     \
  "%f = arith.sitofp %i : i32 to f32\n"                                                                                \
  "tt.store %y1, %f : !tt.ptr<f32>\n"                                                                                  \
  "}\n"                                                                                                                \
  "tt.return\n"                                                                                                        \
  "} }\n"

static int64_t size_of(const SampleWitness *w, const char *name) {
  for (uint32_t i = 0; i < w->sizes.count; i++)
    if (!strcmp(w->sizes.data[i].name, name)) return strtoll(w->sizes.data[i].value, NULL, 10);
  return 0;
}

enum { SEEDS = 30 };

/* An extent that grows with what is in memory does not leave what was assumed of the launch. */
static void test_growth_keeps_assumptions(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= (uint64_t)rounds_of(SEEDS); seed++) {
    kernel_open_whole(SPLIT);
    SampleOptions options = {.trials = 8, .seed = seed};
    SampleResult result = sample_check(&kernel.arena, kernel.program, kernel.function, kernel.recovery, &options);
    if (result.status == SAMPLE_MISMATCH)
      assert_int_equal(size_of(&result.witness, "grid_x"), 4 * size_of(&result.witness, "grid_x_d0"));
    kernel_close();
  }
}

/* y = the first k with a[k] + b[k] - c[k] at its greatest: what is equal in the kernel is equal in the formula. */
#define ARGMAX_OF_SUM                                                                                                  \
  "module {\n"                                                                                                         \
  "tt.func public @am(%x_ptr: !tt.ptr<f32>, %b_ptr: !tt.ptr<f32>, %c_ptr: !tt.ptr<f32>, %y_ptr: !tt.ptr<i32>, %n: "    \
  "i32) attributes {noinline = false} {\n"                                                                             \
  "%cst = arith.constant dense<0.000000e+00> : tensor<64xf32>\n"                                                       \
  "%v = arith.constant dense<3.000000e-01> : tensor<64xf32>\n"                                                         \
  "%cst_0 = arith.constant dense<0xFF800000> : tensor<64xf32>\n"                                                       \
  "%row = tt.get_program_id x : i32\n"                                                                                 \
  "%k = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n"                                            \
  "%m = tt.splat %n : i32 -> tensor<64xi32>\n"                                                                         \
  "%m_1 = arith.cmpi slt, %k, %m : tensor<64xi32>\n"                                                                   \
  "%v_2 = arith.muli %row, %n : i32\n"                                                                                 \
  "%v_3 = tt.addptr %x_ptr, %v_2 : !tt.ptr<f32>, i32\n"                                                                \
  "%v_4 = tt.splat %v_3 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n"                                                   \
  "%v_5 = tt.addptr %v_4, %k : tensor<64x!tt.ptr<f32>>, tensor<64xi32>\n"                                              \
  "%v_6 = tt.load %v_5, %m_1, %cst_0 : tensor<64x!tt.ptr<f32>>\n"                                                      \
  "%v_7 = arith.mulf %v_6, %v : tensor<64xf32>\n"                                                                      \
  "%v_8 = tt.splat %b_ptr : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n"                                                 \
  "%v_9 = tt.addptr %v_8, %k : tensor<64x!tt.ptr<f32>>, tensor<64xi32>\n"                                              \
  "%v_10 = tt.load %v_9, %m_1, %cst : tensor<64x!tt.ptr<f32>>\n"                                                       \
  "%v_11 = arith.addf %v_7, %v_10 : tensor<64xf32>\n"                                                                  \
  "%v_12 = tt.splat %c_ptr : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n"                                                \
  "%v_13 = tt.addptr %v_12, %k : tensor<64x!tt.ptr<f32>>, tensor<64xi32>\n"                                            \
  "%v_14 = tt.load %v_13, %m_1, %cst : tensor<64x!tt.ptr<f32>>\n"                                                      \
  "%v_15 = arith.subf %v_11, %v_14 : tensor<64xf32>\n"                                                                 \
  "%v_16 = arith.select %m_1, %v_15, %cst_0 : tensor<64xi1>, tensor<64xf32>\n"                                         \
  "%top = \"tt.reduce\"(%v_16) <{axis = 0 : i32}> ({\n"                                                                \
  "^bb0(%top_20: f32, %top_21: f32):\n"                                                                                \
  "%top_22 = arith.maxnumf %top_20, %top_21 : f32\n"                                                                   \
  "tt.reduce.return %top_22 : f32\n"                                                                                   \
  "}) : (tensor<64xf32>) -> f32\n"                                                                                     \
  "%i = tt.splat %top : f32 -> tensor<64xf32>\n"                                                                       \
  "%i_17 = arith.cmpf oeq, %v_16, %i : tensor<64xf32>\n"                                                               \
  "%i_18 = arith.select %i_17, %k, %m : tensor<64xi1>, tensor<64xi32>\n"                                               \
  "%i_19 = \"tt.reduce\"(%i_18) <{axis = 0 : i32}> ({\n"                                                               \
  "^bb0(%i_20: i32, %i_21: i32):\n"                                                                                    \
  "%i_22 = arith.minsi %i_20, %i_21 : i32\n"                                                                           \
  "tt.reduce.return %i_22 : i32\n"                                                                                     \
  "}) : (tensor<64xi32>) -> i32\n"                                                                                     \
  "%0 = tt.addptr %y_ptr, %row : !tt.ptr<i32>, i32\n"                                                                  \
  "tt.store %0, %i_19 : !tt.ptr<i32>\n"                                                                                \
  "tt.return\n"                                                                                                        \
  "}\n"                                                                                                                \
  "}\n"

static void test_rounding_decides_nothing(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= (uint64_t)rounds_of(SEEDS); seed++) {
    kernel_open_whole(ARGMAX_OF_SUM);
    SampleOptions options = {.trials = 6, .seed = seed};
    assert_int_not_equal(sample_check(&kernel.arena, kernel.program, kernel.function, kernel.recovery, &options).status,
                         SAMPLE_MISMATCH);
    kernel_close();
  }
}

static void test_wrong_value(void **state) {
  (void)state;
  kernel_open_whole(MAP("%w = math.exp %v : tensor<64xf32>\n"));
  TermTable *tt = kernel.recovery->ex->tt;
  first_piece()->value = term_mul(tt, first_piece()->value, term_float(tt, 1 + 1e-6));
  SampleResult result = check();
  assert_int_equal(result.status, SAMPLE_MISMATCH);
  assert_string_equal(result.output, "y");
  assert_int_equal(result.witness.inputs.count, 1);
  assert_string_not_equal(result.witness.left, result.witness.right);
  kernel_close();
}

static void test_wrong_region(void **state) {
  (void)state;
  for (int more = 0; more < 2; more++) {
    kernel_open_whole(MAP("%w = math.exp %v : tensor<64xf32>\n"));
    Pointwise *p = kernel.recovery->pointwise;
    Term *extent = &p->tensors.data[p->outputs.data[0].tensor].extent[0];
    if (more)
      *extent = term_add(p->tt, *extent, p->tt->one); /* an element that is not written */
    else
      first_piece()->region = term_le(p->tt, p->tt->one, p->outputs.data[0].index[0]);
    expect(SAMPLE_MISMATCH);
    kernel_close();
  }
}

/* exp(exp(exp(x))) is beyond doubles for large x, and exp(-exp(exp(x))) below them. */
static void test_beyond_doubles(void **state) {
  (void)state;
  kernel_open_whole(
      MAP("%a = math.exp %v : tensor<64xf32>\n%c = math.exp %a : tensor<64xf32>\n%w = math.exp %c : tensor<64xf32>\n"));
  expect(SAMPLE_AGREES);
  kernel_close();
  kernel_open_whole(MAP("%a = math.exp %v : tensor<64xf32>\n%c = math.exp %a : tensor<64xf32>\n%d = arith.subf %zero, "
                        "%c : tensor<64xf32>\n"
                        "%w = math.exp %d : tensor<64xf32>\n"));
  expect(SAMPLE_AGREES);
  kernel_close();
}

/* log is undefined for half of the inputs: others are drawn. */
static void test_other_domains(void **state) {
  (void)state;
  kernel_open_whole(MAP("%w = math.log %v : tensor<64xf32>\n"));
  expect(SAMPLE_AGREES);
  kernel_close();
  kernel_open_whole(MAP("%a = arith.subf %zero, %v : tensor<64xf32>\n%c = math.absf %a : tensor<64xf32>\n%d = "
                        "arith.subf %zero, %c : tensor<64xf32>\n"
                        "%w = math.log %d : tensor<64xf32>\n"));
  expect(SAMPLE_NOT_EVALUATED); /* nowhere defined */
  kernel_close();
}

/* Elements that nothing was accumulated into are not written, and keep their value. */
static void test_accumulation(void **state) {
  (void)state;
  kernel_open_whole(
      "module { tt.func public @count(%ids: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i32) {\n"
      "%b = arith.constant 16 : i32\n%one = arith.constant dense<1> : tensor<16xi32>\n%zero = arith.constant dense<0> "
      ": tensor<16xi32>\n"
      "%p = tt.get_program_id x : i32\n%s = arith.muli %p, %b : i32\n%r = tt.make_range {end = 16 : i32, start = 0 : "
      "i32} : tensor<16xi32>\n"
      "%ss = tt.splat %s : i32 -> tensor<16xi32>\n%i = arith.addi %ss, %r : tensor<16xi32>\n%ns = tt.splat %n : i32 -> "
      "tensor<16xi32>\n"
      "%m = arith.cmpi slt, %i, %ns : tensor<16xi32>\n%xs = tt.splat %ids : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>\n"
      "%xi = tt.addptr %xs, %i : tensor<16x!tt.ptr<i32>>, tensor<16xi32>\n%v = tt.load %xi, %m, %zero : "
      "tensor<16x!tt.ptr<i32>>\n"
      "%ys = tt.splat %out : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>\n%yi = tt.addptr %ys, %v : "
      "tensor<16x!tt.ptr<i32>>, tensor<16xi32>\n"
      "%w = tt.atomic_rmw add, relaxed, gpu, %yi, %one, %m : (tensor<16x!tt.ptr<i32>>, tensor<16xi32>, tensor<16xi1>) "
      "-> tensor<16xi32>\n"
      "tt.return\n} }\n");
  expect(SAMPLE_AGREES);
  TermTable *tt = kernel.recovery->ex->tt;
  first_piece()->value = term_add(tt, first_piece()->value, tt->one);
  expect(SAMPLE_MISMATCH);
  kernel_close();
}

/* x[n * p + lane] over a flat x whose extent no argument gives: drawn as large as is needed. */
static void test_open_extent(void **state) {
  (void)state;
  kernel_open_whole("module { tt.func public @flat(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32, %k: i32) {\n"
                    "%p = tt.get_program_id x : i32\n%s = arith.muli %p, %n : i32\n%t = arith.muli %s, %k : i32\n%u = "
                    "arith.addi %t, %s : i32\n"
                    "%xi = tt.addptr %x, %u : !tt.ptr<f32>, i32\n%v = tt.load %xi : !tt.ptr<f32>\n%yi = tt.addptr %y, "
                    "%p : !tt.ptr<f32>, i32\n"
                    "tt.store %yi, %v : !tt.ptr<f32>\ntt.return\n} }\n");
  SampleResult result = check();
  assert_int_equal(result.status, SAMPLE_AGREES);
  assert_int_equal(result.findings.count, 0);
  kernel_close();
}

/* Elements beyond the second block alone are written: small launches show nothing of them, and larger ones are made. */
static void test_far_elements(void **state) {
  (void)state;
  for (int wrong = 0; wrong < 2; wrong++) {
    kernel_open_whole("module { tt.func public @far(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {\n"
                      "%b = arith.constant 64 : i32\n%zero = arith.constant dense<0.0> : tensor<64xf32>\n%least = "
                      "arith.constant dense<140> : tensor<64xi32>\n"
                      "%p = tt.get_program_id x : i32\n%s = arith.muli %p, %b : i32\n%r = tt.make_range {end = 64 : "
                      "i32, start = 0 : i32} : tensor<64xi32>\n"
                      "%ss = tt.splat %s : i32 -> tensor<64xi32>\n%i = arith.addi %ss, %r : tensor<64xi32>\n%ns = "
                      "tt.splat %n : i32 -> tensor<64xi32>\n"
                      "%lt = arith.cmpi slt, %i, %ns : tensor<64xi32>\n%ge = arith.cmpi sge, %i, %least : "
                      "tensor<64xi32>\n%m = arith.andi %lt, %ge : tensor<64xi1>\n"
                      "%xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n%xi = tt.addptr %xs, %i : "
                      "tensor<64x!tt.ptr<f32>>, tensor<64xi32>\n"
                      "%v = tt.load %xi, %m, %zero : tensor<64x!tt.ptr<f32>>\n%ys = tt.splat %y : !tt.ptr<f32> -> "
                      "tensor<64x!tt.ptr<f32>>\n"
                      "%yi = tt.addptr %ys, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>\ntt.store %yi, %v, %m : "
                      "tensor<64x!tt.ptr<f32>>\ntt.return\n} }\n");
    if (wrong)
      first_piece()->value = term_add(kernel.recovery->ex->tt, first_piece()->value, kernel.recovery->ex->tt->one);
    expect(wrong ? SAMPLE_MISMATCH : SAMPLE_AGREES);
    kernel_close();
  }
}

/* y[p] = sum of x[p, i] for i < n, by a loop over tiles of 1024. */
#define TILES                                                                                                          \
  "module { tt.func public @tiles(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {\n"                                    \
  "%b = arith.constant 1024 : i32\n%c0 = arith.constant 0 : i32\n%none = arith.constant 0.0 : f32\n%zero = "           \
  "arith.constant dense<0.0> : tensor<1024xf32>\n"                                                                     \
  "%p = tt.get_program_id x : i32\n%o = arith.muli %p, %n : i32\n%row = tt.addptr %x, %o : !tt.ptr<f32>, i32\n"        \
  "%r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>\n%ns = tt.splat %n : i32 -> "             \
  "tensor<1024xi32>\n"                                                                                                 \
  "%xs = tt.splat %row : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>\n"                                                  \
  "%all = scf.for %t = %c0 to %n step %b iter_args(%sum = %none) -> (f32) : i32 {\n"                                   \
  "%ts = tt.splat %t : i32 -> tensor<1024xi32>\n%i = arith.addi %ts, %r : tensor<1024xi32>\n%m = arith.cmpi slt, %i, " \
  "%ns : tensor<1024xi32>\n"                                                                                           \
  "%xi = tt.addptr %xs, %i : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>\n%v = tt.load %xi, %m, %zero : "              \
  "tensor<1024x!tt.ptr<f32>>\n"                                                                                        \
  "%part = \"tt.reduce\"(%v) <{axis = 0 : i32}> ({\n^bb0(%a: f32, %c: f32):\n%d = arith.addf %a, %c : "                \
  "f32\ntt.reduce.return %d : f32\n}) : (tensor<1024xf32>) -> f32\n"                                                   \
  "%more = arith.addf %sum, %part : f32\nscf.yield %more : f32\n}\n"                                                   \
  "%yi = tt.addptr %y, %p : !tt.ptr<f32>, i32\ntt.store %yi, %all : !tt.ptr<f32>\ntt.return\n} }\n"

/* Right for one tile, or for two, and wrong from then on: every loop is gone through several times. */
static void test_several_tiles(void **state) {
  (void)state;
  for (int right = 0; right <= 3; right++) {
    kernel_open_whole(TILES);
    Effects *ex = kernel.recovery->ex;
    assert_int_equal(ex->loops.count, 1);
    Term beyond = term_max(ex->tt, ex->tt->zero, term_sub(ex->tt, ex->loops.data[0].trips, term_int(ex->tt, right)));
    if (right) first_piece()->value = term_add(ex->tt, first_piece()->value, beyond);
    expect(right == 1 || right == 2 ? SAMPLE_MISMATCH : SAMPLE_AGREES); /* a fourth tile is not asked for */
    SampleResult early = sample_check(&kernel.arena, kernel.program, kernel.function, kernel.recovery,
                                      &(SampleOptions){.before_proof = true});
    assert_true(early.has_left); /* so large a launch waits for the proof */
    assert_false(check().has_left);
    kernel_close();
  }
}

/* y[p*n + i] = x[p*n + i] for i < n */
#define ROWS                                                                                                           \
  "module { tt.func public @rows(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {\n%p = tt.get_program_id x : i32\n%s "  \
  "= arith.muli %p, %n : i32\n"                                                                                        \
  "%r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n%ns = tt.splat %n : i32 -> tensor<64xi32>\n" \
  "%m = arith.cmpi slt, %r, %ns : tensor<64xi32>\n%ss = tt.splat %s : i32 -> tensor<64xi32>\n%i = arith.addi %ss, %r " \
  ": tensor<64xi32>\n"                                                                                                 \
  "%xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n%xi = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, "   \
  "tensor<64xi32>\n"                                                                                                   \
  "%v = tt.load %xi, %m : tensor<64x!tt.ptr<f32>>\n%ys = tt.splat %y : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n"      \
  "%yi = tt.addptr %ys, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>\ntt.store %yi, %v, %m : "                         \
  "tensor<64x!tt.ptr<f32>>\ntt.return\n} }\n"

/* The same address by an index of another row, x[i - 1, j + n]: random evaluation agrees, and such a place is nothing
 * to assume. */
static void test_another_row(void **state) {
  (void)state;
  for (int rows = 0; rows < 2; rows++) {
    kernel_open_whole(ROWS);
    const Pointwise *p = kernel.recovery->pointwise;
    const PointwiseOutput *y = &p->outputs.data[0];
    Term index[] = {term_sub(p->tt, y->index[0], term_int(p->tt, rows)),
                    term_add(p->tt, y->index[1], term_scale(p->tt, rational_int(rows), p->tensors.data[0].extent[1]))};
    first_piece()->value = term_read(p->tt, p->tensors.data[0].symbol, SORT_REAL, 2, index);
    SampleResult result = check();
    uint32_t assumptions = kernel.recovery->assumptions.count;
    assert_int_equal(result.status, SAMPLE_AGREES);
    assert_int_equal(result.strays, rows ? SAMPLE_BIT(0) : 0);
    assert_true((formula_assume_rows(kernel.recovery, &result) != NULL) == (rows == 1));
    assert_int_equal(kernel.recovery->assumptions.count, assumptions);
    kernel_close();
  }
}

/* y[4*(p // 16) + 2*(p % 2) + p // 2 % 2] = x[..]: what the last programs write depends on both parts of their number.
 */
#define PARTS                                                                                                          \
  "module { tt.func public @parts(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {\n%two = arith.constant 2 : i32\n%four = "      \
  "arith.constant 4 : i32\n"                                                                                           \
  "%sixteen = arith.constant 16 : i32\n%p = tt.get_program_id x : i32\n%a = arith.remsi %p, %two : i32\n%h = "         \
  "arith.divsi %p, %two : i32\n"                                                                                       \
  "%b = arith.remsi %h, %two : i32\n%c = arith.divsi %p, %sixteen : i32\n%c4 = arith.muli %c, %four : i32\n%a2 = "     \
  "arith.muli %a, %two : i32\n"                                                                                        \
  "%s = arith.addi %c4, %a2 : i32\n%o = arith.addi %s, %b : i32\n%xi = tt.addptr %x, %o : !tt.ptr<f32>, i32\n%v = "    \
  "tt.load %xi : !tt.ptr<f32>\n"                                                                                       \
  "%yi = tt.addptr %y, %o : !tt.ptr<f32>, i32\ntt.store %yi, %v : !tt.ptr<f32>\ntt.return\n} }\n"

static void test_parts_of_a_program(void **state) {
  (void)state;
  kernel_open_whole(PARTS);
  SampleResult result =
      sample_check(&kernel.arena, kernel.program, kernel.function, kernel.recovery, &(SampleOptions){.trials = 20});
  assert_int_equal(result.status, SAMPLE_AGREES);
  first_piece()->region = kernel.recovery->pointwise->tt->true_; /* all places of the last group */
  result =
      sample_check(&kernel.arena, kernel.program, kernel.function, kernel.recovery, &(SampleOptions){.trials = 20});
  assert_int_equal(result.status, SAMPLE_MISMATCH);
  kernel_close();
}

static void test_same_seed(void **state) {
  (void)state;
  kernel_open_whole(MAP("%w = math.exp %v : tensor<64xf32>\n"));
  SampleResult first = check(), second = check();
  assert_string_equal(first.text, second.text);
  SampleResult other = sample_check(&kernel.arena, kernel.program, kernel.function, kernel.recovery,
                                    &(SampleOptions){.trials = 9, .seed = 5});
  assert_int_equal(other.status, SAMPLE_AGREES);
  assert_int_equal(other.trials, 9);
  assert_string_not_equal(first.text, other.text);
  kernel_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_agrees),
      cmocka_unit_test(test_rounding_decides_nothing),
      cmocka_unit_test(test_growth_keeps_assumptions),
      cmocka_unit_test(test_undefined_value_is_no_mismatch),
      cmocka_unit_test(test_wrong_value),
      cmocka_unit_test(test_wrong_region),
      cmocka_unit_test(test_beyond_doubles),
      cmocka_unit_test(test_other_domains),
      cmocka_unit_test(test_accumulation),
      cmocka_unit_test(test_open_extent),
      cmocka_unit_test(test_far_elements),
      cmocka_unit_test(test_several_tiles),
      cmocka_unit_test(test_another_row),
      cmocka_unit_test(test_parts_of_a_program),
      cmocka_unit_test(test_same_seed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
