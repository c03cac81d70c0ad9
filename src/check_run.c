/* Both sides of a comparison, run (see check_run.h).
 *
 * Where a side has no form that could be compared, both still compute: a kernel in the interpreter, a reference on
 * whole arrays. A launch counts only if it meets what the lifts have assumed, comes to its end, and nothing is found in
 * it. A difference counts only if it stays when inputs are moved by a relative 1e-9, and neither side moves by much of
 * it: both compute in doubles, and what rounding explains is no difference. Agreement is no proof of anything. */
#include "check_run.h"

#include <math.h>
#include <string.h>

#include "operation/launch.h"
#include "sample/coverage.h"
#include "sample/visit.h"

enum { LAUNCHES = 24, AGAIN = 3, MOST_SHOWN = 12, MOST_ELEMENTS = 1 << 14 };

typedef struct Ran { /* a kernel side */
  const Claim *claim;
  const LaunchModel *model;
  WitnessConditions required;
} Ran;

typedef struct Runner {
  Arena *arena;
  const Options *options;
  Ran kernels[2];
  Side left, right; /* copies; the left's outputs are what was written, and `place` is the tensor */
  Pairing pairing;
  CompareAssumptions assumptions;
  const Pointwise *known; /* the left's tensors, that the reference is over; NULL: the right is a kernel */
  OutputPairs pairs;
  VisitPartners partners;
  bool *written; /* by tensor of the left */
  const VisitedLaunch *launch;
  const WitnessRun *contents; /* that the reference reads */
  bool is_compared;           /* some element was, in the launch at hand */
  Coverage coverage[2];       /* of each kernel, by the launches that were compared */
  CheckRun *out;
} Runner;

/* ---- the sides ---- */

/* Over arguments and the grid alone. Others are over extents that were made up, and no launch says what these are. */
static bool is_of_arguments(const Effects *ex, Term condition) {
  TermList symbols = {0};
  term_symbols(ex->tt, condition, &symbols);
  for (uint32_t k = 0; k < symbols.count; k++) {
    bool known = false;
    for (uint32_t p = 0; p < ex->params.count; p++) known |= ex->params.data[p].symbol == symbols.data[k];
    for (uint32_t axis = 0; axis < 3; axis++) known |= ex->grid[axis] == symbols.data[k];
    if (!known || term_sort(ex->tt, symbols.data[k]) != SORT_INT) return false;
  }
  return true;
}

/* The launch says how many programs there are; else they are as many as was found. */
static bool has_grid(const LaunchModel *m) {
  static const char *const own[] = {"grid_x", "grid_y", "grid_z"};
  for (uint32_t i = 0; i < 3; i++)
    if (m->grid[i]->op == 'v' && !strcmp(m->names.data[m->grid[i]->name].name, own[i])) return false;
  return true;
}

static bool open_kernel(Runner *r, const Side *side, Ran *ran) {
  const Report *report = side->report;
  const Operation *operation = side->input->operation;
  const char *why;
  if (!report || report->launch_count != 1 || operation->launches.count != 1) return false;
  ran->claim = report->launches[0];
  ran->model = launch_model(r->arena, ran->claim, operation, r->options, &why);
  if (!ran->model) return false;
  for (uint32_t i = 0; i < ran->model->tensors.count; i++)
    if (ran->model->tensors.data[i].inferred) return false; /* nobody says which launches are meant */
  Term *conditions = arena_array(r->arena, Term, ran->claim->assumptions.count + 1);
  uint32_t count = 0;
  bool has_own_grid = has_grid(ran->model);
  for (uint32_t i = 0; i < ran->claim->assumptions.count; i++) {
    const Assumption *a = &ran->claim->assumptions.data[i];
    bool is_grid = a->kind == ASSUME_GRID;
    bool is_met = is_grid ? has_own_grid : !side->pointwise && a->kind != ASSUME_COVER;
    Term condition = is_met ? 0 : a->condition; /* the launch is what it is */
    if (condition && is_of_arguments(ran->claim->ex, condition))
      conditions[count++] = condition;
    else if (is_grid && !is_met)
      return false; /* nobody says how many programs there are */
  }
  ran->required = (WitnessConditions){ran->claim->ex, conditions, count, false};
  return true;
}

