/* Folds: the constructor, and the opening of a fold over a symbol.
 *
 * Guards become ranges where they are linear in the index; a body that is a select on an index condition with the
 * identity in the other branch becomes a guard. The binder's level is 1 + the highest level inside (locally nameless
 * with canonical levels, after Sato and Pollack): alpha-equivalent folds are one node, and nothing is ever shifted. */
#include <string.h>

#include "term/cons.h"

Term term_fold_identity(TermTable *tt, TermFoldOp op, TermSort sort) {
  (void)sort;
  switch (op) {
  case FOLD_SUM:
  case FOLD_XOR: return tt->zero;
  case FOLD_PROD: return tt->one;
  case FOLD_MAX: return tt->neg_inf;
  case FOLD_MIN: return tt->inf;
  case FOLD_ANY: return tt->false_;
  case FOLD_ALL: return tt->true_;
  case FOLD_ARGMAX:
  case FOLD_ARGMIN:
  case FOLD_OP_COUNT: break;
  }
  return 0;
}

Term term_fold_combine(TermTable *tt, TermFoldOp op, Term a, Term b) {
  switch (op) {
  case FOLD_SUM: return term_add(tt, a, b);
  case FOLD_PROD: return term_mul(tt, a, b);
  case FOLD_MAX: return term_max(tt, a, b);
  case FOLD_MIN: return term_min(tt, a, b);
  case FOLD_ANY: return term_or(tt, a, b);
  case FOLD_ALL: return term_and(tt, a, b);
  case FOLD_XOR: return term_fn(tt, FN_BITXOR, 2, (Term[]){a, b});
  case FOLD_ARGMAX:
  case FOLD_ARGMIN:
  case FOLD_OP_COUNT: break;
  }
  return 0;
}

/* True if t is the identity of the fold, or what a lane with it contributes nothing. */
static bool is_neutral(TermTable *tt, TermFoldOp op, Term t) {
  if (op == FOLD_ARGMAX) return t == tt->neg_inf;
  if (op == FOLD_ARGMIN) return t == tt->inf;
  return t == term_fold_identity(tt, op, term_sort(tt, t));
}

typedef struct TermMemo {
  Term from, to;
} TermMemo;

/* One leaf for another, without the constructors: both stand for the same index, or for the same array, whose elements
 * are the READs of a symbol and the STATEs of a recurrence. */
typedef struct Exchange {
  Term from, to;
  uint32_t slot_count, used;
  TermMemo *slots;
} Exchange;

static TermMemo *memo_slot(const Exchange *x, Term t) {
  uint32_t mask = x->slot_count - 1, i = (t * 0x9E3779B1u) >> 7 & mask;
  while (x->slots[i].from && x->slots[i].from != t) i = (i + 1) & mask;
  return &x->slots[i];
}

static void grow_memo(TermTable *tt, Exchange *x) {
  TermMemo *old = x->slots;
  uint32_t count = x->slot_count;
  x->slot_count = count ? count * 4 : 256;
  x->slots = arena_alloc(tt->scratch, sizeof *x->slots * x->slot_count);
  for (uint32_t i = 0; i < count; i++)
    if (old[i].from) *memo_slot(x, old[i].from) = old[i];
}

static Term exchange_walk(TermTable *tt, Exchange *x, Term t) {
  if (t == x->from) return x->to;
  if (!(term_node(tt, t)->free_mask & term_node(tt, x->from)->free_mask)) return t;
  TermMemo *known = memo_slot(x, t);
  if (known->from) return known->to;
  guard_tick(tt->arena->guard);
  uint32_t n = term_count(tt, t);
  Term small[40], *args = n <= 40 ? small : arena_array(tt->arena, Term, n);
  bool changed = false;
  for (uint32_t k = 0; k < n; k++) {
    Term a = term_arg(tt, t, k);
    args[k] = exchange_walk(tt, x, a);
    changed |= args[k] != a;
  }
  Term result = changed ? term_resort(tt, t, args) : t;
  if (term_kind(tt, t) == TERM_READ && term_arg(tt, t, 0) == x->from)
    result = term_cons(tt, TERM_STATE, term_sort(tt, t), term_aux(tt, x->to), n - 1, args + 1);
  if (n && term_kind(tt, t) == TERM_STATE && term_kind(tt, x->from) == TERM_STATE &&
      term_aux(tt, t) == term_aux(tt, x->from))
    result = term_read(tt, x->to, term_sort(tt, t), n, args);
  if (++x->used * 2 > x->slot_count) grow_memo(tt, x);
  *memo_slot(x, t) = (TermMemo){t, result};
  return result;
}

