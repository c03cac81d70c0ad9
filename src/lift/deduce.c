/* Deduction of tensor expressions.
 *
 * A frame is a list of slots, one per axis of the arrays under construction; a slot holds the index symbol that runs
 * along that axis, or nothing. The frame of an output holds its index symbols. A term is built in a frame bottom-up,
 * and every array so built is aligned with the frame at the last axis (absent symbols have length 1), so that
 * arithmetic broadcasts by itself:
 *
 *   T[...] with affine indices     slices, transpose and expand put the axes of T where the frame has their symbols
 *   T[...] with other indices      take, take_along_axis, or T[index arrays]; div and mod by extents are a reshape
 *   fold over k of e               e in the frame with k in a slot whose symbol e does not use, then a reduction
 *   sum over k of a product        whose factors fall apart by two slots: a @ b, each in a frame with k in one slot
 *   fold over k <= i               a scan when e is free of i, else a masked reduction
 *   select(i < c, a, b)            where, or concat of a and b in frames of their own, whichever needs fewer gathers
 *
 * When no slot is free the output's frame gets one more empty slot, at every place in turn; it is squeezed at the end.
 * Alternatives are compared by the cost of their views and gathers. Results are remembered per (term, frame). */
#include "lift/deduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "laws/laws.h"
#include "lift/frame.h"
#include "laws/normalise.h"

typedef const TensorExpr *Expr;

enum { READABLE = 600, LOOKED_THROUGH = 10000 }; /* characters; nodes, counted as a tree */

static Expr build_node(Deduction *d, Term t, uint32_t f);

Expr deduce_build(Deduction *d, Term t, uint32_t f) {
  TermTable *tt = d->tt;
  guard_tick(tt->arena->guard);
  DeductionMemo *known = deduction_find(d, t, f);
  if (known->term) return known->expr;
  if (d->steps++ > DEDUCTION_STEPS || d->depth > DEDUCTION_DEPTH) return deduction_fail(d, "the term is too large");
  d->depth++;
  Expr e = build_node(d, t, f);
  d->depth--;
  deduction_remember(d, t, f, e);
  return e;
}

static Expr build_symbol(Deduction *d, Term t, uint32_t f) {
  TermTable *tt = d->tt;
  const Frame *frame = &d->frames.data[f];
  for (uint32_t i = 0; i < frame->rank; i++)
    if (frame->slot[i] == t) return deduction_place(d, tensor_index(tt, frame->extent[i]), &(int){(int)i}, f);
  switch (term_symbol(tt, t)->role) {
  case SYMBOL_SIZE:
  case SYMBOL_SCALAR:
  case SYMBOL_GRID: break;
  default: return deduction_fail(d, "the value mentions an index of no axis");
  }
  for (uint32_t i = 0; i < d->p->scalars.count; i++)
    if (d->p->scalars.data[i].symbol == t) return tensor_scalar(tt, t, d->p->scalars.data[i].name, i);
  return tensor_scalar(tt, t, term_name(tt, t), d->p->scalars.count);
}

/* ---- arithmetic ---- */

/* A summand -m*b*(a // b) with which m*(a % b) can be split off the integer sum t. */
static bool find_mod(TermTable *tt, Term t, Term *a, Term *b, Rational *m, Term *rest) {
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    Term part = term_arg(tt, t, i + 1), q = 0, base;
    uint32_t n = term_kind(tt, part) == TERM_MUL ? term_count(tt, part) : 0;
    if (term_kind(tt, part) == TERM_FLOORDIV) q = part;
    for (uint32_t j = 0; j < n && !q; j += 2)
      if (term_kind(tt, term_arg(tt, part, j)) == TERM_FLOORDIV) q = term_arg(tt, part, j);
    if (!q) continue;
    if (term_remainder_of_quotient(tt, t, i, q, a, b, m, rest)) return true;
    *a = term_arg(tt, q, 0), *b = term_arg(tt, q, 1);
    Term whole = term_mul(tt, *b, q);
    Rational k = term_coefficient(tt, whole, &base), c = term_rat(tt, term_arg(tt, t, i));
    if (base != part) continue;
    *m = rational_neg(rational_div(tt->arena->guard, c, k));
    if (m->den != 1) continue;
    *rest = term_sub(tt, term_add(tt, t, term_scale(tt, *m, whole)), term_scale(tt, *m, *a));
    if (term_kind(tt, *rest) != TERM_ADD || term_count(tt, *rest) < term_count(tt, t)) return true;
  }
  return false;
}

static Expr build_product(Deduction *d, Rational k, Term t, uint32_t f);

/* k * t with the coefficient among the factors: 0.5 * x * y. */
static TensorPart build_summand(Deduction *d, Rational k, Term t, uint32_t f) {
  double far;
  if (term_kind(d->tt, t) != TERM_MUL) return (TensorPart){deduce_build(d, t, f), k};
  if (term_is_far(d->tt, t, &far))
    return (TensorPart){tensor_const(d->tt, term_scale(d->tt, k.num < 0 ? rational_neg(k) : k, t)),
                        {k.num < 0 ? -1 : 1, 1}};
  return (TensorPart){build_product(d, k.num < 0 ? rational_neg(k) : k, t, f), {k.num < 0 ? -1 : 1, 1}};
}

static Expr build_sum(Deduction *d, Term t, uint32_t f) {
  TermTable *tt = d->tt;
  uint32_t n = 0;
  TensorPart *parts = arena_array(tt->arena, TensorPart, term_count(tt, t) + 4);
  Term rest = t, a, b, next;
  Rational m;
  if (term_sort(tt, t) == SORT_INT)
    while (term_kind(tt, rest) == TERM_ADD && n < term_count(tt, t) / 2 && find_mod(tt, rest, &a, &b, &m, &next)) {
      parts[n++] = (TensorPart){tensor_binary(tt, TENSOR_MOD, deduce_build(d, a, f), deduce_build(d, b, f)), m};
      rest = next;
    }
  if (term_kind(tt, rest) == TERM_ADD)
    for (uint32_t i = 1; i < term_count(tt, rest); i += 2)
      parts[n++] = build_summand(d, term_rat(tt, term_arg(tt, rest, i)), term_arg(tt, rest, i + 1), f);
  else if (!term_is_rat(tt, rest))
    parts[n++] = (TensorPart){deduce_build(d, rest, f), {1, 1}};
  for (uint32_t i = 0; i < n; i++)
    if (!parts[i].expr) return NULL;
  Expr e = tensor_sum(tt, term_constant_part(tt, rest), n, parts);
  return e ? e : deduction_fail(d, "shapes of a sum do not fit");
}

/* log(x) in a product with 1 / log(2): 0 if there is none. */
static Term find_log2(TermTable *tt, Term t) {
  Term two = term_fn1(tt, FN_LOG, term_int(tt, 2)), found = 0;
  bool base = false;
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    Term x = term_arg(tt, t, i), e = term_arg(tt, t, i + 1);
    if (x == two && e == tt->minus_one)
      base = true;
    else if (e == tt->one && term_kind(tt, x) == TERM_FN && term_aux(tt, x) == FN_LOG && x != two)
      found = x;
  }
  return base ? found : 0;
}

