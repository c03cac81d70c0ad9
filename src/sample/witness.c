/* The search for witnesses (see witness.h).
 *
 * 1. Draw: every name of the launch gets a value from a short list; strides are packed or padded by a little; tensors
 *    that are written must not overlap themselves, conditions must hold, and the launch must be small.
 * 2. Run it, on contents of several kinds, and list what shows: the interpreter's findings, elements that nobody wrote,
 *    results that are not numbers.
 * 3. Shrink: for each thing that shows, each name in turn takes the least value at which it still shows.
 *
 * Work is bounded by the lanes that the interpreter computes, so the same kernel has the same witness everywhere. */
#include <math.h>
#include <string.h>

#include "sample/witness_internal.h"

enum {
  MOST_LANES = 2000000,
  TRIALS = 64,
  FIRST_TRIALS = 5, /* with all contents */
  MOST_SHOWN = 12,
  MOST_PLACES = 24
};
static const uint64_t step_budget = 30000000;

/* ---- candidates ---- */

static void add_candidate(Search *s, int64_t n) {
  for (uint32_t i = 0; i < s->candidate_count; i++)
    if (s->candidates[i] == n) return;
  if (n >= 1 && n < 5000 && s->candidate_count < WITNESS_MOST_CANDIDATES) s->candidates[s->candidate_count++] = n;
}

/* What is assumed of sizes is met by few others than its own numbers and their multiples. */
static void add_numbers(Search *s, const LaunchExpr *e) {
  if (!e) return;
  if (e->op == 'n' && e->number > 1 && e->number < 5000)
    add_candidate(s, e->number), add_candidate(s, 3 * e->number), add_candidate(s, e->number + 1);
  add_numbers(s, e->a);
  add_numbers(s, e->b);
}

/* Where a statement of the kernel may be false: at its own numbers, of sizes or of programs. */
static void add_numbers_of(Search *s, Term t, int64_t block, uint32_t depth) {
  const TermTable *tt = s->ex->tt;
  int64_t number;
  if (term_is_int(tt, t, &number)) {
    if (number < 0) number = -number;
    if (number < 1 || number >= 500) return;
    add_candidate(s, number), add_candidate(s, number + 1), add_candidate(s, number * block + 1);
  }
  for (uint32_t i = 0; i < term_count(tt, t) && depth < 12; i++)
    add_numbers_of(s, term_arg(tt, t, i), block, depth + 1);
}

static void add_statements(Search *s, int64_t block) {
  for (uint32_t i = 0; i < s->ex->divisions.count; i++) {
    const DivisionNeed *need = &s->ex->divisions.data[i];
    if (!need->is_statement) continue;
    add_numbers_of(s, need->divisor, block, 0);
    add_numbers_of(s, need->path, block, 0);
  }
}

/* Numbers of the program beyond its blocks, such as the step of a loop over all programs' blocks. */
static void add_steps(Search *s) {
  const Program *p = s->ex->program;
  for (OpId id = s->ex->extent.first_op; id < s->ex->extent.end_op; id++) {
    const Op *op = program_get_op(p, id);
    int64_t number;
    if (!program_op_literal(p, op, &number) || number <= s->block || number >= 5000) continue;
    if (number > s->step) s->step = number;
    add_candidate(s, number + 1), add_candidate(s, number - 1);
  }
}

void witness_find_candidates(Search *s) {
  static const int64_t small[] = {1, 2, 3, 5};
  const Program *p = s->ex->program;
  int64_t widest = 1;
  s->lanes = 1;
  for (size_t i = 0; i < sizeof small / sizeof *small; i++) add_candidate(s, small[i]);
  for (OpId id = s->ex->extent.first_op; id < s->ex->extent.end_op; id++) {
    const Op *op = program_get_op(p, id);
    for (uint32_t r = 0; r < op->result_count; r++) {
      int64_t lanes = program_lane_count(p, program_get_value(p, program_result(op, r))->type);
      if (lanes > s->lanes) s->lanes = lanes;
    }
    if (op->code != OP_TT_MAKE_RANGE) continue;
    int64_t block = program_op_int(p, op, "end", 0) - program_op_int(p, op, "start", 0);
    add_candidate(s, block + 1), add_candidate(s, block - 1), add_candidate(s, block), add_candidate(s, 2 * block + 1),
        add_candidate(s, block / 2 + 1);
    if (block > widest) widest = block;
  }
  s->block = widest;
  add_steps(s);
  add_statements(s, widest);
  for (uint32_t i = 0; i < s->model->conditions.count; i++) add_numbers(s, s->model->conditions.data[i]);
}

/* ---- one launch ---- */

static bool eval(const Search *s, const LaunchExpr *e, int64_t *out) { return launch_eval(e, s->values, out); }

/* Strides that are names of their own: what the axes behind span, and the padding. */
static bool place_strides(Search *s) {
  bool done[LAUNCH_MAX_NAMES] = {0};
  for (uint32_t i = 0; i < s->model->tensors.count; i++) {
    const LaunchTensor *t = &s->model->tensors.data[i];
    int64_t span = 1, stride, extent;
    for (uint32_t k = t->rank; k-- > 0;) {
      const LaunchExpr *e = t->stride[k];
      if (e->op == 'v' && s->model->names.data[e->name].is_stride && !done[e->name]) {
        s->values[e->name] = span + s->pad;
        done[e->name] = true;
      }
      if (!eval(s, e, &stride) || !eval(s, t->extent[k], &extent)) return false;
      if (__builtin_mul_overflow(stride, extent, &extent)) return false;
      if (extent > span) span = extent;
    }
  }
  return true;
}

static bool is_injective(const WitnessTensor *t) {
  for (uint32_t k = 0; k < t->rank; k++) {
    int64_t lower = 0;
    if (t->extent[k] <= 1) continue;
    for (uint32_t j = 0; j < t->rank; j++)
      if (j != k && t->extent[j] > 1 && (t->stride[j] < t->stride[k] || (t->stride[j] == t->stride[k] && j > k)))
        lower += (t->extent[j] - 1) * t->stride[j];
    if (t->stride[k] <= lower) return false;
  }
  return true;
}

