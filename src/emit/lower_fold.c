/* Lowering of folds: a fold adds an axis and reduces it.
 *
 *  - A sum of products whose factors use different axes is a contraction (matrix product or einsum): the broadcast
 *    product is never formed. Factors without the summed axes are moved out.
 *  - A fold over [0, i] for an axis i of the same length is a scan.
 *  - A range that depends on outer indices runs over the largest range under a mask.
 *  - Where the broadcast body is larger than any array that it reads, the axis runs in chunks of a loop, so that memory
 * stays bounded. */
#include <string.h>

#include "emit/lower.h"

enum { SMALL_RANGE = 64, FACTORS = 32 };

/* ---- ranges ---- */

/* The largest (smallest) value of an integer term over all indices, as a term over sizes; 0 if not by structure. */
static Term extreme_term(Lower *lower, Term t, bool high);

static Term extreme_sum(Lower *lower, Term t, bool high) {
  TermTable *tt = lower->tt;
  Term result = term_arg(tt, t, 0);
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    Rational k = term_rat(tt, term_arg(tt, t, i));
    Term part = extreme_term(lower, term_arg(tt, t, i + 1), (k.num > 0) == high);
    if (!part) return 0;
    result = term_add(tt, result, term_scale(tt, k, part));
  }
  return result;
}

static Term extreme_product(Lower *lower, Term t, bool high) {
  TermTable *tt = lower->tt;
  Term result = tt->one;
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    Term base = term_arg(tt, t, i);
    if (!term_prove_le(tt, tt->zero, base)) return 0;
    Term part = extreme_term(lower, base, high);
    if (!part) return 0;
    result = term_mul(tt, result, term_power(tt, part, term_rat(tt, term_arg(tt, t, i + 1))));
  }
  return result;
}

static Term extreme_term(Lower *lower, Term t, bool high) {
  TermTable *tt = lower->tt;
  if (!lower_axes(lower, t) && !(term_node(tt, t)->flags & TERM_HAS_READ)) return t;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_SYM) {
    const Axis *axis = &lower->axes.data[lower_axis_find(lower, t)];
    if (!axis->hi) return 0;
    return high ? term_sub(tt, axis->hi, tt->one) : axis->lo;
  }
  if (kind == TERM_ADD) return term_sort(tt, t) == SORT_INT ? extreme_sum(lower, t, high) : 0;
  if (kind == TERM_MUL) return term_sort(tt, t) == SORT_INT ? extreme_product(lower, t, high) : 0;
  if (kind == TERM_FLOORDIV) {
    Term b = term_arg(tt, t, 1), a = extreme_term(lower, term_arg(tt, t, 0), high);
    if (!a || lower_axes(lower, b) || !term_prove_lt(tt, tt->zero, b)) return 0;
    return term_floordiv(tt, a, b);
  }
  if (term_kind_is_extremum(kind)) {
    bool is_max = term_kind(tt, t) == TERM_MAX;
    Term result = 0;
    for (uint32_t i = 0; i < term_count(tt, t); i++) {
      Term part = extreme_term(lower, term_arg(tt, t, i), high);
      if (!part) return 0;
      result = !result ? part : is_max ? term_max(tt, result, part) : term_min(tt, result, part);
    }
    return result;
  }
  return 0;
}

/* True if every axis of the value has at least one index. */
static bool has_elements(Lower *lower, const Value *value) {
  for (uint32_t i = 0; i < value->count; i++) {
    const Axis *axis = &lower->axes.data[value->axes[i]];
    if (axis->loop != NO_LOOP || !axis->lo || !axis->hi || !term_prove_lt(lower->tt, axis->lo, axis->hi)) return false;
  }
  return true;
}

static Node extreme_node(Lower *lower, Term t, bool high) {
  Value value = lower_term(lower, t);
  if (!array_at(lower->program, value.node)->is_array) return value.node;
  uint32_t aux = (high ? EXTREME_LARGEST : 0) | (has_elements(lower, &value) ? 0 : EXTREME_OF_NONE);
  return array_node(lower->program, (ArrayMake){.op = ARRAY_EXTREME, .sort = SORT_INT, .aux = aux}, 1, &value.node);
}

Node lower_largest(Lower *lower, Term t) {
  Term largest = extreme_term(lower, t, true);
  return largest ? lower_term(lower, largest).node : extreme_node(lower, t, true);
}

