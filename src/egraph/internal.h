/* What the files of the e-graph share: the flat arrays and the few functions between them.
 *
 * Invariants (egraph_check tests them):
 *   - one Table per operator with children, and table 0 for all leaves, whose key is the operator itself;
 *     a row is [children.. class] or, with explanations, [children.. class term];
 *   - a row is dead when its class is EGRAPH_NONE; live rows of a table have distinct keys;
 *   - each live row's slot is reachable from its hash; slots of dead or rekeyed rows are harmless;
 *   - parent[c] <= c; bit c of `merged` is set iff parent[c] != c;
 *   - between rebuild and the next union (clean), every child and class in a row is a root. */
#ifndef EGRAPH_INTERNAL_H
#define EGRAPH_INTERNAL_H

#include "egraph.h"

#include <string.h>

#define NONE EGRAPH_NONE
#define ANALYSES 8
#define CHUNK 128 /* matches handled together, so that memory latency overlaps */

typedef struct {
  size_t used, peak, limit;
} Memory;

/* A growable block; new bytes read as zero. Large blocks are mapped pages, which grow without a copy. */
typedef struct {
  void *data;
  size_t size;
} Region;

bool region_reserve(Memory *memory, Region *region, size_t size);
void region_free(Memory *memory, Region *region);

/* Rows of a table grouped by the values of one or more columns, as of the start of a search. */
#define INDEX_COLUMNS 3
typedef struct {
  Region start, order;
  uint32_t mask;
  uint32_t count, columns[INDEX_COLUMNS];
  double width; /* of the bucket of a row, on average */
} Index;

typedef struct {
  EGraphOperator op; /* NONE for the table of leaves */
  uint32_t arity, stride;
  uint32_t rows_used, rows_dead;
  uint32_t fresh_from; /* rows from here on were not seen by the last search */
  uint32_t frozen;     /* rows the current search may see */
  uint32_t analysed;   /* rows below have had `make` called */
  uint32_t cursor;     /* the same while analyses are brought up to date */
  uint32_t slot_bits, slots_used;
  Region rows, slots;
  Region touched; /* bit per row: key or class changed since the last search */
  Region indexes; /* of Index, made during a search */
  uint32_t index_count;
  bool news; /* during a search: some row is fresh */
} Table;

typedef struct {
  uint32_t name; /* offset in names */
  uint32_t arity;
  uint32_t table;
  bool is_integer;
  int64_t value;
} Operator;

typedef struct {
  EGraphAnalysis ops;
  uint32_t offset; /* of its value in a class's record */
} Analysis;
#define VALUE_LIMIT 256

typedef struct {
  char name[64];
  unsigned count;
  EGraphCondition *condition;
  EGraphFunction *function;
  void *payload;
} Callback;

/* Why a class was merged into another: a term of each side and the reason. */
typedef struct {
  uint32_t left, right, why;
} Edge;
#define WHY_NONE 0u
#define WHY_CONGRUENCE 1u

struct EGraph {
  Memory memory;
  size_t node_limit;
  bool explain;
  bool clean;
  uint32_t class_total, class_merged;
  size_t rows_live;
  size_t unions;
  uint32_t last_loser; /* the class that the last union merged away */
  uint32_t searches;   /* number of searches so far: rules remember the one they took part in */
  Region parent, merged;
  Region tables;
  uint32_t table_count;
  Region operators, names, operator_slots;
  uint32_t operator_count, names_used, operator_bits;
  Analysis analyses[ANALYSES];
  unsigned analysis_count;
  uint32_t classes_analysed; /* class_total at the last update of the analyses */
  uint32_t value_stride;
  bool modifies;                         /* some analysis has a modify */
  Region values;                         /* a record per class: the values of all analyses */
  Region valid, changed, seen, absorbed; /* bit per class: has a record; to be spread; to be shown to modify;
                                            was joined into its root's */
  Region callbacks;
  uint32_t callback_count;
  EGraphRules *rules; /* list of every rule set of this graph */
  uint32_t rule_total;

