/* What the files of the textbook's laws share: expressions taken apart into summands or factors, and what laws look
 * for. */
#ifndef ASSAY_TENSOR_TEXTBOOK_H
#define ASSAY_TENSOR_TEXTBOOK_H

#include <string.h>

#include "tensor/tensor.h"

typedef const TensorExpr *Expr;

enum { MOST_PARTS = 48, MOST_BITS = 60 };

typedef struct Part {
  Expr e;
  Rational k;
} Part; /* coefficient of a summand, exponent of a factor */

typedef struct Parts { /* k + sum of k * e, or k * product of e ** k */
  Rational k;
  uint32_t count;
  bool is_full; /* too many: leave it */
  Part part[MOST_PARTS];
} Parts;

typedef struct Known {
  Expr from, to;
} Known;

typedef struct Book {
  TermTable *tt;
  TensorConstants *constants;
  Known *known;
  uint32_t known_count, depth;
  TensorSteps *steps; /* what was applied; NULL: nobody asks */
  TensorProve prove;  /* each application is asked for; NULL: none is */
  void *payload;
  Array(Known) searched; /* parts, and what the search has made of them */
  uint32_t searches;
  Expr whole;          /* the formula whose parts are searched */
  bool keeps_parts;    /* what is shorter by itself has to be easier beside the rest of the formula too */
  bool has_left_parts; /* something was not */
  NameList without;
  int stage; /* which laws are due: LAW_ALWAYS, then these and LAW_LAST, then LAW_NAMED alone */
} Book;

static const Rational one = {1, 1}, minus_one = {-1, 1};

static inline bool is_one(Rational r) { return r.num == 1 && r.den == 1; }

/* Products of literals stay within the range of rationals. */
static inline bool fits(Rational r) {
  Int128 most = (Int128)1 << MOST_BITS;
  return r.num < most && r.num > -most && r.den < most;
}
static inline Rational magnitude(Rational r) { return r.num < 0 ? rational_neg(r) : r; }

static inline bool is_number(TermTable *tt, Expr e, Rational *value) {
  if (e->op != TENSOR_CONST || !term_is_rat(tt, e->value)) return false;
  *value = term_rat(tt, e->value);
  return true;
}

static inline bool is_zero(TermTable *tt, Expr e) {
  Rational r;
  return is_number(tt, e, &r) && !r.num;
}

static inline Expr number(TermTable *tt, Rational r) { return tensor_const(tt, term_new_rat(tt, r)); }
static inline bool is_sum_op(TensorOp op) { return op == TENSOR_ADD || op == TENSOR_SUB; }
static inline bool is_product_op(TensorOp op) { return op == TENSOR_MUL || op == TENSOR_DIV; }
static inline bool is_reduce(Expr e, TermFoldOp fold) { return e->op == TENSOR_REDUCE && e->fold == fold; }
static inline bool same_axes(Expr a, Expr b) {
  return a->axis_count == b->axis_count && !memcmp(a->axes, b->axes, a->axis_count);
}
static inline bool is_fn(Expr e, TermFn fn) { return e->op == TENSOR_FN1 && e->fn == fn; }
static inline bool is_idiom(Expr e, TensorIdiom idiom) { return e->op == TENSOR_IDIOM && e->idiom == idiom; }

/* ---- textbook_parts.c: an expression of too many parts is none (NULL) ---- */
/* x * y; where the numbers grow too large, the parts are full. */
Rational book_times(Book *b, Parts *parts, Rational x, Rational y);
/* Adds e ** k (or k * e) to the parts, together with an equal one. */
void book_push(Book *b, Parts *parts, Expr e, Rational k);
void book_take_factors(Book *b, Expr e, Rational k, Parts *out);
void book_take_summands(Book *b, Expr e, Rational k, Parts *out);
Parts book_factors(Book *b, Expr e);
Parts book_summands(Book *b, Expr e);
Expr book_put_product(Book *b, const Parts *parts);
Expr book_put_sum(Book *b, const Parts *parts);
Expr book_negated(Book *b, Expr e);
/* The summands of the factor at `inner`, each times the other factors; the number in front is left to the caller. */
Parts book_multiply_out(Book *b, Parts product, uint32_t inner);
void book_drop(Parts *parts, uint32_t i);
int book_find(Book *b, const Parts *parts, Expr e, Rational k); /* -1: it is none of them */
/* e as scalar * rest with a scalar (rank 0, no number) or number in front: false if there is none. */
bool book_split_scalars(Book *b, Expr e, Expr *scalar, Expr *rest);
uint32_t book_noted(const Book *b);
bool book_take_back(Book *b, uint32_t count); /* false: a law that does not apply after all has noted nothing */
/* sum(exp(x - max(x)), axis): x, else NULL. */
Expr book_softmax_argument(Book *b, Expr sum);
/* exp(x), also as where(c, exp(s), 0) with x = where(c, s, -inf): x, else NULL. */
Expr book_exponent(Book *b, Expr e);

