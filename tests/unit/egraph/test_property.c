/* Properties on random graphs: congruence against a slow closure, matching against trying every assignment,
 * explanations of random equal pairs, extraction against exhaustive search. */
#include "../rounds.h"
#include "support.h"

#include <math.h>

enum { TERMS = 60, LEAVES = 5 };

/* A random set of terms that are written out, so that the reference works on structure alone. */
typedef struct {
  char op;
  int a, b; /* earlier terms; -1: none */
  EGraphClass class;
  char text[400];
} Written;

static int terms_make(EGraph *graph, Written *terms, uint64_t *seed) {
  int count = 0;
  while (count < TERMS) {
    Written *term = &terms[count];
    if (count < LEAVES)
      *term = (Written){(char)('a' + count), -1, -1, 0, {0}};
    else if (random_below(seed, 3) == 0)
      *term = (Written){'g', (int)random_below(seed, (uint32_t)count), -1, 0, {0}};
    else
      *term = (Written){"fh" [random_below(seed, 2)],
                        (int)random_below(seed, (uint32_t)count),
                        (int)random_below(seed, (uint32_t)count),
                        0,
                        { 0 }};
    int length;
    char text[400];
    if (term->a < 0)
      length = snprintf(text, sizeof text, "%c", term->op);
    else if (term->b < 0)
      length = snprintf(text, sizeof text, "(%c %.390s)", term->op, terms[term->a].text);
    else
      length = snprintf(text, sizeof text, "(%c %.190s %.190s)", term->op, terms[term->a].text, terms[term->b].text);
    if (length >= 180) continue; /* would have been cut, or is too long to be a part */
    memcpy(term->text, text, (size_t)length + 1);
    term->class = add(graph, text);
    count++;
  }
  return count;
}

/* -- the slow reference: equivalence by repeated passes over all pairs --------------------------------------- */

static void closure(const Written *terms, int *name, int count) {
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < count; i++)
      for (int j = 0; j < i; j++) {
        if (name[i] == name[j] || terms[i].op != terms[j].op) continue;
        if (terms[i].a >= 0 && name[terms[i].a] != name[terms[j].a]) continue;
        if (terms[i].b >= 0 && name[terms[i].b] != name[terms[j].b]) continue;
        int from = name[i], to = name[j];
        for (int k = 0; k < count; k++)
          if (name[k] == from) name[k] = to;
        changed = true;
      }
  }
}

static void congruence_as_by_definition(void **state) {
  (void)state;
  for (unsigned round = 0; round < (unsigned)rounds_of(60); round++) {
    uint64_t seed = round;
    EGraph *graph = graph_new(round & 1);
    static Written terms[TERMS];
    int count = terms_make(graph, terms, &seed), name[TERMS];
    for (int i = 0; i < count; i++) name[i] = i;
    for (int unions = 0; unions < 6; unions++) {
      closure(terms, name, count); /* also makes equal terms one */
      int a = (int)random_below(&seed, (uint32_t)count), b = (int)random_below(&seed, (uint32_t)count);
      assert_int_equal(egraph_union(graph, terms[a].class, terms[b].class, "random"), EGRAPH_OK);
      for (int k = 0, from = name[a], to = name[b]; k < count; k++)
        if (name[k] == from) name[k] = to;
      if (random_below(&seed, 2)) assert_int_equal(egraph_rebuild(graph), EGRAPH_OK);
    }
    closure(terms, name, count);
    assert_int_equal(egraph_rebuild(graph), EGRAPH_OK);
    assert_null(egraph_check(graph));
    for (int i = 0; i < count; i++)
      for (int j = 0; j < i; j++) {
        assert_int_equal(egraph_equal(graph, terms[i].class, terms[j].class), name[i] == name[j]);
        if ((round & 1) && name[i] == name[j] && random_below(&seed, 8) == 0)
          explained(graph, "", terms[i].text, terms[j].text);
      }
    egraph_destroy(graph);
  }
}

/* -- matching -------------------------------------------------------------------------------------------------- */

/* Counts matches of `(OP1 x (OP2 y z))`-like patterns by trying all classes for all variables. */
typedef struct {
  EGraphNode nodes[4 * TERMS];
  EGraphClass children[4 * TERMS][2];
  size_t count;
} Nodes;