/* The product t without log(x) / log(2). */
static Term drop_unit(TermTable *tt, Term t, Term logarithm) {
  Term two = term_fn1(tt, FN_LOG, term_int(tt, 2)), rest = tt->one;
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    Term x = term_arg(tt, t, i), e = term_arg(tt, t, i + 1);
    if (x != logarithm && !(x == two && e == tt->minus_one))
      rest = term_mul(tt, rest, term_power(tt, x, term_rat(tt, e)));
  }
  return rest;
}

/* k * (a product) where the product's factors are multiplied out with the coefficient: 0.5 * x * y is one product. */
static Expr build_product(Deduction *d, Rational k, Term t, uint32_t f) {
  TermTable *tt = d->tt;
  Term logarithm = find_log2(tt, t), rest;
  if (logarithm) {
    rest = drop_unit(tt, t, logarithm);
    Expr log = tensor_unary(tt, TENSOR_LOG2, deduce_build(d, term_arg(tt, logarithm, 0), f));
    if (rest == tt->one) return tensor_product(tt, k, 1, &(TensorPart){log, {1, 1}});
    return tensor_product(tt, k, 2, (TensorPart[]){{log, {1, 1}}, {deduce_build(d, rest, f), {1, 1}}});
  }
  uint32_t n = term_count(tt, t) / 2;
  TensorPart *parts = arena_array(tt->arena, TensorPart, n);
  for (uint32_t i = 0; i < n; i++) {
    parts[i] = (TensorPart){deduce_build(d, term_arg(tt, t, 2 * i), f), term_rat(tt, term_arg(tt, t, 2 * i + 1))};
    if (!parts[i].expr) return NULL;
  }
  Expr e = tensor_product(tt, k, n, parts);
  return e ? e : deduction_fail(d, "shapes of a product do not fit");
}

static Expr build_add(Deduction *d, Term t, uint32_t f) {
  Term base;
  double far;
  Rational k = term_coefficient(d->tt, t, &base);
  if (term_is_far(d->tt, t, &far)) return tensor_const(d->tt, t);
  if (base != t && term_kind(d->tt, base) == TERM_MUL) return build_product(d, k, base, f);
  return build_sum(d, t, f);
}

static Expr build_extremum(Deduction *d, Term t, uint32_t f) {
  uint32_t n = term_count(d->tt, t);
  Expr *args = arena_array(d->tt->arena, Expr, n);
  for (uint32_t i = 0; i < n; i++)
    if (!(args[i] = deduce_build(d, term_arg(d->tt, t, i), f))) return NULL;
  return tensor_extremum(d->tt, term_kind(d->tt, t) == TERM_MAX ? TENSOR_MAXIMUM : TENSOR_MINIMUM, n, args);
}

static Expr build_unary(Deduction *d, TensorOp op, Term t, uint32_t f) {
  return tensor_unary(d->tt, op, deduce_build(d, term_arg(d->tt, t, 0), f));
}

/* |a - b| with the earlier argument first. */
static Expr build_abs(Deduction *d, Term t, uint32_t f) {
  TermTable *tt = d->tt;
  Expr plain = build_unary(d, TENSOR_ABS, t, f);
  if (!plain || term_kind(tt, term_arg(tt, t, 0)) != TERM_ADD) return plain;
  Expr turned = tensor_unary(tt, TENSOR_ABS, deduce_build(d, term_neg(tt, term_arg(tt, t, 0)), f));
  if (!turned) return plain;
  Expr a = plain->args[0], b = turned->args[0];
  while (a->op == TENSOR_ADD || a->op == TENSOR_SUB) a = a->args[0];
  while (b->op == TENSOR_ADD || b->op == TENSOR_SUB) b = b->args[0];
  return b->place < a->place || (b->place == a->place && turned->size < plain->size) ? turned : plain;
}

/* t / log(2), if t has that factor in every summand: the argument of exp2. 0 if not. */
static Term without_log2(TermTable *tt, Term t) {
  Term two = term_fn1(tt, FN_LOG, term_int(tt, 2)), sum = tt->zero;
  if (term_kind(tt, t) == TERM_MUL) {
    Term rest = tt->one;
    bool found = false;
    for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
      if (term_arg(tt, t, i) == two && term_arg(tt, t, i + 1) == tt->one)
        found = true;
      else
        rest = term_mul(tt, rest, term_power(tt, term_arg(tt, t, i), term_rat(tt, term_arg(tt, t, i + 1))));
    }
    return found ? rest : 0;
  }
  if (term_kind(tt, t) != TERM_ADD || term_arg(tt, t, 0) != tt->zero) return 0;
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    Term rest = without_log2(tt, term_arg(tt, t, i + 1));
    if (!rest) return 0;
    sum = term_add(tt, sum, term_scale(tt, term_rat(tt, term_arg(tt, t, i)), rest));
  }
  return sum;
}

static Expr build_fn(Deduction *d, Term t, uint32_t f) {
  Expr args[2];
  if (term_aux(d->tt, t) == FN_EXP) {
    Term power = without_log2(d->tt, term_arg(d->tt, t, 0));
    if (power) return tensor_unary(d->tt, TENSOR_EXP2, deduce_build(d, power, f));
  }
  uint32_t n = term_count(d->tt, t);
  if (n > 2) return deduction_fail(d, "a function of more than two arguments");
  for (uint32_t i = 0; i < n; i++)
    if (!(args[i] = deduce_build(d, term_arg(d->tt, t, i), f))) return NULL;
  return tensor_fn(d->tt, (TermFn)term_aux(d->tt, t), n, args);
}

/* ---- conditions ---- */

/* x - n*(x // n), with either sign, for a literal n: the remainder; else 0. */
static Term remainder_in(TermTable *tt, Term t) {
  for (uint32_t i = 1; term_kind(tt, t) == TERM_ADD && i < term_count(tt, t); i += 2) {
    Term q = term_arg(tt, t, i + 1);
    if (term_kind(tt, q) != TERM_FLOORDIV || !term_is_number(tt, term_arg(tt, q, 1))) continue;
    Term rest = term_mod(tt, term_arg(tt, q, 0), term_arg(tt, q, 1));
    if (rest == t || rest == term_neg(tt, t)) return rest;
  }
  return 0;
}

static bool is_scalar(const TermTable *tt, Term t) {
  return term_kind(tt, t) == TERM_SYM && term_symbol(tt, t)->role == SYMBOL_SCALAR;
}

/* x + a <= 0 is x <= -a of a scalar a: one side would be 0. */
static void move_scalars(TermTable *tt, Term *from, Term *to) {
  Term rest = tt->zero, moved = tt->zero, sum = *from;
  if (*to != tt->zero || term_kind(tt, sum) != TERM_ADD || term_sort(tt, sum) != SORT_REAL ||
      term_constant_part(tt, sum).num)
    return;
  for (uint32_t i = 1; i < term_count(tt, sum); i += 2) {
    Term part = term_scale(tt, term_rat(tt, term_arg(tt, sum, i)), term_arg(tt, sum, i + 1));
    Term *side = is_scalar(tt, term_arg(tt, sum, i + 1)) ? &moved : &rest;
    *side = term_add(tt, *side, part);
  }
  if (rest != tt->zero) *from = rest, *to = term_neg(tt, moved);
}

