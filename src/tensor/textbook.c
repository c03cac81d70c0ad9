/* A formula as a textbook writes it.
 *
 * Bottom-up over the expression: the arguments first, then the laws for the node at hand, until none applies. Sums and
 * products are taken apart into summands with coefficients and factors with exponents, so that a law finds its parts
 * wherever they stand, and are put together again in the usual order (arith.c). The laws:
 *
 *   x / (1 + exp(-x)) = silu(x)            1 / (1 + exp(-x)), exp(x) / (1 + exp(x)) = sigmoid(x)
 *   exp(x - max(x)) / sum(exp(x - max(x))) = softmax(x)       (e @ v) / sum(e) = (e / sum(e)) @ v
 *   max(x) + log(sum(exp(x - max(x)))) = log(sum(exp(x))) = logsumexp(x)         where(c, exp(s - m), 0) = exp(where(c, s, -inf) - m)
 *   sum(x) / n = mean(x)                   mean((x - mean(x))**2), mean(x**2) - mean(x)**2 = var(x)
 *   (x - mean(x)) / sqrt(var(x) + eps) = layer_norm(x)        x / sqrt(mean(x**2) + eps) = rms_norm(x)
 *   c * x * (1 + erf(x / sqrt(2))) = 2*c*gelu(x), and the tanh and the sigmoid form of gelu_tanh
 *   where(c, a + x, a + y) = a + where(c, x, y)
 *   a * x + a * y = a * (x + y)            0.7071068 = 1 / sqrt(2) and other closed forms
 *   maximum(x, 0), where(x > 0, x, 0) = relu(x)               where(x >= 0, x, s * x) = leaky_relu(x, s)
 *   scalars out of sums and matrix products, through where(c, s * x, 0); positive numbers out of max and min
 *   f(transpose(x), transpose(y)) = transpose(f(x, y)) for an elementwise f; sums likewise
 *   exp2(log2(e) * x) = exp(x), log(2) * log2(x) = log(x), where a literal is within 2 ulp of the constant
 *
 * Each holds over the reals wherever its left side is defined; tests evaluate both sides of each on random arrays. */
#include <math.h>
#include <string.h>

#include "tensor/tensor.h"

typedef const TensorExpr *Expr;

enum { MOST_PARTS = 48, MOST_NODES = 4000, MOST_DEPTH = 300, MOST_BITS = 60 };

typedef struct Part { Expr e; Rational k; } Part; /* coefficient of a summand, exponent of a factor */

typedef struct Parts { /* k + sum of k * e, or k * product of e ** k */
  Rational k;
  uint32_t count;
  bool is_full; /* too many: leave it */
  Part part[MOST_PARTS];
} Parts;

typedef struct Known { Expr from, to; } Known;

typedef struct Book {
  TermTable *tt;
  TensorConstants *constants;
  Known *known;
  uint32_t known_count, depth;
  bool is_last; /* the second pass: numbers that no law took become closed forms */
} Book;

static bool is_sum_op(TensorOp op) { return op == TENSOR_ADD || op == TENSOR_SUB; }
static bool is_product_op(TensorOp op) { return op == TENSOR_MUL || op == TENSOR_DIV; }

static Expr rewrite(Book *b, Expr e);
static Expr with_args(Book *b, Expr e, const Expr *args);

/* ---- equality ---- */

bool tensor_alike(TermTable *tt, Expr a, Expr b) {
  if (a->op != b->op || a->count != b->count || a->rank != b->rank || a->size != b->size || a->sort != b->sort) return false;
  if (a->symbol != b->symbol || a->value != b->value || a->axis != b->axis || a->axis_count != b->axis_count) return false;
  if (a->fn != b->fn || a->bits != b->bits || a->fold != b->fold || a->idiom != b->idiom || memcmp(a->axes, b->axes, sizeof a->axes)) return false;
  for (uint32_t i = 0; i < a->rank; i++) if (a->shape[i] != b->shape[i]) return false;
  for (uint32_t i = 0; a->slices && i < a->args[0]->rank; i++) {
    TensorSlice x = a->slices[i], y = b->slices[i];
    if (x.start != y.start || x.point != y.point || x.step != y.step || (!x.point && x.stop != y.stop)) return false;
  }
  (void)tt;
  return true;
}

bool tensor_equal(TermTable *tt, Expr a, Expr b) {
  if (a == b) return true;
  guard_tick(tt->arena->guard);
  if (!a || !b || !tensor_alike(tt, a, b)) return false;
  for (uint32_t i = 0; i < a->count; i++) if (!tensor_equal(tt, a->args[i], b->args[i])) return false;
  return true;
}

/* ---- taking apart, putting together ---- */

static const Rational one = {1, 1}, minus_one = {-1, 1}, minus_half = {-1, 2};

static bool is_one(Rational r) { return r.num == 1 && r.den == 1; }

static bool is_number(TermTable *tt, Expr e, Rational *value) {
  if (e->op != TENSOR_CONST || !term_is_rat(tt, e->value)) return false;
  *value = term_rat(tt, e->value);
  return true;
}

static bool is_zero(TermTable *tt, Expr e) {
  Rational r;
  return is_number(tt, e, &r) && !r.num;
}

static Expr number(TermTable *tt, Rational r) { return tensor_const(tt, term_new_rat(tt, r)); }

/* Products of literals stay within the range of rationals. */
static bool fits(Rational r) {
  Int128 most = (Int128)1 << MOST_BITS;
  return r.num < most && r.num > -most && r.den < most;
}

static Rational times(Book *b, Parts *parts, Rational x, Rational y) {
  if (!fits(x) || !fits(y)) {
    parts->is_full = true;
    return x;
  }
  return rational_mul(b->tt->arena->guard, x, y);
}

/* adds e ** k (or k * e) to the parts, together with an equal one. */
static void push(Book *b, Parts *parts, Expr e, Rational k) {
  for (uint32_t i = 0; i < parts->count; i++)
    if (tensor_equal(b->tt, parts->part[i].e, e)) {
      parts->part[i].k = rational_add(b->tt->arena->guard, parts->part[i].k, k);
      if (!parts->part[i].k.num) parts->part[i] = parts->part[--parts->count];
      return;
    }
  if (parts->count == MOST_PARTS) parts->is_full = true;
  else parts->part[parts->count++] = (Part){e, k};
}

static void take_factors(Book *b, Expr e, Rational k, Parts *out) {
  TermTable *tt = b->tt;
  Rational value;
  bool whole = k.den == 1 && k.num >= -16 && k.num <= 16;
  if (is_number(tt, e, &value) && whole && value.num && fits(value) && (is_one(k) || k.num == -1 || value.num < 65536)) {
    out->k = times(b, out, out->k, rational_power(tt->arena->guard, value, (int64_t)k.num));
    return;
  }
  switch (e->op) {
  case TENSOR_MUL: take_factors(b, e->args[0], k, out), take_factors(b, e->args[1], k, out); return;
  case TENSOR_DIV: take_factors(b, e->args[0], k, out), take_factors(b, e->args[1], rational_neg(k), out); return;
  case TENSOR_NEG:
    if (!whole) break;
    if (k.num % 2) out->k = rational_neg(out->k);
    take_factors(b, e->args[0], k, out);
    return;
  case TENSOR_SQRT:
    if (!whole) break; /* sqrt(x) ** k */
    push(b, out, e->args[0], (Rational){k.num % 2 ? k.num : k.num / 2, k.num % 2 ? 2 : 1});
    return;
  case TENSOR_POW:
    if (!is_number(tt, e->args[1], &value) || value.den != 1 || !whole) break;
    take_factors(b, e->args[0], rational_mul(tt->arena->guard, k, value), out);
    return;
  default: break;
  }
  push(b, out, e, k);
}

