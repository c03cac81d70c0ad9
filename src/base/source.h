/* Source text and diagnostics.
 *
 * A Source is one input with its line table. A Diagnostic points into it and carries a stable code; a
 * DiagnosticList collects as many per run as are useful. Nothing here prints: `diagnostic_render` makes the
 * text `file:line:column: error[code]: message`, the source line, a caret, and a note on what to do. */
#ifndef ASSAY_BASE_SOURCE_H
#define ASSAY_BASE_SOURCE_H

#include "base/text.h"

typedef struct Source {
  const char *name; /* as the user gave it; "<stdin>" for - */
  const char *text; /* NUL-terminated, but may hold NUL bytes */
  size_t size;
  uint32_t *line_start; /* offsets */
  uint32_t line_count;
} Source;

typedef struct Span {
  uint32_t begin, end; /* byte offsets; begin == end: a point */
} Span;

typedef enum Severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE } Severity;

typedef struct Diagnostic {
  Severity severity;
  const char *code;     /* stable, e.g. "parse.expected" */
  const char *message;  /* what is wrong */
  const char *help;     /* what to do; may be NULL */
  const Source *source; /* may be NULL */
  Span span;
} Diagnostic;

typedef struct DiagnosticList {
  Arena *arena;
  Array(Diagnostic) items;
  uint32_t error_count;
  uint32_t limit;        /* errors after which reporting stops (default 20) */
  const char *condition; /* on sizes, under which what was refused would be read; NULL: none is known */
} DiagnosticList;

typedef struct LineColumn {
  uint32_t line, column; /* from 1; the column counts bytes */
} LineColumn;

Source *source_new(Arena *arena, const char *name, const char *text, size_t size);
LineColumn source_locate(const Source *source, uint32_t offset);
void diagnostic_list_init(DiagnosticList *list, Arena *arena);
void diagnostic_add(DiagnosticList *list, Severity severity, const char *code, const Source *source, Span span,
                    const char *help, const char *format, ...) __attribute__((format(printf, 7, 8)));
/* With `color`, ANSI colours as clang uses them. */
void diagnostic_render(const Diagnostic *diagnostic, Arena *arena, Text *out, int color);

#endif
