/* Sums and products in the order in which people write them.
 *
 * Terms are unordered (they are sorted by hash); a formula has an order that a reader expects, and it may not depend on
 * how terms came about. Summands: those with a plus first; then by the first tensor argument that they mention, in the
 * order of the kernel's arguments; then the smaller one; a real constant leads (1 + exp(x)), scalars and integer
 * constants come last (var + eps, n - 1). Factors: constants, scalars, then tensors in the same order; a divisor stands
 * right after the factors that mention its own argument or earlier ones, so that (x - mean) / sqrt(var) * w reads as it
 * is meant, and w * dy / sqrt(var(x)) too. */
#include <stdlib.h>
#include <string.h>

#include "tensor/tensor.h"

typedef struct Entry {
  TermTable *tt;
  const TensorExpr *e;
  Rational k;
  bool negative;
} Entry;

static int scalar_class(const TensorExpr *e) {
  return e->place >= TENSOR_PLACE_CONST ? 2 : e->place >= TENSOR_PLACE_SCALAR ? 1 : 0;
}

/* By where their slices start, where that is known: x[0::2] before x[1::2]. */
static int compare_slices(TermTable *tt, const TensorExpr *a, const TensorExpr *b) {
  for (uint32_t i = 0; i < a->args[0]->rank && i < b->args[0]->rank; i++) {
    Term x = a->slices[i].start, y = b->slices[i].start;
    if (x != y) return term_prove_le(tt, x, y) ? -1 : term_prove_le(tt, y, x) ? 1 : 0;
  }
  return 0;
}

static int compare_exprs(TermTable *tt, const TensorExpr *a, const TensorExpr *b) {
  if (a == b) return 0;
  if (a->place != b->place) return a->place < b->place ? -1 : 1;
  if (a->size != b->size) return a->size < b->size ? -1 : 1;
  int order = 0;
  for (uint32_t i = 0; !order && a->op == b->op && i < a->count && i < b->count; i++)
    order = compare_exprs(tt, a->args[i], b->args[i]);
  if (!order && a->op == TENSOR_SLICE && b->op == TENSOR_SLICE) order = compare_slices(tt, a, b);
  return order ? order : strcmp(tensor_text(tt, a), tensor_text(tt, b));
}

static int compare_summands(const void *x, const void *y) {
  const Entry *a = x, *b = y;
  if (a->negative != b->negative) return a->negative - b->negative;
  return compare_exprs(a->tt, a->e, b->e);
}

static int compare_factors(const void *x, const void *y) {
  const Entry *a = x, *b = y;
  int ca = scalar_class(a->e), cb = scalar_class(b->e);
  if (ca != cb) return cb - ca;
  return compare_exprs(a->tt, a->e, b->e);
}

static const TensorExpr *number(TermTable *tt, Rational r) { return tensor_const(tt, term_new_rat(tt, r)); }

/* k * e for k > 0, as 2 * e, e / 3, 0.5 * e */
static const TensorExpr *scaled(TermTable *tt, Rational k, const TensorExpr *e) {
  return tensor_product(tt, k, 1, &(TensorPart){e, {1, 1}});
}

