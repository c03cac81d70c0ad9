/* --assume to terms (see given.h). */
#include "operation/given.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "prove/equal.h"
#include "operation/launch.h"
#include "solve/solve.h"

static const double SECONDS = 1;

typedef struct Given {
  Effects *ex;
  const Operation *operation;
  const Launch *launch;
  DiagnosticList *diagnostics;
} Given;

static const Param *find_param(const Given *g, const char *name) {
  for (uint32_t i = 0; i < g->ex->params.count; i++) {
    const Param *param = &g->ex->params.data[i];
    char number[24];
    snprintf(number, sizeof number, "arg%u", i);
    if (!strcmp(name, param->name) || !strcmp(name, number)) return param;
    for (uint32_t k = 0; k < g->launch->args.count; k++) {
      const LaunchArg *arg = &g->launch->args.data[k];
      bool own = !strcmp(arg->param, param->name) || !strcmp(arg->param, number);
      if (own && expr_name(arg->scalar) && !strcmp(expr_name(arg->scalar), name)) return param;
    }
  }
  return NULL;
}

bool given_names(const Operation *operation, const char *name) {
  for (uint32_t i = 0; i < operation->tensors.count; i++) {
    const OperationTensor *t = &operation->tensors.data[i];
    for (uint32_t k = 0; k < t->rank; k++)
      if (expr_mentions(t->shape[k], name) || (t->strides && expr_mentions(t->strides[k], name))) return true;
  }
  for (uint32_t i = 0; i < operation->launches.count; i++) {
    const Launch *l = &operation->launches.data[i];
    for (uint32_t k = 0; k < l->grid_count; k++)
      if (expr_mentions(l->grid[k], name)) return true;
    for (uint32_t k = 0; k < l->args.count; k++)
      if (expr_mentions(l->args.data[k].scalar, name) || expr_mentions(l->args.data[k].offset, name)) return true;
  }
  return false;
}

static bool is_in_options(const Options *options, const char *name) {
  for (uint32_t i = 0; i < options->shapes.count; i++)
    for (uint32_t k = 0; k < options->shapes.data[i].count; k++)
      if (expr_mentions(options->shapes.data[i].expressions[k], name)) return true;
  for (uint32_t i = 0; i < options->strides.count; i++)
    for (uint32_t k = 0; k < options->strides.data[i].count; k++)
      if (expr_mentions(options->strides.data[i].expressions[k], name)) return true;
  return false;
}

static bool complain(Given *g, const char *text, const char *name, const char *what) {
  diagnostic_add(g->diagnostics, SEVERITY_ERROR, "usage.option", NULL, (Span){0, 0}, NULL, "--assume '%s': %s%s%s",
                 text, name, *name ? " " : "", what);
  return false;
}

/* The symbol or number that a name stands for; false: not one of this kernel. */
static bool bind(Given *g, const char *text, LaunchName *name) {
  TermTable *tt = g->ex->tt;
  static const char *const grids[] = {"grid_x", "grid_y", "grid_z"};
  const Param *param = find_param(g, name->name);
  for (uint32_t i = 0; i < 3 && !param; i++)
    if (!strcmp(grids[i], name->name)) name->term = g->ex->grid[i];
  if (!param) return name->term != 0;
  if (param->is_pointer) return complain(g, text, name->name, "is a pointer: only integer arguments can be spoken of");
  if (term_sort(tt, param->symbol) != SORT_INT)
    return complain(g, text, name->name, "is a float: only integer arguments can be spoken of");
  name->term = param->given.is_constant ? term_int(tt, param->given.integer) : param->symbol;
  return true;
}

static void assume(Given *g, const Expr *condition_given, const char *why, AssumptionKind kind) {
  const char *text = condition_given->text;
  LaunchNames *names = arena_new(g->ex->arena, LaunchNames);
  const LaunchExpr *e = launch_bind(g->ex->arena, condition_given, names);
  if (!e) return; /* has been complained about */
  for (uint32_t i = 0; i < names->count; i++)
    if (!bind(g, text, &names->data[i])) return;
  Term condition = launch_term(g->ex->tt, e, names);
  if (given_is_contradiction(g->ex->tt, condition))
    complain(g, text, "", "never holds");
  else
    array_push(g->ex->arena, &g->ex->given, (ExecuteGiven){condition, text, why, kind, 0});
}

