/* Tells whether the value of an expression is a number everywhere. For tests of NaN and infinities.
 *
 * Terms are over the reals: of sqrt(x) where x < 0 nothing is claimed, and log(x) - log(x) is 0. A test whether there
 * is NaN asks for just that, so that it is decided only where no operation below it can have none: inputs are finite,
 * divisors are shown not to be 0, and so on. It is asked of the operators as they are written, not of terms, in which
 * they may have cancelled. */
#include "reference/internal.h"

typedef const TensorExpr *Expr;

typedef enum Certainty {
  MAYBE_UNDEFINED,
  NUMBER_OR_INFINITY, /* the infinity is one that was written: where(mask, x, -inf) */
  FINITE,
} Certainty;

typedef struct Walk {
  Evaluator *e;
  uint32_t steps;
} Walk;

enum { MAX_STEPS = 20000 };

/* True if this holds of each element. */
static bool has_sign(Walk *w, Expr t, bool (*sign)(TermTable *, Term)) {
  TermTable *tt = w->e->tt;
  Term index[TENSOR_MAX_RANK];
  for (uint32_t i = 0; i < t->rank; i++) {
    index[i] = term_symbol_fresh(tt, "i", SORT_INT, SYMBOL_INDEX);
    term_symbol_range(tt, index[i], tt->zero, term_sub(tt, t->shape[i], tt->one));
  }
  Term element = tensor_meaning(tt, t, index);
  return element && sign(tt, element);
}

static Certainty finite_if(bool condition) { return condition ? FINITE : MAYBE_UNDEFINED; }

static Certainty of_power(Walk *w, Expr base, Expr exponent) {
  if (exponent->op != TENSOR_CONST) return FINITE; /* a number of factors */
  Rational k = exponent->op == TENSOR_CONST && term_is_rat(w->e->tt, exponent->value)
                   ? term_rat(w->e->tt, exponent->value)
                   : rational_make(w->e->arena->guard, -1, 3);
  if (k.den == 1) return finite_if(k.num >= 0 || has_sign(w, base, term_is_nonzero));
  return finite_if(has_sign(w, base, k.num > 0 ? term_is_nonnegative : term_is_positive));
}

static Certainty of_function(Walk *w, Expr t, Certainty least) {
  if (t->fn == FN_EXP) return least;
  switch (term_fn_info(t->fn)->domain) {
  case FN_DOMAIN_ANY:
  case FN_DOMAIN_FINITE: return finite_if(least == FINITE);
  case FN_DOMAIN_POSITIVE: return finite_if(least == FINITE && has_sign(w, t->args[0], term_is_positive));
  case FN_DOMAIN_DIVISOR: return finite_if(least == FINITE && has_sign(w, t->args[1], term_is_nonzero));
  case FN_DOMAIN_OWN: break;
  }
  return MAYBE_UNDEFINED;
}

static Certainty of_fold(Expr t, Certainty least) {
  if (t->fold == FOLD_MAX || t->fold == FOLD_MIN) return least;
  if (t->fold == FOLD_ARGMAX || t->fold == FOLD_ARGMIN) return FINITE;
  return finite_if(least == FINITE);
}

static Certainty certainty(Walk *w, Expr t) {
  Certainty least = FINITE, sides[3] = {FINITE, FINITE, FINITE};
  if (++w->steps > MAX_STEPS) return MAYBE_UNDEFINED;
  if (t->op == TENSOR_IDIOM) return certainty(w, t->plain);
  for (uint32_t i = 0; i < t->count; i++) {
    Certainty one = certainty(w, t->args[i]);
    if (one < least) least = one;
    if (i < 3) sides[i] = one;
  }
  if (least == MAYBE_UNDEFINED) return MAYBE_UNDEFINED;
  switch (t->op) {
  case TENSOR_CONST: return term_is_finite(w->e->tt, t->value) ? FINITE : NUMBER_OR_INFINITY;
  case TENSOR_INPUT:
  case TENSOR_SCALAR:
  case TENSOR_INDEX: return FINITE;
  case TENSOR_LT:
  case TENSOR_LE:
  case TENSOR_GT:
  case TENSOR_GE:
  case TENSOR_EQ:
  case TENSOR_NE:
  case TENSOR_IS_INF:
  case TENSOR_IS_NEG_INF:
  case TENSOR_IS_NAN: return FINITE;
  case TENSOR_ADD:
  case TENSOR_SUB: return sides[0] == FINITE || sides[1] == FINITE ? least : MAYBE_UNDEFINED; /* inf - inf */
  case TENSOR_MUL:
  case TENSOR_FLOOR:
  case TENSOR_CEIL:
  case TENSOR_ROUND:
  case TENSOR_TRUNC:
  case TENSOR_WRAP8:
  case TENSOR_WRAP16:
  case TENSOR_WRAP32:
  case TENSOR_WRAP64:
  case TENSOR_BITS:
  case TENSOR_MATMUL: return finite_if(least == FINITE);
  case TENSOR_SQRT: return finite_if(least == FINITE && has_sign(w, t->args[0], term_is_nonnegative));
  case TENSOR_LOG2: return finite_if(least == FINITE && has_sign(w, t->args[0], term_is_positive));
  case TENSOR_DIV:
  case TENSOR_FLOORDIV:
  case TENSOR_TRUNCDIV:
  case TENSOR_MOD: return finite_if(least == FINITE && has_sign(w, t->args[1], term_is_nonzero));
  case TENSOR_POW: return least == FINITE ? of_power(w, t->args[0], t->args[1]) : MAYBE_UNDEFINED;
  case TENSOR_FN1:
  case TENSOR_FN2: return of_function(w, t, least);
  case TENSOR_REDUCE:
  case TENSOR_SCAN: return of_fold(t, least);
  case TENSOR_NEG:
  case TENSOR_ABS:
  case TENSOR_EXP2:
  case TENSOR_NOT:
  case TENSOR_AND:
  case TENSOR_OR:
  case TENSOR_MAXIMUM:
  case TENSOR_MINIMUM:
  case TENSOR_WHERE:
  case TENSOR_SLICE:
  case TENSOR_TRANSPOSE:
  case TENSOR_EXPAND:
  case TENSOR_RESHAPE:
  case TENSOR_SQUEEZE:
  case TENSOR_BROADCAST:
  case TENSOR_TAKE:
  case TENSOR_TAKE_ALONG:
  case TENSOR_GATHER:
  case TENSOR_CONCAT: return least;
  case TENSOR_IDIOM:
  case TENSOR_OP_COUNT: break;
  }
  return MAYBE_UNDEFINED;
}

bool reference_is_number(Evaluator *e, const PyNode *n, const TensorExpr *t) {
  Walk w = {.e = e};
  if (e->is_formula || certainty(&w, t) != MAYBE_UNDEFINED) return true;
  return reference_fail(e, n, "reference.unsupported", "write the condition itself: x < 0",
                        "whether this is NaN or an infinity is not read: it may be undefined somewhere"),
         false;
}

bool equality_is_known(Evaluator *e, const PyNode *n, TensorOp op, const TensorExpr *a, const TensorExpr *b) {
  if ((op != TENSOR_EQ && op != TENSOR_NE) || !tensor_equal(e->tt, a, b)) return true;
  return reference_is_number(e, n, a);
}
