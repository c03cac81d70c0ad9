/* The answer for a person: at most 25 lines.
 *
 *   softmax_kernel  softmax.ttir
 *     verdict     probable: 40 random cases agree
 *     safety      unknown
 *     formula     y_ptr[grid_x, n_cols] = exp(x_ptr) / sum(exp(x_ptr), axis=1)
 *     assumed     a1 n_cols <= 1024: one block covers a row
 *     finding     softmax.py:12: bounds unknown, x_ptr: ...
 *     literals    BLOCK = 1024
 *
 * Each list has its share of the lines and ends, when it is longer, with a count and where to see the rest. Formulas
 * that are too long get names for their parts, in the lines that are left (parts.c). Names and messages come
 * from the input: control characters in them never reach the terminal. */
#include "report/render.h"

#include <string.h>

#include "report/parts.h"
#include "base/utf8.h"

enum {
  MOST_LINES = 25,
  OUTPUTS_SHOWN = 5,
  ASSUMPTIONS_SHOWN = 5,
  FINDINGS_SHOWN = 4,
  WORDS_SHOWN = 8,
  ROW = 80,
  PLACE = 56
};

typedef struct Page {
  Text *out;
  int color;
} Page;

static void paint(Page *page, const char *code) {
  if (page->color) text_format(page->out, "\x1b[%sm", code);
}

static void label(Page *page, const char *name) {
  text_add(page->out, "  ");
  paint(page, "2");
  text_format(page->out, "%-10s", name);
  paint(page, "0");
  text_add(page->out, "  ");
}

static void say(Page *page, const char *text) { utf8_add_plain(page->out, text ? text : "?"); }

static const char *verdict_color(Verdict verdict) {
  switch (verdict) {
  case VERDICT_PROVED: return "1;32";
  case VERDICT_REFUTED: return "1;31";
  case VERDICT_BOUNDED:
  case VERDICT_PROBABLE: return "1;36";
  case VERDICT_NONE:
  case VERDICT_UNKNOWN: return "1;33";
  }
  return "0";
}

static void say_verdict(Page *page, Verdict verdict) {
  paint(page, verdict_color(verdict));
  text_add(page->out, verdict == VERDICT_NONE ? "none" : verdict_name(verdict));
  paint(page, "0");
}

static void more(Page *page, uint32_t count, uint32_t shown) {
  if (count <= shown) return;
  label(page, "");
  text_format(page->out, "... and %u more: see --json\n", count - shown);
}

static void title(Page *page, const Report *report) {
  paint(page, "1");
  say(page, report->kernel ? report->kernel : report->input);
  paint(page, "0");
  if (report->kernel) {
    text_add(page->out, "  ");
    say(page, report->input);
  }
  if (report->check) {
    text_add(page->out, "  against  ");
    say(page, report->check->right.input);
  }
  text_char(page->out, '\n');
}

static void verdicts(Page *page, const Report *report) {
  label(page, "verdict");
  say_verdict(page, report->verdict);
  if (report->reason.code) {
    text_add(page->out, ": ");
    say(page, report->reason.text ? report->reason.text : reason_sentence(report->reason.code));
    text_add(page->out, " [");
    say(page, reason_name(report->reason.code));
    text_add(page->out, "]");
  }
  text_char(page->out, '\n');
  if (report->is_optimized) return;
  label(page, "safety");
  say_verdict(page, report->safety);
  text_char(page->out, '\n');
}

static void shape(Page *page, const ReportTensor *tensor) {
  say(page, tensor->name);
  if (!tensor->rank || !tensor->shape) return;
  for (uint32_t i = 0; i < tensor->rank; i++) {
    text_add(page->out, i ? ", " : "[");
    say(page, tensor->shape[i]);
  }
  text_char(page->out, ']');
}

static bool is_tensor_form(const ReportOutput *output) { return output->form && !strcmp(output->form, "tensor"); }

static const char *formula_of(const ReportOutput *output) {
  const char *text = output->text ? output->text : output->pointwise;
  return output->line && text == output->pointwise ? output->line : text;
}