Term term_exchange(TermTable *tt, Term t, Term from, Term to) {
  if (!(term_node(tt, t)->free_mask & term_node(tt, from)->free_mask)) return t;
  ArenaMark mark = arena_mark(tt->scratch);
  Exchange x = {.from = from, .to = to};
  grow_memo(tt, &x);
  Term result = exchange_walk(tt, &x, t);
  arena_reset(tt->scratch, mark);
  return result;
}

/* The coefficient of `s` in the integer term t = c*s + rest, when it is a literal; 0 otherwise. */
static int64_t linear_in(TermTable *tt, Term t, Term s, Term *rest) {
  int64_t c = 0;
  if (t == s) {
    *rest = tt->zero;
    return 1;
  }
  if (term_kind(tt, t) != TERM_ADD) return 0;
  for (uint32_t i = 1; i < term_count(tt, t); i += 2)
    if (term_arg(tt, t, i + 1) == s && !term_is_int(tt, term_arg(tt, t, i), &c)) return 0;
  if (!c) return 0;
  *rest = term_sub(tt, t, term_scale(tt, rational_int(c), s));
  return term_has_symbol(tt, *rest, s) ? 0 : c;
}

typedef struct Range {
  Term symbol, lo, hi, guard, point;
} Range;

/* Takes a guard conjunct into the range if it is linear in the index. */
static void narrow(TermTable *tt, Range *range, Term g) {
  Term rest, s = range->symbol;
  TermKind kind = term_kind(tt, g);
  int64_t c = 0;
  if ((kind == TERM_LE || kind == TERM_EQ) && term_count(tt, g) == 1 && term_sort(tt, term_arg(tt, g, 0)) == SORT_INT)
    c = linear_in(tt, term_arg(tt, g, 0), s, &rest);
  if (c && kind == TERM_LE && c > 0) { /* s <= floor(-rest / c) */
    Term last = term_floordiv(tt, term_neg(tt, rest), term_int(tt, c));
    range->hi = term_min(tt, range->hi, term_add(tt, last, tt->one));
  } else if (c && kind == TERM_LE) { /* s >= ceil(rest / -c) */
    range->lo = term_max(tt, range->lo, term_cdiv(tt, rest, term_int(tt, -c)));
  } else if (kind == TERM_EQ && (c == 1 || c == -1) && !range->point) {
    range->point = c == 1 ? term_neg(tt, rest) : rest;
  } else {
    range->guard = term_and(tt, range->guard, g);
  }
}

/* True if t is zero wherever c fails, in each of its parts by itself. One of them may make another factor 1 / 0 or
 * log(0). */
static bool vanishes(TermTable *tt, Term t, Term c) {
  uint32_t n = term_conjunct_count(tt, c);
  for (uint32_t i = 0; i < n; i++)
    if (term_assume(tt, t, term_not(tt, n > 1 ? term_arg(tt, c, i) : c)) != tt->zero) return false;
  return true;
}

/* A factor select(c, x, 0) of a product: the product with x instead, which counts only where c; 0: there is none. */
static Term drop_zero_factor(TermTable *tt, Term product, Term *c) {
  if (term_kind(tt, product) == TERM_ADD && term_count(tt, product) == 3 && term_arg(tt, product, 0) == tt->zero) {
    Term rest = drop_zero_factor(tt, term_arg(tt, product, 2), c); /* k * product */
    return rest ? term_scale(tt, term_rat(tt, term_arg(tt, product, 1)), rest) : 0;
  }
  if (term_kind(tt, product) != TERM_MUL || (term_node(tt, product)->flags & (TERM_HAS_UNDEF | TERM_HAS_INF))) return 0;
  for (uint32_t i = 0; i < term_count(tt, product); i += 2) {
    Term base = term_arg(tt, product, i);
    Rational e = term_rat(tt, term_arg(tt, product, i + 1));
    if (term_kind(tt, base) != TERM_SELECT || e.num <= 0) continue;
    bool no = term_arg(tt, base, 2) == tt->zero, yes = term_arg(tt, base, 1) == tt->zero;
    if (!no && !yes) continue;
    Term rest = term_power(tt, term_arg(tt, base, no ? 1 : 2), e);
    for (uint32_t k = 0; k < term_count(tt, product); k += 2)
      if (k != i)
        rest = term_mul(tt, rest, term_power(tt, term_arg(tt, product, k), term_rat(tt, term_arg(tt, product, k + 1))));
    *c = no ? term_arg(tt, base, 0) : term_not(tt, term_arg(tt, base, 0));
    if (!term_is_total(tt, rest)) { /* 0 * log(0), 0 / 0, 0 * (1 / s) for an s that may be 0 there */
      Term off = term_not(tt, *c);
      if (!vanishes(tt, product, *c) || !term_is_total(tt, term_assume(tt, rest, off))) continue;
    }
    return rest;
  }
  return 0;
}

