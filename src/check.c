/* The pipeline of `assay check` (see check.h): both sides to outputs over one table of terms, pair by pair compared. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "check_run.h"

#include "base/message.h"
#include "compare/side.h"
#include "formula/lift_formula.h"
#include "function/function.h"
#include "graph/graph.h"
#include "operation/given.h"
#include "prove/equal.h"
#include "safety/definedness.h"
#include "report/report.h"

typedef struct Check {
  Arena *arena;
  const Options *options;
  DiagnosticList *diagnostics;
  Side sides[2];
  TermTable *tt;
  const Pointwise *known; /* whose tensors both are over */
  CompareAssumptions assumptions;
  Pairing pairing;
  TermSteps made;                       /* in which the right was read or, if it is a function of MLIR, executed */
  TermSteps made_left;                  /* and the left, if it is over the terms of --shape */
  TermSteps made_again;                 /* and in which it was made again over the terms of the left */
  TermTable *made_in;                   /* NULL: it is a kernel */
  TermList own_values;                  /* of the right, over that table */
  Array(TermList) indices, own_indices; /* by output of the right, over the table of both and over its own */
  uint32_t own_conditions;              /* those of the assumptions that are the left's own */
  Report *report;
  ReportCheck *out;
} Check;

/* ---- the sides ---- */

static bool is_concrete(const Side *side) { return side->pointwise != NULL; }

/* Kernels are lifted; formulas that declare their tensors stand alone. What a search finds is not taken for a side: it
 * may have a value where the code has none. */
static void load(Check *c, Side *side) {
  const CheckInput *input = side->input;
  Options *options = arena_new(c->arena, Options);
  *options = *c->options;
  if (!options->engine) options->engine = "deduce";
  if (input->kind == CHECK_OPERATION) {
    side->is_function = function_is_one(input->operation);
    TermSteps *made = side == &c->sides[1] ? &c->made : NULL;
    side->report = side->is_function ? function_lift(c->arena, input->operation, options, made, c->diagnostics)
                                     : pipeline_lift(c->arena, input->operation, options, c->diagnostics);
    side->claim = side->report->claim;
    side->kernel = side->report->kernel;
    if (side->is_function && made && side->claim) c->made_in = side->claim->tt;
    if (side->claim && !side->claim->stop_code) side->pointwise = side->claim->pointwise;
    return;
  }
  side->kernel = input->function;
  if (input->kind == CHECK_REFERENCE) return;
  InternTable *names = arena_new(c->arena, InternTable);
  DiagnosticList own;
  intern_init(names, c->arena);
  diagnostic_list_init(&own, c->arena);
  TermTable *tt = term_table_new(c->arena, names);
  if (side == &c->sides[1]) c->made_in = tt, tt->made = &c->made;
  Graph *graph = graph_is_one(input->source) ? graph_read(c->arena, tt, input->source, c->diagnostics) : NULL;
  if (graph) side->pointwise = graph->pointwise, side->kernel = graph->name, side->assumed = graph->assumed;
  tt->made = graph ? NULL : tt->made;
  if (graph || c->diagnostics->error_count) return;
  DiagnosticList *errors = formula_declares_tensors(input->source)
                               ? c->diagnostics
                               : &own; /* else it is read over the other side's tensors */
  Formula *formula = formula_read(c->arena, tt, input->source, NULL, errors);
  if (formula && formula->declared && reference_stand_alone(c->arena, formula, input->source, errors))
    side->pointwise = formula->pointwise, side->kernel = formula->kernel, side->assumed = formula->assumed;
  tt->made = NULL;
}

/* What stops a comparison before it begins: a side that could not be lifted. */
static bool is_stopped(Check *c) {
  for (int i = 0; i < 2; i++) {
    const Side *side = &c->sides[i];
    if (side->input->kind != CHECK_OPERATION || is_concrete(side)) continue;
    c->report->reason = (ReportReason){side->report->reason.code,
                                       arena_format(c->arena, "%s: %s", side->input->name, side->report->reason.text)};
    return true;
  }
  return false;
}

static void assume_left(Check *c, const Side *side) {
  for (uint32_t i = 0; side->claim && i < side->claim->assumptions.count; i++) {
    const Assumption *a = &side->claim->assumptions.data[i];
    if (a->condition) array_push(c->arena, &c->assumptions.conditions, a->condition);
    Term contents = pairing_contents(c->tt, a->of_contents);
    if (contents) array_push(c->arena, &c->assumptions.conditions, contents);
    Term needed = a->kind != ASSUME_PRECONDITION ? 0 : contents ? contents : a->condition;
    if (needed) array_push(c->arena, &c->assumptions.preconditions, (ComparePrecondition){needed, 0});
    const PointwiseTensor *apart = pairing_tensor(side->pointwise, a->apart);
    if (apart) array_push(c->arena, &c->assumptions.apart, *apart);
    if (a->of_values) array_push(c->arena, &c->assumptions.conditions, a->of_values);
    side_keep_arithmetic(a, &c->pairing, NULL);
  }
}

/* Over the terms of --shape. */
static bool apply_left(Check *c) {
  c->made_left.count = 0, c->tt->made = &c->made_left;
  bool good = side_apply(&c->sides[0], c->known, NULL, &c->pairing, true);
  c->tt->made = NULL;
  return good;
}

/* Over the terms of the other side. */
static bool apply_right(Check *c, const CompareOutputs *wanted) {
  c->made.count = 0, c->made_in = c->tt, c->tt->made = &c->made;
  bool good = side_apply(&c->sides[1], c->known, wanted, &c->pairing, false);
  c->tt->made = NULL;
  return good;
}

/* True if that argument is a pointer of a host language, of which nothing but addresses are known. */
static bool is_pointer(const Side *side, const char *argument) {
  const Effects *ex = side->claim ? side->claim->ex : NULL;
  if (!ex || !ex->program->is_host) return false;
  for (uint32_t i = 0, rank; i < ex->params.count; i++)
    if (!strcmp(ex->params.data[i].name, argument) && program_arg_shape(ex->program, ex->function, i, &rank))
      return false;
  return true;
}

/* Two functions that are given one pointer find the same elements at the same addresses. */
static void stop_at_strides(Check *c) {
  for (uint32_t i = 0; i < c->pairing.notes.count && !c->pairing.stop; i++) {
    const ReportDifference *d = &c->pairing.notes.data[i];
    if (!strcmp(d->kind, "strides") && is_pointer(&c->sides[0], d->output) && is_pointer(&c->sides[1], d->output))
      c->pairing.stop =
          arena_format(c->arena, "%s has the strides %s, and %s on the right", d->output, d->left, d->right);
  }
}

/* Both have tensors of their own: what is over those of the left may cancel there alone. */
static bool import_right(Check *c) {
  c->made_again.count = 0, c->tt->made = &c->made_again;
  bool good = side_import(&c->sides[1], &c->sides[0], &c->pairing);
  if (good) stop_at_strides(c);
  if (good && !c->pairing.stop) c->known = side_widen(&c->sides[0], &c->sides[1], c->known, &c->pairing);
  c->tt->made = NULL;
  return good;
}

/* A pointer, of which nobody says how long it is. */
static bool has_open_lengths(const Check *c, const Side *side) {
  const CheckInput *input = side->input;
  return input->kind == CHECK_OPERATION && !side->is_function && !input->operation->has_tensors &&
         !c->options->shapes.count;
}

static bool is_of_host(const CheckInput *side) {
  if (side->kind != CHECK_OPERATION) return false;
  for (uint32_t i = 0; i < side->operation->launches.count; i++)
    if (!side->operation->launches.data[i].program || !side->operation->launches.data[i].program->is_host) return false;
  return side->operation->launches.count > 0;
}

/* Of a kernel against a function of MLIR: tensors that both have are as long as the function says. Of two functions of
 * host languages: as long as either reads them, which tells apart one that stops before the last element. */
static const Pointwise *with_said_lengths(Check *c) {
  const Pointwise *known = c->known, *both = c->sides[1].imported;
  bool is_said = c->sides[1].is_function, are_host = is_of_host(c->sides[0].input) && is_of_host(c->sides[1].input);
  if ((!is_said && !are_host) || !both || !has_open_lengths(c, &c->sides[0])) return known;
  Pointwise *own = arena_new(c->arena, Pointwise);
  *own = *known;
  own->tensors.data = arena_array(c->arena, PointwiseTensor, known->tensors.count + 1);
  for (uint32_t i = 0; i < known->tensors.count; i++) {
    PointwiseTensor *t = &own->tensors.data[i];
    *t = known->tensors.data[i];
    for (uint32_t k = known->tensors.count; k < both->tensors.count; k++) {
      const PointwiseTensor *other = &both->tensors.data[k];
      if (other->symbol != t->symbol || other->rank != t->rank || (!is_said && t->is_written)) continue;
      for (uint32_t d = 0; d < t->rank; d++)
        t->extent[d] = is_said || !t->extent[d] || !other->extent[d] ? other->extent[d]
                                                                     : term_max(c->tt, t->extent[d], other->extent[d]);
    }
  }
  return own;
}

static TermList indices_of(const Check *c, const CompareOutput *o) {
  TermList list = {0};
  for (uint32_t k = 0; k < o->rank; k++) array_push(c->arena, &list, o->index[k]);
  return list;
}

