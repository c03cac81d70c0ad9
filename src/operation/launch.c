/* Expressions of a request as terms, and the launch that an operation file describes (see launch.h). */
#include "operation/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"

static const LaunchExpr zero_expr = {.op = 'n'}, one_expr = {.op = 'n', .number = 1};

/* ---- names and terms ---- */

const LaunchExpr *launch_name(Arena *arena, const char *name, LaunchNames *names) {
  uint32_t i = 0;
  while (i < names->count && strcmp(names->data[i].name, name)) i++;
  if (i == LAUNCH_MAX_NAMES) return NULL;
  if (i == names->count) names->data[names->count++] = (LaunchName){.name = name, .least = 1};
  LaunchExpr *e = arena_new(arena, LaunchExpr);
  *e = (LaunchExpr){.op = 'v', .name = i, .symbol = name};
  return e;
}

static const LaunchExpr *bind(Arena *arena, const LaunchExpr *e, LaunchNames *names) {
  if (!e || e->op == 'n') return e;
  if (e->op == 'v') return launch_name(arena, e->symbol, names);
  LaunchExpr *out = arena_new(arena, LaunchExpr);
  *out = *e;
  if (e->is_swapped) out->b = bind(arena, e->b, names);
  out->a = bind(arena, e->a, names);
  if (!e->is_swapped) out->b = bind(arena, e->b, names);
  return out->a && (out->b || !e->b) ? out : NULL;
}

const LaunchExpr *launch_bind(Arena *arena, const Expr *e, LaunchNames *names) {
  return e ? bind(arena, e->tree, names) : NULL;
}

Term launch_size(TermTable *tt, const LaunchName *name, const char *text) {
  Term size = term_symbol_new(tt, intern_text(tt->names, text), SORT_INT, SYMBOL_SIZE);
  return term_symbol_range(tt, size, term_int(tt, name->least), term_int(tt, INT32_MAX));
}

Term launch_term(TermTable *tt, const LaunchExpr *e, LaunchNames *names) {
  if (e->op == 'n') return term_int(tt, e->number);
  if (e->op == 'v') {
    LaunchName *name = &names->data[e->name];
    if (!name->term) name->term = launch_size(tt, name, name->name);
    return name->term;
  }
  Term a = launch_term(tt, e->a, names), b = e->b ? launch_term(tt, e->b, names) : 0;
  switch (e->op) {
  case '+': return term_add(tt, a, b);
  case '-': return term_sub(tt, a, b);
  case '*': return term_mul(tt, a, b);
  case '/': return term_floordiv(tt, a, b);
  case '%': return term_mod(tt, a, b);
  case 'c': return term_cdiv(tt, a, b);
  case 'r': return term_mul(tt, term_cdiv(tt, a, b), b);
  case 'm': return term_min(tt, a, b);
  case 'M': return term_max(tt, a, b);
  case '<': return term_lt(tt, a, b);
  case '{': return term_le(tt, a, b);
  case '=': return term_eq(tt, a, b);
  case '!': return term_not(tt, term_eq(tt, a, b));
  case '&': return term_and(tt, a, b);
  case '|': return term_or(tt, a, b);
  case '~': return term_not(tt, a);
  case '?': return term_select(tt, a, b, tt->zero);
  default: break;
  }
  /* next_pow2(a): in [a, 2a) for a >= 1 */
  Term power = term_symbol_fresh(tt, "pow2", SORT_INT, SYMBOL_SIZE);
  return term_symbol_range(tt, power, term_max(tt, a, tt->one),
                           term_max(tt, term_sub(tt, term_add(tt, a, a), tt->one), tt->one));
}

/* ---- the launch of an operation file ---- */

