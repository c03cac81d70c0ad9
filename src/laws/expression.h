/* Expressions: terms without their canonical order, two operands at a time, as an e-graph holds them.
 *
 * An expression means what it says, strictly: it has a value where all that it looks at has one, and nothing is
 * cancelled or sorted when it is made. `expression_of` writes a term out; `expression_term` reads one back through the
 * term constructors, which may cancel: so the term has the expression's value wherever the expression has one, and
 * perhaps elsewhere too.
 *
 * A fold's index is a symbol that stands for all places of its range; folds over equal ranges share it, unless one
 * stands inside the other. An expression knows which of these symbols occur free in it. */
#ifndef ASSAY_LAWS_EXPRESSION_H
#define ASSAY_LAWS_EXPRESSION_H

#include "term/term.h"

typedef uint32_t Expression; /* 0: none; equal structure iff equal id */

typedef enum ExpressionOp {
#define EXPRESSION(id, text, result, arguments) EXPRESSION_##id,
#include "laws/expression_ops.def"
#undef EXPRESSION
  EXPRESSION_OP_COUNT
} ExpressionOp;

enum { EXPRESSION_ARITY = 5, EXPRESSION_INDICES = 48 };

typedef struct ExpressionNode {
  ExpressionOp op;
  uint32_t aux;
  Expression args[EXPRESSION_ARITY];
  uint64_t free; /* by number: the indices of folds that occur free */
  Term term;     /* once asked for; 0: not yet */
} ExpressionNode;

typedef struct ExpressionTable {
  TermTable *tt;
  Arena *arena;
  Array(ExpressionNode) nodes;
  uint32_t *slots, slot_count;
  struct {
    Term symbol, lo, hi;
  } index[EXPRESSION_INDICES];
  uint32_t index_count;
  struct TermExpression {
    Term term;
    Expression expression;
  } * known; /* of expression_of */
  uint32_t known_count, known_used;
} ExpressionTable;

ExpressionTable *expression_table_new(TermTable *tt, Arena *arena);
const ExpressionNode *expression_node(const ExpressionTable *table, Expression e);
const char *expression_op_text(ExpressionOp op);
TermFn expression_op_function(ExpressionOp op); /* FN_COUNT: it is none */
uint32_t expression_op_arity(ExpressionOp op);

Expression expression_leaf(ExpressionTable *table, Term t);
bool expression_is_number(const ExpressionTable *table, Expression e);
Expression expression_variable(ExpressionTable *table, uint32_t number);
/* 0: the arguments do not fit the operator, or a fold's index is not the one of its range. */
Expression expression_make(ExpressionTable *table, ExpressionOp op, const Expression *args);
Expression expression_of(ExpressionTable *table, Term t);
/* 0: it has none (a variable; a power whose exponent is no number). */
Term expression_term(ExpressionTable *table, Expression e);
/* Reads `(add #12 (mul -1 ?a))`: #12 is the term 12, ?a the variable a, a number is a leaf. In an e-graph, and so in
 * what is written, a number is `(number #3)`: patterns can ask for one. *at moves behind it. 0: malformed. */
Expression expression_read(ExpressionTable *table, const char **at);
void expression_write(ExpressionTable *table, Expression e, Text *out);
/* How many nodes it has when it is written out as a tree, at most `most`. */
uint32_t expression_size(const ExpressionTable *table, Expression e, uint32_t most);

/* True if e has a value wherever `given`, if not 0, has one. Each denominator in it must be shown non-zero, each
 * argument of a logarithm positive, and so on, or be one of `given` too. */
bool expression_is_defined(ExpressionTable *table, Expression e, Expression given);
/* Pushes as facts what holds wherever e has a value: its denominators are not 0, and so on. */
void expression_push_demands(ExpressionTable *table, Expression e);

#endif