/* t <= 0 as left <= right: what is subtracted stands on the right. */
static void split_comparison(TermTable *tt, Term t, TermKind *kind, Term *left, Term *right) {
  *left = term_arg(tt, t, 0), *right = tt->zero;
  if (term_count(tt, t) == 2) {
    *right = term_arg(tt, t, 1);
    return;
  }
  Term all = *left;
  if (term_kind(tt, all) != TERM_ADD) return;
  Term constant = term_new_rat(tt, term_constant_part(tt, all)),
       rest = *kind == TERM_EQ && term_sort(tt, all) == SORT_INT ? remainder_in(tt, term_sub(tt, all, constant)) : 0;
  if (rest) { /* x % n == r */
    *left = rest, *right = term_sub(tt, all, constant) == rest ? term_neg(tt, constant) : constant;
    return;
  }
  *left = tt->zero;
  for (uint32_t i = 1; i < term_count(tt, all); i += 2) {
    Rational k = term_rat(tt, term_arg(tt, all, i));
    Term part = term_scale(tt, k.num < 0 ? rational_neg(k) : k, term_arg(tt, all, i + 1));
    if (k.num < 0)
      *right = term_add(tt, *right, part);
    else
      *left = term_add(tt, *left, part);
  }
  Rational c = term_rat(tt, term_arg(tt, all, 0));
  if (*kind == TERM_LE && c.num == 1 && c.den == 1 && term_sort(tt, all) == SORT_INT)
    *kind = TERM_LT;
  else if (*right != tt->zero && (c.num > 0 || *left == tt->zero)) /* -1 < x rather than 0 < x + 1 */
    *left = term_add(tt, *left, term_new_rat(tt, c));
  else
    *right = term_add(tt, *right, term_new_rat(tt, rational_neg(c)));
  move_scalars(tt, left, right), move_scalars(tt, right, left);
}

static Expr build_comparison(Deduction *d, Term t, bool negated, uint32_t f) {
  TermTable *tt = d->tt;
  TermKind kind = term_kind(tt, t);
  Term left, right;
  split_comparison(tt, t, &kind, &left, &right);
  Expr a = deduce_build(d, left, f), b = deduce_build(d, right, f);
  if (!a || !b) return NULL;
  bool flip = a->place > b->place;
  TensorOp op = kind == TERM_EQ   ? (negated ? TENSOR_NE : TENSOR_EQ)
                : kind == TERM_LE ? (flip ? TENSOR_GE : TENSOR_LE)
                : flip            ? TENSOR_GT
                                  : TENSOR_LT;
  return tensor_binary(tt, op, flip ? b : a, flip ? a : b);
}

static Expr build_junction(Deduction *d, Term t, uint32_t f) {
  uint32_t n = term_count(d->tt, t);
  Expr *args = arena_array(d->tt->arena, Expr, n);
  for (uint32_t i = 0; i < n; i++)
    if (!(args[i] = deduce_build(d, term_arg(d->tt, t, i), f))) return NULL;
  return tensor_extremum(d->tt, term_kind(d->tt, t) == TERM_AND ? TENSOR_AND : TENSOR_OR, n, args);
}

static Expr build_not(Deduction *d, Term t, uint32_t f) {
  Term a = term_arg(d->tt, t, 0);
  if (term_kind(d->tt, a) == TERM_EQ) return build_comparison(d, a, true, f);
  return tensor_unary(d->tt, TENSOR_NOT, deduce_build(d, a, f));
}

static Expr build_where(Deduction *d, Term t, uint32_t f) {
  TermTable *tt = d->tt;
  Term condition = term_arg(tt, t, 0);
  Expr a = deduce_build(d, term_arg(tt, t, 1), f), b = deduce_build(d, term_arg(tt, t, 2), f);
  if (!a || !b) return NULL;
  bool data = term_node(tt, condition)->flags & TERM_HAS_READ; /* where(mask != 0, x, y) */
  bool flip = term_kind(tt, condition) == TERM_EQ && term_count(tt, condition) == 1 && data &&
              term_kind(tt, term_arg(tt, condition, 0)) == TERM_READ;
  flip = flip || (term_kind(tt, condition) == TERM_EQ && a->op == TENSOR_CONST && b->op != TENSOR_CONST);
  Expr c = flip ? build_comparison(d, condition, true, f) : deduce_build(d, condition, f);
  return tensor_where(tt, c, flip ? b : a, flip ? a : b);
}

/* True if the condition says s < bound (or s >= bound, then *high) for the symbol of one slot. */
static bool find_threshold(Deduction *d, Term condition, uint32_t f, uint32_t *slot, Term *bound, bool *high) {
  TermTable *tt = d->tt;
  if (term_kind(tt, condition) != TERM_LE || term_count(tt, condition) != 1) return false;
  Term t = term_arg(tt, condition, 0);
  if (term_sort(tt, t) != SORT_INT) return false;
  const Frame *frame = &d->frames.data[f];
  for (uint32_t i = 0; i < frame->rank; i++) {
    Term s = frame->slot[i];
    if (!s || !term_has_symbol(tt, t, s)) continue;
    Term up = term_sub(tt, t, s), down = term_add(tt, t, s); /* t = s + up, or t = -s + down */
    if (frame_is_free(tt, frame, up))
      *bound = term_sub(tt, tt->one, up), *high = false;
    else if (frame_is_free(tt, frame, down))
      *bound = down, *high = true;
    else
      return false;
    *slot = i;
    return term_prove_le(tt, tt->zero, *bound) && term_prove_le(tt, *bound, frame->extent[i]);
  }
  return false;
}

static uint32_t frame_with(Deduction *d, uint32_t f, uint32_t slot, Term symbol, Term extent) {
  Frame frame = d->frames.data[f];
  frame.slot[slot] = symbol, frame.extent[slot] = extent;
  return deduction_frame(d, &frame);
}

static Expr build_concat(Deduction *d, Term t, uint32_t f) {
  TermTable *tt = d->tt;
  uint32_t slot;
  Term bound;
  bool high;
  if (!find_threshold(d, term_arg(tt, t, 0), f, &slot, &bound, &high)) return NULL;
  Term s = d->frames.data[f].slot[slot], extent = d->frames.data[f].extent[slot], rest = term_sub(tt, extent, bound);
  Term first = deduction_symbol(d, s, tt->zero, bound), second = deduction_symbol(d, s, bound, rest);
  Term low_term = term_replace(tt, term_arg(tt, t, high ? 2 : 1), s, first);
  Term high_term = term_replace(tt, term_arg(tt, t, high ? 1 : 2), s, term_add(tt, second, bound));
  Expr low = deduce_build(d, low_term, frame_with(d, f, slot, first, bound));
  Expr top = deduce_build(d, high_term, frame_with(d, f, slot, second, rest));
  if (!low || !top) return NULL;
  /* both parts with all axes from the slot on, or wider */
  uint32_t rank = d->frames.data[f].rank, width = rank - slot;
  if (low->rank > width) width = low->rank;
  if (top->rank > width) width = top->rank;
  Term shape[2][TENSOR_MAX_RANK];
  Expr parts[2] = {low, top};
  for (uint32_t i = 0; i < width; i++) {
    uint32_t back = width - i;
    Term x = back <= low->rank ? low->shape[low->rank - back] : tt->one,
         y = back <= top->rank ? top->shape[top->rank - back] : tt->one;
    bool along = rank - back == slot;
    shape[0][i] = along ? bound : x == tt->one ? y : x;
    shape[1][i] = along ? rest : x == tt->one ? y : x;
  }
  for (int i = 0; i < 2; i++) parts[i] = deduction_filled(d, parts[i], width, shape[i]);
  return tensor_concat(tt, parts[0], parts[1], slot - (rank - width));
}

