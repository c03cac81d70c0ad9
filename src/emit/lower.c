/* Lowering: from a pointwise term to an array program, for terms of every kind but folds.
 *
 * An index symbol is a range 0, 1, ... along its own axis; a read whose indices are plain symbols over whole dimensions
 * is the array itself; an offset is a slice; anything else is an indexed read, with indices clipped into the array
 * where they are not known to be inside (the lanes in question are masked further up). Nothing depends on block sizes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit/lower.h"

/* ---- axes ---- */

uint32_t lower_axis_find(const Lower *lower, Term symbol) {
  for (uint32_t i = lower->axes.count; i-- > 0;)
    if (lower->axes.data[i].symbol == symbol) return i;
  return UINT32_MAX;
}

uint32_t lower_axis_add(Lower *lower, Axis axis) {
  if (lower->axes.count == AXIS_LIMIT)
    guard_throw(lower->arena->guard, GUARD_LIMIT, "more than 64 index ranges to emit");
  array_push(lower->arena, &lower->axes, axis);
  return lower->axes.count - 1;
}

AxisSet lower_axes(Lower *lower, Term t) {
  TermList symbols = {0};
  term_symbols(lower->tt, t, &symbols);
  AxisSet set = 0;
  for (uint32_t i = 0; i < symbols.count; i++) {
    uint32_t axis = lower_axis_find(lower, symbols.data[i]);
    if (axis != UINT32_MAX) set |= (AxisSet)1 << axis;
    for (uint32_t k = 0; k < lower->states.count; k++)
      if (lower->states.data[k].symbol == symbols.data[i]) set |= lower->states.data[k].axes;
  }
  return set;
}

Node lower_axis_end(Lower *lower, uint32_t axis, bool high) {
  Axis *a = &lower->axes.data[axis];
  Node node = high ? a->hi_node : a->lo_node;
  if (node) return node;
  node = lower_term(lower, high ? a->hi : a->lo).node;
  a = &lower->axes.data[axis]; /* the table may have moved */
  if (high)
    a->hi_node = node;
  else
    a->lo_node = node;
  return node;
}

static bool comes_before(const Lower *lower, uint32_t a, uint32_t b) {
  uint32_t x = lower->axes.data[a].order, y = lower->axes.data[b].order;
  return x != y ? x < y : a < b;
}

/* The axes of all values, outer ones first; or in the order of a value that has them all, if none has that order. */
static uint32_t union_axes(const Lower *lower, uint32_t count, const Value *values, uint8_t *out) {
  uint32_t n = 0;
  for (uint32_t v = 0; v < count; v++)
    for (uint32_t i = 0; i < values[v].count; i++) {
      uint32_t axis = values[v].axes[i], at = 0;
      bool known = false;
      for (uint32_t j = 0; j < n; j++) known |= out[j] == axis;
      if (known) continue;
      if (n == VALUE_AXES) guard_throw(lower->arena->guard, GUARD_LIMIT, "more than 16 axes in one value");
      for (at = n++; at && comes_before(lower, axis, out[at - 1]); at--) out[at] = out[at - 1];
      out[at] = (uint8_t)axis;
    }
  const Value *full = NULL;
  for (uint32_t v = 0; v < count; v++) {
    if (values[v].count != n) continue;
    if (memcmp(values[v].axes, out, n) == 0) return n;
    if (!full) full = &values[v];
  }
  if (full) memcpy(out, full->axes, n);
  return n;
}

/* Dimensions in the order in which `axes` has them. */
Node lower_transposed(Lower *lower, Value value, uint32_t count, const uint8_t *axes) {
  uint32_t order[VALUE_AXES], n = 0;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t j = 0; j < value.count; j++)
      if (value.axes[j] == axes[i]) order[n++] = j;
  bool sorted = true;
  for (uint32_t i = 0; i < n; i++) sorted &= order[i] == i;
  if (sorted) return value.node;
  Text text = text_new(lower->arena);
  for (uint32_t i = 0; i < n; i++) text_format(&text, "%s%u", i ? ", " : "", order[i]);
  ArrayNode node = *array_at(lower->program, value.node);
  ArrayMake make = {.op = ARRAY_TRANSPOSE,
                    .sort = node.sort,
                    .is_array = true,
                    .is_view = node.is_view,
                    .rank = node.rank,
                    .text = text_string(&text)};
  return array_node(lower->program, make, 1, &value.node);
}

/* Value as an array that broadcasts against others with these axes. */
Node lower_aligned(Lower *lower, Value value, uint32_t count, const uint8_t *axes) {
  Node node = lower_transposed(lower, value, count, axes);
  Text text = text_new(lower->arena);
  bool gap = false, started = false;
  uint32_t rank = 0;
  for (uint32_t i = 0; i < count; i++) {
    bool has = value_has(&value, axes[i]);
    started |= has;
    if (!started) continue;
    gap |= !has;
    text_format(&text, "%s%s", rank++ ? ", " : "", has ? ":" : "None");
  }
  if (!gap) return node;
  ArrayNode from = *array_at(lower->program, node);
  ArrayMake make = {.op = ARRAY_INDEX,
                    .sort = from.sort,
                    .is_array = true,
                    .is_view = from.is_view,
                    .rank = (uint8_t)rank,
                    .text = text_string(&text)};
  return array_node(lower->program, make, 1, &node);
}

/* An operand of reals, where the target takes no others. */
static Node as_real(Lower *lower, Node node) {
  ArrayNode n = *array_at(lower->program, node);
  if (n.sort != SORT_INT || !n.is_array) return node;
  ArrayMake make = {.op = ARRAY_TO_REAL, .sort = SORT_REAL, .is_array = true, .rank = n.rank};
  return array_node(lower->program, make, 1, &node);
}

static bool is_of_reals(Lower *lower, const ArrayMake *make, uint32_t count, const Value *values) {
  if (!lower->target.is_strict || make->op == ARRAY_CALL) return false;
  bool real = make->sort == SORT_REAL;
  for (uint32_t i = 0; i < count && make->op == ARRAY_COMPARE; i++)
    real |= array_at(lower->program, values[i].node)->sort == SORT_REAL;
  return real;
}

