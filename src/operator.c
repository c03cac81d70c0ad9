/* Launches of an operation to one recovery (see operator.h).
 *
 * 1. bind: per launch, what each argument and grid size is, as a term of the table of the result.
 * 2. tensors: which of the operation's tensors each pointer is, and how the result sees it.
 * 3. import: the launch's pointwise form and its assumptions in these terms.
 * 4. compose (lift/sequence.c).
 * 5. texts of what the launches found, in the operation's names. */
#include "operator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"
#include "given.h"
#include "lift/sequence.h"
#include "operator_coverage.h"
#include "prove/launch.h"
#include "prove/obligations.h"
#include "prove/sample.h"

typedef struct Named { /* a symbol of the result that arguments go by */
  const char *name;
  Term symbol;
  const char *number; /* that the launch gave for it; NULL: none */
  bool has_sample;    /* ... which is an integer */
  int64_t sample;
  bool is_shared, is_stride; /* of several launches; known as the stride of a tensor */
} Named;

typedef struct Wide { /* a symbol of an argument or grid, with all that its type holds */
  Term symbol, lo, hi;
} Wide;

typedef struct Rename { const char *from, *to; } Rename;

typedef struct Bound { /* one launch on its way */
  const Launch *launch;
  Recovery *recovery;
  Importer *importer;
  bool is_bound, has_grid; /* has_grid: expressions, no sample */
  const char *other_grid;  /* what the launch was lifted for, and the grid that was given is not shown to be */
  Term grid[3];
  uint32_t found_grid[3]; /* 1 + the assumption of one that was found for the shapes that were given; 0: it is the user's */
  Array(Rename) renames;
  uint32_t *tensor; /* by pointwise tensor */
  Term *offset;
} Bound;

struct Operator {
  Arena *arena;
  TermTable *tt;
  const Operation *operation;
  LaunchNames *names; /* of the operation's expressions */
  Array(Named) named;
  Array(Wide) wide;
  Sequence sequence;
  Array(bool) adopted; /* by tensor: its view is that of a launch, as far as known */
  Recovery *out;
  Bound *bound;
  uint32_t count, launch; /* the one at hand */
  unsigned takes;         /* TAKES_*: of the sample, as the result needs it */
};

/* an argument is the size of a grid that is the same number; grids are their numbers; an argument that was given 1 is 1 */
enum { TAKES_RELATIONS = 1, TAKES_GRIDS = 2, TAKES_ONES = 4 };

static void stop(Operator *o, const char *code, const char *text) {
  if (!o->out->stop_code) o->out->stop_code = code, o->out->stop_text = text;
}

static const char *kernel_of(const Bound *b) { return b->recovery->pointwise->kernel; }

/* ---- assumptions ---- */

static uint32_t assume(Operator *o, const char *kind, Term condition, const char *text, const char *why, const char *limit) {
  for (uint32_t i = 0; i < o->out->assumptions.count; i++)
    if (!strcmp(o->out->assumptions.data[i].text, text)) {
      Assumption *known = &o->out->assumptions.data[i];
      if (!strcmp(kind, "user") && !strcmp(known->kind, kind) && known->condition && condition) known->condition = term_and(o->tt, known->condition, condition); /* of a grid: each launch has its own */
      if (!strcmp(kind, "user")) known->kind = kind, known->why = why;
      return i;
    }
  array_push(o->arena, &o->out->assumptions, (Assumption){.kind = kind, .why = why, .limit = limit, .condition = condition, .text = text});
  return o->out->assumptions.count - 1;
}

/* value is in the range of the parameter, which is that of its type or what the kernel needs. */
static void assume_range(Operator *o, const Bound *b, const Param *param, Term value, Term lo, Term hi) {
  TermTable *tt = o->tt;
  const char *why = arena_format(o->arena, "argument %s of %s", param->name, kernel_of(b));
  if (hi && !term_prove_le(tt, value, hi))
    assume(o, "range", term_le(tt, value, hi), arena_format(o->arena, "%s <= %s", term_text(tt, value), term_text(tt, hi)), why, NULL);
  if (lo && !term_prove_le(tt, lo, value))
    assume(o, "range", term_le(tt, lo, value), arena_format(o->arena, "%s >= %s", term_text(tt, value), term_text(tt, lo)), why, NULL);
}

/* ---- 1. arguments ---- */

static bool is_number(const char *text, int64_t *value) {
  char *end;
  *value = strtoll(text, &end, 10);
  return end != text && !*end;
}

/* An argument that goes by its own name. */
static void bind_names(Operator *o) {
  for (uint32_t i = 0; i < o->names->count; i++)
    for (uint32_t k = 0; k < o->named.count && !o->names->data[i].term; k++)
      if (!strcmp(o->named.data[k].name, o->names->data[i].name) && term_sort(o->tt, o->named.data[k].symbol) == SORT_INT) o->names->data[i].term = o->named.data[k].symbol;
}

static Term expression(Operator *o, const char *text) {
  const LaunchExpr *e = launch_parse(o->arena, text, o->names);
  bind_names(o);
  if (e) return launch_term(o->tt, e, o->names);
  stop(o, "launch", arena_format(o->arena, "the expression %s of the operation file is not understood", text));
  return o->tt->one;
}

/* An expression without names. */
static bool is_of_numbers(Operator *o, const char *text) {
  int64_t number;
  LaunchNames *names = arena_new(o->arena, LaunchNames);
  const LaunchExpr *e = launch_parse(o->arena, text, names);
  return e && !names->count && term_is_int(o->tt, launch_term(o->tt, e, names), &number);
}

static void note_wide(Operator *o, Term symbol, Term lo, Term hi) {
  for (uint32_t i = 0; i < o->wide.count; i++) if (o->wide.data[i].symbol == symbol) return;
  array_push(o->arena, &o->wide, (Wide){symbol, lo, hi});
}

/* What the type of an integer argument holds, of sizes from 1 on. */
static void note_type_range(Operator *o, const Execution *ex, const Param *param, Term symbol) {
  const Type *type = program_get_type(ex->program, param->type);
  uint32_t width = type->kind == TYPE_INT ? type->width : 64;
  Int128 half = (Int128)1 << (width - 1);
  if (width == 1) note_wide(o, symbol, o->tt->zero, o->tt->one);
  else note_wide(o, symbol, param->is_size ? o->tt->one : term_new_rat(o->tt, (Rational){-half, 1}), term_new_rat(o->tt, (Rational){half - 1, 1}));
}

static Named *find_named(Operator *o, const char *name) {
  for (uint32_t i = o->named.count; i-- > 0;) if (!strcmp(o->named.data[i].name, name)) return &o->named.data[i];
  return NULL;
}

/* One value: the same number, or none. */
static bool is_given_as(const Named *known, const char *number) {
  return known->number && number ? strtod(known->number, NULL) == strtod(number, NULL) : !known->number && !number;
}

/* The symbol of an argument that goes by its own name: one for all launches, unless their numbers differ. A number is no size of the
 * operation that has the argument's name. */
