/* Views: per tensor, the strides of its axes, and addresses as one index per axis.
 *
 * A stride is a symbolic factor that multiplies coordinates in the addresses of the tensor, or a literal that separates
 * digits of a mixed radix. A row of sizes only (`row*N + col`) is an axis of its own only where the rest stays within
 * the row; else the tensor stays flat. */
#include "lift/recover_internal.h"

#include <string.h>


View *recover_view(Recover *r, Term tensor) {
  for (uint32_t i = 0; i < r->views.count; i++) if (r->views.data[i].tensor == tensor) return &r->views.data[i];
  array_push(r->arena, &r->views, (View){.tensor = tensor});
  return &r->views.data[r->views.count - 1];
}

static void add_stride(Recover *r, View *view, Term stride) {
  (void)r;
  for (uint32_t i = 0; i < view->rank; i++) if (view->stride[i] == stride) return;
  if (view->rank < MAX_STRIDES) view->stride[view->rank++] = stride;
  else view->flat = true;
}

static void collect_strides(Recover *r, const Access *a) {
  TermTable *tt = r->tt;
  View *view = recover_view(r, a->tensor);
  for (uint32_t i = 0; i < recover_monomial_count(tt, a->offset); i++) {
    Rational k;
    Term stride, variable;
    recover_split_monomial(tt, recover_monomial(tt, a->offset, i), &k, &stride, &variable);
    if (variable == tt->one) continue;
    if (term_node(tt, stride)->flags & TERM_HAS_READ) view->flat = true;
    add_stride(r, view, stride);
  }
}

/* Coordinates with literal coefficients, k1*p + k2*q + ..., that are not one dense index (k1 = k2 * extent of q): axes of
 * their own, as generated N-D kernels write `6*i + 3*j + k`. */
static void collect_literal_strides(Recover *r, const Access *a) {
  TermTable *tt = r->tt;
  View *view = recover_view(r, a->tensor);
  Term coordinate[8];
  int64_t k[8];
  uint32_t n = 0;
  for (uint32_t i = 0; i < recover_monomial_count(tt, a->offset); i++) {
    Rational literal;
    Term stride, variable;
    recover_split_monomial(tt, recover_monomial(tt, a->offset, i), &literal, &stride, &variable);
    if (variable == tt->one || stride != tt->one) continue;
    if (!recover_is_coordinate(tt, variable) || literal.num <= 0 || literal.num > INT32_MAX || n == 8) return;
    uint32_t at = n++;
    for (; at && k[at - 1] < (int64_t)literal.num; at--) k[at] = k[at - 1], coordinate[at] = coordinate[at - 1];
    k[at] = (int64_t)literal.num, coordinate[at] = variable;
  }
  for (uint32_t i = 0; i + 1 < n; i++) {
    Term hi = term_symbol(tt, coordinate[i + 1])->hi;
    int64_t last;
    if (!hi || k[i] == k[i + 1]) return;
    bool literal = term_is_int(tt, hi, &last);
    if (literal && (last + 1) * k[i + 1] == k[i]) continue; /* dense */
    if (literal && last * k[i + 1] >= k[i]) { /* overlapping unless the mask says otherwise */
      Term bound = recover_bound(r, coordinate[i + 1], a->mask);
      if (!bound) continue;
    }
    add_stride(r, view, term_int(tt, k[i]));
  }
}

/* Decreasing: a stride that another one divides comes first; else by the order of the arguments; one last. */
static bool stride_before(TermTable *tt, Term a, Term b) {
  Term q;
  if (a == b) return false;
  if (b == tt->one) return true;
  if (a == tt->one) return false;
  if (recover_divides(tt, b, a, &q)) return true;
  if (recover_divides(tt, a, b, &q)) return false;
  TermList x = {0}, y = {0};
  term_symbols(tt, a, &x);
  term_symbols(tt, b, &y);
  uint32_t ax = x.count ? term_aux(tt, x.data[0]) : 0, bx = y.count ? term_aux(tt, y.data[0]) : 0;
  return ax < bx;
}

static void sort_strides(Recover *r, View *view) {
  for (uint32_t i = 1; i < view->rank; i++)
    for (uint32_t j = i; j && stride_before(r->tt, view->stride[j], view->stride[j - 1]); j--) {
      Term t = view->stride[j];
      view->stride[j] = view->stride[j - 1], view->stride[j - 1] = t;
    }
}

/* Distributes the monomials of an address over the axes; what no stride divides goes to the unit axis, or the address
 * does not fit the view (false). */
