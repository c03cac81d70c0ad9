/* Pairs of functions (see refine.h): paired by name, types compared, executed over one table of terms, proved, and
 * where that fails refuted. */
#include "refine/refine.h"

#include <stdio.h>
#include <string.h>

#include "refine/internal.h"

enum { MOST_SIZES = 64 };

typedef struct Refine {
  Arena *arena;
  const Program *source, *target;
  const RefineOptions *options;
  bool is_same;      /* operation by operation: proved, unless the source is undefined for all inputs, which is said */
  bool is_split;     /* by the signs of scalar arguments that are an index: only a proof counts */
  uint32_t negative; /* those that are, by their number */
} Refine;

static const Function *find(const Program *p, const char *name) {
  for (uint32_t i = 0; i < p->functions.count; i++)
    if (!strcmp(intern_string(p->names, p->functions.data[i].name), name)) return &p->functions.data[i];
  return NULL;
}

static bool has_body(const Program *p, const Function *f) {
  const Op *op = program_get_op(p, f->op);
  return op->region_count && program_get_region(p, op->regions[0])->blocks.count;
}

static const char *type_text(Arena *arena, const Program *p, TypeId type) {
  Text text = text_new(arena);
  program_type_print(p, type, &text);
  return text_string(&text);
}

static RefineAnswer stopped(RefineAnswer answer, ReasonCode code, const char *text) {
  answer.verdict = VERDICT_UNKNOWN, answer.code = code, answer.text = text;
  return answer;
}

/* Of an operation, or of the one that linalg.map and linalg.reduce name. */
static AttrId flags_of(const Program *p, const Op *op) {
  const Attr *named = program_get_attr(p, program_op_attr(p, op, "payload_attributes"));
  for (uint32_t i = 0; named->kind == ATTR_DICT && i < named->count; i++)
    if (!strcmp(intern_string(p->names, named->keys[i]), "fastmath")) return named->items[i];
  return program_op_attr(p, op, "fastmath");
}

/* Flags that allow a result other than the one that is written, such as reassoc. */
static bool is_relaxed(const Program *p, const Function *f) {
  static const char *const flags[] = {"fast", "reassoc", "nsz", "arcp", "contract", "afn"};
  ProgramExtent extent = program_extent(p, f);
  for (OpId id = extent.first_op; id < extent.end_op; id++) {
    AttrId own = flags_of(p, program_get_op(p, id));
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
      if (mlir_names_flag(p, own, flags[i])) return true;
  }
  return false;
}

static Term put_in_all(TermTable *tt, Term t, const TermList *sizes, const TermList *values) {
  for (uint32_t i = 0; i < sizes->count; i++) t = term_replace(tt, t, sizes->data[i], values->data[i]);
  return t;
}

typedef struct Found { /* what the two sides of a call find, where sizes have values */
  const MlirMemory *memory, *other;
  const TermList *sizes, *values;
} Found;

static bool same_place(const RefinePair *pair, const Found *f, Name type, Term block, Term its, Term place) {
  TermTable *tt = pair->tt;
  Cell own = mlir_memory_at(pair->world, f->memory, pair->source.program, type, block, place);
  Cell other = mlir_memory_at(pair->world, f->other, pair->target_program, type, its, place);
  Term *parts[] = {&own.value, &own.poison, &other.value, &other.poison};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) *parts[i] = put_in_all(tt, *parts[i], f->sizes, f->values);
  if (other.poison != tt->false_ && other.poison != own.poison) return false;
  return own.value == other.value || refine_equal(tt, mlir_as_int(tt, own.value), mlir_as_int(tt, other.value));
}

/* Globals that are one block on both sides, of which a callee may be given the address: what constant ones hold is not
 * known of blocks that are symbols. */