bool given_is_contradiction(TermTable *tt, Term condition) {
  return condition != tt->true_ &&
         (equal_prove_false(tt, condition) || solve_find(tt, condition, SECONDS, 0, NULL, NULL) == SOLVE_NONE);
}

/* wrap(x) as x - 2^w*floor((x + 2^(w-1))/2^w): the solver takes it for any number. */
static Term open_wrap(TermTable *tt, Term t, void *payload) {
  (void)payload;
  uint32_t width = term_kind(tt, t) == TERM_WRAP ? term_aux(tt, t) : 0;
  if (!width || width > 64) return t;
  Term half = term_new_rat(tt, (Rational){(Int128)1 << (width - 1), 1}), all = term_mul(tt, term_int(tt, 2), half);
  Term x = term_arg(tt, t, 0);
  return term_sub(tt, x, term_mul(tt, all, term_floordiv(tt, term_add(tt, x, half), all)));
}

/* The solver's model is tried: what it does not see into is any number to it. What is read may be any, indeed. */
bool given_has_model(TermTable *tt, Term condition) {
  TermList symbols = {0};
  term_symbols(tt, condition, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (term_sort(tt, symbols.data[i]) != SORT_INT) symbols.data[i--] = symbols.data[--symbols.count];
  Term *values = arena_array(tt->arena, Term, symbols.count + 1);
  Term open = term_transform(tt, condition, open_wrap, NULL);
  if (solve_find(tt, open, SECONDS, symbols.count, symbols.data, values) != SOLVE_FOUND) return false;
  Term there = term_substitute(tt, condition, (TermMap){symbols.count, symbols.data, values});
  bool is_open = term_node(tt, there)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_REAL | TERM_HAS_FOLD);
  return there == tt->true_ || (is_open && there != tt->false_);
}

/* The names that are no argument of this kernel are sizes of the operation, so at least 1, or arguments of another one.
 */
static void bind_others(Given *g, LaunchNames *names, const Options *options) {
  TermTable *tt = g->ex->tt;
  for (uint32_t i = 0; i < names->count; i++) {
    LaunchName *name = &names->data[i];
    if (name->term) continue;
    bool size = given_names(g->operation, name->name) || is_in_options(options, name->name);
    name->term = term_symbol_range(tt, term_symbol_fresh(tt, name->name, SORT_INT, SYMBOL_SIZE), size ? tt->one : 0, 0);
  }
}

/* Nothing meets all of them, and anything would be proved. */
static void refuse_contradiction(Given *g, const Options *options) {
  TermTable *tt = g->ex->tt;
  Term all = tt->true_;
  LaunchNames *names = arena_new(g->ex->arena, LaunchNames); /* one for all: a name is the same in each */
  Text texts = text_new(g->ex->arena);
  for (uint32_t i = 0; i < options->assumes.count; i++) {
    const LaunchExpr *e = launch_bind(g->ex->arena, options->assumes.data[i], names);
    if (!e) return;
    for (uint32_t k = 0; k < names->count; k++)
      if (!names->data[k].term) bind(g, options->assumes.data[i]->text, &names->data[k]);
    bind_others(g, names, options);
    all = term_and(tt, all, launch_term(tt, e, names));
    text_format(&texts, "%s'%s'", i ? ", " : "", options->assumes.data[i]->text);
  }
  if (!options->assumes.count || !given_is_contradiction(tt, all)) return;
  diagnostic_add(g->diagnostics, SEVERITY_ERROR, "usage.option", NULL, (Span){0, 0}, NULL,
                 "--assume %s: nothing meets %s", text_string(&texts),
                 options->assumes.count > 1 ? "all of these" : "it");
}

/* What a shape or a grid that is given is made of is a size, whatever the kernel does with it. */
static void name_sizes(Given *g, const Options *options) {
  for (uint32_t i = 0; i < g->ex->params.count; i++) {
    Param *param = &g->ex->params.data[i];
    char number[24];
    snprintf(number, sizeof number, "arg%u", i);
    for (uint32_t k = 0; k < options->shapes.count; k++)
      for (uint32_t n = 0; n < options->shapes.data[k].count; n++)
        param->is_named |= expr_mentions(options->shapes.data[k].expressions[n], param->name) ||
                           expr_mentions(options->shapes.data[k].expressions[n], number);
    for (uint32_t k = 0; k < g->launch->grid_count; k++)
      param->is_named |= expr_mentions(g->launch->grid[k], param->name) || expr_mentions(g->launch->grid[k], number);
  }
}

