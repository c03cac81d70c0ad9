/* Extents: TTIR gives no shapes, so that a tensor is as large as its accesses need, and no larger.
 *
 * An access needs an index to stay below the bound that its mask gives it, or else below the end of its range.
 * Conjuncts of the mask that are the same in the whole launch (`n_blocks >= 2`) say whether the access is made at all:
 * where accesses need different extents, each counts under its own condition only. */
#include "lift/recover_internal.h"

#include <stdlib.h>
#include <string.h>

Term recover_bound_parts(Recover *r, const Axis *axis, Term mask) {
  TermTable *tt = r->tt;
  Term part = tt->zero, last = tt->zero;
  bool one = false;
  if (!axis->count) return 0;
  for (uint32_t p = 0; p < axis->count; p++)
    part = term_add(tt, part, term_scale(tt, axis->parts[p].k, axis->parts[p].coordinate));
  Term bound = recover_bound(r, part, mask); /* all but the constant */
  if (bound) return term_add(tt, bound, axis->constant);
  for (uint32_t p = 0; p < axis->count && last; p++) { /* each by itself */
    bool falls = axis->parts[p].k.num < 0;             /* the index is greatest where the coordinate is least */
    Term own = falls ? 0 : recover_bound(r, axis->parts[p].coordinate, mask);
    Term hi = falls ? term_symbol(tt, axis->parts[p].coordinate)->lo : term_symbol(tt, axis->parts[p].coordinate)->hi;
    if (own) hi = term_sub(tt, own, tt->one), one = true;
    last = hi && !recover_varies(tt, hi) ? term_add(tt, last, term_scale(tt, axis->parts[p].k, hi)) : 0;
  }
  return one && last ? term_add(tt, term_add(tt, last, axis->constant), tt->one) : 0;
}

/* The conjuncts of a mask that are the same in the whole launch. */
static Term launch_part(Recover *r, Term mask) {
  TermTable *tt = r->tt;
  if (term_kind(tt, mask) != TERM_AND) return recover_varies(tt, mask) ? tt->true_ : mask;
  Term all = tt->true_;
  for (uint32_t i = 0; i < term_count(tt, mask); i++)
    if (!recover_varies(tt, term_arg(tt, mask, i))) all = term_and(tt, all, term_arg(tt, mask, i));
  return all;
}

void recover_need(Recover *r, View *view, uint32_t axis, Term extent, Term mask) {
  if (extent) array_push(r->arena, &view->needs, (Need){axis, extent, launch_part(r, mask), 0});
}

/* True if lanes of literal length (others: the other coordinates) occur in t. */
static bool has_lanes(TermTable *tt, Term t, bool others) {
  TermList symbols = {0};
  bool found = false;
  term_symbols(tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    const Symbol *s = term_symbol(tt, symbols.data[i]);
    bool is_lane = s->role == SYMBOL_LANE && s->hi && term_is_rat(tt, s->hi);
    found |= recover_is_coordinate(tt, symbols.data[i]) && is_lane != others;
  }
  return found;
}

/* b*(index // b) >= index - (b - 1): what e <= 0 says of the index, if it speaks of the block that the index is in. */
static Term within_block(Recover *r, Term index, Term e) {
  TermTable *tt = r->tt;
  int64_t b;
  for (uint32_t i = 0; i < recover_monomial_count(tt, e); i++) {
    Term part = recover_monomial(tt, e, i), quotient;
    Rational k = term_coefficient(tt, part, &quotient);
    if (term_kind(tt, quotient) != TERM_FLOORDIV || term_arg(tt, quotient, 0) != index ||
        !term_is_int(tt, term_arg(tt, quotient, 1), &b))
      continue;
    if (b > 0 && rational_equal(k, rational_int(b)))
      return term_add(tt, term_sub(tt, e, part), term_sub(tt, index, term_int(tt, b - 1)));
  }
  return e;
}

/* The mask may leave fewer lanes of the block than there are: of pid + lane where pid <= 3 and lane <= 0 there are
 * four. */
static Term least_of(Recover *r, Term most, Term mask, Term bound) {
  Axis axis;
  Term parts = recover_parse_axis(r->tt, most, &axis) ? recover_bound_parts(r, &axis, mask) : 0;
  return parts && !recover_varies(r->tt, parts) && term_prove_le(r->tt, parts, bound) ? parts : bound;
}

