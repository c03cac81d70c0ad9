/* Floats as real numbers (--floats real): operators are those of terms, whose laws hold of the reals, and no opaque
 * function of bits occurs. Inputs are finite. What has no value, as a quotient by 0, is undefined behaviour. */
#include <math.h>
#include <string.h>

#include "mlir/floats.h"

static void undefined(Floats *f, Term condition) {
  TermTable *tt = f->tt;
  if (f->undefined) *f->undefined = term_or(tt, *f->undefined, term_and(tt, *f->path, condition));
}

static bool is_greatest(FloatFormat format, double value) {
  static const double greatest[FLOAT_FORMAT_COUNT] = {[FLOAT_F16] = 65504,
                                                      [FLOAT_BF16] = 0x1.fep127,
                                                      [FLOAT_F32] = 0x1.fffffep127,
                                                      [FLOAT_F64] = 0x1.fffffffffffffp1023};
  return greatest[format] != 0 && fabs(value) == greatest[format];
}

/* Exactly; what does not fit 128 bits is a number of which nothing is known. */
Term reals_constant(Floats *f, FloatFormat format, double value) {
  TermTable *tt = f->tt;
  int exponent;
  double whole = ldexp(frexp(value, &exponent), 53);
  if (f->no_greatest && is_greatest(format, value)) *f->no_greatest = true, value *= INFINITY;
  if (isinf(value)) return value > 0 ? tt->inf : tt->neg_inf;
  if (!f->undefined) return term_float(tt, value);
  exponent -= 53;
  Int128 n = isnan(value) ? 0 : (Int128)whole;
  for (; n && n % 2 == 0; exponent++) n /= 2;
  if (!n && !isnan(value)) return tt->zero;
  if (exponent >= 0 && exponent <= 70 && !isnan(value)) return term_new_rat(tt, (Rational){n << exponent, 1});
  if (exponent < 0 && exponent >= -120 && !isnan(value)) return term_new_rat(tt, (Rational){n, (Int128)1 << -exponent});
  return term_opaque(tt, intern_text(tt->names, arena_format(tt->arena, "literal_%a", value)), SORT_REAL, 0, NULL);
}

static Term logarithm(Floats *f, Term a) {
  undefined(f, term_le(f->tt, a, f->tt->zero));
  return term_fn1(f->tt, FN_LOG, a);
}

static Term root(Floats *f, Term a, Rational power) {
  undefined(f, power.num < 0 ? term_le(f->tt, a, f->tt->zero) : term_lt(f->tt, a, f->tt->zero));
  return term_power(f->tt, a, power);
}

static Term quotient(Floats *f, Term a, Term b) {
  undefined(f, term_eq(f->tt, b, f->tt->zero));
  return b == f->tt->zero && f->undefined ? f->tt->zero : term_div(f->tt, a, b);
}

/* Of any number to whole powers, and of positive ones to others. */
static Term raised(Floats *f, Term a, Term b) {
  TermTable *tt = f->tt;
  Rational e = term_is_rat(tt, b) ? term_rat(tt, b) : (Rational){0, 0};
  if (e.den == 1 && e.num >= 0 && e.num <= 64) return term_power(tt, a, e);
  if (e.den == 2 && (e.num == 1 || e.num == -1)) return root(f, a, e);
  undefined(f, term_le(tt, a, tt->zero));
  return term_fn(tt, FN_POW, 2, (Term[]){a, b});
}

/* Half away from zero. */
static Term rounded(TermTable *tt, Term a) {
  Term half = term_new_rat(tt, (Rational){1, 2});
  Term up = term_unary(tt, TERM_FLOOR, term_add(tt, term_unary(tt, TERM_ABS, a), half));
  return term_select(tt, term_lt(tt, a, tt->zero), term_neg(tt, up), up);
}

/* FN_COUNT: it is no function of the table. */
static TermFn function_of(FloatOp op) {
  static const uint8_t functions[FLOAT_OP_COUNT] = {
#define FN(id, ...) [FLOAT_##id] = 1 + FN_##id,
#define FN_REAL(...)
#define FN_INT(...)
#include "base/functions.def"
  };
  return functions[op] ? (TermFn)(functions[op] - 1) : FN_COUNT;
}

