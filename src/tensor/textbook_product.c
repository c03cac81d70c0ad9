/* The textbook's laws of products (laws.def): softmax, means, normalisations, activations and constants. Each changes
 * the factors and says so. */
#include "tensor/textbook.h"

#include <math.h>

static const Rational minus_half = {-1, 2}, cubic_of_gelu = {8943, 200000};

/* log(2) * (log2(x) + log2(e) * y) = log(x) + y, in the parts of a product */
bool natural_log(Book *b, Parts *p) {
  TermTable *tt = b->tt;
  for (uint32_t i = 0; i < p->count; i++) {
    if (!is_one(p->part[i].k)) continue;
    Parts sum = book_summands(b, p->part[i].e);
    bool has_log = false, fits_all = !sum.is_full && !sum.k.num;
    uint32_t before = book_noted(b);
    for (uint32_t j = 0; fits_all && j < sum.count; j++) {
      bool is_log = sum.part[j].e->op == TENSOR_LOG2 && is_one(magnitude(sum.part[j].k));
      has_log |= is_log;
      fits_all = is_log || book_is_constant(b, magnitude(sum.part[j].k), &constant_log2_e);
    }
    if (!fits_all || !has_log || !book_is_constant(b, magnitude(p->k), &constant_log_2)) {
      book_take_back(b, before);
      continue;
    }
    for (uint32_t j = 0; j < sum.count; j++) {
      Expr x = sum.part[j].e;
      if (x->op == TENSOR_LOG2) sum.part[j].e = tensor_fn(tt, FN_LOG, 1, &x->args[0]);
      sum.part[j].k = sum.part[j].k.num < 0 ? minus_one : one;
    }
    Expr natural = book_put_sum(b, &sum);
    if (!natural) return false;
    p->part[i].e = book_rewrite(b, natural);
    p->k = p->k.num < 0 ? minus_one : one;
    return p->part[i].e != NULL;
  }
  return false;
}

/* True if t is what e is with the axis backwards, elementwise. *flip is how an argument is turned. */
static bool is_reversed(Book *b, Expr t, Expr e, uint32_t axis, Expr *flip) {
  if (tensor_is_flip(b->tt, t) && t->axis == axis && tensor_equal(b->tt, t->args[0], e)) {
    *flip = t;
    return true;
  }
  TensorForm form = tensor_op_form(t->op);
  bool is_elementwise = form == TENSOR_FORM_UNARY || form == TENSOR_FORM_BINARY || form == TENSOR_FORM_TERNARY;
  if (!is_elementwise || t->op != e->op || t->fn != e->fn || t->count != e->count || t->rank != e->rank) return false;
  for (uint32_t i = 0; i < t->count; i++) {
    Expr x = t->args[i], y = e->args[i];
    bool is_free = book_is_free(b, x, t->rank, axis) && tensor_equal(b->tt, x, y);
    if (!is_free && !is_reversed(b, x, y, axis - (t->rank - x->rank), flip)) return false;
  }
  return *flip != NULL;
}

bool law_softmax(Book *b, Parts *p) {
  for (uint32_t i = 0; i < p->count; i++) {
    Expr sum = p->part[i].e, flip = NULL;
    if (p->part[i].k.num != -1 || p->part[i].k.den != 1 || !is_reduce(sum, FOLD_SUM) || sum->axis_count != 1) continue;
    int top = book_find(b, p, sum->args[0], one);
    for (uint32_t j = 0; j < p->count && top < 0; j++)
      if (is_one(p->part[j].k) && is_reversed(b, p->part[j].e, sum->args[0], sum->axes[0], &flip)) top = (int)j;
    Expr x = top >= 0 ? book_softmax_argument(b, sum) : NULL;
    if (top >= 0 && !x) x = book_exponent(b, sum->args[0]); /* without the shift it is the same */
    if (!x || x->rank != sum->rank) continue;
    Expr share = tensor_idiom(b->tt, TENSOR_SOFTMAX, &x, 1, sum->axes);
    p->part[top].e = flip ? tensor_take(b->tt, share, flip->args[1], sum->axes[0]) : share;
    book_drop(p, i);
    return true;
  }
  return false;
}

/* The exponent of exp(v), or of sum(exp(v)) with the axes that are folded; NULL: e is neither. */
static Expr exponent_of(Expr e) {
  Expr inner = is_reduce(e, FOLD_SUM) ? e->args[0] : e;
  return is_fn(inner, FN_EXP) ? inner->args[0] : NULL;
}

