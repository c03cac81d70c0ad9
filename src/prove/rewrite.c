/* Searching with the e-graph (see rewrite.h). Not trusted.
 *
 * Both sides go into an e-graph, which grows by the laws. If they end in one class, its explanation is the proof. If
 * not, the cheapest forms of each side are taken out, for several ideas of cheap: short; exp rather than tanh; choices
 * rather than extrema; absolute values rather than either. The other engines are asked whether a form of the left is
 * one of the right: numbers and fractions are theirs. If not, the forms' normal forms go into the next, fresh e-graph
 * beside the sides, so that laws apply again where arithmetic had to come first.
 *
 * If that is in vain, the sides are compared once more where a condition of a select holds, and where it does not:
 * equal.h vouches for the split.
 *
 * Every equality found on the way is a lemma of the replay: the explanation from a side to its form, and the form's
 * normal form. */
#include "prove/rewrite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "egraph/egraph.h"
#include "laws/laws.h"
#include "prove/equal.h"
#include "prove/poles.h"
#include "prove/replay.h"
#include "term/guarded.h"

enum {
  MOST_SIZE = 400, /* of a side, written out */
  MOST_LEVELS = 4, /* of folds in folds: what has more is a question of indices */
  MOST_FORM = 800, /* of a form */
  MOST_FORMS = 10,
  ROUNDS = 3,
  MOST_BANS = 4, /* of laws whose conditions the replay could not show */
  NODES = 6000,  /* of the first round; it doubles */
  MEMORY = 64 << 20,
};
static const double SHARE = 0.25; /* of the time that is left, but no more than */
static const double SECONDS = 2;

typedef struct Form {
  Expression expression;
  Term term;
} Form;

typedef struct Edge { /* an equality that a lemma tells of */
  Expression left, right;
  int32_t lemma;
} Edge;

typedef struct Number { /* its class as it was made: in explanations that stands for the number itself */
  Term term;
  EGraphClass class;
} Number;

typedef struct Pair {
  Term a, b;
} Pair;

typedef struct Rewrite {
  TermTable *tt;
  Arena *arena;
  Term side[2];
  Text *steps;
  ExpressionTable *table;
  LawTable *laws;
  Replay *replay;
  Expression root[2];
  Form forms[2][MOST_FORMS];
  uint32_t form_count[2];
  Array(Edge) edges;
  Array(Pair) tried;            /* whether a form of the left is one of the right */
  const Law *open;              /* whose condition the last replay could not show */
  const Law *banned[MOST_BANS]; /* for that: the search asks it of one form of a class, and the explanation may speak of
                                   another */
  uint32_t ban_count;
  bool lenient; /* laws that hold in the direction of use only */
  bool refused; /* there was such a law */
  bool proved;
  /* of one run */
  EGraph *graph;
  EGraphRules *rules;
  unsigned analysis;
  Array(Expression) operators; /* by operator of the graph: a leaf; or op + 1 with the high bit; 0: not seen yet */
  Array(Number) numbers;
  bool threw; /* something went wrong inside a callback */
} Rewrite;

/* ---- operators ---- */

#define IS_OP 0x80000000u
#define IS_NUMBER 0xFFFFFFFFu /* (number #3) */

/* What an operator of the graph is. */
static Expression operator_of(Rewrite *r, EGraphOperator op) {
  while (r->operators.count <= op) array_push(r->arena, &r->operators, 0);
  if (r->operators.data[op]) return r->operators.data[op];
  const char *name = egraph_operator_name(r->graph, op);
  Expression found = 0;
  if (name[0] == '#') found = expression_read(r->table, &name);
  if (!strcmp(name, "number")) found = IS_NUMBER;
  for (int i = EXPRESSION_ADD; i < EXPRESSION_OP_COUNT && !found; i++)
    if (!strcmp(expression_op_text((ExpressionOp)i), name)) found = IS_OP | (uint32_t)i;
  return r->operators.data[op] = found;
}

/* ---- one expression for each class ---- */