static bool nodes_collect(const EGraphNode *node, void *payload) {
  Nodes *nodes = payload;
  nodes->nodes[nodes->count] = *node;
  for (unsigned i = 0; i < node->arity; i++) nodes->children[nodes->count][i] = node->children[i];
  nodes->nodes[nodes->count].children = nodes->children[nodes->count];
  nodes->count++;
  return true;
}

typedef struct {
  const Nodes *nodes;
  const EGraph *graph;
  EGraphClass value[4]; /* ?0 .. ?3; EGRAPH_NONE: free */
} Naive;

/* Every way to match `text` at a class, one continuation after another. */
static size_t naive_match(Naive *naive, const char **patterns, const EGraphClass *at, int pending) {
  if (pending == 0) return 1;
  const char *pattern = patterns[pending - 1];
  EGraphClass class = at[pending - 1];
  if (pattern[0] == '?') {
    EGraphClass *value = &naive->value[pattern[1] - '0'], old = *value;
    if (old != EGRAPH_NONE && old != class) return 0;
    *value = class;
    size_t found = naive_match(naive, patterns, at, pending - 1);
    *value = old;
    return found;
  }
  size_t found = 0;
  for (size_t i = 0; i < naive->nodes->count; i++) {
    const EGraphNode *node = &naive->nodes->nodes[i];
    char op = pattern[0] == '(' ? pattern[1] : pattern[0];
    if (node->eclass != class || egraph_operator_name(naive->graph, node->op)[0] != op ||
        (pattern[0] == '(') != (node->arity > 0))
      continue;
    const char *inner[16];
    EGraphClass places[16];
    memcpy(inner, patterns, (size_t)(pending - 1) * sizeof *inner);
    memcpy(places, at, (size_t)(pending - 1) * sizeof *places);
    const char *c = pattern + 2;
    int more = pending - 1;
    for (unsigned k = 0; k < node->arity; k++) {
      while (*c == ' ') c++;
      inner[more] = c;
      places[more++] = node->children[k];
      int open = 0;
      do open += (*c == '(') - (*c == ')'), c++;
      while (open > 0 || (*c != ' ' && *c != ')'));
    }
    found += naive_match(naive, inner, places, more);
  }
  return found;
}

static void random_pattern(char *text, size_t *used, uint64_t *seed, int depth) {
  uint32_t kind = random_below(seed, depth == 0 ? 2 : 5);
  if (depth == 2) kind = 2 + random_below(seed, 3);
  if (kind == 0)
    *used += (size_t)sprintf(text + *used, "?%u", random_below(seed, 3));
  else if (kind == 1)
    *used += (size_t)sprintf(text + *used, "%c", (char)('a' + random_below(seed, 3)));
  else {
    *used += (size_t)sprintf(text + *used, kind == 2 ? "(g " : kind == 3 ? "(f " : "(h ");
    random_pattern(text, used, seed, depth - 1);
    if (kind != 2) {
      text[(*used)++] = ' ';
      random_pattern(text, used, seed, depth - 1);
    }
    text[(*used)++] = ')';
    text[*used] = 0;
  }
}

static void matching_as_by_trying(void **state) {
  (void)state;
  for (unsigned round = 0; round < (unsigned)rounds_of(150); round++) {
    uint64_t seed = 1000 + round;
    EGraph *graph = graph_new(false);
    static Written terms[TERMS];
    static Nodes nodes;
    int count = terms_make(graph, terms, &seed);
    for (int unions = 0; unions < 8; unions++)
      egraph_union(graph, terms[random_below(&seed, (uint32_t)count)].class,
                   terms[random_below(&seed, (uint32_t)count)].class, NULL);
    egraph_rebuild(graph);
    nodes.count = 0;
    egraph_visit(graph, nodes_collect, &nodes);
    char rules_text[1000], pattern[8][120];
    size_t expected[8], at = 0;
    for (int r = 0; r < 8; r++) {
      size_t used = 0;
      random_pattern(pattern[r], &used, &seed, 2);
      at += (size_t)sprintf(rules_text + at, "r%d: %s => a\n", r, pattern[r]);
      expected[r] = 0;
      for (size_t i = 0; i < nodes.count; i++) { /* each class once: at its first node */
        bool first = true;
        for (size_t j = 0; j < i; j++) first = first && nodes.nodes[j].eclass != nodes.nodes[i].eclass;
        if (!first) continue;
        Naive naive = {&nodes, graph, {EGRAPH_NONE, EGRAPH_NONE, EGRAPH_NONE, EGRAPH_NONE}};
        const char *patterns[16] = {pattern[r]};
        EGraphClass places[16] = {nodes.nodes[i].eclass};
        expected[r] += naive_match(&naive, patterns, places, 1);
      }
    }
    EGraphRules *rules = rules_of(graph, rules_text);
    run(graph, rules, 1);
    for (size_t r = 0; r < 8; r++) {
      if (egraph_rules_matches(rules, r) != expected[r]) print_message("round %u: %s\n", round, pattern[r]);
      assert_int_equal(egraph_rules_matches(rules, r), expected[r]);
    }
    egraph_destroy(graph);
  }
}