static bool uses_places(Expr e) {
  bool uses = e->op == TENSOR_INDEX;
  for (uint32_t i = 0; i < e->count && !uses; i++) uses = uses_places(e->args[i]);
  return uses;
}

static Expr build_select(Deduction *d, Term t, uint32_t f) {
  Expr where = build_where(d, t, f);
  bool both = where && where->op == TENSOR_WHERE && uses_places(where->args[1]) && uses_places(where->args[2]);
  if (where && where->cost < DEDUCTION_GATHER && !both) return where;
  Expr concat = build_concat(d, t, f);
  return !where || (concat && concat->cost < where->cost) ? concat : where;
}

/* ---- folds ---- */

/* `e` reduced along the slot. */
static Expr reduce_along(Deduction *d, const OpenFold *fold, Expr e, uint32_t f, uint32_t slot, bool scan) {
  uint32_t missing = e ? d->frames.data[f].rank - e->rank : 0;
  if (!e || slot < missing || e->shape[slot - missing] == d->tt->one) return NULL;
  return scan ? tensor_scan(d->tt, fold->op, e, slot - missing) : tensor_reduce(d->tt, fold->op, e, slot - missing);
}

static Expr build_scan(Deduction *d, const OpenFold *fold, uint32_t f) {
  TermTable *tt = d->tt;
  Frame frame = d->frames.data[f];
  for (uint32_t i = 0; i < frame.rank; i++) {
    Term s = frame.slot[i];
    if (!s || fold->scan_end != s || fold->length != frame.extent[i] || term_has_symbol(tt, fold->plain_body, s))
      continue;
    return reduce_along(d, fold, deduce_build(d, fold->plain_body, frame_with(d, f, i, fold->symbol, fold->length)), f,
                        i, true);
  }
  return NULL;
}

static Expr build_reduction(Deduction *d, const OpenFold *fold, uint32_t f) {
  Frame frame = d->frames.data[f];
  Expr best = NULL;
  bool free_slot = false;
  for (uint32_t i = frame.rank; i-- > 0;) {
    if (frame.slot[i] && term_has_symbol(d->tt, fold->body, frame.slot[i])) continue;
    free_slot = true;
    Expr e = reduce_along(d, fold, deduce_build(d, fold->body, frame_with(d, f, i, fold->symbol, fold->length)), f, i,
                          false);
    if (e && (!best || e->cost < best->cost)) best = e;
  }
  if (!free_slot) d->wants_slot = true;
  return best;
}

typedef struct Factors {
  Rational k;
  uint32_t count;
  Term term[64]; /* each with its exponent */
} Factors;

static bool find_factors(TermTable *tt, Term body, Factors *out) {
  Term product;
  out->k = term_coefficient(tt, body, &product);
  out->count = 0;
  if (term_kind(tt, product) != TERM_MUL || term_count(tt, product) > 120) return false;
  for (uint32_t i = 0; i < term_count(tt, product); i += 2)
    out->term[out->count++] = term_power(tt, term_arg(tt, product, i), term_rat(tt, term_arg(tt, product, i + 1)));
  return out->count >= 2;
}

/* The two sides of a contraction over k whose result runs over the symbols m and n. */
static bool split_factors(TermTable *tt, const Factors *factors, Term k, Term m, Term n, Term *left, Term *right) {
  *left = term_new_rat(tt, factors->k), *right = tt->one;
  bool has_m = false, has_n = false;
  for (uint32_t i = 0; i < factors->count; i++) {
    Term t = factors->term[i];
    bool with_m = term_has_symbol(tt, t, m), with_n = term_has_symbol(tt, t, n);
    if (with_m && with_n) return false;
    has_m |= with_m, has_n |= with_n;
    if (with_n)
      *right = term_mul(tt, *right, t);
    else
      *left = term_mul(tt, *left, t);
  }
  return has_m && has_n && term_has_symbol(tt, *left, k) && term_has_symbol(tt, *right, k);
}

static Expr build_contraction(Deduction *d, const OpenFold *fold, uint32_t f, uint32_t m, uint32_t n,
                              const Factors *factors) {
  TermTable *tt = d->tt;
  Frame frame = d->frames.data[f];
  Term left, right;
  if (!split_factors(tt, factors, fold->symbol, frame.slot[m], frame.slot[n], &left, &right)) return NULL;
  if (fold->guard != tt->true_) { /* where(mask, a, 0) @ b */
    bool on_left = !term_has_symbol(tt, fold->guard, frame.slot[n]);
    if (!on_left && term_has_symbol(tt, fold->guard, frame.slot[m])) return NULL;
    if (on_left)
      left = term_select(tt, fold->guard, left, tt->zero);
    else
      right = term_select(tt, fold->guard, right, tt->zero);
  }
  Frame batch = {.rank = 0};
  int places[TENSOR_MAX_RANK];
  for (uint32_t i = 0; i < frame.rank; i++) {
    if (i == m || i == n || !frame.slot[i] || !term_has_symbol(tt, fold->body, frame.slot[i])) continue;
    places[batch.rank] = (int)i;
    batch.slot[batch.rank] = frame.slot[i], batch.extent[batch.rank++] = frame.extent[i];
  }
  places[batch.rank] = (int)m, places[batch.rank + 1] = (int)n;
  Frame a = batch, b = batch;
  uint32_t row = batch.rank, column = row + 1;
  a.rank = b.rank = column + 1;
  a.slot[row] = frame.slot[m], a.extent[row] = frame.extent[m], a.slot[column] = fold->symbol,
  a.extent[column] = fold->length;
  b.slot[row] = fold->symbol, b.extent[row] = fold->length, b.slot[column] = frame.slot[n],
  b.extent[column] = frame.extent[n];
  Expr e =
      tensor_matmul(tt, deduce_build(d, left, deduction_frame(d, &a)), deduce_build(d, right, deduction_frame(d, &b)));
  return e && e->rank == batch.rank + 2 ? deduction_place(d, e, places, f) : NULL;
}

static Expr build_contractions(Deduction *d, const OpenFold *fold, uint32_t f) {
  Factors factors;
  Frame frame = d->frames.data[f];
  if (fold->op != FOLD_SUM || !find_factors(d->tt, fold->bare_body, &factors)) return NULL;
  Expr best = NULL;
  for (uint32_t m = 0; m < frame.rank; m++)
    for (uint32_t n = 0; n < frame.rank; n++) {
      if (m == n || !frame.slot[m] || !frame.slot[n]) continue;
      Expr e = build_contraction(d, fold, f, m, n, &factors);
      if (e && (!best || e->cost < best->cost)) best = e;
    }
  return best;
}

/* The product of so many equal factors; NULL: they differ, or where there are none is told by an index. */
static Expr build_power(Deduction *d, Term t, uint32_t f) {
  TermTable *tt = d->tt;
  Term lo = term_fold_lo(tt, t), hi = term_fold_hi(tt, t), body = term_fold_body(tt, t);
  bool is_product = term_aux(tt, t) == FOLD_PROD && term_fold_guard(tt, t) == tt->true_;
  if (!is_product || term_has_symbol(tt, body, term_fold_bound(tt, t))) return NULL;
  Term count = term_max(tt, term_sub(tt, hi, lo), tt->zero);
  if (!term_prove_le(tt, lo, hi) && frame_has_index(tt, count)) return NULL;
  return tensor_binary(tt, TENSOR_POW, deduce_build(d, body, f), deduce_build(d, count, f));
}

