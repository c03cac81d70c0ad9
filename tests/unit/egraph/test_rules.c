/* Rules: text and diagnostics, conditions, dynamic results, several patterns, back-off, stop reasons, binders,
 * explanations of each. */
#include "support.h"

static void bad_rules_get_a_diagnostic(void **state) {
  (void)state;
  static const struct {
    const char *text, *code;
    unsigned line, column;
  } BAD[] = {
      {"r: (f ?a) => ?b", "unbound", 1, 14},
      {"r: (f ?a) => (f ?a ?a)", "arity", 1, 15},
      {"r: (f ?a) =>", "syntax", 1, 13},
      {"r: (f ?a) (g ?a)", "syntax", 1, 11},
      {"(f ?a) => ?a", "syntax", 1, 1},
      {"r: (f ?a) => ?a if (unknown ?a)", "unknown", 1, 21},
      {"r: (f ?a) => @unknown ?a", "unknown", 1, 15},
      {"a: (f ?a) => ?a\n\nb: (f ?x)\n  => (g ?y)", "unbound", 4, 9},
      {"r: (f ?a) => ?a r: (f ?a) => ?a", "duplicate", 1, 17},
      {"r: (f ?a) <=> (g ?a ?b)", "unbound", 1, 21},
      {"r: (?f ?a) => ?a", "syntax", 1, 5},
      {"r: f = (g ?a) => ?a", "syntax", 1, 6},
      {"r: ?x = f => ?x", "syntax", 1, 4},
      {"r: @f ?x => ?x", "syntax", 1, 4},
      {"r: (f (g ?a) => ?a", "syntax", 1, 19},
      {"a-reverse: (f ?a) => ?a\na: (g ?a) <=> (f ?a)", "duplicate", 2, 1},
      {"r: (f a:) => a", "syntax", 1, 7},
  };
  for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
    EGraph *graph = graph_new(false);
    EGraphRules *rules;
    EGraphDiagnostic problem = {0};
    assert_int_equal(egraph_rules_parse(&rules, graph, BAD[i].text, &problem), EGRAPH_BAD_INPUT);
    assert_null(rules);
    if (strcmp(problem.code, BAD[i].code) != 0 || problem.line != BAD[i].line || problem.column != BAD[i].column)
      print_message("%s: %s %u:%u %s\n", BAD[i].text, problem.code, problem.line, problem.column, problem.text);
    assert_string_equal(problem.code, BAD[i].code);
    assert_int_equal(problem.line, BAD[i].line);
    assert_int_equal(problem.column, BAD[i].column);
    add(graph, "(f a b c d)"); /* nothing is left of bad rules, not even the arity of f */
    add(graph, "(g a b c d)");
    assert_null(egraph_check(graph));
    egraph_destroy(graph);
  }
}

static void too_many_variables_get_a_diagnostic(void **state) {
  (void)state;
  char text[1000] = "r: (f";
  for (int i = 0; i < 60; i++) sprintf(text + strlen(text), " ?%d", i);
  strcat(text, " (g");
  for (int i = 60; i < 70; i++) sprintf(text + strlen(text), " ?%d", i);
  strcat(text, ")) => ?1");
  EGraph *graph = graph_new(false);
  EGraphRules *rules;
  EGraphDiagnostic problem = {0};
  assert_int_equal(egraph_rules_parse(&rules, graph, text, &problem), EGRAPH_BAD_INPUT);
  assert_string_equal(problem.code, "too-many");
  egraph_destroy(graph);
}

static void rules_of_another_graph_do_not_run(void **state) {
  (void)state;
  EGraph *graph = graph_new(false), *other = graph_new(false);
  EGraphReport report;
  egraph_run(&report, other, rules_of(graph, "r: (f ?a) => ?a"), NULL);
  assert_int_equal(report.stop, EGRAPH_STOP_FAILED);
  egraph_destroy(graph);
  egraph_destroy(other);
}