Term lower_joined(TermTable *tt, Term t) {
  TermFoldOp op = term_kind(tt, t) == TERM_MAX ? FOLD_MAX : FOLD_MIN;
  uint32_t n = term_count(tt, t);
  for (uint32_t i = 0; i < n; i++) {
    Term fold = term_arg(tt, t, i);
    if (term_kind(tt, fold) != TERM_FOLD || term_aux(tt, fold) != op || term_fold_guard(tt, fold) != tt->true_)
      continue;
    if (!term_prove_le(tt, term_fold_lo(tt, fold), term_fold_hi(tt, fold))) continue;
    FoldParts f = term_fold_open(tt, fold);
    Term before = term_sub(tt, f.lo, tt->one), first = term_replace(tt, f.body, f.symbol, before), joined = 0;
    for (uint32_t k = 0; k < n && !joined; k++)
      if (term_arg(tt, t, k) == first) {
        Term index = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX);
        term_symbol_range(tt, index, tt->zero, term_sub(tt, f.hi, f.lo));
        Term body = term_replace(tt, f.body, f.symbol, term_add(tt, index, before));
        joined = term_fold(tt, op, index, tt->zero, term_sub(tt, f.hi, before), tt->true_, body);
      }
    for (uint32_t k = 0; k < n && joined; k++)
      if (k != i && term_arg(tt, t, k) != first)
        joined = op == FOLD_MAX ? term_max(tt, joined, term_arg(tt, t, k)) : term_min(tt, joined, term_arg(tt, t, k));
    if (joined) return joined;
  }
  return t;
}

static bool is_product(const TermTable *tt, Term t) {
  return term_kind(tt, t) == TERM_FOLD && term_aux(tt, t) == FOLD_PROD;
}

static bool has_product(const TermTable *tt, Term body) {
  for (uint32_t i = 0; term_kind(tt, body) == TERM_MUL && i < term_count(tt, body); i += 2)
    if (is_product(tt, term_arg(tt, body, i))) return true;
  return false;
}

/* An element that no axis tells is read ahead of the loop, and of an array without elements there is none. */
static Term needs_element(TermTable *tt, Term t, void *needs) {
  for (uint32_t k = 1; term_kind(tt, t) == TERM_READ && k < term_count(tt, t); k++) {
    TermList symbols = {0};
    bool is_told = false;
    term_symbols(tt, term_arg(tt, t, k), &symbols);
    for (uint32_t i = 0; i < symbols.count; i++) is_told |= term_symbol(tt, symbols.data[i])->role != SYMBOL_SIZE;
    if (!is_told && !term_prove_le(tt, tt->zero, term_arg(tt, t, k))) *(bool *)needs = true;
  }
  return t;
}

Term lower_stepwise(TermTable *tt, Term t) {
  bool is_sum = term_aux(tt, t) == FOLD_SUM && term_fold_guard(tt, t) == tt->true_ && term_sort(tt, t) == SORT_REAL;
  if (!is_sum || !has_product(tt, term_fold_body(tt, t))) return t;
  FoldParts sum = term_fold_open(tt, t);
  if (!term_prove_lt(tt, sum.lo, sum.hi)) return t; /* the first element is what it begins with */
  for (uint32_t i = 0; term_kind(tt, sum.body) == TERM_MUL && i < term_count(tt, sum.body); i += 2) {
    Term factor = term_arg(tt, sum.body, i);
    bool is_plain = is_product(tt, factor) && term_arg(tt, sum.body, i + 1) == tt->one;
    if (!is_plain || term_fold_guard(tt, factor) != tt->true_) continue;
    FoldParts product = term_fold_open(tt, factor);
    bool from_zero = sum.lo == tt->zero, is_before = from_zero && product.lo == tt->zero && product.hi == sum.symbol;
    bool is_end = product.hi == sum.hi && !term_has_symbol(tt, sum.hi, sum.symbol);
    bool is_turned = is_before || (from_zero && is_end && product.lo == term_sub(tt, sum.hi, sum.symbol));
    bool is_behind = is_end && product.lo == term_add(tt, sum.symbol, tt->one);
    if ((!is_turned && !is_behind) || term_has_symbol(tt, product.body, sum.symbol)) continue;
    Term last = term_sub(tt, sum.hi, tt->one);
    Term second = term_add(tt, sum.lo, tt->one), steps = term_sub(tt, sum.hi, second);
    Term index = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX);
    term_symbol_range(tt, index, tt->zero, term_sub(tt, steps, tt->one));
    Term at = term_add(tt, second, index), state = term_symbol_fresh(tt, "state", SORT_REAL, SYMBOL_CARRY);
    Term own = term_without_factor(tt, sum.body, i);
    if (is_turned) own = term_replace(tt, own, sum.symbol, term_sub(tt, last, sum.symbol));
    Term first = term_replace(tt, own, sum.symbol, sum.lo);
    bool needs = false;
    term_transform(tt, first, needs_element, &needs);
    if (needs) return t;
    Term factor_at = is_before ? term_sub(tt, last, at) : at;
    Term kept = term_mul(tt, term_replace(tt, product.body, product.symbol, factor_at), state);
    Term next = term_add(tt, kept, term_replace(tt, own, sum.symbol, at));
    return term_recur(tt, 1, 0, index, steps, &first, &next, &state);
  }
  return t;
}

/* ---- opening ---- */

/* A fold over the symbol of an axis. */
typedef struct OpenFold {
  TermFoldOp op;
  uint32_t axis;
  Term mask, body; /* mask: conditions of the guard and of a range that is wider than the fold's */
  bool needs_mask; /* the range may be empty, or the body does not use the index */
} OpenFold;

