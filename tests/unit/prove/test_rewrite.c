/* The engine that rewrites: what it proves, what it must not, and forged explanations, which the replay refuses. */
#include "../term/table.h"

#include <stdio.h>

#include "prove/equal.h"
#include "prove/replay.h"
#include "prove/rewrite.h"

static ExpressionTable *table;
static LawTable *laws;
static Term n, m, x, y, z, s; /* a size, one that may be 0; three elements; a scalar that is positive */

static int start(void **state) {
  table_open(state);
  n = integer("n", SYMBOL_SIZE, tt->one, 0);
  m = integer("m", SYMBOL_SIZE, tt->zero, 0);
  x = term_read(tt, symbol("x", SORT_REAL, SYMBOL_TENSOR), SORT_REAL, 1, &tt->zero);
  y = term_read(tt, symbol("y", SORT_REAL, SYMBOL_TENSOR), SORT_REAL, 1, &tt->zero);
  z = term_read(tt, symbol("z", SORT_REAL, SYMBOL_TENSOR), SORT_REAL, 1, &tt->zero);
  s = term_fn1(tt, FN_EXP, symbol("s", SORT_REAL, SYMBOL_SCALAR));
  table = expression_table_new(tt, &arena);
  laws = law_table_new(table);
  return 0;
}

/* The expression of a text in which x, y, z, s stand for the leaves. */
static const char *with_leaves(const char *text) {
  Text out = text_new(&arena);
  for (const char *c = text; *c; c++) {
    bool alone = (c == text || c[-1] == ' ') && (!c[1] || c[1] == ' ' || c[1] == ')' || c[1] == '\n');
    Term leaf = !alone ? 0 : *c == 'x' ? x : *c == 'y' ? y : *c == 'z' ? z : *c == 's' ? s : 0;
    if (leaf)
      text_format(&out, "#%u", leaf);
    else
      text_char(&out, *c);
  }
  return text_string(&out);
}

static Expression read(const char *text) {
  const char *at = with_leaves(text);
  Expression e = expression_read(table, &at);
  if (!e || *at) fail_msg("%s is no expression", text);
  return e;
}

static Term term(const char *text) { return expression_term(table, read(text)); }

/* ---- goals ---- */

static const char *const TRUE_GOALS[][2] = {
    {"(erf (mul -1 x))", "(mul -1 (erf x))"},
    {"(add (pow (sin x) 2) (pow (cos x) 2))", "1"},
    {"(sin (mul 2 x))", "(mul 2 (mul (sin x) (cos x)))"},
    {"(exp (mul -1 (log (add 1 (exp (mul -1 x))))))", "(pow (add 1 (exp (mul -1 x))) -1)"},
    {"(log (add 1 (exp x)))", "(add (max x 0) (log (add 1 (exp (mul -1 (abs x))))))"},
    {"(max (exp x) (exp y))", "(exp (max x y))"},
    {"(add (max x 0) (min x 0))", "x"},
    {"(max x y)", "(mul 1/2 (add (add x y) (abs (add x (mul -1 y)))))"},
    {"(min (max x -1) 1)", "(max (min x 1) -1)"},
    {"(abs (mul x y))", "(mul (abs x) (abs y))"},
    {"(tanh x)", "(mul (sinh x) (pow (cosh x) -1))"},
    {"(exp (log x))", "x"}, /* from left to right only */
    {"(mul x (pow x -1))", "1"},
    {"(log (mul s (exp x)))", "(add (log s) x)"},
    {"(where (lt (mul -1 x)) (exp (log x)) 0)", "(where (lt (mul -1 x)) x 0)"}, /* no pole is in reach */
    {"(where (le (mul -1 x)) (log (mul x (exp y))) 0)",
     "(where (le (mul -1 x)) (add y (log x)) 0)"}, /* at 0: -inf both */
};

static void test_true_goals_are_proved(void **state) {
  (void)state;
  for (uint32_t i = 0; i < sizeof TRUE_GOALS / sizeof *TRUE_GOALS; i++) {
    const char *steps = NULL;
    if (!rewrite_prove(tt, term(TRUE_GOALS[i][0]), term(TRUE_GOALS[i][1]), &steps))
      fail_msg("%s = %s is not proved", TRUE_GOALS[i][0], TRUE_GOALS[i][1]);
    assert_non_null(steps);
  }
}