static bool same_globals(const RefinePair *pair, const Found *f, Term place) {
  const char *name, *its;
  MlirValue v, w;
  for (uint32_t i = 0; mlir_global_at(pair->world, pair->source.program, i, &name, &v); i++)
    for (uint32_t k = 0; mlir_global_at(pair->world, pair->target_program, k, &its, &w); k++) {
      if (v.kind != MLIR_MEMREF || w.kind != MLIR_MEMREF || v.block != w.block) continue;
      Name type = mlir_memory_type(pair->world, pair->source.program, v.element);
      if (!same_place(pair, f, type, v.block, w.block, place)) return false;
    }
  return true;
}

static bool same_block(const RefinePair *pair, const Found *f, Term block, Term its, Term place) {
  for (uint32_t i = 0; i < pair->world->memories.count; i++)
    if (!same_place(pair, f, pair->world->memories.data[i].type, block, its, place)) return false;
  Term before = mlir_memory_any(pair->world, &f->memory->dead, block);
  Term after = mlir_memory_any(pair->world, &f->other->dead, its);
  return put_in_all(pair->tt, before, f->sizes, f->values) == put_in_all(pair->tt, after, f->sizes, f->values);
}

/* True if callees find the same: every place of every block that is not the caller's own, or of those of its own that
 * they were given, and what is freed. */
static bool same_memory(const RefinePair *pair, const Found *f, uint32_t escaped) {
  TermTable *tt = pair->tt;
  Term block = term_symbol_fresh(tt, "block", SORT_INT, SYMBOL_INDEX);
  Term place = term_symbol_fresh(tt, "place", SORT_INT, SYMBOL_INDEX);
  term_symbol_range(tt, block, term_int(tt, -MLIR_LOCAL), term_int(tt, MLIR_LOCAL - 1));
  for (uint32_t i = 0; i < escaped; i++)
    if (!same_block(pair, f, pair->source.escaped.data[i], pair->target.escaped.data[i], place)) return false;
  return !mlir_reaches_outside(pair->world) ||
         (same_block(pair, f, block, block, place) && same_globals(pair, f, place));
}

/* The i-th calls of functions without a body: the same, with the same memory, where the source is defined before its
 * own. A call need not return, so what the target does before it must be defined there. */
static const char *call_differs(const RefinePair *pair, uint32_t i) {
  TermTable *tt = pair->tt;
  uint32_t facts = tt->facts.count;
  TermList sizes = {0}, values = {0};
  Term before = pair->source.call_ub.data[i], symbol, value;
  for (uint32_t k = 0; k < MOST_SIZES && refine_size_of(tt, before, &symbol, &value); k++) {
    array_push(pair->arena, &sizes, symbol);
    array_push(pair->arena, &values, value);
    before = term_replace(tt, before, symbol, value);
  }
  Term call = put_in_all(tt, pair->source.calls.data[i], &sizes, &values);
  Term other = put_in_all(tt, pair->target.calls.data[i], &sizes, &values);
  Term ub = put_in_all(tt, pair->target.call_ub.data[i], &sizes, &values);
  if (before != tt->false_) term_push_fact(tt, term_not(tt, before));
  bool same = refine_equal(tt, call, other), defined = ub == before || refine_holds(tt, term_not(tt, ub));
  Found found = {&pair->source.call_memory.data[i], &pair->target.call_memory.data[i], &sizes, &values};
  uint32_t escaped = pair->source.call_escaped.data[i];
  bool finds = same && defined && escaped == pair->target.call_escaped.data[i] && same_memory(pair, &found, escaped);
  term_pop_facts(tt, facts);
  return !same      ? "functions without a body, which may have effects, are called otherwise"
         : !defined ? "what may be undefined is moved before a call, which need not return"
         : !finds   ? "memory is not shown to be equal where a function without a body is called"
                    : NULL;
}

static const char *calls_differ(const RefinePair *pair) {
  if (pair->source.calls.count != pair->target.calls.count)
    return "functions without a body, which may have effects, are called otherwise";
  const char *missing = NULL;
  for (uint32_t i = 0; i < pair->source.calls.count && !missing; i++) missing = call_differs(pair, i);
  return missing;
}

