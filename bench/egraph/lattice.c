/* Stresses analyses: sums of constants and of variables with known bounds, under associativity and
 * commutativity, run to saturation. One analysis folds constants into the graph (modify); one keeps an
 * interval that contains the class's value, joined by intersection. */
#include "workload.h"

static const char *const RULES = "comm: (+ ?a ?b) => (+ ?b ?a)\n"
                                 "assoc: (+ ?a (+ ?b ?c)) => (+ (+ ?a ?b) ?c)\n";

static const char *const TERM = "(+ (* 3 v1) (+ 1 (+ v2 (+ 2 (+ v3 (+ 4 (+ (* 2 v4) (+ 8 (+ v5 (+ v6 16))))))))))";

typedef struct {
  int64_t low, high;
} Interval;

static void interval_make(const EGraph *graph, const EGraphNode *node, const void *const *children, void *out,
                          void *payload) {
  (void)payload;
  Interval *result = out;
  const char *name = egraph_operator_name(graph, node->op);
  int64_t value;
  if (node->arity == 0) {
    if (egraph_operator_integer(graph, node->op, &value))
      *result = (Interval){value, value};
    else
      *result = (Interval){0, atoi(name + 1) * 10}; /* v3 is in [0, 30] */
    return;
  }
  const Interval *a = children[0], *b = children[1];
  if (name[0] == '+')
    *result = (Interval){a->low + b->low, a->high + b->high};
  else
    *result = (Interval){a->low * b->low, a->high * b->high}; /* nothing is negative here */
}

static bool interval_merge(void *into, const void *from, void *payload) {
  (void)payload;
  Interval *a = into;
  const Interval *b = from;
  bool changed = b->low > a->low || b->high < a->high;
  if (b->low > a->low) a->low = b->low;
  if (b->high < a->high) a->high = b->high;
  return changed;
}

/* A class whose interval is one value is that constant. */
static EGraphStatus interval_modify(EGraph *graph, EGraphClass class, const void *value, void *payload) {
  (void)payload;
  const Interval *interval = value;
  if (interval->low != interval->high) return EGRAPH_OK;
  EGraphClass constant;
  EGraphStatus status = egraph_add_integer(&constant, graph, interval->low);
  return status == EGRAPH_OK ? egraph_union(graph, class, constant, "folded") : status;
}

int main(int count, char **arguments) {
  WorkloadOptions options = workload_options(count, arguments, 40);
  EGraph *graph = workload_graph(&options);
  EGraphAnalysis interval = {"interval", sizeof(Interval), interval_make, interval_merge, interval_modify, NULL};
  unsigned number;
  EGraphClass term;
  if (egraph_analysis_add(&number, graph, &interval) != EGRAPH_OK ||
      egraph_add_text(&term, graph, TERM, NULL) != EGRAPH_OK)
    return 1;
  workload_report("lattice", &options, graph, workload_rules(graph, RULES));
  if (!options.brief) {
    const Interval *value = egraph_analysis_value(graph, number, term);
    printf("  the term is in [%lld, %lld]\n", (long long)value->low, (long long)value->high);
  }
  egraph_destroy(graph);
  return 0;
}