static const char *const FALSE_GOALS[][2] = {
    {"x", "(exp (log x))"}, /* the right side has no value for x <= 0 */
    {"1", "(mul x (pow x -1))"},
    {"0", "(add (pow x -1) (mul -1 (mul y (pow (mul x y) -1))))"},
    {"(pow (pow x 2) 1/2)", "x"},
    {"(abs x)", "x"},
    {"(log (mul x y))", "(add (log x) (log y))"},
    {"(log (pow x 2))", "(mul 2 (log x))"},
    {"(pow (mul x y) 1/2)", "(mul (pow x 1/2) (pow y 1/2))"},
    {"(max (mul z x) (mul z y))", "(mul z (max x y))"},
    {"(min (max x y) z)", "(max (min x z) y)"},
    {"(atan2 x y)", "(atan (mul x (pow y -1)))"},
    {"(where (lt x) y z)", "(where (le x) y z)"},
    {"(cos (mul 2 x))", "(mul 2 (cos x))"},
    {"(tanh x)", "(tanh y)"},
    {"(erf (mul -1 x))", "(erf x)"},
    {"(exp (add x y))", "(add (exp x) (exp y))"},
    {"(max x 0)", "(abs x)"},
    {"(log (add 1 (exp x)))", "(max x 0)"},
    {"(where (le (mul -1 x)) (log x) 0)", "(where (lt (mul -1 x)) (log x) 0)"}, /* at 0: -inf, 0 */
    {"(where (le (mul -1 x)) (pow x -1/2) 3)", "(where (lt (mul -1 x)) (pow x -1/2) 3)"},
    {"(log (mul x y))", "(where (eq (mul x y)) 7 (log (mul x y)))"},
    {"(exp (mul -1 (pow x -2)))", "(where (eq x) 5 (exp (mul -1 (pow x -2))))"}, /* at 0: 0, 5 */
    {"(add y (log x))", "(where (lt (mul -1 x)) (add y (log x)) z)"},
};

static void test_false_goals_are_not(void **state) {
  (void)state;
  for (uint32_t i = 0; i < sizeof FALSE_GOALS / sizeof *FALSE_GOALS; i++)
    if (rewrite_prove(tt, term(FALSE_GOALS[i][0]), term(FALSE_GOALS[i][1]), NULL))
      fail_msg("%s = %s is proved", FALSE_GOALS[i][0], FALSE_GOALS[i][1]);
}

/* ---- replay ---- */

/* True if the replay accepts that certificate for left = right. */
static bool accepts(const char *certificate, const char *left, const char *right) {
  Replay *replay = replay_new(laws, &arena);
  return replay_check(replay, replay_add_certificate(replay, with_leaves(certificate)), read(left), read(right));
}

#define LOG_EXP                                                                                                        \
  "t0 = x\nt1 = (exp t0)\nt2 = (log t1)\nt3 = (log t0)\nt4 = (exp t3)\nt5 = y\nt6 = (add t0 t5)\nt7 = (add t2 t5)\n"

static void test_sound_certificates(void **state) {
  (void)state;
  assert_true(accepts(LOG_EXP "p0: t2 = t0 by rule log_of_exp ?a=t0\n", "(log (exp x))", "x"));
  assert_true(
      accepts(LOG_EXP "p0: t2 = t0 by rule log_of_exp ?a=t0\np1: t0 = t2 by chain ~p0\n", "x", "(log (exp x))"));
  assert_true(accepts(LOG_EXP "p0: t4 = t0 by rule exp_of_log ?a=t0\n", "(exp (log x))", "x"));
  assert_true(accepts(LOG_EXP "p0: t2 = t0 by rule log_of_exp ?a=t0\np1: t7 = t6 by congruence p0 -\n",
                      "(add (log (exp x)) y)", "(add x y)"));
  assert_true(accepts("t0 = #1\nt1 = 2\nt2 = 3\nt3 = (add t1 t2)\nt4 = 5\np0: t3 = t4 by rule compute.add\n",
                      "(add 2 3)", "5"));
}