static void keep_own_values(Check *c) {
  c->own_values.count = c->own_indices.count = 0;
  for (uint32_t i = 0; i < c->sides[1].outputs.count; i++) {
    array_push(c->arena, &c->own_values, c->sides[1].outputs.data[i].value);
    array_push(c->arena, &c->own_indices, indices_of(c, &c->sides[1].outputs.data[i]));
  }
}

static bool make_outputs(Check *c) {
  Side *left = &c->sides[0], *right = &c->sides[1];
  Side *base = is_concrete(left) ? left : is_concrete(right) ? right : NULL;
  for (int i = 0; i < 2; i++)
    if (is_concrete(&c->sides[i])) side_own_outputs(c->arena, &c->sides[i]);
  if (!base) {
    InternTable *names = arena_new(c->arena, InternTable);
    intern_init(names, c->arena);
    c->known = side_shapes(c->arena, names, c->options, c->diagnostics);
    if (!c->known) return false;
    c->tt = c->known->tt;
    return apply_left(c) && apply_right(c, &left->outputs);
  }
  c->known = base->pointwise, c->tt = c->known->tt;
  assume_left(c, base);
  side_assume(base, base->pointwise, &c->pairing, c->tt, NULL);
  for (uint32_t i = 0; base->claim && base->claim->tt == c->tt && i < base->claim->given.count; i++)
    array_push(c->arena, &c->pairing.given, base->claim->given.data[i]);
  c->own_conditions = c->assumptions.conditions.count;
  Side *other = base == left ? right : left;
  if (is_concrete(other)) {
    keep_own_values(c);
    bool good = import_right(c);
    c->known = with_said_lengths(c);
    return good;
  }
  if (other->input->kind == CHECK_REFERENCE)
    c->known = side_resolve_extents(base, &c->pairing); /* formulas have names for them */
  c->known = side_open_extents(c->known, &c->pairing);
  if (other == right) return apply_right(c, &base->outputs);
  keep_own_values(c);
  return side_apply(other, c->known, &base->outputs, &c->pairing, true);
}

/* ---- ranks ---- */

/* Memory tells the place of an element. Tensors of references are always laid out so. */
static bool is_contiguous(const Side *side, uint32_t output) {
  return !is_concrete(side) ||
         pairing_is_contiguous(side->pointwise->tt,
                               &side->pointwise->tensors.data[side->pointwise->outputs.data[output].tensor]);
}

/* The same elements as one row. */
static void flatten(Check *c, CompareOutput *o) {
  TermTable *tt = c->tt;
  Term total = tt->one, rest, at[POINTWISE_MAX_RANK];
  for (uint32_t k = 0; k < o->rank; k++) total = term_mul(tt, total, o->shape[k]);
  Term flat = rest = term_symbol_fresh(tt, "i", SORT_INT, SYMBOL_INDEX);
  term_symbol_range(tt, flat, tt->zero, term_sub(tt, total, tt->one));
  for (uint32_t k = o->rank; k-- > 0; rest = term_floordiv(tt, rest, o->shape[k]))
    at[k] = k ? term_mod(tt, rest, o->shape[k]) : rest;
  TermMap map = {.count = o->rank, .from = o->index, .to = at};
  o->region = term_substitute(tt, o->region, map);
  if (o->value) o->value = term_substitute(tt, o->value, map);
  o->rank = 1, o->shape[0] = total, o->index[0] = flat, o->expression = NULL;
}

static bool is_length_of(const TermTable *tt, Term n, Term length) {
  return term_kind(tt, n) == TERM_SYM && pairing_is_length(tt, n, length);
}

static void add_difference(Check *c, const char *kind, const char *output, const char *text, const char *left,
                           const char *right) {
  array_push(c->arena, &c->out->differences, (ReportDifference){kind, output, text, left, right});
}

static const char *shape_text(const Check *c, const CompareOutput *o) {
  Text text = text_new(c->arena);
  text_char(&text, '[');
  for (uint32_t k = 0; k < o->rank; k++) text_format(&text, "%s%s", k ? ", " : "", term_text(c->tt, o->shape[k]));
  text_char(&text, ']');
  return text_string(&text);
}

/* What the kernel of the left writes, with the axes of the launch, which a reference is over. */
static void take_launched_axes(Check *c, uint32_t place, CompareOutput *left, uint32_t rank) {
  bool is_of_kernel = c->sides[0].input->kind == CHECK_OPERATION && c->sides[1].input->kind != CHECK_OPERATION;
  CompareOutput own = *left;
  if (is_of_kernel && is_concrete(&c->sides[0]) &&
      side_launched_output(&c->pairing, c->known, c->sides[0].pointwise->outputs.data[place].tensor, &own) &&
      own.rank == rank)
    *left = own;
}

/* Different ranks are those of a launch, or compared as memory; n = M*N is then assumed if one side has a plain size.
 */
static bool align_ranks(Check *c, uint32_t left_place, CompareOutput *left, uint32_t right_place,
                        CompareOutput *right) {
  if (left->rank != right->rank) take_launched_axes(c, left_place, left, right->rank);
  if (left->rank == right->rank) return true;
  if (!is_contiguous(&c->sides[0], left_place) || !is_contiguous(&c->sides[1], right_place)) return false;
  if (c->sides[0].input->kind != CHECK_OPERATION &&
      c->sides[1].input->kind != CHECK_OPERATION) { /* a kernel has memory, and nothing else */
    const char *own = shape_text(c, left), *other = shape_text(c, right);
    add_difference(c, "shape", left->name,
                   arena_format(c->arena, "the shapes differ: %s and %s; compared as memory", own, other), own, other);
  }
  flatten(c, left);
  flatten(c, right);
  Term a = left->shape[0], b = right->shape[0];
  if (term_sub(c->tt, a, b) == c->tt->zero || (!is_length_of(c->tt, a, b) && !is_length_of(c->tt, b, a))) return true;
  Term equal = term_eq(c->tt, a, b);
  if (pairing_as_given(&c->pairing, c->tt, equal, 1) == GIVEN_FAILS) return true;
  const char *text = arena_format(c->arena, "%s = %s", term_text(c->tt, a), term_text(c->tt, b));
  array_push(c->arena, &c->assumptions.conditions, equal);
  array_push(c->arena, &c->assumptions.made,
             (ReportAssumption){NULL, ASSUME_RANGE, text, "tensors of different rank are compared as memory", NULL});
  return true;
}

/* ---- the report ---- */

static void describe(Check *c, const Side *side, ReportSide *out) {
  static const char *const kinds[] = {"kernel", "formula", "reference"};
  out->input = side->input->name, out->kernel = side->kernel;
  out->kind = side->is_function ? "mlir" : kinds[side->input->kind];
  out->verdict = side->report ? side->report->verdict : VERDICT_PROVED;
  for (uint32_t i = 0; i < side->texts.count; i++) array_push(c->arena, &out->outputs, side->texts.data[i]);
}

static void begin_report(Check *c) {
  Side *left = &c->sides[0];
  c->report = arena_new(c->arena, Report);
  c->out = arena_new(c->arena, ReportCheck);
  if (left->report) *c->report = *left->report;
  c->report->arena = c->arena;
  c->report->input = left->input->name;
  c->report->kernel = left->kernel;
  c->report->verdict = VERDICT_UNKNOWN;
  if (!left->report) c->report->safety = VERDICT_PROVED; /* a formula touches no memory */
  c->report->reason = (ReportReason){0};
  c->report->witness = NULL;
  c->report->stage_text = NULL;
  c->report->check = c->out;
}

/* A left side that was not lifted: its inputs are the known tensors, its outputs what it says. */
static void describe_formula(Check *c) {
  Report *r = c->report;
  TermTable *tt = c->tt;
  for (uint32_t i = 0; i < c->known->tensors.count; i++) {
    const PointwiseTensor *t = &c->known->tensors.data[i];
    const char **shape = arena_array(c->arena, const char *, t->rank + 1);
    for (uint32_t k = 0; k < t->rank; k++) shape[k] = term_text(tt, t->extent[k]);
    if (t->is_read)
      array_push(c->arena, &r->inputs,
                 (ReportTensor){.name = t->name, .kind = "tensor", .dtype = t->dtype, .rank = t->rank, .shape = shape});
  }
  for (uint32_t i = 0; i < c->sides[0].outputs.count; i++) {
    const CompareOutput *o = &c->sides[0].outputs.data[i];
    const char **shape = arena_array(c->arena, const char *, o->rank + 1), *text = c->sides[0].texts.data[i].formula;
    for (uint32_t k = 0; k < o->rank; k++) shape[k] = term_text(tt, o->shape[k]);
    const char *dtype = o->dtype                                            ? o->dtype
                        : !o->value || term_sort(tt, o->value) == SORT_REAL ? "real"
                                                                            : "int"; /* which of them is not said */
    ReportOutput out = {.tensor = {.name = o->name, .kind = "tensor", .dtype = dtype, .rank = o->rank, .shape = shape},
                        .region = "all",
                        .form = "tensor",
                        .text = text,
                        .raw = text,
                        .pointwise = o->value ? term_text(tt, o->value) : text,
                        .latex = ""};
    array_push(c->arena, &r->outputs, out);
  }
  array_push(c->arena, &r->assumptions,
             (ReportAssumption){"a1", ASSUME_FINITE, "inputs are finite", "numbers are reals", NULL});
  array_push(c->arena, &r->assumptions,
             (ReportAssumption){"a2", ASSUME_RANGE, "sizes are at least 1", "sizes are not empty", NULL});
}

