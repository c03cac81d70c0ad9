/* From the results of the stages to the report (see report.h). */
#include "report/report.h"

#include <math.h>
#include <string.h>

#include "base/message.h"
#include "emit/emit.h"
#include "emit/replay.h"
#include "laws/laws.h"
#include "lift/deduce.h"
#include "lift/source_text.h"
#include "prove/equal.h"
#include "read/formula/formula.h"
#include "textbook/textbook.h"

static ReportTensor tensor_report(Report *report, TermTable *tt, const PointwiseTensor *t) {
  const char **shape = arena_array(report->arena, const char *, t->rank + 1),
             **strides = arena_array(report->arena, const char *, t->rank + 1);
  for (uint32_t k = 0; k < t->rank; k++) {
    shape[k] = term_text(tt, t->extent[k]);
    strides[k] = term_text(tt, t->stride[k]);
  }
  return (ReportTensor){
      .name = t->name, .kind = "tensor", .dtype = t->dtype, .rank = t->rank, .shape = shape, .strides = strides};
}

static void fill_inputs(Report *report, const Pointwise *p) {
  for (uint32_t i = 0; i < p->tensors.count; i++)
    if (p->tensors.data[i].is_read)
      array_push(report->arena, &report->inputs, tensor_report(report, p->tt, &p->tensors.data[i]));
  for (uint32_t i = 0; i < p->scalars.count; i++) {
    ReportTensor scalar = {.name = p->scalars.data[i].name, .kind = "scalar", .dtype = p->scalars.data[i].dtype};
    array_push(report->arena, &report->inputs, scalar);
  }
}

/* "i, j" */
static const char *index_text(Arena *arena, const Pointwise *p, const PointwiseOutput *output) {
  Text text = text_new(arena);
  for (uint32_t k = 0; k < output->rank; k++)
    text_format(&text, "%s%s", k ? ", " : "", term_text(p->tt, output->index[k]));
  return text_string(&text);
}

/* "y[i, j] = value for region" for each piece. */
static const char *pointwise_text(Arena *arena, const Pointwise *p, const PointwiseOutput *output) {
  static const char *const combine[] = {"=", "+=", "*=", "max=", "min=", "|=", "&=", "^=", "?", "?"};
  TermTable *tt = p->tt;
  Text text = text_new(arena);
  text_add(&text, p->tensors.data[output->tensor].name);
  for (uint32_t k = 0; k < output->rank; k++)
    text_format(&text, "%s%s", k ? ", " : "[", term_text(tt, output->index[k]));
  if (output->rank) text_char(&text, ']');
  for (uint32_t i = 0; i < output->pieces.count; i++) {
    const PointwisePiece *piece = &output->pieces.data[i];
    text_format(&text, "%s %s %s", i ? ";" : "", combine[piece->accumulate], term_text(tt, piece->value));
    if (piece->region != tt->true_) text_format(&text, " for %s", term_text(tt, piece->region));
  }
  return text_string(&text);
}

const char *report_pointwise(Arena *arena, const Pointwise *pointwise) {
  Text text = text_new(arena);
  formula_print(pointwise, &text);
  return text_string(&text);
}

const char *report_declarations(Arena *arena, const Pointwise *pointwise) {
  Text text = text_new(arena);
  text_format(&text, "formula %s\n", pointwise->kernel);
  formula_print_declarations(pointwise, &text);
  return text_string(&text);
}

/* The number of the line that reads like that; the next one, if there is none. */
static uint32_t line_of(const Report *report, const char *text) {
  uint32_t i = 0;
  while (i < report->assumptions.count && strcmp(report->assumptions.data[i].text, text)) i++;
  return i;
}

/* The literals that the formula's text takes for constants. */
static void assume_constants(Report *report, const TensorConstants *constants) {
  for (uint32_t i = 0; i < constants->count; i++) {
    const TensorConstant *c = &constants->data[i];
    double literal = rational_to_double(c->literal);
    const char *text = arena_format(report->arena, "%.9g is %s", literal, c->closed);
    bool is_decimal = strspn(c->closed, "0123456789.") == strlen(c->closed);
    if (!is_decimal) text = arena_format(report->arena, "%s = %.17g", text, c->value);
    if (line_of(report, text) < report->assumptions.count) continue;
    const char *why =
        arena_format(report->arena, "a literal off by %.2g, within 2 ulp of its format", fabs(literal - c->value));
    const char *id = arena_format(report->arena, "a%u", report->assumptions.count + 1);
    array_push(report->arena, &report->assumptions, (ReportAssumption){id, ASSUME_CONSTANT, text, why, NULL});
  }
}

