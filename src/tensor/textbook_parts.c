/* Expressions as sums and products of parts (see textbook.h), and what of them stands in several laws. */
#include "tensor/textbook.h"

#include <math.h>

/* ---- taking apart, putting together ---- */

Rational book_times(Book *b, Parts *parts, Rational x, Rational y) {
  if (!fits(x) || !fits(y)) {
    parts->is_full = true;
    return x;
  }
  return rational_mul(b->tt->arena->guard, x, y);
}

void book_push(Book *b, Parts *parts, Expr e, Rational k) {
  for (uint32_t i = 0; i < parts->count; i++)
    if (tensor_equal(b->tt, parts->part[i].e, e)) {
      parts->part[i].k = rational_add(b->tt->arena->guard, parts->part[i].k, k);
      if (!parts->part[i].k.num) parts->part[i] = parts->part[--parts->count];
      return;
    }
  if (parts->count == MOST_PARTS)
    parts->is_full = true;
  else
    parts->part[parts->count++] = (Part){e, k};
}

void book_take_factors(Book *b, Expr e, Rational k, Parts *out) {
  TermTable *tt = b->tt;
  Rational value;
  bool whole = k.den == 1 && k.num >= -16 && k.num <= 16;
  if (is_number(tt, e, &value) && whole && value.num && fits(value) &&
      (is_one(k) || k.num == -1 || value.num < 65536)) {
    out->k = book_times(b, out, out->k, rational_power(tt->arena->guard, value, (int64_t)k.num));
    return;
  }
  if (e->op == TENSOR_MUL || e->op == TENSOR_DIV) {
    book_take_factors(b, e->args[0], k, out);
    book_take_factors(b, e->args[1], e->op == TENSOR_MUL ? k : rational_neg(k), out);
  } else if (e->op == TENSOR_NEG && whole) {
    if (k.num % 2) out->k = rational_neg(out->k);
    book_take_factors(b, e->args[0], k, out);
  } else if (e->op == TENSOR_SQRT && whole) /* sqrt(x) ** k */
    book_push(b, out, e->args[0], (Rational){k.num % 2 ? k.num : k.num / 2, k.num % 2 ? 2 : 1});
  else if (e->op == TENSOR_POW && is_number(tt, e->args[1], &value) && value.den == 2 && is_one(k))
    book_push(b, out, e->args[0], value);
  else if (e->op == TENSOR_POW && whole && is_number(tt, e->args[1], &value) && value.den == 1)
    book_take_factors(b, e->args[0], rational_mul(tt->arena->guard, k, value), out);
  else
    book_push(b, out, e, k);
}

Parts book_factors(Book *b, Expr e) {
  Parts out = {.k = one};
  book_take_factors(b, e, one, &out);
  return out;
}

static bool is_constant(TermTable *tt, Expr e) {
  Rational r;
  if (is_number(tt, e, &r)) return r.num > 0;
  return is_idiom(e, TENSOR_PI) || (is_product_op(e->op) && is_constant(tt, e->args[0]) && is_constant(tt, e->args[1]));
}

/* sqrt(8 / pi) / 2 = sqrt(2 / pi): the number in front goes below the root, where the number there gets smaller. */
static void number_below_root(Book *b, Parts *p, uint32_t i) {
  TermTable *tt = b->tt;
  Rational k = magnitude(p->k), power = p->part[i].k;
  if (power.den != 2 || !is_one(rational_mul(tt->arena->guard, magnitude(power), (Rational){2, 1})) || is_one(k) ||
      k.num > UINT32_MAX || k.den > UINT32_MAX || !is_constant(tt, p->part[i].e))
    return;
  Parts inner = book_factors(b, p->part[i].e);
  Rational square = {k.num * k.num, k.den * k.den};
  if (inner.is_full || inner.k.num > UINT32_MAX || inner.k.den > UINT32_MAX) return;
  Rational all =
      power.num > 0 ? rational_mul(tt->arena->guard, inner.k, square) : rational_div(tt->arena->guard, inner.k, square);
  if (all.den != 1 || all.num >= inner.k.num) return;
  inner.k = all;
  Expr root = book_put_product(b, &inner);
  if (!root) return;
  p->part[i].e = root;
  p->k = p->k.num < 0 ? minus_one : one;
}