static Expression node_expression(Rewrite *r, const EGraphNode *node, const void *const *children) {
  Expression op = operator_of(r, node->op), args[EXPRESSION_ARITY] = {0};
  if (!op || !(op & IS_OP)) return op;
  if (op == IS_NUMBER) {
    memcpy(&args[0], children[0], sizeof args[0]);
    return args[0];
  }
  for (unsigned i = 0; i < node->arity; i++) {
    memcpy(&args[i], children[i], sizeof args[i]);
    if (!args[i]) return 0;
  }
  Expression e = expression_make(r->table, (ExpressionOp)(op & ~IS_OP), args);
  return e && expression_term(r->table, e) ? e : 0;
}

/* The form of a class that tells most: a number; one that is seen to be positive, of one sign; then the oldest. */
typedef struct Value {
  Expression expression; /* 0: none */
  uint32_t rank;
} Value;

static Value value_made(Rewrite *r, const EGraphNode *node, const void *const *children) {
  TermTable *tt = r->tt;
  Value value = {node_expression(r, node, children), 0};
  Term t = value.expression ? expression_term(r->table, value.expression) : 0;
  if (t && term_sort(tt, t) <= SORT_REAL) {
    bool up = term_is_nonnegative(tt, t);
    value.rank = term_is_rat(tt, t)                         ? 3
                 : up                                       ? 1u + term_is_positive(tt, t)
                 : term_is_nonnegative(tt, term_neg(tt, t)) ? 1
                                                            : 0;
  }
  return value;
}

static void make_value(const EGraph *graph, const EGraphNode *node, const void *const *children, void *out,
                       void *payload) {
  Value made = {0};
  volatile Value *value = &made;
  Rewrite *r = payload;
  (void)graph;
  TERM_GUARDED(r->tt, r->threw, *value, value_made(r, node, children));
  memcpy(out, &made, sizeof made);
}

static bool merge_value(void *into, const void *from, void *payload) {
  Value a, b;
  (void)payload;
  memcpy(&a, into, sizeof a), memcpy(&b, from, sizeof b);
  if (!b.expression || a.expression == b.expression) return false;
  if (a.expression && (a.rank != b.rank ? a.rank > b.rank : a.expression < b.expression)) return false;
  memcpy(into, &b, sizeof b);
  return true;
}

static Expression value_of(const Rewrite *r, EGraphClass class) {
  const void *value = egraph_analysis_value(r->graph, r->analysis, class);
  Value v = {0};
  if (value) memcpy(&v, value, sizeof v);
  return v.expression;
}

/* ---- laws as rules ---- */

typedef struct Search {
  Rewrite *r;
  const Law *law;
  bool backward;
} Search;

static bool search_holds(const Search *s, const EGraphClass *arguments) {
  LawInstance in = {0};
  for (uint32_t i = 0; i < s->law->variable_count; i++) {
    Expression e = value_of(s->r, arguments[i]);
    if (!e) return false;
    in.expressions[i] = e, in.terms[i] = expression_term(s->r->table, e);
  }
  if (!law_holds(s->r->laws, s->law, &in, s->backward)) return false;
  if (s->r->lenient || law_holds(s->r->laws, s->law, &in, !s->backward)) return true;
  s->r->refused = true;
  return false;
}

static bool condition(const EGraph *graph, const EGraphClass *arguments, unsigned count, void *payload) {
  volatile bool good = false;
  Rewrite *r = ((Search *)payload)->r;
  (void)graph, (void)count;
  TERM_GUARDED(r->tt, r->threw, good, search_holds(payload, arguments));
  return good;
}

static Term computed(Rewrite *r, ExpressionOp op, const EGraphClass *arguments) {
  Term a[2];
  for (int i = 0; i < 2; i++) {
    Expression e = value_of(r, arguments[i]);
    if (!e || expression_node(r->table, e)->op != EXPRESSION_LEAF) return 0;
    a[i] = expression_node(r->table, e)->aux;
    if (!term_is_rat(r->tt, a[i])) return 0;
  }
  if (op == EXPRESSION_POW && a[0] == r->tt->zero) return 0;
  Term t = op == EXPRESSION_ADD   ? term_add(r->tt, a[0], a[1])
           : op == EXPRESSION_MUL ? term_mul(r->tt, a[0], a[1])
                                  : term_power(r->tt, a[0], term_rat(r->tt, a[1]));
  return term_is_rat(r->tt, t) ? t : 0;
}

