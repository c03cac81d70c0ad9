/* Views: per tensor, the strides of its axes, and addresses as one index per axis.
 *
 * A stride is a symbolic factor that multiplies coordinates in the addresses of the tensor, or a literal that separates
 * digits of a mixed radix. A row of sizes only (`row*N + col`) is an axis of its own only where the rest stays within
 * the row; else the tensor stays flat. */
#include "execute/contents.h"
#include "lift/recover_internal.h"

#include <string.h>

View *recover_view(Recover *r, Term tensor) {
  for (uint32_t i = 0; i < r->views.count; i++)
    if (r->views.data[i].tensor == tensor) return &r->views.data[i];
  array_push(r->arena, &r->views, (View){.tensor = tensor});
  recover_declare_strides(r, &r->views.data[r->views.count - 1]);
  return &r->views.data[r->views.count - 1];
}

void recover_add_stride(View *view, Term stride) {
  for (uint32_t i = 0; i < view->rank; i++)
    if (view->stride[i] == stride) return;
  if (view->rank < MAX_STRIDES)
    view->stride[view->rank++] = stride;
  else
    view->flat = true;
}

Term recover_grid_part(TermTable *tt, Term product, Term *others) {
  Term grids = tt->one;
  *others = tt->one;
  uint32_t n = term_kind(tt, product) == TERM_MUL ? term_count(tt, product) : 2;
  for (uint32_t i = 0; i < n; i += 2) {
    bool mul = term_kind(tt, product) == TERM_MUL;
    Term base = mul ? term_arg(tt, product, i) : product,
         factor = mul ? term_power(tt, base, term_rat(tt, term_arg(tt, product, i + 1))) : product;
    bool grid = term_kind(tt, base) == TERM_SYM && term_symbol(tt, base)->role == SYMBOL_GRID;
    if (grid)
      grids = term_mul(tt, grids, factor);
    else
      *others = term_mul(tt, *others, factor);
  }
  return grids;
}

uint32_t recover_grid_row(TermTable *tt, const View *view, Term m, Term *rows) {
  Term others;
  for (uint32_t a = 0; a < view->rank && !view->flat; a++)
    if (!term_is_rat(tt, view->stride[a]) && recover_grid_part(tt, view->stride[a], &others) != tt->one &&
        recover_divides(tt, view->stride[a], m, rows))
      return a;
  return view->rank;
}

/* True if all accesses stay within rows of so many, r*grid_y + z with z < grid_y. */
static bool grid_counts_rows(Recover *r, Term tensor, Term unit, Term count) {
  TermTable *tt = r->tt;
  Term stride = term_mul(tt, unit, count), q;
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    const Access *a = &r->ex->accesses.data[i];
    Term within = tt->zero;
    if (a->tensor != tensor) continue;
    for (uint32_t k = 0; k < recover_monomial_count(tt, a->offset); k++) {
      Term m = recover_monomial(tt, a->offset, k);
      if (!recover_divides(tt, stride, m, &q) && recover_divides(tt, unit, m, &q)) within = term_add(tt, within, q);
    }
    if (!recover_lies_below(tt, a, within, count)) return false;
  }
  return true;
}

/* y + r*num_programs + z: rows of as many as there are programs. */
static void collect_grid_strides(Recover *r, const Access *a) {
  TermTable *tt = r->tt;
  if (recover_has_axes(r, a->tensor)) return;
  Term offset = recover_take_sums(r, recover_view(r, a->tensor), a->offset, NULL);
  for (uint32_t i = 0; i < recover_monomial_count(tt, offset); i++) {
    Term m = recover_monomial(tt, offset, i), product, others, unit = tt->one, variable = tt->one;
    if (term_is_rat(tt, m)) continue;
    term_coefficient(tt, m, &product);
    Term count = recover_grid_part(tt, product, &others);
    if (count == tt->one || others == tt->one) continue;
    Rational k;
    recover_split_monomial(tt, others, &k, &unit, &variable);
    if (recover_is_coordinate(tt, variable) && term_symbol(tt, variable)->role != SYMBOL_COUNTER &&
        grid_counts_rows(r, a->tensor, unit, count))
      recover_add_stride(recover_view(r, a->tensor), term_mul(tt, unit, count));
  }
}

