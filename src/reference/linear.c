/* Products of matrices: matmul and its relatives, einsum, linear layers, attention. */
#include <string.h>

#include "reference/internal.h"

typedef const TensorExpr *Expr;

/* Truth values: NumPy would join them by or, PyTorch refuses them. */
static bool are_numbers(Call *c) {
  bool truths = value_type(c->args[0]) == 'b' && value_type(c->args[1]) == 'b' && !c->e->is_formula;
  if (truths) call_fail(c, "convert them first", "%s of truth values is not read", c->name);
  return !truths;
}

/* mm, bmm and mv are of one rank each. */
static bool has_ranks(Call *c, Expr a, Expr b) {
  static const struct {
    const char *name;
    uint32_t a, b;
  } table[] = {{"mm", 2, 2}, {"bmm", 3, 3}, {"mv", 2, 1}, {"addmm", 2, 2}, {"baddbmm", 3, 3}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!strcmp(table[i].name, c->name) && (a->rank != table[i].a || b->rank != table[i].b))
      return call_fail(c, "use matmul", "%s is of tensors of rank %u and %u", c->name, table[i].a, table[i].b), false;
  return true;
}

static const Value *matmul(Call *c) {
  Expr a = number_arg(c, 0), b = a ? number_arg(c, 1) : NULL;
  if (b && (!are_numbers(c) || !has_ranks(c, a, b))) return NULL;
  return b ? call_result(c, matrix_product(c->e, a, b)) : NULL;
}

/* dot of PyTorch is of vectors, that of NumPy also of matrices */
static const Value *dot(Call *c) {
  Expr a = number_arg(c, 0), b = a ? number_arg(c, 1) : NULL;
  if (!b || !are_numbers(c)) return NULL;
  if (!c->is_numpy && (a->rank != 1 || b->rank != 1)) return call_fail(c, "use matmul", "dot is of vectors");
  if (a->rank > 1 && b->rank > 2)
    return call_fail(c, NULL, "dot of tensors of rank %u and %u is not read", a->rank, b->rank);
  return call_result(c, a->rank && b->rank ? matrix_product(c->e, a, b) : op2(c->e, TENSOR_MUL, a, b));
}

/* the sum of the products of all elements */
static const Value *vdot(Call *c) {
  Expr a = number_arg(c, 0), b = a ? number_arg(c, 1) : NULL;
  if (!b || !are_numbers(c)) return NULL;
  bool fits = a->rank == b->rank && (c->is_numpy || a->rank == 1);
  for (uint32_t i = 0; fits && i < a->rank; i++) fits = a->shape[i] == b->shape[i];
  if (!fits)
    return call_fail(c, NULL, "vdot of shapes %s and %s is not read", reference_shape_text(c->e, a),
                     reference_shape_text(c->e, b));
  uint32_t axes = (1u << a->rank) - 1;
  return call_result(c, drop_axes(c->e, fold_axes(c->e, FOLD_SUM, op2(c->e, TENSOR_MUL, a, b), axes), axes));
}

/* along the last axes of both */
static const Value *inner(Call *c) {
  Expr a = number_arg(c, 0), b = a ? number_arg(c, 1) : NULL;
  if (!b || !are_numbers(c)) return NULL;
  if (!a->rank || !b->rank) return call_result(c, op2(c->e, TENSOR_MUL, a, b));
  if (b->rank > 2) return call_fail(c, "use einsum", "inner with a tensor of rank %u is not read", b->rank);
  return call_result(c, matrix_product(c->e, a, b->rank == 2 ? swap_axes(c->e, b, 0, 1) : b));
}

static const Value *outer(Call *c) {
  Expr a = number_arg(c, 0), b = a ? number_arg(c, 1) : NULL;
  return b ? call_result(c,
                         a->rank == 1 && b->rank == 1 ? op2(c->e, TENSOR_MUL, tensor_expand(c->e->tt, a, 1), b) : NULL)
           : NULL;
}

/* input, mat1, mat2, beta, alpha */
static const Value *addmm(Call *c) {
  Expr x = number_arg(c, 0), a = x ? number_arg(c, 1) : NULL, b = a ? number_arg(c, 2) : NULL,
       one = tensor_of_int(c->e, 1);
  Expr beta = b ? number_or(c, 3, one) : NULL, alpha = beta ? number_or(c, 4, one) : NULL;
  if (!alpha || !has_ranks(c, a, b)) return NULL;
  return call_result(c, op2(c->e, TENSOR_ADD, op2(c->e, TENSOR_MUL, beta, x),
                            op2(c->e, TENSOR_MUL, alpha, matrix_product(c->e, a, b))));
}