static bool parse_tensor(Arena *arena, LaunchModel *m, const OperationTensor *from, LaunchTensor *out) {
  LaunchTensor t = {.name = from->name, .rank = from->rank};
  const LaunchExpr *packed = &one_expr;
  if (from->rank > POINTWISE_MAX_RANK) return false;
  for (uint32_t k = from->rank; k-- > 0;) {
    t.extent[k] = launch_bind(arena, from->shape[k], &m->names);
    if (!t.extent[k]) return false;
    t.stride[k] = from->strides ? launch_bind(arena, from->strides[k], &m->names) : packed;
    if (!t.stride[k]) return false;
    if (from->strides && t.stride[k]->op == 'v') m->names.data[t.stride[k]->name].is_stride = true;
    LaunchExpr *product = arena_new(arena, LaunchExpr);
    *product = (LaunchExpr){.op = '*', .a = packed, .b = t.extent[k]};
    packed = packed == &one_expr ? t.extent[k] : product;
  }
  *out = t;
  return true;
}

static bool read_tensor(Arena *arena, LaunchModel *m, const OperationTensor *from) {
  LaunchTensor t;
  if (!parse_tensor(arena, m, from, &t)) return false;
  array_push(arena, &m->tensors, t);
  return true;
}

const LaunchArg *launch_find_arg(const Launch *launch, const char *name, uint32_t place) {
  char number[24];
  snprintf(number, sizeof number, "arg%u", place);
  for (uint32_t i = 0; i < launch->args.count; i++)
    if (!strcmp(launch->args.data[i].param, name) || !strcmp(launch->args.data[i].param, number))
      return &launch->args.data[i];
  return NULL;
}

/* A name begins with that of the parameter: it is all of it, or the tensor of which "x_ptr_d0" is an extent. */
static bool begins_with(const char *word, size_t length, const Param *param) {
  size_t n = strlen(param->name);
  if (n > length || memcmp(word, param->name, n)) return false;
  bool is_extent = param->is_pointer && length > n + 2 && word[n] == '_' && word[n + 1] == 'd' &&
                   strspn(word + n + 2, "0123456789") == length - n - 2;
  return n == length || is_extent;
}

/* NULL: no name is given, or it is none of a parameter. */
static const char *given_name(const Launch *launch, const Effects *ex, const char *word, size_t length, size_t *own) {
  for (uint32_t i = 0; i < ex->params.count; i++) {
    const Param *param = &ex->params.data[i];
    if (!begins_with(word, length, param)) continue;
    const LaunchArg *arg = launch_find_arg(launch, param->name, i);
    *own = strlen(param->name);
    return !arg ? NULL : arg->tensor ? arg->tensor : expr_name(arg->scalar);
  }
  return NULL;
}

const char *launch_text(Arena *arena, const Launch *launch, const Effects *ex, const char *message) {
  Text out = text_new(arena);
  for (MessagePart part; message_part(&message, &part);) {
    size_t own = 0;
    const char *given = part.is_name && ex ? given_name(launch, ex, part.text, part.size, &own) : NULL;
    if (given)
      text_add(&out, given);
    else
      own = 0;
    text_append(&out, part.text + own, part.size - own);
  }
  return text_string(&out);
}

bool launch_is_length(const Effects *ex, const char *argument, uint32_t *array, uint32_t *axis) {
  const Program *p = ex->program;
  for (; *array < ex->params.count; ++*array) {
    uint32_t rank = 0;
    const AttrId *shape = program_arg_shape(p, ex->function, *array, &rank);
    for (*axis = 0; shape && *axis < rank; ++*axis) {
      const Attr *size = program_get_attr(p, shape[*axis]);
      if (size->kind == ATTR_STRING && !strcmp(intern_string(p->names, size->text), argument)) return true;
    }
  }
  return false;
}

const char *launch_tensor_name(const Launch *launch, const Effects *ex, uint32_t place) {
  const LaunchArg *arg = launch_find_arg(launch, ex->params.data[place].name, place);
  return arg && arg->tensor ? arg->tensor : ex->params.data[place].name;
}