static bool is_size_symbol(const Recover *r, Term t) {
  for (uint32_t i = 0; i < r->ex->params.count; i++)
    if (r->ex->params.data[i].symbol == t) return r->ex->params.data[i].is_size;
  return false;
}

bool recover_only_sizes(Recover *r, Term stride) {
  TermList symbols = {0};
  term_symbols(r->tt, stride, &symbols);
  bool all = symbols.count > 0;
  for (uint32_t i = 0; i < symbols.count; i++)
    all &= is_size_symbol(r, symbols.data[i]) || term_symbol(r->tt, symbols.data[i])->role == SYMBOL_GRID;
  return all;
}

/* Decreasing: a stride that another one divides comes first; else arguments before literals, by their order; one last.
 */
static bool stride_before(TermTable *tt, Term a, Term b) {
  Term q;
  if (a == b) return false;
  if (b == tt->one) return true;
  if (a == tt->one) return false;
  if (recover_divides(tt, b, a, &q)) return true;
  if (recover_divides(tt, a, b, &q)) return false;
  if (term_is_rat(tt, a) != term_is_rat(tt, b)) return term_is_rat(tt, b); /* pairs within a row: row*stride + 2*c */
  TermList x = {0}, y = {0};
  term_symbols(tt, a, &x);
  term_symbols(tt, b, &y);
  uint32_t ax = x.count ? term_aux(tt, x.data[0]) : 0, bx = y.count ? term_aux(tt, y.data[0]) : 0;
  return ax < bx;
}

void recover_sort_strides(Recover *r, View *view) {
  for (uint32_t i = 1; i < view->rank; i++)
    for (uint32_t j = i; j && stride_before(r->tt, view->stride[j], view->stride[j - 1]); j--) {
      Term t = view->stride[j];
      view->stride[j] = view->stride[j - 1], view->stride[j - 1] = t;
    }
}

static bool is_sum_of_sizes(Recover *r, Term sum) {
  TermTable *tt = r->tt;
  for (uint32_t i = 0; i < recover_monomial_count(tt, sum); i++) {
    Term size, m = recover_monomial(tt, sum, i);
    if (term_is_rat(tt, m) || term_coefficient(tt, m, &size).num <= 0 || !recover_only_sizes(r, size)) return false;
  }
  return true;
}

/* -m*(t // m), the rest of t: what is divided by the stride is no row of it. A row that is read from memory is one,
 * wherever it is read, and under whatever mask. */
static bool is_of_remainder(TermTable *tt, Term stride, Term variable) {
  TermList symbols = {0};
  if (term_kind(tt, variable) == TERM_READ) return false;
  if (term_kind(tt, variable) == TERM_SELECT)
    return is_of_remainder(tt, stride, term_arg(tt, variable, 1)) ||
           is_of_remainder(tt, stride, term_arg(tt, variable, 2));
  term_symbols(tt, stride, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (term_has_symbol(tt, variable, symbols.data[i])) return true;
  return false;
}

static void collect_strides(Recover *r, const Access *a) {
  TermTable *tt = r->tt;
  View *view = recover_view(r, a->tensor);
  if (recover_has_axes(r, a->tensor)) return;
  Term offset = recover_name_remainders(r, recover_take_sums(r, view, a->offset, NULL));
  for (uint32_t i = 0; i < recover_monomial_count(tt, offset); i++) {
    Rational k;
    Term stride, variable;
    recover_split_monomial(tt, recover_monomial(tt, offset, i), &k, &stride, &variable);
    if (variable == tt->one || is_of_remainder(tt, stride, variable) ||
        recover_grid_row(tt, view, recover_monomial(tt, offset, i), &variable) < view->rank)
      continue;
    Term rows = recover_sum_of_strides(r, offset, variable);
    if (rows && is_sum_of_sizes(r, rows)) stride = rows;
    if (term_node(tt, stride)->flags & TERM_HAS_READ) view->flat = true;
    recover_add_stride(view, stride);
  }
}

/* Of what is stored first: what is assumed of that tells of the others. */
static void collect_blocks(Recover *r, bool stored) {
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    const Access *a = &r->ex->accesses.data[i];
    View *view = recover_view(r, a->tensor);
    bool is_open = a->is_store == stored && !view->flat && !recover_has_axes(r, a->tensor);
    Term block = is_open ? recover_block_of_rows(r, view, a) : 0;
    if (block) recover_add_stride(view, block);
  }
}

