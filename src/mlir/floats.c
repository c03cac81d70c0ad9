/* Abstract floats (see floats.h).
 *
 * A term for a float is the integer of its bit pattern, all NaNs being the one that the format encodes first. The
 * operators are opaque functions of integers, so the engine knows nothing of them; what it may know is here, in the
 * constructors, each of which is an equality of IEEE 754 whatever the operands are:
 *
 *   a + b = b + a, a * b = b * a; x + (-0) = x; a - b = a + (-b); x * 1 = x / 1 = x; x + x = 2 * x;
 *   x / c = x * (1/c) for powers of two; -(-x) = x, abs(-x) = abs(x); maximumf and minimumf commute and associate, and
 *   are what the order says between constants; widening then narrowing is nothing; integers to float and back, where
 *   the format holds them; comparisons, NaN, infinities and signs of zero as IEEE 754 has them.
 *
 * The list is closed (docs/mlir.md): no associativity, no distributivity, no x - x = 0, and none of the laws that hold
 * but are not in it, such as (-a) * b = -(a * b) and max(x, x) = x. Operations on constants are computed in double,
 * which rounds once more only where that is harmless (formats of at most 25 bits: Figueroa 1995), else by the C
 * library's own function of the format. */
#include "mlir/floats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum OpKind { EXACT, LIBM, TEST, INT } OpKind;

static const struct OpRow {
  const char *name;
  int arity;
  OpKind kind;
} op_rows[FLOAT_OP_COUNT] = {
#define FLOAT_OP(id, name, arity, kind) {name, arity, kind},
#include "mlir/floats.def"
#undef FLOAT_OP
};

enum { MOST_EXTREMUM = 32 };

/* Terms that are made again, with other operands, get their normal form again. */
static Term remake(TermTable *tt, void *payload, Name name, uint32_t count, const Term *args);

void floats_init(Floats *f, TermTable *tt, bool reassociate, bool ieee) {
  Name last = 0;
  f->tt = tt, f->reassociate = reassociate, f->ieee = ieee;
  for (int op = 0; op < FLOAT_OP_COUNT; op++)
    for (int k = 0; k < FLOAT_FORMAT_COUNT; k++) {
      const char *text = arena_format(tt->arena, "%s.%s", op_rows[op].name, program_float_name((FloatFormat)k));
      f->names[op][k] = intern_text(tt->names, text);
      if (f->names[op][k] > last) last = f->names[op][k];
    }
  f->code_count = last + 1, f->codes = arena_array(tt->arena, uint32_t, f->code_count);
  for (int op = 0; op < FLOAT_OP_COUNT; op++)
    for (int k = 0; k < FLOAT_FORMAT_COUNT; k++)
      f->codes[f->names[op][k]] = (uint32_t)(1 + op * FLOAT_FORMAT_COUNT + k);
  Floats *kept = arena_new(tt->arena, Floats);
  *kept = *f;
  tt->opaque = remake, tt->opaque_payload = kept;
}

const char *floats_name(FloatOp op) { return op_rows[op].name; }

bool floats_is(const TermTable *tt, Term t, FloatOp *op, FloatFormat *format) {
  if (term_kind(tt, t) != TERM_OPAQUE) return false;
  const char *name = intern_string(tt->names, term_aux(tt, t)), *dot = strchr(name, '.');
  if (!dot) return false;
  for (int i = 0; i < FLOAT_OP_COUNT; i++)
    if (!strncmp(op_rows[i].name, name, (size_t)(dot - name)) && !op_rows[i].name[dot - name])
      for (int k = 0; k < FLOAT_FORMAT_COUNT; k++)
        if (!strcmp(program_float_name((FloatFormat)k), dot + 1))
          return *op = (FloatOp)i, *format = (FloatFormat)k, true;
  return false;
}

/* ---- concrete ---- */

uint64_t floats_canonical(FloatFormat format, uint64_t bits) {
  return isnan(program_float_decode(format, bits)) ? program_float_encode(format, NAN) : bits;
}

/* All NaNs are one, whatever the sign and payload that the machine computes. */
static int64_t encode(FloatFormat format, double value) {
  return (int64_t)program_float_encode(format, isnan(value) ? NAN : value);
}
static double decode(FloatFormat format, int64_t bits) { return program_float_decode(format, (uint64_t)bits); }

static bool is_wide(FloatFormat format) { return format == FLOAT_F32 || format == FLOAT_F64; }

static double larger(double a, double b) {
  if (isnan(a) || isnan(b)) return NAN;
  if (a == 0 && b == 0) return signbit(a) ? b : a;
  return a > b ? a : b;
}

static bool number_extremum(double a, double b, double sign, bool exactly, double *out) {
  if (exactly && a == 0 && b == 0 && signbit(a) != signbit(b)) return false; /* either zero is right */
  *out = isnan(a) ? b : isnan(b) ? a : sign * larger(sign * a, sign * b);
  return true;
}