static Term absorb_selects(TermTable *tt, TermFoldOp op, Term *guard, Term body) {
  for (;;) {
    Term condition, rest = op == FOLD_SUM ? drop_zero_factor(tt, body, &condition) : 0;
    if (rest) {
      *guard = term_and(tt, *guard, condition), body = rest;
      continue;
    }
    if (term_kind(tt, body) != TERM_SELECT) break;
    Term c = term_arg(tt, body, 0), a = term_arg(tt, body, 1), b = term_arg(tt, body, 2);
    if (is_neutral(tt, op, b))
      *guard = term_and(tt, *guard, c), body = a;
    else if (is_neutral(tt, op, a))
      *guard = term_and(tt, *guard, term_not(tt, c)), body = b;
    else
      break;
  }
  return body;
}

/* Select conditions in t (outside inner folds and recurrences) that compare integers and depend on the index. */
static void find_conditions(TermTable *tt, Term t, Term symbol, Term *found, uint32_t *count) {
  TermNode n = *term_node(tt, t);
  if (!(n.free_mask & term_node(tt, symbol)->free_mask) || n.kind == TERM_FOLD || n.kind == TERM_RECUR || *count == 4)
    return;
  if (tt->marks.data[t] == tt->epoch) return;
  tt->marks.data[t] = tt->epoch;
  if (n.kind == TERM_SELECT) {
    Term c = term_arg(tt, t, 0);
    bool known = false;
    for (uint32_t i = 0; i < *count; i++) known |= found[i] == c;
    if (!known && (term_node(tt, c)->free_mask & term_node(tt, symbol)->free_mask) &&
        !(term_node(tt, c)->flags & (TERM_HAS_READ | TERM_HAS_UNDEF)))
      found[(*count)++] = c;
  }
  if (n.kind == TERM_READ) return;
  for (uint32_t i = 0; i < n.count; i++) find_conditions(tt, term_arg(tt, t, i), symbol, found, count);
}

/* Where a mask deep in the body is false the whole body is neutral: the mask becomes a guard. The body is made again
 * for each side of each mask, and its own folds with it: these took in their masks when they were made, and do not
 * look for them again, so that a nest of folds costs its depth rather than a power of it. */
static Term absorb_masks(TermTable *tt, TermFoldOp op, Term symbol, bool nonempty, Term *guard, Term body,
                         bool *at_least_zero) {
  Term found[4];
  uint32_t count = 0;
  *at_least_zero = false;
  if (tt->in_masks) return body;
  tt->in_masks = true;
  term_marks_begin(tt);
  find_conditions(tt, body, symbol, found, &count);
  for (uint32_t i = 0; i < count; i++) {
    for (int side = 0; side < 2; side++) {
      Term c = side ? term_not(tt, found[i]) : found[i], off = term_assume(tt, body, term_not(tt, c));
      bool zero = op == FOLD_MAX && off == tt->zero && nonempty; /* max(f, 0, 0, ...) for f >= 0, of something */
      if (!is_neutral(tt, op, off) && !zero) continue;
      if (op == FOLD_SUM && !term_is_total(tt, body) && !vanishes(tt, body, c)) continue;
      Term on = term_assume(tt, body, c);
      if (zero && !term_is_nonnegative(tt, on)) continue;
      *at_least_zero |= zero;
      body = on;
      *guard = term_and(tt, *guard, c);
      break;
    }
  }
  tt->in_masks = false;
  return body;
}

