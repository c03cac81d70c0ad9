/* A kernel and its execution (see kernel.h).
 *
 * A launch gives numbers or expressions. Numbers are a sample, and no constants: execution asks for them where it has
 * to know, say, whether a grid has one program. Expressions relate arguments: two that are given one expression may be
 * one number. Where execution stops because two arguments would have to be equal, and are in the sample, it is told so
 * and done again. */
#include "operation/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "execute/effects.h"
#include "lift/recover.h"
#include "operation/given.h"
#include "operation/launch.h"

/* Why the function is not read; false: it is no such one. */
static bool refuse(const Program *program, const char *wanted, DiagnosticList *diagnostics) {
  for (uint32_t i = 0; i < program->refusals.count; i++) {
    const ProgramRefusal *refusal = &program->refusals.data[i];
    if (wanted && strcmp(wanted, intern_string(program->names, refusal->name)) != 0) continue;
    for (uint32_t k = 0; k < refusal->why->items.count; k++) {
      const Diagnostic *d = &refusal->why->items.data[k];
      diagnostic_add(diagnostics, d->severity, d->code, d->source, d->span, d->help, "%s", d->message);
    }
    return true;
  }
  return false;
}

bool kernel_choose(Kernel *kernel, DiagnosticList *diagnostics) {
  const Program *program = kernel->program;
  const char *wanted = kernel->launch->kernel;
  Source *source = kernel->launch->source;
  const Function *chosen = NULL;
  uint32_t count = 0;
  for (uint32_t i = 0; i < program->functions.count; i++) {
    const Function *f = &program->functions.data[i];
    if (!f->is_public) continue;
    count++;
    if (!wanted || !strcmp(wanted, intern_string(program->names, f->name))) chosen = f;
  }
  kernel->function = chosen && (wanted || count == 1) ? chosen : NULL;
  if (kernel->function) return true;
  if (refuse(program, wanted, diagnostics)) return false;
  Text names = text_new(diagnostics->arena);
  for (uint32_t i = 0, shown = 0; i < program->functions.count; i++)
    if (program->functions.data[i].is_public)
      text_format(&names, "%s%s", shown++ ? ", " : "", intern_string(program->names, program->functions.data[i].name));
  if (wanted)
    diagnostic_add(diagnostics, SEVERITY_ERROR, "kernel.unknown", source, (Span){0, 0}, "pass one of these to --kernel",
                   "no public function %s; there are: %s", wanted, text_string(&names));
  else
    diagnostic_add(diagnostics, SEVERITY_ERROR, count ? "kernel.several" : "kernel.none", source, (Span){0, 0},
                   count ? "choose with --kernel NAME, or --all" : NULL, "%s%s",
                   count ? "the file has several public functions: " : "the file has no public function",
                   text_string(&names));
  return false;
}

static const Block *parameters(const Program *program, const Function *function) {
  const Op *op = program_get_op(program, function->op);
  return program_get_block(program, program_get_region(program, op->regions[0])->blocks.data[0]);
}

/* What the launch gives for a number; NULL: nothing. */
static const Expr *scalar_of(const Program *program, const Block *entry, const Launch *launch, uint32_t i) {
  const LaunchArg *arg = launch_find_arg(launch, program_arg_name(program, entry->first_arg + i), i);
  return arg ? arg->scalar : NULL;
}

const LaunchArg *kernel_argument(const Launch *launch, const char *name) {
  const Program *program = launch->program;
  for (uint32_t k = 0; program && launch->kernel && k < program->functions.count; k++) {
    const Function *f = &program->functions.data[k];
    if (strcmp(intern_string(program->names, f->name), launch->kernel)) continue;
    const Block *entry = parameters(program, f);
    for (uint32_t i = 0; i < entry->arg_count; i++)
      if (!strcmp(program_arg_name(program, entry->first_arg + i), name)) return launch_find_arg(launch, name, i);
  }
  return NULL;
}

/* The integers of the launch, by parameter. */
static ExecuteSample *samples_of(Arena *arena, const Program *program, const Function *function, const Kernel *kernel) {
  const Launch *launch = kernel->launch;
  const Block *entry = parameters(program, function);
  ExecuteSample *samples = arena_array(arena, ExecuteSample, entry->arg_count + 1);
  for (uint32_t i = 0; i < entry->arg_count; i++) {
    const Expr *given = scalar_of(program, entry, launch, i);
    samples[i].is_known = expr_number(given, &samples[i].value);
    const char *name = given && kernel->operation->has_tensors ? expr_name(given) : NULL;
    samples[i].is_name = name != NULL;
    for (uint32_t k = 0; k < entry->arg_count && name; k++) /* one that is left out is a symbol of its own name */
      samples[i].is_name &= strcmp(program_arg_name(program, entry->first_arg + k), name) != 0 ||
                            scalar_of(program, entry, launch, k) != NULL;
  }
  return samples;
}