/* What is assumed of both sides is said once. Its number, or UINT32_MAX. */
static uint32_t find_assumption(const Report *left, uint32_t count, const ReportAssumption *a) {
  for (uint32_t i = 0; i < count; i++) {
    const ReportAssumption *own = &left->assumptions.data[i];
    bool is_limit = own->limit == a->limit || (own->limit && a->limit && !strcmp(own->limit, a->limit));
    if (own->kind == a->kind && is_limit && !strcmp(own->text, a->text)) return i;
  }
  return UINT32_MAX;
}

static void add_assumptions(Check *c) {
  Report *r = c->report;
  const Report *right = c->sides[1].report;
  ReportAssumption *own = arena_array(c->arena, ReportAssumption, r->assumptions.count + 1);
  uint32_t count = r->assumptions.count;
  for (uint32_t i = 0; i < count; i++) own[i] = r->assumptions.data[i]; /* the left's report keeps its own */
  r->assumptions.data = own, r->assumptions.capacity = count;
  for (uint32_t i = 0; right && i < right->assumptions.count; i++) {
    ReportAssumption a = right->assumptions.data[i];
    uint32_t known = find_assumption(r, count, &a);
    if (known != UINT32_MAX) {
      ReportAssumption *both = &r->assumptions.data[known];
      both->why = arena_format(c->arena, "both sides: %s", both->why ? both->why : "");
      continue;
    }
    a.id = arena_format(c->arena, "a%u", r->assumptions.count + 1),
    a.why = arena_format(c->arena, "right: %s", a.why ? a.why : "");
    array_push(c->arena, &r->assumptions, a);
  }
  c->out->own_assumptions = r->assumptions.count;
  for (uint32_t i = 0; i < c->assumptions.made.count; i++) {
    ReportAssumption a = c->assumptions.made.data[i];
    bool known = false;
    for (uint32_t k = 0; k < r->assumptions.count; k++) known |= !strcmp(r->assumptions.data[k].text, a.text);
    if (known) continue;
    a.id = arena_format(c->arena, "a%u", r->assumptions.count + 1);
    array_push(c->arena, &r->assumptions, a);
  }
}

/* ---- --stop-after ---- */

/* What an output is called in the stage: those that a reference returns without a name have a number. */
static const char *stage_name(Check *c, const CompareOutput *o) {
  return o->name[0] == '#' ? arena_format(c->arena, "output_%s", o->name + 1) : o->name;
}

/* The known tensors and the outputs of both sides: what the stage declares. */
static const Pointwise *stage_declared(Check *c) {
  Pointwise *p = arena_new(c->arena, Pointwise);
  *p = (Pointwise){.tt = c->tt, .kernel = c->known->kernel, .scalars = c->known->scalars};
  for (uint32_t i = 0; i < c->known->tensors.count; i++)
    if (c->known->tensors.data[i].is_read || c->known->tensors.data[i].is_written)
      array_push(c->arena, &p->tensors, c->known->tensors.data[i]);
  for (int i = 0; i < 2; i++)
    for (uint32_t k = 0; k < c->sides[i].outputs.count; k++) {
      const CompareOutput *o = &c->sides[i].outputs.data[k];
      PointwiseTensor t = {.name = stage_name(c, o),
                           .dtype = o->dtype                                               ? o->dtype
                                    : !o->value || term_sort(c->tt, o->value) == SORT_REAL ? "f32"
                                                                                           : "i32",
                           .rank = o->rank};
      PointwiseOutput output = {.rank = o->rank};
      uint32_t known = 0;
      Term stride = c->tt->one;
      while (known < p->tensors.count && strcmp(p->tensors.data[known].name, t.name)) known++;
      for (uint32_t d = o->rank; d-- > 0; stride = term_mul(c->tt, stride, o->shape[d]))
        t.extent[d] = o->shape[d], t.stride[d] = stride;
      if (known == p->tensors.count) array_push(c->arena, &p->tensors, t);
      memcpy(output.index, o->index, sizeof output.index);
      if (o->value) array_push(c->arena, &output.pieces, (PointwisePiece){.region = o->region, .value = o->value});
      array_push(c->arena, &p->outputs, output);
    }
  return p;
}

/* In tensor form, where the side is over the names of the declarations; NULL: it is not, or has none. */
static const char *stage_tensor_text(Check *c, const Side *side, uint32_t k) {
  const CompareOutput *o = &side->outputs.data[k];
  bool lifted = side == &c->sides[0] && side->report && k < side->report->outputs.count &&
                !strcmp(side->report->outputs.data[k].form, "tensor");
  if (strcmp(c->options->stop_after, "tensor") || o->region != c->tt->true_) return NULL;
  if (side == &c->sides[0] && !side->report && is_concrete(side)) {
    const TensorExpr *own = side->pointwise->outputs.data[k].formula;
    return own ? tensor_text(c->tt, own) : NULL;
  }
  return lifted ? side->report->outputs.data[k].text : o->expression ? tensor_text(c->tt, o->expression) : NULL;
}

static void stage_output(Check *c, const Side *side, uint32_t k, Text *text) {
  const CompareOutput *o = &side->outputs.data[k];
  const char *formula = stage_tensor_text(c, side, k);
  text_add(text, stage_name(c, o));
  for (uint32_t d = 0; d < o->rank; d++)
    text_format(text, "%s%s", d ? ", " : "[", term_text(c->tt, formula ? o->shape[d] : o->index[d]));
  text_format(text, "%s = %s",
              o->rank   ? "]"
              : formula ? ""
                        : "[]",
              formula    ? formula
              : o->value ? term_text(c->tt, o->value)
                         : "?");
  if (o->region != c->tt->true_) text_format(text, " for %s", term_text(c->tt, o->region));
  text_char(text, '\n');
}

/* Both sides, over one set of declarations: it reads back as a formula with the outputs of both. */
static const char *stage_text(Check *c) {
  Text text = text_new(c->arena);
  text_format(&text, "%s %s\n", strcmp(c->options->stop_after, "tensor") ? "pointwise" : "formula",
              c->known->kernel ? c->known->kernel : "formula");
  formula_print_declarations(stage_declared(c), &text);
  for (int i = 0; i < 2; i++) {
    if (c->sides[i].outputs.count) text_add(&text, i ? "# right\n" : "# left\n");
    for (uint32_t k = 0; k < c->sides[i].outputs.count; k++) stage_output(c, &c->sides[i], k, &text);
  }
  return text_string(&text);
}

/* ---- the comparison ---- */

static const char *difference_kind(CompareDifference difference) {
  static const char *const kinds[] = {"value", "shape", "region", "value"};
  return kinds[difference];
}

/* Of terms it is not known which format a literal had: f64 counts if it is anywhere in a kernel or in memory.
 * References and formulas have numbers only. */
static CompareFormat literal_format(const Check *c) {
  for (int i = 0; i < 2; i++) {
    const Side *side = &c->sides[i];
    if (side->claim && side->claim->has_f64) return COMPARE_F64;
    for (uint32_t k = 0; side->pointwise && k < side->pointwise->tensors.count; k++)
      if (!strcmp(side->pointwise->tensors.data[k].dtype, "f64")) return COMPARE_F64;
  }
  return COMPARE_F32;
}

/* True if it is no number wherever a part of it is none. It chooses nothing, and makes no number of an infinity;
 * `finite`: no part of it is infinite either. */
static bool shows_parts(const TermTable *tt, const TensorExpr *e, bool finite, uint32_t *steps) {
  if (++*steps > 1000) return false;
  if (e->plain) return shows_parts(tt, e->plain, finite, steps);
  TensorForm form = tensor_op_form(e->op);
  if (e->op == TENSOR_CONST) return !finite || !(term_node(tt, e->value)->flags & TERM_HAS_INF);
  if (form == TENSOR_FORM_LEAF) return true;
  if (e->op == TENSOR_DIV || tensor_is_whole_division(e->op))
    return !finite && shows_parts(tt, e->args[0], false, steps) && shows_parts(tt, e->args[1], true, steps);
  bool keeps = form == TENSOR_FORM_VIEW || e->op == TENSOR_NEG || e->op == TENSOR_SQRT || e->op == TENSOR_ABS ||
               e->op == TENSOR_FLOOR || e->op == TENSOR_CEIL || e->op == TENSOR_ROUND || e->op == TENSOR_TRUNC ||
               e->op == TENSOR_ADD || e->op == TENSOR_SUB || e->op == TENSOR_MUL || e->op == TENSOR_MATMUL ||
               ((e->op == TENSOR_REDUCE || e->op == TENSOR_SCAN) && e->fold == FOLD_SUM);
  bool is_log = e->op == TENSOR_LOG2 || (e->op == TENSOR_FN1 && e->fn == FN_LOG);
  if (!keeps && (finite || !is_log)) return false;
  for (uint32_t i = 0; i < e->count; i++)
    if (!shows_parts(tt, e->args[i], finite, steps)) return false;
  return true;
}