/* The length of an array whose shape the launch gives; NULL: the argument is none, or it is a number, a sample. */
static const LaunchExpr *given_length(const LaunchModel *m, const Launch *launch, const Effects *ex, const char *name) {
  for (uint32_t array = 0, axis; launch_is_length(ex, name, &array, &axis); array++)
    for (uint32_t i = 0; i < m->tensors.count; i++) {
      const LaunchTensor *t = &m->tensors.data[i];
      bool is_its = axis < t->rank && !strcmp(t->name, launch_tensor_name(launch, ex, array));
      if (is_its && !t->inferred && t->extent[axis]->op != 'n') return t->extent[axis];
    }
  return NULL;
}

static const LaunchExpr *binary(Arena *arena, char op, const LaunchExpr *a, const LaunchExpr *b) {
  LaunchExpr *e = arena_new(arena, LaunchExpr);
  *e = (LaunchExpr){.op = op, .a = a, .b = b};
  return a && b ? e : NULL;
}

static bool read_param(Arena *arena, LaunchModel *m, const Launch *launch, const Effects *ex, uint32_t place) {
  LaunchParam out = {.tensor = -1};
  const TermTable *tt = ex->tt;
  const Param *param = &ex->params.data[place];
  const LaunchArg *arg = launch_find_arg(launch, param->name, place);
  if (param->given.is_constant && term_sort(tt, param->symbol) == SORT_REAL) {
    out.real = param->given.real, out.is_real = true;
  } else if (param->given.is_constant) {
    LaunchExpr *constant = arena_new(arena, LaunchExpr);
    *constant = (LaunchExpr){.op = 'n', .number = param->given.integer};
    out.scalar = constant;
    const LaunchExpr *size = arg && arg->scalar ? launch_bind(arena, arg->scalar, &m->names) : NULL;
    if (size && size->op != 'n') array_push(arena, &m->conditions, binary(arena, '=', size, constant));
  } else if (arg && arg->tensor) {
    for (uint32_t i = 0; i < m->tensors.count; i++)
      if (!strcmp(m->tensors.data[i].name, arg->tensor)) out.tensor = (int32_t)i;
    out.offset = arg->offset ? launch_bind(arena, arg->offset, &m->names) : &zero_expr;
    if (out.tensor < 0 || !out.offset) return false;
    LaunchTensor *slice = arg->slice ? arena_new(arena, LaunchTensor) : NULL;
    if (slice && !parse_tensor(arena, m, arg->slice, slice)) return false;
    out.slice = slice;
  } else if (param->is_pointer)
    return false;
  else if (arg && arg->scalar && term_sort(tt, param->symbol) == SORT_REAL) {
    out.real = arg->scalar->real, out.is_real = arg->scalar->is_real;
  } else if (arg && arg->scalar) {
    out.scalar = launch_bind(arena, arg->scalar, &m->names);
    if (!out.scalar) return false;
  } else if (given_length(m, launch, ex, param->name)) {
    out.scalar = given_length(m, launch, ex, param->name), m->gives_lengths = true;
  } else if (term_sort(tt, param->symbol) == SORT_INT) {
    out.scalar = launch_name(arena, param->name, &m->names);
    if (!out.scalar || out.scalar->op != 'v') return false;
    LaunchName *name = &m->names.data[out.scalar->name];
    if (!param->is_size && !name->is_stride) name->least = 0;
  }
  array_push(arena, &m->params, out);
  return true;
}

/* What a name of a condition is in this launch: what the kernel's argument or grid is given, else a name of the launch.
 */
static const LaunchExpr *of_launch(Arena *arena, LaunchModel *m, const Effects *ex, const char *name) {
  static const char *const grids[] = {"grid_x", "grid_y", "grid_z"};
  for (uint32_t i = 0; i < m->params.count; i++) {
    char number[24];
    snprintf(number, sizeof number, "arg%u", i);
    if (m->params.data[i].scalar && (!strcmp(name, ex->params.data[i].name) || !strcmp(name, number)))
      return m->params.data[i].scalar;
  }
  for (uint32_t i = 0; i < 3; i++)
    if (!strcmp(name, grids[i])) return m->grid[i];
  return launch_name(arena, name, &m->names);
}

