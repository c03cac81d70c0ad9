/* The JSON of interface.md, section 4. Keys stand in the order of that page; whatever the names in an input hold,
 * the output is valid JSON in valid UTF-8 on one line. */
#include "report/render.h"

#include <string.h>

#include "assay/assay.h"
#include "base/utf8.h"

void render_json_string(Text *out, const char *string) {
  if (!string) {
    text_add(out, "null");
    return;
  }
  size_t size = strlen(string);
  text_char(out, '"');
  for (size_t at = 0; at < size;) {
    size_t length = utf8_length(string + at, size - at);
    unsigned char c = (unsigned char)string[at];
    if (!length)
      text_add(out, "\xEF\xBF\xBD");
    else if (c == '"' || c == '\\')
      text_format(out, "\\%c", c);
    else if (c == '\n')
      text_add(out, "\\n");
    else if (c == '\t')
      text_add(out, "\\t");
    else if (c < 0x20 || c == 0x7F)
      text_format(out, "\\u%04x", c);
    else
      text_append(out, string + at, length);
    at += length ? length : 1;
  }
  text_char(out, '"');
}

/* ", " unless it is the first, and the key. */
static void add_key(Text *out, const char *key) {
  char last = out->count ? out->data[out->count - 1] : 0;
  if (last != '{' && last != '[') text_add(out, ", ");
  if (!key) return;
  render_json_string(out, key);
  text_add(out, ": ");
}

static void add_field(Text *out, const char *key, const char *value) {
  add_key(out, key);
  render_json_string(out, value);
}

static void add_verdict(Text *out, const char *key, Verdict verdict) {
  add_field(out, key, verdict == VERDICT_NONE ? NULL : verdict_name(verdict));
}

static void add_strings(Text *out, const char *key, const char *const *texts, uint32_t count) {
  add_key(out, key);
  text_char(out, '[');
  for (uint32_t i = 0; i < count; i++) {
    add_key(out, NULL);
    render_json_string(out, texts[i]);
  }
  text_char(out, ']');
}

/* True if it is a JSON number, as RFC 8259 has it. */
static bool is_number(const char *text) {
  const char *at = text + (*text == '-');
  size_t digits = strspn(at, "0123456789");
  if (!digits || (digits > 1 && *at == '0')) return false;
  at += digits;
  if (*at == '.') {
    digits = strspn(at + 1, "0123456789");
    if (!digits) return false;
    at += 1 + digits;
  }
  if (*at == 'e' || *at == 'E') {
    at += at[1] == '+' || at[1] == '-' ? 2 : 1;
    digits = strspn(at, "0123456789");
    if (!digits) return false;
    at += digits;
  }
  return !*at;
}

static void add_scalar(Text *out, const char *value) {
  if (value && is_number(value))
    text_add(out, value);
  else
    render_json_string(out, value);
}

static bool occurs_before(const ReportPair *pairs, uint32_t at) {
  for (uint32_t i = 0; i < at; i++)
    if (!strcmp(pairs[i].name, pairs[at].name)) return true;
  return false;
}

/* An object; of pairs with one name the first, since a key may stand once only. */
static void add_pairs(Text *out, const char *key, const ReportPair *pairs, uint32_t count) {
  add_key(out, key);
  text_char(out, '{');
  for (uint32_t i = 0; i < count; i++) {
    if (occurs_before(pairs, i)) continue;
    add_key(out, pairs[i].name);
    add_scalar(out, pairs[i].value);
  }
  text_char(out, '}');
}

static void add_witness(Text *out, const ReportWitness *witness) {
  add_key(out, "witness");
  if (!witness) {
    text_add(out, "null");
    return;
  }
  text_char(out, '{');
  add_pairs(out, "sizes", witness->sizes.data, witness->sizes.count);
  add_pairs(out, "scalars", witness->scalars.data, witness->scalars.count);
  add_pairs(out, "strides", witness->strides.data, witness->strides.count);
  add_pairs(out, "program", witness->program.data, witness->program.count);
  add_pairs(out, "lane", witness->lane.data, witness->lane.count);
  add_pairs(out, "index", witness->index.data, witness->index.count);
  add_pairs(out, "inputs", witness->inputs.data, witness->inputs.count);
  add_key(out, "left");
  add_scalar(out, witness->left);
  add_key(out, "right");
  add_scalar(out, witness->right);
  text_char(out, '}');
}

static void add_shape(Text *out, const ReportTensor *tensor) {
  add_strings(out, "shape", tensor->shape, tensor->shape ? tensor->rank : 0);
  add_strings(out, "strides", tensor->strides, tensor->strides ? tensor->rank : 0);
}