Value lower_elementwise(Lower *lower, ArrayMake make, uint32_t count, const Value *values) {
  bool reals = is_of_reals(lower, &make, count, values);
  Value result = {0};
  result.count = (uint8_t)union_axes(lower, count, values, result.axes);
  Node small[16], *nodes = count <= 16 ? small : arena_array(lower->arena, Node, count);
  for (uint32_t i = 0; i < count; i++) {
    nodes[i] = lower_aligned(lower, values[i], result.count, result.axes);
    if (reals) nodes[i] = as_real(lower, nodes[i]);
    make.is_array |= array_at(lower->program, nodes[i])->is_array;
  }
  make.rank = result.count;
  result.node = array_node(lower->program, make, count, nodes);
  return result;
}

static Value operation(Lower *lower, ArrayOp op, TermSort sort, uint32_t aux, uint32_t count, const Value *values) {
  return lower_elementwise(lower, (ArrayMake){.op = op, .sort = sort, .aux = aux}, count, values);
}

Value lower_select(Lower *lower, Value mask, Value a, Value b) {
  TermSort sort = array_at(lower->program, a.node)->sort;
  if (a.node == b.node && a.count == b.count && !memcmp(a.axes, b.axes, a.count * sizeof *a.axes)) return a;
  if (array_at(lower->program, b.node)->sort == SORT_REAL) sort = SORT_REAL;
  return operation(lower, ARRAY_WHERE, sort, 0, 3, (Value[]){mask, a, b});
}

/* ---- numbers ---- */

static Value leaf(Lower *lower, ArrayMake make) { return (Value){.node = array_node(lower->program, make, 0, NULL)}; }

/* What a float64 reads back, where the fewest digits are those of an f32: 1 / 65536, and no literal of the kernel's own
 * such as 0.1. */
static const char *in_all_digits(Lower *lower, Rational r, const char *text) {
  enum { FEW_BITS = 4096 };
  double value = rational_to_double(r);
  char digits[40];
  if (r.num > FEW_BITS || r.num < -FEW_BITS || strchr(text, '/') || strtod(text, NULL) == value) return text;
  for (int n = 1; n <= 17; n++) {
    snprintf(digits, sizeof digits, "%.*g", n, value);
    if (strtod(digits, NULL) == value) break;
  }
  return arena_format(lower->arena, "%s", digits);
}

Value lower_number(Lower *lower, Rational r) {
  Text text = text_new(lower->arena);
  rational_print(r, true, &text);
  return leaf(lower, (ArrayMake){.op = ARRAY_NUMBER,
                                 .sort = r.den == 1 ? SORT_INT : SORT_REAL,
                                 .text = in_all_digits(lower, r, text_string(&text))});
}

Value lower_text(Lower *lower, const char *number) {
  return leaf(lower, (ArrayMake){.op = ARRAY_NUMBER,
                                 .sort = number[strspn(number, "-")] == '2' ? SORT_INT : SORT_REAL,
                                 .text = number});
}

static Value truth(Lower *lower, bool value) {
  return leaf(lower, (ArrayMake){.op = ARRAY_NUMBER, .sort = SORT_BOOL, .text = value ? "True" : "False"});
}

static Value symbol(Lower *lower, Term t) {
  uint32_t axis = lower_axis_find(lower, t);
  const char *name = term_name(lower->tt, t);
  if (axis == UINT32_MAX)
    return leaf(lower, (ArrayMake){.op = ARRAY_NAME, .sort = term_sort(lower->tt, t), .text = name, .term = t});
  Value value = {.count = 1, .axes = {(uint8_t)axis}};
  uint32_t loop = lower->axes.data[axis].loop;
  if (loop != NO_LOOP) {
    value.node =
        array_node(lower->program,
                   (ArrayMake){.op = ARRAY_CHUNK, .sort = SORT_INT, .is_array = true, .rank = 1, .aux = loop}, 0, NULL);
    return value;
  }
  Node ends[2] = {lower_axis_end(lower, axis, false), lower_axis_end(lower, axis, true)};
  value.node =
      array_node(lower->program,
                 (ArrayMake){.op = ARRAY_RANGE, .sort = SORT_INT, .is_array = true, .rank = 1, .hint = name}, 2, ends);
  return value;
}

/* ---- products and sums ---- */

static Value far_number(Lower *lower, double value) {
  return leaf(lower, (ArrayMake){.op = ARRAY_NUMBER, .sort = SORT_REAL, .text = term_far_text(lower->tt, value)});
}

static Value power(Lower *lower, Term base, Rational e) { /* e > 0 */
  if (term_is_rat(lower->tt, base) && e.den == 1 && e.num > 63)
    return far_number(lower, pow(rational_to_double(term_rat(lower->tt, base)), (double)e.num));
  Value value = lower_term(lower, base);
  TermSort sort = e.den == 1 ? array_at(lower->program, value.node)->sort : SORT_REAL;
  if (e.num == 1 && e.den == 1) return value;
  bool is_signed = e.den % 2 == 0 && !term_prove_le(lower->tt, lower->tt->zero, base);
  if (e.num == 1 && e.den == 2) return operation(lower, ARRAY_SQRT, SORT_REAL, is_signed, 1, &value);
  Text text = text_new(lower->arena);
  rational_print(e, true, &text);
  bool is_risky = is_signed || (e.den != 1 && !term_prove_le(lower->tt, lower->tt->zero, base)) ||
                  (e.num / e.den > 7 && sort == SORT_REAL);
  return lower_elementwise(
      lower, (ArrayMake){.op = ARRAY_POWER, .sort = sort, .aux = is_risky, .text = text_string(&text)}, 1, &value);
}

static Value multiply(Lower *lower, TermSort sort, uint32_t count, const Value *values) {
  if (count == 0) return lower_number(lower, rational_int(1));
  return count == 1 ? values[0] : operation(lower, ARRAY_PRODUCT, sort, 0, count, values);
}

