/* What an expression denotes: the term of its element at given indices.
 *
 * Built with the term constructors alone, so that an expression deduced from a pointwise term denotes the same
 * hash-consed term, or it is not believed. Results are remembered per (expression, indices): a reduction binds one
 * symbol however often it is met, which is safe because no expression contains itself. */
#include <string.h>

#include "tensor/tensor.h"

typedef struct Known {
  const TensorExpr *e;
  Term index[TENSOR_MAX_RANK], result;
  Term under; /* steps are those of one condition */
} Known;

typedef struct Bound {
  const TensorExpr *e;
  Term symbol;
} Bound;

typedef struct Meaning {
  TermTable *tt;
  Array(Known) known;
  uint32_t *slots, slot_count;
  Array(Bound) bounds;
} Meaning;

static Term meaning(Meaning *m, const TensorExpr *e, const Term *index);

static uint32_t slot_of(const Meaning *m, const TensorExpr *e, const Term *index) {
  uint64_t h = (uint64_t)(uintptr_t)e >> 4;
  for (uint32_t i = 0; i < e->rank; i++) h = (h ^ index[i]) * 0x9E3779B97F4A7C15u;
  return (uint32_t)(h >> 32) & (m->slot_count - 1);
}

static uint32_t *find(const Meaning *m, const TensorExpr *e, const Term *index, Term under) {
  uint32_t i = slot_of(m, e, index);
  for (; m->slots[i]; i = (i + 1) & (m->slot_count - 1)) {
    const Known *k = &m->known.data[m->slots[i] - 1];
    if (k->e == e && k->under == under && (!e->rank || !memcmp(k->index, index, sizeof *index * e->rank))) break;
  }
  return &m->slots[i];
}

static void remember(Meaning *m, const TensorExpr *e, const Term *index, Term result) {
  if (m->known.count * 2 >= m->slot_count) {
    m->slot_count *= 4;
    m->slots = arena_array(m->tt->arena, uint32_t, m->slot_count);
    for (uint32_t i = 0; i < m->known.count; i++)
      *find(m, m->known.data[i].e, m->known.data[i].index, m->known.data[i].under) = i + 1;
  }
  Known k = {.e = e, .result = result, .under = m->tt->made_under};
  if (e->rank) memcpy(k.index, index, sizeof *index * e->rank);
  array_push(m->tt->arena, &m->known, k);
  *find(m, e, index, k.under) = m->known.count;
}

static Term bound_of(Meaning *m, const TensorExpr *e, Term length) {
  for (uint32_t i = 0; i < m->bounds.count; i++)
    if (m->bounds.data[i].e == e) return m->bounds.data[i].symbol;
  Term symbol = term_symbol_fresh(m->tt, "k", SORT_INT, SYMBOL_INDEX);
  term_symbol_range(m->tt, symbol, m->tt->zero, term_sub(m->tt, length, m->tt->one));
  array_push(m->tt->arena, &m->bounds, (Bound){e, symbol});
  return symbol;
}

/* The argument's element that takes part in element `index` of a broadcast of rank `rank`. */
static Term argument(Meaning *m, const TensorExpr *a, uint32_t rank, const Term *index) {
  Term at[TENSOR_MAX_RANK];
  for (uint32_t i = 0; i < a->rank; i++) at[i] = a->shape[i] == m->tt->one ? m->tt->zero : index[rank - a->rank + i];
  return meaning(m, a, at);
}

static Term log_of_two(TermTable *tt) { return term_fn1(tt, FN_LOG, term_int(tt, 2)); }

/* Of a whole exponent, the product of so many factors. */
static Term power_of(TermTable *tt, Term base, Term exponent) {
  if (term_is_rat(tt, exponent)) return term_power(tt, base, term_rat(tt, exponent));
  Term k = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX);
  term_symbol_range(tt, k, tt->zero, term_sub(tt, exponent, tt->one));
  return term_fold(tt, FOLD_PROD, k, tt->zero, exponent, tt->true_, base);
}