static const Param *param_for(const Search *s, uint32_t tensor) {
  for (uint32_t i = 0; i < s->ex->params.count; i++)
    if (s->model->params.data[i].tensor == (int32_t)tensor) return &s->ex->params.data[i];
  return NULL;
}

int64_t witness_integer(const WitnessTensor *t, int64_t element) {
  int64_t value = t->before[element].integer;
  return t->is_unsigned && t->bits < 64 ? value & (((int64_t)1 << t->bits) - 1) : value;
}

static bool make_tensor(Search *s, uint32_t number, WitnessTensor *t) {
  const LaunchTensor *from = &s->model->tensors.data[number];
  const Param *param = param_for(s, number);
  TypeId element = param ? param->element : 0;
  *t = (WitnessTensor){.name = from->name, .element = element, .rank = from->rank};
  int64_t last = 0;
  bool empty = !element;
  if (element) {
    const Type *type = program_get_type(s->ex->program, element);
    if (type->kind != TYPE_FLOAT && type->kind != TYPE_INT) return false;
    t->is_float = type->kind == TYPE_FLOAT, t->bits = type->width, t->is_bool = !t->is_float && type->width == 1,
    t->is_unsigned = param->is_unsigned;
  }
  for (uint32_t k = 0; k < from->rank; k++) {
    if (!eval(s, from->extent[k], &t->extent[k]) || !eval(s, from->stride[k], &t->stride[k])) return false;
    if (t->extent[k] < 0 || t->stride[k] < 0 || t->extent[k] > WITNESS_MOST_ELEMENTS ||
        t->stride[k] > WITNESS_MOST_ELEMENTS)
      return false;
    if (t->extent[k] == 0) empty = true;
    last += (t->extent[k] - 1) * t->stride[k];
    if (last > WITNESS_MOST_ELEMENTS) return false;
  }
  t->count = empty ? 0 : last + 1;
  return true;
}

static InterpretCell draw_cell(Search *s, const WitnessTensor *t) {
  InterpretCell cell = {0};
  int64_t small = (int64_t)random_below(&s->random, 9);
  switch (s->pattern) {
  case PATTERN_ZERO:
  case PATTERNS: break;
  case PATTERN_ANY:
    if (t->is_float)
      cell.real = 4 * random_unit(&s->random) - 2;
    else
      cell.integer = t->is_bool ? small % 2 : (int64_t)random_below(&s->random, s->places);
    break;
  case PATTERN_ONE:
    if (t->is_float)
      cell.real = 1;
    else
      cell.integer = 1;
    break;
  case PATTERN_SMALL: /* positive floats; integers that may be indices */
    if (t->is_float)
      cell.real = (double)(small + 1) / 4;
    else
      cell.integer = small % (t->is_bool ? 2 : 3);
    break;
  case PATTERN_MIXED:
    if (t->is_float)
      cell.real = (double)(small - 4) / 2;
    else
      cell.integer = t->is_bool ? small % 2 : small < 6 ? small : small == 6 ? 40 : small == 7 ? -1 : -3;
    break;
  }
  if (!t->is_float && s->index_limit) cell.integer = cell.integer < 0 ? 0 : cell.integer % s->index_limit;
  return cell;
}

/* Integers below it are places along every axis. */
static uint64_t least_extent(const Search *s) {
  int64_t least = 0;
  for (uint32_t i = 0; i < s->run.tensor_count; i++)
    for (uint32_t k = 0; k < s->run.tensors[i].rank; k++)
      if (s->run.tensors[i].extent[k] > 1 && (!least || s->run.tensors[i].extent[k] < least))
        least = s->run.tensors[i].extent[k];
  return least ? (uint64_t)least : 1;
}

/* Nobody gave a shape: then it is not known which indices are in range, and only those that surely are show anything.
 */
static int64_t index_limit(const Search *s) {
  int64_t least = 0;
  for (uint32_t i = 0; i < s->model->tensors.count; i++) {
    const WitnessTensor *t = &s->run.tensors[i];
    if (!s->model->tensors.data[i].inferred) continue;
    for (uint32_t k = 0; k < t->rank; k++)
      if (t->extent[k] > 0 && (!least || t->extent[k] < least)) least = t->extent[k];
    if (!least) least = 1;
  }
  return least;
}

static bool make_arguments(Search *s) {
  WitnessRun *run = &s->run;
  uint32_t extra = run->tensor_count;
  for (uint32_t i = 0; i < run->argument_count; i++) {
    const LaunchParam *from = &s->model->params.data[i];
    const Param *param = &s->ex->params.data[i];
    WitnessArgument *a = &run->arguments[i];
    *a = (WitnessArgument){.name = param->name, .tensor = from->tensor};
    if (from->tensor >= 0) {
      if (!eval(s, from->offset, &a->offset)) return false;
      for (uint32_t k = 0; s->apart && k < i; k++) {
        if (run->arguments[k].tensor != from->tensor) continue;
        run->tensors[extra] = run->tensors[from->tensor];
        a->tensor = (int32_t)extra++;
        break;
      }
    } else if (term_sort(s->ex->tt, param->symbol) == SORT_REAL) {
      a->is_real = true;
      a->real = from->is_real               ? from->real
                : s->pattern == PATTERN_ANY ? 0.25 + 0.125 * (double)(i % 5) /* unlike each other */
                                            : 0.5;
    } else {
      if (!from->scalar || !eval(s, from->scalar, &a->integer)) return false;
      if (param->is_count && a->integer < 0) return false;
      if (param->is_size && a->integer < 1) return false; /* sizes are not empty, as expressions of an operation too */
      const Type *type = program_get_type(s->ex->program, param->type);
      if (type->width == 32 && a->integer != (int32_t)a->integer) return false;
    }
  }
  run->tensor_count = extra;
  return true;
}

static bool meets_required(Search *s) {
  if (!s->required.count) return true;
  TermEval *eval_ = term_eval_new(s->required.ex->tt, s->arena, NULL, NULL);
  for (uint32_t i = 0; i < s->run.argument_count; i++) {
    int64_t v = s->run.arguments[i].integer;
    if (s->run.arguments[i].tensor < 0 && !s->run.arguments[i].is_real)
      term_eval_set(eval_, s->required.ex->params.data[i].symbol, (TermValue){(double)v, v});
  }
  for (uint32_t i = 0; i < 3; i++) {
    int64_t v = s->run.grid[i];
    if (term_kind(s->required.ex->tt, s->required.ex->grid[i]) == TERM_SYM)
      term_eval_set(eval_, s->required.ex->grid[i], (TermValue){(double)v, v});
  }
  for (uint32_t i = 0; i < s->required.count; i++)
    if (!term_eval(eval_, s->required.data[i]).integer) return false;
  return true;
}