bool recover_split_address(Recover *r, const View *view, Term offset, Term *index) {
  TermTable *tt = r->tt;
  for (uint32_t a = 0; a < view->rank; a++) index[a] = tt->zero;
  if (view->flat) {
    index[0] = offset;
    return true;
  }
  for (uint32_t i = 0; i < recover_monomial_count(tt, offset); i++) {
    Term m = recover_monomial(tt, offset, i), q, variable, stride;
    Rational k;
    bool placed = false;
    recover_split_monomial(tt, m, &k, &stride, &variable);
    for (uint32_t a = 0; a < view->rank && !placed && stride == tt->one; a++) { /* literal strides, the greatest first */
      int64_t s;
      if (!term_is_int(tt, view->stride[a], &s) || s == 1 || variable == tt->one) continue;
      if (k.num % s || k.num < s) continue;
      index[a] = term_add(tt, index[a], term_scale(tt, (Rational){k.num / s, 1}, variable));
      placed = true;
    }
    for (uint32_t a = 0; a < view->rank && !placed; a++) {
      bool exact = variable != tt->one ? view->stride[a] == stride : view->stride[a] != tt->one && recover_divides(tt, view->stride[a], m, &q);
      if (variable == tt->one && view->stride[a] == tt->one) exact = true;
      if (!exact) continue;
      if (view->stride[a] == tt->one) q = m;
      else if (!recover_divides(tt, view->stride[a], m, &q)) continue;
      index[a] = term_add(tt, index[a], q);
      placed = true;
    }
    if (!placed) return false;
  }
  return true;
}

bool recover_indices(const Recovery *recovery, const PointwiseTensor *tensor, Term offset, Term *index) {
  Recover r = {.arena = recovery->ex->arena, .tt = recovery->ex->tt, .ex = recovery->ex};
  View view = {.tensor = tensor->symbol, .rank = tensor->rank};
  for (uint32_t k = 0; k < tensor->rank; k++) view.stride[k] = tensor->stride[k];
  view.flat = tensor->rank == 1 && tensor->stride[0] == r.tt->one;
  return recover_split_address(&r, &view, offset, index);
}

static bool is_size_symbol(const Recover *r, Term t) {
  for (uint32_t i = 0; i < r->ex->params.count; i++)
    if (r->ex->params.data[i].symbol == t) return r->ex->params.data[i].is_size;
  return false;
}

/* A stride made of sizes only is an axis of its own if every access stays within the row: 0 <= rest < stride. */
static bool row_is_respected(Recover *r, const View *view, uint32_t axis) {
  TermTable *tt = r->tt;
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    const Access *a = &r->ex->accesses.data[i];
    Term index[MAX_STRIDES], inner = tt->zero;
    if (a->tensor != view->tensor) continue;
    if (!recover_split_address(r, view, a->offset, index)) return false;
    for (uint32_t k = axis + 1; k < view->rank; k++) inner = term_add(tt, inner, term_mul(tt, view->stride[k], index[k]));
    uint32_t facts = tt->facts.count;
    Term mask = a->mask;
    if (term_kind(tt, mask) == TERM_AND) for (uint32_t k = 0; k < term_count(tt, mask); k++) term_push_fact(tt, term_arg(tt, mask, k));
    else term_push_fact(tt, mask);
    bool ok = term_prove_le(tt, tt->zero, inner) && term_prove_lt(tt, inner, view->stride[axis]);
    term_pop_facts(tt, facts);
    if (!ok) return false;
  }
  return true;
}

static void drop_stride(View *view, uint32_t axis) {
  memmove(view->stride + axis, view->stride + axis + 1, sizeof(Term) * (view->rank - axis - 1));
  view->rank--;
}

static bool only_sizes(Recover *r, Term stride) {
  TermList symbols = {0};
  term_symbols(r->tt, stride, &symbols);
  bool all = symbols.count > 0;
  for (uint32_t i = 0; i < symbols.count; i++) all &= is_size_symbol(r, symbols.data[i]) || term_symbol(r->tt, symbols.data[i])->role == SYMBOL_GRID;
  return all;
}

void recover_make_views(Recover *r) {
  TermTable *tt = r->tt;
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) collect_strides(r, &r->ex->accesses.data[i]);
  for (uint32_t i = 0; i < r->ex->accesses.count; i++)
    if (r->ex->accesses.data[i].is_store) collect_literal_strides(r, &r->ex->accesses.data[i]);
  for (uint32_t v = 0; v < r->views.count; v++) {
    View *view = &r->views.data[v];
    bool unit = false;
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
        add_stride(r, view, tt->one);
        unit = true;
      }
    }
    sort_strides(r, view);
    for (uint32_t axis = 0; axis < view->rank;) {
      Term stride = view->stride[axis];
      bool keep = term_is_rat(tt, stride) || !only_sizes(r, stride) || row_is_respected(r, view, axis);
      if (keep) axis++;
      else { /* the rest of the row may run over: flat below this point */
        drop_stride(view, axis);
        bool has_unit = view->rank && view->stride[view->rank - 1] == tt->one;
        if (!has_unit) add_stride(r, view, tt->one);
        view->flat = true;
        view->rank = 1, view->stride[0] = tt->one;
        break;
      }
    }
  }
}