/* The same range at the same depth has the same axis, so that bodies of different folds share terms. */
static uint32_t fold_axis(Lower *lower, Axis axis) {
  for (uint32_t i = 0; i < lower->axes.count; i++) {
    const Axis *a = &lower->axes.data[i];
    bool same = a->lo == axis.lo && a->hi == axis.hi &&
                (axis.lo || a->lo_node == axis.lo_node); /* nodes of known ends are made when asked for */
    if (same && axis.hi && a->order == axis.order && a->loop == NO_LOOP && axis.loop == NO_LOOP) return i;
  }
  axis.symbol = term_symbol_fresh(lower->tt, "k", SORT_INT, SYMBOL_INDEX);
  term_symbol_range(lower->tt, axis.symbol, axis.lo, axis.hi ? term_sub(lower->tt, axis.hi, lower->tt->one) : 0);
  return lower_axis_add(lower, axis);
}

static Axis fold_range(Lower *lower, Term t) {
  TermTable *tt = lower->tt;
  Term lo = term_fold_lo(tt, t), hi = term_fold_hi(tt, t);
  Axis axis = {.lo = extreme_term(lower, lo, false),
               .hi = extreme_term(lower, hi, true),
               .order = lower->depth,
               .loop = NO_LOOP};
  if (!axis.lo) axis.lo_node = extreme_node(lower, lo, false);
  if (!axis.hi) axis.hi_node = extreme_node(lower, hi, true);
  return axis;
}

/* A range that may end before it begins: an array of that length has no element; and one, which is masked, where an
 * empty array has no fold. */
static void keep_length(Lower *lower, Axis *axis, bool one) {
  TermTable *tt = lower->tt;
  if (axis->lo && axis->hi) {
    Term least = one ? term_add(tt, axis->lo, tt->one) : axis->lo;
    if (!term_prove_le(tt, least, axis->hi)) axis->hi = term_max(tt, axis->hi, least);
    return;
  }
  Value ends[2] = {{.node = axis->hi_node}, {.node = axis->lo_node}};
  if (axis->lo) ends[1] = lower_term(lower, axis->lo);
  if (axis->hi) ends[0] = lower_term(lower, axis->hi);
  Value first = lower_number(lower, rational_int(1));
  if (one && axis->lo == tt->zero)
    ends[1] = first;
  else if (one)
    ends[1] = lower_elementwise(lower, (ArrayMake){.op = ARRAY_SUM, .sort = SORT_INT, .text = "++"}, 2,
                                (Value[]){ends[1], first});
  axis->hi = 0;
  axis->hi_node = lower_elementwise(lower, (ArrayMake){.op = ARRAY_MAX, .sort = SORT_INT}, 2, ends).node;
}

static OpenFold open_fold(Lower *lower, Term t) {
  TermTable *tt = lower->tt;
  OpenFold fold = {.op = (TermFoldOp)term_aux(tt, t)};
  bool needs_one = fold.op == FOLD_MAX || fold.op == FOLD_MIN || fold.op == FOLD_ARGMAX || fold.op == FOLD_ARGMIN;
  Axis axis = fold_range(lower, t);
  Term hi = axis.hi;
  keep_length(lower, &axis, needs_one);
  bool is_wide_below = axis.lo != term_fold_lo(tt, t),
       is_wide_above = hi != term_fold_hi(tt, t) || (needs_one && axis.hi != hi);
  fold.axis = fold_axis(lower, axis);
  Term symbol = lower->axes.data[fold.axis].symbol, bound = term_fold_bound(tt, t);
  fold.body = term_replace(tt, term_fold_body(tt, t), bound, symbol);
  fold.mask = term_replace(tt, term_fold_guard(tt, t), bound, symbol);
  if (is_wide_below) fold.mask = term_and(tt, fold.mask, term_le(tt, term_fold_lo(tt, t), symbol));
  if (is_wide_above) fold.mask = term_and(tt, fold.mask, term_lt(tt, symbol, term_fold_hi(tt, t)));
  fold.needs_mask = !term_has_symbol(tt, fold.body, symbol) && !term_has_symbol(tt, fold.mask, symbol);
  return fold;
}

/* ---- reductions ---- */

static Value identity(Lower *lower, TermFoldOp op, TermSort sort) {
  switch (op) {
  case FOLD_SUM:
  case FOLD_XOR: return lower_number(lower, rational_int(0));
  case FOLD_PROD: return lower_number(lower, rational_int(1));
  case FOLD_MAX:
  case FOLD_ARGMAX: return lower_text(lower, sort == SORT_INT ? "-2**63" : "-inf");
  case FOLD_MIN:
  case FOLD_ARGMIN: return lower_text(lower, sort == SORT_INT ? "2**63 - 1" : "inf");
  case FOLD_ANY: return lower_term(lower, lower->tt->false_);
  case FOLD_ALL: return lower_term(lower, lower->tt->true_);
  case FOLD_OP_COUNT: break;
  }
  return lower_text(lower, "nan");
}