static Term bits_of(TermTable *tt, const TensorExpr *e, const Term *x) {
  return term_substitute(tt, e->bits->body, (TermMap){e->bits->count, e->bits->parameter, x});
}

/* Of an elementwise operator. */
static Term operation(TermTable *tt, const TensorExpr *e, const Term *x) {
  switch (e->op) {
#define TENSOR_OP(id, text, form, bind, sort, latex, value, term)                                                      \
  case TENSOR_##id:                                                                                                    \
    return term;
#include "tensor/ops.def"
#undef TENSOR_OP
  case TENSOR_OP_COUNT: break;
  }
  return 0;
}

/* Conditions and choices are defined whatever becomes of what they leave out. */
static bool is_lazy(TensorOp op) {
  return op == TENSOR_NOT || op == TENSOR_AND || op == TENSOR_OR || op == TENSOR_WHERE || op == TENSOR_BITS;
}

static Term made_where(TermTable *tt, Term under, Term condition) {
  return under ? term_and(tt, under, condition) : condition;
}

static Term elementwise(Meaning *m, const TensorExpr *e, const Term *index) {
  Term x[TENSOR_BITS_ARGUMENTS] = {0};
  Term under = m->tt->made_under;
  bool chooses = e->op == TENSOR_WHERE && !e->computes_all && m->tt->made;
  for (uint32_t i = 0; i < e->count; i++) {
    if (chooses && i) m->tt->made_under = made_where(m->tt, under, i == 1 ? x[0] : term_not(m->tt, x[0]));
    x[i] = argument(m, e->args[i], e->rank, index);
    m->tt->made_under = under;
    if (!x[i]) return 0;
  }
  Term result = operation(m->tt, e, x);
  if (result && (e->op == TENSOR_WHERE || e->computes_all))
    for (uint32_t i = 0; i < (e->computes_all ? e->count : 1); i++) term_made(m->tt, TERM_STEP_CHOICE, x[i], 0, result);
  if (result && (e->op == TENSOR_AND || e->op == TENSOR_OR)) term_made(m->tt, TERM_STEP_JOIN, x[0], x[1], result);
  if (!result || is_lazy(e->op)) return result;
  TermStepKind kind = e->op == TENSOR_ADD                                      ? TERM_STEP_SUM
                      : e->op == TENSOR_SUB                                    ? TERM_STEP_DIFFERENCE
                      : e->op == TENSOR_MUL                                    ? TERM_STEP_PRODUCT
                      : e->op == TENSOR_DIV || tensor_is_whole_division(e->op) ? TERM_STEP_QUOTIENT
                                                                               : TERM_STEP_OTHER;
  return term_made(m->tt, kind, x[0], e->count > 1 ? x[1] : 0, result);
}

static Term slice(Meaning *m, const TensorExpr *e, const Term *index) {
  TermTable *tt = m->tt;
  Term at[TENSOR_MAX_RANK];
  for (uint32_t i = 0, next = 0; i < e->args[0]->rank; i++) {
    TensorSlice s = e->slices[i];
    at[i] = s.point ? s.start : term_add(tt, s.start, term_mul(tt, s.step, index[next]));
    next += !s.point;
  }
  return meaning(m, e->args[0], at);
}

static Term reshape(Meaning *m, const TensorExpr *e, const Term *index) {
  TermTable *tt = m->tt;
  const TensorExpr *a = e->args[0];
  Term flat = tt->zero, at[TENSOR_MAX_RANK];
  for (uint32_t i = 0; i < e->rank; i++) flat = term_add(tt, term_mul(tt, flat, e->shape[i]), index[i]);
  for (uint32_t i = a->rank; i-- > 1;) {
    at[i] = term_mod(tt, flat, a->shape[i]);
    flat = term_floordiv(tt, flat, a->shape[i]);
  }
  if (a->rank) at[0] = flat;
  return meaning(m, a, at);
}