/* What the left was made of, at the indices of the right: where it is defined, these are, and no divisor is 0. */
static void add_left_steps(Check *c, const CompareOutput *left, TermMap at, TermList *values) {
  TermTable *tt = c->tt;
  uint32_t steps = 0;
  if (!left->expression || c->sides[0].outputs.count > 1 || !shows_parts(tt, left->expression, false, &steps)) return;
  for (uint32_t i = 0; i < c->made_left.count; i++) {
    TermStep step = c->made_left.data[i];
    if (step.under) continue; /* it may not be done */
    array_push(c->arena, values, term_substitute(tt, step.a, at));
    if (step.b) array_push(c->arena, values, term_substitute(tt, step.b, at));
    Term some =
             step.kind == TERM_STEP_QUOTIENT ? term_symbol_fresh(tt, "some", term_sort(tt, step.b), SYMBOL_SCALAR) : 0,
         b = some ? term_substitute(tt, step.b, at) : 0;
    if (some)
      array_push(c->arena, values,
                 term_sort(tt, b) == SORT_INT && !term_is_rat(tt, b) ? term_floordiv(tt, some, b)
                                                                     : term_div(tt, some, b));
  }
}

/* Those that the reads of the right are of, in that table; NULL: it is a kernel, whose accesses have bounds. */
static const Pointwise *right_tensors(const Check *c, const TermTable *tt) {
  const Side *right = &c->sides[1];
  if (right->report) return NULL;
  return tt != c->tt ? right->pointwise : right->imported ? right->imported : c->known;
}

/* Why the right may be undefined where its terms are not: something in it cancels. `left`: what is known of
 * the other value, at the indices of the right. NULL: it is not. */
static const char *hole(Check *c, const TermList *left, uint32_t k, Term right) {
  TermTable *tt = c->made_in;
  TermList own = {0}, none = {0}, others = {0}, own_others = {0};
  array_push(c->arena, &own, right);
  for (uint32_t i = 0; i < c->indices.count; i++)
    for (uint32_t d = 0; d < c->indices.data[i].count && i != k; d++) {
      array_push(c->arena, &others, c->indices.data[i].data[d]);
      if (i < c->own_indices.count) array_push(c->arena, &own_others, c->own_indices.data[i].data[d]);
    }
  const char *why = c->sides[1].report ? c->sides[1].report->undefined_where : NULL;
  if (!why && tt == c->tt)
    why = definedness_of_steps(c->arena, tt, right_tensors(c, tt), &c->made, &others, &own, left);
  else if (!why && tt)
    why = definedness_of_steps(c->arena, tt, right_tensors(c, tt), &c->made, &own_others, &c->own_values, &none);
  return why ? why
             : definedness_of_steps(c->arena, c->tt, right_tensors(c, c->tt), &c->made_again, &others, &own, left);
}

/* The same of what both are at last, with constants that are meant to be one; but where that makes something cancel. */
static const char *hole_in_value(Check *c, Term left, Term right) {
  const Pointwise *tensors = right_tensors(c, c->tt);
  Term a = left, b = right;
  compare_unify_constants(c->arena, c->tt, literal_format(c), &a, &b, &c->assumptions);
  bool cancels = definedness_by_making(c->arena, c->tt, tensors, right, b);
  return cancels ? definedness_of_value(c->arena, c->tt, tensors, right, left)
                 : definedness_of_value(c->arena, c->tt, tensors, b, a);
}

/* What every program states of what memory holds, at the indices that run over programs. */
static void push_stated(Check *c) {
  TermTable *tt = c->tt;
  const Claim *claim = c->sides[0].claim;
  TermList indices = {0};
  const TermSteps *steps = c->made_in == tt ? &c->made : &c->made_again;
  for (uint32_t i = 0; i < steps->count; i++) {
    term_symbols(tt, steps->data[i].a, &indices);
    if (steps->data[i].b) term_symbols(tt, steps->data[i].b, &indices);
  }
  for (uint32_t i = 0; claim && i < claim->assumptions.count; i++) {
    Term stated = claim->assumptions.data[i].of_contents, program = 0;
    TermList symbols = {0};
    if (!stated) continue;
    term_symbols(tt, stated, &symbols);
    for (uint32_t s = 0; s < symbols.count; s++) {
      SymbolRole role = term_symbol(tt, symbols.data[s])->role;
      if (role == SYMBOL_TENSOR || role == SYMBOL_SIZE || role == SYMBOL_SCALAR || role == SYMBOL_GRID) continue;
      program = program || role != SYMBOL_PID ? tt->false_ : symbols.data[s]; /* of one program id alone */
    }
    if (!program || program == tt->false_) continue;
    Term last = term_symbol(tt, program)->hi;
    for (uint32_t k = 0; k < indices.count && last; k++) {
      const Symbol *s = term_symbol(tt, indices.data[k]);
      if (s->role == SYMBOL_INDEX && s->lo && s->hi && equal_prove_true(tt, term_le(tt, tt->zero, s->lo)) &&
          equal_prove_true(tt, term_le(tt, s->hi, last)))
        equal_push(tt, term_replace(tt, stated, program, indices.data[k]));
    }
  }
}

static const char *hole_where_equal(Check *c, const TermList *left, uint32_t k, Term right) {
  uint32_t facts = c->tt->facts.count;
  for (uint32_t i = 0; i < c->assumptions.conditions.count; i++) equal_push(c->tt, c->assumptions.conditions.data[i]);
  push_stated(c);
  const char *why = hole(c, left, k, right);
  if (!why && left->count) why = hole_in_value(c, left->data[0], right);
  term_pop_facts(c->tt, facts);
  return why;
}

/* An element of an integer tensor is what the tensor holds: so is what a kernel stores there, wherever it is defined. A
 * conversion that does not fit is undefined. */
static void add_range_of_element(Check *c, CompareOutput *o) {
  TermTable *tt = c->tt;
  int width = o->dtype && o->dtype[0] == 'i' ? atoi(o->dtype + 1) : 0;
  if (c->sides[0].input->kind != CHECK_OPERATION || !o->value || width < 8 || width > 32 ||
      term_sort(tt, o->value) != SORT_INT)
    return;
  int64_t lo = -((int64_t)1 << (width - 1)), hi = -lo - 1;
  array_push(c->arena, &o->known, term_le(tt, term_int(tt, lo), o->value));
  array_push(c->arena, &o->known, term_le(tt, o->value, term_int(tt, hi)));
}

static bool is_same_source(const Source *a, const Source *b) {
  return a && b && a->size == b->size && !memcmp(a->text, b->text, a->size);
}

/* One text on both sides: where the left is defined, the right is, whatever is known of that. */
static bool are_same_text(const Check *c) {
  const CheckInput *a = c->sides[0].input, *b = c->sides[1].input;
  return !c->options->maps.count && a->kind == b->kind && a->kind != CHECK_OPERATION &&
         is_same_source(a->source, b->source) &&
         (a->function == b->function || (a->function && b->function && !strcmp(a->function, b->function)));
}

/* A length of the output that is what was read of a tensor, and no plain size: nobody says that it is the tensor's. */
static const char *least_length(const Check *c, const CompareOutput *o) {
  for (uint32_t i = 0; i < c->known->tensors.count; i++) {
    const PointwiseTensor *t = &c->known->tensors.data[i];
    for (uint32_t d = 0; d < t->rank; d++)
      for (uint32_t k = 0; k < o->rank && t->is_least[d]; k++)
        if (o->shape[k] == t->extent[d])
          return arena_format(c->arena, "axis %u of %s has %s elements", d, t->name, term_text(c->tt, t->extent[d]));
  }
  return NULL;
}

/* A length of the left's output that nothing of its kernel tells, NAME_d0, and no other tensor of it has. NULL: there
 * is none, or the launch that was given has other lengths on the right. */
static const char *open_length(const Check *c, const CompareOutput *o, const CompareOutput *right) {
  const Pointwise *p = c->sides[0].pointwise;
  bool is_kernel = c->sides[0].input->kind == CHECK_OPERATION && c->sides[0].claim;
  for (uint32_t k = 0; k < o->rank; k++)
    is_kernel &= pairing_as_given(&c->pairing, c->tt, term_eq(c->tt, o->shape[k], right->shape[k]), 1) != GIVEN_FAILS;
  for (uint32_t k = 0; is_kernel && k < o->rank; k++) {
    Term length = o->shape[k];
    bool is_open = length != right->shape[k] && term_kind(c->tt, length) == TERM_SYM &&
                   term_symbol(c->tt, length)->role == SYMBOL_SIZE;
    for (uint32_t i = 0; i < p->scalars.count; i++) is_open &= p->scalars.data[i].symbol != length;
    for (uint32_t i = 0; i < p->tensors.count; i++)
      for (uint32_t d = 0; d < p->tensors.data[i].rank; d++)
        is_open &= !strcmp(p->tensors.data[i].name, o->name) || p->tensors.data[i].extent[d] != length;
    if (is_open) return term_text(c->tt, length);
  }
  return NULL;
}

/* Rows that each kernel has as many of as it has programs, one after the other: as long as each makes them, they are
 * one memory, and nobody says how many programs of one make the rows of the other. */
static bool are_rows_of_grids(const Check *c, uint32_t left_place, const CompareOutput *left, uint32_t right_place,
                              const CompareOutput *right) {
  bool of_kernels = c->sides[0].input->kind == CHECK_OPERATION && c->sides[1].input->kind == CHECK_OPERATION;
  if (!of_kernels || c->pairing.is_declared || c->options->shapes.count || !left->rank || !right->rank) return false;
  if (!is_contiguous(&c->sides[0], left_place) || !is_contiguous(&c->sides[1], right_place)) return false;
  return compare_is_of_grid(c->tt, left->shape[0]) && compare_is_of_grid(c->tt, right->shape[0]);
}