/* The launch of s->values; false: there is none, or it is too large. */
bool witness_make_launch(Search *s) {
  WitnessRun *run = &s->run;
  int64_t programs = 1, holds, grid, total = 0;
  *run = (WitnessRun){.program = s->ex->program,
                      .function = s->ex->function,
                      .tensor_count = s->model->tensors.count,
                      .argument_count = s->ex->params.count};
  if (!place_strides(s)) return false;
  for (uint32_t i = 0; i < s->model->conditions.count; i++)
    if (!eval(s, s->model->conditions.data[i], &holds) || !holds) return false;
  for (uint32_t i = 0; i < s->model->others.count; i++)
    if (!eval(s, s->model->others.data[i], &holds) || !holds) return false;
  for (uint32_t i = 0; i < 3; i++) {
    if (!eval(s, s->model->grid[i], &grid) || grid < 1 || grid > 4096) return false;
    run->grid[i] = (int32_t)grid;
    programs *= grid;
  }
  if (programs > 16 && programs * s->lanes > MOST_LANES) return false;
  run->tensors = arena_array(s->arena, WitnessTensor, run->tensor_count + run->argument_count + 1);
  run->arguments = arena_array(s->arena, WitnessArgument, run->argument_count + 1);
  for (uint32_t i = 0; i < run->tensor_count; i++) {
    if (!make_tensor(s, i, &run->tensors[i])) return false;
    total += run->tensors[i].count;
  }
  if (total > WITNESS_MOST_ELEMENTS || !make_arguments(s) || !meets_required(s)) return false;
  s->random.state = 7 + s->seed;
  s->places = s->seed % 4 == 3 ? MOST_PLACES : least_extent(s);
  s->index_limit = index_limit(s);
  s->steps += (uint64_t)total;
  for (uint32_t i = 0; i < run->tensor_count; i++) {
    WitnessTensor *t = &run->tensors[i];
    t->before = arena_array(s->arena, InterpretCell, t->count + 1),
    t->after = arena_array(s->arena, InterpretCell, t->count + 1);
    for (int64_t e = 0; e < t->count; e++) t->before[e] = draw_cell(s, t);
    for (uint32_t k = 0; k < s->fixed_count; k++)
      if (s->fixed[k].tensor == i && s->fixed[k].element < t->count) t->before[s->fixed[k].element] = s->fixed[k].cell;
    memcpy(t->after, t->before, sizeof *t->after * (size_t)t->count);
  }
  return true;
}

/* Places between the elements of a tensor whose shape and strides were given belong to something else. NULL: there are
 * none. */
static const bool *padding_of(Search *s, uint32_t number) {
  const WitnessTensor *t = &s->run.tensors[number];
  if (number >= s->model->tensors.count || s->model->tensors.data[number].inferred || !t->count) return NULL;
  int64_t index[POINTWISE_MAX_RANK] = {0}, elements = 1;
  for (uint32_t k = 0; k < t->rank; k++)
    if ((elements *= t->extent[k]) > WITNESS_MOST_ELEMENTS) return NULL;
  elements = 0;
  bool *padding = arena_array(s->arena, bool, (uint32_t)t->count);
  memset(padding, 1, (size_t)t->count);
  for (;;) {
    int64_t offset = 0;
    for (uint32_t k = 0; k < t->rank; k++) offset += index[k] * t->stride[k];
    elements += padding[offset];
    padding[offset] = false;
    uint32_t k = t->rank;
    while (k > 0 && ++index[k - 1] == t->extent[k - 1]) index[--k] = 0;
    if (k == 0) return elements < t->count ? padding : NULL;
  }
}

static bool is_statement(const InterpretFinding *f) {
  return f->kind == INTERPRET_ASSERT || f->kind == INTERPRET_ASSUME;
}

static bool states_falsehood(const Search *s) {
  return s->run.result.totals[INTERPRET_ASSERT] || s->run.result.totals[INTERPRET_ASSUME];
}

/* What the program relies on there, sizes and counters alone decide, and nothing grants; NULL: it is none. */
static const RequiredNeed *need_of(const Search *s, OpId op) {
  for (uint32_t i = 0; i < s->ex->required.count; i++) {
    const RequiredNeed *need = &s->ex->required.data[i];
    bool of_data = term_node(s->ex->tt, need->condition)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_UNDEF);
    if (need->op == op && !of_data) return need;
  }
  return NULL;
}

/* True if a statement of the kernel is false that is an assumption. Others are held against every program. */
static bool breaks_assumption(const Search *s) {
  for (uint32_t i = 0; i < s->run.result.findings.count; i++) {
    const InterpretFinding *f = &s->run.result.findings.data[i];
    bool is_need = !is_statement(f) || need_of(s, f->op);
    for (uint32_t k = 0; k < s->ex->divisions.count && !is_need; k++)
      is_need = s->ex->divisions.data[k].is_statement && s->ex->divisions.data[k].op == f->op;
    if (!is_need) return true;
  }
  return false;
}