/* Literal strides: of stores as they stand, where all loads of the tensor respect them. The step of a store, y + 2*i,
 * is one only where other stores respect it too: beside y + i it tells of no rows. */
static void collect_literal_strides(Recover *r, uint32_t access, bool stored) {
  Term strides[2 * MAX_STRIDES];
  bool is_step;
  Term tensor = r->ex->accesses.data[access].tensor;
  if (recover_has_axes(r, tensor)) return;
  uint32_t n = recover_literal_strides(r, &r->ex->accesses.data[access], strides, &is_step);
  for (uint32_t i = 0; i < n; i++) {
    bool all = true;
    for (uint32_t k = 0; k < r->ex->accesses.count && all; k++)
      all = r->ex->accesses.data[k].tensor != tensor ||
            (stored && r->ex->accesses.data[k].is_store && (!is_step || i || k == access)) ||
            recover_respects(r, &r->ex->accesses.data[k], strides[i]);
    if (all) recover_add_stride(recover_view(r, tensor), strides[i]);
  }
}

static bool is_stored(const Recover *r, Term tensor) {
  for (uint32_t i = 0; i < r->ex->accesses.count; i++)
    if (r->ex->accesses.data[i].is_store && r->ex->accesses.data[i].tensor == tensor) return true;
  return false;
}

/* A literal summand over the literal strides, the greatest first. */
static bool spread_constant(Recover *r, const View *view, Term m, Term *index) {
  TermTable *tt = r->tt;
  int64_t left, s, add[MAX_STRIDES] = {0};
  uint32_t literals = 0, unit = view->rank;
  for (uint32_t a = 0; a < view->rank; a++) {
    literals += term_is_rat(tt, view->stride[a]);
    if (view->stride[a] == tt->one) unit = a;
  }
  if (!term_is_int(tt, m, &left) || literals < 2) return false;
  if (left < 0) { /* 24*i + j - 24 may be row i - 1 or column j - 24: the column where that is shown to be one */
    if (unit == view->rank || !term_prove_le(tt, tt->zero, term_add(tt, index[unit], m))) return false;
    index[unit] = term_add(tt, index[unit], m);
    return true;
  }
  for (int64_t below = INT64_MAX; left;) {
    int64_t best = 0;
    uint32_t at = 0;
    for (uint32_t a = 0; a < view->rank; a++)
      if (term_is_int(tt, view->stride[a], &s) && s > best && s < below && s <= left) best = s, at = a;
    if (!best) return false;
    add[at] = left / best, left %= best, below = best;
  }
  for (uint32_t a = 0; a < view->rank; a++) index[a] = term_add(tt, index[a], term_int(tt, add[a]));
  return true;
}

/* An index that is always negative stands in the row before: (row + 1)*N - 1 - col is element N - 1 - col of row `row`.
 */
static void borrow_rows(Recover *r, const View *view, Term *index) {
  TermTable *tt = r->tt;
  Term length;
  for (uint32_t a = view->rank; a-- > 1;) {
    bool has_row = rational_sign(term_constant_part(tt, index[a - 1])) > 0 || term_prove_le(tt, tt->one, index[a - 1]);
    if (term_is_rat(tt, view->stride[a - 1]) || !has_row || !term_prove_lt(tt, index[a], tt->zero)) continue;
    if (!recover_divides(tt, view->stride[a], view->stride[a - 1], &length)) continue;
    index[a] = term_add(tt, index[a], length);
    index[a - 1] = term_sub(tt, index[a - 1], tt->one);
  }
}

/* Along a diagonal of rows of a literal length: 37*i for rows of 36. */
static bool steps_rows_and_more(const Recover *r, const View *view, Term offset) {
  const TermTable *tt = r->tt;
  for (uint32_t i = 0; i < recover_monomial_count(tt, offset); i++) {
    Term rest, m = recover_monomial(r->tt, offset, i);
    Rational c = term_coefficient(tt, m, &rest);
    int64_t s;
    for (uint32_t a = 0; a < view->rank && !term_is_rat(tt, m); a++)
      if (term_is_int(tt, view->stride[a], &s) && s > 1 && c.num > s && c.num % s) return true;
  }
  return false;
}