static void add_inputs(Text *out, const Report *report) {
  add_key(out, "inputs");
  text_char(out, '[');
  for (uint32_t i = 0; i < report->inputs.count; i++) {
    const ReportTensor *tensor = &report->inputs.data[i];
    add_key(out, NULL);
    text_char(out, '{');
    add_field(out, "name", tensor->name);
    add_field(out, "kind", tensor->kind);
    add_field(out, "dtype", tensor->dtype);
    add_shape(out, tensor);
    text_char(out, '}');
  }
  text_char(out, ']');
}

static void add_outputs(Text *out, const Report *report) {
  add_key(out, "outputs");
  text_char(out, '[');
  for (uint32_t i = 0; i < report->outputs.count; i++) {
    const ReportOutput *output = &report->outputs.data[i];
    add_key(out, NULL);
    text_char(out, '{');
    add_field(out, "name", output->tensor.name);
    add_field(out, "dtype", output->tensor.dtype);
    add_shape(out, &output->tensor);
    add_field(out, "region", output->region);
    add_verdict(out, "verdict", output->verdict);
    add_field(out, "form", output->form);
    add_field(out, "pointwise", output->pointwise);
    add_key(out, "formula");
    text_char(out, '{');
    add_field(out, "text", output->text);
    add_field(out, "latex", output->latex);
    add_field(out, "raw", output->raw);
    text_add(out, "}}");
  }
  text_char(out, ']');
}

static void add_assumption_list(Text *out, const ReportAssumption *assumptions, uint32_t count) {
  add_key(out, "assumptions");
  text_char(out, '[');
  for (uint32_t i = 0; i < count; i++) {
    const ReportAssumption *assumption = &assumptions[i];
    add_key(out, NULL);
    text_char(out, '{');
    add_field(out, "id", assumption->id);
    add_field(out, "kind", assumption_name(assumption->kind));
    add_field(out, "text", assumption->text);
    add_field(out, "why", assumption->why);
    add_key(out, "limit");
    add_scalar(out, assumption->limit);
    text_char(out, '}');
  }
  text_char(out, ']');
}

static void add_obligations(Text *out, const Report *report) {
  add_key(out, "obligations");
  text_char(out, '[');
  for (uint32_t i = 0; i < report->obligations.count; i++) {
    const ReportObligation *obligation = &report->obligations.data[i];
    add_key(out, NULL);
    text_char(out, '{');
    add_field(out, "kind", obligation_name(obligation->kind));
    add_verdict(out, "verdict", obligation->verdict);
    add_strings(out, "under", obligation->under, obligation->under_count);
    add_field(out, "where", obligation->where);
    add_field(out, "tensor", obligation->tensor);
    add_field(out, "detail", obligation->detail);
    add_witness(out, obligation->witness);
    text_char(out, '}');
  }
  text_char(out, ']');
}

static void add_diagnostics(Text *out, const DiagnosticList *diagnostics) {
  static const char *const severities[] = {"error", "warning", "note"};
  add_key(out, "diagnostics");
  text_char(out, '[');
  for (uint32_t i = 0; i < diagnostics->items.count; i++) {
    const Diagnostic *diagnostic = &diagnostics->items.data[i];
    add_key(out, NULL);
    text_char(out, '{');
    add_field(out, "severity", severities[diagnostic->severity]);
    add_field(out, "code", diagnostic->code);
    add_field(out, "message", diagnostic->message);
    add_field(out, "help", diagnostic->help);
    add_field(out, "file", diagnostic->source ? diagnostic->source->name : NULL);
    LineColumn at = {0, 0};
    if (diagnostic->source) at = source_locate(diagnostic->source, diagnostic->span.begin);
    add_key(out, "line");
    text_format(out, diagnostic->source ? "%u" : "null", at.line);
    add_key(out, "column");
    text_format(out, diagnostic->source ? "%u" : "null", at.column);
    text_char(out, '}');
  }
  text_char(out, ']');
}

static void add_reason(Text *out, const ReportReason *reason) {
  add_key(out, "reason");
  if (!reason->code) {
    text_add(out, "null");
    return;
  }
  text_char(out, '{');
  add_field(out, "code", reason_name(reason->code));
  add_field(out, "text", reason->text);
  text_char(out, '}');
}

static void add_emitted(Text *out, const Report *report) {
  add_key(out, "emitted");
  text_char(out, '{');
  for (uint32_t i = 0; i < report->emitted.count; i++)
    add_field(out, report->emitted.data[i].name, report->emitted.data[i].value);
  text_char(out, '}');
}

