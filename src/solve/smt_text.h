/* A small reader of SMT-LIB 2 scripts: enough to check that a text is one goal, to see which theories it
 * uses, and to rewrite it soundly before a solver sees it. Scripts that it does not understand are refused. */
#ifndef ASSAY_SOLVE_SMT_TEXT_H
#define ASSAY_SOLVE_SMT_TEXT_H

#include "base/rational.h"

/* One node of the script: an atom's text, or a list with its children. Node 0 is the list of commands. */
typedef struct SmtNode {
  uint32_t begin, end;  /* bytes in the text */
  uint32_t first, next; /* child and sibling; 0: none */
  bool list;
} SmtNode;

typedef struct SmtScript {
  Arena *arena;
  const char *text;
  Array(SmtNode) nodes; /* in the order of the text */
} SmtScript;

enum {
  SMT_USES_REAL = 1,
  SMT_USES_INT = 2,
  SMT_USES_ARRAY = 4,
  SMT_USES_QUANTIFIER = 8,
  SMT_USES_BITVECTOR = 16,
  SMT_USES_FLOAT = 32,
  SMT_USES_FUNCTION = 64, /* uninterpreted, with arguments */
  SMT_USES_DIVISION = 128,
  SMT_USES_OTHER = 256, /* declared sorts, datatypes, strings */
};

typedef struct SmtGoal {
  const char *error;      /* NULL, or why the text is not a goal */
  const char *assertions; /* declarations, definitions and assertions only, one a line */
  unsigned uses;
} SmtGoal;

static inline const SmtNode *smt_node(const SmtScript *script, uint32_t node) { return &script->nodes.data[node]; }
static inline uint32_t smt_node_first(const SmtScript *script, uint32_t node) { return smt_node(script, node)->first; }
static inline uint32_t smt_node_next(const SmtScript *script, uint32_t node) { return smt_node(script, node)->next; }
uint32_t smt_child(const SmtScript *script, uint32_t node, unsigned index); /* 0: no such child */
/* A subtree is the run of nodes from `node` to before this. */
uint32_t smt_subtree_end(const SmtScript *script, uint32_t node);
/* An atom's text without the bars of a quoted symbol: |x| and x are one symbol. */
const char *smt_atom_text(const SmtScript *script, uint32_t node, size_t *length);
bool smt_atom_is(const SmtScript *script, uint32_t node, const char *word);
bool smt_head_is(const SmtScript *script, uint32_t node, const char *word); /* a list that begins with `word` */
void smt_text_node(Text *out, const SmtScript *script, uint32_t node);

/* Reads balanced S-expressions; `error` says where it is wrong, else is NULL. */
SmtScript smt_script_read(Arena *arena, const char *text, const char **error);
SmtGoal smt_goal_read(Arena *arena, const char *text);
/* A weaker goal without quantifiers: each quantified assertion is replaced by those of its instances whose
 * function arguments all occur in the goal, up to linear arithmetic; with `wider`, also by those about the
 * symbols that such arguments are sums of. NULL when there is nothing to gain. */
const char *smt_goal_instantiate(Arena *arena, const char *assertions, bool wider);
/* The same goal with the operands of commutative bit-vector and floating-point operations in one order, so
 * that terms equal up to that order become one term; equivalent. NULL when nothing changes. */
const char *smt_goal_commute(Arena *arena, const char *assertions);
/* The value that a model's text defines for a constant. */
bool smt_text_rational(Arena *arena, const char *model, const char *name, Rational *out);

#endif