/* Where only a part of the tensor is written. */
static void region(Page *page, const ReportOutput *output) {
  if (!formula_of(output) || !is_tensor_form(output) || !output->region || !strcmp(output->region, "all")) return;
  text_add(page->out, " for ");
  if (output->indices && *output->indices) {
    say(page, output->indices);
    text_add(page->out, ": ");
  }
  say(page, output->region);
}

/* A formula in its line: one that is still too long is cut. */
static void say_formula(Page *page, const char *formula) {
  size_t size = strlen(formula), shown = size;
  for (shown = size > PARTS_CUT ? PARTS_CUT - 40 : size; shown < size && shown && (formula[shown] & 0xC0) == 0x80;)
    shown--;
  paint(page, "1");
  say(page, arena_copy(page->out->arena, formula, shown));
  paint(page, "0");
  if (shown < size) text_format(page->out, "... (%zu characters: see --json)", size);
}

static void outputs(Page *page, const Report *report, const Parts *parts) {
  for (uint32_t i = 0; i < report->outputs.count && i < OUTPUTS_SHOWN; i++) {
    const ReportOutput *output = &report->outputs.data[i];
    const char *formula = formula_of(output);
    label(page, i ? "" : "formula");
    /* A tensor formula is a right side; the other forms bring their left side and region along. */
    if (!formula || is_tensor_form(output)) {
      shape(page, &output->tensor);
      text_add(page->out, " = ");
    }
    say_formula(page, formula ? parts->formulas.data[i] : "(none found)");
    region(page, output);
    if (output->form && !is_tensor_form(output)) {
      text_add(page->out, "  (");
      say(page, output->form);
      text_add(page->out, ")");
    }
    text_char(page->out, '\n');
    if (!output->named) continue;
    label(page, "named");
    say_formula(page, output->named);
    text_char(page->out, '\n');
  }
  more(page, report->outputs.count, OUTPUTS_SHOWN);
}

/* What the formulas say with names for parts. */
static void named_parts(Page *page, const Parts *parts) {
  for (uint32_t i = 0; i < parts->parts.count; i++) {
    label(page, i ? "" : "where");
    say(page, parts->parts.data[i].name);
    text_add(page->out, " = ");
    say_formula(page, parts->parts.data[i].text);
    text_char(page->out, '\n');
  }
}

/* ... and the names that they have in JSON, where whole texts would be too long. */
static void let_lines(Page *page, const Report *report) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < report->outputs.count && i < OUTPUTS_SHOWN; i++) {
    const ReportOutput *output = &report->outputs.data[i];
    const char *line = output->pointwise;
    for (const char *end; output->line && line < output->line && (end = strchr(line, '\n')); line = end + 1) {
      if (++count > PARTS_MOST) continue;
      label(page, count > 1 ? "" : "where");
      say_formula(page, arena_copy(page->out->arena, line + 4, (size_t)(end - line - 4))); /* behind `let ` */
      text_char(page->out, '\n');
    }
  }
  more(page, count, PARTS_MOST);
}

static void add_formula(Page *page, Parts *parts, const char *formula, size_t before) {
  array_push(page->out->arena, &parts->formulas, formula ? formula : "");
  array_push(page->out->arena, &parts->before, (uint32_t)before + 14);
}

/* The formulas that are shown, as they are. */
static Parts gather_formulas(Page *page, const Report *report) {
  Parts parts = {.only_long = report->check != NULL}; /* of two sides, the one that is short tells what the other is */
  for (uint32_t i = 0; !report->check && i < report->outputs.count && i < OUTPUTS_SHOWN; i++) {
    Text left = text_new(page->out->arena);
    shape(&(Page){&left, 0}, &report->outputs.data[i].tensor);
    add_formula(page, &parts, formula_of(&report->outputs.data[i]),
                is_tensor_form(&report->outputs.data[i]) ? left.count + 3 : 0);
  }
  for (int side = 0; report->check && side < 2; side++) {
    const ReportSide *own = side ? &report->check->right : &report->check->left;
    for (uint32_t i = 0; i < own->outputs.count && i < OUTPUTS_SHOWN; i++)
      add_formula(page, &parts, own->outputs.data[i].formula,
                  own->outputs.data[i].is_line ? 0 : strlen(own->outputs.data[i].name) + 3);
  }
  return parts;
}