bool witness_interpret(Search *s) {
  WitnessRun *run = &s->run;
  InterpretBuffer *buffers = arena_array(s->arena, InterpretBuffer, run->tensor_count + 1);
  InterpretArgument *arguments = arena_array(s->arena, InterpretArgument, run->argument_count + 1);
  for (uint32_t i = 0; i < run->tensor_count; i++) {
    const WitnessTensor *t = &run->tensors[i];
    TypeId element = t->element;
    for (uint32_t k = 0; !element && k < s->ex->params.count; k++)
      element = s->ex->params.data[k].is_pointer ? s->ex->params.data[k].element : 0;
    buffers[i] = (InterpretBuffer){
        .name = t->name, .element = element, .count = t->count, .cells = t->after, .padding = padding_of(s, i)};
  }
  for (uint32_t i = 0; i < run->argument_count; i++) {
    const WitnessArgument *a = &run->arguments[i];
    if (a->tensor >= 0)
      arguments[i] = (InterpretArgument){.kind = INTERPRET_ADDRESS, .buffer = (uint32_t)a->tensor, .offset = a->offset};
    else
      arguments[i] = (InterpretArgument){
          .kind = a->is_real ? INTERPRET_REAL : INTERPRET_INTEGER, .integer = a->integer, .real = a->real};
  }
  InterpretOptions options = {.exact_reals = true, .saturates = true, .step_limit = 12000000};
  run->result = (InterpretResult){0};
  interpret_launch(s->arena, run->program, run->function, run->grid, buffers, run->tensor_count, arguments,
                   run->argument_count, &options, &run->result);
  bool is_first_cut =
      run->result.status == INTERPRET_LIMIT && !s->is_costly; /* which shall not use up what smaller ones need */
  s->steps += (is_first_cut ? 0 : run->result.steps) + 1000;
  s->is_costly |= is_first_cut;
  for (uint32_t i = 0; i < run->tensor_count; i++) run->tensors[i].shadow = buffers[i].shadow;
  if (run->result.status != INTERPRET_OK || breaks_assumption(s)) return false;
  for (uint32_t i = 0; i < run->tensor_count; i++) {
    const WitnessTensor *t = &run->tensors[i];
    for (int64_t e = 0; e < t->count && t->shadow; e++)
      if (t->shadow[e] & INTERPRET_WRITTEN) {
        if (!is_injective(t)) return false; /* output strides make elements overlap: not a launch that is spoken of */
        break;
      }
  }
  return true;
}

/* ---- what shows ---- */

static void show(Search *s, Event event) {
  memcpy(event.values, s->values, sizeof event.values);
  event.pad = s->pad, event.pattern = s->pattern;
  if (s->shown_count < WITNESS_MOST_EVENTS) s->shown[s->shown_count++] = event;
}

/* What was read out of bounds or divided by zero is undefined: its effects are no findings of their own. */
static bool has_cause(const Search *s) {
  return s->run.result.totals[INTERPRET_OUT_OF_BOUNDS] || s->run.result.totals[INTERPRET_DIVISION] ||
         s->run.result.totals[INTERPRET_INDEX];
}

/* True if the address comes from memory. */
static bool reads_index(const Search *s, OpId op) {
  for (uint32_t i = 0; i < s->ex->accesses.count; i++)
    if (s->ex->accesses.data[i].op == op &&
        (term_node(s->ex->tt, s->ex->accesses.data[i].offset)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE)))
      return true;
  return false;
}

/* An extent that nobody gave is as large as it must be: only what lies before the tensor is out of its bounds. */
static bool is_open_end(const Search *s, const InterpretFinding *f) {
  if (f->buffer < 0) {
    for (uint32_t i = 0; i < s->model->tensors.count; i++)
      if (s->model->tensors.data[i].inferred) return true;
    return false;
  }
  return (uint32_t)f->buffer < s->model->tensors.count && s->model->tensors.data[f->buffer].inferred &&
         (f->element >= 0 || reads_index(s, f->op));
}

/* A flat view of an output, addressed with a stride that is an argument: that it keeps elements apart cannot be told.
 */
static bool is_unsorted(const Search *s, int32_t buffer) {
  const TermTable *tt = s->ex->tt;
  if (buffer < 0 || (uint32_t)buffer >= s->model->tensors.count || !s->model->tensors.data[buffer].inferred ||
      s->model->tensors.data[buffer].rank != 1)
    return false;
  for (uint32_t i = 0; i < s->ex->accesses.count; i++) {
    const Access *a = &s->ex->accesses.data[i];
    bool here = false;
    for (uint32_t k = 0; k < s->ex->params.count; k++)
      here |= s->ex->params.data[k].symbol == a->tensor && s->run.arguments[k].tensor == buffer;
    bool sum = term_kind(tt, a->offset) == TERM_ADD;
    for (uint32_t k = sum ? 1 : 0; here && a->is_store && k < (sum ? term_count(tt, a->offset) : 1); k += 2) {
      Term product = sum ? term_arg(tt, a->offset, k + 1) : a->offset;
      for (uint32_t f = 0; term_kind(tt, product) == TERM_MUL && f < term_count(tt, product); f += 2) {
        Term base = term_arg(tt, product, f);
        if (term_kind(tt, base) == TERM_SYM && term_symbol(tt, base)->role == SYMBOL_SIZE) return true;
      }
    }
  }
  return false;
}

static void show_findings(Search *s) {
  for (uint32_t i = 0; i < s->run.result.findings.count; i++) {
    const InterpretFinding *f = &s->run.result.findings.data[i];
    Event e = {.op = f->op, .buffer = f->buffer, .finding = *f};
    if (s->run.result.totals[INTERPRET_DIVISION] && f->kind != INTERPRET_DIVISION)
      continue;                                            /* a quotient that is anything leads anywhere */
    if (states_falsehood(s) && !is_statement(f)) continue; /* all is undefined then */
    switch (f->kind) {
    case INTERPRET_OUT_OF_BOUNDS:
    case INTERPRET_INDEX: e.kind = OBLIGATION_BOUNDS; break;
    case INTERPRET_UNDEFINED_STORE:
    case INTERPRET_UNDEFINED_USE:
      if (has_cause(s)) continue;
      e.kind = OBLIGATION_UNDEFINED;
      break;
    case INTERPRET_RACE:
    case INTERPRET_DUPLICATE_STORE:
      if (is_unsorted(s, f->buffer)) continue;
      e.kind = OBLIGATION_RACE;
      break;
    case INTERPRET_DIVISION: e.kind = OBLIGATION_DIVISION; break;
    case INTERPRET_ASSERT:
    case INTERPRET_ASSUME: e.kind = need_of(s, f->op) ? OBLIGATION_BOUNDS : OBLIGATION_UNDEFINED; break;
    case INTERPRET_OVERFLOW:
    case INTERPRET_FINDING_KINDS: continue;
    }
    show(s, e);
  }
}