/* Several patterns: `?0 = p, ?1 = q` is p and ?0 at one class, q and ?1 at another. */
static void joining_as_by_trying(void **state) {
  (void)state;
  for (unsigned round = 0; round < (unsigned)rounds_of(60); round++) {
    uint64_t seed = 3000 + round;
    EGraph *graph = graph_new(false);
    static Written terms[TERMS];
    static Nodes nodes;
    int count = terms_make(graph, terms, &seed);
    for (int unions = 0; unions < 8; unions++)
      egraph_union(graph, terms[random_below(&seed, (uint32_t)count)].class,
                   terms[random_below(&seed, (uint32_t)count)].class, NULL);
    egraph_rebuild(graph);
    nodes.count = 0;
    egraph_visit(graph, nodes_collect, &nodes);
    EGraphClass classes[4 * TERMS];
    size_t class_count = 0, used = 0, expected = 0;
    for (size_t i = 0; i < nodes.count; i++) {
      size_t k = 0;
      while (k < class_count && classes[k] != nodes.nodes[i].eclass) k++;
      if (k == class_count) classes[class_count++] = nodes.nodes[i].eclass;
    }
    char text[300], parts[2][120], names[2][4];
    used = (size_t)sprintf(text, "r: ");
    for (int item = 0; item < 2; item++) {
      size_t length = 0;
      random_pattern(parts[item], &length, &seed, random_below(&seed, 3) ? 1 : 2);
      if (parts[item][0] != '(') sprintf(parts[item], "(g ?%u)", random_below(&seed, 3));
      sprintf(names[item], "?%u", random_below(&seed, 4));
      used += (size_t)sprintf(text + used, "%s%s = %s", item ? ", " : "", names[item], parts[item]);
    }
    sprintf(text + used, " => a");
    for (size_t i = 0; i < class_count; i++)
      for (size_t k = 0; k < class_count; k++) {
        Naive naive = {&nodes, graph, {EGRAPH_NONE, EGRAPH_NONE, EGRAPH_NONE, EGRAPH_NONE}};
        const char *patterns[16] = {parts[1], names[1], parts[0], names[0]};
        EGraphClass places[16] = {classes[k], classes[k], classes[i], classes[i]};
        expected += naive_match(&naive, patterns, places, 4);
      }
    EGraphRules *rules = rules_of(graph, text);
    run(graph, rules, 1);
    if (egraph_rules_matches(rules, 0) != expected) print_message("round %u: %s\n", round, text);
    assert_int_equal(egraph_rules_matches(rules, 0), expected);
    egraph_destroy(graph);
  }
}