/* input, weight, bias */
static const Value *linear(Call *c) {
  Expr x = number_arg(c, 0), w = x ? number_arg(c, 1) : NULL;
  if (!w) return NULL;
  if (w->rank != 2) return call_fail(c, NULL, "the weight of linear is a matrix");
  Expr product = matrix_product(c->e, x, swap_axes(c->e, w, 0, 1));
  return call_result(c, has(c, 2) ? op2(c->e, TENSOR_ADD, product, number_arg(c, 2)) : product);
}

/* ---- einsum ---- */

typedef struct Labels {
  char label[TENSOR_MAX_RANK + 1];
  uint32_t count;
} Labels;

static bool read_labels(const char *text, size_t length, Labels *out) {
  out->count = 0;
  for (size_t i = 0; i < length; i++) {
    if (text[i] == ' ') continue;
    bool letter = (text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z');
    if (!letter || out->count == TENSOR_MAX_RANK) return false;
    out->label[out->count++] = text[i];
  }
  return true;
}

static uint32_t place_of(const Labels *labels, char label) {
  uint32_t i = 0;
  while (i < labels->count && labels->label[i] != label) i++;
  return i;
}

/* The operand with one axis for each of `all`, in that order, of length 1 where it lacks the label. */
static Expr align(Call *c, Expr x, const Labels *own, const Labels *all) {
  uint8_t axes[TENSOR_MAX_RANK];
  uint32_t n = 0;
  for (uint32_t i = 0; i < all->count; i++)
    if (place_of(own, all->label[i]) < own->count) axes[n++] = (uint8_t)place_of(own, all->label[i]);
  if (n != own->count) return NULL; /* a label twice: a diagonal */
  x = tensor_transpose(c->e->tt, x, axes);
  for (uint32_t i = 0; x && i < all->count; i++)
    if (place_of(own, all->label[i]) == own->count) x = tensor_expand(c->e->tt, x, i);
  return x;
}

static const Value *einsum(Call *c) {
  const char *text;
  Labels operands[8], all = {.count = 0}, out = {.count = 0};
  uint32_t count = 0;
  if (!string_arg(c, 0, NULL, &text) || !text) return NULL;
  const char *arrow = strstr(text, "->"), *end = arrow ? arrow : text + strlen(text);
  for (const char *at = text; count < 8;) {
    const char *comma = memchr(at, ',', (size_t)(end - at)), *stop = comma ? comma : end;
    if (!read_labels(at, (size_t)(stop - at), &operands[count++]))
      return call_fail(c, NULL, "this subscript of einsum is not read");
    if (!comma) break;
    at = comma + 1;
  }
  if (arrow && !read_labels(arrow + 2, strlen(arrow + 2), &out))
    return call_fail(c, NULL, "this subscript of einsum is not read");
  if (count != c->extra_count)
    return call_fail(c, NULL, "einsum has %u subscripts and %u operands", count, c->extra_count);
  for (char label = 'A'; !arrow && label <= 'z'; label++) { /* what occurs once, in alphabetical order */
    uint32_t seen = 0;
    for (uint32_t i = 0; i < count; i++)
      for (uint32_t k = 0; k < operands[i].count; k++) seen += operands[i].label[k] == label;
    if (seen == 1 && out.count < TENSOR_MAX_RANK) out.label[out.count++] = label;
  }
  all = out;
  for (uint32_t i = 0; i < out.count; i++) {
    bool known = false;
    for (uint32_t k = 0; k < count; k++) known |= place_of(&operands[k], out.label[i]) < operands[k].count;
    if (!known || place_of(&out, out.label[i]) != i)
      return call_fail(c, NULL, "the label '%c' of the result of einsum stands in no operand, or twice", out.label[i]);
  }
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < operands[i].count; k++) {
      if (place_of(&all, operands[i].label[k]) < all.count) continue;
      if (all.count == TENSOR_MAX_RANK) return call_fail(c, NULL, "einsum over too many axes");
      all.label[all.count++] = operands[i].label[k];
    }
  Expr product = NULL;
  bool truths = true;
  for (uint32_t i = 0; i < count; i++) truths = truths && value_type(c->extra[i]) == 'b';
  if (truths) return call_fail(c, "convert them first", "einsum of truth values is not read");
  for (uint32_t i = 0; i < count; i++) {
    const Value *v = c->extra[i];
    Expr x = v->kind == VALUE_TENSOR ? tensor_number(c->e, v->tensor) : NULL;
    if (!x || x->rank != operands[i].count)
      return call_fail(c, NULL, "operand %u of einsum does not have the rank of its subscript", i + 1);
    x = align(c, x, &operands[i], &all);
    if (!x) return call_fail(c, NULL, "a label twice in one operand of einsum is not read");
    product = product ? op2(c->e, TENSOR_MUL, product, x) : x;
    if (!product) return call_fail(c, NULL, "the shapes of the operands of einsum do not fit");
  }
  uint32_t axes = 0;
  for (uint32_t i = out.count; i < all.count; i++) axes |= 1u << i;
  return call_result(c, drop_axes(c->e, fold_axes(c->e, FOLD_SUM, product, axes), axes));
}