static void test_forged_steps(void **state) {
  (void)state;
  /* another law; another right side; a law that does not exist; the wrong way round */
  assert_false(accepts(LOG_EXP "p0: t2 = t0 by rule exp_of_log ?a=t0\n", "(log (exp x))", "x"));
  assert_false(accepts(LOG_EXP "p0: t2 = t5 by rule log_of_exp ?a=t0\n", "(log (exp x))", "y"));
  assert_false(accepts(LOG_EXP "p0: t2 = t0 by rule because ?a=t0\n", "(log (exp x))", "x"));
  assert_false(accepts(LOG_EXP "p0: t0 = t2 by rule log_of_exp ?a=t0\n", "x", "(log (exp x))"));
  assert_false(accepts(LOG_EXP "p0: t2 = t0 by rule log_of_exp.back ?a=t0\n", "(log (exp x))", "x"));
  /* a true law, of other terms than the goal's */
  assert_false(accepts(LOG_EXP "p0: t2 = t0 by rule log_of_exp ?a=t0\n", "(log (exp y))", "y"));
  /* conditions: x is not known to be positive */
  assert_false(accepts(LOG_EXP "p0: t0 = t4 by rule exp_of_log.back ?a=t0\n", "x", "(exp (log x))"));
  assert_false(
      accepts(LOG_EXP "p0: t4 = t0 by rule exp_of_log ?a=t0\np1: t0 = t4 by chain ~p0\n", "x", "(exp (log x))"));
  assert_false(accepts("t0 = x\nt1 = (abs t0)\np0: t1 = t0 by rule abs_known ?a=t0\n", "(abs x)", "x"));
  assert_true(accepts("t0 = s\nt1 = (abs t0)\np0: t1 = t0 by rule abs_known ?a=t0\n", "(abs s)", "s"));
  assert_false(accepts("t0 = x\nt1 = 2\nt2 = (pow t0 t1)\nt3 = 1/2\nt4 = (pow t2 t3)\nt5 = (mul t1 t3)\nt6 = (pow t0 "
                       "t5)\np0: t4 = t6 by rule power_tower ?a=t0 ?p=t1 ?q=t3\n",
                       "(pow (pow x 2) 1/2)", "(pow x (mul 2 1/2))"));
  assert_false(accepts("t0 = x\nt1 = -1\nt2 = (pow t0 t1)\nt3 = 0\nt4 = (mul t3 t2)\np0: t4 = t3 by rule multiply_zero "
                       "?a=t2\np1: t3 = t4 by chain ~p0\n",
                       "0", "(mul 0 (pow x -1))"));
}