const TensorExpr *tensor_sum(TermTable *tt, Rational constant, uint32_t count, TensorPart *parts) {
  Entry *entries = arena_array(tt->arena, Entry, count + 1);
  bool whole = constant.den == 1;
  for (uint32_t i = 0; i < count; i++) {
    if (!parts[i].expr) return NULL;
    bool negative = parts[i].k.num < 0;
    whole = whole && parts[i].expr->sort == SORT_INT && parts[i].k.den == 1;
    const TensorExpr *e = scaled(tt, negative ? rational_neg(parts[i].k) : parts[i].k, parts[i].expr);
    if (!e) return NULL;
    entries[i] = (Entry){tt, e, {1, 1}, negative};
  }
  qsort(entries, count, sizeof *entries, compare_summands);
  bool lead = constant.num > 0 && (!whole || (count && entries[0].negative));
  const TensorExpr *result = lead || (!count && constant.num >= 0) ? number(tt, constant) : NULL;
  for (uint32_t i = 0; i < count; i++) {
    const TensorExpr *e = entries[i].e;
    if (result)
      result = tensor_binary(tt, entries[i].negative ? TENSOR_SUB : TENSOR_ADD, result, e);
    else if (!entries[i].negative)
      result = e;
    else if (e->op == TENSOR_MUL && e->args[0]->op == TENSOR_CONST &&
             term_is_rat(tt, e->args[0]->value)) /* -2 * x rather than -(2 * x) */
      result = tensor_binary(tt, TENSOR_MUL, number(tt, rational_neg(term_rat(tt, e->args[0]->value))), e->args[1]);
    else
      result = tensor_unary(tt, TENSOR_NEG, e);
    if (!result) return NULL;
  }
  if (constant.num && !lead && count)
    result = tensor_binary(tt, constant.num < 0 ? TENSOR_SUB : TENSOR_ADD, result,
                           number(tt, constant.num < 0 ? rational_neg(constant) : constant));
  return result ? result : number(tt, constant);
}

static const TensorExpr *power(TermTable *tt, const TensorExpr *e, Rational exponent) {
  if (exponent.num == 1 && exponent.den == 1) return e;
  if (exponent.num == 1 && exponent.den == 2) return tensor_unary(tt, TENSOR_SQRT, e);
  return tensor_binary(tt, TENSOR_POW, e, number(tt, exponent));
}

enum {
  LONG = 1000,    /* more than a person writes below a fraction */
  LEAST_PART = 16 /* x / 16 rather than 0.0625 * x */
};

static bool is_decimal(Rational k) { /* 0.5, 0.044715 of an f32: not 1/9 */
  return (k.den & (k.den - 1)) == 0;
}

/* Digits from the first to the last that is no zero, and the sign beside them; a factor of one is not written. */
static size_t digits_of(TermTable *tt, Rational r) {
  Text text = {.arena = tt->arena};
  size_t digits = 0, zeros = 0;
  rational_print(r, true, &text);
  for (const char *c = text_string(&text); *c; c++) {
    if (*c == '0') zeros += digits > 0;
    if (*c != '0' && *c != '.') digits += zeros + 1 + !digits, zeros = 0;
  }
  return r.num == 1 && r.den == 1 ? 0 : digits;
}

/* x / 0.9, and 0.1 * x / 0.9, of literals: both sides over the power of two that leaves the fewest digits. */
static void as_decimals(TermTable *tt, Rational *top, Rational *bottom) {
  enum { MOST_SHIFT = 40, MOST_BITS = 53 };
  if (rational_bits(*top) > MOST_BITS || rational_bits(*bottom) > MOST_BITS) return;
  Int128 over = top->num, under = bottom->num;
  size_t least = digits_of(tt, *top) + digits_of(tt, *bottom);
  for (int shift = 1; shift <= MOST_SHIFT; shift++) {
    Int128 power = (Int128)1 << shift;
    Rational a = rational_make(tt->arena->guard, over, power), b = rational_make(tt->arena->guard, under, power);
    size_t digits = digits_of(tt, a) + digits_of(tt, b);
    if (digits < least) *top = a, *bottom = b, least = digits;
  }
}