/* True if a is nowhere longer than b. */
static bool is_within(Check *c, const CompareOutput *a, const CompareOutput *b) {
  TermTable *tt = c->tt;
  uint32_t facts = tt->facts.count, fits = 0;
  for (uint32_t i = 0; i < c->assumptions.conditions.count; i++) equal_push(tt, c->assumptions.conditions.data[i]);
  for (uint32_t k = 0; k < a->rank; k++) fits += equal_prove_true(tt, term_le(tt, a->shape[k], b->shape[k]));
  term_pop_facts(tt, facts);
  return fits == a->rank;
}

/* The known tensor of that name, too: its elements go on up to there. */
static void lengthen_known(Check *c, const char *name, const Term *shape) {
  Pointwise *own = arena_new(c->arena, Pointwise);
  *own = *c->known;
  own->tensors.data = arena_array(c->arena, PointwiseTensor, c->known->tensors.count + 1);
  for (uint32_t i = 0; i < own->tensors.count; i++) {
    PointwiseTensor *t = &own->tensors.data[i];
    *t = c->known->tensors.data[i];
    if (!strcmp(t->name, name) && t->rank == 1) t->extent[0] = shape[0];
  }
  c->known = own;
}

/* What is behind a pointer is as long as the tensor that the other side, a function of MLIR, says it is; of two
 * pointers, one row each, as long as the one that more is written of. It is written where the kernel or loop does. Not
 * where that may be beyond. */
static void fit_lengths(Check *c, CompareOutput *left, CompareOutput *right) {
  TermTable *tt = c->tt;
  bool is_left = has_open_lengths(c, &c->sides[0]), both = is_left && has_open_lengths(c, &c->sides[1]);
  const Side *of_function = &c->sides[is_left];
  if (left->rank != right->rank || (both ? left->rank != 1 : !of_function->is_function) ||
      (!both && is_left == has_open_lengths(c, &c->sides[1])))
    return;
  if (both) is_left = is_within(c, left, right);
  CompareOutput *open = is_left ? left : right, *said = is_left ? right : left;
  if (!is_within(c, open, said)) return;
  if (both && open->shape[0] != said->shape[0]) lengthen_known(c, left->name, said->shape);
  for (uint32_t k = 0; k < open->rank; k++) {
    if (open->shape[k] == said->shape[k]) continue;
    Term index = term_symbol_fresh(tt, "i", SORT_INT, SYMBOL_INDEX);
    term_symbol_range(tt, index, tt->zero, term_sub(tt, said->shape[k], tt->one));
    if (open->value) open->value = term_replace(tt, open->value, open->index[k], index);
    open->region = term_replace(tt, open->region, open->index[k], index);
    open->region = term_and(tt, open->region, term_lt(tt, index, open->shape[k]));
    open->index[k] = index, open->shape[k] = said->shape[k];
  }
}

static const char as_launched[] = "as in the launch that was given";

/* Of C or Python: what it calls and has no body is any function. */
static bool is_function(const Side *side) { return side->pointwise && side->pointwise->is_host; }

static void assume_launched(Check *c, Term condition, const char *text) {
  array_push(c->arena, &c->assumptions.conditions, condition);
  array_push(c->arena, &c->assumptions.made, (ReportAssumption){NULL, ASSUME_LAUNCH, text, as_launched, NULL});
}

/* Numbers of programs that are no length of anything, as that of the parts of a sum, are those of the launch: the code
 * may have them as a literal. */
static void assume_programs(Check *c, const CompareOutput *left) {
  TermTable *tt = c->tt;
  TermList symbols = {0}, lengths = {0};
  for (uint32_t i = 0; i < c->known->tensors.count; i++)
    for (uint32_t k = 0; k < c->known->tensors.data[i].rank; k++)
      if (c->known->tensors.data[i].extent[k]) term_symbols(tt, c->known->tensors.data[i].extent[k], &lengths);
  for (uint32_t k = 0; k < left->rank; k++) term_symbols(tt, left->shape[k], &lengths);
  if (left->value) term_symbols(tt, left->value, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    bool is_free = term_symbol(tt, symbols.data[i])->role == SYMBOL_GRID;
    for (uint32_t k = 0; k < lengths.count; k++) is_free &= lengths.data[k] != symbols.data[i];
    for (uint32_t k = 0; k < c->pairing.given.count && is_free; k++) {
      int64_t count = c->pairing.given.data[k].value;
      if (c->pairing.given.data[k].symbol != symbols.data[i]) continue;
      assume_launched(c, term_eq(tt, symbols.data[i], term_int(tt, count)),
                      arena_format(c->arena, "%s = %lld", term_text(tt, symbols.data[i]), (long long)count));
    }
  }
}

/* How many programs there are is a number in a launch, which the host takes from its sizes. Where both sides differ for
 * other numbers of programs alone, those of the launch that was given reach the end of an axis: that is assumed. */
static CompareResult compare_as_given(Check *c, const CompareTensors *tensors, const CompareOutput *left,
                                      CompareOutput *right, CompareResult refuted) {
  uint32_t conditions = c->assumptions.conditions.count, made = c->assumptions.made.count;
  if (refuted.difference != COMPARE_VALUE || !c->pairing.given.count) return refuted;
  TermList reaches = compare_reaches(c->arena, c->tt, left->value);
  for (uint32_t i = 0; i < reaches.count; i++)
    if (pairing_as_given(&c->pairing, c->tt, reaches.data[i], 1) == GIVEN_HOLDS)
      assume_launched(c, reaches.data[i], term_text(c->tt, reaches.data[i]));
  uint32_t reached = c->assumptions.conditions.count;
  assume_programs(c, left);
  if (c->assumptions.conditions.count == conditions) return refuted;
  CompareResult result = compare_outputs(c->arena, c->tt, tensors, left, right, &c->assumptions);
  bool is_of_launch = c->assumptions.conditions.count > reached && !result.has_no_launch;
  if (result.verdict == VERDICT_PROVED || is_of_launch) return result;
  c->assumptions.conditions.count = conditions, c->assumptions.made.count = made;
  return refuted;
}

/* The numbers of the launch that was given make the shapes one: that they differ at others is no difference of this
 * launch. A relation of lengths that multiples of them meet as well, as T = 4*W does and not n = 64, is assumed, so
 * that the elements tell; of two sizes that are merely one number nothing but a difference of elements is said. */
static CompareResult compare_given_shapes(Check *c, const CompareTensors *tensors, const CompareOutput *left,
                                          CompareOutput *right, CompareResult refuted) {
  uint32_t conditions = c->assumptions.conditions.count, made = c->assumptions.made.count;
  bool holds = refuted.difference == COMPARE_SHAPE && c->pairing.given.count, is_relation = true;
  CompareResult result = refuted;
  for (uint32_t k = 0; holds && k < left->rank; k++) {
    Term a = left->shape[k], b = right->shape[k], equal = term_eq(c->tt, a, b);
    if (equal == c->tt->true_) continue;
    holds = pairing_as_given(&c->pairing, c->tt, equal, 1) == GIVEN_HOLDS;
    is_relation &= (term_kind(c->tt, a) != TERM_SYM || term_kind(c->tt, b) != TERM_SYM) &&
                   pairing_as_given(&c->pairing, c->tt, equal, 2) == GIVEN_HOLDS &&
                   pairing_as_given(&c->pairing, c->tt, equal, 3) == GIVEN_HOLDS;
    assume_launched(c, equal, term_text(c->tt, equal));
  }
  if (holds) result = compare_outputs(c->arena, c->tt, tensors, left, right, &c->assumptions);
  if (result.verdict != VERDICT_REFUTED && is_relation && !result.has_no_launch) return result;
  c->assumptions.conditions.count = conditions, c->assumptions.made.count = made;
  if (result.verdict == VERDICT_REFUTED) return result;
  refuted.verdict = VERDICT_UNKNOWN, refuted.witness = NULL;
  refuted.text = arena_format(c->arena, "%s: %s and %s, which are one shape in the launch that was given", refuted.text,
                              shape_text(c, left), shape_text(c, right));
  return refuted;
}

/* Why what differs may be no difference of these kernels, or of the launch that was given; NULL: it is one. */
static const char *why_no_difference(Check *c, uint32_t i, uint32_t k, bool has_one_rank, const CompareResult *found) {
  const CompareOutput *left = &c->sides[0].outputs.data[i], *right = &c->sides[1].outputs.data[k];
  bool is_shape = found->difference == COMPARE_SHAPE, is_value = found->difference == COMPARE_VALUE;
  if ((has_one_rank ? is_shape : !is_value) && are_rows_of_grids(c, i, left, k, right))
    return arena_format(c->arena, "%s has rows of other lengths, as many as each kernel has programs; --shape decides",
                        left->name);
  const char *least = is_shape ? least_length(c, right) : NULL;
  if (least)
    return arena_format(c->arena, "%s differs where %s: that is what is read, and no plain size; --shape decides",
                        left->name, least);
  const char *open = is_shape ? open_length(c, left, right) : NULL;
  if (open)
    return arena_format(c->arena, "%s has the length %s, which nothing of the kernel tells; --shape decides",
                        left->name, open);
  if (is_value && c->pairing.is_guessed)
    return arena_format(c->arena,
                        "%s: the values differ for other sizes than those of the launch, whose axes are sizes by their "
                        "numbers alone",
                        left->name);
  return NULL;
}

