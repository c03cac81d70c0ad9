/* Evaluation in a prime field: two expressions over elements that are one rational function of them, and of what
 * functions make of them, have one value; others differ but for a chance of degree / 2^61.
 *
 * A function is any function, drawn by hashing: exp(a - b) and exp(a) / exp(b) differ here, and a candidate that is
 * equal by a law of exp alone is not found. The order in which maxima are taken is drawn as well: it makes them
 * associative, commutative and idempotent, which is all that is asked of them. */
#include <string.h>

#include "search/family.h"

#include "base/random.h"

static const uint64_t prime = ((uint64_t)1 << 61) - 1;

static uint64_t reduce(UInt128 x) {
  uint64_t low = (uint64_t)(x & prime) + (uint64_t)(x >> 61);
  return low >= prime ? low - prime : low;
}

uint64_t residue_add(uint64_t a, uint64_t b) { return reduce((UInt128)a + b); }
uint64_t residue_times(uint64_t a, uint64_t b) { return reduce((UInt128)a * b); }

static uint64_t power(uint64_t x, uint64_t n) {
  uint64_t result = 1;
  for (; n; n >>= 1, x = residue_times(x, x))
    if (n & 1) result = residue_times(result, x);
  return result;
}

uint64_t residue_inverse(uint64_t a) { return power(a, prime - 2); }

static uint64_t drawn(uint64_t h) { return random_mix(h) % prime; }

static uint64_t of_integer(Int128 n) {
  uint64_t size = (uint64_t)((UInt128)(n < 0 ? -n : n) % prime);
  return n < 0 && size ? prime - size : size;
}

uint64_t residue_rational(Rational r) {
  uint64_t num = of_integer(r.num);
  return r.den == 1 ? num : residue_times(num, residue_inverse(of_integer(r.den)));
}

/* x^(a/b) is the a-th power of a root that is drawn: for b > 1 nothing is known of it but what it is of. */
uint64_t residue_root(uint64_t x, Rational exponent) {
  Int128 n = exponent.num < 0 ? -exponent.num : exponent.num;
  uint64_t root = exponent.den == 1 ? x : drawn(x ^ drawn((uint64_t)exponent.den + 77));
  root = power(root, (uint64_t)n);
  return exponent.num < 0 ? residue_inverse(root) : root;
}

uint64_t residue_draw(Term symbol, uint32_t count, const int64_t *index, uint64_t seed) {
  uint64_t h = random_mix(seed ^ ((uint64_t)symbol << 20));
  for (uint32_t i = 0; i < count; i++) h = random_mix(h ^ (uint64_t)(index[i] + 1));
  return drawn(h);
}

static uint64_t any_function(TermKind kind, uint32_t aux, uint32_t count, const uint64_t *x) {
  uint64_t h = drawn(((uint64_t)kind << 32) ^ aux);
  for (uint32_t i = 0; i < count; i++) h = random_mix(h ^ x[i]);
  return drawn(h);
}

/* Any even function. */
static uint64_t any_even(TermKind kind, uint64_t x) {
  if (x > prime / 2) x = prime - x;
  return any_function(kind, 0, 1, &x);
}

static bool is_below(uint64_t x, uint64_t y) { return random_mix(x ^ 0x5bd1e995) < random_mix(y ^ 0x5bd1e995); }

/* What is no sum, product or power. Truth values are 0 and 1. */
uint64_t residue_apply(TermKind kind, uint32_t aux, uint32_t count, const uint64_t *x) {
  uint64_t best = count ? x[0] : 0;
  if (kind == TERM_MIN) {
    for (uint32_t i = 1; i < count; i++) best = is_below(x[i], best) ? x[i] : best;
    return best;
  }
  if (kind == TERM_MAX) {
    for (uint32_t i = 1; i < count; i++) best = is_below(best, x[i]) ? x[i] : best;
    return best;
  }
  if (kind == TERM_AND) {
    for (uint32_t i = 0; i < count; i++) best &= x[i];
    return best;
  }
  if (kind == TERM_OR) {
    for (uint32_t i = 0; i < count; i++) best |= x[i];
    return best;
  }
  if (kind == TERM_NOT) return !x[0];
  if (kind == TERM_EQ) return x[0] ? any_even(kind, x[0]) & 1 : 1; /* else no two numbers were ever equal */
  if (kind == TERM_LT) return is_below(x[0], 0);
  if (kind == TERM_LE) return !is_below(0, x[0]);
  if (kind == TERM_SELECT) return x[0] ? x[1] : x[2];
  if (kind == TERM_ABS) return any_even(kind, x[0]);
  return any_function(kind, aux, count, x);
}

static uint64_t evaluate(Search *s, Term t, uint64_t seed) {
  TermTable *tt = s->tt;
  uint32_t n = term_count(tt, t);
  uint64_t sum = 0, product = 1;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_RAT) return residue_rational(term_rat(tt, t));
  if (kind == TERM_TRUE) return 1;
  if (kind == TERM_FALSE) return 0;
  if (kind == TERM_SYM) return residue_draw(t, 0, NULL, seed);
  if (kind == TERM_READ) {
    int64_t at[POINTWISE_MAX_RANK];
    for (uint32_t i = 1; i < n; i++)
      if (!term_is_int(tt, term_arg(tt, t, i), &at[i - 1]))
        at[i - 1] = (int64_t)search_residue(s, term_arg(tt, t, i), seed);
    return residue_draw(term_arg(tt, t, 0), n - 1, at, seed);
  }
  if (kind == TERM_ADD) {
    sum = search_residue(s, term_arg(tt, t, 0), seed);
    for (uint32_t i = 1; i < n; i += 2)
      sum = residue_add(sum, residue_times(search_residue(s, term_arg(tt, t, i), seed),
                                           search_residue(s, term_arg(tt, t, i + 1), seed)));
    return sum;
  }
  if (kind == TERM_MUL) {
    for (uint32_t i = 0; i < n; i += 2)
      product = residue_times(
          product, residue_root(search_residue(s, term_arg(tt, t, i), seed), term_rat(tt, term_arg(tt, t, i + 1))));
    return product;
  }
  ArenaMark mark = arena_mark(s->scratch);
  uint64_t *x = arena_array(s->scratch, uint64_t, n + 1);
  for (uint32_t i = 0; i < n; i++) x[i] = search_residue(s, term_arg(tt, t, i), seed);
  bool is_named = kind == TERM_WRAP || kind == TERM_FN || kind == TERM_OPAQUE;
  uint64_t result = residue_apply(kind, is_named ? term_aux(tt, t) : 0, n, x);
  arena_reset(s->scratch, mark);
  return result;
}

uint64_t search_residue(Search *s, Term t, uint64_t seed) {
  guard_tick(s->arena->guard);
  Memo *memo = &s->residues[seed < SEARCH_SEEDS ? seed : SEARCH_SEEDS];
  const MemoSlot *known = memo_find(memo, s->tt, t);
  if (known) return known->value;
  uint64_t value = evaluate(s, t, seed);
  memo_put(memo, s->arena, s->tt, t, value);
  return value;
}

uint32_t search_draw_again(Search *s) {
  Memo *memo = &s->residues[SEARCH_SEEDS];
  uint32_t count = memo->count;
  if (count) memset(memo->slots, 0, memo->slot_count * sizeof *memo->slots);
  memo->count = 0;
  return count;
}