static void saturates_and_explains(void **state) {
  (void)state;
  const char *text = "comm: (+ ?a ?b) => (+ ?b ?a) ; a comment\n"
                     "assoc: (+ ?a (+ ?b ?c)) <=> (+ (+ ?a ?b) ?c)\n"
                     "zero: (+ ?a 0) => ?a\n";
  EGraph *graph = graph_new(true);
  EGraphRules *rules = rules_of(graph, text);
  assert_int_equal(egraph_rules_count(rules), 4);
  assert_string_equal(egraph_rules_name(rules, 2), "assoc-reverse");
  EGraphClass a = add(graph, "(+ a (+ 0 (+ b c)))"), b = add(graph, "(+ (+ c 0) (+ b a))");
  assert_int_equal(run(graph, rules, 30).stop, EGRAPH_STOP_SATURATED);
  assert_true(egraph_equal(graph, a, b));
  assert_int_equal(explained(graph, text, "(+ a (+ 0 (+ b c)))", "(+ (+ c 0) (+ b a))"), 0);
  assert_int_equal(explained(graph, text, "(+ (+ c 0) (+ b a))", "(+ a (+ 0 (+ b c)))"), 0);
  char *certificate, why[100];
  assert_int_equal(egraph_explain(&certificate, graph, "a", "(+ a b)"), EGRAPH_NOT_FOUND);
  assert_int_equal(egraph_explain(&certificate, graph, "(+ a (+ 0 (+ b c)))", "(+ (+ c 0) (+ b a))"), EGRAPH_OK);
  assert_int_equal(egraph_explain_check(certificate, text, "a", "b", NULL, why, sizeof why), EGRAPH_BAD_INPUT);
  /* the same steps do not follow from other rules */
  assert_int_equal(egraph_explain_check(certificate,
                                        "comm: (+ ?a ?b) => (+ ?a ?a)\nassoc: (+ ?a (+ ?b ?c)) <=> (+ (+ ?a "
                                        "?b) ?c)\nzero: (+ ?a 0) => ?a\n",
                                        NULL, NULL, NULL, why, sizeof why),
                   EGRAPH_BAD_INPUT);
  free(certificate);
  egraph_destroy(graph);
}

static bool not_zero(const EGraph *graph, const EGraphClass *arguments, unsigned count, void *payload) {
  (void)payload, (void)count;
  EGraphClass zero;
  return egraph_lookup_text(&zero, graph, "0") != EGRAPH_OK || !egraph_equal(graph, zero, arguments[0]);
}

static void conditions_hold_or_not(void **state) {
  (void)state;
  EGraph *graph = graph_new(true);
  assert_int_equal(egraph_condition_register(graph, "nonzero", 1, not_zero, NULL), EGRAPH_OK);
  const char *text = "cancel: (/ ?a ?a) => 1 if (nonzero ?a)";
  EGraphRules *rules = rules_of(graph, text);
  EGraphClass x = add(graph, "(/ x x)"), zero = add(graph, "(/ 0 0)");
  run(graph, rules, 10);
  assert_true(egraph_equal(graph, x, add(graph, "1")));
  assert_false(egraph_equal(graph, zero, add(graph, "1")));
  assert_int_equal(explained(graph, text, "(/ x x)", "1"), 1);
  egraph_destroy(graph);
}

static bool switched_on(const EGraph *graph, const EGraphClass *arguments, unsigned count, void *payload) {
  (void)graph, (void)arguments, (void)count;
  return *(const bool *)payload;
}

/* An old match counts again when its condition has come to hold. */
static void conditions_are_asked_again(void **state) {
  (void)state;
  bool on = false;
  EGraph *graph = graph_new(false);
  assert_int_equal(egraph_condition_register(graph, "on", 1, switched_on, &on), EGRAPH_OK);
  EGraphRules *rules = rules_of(graph, "r: (f ?a) => (g ?a) if (on ?a)");
  EGraphClass fx = add(graph, "(f x)"), gx = add(graph, "(g x)");
  assert_int_equal(run(graph, rules, 10).stop, EGRAPH_STOP_SATURATED);
  assert_false(egraph_equal(graph, fx, gx));
  on = true;
  run(graph, rules, 10);
  assert_true(egraph_equal(graph, fx, gx));
  egraph_destroy(graph);
}