/* Made by the comparison of sizes and launches: what equality rests on is shown first. */
static bool is_of_comparison(const Report *report, uint32_t i) {
  static const AssumptionKind kinds[] = {ASSUME_RANGE, ASSUME_GRID, ASSUME_LAUNCH, ASSUME_USER};
  bool found = false;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) found |= report->assumptions.data[i].kind == kinds[k];
  return found && report->check && i >= report->check->own_assumptions;
}

static void assumptions(Page *page, const Report *report) {
  uint32_t count = report->assumptions.count, shown = 0;
  for (int rest = 0; rest < 2; rest++)
    for (uint32_t i = 0; i < count && shown < ASSUMPTIONS_SHOWN; i++) {
      const ReportAssumption *assumption = &report->assumptions.data[i];
      if (is_of_comparison(report, i) == rest) continue;
      label(page, shown++ ? "" : "assumed");
      say(page, assumption->id);
      text_char(page->out, ' ');
      say(page, assumption->text);
      if (assumption->why && *assumption->why) {
        text_add(page->out, ": ");
        say(page, assumption->why);
      }
      text_char(page->out, '\n');
    }
  more(page, count, ASSUMPTIONS_SHOWN);
}

static void pairs(Page *page, const ReportPair *list, uint32_t count, const char **separator) {
  for (uint32_t i = 0; i < count; i++) {
    text_add(page->out, *separator);
    say(page, list[i].name);
    if (*list[i].value) text_add(page->out, " = "); /* "...": there are more */
    say(page, list[i].value);
    *separator = ", ";
  }
}

/* `separator`: before the first of its values. */
static void witness_line(Page *page, const ReportWitness *witness, const char *separator) {
  pairs(page, witness->sizes.data, witness->sizes.count, &separator);
  pairs(page, witness->scalars.data, witness->scalars.count, &separator);
  pairs(page, witness->strides.data, witness->strides.count, &separator);
  if (witness->program.count) { /* x, y and z may be tensors */
    text_format(page->out, "%sprogram (", separator), separator = ", ";
    for (uint32_t i = 0; i < witness->program.count; i++) {
      text_add(page->out, i ? ", " : "");
      say(page, witness->program.data[i].value);
    }
    text_char(page->out, ')');
  }
  pairs(page, witness->lane.data, witness->lane.count, &separator);
  pairs(page, witness->index.data, witness->index.count, &separator);
  pairs(page, witness->inputs.data, witness->inputs.count, &separator);
  if (!witness->left && !witness->right) return;
  text_add(page->out, *separator ? ": " : "");
  say(page, witness->left);
  text_add(page->out, " against ");
  say(page, witness->right);
}

/* Where it is stands before it already. */
static const char *without_place(Page *page, const char *detail, const char *where) {
  Arena *arena = page->out->arena;
  const char *place = where && *where ? arena_format(arena, " (%s)", where) : NULL;
  const char *at = place ? strstr(detail, place) : NULL;
  return at ? arena_format(arena, "%.*s%s", (int)(at - detail), detail, at + strlen(place)) : detail;
}

static void finding(Page *page, const ReportObligation *obligation) {
  if (obligation->where && *obligation->where) {
    say(page, obligation->where);
    text_add(page->out, ": ");
  }
  say(page, obligation_name(obligation->kind));
  text_char(page->out, ' ');
  say_verdict(page, obligation->verdict);
  if (obligation->tensor) {
    text_add(page->out, ", ");
    say(page, obligation->tensor);
  }
  if (obligation->detail && *obligation->detail) {
    text_add(page->out, ": ");
    say(page, without_place(page, obligation->detail, obligation->where));
  }
  if (obligation->witness) witness_line(page, obligation->witness, "; at ");
}

static bool is_same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

/* Open for one reason, which is said once. */
static bool is_alike(const ReportObligation *a, const ReportObligation *b) {
  return a->verdict == b->verdict && a->detail && is_same_text(a->detail, b->detail) && !a->witness && !b->witness;
}

/* "25" of "matmul.py:25" beside "matmul.py:24". */
static const char *line_beside(const char *where, const char *first) {
  const char *line = strrchr(where, ':');
  bool is_beside = line && first && !strncmp(where, first, (size_t)(line + 1 - where));
  return is_beside ? line + 1 : where;
}