/* Functions of the C library, and what is exact for every format. */
static bool libm(FloatOp op, double a, double b, bool exactly, double *out) {
  if (exactly) {
    bool zero = a == 0, known = isnan(a) || zero || isinf(a);
    if (op != FLOAT_EXP && op != FLOAT_EXP2) return false;
    if (!known) return false;
  }
  switch (op) {
#define FN(id, text, arity, sort, domain, trait, least, most, at_zero, pole, value, ...)                               \
  case FLOAT_##id:                                                                                                     \
    return *out = value, true;
#define FN_REAL(...)
#define FN_INT(...)
#include "base/functions.def"
  case FLOAT_EXP2: return *out = exp2(a), true;
  case FLOAT_EXPM1: return *out = expm1(a), true;
  case FLOAT_LOG2: return *out = log2(a), true;
  case FLOAT_LOG10: return *out = log10(a), true;
  case FLOAT_LOG1P: return *out = log1p(a), true;
  case FLOAT_RSQRT: return *out = 1 / sqrt(a), true;
  case FLOAT_CBRT: return *out = cbrt(a), true;
  default: return false;
  }
}

static bool real_result(FloatOp op, FloatFormat format, double a, double b, double c, bool exactly, double *out) {
  switch (op) {
  case FLOAT_ADD: return *out = a + b, true;
  case FLOAT_MUL: return *out = a * b, true;
  case FLOAT_DIV: return *out = a / b, true;
  case FLOAT_REM: return *out = fmod(a, b), true;
  case FLOAT_MAXIMUM: return *out = larger(a, b), true;
  case FLOAT_MINIMUM: return *out = -larger(-a, -b), true;
  case FLOAT_MAXNUM: return number_extremum(a, b, 1, exactly, out);
  case FLOAT_MINNUM: return number_extremum(a, b, -1, exactly, out);
  case FLOAT_COPYSIGN: return *out = copysign(a, b), true;
  case FLOAT_NEG: return *out = -a, true;
  case FLOAT_ABS: return *out = fabs(a), true;
  case FLOAT_SQRT: return *out = sqrt(a), true;
  case FLOAT_FLOOR: return *out = floor(a), true;
  case FLOAT_CEIL: return *out = ceil(a), true;
  case FLOAT_TRUNC: return *out = trunc(a), true;
  case FLOAT_ROUND: return *out = round(a), true;
  case FLOAT_ROUNDEVEN: return *out = nearbyint(a), true;
  case FLOAT_FMA:
    if (format == FLOAT_F32) return *out = (double)fmaf((float)a, (float)b, (float)c), true;
    return *out = fma(a, b, c), format == FLOAT_F64 || !exactly;
  default: return libm(op, a, b, exactly, out);
  }
}

int64_t floats_of_integer(FloatFormat format, Int128 value) {
  return encode(format, format == FLOAT_F32 ? (double)(float)value : (double)value);
}

static bool from_integer(FloatFormat format, int64_t value, bool exactly, int64_t *out) {
  bool small = value >= -(1ll << 53) && value <= 1ll << 53;
  if (exactly && !small && !is_wide(format)) return false;
  return *out = floats_of_integer(format, value), true;
}

static bool fits(double a, int64_t width, bool is_signed) {
  double whole = trunc(a), top = ldexp(1, (int)width - is_signed);
  return !isnan(a) && whole < top && whole >= (is_signed ? -top : 0);
}

/* Modulo 2^64; 0 where nothing fits. */
static int64_t to_integer(double a) {
  a = trunc(a);
  if (isnan(a) || isinf(a)) return 0;
  if (a < 0x1p63 && a >= -0x1p63) return (int64_t)a;
  return (int64_t)(uint64_t)fmod(a, 0x1p64);
}

static FloatFormat source_of(FloatOp op, FloatFormat format) {
  return op == FLOAT_FROM_F16    ? FLOAT_F16
         : op == FLOAT_FROM_BF16 ? FLOAT_BF16
         : op == FLOAT_FROM_F32  ? FLOAT_F32
         : op == FLOAT_FROM_F64  ? FLOAT_F64
                                 : format;
}