/* k * t, for k > 0. */
static Value product(Lower *lower, Rational k, Term t) {
  TermTable *tt = lower->tt;
  uint32_t n = term_kind(tt, t) == TERM_MUL ? term_count(tt, t) : 0, ups = 0, downs = 0;
  double far;
  if (n == 2 && term_is_far(tt, t, &far)) return far_number(lower, rational_to_double(k) * far);
  Value *up = arena_array(lower->arena, Value, n / 2 + 2), *down = arena_array(lower->arena, Value, n / 2 + 2);
  TermSort sort = term_sort(tt, t);
  Value scale = lower_number(lower, k);
  bool may_vanish = false;
  bool unit = k.num == 1 && k.den == 1, fraction = strchr(array_at(lower->program, scale.node)->text, '/') != NULL;
  if (k.den != 1) sort = SORT_REAL;
  if (fraction) {
    down[downs++] = lower_number(lower, (Rational){k.den, 1});
    if (k.num != 1) up[ups++] = lower_number(lower, (Rational){k.num, 1});
  } else if (!unit)
    up[ups++] = scale;
  if (!n && t != lower->tt->one) up[ups++] = lower_term(lower, t);
  for (uint32_t i = 0; i < n; i += 2) {
    Rational e = term_rat(tt, term_arg(tt, t, i + 1));
    bool is_up = e.num > 0;
    if (!is_up) may_vanish |= !term_prove_lt(tt, tt->zero, term_arg(tt, t, i)) && !term_is_rat(tt, term_arg(tt, t, i));
    Value factor = power(lower, term_arg(tt, t, i), is_up ? e : rational_neg(e));
    if (is_up)
      up[ups++] = factor;
    else
      down[downs++] = factor;
  }
  Value top = multiply(lower, sort, ups, up);
  if (!downs) return top;
  return operation(lower, ARRAY_QUOTIENT, SORT_REAL, may_vanish, 2,
                   (Value[]){top, multiply(lower, SORT_REAL, downs, down)});
}

/* a - b*(a // b) inside the integer sum t: its parts, if the rest is simpler than t. */
static bool find_mod(TermTable *tt, Term t, Term *a, Term *b, Rational *m, Term *rest) {
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    Term part = term_arg(tt, t, i + 1), q = 0, whole_rest;
    uint32_t n = term_kind(tt, part) == TERM_MUL ? term_count(tt, part) : 0;
    if (term_kind(tt, part) == TERM_FLOORDIV) q = part;
    for (uint32_t j = 0; j < n && !q; j += 2)
      if (term_kind(tt, term_arg(tt, part, j)) == TERM_FLOORDIV) q = term_arg(tt, part, j);
    if (!q) continue;
    if (term_remainder_of_quotient(tt, t, i, q, a, b, m, rest)) return true;
    *a = term_arg(tt, q, 0), *b = term_arg(tt, q, 1);
    Term whole = term_mul(tt, *b, q);
    Rational k = term_coefficient(tt, whole, &whole_rest), c = term_rat(tt, term_arg(tt, t, i));
    if (whole_rest != part) continue;
    *m = rational_neg(rational_div(tt->arena->guard, c, k));
    if (m->den != 1) continue;
    *rest = term_sub(tt, term_add(tt, t, term_scale(tt, *m, whole)), term_scale(tt, *m, *a));
    uint32_t has = term_kind(tt, *rest) == TERM_ADD ? term_count(tt, *rest) : term_is_rat(tt, *rest) ? 1 : 3;
    uint32_t cost = term_kind(tt, *a) == TERM_ADD ? term_count(tt, *a) : 3;
    if (has + 2 < term_count(tt, t) || (has < term_count(tt, t) && cost <= 3)) return true;
  }
  return false;
}

/* A divisor: 1 in lanes where it would be 0, unless it is known not to be. */
static Value divisor(Lower *lower, Term b) {
  Value value = lower_term(lower, b);
  if (term_is_rat(lower->tt, b) || term_prove_lt(lower->tt, lower->tt->zero, b)) return value;
  if (!array_at(lower->program, value.node)->is_array) return value;
  return operation(lower, ARRAY_SAFE, SORT_INT, 0, 1, &value);
}

static int64_t common(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b, b = rest;
  }
  return a;
}

/* The integers in a sum of reals, g times a sum of integers: a - 16*(a // 16) + x is (a % 16) + x, and not a float that
 * a has been rounded to less another one. 1: there are none, or one. */
static Rational integer_part(TermTable *tt, Term t, Term *integers) {
  int64_t den = 1, g = 0;
  uint32_t count = 0;
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
      Rational k = term_rat(tt, term_arg(tt, t, i));
      if (term_sort(tt, term_arg(tt, t, i + 1)) != SORT_INT) continue;
      if (k.den > 4096 || k.num > INT32_MAX || k.num < -INT32_MAX) return rational_int(1);
      if (!pass)
        den = den / common(den, (int64_t)k.den) * (int64_t)k.den, count++;
      else
        g = common(g, (int64_t)(k.num < 0 ? -k.num : k.num) * (den / (int64_t)k.den));
      if (den > INT32_MAX) return rational_int(1);
    }
  if (count < 2) return rational_int(1);
  Rational unit = {g, den};
  *integers = tt->zero;
  for (uint32_t i = 1; i < term_count(tt, t); i += 2)
    if (term_sort(tt, term_arg(tt, t, i + 1)) == SORT_INT)
      *integers = term_add(tt, *integers,
                           term_scale(tt, rational_div(tt->arena->guard, term_rat(tt, term_arg(tt, t, i)), unit),
                                      term_arg(tt, t, i + 1)));
  return rational_div(tt->arena->guard, unit, rational_int(1));
}

