/* A general e-graph, usable alone: nothing but the C library is needed.
 *
 * An e-graph stores many equal terms in little space. Terms are made of operators; equal terms share a
 * class. Rules, given as text, add terms and merge classes; extraction picks a cheapest term of a class.
 *
 * Laws of this interface: handles are opaque; a function that can fail returns an EGraphStatus and writes
 * its result to its first argument; option structs start from their _INIT value; a callback is followed by
 * its payload. Nothing here exits or aborts on bad input, and limits never leave a broken graph.
 * Terms and rules are S-expressions: `(+ ?a 0)`. `?a` is a variable, `;` starts a comment. */
#ifndef EGRAPH_H
#define EGRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EGraph EGraph;
typedef struct EGraphRules EGraphRules;
typedef struct EGraphSnapshot EGraphSnapshot;
typedef uint32_t EGraphClass;    /* a class of equal terms; stays valid for ever, see egraph_find */
typedef uint32_t EGraphOperator; /* a name with an arity, or an integer constant */

#define EGRAPH_NONE UINT32_MAX

typedef enum {
  EGRAPH_OK,
  EGRAPH_BAD_INPUT,    /* malformed text, wrong arity, unknown name: see the diagnostic */
  EGRAPH_NODE_LIMIT,   /* the graph is consistent, and holds at most node_limit e-nodes */
  EGRAPH_MEMORY_LIMIT, /* the graph is consistent, and holds at most memory_limit bytes */
  EGRAPH_NOT_FOUND,    /* no such term, no finite term, not equal */
  EGRAPH_TIME_LIMIT,   /* of a run; the graph is consistent */
} EGraphStatus;

typedef struct {
  size_t node_limit;   /* e-nodes */
  size_t memory_limit; /* bytes of e-nodes, classes, indexes, values, records of explanations, held matches */
  bool explain;        /* record why classes were merged */
} EGraphOptions;
#define EGRAPH_OPTIONS_INIT                                                                                            \
  { SIZE_MAX, SIZE_MAX, false }

/* What is wrong with a text and where; line and column count from 1. `text` also shows the line with a
 * caret. `code` is stable. */
typedef struct {
  unsigned line, column;
  const char *code;
  char text[512];
} EGraphDiagnostic;

/* -- the graph ------------------------------------------------------------------------------------ */

EGraphStatus egraph_create(EGraph **out, const EGraphOptions *options); /* options may be NULL */
void egraph_destroy(EGraph *graph);

/* The same name with the same arity is the same operator. A name of arity 0 that reads as a 64-bit decimal
 * integer is an integer constant. A name is a word of the text form: without space, `(`, `)`, `,`, `;`, not
 * beginning with `?` or `@`, not ending with `:`. */
EGraphStatus egraph_operator_intern(EGraphOperator *out, EGraph *graph, const char *name, unsigned arity);
const char *egraph_operator_name(const EGraph *graph, EGraphOperator op);
unsigned egraph_operator_arity(const EGraph *graph, EGraphOperator op);
bool egraph_operator_integer(const EGraph *graph, EGraphOperator op, int64_t *value);

/* Adds one e-node, or finds it. The children are classes of this graph. */
EGraphStatus egraph_add(EGraphClass *out, EGraph *graph, EGraphOperator op, const EGraphClass *children);
EGraphStatus egraph_add_integer(EGraphClass *out, EGraph *graph, int64_t value);
EGraphStatus egraph_add_text(EGraphClass *out, EGraph *graph, const char *text, EGraphDiagnostic *diagnostic);
/* Finds a term without adding anything. Needs a rebuilt graph to see all equalities. */
EGraphStatus egraph_lookup_text(EGraphClass *out, const EGraph *graph, const char *text);

/* Merges two classes. `reason` names the step in explanations ("assumed" when NULL). Congruence is restored
 * by egraph_rebuild, which egraph_run calls itself. */
EGraphStatus egraph_union(EGraph *graph, EGraphClass a, EGraphClass b, const char *reason);
/* The same of two terms, which are added where they are not known: explanations then name these very terms, and not the
 * ones that made their classes. */
EGraphStatus egraph_union_text(EGraph *graph, const char *a, const char *b, const char *reason,
                               EGraphDiagnostic *diagnostic);
EGraphStatus egraph_rebuild(EGraph *graph);