static void forged_certificates_are_refused(void **state) {
  (void)state;
  static const char *const RULES = "fg: (f ?a ?b) => (g ?b)\nboth: (k ?a) <=> (m ?a)\n"
                                   "two: ?x = (f ?a ?b), ?y = (g ?a) => ?x = (h ?y)\nif: (k ?a) => ?a if (on ?a)\n"
                                   "dyn: (m ?a) => @make ?a\n";
#define TERMS_                                                                                                         \
  "t0 = a\nt1 = b\nt2 = (f t0 t1)\nt3 = (g t1)\nt4 = (g t0)\nt5 = (k t0)\nt6 = (m t0)\nt7 = (h t4)\nt8 = (k t1)\n"
  static const struct {
    const char *lines;
    int assumed; /* -1: must be refused */
  } CASES[] = {
      {"p0: t2 = t3 by rule fg ?a=t0 ?b=t1", 0},
      {"p0: t3 = t2 by rule fg ?a=t0 ?b=t1", -1}, /* the wrong way round */
      {"p0: t2 = t4 by rule fg ?a=t0 ?b=t1", -1}, /* another instance */
      {"p0: t2 = t3 by rule fg ?a=t1 ?b=t1", -1},
      {"p0: t2 = t3 by rule fg ?a=t0", -1},       /* no value for ?b */
      {"p0: t2 = t3 by rule gf ?a=t0 ?b=t1", -1}, /* no such rule */
      {"p0: t2 = t3 by rule fg-reverse ?a=t0 ?b=t1", -1},
      {"p0: t5 = t6 by rule both ?a=t0", 0},
      {"p0: t6 = t5 by rule both-reverse ?a=t0", 0},
      {"p0: t6 = t5 by rule both ?a=t0", -1},
      {"p0: t5 = t0 by rule if ?a=t0", 1},  /* the condition is assumed */
      {"p0: t6 = t1 by rule dyn ?a=t0", 1}, /* and what a function makes */
      {"p0: t0 = t1 by given why not", 1},
      {"p0: t0 = t1 by chain", -1},
      {"p0: t0 = t0 by chain", 0},
      {"p0: t0 = t1 by congruence", -1},
      {"p0: t0 = t0 by congruence", 0},
      {"p0: t0 = t1 by magic", -1},
      {"p0: t4 = t3 by congruence -", -1}, /* a and b are not the same */
      {"p0: t0 = t1 by given x\np1: t4 = t3 by congruence p0", 1},
      {"p0: t0 = t1 by given x\np1: t4 = t3 by congruence ~p0", -1},
      {"p0: t0 = t1 by given x\np1: t3 = t4 by congruence ~p0", 1},
      {"p0: t0 = t1 by given x\np1: t4 = t3 by congruence p0 p0", -1},
      {"p0: t0 = t1 by given x\np1: t4 = t8 by congruence p0", -1}, /* g and k */
      {"p0: t4 = t3 by congruence p1\np1: t0 = t1 by given x", -1}, /* used before it is proved */
      {"p0: t0 = t1 by congruence p0", -1},
      {"p1: t0 = t0 by chain", -1}, /* the first line is p0 */
      {"p0: t0 = t1 by given x\np1: t1 = t2 by given y\np2: t0 = t2 by chain p0 p1", 2},
      {"p0: t0 = t1 by given x\np1: t1 = t2 by given y\np2: t0 = t2 by chain p1 p0", -1},
      {"p0: t0 = t1 by given x\np1: t1 = t2 by given y\np2: t0 = t3 by chain p0 p1", -1},
      {"p0: t0 = t1 by given x\np1: t1 = t2 by given y\np2: t2 = t0 by chain ~p1 ~p0", 2},
      {"p0: t2 = t7 by rule two ?x=t2 ?a=t0 ?b=t1 ?y=t4 with - -", 0},
      {"p0: t2 = t7 by rule two ?x=t2 ?a=t0 ?b=t1 ?y=t4", -1}, /* premises without proof */
      {"p0: t2 = t7 by rule two ?x=t2 ?a=t0 ?b=t1 ?y=t4 with -", -1},
      {"p0: t2 = t7 by rule two ?x=t2 ?a=t0 ?b=t1 ?y=t4 with - - -", -1},
      {"p0: t3 = t7 by rule two ?x=t3 ?a=t0 ?b=t1 ?y=t4 with - -", -1}, /* ?x is not (f a b) */
      {"p0: t2 = t3 by given x\np1: t3 = t7 by rule two ?x=t3 ?a=t0 ?b=t1 ?y=t4 with ~p0 -", 1},
      {"t0 = b\np0: t0 = t0 by chain", -1}, /* a term has one meaning */
      {"t9 = (f t0 t99)\np0: t0 = t0 by chain", -1},
      {"p0: t99 = t0 by given x", -1},
      {"nonsense", -1},
      {"", -1},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    char text[1000], why[200];
    size_t assumed = 99;
    snprintf(text, sizeof text, TERMS_ "%s\n", CASES[i].lines);
    EGraphStatus status = egraph_explain_check(text, RULES, NULL, NULL, &assumed, why, sizeof why);
    if ((status == EGRAPH_OK) != (CASES[i].assumed >= 0)) print_message("%s: %s\n", CASES[i].lines, why);
    assert_int_equal(status, CASES[i].assumed < 0 ? EGRAPH_BAD_INPUT : EGRAPH_OK);
    if (CASES[i].assumed >= 0) assert_int_equal(assumed, CASES[i].assumed);
    if (CASES[i].assumed < 0) assert_true(why[0] != 0);
  }
  /* proves what it says, not what is asked */
  assert_int_equal(
      egraph_explain_check(TERMS_ "p0: t2 = t3 by rule fg ?a=t0 ?b=t1\n", RULES, "(f a b)", "(g b)", NULL, NULL, 0),
      EGRAPH_OK);
  assert_int_equal(
      egraph_explain_check(TERMS_ "p0: t2 = t3 by rule fg ?a=t0 ?b=t1\n", RULES, "(f a b)", "(g a)", NULL, NULL, 0),
      EGRAPH_BAD_INPUT);
  assert_int_equal(
      egraph_explain_check(TERMS_ "p0: t2 = t3 by rule fg ?a=t0 ?b=t1\n", RULES, "(g b)", "(f a b)", NULL, NULL, 0),
      EGRAPH_BAD_INPUT);
}

