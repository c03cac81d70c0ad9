/* Printing array programs as Python, shared by python.c (module) and python_expression.c. */
#ifndef ASSAY_EMIT_PYTHON_H
#define ASSAY_EMIT_PYTHON_H

#include "emit/framework.h"

typedef struct PythonText {
  const char *text;
  int precedence;
} PythonText;
typedef struct PythonName {
  Term term;
  const char *name;
} PythonName;

typedef struct Python {
  const Framework *framework;
  TermTable *tt;
  Arena *arena;
  ArrayProgram *program;
  Text *body; /* statements so far */
  uint32_t indent;
  PythonText *memo; /* by node */
  uint32_t memo_count;
  Array(PythonName) names; /* arguments by symbol; local names have term 0 */
  bool may_warn;
} Python;

/* Precedences of Python, loosest first. */
enum {
  PY_ANY,
  PY_IF,
  PY_OR,
  PY_AND,
  PY_NOT,
  PY_COMPARE,
  PY_BITOR,
  PY_BITXOR,
  PY_BITAND,
  PY_SHIFT,
  PY_SUM,
  PY_PRODUCT,
  PY_UNARY,
  PY_POWER,
  PY_ATOM
};

/* Counts uses below a root; call for every root before the first statement. */
void python_count_uses(Python *py, Node root);
/* The expression of a node; statements that it needs go to `body` first. */
const char *python_expression(Python *py, Node node, int precedence);
/* The same in a variable, unless it is a name already. */
const char *python_variable(Python *py, Node node);
void python_line(Python *py, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* An identifier made from `wanted` that nothing else has. */
const char *python_fresh(Python *py, const char *wanted, Term term);
const char *python_name(Python *py, Term term); /* NULL: none yet */
/* The row of a call, or of another one if that is missing, with its arguments; gives up where there is neither. */
const char *python_call(Python *py, Call call, Call otherwise, const char *a, const char *b, const char *c);
_Noreturn void python_give_up(Python *py, const char *what); /* the framework has none of it */
/* True if the text says the word (so many letters) as a name of its own, and not of a keyword. */
bool python_mentions(const char *text, const char *word, size_t length);
/* The helpers that the module calls, behind it. */
void python_helpers(const Python *py, Text *out);

#endif