static const Param *param_of(const Ran *ran, uint32_t tensor) {
  for (uint32_t i = 0; i < ran->model->params.count; i++)
    if (ran->model->params.data[i].tensor == (int32_t)tensor) return &ran->claim->ex->params.data[i];
  return NULL;
}

static const char *dtype_of(const Ran *ran, uint32_t tensor) {
  const Param *param = param_of(ran, tensor);
  Text text = text_new(ran->claim->ex->arena);
  if (!param) return "f32";
  program_type_print(ran->claim->ex->program, param->element, &text);
  if (param->is_unsigned && text_string(&text)[0] == 'i')
    return arena_format(ran->claim->ex->arena, "u%s", text_string(&text) + 1);
  return text_string(&text);
}

static void add_expression(Text *text, const LaunchModel *m, const LaunchExpr *e) {
  static const char *const calls[] = {"min(", "max("};
  if (e->op == 'n')
    text_format(text, "%lld", (long long)e->number);
  else if (e->op == 'v')
    text_add(text, m->names.data[e->name].name);
  else {
    bool is_call = e->op == 'm' || e->op == 'M';
    text_add(text, is_call ? calls[e->op == 'M'] : "(");
    add_expression(text, m, e->a);
    text_add(text, is_call        ? ", "
                   : e->op == '/' ? " // "
                   : e->op == '*' ? "*"
                   : e->op == '+' ? " + "
                   : e->op == '-' ? " - "
                                  : " % ");
    add_expression(text, m, e->b);
    text_char(text, ')');
  }
}

static bool is_arithmetic(const LaunchExpr *e) {
  return e->op == 'n' || e->op == 'v' || (strchr("+-*/%mM", e->op) && is_arithmetic(e->a) && is_arithmetic(e->b));
}

static bool mentions(const LaunchExpr *e, uint32_t name) {
  return e->op == 'v' ? e->name == name : e->op != 'n' && (mentions(e->a, name) || mentions(e->b, name));
}

/* What the left stores to and never loads or adds to: it is no input of the other side. */
static bool is_only_stored(const Runner *r, uint32_t tensor) {
  const Effects *ex = r->kernels[0].claim->ex;
  bool is_stored = false;
  for (uint32_t i = 0; i < r->kernels[0].model->params.count; i++) { /* two arguments may be one tensor */
    if (r->kernels[0].model->params.data[i].tensor != (int32_t)tensor) continue;
    for (uint32_t k = 0; k < ex->accesses.count; k++) {
      const Access *a = &ex->accesses.data[k];
      if (a->tensor != ex->params.data[i].symbol) continue;
      if (!a->is_store || a->is_atomic) return false;
      is_stored = true;
    }
  }
  return is_stored;
}

/* The left's tensors as a text declares them, and its arguments. NULL: they cannot be written so. */
static const Pointwise *declare(Runner *r, DiagnosticList *errors) {
  const Ran *ran = &r->kernels[0];
  const LaunchModel *m = ran->model;
  Text text = text_new(r->arena);
  for (uint32_t i = 0; i < m->tensors.count; i++) {
    const LaunchTensor *t = &m->tensors.data[i];
    text_format(&text, "tensor %s: %s[", t->name, dtype_of(ran, i));
    for (uint32_t k = 0; k < t->rank; k++) {
      if (!is_arithmetic(t->extent[k])) return NULL;
      text_add(&text, k ? ", " : "");
      add_expression(&text, m, t->extent[k]);
    }
    text_add(&text, "]\n");
  }
  for (uint32_t n = 0; n < m->names.count; n++) {
    bool is_size = m->names.data[n].is_stride;
    for (uint32_t i = 0; i < m->tensors.count; i++)
      for (uint32_t k = 0; k < m->tensors.data[i].rank; k++) is_size |= mentions(m->tensors.data[i].extent[k], n);
    if (!is_size) text_format(&text, "scalar %s: i32\n", m->names.data[n].name);
  }
  for (uint32_t i = 0; i < m->params.count; i++) {
    const Param *param = &ran->claim->ex->params.data[i];
    if (m->params.data[i].tensor < 0 && term_sort(ran->claim->ex->tt, param->symbol) == SORT_REAL)
      text_format(&text, "scalar %s: f32\n", param->name);
  }
  text_add(&text, "none[] = 0\n");
  TermTable *tt = term_table_new(r->arena, ran->claim->ex->tt->names);
  Formula *formula =
      formula_read(r->arena, tt, source_new(r->arena, "launch", text_string(&text), text.count), NULL, errors);
  if (!formula || errors->error_count) return NULL;
  Pointwise *p = formula->pointwise;
  p->outputs.count = 0;
  for (uint32_t i = 0; i < p->tensors.count; i++) {
    p->tensors.data[i].is_written = i < m->tensors.count && is_only_stored(r, i);
    p->tensors.data[i].is_read = strcmp(p->tensors.data[i].name, "none") && !p->tensors.data[i].is_written;
  }
  return p;
}

