/* What the arguments and grids of a launch are in the operation's terms (step 1 of operator.c). */
#include "sequence/operator_internal.h"

#include <stdio.h>
#include <string.h>

#include "operation/given.h"

/* The number of the argument that a size goes to, where that is set to one; 0: it is to none. */
static Term number_set(const Operator *o, const char *size) {
  for (uint32_t i = 0; i < o->count; i++) {
    const Effects *ex = o->bound[i].claim->ex;
    for (uint32_t k = 0; k < ex->params.count; k++) {
      const Param *param = &ex->params.data[k];
      const LaunchArg *arg = launch_find_arg(o->bound[i].launch, param->name, k);
      const char *own = arg && arg->scalar ? expr_name(arg->scalar) : NULL;
      if (own && !strcmp(own, size) && param->given.is_constant && term_sort(ex->tt, param->symbol) == SORT_INT)
        return term_int(o->tt, param->given.integer);
    }
  }
  return 0;
}

void operator_bind_names(Operator *o) {
  for (uint32_t i = 0; i < o->names->count; i++)
    if (!o->names->data[i].term) o->names->data[i].term = number_set(o, o->names->data[i].name);
  for (uint32_t i = 0; i < o->names->count; i++)
    for (uint32_t k = 0; k < o->named.count && !o->names->data[i].term; k++)
      if (!strcmp(o->named.data[k].name, o->names->data[i].name) &&
          term_sort(o->tt, o->named.data[k].symbol) == SORT_INT)
        o->names->data[i].term = o->named.data[k].symbol;
}

Term operator_expression(Operator *o, const Expr *given) {
  const LaunchExpr *e = launch_bind(o->arena, given, o->names);
  operator_bind_names(o);
  if (e) return launch_term(o->tt, e, o->names);
  operator_stop(o, REASON_LAUNCH,
                arena_format(o->arena, "the expression %s of the operation file is not understood", given->text));
  return o->tt->one;
}

static void note_wide(Operator *o, Term symbol, Term lo, Term hi) {
  for (uint32_t i = 0; i < o->wide.count; i++)
    if (o->wide.data[i].symbol == symbol) return;
  array_push(o->arena, &o->wide, (Wide){symbol, lo, hi});
}

/* What the type of an integer argument holds, of sizes from 1 on. */
static void note_type_range(Operator *o, const Effects *ex, const Param *param, Term symbol) {
  const Type *type = program_get_type(ex->program, param->type);
  uint32_t width = type->kind == TYPE_INT ? type->width : 64;
  Int128 half = (Int128)1 << (width - 1);
  if (width == 1)
    note_wide(o, symbol, o->tt->zero, o->tt->one);
  else
    note_wide(o, symbol,
              term_new_rat(o->tt, (Rational){param->is_size    ? 1
                                             : param->is_count ? 0
                                                               : -half,
                                             1}),
              term_new_rat(o->tt, (Rational){half - 1, 1}));
}

static Named *find_named(Operator *o, const char *name) {
  for (uint32_t i = o->named.count; i-- > 0;)
    if (!strcmp(o->named.data[i].name, name)) return &o->named.data[i];
  return NULL;
}

/* One value: the same number, or none. */
static bool is_given_as(const Named *known, const Expr *number) {
  return known->number && number ? known->number->real == number->real : !known->number && !number;
}

static bool is_tensor(const Operation *operation, const char *name) {
  for (uint32_t i = 0; operation->has_tensors && i < operation->tensors.count; i++)
    if (!strcmp(operation->tensors.data[i].name, name)) return true;
  return false;
}

static const char *range_of(Operator *o, const Bound *b, const Param *param) {
  return arena_format(o->arena, "the range of argument %s of %s", param->name, operator_kernel(b));
}

/* The first of those that are one with it. */
static Term first_same(const Operator *o, Term symbol) {
  for (uint32_t i = 0; i < o->seen.count; i++)
    if (o->seen.data[i].late == symbol) return first_same(o, o->seen.data[i].early);
  return symbol;
}

void operator_note_same(Operator *o, Term a, Term b) {
  int64_t x, y;
  TermTable *tt = o->tt;
  if (term_kind(tt, a) != TERM_SYM || term_kind(tt, b) != TERM_SYM || !operator_sample(o, a, &x) ||
      !operator_sample(o, b, &y) || x != y)
    return;
  Term first = first_same(o, a), second = first_same(o, b), early = first < second ? first : second,
       late = first < second ? second : first;
  if (early != late)
    array_push(o->arena, &o->seen, ((SameNumber){early, late, term_name(tt, early), term_name(tt, late)}));
}

