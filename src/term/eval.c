/* Evaluation in doubles, with 128-bit integers for Int terms.
 *
 * Values are remembered per node. A node's value stays valid until one of the variables it may depend on (bloom bits of
 * its free mask) is set again: each bit carries the time of its last change. So a fold inside a fold that does not
 * depend on the outer index is computed once.
 *
 * Under a jitter each result that rounding touched is moved a little, at random: what depends on rounding (1 - tanh(40)
 * is 0, a tie of two quotients) then differs from one evaluation to the next, and what is exact stays, such as log(0).
 * The sign of an exact zero is random, since the reals have one zero. What leaves the range of doubles is lost, and
 * said to be. An undefined truth value is true for every other jitter. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "term/cons.h"

/* Inside, integers have 128 bits: an unsigned i64 is x + 2^64 where x < 0. */
typedef struct EvalValue {
  double real;
  Int128 integer;
} EvalValue;

typedef struct Memo {
  EvalValue value;
  uint64_t time; /* 0: none */
} Memo;

enum { FOLDS_KEPT = 1 << 12 };

/* A value that a recurrence carries: a number, or an array over lanes, the last one's elements side by side. */
typedef struct EvalState {
  uint32_t rank;
  Int128 extent[RECUR_LANES];
  EvalValue *values;
} EvalState;

/* What a step makes of an element. */
typedef struct Change {
  size_t place;
  EvalValue value;
} Change;

typedef struct KeptArray {
  Term recur; /* 0: empty */
  uint64_t key;
  size_t room;
  EvalValue *values;
} KeptArray;

enum { ARRAYS_KEPT = 16, ARRAY_ELEMENTS = 1 << 20 };

typedef struct KeptFold {
  Term fold; /* 0: empty */
  uint64_t key;
  EvalValue value;
} KeptFold;

struct TermEval {
  TermTable *tt;
  Arena *arena;
  TermReadElement read;
  TermCallFunction call;
  void *payload;
  Pages memo; /* of Memo, by term */
  uint64_t now, changed[64];
  EvalValue *symbols;
  uint32_t symbol_count;
  EvalValue bound[16];
  EvalState state[16][RECUR_STATES];
  KeptArray *arrays;
  struct {
    size_t room;
    EvalValue *values;
    Change *changes;
  } buffers[16];         /* of all states of a level */
  uint64_t content[64];  /* per bit of a free mask: a hash of the values of its variables */
  Pages folds;           /* of KeptFold */
  uint64_t jitter, blur; /* 0: none */
  bool is_undefined, is_stopped;
};

TermEval *term_eval_new(TermTable *tt, Arena *arena, TermReadElement read, void *payload) {
  TermEval *eval = arena_new(arena, TermEval);
  *eval = (TermEval){.tt = tt, .arena = arena_new_child(arena), .read = read, .payload = payload, .now = 1};
  return eval;
}

void term_eval_functions(TermEval *eval, TermCallFunction call) { eval->call = call; }
void term_eval_jitter(TermEval *eval, uint64_t seed) { eval->jitter = seed; }
void term_eval_blur(TermEval *eval, uint64_t seed) { eval->blur = seed; }
void term_eval_stop(TermEval *eval) { eval->is_stopped = true; }
bool term_eval_is_undefined(const TermEval *eval) { return eval->is_undefined; }

/* 2 ulp of f32 */
static const double blur_size = 0x1p-22;

/* A coefficient or number of the formula. */
static double constant_of(const TermEval *eval, Rational r) {
  double value = rational_to_double(r);
  if (!eval->blur || r.den <= TERM_EXACT_DENOMINATOR) return value;
  return value *
         (1 +
          blur_size *
              ((double)(random_hash(eval->blur + random_hash((uint64_t)r.num * 31 + (uint64_t)r.den)) >> 11) * 0x1p-52 -
               1));
}

/* ---- jitter ---- */

/* A number between -1 and 1, always the same for one term. */
static double noise_of(const TermEval *eval, Term t) {
  return (double)(random_hash(eval->jitter + random_hash(t)) >> 11) * 0x1p-52 - 1;
}

/* A result of this size, up to rounding. Of finite numbers there is no infinity. */
static double moved(TermEval *eval, Term t, double value, double size, bool exact) {
  double noise = noise_of(eval, t);
  if (!isfinite(value)) return value;
  if (exact) return value == 0 ? copysign(0, noise) : value;
  if (value == 0 && size == 0) eval->is_undefined = true; /* an underflow */
  return value + 1e-9 * size * noise;
}

static double lose(TermEval *eval) {
  eval->is_undefined = true;
  return NAN;
}

static bool is_dyadic(Rational r) {
  return (r.den & (r.den - 1)) == 0 && r.den < (Int128)1 << 60 && r.num < (Int128)1 << 53 && -r.num < (Int128)1 << 53;
}

/* acc + v; clears *exact if there is rounding. */
static double add_exactly(double acc, double v, bool *exact) {
  double sum = acc + v, part = sum - acc;
  if (isfinite(sum) && (acc - (sum - part)) + (v - part) != 0) *exact = false;
  return sum;
}

static double multiply_exactly(double a, double b, bool *exact) {
  double product = a * b;
  if (isfinite(product) && fma(a, b, -product) != 0) *exact = false;
  if (product == 0 && a != 0 && b != 0) *exact = false;
  return product;
}

static EvalValue of_real(double real) { return (EvalValue){.real = real, .integer = 0}; }
static Int128 to_int(double whole) { return fabs(whole) < 0x1p126 ? (Int128)whole : 0; }
static EvalValue of_int(Int128 integer) { return (EvalValue){.real = (double)integer, .integer = integer}; }
/* Modulo 2^128, which a number beyond is no more: the float says about how large it is, the largest one of what is
 * beyond all floats, as only what is undefined or infinite is none. */
