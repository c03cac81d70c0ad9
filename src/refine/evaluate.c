/* Evaluation of terms on numbers (see evaluate.h).
 *
 * A recursive walk with an environment for the indices and states of folds; what has none of them free is kept for the
 * current numbers. Floats are integers here, too: operations are those of floats.c on bit patterns. */
#include "refine/evaluate.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "mlir/floats.h"

enum { LEVELS = 17, STEPS = 400000 };

typedef struct Kept {
  uint32_t epoch;
  Int128 value;
} Kept;

struct Evaluation {
  Arena *arena;
  TermTable *tt;
  uint32_t input_count;
  const EvaluationInput *inputs;
  uint64_t seed;
  bool wild, failed, simple; /* simple: elements whose sums are exact */
  bool places;               /* integers are small and not negative, as places in a tensor are */
  uint32_t epoch, steps;
  uint64_t effort;     /* steps of all that was evaluated */
  Array(Kept) kept;    /* by term */
  Array(Kept) symbols; /* by term */
  Array(Kept) forced;  /* by input */
  Int128 bound[LEVELS], state[LEVELS][RECUR_STATES];
};

Evaluation *evaluation_new(Arena *arena, TermTable *tt, uint32_t input_count, const EvaluationInput *inputs) {
  Evaluation *e = arena_new(arena, Evaluation);
  *e = (Evaluation){.arena = arena, .tt = tt, .input_count = input_count, .inputs = inputs};
  return e;
}

static void next_epoch(Evaluation *e) { e->epoch++, e->steps = 0, e->failed = false; }

void evaluation_begin(Evaluation *e, uint64_t seed, bool wild) {
  next_epoch(e);
  e->seed = random_mix(seed * 2 + 1), e->wild = wild, e->places = !wild && seed % 4 == 3;
  for (uint32_t i = 0; i < e->symbols.count; i++) e->symbols.data[i] = (Kept){0};
  for (uint32_t i = 0; i < e->forced.count; i++) e->forced.data[i] = (Kept){0};
}

void evaluation_force(Evaluation *e, Term symbol, Int128 value) {
  while (e->forced.count < e->input_count) array_push(e->arena, &e->forced, (Kept){0});
  for (uint32_t i = 0; i < e->input_count; i++)
    if (e->inputs[i].symbol == symbol) e->forced.data[i] = (Kept){1, value};
  next_epoch(e);
}

void evaluation_simplify(Evaluation *e) { e->simple = true; }

void evaluation_set(Evaluation *e, Term symbol, Int128 value) {
  while (e->symbols.count <= symbol) array_push(e->arena, &e->symbols, (Kept){0});
  e->symbols.data[symbol] = (Kept){1, value};
  next_epoch(e);
}

static Int128 fail(Evaluation *e) {
  e->failed = true;
  return 0;
}

/* ---- made-up elements ---- */

static Int128 float_element(FloatFormat format, uint64_t r, bool wild, bool simple) {
  static const double plain[] = {1, 2, 3, 0.5, -1, 4, -2, 1.5};
  static const double special[] = {0, -0.0, INFINITY, -INFINITY, NAN, 1e30, 1e-30, -1};
  uint64_t pick = r >> 8;
  double value;
  if (wild && r % 8 < 5 && pick % 64 >= 32) pick %= 2; /* zeros of both signs meet each other */
  if (simple)
    value = (double)(int64_t)(pick % 13) * 0.5 - 1;
  else if (wild && r % 8 < 5)
    value = special[pick % 8];
  else if (r % 8 < 3)
    value = plain[pick % 8];
  else
    value = (double)(int64_t)(pick % 2000001 - 1000000) / 65537.0;
  return (int64_t)floats_canonical(format, program_float_encode(format, value));
}

static Int128 wrap(Int128 v, uint32_t width) {
  UInt128 bits = (UInt128)v & (((UInt128)1 << width) - 1);
  return bits >> (width - 1) ? (Int128)bits - ((Int128)1 << width) : (Int128)bits;
}