static Value without_axis(const Value *value, uint32_t axis, uint32_t *place) {
  Value result = {0};
  for (uint32_t i = 0; i < value->count; i++)
    if (value->axes[i] == axis)
      *place = i;
    else
      result.axes[result.count++] = value->axes[i];
  return result;
}

/* A fold of the same operation directly inside becomes one reduction over both axes. */
static bool merge_reductions(Lower *lower, TermFoldOp op, uint32_t place, Node *node, const char **axes) {
  ArrayNode inner = *array_at(lower->program, *node);
  if (inner.op != ARRAY_REDUCE || inner.aux != op || op == FOLD_ARGMAX || op == FOLD_ARGMIN) return false;
  if (op == FOLD_XOR || op == FOLD_PROD) return false; /* PyTorch reduces these over one axis at a time */
  Node from = array_arg(lower->program, *node, 0);
  uint32_t rank = array_at(lower->program, from)->rank, kept = 0;
  bool gone[VALUE_AXES] = {false};
  for (const char *s = inner.text; *s; s++)
    if (*s >= '0' && *s <= '9' && rank <= 10) gone[*s - '0'] = true;
  if (rank > 10) return false;
  for (uint32_t i = 0; i < rank; i++) {
    if (gone[i]) continue;
    if (kept++ == place) {
      gone[i] = true;
      break;
    }
  }
  Text text = text_new(lower->arena);
  for (uint32_t i = 0; i < rank; i++)
    if (gone[i]) text_format(&text, "%s%u", text.count ? ", " : "", i);
  *node = from, *axes = text_string(&text);
  return true;
}

static bool has_axis(const Value *value, uint32_t axis) {
  for (uint32_t i = 0; i < value->count; i++)
    if (value->axes[i] == axis) return true;
  return false;
}

static bool may_be_none(Lower *lower, uint32_t axis) {
  const Axis *a = &lower->axes.data[axis];
  return a->loop == NO_LOOP && (!a->hi || !term_prove_lt(lower->tt, a->lo, a->hi));
}

static Value reduce(Lower *lower, TermFoldOp op, Value value, uint32_t axis) {
  uint32_t place = 0;
  Value result = without_axis(&value, axis, &place);
  if (!has_axis(&value, axis)) return value; /* inside of the mask and out of it the identity: see masked_body */
  bool is_arg = op == FOLD_ARGMAX || op == FOLD_ARGMIN;
  TermSort sort = is_arg ? SORT_INT : array_at(lower->program, value.node)->sort;
  Node node = value.node;
  const char *axes = arena_format(lower->arena, "%u", place);
  bool may_be_empty = sort == SORT_REAL && (op == FOLD_MAX || op == FOLD_MIN) && may_be_none(lower, axis);
  if (merge_reductions(lower, op, place, &node, &axes)) may_be_empty |= array_at(lower->program, value.node)->term != 0;
  ArrayMake make = {.op = ARRAY_REDUCE,
                    .sort = sort,
                    .is_array = true,
                    .rank = result.count,
                    .aux = op,
                    .text = axes,
                    .term = may_be_empty};
  result.node = array_node(lower->program, make, 1, &node);
  return result;
}

/* The mask of a fold and a condition that brings in the axis. */
static Value bring_axis(Lower *lower, const OpenFold *fold, Value mask) {
  Value sides[2] = {lower_term(lower, lower->axes.data[fold->axis].symbol),
                    {.node = lower_axis_end(lower, fold->axis, true)}};
  Value inside = lower_elementwise(lower, (ArrayMake){.op = ARRAY_COMPARE, .sort = SORT_BOOL, .text = "<"}, 2, sides);
  if (fold->mask == lower->tt->true_) return inside;
  return lower_elementwise(lower, (ArrayMake){.op = ARRAY_AND, .sort = SORT_BOOL}, 2, (Value[]){mask, inside});
}

static Value masked_body(Lower *lower, const OpenFold *fold) {
  lower->depth++;
  Value body = lower_term(lower, fold->body), mask = lower_term(lower, fold->mask);
  TermSort sort = term_sort(lower->tt, fold->body);
  bool is_arg = fold->op == FOLD_ARGMAX || fold->op == FOLD_ARGMIN;
  bool lacks_axis =
      !has_axis(&body, fold->axis) && !has_axis(&mask, fold->axis); /* an index that vanished when it was lowered too */
  if (fold->mask != lower->tt->true_ || lacks_axis) {
    if (lacks_axis) mask = bring_axis(lower, fold, mask);
    if (fold->op == FOLD_ANY)
      body = lower_elementwise(lower, (ArrayMake){.op = ARRAY_AND, .sort = SORT_BOOL}, 2, (Value[]){body, mask});
    else
      body = lower_select(lower, mask, body, identity(lower, fold->op, is_arg && sort == SORT_BOOL ? SORT_INT : sort));
  }
  lower->depth--;
  return body;
}

