/* A report as one self-contained HTML page: formula, assumptions, safety, witness, the kernel's text with the findings
 * in place, and emitted code. No script, nothing from a network; light and dark as the reader has it. */
#include <stdlib.h>
#include <string.h>

#include "execute/effects.h"
#include "lift/recover.h"
#include "report/markup.h"
#include "report/mathml.h"
#include "report/render.h"

static const char STYLE[] =
    ":root{color-scheme:light dark;--ground:#fff;--ink:#1b1f24;--line:#d0d7de;--soft:#f6f8fa;--good:#1a7f37;"
    "--bad:#cf222e;--open:#9a6700}"
    "@media(prefers-color-scheme:dark){:root{--ground:#0d1117;--ink:#e6edf3;--line:#30363d;--soft:#161b22;"
    "--good:#3fb950;--bad:#f85149;--open:#d29922}}"
    "body{background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem "
    "auto;"
    "padding:0 1rem}h1{font-size:1.4rem}h2{font-size:1.1rem;border-bottom:1px solid var(--line);margin-top:2rem}"
    "table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;"
    "border-bottom:1px solid var(--line)}code,pre{font:13px/1.5 ui-monospace,monospace}"
    "pre{background:var(--soft);padding:.8rem;overflow-x:auto}math{font-size:1.2rem;overflow-x:auto}"
    ".proved{color:var(--good)}.refuted{color:var(--bad)}.unknown,.probable,.bounded{color:var(--open)}"
    ".verdict{font-weight:600}.line{color:#8b949e;user-select:none}.found{display:block;background:var(--ground);"
    "border-left:3px solid var(--bad);padding:.1rem .6rem;white-space:normal}"
    ".found.unknown{border-color:var(--open)}svg text{fill:var(--ink);font:11px ui-monospace,monospace}";

static void heading(Text *out, const char *title) {
  text_add(out, "<h2>");
  markup_add(out, title);
  text_add(out, "</h2>\n");
}

static void verdict_of(Text *out, Verdict verdict) {
  const char *name = verdict == VERDICT_NONE ? "none" : verdict_name(verdict);
  text_format(out, "<span class=\"verdict %s\">%s</span>", name, name);
}

static void row_begin(Text *out, const char *name) {
  text_add(out, "<tr><th>");
  markup_add(out, name);
  text_add(out, "</th><td>");
}

static void code(Text *out, const char *text) {
  text_add(out, "<code>");
  markup_add(out, text);
  text_add(out, "</code>");
}

static void render_summary(const Report *report, Text *out) {
  text_add(out, "<table>");
  row_begin(out, "verdict");
  verdict_of(out, report->verdict);
  row_begin(out, "safety");
  verdict_of(out, report->safety);
  row_begin(out, "input");
  code(out, report->input);
  if (report->check) {
    row_begin(out, "against");
    code(out, report->check->right.input);
  }
  if (report->reason.text) {
    row_begin(out, "reason");
    markup_add(out, report->reason.text);
  }
  for (uint32_t i = 0; i < report->literals.count; i++) {
    row_begin(out, "literal");
    code(out, report->literals.data[i]);
  }
  for (uint32_t i = 0; i < report->roundings.count; i++) {
    row_begin(out, "rounding");
    markup_add(out, report->roundings.data[i]);
  }
  text_add(out, "</table>\n");
}

static void render_formula_page(const Report *report, Text *out) {
  if (!report->outputs.count) return;
  heading(out, "Formula");
  for (uint32_t i = 0; i < report->outputs.count; i++) {
    const ReportOutput *o = &report->outputs.data[i];
    if (o->latex)
      mathml_of_latex(report->arena, arena_format(report->arena, "%s%s", o->latex_left ? o->latex_left : "", o->latex),
                      out);
    text_add(out, "<p>");
    code(out, o->tensor.name);
    text_add(out, " = ");
    code(out, o->text ? o->text : o->pointwise);
    text_add(out, " ");
    verdict_of(out, o->verdict);
    text_add(out, "</p>\n");
  }
}

static void render_differences(const Report *report, Text *out) {
  if (!report->check || !report->check->differences.count) return;
  heading(out, "Differences");
  text_add(out, "<table><tr><th>kind</th><th>output</th><th>what</th><th>left</th><th>right</th></tr>");
  for (uint32_t i = 0; i < report->check->differences.count; i++) {
    const ReportDifference *d = &report->check->differences.data[i];
    const char *cells[] = {d->kind, d->output, d->text, d->left, d->right};
    text_add(out, "<tr>");
    for (int k = 0; k < 5; k++) {
      text_add(out, "<td>");
      markup_add(out, cells[k]);
      text_add(out, "</td>");
    }
    text_add(out, "</tr>");
  }
  text_add(out, "</table>\n");
}

