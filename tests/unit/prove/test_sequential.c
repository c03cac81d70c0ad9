/* The programs as one sequential loop: a and b that are found, what the template cannot say, and claims that are false.
 */
#include "kernel.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/call.h"
#include "prove/prove.h"
#include "solve/smt.h"

static Guard guard;
static Arena arena;
static InternTable names;

static const char *file_text(const char *path) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  char *text = arena_alloc(&arena, 1 << 20);
  text[fread(text, 1, (1 << 20) - 1, file)] = 0;
  fclose(file);
  return text;
}

static Claim *recover(const char *text) {
  Claim *recovery = recovery_of(&arena, &names, text);
  assert_null(recovery->stop_code);
  return recovery;
}

static int start(void **state) {
  (void)state;
  call_begin(); /* the goals of a test share a process of the solver, as those of a public call do */
  guard_init(&guard, 0, 0);
  arena_init(&arena, &guard);
  intern_init(&names, &arena);
  return 0;
}

static int stop(void **state) {
  (void)state;
  arena_destroy(&arena);
  call_end();
  return 0;
}

static void need_solver(void) {
  if (smt_solve(&arena, "(assert false)(check-sat)", NULL).answer != SMT_UNSAT) skip();
}

static bool has_goal(const ProveResult *result, const char *part) {
  for (uint32_t i = 0; i < result->goals.count; i++)
    if (strstr(result->goals.data[i].name, part)) return true;
  return false;
}

/* y[INDEX] = exp(x[INDEX]) where 64*pid + lane < n */
#define MAP(index, store)                                                                                              \
  "module { tt.func public @map(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {\n"                                      \
  "%b = arith.constant 64 : i32\n%one = arith.constant dense<1> : tensor<64xi32>\n%p = tt.get_program_id x : i32\n"    \
  "%s = arith.muli %p, %b : i32\n%r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n"              \
  "%ss = tt.splat %s : i32 -> tensor<64xi32>\n%t = arith.addi %ss, %r : tensor<64xi32>\n%ns = tt.splat %n : i32 -> "   \
  "tensor<64xi32>\n"                                                                                                   \
  "%m = arith.cmpi slt, %t, %ns : tensor<64xi32>\n" index                                                              \
  "%xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n%xi = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, "   \
  "tensor<64xi32>\n"                                                                                                   \
  "%v = tt.load %xi, %m : tensor<64x!tt.ptr<f32>>\n%w = math.exp %v : tensor<64xf32>\n"                                \
  "%ys = tt.splat %y : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n%yi = tt.addptr %ys, %i : tensor<64x!tt.ptr<f32>>, "   \
  "tensor<64xi32>\n" store "\ntt.return\n} }\n"
#define STORE "tt.store %yi, %w, %m : tensor<64x!tt.ptr<f32>>"
#define ADD                                                                                                            \
  "%old = tt.atomic_rmw fadd, relaxed, gpu, %yi, %w, %m : (tensor<64x!tt.ptr<f32>>, tensor<64xf32>, tensor<64xi1>) "   \
  "-> tensor<64xf32>"
#define FORWARDS "%i = arith.addi %t, %r0 : tensor<64xi32>\n"
#define ZERO "%r0 = arith.constant dense<0> : tensor<64xi32>\n"
#define BACKWARDS "%u = arith.subi %ns, %one : tensor<64xi32>\n%i = arith.subi %u, %t : tensor<64xi32>\n"

static void test_a_and_b_are_found(void **state) {
  (void)state;
  need_solver();
  for (ProveInvariant how = PROVE_PATTERN; how <= PROVE_TEMPLATE; how++) {
    ProveResult result = prove_claim_by(&arena, recover(MAP(ZERO FORWARDS, STORE)), how);
    assert_true(result.proved);
    assert_true(has_goal(&result, "a*pid_x + b with a = 64, b = 0 (invariant)"));
    assert_true(has_goal(&result, "(initial)"));
    assert_true(has_goal(&result, "(step)"));
    assert_true(has_goal(&result, "(exit)"));
  }
}

/* What the template has no words for is not proved, though it is true. */
static void test_beyond_the_template(void **state) {
  (void)state;
  need_solver();
  ProveResult result = prove_claim_by(&arena, recover(MAP(BACKWARDS, STORE)), PROVE_PATTERN);
  assert_false(result.proved);
  assert_non_null(strstr(result.why, "no a and b were found"));
  assert_true(prove_claim(&arena, recover(MAP(BACKWARDS, STORE))).proved);
  result = prove_claim_by(&arena, recover(MAP(ZERO FORWARDS, ADD)), PROVE_PATTERN);
  assert_false(result.proved);
  assert_non_null(strstr(result.why, "atomic"));
}