  /* explanations: a term is an e-node as it was when added; its children are the creator terms of classes */
  uint32_t term_count, term_words, log_words, reasons_used;
  Region term_at; /* term -> offset in terms */
  Region terms;   /* [op, from term, why, child classes..] */
  Region creator; /* class -> term */
  Region lost;    /* class -> Edge by which it stopped being a root */
  Region log;     /* reasons of rule steps: [rule, terms of atoms.., terms of results..] */
  Region reasons; /* text of user reasons */
};

/* -- small helpers --------------------------------------------------------------------------------- */

static inline bool bit_get(const Region *bits, uint32_t i) {
  return (((const uint64_t *)bits->data)[i >> 6] >> (i & 63)) & 1;
}
static inline void bit_set(Region *bits, uint32_t i) { ((uint64_t *)bits->data)[i >> 6] |= UINT64_C(1) << (i & 63); }
static inline size_t bits_size(size_t count) { return (count + 63) / 64 * 8; }

static inline uint32_t *words(const Region *region) { return region->data; }
static inline Table *table_at(const EGraph *graph, uint32_t i) { return (Table *)graph->tables.data + i; }
static inline Operator *operator_at(const EGraph *graph, uint32_t i) { return (Operator *)graph->operators.data + i; }
static inline uint32_t *row_at(const Table *table, uint32_t row) {
  return words(&table->rows) + (size_t)row * table->stride;
}
static inline bool row_live(const Table *table, uint32_t row) { return row_at(table, row)[table->arity] != NONE; }
static inline bool row_fresh(const Table *table, uint32_t row) {
  return row >= table->fresh_from || bit_get(&table->touched, row);
}

static inline bool is_root(const EGraph *graph, uint32_t class) { return !bit_get(&graph->merged, class); }

static inline uint32_t find(const EGraph *graph, uint32_t class) {
  uint32_t *parent = words(&graph->parent);
  while (parent[class] != class) {
    parent[class] = parent[parent[class]];
    class = parent[class];
  }
  return class;
}

/* -- table.c: hash-consing ------------------------------------------------------------------------- */

static inline uint64_t hash_mix(uint64_t h) {
  h *= UINT64_C(0x9e3779b97f4a7c15);
  h ^= h >> 32;
  return h * UINT64_C(0xd6e8feb86659fd93);
}
static inline uint64_t key_hash(const uint32_t *key, uint32_t arity) {
  uint64_t h = arity > 1 ? key[0] | (uint64_t)key[1] << 32 : key[0];
  h = hash_mix(h);
  for (uint32_t i = 2; i < arity; i++) h = hash_mix(h ^ (h >> 31) ^ key[i]);
  return h;
}
static inline uint32_t hash_bucket(const Table *table, uint64_t hash) {
  return (uint32_t)(hash >> (64 - table->slot_bits));
}
/* A slot is [tag | row + 1]: the row takes slot_bits bits, the tag is made of the next hash bits. */
static inline uint32_t hash_tag(const Table *table, uint64_t hash) {
  return (uint32_t)((hash << table->slot_bits) >> 32) & ~((UINT32_C(1) << table->slot_bits) - 1);
}
static inline void slot_prefetch(const Table *table, uint64_t hash) {
  __builtin_prefetch(words(&table->slots) + hash_bucket(table, hash));
}
static inline bool key_equal(const uint32_t *a, const uint32_t *b, uint32_t arity) {
  for (uint32_t i = 0; i < arity; i++)
    if (a[i] != b[i]) return false;
  return true;
}
/* The live row with this key, or NONE and the slot where it would go. */
static inline uint32_t table_find_slot(const Table *table, const uint32_t *key, uint64_t hash, uint32_t *slot_at) {
  const uint32_t *slots = words(&table->slots);
  uint32_t bits_mask = (UINT32_C(1) << table->slot_bits) - 1, tag = hash_tag(table, hash);
  for (uint32_t at = hash_bucket(table, hash);; at = (at + 1) & bits_mask) {
    uint32_t slot = slots[at];
    *slot_at = at;
    if (slot == 0) return NONE;
    if ((slot & ~bits_mask) != tag) continue;
    const uint32_t *row = row_at(table, (slot & bits_mask) - 1);
    if (key_equal(row, key, table->arity) && row[table->arity] != NONE) return (slot & bits_mask) - 1;
  }
}
static inline uint32_t table_find(const Table *table, const uint32_t *key, uint64_t hash) {
  uint32_t slot;
  return table_find_slot(table, key, hash, &slot);
}