/* Matches of rows that a rule has seen are skipped: the graph is that of searching all of it each time. */
static void skipping_old_matches_changes_nothing(void **state) {
  (void)state;
  static const char *const RULES[] = {"fcomm: (f ?a ?b) => (f ?b ?a)\n",
                                      "fassoc: (f ?a (f ?b ?c)) => (f (f ?a ?b) ?c)\n",
                                      "gg: (g (g ?a)) => ?a\n",
                                      "hf: (h ?a ?b) <=> (f (g ?a) ?b)\n",
                                      "hh: (h ?a ?a) => (g ?a)\n",
                                      "dist: (g (f ?a ?b)) => (f (g ?a) (g ?b))\n",
                                      "leaf: (f a ?x) => ?x\n",
                                      "two: ?x = (h ?a ?b), ?y = (g ?b) => ?x = (f ?y (g ?a))\n",
                                      "make: (g a) => b\n",
                                      "meet: ?x = (f ?a ?b), ?y = (f ?a ?c), (g ?c) => ?y = (h ?x ?b)\n",
                                      "any: ?a => (g (g ?a))\n"};
  for (unsigned round = 0; round < (unsigned)rounds_of(40); round++) {
    uint64_t seed = 500 + round;
    char text[1000] = "";
    for (size_t i = 0; i < sizeof RULES / sizeof *RULES; i++)
      if (random_below(&seed, 3) == 0) strcat(text, RULES[i]);
    static Written terms[2][TERMS];
    EGraph *graphs[2] = {graph_new(false), graph_new(false)};
    uint64_t seeds[2] = {seed, seed};
    for (int g = 0; g < 2; g++) terms_make(graphs[g], terms[g], &seeds[g]);
    EGraphRules *kept = rules_of(graphs[0], text);
    for (int iteration = 0; iteration < 4 && egraph_node_count(graphs[0]) < 5000; iteration++) {
      EGraphRules *anew = rules_of(graphs[1], text);
      run(graphs[0], kept, 1);
      run(graphs[1], anew, 1);
      egraph_rules_destroy(anew);
      assert_int_equal(egraph_node_count(graphs[0]), egraph_node_count(graphs[1]));
      assert_int_equal(egraph_class_count(graphs[0]), egraph_class_count(graphs[1]));
      for (int i = 0; i < TERMS; i++)
        for (int j = 0; j < i; j++)
          assert_int_equal(egraph_equal(graphs[0], terms[0][i].class, terms[0][j].class),
                           egraph_equal(graphs[1], terms[1][i].class, terms[1][j].class));
    }
    egraph_destroy(graphs[0]);
    egraph_destroy(graphs[1]);
  }
}

/* -- explanations after rules -------------------------------------------------------------------------------------- */

static void equal_pairs_have_checked_explanations(void **state) {
  (void)state;
  const char *text = "fcomm: (f ?a ?b) => (f ?b ?a)\nfassoc: (f ?a (f ?b ?c)) => (f (f ?a ?b) ?c)\n"
                     "gg: (g (g ?a)) => ?a\nhf: (h ?a ?b) <=> (f (g ?a) ?b)\nhh: (h ?a ?a) => (g ?a)\n"
                     "dist: (g (f ?a ?b)) => (f (g ?a) (g ?b))\nleaf: (f a ?x) => ?x\n"
                     "two: ?x = (h ?a ?b), ?y = (g ?b) => ?x = (f ?y (g ?a))\n";
  for (unsigned round = 0; round < (unsigned)rounds_of(25); round++) {
    uint64_t seed = 7000 + round;
    EGraph *graph = graph_new(true);
    static Written terms[TERMS];
    int count = terms_make(graph, terms, &seed);
    EGraphRules *rules = rules_of(graph, text);
    egraph_limit(graph, 3000, SIZE_MAX);
    run(graph, rules, 3);
    unsigned found = 0;
    for (int i = 0; i < count && found < 60; i++)
      for (int j = 0; j < i; j++)
        if (egraph_equal(graph, terms[i].class, terms[j].class)) {
          size_t assumed = explained(graph, text, terms[i].text, terms[j].text);
          assert_int_equal(assumed, 0);
          found++;
        }
    egraph_destroy(graph);
  }
}

/* -- extraction -------------------------------------------------------------------------------------------------------
 */

static double price(const EGraph *graph, EGraphOperator op, void *payload) {
  const double *prices = payload;
  const char *name = egraph_operator_name(graph, op);
  return prices[name[0] - 'a'];
}

/* Tries every choice of one node per class. */
typedef struct {
  const EGraph *graph;
  const Nodes *nodes;
  double *prices, best_tree, best_dag;
  EGraphClass root, classes[TERMS * 4];
  size_t chosen[TERMS * 4]; /* node of each class */
  size_t class_count;
  double tree_memo[TERMS * 4];
} Exhaustive;

static size_t class_position(const Exhaustive *all, EGraphClass class) {
  size_t i = 0;
  while (all->classes[i] != class) i++;
  return i;
}

/* The tree cost below a class under the choices; INFINITY on a cycle. Marks what is used. */
static double chosen_tree(Exhaustive *all, EGraphClass class, bool *used, bool *open) {
  size_t at = class_position(all, class);
  if (open[at]) return INFINITY;
  const EGraphNode *node = &all->nodes->nodes[all->chosen[at]];
  double total = price(all->graph, node->op, all->prices);
  open[at] = used[at] = true;
  for (unsigned i = 0; i < node->arity && total < INFINITY; i++)
    total += chosen_tree(all, node->children[i], used, open);
  open[at] = false;
  return total;
}