/* The store that writes through this argument; 0: none. `whole`: only if every element should be written by it. */
static OpId store_of(const Search *s, uint32_t tensor, bool whole) {
  OpId op = 0;
  const Effects *ex = s->ex;
  for (uint32_t i = 0; i < ex->accesses.count; i++) {
    const Access *a = &ex->accesses.data[i];
    bool here = false;
    for (uint32_t k = 0; k < ex->params.count; k++)
      here |= ex->params.data[k].symbol == a->tensor && s->run.arguments[k].tensor == (int32_t)tensor;
    if (!here) continue;
    uint32_t flags = term_node(ex->tt, a->mask)->flags | term_node(ex->tt, a->offset)->flags;
    if (whole && (!a->is_store || a->is_atomic || (flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_UNDEF))))
      return 0;
    if (a->is_store) op = a->op;
  }
  return op;
}

/* The same of a kernel that was not executed symbolically: its accesses are not known. */
static OpId whole_store_of(const Search *s, uint32_t tensor) {
  uint32_t argument = UINT32_MAX;
  for (uint32_t i = 0; i < s->run.argument_count; i++) {
    if (s->run.arguments[i].tensor != (int32_t)tensor) continue;
    if (argument != UINT32_MAX) return 0; /* two names of one */
    argument = i;
  }
  return argument == UINT32_MAX ? 0 : witness_whole_store(s->arena, s->ex, argument);
}

static void show_unwritten(Search *s, uint32_t number) {
  const WitnessTensor *t = &s->run.tensors[number];
  OpId op = !witness_is_covered(s) ? 0 : s->ex->stop_code ? whole_store_of(s, number) : store_of(s, number, true);
  int64_t index[POINTWISE_MAX_RANK] = {0};
  if (!op || !t->count || number >= s->model->tensors.count || s->model->tensors.data[number].inferred) return;
  for (;;) {
    int64_t offset = 0;
    for (uint32_t k = 0; k < t->rank; k++) offset += index[k] * t->stride[k];
    if (!(t->shadow[offset] & INTERPRET_WRITTEN)) {
      show(s, (Event){.kind = OBLIGATION_COVERAGE,
                      .op = op,
                      .buffer = (int32_t)number,
                      .finding = {.element = offset, .lane = -1, .program = {-1, -1, -1}}});
      return;
    }
    uint32_t k = t->rank;
    while (k > 0 && ++index[k - 1] == t->extent[k - 1]) index[--k] = 0;
    if (k == 0) return;
  }
}

/* In exact arithmetic from finite inputs, NaN is a value that is undefined in the reals. */
static void show_computed(Search *s, uint32_t number) {
  const WitnessTensor *t = &s->run.tensors[number];
  OpId op = store_of(s, number, false);
  if (!op || !t->is_float) return;
  for (int64_t e = 0; e < t->count; e++) {
    if ((t->shadow[e] & INTERPRET_UNDEFINED) || !(t->shadow[e] & INTERPRET_WRITTEN) || !isnan(t->after[e].real))
      continue;
    show(s, (Event){.kind = OBLIGATION_UNDEFINED,
                    .computed = true,
                    .divides = s->run.result.zero_divisors,
                    .op = op,
                    .buffer = (int32_t)number,
                    .finding = {.element = e, .lane = -1, .program = {-1, -1, -1}}});
    return;
  }
}

/* Once more, on what the launch has left: an element that changes again. */
static void show_repeated(Search *s) {
  const WitnessRun once = s->run;
  if (!s->model->is_repeated || has_cause(s) || once.result.totals[INTERPRET_RACE]) return;
  WitnessTensor *tensors = arena_array(s->arena, WitnessTensor, once.tensor_count + 1);
  for (uint32_t i = 0; i < once.tensor_count; i++) {
    tensors[i] = once.tensors[i];
    tensors[i].before = once.tensors[i].after,
    tensors[i].after = arena_array(s->arena, InterpretCell, tensors[i].count + 1);
    memcpy(tensors[i].after, tensors[i].before, sizeof *tensors[i].after * (size_t)tensors[i].count);
  }
  s->run.tensors = tensors;
  bool ran = witness_interpret(s);
  s->run = once;
  for (uint32_t i = 0; i < once.tensor_count && ran; i++)
    for (int64_t e = 0; e < tensors[i].count; e++) {
      const InterpretCell a = tensors[i].before[e], b = tensors[i].after[e];
      if (tensors[i].is_float ? a.real == b.real || isnan(a.real) || isnan(b.real) : a.integer == b.integer) continue;
      show(s, (Event){.kind = OBLIGATION_ALIAS,
                      .computed = true,
                      .op = store_of(s, i, false),
                      .buffer = (int32_t)i,
                      .once = a,
                      .twice = b,
                      .finding = {.element = e, .lane = -1, .program = {-1, -1, -1}}});
      break;
    }
}

static bool run_values(Search *s) {
  s->shown_count = 0;
  if (!witness_make_launch(s) || !witness_interpret(s)) return false;
  for (uint32_t i = 0; i < s->run.result.findings.count; i++) { /* an extent too small for the accesses: no launch */
    const InterpretFinding *f = &s->run.result.findings.data[i];
    if (is_statement(f)) break; /* what follows is undefined anyway */
    if (f->kind == INTERPRET_OUT_OF_BOUNDS && is_open_end(s, f)) return false;
  }
  show_findings(s);
  s->ran++;
  if (states_falsehood(s)) return true;
  for (uint32_t i = 0; i < s->run.tensor_count; i++) {
    if (!has_cause(s)) show_computed(s, i);
    if (!s->run.result.totals[INTERPRET_DIVISION]) show_unwritten(s, i);
  }
  show_repeated(s);
  return true;
}

static bool is_positive(const Event *e) {
  return e->computed && (e->pattern == PATTERN_ONE || e->pattern == PATTERN_SMALL);
}

static bool is_same(const Event *a, const Event *b) {
  return a->kind == b->kind && a->op == b->op && a->buffer == b->buffer && a->computed == b->computed &&
         a->divides == b->divides && is_positive(a) == is_positive(b);
}

static void keep_new(Search *s) {
  for (uint32_t i = 0; i < s->shown_count; i++) {
    bool known = false;
    for (uint32_t k = 0; k < s->found_count; k++) known |= is_same(&s->found[k], &s->shown[i]);
    if (!known && s->found_count < WITNESS_MOST_EVENTS) s->found[s->found_count++] = s->shown[i];
  }
}

/* ---- the search ---- */