static Term view(Meaning *m, const TensorExpr *e, const Term *index) {
  const TensorExpr *a = e->args[0];
  Term at[TENSOR_MAX_RANK];
  if (e->op == TENSOR_SLICE) return slice(m, e, index);
  if (e->op == TENSOR_RESHAPE) return reshape(m, e, index);
  if (e->op == TENSOR_BROADCAST) return argument(m, a, e->rank, index);
  if (e->op == TENSOR_TRANSPOSE) {
    for (uint32_t i = 0; i < e->rank; i++) at[e->axes[i]] = index[i];
  } else if (e->op == TENSOR_EXPAND) {
    for (uint32_t i = 0; i < a->rank; i++) at[i] = index[i + (i >= e->axis)];
  } else if (e->op == TENSOR_SQUEEZE) {
    for (uint32_t i = 0, gone = 0; i < a->rank; i++) {
      bool drop = gone < e->axis_count && e->axes[gone] == i;
      at[i] = drop ? m->tt->zero : index[i - gone];
      gone += drop;
    }
  } else
    return 0;
  return meaning(m, a, at);
}

static Term element(Meaning *m, const TensorExpr *e, const TensorExpr *a, const Term *at) {
  Term result = meaning(m, a, at);
  for (uint32_t i = 0; i < a->rank && result; i++)
    if (e->op == TENSOR_GATHER || i == e->axis) term_made(m->tt, TERM_STEP_PLACE, at[i], a->shape[i], result);
  return result;
}

static Term indexed(Meaning *m, const TensorExpr *e, const Term *index) {
  const TensorExpr *a = e->args[0];
  Term at[TENSOR_MAX_RANK];
  if (e->op == TENSOR_GATHER) {
    for (uint32_t i = 0; i < a->rank; i++)
      if (!(at[i] = argument(m, e->args[i + 1], e->rank, index))) return 0;
  } else if (e->op == TENSOR_TAKE) {
    uint32_t inner = e->args[1]->rank;
    for (uint32_t i = 0; i < a->rank; i++) at[i] = i < e->axis ? index[i] : i > e->axis ? index[i + inner - 1] : 0;
    if (!(at[e->axis] = meaning(m, e->args[1], index + e->axis))) return 0;
  } else {
    for (uint32_t i = 0; i < a->rank; i++) at[i] = a->shape[i] == m->tt->one ? m->tt->zero : index[i];
    if (!(at[e->axis] = argument(m, e->args[1], e->rank, index))) return 0;
  }
  return element(m, e, a, at);
}

static Term reduce(Meaning *m, const TensorExpr *e, const Term *index) {
  TermTable *tt = m->tt;
  const TensorExpr *a = e->args[0];
  Term at[TENSOR_MAX_RANK], symbols[TENSOR_MAX_RANK];
  memcpy(at, index, sizeof *index * e->rank);
  for (uint32_t i = 0; i < e->axis_count; i++) {
    symbols[i] = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX);
    term_symbol_range(tt, symbols[i], tt->zero, term_sub(tt, a->shape[e->axes[i]], tt->one));
    at[e->axes[i]] = symbols[i];
  }
  Term body = meaning(m, a, at);
  bool is_one = (e->fold == FOLD_ARGMAX || e->fold == FOLD_ARGMIN) &&
                a->shape[e->axes[0]] == tt->one; /* 0, whatever the element is */
  if (body && is_one) term_made(tt, TERM_STEP_CHOICE, body, 0, tt->zero);
  for (uint32_t i = e->axis_count; body && i-- > 0;)
    body = term_fold(tt, e->fold, symbols[i], tt->zero, a->shape[e->axes[i]], tt->true_, body);
  return body;
}