/* True if the view has the strides of the shape that the reader knows. */
static bool is_declared(const Recover *r, const View *view) {
  Term extent[TYPE_MAX_RANK], stride = r->tt->one;
  if (!r->ex || recover_declared_shape(r, view->tensor, extent) != view->rank) return false;
  for (uint32_t axis = view->rank; axis-- > 0;) {
    if (view->stride[axis] != stride) return false;
    if (axis) stride = term_mul(r->tt, stride, extent[axis]);
  }
  return view->rank > 0;
}

bool recover_has_axes(const Recover *r, Term tensor) {
  for (uint32_t i = 0; r->ex && i < r->ex->axes.count; i++) /* NULL: of several launches */
    if (r->ex->axes.data[i].tensor == tensor) return true;
  return false;
}

bool recover_split_address(Recover *r, const View *view, Term offset, Term *index) {
  TermTable *tt = r->tt;
  for (uint32_t a = 0; a < view->rank; a++) index[a] = tt->zero;
  if (view->flat) {
    index[0] = offset;
    return true;
  }
  if (recover_has_axes(r, view->tensor) || (steps_rows_and_more(r, view, offset) && is_declared(r, view))) {
    contents_split(tt, offset, view->rank, view->stride, index);
    borrow_rows(r, view, index);
    return true;
  }
  Term named = recover_name_remainders(r, offset);
  if (named != offset) {
    if (!recover_split_address(r, view, named, index)) return false;
    for (uint32_t a = 0; a < view->rank; a++) index[a] = recover_put_remainders(r, index[a]);
    return true;
  }
  offset = recover_take_sums(r, view, offset, index);
  uint32_t n = recover_monomial_count(tt, offset);
  for (uint32_t i = 0; i < n; i++) { /* the constant, which stands first, comes last */
    Term m = recover_monomial(tt, offset, (i + 1) % n), q, variable, stride;
    Rational k;
    bool placed = false;
    uint32_t row = recover_grid_row(tt, view, m, &q);
    if (row < view->rank) {
      index[row] = term_add(tt, index[row], q);
      continue;
    }
    recover_split_monomial(tt, m, &k, &stride, &variable);
    if (stride == tt->one && variable != tt->one && k.num > 0 && k.num <= INT32_MAX) {
      uint32_t a = recover_place_digit(r, view, offset, variable, (int64_t)k.num);
      int64_t s;
      if (a == view->rank || !term_is_int(tt, view->stride[a], &s)) return false;
      index[a] = term_add(tt, index[a], term_scale(tt, (Rational){k.num / s, 1}, variable));
      continue;
    }
    if (term_is_rat(tt, m) && spread_constant(r, view, m, index)) continue;
    for (uint32_t a = 0; a < view->rank && !placed; a++) {
      bool exact = variable != tt->one ? view->stride[a] == stride
                                       : view->stride[a] != tt->one && recover_divides(tt, view->stride[a], m, &q);
      if (variable == tt->one && view->stride[a] == tt->one) exact = true;
      if (!exact) continue;
      if (view->stride[a] == tt->one)
        q = m;
      else if (!recover_divides(tt, view->stride[a], m, &q))
        continue;
      index[a] = term_add(tt, index[a], q);
      placed = true;
    }
    for (uint32_t a = 0; a < view->rank && !placed && variable != tt->one; a++) { /* several rows at once: n*stride*i */
      if (view->stride[a] == tt->one || !recover_divides(tt, view->stride[a], m, &q)) continue;
      index[a] = term_add(tt, index[a], q);
      placed = true;
    }
    uint32_t last = view->rank - 1;
    if (!placed && view->rank && view->stride[last] == tt->one && (!last || view->takes_rest)) { /* it takes it all */
      index[last] = term_add(tt, index[last], m);
      placed = true;
    }
    if (!placed) return false;
  }
  borrow_rows(r, view, index);
  return true;
}

bool recover_has_stride_argument(const Effects *ex, Term stride) {
  for (uint32_t i = 0; i < ex->params.count; i++)
    if (!ex->params.data[i].is_size && !ex->params.data[i].is_named &&
        term_has_symbol(ex->tt, stride, ex->params.data[i].symbol))
      return true;
  return false;
}