static void exhaust(Exhaustive *all, size_t from) {
  if (from == all->class_count) {
    bool used[TERMS * 4] = {false}, open[TERMS * 4] = {false};
    double tree = chosen_tree(all, all->root, used, open), dag = 0;
    if (!(tree < INFINITY)) return;
    for (size_t i = 0; i < all->class_count; i++)
      if (used[i]) dag += price(all->graph, all->nodes->nodes[all->chosen[i]].op, all->prices);
    if (tree < all->best_tree) all->best_tree = tree;
    if (dag < all->best_dag) all->best_dag = dag;
    return;
  }
  for (size_t i = 0; i < all->nodes->count; i++) {
    if (all->nodes->nodes[i].eclass != all->classes[from]) continue;
    all->chosen[from] = i;
    exhaust(all, from + 1);
  }
}

static void extraction_is_optimal(void **state) {
  (void)state;
  unsigned compared = 0;
  for (unsigned round = 0; round < (unsigned)rounds_of(300); round++) {
    uint64_t seed = 90000 + round;
    EGraph *graph = graph_new(false);
    static Nodes nodes;
    EGraphClass classes[20];
    char text[100];
    uint32_t count = 3;
    for (uint32_t i = 0; i < 3; i++) {
      snprintf(text, sizeof text, "%c", 'a' + i);
      classes[i] = add(graph, text);
    }
    EGraphOperator ops[3];
    egraph_operator_intern(&ops[0], graph, "f", 2);
    egraph_operator_intern(&ops[1], graph, "h", 2);
    egraph_operator_intern(&ops[2], graph, "g", 1);
    const uint32_t total = round % 2 ? 13 : 18;
    for (; count < total; count++) {
      EGraphClass children[2] = {classes[random_below(&seed, count)], classes[random_below(&seed, count)]};
      egraph_add(&classes[count], graph, ops[random_below(&seed, 3)], children);
    }
    for (int i = 0; i < 6; i++)
      egraph_union(graph, classes[3 + random_below(&seed, total - 3)], classes[3 + random_below(&seed, total - 3)],
                   NULL);
    egraph_rebuild(graph);
    nodes.count = 0;
    egraph_visit(graph, nodes_collect, &nodes);
    double prices[26];
    for (int i = 0; i < 26; i++) prices[i] = 1 + random_below(&seed, 9);
    Exhaustive all = {graph, &nodes, prices, INFINITY, INFINITY, egraph_find(graph, classes[total - 1]),
                      {0},   {0},    0,      {0}};
    for (size_t i = 0; i < nodes.count; i++) {
      size_t k = 0;
      while (k < all.class_count && all.classes[k] != nodes.nodes[i].eclass) k++;
      if (k == all.class_count) all.classes[all.class_count++] = nodes.nodes[i].eclass;
    }
    size_t ways = 1;
    for (size_t k = 0; k < all.class_count; k++) {
      size_t own = 0;
      for (size_t i = 0; i < nodes.count; i++) own += nodes.nodes[i].eclass == all.classes[k];
      ways *= own;
    }
    if (ways > 3000) {
      egraph_destroy(graph);
      continue;
    }
    exhaust(&all, 0);
    char *tree_text, *dag_text;
    double tree, dag;
    bool optimal;
    assert_int_equal(egraph_extract_tree(&tree_text, &tree, graph, all.root, price, prices), EGRAPH_OK);
    assert_int_equal(egraph_extract_dag(&dag_text, &dag, &optimal, graph, all.root, price, prices, 1000000), EGRAPH_OK);
    assert_true(optimal);
    assert_true(fabs(tree - all.best_tree) < 1e-9);
    assert_true(fabs(dag - all.best_dag) < 1e-9);
    EGraphClass found;
    assert_int_equal(egraph_lookup_text(&found, graph, tree_text), EGRAPH_OK);
    assert_int_equal(found, all.root);
    /* with no effort to spend there is still a term, at most as dear as the tree */
    char *quick_text;
    double quick;
    assert_int_equal(egraph_extract_dag(&quick_text, &quick, &optimal, graph, all.root, price, prices, 0), EGRAPH_OK);
    assert_true(quick <= tree);
    compared += dag < tree;
    free(tree_text), free(dag_text), free(quick_text);
    egraph_destroy(graph);
  }
  assert_true(compared > 5);
}