static void push_assumptions(TermTable *tt, const Claim *claim) {
  for (uint32_t i = 0; i < claim->assumptions.count; i++)
    if (claim->assumptions.data[i].condition) term_push_fact(tt, claim->assumptions.data[i].condition);
}

/* The condition without the parts that the others imply. */
static Term without_implied(TermTable *tt, Term t) {
  for (uint32_t i = 0; term_kind(tt, t) == TERM_AND && i < term_count(tt, t); i++) {
    Term part = term_arg(tt, t, i), others = tt->true_;
    uint32_t facts = tt->facts.count;
    for (uint32_t k = 0; k < term_count(tt, t); k++) {
      if (k == i) continue;
      others = term_and(tt, others, term_arg(tt, t, k));
      term_push_fact(tt, term_arg(tt, t, k));
    }
    bool implied = term_prove_true(tt, part);
    term_pop_facts(tt, facts);
    if (!implied) continue;
    t = others;
    i = UINT32_MAX; /* once more */
  }
  return t;
}

/* Where the pieces are, in as few conditions as are known: "i < n or i >= n and j < 3". */
enum { REGIONS_MOST = 8 };

static Term union_of(TermTable *tt, const Term *region, uint32_t n) {
  Term all = n ? region[0] : tt->false_;
  for (uint32_t i = 1; i < n; i++) all = term_or(tt, all, region[i]);
  return all;
}

static uint32_t region_list(TermTable *tt, const Claim *claim, const PointwiseOutput *output, Term *region) {
  uint32_t n = 0, facts = tt->facts.count;
  push_assumptions(tt, claim);
  for (uint32_t i = 0; i < output->pieces.count; i++) {
    Term own = without_implied(tt, output->pieces.data[i].region), both = 0;
    for (uint32_t k = 0; k < n && !both; k++)
      if ((both = term_unite(tt, region[k], own)) != 0) region[k] = without_implied(tt, both);
    if (!both && n < REGIONS_MOST)
      region[n++] = own;
    else if (!both)
      region[REGIONS_MOST - 1] = term_or(tt, region[REGIONS_MOST - 1], own);
  }
  Term all = union_of(tt, region, n);
  term_pop_facts(tt, facts);
  bool several = term_kind(tt, all) == TERM_OR && term_count(tt, all) <= REGIONS_MOST;
  n = several ? term_count(tt, all) : 1;
  for (uint32_t i = 0; i < n; i++) region[i] = several ? term_arg(tt, all, i) : all;
  return n;
}

static const char *region_text(TermTable *tt, const Term *region, uint32_t n) {
  Term all = union_of(tt, region, n);
  return all == tt->true_ ? "all" : term_text(tt, all);
}

/* The regions of the pieces together are the whole tensor, under the assumptions. */
static bool is_whole(TermTable *tt, const Claim *claim, const PointwiseOutput *output) {
  uint32_t facts = tt->facts.count;
  bool whole = false;
  push_assumptions(tt, claim);
  for (uint32_t first = 0; first < output->pieces.count && first < 8 && !whole;
       first++) { /* what is left of one, by the others */
    Term others = term_not(tt, output->pieces.data[first].region), left = others;
    for (uint32_t i = 0; i < output->pieces.count && i < 8 && !whole; i++) {
      Term region = output->pieces.data[i].region;
      left = term_assume(tt, term_and(tt, left, term_not(tt, region)), tt->true_);
      whole = left == tt->false_ || term_assume(tt, region, others) == tt->true_;
    }
  }
  term_pop_facts(tt, facts);
  return whole;
}

static bool has_bits(const TensorExpr *e) {
  if (e->op == TENSOR_BITS) return true;
  for (uint32_t i = 0; i < e->count; i++)
    if (has_bits(e->args[i])) return true;
  return false;
}

