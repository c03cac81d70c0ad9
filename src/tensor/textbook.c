/* A formula as a textbook writes it.
 *
 * Bottom-up over the expression: the arguments first, then the laws of laws.def for the node at hand, in their order,
 * until none applies. Sums and products are taken apart into summands with coefficients and factors with exponents, so
 * that a law finds its parts wherever they stand, and are put together again in the usual order (arith.c). Each law
 * holds over the reals wherever its left side is defined; tests evaluate both sides of each on random arrays. */
#include "tensor/textbook.h"

enum { MOST_NODES = 4000, MOST_DEPTH = 300 };

/* ---- laws of sums ---- */

static bool law_logsumexp(Book *b, Parts *p) {
  for (uint32_t i = 0; i < p->count; i++) {
    if (!is_fn(p->part[i].e, FN_LOG)) continue;
    Expr sum = p->part[i].e->args[0], x = book_softmax_argument(b, sum);
    if (!x) continue;
    Expr max = tensor_reduce(b->tt, FOLD_MAX, x, sum->axes[0]);
    int other = max ? book_find(b, p, max, p->part[i].k) : -1;
    if (other < 0) continue;
    p->part[i].e = tensor_idiom(b->tt, TENSOR_LOGSUMEXP, &x, 1, sum->axes);
    book_drop(p, (uint32_t)other);
    return true;
  }
  return false;
}

/* mean(x**2) - mean(x)**2, and sum(x**2) - n * mean(x)**2 */
static bool law_var(Book *b, Parts *p) {
  for (uint32_t i = 0; i < p->count; i++) {
    Expr mean = p->part[i].e;
    bool is_sum = is_reduce(mean, FOLD_SUM) && mean->axis_count == 1;
    Expr size = is_sum ? tensor_size(b->tt, mean->args[0]->shape[mean->axes[0]]) : NULL;
    if (!is_idiom(mean, TENSOR_MEAN) && !size) continue;
    Parts squares = book_factors(b, mean->args[0]);
    if (squares.is_full || !is_one(squares.k)) continue;
    bool even = squares.count > 0;
    for (uint32_t s = 0; s < squares.count; s++) {
      even = even && squares.part[s].k.den == 1 && squares.part[s].k.num % 2 == 0;
      squares.part[s].k.num /= 2;
    }
    Expr x = even ? book_put_product(b, &squares) : NULL;
    if (!x) continue;
    Expr first = tensor_idiom(b->tt, TENSOR_MEAN, &x, mean->axis_count, mean->axes);
    Expr square = tensor_binary(b->tt, TENSOR_POW, first, number(b->tt, (Rational){2, 1}));
    if (size) square = book_normal(b, tensor_binary(b->tt, TENSOR_MUL, size, square));
    int other = square ? book_find(b, p, square, rational_neg(p->part[i].k)) : -1;
    if (other < 0) continue;
    Expr var = tensor_idiom(b->tt, TENSOR_VAR, &x, mean->axis_count, mean->axes);
    p->part[i].e = size ? book_normal(b, tensor_binary(b->tt, TENSOR_MUL, size, var)) : var;
    book_drop(p, (uint32_t)other);
    return true;
  }
  return false;
}

static bool has_idiom(Book *b, const Parts *p, TensorIdiom idiom, Expr x) {
  return book_find(b, p, tensor_idiom(b->tt, idiom, &x, 0, NULL), one) >= 0;
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
    if (!k.num && is_one(part.k) && is_idiom(part.e, TENSOR_SIGMOID) && has_idiom(b, y, TENSOR_SILU, part.e->args[0]))
      k = one;
    if (k.num) x->part[kept++] = (Part){part.e, k};
  }
  x->count = kept;
  x->k = one;
}

/* p without the factors of `common`, which it has */
static Expr without(Book *b, Parts p, const Parts *common) {
  for (uint32_t i = 0; i < common->count; i++) {
    Part part = common->part[i];
    if (is_idiom(part.e, TENSOR_SIGMOID) && is_one(part.k) && book_find(b, &p, part.e, one) < 0) {
      Expr silu = tensor_idiom(b->tt, TENSOR_SILU, part.e->args, 0, NULL);
      int at = book_find(b, &p, silu, one);
      if (at >= 0) {
        p.part[at].e = part.e->args[0];
        continue;
      }
    }
    book_push(b, &p, part.e, rational_neg(part.k));
  }
  return p.is_full ? NULL : book_put_product(b, &p);
}

static uint32_t size_of(const Parts *p) {
  uint32_t size = 0;
  for (uint32_t i = 0; i < p->count; i++) size += p->part[i].e->size + 1;
  return size;
}

static bool has_only_names(const Parts *p) {
  for (uint32_t i = 0; i < p->count; i++)
    if (p->part[i].e->count) return false;
  return true;
}

/* a * x + a * y = a * (x + y), where that is shorter by more than a name, or a name stands before all of what is longer
 */
