/* The laws that the replay of an explanation may use (laws.def), and their conditions. Trusted.
 *
 * A law has two sides, expressions over variables. A step is an instance: its two sides match the law's, each variable
 * standing for one expression, and the conditions for its direction are shown for these, under the ranges and facts of
 * the table of terms. */
#ifndef ASSAY_LAWS_LAW_H
#define ASSAY_LAWS_LAW_H

#include "laws/expression.h"

typedef enum LawUse { LAW_FORWARD, LAW_BACKWARD, LAW_BOTH } LawUse;
enum { LAW_VARIABLES = 8, LAW_CONDITIONS = 8 };

typedef enum LawConditionKind {
  LAW_ANY,
  LAW_POS,
  LAW_NONNEG,
  LAW_NONZERO,
  LAW_NEG,
  LAW_RATIONAL,
  LAW_WHOLE,
  LAW_LE,
  LAW_FREE,
  LAW_SOME,
  LAW_REACHED,
  LAW_TOTAL,
  LAW_POWERS,
  LAW_TOWER,
  LAW_SPREAD,
} LawConditionKind;

typedef struct LawCondition {
  LawConditionKind kind;
  uint32_t count;
  int32_t args[3]; /* a variable's place in Law.variables; -1: the number, or `true`, below */
  Term numbers[3];
} LawCondition;

typedef struct LawConditions {
  uint32_t count;
  LawCondition data[LAW_CONDITIONS];
} LawConditions;

typedef struct Law {
  const char *name;
  const char *left_text, *right_text;
  LawUse use;
  Expression left, right;
  uint32_t variable_count;
  char variables[LAW_VARIABLES]; /* their letters */
  bool infinite;                 /* `any`: variables may be infinite */
  LawConditions both, forward, backward;
} Law;

typedef struct LawTable {
  ExpressionTable *expressions;
  Array(Law) laws;
} LawTable;

/* Throws GUARD_INTERNAL if laws.def is malformed. */
LawTable *law_table_new(ExpressionTable *expressions);
/* NULL: there is none of that name. */
const Law *law_find(const LawTable *table, const char *name, size_t length);

/* What the variables stand for. */
typedef struct LawInstance {
  Term terms[LAW_VARIABLES];             /* 0: none yet */
  Expression expressions[LAW_VARIABLES]; /* 0: not known, as while the e-graph searches */
} LawInstance;

/* True if left = right is an instance of the law. */
bool law_match(const LawTable *table, const Law *law, Expression left, Expression right, LawInstance *out);
/* True if the conditions are shown for a step in that direction. Where the expressions are not known, `total` and
 * `reached` are taken for granted: good enough to search by. */
bool law_holds(const LawTable *table, const Law *law, const LawInstance *instance, bool backward);

#endif