/* Names that are sizes or positions. */
uint32_t witness_count_sizes(const Search *s) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->model->names.count; i++) count += !s->model->names.data[i].is_stride;
  return count;
}

/* The first launches are small, two of them of even sizes alone; in the next ones each size in turn is beyond a block,
 * and the others are tiny, which costs little; then anything goes. */
void witness_draw_values(Search *s, uint32_t trial) {
  static const int64_t start[] = {3, 2, 5};
  uint32_t sizes = witness_count_sizes(s), size = 0;
  for (uint32_t i = 0; i < s->model->names.count; i++) {
    const LaunchName *name = &s->model->names.data[i];
    int64_t v = trial < 3 ? start[(i + trial) % 3] : trial == 3 ? 2 : 4;
    if (s->is_costly)
      v = 1 + (trial > 1 && random_below(&s->random, 3) == 0);
    else if (trial >= FIRST_TRIALS + (s->step ? 2 : 1) * sizes)
      v = s->candidates[random_below(&s->random, s->candidate_count)];
    else if (trial >= FIRST_TRIALS && !name->is_stride)
      v = size++ == (trial - FIRST_TRIALS) % sizes ? (trial < FIRST_TRIALS + sizes ? s->block : s->step) + 1
                                                   : 1 + (i + trial) % 2;
    if (name->least == 0 && random_below(&s->random, 3) == 0) v = 0;
    s->values[i] = v;
  }
  int64_t most = 1;
  for (uint32_t i = 0; i < s->model->names.count; i++)
    if (s->values[i] > most && !s->model->names.data[i].is_extent) most = s->values[i];
  for (uint32_t i = 0; i < s->model->names.count; i++)
    if (s->model->names.data[i].is_extent) s->values[i] = most * (int64_t)(1 + trial % 3);
  s->pad = trial % 3 == 1 ? 2 : 0;
}

static void search(Search *s) {
  Random draws = {11};
  uint32_t trials = s->model->names.count ? TRIALS + witness_count_sizes(s) : 1;
  for (uint32_t trial = 0; trial < trials && s->steps < step_budget / 3; trial++) {
    s->random = draws;
    witness_draw_values(s, trial);
    draws = s->random;
    int64_t values[LAUNCH_MAX_NAMES];
    memcpy(values, s->values, sizeof values);
    bool all = trial < FIRST_TRIALS || s->has_integers;
    for (int pattern = all ? 0 : (int)trial % 2; pattern < PATTERNS; pattern += all ? 1 : 2) {
      ArenaMark mark = arena_mark(s->arena);
      s->pattern = (Pattern)pattern;
      memcpy(s->values, values, sizeof values);
      bool ran = run_values(s);
      if (ran) keep_new(s);
      arena_reset(s->arena, mark);
      if (!ran) break;
      guard_tick(s->arena->guard);
    }
  }
}

/* True if `event` still shows at s->values, s->pad and s->pattern. Updates it. */
static bool still_shows(Search *s, Event *event) {
  ArenaMark mark = arena_mark(s->arena);
  bool shows = false;
  if (run_values(s))
    for (uint32_t i = 0; i < s->shown_count && !shows; i++)
      if (is_same(event, &s->shown[i])) *event = s->shown[i], shows = true;
  arena_reset(s->arena, mark);
  return shows;
}

static void restore(Search *s, const Event *event) {
  memcpy(s->values, event->values, sizeof s->values);
  s->pad = event->pad, s->pattern = event->pattern;
}

static bool try_value(Search *s, Event *event, uint32_t name, int64_t value) {
  restore(s, event);
  s->values[name] = value;
  return s->steps < step_budget && still_shows(s, event);
}

static void shrink_name(Search *s, Event *event, uint32_t name) {
  int64_t v = s->model->names.data[name].least, top = event->values[name];
  for (; v < top && v < 9; v++)
    if (try_value(s, event, name, v)) return;
  for (uint32_t i = 0; i < s->candidate_count; i++) /* the candidates are not sorted: take each that is lower */
    if (s->candidates[i] >= 9 && s->candidates[i] < event->values[name]) try_value(s, event, name, s->candidates[i]);
  for (int64_t step = (event->values[name] - 9) / 2; step > 0; step /= 2) /* down by halves, then by ones */
    while (event->values[name] - step >= 9 && try_value(s, event, name, event->values[name] - step)) {
    }
}

static void shrink(Search *s, Event *event) {
  restore(s, event);
  if (!s->model->names.count) return; /* one launch, of which the search has met the first pattern that shows it */
  if (event->pad) {
    s->pad = 0;
    still_shows(s, event);
  }
  for (Pattern p = PATTERN_ZERO; p < event->pattern; p = (Pattern)(p + 1)) {
    restore(s, event);
    s->pattern = p;
    if (still_shows(s, event)) break;
  }
  for (int round = 0; round < 2; round++)
    for (uint32_t i = 0; i < s->model->names.count; i++)
      if (!s->model->names.data[i].is_stride) shrink_name(s, event, i);
}

/* ---- telling ---- */

static void pair(Search *s, SamplePairs *pairs, const char *name, int64_t value) {
  array_push(s->arena, pairs, (SamplePair){name, arena_format(s->arena, "%lld", (long long)value)});
}

static const char *element_name(Search *s, const WitnessTensor *t, int64_t offset) {
  int64_t index[POINTWISE_MAX_RANK] = {0}, rest = offset;
  bool done[POINTWISE_MAX_RANK] = {0}, outside = offset < 0;
  for (uint32_t n = 0; n < t->rank && !outside; n++) {
    uint32_t best = t->rank;
    for (uint32_t k = 0; k < t->rank; k++)
      if (!done[k] && t->extent[k] > 1 && (best == t->rank || t->stride[k] > t->stride[best])) best = k;
    if (best == t->rank) break;
    done[best] = true;
    index[best] = t->stride[best] ? rest / t->stride[best] : 0;
    rest -= index[best] * t->stride[best];
    outside = index[best] >= t->extent[best];
  }
  if (outside || rest != 0 || !t->rank) return arena_format(s->arena, "%s at offset %lld", t->name, (long long)offset);
  Text text = text_new(s->arena);
  text_add(&text, t->name);
  for (uint32_t k = 0; k < t->rank; k++) text_format(&text, "%s%lld", k ? ", " : "[", (long long)index[k]);
  text_char(&text, ']');
  return text_string(&text);
}