Expr book_put_product(Book *b, const Parts *parts) {
  TensorPart list[MOST_PARTS];
  Parts p = *parts;
  for (uint32_t i = 0; i < p.count; i++)
    if (p.part[i].k.den == 2) number_below_root(b, &p, i);
  for (uint32_t i = 0; i < p.count; i++) list[i] = (TensorPart){p.part[i].e, p.part[i].k};
  return tensor_product(b->tt, p.k, p.count, list);
}

void book_take_summands(Book *b, Expr e, Rational k, Parts *out) {
  Rational value;
  if (is_number(b->tt, e, &value)) { /* one literal may be as long as those of f64 are: eps */
    if (!out->k.num && is_one(magnitude(k)))
      out->k = k.num < 0 ? rational_neg(value) : value;
    else if (fits(out->k))
      out->k = rational_add(b->tt->arena->guard, out->k, book_times(b, out, k, value));
    else
      out->is_full = true;
    return;
  }
  if (e->op == TENSOR_ADD || e->op == TENSOR_SUB) {
    book_take_summands(b, e->args[0], k, out);
    book_take_summands(b, e->args[1], e->op == TENSOR_ADD ? k : rational_neg(k), out);
    return;
  }
  if (e->op == TENSOR_NEG) {
    book_take_summands(b, e->args[0], rational_neg(k), out);
    return;
  }
  if (e->op == TENSOR_MUL || e->op == TENSOR_DIV) {
    Parts factors = book_factors(b, e);
    if (!factors.is_full && !is_one(factors.k) && factors.count) {
      Rational own = book_times(b, out, k, factors.k);
      factors.k = one;
      Expr rest = book_put_product(b, &factors);
      if (rest)
        book_push(b, out, rest, own);
      else
        out->is_full = true;
      return;
    }
  }
  book_push(b, out, e, k);
}

Parts book_summands(Book *b, Expr e) {
  Parts out = {.k = {0, 1}};
  book_take_summands(b, e, one, &out);
  return out;
}

Expr book_put_sum(Book *b, const Parts *parts) {
  TensorPart list[MOST_PARTS];
  for (uint32_t i = 0; i < parts->count; i++) list[i] = (TensorPart){parts->part[i].e, parts->part[i].k};
  return tensor_sum(b->tt, parts->k, parts->count, list);
}

void book_drop(Parts *parts, uint32_t i) {
  for (parts->count--; i < parts->count; i++) parts->part[i] = parts->part[i + 1];
}

Expr book_negated(Book *b, Expr e) {
  Parts parts = {.k = {0, 1}};
  book_take_summands(b, e, minus_one, &parts);
  return parts.is_full ? NULL : book_put_sum(b, &parts);
}

bool book_split_scalars(Book *b, Expr e, Expr *scalar, Expr *rest) {
  if (e->op == TENSOR_WHERE && is_zero(b->tt, e->args[2]) && book_split_scalars(b, e->args[1], scalar, rest)) {
    *rest = tensor_where(b->tt, e->args[0], *rest, e->args[2]);
    return *rest != NULL;
  }
  if (e->op != TENSOR_MUL && e->op != TENSOR_DIV && e->op != TENSOR_NEG) return false;
  Parts all = book_factors(b, e), front = {.k = all.k}, back = {.k = one};
  for (uint32_t i = 0; i < all.count; i++) {
    Parts *side = all.part[i].e->rank ? &back : &front;
    side->part[side->count++] = all.part[i];
  }
  if (all.is_full || !back.count || (!front.count && is_one(front.k))) return false;
  *scalar = book_put_product(b, &front), *rest = book_put_product(b, &back);
  return *scalar && *rest;
}

int book_find(Book *b, const Parts *p, Expr e, Rational k) {
  for (uint32_t i = 0; i < p->count; i++)
    if (rational_equal(p->part[i].k, k) && tensor_equal(b->tt, p->part[i].e, e)) return (int)i;
  return -1;
}

/* ---- constants ---- */

uint32_t book_noted(const Book *b) { return b->constants ? b->constants->count : 0; }

bool book_take_back(Book *b, uint32_t count) {
  if (b->constants) b->constants->count = count;
  return false;
}

/* ---- multiplied out ---- */

