/* Adding, merging, reading, analyses, snapshots, limits. */
#include "support.h"

static void same_term_same_class(void **state) {
  (void)state;
  EGraph *graph = graph_new(false);
  assert_int_equal(add(graph, "(f a b)"), add(graph, "(f a b)"));
  assert_int_not_equal(add(graph, "(f a b)"), add(graph, "(f b a)"));
  assert_int_equal(egraph_node_count(graph), 4);
  assert_null(egraph_check(graph));
  egraph_destroy(graph);
}

static void congruence_goes_up(void **state) {
  (void)state;
  EGraph *graph = graph_new(false);
  EGraphClass fa = add(graph, "(f (g a) (g b))"), fb = add(graph, "(f (g b) (g a))");
  assert_int_equal(egraph_union(graph, add(graph, "a"), add(graph, "b"), NULL), EGRAPH_OK);
  assert_int_equal(egraph_rebuild(graph), EGRAPH_OK);
  assert_true(egraph_equal(graph, fa, fb));
  assert_int_equal(egraph_node_count(graph), 4); /* a, b, (g .), (f . .) */
  assert_int_equal(egraph_class_count(graph), 3);
  EGraphClass found;
  assert_int_equal(egraph_lookup_text(&found, graph, "(f (g a) (g a))"), EGRAPH_OK);
  assert_int_equal(found, egraph_find(graph, fa));
  assert_int_equal(egraph_lookup_text(&found, graph, "(f a a)"), EGRAPH_NOT_FOUND);
  assert_int_equal(egraph_lookup_text(&found, graph, "(h a a)"), EGRAPH_NOT_FOUND);
  assert_null(egraph_check(graph));
  egraph_destroy(graph);
}

/* Each merge causes the next one: the case for visiting parents instead of scanning. */
static void long_chain_collapses(void **state) {
  (void)state;
  enum { LENGTH = 20000 };
  EGraph *graph = graph_new(true);
  EGraphOperator f;
  assert_int_equal(egraph_operator_intern(&f, graph, "f", 1), EGRAPH_OK);
  EGraphClass a = add(graph, "a"), top = a, first = a;
  for (int i = 0; i < LENGTH; i++) {
    assert_int_equal(egraph_add(&top, graph, f, &top), EGRAPH_OK);
    if (i == 0) first = top;
  }
  assert_int_equal(egraph_union(graph, a, first, "loop"), EGRAPH_OK);
  assert_int_equal(egraph_rebuild(graph), EGRAPH_OK);
  assert_true(egraph_equal(graph, a, top));
  assert_int_equal(egraph_class_count(graph), 1);
  assert_int_equal(egraph_node_count(graph), 2);
  assert_null(egraph_check(graph));
  egraph_destroy(graph);
}

static void bad_terms_are_refused(void **state) {
  (void)state;
  EGraph *graph = graph_new(false);
  EGraphClass class;
  EGraphDiagnostic problem;
  const char *bad[] = {"", "(", ")", "(f", "(f a))", "f a", "()", "(f ?x)", "((f) a)", "(f a,b)", "x:"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_int_equal(egraph_add_text(&class, graph, bad[i], &problem), EGRAPH_BAD_INPUT);
    assert_true(problem.line >= 1 && problem.column >= 1 && problem.code);
  }
  assert_int_equal(egraph_add_text(&class, graph, "(f\n  (g a)\n  (g a b))", &problem), EGRAPH_BAD_INPUT);
  assert_int_equal(problem.line, 3);
  assert_int_equal(problem.column, 4);
  assert_string_equal(problem.code, "arity");
  assert_non_null(strstr(problem.text, "(g a b))\n"));
  EGraphOperator op;
  assert_int_equal(egraph_operator_intern(&op, graph, "a b", 1), EGRAPH_BAD_INPUT);
  assert_int_equal(egraph_operator_intern(&op, graph, "", 1), EGRAPH_BAD_INPUT);
  assert_int_equal(egraph_add(&class, graph, 12345, NULL), EGRAPH_BAD_INPUT);
  assert_int_equal(egraph_union(graph, 0, 999999, NULL), EGRAPH_BAD_INPUT);
  assert_null(egraph_check(graph));
  egraph_destroy(graph);
}

/* -- analyses: constant folding ------------------------------------------------------------------------ */

typedef struct {
  int64_t known, value;
} Folded;

