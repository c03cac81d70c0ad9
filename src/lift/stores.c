/* Stores: the indices of each axis, their inverse, extent and region; one piece of the output for each.
 *
 * Where the coefficients of an index are a mixed radix under the mask, the index determines the coordinates, and these
 * are replaced in mask and value by its quotients and remainders. */
#include "laws/row.h"
#include "lift/recover_internal.h"
#include "lift/source_text.h"

#include <string.h>

/* index = sum k*coordinate + constant with literal k > 0. */
bool recover_parse_axis(TermTable *tt, Term index, Axis *axis) {
  *axis = (Axis){.constant = tt->zero};
  for (uint32_t i = 0; i < recover_monomial_count(tt, index); i++) {
    Rational k;
    Term stride, variable, m = recover_monomial(tt, index, i);
    recover_split_monomial(tt, m, &k, &stride, &variable);
    if (variable == tt->one) {
      axis->constant = term_add(tt, axis->constant, m);
      continue;
    }
    if (!recover_is_coordinate(tt, variable) || stride != tt->one || axis->count == 8) return false;
    uint32_t at = axis->count++;
    for (; at && axis->parts[at - 1].k.num < k.num; at--) axis->parts[at] = axis->parts[at - 1];
    axis->parts[at] = (AxisPart){variable, k};
  }
  return true;
}

/* Mixed radix: k_i > sum of the lower parts' greatest values, under the facts at hand. */
static bool is_mixed_radix(TermTable *tt, const Axis *axis) {
  for (uint32_t i = 0; i < axis->count; i++) {
    if (axis->parts[i].k.num <= 0) return false;
    Term lower = tt->zero;
    for (uint32_t j = i + 1; j < axis->count; j++)
      lower = term_add(tt, lower, term_scale(tt, axis->parts[j].k, axis->parts[j].coordinate));
    if (!term_prove_lt(tt, lower, term_new_rat(tt, axis->parts[i].k))) return false;
  }
  return true;
}

typedef struct Store {
  const Access *access;
  Axis axis[MAX_STRIDES];
  Term index[MAX_STRIDES]; /* index symbols of the output */
  bool ok, reversed[MAX_STRIDES];
} Store;

/* True if the range of another coordinate among the symbols mentions s. Then that one goes first. */
static bool bounds_another(TermTable *tt, TermList symbols, Term s) {
  for (uint32_t i = 0; i < symbols.count; i++) {
    Term other = symbols.data[i];
    if (other == s || !recover_is_coordinate(tt, other)) continue;
    Term lo = term_symbol(tt, other)->lo, hi = term_symbol(tt, other)->hi;
    if ((lo && term_has_symbol(tt, lo, s)) || (hi && term_has_symbol(tt, hi, s))) return true;
  }
  return false;
}

/* The greatest value of t over the coordinates, by their ranges; 0 if unbounded. */
Term recover_greatest(Recover *r, Term t, uint32_t depth) {
  TermTable *tt = r->tt;
  TermList symbols = {0};
  if (depth > 16) return 0;
  for (uint32_t i = 0; i < r->remainders.count; i++) /* a % n */
    if (r->remainders.data[i].rest == t) return term_sub(tt, r->remainders.data[i].divisor, tt->one);
  if (term_kind(tt, t) == TERM_FLOORDIV && term_is_rat(tt, term_arg(tt, t, 1)) &&
      term_is_positive(tt, term_arg(tt, t, 1))) {
    Term greatest = recover_greatest(r, term_arg(tt, t, 0), depth + 1);
    return greatest ? term_floordiv(tt, greatest, term_arg(tt, t, 1)) : 0;
  }
  term_symbols(tt, t, &symbols);
  for (uint32_t i = symbols.count; i-- > 0;) {
    Term s = symbols.data[i];
    if (!recover_is_coordinate(tt, s) || bounds_another(tt, symbols, s)) continue;
    Term one_more = term_sub(tt, term_replace(tt, t, s, term_add(tt, s, tt->one)), t);
    Term hi = term_symbol(tt, s)->hi, lo = term_symbol(tt, s)->lo, by = 0;
    if (term_prove_le(tt, tt->zero, one_more))
      by = hi;
    else if (term_prove_le(tt, one_more, tt->zero))
      by = lo;
    return by ? recover_greatest(r, term_replace(tt, t, s, by), depth + 1) : 0;
  }
  return term_node(tt, t)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE) ? 0 : t;
}

/* k >= 1 such that index = k*e + what may not vary, by the first coordinate of e; 1 if there is none. */
static int64_t multiple_of(TermTable *tt, Term index, Term e) {
  for (uint32_t i = 0; i < recover_monomial_count(tt, e); i++) {
    Rational k, l;
    Term stride, variable, other, same;
    recover_split_monomial(tt, recover_monomial(tt, e, i), &k, &stride, &variable);
    if (!recover_is_coordinate(tt, variable) || stride != tt->one || k.num <= 0) continue;
    for (uint32_t j = 0; j < recover_monomial_count(tt, index); j++) {
      recover_split_monomial(tt, recover_monomial(tt, index, j), &l, &other, &same);
      if (same == variable && other == tt->one && l.num > 0 && l.num % k.num == 0 && l.num / k.num < (1 << 20))
        return (int64_t)(l.num / k.num);
    }
    return 1;
  }
  return 1;
}

/* a // n + b as (a + n*b) // n; the numerator, or 0. */
static Term as_quotient(TermTable *tt, Term index, Term *divisor) {
  for (uint32_t i = 0; i < recover_monomial_count(tt, index); i++) {
    Term quotient = recover_monomial(tt, index, i);
    if (term_kind(tt, quotient) != TERM_FLOORDIV) continue;
    *divisor = term_arg(tt, quotient, 1);
    return term_add(tt, term_arg(tt, quotient, 0), term_mul(tt, *divisor, term_sub(tt, index, quotient)));
  }
  return 0;
}

static Term bound_of_branch(Recover *r, Term index, Term mask) {
  return recover_varies(r->tt, index) ? recover_bound(r, index, mask) : term_add(r->tt, index, r->tt->one);
}