/* e with the shift taken out of its exponent; NULL: it is not there, or not the same along what is folded. */
static Expr without_shift(Book *b, Expr e, Part shift) {
  Expr exponent = exponent_of(e);
  Parts parts = {.is_full = true};
  if (exponent) parts = book_summands(b, exponent);
  int at = parts.is_full ? -1 : book_find(b, &parts, shift.e, shift.k);
  if (at < 0) return NULL;
  for (uint32_t i = 0; is_reduce(e, FOLD_SUM) && i < e->axis_count; i++)
    if (!book_is_free(b, shift.e, exponent->rank, e->axes[i])) return NULL;
  book_drop(&parts, (uint32_t)at);
  Expr rest = book_put_sum(b, &parts);
  if (!rest || (is_reduce(e, FOLD_SUM) && !book_same_shape(rest, exponent))) return NULL;
  Expr own = is_zero(b->tt, rest) ? number(b->tt, one) : tensor_fn(b->tt, FN_EXP, 1, &rest);
  for (uint32_t i = 0; is_reduce(e, FOLD_SUM) && i < e->axis_count; i++)
    own = tensor_reduce(b->tt, FOLD_SUM, own, e->axes[i]);
  return own;
}

/* A sum of exponentials, each without the shift. */
static Expr sum_without_shift(Book *b, Expr sum, Part shift) {
  Parts from = book_summands(b, sum), to = {.k = {0, 1}};
  if (from.is_full || !from.count || from.k.num) return NULL;
  for (uint32_t i = 0; i < from.count; i++) {
    Expr e = without_shift(b, from.part[i].e, shift);
    if (!e) return NULL;
    book_take_summands(b, e, from.part[i].k, &to);
  }
  return to.is_full ? NULL : book_put_sum(b, &to);
}

bool law_shifted_share(Book *b, Parts *p) {
  for (uint32_t i = 0; i < p->count; i++) {
    Expr top = p->part[i].e;
    if (!is_one(p->part[i].k) || !is_fn(top, FN_EXP)) continue;
    Parts shifts = book_summands(b, top->args[0]);
    for (uint32_t j = 0; j < p->count; j++)
      for (uint32_t s = 0; is_one(rational_neg(p->part[j].k)) && !shifts.is_full && s < shifts.count; s++) {
        Expr bottom = sum_without_shift(b, p->part[j].e, shifts.part[s]);
        Expr own = bottom ? without_shift(b, top, shifts.part[s]) : NULL;
        if (!own) continue;
        p->part[i].e = own, p->part[j].e = bottom;
        return true;
      }
  }
  return false;
}

bool law_matmul_over_sum(Book *b, Parts *p) {
  for (uint32_t i = 0; i < p->count; i++) {
    Expr product = p->part[i].e;
    if (product->op != TENSOR_MATMUL || !is_one(p->part[i].k)) continue;
    for (uint32_t j = 0; j < p->count; j++) {
      Expr sum = p->part[j].e, weights = product->args[0];
      if (p->part[j].k.num != -1 || p->part[j].k.den != 1 || !is_reduce(sum, FOLD_SUM) || sum->axis_count != 1)
        continue;
      if (sum->axes[0] + 1 != sum->rank || !tensor_equal(b->tt, sum->args[0], weights) ||
          product->rank != weights->rank)
        continue;
      Expr share = book_rewrite(b, tensor_binary(b->tt, TENSOR_DIV, weights, sum));
      p->part[i].e = tensor_matmul(b->tt, share, product->args[1]);
      book_drop(p, j);
      return true;
    }
  }
  return false;
}

/* base = 1 + exp(y): y, else NULL */
static Expr logistic_argument(Book *b, Expr base) {
  Parts sum = book_summands(b, base);
  if (sum.is_full || !is_one(sum.k) || sum.count != 1 || !is_one(sum.part[0].k) || !is_fn(sum.part[0].e, FN_EXP))
    return NULL;
  return sum.part[0].e->args[0];
}

/* y of the factor 1 / (1 + exp(y)), which sigmoid(-y) is too, in a whole power; NULL: it is neither */
static Expr logistic_factor(Book *b, Part part) {
  if (part.k.den != 1) return NULL;
  if (part.k.num < 0) return logistic_argument(b, part.e);
  return is_idiom(part.e, TENSOR_SIGMOID) ? book_negated(b, part.e->args[0]) : NULL;
}