static void render_assumptions(const Report *report, Text *out) {
  heading(out, "Assumptions");
  text_add(out, "<table>");
  for (uint32_t i = 0; i < report->assumptions.count; i++) {
    const ReportAssumption *a = &report->assumptions.data[i];
    row_begin(out, a->id);
    code(out, a->text);
    text_add(out, " ");
    markup_add(out, a->why);
    if (a->limit) {
      text_add(out, "; ");
      markup_add(out, a->limit);
    }
    text_add(out, "</td></tr>");
  }
  text_add(out, "</table>\n");
}

/* ---- witnesses ---- */

/* A row of elements around the one at fault, which is filled. */
static void picture(Text *out, const ReportObligation *o, int64_t element) {
  enum { AROUND = 6, SIZE = 34 };
  const char *what = o->kind == OBLIGATION_BOUNDS     ? "outside"
                     : o->kind == OBLIGATION_RACE     ? "written twice"
                     : o->kind == OBLIGATION_COVERAGE ? "not written"
                                                      : "here";
  text_format(out, "<svg width=\"%d\" height=\"62\" role=\"img\" aria-label=\"element %lld of ",
              (2 * AROUND + 1) * SIZE, (long long)element);
  markup_add(out, o->tensor);
  text_format(out, ": %s\">", what);
  for (int k = -AROUND; k <= AROUND; k++) {
    int x = (k + AROUND) * SIZE;
    text_format(out,
                "<rect x=\"%d\" y=\"2\" width=\"%d\" height=\"28\" fill=\"%s\" stroke=\"var(--line)\"></rect>"
                "<text x=\"%d\" y=\"20\" text-anchor=\"middle\">%lld</text>",
                x + 1, SIZE - 2, k ? "var(--soft)" : "var(--bad)", x + SIZE / 2, (long long)(element + k));
  }
  text_format(out, "<text x=\"%d\" y=\"50\" text-anchor=\"middle\">%s</text></svg>\n", AROUND * SIZE + SIZE / 2, what);
}

static void pairs(Text *out, const char *name, const ReportPair *list, uint32_t count) {
  if (!count) return;
  row_begin(out, name);
  for (uint32_t i = 0; i < count; i++) {
    text_add(out, i ? ", " : "");
    code(out, list[i].name);
    if (!*list[i].value) continue; /* "...": there are more */
    text_add(out, " = ");
    code(out, list[i].value);
  }
  text_add(out, "</td></tr>");
}

static void render_witness(const ReportWitness *w, Text *out) {
  text_add(out, "<table>");
  pairs(out, "sizes", w->sizes.data, w->sizes.count);
  pairs(out, "scalars", w->scalars.data, w->scalars.count);
  pairs(out, "strides", w->strides.data, w->strides.count);
  pairs(out, "program", w->program.data, w->program.count);
  pairs(out, "lane", w->lane.data, w->lane.count);
  pairs(out, "index", w->index.data, w->index.count);
  pairs(out, "inputs", w->inputs.data, w->inputs.count);
  ReportPair sides[] = {{"left", w->left}, {"right", w->right}};
  for (int i = 0; i < 2; i++)
    if (sides[i].value) pairs(out, sides[i].name, &(ReportPair){"value", sides[i].value}, 1);
  text_add(out, "</table>\n");
}

static void render_element(const ReportObligation *o, Text *out) {
  for (uint32_t i = 0; i < o->witness->index.count; i++) {
    char *end;
    const ReportPair *pair = &o->witness->index.data[i];
    long long element = strtoll(pair->value, &end, 10);
    if (!strcmp(pair->name, "element") && end != pair->value && !*end) picture(out, o, element);
  }
}

