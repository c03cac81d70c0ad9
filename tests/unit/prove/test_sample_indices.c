/* Integers in memory that decide what is accessed: launches are drawn whose integers fit, kernels agree with their lift
 * there at many elements, and a lift that was made wrong does not. */
#include "../rounds.h"
#include "kernel.h"

#include "sample/sample.h"

static SampleResult check(uint64_t seed) {
  return sample_check(&kernel.arena, kernel.program, kernel.function, kernel.recovery, &(SampleOptions){.seed = seed});
}

/* y = 2*x over the elements at %i that %m leaves. */
#define MAP_ELEMENTS                                                                                                   \
  "%xs = tt.splat %x : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>\n%xi = tt.addptr %xs, %i : tensor<16x!tt.ptr<f32>>, "   \
  "tensor<16xi32>\n"                                                                                                   \
  "%v = tt.load %xi, %m, %zero : tensor<16x!tt.ptr<f32>>\n%w = arith.addf %v, %v : tensor<16xf32>\n"                   \
  "%ys = tt.splat %y : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>\n%yi = tt.addptr %ys, %i : tensor<16x!tt.ptr<f32>>, "   \
  "tensor<16xi32>\n"                                                                                                   \
  "tt.store %yi, %w, %m : tensor<16x!tt.ptr<f32>>\n"

#define START                                                                                                          \
  "%zero = arith.constant dense<0.0> : tensor<16xf32>\n%one = arith.constant 1 : i32\n%two = arith.constant 2 : i32\n" \
  "%sixteen = arith.constant 16 : i32\n%p = tt.get_program_id x : i32\n%r = tt.make_range {end = 16 : i32, start = 0 " \
  ": i32} : tensor<16xi32>\n"

/* Elements cu[q] + o + lane, below cu[q + 1]. */
#define RANGE                                                                                                          \
  "%ca = tt.addptr %cu, %q : !tt.ptr<i32>, i32\n%a = tt.load %ca : !tt.ptr<i32>\n%cb = tt.addptr %ca, %one : "         \
  "!tt.ptr<i32>, i32\n"                                                                                                \
  "%b = tt.load %cb : !tt.ptr<i32>\n%s = arith.addi %a, %o : i32\n%ss = tt.splat %s : i32 -> tensor<16xi32>\n"         \
  "%i = arith.addi %ss, %r : tensor<16xi32>\n%bs = tt.splat %b : i32 -> tensor<16xi32>\n%m = arith.cmpi slt, %i, %bs " \
  ": tensor<16xi32>\n"

#define RANGES                                                                                                         \
  "module { tt.func public @ranges(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %cu: !tt.ptr<i32>) {\n" START                   \
  "%q = arith.muli %p, %one : i32\n%o = arith.constant 0 : i32\n" RANGE MAP_ELEMENTS "tt.return\n} }\n"

/* A list of chunks: the number of the range, and of the chunk in it. */
#define CHUNKS                                                                                                         \
  "module { tt.func public @chunks(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %cu: !tt.ptr<i32>, %list: !tt.ptr<i32>) "       \
  "{\n" START                                                                                                          \
  "%p2 = arith.muli %p, %two : i32\n%lp = tt.addptr %list, %p2 : !tt.ptr<i32>, i32\n%q = tt.load %lp : !tt.ptr<i32>\n" \
  "%lq = tt.addptr %lp, %one : !tt.ptr<i32>, i32\n%t = tt.load %lq : !tt.ptr<i32>\n%o = arith.muli %t, %sixteen : "    \
  "i32\n" RANGE MAP_ELEMENTS "tt.return\n} }\n"

/* Pages of 16 elements; no mask. */
#define PAGES                                                                                                          \
  "module { tt.func public @pages(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %table: !tt.ptr<i64>) {\n" START                 \
  "%tp = tt.addptr %table, %p : !tt.ptr<i64>, i32\n%t = tt.load %tp : !tt.ptr<i64>\n%t32 = arith.trunci %t : i64 to "  \
  "i32\n"                                                                                                              \
  "%o = arith.muli %t32, %sixteen : i32\n%ss = tt.splat %o : i32 -> tensor<16xi32>\n%i = arith.addi %ss, %r : "        \
  "tensor<16xi32>\n"                                                                                                   \
  "%m = arith.constant dense<true> : tensor<16xi1>\n" MAP_ELEMENTS "tt.return\n} }\n"

/* Sorted tokens: an element of the list says which row a lane works on; what is n or more is padding. */
#define TOKENS                                                                                                         \
  "module { tt.func public @tokens(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %list: !tt.ptr<i32>, %n: i32) {\n" START        \
  "%s = arith.muli %p, %sixteen : i32\n%ss = tt.splat %s : i32 -> tensor<16xi32>\n%e = arith.addi %ss, %r : "          \
  "tensor<16xi32>\n"                                                                                                   \
  "%ls = tt.splat %list : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>\n%le = tt.addptr %ls, %e : "                         \
  "tensor<16x!tt.ptr<i32>>, tensor<16xi32>\n"                                                                          \
  "%i = tt.load %le : tensor<16x!tt.ptr<i32>>\n%ns = tt.splat %n : i32 -> tensor<16xi32>\n%m = arith.cmpi slt, %i, "   \
  "%ns : tensor<16xi32>\n" MAP_ELEMENTS "tt.return\n} }\n"