/* --only: the result of a function that has so many. */
static bool is_compared(Arena *arena, const RefineOptions *options, uint32_t result, uint32_t count) {
  const char *name = count == 1 ? "result" : arena_format(arena, "result_%u", result);
  for (uint32_t i = 0; i < options->only.count; i++)
    if (!strcmp(options->only.data[i], name)) return true;
  return !options->only.count;
}

/* True if --only leaves nothing of what the function returns. */
static bool leaves_nothing(Arena *arena, const RefineOptions *options, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (is_compared(arena, options, i, count)) return false;
  return count > 0;
}

/* --only: the others hold anything in the source. */
static void leave_others_out(const RefineOptions *options, RefinePair *pair) {
  for (uint32_t i = 0; i < pair->source.result_count; i++)
    if (!is_compared(pair->arena, options, i, pair->source.result_count))
      pair->source.results[i].cell.poison = pair->tt->true_;
}

/* True if a run changes memory that the caller sees. */
static bool writes_outside(const MlirRun *run, const TermTable *tt) {
  for (uint32_t i = 0; i < run->memory.spaces.count; i++)
    for (uint32_t k = 0; k < run->memory.spaces.data[i].writes.count; k++) {
      const MlirWrite *w = &run->memory.spaces.data[i].writes.data[k];
      int64_t id;
      if (!w->is_constant && !(w->region.block && term_is_int(tt, w->region.block, &id) && id >= MLIR_LOCAL))
        return true;
    }
  return false;
}

/* Memory of several element types, which is taken not to overlap. */
static bool is_typed(const RefinePair *pair) {
  uint32_t types = 0;
  for (uint32_t i = 0; i < pair->world->memories.count; i++) types += pair->world->memories.data[i].is_outside;
  return types > 1 && !pair->world->is_distinct &&
         (writes_outside(&pair->source, pair->tt) || writes_outside(&pair->target, pair->tt));
}

static RefineAnswer refuted(Refine *r, RefineAnswer answer) {
  const RefineWitness *w = answer.witness;
  answer.verdict = VERDICT_REFUTED, answer.code = REASON_DIFFERENT;
  answer.text = arena_format(r->arena, "%s: the source has %s, the target %s", w->result, w->left, w->right);
  return answer;
}

/* What could not be executed for all sizes may be for some. */
static RefineAnswer unless_refuted(Refine *r, RefinePair *pair, RefineAnswer answer, const MlirRun *run) {
  bool calls = pair->source.calls.count || pair->target.calls.count;
  if (run->stop_code == REASON_LOOP_MEMORY && !calls && !r->is_split && !pair->source.has_parallel &&
      !pair->source.open_order && !pair->target.open_order && !is_relaxed(r->source, pair->source_function))
    answer.witness = refine_counterexample(pair, false);
  return answer.witness ? refuted(r, answer) : stopped(answer, run->stop_code, run->stop_text);
}

/* The target, where the source is defined: what that says of sizes and memory is known. Not behind a call, which need
 * not return. */
static MlirRun execute_target(Refine *r, RefinePair *pair, const Function *g, MlirFlags flags) {
  MlirRun known = pair->source;
  MlirValue *arguments = arena_array(r->arena, MlirValue, pair->argument_count + 1);
  memcpy(arguments, pair->arguments, pair->argument_count * sizeof *arguments);
  if (pair->source.calls.count || pair->source.calls_unknown)
    return mlir_execute(r->arena, pair->world, r->target, g, arguments, flags, NULL);
  known.facts = (TermList){0}, known.apart.data = NULL, known.apart.count = known.apart.capacity = 0;
  for (uint32_t i = 0; i < pair->source.facts.count; i++)
    array_push(r->arena, &known.facts, pair->source.facts.data[i]);
  for (uint32_t i = 0; pair->source_flags.keeps_facts && i < pair->source.sizes.count; i++)
    array_push(r->arena, &known.facts, pair->source.sizes.data[i]);
  for (uint32_t i = 0; i < pair->source.apart.count; i++)
    array_push(r->arena, &known.apart, pair->source.apart.data[i]);
  if (known.facts.count) refine_fix_sizes(pair, arguments, &known); /* memory or loops */
  return mlir_execute(r->arena, pair->world, r->target, g, arguments, flags, &known);
}

