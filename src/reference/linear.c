/* Products of matrices: matmul and its relatives, einsum, linear layers, attention. */
#include <string.h>

#include "reference/internal.h"

typedef const TensorExpr *Expr;

static const Value *matmul(Call *c) {
  Expr a = number_arg(c, 0), b = a ? number_arg(c, 1) : NULL;
  return b ? call_result(c, matrix_product(c->e, a, b)) : NULL;
}

static const Value *dot(Call *c) {
  Expr a = number_arg(c, 0), b = a ? number_arg(c, 1) : NULL;
  if (!b) return NULL;
  if (a->rank > 1 && b->rank > 2) return call_fail(c, NULL, "dot of tensors of rank %u and %u is not read", a->rank, b->rank);
  return call_result(c, matrix_product(c->e, a, b));
}

static const Value *outer(Call *c) {
  Expr a = number_arg(c, 0), b = a ? number_arg(c, 1) : NULL;
  return b ? call_result(c, a->rank == 1 && b->rank == 1 ? op2(c->e, TENSOR_MUL, tensor_expand(c->e->tt, a, 1), b) : NULL) : NULL;
}

/* input, mat1, mat2, beta, alpha */
static const Value *addmm(Call *c) {
  Expr x = number_arg(c, 0), a = x ? number_arg(c, 1) : NULL, b = a ? number_arg(c, 2) : NULL, one = tensor_of_int(c->e, 1);
  Expr beta = b ? number_or(c, 3, one) : NULL, alpha = beta ? number_or(c, 4, one) : NULL;
  if (!alpha) return NULL;
  return call_result(c, op2(c->e, TENSOR_ADD, op2(c->e, TENSOR_MUL, beta, x), op2(c->e, TENSOR_MUL, alpha, matrix_product(c->e, a, b))));
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
    if (!read_labels(at, (size_t)(stop - at), &operands[count++])) return call_fail(c, NULL, "this subscript of einsum is not read");
    if (!comma) break;
    at = comma + 1;
  }
  if (arrow && !read_labels(arrow + 2, strlen(arrow + 2), &out)) return call_fail(c, NULL, "this subscript of einsum is not read");
  if (count != c->extra_count) return call_fail(c, NULL, "einsum has %u subscripts and %u operands", count, c->extra_count);
  for (char label = 'A'; !arrow && label <= 'z'; label++) { /* what occurs once, in alphabetical order */
    uint32_t seen = 0;
    for (uint32_t i = 0; i < count; i++) for (uint32_t k = 0; k < operands[i].count; k++) seen += operands[i].label[k] == label;
    if (seen == 1 && out.count < TENSOR_MAX_RANK) out.label[out.count++] = label;
  }
  all = out;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < operands[i].count; k++) {
      if (place_of(&all, operands[i].label[k]) < all.count) continue;
      if (all.count == TENSOR_MAX_RANK) return call_fail(c, NULL, "einsum over too many axes");
      all.label[all.count++] = operands[i].label[k];
    }
  Expr product = NULL;
  for (uint32_t i = 0; i < count; i++) {
    const Value *v = c->extra[i];
    Expr x = v->kind == VALUE_TENSOR ? tensor_number(c->e, v->tensor) : NULL;
    if (!x || x->rank != operands[i].count) return call_fail(c, NULL, "operand %u of einsum does not have the rank of its subscript", i + 1);
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

/* query, key, value, attn_mask, dropout_p, is_causal, scale */
static const Value *attention(Call *c) {
  Expr q = number_arg(c, 0), k = q ? number_arg(c, 1) : NULL, v = k ? number_arg(c, 2) : NULL;
  bool is_causal, grouped;
  if (!v || !bool_arg(c, 5, false, &is_causal) || !bool_arg(c, 7, false, &grouped)) return NULL;
  if (grouped) return call_fail(c, "repeat the heads of key and value", "enable_gqa is not read");
  if (q->rank < 2 || k->rank < 2 || v->rank < 2) return call_fail(c, NULL, "attention is of tensors of rank 2 and more");
  Expr zero = number_or(c, 4, tensor_of_int(c->e, 0));
  if (!zero || zero->op != TENSOR_CONST || zero->value != c->e->tt->zero) return call_fail(c, NULL, "dropout is random");
  Expr scores = matrix_product(c->e, q, swap_axes(c->e, k, k->rank - 2, k->rank - 1));
  if (!scores) return call_result(c, NULL);
  Expr width = tensor_of_size(c->e, q->shape[q->rank - 1]);
  Expr scale = has(c, 6) ? number_arg(c, 6) : op2(c->e, TENSOR_DIV, tensor_of_int(c->e, 1), op1(c->e, TENSOR_SQRT, width));
  scores = op2(c->e, TENSOR_MUL, scores, scale);
  if (has(c, 3)) {
    Expr mask = tensor_arg(c, 3);
    if (!mask) return NULL;
    scores = mask->sort == SORT_BOOL ? choose(c->e, mask, scores, tensor_const(c->e->tt, c->e->tt->neg_inf)) : op2(c->e, TENSOR_ADD, scores, mask);
  }
  if (scores && is_causal) scores = causal(c, scores);
  if (!scores) return call_result(c, NULL);
  return call_result(c, matrix_product(c->e, softmax_axis(c->e, scores, 1u << (scores->rank - 1), false), v));
}

const LibraryFunction reference_linear[] = {
    {"matmul", matmul, "input|a|x1,other|mat2|b|x2"}, {"bmm", matmul, "input,mat2"}, {"mm", matmul, "input,mat2"}, {"mv", matmul, "input,vec"},
    {"dot", dot, "input|a,other|b"}, {"vdot", dot, "input|a,other|b"}, {"inner", dot, "input|a,other|b"}, {"outer", outer, "input|a,vec2|b"}, {"addmm", addmm, "input,mat1,mat2,!beta,!alpha"},
    {"baddbmm", addmm, "input,batch1,batch2,!beta,!alpha"}, {"linear", linear, "input,weight,bias"}, {"einsum", einsum, "equation|subscripts,*"},
    {"scaled_dot_product_attention", attention, "query,key,value,attn_mask,dropout_p,is_causal,scale,enable_gqa"},
    {NULL, NULL, NULL}};