static Parts factors_of(Book *b, Expr e) {
  Parts out = {.k = one};
  take_factors(b, e, one, &out);
  return out;
}

static Expr put_product(Book *b, const Parts *parts) {
  TensorPart list[MOST_PARTS];
  for (uint32_t i = 0; i < parts->count; i++) list[i] = (TensorPart){parts->part[i].e, parts->part[i].k};
  return tensor_product(b->tt, parts->k, parts->count, list);
}

static void take_summands(Book *b, Expr e, Rational k, Parts *out) {
  Rational value;
  if (is_number(b->tt, e, &value)) {
    out->k = rational_add(b->tt->arena->guard, out->k, times(b, out, k, value));
    return;
  }
  switch (e->op) {
  case TENSOR_ADD: take_summands(b, e->args[0], k, out), take_summands(b, e->args[1], k, out); return;
  case TENSOR_SUB: take_summands(b, e->args[0], k, out), take_summands(b, e->args[1], rational_neg(k), out); return;
  case TENSOR_NEG: take_summands(b, e->args[0], rational_neg(k), out); return;
  case TENSOR_MUL: case TENSOR_DIV: {
    Parts factors = factors_of(b, e);
    if (factors.is_full || is_one(factors.k) || !factors.count) break;
    Rational own = times(b, out, k, factors.k);
    factors.k = one;
    Expr rest = put_product(b, &factors);
    if (rest) push(b, out, rest, own);
    else out->is_full = true;
    return;
  }
  default: break;
  }
  push(b, out, e, k);
}

static Parts summands_of(Book *b, Expr e) {
  Parts out = {.k = {0, 1}};
  take_summands(b, e, one, &out);
  return out;
}

static Expr put_sum(Book *b, const Parts *parts) {
  TensorPart list[MOST_PARTS];
  for (uint32_t i = 0; i < parts->count; i++) list[i] = (TensorPart){parts->part[i].e, parts->part[i].k};
  return tensor_sum(b->tt, parts->k, parts->count, list);
}

static void drop(Parts *parts, uint32_t i) {
  for (parts->count--; i < parts->count; i++) parts->part[i] = parts->part[i + 1];
}

static Expr negated(Book *b, Expr e) {
  Parts parts = {.k = {0, 1}};
  take_summands(b, e, minus_one, &parts);
  return parts.is_full ? NULL : put_sum(b, &parts);
}

/* e as scalar * rest with a scalar (rank 0, no number) or number in front: false if there is none. */
static bool split_scalars(Book *b, Expr e, Expr *scalar, Expr *rest) {
  if (e->op == TENSOR_WHERE && is_zero(b->tt, e->args[2]) && split_scalars(b, e->args[1], scalar, rest)) {
    *rest = tensor_where(b->tt, e->args[0], *rest, e->args[2]);
    return *rest != NULL;
  }
  if (e->op != TENSOR_MUL && e->op != TENSOR_DIV && e->op != TENSOR_NEG) return false;
  Parts all = factors_of(b, e), front = {.k = all.k}, back = {.k = one};
  for (uint32_t i = 0; i < all.count; i++) {
    Parts *side = all.part[i].e->rank ? &back : &front;
    side->part[side->count++] = all.part[i];
  }
  if (all.is_full || !back.count || (!front.count && is_one(front.k))) return false;
  *scalar = put_product(b, &front), *rest = put_product(b, &back);
  return *scalar && *rest;
}

/* ---- constants ---- */

/* Is the literal the constant, within 2 ulp of its own format? Then it is noted; a law that does not apply after all takes
 * its notes back. */
static bool is_constant(Book *b, Rational literal, double value, const char *closed) {
  if (!b->constants) return false;
  double x = rational_to_double(literal), ulp = (float)x == x ? fabs(x) * 0x1p-23 : fabs(x) * 0x1p-52;
  if (fabs(x - value) > 2 * ulp) return false;
  for (uint32_t i = 0; i < b->constants->count; i++) if (b->constants->data[i].literal == x) return true;
  if (x != value || literal.den != 1) array_push(b->tt->arena, b->constants, (TensorConstant){x, value, closed});
  return true;
}

static uint32_t noted(const Book *b) { return b->constants ? b->constants->count : 0; }

static bool take_back(Book *b, uint32_t count) {
  if (b->constants) b->constants->count = count;
  return false;
}

static Rational magnitude(Rational r) { return r.num < 0 ? rational_neg(r) : r; }

static const double log2_e = 1.4426950408889634, ln_2 = 0.6931471805599453, half_root = 0.7071067811865476, root_2_pi = 0.7978845608028654;

/* exp2 of a sum in which each coefficient is log2(e), up to sign */
static Expr natural_exp(Book *b, Expr e) {
  Parts parts = summands_of(b, e->args[0]);
  uint32_t before = noted(b);
  if (parts.is_full || !parts.count || parts.k.num) return NULL;
  for (uint32_t i = 0; i < parts.count; i++) {
    if (!is_constant(b, magnitude(parts.part[i].k), log2_e, "log2(e)")) {
      take_back(b, before);
      return NULL;
    }
    parts.part[i].k = parts.part[i].k.num < 0 ? minus_one : one;
  }
  Expr sum = put_sum(b, &parts);
  return sum ? tensor_fn(b->tt, FN_EXP, 1, &sum) : NULL;
}

/* log(2) * (log2(x) + log2(e) * y) = log(x) + y, in the parts of a product */
static bool natural_log(Book *b, Parts *p) {
  TermTable *tt = b->tt;
  for (uint32_t i = 0; i < p->count; i++) {
    if (!is_one(p->part[i].k)) continue;
    Parts sum = summands_of(b, p->part[i].e);
    bool has_log = false, fits_all = !sum.is_full && !sum.k.num;
    uint32_t before = noted(b);
    for (uint32_t j = 0; fits_all && j < sum.count; j++) {
      bool is_log = sum.part[j].e->op == TENSOR_LOG2 && is_one(magnitude(sum.part[j].k));
      has_log |= is_log;
      fits_all = is_log || is_constant(b, magnitude(sum.part[j].k), log2_e, "log2(e)");
    }
    if (!fits_all || !has_log || !is_constant(b, magnitude(p->k), ln_2, "log(2)")) {
      take_back(b, before);
      continue;
    }
    for (uint32_t j = 0; j < sum.count; j++) {
      Expr x = sum.part[j].e;
      if (x->op == TENSOR_LOG2) sum.part[j].e = tensor_fn(tt, FN_LOG, 1, &x->args[0]);
      sum.part[j].k = sum.part[j].k.num < 0 ? minus_one : one;
    }
    Expr natural = put_sum(b, &sum);
    if (!natural) return false;
    p->part[i].e = rewrite(b, natural);
    p->k = p->k.num < 0 ? minus_one : one;
    return p->part[i].e != NULL;
  }
  return false;
}