static Value sum(Lower *lower, Term t) {
  TermTable *tt = lower->tt;
  Term integers = 0;
  Rational unit = term_sort(tt, t) == SORT_REAL ? integer_part(tt, t, &integers) : rational_int(1);
  if (integers) {
    Term others = term_sub(tt, t, term_scale(tt, unit, integers));
    Value whole = product(lower, unit, integers);
    if (others == tt->zero) return whole;
    return lower_elementwise(lower, (ArrayMake){.op = ARRAY_SUM, .sort = SORT_REAL, .text = "++"}, 2,
                             (Value[]){whole, lower_term(lower, others)});
  }
  uint32_t n = 0, room = term_count(tt, t) / 2 + 3;
  Value *values = arena_array(lower->arena, Value, room);
  char *signs = arena_alloc(lower->arena, room + 1);
  Term rest = t, a, b, next;
  Rational m;
  TermSort sort = term_sort(tt, t);
  while (sort == SORT_INT && n + 3 < room && term_kind(tt, rest) == TERM_ADD && find_mod(tt, rest, &a, &b, &m, &next)) {
    Value mod = operation(lower, ARRAY_MOD, SORT_INT, 0, 2, (Value[]){lower_term(lower, a), divisor(lower, b)});
    signs[n] = m.num < 0 ? '-' : '+';
    if (m.num < 0) m = rational_neg(m);
    values[n++] = m.num == 1 ? mod : multiply(lower, SORT_INT, 2, (Value[]){lower_number(lower, m), mod});
    rest = next;
  }
  uint32_t count = term_kind(tt, rest) == TERM_ADD ? term_count(tt, rest) : 0;
  for (uint32_t i = 1; i < count; i += 2, n++) {
    Rational k = term_rat(tt, term_arg(tt, rest, i));
    signs[n] = k.num < 0 ? '-' : '+';
    values[n] = product(lower, k.num < 0 ? rational_neg(k) : k, term_arg(tt, rest, i + 1));
  }
  if (!count && !term_is_rat(tt, rest)) values[n] = lower_term(lower, rest), signs[n++] = '+';
  Rational c = count                   ? term_rat(tt, term_arg(tt, rest, 0))
               : term_is_rat(tt, rest) ? term_rat(tt, rest)
                                       : rational_int(0);
  if (c.num) {
    signs[n] = c.num < 0 ? '-' : '+';
    values[n++] = lower_number(lower, c.num < 0 ? rational_neg(c) : c);
  }
  if (n == 1 && signs[0] == '+') return values[0];
  return lower_elementwise(lower, (ArrayMake){.op = ARRAY_SUM, .sort = sort, .text = signs}, n, values);
}

/* ---- comparisons ---- */

static Value compare(Lower *lower, const char *op, Term left, Term right) {
  Term terms[2] = {left, right};
  Value sides[2];
  for (int i = 0; i < 2; i++)
    sides[i] = lower_is_wide(lower, terms[i]) ? lower_exactly(lower, terms[i], false) : lower_term(lower, terms[i]);
  return lower_elementwise(lower, (ArrayMake){.op = ARRAY_COMPARE, .sort = SORT_BOOL, .text = op}, 2, sides);
}

/* t <= 0 as left <= right, with the negative summands moved over; whole numbers give left < right where that is
 * shorter. */
/* A maximum or minimum of numbers stands alone: what it is compared with is then computed as inside of it, and equal
 * numbers are equal, whatever is rounded. */
static bool is_extremum(const TermTable *tt, Term sum, Term part, Rational k) {
  if (term_sort(tt, sum) != SORT_REAL || term_kind(tt, part) != TERM_FOLD || k.den != 1 || (k.num != 1 && k.num != -1))
    return false;
  return term_aux(tt, part) == FOLD_MAX || term_aux(tt, part) == FOLD_MIN;
}

/* What is whole is added up by itself, exactly, and not to a float that rounds it. */
static bool split_at_whole(TermTable *tt, Term sum, Term *left, Term *right) {
  Rational c = term_rat(tt, term_arg(tt, sum, 0));
  Term whole = c.den == 1 ? term_new_rat(tt, c) : tt->zero, rest = tt->zero;
  bool has_whole = false, is_minus = true;
  for (uint32_t i = 1; i < term_count(tt, sum); i += 2) {
    Rational k = term_rat(tt, term_arg(tt, sum, i));
    Term part = term_arg(tt, sum, i + 1), scaled = term_scale(tt, k, part);
    bool is_whole = term_sort(tt, part) == SORT_INT && k.den == 1;
    has_whole |= is_whole, is_minus &= is_whole || k.num < 0;
    *(is_whole ? &whole : &rest) = term_add(tt, is_whole ? whole : rest, scaled);
  }
  if (!has_whole || rest == tt->zero) return false;
  if (c.den != 1) rest = term_add(tt, rest, term_new_rat(tt, c));
  *left = is_minus ? whole : rest, *right = term_neg(tt, is_minus ? rest : whole);
  return true;
}

bool lower_split_sides(TermTable *tt, Term sum, Term *left, Term *right) {
  if (term_sort(tt, sum) == SORT_REAL && split_at_whole(tt, sum, left, right)) return true;
  for (uint32_t i = 1; i < term_count(tt, sum); i += 2) {
    Rational k = term_rat(tt, term_arg(tt, sum, i));
    Term part = term_arg(tt, sum, i + 1);
    if (!is_extremum(tt, sum, part, k)) continue;
    Term rest = term_sub(tt, sum, term_scale(tt, k, part));
    *left = k.num < 0 ? rest : part, *right = k.num < 0 ? part : term_neg(tt, rest);
    return true;
  }
  return false;
}

/* True if x + c would leave 64 bits, on the side of x. */
static bool is_wide_with(Lower *lower, Term x, Rational c) {
  return lower_is_wide(lower, term_add(lower->tt, x, term_new_rat(lower->tt, c.num < 0 ? rational_neg(c) : c)));
}