/* ---- which belong together ---- */

static bool note_written(void *payload, const VisitedLaunch *launch) {
  Runner *r = payload;
  for (uint32_t i = 0; i < launch->model->tensors.count; i++)
    for (int64_t e = 0; e < launch->run->tensors[i].count; e++)
      r->written[i] |= (launch->run->tensors[i].shadow[e] & INTERPRET_WRITTEN) != 0;
  return true;
}

/* The same without a launch. */
static void note_stores(Runner *r) {
  const Effects *ex = r->kernels[0].claim->ex;
  for (uint32_t i = 0; i < r->kernels[0].model->tensors.count; i++) {
    const Param *param = param_of(&r->kernels[0], i);
    for (uint32_t k = 0; param && k < ex->accesses.count; k++)
      r->written[i] |= ex->accesses.data[k].is_store && ex->accesses.data[k].tensor == param->symbol;
  }
}

static const PointwiseTensor *known_tensor(const Runner *r, const char *name) {
  for (uint32_t i = 0; r->known && i < r->known->tensors.count; i++)
    if (!strcmp(r->known->tensors.data[i].name, name)) return &r->known->tensors.data[i];
  return NULL;
}

/* Outputs of a kernel without values: what is written, by the names of tensors. */
static void list_outputs(Runner *r, const Ran *ran, Side *side, const bool *written) {
  side->outputs = (CompareOutputs){0};
  for (uint32_t i = 0; i < ran->model->tensors.count; i++) {
    const LaunchTensor *t = &ran->model->tensors.data[i];
    const PointwiseTensor *known = known_tensor(r, t->name);
    CompareOutput o = {.name = t->name, .place = i, .rank = t->rank, .dtype = dtype_of(ran, i)};
    for (uint32_t k = 0; known && k < t->rank; k++) o.shape[k] = known->extent[k];
    if (written[i]) array_push(r->arena, &side->outputs, o);
  }
}

static int32_t partner_of(const Runner *r, const char *name) {
  const LaunchModel *m = r->kernels[0].model;
  const char *wanted = pairing_left_of(&r->pairing, name);
  for (int round = wanted ? 0 : 1; round < 3; round++)
    for (uint32_t i = 0; i < m->tensors.count; i++) {
      const char *own = m->tensors.data[i].name;
      if (round == 0 ? !strcmp(own, wanted) : round == 1 ? !strcmp(own, name) : pairing_is_alike(own, name))
        return (int32_t)i;
    }
  return -1;
}

/* Every tensor and float argument of the right has its contents from the left. */
static bool pair_kernels(Runner *r) {
  const Ran *own = &r->kernels[0], *other = &r->kernels[1];
  int32_t *tensor = arena_array(r->arena, int32_t, other->model->tensors.count + 1),
          *argument = arena_array(r->arena, int32_t, other->model->params.count + 1);
  bool *all = arena_array(r->arena, bool, other->model->tensors.count + 1);
  for (uint32_t i = 0; i < other->model->tensors.count; i++) {
    tensor[i] = partner_of(r, other->model->tensors.data[i].name), all[i] = true;
    if (tensor[i] < 0) return false;
  }
  for (uint32_t i = 0; i < other->model->params.count; i++) {
    const Param *param = &other->claim->ex->params.data[i];
    argument[i] = -1;
    if (param->is_pointer || term_sort(other->claim->ex->tt, param->symbol) != SORT_REAL) continue;
    for (uint32_t k = 0; k < own->model->params.count; k++)
      if (pairing_is_alike(own->claim->ex->params.data[k].name, param->name)) argument[i] = (int32_t)k;
    if (argument[i] < 0 && !other->model->params.data[i].is_real) return false;
  }
  r->partners = (VisitPartners){tensor, argument};
  list_outputs(r, other, &r->right, all);
  r->right.pointwise = NULL;
  return true;
}