/* Adds integers when both classes hold one. */
static EGraphStatus add_integers(EGraphClass *out, EGraph *graph, const EGraphClass *arguments, unsigned count,
                                 void *payload) {
  (void)payload;
  int64_t sum = 0;
  for (unsigned i = 0; i < count; i++) {
    bool found = false;
    for (int64_t value = 0; value < 10 && !found; value++) {
      char name[8];
      EGraphClass class;
      snprintf(name, sizeof name, "%d", (int)value);
      if (egraph_lookup_text(&class, graph, name) != EGRAPH_OK || !egraph_equal(graph, class, arguments[i])) continue;
      found = true;
      sum += value;
    }
    if (!found) return EGRAPH_NOT_FOUND;
  }
  return egraph_add_integer(out, graph, sum);
}

static void dynamic_rules_compute(void **state) {
  (void)state;
  EGraph *graph = graph_new(true);
  assert_int_equal(egraph_function_register(graph, "sum", 2, add_integers, NULL), EGRAPH_OK);
  const char *text = "fold: (+ ?a ?b) => @sum ?a ?b";
  EGraphRules *rules = rules_of(graph, text);
  EGraphClass sum = add(graph, "(+ 1 (+ 2 (+ 1 3)))");
  add(graph, "(+ x 1)");
  assert_int_equal(run(graph, rules, 10).stop, EGRAPH_STOP_SATURATED);
  assert_true(egraph_equal(graph, sum, add(graph, "7")));
  assert_true(explained(graph, text, "(+ 1 (+ 2 (+ 1 3)))", "7") >= 1);
  egraph_destroy(graph);
}

/* Two products that share a factor become parts of one: two left sides, two results. */
static void several_patterns_join(void **state) {
  (void)state;
  const char *text = "share: ?x = (mul ?a ?b), ?y = (mul ?a ?c) => ?x = (left (mul ?a (pair ?b ?c))), "
                     "?y = (right (mul ?a (pair ?b ?c)))\n";
  EGraph *graph = graph_new(true);
  EGraphRules *rules = rules_of(graph, text);
  EGraphClass x = add(graph, "(mul m p)"), y = add(graph, "(mul m q)");
  run(graph, rules, 1);
  EGraphClass left = add(graph, "(left (mul m (pair p q)))"), right = add(graph, "(right (mul m (pair p q)))");
  assert_true(egraph_equal(graph, x, left));
  assert_true(egraph_equal(graph, y, right));
  explained(graph, text, "(mul m p)", "(left (mul m (pair p q)))");
  explained(graph, text, "(mul m q)", "(right (mul m (pair p q)))");
  egraph_destroy(graph);
}

