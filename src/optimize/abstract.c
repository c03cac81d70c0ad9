/* Abstract expressions over the e-graph (abstract.h).
 *
 * An analysis keeps, for each class, which axes its values depend on, with their elements or with their tiles: what is
 * free of an axis leaves the sum over it. Everything that the arena gives is taken before the e-graph is made, which
 * has memory of its own, so that no limit unwinds past it. */
#include "optimize/abstract.h"

#include <stdio.h>
#include <string.h>

#include "egraph/egraph.h"

static const char axioms[] = "add-commutes: (+ ?a ?b) => (+ ?b ?a)\n"
                             "add-associates: (+ ?a (+ ?b ?c)) => (+ (+ ?a ?b) ?c)\n"
                             "mul-commutes: (* ?a ?b) => (* ?b ?a)\n"
                             "mul-associates: (* ?a (* ?b ?c)) => (* (* ?a ?b) ?c)\n"
                             "maximum-commutes: (maximum ?a ?b) => (maximum ?b ?a)\n"
                             "minimum-commutes: (minimum ?a ?b) => (minimum ?b ?a)\n"
                             "distributes: (* ?a (+ ?b ?c)) <=> (+ (* ?a ?b) (* ?a ?c))\n"
                             "divides-sum: (/ (+ ?a ?b) ?c) <=> (+ (/ ?a ?c) (/ ?b ?c))\n"
                             "divides-difference: (/ (- ?a ?b) ?c) <=> (- (/ ?a ?c) (/ ?b ?c))\n"
                             "factor-of-quotient: (* ?a (/ ?b ?c)) <=> (/ (* ?a ?b) ?c)\n"
                             "quotient-of-quotient: (/ (/ ?a ?b) ?c) <=> (/ ?a (* ?b ?c))\n"
                             "common-divisor: (/ (/ ?a ?c) (/ ?b ?c)) => (/ ?a ?b)\n"
                             "square: (square ?a) <=> (* ?a ?a)\n"
                             "exp-of-sum: (* (exp ?a) (exp ?b)) => (exp (+ ?a ?b))\n"
                             "exp-of-difference: (/ (exp ?a) (exp ?b)) => (exp (- ?a ?b))\n"
                             "sqrt-of-product: (sqrt (* ?a ?b)) <=> (* (sqrt ?a) (sqrt ?b))\n"
                             "sqrt-of-quotient: (sqrt (/ ?a ?b)) <=> (/ (sqrt ?a) (sqrt ?b))\n"
                             "sum-of-sum: (sum ?i (+ ?a ?b)) <=> (+ (sum ?i ?a) (sum ?i ?b))\n"
                             "sum-of-difference: (sum ?i (- ?a ?b)) <=> (- (sum ?i ?a) (sum ?i ?b))\n"
                             "sum-of-product: (sum ?i (* ?a ?b)) => (* (sum ?i ?a) ?b) if (free ?i ?b)\n"
                             "product-of-sum: (* (sum ?i ?a) ?b) => (sum ?i (* ?a ?b)) if (free ?i ?b)\n"
                             "sum-of-quotient: (sum ?i (/ ?a ?b)) => (/ (sum ?i ?a) ?b) if (free ?i ?b)\n"
                             "quotient-of-sum: (/ (sum ?i ?a) ?b) => (sum ?i (/ ?a ?b)) if (free ?i ?b)\n"
                             "sums-commute: (sum ?i (sum ?j ?a)) => (sum ?j (sum ?i ?a))\n"
                             "sum-of-tile: (sum ?i (tsum ?j ?a)) <=> (tsum ?j (sum ?i ?a)) if (differ ?i ?j)\n"
                             "sum-of-tiles: (sum ?i (asum ?j ?a)) <=> (asum ?j (sum ?i ?a)) if (differ ?i ?j)\n"
                             "sum-by-tiles: (sum ?i ?a) => (asum ?i (tsum ?i ?a))\n"
                             "max-by-tiles: (max ?i ?a) => (amax ?i (tmax ?i ?a))\n"
                             "min-by-tiles: (min ?i ?a) => (amin ?i (tmin ?i ?a))\n"
                             "tile-of-product: (tsum ?i (* ?a ?b)) => (* (tsum ?i ?a) ?b) if (tile-free ?i ?b)\n"
                             "tile-of-quotient: (tsum ?i (/ ?a ?b)) => (/ (tsum ?i ?a) ?b) if (tile-free ?i ?b)\n"
                             "product-of-tile: (* (tsum ?i ?a) ?b) => (tsum ?i (* ?a ?b)) if (tile-free ?i ?b)\n"
                             "quotient-of-tile: (/ (tsum ?i ?a) ?b) => (tsum ?i (/ ?a ?b)) if (tile-free ?i ?b)\n"
                             "tile-of-sum: (tsum ?i (+ ?a ?b)) <=> (+ (tsum ?i ?a) (tsum ?i ?b))\n"
                             "tiles-of-product: (asum ?i (* ?a ?b)) => (* (asum ?i ?a) ?b) if (free ?i ?b)\n"
                             "tiles-of-quotient: (asum ?i (/ ?a ?b)) => (/ (asum ?i ?a) ?b) if (free ?i ?b)\n"
                             "product-of-tiles: (* (asum ?i ?a) ?b) => (asum ?i (* ?a ?b)) if (free ?i ?b)\n"
                             "quotient-of-tiles: (/ (asum ?i ?a) ?b) => (asum ?i (/ ?a ?b)) if (free ?i ?b)\n"
                             "tiles-of-sum: (asum ?i (+ ?a ?b)) <=> (+ (asum ?i ?a) (asum ?i ?b))\n";