static EvalValue of_integer(Int128 integer, double real) {
  if (isnan(real) || fabs(real) < 0x1p126) return of_int(integer);
  return (EvalValue){.real = isinf(real) ? copysign(DBL_MAX, real) : real, .integer = integer};
}
static EvalValue of_whole(double whole) {
  return (EvalValue){.real = whole, .integer = to_int(whole)};
} /* what is undefined or infinite stays so as a real */

static void touch(TermEval *eval, uint64_t mask) {
  eval->now++;
  for (; mask; mask &= mask - 1) eval->changed[__builtin_ctzll(mask)] = eval->now;
}

static uint64_t variable_hash(uint32_t index, EvalValue value) {
  uint64_t real;
  memcpy(&real, &value.real, sizeof real);
  return random_hash(random_hash(real ^ index) + (uint64_t)value.integer);
}

void term_eval_set(TermEval *eval, Term symbol, TermValue given) {
  EvalValue value = {given.real, given.integer};
  uint32_t index = term_aux(eval->tt, symbol);
  if (index >= eval->symbol_count) {
    uint32_t room = eval->tt->symbols.count;
    eval->symbols =
        arena_grow(eval->arena, eval->symbols, sizeof(EvalValue) * eval->symbol_count, sizeof(EvalValue) * room);
    eval->symbol_count = room;
  }
  uint64_t *content = &eval->content[index % 48];
  *content ^= variable_hash(index, eval->symbols[index]) ^ variable_hash(index, value);
  eval->symbols[index] = value;
  touch(eval, term_node(eval->tt, symbol)->free_mask);
}