/* ---- attention ---- */

/* where(column <= row, scores, -inf): aligned at the first row and column, as PyTorch does it */
static Expr causal(Call *c, Expr scores) {
  uint32_t rank = scores->rank;
  Expr row = row_index(c->e, scores, rank - 2), column = row_index(c->e, scores, rank - 1);
  return choose(c->e, op2(c->e, TENSOR_LE, column, row), scores, tensor_const(c->e->tt, c->e->tt->neg_inf));
}

static bool mentions(Expr e, Term value) {
  if (e->op == TENSOR_CONST && e->value == value) return true;
  for (uint32_t i = 0; i < e->count; i++)
    if (mentions(e->args[i], value)) return true;
  return false;
}

/* query, key, value, attn_mask, dropout_p, is_causal, scale */
static const Value *attention(Call *c) {
  Expr q = number_arg(c, 0), k = q ? number_arg(c, 1) : NULL, v = k ? number_arg(c, 2) : NULL;
  bool is_causal, grouped;
  if (!v || !bool_arg(c, 5, false, &is_causal) || !bool_arg(c, 7, false, &grouped)) return NULL;
  if (grouped) return call_fail(c, "repeat the heads of key and value", "enable_gqa is not read");
  if (q->rank < 2 || k->rank < 2 || v->rank < 2)
    return call_fail(c, NULL, "attention is of tensors of rank 2 and more");
  Expr zero = number_or(c, 4, tensor_of_int(c->e, 0));
  if (!zero || zero->op != TENSOR_CONST || zero->value != c->e->tt->zero)
    return call_fail(c, NULL, "dropout is random");
  Expr scores = matrix_product(c->e, q, swap_axes(c->e, k, k->rank - 2, k->rank - 1));
  if (!scores) return call_result(c, NULL);
  Expr width = tensor_of_size(c->e, q->shape[q->rank - 1]);
  Expr scale =
      has(c, 6) ? number_arg(c, 6) : op2(c->e, TENSOR_DIV, tensor_of_int(c->e, 1), op1(c->e, TENSOR_SQRT, width));
  scores = op2(c->e, TENSOR_MUL, scores, scale);
  Expr open = NULL; /* true if anything is in this row */
  if (has(c, 3)) {
    Expr mask = tensor_arg(c, 3);
    if (!mask) return NULL;
    char type = value_type(c->args[3]); /* bytes can be truth values alone: PyTorch refuses integers */
    if (is_causal) return call_fail(c, NULL, "attn_mask and is_causal exclude each other");
    if (type == 'i' || type == 'n') return call_fail(c, NULL, "attn_mask is of truth values or real numbers");
    if (type != 'f') mask = tensor_truth(c->e, mask);
    if (type != 'f' && mask && mask->rank) open = fold_axes(c->e, FOLD_ANY, mask, 1u << (mask->rank - 1));
    scores = type != 'f' ? choose(c->e, mask, scores, tensor_const(c->e->tt, c->e->tt->neg_inf))
                         : op2(c->e, TENSOR_ADD, scores, mask);
  }
  Term nothing = c->e->tt->neg_inf;
  if (scores && has(c, 3) && !open && mentions(c->args[3]->tensor, nothing))
    open = op2(c->e, TENSOR_NE, fold_axes(c->e, FOLD_MAX, scores, 1u << (scores->rank - 1)),
               tensor_const(c->e->tt, nothing));
  if (scores && is_causal) scores = causal(c, scores);
  if (!scores) return call_result(c, NULL);
  Expr weights = softmax_axis(c->e, scores, 1u << (scores->rank - 1), false);
  if (open) weights = choose(c->e, open, weights, tensor_of_int(c->e, 0)); /* PyTorch: a row without any place is 0 */
  return call_result(c, matrix_product(c->e, weights, v));
}

const LibraryFunction reference_linear[] = {
    {"matmul", matmul, "input|a|x1,other|mat2|b|x2"},
    {"bmm", matmul, "input,mat2"},
    {"mm", matmul, "input,mat2"},
    {"mv", matmul, "input,vec"},
    {"dot", dot, "input|a,other|b"},
    {"vdot", vdot, "input|a,other|b"},
    {"inner", inner, "input|a,other|b"},
    {"outer", outer, "input|a,vec2|b"},
    {"addmm", addmm, "input,mat1,mat2,!beta,!alpha"},
    {"baddbmm", addmm, "input,batch1,batch2,!beta,!alpha"},
    {"linear", linear, "input,weight,bias"},
    {"einsum", einsum, "equation|subscripts,*"},
    {"scaled_dot_product_attention", attention, "query,key,value,attn_mask,dropout_p,is_causal,scale,enable_gqa"},
    {NULL, NULL, NULL}};
