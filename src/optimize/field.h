/* Arithmetic for fingerprints: pairs of residues modulo primes p and q with q | p - 1.
 *
 * exp maps the residue modulo q to a power of an element of order q modulo p, so that exp(a + b) = exp(a) exp(b) and
 * exp(0) = 1; its result has no residue modulo q. p is near 2^61, and q has at least 31 bits; both are drawn, as the
 * bounds on false agreement hold for random primes ("Identity Testing for Circuits with Exponentiation Gates"). Both
 * are 3 modulo 4, so that sqrt is a power, hence multiplicative. */
#ifndef ASSAY_OPTIMIZE_FIELD_H
#define ASSAY_OPTIMIZE_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rational.h"

enum { FIELD_DIGIT = 256, FIELD_DIGITS = 5 };

typedef struct Field {
  uint64_t p, p_inverse, one, square; /* Montgomery's form modulo p: -1/p, 2^64 and 2^128 */
  uint64_t q;
  double q_inverse;                           /* 1 / q, nearly */
  uint64_t powers[FIELD_DIGITS][FIELD_DIGIT]; /* of the element of order q, by digits of the exponent */
} Field;

/* A residue modulo p in Montgomery's form; FIELD_BELOW stands for minus infinity. */
#define FIELD_BELOW UINT64_MAX

void field_init(Field *f, uint64_t seed);
uint64_t field_hash(uint64_t a, uint64_t b);
bool field_is_prime(uint64_t n);

static inline uint64_t field_reduce(const Field *f, UInt128 t) {
  uint64_t m = (uint64_t)t * f->p_inverse;
  uint64_t r = (uint64_t)((t + (UInt128)m * f->p) >> 64);
  return r >= f->p ? r - f->p : r;
}
static inline uint64_t field_mul(const Field *f, uint64_t a, uint64_t b) { return field_reduce(f, (UInt128)a * b); }
static inline uint64_t field_add(const Field *f, uint64_t a, uint64_t b) {
  uint64_t s = a + b;
  return s >= f->p ? s - f->p : s;
}
static inline uint64_t field_sub(const Field *f, uint64_t a, uint64_t b) { return a >= b ? a - b : a + f->p - b; }
static inline uint64_t field_from(const Field *f, uint64_t a) { return field_mul(f, a % f->p, f->square); }
static inline uint64_t field_to(const Field *f, uint64_t a) { return field_reduce(f, a); }
uint64_t field_power(const Field *f, uint64_t a, uint64_t exponent);
uint64_t field_exp(const Field *f, uint64_t q_residue);
static inline uint64_t field_add_q(const Field *f, uint64_t a, uint64_t b) {
  uint64_t s = a + b;
  return s >= f->q ? s - f->q : s;
}
static inline uint64_t field_sub_q(const Field *f, uint64_t a, uint64_t b) { return a >= b ? a - b : a + f->q - b; }
/* Residues have less than 38 bits, so the quotient in doubles is at most one off. */
static inline uint64_t field_mul_q(const Field *f, uint64_t a, uint64_t b) {
  int64_t r = (int64_t)(a * b - (uint64_t)((double)a * (double)b * f->q_inverse) * f->q), q = (int64_t)f->q;
  return (uint64_t)(r < 0 ? r + q : r >= q ? r - q : r);
}
/* Of a sum of few products: its quotient has less than 43 bits, so that in doubles it is at most one off. */
static inline uint64_t field_reduce_q(const Field *f, UInt128 t) {
  double whole = (double)(uint64_t)(t >> 64) * 0x1p64 + (double)(uint64_t)t;
  int64_t r = (int64_t)((uint64_t)t - (uint64_t)(whole * f->q_inverse) * f->q), q = (int64_t)f->q;
  return (uint64_t)(r < 0 ? r + q : r >= q ? r - q : r);
}
uint64_t field_power_q(const Field *f, uint64_t a, uint64_t exponent);
/* Both residues of a number; false: its denominator is 0 in a field. */
bool field_rational(const Field *f, Rational value, uint64_t *p, uint64_t *q);

#endif