Parts book_multiply_out(Book *b, Parts product, uint32_t inner) {
  Parts from = book_summands(b, product.part[inner].e), out = {.k = {0, 1}, .is_full = from.is_full};
  book_drop(&product, inner);
  product.k = one;
  Expr others = book_put_product(b, &product);
  if (!product.count) return from;
  out.is_full |= !others;
  if (from.k.num && others) book_push(b, &out, others, from.k);
  for (uint32_t i = 0; i < from.count && !out.is_full; i++) {
    Parts each = product;
    book_take_factors(b, from.part[i].e, one, &each);
    Expr whole = each.is_full ? NULL : book_put_product(b, &each);
    if (whole)
      book_take_summands(b, whole, from.part[i].k, &out);
    else
      out.is_full = true;
  }
  return out;
}

/* A sum in which no product has a sum as a factor, one level deep; NULL: too long. */
static Expr distributed(Book *b, Expr e) {
  Guard *guard = b->tt->arena->guard;
  Parts from = book_summands(b, e), all = {.k = from.k, .is_full = from.is_full};
  for (uint32_t i = 0; i < from.count && !all.is_full; i++) {
    Parts factors = book_factors(b, from.part[i].e);
    uint32_t inner = 0;
    while (inner < factors.count && !(is_sum_op(factors.part[inner].e->op) && is_one(factors.part[inner].k))) inner++;
    if (factors.is_full || inner == factors.count) {
      book_push(b, &all, from.part[i].e, from.part[i].k);
      continue;
    }
    Parts each = book_multiply_out(b, factors, inner);
    if (each.is_full || !fits(factors.k) || !fits(from.part[i].k) || !fits(all.k)) return NULL;
    Rational k = rational_mul(guard, factors.k, from.part[i].k);
    if (each.k.num) all.k = rational_add(guard, all.k, book_times(b, &all, each.k, k));
    for (uint32_t j = 0; j < each.count; j++)
      book_push(b, &all, each.part[j].e, book_times(b, &all, each.part[j].k, k));
  }
  return all.is_full ? NULL : book_put_sum(b, &all);
}

static bool is_same_distributed(Book *b, Expr x, Expr y) {
  Expr own = x->rank == y->rank ? distributed(b, x) : NULL, other = own ? distributed(b, y) : NULL;
  return other && tensor_equal(b->tt, own, other);
}

/* ---- parts of the laws ---- */

/* None of the axes that are folded is empty. */
static bool folds_something(TermTable *tt, Expr e) {
  for (uint32_t i = 0; i < e->axis_count; i++)
    if (!term_prove_le(tt, tt->one, e->args[0]->shape[e->axes[i]])) return false;
  return true;
}

bool book_is_finite(Book *b, Expr e, int depth) {
  TermTable *tt = b->tt;
  TermFnPole pole = e->op == TENSOR_LOG2                         ? FN_POLE_ZERO
                    : e->op == TENSOR_FN1 || e->op == TENSOR_FN2 ? term_fn_info(e->fn)->pole
                                                                 : FN_POLE_NONE;
  if (e->op == TENSOR_CONST) return !(term_node(tt, e->value)->flags & TERM_HAS_INF);
  if (e->count && !depth) return false;
  if (pole == FN_POLE_ZERO ? !book_is_positive(b, e->args[0], depth - 1) : pole != FN_POLE_NONE) return false;
  if ((e->op == TENSOR_REDUCE || e->op == TENSOR_IDIOM) && !folds_something(tt, e)) return false;
  for (uint32_t i = 0; i < e->count; i++)
    if (!book_is_finite(b, e->args[i], depth - 1)) return false;
  return true;
}

bool book_is_total(Book *b, Expr e) {
  TermTable *tt = b->tt;
  Term index[TENSOR_MAX_RANK];
  for (uint32_t i = 0; i < e->rank; i++) {
    index[i] = term_symbol_fresh(tt, "i", SORT_INT, SYMBOL_INDEX);
    term_symbol_range(tt, index[i], tt->zero, term_sub(tt, e->shape[i], tt->one));
  }
  Term value = tensor_meaning(tt, e, index);
  return value && term_is_total(tt, value);
}