static Int128 integer_element(const EvaluationInput *input, uint64_t r, bool wild) {
  if (input->width == 1) return (Int128)(r >> 9 & 1);
  if (input->is_index && r % 16 == 13) return -1 - (Int128)((r >> 8) % 3);
  if (input->is_index && r % 16 < 14) return (Int128)((r >> 8) % (r % 16 < 8 ? 5 : 12));
  if (wild && r % 8 < 3) {
    Int128 half = (Int128)1 << (input->width - 1);
    Int128 extremes[] = {-half, half - 1, -1, 1, 0, half / 2};
    return extremes[(r >> 8) % 6];
  }
  if (r % 8 < 5) return wrap((Int128)((r >> 8) % 16) - 4, input->width);
  return wrap((Int128)random_mix(r), input->width);
}

Int128 evaluation_element(const Evaluation *e, const EvaluationInput *input, uint32_t count, const Int128 *index) {
  uint32_t number = (uint32_t)(input - e->inputs);
  if (number < e->forced.count && e->forced.data[number].epoch) return e->forced.data[number].value;
  if (input->is_set) return input->set;
  uint64_t r = random_mix(e->seed ^ (uint64_t)(number + 1) * 0x9E3779B97F4A7C15u);
  for (uint32_t i = 0; i < count; i++) r = random_mix(r ^ (uint64_t)index[i]);
  if (input->is_float) return float_element(input->format, r, e->wild, e->simple);
  if (e->places && input->width != 1) return (Int128)((r >> 8) % 3) & (input->width == 2 ? 1 : 3);
  return integer_element(input, r, e->wild);
}

/* ---- reals: a value of theirs is the pattern of a double ---- */

static Int128 value(Evaluation *e, Term t);
static Int128 fail(Evaluation *e);

static Int128 of_double(double d) {
  int64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return bits;
}

static double as_double(Int128 v) {
  int64_t bits = (int64_t)v;
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}

static double real(Evaluation *e, Term t) {
  Int128 v = value(e, t);
  double d = term_sort(e->tt, t) == SORT_REAL ? as_double(v) : (double)v;
  if (!isfinite(d) && term_kind(e->tt, t) != TERM_INF && term_kind(e->tt, t) != TERM_NEG_INF) fail(e);
  return d;
}

static double rational(Rational r) { return (double)r.num / (double)r.den; }

static double real_sum(Evaluation *e, Term t) {
  double total = rational(term_rat(e->tt, term_arg(e->tt, t, 0)));
  for (uint32_t i = 1; i < term_count(e->tt, t); i += 2)
    total += rational(term_rat(e->tt, term_arg(e->tt, t, i))) * real(e, term_arg(e->tt, t, i + 1));
  return total;
}

static double real_product(Evaluation *e, Term t) {
  double total = 1;
  for (uint32_t i = 0; i < term_count(e->tt, t); i += 2)
    total *= pow(real(e, term_arg(e->tt, t, i)), rational(term_rat(e->tt, term_arg(e->tt, t, i + 1))));
  return total;
}

static double real_extremum(Evaluation *e, Term t) {
  double best = real(e, term_arg(e->tt, t, 0));
  for (uint32_t i = 1; i < term_count(e->tt, t); i++) {
    double own = real(e, term_arg(e->tt, t, i));
    if (term_kind(e->tt, t) == TERM_MAX ? own > best : own < best) best = own;
  }
  return best;
}

static double real_combine(TermFoldOp op, double a, double b) {
  return op == FOLD_SUM    ? a + b
         : op == FOLD_PROD ? a * b
         : op == FOLD_MAX  ? (a > b ? a : b)
         : op == FOLD_MIN  ? (a < b ? a : b)
                           : NAN;
}

static double real_fold(Evaluation *e, Term t) {
  TermTable *tt = e->tt;
  TermFoldOp op = (TermFoldOp)term_aux(tt, t);
  uint32_t level = term_aux(tt, term_fold_bound(tt, t));
  Int128 lo = value(e, term_fold_lo(tt, t)), hi = value(e, term_fold_hi(tt, t)), outer = e->bound[level];
  double total = op == FOLD_SUM ? 0 : op == FOLD_PROD ? 1 : op == FOLD_MAX ? -INFINITY : INFINITY;
  for (Int128 k = lo; k < hi && !e->failed; k++) {
    e->bound[level] = k;
    if (value(e, term_fold_guard(tt, t))) total = real_combine(op, total, real(e, term_fold_body(tt, t)));
  }
  e->bound[level] = outer;
  return total;
}