const TensorExpr *tensor_product(TermTable *tt, Rational k, uint32_t count, TensorPart *parts) {
  Entry *up = arena_array(tt->arena, Entry, 2 * (size_t)count + 1), *down = up + count;
  uint32_t ups = 0, downs = 0;
  if (k.num < 0) {
    const TensorExpr *positive = tensor_product(tt, rational_neg(k), count, parts);
    if (!count) return number(tt, k);
    return tensor_unary(tt, TENSOR_NEG, positive);
  }
  for (uint32_t i = 0; i < count; i++) {
    if (!parts[i].expr) return NULL;
    Rational e = parts[i].k;
    const TensorExpr *base = power(tt, parts[i].expr, e.num < 0 ? rational_neg(e) : e);
    if (!base) return NULL;
    if (e.num > 0)
      up[ups++] = (Entry){tt, base, {1, 1}, false};
    else
      down[downs++] = (Entry){tt, base, {1, 1}, false};
  }
  qsort(up, ups, sizeof *up, compare_factors);
  qsort(down, downs, sizeof *down, compare_summands);
  Rational top = k, bottom = {1, 1};
  bool is_part = ups && k.num == 1 && k.den >= LEAST_PART && k.den <= LONG;
  if (!is_decimal(k) || is_part) top = (Rational){k.num, 1}, bottom = (Rational){k.den, 1};
  if (!is_decimal(k) && ups && k.num > 1 && k.den > LONG) as_decimals(tt, &top, &bottom);
  const TensorExpr *result = NULL;
  if (top.num != 1 || top.den != 1 || !ups) result = number(tt, top);
  uint32_t i = 0, j = 0;
  if (!result && ups) result = up[i++].e;
  while (result && (i < ups || j < downs)) {
    bool is_tensor = i > 0 && scalar_class(up[i - 1].e) == 0; /* what stands to be divided: of no later argument */
    bool dividend = is_tensor && j < downs && up[i - 1].e->place <= down[j].e->place;
    bool divide = j < downs && (i == ups || (dividend && down[j].e->place < up[i].e->place));
    if (!divide) {
      result = tensor_binary(tt, TENSOR_MUL, result, up[i++].e);
      continue;
    }
    const TensorExpr *divisor = down[j++].e; /* neighbours make one divisor */
    while (j < downs && (i == ups || down[j].e->place < up[i].e->place))
      divisor = tensor_binary(tt, TENSOR_MUL, divisor, down[j++].e);
    result = tensor_binary(tt, TENSOR_DIV, result, divisor);
  }
  if (bottom.num != 1 || bottom.den != 1) result = tensor_binary(tt, TENSOR_DIV, result, number(tt, bottom));
  return result;
}

static int compare_extremes(const void *x, const void *y) {
  const Entry *a = x, *b = y;
  return compare_exprs(a->tt, a->e, b->e);
}

const TensorExpr *tensor_extremum(TermTable *tt, TensorOp op, uint32_t count, const TensorExpr **args) {
  Entry *entries = arena_array(tt->arena, Entry, count);
  for (uint32_t i = 0; i < count; i++) {
    if (!args[i]) return NULL;
    entries[i] = (Entry){tt, args[i], {1, 1}, false};
  }
  qsort(entries, count, sizeof *entries, compare_extremes);
  const TensorExpr *result = entries[0].e;
  for (uint32_t i = 1; i < count; i++) result = tensor_binary(tt, op, result, entries[i].e);
  return result;
}

/* ---- sizes ---- */

static const TensorExpr *size_symbol(TermTable *tt, Term t) {
  Symbol *s = term_symbol(tt, t);
  switch (s->role) {
  case SYMBOL_SIZE:
  case SYMBOL_SCALAR:
  case SYMBOL_GRID: return tensor_scalar(tt, t, term_name(tt, t), 0);
  default: return NULL;
  }
}