/* Many nodes share an argument: an index on one column would read them all. */
static void hubs_are_joined_on_all_that_is_known(void **state) {
  (void)state;
  EGraph *graph = graph_new(false);
  EGraphRules *rules = rules_of(graph, "r: ?x = (e ?a ?b), ?y = (t ?a ?b ?c) => ?x = (found ?a ?b ?c)");
  char text[60];
  for (int i = 0; i < 300; i++) {
    sprintf(text, "(t hub n%d m%d)", i, i % 7);
    add(graph, text);
    sprintf(text, "(t hub n%d m%d)", i, 1 + i % 5);
    add(graph, text);
    sprintf(text, "(e hub n%d)", i * 3);
    add(graph, text);
  }
  size_t expected = 0;
  for (int i = 0; i < 300; i += 3) expected += i % 7 == 1 + i % 5 ? 1 : 2;
  run(graph, rules, 1);
  assert_int_equal(egraph_rules_matches(rules, 0), expected);
  egraph_destroy(graph);
}

/* Left sides that are a variable, a constant, or named twice. */
static void odd_left_sides_work(void **state) {
  (void)state;
  const char *text = "any: ?a => (id ?a)\nzero: 0 => (zero)\nboth: ?x = (f ?a), ?x = (g ?b) => ?x = (h ?a ?b)\n"
                     "loop: ?x = (s ?x) => ?x = top\n";
  EGraph *graph = graph_new(true);
  text = "any: ?a => (id ?a)\nzero: 0 => nil\nboth: ?x = (f ?a), ?x = (g ?b) => ?x = (h ?a ?b)\n"
         "loop: ?x = (s ?x) => ?x = top\n";
  EGraphRules *rules = rules_of(graph, text);
  EGraphClass fa = add(graph, "(f a)"), gb = add(graph, "(g b)"), zero = add(graph, "0"), w = add(graph, "w"),
              sw = add(graph, "(s w)");
  egraph_union(graph, fa, gb, "given-fg");
  egraph_union(graph, w, sw, "given-s");
  run(graph, rules, 1);
  assert_true(egraph_equal(graph, zero, add(graph, "nil")));
  assert_true(egraph_equal(graph, fa, add(graph, "(h a b)")));
  assert_true(egraph_equal(graph, w, add(graph, "top")));
  assert_true(egraph_equal(graph, w, add(graph, "(id w)")));
  explained(graph, text, "0", "nil");
  explained(graph, text, "(g b)", "(h a b)");
  explained(graph, text, "w", "top");
  explained(graph, text, "w", "(id w)");
  egraph_destroy(graph);
}

static void stops_for_each_reason(void **state) {
  (void)state;
  const char *text = "grow: (f ?a) => (f (s ?a))";
  EGraph *graph = graph_new(false);
  EGraphRules *rules = rules_of(graph, text);
  add(graph, "(f a)");
  assert_int_equal(run(graph, rules, 5).stop, EGRAPH_STOP_ITERATIONS);
  EGraphRunOptions options = EGRAPH_RUN_OPTIONS_INIT;
  EGraphReport report;
  options.iterations = SIZE_MAX;
  options.seconds = 0.02;
  egraph_run(&report, graph, rules, &options);
  assert_int_equal(report.stop, EGRAPH_STOP_TIME);
  assert_string_equal(egraph_stop_name(report.stop), "time");
  options.seconds = 1e9;
  egraph_limit(graph, egraph_node_count(graph) + 50, SIZE_MAX);
  egraph_run(&report, graph, rules, &options);
  assert_int_equal(report.stop, EGRAPH_STOP_NODES);
  egraph_limit(graph, SIZE_MAX, egraph_memory(graph));
  egraph_run(&report, graph, rules, &options);
  assert_int_equal(report.stop, EGRAPH_STOP_MEMORY);
  assert_null(egraph_check(graph));
  egraph_destroy(graph);
}