static void complain_of(Given *g, const char *option, const Expr *e) {
  LaunchNames *names = arena_new(g->ex->arena, LaunchNames);
  if (!launch_bind(g->ex->arena, e, names)) return; /* has been complained about */
  for (uint32_t i = 0; i < names->count; i++) {
    const Param *param = find_param(g, names->data[i].name);
    const char *what = !param                                             ? NULL
                       : param->is_pointer                                ? "a pointer"
                       : term_sort(g->ex->tt, param->symbol) == SORT_REAL ? "a float"
                                                                          : NULL;
    if (what)
      diagnostic_add(g->diagnostics, SEVERITY_ERROR, "usage.option", NULL, (Span){0, 0}, NULL,
                     "%s%s: %s is %s, and no size", option, e->text, names->data[i].name, what);
  }
}

/* Shapes, strides and grids of options are of integers. */
static void check_sizes(Given *g, const Options *options) {
  Arena *arena = g->ex->arena;
  for (uint32_t i = 0; i < options->shapes.count; i++)
    for (uint32_t k = 0; k < options->shapes.data[i].count; k++)
      complain_of(g, arena_format(arena, "--shape %s=", options->shapes.data[i].name),
                  options->shapes.data[i].expressions[k]);
  for (uint32_t i = 0; i < options->strides.count; i++)
    for (uint32_t k = 0; k < options->strides.data[i].count; k++)
      complain_of(g, arena_format(arena, "--strides %s=", options->strides.data[i].name),
                  options->strides.data[i].expressions[k]);
  for (uint32_t k = 0; k < g->launch->grid_count && g->launch->is_grid_given && !g->launch->grid_why[k]; k++)
    complain_of(g, "--grid ", g->launch->grid[k]);
}

void given_assume(Effects *ex, const Operation *operation, const Launch *launch, const Options *options,
                  DiagnosticList *diagnostics) {
  Given g = {ex, operation, launch, diagnostics};
  name_sizes(&g, options);
  if (!operation->has_tensors && !diagnostics->error_count) check_sizes(&g, options); /* names of a file are its own */
  for (uint32_t i = 0; i < options->assume_names.count; i++) {
    NamedText *n = &options->assume_names.data[i];
    bool known = find_param(&g, n->name) || !strcmp(n->name, "grid_x") || !strcmp(n->name, "grid_y") ||
                 !strcmp(n->name, "grid_z") || given_names(operation, n->name) || is_in_options(options, n->name);
    if (known) n->is_used = 1;
  }
  for (uint32_t i = 0; i < options->assumes.count; i++) {
    bool of_other = options->own_why && i >= options->assumes.count - options->own_assumes;
    assume(&g, options->assumes.data[i], given_why(options, i), of_other ? ASSUME_PRECONDITION : ASSUME_USER);
  }
  if (!diagnostics->error_count) refuse_contradiction(&g, options);
}

static uint32_t find_integer(const Program *program, const Block *entry, const ExecuteBinding *bindings,
                             const char *name) {
  for (uint32_t i = 0; i < entry->arg_count; i++) {
    char number[24];
    snprintf(number, sizeof number, "arg%u", i);
    if (strcmp(name, program_arg_name(program, entry->first_arg + i)) && strcmp(name, number)) continue;
    return program_value_type(program, entry->first_arg + i)->kind == TYPE_INT && !(bindings && bindings[i].is_constant)
               ? i
               : UINT32_MAX;
  }
  return UINT32_MAX;
}

void given_relate(Arena *arena, const Program *program, const Function *function, const ExecuteBinding *bindings,
                  const Options *options, ExecuteSample *samples) {
  const Op *op = program_get_op(program, function->op);
  const Block *entry = program_get_block(program, program_get_region(program, op->regions[0])->blocks.data[0]);
  for (uint32_t n = 0; n < options->assumes.count; n++) {
    LaunchNames *names = arena_new(arena, LaunchNames);
    const LaunchExpr *e = launch_bind(arena, options->assumes.data[n], names);
    if (!e || e->op != '=' || e->a->op != 'v' || e->b->op != 'v') continue;
    uint32_t x = find_integer(program, entry, bindings, names->data[e->a->name].name),
             y = find_integer(program, entry, bindings, names->data[e->b->name].name);
    if (x == y || x == UINT32_MAX || y == UINT32_MAX) continue;
    uint32_t early = x < y ? x : y, late = x < y ? y : x;
    while (samples[early].equal_to) early = samples[early].equal_to - 1;
    if (!samples[late].equal_to && early < late) samples[late].equal_to = early + 1, samples[late].is_assumed = true;
  }
}