bool recover_indices(TermTable *tt, Effects *ex, const PointwiseTensor *tensor, Term offset, Term *index) {
  Recover r = {.arena = tt->arena, .tt = tt, .ex = ex};
  View view = {.tensor = tensor->symbol, .rank = tensor->rank};
  for (uint32_t k = 0; k < tensor->rank; k++) view.stride[k] = tensor->stride[k];
  view.flat = tensor->rank == 1 && tensor->stride[0] == r.tt->one;
  view.takes_rest = tensor->takes_rest;
  return recover_split_address(&r, &view, offset, index);
}

/* True if every access stays within the row, 0 <= rest < stride, by itself or where `known` holds. */
static bool row_is_respected_where(Recover *r, const View *view, uint32_t axis, Term known) {
  TermTable *tt = r->tt;
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    const Access *a = &r->ex->accesses.data[i];
    Term index[MAX_STRIDES], inner = tt->zero;
    if (a->tensor != view->tensor) continue;
    if (!recover_split_address(r, view, a->offset, index)) return false;
    for (uint32_t k = axis + 1; k < view->rank; k++)
      inner = term_add(tt, inner, term_mul(tt, view->stride[k], index[k]));
    if (recover_lies_below(tt, a, inner, view->stride[axis])) continue;
    uint32_t facts = tt->facts.count;
    recover_push_mask(tt, known);
    bool lies = known != tt->true_ && recover_lies_below(tt, a, inner, view->stride[axis]);
    term_pop_facts(tt, facts);
    if (!lies) return false;
  }
  return true;
}

/* A stride made of sizes only is an axis of its own if every access stays within the row. */
static bool row_is_respected(Recover *r, const View *view, uint32_t axis) {
  return row_is_respected_where(r, view, axis, r->tt->true_);
}

static void drop_stride(View *view, uint32_t axis) {
  memmove(view->stride + axis, view->stride + axis + 1, sizeof(Term) * (view->rank - axis - 1));
  view->rank--;
}

/* What the literals before a stride have in common, over all coordinates that the tensor is addressed by, and over the
 * rows that constants step if these count too. */
static Int128 stride_content(Recover *r, Term tensor, Term stride, bool constants) {
  TermTable *tt = r->tt;
  Int128 g = 0;
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    if (r->ex->accesses.data[i].tensor != tensor) continue;
    Term offset = recover_name_remainders(r, r->ex->accesses.data[i].offset);
    for (uint32_t k = 0; k < recover_monomial_count(tt, offset) && g != 1; k++) {
      Rational literal;
      Term own, variable, q;
      recover_split_monomial(tt, recover_monomial(tt, offset, k), &literal, &own, &variable);
      bool is_constant = variable == tt->one;
      if (is_constant ? !constants || !recover_divides(tt, stride, own, &q) : own != stride) continue;
      if (literal.den != 1) return 1;
      g = rational_gcd(g, literal.num);
    }
  }
  return g ? g : 1;
}

/* (c*H + row)*W: H rows of W make up the next axis, and of 2*W they need not. */
static bool is_counted(Recover *r, const View *view, Term stride, Int128 content) {
  TermTable *tt = r->tt;
  Term rows, product;
  for (uint32_t i = 0; i < view->rank; i++) {
    if (view->stride[i] == stride || !recover_divides(tt, stride, view->stride[i], &rows)) continue;
    if (term_coefficient(tt, rows, &product).num * stride_content(r, view->tensor, view->stride[i], true) % content)
      return true;
  }
  return false;
}

/* How many programs along a coordinate with that stride make up a row, where all accesses stay in the row if there are
 * no more of them; 0: it is no coordinate of programs, or they do not. */
static Term programs_of_row(Recover *r, const View *view, uint32_t axis, Term coordinate, Term stride) {
  TermTable *tt = r->tt;
  Term count;
  if (recover_grid_axis(r, coordinate) == 3 || !recover_divides(tt, stride, view->stride[axis], &count)) return 0;
  return row_is_respected_where(r, view, axis, term_lt(tt, coordinate, count)) ? count : 0;
}

/* True if the kernel asks which program is the last of so many along the coordinate: whether it is number count - 1, or
 * by a store that some of them make, whose address does not tell by which. `if pid >= n - 1` is true of one program
 * where there are n. */
