/* The pipeline of `assay optimize` (optimize.h): input, formula, problem, search, cost, proof.
 *
 * Nothing that the search, the cost model or the text of a graph says is believed: each candidate is a text, and that
 * text is compared with the formula by what `assay check` does. Limits count states, so the same input gives the same
 * candidates everywhere. */
#include "optimize.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "emit/triton.h"
#include "formula/lift_formula.h"
#include "graph/graph.h"
#include "optimize/cost.h"
#include "reference/reference.h"

enum { NOMINAL = 4096, DEFAULT_TOP = 5, DEFAULT_OPS = 11, MAX_PROOFS = 48 };
static const uint64_t MAX_STATES = 2000000;

typedef struct Entry {
  const char *text;
  Cost cost;
  bool is_input;
  uint32_t number; /* in the order of the search */
} Entry;

typedef struct Optimize {
  Arena *arena;
  InternTable *names;
  const Options *options;
  DiagnosticList *diagnostics;
  Report *report;
  Source *formula; /* the input as a text that stands alone */
  const Pointwise *pointwise;
  Problem *problem;
  const Device *device;
  CostSizes sizes;
  SearchResult result;
  Array(Entry) entries;
  uint32_t dropped; /* candidates that were not proved */
} Optimize;

/* ---- the input as a formula ---- */

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static const char *value_of(const Options *options, const char *word, size_t length) {
  for (uint32_t i = 0; i < options->sets.count; i++)
    if (strlen(options->sets.data[i].name) == length && !memcmp(options->sets.data[i].name, word, length))
      return options->sets.data[i].text;
  return NULL;
}

/* The text with the sizes that --set gives as numbers; their declarations go. */
static const char *with_sizes(Optimize *o, const char *text) {
  Text out = text_new(o->arena);
  while (*text) {
    size_t end = strcspn(text, "\n");
    size_t name = 5;
    while (name < end && is_word(text[name])) name++;
    bool is_set = !strncmp(text, "size ", 5) && value_of(o->options, text + 5, name - 5);
    for (size_t at = 0; at < end && !is_set;) {
      size_t word = at;
      while (word < end && is_word(text[word])) word++;
      const char *value = word > at ? value_of(o->options, text + at, word - at) : NULL;
      if (value)
        text_add(&out, value);
      else
        text_append(&out, text + at, word > at ? word - at : 1);
      at = word > at ? word : at + 1;
    }
    if (!is_set) text_char(&out, '\n');
    text += end + (text[end] == '\n');
  }
  return text_string(&out);
}

/* What --stop-after tensor prints of a kernel or a graph. */
static const char *lifted_text(Optimize *o, const CheckInput *input) {
  Options own = *o->options;
  own.stop_after = "tensor";
  Report *report = NULL;
  if (input->kind == CHECK_OPERATION) {
    report = pipeline_lift(o->arena, input->operation, &own, o->diagnostics);
  } else {
    Launch launch = {.file = input->name, .source = input->source};
    report = lift_formula(o->arena, &launch, &own, o->diagnostics);
  }
  if (report && report->reason.code) o->report->reason = report->reason;
  return report ? report->stage_text : NULL;
}

static bool read_input(Optimize *o, const CheckInput *input) {
  bool is_formula = input->kind == CHECK_FORMULA && !graph_is_one(input->source);
  const char *text = is_formula ? input->source->text : lifted_text(o, input);
  uint32_t errors = o->diagnostics->error_count;
  if (!text || errors) return false;
  o->formula = input->source;
  if (!is_formula || o->options->sets.count) {
    text = with_sizes(o, text);
    o->formula = source_new(o->arena, input->name, text, strlen(text));
  }
  TermTable *tt = term_table_new(o->arena, o->names);
  Formula *formula = formula_read(o->arena, tt, o->formula, NULL, o->diagnostics);
  if (!formula || !reference_stand_alone(o->arena, formula, o->formula, o->diagnostics)) return false;
  o->pointwise = formula->pointwise;
  o->report->kernel = formula->kernel ? formula->kernel : "kernel";
  return true;
}

/* ---- candidates ---- */