static CompareResult compare_pair(Check *c, uint32_t i, uint32_t k) {
  CompareOutput *left = &c->sides[0].outputs.data[i], *right = &c->sides[1].outputs.data[k];
  if (left->dtype && right->dtype && strcmp(left->dtype, right->dtype))
    add_difference(c, "dtype", left->name,
                   arena_format(c->arena, "element types differ: %s and %s", left->dtype, right->dtype), left->dtype,
                   right->dtype);
  bool has_one_rank = left->rank == right->rank;
  if (!align_ranks(c, i, left, k, right)) {
    const char *text = arena_format(c->arena, "%s has rank %u and %s rank %u, and they are not known to be contiguous",
                                    left->name, left->rank, right->name, right->rank);
    return (CompareResult){.verdict = VERDICT_UNKNOWN, .difference = COMPARE_SHAPE, .text = text};
  }
  fit_lengths(c, left, right);
  CompareTensors tensors = {literal_format(c), c->known->tensors.count, c->known->tensors.data, c->options->most_reads,
                            is_function(&c->sides[0]) && is_function(&c->sides[1])};
  TermList there = {0};
  TermMap at = {left->rank, left->index, right->index};
  if (left->value && right->value) {
    array_push(c->arena, &there, term_substitute(c->tt, left->value, at));
    add_left_steps(c, left, at, &there);
  }
  Term own = right->value;
  if (left->value) definedness_places(c->arena, c->tt, c->known, left->value, &left->known);
  add_range_of_element(c, left);
  CompareResult result = compare_outputs(c->arena, c->tt, &tensors, left, right, &c->assumptions);
  if (result.verdict == VERDICT_REFUTED) result = compare_as_given(c, &tensors, left, right, result);
  if (result.verdict == VERDICT_REFUTED) result = compare_given_shapes(c, &tensors, left, right, result);
  const char *doubt = result.verdict == VERDICT_REFUTED ? why_no_difference(c, i, k, has_one_rank, &result) : NULL;
  if (doubt) {
    CompareDifference difference = result.difference == COMPARE_VALUE ? COMPARE_VALUE : COMPARE_SHAPE;
    return (CompareResult){.verdict = VERDICT_UNKNOWN, .difference = difference, .text = doubt};
  }
  if (result.verdict != VERDICT_PROVED || (are_same_text(c) && i == k && left->value == right->value)) return result;
  const char *why = hole_where_equal(c, &there, k, own);
  if (!why) return result;
  result.verdict = VERDICT_PROBABLE, result.engine = EQUAL_NONE;
  result.text = arena_format(c->arena, "%s: equal where the right is defined, which it may not be everywhere: %s",
                             left->name, why);
  return result;
}

/* The engine that closed the goal, and the steps of an explanation. */
static void note_engine(Check *c, const char *name, const CompareResult *result) {
  if (result->verdict != VERDICT_PROVED || !c->options->explain) return;
  array_push(c->arena, &c->report->steps,
             arena_format(c->arena, "prove: %s: both sides are equal: %s", name, equal_engine_name(result->engine)));
  report_steps(c->report, name, result->steps);
}

/* Beside the goals of the lifts, which may stand there already. */
static void count_engines(Check *c, const uint32_t *engines) {
  for (uint32_t i = EQUAL_NONE + 1; i < EQUAL_ENGINE_COUNT; i++) {
    const char *name = arena_format(c->arena, "goals.equal.%s", equal_engine_name((EqualEngine)i));
    array_push(c->arena, &c->report->stats, (ReportPair){name, arena_format(c->arena, "%u", engines[i])});
  }
}

/* Both are one term: they are undefined at the same inputs, which is no finding of a comparison. */
static bool is_one_term(const CompareOutput *left, const CompareOutput *right) {
  return left->value && left->value == right->value && left->region == right->region;
}

/* What the left leaves undefined in that output for its inputs' sake alone; what it does not write of it, where old
 * contents were compared. */
static void drop_findings(Check *c, const char *output, bool undefined, bool unwritten) {
  Report *r = c->report;
  const Operation *operation = c->sides[0].input->operation;
  bool dropped = false, refuted = false, open = false;
  if (!operation || operation->launches.count != 1) return;
  for (uint32_t i = 0; i < r->obligations.count; i++) {
    ReportObligation *o = &r->obligations.data[i];
    bool is_here = o->tensor && !strcmp(o->tensor, output);
    if (undefined && is_here && o->kind == OBLIGATION_UNDEFINED && o->verdict == VERDICT_UNKNOWN && o->is_of_inputs)
      o->verdict = VERDICT_PROVED, o->detail = "undefined on both sides alike", dropped = true;
    if (unwritten && is_here && o->kind == OBLIGATION_COVERAGE && o->verdict != VERDICT_PROVED)
      o->verdict = VERDICT_PROVED, o->detail = "what is not written is old on both sides", o->witness = NULL,
      dropped = true;
    open |= o->verdict != VERDICT_PROVED, refuted |= o->verdict == VERDICT_REFUTED;
  }
  if (dropped && r->safety != VERDICT_PROVED)
    r->safety = refuted ? VERDICT_REFUTED : open ? VERDICT_UNKNOWN : VERDICT_PROVED;
}

/* `x = x + 1; return x` against a kernel that makes its x of y alone: by its name the argument is what the kernel only
 * writes, by its use it is y. What the two have in common is then not known: no difference was found. NULL: it is. */
static const char *why_doubtful(Check *c, const CompareOutput *left, const CompareOutput *right) {
  const PointwiseTensor *own = NULL, *other = NULL;
  bool is_of_reference = c->sides[0].input->kind == CHECK_OPERATION && c->sides[1].input->kind == CHECK_REFERENCE;
  bool is_named = pairing_is_alike(left->name, right->name) && !pairing_left_of(&c->pairing, right->name);
  if (!is_of_reference || !is_named || !left->value || !right->value) return NULL;
  for (uint32_t i = 0; i < c->known->tensors.count; i++) {
    const PointwiseTensor *t = &c->known->tensors.data[i];
    bool in_left = term_has_symbol(c->tt, left->value, t->symbol),
         in_right = term_has_symbol(c->tt, right->value, t->symbol);
    if (!t->is_read && in_right && pairing_is_alike(t->name, left->name)) own = t;
    if (in_left && !in_right) other = t;
  }
  if (!own || !other) return NULL;
  return arena_format(c->arena,
                      "%s: the left writes it and never reads it, the right reads an argument of that name, and %s, "
                      "which the left reads, is nothing of the right; --map pairs names",
                      own->name, other->name);
}

static void compare_output(Check *c, uint32_t i, uint32_t k, uint32_t *engines, Verdict *all) {
  Report *r = c->report;
  const CompareOutput *left = &c->sides[0].outputs.data[i], *right = &c->sides[1].outputs.data[k];
  const char *name = left->name;
  CompareResult result = compare_pair(c, i, k);
  const char *doubt = result.verdict == VERDICT_REFUTED ? why_doubtful(c, left, right) : NULL;
  if (doubt) result = (CompareResult){.verdict = VERDICT_UNKNOWN, .text = doubt};
  *all = verdict_worse(*all, result.verdict);
  engines[result.engine]++;
  note_engine(c, name, &result);
  if (result.verdict == VERDICT_PROVED) drop_findings(c, name, is_one_term(left, right), result.keeps_old);
  if (i < r->outputs.count) r->outputs.data[i].verdict = result.verdict;
  if (result.verdict == VERDICT_REFUTED) {
    add_difference(c, difference_kind(result.difference), name, result.text, result.left, result.right);
    if (!r->witness) r->witness = result.witness;
  }
  if (result.verdict != VERDICT_PROVED &&
      (!r->reason.code || (result.verdict == VERDICT_REFUTED && r->reason.code != REASON_DIFFERENT)))
    r->reason = (ReportReason){result.verdict == VERDICT_REFUTED    ? REASON_DIFFERENT
                               : result.verdict == VERDICT_PROBABLE ? REASON_NOT_PROVED
                               : doubt                              ? REASON_UNPAIRED
                               : result.has_no_launch               ? REASON_NO_LAUNCH
                                                                    : REASON_NOT_COMPARED,
                               result.text};
}

/* Outputs that one side alone has: nothing is known of them. */
static void note_unpaired(Check *c, int side, const uint32_t *partner, Verdict *all) {
  static const char *const others[] = {"right", "left"};
  Report *r = c->report;
  for (uint32_t i = 0; i < c->sides[side].outputs.count; i++) {
    const char *name = c->sides[side].outputs.data[i].name;
    if (OUTPUT_HAS_PARTNER(partner[i]) || partner[i] == OUTPUT_SAME) continue;
    const char *why =
        partner[i] == OUTPUT_EXCLUDED ? "--only" : arena_format(c->arena, "the %s has none", others[side]);
    const char *text = arena_format(c->arena, "%s is not compared: %s", name, why);
    add_difference(c, "output", name, text, side ? NULL : name, side ? name : NULL);
    if (partner[i] == OUTPUT_EXCLUDED) continue;
    if (!r->reason.code || *all == VERDICT_PROBABLE)
      r->reason = (ReportReason){
          REASON_UNPAIRED,
          arena_format(c->arena,
                       "%s has no partner, as the %s writes no %s; --map pairs names, --only NAME restricts the "
                       "claim to some of the outputs",
                       name, others[side], name)};
    *all = verdict_worse(*all, VERDICT_UNKNOWN);
  }
}