const char *abstract_axioms(void) { return axioms; }

typedef struct Value {
  uint32_t elements, tiles;
  int32_t number; /* of a class of axes, or -1 */
} Value;

typedef struct Entry {
  EGraphOperator op;
  uint32_t arity;
  EGraphClass children[3], eclass;
} Entry;

enum { PLACE_OUTSIDE, PLACE_WITHIN, PLACE_EXIT };
enum { TABLE = 1 << 17, REDUCTIONS = 9 };

struct Abstract {
  const Problem *problem;
  EGraph *graph; /* while it is made */
  EGraphOperator op_of[PROBLEM_OP_COUNT], reduce_of[REDUCTIONS];
  EGraphOperator *leaf, *function; /* by node, by function */
  EGraphClass *node_class;
  uint8_t *place;
  EGraphClass number[PROBLEM_MAX_CLASSES];
  Entry *table;
  uint64_t *begun; /* bits: the places at which the search of some entry begins; most look-ups end with these */
  uint32_t entries, classes;
  bool is_saturated, failed;
  unsigned analysis;
};

static const char *const reduction_names[REDUCTIONS] = {"sum",  "tsum", "asum", "max", "tmax",
                                                        "amax", "min",  "tmin", "amin"};

/* ---- dependence on axes ---- */

static const Value *value_of(const Abstract *a, EGraphClass id) {
  return egraph_analysis_value(a->graph, a->analysis, id);
}

static int reduction_of(const Abstract *a, EGraphOperator op) {
  for (int i = 0; i < REDUCTIONS; i++)
    if (a->reduce_of[i] == op) return i;
  return -1;
}