static bool is_index(const Program *p, TypeId type) { return program_get_type(p, type)->kind == TYPE_INDEX; }

static void split_signs(const Refine *r, const Function *f, RefinePair *pair) {
  TermTable *tt = pair->tt;
  const Type *type = program_get_type(r->source, f->type);
  MlirValue *arguments = arena_array(r->arena, MlirValue, pair->argument_count + 1);
  memcpy(arguments, pair->arguments, pair->argument_count * sizeof *arguments);
  for (uint32_t i = 0, bit = 0; i < pair->argument_count; i++) {
    if (!is_index(r->source, type->members[i])) continue;
    Term size = term_symbol_fresh(tt, "size", SORT_INT, SYMBOL_SIZE); /* n, or -1 - n */
    term_symbol_range(tt, size, tt->zero, term_int(tt, INT64_MAX));
    bool is_negative = r->negative >> bit++ & 1;
    arguments[i].cell.value = is_negative ? term_sub(tt, term_neg(tt, tt->one), size) : size;
  }
  pair->arguments = arguments;
}

typedef struct Variant { /* of what the language leaves open */
  MlirFlags source, target;
  uint8_t open[2]; /* found: the ways that either side depends on */
} Variant;

static RefineAnswer compare_variant(Refine *r, const Function *f, const Function *g, RefineAnswer answer, Variant *v) {
  if (r->is_same && mlir_has_memory_or_loops(r->source, f)) { /* whose execution may take long */
    answer.verdict = VERDICT_PROVED;
    return answer;
  }
  InternTable *names = arena_new(r->arena, InternTable);
  intern_init(names, r->arena);
  TermTable *tt = term_table_new(r->arena, names);
  RefinePair pair = {.arena = r->arena,
                     .tt = tt,
                     .reassociate = r->options->flags.reassociate,
                     .ieee = r->options->flags.ieee,
                     .real = r->options->flags.real};
  pair.argument_count = program_get_type(r->source, f->type)->rank;
  pair.world = mlir_world_new(tt, r->options->flags);
  pair.arguments = mlir_arguments(pair.world, r->source, f);
  if (r->is_split) split_signs(r, f, &pair);
  v->source.keeps_facts = mlir_has_memory_or_loops(r->target, g);
  pair.source = mlir_execute(r->arena, pair.world, r->source, f, pair.arguments, v->source, NULL);
  v->open[0] |= pair.source.open;
  pair.source_function = f, pair.target_function = g, pair.target_program = r->target;
  pair.source_flags = v->source, pair.target_flags = v->target;
  if (pair.source.stop_code) return unless_refuted(r, &pair, answer, &pair.source);
  if (pair.source.ub == tt->true_) {
    answer.verdict = VERDICT_PROVED, answer.always_undefined = true;
    return answer;
  }
  if (r->is_same) {
    answer.verdict = VERDICT_PROVED;
    return answer;
  }
  pair.target = execute_target(r, &pair, g, v->target);
  v->open[1] |= pair.target.open;
  if (pair.target.stop_code) return unless_refuted(r, &pair, answer, &pair.target);
  leave_others_out(r->options, &pair);
  answer.is_typed = is_typed(&pair);
  bool source_relaxed = is_relaxed(r->source, f), target_relaxed = is_relaxed(r->target, g);
  /* a counterexample takes functions without a body for functions of their operands, which they may be */
  bool may_refute = !source_relaxed && !pair.source.open_order && !pair.target.open_order && !r->is_split;
  answer.open_order = pair.source.open_order || pair.target.open_order;
  if (may_refute && (answer.witness = refine_counterexample(&pair, true))) return refuted(r, answer);
  const char *missing = refine_prove(&pair);
  if (!missing) missing = calls_differ(&pair);
  if (!missing && target_relaxed) {
    return stopped(answer, REASON_RELAXED,
                   "the target has fast-math flags that allow other results than the one written");
  }
  if (!missing) {
    answer.verdict = VERDICT_PROVED;
    return answer;
  }
  answer.witness = may_refute ? refine_counterexample(&pair, false) : NULL;
  if (!answer.witness && !target_relaxed && !calls_differ(&pair)) {
    pair.thorough = true, pair.from.count = pair.to.count = 0;
    if (!refine_prove(&pair)) {
      answer.verdict = VERDICT_PROVED;
      return answer;
    }
    if (may_refute) answer.witness = refine_ask_for_counterexample(&pair);
  }
  return answer.witness ? refuted(r, answer) : stopped(answer, REASON_NOT_PROVED, missing);
}