static bool law_common_factor(Book *b, Parts *p) {
  const uint32_t name = 2;
  uint32_t best = 0, best_size = 0;
  Parts factor = {.k = one};
  for (uint32_t i = 0; i < p->count; i++)
    for (uint32_t j = i + 1; j < p->count; j++) {
      Parts x = book_factors(b, p->part[i].e), y = book_factors(b, p->part[j].e);
      if (x.is_full || y.is_full) return false;
      share(b, &x, &y);
      if (size_of(&x) > best_size) factor = x, best_size = size_of(&x), best = i;
    }
  if (!factor.count) return false;
  Parts inner = {.k = {0, 1}}, outer = {.k = {0, 1}};
  for (uint32_t i = 0; i < p->count; i++) {
    Parts own = book_factors(b, p->part[i].e), common = factor;
    share(b, &common, &own);
    bool has_all = common.count == factor.count;
    for (uint32_t k = 0; has_all && k < common.count; k++) has_all = rational_equal(common.part[k].k, factor.part[k].k);
    if (!has_all && i == best) return false;
    if (!has_all)
      book_push(b, &outer, p->part[i].e, p->part[i].k);
    else {
      Expr rest = without(b, own, &factor);
      if (!rest) return false;
      book_take_summands(b, rest, p->part[i].k, &inner);
    }
  }
  if (best_size <= name && (!factor.part[0].e->rank || factor.part[0].e->sort != SORT_REAL || outer.count ||
                            inner.k.num || has_only_names(&inner)))
    return false;
  Expr sum = inner.is_full ? NULL : book_put_sum(b, &inner);
  if (!sum || outer.is_full || inner.count + (inner.k.num != 0) < 2) return false;
  book_push(b, &factor, book_rewrite(b, sum), one);
  Expr product = factor.is_full ? NULL : book_put_product(b, &factor);
  if (!product) return false;
  outer.k = p->k;
  book_push(b, &outer, product, one);
  if (outer.is_full) return false;
  *p = outer;
  return true;
}

/* The exponent y of log(1 + exp(y)), else NULL */
static Expr softplus_argument(Book *b, Expr e) {
  if (!is_fn(e, FN_LOG)) return NULL;
  Parts sum = book_summands(b, e->args[0]);
  bool fits_all = !sum.is_full && sum.count == 1 && is_one(sum.k) && is_one(sum.part[0].k);
  return fits_all && is_fn(sum.part[0].e, FN_EXP) ? sum.part[0].e->args[0] : NULL;
}

/* The summands of e, with those of 2 * (x - y) one by one. */
static Parts all_summands(Book *b, Expr e) {
  Parts from = book_summands(b, e), all = {.k = from.k, .is_full = from.is_full};
  for (uint32_t i = 0; i < from.count && !all.is_full; i++) book_take_summands(b, from.part[i].e, from.part[i].k, &all);
  return all;
}

/* p + k * y, if that is without the summands of y */
static bool cancels(Book *b, const Parts *p, Rational k, const Parts *y, Parts *out) {
  *out = *p;
  for (uint32_t i = 0; i < y->count; i++) book_push(b, out, y->part[i].e, book_times(b, out, k, y->part[i].k));
  out->k = rational_add(b->tt->arena->guard, out->k, book_times(b, out, k, y->k));
  return !out->is_full && out->count + y->count == p->count;
}

/* log(1 + exp(y)) - y = log(1 + exp(-y)), log(1 + exp(y)) - y / 2 = log(2) + log(cosh(y / 2)) */
static bool law_softplus(Book *b, Parts *p) {
  TermTable *tt = b->tt;
  Guard *guard = tt->arena->guard;
  for (uint32_t i = 0; i < p->count; i++) {
    Rational k = p->part[i].k, half = rational_mul(guard, k, (Rational){1, 2});
    Expr y = softplus_argument(b, p->part[i].e);
    Parts own = {.is_full = true}, rest = *p, out;
    if (y) own = all_summands(b, y);
    if (own.is_full || !own.count || !fits(k)) continue;
    book_drop(&rest, i);
    if (cancels(b, &rest, k, &own, &out)) {
      Expr negated = book_negated(b, y), e = negated ? tensor_fn(tt, FN_EXP, 1, &negated) : NULL;
      Expr sum = e ? tensor_binary(tt, TENSOR_ADD, number(tt, one), e) : NULL;
      book_push(b, &out, tensor_fn(tt, FN_LOG, 1, &sum), k);
    } else if (cancels(b, &rest, half, &own, &out)) {
      Expr two = number(tt, rational_int(2)), x = book_normal(b, tensor_binary(tt, TENSOR_DIV, y, two));
      Expr cosine = x ? tensor_fn(tt, FN_COSH, 1, &x) : NULL;
      book_push(b, &out, tensor_fn(tt, FN_LOG, 1, &two), k);
      book_push(b, &out, tensor_fn(tt, FN_LOG, 1, (Expr[]){book_rewrite(b, cosine)}), k);
    } else
      continue;
    *p = out;
    return true;
  }
  return false;
}