/* The symbol that one by that name is taken to be, as in the launch; 0: it is one of its own. */
static Term same_symbol(Operator *o, const char *name) {
  const char *first = name;
  for (uint32_t i = 0; i < o->same.count; i++)
    if (!strcmp(o->same.data[i].name, first)) first = o->same.data[i].first, i = UINT32_MAX;
  for (uint32_t i = 0; i < o->tt->symbols.count && first != name; i++) {
    const Symbol *s = &o->tt->symbols.data[i];
    if (s->sort != SORT_INT || s->role == SYMBOL_TENSOR || strcmp(term_name(o->tt, s->term), first)) continue;
    operator_assume(o, ASSUME_LAUNCH, 0, arena_format(o->arena, "%s = %s", name, first),
                    "both go along one axis of a tensor, and were given one number", NULL);
    return s->term;
  }
  return 0;
}

/* The size of the operation by that name; 0: it has none. */
static Term size_named(Operator *o, const char *name) {
  for (uint32_t i = 0; i < o->names->count; i++)
    if (!strcmp(o->names->data[i].name, name)) return operator_expression(o, expr_read(o->arena, name));
  return 0;
}

/* The symbol of an argument that goes by its own name: one for all launches, unless their numbers differ. It is no
 * tensor of the operation that has the argument's name, and a number no size. */
static Term own_name(Operator *o, const Bound *b, const Param *param, const Expr *number) {
  TermTable *tt = o->tt;
  const char *name = param->name;
  int64_t sample = 0;
  bool has_sample = expr_number(number, &sample);
  Named *known = find_named(o, name);
  for (uint32_t other = o->launch + 1; (known && !is_given_as(known, number)) ||
                                       (number && given_names(o->operation, name)) || is_tensor(o->operation, name);
       other++) {
    name = arena_format(o->arena, "%s_%u", param->name, other);
    known = find_named(o, name);
  }
  Symbol own = *term_symbol(b->claim->ex->tt, param->symbol);
  Term lo = own.lo ? importer_term(b->importer, own.lo) : 0, hi = own.hi ? importer_term(b->importer, own.hi) : 0;
  if (known) {
    Symbol *s = term_symbol(tt, known->symbol);
    if (lo && (!s->lo || term_prove_le(tt, s->lo, lo))) s->lo = lo;
    if (hi && (!s->hi || term_prove_le(tt, hi, s->hi))) s->hi = hi;
    known->is_shared |= number != NULL;
    return known->symbol;
  }
  Term symbol = size_named(o, name);
  if (!symbol && own.sort == SORT_INT) symbol = same_symbol(o, name);
  if (symbol)
    operator_assume_range(o, range_of(o, b, param), symbol, lo, hi);
  else {
    symbol = term_symbol_new(tt, intern_text(tt->names, name), own.sort, own.role);
    if (own.sort == SORT_INT) term_symbol_range(tt, symbol, lo, hi);
    if (own.sort == SORT_INT) note_type_range(o, b->claim->ex, param, symbol);
  }
  array_push(o->arena, &o->named,
             (Named){.name = name, .symbol = symbol, .number = number, .has_sample = has_sample, .sample = sample});
  return symbol;
}

bool operator_is_plain_name(const char *text) {
  return text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")] == 0 &&
         (*text < '0' || *text > '9');
}

/* The size of the grid of an earlier launch that was given the same number; 0: there is none, or there are several. */
static Term grid_of_number(const Operator *o, const Expr *number) {
  Term found = 0;
  for (uint32_t i = 0; i < o->launch; i++)
    for (uint32_t axis = 0; axis < o->bound[i].launch->grid_count; axis++) {
      if (!expr_same(o->bound[i].launch->grid[axis], number) || expr_is_one(number)) continue;
      if (found && found != o->bound[i].grid[axis]) return 0;
      found = o->bound[i].grid[axis];
    }
  return found;
}

/* The length of an array whose shape is given; NULL: the argument is none, or it is a number, which is a sample. */
static const Expr *given_length(const Operator *o, const Bound *b, const char *argument) {
  int64_t number;
  const Effects *ex = b->claim->ex;
  for (uint32_t array = 0, axis; launch_is_length(ex, argument, &array, &axis); array++)
    for (uint32_t i = 0; i < o->operation->tensors.count; i++) {
      const OperationTensor *t = &o->operation->tensors.data[i];
      bool is_its = axis < t->rank && !strcmp(t->name, launch_tensor_name(b->launch, ex, array));
      if (is_its && !t->own_shape && !expr_number(t->shape[axis], &number)) return t->shape[axis];
    }
  return NULL;
}