static Value comparison(Lower *lower, Term t, bool negated) {
  TermTable *tt = lower->tt;
  TermKind kind = term_kind(tt, t);
  Term all = term_arg(tt, t, 0), left = all, right = tt->zero;
  if (term_count(tt, t) == 2)
    right = term_arg(tt, t, 1);
  else if (term_kind(tt, all) == TERM_ADD && !lower_split_sides(tt, all, &left, &right)) {
    left = tt->zero;
    for (uint32_t i = 1; i < term_count(tt, all); i += 2) {
      Rational k = term_rat(tt, term_arg(tt, all, i));
      Term part = term_scale(tt, k.num < 0 ? rational_neg(k) : k, term_arg(tt, all, i + 1));
      if (k.num < 0)
        right = term_add(tt, right, part);
      else
        left = term_add(tt, left, part);
    }
    Rational c = term_rat(tt, term_arg(tt, all, 0));
    if (kind == TERM_LE && c.num == 1 && c.den == 1 && term_sort(tt, all) == SORT_INT)
      kind = TERM_LT;
    else if (right == tt->zero ? is_wide_with(lower, left, c) : left == tt->zero && is_wide_with(lower, right, c))
      *(right == tt->zero ? &right : &left) = term_new_rat(tt, right == tt->zero ? rational_neg(c) : c);
    else if (c.num > 0 && (right != tt->zero || left == tt->zero))
      left = term_add(tt, left, term_new_rat(tt, c));
    else
      right = term_add(tt, right, term_new_rat(tt, rational_neg(c)));
  }
  const char *op = kind == TERM_EQ ? (negated ? "!=" : "==") : kind == TERM_LE ? "<=" : "<";
  if (left != tt->zero && !term_is_rat(tt, left)) return compare(lower, op, left, right);
  return compare(lower, kind == TERM_EQ ? op : kind == TERM_LE ? ">=" : ">", right, left);
}

static Value junction(Lower *lower, ArrayOp op, Term t) {
  uint32_t n = term_count(lower->tt, t);
  Value *values = arena_array(lower->arena, Value, n);
  for (uint32_t i = 0; i < n; i++) values[i] = lower_term(lower, term_arg(lower->tt, t, i));
  return operation(lower, op, SORT_BOOL, 0, n, values);
}

static Value extremum(Lower *lower, ArrayOp op, Term t) {
  Term joined = lower_joined(lower->tt, t);
  if (joined != t) return lower_term(lower, joined);
  Value value = lower_term(lower, term_arg(lower->tt, t, 0));
  for (uint32_t i = 1; i < term_count(lower->tt, t); i++)
    value = operation(lower, op, term_sort(lower->tt, t), 0, 2,
                      (Value[]){value, lower_term(lower, term_arg(lower->tt, t, i))});
  return value;
}

/* ---- reads ---- */

typedef enum IndexForm { INDEX_WHOLE, INDEX_SLICE, INDEX_ONE, INDEX_ARRAY } IndexForm;

typedef struct ReadIndex {
  IndexForm form;
  Term term, offset; /* of a slice: term = offset + symbol of the axis */
  uint32_t axis;
  bool is_inside;
} ReadIndex;

/* True if the index is in [0, extent) for all values of its symbols. */
static bool is_inside(TermTable *tt, Term index, Term extent) {
  bool is_place =
      term_kind(tt, index) == TERM_FOLD && (term_aux(tt, index) == FOLD_ARGMAX || term_aux(tt, index) == FOLD_ARGMIN);
  if (is_place)
    return term_prove_le(tt, tt->zero, term_fold_lo(tt, index)) && term_prove_le(tt, term_fold_hi(tt, index), extent);
  return term_prove_le(tt, tt->zero, index) && term_prove_lt(tt, index, extent);
}

/* True if the elements from lo to hi of the axis lie in [0, extent), moved by the offset. An empty slice may begin
 * anywhere. */
static bool is_slice_inside(Lower *lower, const Axis *axis, Term offset, Term extent) {
  TermTable *tt = lower->tt;
  bool is_max = term_kind(tt, axis->hi) == TERM_MAX;
  bool inside = term_prove_le(tt, tt->zero, term_add(tt, axis->lo, offset));
  for (uint32_t i = 0; i < (is_max ? term_count(tt, axis->hi) : 1) && inside; i++) {
    Term end = is_max ? term_arg(tt, axis->hi, i) : axis->hi;
    inside = end == axis->lo || term_prove_le(tt, term_add(tt, end, offset), extent);
  }
  return inside;
}

static ReadIndex classify(Lower *lower, Term index, Term extent) {
  TermTable *tt = lower->tt;
  ReadIndex result = {
      .form = INDEX_ARRAY, .term = index, .axis = UINT32_MAX, .is_inside = is_inside(tt, index, extent)};
  AxisSet axes = lower_axes(lower, index);
  if (!axes) {
    if (!(term_node(tt, index)->flags & TERM_HAS_READ)) result.form = INDEX_ONE;
    return result;
  }
  if (axes & (axes - 1)) return result;
  uint32_t axis = (uint32_t)__builtin_ctzll(axes);
  const Axis *a = &lower->axes.data[axis];
  if (a->loop != NO_LOOP || !a->hi) return result;
  Term offset = term_sub(tt, index, a->symbol);
  if (lower_axes(lower, offset) || (term_node(tt, offset)->flags & TERM_HAS_READ)) return result;
  if (offset == tt->zero && a->lo == tt->zero && a->hi == extent)
    result.form = INDEX_WHOLE;
  else if (result.is_inside || is_slice_inside(lower, a, offset, extent))
    result.form = INDEX_SLICE, result.is_inside = true;
  result.axis = axis, result.offset = offset;
  return result;
}

static Value clipped(Lower *lower, const ReadIndex *index, Node tensor, uint32_t dimension) {
  Value value = lower_term(lower, index->term);
  if (index->is_inside) return value;
  Value length = {.node = array_node(lower->program,
                                     (ArrayMake){.op = ARRAY_LENGTH, .sort = SORT_INT, .aux = dimension}, 1, &tensor)};
  return operation(lower, ARRAY_CLIP, SORT_INT, 0, 2, (Value[]){value, length});
}