static Term own_name(Operator *o, const Bound *b, const Param *param, const char *number) {
  TermTable *tt = o->tt;
  const char *name = param->name;
  int64_t sample = 0;
  bool has_sample = number && is_number(number, &sample);
  Named *known = find_named(o, name);
  for (uint32_t other = o->launch + 1; (known && !is_given_as(known, number)) || (number && given_names(o->operation, name)); other++) {
    name = arena_format(o->arena, "%s_%u", param->name, other);
    known = find_named(o, name);
  }
  Symbol own = *term_symbol(b->recovery->ex->tt, param->symbol);
  Term lo = own.lo ? importer_term(b->importer, own.lo) : 0, hi = own.hi ? importer_term(b->importer, own.hi) : 0;
  if (known) {
    Symbol *s = term_symbol(tt, known->symbol);
    if (lo && (!s->lo || term_prove_le(tt, s->lo, lo))) s->lo = lo;
    if (hi && (!s->hi || term_prove_le(tt, hi, s->hi))) s->hi = hi;
    known->is_shared |= number != NULL;
    return known->symbol;
  }
  Term symbol = 0;
  for (uint32_t i = 0; i < o->names->count; i++) /* a size of the operation by that name */
    if (!strcmp(o->names->data[i].name, name)) symbol = expression(o, name);
  if (symbol) assume_range(o, b, param, symbol, lo, hi);
  else {
    symbol = term_symbol_new(tt, intern_text(tt->names, name), own.sort, own.role);
    if (own.sort == SORT_INT) term_symbol_range(tt, symbol, lo, hi);
    if (own.sort == SORT_INT) note_type_range(o, b->recovery->ex, param, symbol);
  }
  array_push(o->arena, &o->named, (Named){.name = name, .symbol = symbol, .number = number, .has_sample = has_sample, .sample = sample});
  return symbol;
}

const LaunchArg *operator_find_arg(const Launch *launch, const char *name, uint32_t place) {
  char number[24];
  snprintf(number, sizeof number, "arg%u", place);
  for (uint32_t i = 0; i < launch->args.count; i++)
    if (!strcmp(launch->args.data[i].param, name) || !strcmp(launch->args.data[i].param, number)) return &launch->args.data[i];
  return NULL;
}

static bool is_plain_name(const char *text) {
  return text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")] == 0 && (*text < '0' || *text > '9');
}

/* In place of a name within an expression. */
static const char *as_operand(Operator *o, const char *shown) {
  bool plain = is_plain_name(shown) || !shown[strspn(shown, "0123456789")];
  return plain ? shown : arena_format(o->arena, "(%s)", shown);
}

/* The size of the grid of an earlier launch that was given the same number; 0: there is none, or there are several. */
static Term grid_of_number(const Operator *o, const char *number) {
  Term found = 0;
  for (uint32_t i = 0; i < o->launch; i++)
    for (uint32_t axis = 0; axis < o->bound[i].launch->grid_count; axis++) {
      if (strcmp(o->bound[i].launch->grid[axis], number) || !strcmp(number, "1")) continue;
      if (found && found != o->bound[i].grid[axis]) return 0;
      found = o->bound[i].grid[axis];
    }
  return found;
}

static void bind_scalar(Operator *o, Bound *b, const Param *param, uint32_t place) {
  const LaunchArg *arg = operator_find_arg(b->launch, param->name, place);
  const TermTable *from = b->recovery->ex->tt;
  const char *text = arg ? arg->scalar : NULL;
  bool is_real = term_sort(from, param->symbol) == SORT_REAL;
  char *end = NULL;
  if (text) strtod(text, &end);
  Term value = text && !is_real && (o->takes & TAKES_RELATIONS) ? grid_of_number(o, text) : 0;
  if (value) assume(o, "launch", 0, arena_format(o->arena, "%s of %s = %s", param->name, kernel_of(b), term_text(o->tt, value)), arena_format(o->arena, "both were given %s", text), NULL);
  else if (text && !is_real && (o->takes & TAKES_ONES) && !strcmp(text, "1")) {
    value = o->tt->one;
    assume(o, "launch", 0, arena_format(o->arena, "%s of %s = 1", param->name, kernel_of(b)), "as in the launch that was given", NULL);
  } else if (!text || !*end) value = own_name(o, b, param, text);
  else if (is_real && is_plain_name(text)) {
    Param renamed = *param;
    renamed.name = text;
    value = own_name(o, b, &renamed, NULL);
  } else if (is_real) {
    stop(o, "launch", arena_format(o->arena, "argument %s of %s is no number and no name", param->name, kernel_of(b)));
    return;
  } else {
    Symbol own = *term_symbol(from, param->symbol);
    value = expression(o, text);
    assume_range(o, b, param, value, own.lo ? importer_term(b->importer, own.lo) : 0, own.hi ? importer_term(b->importer, own.hi) : 0);
  }
  importer_map(b->importer, param->symbol, value);
  const char *shown = term_text(o->tt, value);
  if (strcmp(param->name, shown)) array_push(o->arena, &b->renames, (Rename){param->name, as_operand(o, shown)});
  if (term_kind(o->tt, value) != TERM_SYM || term_symbol(o->tt, value)->role == SYMBOL_GRID) return;
  for (uint32_t i = 0; i < o->out->pointwise->scalars.count; i++) if (o->out->pointwise->scalars.data[i].symbol == value) return;
  const Pointwise *p = b->recovery->pointwise;
  for (uint32_t i = 0; i < p->scalars.count; i++)
    if (p->scalars.data[i].symbol == param->symbol)
      array_push(o->arena, &o->out->pointwise->scalars, (PointwiseScalar){value, term_name(o->tt, value), p->scalars.data[i].dtype});
}

/* An expression of the operation; else the launch's own grid, which is another one in each launch. */
static void bind_grid(Operator *o, Bound *b, uint32_t axis) {
  TermTable *tt = o->tt;
  const TermTable *from = b->recovery->ex->tt;
  Term grid = b->recovery->ex->grid[axis], value;
  const char *text = axis < b->launch->grid_count ? b->launch->grid[axis] : b->launch->grid_count ? "" : NULL, *own = term_name(from, grid);
  Symbol limits = *term_symbol(from, grid);
  Param param = {.name = own};
  const char *name = o->launch ? arena_format(o->arena, "%s_%u", own, o->launch + 1) : own;
  bool is_sample = text && !b->launch->is_grid_given && is_of_numbers(o, text);
  if (text && (!is_sample || (o->takes & TAKES_GRIDS))) { /* "": an axis that is left out has one program */
    value = *text ? expression(o, text) : tt->one;
    if (is_sample && value != tt->one)
      b->found_grid[axis] = 1 + assume(o, "launch", 0, arena_format(o->arena, "%s = %s", name, term_text(tt, value)), "what a temporary holds is known for the launch that was given", NULL);
    if (b->launch->grid_why[axis]) b->found_grid[axis] = 1 + assume(o, "grid", 0, arena_format(o->arena, "%s = %s", own, term_text(tt, value)), b->launch->grid_why[axis], NULL);
    b->has_grid |= *text != 0;
    if (limits.hi != from->one) assume_range(o, b, &param, value, importer_term(b->importer, limits.lo), importer_term(b->importer, limits.hi));
    else if (value != tt->one) /* nothing uses the program ids of this axis */
      b->other_grid = arena_format(o->arena, "%s = 1, and the grid that was given has %s along that axis", own, term_text(tt, value));
  } else {
    value = term_symbol_new(tt, intern_text(tt->names, name), SORT_INT, SYMBOL_GRID);
    term_symbol(tt, value)->axis = axis;
    term_symbol_range(tt, value, importer_term(b->importer, limits.lo), importer_term(b->importer, limits.hi));
    note_wide(o, value, tt->one, term_int(tt, axis ? 65535 : INT32_MAX));
  }
  importer_map(b->importer, grid, value);
  b->grid[axis] = value;
  const char *shown = term_text(tt, value);
  if (strcmp(own, shown)) array_push(o->arena, &b->renames, (Rename){own, as_operand(o, shown)});
}

/* ---- 2. tensors ---- */

static bool all_numbers(const OperationTensor *t) {
  int64_t number;
  for (uint32_t k = 0; k < t->rank; k++) if (!is_number(t->shape[k], &number)) return false;
  return true;
}

static const char *dim_name(Operator *o, Term extent, const char *tensor, uint32_t axis) {
  return term_kind(o->tt, extent) == TERM_SYM ? term_name(o->tt, extent) : arena_format(o->arena, "%s_d%u", tensor, axis);
}