/* With the target taken one way, the source any of its ways: one at which it is refined will do. */
static RefineAnswer compare_ways(Refine *r, const Function *f, const Function *g, RefineAnswer answer, Variant *v) {
  RefineAnswer best = answer;
  for (uint8_t way = 0; way <= v->open[0]; way++) {
    if (way & ~v->open[0]) continue;
    v->source.ways = way ^ (v->target.ways & v->open[0]); /* first the same as the target */
    RefineAnswer own = compare_variant(r, f, g, answer, v);
    if (!way || own.verdict == VERDICT_PROVED || best.verdict == VERDICT_REFUTED) best = own;
    if (best.verdict == VERDICT_PROVED) break;
  }
  return best;
}

/* What is left open: for each way of the target there must be one of the source. */
static RefineAnswer compare(Refine *r, const Function *f, const Function *g, RefineAnswer answer) {
  Variant v = {.source = r->options->flags, .target = r->options->flags};
  if (r->options->numbers) v.source.numbers = v.target.numbers = r->options->numbers[f - r->source->functions.data];
  v.target.stays_inside = true;
  RefineAnswer worst = compare_ways(r, f, g, answer, &v);
  for (uint8_t way = 1; way <= v.open[1] && worst.verdict != VERDICT_REFUTED; way++) {
    if (way & ~v.open[1]) continue;
    v.target.ways = way;
    RefineAnswer own = compare_ways(r, f, g, answer, &v);
    if (own.verdict != VERDICT_PROVED) worst = own;
  }
  return worst;
}

/* Bounds that are arguments may be negative, and then loops do not run: each case by itself. */
static bool is_proved_by_signs(const Refine *r, const Function *f, const Function *g, RefineAnswer answer) {
  enum { MOST_SIGNS = 3 };
  const Type *type = program_get_type(r->source, f->type);
  uint32_t count = 0;
  for (uint32_t i = 0; i < type->rank; i++) count += is_index(r->source, type->members[i]);
  if (!count || count > MOST_SIGNS || !mlir_has_memory_or_loops(r->source, f)) return false;
  Refine own = *r;
  own.is_split = true;
  for (own.negative = 0; own.negative < 1u << count; own.negative++)
    if (compare(&own, f, g, answer).verdict != VERDICT_PROVED) return false;
  return true;
}

static RefineAnswer compare_all(Refine *r, const Function *f, const Function *g, RefineAnswer answer) {
  RefineAnswer compared = compare(r, f, g, answer);
  if (compared.verdict == VERDICT_UNKNOWN && compared.open_order) { /* what no order explains */
    RefineOptions any_order = *r->options;
    any_order.flags.reassociate = true, any_order.flags.ieee = false;
    Refine other = {.arena = r->arena, .source = r->source, .target = r->target, .options = &any_order};
    RefineAnswer own = compare(&other, f, g, answer);
    if (own.verdict == VERDICT_REFUTED) return own;
  }
  if (compared.verdict != VERDICT_UNKNOWN || is_relaxed(r->target, g)) return compared;
  if (!r->is_same && (compared.code == REASON_UNSUPPORTED_OP || !is_proved_by_signs(r, f, g, answer))) return compared;
  answer.verdict = VERDICT_PROVED;
  return answer;
}