/* The size of a class's smallest term, once as an analysis, once by extraction. */
static void size_make(const EGraph *graph, const EGraphNode *node, const void *const *children, void *out,
                      void *payload) {
  (void)graph, (void)payload;
  uint64_t size = 1;
  for (unsigned i = 0; i < node->arity; i++) size += *(const uint64_t *)children[i];
  *(uint64_t *)out = size;
}
static bool size_merge(void *into, const void *from, void *payload) {
  (void)payload;
  if (*(const uint64_t *)from >= *(uint64_t *)into) return false;
  *(uint64_t *)into = *(const uint64_t *)from;
  return true;
}

static void analyses_agree_with_extraction(void **state) {
  (void)state;
  for (unsigned round = 0; round < (unsigned)rounds_of(60); round++) {
    uint64_t seed = 40000 + round;
    EGraph *graph = graph_new(round & 1);
    static Written terms[TERMS];
    unsigned number;
    EGraphAnalysis size = {"size", sizeof(uint64_t), size_make, size_merge, NULL, NULL};
    if (round & 2) assert_int_equal(egraph_analysis_add(&number, graph, &size), EGRAPH_OK);
    int count = terms_make(graph, terms, &seed);
    if (!(round & 2)) assert_int_equal(egraph_analysis_add(&number, graph, &size), EGRAPH_OK);
    EGraphRules *rules =
        rules_of(graph, "fcomm: (f ?a ?b) => (f ?b ?a)\ngg: (g (g ?a)) => ?a\nhf: (h ?a ?b) => (f (g ?a) ?b)\n"
                        "grow: (f (g ?a) ?b) => (g (h ?b (f ?a ?b)))\nassoc: (f ?a (f ?b ?c)) => (f (f ?a ?b) ?c)\n"
                        "down: (h ?a (g ?b)) => (h (g ?a) (f ?b (g (f ?a a))))\n");
    egraph_limit(graph, 3000, SIZE_MAX);
    for (int step = 0; step < 4; step++) {
      for (int unions = 0; unions < 3; unions++)
        egraph_union(graph, terms[random_below(&seed, (uint32_t)count)].class,
                     terms[random_below(&seed, (uint32_t)count)].class, NULL);
      run(graph, rules, 1);
      for (EGraphClass class = 0; egraph_find(graph, class) != EGRAPH_NONE; class ++) {
        char *text;
        double cost;
        if (egraph_find(graph, class) != class || random_below(&seed, 10)) continue;
        assert_int_equal(egraph_extract_tree(&text, &cost, graph, class, NULL, NULL), EGRAPH_OK);
        const uint64_t *value = egraph_analysis_value(graph, number, class);
        assert_non_null(value);
        assert_int_equal(*value, (uint64_t)cost);
        free(text);
      }
    }
    egraph_destroy(graph);
  }
}

/* Random rules, unions and snapshots: going back gives the graph that was, and going on from there the same again. */
static void snapshots_repeat(void **state) {
  (void)state;
  for (unsigned round = 0; round < (unsigned)rounds_of(40); round++) {
    uint64_t seed = 60000 + round;
    EGraph *graph = graph_new(round & 1);
    static Written terms[TERMS];
    int count = terms_make(graph, terms, &seed);
    const char *text = "fcomm: (f ?a ?b) => (f ?b ?a)\ngg: (g (g ?a)) => ?a\nhf: (h ?a ?b) <=> (f (g ?a) ?b)\n";
    EGraphRules *rules = rules_of(graph, text);
    run(graph, rules, random_below(&seed, 3));
    EGraphSnapshot *snapshot;
    assert_int_equal(egraph_snapshot_take(&snapshot, graph), EGRAPH_OK);
    size_t nodes[2], classes[2];
    char *best[2];
    for (int pass = 0; pass < 2; pass++) {
      uint64_t same = seed;
      for (int unions = 0; unions < 4; unions++)
        egraph_union(graph, terms[random_below(&same, (uint32_t)count)].class,
                     terms[random_below(&same, (uint32_t)count)].class, "random");
      run(graph, rules, 2);
      nodes[pass] = egraph_node_count(graph);
      classes[pass] = egraph_class_count(graph);
      double cost;
      assert_int_equal(egraph_extract_tree(&best[pass], &cost, graph, terms[count - 1].class, NULL, NULL), EGRAPH_OK);
      for (int i = 1; i < count && (round & 1); i += 7)
        if (egraph_equal(graph, terms[i].class, terms[i - 1].class))
          explained(graph, text, terms[i].text, terms[i - 1].text);
      assert_int_equal(egraph_snapshot_restore(graph, snapshot), EGRAPH_OK);
      assert_null(egraph_check(graph));
    }
    assert_int_equal(nodes[0], nodes[1]);
    assert_int_equal(classes[0], classes[1]);
    assert_string_equal(best[0], best[1]);
    free(best[0]), free(best[1]);
    egraph_snapshot_destroy(snapshot);
    egraph_destroy(graph);
  }
}