static bool is_last_asked_for(Recover *r, Term coordinate, Term count) {
  TermTable *tt = r->tt;
  Term last = term_eq(tt, term_add(tt, coordinate, tt->one), count);
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    const Access *a = &r->ex->accesses.data[i];
    if (!term_has_symbol(tt, a->mask, coordinate)) continue;
    for (uint32_t k = 0, n = term_conjunct_count(tt, a->mask); k < n; k++) {
      Term c = term_conjunct(tt, a->mask, k);
      if ((term_kind(tt, c) == TERM_NOT ? term_arg(tt, c, 0) : c) == last) return true;
    }
    if (a->is_store && !a->is_atomic && !term_has_symbol(tt, a->offset, coordinate) &&
        !recover_only_value(tt, a->mask, coordinate))
      return true;
  }
  return false;
}

/* Rows of an output above programs that no mask ends, (b*cdiv(n, 16) + p)*16 + lane: there are as many programs as
 * reach the next row. `asked`: where the kernel asks for the last of them. False: the launch has others, or rows would
 * still overlap. */
static bool assume_rows_filled(Recover *r, const View *view, uint32_t axis, bool asked) {
  TermTable *tt = r->tt;
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    const Access *a = &r->ex->accesses.data[i];
    if (a->tensor != view->tensor || !a->is_store || a->is_atomic) continue;
    for (uint32_t k = 0; k < recover_monomial_count(tt, a->offset); k++) {
      Term own, coordinate, q, m = recover_monomial(tt, a->offset, k);
      Rational literal;
      recover_split_monomial(tt, m, &literal, &own, &coordinate);
      if (!recover_is_coordinate(tt, coordinate) || literal.num < 1 || recover_divides(tt, view->stride[axis], m, &q))
        continue;
      Term count = programs_of_row(r, view, axis, coordinate, term_scale(tt, literal, own));
      if (count && (!asked || is_last_asked_for(r, coordinate, count)) && recover_fill_digit(r, coordinate, count))
        return true;
    }
  }
  return false;
}

/* row*2*W + col: rows of 2*W, where all accesses are shown to stay within them (W + col too), or nothing is known of W
 * but that all addresses are multiples of 2*W and what lies below. */
static void widen_rows(Recover *r, View *view) {
  TermTable *tt = r->tt;
  for (uint32_t axis = view->rank; axis-- > 0;) {
    Term stride = view->stride[axis];
    if (term_is_rat(tt, stride)) continue;
    bool sizes = recover_only_sizes(r, stride);
    Int128 content = stride_content(r, view->tensor, stride, !sizes);
    if (content == 1 || is_counted(r, view, stride, content)) continue;
    view->stride[axis] = term_scale(tt, (Rational){content, 1}, stride);
    if (sizes && !row_is_respected(r, view, axis) && !assume_rows_filled(r, view, axis, false))
      view->stride[axis] = stride;
  }
}

/* Rows of an output whose stride is so many times that of the next axis, by sizes: true if all stores are within the
 * row. Where they are not, rows overlap whatever the stride is, and that they do not is nothing to assume. */
static bool rows_may_be_apart(Recover *r, const View *view, uint32_t axis) {
  TermTable *tt = r->tt;
  Term length, index[MAX_STRIDES];
  if (axis + 1 >= view->rank || !recover_divides(tt, view->stride[axis + 1], view->stride[axis], &length) ||
      !recover_only_sizes(r, length))
    return true;
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    const Access *a = &r->ex->accesses.data[i];
    if (a->tensor != view->tensor || !a->is_store || !recover_split_address(r, view, a->offset, index)) continue;
    if (!recover_lies_below(tt, a, index[axis + 1], length)) return false;
  }
  return true;
}

/* The greatest value of what lies within the row, over the launch; 0: not known, or a mask has to do with the programs
 * there, so that the grid is settled elsewhere. */