/* Least upper bound + 1 of `index` where `mask`: a mask conjunct index + rest <= 0, else the ranges. */
Term recover_bound(Recover *r, Term index, Term mask) {
  TermTable *tt = r->tt;
  if (term_kind(tt, mask) == TERM_OR) { /* each alternative must bound it */
    Term most = 0;
    for (uint32_t i = 0; i < term_count(tt, mask); i++) {
      Term bound = recover_bound(r, index, term_arg(tt, mask, i));
      if (!bound) return 0;
      most = most ? term_max(tt, most, bound) : bound;
    }
    return most;
  }
  uint32_t n = term_conjunct_count(tt, mask);
  Term best = 0;
  Term divisor, numerator = as_quotient(tt, index, &divisor);
  if (numerator && !recover_varies(tt, divisor) && term_prove_lt(tt, tt->zero, divisor)) {
    Term below = recover_bound(r, numerator, mask); /* a < below: a // n <= (below - 1) // n */
    if (below) best = term_add(tt, term_floordiv(tt, term_sub(tt, below, tt->one), divisor), tt->one);
  }
  for (uint32_t i = 0; i < n; i++) {
    Term c = term_conjunct(tt, mask, i);
    Term bound = 0;
    if (term_kind(tt, c) == TERM_OR)
      bound = recover_bound(r, index, c);
    else if (term_kind(tt, c) == TERM_LE && term_count(tt, c) == 1 && term_sort(tt, term_arg(tt, c, 0)) == SORT_INT) {
      Term e = term_scale(tt, rational_int(multiple_of(tt, index, term_arg(tt, c, 0))), term_arg(tt, c, 0)),
           rest = term_sub(tt, e, index);
      if (!recover_varies(tt, rest)) bound = term_sub(tt, tt->one, rest);
    }
    if (!bound) continue;
    best = best ? term_min(tt, best, bound) : bound;
  }
  if (!best && term_kind(tt, index) == TERM_SELECT) { /* where(i < n, i, 0) */
    Term condition = term_arg(tt, index, 0);
    Term yes = bound_of_branch(r, term_arg(tt, index, 1), term_and(tt, mask, condition));
    Term no = bound_of_branch(r, term_arg(tt, index, 2), term_and(tt, mask, term_not(tt, condition)));
    return yes && no ? term_max(tt, yes, no) : 0;
  }
  if (!best && (term_kind(tt, index) == TERM_MAX || term_kind(tt, index) == TERM_MIN)) { /* max(i - 1, 0) */
    bool all = term_kind(tt, index) == TERM_MAX;
    for (uint32_t i = 0; i < term_count(tt, index); i++) {
      Term bound = bound_of_branch(r, term_arg(tt, index, i), mask);
      if (!bound && all) return 0;
      if (bound) best = !best ? bound : all ? term_max(tt, best, bound) : term_min(tt, best, bound);
    }
  }
  return best;
}

/* So many programs, and as many more as there must be for every store to be made by one of them: `pid == 4` asks for
 * five. 0: not known. */
static Term enough_for_stores(Recover *r, Term grid, Term count) {
  TermTable *tt = r->tt;
  Term pid = 0;
  for (uint32_t i = 0; i < 3; i++)
    if (r->ex->grid[i] == grid) pid = r->ex->pid[i];
  for (uint32_t i = 0; pid && i < r->ex->accesses.count; i++) {
    const Access *a = &r->ex->accesses.data[i];
    if (!a->is_store || !term_has_symbol(tt, a->mask, pid) ||
        term_assume(tt, a->mask, term_lt(tt, pid, count)) != tt->false_)
      continue;
    Term only = recover_only_value(tt, a->mask, pid);
    if (!only || !term_prove_le(tt, count, only)) return 0;
    count = term_add(tt, only, tt->one);
  }
  return count;
}

/* The launch has exactly as many programs along this coordinate as its extent needs. */
static void assume_grid(Recover *r, Term coordinate, Term count) {
  TermTable *tt = r->tt;
  Term hi = term_symbol(tt, coordinate)->hi, grid = 0, have = term_add(tt, hi, tt->one);
  if (have == count || term_prove_le(tt, count, have)) {
    if (have == count) return;
  }
  for (uint32_t i = 0; i < 3; i++)
    if (term_has_symbol(tt, hi, r->ex->grid[i])) grid = r->ex->grid[i];
  if (!grid || term_has_symbol(tt, count, grid)) return;
  Term value = 0;
  if (have == grid)
    value = count;
  else if (term_kind(tt, hi) == TERM_MIN &&
           term_count(tt, hi) == 2) { /* hi = min(b*grid - 1, n - 1): grid = cdiv(n, b) */
    for (uint32_t i = 0; i < 2 && !value; i++) {
      Term blocks = term_add(tt, term_arg(tt, hi, i), tt->one), b,
           total = term_add(tt, term_arg(tt, hi, 1 - i), tt->one);
      if (recover_divides(tt, grid, blocks, &b) && !term_has_symbol(tt, b, grid) && total == count)
        value = term_cdiv(tt, count, b);
    }
  } else { /* hi = (grid - 1) // g, which may be written (grid + 1) // 2 - 1: grid = count * g */
    Term quotient = term_sub(tt, hi, term_new_rat(tt, term_constant_part(tt, hi)));
    Term g = term_kind(tt, quotient) == TERM_FLOORDIV ? term_arg(tt, quotient, 1) : 0;
    if (g && term_floordiv(tt, term_sub(tt, grid, tt->one), g) == hi) value = term_mul(tt, count, g);
  }
  if (!value || recover_varies(tt, value) || !(value = enough_for_stores(r, grid, value))) return;
  recover_assume_grid(r, grid, value, RECOVER_LEAST_GRID);
  recover_substitute(r, grid, value);
  recover_rebuild(r);
}

uint32_t recover_grid_axis(const Recover *r, Term coordinate) {
  Term hi = term_symbol(r->tt, coordinate)->hi;
  uint32_t axis = 0;
  while (axis < 3 && !(hi && term_has_symbol(r->tt, hi, r->ex->grid[axis]))) axis++;
  return axis;
}

/* The last value of a coordinate is that one in the launch that was given, and with one more program it is not. */
static bool sample_fits(Recover *r, Term coordinate, uint32_t axis, Term last) {
  TermTable *tt = r->tt;
  Term hi = term_symbol(tt, coordinate)->hi, more = term_int(tt, r->ex->options.grid_sample[axis] + 1);
  int64_t wanted, value;
  if (!recover_sample_of(r, last, &wanted) || !recover_sample_of(r, hi, &value) || value != wanted) return false;
  return recover_sample_of(r, term_replace(tt, hi, r->ex->grid[axis], more), &value) && value != wanted;
}

bool recover_fill_digit(Recover *r, Term coordinate, Term count) {
  TermTable *tt = r->tt;
  uint32_t axis = recover_grid_axis(r, coordinate);
  int64_t number;
  if (axis == 3 || (term_is_int(tt, count, &number) && number < 2)) return false;
  if (r->ex->options.grid_sample[axis] && !sample_fits(r, coordinate, axis, term_sub(tt, count, tt->one))) return false;
  assume_grid(r, coordinate, count);
  return recover_grid_axis(r, coordinate) != axis;
}

/* Blocks with a tail, b*pid + t < n, as one coordinate: there are as many programs as cover n. */
void recover_assume_blocks(Recover *r, Term coordinate) {
  TermTable *tt = r->tt;
  Term hi = term_symbol(tt, coordinate)->hi;
  for (uint32_t i = 0; hi && term_kind(tt, hi) == TERM_MIN && i < term_count(tt, hi); i++) {
    bool by_grid = false;
    for (uint32_t g = 0; g < 3; g++) by_grid |= term_has_symbol(tt, term_arg(tt, hi, i), r->ex->grid[g]);
    if (by_grid) continue;
    assume_grid(r, coordinate, term_add(tt, term_arg(tt, hi, i), tt->one));
    return;
  }
}

