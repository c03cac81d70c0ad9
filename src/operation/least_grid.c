/* The grid of a kernel whose shapes are given (see least_grid.h).
 *
 * Where nothing masks a program id, the kernel itself says nothing of how many programs there are: out[row, :] of the
 * program `row` makes an output of grid_x rows, whatever grid_x is. With --shape out=M,N the least grid that covers it
 * has M programs. The extent that the recovery found is b*grid for some b of arguments, so it is cdiv(M, b); or
 * cdiv(grid, b), so it is b*M. */
#include "operation/least_grid.h"

#include <stdio.h>
#include <string.h>

#include "operation/launch.h"

typedef struct Finder {
  Arena *arena;
  const Claim *claim;
  const Options *options;
} Finder;

static const NamedExpressions *given_shape(const Finder *f, const PointwiseTensor *t) {
  const Effects *ex = f->claim->ex;
  char number[24] = "";
  for (uint32_t i = 0; i < ex->params.count; i++)
    if (ex->params.data[i].symbol == t->symbol) snprintf(number, sizeof number, "arg%u", i);
  for (uint32_t i = 0; i < f->options->shapes.count; i++) {
    const NamedExpressions *shape = &f->options->shapes.data[i];
    if (!strcmp(shape->name, t->name) || !strcmp(shape->name, number)) return shape;
  }
  return NULL;
}

/* Of arguments alone, which an expression may name. */
static bool is_of_arguments(const Finder *f, Term t) {
  TermTable *tt = f->claim->ex->tt;
  TermList symbols = {0};
  if (term_node(tt, t)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_UNDEF | TERM_HAS_FOLD)) return false;
  term_symbols(tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    bool own = false;
    for (uint32_t k = 0; k < f->claim->ex->params.count; k++)
      own |= f->claim->ex->params.data[k].symbol == symbols.data[i];
    if (!own) return false;
  }
  return true;
}

/* An extent that was given, over the kernel's arguments; other names are symbols of their own. */
static Term given_extent(const Finder *f, const Expr *given, LaunchNames *names) {
  const Effects *ex = f->claim->ex;
  const LaunchExpr *e = launch_bind(f->arena, given, names);
  for (uint32_t i = 0; e && i < names->count; i++)
    for (uint32_t k = 0; k < ex->params.count && !names->data[i].term; k++) {
      const Param *param = &ex->params.data[k];
      char number[24];
      snprintf(number, sizeof number, "arg%u", k);
      bool own = !strcmp(names->data[i].name, param->name) || !strcmp(names->data[i].name, number);
      if (own && !param->is_pointer && term_sort(ex->tt, param->symbol) == SORT_INT)
        names->data[i].term = param->symbol;
    }
  return e ? launch_term(ex->tt, e, names) : 0;
}

/* The axes that were given up to that stride, behind those up to the stride before: [*from, *to). */
static bool find_axes(const Finder *f, const PointwiseTensor *t, const NamedExpressions *shape, uint32_t axis,
                      uint32_t *from, uint32_t *to) {
  TermTable *tt = f->claim->ex->tt;
  LaunchNames *names = arena_new(f->arena, LaunchNames);
  Term packed = tt->one;
  *from = axis ? UINT32_MAX : 0, *to = UINT32_MAX;
  for (uint32_t k = shape->count; k-- > 0;) {
    Term extent = given_extent(f, shape->expressions[k], names);
    if (packed == t->stride[axis]) *to = k + 1;
    if (axis && packed == t->stride[axis - 1]) *from = k + 1;
    if (!extent) return false;
    packed = term_mul(tt, packed, extent);
  }
  return *from < *to && *to != UINT32_MAX;
}

/* How long the shape that was given is along an axis of the view: of other axes, those that the strides say make it up.
 */
static const char *length(const Finder *f, const PointwiseTensor *t, const NamedExpressions *shape, uint32_t axis) {
  uint32_t from, to;
  if (shape->count == t->rank) return shape->expressions[axis]->text;
  if (!find_axes(f, t, shape, axis, &from, &to)) return NULL;
  Text text = text_new(f->arena);
  for (uint32_t k = from; k < to; k++) text_format(&text, "%s(%s)", k > from ? " * " : "", shape->expressions[k]->text);
  return text_string(&text);
}

/* extent = cdiv(grid, size): groups of programs, of which the last may be shorter. 0: it is not that. */
static Term group_size(TermTable *tt, Term extent, Term grid) {
  Term last = term_sub(tt, extent, tt->one), before = term_sub(tt, grid, tt->one);
  if (term_kind(tt, last) == TERM_FLOORDIV && term_arg(tt, last, 0) == before) return term_arg(tt, last, 1);
  if (term_kind(tt, extent) != TERM_FLOORDIV) return 0;
  Term size = term_arg(tt, extent, 1);
  return term_sub(tt, term_arg(tt, extent, 0), before) == size ? size : 0;
}