/* ---- scans ---- */

/* All prefixes of the body over [0, hi): element k is the fold of 0..k. */
static Value prefixes(Lower *lower, Term t, Term hi, uint32_t *axis) {
  TermTable *tt = lower->tt;
  OpenFold fold = {.op = (TermFoldOp)term_aux(tt, t)};
  *axis = fold.axis = fold_axis(lower, (Axis){.lo = tt->zero, .hi = hi, .order = lower->depth, .loop = NO_LOOP});
  Term symbol = lower->axes.data[fold.axis].symbol, bound = term_fold_bound(tt, t);
  fold.body = term_replace(tt, term_fold_body(tt, t), bound, symbol);
  fold.mask = term_replace(tt, term_fold_guard(tt, t), bound, symbol);
  fold.needs_mask = !term_has_symbol(tt, fold.body, symbol) && !term_has_symbol(tt, fold.mask, symbol);
  Value body = masked_body(lower, &fold);
  uint32_t place = 0;
  without_axis(&body, fold.axis, &place);
  ArrayMake make = {.op = ARRAY_SCAN,
                    .sort = array_at(lower->program, body.node)->sort,
                    .is_array = true,
                    .rank = body.count,
                    .aux = fold.op,
                    .text = arena_format(lower->arena, "%u", place)};
  body.node = array_node(lower->program, make, 1, &body.node);
  return body;
}

/* The prefix that ends at `last`, an index of one axis; identity where there is none. */
static Value pick_prefix(Lower *lower, Value all, uint32_t axis, Term last, uint32_t index_axis, TermFoldOp op,
                         TermSort sort) {
  TermTable *tt = lower->tt;
  Value index = lower_term(lower, term_max(tt, last, tt->zero));
  Text text = text_new(lower->arena);
  for (uint32_t i = 0; i < all.count; i++) text_format(&text, "%s%s", i ? ", " : "", all.axes[i] == axis ? "%" : ":");
  Value part = all;
  for (uint32_t i = 0; i < part.count; i++)
    if (part.axes[i] == axis) part.axes[i] = (uint8_t)index_axis;
  ArrayMake make = {.op = ARRAY_INDEX, .sort = sort, .is_array = true, .rank = part.count, .text = text_string(&text)};
  part.node = array_node(lower->program, make, 2, (Node[]){all.node, index.node});
  Term some = term_le(tt, tt->zero, last);
  return some == tt->true_ ? part : lower_select(lower, lower_term(lower, some), part, identity(lower, op, sort));
}

/* fold over [0, hi) where hi depends on one axis and the body does not: a prefix of one array. */
static bool lower_scan(Lower *lower, Term t, Value *result) {
  TermTable *tt = lower->tt;
  TermFoldOp op = (TermFoldOp)term_aux(tt, t);
  Term hi = term_fold_hi(tt, t), last = term_sub(tt, hi, tt->one);
  AxisSet outer = lower_axes(lower, hi);
  if (op > FOLD_MIN || term_fold_lo(tt, t) != tt->zero || term_sort(tt, t) == SORT_BOOL) return false;
  if (!outer || outer & (outer - 1) ||
      (lower_axes(lower, term_fold_body(tt, t)) | lower_axes(lower, term_fold_guard(tt, t))) & outer)
    return false;
  uint32_t outer_axis = (uint32_t)__builtin_ctzll(outer), axis = 0;
  Term longest = extreme_term(lower, hi, true);
  if (!longest) return false;
  Axis a = lower->axes.data[outer_axis];
  bool plain = a.symbol == last && a.loop == NO_LOOP && a.lo == tt->zero && a.hi == longest;
  Term least = plain ? tt->zero : tt->one; /* of an array without elements none can be picked */
  if (!term_prove_le(tt, least, longest)) longest = term_max(tt, longest, least);
  *result = prefixes(lower, t, longest, &axis);
  if (!plain)
    *result = pick_prefix(lower, *result, axis, last, outer_axis, op, array_at(lower->program, result->node)->sort);
  else
    for (uint32_t i = 0; i < result->count; i++)
      if (result->axes[i] == axis) result->axes[i] = (uint8_t)outer_axis;
  return true;
}

/* ---- contractions ---- */

typedef struct Group {
  Term factor;
  AxisSet axes;
} Group;

typedef struct Contraction {
  AxisSet summed;
  Term outside; /* factor without summed axes */
  Group groups[FACTORS];
  uint32_t count;
} Contraction;

static bool add_factor(Lower *lower, Contraction *c, Term factor) {
  TermTable *tt = lower->tt;
  AxisSet axes = lower_axes(lower, factor);
  if (!(axes & c->summed)) {
    c->outside = term_mul(tt, c->outside, factor);
    return true;
  }
  for (uint32_t i = 0; i < c->count; i++)
    if (c->groups[i].axes == axes) {
      c->groups[i].factor = term_mul(tt, c->groups[i].factor, factor);
      return true;
    }
  if (c->count == FACTORS) return false;
  c->groups[c->count++] = (Group){factor, axes};
  return true;
}