/* A tensor of the operation file; one whose shape is a sample takes that of the first launch that touches it. */
static void declare_tensor(Operator *o, const OperationTensor *from) {
  TermTable *tt = o->tt;
  PointwiseTensor t = {.name = from->name, .rank = from->rank};
  bool flags = from->own_shape || from->own_strides || !o->operation->has_tensors; /* of --shape and --strides: no sample */
  bool adopt = !flags && (all_numbers(from) || from->rank > POINTWISE_MAX_RANK);
  Term packed = tt->one;
  if (flags && from->rank > POINTWISE_MAX_RANK) {
    stop(o, "views", arena_format(o->arena, "the shape and the strides of %s that are given do not go together", from->name));
    t.rank = 0, adopt = true;
  }
  for (uint32_t k = t.rank; k-- > 0 && !adopt;) {
    t.extent[k] = from->own_shape ? 0 : expression(o, from->shape[k]);
    if (from->own_shape || from->own_strides) {
      t.stride[k] = from->own_strides ? 0 : expression(o, from->strides[k]);
      if (t.extent[k]) t.dim_name[k] = dim_name(o, t.extent[k], t.name, k);
      continue;
    }
    t.stride[k] = from->strides ? expression(o, from->strides[k]) : packed;
    t.dim_name[k] = dim_name(o, t.extent[k], t.name, k);
    packed = term_mul(tt, packed, t.extent[k]);
  }
  array_push(o->arena, &o->sequence.tensors, (SequenceTensor){.view = t, .temporary = from->temporary});
  array_push(o->arena, &o->adopted, adopt);
}

static uint32_t find_tensor(Operator *o, const char *name) {
  for (uint32_t i = 0; i < o->sequence.tensors.count; i++) if (!strcmp(o->sequence.tensors.data[i].view.name, name)) return i;
  return SEQUENCE_UNUSED;
}

/* The number of a term when every argument that goes by its own name is what the launch gave. */
static bool sample_of(Operator *o, Term t, int64_t *value) {
  for (uint32_t i = 0; i < o->named.count; i++)
    if (o->named.data[i].has_sample) t = term_replace(o->tt, t, o->named.data[i].symbol, term_int(o->tt, o->named.data[i].sample));
  return term_is_int(o->tt, t, value);
}

/* A stride that goes by a name of its own and has the number that the tensor's stride has: it is that one. */
static Term match_stride(Operator *o, const Bound *b, Term own, Term declared) {
  int64_t a, n;
  if (term_sub(o->tt, own, declared) == o->tt->zero || term_kind(o->tt, own) != TERM_SYM) return own;
  if (!sample_of(o, own, &a) || !sample_of(o, declared, &n) || a != n) return own;
  const char *text = arena_format(o->arena, "%s = %s", term_text(o->tt, own), term_text(o->tt, declared));
  assume(o, "launch", term_eq(o->tt, own, declared), text, arena_format(o->arena, "%s was given %lld", kernel_of(b), (long long)a), NULL);
  return declared;
}

/* --strides x=N,1 of a kernel whose argument is the stride: it is that one. What bounds an index as well is no such argument. */
static Term take_stride(Operator *o, const Bound *b, Term symbol, Term own, Term declared) {
  const Execution *ex = b->recovery->ex;
  bool free = false;
  for (uint32_t i = 0; i < ex->params.count; i++) free |= ex->params.data[i].symbol == symbol && !ex->params.data[i].is_size && !ex->params.data[i].is_named;
  if (!free || !declared || term_has_symbol(o->tt, declared, own) || term_kind(o->tt, own) != TERM_SYM) return own;
  const char *text = arena_format(o->arena, "%s = %s", term_text(o->tt, own), term_text(o->tt, declared));
  assume(o, "user", term_eq(o->tt, own, declared), text, "--strides", NULL);
  return declared;
}

/* Before anything of the launch is imported but its arguments. */
static void match_strides(Operator *o, Bound *b) {
  const Pointwise *p = b->recovery->pointwise;
  for (uint32_t i = 0; i < p->tensors.count; i++) {
    const PointwiseTensor *own = &p->tensors.data[i];
    if (b->tensor[i] == SEQUENCE_UNUSED || (!own->is_read && !own->is_written)) continue;
    const PointwiseTensor *declared = &o->sequence.tensors.data[b->tensor[i]].view;
    if (!declared->symbol && o->adopted.data[b->tensor[i]]) continue;
    for (uint32_t k = 0; k < own->rank && own->rank == declared->rank; k++) {
      if (term_kind(p->tt, own->stride[k]) != TERM_SYM) continue;
      Term is = importer_term(b->importer, own->stride[k]), by = match_stride(o, b, is, declared->stride[k]);
      if (by == is && !o->operation->has_tensors) by = take_stride(o, b, own->stride[k], is, declared->stride[k]);
      if (by == is) continue;
      importer_map(b->importer, own->stride[k], by);
      for (uint32_t n = 0; n < o->named.count; n++) if (o->named.data[n].symbol == is) o->named.data[n].is_stride = true;
      for (uint32_t s = 0; s < o->out->pointwise->scalars.count; s++)
        if (o->out->pointwise->scalars.data[s].symbol == is) o->out->pointwise->scalars.data[s] = o->out->pointwise->scalars.data[--o->out->pointwise->scalars.count];
    }
  }
}

/* Which tensor each pointer is. */
static void place_tensors(Operator *o, Bound *b) {
  const Pointwise *p = b->recovery->pointwise;
  const Execution *ex = b->recovery->ex;
  b->tensor = arena_array(o->arena, uint32_t, p->tensors.count + 1);
  b->offset = arena_array(o->arena, Term, p->tensors.count + 1);
  for (uint32_t i = 0; i < p->tensors.count; i++) {
    const PointwiseTensor *t = &p->tensors.data[i];
    uint32_t place = 0;
    while (place + 1 < ex->params.count && ex->params.data[place].symbol != t->symbol) place++;
    const LaunchArg *arg = o->operation->has_tensors ? operator_find_arg(b->launch, t->name, place) : NULL;
    const char *name = arg && arg->tensor ? arg->tensor : t->name, *by_place = arena_format(o->arena, "arg%u", place);
    if (!o->operation->has_tensors && find_tensor(o, name) == SEQUENCE_UNUSED && find_tensor(o, by_place) != SEQUENCE_UNUSED) o->sequence.tensors.data[find_tensor(o, by_place)].view.name = name;
    b->offset[i] = arg && arg->offset ? expression(o, arg->offset) : o->tt->zero;
    b->tensor[i] = find_tensor(o, name);
    if (strcmp(name, t->name)) array_push(o->arena, &b->renames, (Rename){t->name, name});
    if (b->tensor[i] == SEQUENCE_UNUSED && (t->is_read || t->is_written)) {
      if (o->operation->has_tensors) stop(o, "launch", arena_format(o->arena, "argument %s of %s is no tensor of the operation", t->name, kernel_of(b)));
      array_push(o->arena, &o->sequence.tensors, (SequenceTensor){.view = {.name = name}});
      array_push(o->arena, &o->adopted, true);
      b->tensor[i] = o->sequence.tensors.count - 1;
    }
    for (uint32_t k = 0; k < i; k++) /* the kernel was lifted as if they were two */
      if (b->tensor[k] == b->tensor[i] && b->tensor[i] != SEQUENCE_UNUSED && (p->tensors.data[k].is_written || t->is_written))
        stop(o, "alias", arena_format(o->arena, "%s and %s of %s are one tensor", p->tensors.data[k].name, t->name, kernel_of(b)));
  }
}

