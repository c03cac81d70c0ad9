/* The pipeline of `assay optimize` (optimize.h): input, formula, problem, search, cost, proof.
 *
 * Nothing that the search, the cost model or the text of a graph says is believed: each candidate is a text, and that
 * text is compared with the formula by what `assay check` does. Limits count states, so the same input gives the same
 * candidates everywhere. */
#include "optimize.h"

#include "optimize_shard.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "check.h"
#include "compare/side.h"
#include "emit/cuda.h"
#include "emit/svg.h"
#include "emit/triton.h"
#include "formula/lift_formula.h"
#include "graph/graph.h"
#include "operation/arguments.h"
#include "optimize/cost.h"
#include "optimize/cuts.h"
#include "optimize/kernels.h"
#include "optimize/passes.h"
#include "optimize/region.h"
#include "pipeline.h"
#include "reference/reference.h"
#include "report/json.h"
#include "report/render.h"

enum {
  NOMINAL = 4096,
  LEAST_NOMINAL = 64,
  FALL_OF_NOMINAL = 8,
  DEFAULT_TOP = 10,
  DEFAULT_OPS = 14,
  MAX_PROOFS = 48,
  MAX_TUNED = 64,
  MAX_SPLIT = 4,
  MAX_WITHIN = 4,
  MAX_OF_PART = 8,
  PROOF_READS = 20000
};
static const double SEARCH_SHARE = 0.6, PROOF_SHARE = 0.5, UNIT_SHARE = 0.95; /* of the time that is left */
static const uint64_t MAX_STATES = 500000, PART_STATES = 100000, SHORT_STATES = 20000;

typedef struct Optimize {
  Arena *arena;
  InternTable *names;
  const Options *options;
  DiagnosticList *diagnostics;
  Report *report;
  Source *formula;  /* the input as a text that stands alone, to be searched */
  CheckInput right; /* what candidates are compared with: the input itself, not the formula that was found for it */
  const Pointwise *pointwise;
  Problem *problem;
  const Device *device;
  int32_t nominal; /* what sizes that stay symbols are taken as */
  bool is_long;    /* the formula in its own order has a block that fits no device at any of them: parts come first */
  Field *field;
  OptimizeSearch search;
  uint32_t unit;    /* of the search, at hand (optimize_shard.h) */
  uint32_t dropped; /* candidates that were not proved */
  uint32_t ended;   /* proofs that the time limit ended */
} Optimize;

/* ---- the input as a formula ---- */

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static const NamedNumber *value_of(const Options *options, const char *word, size_t length) {
  for (uint32_t i = 0; i < options->sets.count; i++)
    if (strlen(options->sets.data[i].name) == length && !memcmp(options->sets.data[i].name, word, length))
      return &options->sets.data[i];
  return NULL;
}

/* As formulas are read: negative numbers in parentheses, and others by the shortest decimal that is this number. */
static void add_number(Text *out, const NamedNumber *number) {
  const char *text = arena_format(out->arena, "%lld", (long long)number->integer);
  for (int digits = 1; !number->is_integer && digits <= 17; digits++) {
    text = arena_format(out->arena, "%.*g", digits, number->real);
    if (strtod(text, NULL) == number->real) break;
  }
  text_format(out, *text == '-' ? "(%s)" : "%s", text);
}

/* The line of the text that declares the name as a size or a scalar; NULL: there is none. */
static const char *declaration_of(const char *text, const char *kind, const char *name) {
  size_t length = strlen(name), word = strlen(kind);
  for (const char *line = text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (!strncmp(line, kind, word) && line[word] == ' ' && !strncmp(line + word + 1, name, length) &&
        !is_word(line[word + 1 + length]))
      return line;
  }
  return NULL;
}

/* A name among the extents of a tensor is a size, with a line of its own or without. */
static bool is_extent(const char *text, const char *name) {
  size_t length = strlen(name);
  for (const char *line = text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (strncmp(line, "tensor ", 7)) continue;
    size_t end = strcspn(line, "\n");
    for (size_t at = strcspn(line, "[\n"); at + length < end; at++)
      if (!is_word(line[at - 1]) && !strncmp(line + at, name, length) && !is_word(line[at + length])) return true;
  }
  return false;
}

/* A scalar whose type is that of integers. */
static bool is_whole(const char *scalar) {
  const char *type = scalar + strcspn(scalar, ":\n");
  type += *type == ':';
  type += strspn(type, " ");
  return *type == 'i' || *type == 'u';
}

/* What --set names is a size or a scalar of the text, and has a value that it may have. */
static void check_sets(Optimize *o, const char *text) {
  for (uint32_t i = 0; i < o->options->sets.count; i++) {
    const NamedNumber *set = &o->options->sets.data[i];
    const char *scalar = declaration_of(text, "scalar", set->name);
    bool size = declaration_of(text, "size", set->name) || (!scalar && is_extent(text, set->name)),
         is_size = set->is_integer && set->integer >= 1 && set->integer <= INT32_MAX;
    if (!size && !scalar)
      diagnostic_add(o->diagnostics, SEVERITY_ERROR, "usage.argument", NULL, (Span){0, 0}, NULL,
                     "--set: no size or scalar '%s'", set->name);
    else if (size ? !is_size : is_whole(scalar) ? !set->is_integer : !set->is_real)
      diagnostic_add(o->diagnostics, SEVERITY_ERROR, "usage.option", NULL, (Span){0, 0}, NULL, "--set %s=%s: %s",
                     set->name, set->text,
                     size               ? "the size of an axis is from 1 to 2147483647"
                     : is_whole(scalar) ? "this is no whole number"
                                        : "this is no number");
  }
}

/* eps of layer_norm(x, axis=1, eps=e): the name of an argument. */
static bool is_keyword(const char *behind) {
  behind += strspn(behind, " ");
  return *behind == '=' && behind[1] != '=';
}