static EGraphStatus add_number(Rewrite *r, Term t, EGraphClass *out) {
  char name[24];
  EGraphOperator leaf, number;
  EGraphClass child;
  for (uint32_t i = 0; i < r->numbers.count; i++) {
    *out = r->numbers.data[i].class;
    if (r->numbers.data[i].term == t) return EGRAPH_OK;
  }
  snprintf(name, sizeof name, "#%u", t);
  EGraphStatus status = egraph_operator_intern(&leaf, r->graph, name, 0);
  if (status == EGRAPH_OK) status = egraph_operator_intern(&number, r->graph, "number", 1);
  if (status == EGRAPH_OK) status = egraph_add(&child, r->graph, leaf, NULL);
  if (status == EGRAPH_OK) status = egraph_add(out, r->graph, number, &child);
  if (status == EGRAPH_OK) array_push(r->arena, &r->numbers, (Number){t, *out});
  return status;
}

/* Those that the laws and the sides speak of, before there is anything else. */
static bool add_numbers(Rewrite *r) {
  EGraphClass class;
  for (Expression e = 1; e < r->table->nodes.count; e++) {
    ExpressionNode n = *expression_node(r->table, e);
    if (n.op == EXPRESSION_LEAF && term_is_rat(r->tt, n.aux) && add_number(r, n.aux, &class) != EGRAPH_OK) return false;
  }
  return true;
}

static EGraphStatus compute(ExpressionOp op, EGraphClass *out, EGraph *graph, const EGraphClass *arguments,
                            void *payload) {
  Rewrite *r = payload;
  volatile Term t = 0;
  volatile EGraphStatus status = EGRAPH_MEMORY_LIMIT;
  (void)graph;
  TERM_GUARDED(r->tt, r->threw, t, computed(r, op, arguments));
  if (!t) return EGRAPH_NOT_FOUND;
  TERM_GUARDED(r->tt, r->threw, status, add_number(r, t, out));
  return status;
}

static EGraphStatus compute_add(EGraphClass *out, EGraph *graph, const EGraphClass *arguments, unsigned count,
                                void *payload) {
  (void)count;
  return compute(EXPRESSION_ADD, out, graph, arguments, payload);
}
static EGraphStatus compute_mul(EGraphClass *out, EGraph *graph, const EGraphClass *arguments, unsigned count,
                                void *payload) {
  (void)count;
  return compute(EXPRESSION_MUL, out, graph, arguments, payload);
}
static EGraphStatus compute_pow(EGraphClass *out, EGraph *graph, const EGraphClass *arguments, unsigned count,
                                void *payload) {
  (void)count;
  return compute(EXPRESSION_POW, out, graph, arguments, payload);
}

static void write_rule(Rewrite *r, Text *out, const Law *law, uint32_t number, bool backward) {
  char condition_name[24];
  Search *search = arena_new(r->arena, Search);
  *search = (Search){r, law, backward};
  snprintf(condition_name, sizeof condition_name, "c%u%s", number, backward ? "b" : "");
  text_format(out, "%s%s: ", law->name, backward ? ".back" : "");
  expression_write(r->table, backward ? law->right : law->left, out);
  text_add(out, " => ");
  expression_write(r->table, backward ? law->left : law->right, out);
  text_format(out, " if (%s", condition_name);
  for (uint32_t i = 0; i < law->variable_count; i++) text_format(out, " ?%c", law->variables[i]);
  text_add(out, ")\n");
  egraph_condition_register(r->graph, condition_name, law->variable_count, condition, search);
}

/* A law of folds or of choices is of no use where there are none. */
static bool is_useful(const Rewrite *r, Expression pattern) {
  ExpressionNode n = *expression_node(r->table, pattern);
  EGraphOperator op;
  (void)op;
  if (n.op == EXPRESSION_SUM || n.op == EXPRESSION_MAXIMUM || n.op == EXPRESSION_MINIMUM) {
    for (int s = 0; s < 2; s++)
      if (term_node(r->tt, r->side[s])->flags & TERM_HAS_FOLD) return true;
    return false;
  }
  return true;
}