/* True if the indexed dimensions may stand among slices. They must lie side by side and share no axis with a slice. */
static bool can_mix(Lower *lower, uint32_t n, const ReadIndex *index) {
  AxisSet plain = 0, indexed = 0;
  uint32_t runs = 0;
  for (uint32_t i = 0; i < n; i++) {
    bool is_plain = index[i].form <= INDEX_SLICE;
    AxisSet axes = is_plain ? (AxisSet)1 << index[i].axis : lower_axes(lower, index[i].term);
    if (is_plain && plain & axes) return false;
    if (is_plain)
      plain |= axes;
    else
      indexed |= axes;
    if (!is_plain && (!i || index[i - 1].form <= INDEX_SLICE)) runs++;
  }
  return runs <= 1 && !(plain & indexed);
}

static void subscript(Text *text, const char *part) { text_format(text, "%s%s", text->count ? ", " : "", part); }

/* Where an array may have no element along a dimension, whose index is moved into it, there must be one to read: all
 * of them are in lanes that a mask leaves out. */
static Node filled(Lower *lower, Node node, uint32_t n, const ReadIndex *index, const Term *extents) {
  ArrayNode from = *array_at(lower->program, node);
  for (uint32_t i = 0; i < n; i++) {
    if (index[i].form < INDEX_ONE || index[i].is_inside || term_prove_lt(lower->tt, lower->tt->zero, extents[i]))
      continue;
    ArrayMake make = {
        .op = ARRAY_FILLED, .sort = from.sort, .is_array = true, .is_view = from.is_view, .rank = from.rank};
    return array_node(lower->program, make, 1, &node);
  }
  return node;
}

/* The elements of an array of n dimensions at n index terms. */
static Value elements_of(Lower *lower, Node node, uint32_t n, const Term *at, const Term *extents) {
  TermTable *tt = lower->tt;
  uint32_t args = 1, indexed = 0;
  Node nodes[2 * VALUE_AXES + 1];
  ReadIndex index[VALUE_AXES];
  for (uint32_t i = 0; i < n; i++) index[i] = classify(lower, at[i], extents[i]);
  if (!can_mix(lower, n, index))
    for (uint32_t i = 0; i < n; i++) index[i].form = INDEX_ARRAY;
  nodes[0] = node = filled(lower, node, n, index, extents);
  Value values[VALUE_AXES] = {{0}}, result = {0};
  uint8_t axes[VALUE_AXES];
  bool has_array = false, is_whole = true;
  for (uint32_t i = 0; i < n; i++) {
    is_whole &= index[i].form == INDEX_WHOLE;
    has_array |= index[i].form == INDEX_ARRAY;
    if (index[i].form >= INDEX_ONE) values[indexed++] = clipped(lower, &index[i], node, i);
  }
  uint32_t shared = union_axes(lower, indexed, values, axes), used = 0;
  Text text = text_new(lower->arena);
  for (uint32_t i = 0; i < n; i++) {
    if (index[i].form <= INDEX_SLICE) {
      result.axes[result.count++] = (uint8_t)index[i].axis;
      subscript(&text, index[i].form == INDEX_WHOLE ? ":" : "%:%");
      if (index[i].form == INDEX_WHOLE) continue;
      nodes[args++] = lower_term(lower, term_add(tt, index[i].offset, lower->axes.data[index[i].axis].lo)).node;
      nodes[args++] = lower_term(lower, term_add(tt, index[i].offset, lower->axes.data[index[i].axis].hi)).node;
      continue;
    }
    for (uint32_t j = 0; j < shared && !used; j++) result.axes[result.count++] = axes[j];
    nodes[args++] = lower_aligned(lower, values[used++], shared, axes);
    subscript(&text, "%");
  }
  result.node = node;
  if (is_whole) return result;
  ArrayNode from = *array_at(lower->program, node);
  ArrayMake make = {.op = ARRAY_INDEX,
                    .sort = from.sort,
                    .is_array = true,
                    .is_view = from.is_view && !has_array,
                    .rank = result.count,
                    .text = text_string(&text)};
  result.node = array_node(lower->program, make, args, nodes);
  return result;
}

Value lower_element(Lower *lower, const State *state, const Term *lanes) {
  Term at[VALUE_AXES];
  for (uint32_t i = 0; i < state->rank; i++) at[i] = i < state->count ? state->index[i] : lanes[i - state->count];
  return elements_of(lower, state->node, state->rank, at, state->extent);
}

static Value read_element(Lower *lower, Term t) {
  TermTable *tt = lower->tt;
  uint32_t n = term_count(tt, t) - 1;
  Term symbol = term_arg(tt, t, 0), at[VALUE_AXES];
  for (uint32_t i = 0; i < n; i++) at[i] = term_arg(tt, t, i + 1);
  for (uint32_t k = lower->states.count; k-- > 0;)
    if (lower->states.data[k].symbol == symbol && lower->states.data[k].node)
      return lower_element(lower, &lower->states.data[k], at);
  const PointwiseTensor *tensor = pointwise_tensor(lower->p, symbol);
  ArrayMake make = {.op = ARRAY_NAME,
                    .sort = term_sort(tt, t),
                    .is_array = true,
                    .is_view = true,
                    .rank = (uint8_t)n,
                    .text = tensor->name,
                    .term = tensor->symbol};
  return elements_of(lower, array_node(lower->program, make, 0, NULL), n, at, tensor->extent);
}

/* ---- terms ---- */

static Value apply(Lower *lower, Term t, ArrayOp op, TermSort sort, uint32_t aux) {
  uint32_t n = term_count(lower->tt, t);
  Value values[8];
  for (uint32_t i = 0; i < n && i < 8; i++) values[i] = lower_term(lower, term_arg(lower->tt, t, i));
  return operation(lower, op, sort, aux, n, values);
}

static Value call(Lower *lower, Term t) {
  const char *name = intern_string(lower->tt->names, term_aux(lower->tt, t));
  uint32_t n = term_count(lower->tt, t);
  Value *values = arena_array(lower->arena, Value, n + 1);
  for (uint32_t i = 0; i < n; i++) values[i] = lower_term(lower, term_arg(lower->tt, t, i));
  ArrayMake make = {
      .op = ARRAY_CALL, .sort = term_sort(lower->tt, t), .text = name, .term = ARRAY_FUNCTION | term_aux(lower->tt, t)};
  return lower_elementwise(lower, make, n, values);
}