bool table_init(EGraph *graph, Table *table, EGraphOperator op, uint32_t arity);
void table_free(EGraph *graph, Table *table);
bool table_reserve(EGraph *graph, Table *table, uint32_t extra);
void table_reslot(Table *table);
/* Tries to have slots for that many rows in all. */
void table_reserve_slots(EGraph *graph, Table *table, size_t rows);
void slot_insert(Table *table, uint64_t hash, uint32_t row);
/* Gives an updated row a slot; never allocates more than it must and cannot fail. */
void table_rekey(EGraph *graph, Table *table, uint32_t row, uint64_t hash);
void table_compact(EGraph *graph, Table *table);

/* Appends a row whose key was looked for in vain. Space must have been reserved before that. */
static inline uint32_t table_append(EGraph *graph, Table *table, const uint32_t *key, uint64_t hash, uint32_t slot,
                                    uint32_t class) {
  uint32_t row = table->rows_used++;
  uint32_t *cells = row_at(table, row);
  for (uint32_t i = 0; i < table->arity; i++) cells[i] = key[i];
  cells[table->arity] = class;
  words(&table->slots)[slot] = hash_tag(table, hash) | (row + 1);
  table->slots_used++;
  graph->rows_live++;
  return row;
}

/* The number of the index on these columns, which is made if need be; NONE without memory. */
uint32_t table_index(EGraph *graph, Table *table, const uint32_t *columns, uint32_t count);
void table_drop_indexes(EGraph *graph, Table *table);
/* Classes are dense numbers, so that one alone is its own hash. */
static inline uint32_t index_bucket(const Index *index, const uint32_t *values) {
  return (index->count == 1 ? values[0] : (uint32_t)(key_hash(values, index->count) >> 32)) & index->mask;
}

/* -- graph.c ---------------------------------------------------------------------------------------- */

bool class_reserve(EGraph *graph, uint32_t extra);
uint32_t class_new(EGraph *graph); /* space must have been reserved */
/* Space for `extra` terms of at most `arity` children. */
bool term_reserve(EGraph *graph, uint32_t extra, uint32_t arity);
uint32_t term_new(EGraph *graph, EGraphOperator op, const uint32_t *children, uint32_t arity, uint32_t from,
                  uint32_t why);
/* Merges two roots; the terms say where the equality comes from (ignored without explanations). */
EGraphStatus terms_union(EGraph *graph, const uint32_t class[2], const uint32_t term[2], const char *reason);
void class_union(EGraph *graph, uint32_t a, uint32_t b, uint32_t term_a, uint32_t term_b, uint32_t why);
EGraphStatus operator_intern(EGraphOperator *out, EGraph *graph, const char *name, size_t length, uint32_t arity);
EGraphOperator operator_find(const EGraph *graph, const char *name, size_t length, uint32_t arity);
/* The row of a node, or NONE. */
uint32_t node_find(const EGraph *graph, EGraphOperator op, const uint32_t *children);
/* Takes back the operators from number `count` on; they must have no e-node. */
void operators_forget(EGraph *graph, uint32_t count);