static void compare(Check *c, const OutputPairs *pairs) {
  Report *r = c->report;
  uint32_t engines[EQUAL_ENGINE_COUNT] = {0}, compared = 0;
  for (uint32_t i = 0; i < c->pairing.notes.count; i++)
    array_push(c->arena, &c->out->differences, c->pairing.notes.data[i]);
  Verdict all = VERDICT_PROVED;
  for (uint32_t i = 0; i < c->sides[0].outputs.count; i++)
    if (OUTPUT_HAS_PARTNER(pairs->partner[0][i])) compare_output(c, i, pairs->partner[0][i], engines, &all), compared++;
  for (int side = 0; side < 2; side++) note_unpaired(c, side, pairs->partner[side], &all);
  count_engines(c, engines);
  if (!compared && all == VERDICT_PROVED) {
    all = VERDICT_UNKNOWN;
    r->reason = (ReportReason){REASON_UNPAIRED, "neither side writes or returns anything: there is nothing to compare"};
  }
  r->verdict = all;
}

/* The formulas are one; what the kernels compute is as sure as their lifts. */
static void weigh(Check *c) {
  Report *r = c->report;
  for (int i = 0; i < 2; i++) {
    const Report *lift = c->sides[i].report;
    if (r->verdict != VERDICT_PROVED || !lift || lift->verdict == VERDICT_PROVED) continue;
    r->verdict = lift->verdict == VERDICT_REFUTED ? VERDICT_UNKNOWN : lift->verdict;
    r->reason = (ReportReason){
        REASON_LIFT_NOT_PROVED,
        arena_format(c->arena, "the formulas are equal for all sizes and inputs, but the formula of %s is only %s: %s",
                     c->sides[i].input->name, verdict_name(lift->verdict), lift->reason.text ? lift->reason.text : "")};
  }
}

/* Outputs, their pairs and what is said of them; false: after diagnostics. */
static bool run(Check *c) {
  c->pairing.assumptions = &c->assumptions;
  if (!make_outputs(c)) return false;
  c->indices.count = 0;
  for (uint32_t i = 0; i < c->sides[1].outputs.count; i++)
    array_push(c->arena, &c->indices, indices_of(c, &c->sides[1].outputs.data[i]));
  if (c->pairing.stop)
    c->report->reason = (ReportReason){c->pairing.is_unpaired ? REASON_UNPAIRED : REASON_RANK, c->pairing.stop};
  if (c->pairing.stop) return true;
  OutputPairs pairs;
  if (!pairing_check_maps(&c->pairing, c->known, &c->sides[0], &c->sides[1])) return false;
  if (!pairing_match_outputs(&c->pairing, &c->sides[0], &c->sides[1], &pairs)) return false;
  if (!c->sides[0].report) describe_formula(c);
  if (c->options->stop_after) c->report->stage_text = stage_text(c);
  c->out->only.count = 0;
  for (uint32_t k = 0; k < c->options->only.count; k++) array_push(c->arena, &c->out->only, c->options->only.data[k]);
  bool both = is_concrete(&c->sides[0]) && is_concrete(&c->sides[1]);
  const Pointwise *base = both ? NULL : is_concrete(&c->sides[0]) ? c->sides[0].pointwise : c->sides[1].pointwise;
  pairing_add_old_contents(&c->pairing, c->known, base, &c->sides[0], &c->sides[1], &pairs);
  compare(c, &pairs);
  return true;
}

/* Extents that are what is read, and nobody has said to be the tensor's. */
static bool has_least_extents(const Check *c) {
  for (int i = 0; i < 2; i++)
    for (uint32_t k = 0; is_concrete(&c->sides[i]) && k < c->sides[i].pointwise->tensors.count; k++) {
      const PointwiseTensor *t = &c->sides[i].pointwise->tensors.data[k];
      for (uint32_t d = 0; t->is_read && d < t->rank; d++)
        if (t->is_least[d]) return true;
    }
  return false;
}

/* True if the formula is that of the kernel however long such axes are. Then nothing rests on what was read. */
static bool run_open(Check *c) {
  if ((is_concrete(&c->sides[0]) && is_concrete(&c->sides[1])) || !has_least_extents(c) || c->options->stop_after)
    return false;
  Check *trial = arena_new(c->arena, Check);
  DiagnosticList own;
  diagnostic_list_init(&own, c->arena);
  *trial = *c;
  trial->report = arena_new(c->arena, Report), trial->out = arena_new(c->arena, ReportCheck);
  *trial->report = *c->report, *trial->out = *c->out;
  trial->report->check = trial->out;
  trial->diagnostics = trial->pairing.diagnostics = &own;
  trial->pairing.is_open = true;
  if (!run(trial) || own.error_count || trial->report->verdict != VERDICT_PROVED) return false;
  DiagnosticList *diagnostics = c->diagnostics;
  *c = *trial;
  c->pairing.assumptions = &c->assumptions;
  c->diagnostics = c->pairing.diagnostics = diagnostics;
  return true;
}

/* What was read is not what the tensor is: a kernel that leaves out the tail of its rows is no sum of them. */
static void weigh_extent(Check *c) {
  Report *r = c->report;
  if (!c->pairing.extent || c->pairing.is_open || (r->verdict != VERDICT_PROVED && r->verdict != VERDICT_PROBABLE))
    return;
  r->verdict = VERDICT_UNKNOWN;
  r->reason = (ReportReason){
      REASON_EXTENT,
      arena_format(c->arena, "both sides are equal where %s: that is what is read, and no plain size; --shape decides",
                   c->pairing.extent)};
}

/* How a tensor of the launch differs from what the formula of a side is over, in more than lengths if `axes`; NULL:
 * none is known to. */
static const char *other_view(const Check *c, bool axes) {
  for (int i = 0; i < 2; i++) {
    const Report *lift = c->sides[i].report;
    if (lift && lift->other_view && !(axes && lift->is_longer_view)) return lift->other_view;
  }
  return NULL;
}

/* A formula over other tensors than those of the launch says nothing of that launch, equal or not. */
static void doubt_views(Check *c, const char *why) {
  Report *r = c->report;
  r->verdict = VERDICT_UNKNOWN, r->witness = NULL, c->out->differences.count = 0;
  for (uint32_t k = 0; k < r->outputs.count; k++) r->outputs.data[k].verdict = VERDICT_UNKNOWN;
  r->reason = (ReportReason){REASON_VIEWS, why};
}

/* A reference may fit the tensors of the launch, and not those that the formula is over: then its errors are about
 * tensors that nobody gave. So are those about a tensor that the kernel loads in vain, where both sides differ. */
static bool fits_launch(const Check *c) {
  CheckRun ran = check_run(c->arena, &c->sides[0], &c->sides[1], c->options);
  return ran.fits && (other_view(c, false) || ran.differs);
}

/* Nothing was told of the forms, or a side has none, but both can be run: a difference is one all the same. */
static void run_sides(Check *c) {
  Report *r = c->report;
  CheckRun ran = check_run(c->arena, &c->sides[0], &c->sides[1], c->options);
  if (!ran.differs && ran.launches)
    r->reason.text =
        arena_format(c->arena, "%s; both sides agree in %u small launches that were run%s%s", r->reason.text,
                     ran.launches, ran.missing ? "; not reached: " : "", ran.missing ? ran.missing : "");
  if (!ran.differs) return;
  const char *text = arena_format(c->arena, "%s: the values differ where both sides are run", ran.output);
  add_difference(c, difference_kind(COMPARE_VALUE), ran.output, text, ran.left, ran.right);
  for (uint32_t i = 0; i < r->outputs.count; i++)
    if (!strcmp(r->outputs.data[i].tensor.name, ran.output)) r->outputs.data[i].verdict = VERDICT_REFUTED;
  r->verdict = VERDICT_REFUTED, r->witness = ran.witness;
  r->reason = (ReportReason){REASON_DIFFERENT, text};
}

/* What is open of the bounds of a tensor, NULL of what has no name: the first one, and how many there are; NULL:
 * nothing. Refuted comes before unknown. */
static const ReportObligation *open_bounds(const Side *side, const char *tensor, uint32_t *count) {
  const ReportObligation *open = NULL;
  *count = 0;
  for (uint32_t i = 0; side->report && i < side->report->obligations.count; i++) {
    const ReportObligation *o = &side->report->obligations.data[i];
    bool is_of_it = tensor && o->tensor ? !strcmp(o->tensor, tensor) : tensor == o->tensor;
    if (o->kind != OBLIGATION_BOUNDS || o->verdict == VERDICT_PROVED || !is_of_it) continue;
    ++*count;
    if (!open || o->verdict == VERDICT_REFUTED) open = o;
  }
  return open;
}

static const char *left_name_of(const Check *c, const char *right) {
  for (uint32_t i = 0; right && i < c->pairing.pairs.count; i++)
    if (!strcmp(c->pairing.pairs.data[i].value, right)) return c->pairing.pairs.data[i].name;
  return right;
}

/* What is open of the right counts where the left, which is a kernel too, is claimed to compute the same, and the
 * bounds are known: of shapes, or of what the left is known to access. */