bool floats_compute(FloatOp op, FloatFormat format, uint32_t count, const int64_t *in, bool exactly, int64_t *out) {
  if (op == FLOAT_SUM || op == FLOAT_ITEM) return false;
  if (op == FLOAT_FROM_INT) return from_integer(format, in[0], exactly, out);
  if (op == FLOAT_FROM_BITS) {
    uint32_t width = program_float_bits(format);
    uint64_t bits = (uint64_t)in[0] & (width < 64 ? (1ull << width) - 1 : UINT64_MAX);
    return *out = (int64_t)floats_canonical(format, bits), !exactly || !isnan(decode(format, (int64_t)bits));
  }
  double a = decode(source_of(op, format), in[0]), b = count > 1 ? decode(format, in[1]) : 0,
         c = count > 2 ? decode(format, in[2]) : 0, r;
  switch (op) {
  case FLOAT_FROM_F16:
  case FLOAT_FROM_BF16:
  case FLOAT_FROM_F32:
  case FLOAT_FROM_F64: return *out = encode(format, a), true;
  case FLOAT_ORDER: return *out = a < b ? -1 : a > b, true;
  case FLOAT_IS_NAN: return *out = isnan(a) != 0, true;
  case FLOAT_IS_INF: return *out = isinf(a) != 0, true;
  case FLOAT_FITS_S: return *out = fits(a, in[1], true), true;
  case FLOAT_FITS_U: return *out = fits(a, in[1], false), true;
  case FLOAT_TO_INT: return *out = to_integer(a), !exactly || fits(a, 64, true) || fits(a, 64, false);
  case FLOAT_BITS: return *out = in[0], !isnan(a); /* which NaN it is, is not known */
  default: break;
  }
  if (!real_result(op, format, a, b, c, exactly, &r)) return false;
  if (exactly && format != FLOAT_F64 && program_float_bits(format) > 32) return false;
  return *out = encode(format, r), true;
}

/* ---- terms ---- */

Term floats_constant(Floats *f, FloatFormat format, double value) {
  return f->real ? reals_constant(f, format, value) : term_int(f->tt, encode(format, value));
}

bool floats_is_constant(const Floats *f, Term t, FloatFormat format, double *value) {
  const TermTable *tt = f->tt;
  if (f->real) {
    if (!term_is_rat(tt, t)) return false;
    return *value = (double)term_rat(tt, t).num / (double)term_rat(tt, t).den, true;
  }
  int64_t bits;
  if (!term_is_int(tt, t, &bits)) return false;
  *value = decode(format, bits);
  return true;
}

/* Computed, where all operands are constants; 0 otherwise. */
static Term fold(Floats *f, FloatOp op, FloatFormat format, uint32_t count, const Term *args) {
  int64_t in[3], out;
  for (uint32_t i = 0; i < count && count <= 3; i++)
    if (!term_is_int(f->tt, args[i], &in[i])) return 0;
  if (count > 3 || !floats_compute(op, format, count, in, true, &out)) return 0;
  return op_rows[op].kind == TEST ? term_bool(f->tt, out != 0) : term_int(f->tt, out);
}

static Term make(Floats *f, FloatOp op, FloatFormat format, uint32_t count, const Term *args) {
  Term folded = fold(f, op, format, count, args);
  if (folded) return folded;
  return term_opaque_as_is(f->tt, f->names[op][format], op_rows[op].kind == TEST ? SORT_BOOL : SORT_INT, count, args);
}

static bool is_op(const Floats *f, Term t, FloatOp op, FloatFormat format) {
  return term_kind(f->tt, t) == TERM_OPAQUE && term_aux(f->tt, t) == f->names[op][format];
}

static bool is_value(const Floats *f, Term t, FloatFormat format, double value) {
  double own;
  return floats_is_constant(f, t, format, &own) && own == value && signbit(own) == signbit(value);
}

static bool is_nan_constant(const Floats *f, Term t, FloatFormat format) {
  double own;
  return floats_is_constant(f, t, format, &own) && isnan(own);
}

/* In an order that does not depend on when terms were made. */
static bool is_before(const TermTable *tt, Term a, Term b) {
  uint64_t x = term_node(tt, a)->hash, y = term_node(tt, b)->hash;
  return x != y ? x < y : a < b;
}

static void order(const TermTable *tt, Term *a, Term *b) {
  if (!is_before(tt, *b, *a)) return;
  Term swap = *a;
  *a = *b, *b = swap;
}

static Term negate(Floats *f, FloatFormat format, Term a) {
  if (is_op(f, a, FLOAT_NEG, format)) return term_arg(f->tt, a, 0);
  return make(f, FLOAT_NEG, format, 1, &a);
}

Term floats_unary(Floats *f, FloatOp op, FloatFormat format, Term a) {
  if (f->real) return reals_operation(f, op, a, 0, 0);
  if (op == FLOAT_NEG) return negate(f, format, a);
  if (op == FLOAT_ABS && is_op(f, a, FLOAT_NEG, format)) a = term_arg(f->tt, a, 0);
  return make(f, op, format, 1, &a);
}

/* ---- sums in any order: the free abelian group over the summands ---- */

/* The exact value of a constant times k, if the format has it. */
static bool exact_multiple(FloatFormat format, double value, Rational k, double *out) {
  if (k.den != 1 || k.num < 0 || k.num > 1 << 20) return false;
  *out = value * (double)k.num;
  bool is_small = fabs(*out) < 0x1p40 && (fabs(value) > 0x1p-40 || value == 0);
  return isfinite(*out) && decode(format, encode(format, *out)) == *out && is_small;
}