static Term greatest_in_row(Recover *r, const View *view, uint32_t axis, const Access *a) {
  TermTable *tt = r->tt;
  Term index[MAX_STRIDES], inner = tt->zero;
  TermList symbols = {0};
  if (!recover_split_address(r, view, a->offset, index)) return 0;
  for (uint32_t k = axis + 1; k < view->rank; k++) inner = term_add(tt, inner, term_mul(tt, view->stride[k], index[k]));
  Term greatest = recover_greatest(r, inner, 0);
  if (!greatest || recover_varies(tt, greatest) || !term_prove_le(tt, tt->zero, inner)) return 0;
  term_symbols(tt, inner, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    for (uint32_t k = 0; recover_is_coordinate(tt, symbols.data[i]) && k < r->ex->accesses.count; k++)
      if (term_has_symbol(tt, r->ex->accesses.data[k].mask, symbols.data[i])) return 0;
  return greatest;
}

/* True if `size` is the length of another axis, as N is in c*N + r for c < N. */
static bool bounds_coordinate(Recover *r, const View *view, Term size) {
  TermTable *tt = r->tt;
  TermList symbols = {0};
  for (uint32_t i = 0; i < r->ex->accesses.count; i++)
    if (r->ex->accesses.data[i].tensor == view->tensor) term_symbols(tt, r->ex->accesses.data[i].offset, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    Term hi = recover_is_coordinate(tt, symbols.data[i]) ? term_symbol(tt, symbols.data[i])->hi : 0;
    if (hi && term_has_symbol(tt, hi, size)) return true;
  }
  return false;
}

/* An output whose rows nothing masks: no two of its elements share an address if a row is no longer than the stride.
 * That is said of the stride and the grid; sizes in `strides` only, so that nothing else is known of them. */
static bool assume_rows_apart(Recover *r, const View *view, uint32_t axis) {
  TermTable *tt = r->tt;
  Term longest = 0, stride = view->stride[axis];
  const Access *store = NULL;
  TermList symbols = {0};
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    const Access *a = &r->ex->accesses.data[i];
    if (a->tensor != view->tensor) continue;
    Term greatest = greatest_in_row(r, view, axis, a);
    if (!greatest) return false;
    if (a->is_store) store = a;
    longest = longest ? term_max(tt, longest, greatest) : greatest;
  }
  if (!store || store->is_atomic || term_kind(tt, longest) == TERM_MAX) return false;
  term_symbols(tt, stride, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (term_has_symbol(tt, longest, symbols.data[i]) || bounds_coordinate(r, view, symbols.data[i])) return false;
  Term length = term_add(tt, longest, tt->one), condition = term_le(tt, length, stride);
  const char *text = arena_format(r->arena, "%s <= %s", term_message(tt, length), term_message(tt, stride));
  const char *why = arena_format(r->arena, "no two elements of %s share an address (%s)", term_name(tt, view->tensor),
                                 execute_where(r->ex, store->op));
  recover_assume(r, ASSUME_DISJOINT, condition, text, why, NULL);
  term_push_fact(tt, condition);
  return true;
}

/* What a function returns has the shape of its type, behind the axes of the programs (execute/results.c). */
static bool view_result(Recover *r, View *view) {
  TermTable *tt = r->tt;
  const Param *param = execute_result(r->ex, view->tensor);
  if (!param) return false;
  Term extents[EXECUTE_MAX_RESULT_RANK], stride = tt->one;
  view->rank = execute_result_shape(r->ex, param, extents);
  for (uint32_t axis = view->rank; axis-- > 0; stride = term_mul(tt, stride, extents[axis]))
    view->stride[axis] = stride;
  view->flat = false;
  return true;
}

/* What the reader knows the shape of has these axes, where all accesses go along them. */
static bool view_declared(Recover *r, View *view) {
  TermTable *tt = r->tt;
  Term extent[TYPE_MAX_RANK], stride = tt->one, index[MAX_STRIDES];
  View own = *view;
  own.rank = recover_declared_shape(r, view->tensor, extent);
  own.flat = false;
  if (!own.rank || own.rank > MAX_STRIDES) return false;
  for (uint32_t axis = own.rank; axis-- > 0;) {
    own.stride[axis] = stride;
    if (axis) stride = term_mul(tt, stride, extent[axis]);
  }
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    const Access *a = &r->ex->accesses.data[i];
    if (a->tensor == own.tensor && !recover_split_address(r, &own, a->offset, index)) return false;
  }
  *view = own;
  return true;
}