/* An argument, the size of a grid, a number, or products of these. */
static bool is_plain_size(const Recovery *r, Term t) {
  TermTable *tt = r->ex->tt;
  if (term_kind(tt, t) == TERM_RAT) return true;
  if (term_kind(tt, t) == TERM_ADD) return term_count(tt, t) == 3 && !term_constant_part(tt, t).num && is_plain_size(r, term_arg(tt, t, 2));
  if (term_kind(tt, t) == TERM_MUL) {
    for (uint32_t i = 0; i < term_count(tt, t); i += 2) if (!is_plain_size(r, term_arg(tt, t, i))) return false;
    return true;
  }
  for (uint32_t i = 0; i < r->ex->params.count; i++) if (r->ex->params.data[i].symbol == t) return true;
  return t == r->ex->grid[0] || t == r->ex->grid[1] || t == r->ex->grid[2];
}

/* The name of an extent that no argument speaks of. */
static bool is_made_up(const Recovery *r, Term t) { return term_kind(r->ex->tt, t) == TERM_SYM && !is_plain_size(r, t); }

/* A tensor of --shape is row-major, but for strides that are arguments. Where sizes decide whether rows overlap, it is assumed of an
 * output that they do not. */
static void pack_rows(Operator *o, const Execution *ex, const PointwiseTensor *own, PointwiseTensor *t) {
  TermTable *tt = o->tt;
  Term packed = tt->one;
  bool fits = true;
  for (uint32_t k = t->rank; k-- > 0; packed = term_mul(tt, t->stride[k], t->extent[k])) {
    if (!recover_has_stride_argument(ex, own->stride[k]) || term_prove_lt(tt, t->stride[k], packed)) t->stride[k] = packed;
    else fits &= term_prove_le(tt, packed, t->stride[k]);
  }
  if (!fits && own->is_written)
    assume(o, "disjoint", 0, arena_format(o->arena, "the strides of %s do not make elements overlap", t->name), "an output has one place per element", NULL);
}

/* A tensor that a shape of other axes cuts in its own way, as no argument says how far its rows are apart: a number of rows that was made up
 * is as many as were given, up to the stride of these rows. false: it cannot be told. */
static bool cut_rows(Operator *o, Bound *b, const PointwiseTensor *own, const PointwiseTensor *t) {
  TermTable *tt = o->tt;
  for (uint32_t k = 0; k < own->rank; k++) {
    Term stride = importer_term(b->importer, own->stride[k]), before = k ? importer_term(b->importer, own->stride[k - 1]) : 0, packed = tt->one, rows = 0;
    if (recover_has_stride_argument(b->recovery->ex, own->stride[k])) return false;
    if (!is_made_up(b->recovery, own->extent[k])) continue;
    bool ended = false;
    for (uint32_t i = t->rank; i-- > 0 && !ended; packed = term_mul(tt, packed, t->extent[i])) {
      if (packed == before) ended = true;
      else if (rows || packed == stride) rows = term_mul(tt, rows ? rows : tt->one, t->extent[i]);
    }
    if (!rows || (before && !ended)) return false;
    importer_map(b->importer, own->extent[k], rows);
  }
  return true;
}

static void pack_all(Operator *o, PointwiseTensor *t) {
  Term packed = o->tt->one;
  for (uint32_t k = t->rank; k-- > 0; packed = term_mul(o->tt, packed, t->extent[k])) t->stride[k] = packed, t->dim_name[k] = dim_name(o, t->extent[k], t->name, k);
}

/* What --shape or --strides leaves open is as the first launch that touches the tensor goes along it. */
static void complete_tensors(Operator *o, Bound *b) {
  const Pointwise *p = b->recovery->pointwise;
  for (uint32_t i = 0; i < p->tensors.count; i++) {
    const PointwiseTensor *own = &p->tensors.data[i];
    if (b->tensor[i] == SEQUENCE_UNUSED || o->adopted.data[b->tensor[i]] || (!own->is_read && !own->is_written)) continue;
    PointwiseTensor *t = &o->sequence.tensors.data[b->tensor[i]].view;
    bool own_strides = t->rank && !t->stride[0];
    if (!t->rank || (t->extent[0] && t->stride[0])) continue;
    if (t->rank != own->rank && own->rank == 1 && !t->stride[0] && own->stride[0] == p->tt->one) { /* rows after one another, gone along as memory */
      Term count = t->extent[0], extent = importer_term(b->importer, own->extent[0]);
      for (uint32_t k = 1; k < t->rank; k++) count = term_mul(o->tt, count, t->extent[k]);
      if (!is_plain_size(b->recovery, own->extent[0])) { /* no argument says it: the tensor is as large as it is given, and the bounds are asked of that */
        if (is_made_up(b->recovery, own->extent[0])) importer_map(b->importer, own->extent[0], count);
        t->rank = 1, t->extent[0] = count, t->stride[0] = o->tt->one, t->dim_name[0] = dim_name(o, count, t->name, 0);
        continue;
      }
      const char *text = arena_format(o->arena, "%s = %s", term_text(o->tt, extent), term_text(o->tt, count));
      assume(o, "user", term_eq(o->tt, extent, count), text, arena_format(o->arena, "--shape: %s goes along %s as memory", kernel_of(b), own->name), NULL);
      o->adopted.data[b->tensor[i]] = true;
      continue;
    }
    if (t->rank != own->rank && t->rank == 1 && !t->stride[0]) t->stride[0] = o->tt->one; /* memory, whose rows the kernel knows */
    else if (t->rank != own->rank && own_strides && cut_rows(o, b, own, t)) {
      pack_all(o, t);
      continue;
    } else if (t->rank != own->rank) {
      const char *what = t->extent[0] ? "--shape" : "--strides";
      stop(o, "views", arena_format(o->arena, "%s is seen with %u axes by %s: %s has %u", own->name, own->rank, kernel_of(b), what, t->rank));
      return;
    }
    for (uint32_t k = 0; k < t->rank; k++) {
      if (!t->extent[k]) t->extent[k] = importer_term(b->importer, own->extent[k]), t->is_least[k] = own->is_least[k];
      else if (is_made_up(b->recovery, own->extent[k])) importer_map(b->importer, own->extent[k], t->extent[k]);
      if (!t->stride[k]) t->stride[k] = importer_term(b->importer, own->stride[k]);
      t->dim_name[k] = dim_name(o, t->extent[k], t->name, k);
    }
    if (own_strides && t->rank == own->rank) pack_rows(o, b->recovery->ex, own, t);
  }
}

/* The longer of two extents. */
static Term merge_extent(TermTable *tt, Term a, Term b) {
  if (term_prove_le(tt, a, b)) return b;
  return term_prove_le(tt, b, a) ? a : term_max(tt, a, b);
}

static void see_tensor(Operator *o, const PointwiseTensor *own, uint32_t number) {
  TermTable *tt = o->tt;
  SequenceTensor *t = &o->sequence.tensors.data[number];
  if (!t->view.symbol) {
    PointwiseTensor view = o->adopted.data[number] ? *own : t->view;
    view.name = t->view.name, view.dtype = own->dtype, view.sort = own->sort;
    view.symbol = term_symbol_new(tt, intern_text(tt->names, view.name), own->sort, SYMBOL_TENSOR);
    for (uint32_t k = 0; k < view.rank; k++) view.dim_name[k] = dim_name(o, view.extent[k], view.name, k);
    t->view = view;
  } else if (o->adopted.data[number] && own->rank == t->view.rank)
    for (uint32_t k = 0; k < own->rank; k++)
      t->view.extent[k] = merge_extent(tt, t->view.extent[k], own->extent[k]), t->view.is_least[k] |= own->is_least[k];
  if (strcmp(t->view.dtype, own->dtype)) stop(o, "views", arena_format(o->arena, "launches see %s as %s and as %s", t->view.name, t->view.dtype, own->dtype));
}

/* ---- 3. import ---- */