static const OperationTensor *given_tensor(const Operation *operation, const LaunchArg *arg) {
  if (!arg || !arg->tensor || arg->offset) return NULL;
  if (arg->slice) return arg->slice;
  for (uint32_t i = 0; i < operation->tensors.count; i++)
    if (!strcmp(operation->tensors.data[i].name, arg->tensor)) return &operation->tensors.data[i];
  return NULL;
}

/* In numbers; NULL: it has names, too. */
static const ExecuteTensor *number_tensor(Arena *arena, const OperationTensor *from) {
  ExecuteTensor *t = arena_new(arena, ExecuteTensor);
  int64_t stride = 1;
  if (!from || from->own_shape || from->own_strides || from->rank > TYPE_MAX_RANK) return NULL;
  t->rank = from->rank;
  for (uint32_t k = t->rank; k-- > 0;) {
    if (!expr_number(from->shape[k], &t->extent[k]) || t->extent[k] < 1 || t->extent[k] > INT32_MAX) return NULL;
    t->stride[k] = stride;
    if (from->strides && !expr_number(from->strides[k], &t->stride[k])) return NULL;
    stride = stride < INT32_MAX ? stride * t->extent[k] : stride;
  }
  return t;
}

/* The tensors of the launch, by parameter. */
static const ExecuteTensor *const *tensors_of(Arena *arena, const Program *program, const Function *function,
                                              const Kernel *kernel) {
  const Block *entry = parameters(program, function);
  const ExecuteTensor **tensors = arena_array(arena, const ExecuteTensor *, entry->arg_count + 1);
  for (uint32_t i = 0; i < entry->arg_count && kernel->operation->has_tensors; i++) {
    const char *name = program_arg_name(program, entry->first_arg + i);
    tensors[i] = number_tensor(arena, given_tensor(kernel->operation, launch_find_arg(kernel->launch, name, i)));
  }
  return tensors;
}

static bool is_constant(const ExecuteBinding *bindings, uint32_t i) { return bindings && bindings[i].is_constant; }

/* Integers that a launch gives one expression, such as the strides of two tensors, are one number. That they are one in
 * a sample is assumed, and said. */
static void relate_equal(const Program *program, const Function *function, const Launch *launch,
                         const ExecuteBinding *bindings, Relation relation, ExecuteSample *samples) {
  const Block *entry = parameters(program, function);
  bool shares = relation == RELATE_ALL;
  for (uint32_t i = 0; bindings && i < entry->arg_count; i++) shares |= bindings[i].same_as != 0;
  for (uint32_t k = 1; k < entry->arg_count && shares; k++) {
    const Expr *late = scalar_of(program, entry, launch, k);
    if (!late || (samples[k].is_known && relation != RELATE_ALL) || samples[k].equal_to || is_constant(bindings, k) ||
        program_value_type(program, entry->first_arg + k)->kind != TYPE_INT)
      continue;
    for (uint32_t i = 0; i < k && !samples[k].equal_to; i++) {
      const Expr *early = scalar_of(program, entry, launch, i);
      bool same = expr_same(early, late) && !samples[i].equal_to && !is_constant(bindings, i);
      if (same &&
          program_value_type(program, entry->first_arg + i) == program_value_type(program, entry->first_arg + k))
        samples[k].equal_to = i + 1, samples[k].is_assumed = !samples[k].is_known;
    }
  }
}

static const PointwiseTensor *tensor_of(const Claim *claim, uint32_t param) {
  const Pointwise *p = claim->pointwise;
  for (uint32_t i = 0; i < p->tensors.count; i++)
    if (p->tensors.data[i].symbol == claim->ex->params.data[param].symbol) return &p->tensors.data[i];
  return NULL;
}

static uint32_t integer_of(const Effects *ex, Term symbol) {
  uint32_t i = 0;
  while (i < ex->params.count && (ex->params.data[i].is_pointer || ex->params.data[i].symbol != symbol)) i++;
  return i;
}

/* The strides of two pointers, axis by axis: two arguments that the sample gives one number are one. */
static void relate_strides(const Claim *claim, uint32_t early, uint32_t late, ExecuteSample *samples) {
  const PointwiseTensor *a = tensor_of(claim, early), *b = tensor_of(claim, late);
  const Effects *ex = claim->ex;
  for (uint32_t k = 0; a && b && a->rank == b->rank && k < a->rank; k++) {
    uint32_t x = integer_of(ex, a->stride[k]), y = integer_of(ex, b->stride[k]);
    if (x == ex->params.count || y == ex->params.count || x == y) continue;
    uint32_t first = x < y ? x : y, second = x < y ? y : x;
    if (samples[x].is_known && samples[y].is_known && samples[x].value == samples[y].value &&
        ex->params.data[x].type == ex->params.data[y].type && !samples[first].equal_to && !samples[second].equal_to)
      samples[second].equal_to = first + 1;
  }
}