/* Constants are one, where their sum is exact. */
static Term join_constants(Floats *f, FloatFormat format, Term items) {
  TermTable *tt = f->tt;
  double total = 0;
  Term rest = items;
  uint32_t joined = 0;
  if (term_kind(tt, items) != TERM_ADD) return items;
  for (uint32_t i = 1; i < term_count(tt, items); i += 2) {
    Term item = term_arg(tt, items, i + 1);
    double value, multiple;
    if (!is_op(f, item, FLOAT_ITEM, format) || !floats_is_constant(f, term_arg(tt, item, 0), format, &value)) continue;
    Rational k = term_rat(tt, term_arg(tt, items, i));
    if (!exact_multiple(format, value, k, &multiple) ||
        decode(format, encode(format, total + multiple)) != total + multiple)
      return items;
    total += multiple, joined += k.num > 1 ? 2 : 1;
    rest = term_sub(tt, rest, term_scale(tt, k, item));
  }
  if (joined < 2) return items;
  Term constant = floats_constant(f, format, total);
  return term_add(tt, rest, make(f, FLOAT_ITEM, format, 1, &constant));
}

Term floats_items(Floats *f, FloatFormat format, Term a) {
  TermTable *tt = f->tt;
  if (is_op(f, a, FLOAT_SUM, format)) return term_arg(tt, a, 0);
  if (is_value(f, a, format, -0.0)) return tt->zero;
  if (term_kind(tt, a) == TERM_SELECT)
    return term_select(tt, term_arg(tt, a, 0), floats_items(f, format, term_arg(tt, a, 1)),
                       floats_items(f, format, term_arg(tt, a, 2)));
  return make(f, FLOAT_ITEM, format, 1, &a);
}

Term floats_sum(Floats *f, FloatFormat format, Term items) {
  TermTable *tt = f->tt;
  if (items == tt->zero) return floats_constant(f, format, -0.0);
  if (term_kind(tt, items) == TERM_SELECT)
    return term_select(tt, term_arg(tt, items, 0), floats_sum(f, format, term_arg(tt, items, 1)),
                       floats_sum(f, format, term_arg(tt, items, 2)));
  items = join_constants(f, format, items);
  if (is_op(f, items, FLOAT_ITEM, format)) return term_arg(tt, items, 0);
  return make(f, FLOAT_SUM, format, 1, &items);
}

/* 2^n * x is so many of x. */
static bool is_count(double c, Rational *out) {
  int exponent;
  if (c < 2 || c > 1024 || frexp(c, &exponent) != 0.5) return false;
  return *out = rational_int((int64_t)c), true;
}

/* Factors in any order: those of products that are factors, in order; two constants are one. */
static Term product(Floats *f, FloatFormat format, Term a, Term b) {
  TermTable *tt = f->tt;
  Term list[MOST_EXTREMUM + 1], constant = 0;
  uint32_t count = 0;
  for (int side = 0; side < 2; side++) {
    Term t = side ? b : a;
    bool nested = is_op(f, t, FLOAT_MUL, format);
    for (uint32_t i = 0; i < (nested ? term_count(tt, t) : 1); i++) {
      Term item = nested ? term_arg(tt, t, i) : t;
      double first, second = 0;
      if (count == MOST_EXTREMUM) return make(f, FLOAT_MUL, format, 2, (Term[]){a, b});
      if (floats_is_constant(f, item, format, &first)) {
        if (!constant) {
          constant = item;
          continue;
        }
        floats_is_constant(f, constant, format, &second);
        if (decode(format, encode(format, first * second)) != first * second || first * second == 0)
          return make(f, FLOAT_MUL, format, 2, (Term[]){a, b});
        constant = floats_constant(f, format, first * second);
        continue;
      }
      uint32_t at = count++;
      for (; at && is_before(tt, item, list[at - 1]); at--) list[at] = list[at - 1];
      list[at] = item;
    }
  }
  if (constant && !is_value(f, constant, format, 1)) {
    memmove(list + 1, list, count * sizeof *list);
    list[0] = constant, count++;
  }
  return count == 1   ? list[0]
         : count == 2 ? make(f, FLOAT_MUL, format, 2, list)
                      : term_opaque_as_is(tt, f->names[FLOAT_MUL][format], SORT_INT, count, list);
}

/* (-a) * b = -(a * b), and likewise of quotients: takes the signs off. */
static bool take_signs(Floats *f, FloatFormat format, Term *a, Term *b) {
  bool negative = false;
  for (int i = 0; i < 2 && f->ieee; i++) {
    Term *t = i ? b : a;
    double c;
    if (floats_is_constant(f, *t, format, &c) && signbit(c) && !isnan(c))
      *t = floats_constant(f, format, -c), negative = !negative;
    if (is_op(f, *t, FLOAT_NEG, format)) *t = term_arg(f->tt, *t, 0), negative = !negative;
  }
  return negative;
}