/* The others from `from` on with its reason: `likewise race; overflow at 25, 33`. */
static void likewise(Page *page, const Report *report, uint32_t from) {
  const ReportObligation *first = &report->obligations.data[from], *last = NULL;
  for (uint32_t i = from + 1; i < report->obligations.count; i++) {
    const ReportObligation *o = &report->obligations.data[i];
    if (!is_alike(first, o)) continue;
    bool goes_on = last && last->kind == o->kind && is_same_text(last->tensor, o->tensor);
    if (!goes_on) {
      text_add(page->out, last ? "; " : "; likewise ");
      say(page, obligation_name(o->kind));
      if (o->tensor) text_char(page->out, ' '), say(page, o->tensor);
    }
    if (o->where && *o->where && (goes_on || !is_same_text(o->where, first->where))) {
      text_add(page->out, goes_on ? ", " : " at ");
      say(page, line_beside(o->where, first->where));
    }
    last = o;
  }
}

static bool is_said_before(const Report *report, uint32_t at) {
  for (uint32_t i = 0; i < at; i++)
    if (is_alike(&report->obligations.data[i], &report->obligations.data[at])) return true;
  return false;
}

/* Refuted ones first, then the others that are not proved, in the order of the report. */
static void findings(Page *page, const Report *report) {
  uint32_t count = 0;
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < report->obligations.count; i++) {
      const ReportObligation *obligation = &report->obligations.data[i];
      bool is_refuted = obligation->verdict == VERDICT_REFUTED;
      if (obligation->verdict == VERDICT_PROVED || is_refuted != (pass == 0) || is_said_before(report, i)) continue;
      if (count++ >= FINDINGS_SHOWN) continue;
      label(page, count == 1 ? "finding" : "");
      finding(page, obligation);
      likewise(page, report, i);
      text_char(page->out, '\n');
    }
  more(page, count, FINDINGS_SHOWN);
}

static void words(Page *page, const char *name, const char *const *texts, uint32_t count) {
  if (!count) return;
  label(page, name);
  for (uint32_t i = 0; i < count && i < WORDS_SHOWN; i++) {
    text_add(page->out, i ? ", " : "");
    say(page, texts[i]);
  }
  if (count > WORDS_SHOWN) text_format(page->out, " and %u more: see --json", count - WORDS_SHOWN);
  text_char(page->out, '\n');
}

static void details(Page *page, const Report *report, const RenderParts *parts) {
  for (uint32_t i = 0; i < report->steps.count; i++) {
    label(page, i ? "" : "steps");
    say(page, report->steps.data[i]);
    text_char(page->out, '\n');
  }
  for (uint32_t i = 0; parts->stats && i < report->stats.count; i++) {
    label(page, i ? "" : "stats");
    text_format(page->out, "%-32s ", report->stats.data[i].name);
    say(page, report->stats.data[i].value);
    text_char(page->out, '\n');
  }
}

/* The two formulas of each output, and what is not compared. */
static void sides(Page *page, const ReportCheck *check, const Parts *parts) {
  const ReportSide *both[2] = {&check->left, &check->right};
  uint32_t at = 0;
  for (int side = 0; side < 2; side++)
    for (uint32_t i = 0; i < both[side]->outputs.count && i < OUTPUTS_SHOWN; i++) {
      label(page, i ? "" : side ? "right" : "left");
      if (!both[side]->outputs.data[i].is_line) say(page, both[side]->outputs.data[i].name), text_add(page->out, " = ");
      say_formula(page, parts->formulas.data[at++]);
      text_char(page->out, '\n');
    }
  named_parts(page, parts);
  for (uint32_t i = 0; i < check->only.count; i++) {
    if (!i) label(page, "only");
    text_add(page->out, i ? ", " : "");
    say(page, check->only.data[i]);
    if (i + 1 == check->only.count) text_char(page->out, '\n');
  }
  for (uint32_t i = 0; i < check->differences.count && i < OUTPUTS_SHOWN; i++) {
    label(page, i ? "" : "differs");
    say(page, check->differences.data[i].text);
    text_char(page->out, '\n');
  }
  for (uint32_t i = 0; i < check->functions.count && i < OUTPUTS_SHOWN; i++) {
    const ReportFunction *f = &check->functions.data[i];
    label(page, i ? "" : "functions");
    say(page, f->name);
    text_char(page->out, ' ');
    say_verdict(page, f->verdict);
    if (f->reason.text) text_add(page->out, ": "), say(page, f->reason.text);
    text_char(page->out, '\n');
  }
  more(page, check->functions.count, OUTPUTS_SHOWN);
  for (uint32_t i = 0; i < check->trace.count; i++) {
    label(page, i ? "" : "first");
    say(page, check->trace.data[i]);
    text_char(page->out, '\n');
  }
}

