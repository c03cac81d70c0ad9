/* Tokens of Python: shared by the lexer and the parser, by nobody else. */
#ifndef ASSAY_READ_PYTHON_LEXER_H
#define ASSAY_READ_PYTHON_LEXER_H

#include <stdbool.h>

#include "base/source.h"

typedef enum PyTokenKind {
  PY_TOKEN_END,
  PY_TOKEN_NAME,
  PY_TOKEN_NUMBER,
  PY_TOKEN_STRING,
  PY_TOKEN_OPERATOR,
  PY_TOKEN_NEWLINE,
  PY_TOKEN_INDENT,
  PY_TOKEN_DEDENT,
  PY_TOKEN_BAD
} PyTokenKind;

typedef struct PyToken {
  PyTokenKind kind;
  Span span;
  Span content; /* of a string: between the quotes */
} PyToken;

typedef Array(PyToken) PyTokens;

/* The tokens of [begin, end), the last one PY_TOKEN_END. `lines`: with NEWLINE, INDENT and DEDENT. `is_file`: of
 * Python, where names that look alike are one, and only those that never are alike are read. */
void python_lex(Arena *arena, const Source *source, Span span, bool lines, bool is_file, PyTokens *out);

#endif