static bool open_right(Runner *r, DiagnosticList *errors) {
  if (r->right.input->kind == CHECK_OPERATION) return open_kernel(r, &r->right, &r->kernels[1]) && pair_kernels(r);
  if (r->right.pointwise) return false; /* a text with shapes of its own */
  r->known = declare(r, errors);
  if (!r->known) return false;
  list_outputs(r, &r->kernels[0], &r->left, r->written);
  r->right.outputs = (CompareOutputs){0};
  return side_apply(&r->right, r->known, &r->left.outputs, &r->pairing, false) && !errors->error_count;
}

/* ---- values ---- */

static TensorArray give_array(void *payload, Term symbol) {
  Runner *r = payload;
  const LaunchModel *m = r->launch->model;
  TensorArray a = {0};
  int64_t index[POINTWISE_MAX_RANK] = {0}, total = 1, n = 0;
  uint32_t i = 0;
  while (i < m->tensors.count && strcmp(m->tensors.data[i].name, term_name(r->known->tt, symbol))) i++;
  if (i == m->tensors.count) guard_throw(r->arena->guard, GUARD_INTERNAL, "a tensor without contents");
  const WitnessTensor *t = &r->contents->tensors[i];
  a.rank = t->rank;
  for (uint32_t k = 0; k < t->rank; k++) total *= a.shape[k] = t->extent[k];
  a.data = arena_array(r->arena, double, (size_t)total + 1);
  if (!total) return a;
  do {
    int64_t offset = visit_offset(t, index);
    a.data[n++] = t->is_float ? t->before[offset].real : (double)witness_integer(t, offset);
  } while (visit_next(t, index));
  return a;
}

static double give_scalar(void *payload, Term symbol) {
  Runner *r = payload;
  const char *name = term_name(r->known->tt, symbol);
  const LaunchNames *names = &r->launch->model->names;
  for (uint32_t i = 0; i < names->count; i++)
    if (!strcmp(names->data[i].name, name)) return (double)r->launch->values[i];
  for (uint32_t i = 0; i < r->launch->run->argument_count; i++)
    if (!strcmp(r->launch->run->arguments[i].name, name)) return r->launch->run->arguments[i].real;
  return NAN;
}

/* What the right has at an element of one output, on the contents at hand. */
typedef struct Values {
  const CompareOutput *output;
  TensorArray array;           /* of a reference */
  const WitnessTensor *tensor; /* of a kernel */
} Values;

/* false: it is not defined, or not of this shape. */
static bool fits(const Values *v, const WitnessTensor *left) {
  uint32_t rank = v->tensor ? v->tensor->rank : v->array.rank;
  const int64_t *shape = v->tensor ? v->tensor->extent : v->array.shape;
  if (rank != left->rank) return false;
  for (uint32_t k = 0; k < rank; k++)
    if (shape[k] != left->extent[k]) return false;
  return true;
}

static bool value_at(const Values *v, const int64_t *index, double *out) {
  if (v->tensor) {
    int64_t offset = visit_offset(v->tensor, index);
    *out = v->tensor->is_float ? v->tensor->after[offset].real : (double)v->tensor->after[offset].integer;
    return !(v->tensor->shadow[offset] & INTERPRET_UNDEFINED) && isfinite(*out);
  }
  int64_t flat = 0;
  for (uint32_t k = 0; k < v->array.rank; k++) flat = flat * v->array.shape[k] + index[k];
  *out = v->array.data[flat];
  return isfinite(*out);
}

/* An infinity is a value, as it is in comparisons of formulas. */
static bool left_at(const WitnessTensor *t, const int64_t *index, double *out) {
  int64_t offset = visit_offset(t, index);
  *out = t->is_float ? t->after[offset].real : (double)t->after[offset].integer;
  return !(t->shadow[offset] & INTERPRET_UNDEFINED) && !isnan(*out);
}

/* On the visited contents, or on those that were moved. */
static bool compute_right(Runner *r, const WitnessRun *contents, uint32_t output, Values *out) {
  *out = (Values){.output = &r->right.outputs.data[output]};
  r->contents = contents;
  if (!r->known) {
    WitnessRun *run = arena_new(r->arena, WitnessRun);
    const Ran *ran = &r->kernels[1];
    if (!visit_like(r->arena, ran->claim->ex, ran->model, ran->required, r->launch, contents, &r->partners, run))
      return false;
    coverage_add(&r->coverage[1], run->grid, &run->result);
    out->tensor = &run->tensors[out->output->place];
    return true;
  }
  TensorEnvironment environment = {.payload = r, .input = give_array, .scalar = give_scalar};
  if (!out->output->expression) return false;
  out->array = tensor_eval(r->known->tt, r->arena, out->output->expression, &environment);
  return true;
}

