/* --set and --alias to bindings of parameters (see arguments.h). A name is that of the author, argN, or that of an
 * operation file which the parameter is given. */
#include "operation/arguments.h"

#include <stdio.h>
#include <string.h>

typedef struct Arguments {
  const Program *program;
  const Launch *launch;
  const Options *options;
  DiagnosticList *diagnostics;
  ValueId first;
  uint32_t count;
  ExecuteBinding *bindings;
  bool is_any;
} Arguments;

static void usage(Arguments *a, const char *option, const char *name, const char *text, const char *what) {
  diagnostic_add(a->diagnostics, SEVERITY_ERROR, "usage.option", NULL, (Span){0, 0}, NULL, "%s %s=%s: %s", option, name,
                 text, what);
}

static const char *name_of(const Arguments *a, uint32_t i) { return program_arg_name(a->program, a->first + i); }

static const LaunchArg *given(const Arguments *a, uint32_t i) {
  char number[24];
  snprintf(number, sizeof number, "arg%u", i);
  for (uint32_t k = 0; k < a->launch->args.count; k++) {
    const char *param = a->launch->args.data[k].param;
    if (!strcmp(param, name_of(a, i)) || !strcmp(param, number)) return &a->launch->args.data[k];
  }
  return NULL;
}

static bool goes_by(const Arguments *a, uint32_t i, const char *name) {
  char number[24];
  snprintf(number, sizeof number, "arg%u", i);
  const LaunchArg *arg = given(a, i);
  const char *own = arg ? arg->tensor ? arg->tensor : expr_name(arg->scalar) : NULL;
  return !strcmp(name, name_of(a, i)) || !strcmp(name, number) || (own && !strcmp(name, own));
}

/* ---- --set ---- */

static bool is_held(const NamedNumber *number, uint32_t width) {
  int64_t value = number->integer;
  if (width == 1) return number->is_truth || (number->is_integer && (value == 0 || value == 1));
  return number->is_integer &&
         (width >= 64 || (value >= -(INT64_C(1) << (width - 1)) && value < INT64_C(1) << (width - 1)));
}

static void set(Arguments *a, uint32_t i, const NamedNumber *option) {
  const Type *type = program_value_type(a->program, a->first + i);
  ExecuteBinding *b = &a->bindings[i];
  if (type->kind == TYPE_FLOAT) {
    b->real = option->real;
    if (!option->is_real)
      usage(a, "--set", option->name, option->text, "the argument is a float: expected a finite number");
  } else if (type->kind == TYPE_INT || type->kind == TYPE_INDEX) {
    uint32_t width = type->kind == TYPE_INT ? type->width : 64;
    b->integer = option->integer;
    if (!is_held(option, width))
      usage(a, "--set", option->name, option->text, "the argument is an integer, and this is none that it holds");
  } else {
    usage(a, "--set", option->name, option->text, "the argument is a pointer; only numbers can be set");
    return;
  }
  b->is_constant = a->is_any = true;
}

static bool is_same(const NamedNumber *a, const NamedNumber *b) {
  return a->is_integer == b->is_integer && a->is_truth == b->is_truth && a->is_real == b->is_real &&
         a->integer == b->integer && a->real == b->real;
}

/* ---- one tensor ---- */

static bool can_share(const Arguments *a, uint32_t i, uint32_t k) {
  const Type *x = program_value_type(a->program, a->first + i), *y = program_value_type(a->program, a->first + k);
  return x->kind == TYPE_POINTER && y->kind == TYPE_POINTER && x->element == y->element;
}

/* i < k. Chains end at the earliest. */
static void share(Arguments *a, uint32_t i, uint32_t k) {
  uint32_t root = a->bindings[i].same_as ? a->bindings[i].same_as - 1 : i;
  uint32_t other = a->bindings[k].same_as ? a->bindings[k].same_as - 1 : k;
  if (root == other) return;
  if (root > other) {
    uint32_t t = root;
    root = other, other = t;
  }
  for (uint32_t n = 0; n < a->count; n++)
    if (n == other || a->bindings[n].same_as == other + 1) a->bindings[n].same_as = root + 1;
  a->is_any = true;
}

static void alias(Arguments *a, NamedText *option) {
  uint32_t i = 0, k = 0;
  while (i < a->count && !goes_by(a, i, option->name)) i++;
  while (k < a->count && !goes_by(a, k, option->text)) k++;
  if (i == a->count || k == a->count) return;
  option->is_used = 1;
  if (i == k)
    usage(a, "--alias", option->name, option->text, "this is one argument");
  else if (!can_share(a, i, k))
    usage(a, "--alias", option->name, option->text, "these are no pointers to elements of one type");
  else
    share(a, i < k ? i : k, i < k ? k : i);
}

/* No offset is 0. */
static bool begins_alike(const Expr *a, const Expr *b) {
  int64_t number;
  if (a && b) return expr_same(a, b);
  return (!a && !b) || (expr_number(a ? a : b, &number) && number == 0);
}

/* An operation file gives both the same tensor from the same place on. */
static void share_given(Arguments *a) {
  for (uint32_t k = 0; k < a->count; k++)
    for (uint32_t i = 0; i < k; i++) {
      const LaunchArg *x = given(a, i), *y = given(a, k);
      if (!x || !y || !x->tensor || !y->tensor || strcmp(x->tensor, y->tensor) || !can_share(a, i, k)) continue;
      if (begins_alike(x->offset, y->offset)) share(a, i, k);
    }
}

