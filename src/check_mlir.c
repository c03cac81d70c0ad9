/* `assay check` of MLIR: both files are read, the functions paired (refine/), and the answers become a report. */
#include "check_mlir.h"

#include <stdlib.h>
#include <string.h>

#include "function/function.h"
#include "operation/arguments.h"
#include "read/mlir/read.h"
#include "refine/refine.h"

bool check_mlir_is_one(const Source *source) { return mlir_is_one(source); }

static const ReportWitness *witness_of(Arena *arena, const RefineWitness *from) {
  ReportWitness *w = arena_new(arena, ReportWitness);
  for (uint32_t i = 0; i < from->sizes.count; i++)
    array_push(arena, &w->sizes, (ReportPair){from->sizes.data[i].name, from->sizes.data[i].value});
  for (uint32_t i = 0; i < from->scalars.count; i++)
    array_push(arena, &w->scalars, (ReportPair){from->scalars.data[i].name, from->scalars.data[i].value});
  for (uint32_t i = 0; i < from->inputs.count; i++)
    array_push(arena, &w->inputs, (ReportPair){from->inputs.data[i].name, from->inputs.data[i].value});
  for (uint32_t i = 0; i < from->index.count; i++)
    array_push(arena, &w->index, (ReportPair){from->index.data[i].name, from->index.data[i].value});
  w->left = from->left, w->right = from->right;
  return w;
}

static void assume_once(Report *report, AssumptionKind kind, const char *text, const char *why) {
  for (uint32_t i = 0; i < report->assumptions.count; i++)
    if (report->assumptions.data[i].kind == kind) return;
  const char *id = arena_format(report->arena, "a%u", report->assumptions.count + 1);
  array_push(report->arena, &report->assumptions, (ReportAssumption){id, kind, text, why, NULL});
}

static void add_answer(Report *report, ReportCheck *check, const RefineAnswer *answer) {
  ReportReason reason = {answer->code, answer->text};
  const char *always = "the source is undefined for all inputs";
  ReportFunction f = {answer->name, answer->verdict, reason};
  if (answer->always_undefined) f.reason.text = always;
  if (answer->is_typed)
    assume_once(report, ASSUME_DISJOINT, "memory of different element types does not overlap",
                "one type is written while others are used");
  array_push(report->arena, &check->functions, f);
  Verdict before = report->verdict;
  report->verdict = report->verdict ? verdict_worse(report->verdict, answer->verdict) : answer->verdict;
  if (before == report->verdict || answer->verdict != report->verdict) return;
  report->kernel = answer->name, report->reason = reason, report->witness = NULL;
  if (!answer->witness) return;
  report->witness = witness_of(report->arena, answer->witness);
  check->trace.count = 0;
  for (uint32_t i = 0; i < answer->witness->lines.count; i++)
    array_push(report->arena, &check->trace, answer->witness->lines.data[i]);
  array_push(report->arena, &check->differences,
             (ReportDifference){"value", answer->witness->result, answer->text, answer->witness->left,
                                answer->witness->right});
}

static bool is_ieee(const Options *options) { return options->floats && !strcmp(options->floats, "ieee"); }

static bool is_real(const Options *options) { return options->floats && !strcmp(options->floats, "real"); }

static RefineOptions refine_options(Arena *arena, const Options *options) {
  RefineOptions to = {.flags = {.reassociate = options->reassociate,
                                .negative_zero = options->negative_zero,
                                .distinct = options->distinct,
                                .ieee = is_ieee(options),
                                .real = is_real(options)}};
  for (uint32_t i = 0; i < options->only.count; i++) array_push(arena, &to.only, options->only.data[i]);
  for (uint32_t i = 0; i < options->result_dims.count; i++) {
    MlirResultSizes sizes = {.function = options->result_dims.data[i].name};
    char *at = (char *)(uintptr_t)options->result_dims.data[i].text;
    for (; *at && sizes.count < 8; at += *at == ',') sizes.argument[sizes.count++] = (uint32_t)strtoul(at, &at, 10);
    array_push(arena, &to.flags.result_sizes, sizes);
  }
  return to;
}

/* --both-ways: of a function the worse of the two answers. */
static void join_other_way(Arena *arena, RefineAnswers *answers, const RefineAnswer *back) {
  for (uint32_t i = 0; i < answers->count; i++) {
    RefineAnswer *own = &answers->data[i];
    if (strcmp(own->name, back->name) != 0 || verdict_worse(own->verdict, back->verdict) == own->verdict) continue;
    *own = *back;
    own->text = arena_format(arena, "the other way: %s", back->text ? back->text : "");
  }
}