static bool has_all_variables(const Rewrite *r, const Law *law, Expression pattern, uint32_t *seen) {
  ExpressionNode n = *expression_node(r->table, pattern);
  if (n.op == EXPRESSION_VARIABLE)
    for (uint32_t i = 0; i < law->variable_count; i++)
      if (law->variables[i] == (char)n.aux) *seen |= 1u << i;
  for (uint32_t i = 0; i < expression_op_arity(n.op); i++) has_all_variables(r, law, n.args[i], seen);
  return *seen == (1u << law->variable_count) - 1;
}

static bool add_rules(Rewrite *r) {
  Text text = text_new(r->arena);
  for (uint32_t i = 0; i < r->laws->laws.count; i++) {
    const Law *law = &r->laws->laws.data[i];
    uint32_t left = 0, right = 0;
    bool banned = !is_useful(r, law->left);
    for (uint32_t k = 0; k < r->ban_count; k++) banned |= r->banned[k] == law;
    if (banned) continue;
    if (law->use != LAW_BACKWARD && has_all_variables(r, law, law->left, &left)) write_rule(r, &text, law, i, false);
    if (law->use != LAW_FORWARD && has_all_variables(r, law, law->right, &right)) write_rule(r, &text, law, i, true);
  }
  text_add(&text, "compute.add: (add (number ?a) (number ?b)) => @compute-add ?a ?b\n"
                  "compute.mul: (mul (number ?a) (number ?b)) => @compute-mul ?a ?b\n"
                  "compute.pow: (pow (number ?a) (number ?b)) => @compute-pow ?a ?b\n");
  egraph_function_register(r->graph, "compute-add", 2, compute_add, r);
  egraph_function_register(r->graph, "compute-mul", 2, compute_mul, r);
  egraph_function_register(r->graph, "compute-pow", 2, compute_pow, r);
  EGraphDiagnostic problem = {0};
  EGraphStatus status = egraph_rules_parse(&r->rules, r->graph, text_string(&text), &problem);
  if (status == EGRAPH_BAD_INPUT) {
    r->threw = true;
    r->arena->guard->reason = GUARD_INTERNAL;
    snprintf(r->arena->guard->message, sizeof r->arena->guard->message, "laws as rules: %.150s", problem.text);
  }
  return status == EGRAPH_OK;
}

/* ---- expressions in and out ---- */

static const char *text_of(Rewrite *r, Expression e) {
  Text text = text_new(r->arena);
  expression_write(r->table, e, &text);
  return text_string(&text);
}

static bool add_expression(Rewrite *r, Expression e, EGraphClass *out) {
  return egraph_add_text(out, r->graph, text_of(r, e), NULL) == EGRAPH_OK;
}

static bool add_edges(Rewrite *r) {
  EGraphClass *classes = arena_array(r->arena, EGraphClass, 2 * r->edges.count + 1);
  char reason[24];
  for (uint32_t i = 0; i < r->edges.count; i++) /* all are there before the first union: each class is one expression */
    if (!add_expression(r, r->edges.data[i].left, &classes[2 * i]) ||
        !add_expression(r, r->edges.data[i].right, &classes[2 * i + 1]))
      return false;
  for (uint32_t i = 0; i < r->edges.count; i++) {
    snprintf(reason, sizeof reason, "lemma%d", r->edges.data[i].lemma);
    if (egraph_union(r->graph, classes[2 * i], classes[2 * i + 1], reason) != EGRAPH_OK) return false;
  }
  return true;
}

/* The lemma that a = b, which the graph knows; REPLAY_NONE: it cannot say why. */
static int32_t explained(Rewrite *r, Expression a, Expression b) {
  char *text = NULL;
  if (egraph_explain(&text, r->graph, text_of(r, a), text_of(r, b)) != EGRAPH_OK) return REPLAY_NONE;
  const char *copy = arena_copy(r->arena, text, strlen(text));
  free(text);
  return replay_add_certificate(r->replay, copy);
}