/* An operation file says of a tensor whether its integers have a sign. */
static void keep_signs(Arguments *a, const Operation *operation) {
  for (uint32_t i = 0; i < a->count; i++) {
    const LaunchArg *arg = given(a, i);
    for (uint32_t t = 0; arg && arg->tensor && t < operation->tensors.count; t++) {
      if (strcmp(operation->tensors.data[t].name, arg->tensor)) continue;
      char sign = operation->tensors.data[t].dtype[0];
      a->bindings[i].is_signed |= sign == 'i', a->bindings[i].is_unsigned |= sign == 'u';
      a->is_any |= sign == 'i' || sign == 'u';
    }
  }
}

/* --shape and --strides of pointers. */
static void use_tensors(const Arguments *a) {
  for (uint32_t i = 0; i < a->count; i++) {
    if (program_value_type(a->program, a->first + i)->kind != TYPE_POINTER) continue;
    for (uint32_t s = 0; s < a->options->shapes.count; s++)
      if (goes_by(a, i, a->options->shapes.data[s].name)) a->options->shapes.data[s].is_used = 1;
    for (uint32_t s = 0; s < a->options->strides.count; s++)
      if (goes_by(a, i, a->options->strides.data[s].name)) a->options->strides.data[s].is_used = 1;
  }
}

const ExecuteBinding *arguments_bind(Arena *arena, const Program *program, const Function *function,
                                     const Operation *operation, const Launch *launch, const Options *options,
                                     DiagnosticList *diagnostics) {
  const Op *op = program_get_op(program, function->op);
  const Block *entry = program_get_block(program, program_get_region(program, op->regions[0])->blocks.data[0]);
  Arguments a = {.program = program,
                 .launch = launch,
                 .options = options,
                 .diagnostics = diagnostics,
                 .first = entry->first_arg,
                 .count = entry->arg_count};
  a.bindings = arena_array(arena, ExecuteBinding, a.count + 1);
  for (uint32_t i = 0; i < a.count; i++) {
    const NamedNumber *was = NULL;
    text_format(options->arguments, "%s%s", options->arguments->count ? ", " : "", name_of(&a, i));
    for (uint32_t s = 0; s < options->sets.count; s++) {
      const NamedNumber *option = &options->sets.data[s];
      if (!goes_by(&a, i, option->name)) continue;
      options->sets.data[s].is_used = 1;
      if (a.bindings[i].is_constant && !is_same(was, option))
        usage(&a, "--set", option->name, option->text, arena_format(arena, "it is set to %s already", was->text));
      else
        set(&a, i, option);
      was = option;
    }
  }
  use_tensors(&a);
  for (uint32_t s = 0; s < options->aliases.count; s++) alias(&a, &options->aliases.data[s]);
  share_given(&a);
  keep_signs(&a, operation);
  return a.is_any ? a.bindings : NULL;
}

static void check_tensors(const Options *options, DiagnosticList *diagnostics, const char *help) {
  for (uint32_t i = 0; i < options->shapes.count; i++)
    if (!options->shapes.data[i].is_used)
      diagnostic_add(diagnostics, SEVERITY_ERROR, "usage.argument", NULL, (Span){0, 0}, help,
                     "--shape: no pointer argument '%s'", options->shapes.data[i].name);
  for (uint32_t i = 0; i < options->strides.count; i++)
    if (!options->strides.data[i].is_used)
      diagnostic_add(diagnostics, SEVERITY_ERROR, "usage.argument", NULL, (Span){0, 0}, help,
                     "--strides: no pointer argument '%s'", options->strides.data[i].name);
}

void arguments_check_names(const Options *options, DiagnosticList *diagnostics) {
  const char *help = options->arguments && options->arguments->count
                         ? arena_format(diagnostics->arena, "the arguments are: %s", text_string(options->arguments))
                         : NULL;
  if (diagnostics->error_count) return;
  if (!help && options->assumes.count && !options->stop_after)
    diagnostic_add(diagnostics, SEVERITY_ERROR, "usage.option", NULL, (Span){0, 0}, NULL,
                   "--assume '%s': there is no kernel that it could speak of", options->assumes.data[0]->text);
  if (!help) return; /* no kernel was lifted */
  check_tensors(options, diagnostics, help);
  for (uint32_t i = 0; i < options->assume_names.count; i++)
    if (!options->assume_names.data[i].is_used)
      diagnostic_add(diagnostics, SEVERITY_ERROR, "usage.argument", NULL, (Span){0, 0}, help,
                     "--assume '%s': no argument '%s'", options->assume_names.data[i].text,
                     options->assume_names.data[i].name);
  for (uint32_t i = 0; i < options->sets.count; i++)
    if (!options->sets.data[i].is_used)
      diagnostic_add(diagnostics, SEVERITY_ERROR, "usage.argument", NULL, (Span){0, 0}, help, "--set: no argument '%s'",
                     options->sets.data[i].name);
  for (uint32_t i = 0; i < options->aliases.count; i++)
    if (!options->aliases.data[i].is_used)
      diagnostic_add(diagnostics, SEVERITY_ERROR, "usage.argument", NULL, (Span){0, 0}, help,
                     "--alias: no kernel has both '%s' and '%s'", options->aliases.data[i].name,
                     options->aliases.data[i].text);
}
