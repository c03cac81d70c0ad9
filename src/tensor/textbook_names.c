/* Names for what formulas are made of in layers: attention, linear, cross_entropy, .. (the rows NAMED of laws.def).
 *
 * A law guesses the arguments from the form, and the guess stands only if the idiom's own definition, in the textbook's
 * form, is the expression: so the name says what was there, whatever the guess rests on. */
#include "tensor/textbook.h"

/* The idiom of these arguments, if its definition is e. */
static Expr confirmed(Book *b, Expr e, TensorIdiom idiom, const Expr *args, uint32_t axis_count, const uint8_t *axes) {
  Expr named = tensor_idiom(b->tt, idiom, args, axis_count, axes);
  if (!named || !book_same_shape(named, e)) return NULL;
  Expr meant = book_normal(b, named->plain), own = book_normal(b, e);
  return meant && own && tensor_equal(b->tt, meant, own) ? named : NULL;
}

/* x - logsumexp(x), of the parts of a sum */
bool name_log_softmax(Book *b, Parts *p) {
  for (uint32_t i = 0; i < p->count; i++) {
    Expr lse = p->part[i].e;
    Rational k = p->part[i].k;
    if (!is_idiom(lse, TENSOR_LOGSUMEXP) || !is_one(magnitude(k))) continue;
    Expr x = lse->args[0];
    Parts own = book_summands(b, x), rest = *p;
    book_drop(&rest, i);
    for (uint32_t j = 0; j < own.count; j++) book_push(b, &rest, own.part[j].e, book_times(b, &rest, k, own.part[j].k));
    rest.k = rational_add(b->tt->arena->guard, rest.k, book_times(b, &rest, k, own.k));
    if (own.is_full || rest.is_full || rest.count + own.count + 1 != p->count) continue; /* not all of x stands there */
    book_push(b, &rest, tensor_idiom(b->tt, TENSOR_LOG_SOFTMAX, &x, 1, lse->axes), rational_neg(k));
    *p = rest;
    return !p->is_full;
  }
  return false;
}

Expr name_log_of_softmax(Book *b, Expr e) {
  Expr x = e->args[0];
  return e->fn == FN_LOG && is_idiom(x, TENSOR_SOFTMAX) ? tensor_idiom(b->tt, TENSOR_LOG_SOFTMAX, x->args, 1, x->axes)
                                                        : NULL;
}

/* silu(x) * y, of two factors; a function of x beside it is no second input of a gate */
bool name_swiglu(Book *b, Parts *p) {
  for (uint32_t i = 0; i < 2 && p->count == 2; i++) {
    Part gate = p->part[i], up = p->part[1 - i];
    if (!is_idiom(gate.e, TENSOR_SILU) || !is_one(gate.k) || !is_one(up.k) || !up.e->rank) continue;
    if (book_occurs(b, up.e, gate.e->args[0])) continue;
    p->part[0] = (Part){tensor_idiom(b->tt, TENSOR_SWIGLU, (Expr[]){gate.e->args[0], up.e}, 0, NULL), one};
    p->count = 1;
    return p->part[0].e != NULL;
  }
  return false;
}

/* x[labels], subtracted from logsumexp(x) */
bool name_cross_entropy(Book *b, Parts *p) {
  for (uint32_t i = 0; i < p->count; i++) {
    Expr lse = p->part[i].e;
    if (!is_idiom(lse, TENSOR_LOGSUMEXP)) continue;
    for (uint32_t j = 0; j < p->count; j++) {
      Expr own = p->part[j].e;
      if (own->op != TENSOR_TAKE_ALONG || !rational_equal(p->part[j].k, rational_neg(p->part[i].k)) ||
          own->args[1]->op != TENSOR_EXPAND || !tensor_equal(b->tt, own->args[0], lse->args[0]))
        continue;
      Expr args[2] = {lse->args[0], own->args[1]->args[0]};
      Expr named = confirmed(b, tensor_binary(b->tt, TENSOR_SUB, lse, own), TENSOR_CROSS_ENTROPY, args, 0, NULL);
      if (!named) continue;
      p->part[i].e = named;
      book_drop(p, j);
      return true;
    }
  }
  return false;
}

/* The last two axes change places: what they were before, else NULL. */
static Expr untransposed(Book *b, Expr e) {
  uint8_t axes[TENSOR_MAX_RANK];
  if (e->op != TENSOR_TRANSPOSE || e->rank < 2) return NULL;
  for (uint32_t i = 0; i < e->rank; i++) axes[i] = (uint8_t)i;
  axes[e->rank - 2] = (uint8_t)(e->rank - 1), axes[e->rank - 1] = (uint8_t)(e->rank - 2);
  return tensor_transpose(b->tt, e, axes);
}

/* x @ transpose(w) + b, in a sum of more */
bool name_linear(Book *b, Parts *p) {
  for (uint32_t i = 0; i < p->count; i++)
    for (uint32_t j = 0; j < p->count; j++) {
      Expr product = p->part[i].e, bias = p->part[j].e;
      if (product->op != TENSOR_MATMUL || !is_one(p->part[i].k) || !is_one(p->part[j].k) || bias->rank != 1) continue;
      Expr w = untransposed(b, product->args[1]);
      Expr named = w ? tensor_idiom(b->tt, TENSOR_LINEAR, (Expr[]){product->args[0], w, bias}, 0, NULL) : NULL;
      if (!named) continue;
      p->part[i].e = named;
      book_drop(p, j);
      return true;
    }
  return false;
}