/* ---- laws of other nodes ---- */

/* exp2(log2(e) * x + y) = exp(x + log(2) * y), of no fewer summands in base e than others */
static Expr natural_exp_of_sum(Book *b, Parts parts) {
  Expr two = number(b->tt, rational_int(2)), log_2 = tensor_fn(b->tt, FN_LOG, 1, &two);
  Parts sum = {.k = {0, 1}};
  uint32_t natural = 0;
  if (parts.k.num) book_push(b, &sum, log_2, parts.k);
  for (uint32_t i = 0; i < parts.count; i++) {
    Rational k = parts.part[i].k;
    bool is_natural = book_is_constant(b, magnitude(k), &constant_log2_e);
    natural += is_natural;
    book_push(b, &sum, is_natural ? parts.part[i].e : tensor_binary(b->tt, TENSOR_MUL, log_2, parts.part[i].e),
              !is_natural ? k
              : k.num < 0 ? minus_one
                          : one);
  }
  uint32_t others = parts.count - natural + (parts.k.num != 0);
  Expr own = natural && others <= natural && !sum.is_full ? book_put_sum(b, &sum) : NULL;
  return own ? tensor_fn(b->tt, FN_EXP, 1, &own) : NULL;
}

/* exp2 of a sum in which each coefficient is log2(e), up to sign; or one multiple of it, such as log2(e) / sqrt(d) */
static Expr natural_exp_of_multiple(Book *b, Parts parts) {
  Parts product = {.k = one};
  if (parts.k.num) return NULL;
  Rational shared = magnitude(parts.part[0].k);
  bool is_plain = book_is_constant(b, shared, &constant_log2_e);
  Closed closed = {.square = one};
  if (!is_plain && !book_recover(b, shared, true, &closed)) return NULL;
  for (uint32_t i = 0; i < parts.count; i++) {
    Rational k = parts.part[i].k;
    if (!rational_equal(magnitude(k), shared) && !(is_plain && book_is_constant(b, magnitude(k), &constant_log2_e)))
      return NULL;
    parts.part[i].k = k.num < 0 ? minus_one : one;
  }
  Expr sum = book_put_sum(b, &parts);
  closed.log_2 = (Rational){0, 1};
  if (!is_plain && sum) {
    book_push_closed(b, &product, &closed);
    book_take_factors(b, sum, one, &product);
    sum = product.is_full ? NULL : book_put_product(b, &product);
  }
  return sum ? tensor_fn(b->tt, FN_EXP, 1, &sum) : NULL;
}

static Expr natural_exp(Book *b, Expr e) {
  Parts parts = book_summands(b, e->args[0]);
  uint32_t before = book_noted(b);
  if (parts.is_full || !parts.count) return NULL;
  Expr own = natural_exp_of_multiple(b, parts);
  if (own) return own;
  book_take_back(b, before);
  if ((own = natural_exp_of_sum(b, parts))) return own;
  book_take_back(b, before);
  return NULL;
}

static bool asks_for_sign(TermTable *tt, Expr c, Expr x) {
  return (c->op == TENSOR_GT || c->op == TENSOR_GE) && is_zero(tt, c->args[1]) && tensor_equal(tt, c->args[0], x);
}

static Expr law_relu_of_choice(Book *b, Expr e) {
  Expr x = e->args[1];
  if (!is_zero(b->tt, e->args[2]) || x->sort != SORT_REAL) return NULL;
  if (asks_for_sign(b->tt, e->args[0], x)) return tensor_idiom(b->tt, TENSOR_RELU, &x, 0, NULL);
  Parts parts = book_factors(b, x);
  for (uint32_t i = 0; !parts.is_full && i < parts.count; i++) {
    Part own = parts.part[i];
    if (own.k.den != 1 || own.k.num < 1 || !asks_for_sign(b->tt, e->args[0], own.e)) continue;
    if (!book_is_total(b, x)) return NULL; /* where x is negative, y has a value too */
    parts.part[i].e = tensor_idiom(b->tt, TENSOR_RELU, &own.e, 0, NULL);
    return book_put_product(b, &parts);
  }
  return NULL;
}

static Expr law_leaky_relu(Book *b, Expr e) {
  Expr x = e->args[1];
  if (!asks_for_sign(b->tt, e->args[0], x)) return NULL;
  Parts slope = book_factors(b, e->args[2]);
  int own = slope.is_full ? -1 : book_find(b, &slope, x, one);
  if (own < 0) return NULL;
  book_drop(&slope, (uint32_t)own);
  Expr s = book_put_product(b, &slope);
  Rational literal; /* a negative one is another function, abs say, and 1 none */
  if (s && is_number(b->tt, s, &literal) && (literal.num < 0 || is_one(literal))) return NULL;
  return s && !s->rank ? tensor_idiom(b->tt, TENSOR_LEAKY_RELU, (Expr[]){x, s}, 0, NULL) : NULL;
}