static void make_value(const EGraph *graph, const EGraphNode *node, const void *const *children, void *out,
                       void *payload) {
  const Abstract *a = payload;
  Value v = {0, 0, -1};
  int64_t number;
  int reduction = reduction_of(a, node->op);
  if (egraph_operator_integer(graph, node->op, &number)) v.number = (int32_t)number;
  for (uint32_t i = 0; i < a->problem->nodes.count && !node->arity; i++)
    if (a->leaf[i] == node->op) v.elements = a->problem->nodes.data[i].classes;
  for (unsigned i = 0; i < node->arity; i++) {
    const Value *child = children[i];
    v.elements |= child->elements, v.tiles |= child->tiles;
  }
  if (reduction >= 0) {
    uint32_t bit = 1u << (((const Value *)children[0])->number & 31);
    if (reduction % 3 != 2) v.elements &= ~bit;
    v.tiles = reduction % 3 == 1 ? v.tiles | bit : v.tiles & ~bit;
  }
  v.tiles &= ~v.elements;
  memcpy(out, &v, sizeof v);
}

/* Equal terms depend on what both depend on. */
static bool merge_values(void *into, const void *from, void *payload) {
  Value *a = into, before = *a;
  const Value *b = from;
  (void)payload;
  uint32_t elements = a->elements & b->elements;
  a->tiles = (a->tiles | a->elements) & (b->tiles | b->elements) & ~elements;
  a->elements = elements;
  if (a->number < b->number) a->number = b->number;
  return memcmp(a, &before, sizeof before) != 0;
}

static bool is_free(const EGraph *graph, const EGraphClass *args, unsigned count, void *payload) {
  const Abstract *a = payload;
  const Value *axis = value_of(a, args[0]), *v = value_of(a, args[1]);
  (void)graph, (void)count;
  return axis && v && axis->number >= 0 && !((v->elements | v->tiles) >> axis->number & 1);
}

static bool is_tile_free(const EGraph *graph, const EGraphClass *args, unsigned count, void *payload) {
  const Abstract *a = payload;
  const Value *axis = value_of(a, args[0]), *v = value_of(a, args[1]);
  (void)graph, (void)count;
  return axis && v && axis->number >= 0 && !(v->elements >> axis->number & 1);
}

static bool do_differ(const EGraph *graph, const EGraphClass *args, unsigned count, void *payload) {
  const Value *x = value_of(payload, args[0]), *y = value_of(payload, args[1]);
  (void)graph, (void)count;
  return x && y && x->number >= 0 && y->number >= 0 && x->number != y->number;
}

/* ---- making the e-graph ---- */

static EGraphOperator intern_op(Abstract *a, const char *name, unsigned arity) {
  EGraphOperator op = 0;
  if (egraph_operator_intern(&op, a->graph, name, arity) != EGRAPH_OK) a->failed = true;
  return op;
}

static void intern_operators(Abstract *a) {
  char name[32];
  for (int i = 0; i < REDUCTIONS; i++) a->reduce_of[i] = intern_op(a, reduction_names[i], 2);
  for (int i = PROBLEM_NEG; i < PROBLEM_SUM; i++)
    if (i != PROBLEM_FN) /* each function has a name of its own */
      a->op_of[i] = intern_op(a, i == PROBLEM_NEG ? "neg" : problem_op_text(i), problem_op_arity(i));
  for (uint32_t i = 0; i < a->problem->functions.count; i++) {
    snprintf(name, sizeof name, "f%u", i);
    a->function[i] = intern_op(a, name, 1);
  }
  for (uint32_t i = 0; i < a->problem->nodes.count; i++) {
    snprintf(name, sizeof name, "leaf%u", i);
    a->leaf[i] = intern_op(a, name, 0);
  }
}

static EGraphClass add(Abstract *a, EGraphOperator op, const EGraphClass *children) {
  EGraphClass out = 0;
  if (!a->failed && egraph_add(&out, a->graph, op, children) != EGRAPH_OK) a->failed = true;
  return out;
}

static EGraphOperator operator_of(const Abstract *a, ProblemOp op, uint32_t detail) {
  return op == PROBLEM_FN ? a->function[detail] : a->op_of[op];
}

static uint32_t reduction_row(ProblemOp op, FingerprintPart part) {
  return (op == PROBLEM_SUM ? 0u : op == PROBLEM_REDUCE_MAX ? 3u : 6u) + (uint32_t)part;
}