/* One e-node of a class and cheapest terms for its children; the n-th that is visited. */
typedef struct {
  EGraph *graph;
  unsigned skip;
  char text[2000];
} NodeText;

static bool node_write(const EGraphNode *node, void *payload) {
  NodeText *out = payload;
  if (out->skip-- > 0) return true;
  size_t used = (size_t)snprintf(out->text, sizeof out->text, "%s%s", node->arity ? "(" : "",
                                 egraph_operator_name(out->graph, node->op));
  for (unsigned i = 0; i < node->arity; i++) {
    char *child;
    double cost;
    assert_int_equal(egraph_extract_tree(&child, &cost, out->graph, node->children[i], NULL, NULL), EGRAPH_OK);
    used += (size_t)snprintf(out->text + used, sizeof out->text - used, " %s", child);
    assert_true(used + 2 < sizeof out->text);
    free(child);
  }
  if (node->arity) strcpy(out->text + used, ")");
  return false;
}

static void any_two_nodes_of_a_class_have_a_checked_explanation(void **state) {
  (void)state;
  const char *text =
      "comm: (f ?a ?b) => (f ?b ?a)\nassoc: (f ?a (f ?b ?c)) => (f (f ?a ?b) ?c)\n"
      "dist: (h ?a (f ?b ?c)) <=> (f (h ?a ?b) (h ?a ?c))\ngg: (g (g ?a)) => ?a\n"
      "gf: (g (f ?a ?b)) <=> (f (g ?a) (g ?b))\ntwo: ?x = (f ?a ?b), ?y = (h ?a ?b) => ?x = (k ?y), ?y = (m ?x)\n";
  EGraph *graph = graph_new(true);
  uint64_t seed = 77;
  add(graph, "(h b (f c (f (g d) (g (f e (h b a))))))");
  add(graph, "(f (h b c) (h c (f d e)))");
  add(graph, "(f c (f d e))");
  EGraphRules *rules = rules_of(graph, text);
  egraph_limit(graph, 4000, SIZE_MAX);
  run(graph, rules, 8);
  for (unsigned pairs = 0, tries = 0; pairs < (unsigned)rounds_of(150); tries++) {
    assert_true(tries < (unsigned)rounds_of(3000));
    EGraphClass class = random_below(&seed, (uint32_t)egraph_class_count(graph));
    static NodeText terms[2];
    for (int k = 0; k < 2; k++) {
      terms[k] = (NodeText){graph, random_below(&seed, 12), {0}};
      egraph_visit_class(graph, class, node_write, &terms[k]);
    }
    if (!terms[0].text[0] || !terms[1].text[0] || strcmp(terms[0].text, terms[1].text) == 0) continue;
    assert_int_equal(explained(graph, text, terms[0].text, terms[1].text), 0);
    pairs++;
  }
  egraph_destroy(graph);
}

/* -- binders: substitution as rules against substitution as a function -------------------------------------------- */

typedef struct {
  char kind; /* v: variable, l: binder, a: application */
  int a, b;  /* index of the variable, or parts */
} Lambda;

typedef struct {
  Lambda terms[4000];
  int count;
} Lambdas;

static int lambda(Lambdas *all, char kind, int a, int b) {
  assert_true(all->count < 4000);
  all->terms[all->count] = (Lambda){kind, a, b};
  return all->count++;
}

static int lambda_random(Lambdas *all, uint64_t *seed, int depth) {
  uint32_t kind = depth ? random_below(seed, 4) : 0;
  if (kind == 0) return lambda(all, 'v', (int)random_below(seed, 4), 0);
  if (kind == 1) return lambda(all, 'l', lambda_random(all, seed, depth - 1), 0);
  int a = lambda_random(all, seed, depth - 1);
  return lambda(all, 'a', a, lambda_random(all, seed, depth - 1));
}