/* How many elements of a row there are is in memory. */
#define LENGTHS                                                                                                        \
  "module { tt.func public @lengths(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %len: !tt.ptr<i32>) {\n" START                 \
  "%f0 = arith.constant 0.0 : f32\n%c0 = arith.constant 0 : i32\n%lp = tt.addptr %len, %p : !tt.ptr<i32>, i32\n"       \
  "%n = tt.load %lp : !tt.ptr<i32>\n%row = arith.muli %p, %sixteen : i32\n%xr = tt.addptr %x, %row : !tt.ptr<f32>, "   \
  "i32\n"                                                                                                              \
  "%sum = scf.for %k = %c0 to %n step %one iter_args(%acc = %f0) -> (f32) : i32 {\n"                                   \
  "%xk = tt.addptr %xr, %k : !tt.ptr<f32>, i32\n%v = tt.load %xk : !tt.ptr<f32>\n%next = arith.addf %acc, %v : f32\n"  \
  "scf.yield %next : f32\n}\n%yp = tt.addptr %y, %p : !tt.ptr<f32>, i32\ntt.store %yp, %sum : "                        \
  "!tt.ptr<f32>\ntt.return\n} }\n"

static const char *const kernels[] = {RANGES, CHUNKS, PAGES, TOKENS, LENGTHS};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static void test_agrees(void **state) {
  (void)state;
  for (uint32_t k = 0; k < KERNELS; k++)
    for (int seed = 0; seed < rounds_of(8); seed++) {
      kernel_open_whole(kernels[k]);
      SampleResult result = check(seed);
      if (result.status != SAMPLE_AGREES || result.elements < 8)
        print_message("kernel %u: %s\n", k, result.text ? result.text : "mismatch");
      assert_int_equal(result.status, SAMPLE_AGREES);
      assert_true(result.elements >= 8);
      kernel_close();
    }
}

static void test_wrong_value(void **state) {
  (void)state;
  for (uint32_t k = 0; k < KERNELS; k++)
    for (uint64_t seed = 0; seed < 4; seed++) {
      kernel_open_whole(kernels[k]);
      TermTable *tt = kernel.recovery->ex->tt;
      PointwisePiece *piece = &kernel.recovery->pointwise->outputs.data[0].pieces.data[0];
      piece->value = term_add(tt, piece->value, term_float(tt, 1e-3));
      assert_int_equal(check(seed).status, SAMPLE_MISMATCH);
      kernel_close();
    }
}

/* The last element of a range left out; elements that no chunk of the list covers put in. */
static void test_wrong_region(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 2; k++)
    for (int more = 0; more < (k ? 2 : 1); more++) {
      kernel_open_whole(kernels[k]);
      Pointwise *p = kernel.recovery->pointwise;
      PointwiseOutput *o = &p->outputs.data[0];
      PointwisePiece *piece = &o->pieces.data[0];
      Term next = term_add(p->tt, o->index[0], p->tt->one),
           moved = term_replace(p->tt, piece->region, o->index[0], next);
      piece->region = more ? p->tt->true_ : term_and(p->tt, piece->region, moved);
      assert_int_equal(check(3).status, SAMPLE_MISMATCH);
      kernel_close();
    }
}

/* The first program looks at the element before the first: its mask is undefined, and what it stores no fault of the
 * formula. */
static void test_undefined_mask_is_no_mismatch(void **state) {
  (void)state;
  for (int seed = 0; seed < rounds_of(8); seed++) {
    kernel_open_whole(
        "module { tt.func public @before(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %len: !tt.ptr<i32>) {\n" START
        "%q = arith.subi %p, %one : i32\n%lp = tt.addptr %len, %q : !tt.ptr<i32>, i32\n%n = tt.load %lp : "
        "!tt.ptr<i32>\n"
        "%s = arith.muli %p, %sixteen : i32\n%ss = tt.splat %s : i32 -> tensor<16xi32>\n%i = arith.addi %ss, %r : "
        "tensor<16xi32>\n"
        "%ns = tt.splat %n : i32 -> tensor<16xi32>\n%m = arith.cmpi slt, %r, %ns : tensor<16xi32>\n" MAP_ELEMENTS
        "tt.return\n} }\n");
    assert_int_not_equal(check(seed).status, SAMPLE_MISMATCH);
    kernel_close();
  }
}

static void test_same_seed(void **state) {
  (void)state;
  kernel_open_whole(CHUNKS);
  SampleResult first = check(1), second = check(1), other = check(2);
  assert_string_equal(first.text, second.text);
  assert_string_not_equal(first.text, other.text);
  kernel_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_agrees),       cmocka_unit_test(test_wrong_value),
      cmocka_unit_test(test_wrong_region), cmocka_unit_test(test_undefined_mask_is_no_mismatch),
      cmocka_unit_test(test_same_seed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
