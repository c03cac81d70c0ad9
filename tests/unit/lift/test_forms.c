/* Forms that kernels of other authors have: small kernels of our own that show one each, through the whole pipeline.
 * The answer is compared by what it says, not to the letter: a verdict, and parts that the report must or must not
 * have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "assay/assay.h"

typedef struct Form {
  const char *kernel;
  AssayVerdict verdict;
  const char *says[4], *never[2];
} Form;

static void expect(const Form *form) {
  AssayContext *context;
  AssayResult *result;
  AssayInput input = {.path = "form.ttir", .text = form->kernel, .size = strlen(form->kernel)};
  assert_int_equal(assay_context_new(&context), ASSAY_OK);
  assert_int_equal(assay_lift(&result, context, &input, 1, NULL), ASSAY_OK);
  const char *text = assay_result_json(result);
  if (assay_result_verdict(result) != form->verdict) print_message("%s\n", text);
  assert_int_equal(assay_result_verdict(result), form->verdict);
  for (int i = 0; i < 4 && form->says[i]; i++) {
    if (!strstr(text, form->says[i])) print_message("%s\nis not in %s\n", form->says[i], text);
    assert_non_null(strstr(text, form->says[i]));
  }
  for (int i = 0; i < 2 && form->never[i]; i++) assert_null(strstr(text, form->never[i]));
  assay_context_free(context);
}

/* y[i] = OP(x[i]) for i < n, in blocks of 64; masked lanes of x are OTHER. */
#define MAP(other, op)                                                                                                 \
  "module { tt.func public @map(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {\n"                                      \
  "%b = arith.constant 64 : i32\n%other = arith.constant dense<" other                                                 \
  "> : tensor<64xf32>\n%p = tt.get_program_id x : i32\n"                                                               \
  "%s = arith.muli %p, %b : i32\n%r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n"              \
  "%ss = tt.splat %s : i32 -> tensor<64xi32>\n%i = arith.addi %ss, %r : tensor<64xi32>\n%ns = tt.splat %n : i32 -> "   \
  "tensor<64xi32>\n"                                                                                                   \
  "%m = arith.cmpi slt, %i, %ns : tensor<64xi32>\n%xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n"       \
  "%xi = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>\n%v = tt.load %xi, %m, %other : "                 \
  "tensor<64x!tt.ptr<f32>>\n"                                                                                          \
  "%ys = tt.splat %y : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n%yi = tt.addptr %ys, %i : tensor<64x!tt.ptr<f32>>, "   \
  "tensor<64xi32>\n" op "tt.store %yi, %w, %m : tensor<64x!tt.ptr<f32>>\ntt.return\n} }\n"

/* The least f32, the least that is normal, and one that is not; the least f64: none is a fraction of two 128-bit
 * integers. */
static void test_far_literals(void **state) {
  (void)state;
  static const Form forms[] = {
      {MAP("0.0",
           "%c = arith.constant dense<-3.40282347E+38> : tensor<64xf32>\n%w = arith.maxnumf %v, %c : tensor<64xf32>\n"),
       ASSAY_PROVED,
       {"\"text\": \"maximum(x, -3.4028235e+38)\""},
       {NULL}},
      {MAP("0.0",
           "%c = arith.constant dense<1.17549435E-38> : tensor<64xf32>\n%w = arith.addf %v, %c : tensor<64xf32>\n"),
       ASSAY_PROVED,
       {"\"text\": \"x + 1.1754944e-38\""},
       {NULL}},
      {MAP("0.0", "%c = arith.constant dense<9.99994610E-41> : tensor<64xf32>\n%a = math.absf %v : tensor<64xf32>\n%d "
                  "= arith.addf %a, %c : tensor<64xf32>\n"
                  "%w = arith.divf %v, %d : tensor<64xf32>\n"),
       ASSAY_PROVED,
       {"1e-40", "\"safety\": \"proved\""},
       {NULL}},
      {MAP("0.0", "%c = arith.constant dense<2.0E+38> : tensor<64xf32>\n%k = arith.constant dense<1.17549435E-38> : "
                  "tensor<64xf32>\n"
                  "%q = arith.mulf %v, %c : tensor<64xf32>\n%w = arith.mulf %q, %k : tensor<64xf32>\n"),
       ASSAY_PROVED,
       {"\"verdict\": \"proved\""},
       {"e+38"}},
  };
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) expect(&forms[i]);
}