static void test_forged_structure(void **state) {
  (void)state;
  /* arithmetic */
  assert_false(
      accepts("t0 = 2\nt1 = 3\nt2 = (add t0 t1)\nt3 = 6\np0: t2 = t3 by rule compute.add\n", "(add 2 3)", "6"));
  assert_false(
      accepts("t0 = x\nt1 = 3\nt2 = (add t0 t1)\nt3 = 6\np0: t2 = t3 by rule compute.add\n", "(add x 3)", "6"));
  assert_false(
      accepts("t0 = 0\nt1 = -1\nt2 = (pow t0 t1)\nt3 = 0\np0: t2 = t3 by rule compute.pow\n", "(pow 0 -1)", "0"));
  /* congruence: of other children, without a proof, of another operator */
  assert_false(accepts(LOG_EXP "p0: t2 = t0 by rule log_of_exp ?a=t0\np1: t6 = t7 by congruence p0 -\n", "(add x y)",
                       "(add (log (exp x)) y)"));
  assert_false(accepts(LOG_EXP "p0: t7 = t6 by congruence - -\n", "(add (log (exp x)) y)", "(add x y)"));
  assert_false(accepts(LOG_EXP "p0: t7 = t6 by congruence -\n", "(add (log (exp x)) y)", "(add x y)"));
  assert_false(accepts(LOG_EXP "p0: t1 = t3 by congruence -\n", "(exp x)", "(log x)"));
  /* chains that do not meet, that end elsewhere, that are empty */
  assert_false(accepts(
      LOG_EXP
      "p0: t2 = t0 by rule log_of_exp ?a=t0\np1: t4 = t0 by rule exp_of_log ?a=t0\np2: t2 = t0 by chain p0 p1\n",
      "(log (exp x))", "x"));
  assert_false(
      accepts(LOG_EXP "p0: t2 = t0 by rule log_of_exp ?a=t0\np1: t2 = t5 by chain p0\n", "(log (exp x))", "y"));
  assert_false(accepts(LOG_EXP "p0: t2 = t5 by chain\n", "(log (exp x))", "y"));
  /* a line that rests on itself, on a later one, on a lemma that does not exist */
  assert_false(accepts(LOG_EXP "p0: t2 = t5 by chain p0\n", "(log (exp x))", "y"));
  assert_false(accepts(LOG_EXP "p0: t2 = t5 by chain p1\np1: t2 = t5 by chain p0\n", "(log (exp x))", "y"));
  assert_false(accepts(LOG_EXP "p0: t2 = t5 by given lemma0\n", "(log (exp x))", "y"));
  assert_false(accepts(LOG_EXP "p0: t2 = t5 by given assumed\n", "(log (exp x))", "y"));
  /* sorts, arities, numbers of terms */
  assert_false(accepts("t0 = x\nt1 = (lt t0)\nt2 = (add t1 t0)\np0: t2 = t2 by chain\n", "x", "x"));
  assert_false(accepts("t0 = x\nt1 = (add t0)\np0: t1 = t0 by chain\n", "x", "x"));
  assert_false(accepts("t0 = x\nt2 = (exp t0)\np0: t2 = t2 by chain\n", "x", "x"));
  assert_false(accepts("t0 = #99999999\np0: t0 = t0 by chain\n", "x", "x"));
  assert_false(accepts("", "x", "x"));
  assert_false(accepts("p0: t0 = t1 by rule", "x", "x"));
}

/* ---- lemmas ---- */

static void test_lemmas(void **state) {
  (void)state;
  Replay *replay = replay_new(laws, &arena);
  Expression left = read("(mul 2 (add x y))"), right = read("(add (mul 2 x) (mul 2 y))"),
             other = read("(add (mul 2 x) (mul 3 y))");
  assert_true(replay_check(replay, replay_add_equality(replay, left, right), left, right));
  assert_false(replay_check(replay, replay_add_equality(replay, left, other), left, other));
  assert_false(replay_check(replay, replay_add_equality(replay, left, right), left, other));
  /* 0 = 0 * (1 / x): the term is 0, but the expression has no value at 0 */
  Expression zero = read("0"), hollow = read("(mul 0 (pow x -1))");
  assert_int_equal(expression_term(table, hollow), tt->zero);
  assert_false(replay_check(replay, replay_add_equality(replay, zero, hollow), zero, hollow));
  assert_true(replay_check(replay, replay_add_equality(replay, hollow, zero), hollow, zero));
  /* ... from which 0 = 1 would follow with x = 0 */
  Expression joke = read("(mul 0 (pow 0 -1))");
  assert_false(replay_check(replay, replay_add_equality(replay, zero, joke), zero, joke));
}

/* ---- folds ---- */