static double real_function(Evaluation *e, Term t) {
  double a = real(e, term_arg(e->tt, t, 0)), b = term_count(e->tt, t) > 1 ? real(e, term_arg(e->tt, t, 1)) : 0;
  return term_fn_value((TermFn)term_aux(e->tt, t), a, b);
}

static Int128 read(Evaluation *e, Term t);
static Int128 opaque(Evaluation *e, Term t);
static Int128 recurrence(Evaluation *e, Term t);

/* Of a term of sort Real. */
static Int128 compute_real(Evaluation *e, Term t) {
  TermTable *tt = e->tt;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_RAT) return of_double(rational(term_rat(tt, t)));
  if (kind == TERM_INF) return of_double(INFINITY);
  if (kind == TERM_NEG_INF) return of_double(-INFINITY);
  if (kind == TERM_STATE) return e->state[term_aux(tt, t) / RECUR_STATES][term_aux(tt, t) % RECUR_STATES];
  if (kind == TERM_READ) return read(e, t);
  if (kind == TERM_ADD) return of_double(real_sum(e, t));
  if (kind == TERM_MUL) return of_double(real_product(e, t));
  if (term_kind_is_extremum(kind)) return of_double(real_extremum(e, t));
  if (kind == TERM_ABS) return of_double(fabs(real(e, term_arg(tt, t, 0))));
  if (kind == TERM_SELECT) return of_double(real(e, term_arg(tt, t, value(e, term_arg(tt, t, 0)) ? 1 : 2)));
  if (kind == TERM_FN) return of_double(real_function(e, t));
  if (kind == TERM_OPAQUE) return of_double((double)(opaque(e, t) % 1000) / 8);
  if (kind == TERM_FOLD) return of_double(real_fold(e, t));
  if (kind == TERM_RECUR) return recurrence(e, t);
  return fail(e);
}

bool evaluation_real_of(Evaluation *e, Term t, double *out) {
  e->steps = 0, e->failed = false;
  *out = real(e, t);
  return !e->failed;
}

/* ---- terms ---- */

static Int128 multiply(Evaluation *e, Int128 a, Int128 b) {
  Int128 r;
  return __builtin_mul_overflow(a, b, &r) ? fail(e) : r;
}

static Int128 plus(Evaluation *e, Int128 a, Int128 b) {
  Int128 r;
  return __builtin_add_overflow(a, b, &r) ? fail(e) : r;
}

static Int128 number(Evaluation *e, Term t) {
  Rational r = term_rat(e->tt, t);
  return r.den == 1 ? r.num : fail(e);
}

static Int128 sum(Evaluation *e, Term t) {
  Int128 total = number(e, term_arg(e->tt, t, 0));
  for (uint32_t i = 1; i < term_count(e->tt, t); i += 2)
    total = plus(e, total, multiply(e, number(e, term_arg(e->tt, t, i)), value(e, term_arg(e->tt, t, i + 1))));
  return total;
}

static Int128 product(Evaluation *e, Term t) {
  Int128 total = 1;
  for (uint32_t i = 0; i < term_count(e->tt, t); i += 2) {
    Int128 base = value(e, term_arg(e->tt, t, i)), power = number(e, term_arg(e->tt, t, i + 1));
    if (power < 0 || power > 64) return fail(e);
    while (power-- > 0) total = multiply(e, total, base);
  }
  return total;
}