static void add_side(Text *out, const char *key, const ReportSide *side) {
  add_key(out, key);
  text_char(out, '{');
  add_field(out, "input", side->input);
  add_field(out, "kernel", side->kernel);
  add_field(out, "kind", side->kind);
  add_verdict(out, "verdict", side->verdict);
  add_key(out, "outputs");
  text_char(out, '[');
  for (uint32_t i = 0; i < side->outputs.count; i++) {
    add_key(out, NULL);
    text_char(out, '{');
    add_field(out, "name", side->outputs.data[i].name);
    add_field(out, "formula", side->outputs.data[i].formula);
    text_char(out, '}');
  }
  text_add(out, "]}");
}

static void add_check(Text *out, const ReportCheck *check) {
  add_side(out, "left", &check->left);
  add_side(out, "right", &check->right);
  add_key(out, "pairs");
  text_char(out, '[');
  for (uint32_t i = 0; i < check->pairs.count; i++) {
    add_key(out, NULL);
    text_char(out, '{');
    add_field(out, "left", check->pairs.data[i].name);
    add_field(out, "right", check->pairs.data[i].value);
    text_char(out, '}');
  }
  text_char(out, ']');
  add_strings(out, "only", check->only.data, check->only.count);
  add_key(out, "differences");
  text_char(out, '[');
  for (uint32_t i = 0; i < check->differences.count; i++) {
    const ReportDifference *difference = &check->differences.data[i];
    add_key(out, NULL);
    text_char(out, '{');
    add_field(out, "kind", difference->kind);
    add_field(out, "output", difference->output);
    add_field(out, "text", difference->text);
    add_field(out, "left", difference->left);
    add_field(out, "right", difference->right);
    text_char(out, '}');
  }
  text_char(out, ']');
  if (!check->functions.count) return;
  add_key(out, "functions");
  text_char(out, '[');
  for (uint32_t i = 0; i < check->functions.count; i++) {
    const ReportFunction *f = &check->functions.data[i];
    add_key(out, NULL);
    text_char(out, '{');
    add_field(out, "name", f->name);
    add_verdict(out, "verdict", f->verdict);
    add_reason(out, &f->reason);
    text_char(out, '}');
  }
  text_char(out, ']');
  add_strings(out, "trace", check->trace.data, check->trace.count);
}

static void add_number(Text *out, const char *key, double value) {
  add_key(out, key);
  text_format(out, "%.6g", value);
}

static void add_candidate(Text *out, const ReportCandidate *c) {
  add_key(out, NULL);
  text_char(out, '{');
  add_number(out, "rank", c->rank);
  add_number(out, "kernels", c->kernels);
  add_field(out, "graph", c->graph);
  add_key(out, "cost");
  text_char(out, '{');
  add_number(out, "bytes", c->bytes);
  add_number(out, "flops", c->flops);
  add_number(out, "launches", c->launches);
  add_number(out, "seconds", c->seconds);
  text_char(out, '}');
  add_verdict(out, "verdict", c->verdict);
  add_field(out, "lifted", NULL);
  add_key(out, "input");
  text_add(out, c->is_input ? "true" : "false");
  add_assumption_list(out, c->assumptions.data, c->assumptions.count);
  add_strings(out, "files", c->files.data, c->files.count);
  text_char(out, '}');
}

static void add_candidates(Text *out, const Report *report) {
  add_key(out, "candidates");
  text_char(out, '[');
  for (uint32_t i = 0; i < report->candidates.count; i++) add_candidate(out, &report->candidates.data[i]);
  text_char(out, ']');
}

void render_json(const Report *report, const DiagnosticList *diagnostics, const RenderParts *parts, Text *out) {
  text_add(out, "{");
  add_key(out, "schema");
  text_add(out, "1");
  add_field(out, "version", assay_version());
  add_field(out, "input", report->input);
  add_field(out, "kernel", report->kernel);
  add_verdict(out, "verdict", report->verdict);
  add_verdict(out, "safety", report->safety);
  add_reason(out, &report->reason);
  if (report->check) add_check(out, report->check);
  add_inputs(out, report);
  add_outputs(out, report);
  add_assumption_list(out, report->assumptions.data, report->assumptions.count);
  add_obligations(out, report);
  add_strings(out, "literals", report->literals.data, report->literals.count);
  add_strings(out, "roundings", report->roundings.data, report->roundings.count);
  add_strings(out, "opaque", report->opaque.data, report->opaque.count);
  add_witness(out, report->witness);
  add_diagnostics(out, diagnostics);
  if (parts->stage) {
    add_key(out, "stage");
    text_char(out, '{');
    add_field(out, "name", parts->stage);
    add_field(out, "text", report->stage_text);
    text_char(out, '}');
  }
  if (parts->emitted) add_emitted(out, report);
  if (report->is_optimized) add_candidates(out, report);
  if (report->steps.count) add_strings(out, "steps", report->steps.data, report->steps.count);
  if (parts->stats) add_pairs(out, "stats", report->stats.data, report->stats.count);
  text_char(out, '}');
}