/* What was executed along several axes has these: its accesses are told apart by them. */
static bool view_axes(Recover *r, View *view) {
  for (uint32_t i = 0; i < r->ex->axes.count; i++) {
    const TensorAxes *axes = &r->ex->axes.data[i];
    if (axes->tensor != view->tensor) continue;
    view->rank = axes->rank, view->flat = false;
    for (uint32_t k = 0; k < axes->rank; k++) view->stride[k] = axes->stride[k];
    return true;
  }
  return false;
}

/* A stride that is an argument may be one of rows that overlap. */
static bool may_be_row(Recover *r, const View *view, uint32_t axis) {
  Term stride = view->stride[axis];
  return term_is_rat(r->tt, stride) || !recover_only_sizes(r, stride) || row_is_respected(r, view, axis);
}

/* Rows within longer rows that some access runs over: without the inner ones, whose places count along the last axis,
 * the outer ones may be respected by all. */
static bool joins_inner_rows(Recover *r, View *view, uint32_t axis) {
  View own = *view;
  drop_stride(&own, axis);
  if (!axis || !own.rank || own.stride[own.rank - 1] != r->tt->one) return false;
  own.takes_rest = true;
  for (uint32_t k = 0; k + 1 < own.rank; k++)
    if (!may_be_row(r, &own, k)) return false;
  *view = own;
  return true;
}

void recover_make_views(Recover *r) {
  TermTable *tt = r->tt;
  recover_collect_sums(r);
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) collect_grid_strides(r, &r->ex->accesses.data[i]);
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) collect_strides(r, &r->ex->accesses.data[i]);
  for (int stored = 1; stored >= 0; stored--) collect_blocks(r, stored);
  for (uint32_t i = 0; i < r->ex->accesses.count; i++)
    if (r->ex->accesses.data[i].is_store) collect_literal_strides(r, i, true);
  for (uint32_t i = 0; i < r->ex->accesses.count; i++)
    if (!is_stored(r, r->ex->accesses.data[i].tensor)) collect_literal_strides(r, i, false);
  for (uint32_t v = 0; v < r->views.count; v++) {
    View *view = &r->views.data[v];
    bool unit = false;
    if (view_result(r, view) || view_declared(r, view) || view_axes(r, view)) continue;
    if (view->flat) {
      view->rank = 1, view->stride[0] = tt->one;
      continue;
    }
    /* an address constant that no stride takes needs the unit axis */
    for (uint32_t i = 0; i < view->rank; i++) unit |= view->stride[i] == tt->one;
    for (uint32_t i = 0; i < r->ex->accesses.count && !unit; i++) {
      Term index[MAX_STRIDES];
      const Access *a = &r->ex->accesses.data[i];
      if (a->tensor == view->tensor && !recover_split_address(r, view, a->offset, index)) {
        recover_add_stride(view, tt->one);
        unit = true;
      }
    }
    recover_sort_strides(r, view);
    widen_rows(r, view);
    recover_sort_strides(r, view);
    for (uint32_t axis = view->rank;
         axis-- > 0;) /* the shortest rows first: what is said of them tells of the longer ones */
      if (recover_only_sizes(r, view->stride[axis]) && !row_is_respected(r, view, axis) &&
          !assume_rows_apart(r, view, axis) && !assume_rows_filled(r, view, axis, false))
        break;
    for (uint32_t axis = view->rank; axis-- > 0;)
      if (!recover_only_sizes(r, view->stride[axis]) && !rows_may_be_apart(r, view, axis)) drop_stride(view, axis);
    for (uint32_t axis = 0; axis < view->rank;) {
      if (may_be_row(r, view, axis))
        axis++;
      else if (!joins_inner_rows(r, view, axis)) { /* the rest of the row may run over: flat below this point */
        drop_stride(view, axis);
        bool has_unit = view->rank && view->stride[view->rank - 1] == tt->one;
        if (!has_unit) recover_add_stride(view, tt->one);
        view->flat = true;
        view->rank = 1, view->stride[0] = tt->one;
        break;
      }
    }
  }
  for (uint32_t v = 0; v < r->views.count; v++)
    for (uint32_t axis = r->views.data[v].rank; axis-- > 0;)
      if (!term_is_rat(tt, r->views.data[v].stride[axis])) assume_rows_filled(r, &r->views.data[v], axis, true);
}