static Term multiply(Floats *f, FloatFormat format, Term a, Term b) {
  if (take_signs(f, format, &a, &b)) return negate(f, format, multiply(f, format, a, b));
  if (is_value(f, a, format, 1)) return b;
  if (is_value(f, b, format, 1)) return a;
  if (f->reassociate) {
    Rational k;
    double c;
    for (int i = 0; i < 2; i++)
      if (floats_is_constant(f, i ? b : a, format, &c) && is_count(c, &k))
        return floats_sum(f, format, term_scale(f->tt, k, floats_items(f, format, i ? a : b)));
    return product(f, format, a, b);
  }
  order(f->tt, &a, &b);
  return make(f, FLOAT_MUL, format, 2, (Term[]){a, b});
}

static Term add(Floats *f, FloatFormat format, Term a, Term b) {
  if (is_value(f, a, format, -0.0)) return b;
  if (is_value(f, b, format, -0.0)) return a;
  if (f->reassociate)
    return floats_sum(f, format, term_add(f->tt, floats_items(f, format, a), floats_items(f, format, b)));
  if (a == b) return multiply(f, format, floats_constant(f, format, 2), a);
  order(f->tt, &a, &b);
  return make(f, FLOAT_ADD, format, 2, (Term[]){a, b});
}

/* 1/c, where both are powers of two; a negative number is none. */
static bool reciprocal(FloatFormat format, double c, double *out) {
  int exponent;
  if (c == 0 || isinf(c) || isnan(c) || frexp(c, &exponent) != 0.5) return false;
  *out = 1 / c;
  return !isinf(*out) && *out != 0 && decode(format, encode(format, *out)) == *out;
}

static Term divide(Floats *f, FloatFormat format, Term a, Term b) {
  if (take_signs(f, format, &a, &b)) return negate(f, format, divide(f, format, a, b));
  double c;
  if (floats_is_constant(f, b, format, &c) && reciprocal(format, c, &c))
    return multiply(f, format, a, floats_constant(f, format, c));
  return make(f, FLOAT_DIV, format, 2, (Term[]){a, b});
}

static Term extremum(Floats *f, FloatOp op, FloatFormat format, Term a, Term b);

/* The operands of an extremum without its constant; 0: there is none, or nothing else. */
static Term without_constant(Floats *f, FloatOp op, FloatFormat format, Term t, double *constant) {
  TermTable *tt = f->tt;
  Term rest = 0;
  bool found = false;
  if (!is_op(f, t, op, format)) return 0;
  for (uint32_t i = 0; i < term_count(tt, t); i++) {
    Term item = term_arg(tt, t, i);
    if (!found && floats_is_constant(f, item, format, constant))
      found = true;
    else
      rest = rest ? extremum(f, op, format, rest, item) : item;
  }
  return found ? rest : 0;
}

/* Between two constants, the form is min(max(x, low), high) with low <= high: of a total order, max(min(x, b), c) is
 * min(max(x, c), max(b, c)), and min(max(x, b), c) with c <= b is min(max(x, c), c), NaN being NaN. 0: it is none. */
static Term between(Floats *f, FloatOp op, FloatFormat format, Term t, double c) {
  double b;
  Term limit = floats_constant(f, format, c);
  Term rest = without_constant(f, op == FLOAT_MAXIMUM ? FLOAT_MINIMUM : FLOAT_MAXIMUM, format, t, &b);
  if (!rest || isnan(b) || (op == FLOAT_MINIMUM && larger(b, c) == c && signbit(larger(b, c)) == signbit(c))) return 0;
  Term high = op == FLOAT_MAXIMUM ? floats_constant(f, format, larger(b, c)) : limit;
  return extremum(f, FLOAT_MINIMUM, format, extremum(f, FLOAT_MAXIMUM, format, rest, limit), high);
}

/* An extremum of a recurrence whose steps are that extremum: the other operand is part of what it begins with. 0: it is
 * none. */
static Term into_recurrence(Floats *f, FloatOp op, FloatFormat format, Term t, Term operand) {
  TermTable *tt = f->tt;
  if (term_kind(tt, t) != TERM_RECUR || term_recur_count(tt, t) != 1 || term_recur_lanes(tt, t)) return 0;
  RecurParts p = term_recur_open(tt, t);
  bool found = false;
  if (!is_op(f, p.next[0], op, format)) return 0;
  for (uint32_t i = 0; i < term_count(tt, p.next[0]); i++) {
    if (term_arg(tt, p.next[0], i) == p.state[0] && !found)
      found = true;
    else if (term_has_symbol(tt, term_arg(tt, p.next[0], i), term_arg(tt, p.state[0], 0)))
      return 0;
  }
  if (!found) return 0;
  p.init[0] = extremum(f, op, format, p.init[0], operand);
  return term_recur_of(tt, p);
}