static bool counts_as_open(const Check *c, const ReportObligation *own) {
  bool has_shapes = c->pairing.is_declared || c->options->shapes.count;
  return c->report->verdict == VERDICT_PROVED && c->sides[0].report && (own->may_leave || has_shapes);
}

/* A kernel or function that leaves an array where the left does not is undefined there, whatever it computes elsewhere.
 */
static void weigh_bounds(Check *c) {
  const Side *right = &c->sides[1];
  for (uint32_t i = 0; right->report && i < right->report->obligations.count; i++) {
    const char *tensor = right->report->obligations.data[i].tensor;
    uint32_t own_count, other_count = 0;
    const ReportObligation *own = open_bounds(right, tensor, &own_count),
                           *other = own ? open_bounds(&c->sides[0], left_name_of(c, tensor), &other_count) : NULL;
    bool is_excused = other && own_count <= other_count; /* the left may leave it where the right does */
    if (!own || (is_excused && (other->verdict == VERDICT_REFUTED || own->verdict != VERDICT_REFUTED))) continue;
    if (own->verdict == VERDICT_UNKNOWN && !counts_as_open(c, own)) continue;
    if (verdict_worse(c->report->verdict, VERDICT_UNKNOWN) != VERDICT_UNKNOWN) return;
    const char *leaves = own->verdict == VERDICT_REFUTED ? "leaves" : "may leave";
    c->report->verdict = VERDICT_UNKNOWN;
    c->report->reason = (ReportReason){
        REASON_NOT_PROVED, arena_format(c->arena, "the right %s an array (%s): %s", leaves, own->where, own->detail)};
    return;
  }
}

/* Over arguments of the left and numbers of programs, as no extent is that nobody knows. */
static bool is_of_launch(const Check *c, Term extent) {
  const Pointwise *p = c->sides[0].pointwise;
  TermList symbols = {0};
  term_symbols(c->tt, extent, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    bool known = term_symbol(c->tt, symbols.data[i])->role == SYMBOL_GRID;
    for (uint32_t k = 0; k < p->scalars.count; k++) known |= p->scalars.data[k].symbol == symbols.data[i];
    if (!known) return false;
  }
  return true;
}

/* Without shapes a tensor is as long as its accesses need: one that the right has longer ends, for all that is known,
 * where the left's does. */
static void weigh_lengths(Check *c) {
  TermTable *tt = c->tt;
  const Pointwise *left = c->sides[0].pointwise, *right = c->sides[1].imported;
  bool of_kernels = !is_of_host(c->sides[0].input) && !is_of_host(c->sides[1].input);
  if (c->report->verdict != VERDICT_PROVED || !of_kernels || !right || !left || left->tt != tt || right->tt != tt)
    return;
  uint32_t facts = tt->facts.count;
  for (uint32_t i = 0; i < c->assumptions.conditions.count; i++) equal_push(tt, c->assumptions.conditions.data[i]);
  for (uint32_t i = 0; i < right->tensors.count; i++) {
    const PointwiseTensor *t = &right->tensors.data[i], *own = pointwise_tensor(left, t->symbol);
    for (uint32_t k = 0; own && own->is_read && own->rank == t->rank && k < t->rank; k++) {
      if (!is_of_launch(c, own->extent[k]) || !is_of_launch(c, t->extent[k])) continue;
      if (equal_prove_true(tt, term_le(tt, t->extent[k], own->extent[k]))) continue;
      c->report->verdict = VERDICT_UNKNOWN;
      c->report->reason = (ReportReason){
          REASON_EXTENT,
          arena_format(c->arena, "axis %u of %s has %s elements on the left, and %s on the right; --shape decides", k,
                       own->name, term_text(tt, own->extent[k]), term_text(tt, t->extent[k]))};
    }
  }
  term_pop_facts(tt, facts);
}

/* What the comparison has assumed holds of the launch that was given, or nothing is said of it. */
static void weigh_given(Check *c) {
  Report *r = c->report;
  if (r->verdict != VERDICT_PROVED && r->verdict != VERDICT_PROBABLE) return;
  for (uint32_t i = c->own_conditions; i < c->assumptions.conditions.count; i++) {
    Term condition = c->assumptions.conditions.data[i];
    if (pairing_as_given(&c->pairing, c->tt, condition, 1) != GIVEN_FAILS) continue;
    r->verdict = VERDICT_UNKNOWN;
    r->reason = (ReportReason){
        REASON_UNMET,
        arena_format(c->arena, "both sides are equal where %s, which the launch that was given does not meet",
                     term_text(c->tt, condition))};
    return;
  }
}

static Report *check_one_way(Arena *arena, const CheckInput *left, const CheckInput *right, const Options *options,
                             DiagnosticList *diagnostics) {
  Check c = {.arena = arena, .options = options, .diagnostics = diagnostics};
  c.sides[0].input = left, c.sides[1].input = right;
  for (int i = 0; i < 2 && !diagnostics->error_count; i++) load(&c, &c.sides[i]);
  if (diagnostics->error_count) return arena_new(arena, Report);
  begin_report(&c);
  c.pairing = (Pairing){.arena = arena, .options = options, .diagnostics = diagnostics};
  for (int i = 0; i < 2; i++) {
    const Operation *operation = c.sides[i].input->operation;
    if (operation && operation->has_tensors) c.pairing.declared = operation;
    c.pairing.is_declared |= operation ? operation->has_tensors : c.sides[i].input->kind == CHECK_FORMULA;
  }
  if (!is_stopped(&c)) {
    if (!run_open(&c) && !run(&c)) {
      if (!fits_launch(&c)) return c.report;
      diagnostic_list_init(diagnostics, arena);
      doubt_views(&c, other_view(&c, false));
    }
    if (!c.pairing.stop) weigh(&c);
    weigh_extent(&c);
    weigh_bounds(&c);
    weigh_lengths(&c);
    weigh_given(&c);
    if (other_view(&c, true)) doubt_views(&c, other_view(&c, true));
  }
  if (!options->stop_after && c.report->verdict == VERDICT_UNKNOWN && c.report->reason.code != REASON_UNPAIRED)
    run_sides(&c);
  add_assumptions(&c);
  c.report->reason.text = message_plain(arena, c.report->reason.text);
  describe(&c, &c.sides[0], &c.out->left);
  describe(&c, &c.sides[1], &c.out->right);
  for (uint32_t i = 0; i < c.pairing.pairs.count; i++) array_push(arena, &c.out->pairs, c.pairing.pairs.data[i]);
  return c.report;
}

/* The other way round, with the pairs turned: what the left does not define is then looked for too. */
static void check_back(Report *report, Arena *arena, const CheckInput *left, const CheckInput *right,
                       const Options *options, DiagnosticList *diagnostics) {
  Options turned = *options;
  turned.maps.data = NULL, turned.maps.count = turned.maps.capacity = 0;
  for (uint32_t i = 0; i < options->maps.count; i++) {
    NamedText map = options->maps.data[i];
    const char *name = map.name;
    map.name = map.text, map.text = name;
    array_push(arena, &turned.maps, map);
  }
  const Report *back = check_one_way(arena, right, left, &turned, diagnostics);
  if (diagnostics->error_count || !back->check || verdict_worse(report->verdict, back->verdict) == report->verdict)
    return;
  report->verdict = back->verdict;
  report->reason = (ReportReason){
      back->reason.code, arena_format(arena, "the other way round: %s", back->reason.text ? back->reason.text : "")};
  report->witness = back->witness;
  ReportCheck *check = (ReportCheck *)report->check;
  for (uint32_t i = 0; i < back->check->differences.count; i++) {
    ReportDifference d = back->check->differences.data[i];
    if (strcmp(d.kind, "output") && strcmp(d.kind, "input") && strcmp(d.kind, "dtype") && strcmp(d.kind, "strides"))
      array_push(arena, &check->differences, (ReportDifference){d.kind, d.output, d.text, d.right, d.left});
  }
}

/* `W @ x` of a matrix and a vector whose lengths have names of their own is read where these are one number. */
enum { MOST_SIZES = 6 };

static Report *check_with_sizes(Arena *arena, const CheckInput *left, const CheckInput *right, const Options *options,
                                DiagnosticList *diagnostics) {
  Options more = *options;
  bool of_host = is_of_host(left) || is_of_host(right);
  more.own_why = "the shapes that the other side combines are of one size";
  for (uint32_t round = 0;; round++) {
    DiagnosticList own;
    diagnostic_list_init(&own, arena);
    Report *report = check_one_way(arena, left, right, &more, &own);
    bool again = of_host && own.error_count && own.condition && round < MOST_SIZES;
    if (again && given_read_condition(arena, own.condition, &more)) {
      more.own_assumes++;
      continue;
    }
    for (uint32_t i = 0; i < own.items.count; i++) {
      const Diagnostic *d = &own.items.data[i];
      diagnostic_add(diagnostics, d->severity, d->code, d->source, d->span, d->help, "%s", d->message);
    }
    return report;
  }
}

Report *pipeline_check(Arena *arena, const CheckInput *left, const CheckInput *right, const Options *options,
                       DiagnosticList *diagnostics) {
  Report *report = check_with_sizes(arena, left, right, options, diagnostics);
  if (options->both_ways && !options->stop_after && report->check && report->verdict != VERDICT_REFUTED &&
      !diagnostics->error_count)
    check_back(report, arena, left, right, options, diagnostics);
  return report;
}