static Expr build_fold(Deduction *d, Term t, uint32_t f) {
  TermTable *tt = d->tt;
  Expr power = build_power(d, t, f);
  if (power) return power;
  const OpenFold *fold = deduction_open(d, t);
  if (!fold) return deduction_fail(d, "a fold over a range without a bound");
  if (fold->scan_end) {
    Expr scan = build_scan(d, fold, f);
    if (scan) return scan;
  }
  bool wanted = d->wants_slot;
  Expr plain = build_reduction(d, fold, f), matmul = build_contractions(d, fold, f);
  Expr e = !plain || (matmul && matmul->cost < plain->cost) ? matmul : plain;
  if (matmul && !plain) d->wants_slot = wanted;
  if (!e) return deduction_fail(d, "a fold that no axis can hold");
  if (fold->op != FOLD_ARGMAX && fold->op != FOLD_ARGMIN) return e;
  return fold->lo == tt->zero
             ? e
             : tensor_sum(tt, rational_int(0), 2, (TensorPart[]){{e, {1, 1}}, {deduce_build(d, fold->lo, f), {1, 1}}});
}

static Expr build_wrap(Deduction *d, Term t, uint32_t f) {
  switch (term_aux(d->tt, t)) {
  case 8: return build_unary(d, TENSOR_WRAP8, t, f);
  case 16: return build_unary(d, TENSOR_WRAP16, t, f);
  case 32: return build_unary(d, TENSOR_WRAP32, t, f);
  case 64: return build_unary(d, TENSOR_WRAP64, t, f);
  }
  return deduction_fail(d, "the value wraps to a width of no type");
}

static Expr build_node(Deduction *d, Term t, uint32_t f) {
  TermTable *tt = d->tt;
  if (deduction_mixes_bits(tt, t)) return deduction_bits(d, t, f);
  switch (term_kind(tt, t)) {
  case TERM_RAT:
  case TERM_INF:
  case TERM_NEG_INF:
  case TERM_TRUE:
  case TERM_FALSE: return tensor_const(tt, t);
  case TERM_SYM: return build_symbol(d, t, f);
  case TERM_READ: return deduce_read(d, t, f);
  case TERM_ADD: return build_add(d, t, f);
  case TERM_MUL: return build_product(d, rational_int(1), t, f);
  case TERM_FLOORDIV:
    return tensor_binary(tt, TENSOR_FLOORDIV, deduce_build(d, term_arg(tt, t, 0), f),
                         deduce_build(d, term_arg(tt, t, 1), f));
  case TERM_MIN:
  case TERM_MAX: return build_extremum(d, t, f);
  case TERM_ABS: return build_abs(d, t, f);
  case TERM_FLOOR: return build_unary(d, TENSOR_FLOOR, t, f);
  case TERM_CEIL: return build_unary(d, TENSOR_CEIL, t, f);
  case TERM_ROUND: return build_unary(d, TENSOR_ROUND, t, f);
  case TERM_TRUNC: return build_unary(d, TENSOR_TRUNC, t, f);
  case TERM_LE:
  case TERM_LT:
  case TERM_EQ: return build_comparison(d, t, false, f);
  case TERM_IS_INF: return build_unary(d, TENSOR_IS_INF, t, f);
  case TERM_IS_NEG_INF: return build_unary(d, TENSOR_IS_NEG_INF, t, f);
  case TERM_IS_NAN: return build_unary(d, TENSOR_IS_NAN, t, f);
  case TERM_NOT: return build_not(d, t, f);
  case TERM_AND:
  case TERM_OR: return build_junction(d, t, f);
  case TERM_SELECT: {
    Term a, b;
    if (!term_is_truncdiv(tt, t, &a, &b)) return build_select(d, t, f);
    return tensor_binary(tt, TENSOR_TRUNCDIV, deduce_build(d, a, f), deduce_build(d, b, f));
  }
  case TERM_FN: return build_fn(d, t, f);
  case TERM_FOLD: return build_fold(d, t, f);
  case TERM_OPAQUE: return deduction_fail(d, "the value has an opaque function");
  case TERM_WRAP: return build_wrap(d, t, f);
  case TERM_UNDEF: return deduction_fail(d, "the value has an undefined element");
  case TERM_RECUR:
  case TERM_STATE: return deduction_fail(d, "the value has a recurrence without closed form");
  case TERM_NAN:
  case TERM_NONE:
  case TERM_BOUND:
  case TERM_PTR:
  case TERM_KIND_COUNT: break;
  }
  return deduction_fail(d, "a term without tensor form");
}

/* ---- the whole output ---- */

Term deduce_region(const Pointwise *p, const PointwiseOutput *output) {
  Term region = p->tt->false_;
  for (uint32_t i = 0; i < output->pieces.count; i++) region = term_or(p->tt, region, output->pieces.data[i].region);
  return region;
}

/* A sum or product as the tensor's memory holds it: of integers, modulo 2^w. */
static Term as_held(TermTable *tt, const PointwiseTensor *tensor, Term value) {
  bool is_integer = tensor->sort == SORT_INT && tensor->dtype && tensor->dtype[0] == 'i';
  unsigned long width = is_integer ? strtoul(tensor->dtype + 1, NULL, 10) : 0;
  return width >= 8 && width <= 64 ? term_wrap(tt, (uint32_t)width, value) : value;
}

Term deduce_combined(TermTable *tt, const PointwiseTensor *tensor, int accumulate, Term old, Term value) {
  switch ((TermFoldOp)(accumulate - 1)) {
  case FOLD_SUM: return as_held(tt, tensor, term_add(tt, old, value));
  case FOLD_PROD: return as_held(tt, tensor, term_mul(tt, old, value));
  case FOLD_MAX: return term_max(tt, old, value);
  case FOLD_MIN: return term_min(tt, old, value);
  case FOLD_ANY:
  case FOLD_ALL:
  case FOLD_XOR:
  case FOLD_ARGMAX:
  case FOLD_ARGMIN:
  case FOLD_OP_COUNT: break;
  }
  return 0;
}

static bool has_conjunct(TermTable *tt, Term condition, Term part) {
  if (condition == part) return true;
  if (term_kind(tt, condition) != TERM_AND) return false;
  for (uint32_t i = 0; i < term_count(tt, condition); i++)
    if (term_arg(tt, condition, i) == part) return true;
  return false;
}

/* One condition of `region` after the other. */
static Term conjunct(TermTable *tt, Term region, uint32_t i) { return term_conjunct(tt, region, i); }
static uint32_t conjuncts(TermTable *tt, Term region) { return term_conjunct_count(tt, region); }

PointwiseOutput deduce_whole(const Pointwise *p, const PointwiseOutput *output) {
  TermTable *tt = p->tt;
  PointwiseOutput whole = *output;
  whole.pieces.data = NULL, whole.pieces.count = whole.pieces.capacity = 0;
  for (uint32_t i = 0; i < output->pieces.count; i++) array_push(tt->arena, &whole.pieces, output->pieces.data[i]);
  for (uint32_t i = 0; i + 1 < whole.pieces.count;) {
    PointwisePiece *x = &whole.pieces.data[i], *y = &whole.pieces.data[i + 1];
    Term value = x->accumulate || y->accumulate ? 0 : term_unite_values(tt, x->value, x->region, y->value, y->region);
    Term region = value ? term_unite(tt, x->region, y->region) : 0;
    if (!region) {
      i++;
      continue;
    }
    x->region = region, x->value = value;
    whole.pieces.count--;
    for (uint32_t k = i + 1; k < whole.pieces.count; k++) whole.pieces.data[k] = whole.pieces.data[k + 1];
    i = i ? i - 1 : 0;
  }
  return whole;
}