/* NULL: too many names. */
static const LaunchExpr *over_launch(Arena *arena, LaunchModel *m, const Effects *ex, const LaunchExpr *e,
                                     const LaunchNames *names) {
  if (e->op == 'v') return of_launch(arena, m, ex, names->data[e->name].name);
  if (e->op == 'n') return e;
  LaunchExpr *out = arena_new(arena, LaunchExpr);
  *out = *e;
  out->a = over_launch(arena, m, ex, e->a, names), out->b = e->b ? over_launch(arena, m, ex, e->b, names) : NULL;
  return out->a && (out->b || !e->b) ? out : NULL;
}

static void read_conditions(Arena *arena, LaunchModel *m, const Effects *ex, const Options *options) {
  for (uint32_t i = 0; i < options->assumes.count; i++) {
    LaunchNames *names = arena_new(arena, LaunchNames);
    const LaunchExpr *e = launch_bind(arena, options->assumes.data[i], names);
    const LaunchExpr *condition = e ? over_launch(arena, m, ex, e, names) : NULL;
    if (condition) array_push(arena, &m->conditions, condition);
  }
}

static LaunchModel *model_of_operation(Arena *arena, LaunchModel *m, const Effects *ex, const Operation *operation,
                                       const Options *options) {
  const Launch *launch = &operation->launches.data[0];
  for (uint32_t i = 0; i < operation->tensors.count; i++)
    if (!read_tensor(arena, m, &operation->tensors.data[i])) return NULL;
  for (uint32_t i = 0; i < 3; i++) {
    m->grid[i] = i < launch->grid_count ? launch_bind(arena, launch->grid[i], &m->names) : &one_expr;
    if (!m->grid[i]) return NULL;
  }
  uint32_t named = m->names.count;
  for (uint32_t i = 0; i < ex->params.count; i++)
    if (!read_param(arena, m, launch, ex, i)) return NULL;
  for (uint32_t i = 0; i < named; i++) m->names.data[i].least = 1;
  read_conditions(arena, m, ex, options);
  for (uint32_t i = 0; i < launch->others.count; i++) {
    const LaunchExpr *e = launch_bind(arena, launch->others.data[i], &m->names);
    if (e) array_push(arena, &m->others, e);
  }
  return m;
}

/* ---- the launch that a recovery speaks of ---- */

static const LaunchExpr *number(Arena *arena, int64_t n) {
  LaunchExpr *e = arena_new(arena, LaunchExpr);
  *e = (LaunchExpr){.op = 'n', .number = n};
  return e;
}

static const LaunchExpr *from_term(Arena *arena, const TermTable *tt, Term t, LaunchNames *names);

static const LaunchExpr *from_condition(Arena *arena, const TermTable *tt, Term t, LaunchNames *names) {
  const LaunchExpr *e = NULL;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_LE || kind == TERM_EQ) {
    if (term_count(tt, t) != 1) return NULL;
    return binary(arena, kind == TERM_LE ? '{' : '=', from_term(arena, tt, term_arg(tt, t, 0), names),
                  number(arena, 0));
  }
  if (kind == TERM_AND || kind == TERM_OR) {
    e = from_condition(arena, tt, term_arg(tt, t, 0), names);
    for (uint32_t i = 1; i < term_count(tt, t); i++)
      e = binary(arena, kind == TERM_AND ? '&' : '|', e, from_condition(arena, tt, term_arg(tt, t, i), names));
    return e;
  }
  if (kind == TERM_NOT)
    return binary(arena, '~', from_condition(arena, tt, term_arg(tt, t, 0), names), number(arena, 0));
  return NULL;
}