/* 1 or -1 for the factor exp(y) - 1 or 1 - exp(y) in a whole power above 0, else 0 */
static int less_one_sign(Book *b, Part part, Expr y) {
  if (part.k.den != 1 || part.k.num < 1) return 0;
  Parts sum = book_summands(b, part.e);
  if (sum.is_full || sum.count != 1 || !is_fn(sum.part[0].e, FN_EXP) || !is_one(magnitude(sum.k))) return 0;
  bool is_it = rational_equal(sum.part[0].k, rational_neg(sum.k)) && tensor_equal(b->tt, sum.part[0].e->args[0], y);
  return !is_it ? 0 : sum.k.num < 0 ? 1 : -1;
}

/* (exp(y) - 1) / (1 + exp(y)) = tanh(y / 2), once: of a power the others are left */
bool law_tanh(Book *b, Parts *p) {
  for (uint32_t i = 0; i < p->count; i++) {
    Expr y = logistic_factor(b, p->part[i]);
    for (uint32_t j = 0; y && j < p->count; j++) {
      int sign = less_one_sign(b, p->part[j], y);
      if (!sign) continue;
      Part bottom = p->part[i], top = p->part[j];
      Parts half = book_factors(b, y);
      half.k = book_times(b, &half, half.k, (Rational){sign, 2});
      Expr x = half.is_full ? NULL : book_put_product(b, &half);
      if (!x) return false;
      book_push(b, p, top.e, minus_one);
      book_push(b, p, bottom.e, bottom.k.num < 0 ? one : minus_one);
      book_take_factors(b, book_rewrite(b, tensor_fn(b->tt, FN_TANH, 1, &x)), one, p);
      return !p->is_full;
    }
  }
  return false;
}

bool law_sigmoid(Book *b, Parts *p) {
  for (uint32_t i = 0; i < p->count; i++) {
    Rational k = p->part[i].k;
    if (k.den != 1 || k.num >= 0) continue;
    Expr y = logistic_argument(b, p->part[i].e), x;
    if (!y) continue;
    Expr e = tensor_fn(b->tt, FN_EXP, 1, &y);
    int top = book_find(b, p, e, rational_neg(k));
    if (top >= 0) { /* exp(y) / (1 + exp(y)) */
      p->part[i] = (Part){tensor_idiom(b->tt, TENSOR_SIGMOID, &y, 0, NULL), rational_neg(k)};
      book_drop(p, (uint32_t)top);
      return true;
    }
    if (!(x = book_negated(b, y))) continue;
    top = k.num == -1 ? book_find(b, p, x, one) : -1;
    p->part[i] = (Part){tensor_idiom(b->tt, top < 0 ? TENSOR_SIGMOID : TENSOR_SILU, &x, 0, NULL), rational_neg(k)};
    if (top >= 0) book_drop(p, (uint32_t)top);
    return true;
  }
  /* x * sigmoid(x), found later */
  for (uint32_t i = 0; i < p->count; i++) {
    Rational k = p->part[i].k;
    if (!is_idiom(p->part[i].e, TENSOR_SIGMOID) || k.den != 1 || k.num < 1) continue;
    Expr x = p->part[i].e->args[0];
    int top = book_find(b, p, x, k);
    if (top < 0) continue;
    p->part[i].e = tensor_idiom(b->tt, TENSOR_SILU, &x, 0, NULL);
    book_drop(p, (uint32_t)top);
    return true;
  }
  return false;
}

