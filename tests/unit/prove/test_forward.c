/* What one lane stores and another one reads: proved where all lanes wait in between and the element was stored, else
 * not. */
#include "kernel.h"

#include "safety/obligations.h"

#define POINTERS "tensor<64x!tt.ptr<f32>>"
#define MASK(name, predicate, bound)                                                                                   \
  "%" name "b = arith.constant dense<" bound "> : tensor<64xi32>\n%" name " = arith.cmpi " predicate ", %l, %" name    \
  "b : tensor<64xi32>\n"
/* y[64*p + l] = x[...], then z[...] = y[64*p + READ(l)] */
#define KERNEL(masks, stored, before_read, read, loaded, before_end)                                                   \
  "module { tt.func public @through_memory(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %z: !tt.ptr<f32>) {\n"                  \
  "%b = arith.constant 64 : i32\n%last = arith.constant dense<63> : tensor<64xi32>\n%zero = arith.constant "           \
  "dense<0.0> : tensor<64xf32>\n"                                                                                      \
  "%p = tt.get_program_id x : i32\n%s = arith.muli %p, %b : i32\n%l = tt.make_range {end = 64 : i32, start = 0 : "     \
  "i32} : tensor<64xi32>\n"                                                                                            \
  "%ss = tt.splat %s : i32 -> tensor<64xi32>\n%i = arith.addi %ss, %l : tensor<64xi32>\n" masks                        \
  "%xs = tt.splat %x : !tt.ptr<f32> -> " POINTERS "\n%xi = tt.addptr %xs, %i : " POINTERS ", tensor<64xi32>\n"         \
  "%ys = tt.splat %y : !tt.ptr<f32> -> " POINTERS "\n%yi = tt.addptr %ys, %i : " POINTERS ", tensor<64xi32>\n"         \
  "%zs = tt.splat %z : !tt.ptr<f32> -> " POINTERS "\n%zi = tt.addptr %zs, %i : " POINTERS ", tensor<64xi32>\n"         \
  "%v = tt.load %xi : " POINTERS "\ntt.store %yi, %v" stored " : " POINTERS "\n" before_read read                      \
  "%j = arith.addi %ss, %r : tensor<64xi32>\n%yj = tt.addptr %ys, %j : " POINTERS ", tensor<64xi32>\n"                 \
  "%w = tt.load %yj" loaded " : " POINTERS "\n" before_end "tt.store %zi, %w : " POINTERS "\ntt.return\n} }\n"
#define BARRIER "gpu.barrier\n"
#define OPPOSITE "%r = arith.subi %last, %l : tensor<64xi32>\n"
#define NEXT "%ones = arith.constant dense<1> : tensor<64xi32>\n%r = arith.addi %l, %ones : tensor<64xi32>\n"

static void expect(const char *text, bool proved, bool safe) {
  kernel_open(text);
  ProveResult proof = {0};
  if (!kernel.recovery->stop_code) proof = prove_claim(&kernel.arena, kernel.recovery);
  assert_int_equal(proof.proved, proved);
  Operation operation = {0};
  array_push(&kernel.arena, &operation.launches, (Launch){.file = "test.ttir"});
  Verdict safety = obligations_find(&kernel.arena, kernel.recovery, &proof, &operation, &(Options){0});
  assert_int_equal(safety == VERDICT_PROVED, safe);
  kernel_close();
}

static void test_barrier(void **state) {
  (void)state;
  expect(KERNEL("", "", BARRIER, OPPOSITE, "", ""), true, true);
  expect(KERNEL("", "", "", OPPOSITE, "", ""), false, false);
  expect(KERNEL("", "", "", OPPOSITE, "", BARRIER), false, false); /* too late */
}

/* Elements that no lane of this program has stored: of the next program, or left out by a mask. */
static void test_what_was_stored(void **state) {
  (void)state;
  expect(KERNEL("", "", BARRIER, NEXT, "", ""), false, false);
  expect(KERNEL(MASK("m", "slt", "63"), "", BARRIER, NEXT, ", %m, %zero", ""), true, true);
  expect(KERNEL(MASK("m", "slt", "62"), ", %m", BARRIER, OPPOSITE, "", ""), true,
         true); /* two elements keep what was there */
  expect(KERNEL(MASK("m", "slt", "62") MASK("o", "sgt", "1"), ", %m", BARRIER, OPPOSITE, ", %o, %zero", ""), true,
         true);
  expect(KERNEL(MASK("m", "slt", "62") MASK("o", "sgt", "0"), ", %m", BARRIER, NEXT, ", %o, %zero", ""), false, false);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_barrier), cmocka_unit_test(test_what_was_stored)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
