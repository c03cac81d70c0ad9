/* Float ops over the reals: casts are rounding points that are noted and read as exact. */
#include <string.h>

#include "execute/internal.h"

static Term ln2(TermTable *tt) { return term_fn1(tt, FN_LOG, term_int(tt, 2)); }

static Term half(TermTable *tt) { return term_new_rat(tt, (Rational){1, 2}); }

/* libdevice and OCML functions by the name between their prefix and the width suffix. */
static TermFn extern_fn(const char *name) {
  if (!strcmp(name, "powi")) return FN_POW;
  return term_fn_find(strncmp(name, "fast_", 5) ? name : name + 5);
}

static bool base_name(const char *symbol, char *out, size_t room) {
  if (!strncmp(symbol, "__nv_", 5))
    symbol += 5;
  else if (!strncmp(symbol, "__ocml_", 7))
    symbol += 7;
  else
    return false;
  size_t n = strlen(symbol);
  if (n >= room) return false;
  memcpy(out, symbol, n + 1);
  if (n > 4 && (!strcmp(out + n - 4, "_f32") || !strcmp(out + n - 4, "_f64")))
    out[n - 4] = 0;
  else if (n > 1 && out[n - 1] == 'f' && strcmp(out, "erf") && strcmp(out, "isinf"))
    out[n - 1] = 0;
  return true;
}

static Term extern_arith(Machine *ex, const char *name, uint32_t n, const Term *x) {
  TermTable *tt = ex->tt;
  if (n == 1) {
    if (!strcmp(name, "sqrt") || !strcmp(name, "fsqrt_rn")) return term_power(tt, x[0], (Rational){1, 2});
    if (!strcmp(name, "rsqrt")) return term_power(tt, x[0], (Rational){-1, 2});
    if (!strcmp(name, "fabs") || !strcmp(name, "abs")) return term_unary(tt, TERM_ABS, x[0]);
    if (!strcmp(name, "floor")) return term_unary(tt, TERM_FLOOR, x[0]);
    if (!strcmp(name, "ceil")) return term_unary(tt, TERM_CEIL, x[0]);
    if (!strcmp(name, "trunc")) return term_unary(tt, TERM_TRUNC, x[0]);
    if (!strcmp(name, "rint") || !strcmp(name, "nearbyint") || !strcmp(name, "llrint") || !strcmp(name, "lrint"))
      return term_unary(tt, TERM_ROUND, x[0]);
    if (!strcmp(name, "exp2")) return term_fn1(tt, FN_EXP, term_mul(tt, ln2(tt), x[0]));
    if (!strcmp(name, "exp10")) return term_fn1(tt, FN_EXP, term_mul(tt, term_fn1(tt, FN_LOG, term_int(tt, 10)), x[0]));
    if (!strcmp(name, "log2")) return term_div(tt, term_fn1(tt, FN_LOG, x[0]), ln2(tt));
    if (!strcmp(name, "log10")) return term_div(tt, term_fn1(tt, FN_LOG, x[0]), term_fn1(tt, FN_LOG, term_int(tt, 10)));
    if (!strcmp(name, "log1p")) return term_fn1(tt, FN_LOG, term_add(tt, tt->one, x[0]));
    if (!strcmp(name, "expm1")) return term_sub(tt, term_fn1(tt, FN_EXP, x[0]), tt->one);
    if (!strcmp(name, "erfc")) return term_sub(tt, tt->one, term_fn1(tt, FN_ERF, x[0]));
    if (!strcmp(name, "isnan")) return term_select(tt, term_unary(tt, TERM_IS_NAN, x[0]), tt->one, tt->zero);
    if (!strcmp(name, "isinf")) {
      Term either = term_or(tt, term_unary(tt, TERM_IS_INF, x[0]), term_unary(tt, TERM_IS_NEG_INF, x[0]));
      return term_select(tt, either, tt->one, tt->zero);
    }
  }
  if (n == 2) {
    if (!strcmp(name, "fdiv_rn") || !strcmp(name, "div_rn") || !strcmp(name, "fast_fdivide") ||
        !strcmp(name, "fdivide"))
      return term_div(tt, x[0], x[1]);
    if (!strcmp(name, "fmax") || !strcmp(name, "max")) return term_max(tt, x[0], x[1]);
    if (!strcmp(name, "fmin") || !strcmp(name, "min")) return term_min(tt, x[0], x[1]);
  }
  if (n == 3 && !strncmp(name, "fma", 3)) return term_add(tt, term_mul(tt, x[0], x[1]), x[2]);
  TermFn fn = extern_fn(name);
  return fn != FN_COUNT && term_fn_arity(fn) == n ? term_fn(tt, fn, n, x) : 0;
}