/* The same with names for its parts, in `let` lines before it, where it would be cut. */
static void name_parts(Report *report, const Pointwise *p, const PointwiseOutput *output, ReportOutput *out) {
  TermList roots = {0};
  for (uint32_t i = 0; i < output->pieces.count; i++) {
    array_push(report->arena, &roots, output->pieces.data[i].value);
    array_push(report->arena, &roots, output->pieces.data[i].region);
  }
  if (!strstr(out->pointwise, "...") || !term_parts_begin(p->tt, roots.count, roots.data)) return;
  out->pointwise = term_parts_end(p->tt, pointwise_text(report->arena, p, output));
  const char *last = strrchr(out->pointwise, '\n');
  out->line = last ? last + 1 : NULL;
}

/* --explain=simplify: one law a line. */
static void note_laws(Report *report, TermTable *tt, const char *name, const TensorSteps *steps) {
  for (uint32_t i = 0; i < steps->count && report->explains; i++) {
    const TensorStep *step = &steps->data[i];
    array_push(report->arena, &report->steps,
               arena_format(report->arena, "simplify: %s: %s: %s = %s", name, step->law, tensor_text(tt, step->before),
                            tensor_text(tt, step->after)));
  }
}

static void fill_output(Report *report, const Claim *claim, const PointwiseOutput *output, TensorBitsList *bits) {
  const Pointwise *p = claim->pointwise;
  TermTable *tt = p->tt;
  const PointwiseTensor *t = &p->tensors.data[output->tensor];
  PointwiseOutput *own = arena_new(report->arena, PointwiseOutput), whole = *own = deduce_whole(p, output);
  Term region[REGIONS_MOST] = {tt->true_};
  uint32_t regions = is_whole(tt, claim, &whole) ? 1 : region_list(tt, claim, &whole, region);
  ReportOutput out = {.tensor = tensor_report(report, tt, t),
                      .region = region_text(tt, region, regions),
                      .verdict = report->verdict,
                      .form = "pointwise",
                      .whole = own,
                      .indices = index_text(report->arena, p, &whole),
                      .pointwise = pointwise_text(report->arena, p, &whole),
                      .latex_left = "",
                      .latex = emit_latex_pointwise(p, &whole)};
  name_parts(report, p, &whole, &out);
  out.text = out.raw = out.pointwise;
  const char *why = NULL;
  const TensorExpr *formula = output->formula || output->is_of_elements || report->is_not_found
                                  ? output->formula
                                  : deduce(p, output, bits, &why);
  if (formula) {
    TensorConstants constants = {0};
    TensorSteps steps = {0};
    const TensorLaws laws = {.constants = &constants, .steps = &steps, .without = report->no_laws};
    const TensorExpr *textbook = report->no_simplify ? formula : textbook_simplify(tt, claim, formula, laws);
    note_laws(report, tt, t->name, &steps);
    assume_constants(report, &constants);
    out.form = "tensor", out.names_bits = bits->count && has_bits(formula);
    out.formula = textbook;
    out.raw = tensor_text(tt, formula);
    out.text = tensor_text(tt, textbook);
    const char *named = report->no_simplify ? out.text : tensor_text(tt, textbook_named(tt, claim, textbook, laws));
    out.named = strcmp(named, out.text) ? named : NULL;
    out.latex_left = emit_latex_left(tt, t);
    out.latex =
        arena_format(report->arena, "%s%s", tensor_latex(tt, textbook), emit_latex_region(tt, &whole, region, regions));
  } else if (why) {
    array_push(report->arena, &report->steps,
               arena_format(report->arena, "deduce: %s has no tensor form: %s", t->name, why));
  }
  array_push(report->arena, &report->outputs, out);
}

static bool is_of_elements(const ReportOutput *out, bool is_read) {
  return strcmp(out->form, "tensor") || (is_read && out->names_bits);
}

/* "y[rows, cols] = formula for i, j: region"; in pointwise form "y[i, j] = value for region". */
static void add_formula(const ReportOutput *out, bool is_read, const char *element, const char *formula, Text *text) {
  if (is_of_elements(out, is_read)) { /* of rank 0: y[] = ..., as a bare name begins the other form */
    size_t name = strlen(out->tensor.name);
    text_format(text, "%s%s%s\n", out->tensor.name, out->tensor.rank ? "" : "[]", element + name);
    return;
  }
  text_add(text, out->tensor.name);
  for (uint32_t k = 0; k < out->tensor.rank; k++) text_format(text, "%s%s", k ? ", " : "[", out->tensor.shape[k]);
  text_format(text, "%s = %s", out->tensor.rank ? "]" : "", formula);
  if (strcmp(out->region, "all")) text_format(text, " for %s: %s", out->indices, out->region);
  text_char(text, '\n');
}