static void assume_floats(Report *report, const Options *options) {
  const char *text = "floats are abstract";
  const char *why = "operators are any functions with the identities of docs/mlir.md";
  if (is_real(options)) text = "floats are real numbers", why = "inputs are finite, what has no value is undefined";
  if (is_ieee(options)) text = "floats are those of IEEE 754", why = "functions that it leaves open are any functions";
  if (options->reassociate) text = "floats are abstract, sums and products are taken in any order";
  if (options->negative_zero) text = arena_format(report->arena, "%s, +0 that starts a sum is -0", text);
  const char *id = arena_format(report->arena, "a%u", report->assumptions.count + 1);
  array_push(report->arena, &report->assumptions, (ReportAssumption){id, ASSUME_FLOATS, text, why, NULL});
}

/* --set, of each function that has a body and an argument of that name. */
static const MlirNumber *const *numbers_of(Report *report, const Program *p, const Options *options,
                                           DiagnosticList *diagnostics) {
  Arena *arena = report->arena;
  const Operation none = {0};
  const Launch *launch = arena_new(arena, Launch);
  const MlirNumber **numbers = arena_array(arena, const MlirNumber *, p->functions.count + 1);
  if (!options->sets.count) return NULL;
  for (uint32_t i = 0; i < p->functions.count; i++) {
    const Function *f = &p->functions.data[i];
    const Op *op = program_get_op(p, f->op);
    if (!op->region_count || !program_get_region(p, op->regions[0])->blocks.count) continue;
    numbers[i] = function_numbers(arena, p, f, &none, launch, options, diagnostics);
    function_say_numbers(report, p, f, numbers[i]);
  }
  arguments_check_names(options, diagnostics);
  return numbers;
}

/* Functions of MLIR have the shapes that they are written with, and nothing is assumed of their sizes: what options say
 * of a kernel's arguments is not passed over. */
static bool are_for_functions(const Options *options, DiagnosticList *diagnostics) {
  const struct {
    const char *name;
    bool is_given;
  } of_kernels[] = {{"shape", options->shapes.count},
                    {"strides", options->strides.count},
                    {"assume", options->assumes.count},
                    {"alias", options->aliases.count},
                    {"map", options->maps.count}};
  for (size_t i = 0; i < sizeof of_kernels / sizeof *of_kernels; i++)
    if (of_kernels[i].is_given)
      diagnostic_add(diagnostics, SEVERITY_ERROR, "usage.option", NULL, (Span){0, 0}, NULL,
                     "--%s does not apply to two files of MLIR, whose functions are compared as they are written",
                     of_kernels[i].name);
  return !diagnostics->error_count;
}

Report *check_mlir(Arena *arena, Source *source, Source *target, const char *const functions[2], const Options *options,
                   DiagnosticList *diagnostics) {
  Program *programs[2];
  if (!are_for_functions(options, diagnostics)) return NULL;
  for (int i = 0; i < 2; i++) {
    InternTable *names = arena_new(arena, InternTable);
    intern_init(names, arena);
    programs[i] = read_dialects(arena, names, i ? target : source, diagnostics);
  }
  if (!programs[0] || !programs[1]) return NULL;
  Report *report = arena_new(arena, Report);
  ReportCheck *check = arena_new(arena, ReportCheck);
  report->arena = arena, report->check = check, report->input = source->name, report->safety = VERDICT_PROVED;
  check->left = (ReportSide){.input = source->name, .kind = "mlir", .verdict = VERDICT_PROVED};
  check->right = (ReportSide){.input = target->name, .kind = "mlir", .verdict = VERDICT_PROVED};
  RefineOptions refine = refine_options(arena, options);
  refine.source = functions[0], refine.target = functions[1];
  refine.numbers = numbers_of(report, programs[0], options, diagnostics);
  if (diagnostics->error_count) return NULL;
  refine.share = options->both_ways ? 0.45 : 0.9; /* the report takes time, too */
  RefineAnswers answers = refine_programs(arena, programs[0], programs[1], &refine);
  if (options->both_ways) {
    refine.source = functions[1], refine.target = functions[0], refine.share = 0.9;
    refine.numbers = numbers_of(report, programs[1], options, diagnostics);
    RefineAnswers back = refine_programs(arena, programs[1], programs[0], &refine);
    for (uint32_t i = 0; i < back.count && functions[0]; i++) back.data[i].name = functions[0]; /* the one pair */
    for (uint32_t i = 0; i < back.count; i++) join_other_way(arena, &answers, &back.data[i]);
  }
  for (uint32_t i = 0; i < answers.count; i++) add_answer(report, check, &answers.data[i]);
  if (!answers.count) {
    report->verdict = VERDICT_UNKNOWN;
    report->reason =
        (ReportReason){REASON_MISSING_FUNCTION, functions[0] || functions[1] ? "the source has no such function"
                                                                             : "the source defines no public function"};
  }
  for (uint32_t i = 0; i < options->only.count; i++) array_push(arena, &check->only, options->only.data[i]);
  assume_floats(report, options);
  return report;
}