/* Splits a product into groups of factors by their axes; sums directly inside are summed with it. */
static bool gather_factors(Lower *lower, Contraction *c, Term t) {
  TermTable *tt = lower->tt;
  Term rest;
  Rational k = term_coefficient(tt, t, &rest);
  c->outside = term_mul(tt, c->outside, term_new_rat(tt, k));
  if (term_kind(tt, rest) == TERM_FOLD && term_aux(tt, rest) == FOLD_SUM && term_fold_guard(tt, rest) == tt->true_) {
    lower->depth++;
    OpenFold inner = open_fold(lower, rest);
    bool fits = inner.mask == tt->true_ && !inner.needs_mask;
    if (fits) {
      c->summed |= (AxisSet)1 << inner.axis;
      fits = gather_factors(lower, c, inner.body);
    }
    lower->depth--;
    return fits;
  }
  if (term_kind(tt, rest) != TERM_MUL) return add_factor(lower, c, rest);
  for (uint32_t i = 0; i < term_count(tt, rest); i += 2)
    if (!add_factor(lower, c, term_power(tt, term_arg(tt, rest, i), term_rat(tt, term_arg(tt, rest, i + 1)))))
      return false;
  return true;
}

/* 0 where a mask does not hold, put into a factor that has the mask's axes. */
static bool mask_factors(Lower *lower, Contraction *c, Term mask) {
  TermTable *tt = lower->tt;
  if (mask == tt->true_) return true;
  uint32_t n = term_conjunct_count(tt, mask);
  for (uint32_t i = 0; i < n; i++) {
    Term condition = term_conjunct(tt, mask, i);
    AxisSet axes = lower_axes(lower, condition);
    uint32_t g = 0;
    while (g < c->count && (axes & ~c->groups[g].axes)) g++;
    if (g == c->count) return false;
    c->groups[g].factor = term_select(tt, condition, c->groups[g].factor, tt->zero);
  }
  return true;
}

static void letters(Lower *lower, Text *text, const Value *value, uint8_t *seen, uint32_t *count) {
  for (uint32_t i = 0; i < value->count; i++) {
    uint32_t at = 0;
    while (at < *count && seen[at] != value->axes[i]) at++;
    if (at == *count) {
      if (at == 26) guard_throw(lower->arena->guard, GUARD_LIMIT, "more than 26 axes in one contraction");
      seen[(*count)++] = value->axes[i];
    }
    text_char(text, (char)(at < 18 ? 'i' + at : 'a' + (at - 18)));
  }
}

/* a @ b, where the operands have one summed axis between them and at most one more each. */
static bool matrix_product(Lower *lower, TermSort sort, const Value *a, const Value *b, uint32_t summed,
                           Value *result) {
  if (a->count > 2 || b->count > 2) return false;
  uint8_t left[2], right[2];
  uint32_t n = 0, m = 0;
  *result = (Value){0};
  for (uint32_t i = 0; i < a->count; i++)
    if (a->axes[i] != summed) left[n++] = result->axes[result->count++] = a->axes[i];
  left[n++] = (uint8_t)summed, right[m++] = (uint8_t)summed;
  for (uint32_t i = 0; i < b->count; i++)
    if (b->axes[i] != summed) right[m++] = result->axes[result->count++] = b->axes[i];
  if (n != a->count || m != b->count || (result->count == 2 && result->axes[0] == result->axes[1])) return false;
  Node operands[2] = {lower_transposed(lower, *a, n, left), lower_transposed(lower, *b, m, right)};
  ArrayMake make = {.op = ARRAY_MATMUL, .sort = sort, .is_array = true, .rank = result->count};
  result->node = array_node(lower->program, make, 2, operands);
  return true;
}

static uint32_t axis_rank(const Lower *lower, const Value *value) { /* order of the first axis that is kept */
  uint32_t order = UINT32_MAX;
  for (uint32_t i = 0; i < value->count; i++)
    if (lower->axes.data[value->axes[i]].order < order) order = lower->axes.data[value->axes[i]].order;
  return order;
}

static Value contract(Lower *lower, TermSort sort, const Contraction *c, Value *values) {
  Value result;
  bool one = !(c->summed & (c->summed - 1));
  uint32_t n = c->count;
  for (uint32_t i = 1; i < n; i++) /* outer axes first */
    for (uint32_t j = i; j && axis_rank(lower, &values[j]) < axis_rank(lower, &values[j - 1]); j--) {
      Value v = values[j];
      values[j] = values[j - 1], values[j - 1] = v;
    }
  if (n == 2 && one &&
      matrix_product(lower, sort, &values[0], &values[1], (uint32_t)__builtin_ctzll(c->summed), &result))
    return result;
  result = (Value){0};
  Text text = text_new(lower->arena);
  uint8_t seen[VALUE_AXES * 2];
  Node operands[FACTORS];
  uint32_t count = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (i) text_char(&text, ',');
    letters(lower, &text, &values[i], seen, &count);
    operands[i] = values[i].node;
  }
  for (uint32_t i = 0; i < count; i++) { /* kept axes, outer ones first */
    if (c->summed >> seen[i] & 1) continue;
    uint32_t at = result.count++;
    for (; at && lower->axes.data[seen[i]].order < lower->axes.data[result.axes[at - 1]].order; at--)
      result.axes[at] = result.axes[at - 1];
    result.axes[at] = seen[i];
  }
  text_add(&text, "->");
  letters(lower, &text, &result, seen, &count);
  ArrayMake make = {
      .op = ARRAY_EINSUM, .sort = sort, .is_array = true, .rank = result.count, .text = text_string(&text)};
  result.node = array_node(lower->program, make, n, operands);
  return result;
}