/* y[i] += x[i] + t in a loop: an iteration reads what the one before has stored. */
static void test_sum_in_memory(void **state) {
  (void)state;
#define SUM_IN_MEMORY(trips)                                                                                           \
  MAP("0.0", "%c0 = arith.constant 0 : i32\n%c1 = arith.constant 1 : i32\n%t = arith.constant " trips " : i32\n"       \
             "scf.for %k = %c0 to %t step %c1 : i32 {\n%old = tt.load %yi, %m, %other : tensor<64x!tt.ptr<f32>>\n"     \
             "%f = arith.sitofp %k : i32 to f32\n%fs = tt.splat %f : f32 -> tensor<64xf32>\n%a = arith.addf %old, %v " \
             ": tensor<64xf32>\n"                                                                                      \
             "%z = arith.addf %a, %fs : tensor<64xf32>\ntt.store %yi, %z, %m : tensor<64x!tt.ptr<f32>>\n}\n"           \
             "%w = tt.load %yi, %m, %other : tensor<64x!tt.ptr<f32>>\n")
  static const Form forms[] = {
      {SUM_IN_MEMORY("3"), ASSAY_PROVED, {"\"text\": \"3 + 3 * x + y\""}, {NULL}},
      {SUM_IN_MEMORY("3000"),
       ASSAY_PROVED,
       {"\"text\": \"sum(x + column(index(3000)), axis=0) + y\"", "\"safety\": \"proved\""},
       {NULL}},
  };
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) expect(&forms[i]);
}

/* Heads of two tensors dealt to one axis of programs: p // (a + b) and p % (a + b), and which tensor by p % (a + b) <
 * a. */
static void test_quotient_by_sum(void **state) {
  (void)state;
#define TWO_TENSORS(op)                                                                                                \
  "module { tt.func public @heads(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %z: !tt.ptr<f32>, %a: i32, %b: i32, %xs: i32, "  \
  "%ys: i32) {\n"                                                                                                      \
  "%p = tt.get_program_id x : i32\n%n = arith.addi %a, %b : i32\n%q = arith.divsi %p, %n : i32\n%h = arith.remsi %p, " \
  "%n : i32\n"                                                                                                         \
  "%first = arith.cmpi slt, %h, %a : i32\n%r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>\n"     \
  "%zp = tt.splat %z : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>\n%zi = tt.addptr %zp, %r : tensor<16x!tt.ptr<f32>>, "   \
  "tensor<16xi32>\n"                                                                                                   \
  "%v = tt.load %zi : tensor<16x!tt.ptr<f32>>\n%c16 = arith.constant 16 : i32\nscf.if %first {\n"                      \
  "%o = arith.muli %q, %xs : i32\n%o1 = arith.muli %h, %c16 : i32\n%o2 = arith.addi %o, %o1 : i32\n"                   \
  "%xo = tt.addptr %x, %o2 : !tt.ptr<f32>, i32\n%xp = tt.splat %xo : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>\n"        \
  "%xi = tt.addptr %xp, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>\ntt.store %xi, %v : tensor<16x!tt.ptr<f32>>\n} "  \
  "else {\n"                                                                                                           \
  "%k = arith.subi %h, %a : i32\n%o = arith.muli %q, %ys : i32\n%o1 = arith.muli %k, %c16 : i32\n%o2 = arith.addi "    \
  "%o, %o1 : i32\n"                                                                                                    \
  "%yo = tt.addptr %y, %o2 : !tt.ptr<f32>, i32\n%yp = tt.splat %yo : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>\n"        \
  "%yi = tt.addptr %yp, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>\n" op                                             \
  "tt.store %yi, %w : tensor<16x!tt.ptr<f32>>\n}\ntt.return\n} }\n"
  static const Form forms[] = {
      {TWO_TENSORS("%w = arith.addf %v, %v : tensor<16xf32>\n"),
       ASSAY_PROVED,
       {"\"safety\": \"proved\"", "\"grid_x_d0\", \"a\", \"16\"", "\"16*b\""},
       {NULL}},
  };
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) expect(&forms[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_far_literals),
      cmocka_unit_test(test_sum_in_memory),
      cmocka_unit_test(test_quotient_by_sum),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
