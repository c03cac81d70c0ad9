/* The safety report on small kernels: what is proved, what is refuted and with which sizes; and never both. */
#include "kernel.h"

#include <stdio.h>

#include "safety/obligations.h"
#include "sample/witness.h"

static struct { /* of the kernel */
  Operation operation;
  Options options;
  Verdict safety;
} asked;

static void lift(const char *text) {
  kernel_open(text);
  memset(&asked, 0, sizeof asked);
  array_push(&kernel.arena, &asked.operation.launches, (Launch){.file = "test.ttir"});
}

static const Expr *const *one_expression(const char *text) {
  const Expr **list = arena_array(&kernel.arena, const Expr *, 1);
  list[0] = expr_read(&kernel.arena, text);
  return list;
}

/* x and y have n elements; grid: cdiv(n, 64) unless another is given. */
static void give_launch(const char *grid) {
  const Expr *const *shape = one_expression("n");
  Launch *launch = &asked.operation.launches.data[0];
  asked.operation.has_tensors = 1;
  array_push(&kernel.arena, &asked.operation.tensors,
             (OperationTensor){.name = "X", .dtype = "f32", .rank = 1, .shape = shape});
  array_push(&kernel.arena, &asked.operation.tensors,
             (OperationTensor){.name = "Y", .dtype = "f32", .rank = 1, .shape = shape});
  array_push(&kernel.arena, &launch->args, (LaunchArg){.param = "x", .tensor = "X"});
  array_push(&kernel.arena, &launch->args, (LaunchArg){.param = "y", .tensor = "Y"});
  array_push(&kernel.arena, &launch->args, (LaunchArg){.param = "n", .scalar = shape[0]});
  launch->grid = one_expression(grid), launch->grid_count = 1;
}

static void find(void) {
  asked.safety = obligations_find(&kernel.arena, kernel.recovery, NULL, &asked.operation, &asked.options);
}

static const Obligation *of_kind(ObligationKind kind, int verdict) {
  for (uint32_t i = 0; i < kernel.recovery->obligations.count; i++) {
    const Obligation *o = &kernel.recovery->obligations.data[i];
    if (o->kind == kind && o->verdict == verdict) return o;
  }
  return NULL;
}

static const char *size_of_witness(const Obligation *o, const char *name) {
  for (uint32_t i = 0; i < o->witness->sizes.count; i++)
    if (!strcmp(o->witness->sizes.data[i].name, name)) return o->witness->sizes.data[i].value;
  return "";
}

/* i = 64*pid + lane; y[i] = OP(x[i]) where PREDICATE(i, n); LOAD is the operands of the load after the pointer */
#define HEAD                                                                                                           \
  "module { tt.func public @map(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {\n"                                      \
  "%b = arith.constant 64 : i32\n%zero = arith.constant dense<0.0> : tensor<64xf32>\n"
#define MAP(pid, predicate, load, op, store)                                                                           \
  HEAD pid "%s = arith.muli %p, %b : i32\n%r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n"     \
           "%ss = tt.splat %s : i32 -> tensor<64xi32>\n%i = arith.addi %ss, %r : tensor<64xi32>\n%ns = tt.splat %n : " \
           "i32 -> tensor<64xi32>\n"                                                                                   \
           "%m = arith.cmpi " predicate                                                                                \
           ", %i, %ns : tensor<64xi32>\n%xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n"                 \
           "%xi = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>\n%v = tt.load %xi" load                  \
           " : tensor<64x!tt.ptr<f32>>\n"                                                                              \
           "%ys = tt.splat %y : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n%yi = tt.addptr %ys, %i : "                   \
           "tensor<64x!tt.ptr<f32>>, tensor<64xi32>\n" op "tt.store %yi, %w" store                                     \
           " : tensor<64x!tt.ptr<f32>>\ntt.return\n} }\n"
#define PID "%p = tt.get_program_id x : i32\n"
#define EXP "%w = math.exp %v : tensor<64xf32>\n"

static void test_safe(void **state) {
  (void)state;
  for (int given = 0; given < 2; given++) {
    lift(MAP(PID, "slt", ", %m, %zero", EXP, ", %m"));
    if (given) give_launch("cdiv(n,64)");
    find();
    assert_int_equal(asked.safety, VERDICT_PROVED);
    assert_non_null(of_kind(OBLIGATION_BOUNDS, OBLIGATION_PROVED));
    assert_non_null(of_kind(OBLIGATION_RACE, OBLIGATION_PROVED));
    assert_non_null(of_kind(OBLIGATION_COVERAGE, OBLIGATION_PROVED));
    assert_non_null(of_kind(OBLIGATION_UNDEFINED, OBLIGATION_PROVED));
    kernel_close();
  }
}

