/* The SMT engine: its answers on the goals in tests/smt, and that every limit holds whatever the goal does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first. */
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/call.h"
#include "../rounds.h"
#include "base/random.h"
#include "solve/smt.h"
#include "solve/smt_text.h"

enum { EFFORT = 20000000 }; /* of each attempt */
#define GOALS SOURCE_DIR "/tests/smt/goals/"

static const char *const easy = "(declare-const x Real)(assert (< (* x x) 0.0))(check-sat)";
static const char *const functional = "(declare-const x Int)(declare-const y Real)(assert (= (* 2 x) 14))"
                                      "(assert (= (* 2.0 y) (- 5.0)))(check-sat)";
/* Each instance of the axiom makes new terms: the solver goes on for ever. */
static const char *const endless =
    "(declare-const m Real)(declare-const x Real)(declare-fun exp (Real) Real)"
    "(assert (forall ((a Real)) (> (exp a) 0)))"
    "(assert (forall ((a Real)(b Real)) (= (exp (+ a b)) (* (exp a) (exp b)))))"
    "(declare-const l Real)(assert (> l 0))(assert (not (= (* l (exp (- x m)) (exp m)) (* (exp x) l l))))(check-sat)";

typedef struct Bench {
  Guard guard;
  Arena arena;
} Bench;

/* No limit is set, so nothing throws. */
static Arena *bench_open(Bench *bench) {
  guard_init(&bench->guard, 0, 0);
  arena_init(&bench->arena, &bench->guard);
  return &bench->arena;
}

static void bench_close(Bench *bench) { arena_destroy(&bench->arena); }

static char *goal_load(Arena *arena, const char *name) {
  FILE *file = fopen(arena_format(arena, GOALS "%s", name), "rb");
  assert_non_null(file);
  char *text = arena_alloc(arena, 1 << 16);
  size_t size = fread(text, 1, (1 << 16) - 1, file);
  text[size] = 0;
  fclose(file);
  return text;
}

static int descriptors_open(void) {
  int count = 0;
  DIR *folder = opendir("/proc/self/fd");
  assert_non_null(folder);
  while (readdir(folder)) count++;
  closedir(folder);
  return count;
}

static void assert_no_children(void) {
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
  assert_int_equal(errno, ECHILD);
}

static bool solver_is_here(void) {
  Bench bench;
  SmtResult result = smt_solve(bench_open(&bench), easy, NULL);
  bench_close(&bench);
  if (result.reason == SMT_REASON_NO_SOLVER) print_message("no Z3 on this machine\n");
  return result.reason != SMT_REASON_NO_SOLVER;
}

static void test_answers(void **state) {
  (void)state;
  if (!solver_is_here()) skip();
  Bench bench;
  Arena *arena = bench_open(&bench);
  SmtResult result = smt_solve(arena, easy, NULL);
  assert_int_equal(result.answer, SMT_UNSAT);
  assert_int_equal(result.route, SMT_ROUTE_QFNRA);
  assert_null(result.model);
  result = smt_solve(arena, functional, NULL);
  assert_int_equal(result.answer, SMT_SAT);
  assert_true(result.model_checked);
  Rational value;
  assert_true(smt_model_rational(arena, result.model, "x", &value));
  assert_true(rational_equal(value, rational_int(7)));
  assert_true(smt_model_rational(arena, result.model, "y", &value));
  assert_true(rational_equal(value, (Rational){-5, 2}));
  assert_false(smt_model_rational(arena, result.model, "z", &value));
  bench_close(&bench);
  assert_no_children();
}

/* Under a limit of effort, which is the same on a busy machine, and one of time that no goal comes near. */
static SmtResult solve_patiently(Arena *arena, const char *text, SmtSession *session) {
  return smt_solve(arena, text, &(SmtOptions){.timeout_seconds = 600, .effort = EFFORT, .session = session});
}

static void test_goals(void **state) {
  (void)state;
  if (!solver_is_here()) skip();
  struct dirent **entries;
  int count = scandir(GOALS, &entries, NULL, alphasort), goals = 0, answered = 0;
  SmtSession session = {0};
  assert_true(count > 0);
  for (int i = 0; i < count; i++) {
    Bench bench;
    Arena *arena = bench_open(&bench);
    if (strstr(entries[i]->d_name, ".smt2")) {
      char *text = goal_load(arena, entries[i]->d_name);
      SmtResult result = solve_patiently(arena, text, &session);
      SmtAnswer expected = strstr(text, "expected: unsat") ? SMT_UNSAT : SMT_SAT;
      goals++;
      answered += result.answer != SMT_UNKNOWN;
      if (result.answer != SMT_UNKNOWN && result.answer != expected) fail_msg("%s is wrong", entries[i]->d_name);
      if (result.answer == SMT_UNKNOWN) print_message("%s: unknown\n", entries[i]->d_name);
    }
    bench_close(&bench);
    free(entries[i]);
  }
  free(entries);
  smt_session_close(&session);
  assert_int_equal(goals, 86);
  assert_true(answered >= 83);
  assert_no_children();
}