/* ---- false claims ---- */

typedef enum Lie { VALUE_PLUS_ONE, VALUE_OF_NEXT, ONE_MORE_ROW, NOTHING_IS_STORED, LIE_COUNT } Lie;

/* Of the last output; false: this claim would not be false. */
static bool tell(Claim *recovery, Lie lie) {
  TermTable *tt = recovery->ex->tt;
  Pointwise *claim = recovery->pointwise;
  PointwiseOutput *output = &claim->outputs.data[claim->outputs.count - 1];
  PointwisePiece *piece = &output->pieces.data[output->pieces.count - 1];
  Term value = piece->value, *extent = &claim->tensors.data[output->tensor].extent[0];
  switch (lie) {
  case VALUE_PLUS_ONE: piece->value = term_add(tt, value, tt->one); break;
  case VALUE_OF_NEXT:
    for (uint32_t k = 0; k < output->rank; k++)
      piece->value = term_replace(tt, piece->value, output->index[k], term_add(tt, output->index[k], tt->one));
    return piece->value != value;
  case ONE_MORE_ROW:
    *extent = term_add(tt, *extent, tt->one);
    term_symbol_range(tt, output->index[0], tt->zero, term_sub(tt, *extent, tt->one));
    break;
  case NOTHING_IS_STORED: piece->region = tt->false_; break;
  case LIE_COUNT: return false;
  }
  return true;
}

static void expect_no_lie_proved(const char *text, ProveInvariant how, bool is_true_proved) {
  assert_int_equal(prove_claim_by(&arena, recover(text), how).proved, is_true_proved);
  for (Lie lie = VALUE_PLUS_ONE; lie < LIE_COUNT; lie++) {
    Claim *recovery = recover(text);
    if (tell(recovery, lie)) assert_false(prove_claim_by(&arena, recovery, how).proved);
  }
}

static void test_false_claims_by_pattern(void **state) {
  static const char *const files[] = {"softmax_online", "gelu_mul", "cross_entropy", "matmul_grouped_gelu"};
  (void)state;
  need_solver();
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    expect_no_lie_proved(file_text(arena_format(&arena, SOURCE_DIR "/examples/%s.ttir", files[i])), PROVE_PATTERN,
                         true);
}

static void test_false_claims_by_template(void **state) {
  (void)state;
  need_solver();
  expect_no_lie_proved(MAP(ZERO FORWARDS, STORE), PROVE_TEMPLATE, true);
  expect_no_lie_proved(file_text(SOURCE_DIR "/examples/softmax.ttir"), PROVE_TEMPLATE, true);
}

/* All lanes of all programs store x[i] to y[0]. Whatever lane is claimed to win is wrong: the hypothesis about a
 * program must not contradict itself, and the order of programs must not count. */
static void test_lanes_that_share_a_place(void **state) {
  static const char load[] = "%xi = tt.addptr %xs, %i :";
  (void)state;
  need_solver();
  const char *map = MAP("%i0 = arith.constant dense<0> : tensor<64xi32>\n", STORE), *at = strstr(map, load),
             *store = strstr(map, "%yi = tt.addptr %ys, %i :");
  assert_true(at && store && at < store);
  const char *text =
      arena_format(&arena, "%.*s%%xi = tt.addptr %%xs, %%t :%.*s%%yi = tt.addptr %%ys, %%i0 :%s", (int)(at - map), map,
                   (int)(store - at - (long)strlen(load)), at + strlen(load), store + strlen(load));
  for (ProveInvariant how = PROVE_BY_INDEX; how <= PROVE_TEMPLATE; how++) {
    Claim *recovery = recover(text);
    TermTable *tt = recovery->ex->tt;
    PointwisePiece *piece = &recovery->pointwise->outputs.data[0].pieces.data[0];
    Term first = term_read(tt, recovery->pointwise->tensors.data[0].symbol, SORT_REAL, 1, &tt->zero);
    piece->region = tt->true_, piece->value = term_fn1(tt, FN_EXP, first);
    assert_false(prove_claim_by(&arena, recovery, how).proved);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_a_and_b_are_found, start, stop),
      cmocka_unit_test_setup_teardown(test_beyond_the_template, start, stop),
      cmocka_unit_test_setup_teardown(test_false_claims_by_pattern, start, stop),
      cmocka_unit_test_setup_teardown(test_false_claims_by_template, start, stop),
      cmocka_unit_test_setup_teardown(test_lanes_that_share_a_place, start, stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
