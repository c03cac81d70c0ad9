/* The math microbenchmark of egg and egglog: 24 rules, 7 terms, every rule applied to all its matches in every
 * iteration. The shipped library is measured with two analyses on: the constant a class equals, if any, and
 * the size of its smallest term. */
#include "workload.h"

static const char *const RULES =
    "comm-add:   (+ ?a ?b) => (+ ?b ?a)\n"
    "comm-mul:   (* ?a ?b) => (* ?b ?a)\n"
    "assoc-add:  (+ ?a (+ ?b ?c)) => (+ (+ ?a ?b) ?c)\n"
    "assoc-mul:  (* ?a (* ?b ?c)) => (* (* ?a ?b) ?c)\n"
    "sub:        (- ?a ?b) => (+ ?a (* -1 ?b))\n"
    "zero-add:   (+ ?a 0) => ?a\n"
    "zero-mul:   (* ?a 0) => 0\n"
    "one-mul:    (* ?a 1) => ?a\n"
    "cancel-sub: (- ?a ?a) => 0\n"
    "distribute: (* ?a (+ ?b ?c)) => (+ (* ?a ?b) (* ?a ?c))\n"
    "factor:     (+ (* ?a ?b) (* ?a ?c)) => (* ?a (+ ?b ?c))\n"
    "pow-mul:    (* (^ ?a ?b) (^ ?a ?c)) => (^ ?a (+ ?b ?c))\n"
    "pow1:       (^ ?x 1) => ?x\n"
    "pow2:       (^ ?x 2) => (* ?x ?x)\n"
    "d-add:      (d ?x (+ ?a ?b)) => (+ (d ?x ?a) (d ?x ?b))\n"
    "d-mul:      (d ?x (* ?a ?b)) => (+ (* ?a (d ?x ?b)) (* ?b (d ?x ?a)))\n"
    "d-sin:      (d ?x (sin ?x)) => (cos ?x)\n"
    "d-cos:      (d ?x (cos ?x)) => (* -1 (sin ?x))\n"
    "i-one:      (i 1 ?x) => ?x\n"
    "i-cos:      (i (cos ?x) ?x) => (sin ?x)\n"
    "i-sin:      (i (sin ?x) ?x) => (* -1 (cos ?x))\n"
    "i-sum:      (i (+ ?f ?g) ?x) => (+ (i ?f ?x) (i ?g ?x))\n"
    "i-dif:      (i (- ?f ?g) ?x) => (- (i ?f ?x) (i ?g ?x))\n"
    "i-parts:    (i (* ?a ?b) ?x) => (- (* ?a (i ?b ?x)) (i (* (d ?x ?a) (i ?b ?x)) ?x))\n";

static const char *const TERMS[] = {
    "(i (ln x) x)",
    "(i (+ x (cos x)) x)",
    "(i (* (cos x) x) x)",
    "(d x (+ 1 (* 2 x)))",
    "(d x (- (^ x 3) (* 7 (^ x 2))))",
    "(+ (* y (+ x y)) (- (+ x 2) (+ x x)))",
    "(/ 1 (- (/ (+ 1 (sqrt five)) 2) (/ (- 1 (sqrt five)) 2)))",
};

/* The constant of a class; without modify, so that the e-graph stays that of the rules. */
typedef struct {
  int32_t known, value;
} Known;

static void known_make(const EGraph *graph, const EGraphNode *node, const void *const *children, void *out,
                       void *payload) {
  (void)payload;
  Known *result = out;
  *result = (Known){0, 0};
  if (node->arity == 0) {
    int64_t value;
    if (egraph_operator_integer(graph, node->op, &value) && value == (int32_t)value)
      *result = (Known){1, (int32_t)value};
    return;
  }
  if (node->arity != 2) return;
  const Known *a = children[0], *b = children[1];
  if (!a->known || !b->known) return;
  int64_t value;
  switch (egraph_operator_name(graph, node->op)[0]) {
  case '+': value = (int64_t)a->value + b->value; break;
  case '-': value = (int64_t)a->value - b->value; break;
  case '*': value = (int64_t)a->value * b->value; break;
  default: return;
  }
  if (value == (int32_t)value) *result = (Known){1, (int32_t)value};
}

static bool known_merge(void *into, const void *from, void *payload) {
  (void)payload;
  Known *a = into;
  const Known *b = from;
  if (a->known || !b->known) return false;
  *a = *b;
  return true;
}

static void size_make(const EGraph *graph, const EGraphNode *node, const void *const *children, void *out,
                      void *payload) {
  (void)graph, (void)payload;
  uint32_t size = 1;
  for (unsigned i = 0; i < node->arity; i++) size += *(const uint32_t *)children[i];
  *(uint32_t *)out = size < 1000000000 ? size : 1000000000;
}

static bool size_merge(void *into, const void *from, void *payload) {
  (void)payload;
  if (*(const uint32_t *)from >= *(uint32_t *)into) return false;
  *(uint32_t *)into = *(const uint32_t *)from;
  return true;
}

int main(int count, char **arguments) {
  WorkloadOptions options = workload_options(count, arguments, 11);
  EGraph *graph = workload_graph(&options);
  EGraphAnalysis known = {"constant", sizeof(Known), known_make, known_merge, NULL, NULL};
  EGraphAnalysis size = {"size", sizeof(uint32_t), size_make, size_merge, NULL, NULL};
  unsigned number;
  if (options.analyses && (egraph_analysis_add(&number, graph, &known) || egraph_analysis_add(&number, graph, &size)))
    return 1;
  for (size_t i = 0; i < sizeof TERMS / sizeof *TERMS; i++) {
    EGraphClass class;
    if (egraph_add_text(&class, graph, TERMS[i], NULL) != EGRAPH_OK) return 1;
  }
  EGraphRules *rules = workload_rules(graph, RULES);
  workload_report("math", &options, graph, rules);
  egraph_rules_destroy(rules);
  egraph_destroy(graph);
  return 0;
}