/* ---- form ---- */

bool given_is_expression(Arena *arena, const Expr *given) {
  LaunchNames *names = arena_new(arena, LaunchNames);
  int64_t value, values[LAUNCH_MAX_NAMES];
  const LaunchExpr *e = launch_bind(arena, given, names);
  for (int64_t step = 0; e && step < 5; step++) {
    for (uint32_t i = 0; i < names->count; i++) values[i] = 1 + step * (i + 1);
    if (launch_eval(e, values, &value)) return true;
  }
  return false;
}

const char *given_shape_error(const Expr *const *given, uint32_t count, int64_t least) {
  int64_t size, elements = 1;
  if (count > 64) return "a tensor has at most 64 axes";
  for (uint32_t i = 0; i < count; i++) {
    if (!expr_number(given[i], &size)) continue;
    if (size < least) return least ? "a size is at least 1" : "a size is not negative";
    if (__builtin_mul_overflow(elements, size, &elements)) return "no memory has that many elements";
  }
  return NULL;
}

const char *given_grid_error(Arena *arena, const Expr *const *given, uint32_t count) {
  int64_t size;
  for (uint32_t i = 0; i < count; i++) {
    if (!expr_number(given[i], &size)) continue;
    if (size < 1) return "a launch has at least one program";
    if (size > (i ? 65535 : INT32_MAX))
      return arena_format(arena, "a launch has at most %d programs along %c", i ? 65535 : INT32_MAX, "xyz"[i]);
  }
  return NULL;
}

bool given_read_condition(Arena *arena, const char *text, Options *to) {
  LaunchNames *names = arena_new(arena, LaunchNames);
  const Expr *condition = expr_read_condition(arena, text);
  if (!launch_bind(arena, condition, names)) return false;
  array_push(arena, &to->assumes, condition);
  for (uint32_t k = 0; k < names->count; k++)
    array_push(arena, &to->assume_names, (NamedText){.name = names->data[k].name, .text = text});
  return true;
}

const char *given_why(const Options *options, uint32_t number) {
  if (number < options->assumes.count - options->own_assumes) return "--assume";
  return options->own_why ? options->own_why : "tt.divisibility: the kernel was compiled for it";
}

static int64_t divisibility_of(const Program *program, const Function *function, uint32_t argument) {
  AttrId id = program_arg_attr(program, function, argument, "tt.divisibility");
  const Attr *value = program_get_attr(program, id);
  return id && value->kind == ATTR_INT ? value->integer : 1;
}

const Options *given_by_kernel(const Effects *ex, const Options *options) {
  const Program *p = ex->program;
  Options *more = arena_new(ex->arena, Options);
  *more = *options;
  for (uint32_t i = 0; i < ex->params.count; i++) {
    const Param *param = &ex->params.data[i];
    int64_t d = divisibility_of(p, ex->function, i);
    if (param->is_pointer || param->given.is_constant || d < 2 || term_sort(ex->tt, param->symbol) != SORT_INT)
      continue;
    const char *text = arena_format(ex->arena, "%s %% %lld == 0", param->name, (long long)d);
    if (given_read_condition(ex->arena, text, more)) more->own_assumes++;
  }
  return more->own_assumes > options->own_assumes ? more : NULL;
}

/* ---- what the numbers of a launch say ---- */

static bool is_integer(const Effects *ex, const Param *param) {
  return !param->is_pointer && !param->given.is_constant && term_sort(ex->tt, param->symbol) == SORT_INT;
}

/* The number of t, which is of integer arguments alone, in the launch. */
static bool number_of(const Effects *ex, Term t, int64_t *number) {
  for (uint32_t i = 0; i < ex->params.count && ex->options.samples; i++)
    if (is_integer(ex, &ex->params.data[i]) && ex->options.samples[i].is_known)
      t = term_replace(ex->tt, t, ex->params.data[i].symbol, term_int(ex->tt, ex->options.samples[i].value));
  return term_is_int(ex->tt, t, number);
}