/* Of s * (q @ k): both, and s as one scalar; false: it is something else. */
static bool scaled_product(Book *b, Expr e, Expr *product, Expr *scale) {
  Parts parts = book_factors(b, e);
  int at = -1;
  for (uint32_t i = 0; !parts.is_full && i < parts.count; i++) {
    if (parts.part[i].e->op == TENSOR_MATMUL && is_one(parts.part[i].k) && at < 0)
      at = (int)i;
    else if (parts.part[i].e->rank)
      return false;
  }
  if (parts.is_full || at < 0) return false;
  *product = parts.part[at].e;
  book_drop(&parts, (uint32_t)at);
  *scale = book_put_product(b, &parts);
  return *scale != NULL;
}

Expr name_attention(Book *b, Expr e) {
  Expr weights = e->args[0], product, scale;
  if (!is_idiom(weights, TENSOR_SOFTMAX)) return NULL;
  Expr scores = weights->args[0];
  bool is_masked = scores->op == TENSOR_WHERE;
  if (!scaled_product(b, is_masked ? scores->args[1] : scores, &product, &scale)) return NULL;
  Expr k = untransposed(b, product->args[1]);
  return k ? confirmed(b, e, is_masked ? TENSOR_CAUSAL_ATTENTION : TENSOR_ATTENTION,
                       (Expr[]){product->args[0], k, e->args[1], scale}, 0, NULL)
           : NULL;
}

/* What a product has besides what the part of an axis of a tensor has: cos of x[.., :half] * cos */
static bool of_halves(Book *b, Expr e, Expr *x, Expr *other) {
  Parts parts = book_factors(b, e);
  if (parts.is_full || parts.count < 2 || !is_one(parts.k)) return false;
  for (uint32_t i = 0; i < parts.count; i++) {
    if (parts.part[i].e->op != TENSOR_SLICE || !is_one(parts.part[i].k)) continue;
    *x = parts.part[i].e->args[0];
    book_drop(&parts, i);
    return (*other = book_put_product(b, &parts)) != NULL;
  }
  return false;
}

Expr name_rotary(Book *b, Expr e) {
  Expr x, y, cosine, sine;
  if (e->count != 2) return NULL;
  Parts first = book_summands(b, e->args[0]);
  if (first.is_full || first.count != 2 || first.k.num) return NULL;
  uint32_t minus = first.part[0].k.num < 0 ? 0 : 1;
  if (!of_halves(b, first.part[1 - minus].e, &x, &cosine) || !of_halves(b, first.part[minus].e, &y, &sine)) return NULL;
  return confirmed(b, e, TENSOR_ROTARY, (Expr[]){x, cosine, sine}, 0, NULL);
}

/* The channels of axis 1 as an array of one axis, else NULL */
static Expr channels(Expr e) {
  while (e->op == TENSOR_EXPAND && e->axis + 1u == e->rank) e = e->args[0];
  return e->rank == 1 ? e : NULL;
}

/* (x - mean) / sqrt(var + eps) * w + b */
bool name_batch_norm(Book *b, Parts *p) {
  if (p->count != 2 || p->k.num || !is_one(p->part[0].k) || !is_one(p->part[1].k)) return false;
  for (uint32_t i = 0; i < 2; i++) {
    Parts factors = book_factors(b, p->part[i].e);
    Expr args[6] = {NULL, NULL, NULL, NULL, channels(p->part[1 - i].e), NULL};
    for (uint32_t f = 0; !factors.is_full && f < factors.count; f++) {
      Expr part = factors.part[f].e;
      Parts sum = book_summands(b, part);
      if (factors.part[f].k.num == -1 && factors.part[f].k.den == 2 && sum.count == 2) { /* var + eps */
        uint32_t eps = sum.part[0].e->rank ? 1 : 0;
        args[5] = sum.part[eps].e, args[2] = channels(sum.part[1 - eps].e);
      } else if (factors.part[f].k.num == -1 && factors.part[f].k.den == 2 && sum.count == 1) {
        args[5] = number(b->tt, sum.k), args[2] = channels(sum.part[0].e);
      } else if (is_one(factors.part[f].k) && part->op == TENSOR_SUB) {
        args[0] = part->args[0], args[1] = channels(part->args[1]);
      } else if (is_one(factors.part[f].k))
        args[3] = channels(part);
    }
    bool has_all = true;
    for (int k = 0; k < 6; k++) has_all = has_all && args[k];
    Expr whole = has_all ? tensor_binary(b->tt, TENSOR_ADD, p->part[0].e, p->part[1].e) : NULL;
    Expr named = whole ? confirmed(b, whole, TENSOR_BATCH_NORM, args, 0, NULL) : NULL;
    if (!named) continue;
    p->part[0] = (Part){named, one}, p->count = 1;
    return true;
  }
  return false;
}

Expr name_group_norm(Book *b, Expr e) {
  Expr rows = e->args[0];
  if (!is_idiom(rows, TENSOR_LAYER_NORM) || rows->args[0]->op != TENSOR_RESHAPE || rows->rank != 3) return NULL;
  Expr groups = tensor_size(b->tt, rows->shape[1]);
  return groups ? confirmed(b, e, TENSOR_GROUP_NORM, (Expr[]){rows->args[0]->args[0], groups, rows->args[1]}, 0, NULL)
                : NULL;
}