static void test_timeout_kills(void **state) {
  (void)state;
  if (!solver_is_here()) skip();
  Bench bench;
  Arena *arena = bench_open(&bench);
  int before = descriptors_open();
  SmtOptions options = {.timeout_seconds = 0.3, .route = SMT_ROUTE_SIMPLE};
  SmtResult result = smt_solve(arena, endless, &options);
  assert_int_equal(result.answer, SMT_UNKNOWN);
  assert_int_equal(result.reason, SMT_REASON_TIMEOUT);
  assert_int_equal(result.kills, 1);
  /* The deadline of the whole run is a limit too. */
  bench.guard.deadline = guard_now() + 0.2;
  options.timeout_seconds = 30;
  result = smt_solve(arena, endless, &options);
  assert_int_equal(result.reason, SMT_REASON_TIMEOUT);
  assert_int_equal(result.kills, 1);
  assert_true(result.seconds < options.timeout_seconds);
  assert_int_equal(descriptors_open(), before);
  bench_close(&bench);
  assert_no_children();
}

static void test_memory_limit(void **state) {
  (void)state;
  if (!solver_is_here()) skip();
  Bench bench;
  Arena *arena = bench_open(&bench);
  const char *hungry = "(declare-const a (_ BitVec 2048))(declare-const b (_ BitVec 2048))"
                       "(assert (= (bvmul (bvxor a b) (bvor a b)) (bvudiv b a)))(check-sat)";
  SmtOptions options = {.timeout_seconds = 20, .memory_bytes = (size_t)96 << 20, .route = SMT_ROUTE_DEFAULT};
  SmtResult result = smt_solve(arena, hungry, &options);
  assert_int_equal(result.answer, SMT_UNKNOWN);
#ifndef ASSAY_SANITIZED /* which ends the child itself when memory is short */
  assert_int_equal(result.reason, SMT_REASON_MEMORY);
#endif
  /* Too little for the library itself: not an answer either, whatever it is called. */
  options.memory_bytes = 1 << 20;
  assert_int_equal(smt_solve(arena, easy, &options).answer, SMT_UNKNOWN);
#ifndef ASSAY_SANITIZED
  options.memory_bytes = (size_t)64 << 20;
  assert_int_equal(smt_solve(arena, easy, &options).answer, SMT_UNSAT);
#endif
  bench_close(&bench);
  assert_no_children();
}

static void test_big_parent(void **state) {
  (void)state;
  if (!solver_is_here()) skip();
  Bench bench;
  size_t size = (size_t)4 << 30;
  char *heap = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  assert_true(heap != MAP_FAILED);
  memset(heap, 1, (size_t)128 << 20);
  SmtResult result = smt_solve(bench_open(&bench), easy, &(SmtOptions){.memory_bytes = (size_t)128 << 20});
  assert_int_equal(result.answer, SMT_UNSAT);
  bench_close(&bench);
  munmap(heap, size);
}

static void test_bad_input(void **state) {
  (void)state;
  Bench bench;
  Arena *arena = bench_open(&bench);
  static const char *const bad[] = {"(",
                                    ")",
                                    "(assert true",
                                    "|",
                                    "\"",
                                    "x",
                                    "(push 1)",
                                    "(check-sat)(check-sat)",
                                    "(check-sat)(assert false)",
                                    "((assert true))",
                                    "()",
                                    "(check-sat-assuming (a))",
                                    "(assert true))",
                                    "(include \"x\")",
                                    "(|assert |true)"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    SmtResult result = smt_solve(arena, bad[i], NULL);
    assert_int_equal(result.reason, SMT_REASON_INPUT);
    assert_true(*result.detail);
    assert_int_equal(result.attempts, 0);
  }
  Random random = {7};
  for (int round = 0; round < rounds_of(2000); round++) {
    char text[64];
    size_t size = random_below(&random, sizeof text);
    for (size_t i = 0; i < size; i++) text[i] = "() ;|\"\nassert!forall-xy#0.9\\"[random_below(&random, 29)];
    text[size ? size - 1 : 0] = 0;
    SmtGoal goal = smt_goal_read(arena, text);
    if (!goal.error) smt_goal_instantiate(arena, goal.assertions, true), smt_goal_commute(arena, goal.assertions);
  }
  if (solver_is_here()) {
    static const char *const ill_typed[] = {"(assert 3)", "(assert (+ x 1))", "(declare-const x Foo)", "(assert)",
                                            "(declare-const x Real)(declare-const x Real)(assert (x x))"};
    for (size_t i = 0; i < sizeof ill_typed / sizeof *ill_typed; i++)
      assert_int_equal(smt_solve(arena, ill_typed[i], NULL).reason, SMT_REASON_INPUT);
    assert_int_equal(smt_solve(arena, "", NULL).answer, SMT_SAT);
  }
  bench_close(&bench);
  assert_no_children();
}