bool term_is_total(TermTable *tt, Term t) {
  uint32_t flags = term_node(tt, t)->flags;
  if (!(flags & (TERM_HAS_UNDEF | TERM_HAS_INF | TERM_HAS_FOLD | TERM_HAS_REAL | TERM_HAS_OPAQUE)))
    return term_is_finite(tt, t);
  if ((flags & (TERM_HAS_UNDEF | TERM_HAS_OPAQUE)) || !term_is_finite(tt, t)) return false;
  if (term_kind(tt, t) == TERM_FN) {
    TermFnDomain domain = term_fn_info((TermFn)term_aux(tt, t))->domain;
    bool inside = domain == FN_DOMAIN_POSITIVE && term_is_positive(tt, term_arg(tt, t, 0)); /* log(2) */
    if (domain != FN_DOMAIN_ANY && domain != FN_DOMAIN_FINITE && !inside && term_sort(tt, t) != SORT_INT) return false;
  }
  if (term_kind(tt, t) == TERM_FOLD && (term_aux(tt, t) == FOLD_ARGMAX || term_aux(tt, t) == FOLD_ARGMIN)) return false;
  uint32_t i = 0;
  while (i < term_count(tt, t) && term_is_total(tt, term_arg(tt, t, i))) i++;
  if (i < term_count(tt, t)) {
    if (i != 3 || term_kind(tt, t) != TERM_FOLD || term_kind(tt, term_fold_body(tt, t)) != TERM_FOLD) return false;
    return term_is_total(tt, term_fold_open(tt, t).body); /* an inner one has elements wherever the index is */
  }
  for (i = 0; term_kind(tt, t) == TERM_MUL && i < term_count(tt, t); i += 2) {
    Rational e = term_rat(tt, term_arg(tt, t, i + 1));
    Term base = term_arg(tt, t, i);
    if (e.num < 0 ? !term_is_positive(tt, base) : e.den != 1 && !term_is_nonnegative(tt, base)) return false;
  }
  return true;
}

/* True if it may be an error: an integer division by 0, or a place that is none. */
static bool may_be_error(TermTable *tt, Term t) {
  if (!(term_node(tt, t)->flags & TERM_HAS_PARTIAL)) return false;
  if (term_kind(tt, t) == TERM_READ) return true;
  if (term_kind(tt, t) == TERM_FLOORDIV && !term_is_positive(tt, term_arg(tt, t, 1)) &&
      !term_is_positive(tt, term_neg(tt, term_arg(tt, t, 1))))
    return true;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (may_be_error(tt, term_arg(tt, t, i))) return true;
  return false;
}

/* Folds whose body does not depend on the index; 0 if there is no closed form. */
static Term fold_constant(TermTable *tt, TermFoldOp op, Term lo, Term hi, Term body) {
  Term length = term_sub(tt, hi, lo);
  bool nonempty = term_prove_lt(tt, lo, hi);
  int64_t n;
  switch (op) {
  case FOLD_SUM:
    if (body == tt->inf || body == tt->neg_inf)
      return term_select(tt, term_lt(tt, lo, hi), body, tt->zero); /* not 0 * inf */
    if (term_kind(tt, body) == TERM_SELECT && (term_node(tt, body)->flags & TERM_HAS_INF))
      return term_select(tt, term_arg(tt, body, 0), fold_constant(tt, op, lo, hi, term_arg(tt, body, 1)),
                         fold_constant(tt, op, lo, hi, term_arg(tt, body, 2)));
    if (!nonempty && (!term_is_total(tt, body) || may_be_error(tt, body)))
      return term_select(tt, term_lt(tt, lo, hi), term_mul(tt, length, body), tt->zero);
    return term_mul(tt, term_prove_le(tt, lo, hi) ? length : term_max(tt, length, tt->zero), body);
  case FOLD_PROD:
    if (body == tt->one) return body;
    return term_is_int(tt, length, &n) && n >= 0 && n < 64 ? term_power(tt, body, rational_int(n)) : 0;
  case FOLD_ANY: return nonempty ? body : term_and(tt, term_lt(tt, lo, hi), body);
  case FOLD_ALL: return nonempty ? body : term_or(tt, term_le(tt, hi, lo), body);
  case FOLD_MAX:
  case FOLD_MIN:
    if (!nonempty && term_is_rat(tt, body))
      return term_select(tt, term_lt(tt, lo, hi), body,
                         term_fold_identity(tt, op, SORT_REAL)); /* 0 may be an integer or a real */
    return nonempty ? body : 0;
  case FOLD_ARGMAX:
  case FOLD_ARGMIN: return nonempty ? lo : 0;
  case FOLD_XOR:
  case FOLD_OP_COUNT: break;
  }
  return 0;
}

/* The largest (smallest) of integers that grow or fall with the index by a literal step: the one at the end. 0: they do
 * not. */