static bool begin(Rewrite *r, uint32_t nodes) {
  EGraphOptions options = EGRAPH_OPTIONS_INIT;
  options.node_limit = nodes, options.memory_limit = MEMORY, options.explain = true;
  r->graph = NULL, r->rules = NULL, r->operators.count = r->numbers.count = 0;
  if (egraph_create(&r->graph, &options) != EGRAPH_OK) return false;
  EGraphAnalysis analysis = {
      .name = "expression", .size = sizeof(Value), .make = make_value, .merge = merge_value, .payload = r};
  return egraph_analysis_add(&r->analysis, r->graph, &analysis) == EGRAPH_OK && add_numbers(r);
}

/* ---- forms ---- */

typedef enum Dear {
  FUNCTIONS = 1,
  CHOICES = 2,
  EXTREMA = 4,
  ABSOLUTES = 8
} Dear; /* not those that others are made of */

typedef struct Taste {
  Rewrite *rewrite;
  unsigned dear; /* what costs more */
} Taste;

static const unsigned tastes[] = {0, FUNCTIONS | CHOICES, FUNCTIONS | EXTREMA | ABSOLUTES,
                                  FUNCTIONS | EXTREMA | CHOICES};
enum { TASTES = sizeof tastes / sizeof *tastes };

static unsigned dear_of(ExpressionOp op) {
  TermFn fn = expression_op_function(op);
  if (fn == FN_EXP || fn == FN_LOG || fn == FN_SIN || fn == FN_COS) return 0;
  if (fn != FN_COUNT) return FUNCTIONS;
  if (op == EXPRESSION_WHERE) return CHOICES;
  if (op == EXPRESSION_MAX || op == EXPRESSION_MIN) return EXTREMA;
  return op == EXPRESSION_ABS ? ABSOLUTES : 0;
}

static double cost(const EGraph *graph, EGraphOperator op, void *payload) {
  (void)graph;
  const Taste *taste = payload;
  Expression known = operator_of(taste->rewrite, op);
  bool is_op = known != IS_NUMBER && (known & IS_OP);
  return is_op && (dear_of((ExpressionOp)(known & ~IS_OP)) & taste->dear) ? 40 : 1;
}

static bool is_known_form(const Rewrite *r, int side, Term t) {
  for (uint32_t i = 0; i < r->form_count[side]; i++)
    if (r->forms[side][i].term == t) return true;
  return false;
}

static void add_form(Rewrite *r, int side, Expression e, Term t) {
  if (r->form_count[side] < MOST_FORMS) r->forms[side][r->form_count[side]++] = (Form){e, t};
}

static void add_edge(Rewrite *r, Expression left, Expression right, int32_t lemma) {
  if (lemma != REPLAY_NONE) array_push(r->arena, &r->edges, (Edge){left, right, lemma});
}

/* The form of that taste, and its normal form. */
static void take_form(Rewrite *r, int side, EGraphClass class, unsigned dear) {
  Taste taste = {r, dear};
  char *text = NULL;
  double total;
  if (egraph_extract_tree(&text, &total, r->graph, class, cost, &taste) != EGRAPH_OK) return;
  const char *at = arena_copy(r->arena, text, strlen(text));
  free(text);
  Expression e = expression_read(r->table, &at);
  Term t = e && expression_size(r->table, e, MOST_FORM) < MOST_FORM ? expression_term(r->table, e) : 0;
  if (!t || is_known_form(r, side, t)) return;
  add_form(r, side, e, t);
  add_edge(r, side ? e : r->root[0], side ? r->root[1] : e,
           side ? explained(r, e, r->root[1]) : explained(r, r->root[0], e));
}

static void take_normal_forms(Rewrite *r, int side) {
  for (uint32_t i = 0, n = r->form_count[side]; i < n; i++) {
    Form form = r->forms[side][i];
    Term t = term_normalize(r->tt, form.term);
    if (is_known_form(r, side, t)) continue;
    Expression e = expression_of(r->table, t);
    if (expression_size(r->table, e, MOST_FORM) >= MOST_FORM) continue;
    add_form(r, side, e, t);
    add_edge(r, form.expression, e, replay_add_equality(r->replay, form.expression, e));
  }
}

/* Each pair is asked about once; of the sides and their normal forms the caller has asked. */
static bool was_tried(Rewrite *r, Term a, Term b) {
  for (uint32_t i = 0; i < r->tried.count; i++)
    if (r->tried.data[i].a == a && r->tried.data[i].b == b) return true;
  array_push(r->arena, &r->tried, (Pair){a, b});
  return false;
}