static void test_deep_input(void **state) {
  (void)state;
  if (!solver_is_here()) skip();
  Bench bench;
  Arena *arena = bench_open(&bench);
  Text text = text_new(arena);
  text_add(&text, "(declare-const p Bool)(assert ");
  for (int i = 0; i < 100000; i++) text_add(&text, "(not ");
  text_add(&text, "p");
  for (int i = 0; i < 100000; i++) text_char(&text, ')');
  text_add(&text, ")(check-sat)");
  SmtResult result = smt_solve(arena, text_string(&text), &(SmtOptions){.timeout_seconds = 3});
  assert_int_not_equal(result.answer, SMT_UNSAT);
  bench_close(&bench);
  assert_no_children();
}

static void test_no_library(void **state) {
  (void)state;
  Bench bench;
  Arena *arena = bench_open(&bench);
  setenv("ASSAY_Z3", "/nonexistent", 1);
  for (int i = 0; i < SMT_ROUTE_COUNT; i++) {
    SmtResult result = smt_solve(arena, easy, &(SmtOptions){.route = (SmtRoute)i});
    assert_int_equal(result.answer, SMT_UNKNOWN);
    assert_int_equal(result.reason, SMT_REASON_NO_SOLVER);
    assert_true(*result.detail);
  }
  setenv("ASSAY_Z3", "libc.so.6", 1); /* a library, but not this one */
  assert_int_equal(smt_solve(arena, easy, NULL).reason, SMT_REASON_NO_SOLVER);
  unsetenv("ASSAY_Z3");
  bench_close(&bench);
  assert_no_children();
}

static void *solve_some(void *argument) {
  Bench bench;
  Arena *arena = bench_open(&bench);
  SmtSession session = {0};
  intptr_t good = 0;
  for (int i = 0; i < 5; i++) {
    SmtOptions options = {.session = (intptr_t)argument % 2 ? &session : NULL, .timeout_seconds = 20};
    good += smt_solve(arena, easy, &options).answer == SMT_UNSAT;
    good += smt_solve(arena, functional, &options).answer == SMT_SAT;
  }
  smt_session_close(&session);
  bench_close(&bench);
  return (void *)good;
}

static void test_parallel(void **state) {
  (void)state;
  if (!solver_is_here()) skip();
  int before = descriptors_open();
  pthread_t threads[8];
  for (intptr_t i = 0; i < 8; i++) assert_int_equal(pthread_create(&threads[i], NULL, solve_some, (void *)i), 0);
  for (int i = 0; i < 8; i++) {
    void *good;
    pthread_join(threads[i], &good);
    assert_int_equal((intptr_t)good, 10);
  }
  assert_int_equal(descriptors_open(), before);
  assert_no_children();
}

static void test_session(void **state) {
  (void)state;
  if (!solver_is_here()) skip();
  Bench bench;
  Arena *arena = bench_open(&bench);
  SmtSession session = {0};
  SmtOptions options = {.session = &session, .timeout_seconds = 5};
  assert_int_equal(smt_solve(arena, easy, &options).answer, SMT_UNSAT);
  int pid = session.pid;
  assert_int_equal(smt_solve(arena, functional, &options).answer, SMT_SAT);
  assert_int_equal(session.pid, pid);
  /* It was killed: by someone, or for a goal that took too long. */
  kill(pid, SIGKILL);
  usleep(20000);
  assert_int_equal(smt_solve(arena, easy, &options).answer, SMT_UNSAT);
  assert_int_not_equal(session.pid, pid);
  options.route = SMT_ROUTE_SIMPLE;
  options.timeout_seconds = 0.2;
  assert_int_equal(smt_solve(arena, endless, &options).reason, SMT_REASON_TIMEOUT);
  assert_int_equal(session.pid, 0);
  options.timeout_seconds = 5;
  assert_int_equal(smt_solve(arena, easy, &options).answer, SMT_UNSAT);
  smt_session_close(&session);
  smt_session_close(&session);
  bench_close(&bench);
  assert_no_children();
}