static void test_no_proof_asked(void **state) {
  (void)state;
  lift(MAP(PID, "slt", ", %m, %zero", EXP, ", %m"));
  asked.options.no_prove = 1;
  find();
  assert_int_equal(asked.safety, VERDICT_UNKNOWN);
  kernel_close();
}

static void test_bounds(void **state) {
  (void)state;
  lift(MAP(PID, "sle", ", %m, %zero", EXP, ", %m"));
  give_launch("cdiv(n,64)");
  find();
  const Obligation *o = of_kind(OBLIGATION_BOUNDS, OBLIGATION_REFUTED);
  assert_int_equal(asked.safety, VERDICT_REFUTED);
  assert_non_null(o);
  assert_string_equal(size_of_witness(o, "n"), "1");
  assert_non_null(o->run);
  assert_null(of_kind(OBLIGATION_BOUNDS, OBLIGATION_PROVED));
  kernel_close();
}

/* Without a shape, n + 1 elements would do: that is no plain size, so a mask is probably wrong. */
static void test_extent_is_no_plain_size(void **state) {
  (void)state;
  lift(MAP(PID, "sle", ", %m, %zero", EXP, ", %m"));
  find();
  const Obligation *o = of_kind(OBLIGATION_BOUNDS, OBLIGATION_UNKNOWN);
  assert_int_equal(asked.safety, VERDICT_UNKNOWN);
  assert_non_null(o);
  assert_non_null(strstr(o->detail, "extent"));
  kernel_close();
}

static void test_coverage(void **state) {
  (void)state;
  lift(MAP(PID, "slt", ", %m, %zero", EXP, ", %m"));
  give_launch("n//64");
  find();
  const Obligation *o = of_kind(OBLIGATION_COVERAGE, OBLIGATION_REFUTED);
  assert_non_null(o);
  assert_string_equal(size_of_witness(o, "n"), "65"); /* the least launch that exists and leaves something out */
  kernel_close();
}

/* Rows of one element with a gap behind each: the kernel reads what lies between. */
static void test_padding(void **state) {
  (void)state;
  for (int apart = 0; apart < 2; apart++) {
    lift(MAP(PID, "slt", ", %m, %zero", EXP, ", %m"));
    give_launch("cdiv(n,64)");
    asked.operation.tensors.data[0].strides = one_expression(apart ? "s" : "1");
    find();
    const Obligation *o = of_kind(OBLIGATION_BOUNDS, OBLIGATION_REFUTED);
    assert_int_equal(asked.safety, apart ? VERDICT_REFUTED : VERDICT_PROVED);
    if (!apart)
      assert_null(o);
    else
      assert_non_null(strstr(o->detail, "padding"));
    kernel_close();
  }
}

static void test_race(void **state) {
  (void)state;
  lift(MAP("%p = arith.constant 0 : i32\n", "slt", ", %m, %zero", EXP, ", %m"));
  give_launch("3");
  find();
  assert_non_null(of_kind(OBLIGATION_RACE, OBLIGATION_REFUTED));
  assert_null(of_kind(OBLIGATION_RACE, OBLIGATION_PROVED));
  kernel_close();
}

#define SUM                                                                                                            \
  "%t = \"tt.reduce\"(%v) <{axis = 0 : i32}> ({\n^bb0(%a: f32, %c: f32):\n%d = arith.addf %a, %c : "                   \
  "f32\ntt.reduce.return %d : f32\n"                                                                                   \
  "}) : (tensor<64xf32>) -> f32\n%w = tt.splat %t : f32 -> tensor<64xf32>\n"

static void test_undefined_lanes(void **state) {
  (void)state;
  lift(MAP(PID, "slt", ", %m", SUM, ", %m"));
  give_launch("cdiv(n,64)");
  find();
  assert_non_null(of_kind(OBLIGATION_UNDEFINED, OBLIGATION_REFUTED));
  kernel_close();
  lift(MAP(PID, "slt", ", %m", EXP, ", %m")); /* they end in a store under the same mask */
  give_launch("cdiv(n,64)");
  find();
  assert_int_equal(asked.safety, VERDICT_PROVED);
  kernel_close();
}