static bool lower_contraction(Lower *lower, const OpenFold *fold, Value *result) {
  TermTable *tt = lower->tt;
  Contraction c = {.summed = (AxisSet)1 << fold->axis, .outside = tt->one};
  TermSort sort = term_sort(tt, fold->body);
  bool whole = sort == SORT_INT && lower->target.multiplies_integers && !lower->exact;
  if (fold->op != FOLD_SUM || fold->needs_mask || (sort != SORT_REAL && !whole)) return false;
  if (!gather_factors(lower, &c, fold->body) || c.count < 2 || term_sort(tt, c.outside) > sort ||
      !mask_factors(lower, &c, fold->mask))
    return false;
  Value values[FACTORS];
  AxisSet met = 0;
  lower->depth += (uint32_t)__builtin_popcountll(c.summed);
  bool fits = true;
  for (uint32_t i = 0; i < c.count && fits; i++) {
    bool hidden =
        fold->mask != tt->true_ && !term_is_total(tt, c.groups[i].factor); /* 0 * (1 / 0), which the mask leaves out */
    if (hidden || term_sort(tt, c.groups[i].factor) != sort || term_node(tt, c.groups[i].factor)->flags & TERM_HAS_INF)
      fits = false;
    else
      values[i] = lower_term(lower, c.groups[i].factor), met |= c.groups[i].axes;
  }
  lower->depth -= (uint32_t)__builtin_popcountll(c.summed);
  if (!fits || (c.summed & ~met)) return false;
  *result = contract(lower, sort, &c, values);
  if (c.outside == tt->one) return true;
  Value outside = lower_term(lower, c.outside);
  ArrayMake make = {.op = ARRAY_PRODUCT, .sort = sort};
  if (c.outside == tt->minus_one)
    *result = lower_elementwise(lower, (ArrayMake){.op = ARRAY_SUM, .sort = sort, .text = "-"}, 1, result);
  else
    *result = lower_elementwise(lower, make, 2, (Value[]){outside, *result});
  return true;
}

/* ---- memory ---- */

/* True if a read inside t has all these axes. Then an array of that size exists anyway; likewise a fold. */
static bool is_read_whole(Lower *lower, Term t, AxisSet axes, uint32_t fuel) {
  TermTable *tt = lower->tt;
  if (!(term_node(tt, t)->flags & TERM_HAS_READ) || !fuel) return false;
  if (term_kind(tt, t) == TERM_FOLD) return !(axes & ~lower_axes(lower, t));
  if (term_kind(tt, t) == TERM_READ && !(axes & ~lower_axes(lower, t))) return true;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (is_read_whole(lower, term_arg(tt, t, i), axes, fuel - 1)) return true;
  return false;
}

static bool is_small(Lower *lower, const Axis *axis) {
  int64_t length;
  return axis->hi && axis->lo && term_is_int(lower->tt, term_sub(lower->tt, axis->hi, axis->lo), &length) &&
         length <= SMALL_RANGE;
}

static bool needs_loop(Lower *lower, const OpenFold *fold) {
  AxisSet own = (AxisSet)1 << fold->axis, axes = lower_axes(lower, fold->body) | lower_axes(lower, fold->mask);
  if (fold->op == FOLD_ARGMAX || fold->op == FOLD_ARGMIN || fold->op == FOLD_XOR || fold->needs_mask) return false;
  if (!(axes & ~own) || is_small(lower, &lower->axes.data[fold->axis])) return false;
  if (lower->program->loops.count == 60) return false; /* the bits of ArrayNode.loops */
  return !is_read_whole(lower, fold->body, axes, 64) && !is_read_whole(lower, fold->mask, axes, 64);
}

/* The number of cells that one index of the loop brings in. */
static Node count_cells(Lower *lower, AxisSet axes) {
  Value lengths[AXIS_LIMIT];
  uint32_t n = 0;
  for (uint32_t i = 0; i < lower->axes.count; i++) {
    if (!(axes >> i & 1) || lower->axes.data[i].loop != NO_LOOP) continue;
    Value ends[2] = {{.node = lower_axis_end(lower, i, true)}, {.node = lower_axis_end(lower, i, false)}};
    bool from_zero = lower->axes.data[i].lo == lower->tt->zero;
    lengths[n++] =
        from_zero ? ends[0]
                  : lower_elementwise(lower, (ArrayMake){.op = ARRAY_SUM, .sort = SORT_INT, .text = "+-"}, 2, ends);
  }
  if (!n) return lower_number(lower, rational_int(1)).node;
  return n == 1 ? lengths[0].node
                : lower_elementwise(lower, (ArrayMake){.op = ARRAY_PRODUCT, .sort = SORT_INT}, n, lengths).node;
}