/* ---- parts of the laws ---- */

static bool is_reduce(Expr e, TermFoldOp fold) { return e->op == TENSOR_REDUCE && e->fold == fold; }

static bool same_axes(Expr a, Expr b) { return a->axis_count == b->axis_count && !memcmp(a->axes, b->axes, a->axis_count); }

static bool is_fn(Expr e, TermFn fn) { return e->op == TENSOR_FN1 && e->fn == fn; }

static bool is_idiom(Expr e, TensorIdiom idiom) { return e->op == TENSOR_IDIOM && e->idiom == idiom; }

/* e = x - max(x, axis): x, else NULL */
static Expr unshifted(Book *b, Expr e, uint8_t axis) {
  Parts parts = summands_of(b, e);
  for (uint32_t i = 0; !parts.is_full && i < parts.count; i++) {
    Expr m = parts.part[i].e;
    if (!is_reduce(m, FOLD_MAX) || m->axis_count != 1 || m->axes[0] != axis || parts.part[i].k.num != -1 || parts.part[i].k.den != 1) continue;
    drop(&parts, i);
    Expr x = put_sum(b, &parts);
    if (x && tensor_equal(b->tt, x, m->args[0])) return x;
    if (x && x->rank == m->args[0]->rank && tensor_equal(b->tt, rewrite(b, x), m->args[0])) return m->args[0];
    return NULL;
  }
  return NULL;
}

/* sum(exp(x - max(x)), axis): x, else NULL. */
static Expr softmax_argument(Book *b, Expr sum) {
  if (!is_reduce(sum, FOLD_SUM) || sum->axis_count != 1 || !is_fn(sum->args[0], FN_EXP)) return NULL;
  return unshifted(b, sum->args[0]->args[0], sum->axes[0]);
}

/* exp(x), also as where(c, exp(s), 0) with x = where(c, s, -inf): x, else NULL. */
static Expr exponent_of(Book *b, Expr e) {
  TermTable *tt = b->tt;
  if (is_fn(e, FN_EXP)) return e->args[0];
  if (e->op != TENSOR_WHERE || !is_fn(e->args[1], FN_EXP) || !is_zero(tt, e->args[2])) return NULL;
  return tensor_where(tt, e->args[0], e->args[1]->args[0], tensor_const(tt, tt->neg_inf));
}

static int find_part(Book *b, const Parts *p, Expr e, Rational k) {
  for (uint32_t i = 0; i < p->count; i++)
    if (rational_equal(p->part[i].k, k) && tensor_equal(b->tt, p->part[i].e, e)) return (int)i;
  return -1;
}

/* ---- laws of products: each changes the factors and says so ---- */

static bool law_softmax(Book *b, Parts *p) {
  for (uint32_t i = 0; i < p->count; i++) {
    Expr sum = p->part[i].e;
    if (p->part[i].k.num != -1 || p->part[i].k.den != 1 || !is_reduce(sum, FOLD_SUM) || sum->axis_count != 1) continue;
    int top = find_part(b, p, sum->args[0], one);
    Expr x = top >= 0 ? softmax_argument(b, sum) : NULL;
    if (top >= 0 && !x) x = exponent_of(b, sum->args[0]); /* without the shift it is the same */
    if (!x || x->rank != sum->rank) continue;
    p->part[top].e = tensor_idiom(b->tt, TENSOR_SOFTMAX, &x, 1, sum->axes);
    drop(p, i);
    return true;
  }
  return false;
}

static bool law_matmul_over_sum(Book *b, Parts *p) {
  for (uint32_t i = 0; i < p->count; i++) {
    Expr product = p->part[i].e;
    if (product->op != TENSOR_MATMUL || !is_one(p->part[i].k)) continue;
    for (uint32_t j = 0; j < p->count; j++) {
      Expr sum = p->part[j].e, weights = product->args[0];
      if (p->part[j].k.num != -1 || p->part[j].k.den != 1 || !is_reduce(sum, FOLD_SUM) || sum->axis_count != 1) continue;
      if (sum->axes[0] + 1 != sum->rank || !tensor_equal(b->tt, sum->args[0], weights) || product->rank != weights->rank) continue;
      Expr share = rewrite(b, tensor_binary(b->tt, TENSOR_DIV, weights, sum));
      p->part[i].e = tensor_matmul(b->tt, share, product->args[1]);
      drop(p, j);
      return true;
    }
  }
  return false;
}

/* base = 1 + exp(y): y, else NULL */
static Expr logistic_argument(Book *b, Expr base) {
  Parts sum = summands_of(b, base);
  if (sum.is_full || !is_one(sum.k) || sum.count != 1 || !is_one(sum.part[0].k) || !is_fn(sum.part[0].e, FN_EXP)) return NULL;
  return sum.part[0].e->args[0];
}

static bool law_sigmoid(Book *b, Parts *p) {
  for (uint32_t i = 0; i < p->count; i++) {
    Rational k = p->part[i].k;
    if (k.den != 1 || k.num >= 0) continue;
    Expr y = logistic_argument(b, p->part[i].e), x;
    if (!y) continue;
    Expr e = tensor_fn(b->tt, FN_EXP, 1, &y);
    int top = find_part(b, p, e, rational_neg(k));
    if (top >= 0) { /* exp(y) / (1 + exp(y)) */
      p->part[i] = (Part){tensor_idiom(b->tt, TENSOR_SIGMOID, &y, 0, NULL), rational_neg(k)};
      drop(p, (uint32_t)top);
      return true;
    }
    if (!(x = negated(b, y))) continue;
    top = k.num == -1 ? find_part(b, p, x, one) : -1;
    p->part[i] = (Part){tensor_idiom(b->tt, top < 0 ? TENSOR_SIGMOID : TENSOR_SILU, &x, 0, NULL), rational_neg(k)};
    if (top >= 0) drop(p, (uint32_t)top);
    return true;
  }
  /* x * sigmoid(x), found later */
  for (uint32_t i = 0; i < p->count; i++) {
    if (!is_idiom(p->part[i].e, TENSOR_SIGMOID) || !is_one(p->part[i].k)) continue;
    Expr x = p->part[i].e->args[0];
    int top = find_part(b, p, x, one);
    if (top < 0) continue;
    p->part[i].e = tensor_idiom(b->tt, TENSOR_SILU, &x, 0, NULL);
    drop(p, (uint32_t)top);
    return true;
  }
  return false;
}