/* What e <= most says of the only symbol s in it, of which it is k*s + c, for k > 0, or a quotient of that and so on,
 * as (s + 2047) // 2048 is: s <= *limit. 0: nothing. */
static Term bounded_symbol(TermTable *tt, Term e, int64_t most, int64_t *limit) {
  Term base, constant = term_new_rat(tt, term_constant_part(tt, e));
  int64_t c, divisor;
  if (!term_is_int(tt, constant, &c) || c > INT32_MAX || c < -INT32_MAX || most > INT32_MAX) return 0;
  e = term_sub(tt, e, constant), most -= c;
  Rational k = term_coefficient(tt, e, &base);
  if (k.den != 1 || k.num <= 0 || k.num > INT32_MAX || most < 1) return 0;
  *limit = most / (int64_t)k.num;
  if (term_kind(tt, base) == TERM_FLOORDIV && term_is_int(tt, term_arg(tt, base, 1), &divisor) && divisor > 0 &&
      divisor <= INT32_MAX && *limit < INT32_MAX)
    return bounded_symbol(tt, term_arg(tt, base, 0), *limit * divisor + divisor - 1, limit);
  return term_kind(tt, base) == TERM_SYM && *limit >= 1 ? base : 0;
}

/* A sum of arguments that is the length of a row by the strides of the tensor, too: A + B, N + 1. */
static bool is_row_of(Recover *r, const Access *a, Term extent) {
  TermTable *tt = r->tt;
  const View *view = recover_view(r, a->tensor);
  TermList symbols = {0};
  term_symbols(tt, extent, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    bool is_argument = false;
    for (uint32_t p = 0; p < r->ex->params.count && !is_argument; p++)
      is_argument = r->ex->params.data[p].symbol == symbols.data[i];
    if (!is_argument) return false;
  }
  for (uint32_t k = 1; k < view->rank; k++)
    if (term_mul(tt, extent, view->stride[k]) == view->stride[k - 1]) return true;
  return false;
}

/* True if a loop goes through so many elements in blocks of that length. Then the kernel is meant for more than one
 * block, and an access that does not move with the loop stays in the first. */
static bool is_looped_over(Recover *r, Term symbol, int64_t most) {
  TermTable *tt = r->tt;
  for (uint32_t i = 0; i < r->ex->loops.count; i++) {
    Term trips = r->ex->loops.data[i].trips;
    if (!trips || !term_has_symbol(tt, trips, symbol)) continue;
    if (term_replace(tt, trips, symbol, term_int(tt, most)) == tt->one &&
        term_replace(tt, trips, symbol, term_int(tt, most + 1)) == term_int(tt, 2))
      return true;
  }
  return false;
}

/* A block covers the whole axis: extent <= block. */
void recover_assume_cover(Recover *r, Term extent, Term block, const Access *a) {
  TermTable *tt = r->tt;
  if (term_prove_le(tt, extent, block)) return;
  int64_t literal, most;
  Term symbol = term_is_int(tt, block, &literal) ? bounded_symbol(tt, extent, literal, &most) : 0;
  if (term_kind(tt, extent) == TERM_ADD && (!is_row_of(r, a, extent) || !term_is_int(tt, block, &literal))) return;
  if (!symbol && term_kind(tt, extent) != TERM_ADD) return;
  if (symbol && is_looped_over(r, symbol, most)) return;
  Term limit = symbol ? term_int(tt, most) : block;
  const char *text = arena_format(r->arena, "%s <= %lld", term_message(tt, extent), (long long)literal);
  Term condition = term_le(tt, symbol ? symbol : extent, limit);
  recover_assume(r, ASSUME_COVER, condition, text,
                 arena_format(r->arena, "one block covers the axis (%s)", execute_where(r->ex, a->op)), NULL);
  Symbol *s = symbol ? term_symbol(tt, symbol) : NULL;
  if (!s)
    term_push_fact(tt, condition);
  else if (!s->hi || term_prove_le(tt, limit, s->hi))
    term_symbol_range(tt, symbol, s->lo, limit);
  recover_rebuild(r);
}

/* True if 0 <= index is a conjunct of the mask. Of a block that runs backwards this is `lane < N`. */
static bool is_masked_below(TermTable *tt, Term index, Term mask) {
  uint32_t n = term_conjunct_count(tt, mask);
  Term wanted = term_le(tt, tt->zero, index);
  for (uint32_t i = 0; i < n; i++)
    if ((term_conjunct(tt, mask, i)) == wanted) return true;
  return false;
}

/* True if a symbol of `extent` is in the bound. */
static bool mentions(TermTable *tt, Term bound, Term extent) {
  TermList symbols = {0};
  term_symbols(tt, extent, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (term_has_symbol(tt, bound, symbols.data[i])) return true;
  return false;
}

/* Another tensor, or what is read of this one: true if an access goes along the same axis, by the same lane and below
 * the same bound, but further than the block. Rows of which two blocks are read are longer than the block that is
 * stored. */
static bool goes_further(Recover *r, const Access *b, Term lane, Term extent, Term block) {
  TermTable *tt = r->tt;
  Term index[MAX_STRIDES];
  const View *view = recover_view(r, b->tensor);
  if (!term_has_symbol(tt, b->offset, lane) || !recover_split_address(r, view, b->offset, index)) return false;
  for (uint32_t k = 0; k < view->rank; k++) {
    if (!term_has_symbol(tt, index[k], lane) ||
        term_sub(tt, term_replace(tt, index[k], lane, term_add(tt, lane, tt->one)), index[k]) != tt->one)
      continue;
    Term top = recover_greatest(r, index[k], 0);
    if (recover_bound(r, index[k], b->mask) == extent && top && !term_prove_lt(tt, top, block)) return true;
  }
  return false;
}

/* True if the index begins where the extent ends, as the second half of a row does. */
static bool begins_beyond(Recover *r, Term index, Term extent) {
  TermTable *tt = r->tt;
  Term least = recover_greatest(r, term_neg(tt, index), 0);
  return least && !recover_varies(tt, least) && term_prove_le(tt, extent, term_neg(tt, least));
}

/* Moved by a size that the extent knows nothing of: blocks that far apart cover it no better than one. */
static bool is_apart(TermTable *tt, Term shift, Term extent) {
  TermList symbols = {0};
  bool apart = !term_is_rat(tt, shift) && !recover_varies(tt, shift);
  term_symbols(tt, shift, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) apart &= !term_has_symbol(tt, extent, symbols.data[i]);
  return apart;
}

bool recover_is_continued(Recover *r, const Access *a, uint32_t number, Term extent, Term block) {
  Axis axis;
  Term own[MAX_STRIDES];
  bool is_block = recover_split_address(r, recover_view(r, a->tensor), a->offset, own) &&
                  recover_parse_axis(r->tt, own[number], &axis) && axis.count == 1;
  for (uint32_t i = 0; is_block && i < r->ex->accesses.count; i++) {
    const Access *b = &r->ex->accesses.data[i];
    if (b != a && (b->tensor != a->tensor || b->is_store != a->is_store) &&
        goes_further(r, b, axis.parts[0].coordinate, extent, block))
      return true;
  }
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    const Access *b = &r->ex->accesses.data[i];
    Term index[MAX_STRIDES];
    if (b == a || (a->is_store && !b->is_store) || b->tensor != a->tensor ||
        !recover_split_address(r, recover_view(r, b->tensor), b->offset, index))
      continue;
    Term bound = recover_bound(r, index[number], b->mask), top = recover_greatest(r, index[number], 0);
    if (!bound || (bound != extent && !mentions(r->tt, bound, extent)))
      continue; /* n - 1 is a bound of the same rows, and perhaps a wrong one */
    if (is_block && is_apart(r->tt, term_sub(r->tt, index[number], own[number]), extent)) continue;
    if (!top || (!term_prove_lt(r->tt, top, block) && !begins_beyond(r, index[number], extent))) return true;
  }
  return false;
}