typedef struct Told {
  Effects *ex;
  Term mask;
  uint32_t taken, all;
} Told;

static void tell(Told *told, uint32_t what, Term condition, const char *text) {
  Effects *ex = told->ex;
  told->all |= what;
  bool known = !(told->taken & what);
  for (uint32_t i = 0; i < ex->given.count; i++) known |= !strcmp(ex->given.data[i].text, text);
  if (!known)
    array_push(ex->arena, &ex->given,
               (ExecuteGiven){condition, text, "as in the launch that was given", ASSUME_LAUNCH, 0});
}

/* i // a or i // (a*b) where i < n: n is a, or a*b, if that is so in the launch. */
static Term tell_end(TermTable *tt, Term t, void *payload) {
  Told *told = payload;
  int64_t product, end;
  if (term_kind(tt, t) != TERM_FLOORDIV || term_is_rat(tt, term_arg(tt, t, 1)) ||
      !number_of(told->ex, term_arg(tt, t, 1), &product))
    return t;
  bool several = term_kind(tt, told->mask) == TERM_AND;
  for (uint32_t i = 0; i < (several ? term_count(tt, told->mask) : 1); i++) {
    Term c = several ? term_arg(tt, told->mask, i) : told->mask, cut = term_arg(tt, t, 1);
    if (term_kind(tt, c) != TERM_LE || term_count(tt, c) != 1) continue;
    Term n = term_sub(tt, term_add(tt, term_arg(tt, t, 0), tt->one), term_arg(tt, c, 0)); /* i + 1 - n <= 0 */
    if (term_kind(tt, n) == TERM_SYM && n != cut && number_of(told->ex, n, &end) && end == product)
      tell(told, TAKE_ENDS, term_eq(tt, n, cut),
           arena_format(told->ex->arena, "%s == %s", term_message(tt, n), term_message(tt, cut)));
  }
  return t;
}

/* The integer argument that an expression of the launch calls so; 0: there is none. */
static Term argument_of(const Effects *ex, const Operation *operation, const Launch *launch, const char *name) {
  for (uint32_t i = 0; i < ex->params.count; i++) {
    const Param *param = &ex->params.data[i];
    const LaunchArg *arg = launch_find_arg(launch, param->name, i);
    const char *own = arg && arg->scalar ? expr_name(arg->scalar) : operation->has_tensors && arg ? NULL : param->name;
    if (is_integer(ex, param) && own && !strcmp(own, name)) return param->symbol;
  }
  return 0;
}

/* The number of programs along the axis, over the kernel's arguments; 0: not known, or not by these alone. */
static Term grid_of_launch(const Effects *ex, const Operation *operation, const Launch *launch, uint32_t axis) {
  LaunchNames *names = arena_new(ex->arena, LaunchNames);
  int64_t number;
  if (axis >= launch->grid_count || expr_number(launch->grid[axis], &number)) return 0;
  const LaunchExpr *e = launch_bind(ex->arena, launch->grid[axis], names);
  for (uint32_t i = 0; e && i < names->count; i++)
    if (!(names->data[i].term = argument_of(ex, operation, launch, names->data[i].name))) return 0;
  return e ? launch_term(ex->tt, e, names) : 0;
}

/* t >= 1 of a number of programs, said of what it is made of: cdiv(n, 64) >= 1 says n >= 1, and a product that each of
 * its factors is. */
static void tell_at_least_one(Told *told, Term t) {
  Effects *ex = told->ex;
  TermTable *tt = ex->tt;
  bool are_sizes = term_kind(tt, t) == TERM_MUL;
  for (uint32_t i = 0; are_sizes && i < term_count(tt, t); i += 2)
    are_sizes = term_arg(tt, t, i + 1) == tt->one && term_prove_le(tt, tt->zero, term_arg(tt, t, i));
  if (term_prove_le(tt, tt->one, t)) return;
  if (are_sizes) {
    for (uint32_t i = 0; i < term_count(tt, t); i += 2) tell_at_least_one(told, term_arg(tt, t, i));
    return;
  }
  if (term_kind(tt, t) == TERM_FLOORDIV && term_prove_lt(tt, tt->zero, term_arg(tt, t, 1))) {
    Term least = term_sub(tt, term_arg(tt, t, 1), tt->one);
    tell_at_least_one(told, term_sub(tt, term_arg(tt, t, 0), least));
    return;
  }
  Term constant = term_new_rat(tt, term_constant_part(tt, t)), size = term_sub(tt, t, constant);
  const char *text =
      arena_format(ex->arena, "%s >= %s", term_message(tt, size), term_text(tt, term_sub(tt, tt->one, constant)));
  array_push(ex->arena, &ex->given,
             (ExecuteGiven){term_le(tt, tt->one, t), text, "a launch has so many programs", ASSUME_RANGE, 0});
}