/* Exits are leaves, and what else is in the region is left out. */
static void mark_regions(Abstract *a, uint32_t count, const ProblemRegion *regions) {
  uint32_t nodes[REGION_NODES];
  for (uint32_t r = 0; r < count; r++)
    for (uint32_t i = region_nodes(a->problem, &regions[r], nodes, REGION_NODES); i-- > 0;)
      a->place[nodes[i]] = nodes[i] == regions[r].exit                                  ? PLACE_EXIT
                           : problem_op_arity(a->problem->nodes.data[nodes[i]].op) != 0 ? PLACE_WITHIN
                                                                                        : a->place[nodes[i]];
}

static void add_nodes(Abstract *a) {
  for (uint32_t c = 0; c < a->problem->class_count; c++)
    if (egraph_add_integer(&a->number[c], a->graph, c) != EGRAPH_OK) a->failed = true;
  for (uint32_t i = 0; i < a->problem->nodes.count; i++) {
    const ProblemNode *n = &a->problem->nodes.data[i];
    EGraphClass children[3];
    if (a->place[i] == PLACE_WITHIN) continue;
    for (uint32_t k = 0; k < 3; k++) children[k] = a->node_class[n->args[k]];
    if (a->place[i] == PLACE_EXIT) {
      a->node_class[i] = add(a, a->leaf[i], children);
    } else if (n->op >= PROBLEM_SUM) {
      EGraphClass pair[2] = {a->number[n->axis], children[0]};
      a->node_class[i] = add(a, a->reduce_of[reduction_row(n->op, FINGERPRINT_ALL)], pair);
    } else {
      bool is_leaf = !problem_op_arity(n->op);
      a->node_class[i] = add(a, is_leaf ? a->leaf[i] : operator_of(a, n->op, n->detail), children);
    }
  }
}

static void saturate(Abstract *a) {
  EGraphRules *rules = NULL;
  EGraphRunOptions options = EGRAPH_RUN_OPTIONS_INIT;
  EGraphReport report;
  options.iterations = 12;
  if (egraph_condition_register(a->graph, "free", 2, is_free, a) != EGRAPH_OK ||
      egraph_condition_register(a->graph, "tile-free", 2, is_tile_free, a) != EGRAPH_OK ||
      egraph_condition_register(a->graph, "differ", 2, do_differ, a) != EGRAPH_OK ||
      egraph_rules_parse(&rules, a->graph, axioms, NULL) != EGRAPH_OK) {
    a->failed = true;
    return;
  }
  egraph_run(&report, a->graph, rules, &options);
  a->is_saturated = report.stop == EGRAPH_STOP_SATURATED;
  egraph_rebuild(a->graph);
  egraph_rules_destroy(rules);
}

/* ---- the table ---- */

static uint32_t hash_entry(EGraphOperator op, uint32_t arity, const EGraphClass *children) {
  uint64_t h = op + 1;
  for (uint32_t i = 0; i < arity; i++) h = (h ^ children[i]) * 0x9E3779B97F4A7C15u + (h >> 29);
  return (uint32_t)((h * 0xBF58476D1CE4E5B9u) >> 40) & (TABLE - 1);
}

static Entry *slot_of(const Abstract *a, uint32_t i, EGraphOperator op, uint32_t arity, const EGraphClass *children) {
  for (; a->table[i].arity; i = (i + 1) & (TABLE - 1)) {
    const Entry *e = &a->table[i];
    if (e->op == op && e->arity == arity + 1 && !memcmp(e->children, children, sizeof *children * arity)) break;
  }
  return &a->table[i];
}

