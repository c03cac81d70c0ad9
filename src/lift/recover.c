/* Recovery of views (see recover.h).
 *
 * 1. split: floor divisions of coordinates are removed by splitting the coordinate, p = g*q + r, everywhere at once.
 * 2. strides: per tensor, the symbolic factors that multiply coordinates in its addresses.
 * 3. stores: per store, the indices of the axes, their inverse, extent and region.
 * 4. grid and cover: the assumptions that make the stores cover their extents.
 * 5. reads: flat reads become multi-dimensional ones; extents of inputs are the least that the accesses need. */
#include "lift/recover.h"

#include <string.h>

enum { MAX_COORDINATES = 24, MAX_STRIDES = POINTWISE_MAX_RANK };

typedef struct Coordinates {
  Term data[MAX_COORDINATES];
  uint32_t count;
} Coordinates;

typedef struct View { /* of one tensor: strides in order of axes */
  Term tensor;
  uint32_t rank;
  Term stride[MAX_STRIDES];
  Term extent[MAX_STRIDES]; /* 0: not known yet */
  bool gathered[MAX_STRIDES];
  bool flat;
} View;

typedef struct Split { /* p = size*q + r */
  Term p, size, q, r;
} Split;

typedef struct Recover {
  Arena *arena;
  Array(Split) splits;
  TermTable *tt;
  Execution *ex;
  Recovery *out;
  Array(View) views;
} Recover;

/* ---- small helpers over terms ---- */

static bool is_parallel_role(SymbolRole role) {
  return role == SYMBOL_PID || role == SYMBOL_LANE || role == SYMBOL_COUNTER || role == SYMBOL_INDEX;
}

static bool is_coordinate(const TermTable *tt, Term t) {
  return term_kind(tt, t) == TERM_SYM && is_parallel_role(term_symbol(tt, t)->role);
}

/* Does t vary over the launch: a coordinate or something read from memory inside? */
static bool varies(TermTable *tt, Term t) {
  if (term_node(tt, t)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_UNDEF)) return true;
  if (term_node(tt, t)->free_mask >> 48) return true;
  TermList symbols = {0};
  term_symbols(tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) if (is_coordinate(tt, symbols.data[i])) return true;
  return false;
}

/* The i-th summand of an Int polynomial: coefficient * product; the constant comes first. */
static uint32_t monomial_count(const TermTable *tt, Term t) {
  return term_kind(tt, t) == TERM_ADD ? (term_count(tt, t) - 1) / 2 + (term_arg(tt, t, 0) != tt->zero) : t != tt->zero;
}

static Term monomial(TermTable *tt, Term t, uint32_t i) {
  if (term_kind(tt, t) != TERM_ADD) return t;
  if (term_arg(tt, t, 0) != tt->zero) {
    if (i == 0) return term_arg(tt, t, 0);
    i--;
  }
  return term_scale(tt, term_rat(tt, term_arg(tt, t, 1 + 2 * i)), term_arg(tt, t, 2 + 2 * i));
}

/* m = literal * stride * variable: the factors that do not vary, and those that do. */
static void split_monomial(TermTable *tt, Term m, Rational *literal, Term *stride, Term *variable) {
  Term product;
  *stride = tt->one, *variable = tt->one;
  if (term_is_rat(tt, m)) {
    *literal = term_rat(tt, m);
    return;
  }
  *literal = term_coefficient(tt, m, &product);
  uint32_t n = term_kind(tt, product) == TERM_MUL ? term_count(tt, product) : 2;
  for (uint32_t i = 0; i < n; i += 2) {
    bool mul = term_kind(tt, product) == TERM_MUL;
    Term base = mul ? term_arg(tt, product, i) : product;
    Term factor = mul ? term_power(tt, base, term_rat(tt, term_arg(tt, product, i + 1))) : product;
    bool grid = term_kind(tt, base) == TERM_SYM && term_symbol(tt, base)->role == SYMBOL_GRID; /* pid + grid*t */
    if (grid || varies(tt, base)) *variable = term_mul(tt, *variable, factor);
    else *stride = term_mul(tt, *stride, factor);
  }
}

static bool divides(TermTable *tt, Term d, Term t, Term *quotient) {
  Term q = term_floordiv(tt, t, d);
  *quotient = q;
  return term_mul(tt, q, d) == t;
}

static void assume(Recover *r, const char *kind, Term condition, const char *text, const char *why, const char *limit) {
  for (uint32_t i = 0; i < r->out->assumptions.count; i++)
    if (!strcmp(r->out->assumptions.data[i].text, text)) return;
  array_push(r->arena, &r->out->assumptions, (Assumption){kind, why, limit, condition, text});
}

static void oblige(Recover *r, ObligationKind kind, int verdict, OpId op, const char *tensor, const char *detail) {
  for (uint32_t i = 0; i < r->out->obligations.count; i++) {
    Obligation *o = &r->out->obligations.data[i];
    if (o->kind == kind && o->op == op && o->verdict == verdict && (o->tensor == tensor || (tensor && o->tensor && !strcmp(o->tensor, tensor)))) return;
  }
  Obligation o = {.kind = kind, .op = op, .tensor = tensor, .detail = detail};
  o.verdict = verdict;
  array_push(r->arena, &r->out->obligations, o);
}

/* ---- substitution everywhere ---- */