bool book_is_positive(Book *b, Expr e, int depth) {
  TermTable *tt = b->tt;
  Rational r;
  if (is_number(tt, e, &r)) return r.num > 0;
  if (is_fn(e, FN_EXP) || e->op == TENSOR_EXP2 || is_idiom(e, TENSOR_SIGMOID) || is_idiom(e, TENSOR_PI)) return true;
  bool all = e->op == TENSOR_ADD || e->op == TENSOR_MUL || e->op == TENSOR_DIV, first = e->op == TENSOR_POW;
  bool fold = is_reduce(e, FOLD_MAX) || is_reduce(e, FOLD_MIN) || is_reduce(e, FOLD_SUM);
  bool view = e->op == TENSOR_EXPAND || e->op == TENSOR_TRANSPOSE;
  if ((!all && !first && !fold && !view) || !depth) return false;
  if (fold && !folds_something(tt, e)) return false;
  for (uint32_t i = 0; i < (all ? e->count : 1); i++)
    if (!book_is_positive(b, e->args[i], depth - 1)) return false;
  return true;
}

bool book_is_free(Book *b, Expr m, uint32_t rank, uint32_t axis) {
  return axis + m->rank < rank || m->shape[axis + m->rank - rank] == b->tt->one;
}

/* sqrt(2), pi, log(10): no exponent makes it negative. */
static bool is_positive_constant(TermTable *tt, Expr e) {
  Rational r;
  if (is_number(tt, e, &r)) return r.num > 0;
  if (is_idiom(e, TENSOR_PI)) return true;
  return is_fn(e, FN_LOG) && is_number(tt, e->args[0], &r) && r.den == 1 && r.num > 1;
}

static Expr unshifted(Book *b, Expr e, uint8_t axis);

/* c * (y - max(y)) with a positive constant c: c * y, else NULL */
static Expr scaled_unshifted(Book *b, Expr e, uint8_t axis) {
  Parts parts = book_factors(b, e);
  int sum = -1;
  if (parts.is_full || parts.k.num <= 0) return NULL;
  for (uint32_t i = 0; i < parts.count; i++) {
    if (is_sum_op(parts.part[i].e->op) && is_one(parts.part[i].k) && sum < 0)
      sum = (int)i;
    else if (!is_positive_constant(b->tt, parts.part[i].e))
      return NULL;
  }
  Expr y = sum < 0 || (parts.count == 1 && is_one(parts.k)) ? NULL : unshifted(b, parts.part[sum].e, axis);
  if (!y) return NULL;
  book_drop(&parts, (uint32_t)sum);
  book_take_factors(b, y, one, &parts);
  return parts.is_full ? NULL : book_put_product(b, &parts);
}

/* e = x - max(x, axis): x, else NULL; the maximum of c * y may stand as c * max(y). */
static Expr unshifted(Book *b, Expr e, uint8_t axis) {
  Parts parts = book_summands(b, e);
  if (!is_sum_op(e->op)) return scaled_unshifted(b, e, axis);
  for (uint32_t i = 0; !parts.is_full && i < parts.count; i++) {
    Expr m = parts.part[i].e;
    Rational k = parts.part[i].k;
    if (!is_reduce(m, FOLD_MAX) || m->axis_count != 1 || m->axes[0] != axis || k.num >= 0) continue;
    book_drop(&parts, i);
    Expr x = book_put_sum(b, &parts), y = x;
    if (!is_one(magnitude(k))) {
      if (!fits(parts.k)) return NULL;
      parts.k = rational_div(b->tt->arena->guard, parts.k, magnitude(k));
      for (uint32_t j = 0; j < parts.count; j++)
        parts.part[j].k = rational_div(b->tt->arena->guard, parts.part[j].k, magnitude(k));
      y = book_put_sum(b, &parts);
    }
    if (y && tensor_equal(b->tt, y, m->args[0])) return x;
    if (is_one(magnitude(k)) && x && x->rank == m->args[0]->rank &&
        (tensor_equal(b->tt, book_rewrite(b, x), m->args[0]) || is_same_distributed(b, x, m->args[0])))
      return m->args[0];
    return NULL;
  }
  return NULL;
}

Expr book_softmax_argument(Book *b, Expr sum) {
  if (!is_reduce(sum, FOLD_SUM) || sum->axis_count != 1 || !is_fn(sum->args[0], FN_EXP)) return NULL;
  return unshifted(b, sum->args[0]->args[0], sum->axes[0]);
}

Expr book_exponent(Book *b, Expr e) {
  TermTable *tt = b->tt;
  if (is_fn(e, FN_EXP)) return e->args[0];
  if (e->op != TENSOR_WHERE || !is_fn(e->args[1], FN_EXP) || !is_zero(tt, e->args[2])) return NULL;
  return tensor_where(tt, e->args[0], e->args[1]->args[0], tensor_const(tt, tt->neg_inf));
}