static bool keep_node(const EGraphNode *node, void *payload) {
  Abstract *a = payload;
  EGraphClass children[3] = {0};
  if (node->arity > 3 || a->entries * 2 > TABLE) return true;
  for (unsigned i = 0; i < node->arity; i++) children[i] = egraph_find(a->graph, node->children[i]);
  uint32_t first = hash_entry(node->op, node->arity, children);
  a->begun[first / 64] |= (uint64_t)1 << first % 64;
  Entry *e = slot_of(a, first, node->op, node->arity, children);
  if (!e->arity) a->entries++;
  *e = (Entry){.op = node->op, .arity = node->arity + 1, .eclass = egraph_find(a->graph, node->eclass)};
  memcpy(e->children, children, sizeof children);
  return true;
}

Abstract *abstract_new(Arena *arena, const Problem *p, uint32_t region_count, const ProblemRegion *regions) {
  Abstract *a = arena_new(arena, Abstract);
  EGraphOptions options = {ABSTRACT_NODES, SIZE_MAX, false};
  EGraphAnalysis analysis = {
      .name = "axes", .size = sizeof(Value), .make = make_value, .merge = merge_values, .payload = a};
  a->problem = p;
  a->leaf = arena_array(arena, EGraphOperator, p->nodes.count + 1);
  a->function = arena_array(arena, EGraphOperator, p->functions.count + 1);
  a->node_class = arena_array(arena, EGraphClass, p->nodes.count + 1);
  a->place = arena_array(arena, uint8_t, p->nodes.count + 1);
  mark_regions(a, region_count, regions);
  a->table = arena_array(arena, Entry, TABLE), a->begun = arena_array(arena, uint64_t, TABLE / 64);
  if (egraph_create(&a->graph, &options) != EGRAPH_OK) guard_throw(arena->guard, GUARD_MEMORY, "out of memory");
  if (egraph_analysis_add(&a->analysis, a->graph, &analysis) != EGRAPH_OK) a->failed = true;
  intern_operators(a);
  add_nodes(a);
  if (!a->failed) saturate(a);
  for (uint32_t i = 0; i < p->nodes.count && !a->failed; i++)
    a->node_class[i] = a->place[i] == PLACE_WITHIN ? ABSTRACT_NONE : egraph_find(a->graph, a->node_class[i]);
  for (uint32_t c = 0; c < p->class_count && !a->failed; c++) a->number[c] = egraph_find(a->graph, a->number[c]);
  if (!a->failed) egraph_visit(a->graph, keep_node, a);
  a->classes = (uint32_t)egraph_class_count(a->graph);
  egraph_destroy(a->graph);
  a->graph = NULL;
  if (a->failed) guard_throw(arena->guard, GUARD_INTERNAL, "the axioms of abstract expressions cannot be read");
  return a;
}

uint32_t abstract_node(const Abstract *a, uint32_t node) { return a->node_class[node]; }

static uint32_t look_up(const Abstract *a, EGraphOperator op, uint32_t arity, const EGraphClass *children) {
  for (uint32_t i = 0; i < arity; i++)
    if (children[i] == ABSTRACT_NONE) return ABSTRACT_NONE;
  uint32_t first = hash_entry(op, arity, children);
  if (!(a->begun[first / 64] >> first % 64 & 1)) return ABSTRACT_NONE;
  const Entry *e = slot_of(a, first, op, arity, children);
  return e->arity ? e->eclass : ABSTRACT_NONE;
}

uint32_t abstract_operation(const Abstract *a, ProblemOp op, uint32_t detail, uint32_t x, uint32_t y, uint32_t z) {
  return look_up(a, operator_of(a, op, detail), problem_op_arity(op), (EGraphClass[]){x, y, z});
}

uint32_t abstract_reduce(const Abstract *a, ProblemOp op, uint8_t axis, FingerprintPart part, uint32_t x) {
  return look_up(a, a->reduce_of[reduction_row(op, part)], 2, (EGraphClass[]){a->number[axis], x});
}

void abstract_size(const Abstract *a, uint32_t *nodes, uint32_t *classes, bool *is_saturated) {
  *nodes = a->entries, *classes = a->classes, *is_saturated = a->is_saturated;
}
