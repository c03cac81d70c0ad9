/* The syntax of Python, as far as references and formulas use it: tokens, expressions, statements.
 *
 * Formulas (docs/formula.md) are Python expressions too, so that one parser reads both. Nothing is run, and nothing is
 * looked up: names and calls get their meaning in src/reference/ and in formula.c. A statement at the top of a file
 * that cannot be parsed becomes PY_OTHER and keeps its error: only who needs it reports it. */
#ifndef ASSAY_READ_PYTHON_H
#define ASSAY_READ_PYTHON_H

#include <stdbool.h>

#include "base/source.h"

typedef enum PyKind {
  /* expressions */
  PY_NAME,      /* text */
  PY_NUMBER,    /* text */
  PY_STRING,    /* text: the content; error: what is not read in it, or NULL */
  PY_TUPLE,     /* args */
  PY_LIST,      /* args */
  PY_DICT,      /* key, value, key, value, ... */
  PY_CALL,      /* callee, arguments and PY_KEYWORDs */
  PY_KEYWORD,   /* text, value */
  PY_STAR,      /* value: *value as an argument */
  PY_ATTRIBUTE, /* value; text */
  PY_SUBSCRIPT, /* value, index */
  PY_SLICE,     /* three of: start, stop, step; PY_EMPTY where left out */
  PY_EMPTY,
  PY_UNARY,   /* text: "-", "+", "~", "not"; value */
  PY_BINARY,  /* text: operator; left, right */
  PY_COMPARE, /* n + 1 values, ops[n] */
  PY_AND,
  PY_OR,
  PY_CHOICE,        /* condition, then, else: a if c else b */
  PY_COMPREHENSION, /* text: "[" or "("; element, then CLAUSEs */
  PY_LAMBDA,        /* a DEF */
  PY_CLAUSE,        /* for a in b if c ..: target, iterable, conditions... */
  /* statements */
  PY_BLOCK, /* statements */
  PY_EXPRESSION,
  PY_ASSIGN,    /* targets..., value */
  PY_AUGMENTED, /* text: operator; target, value */
  PY_RETURN,    /* value, or nothing */
  PY_IF,        /* condition, block, and a block or nothing */
  PY_FOR,       /* target, iterable, block, and the block of its `else` or nothing */
  PY_WHILE,     /* condition, block, and the block of its `else` or nothing */
  PY_BREAK,     /* error: what a reference says of it */
  PY_CONTINUE,  /* likewise */
  PY_RAISE,     /* likewise */
  PY_WITH,      /* context, target or PY_EMPTY, ..., block */
  PY_ASSERT,    /* condition */
  PY_PASS,
  PY_DEF,    /* text: name; PY_PARAMs..., block */
  PY_PARAM,  /* text: name; default, or nothing */
  PY_IMPORT, /* text: dotted module; ops[0]: name it is bound to */
  PY_OTHER,  /* text: name, where it is a definition; error */
} PyKind;

typedef struct PyNode PyNode;
struct PyNode {
  PyKind kind;
  Span span;
  const char *text;
  uint32_t count;
  const PyNode *const *args;
  const char *const *ops;    /* COMPARE, IMPORT */
  Span error_span;           /* OTHER */
  const char *error;         /* OTHER, STRING */
  const PyNode *decorators;  /* DEF: a TUPLE of expressions, or NULL */
  const PyNode *annotations; /* DEF, ASSIGN, PARAM: a TUPLE of expressions, or NULL */
};

/* What a piece of code does to a name (python_names.c). */
typedef enum PyUseKind {
  PY_USE_READ,       /* it is mentioned: what it names may be called, or changed */
  PY_USE_BOUND,      /* it gets another value, as a name of the file */
  PY_USE_GLOBAL,     /* a function may give it another value */
  PY_USE_CHANGED,    /* a part of what it names gets another value: `path` */
  PY_USE_IMPORT,     /* a module of that name is imported */
  PY_USE_STAR,       /* import * */
  PY_USE_REFLECTION, /* something that may change any name: setattr, globals, ... */
} PyUseKind;

typedef struct PyUse {
  PyUseKind kind;
  const char *name;
  const char *path; /* CHANGED: ".backends.cudnn" */
  bool is_alone;    /* READ: not as the beginning of a.b */
  bool is_later;    /* in a function that the statement only defines */
} PyUse;

typedef Array(PyUse) PyUses;

/* The uses of names in the statement at `span`, which needs not be one that is parsed; each that there may be. */
void python_uses(Arena *arena, const Source *source, Span span, PyUses *out);
/* The whole file as a PY_BLOCK. Never NULL. */
const PyNode *python_parse_file(Arena *arena, Source *source);
/* The expression in [begin, end); NULL and a diagnostic if there is none. */
const PyNode *python_parse_expression(Arena *arena, const Source *source, Span span, DiagnosticList *diagnostics);

typedef enum PyNumber { PY_NUMBER_UNREAD, PY_NUMBER_INT, PY_NUMBER_REAL } PyNumber;

/* "1_000", "0x10", "0b11" as an integer, and "1e-5" as a double; UNREAD: it does not fit, or is no number. */
PyNumber python_number(const char *text, double *value, int64_t *integer);

#endif