/* o < n of an index o - k: at the counter's first value it is what the mask speaks of. */
static bool is_beside(TermTable *tt, Term e, Term most) {
  TermList symbols = {0};
  term_symbols(tt, most, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (recover_is_coordinate(tt, symbols.data[i]) && term_symbol(tt, symbols.data[i])->role != SYMBOL_COUNTER)
      return false;
  return has_lanes(tt, e, false);
}

/* What one more of v adds; 0: not the same everywhere. */
static int64_t step_of(TermTable *tt, Term t, Term v) {
  int64_t step = 0;
  return term_is_int(tt, term_sub(tt, term_replace(tt, t, v, term_add(tt, v, tt->one)), t), &step) ? step : 0;
}

/* 4*s + h where s < n: 4*n of them, however s is made of a program and a lane. */
static Term bound_of_multiple(Recover *r, Term index, Term e) {
  TermTable *tt = r->tt;
  TermList symbols = {0};
  int64_t factor = 0;
  term_symbols(tt, e, &symbols);
  for (uint32_t i = 0; i < symbols.count && !factor; i++) {
    if (!recover_is_coordinate(tt, symbols.data[i])) continue;
    int64_t own = step_of(tt, index, symbols.data[i]), step = step_of(tt, e, symbols.data[i]);
    factor = step > 0 && own > step && own % step == 0 ? own / step : 0;
  }
  if (factor < 2) return 0;
  Term most = term_sub(tt, index, term_scale(tt, rational_int(factor), e)); /* index <= most */
  for (uint32_t i = 0; i < symbols.count; i++)
    if (recover_is_coordinate(tt, symbols.data[i]) && term_has_symbol(tt, most, symbols.data[i])) return 0;
  Term top = recover_greatest(r, most, 0);
  return top && !recover_varies(tt, top) ? term_add(tt, top, tt->one) : 0;
}

/* Whole blocks that end before the bound, `pid*B + B <= n` of `pid*B + lane`: what the mask says of their last lane. */
static Term bound_of_blocks(Recover *r, Term index, Term mask) {
  TermTable *tt = r->tt;
  uint32_t n = term_conjunct_count(tt, mask);
  for (uint32_t i = 0; i < n; i++) {
    Term c = term_conjunct(tt, mask, i);
    if (term_kind(tt, c) != TERM_LE || term_count(tt, c) != 1 || term_sort(tt, term_arg(tt, c, 0)) != SORT_INT)
      continue;
    Term e = term_arg(tt, c, 0), own = within_block(r, index, e), most = term_sub(tt, index, own); /* index <= most */
    Term multiple = bound_of_multiple(r, index, e);
    if (multiple) return multiple;
    bool is_block =
        own != e || (has_lanes(tt, e, true) && !has_lanes(tt, e, false)); /* what is said is said of all lanes */
    if (is_block ? has_lanes(tt, most, true) : !is_beside(tt, e, most)) continue;
    Term top = recover_greatest(r, most, 0);
    if (top && !recover_varies(tt, top)) return least_of(r, most, mask, term_add(tt, top, tt->one));
  }
  return 0;
}

/* e of a condition e <= 0 over integers, or 0. */
static Term below_zero(TermTable *tt, Term c) {
  bool is = term_kind(tt, c) == TERM_LE && term_count(tt, c) == 1 && term_sort(tt, term_arg(tt, c, 0)) == SORT_INT;
  return is ? term_arg(tt, c, 0) : 0;
}

/* What the mask says with two of its parts together: of j <= i and i < n, that j < n. */
static Term bound_of_two(Recover *r, Term index, Term mask) {
  TermTable *tt = r->tt;
  uint32_t n = term_kind(tt, mask) == TERM_AND ? term_count(tt, mask) : 0;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < i; k++) {
      Term a = below_zero(tt, term_arg(tt, mask, i)), b = below_zero(tt, term_arg(tt, mask, k));
      Term most = a && b ? term_sub(tt, index, term_add(tt, a, b)) : 0;
      if (most && !recover_varies(tt, most)) return term_add(tt, most, tt->one);
    }
  return 0;
}