static const Pointwise *import_pointwise(Operator *o, Bound *b) {
  const Pointwise *from = b->recovery->pointwise;
  Pointwise *to = arena_new(o->arena, Pointwise);
  *to = (Pointwise){.tt = o->tt, .kernel = from->kernel};
  for (uint32_t i = 0; i < from->tensors.count; i++) {
    PointwiseTensor t = from->tensors.data[i];
    t.symbol = importer_term(b->importer, t.symbol);
    for (uint32_t k = 0; k < t.rank; k++) t.extent[k] = importer_term(b->importer, t.extent[k]), t.stride[k] = importer_term(b->importer, t.stride[k]);
    if (!t.is_read && !t.is_written) t.rank = 0;
    array_push(o->arena, &to->tensors, t);
  }
  for (uint32_t i = 0; i < from->outputs.count; i++) {
    const PointwiseOutput *output = &from->outputs.data[i];
    PointwiseOutput made = {.tensor = output->tensor, .rank = output->rank, .scatter = output->scatter};
    for (uint32_t k = 0; k < made.rank; k++) made.index[k] = importer_term(b->importer, output->index[k]);
    for (uint32_t k = 0; k < output->pieces.count; k++) {
      const PointwisePiece *piece = &output->pieces.data[k];
      PointwisePiece copy = {importer_term(b->importer, piece->region), importer_term(b->importer, piece->value), piece->accumulate};
      array_push(o->arena, &made.pieces, copy);
    }
    array_push(o->arena, &to->outputs, made);
  }
  return to;
}

/* ---- 5. texts ---- */

static bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9'); }

/* Of "NAME = 1, M = 5" with a name that has become 1: what is behind it. NULL: it is not that. */
static const char *behind_itself(const char *rest, const char *by) {
  size_t n = strlen(by);
  if (by[strspn(by, "0123456789")] || strncmp(rest, " = ", 3) || strncmp(rest + 3, by, n) || is_word(rest[3 + n])) return NULL;
  return rest + 3 + n;
}

/* Whole words only. */
static const char *renamed(Operator *o, const Bound *b, const char *text) {
  if (!text || !b->renames.count) return text;
  Text out = text_new(o->arena);
  while (*text) {
    size_t n = 0;
    while (is_word(text[n])) n++;
    const char *by = NULL;
    for (uint32_t i = 0; i < b->renames.count && n; i++)
      if (strlen(b->renames.data[i].from) == n && !strncmp(b->renames.data[i].from, text, n)) by = b->renames.data[i].to;
    const char *behind = by ? behind_itself(text + n, by) : NULL;
    if (behind) {
      if (!strncmp(behind, ", ", 2)) behind += 2;
      else if (out.count > 2 && !strncmp(text_string(&out) + out.count - 2, ", ", 2)) out.count -= 2;
      text = behind;
      continue;
    }
    if (by) text_add(&out, by);
    else text_append(&out, text, n ? n : 1);
    text += n ? n : 1;
  }
  return text_string(&out);
}

static const uint32_t HOLDS = UINT32_MAX, FAILS = UINT32_MAX - 1; /* an assumption that needs none; of another launch */

/* Sizes that are plain names are stated once, for all launches. */
static uint32_t assume_sizes(Operator *o) {
  Text sizes = text_new(o->arena);
  for (uint32_t i = 0; i < o->tt->symbols.count; i++) {
    const Symbol *s = &o->tt->symbols.data[i];
    if (s->sort != SORT_INT || s->role != SYMBOL_SIZE || !s->lo || !term_prove_le(o->tt, o->tt->one, s->lo)) continue;
    bool named = false;
    for (uint32_t k = 0; k < o->names->count; k++) named |= o->names->data[k].term == s->term;
    for (uint32_t k = 0; k < o->named.count; k++) named |= o->named.data[k].symbol == s->term;
    if (named) text_format(&sizes, "%s%s", sizes.count ? ", " : "", term_name(o->tt, s->term));
  }
  if (!sizes.count) return HOLDS;
  text_add(&sizes, " >= 1");
  return assume(o, "range", 0, text_string(&sizes), "sizes are not empty", NULL);
}

/* Row-major without gaps. */
static bool is_packed(TermTable *tt, const PointwiseTensor *t) {
  Term packed = tt->one;
  for (uint32_t k = t->rank; k-- > 0; packed = term_mul(tt, packed, t->extent[k]))
    if (term_sub(tt, t->stride[k], packed) != tt->zero) return false;
  return true;
}

/* "the strides of y do not make elements overlap" */
static bool is_of_packed(Operator *o, const Assumption *a, const char *text) {
  const char *before = "the strides of ";
  for (uint32_t i = 0; i < o->sequence.tensors.count && !strcmp(a->kind, "disjoint") && !strncmp(text, before, strlen(before)); i++) {
    const PointwiseTensor *t = &o->sequence.tensors.data[i].view;
    size_t n = strlen(t->name);
    if (t->symbol && !strncmp(text + strlen(before), t->name, n) && text[strlen(before) + n] == ' ') return is_packed(o->tt, t);
  }
  return false;
}

static void swap_ranges(Operator *o) {
  for (uint32_t i = 0; i < o->wide.count; i++) {
    Wide *w = &o->wide.data[i];
    Symbol *s = term_symbol(o->tt, w->symbol);
    Term lo = s->lo, hi = s->hi;
    term_symbol_range(o->tt, w->symbol, w->lo, w->hi);
    w->lo = lo, w->hi = hi;
  }
}

static void push_user(Operator *o) {
  for (uint32_t i = 0; i < o->out->assumptions.count; i++)
    if (!strcmp(o->out->assumptions.data[i].kind, "user") && o->out->assumptions.data[i].condition) term_push_fact(o->tt, o->out->assumptions.data[i].condition);
}

/* An equation from both sides. */
static bool is_shown(TermTable *tt, Term condition) {
  if (term_prove_true(tt, condition)) return true;
  if (term_kind(tt, condition) != TERM_EQ || term_count(tt, condition) != 1 || term_sort(tt, term_arg(tt, condition, 0)) != SORT_INT) return false;
  Term e = term_arg(tt, condition, 0);
  return term_prove_le(tt, e, tt->zero) && term_prove_le(tt, tt->zero, e);
}

/* What a launch assumes has narrowed the ranges of its symbols, and would be true by them: it is judged by the types and by what
 * the user assumes. */
static Term own_condition(Operator *o, const Bound *b, const Assumption *a) {
  if (!a->condition || !strcmp(a->kind, "range")) return a->condition ? importer_term(b->importer, a->condition) : 0;
  swap_ranges(o);
  uint32_t facts = o->tt->facts.count;
  if (strcmp(a->kind, "user")) push_user(o);
  Term condition = importer_term(importer_again(b->importer), a->condition);
  if (is_shown(o->tt, condition)) condition = o->tt->true_;
  term_pop_facts(o->tt, facts);
  swap_ranges(o);
  return condition;
}

static bool is_of_launch(const Operator *o, Term symbol) {
  for (uint32_t i = 0; i < o->names->count; i++) if (o->names->data[i].term == symbol) return true;
  for (uint32_t i = 0; i < o->named.count; i++) if (o->named.data[i].symbol == symbol) return true;
  for (uint32_t i = 0; i < o->wide.count; i++) if (o->wide.data[i].symbol == symbol) return true;
  return false;
}