static const char *note_of(Optimize *o) {
  Text note = text_new(o->arena);
  TermList symbols = {0};
  for (uint32_t c = 0; c < o->problem->class_count; c++) term_symbols(o->problem->tt, o->problem->length[c], &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    text_format(&note, "%s%s = %d", i ? ", " : "numbers chosen for ", term_name(o->problem->tt, symbols.data[i]),
                NOMINAL);
  return symbols.count ? text_string(&note) : NULL;
}

static void add_input(Optimize *o) {
  SearchCandidate c = lower_problem(o->arena, o->problem);
  Entry e = {.is_input = true, .cost = cost_operations(o->problem, &c, &o->sizes, o->device)};
  e.text = lower_operations(o->arena, o->problem, &c, note_of(o));
  array_push(o->arena, &o->entries, e);
}

static void add_candidate(Optimize *o, const SearchCandidate *c) {
  Tiling tiling;
  Entry e = {.number = o->entries.count};
  if (!cost_tune(o->problem, c, &o->sizes, o->device, &tiling, &e.cost)) return;
  e.text = lower_block(o->arena, o->problem, c, &tiling, note_of(o));
  for (uint32_t i = 0; i < o->entries.count; i++)
    if (!strcmp(o->entries.data[i].text, e.text)) return;
  array_push(o->arena, &o->entries, e);
}

static void search(Optimize *o) {
  SearchOptions options = {.max_ops = o->options->max_block_ops ? o->options->max_block_ops : DEFAULT_OPS,
                           .max_states = MAX_STATES,
                           .no_expressions = o->options->no_expressions,
                           .no_canonical = o->options->no_canonical,
                           .no_fingerprints = o->options->no_fingerprints};
  Field *field = arena_new(o->arena, Field);
  field_init(field, 1);
  Abstract *abstract = abstract_new(o->arena, o->problem);
  ClassSet reduced = problem_reduced(o->problem) & ~problem_written(o->problem);
  search_blocks(o->arena, o->problem, abstract, field, PROBLEM_NONE, &options, &o->result);
  for (uint8_t c = 0; c < o->problem->class_count; c++)
    if (reduced >> c & 1) search_blocks(o->arena, o->problem, abstract, field, c, &options, &o->result);
  for (uint32_t i = 0; i < o->result.candidates.count; i++) add_candidate(o, &o->result.candidates.data[i]);
}

static int compare_entries(const void *a, const void *b) {
  const Entry *x = a, *y = b;
  if (x->cost.seconds != y->cost.seconds) return x->cost.seconds < y->cost.seconds ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* ---- proofs ---- */

typedef struct Proof {
  Optimize *o;
  const Entry *entry;
  const Report *report;
} Proof;

static void prove(void *payload) {
  Proof *proof = payload;
  Optimize *o = proof->o;
  Options options = {.arguments = o->options->arguments};
  DiagnosticList own;
  diagnostic_list_init(&own, o->arena);
  const char *text = proof->entry->text;
  CheckInput graph = {
      .kind = CHECK_FORMULA, .name = "graph", .source = source_new(o->arena, "graph", text, strlen(text))};
  CheckInput formula = {.kind = CHECK_FORMULA, .name = o->report->input, .source = o->formula};
  const Report *report = pipeline_check(o->arena, &graph, &formula, &options, &own);
  if (!own.error_count) proof->report = report;
}

/* NULL: Triton cannot express it. */
static const char *triton_text(Optimize *o, const char *text) {
  const char *why;
  TermTable *tt = term_table_new(o->arena, o->names);
  const Graph *graph = graph_read(o->arena, tt, source_new(o->arena, "graph", text, strlen(text)), o->diagnostics);
  return graph ? emit_triton_text(o->arena, graph, o->report->input, &why) : NULL;
}

static void emit(Optimize *o, ReportCandidate *c) {
  for (uint32_t i = 0; i < o->options->emits.count; i++) {
    const char *target = o->options->emits.data[i];
    bool is_graph = !strcmp(target, "graph");
    const char *file = arena_format(o->arena, "c%u.%s.%s", c->rank, target, is_graph ? "graph" : "py");
    const char *text = is_graph ? c->graph : triton_text(o, c->graph);
    if (!text) continue;
    array_push(o->arena, &c->files, file);
    array_push(o->arena, &o->report->emitted, (ReportPair){file, text});
  }
}

static void list(Optimize *o, const Entry *e, const Report *proof) {
  ReportCandidate c = {.rank = o->report->candidates.count + 1,
                       .kernels = e->cost.launches,
                       .launches = e->cost.launches,
                       .graph = e->text,
                       .bytes = e->cost.bytes,
                       .flops = e->cost.flops,
                       .seconds = e->cost.seconds,
                       .is_input = e->is_input,
                       .verdict = proof ? proof->verdict : VERDICT_UNKNOWN};
  c.summary = e->is_input
                  ? "the input as it stands"
                  : arena_format(o->arena, "%.0f blocks, %.1f KiB shared", e->cost.blocks, e->cost.shared / 1024);
  for (uint32_t i = 0; proof && i < proof->assumptions.count; i++)
    array_push(o->arena, &c.assumptions, proof->assumptions.data[i]);
  emit(o, &c);
  array_push(o->arena, &o->report->candidates, c);
}

static void list_candidates(Optimize *o) {
  uint32_t wanted = o->options->top ? o->options->top : DEFAULT_TOP, listed = 0, tried = 0;
  for (uint32_t i = 0; i < o->entries.count; i++) {
    Proof proof = {.o = o, .entry = &o->entries.data[i]};
    if (!proof.entry->is_input && (listed == wanted || tried++ == MAX_PROOFS)) continue;
    guard_attempt(o->arena->guard, 1, prove, &proof);
    bool is_proved = proof.report && proof.report->verdict == VERDICT_PROVED;
    if (!is_proved) o->dropped++;
    if (!is_proved && !o->options->unproved) continue;
    if (!proof.entry->is_input) listed++;
    list(o, proof.entry, proof.report);
  }
}

static void add_stat(Optimize *o, const char *name, uint64_t value) {
  const char *text = arena_format(o->arena, "%llu", (unsigned long long)value);
  array_push(o->arena, &o->report->stats, (ReportPair){name, text});
}

static void finish(Optimize *o) {
  Report *r = o->report;
  for (uint32_t i = 0; i < r->candidates.count; i++)
    if (r->candidates.data[i].verdict == VERDICT_PROVED) r->verdict = r->safety = VERDICT_PROVED;
  if (r->verdict != VERDICT_PROVED) r->verdict = r->safety = VERDICT_UNKNOWN;
  if (r->verdict != VERDICT_PROVED && !r->reason.code)
    r->reason = (ReportReason){REASON_NO_CANDIDATE, "no candidate was proved equal to the input"};
  add_stat(o, "search.states", o->result.stats.states);
  add_stat(o, "search.pruned", o->result.stats.pruned);
  add_stat(o, "search.fingerprints", o->result.stats.fingerprints);
  add_stat(o, "search.candidates", o->result.candidates.count);
  add_stat(o, "search.not_proved", o->dropped);
  add_stat(o, "search.cut", o->result.stats.is_cut);
}

Report *pipeline_optimize(Arena *arena, const CheckInput *input, const Options *options, DiagnosticList *diagnostics) {
  Optimize *o = arena_new(arena, Optimize);
  *o = (Optimize){.arena = arena, .options = options, .diagnostics = diagnostics};
  o->report = arena_new(arena, Report);
  o->names = arena_new(arena, InternTable);
  intern_init(o->names, arena);
  o->report->arena = arena, o->report->input = input->name, o->report->is_optimized = true;
  o->device = device_find(options->target ? options->target : "sm_80");
  if (!read_input(o, input)) return finish(o), o->report;
  o->problem = problem_new(arena, o->pointwise);
  if (o->problem->unsupported) {
    o->report->reason = (ReportReason){REASON_NOT_SEARCHED, o->problem->unsupported};
    return finish(o), o->report;
  }
  o->sizes = cost_sizes(o->problem, NOMINAL);
  add_input(o);
  search(o);
  qsort(o->entries.data, o->entries.count, sizeof *o->entries.data, compare_entries);
  list_candidates(o);
  finish(o);
  return o->report;
}