static Term end_of_progression(TermTable *tt, TermFoldOp op, Term symbol, Term lo, Term hi, Term body) {
  if (term_sort(tt, body) != SORT_INT ||
      (term_node(tt, body)->flags & (TERM_HAS_UNDEF | TERM_HAS_INF | TERM_HAS_OPAQUE)))
    return 0;
  int64_t step;
  Term next = term_replace(tt, body, symbol, term_add(tt, symbol, tt->one));
  if (!term_is_int(tt, term_sub(tt, next, body), &step) || !step || !term_prove_lt(tt, lo, hi)) return 0;
  return term_replace(tt, body, symbol, (op == FOLD_MAX) == (step > 0) ? term_sub(tt, hi, tt->one) : lo);
}

/* Hermite: the sum of floor((x + k) / d) over d values of k in a row, from lo, is x + lo; of floor((x - k) / d), x - lo
 * - d + 1. 0: the body is not made of these and of summands free of the index. */
static Term sum_of_floors(TermTable *tt, Term symbol, Term lo, Term hi, Term body) {
  Term d = term_sub(tt, hi, lo), total = tt->zero;
  int64_t length;
  if (term_kind(tt, body) != TERM_ADD && term_kind(tt, body) != TERM_FLOORDIV) return 0;
  if (!term_is_int(tt, d, &length) || length < 2) return 0;
  uint32_t n = term_kind(tt, body) == TERM_ADD ? term_count(tt, body) : 3;
  bool sum = term_kind(tt, body) == TERM_ADD;
  if (sum) total = term_mul(tt, d, term_arg(tt, body, 0));
  for (uint32_t i = 1; i < n; i += 2) {
    Term part = sum ? term_arg(tt, body, i + 1) : body, value;
    if (!term_has_symbol(tt, part, symbol))
      value = term_mul(tt, d, part);
    else {
      if (term_kind(tt, part) != TERM_FLOORDIV || term_arg(tt, part, 1) != d) return 0;
      Term a = term_arg(tt, part, 0), up = term_sub(tt, a, symbol), down = term_add(tt, a, symbol);
      if (!term_has_symbol(tt, up, symbol))
        value = term_add(tt, up, lo);
      else if (!term_has_symbol(tt, down, symbol))
        value = term_add(tt, term_sub(tt, term_sub(tt, down, lo), d), tt->one);
      else
        return 0;
    }
    total = term_add(tt, total, sum ? term_scale(tt, term_rat(tt, term_arg(tt, body, i)), value) : value);
  }
  return total;
}

/* The sizes of all tiles: sum[t < cdiv(x, b)](min(b, x - b*t)) = x for x >= 0, from the last one on too; 0: not that.
 */
static Term sum_of_tiles(TermTable *tt, Term symbol, Term lo, Term hi, Term body, bool forth) {
  if (lo != tt->zero || term_kind(tt, body) != TERM_MIN || term_count(tt, body) != 2) return 0;
  for (uint32_t i = 0; i < 2; i++) {
    Term b = term_arg(tt, body, i), x = term_add(tt, term_arg(tt, body, 1 - i), term_mul(tt, b, symbol));
    if (term_has_symbol(tt, b, symbol) || term_has_symbol(tt, x, symbol) || term_cdiv(tt, x, b) != hi) continue;
    if (term_prove_lt(tt, tt->zero, b) && term_prove_le(tt, tt->zero, x)) return x;
  }
  return forth ? sum_of_tiles(tt, symbol, lo, hi,
                              term_replace(tt, body, symbol, term_sub(tt, hi, term_add(tt, symbol, tt->one))), false)
               : 0;
}

/* [lo, max(h, lo)) and [lo, h) have the same elements. */
static Term without_empty(TermTable *tt, Term lo, Term hi) {
  Term rest = 0;
  for (uint32_t i = 0; i < term_count(tt, hi); i++) {
    Term h = term_arg(tt, hi, i);
    if (!term_prove_le(tt, h, lo)) rest = rest ? term_max(tt, rest, h) : h;
  }
  return rest ? rest : lo;
}

static bool is_one(int64_t coefficient) { return coefficient == 1 || coefficient == -1; }