/* True if a form of the left is one of the right. */
static bool meet(Rewrite *r) {
  for (uint32_t i = 0; i < r->form_count[0]; i++)
    for (uint32_t k = 0; k < r->form_count[1]; k++) {
      const Form *a = &r->forms[0][i], *b = &r->forms[1][k];
      if (was_tried(r, a->term, b->term)) continue;
      if (equal_prove(r->tt, a->term, b->term) == EQUAL_NONE) continue;
      add_edge(r, a->expression, b->expression, replay_add_equality(r->replay, a->expression, b->expression));
      return true;
    }
  return false;
}

/* ---- proofs ---- */

static bool replayed(Rewrite *r) {
  int32_t lemma = explained(r, r->root[0], r->root[1]);
  if (lemma == REPLAY_NONE) return false;
  r->proved = replay_check(r->replay, lemma, r->root[0], r->root[1]);
  r->open = replay_open_law(r->replay);
  return r->proved;
}

/* A graph of the edges alone: the way from side to side. */
static bool join(Rewrite *r) {
  EGraphClass root[2];
  egraph_destroy(r->graph);
  if (!begin(r, NODES) || !add_expression(r, r->root[0], &root[0]) || !add_expression(r, r->root[1], &root[1]) ||
      !add_edges(r))
    return false;
  return egraph_rebuild(r->graph) == EGRAPH_OK && egraph_equal(r->graph, root[0], root[1]) && replayed(r);
}

/* The e-graph does not ask for the time of the whole run. */
static double seconds_to_grow(const Rewrite *r) {
  double deadline = r->tt->arena->guard->deadline, left = deadline > 0 ? deadline - guard_now() : SECONDS;
  return left < 0 ? 0 : left < SECONDS / 2 ? left : SECONDS / 2;
}

static void grow(Rewrite *r, uint32_t nodes) {
  EGraphClass root[2];
  EGraphReport report;
  EGraphRunOptions options = EGRAPH_RUN_OPTIONS_INIT;
  options.iterations = 7, options.seconds = seconds_to_grow(r), options.backoff = true, options.backoff_limit = 600,
  options.backoff_length = 1;
  if (!begin(r, nodes) || !add_expression(r, r->root[0], &root[0]) || !add_expression(r, r->root[1], &root[1]) ||
      !add_edges(r) || !add_rules(r))
    return;
  egraph_run(&report, r->graph, r->rules, &options);
  if (r->threw) return;
  if (egraph_equal(r->graph, root[0], root[1])) {
    replayed(r);
    return;
  }
  for (int side = 0; side < 2; side++)
    for (uint32_t i = 0; i < TASTES; i++) take_form(r, side, root[side], tastes[i]);
  if (meet(r))
    join(r);
  else
    for (int side = 0; side < 2; side++) take_normal_forms(r, side);
}

static void release(Rewrite *r) {
  if (r->graph) egraph_destroy(r->graph);
  r->graph = NULL;
}

static void write_steps(Rewrite *r) {
  uint32_t count;
  const ReplayStep *steps = replay_steps(r->replay, &count);
  for (uint32_t i = 0; i < count; i++)
    text_format(r->steps, "%s: %s = %s\n", steps[i].law, term_text(r->tt, steps[i].from),
                term_text(r->tt, steps[i].to));
}

static void attempt(Rewrite *r, bool lenient) {
  r->lenient = lenient;
  r->edges.count = 0, r->form_count[0] = r->form_count[1] = 0;
  r->replay = replay_new(r->laws, r->arena);
  for (int side = 0; side < 2; side++) {
    add_form(r, side, r->root[side], r->side[side]);
    take_normal_forms(r, side);
  }
  for (uint32_t i = 0; i < r->form_count[0]; i++)
    for (uint32_t k = 0; k < r->form_count[1]; k++) was_tried(r, r->forms[0][i].term, r->forms[1][k].term);
  for (uint32_t round = 0, edges = UINT32_MAX;
       round < ROUNDS && edges != r->edges.count && !r->proved && !r->threw && !r->open; round++) {
    edges = r->edges.count;
    grow(r, NODES << round);
    release(r);
  }
}