/* One iteration would find 10^9 matches. */
static void time_stops_within_an_iteration(void **state) {
  (void)state;
  EGraph *graph = graph_new(false);
  EGraphRules *rules = rules_of(graph, "r: (f ?a ?b), (f ?c ?d), (f ?e ?g) => (f (f ?b ?d) (f ?d ?g))");
  char text[60];
  for (int i = 0; i < 1000; i++) {
    sprintf(text, "(f x%d y%d)", i, i);
    add(graph, text);
  }
  EGraphRunOptions options = EGRAPH_RUN_OPTIONS_INIT;
  EGraphReport report;
  options.seconds = 0.05;
  egraph_run(&report, graph, rules, &options);
  assert_int_equal(report.stop, EGRAPH_STOP_TIME);
  assert_true(report.iterations == 1 && report.search_seconds + report.apply_seconds < 5);
  assert_null(egraph_check(graph));
  egraph_destroy(graph);
}

static void back_off_bans_what_matches_often(void **state) {
  (void)state;
  EGraph *graph = graph_new(false);
  EGraphRules *rules = rules_of(graph, "often: (f ?a ?b) => (f ?b ?a)\nseldom: (g ?a) => (k ?a)");
  char text[60];
  for (int i = 0; i < 10; i++) {
    sprintf(text, "(f x%d y%d)", i, i);
    add(graph, text);
  }
  add(graph, "(g a)");
  EGraphRunOptions options = EGRAPH_RUN_OPTIONS_INIT;
  EGraphReport report;
  options.backoff = true;
  options.backoff_limit = 6; /* 10 matches: banned; then the limit is 12, and they are let through */
  options.backoff_length = 3;
  options.iterations = 1;
  egraph_run(&report, graph, rules, &options);
  assert_int_equal(report.stop, EGRAPH_STOP_ITERATIONS);
  assert_int_equal(egraph_rules_matches(rules, 0), 0);
  assert_int_equal(egraph_rules_matches(rules, 1), 1);
  options.iterations = 30;
  egraph_run(&report, graph, rules, &options);
  assert_int_equal(egraph_node_count(graph), 43); /* 20 leaves, 20 of f, a, (g a), (k a) */
  egraph_destroy(graph);
}

static void back_off_holds_a_rule_back(void **state) {
  (void)state;
  const char *text = "comm: (+ ?a ?b) => (+ ?b ?a)\nassoc: (+ ?a (+ ?b ?c)) => (+ (+ ?a ?b) ?c)\nzero: (+ ?a 0) => ?a";
  size_t counts[2];
  for (int back = 0; back < 2; back++) {
    EGraph *graph = graph_new(true);
    EGraphRules *rules = rules_of(graph, text);
    EGraphClass big = add(graph, "(+ a (+ b (+ c (+ d (+ e 0)))))"), small = add(graph, "(+ (+ (+ (+ a b) c) d) e)");
    EGraphRunOptions options = EGRAPH_RUN_OPTIONS_INIT;
    options.backoff = back;
    options.backoff_limit = 4;
    options.backoff_length = 2;
    options.iterations = 500;
    EGraphReport report;
    egraph_run(&report, graph, rules, &options);
    assert_int_equal(report.stop, EGRAPH_STOP_SATURATED);
    assert_true(egraph_equal(graph, big, small));
    explained(graph, text, "(+ a (+ b (+ c (+ d (+ e 0)))))", "(+ (+ (+ (+ a b) c) d) e)");
    counts[back] = egraph_node_count(graph);
    assert_null(egraph_check(graph));
    egraph_destroy(graph);
  }
  assert_int_equal(counts[0], counts[1]); /* both saturate: the same graph */
}

static void binders_substitute(void **state) {
  (void)state;
  char *binders, text[4000];
  EGraphDiagnostic problem;
  assert_int_equal(egraph_binder_rules(&binders, "lam", &problem), EGRAPH_BAD_INPUT);
  assert_int_equal(egraph_binder_rules(&binders, "lam/1! app/2 y/0 f/2", &problem), EGRAPH_OK);
  snprintf(text, sizeof text, "%sbeta: (app (lam ?b) ?a) => (close ?b (slash ?a))\n", binders);
  free(binders);
  EGraph *graph = graph_new(true);
  EGraphRules *rules = rules_of(graph, text);
  /* (\x. \z. f x z) y = \z. f y z;   the y under a binder stays y */
  EGraphClass redex = add(graph, "(app (lam (lam (f (there here) here))) y)");
  /* (\x. \z. x) (free variable 0) = \z. free variable 1: no capture */
  EGraphClass open = add(graph, "(app (lam (lam (there here))) here)");
  run(graph, rules, 20);
  assert_true(egraph_equal(graph, redex, add(graph, "(lam (f y here))")));
  assert_true(egraph_equal(graph, open, add(graph, "(lam (there here))")));
  assert_false(egraph_equal(graph, open, add(graph, "(lam here)")));
  assert_int_equal(explained(graph, text, "(app (lam (lam (f (there here) here))) y)", "(lam (f y here))"), 0);
  egraph_destroy(graph);
}