bool law_mean(Book *b, Parts *p) {
  TermTable *tt = b->tt;
  for (uint32_t i = 0; i < p->count; i++) {
    Expr sum = p->part[i].e;
    Rational power = p->part[i].k;
    if (!is_reduce(sum, FOLD_SUM) || power.den != 1 || power.num < 1 || power.num > 4 || sum->sort != SORT_REAL)
      continue;
    Parts rest = *p;
    bool found = true;
    for (uint32_t a = 0; a < sum->axis_count && found; a++) {
      Expr n = tensor_size(tt, sum->args[0]->shape[sum->axes[a]]);
      Rational literal;
      if (!n) return false;
      if (is_number(tt, n, &literal)) {
        if (!is_one(power)) return false;
        rest.k = book_times(b, &rest, rest.k, literal);
        found = !rest.is_full && (is_one(magnitude(rest.k)) || (p->k.den % literal.num) == 0) && literal.num > 1;
        continue;
      }
      Parts sizes = book_factors(b, n);
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
    rest.part[i].e = book_rewrite(b, tensor_idiom(tt, TENSOR_MEAN, &x, sum->axis_count, sum->axes));
    uint32_t kept = 0;
    for (uint32_t j = 0; j < rest.count; j++)
      if (rest.part[j].k.num) rest.part[kept++] = rest.part[j];
    rest.count = kept;
    *p = rest;
    return true;
  }
  return false;
}

/* True if a sum over an axis, or a power of one, is among the factors. */
static bool has_sum(Book *b, Expr e) {
  Parts p = book_factors(b, e);
  for (uint32_t i = 0; i < p.count; i++)
    if (p.part[i].e->op == TENSOR_REDUCE && p.part[i].e->fold == FOLD_SUM) return true;
  return false;
}

/* (sum(x**2) - sum(x)**2 / n) / n, term by term: mean(x**2) - mean(x)**2 = var(x) */
bool law_var_over_size(Book *b, Parts *p) {
  for (uint32_t i = 0; i < p->count; i++) {
    if (!is_one(p->part[i].k) || !is_sum_op(p->part[i].e->op)) continue;
    Parts sum = book_summands(b, p->part[i].e);
    if (sum.is_full || sum.count != 2 || sum.k.num || !has_sum(b, sum.part[0].e) || !has_sum(b, sum.part[1].e))
      continue;
    for (uint32_t j = 0; j < p->count; j++) {
      Expr n = p->part[j].e;
      if (p->part[j].k.num != -1 || p->part[j].k.den != 1 || n->rank) continue;
      Parts each = {.k = {0, 1}};
      for (uint32_t s = 0; s < sum.count; s++)
        book_take_summands(b, tensor_binary(b->tt, TENSOR_DIV, sum.part[s].e, n), sum.part[s].k, &each);
      Expr spread = each.is_full ? NULL : book_rewrite(b, book_put_sum(b, &each));
      if (!spread || !is_idiom(spread, TENSOR_VAR)) continue;
      p->part[i].e = spread;
      book_drop(p, j);
      return true;
    }
  }
  return false;
}

/* sum((x - mean(x))**2) */
static bool is_spread(TermTable *tt, Expr sum) {
  Rational two;
  Expr square = sum->args[0], difference = square->op == TENSOR_POW ? square->args[0] : NULL;
  if (!difference || difference->op != TENSOR_SUB || !is_number(tt, square->args[1], &two) || two.num != 2 ||
      two.den != 1)
    return false;
  Expr mean = difference->args[1];
  return is_idiom(mean, TENSOR_MEAN) && same_axes(mean, sum) && tensor_equal(tt, mean->args[0], difference->args[0]);
}

/* Sums over as many places, one of which is that of a variance, are means where their numbers of places cancel. */
bool law_moments(Book *b, Parts *p) {
  TermTable *tt = b->tt;
  Guard *guard = tt->arena->guard;
  for (uint32_t i = 0; i < p->count; i++) {
    Expr spread = p->part[i].e;
    if (!is_reduce(spread, FOLD_SUM) || spread->axis_count != 1 || !is_spread(tt, spread)) continue;
    Term length = spread->args[0]->shape[spread->axes[0]];
    Expr size = tensor_size(tt, length);
    Rational sizes = {0, 1};
    Parts out = {.k = p->k};
    for (uint32_t j = 0; size && j < p->count; j++) {
      Part own = p->part[j];
      bool is_sum = is_reduce(own.e, FOLD_SUM) && own.e->axis_count == 1;
      is_sum = is_sum && own.e->sort == SORT_REAL && own.e->args[0]->shape[own.e->axes[0]] == length;
      bool is_size = tensor_equal(tt, own.e, size);
      if (is_sum || is_size) sizes = rational_add(guard, sizes, own.k);
      if (is_sum) own.e = book_rewrite(b, tensor_idiom(tt, TENSOR_MEAN, own.e->args, 1, own.e->axes));
      if (!own.e) return false;
      if (!is_size) book_push(b, &out, own.e, own.k);
    }
    if (!size || sizes.num || out.is_full) continue;
    *p = out;
    return true;
  }
  return false;
}

/* x - 1, of a name x: what is longer stands in front, as it was written */
static bool is_less_one(Book *b, Expr e) {
  if (!is_sum_op(e->op)) return false;
  Parts sum = book_summands(b, e);
  bool is_one_off = !sum.is_full && sum.k.num == -1 && sum.k.den == 1 && sum.count == 1;
  return is_one_off && sum.part[0].k.num > 0 && !sum.part[0].e->count;
}

/* The factor x - 1 in an odd power, from a place on; -1: there is none. */
static int find_less_one(Book *b, const Parts *p, uint32_t from) {
  for (uint32_t i = from; i < p->count; i++)
    if (p->part[i].k.den == 1 && p->part[i].k.num % 2 && is_less_one(b, p->part[i].e)) return (int)i;
  return -1;
}

static bool turn_factor(Book *b, Parts *p, int i) {
  Expr turned = book_negated(b, p->part[i].e);
  if (!turned) return false;
  p->part[i].e = turned, p->k = rational_neg(p->k);
  return true;
}

/* -x - y, also where -x is (z - 1) * w */
static bool is_all_negative(Book *b, Expr e) {
  if (!is_sum_op(e->op)) return false;
  Parts sum = book_summands(b, e);
  if (sum.is_full || sum.k.num > 0 || sum.count + (sum.k.num != 0) < 2) return false;
  for (uint32_t i = 0; i < sum.count; i++) {
    Parts product = book_factors(b, sum.part[i].e);
    bool is_less = !product.is_full && product.count > 1 && find_less_one(b, &product, 0) >= 0;
    if (is_less == (sum.part[i].k.num < 0)) return false;
  }
  return true;
}

bool law_one_minus(Book *b, Parts *p) {
  for (uint32_t i = 0; i < p->count; i++)
    if (p->part[i].k.den == 1 && p->part[i].k.num % 2 && is_all_negative(b, p->part[i].e)) {
      if (!turn_factor(b, p, (int)i)) return false;
      p->part[i].e = book_rewrite(b, p->part[i].e);
      return p->part[i].e != NULL;
    }
  int first = find_less_one(b, p, 0), second = first < 0 ? -1 : find_less_one(b, p, (uint32_t)first + 1);
  if (first < 0 || (second < 0 && p->k.num > 0)) return false;
  return turn_factor(b, p, first) && (second < 0 || turn_factor(b, p, second));
}

bool law_one_minus_summand(Book *b, Parts *p) {
  for (uint32_t i = 0; i < p->count; i++) {
    Parts product = {.is_full = true};
    if (p->part[i].k.num < 0) product = book_factors(b, p->part[i].e);
    int at = product.is_full || product.count < 2 ? -1 : find_less_one(b, &product, 0);
    if (at < 0 || !turn_factor(b, &product, at)) continue;
    product.k = rational_neg(product.k);
    Expr turned = book_put_product(b, &product);
    if (!turned) return false;
    p->part[i] = (Part){turned, rational_neg(p->part[i].k)};
    return true;
  }
  return false;
}

/* base = idiom(x) + eps: the idiom's node and eps of rank 0 */
static bool find_with_eps(Book *b, Expr base, TensorIdiom idiom, Expr *found, Expr *eps) {
  Parts sum = book_summands(b, base);
  for (uint32_t i = 0; !sum.is_full && i < sum.count; i++) {
    if (!is_idiom(sum.part[i].e, idiom) || !is_one(sum.part[i].k)) continue;
    *found = sum.part[i].e;
    book_drop(&sum, i);
    *eps = book_put_sum(b, &sum);
    return *eps && !(*eps)->rank && !is_zero(b->tt, *eps);
  }
  return false;
}

bool law_layer_norm(Book *b, Parts *p) {
  for (uint32_t i = 0; i < p->count; i++) {
    Expr var, eps;
    if (!rational_equal(p->part[i].k, minus_half) || !find_with_eps(b, p->part[i].e, TENSOR_VAR, &var, &eps)) continue;
    Expr x = var->args[0], mean = tensor_idiom(b->tt, TENSOR_MEAN, &x, var->axis_count, var->axes);
    int top = book_find(b, p, tensor_binary(b->tt, TENSOR_SUB, x, mean), one);
    if (top < 0) continue;
    p->part[top].e = tensor_idiom(b->tt, TENSOR_LAYER_NORM, (Expr[]){x, eps}, var->axis_count, var->axes);
    book_drop(p, i);
    return true;
  }
  return false;
}

bool law_rms_norm(Book *b, Parts *p) {
  for (uint32_t i = 0; i < p->count; i++) {
    Expr mean, eps;
    if (!rational_equal(p->part[i].k, minus_half) || !find_with_eps(b, p->part[i].e, TENSOR_MEAN, &mean, &eps))
      continue;
    Parts squares = book_factors(b, mean->args[0]), rest = *p;
    bool found = !squares.is_full && is_one(squares.k) && squares.count;
    for (uint32_t s = 0; found && s < squares.count;
         s++) { /* of x ** 2 = a**2 * b**2, both a and b stand in the product */
      Rational k = squares.part[s].k;
      int top =
          found && k.den == 1 && k.num % 2 == 0 ? book_find(b, &rest, squares.part[s].e, (Rational){k.num / 2, 1}) : -1;
      found = top >= 0;
      if (found) rest.part[top].k = (Rational){0, 1};
      squares.part[s].k = (Rational){k.num / 2, 1};
    }
    Expr x = found ? book_put_product(b, &squares) : NULL;
    if (!x) continue;
    rest.part[i] = (Part){tensor_idiom(b->tt, TENSOR_RMS_NORM, (Expr[]){x, eps}, mean->axis_count, mean->axes), one};
    uint32_t kept = 0;
    for (uint32_t j = 0; j < rest.count; j++)
      if (rest.part[j].k.num) rest.part[kept++] = rest.part[j];
    rest.count = kept;
    *p = rest;
    return true;
  }
  return false;
}

/* A constant that is written as one: sqrt(2 / pi). */
static bool closed_value(TermTable *tt, Expr e, double *value) {
  Rational r;
  double a, b;
  if (is_number(tt, e, &r)) return *value = rational_to_double(r), true;
  if (is_idiom(e, TENSOR_PI)) return *value = 3.141592653589793, true;
  if ((e->op != TENSOR_MUL && e->op != TENSOR_DIV) || !closed_value(tt, e->args[0], &a) ||
      !closed_value(tt, e->args[1], &b))
    return false;
  return *value = e->op == TENSOR_MUL ? a * b : a / b, true;
}

/* Takes such constants out of a product. Their value; 1: there are none. */
static double take_closed(Book *b, Parts *p) {
  double value, all = 1;
  for (uint32_t i = 0; i < p->count;) {
    if (!closed_value(b->tt, p->part[i].e, &value) || value <= 0) {
      i++;
      continue;
    }
    all *= pow(value, rational_to_double(p->part[i].k));
    book_drop(p, i);
  }
  return all;
}

static bool is_close(double a, double b) { return fabs(a - b) <= 1e-14 * fabs(b); }

/* e = scale * sqrt(2 / pi) * (x + 0.044715 * x**3), also with x in front, and multiplied out */
static bool is_tanh_argument(Book *b, Expr e, Expr x, int64_t scale) {
  Guard *guard = b->tt->arena->guard;
  Parts outer = book_factors(b, e), cube = {.k = one}, sum;
  double closed = take_closed(b, &outer);
  Rational linear = {0, 1}, cubic = {0, 1};
  if (outer.is_full) return false;
  int inner = -1;
  for (uint32_t i = 0; i < outer.count; i++)
    if (outer.part[i].e->op == TENSOR_ADD && is_one(outer.part[i].k)) inner = (int)i;
  sum = inner >= 0 ? book_multiply_out(b, outer, (uint32_t)inner) : book_summands(b, e);
  Rational k = inner >= 0 ? outer.k : one;
  book_take_factors(b, x, (Rational){3, 1}, &cube);
  Expr third = cube.is_full ? NULL : book_put_product(b, &cube);
  if (!third || sum.is_full || sum.k.num || !fits(k)) return false;
  for (uint32_t i = 0; i < sum.count; i++) {
    if (!tensor_equal(b->tt, sum.part[i].e, third)) continue;
    cubic = sum.part[i].k;
    book_drop(&sum, i);
    break;
  }
  if (sum.count == 1 && tensor_equal(b->tt, sum.part[0].e, x))
    linear = sum.part[0].k;
  else if (tensor_equal(b->tt, book_put_sum(b, &sum), x))
    linear = one;
  if (!linear.num || !fits(linear) || !fits(cubic)) return false;
  bool is_apart = is_one(linear); /* what is in front of both is one literal, and 0.044715 another */
  Rational ratio = rational_div(guard, cubic, linear), unit = rational_div(guard, k, rational_int(scale));
  linear = rational_mul(guard, linear, unit), cubic = rational_mul(guard, cubic, unit);
  if (!rational_equal(ratio, cubic_of_gelu) && !(is_apart && book_is_constant(b, ratio, &constant_cubic_of_gelu)) &&
      !book_is_constant(b, cubic, &constant_folded_cubic_of_gelu))
    return false;
  if (closed != 1) return is_close(rational_to_double(linear) * closed, constant_root_2_pi.value);
  return book_is_constant(b, linear, &constant_root_2_pi);
}

/* The gate 1 + erf(x / sqrt(2)), 1 + tanh(..), 2 - 2 / (1 + exp(..)) of gelu: which idiom it is for x; false: none */
static bool find_gate(Book *b, Expr gate, Expr x, TensorIdiom *idiom) {
  Parts sum = book_summands(b, gate);
  if (sum.is_full || sum.count != 1) return false;
  Expr f = sum.part[0].e;
  if (is_one(sum.k) && is_one(sum.part[0].k) && is_fn(f, FN_ERF)) {
    Parts inner = book_factors(b, f->args[0]), own = book_factors(b, x);
    if (inner.is_full || own.is_full || !is_one(own.k) || !fits(inner.k)) return false;
    Rational c = inner.k;
    double closed = take_closed(b, &inner);
    inner.k = one;
    *idiom = TENSOR_GELU;
    if (!inner.count || !tensor_equal(b->tt, book_put_product(b, &inner), x)) return false;
    if (closed != 1) return is_close(rational_to_double(c) * closed, constant_half_root.value);
    return book_is_constant(b, c, &constant_half_root);
  }
  *idiom = TENSOR_GELU_TANH;
  if (is_one(sum.k) && is_one(sum.part[0].k) && is_fn(f, FN_TANH)) return is_tanh_argument(b, f->args[0], x, 1);
  if (sum.k.num == 2 && sum.k.den == 1 && sum.part[0].k.num == -2 && sum.part[0].k.den == 1 &&
      is_idiom(f, TENSOR_SIGMOID)) {
    Expr z = book_negated(b, f->args[0]);
    return z && is_tanh_argument(b, z, x, 2);
  }
  return false;
}

bool law_gelu(Book *b, Parts *p) {
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
      } else if (!find_gate(b, gate, x, &idiom))
        continue;
      if (is_sum) p->k = book_times(b, p, p->k, (Rational){2, 1});
      p->part[i].e = tensor_idiom(b->tt, idiom, &x, 0, NULL);
      book_drop(p, j);
      return true;
    }
  }
  return false;
}