/* Lanes from the constant on without gaps: how many; 0: it is not that. */
static int64_t lanes_in_a_row(const Recover *r, const Axis *axis, int64_t *first) {
  const TermTable *tt = r->tt;
  int64_t count = 1, hi, lo;
  if (!term_is_int(tt, axis->constant, first) || *first < 0) return 0;
  for (uint32_t p = axis->count; p-- > 0;) {
    const Symbol *lane = term_symbol(tt, axis->parts[p].coordinate);
    if (lane->role != SYMBOL_LANE || !lane->lo || !lane->hi || !term_is_int(tt, lane->lo, &lo) ||
        !term_is_int(tt, lane->hi, &hi) || lo != 0)
      return 0;
    if (!rational_equal(axis->parts[p].k, rational_int(count)) || hi > INT32_MAX / count - 1) return 0;
    count *= hi + 1;
  }
  return count;
}

/* True if blocks of this program, all of them masked by the same bound, fill the axis from 0 up to `end`. */
static bool is_filled(Recover *r, const Access *a, uint32_t number, Term extent, int64_t end, uint32_t depth) {
  for (uint32_t i = 0; end > 0 && depth < 64 && i < r->ex->accesses.count; i++) {
    const Access *b = &r->ex->accesses.data[i];
    Term index[MAX_STRIDES];
    Axis axis;
    int64_t first;
    if (b == a || !b->is_store || b->tensor != a->tensor ||
        !recover_split_address(r, recover_view(r, b->tensor), b->offset, index))
      continue;
    if (!recover_parse_axis(r->tt, index[number], &axis)) continue;
    int64_t count = lanes_in_a_row(r, &axis, &first);
    if (count && first < end && first + count >= end && recover_bound(r, index[number], b->mask) == extent &&
        is_filled(r, b, number, extent, first, depth + 1))
      return true;
  }
  return end == 0;
}

/* Several blocks, or a block of several lanes, that cover the axis together: the last of them says up to where. */
static void assume_cover_together(Recover *r, const Access *a, uint32_t number, Term extent, const Axis *axis) {
  int64_t first = 0, count = lanes_in_a_row(r, axis, &first);
  if (!count || (axis->count == 1 && first == 0) || first > INT32_MAX - count) return;
  Term end = term_int(r->tt, first + count);
  if (!recover_is_continued(r, a, number, extent, end) && is_filled(r, a, number, extent, first, 0))
    recover_assume_cover(r, extent, end, a);
}

/* Where the coordinates of an axis come from: its extent, and the assumptions that make it covered. */
static Term store_extent(Recover *r, const Access *a, uint32_t number, Term index, const Axis *axis) {
  TermTable *tt = r->tt;
  Term masked = recover_bound(r, index, a->mask), top = recover_greatest(r, index, 0);
  if (!masked && axis->count == 1 && axis->parts[0].k.num == 1) {
    recover_assume_blocks(r, axis->parts[0].coordinate);
    top = recover_greatest(r, term_rebuild(tt, index), 0);
    top = top ? term_rebuild(tt, top) : 0;
  }
  if (!masked && (masked = recover_bound_parts(r, axis, a->mask))) return masked;
  if (!masked) {
    Term extent = top ? term_add(tt, top, tt->one) : 0,
         hi = axis->count == 1 ? term_symbol(tt, axis->parts[0].coordinate)->hi : 0;
    bool backwards = extent && hi && term_sub(tt, extent, axis->constant) == term_add(tt, hi, tt->one);
    if (backwards && is_masked_below(tt, index, a->mask)) recover_assume_cover(r, extent, term_add(tt, hi, tt->one), a);
    return extent;
  }
  if (axis->count) {
    Term lead = axis->parts[0].coordinate, k = term_new_rat(tt, axis->parts[0].k);
    Term span = term_sub(tt, masked, axis->constant), count = term_cdiv(tt, span, k);
    bool by_grid = false;
    Term hi = term_symbol(tt, lead)->hi;
    for (uint32_t i = 0; i < 3; i++) by_grid |= term_has_symbol(tt, hi, r->ex->grid[i]);
    if (by_grid)
      assume_grid(r, lead, count);
    else if (axis->count == 1 && axis->constant == tt->zero &&
             !recover_is_continued(r, a, number, masked, term_add(tt, hi, tt->one)))
      recover_assume_cover(r, masked, term_add(tt, hi, tt->one), a);
    else if (axis->count == 1 && !term_is_rat(tt, axis->constant)) { /* the second half of a row */
      Term block = term_add(tt, hi, tt->one);
      bool whole = k == tt->one && !recover_is_continued(r, a, number, masked, term_add(tt, axis->constant, block));
      if (whole) recover_assume_cover(r, span, block, a);
    } else
      assume_cover_together(r, a, number, masked, axis);
  }
  return masked;
}

/* coordinate := its quotient of (i - constant), from the greatest coefficient down. The constant goes down with the
 * remainder as far as it fits there: 1024*p + l + 512 with l < 512 has p = i // 1024. */
static void invert_axis(Recover *r, const Axis *axis, Term i, Term *from, Term *to, uint32_t *n) {
  TermTable *tt = r->tt;
  Term rest = i, constant = axis->constant;
  for (uint32_t p = 0; p < axis->count; p++) {
    Term k = term_new_rat(tt, axis->parts[p].k), lower = constant;
    for (uint32_t j = p + 1; j < axis->count; j++)
      lower = term_add(tt, lower, term_scale(tt, axis->parts[j].k, axis->parts[j].coordinate));
    if (constant != tt->zero &&
        (!term_prove_le(tt, tt->zero, lower) || !term_prove_lt(tt, lower, k) || p + 1 == axis->count)) {
      rest = term_sub(tt, rest, constant);
      constant = tt->zero;
    }
    Term q = p + 1 == axis->count && axis->parts[p].k.num == 1 ? rest : term_floordiv(tt, rest, k);
    from[*n] = axis->parts[p].coordinate, to[(*n)++] = q;
    rest = term_sub(tt, rest, term_mul(tt, k, q));
  }
}