/* Rules given in two sets, and a set run again after the graph changed, miss no match. */
static void rule_sets_take_turns(void **state) {
  (void)state;
  EGraph *graph = graph_new(false);
  EGraphRules *first = rules_of(graph, "fg: (f (g ?x)) => (h ?x)"), *second = rules_of(graph, "ab: (a ?x) => (g ?x)");
  EGraphClass fa = add(graph, "(f (a x))");
  assert_int_equal(run(graph, first, 10).stop, EGRAPH_STOP_SATURATED);
  run(graph, second, 10);
  run(graph, first, 10);
  assert_true(egraph_equal(graph, fa, add(graph, "(h x)")));
  EGraphClass fy = add(graph, "(f y)");
  run(graph, first, 10);
  egraph_union(graph, add(graph, "y"), add(graph, "(g z)"), NULL);
  run(graph, first, 10);
  assert_true(egraph_equal(graph, fy, add(graph, "(h z)")));
  egraph_rules_destroy(first);
  egraph_rules_destroy(second);
  egraph_destroy(graph);
}

/* A union of texts is explained by these texts, also where their classes have other members. */
static void a_union_of_texts_is_explained_by_them(void **state) {
  (void)state;
  char *certificate;
  EGraph *graph = graph_new(true);
  assert_int_equal(egraph_union_text(graph, "(f a)", "b", "first", NULL), EGRAPH_OK);
  assert_int_equal(egraph_union_text(graph, "(f a)", "(g c)", "second", NULL), EGRAPH_OK);
  assert_int_equal(egraph_union_text(graph, "(f a)", "(g c)", "again", NULL), EGRAPH_OK); /* known */
  assert_int_equal(egraph_union_text(graph, "(f a", "b", NULL, NULL), EGRAPH_BAD_INPUT);
  assert_int_equal(egraph_rebuild(graph), EGRAPH_OK);
  assert_int_equal(egraph_explain(&certificate, graph, "(f a)", "(g c)"), EGRAPH_OK);
  assert_non_null(strstr(certificate, "t1 = t3 by given second"));
  assert_null(strstr(certificate, "first"));
  free(certificate);
  assert_null(egraph_check(graph));
  egraph_destroy(graph);
  graph = graph_new(false);
  assert_int_equal(egraph_union_text(graph, "(f a)", "b", NULL, NULL), EGRAPH_OK);
  EGraphClass a, b;
  assert_int_equal(egraph_lookup_text(&a, graph, "(f a)"), EGRAPH_OK);
  assert_int_equal(egraph_lookup_text(&b, graph, "b"), EGRAPH_OK);
  assert_true(egraph_equal(graph, a, b));
  egraph_destroy(graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_union_of_texts_is_explained_by_them),
                                     cmocka_unit_test(too_many_variables_get_a_diagnostic),
                                     cmocka_unit_test(rules_of_another_graph_do_not_run),
                                     cmocka_unit_test(time_stops_within_an_iteration),
                                     cmocka_unit_test(back_off_bans_what_matches_often),
                                     cmocka_unit_test(bad_rules_get_a_diagnostic),
                                     cmocka_unit_test(saturates_and_explains),
                                     cmocka_unit_test(conditions_are_asked_again),
                                     cmocka_unit_test(forged_certificates_are_refused),
                                     cmocka_unit_test(conditions_hold_or_not),
                                     cmocka_unit_test(dynamic_rules_compute),
                                     cmocka_unit_test(several_patterns_join),
                                     cmocka_unit_test(hubs_are_joined_on_all_that_is_known),
                                     cmocka_unit_test(odd_left_sides_work),
                                     cmocka_unit_test(stops_for_each_reason),
                                     cmocka_unit_test(back_off_holds_a_rule_back),
                                     cmocka_unit_test(binders_substitute),
                                     cmocka_unit_test(rule_sets_take_turns)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