/* The number of programs for that the tensor is as long as it was given; NULL: the tensor does not tell. */
static const char *from_tensor(const Finder *f, const PointwiseTensor *t, Term grid) {
  TermTable *tt = f->claim->ex->tt;
  const NamedExpressions *shape = given_shape(f, t);
  for (uint32_t k = 0; shape && k < t->rank; k++) {
    Term block, size = term_has_symbol(tt, t->extent[k], grid) ? group_size(tt, t->extent[k], grid) : 0;
    const char *whole = term_has_symbol(tt, t->extent[k], grid) ? length(f, t, shape, k) : NULL;
    if (whole && size && is_of_arguments(f, size))
      return arena_format(f->arena, "(%s) * (%s)", whole, term_text(tt, size));
    if (whole && !recover_divides(tt, grid, t->extent[k], &block)) whole = NULL;
    if (!whole || !is_of_arguments(f, block)) continue;
    return block == tt->one ? whole : arena_format(f->arena, "cdiv(%s, %s)", whole, term_text(tt, block));
  }
  return NULL;
}

/* Outputs first: an input may be longer. */
static const char *from_tensors(const Finder *f, Term grid, const char **why) {
  const Pointwise *p = f->claim->pointwise;
  for (int written = 1; written >= 0; written--)
    for (uint32_t i = 0; i < p->tensors.count; i++) {
      const PointwiseTensor *t = &p->tensors.data[i];
      const char *text = t->is_written == written && (t->is_read || t->is_written) ? from_tensor(f, t, grid) : NULL;
      if (!text) continue;
      *why = arena_format(f->arena, "the least grid that covers %s, whose shape was given", t->name);
      return text;
    }
  return NULL;
}

/* The recovery made up a name for the number of groups, as grid_x = H*T*n: what n is. */
static const char *from_groups(const Finder *f, Term value, const char **why) {
  TermTable *tt = f->claim->ex->tt;
  TermList symbols = {0};
  Term groups = 0, size;
  term_symbols(tt, value, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    if (is_of_arguments(f, symbols.data[i])) continue;
    if (groups) return NULL;
    groups = symbols.data[i];
  }
  if (!groups || !recover_divides(tt, groups, value, &size) || !is_of_arguments(f, size)) return NULL;
  const char *text = from_tensors(f, groups, why);
  return text ? arena_format(f->arena, "(%s) * (%s)", text, term_text(tt, size)) : NULL;
}

/* Why the launch has no second program along the axis; NULL: nothing depends on it. */
static const char *why_single(const Claim *claim, uint32_t axis) {
  const Effects *ex = claim->ex;
  for (uint32_t i = 0; i < claim->assumptions.count; i++) {
    const Assumption *a = &claim->assumptions.data[i];
    if (a->grid == axis + 1 || (a->condition && term_has_symbol(ex->tt, a->condition, ex->grid[axis]))) return a->why;
  }
  return NULL;
}

const Launch *least_grid(Arena *arena, const Claim *claim, const Launch *launch, const Options *options) {
  Finder f = {arena, claim, options};
  const Effects *ex = claim->ex;
  TermTable *tt = ex->tt;
  if (claim->stop_code || launch->grid_count || !options->shapes.count) return NULL;
  Launch *out = arena_new(arena, Launch);
  const Expr **grid = arena_array(arena, const Expr *, 3);
  bool found = false;
  *out = *launch;
  for (uint32_t axis = 0; axis < 3; axis++) {
    Term value = term_rebuild(tt, recover_now(claim, UINT32_MAX, ex->grid[axis]));
    const char *size = "1";
    grid[axis] = expr_read(arena, size);
    if (value == tt->one || (value == ex->grid[axis] && term_symbol(tt, value)->hi == tt->one)) {
      out->grid_why[axis] = why_single(claim, axis);
      continue;
    }
    out->grid_why[axis] = "the least grid that covers the output";
    if (is_of_arguments(&f, value))
      size = term_text(tt, value);
    else if (!(size = value == ex->grid[axis] ? from_tensors(&f, value, &out->grid_why[axis])
                                              : from_groups(&f, value, &out->grid_why[axis])))
      return NULL;
    else
      found = true;
    grid[axis] = expr_read(arena, size);
  }
  out->grid = grid, out->grid_count = 3, out->is_grid_given = 1;
  return found ? out : NULL;
}