/* The values of the coordinates lie in their ranges: what that says about the indices. */
static Term range_condition(Recover *r, const Axis *axis, Term i, TermMap map) {
  TermTable *tt = r->tt;
  Term condition = tt->true_;
  for (uint32_t p = 0; p < axis->count; p++) {
    Term c = axis->parts[p].coordinate, at = term_substitute(tt, c, map), hi = term_symbol(tt, c)->hi,
         lo = term_symbol(tt, c)->lo;
    if (p > 0) continue; /* remainders lie in range by construction when the radix is exact */
    condition = term_and(tt, condition, term_le(tt, at, term_substitute(tt, hi, map)));
    condition = term_and(tt, condition, term_le(tt, term_substitute(tt, lo, map), at));
  }
  for (uint32_t p = 1; p < axis->count; p++) {
    Term c = axis->parts[p].coordinate, at = term_substitute(tt, c, map), hi = term_symbol(tt, c)->hi,
         lo = term_symbol(tt, c)->lo;
    condition = term_and(tt, condition, term_le(tt, at, term_substitute(tt, hi, map)));
    condition = term_and(tt, condition, term_le(tt, term_substitute(tt, lo, map), at));
  }
  /* the index itself is a multiple of the last coefficient */
  Rational last = axis->count ? axis->parts[axis->count - 1].k : rational_int(1);
  if (last.num != 1) {
    Term sum = axis->constant;
    for (uint32_t p = 0; p < axis->count; p++)
      sum = term_add(tt, sum, term_scale(tt, axis->parts[p].k, term_substitute(tt, axis->parts[p].coordinate, map)));
    condition = term_and(tt, condition, term_eq(tt, sum, i));
  }
  return condition;
}

static PointwiseOutput *output_of(Recover *r, Term tensor) {
  Pointwise *p = r->out->pointwise;
  for (uint32_t i = 0; i < p->outputs.count; i++)
    if (p->tensors.data[p->outputs.data[i].tensor].symbol == tensor) return &p->outputs.data[i];
  for (uint32_t i = 0; i < p->tensors.count; i++)
    if (p->tensors.data[i].symbol == tensor) {
      array_push(r->arena, &p->outputs, (PointwiseOutput){.tensor = i});
      return &p->outputs.data[p->outputs.count - 1];
    }
  return NULL;
}

/* The digits of an index, k*upper + l*lower + .., of which programs count a lower one and no mask says how far. */
static bool fill_digits(Recover *r, const Access *a, const Axis *axis) {
  TermTable *tt = r->tt;
  Term lower = tt->zero;
  for (uint32_t p = axis->count; p-- > 1;) {
    Rational k = axis->parts[p].k, next = axis->parts[p - 1].k;
    lower = term_add(tt, lower, term_scale(tt, k, axis->parts[p].coordinate));
    if (next.num % k.num == 0 && !recover_bound(r, lower, a->mask) &&
        recover_fill_digit(r, axis->parts[p].coordinate, term_int(tt, (int64_t)(next.num / k.num))))
      return true;
  }
  return false;
}

/* Extents of the axes of every store, with the grid and cover assumptions they suggest. */
bool recover_measure_store(Recover *r, uint32_t access) {
  TermTable *tt = r->tt;
  for (uint32_t axis = 0; axis < recover_view(r, r->ex->accesses.data[access].tensor)->rank; axis++) {
    const Access *a = &r->ex->accesses.data[access];
    View *view = recover_view(r, a->tensor);
    Term index[MAX_STRIDES];
    Axis parsed;
    if (!recover_split_address(r, view, a->offset, index)) return false;
    if (!recover_parse_axis(tt, index[axis], &parsed)) {
      bool of_data = term_node(tt, index[axis])->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE);
      Term bound =
          of_data ? recover_bound(r, index[axis], a->mask) : 0; /* what is found lies below what is looked at */
      if (!bound) view->gathered[axis] = true;
      recover_need(r, view, axis, bound, a->mask);
      continue;
    }
    if (fill_digits(r, a, &parsed)) return recover_measure_store(r, access);
    Term extent = store_extent(r, a, axis, index[axis], &parsed);
    a = &r->ex->accesses.data[access]; /* assumptions made it again */
    recover_need(r, recover_view(r, a->tensor), axis, extent, a->mask);
  }
  return true;
}

/* ---- placing ---- */

/* One store on its way to a piece. `from` -> `to`: coordinates as terms over the output's indices. */
typedef struct Placing {
  const Access *access;
  PointwiseOutput *out;
  Axis axes[MAX_STRIDES];
  Term from[MAX_COORDINATES], to[MAX_COORDINATES], region, value;
  uint32_t n;
} Placing;

static void name_indices(Recover *r, PointwiseOutput *out, const View *view) {
  TermTable *tt = r->tt;
  if (out->rank || !view->rank) return;
  out->rank = view->rank;
  for (uint32_t k = 0; k < view->rank; k++) {
    out->index[k] = term_axis_symbol(tt, k);
    if (view->extent[k]) term_symbol_range(tt, out->index[k], tt->zero, term_sub(tt, view->extent[k], tt->one));
  }
}

/* True if another axis determines a coordinate of this one, as both do on a diagonal. Then the two must agree. */
static bool is_determined_twice(const Placing *p, uint32_t axis) {
  for (uint32_t i = 0; i < p->axes[axis].count; i++)
    for (uint32_t k = 0; k < axis; k++)
      for (uint32_t j = 0; j < p->axes[k].count; j++)
        if (p->axes[k].parts[j].coordinate == p->axes[axis].parts[i].coordinate) return true;
  return false;
}

/* The coordinates that the address determines, and the region. */
static void invert_address(Recover *r, Placing *p, const View *view, const Term *index) {
  TermTable *tt = r->tt;
  Term data = tt->true_;
  uint32_t facts = tt->facts.count;
  recover_push_mask(tt, p->access->mask);
  for (uint32_t k = 0; k < view->rank; k++) {
    if (recover_parse_axis(tt, index[k], &p->axes[k]) && is_mixed_radix(tt, &p->axes[k])) continue;
    data = term_and(tt, data, term_eq(tt, index[k], p->out->index[k]));
    p->axes[k].count = 0, p->axes[k].constant = p->out->index[k];
  }
  term_pop_facts(tt, facts);
  for (uint32_t k = 0; k < view->rank; k++) invert_axis(r, &p->axes[k], p->out->index[k], p->from, p->to, &p->n);
  TermMap map = {p->n, p->from, p->to};
  p->region = tt->true_;
  for (uint32_t k = 0; k < view->rank; k++) {
    Term range = range_condition(r, &p->axes[k], p->out->index[k], map);
    if (p->axes[k].count == 0)
      range = view->extent[k] == tt->one ? tt->true_ : term_eq(tt, p->out->index[k], p->axes[k].constant);
    else if (is_determined_twice(p, k))
      range = term_and(tt, range, term_eq(tt, term_substitute(tt, index[k], map), p->out->index[k]));
    p->region = term_and(tt, p->region, range);
  }
  Term mask = term_substitute(tt, p->access->mask, map); /* what the mask says need not be said again */
  p->region = term_and(tt, mask, term_assume(tt, term_and(tt, p->region, term_substitute(tt, data, map)), mask));
  p->value = term_assume(tt, term_substitute(tt, p->access->value, map), p->region);
}