/* maximumf and minimumf: the operands of nested ones in order, the constants among them as one. */
static Term extremum(Floats *f, FloatOp op, FloatFormat format, Term a, Term b) {
  TermTable *tt = f->tt;
  Term whole = into_recurrence(f, op, format, a, b);
  if (!whole) whole = into_recurrence(f, op, format, b, a);
  if (whole) return whole;
  Term list[MOST_EXTREMUM], constant = 0, between_constants;
  uint32_t count = 0;
  for (int side = 0; side < 2; side++) {
    Term t = side ? b : a;
    bool nested = is_op(f, t, op, format);
    for (uint32_t i = 0; i < (nested ? term_count(tt, t) : 1); i++) {
      if (count + 1 >= MOST_EXTREMUM) return make(f, op, format, 2, (Term[]){a, b});
      Term item = nested ? term_arg(tt, t, i) : t;
      double value;
      if (floats_is_constant(f, item, format, &value)) {
        constant = constant ? make(f, op, format, 2, (Term[]){constant, item}) : item;
        continue;
      }
      uint32_t at = count;
      while (at && is_before(tt, item, list[at - 1])) at--;
      memmove(list + at + 1, list + at, (count - at) * sizeof *list);
      list[at] = item, count++;
    }
  }
  double value;
  if (constant && !count) return constant;
  if (constant && count == 1 && floats_is_constant(f, constant, format, &value) &&
      (between_constants = between(f, op, format, list[0], value)))
    return between_constants;
  if (constant) {
    uint32_t at = count;
    while (at && is_before(tt, constant, list[at - 1])) at--;
    memmove(list + at + 1, list + at, (count - at) * sizeof *list);
    list[at] = constant, count++;
  }
  if (count == 2) return make(f, op, format, 2, list);
  return term_opaque_as_is(tt, f->names[op][format], SORT_INT, count, list);
}

static bool propagates_nan(FloatOp op) {
  return op == FLOAT_ADD || op == FLOAT_MUL || op == FLOAT_DIV || op == FLOAT_REM || op == FLOAT_MAXIMUM ||
         op == FLOAT_MINIMUM;
}

Term floats_binary(Floats *f, FloatOp op, FloatFormat format, Term a, Term b) {
  if (f->real) return reals_operation(f, op, a, b, 0);
  if (propagates_nan(op) && is_nan_constant(f, a, format)) return a;
  if (propagates_nan(op) && is_nan_constant(f, b, format)) return b;
  switch (op) {
  case FLOAT_ADD: return add(f, format, a, b);
  case FLOAT_MUL: return multiply(f, format, a, b);
  case FLOAT_DIV: return divide(f, format, a, b);
  case FLOAT_MAXIMUM:
  case FLOAT_MINIMUM: return extremum(f, op, format, a, b);
  default: return make(f, op, format, 2, (Term[]){a, b});
  }
}

Term floats_fma(Floats *f, FloatFormat format, Term a, Term b, Term c) {
  if (f->real) return reals_operation(f, FLOAT_FMA, a, b, c);
  return make(f, FLOAT_FMA, format, 3, (Term[]){a, b, c});
}

/* ---- conversions ---- */

static const FloatOp conversions[] = {FLOAT_FROM_F16, FLOAT_FROM_BF16, FLOAT_FROM_F32, FLOAT_FROM_F64};

/* True if `to` holds every value of `from`. */
static bool holds(FloatFormat from, FloatFormat to) {
  return from == to || to == FLOAT_F64 || (to == FLOAT_F32 && (from == FLOAT_F16 || from == FLOAT_BF16));
}

Term floats_convert(Floats *f, FloatFormat from, FloatFormat to, Term a) {
  if (from == to || f->real) return a;
  for (size_t i = 0; i < sizeof conversions / sizeof *conversions; i++) {
    FloatFormat inner = source_of(conversions[i], to);
    if (inner == to && holds(inner, from) && is_op(f, a, conversions[i], from)) return term_arg(f->tt, a, 0);
  }
  for (size_t i = 0; i < sizeof conversions / sizeof *conversions; i++)
    if (source_of(conversions[i], to) == from && from != to) return make(f, conversions[i], to, 1, &a);
  return 0;
}

/* Bits of the significand, the hidden one included. */
static int precision(FloatFormat format) {
  return format == FLOAT_F64 ? 53 : format == FLOAT_F32 ? 24 : format == FLOAT_F16 ? 11 : format == FLOAT_BF16 ? 8 : 0;
}

Term floats_from_integer(Floats *f, FloatFormat format, Term value) {
  if (f->real) return value;
  return make(f, FLOAT_FROM_INT, format, 1, &value);
}