static bool law_mean(Book *b, Parts *p) {
  TermTable *tt = b->tt;
  for (uint32_t i = 0; i < p->count; i++) {
    Expr sum = p->part[i].e;
    Rational power = p->part[i].k;
    if (!is_reduce(sum, FOLD_SUM) || power.den != 1 || power.num < 1 || power.num > 4 || sum->sort != SORT_REAL) continue;
    Parts rest = *p;
    bool found = true;
    for (uint32_t a = 0; a < sum->axis_count && found; a++) {
      Expr n = tensor_size(tt, sum->args[0]->shape[sum->axes[a]]);
      Rational literal;
      if (!n) return false;
      if (is_number(tt, n, &literal)) {
        if (!is_one(power)) return false;
        rest.k = times(b, &rest, rest.k, literal);
        found = !rest.is_full && (is_one(magnitude(rest.k)) || (p->k.den % literal.num) == 0) && literal.num > 1;
        continue;
      }
      Parts sizes = factors_of(b, n);
      found = !sizes.is_full && is_one(sizes.k);
      for (uint32_t s = 0; found && s < sizes.count; s++) {
        found = false;
        for (uint32_t j = 0; j < rest.count && !found; j++)
          if (rest.part[j].k.num < 0 && rest.part[j].k.den == 1 && tensor_equal(tt, rest.part[j].e, sizes.part[s].e)) {
            rest.part[j].k.num += sizes.part[s].k.num * power.num;
            found = rest.part[j].k.num <= 0;
          }
      }
    }
    if (!found) continue;
    Expr x = sum->args[0];
    rest.part[i].e = rewrite(b, tensor_idiom(tt, TENSOR_MEAN, &x, sum->axis_count, sum->axes));
    uint32_t kept = 0;
    for (uint32_t j = 0; j < rest.count; j++) if (rest.part[j].k.num) rest.part[kept++] = rest.part[j];
    rest.count = kept;
    *p = rest;
    return true;
  }
  return false;
}

/* Is a sum over an axis, or a power of one, among the factors? */
static bool has_sum(Book *b, Expr e) {
  Parts p = factors_of(b, e);
  for (uint32_t i = 0; i < p.count; i++) if (p.part[i].e->op == TENSOR_REDUCE && p.part[i].e->fold == FOLD_SUM) return true;
  return false;
}

/* (sum(x**2) - sum(x)**2 / n) / n, term by term: mean(x**2) - mean(x)**2 = var(x) */
static bool law_var_over_size(Book *b, Parts *p) {
  for (uint32_t i = 0; i < p->count; i++) {
    if (!is_one(p->part[i].k) || !is_sum_op(p->part[i].e->op)) continue;
    Parts sum = summands_of(b, p->part[i].e);
    if (sum.is_full || sum.count != 2 || sum.k.num || !has_sum(b, sum.part[0].e) || !has_sum(b, sum.part[1].e)) continue;
    for (uint32_t j = 0; j < p->count; j++) {
      Expr n = p->part[j].e;
      if (p->part[j].k.num != -1 || p->part[j].k.den != 1 || n->rank) continue;
      Parts each = {.k = {0, 1}};
      for (uint32_t s = 0; s < sum.count; s++) take_summands(b, tensor_binary(b->tt, TENSOR_DIV, sum.part[s].e, n), sum.part[s].k, &each);
      Expr spread = each.is_full ? NULL : rewrite(b, put_sum(b, &each));
      if (!spread || !is_idiom(spread, TENSOR_VAR)) continue;
      p->part[i].e = spread;
      drop(p, j);
      return true;
    }
  }
  return false;
}

/* base = idiom(x) + eps: the idiom's node and eps of rank 0 */
static bool find_with_eps(Book *b, Expr base, TensorIdiom idiom, Expr *found, Expr *eps) {
  Parts sum = summands_of(b, base);
  for (uint32_t i = 0; !sum.is_full && i < sum.count; i++) {
    if (!is_idiom(sum.part[i].e, idiom) || !is_one(sum.part[i].k)) continue;
    *found = sum.part[i].e;
    drop(&sum, i);
    *eps = put_sum(b, &sum);
    return *eps && !(*eps)->rank && !is_zero(b->tt, *eps);
  }
  return false;
}

static bool law_layer_norm(Book *b, Parts *p) {
  for (uint32_t i = 0; i < p->count; i++) {
    Expr var, eps;
    if (!rational_equal(p->part[i].k, minus_half) || !find_with_eps(b, p->part[i].e, TENSOR_VAR, &var, &eps)) continue;
    Expr x = var->args[0], mean = tensor_idiom(b->tt, TENSOR_MEAN, &x, var->axis_count, var->axes);
    int top = find_part(b, p, tensor_binary(b->tt, TENSOR_SUB, x, mean), one);
    if (top < 0) continue;
    p->part[top].e = tensor_idiom(b->tt, TENSOR_LAYER_NORM, (Expr[]){x, eps}, var->axis_count, var->axes);
    drop(p, i);
    return true;
  }
  return false;
}

static bool law_rms_norm(Book *b, Parts *p) {
  for (uint32_t i = 0; i < p->count; i++) {
    Expr mean, eps;
    if (!rational_equal(p->part[i].k, minus_half) || !find_with_eps(b, p->part[i].e, TENSOR_MEAN, &mean, &eps)) continue;
    Parts squares = factors_of(b, mean->args[0]), rest = *p;
    bool found = !squares.is_full && is_one(squares.k) && squares.count;
    for (uint32_t s = 0; found && s < squares.count; s++) { /* of x ** 2 = a**2 * b**2, both a and b stand in the product */
      Rational k = squares.part[s].k;
      int top = found && k.den == 1 && k.num % 2 == 0 ? find_part(b, &rest, squares.part[s].e, (Rational){k.num / 2, 1}) : -1;
      found = top >= 0;
      if (found) rest.part[top].k = (Rational){0, 1};
      squares.part[s].k = (Rational){k.num / 2, 1};
    }
    Expr x = found ? put_product(b, &squares) : NULL;
    if (!x) continue;
    rest.part[i] = (Part){tensor_idiom(b->tt, TENSOR_RMS_NORM, (Expr[]){x, eps}, mean->axis_count, mean->axes), one};
    uint32_t kept = 0;
    for (uint32_t j = 0; j < rest.count; j++) if (rest.part[j].k.num) rest.part[kept++] = rest.part[j];
    rest.count = kept;
    *p = rest;
    return true;
  }
  return false;
}

/* e = scale * root_2_pi * (x + 0.044715 * x**3), also multiplied out */
static bool is_tanh_argument(Book *b, Expr e, Expr x, double scale) {
  Parts outer = factors_of(b, e), cube = {.k = one}, sum;
  double k = rational_to_double(outer.k), linear = 0, cubic = 0;
  if (outer.is_full) return false;
  int inner = -1;
  for (uint32_t i = 0; i < outer.count; i++) inner = outer.part[i].e->op == TENSOR_ADD && outer.count == 1 ? (int)i : inner;
  sum = summands_of(b, inner >= 0 ? outer.part[inner].e : e);
  if (inner < 0) k = 1;
  take_factors(b, x, (Rational){3, 1}, &cube);
  Expr third = cube.is_full ? NULL : put_product(b, &cube);
  if (!third || sum.is_full || sum.k.num) return false;
  for (uint32_t i = 0; i < sum.count; i++) {
    if (!tensor_equal(b->tt, sum.part[i].e, third)) continue;
    cubic = rational_to_double(sum.part[i].k) * k;
    drop(&sum, i);
    break;
  }
  if (sum.count == 1 && tensor_equal(b->tt, sum.part[0].e, x)) linear = rational_to_double(sum.part[0].k) * k;
  else if (tensor_equal(b->tt, put_sum(b, &sum), x)) linear = k;
  if (fabs(linear - scale * root_2_pi) > 3e-7 * scale || fabs(cubic - linear * 0.044715) > 1e-7 * scale) return false;
  Rational literal;
  if (!rational_from_double(linear / scale, &literal)) return false;
  return is_constant(b, literal, root_2_pi, "sqrt(2/pi)") || is_constant(b, (inner >= 0 ? outer.k : literal), scale * root_2_pi, "2*sqrt(2/pi)");
}