static void substitute_all(Recover *r, Term from, Term to) {
  TermTable *tt = r->tt;
  array_push(r->arena, &r->out->substitutions, (RecoverySubstitution){from, to});
  Execution *ex = r->ex;
  for (uint32_t i = 0; i < ex->accesses.count; i++) {
    Access *a = &ex->accesses.data[i];
    a->offset = term_replace(tt, a->offset, from, to);
    a->mask = term_replace(tt, a->mask, from, to);
    if (a->value) a->value = term_replace(tt, a->value, from, to);
  }
  for (uint32_t i = 0; i < ex->ranges.count; i++) ex->ranges.data[i].exact = term_replace(tt, ex->ranges.data[i].exact, from, to);
  for (uint32_t i = 0; i < ex->divisions.count; i++) {
    ex->divisions.data[i].divisor = term_replace(tt, ex->divisions.data[i].divisor, from, to);
    ex->divisions.data[i].path = term_replace(tt, ex->divisions.data[i].path, from, to);
  }
  for (uint32_t i = 0; i < tt->symbols.count; i++) {
    Symbol *s = &tt->symbols.data[i];
    Term symbol = s->term;
    if (symbol == from) continue;
    Term lo = s->lo ? term_replace(tt, s->lo, from, to) : 0, hi = s->hi ? term_replace(tt, tt->symbols.data[i].hi, from, to) : 0;
    tt->symbols.data[i].lo = lo, tt->symbols.data[i].hi = hi;
  }
}

/* New ranges are known: make everything again, so that the constructors use them. */
static void rebuild_all(Recover *r) {
  TermTable *tt = r->tt;
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    Access *a = &r->ex->accesses.data[i];
    a->offset = term_rebuild(tt, a->offset);
    a->mask = term_rebuild(tt, a->mask);
    if (a->value) a->value = term_rebuild(tt, a->value);
  }
}

/* ---- 1. splitting ---- */

typedef struct FloorSearch {
  Term best_numerator, best_divisor;
  Term group_numerator, group_divisor; /* the divisor varies: min(G, X - G*q) of a grouped order */
} FloorSearch;

static void find_floor(TermTable *tt, Term t, FloorSearch *found) {
  if (term_kind(tt, t) == TERM_FLOORDIV) {
    Term a = term_arg(tt, t, 0), b = term_arg(tt, t, 1), q;
    find_floor(tt, a, found);
    if (term_kind(tt, b) == TERM_MIN && varies(tt, b) && is_coordinate(tt, a)) found->group_numerator = a, found->group_divisor = b;
    bool usable = !varies(tt, b) && !(term_node(tt, a)->flags & TERM_HAS_READ) && !(term_node(tt, a)->free_mask >> 48);
    if (usable) {
      bool single = is_coordinate(tt, a);
      TermList symbols = {0};
      term_symbols(tt, a, &symbols);
      uint32_t coordinates = 0;
      for (uint32_t i = 0; i < symbols.count; i++) coordinates += is_coordinate(tt, symbols.data[i]);
      if (coordinates && (single || term_kind(tt, a) == TERM_ADD)) {
        bool better = !found->best_divisor || (a == found->best_numerator && divides(tt, b, found->best_divisor, &q)) ||
                      (single && !is_coordinate(tt, found->best_numerator));
        if (better) found->best_numerator = a, found->best_divisor = b;
      }
    }
    return;
  }
  if (term_kind(tt, t) == TERM_READ || !(term_node(tt, t)->free_mask & 0xFFFFFFFFFFFFu)) return;
  for (uint32_t i = 0; i < term_count(tt, t); i++) find_floor(tt, term_arg(tt, t, i), found);
}

/* A coordinate in [lo, hi] that is `definition` in terms of older ones. */
static Term new_coordinate(Recover *r, const char *prefix, Term lo, Term hi, Term definition) {
  Term s = term_symbol_fresh(r->tt, prefix, SORT_INT, SYMBOL_INDEX);
  array_push(r->arena, &r->out->definitions, (RecoverySubstitution){s, definition});
  return term_symbol_range(r->tt, s, lo, hi);
}

/* p = g*q + r. */
static void split_coordinate(Recover *r, Term p, Term g) {
  TermTable *tt = r->tt;
  Term hi = term_symbol(tt, p)->hi;
  Term q = new_coordinate(r, "q", tt->zero, term_floordiv(tt, hi, g), term_floordiv(tt, p, g));
  Term rest = new_coordinate(r, "r", tt->zero, term_sub(tt, g, tt->one), term_mod(tt, p, g));
  array_push(r->arena, &r->splits, (Split){p, g, q, rest});
  substitute_all(r, p, term_add(tt, term_mul(tt, g, q), rest));
}

/* Grouped order: p = (G*n)*q + r, and r is divided by d = min(G, X - G*q), the rows of group q. The groups hold n*d
 * programs each, X*n in all: with that many programs (the least that cover), r < n*d and both parts are bijective. */
static bool split_group(Recover *r, Term rest, Term divisor) {
  TermTable *tt = r->tt;
  const Split *split = NULL;
  for (uint32_t i = 0; i < r->splits.count; i++) if (r->splits.data[i].r == rest) split = &r->splits.data[i];
  if (!split || term_count(tt, divisor) != 2) return false;
  for (int side = 0; side < 2; side++) {
    Term group = term_arg(tt, divisor, side), left = term_arg(tt, divisor, 1 - side), n;
    if (varies(tt, group) || !varies(tt, left) || !divides(tt, group, split->size, &n)) continue;
    Term rows = term_add(tt, left, term_mul(tt, group, split->q)); /* X */
    if (varies(tt, rows)) continue;
    Term total = term_mul(tt, rows, n), p_hi = term_symbol(tt, split->p)->hi, grid = 0;
    for (uint32_t i = 0; i < 3; i++) if (p_hi == term_sub(tt, r->ex->grid[i], tt->one)) grid = r->ex->grid[i];
    if (grid) {
      const char *text = arena_format(r->arena, "%s = %s", term_name(tt, grid), term_text(tt, total));
      assume(r, "grid", term_eq(tt, grid, total), text, "the least grid that covers the output", NULL);
      substitute_all(r, grid, total);
    } else if (!term_prove_lt(tt, p_hi, total)) return false;
    Term q = split->q;
    term_symbol_range(tt, q, tt->zero, term_floordiv(tt, term_sub(tt, rows, tt->one), group));
    term_symbol_range(tt, rest, tt->zero, term_sub(tt, term_mul(tt, n, divisor), tt->one));
    Term high = new_coordinate(r, "q", tt->zero, term_sub(tt, n, tt->one), term_floordiv(tt, rest, divisor));
    Term low = new_coordinate(r, "r", tt->zero, term_sub(tt, divisor, tt->one), term_mod(tt, rest, divisor));
    substitute_all(r, rest, term_add(tt, term_mul(tt, divisor, high), low));
    rebuild_all(r);
    return true;
  }
  return false;
}