/* The literal that a number is divided by, k = top / literal; false: there is none of more bits than a divisor has. */
static bool divided_by_literal(Guard *guard, Rational k, Rational *top, Rational *literal) {
  enum { LEAST_BITS = 16, MOST_BITS_OF_TOP = 10 };
  Int128 power = 1;
  while (k.num % 2 == 0) k.num /= 2, power *= 2;
  if (rational_bits((Rational){k.num, 1}) > MOST_BITS_OF_TOP || rational_bits((Rational){k.den, 1}) < LEAST_BITS)
    return false;
  *top = (Rational){k.num, 1}, *literal = rational_make(guard, k.den, power);
  return true;
}

/* A number in front that is a closed form, or divided by one, where nothing else took it. */
bool law_constant(Book *b, Parts *p) {
  Closed closed;
  Rational sign = p->k.num < 0 ? minus_one : one, top, literal;
  if (!fits(p->k)) return false;
  if (book_recover(b, magnitude(p->k), false, &closed)) {
    p->k = sign;
    book_push_closed(b, p, &closed);
    return !p->is_full;
  }
  Expr constant;
  if (book_recover_product(b, magnitude(p->k), &top, &constant)) {
    p->k = sign.num < 0 ? rational_neg(top) : top;
    book_take_factors(b, constant, one, p);
    return !p->is_full;
  }
  if (!divided_by_literal(b->tt->arena->guard, magnitude(p->k), &top, &literal) ||
      !book_recover(b, literal, false, &closed))
    return false;
  Closed under = {.square = rational_div(b->tt->arena->guard, one, closed.square),
                  .pi = rational_neg(closed.pi),
                  .e = rational_neg(closed.e),
                  .log_2 = rational_neg(closed.log_2),
                  .log_10 = rational_neg(closed.log_10),
                  .log_2_pi = rational_neg(closed.log_2_pi)};
  p->k = sign.num < 0 ? rational_neg(top) : top;
  book_push_closed(b, p, &under);
  return !p->is_full;
}