const char *report_tensor(const Report *report) {
  for (uint32_t i = 0; i < report->outputs.count; i++)
    if (report->outputs.data[i].line) return report_tensor_stage(report); /* names are those of all outputs there */
  Text text = text_new(report->arena);
  for (uint32_t i = 0; i < report->outputs.count; i++)
    add_formula(&report->outputs.data[i], false, report->outputs.data[i].pointwise, report->outputs.data[i].text,
                &text);
  return text_string(&text);
}

const char *report_tensor_stage(const Report *report) {
  const Pointwise *p = report->claim->pointwise;
  TermTable *tt = p->tt;
  Text text = text_new(report->arena), lines = text_new(report->arena);
  TermList elements = {0};
  Array(const TensorExpr *) formulas = {0};
  for (uint32_t i = 0; i < report->outputs.count; i++) {
    const ReportOutput *out = &report->outputs.data[i];
    if (!is_of_elements(out, true))
      array_push(report->arena, &formulas, out->formula);
    else
      for (uint32_t k = 0; k < out->whole->pieces.count; k++) {
        array_push(tt->arena, &elements, out->whole->pieces.data[k].value);
        array_push(tt->arena, &elements, out->whole->pieces.data[k].region);
      }
  }
  bool is_long = term_parts_begin(tt, elements.count, elements.data);
  TensorParts *parts = tensor_parts_new(tt, formulas.count, formulas.data);
  for (uint32_t i = 0; i < report->outputs.count; i++) {
    const ReportOutput *out = &report->outputs.data[i];
    bool of_elements = is_of_elements(out, true);
    const char *element = of_elements && is_long ? pointwise_text(report->arena, p, out->whole) : out->pointwise;
    add_formula(out, true, element, !of_elements && parts ? tensor_text_with(tt, out->formula, parts) : out->text,
                &lines);
  }
  for (uint32_t at = 0; tensor_parts_next(parts, &at, &text);) {
  }
  text_add(&text, term_parts_end(tt, text_string(&lines)));
  return text_string(&text);
}

typedef struct Emission {
  EmitFunction *emit;
  const Pointwise *p;
  const EmitHeader *header;
  Text text;
} Emission;

static void emit_module(void *payload) {
  Emission *e = payload;
  e->emit(e->p, e->header, &e->text);
}

/* The formula has no module there: none is written, and the exit code says so. */
static void refuse_emission(Report *report, const char *target) {
  const char *why = arena_format(report->arena, "--emit %s: %s", target, report->arena->guard->message);
  array_push(report->arena, &report->not_emitted, why);
  if (!report->reason.code) report->reason = (ReportReason){REASON_EMIT_UNSUPPORTED, why};
}

void report_emit(Report *report, const Pointwise *p, const Options *options) {
  Text formula = text_new(report->arena), verdict = text_new(report->arena);
  const char **assumptions = arena_array(report->arena, const char *, report->assumptions.count + 1);
  for (uint32_t i = 0; i < report->assumptions.count; i++) assumptions[i] = report->assumptions.data[i].text;
  text_add(&formula, report_tensor(report));
  text_add(&verdict, verdict_name(report->verdict));
  if (report->reason.text) text_format(&verdict, ": %s", report->reason.text);
  EmitHeader header = {text_string(&formula), text_string(&verdict), assumptions, report->assumptions.count};
  for (uint32_t i = 0; i < options->emits.count; i++) {
    const char *name = options->emits.data[i];
    EmitFunction *emit = emit_find(name);
    if (!emit) continue;
    Emission *e = arena_new(report->arena, Emission);
    *e = (Emission){emit, p, &header, text_new(report->arena)};
    if (guard_attempt(report->arena->guard, 1, emit_module, e))
      array_push(report->arena, &report->emitted, (ReportPair){name, text_string(&e->text)});
    else
      refuse_emission(report, name);
  }
}