/* The text with the sizes and scalars that --set gives as numbers; their declarations go. */
static const char *with_numbers(Optimize *o, const char *text) {
  Text out = text_new(o->arena);
  while (*text) {
    size_t end = strcspn(text, "\n");
    size_t kind = !strncmp(text, "size ", 5) ? 5 : !strncmp(text, "scalar ", 7) ? 7 : 0, name = kind;
    while (name < end && is_word(text[name])) name++;
    bool is_set = kind && value_of(o->options, text + kind, name - kind);
    for (size_t at = 0; at < end && !is_set;) {
      size_t word = at;
      while (word < end && is_word(text[word])) word++;
      const NamedNumber *value = word > at ? value_of(o->options, text + at, word - at) : NULL;
      if (value && !is_keyword(text + word))
        add_number(&out, value);
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
    memset(&own.sets, 0, sizeof own.sets); /* numbers go into the text */
    report = lift_formula(o->arena, &launch, &own, o->diagnostics);
  }
  if (report && report->reason.code) o->report->reason = report->reason;
  return report ? report->stage_text : NULL;
}

/* A Python function of tensors whose shapes --shape gives, as a formula in tensor form. */
static const char *reference_text(Optimize *o, const CheckInput *input, bool textbook) {
  Side side = {.input = input, .kernel = input->function};
  Pairing pairing = {.arena = o->arena, .options = o->options, .diagnostics = o->diagnostics};
  Pointwise *known = side_shapes(o->arena, o->names, o->options, o->diagnostics);
  Text text = text_new(o->arena), outputs = text_new(o->arena), declared = text_new(o->arena);
  pairing.assumptions = arena_new(o->arena, CompareAssumptions);
  if (!known || !side_apply(&side, known, NULL, &pairing, true)) return NULL;
  for (uint32_t i = 0; i < side.outputs.count; i++) {
    const CompareOutput *out = &side.outputs.data[i];
    if (!out->expression) return NULL;
    if (out->is_left_in_argument)
      return diagnostic_add(o->diagnostics, SEVERITY_ERROR, "reference.changed", input->source, (Span){0, 0},
                            "write x = x + y for a new value", "%s changes its argument %s in place", input->function,
                            out->argument),
             NULL;
    const char *name = out->name[0] != '#'       ? out->name
                       : side.outputs.count == 1 ? "result"
                                                 : arena_format(o->arena, "result_%s", out->name + 1);
    for (uint32_t k = 0; k < known->tensors.count; k++) /* m = f(m): an argument has that name */
      if (!strcmp(known->tensors.data[k].name, name)) name = arena_format(o->arena, "%s_", name);
    text_format(&declared, "tensor %s: f32[", name);
    for (uint32_t k = 0; k < out->rank; k++) {
      text_format(&declared, "%s%s", k ? ", " : "", term_text(known->tt, out->shape[k]));
      if (!term_prove_le(known->tt, known->tt->one, out->shape[k])) /* no axis is empty */
        array_push(o->arena, &pairing.assumptions->conditions, term_le(known->tt, known->tt->one, out->shape[k]));
    }
    text_add(&declared, "]\n");
    text_format(&outputs, "%s = %s\n", name,
                tensor_text(known->tt, textbook ? tensor_textbook(known->tt, out->expression, &(TensorLaws){0})
                                                : out->expression));
  }
  for (uint32_t i = 0; i < known->tensors.count; i++) /* the last one stands for no tensor (side_shapes) */
    if (!strcmp(known->tensors.data[i].name, "none")) known->tensors.count = i;
  text_format(&text, "formula %s\n", input->function);
  formula_print_declarations(known, &text);
  for (uint32_t i = 0; i < pairing.assumptions->conditions.count; i++)
    text_format(&text, "assume %s\n", term_text(known->tt, pairing.assumptions->conditions.data[i]));
  text_format(&text, "%s%s", text_string(&declared), text_string(&outputs));
  return text_string(&text);
}

/* Operations of the problem that a text is; UINT32_MAX: it is none. */
static uint32_t size_of(Optimize *o, const char *text) {
  DiagnosticList own;
  diagnostic_list_init(&own, o->arena);
  if (!text) return UINT32_MAX;
  Source *source = source_new(o->arena, "formula", text, strlen(text));
  Formula *formula = formula_read(o->arena, term_table_new(o->arena, o->names), source, NULL, &own);
  if (!formula || !reference_stand_alone(o->arena, formula, source, &own)) return UINT32_MAX;
  const Problem *p = problem_new(o->arena, formula->pointwise);
  return p->unsupported ? UINT32_MAX - 1 : p->nodes.count;
}

/* As it is written, or as a textbook writes it: what is shorter. */
static const char *shorter_text(Optimize *o, const CheckInput *input) {
  const char *plain = reference_text(o, input, false);
  const char *textbook = plain ? reference_text(o, input, true) : NULL;
  return size_of(o, textbook) < size_of(o, plain) ? textbook : plain;
}

static bool read_input(Optimize *o, const CheckInput *input) {
  bool is_formula = input->kind == CHECK_FORMULA && !graph_is_one(input->source);
  const char *text = is_formula                       ? input->source->text
                     : input->kind == CHECK_REFERENCE ? shorter_text(o, input)
                                                      : lifted_text(o, input);
  if (input->kind == CHECK_OPERATION)
    arguments_check_names(o->options, o->diagnostics);
  else if (text)
    check_sets(o, text);
  if (!text || o->diagnostics->error_count) return false;
  o->formula = input->source;
  o->right = *input;
  if (input->kind == CHECK_FORMULA && o->options->sets.count) {
    const char *own = with_numbers(o, input->source->text);
    o->right.source = source_new(o->arena, input->name, own, strlen(own));
  }
  if (!is_formula || o->options->sets.count) {
    text = with_numbers(o, text);
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

static const char *note_of_parts(Optimize *o, uint32_t count, const LowerPart *parts) {
  Text note = text_new(o->arena);
  TermList symbols = {0};
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t c = 0; c < parts[i].p->class_count; c++)
      term_symbols(parts[i].p->tt, parts[i].p->length[c], &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    text_format(&note, "%s%s = %d", i ? ", " : "numbers chosen for ", term_name(o->pointwise->tt, symbols.data[i]),
                (int)o->nominal);
  return symbols.count ? text_string(&note) : NULL;
}

static const char *note_of(Optimize *o) { return note_of_parts(o, 1, &(LowerPart){.p = o->problem}); }

static void add_input(Optimize *o) {
  CostSizes sizes = cost_sizes(o->problem, o->nominal);
  SearchCandidate c = lower_problem(o->arena, o->problem);
  OptimizeEntry e = {.is_input = true, .cost = cost_operations(o->problem, &c, &sizes, o->device)};
  e.text = lower_operations(o->arena, o->problem, &c, note_of(o));
  array_push(o->arena, &o->search.entries, e);
}

static void add_text(Optimize *o, const char *text, Cost cost) {
  for (uint32_t i = 0; i < o->search.entries.count; i++)
    if (!strcmp(o->search.entries.data[i].text, text)) return;
  OptimizeEntry e = {.text = text, .cost = cost, .unit = o->unit, .number = o->search.entries.count};
  array_push(o->arena, &o->search.entries, e);
}

typedef struct Guess {
  double seconds;
  uint32_t candidate;
} Guess;

static int compare_guesses(const void *a, const void *b) {
  const Guess *x = a, *y = b;
  if (x->seconds != y->seconds) return x->seconds < y->seconds ? -1 : 1;
  return x->candidate < y->candidate ? -1 : x->candidate > y->candidate;
}

typedef struct Solution {
  SearchCandidate candidate;
  Tiling tiling;
  Cost cost;
  uint32_t number; /* in the order of the search */
} Solution;

typedef Array(Solution) Solutions;

/* Numbers are chosen for those that are not hopeless. */
static void tune(Optimize *o, const Problem *p, const SearchResult *result, Solutions *out) {
  uint32_t count = result->candidates.count;
  CostSizes sizes = cost_sizes(p, o->nominal);
  Guess *guesses = arena_array(o->arena, Guess, count + 1);
  for (uint32_t i = 0; i < count; i++)
    guesses[i] = (Guess){cost_guess(p, &result->candidates.data[i], &sizes, o->device), i};
  if (count) qsort(guesses, count, sizeof *guesses, compare_guesses);
  for (uint32_t i = 0; i < count && i < MAX_TUNED; i++) {
    Solution s = {.candidate = result->candidates.data[guesses[i].candidate]};
    s.number = out->count;
    if (cost_tune(p, &s.candidate, &sizes, o->device, &s.tiling, &s.cost)) array_push(o->arena, out, s);
  }
}

static void add_stats(Optimize *o, const SearchStats *stats) {
  o->search.stats.states += stats->states, o->search.stats.pruned += stats->pruned;
  o->search.stats.fingerprints += stats->fingerprints, o->search.stats.is_cut |= stats->is_cut;
}

/* Which loops are searched, and how far. */
typedef struct Depths {
  const uint8_t *loops; /* classes */
  uint32_t count;
  uint64_t max_states; /* of each depth */
  uint32_t region_count;
  const ProblemRegion *regions;
} Depths;

/* Deepens until one operation beyond the first candidate that fits the device, or, where none fits, until one operation
 * more gives no other candidates; to the limit where one is given. */
static void deepen(Optimize *o, const Problem *p, const Abstract *abstract, const Depths *d, Solutions *out) {
  uint32_t most = o->options->max_block_ops ? o->options->max_block_ops : DEFAULT_OPS, first = 0;
  SearchResult result = {0};
  Solutions own = {0};
  for (uint32_t depth = o->options->max_block_ops ? most : 1; depth <= most && (!first || depth <= first + 1);
       depth++) {
    SearchOptions options = {.max_ops = depth,
                             .max_states = d->max_states,
                             .no_expressions = o->options->no_expressions,
                             .no_canonical = o->options->no_canonical,
                             .no_fingerprints = o->options->no_fingerprints,
                             .region_count = d->region_count,
                             .regions = d->regions};
    uint32_t before = result.candidates.count;
    result = (SearchResult){0};
    for (uint32_t i = 0; i < d->count; i++)
      search_blocks(o->arena, p, abstract, o->field, d->loops[i], &options, &result);
    add_stats(o, &result.stats);
    if (result.candidates.count) own = (Solutions){0}, tune(o, p, &result, &own);
    if (own.count && !first) first = depth;
    if (result.stats.is_cut || (before && result.candidates.count == before)) break;
  }
  o->search.found += result.candidates.count;
  for (uint32_t i = 0; i < own.count; i++) array_push(o->arena, out, own.data[i]);
}

static uint32_t count_operations(const Problem *p) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < p->nodes.count; i++) count += problem_op_arity(p->nodes.data[i].op) > 0;
  return count;
}

/* In the order of the formula, which needs no search. */
static void write_loops(Optimize *o, const Problem *p, const uint8_t *loops, uint32_t count, Solutions *out) {
  SearchResult result = {0};
  for (uint32_t i = 0; i < count; i++) search_written(o->arena, p, o->field, loops[i], &result);
  o->search.found += result.candidates.count;
  if (result.candidates.count) tune(o, p, &result, out);
}

/* With regions as operations first, where there are some; what that finds shortens the search for the rest. A formula
 * of more operations than are searched is written as it is instead (a part of a program has been made short by cuts).
 */
static void search_loops(Optimize *o, const Problem *p, const Abstract *abstract, const uint8_t *loops, uint32_t count,
                         uint64_t max_states, Solutions *out) {
  uint32_t before = out->count;
  bool writes = !o->options->max_block_ops && max_states > SHORT_STATES, is_long = count_operations(p) > DEFAULT_OPS;
  if (writes && is_long) write_loops(o, p, loops, count, out);
  bool is_written = writes && is_long && out->count; /* by this loop or another */
  for (uint32_t i = 0; i < count && !o->options->max_block_ops && !is_written; i++) {
    ProblemRegion *regions = arena_array(o->arena, ProblemRegion, REGION_MOST);
    uint32_t n = region_find(p, loops[i], regions);
    Depths d = {&loops[i], 1, max_states < PART_STATES ? max_states : PART_STATES, n, regions};
    if (n) deepen(o, p, abstract_new(o->arena, p, n, regions), &d, out);
  }
  deepen(o, p, abstract,
         &(Depths){loops, count, is_written || out->count > before ? SHORT_STATES : max_states, 0, NULL}, out);
  if (writes && !is_long && out->count == before) write_loops(o, p, loops, count, out);
}

/* The classes that a loop may be over, and behind them that of no loop. */
static uint32_t find_loops(const Problem *p, uint8_t loops[PROBLEM_MAX_CLASSES + 1]) {
  ClassSet reduced = problem_reduced(p) & ~problem_written(p);
  uint32_t count = 0;
  for (uint8_t c = 0; c < p->class_count; c++)
    if (reduced >> c & 1) loops[count++] = c;
  loops[count] = PROBLEM_NONE;
  return count;
}

/* Block graphs for a problem, with their numbers. Without reductions it is written as it is: any order of elementwise
 * operations costs the same. */
static void solve(Optimize *o, const Problem *p, uint64_t max_states, Solutions *out) {
  uint8_t loops[PROBLEM_MAX_CLASSES + 1];
  uint32_t count = find_loops(p, loops), before = out->count;
  if (!problem_reduced(p) && !o->options->max_block_ops) write_loops(o, p, &loops[count], 1, out);
  if (out->count > before) return;
  Abstract *abstract = abstract_new(o->arena, p, 0, NULL);
  if (count) search_loops(o, p, abstract, loops, count, max_states, out);
  search_loops(o, p, abstract, &loops[count], 1, max_states, out);
}

/* ---- two kernels ---- */

static const Solution *best_of(const Solutions *solutions) {
  const Solution *best = NULL;
  for (uint32_t i = 0; i < solutions->count; i++)
    if (!best || solutions->data[i].cost.seconds < best->cost.seconds) best = &solutions->data[i];
  return best;
}

/* Two kernels with their numbers. */
static void add_pair(Optimize *o, const LowerPart parts[2], const Cost cost[2]) {
  Cost both = cost[0];
  both.bytes += cost[1].bytes, both.flops += cost[1].flops, both.seconds += cost[1].seconds, both.launches = 2;
  both.blocks = fmax(both.blocks, cost[1].blocks), both.shared = fmax(both.shared, cost[1].shared);
  add_text(o, lower_blocks(o->arena, o->problem, 2, parts, note_of(o)), both);
}

/* The loop of `a` in parts (kernels.h), with the number of parts that costs least. */
static void add_split(Optimize *o, const LowerPart *a, const LowerPart *b, uint32_t joint) {
  LowerPart best[2];
  Cost least[2];
  bool found = false;
  if (a->c->loop == PROBLEM_NONE) return;
  double length = cost_sizes(a->p, o->nominal).length[a->c->loop];
  for (int64_t part = 64; (double)part < length; part *= 2) {
    LowerPart now[2];
    Cost cost[2];
    bool fits = length <= KERNELS_MAX_PARTS * (double)part && kernels_split(o->arena, a, b, joint, part, now);
    for (uint32_t i = 0; i < 2 && fits; i++) {
      CostSizes sizes = cost_sizes(now[i].p, o->nominal);
      fits = cost_tune(now[i].p, now[i].c, &sizes, o->device, &now[i].tiling, &cost[i]);
    }
    if (!fits || (found && cost[0].seconds + cost[1].seconds >= least[0].seconds + least[1].seconds)) continue;
    memcpy(best, now, sizeof best), memcpy(least, cost, sizeof least);
    found = true;
  }
  if (found) add_pair(o, best, least);
}

/* The loop in parts whose blocks add to what is written. */
static void add_atomic(Optimize *o, const LowerPart *a) {
  LowerPart best;
  Cost least;
  bool found = false;
  if (a->c->loop == PROBLEM_NONE) return;
  double length = cost_sizes(a->p, o->nominal).length[a->c->loop];
  for (int64_t part = 64; (double)part < length; part *= 2) {
    LowerPart now;
    Cost cost;
    if (length > KERNELS_MAX_PARTS * (double)part || !kernels_add_parts(o->arena, a, part, &now)) continue;
    CostSizes sizes = cost_sizes(now.p, o->nominal);
    if (!cost_tune(now.p, now.c, &sizes, o->device, &now.tiling, &cost)) continue;
    if (!found || cost.seconds < least.seconds) best = now, least = cost, found = true;
  }
  if (found) add_text(o, lower_blocks(o->arena, o->problem, 1, &best, note_of(o)), least);
}

/* One kernel for a node, and one for the rest. */
static void cut_at(Optimize *o, uint32_t node) {
  Pointwise *all = kernels_tensors(o->arena, o->problem);
  Solutions first = {0}, second = {0};
  ProblemOutput t = kernels_add_temporary(all, o->problem, node, o->problem->nodes.data[node].classes, 0, PROBLEM_NONE);
  Problem *a = problem_part(o->problem, all, 1, &t, 0, NULL);
  Problem *b = problem_part(o->problem, all, o->problem->outputs.count, o->problem->outputs.data, 1, &t);

  solve(o, a, PART_STATES, &first);
  if (first.count) solve(o, b, PART_STATES, &second);
  const Solution *x = best_of(&first), *y = best_of(&second);
  if (!x || !y) return;
  LowerPart parts[2] = {{a, &x->candidate, x->tiling}, {b, &y->candidate, y->tiling}};
  add_pair(o, parts, (Cost[]){x->cost, y->cost});
  add_split(o, &parts[0], &parts[1], t.tensor);
}

/* Where a reduction is below, and it is no output itself. */
static bool may_cut(const Problem *p, uint32_t node) {
  const ProblemNode *n = &p->nodes.data[node];
  bool *reduces = arena_array(p->arena, bool, p->nodes.count + 1);
  for (uint32_t i = 0; i <= node; i++) {
    reduces[i] = p->nodes.data[i].op >= PROBLEM_SUM;
    for (uint32_t k = 0; k < problem_op_arity(p->nodes.data[i].op); k++)
      reduces[i] |= reduces[p->nodes.data[i].args[k]];
  }
  for (uint32_t i = 0; i < p->outputs.count; i++)
    if (p->outputs.data[i].node == node) return false;
  return reduces[node] && n->classes;
}

/* Units of the search are numbered in one order, whoever searches which. */
static bool next_unit(Optimize *o, uint32_t unit) {
  o->unit = unit;
  return !o->options->shards || unit % o->options->shards == o->options->shard;
}

/* The nodes to cut at, those within a region last, and few of them; how many. */
static uint32_t find_cuts(const Optimize *o, uint32_t *cuts) {
  const Problem *p = o->problem;
  bool *inside = arena_array(o->arena, bool, p->nodes.count + 1);
  ProblemRegion regions[REGION_MOST];
  uint32_t count = region_find(p, PROBLEM_NONE, regions), nodes[REGION_NODES], within = 0, found = 0;
  if (o->options->max_kernel_ops == 1) return 0;
  for (uint32_t r = 0; r < count; r++)
    for (uint32_t i = region_nodes(p, &regions[r], nodes, REGION_NODES); i-- > 0;)
      inside[nodes[i]] |= nodes[i] != regions[r].exit;
  for (uint32_t pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < p->nodes.count; i++)
      if (inside[i] == pass && may_cut(p, i) && (!pass || within++ < MAX_WITHIN)) cuts[found++] = i;
  return found;
}

static int compare_solutions(const void *a, const void *b) {
  const Solution *x = a, *y = b;
  if (x->cost.seconds != y->cost.seconds) return x->cost.seconds < y->cost.seconds ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

static void add_block(Optimize *o, uint32_t count, LowerPart *parts, const CostSizes *sizes) {
  Cost cost;
  if (!count || !cost_tune_passes(count, parts, sizes, o->device, &cost)) return;
  o->search.found++;
  add_text(o, lower_passes(o->arena, o->problem, count, parts, note_of(o)), cost);
}

/* Several loops over an axis that is reduced and written. */
static void add_passes(Optimize *o) {
  const Problem *p = o->problem;
  ClassSet axes = problem_reduced(p) & problem_written(p);
  CostSizes sizes = cost_sizes(p, o->nominal);
  for (uint8_t c = 0; c < p->class_count && !o->options->max_block_ops; c++) {
    LowerPart parts[PASSES_MOST], gathered[2];
    if (!(axes >> c & 1)) continue;
    add_block(o, passes_find(o->arena, p, o->field, c, parts), parts, &sizes);
    add_block(o, passes_gather(o->arena, p, o->field, c, gathered) ? 2 : 0, gathered, &sizes);
  }
}

static void search_whole(Optimize *o) {
  Solutions whole = {0};
  solve(o, o->problem, MAX_STATES, &whole);
  for (uint32_t i = 0; i < whole.count; i++) {
    LowerPart part = {o->problem, &whole.data[i].candidate, whole.data[i].tiling};
    add_text(o, lower_blocks(o->arena, o->problem, 1, &part, note_of(o)), whole.data[i].cost);
  }
  add_passes(o);
  if (whole.count) qsort(whole.data, whole.count, sizeof *whole.data, compare_solutions);
  for (uint32_t i = 0; i < whole.count && i < MAX_SPLIT; i++)
    add_atomic(o, &(LowerPart){o->problem, &whole.data[i].candidate, whole.data[i].tiling});
  if (o->options->max_kernel_ops == 1) return;
  for (uint32_t i = 0, split = 0; i < whole.count && split < MAX_SPLIT; i++) {
    LowerPart part = {o->problem, &whole.data[i].candidate, whole.data[i].tiling};
    if (part.c->loop != PROBLEM_NONE) add_split(o, &part, NULL, 0), split++;
  }
}

/* The formula in its own order, beside the input, in place of all that was found. */
static void write_whole(Optimize *o) {
  uint8_t loops[PROBLEM_MAX_CLASSES + 1];
  uint32_t count = find_loops(o->problem, loops);
  Solutions written = {0};
  OptimizeEntry input = {0};
  for (uint32_t i = 0; i < o->search.entries.count; i++)
    if (o->search.entries.data[i].is_input) input = o->search.entries.data[i];
  memset(&o->search.entries, 0, sizeof o->search.entries);
  array_push(o->arena, &o->search.entries, input);
  write_loops(o, o->problem, loops, count + 1, &written);
  for (uint32_t i = 0; i < written.count; i++) {
    LowerPart part = {o->problem, &written.data[i].candidate, written.data[i].tiling};
    add_text(o, lower_blocks(o->arena, o->problem, 1, &part, note_of(o)), written.data[i].cost);
  }
}

static void search_units(void *payload) {
  Optimize *o = payload;
  uint32_t *cuts = arena_array(o->arena, uint32_t, o->problem->nodes.count + 1), count = find_cuts(o, cuts);
  if (next_unit(o, 0)) search_whole(o);
  for (uint32_t i = 0; i < count; i++)
    if (next_unit(o, i + 1)) cut_at(o, cuts[i]);
}

/* ---- units in processes of their own: each is a shard ---- */

typedef struct Units {
  Optimize *o;
  Options options; /* with the texts of the shards */
  uint32_t count;
  GuardReason ended; /* one of them, and the search with it */
} Units;

static bool wants_unit(void *payload, uint32_t unit) {
  const Units *units = payload;
  return unit < units->count && !units->ended;
}

static const char *unit_text(Units *units, Optimize *own, uint32_t unit, GuardReason ended) {
  Options options = *own->options;
  options.shard = unit, options.shards = units->count;
  own->options = &options;
  return arena_format(own->arena, "%c%s", '0' + (int)ended,
                      optimize_shard_text(own->arena, &own->search, "", &options));
}

/* Its first letter is the reason that ended it, before the time of all is over. */
static const char *make_unit(void *payload, uint32_t unit) {
  Units *units = payload;
  Optimize own = *units->o;
  Options options = *own.options;
  Guard *guard = own.arena->guard;
  options.shard = unit, options.shards = units->count;
  own.options = &options, own.search = (OptimizeSearch){0};
  bool is_whole = guard_attempt(guard, UNIT_SHARE, search_units, &own);
  return unit_text(units, &own, unit, is_whole ? GUARD_NONE : guard->missed);
}

static void take_unit(void *payload, uint32_t unit, const char *text) {
  Units *units = payload;
  Arena *arena = units->o->arena;
  if (text)
    units->ended = (GuardReason)(*text - '0');
  else
    text = unit_text(units, &(Optimize){.arena = arena, .options = units->o->options}, unit, GUARD_NONE);
  array_push(arena, &units->options.parts,
             source_new(arena, arena_format(arena, "unit %u", unit), text + 1, strlen(text + 1)));
}

/* What others have searched. */
static bool merge(Optimize *o, const Options *options, const char *formula) {
  OptimizeSearch all = {0};
  if (!optimize_shard_merge(o->arena, options, formula, o->diagnostics, &all)) return false;
  o->search.stats = all.stats, o->search.found = all.found;
  for (uint32_t i = 0; i < all.entries.count; i++) {
    o->unit = all.entries.data[i].unit;
    add_text(o, all.entries.data[i].text, all.entries.data[i].cost);
  }
  return true;
}

static void search_shards(Optimize *o) {
  Units units = {.o = o, .options = *o->options};
  units.count = 1 + find_cuts(o, arena_array(o->arena, uint32_t, o->problem->nodes.count + 1));
  if (o->options->jobs < 2 || units.count == 1 || o->options->shards) {
    search_units(o);
    return;
  }
  pool_run(o->arena, &(PoolWork){&units, units.count, o->options->jobs, wants_unit, make_unit, take_unit});
  merge(o, &units.options, "");
  if (units.ended) guard_throw(o->arena->guard, units.ended, "a part of the search was ended");
}

/* ---- comparing texts ---- */

static CheckInput text_input(Optimize *o, const char *text) {
  return (CheckInput){
      .kind = CHECK_FORMULA, .name = "graph", .source = source_new(o->arena, "graph", text, strlen(text))};
}

/* NULL: the two cannot be compared. */
static const Report *compare(Optimize *o, const CheckInput *left, const CheckInput *right) {
  Options options = *o->options;
  options.most_reads = PROOF_READS; /* the search has evaluated it */
  options.stop_after = NULL, options.explain = options.both_ways = 0;
  memset(&options.emits, 0, sizeof options.emits);
  if (left->kind == CHECK_FORMULA && right->kind == CHECK_FORMULA) memset(&options.sets, 0, sizeof options.sets);
  DiagnosticList own;
  diagnostic_list_init(&own, o->arena);
  const Report *report = pipeline_check(o->arena, left, right, &options, &own);
  return own.error_count ? NULL : report;
}

/* True if every element of the formula's output has a finite value, whatever finite values its tensors have. */
static bool is_total(Optimize *o, const char *text) {
  DiagnosticList own;
  diagnostic_list_init(&own, o->arena);
  Source *source = source_new(o->arena, "formula", text, strlen(text));
  Formula *f = formula_read(o->arena, term_table_new(o->arena, o->names), source, NULL, &own);
  if (!f || !reference_stand_alone(o->arena, f, source, &own)) return false;
  const PointwiseOutput *out = &f->pointwise->outputs.data[0];
  return out->pieces.count == 1 && out->pieces.data[0].value &&
         term_is_total(f->pointwise->tt, out->pieces.data[0].value);
}

static bool is_proved(const Report *report) { return report && report->verdict == VERDICT_PROVED; }

/* ---- programs in parts ---- */

typedef struct Part {
  Optimize *o;
  const Pointwise *pointwise;
  Problem *problem;
  Solutions found;
  LowerPart lower; /* the cheapest kernel whose text is a graph, or that is proved */
  Cost cost;
  const char *graph, *formula;
  bool is_temporary, is_good;
} Part;

static bool is_graph(Optimize *o, const char *text) {
  DiagnosticList own;
  diagnostic_list_init(&own, o->arena);
  return graph_read(o->arena, term_table_new(o->arena, o->names), source_new(o->arena, "graph", text, strlen(text)),
                    &own) != NULL;
}

static const char *formula_of_part(Optimize *o, const Pointwise *part) {
  Text text = text_new(o->arena);
  text_add(&text, "formula part\n");
  formula_print_declarations(part, &text);
  const PointwiseOutput *out = &part->outputs.data[0];
  text_format(&text, "%s = %s\n", part->tensors.data[out->tensor].name, tensor_text(part->tt, out->formula));
  return text_string(&text);
}

/* Later parts take a temporary tensor for an input, which is finite, so what gives it must be. */
static void prove_part(void *payload) {
  Part *part = payload;
  CheckInput formula = text_input(part->o, part->formula), graph = text_input(part->o, part->graph);
  part->is_good =
      (!part->is_temporary || is_total(part->o, part->formula)) && is_proved(compare(part->o, &graph, &formula));
}

/* The cheapest kernels of a part, first. */
static void solve_part(Part *part) {
  Optimize *o = part->o;
  Problem *p = part->problem = problem_new(o->arena, part->pointwise);
  if (p->unsupported) return;
  problem_fuse(p);
  p = part->problem = problem_part(p, p->pointwise, p->outputs.count, p->outputs.data, 0, NULL);
  solve(o, p, SHORT_STATES, &part->found);
  if (part->found.count) qsort(part->found.data, part->found.count, sizeof *part->found.data, compare_solutions);
  if (part->found.count > MAX_OF_PART) part->found.count = MAX_OF_PART;
}

static void choose_kernel(Part *part, uint32_t i) {
  part->lower = (LowerPart){part->problem, &part->found.data[i].candidate, part->found.data[i].tiling};
  part->cost = part->found.data[i].cost;
  part->graph = lower_blocks(part->o->arena, part->problem, 1, &part->lower, NULL);
}

/* Seconds, and what the search for it counted. */
static const char *answer_of_part(const Pointwise *pointwise, void *payload) {
  Optimize *o = payload;
  Arena *arena = o->arena, *own = arena_new_child(arena);
  OptimizeSearch before = o->search;
  Part part = {.o = o, .pointwise = pointwise};
  o->arena = own, o->search = (OptimizeSearch){0};
  solve_part(&part);
  for (uint32_t i = 0; i < part.found.count && !part.is_good; i++)
    choose_kernel(&part, i), part.is_good = is_graph(o, part.graph);
  const SearchStats *s = &o->search.stats;
  const char *text =
      arena_format(arena, "%a %" PRIu64 " %" PRIu64 " %" PRIu64 " %d %u", part.is_good ? part.cost.seconds : -1,
                   s->states, s->pruned, s->fingerprints, s->is_cut, o->search.found);
  o->arena = arena, o->search = before;
  arena_destroy(own);
  return text;
}

static double seconds_of_part(const char *answer, void *payload) {
  Optimize *o = payload;
  SearchStats stats = {0};
  char *at;
  double seconds = strtod(answer, &at);
  stats.states = strtoull(at, &at, 10), stats.pruned = strtoull(at, &at, 10);
  stats.fingerprints = strtoull(at, &at, 10), stats.is_cut = strtoul(at, &at, 10);
  o->search.found += (uint32_t)strtoul(at, &at, 10);
  add_stats(o, &stats);
  return seconds;
}

/* The formulas of the parts as one. */
static const char *composed_text(Optimize *o, const Cuts *cuts, uint32_t temporaries) {
  Text text = text_new(o->arena);
  text_format(&text, "formula %s\n", o->report->kernel);
  formula_print_declarations(o->pointwise, &text);
  for (uint32_t i = 0; i < cuts->parts.count; i++) {
    const PointwiseOutput *out = &cuts->parts.data[i]->outputs.data[0];
    text_format(&text, "%s%s = %s\n", i < temporaries ? "let " : "", cuts->tensors->tensors.data[out->tensor].name,
                tensor_text(cuts->tensors->tt, out->formula));
  }
  return text_string(&text);
}

/* ---- their proofs, in processes ---- */

typedef struct Parts {
  Part *parts;
  uint32_t count;
  bool has_failed;
} Parts;

static bool wants_part(void *payload, uint32_t part) {
  const Parts *all = payload;
  return part < all->count && !all->has_failed;
}

/* The number of its first kernel that is proved, or of all. */
static const char *make_part(void *payload, uint32_t at) {
  Part *part = &((Parts *)payload)->parts[at];
  uint32_t i = 0;
  for (; i < part->found.count; i++) {
    choose_kernel(part, i);
    guard_attempt(part->o->arena->guard, 1, prove_part, part);
    if (part->is_good) break;
  }
  return arena_format(part->o->arena, "%u", i);
}

static void take_part(void *payload, uint32_t at, const char *text) {
  Parts *all = payload;
  Part *part = &all->parts[at];
  uint32_t chosen = text ? (uint32_t)strtoul(text, NULL, 10) : UINT32_MAX;
  part->is_good = chosen < part->found.count;
  all->has_failed |= !part->is_good;
  if (part->is_good) choose_kernel(part, chosen);
}

/* A kernel for each part of the formula. */
static void search_program(Optimize *o) {
  Cuts cuts;
  CutsCost costs = {o, o->options->jobs, answer_of_part, seconds_of_part};
  if (!cuts_find(o->arena, o->pointwise, &costs, &cuts)) return;
  uint32_t count = cuts.parts.count, temporaries = count - o->pointwise->outputs.count;
  if (o->options->max_kernel_ops && count > o->options->max_kernel_ops) return;
  LowerPart *parts = arena_array(o->arena, LowerPart, count);
  Parts solved = {.parts = arena_array(o->arena, Part, count), .count = count};
  Cost all = {.launches = count};
  for (uint32_t i = 0; i < count; i++) {
    Part *part = &solved.parts[i];
    *part = (Part){.o = o, .pointwise = cuts.parts.data[i], .is_temporary = i < temporaries};
    part->formula = formula_of_part(o, part->pointwise);
    solve_part(part);
  }
  pool_run(o->arena, &(PoolWork){&solved, count, o->options->jobs, wants_part, make_part, take_part});
  o->dropped += solved.has_failed;
  if (solved.has_failed) return;
  for (uint32_t i = 0; i < count; i++) {
    const Part *part = &solved.parts[i];
    parts[i] = part->lower;
    all.bytes += part->cost.bytes, all.flops += part->cost.flops, all.seconds += part->cost.seconds;
    all.blocks = fmax(all.blocks, part->cost.blocks), all.shared = fmax(all.shared, part->cost.shared);
  }
  Problem whole = {.arena = o->arena, .tt = o->pointwise->tt, .pointwise = o->pointwise, .parts = PROBLEM_NONE};
  OptimizeEntry e = {.cost = all, .number = o->search.entries.count};
  e.composed = composed_text(o, &cuts, temporaries);
  e.text = lower_blocks(o->arena, &whole, count, parts, note_of_parts(o, count, parts));
  if (!is_graph(o, e.text)) return;
  o->search.found++;
  array_push(o->arena, &o->search.entries, e);
}

/* In parts; where whole axes of so many elements fit no device, those of shorter ones. */
static void search_parts(Optimize *o) {
  search_program(o);
  while (o->search.entries.count == 1 && note_of(o) && o->nominal > LEAST_NOMINAL) {
    Problem *searched = o->problem;
    o->nominal /= FALL_OF_NOMINAL;
    o->problem = problem_new(o->arena, o->pointwise);
    memset(&o->search.entries, 0, sizeof o->search.entries);
    add_input(o);
    o->problem = searched;
    search_program(o);
  }
}

/* Where that finds no more than the input. */
static void search_rest(Optimize *o) {
  search_parts(o);
  if (o->is_long && o->search.entries.count == 1) search_shards(o);
}

static void search_all(void *payload) {
  Optimize *o = payload;
  if (!o->is_long) search_shards(o);
  if (o->search.entries.count == 1) search_rest(o);
}

static void warn_of_time(Optimize *o, const char *text) {
  diagnostic_add(o->diagnostics, SEVERITY_WARNING, "timeout", NULL, (Span){0, 0}, "raise --timeout", "%s", text);
}

/* Within a share of the time, so that what was found before it is over can be proved. A part of a search is whole, as
 * what is merged says nothing of time. */
static void search(Optimize *o) {
  Arena *arena = o->arena;
  if (o->options->shards) {
    if (!o->is_long) search_units(o);
    return;
  }
  if (guard_attempt(arena->guard, SEARCH_SHARE, search_all, o)) return;
  o->arena = arena, o->search.stats.is_cut = true;
  if (arena->guard->missed == GUARD_TIMEOUT) warn_of_time(o, "the time limit ended the search before its end");
}

static int compare_entries(const void *a, const void *b) {
  const OptimizeEntry *x = a, *y = b;
  if (x->cost.seconds != y->cost.seconds) return x->cost.seconds < y->cost.seconds ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* ---- proofs ---- */

typedef struct Proof {
  Optimize *o;
  const OptimizeEntry *entry;
  const Report *report;
} Proof;

/* Where the candidate has a value, the input has the same; or, as an input may ask for more (labels that are classes),
 * where the input has a value, the candidate has the same. */
static void prove(void *payload) {
  Proof *proof = payload;
  const OptimizeEntry *e = proof->entry;
  CheckInput candidate = text_input(proof->o, e->composed ? e->composed : e->text);
  proof->report = compare(proof->o, &candidate, &proof->o->right);
  if (!proof->report || proof->report->verdict != VERDICT_PROBABLE) return;
  const Report *back = compare(proof->o, &proof->o->right, &candidate);
  if (is_proved(back)) proof->report = back;
}

/* What --emit knows, and the suffix of its files. */
static const struct {
  const char *target, *suffix;
} targets[] = {{"graph", "graph"}, {"triton", "py"}, {"cuda", "cu"}, {"svg", "svg"}};

/* NULL: the target cannot express it, and why. */
static const char *emitted_text(Optimize *o, const char *target, const char *text, const char **why) {
  if (!strcmp(target, "graph")) return text;
  TermTable *tt = term_table_new(o->arena, o->names);
  const Source *source = source_new(o->arena, "graph", text, strlen(text));
  const Graph *graph = graph_read(o->arena, tt, source, o->diagnostics);
  if (!graph) return NULL;
  if (!strcmp(target, "svg")) return emit_svg_text(o->arena, graph, source);
  if (!strcmp(target, "cuda")) return emit_cuda_text(o->arena, graph, why);
  return emit_triton_text(o->arena, graph, why);
}

static void emit(Optimize *o, ReportCandidate *c) {
  for (uint32_t i = 0; i < o->options->emits.count; i++) {
    const char *target = o->options->emits.data[i];
    uint32_t t = 0;
    while (strcmp(targets[t].target, target)) t++; /* the options were checked */
    const char *file = arena_format(o->arena, "c%u.%s.%s", c->rank, target, targets[t].suffix);
    const char *why = NULL, *text = emitted_text(o, target, c->graph, &why);
    if (!text && why && !c->is_input)
      diagnostic_add(o->diagnostics, SEVERITY_WARNING, "emit-unsupported", NULL, (Span){0, 0}, NULL,
                     "candidate %u as %s: %s", c->rank, target, why);
    if (!text) continue;
    array_push(o->arena, &c->files, file);
    array_push(o->arena, &o->report->emitted, (ReportPair){file, text});
  }
}

/* ---- the list ---- */

/* With the layouts and thread graphs that are chosen for it, none of which changes its meaning. */
static const char *chosen_text(Optimize *o, const char *text) {
  DiagnosticList own;
  diagnostic_list_init(&own, o->arena);
  const Source *source = source_new(o->arena, "graph", text, strlen(text));
  const Graph *graph = graph_read(o->arena, term_table_new(o->arena, o->names), source, &own);
  return graph ? graph_chosen_text(o->arena, graph, source) : text;
}

/* With what is known of its proof. */
static void list(Optimize *o, const OptimizeEntry *e, ReportCandidate c) {
  c.rank = o->report->candidates.count + 1, c.kernels = c.launches = e->cost.launches;
  c.graph = chosen_text(o, e->text), c.is_input = e->is_input;
  c.bytes = e->cost.bytes, c.flops = e->cost.flops, c.seconds = e->cost.seconds;
  c.summary = e->is_input
                  ? "the input as it stands"
                  : arena_format(o->arena, "%.0f blocks, %.1f KiB shared", e->cost.blocks, e->cost.shared / 1024);
  emit(o, &c);
  array_push(o->arena, &o->report->candidates, c);
}

static bool has_found(const Optimize *o) {
  for (uint32_t i = 0; i < o->report->candidates.count; i++)
    if (!o->report->candidates.data[i].is_input) return true;
  return false;
}

/* Candidates in their order, the cheapest first. */
typedef struct Listing {
  Optimize *o;
  uint32_t wanted, listed, tried;
} Listing;

static bool wants_proof(void *payload, uint32_t at) {
  Listing *l = payload;
  return l->o->search.entries.data[at].is_input || (l->listed < l->wanted && l->tried < MAX_PROOFS);
}

static const char *const assumption_fields[] = {"id", "text", "why", "limit"};

static const char **field_of(ReportAssumption *a, uint32_t field) {
  const char **const fields[] = {&a->id, &a->text, &a->why, &a->limit};
  return fields[field];
}

/* What is listed of a proof, as JSON: it goes from one process to another, and the memory of the proof with it. */
static const char *proof_text(Arena *arena, const Report *report, bool is_ended) {
  Text out = text_new(arena);
  text_format(&out, "{\"ended\": %d, \"verdict\": %d, \"assumptions\": [", is_ended,
              report ? (int)report->verdict : (int)VERDICT_UNKNOWN);
  for (uint32_t i = 0; report && i < report->assumptions.count; i++) {
    ReportAssumption a = report->assumptions.data[i];
    text_format(&out, "%s{\"kind\": %d", i ? ", " : "", (int)a.kind);
    for (uint32_t k = 0; k < 4; k++) {
      const char *text = *field_of(&a, k);
      if (!text) continue;
      text_format(&out, ", \"%s\": ", assumption_fields[k]);
      render_json_string(&out, text);
    }
    text_char(&out, '}');
  }
  text_add(&out, "]}");
  return text_string(&out);
}

static const char *make_proof(void *payload, uint32_t at) {
  Optimize *o = ((Listing *)payload)->o;
  Proof proof = {.o = o, .entry = &o->search.entries.data[at]};
  Arena *arena = o->arena, *own = arena_new_child(arena);
  o->arena = own;
  bool is_whole = guard_attempt(arena->guard, PROOF_SHARE, prove, &proof);
  o->arena = arena;
  const char *text = proof_text(arena, proof.report, !is_whole && arena->guard->missed == GUARD_TIMEOUT);
  arena_destroy(own);
  return text;
}

static int number_of(const Json *object, const char *key) { return atoi(json_get(object, key)->text); }

static ReportCandidate read_proof(Optimize *o, const Json *json) {
  ReportCandidate proof = {.verdict = (Verdict)number_of(json, "verdict")};
  const Json *list = json_get(json, "assumptions");
  for (uint32_t i = 0; i < list->count; i++) {
    const Json *from = list->members[i].value;
    ReportAssumption a = {.kind = (AssumptionKind)number_of(from, "kind")};
    for (uint32_t k = 0; k < 4; k++) *field_of(&a, k) = json_get_string(from, assumption_fields[k]);
    array_push(o->arena, &proof.assumptions, a);
  }
  return proof;
}

static void take_proof(void *payload, uint32_t at, const char *text) {
  Listing *l = payload;
  Optimize *o = l->o;
  const OptimizeEntry *e = &o->search.entries.data[at];
  if (!text) return;
  const Json *json = json_read_whole(o->arena, source_new(o->arena, "proof", text, strlen(text)), o->diagnostics);
  ReportCandidate proof = read_proof(o, json);
  bool is_proved = proof.verdict == VERDICT_PROVED;
  l->tried += !e->is_input;
  o->ended += number_of(json, "ended") != 0;
  o->dropped += !is_proved;
  if (!is_proved && !o->options->unproved) return;
  l->listed += !e->is_input;
  list(o, e, proof);
}

static void list_candidates(Optimize *o) {
  Listing l = {.o = o, .wanted = o->options->top ? o->options->top : DEFAULT_TOP};
  uint32_t count = o->search.entries.count;
  if (count) qsort(o->search.entries.data, count, sizeof *o->search.entries.data, compare_entries);
  pool_run(o->arena, &(PoolWork){&l, count, o->options->jobs, wants_proof, make_proof, take_proof});
}

static void add_stat(Optimize *o, const char *name, uint64_t value) {
  const char *text = arena_format(o->arena, "%llu", (unsigned long long)value);
  array_push(o->arena, &o->report->stats, (ReportPair){name, text});
}

static void finish(Optimize *o) {
  Report *r = o->report;
  if (o->ended) warn_of_time(o, "the time limit ended proofs, whose candidates are not listed");
  for (uint32_t i = 0; i < r->candidates.count; i++)
    if (r->candidates.data[i].verdict == VERDICT_PROVED) r->verdict = r->safety = VERDICT_PROVED;
  if (r->verdict != VERDICT_PROVED) r->verdict = r->safety = VERDICT_UNKNOWN;
  if (r->verdict != VERDICT_PROVED && !r->reason.code)
    r->reason = (ReportReason){REASON_NO_CANDIDATE, "no candidate was proved equal to the input"};
  add_stat(o, "search.states", o->search.stats.states);
  add_stat(o, "search.pruned", o->search.stats.pruned);
  add_stat(o, "search.fingerprints", o->search.stats.fingerprints);
  add_stat(o, "search.candidates", o->search.found);
  add_stat(o, "search.not_proved", o->dropped);
  add_stat(o, "search.cut", o->search.stats.is_cut);
}

/* Where whole axes of NOMINAL elements fit no device, shorter ones may: what the formula in its own order says. */
static void choose_nominal(Optimize *o) {
  Problem *p = problem_new(o->arena, o->pointwise);
  SearchResult written = {0};
  uint8_t loops[PROBLEM_MAX_CLASSES + 1];
  problem_fuse(p);
  p = problem_part(p, p->pointwise, p->outputs.count, p->outputs.data, 0, NULL);
  uint32_t count = find_loops(p, loops);
  for (uint32_t i = 0; i <= count; i++) search_written(o->arena, p, o->field, loops[i], &written);
  for (int32_t nominal = NOMINAL; nominal >= LEAST_NOMINAL; nominal /= FALL_OF_NOMINAL) {
    CostSizes sizes = cost_sizes(p, nominal);
    for (uint32_t i = 0; i < written.candidates.count; i++) {
      Tiling tiling;
      Cost cost;
      if (!cost_tune(p, &written.candidates.data[i], &sizes, o->device, &tiling, &cost)) continue;
      o->nominal = nominal;
      return;
    }
  }
  o->is_long = written.candidates.count > 0;
}

/* What parts of one search have in common. */
static const char *searched_text(Optimize *o) {
  const Options *options = o->options;
  return arena_format(o->arena, "%s# for %s, %u kernels, %u operations, %d%d%d", o->formula->text, o->device->name,
                      options->max_kernel_ops, options->max_block_ops, options->no_expressions, options->no_canonical,
                      options->no_fingerprints);
}

static Report *shard_report(Optimize *o, const char *searched) {
  o->report->stage_text = optimize_shard_text(o->arena, &o->search, searched, o->options);
  o->report->verdict = o->report->safety = VERDICT_PROVED; /* nothing is claimed */
  return o->report;
}

Report *pipeline_optimize(Arena *arena, const CheckInput *input, const Options *options, DiagnosticList *diagnostics) {
  Optimize *o = arena_new(arena, Optimize);
  *o = (Optimize){.arena = arena, .options = options, .diagnostics = diagnostics, .nominal = NOMINAL};
  o->report = arena_new(arena, Report);
  o->names = arena_new(arena, InternTable);
  intern_init(o->names, arena);
  o->report->arena = arena, o->report->input = input->name, o->report->is_optimized = true;
  o->device = device_find(options->target ? options->target : "sm_80");
  if (!read_input(o, input)) return finish(o), o->report;
  o->field = arena_new(arena, Field);
  field_init(o->field, 1);
  o->problem = problem_new(arena, o->pointwise);
  const char *searched = searched_text(o);
  if (o->problem->unsupported) { /* parts of the search have nothing of it: a program in parts is searched whole */
    if (o->options->parts.count && !merge(o, o->options, searched)) return o->report;
    if (o->options->shards) return shard_report(o, searched);
    search_program(o);
    if (!o->search.entries.count) o->report->reason = (ReportReason){REASON_NOT_SEARCHED, o->problem->unsupported};
    list_candidates(o);
    return finish(o), o->report;
  }
  choose_nominal(o);
  add_input(o);
  problem_fuse(o->problem);
  o->problem =
      problem_part(o->problem, o->problem->pointwise, o->problem->outputs.count, o->problem->outputs.data, 0, NULL);
  if (o->options->parts.count && !merge(o, o->options, searched)) return o->report;
  if (!o->options->parts.count) search(o);
  if (o->options->shards) return shard_report(o, searched);
  if (o->options->parts.count && o->search.entries.count == 1) search_rest(o);
  list_candidates(o);
  if (!has_found(o) && !options->max_block_ops) { /* conditions may decide alike at the few values of fingerprints */
    memset(&o->report->candidates, 0, sizeof o->report->candidates);
    memset(&o->report->emitted, 0, sizeof o->report->emitted);
    write_whole(o);
    list_candidates(o);
  }
  finish(o);
  return o->report;
}