static void tell_grids(Told *told, const Operation *operation, const Launch *launch) {
  Effects *ex = told->ex;
  for (uint32_t axis = 0; axis < 3; axis++) {
    Term count = grid_of_launch(ex, operation, launch, axis);
    for (uint32_t i = 0; i < ex->grids.count; i++)
      if (ex->grids.data[i].axis == axis) count = 0;
    if (!count) continue;
    told->all |= TAKE_GRIDS;
    if (!(told->taken & TAKE_GRIDS)) continue;
    array_push(ex->arena, &ex->grids, (GridNeed){axis, count, 0});
    tell_at_least_one(told, count);
  }
}

uint32_t given_by_launch(Effects *ex, const Operation *operation, const Launch *launch, uint32_t taken,
                         uint64_t waived) {
  Told told = {.ex = ex, .taken = taken};
  tell_grids(&told, operation, launch);
  for (uint32_t i = 0; i < ex->accesses.count; i++) {
    told.mask = ex->accesses.data[i].mask;
    term_transform(ex->tt, ex->accesses.data[i].offset, tell_end, &told);
  }
  for (uint32_t i = 0; i < ex->params.count; i++) {
    const Param *param = &ex->params.data[i];
    int64_t number;
    bool goes_by = false;
    if (!is_integer(ex, param) || !number_of(ex, param->symbol, &number) || number < 0 ||
        term_prove_le(ex->tt, ex->tt->zero, param->symbol))
      continue;
    for (uint32_t k = 0; k < ex->accesses.count; k++)
      goes_by |= term_has_symbol(ex->tt, ex->accesses.data[k].offset, param->symbol);
    if (!goes_by) continue;
    told.all |= TAKE_SIGNS;
    if (i < 64) ex->launch_signs |= UINT64_C(1) << i;
    if (i >= 64 || !(waived >> i & 1))
      tell(&told, TAKE_SIGNS, term_le(ex->tt, ex->tt->zero, param->symbol),
           arena_format(ex->arena, "%s >= 0", message_name(ex->arena, param->name)));
  }
  return told.all;
}

/* ---- --shape, --strides, --grid ---- */

static OperationTensor *find_tensor(Operation *operation, const char *name) {
  for (uint32_t i = 0; i < operation->tensors.count; i++)
    if (!strcmp(operation->tensors.data[i].name, name)) return &operation->tensors.data[i];
  return NULL;
}

const Operation *given_operation(Arena *arena, const Operation *operation, const Options *options) {
  bool given = options->shapes.count || options->strides.count;
  for (uint32_t i = 0; i < operation->launches.count; i++) given |= operation->launches.data[i].is_grid_given;
  if (!given) return NULL;
  Operation *out = arena_new(arena, Operation);
  *out = *operation;
  if (operation->has_tensors) return out; /* says what its tensors are */
  for (uint32_t i = 0; i < options->shapes.count; i++) {
    const NamedExpressions *shape = &options->shapes.data[i];
    OperationTensor t = {.name = shape->name, .rank = shape->count, .shape = shape->expressions, .own_strides = 1};
    array_push(arena, &out->tensors, t);
  }
  for (uint32_t i = 0; i < options->strides.count; i++) {
    const NamedExpressions *strides = &options->strides.data[i];
    OperationTensor *known = find_tensor(out, strides->name);
    if (!known) {
      OperationTensor t = {.name = strides->name, .rank = strides->count, .own_shape = 1};
      array_push(arena, &out->tensors, t);
      known = &out->tensors.data[out->tensors.count - 1];
    }
    if (known->rank != strides->count) known->rank = UINT32_MAX; /* no view is that */
    known->strides = strides->expressions, known->own_strides = 0;
  }
  return out;
}