/* More than literals of f32 make of it, such as log2(e) times a large exponent. */
static bool is_far(double a, double b) { return isinf(a) || fabs(a - b) > 1e-4 * fmax(1, fmax(fabs(a), fabs(b))); }

/* True if the difference stays when inputs move a little, and is more than what that does to either side. */
static bool stays(Runner *r, uint32_t output, const WitnessTensor *t, const int64_t *index, double left, double right) {
  double d = fabs(left - right), a, b;
  for (uint64_t n = 1; n <= AGAIN; n++) {
    WitnessRun again;
    Values v;
    if (!visit_again(r->launch, n, &again) || !compute_right(r, &again, output, &v)) return false;
    if (!left_at(&again.tensors[t - r->launch->run->tensors], index, &a) || !value_at(&v, index, &b)) return false;
    bool kept = t->is_float && isfinite(left) ? fabs(a - left) <= d / 16 && fabs(b - right) <= d / 16
                : t->is_float                 ? a == left && !is_far(b, right)
                                              : a == left && b == right;
    if (!kept) return false;
  }
  return true;
}

/* ---- the report ---- */

static void pair_number(Runner *r, void *list, const char *name, double value, bool is_real) {
  Array(ReportPair) *pairs = list;
  const char *text =
      is_real ? arena_format(r->arena, "%.17g", value) : arena_format(r->arena, "%lld", (long long)value);
  array_push(r->arena, pairs, (ReportPair){name, text});
}

static const char *element_name(Runner *r, const WitnessTensor *t, const int64_t *index) {
  Text text = text_new(r->arena);
  text_add(&text, t->name);
  for (uint32_t k = 0; k < t->rank; k++) text_format(&text, "%s%lld", k ? ", " : "[", (long long)index[k]);
  if (t->rank) text_char(&text, ']');
  return text_string(&text);
}

/* The first elements of what may matter. */
static void tell_inputs(Runner *r, ReportWitness *w) {
  const WitnessRun *run = r->launch->run;
  for (uint32_t i = 0; i < r->launch->model->tensors.count; i++) {
    const WitnessTensor *t = &run->tensors[i];
    int64_t index[POINTWISE_MAX_RANK] = {0};
    if (r->written[i] || !t->count) continue;
    do {
      int64_t offset = visit_offset(t, index);
      bool full = w->inputs.count == MOST_SHOWN;
      if (full) array_push(r->arena, &w->inputs, (ReportPair){"...", ""});
      if (full) return;
      pair_number(r, &w->inputs, element_name(r, t, index),
                  t->is_float ? t->before[offset].real : (double)witness_integer(t, offset), t->is_float);
    } while (visit_next(t, index));
  }
}

static void tell(Runner *r, const WitnessTensor *t, const int64_t *index, double left, double right) {
  const LaunchModel *m = r->launch->model;
  const WitnessRun *run = r->launch->run;
  ReportWitness *w = arena_new(r->arena, ReportWitness);
  for (uint32_t i = 0; i < m->names.count; i++)
    pair_number(r, m->names.data[i].is_stride ? (void *)&w->strides : (void *)&w->sizes, m->names.data[i].name,
                (double)r->launch->values[i], false);
  for (uint32_t i = 0; i < run->argument_count; i++)
    if (run->arguments[i].is_real) pair_number(r, &w->scalars, run->arguments[i].name, run->arguments[i].real, true);
  for (uint32_t k = 0; k < t->rank; k++) pair_number(r, &w->index, term_axis_letter(k), (double)index[k], false);
  tell_inputs(r, w);
  const char *format = t->is_float ? "%.17g" : "%.0f";
  w->left = arena_format(r->arena, format, left), w->right = arena_format(r->arena, format, right);
  *r->out = (CheckRun){.fits = true,
                       .launches = r->out->launches,
                       .differs = true,
                       .output = t->name,
                       .left = w->left,
                       .right = w->right,
                       .witness = w};
}