/* A term over sizes as an expression; NULL: it has other parts. */
static const LaunchExpr *from_term(Arena *arena, const TermTable *tt, Term t, LaunchNames *names) {
  int64_t value;
  const LaunchExpr *e = NULL;
  if (term_is_int(tt, t, &value)) return number(arena, value);
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_SYM) {
    SymbolRole role = term_symbol(tt, t)->role;
    if (term_sort(tt, t) != SORT_INT || (role != SYMBOL_SIZE && role != SYMBOL_GRID)) return NULL;
    return launch_name(arena, term_name(tt, t), names);
  }
  if (kind == TERM_ADD) {
    e = from_term(arena, tt, term_arg(tt, t, 0), names);
    for (uint32_t i = 1; i < term_count(tt, t) && e; i += 2) {
      Rational k = term_rat(tt, term_arg(tt, t, i));
      if (k.den != 1 || k.num > INT32_MAX || k.num < INT32_MIN) return NULL;
      e = binary(
          arena, '+', e,
          binary(arena, '*', number(arena, (int64_t)k.num), from_term(arena, tt, term_arg(tt, t, i + 1), names)));
    }
    return e;
  }
  if (kind == TERM_MUL) {
    e = &one_expr;
    for (uint32_t i = 0; i < term_count(tt, t) && e; i += 2) {
      Rational power = term_rat(tt, term_arg(tt, t, i + 1));
      if (power.den != 1 || power.num < 1 || power.num > 3) return NULL;
      for (int n = 0; n < (int)power.num; n++)
        e = binary(arena, '*', e, from_term(arena, tt, term_arg(tt, t, i), names));
    }
    return e;
  }
  if (kind == TERM_FLOORDIV)
    return binary(arena, '/', from_term(arena, tt, term_arg(tt, t, 0), names),
                  from_term(arena, tt, term_arg(tt, t, 1), names));
  if (term_kind_is_extremum(kind)) {
    e = from_term(arena, tt, term_arg(tt, t, 0), names);
    for (uint32_t i = 1; i < term_count(tt, t); i++)
      e = binary(arena, term_kind(tt, t) == TERM_MIN ? 'm' : 'M', e, from_term(arena, tt, term_arg(tt, t, i), names));
    return e;
  }
  if (kind == TERM_SELECT) {
    /* c ? a : b = (c ? a : 0) + (not c ? b : 0) */
    const LaunchExpr *c = from_condition(arena, tt, term_arg(tt, t, 0), names);
    e = binary(arena, '?', binary(arena, '~', c, number(arena, 0)), from_term(arena, tt, term_arg(tt, t, 2), names));
    return binary(arena, '+', binary(arena, '?', c, from_term(arena, tt, term_arg(tt, t, 1), names)), e);
  }
  return NULL;
}

static const NamedExpressions *find_texts(const NamedExpressions *items, uint32_t count, const char *name,
                                          uint32_t place) {
  char text[24];
  snprintf(text, sizeof text, "arg%u", place);
  for (uint32_t i = 0; i < count; i++)
    if (!strcmp(items[i].name, name) || !strcmp(items[i].name, text)) return &items[i];
  return NULL;
}

/* What --shape and --strides say, else the view that was recovered. */
static bool recovered_tensor(Arena *arena, LaunchModel *m, const Claim *claim, const Options *options, uint32_t place) {
  const Effects *ex = claim->ex;
  const Param *param = &ex->params.data[place];
  const NamedExpressions *shape = find_texts(options->shapes.data, options->shapes.count, param->name, place);
  const NamedExpressions *strides = find_texts(options->strides.data, options->strides.count, param->name, place);
  const PointwiseTensor *view = claim->pointwise ? pointwise_tensor(claim->pointwise, param->symbol) : NULL;
  LaunchTensor t = {.name = param->name, .inferred = !shape};
  if (shape) {
    OperationTensor given = {.name = param->name, .rank = shape->count, .shape = shape->expressions};
    if (strides && strides->count == shape->count) given.strides = strides->expressions;
    if (!read_tensor(arena, m, &given)) return false;
    LaunchTensor *last = &m->tensors.data[m->tensors.count - 1];
    for (uint32_t k = shape->count; k-- > 0 && view && !given.strides && view->rank == shape->count;) {
      const LaunchExpr *stride = recover_has_stride_argument(ex, view->stride[k])
                                     ? from_term(arena, ex->tt, view->stride[k], &m->names)
                                     : NULL;
      if (stride)
        last->stride[k] = stride;
      else if (k + 1 < shape->count)
        last->stride[k] = binary(arena, '*', last->stride[k + 1], last->extent[k + 1]);
    }
    return true;
  }
  if (!view) return false;
  t.rank = view->rank;
  for (uint32_t k = 0; k < view->rank; k++) {
    t.extent[k] = from_term(arena, ex->tt, view->extent[k], &m->names);
    t.stride[k] = strides && strides->count == view->rank ? launch_bind(arena, strides->expressions[k], &m->names)
                                                          : from_term(arena, ex->tt, view->stride[k], &m->names);
    if (!t.extent[k] || !t.stride[k]) return false;
    if (t.stride[k]->op == 'v') m->names.data[t.stride[k]->name].is_stride = true;
  }
  array_push(arena, &m->tensors, t);
  return true;
}