static void test_indices_stay_inside_folds(void **state) {
  (void)state;
  Term k = index_in(tt->zero, n);
  Term element = term_read(tt, term_arg(tt, x, 0), SORT_REAL, 1, &k);
  Term sum = term_fold(tt, FOLD_SUM, k, tt->zero, n, tt->true_, term_fn1(tt, FN_TANH, element));
  Expression e = expression_of(table, sum);
  const ExpressionNode node = *expression_node(table, e);
  assert_int_equal(node.op, EXPRESSION_SUM);
  assert_int_equal(node.free, 0);
  assert_int_equal(expression_term(table, e), sum);
  Expression body = node.args[4];
  assert_true(expression_node(table, body)->free != 0);
  /* a fold of that index over another range is no expression */
  Expression args[5] = {node.args[0], node.args[1], expression_leaf(table, tt->one), node.args[3], body};
  assert_int_equal(expression_make(table, EXPRESSION_SUM, args), 0);
  /* 0 <= k is known of the index, but says nothing outside its fold */
  uint32_t index = expression_node(table, node.args[0])->aux;
  char text[400], left[60], right[40];
  snprintf(text, sizeof text, "t0 = #%u\nt1 = 0\nt2 = (max t1 t0)\np0: t2 = t0 by rule max_known ?a=t1 ?b=t0\n", index);
  snprintf(left, sizeof left, "(max 0 #%u)", index), snprintf(right, sizeof right, "#%u", index);
  assert_false(accepts(text, left, right));
  snprintf(text, sizeof text,
           "t0 = #%u\nt1 = 0\nt2 = (max t1 t0)\nt3 = #%u\nt4 = #%u\nt5 = true\nt6 = (sum t0 t3 t4 t5 t2)\nt7 = (sum t0 "
           "t3 t4 t5 t0)\n"
           "p0: t2 = t0 by rule max_known ?a=t1 ?b=t0\np1: t6 = t7 by congruence - - - - p0\n",
           index, tt->zero, n);
  char fold_left[80], fold_right[80];
  snprintf(fold_left, sizeof fold_left, "(sum #%u #%u #%u true (max 0 #%u))", index, tt->zero, n, index);
  snprintf(fold_right, sizeof fold_right, "(sum #%u #%u #%u true #%u)", index, tt->zero, n, index);
  assert_true(accepts(text, fold_left, fold_right));
  /* on the way from 0 to 0 an index may occur whose range has a place, but not one of a range that may be empty */
  for (int some = 0; some < 2; some++) {
    Term end = some ? n : m, j = index_in(tt->zero, end);
    Expression other = expression_of(table, term_fold(tt, FOLD_SUM, j, tt->zero, end, tt->true_,
                                                      term_read(tt, term_arg(tt, y, 0), SORT_REAL, 1, &j)));
    snprintf(text, sizeof text,
             "t0 = #%u\nt1 = 0\nt2 = (max t1 t0)\nt3 = (mul t1 t2)\nt4 = (mul t1 t0)\np0: t2 = t0 by rule "
             "max_known\np1: t3 = t4 by congruence - p0\n"
             "p2: t3 = t1 by rule multiply_zero\np3: t4 = t1 by rule multiply_zero\np4: t1 = t1 by chain ~p2 p1 p3\n",
             expression_node(table, expression_node(table, other)->args[0])->aux);
    assert_int_equal(accepts(text, "0", "0"), some);
  }
  /* a factor that depends on the index stays inside */
  snprintf(text, sizeof text,
           "t0 = #%u\nt1 = #%u\nt2 = #%u\nt3 = true\nt4 = x\nt5 = (mul t0 t4)\nt6 = (sum t0 t1 t2 t3 t5)\nt7 = (sum t0 "
           "t1 t2 t3 t4)\nt8 = (mul t0 t7)\n"
           "p0: t6 = t8 by rule sum_scale\n",
           index, tt->zero, n);
  snprintf(fold_left, sizeof fold_left, "(sum #%u #%u #%u true (mul #%u x))", index, tt->zero, n, index);
  snprintf(fold_right, sizeof fold_right, "(mul #%u (sum #%u #%u #%u true x))", index, index, tt->zero, n);
  assert_false(accepts(text, fold_left, fold_right));
}