static int lambda_raise(Lambdas *all, int term, int from) {
  Lambda t = all->terms[term];
  if (t.kind == 'v') return lambda(all, 'v', t.a >= from ? t.a + 1 : t.a, 0);
  if (t.kind == 'l') return lambda(all, 'l', lambda_raise(all, t.a, from + 1), 0);
  int a = lambda_raise(all, t.a, from);
  return lambda(all, 'a', a, lambda_raise(all, t.b, from));
}

static int lambda_replace(Lambdas *all, int term, int variable, int by) {
  Lambda t = all->terms[term];
  if (t.kind == 'v') return t.a == variable ? by : lambda(all, 'v', t.a > variable ? t.a - 1 : t.a, 0);
  if (t.kind == 'l') return lambda(all, 'l', lambda_replace(all, t.a, variable + 1, lambda_raise(all, by, 0)), 0);
  int a = lambda_replace(all, t.a, variable, by);
  return lambda(all, 'a', a, lambda_replace(all, t.b, variable, by));
}

static void lambda_write(const Lambdas *all, int term, FILE *file) {
  Lambda t = all->terms[term];
  if (t.kind == 'v') {
    for (int i = 0; i < t.a; i++) fprintf(file, "(there ");
    fprintf(file, "here");
    for (int i = 0; i < t.a; i++) fprintf(file, ")");
    return;
  }
  fprintf(file, t.kind == 'l' ? "(lam " : "(app ");
  lambda_write(all, t.a, file);
  if (t.kind == 'a') {
    fprintf(file, " ");
    lambda_write(all, t.b, file);
  }
  fprintf(file, ")");
}

static char *lambda_text(const Lambdas *all, const char *format, int a, int b) {
  char *text;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  for (; *format; format++)
    if (*format == '1')
      lambda_write(all, a, file);
    else if (*format == '2')
      lambda_write(all, b, file);
    else
      fputc(*format, file);
  fclose(file);
  return text;
}

static void substitution_as_by_definition(void **state) {
  (void)state;
  char *binders;
  assert_int_equal(egraph_binder_rules(&binders, "lam/1! app/2", NULL), EGRAPH_OK);
  for (unsigned round = 0; round < (unsigned)rounds_of(150); round++) {
    uint64_t seed = 20000 + round;
    static Lambdas all;
    all.count = 0;
    int body = lambda_random(&all, &seed, 4), argument = lambda_random(&all, &seed, 2);
    int result = lambda_replace(&all, body, 0, argument);
    char *left = lambda_text(&all, "(close 1 (slash 2))", body, argument), *right = lambda_text(&all, "1", result, 0);
    EGraph *graph = graph_new(true);
    EGraphRules *rules = rules_of(graph, binders);
    EGraphClass a = add(graph, left);
    assert_int_equal(run(graph, rules, 200).stop, EGRAPH_STOP_SATURATED);
    assert_true(egraph_equal(graph, a, add(graph, right)));
    assert_int_equal(explained(graph, binders, left, right), 0);
    free(left), free(right);
    egraph_destroy(graph);
  }
  free(binders);
}

/* The same input gives the same graph and the same term. */
static void runs_are_the_same(void **state) {
  (void)state;
  char *dots[2];
  for (int pass = 0; pass < 2; pass++) {
    uint64_t seed = 5;
    EGraph *graph = graph_new(false);
    static Written terms[TERMS];
    terms_make(graph, terms, &seed);
    EGraphRules *rules = rules_of(graph, "fcomm: (f ?a ?b) => (f ?b ?a)\nhf: (h ?a ?b) <=> (f (g ?a) ?b)\n");
    run(graph, rules, 3);
    size_t length;
    FILE *file = open_memstream(&dots[pass], &length);
    egraph_write_dot(graph, file);
    fclose(file);
    egraph_destroy(graph);
  }
  assert_string_equal(dots[0], dots[1]);
  free(dots[0]), free(dots[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(congruence_as_by_definition),
                                     cmocka_unit_test(matching_as_by_trying),
                                     cmocka_unit_test(joining_as_by_trying),
                                     cmocka_unit_test(skipping_old_matches_changes_nothing),
                                     cmocka_unit_test(equal_pairs_have_checked_explanations),
                                     cmocka_unit_test(extraction_is_optimal),
                                     cmocka_unit_test(analyses_agree_with_extraction),
                                     cmocka_unit_test(snapshots_repeat),
                                     cmocka_unit_test(substitution_as_by_definition),
                                     cmocka_unit_test(any_two_nodes_of_a_class_have_a_checked_explanation),
                                     cmocka_unit_test(runs_are_the_same)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