/* What --strides gives where the kernel goes by that argument alone; NULL: nothing. */
static const LaunchExpr *stride_given(Arena *arena, LaunchModel *m, const Claim *claim, const Options *options,
                                      Term argument) {
  const Effects *ex = claim->ex;
  for (uint32_t i = 0; i < ex->params.count; i++) {
    const NamedExpressions *strides =
        find_texts(options->strides.data, options->strides.count, ex->params.data[i].name, i);
    const PointwiseTensor *view =
        strides && claim->pointwise ? pointwise_tensor(claim->pointwise, ex->params.data[i].symbol) : NULL;
    for (uint32_t k = 0; view && view->rank == strides->count && k < view->rank; k++)
      if (view->stride[k] == argument) return launch_bind(arena, strides->expressions[k], &m->names);
  }
  return NULL;
}

static const LaunchExpr *recovered_grid(Arena *arena, LaunchModel *m, const Claim *claim, uint32_t axis) {
  const Effects *ex = claim->ex;
  Term value = ex->grid[axis];
  for (uint32_t i = 0; i < claim->hints.steps.count; i++)
    if (!claim->hints.steps.data[i].access)
      value = term_replace(ex->tt, value, claim->hints.steps.data[i].from, claim->hints.steps.data[i].to);
  if (value == ex->grid[axis] && term_symbol(ex->tt, value)->hi == ex->tt->one) return &one_expr;
  return from_term(arena, ex->tt, value, &m->names);
}

/* A name that stands alone as a stride and in an extent or a grid too is a size. */
static void mark_sizes(LaunchModel *m, const LaunchExpr *e) {
  if (!e) return;
  if (e->op == 'v') m->names.data[e->name].is_stride = false;
  mark_sizes(m, e->a);
  mark_sizes(m, e->b);
}

/* What --set makes a number is that number, and what the recovery calls grid_y is what --grid says (has_grid): in
 * extents, and in strides of rows that programs share. */
static const LaunchExpr *as_given(Arena *arena, const LaunchModel *m, const Effects *ex, bool has_grid,
                                  const LaunchExpr *e) {
  if (!e || e->op == 'n') return e;
  const char *name = e->op == 'v' ? m->names.data[e->name].name : NULL;
  for (uint32_t i = 0; name && i < ex->params.count; i++) {
    const Param *param = &ex->params.data[i];
    char place[24];
    snprintf(place, sizeof place, "arg%u", i);
    bool named = !strcmp(name, param->name) || !strcmp(name, place);
    if (named && param->given.is_constant && term_sort(ex->tt, param->symbol) == SORT_INT)
      return number(arena, param->given.integer);
  }
  for (uint32_t i = 0; name && has_grid && i < 3; i++)
    if (!strcmp(name, term_name(ex->tt, ex->grid[i]))) return m->grid[i];
  LaunchExpr *out = arena_new(arena, LaunchExpr);
  *out = *e;
  out->a = as_given(arena, m, ex, has_grid, e->a), out->b = as_given(arena, m, ex, has_grid, e->b);
  return out;
}