/* Inputs whose integers have no sign: the formula is of these numbers, and the kernel's text may not say so. */
static void unsigned_inputs(Page *page, const Report *report) {
  Arena *arena = page->out->arena;
  Array(const char *) texts = {0};
  for (uint32_t i = 0; i < report->inputs.count; i++) {
    const ReportTensor *t = &report->inputs.data[i];
    if (t->dtype && t->dtype[0] == 'u') array_push(arena, &texts, arena_format(arena, "%s: %s", t->name, t->dtype));
  }
  words(page, "unsigned", texts.data, texts.count);
}

/* Below the formulas. */
static void render_rest(Page *page, const Report *report) {
  assumptions(page, report);
  findings(page, report);
  if (report->witness) {
    label(page, "witness");
    witness_line(page, report->witness, "");
    text_char(page->out, '\n');
  }
  unsigned_inputs(page, report);
  words(page, "literals", report->literals.data, report->literals.count);
  words(page, "roundings", report->roundings.data, report->roundings.count);
  words(page, "opaque", report->opaque.data, report->opaque.count);
}

static uint32_t count_lines(const Text *text) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < text->count; i++) count += text->data[i] == '\n';
  return count;
}

static void formulas(Page *page, const Report *report, const Parts *parts) {
  if (report->check)
    sides(page, report->check, parts);
  else {
    outputs(page, report, parts);
    named_parts(page, parts);
    let_lines(page, report);
  }
}

/* What `optimize` lists, a line each. */
static void candidates(Page *page, const Report *report) {
  for (uint32_t i = 0; i < report->candidates.count; i++) {
    const ReportCandidate *c = &report->candidates.data[i];
    label(page, i ? "" : "found");
    text_format(page->out, "%2u  %u kernel%s %10.2f us  ", c->rank, c->kernels, c->kernels == 1 ? " " : "s",
                1e6 * c->seconds);
    say_verdict(page, c->verdict);
    text_format(page->out, "  %.3g MB, %.3g GFLOP, ", c->bytes / 1e6, c->flops / 1e9);
    say(page, c->summary);
    text_char(page->out, '\n');
  }
}

void render_text(const Report *report, const RenderParts *parts, int color, Text *out) {
  Text rest = text_new(out->arena), above = text_new(out->arena);
  Page page = {out, color}, below = {&rest, color}, counted = {&above, 0};
  Parts named = gather_formulas(&page, report);
  title(&page, report);
  verdicts(&page, report);
  candidates(&page, report);
  render_rest(&below, report);
  formulas(&counted, report, &named);
  uint32_t used = 3 + count_lines(&above) + count_lines(&rest);
  named.most = used >= MOST_LINES ? 0 : MOST_LINES - used < PARTS_MOST ? MOST_LINES - used : PARTS_MOST;
  parts_name(out->arena, &named);
  formulas(&page, report, &named);
  text_append(out, rest.data, rest.count);
  details(&page, report, parts);
}

/* The text cut to `width` characters, not bytes. */
static void say_cut(Page *page, const char *text, uint32_t width) {
  Text clean = text_new(page->out->arena);
  utf8_add_plain(&clean, text);
  const char *string = text_string(&clean);
  size_t at = 0, size = clean.count;
  uint32_t shown = 0;
  for (; at < size && shown < width; shown++) at += utf8_length(string + at, size - at);
  text_append(page->out, string, at);
  if (at < size)
    text_add(page->out, "...");
  else
    for (; shown < width; shown++) text_char(page->out, ' ');
}