static Term extern_call(Machine *ex, const Op *op, OpId id) {
  TermTable *tt = ex->tt;
  const char *symbol = program_op_text(ex->program, op, "symbol");
  char name[64];
  Term args[8];
  if (op->operand_count > 8 || !symbol) return 0;
  for (uint32_t i = 0; i < op->operand_count; i++) args[i] = execute_value(ex, op->operands[i]);
  Term r = base_name(symbol, name, sizeof name) ? extern_arith(ex, name, op->operand_count, args) : 0;
  const Type *result = program_get_type(
      ex->program, program_element_type(ex->program, program_get_value(ex->program, op->first_result)->type));
  if (r) {
    if (result->kind == TYPE_INT && term_sort(tt, r) == SORT_REAL) r = term_unary(tt, TERM_TRUNC, r);
    if (result->kind == TYPE_INT && op->operand_count == 1 && term_sort(tt, args[0]) == SORT_INT)
      r = term_wrap(tt, result->width, r); /* of the least integer, abs has no value of the type */
    return r;
  }
  execute_note_opaque(ex, id, symbol);
  return term_opaque(tt, intern_text(tt->names, symbol), result->kind == TYPE_INT ? SORT_INT : SORT_REAL,
                     op->operand_count, args);
}

static Term compare(Machine *ex, const Op *op) {
  TermTable *tt = ex->tt;
  const char *p = program_op_text(ex->program, op, "predicate");
  Term a = execute_value(ex, op->operands[0]), b = execute_value(ex, op->operands[1]);
  if (!strcmp(p, "true")) return tt->true_;
  if (!strcmp(p, "false")) return tt->false_;
  Term nan = term_or(tt, term_unary(tt, TERM_IS_NAN, a), term_unary(tt, TERM_IS_NAN, b)), r;
  if (!strcmp(p, "ord")) return term_not(tt, nan);
  if (!strcmp(p, "uno")) return nan;
  if (!strcmp(p + 1, "eq"))
    r = term_eq(tt, a, b);
  else if (!strcmp(p + 1, "lt"))
    r = term_lt(tt, a, b);
  else if (!strcmp(p + 1, "le"))
    r = term_le(tt, a, b);
  else if (!strcmp(p + 1, "gt"))
    r = term_lt(tt, b, a);
  else if (!strcmp(p + 1, "ge"))
    r = term_le(tt, b, a);
  else
    r = term_not(tt, term_eq(tt, a, b)); /* ne */
  return p[0] == 'u' ? term_or(tt, nan, r) : term_and(tt, term_not(tt, nan), r);
}

/* The greater or the lesser of two, and of a number and a NaN the number; or the first where it is a comparison that
 * decides, a < b ? b : a. Where the function writes no NaN itself, each value that is defined is a number. */
static Term extremum_of_numbers(Machine *ex, const Op *op, bool is_greatest, Term a, Term b) {
  TermTable *tt = ex->tt;
  Term of_both = is_greatest ? term_max(tt, a, b) : term_min(tt, a, b);
  if (!ex->writes_nan) return of_both;
  if (program_op_attr(ex->program, op, "compares"))
    return term_select(tt, term_or(tt, term_unary(tt, TERM_IS_NAN, a), term_unary(tt, TERM_IS_NAN, b)), a, of_both);
  Term of_first = term_select(tt, term_unary(tt, TERM_IS_NAN, b), a, of_both);
  return term_select(tt, term_unary(tt, TERM_IS_NAN, a), b, of_first);
}

static const char *type_name(Machine *ex, ValueId value) {
  const Type *t =
      program_get_type(ex->program, program_element_type(ex->program, program_get_value(ex->program, value)->type));
  return t->kind == TYPE_FLOAT ? program_float_name(t->format) : "int";
}

static void note_cast(Machine *ex, const Op *op, OpId id) {
  execute_note_rounding(
      ex, id, arena_format(ex->arena, "%s to %s", type_name(ex, op->operands[0]), type_name(ex, op->first_result)));
}

static void note_quotient(Machine *ex, const Op *op) {
  bool required = program_op_attr(ex->program, op, "nonzero") != 0;
  ex->effects->requires_divisors |= required, ex->effects->has_other_quotients |= !required;
}