static Value undefined(Lower *lower, TermSort sort) {
  return sort == SORT_BOOL  ? truth(lower, false)
         : sort == SORT_INT ? lower_number(lower, rational_int(0))
                            : lower_text(lower, "nan");
}

/* Numbers of any size do not wrap by themselves. */
static Value wrapped(Lower *lower, Term t) {
  Value value = lower_term(lower, term_arg(lower->tt, t, 0));
  ArrayMake make = {
      .op = ARRAY_WRAP, .sort = SORT_INT, .aux = term_aux(lower->tt, t), .text = lower->exact ? "exact" : ""};
  return lower_elementwise(lower, make, 1, &value);
}

/* a / b rounded to zero, of an array; false: it is none, or of numbers of Python. */
static bool truncated(Lower *lower, Term t, Value *quotient) {
  Term a, b;
  if (!term_is_truncdiv(lower->tt, t, &a, &b)) return false;
  Value sides[2] = {lower_term(lower, a), divisor(lower, b)};
  if (!array_at(lower->program, sides[0].node)->is_array) return false;
  *quotient = operation(lower, ARRAY_TRUNCDIV, SORT_INT, 0, 2, sides);
  return true;
}

static Value lower_kind(Lower *lower, Term t) {
  TermTable *tt = lower->tt;
  TermSort sort = term_sort(tt, t);
  TermKind kind = term_kind(tt, t);
  switch (kind) {
  case TERM_RAT: {
    Rational r = term_rat(tt, t);
    if (r.num >= 0) return lower_number(lower, r);
    Value size = lower_number(lower, rational_neg(r));
    return lower_elementwise(lower, (ArrayMake){.op = ARRAY_SUM, .sort = sort, .text = "-"}, 1, &size);
  }
  case TERM_INF: return lower_text(lower, "inf");
  case TERM_NEG_INF: return lower_text(lower, "-inf");
  case TERM_NAN: return lower_text(lower, "nan");
  case TERM_TRUE:
  case TERM_FALSE: return truth(lower, kind == TERM_TRUE);
  case TERM_SYM: return symbol(lower, t);
  case TERM_UNDEF: return undefined(lower, sort);
  case TERM_READ: return read_element(lower, t);
  case TERM_ADD: return sum(lower, t);
  case TERM_MUL: return product(lower, rational_int(1), t);
  case TERM_FLOORDIV:
    return operation(lower, ARRAY_FLOORDIV, SORT_INT, 0, 2,
                     (Value[]){lower_term(lower, term_arg(tt, t, 0)), divisor(lower, term_arg(tt, t, 1))});
  case TERM_MIN: return extremum(lower, ARRAY_MIN, t);
  case TERM_MAX: return extremum(lower, ARRAY_MAX, t);
  case TERM_ABS: return apply(lower, t, ARRAY_ABS, sort, 0);
  case TERM_FLOOR:
  case TERM_CEIL:
  case TERM_ROUND:
  case TERM_TRUNC: return apply(lower, t, ARRAY_ROUND, SORT_INT, kind);
  case TERM_LE:
  case TERM_LT:
  case TERM_EQ: return comparison(lower, t, false);
  case TERM_IS_INF:
  case TERM_IS_NEG_INF:
  case TERM_IS_NAN: return apply(lower, t, ARRAY_TEST, SORT_BOOL, kind);
  case TERM_NOT:
    if (term_kind(tt, term_arg(tt, t, 0)) == TERM_EQ) return comparison(lower, term_arg(tt, t, 0), true);
    return apply(lower, t, ARRAY_NOT, SORT_BOOL, 0);
  case TERM_AND: return junction(lower, ARRAY_AND, t);
  case TERM_OR: return junction(lower, ARRAY_OR, t);
  case TERM_SELECT: {
    Value quotient;
    if (lower->target.truncates && !lower->exact && truncated(lower, t, &quotient)) return quotient;
    return lower_select(lower, lower_term(lower, term_arg(tt, t, 0)), lower_term(lower, term_arg(tt, t, 1)),
                        lower_term(lower, term_arg(tt, t, 2)));
  }
  case TERM_FN: return apply(lower, t, ARRAY_FN, sort, term_aux(tt, t));
  case TERM_OPAQUE: return call(lower, t);
  case TERM_WRAP: return wrapped(lower, t);
  case TERM_FOLD: return lower_fold(lower, t);
  case TERM_RECUR: return lower_recur(lower, t);
  case TERM_STATE:
  case TERM_PTR:
  case TERM_NONE:
  case TERM_BOUND:
  case TERM_KIND_COUNT: break;
  }
  lower->is_opaque = true; /* a pointer as a value: nothing that an array module computes */
  return lower_text(lower, "nan");
}

void lower_remember(Lower *lower, Term t, Value value) {
  if (t >= lower->memo_count) {
    uint32_t room = lower->tt->nodes.count + lower->tt->nodes.count / 2 + 64;
    lower->memo = arena_grow(lower->arena, lower->memo, sizeof(Value) * lower->memo_count, sizeof(Value) * room);
    lower->memo_count = room;
  }
  lower->memo[t] = value;
}

/* An element, a count, a condition inside of what is computed exactly: as elsewhere, and then of any size. */
static Value lower_part(Lower *lower, Term t) {
  uint32_t exact = lower->exact;
  lower->exact = 0;
  Value value = lower_term(lower, t);
  lower->exact = exact;
  const ArrayNode *node = array_at(lower->program, value.node);
  if (term_sort(lower->tt, t) != SORT_INT || !node->is_array) return value;
  return operation(lower, ARRAY_EXACT, SORT_INT, 0, 1, &value);
}

Value lower_term(Lower *lower, Term t) {
  guard_tick(lower->arena->guard);
  if (lower->exact) return lower_is_arithmetic(lower->tt, t) ? lower_kind(lower, t) : lower_part(lower, t);
  if (lower_is_wide(lower, t)) return lower_exactly(lower, t, true);
  if (t < lower->memo_count && lower->memo[t].node) return lower->memo[t];
  Value value = lower_kind(lower, t);
  lower_remember(lower, t, value);
  return value;
}
/* ---- outputs ---- */