static void render_safety(const Report *report, Text *out) {
  heading(out, "Safety");
  text_add(out, "<table><tr><th>kind</th><th>verdict</th><th>under</th><th>where</th><th>what</th></tr>");
  for (uint32_t i = 0; i < report->obligations.count; i++) {
    const ReportObligation *o = &report->obligations.data[i];
    text_format(out, "<tr><td>%s</td><td>", obligation_name(o->kind));
    verdict_of(out, o->verdict);
    text_add(out, "</td><td>");
    for (uint32_t k = 0; k < o->under_count; k++) text_format(out, "%s%s", k ? ", " : "", o->under[k]);
    text_add(out, "</td><td>");
    code(out, o->where);
    text_add(out, "</td><td>");
    if (o->tensor) code(out, o->tensor), text_add(out, " ");
    markup_add(out, o->detail);
    text_add(out, "</td></tr>\n");
  }
  text_add(out, "</table>\n");
  if (report->witness) {
    heading(out, "Witness");
    render_witness(report->witness, out);
  }
  for (uint32_t i = 0; i < report->obligations.count; i++) {
    const ReportObligation *o = &report->obligations.data[i];
    if (!o->witness) continue;
    heading(out, arena_format(report->arena, "Witness of %s at %s", obligation_name(o->kind), o->where));
    render_element(o, out);
    render_witness(o->witness, out);
  }
}

/* ---- the kernel ---- */

/* The findings of one line of a text, below it. `where`: of the line. */
static void findings_at(const Report *report, const char *where, bool *shown, Text *out) {
  for (uint32_t i = 0; i < report->obligations.count; i++) {
    const ReportObligation *o = &report->obligations.data[i];
    if (shown[i] || o->verdict == VERDICT_PROVED || !o->where || strcmp(o->where, where)) continue;
    shown[i] = true;
    text_format(out, "<span class=\"found %s\">%s ", verdict_name(o->verdict), obligation_name(o->kind));
    verdict_of(out, o->verdict);
    text_add(out, ": ");
    markup_add(out, o->detail);
    text_add(out, "</span>");
  }
}

/* By line of the program's text, from 1: where its first operation is said to be; NULL: nowhere. */
static const char **places_of_lines(const Report *report, const Effects *ex, uint32_t lines) {
  const char **places = arena_array(report->arena, const char *, lines + 2);
  for (OpId id = ex->extent.first_op; id < ex->extent.end_op; id++) {
    const Op *op = program_get_op(ex->program, id);
    uint32_t line = op->span.end ? source_locate(ex->program->source, op->span.begin).line : 0;
    if (line && line <= lines && !places[line]) places[line] = execute_where(ex, id);
  }
  return places;
}

static void render_kernel(const Report *report, Text *out) {
  const Claim *claim = report->claim; /* an operator of several launches: the source is that of the last one */
  if (claim && !claim->ex && report->launch_count) claim = report->launches[report->launch_count - 1];
  const Effects *ex = claim ? claim->ex : NULL;
  const Source *source = ex && ex->program ? ex->program->source : NULL;
  if (!source || !source->size) return;
  heading(out, "Kernel");
  uint32_t lines = 1;
  for (size_t i = 0; i < source->size; i++) lines += source->text[i] == '\n';
  const char **places = places_of_lines(report, ex, lines);
  bool *shown = arena_array(report->arena, bool, report->obligations.count + 1);
  text_add(out, "<pre>");
  size_t at = 0;
  for (uint32_t line = 1; at < source->size; line++) {
    const char *begin = source->text + at, *end = memchr(begin, '\n', source->size - at);
    size_t size = end ? (size_t)(end - begin) : source->size - at;
    text_format(out, "<span class=\"line\">%5u </span>", line);
    markup_text(out, begin, size);
    text_char(out, '\n');
    if (places[line]) findings_at(report, places[line], shown, out);
    at += size + 1;
  }
  text_add(out, "</pre>\n");
}

static void render_emitted(const Report *report, Text *out) {
  for (uint32_t i = 0; i < report->emitted.count; i++) {
    heading(out, arena_format(report->arena, "Emitted: %s", report->emitted.data[i].name));
    text_add(out, "<pre>");
    markup_add(out, report->emitted.data[i].value);
    text_add(out, "</pre>\n");
  }
}

void render_html(const Report *report, const DiagnosticList *diagnostics, Text *out) {
  text_add(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
                "content=\"width=device-width\"><title>");
  markup_add(out, report->kernel ? report->kernel : report->input);
  text_format(out, "</title><style>%s</style></head><body>\n<h1>", STYLE);
  markup_add(out, report->kernel ? report->kernel : report->input);
  text_add(out, "</h1>\n");
  render_summary(report, out);
  if (diagnostics->items.count) {
    Text text = text_new(report->arena);
    render_diagnostics(diagnostics, 0, &text);
    heading(out, "Diagnostics");
    text_add(out, "<pre>");
    markup_add(out, text_string(&text));
    text_add(out, "</pre>\n");
  }
  render_formula_page(report, out);
  render_differences(report, out);
  render_assumptions(report, out);
  render_safety(report, out);
  render_kernel(report, out);
  render_emitted(report, out);
  text_add(out, "</body></html>\n");
}