static Int128 floor_divide(Int128 a, Int128 b) {
  if (b == -1) return (Int128)(0 - (UInt128)a);
  if (a == (int64_t)a && b == (int64_t)b && a != INT64_MIN) { /* several times faster */
    int64_t x = (int64_t)a, y = (int64_t)b, q = x / y;
    return x % y && (x < 0) != (y < 0) ? q - 1 : q;
  }
  Int128 q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

static int64_t wrap(uint32_t width, Int128 value) {
  if (width >= 64) return (int64_t)value;
  uint64_t mask = ((uint64_t)1 << width) - 1, v = (uint64_t)value & mask;
  return v >> (width - 1) ? (int64_t)(v | ~mask) : (int64_t)v;
}

/* erf(y) = x by Newton's steps from a rational approximation (Winitzki's); near 1 of the logarithm of the complement,
 * where erf has no digits left. */
static double inverse_erf(double x) {
  double rest = 1 - fabs(x), l = log(rest * (2 - rest)), t = 2 / (3.14159265358979323846 * 0.147) + l / 2;
  if (!(rest > 0)) return rest < 0 || isnan(x) ? NAN : x * INFINITY;
  double y = sqrt(sqrt(t * t - l / 0.147) - t), scale = 1.1283791670955126;
  for (int i = 0; i < 6; i++)
    y += rest > 0.1 ? (fabs(x) - erf(y)) / (scale * exp(-y * y)) : log(erfc(y) / rest) * erfc(y) * exp(y * y) / scale;
  return copysign(y, x);
}

static int64_t int_fn(TermFn fn, int64_t a, int64_t b);

/* Of integers that a double holds exactly. */
static double bits_value(TermFn fn, double a, double b) {
  return fabs(a) < 0x1p62 && fabs(b) < 0x1p62 ? (double)int_fn(fn, (int64_t)a, (int64_t)b) : NAN;
}

double term_fn_value(TermFn fn, double a, double b) {
  switch (fn) {
#define BITS bits_value(fn, a, b)
#define FN(id, text, arity, sort, domain, trait, least, most, at_zero, pole, value, ...)                               \
  case FN_##id:                                                                                                        \
    return value;
#include "base/functions.def"
#undef BITS
  case FN_COUNT: break;
  }
  return NAN;
}

static int64_t int_fn(TermFn fn, int64_t a, int64_t b) {
  if (fn == FN_BITAND) return a & b;
  if (fn == FN_BITOR) return a | b;
  if (fn == FN_BITXOR) return a ^ b;
  if (fn == FN_SHL) return b < 0 || b > 63 ? 0 : (int64_t)((uint64_t)a << b);
  if (fn == FN_SHR) return b < 0 || b > 63 ? 0 : a >> b;
  if (fn == FN_MULHI) return (int64_t)(((uint64_t)(uint32_t)a * (uint32_t)b) >> 32);
  return 0;
}

static bool better(TermFoldOp op, double candidate, double best) {
  return op == FOLD_ARGMAX || op == FOLD_MAX ? candidate > best : candidate < best;
}

static EvalValue value_of(TermEval *eval, Term t);

static EvalValue run_fold(TermEval *eval, Term t) {
  TermTable *tt = eval->tt;
  Int128 lo = value_of(eval, term_fold_lo(tt, t)).integer, hi = value_of(eval, term_fold_hi(tt, t)).integer;
  Term bound = term_fold_bound(tt, t), guard = term_fold_guard(tt, t), body = term_fold_body(tt, t);
  uint32_t level = term_aux(tt, bound);
  TermFoldOp op = (TermFoldOp)term_aux(tt, t);
  bool whole = term_sort(tt, body) != SORT_REAL;
  double acc = op == FOLD_PROD                       ? 1
               : op == FOLD_MAX || op == FOLD_ARGMAX ? -INFINITY
               : op == FOLD_MIN || op == FOLD_ARGMIN ? INFINITY
                                                     : 0;
  UInt128 sum = op == FOLD_PROD || op == FOLD_ALL;
  Int128 best = -1;
  bool some = false, exact = true, finite = true;
  double size = 0;
  for (Int128 k = lo; k < hi && !eval->is_stopped; k++) {
    guard_tick(eval->arena->guard);
    eval->bound[level] = of_int(k);
    eval->content[48 + level % 16] = (uint64_t)k;
    touch(eval, term_node(tt, bound)->free_mask);
    if (guard != tt->true_ && !value_of(eval, guard).integer) continue;
    EvalValue v = value_of(eval, body);
    switch (op) {
    case FOLD_SUM:
      size += fabs(v.real), finite &= isfinite(v.real) != 0;
      acc = eval->jitter ? add_exactly(acc, v.real, &exact) : acc + v.real, sum += (UInt128)v.integer;
      break;
    case FOLD_PROD:
      finite &= isfinite(v.real) != 0;
      acc = eval->jitter ? multiply_exactly(acc, v.real, &exact) : acc * v.real, sum *= (UInt128)v.integer,
      size = fabs(acc);
      break;
    case FOLD_ANY: sum |= (UInt128)v.integer; break;
    case FOLD_ALL: sum &= (UInt128)v.integer; break;
    case FOLD_XOR: sum ^= (UInt128)v.integer; break;
    case FOLD_MAX:
    case FOLD_MIN:
    case FOLD_ARGMAX:
    case FOLD_ARGMIN:
      if (isnan(v.real)) acc = v.real;
      if (!some || better(op, v.real, acc)) acc = v.real, best = k, sum = (UInt128)v.integer;
      some = true;
      break;
    case FOLD_OP_COUNT: break;
    }
  }
  touch(eval, term_node(tt, bound)->free_mask);
  if (op == FOLD_ARGMAX || op == FOLD_ARGMIN) return of_int(best);
  if (op == FOLD_ANY || op == FOLD_ALL || op == FOLD_XOR) return of_int((Int128)sum);
  if (whole && (op == FOLD_SUM || op == FOLD_PROD ? finite : some && isfinite(acc)))
    return of_integer((Int128)sum, acc);
  if (eval->jitter && (op == FOLD_SUM || op == FOLD_PROD))
    return of_real(finite && !isfinite(acc) ? lose(eval) : moved(eval, t, acc, size, exact));
  return of_real(acc);
}

/* ---- recurrences ---- */

static size_t size_of(const EvalState *state) {
  size_t size = 1;
  for (uint32_t d = 0; d < state->rank; d++) size *= (size_t)state->extent[d];
  return size;
}

/* The shapes of the states; *all: how many elements they have together. false: too many. */
static bool shape_states(TermEval *eval, Term t, EvalState *states, size_t *all) {
  TermTable *tt = eval->tt;
  uint32_t n = term_recur_count(tt, t), lanes = term_recur_lanes(tt, t);
  Int128 extent[RECUR_LANES];
  *all = 0;
  for (uint32_t d = 0; d < lanes; d++) {
    extent[d] = value_of(eval, term_recur_lane(tt, t, d, 1)).integer;
    if (extent[d] < 0) extent[d] = 0;
    if (extent[d] > ARRAY_ELEMENTS) return false;
  }
  for (uint32_t i = 0; i < n; i++) {
    EvalState *state = &states[i];
    Term leaf = term_arg(tt, t, 2 * n + 2 + i);
    *state = (EvalState){.rank = term_count(tt, leaf)};
    Int128 size = 1;
    for (uint32_t k = 0; k < state->rank; k++) {
      uint32_t d = 0;
      while (term_recur_lane(tt, t, d, 0) != term_arg(tt, leaf, k)) d++;
      size *= state->extent[k] = extent[d];
      if (size > ARRAY_ELEMENTS) return false;
    }
    *all += (size_t)size;
  }
  return *all <= ARRAY_ELEMENTS;
}

static void make_room(TermEval *eval, uint32_t level, size_t count) {
  if (eval->buffers[level].room >= count) return;
  eval->buffers[level].values = arena_array(eval->arena, EvalValue, count);
  eval->buffers[level].changes = arena_array(eval->arena, Change, count);
  eval->buffers[level].room = count;
}

static size_t place_of(const EvalState *state, const Int128 *index) {
  size_t at = 0;
  for (uint32_t k = 0; k < state->rank; k++) {
    if (index[k] < 0 || index[k] >= state->extent[k]) return SIZE_MAX;
    at = at * (size_t)state->extent[k] + (size_t)index[k];
  }
  return at;
}

static EvalValue state_element(TermEval *eval, Term t) {
  TermTable *tt = eval->tt;
  Int128 index[RECUR_LANES];
  uint32_t level = term_aux(tt, t) / RECUR_STATES, which = term_aux(tt, t) % RECUR_STATES;
  for (uint32_t k = 0; k < term_count(tt, t); k++) index[k] = value_of(eval, term_arg(tt, t, k)).integer;
  const EvalState *state = &eval->state[level][which];
  size_t at = term_count(tt, t) == state->rank && state->values ? place_of(state, index) : SIZE_MAX;
  return at == SIZE_MAX ? of_real(NAN) : state->values[at];
}

enum { STORES_MOST = 4, ALL = -1 };

static void put_lane(TermEval *eval, Term lane, Int128 index) {
  eval->bound[term_aux(eval->tt, lane)] = of_int(index);
  eval->content[48 + term_aux(eval->tt, lane) % 16] = random_hash((uint64_t)index);
  touch(eval, term_node(eval->tt, lane)->free_mask);
}

/* The elements of the i-th value that `body` gives, at the indices; ALL: along the whole axis. */
static size_t fill(TermEval *eval, Term t, uint32_t i, const EvalState *state, const Int128 *at, Term body,
                   Change *out) {
  TermTable *tt = eval->tt;
  Term leaf = term_arg(tt, t, 2 * term_recur_count(tt, t) + 2 + i);
  Int128 index[RECUR_LANES] = {0};
  size_t count = 1, n = 0;
  for (uint32_t k = 0; k < state->rank; k++) {
    if (at[k] == ALL) count *= (size_t)state->extent[k];
    if (at[k] != ALL) put_lane(eval, term_arg(tt, leaf, k), index[k] = at[k]);
  }
  while (n < count && !eval->is_stopped) {
    guard_tick(eval->arena->guard);
    for (uint32_t k = 0; k < state->rank; k++)
      if (at[k] == ALL) put_lane(eval, term_arg(tt, leaf, k), index[k]);
    out[n++] = (Change){place_of(state, index), value_of(eval, body)};
    for (uint32_t k = state->rank; k-- > 0;) {
      if (at[k] != ALL) continue;
      if (++index[k] < state->extent[k]) break;
      index[k] = 0;
    }
  }
  return n;
}

/* factor*lane + e = 0 among the conditions, where e is not of the lanes; 0: there is none. */
static Term equation_of(const TermTable *tt, Term condition, Term lane, uint64_t lanes, int64_t *factor) {
  bool several = term_kind(tt, condition) == TERM_AND;
  for (uint32_t i = 0, n = several ? term_count(tt, condition) : 1; i < n; i++) {
    Term part = several ? term_arg(tt, condition, i) : condition;
    Term sum = term_kind(tt, part) == TERM_EQ && term_count(tt, part) == 1 ? term_arg(tt, part, 0) : 0;
    if (!sum || term_sort(tt, sum) != SORT_INT) continue;
    *factor = sum == lane;
    bool others = false;
    for (uint32_t k = 1; term_kind(tt, sum) == TERM_ADD && k < term_count(tt, sum); k += 2)
      if (term_arg(tt, sum, k + 1) == lane)
        *factor = term_rat(tt, term_arg(tt, sum, k)).den == 1 ? (int64_t)term_rat(tt, term_arg(tt, sum, k)).num : 0;
      else
        others |= (term_node(tt, term_arg(tt, sum, k + 1))->free_mask & lanes) != 0;
    if (*factor && !others) return sum;
  }
  return 0;
}

/* What a step makes of the i-th value: of an array, where(g1, x1, where(g2, x2, .. s)), at the elements for which a
 * condition may hold. Sizes that are numbers make arrays of some 10^4 elements, of which each step stores to one. */
static size_t run_step(TermEval *eval, Term t, uint32_t i, const EvalState *state, Change *out) {
  TermTable *tt = eval->tt;
  uint32_t n = term_recur_count(tt, t), stores = 0;
  Term leaf = term_arg(tt, t, 2 * n + 2 + i), next = term_arg(tt, t, 1 + n + i), rest = next;
  Int128 at[STORES_MOST][RECUR_LANES];
  size_t count = 0, all = size_of(state);
  uint64_t lanes = 0;
  for (uint32_t k = 0; k < state->rank; k++) at[0][k] = ALL, lanes |= term_node(tt, term_arg(tt, leaf, k))->free_mask;
  for (; state->rank && term_kind(tt, rest) == TERM_SELECT && stores < STORES_MOST; rest = term_arg(tt, rest, 2)) {
    size_t points = 1;
    bool within = true;
    for (uint32_t k = 0; k < state->rank; k++) {
      int64_t factor;
      Term lane = term_arg(tt, leaf, k), sum = equation_of(tt, term_arg(tt, rest, 0), lane, lanes, &factor);
      at[stores][k] = ALL;
      if (!sum) {
        points *= (size_t)state->extent[k];
        continue;
      }
      put_lane(eval, lane, 0);
      Int128 root = -value_of(eval, sum).integer;
      within &= root % factor == 0 && root / factor >= 0 && root / factor < state->extent[k];
      at[stores][k] = root / factor;
    }
    if (!within) continue;
    count += points, stores++;
  }
  if (rest != leaf || !state->rank || count >= all) {
    for (uint32_t k = 0; k < state->rank; k++) at[0][k] = ALL;
    return fill(eval, t, i, state, at[0], next, out);
  }
  count = 0;
  for (uint32_t s = 0; s < stores; s++) count += fill(eval, t, i, state, at[s], next, out + count);
  return count;
}

/* The value that is asked for after the last step. What is outside of the binder may hold recurrences of this level:
 * the states are there only once all that is known. */
static EvalValue *run_steps(TermEval *eval, Term t, EvalState *states, EvalValue *now, Change *changes) {
  TermTable *tt = eval->tt;
  uint32_t n = term_recur_count(tt, t), level = term_aux(tt, term_recur_bound(tt, t));
  uint64_t mask = term_node(tt, term_recur_bound(tt, t))->free_mask, own = mask, content = 0;
  Int128 steps = value_of(eval, term_arg(tt, t, 0)).integer, all[RECUR_LANES];
  size_t first[RECUR_STATES], end[RECUR_STATES], at = 0;
  if (steps < 0) steps = 0; /* the start is there in any case */
  for (uint32_t d = 0; d < RECUR_LANES; d++) all[d] = ALL;
  for (uint32_t i = 0; i < n; i++) first[i] = at, at += size_of(&states[i]);
  for (Int128 k = -1; k < steps && !eval->is_stopped; k++) {
    guard_tick(eval->arena->guard);
    if (k >= 0) {
      for (uint32_t i = 0; i < n; i++) states[i].values = now + first[i], eval->state[level][i] = states[i];
      eval->bound[level] = of_int(k);
      eval->content[48 + level % 16] = content;
      touch(eval, mask);
    }
    at = 0;
    for (uint32_t i = 0; i < n; i++) {
      at += k < 0 ? fill(eval, t, i, &states[i], all, term_arg(tt, t, 1 + i), changes + at)
                  : run_step(eval, t, i, &states[i], changes + at);
      end[i] = at;
    }
    content = random_hash(content ^ (uint64_t)k);
    for (size_t i = 0, c = 0; c < at; c++) {
      while (c >= end[i]) i++;
      now[first[i] + changes[c].place] = changes[c].value;
      content = random_hash(content ^ variable_hash((uint32_t)(first[i] + changes[c].place), changes[c].value));
    }
  }
  for (uint32_t d = 0; d < term_recur_lanes(tt, t); d++) own |= term_node(tt, term_recur_lane(tt, t, d, 0))->free_mask;
  touch(eval, own);
  return now + first[term_aux(tt, t) % RECUR_STATES];
}

static uint64_t content_of(const TermEval *eval, Term t, uint64_t mask) {
  uint64_t key = random_hash(t);
  for (mask &= term_node(eval->tt, t)->free_mask; mask; mask &= mask - 1)
    key = random_hash(key ^ eval->content[__builtin_ctzll(mask)]);
  return key;
}

/* The array that the element is of: kept, as others of its elements are asked for. */
static const EvalValue *kept_array(TermEval *eval, Term t, EvalState *states, size_t all) {
  TermTable *tt = eval->tt;
  uint32_t n = term_recur_count(tt, t), lanes = term_recur_lanes(tt, t), level = term_aux(tt, term_recur_bound(tt, t));
  uint64_t key = term_aux(tt, t), free = ~((((uint64_t)2 << lanes) - 1) << (48 + level));
  for (uint32_t i = 0; i < 3 * n + 2 + 2 * lanes; i++)
    key = random_hash(key ^ content_of(eval, term_arg(tt, t, i), free));
  if (!eval->arrays) eval->arrays = arena_array(eval->arena, KeptArray, ARRAYS_KEPT);
  KeptArray *kept = &eval->arrays[key % ARRAYS_KEPT];
  if (kept->recur == term_arg(tt, t, 1 + n) && kept->key == key) return kept->values;
  make_room(eval, level, all);
  const EvalValue *values = run_steps(eval, t, states, eval->buffers[level].values, eval->buffers[level].changes);
  size_t size = size_of(&states[term_aux(tt, t) % RECUR_STATES]);
  if (kept->room < size) kept->values = arena_array(eval->arena, EvalValue, size), kept->room = size;
  memcpy(kept->values, values, sizeof *values * size);
  kept->recur = eval->is_stopped ? 0 : term_arg(tt, t, 1 + n), kept->key = key;
  return kept->values;
}

static EvalValue run_recur(TermEval *eval, Term t) {
  TermTable *tt = eval->tt;
  uint32_t n = term_recur_count(tt, t), which = term_aux(tt, t) % RECUR_STATES, lanes = term_recur_lanes(tt, t);
  EvalState states[RECUR_STATES];
  EvalValue now[RECUR_STATES];
  Change changes[RECUR_STATES];
  Int128 lane_at[RECUR_LANES] = {0}, index[RECUR_LANES];
  size_t all;
  if (!shape_states(eval, t, states, &all)) return of_real(lose(eval));
  if (!lanes) return *run_steps(eval, t, states, now, changes);
  for (uint32_t d = 0; d < lanes; d++) lane_at[d] = value_of(eval, term_recur_lane(tt, t, d, 2)).integer;
  Term own = term_arg(tt, t, 2 * n + 2 + which);
  for (uint32_t k = 0; k < states[which].rank; k++)
    for (uint32_t d = 0; d < lanes; d++)
      if (term_recur_lane(tt, t, d, 0) == term_arg(tt, own, k)) index[k] = lane_at[d];
  size_t at = place_of(&states[which], index);
  return at == SIZE_MAX ? of_real(NAN) : kept_array(eval, t, states, all)[at];
}

static EvalValue eval_fold(TermEval *eval, Term t) {
  uint64_t key = content_of(eval, t, UINT64_MAX);
  KeptFold *kept = pages_at(eval->arena, &eval->folds, key % FOLDS_KEPT, sizeof *kept);
  if (kept->fold == t && kept->key == key) return kept->value;
  EvalValue value = term_kind(eval->tt, t) == TERM_FOLD ? run_fold(eval, t) : run_recur(eval, t);
  *kept = (KeptFold){t, key, value};
  return value;
}

enum { MOST_SORTED = 16 };

/* Rounded the same way in whatever order the numbers come: equal sums are equal, however their terms are sorted. */
static double sum_sorted(double *values, uint32_t n) {
  double sum = 0;
  for (uint32_t i = 1; i < n; i++) {
    double v = values[i];
    uint32_t j = i;
    for (; j && values[j - 1] > v; j--) values[j] = values[j - 1];
    values[j] = v;
  }
  for (uint32_t i = 0; i < n; i++) sum += values[i];
  return sum;
}

static double eval_parts_moved(TermEval *eval, Term t, uint32_t without, double sign) {
  TermTable *tt = eval->tt;
  Rational k = term_rat(tt, term_arg(tt, t, 0));
  bool exact = is_dyadic(k), finite = true;
  double sum = sign * rational_to_double(k), size = fabs(sum);
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    if (i == without) continue;
    k = term_rat(tt, term_arg(tt, t, i));
    double v = value_of(eval, term_arg(tt, t, i + 1)).real;
    exact &= is_dyadic(k) || v == 0;
    double product = multiply_exactly(sign * rational_to_double(k), v, &exact);
    finite &= isfinite(v) != 0, size += fabs(product);
    sum = add_exactly(sum, product, &exact);
  }
  return finite && !isfinite(sum) ? lose(eval) : moved(eval, t, sum, size, exact);
}