void operator_bind_scalar(Operator *o, Bound *b, const Param *param, uint32_t place) {
  const LaunchArg *arg = launch_find_arg(b->launch, param->name, place);
  const TermTable *from = b->claim->ex->tt;
  const Expr *given = arg ? arg->scalar : given_length(o, b, param->name);
  bool is_real = term_sort(from, param->symbol) == SORT_REAL;
  Term value = given && !is_real && (o->takes & TAKES_RELATIONS) ? grid_of_number(o, given) : 0;
  if (value)
    operator_assume(o, ASSUME_LAUNCH, 0,
                    arena_format(o->arena, "%s of %s = %s", param->name, operator_kernel(b), term_text(o->tt, value)),
                    arena_format(o->arena, "both were given %s", given->text), NULL);
  else if (!is_real && (o->takes & TAKES_ONES) && expr_is_one(given)) {
    value = o->tt->one;
    operator_assume(o, ASSUME_LAUNCH, 0, arena_format(o->arena, "%s of %s = 1", param->name, operator_kernel(b)),
                    "as in the launch that was given", NULL);
  } else if (!given || given->is_real)
    value = own_name(o, b, param, given);
  else if (is_real && expr_name(given)) {
    Param renamed = *param;
    renamed.name = expr_name(given);
    value = own_name(o, b, &renamed, NULL);
  } else if (is_real) {
    operator_stop(
        o, REASON_LAUNCH,
        arena_format(o->arena, "argument %s of %s is no number and no name", param->name, operator_kernel(b)));
    return;
  } else {
    Symbol own = *term_symbol(from, param->symbol);
    value = operator_expression(o, given);
    operator_assume_range(o, range_of(o, b, param), value, own.lo ? importer_term(b->importer, own.lo) : 0,
                          own.hi ? importer_term(b->importer, own.hi) : 0);
  }
  importer_map(b->importer, param->symbol, value);
  const char *shown = term_text(o->tt, value);
  if (strcmp(param->name, shown)) array_push(o->arena, &b->renames, ((Rename){param->name, shown, value}));
  if (term_kind(o->tt, value) != TERM_SYM || term_symbol(o->tt, value)->role == SYMBOL_GRID) return;
  for (uint32_t i = 0; i < o->out->pointwise->scalars.count; i++)
    if (o->out->pointwise->scalars.data[i].symbol == value) return;
  const Pointwise *p = b->claim->pointwise;
  for (uint32_t i = 0; i < p->scalars.count; i++)
    if (p->scalars.data[i].symbol == param->symbol) { /* the first: arguments that are one number have one symbol */
      array_push(o->arena, &o->out->pointwise->scalars,
                 (PointwiseScalar){value, term_name(o->tt, value), p->scalars.data[i].dtype, NULL, false});
      return;
    }
}

static void find_grid(Operator *o, Bound *b, uint32_t axis, AssumptionKind kind, const char *text, const char *why) {
  uint32_t number = operator_assume(o, kind, 0, text, why, NULL);
  o->out->assumptions.data[number].grid = (uint8_t)(axis + 1);
  b->found_grid[axis] = 1 + number;
}

void operator_bind_grid(Operator *o, Bound *b, uint32_t axis) {
  TermTable *tt = o->tt;
  const TermTable *from = b->claim->ex->tt;
  Term grid = b->claim->ex->grid[axis], value;
  const Expr *given = axis < b->launch->grid_count ? b->launch->grid[axis] : NULL;
  const char *own = term_name(from, grid);
  Symbol limits = *term_symbol(from, grid);
  const char *name = o->launch ? arena_format(o->arena, "%s_%u", own, o->launch + 1) : own;
  int64_t number;
  bool is_sample = !b->launch->is_grid_given && expr_number(given, &number);
  if (b->launch->grid_count && (!is_sample || (o->takes & TAKES_GRIDS))) {
    value = given ? operator_expression(o, given) : tt->one; /* an axis that is left out has one program */
    if (is_sample && value != tt->one)
      find_grid(o, b, axis, ASSUME_LAUNCH, arena_format(o->arena, "%s = %s", name, term_text(tt, value)),
                "what a temporary holds is known for the launch that was given");
    if (b->launch->grid_why[axis])
      find_grid(o, b, axis, ASSUME_GRID, arena_format(o->arena, "%s = %s", own, term_text(tt, value)),
                b->launch->grid_why[axis]);
    b->has_grid |= given != NULL;
    if (limits.hi != from->one)
      operator_assume_range(o, "a launch has so many programs", value, importer_term(b->importer, limits.lo),
                            importer_term(b->importer, limits.hi));
    else if (value != tt->one) /* nothing uses the program ids of this axis */
      b->other_grid = arena_format(o->arena, "%s = 1, and the grid that was given has %s along that axis", own,
                                   term_text(tt, value));
  } else if ((value = b->launch->grid_count ? 0 : size_named(o, name)) || (value = same_symbol(o, name)))
    operator_assume_range(o, "a launch has so many programs", value, importer_term(b->importer, limits.lo),
                          importer_term(b->importer, limits.hi));
  else {
    value = term_symbol_new(tt, intern_text(tt->names, name), SORT_INT, SYMBOL_GRID);
    term_symbol(tt, value)->axis = axis;
    term_symbol_range(tt, value, importer_term(b->importer, limits.lo), importer_term(b->importer, limits.hi));
    note_wide(o, value, tt->one, term_int(tt, axis ? 65535 : INT32_MAX));
  }
  importer_map(b->importer, grid, value);
  b->grid[axis] = value;
  const char *shown = term_text(tt, value);
  if (strcmp(own, shown)) array_push(o->arena, &b->renames, ((Rename){own, shown, value}));
}