/* Coordinates in region and value that the address does not determine; the range of each depends on earlier ones only.
 */
static uint32_t undetermined(Recover *r, const Placing *p, Term *out) {
  TermTable *tt = r->tt;
  TermList left = {0};
  uint32_t n = 0;
  term_symbols(tt, p->value, &left);
  term_symbols(tt, p->region, &left);
  for (uint32_t i = 0; i < left.count; i++) { /* grows: what ranges depend on */
    Term s = left.data[i];
    bool own = false;
    for (uint32_t k = 0; k < p->out->rank; k++) own |= p->out->index[k] == s;
    if (own || !recover_is_coordinate(tt, s) || term_symbol(tt, s)->hi == tt->zero || n == MAX_COORDINATES) continue;
    if (term_symbol(tt, s)->hi)
      term_symbols(tt, term_substitute(tt, term_symbol(tt, s)->hi, (TermMap){p->n, p->from, p->to}), &left);
    out[n++] = s;
  }
  for (uint32_t i = 0; i < n; i++) /* a coordinate goes before those whose range mentions it */
    for (uint32_t j = i + 1; j < n; j++) {
      Term hi = term_symbol(tt, out[i])->hi;
      if (!hi || !term_has_symbol(tt, hi, out[j])) continue;
      Term t = out[j];
      memmove(out + i + 1, out + i, sizeof *out * (j - i));
      out[i] = t;
      j = i;
    }
  return n;
}

/* The last value of a coordinate over the output's indices; 0: not known. */
static Term last_of(Recover *r, const Placing *p, Term s) {
  Term hi = term_symbol(r->tt, s)->hi;
  return hi ? term_substitute(r->tt, hi, (TermMap){p->n, p->from, p->to}) : 0;
}

static void determine(Recover *r, Placing *p, Term s, Term by) {
  TermTable *tt = r->tt;
  p->region = term_replace(tt, p->region, s, by);
  p->value = term_assume(tt, term_replace(tt, p->value, s, by), p->region);
  for (uint32_t i = 0; i < p->n; i++) p->to[i] = term_replace(tt, p->to[i], s, by);
  if (p->n < MAX_COORDINATES) p->from[p->n] = s, p->to[p->n++] = by;
}

/* The mask says s = e: that one. */
static bool determine_by_mask(Recover *r, Placing *p, Term s) {
  TermTable *tt = r->tt;
  Term last = last_of(r, p, s);
  uint32_t n = term_kind(tt, p->region) == TERM_AND ? term_count(tt, p->region) : 1;
  for (uint32_t i = 0; last && i < n; i++) {
    Term c = term_kind(tt, p->region) == TERM_AND ? term_arg(tt, p->region, i) : p->region;
    if (term_kind(tt, c) == TERM_LE && term_count(tt, c) == 1 && term_arg(tt, c, 0) == s &&
        term_symbol(tt, s)->role == SYMBOL_LANE) { /* s <= 0 */
      determine(r, p, s, tt->zero);
      return true;
    }
    Term least = term_kind(tt, c) == TERM_LE && term_count(tt, c) == 1 && term_sort(tt, term_arg(tt, c, 0)) == SORT_INT
                     ? term_add(tt, s, term_arg(tt, c, 0))
                     : 0;
    if (least == last) { /* last <= s */
      p->region = term_and(tt, p->region, term_le(tt, tt->zero, last));
      determine(r, p, s, last);
      return true;
    }
    if (term_kind(tt, c) != TERM_EQ || term_count(tt, c) != 1 || term_sort(tt, term_arg(tt, c, 0)) != SORT_INT)
      continue;
    Term e = term_arg(tt, c, 0), minus = term_sub(tt, s, e), plus = term_add(tt, s, e);
    Term by = !term_has_symbol(tt, minus, s) ? minus : !term_has_symbol(tt, plus, s) ? plus : 0;
    if (!by) continue;
    p->region = term_and(tt, p->region, term_and(tt, term_le(tt, tt->zero, by), term_le(tt, by, last)));
    determine(r, p, s, by);
    return true;
  }
  return false;
}

/* How much is taken for a row: where nothing lies between rows; where rows are shown to be apart; where that is said,
 * of a function of a host language, whose arguments tell. */
typedef enum RowKind { ROW_WHOLE, ROW_SHOWN, ROW_SAID, ROW_KINDS } RowKind;

static bool rows_are_apart(Recover *r, const Access *a, const LawRow *row, RowKind kind) {
  TermTable *tt = r->tt;
  if (kind == ROW_WHOLE && row->width != row->length) return false;
  if (!term_prove_lt(tt, tt->zero, row->length) && !term_prove_lt(tt, tt->zero, row->width)) return false;
  if (kind != ROW_SAID) return term_prove_le(tt, row->width, row->length);
  Term condition = term_le(tt, row->width, row->length);
  bool is_told = r->ex->program->is_host && !term_is_rat(tt, row->length) && condition != tt->false_;
  TermList symbols = {0};
  term_symbols(tt, condition, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) is_told &= term_symbol(tt, symbols.data[i])->role == SYMBOL_SIZE;
  if (!is_told) return false;
  const char *text = arena_format(r->arena, "%s <= %s", term_message(tt, row->width), term_message(tt, row->length));
  const char *why = arena_format(r->arena, "no two elements of %s share an address (%s)", term_name(tt, a->tensor),
                                 execute_where(r->ex, a->op));
  recover_assume(r, ASSUME_DISJOINT, condition, text, why, NULL);
  term_push_fact(tt, condition);
  return true;
}

/* The region says length*s <= place < length*s + width, a row of an array that has one axis: s = place // length. */
static bool determine_by_row(Recover *r, Placing *p, Term s, RowKind kind) {
  TermTable *tt = r->tt;
  Term last = last_of(r, p, s), region = p->region;
  uint32_t n = term_conjunct_count(tt, region);
  LawRow row;
  for (uint32_t i = 0; last && i < n; i++)
    for (uint32_t k = 0; k < n; k++) {
      Term low = term_conjunct(tt, region, i), high = term_conjunct(tt, region, k);
      bool is_row = i == k ? law_row_of_one(tt, low, s, &row) : law_row(tt, low, high, s, &row);
      if (!is_row || !rows_are_apart(r, p->access, &row, kind)) continue;
      Term at = term_floordiv(tt, row.place, row.length);
      p->region = term_and(tt, region, term_and(tt, term_le(tt, tt->zero, at), term_le(tt, at, last)));
      determine(r, p, s, at);
      return true;
    }
  return false;
}