/* The gate 1 + erf(x / sqrt(2)), 1 + tanh(..), 2 - 2 / (1 + exp(..)) of gelu: which idiom it is for x; false: none */
static bool find_gate(Book *b, Expr gate, Expr x, TensorIdiom *idiom) {
  Parts sum = summands_of(b, gate);
  if (sum.is_full || sum.count != 1) return false;
  Expr f = sum.part[0].e;
  if (is_one(sum.k) && is_one(sum.part[0].k) && is_fn(f, FN_ERF)) {
    Parts inner = factors_of(b, f->args[0]), own = factors_of(b, x);
    if (inner.is_full || own.is_full || !is_one(own.k) || !fits(inner.k)) return false;
    Rational c = inner.k;
    inner.k = one;
    *idiom = TENSOR_GELU;
    return tensor_equal(b->tt, put_product(b, &inner), x) && is_constant(b, c, half_root, "1/sqrt(2)");
  }
  *idiom = TENSOR_GELU_TANH;
  if (is_one(sum.k) && is_one(sum.part[0].k) && is_fn(f, FN_TANH)) return is_tanh_argument(b, f->args[0], x, 1);
  if (sum.k.num == 2 && sum.k.den == 1 && sum.part[0].k.num == -2 && sum.part[0].k.den == 1 && is_idiom(f, TENSOR_SIGMOID)) {
    Expr z = negated(b, f->args[0]);
    return z && is_tanh_argument(b, z, x, 2);
  }
  return false;
}

static bool law_gelu(Book *b, Parts *p) {
  TensorIdiom idiom;
  for (uint32_t i = 0; i < p->count; i++) {
    Expr gate = p->part[i].e;
    bool is_sum = gate->op == TENSOR_ADD || gate->op == TENSOR_SUB, is_gate = is_idiom(gate, TENSOR_SIGMOID);
    if (!is_one(p->part[i].k) || (!is_sum && !is_gate)) continue;
    for (uint32_t j = 0; j < p->count; j++) {
      Expr x = p->part[j].e;
      if (i == j || !is_one(p->part[j].k) || x->rank < gate->rank) continue;
      if (is_gate) { /* x * sigmoid(2 * ..): no factor of two */
        if (!is_tanh_argument(b, gate->args[0], x, 2)) continue;
        idiom = TENSOR_GELU_TANH;
      } else if (!find_gate(b, gate, x, &idiom)) continue;
      if (is_sum) p->k = times(b, p, p->k, (Rational){2, 1});
      p->part[i].e = tensor_idiom(b->tt, idiom, &x, 0, NULL);
      drop(p, j);
      return true;
    }
  }
  return false;
}

/* A number in front that is a closed form, where nothing else took it. */
static bool law_constant(Book *b, Parts *p) {
  TermTable *tt = b->tt;
  Expr two = number(tt, (Rational){2, 1}), pi = tensor_idiom(tt, TENSOR_PI, NULL, 0, NULL);
  const struct { double value; const char *closed; Expr base; Rational k; } table[] = {
      {half_root, "1/sqrt(2)", two, minus_half},
      {root_2_pi, "sqrt(2/pi)", tensor_binary(tt, TENSOR_DIV, two, pi), {1, 2}},
      {0.3989422804014327, "1/sqrt(2*pi)", tensor_binary(tt, TENSOR_MUL, two, pi), minus_half},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (!is_constant(b, magnitude(p->k), table[i].value, table[i].closed)) continue;
    p->k = p->k.num < 0 ? minus_one : one;
    push(b, p, table[i].base, table[i].k);
    return true;
  }
  return false;
}

static Expr textbook_product(Book *b, Expr e) {
  Parts p = factors_of(b, e);
  bool changed = false;
  for (uint32_t n = 0; n < MOST_PARTS && !p.is_full; n++) {
    if (!law_matmul_over_sum(b, &p) && !law_softmax(b, &p) && !law_mean(b, &p) && !law_var_over_size(b, &p) && !law_layer_norm(b, &p) && !law_rms_norm(b, &p) &&
        !law_gelu(b, &p) && !law_sigmoid(b, &p) && !natural_log(b, &p) && !(b->is_last && law_constant(b, &p)))
      break;
    changed = true;
    for (uint32_t i = 0; i < p.count; i++) if (!p.part[i].e) return NULL;
  }
  return changed && !p.is_full ? put_product(b, &p) : NULL;
}

/* ---- laws of sums ---- */

static bool law_logsumexp(Book *b, Parts *p) {
  for (uint32_t i = 0; i < p->count; i++) {
    if (!is_fn(p->part[i].e, FN_LOG)) continue;
    Expr sum = p->part[i].e->args[0], x = softmax_argument(b, sum);
    if (!x) continue;
    Expr max = tensor_reduce(b->tt, FOLD_MAX, x, sum->axes[0]);
    int other = max ? find_part(b, p, max, p->part[i].k) : -1;
    if (other < 0) continue;
    p->part[i].e = tensor_idiom(b->tt, TENSOR_LOGSUMEXP, &x, 1, sum->axes);
    drop(p, (uint32_t)other);
    return true;
  }
  return false;
}

/* mean(x**2) - mean(x)**2 */
static bool law_var(Book *b, Parts *p) {
  for (uint32_t i = 0; i < p->count; i++) {
    Expr mean = p->part[i].e;
    if (!is_idiom(mean, TENSOR_MEAN)) continue;
    Parts squares = factors_of(b, mean->args[0]);
    if (squares.is_full || !is_one(squares.k)) continue;
    bool even = squares.count > 0;
    for (uint32_t s = 0; s < squares.count; s++) {
      even = even && squares.part[s].k.den == 1 && squares.part[s].k.num % 2 == 0;
      squares.part[s].k.num /= 2;
    }
    Expr x = even ? put_product(b, &squares) : NULL;
    if (!x) continue;
    Expr first = tensor_idiom(b->tt, TENSOR_MEAN, &x, mean->axis_count, mean->axes);
    Expr square = tensor_binary(b->tt, TENSOR_POW, first, number(b->tt, (Rational){2, 1}));
    int other = find_part(b, p, square, rational_neg(p->part[i].k));
    if (other < 0) continue;
    p->part[i].e = tensor_idiom(b->tt, TENSOR_VAR, &x, mean->axis_count, mean->axes);
    drop(p, (uint32_t)other);
    return true;
  }
  return false;
}

static bool has_idiom(Book *b, const Parts *p, TensorIdiom idiom, Expr x) {
  return find_part(b, p, tensor_idiom(b->tt, idiom, &x, 0, NULL), one) >= 0;
}