static void fold_make(const EGraph *graph, const EGraphNode *node, const void *const *children, void *out,
                      void *payload) {
  (void)payload;
  Folded *result = out;
  *result = (Folded){0, 0};
  if (node->arity == 0) result->known = egraph_operator_integer(graph, node->op, &result->value);
  if (!result->known) result->value = 0;
  if (node->arity != 2) return;
  const Folded *a = children[0], *b = children[1];
  if (!a->known || !b->known) return;
  char name = egraph_operator_name(graph, node->op)[0];
  if (name == '+') *result = (Folded){1, (int64_t)((uint64_t)a->value + (uint64_t)b->value)};
  if (name == '*') *result = (Folded){1, (int64_t)((uint64_t)a->value * (uint64_t)b->value)};
}
static bool fold_merge(void *into, const void *from, void *payload) {
  (void)payload;
  if (((Folded *)into)->known || !((const Folded *)from)->known) return false;
  *(Folded *)into = *(const Folded *)from;
  return true;
}
static EGraphStatus fold_modify(EGraph *graph, EGraphClass class, const void *value, void *payload) {
  (void)payload;
  const Folded *folded = value;
  EGraphClass constant;
  if (!folded->known) return EGRAPH_OK;
  EGraphStatus status = egraph_add_integer(&constant, graph, folded->value);
  return status == EGRAPH_OK ? egraph_union(graph, class, constant, "constant-folding") : status;
}

static void analysis_folds_constants(void **state) {
  (void)state;
  for (int late = 0; late < 2; late++) {
    EGraph *graph = graph_new(true);
    EGraphAnalysis fold = {"fold", sizeof(Folded), fold_make, fold_merge, fold_modify, NULL};
    unsigned number;
    if (!late) assert_int_equal(egraph_analysis_add(&number, graph, &fold), EGRAPH_OK);
    EGraphClass sum = add(graph, "(+ (* 2 3) (+ x 4))"), x = add(graph, "x"), five = add(graph, "5");
    if (late) assert_int_equal(egraph_analysis_add(&number, graph, &fold), EGRAPH_OK);
    assert_int_equal(egraph_rebuild(graph), EGRAPH_OK);
    assert_true(egraph_equal(graph, add(graph, "(* 2 3)"), add(graph, "6")));
    assert_int_equal(((const Folded *)egraph_analysis_value(graph, number, sum))->known, 0);
    assert_int_equal(egraph_union(graph, x, five, NULL), EGRAPH_OK);
    assert_int_equal(egraph_rebuild(graph), EGRAPH_OK);
    const Folded *value = egraph_analysis_value(graph, number, sum);
    assert_int_equal(value->known, 1);
    assert_int_equal(value->value, 15);
    assert_true(egraph_equal(graph, sum, add(graph, "15")));
    explained(graph, "", "(+ (* 2 3) (+ x 4))", "15");
    assert_null(egraph_check(graph));
    egraph_destroy(graph);
  }
}

/* -- snapshots -------------------------------------------------------------------------------------------- */

static const char *const MONOID = "comm: (+ ?a ?b) => (+ ?b ?a)\nassoc: (+ ?a (+ ?b ?c)) <=> (+ (+ ?a ?b) ?c)\n";

static void snapshot_goes_back(void **state) {
  (void)state;
  EGraph *graph = graph_new(true);
  EGraphRules *rules = rules_of(graph, MONOID);
  EGraphClass sum = add(graph, "(+ a (+ b (+ c d)))"), other = add(graph, "(+ d (+ c (+ b a)))");
  EGraphSnapshot *snapshot;
  assert_int_equal(egraph_snapshot_take(&snapshot, graph), EGRAPH_OK);
  size_t nodes = egraph_node_count(graph), classes = egraph_class_count(graph), after[2];
  for (int i = 0; i < 2; i++) {
    add(graph, "(new x y z)");
    assert_int_equal(run(graph, rules, 20).stop, EGRAPH_STOP_SATURATED);
    assert_true(egraph_equal(graph, sum, other));
    explained(graph, MONOID, "(+ a (+ b (+ c d)))", "(+ d (+ c (+ b a)))");
    after[i] = egraph_node_count(graph);
    assert_int_equal(egraph_snapshot_restore(graph, snapshot), EGRAPH_OK);
    assert_null(egraph_check(graph));
    assert_int_equal(egraph_node_count(graph), nodes);
    assert_int_equal(egraph_class_count(graph), classes);
    assert_false(egraph_equal(graph, sum, other));
  }
  assert_int_equal(after[0], after[1]);
  egraph_snapshot_destroy(snapshot);
  egraph_destroy(graph);
}