/* The greatest value of t, where the mask may end a coordinate before its range does: of i // 2 for i < n. */
static Term greatest_under(Recover *r, Term t, Term mask) {
  TermTable *tt = r->tt;
  TermList symbols = {0};
  term_symbols(tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    Term s = symbols.data[i], hi = recover_is_coordinate(tt, s) ? term_symbol(tt, s)->hi : 0,
         end = hi ? recover_bound(r, s, mask) : 0;
    if (!end || recover_varies(tt, end) || !term_prove_le(tt, term_sub(tt, end, tt->one), hi)) continue;
    Term rise = term_sub(tt, term_replace(tt, t, s, term_add(tt, s, tt->one)), t);
    if (term_prove_le(tt, tt->zero, rise)) t = term_replace(tt, t, s, term_sub(tt, end, tt->one));
  }
  return recover_greatest(r, t, 0);
}

/* Of r <= c + W and c < N the mask says r < N + W; where programs count `grid_x` of them, that is the size that a
 * caller has a name for. Both are bounds, so that the axis may be taken to be as long as either. */
static Term plainer(Recover *r, Term index, Term mask, Term extent) {
  Term top = recover_is_plain_size(r->tt, extent) ? 0 : greatest_under(r, index, mask),
       end = top ? term_add(r->tt, top, r->tt->one) : 0;
  return end && !term_is_rat(r->tt, end) && recover_is_plain_size(r->tt, end) ? end : extent;
}

/* The mask leaves that place out: of i + 1 <= n where i + 1 != n. */
static bool is_left_out(TermTable *tt, Term mask, Term index, Term place) {
  Term there = term_eq(tt, index, place);
  for (uint32_t i = 0, n = term_conjunct_count(tt, mask); i < n; i++) {
    Term c = term_conjunct(tt, mask, i);
    if (term_kind(tt, c) == TERM_NOT && term_arg(tt, c, 0) == there) return true;
  }
  return false;
}

void recover_measure_load(Recover *r, const Access *a) {
  TermTable *tt = r->tt;
  View *view = recover_view(r, a->tensor);
  Term index[MAX_STRIDES];
  if (!recover_split_address(r, view, a->offset, index)) return;
  for (uint32_t k = 0; k < view->rank; k++) {
    if (term_node(tt, index[k])->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE)) {
      Term bound = recover_bound(r, index[k], a->mask); /* what is found lies below what is looked at */
      if (!bound) view->gathered[k] = true;
      recover_need(r, view, k, bound, a->mask);
      continue;
    }
    Axis axis;
    bool parsed = recover_parse_axis(tt, index[k], &axis);
    Term extent = recover_bound(r, index[k], a->mask);
    if (extent && parsed && axis.count == 1 && axis.constant == tt->zero && axis.parts[0].k.num == 1) {
      Symbol *lead = term_symbol(tt, axis.parts[0].coordinate); /* one block over the whole axis */
      Term block = term_add(tt, lead->hi, tt->one);
      if (lead->role == SYMBOL_LANE && !recover_is_continued(r, a, k, extent, block))
        recover_assume_cover(r, extent, block, a);
    }
    Term least = extent ? 0 : bound_of_two(r, index[k], a->mask);
    if (least) extent = plainer(r, index[k], a->mask, least);
    if (!extent) extent = bound_of_blocks(r, index[k], a->mask);
    if (!extent) {
      Term top = greatest_under(r, index[k], a->mask),
           parts = parsed && top ? recover_bound_parts(r, &axis, a->mask) : 0;
      if (top && !is_left_out(tt, a->mask, index[k], top)) top = term_add(tt, top, tt->one);
      extent = parts ? parts : top;
    }
    if (!extent) view->gathered[k] = true;
    recover_need(r, view, k, extent, a->mask);
    if (least && least != extent) view->needs.data[view->needs.count - 1].least = least;
  }
}

static bool implies(TermTable *tt, Term condition, Term other) {
  uint32_t facts = tt->facts.count;
  recover_push_mask(tt, condition);
  bool holds = term_prove_true(tt, other);
  term_pop_facts(tt, facts);
  return holds;
}

static Term either(TermTable *tt, Term a, Term b) {
  return implies(tt, a, b) ? b : implies(tt, b, a) ? a : term_or(tt, a, b);
}

/* True if, where the condition of the need does not hold, what is needed anyway is no smaller. n where n >= 2, and
 * always 1. */
