/* The e-graph alone: (x * 2) / 2 is x, and why. cc -Isrc/egraph examples/egraph.c build/src/egraph/libassay_egraph.a
 * -lm */
#include "egraph.h"

#include <stdlib.h>

static const char *const RULES = "shift:   (* ?a 2) => (<< ?a 1)\n"
                                 "regroup: (/ (* ?a ?b) ?c) => (* ?a (/ ?b ?c))\n"
                                 "cancel:  (/ ?a ?a) => 1 if (nonzero ?a)\n"
                                 "one:     (* ?a 1) => ?a\n";

static bool nonzero(const EGraph *graph, const EGraphClass *arguments, unsigned count, void *payload) {
  EGraphClass two;
  (void)count, (void)payload;
  return egraph_lookup_text(&two, graph, "2") == EGRAPH_OK && egraph_equal(graph, two, arguments[0]);
}

int main(void) {
  EGraphOptions options = EGRAPH_OPTIONS_INIT;
  EGraphDiagnostic problem;
  EGraph *graph;
  EGraphRules *rules;
  EGraphClass root;
  EGraphReport report;
  char *best, *proof, why[100];
  double cost;
  size_t assumed;
  options.explain = true;
  if (egraph_create(&graph, &options) != EGRAPH_OK) return 1;
  egraph_condition_register(graph, "nonzero", 1, nonzero, NULL);
  if (egraph_rules_parse(&rules, graph, RULES, &problem) != EGRAPH_OK) return fprintf(stderr, "%s\n", problem.text) > 0;
  if (egraph_add_text(&root, graph, "(/ (* x 2) 2)", &problem) != EGRAPH_OK) return 1;
  egraph_run(&report, graph, rules, NULL);
  if (egraph_extract_tree(&best, &cost, graph, root, NULL, NULL) != EGRAPH_OK) return 1;
  if (egraph_explain(&proof, graph, "(/ (* x 2) 2)", best) != EGRAPH_OK) return 1;
  if (egraph_explain_check(proof, RULES, "(/ (* x 2) 2)", best, &assumed, why, sizeof why) != EGRAPH_OK) return 1;
  printf("%s, after %zu iterations (%s), %zu condition assumed\n%s", best, report.iterations,
         egraph_stop_name(report.stop), assumed, proof);
  free(best), free(proof);
  egraph_destroy(graph);
}