/* any[k, g](c and d) = any[k, g and c](d) for a condition c on indices alone: a bound, or the only index. */
static Term absorb_bounds(TermTable *tt, Term symbol, Term *guard, Term body) {
  Term rest = tt->true_;
  uint32_t n = term_conjunct_count(tt, body);
  for (uint32_t i = 0; i < n; i++) {
    Term c = term_conjunct(tt, body, i);
    Term only;
    bool bound = (term_kind(tt, c) == TERM_LE ||
                  (term_kind(tt, c) == TERM_EQ && is_one(linear_in(tt, term_arg(tt, c, 0), symbol, &only)))) &&
                 term_count(tt, c) == 1 && term_sort(tt, term_arg(tt, c, 0)) == SORT_INT &&
                 !(term_node(tt, c)->flags & (TERM_HAS_READ | TERM_HAS_UNDEF | TERM_HAS_OPAQUE));
    if (bound)
      *guard = term_and(tt, *guard, c);
    else
      rest = term_and(tt, rest, c);
  }
  return rest;
}

static Term part(const TermTable *tt, Term t, TermKind kind, uint32_t i) {
  return term_kind(tt, t) == kind ? term_arg(tt, t, i) : t;
}
static uint32_t part_count(const TermTable *tt, Term t, TermKind kind) {
  return term_kind(tt, t) == kind ? term_count(tt, t) : 1;
}

/* [max(x, ...), min(x + 1, ...)) has no element but x: 0 if the bounds say no such thing. */
static Term single_element(TermTable *tt, Term lo, Term hi) {
  if (term_kind(tt, lo) != TERM_MAX && term_kind(tt, hi) != TERM_MIN) return 0;
  for (uint32_t i = 0; i < part_count(tt, lo, TERM_MAX); i++)
    for (uint32_t k = 0; k < part_count(tt, hi, TERM_MIN); k++) {
      Term x = part(tt, lo, TERM_MAX, i);
      if (term_sub(tt, part(tt, hi, TERM_MIN, k), x) == tt->one) return x;
    }
  return 0;
}

/* Takes the conjuncts of the guard into the range. */
static void narrow_all(TermTable *tt, Range *range, Term guard) {
  if (term_kind(tt, guard) == TERM_AND)
    for (uint32_t i = 0, n = term_count(tt, guard); i < n; i++) narrow(tt, range, term_arg(tt, guard, i));
  else if (guard != tt->true_)
    narrow(tt, range, guard);
}

/* Where every element is -inf the first one is the best: the arg max goes over the others only if there is one for
 * sure. */
static bool keeps_some(TermTable *tt, Term symbol, Term lo, Term hi, Term guard) {
  Range range = {.symbol = symbol, .lo = lo, .hi = hi, .guard = tt->true_};
  narrow_all(tt, &range, guard);
  return range.guard == tt->true_ && !range.point && term_prove_lt(tt, range.lo, range.hi);
}

/* Of a place of the best whose elements may all be left out: those parts of `chosen` that the first index meets, of
 * integers alone. Where all that is left is neutral too, the first is still the best. */
static Term parts_that_keep_first(TermTable *tt, Term symbol, Term lo, Term chosen) {
  Term kept = tt->true_;
  uint32_t count = term_conjunct_count(tt, chosen);
  for (uint32_t i = 0; i < count; i++) {
    Term c = term_conjunct(tt, chosen, i);
    bool plain = term_kind(tt, c) == TERM_LE &&
                 !(term_node(tt, c)->flags & (TERM_HAS_READ | TERM_HAS_UNDEF | TERM_HAS_OPAQUE | TERM_HAS_FOLD));
    if (plain && term_prove_true(tt, term_replace(tt, c, symbol, lo))) kept = term_and(tt, kept, c);
  }
  return kept;
}

/* True if no value of t is below the literal (up: above). Elements in memory lie within the range of their tensor. */
static bool is_beyond(const TermTable *tt, Term t, Rational literal, bool up) {
  if (term_kind(tt, t) == TERM_SELECT)
    return is_beyond(tt, term_arg(tt, t, 1), literal, up) && is_beyond(tt, term_arg(tt, t, 2), literal, up);
  const Symbol *s = term_kind(tt, t) == TERM_READ ? term_symbol(tt, term_arg(tt, t, 0)) : NULL;
  Term bound = s && s->role == SYMBOL_TENSOR ? (up ? s->hi : s->lo) : t;
  if (!bound || !term_is_rat(tt, bound)) return false;
  int order = rational_compare(tt->arena->guard, term_rat(tt, bound), literal);
  return up ? order <= 0 : order >= 0;
}