/* grid = q * size of a q that the recovery has made up, where size does divide the grid: that is what q is. */
static bool is_multiple(Operator *o, Term condition) {
  TermTable *tt = o->tt;
  TermList symbols = {0};
  if (term_kind(tt, condition) != TERM_EQ || term_count(tt, condition) != 1) return false;
  Term e = term_arg(tt, condition, 0), q = 0;
  term_symbols(tt, e, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    if (is_of_launch(o, symbols.data[i])) continue;
    if (q) return false;
    q = symbols.data[i];
  }
  if (!q) return false;
  Term grid = term_replace(tt, e, q, tt->zero), size = term_sub(tt, grid, term_replace(tt, e, q, tt->one));
  if (term_has_symbol(tt, size, q) || term_sub(tt, e, term_sub(tt, grid, term_mul(tt, q, size))) != tt->zero) return false;
  Term back = term_neg(tt, grid);
  return term_mul(tt, term_floordiv(tt, grid, size), size) == grid || term_mul(tt, term_floordiv(tt, back, term_neg(tt, size)), size) == grid;
}

/* a // d <= b if a <= d*b + d - 1. */
static bool is_at_most(TermTable *tt, Term a, Term b) {
  int64_t d;
  if (term_prove_le(tt, a, b)) return true;
  if (term_kind(tt, a) != TERM_FLOORDIV || !term_is_int(tt, term_arg(tt, a, 1), &d) || d < 1) return false;
  return term_prove_le(tt, term_arg(tt, a, 0), term_add(tt, term_scale(tt, rational_int(d), b), term_int(tt, d - 1)));
}

/* The launch has at least the programs that the claim speaks of, and is shown to do nothing with the others. */
static bool has_enough(Operator *o, const Bound *b, const Assumption *a) {
  TermTable *tt = b->recovery->ex->tt;
  bool enough = false;
  if (!a->more_is_idle || term_kind(tt, a->condition) != TERM_EQ || term_count(tt, a->condition) != 1) return false;
  Term e = term_arg(tt, a->condition, 0);
  for (uint32_t i = 0; i < 3 && !enough; i++) {
    Term grid = b->recovery->ex->grid[i], rest = term_replace(tt, e, grid, tt->zero), least;
    if (term_sub(tt, e, rest) == grid) least = term_neg(tt, rest);
    else if (term_add(tt, e, grid) == rest) least = rest;
    else continue;
    swap_ranges(o);
    uint32_t facts = o->tt->facts.count;
    push_user(o);
    Importer *importer = importer_again(b->importer);
    enough = is_at_most(o->tt, importer_term(importer, least), importer_term(importer, grid));
    term_pop_facts(o->tt, facts);
    swap_ranges(o);
  }
  return enough;
}

/* "grid_y = 1" of an axis whose ids nothing uses, where the grid was given. */
static bool is_single(const Operator *o, const Bound *b, const Assumption *a) {
  for (uint32_t i = 0; i < 3; i++) {
    const char name[] = {'g', 'r', 'i', 'd', '_', "xyz"[i], ' ', '=', ' ', '1', 0};
    if (!a->condition && !strcmp(a->kind, "grid") && !strcmp(a->text, name)) return b->grid[i] == o->tt->one;
  }
  return false;
}

/* "axis 1 of x has ... elements" of a tensor whose shape is given. */
static bool is_of_given_shape(const Operator *o, const Bound *b, const Assumption *a) {
  const Pointwise *p = b->recovery->pointwise;
  bool least = false;
  for (uint32_t i = 0; i < p->tensors.count; i++) {
    if (p->tensors.data[i].symbol != a->of_extent || b->tensor[i] == SEQUENCE_UNUSED) continue;
    const PointwiseTensor *view = &o->sequence.tensors.data[b->tensor[i]].view;
    for (uint32_t k = 0; k < view->rank; k++) least |= view->is_least[k];
  }
  return a->of_extent && !least;
}

/* "grid_x = M" of a grid that was found: its number in the result, or UINT32_MAX. */
static uint32_t found_grid(const Operator *o, const Bound *b, const Assumption *a) {
  for (uint32_t i = 0; i < 3; i++) {
    const char name[] = {'g', 'r', 'i', 'd', '_', "xyz"[i], ' ', 0};
    if (!b->found_grid[i] || strcmp(a->kind, "grid") || strncmp(a->text, name, sizeof name - 1)) continue;
    if (!a->condition || !strcmp(a->text, o->out->assumptions.data[b->found_grid[i] - 1].text)) return b->found_grid[i] - 1;
  }
  return UINT32_MAX;
}

/* The number of an assumption of a launch in the result; HOLDS: by itself; FAILS: it is not of this launch. */
static uint32_t take_assumption(Operator *o, Bound *b, const Assumption *a) {
  const char *text = !strcmp(a->kind, "user") ? a->text : renamed(o, b, a->text), *limit = renamed(o, b, a->limit);
  if (!strcmp(a->why, "sizes are not empty")) return assume_sizes(o);
  if (is_single(o, b, a)) /* which a grid that was found for the shapes does not say by itself */
    return b->found_grid[0] || b->found_grid[1] || b->found_grid[2] ? assume(o, a->kind, 0, a->text, a->why, limit) : HOLDS;
  if (found_grid(o, b, a) != UINT32_MAX) return found_grid(o, b, a); /* a number is what its name has become */
  if (!*text || is_of_packed(o, a, text) || is_of_given_shape(o, b, a)) return HOLDS;
  Term condition = own_condition(o, b, a);
  bool is_range = !strcmp(a->kind, "range"), is_grid = !strcmp(a->kind, "grid");
  if (condition && (condition == o->tt->true_ || (is_range && term_prove_true(o->tt, condition)))) return HOLDS;
  if (is_grid && condition && b->has_grid && has_enough(o, b, a)) return HOLDS;
  if (is_grid && b->has_grid && !(condition && is_multiple(o, condition))) { /* a grid that is given is that grid and no other */
    const char *equal = strstr(text, " = ");
    if (equal && (size_t)(equal - text) == strspn(text, "0123456789")) /* a number goes to the right */
      text = arena_format(o->arena, "%s = %.*s", equal + 3, (int)(equal - text), text);
    if (!b->other_grid) b->other_grid = arena_format(o->arena, "%s, which is not shown of the grid that was given", text);
    return FAILS;
  }
  return assume(o, a->kind, condition, text, a->why, limit);
}

/* What an obligation rests on, in the result. Proved for another grid than that of the launch, or for a launch that was not bound, it is open. */
static void take_under(const Bound *b, Obligation *ob, const uint32_t *place) {
  uint32_t kept = 0, count = ob->under.count;
  bool fails = count && !b->is_bound;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t at = b->is_bound ? place[ob->under.data[k]] : HOLDS;
    bool known = at == HOLDS || at == FAILS;
    fails |= at == FAILS;
    for (uint32_t j = 0; j < kept; j++) known |= ob->under.data[j] == at;
    if (!known) ob->under.data[kept++] = at;
  }
  ob->under.count = kept;
  if (!fails || ob->verdict != OBLIGATION_PROVED) return;
  ob->verdict = OBLIGATION_UNKNOWN, ob->under.count = 0;
  ob->detail = b->is_bound ? "shown for another grid than the one that was given" : "shown under other assumptions than those of the launch";
}

static const char *witness_value(const SamplePairs *pairs, const char *name) {
  for (uint32_t i = 0; i < pairs->count; i++) if (!strcmp(pairs->data[i].name, name)) return pairs->data[i].value;
  return NULL;
}

/* What goes by an expression of the operation has its value, as far as the witness says what is in it. */
static bool agrees(Operator *o, const SamplePairs *sizes, const SamplePair *own, const char *shown) {
  LaunchNames *names = arena_new(o->arena, LaunchNames);
  const LaunchExpr *e = launch_parse(o->arena, shown, names);
  int64_t values[LAUNCH_MAX_NAMES] = {0}, value, wanted;
  for (uint32_t i = 0; e && i < names->count; i++) {
    const char *text = witness_value(sizes, names->data[i].name);
    if (!text || !is_number(text, &values[i])) return true;
  }
  return !e || !is_number(own->value, &wanted) || (launch_eval(e, values, &value) && value == wanted);
}