/* The numerator is B*p + l (+ more) with 0 <= l < B: one coordinate for both. */
static bool join_coordinates(Recover *r, Term numerator) {
  TermTable *tt = r->tt;
  if (term_kind(tt, numerator) != TERM_ADD) return false;
  Term high = 0, low = 0, stride = 0;
  for (uint32_t i = 0; i < monomial_count(tt, numerator); i++) { /* stride * coordinate; the stride may be a grid */
    Term m = monomial(tt, numerator, i), v = 0, whole;
    TermList symbols = {0};
    term_symbols(tt, m, &symbols);
    for (uint32_t k = 0; k < symbols.count; k++)
      if (is_coordinate(tt, symbols.data[k])) {
        if (v) return false;
        v = symbols.data[k];
      }
    if (!v) continue;
    if (!divides(tt, v, m, &whole)) return false;
    if (whole == tt->one && !low) low = v;
    else if (!high) high = v, stride = whole;
    else return false;
  }
  if (!low || !high) return false;
  Term low_hi = term_symbol(tt, low)->hi, high_hi = term_symbol(tt, high)->hi;
  if (!low_hi || !high_hi || term_add(tt, low_hi, tt->one) != stride) return false;
  Term last = term_add(tt, term_mul(tt, stride, high_hi), low_hi);
  if (term_has_symbol(tt, high_hi, low)) { /* grid stride: high <= (a - low) // stride says stride*high + low <= a */
    Term more = term_new_rat(tt, term_constant_part(tt, high_hi)), q = term_sub(tt, high_hi, more);
    if (term_kind(tt, q) != TERM_FLOORDIV || term_arg(tt, q, 1) != stride) return false;
    last = term_add(tt, term_add(tt, term_arg(tt, q, 0), term_mul(tt, more, stride)), low);
    if (term_has_symbol(tt, last, low)) return false;
  }
  Term both = new_coordinate(r, "t", tt->zero, last, term_add(tt, term_mul(tt, stride, high), low));
  Term q = term_floordiv(tt, both, stride);
  substitute_all(r, high, q);
  substitute_all(r, low, term_sub(tt, both, term_mul(tt, stride, q)));
  return true;
}

/* Grid-stride addresses: pid + grid*t (times a block) is one coordinate. */
static void join_grid_strides(Recover *r) {
  TermTable *tt = r->tt;
  for (uint32_t i = 0; i < r->ex->accesses.count; i++)
    for (uint32_t axis = 0; axis < 3 && r->ex->accesses.data[i].is_store; axis++) {
      Term pid = r->ex->pid[axis], grid = r->ex->grid[axis], offset = r->ex->accesses.data[i].offset;
      TermList symbols = {0};
      term_symbols(tt, offset, &symbols);
      for (uint32_t k = 0; k < symbols.count; k++) {
        Term t = symbols.data[k];
        if (term_symbol(tt, t)->role != SYMBOL_COUNTER || !term_has_symbol(tt, offset, pid) || !term_has_symbol(tt, offset, grid)) continue;
        Term sum = term_add(tt, pid, term_mul(tt, grid, t));
        if (join_coordinates(r, sum)) break;
      }
    }
}

static void split_all(Recover *r) {
  join_grid_strides(r);
  for (int round = 0; round < 12; round++) {
    FloorSearch found = {0};
    for (uint32_t i = 0; i < r->ex->accesses.count; i++)
      if (r->ex->accesses.data[i].is_store) find_floor(r->tt, r->ex->accesses.data[i].offset, &found);
    if (!found.best_divisor) {
      if (!found.group_divisor || !split_group(r, found.group_numerator, found.group_divisor)) return;
      continue;
    }
    if (is_coordinate(r->tt, found.best_numerator)) split_coordinate(r, found.best_numerator, found.best_divisor);
    else if (!join_coordinates(r, found.best_numerator)) return;
  }
}

/* Addresses that fall as a coordinate grows: run the coordinate backwards. */
static void reverse_all(Recover *r) {
  TermTable *tt = r->tt;
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    if (!r->ex->accesses.data[i].is_store) continue;
    Term offset = r->ex->accesses.data[i].offset;
    for (uint32_t m = 0; m < monomial_count(tt, offset); m++) {
      Rational k;
      Term stride, variable;
      split_monomial(tt, monomial(tt, offset, m), &k, &stride, &variable);
      if (k.num >= 0 || !is_coordinate(tt, variable)) continue;
      Term hi = term_symbol(tt, variable)->hi;
      if (!hi || varies(tt, hi)) continue;
      Term back = new_coordinate(r, "b", tt->zero, hi, term_sub(tt, hi, variable));
      substitute_all(r, variable, term_sub(tt, hi, back));
      offset = r->ex->accesses.data[i].offset;
      m = 0;
    }
  }
}