/* Folds change places only where neither range speaks of the other's index. */
static void test_no_capture_in_exchanged_folds(void **state) {
  (void)state;
  Term j = index_in(tt->zero, n);
  Term k = index_in(tt->zero, j);
  Term i = index_in(tt->zero, m);
  Term element = term_read(tt, term_arg(tt, x, 0), SORT_REAL, 3, (Term[]){i, j, k});
  Term sum = term_fold(tt, FOLD_SUM, i, tt->zero, m, tt->true_, element);
  sum = term_fold(tt, FOLD_SUM, k, tt->zero, j, tt->true_, sum);
  sum = term_fold(tt, FOLD_SUM, j, tt->zero, n, tt->true_, sum);
  const ExpressionNode over_j = *expression_node(table, expression_of(table, sum));
  const ExpressionNode over_k = *expression_node(table, over_j.args[4]),
                       over_i = *expression_node(table, over_k.args[4]);
  const Law *law = law_find(laws, "interchanged_sum", strlen("interchanged_sum"));
  assert_int_equal(over_i.op, EXPRESSION_SUM);
  assert_non_null(law);
  for (int same = 0; same < 2; same++) {
    LawInstance in = {0};
    const ExpressionNode *inside =
        same ? &over_j : &over_i; /* the inner fold over j again: its index is in the outer range */
    for (uint32_t v = 0; v < law->variable_count; v++) {
      char letter = law->variables[v];
      const ExpressionNode *fold = letter == 'k' || letter == 'l' || letter == 'h' ? &over_k : inside;
      in.expressions[v] = fold->args[letter == 'k' || letter == 'j'   ? 0
                                     : letter == 'l' || letter == 'm' ? 1
                                     : letter == 'h' || letter == 'n' ? 2
                                                                      : 4];
      in.terms[v] = expression_term(table, in.expressions[v]);
    }
    assert_int_equal(law_holds(laws, law, &in, false), !same);
  }
  /* and the other way round: the inner range speaks of the outer index */
  LawInstance in = {0};
  for (uint32_t v = 0; v < law->variable_count; v++) {
    char letter = law->variables[v];
    const ExpressionNode *fold = letter == 'k' || letter == 'l' || letter == 'h' ? &over_j : &over_k;
    in.expressions[v] = fold->args[letter == 'k' || letter == 'j'   ? 0
                                   : letter == 'l' || letter == 'm' ? 1
                                   : letter == 'h' || letter == 'n' ? 2
                                                                    : 4];
    in.terms[v] = expression_term(table, in.expressions[v]);
  }
  assert_false(law_holds(laws, law, &in, false));
}

/* Whatever allocation fails, the guard is reached and nothing is left behind (the sanitizers look). */
static void test_allocations_may_fail(void **state) {
  (void)state;
  volatile bool proved = false;
  for (volatile uint64_t at = 1; !proved && at < 1000000; at += 1 + at / 12) {
    start(NULL);
    if (!setjmp(guard.escape)) {
      Term left = term("(add (max x 0) (min x 0))");
      guard.fail_at = guard.allocations + at;
      proved = rewrite_prove(tt, left, x, NULL);
    } else
      assert_int_equal(guard.reason, GUARD_MEMORY);
    guard.fail_at = 0;
    table_close(NULL);
  }
  assert_true(proved);
}

/* Out of time: not proved, and the caller goes on. */
static void test_time_may_run_out(void **state) {
  (void)state;
  Term left = term("(mul x (min (max (add x 3) 0) 6))"), right = term("(mul x (max (min (add x 3) 6) y))");
  guard.deadline = guard_now() + 0.01; /* a quarter of that is the engine's */
  if (!setjmp(guard.escape))
    assert_false(rewrite_prove(tt, left, right, NULL));
  else
    assert_int_equal(guard.reason, GUARD_TIMEOUT);
  guard.deadline = 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_true_goals_are_proved, start, table_close),
      cmocka_unit_test_setup_teardown(test_false_goals_are_not, start, table_close),
      cmocka_unit_test_setup_teardown(test_sound_certificates, start, table_close),
      cmocka_unit_test_setup_teardown(test_forged_steps, start, table_close),
      cmocka_unit_test_setup_teardown(test_forged_structure, start, table_close),
      cmocka_unit_test_setup_teardown(test_lemmas, start, table_close),
      cmocka_unit_test_setup_teardown(test_indices_stay_inside_folds, start, table_close),
      cmocka_unit_test_setup_teardown(test_no_capture_in_exchanged_folds, start, table_close),
      cmocka_unit_test(test_allocations_may_fail),
      cmocka_unit_test_setup_teardown(test_time_may_run_out, start, table_close),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