/* Pointers that are one tensor are seen as if they were several: what their axes are shows which strides belong
 * together, and the sample whether they are one. */
static void relate_axes(Arena *arena, InternTable *names, const Kernel *kernel, ExecuteOptions options,
                        ExecuteSample *samples) {
  uint32_t count = parameters(kernel->program, kernel->function)->arg_count;
  ExecuteBinding *apart = arena_array(arena, ExecuteBinding, count + 1);
  memcpy(apart, options.bindings, count * sizeof *apart);
  for (uint32_t i = 0; i < count; i++) apart[i].same_as = 0;
  options.bindings = apart, options.samples = samples;
  Claim *claim = recover_views(
      arena, execute_function(arena, term_table_new(arena, names), kernel->program, kernel->function, options));
  for (uint32_t i = 0; i < count && !claim->stop_code; i++)
    if (kernel->bindings[i].same_as) relate_strides(claim, kernel->bindings[i].same_as - 1, i, samples);
}

typedef struct Ends {
  const Effects *ex;
  Term mask;
  ExecuteSample *samples;
} Ends;

/* i // n where i < m: the sample tells whether m and n are one number. */
static Term relate_end(TermTable *tt, Term t, void *payload) {
  const Ends *ends = payload;
  const Effects *ex = ends->ex;
  uint32_t by = term_kind(tt, t) == TERM_FLOORDIV ? integer_of(ex, term_arg(tt, t, 1)) : ex->params.count;
  for (uint32_t i = 0, n = term_kind(tt, ends->mask) == TERM_AND ? term_count(tt, ends->mask) : 1;
       i < n && by < ex->params.count; i++) {
    Term c = term_kind(tt, ends->mask) == TERM_AND ? term_arg(tt, ends->mask, i) : ends->mask;
    if (term_kind(tt, c) != TERM_LE || term_count(tt, c) != 1) continue;
    uint32_t end = integer_of(
        ex, term_sub(tt, term_add(tt, term_arg(tt, t, 0), tt->one), term_arg(tt, c, 0))); /* i + 1 - m <= 0 */
    if (end == ex->params.count || end == by) continue;
    ExecuteSample *first = &ends->samples[end < by ? end : by], *second = &ends->samples[end < by ? by : end];
    if (first->is_known && second->is_known && first->value == second->value && !first->equal_to && !second->equal_to &&
        ex->params.data[end].type == ex->params.data[by].type)
      second->equal_to = (end < by ? end : by) + 1;
  }
  return t;
}

/* A size that a flat index is cut by, and another one that it ends at. */
static void relate_ends(Arena *arena, InternTable *names, const Kernel *kernel, ExecuteOptions options,
                        ExecuteSample *samples) {
  options.samples = samples;
  Effects *ex = execute_function(arena, term_table_new(arena, names), kernel->program, kernel->function, options);
  for (uint32_t i = 0; i < ex->accesses.count && !ex->stop_code; i++) {
    const Access *a = &ex->accesses.data[i];
    term_transform(ex->tt, a->offset, relate_end, &(Ends){ex, a->mask, samples});
    if (a->value) term_transform(ex->tt, a->value, relate_end, &(Ends){ex, a->mask, samples});
  }
}

/* An expression is no number: 0. */
static void sample_grid(const Launch *launch, ExecuteOptions *options) {
  for (uint32_t i = 0; i < launch->grid_count; i++) {
    int64_t size = 0;
    bool is_number = expr_number(launch->grid[i], &size);
    if (i < 3) options->grid_sample[i] = size;
    options->is_grid_given |= launch->is_grid_given || !is_number;
  }
}

/* Of the axes whose program ids the kernel asks for, those along which the launch has one program. The first of them
 * all is none of these: a launch of a single program would tell nothing of several. */
bool kernel_is_alone(const Program *program, const Launch *launch, bool is_alone[3]) {
  bool asks[3] = {false}, is_one[3];
  for (OpId id = 1; id < program->ops.count; id++) {
    const Op *op = program_get_op(program, id);
    if (op->code == OP_TT_GET_PROGRAM_ID) asks[program_op_int(program, op, "axis", 0)] = true;
  }
  uint32_t free = 0, count = 0;
  for (uint32_t i = 0; i < 3; i++) {
    is_one[i] = asks[i] && (i >= launch->grid_count || expr_is_one(launch->grid[i]));
    free += asks[i] && !is_one[i];
  }
  for (uint32_t i = 0; i < 3; i++) {
    if (is_one[i] && !free++) is_one[i] = false;
    is_alone[i] = is_one[i], count += is_one[i];
  }
  return count > 0;
}