static LaunchModel *model_of_recovery(Arena *arena, LaunchModel *m, const Claim *claim, const Launch *launch,
                                      const Options *options) {
  const Effects *ex = claim->ex;
  for (uint32_t i = 0; i < ex->params.count; i++)
    if (ex->params.data[i].is_pointer && !ex->params.data[i].given.same_as &&
        !recovered_tensor(arena, m, claim, options, i))
      return NULL;
  for (uint32_t i = 0; i < 3; i++) {
    if (launch->grid_count)
      m->grid[i] = i < launch->grid_count ? launch_bind(arena, launch->grid[i], &m->names) : &one_expr;
    else
      m->grid[i] = recovered_grid(arena, m, claim, i);
    if (!m->grid[i]) return NULL;
    m->grid[i] = as_given(arena, m, ex, false, m->grid[i]);
    mark_sizes(m, m->grid[i]);
  }
  bool has_grid = launch->grid_count > 0;
  for (uint32_t i = 0; i < m->tensors.count; i++)
    for (uint32_t k = 0; k < m->tensors.data[i].rank; k++) {
      LaunchTensor *t = &m->tensors.data[i];
      t->extent[k] = as_given(arena, m, ex, has_grid, t->extent[k]),
      t->stride[k] = as_given(arena, m, ex, has_grid, t->stride[k]);
    }
  for (uint32_t i = 0; i < m->tensors.count; i++)
    for (uint32_t k = 0; k < m->tensors.data[i].rank; k++) mark_sizes(m, m->tensors.data[i].extent[k]);
  Launch plain = {0};
  uint32_t tensor = 0, named = m->names.count;
  for (uint32_t i = 0; i < ex->params.count; i++) {
    const Param *param = &ex->params.data[i];
    if (param->is_pointer) {
      int32_t own = param->given.same_as ? m->params.data[param->given.same_as - 1].tensor : (int32_t)tensor++;
      array_push(arena, &m->params, (LaunchParam){.tensor = own, .offset = &zero_expr});
    } else if (!read_param(arena, m, &plain, ex, i))
      return NULL;
    const LaunchExpr *stride =
        param->is_pointer || param->given.is_constant ? NULL : stride_given(arena, m, claim, options, param->symbol);
    if (stride) m->params.data[i].scalar = as_given(arena, m, ex, has_grid, stride);
  }
  for (uint32_t i = 0; i < named; i++) m->names.data[i].least = 1;
  for (uint32_t i = 0; i < named; i++) { /* names that the recovery made up */
    bool known = false;
    for (uint32_t k = 0; k < ex->params.count; k++) known |= !strcmp(ex->params.data[k].name, m->names.data[i].name);
    for (uint32_t k = 0; k < 3; k++) known |= !strcmp(term_name(ex->tt, ex->grid[k]), m->names.data[i].name);
    m->names.data[i].is_extent = !known && options->shapes.count == 0 && !launch->grid_count;
  }
  read_conditions(arena, m, ex, options);
  return m;
}

LaunchModel *launch_model(Arena *arena, const Claim *claim, const Operation *operation, const Options *options,
                          const char **why) {
  LaunchModel *m = arena_new(arena, LaunchModel);
  const Launch *launch = &operation->launches.data[0];
  m->is_repeated = launch->is_repeated, m->has_tensors = operation->has_tensors;
  memcpy(m->grid_why, launch->grid_why, sizeof m->grid_why);
  *why = operation->has_tensors ? "the operation file has an expression or an argument that is not understood"
                                : "nothing says how the kernel is launched";
  if (operation->has_tensors) return model_of_operation(arena, m, claim->ex, operation, options);
  bool given = options->shapes.count > 0;
  if (claim->stop_code && !given) return NULL;
  return model_of_recovery(arena, m, claim, launch, options);
}