static bool is_between(TermTable *tt, Term t, Int128 lo, Int128 hi) {
  Int128 from, to;
  if (term_interval(tt, t, &from, &to) && from >= lo && to <= hi) return true;
  return term_prove_le(tt, term_new_rat(tt, (Rational){lo, 1}), t) &&
         term_prove_le(tt, t, term_new_rat(tt, (Rational){hi, 1}));
}

Term floats_to_integer(Floats *f, FloatFormat format, Term a, uint32_t width, bool is_signed, Term *poison) {
  TermTable *tt = f->tt;
  if (f->real) return reals_to_integer(f, a, width, is_signed, poison);
  Term bits = term_int(tt, width);
  Int128 most = (Int128)1 << precision(format);
  if (format == FLOAT_F16) most = 2048;
  if (is_op(f, a, FLOAT_FROM_INT, format) && precision(format) && is_between(tt, term_arg(tt, a, 0), -most, most)) {
    Term value = term_arg(tt, a, 0);
    Int128 top = (Int128)1 << (width - is_signed);
    Term lo = term_new_rat(tt, (Rational){is_signed ? -top : 0, 1}), hi = term_new_rat(tt, (Rational){top - 1, 1});
    *poison = term_not(tt, term_and(tt, term_le(tt, lo, value), term_le(tt, value, hi)));
    return value;
  }
  *poison = term_not(tt, make(f, is_signed ? FLOAT_FITS_S : FLOAT_FITS_U, format, 2, (Term[]){a, bits}));
  return make(f, FLOAT_TO_INT, format, 1, &a);
}

Term floats_bits(Floats *f, FloatFormat format, Term a, uint32_t width) {
  TermTable *tt = f->tt;
  if (f->real) return 0;
  Term inner = is_op(f, a, FLOAT_FROM_BITS, format) ? term_arg(tt, a, 0) : 0;
  if (inner && width == program_float_bits(format)) return inner;
  return make(f, FLOAT_BITS, format, 1, &a);
}

Term floats_from_bits(Floats *f, FloatFormat format, Term bits) {
  Term inner = bits;
  if (f->real) return 0;
  if (term_kind(f->tt, inner) == TERM_WRAP) inner = term_arg(f->tt, inner, 0);
  if (is_op(f, inner, FLOAT_BITS, format)) return term_arg(f->tt, inner, 0);
  return make(f, FLOAT_FROM_BITS, format, 1, &bits);
}

/* ---- comparisons ---- */

Term floats_is_nan(Floats *f, FloatFormat format, Term a) {
  if (f->real) return f->tt->false_;
  if (is_op(f, a, FLOAT_NEG, format) || is_op(f, a, FLOAT_ABS, format)) a = term_arg(f->tt, a, 0);
  if (is_op(f, a, FLOAT_FROM_INT, format)) return f->tt->false_;
  for (size_t i = 0; i < sizeof conversions / sizeof *conversions; i++)
    if (is_op(f, a, conversions[i], format))
      return floats_is_nan(f, source_of(conversions[i], format), term_arg(f->tt, a, 0));
  return make(f, FLOAT_IS_NAN, format, 1, &a);
}

Term floats_is_infinite(Floats *f, FloatFormat format, Term a) {
  if (f->real) return f->tt->false_;
  if (is_op(f, a, FLOAT_NEG, format) || is_op(f, a, FLOAT_ABS, format)) a = term_arg(f->tt, a, 0);
  return make(f, FLOAT_IS_INF, format, 1, &a);
}

/* What a narrower format holds, too: the format and the value in it. false: t may be none of these. */
static bool is_widened(Floats *f, FloatFormat format, Term t, FloatFormat from, Term *inner) {
  double value;
  if (floats_is_constant(f, t, format, &value)) {
    *inner = floats_constant(f, from, value);
    return decode(from, encode(from, value)) == value;
  }
  for (size_t i = 0; i < sizeof conversions / sizeof *conversions; i++)
    if (source_of(conversions[i], format) == from && is_op(f, t, conversions[i], format))
      return *inner = term_arg(f->tt, t, 0), holds(from, format);
  return false;
}

/* An integer from which a value is read that no rounding changed. */
static Term exact_integer(Floats *f, FloatFormat format, Term t) {
  Int128 most = (Int128)1 << precision(format);
  if (!is_op(f, t, FLOAT_FROM_INT, format) || !precision(format)) return 0;
  return is_between(f->tt, term_arg(f->tt, t, 0), -most, most) ? term_arg(f->tt, t, 0) : 0;
}

static bool is_infinite_constant(const Floats *f, Term t, FloatFormat format) {
  double own;
  return floats_is_constant(f, t, format, &own) && isinf(own);
}

/* Below 0 where a < b, 0 where they are equal, above 0 where a > b; of NaN any number. One of the three holds: that is
 * all that is known of it, and what infinities are. */