/* The piece's region without what all regions say: outside of them the value is not asked for. */
static Term own_region(TermTable *tt, const PointwiseOutput *whole, uint32_t piece) {
  Term region = whole->pieces.data[piece].region, own = tt->true_;
  for (uint32_t i = 0; i < conjuncts(tt, region); i++) {
    Term part = conjunct(tt, region, i);
    bool in_all = true;
    for (uint32_t k = 0; k < whole->pieces.count; k++)
      in_all = in_all && has_conjunct(tt, whole->pieces.data[k].region, part);
    if (!in_all) own = term_and(tt, own, part);
  }
  return own;
}

Term deduce_value(const Pointwise *p, const PointwiseOutput *output) {
  TermTable *tt = p->tt;
  const PointwiseTensor *tensor = &p->tensors.data[output->tensor];
  PointwiseOutput whole = deduce_whole(p, output);
  Term old = term_read(tt, tensor->symbol, tensor->sort, output->rank, output->index), value = 0;
  Term written = tt->false_; /* where no piece has written so far, an atomic finds the old contents */
  for (uint32_t i = 0; i < whole.pieces.count; i++) {
    const PointwisePiece *piece = &whole.pieces.data[i];
    Term own = own_region(tt, &whole, i);
    if (piece->accumulate) {
      Term before = value ? term_select(tt, written, value, old) : old;
      bool is_sum = piece->accumulate == FOLD_SUM + 1;
      value = deduce_combined(tt, tensor, piece->accumulate, before,
                              is_sum ? term_select(tt, own, piece->value, tt->zero) : piece->value);
      if (!value) return 0;
      if (!is_sum) value = term_select(tt, own, term_assume(tt, value, own), before);
      written = tt->true_;
      continue;
    }
    /* outside all regions the value is not asked for */
    value = value ? term_select(tt, own, piece->value, value) : piece->value;
    written = term_or(tt, written, own);
  }
  return value;
}

/* A finite number whatever the inputs: no division, root or logarithm that the mask might have kept away. */
static bool is_total(TermTable *tt, Term t) {
  uint32_t n = term_count(tt, t);
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_RAT || kind == TERM_SYM || kind == TERM_BOUND || kind == TERM_READ)
    return true;
  else if (kind == TERM_MUL) {
    for (uint32_t i = 1; i < n; i += 2) {
      Rational e = term_rat(tt, term_arg(tt, t, i));
      if (e.num < 0 || e.den != 1) return false;
    }
  } else if (kind == TERM_FN) {
    if (term_aux(tt, t) != FN_EXP && term_aux(tt, t) != FN_TANH && term_aux(tt, t) != FN_ERF) return false;
  } else if (!(kind == TERM_ADD || term_kind_is_extremum(kind) || kind == TERM_ABS))
    return false;
  for (uint32_t i = 0; i < n; i++)
    if (!is_total(tt, term_arg(tt, t, i))) return false;
  return true;
}

/* select(c, x, 0) * y = select(c, x * y, 0) for y that is always finite */
static Term pull_mask(TermTable *tt, Term t) {
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    Term s = term_arg(tt, t, i), rest = tt->one;
    if (term_kind(tt, s) != TERM_SELECT || term_arg(tt, t, i + 1) != tt->one || term_arg(tt, s, 2) != tt->zero)
      continue;
    for (uint32_t j = 0; j < term_count(tt, t); j += 2)
      if (j != i) rest = term_mul(tt, rest, term_power(tt, term_arg(tt, t, j), term_rat(tt, term_arg(tt, t, j + 1))));
    if (is_total(tt, rest))
      return term_select(tt, term_arg(tt, s, 0), term_mul(tt, term_arg(tt, s, 1), rest), tt->zero);
  }
  return t;
}

/* log(2) * (a + b) as a sum: exp2 of a sum is meant so. */
static Term spread_log2(TermTable *tt, Term t) {
  Term two = term_fn1(tt, FN_LOG, term_int(tt, 2)), sum = 0, others = tt->one;
  bool has_log = false;
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    Term x = term_arg(tt, t, i), e = term_arg(tt, t, i + 1);
    if (x == two && e == tt->one) has_log = true;
    if (!sum && term_kind(tt, x) == TERM_ADD && e == tt->one)
      sum = x;
    else
      others = term_mul(tt, others, term_power(tt, x, term_rat(tt, e)));
  }
  if (!has_log || !sum) return t;
  Term result = term_mul(tt, term_arg(tt, sum, 0), others);
  for (uint32_t i = 1; i < term_count(tt, sum); i += 2)
    result = term_add(
        tt, result, term_scale(tt, term_rat(tt, term_arg(tt, sum, i)), term_mul(tt, term_arg(tt, sum, i + 1), others)));
  return result;
}

/* Folds counted from 0, so that a sum over [1, n) and its shifted form are one term; masks outside of products, so that
 * a masked contraction is the sum over the unmasked places. */
static Term rebase(TermTable *tt, Term t, void *payload) {
  (void)payload;
  if (term_kind(tt, t) == TERM_MUL) {
    Term pulled = pull_mask(tt, t);
    return term_kind(tt, pulled) == TERM_MUL ? spread_log2(tt, pulled) : pulled;
  }
  if (term_kind(tt, t) != TERM_FOLD || term_fold_lo(tt, t) == tt->zero) return t;
  TermFoldOp op = (TermFoldOp)term_aux(tt, t);
  if (op == FOLD_ARGMAX || op == FOLD_ARGMIN) return t;
  FoldParts parts = term_fold_open(tt, t);
  Term k = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), length = term_sub(tt, parts.hi, parts.lo);
  term_symbol_range(tt, k, tt->zero, term_sub(tt, length, tt->one));
  Term at = term_add(tt, k, parts.lo);
  return term_fold(tt, op, k, tt->zero, length, term_replace(tt, parts.guard, parts.symbol, at),
                   term_replace(tt, parts.body, parts.symbol, at));
}

/* A condition of a select in t, to split cases on: 0 if there is none outside folds. */
static Term find_condition(TermTable *tt, Term t, uint32_t depth) {
  if (term_kind(tt, t) == TERM_SELECT) return term_arg(tt, t, 0);
  if (term_kind(tt, t) == TERM_FOLD || depth > 40) return 0;
  for (uint32_t i = 0; i < term_count(tt, t); i++) {
    Term c = find_condition(tt, term_arg(tt, t, i), depth + 1);
    if (c) return c;
  }
  return 0;
}

/* The condition says i <= e, or e <= i, of an index from 0 on: then another index, from 0 on as well, stands for i (or
 * i - e), so that quotients know what they are of. */