/* sign * the sum, without one part (0: all of them). */
static double eval_parts(TermEval *eval, Term t, uint32_t without, double sign) {
  TermTable *tt = eval->tt;
  if (eval->jitter) return eval_parts_moved(eval, t, without, sign);
  double values[MOST_SORTED + 1], rest = 0;
  uint32_t n = 0;
  values[n++] = sign * constant_of(eval, term_rat(tt, term_arg(tt, t, 0)));
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    if (i == without) continue;
    double v = sign * constant_of(eval, term_rat(tt, term_arg(tt, t, i))) * value_of(eval, term_arg(tt, t, i + 1)).real;
    if (n < MOST_SORTED)
      values[n++] = v;
    else
      rest += v;
  }
  return sum_sorted(values, n) + rest;
}

/* An extremum of integers over nothing is an infinity: then a sum or product of Int terms is computed with reals. One
 * that is only too large counts modulo 2^128, as what wraps it asks for. */
static EvalValue eval_sum(TermEval *eval, Term t, bool whole) {
  TermTable *tt = eval->tt;
  if (!whole) return of_real(eval_parts(eval, t, 0, 1));
  Rational constant = term_rat(tt, term_arg(tt, t, 0));
  double real = rational_to_double(constant);
  Int128 integer = constant.num;
  bool finite = true;
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    Rational k = term_rat(tt, term_arg(tt, t, i));
    EvalValue v = value_of(eval, term_arg(tt, t, i + 1));
    integer = (Int128)((UInt128)integer + (UInt128)k.num * (UInt128)v.integer);
    real += rational_to_double(k) * v.real, finite &= isfinite(v.real) != 0;
  }
  return finite ? of_integer(integer, real) : of_real(real);
}