static Value lower_loop(Lower *lower, OpenFold fold) {
  TermTable *tt = lower->tt;
  ArrayProgram *program = lower->program;
  Axis axis = lower->axes.data[fold.axis];
  Node lo = lower_axis_end(lower, fold.axis, false), hi = lower_axis_end(lower, fold.axis, true);
  axis.lo_node = lo, axis.hi_node = hi, axis.loop = program->loops.count;
  array_push(lower->arena, &program->loops, (ArrayLoop){0});
  Term old = axis.symbol;
  fold.axis = fold_axis(lower, axis);
  Term symbol = lower->axes.data[fold.axis].symbol;
  fold.body = term_replace(tt, fold.body, old, symbol), fold.mask = term_replace(tt, fold.mask, old, symbol);
  AxisSet axes = (lower_axes(lower, fold.body) | lower_axes(lower, fold.mask)) & ~((AxisSet)1 << fold.axis);
  Value turn = reduce(lower, fold.op, masked_body(lower, &fold), fold.axis), result = turn;
  ArrayNode node = *array_at(program, turn.node);
  Node args[4] = {turn.node, count_cells(lower, axes), lo, hi};
  ArrayMake make = {
      .op = ARRAY_LOOP, .sort = node.sort, .is_array = true, .rank = node.rank, .aux = axis.loop << 8 | fold.op};
  result.node = array_node(program, make, 4, args);
  return result;
}

/* A sum of summands with fewer axes each than all together: summed one by one. */
static bool lower_split_sum(Lower *lower, const OpenFold *fold, Value *result) {
  TermTable *tt = lower->tt;
  if (fold->op != FOLD_SUM || term_kind(tt, fold->body) != TERM_ADD || fold->mask != tt->true_ || fold->needs_mask)
    return false;
  if (term_arg(tt, fold->body, 0) != tt->zero || term_sort(tt, fold->body) != SORT_REAL || !needs_loop(lower, fold))
    return false;
  AxisSet all = lower_axes(lower, fold->body), own = (AxisSet)1 << fold->axis;
  uint32_t n = term_count(tt, fold->body) / 2;
  if (n < 2) return false;
  for (uint32_t i = 0; i < n; i++) { /* each must be smaller, or a contraction; and use the index */
    Term part = term_arg(tt, fold->body, 2 * i + 2);
    AxisSet axes = lower_axes(lower, part);
    if (!(axes & own) || (axes == all && term_kind(tt, part) != TERM_MUL)) return false;
  }
  Value *values = arena_array(lower->arena, Value, n);
  char *signs = arena_alloc(lower->arena, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    Rational k = term_rat(tt, term_arg(tt, fold->body, 2 * i + 1));
    Term part = term_scale(tt, k.num < 0 ? rational_neg(k) : k, term_arg(tt, fold->body, 2 * i + 2));
    const Axis *axis = &lower->axes.data[fold->axis];
    Term inner = term_fold(tt, FOLD_SUM, axis->symbol, axis->lo, axis->hi, tt->true_, part);
    signs[i] = k.num < 0 ? '-' : '+';
    values[i] = lower_term(lower, inner);
  }
  *result = lower_elementwise(lower, (ArrayMake){.op = ARRAY_SUM, .sort = SORT_REAL, .text = signs}, n, values);
  return true;
}

Value lower_fold(Lower *lower, Term t) {
  Value result;
  Term stepwise = lower_stepwise(lower->tt, t);
  if (stepwise != t) return lower_term(lower, stepwise);
  if (lower_scan(lower, t, &result)) return result;
  OpenFold fold = open_fold(lower, t);
  if (lower_contraction(lower, &fold, &result)) return result;
  if (lower->axes.data[fold.axis].hi && lower->axes.data[fold.axis].lo && lower_split_sum(lower, &fold, &result))
    return result;
  if (needs_loop(lower, &fold)) return lower_loop(lower, fold);
  result = reduce(lower, fold.op, masked_body(lower, &fold), fold.axis);
  bool is_arg = fold.op == FOLD_ARGMAX || fold.op == FOLD_ARGMIN;
  const Axis *axis = &lower->axes.data[fold.axis];
  if (!is_arg || axis->lo == lower->tt->zero) return result;
  Value lo = {.node = lower_axis_end(lower, fold.axis, false)};
  return lower_elementwise(lower, (ArrayMake){.op = ARRAY_SUM, .sort = SORT_INT, .text = "++"}, 2,
                           (Value[]){lo, result});
}