/* ---- one launch ---- */

/* What the reference asks of its inputs' sizes. */
static bool meets_conditions(Runner *r) {
  if (!r->known) return true;
  TermTable *tt = r->known->tt;
  TermEval *eval = term_eval_new(tt, r->arena, NULL, NULL);
  for (uint32_t i = 0; i < tt->symbols.count; i++) {
    const Symbol *s = &tt->symbols.data[i];
    if (s->role != SYMBOL_SIZE && s->role != SYMBOL_SCALAR) continue;
    double value = give_scalar(r, s->term);
    if (!isnan(value)) term_eval_set(eval, s->term, (TermValue){value, s->sort == SORT_INT ? (int64_t)value : 0});
  }
  for (uint32_t i = 0; i < r->assumptions.conditions.count; i++) {
    Term c = r->assumptions.conditions.data[i];
    if (term_node(tt, c)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_UNDEF)) continue;
    if (!term_eval(eval, c).integer) return false;
  }
  return true;
}

/* false: they differ. */
static bool compare_output(Runner *r, uint32_t i, uint32_t output) {
  const WitnessTensor *t = &r->launch->run->tensors[r->left.outputs.data[i].place];
  int64_t index[POINTWISE_MAX_RANK] = {0}, elements = 1;
  Values v;
  double left, right;
  for (uint32_t k = 0; k < t->rank; k++) elements *= t->extent[k];
  if (!t->count || elements > MOST_ELEMENTS || !compute_right(r, r->launch->run, output, &v) || !fits(&v, t))
    return true;
  do {
    if (!left_at(t, index, &left) || !value_at(&v, index, &right)) continue;
    r->is_compared = true;
    if (!is_far(left, right) || !stays(r, output, t, index, left, right)) continue;
    tell(r, t, index, left, right);
    return false;
  } while (visit_next(t, index));
  return true;
}

static bool compare_launch(void *payload, const VisitedLaunch *launch) {
  Runner *r = payload;
  r->launch = launch;
  r->is_compared = false;
  if (!meets_conditions(r)) return true;
  for (uint32_t i = 0; i < r->left.outputs.count; i++)
    if (OUTPUT_HAS_PARTNER(r->pairs.partner[0][i]) && !compare_output(r, i, r->pairs.partner[0][i])) return false;
  r->out->launches += r->is_compared;
  if (r->is_compared) coverage_add(&r->coverage[0], launch->run->grid, &launch->run->result);
  return true;
}

/* Of either kernel. */
static const char *not_reached(const Runner *r) {
  const char *own = coverage_missing(r->arena, &r->coverage[0]),
             *other = r->known ? NULL : coverage_missing(r->arena, &r->coverage[1]);
  return own && other ? arena_format(r->arena, "%s, %s", own, other) : own ? own : other;
}

CheckRun check_run(Arena *arena, const Side *left, const Side *right, const Options *options) {
  CheckRun out = {0};
  Runner *r = arena_new(arena, Runner);
  DiagnosticList errors;
  diagnostic_list_init(&errors, arena);
  *r = (Runner){.arena = arena, .options = options, .left = *left, .right = *right, .out = &out};
  r->pairing = (Pairing){.arena = arena, .options = options, .diagnostics = &errors, .assumptions = &r->assumptions};
  r->pairing.is_declared = true;
  const Operation *operation = left->input->operation;
  r->pairing.declared = operation && operation->has_tensors ? operation : NULL;
  Ran *own = &r->kernels[0];
  if (!open_kernel(r, left, own)) return out;
  r->written = arena_array(arena, bool, own->model->tensors.count + 1);
  r->left.pointwise = NULL;
  bool is_defined = visit_launches(arena, own->claim->ex, own->model, own->required, 2, note_written, r) > 0;
  if (!is_defined) note_stores(r);
  out.fits = open_right(r, &errors);
  if (!out.fits || !is_defined) return out;
  list_outputs(r, own, &r->left, r->written);
  if (!pairing_match_outputs(&r->pairing, &r->left, &r->right, &r->pairs) || errors.error_count) return out;
  for (int i = 0; i < 1 + !r->known; i++) r->coverage[i] = coverage_new(arena, r->kernels[i].claim->ex);
  visit_launches(arena, own->claim->ex, own->model, own->required, LAUNCHES, compare_launch, r);
  out.missing = not_reached(r);
  return out;
}