static Term fold(Meaning *m, const TensorExpr *e, const Term *index) {
  TermTable *tt = m->tt;
  Term at[TENSOR_MAX_RANK];
  if (e->op == TENSOR_REDUCE) return reduce(m, e, index);
  if (e->op == TENSOR_SCAN) {
    Term length = e->shape[e->axis], k = bound_of(m, e, length);
    memcpy(at, index, sizeof *index * e->rank);
    at[e->axis] = k;
    Term body = meaning(m, e->args[0], at);
    return body ? term_fold(tt, e->fold, k, tt->zero, term_add(tt, index[e->axis], tt->one), tt->true_, body) : 0;
  }
  if (e->op == TENSOR_MATMUL) {
    const TensorExpr *a = e->args[0], *b = e->args[1];
    Term length = a->shape[a->rank - 1], k = bound_of(m, e, length), x, y;
    memcpy(at, index, sizeof *index * e->rank);
    at[e->rank - 1] = k;
    x = argument(m, a, e->rank, at);
    at[e->rank - 2] = k, at[e->rank - 1] = index[e->rank - 1];
    y = argument(m, b, e->rank, at);
    return x && y ? term_fold(tt, FOLD_SUM, k, tt->zero, length, tt->true_,
                              term_made(tt, TERM_STEP_PRODUCT, x, y, term_mul(tt, x, y)))
                  : 0;
  }
  if (e->op == TENSOR_CONCAT) {
    Term start = tt->zero, starts[32], result = 0;
    for (uint32_t i = 0; i < e->count; i++) starts[i] = start, start = term_add(tt, start, e->args[i]->shape[e->axis]);
    memcpy(at, index, sizeof *index * e->rank);
    for (uint32_t i = e->count; i-- > 0;) {
      Term under = tt->made_under,
           here = term_and(tt, term_le(tt, starts[i], index[e->axis]),
                           i + 1 < e->count ? term_lt(tt, index[e->axis], starts[i + 1]) : tt->true_);
      at[e->axis] = term_sub(tt, index[e->axis], starts[i]);
      if (tt->made) tt->made_under = made_where(tt, under, here);
      Term part = meaning(m, e->args[i], at);
      tt->made_under = under;
      if (!part) return 0;
      result = i + 1 == e->count ? part : term_select(tt, term_lt(tt, index[e->axis], starts[i + 1]), part, result);
    }
    return result;
  }
  return 0;
}

static Term leaf(Meaning *m, const TensorExpr *e, const Term *index) {
  if (e->op == TENSOR_INPUT) return term_read(m->tt, e->symbol, e->sort, e->rank, index);
  if (e->op == TENSOR_CONST) return e->value;
  if (e->op == TENSOR_SCALAR) return e->symbol;
  return index[0];
}

static Term meaning(Meaning *m, const TensorExpr *e, const Term *index) {
  guard_tick(m->tt->arena->guard);
  if (e->op == TENSOR_IDIOM) return meaning(m, e->plain, index);
  if (e->count) {
    uint32_t known = *find(m, e, index, m->tt->made_under);
    if (known) return m->known.data[known - 1].result;
  }
  Term result = 0;
  switch (tensor_op_form(e->op)) {
  case TENSOR_FORM_LEAF: return leaf(m, e, index);
  case TENSOR_FORM_UNARY:
  case TENSOR_FORM_BINARY:
  case TENSOR_FORM_TERNARY:
  case TENSOR_FORM_CALL: result = elementwise(m, e, index); break;
  case TENSOR_FORM_VIEW: result = view(m, e, index); break;
  case TENSOR_FORM_INDEX: result = indexed(m, e, index); break;
  case TENSOR_FORM_FOLD: result = fold(m, e, index); break;
  }
  remember(m, e, index, result);
  return result;
}

Term tensor_meaning(TermTable *tt, const TensorExpr *e, const Term *index) {
  Meaning m = {.tt = tt, .slot_count = 256};
  m.slots = arena_array(tt->arena, uint32_t, m.slot_count);
  return meaning(&m, e, index);
}