static Value old_contents(Lower *lower, const PointwiseOutput *output, const PointwiseTensor *tensor,
                          const uint8_t *axes) {
  ArrayMake make = {.op = ARRAY_NAME,
                    .sort = tensor->sort,
                    .is_array = true,
                    .is_view = true,
                    .rank = (uint8_t)output->rank,
                    .aux = 0,
                    .text = tensor->name,
                    .term = tensor->symbol};
  Value value = {.node = array_node(lower->program, make, 0, NULL), .count = (uint8_t)output->rank};
  for (uint32_t i = 0; i < output->rank; i++) value.axes[i] = axes[i];
  return value;
}

/* old op value, for atomics. */
static Value combine(Lower *lower, TermFoldOp op, TermSort sort, Value old, Value value) {
  Value both[2] = {old, value};
  switch (op) {
  case FOLD_SUM: return lower_elementwise(lower, (ArrayMake){.op = ARRAY_SUM, .sort = sort, .text = "++"}, 2, both);
  case FOLD_PROD: return operation(lower, ARRAY_PRODUCT, sort, 0, 2, both);
  case FOLD_MAX: return operation(lower, ARRAY_MAX, sort, 0, 2, both);
  case FOLD_MIN: return operation(lower, ARRAY_MIN, sort, 0, 2, both);
  case FOLD_ANY:
    return sort == SORT_BOOL ? operation(lower, ARRAY_OR, sort, 0, 2, both)
                             : operation(lower, ARRAY_FN, sort, FN_BITOR, 2, both);
  case FOLD_ALL:
    return sort == SORT_BOOL ? operation(lower, ARRAY_AND, sort, 0, 2, both)
                             : operation(lower, ARRAY_FN, sort, FN_BITAND, 2, both);
  case FOLD_XOR: return operation(lower, ARRAY_FN, sort, FN_BITXOR, 2, both);
  case FOLD_ARGMAX:
  case FOLD_ARGMIN:
  case FOLD_OP_COUNT: break;
  }
  lower->is_opaque = true;
  return value;
}

static Value assemble(Lower *lower, const PointwiseOutput *output, const PointwiseTensor *tensor, const uint8_t *axes,
                      bool *is_whole) {
  TermTable *tt = lower->tt;
  Value value = {0};
  Term covered = tt->false_; /* by this piece and later ones */
  uint32_t first = output->pieces.count;
  while (first > 0 && covered != tt->true_) {
    const PointwisePiece *piece = &output->pieces.data[--first];
    if (piece->accumulate) continue; /* it reads what earlier pieces leave */
    covered = term_or(tt, covered, piece->region);
  }
  *is_whole = covered == tt->true_;
  for (uint32_t i = 0; i < output->pieces.count; i++) *is_whole &= !output->pieces.data[i].accumulate;
  if (!*is_whole) first = 0, value = old_contents(lower, output, tensor, axes);
  for (uint32_t i = first; i < output->pieces.count; i++) {
    const PointwisePiece *piece = &output->pieces.data[i];
    Value part = lower_term(lower, piece->value);
    if (piece->accumulate) part = combine(lower, (TermFoldOp)(piece->accumulate - 1), tensor->sort, value, part);
    if (!value.node || piece->region == tt->true_)
      value = part;
    else
      value = lower_select(lower, lower_term(lower, piece->region), part, value);
  }
  return value;
}

static LoweredOutput lower_output(Lower *lower, const PointwiseOutput *output) {
  const PointwiseTensor *tensor = &lower->p->tensors.data[output->tensor];
  LoweredOutput result = {.tensor = tensor, .is_opaque = output->scatter};
  Node extents[POINTWISE_MAX_RANK];
  uint8_t axes[VALUE_AXES] = {0};
  for (uint32_t i = 0; i < output->rank; i++) {
    Axis axis = {
        .symbol = output->index[i], .lo = lower->tt->zero, .hi = tensor->extent[i], .order = i, .loop = NO_LOOP};
    uint32_t known = lower_axis_find(lower, axis.symbol); /* outputs may share their index symbols */
    axes[i] = (uint8_t)(known != UINT32_MAX ? known : lower_axis_add(lower, axis));
    extents[i] = lower_term(lower, tensor->extent[i]).node;
  }
  result.shape = array_node(lower->program, (ArrayMake){.op = ARRAY_SHAPE, .sort = SORT_INT}, output->rank, extents);
  if (result.is_opaque) return result;
  lower->depth = output->rank, lower->is_opaque = false;
  Value value = assemble(lower, output, tensor, axes, &result.is_whole);
  result.is_opaque = lower->is_opaque;
  result.value = lower_aligned(lower, value, output->rank, axes);
  if (value.count < output->rank || !array_at(lower->program, result.value)->is_array) {
    ArrayMake make = {.op = ARRAY_EXPAND,
                      .sort = array_at(lower->program, result.value)->sort,
                      .is_array = true,
                      .rank = (uint8_t)output->rank};
    result.value = array_node(lower->program, make, 2, (Node[]){result.value, result.shape});
  }
  return result;
}

static Lower *lower_new(Lowered *lowered, const Pointwise *p) {
  Lower *lower = arena_new(p->tt->arena, Lower);
  *lower = (Lower){.p = p, .tt = p->tt, .arena = p->tt->arena, .program = &lowered->program};
  return lower;
}

Lowered *lower_pointwise(const Pointwise *p, LowerTarget target) {
  Lowered *lowered = arena_new(p->tt->arena, Lowered);
  array_program_init(&lowered->program, p->tt->arena);
  Lower *lower = lower_new(lowered, p);
  lower->target = target;
  for (uint32_t i = 0; i < p->outputs.count; i++) {
    LoweredOutput output = lower_output(lower, &p->outputs.data[i]);
    array_push(p->tt->arena, &lowered->outputs, output);
  }
  return lowered;
}

Node lower_size(Lowered *lowered, const Pointwise *p, Term t) { return lower_term(lower_new(lowered, p), t).node; }