/* x / sum(x) of a row of zeros is 0 / 0; x / x is the operator's own domain, and 0 / x is not 0 for all x. */
static void test_undefined_values(void **state) {
  (void)state;
  lift(MAP(PID, "slt", ", %m, %zero",
           "%t = \"tt.reduce\"(%v) <{axis = 0 : i32}> ({\n^bb0(%a: f32, %c: f32):\n%d = arith.addf %a, %c : f32\n"
           "tt.reduce.return %d : f32\n}) : (tensor<64xf32>) -> f32\n%u = tt.splat %t : f32 -> tensor<64xf32>\n%w = "
           "arith.divf %v, %u : tensor<64xf32>\n",
           ", %m"));
  find();
  assert_non_null(of_kind(OBLIGATION_UNDEFINED, OBLIGATION_REFUTED));
  kernel_close();
  lift(MAP(PID, "slt", ", %m, %zero", "%w = arith.divf %v, %v : tensor<64xf32>\n", ", %m"));
  find();
  assert_null(of_kind(OBLIGATION_UNDEFINED, OBLIGATION_PROVED));
  assert_int_equal(asked.safety, VERDICT_UNKNOWN);
  kernel_close();
  lift(MAP(PID, "slt", ", %m, %zero", "%w = arith.divf %zero, %v : tensor<64xf32>\n", ", %m"));
  find();
  assert_null(of_kind(OBLIGATION_UNDEFINED, OBLIGATION_PROVED));
  kernel_close();
}

/* A float that does not fit an integer, or is none, is undefined as that integer: never shown for inputs as they stand,
 * never refuted by them. */