static const char *program_name(Search *s, const int32_t program[3]) {
  if (s->run.grid[2] > 1) return arena_format(s->arena, "(%d, %d, %d)", program[0], program[1], program[2]);
  if (s->run.grid[1] > 1) return arena_format(s->arena, "(%d, %d)", program[0], program[1]);
  return arena_format(s->arena, "%d", program[0]);
}

static const char *tell_race(Search *s, const Event *event, const char *element) {
  const InterpretFinding *f = &event->finding;
  const char *one = program_name(s, f->program);
  if (f->kind == INTERPRET_DUPLICATE_STORE)
    return arena_format(s->arena, "two lanes of program %s write different values to %s", one, element);
  int64_t n = f->other, x = s->run.grid[0], y = s->run.grid[1];
  int32_t other[3] = {(int32_t)(n % x), (int32_t)(n / x % y), (int32_t)(n / x / y)};
  if (n < 0)
    return arena_format(s->arena, "program %s and several others touch %s, and not all only read", one, element);
  if (!memcmp(other, f->program, sizeof other))
    return arena_format(s->arena, "lanes of program %s write and read %s with no barrier between", one, element);
  return arena_format(s->arena, "programs %s and %s both touch %s, and not both only read", program_name(s, other), one,
                      element);
}

static const char *tell(Search *s, const Event *event) {
  const InterpretFinding *f = &event->finding;
  const WitnessTensor *t = event->buffer >= 0 ? &s->run.tensors[event->buffer] : NULL;
  const char *element = t ? element_name(s, t, f->element) : "memory";
  switch (event->kind) {
  case OBLIGATION_BOUNDS:
    if (is_statement(f)) return arena_format(s->arena, "it does not hold that %s", need_of(s, f->op)->text);
    if (f->kind == INTERPRET_INDEX) return arena_format(s->arena, "index %lld is out of range", (long long)f->a);
    if (!t) return "an access far outside of every tensor";
    if (f->element >= 0 && f->element < t->count)
      return arena_format(s->arena, "%s is accessed, which is padding: no element of its shape", element);
    return arena_format(s->arena, "%s is accessed, which ends after %lld element%s", element, (long long)t->count,
                        t->count == 1 ? "" : "s");
  case OBLIGATION_ALIAS:
    if (event->computed)
      return arena_format(s->arena, "%s changes again when the kernel is run again: it works on its own result",
                          element);
    return tell_race(s, event, element);
  case OBLIGATION_RACE: return tell_race(s, event, element);
  case OBLIGATION_COVERAGE: return arena_format(s->arena, "no program writes %s", element);
  case OBLIGATION_UNDEFINED: {
    if (is_statement(f))
      return arena_format(s->arena, "what the kernel states is false in program %s", program_name(s, f->program));
    if (event->computed)
      return arena_format(
          s->arena, "%s becomes an undefined value (0/0, inf - inf, or a function outside of its domain)", element);
    const char *what = s->ex->program->is_host ? "a value that nothing defines" : "a lane that no load defined";
    return arena_format(s->arena, "%s reaches %s", what,
                        f->kind == INTERPRET_UNDEFINED_STORE ? element : "an address, a mask or a branch");
  }
  case OBLIGATION_DIVISION: return arena_format(s->arena, "%lld is divided by %lld", (long long)f->a, (long long)f->b);
  case OBLIGATION_OVERFLOW: break;
  }
  return "";
}

typedef struct Inputs { /* what the event needs to show */
  WitnessElement data[MOST_SHOWN];
  uint32_t count;
} Inputs;

/* True if the event shows no more with that element otherwise. Where it still does, an integer stays so: 0 is
 * simpler. */
static bool matters(Search *s, const Event *event, WitnessElement at, bool is_float) {
  WitnessElement other = at;
  if (is_float)
    other.cell.real = 2 * at.cell.real + 1;
  else
    other.cell.integer = at.cell.integer ? 0 : 1;
  Event now = *event;
  uint32_t ran = s->ran;
  s->fixed[s->fixed_count++] = other;
  restore(s, event);
  bool shows = still_shows(s, &now);
  if (!shows || is_float || !at.cell.integer) s->fixed_count--;
  bool is_place = event->computed && !is_float; /* without it there is no such launch: it says which value it is */
  return !shows && (s->ran > ran || is_place);
}

/* The elements without which nothing shows; of those that only one of several has to be, the last. Integers steer,
 * floats count where the value itself is the finding. The others become 0 in s->fixed. False: that is no launch; else
 * s->run is. */
static bool find_inputs(Search *s, const Event *event, Inputs *out) {
  restore(s, event);
  s->fixed_count = 0;
  if (!run_values(s)) return false;
  bool is_last = true; /* what was run is the launch with s->fixed */
  const WitnessRun run = s->run;
  uint64_t tries = 2000000 / (run.result.steps + 1000);
  for (uint32_t i = 0; i < run.tensor_count; i++) {
    const WitnessTensor *t = &run.tensors[i];
    if (t->is_float && !event->computed) continue;
    for (int64_t e = 0; e < t->count && out->count < MOST_SHOWN; e++) {
      bool unread = t->is_float && (t->shadow[e] & INTERPRET_WRITTEN);
      if (unread || s->fixed_count + 1 >= WITNESS_MOST_FIXED || !tries) continue;
      WitnessElement at = {i, e, t->before[e]};
      tries--, is_last = false;
      if (matters(s, event, at, t->is_float)) out->data[out->count++] = at;
    }
  }
  restore(s, event);
  return is_last || run_values(s);
}

static void tell_inputs(Search *s, const Inputs *inputs, SamplePairs *out) {
  for (uint32_t i = 0; i < inputs->count; i++) {
    const WitnessTensor *t = &s->run.tensors[inputs->data[i].tensor];
    int64_t e = inputs->data[i].element;
    const char *value = t->is_float ? arena_format(s->arena, "%.17g", t->before[e].real)
                                    : arena_format(s->arena, "%lld", (long long)witness_integer(t, e));
    array_push(s->arena, out, (SamplePair){element_name(s, t, e), value});
  }
}