static Term compared(Floats *f, FloatFormat format, Term a, Term b) {
  TermTable *tt = f->tt;
  if (a == b) return tt->zero;
  if (is_op(f, a, FLOAT_NEG, format) && is_op(f, b, FLOAT_NEG, format))
    return compared(f, format, term_arg(tt, b, 0), term_arg(tt, a, 0));
  Term x, y;
  for (size_t i = 0; i < sizeof conversions / sizeof *conversions; i++) {
    FloatFormat from = source_of(conversions[i], format);
    bool either = is_op(f, a, conversions[i], format) || is_op(f, b, conversions[i], format);
    if (either && from != format && is_widened(f, format, a, from, &x) && is_widened(f, format, b, from, &y))
      return compared(f, from, x, y);
  }
  x = exact_integer(f, format, a), y = exact_integer(f, format, b);
  if (x && y) return term_sub(tt, x, y);
  bool first = is_infinite_constant(f, a, format), second = is_infinite_constant(f, b, format);
  if (second ? !first : !first && is_before(tt, b, a)) return term_neg(tt, compared(f, format, b, a));
  Term place = make(f, FLOAT_ORDER, format, 2, (Term[]){a, b});
  if (!first) return place;
  return is_value(f, a, format, INFINITY) ? term_max(tt, tt->zero, place) : term_min(tt, tt->zero, place);
}

/* Predicates of cmpf: ordered ones are false and unordered ones true of NaN. */
Term floats_compare(Floats *f, FloatFormat format, const char *predicate, Term a, Term b) {
  TermTable *tt = f->tt;
  if (f->real) return reals_compare(f, predicate, a, b);
  const char *p = predicate ? predicate : "";
  if (!strcmp(p, "false")) return tt->false_;
  if (!strcmp(p, "true")) return tt->true_;
  Term nan = term_or(tt, floats_is_nan(f, format, a), floats_is_nan(f, format, b));
  if (!strcmp(p, "uno")) return nan;
  if (!strcmp(p, "ord")) return term_not(tt, nan);
  if (p[0] != 'o' && p[0] != 'u') return 0;
  Term place = compared(f, format, a, b), r = 0;
  if (!strcmp(p + 1, "eq")) r = term_eq(tt, place, tt->zero);
  if (!strcmp(p + 1, "ne")) r = term_not(tt, term_eq(tt, place, tt->zero));
  if (!strcmp(p + 1, "lt")) r = term_lt(tt, place, tt->zero);
  if (!strcmp(p + 1, "le")) r = term_le(tt, place, tt->zero);
  if (!strcmp(p + 1, "gt")) r = term_lt(tt, tt->zero, place);
  if (!strcmp(p + 1, "ge")) r = term_le(tt, tt->zero, place);
  if (!r) return 0;
  return p[0] == 'u' ? term_or(tt, nan, r) : term_and(tt, term_not(tt, nan), r);
}

/* ---- made again ---- */

static Term remake_conversion(Floats *f, FloatOp op, FloatFormat format, Term a) {
  Term t = floats_convert(f, source_of(op, format), format, a);
  return t ? t : make(f, op, format, 1, &a);
}

static Term remake(TermTable *tt, void *payload, Name name, uint32_t count, const Term *args) {
  Floats *f = payload;
  uint32_t code = name < f->code_count ? f->codes[name] : 0;
  (void)tt;
  if (!code) return 0;
  FloatOp op = (FloatOp)((code - 1) / FLOAT_FORMAT_COUNT);
  FloatFormat format = (FloatFormat)((code - 1) % FLOAT_FORMAT_COUNT);
  switch (op) {
  case FLOAT_SUM: return floats_sum(f, format, args[0]);
  case FLOAT_ITEM: return floats_items(f, format, args[0]);
  case FLOAT_FMA: return floats_fma(f, format, args[0], args[1], args[2]);
  case FLOAT_FROM_F16:
  case FLOAT_FROM_BF16:
  case FLOAT_FROM_F32:
  case FLOAT_FROM_F64: return remake_conversion(f, op, format, args[0]);
  case FLOAT_ORDER: return compared(f, format, args[0], args[1]);
  case FLOAT_IS_NAN: return floats_is_nan(f, format, args[0]);
  case FLOAT_IS_INF: return floats_is_infinite(f, format, args[0]);
  case FLOAT_FROM_BITS: return floats_from_bits(f, format, args[0]);
  case FLOAT_FROM_INT:
  case FLOAT_BITS:
  case FLOAT_TO_INT:
  case FLOAT_FITS_S:
  case FLOAT_FITS_U: return make(f, op, format, count, args);
  case FLOAT_MUL:
  case FLOAT_MAXIMUM:
  case FLOAT_MINIMUM: {
    Term result = args[0];
    for (uint32_t i = 1; i < count; i++) result = floats_binary(f, op, format, result, args[i]);
    return result;
  }
  default: return count == 1 ? floats_unary(f, op, format, args[0]) : floats_binary(f, op, format, args[0], args[1]);
  }
}