/* max(where(c, x, -2^31)) over some x that are i32 is the maximum of these: padding by the least of all integers. */
static Term absorb_padding(TermTable *tt, TermFoldOp op, Term symbol, Term lo, Term hi, Term *guard, Term body) {
  for (int side = 1; side <= 2 && term_kind(tt, body) == TERM_SELECT; side++) {
    Term x = term_arg(tt, body, (uint32_t)side), padding = term_arg(tt, body, (uint32_t)(3 - side)),
         c = term_arg(tt, body, 0);
    if (!term_is_rat(tt, padding) || term_is_rat(tt, x) || !is_beyond(tt, x, term_rat(tt, padding), op == FOLD_MIN))
      continue;
    Term narrowed = term_and(tt, *guard, side == 1 ? c : term_not(tt, c));
    if (!keeps_some(tt, symbol, lo, hi, narrowed)) continue;
    *guard = narrowed;
    return x;
  }
  return body;
}

/* max[k](max(x, f(k))) = max(x, max[k](f(k))) of something: x and f, as arguments of the maximum; 0: nothing but
 * numbers is free of the index. */
static Term free_of_index(TermTable *tt, TermFoldOp op, Term symbol, Term body, Term *rest) {
  Term free = 0;
  *rest = 0;
  if (term_kind(tt, body) != (op == FOLD_MAX ? TERM_MAX : TERM_MIN)) return 0;
  for (uint32_t i = 0; i < term_count(tt, body); i++) {
    Term x = term_arg(tt, body, i), *side = term_has_symbol(tt, x, symbol) || term_is_rat(tt, x) ? rest : &free;
    *side = !*side ? x : op == FOLD_MAX ? term_max(tt, *side, x) : term_min(tt, *side, x);
  }
  return *rest ? free : 0;
}

/* all[k](k != e): no index is the only one. */
static bool excludes_one(TermTable *tt, Term symbol, Term body) {
  Term only, c = term_kind(tt, body) == TERM_NOT ? term_arg(tt, body, 0) : 0;
  return c && term_kind(tt, c) == TERM_EQ && term_count(tt, c) == 1 && term_sort(tt, term_arg(tt, c, 0)) == SORT_INT &&
         is_one(linear_in(tt, term_arg(tt, c, 0), symbol, &only)) &&
         !(term_node(tt, c)->flags & (TERM_HAS_READ | TERM_HAS_UNDEF | TERM_HAS_OPAQUE));
}