static double power(double base, Rational e) {
  if (e.den == 1 && e.num == 1) return base;
  if (e.den == 2 && e.num == 1) return sqrt(base);
  if (e.den == 2 && e.num == -1) return 1 / sqrt(base);
  if (e.den == 1 && e.num == -1) return 1 / base;
  return pow(base, rational_to_double(e));
}

static double power_moved(TermEval *eval, double base, Rational e, bool *exact) {
  double value = power(base, e);
  if (base == 0 || !isfinite(base) || isnan(value)) return value;
  if (!isfinite(value)) return lose(eval);
  if (e.den == 2 && e.num == 1)
    *exact &= fma(value, value, -base) == 0;
  else if (e.den == 1 && e.num == -1)
    *exact &= fma(value, base, -1) == 0;
  else if (e.den != 1 || e.num < 0 || base != floor(base) || fabs(value) > 0x1p52)
    *exact = e.den == 1 && e.num == 1 && *exact;
  return value;
}

static double eval_product_moved(TermEval *eval, Term t) {
  TermTable *tt = eval->tt;
  double product = 1;
  bool exact = true, finite = true, zero = false; /* zero: a factor is, whatever the others were rounded to */
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    double v = power_moved(eval, value_of(eval, term_arg(tt, t, i)).real, term_rat(tt, term_arg(tt, t, i + 1)), &exact);
    finite &= isfinite(v) != 0, zero |= v == 0;
    product = multiply_exactly(product, v, &exact);
  }
  return finite && !isfinite(product) ? lose(eval) : moved(eval, t, product, fabs(product), exact || zero);
}