static void test_conversions(void **state) {
  (void)state;
#define TO_INT                                                                                                         \
  "%k = arith.fptosi %u : tensor<64xf32> to tensor<64xi8>\n%w = arith.sitofp %k : tensor<64xi8> to tensor<64xf32>\n"
#define CLAMPED                                                                                                        \
  "%l = arith.constant dense<-100.0> : tensor<64xf32>\n%h = arith.constant dense<100.5> : tensor<64xf32>\n"            \
  "%u1 = arith.maxnumf %v, %l : tensor<64xf32>\n%u = arith.minnumf %u1, %h : tensor<64xf32>\n"
  static const struct {
    const char *kernel;
    bool proved;
  } cases[] = {
      {MAP(PID, "slt", ", %m, %zero", CLAMPED TO_INT, ", %m"), true},
      {MAP(PID, "slt", ", %m", CLAMPED TO_INT, ", %m"), true}, /* lanes that are open do not reach the store */
      {MAP(PID, "slt", ", %m, %zero", "%u = arith.addf %v, %v : tensor<64xf32>\n" TO_INT, ", %m"), false},
      {MAP(PID, "slt", ", %m, %zero",
           "%q = arith.divf %v, %v : tensor<64xf32>\n%h = arith.constant dense<1.0> : tensor<64xf32>\n"
           "%u = arith.minnumf %q, %h : tensor<64xf32>\n" TO_INT,
           ", %m"),
       false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    lift(cases[i].kernel);
    find();
    assert_int_equal(asked.safety, cases[i].proved ? VERDICT_PROVED : VERDICT_UNKNOWN);
    assert_null(of_kind(OBLIGATION_UNDEFINED, OBLIGATION_REFUTED));
    if (!cases[i].proved) assert_non_null(of_kind(OBLIGATION_UNDEFINED, OBLIGATION_UNKNOWN));
    kernel_close();
  }
}

/* The index of a gather between lanes stays in the axis, or the value is undefined; what a histogram counts has a bin.
 */
static void test_gathers(void **state) {
  (void)state;
#define GATHER(index)                                                                                                  \
  index "%w = tt.gather %v[%g] {axis = 0 : i32} : (tensor<64xf32>, tensor<64xi32>) -> tensor<64xf32>\n"
#define COUNTS(values, mask)                                                                                           \
  "%h = tt.histogram " values mask                                                                                     \
  " : tensor<64xi32> -> tensor<64xi32>\n%w = arith.sitofp %h : tensor<64xi32> to tensor<64xf32>\n"
#define LAST(last)                                                                                                     \
  "%e = arith.constant dense<" last "> : tensor<64xi32>\n%g = arith.subi %e, %r : tensor<64xi32>\n" /* backwards */
  static const struct {
    const char *kernel;
    int verdict;
    Verdict safety;
  } cases[] = {
      {MAP(PID, "slt", ", %m, %zero", GATHER(LAST("63")), ", %m"), OBLIGATION_PROVED, VERDICT_PROVED},
      {MAP(PID, "slt", ", %m, %zero", GATHER(LAST("64")), ", %m"), OBLIGATION_REFUTED, VERDICT_REFUTED},
      {MAP(PID, "slt", ", %m, %zero", GATHER(LAST("62")), ", %m"), OBLIGATION_REFUTED, VERDICT_REFUTED},
      {MAP(PID, "slt", ", %m, %zero",
           GATHER(
               "%js = tt.splat %j : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>\n%ji = tt.addptr %js, %i : "
               "tensor<64x!tt.ptr<i32>>, tensor<64xi32>\n"
               "%o = arith.constant dense<0> : tensor<64xi32>\n%g = tt.load %ji, %m, %o : tensor<64x!tt.ptr<i32>>\n"),
           ", %m"),
       OBLIGATION_UNKNOWN, VERDICT_UNKNOWN},
      {MAP(PID, "slt", ", %m, %zero", COUNTS("%r", ""), ", %m"), OBLIGATION_PROVED, VERDICT_PROVED},
      {MAP(PID, "slt", ", %m, %zero",
           "%e = arith.constant dense<63> : tensor<64xi32>\n%f = arith.addi %r, %e : tensor<64xi32>\n" COUNTS("%f", ""),
           ", %m"),
       OBLIGATION_REFUTED, VERDICT_REFUTED},
      {MAP(PID, "slt", ", %m, %zero",
           "%e = arith.constant dense<1> : tensor<64xi32>\n%f = arith.subi %r, %e : tensor<64xi32>\n"
           "%a = arith.cmpi slt, %e, %r : tensor<64xi32>\n" COUNTS("%f", ", %a"),
           ", %m"),
       OBLIGATION_PROVED, VERDICT_PROVED},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[4000];
    const char *name = strstr(cases[i].kernel, "%n: i32");
    snprintf(text, sizeof text, "%.*s%%j: !tt.ptr<i32>, %s", (int)(name - cases[i].kernel), cases[i].kernel, name);
    lift(text);
    find();
    assert_int_equal(asked.safety, cases[i].safety);
    assert_non_null(of_kind(OBLIGATION_BOUNDS, cases[i].verdict));
    kernel_close();
  }
}

static void test_strict_and_allow(void **state) {
  (void)state;
  for (int strict = 0; strict < 2; strict++) {
    lift(MAP("%q = tt.get_program_id x : i32\n%p = arith.muli %q, %n : i32\n", "slt", ", %m, %zero", EXP,
             ", %m")); /* 64 * pid * n */
    asked.options.strict[OBLIGATION_OVERFLOW] = strict;
    find();
    const Obligation *o = of_kind(OBLIGATION_OVERFLOW, strict ? OBLIGATION_REFUTED : OBLIGATION_PROVED);
    assert_int_equal(asked.safety == VERDICT_REFUTED, strict);
    assert_non_null(o);
    assert_true(o->under.count > 0);
    if (strict) assert_true(*size_of_witness(o, "n") != 0);
    kernel_close();
  }
  lift(MAP(PID, "sle", ", %m, %zero", EXP, ", %m"));
  give_launch("cdiv(n,64)");
  array_push(&kernel.arena, &asked.options.allow, (AllowedKind){OBLIGATION_BOUNDS, NULL});
  find();
  assert_int_not_equal(asked.safety, VERDICT_REFUTED);
  assert_non_null(of_kind(OBLIGATION_BOUNDS, OBLIGATION_REFUTED)); /* still shown */
  kernel_close();
}

static void test_expressions(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int64_t value;
  } good[] = {{"cdiv(n, 16) * 2 + m", 2 * 2 + 7},
              {"-n//4", -5},
              {"-n % 4", 3},
              {"next_pow2(n)", 32},
              {"round_up(n, 8)", 24},
              {"max(1, n, m)", 17},
              {"(n - m) * m", 70}};
  static const char *const bad[] = {"", "n +", "foo(n)", "n n", "cdiv(n)", "(n", "1.5", "n / 2"};
  Guard guard;
  Arena arena;
  guard_init(&guard, 0, 0);
  arena_init(&arena, &guard);
  LaunchNames names = {0};
  int64_t values[LAUNCH_MAX_NAMES] = {17, 7}, value;
  assert_non_null(launch_bind(&arena, expr_read(&arena, "n + m"), &names));
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    const LaunchExpr *e = launch_bind(&arena, expr_read(&arena, good[i].text), &names);
    assert_non_null(e);
    assert_true(launch_eval(e, values, &value));
    assert_int_equal(value, good[i].value);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_null(expr_read(&arena, bad[i])->tree);
  assert_false(launch_eval(launch_bind(&arena, expr_read(&arena, "n // (m - 7)"), &names), values, &value));
  assert_true(launch_eval(launch_bind(&arena, expr_read_condition(&arena, "n >= m * 2"), &names), values, &value) &&
              value == 1);
  arena_destroy(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_safe),
      cmocka_unit_test(test_no_proof_asked),
      cmocka_unit_test(test_bounds),
      cmocka_unit_test(test_extent_is_no_plain_size),
      cmocka_unit_test(test_coverage),
      cmocka_unit_test(test_padding),
      cmocka_unit_test(test_race),
      cmocka_unit_test(test_undefined_lanes),
      cmocka_unit_test(test_undefined_values),
      cmocka_unit_test(test_conversions),
      cmocka_unit_test(test_gathers),
      cmocka_unit_test(test_strict_and_allow),
      cmocka_unit_test(test_expressions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
