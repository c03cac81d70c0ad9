/* Findings as SARIF 2.1.0, for tools of code review: a result for each obligation that is not proved, and one for
 * values that are refuted. A refuted one is an error, an open one a warning. */
#include <stdlib.h>
#include <string.h>

#include "assay/assay.h"
#include "report/render.h"

static void key(Text *out, const char *name) {
  render_json_string(out, name);
  text_add(out, ": ");
}

static void field(Text *out, const char *name, const char *value) {
  key(out, name);
  render_json_string(out, value);
}

static void message(Text *out, const char *text) {
  text_add(out, "\"message\": {");
  field(out, "text", text);
  text_char(out, '}');
}

/* "softmax.py:12" as a file and a line; "line 34" is one of the input. */
static void location(const Report *report, const char *where, Text *out) {
  const char *colon = where ? strrchr(where, ':') : NULL;
  const char *file = report->input, *digits = NULL;
  if (colon) {
    file = arena_format(report->arena, "%.*s", (int)(colon - where), where);
    digits = colon + 1;
  } else if (where && !strncmp(where, "line ", 5))
    digits = where + 5;
  long line = digits ? strtol(digits, NULL, 10) : 0;
  text_add(out, "\"locations\": [{\"physicalLocation\": {\"artifactLocation\": {");
  field(out, "uri", file);
  text_format(out, "}, \"region\": {\"startLine\": %ld}}}]", line > 0 ? line : 1);
}

static void result(const Report *report, const char *rule, const char *level, const char *text, const char *where,
                   Text *out) {
  text_char(out, '{');
  field(out, "ruleId", rule);
  text_add(out, ", ");
  field(out, "level", level);
  text_add(out, ", ");
  message(out, text);
  text_add(out, ", ");
  location(report, where, out);
  text_char(out, '}');
}

static void rules(Text *out) {
  text_add(out, "\"rules\": [");
  for (int k = 0; k < OBLIGATION_KIND_COUNT; k++) {
    text_add(out, k ? ", {" : "{");
    field(out, "id", obligation_name((ObligationKind)k));
    text_char(out, '}');
  }
  text_add(out, ", {\"id\": \"value\"}]");
}

void render_sarif(const Report *report, Text *out) {
  text_add(out, "{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", \"version\": \"2.1.0\", \"runs\": "
                "[{\"tool\": {\"driver\": {\"name\": \"assay\", ");
  field(out, "version", assay_version());
  text_add(out, ", ");
  rules(out);
  text_add(out, "}}, \"results\": [");
  bool first = true;
  for (uint32_t i = 0; i < report->obligations.count; i++) {
    const ReportObligation *o = &report->obligations.data[i];
    if (o->verdict == VERDICT_PROVED) continue;
    text_add(out, first ? "" : ", ");
    first = false;
    const char *text = arena_format(report->arena, "%s %s%s%s: %s", obligation_name(o->kind), verdict_name(o->verdict),
                                    o->tensor ? " of " : "", o->tensor ? o->tensor : "", o->detail ? o->detail : "");
    result(report, obligation_name(o->kind), o->verdict == VERDICT_REFUTED ? "error" : "warning", text, o->where, out);
  }
  if (report->verdict == VERDICT_REFUTED) {
    text_add(out, first ? "" : ", ");
    result(report, "value", "error", report->reason.text ? report->reason.text : "the values differ", NULL, out);
  }
  text_add(out, "]}]}\n");
}