static EvalValue eval_product(TermEval *eval, Term t, bool whole) {
  TermTable *tt = eval->tt;
  if (eval->jitter && !whole) return of_real(eval_product_moved(eval, t));
  double real = 1;
  UInt128 integer = 1;
  bool finite = true;
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    Rational e = term_rat(tt, term_arg(tt, t, i + 1));
    EvalValue v = value_of(eval, term_arg(tt, t, i));
    if (whole)
      for (Int128 n = 0; n < e.num; n++) integer *= (UInt128)v.integer;
    real *= power(v.real, e), finite &= isfinite(v.real) != 0;
  }
  return whole && finite ? of_integer((Int128)integer, real) : of_real(real);
}

static EvalValue eval_extremum(TermEval *eval, Term t, bool is_max) {
  EvalValue best = value_of(eval, term_arg(eval->tt, t, 0));
  for (uint32_t i = 1; i < term_count(eval->tt, t); i++) {
    EvalValue v = value_of(eval, term_arg(eval->tt, t, i));
    if (is_max ? v.real > best.real : v.real < best.real) best = v;
    if (isnan(v.real)) best = v;
  }
  return best;
}

/* The part of a sum that is a maximum or minimum of numbers, times 1 or -1; 0: there is none. */
static uint32_t extremum_part(const TermTable *tt, Term sum) {
  if (term_kind(tt, sum) != TERM_ADD || term_sort(tt, sum) != SORT_REAL) return 0;
  for (uint32_t i = 1; i < term_count(tt, sum); i += 2) {
    Rational k = term_rat(tt, term_arg(tt, sum, i));
    Term part = term_arg(tt, sum, i + 1);
    if (term_kind(tt, part) != TERM_FOLD || k.den != 1 || (k.num != 1 && k.num != -1)) continue;
    if (term_aux(tt, part) == FOLD_MAX || term_aux(tt, part) == FOLD_MIN) return i;
  }
  return 0;
}

/* Compares a number with the maximum of numbers. The others are summed up by themselves, as inside of the maximum:
 * then equal numbers are equal, whatever is rounded. */
static int64_t eval_against_extremum(TermEval *eval, Term t, uint32_t place) {
  TermTable *tt = eval->tt;
  Term sum = term_arg(tt, t, 0);
  double best = value_of(eval, term_arg(tt, sum, place + 1)).real,
         sign = term_rat(tt, term_arg(tt, sum, place)).num < 0 ? 1 : -1;
  double rest = eval_parts(eval, sum, place, sign);
  double a = sign > 0 ? rest : best, b = sign > 0 ? best : rest;
  return term_kind(tt, t) == TERM_LE ? a <= b : term_kind(tt, t) == TERM_LT ? a < b : a == b;
}

