/* Reports as text and JSON. */
#ifndef ASSAY_REPORT_RENDER_H
#define ASSAY_REPORT_RENDER_H

#include "report/types.h"

typedef struct RenderParts {
  int stats;         /* with statistics */
  const char *stage; /* name of --stop-after, or NULL */
  int emitted;       /* with the emitted code */
} RenderParts;

/* One JSON object on one line, as interface.md section 4 has it. */
void render_json(const Report *report, const DiagnosticList *diagnostics, const RenderParts *parts, Text *out);
/* At most 25 lines, statistics and steps aside. */
void render_text(const Report *report, const RenderParts *parts, int color, Text *out);
/* One line of the table of several kernels. */
void render_row(const Report *report, const DiagnosticList *diagnostics, int color, bool with_file, Text *out);
/* The emitters "text" and "latex": a line for each output; nothing if there is no formula. */
void render_formulas(const Report *report, const char *name, Text *out);
/* One self-contained page; and findings as SARIF 2.1.0. */
void render_html(const Report *report, const DiagnosticList *diagnostics, Text *out);
void render_sarif(const Report *report, Text *out);
/* A string of JSON with its quotes; null for NULL. */
void render_json_string(Text *out, const char *string);
/* Diagnostics with source line and caret. */
void render_diagnostics(const DiagnosticList *diagnostics, int color, Text *out);

#endif