static bool is_needed_anyway(TermTable *tt, const Need *need, const Need *always) {
  return always->when == tt->true_ && implies(tt, term_not(tt, need->when), term_le(tt, need->extent, always->extent));
}

/* True if the need is covered by another one: made whenever it is, and no smaller. */
static bool is_covered(TermTable *tt, const Need *need, const Need *by) {
  return (by->when == tt->true_ || by->when == need->when) && term_prove_le(tt, need->extent, by->extent);
}

typedef Array(Need) Needs;

/* Those of one axis, each extent once. */
static Needs needs_of(Recover *r, const View *view, uint32_t axis) {
  TermTable *tt = r->tt;
  Needs needs = {0};
  for (uint32_t i = 0; i < view->needs.count; i++) {
    Need need = view->needs.data[i];
    if (need.axis != axis) continue;
    need.extent = term_rebuild(tt, need.extent), need.when = term_rebuild(tt, need.when);
    uint32_t k = 0;
    while (k < needs.count && needs.data[k].extent != need.extent) k++;
    if (k == needs.count)
      array_push(r->arena, &needs, need);
    else {
      needs.data[k].when = either(tt, needs.data[k].when, need.when);
      if (!need.least) needs.data[k].least = 0;
    }
  }
  return needs;
}

/* A block that ends before the size that its lanes are compared with, by --set or --assume (else it is assumed to cover
 * it): nothing of the comparison is left in the mask, and the tensor goes on up to the size. */
static Term beyond_block(Recover *r, Term extent) {
  for (uint32_t i = 0; extent && i < r->ex->lane_bounds.count; i++) {
    const LaneBound *b = &r->ex->lane_bounds.data[i];
    Term bound = term_rebuild(r->tt, b->bound);
    if (term_add(r->tt, b->most, r->tt->one) == extent && term_prove_lt(r->tt, extent, bound)) return bound;
  }
  return extent;
}

bool recover_sample_of(const Recover *r, Term t, int64_t *value) {
  TermTable *tt = r->tt;
  for (uint32_t i = 0; i < r->ex->params.count && r->ex->options.samples; i++)
    if (r->ex->options.samples[i].is_known)
      t = term_replace(tt, t, r->ex->params.data[i].symbol, term_int(tt, r->ex->options.samples[i].value));
  for (uint32_t i = 0; i < 3; i++)
    if (r->ex->options.grid_sample[i])
      t = term_replace(tt, t, r->ex->grid[i], term_int(tt, r->ex->options.grid_sample[i]));
  return term_is_int(tt, t, value);
}

int64_t recover_sample_length(const Recover *r, const View *view, int64_t stride) {
  const ExecuteTensor *given = NULL;
  int64_t length = 0;
  for (uint32_t i = 0; i < r->ex->params.count && r->ex->options.tensors && !r->ex->program->is_host; i++)
    if (r->ex->params.data[i].symbol == view->tensor) given = r->ex->options.tensors[i];
  if (!given) return 0;
  for (uint32_t k = 0; k < given->rank; k++)
    if (given->extent[k] > 1 && given->stride[k] == stride) length = length ? -1 : given->extent[k];
  return length > 0 ? length : 0;
}

/* An input that is not read up to its end, K - 1 of K rows: where the launch that was given has a longer one, its
 * length is that size of the kernel which is in the extent, and has that number. */