/* The same of a number that is added. */
bool law_constant_summand(Book *b, Parts *p) {
  Closed closed;
  Parts product = {.k = p->k.num < 0 ? minus_one : one};
  if (!p->count || !p->k.num || !fits(p->k) || !book_recover(b, magnitude(p->k), false, &closed)) return false;
  book_push_closed(b, &product, &closed);
  Expr constant = product.is_full ? NULL : book_put_product(b, &product);
  if (!constant) return false;
  p->k = (Rational){0, 1};
  book_take_summands(b, constant, one, p);
  return !p->is_full;
}

/* e * (2 + e) / (2 + e * (2 + e)) = tanh(log(1 + e)) of a positive e, and powers of it: u = 1 + e has u ** 2 - 1 above
 * and u ** 2 + 1 below */
bool law_tanh_of_softplus(Book *b, Parts *p) {
  TermTable *tt = b->tt;
  for (uint32_t i = 0; i < p->count; i++) {
    Rational k = rational_neg(p->part[i].k);
    Parts below = book_summands(b, p->part[i].e), above = {.is_full = true}, rest = *p;
    bool is_two = below.k.num == 2 && below.k.den == 1 && below.count == 1 && is_one(below.part[0].k);
    if (k.den == 1 && k.num > 0 && !below.is_full && is_two) above = book_factors(b, below.part[0].e);
    if (above.is_full || above.count != 2 || !is_one(above.k) || !is_one(above.part[0].k) || !is_one(above.part[1].k))
      continue;
    uint32_t own = is_sum_op(above.part[0].e->op) ? 1 : 0;
    Expr e = above.part[own].e, next = tensor_binary(tt, TENSOR_ADD, number(tt, rational_int(2)), e);
    if (!next || !tensor_equal(tt, book_normal(b, next), above.part[1 - own].e) || !book_is_positive(b, e, 8)) continue;
    book_drop(&rest, i);
    int first = book_find(b, &rest, e, k);
    if (first >= 0) book_drop(&rest, (uint32_t)first);
    int second = first < 0 ? -1 : book_find(b, &rest, above.part[1 - own].e, k);
    if (second < 0) continue;
    book_drop(&rest, (uint32_t)second);
    Expr sum = tensor_binary(tt, TENSOR_ADD, number(tt, one), e), log = sum ? tensor_fn(tt, FN_LOG, 1, &sum) : NULL;
    book_push(b, &rest, tensor_fn(tt, FN_TANH, 1, &log), k);
    *p = rest;
    return true;
  }
  return false;
}

/* (x - y) * (y - x) = -(x - y) ** 2 */
bool law_opposite_factors(Book *b, Parts *p) {
  for (uint32_t i = 0; i < p->count; i++)
    for (uint32_t j = i + 1; j < p->count; j++) {
      Part x = p->part[i], y = p->part[j];
      if (!is_sum_op(x.e->op) || !is_sum_op(y.e->op) || x.k.den != 1 || y.k.den != 1) continue;
      Expr negated = book_negated(b, y.e);
      if (!negated || !tensor_equal(b->tt, negated, x.e)) continue;
      book_drop(p, j);
      if (y.k.num % 2) p->k = rational_neg(p->k);
      book_push(b, p, x.e, y.k);
      return true;
    }
  return false;
}

/* abs(x) ** 2 = x ** 2 */
bool law_even_power(Book *b, Parts *p) {
  for (uint32_t i = 0; i < p->count; i++) {
    Part own = p->part[i];
    if (own.e->op != TENSOR_ABS || own.k.den != 1 || own.k.num % 2 || own.k.num < 0) continue;
    book_drop(p, i);
    book_take_factors(b, own.e->args[0], own.k, p);
    return true;
  }
  return false;
}