/* where(c, exp(s - max(where(c, s, -inf))), 0) = exp(where(c, s, -inf) - max(where(c, s, -inf))) */
static Expr law_masked_exponential(Book *b, Expr e) {
  TermTable *tt = b->tt;
  bool is_turned = is_zero(tt, e->args[1]); /* the condition's opposite is that of the maximum: the prover says so */
  Expr c = e->args[0], x = e->args[is_turned ? 2 : 1];
  if (!is_fn(x, FN_EXP) || (!is_turned && !is_zero(tt, e->args[2]))) return NULL;
  Parts parts = book_summands(b, x->args[0]);
  for (uint32_t i = 0; !parts.is_full && i < parts.count; i++) {
    Expr m = parts.part[i].e;
    if (!is_reduce(m, FOLD_MAX) || m->axis_count != 1 || parts.part[i].k.num != -1 || parts.part[i].k.den != 1)
      continue;
    book_drop(&parts, i);
    Expr s = book_put_sum(b, &parts), own = m->args[0];
    if (is_turned && own->op == TENSOR_WHERE) c = own->args[0];
    Expr masked = s ? tensor_where(tt, c, s, tensor_const(tt, tt->neg_inf)) : NULL;
    if (!masked || !tensor_equal(tt, masked, own)) return NULL;
    Expr shifted = tensor_binary(tt, TENSOR_SUB, masked, m);
    return shifted ? tensor_fn(tt, FN_EXP, 1, &shifted) : NULL;
  }
  return NULL;
}

static Expr law_relu(Book *b, Expr e) {
  if (!is_zero(b->tt, e->args[1]) || e->args[0]->sort != SORT_REAL) return NULL;
  return tensor_idiom(b->tt, TENSOR_RELU, e->args, 0, NULL);
}

static Expr law_clamp(Book *b, Expr e) {
  TermTable *tt = b->tt;
  Rational low, high;
  bool is_outer_minimum = e->op == TENSOR_MINIMUM;
  Expr x = e->args[0], y = e->args[1];
  if (is_outer_minimum && is_idiom(x, TENSOR_RELU)) x = x->plain;
  if (y->rank || x->op != (is_outer_minimum ? TENSOR_MAXIMUM : TENSOR_MINIMUM) || x->args[1]->rank) return NULL;
  Expr bounds[] = {is_outer_minimum ? x->args[1] : y, is_outer_minimum ? y : x->args[1]};
  bool are_numbers = is_number(tt, bounds[0], &low) && is_number(tt, bounds[1], &high);
  if (are_numbers ? rational_compare(tt->arena->guard, low, high) > 0 : !is_outer_minimum || !x->args[0]->rank)
    return NULL;
  return tensor_idiom(tt, TENSOR_CLAMP, (Expr[]){x->args[0], bounds[0], bounds[1]}, 0, NULL);
}

/* max(where(c, k * x, -inf)) = k * max(where(c, x, -inf)) for a positive number k */
static Expr masked_extremum(Book *b, Expr e) {
  TermTable *tt = b->tt;
  Expr masked = e->args[0];
  if (e->fold != FOLD_MAX && e->fold != FOLD_MIN) return NULL;
  Term neutral = e->fold == FOLD_MAX ? tt->neg_inf : tt->inf;
  if (masked->op != TENSOR_WHERE || masked->args[2]->op != TENSOR_CONST || masked->args[2]->value != neutral)
    return NULL;
  Parts parts = book_factors(b, masked->args[1]);
  if (parts.is_full || !parts.count || parts.k.num <= 0 || is_one(parts.k)) return NULL;
  Expr scale = number(tt, parts.k);
  parts.k = one;
  Expr result = tensor_where(tt, masked->args[0], book_put_product(b, &parts), masked->args[2]);
  for (uint32_t i = 0; result && i < e->axis_count; i++) result = tensor_reduce(tt, e->fold, result, e->axes[i]);
  return tensor_binary(tt, TENSOR_MUL, scale, result);
}

/* Numbers out of max and min, scalars out of sums. */
static Expr scalar_out_of_fold(Book *b, Expr e) {
  TermTable *tt = b->tt;
  Expr scalar, rest, result;
  if (e->fold != FOLD_SUM && e->fold != FOLD_MAX && e->fold != FOLD_MIN) return NULL;
  if (e->fold != FOLD_SUM && e->args[0]->op == TENSOR_WHERE) return NULL;
  if (!book_split_scalars(b, e->args[0], &scalar, &rest)) return NULL;
  if (e->fold != FOLD_SUM) { /* only a positive number */
    Parts parts = book_factors(b, e->args[0]);
    if (parts.k.num <= 0 || is_one(parts.k)) return NULL;
    scalar = number(tt, parts.k);
    parts.k = one;
    rest = book_put_product(b, &parts);
  }
  result = rest;
  for (uint32_t i = 0; i < e->axis_count; i++) result = tensor_reduce(tt, e->fold, result, e->axes[i]);
  return tensor_binary(tt, TENSOR_MUL, scalar, book_rewrite(b, result));
}