Term term_fold(TermTable *tt, TermFoldOp op, Term symbol, Term lo, Term hi, Term guard, Term body) {
  if (op == FOLD_ALL && excludes_one(tt, symbol, body))
    return term_not(tt, term_fold(tt, FOLD_ANY, symbol, lo, hi, guard, term_not(tt, body)));
  bool arg = op == FOLD_ARGMAX || op == FOLD_ARGMIN;
  if (body == tt->zero && op == FOLD_SUM) return body;
  Term full_guard = guard, chosen = absorb_selects(tt, op, &full_guard, body);
  if (!arg || chosen == body || keeps_some(tt, symbol, lo, hi, full_guard))
    body = chosen;
  else {
    Term kept = guard == tt->true_ ? parts_that_keep_first(tt, symbol, lo, full_guard) : tt->true_;
    if (kept != tt->true_) body = term_assume(tt, body, kept);
    full_guard = term_and(tt, guard, kept);
  }
  if (op == FOLD_ANY) body = absorb_bounds(tt, symbol, &full_guard, body);
  if (op == FOLD_MAX || op == FOLD_MIN) body = absorb_padding(tt, op, symbol, lo, hi, &full_guard, body);
  bool at_least_zero = false;
  if (op <= FOLD_MIN && term_kind(tt, body) != TERM_READ) {
    bool nonempty = op == FOLD_MAX && full_guard == tt->true_ && term_prove_lt(tt, lo, hi);
    body = absorb_masks(tt, op, symbol, nonempty, &full_guard, body, &at_least_zero);
  }
  if (at_least_zero) return term_max(tt, term_fold(tt, op, symbol, lo, hi, full_guard, body), tt->zero);
  Term cut = lo == tt->zero ? term_cut_fold(tt, op, symbol, hi, full_guard, body) : 0;
  if (cut) return cut;
  if (term_kind(tt, hi) == TERM_MAX) hi = without_empty(tt, lo, hi);
  Range range = {.symbol = symbol, .lo = lo, .hi = hi, .guard = tt->true_};
  narrow_all(tt, &range, full_guard);
  Term identity = term_fold_identity(tt, op, term_sort(tt, body));
  if (!range.point && !arg) range.point = single_element(tt, range.lo, range.hi);
  if (range.point && !arg) {
    Term at = range.point;
    Term inside = tt->true_;
    for (uint32_t i = 0; i < part_count(tt, range.lo, TERM_MAX); i++)
      inside = term_and(tt, inside, term_le(tt, part(tt, range.lo, TERM_MAX, i), at));
    for (uint32_t i = 0; i < part_count(tt, range.hi, TERM_MIN); i++)
      inside = term_and(tt, inside, term_lt(tt, at, part(tt, range.hi, TERM_MIN, i)));
    inside = term_and(tt, inside, term_replace(tt, range.guard, symbol, at));
    return term_select(tt, inside, term_replace(tt, body, symbol, at), identity);
  }
  if (range.point) range.guard = term_and(tt, range.guard, term_eq(tt, symbol, range.point));
  if (!arg && (range.guard == tt->false_ || term_prove_le(tt, range.hi, range.lo))) return identity;
  if (!arg && term_sub(tt, range.hi, range.lo) == tt->one) /* one element */
    return term_select(tt, term_replace(tt, range.guard, symbol, range.lo), term_replace(tt, body, symbol, range.lo),
                       identity);
  if (range.guard == tt->true_) {
    Term constant = term_has_symbol(tt, body, symbol) ? 0 : fold_constant(tt, op, range.lo, range.hi, body);
    if (constant) return constant;
    Term end = op == FOLD_MAX || op == FOLD_MIN ? end_of_progression(tt, op, symbol, range.lo, range.hi, body) : 0;
    if (end) return end;
    Term place = op == FOLD_MIN ? term_place_of_extremum(tt, symbol, range.lo, range.hi, body) : 0;
    if (place) return place;
  }
  if (!arg && range.guard != tt->true_ && !term_has_symbol(tt, range.guard, symbol) &&
      !term_has_symbol(tt, body, symbol)) {
    Term constant = fold_constant(tt, op, range.lo, range.hi, body);
    if (constant && (!term_is_total(tt, range.guard) || may_be_error(tt, range.guard)) &&
        !term_prove_lt(tt, range.lo, range.hi)) /* it need not have a value where nothing is folded */
      range.guard = term_and(tt, term_lt(tt, range.lo, range.hi), range.guard);
    if (constant) return term_select(tt, range.guard, constant, identity);
  }
  if ((op == FOLD_MAX || op == FOLD_MIN) && range.guard == tt->true_) {
    Term rest, free = free_of_index(tt, op, symbol, body, &rest);
    if (free && term_prove_lt(tt, range.lo, range.hi)) {
      Term folded = term_fold(tt, op, symbol, range.lo, range.hi, tt->true_, rest);
      return op == FOLD_MAX ? term_max(tt, free, folded) : term_min(tt, free, folded);
    }
  }
  if (op == FOLD_SUM && range.guard == tt->true_ && term_sort(tt, body) == SORT_INT) {
    Term total = sum_of_tiles(tt, symbol, range.lo, range.hi, body, true);
    if (!total) total = sum_of_floors(tt, symbol, range.lo, range.hi, body);
    if (total) return total;
  }
  uint8_t level = term_node(tt, body)->level, guard_level = term_node(tt, range.guard)->level;
  if (guard_level > level) level = guard_level;
  if (level == 15) guard_throw(tt->arena->guard, GUARD_LIMIT, "folds nested deeper than 15");
  Term bound = term_cons(tt, TERM_BOUND, SORT_INT, level + 1u, 0, NULL);
  Term args[5] = {range.lo, range.hi, term_exchange(tt, range.guard, symbol, bound),
                  term_exchange(tt, body, symbol, bound), bound};
  return term_cons(tt, TERM_FOLD, arg ? SORT_INT : term_sort(tt, body), op, 5, args);
}

FoldParts term_fold_open(TermTable *tt, Term fold) {
  FoldParts parts = {.op = (TermFoldOp)term_aux(tt, fold), .lo = term_fold_lo(tt, fold), .hi = term_fold_hi(tt, fold)};
  parts.symbol = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX);
  term_symbol_range(tt, parts.symbol, parts.lo, term_sub(tt, parts.hi, tt->one));
  Term bound = term_fold_bound(tt, fold);
  parts.guard = term_exchange(tt, term_fold_guard(tt, fold), bound, parts.symbol);
  parts.body = term_exchange(tt, term_fold_body(tt, fold), bound, parts.symbol);
  return parts;
}