static int64_t eval_comparison(TermEval *eval, Term t) {
  TermTable *tt = eval->tt;
  uint32_t place = term_count(tt, t) == 1 ? extremum_part(tt, term_arg(tt, t, 0)) : 0;
  if (place) return eval_against_extremum(eval, t, place);
  EvalValue a = value_of(eval, term_arg(tt, t, 0)), b = of_int(0);
  if (term_count(tt, t) == 2) b = value_of(eval, term_arg(tt, t, 1));
  bool whole = term_sort(tt, term_arg(tt, t, 0)) == SORT_INT && isfinite(a.real) && isfinite(b.real);
  if (term_count(tt, t) == 2) whole = whole && term_sort(tt, term_arg(tt, t, 1)) == SORT_INT;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_LE) return whole ? a.integer <= b.integer : a.real <= b.real;
  if (kind == TERM_LT) return whole ? a.integer < b.integer : a.real < b.real;
  return whole ? a.integer == b.integer : a.real == b.real;
}

/* Parts that read are looked at after the others, which may say that nothing is read there: 0 before 1 before 2. */
static int turn_of(const TermTable *tt, Term part) {
  TermKind kind = term_kind(tt, part);
  bool compares = kind == TERM_LE || kind == TERM_LT || kind == TERM_EQ;
  if (!(term_node(tt, part)->flags & TERM_HAS_READ)) return 0;
  return compares && term_sort(tt, term_arg(tt, part, 0)) == SORT_INT
             ? 1
             : 2; /* an index that a loop carries is an integer */
}

static int64_t eval_junction(TermEval *eval, Term t, bool is_and) {
  const TermTable *tt = eval->tt;
  int last = term_node(tt, t)->flags & TERM_HAS_READ ? 2 : 0;
  for (int turn = 0; turn <= last; turn++)
    for (uint32_t i = 0; i < term_count(tt, t); i++) {
      Term part = term_arg(tt, t, i);
      if (turn_of(tt, part) == turn && (value_of(eval, part).integer != 0) != is_and) return !is_and;
    }
  return is_and;
}

/* At 0 and at infinities functions are exact. */
static EvalValue eval_fn_moved(TermEval *eval, Term t, double a, double b) {
  TermFn fn = (TermFn)term_aux(eval->tt, t);
  double value = term_fn_value(fn, a, b);
  bool grows = fn == FN_EXP || fn == FN_SINH || fn == FN_COSH || fn == FN_POW;
  if (grows && !isfinite(value) && !isnan(value) && isfinite(a) && a != 0) return of_real(lose(eval));
  if (!isfinite(a)) return of_real(value);
  if (fabs(value) < DBL_MIN && (fn == FN_EXP || fn == FN_POW)) { /* what is left of it has few digits, or none */
    if (a != 0) eval->is_undefined = true;
    return of_real(value);
  }
  return of_real(moved(eval, t, value, fabs(value), a == 0 || value == 0));
}

/* k*t for a whole t, added to num/den; false: t is none, or numbers become too large. */
static bool add_whole(TermEval *eval, Rational k, Term t, Int128 *num, Int128 *den) {
  const Int128 most = (Int128)1 << 40;
  if (term_sort(eval->tt, t) != SORT_INT || k.den > most || k.num > most || k.num < -most) return false;
  EvalValue v = value_of(eval, t);
  if (!isfinite(v.real) || v.integer > most || v.integer < -most || *den > most || *num > most * most ||
      *num < -most * most)
    return false;
  Int128 common = *den % k.den ? *den * k.den : *den;
  *num = *num * (common / *den) + k.num * v.integer * (common / k.den);
  *den = common;
  return true;
}

/* A sum of fractions of whole numbers, exactly: floor(i/3 + 1/3) has jumps where doubles may fall on either side. */
static bool eval_fraction(TermEval *eval, Term t, Int128 *num, Int128 *den) {
  TermTable *tt = eval->tt;
  Term rest;
  *num = 0, *den = 1;
  if (term_kind(tt, t) != TERM_ADD) {
    Rational k = term_coefficient(tt, t, &rest);
    return add_whole(eval, k, rest, num, den);
  }
  bool good = add_whole(eval, term_rat(tt, term_arg(tt, t, 0)), tt->one, num, den);
  for (uint32_t i = 1; i < term_count(tt, t) && good; i += 2)
    good = add_whole(eval, term_rat(tt, term_arg(tt, t, i)), term_arg(tt, t, i + 1), num, den);
  return good;
}

static EvalValue eval_whole_part(TermEval *eval, Term t) {
  Int128 num, den;
  Term a = term_arg(eval->tt, t, 0);
  TermKind kind = term_kind(eval->tt, t);
  if (eval_fraction(eval, a, &num, &den)) {
    Int128 below = floor_divide(num, den), twice = 2 * (num - below * den);
    if (kind == TERM_CEIL || (kind == TERM_TRUNC && num < 0)) return of_int(-floor_divide(-num, den));
    return of_int(below + (kind == TERM_ROUND && (twice > den || (twice == den && below % 2))));
  }
  double value = value_of(eval, a).real;
  return of_whole(kind == TERM_FLOOR   ? floor(value)
                  : kind == TERM_CEIL  ? ceil(value)
                  : kind == TERM_ROUND ? rint(value)
                                       : trunc(value));
}

static EvalValue eval_call(TermEval *eval, Term t) {
  enum { MOST_ARGUMENTS = 16 };
  TermValue args[MOST_ARGUMENTS];
  uint32_t n = term_count(eval->tt, t);
  if (!eval->call || n > MOST_ARGUMENTS || term_sort(eval->tt, t) == SORT_PTR) return of_real(NAN);
  for (uint32_t i = 0; i < n; i++) {
    EvalValue a = value_of(eval, term_arg(eval->tt, t, i));
    if (isnan(a.real)) return of_real(NAN);
    args[i] = (TermValue){a.real, (int64_t)a.integer};
  }
  TermValue value = eval->call(eval->payload, t, n, args);
  return (EvalValue){value.real, value.integer};
}