static Expr scalar_out_of_matmul(Book *b, Expr e) {
  Expr scalar[2] = {NULL, NULL}, rest[2];
  for (int i = 0; i < 2; i++)
    if (!book_split_scalars(b, e->args[i], &scalar[i], &rest[i])) scalar[i] = NULL, rest[i] = e->args[i];
  if (!scalar[0] && !scalar[1]) return NULL;
  Expr product = tensor_matmul(b->tt, rest[0], rest[1]);
  Expr front = !scalar[0] ? scalar[1] : !scalar[1] ? scalar[0] : tensor_binary(b->tt, TENSOR_MUL, scalar[0], scalar[1]);
  Parts parts = {.k = one};
  if (!product || !front) return NULL;
  book_take_factors(b, front, one, &parts);
  book_push(b, &parts, product, one);
  return parts.is_full ? NULL : book_put_product(b, &parts);
}

/* mean((x - mean(x))**2) */
static Expr law_variance(Book *b, Expr e) {
  Rational two;
  if (e->idiom != TENSOR_MEAN) return NULL;
  Expr square = e->args[0];
  if (square->op != TENSOR_POW || !is_number(b->tt, square->args[1], &two) || two.num != 2 || two.den != 1) return NULL;
  Expr difference = square->args[0];
  if (difference->op != TENSOR_SUB || !is_idiom(difference->args[1], TENSOR_MEAN)) return NULL;
  Expr x = difference->args[0], mean = difference->args[1];
  if (!same_axes(mean, e) || !tensor_equal(b->tt, mean->args[0], x)) return NULL;
  return tensor_idiom(b->tt, TENSOR_VAR, &x, e->axis_count, e->axes);
}

/* True if a maximum is added somewhere. */
static bool adds_maximum(Expr e, int depth) {
  if (is_reduce(e, FOLD_MAX)) return true;
  bool follows = is_sum_op(e->op) || is_product_op(e->op) || e->op == TENSOR_NEG || e->op == TENSOR_EXPAND ||
                 e->op == TENSOR_WHERE;
  for (uint32_t i = 0; i < e->count && follows && depth; i++)
    if (adds_maximum(e->args[i], depth - 1)) return true;
  return false;
}

/* log(sum(exp(x))) = logsumexp(x), in base two as well; with a maximum as a shift it is one part of a sum
 * (law_logsumexp). */
static Expr law_log_of_sum(Book *b, Expr e) {
  TermTable *tt = b->tt;
  Expr sum = e->args[0];
  if ((e->op == TENSOR_FN1 && e->fn != FN_LOG) || !is_reduce(sum, FOLD_SUM) || sum->axis_count != 1) return NULL;
  Expr x = book_exponent(b, sum->args[0]), two = number(tt, rational_int(2));
  if (!x || x->rank != sum->args[0]->rank || adds_maximum(x, 6)) return NULL;
  Expr named = tensor_idiom(tt, TENSOR_LOGSUMEXP, &x, 1, sum->axes);
  return named && e->op == TENSOR_LOG2 ? tensor_binary(tt, TENSOR_DIV, named, tensor_fn(tt, FN_LOG, 1, &two)) : named;
}

/* f(-x) = -f(x) of an odd function, f(x) of an even one, which abs(x) may stand in too */
static Expr law_parity(Book *b, Expr e) {
  TermFnTrait trait = e->op == TENSOR_FN1 ? term_fn_info(e->fn)->trait : FN_TRAIT_PLAIN;
  bool is_odd = trait == FN_TRAIT_ODD || trait == FN_TRAIT_ODD_GROWING,
       is_even = e->op == TENSOR_ABS || is_fn(e, FN_COS) || is_fn(e, FN_COSH);
  Expr x = e->args[0];
  Rational r;
  if (is_even && e->op != TENSOR_ABS && x->op == TENSOR_ABS) return tensor_with_args(b->tt, e, x->args);
  bool leads = x->op == TENSOR_MUL && is_number(b->tt, x->args[0], &r) && r.num < 0;
  if ((!is_odd && !is_even) || (x->op != TENSOR_NEG && !leads)) return NULL;
  Expr plain = book_negated(b, x), own = plain ? tensor_with_args(b->tt, e, &plain) : NULL;
  return is_odd ? tensor_unary(b->tt, TENSOR_NEG, own) : own;
}

/* ---- places of the largest ---- */

/* x without what its largest element along the axis does not depend on: increasing functions, what is the same all
 * along the axis, a tail of zeros behind positive elements. NULL: there is nothing of the kind. */