void report_replay(Report *report, const Claim *claim, const Options *options) {
  bool wanted = false;
  for (uint32_t i = 0; i < options->emits.count; i++) wanted |= !strcmp(options->emits.data[i], "replay");
  for (uint32_t i = 0; i < claim->obligations.count && wanted; i++) {
    const Obligation *o = &claim->obligations.data[i];
    if (o->verdict != OBLIGATION_REFUTED || !o->run) continue;
    if (program_result_count(o->run->program, o->run->function)) continue; /* no kernel that Triton launches */
    const char *detail = message_plain(report->arena, o->detail);
    ReplayHeader header = {obligation_name(o->kind), execute_where(claim->ex, o->op), detail, o->tensor};
    Text text = text_new(report->arena);
    emit_replay(o->run, &header, &text);
    array_push(report->arena, &report->emitted, (ReportPair){"replay", text_string(&text)});
    return;
  }
}

/* `bits(seed, i)`: what a formula only names. */
static void fill_bits(Report *report, const TensorBitsList *bits) {
  for (uint32_t i = 0; i < bits->count; i++) {
    const TensorBits *b = bits->data[i];
    Text text = text_new(report->arena);
    text_format(&text, "%s(", b->name);
    for (uint32_t k = 0; k < b->count; k++) text_format(&text, "%s%s", k ? ", " : "", b->label[k]);
    text_add(
        &text,
        "): random bits, integer arithmetic modulo 2**32 or 2**64 that `pointwise` and emitted modules have in full");
    array_push(report->arena, &report->opaque, text_string(&text));
  }
}

/* A bitcast that another one takes back is not left in what is stored. */
static bool has_opaque(const Effects *ex) {
  bool found = ex->stop_code != REASON_NONE;
  for (uint32_t i = 0; i < ex->accesses.count; i++) {
    const Access *a = &ex->accesses.data[i];
    found |= ((term_node(ex->tt, a->offset)->flags | term_node(ex->tt, a->mask)->flags |
               (a->value ? term_node(ex->tt, a->value)->flags : 0)) &
              TERM_HAS_OPAQUE) != 0;
  }
  return found;
}

static void fill_notes(Report *report, const Effects *ex) {
  for (uint32_t i = 0; i < ex->roundings.count; i++)
    array_push(report->arena, &report->roundings, ex->roundings.data[i].text);
  for (uint32_t i = 0; i < ex->opaque.count && has_opaque(ex); i++)
    array_push(report->arena, &report->opaque, ex->opaque.data[i].text);
  for (uint32_t i = 0; i < ex->literals.count; i++) {
    bool known = false;
    for (uint32_t k = 0; k < report->literals.count; k++)
      known |= !strcmp(report->literals.data[k], ex->literals.data[i].text);
    if (!known) array_push(report->arena, &report->literals, ex->literals.data[i].text);
  }
}

/* How little an assumption says of this kernel: what many kernels need comes behind what is its own. */
static uint32_t generality(const Assumption *a) {
  switch (a->kind) {
  case ASSUME_COVER:
  case ASSUME_STATED:
  case ASSUME_PRECONDITION:
  case ASSUME_RECTANGULAR:
  case ASSUME_UNDERFLOW:
  case ASSUME_ZERO_FILL:
  case ASSUME_POSITIVE:
  case ASSUME_LAUNCH: return 0;
  case ASSUME_GRID: return a->is_single ? 3 : 1;
  case ASSUME_CONSTANT:
  case ASSUME_FLOATS:
  case ASSUME_USER: return 2;
  case ASSUME_DISJOINT:
  case ASSUME_FINITE: return 3;
  case ASSUME_RANGE: return a->of_extent ? 0 : a->limit ? 2 : a->of_sizes ? 3 : 4;
  }
  return 4;
}

/* In the order in which they are printed; by number in the claim: the number in the report. */
static const uint32_t *fill_assumptions(Report *report, const Claim *claim) {
  uint32_t *place = arena_array(report->arena, uint32_t, claim->assumptions.count + 1);
  for (uint32_t of = 0; of <= 4; of++)
    for (uint32_t i = 0; i < claim->assumptions.count; i++) {
      const Assumption *a = &claim->assumptions.data[i];
      if (generality(a) != of) continue;
      const char *text = message_plain(report->arena, a->text), *why = message_plain(report->arena, a->why);
      place[i] = line_of(report, text);
      if (place[i] < report->assumptions.count) continue;
      const char *id = arena_format(report->arena, "a%u", report->assumptions.count + 1);
      ReportAssumption line = {id, a->kind, text, why, message_plain(report->arena, a->limit)};
      array_push(report->arena, &report->assumptions, line);
    }
  return place;
}