static volatile int stopped_child;

static void kill_stopped(int number) {
  (void)number;
  kill(stopped_child, SIGKILL);
}

/* A process that has answered goals and ends at the next one says nothing of that goal: a fresh one is asked. */
static void test_session_that_ends(void **state) {
  (void)state;
  if (!solver_is_here()) skip();
  Bench bench;
  Arena *arena = bench_open(&bench);
  SmtSession session = {0};
  SmtOptions options = {.session = &session, .timeout_seconds = 600, .route = SMT_ROUTE_SIMPLE};
  assert_int_equal(smt_solve(arena, easy, &options).answer, SMT_UNSAT);
  stopped_child = session.pid;
  kill(stopped_child, SIGSTOP); /* it takes the goal, and does not answer */
  struct sigaction before, action = {.sa_handler = kill_stopped};
  sigaction(SIGALRM, &action, &before);
  alarm(1);
  SmtResult result = smt_solve(arena, easy, &options);
  sigaction(SIGALRM, &before, NULL);
  assert_int_equal(result.answer, SMT_UNSAT);
  assert_int_not_equal(session.pid, stopped_child);
  smt_session_close(&session);
  bench_close(&bench);
  assert_no_children();
}

/* The state letter of a process; 0 when it is gone. */
static char process_state(int pid) {
  char path[64], line[256] = "";
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  if (!fgets(line, sizeof line, file)) line[0] = 0;
  fclose(file);
  const char *after = strrchr(line, ')');
  return after && after[1] ? after[2] : 0;
}

static int first_child(int pid) {
  char path[64];
  int child = 0;
  snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, pid);
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  if (fscanf(file, "%d", &child) != 1) child = 0;
  fclose(file);
  return child;
}

static void test_parent_death(void **state) {
  (void)state;
  if (!solver_is_here()) skip();
  pid_t parent = fork();
  if (parent == 0) {
    Bench bench;
    smt_solve(bench_open(&bench), endless, &(SmtOptions){.timeout_seconds = 20, .route = SMT_ROUTE_SIMPLE});
    _exit(0);
  }
  int worker = 0;
  for (int i = 0; i < 100 && !worker; i++) usleep(10000), worker = first_child(parent);
  usleep(100000); /* let it be busy */
  kill(parent, SIGKILL);
  waitpid(parent, NULL, 0);
  if (!worker) skip(); /* this kernel does not list children */
  char last = 'R';
  for (int i = 0; i < 200 && last && last != 'Z' && last != 'X'; i++) usleep(10000), last = process_state(worker);
  assert_true(!last || last == 'Z' || last == 'X');
}