static Expr plainer_key(Book *b, Expr x, uint32_t axis) {
  TermTable *tt = b->tt;
  TermFnTrait trait = x->op == TENSOR_FN1 ? term_fn_info(x->fn)->trait : FN_TRAIT_PLAIN;
  if (trait == FN_TRAIT_GROWING || trait == FN_TRAIT_ODD_GROWING || x->op == TENSOR_EXP2 || is_idiom(x, TENSOR_SIGMOID))
    return x->args[0];
  if (is_idiom(x, TENSOR_SOFTMAX) && x->axes[0] == axis) return x->args[0];
  if (x->op == TENSOR_CONCAT && x->axis == axis && x->count == 2) {
    Expr rest = x->args[1];
    while (rest->op == TENSOR_BROADCAST) rest = rest->args[0];
    bool is_some = term_prove_le(tt, tt->one, x->args[0]->shape[axis]);
    return is_zero(tt, rest) && is_some && book_is_positive(b, x->args[0], 8) ? x->args[0] : NULL;
  }
  bool is_sum = is_sum_op(x->op);
  if (!is_sum && !is_product_op(x->op)) return NULL;
  Parts all = is_sum ? book_summands(b, x) : book_factors(b, x), rest = {.k = {is_sum ? 0 : 1, 1}};
  if (all.is_full || (!is_sum && all.k.num <= 0)) return NULL;
  for (uint32_t i = 0; i < all.count; i++) {
    Part part = all.part[i];
    /* beside -inf, and times exp(-inf), all places are alike */
    bool is_free = book_is_free(b, part.e, x->rank, axis) && book_is_finite(b, part.e, 8) &&
                   (is_sum || book_is_positive(b, part.e, 8));
    if (!is_free) rest.part[rest.count++] = part;
  }
  bool is_less = rest.count < all.count || (is_sum ? all.k.num != 0 : !is_one(all.k));
  Expr key = !is_less || !rest.count ? NULL : is_sum ? book_put_sum(b, &rest) : book_put_product(b, &rest);
  return key;
}

static Expr law_place(Book *b, Expr e) {
  if ((e->fold != FOLD_ARGMAX && e->fold != FOLD_ARGMIN) || e->axis_count != 1) return NULL;
  bool is_tail = e->args[0]->op == TENSOR_CONCAT && e->fold == FOLD_ARGMIN;
  Expr key = is_tail ? NULL : plainer_key(b, e->args[0], e->axes[0]);
  return key && key->rank == e->args[0]->rank ? tensor_reduce(b->tt, e->fold, key, e->axes[0]) : NULL;
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
    return tensor_transpose(tt, book_rewrite(b, inner), axes);
  }
  if (form != TENSOR_FORM_UNARY && form != TENSOR_FORM_BINARY && form != TENSOR_FORM_TERNARY) return NULL;
  if (!(axes = shared_axes(e))) return NULL;
  Expr args[3];
  for (uint32_t i = 0; i < e->count; i++) args[i] = e->args[i]->rank ? e->args[i]->args[0] : e->args[i];
  return tensor_transpose(tt, book_rewrite(b, book_with_args(b, e, args)), axes);
}

/* ---- the driver ---- */

enum { LAW_ON_SUM, LAW_ON_PRODUCT, LAW_ON_NODE, LAW_ALWAYS = 0, LAW_LAST, LAW_NAMED, TENSOR_ANY = TENSOR_OP_COUNT };

typedef struct Law {
  int on, when, op;
  const char *name;
  bool (*of_parts)(Book *b, Parts *p);
  Expr (*of_node)(Book *b, Expr e);
} Law;

#define LAW_SUM(function) .of_parts = function
#define LAW_PRODUCT(function) .of_parts = function
#define LAW_NODE(function) .of_node = function
static const Law all_laws[] = {
#define TEXTBOOK_LAW(on, when, ops, name, function) {LAW_ON_##on, LAW_##when, TENSOR_##ops, name, LAW_##on(function)},
#define TEXTBOOK_RULE(name, left, right, condition)
#include "tensor/laws.def"
#undef TEXTBOOK_RULE
#undef TEXTBOOK_LAW
};

enum { LAW_COUNT = sizeof all_laws / sizeof *all_laws };

const char *tensor_law_name(uint32_t i) { return i < LAW_COUNT ? all_laws[i].name : book_rule_name(i - LAW_COUNT); }

bool book_is_without(const Book *b, const char *law) {
  for (uint32_t i = 0; i < b->without.count; i++)
    if (!strcmp(b->without.data[i], law)) return true;
  return false;
}

static bool is_due(const Book *b, const Law *law, int on, int op) {
  return !book_is_without(b, law->name) && law->on == on && (law->op == TENSOR_ANY || law->op == op) &&
         law->when <= b->stage && (law->when == LAW_NAMED) == (b->stage == LAW_NAMED);
}