static const ReportWitness *witness_report(Report *report, const SampleWitness *w) {
  ReportWitness *out = arena_new(report->arena, ReportWitness);
#define COPY(field)                                                                                                    \
  for (uint32_t i = 0; i < w->field.count; i++)                                                                        \
  array_push(report->arena, &out->field, (ReportPair){w->field.data[i].name, w->field.data[i].value})
  COPY(sizes);
  COPY(scalars);
  COPY(strides);
  COPY(program);
  COPY(lane);
  COPY(index);
  COPY(inputs);
#undef COPY
  out->left = w->left, out->right = w->right;
  return out;
}

static void fill_obligations(Report *report, const Claim *claim, const uint32_t *place) {
  static const Verdict verdicts[] = {VERDICT_PROVED, VERDICT_REFUTED, VERDICT_UNKNOWN};
  for (uint32_t i = 0; i < claim->obligations.count; i++) {
    const Obligation *o = &claim->obligations.data[i];
    ReportObligation r = {.kind = o->kind,
                          .verdict = verdicts[o->verdict],
                          .tensor = o->tensor,
                          .detail = message_plain(report->arena, o->detail),
                          .may_leave = o->is_extent || o->is_of_data,
                          .is_of_inputs = o->of_inputs == OF_INPUTS_ALONE};
    const char **under = arena_array(report->arena, const char *, o->under.count + 1);
    for (uint32_t k = 0; k < o->under.count; k++) {
      const char *id = report->assumptions.data[place[o->under.data[k]]].id;
      bool known = false; /* of what reads the same */
      for (uint32_t n = 0; n < r.under_count; n++) known |= under[n] == id;
      if (!known) under[r.under_count++] = id;
    }
    r.under = under;
    const char *slash = strrchr(report->input, '/');
    r.where = o->where    ? o->where
              : claim->ex ? execute_where(claim->ex, o->op)
              : slash     ? slash + 1
                          : report->input; /* of a formula: its file */
    if (o->witness) r.witness = witness_report(report, o->witness);
    array_push(report->arena, &report->obligations, r);
  }
}

void report_sample(Report *report, Claim *claim, const SampleResult *sample) {
  switch (sample->status) {
  case SAMPLE_AGREES:
    report->verdict = VERDICT_PROBABLE;
    report->reason = (ReportReason){REASON_RANDOM_EVALUATION, sample->text};
    break;
  case SAMPLE_NOT_EVALUATED: report->reason = (ReportReason){REASON_NOT_EVALUATED, sample->text}; break;
  case SAMPLE_MISMATCH:
    claim->stop_code = sample->is_outside    ? REASON_OUTSIDE
                       : sample->is_rounding ? REASON_ROUNDING
                                             : REASON_LIFT_MISMATCH;
    claim->stop_text = arena_format(
        report->arena,
        sample->is_outside    ? "a store leaves the rows of %s that its addresses are taken for: out of "
                                "bounds, or into a row of which another program writes a part"
        : sample->is_rounding ? "rounding decides what %s is, as in x + 1e-18 == x, and the formula is over the reals"
                              : "the formula found for %s differs from the kernel: a fault of assay",
        sample->output);
    report->reason = (ReportReason){claim->stop_code, claim->stop_text};
    report->witness = witness_report(report, &sample->witness);
    break;
  }
}

void report_keep_steps(Report *report, const Options *options) {
  uint32_t kept = 0;
  size_t size = options->explain_stage ? strlen(options->explain_stage) : 0;
  for (uint32_t i = 0; i < report->steps.count && options->explain; i++) {
    const char *step = message_plain(report->arena, report->steps.data[i]),
               *inner = strstr(step, ": "); /* of one kernel of several: its name comes first */
    bool own =
        !strncmp(step, options->explain_stage ? options->explain_stage : "", size) && (!size || step[size] == ':');
    if (!own && inner) own = !strncmp(inner + 2, options->explain_stage, size) && inner[2 + size] == ':';
    if (own) report->steps.data[kept++] = step;
  }
  report->steps.count = kept;
}