/* Truncation towards zero. */
static Term to_integer(Machine *ex, const Op *op, OpId id) {
  TermTable *tt = ex->tt;
  Term t = term_unary(tt, TERM_TRUNC, execute_value(ex, op->operands[0]));
  uint32_t width = execute_width(ex, op->first_result);
  (void)id;
  if (width == 1) return term_not(tt, term_eq(tt, t, tt->zero));
  if (op->code == OP_ARITH_FPTOUI)
    return term_wrap(tt, width, t); /* bits have no sign: from the middle on they are negative numbers */
  return t;                         /* out of range is undefined; the domain is the obligation's */
}

static Term clamp(Machine *ex, const Op *op) {
  TermTable *tt = ex->tt;
  Term x = execute_value(ex, op->operands[0]), lo = execute_value(ex, op->operands[1]),
       hi = execute_value(ex, op->operands[2]);
  return term_min(tt, term_max(tt, x, lo), hi);
}

/* The function of base/functions.def that the operation is; FN_COUNT: none. */
static TermFn function_of(Opcode code) {
  static const uint8_t functions[OP_COUNT] = {
#define FN(id, text, arity, sort, domain, trait, least, most, at_zero, pole, value, mlir, ...)                         \
  [OP_MATH_##mlir] = 1 + FN_##id,
#define FN_REAL(...)
#define FN_INT(...)
#include "base/functions.def"
  };
  return functions[code] ? (TermFn)(functions[code] - 1) : FN_COUNT;
}

static Term function(Machine *ex, const Op *op, TermFn fn) {
  if (fn == FN_POW) note_quotient(ex, op);
  Term x[2] = {0};
  for (uint32_t i = 0; i < op->operand_count && i < 2; i++) x[i] = execute_value(ex, op->operands[i]);
  return term_fn(ex->tt, fn, term_fn_arity(fn), x);
}

static bool has_nan(const TermTable *tt, Term t) {
  bool chosen = term_kind(tt, t) == TERM_SELECT && term_node(tt, t)->flags & TERM_HAS_INF;
  return chosen ? has_nan(tt, term_arg(tt, t, 1)) || has_nan(tt, term_arg(tt, t, 2)) : term_kind(tt, t) == TERM_NAN;
}

/* r, with undefined values for its NaN. */
static Term undefined_for_nan(TermTable *tt, Term r, OpId id) {
  if (!has_nan(tt, r)) return r;
  if (term_kind(tt, r) == TERM_NAN) return term_undef(tt, SORT_REAL, id);
  return term_select(tt, term_arg(tt, r, 0), undefined_for_nan(tt, term_arg(tt, r, 1), id),
                     undefined_for_nan(tt, term_arg(tt, r, 2), id));
}

/* The result of an operation of a host language. Nothing is known of a NaN that it makes of numbers: a number over 0
 * may be an infinity, by the signs of both, and what comes next may pass over a NaN. Nor of what a power is of a NaN.
 */
static Term without_nan(Machine *ex, const Op *op, OpId id, Term r) {
  TermTable *tt = ex->tt;
  if (!ex->program->is_host || op->code == OP_ARITH_CMPF || op->code == OP_ARITH_CONSTANT) return r;
  bool of_nan = false;
  for (uint32_t i = 0; i < op->operand_count; i++) of_nan |= has_nan(tt, execute_value(ex, op->operands[i]));
  if (of_nan) return op->code == OP_MATH_POWF ? term_undef(tt, SORT_REAL, id) : r;
  return undefined_for_nan(tt, r, id);
}

static bool execute_one_float(Machine *ex, const Op *op, OpId id) {
  TermTable *tt = ex->tt;
  if (op->result_count == 0) return false;
#define X(i) execute_value(ex, op->operands[i])
  TermFn fn = function_of(op->code);
  Term r = 0;
  if (fn != FN_COUNT)
    r = function(ex, op, fn);
  else if (op->code == OP_ARITH_ADDF)
    r = term_add(tt, X(0), X(1));
  else if (op->code == OP_ARITH_SUBF)
    r = term_sub(tt, X(0), X(1));
  else if (op->code == OP_ARITH_MULF)
    r = term_mul(tt, X(0), X(1));
  else if (op->code == OP_ARITH_DIVF || op->code == OP_TT_PRECISE_DIVF) {
    note_quotient(ex, op);
    r = term_div(tt, X(0), X(1));
  } else if (op->code == OP_ARITH_REMF)
    r = term_fn(tt, FN_FMOD, 2, (Term[]){X(0), X(1)});
  else if (op->code == OP_ARITH_NEGF)
    r = term_neg(tt, X(0));
  else if (op->code == OP_ARITH_MAXNUMF || op->code == OP_ARITH_MINNUMF)
    r = extremum_of_numbers(ex, op, op->code == OP_ARITH_MAXNUMF, X(0), X(1));
  else if (op->code == OP_ARITH_MAXIMUMF)
    r = term_max(tt, X(0), X(1));
  else if (op->code == OP_ARITH_MINIMUMF)
    r = term_min(tt, X(0), X(1));
  else if (op->code == OP_ARITH_CMPF)
    r = compare(ex, op);
  else if (op->code == OP_ARITH_EXTF)
    r = X(0);
  else if (op->code == OP_ARITH_TRUNCF) {
    note_cast(ex, op, id);
    r = X(0);
  } else if (op->code == OP_TT_FP_TO_FP) {
    note_cast(ex, op, id);
    r = X(0);
  } else if (op->code == OP_ARITH_SITOFP) {
    r = X(0);
    if (term_sort(tt, r) == SORT_BOOL) r = term_select(tt, r, tt->minus_one, tt->zero);
  } else if (op->code == OP_ARITH_UITOFP) {
    r = X(0);
    if (term_sort(tt, r) == SORT_BOOL)
      r = term_select(tt, r, tt->one, tt->zero);
    else
      r = execute_without_sign(tt, r, execute_width(ex, op->operands[0]));
  } else if (op->code == OP_ARITH_FPTOSI || op->code == OP_ARITH_FPTOUI)
    r = to_integer(ex, op, id);
  else if (op->code == OP_MATH_EXP2)
    r = term_fn1(tt, FN_EXP, term_mul(tt, X(0), ln2(tt)));
  else if (op->code == OP_MATH_EXPM1)
    r = term_sub(tt, term_fn1(tt, FN_EXP, X(0)), tt->one);
  else if (op->code == OP_MATH_LOG2)
    r = term_div(tt, term_fn1(tt, FN_LOG, X(0)), ln2(tt));
  else if (op->code == OP_MATH_LOG10)
    r = term_div(tt, term_fn1(tt, FN_LOG, X(0)), term_fn1(tt, FN_LOG, term_int(tt, 10)));
  else if (op->code == OP_MATH_LOG1P)
    r = term_fn1(tt, FN_LOG, term_add(tt, tt->one, X(0)));
  else if (op->code == OP_MATH_SQRT || op->code == OP_TT_PRECISE_SQRT)
    r = term_power(tt, X(0), (Rational){1, 2});
  else if (op->code == OP_MATH_RSQRT) {
    note_quotient(ex, op);
    r = term_power(tt, X(0), (Rational){-1, 2});
  } else if (op->code == OP_MATH_ABSF)
    r = term_unary(tt, TERM_ABS, X(0));
  else if (op->code == OP_MATH_FLOOR)
    r = term_unary(tt, TERM_FLOOR, X(0));
  else if (op->code == OP_MATH_CEIL)
    r = term_unary(tt, TERM_CEIL, X(0));
  else if (op->code == OP_MATH_TRUNC)
    r = term_unary(tt, TERM_TRUNC, X(0));
  else if (op->code == OP_MATH_ROUNDEVEN)
    r = term_unary(tt, TERM_ROUND, X(0));
  else if (op->code == OP_MATH_ROUND) {
    /* half away from zero */
    Term x = X(0), up = term_unary(tt, TERM_FLOOR, term_add(tt, term_unary(tt, TERM_ABS, x), half(tt)));
    r = term_select(tt, term_lt(tt, x, tt->zero), term_neg(tt, up), up);
  } else if (op->code == OP_MATH_FMA)
    r = term_add(tt, term_mul(tt, X(0), X(1)), X(2));
  else if (op->code == OP_TT_CLAMPF)
    r = clamp(ex, op);
  else if (op->code == OP_TT_EXTERN_ELEMENTWISE) {
    note_quotient(ex, op);
    r = extern_call(ex, op, id);
  } else
    return false;
#undef X
  if (!r) return false;
  execute_set(ex, op->first_result, without_nan(ex, op, id, r));
  return true;
}

bool execute_float(Machine *ex, const Op *op, OpId id) {
  if (op->code == OP_ARITH_CMPF) return execute_comparison(ex, op, id, execute_one_float);
  return execute_watching(ex, op, id, execute_one_float, NULL);
}