static Expr put(Book *b, int on, const Parts *p) {
  for (uint32_t i = 0; i < p->count; i++)
    if (!p->part[i].e) return NULL;
  return p->is_full ? NULL : on == LAW_ON_SUM ? book_put_sum(b, p) : book_put_product(b, p);
}

/* One law at one place; NULL: it does not apply there, or what it makes is not shown to be equal. Then it has noted
 * nothing. */
static Expr apply(Book *b, const Law *law, Expr e, Parts *p) {
  uint32_t steps = b->steps ? b->steps->count : 0, constants = book_noted(b);
  bool applies = !p || law->of_parts(b, p);
  Expr after = !applies ? NULL : p ? put(b, law->on, p) : law->of_node(b, e);
  bool fits = after && (!b->prove || tensor_equal(b->tt, after, e) ||
                        (book_same_shape(after, e) && b->prove(b->tt, e, after, b->constants, b->payload)));
  if (fits && b->steps) array_push(b->tt->arena, b->steps, (TensorStep){law->name, e, after});
  if (fits) return after;
  if (b->steps) b->steps->count = steps;
  book_take_back(b, constants);
  return NULL;
}

static Expr apply_first(Book *b, int on, int op, Expr e, Parts *p) {
  for (uint32_t i = 0; i < LAW_COUNT; i++) {
    if (!is_due(b, &all_laws[i], on, op)) continue;
    Parts own = p ? *p : (Parts){0};
    Expr after = apply(b, &all_laws[i], e, p ? &own : NULL);
    if (after && p) *p = own;
    if (after) return after;
  }
  return NULL;
}

static Expr rewrite_parts(Book *b, int on, Expr e) {
  Parts p = on == LAW_ON_SUM ? book_summands(b, e) : book_factors(b, e);
  Expr result = NULL, after;
  for (uint32_t n = 0;
       n < MOST_PARTS && !p.is_full && (after = apply_first(b, on, TENSOR_ANY, result ? result : e, &p)); n++)
    result = after;
  return result;
}

Expr book_apply(Book *b, Expr e) {
  Expr own = apply_first(b, LAW_ON_NODE, (int)e->op, e, NULL);
  if (own) return own;
  if (is_sum_op(e->op)) return rewrite_parts(b, LAW_ON_SUM, e);
  bool is_product = is_product_op(e->op) || e->op == TENSOR_NEG || e->op == TENSOR_SQRT || e->op == TENSOR_POW;
  return is_product ? rewrite_parts(b, LAW_ON_PRODUCT, e) : NULL;
}

/* ---- the walk ---- */

/* e of other arguments: sums and products in their order again. */
Expr book_with_args(Book *b, Expr e, const Expr *args) {
  TermTable *tt = b->tt;
  if (is_sum_op(e->op) || is_product_op(e->op)) {
    Expr plain = tensor_binary(tt, e->op, args[0], args[1]);
    Parts parts = {.k = one};
    if (!plain) return NULL;
    if (is_sum_op(e->op))
      parts = book_summands(b, plain);
    else
      book_take_factors(b, plain, one, &parts);
    return parts.is_full ? plain : is_sum_op(e->op) ? book_put_sum(b, &parts) : book_put_product(b, &parts);
  }
  return tensor_with_args(tt, e, args);
}

bool book_same_shape(Expr a, Expr b) {
  return a->rank == b->rank && !memcmp(a->shape, b->shape, sizeof *a->shape * a->rank);
}

Expr book_normal(Book *b, Expr e) {
  Expr *args = arena_array(b->tt->arena, Expr, e->count + 1);
  bool is_power = e->op == TENSOR_POW || e->op == TENSOR_SQRT || e->op == TENSOR_NEG;
  if (!e->count) return e;
  for (uint32_t i = 0; i < e->count; i++)
    if (!(args[i] = book_normal(b, e->args[i]))) return NULL;
  Expr own = book_with_args(b, e, args);
  Parts parts = own && is_power ? book_factors(b, own) : (Parts){.is_full = true};
  return parts.is_full ? own : book_put_product(b, &parts);
}

static Expr rewrite_new(Book *b, Expr e) {
  Expr *args = arena_array(b->tt->arena, Expr, e->count + 1);
  bool changed = false;
  for (uint32_t i = 0; i < e->count; i++) {
    args[i] = book_rewrite(b, e->args[i]);
    changed |= args[i] != e->args[i];
  }
  Expr own = changed ? book_with_args(b, e, args) : e;
  if (!own || !book_same_shape(own, e)) return e; /* a shape that came out otherwise */
  for (uint32_t n = 0; n < 8; n++) {
    Expr next = book_apply(b, own);
    if (!next || !book_same_shape(next, e) || tensor_equal(b->tt, next, own)) break;
    own = next;
  }
  return own;
}