/* In an operation file's launch names are the operation's already. */
static const char *witness_name(Operator *o, const Bound *b, const char *name) {
  for (uint32_t i = 0; o->operation->has_tensors && i < o->names->count; i++) if (!strcmp(o->names->data[i].name, name)) return name;
  return renamed(o, b, name);
}

/* A witness of a launch, whose grid and arguments have other names in the result. Where these are names of other numbers it is no launch
 * of the operation, and shows nothing. */
static void rename_witness(Operator *o, const Bound *b, Obligation *ob) {
  if (!ob->witness || !b->renames.count) return;
  SampleWitness *w = arena_new(o->arena, SampleWitness);
  SamplePairs own = ob->witness->sizes;
  bool fits = true;
  *w = *ob->witness;
  w->sizes.data = NULL, w->sizes.count = w->sizes.capacity = 0;
  for (uint32_t i = 0; i < own.count; i++) {
    const char *name = witness_name(o, b, own.data[i].name), *shown = is_plain_name(name) ? name : own.data[i].name, *known = witness_value(&w->sizes, shown);
    fits &= !known || !strcmp(known, own.data[i].value);
    if (!known) array_push(o->arena, &w->sizes, (SamplePair){shown, own.data[i].value});
  }
  for (uint32_t i = 0; i < own.count; i++) {
    const char *name = witness_name(o, b, own.data[i].name);
    if (strcmp(name, own.data[i].name)) fits &= agrees(o, &w->sizes, &own.data[i], name);
  }
  ob->witness = fits ? w : NULL;
  if (fits || ob->verdict != OBLIGATION_REFUTED) return;
  ob->verdict = OBLIGATION_UNKNOWN;
  ob->detail = "shown of launches with other arguments or another grid only";
}

static void take_texts(Operator *o, Bound *b) {
  Recovery *r = b->recovery;
  uint32_t *place = arena_array(o->arena, uint32_t, r->assumptions.count + 1);
  for (uint32_t i = 0; i < r->assumptions.count && b->is_bound; i++) place[i] = take_assumption(o, b, &r->assumptions.data[i]);
  if (b->other_grid) stop(o, "grid", arena_format(o->arena, "the formula of %s is shown where %s", kernel_of(b), b->other_grid));
  for (uint32_t i = 0; i < r->obligations.count; i++) {
    Obligation *ob = &r->obligations.data[i];
    take_under(b, ob, place);
    if (!ob->is_named) ob->tensor = renamed(o, b, ob->tensor), ob->detail = renamed(o, b, ob->detail);
    rename_witness(o, b, ob);
  }
}

/* ---- all ---- */

static void assume_shared(Operator *o) {
  for (uint32_t i = 0; i < o->named.count; i++) {
    const Named *n = &o->named.data[i];
    if (!n->is_shared || n->is_stride) continue;
    const char *text = arena_format(o->arena, "%s is one number in all launches", n->name);
    assume(o, "launch", 0, text, arena_format(o->arena, "they were given %s", n->number), NULL);
  }
}

/* A launch takes what it reads to be finite. */
static void assume_finite(Operator *o) {
  for (uint32_t i = 0; i < o->sequence.tensors.count; i++) {
    const SequenceTensor *t = &o->sequence.tensors.data[i];
    if (!t->is_infinite) continue;
    const char *text = arena_format(o->arena, "what the launches leave in %s is finite", t->view.name);
    assume(o, "finite", 0, text, "a later launch reads it", NULL);
  }
}

/* A temporary that is read before anything is written there. */
static Verdict check_temporaries(Operator *o, Recovery *last) {
  Verdict verdict = VERDICT_PROVED;
  for (uint32_t i = 0; i < o->sequence.tensors.count; i++) {
    const SequenceTensor *t = &o->sequence.tensors.data[i];
    const PointwiseTensor *left = t->temporary ? pointwise_tensor(o->out->pointwise, t->view.symbol) : NULL;
    if (!left) continue;
    const char *detail = arena_format(o->arena, "the temporary %s is read where no launch is shown to have written", t->view.name);
    array_push(o->arena, &last->obligations, (Obligation){.kind = OBLIGATION_UNDEFINED, .verdict = OBLIGATION_UNKNOWN, .op = last->ex->function->op, .tensor = t->view.name, .detail = detail});
    verdict = VERDICT_UNKNOWN;
  }
  return verdict;
}

static void bind_launch(Operator *o, Bound *b) {
  const Execution *ex = b->recovery->ex;
  b->importer = importer_new(o->arena, o->tt, ex->tt);
  for (uint32_t i = 0; i < ex->params.count; i++)
    if (!ex->params.data[i].is_pointer && !ex->params.data[i].given.is_constant) bind_scalar(o, b, &ex->params.data[i], i);
  for (uint32_t i = 0; i < 3; i++) bind_grid(o, b, i);
  place_tensors(o, b);
  if (!o->out->stop_code) complete_tensors(o, b);
  if (o->out->stop_code) return;
  match_strides(o, b);
  const Pointwise *step = import_pointwise(o, b);
  for (uint32_t i = 0; i < step->tensors.count; i++)
    if (step->tensors.data[i].is_read || step->tensors.data[i].is_written) see_tensor(o, &step->tensors.data[i], b->tensor[i]);
  array_push(o->arena, &o->sequence.steps, (SequenceStep){step, b->tensor, b->offset});
  b->is_bound = true;
}

static Operator *compose(Arena *arena, InternTable *names, const Operation *operation, Recovery *const *launches, unsigned takes) {
  Operator *o = arena_new(arena, Operator);
  uint32_t count = operation->launches.count;
  *o = (Operator){.arena = arena, .takes = takes, .tt = term_table_new(arena, names), .operation = operation, .names = arena_new(arena, LaunchNames), .out = arena_new(arena, Recovery)};
  o->bound = arena_array(arena, Bound, count), o->count = count;
  Pointwise *p = o->out->pointwise = arena_new(arena, Pointwise);
  Execution *ex = o->out->ex = arena_new(arena, Execution);
  *ex = *launches[count - 1]->ex; /* for its program: nothing is asked of it but places */
  ex->tt = p->tt = o->tt;
  o->sequence = (Sequence){.arena = arena, .tt = o->tt};
  for (uint32_t i = 0; i < operation->tensors.count; i++) declare_tensor(o, &operation->tensors.data[i]);
  for (o->launch = 0; o->launch < count; o->launch++) {
    Bound *b = &o->bound[o->launch];
    b->launch = &operation->launches.data[o->launch], b->recovery = launches[o->launch];
    if (!o->out->stop_code) bind_launch(o, b);
  }
  if (!o->out->stop_code) sequence_compose(&o->sequence, p, &o->out->stop_code, &o->out->stop_text);
  return o;
}

/* The result reads what no launch left in a temporary. */
static bool reads_temporary(const Operator *o) {
  for (uint32_t i = 0; i < o->sequence.tensors.count; i++)
    if (o->sequence.tensors.data[i].temporary && pointwise_tensor(o->out->pointwise, o->sequence.tensors.data[i].view.symbol)) return true;
  return false;
}

/* Numbers are a sample, and the result is for any. Where the programs of a launch then do not cover what another reads, or go along it
 * otherwise, it is for what the sample says: that two numbers are one, or what they are. */
Operator *operator_new(Arena *arena, InternTable *names, const Operation *operation, Recovery *const *launches) {
  Operator *any = compose(arena, names, operation, launches, 0);
  if (any->out->stop_code && !strcmp(any->out->stop_code, "views")) { /* one element, as an axis of its own */
    Operator *o = compose(arena, names, operation, launches, TAKES_ONES);
    return o->out->stop_code ? any : o;
  }
  if (any->out->stop_code || !reads_temporary(any)) return any;
  for (unsigned takes = TAKES_RELATIONS; takes <= (TAKES_RELATIONS | TAKES_GRIDS); takes++) {
    Operator *o = compose(arena, names, operation, launches, takes);
    if (!o->out->stop_code && !reads_temporary(o)) return o;
  }
  return any;
}