enum { MOST_RELATIONS = 4 };

/* How much of a line says something: a comment begins behind `;`, outside of a quoted text. */
static size_t line_without_comment(const char *line) {
  bool is_quoted = false;
  size_t n = 0;
  for (; line[n] && line[n] != '\n'; n++) {
    if (is_quoted && line[n] == '\\' && line[n + 1]) {
      n++;
      continue;
    }
    is_quoted ^= line[n] == '\'';
    if (!is_quoted && !strncmp(line + n, " ; ", 3)) break;
  }
  return n;
}

/* The first line of `text` that says something else than that of `other`; NULL: none does. */
static const char *first_difference(const char *text, const char *other) {
  while (*text || *other) {
    size_t n = line_without_comment(text);
    if (n != line_without_comment(other) || memcmp(text, other, n)) return text;
    text += strcspn(text, "\n"), other += strcspn(other, "\n");
    if (*text != *other) return text;
    if (*text) text++, other++;
  }
  return NULL;
}

/* What execution found, as the input says it: these are taken if they are what it found, to the letter. */
static Effects *effects_of_input(Arena *arena, const Kernel *kernel, Effects *found, DiagnosticList *diagnostics) {
  const char *text = kernel->program->effects, *why = NULL;
  Text own = text_new(arena);
  effects_print(found, &own);
  const char *line = first_difference(text, text_string(&own));
  Effects *read = effects_read(arena, kernel->program, kernel->function, text, &why);
  if (read && !line) {
    read->options = found->options; /* not all of them are in the text */
    read->tt->fresh = found->tt->fresh;
    return read;
  }
  if (!line) line = text;
  Span span = {(uint32_t)(line - text), (uint32_t)(line - text + (ptrdiff_t)strcspn(line, "\n"))};
  diagnostic_add(diagnostics, SEVERITY_ERROR, "effects.other", kernel->program->source, span,
                 "give the options that they were made with", "these are no effects of the program below: %s",
                 why ? why : "execution finds something else here");
  return found;
}

Effects *kernel_execute(Arena *arena, InternTable *names, const Kernel *kernel, DiagnosticList *diagnostics) {
  const Program *program = kernel->program;
  const Function *function = kernel->function;
  ExecuteOptions options = {.zero_fill = kernel->zero_fill,
                            .carries_memory = kernel->reading.carries_memory,
                            .flat_contents = kernel->reading.flat_contents,
                            .bindings = kernel->bindings};
  sample_grid(kernel->launch, &options);
  if (kernel->reading.is_alone) kernel_is_alone(program, kernel->launch, options.is_alone);
  options.tensors = tensors_of(arena, program, function, kernel);
  ExecuteSample *samples = samples_of(arena, program, function, kernel);
  given_relate(arena, program, function, kernel->bindings, kernel->options, samples);
  relate_equal(program, function, kernel->launch, kernel->bindings, kernel->reading.relation, samples);
  if (kernel->reading.relation == RELATE_AXES && kernel->bindings) relate_axes(arena, names, kernel, options, samples);
  if (kernel->reading.relation == RELATE_ENDS) relate_ends(arena, names, kernel, options, samples);
  options.samples = samples;
  Effects *ex = execute_function(arena, term_table_new(arena, names), program, function, options);
  for (int round = 0; round < MOST_RELATIONS && ex->stop_code && ex->want_equal; round++) {
    samples[ex->want_equal].equal_to = ex->want_earlier + 1, samples[ex->want_equal].is_assumed = false;
    ex = execute_function(arena, term_table_new(arena, names), program, function, options);
  }
  if (ex->stop_code && ex->axes.count) {
    options.flat_contents = true; /* the axes that are seen do not suit all accesses */
    ex = execute_function(arena, term_table_new(arena, names), program, function, options);
  }
  if (ex->stop_code == REASON_LOOP_RECURRENCE && options.carries_memory && program->is_host) {
    options.tells_rows = true; /* other closed forms, where these have none */
    Effects *again = execute_function(arena, term_table_new(arena, names), program, function, options);
    if (!again->stop_code) ex = again;
  }
  ex->launch_says =
      given_by_launch(ex, kernel->operation, kernel->launch, kernel->reading.taken, kernel->reading.waived);
  given_assume(ex, kernel->operation, kernel->launch, kernel->options, diagnostics);
  bool is_first = !kernel->zero_fill && !kernel->reading.carries_memory && kernel->reading.relation == RELATE_SHARED;
  return program->effects && is_first ? effects_of_input(arena, kernel, ex, diagnostics) : ex;
}