/* The shortest rows first: the range of what tells them is that of a longer row. */
static void determine_by_rows(Recover *r, Placing *p) {
  Term left[MAX_COORDINATES];
  for (uint32_t kind = ROW_WHOLE; kind < ROW_KINDS; kind++)
    for (uint32_t i = undetermined(r, p, left); i-- > 0;)
      if (determine_by_row(r, p, left[i], kind)) i = undetermined(r, p, left), kind = ROW_WHOLE;
}

/* True if the coordinate counts what it stands for backwards (recover_reverse_coordinates); one that was reversed twice
 * does not. */
static bool runs_backwards(Recover *r, Term coordinate) {
  Term hi = term_symbol(r->tt, coordinate)->hi;
  for (uint32_t i = r->out->hints.steps.count; hi && i-- > 0;) {
    const LiftStep *step = &r->out->hints.steps.data[i];
    if (step->to == term_sub(r->tt, hi, coordinate)) return !runs_backwards(r, step->from);
  }
  return false;
}

typedef struct NamedIndex {
  Term by, index; /* equal in the region */
  const Term *left;
  uint32_t count; /* of what is not determined */
} NamedIndex;

/* The summands that mention what is not determined. */
static uint32_t count_open(const TermTable *tt, Term t, const NamedIndex *named) {
  uint32_t n = 0, first = term_kind(tt, t) == TERM_ADD ? 2 : 0,
           last = term_kind(tt, t) == TERM_ADD ? term_count(tt, t) : 1;
  for (uint32_t i = first; i < last; i += 2) {
    bool is_open = false;
    for (uint32_t k = 0; k < named->count && !is_open; k++)
      is_open = term_has_symbol(tt, first ? term_arg(tt, t, i) : t, named->left[k]);
    n += is_open;
  }
  return n;
}

/* A number with the index in place of what equals it, where less of it mentions what is not determined. */
static Term put_named(TermTable *tt, Term t, void *payload) {
  const NamedIndex *named = payload;
  if (term_sort(tt, t) == SORT_BOOL) return t;
  uint32_t n = count_open(tt, t, named);
  if (!n) return t;
  Term difference = term_sub(tt, named->by, named->index), less = term_sub(tt, t, difference);
  if (count_open(tt, less, named) < n) return less;
  Term more = term_add(tt, t, difference);
  return count_open(tt, more, named) < n ? more : t;
}

/* Where the region says that an index is what is made of a fold or an element of memory, the value goes by the index.
 */
static void name_index(Recover *r, Placing *p, const Term *left, uint32_t count) {
  TermTable *tt = r->tt;
  uint32_t n = term_kind(tt, p->region) == TERM_AND ? term_count(tt, p->region) : 1;
  for (uint32_t i = 0; i < n; i++) {
    Term c = term_kind(tt, p->region) == TERM_AND ? term_arg(tt, p->region, i) : p->region;
    if (term_kind(tt, c) != TERM_EQ || term_count(tt, c) != 1 || term_sort(tt, term_arg(tt, c, 0)) != SORT_INT)
      continue;
    for (uint32_t k = 0; k < p->out->rank; k++) {
      Term index = p->out->index[k], e = term_arg(tt, c, 0), minus = term_sub(tt, index, e),
           plus = term_add(tt, index, e);
      Term by = !term_has_symbol(tt, minus, index) ? minus : !term_has_symbol(tt, plus, index) ? plus : 0;
      if (by && (term_node(tt, by)->flags & (TERM_HAS_FOLD | TERM_HAS_READ)))
        p->value = term_transform(tt, p->value, put_named, &(NamedIndex){by, index, left, count});
    }
  }
}

/* Several programs or lanes may write the element: the piece holds where one of them does, with the value of the last.
 * That is the kernel's value where the addresses are distinct, which is the race obligation's to show. */
static bool take_last_writer(Recover *r, Placing *p) {
  TermTable *tt = r->tt;
  Term left[MAX_COORDINATES];
  uint32_t n = undetermined(r, p, left);
  Term any[MAX_COORDINATES + 1];
  if (n > 3) return false; /* each is a fold over all that the ones before it hold: terms of no use, and too deep */
  for (uint32_t i = 0; i < n; i++)
    if (!last_of(r, p, left[i])) return false;
  if (n) name_index(r, p, left, n);
  any[n] = p->region;
  for (uint32_t i = n; i-- > 0;)
    any[i] = term_fold(tt, FOLD_ANY, left[i], tt->zero, term_add(tt, last_of(r, p, left[i]), tt->one), any[i + 1],
                       tt->true_);
  Term region = any[0];
  for (uint32_t i = 0; i < n; i++) {
    Term hi = term_add(tt, last_of(r, p, left[i]), tt->one);
    TermFoldOp latest = runs_backwards(r, left[i]) ? FOLD_MIN : FOLD_MAX;
    Term last = term_fold(tt, latest, left[i], tt->zero, hi, any[i + 1], left[i]);
    for (uint32_t k = i + 1; k <= n; k++) any[k] = term_replace(tt, any[k], left[i], last);
    determine(r, p, left[i], last);
  }
  p->region = region;
  return true;
}

static bool is_among(const Term *terms, uint32_t n, Term t) {
  for (uint32_t i = 0; i < n; i++)
    if (terms[i] == t) return true;
  return false;
}

/* Of a program id, a lane or a counter, the coordinates that the store does not mention: each adds, also what is the
 * same for all. */
static uint32_t unmentioned(Recover *r, const Placing *p, uint32_t access, Term t, Term *left, uint32_t n) {
  TermTable *tt = r->tt;
  TermList symbols = {0};
  term_symbols(tt, recover_now(r->out, access, t), &symbols);
  for (uint32_t i = 0; i < symbols.count && n < MAX_COORDINATES; i++)
    if (recover_is_coordinate(tt, symbols.data[i]) && !is_among(p->from, p->n, symbols.data[i]) &&
        !is_among(left, n, symbols.data[i]))
      left[n++] = symbols.data[i];
  return n;
}

/* Each writer of an atomic adds, multiplies or flips; of others the first alone counts where all are equal. */
static bool adds_each(const Access *a) {
  return a->is_atomic && (a->atomic_op == FOLD_SUM || a->atomic_op == FOLD_PROD || a->atomic_op == FOLD_XOR);
}

static uint32_t all_unmentioned(Recover *r, const Placing *p, uint32_t access, Term *left, uint32_t n) {
  const Access *a = p->access;
  if (!adds_each(a)) return n;
  for (uint32_t axis = 0; axis < 3; axis++) n = unmentioned(r, p, access, r->ex->pid[axis], left, n);
  for (uint32_t k = 0; k < a->counter_count; k++) n = unmentioned(r, p, access, a->counters[k], left, n);
  for (uint32_t k = 0; k < a->rank; k++)
    if (a->lanes[k]) n = unmentioned(r, p, access, a->lanes[k], left, n);
  return n;
}