/* -- limits ------------------------------------------------------------------------------------------------- */

static void limits_are_hard(void **state) {
  (void)state;
  for (int explain = 0; explain < 2; explain++)
    for (size_t limit = 10; limit < 400; limit += 13) {
      EGraphOptions options = EGRAPH_OPTIONS_INIT;
      options.explain = explain;
      options.node_limit = limit;
      EGraph *graph;
      assert_int_equal(egraph_create(&graph, &options), EGRAPH_OK);
      EGraphRules *rules = rules_of(graph, MONOID);
      EGraphClass sum = add(graph, "(+ a (+ b (+ c (+ d e))))");
      EGraphStop stop = run(graph, rules, 20).stop;
      if (limit < 185) assert_int_equal(stop, EGRAPH_STOP_NODES);     /* 185 e-nodes when saturated, */
      if (limit > 300) assert_int_equal(stop, EGRAPH_STOP_SATURATED); /* more before rebuilding */
      assert_true(egraph_node_count(graph) <= limit);
      char *text;
      double cost;
      assert_int_equal(egraph_extract_tree(&text, &cost, graph, sum, NULL, NULL), EGRAPH_OK);
      assert_true(cost == 9);
      free(text);
      egraph_destroy(graph);
    }
}

/* Every small limit in turn: whatever allocation fails first, the graph is consistent and can be read. */
static void memory_limit_is_hard(void **state) {
  (void)state;
  EGraphAnalysis fold = {"fold", sizeof(Folded), fold_make, fold_merge, fold_modify, NULL};
  for (int explain = 0; explain < 2; explain++)
    for (size_t limit = 100; limit < 200000; limit += limit / 16 + 7) {
      EGraphOptions options = EGRAPH_OPTIONS_INIT;
      options.explain = explain;
      options.memory_limit = limit;
      EGraph *graph;
      unsigned number;
      EGraphRules *rules;
      EGraphClass sum;
      char *text;
      double cost;
      if (egraph_create(&graph, &options) != EGRAPH_OK) continue;
      egraph_analysis_add(&number, graph, &fold);
      EGraphStatus status = egraph_rules_parse(&rules, graph, MONOID, NULL);
      if (status == EGRAPH_OK) status = egraph_add_text(&sum, graph, "(+ 1 (+ b (+ c (+ 2 (+ 3 (+ f g))))))", NULL);
      if (status == EGRAPH_OK) {
        EGraphReport report;
        egraph_run(&report, graph, rules, NULL);
        assert_int_equal(egraph_extract_tree(&text, &cost, graph, sum, NULL, NULL), EGRAPH_OK);
        free(text);
      }
      const char *broken = egraph_check(graph);
      if (broken) print_message("limit %zu: %s\n", limit, broken);
      assert_null(broken);
      assert_true(egraph_memory_peak(graph) <= limit);
      egraph_destroy(graph);
    }
}

static void dot_is_written(void **state) {
  (void)state;
  EGraph *graph = graph_new(false);
  add(graph, "(f a \"q\")");
  FILE *file = tmpfile();
  egraph_write_dot(graph, file);
  rewind(file);
  char text[1000];
  size_t length = fread(text, 1, sizeof text - 1, file);
  text[length] = 0;
  fclose(file);
  assert_non_null(strstr(text, "digraph egraph {"));
  assert_non_null(strstr(text, "label=\"\\\"q\\\"\""));
  assert_non_null(strstr(text, "lhead=cluster_"));
  egraph_destroy(graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_term_same_class),
                                     cmocka_unit_test(congruence_goes_up),
                                     cmocka_unit_test(long_chain_collapses),
                                     cmocka_unit_test(bad_terms_are_refused),
                                     cmocka_unit_test(analysis_folds_constants),
                                     cmocka_unit_test(snapshot_goes_back),
                                     cmocka_unit_test(limits_are_hard),
                                     cmocka_unit_test(memory_limit_is_hard),
                                     cmocka_unit_test(dot_is_written)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