static Term up_to_the_end(Recover *r, const View *view, uint32_t axis, Term extent) {
  TermTable *tt = r->tt;
  TermList symbols = {0};
  Term end = 0;
  int64_t read, value, stride, length = 0;
  if (extent && !recover_is_plain_size(tt, extent) && recover_sample_of(r, view->stride[axis], &stride))
    length = recover_sample_length(r, view, stride);
  for (uint32_t i = 0; i < r->ex->accesses.count; i++)
    if (r->ex->accesses.data[i].is_store && r->ex->accesses.data[i].tensor == view->tensor) return extent;
  if (!length || !recover_sample_of(r, extent, &read) || read >= length) return extent;
  term_symbols(tt, extent, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (recover_sample_of(r, symbols.data[i], &value) && value == length && term_prove_le(tt, extent, symbols.data[i]))
      end = symbols.data[i];
  if (!end) return extent;
  recover_assume(r, ASSUME_LAUNCH, 0,
                 arena_format(r->arena, "axis %u of %s has %s elements", axis, term_message(tt, view->tensor),
                              term_message(tt, end)),
                 arena_format(r->arena, "%lld in the launch that is given, of which %s are read", (long long)length,
                              term_text(tt, extent)),
                 NULL);
  return end;
}

static Term extent_of_axis(Recover *r, View *view, uint32_t axis) {
  TermTable *tt = r->tt;
  Needs needs = needs_of(r, view, axis);
  bool same = true; /* one condition for all: whether the tensor is accessed at all is no matter of its shape */
  for (uint32_t i = 0; i < needs.count; i++)
    for (uint32_t k = 0; k < needs.count; k++)
      if (i != k && is_needed_anyway(tt, &needs.data[i], &needs.data[k])) needs.data[i].when = tt->true_;
  for (uint32_t i = 0; i < needs.count; i++)
    for (uint32_t k = 0; k < needs.count; k++)
      if (i != k && is_covered(tt, &needs.data[i], &needs.data[k])) {
        needs.data[i] = needs.data[--needs.count];
        i = UINT32_MAX; /* once more */
        break;
      }
  for (uint32_t i = 1; i < needs.count; i++) same &= needs.data[i].when == needs.data[0].when;
  Term extent = 0;
  view->least[axis] = needs.count == 1 ? needs.data[0].least : 0;
  for (uint32_t i = 0; i < needs.count; i++) {
    Term own = same ? needs.data[i].extent : term_select(tt, needs.data[i].when, needs.data[i].extent, tt->zero);
    extent = extent ? term_max(tt, extent, own) : own;
  }
  return beyond_block(r, extent);
}

bool recover_is_plain_size(const TermTable *tt, Term extent) {
  Term product;
  if (term_is_rat(tt, extent)) return true;
  Rational k = term_coefficient(tt, extent, &product);
  if (k.num < 1 || k.den != 1) return false;
  if (term_kind(tt, product) == TERM_SYM) return true;
  if (term_kind(tt, product) != TERM_MUL) return false;
  for (uint32_t i = 0; i < term_count(tt, product); i += 2)
    if (term_kind(tt, term_arg(tt, product, i)) != TERM_SYM) return false;
  return true;
}

/* A number that no array has elements: the index of a type without sign wraps where it is less than 0. */
static Term is_of_wrap(TermTable *tt, Term t, void *found) {
  int64_t n;
  if (term_is_int(tt, t, &n) && (n >= INT32_MAX || n <= -INT32_MAX)) *(bool *)found = true;
  return t;
}

bool recover_is_plain_extent(const Claim *recovery, Term extent) {
  TermTable *tt = recovery->ex->tt;
  bool wraps = false;
  term_transform(tt, extent, is_of_wrap, &wraps);
  if (wraps) return false;
  if (recovery->ex->program->is_host) return true; /* a loop that ends before its array does is no unmasked tail */
  for (uint32_t i = 0; i < 3; i++)
    if (term_rebuild(tt, recover_now(recovery, UINT32_MAX, recovery->ex->grid[i])) == extent) return true;
  return recover_is_plain_size(tt, extent);
}

bool recover_is_row_length(TermTable *tt, const PointwiseTensor *t, uint32_t axis) {
  Term extent = t->extent[axis];
  if (!axis || !extent || term_kind(tt, extent) != TERM_ADD) return false;
  for (uint32_t i = 1; i < term_count(tt, extent); i += 2) {
    Term base = term_arg(tt, extent, i + 1);
    if (term_rat(tt, term_arg(tt, extent, i)).den != 1 || !recover_is_plain_size(tt, base)) return false;
  }
  return term_mul(tt, extent, t->stride[axis]) == t->stride[axis - 1];
}

/* A kernel that leaves out the tail of each row reads shorter rows: that these are the tensor is said. */
void recover_state_extents(Recover *r) {
  for (uint32_t i = 0; i < r->out->pointwise->tensors.count; i++) {
    PointwiseTensor *t = &r->out->pointwise->tensors.data[i];
    for (uint32_t k = 0; k < t->rank; k++) {
      t->is_least[k] =
          t->extent[k] && !recover_is_plain_extent(r->out, t->extent[k]) && !recover_is_row_length(r->tt, t, k);
      Term least = recover_view(r, t->symbol)->least[k];
      if ((!t->is_least[k] && !least) || !t->is_read) continue;
      const char *text = arena_format(r->arena, "axis %u of %s has %s elements", k, term_message(r->tt, t->symbol),
                                      term_message(r->tt, t->extent[k])),
                 *why = least ? arena_format(r->arena, "as it is gone along, of which %s would do: no shape was given",
                                             term_message(r->tt, least))
                              : "what is read of it: no shape was given";
      recover_assume(r, ASSUME_RANGE, 0, text, why, NULL);
      r->out->assumptions.data[r->out->assumptions.count - 1].of_extent = t->symbol;
    }
  }
}

static Term size_symbol(const Recover *r, const char *name) {
  for (uint32_t i = 0; i < r->ex->params.count; i++)
    if (!strcmp(r->ex->params.data[i].name, name) && !r->ex->params.data[i].is_pointer)
      return r->ex->params.data[i].symbol;
  return 0;
}

/* A SIZE (program.h) as a term; 0: no argument has the name. */
static Term declared_size(const Recover *r, AttrId size) {
  TermTable *tt = r->tt;
  const Program *p = r->ex->program;
  const Attr *a = program_get_attr(p, size);
  guard_tick(r->arena->guard);
  if (a->kind == ATTR_INT) return term_int(tt, a->integer);
  if (a->kind == ATTR_STRING) return size_symbol(r, intern_string(p->names, a->text));
  if (a->kind != ATTR_ARRAY || a->count != 3 || program_get_attr(p, a->items[0])->kind != ATTR_STRING) return 0;
  char op = *intern_string(p->names, program_get_attr(p, a->items[0])->text);
  Term x = declared_size(r, a->items[1]), y = x ? declared_size(r, a->items[2]) : 0;
  if (!y) return 0;
  return op == '+' ? term_add(tt, x, y) : op == '-' ? term_sub(tt, x, y) : op == '*' ? term_mul(tt, x, y) : 0;
}

uint32_t recover_declared_shape(const Recover *r, Term tensor, Term *extent) {
  const Program *p = r->ex->program;
  uint32_t argument = 0, rank;
  while (argument < r->ex->params.count && r->ex->params.data[argument].symbol != tensor) argument++;
  bool is_said = p->is_host && argument < r->ex->params.count; /* nobody holds a kernel's text against its tensors */
  const AttrId *shape = is_said ? program_arg_shape(p, r->ex->function, argument, &rank) : NULL;
  for (uint32_t k = 0; shape && k < rank; k++) {
    bool is_known = k || program_get_attr(p, shape[k])->kind != ATTR_UNIT;
    extent[k] = is_known ? declared_size(r, shape[k]) : 0;
    if (is_known && !extent[k]) return 0;
  }
  return shape ? rank : 0;
}

void recover_declare_strides(Recover *r, View *view) {
  Term extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK], step = r->tt->one;
  uint32_t rank = recover_declared_shape(r, view->tensor, extent);
  for (uint32_t k = rank; k-- > 0;) {
    stride[k] = step;
    if (k) step = term_mul(r->tt, step, extent[k]);
  }
  for (uint32_t k = 0; k < rank; k++) recover_add_stride(view, stride[k]);
}

/* The shape that the reader knows, where the tensor is accessed along all of its axes, row-major. */
static void declared_extents(Recover *r, View *view) {
  TermTable *tt = r->tt;
  Term extent[TYPE_MAX_RANK], stride = tt->one;
  uint32_t rank = recover_declared_shape(r, view->tensor, extent);
  bool fits = rank && rank == view->rank;
  for (uint32_t k = rank; fits && k-- > 0;) {
    fits = view->stride[k] == stride;
    if (fits && k) stride = term_mul(tt, stride, extent[k]);
  }
  for (uint32_t k = 0; fits && k < rank; k++)
    if (extent[k]) view->extent[k] = extent[k], view->gathered[k] = false;
}

void recover_resolve_extents(Recover *r) {
  for (uint32_t v = 0; v < r->views.count; v++)
    for (uint32_t k = 0; k < r->views.data[v].rank; k++)
      r->views.data[v].extent[k] = up_to_the_end(r, &r->views.data[v], k, extent_of_axis(r, &r->views.data[v], k));
  for (uint32_t v = 0; v < r->views.count; v++) declared_extents(r, &r->views.data[v]);
}