/* The power in which y has the factor too, no more than part's own; 0: it has not. */
static Rational shared_power(Book *b, Part part, const Parts *y) {
  for (uint32_t j = 0; j < y->count; j++) {
    Rational k = y->part[j].k;
    if ((part.k.num < 0) != (k.num < 0) || !tensor_equal(b->tt, y->part[j].e, part.e)) continue;
    return rational_compare(b->tt->arena->guard, magnitude(k), magnitude(part.k)) < 0 ? k : part.k;
  }
  return (Rational){0, 1};
}

/* What two products share: silu(x) is x * sigmoid(x) where the other has sigmoid(x). */
static void share(Book *b, Parts *x, const Parts *y) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < x->count; i++) {
    Part part = x->part[i];
    Rational k = shared_power(b, part, y);
    if (!k.num && is_one(part.k) && is_idiom(part.e, TENSOR_SILU) && has_idiom(b, y, TENSOR_SIGMOID, part.e->args[0]))
      part.e = tensor_idiom(b->tt, TENSOR_SIGMOID, part.e->args, 0, NULL), k = one;
    if (!k.num && is_one(part.k) && is_idiom(part.e, TENSOR_SIGMOID) && has_idiom(b, y, TENSOR_SILU, part.e->args[0])) k = one;
    if (k.num) x->part[kept++] = (Part){part.e, k};
  }
  x->count = kept;
  x->k = one;
}

/* p without the factors of `common`, which it has */
static Expr without(Book *b, Parts p, const Parts *common) {
  for (uint32_t i = 0; i < common->count; i++) {
    Part part = common->part[i];
    if (is_idiom(part.e, TENSOR_SIGMOID) && is_one(part.k) && find_part(b, &p, part.e, one) < 0) {
      Expr silu = tensor_idiom(b->tt, TENSOR_SILU, part.e->args, 0, NULL);
      int at = find_part(b, &p, silu, one);
      if (at >= 0) {
        p.part[at].e = part.e->args[0];
        continue;
      }
    }
    push(b, &p, part.e, rational_neg(part.k));
  }
  return p.is_full ? NULL : put_product(b, &p);
}

static uint32_t size_of(const Parts *p) {
  uint32_t size = 0;
  for (uint32_t i = 0; i < p->count; i++) size += p->part[i].e->size + 1;
  return size;
}

/* a * x + a * y = a * (x + y), where that is shorter by more than a name */
static bool law_common_factor(Book *b, Parts *p) {
  uint32_t best = 0, best_size = 2;
  Parts factor = {.k = one};
  for (uint32_t i = 0; i < p->count; i++)
    for (uint32_t j = i + 1; j < p->count; j++) {
      Parts x = factors_of(b, p->part[i].e), y = factors_of(b, p->part[j].e);
      if (x.is_full || y.is_full) return false;
      share(b, &x, &y);
      if (size_of(&x) > best_size) factor = x, best_size = size_of(&x), best = i;
    }
  if (!factor.count) return false;
  Parts inner = {.k = {0, 1}}, outer = {.k = {0, 1}};
  for (uint32_t i = 0; i < p->count; i++) {
    Parts own = factors_of(b, p->part[i].e), common = factor;
    share(b, &common, &own);
    bool has_all = common.count == factor.count;
    for (uint32_t k = 0; has_all && k < common.count; k++) has_all = rational_equal(common.part[k].k, factor.part[k].k);
    if (!has_all && i == best) return false;
    if (!has_all) push(b, &outer, p->part[i].e, p->part[i].k);
    else {
      Expr rest = without(b, own, &factor);
      if (!rest) return false;
      take_summands(b, rest, p->part[i].k, &inner);
    }
  }
  Expr sum = inner.is_full ? NULL : put_sum(b, &inner);
  if (!sum || outer.is_full || inner.count + (inner.k.num != 0) < 2) return false;
  push(b, &factor, rewrite(b, sum), one);
  Expr product = factor.is_full ? NULL : put_product(b, &factor);
  if (!product) return false;
  outer.k = p->k;
  push(b, &outer, product, one);
  if (outer.is_full) return false;
  *p = outer;
  return true;
}

static Expr textbook_sum(Book *b, Expr e) {
  Parts p = summands_of(b, e);
  bool changed = false;
  for (uint32_t n = 0; n < MOST_PARTS && !p.is_full; n++) {
    if (!law_logsumexp(b, &p) && !law_var(b, &p) && !law_common_factor(b, &p)) break;
    changed = true;
    for (uint32_t i = 0; i < p.count; i++) if (!p.part[i].e) return NULL;
  }
  return changed && !p.is_full ? put_sum(b, &p) : NULL;
}

/* ---- laws of other nodes ---- */

/* where(c, a + x, a + y) = a + where(c, x, y), where a is more than a name */
static Expr common_summands(Book *b, Expr e) {
  Parts x = summands_of(b, e->args[1]), y = summands_of(b, e->args[2]), common = {.k = {0, 1}};
  uint32_t size = 0;
  if (x.is_full || y.is_full) return NULL;
  for (uint32_t i = 0; i < x.count;) {
    int j = find_part(b, &y, x.part[i].e, x.part[i].k);
    if (j < 0) {
      i++;
      continue;
    }
    size += x.part[i].e->size;
    common.part[common.count++] = x.part[i];
    drop(&x, i), drop(&y, (uint32_t)j);
  }
  if (size < 3) return NULL;
  Expr rest = rewrite(b, tensor_where(b->tt, e->args[0], put_sum(b, &x), put_sum(b, &y)));
  if (!rest || common.count == MOST_PARTS) return NULL;
  common.part[common.count++] = (Part){rest, one};
  return put_sum(b, &common);
}

static Expr textbook_where(Book *b, Expr e) {
  TermTable *tt = b->tt;
  Expr c = e->args[0], x = e->args[1], y = e->args[2], shared = common_summands(b, e);
  if (shared) return shared;
  bool positive = (c->op == TENSOR_GT || c->op == TENSOR_GE) && is_zero(tt, c->args[1]);
  if (positive && tensor_equal(tt, c->args[0], x) && is_zero(tt, y) && x->sort == SORT_REAL) return tensor_idiom(tt, TENSOR_RELU, &x, 0, NULL);
  if (positive && tensor_equal(tt, c->args[0], x)) {
    Parts slope = factors_of(b, y);
    int own = slope.is_full ? -1 : find_part(b, &slope, x, one);
    if (own < 0) return NULL;
    drop(&slope, (uint32_t)own);
    Expr s = put_product(b, &slope);
    return s && !s->rank ? tensor_idiom(tt, TENSOR_LEAKY_RELU, (Expr[]){x, s}, 0, NULL) : NULL;
  }
  if (!is_fn(x, FN_EXP) || !is_zero(tt, y)) return NULL;
  /* where(c, exp(s - max(where(c, s, -inf))), 0) = exp(where(c, s, -inf) - max(where(c, s, -inf))) */
  Parts parts = summands_of(b, x->args[0]);
  for (uint32_t i = 0; !parts.is_full && i < parts.count; i++) {
    Expr m = parts.part[i].e;
    if (!is_reduce(m, FOLD_MAX) || m->axis_count != 1 || parts.part[i].k.num != -1 || parts.part[i].k.den != 1) continue;
    drop(&parts, i);
    Expr s = put_sum(b, &parts), masked = s ? tensor_where(tt, c, s, tensor_const(tt, tt->neg_inf)) : NULL;
    if (!masked || !tensor_equal(tt, masked, m->args[0])) return NULL;
    Expr shifted = tensor_binary(tt, TENSOR_SUB, masked, m);
    return shifted ? tensor_fn(tt, FN_EXP, 1, &shifted) : NULL;
  }
  return NULL;
}