Expr book_rewrite(Book *b, Expr e) {
  if (!e) return NULL;
  guard_tick(b->tt->arena->guard);
  for (uint32_t i = 0; i < b->known_count; i++)
    if (b->known[i].from == e) return b->known[i].to;
  if (b->known_count >= MOST_NODES || b->depth > MOST_DEPTH)
    return e; /* laws that lead back to where they came from stop here */
  b->depth++;
  Expr result = e->count ? rewrite_new(b, e) : e;
  b->depth--;
  if (b->known_count < MOST_NODES) b->known[b->known_count++] = (Known){e, result};
  return result;
}

static Book book_new(TermTable *tt, const TensorLaws *laws, int stage) {
  return (Book){.tt = tt,
                .constants = laws->constants,
                .steps = laws->steps,
                .prove = laws->prove,
                .payload = laws->payload,
                .without = laws->without,
                .stage = stage,
                .known = arena_array(tt->arena, Known, MOST_NODES)};
}

const TensorExpr *tensor_textbook(TermTable *tt, const TensorExpr *e, const TensorLaws *laws) {
  Book b = book_new(tt, laws, LAW_ALWAYS);
  e = book_rewrite(&b, e);
  b.stage = LAW_LAST, b.known_count = 0;
  uint32_t known = laws->constants ? laws->constants->count : 0;
  e = book_rewrite(&b, e);
  if (!laws->constants || laws->constants->count == known) return e;
  b.known_count = 0, b.whole = e; /* of constants that are known now there may be products */
  return book_rewrite(&b, e);
}

bool book_occurs(Book *b, Expr whole, Expr e) {
  if (tensor_equal(b->tt, whole, e)) return true;
  for (uint32_t i = 0; i < whole->count; i++)
    if (book_occurs(b, whole->args[i], e)) return true;
  return false;
}

/* e with (1 + tanh(x)) / 2 for sigmoid(2 * x), where tanh(x) occurs in the formula: one function rather than two. */
static Expr with_tanh_alone(Book *b, Expr e) {
  TermTable *tt = b->tt;
  Rational half = {1, 2};
  Expr *args = arena_array(tt->arena, Expr, e->count + 1);
  bool changed = false;
  for (uint32_t i = 0; i < e->count; i++) args[i] = with_tanh_alone(b, e->args[i]), changed |= args[i] != e->args[i];
  if (changed) return book_with_args(b, e, args);
  if (!is_idiom(e, TENSOR_SIGMOID)) return e;
  Parts parts = book_factors(b, e->args[0]);
  parts.k = book_times(b, &parts, parts.k, half);
  Expr x = parts.is_full ? NULL : book_put_product(b, &parts), own = x ? tensor_fn(tt, FN_TANH, 1, &x) : NULL;
  if (!own || !book_occurs(b, b->whole, own)) return e;
  Expr after = tensor_binary(tt, TENSOR_MUL, number(tt, half), tensor_binary(tt, TENSOR_ADD, number(tt, one), own));
  if (b->steps) array_push(tt->arena, b->steps, (TensorStep){"sigmoid-by-tanh", e, after});
  return after;
}

static Expr search_with_one_gate(Book *b, Expr e) {
  Expr found = book_search(b, e);
  uint32_t steps = b->steps ? b->steps->count : 0;
  b->whole = found;
  Expr other = book_is_without(b, "sigmoid-by-tanh") || found->size > MOST_NODES ? found : with_tanh_alone(b, found);
  bool fits = other && other != found && book_same_shape(other, found) &&
              book_effort(b, other) < book_effort(b, found) &&
              (!b->prove || b->prove(b->tt, found, other, b->constants, b->payload));
  if (!fits && b->steps) b->steps->count = steps;
  return fits ? other : found;
}

/* Parts by themselves; and if one of them got shorter at the cost of the whole, with an eye to the whole. */
const TensorExpr *tensor_search(TermTable *tt, const TensorExpr *e, const TensorLaws *laws) {
  TensorSteps own = {0}, *steps = laws->steps ? &own : NULL;
  Book b = book_new(tt, laws, LAW_LAST), c;
  b.whole = e, b.steps = steps;
  b.constants = NULL; /* literals have been read as closed forms before */
  c = b;
  Expr found = search_with_one_gate(&b, e);
  if (b.has_left_parts) {
    TensorSteps others = {0};
    c.keeps_parts = true, c.steps = steps ? &others : NULL;
    Expr other = search_with_one_gate(&c, e);
    if (book_effort(&c, other) < book_effort(&b, found)) found = other, own = others;
  }
  for (uint32_t i = 0; i < own.count; i++) array_push(tt->arena, laws->steps, own.data[i]);
  return found;
}

const TensorExpr *tensor_named(TermTable *tt, const TensorExpr *e, const TensorLaws *laws) {
  Book b = book_new(tt, laws, LAW_NAMED);
  b.constants = NULL;
  Expr named = book_rewrite(&b, e);
  return book_same_shape(named, e) ? named : e;
}