EGraphClass egraph_find(const EGraph *graph, EGraphClass id); /* the class's current name */
bool egraph_equal(const EGraph *graph, EGraphClass a, EGraphClass b);
size_t egraph_node_count(const EGraph *graph);  /* distinct e-nodes (exact after a rebuild) */
size_t egraph_class_count(const EGraph *graph); /* classes */
size_t egraph_memory(const EGraph *graph);      /* bytes owned now */
size_t egraph_memory_peak(const EGraph *graph);
/* Sets new limits; a limit below the present size only stops growth. */
void egraph_limit(EGraph *graph, size_t node_limit, size_t memory_limit);

typedef struct {
  EGraphOperator op;
  EGraphClass eclass;
  unsigned arity;
  const EGraphClass *children;
} EGraphNode;

/* Visits e-nodes in a fixed order until the visitor returns false. The visitor must not change the graph. */
typedef bool EGraphVisit(const EGraphNode *node, void *payload);
void egraph_visit(const EGraph *graph, EGraphVisit *visit, void *payload);
/* Takes as long as visiting the whole graph: there are no lists by class between searches. */
void egraph_visit_class(const EGraph *graph, EGraphClass id, EGraphVisit *visit, void *payload);

/* Checks every invariant (congruence, hash table, counts); for tests. Returns NULL or what is broken. */
const char *egraph_check(const EGraph *graph);

/* -- analyses: one value per class ----------------------------------------------------------------- */

typedef struct {
  const char *name;
  size_t size; /* bytes of a value, at most 256; values are moved as bytes */
  /* The value of a node from the values of its children. */
  void (*make)(const EGraph *graph, const EGraphNode *node, const void *const *children, void *out, void *payload);
  /* Joins `from` into `into`; returns whether `into` changed. Must be commutative, associative, idempotent. */
  bool (*merge)(void *into, const void *from, void *payload);
  /* May be NULL. Called after a class's value changed; may add nodes and merge classes. */
  EGraphStatus (*modify)(EGraph *graph, EGraphClass id, const void *value, void *payload);
  void *payload;
} EGraphAnalysis;

/* Registers an analysis (before or after nodes exist); *out is its number. */
EGraphStatus egraph_analysis_add(unsigned *out, EGraph *graph, const EGraphAnalysis *analysis);
/* The value of a class. Up to date after egraph_rebuild; NULL when the class has none yet. */
const void *egraph_analysis_value(const EGraph *graph, unsigned analysis, EGraphClass id);

/* -- rules ----------------------------------------------------------------------------------------- */

/*   name: (+ ?a ?b) => (+ ?b ?a)                       one pattern, one result
 *   name: (f ?a) <=> (g ?a)                            both directions
 *   name: (/ ?a ?a) => 1 if (nonzero ?a)               condition: a registered predicate
 *   name: (+ ?a ?b) => @fold ?a ?b                     dynamic: a registered function makes the result
 *   name: ?x = (p ?a ?b), ?y = (p ?a ?c) => ?x = (l (q ?a ?b ?c)), ?y = (r (q ?a ?b ?c))
 * One rule per `name:`; a rule may span lines. */
typedef bool EGraphCondition(const EGraph *graph, const EGraphClass *arguments, unsigned count, void *payload);
/* Returns EGRAPH_NOT_FOUND to make no result. */
typedef EGraphStatus EGraphFunction(EGraphClass *out, EGraph *graph, const EGraphClass *arguments, unsigned count,
                                    void *payload);
EGraphStatus egraph_condition_register(EGraph *graph, const char *name, unsigned count, EGraphCondition *condition,
                                       void *payload);
EGraphStatus egraph_function_register(EGraph *graph, const char *name, unsigned count, EGraphFunction *function,
                                      void *payload);

EGraphStatus egraph_rules_parse(EGraphRules **out, EGraph *graph, const char *text, EGraphDiagnostic *diagnostic);
void egraph_rules_destroy(EGraphRules *rules);
size_t egraph_rules_count(const EGraphRules *rules);
const char *egraph_rules_name(const EGraphRules *rules, size_t index);
size_t egraph_rules_matches(const EGraphRules *rules, size_t index); /* matches applied so far */

/* Rules that move a substitution through binders, for the operators of `signature`, which lists each
 * operator as `name/arity`, and each binder as `name/arity!` (its last child is under one more binder).
 * Bound variables are `here`, `(there here)`, ... (de Bruijn), so alpha-equivalent terms are one node.
 * `(close body (slash arg))` is body with `here` replaced by arg. The result is malloc'ed rule text. */