static Expr textbook_extremum(Book *b, Expr e) {
  TermTable *tt = b->tt;
  Rational low, high;
  Expr x = e->args[0], y = e->args[1];
  if (e->op == TENSOR_MAXIMUM && is_zero(tt, y) && x->sort == SORT_REAL) return tensor_idiom(tt, TENSOR_RELU, &x, 0, NULL);
  if (y->rank || x->op != (e->op == TENSOR_MINIMUM ? TENSOR_MAXIMUM : TENSOR_MINIMUM) || x->args[1]->rank) return NULL;
  if (!is_number(tt, e->op == TENSOR_MINIMUM ? x->args[1] : y, &low) || !is_number(tt, e->op == TENSOR_MINIMUM ? y : x->args[1], &high)) return NULL;
  if (rational_compare(tt->arena->guard, low, high) > 0) return NULL;
  return tensor_idiom(tt, TENSOR_CLAMP, (Expr[]){x->args[0], number(tt, low), number(tt, high)}, 0, NULL);
}

/* max(where(c, k * x, -inf)) = k * max(where(c, x, -inf)) for a positive number k */
static Expr masked_extremum(Book *b, Expr e) {
  TermTable *tt = b->tt;
  Expr masked = e->args[0];
  Term neutral = e->fold == FOLD_MAX ? tt->neg_inf : tt->inf;
  if (masked->op != TENSOR_WHERE || masked->args[2]->op != TENSOR_CONST || masked->args[2]->value != neutral) return NULL;
  Parts parts = factors_of(b, masked->args[1]);
  if (parts.is_full || !parts.count || parts.k.num <= 0 || is_one(parts.k)) return NULL;
  Expr scale = number(tt, parts.k);
  parts.k = one;
  Expr result = tensor_where(tt, masked->args[0], put_product(b, &parts), masked->args[2]);
  for (uint32_t i = 0; result && i < e->axis_count; i++) result = tensor_reduce(tt, e->fold, result, e->axes[i]);
  return tensor_binary(tt, TENSOR_MUL, scale, result);
}

/* Numbers out of max and min, scalars out of sums. */
static Expr textbook_reduce(Book *b, Expr e) {
  TermTable *tt = b->tt;
  Expr scalar, rest, result;
  if (e->fold != FOLD_SUM && e->fold != FOLD_MAX && e->fold != FOLD_MIN) return NULL;
  if (e->fold != FOLD_SUM && e->args[0]->op == TENSOR_WHERE) return masked_extremum(b, e);
  if (!split_scalars(b, e->args[0], &scalar, &rest)) return NULL;
  if (e->fold != FOLD_SUM) { /* only a positive number */
    Parts parts = factors_of(b, e->args[0]);
    if (parts.k.num <= 0 || is_one(parts.k)) return NULL;
    scalar = number(tt, parts.k);
    parts.k = one;
    rest = put_product(b, &parts);
  }
  result = rest;
  for (uint32_t i = 0; i < e->axis_count; i++) result = tensor_reduce(tt, e->fold, result, e->axes[i]);
  return tensor_binary(tt, TENSOR_MUL, scalar, result);
}

static Expr textbook_matmul(Book *b, Expr e) {
  Expr scalar[2] = {NULL, NULL}, rest[2];
  for (int i = 0; i < 2; i++)
    if (!split_scalars(b, e->args[i], &scalar[i], &rest[i])) scalar[i] = NULL, rest[i] = e->args[i];
  if (!scalar[0] && !scalar[1]) return NULL;
  Expr product = tensor_matmul(b->tt, rest[0], rest[1]);
  Expr front = !scalar[0] ? scalar[1] : !scalar[1] ? scalar[0] : tensor_binary(b->tt, TENSOR_MUL, scalar[0], scalar[1]);
  Parts parts = {.k = one};
  if (!product || !front) return NULL;
  take_factors(b, front, one, &parts);
  push(b, &parts, product, one);
  return parts.is_full ? NULL : put_product(b, &parts);
}

/* mean((x - mean(x))**2) */
static Expr textbook_mean(Book *b, Expr e) {
  Expr square = e->args[0];
  Rational two;
  if (square->op != TENSOR_POW || !is_number(b->tt, square->args[1], &two) || two.num != 2 || two.den != 1) return NULL;
  Expr difference = square->args[0];
  if (difference->op != TENSOR_SUB || !is_idiom(difference->args[1], TENSOR_MEAN)) return NULL;
  Expr x = difference->args[0], mean = difference->args[1];
  if (!same_axes(mean, e) || !tensor_equal(b->tt, mean->args[0], x)) return NULL;
  return tensor_idiom(b->tt, TENSOR_VAR, &x, e->axis_count, e->axes);
}

/* Is a maximum added somewhere? */
static bool adds_maximum(Expr e, int depth) {
  if (is_reduce(e, FOLD_MAX)) return true;
  bool follows = is_sum_op(e->op) || is_product_op(e->op) || e->op == TENSOR_NEG || e->op == TENSOR_EXPAND || e->op == TENSOR_WHERE;
  for (uint32_t i = 0; i < e->count && follows && depth; i++) if (adds_maximum(e->args[i], depth - 1)) return true;
  return false;
}

/* log(sum(exp(x))) = logsumexp(x), in base two as well; with a maximum as a shift it is one part of a sum (law_logsumexp). */
static Expr textbook_log(Book *b, Expr e) {
  TermTable *tt = b->tt;
  Expr sum = e->args[0];
  if ((e->op == TENSOR_FN1 && e->fn != FN_LOG) || !is_reduce(sum, FOLD_SUM) || sum->axis_count != 1) return NULL;
  Expr x = exponent_of(b, sum->args[0]), two = number(tt, rational_int(2));
  if (!x || x->rank != sum->args[0]->rank || adds_maximum(x, 6)) return NULL;
  Expr named = tensor_idiom(tt, TENSOR_LOGSUMEXP, &x, 1, sum->axes);
  return named && e->op == TENSOR_LOG2 ? tensor_binary(tt, TENSOR_DIV, named, tensor_fn(tt, FN_LOG, 1, &two)) : named;
}

/* ---- transposes ---- */

/* The transposition that all arguments share, those of rank 0 apart; NULL: there is none. */
static const uint8_t *shared_axes(Expr e) {
  const uint8_t *axes = NULL;
  for (uint32_t i = 0; i < e->count; i++) {
    Expr a = e->args[i];
    if (!a->rank) continue;
    if (a->op != TENSOR_TRANSPOSE || a->rank != e->rank || (axes && memcmp(axes, a->axes, e->rank))) return NULL;
    axes = a->axes;
  }
  return axes;
}