static void narrow(TermTable *tt, Term condition, Term *a, Term *b) {
  Term t = term_kind(tt, condition) == TERM_LE && term_count(tt, condition) == 1 ? term_arg(tt, condition, 0) : 0;
  TermList symbols = {0};
  if (!t || term_sort(tt, t) != SORT_INT) return;
  term_symbols(tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    Term s = symbols.data[i], low = term_sub(tt, t, s), high = term_add(tt, t, s); /* s + low <= 0, or high - s <= 0 */
    const Symbol *symbol = term_symbol(tt, s);
    if (symbol->role != SYMBOL_INDEX || symbol->lo != tt->zero || !symbol->hi) continue;
    bool below = !term_has_symbol(tt, low, s);
    Term first = below ? tt->zero : high, last = below ? term_neg(tt, low) : symbol->hi;
    if (term_has_symbol(tt, first, s) || term_has_symbol(tt, last, s) || !term_prove_le(tt, tt->zero, first)) continue;
    Term own = term_symbol_range(tt, term_symbol_fresh(tt, "i", SORT_INT, SYMBOL_INDEX), tt->zero,
                                 term_sub(tt, last, first)),
         at = term_add(tt, own, first);
    *a = term_replace(tt, *a, s, at), *b = term_replace(tt, *b, s, at);
    return;
  }
}

static bool same(TermTable *tt, Term a, Term b, uint32_t depth) {
  if (a == b) return true;
  Term x = term_transform(tt, a, rebase, NULL), y = term_transform(tt, b, rebase, NULL);
  if (x == y) return true;
  Term c = depth ? find_condition(tt, a, 0) : 0;
  if (!c && depth) c = find_condition(tt, b, 0);
  if (!c) return false;
  Term cases[2] = {c, term_not(tt, c)};
  for (int i = 0; i < 2; i++) {
    x = term_assume(tt, a, cases[i]), y = term_assume(tt, b, cases[i]);
    if (x == a && y == b) return false;
    if (x != y) narrow(tt, cases[i], &x, &y);
    if (!same(tt, x, y, depth - 1)) return false;
  }
  return true;
}

/* The axes of an output: those of its tensor, or with one of them as two. */
typedef struct Axes {
  uint32_t rank;
  Term index[TENSOR_MAX_RANK], extent[TENSOR_MAX_RANK];
} Axes;

/* Drops the empty slots and widens to the output's shape. */
static Expr finish(Deduction *d, Expr e, uint32_t f, const Axes *axes) {
  const Frame *frame = &d->frames.data[f];
  uint8_t gone[TENSOR_MAX_RANK];
  uint32_t n = 0, missing = e ? frame->rank - e->rank : 0;
  for (uint32_t i = 0; e && i < e->rank; i++)
    if (!frame->slot[i + missing]) gone[n++] = (uint8_t)i;
  return tensor_broadcast(d->tt, tensor_squeeze(d->tt, e, n, gone), axes->rank, axes->extent);
}

/* Every frame with `extra` empty slots among the output's: calls itself slot by slot, from the end. */
static void try_frames(Deduction *d, const Axes *axes, Term value, uint32_t extra, uint32_t taken, Frame *frame,
                       Expr *best) {
  if (!extra && taken == axes->rank) {
    Frame reversed = {.rank = frame->rank};
    for (uint32_t i = 0; i < frame->rank; i++) {
      reversed.slot[i] = frame->slot[frame->rank - 1 - i];
      reversed.extent[i] = frame->extent[frame->rank - 1 - i];
    }
    uint32_t f = deduction_frame(d, &reversed);
    Expr e = finish(d, deduce_build(d, value, f), f, axes);
    if (e && (!*best || e->cost < (*best)->cost)) *best = e;
    return;
  }
  uint32_t at = frame->rank++;
  if (extra) {
    frame->slot[at] = 0, frame->extent[at] = d->tt->one;
    try_frames(d, axes, value, extra - 1, taken, frame, best);
  }
  if (taken < axes->rank) {
    uint32_t axis = axes->rank - 1 - taken;
    frame->slot[at] = axes->index[axis], frame->extent[at] = axes->extent[axis];
    try_frames(d, axes, value, extra, taken + 1, frame, best);
  }
  frame->rank = at;
}

/* One that is too large to be looked through, as a tree, counts as one that has. */
static bool has_index_arrays(Expr e) {
  if (e->op == TENSOR_GATHER || e->size > LOOKED_THROUGH) return true;
  for (uint32_t i = 0; i < e->count; i++)
    if (has_index_arrays(e->args[i])) return true;
  return false;
}

/* Index arrays can say anything, at a length that nobody reads. */
static bool is_unwieldy(const Pointwise *p, Expr e, Term value) {
  const TensorLaws laws = {.constants = &(TensorConstants){0}};
  if (!has_index_arrays(e)) return false;
  if (strlen(tensor_text(p->tt, e)) <= READABLE) return false;
  size_t length = strlen(tensor_text(p->tt, tensor_textbook(p->tt, e, &laws)));
  return length > READABLE && length > strlen(term_text(p->tt, value));
}

/* where(j == N, a, b) of N + 1 places: the last one, so a part of its own; the first one likewise. Of two places in a
 * pair it stays. */
static Term as_threshold(TermTable *tt, Term t, void *payload) {
  const PointwiseOutput *output = payload;
  Term condition = term_kind(tt, t) == TERM_SELECT ? term_arg(tt, t, 0) : 0;
  if (!condition || term_kind(tt, condition) != TERM_EQ || term_count(tt, condition) != 1 ||
      term_sort(tt, term_arg(tt, condition, 0)) != SORT_INT)
    return t;
  for (uint32_t k = 0; k < output->rank; k++) {
    Term j = output->index[k], e = term_arg(tt, condition, 0), minus = term_sub(tt, j, e), plus = term_add(tt, j, e);
    Term at = !term_has_symbol(tt, minus, j) ? minus : !term_has_symbol(tt, plus, j) ? plus : 0;
    if (!at || !term_symbol(tt, j)->hi || term_is_rat(tt, term_symbol(tt, j)->hi)) continue;
    if (at == tt->zero) return term_select(tt, term_le(tt, j, at), term_arg(tt, t, 1), term_arg(tt, t, 2));
    if (term_sub(tt, term_symbol(tt, j)->hi, at) == tt->zero)
      return term_select(tt, term_lt(tt, j, at), term_arg(tt, t, 2), term_arg(tt, t, 1));
  }
  return t;
}

static Expr try_slots(Deduction *d, const Axes *axes, Term value) {
  Expr best = NULL;
  for (uint32_t extra = 0; !best && extra + axes->rank <= 8 && extra <= 3; extra++) {
    Frame frame = {.rank = 0};
    try_frames(d, axes, value, extra, 0, &frame, &best);
    if (!d->wants_slot) break;
  }
  return best;
}

typedef struct Divisor {
  Term index, found; /* the first number that some index // number divides by; 0: there is none */
} Divisor;

static Term find_divisor(TermTable *tt, Term t, void *payload) {
  Divisor *d = payload;
  bool divides = term_kind(tt, t) == TERM_FLOORDIV && term_arg(tt, t, 0) == d->index;
  if (!d->found && divides && term_is_rat(tt, term_arg(tt, t, 1))) d->found = term_arg(tt, t, 1);
  return t;
}

/* No index and no array of them where the other form has some; or as few gathers, and no index or fewer characters. */
static bool is_plainer(TermTable *tt, Expr e, Expr than) {
  bool is_without_places = uses_places(than) && !uses_places(e);
  if (is_without_places && !has_index_arrays(e)) return true;
  if (e->cost > than->cost) return false;
  return is_without_places || strlen(tensor_text(tt, e)) < strlen(tensor_text(tt, than));
}