static EvalValue eval_node(TermEval *eval, Term t) {
  TermTable *tt = eval->tt;
  bool whole = term_sort(tt, t) == SORT_INT;
  switch (term_kind(tt, t)) {
  case TERM_RAT: {
    Rational r = term_rat(tt, t);
    return whole ? of_int(r.num)
                 : of_real(eval->jitter ? moved(eval, t, rational_to_double(r), rational_to_double(r), is_dyadic(r))
                                        : constant_of(eval, r));
  }
  case TERM_INF: return of_real(INFINITY);
  case TERM_NEG_INF: return of_real(-INFINITY);
  case TERM_UNDEF:
    if (eval->jitter && term_sort(tt, t) == SORT_BOOL) return of_int((eval->jitter ^ t) & 1);
    return of_real(NAN);
  case TERM_NAN:
  case TERM_NONE:
  case TERM_PTR:
  case TERM_KIND_COUNT: return of_real(NAN);
  case TERM_TRUE: return of_int(1);
  case TERM_FALSE: return of_int(0);
  case TERM_SYM: return term_aux(tt, t) < eval->symbol_count ? eval->symbols[term_aux(tt, t)] : of_real(NAN);
  case TERM_BOUND: return eval->bound[term_aux(tt, t)];
  case TERM_READ: {
    int64_t index[20];
    uint32_t n = term_count(tt, t) - 1;
    for (uint32_t i = 0; i < n; i++) index[i] = (int64_t)value_of(eval, term_arg(tt, t, i + 1)).integer;
    TermValue element = eval->read(eval->payload, term_arg(tt, t, 0), n, index);
    if (eval->jitter && element.real == 0) element.real = copysign(0, noise_of(eval, t));
    return (EvalValue){element.real, element.integer};
  }
  case TERM_ADD: return eval_sum(eval, t, whole);
  case TERM_MUL: return eval_product(eval, t, whole);
  case TERM_FLOORDIV: {
    EvalValue a = value_of(eval, term_arg(tt, t, 0)), b = value_of(eval, term_arg(tt, t, 1));
    bool has_value = isfinite(a.real) && isfinite(b.real) && b.integer;
    return has_value ? of_int(floor_divide(a.integer, b.integer)) : of_real(NAN);
  }
  case TERM_MIN: return eval_extremum(eval, t, false);
  case TERM_MAX: return eval_extremum(eval, t, true);
  case TERM_ABS: {
    EvalValue v = value_of(eval, term_arg(tt, t, 0));
    return whole && isfinite(v.real) ? of_int(v.integer < 0 ? -v.integer : v.integer) : of_real(fabs(v.real));
  }
  case TERM_FLOOR:
  case TERM_CEIL:
  case TERM_ROUND:
  case TERM_TRUNC: return eval_whole_part(eval, t);
  case TERM_LE:
  case TERM_LT:
  case TERM_EQ: return of_int(eval_comparison(eval, t));
  case TERM_IS_INF: return of_int(value_of(eval, term_arg(tt, t, 0)).real == INFINITY);
  case TERM_IS_NEG_INF: return of_int(value_of(eval, term_arg(tt, t, 0)).real == -INFINITY);
  case TERM_IS_NAN: return of_int(isnan(value_of(eval, term_arg(tt, t, 0)).real));
  case TERM_NOT: return of_int(!value_of(eval, term_arg(tt, t, 0)).integer);
  case TERM_AND: return of_int(eval_junction(eval, t, true));
  case TERM_OR: return of_int(eval_junction(eval, t, false));
  case TERM_SELECT: return value_of(eval, term_arg(tt, t, value_of(eval, term_arg(tt, t, 0)).integer ? 1 : 2));
  case TERM_FN: {
    EvalValue a = value_of(eval, term_arg(tt, t, 0)), b = of_int(0);
    if (term_count(tt, t) > 1) b = value_of(eval, term_arg(tt, t, 1));
    if (eval->jitter && !whole) return eval_fn_moved(eval, t, a.real, b.real);
    return whole ? of_int(int_fn((TermFn)term_aux(tt, t), (int64_t)a.integer, (int64_t)b.integer))
                 : of_real(term_fn_value((TermFn)term_aux(tt, t), a.real, b.real));
  }
  case TERM_OPAQUE: return eval_call(eval, t);
  case TERM_WRAP: {
    EvalValue v = value_of(eval, term_arg(tt, t, 0));
    return isfinite(v.real) ? of_int(wrap(term_aux(tt, t), v.integer)) : v;
  }
  case TERM_FOLD:
  case TERM_RECUR: return eval_fold(eval, t);
  case TERM_STATE: return state_element(eval, t);
  }
  return of_real(NAN);
}

static bool valid(const TermEval *eval, const Memo *memo, uint64_t mask) {
  if (!memo->time) return false;
  for (; mask; mask &= mask - 1)
    if (eval->changed[__builtin_ctzll(mask)] >= memo->time) return false;
  return true;
}

static EvalValue value_of(TermEval *eval, Term t) {
  Memo *memo = pages_at(eval->arena, &eval->memo, t, sizeof *memo);
  uint64_t mask = term_node(eval->tt, t)->free_mask;
  if (valid(eval, memo, mask)) return memo->value;
  uint64_t started = eval->now;
  EvalValue value = eval_node(eval, t);
  if (eval->now != started) { /* folds inside moved the clock; their own indices are closed by now */
    eval->now++;
  }
  *memo = (Memo){value, eval->now + 1};
  return value;
}

TermValue term_eval(TermEval *eval, Term t) {
  EvalValue value = value_of(eval, t);
  return (TermValue){value.real, (int64_t)value.integer};
}