/* t <= 0 or t == 0 as it is written: what has positive coefficients on the left, or the constant alone on the right. */
static const TensorExpr *size_comparison(TermTable *tt, Term t, bool equal) {
  Term left = tt->zero, right = term_neg(tt, term_new_rat(tt, term_constant_part(tt, t)));
  Term rest = term_add(tt, t, right);
  for (uint32_t i = 1; term_kind(tt, rest) == TERM_ADD && i < term_count(tt, rest); i += 2)
    if (term_rat(tt, term_arg(tt, rest, i)).num > 0)
      left = term_add(tt, left, term_scale(tt, term_rat(tt, term_arg(tt, rest, i)), term_arg(tt, rest, i + 1)));
  if (term_kind(tt, rest) != TERM_ADD) left = rest;
  TensorOp op = equal ? TENSOR_EQ : TENSOR_LE;
  if (left == tt->zero)
    left = term_neg(tt, rest), right = term_neg(tt, right), op = equal ? TENSOR_EQ : TENSOR_GE;
  else
    right = term_sub(tt, right, term_sub(tt, rest, left));
  const TensorExpr *a = tensor_size(tt, left), *b = tensor_size(tt, right);
  return a && b ? tensor_binary(tt, op, a, b) : NULL;
}

static const TensorExpr *size_condition(TermTable *tt, Term t) {
  const TensorExpr *all = NULL;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_LE || kind == TERM_EQ) {
    if (term_count(tt, t) != 1 || term_sort(tt, term_arg(tt, t, 0)) != SORT_INT) return NULL;
    return size_comparison(tt, term_arg(tt, t, 0), term_kind(tt, t) == TERM_EQ);
  }
  if (kind == TERM_NOT) {
    all = size_condition(tt, term_arg(tt, t, 0));
    return all ? tensor_unary(tt, TENSOR_NOT, all) : NULL;
  }
  if (kind == TERM_AND || kind == TERM_OR) {
    for (uint32_t i = 0; i < term_count(tt, t); i++) {
      const TensorExpr *part = size_condition(tt, term_arg(tt, t, i));
      if (!part) return NULL;
      all = all ? tensor_binary(tt, term_kind(tt, t) == TERM_AND ? TENSOR_AND : TENSOR_OR, all, part) : part;
    }
    return all;
  }
  return NULL;
}

const TensorExpr *tensor_size(TermTable *tt, Term t) {
  uint32_t n = term_count(tt, t), parts_n = 0;
  TensorPart *parts = arena_array(tt->arena, TensorPart, n / 2 + 1);
  const TensorExpr **args = arena_array(tt->arena, const TensorExpr *, n + 1);
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_RAT) return tensor_const(tt, t);
  if (kind == TERM_SYM) return size_symbol(tt, t);
  if (kind == TERM_ADD) {
    for (uint32_t i = 1; i < n; i += 2)
      parts[parts_n++] = (TensorPart){tensor_size(tt, term_arg(tt, t, i + 1)), term_rat(tt, term_arg(tt, t, i))};
    return tensor_sum(tt, term_rat(tt, term_arg(tt, t, 0)), parts_n, parts);
  }
  if (kind == TERM_MUL) {
    for (uint32_t i = 0; i < n; i += 2)
      parts[parts_n++] = (TensorPart){tensor_size(tt, term_arg(tt, t, i)), term_rat(tt, term_arg(tt, t, i + 1))};
    return tensor_product(tt, (Rational){1, 1}, parts_n, parts);
  }
  if (kind == TERM_FLOORDIV)
    return tensor_binary(tt, TENSOR_FLOORDIV, tensor_size(tt, term_arg(tt, t, 0)), tensor_size(tt, term_arg(tt, t, 1)));
  if (term_kind_is_extremum(kind)) {
    for (uint32_t i = 0; i < n; i++) args[i] = tensor_size(tt, term_arg(tt, t, i));
    return tensor_extremum(tt, term_kind(tt, t) == TERM_MIN ? TENSOR_MINIMUM : TENSOR_MAXIMUM, n, args);
  }
  if (kind == TERM_SELECT) {
    args[0] = size_condition(tt, term_arg(tt, t, 0)), args[1] = tensor_size(tt, term_arg(tt, t, 1)),
    args[2] = tensor_size(tt, term_arg(tt, t, 2));
    return args[0] && args[1] && args[2] ? tensor_where(tt, args[0], args[1], args[2]) : NULL;
  }
  return NULL;
}