static Term compute(Floats *f, FloatOp op, Term a, Term b, Term c) {
  TermTable *tt = f->tt;
  switch (op) {
  case FLOAT_ADD: return term_add(tt, a, b);
  case FLOAT_MUL: return term_mul(tt, a, b);
  case FLOAT_DIV: return quotient(f, a, b);
  case FLOAT_REM: undefined(f, term_eq(tt, b, tt->zero)); return term_fn(tt, FN_FMOD, 2, (Term[]){a, b});
  case FLOAT_MAXIMUM:
  case FLOAT_MAXNUM: return term_max(tt, a, b);
  case FLOAT_MINIMUM:
  case FLOAT_MINNUM: return term_min(tt, a, b);
  case FLOAT_NEG: return term_neg(tt, a);
  case FLOAT_ABS: return term_unary(tt, TERM_ABS, a);
  case FLOAT_SQRT: return root(f, a, (Rational){1, 2});
  case FLOAT_RSQRT: return root(f, a, (Rational){-1, 2});
  case FLOAT_FLOOR: return term_unary(tt, TERM_FLOOR, a);
  case FLOAT_CEIL: return term_unary(tt, TERM_CEIL, a);
  case FLOAT_TRUNC: return term_unary(tt, TERM_TRUNC, a);
  case FLOAT_ROUND: return rounded(tt, a);
  case FLOAT_ROUNDEVEN: return term_unary(tt, TERM_ROUND, a);
  case FLOAT_FMA: return term_add(tt, term_mul(tt, a, b), c);
  case FLOAT_EXP2: return term_fn1(tt, FN_EXP, term_mul(tt, a, term_fn1(tt, FN_LOG, term_int(tt, 2))));
  case FLOAT_EXPM1: return term_sub(tt, term_fn1(tt, FN_EXP, a), tt->one);
  case FLOAT_LOG: return logarithm(f, a);
  case FLOAT_LOG2: return term_div(tt, logarithm(f, a), term_fn1(tt, FN_LOG, term_int(tt, 2)));
  case FLOAT_LOG10: return term_div(tt, logarithm(f, a), term_fn1(tt, FN_LOG, term_int(tt, 10)));
  case FLOAT_LOG1P: return logarithm(f, term_add(tt, tt->one, a));
  case FLOAT_POW: return raised(f, a, b);
  default: break;
  }
  TermFn fn = function_of(op);
  bool has_value = fn != FN_COUNT && term_fn_arity(fn) == 1 && term_fn_info(fn)->domain <= FN_DOMAIN_FINITE;
  return has_value ? term_fn1(tt, fn, a) : 0; /* of bits, or with a domain of its own */
}

/* The result, written down as a step where somebody asks for them, done under the path. */
static Term step(Floats *f, TermStepKind kind, Term a, Term b, Term result) {
  TermTable *tt = f->tt;
  tt->made_under = f->path && *f->path != tt->true_ ? *f->path : 0;
  if (result) term_made(tt, kind, a, b, result);
  tt->made_under = 0;
  return result;
}

Term reals_operation(Floats *f, FloatOp op, Term a, Term b, Term c) {
  Term result = compute(f, op, a, b, c);
  switch (op) {
  case FLOAT_ADD: return step(f, TERM_STEP_SUM, a, b, result);
  case FLOAT_MUL: return step(f, TERM_STEP_PRODUCT, a, b, result);
  case FLOAT_DIV: return step(f, TERM_STEP_QUOTIENT, a, b, result);
  case FLOAT_FMA:
    step(f, TERM_STEP_PRODUCT, a, b, term_mul(f->tt, a, b));
    return step(f, TERM_STEP_SUM, term_mul(f->tt, a, b), c, result);
  default: return step(f, TERM_STEP_OTHER, a, b, result);
  }
}

/* Of a signed or unsigned integer of that width; poison where it does not fit. */
Term reals_to_integer(Floats *f, Term a, uint32_t width, bool is_signed, Term *poison) {
  TermTable *tt = f->tt;
  Int128 top = (Int128)1 << (width - is_signed);
  Term whole = term_unary(tt, TERM_TRUNC, a), lo = term_new_rat(tt, (Rational){is_signed ? -top : 0, 1});
  *poison = term_or(tt, term_lt(tt, whole, lo), term_le(tt, term_new_rat(tt, (Rational){top, 1}), whole));
  return whole;
}

/* No number is a NaN. */
static Term compare(TermTable *tt, const char *predicate, Term a, Term b) {
  const char *p = predicate ? predicate : "";
  if (!strcmp(p, "false") || !strcmp(p, "uno")) return tt->false_;
  if (!strcmp(p, "true") || !strcmp(p, "ord")) return tt->true_;
  if (p[0] != 'o' && p[0] != 'u') return 0;
  if (!strcmp(p + 1, "eq")) return term_eq(tt, a, b);
  if (!strcmp(p + 1, "ne")) return term_not(tt, term_eq(tt, a, b));
  if (!strcmp(p + 1, "lt")) return term_lt(tt, a, b);
  if (!strcmp(p + 1, "le")) return term_le(tt, a, b);
  if (!strcmp(p + 1, "gt")) return term_lt(tt, b, a);
  return !strcmp(p + 1, "ge") ? term_le(tt, b, a) : 0;
}

Term reals_compare(Floats *f, const char *predicate, Term a, Term b) {
  return step(f, TERM_STEP_OTHER, a, b, compare(f->tt, predicate, a, b));
}