static const char *param_of(const Search *s, int32_t tensor) {
  for (uint32_t i = 0; i < s->run.argument_count; i++)
    if (tensor >= 0 && s->run.arguments[i].tensor == tensor) return s->run.arguments[i].name;
  return NULL;
}

static bool mentions(const LaunchExpr *e, uint32_t name) {
  return e && ((e->op == 'v' && e->name == name) ||
               (e->op != 'n' && e->op != 'v' && (mentions(e->a, name) || mentions(e->b, name))));
}

/* True if anything of the launch depends on the name. Others were replaced by what is given: grid_x by what --grid
 * says. */
static bool is_used(const Search *s, uint32_t name) {
  const LaunchModel *m = s->model;
  bool used = false;
  for (uint32_t i = 0; i < m->tensors.count; i++)
    for (uint32_t k = 0; k < m->tensors.data[i].rank; k++)
      used |= mentions(m->tensors.data[i].extent[k], name) || mentions(m->tensors.data[i].stride[k], name);
  for (uint32_t i = 0; i < m->params.count; i++)
    used |= mentions(m->params.data[i].scalar, name) || mentions(m->params.data[i].offset, name);
  for (uint32_t i = 0; i < m->conditions.count; i++) used |= mentions(m->conditions.data[i], name);
  for (uint32_t i = 0; i < m->others.count; i++) used |= mentions(m->others.data[i], name);
  for (uint32_t i = 0; i < 3; i++) used |= mentions(m->grid[i], name);
  return used;
}

static void tell_event(Search *s, const Event *event, WitnessEvents *out) {
  static const char *const axes[] = {"x", "y", "z"};
  WitnessEvent e = {.kind = event->kind,
                    .op = event->op,
                    .computed = event->computed,
                    .divides = event->divides,
                    .is_positive = is_positive(event)};
  Event again = *event;
  Inputs inputs = {.count = 0};
  if (!find_inputs(s, event, &inputs)) return;
  for (uint32_t i = 0; i < s->shown_count; i++)
    if (is_same(event, &s->shown[i])) again = s->shown[i];
  again.kind = event->kind;
  for (uint32_t i = 0; i < s->model->names.count; i++)
    if (is_used(s, i))
      pair(s, s->model->names.data[i].is_stride ? &e.witness.strides : &e.witness.sizes, s->model->names.data[i].name,
           s->values[i]);
  for (uint32_t i = 0; i < s->run.argument_count; i++)
    if (s->run.arguments[i].is_real)
      array_push(s->arena, &e.witness.scalars,
                 (SamplePair){s->run.arguments[i].name, arena_format(s->arena, "%.17g", s->run.arguments[i].real)});
  bool is_host = s->ex->program->is_host; /* a function has neither programs nor lanes */
  for (int d = 0; d < 3 && again.finding.program[0] >= 0 && !is_host; d++)
    pair(s, &e.witness.program, axes[d], again.finding.program[d]);
  if (again.finding.lane >= 0 && !is_host) pair(s, &e.witness.lane, "lane", again.finding.lane);
  if (again.buffer >= 0) pair(s, &e.witness.index, "element", again.finding.element);
  tell_inputs(s, &inputs, &e.witness.inputs);
  e.tensor = again.buffer >= 0 ? s->run.tensors[again.buffer].name : NULL;
  e.param = param_of(s, again.buffer);
  e.detail = tell(s, &again);
  if (again.kind == OBLIGATION_ALIAS && again.computed) {
    bool real = s->run.tensors[again.buffer].is_float;
    e.witness.left = real ? arena_format(s->arena, "%.17g", again.once.real)
                          : arena_format(s->arena, "%lld", (long long)again.once.integer);
    e.witness.right = real ? arena_format(s->arena, "%.17g", again.twice.real)
                           : arena_format(s->arena, "%lld", (long long)again.twice.integer);
  }
  WitnessRun *run = arena_new(s->arena, WitnessRun);
  *run = s->run;
  run->is_repeated = again.kind == OBLIGATION_ALIAS && again.computed;
  e.run = run;
  array_push(s->arena, out, e);
}

/* A race that goes away when tensors that were passed twice are apart is a misuse of the kernel by its caller. */
static void blame_alias(Search *s, Event *event) {
  if (event->kind != OBLIGATION_RACE || !s->has_alias) return;
  s->apart = true;
  restore(s, event);
  ArenaMark mark = arena_mark(s->arena);
  bool own = false;
  if (run_values(s))
    for (uint32_t i = 0; i < s->shown_count; i++)
      own |= s->shown[i].kind == OBLIGATION_RACE && s->shown[i].op == event->op;
  arena_reset(s->arena, mark);
  s->apart = false;
  if (!own) event->kind = OBLIGATION_ALIAS;
}

bool witness_search(Arena *arena, const Effects *ex, const LaunchModel *model, WitnessConditions required,
                    WitnessEvents *out) {
  Search *s = arena_new(arena, Search);
  *s = (Search){.arena = arena, .ex = ex, .model = model, .required = required, .most_size = INT64_MAX};
  witness_find_candidates(s);
  if (ex->stop_code || required.keeps_covers) witness_find_covers(s);
  for (uint32_t i = 0; i < ex->params.count; i++)
    s->has_integers |=
        ex->params.data[i].is_pointer && program_get_type(ex->program, ex->params.data[i].element)->kind != TYPE_FLOAT;
  for (uint32_t i = 0; i < model->params.count; i++)
    for (uint32_t k = 0; k < i; k++)
      s->has_alias |= model->params.data[i].tensor >= 0 && model->params.data[i].tensor == model->params.data[k].tensor;
  search(s);
  for (uint32_t i = 0; i < s->found_count; i++) {
    Event event = s->found[i];
    shrink(s, &event);
    Event blamed = event;
    blame_alias(s, &blamed);
    event.kind = blamed.kind == OBLIGATION_ALIAS ? OBLIGATION_ALIAS : event.kind;
    ObligationKind kind = event.kind;
    event.kind = s->found[i].kind;
    WitnessEvents found_events = {0};
    tell_event(s, &event, &found_events);
    s->fixed_count = 0;
    for (uint32_t k = 0; k < found_events.count; k++) {
      found_events.data[k].kind = kind;
      array_push(arena, out, found_events.data[k]);
    }
  }
  return s->ran > 0;
}