/* An axis of c*n elements, each of which is told by i // c and i % c, as rows of c: reshape(rows, c * n), and those in
 * turn. */
static Expr try_rows(Deduction *d, const Axes *axes, Term value) {
  TermTable *tt = d->tt;
  for (uint32_t k = 0; k < axes->rank && axes->rank < TENSOR_MAX_RANK; k++) {
    Divisor divisor = {axes->index[k], 0};
    term_transform(tt, value, find_divisor, &divisor);
    Term i = axes->index[k], c = divisor.found, extent = axes->extent[k], product = tt->one;
    Rational all = term_is_rat(tt, extent) ? term_rat(tt, extent) : term_coefficient(tt, extent, &product);
    if (!c || all.den != 1 || term_rat(tt, c).num < 2 || all.num % term_rat(tt, c).num) continue;
    Axes rows = {.rank = axes->rank + 1};
    for (uint32_t a = 0; a < rows.rank; a++)
      rows.index[a] = axes->index[a > k ? a - 1 : a], rows.extent[a] = axes->extent[a > k ? a - 1 : a];
    rows.extent[k] = term_scale(tt, rational_int((int64_t)(all.num / term_rat(tt, c).num)), product);
    rows.extent[k + 1] = c;
    for (uint32_t a = k; a <= k + 1; a++) {
      rows.index[a] = term_symbol_fresh(tt, "i", SORT_INT, SYMBOL_INDEX);
      term_symbol_range(tt, rows.index[a], tt->zero, term_sub(tt, rows.extent[a], tt->one));
    }
    Term at = term_add(tt, term_mul(tt, c, rows.index[k]), rows.index[k + 1]);
    Term of_rows = normalise_value(tt, term_replace(tt, value, i, at));
    Expr e = try_slots(d, &rows, of_rows), nested = try_rows(d, &rows, of_rows);
    if (nested && (!e || is_plainer(tt, nested, e))) e = nested;
    if (e) return tensor_reshape(tt, e, axes->rank, axes->extent);
  }
  return NULL;
}

/* What runs backwards leaves folds that begin or end with an index i of the output: over k < n of f(i + k), which is
 * one over i <= s < n + i of f(s); and one over lo - i <= k < n - i of f(n - 1 - k), which is turned. */
static Term as_suffix(TermTable *tt, Term t, void *payload) {
  const PointwiseOutput *output = payload;
  if (term_kind(tt, t) != TERM_FOLD || term_aux(tt, t) == FOLD_ARGMAX || term_aux(tt, t) == FOLD_ARGMIN) return t;
  FoldParts p = term_fold_open(tt, t);
  for (uint32_t axis = 0; axis < output->rank; axis++) {
    Term i = output->index[axis], end = term_add(tt, p.hi, i), start = term_add(tt, p.lo, i);
    bool ends = !term_has_symbol(tt, end, i), is_turned = term_has_symbol(tt, p.lo, i);
    Term s = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), last = term_sub(tt, end, tt->one);
    Term at = is_turned ? term_sub(tt, last, s) : term_sub(tt, s, i);
    Term body = term_replace(tt, p.body, p.symbol, at);
    bool is_of_place = term_has_symbol(tt, p.body, i) && !term_has_symbol(tt, body, i);
    if (is_turned ? !ends || term_has_symbol(tt, start, i) : !ends && !is_of_place) continue;
    Term lo = is_turned ? i : start, hi = is_turned ? term_sub(tt, end, p.lo) : end;
    term_symbol_range(tt, s, lo, term_sub(tt, hi, tt->one));
    return term_fold(tt, (TermFoldOp)term_aux(tt, t), s, lo, hi, term_replace(tt, p.guard, p.symbol, at), body);
  }
  return t;
}

/* The division of C in the form that `trunc(a / b)` has as a term. */
static Term as_quotient(TermTable *tt, Term t, void *unused) {
  (void)unused;
  Term a, b;
  return term_is_truncdiv(tt, t, &a, &b) ? term_truncdiv(tt, a, b) : t;
}

const TensorExpr *deduce(const Pointwise *p, const PointwiseOutput *output, TensorBitsList *bits, const char **why) {
  TermTable *tt = p->tt;
  const char *ignored;
  if (!why) why = &ignored;
  *why = NULL;
  if (output->scatter || !output->pieces.count) {
    *why = "elements are addressed through data";
    return NULL;
  }
  Term value = deduce_value(p, output), region = deduce_region(p, output);
  if (!value) {
    *why = "an atomic that has no formula";
    return NULL;
  }
  if (region != tt->true_) value = term_assume(tt, value, region);
  value = term_transform(tt, normalise_value(tt, value), as_quotient, NULL);
  Deduction d = {.p = p, .tt = tt, .bits = bits};
  deduction_init(&d);
  for (uint32_t i = 0; i < output->pieces.count; i++)
    if (output->pieces.data[i].accumulate) d.accumulated = &p->tensors.data[output->tensor];
  Axes axes = {.rank = output->rank};
  for (uint32_t i = 0; i < output->rank; i++)
    axes.index[i] = output->index[i], axes.extent[i] = p->tensors.data[output->tensor].extent[i];
  Expr best = try_slots(&d, &axes, value);
  Term parts = best && best->cost < DEDUCTION_GATHER
                   ? value
                   : term_transform(tt, value, as_threshold, (void *)(uintptr_t)output);
  Expr of_parts = parts == value ? NULL : try_slots(&d, &axes, parts);
  if (of_parts && (!best || of_parts->cost < best->cost)) best = of_parts, value = parts;
  /* a carry, the part of a block and the own element are one prefix */
  Term joined = term_transform(tt, term_transform(tt, value, term_join_ranges, NULL), term_extend_folds, NULL);
  joined = term_transform(tt, joined, term_extend_recurrences, NULL);
  Expr of_joined = joined == value ? NULL : try_slots(&d, &axes, joined);
  if (of_joined && (!best || of_joined->size < best->size)) best = of_joined, value = joined;
  Term suffix =
      best && best->cost < DEDUCTION_GATHER ? value : term_transform(tt, value, as_suffix, (void *)(uintptr_t)output);
  Expr of_suffix = suffix == value ? NULL : try_slots(&d, &axes, suffix);
  if (of_suffix && (!best || of_suffix->cost < best->cost)) best = of_suffix, value = suffix;
  Expr of_rows = try_rows(&d, &axes, value);
  if (of_rows && (!best || is_plainer(tt, of_rows, best))) best = of_rows;
  if (!best) {
    *why = d.why ? d.why : "no axis for a fold";
    return NULL;
  }
  if (is_unwieldy(p, best, value)) {
    *why = "the tensor form is longer than the pointwise one";
    return NULL;
  }
  if (!tensor_has_text(tt, best)) {
    *why = "a size in it is a fold";
    return NULL;
  }
  Term meaning = tensor_meaning(tt, best, output->index);
  if (meaning && region != tt->true_) meaning = term_assume(tt, meaning, region);
  if (meaning &&
      best->cost <
          DEDUCTION_GATHER) /* sums over several axes, in whatever order; index arrays would be longer than the folds */
    meaning = term_transform(tt, meaning, term_order_folds, NULL),
    value = term_transform(tt, value, term_order_folds, NULL);
  if (meaning && same(tt, meaning, value, 6)) return best;
  *why = arena_format(tt->arena, "the deduced %s does not denote the value", tensor_text(tt, best));
  return NULL;
}