static RefineAnswer pair_of(Refine *r, const Function *f) {
  RefineAnswer answer = {.name = intern_string(r->source->names, f->name)};
  const char *name = r->options->target ? r->options->target : answer.name;
  const Function *g = find(r->target, name);
  if (!g || !has_body(r->target, g))
    return stopped(answer, REASON_MISSING_FUNCTION, arena_format(r->arena, "the target has no function @%s", name));
  if (!refine_same_types(r->arena, r->source, f->type, r->target, g->type))
    return stopped(answer, REASON_SIGNATURE,
                   arena_format(r->arena, "@%s is %s in the source and %s in the target", answer.name,
                                type_text(r->arena, r->source, f->type), type_text(r->arena, r->target, g->type)));
  if (leaves_nothing(r->arena, r->options, program_result_count(r->source, f)))
    return stopped(answer, REASON_UNPAIRED, "--only names no result of it");
  /* operation by operation they are the same whatever arguments are set to */
  r->is_same = !is_relaxed(r->target, g) && refine_is_same(r->arena, r->source, f, r->target, g);
  return compare_all(r, f, g, answer);
}

typedef struct Turn { /* of a function: the part of the time that is left in which it is compared */
  Refine *refine;
  const Function *function;
  RefineAnswer *answer;
} Turn;

static void take_turn(void *payload) {
  Turn *turn = payload;
  *turn->answer = pair_of(turn->refine, turn->function);
}

static bool attempt(Turn *turn, double share) {
  Guard *guard = turn->refine->arena->guard;
  if (guard_attempt(guard, share, take_turn, turn)) return true;
  bool is_late = guard->missed == GUARD_TIMEOUT;
  *turn->answer = (RefineAnswer){.name = intern_string(turn->refine->source->names, turn->function->name)};
  *turn->answer = stopped(*turn->answer, is_late ? REASON_TIMEOUT : REASON_LIMIT,
                          is_late ? "its share of the time was not enough; raise --timeout"
                                  : arena_format(turn->refine->arena, "%s", guard->message));
  return !is_late;
}

/* Half of the time is shared out first, the rest among those that need more: one function does not cost the others
 * their answers. */
static void take_turns(Turn *turns, uint32_t count, double share) {
  uint32_t left = 0;
  for (uint32_t i = 0; count > 1 && i < count; i++)
    if (!attempt(&turns[i], share / 2 / (count - i))) turns[left++] = turns[i];
  if (count == 1) left = 1;
  for (uint32_t i = 0; i < left; i++) attempt(&turns[i], share / (left - i));
}

RefineAnswers refine_programs(Arena *arena, const Program *source, const Program *target,
                              const RefineOptions *options) {
  Refine r = {.arena = arena, .source = source, .target = target, .options = options};
  RefineAnswers answers = {arena_array(arena, RefineAnswer, source->functions.count + 1), 0};
  Turn *turns = arena_array(arena, Turn, source->functions.count + 1);
  const char *only = options->source ? options->source : options->target;
  for (uint32_t i = 0; i < source->functions.count; i++) {
    const Function *f = &source->functions.data[i];
    if (only && strcmp(intern_string(source->names, f->name), only) != 0) continue;
    if (!has_body(source, f) || (!f->is_public && !find(target, intern_string(source->names, f->name)))) continue;
    turns[answers.count] = (Turn){&r, f, &answers.data[answers.count]};
    answers.count++;
  }
  take_turns(turns, answers.count, options->share);
  return answers;
}