/* The first output: of a formula that is too long its end is cut, and not where it is written. */
static void row_formula(const Report *report, Text *out) {
  const ReportOutput *first = &report->outputs.data[0];
  Page page = {out, 0};
  Text suffix = text_new(out->arena);
  region(&(Page){&suffix, 0}, first);
  uint32_t end = suffix.count < ROW / 2 ? (uint32_t)suffix.count : ROW / 2, before = (uint32_t)out->count;
  say_cut(&page, formula_of(first), ROW - end);
  while (out->count > before && out->data[out->count - 1] == ' ') out->count--;
  if (suffix.count) say_cut(&page, text_string(&suffix), end);
  if (report->outputs.count > 1) text_format(out, "  (and %u more)", report->outputs.count - 1);
}

void render_row(const Report *report, const DiagnosticList *diagnostics, int color, bool with_file, Text *out) {
  Page page = {out, color};
  const char *names[2] = {report->verdict == VERDICT_NONE ? "bad input" : verdict_name(report->verdict),
                          report->safety == VERDICT_NONE ? "-" : verdict_name(report->safety)};
  Verdict verdicts_of[2] = {report->verdict, report->safety};
  for (int i = 0; i < 2; i++) {
    paint(&page, verdict_color(verdicts_of[i]));
    text_format(out, "%-10s", names[i]);
    paint(&page, "0");
  }
  if (with_file) {
    const char *place =
        report->kernel ? arena_format(out->arena, "%s:%s", report->input, report->kernel) : report->input;
    say_cut(&page, place, strlen(place) < PLACE ? PLACE : (uint32_t)strlen(place));
  } else
    say_cut(&page, report->kernel ? report->kernel : report->input, 32);
  text_add(out, "  ");
  Text last = text_new(out->arena);
  if (report->outputs.count && formula_of(&report->outputs.data[0]))
    row_formula(report, &last);
  else if (report->reason.code)
    say_cut(&(Page){&last, 0}, report->reason.text ? report->reason.text : reason_sentence(report->reason.code), ROW);
  else if (diagnostics->items.count)
    say_cut(&(Page){&last, 0}, diagnostics->items.data[0].message, ROW);
  while (last.count && last.data[last.count - 1] == ' ') last.count--;
  text_append(out, last.data, last.count);
  if (report->reason.code == REASON_EMIT_UNSUPPORTED && report->reason.text) {
    text_add(out, "  [");
    say(&page, report->reason.text);
    text_char(out, ']');
  }
  text_char(out, '\n');
}

void render_diagnostics(const DiagnosticList *diagnostics, int color, Text *out) {
  Text raw = text_new(out->arena);
  for (uint32_t i = 0; i < diagnostics->items.count; i++) {
    Diagnostic shown = diagnostics->items.data[i];
    Text message = text_new(out->arena), help = text_new(out->arena);
    utf8_add_plain(&message, shown.message);
    if (shown.help) utf8_add_plain(&help, shown.help);
    shown.message = text_string(&message);
    if (shown.help) shown.help = text_string(&help);
    diagnostic_render(&shown, out->arena, &raw, color);
  }
  utf8_add(out, text_string(&raw), raw.count);
  if (diagnostics->error_count > diagnostics->limit)
    text_format(out, "%u more errors are not shown\n", diagnostics->error_count - diagnostics->limit);
}

static void left_side(Page *page, const ReportOutput *output) {
  if (!is_tensor_form(output)) return;
  shape(page, &output->tensor);
  text_add(page->out, " = ");
}

void render_formulas(const Report *report, const char *name, Text *out) {
  for (uint32_t i = 0; i < report->outputs.count; i++) {
    const ReportOutput *output = &report->outputs.data[i];
    const char *latex = strcmp(name, "latex") ? NULL : output->latex, *formula = latex ? latex : formula_of(output);
    Page page = {out, 0};
    if (!formula || !*formula) continue;
    if (latex)
      text_add(out, output->latex_left ? output->latex_left : "");
    else
      left_side(&page, output);
    utf8_add(out, formula, strlen(formula));
    if (!latex) region(&page, output);
    text_char(out, '\n');
  }
}