void report_steps(Report *report, const char *name, const char *lines) {
  while (lines && *lines) {
    size_t length = strcspn(lines, "\n");
    array_push(report->arena, &report->steps,
               arena_format(report->arena, "prove: %s: by %.*s", name, (int)length, lines));
    lines += length + (lines[length] == '\n');
  }
}

void report_proof(Report *report, const Claim *claim, const ProveResult *proof) {
  uint32_t engines[EQUAL_ENGINE_COUNT] = {0};
  (void)claim;
  for (uint32_t i = 0; i < proof->goals.count; i++) {
    const ProveGoal *g = &proof->goals.data[i];
    const char *engine = g->engine == EQUAL_NONE ? "ranges" : equal_engine_name(g->engine);
    engines[g->engine]++;
    array_push(report->arena, &report->steps,
               arena_format(report->arena, "prove: %s: %s%s%s", g->name, g->proved ? engine : "not shown",
                            g->open ? ": " : "", g->open ? g->open : ""));
    report_steps(report, g->name, g->steps);
  }
  for (uint32_t i = 0; i < EQUAL_ENGINE_COUNT; i++) {
    const char *name =
        arena_format(report->arena, "goals.%s", i == EQUAL_NONE ? "ranges" : equal_engine_name((EqualEngine)i));
    array_push(report->arena, &report->stats, (ReportPair){name, arena_format(report->arena, "%u", engines[i])});
  }
  if (proof->proved) {
    report->verdict = VERDICT_PROVED;
    report->reason = (ReportReason){0};
  } else if (report->verdict == VERDICT_PROBABLE) {
    report->reason = (ReportReason){REASON_NOT_PROVED, arena_format(report->arena, "not shown for all sizes: %s; %s",
                                                                    proof->why, report->reason.text)};
  }
}

void report_loops(Report *report, const Claim *claim) {
  const Effects *ex = claim->ex;
  Arena *arena = report->arena;
  for (uint32_t i = 0; i < ex->loops.count; i++) {
    const LoopRecord *loop = &ex->loops.data[i];
    const char *where = execute_where(ex, loop->op);
    array_push(arena, &report->steps,
               arena_format(arena, "execute: %s: a loop of %s iterations", where,
                            source_text(ex->tt, claim, loop->op, loop->trips)));
    for (uint32_t k = 0; k < loop->values.count; k++) {
      const LoopValue *v = &loop->values.data[k];
      const char *name = source_carried(ex, v);
      array_push(arena, &report->steps,
                 arena_format(arena, "execute: %s: one iteration makes %s: %s", where, name,
                              source_text_in_loop(claim, loop, v, false, v->step)));
      array_push(arena, &report->steps,
                 arena_format(arena, "execute: %s: before an iteration %s is: %s", where, name,
                              source_text_in_loop(claim, loop, v, true, v->closed)));
    }
  }
}

void report_push_said(const Claim *claim) {
  for (uint32_t i = 0; i < claim->assumptions.count; i++) {
    const Assumption *said = &claim->assumptions.data[i];
    if (said->kind == ASSUME_USER && said->condition) term_push_sizes(claim->tt, said->condition);
  }
}

void report_fill(Report *report, const Claim *claim, Claim *const *launches, uint32_t count) {
  const uint32_t *place = fill_assumptions(report, claim);
  report->reason.text = message_plain(report->arena, report->reason.text);
  report->undefined_where = message_plain(report->arena, report->undefined_where);
  for (uint32_t i = 0; i < count; i++) {
    fill_obligations(report, launches[i], place);
    if (launches[i]->ex) fill_notes(report, launches[i]->ex);
  }
  if (!claim->pointwise) return;
  fill_inputs(report, claim->pointwise);
  TensorBitsList bits = {0};
  uint32_t facts = claim->tt->facts.count;
  report_push_said(claim);
  for (uint32_t i = 0; i < claim->pointwise->outputs.count && !claim->stop_code; i++)
    fill_output(report, claim, &claim->pointwise->outputs.data[i], &bits);
  term_pop_facts(claim->tt, facts);
  fill_bits(report, &bits);
}