/* Steps may only weaken: what they write must follow from the goal. */
static void test_steps(void **state) {
  (void)state;
  Bench bench;
  Arena *arena = bench_open(&bench);
  const char *exp_axiom = "(declare-const x Real)(declare-const m Real)(declare-fun exp (Real) Real)"
                          "(assert (forall ((a Real)(b Real)) (= (exp (+ a b)) (* (exp a) (exp b)))))";
  char *goal = arena_format(arena, "%s(assert (> (exp x) (* (exp (- x m)) (exp m))))", exp_axiom);
  const char *weaker = smt_goal_instantiate(arena, goal, false);
  assert_non_null(weaker);
  assert_null(strstr(weaker, "forall"));
  assert_non_null(strstr(weaker, "(= (exp x) (* (exp (- x m)) (exp m)))"));
  /* Nothing to instantiate with, names that text cannot tell apart, binders inside: left alone. */
  static const char *const alone[] = {
      "(assert (> (exp x) 0))(declare-fun exp (Int) Real)",
      "(declare-const a Real)(define-fun + ((p Real)(q Real)) Real p)(assert (> (exp x) 0))",
      "(define-fun all () Bool (forall ((a Real)) (> (exp a) 0)))(assert (> (exp x) 0))",
  };
  assert_null(smt_goal_instantiate(arena, exp_axiom, false));
  for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
    assert_null(smt_goal_instantiate(arena, arena_format(arena, "%s%s", exp_axiom, alone[i]), false));
  const char *bound_inside = "(declare-fun f (Real) Real)(assert (< (f 1.0) 0))"
                             "(assert (forall ((a Real)) (let ((b a)) (> (f b) 0))))";
  assert_null(smt_goal_instantiate(arena, bound_inside, false));
  /* |a| and a are one variable; an instance that left one of them in place would not follow. */
  const char *barred = "(declare-const a Real)(declare-fun f (Real) Real)(assert (< (f 2.0) 1.0))"
                       "(assert (forall ((|a| Real)) (> (f a) |a|)))";
  weaker = smt_goal_instantiate(arena, barred, false);
  assert_non_null(weaker);
  assert_non_null(strstr(weaker, "(> (f 2.0) 2.0)"));
  /* |(* x y)| is a symbol, not a product. */
  const char *disguised = "(declare-const x Real)(declare-const y Real)(declare-const |(* x y)| Real)"
                          "(declare-fun f (Real) Real)(assert (< (f |(* x y)|) 0))(assert (forall ((a Real))"
                          "(=> (> a 7) (> (f (* x y)) a))))";
  assert_null(smt_goal_instantiate(arena, disguised, false));
  /* An axiom under `not` is dropped and never instantiated. */
  const char *negated = "(declare-fun f (Real) Real)(assert (not (forall ((a Real)) (> (f a) 0))))"
                        "(assert (forall ((a Real)) (> (f a) 1)))(assert (< (f 2.0) 9))";
  weaker = smt_goal_instantiate(arena, negated, false);
  assert_non_null(weaker);
  assert_null(strstr(weaker, "not"));
  const char *ordered = smt_goal_commute(arena, "(assert (= (fp.add RNE b a) (fp.sub RNE b a)))");
  assert_string_equal(ordered, "(assert (= (fp.add RNE a b) (fp.sub RNE b a)))\n");
  assert_null(smt_goal_commute(arena, "(assert (= (fp.sub RNE b a) (fp.max b a)))"));
  if (solver_is_here()) {
    /* A weakened goal may have models that the goal has not: its `sat` is not passed on. */
    SmtResult result = smt_solve(arena, arena_format(arena, "%s(assert (< (exp x) 0))", exp_axiom),
                                 &(SmtOptions){.timeout_seconds = 0.5});
    assert_true(result.answer != SMT_SAT || result.step == SMT_STEP_NONE);
    result = solve_patiently(arena, goal, NULL);
    assert_int_equal(result.answer, SMT_UNSAT);
    assert_int_equal(result.step, SMT_STEP_INSTANTIATE);
    assert_non_null(strstr(result.sent, "(= (exp x) (* (exp (- x m)) (exp m)))"));
  }
  bench_close(&bench);
}

/* The goals of one call share a process, which ends with the call; outside of one each has its own. */
static void test_call(void **state) {
  (void)state;
  Guard guard;
  Arena arena;
  guard_init(&guard, 0, 0);
  arena_init(&arena, &guard);
  call_begin();
  int children[2] = {0};
  for (int i = 0; i < 2; i++) {
    SmtResult result = solve_patiently(&arena, "(declare-const x Real)(assert (< x x))", NULL);
    assert_int_equal(result.answer, SMT_UNSAT);
    siginfo_t child = {0};
    assert_int_equal(waitid(P_ALL, 0, &child, WEXITED | WNOHANG | WNOWAIT), 0); /* one lives */
    assert_int_equal(child.si_pid, 0);
    FILE *file = fopen("/proc/thread-self/children", "r");
    if (!file) break; /* a kernel that does not tell */
    assert_int_equal(fscanf(file, "%d", &children[i]), 1);
    fclose(file);
  }
  assert_int_equal(children[0], children[1]);
  call_end();
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* none is left */
  solve_patiently(&arena, "(declare-const x Real)(assert (< x x))", NULL);
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
  arena_destroy(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_answers),           cmocka_unit_test(test_goals),
      cmocka_unit_test(test_timeout_kills),     cmocka_unit_test(test_memory_limit),
      cmocka_unit_test(test_big_parent),        cmocka_unit_test(test_bad_input),
      cmocka_unit_test(test_deep_input),        cmocka_unit_test(test_no_library),
      cmocka_unit_test(test_parallel),          cmocka_unit_test(test_session),
      cmocka_unit_test(test_session_that_ends), cmocka_unit_test(test_call),
      cmocka_unit_test(test_parent_death),      cmocka_unit_test(test_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