/* ---- 2. strides ---- */

static Term extent_from_mask(Recover *r, Term index, Term mask);

static View *view_of(Recover *r, Term tensor) {
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
  View *view = view_of(r, a->tensor);
  for (uint32_t i = 0; i < monomial_count(tt, a->offset); i++) {
    Rational k;
    Term stride, variable;
    split_monomial(tt, monomial(tt, a->offset, i), &k, &stride, &variable);
    if (variable == tt->one) continue;
    if (term_node(tt, stride)->flags & TERM_HAS_READ) view->flat = true;
    add_stride(r, view, stride);
  }
}

/* Coordinates with literal coefficients, k1*p + k2*q + ..., that are not one dense index (k1 = k2 * extent of q): axes of
 * their own, as generated N-D kernels write `6*i + 3*j + k`. */
static void collect_literal_strides(Recover *r, const Access *a) {
  TermTable *tt = r->tt;
  View *view = view_of(r, a->tensor);
  Term coordinate[8];
  int64_t k[8];
  uint32_t n = 0;
  for (uint32_t i = 0; i < monomial_count(tt, a->offset); i++) {
    Rational literal;
    Term stride, variable;
    split_monomial(tt, monomial(tt, a->offset, i), &literal, &stride, &variable);
    if (variable == tt->one || stride != tt->one) continue;
    if (!is_coordinate(tt, variable) || literal.num <= 0 || literal.num > INT32_MAX || n == 8) return;
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
      Term bound = extent_from_mask(r, coordinate[i + 1], a->mask);
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
  if (divides(tt, b, a, &q)) return true;
  if (divides(tt, a, b, &q)) return false;
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
static bool indices_of(Recover *r, const View *view, Term offset, Term *index) {
  TermTable *tt = r->tt;
  for (uint32_t a = 0; a < view->rank; a++) index[a] = tt->zero;
  if (view->flat) {
    index[0] = offset;
    return true;
  }
  for (uint32_t i = 0; i < monomial_count(tt, offset); i++) {
    Term m = monomial(tt, offset, i), q, variable, stride;
    Rational k;
    bool placed = false;
    split_monomial(tt, m, &k, &stride, &variable);
    for (uint32_t a = 0; a < view->rank && !placed && stride == tt->one; a++) { /* literal strides, the greatest first */
      int64_t s;
      if (!term_is_int(tt, view->stride[a], &s) || s == 1 || variable == tt->one) continue;
      if (k.num % s || k.num < s) continue;
      index[a] = term_add(tt, index[a], term_scale(tt, (Rational){k.num / s, 1}, variable));
      placed = true;
    }
    for (uint32_t a = 0; a < view->rank && !placed; a++) {
      bool exact = variable != tt->one ? view->stride[a] == stride : view->stride[a] != tt->one && divides(tt, view->stride[a], m, &q);
      if (variable == tt->one && view->stride[a] == tt->one) exact = true;
      if (!exact) continue;
      if (view->stride[a] == tt->one) q = m;
      else if (!divides(tt, view->stride[a], m, &q)) continue;
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
  return indices_of(&r, &view, offset, index);
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
    if (!indices_of(r, view, a->offset, index)) return false;
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

static void make_views(Recover *r) {
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
      if (a->tensor == view->tensor && !indices_of(r, view, a->offset, index)) {
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

/* ---- 3. stores ---- */

/* A program id split by a size whose grid nothing bounds: the launch has whole multiples, grid = size * n. */
static void complete_grids(Recover *r) {
  TermTable *tt = r->tt;
  for (uint32_t i = 0; i < r->splits.count; i++) {
    Split *split = &r->splits.data[i];
    Term q_hi = term_symbol(tt, split->q)->hi, grid = 0;
    for (uint32_t a = 0; a < 3; a++)
      if (term_symbol(tt, r->ex->pid[a])->term == split->p && term_has_symbol(tt, q_hi, r->ex->grid[a])) grid = r->ex->grid[a];
    if (!grid || varies(tt, split->size)) continue;
    const char *name = arena_format(r->arena, "%s_d%u", term_name(tt, grid), i);
    Term count = term_symbol_new(tt, intern_text(tt->names, name), SORT_INT, SYMBOL_SIZE);
    term_symbol_range(tt, count, tt->one, 0);
    Term value = term_mul(tt, split->size, count);
    const char *text = arena_format(r->arena, "%s = %s", term_name(tt, grid), term_text(tt, value));
    assume(r, "grid", term_eq(tt, grid, value), text, "the program id is split: the grid has whole multiples", NULL);
    substitute_all(r, grid, value);
    rebuild_all(r);
  }
}

typedef struct AxisPart { Term coordinate; Rational k; } AxisPart;

typedef struct Axis {
  AxisPart parts[8]; /* decreasing coefficient */
  uint32_t count;
  Term constant;
} Axis;

/* index = sum k*coordinate + constant with literal k > 0. */
static bool parse_axis(TermTable *tt, Term index, Axis *axis) {
  *axis = (Axis){.constant = tt->zero};
  for (uint32_t i = 0; i < monomial_count(tt, index); i++) {
    Rational k;
    Term stride, variable, m = monomial(tt, index, i);
    split_monomial(tt, m, &k, &stride, &variable);
    if (variable == tt->one) {
      axis->constant = term_add(tt, axis->constant, m);
      continue;
    }
    if (!is_coordinate(tt, variable) || stride != tt->one || axis->count == 8) return false;
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
    for (uint32_t j = i + 1; j < axis->count; j++) lower = term_add(tt, lower, term_scale(tt, axis->parts[j].k, axis->parts[j].coordinate));
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

/* The greatest value of t over the coordinates, by their ranges; 0 if unbounded. */
static Term greatest(Recover *r, Term t, uint32_t depth) {
  TermTable *tt = r->tt;
  TermList symbols = {0};
  if (depth > 16) return 0;
  term_symbols(tt, t, &symbols);
  for (uint32_t i = symbols.count; i-- > 0;) {
    Term s = symbols.data[i];
    if (!is_coordinate(tt, s)) continue;
    Term one_more = term_sub(tt, term_replace(tt, t, s, term_add(tt, s, tt->one)), t);
    Term hi = term_symbol(tt, s)->hi, lo = term_symbol(tt, s)->lo, by = 0;
    if (term_prove_le(tt, tt->zero, one_more)) by = hi;
    else if (term_prove_le(tt, one_more, tt->zero)) by = lo;
    return by ? greatest(r, term_replace(tt, t, s, by), depth + 1) : 0;
  }
  return term_node(tt, t)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE) ? 0 : t;
}

/* Least upper bound + 1 of `index` where `mask`: a mask conjunct index + rest <= 0, else the ranges. */
static Term extent_from_mask(Recover *r, Term index, Term mask) {
  TermTable *tt = r->tt;
  if (term_kind(tt, mask) == TERM_OR) { /* each alternative must bound it */
    Term most = 0;
    for (uint32_t i = 0; i < term_count(tt, mask); i++) {
      Term bound = extent_from_mask(r, index, term_arg(tt, mask, i));
      if (!bound) return 0;
      most = most ? term_max(tt, most, bound) : bound;
    }
    return most;
  }
  uint32_t n = term_kind(tt, mask) == TERM_AND ? term_count(tt, mask) : 1;
  Term best = 0;
  for (uint32_t i = 0; i < n; i++) {
    Term c = term_kind(tt, mask) == TERM_AND ? term_arg(tt, mask, i) : mask;
    Term bound = 0;
    if (term_kind(tt, c) == TERM_OR) bound = extent_from_mask(r, index, c);
    else if (term_kind(tt, c) == TERM_LE && term_count(tt, c) == 1 && term_sort(tt, term_arg(tt, c, 0)) == SORT_INT) {
      Term rest = term_sub(tt, term_arg(tt, c, 0), index);
      if (!varies(tt, rest)) bound = term_sub(tt, tt->one, rest);
    }
    if (!bound) continue;
    best = best ? term_min(tt, best, bound) : bound;
  }
  return best;
}

static const char *dim_name(Recover *r, Term extent, const char *tensor, uint32_t axis) {
  if (term_kind(r->tt, extent) == TERM_SYM) return term_name(r->tt, extent);
  return arena_format(r->arena, "%s_d%u", tensor, axis);
}

/* The launch has exactly as many programs along this coordinate as its extent needs. */
static void assume_grid(Recover *r, Term coordinate, Term count) {
  TermTable *tt = r->tt;
  Term hi = term_symbol(tt, coordinate)->hi, grid = 0, have = term_add(tt, hi, tt->one);
  if (have == count || term_prove_le(tt, count, have)) {
    if (have == count) return;
  }
  for (uint32_t i = 0; i < 3; i++) if (term_has_symbol(tt, hi, r->ex->grid[i])) grid = r->ex->grid[i];
  if (!grid || term_has_symbol(tt, count, grid)) return;
  Term value = 0;
  if (have == grid) value = count;
  else { /* hi = (grid - 1) // g: grid = count * g */
    Term g = term_kind(tt, hi) == TERM_FLOORDIV && term_arg(tt, hi, 0) == term_sub(tt, grid, tt->one) ? term_arg(tt, hi, 1) : 0;
    if (g) value = term_mul(tt, count, g);
  }
  if (!value || varies(tt, value)) return;
  const char *text = arena_format(r->arena, "%s = %s", term_name(tt, grid), term_text(tt, value));
  assume(r, "grid", term_eq(tt, grid, value), text, "the least grid that covers the output", NULL);
  substitute_all(r, grid, value);
  rebuild_all(r);
}

/* A block covers the whole axis: extent <= block. */
static void assume_cover(Recover *r, Term extent, Term block, const Access *a) {
  TermTable *tt = r->tt;
  if (term_prove_le(tt, extent, block)) return;
  int64_t literal;
  if (term_kind(tt, extent) != TERM_SYM || !term_is_int(tt, block, &literal)) return;
  const char *text = arena_format(r->arena, "%s <= %lld", term_name(tt, extent), (long long)literal);
  assume(r, "cover", term_le(tt, extent, block), text,
         arena_format(r->arena, "one block covers the axis (%s)", execute_where(r->ex, a->op)), NULL);
  Symbol *s = term_symbol(tt, extent);
  if (!s->hi || term_prove_le(tt, block, s->hi)) s->hi = block;
  rebuild_all(r);
}

/* Where the coordinates of an axis come from: its extent, and the assumptions that make it covered. */
static Term store_extent(Recover *r, const Access *a, Term index, const Axis *axis) {
  TermTable *tt = r->tt;
  Term masked = extent_from_mask(r, index, a->mask), top = greatest(r, index, 0);
  if (!masked) return top ? term_add(tt, top, tt->one) : 0;
  if (axis->count) {
    Term lead = axis->parts[0].coordinate, k = term_new_rat(tt, axis->parts[0].k);
    Term span = term_sub(tt, masked, axis->constant), count = term_cdiv(tt, span, k);
    bool by_grid = false;
    Term hi = term_symbol(tt, lead)->hi;
    for (uint32_t i = 0; i < 3; i++) by_grid |= term_has_symbol(tt, hi, r->ex->grid[i]);
    if (by_grid) assume_grid(r, lead, count);
    else if (axis->count == 1 && axis->constant == tt->zero) assume_cover(r, masked, term_add(tt, hi, tt->one), a);
  }
  return masked;
}

/* coordinate := its quotient of (i - constant), from the greatest coefficient down. */
static void invert_axis(Recover *r, const Axis *axis, Term i, Term *from, Term *to, uint32_t *n) {
  TermTable *tt = r->tt;
  Term rest = term_sub(tt, i, axis->constant);
  for (uint32_t p = 0; p < axis->count; p++) {
    Term k = term_new_rat(tt, axis->parts[p].k);
    Term q = p + 1 == axis->count && axis->parts[p].k.num == 1 ? rest : term_floordiv(tt, rest, k);
    from[*n] = axis->parts[p].coordinate, to[(*n)++] = q;
    rest = term_sub(tt, rest, term_mul(tt, k, q));
  }
}

/* The values of the coordinates lie in their ranges: what that says about the indices. */
static Term range_condition(Recover *r, const Axis *axis, TermMap map) {
  TermTable *tt = r->tt;
  Term condition = tt->true_;
  for (uint32_t p = 0; p < axis->count; p++) {
    Term c = axis->parts[p].coordinate, at = term_substitute(tt, c, map), hi = term_symbol(tt, c)->hi, lo = term_symbol(tt, c)->lo;
    if (p > 0) continue; /* remainders lie in range by construction when the radix is exact */
    condition = term_and(tt, condition, term_le(tt, at, term_substitute(tt, hi, map)));
    condition = term_and(tt, condition, term_le(tt, term_substitute(tt, lo, map), at));
  }
  for (uint32_t p = 1; p < axis->count; p++) {
    Term c = axis->parts[p].coordinate, at = term_substitute(tt, c, map), hi = term_symbol(tt, c)->hi;
    condition = term_and(tt, condition, term_le(tt, at, term_substitute(tt, hi, map)));
  }
  /* the index itself is a multiple of the last coefficient */
  Rational last = axis->count ? axis->parts[axis->count - 1].k : rational_int(1);
  if (last.num != 1) {
    Term sum = axis->constant;
    for (uint32_t p = 0; p < axis->count; p++)
      sum = term_add(tt, sum, term_scale(tt, axis->parts[p].k, term_substitute(tt, axis->parts[p].coordinate, map)));
    (void)sum;
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

static void push_mask(TermTable *tt, Term mask) {
  if (term_kind(tt, mask) == TERM_AND) for (uint32_t k = 0; k < term_count(tt, mask); k++) term_push_fact(tt, term_arg(tt, mask, k));
  else if (mask != tt->true_) term_push_fact(tt, mask);
}

static Term merge_extent(TermTable *tt, Term a, Term b) { return !a ? b : !b ? a : term_max(tt, a, b); }

/* Extents of the axes of every store, with the grid and cover assumptions they suggest. */
static bool measure_store(Recover *r, uint32_t access) {
  TermTable *tt = r->tt;
  for (uint32_t axis = 0; axis < view_of(r, r->ex->accesses.data[access].tensor)->rank; axis++) {
    const Access *a = &r->ex->accesses.data[access];
    View *view = view_of(r, a->tensor);
    Term index[MAX_STRIDES];
    Axis parsed;
    if (!indices_of(r, view, a->offset, index)) return false;
    if (!parse_axis(tt, index[axis], &parsed)) {
      view->gathered[axis] = true;
      continue;
    }
    Term extent = store_extent(r, a, index[axis], &parsed);
    view = view_of(r, r->ex->accesses.data[access].tensor);
    view->extent[axis] = merge_extent(tt, view->extent[axis], extent);
  }
  return true;
}

static void stop(Recover *r, const char *code, const char *text) {
  if (r->out->stop_code) return;
  r->out->stop_code = code, r->out->stop_text = text;
}

/* One row of the output per store: region and value over the index symbols. */
static void place_store(Recover *r, uint32_t access) {
  TermTable *tt = r->tt;
  const Access *a = &r->ex->accesses.data[access];
  const View *view = view_of(r, a->tensor);
  const char *name = term_name(tt, a->tensor);
  PointwiseOutput *out = output_of(r, a->tensor);
  Term index[MAX_STRIDES], from[MAX_COORDINATES], to[MAX_COORDINATES], region = tt->true_;
  Axis axes[MAX_STRIDES];
  uint32_t n = 0;
  if (!out || !indices_of(r, view, a->offset, index)) {
    stop(r, "address", arena_format(r->arena, "the address of the store to %s fits no view", name));
    return;
  }
  if (!out->rank && view->rank) {
    out->rank = view->rank;
    static const char *const letters[] = {"i", "j", "l", "m", "n", "o", "p", "q"};
    for (uint32_t k = 0; k < view->rank; k++) {
      out->index[k] = term_symbol_new(tt, intern_text(tt->names, letters[k]), SORT_INT, SYMBOL_INDEX);
      term_symbol(tt, out->index[k])->axis = k;
      if (view->extent[k]) term_symbol_range(tt, out->index[k], tt->zero, term_sub(tt, view->extent[k], tt->one));
    }
  }
  uint32_t facts = tt->facts.count;
  push_mask(tt, a->mask);
  bool radix = true;
  Term data = tt->true_; /* an atomic's axis that memory addresses: the index is an equation, not inverted */
  for (uint32_t k = 0; k < view->rank; k++) {
    bool good = parse_axis(tt, index[k], &axes[k]) && is_mixed_radix(tt, &axes[k]);
    if (!good && a->is_atomic) {
      data = term_and(tt, data, term_eq(tt, index[k], out->index[k]));
      axes[k].count = 0, axes[k].constant = out->index[k];
    } else radix &= good;
  }
  term_pop_facts(tt, facts);
  if (!radix) {
    stop(r, "address", arena_format(r->arena, "the address of the store to %s is not invertible: %s", name, term_text(tt, a->offset)));
    return;
  }
  for (uint32_t k = 0; k < view->rank; k++) invert_axis(r, &axes[k], out->index[k], from, to, &n);
  TermMap map = {n, from, to};
  for (uint32_t k = 0; k < view->rank; k++) {
    Term range = range_condition(r, &axes[k], map);
    if (axes[k].count == 0) range = term_eq(tt, out->index[k], axes[k].constant);
    region = term_and(tt, region, range);
  }
  region = term_and(tt, region, term_substitute(tt, term_and(tt, data, a->mask), map));
  Term value = term_assume(tt, term_substitute(tt, a->value, map), region);
  /* coordinates that the address does not determine */
  TermList left = {0};
  term_symbols(tt, value, &left);
  term_symbols(tt, region, &left);
  for (uint32_t i = 0; i < left.count; i++) {
    Term s = left.data[i];
    bool own = false;
    for (uint32_t k = 0; k < out->rank; k++) own |= out->index[k] == s;
    if (own || !is_coordinate(tt, s)) continue;
    Term hi = term_symbol(tt, s)->hi;
    if (hi == tt->zero) continue;
    if (a->is_atomic) continue;
    oblige(r, OBLIGATION_RACE, OBLIGATION_UNKNOWN, a->op, name, arena_format(r->arena, "%s does not determine the element that is written", term_name(tt, s)));
    stop(r, "race", arena_format(r->arena, "several programs or lanes write one element of %s: %s", name, term_text(tt, value)));
    return;
  }
  PointwisePiece piece = {.region = region, .value = value, .accumulate = a->is_atomic ? (int)a->atomic_op + 1 : 0};
  if (a->is_atomic) { /* combine over everything the address does not determine */
    for (uint32_t i = 0; i < left.count; i++) {
      Term s = left.data[i];
      bool own = false;
      for (uint32_t k = 0; k < out->rank; k++) own |= out->index[k] == s;
      if (own || !is_coordinate(tt, s)) continue;
      Term hi = term_symbol(tt, s)->hi;
      if (!hi || varies(tt, hi)) {
        stop(r, "atomic", "the range of an atomic's programs is not known");
        return;
      }
      piece.value = term_fold(tt, a->atomic_op, s, tt->zero, term_add(tt, hi, tt->one), piece.region, piece.value);
      piece.region = tt->true_;
    }
  }
  array_push(r->arena, &out->pieces, piece);
  Term *kept = arena_array(r->arena, Term, 2 * n + 1);
  memcpy(kept, from, sizeof *from * n);
  memcpy(kept + n, to, sizeof *to * n);
  uint32_t number = (uint32_t)(out - r->out->pointwise->outputs.data);
  array_push(r->arena, &r->out->places, (RecoveryPlace){access, number, out->pieces.count - 1, {n, kept, kept + n}});
}

/* ---- 5. reads ---- */

static Term index_reads(TermTable *tt, Term t, void *payload) {
  Recover *r = payload;
  if (term_kind(tt, t) != TERM_READ || term_count(tt, t) != 2) return t;
  Term tensor = term_arg(tt, t, 0), index[MAX_STRIDES];
  View *view = view_of(r, tensor);
  if (!indices_of(r, view, term_arg(tt, t, 1), index)) {
    stop(r, "address", arena_format(r->arena, "an address of %s fits no view: %s", term_name(tt, tensor), term_text(tt, term_arg(tt, t, 1))));
    return t;
  }
  /* marked as done by an extra argument count: rank 1 reads keep their one index */
  return term_read(tt, tensor, term_sort(tt, t), view->rank, index);
}

/* ---- extents of inputs ---- */

static void measure_load(Recover *r, const Access *a) {
  TermTable *tt = r->tt;
  View *view = view_of(r, a->tensor);
  Term index[MAX_STRIDES];
  if (!indices_of(r, view, a->offset, index)) return;
  for (uint32_t k = 0; k < view->rank; k++) {
    if (term_node(tt, index[k])->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE)) {
      view->gathered[k] = true;
      continue;
    }
    Term masked = extent_from_mask(r, index[k], a->mask);
    Axis only;
    if (masked && parse_axis(tt, index[k], &only) && only.count == 1 && only.constant == tt->zero && only.parts[0].k.num == 1) {
      Symbol *lead = term_symbol(tt, only.parts[0].coordinate); /* one block over the whole axis */
      if (lead->role == SYMBOL_LANE) assume_cover(r, masked, term_add(tt, lead->hi, tt->one), a);
    }
    Term top = masked ? 0 : greatest(r, index[k], 0);
    Term extent = masked ? masked : top ? term_add(tt, top, tt->one) : 0;
    if (!masked && extent) { /* a mask on a part of the index bounds it too: take the coordinates one by one */
      Axis axis;
      if (parse_axis(tt, index[k], &axis) && axis.count) {
        Term part = tt->zero;
        for (uint32_t p = 0; p < axis.count; p++) part = term_add(tt, part, term_scale(tt, axis.parts[p].k, axis.parts[p].coordinate));
        Term bound = extent_from_mask(r, part, a->mask);
        if (bound) extent = term_add(tt, bound, axis.constant);
      }
    }
    if (!extent) view->gathered[k] = true;
    else view->extent[k] = merge_extent(tt, view->extent[k], extent);
  }
}

/* ---- tensors and scalars ---- */

static const char *dtype_name(Recover *r, TypeId element) {
  Text text = text_new(r->arena);
  program_type_print(r->ex->program, element, &text);
  return text_string(&text);
}

static void list_arguments(Recover *r) {
  Pointwise *p = r->out->pointwise;
  for (uint32_t i = 0; i < r->ex->params.count; i++) {
    const Param *param = &r->ex->params.data[i];
    if (!param->is_pointer) {
      array_push(r->arena, &p->scalars, (PointwiseScalar){param->symbol, param->name, dtype_name(r, param->type)});
      continue;
    }
    PointwiseTensor t = {.symbol = param->symbol, .name = param->name, .dtype = dtype_name(r, param->element), .sort = term_sort(r->tt, param->symbol)};
    for (uint32_t k = 0; k < r->ex->accesses.count; k++) {
      const Access *a = &r->ex->accesses.data[k];
      if (a->tensor != param->symbol) continue;
      if (a->is_store) t.is_written = true;
      else t.is_read = true;
    }
    array_push(r->arena, &p->tensors, t);
  }
}

static void fill_tensors(Recover *r) {
  TermTable *tt = r->tt;
  Pointwise *p = r->out->pointwise;
  for (uint32_t i = 0; i < p->tensors.count; i++) {
    PointwiseTensor *t = &p->tensors.data[i];
    if (!t->is_read && !t->is_written) continue;
    View *view = view_of(r, t->symbol);
    t->rank = view->rank;
    for (uint32_t k = 0; k < view->rank; k++) {
      Term extent = view->extent[k];
      if (view->gathered[k] || !extent) {
        const char *name = arena_format(r->arena, "%s_d%u", t->name, k);
        Term size = term_symbol_new(tt, intern_text(tt->names, name), SORT_INT, SYMBOL_SIZE);
        extent = term_symbol_range(tt, size, tt->one, 0);
        view->extent[k] = extent;
      }
      t->extent[k] = extent;
      t->stride[k] = view->stride[k];
      t->dim_name[k] = dim_name(r, extent, t->name, k);
    }
  }
}

const PointwiseTensor *pointwise_tensor(const Pointwise *p, Term symbol) {
  for (uint32_t i = 0; i < p->tensors.count; i++) if (p->tensors.data[i].symbol == symbol) return &p->tensors.data[i];
  return NULL;
}

/* Program ids that nothing uses: one program along that axis. */
static void unused_grid(Recover *r) {
  TermTable *tt = r->tt;
  for (uint32_t i = 0; i < 3; i++) {
    bool used = false;
    for (uint32_t k = 0; k < r->ex->accesses.count && !used; k++) {
      const Access *a = &r->ex->accesses.data[k];
      used = term_has_symbol(tt, a->offset, r->ex->pid[i]) || term_has_symbol(tt, a->mask, r->ex->pid[i]) ||
             (a->value && term_has_symbol(tt, a->value, r->ex->pid[i]));
    }
    if (used) continue;
    term_symbol(tt, r->ex->grid[i])->hi = tt->one;
    term_symbol(tt, r->ex->pid[i])->hi = tt->zero;
  }
}

Recovery *recover_views(Arena *arena, Execution *ex) {
  Recover r = {.arena = arena, .tt = ex->tt, .ex = ex};
  Recovery *out = r.out = arena_new(arena, Recovery);
  TermTable *tt = ex->tt;
  out->ex = ex;
  out->pointwise = arena_new(arena, Pointwise);
  out->pointwise->tt = tt;
  out->pointwise->kernel = intern_string(ex->program->names, ex->function->name);
  if (ex->stop_code) {
    out->stop_code = ex->stop_code;
    out->stop_text = arena_format(arena, "%s (%s)", ex->stop_text, execute_where(ex, ex->stop_op));
    return out;
  }
  unused_grid(&r);
  split_all(&r);
  reverse_all(&r);
  list_arguments(&r);
  make_views(&r);
  for (uint32_t i = 0; i < ex->accesses.count; i++)
    if (ex->accesses.data[i].is_store && !measure_store(&r, i))
      stop(&r, "address", arena_format(arena, "the address of the store to %s fits no view", term_name(tt, ex->accesses.data[i].tensor)));
  complete_grids(&r);
  for (uint32_t v = 0; v < r.views.count; v++) memset(r.views.data[v].extent, 0, sizeof r.views.data[v].extent);
  for (uint32_t i = 0; i < ex->accesses.count; i++)
    if (ex->accesses.data[i].is_store) measure_store(&r, i);
  for (uint32_t i = 0; i < ex->accesses.count; i++)
    if (!ex->accesses.data[i].is_store) measure_load(&r, &ex->accesses.data[i]);
  for (uint32_t v = 0; v < r.views.count; v++)
    for (uint32_t k = 0; k < r.views.data[v].rank; k++)
      if (r.views.data[v].extent[k]) r.views.data[v].extent[k] = term_rebuild(tt, r.views.data[v].extent[k]);
  fill_tensors(&r);
  for (uint32_t i = 0; i < ex->accesses.count && !out->stop_code; i++)
    if (ex->accesses.data[i].is_store) place_store(&r, i);
  for (uint32_t o = 0; o < out->pointwise->outputs.count && !out->stop_code; o++) {
    PointwiseOutput *output = &out->pointwise->outputs.data[o];
    for (uint32_t k = 0; k < output->pieces.count; k++) {
      PointwisePiece *piece = &output->pieces.data[k];
      piece->region = term_transform(tt, term_rebuild(tt, piece->region), index_reads, &r);
      piece->value = term_transform(tt, term_transform(tt, piece->value, term_merge_tiles, NULL), index_reads, &r);
    }
  }
  return out;
}