EGraphStatus egraph_binder_rules(char **out, const char *signature, EGraphDiagnostic *diagnostic);

/* -- running --------------------------------------------------------------------------------------- */

typedef enum {
  EGRAPH_STOP_SATURATED,
  EGRAPH_STOP_ITERATIONS,
  EGRAPH_STOP_NODES,
  EGRAPH_STOP_TIME,
  EGRAPH_STOP_MEMORY,
  EGRAPH_STOP_FAILED, /* a dynamic rule or an analysis reported an error */
} EGraphStop;
const char *egraph_stop_name(EGraphStop stop);

typedef struct {
  size_t iterations;
  double seconds;        /* of processor time; rebuilding is not cut short */
  bool backoff;          /* ban a rule for a while when it matches too often */
  size_t backoff_limit;  /* matches of one rule in one iteration before its first ban */
  size_t backoff_length; /* iterations of the first ban; both double with each ban */
} EGraphRunOptions;
#define EGRAPH_RUN_OPTIONS_INIT                                                                                        \
  { 30, 1e30, false, 1000, 5 }

typedef struct {
  EGraphStop stop;
  size_t iterations, matches, unions;
  double search_seconds, apply_seconds, rebuild_seconds; /* processor time */
} EGraphReport;
void egraph_run(EGraphReport *report, EGraph *graph, EGraphRules *rules, const EGraphRunOptions *options);

/* -- extraction ------------------------------------------------------------------------------------ */

/* The cost of an operator alone, not of its children. Operators whose cost is not > 0 and finite are not used. */
typedef double EGraphCost(const EGraph *graph, EGraphOperator op, void *payload);

/* The cheapest term where shared subterms are paid each time they occur. *text is malloc'ed.
 * cost NULL: every operator costs 1. */
EGraphStatus egraph_extract_tree(char **text, double *total, const EGraph *graph, EGraphClass root, EGraphCost *cost,
                                 void *payload);
/* The cheapest term where a shared subterm is paid once. Exact when *optimal comes back true; the search
 * gives up after `effort` steps and then returns the best found. The text has a line for each subterm,
 * `t2 = (+ t0 t1)`, children first and the root last. */
EGraphStatus egraph_extract_dag(char **text, double *total, bool *optimal, const EGraph *graph, EGraphClass root,
                                EGraphCost *cost, void *payload, size_t effort);

/* -- explanations ---------------------------------------------------------------------------------- */

/* Why two terms are equal: a certificate in text, malloc'ed. Its lines are
 *   t3 = (+ t1 t2)                           terms, children first
 *   p7: t3 = t5 by rule NAME ?a=t1 ..        an instance of a rule; `with P..` proves its `?x = pattern`s
 *   p8: t9 = t10 by congruence P ..          one proof per child, `-` for identical children
 *   p9: t3 = t10 by chain P ..
 *   p2: t3 = t4 by given REASON              a union of the user
 * where P is a line, `p7`, or a line read from right to left, `~p7`. The last line proves left = right.
 * Both terms must be in the graph, which must be rebuilt and have EGraphOptions.explain; EGRAPH_NOT_FOUND when
 * one is not, or when they are not equal. */
EGraphStatus egraph_explain(char **text, EGraph *graph, const char *left, const char *right);

/* Checks a certificate against rule text and the terms it should equate (as text; NULL: any). Shares no code
 * with the graph. Conditions, dynamic results and given equalities cannot be checked from the text: the number
 * of steps that rest on them is *assumed (may be NULL). */
EGraphStatus egraph_explain_check(const char *certificate, const char *rules, const char *left, const char *right,
                                  size_t *assumed, char *why, size_t why_size);

/* -- snapshots, pictures --------------------------------------------------------------------------- */

/* A copy of the whole graph to go back to; rules and analyses stay registered. */
EGraphStatus egraph_snapshot_take(EGraphSnapshot **out, EGraph *graph);
EGraphStatus egraph_snapshot_restore(EGraph *graph, const EGraphSnapshot *snapshot);
void egraph_snapshot_destroy(EGraphSnapshot *snapshot);

void egraph_write_dot(const EGraph *graph, FILE *file);

#ifdef __cplusplus
}
#endif
#endif