/* Positive wherever it is defined, and no infinity of the empty fold; exp(-inf) = 0 counts as positive. */
bool book_is_positive(Book *b, Expr e, int depth);
/* Finite wherever it is defined: no infinity stands in it, and it is no logarithm of 0 and no empty fold. */
bool book_is_finite(Book *b, Expr e, int depth);
/* A finite value whatever the inputs are. */
bool book_is_total(Book *b, Expr e);
/* True if m, beside something of this rank, is the same all along that axis. */
bool book_is_free(Book *b, Expr m, uint32_t rank, uint32_t axis);

/* ---- constants.c ---- */
/* sqrt(square) * pi^.. * e^.. * log(2)^.. * log(10)^.. * log(2 * pi)^.. */
typedef struct Closed {
  Rational square, pi, e, log_2, log_10, log_2_pi;
} Closed;
typedef struct Constant {
  double value;
  const char *text;
  Closed closed;
} Constant;
extern const Constant constant_log2_e, constant_log_2, constant_half_root, constant_root_2_pi, constant_cubic_of_gelu,
    constant_folded_cubic_of_gelu;
/* True if the literal is the constant, within 2 ulp of its own format. Then it is noted. */
bool book_is_constant(Book *b, Rational literal, const Constant *constant);
/* The closed form of a positive literal, noted; `of_base_two`: one over log(2), as beside exp2. */
bool book_recover(Book *b, Rational literal, bool of_base_two, Closed *out);
/* The positive literal as a small multiple of a decimal of the formula, which makes `front`, and of a constant that was
 * recovered in it, noted: somebody has multiplied them. */
bool book_recover_product(Book *b, Rational literal, Rational *front, Expr *constant);
void book_push_closed(Book *b, Parts *p, const Closed *closed);
double book_tolerance(double literal);

/* ---- textbook_product.c: laws of products ---- */
bool law_matmul_over_sum(Book *b, Parts *p);
bool law_softmax(Book *b, Parts *p);
bool law_shifted_share(Book *b, Parts *p);
bool law_mean(Book *b, Parts *p);
bool law_var_over_size(Book *b, Parts *p);
bool law_moments(Book *b, Parts *p);
bool law_one_minus(Book *b, Parts *p);
bool law_one_minus_summand(Book *b, Parts *p);
bool law_layer_norm(Book *b, Parts *p);
bool law_rms_norm(Book *b, Parts *p);
bool law_gelu(Book *b, Parts *p);
bool law_tanh(Book *b, Parts *p);
bool law_sigmoid(Book *b, Parts *p);
bool natural_log(Book *b, Parts *p);
bool law_constant(Book *b, Parts *p);
bool law_constant_summand(Book *b, Parts *p);
bool law_even_power(Book *b, Parts *p);
bool law_opposite_factors(Book *b, Parts *p);
bool law_tanh_of_softplus(Book *b, Parts *p);

/* ---- textbook_choice.c: laws of choices ---- */
Expr common_summands(Book *b, Expr e);
Expr common_factors(Book *b, Expr e);
Expr common_number(Book *b, Expr e);
Expr bound_of_place(Book *b, Expr e);
Expr choice_within_choice(Book *b, Expr e);
Expr common_function(Book *b, Expr e);
Expr stack_of_choices(Book *b, Expr e);

/* ---- textbook_fold.c: laws of masked sums ---- */
Expr pull_expand(Book *b, Expr e);
Expr pull_reshape(Book *b, Expr e);
Expr squeeze_of_expand(Book *b, Expr e);
Expr law_chosen_rows(Book *b, Expr e);
Expr law_conv1d_causal(Book *b, Expr e);
Expr law_suffixes(Book *b, Expr e);
Expr law_recurrence(Book *b, Expr e);
bool law_recurrence_step(Book *b, Parts *p);
bool law_recurrence_from(Book *b, Parts *p);

/* ---- textbook_names.c: names of layers ---- */
bool name_log_softmax(Book *b, Parts *p);
bool name_swiglu(Book *b, Parts *p);
bool name_cross_entropy(Book *b, Parts *p);
bool name_linear(Book *b, Parts *p);
bool name_batch_norm(Book *b, Parts *p);
Expr name_log_of_softmax(Book *b, Expr e);
Expr name_group_norm(Book *b, Expr e);
Expr name_attention(Book *b, Expr e);
Expr name_rotary(Book *b, Expr e);

/* ---- textbook.c ---- */
Expr book_rewrite(Book *b, Expr e);
bool book_is_without(const Book *b, const char *law);
Expr book_apply(Book *b, Expr e);                       /* the first law for this node, once; NULL: none applies */
Expr book_with_args(Book *b, Expr e, const Expr *args); /* sums and products in their order again */
Expr book_normal(Book *b, Expr e); /* sums and products in their order, all the way down; NULL: too large */
bool book_same_shape(Expr a, Expr b);
bool book_occurs(Book *b, Expr whole, Expr e);

/* ---- textbook_search.c: a shorter form by the rules of laws.def, or e itself ---- */
Expr book_search(Book *b, Expr e);
double book_effort(Book *b, Expr e);    /* of a reader; what occurs several times is read once */
const char *book_rule_name(uint32_t i); /* NULL: there are no more */

#endif
