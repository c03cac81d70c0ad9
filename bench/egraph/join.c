/* Stresses e-matching: one rule of three patterns that finds the triangles of a graph of (edge a b) e-nodes.
 * Trying all pairs of edges would take 10^10 steps; a join over indexes takes as many as there are paths. */
#include "workload.h"

enum { POINTS = 20000, DEGREE = 12 };

static const char *const RULES =
    "triangle: ?x = (edge ?a ?b), ?y = (edge ?b ?c), ?z = (edge ?a ?c) "
    "=> ?x = (triangle ?a ?b ?c)\n"
    "square: ?x = (triangle ?a ?b ?c), ?y = (triangle ?b ?c ?d) => ?x = (square ?a ?b ?c ?d)\n";

int main(int count, char **arguments) {
  WorkloadOptions options = workload_options(count, arguments, 4);
  options.analyses = false;
  EGraph *graph = workload_graph(&options);
  EGraphOperator edge, point;
  EGraphClass *points = malloc(POINTS * sizeof *points), made;
  if (!points || egraph_operator_intern(&edge, graph, "edge", 2) != EGRAPH_OK ||
      egraph_operator_intern(&point, graph, "point", 1) != EGRAPH_OK)
    return 1;
  for (int i = 0; i < POINTS; i++)
    if (egraph_add_integer(&made, graph, i) != EGRAPH_OK || egraph_add(&points[i], graph, point, &made) != EGRAPH_OK)
      return 1;
  uint32_t seed = 1; /* the comparison script repeats these steps */
  for (int i = 0; i < POINTS; i++)
    for (int k = 0; k < DEGREE; k++) {
      seed = seed * 1103515245u + 12345u;
      EGraphClass ends[2] = {points[i], points[(i + 1 + (seed >> 16) % 40) % POINTS]};
      if (egraph_add(&made, graph, edge, ends) != EGRAPH_OK) return 1;
    }
  workload_report("join", &options, graph, workload_rules(graph, RULES));
  free(points);
  egraph_destroy(graph);
  return 0;
}