static inline uint32_t term_word(const EGraph *graph, uint32_t term, uint32_t i) {
  return words(&graph->terms)[words(&graph->term_at)[term] + i];
}

/* -- analysis.c ------------------------------------------------------------------------------------- */

EGraphStatus analyses_update(EGraph *graph);
bool analyses_pending(const EGraph *graph);
void analyses_make_row(EGraph *graph, Table *table, uint32_t row);

/* -- rules ------------------------------------------------------------------------------------------ */

typedef enum { VARIABLE_FREE, VARIABLE_CONSTANT } VariableKind;

typedef struct {
  VariableKind kind;
  EGraphOperator op;     /* of a constant */
  uint32_t atom, column; /* where the left side first has it; column NONE: the atom's class */
  char name[32];
} Variable;

/* One node of a left side: op(arguments) = out. */
typedef struct {
  EGraphOperator op; /* NONE: any class at all, a pattern that is just a variable */
  uint32_t arguments, count, out;
} Atom;

/* One node of a right side, children first. Arguments are variables, or results with RESULT set. */
typedef struct {
  EGraphOperator op;
  uint32_t arguments, count;
  uint32_t into; /* variable whose class this node is put in, or NONE */
} Result;
#define RESULT 0x80000000u

typedef struct {
  uint32_t target, source; /* variable = variable or result */
} Action;

typedef struct {
  uint32_t callback, arguments, count;
} Call;

typedef struct {
  char name[64];
  uint32_t id; /* unique in the graph: explanations name it */
  Variable *variables;
  Atom *atoms;
  Result *results;
  Action *actions;
  Call *conditions;
  uint32_t *arguments;
  uint32_t variable_count, atom_count, result_count, action_count, condition_count, argument_count;
  Call dynamic; /* callback NONE: static */
  uint32_t dynamic_target;
  uint32_t seen; /* the last search this rule took part in fully; 0: none */
  size_t matches, banned_until, bans;
  /* during a search */
  bool *needed;        /* variables whose class the right side or a condition uses */
  uint32_t *registers; /* register of each variable, then of each atom's term */
  uint32_t *columns;   /* CHUNK entries per variable, per atom (its term), per result, per result's term */
  uint32_t pending;
  Region held; /* back-off: matches wait until it is known that there are not too many */
  size_t held_count, held_limit;
} Rule;

struct EGraphRules {
  EGraph *graph;
  EGraphRules *next;
  bool released;
  Rule *rules;
  uint32_t count;
};

void rules_free(EGraphRules *rules);
void rule_free(Rule *rule);

/* -- search.c, apply.c ------------------------------------------------------------------------------- */

typedef struct {
  uint32_t class, row;
  bool fresh;
} Constant;

typedef struct {
  EGraphStatus status;
  size_t matches;
  double search_seconds, apply_seconds;
  bool banned; /* some rule matched more often than its held_limit, and was not applied */
} SearchResult;

/* Finds all matches of the enabled rules and applies them as they come: rows added meanwhile are not seen.
 * A rule with a held_limit is applied only if it has at most that many matches. Past the deadline, in seconds of
 * processor time, the status is EGRAPH_TIME_LIMIT and the rest is left out. */
SearchResult search_run(EGraph *graph, EGraphRules *rules, const bool *enabled, double deadline);
EGraphStatus apply_chunk(EGraph *graph, Rule *rule, uint32_t count);

/* Reads a term and folds it, children first; each call makes one node's value of its children's. Without `add`,
 * an unknown operator is EGRAPH_NOT_FOUND. */
typedef EGraphStatus TermFold(uint32_t *out, EGraph *graph, EGraphOperator op, const uint32_t *children, void *payload);
EGraphStatus term_read_each(uint32_t *out, EGraph *graph, const char *text, bool add, TermFold *fold, void *payload,
                            EGraphDiagnostic *diagnostic);
double cpu_seconds(void);  /* a system call */
double wall_seconds(void); /* not one */

#endif