static Int128 floor_divide(Evaluation *e, Int128 a, Int128 b) {
  if (b == 0) return fail(e);
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static Int128 function(Evaluation *e, Term t) {
  Int128 a = value(e, term_arg(e->tt, t, 0)), b = value(e, term_arg(e->tt, t, 1));
  TermFn fn = (TermFn)term_aux(e->tt, t);
  if (fn == FN_BITAND) return a & b;
  if (fn == FN_BITOR) return a | b;
  if (fn == FN_BITXOR) return a ^ b;
  if (fn == FN_SHL) return b < 0 || b > 120 ? fail(e) : multiply(e, a, (Int128)1 << b);
  if (fn == FN_SHR) return b < 0 || b > 120 ? fail(e) : a >> b;
  return fail(e);
}

/* Of sums in any order: a summand in units of 2^-40, and the float that so many units are. What is not exact fails, as
 * the order would count. */
static Int128 sum_in_any_order(Evaluation *e, FloatOp op, FloatFormat format, Int128 v) {
  if (op == FLOAT_ITEM) {
    double units = program_float_decode(format, (uint64_t)v) * 0x1p40;
    return isfinite(units) && fabs(units) < 0x1p62 && units == trunc(units) ? (Int128)units : fail(e);
  }
  double exact = (double)(int64_t)v;
  if (v == 0 || v > (Int128)1 << 53 || v < -((Int128)1 << 53)) return fail(e);
  uint64_t bits = program_float_encode(format, exact * 0x1p-40);
  return program_float_decode(format, bits) == exact * 0x1p-40 ? (Int128)(int64_t)bits : fail(e);
}

static Int128 opaque(Evaluation *e, Term t) {
  TermTable *tt = e->tt;
  uint32_t count = term_count(tt, t);
  const char *name = intern_string(tt->names, term_aux(tt, t));
  FloatOp op;
  FloatFormat format;
  if (floats_is(tt, t, &op, &format)) {
    int64_t in[3], out = 0;
    bool extremum = op == FLOAT_MAXIMUM || op == FLOAT_MINIMUM || (op == FLOAT_MUL && count > 2);
    if (op == FLOAT_FROM_INT) return (Int128)floats_of_integer(format, value(e, term_arg(tt, t, 0)));
    if (op == FLOAT_ITEM || op == FLOAT_SUM) return sum_in_any_order(e, op, format, value(e, term_arg(tt, t, 0)));
    for (uint32_t i = 0; i < count; i++) {
      Int128 v = value(e, term_arg(tt, t, i));
      if (v < INT64_MIN || v > INT64_MAX) return fail(e);
      in[extremum && i ? 1 : i % 3] = (int64_t)v;
      if (extremum && i && !floats_compute(op, format, 2, in, false, &in[0])) return fail(e);
    }
    if (extremum) return in[0];
    return !e->failed && floats_compute(op, format, count, in, false, &out) ? (Int128)out : fail(e);
  }
  if (!strncmp(name, "literal_", 8) || !strncmp(name, "relaxed_", 8)) return fail(e);
  uint64_t r = random_mix(e->seed ^ hash_bytes(name, strlen(name), 5));
  uint32_t first = !strncmp(name, "call_", 5); /* without a state: which call it is does not count */
  for (uint32_t i = first; i < count; i++) r = random_mix(r ^ (uint64_t)value(e, term_arg(tt, t, i)));
  if (term_sort(tt, t) == SORT_BOOL) return (Int128)(r >> 9 & 1);
  const char *dot = strrchr(name, '.'); /* of an unknown function that returns floats: the format */
  for (int k = 0; dot && k < FLOAT_FORMAT_COUNT; k++)
    if (!strcmp(program_float_name((FloatFormat)k), dot + 1))
      return float_element((FloatFormat)k, r, e->wild, e->simple);
  return strstr(name, "_d") ? (Int128)(r % 5) : (Int128)(int64_t)(r % 1000);
}

static Int128 read(Evaluation *e, Term t) {
  Int128 index[MLIR_RANK];
  Term symbol = term_arg(e->tt, t, 0);
  uint32_t count = term_count(e->tt, t) - 1;
  for (uint32_t i = 0; i < count; i++) index[i] = value(e, term_arg(e->tt, t, i + 1));
  for (uint32_t i = 0; i < e->input_count; i++)
    if (e->inputs[i].symbol == symbol) {
      Int128 v = evaluation_element(e, &e->inputs[i], count, index);
      bool number = term_sort(e->tt, t) == SORT_REAL;
      return number ? of_double(program_float_decode(e->inputs[i].format, (uint64_t)v)) : v;
    }
  return fail(e);
}

static Int128 combine(Evaluation *e, TermFoldOp op, Int128 a, Int128 b) {
  switch (op) {
  case FOLD_SUM: return plus(e, a, b);
  case FOLD_PROD: return multiply(e, a, b);
  case FOLD_MAX: return a > b ? a : b;
  case FOLD_MIN: return a < b ? a : b;
  case FOLD_ANY: return a | b;
  case FOLD_ALL: return a & b;
  case FOLD_XOR: return a ^ b;
  case FOLD_ARGMAX:
  case FOLD_ARGMIN:
  case FOLD_OP_COUNT: break;
  }
  return fail(e);
}

static Int128 fold(Evaluation *e, Term t) {
  TermTable *tt = e->tt;
  TermFoldOp op = (TermFoldOp)term_aux(tt, t);
  uint32_t level = term_aux(tt, term_fold_bound(tt, t));
  Int128 lo = value(e, term_fold_lo(tt, t)), hi = value(e, term_fold_hi(tt, t));
  bool empty = true;
  Int128 total = op == FOLD_PROD || op == FOLD_ALL ? 1 : 0, outer = e->bound[level];
  for (Int128 k = lo; k < hi && !e->failed; k++) {
    e->bound[level] = k;
    if (!value(e, term_fold_guard(tt, t))) continue;
    Int128 own = value(e, term_fold_body(tt, t));
    total = empty ? own : combine(e, op, total, own);
    empty = false;
    if (op == FOLD_ANY && total) break;
  }
  e->bound[level] = outer;
  if (empty && (op == FOLD_MAX || op == FOLD_MIN || op >= FOLD_ARGMAX)) return fail(e);
  return op >= FOLD_ARGMAX ? fail(e) : total;
}

/* In the sort of the state, a real one being a pattern. */
static Int128 state_value(Evaluation *e, Term t, Term state) {
  return term_sort(e->tt, state) == SORT_REAL ? of_double(real(e, t)) : value(e, t);
}

static Int128 recurrence(Evaluation *e, Term t) {
  TermTable *tt = e->tt;
  uint32_t n = term_recur_count(tt, t), level = term_aux(tt, term_recur_bound(tt, t));
  Int128 steps = value(e, term_arg(tt, t, 0)), now[RECUR_STATES], outer[RECUR_STATES], outer_bound = e->bound[level];
  memcpy(outer, e->state[level], sizeof outer);
  for (uint32_t i = 0; i < n; i++) now[i] = state_value(e, term_arg(tt, t, 1 + i), term_arg(tt, t, 2 * n + 2 + i));
  for (Int128 k = 0; k < steps && !e->failed; k++) {
    Int128 next[RECUR_STATES];
    e->bound[level] = k;
    memcpy(e->state[level], now, n * sizeof *now);
    for (uint32_t i = 0; i < n; i++) {
      e->bound[level] = k;
      memcpy(e->state[level], now, n * sizeof *now);
      next[i] = state_value(e, term_arg(tt, t, 1 + n + i), term_arg(tt, t, 2 * n + 2 + i));
    }
    memcpy(now, next, n * sizeof *now);
  }
  e->bound[level] = outer_bound;
  memcpy(e->state[level], outer, sizeof outer);
  return now[term_aux(tt, t) % RECUR_STATES];
}

static Int128 extremum(Evaluation *e, Term t) {
  Int128 best = value(e, term_arg(e->tt, t, 0));
  for (uint32_t i = 1; i < term_count(e->tt, t); i++) {
    Int128 own = value(e, term_arg(e->tt, t, i));
    if (term_kind(e->tt, t) == TERM_MAX ? own > best : own < best) best = own;
  }
  return best;
}

static Int128 comparison_of_reals(Evaluation *e, Term t) {
  double a = real(e, term_arg(e->tt, t, 0)), b = term_count(e->tt, t) > 1 ? real(e, term_arg(e->tt, t, 1)) : 0;
  TermKind kind = term_kind(e->tt, t);
  if (a != b && fabs(a - b) < 1e-9 * (fabs(a) + fabs(b))) return fail(e); /* rounding decides */
  return kind == TERM_LE ? a <= b : kind == TERM_LT ? a < b : a == b;
}

static Int128 comparison(Evaluation *e, Term t) {
  for (uint32_t i = 0; i < term_count(e->tt, t); i++)
    if (term_sort(e->tt, term_arg(e->tt, t, i)) == SORT_REAL) return comparison_of_reals(e, t);
  Int128 a = value(e, term_arg(e->tt, t, 0)), b = term_count(e->tt, t) > 1 ? value(e, term_arg(e->tt, t, 1)) : 0;
  TermKind kind = term_kind(e->tt, t);
  return kind == TERM_LE ? a <= b : kind == TERM_LT ? a < b : a == b;
}

static Int128 junction(Evaluation *e, Term t) {
  bool is_or = term_kind(e->tt, t) == TERM_OR;
  for (uint32_t i = 0; i < term_count(e->tt, t); i++)
    if ((value(e, term_arg(e->tt, t, i)) != 0) == is_or && !e->failed) return is_or;
  return !is_or;
}

static Int128 whole_of_real(Evaluation *e, Term t) {
  double v = real(e, term_arg(e->tt, t, 0));
  if (fabs(v) > 0x1p62) return fail(e);
  TermKind kind = term_kind(e->tt, t);
  return (Int128)(kind == TERM_FLOOR   ? floor(v)
                  : kind == TERM_CEIL  ? ceil(v)
                  : kind == TERM_TRUNC ? trunc(v)
                                       : nearbyint(v));
}

static Int128 compute(Evaluation *e, Term t) {
  TermTable *tt = e->tt;
  if (term_sort(tt, t) == SORT_REAL) return compute_real(e, t);
  switch (term_kind(tt, t)) {
  case TERM_RAT: return number(e, t);
  case TERM_TRUE: return 1;
  case TERM_FALSE: return 0;
  case TERM_SYM: return t < e->symbols.count && e->symbols.data[t].epoch ? e->symbols.data[t].value : fail(e);
  case TERM_BOUND: return e->bound[term_aux(tt, t)];
  case TERM_STATE: return e->state[term_aux(tt, t) / RECUR_STATES][term_aux(tt, t) % RECUR_STATES];
  case TERM_READ: return read(e, t);
  case TERM_ADD: return sum(e, t);
  case TERM_MUL: return product(e, t);
  case TERM_FLOORDIV: return floor_divide(e, value(e, term_arg(tt, t, 0)), value(e, term_arg(tt, t, 1)));
  case TERM_MIN:
  case TERM_MAX: return extremum(e, t);
  case TERM_ABS: {
    Int128 v = value(e, term_arg(tt, t, 0));
    return v < 0 ? -v : v;
  }
  case TERM_LE:
  case TERM_LT:
  case TERM_EQ: return comparison(e, t);
  case TERM_NOT: return !value(e, term_arg(tt, t, 0));
  case TERM_AND:
  case TERM_OR: return junction(e, t);
  case TERM_SELECT: return value(e, term_arg(tt, t, value(e, term_arg(tt, t, 0)) ? 1 : 2));
  case TERM_FN: return function(e, t);
  case TERM_OPAQUE: return opaque(e, t);
  case TERM_WRAP: return wrap(value(e, term_arg(tt, t, 0)), term_aux(tt, t));
  case TERM_FOLD: return fold(e, t);
  case TERM_RECUR: return recurrence(e, t);
  case TERM_FLOOR:
  case TERM_CEIL:
  case TERM_ROUND:
  case TERM_TRUNC: return whole_of_real(e, t);
  case TERM_NONE:
  case TERM_INF:
  case TERM_NEG_INF:
  case TERM_NAN:
  case TERM_UNDEF:
  case TERM_PTR:
  case TERM_IS_INF:
  case TERM_IS_NEG_INF:
  case TERM_IS_NAN:
  case TERM_KIND_COUNT: break;
  }
  return fail(e);
}

static Int128 value(Evaluation *e, Term t) {
  guard_tick(e->arena->guard);
  if (e->failed || ++e->steps > STEPS) return fail(e);
  bool closed = !(term_node(e->tt, t)->free_mask >> 48);
  if (closed && t < e->kept.count && e->kept.data[t].epoch == e->epoch) return e->kept.data[t].value;
  Int128 v = compute(e, t);
  if (!closed || e->failed) return v;
  while (e->kept.count <= t) array_push(e->arena, &e->kept, (Kept){0});
  e->kept.data[t] = (Kept){e->epoch, v};
  return v;
}

bool evaluation_of(Evaluation *e, Term t, Int128 *out) {
  e->steps = 0, e->failed = false;
  *out = value(e, t);
  e->effort += e->steps;
  return !e->failed;
}

uint64_t evaluation_effort(const Evaluation *e) { return e->effort; }