/* An atomic: over everything that the address does not determine. */
static bool combine_writers(Recover *r, Placing *p, uint32_t access) {
  TermTable *tt = r->tt;
  Term left[MAX_COORDINATES];
  uint32_t n = all_unmentioned(r, p, access, left, undetermined(r, p, left));
  for (uint32_t i = 0; i < n; i++)
    if (!last_of(r, p, left[i])) return false;
  for (uint32_t i = n; i-- > 0;) {
    Term hi = term_add(tt, last_of(r, p, left[i]), tt->one);
    p->value = term_fold(tt, p->access->atomic_op, left[i], tt->zero, hi, p->region, p->value);
    p->region = tt->true_;
  }
  return true;
}

static void keep_place(Recover *r, Placing *p, uint32_t access) {
  Term *kept = arena_array(r->arena, Term, 2 * p->n + 1);
  memcpy(kept, p->from, sizeof *kept * p->n);
  memcpy(kept + p->n, p->to, sizeof *kept * p->n);
  uint32_t number = (uint32_t)(p->out - r->out->pointwise->outputs.data);
  array_push(r->arena, &r->out->hints.places,
             (StorePlace){access, number, p->out->pieces.count - 1, {p->n, kept, kept + p->n}});
}

static bool by_memory(const TermTable *tt, const Access *a) { return term_node(tt, a->offset)->flags & TERM_HAS_READ; }

static const char *coordinate_words(const Recover *r, OpId op, Term coordinate) {
  TermTable *tt = r->tt;
  for (uint32_t i = 0; i < 3; i++)
    if (coordinate == r->ex->pid[i]) return arena_format(r->arena, "program id along %c", "xyz"[i]);
  return arena_format(r->arena, "value of %s", source_text(tt, r->out, op, coordinate));
}

/* Iterations of one program, which follow one another, and no programs or lanes. */
static bool are_iterations(const Recover *r, const Term *left, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (term_symbol(r->tt, left[i])->role != SYMBOL_COUNTER) return false;
  return true;
}

static Term put_index(TermTable *tt, Term t, void *payload) {
  (void)tt;
  const Term *from_to = payload;
  return t == from_to[0] ? from_to[1] : t;
}

/* What the place holds at the end is said by the place alone, whichever iteration stored there: an index that was read
 * from memory is the index of the output. */
static void take_content(Recover *r, Placing *p, const View *view, const Term *left, uint32_t count) {
  TermTable *tt = r->tt;
  Term offset = p->access->offset;
  if (view->rank != 1 || view->stride[0] != tt->one || term_kind(tt, offset) != TERM_READ) return;
  Term value = term_transform(tt, p->access->value, put_index, (Term[]){offset, p->out->index[0]});
  for (uint32_t i = 0; i < count; i++)
    if (term_has_symbol(tt, value, left[i])) return;
  p->value = value;
}

/* A loop whose iteration the address does not tell stores where it runs at all, which there being an element may tell.
 */
static void ask_for_iterations(Recover *r, Placing *p, uint32_t access) {
  TermTable *tt = r->tt;
  uint32_t facts = tt->facts.count;
  for (uint32_t k = 0; k < p->out->rank; k++) {
    const Symbol *index = term_symbol(tt, p->out->index[k]);
    if (index->hi) term_push_fact(tt, term_le(tt, p->out->index[k], index->hi));
    if (index->hi) term_push_fact(tt, term_le(tt, tt->zero, index->hi));
  }
  for (uint32_t k = 0; k < p->access->counter_count; k++) {
    Term counter = p->access->counters[k], left[MAX_COORDINATES];
    bool is_told = is_among(p->from, p->n, counter) || !unmentioned(r, p, access, counter, left, 0);
    Term last = is_told ? 0 : last_of(r, p, counter);
    if (last && !term_prove_le(tt, tt->zero, last)) p->region = term_and(tt, p->region, term_le(tt, tt->zero, last));
  }
  term_pop_facts(tt, facts);
}

void recover_place_store(Recover *r, uint32_t access) {
  TermTable *tt = r->tt;
  const Access *a = &r->ex->accesses.data[access];
  const View *view = recover_view(r, a->tensor);
  const char *name = term_name(tt, a->tensor), *said = term_message(tt, a->tensor);
  Placing *p = arena_new(r->arena, Placing);
  Term index[MAX_STRIDES], left[MAX_COORDINATES];
  *p = (Placing){.access = a, .out = output_of(r, a->tensor)};
  if (!p->out || !recover_split_address(r, view, a->offset, index)) {
    recover_stop(r, REASON_ADDRESS, arena_format(r->arena, "the address of the store to %s fits no view", said));
    return;
  }
  name_indices(r, p->out, view);
  invert_address(r, p, view, index);
  uint32_t count = undetermined(r, p, left);
  for (uint32_t i = a->is_atomic ? 0 : count; i-- > 0;) /* inner ones first: their range is said by those around them */
    determine_by_mask(r, p, left[i]);
  if (!a->is_atomic && r->ex->program->is_host) determine_by_rows(r, p);
  if (a->is_atomic) {
    if (!combine_writers(r, p, access))
      recover_stop(r, REASON_ATOMIC, "the range of an atomic's programs is not known");
  } else if ((count = undetermined(r, p, left))) {
    const char *why = arena_format(r->arena, "%s: the address does not determine the %s",
                                   by_memory(tt, a)          ? "the indices in memory may repeat"
                                   : r->ex->program->is_host ? "several iterations may write one element"
                                                             : "several programs or lanes may write one element",
                                   coordinate_words(r, a->op, left[0]));
    bool in_order = a->is_final && are_iterations(r, left, count);
    if (!in_order) recover_oblige(r, OBLIGATION_RACE, OBLIGATION_UNKNOWN, a->op, name, why);
    if (!take_last_writer(r, p))
      recover_stop(r, REASON_RACE,
                   arena_format(r->arena, "which store to an element of %s is the last is not known; %s", said, why));
    else if (in_order)
      take_content(r, p, view, left, count);
  }
  for (uint32_t i = 0; i < p->out->pieces.count && a->is_atomic; i++) {
    const PointwisePiece *other = &p->out->pieces.data[i];
    if (other->accumulate && other->accumulate != (int)a->atomic_op + 1 &&
        term_and(tt, other->region, p->region) != tt->false_)
      recover_stop(
          r, REASON_ATOMIC,
          arena_format(r->arena,
                       "atomics of two kinds combine into %s, and what they leave depends on the order of the programs",
                       said));
  }
  if (r->out->stop_code) return;
  if (!adds_each(a)) ask_for_iterations(r, p, access);
  array_push(
      r->arena, &p->out->pieces,
      (PointwisePiece){.region = p->region, .value = p->value, .accumulate = a->is_atomic ? (int)a->atomic_op + 1 : 0});
  keep_place(r, p, access);
}