static void search(Rewrite *r) {
  r->table = expression_table_new(r->tt, r->arena);
  for (int side = 0; side < 2; side++) {
    r->root[side] = expression_of(r->table, r->side[side]);
    if (expression_size(r->table, r->root[side], MOST_SIZE) >= MOST_SIZE) return;
  }
  uint32_t facts = r->tt->facts.count;
  expression_push_demands(r->table, r->root[0]); /* as the replay will */
  r->laws = law_table_new(r->table);
  for (int lenient = 0; lenient < 2 && !r->proved && !r->threw;) {
    r->open = NULL;
    attempt(r, lenient);
    if (r->open && r->ban_count < MOST_BANS)
      r->banned[r->ban_count++] = r->open;
    else
      lenient += r->refused ? 1 : 2, r->ban_count = 0;
  }
  if (r->threw)
    guard_throw(r->arena->guard, r->arena->guard->reason, "%s",
                arena_copy(r->arena, r->arena->guard->message, strlen(r->arena->guard->message)));
  term_pop_facts(r->tt, facts);
  if (r->proved) write_steps(r);
}

/* ---- goals ---- */

typedef struct Goal {
  TermTable *tt;
  Term side[2];
  Text steps;
  bool proved;
} Goal;

/* The graph is not of the arena: it is given back on every way out. */
static bool search_once(Goal *goal, Term a, Term b) {
  Arena *arena = arena_new_child(goal->tt->arena);
  Guard *guard = arena->guard;
  Rewrite *const r = arena_new(arena, Rewrite);
  jmp_buf outer;
  *r = (Rewrite){.tt = goal->tt, .arena = arena, .side = {a, b}, .steps = &goal->steps};
  memcpy(&outer, &guard->escape, sizeof outer);
  if (setjmp(guard->escape)) {
    release(r);
    memcpy(&guard->escape, &outer, sizeof outer);
    longjmp(guard->escape, 1);
  }
  search(r);
  memcpy(&guard->escape, &outer, sizeof outer);
  bool proved = r->proved;
  arena_destroy(arena);
  return proved && poles_agree(goal->tt, a, b);
}

static bool search_case(TermTable *tt, Term a, Term b, Term condition, void *payload) {
  Goal *goal = payload;
  text_format(&goal->steps, "case: %s\n", term_text(tt, condition));
  return equal_prove(tt, a, b) != EQUAL_NONE || search_once(goal, a, b);
}

/* By the pieces of what is folded, where a side has concatenations. */
static bool search_pieces(Goal *goal) {
  TermTable *tt = goal->tt;
  Term a = term_transform(tt, goal->side[0], term_split_folds, NULL),
       b = term_transform(tt, goal->side[1], term_split_folds, NULL);
  if (a == goal->side[0] && b == goal->side[1]) return false;
  text_format(&goal->steps, "pieces: %s = %s\n", term_text(tt, a), term_text(tt, b));
  return equal_prove(tt, a, b) != EQUAL_NONE || search_once(goal, a, b);
}

static void prove_goal(void *payload) {
  Goal *goal = payload;
  goal->proved = search_pieces(goal) || search_once(goal, goal->side[0], goal->side[1]) ||
                 equal_split(goal->tt, goal->side[0], goal->side[1], search_case, goal);
}

bool rewrite_prove(TermTable *tt, Term a, Term b, const char **steps) {
  if (term_sort(tt, a) != SORT_REAL && term_sort(tt, b) != SORT_REAL) return false;
  if (term_node(tt, a)->level > MOST_LEVELS || term_node(tt, b)->level > MOST_LEVELS) return false;
  Goal goal = {.tt = tt, .side = {a, b}, .steps = text_new(tt->arena)};
  double left = tt->arena->guard->deadline > 0 ? tt->arena->guard->deadline - guard_now() : 0;
  bool good = term_attempt(tt, left * SHARE > SECONDS ? SECONDS / left : SHARE, prove_goal, &goal);
  if (steps) *steps = text_string(&goal.steps);
  return good && goal.proved;
}