Recovery *operator_result(Operator *o) { return o->out; }

static bool is_of_grids(Operator *o, const char *condition) {
  static const char *const grids[] = {"grid_x", "grid_y", "grid_z"};
  LaunchNames *names = arena_new(o->arena, LaunchNames);
  bool found = false;
  if (!launch_parse_condition(o->arena, condition, names)) return false;
  for (uint32_t i = 0; i < names->count; i++)
    for (uint32_t axis = 0; axis < 3; axis++) found |= !strcmp(names->data[i].name, grids[axis]);
  return found;
}

/* What the user assumes of names that are no argument of a kernel by themselves: printed, and used of the launches alone. */
static void assume_given(Operator *o, const Options *options) {
  for (uint32_t i = 0; i < options->assumes.count; i++) {
    if (is_of_grids(o, options->assumes.data[i])) continue; /* each launch has its own */
    const LaunchExpr *e = launch_parse_condition(o->arena, options->assumes.data[i], o->names);
    bool known = false;
    bind_names(o);
    for (uint32_t k = 0; k < o->out->assumptions.count; k++) known |= !strcmp(o->out->assumptions.data[k].text, options->assumes.data[i]);
    swap_ranges(o); /* of which the launches know already what the user says */
    if (e && !known) assume(o, "user", launch_term(o->tt, e, o->names), options->assumes.data[i], given_why(options, i), NULL);
    swap_ranges(o);
  }
}

/* The number of a sample in the place of what goes by a name of its own: arguments and grids. */
static void replace_samples(Operator *o, CoverageAsked *asked) {
  int64_t number;
  for (uint32_t i = 0; i < o->named.count; i++)
    if (o->named.data[i].has_sample) array_push(o->arena, &asked->sample, ((CoverageSample){o->named.data[i].symbol, o->named.data[i].sample}));
  for (uint32_t i = 0; i < o->count; i++)
    for (uint32_t k = 0; k < 3; k++) {
      const Launch *l = o->bound[i].launch;
      const char *text = k < l->grid_count ? l->grid[k] : "1";
      if (o->bound[i].is_bound && l->grid_count && is_number(text, &number)) array_push(o->arena, &asked->sample, ((CoverageSample){o->bound[i].grid[k], number}));
    }
}

/* The tensor as the launches go along it has as many elements as the file says; one of which no launch says so is not known. */
static bool has_declared_shape(Operator *o, uint32_t tensor) {
  const PointwiseTensor *view = &o->sequence.tensors.data[tensor].view;
  const OperationTensor *from = NULL;
  for (uint32_t i = 0; i < o->operation->tensors.count; i++) if (!strcmp(o->operation->tensors.data[i].name, view->name)) from = &o->operation->tensors.data[i];
  if (!o->adopted.data[tensor] || !from) return true;
  bool same = view->rank == from->rank;
  for (uint32_t k = 0; k < view->rank && same; k++) {
    int64_t declared, own;
    same = is_number(from->shape[k], &declared) && sample_of(o, view->extent[k], &own) && own == declared;
  }
  return same;
}

static bool is_open_coverage(const Obligation *ob, const char *tensor) {
  return ob->is_of_operation && ob->verdict == OBLIGATION_UNKNOWN && ob->tensor && !strcmp(ob->tensor, tensor);
}

/* Of a tensor that several launches write, where each alone leaves something out. What is not written or not known is said once. */
static void settle_coverage(Operator *o, uint32_t tensor, bool is_proved) {
  const SequenceTensor *t = &o->sequence.tensors.data[tensor];
  Obligation *last = NULL;
  for (uint32_t i = 0; i < o->count; i++)
    for (uint32_t k = 0; k < o->bound[i].recovery->obligations.count; k++)
      if (is_open_coverage(&o->bound[i].recovery->obligations.data[k], t->view.name)) last = &o->bound[i].recovery->obligations.data[k];
  if (!last) return;
  CoverageAsked asked = {.arena = o->arena, .whole = o->out, .tensor = t, .is_proved = is_proved && !o->out->stop_code && has_declared_shape(o, tensor)};
  const PointwiseTensor *left = pointwise_tensor(o->out->pointwise, t->view.symbol);
  asked.is_input = !t->temporary && left && left->is_read;
  replace_samples(o, &asked);
  Coverage found = coverage_of_launches(&asked);
  for (uint32_t i = 0; i < o->count; i++) {
    Recovery *r = o->bound[i].recovery;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < r->obligations.count; k++) {
      Obligation *ob = &r->obligations.data[k];
      bool open = is_open_coverage(ob, t->view.name);
      if (open && ob != last && found.verdict != OBLIGATION_PROVED) continue;
      if (open) ob->verdict = found.verdict, ob->detail = found.detail, ob->witness = found.witness, ob->under.count = 0;
      for (uint32_t n = 0; n < found.under.count && open; n++) array_push(o->arena, &ob->under, found.under.data[n]);
      r->obligations.data[kept++] = *ob;
    }
    r->obligations.count = kept;
  }
}

static Verdict settle_all(Operator *o, bool is_proved, const Options *options) {
  Verdict worst = VERDICT_PROVED;
  for (uint32_t i = 0; i < o->sequence.tensors.count; i++) settle_coverage(o, i, is_proved);
  for (uint32_t i = 0; i < o->count; i++)
    for (uint32_t k = 0; k < o->bound[i].recovery->obligations.count; k++) {
      Obligation *ob = &o->bound[i].recovery->obligations.data[k];
      int verdict = ob->is_of_operation ? obligation_settle(ob, o->bound[i].recovery->ex, options) : OBLIGATION_PROVED;
      if (verdict == OBLIGATION_REFUTED) worst = VERDICT_REFUTED;
      else if (verdict != OBLIGATION_PROVED && worst != VERDICT_REFUTED) worst = VERDICT_UNKNOWN;
    }
  return worst;
}

/* What holds anyway is said as well. */
static void say_given(Operator *o, const Options *options) {
  for (uint32_t i = 0; i < options->assumes.count; i++)
    if (is_of_grids(o, options->assumes.data[i])) assume(o, "user", 0, options->assumes.data[i], "--assume", NULL);
}

/* What the user assumes and what is found of the launches exclude each other: anything would be proved. */
static bool excludes_itself(Operator *o, const Options *options) {
  Term all = o->tt->true_;
  if (!options->assumes.count) return false;
  for (uint32_t i = 0; i < o->out->assumptions.count; i++)
    if (o->out->assumptions.data[i].condition) all = term_and(o->tt, all, o->out->assumptions.data[i].condition);
  return given_is_contradiction(o->tt, all);
}

Verdict operator_finish(Operator *o, bool is_proved, const Options *options) {
  assume_given(o, options);
  for (uint32_t i = 0; i < o->count; i++) take_texts(o, &o->bound[i]);
  say_given(o, options);
  if (o->names->count) assume_sizes(o);
  assume_finite(o);
  assume_shared(o);
  if (!o->out->stop_code && excludes_itself(o, options)) {
    stop(o, "contradiction", "what is given and what is assumed exclude each other: no launch is spoken of");
    return VERDICT_UNKNOWN;
  }
  Verdict covered = settle_all(o, is_proved, options);
  if (covered == VERDICT_REFUTED || o->out->stop_code) return covered == VERDICT_REFUTED ? covered : VERDICT_UNKNOWN;
  Verdict order = check_temporaries(o, o->bound[o->count - 1].recovery);
  return covered == VERDICT_PROVED ? order : covered;
}