/* f(transpose(x), transpose(y)) = transpose(f(x, y)) for an elementwise f, sum(transpose(x)) = transpose(sum(x)) */
static Expr pull_transpose(Book *b, Expr e) {
  TermTable *tt = b->tt;
  TensorForm form = tensor_op_form(e->op);
  const uint8_t *axes;
  if (e->op == TENSOR_REDUCE && e->args[0]->op == TENSOR_TRANSPOSE) {
    Expr inner = e->args[0]->args[0];
    axes = e->args[0]->axes;
    for (uint32_t i = 0; i < e->axis_count; i++) inner = tensor_reduce(tt, e->fold, inner, axes[e->axes[i]]);
    return tensor_transpose(tt, rewrite(b, inner), axes);
  }
  if (form != TENSOR_FORM_UNARY && form != TENSOR_FORM_BINARY && form != TENSOR_FORM_TERNARY) return NULL;
  if (!(axes = shared_axes(e))) return NULL;
  Expr args[3];
  for (uint32_t i = 0; i < e->count; i++) args[i] = e->args[i]->rank ? e->args[i]->args[0] : e->args[i];
  return tensor_transpose(tt, rewrite(b, with_args(b, e, args)), axes);
}

static Expr apply_law(Book *b, Expr e) {
  switch (e->op) {
  case TENSOR_MUL: case TENSOR_DIV: case TENSOR_NEG: case TENSOR_SQRT: case TENSOR_POW: return textbook_product(b, e);
  case TENSOR_ADD: case TENSOR_SUB: return textbook_sum(b, e);
  case TENSOR_WHERE: return textbook_where(b, e);
  case TENSOR_MAXIMUM: case TENSOR_MINIMUM: return textbook_extremum(b, e);
  case TENSOR_REDUCE: return textbook_reduce(b, e);
  case TENSOR_MATMUL: return textbook_matmul(b, e);
  case TENSOR_EXP2: return natural_exp(b, e);
  case TENSOR_FN1: case TENSOR_LOG2: return textbook_log(b, e);
  case TENSOR_IDIOM: return e->idiom == TENSOR_MEAN ? textbook_mean(b, e) : NULL;
  default: return NULL;
  }
}

static Expr apply(Book *b, Expr e) {
  Expr pulled = pull_transpose(b, e);
  return pulled ? pulled : apply_law(b, e);
}

/* ---- the walk ---- */

/* e of other arguments: sums and products in their order again. */
static Expr with_args(Book *b, Expr e, const Expr *args) {
  TermTable *tt = b->tt;
  Expr result = args[0];
  if (is_sum_op(e->op) || is_product_op(e->op)) {
    Expr plain = tensor_binary(tt, e->op, args[0], args[1]);
    Parts parts = {.k = one};
    if (!plain) return NULL;
    if (is_sum_op(e->op)) parts = summands_of(b, plain);
    else take_factors(b, plain, one, &parts);
    return parts.is_full ? plain : is_sum_op(e->op) ? put_sum(b, &parts) : put_product(b, &parts);
  }
  switch (tensor_op_form(e->op)) {
  case TENSOR_FORM_LEAF: return e;
  case TENSOR_FORM_UNARY: return e->op == TENSOR_FN1 ? tensor_fn(tt, e->fn, 1, args) : tensor_unary(tt, e->op, args[0]);
  case TENSOR_FORM_BINARY: return e->op == TENSOR_FN2 ? tensor_fn(tt, e->fn, 2, args) : tensor_binary(tt, e->op, args[0], args[1]);
  case TENSOR_FORM_TERNARY: return tensor_where(tt, args[0], args[1], args[2]);
  case TENSOR_FORM_CALL: return tensor_bits(tt, e->bits, args);
  case TENSOR_FORM_VIEW:
    switch (e->op) {
    case TENSOR_SLICE: return tensor_slice(tt, args[0], e->slices);
    case TENSOR_TRANSPOSE: return tensor_transpose(tt, args[0], e->axes);
    case TENSOR_EXPAND: return tensor_expand(tt, args[0], e->axis);
    case TENSOR_RESHAPE: return tensor_reshape(tt, args[0], e->rank, e->shape);
    case TENSOR_SQUEEZE: return tensor_squeeze(tt, args[0], e->axis_count, e->axes);
    default: return tensor_broadcast(tt, args[0], e->rank, e->shape);
    }
  case TENSOR_FORM_INDEX:
    if (e->op == TENSOR_TAKE) return tensor_take(tt, args[0], args[1], e->axis);
    if (e->op == TENSOR_TAKE_ALONG) return tensor_take_along(tt, args[0], args[1], e->axis);
    return tensor_gather(tt, args[0], args + 1);
  case TENSOR_FORM_FOLD:
    switch (e->op) {
    case TENSOR_REDUCE:
      for (uint32_t i = 0; i < e->axis_count; i++) result = tensor_reduce(tt, e->fold, result, e->axes[i]);
      return result;
    case TENSOR_SCAN: return tensor_scan(tt, e->fold, args[0], e->axis);
    case TENSOR_MATMUL: return tensor_matmul(tt, args[0], args[1]);
    case TENSOR_CONCAT:
      for (uint32_t i = 1; i < e->count; i++) result = tensor_concat(tt, result, args[i], e->axis);
      return result;
    default: return tensor_idiom(tt, e->idiom, args, e->axis_count, e->axes);
    }
  }
  return NULL;
}

static bool same_shape(Expr a, Expr b) { return a->rank == b->rank && !memcmp(a->shape, b->shape, sizeof *a->shape * a->rank); }

static Expr rewrite_new(Book *b, Expr e) {
  Expr *args = arena_array(b->tt->arena, Expr, e->count + 1);
  bool changed = false;
  for (uint32_t i = 0; i < e->count; i++) {
    args[i] = rewrite(b, e->args[i]);
    changed |= args[i] != e->args[i];
  }
  Expr own = changed ? with_args(b, e, args) : e;
  if (!own || !same_shape(own, e)) return e; /* a shape that came out otherwise */
  for (uint32_t n = 0; n < 8; n++) {
    Expr next = apply(b, own);
    if (!next || !same_shape(next, e) || tensor_equal(b->tt, next, own)) break;
    own = next;
  }
  return own;
}

static Expr rewrite(Book *b, Expr e) {
  if (!e) return NULL;
  guard_tick(b->tt->arena->guard);
  for (uint32_t i = 0; i < b->known_count; i++) if (b->known[i].from == e) return b->known[i].to;
  if (b->known_count >= MOST_NODES || b->depth > MOST_DEPTH) return e; /* laws that lead back to where they came from stop here */
  b->depth++;
  Expr result = e->count ? rewrite_new(b, e) : e;
  b->depth--;
  if (b->known_count < MOST_NODES) b->known[b->known_count++] = (Known){e, result};
  return result;
}

const TensorExpr *tensor_textbook(TermTable *tt, const TensorExpr *e, TensorConstants *constants) {
  Book b = {.tt = tt, .constants = constants, .known = arena_array(tt->arena, Known, MOST_NODES)};
  e = rewrite(&b, e);
  b.is_last = true, b.known_count = 0;
  return rewrite(&b, e);
}
