/* The fields of fingerprints (field.h): primes by trial with the Miller-Rabin test, which is exact below 2^64 for the
 * first twelve primes as bases; products modulo p in Montgomery's form. */
#include "optimize/field.h"

uint64_t field_hash(uint64_t a, uint64_t b) { /* splitmix64 over both */
  uint64_t z = a * 0x9E3779B97F4A7C15u + b + 0x632BE59BD9B4E019u;
  for (int i = 0; i < 2; i++) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
  }
  return z;
}

static uint64_t mul_mod(uint64_t a, uint64_t b, uint64_t n) { return (uint64_t)((UInt128)a * b % n); }

static uint64_t power_mod(uint64_t a, uint64_t e, uint64_t n) {
  uint64_t r = 1;
  for (a %= n; e; e >>= 1, a = mul_mod(a, a, n))
    if (e & 1) r = mul_mod(r, a, n);
  return r;
}

static bool is_witness(uint64_t base, uint64_t n, uint64_t odd, unsigned twos) {
  uint64_t x = power_mod(base, odd, n);
  if (x == 1 || x == n - 1) return false;
  for (unsigned i = 1; i < twos; i++)
    if ((x = mul_mod(x, x, n)) == n - 1) return false;
  return true;
}

bool field_is_prime(uint64_t n) {
  static const uint64_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  uint64_t odd = n - 1;
  unsigned twos = 0;
  if (n < 2) return false;
  for (unsigned i = 0; i < 12; i++)
    if (n % bases[i] == 0) return n == bases[i];
  for (; !(odd & 1); odd >>= 1) twos++;
  for (unsigned i = 0; i < 12; i++)
    if (is_witness(bases[i], n, odd, twos)) return false;
  return true;
}

/* The least prime from n on that is 3 modulo 4. */
static uint64_t next_prime(uint64_t n) {
  for (n |= 3; !field_is_prime(n); n += 4) continue;
  return n;
}

/* p = 2 k q + 1 with k odd is 3 modulo 4. */
static uint64_t prime_over(uint64_t q, uint64_t seed) {
  uint64_t k = (((uint64_t)1 << 60) - (field_hash(seed, 2) >> 8)) / q | 1;
  while (!field_is_prime(2 * k * q + 1)) k -= 2;
  return 2 * k * q + 1;
}

static uint64_t negative_inverse(uint64_t p) { /* Newton: each step doubles the bits that are right */
  uint64_t x = p;
  for (int i = 0; i < 6; i++) x *= 2 - p * x;
  return -x;
}

void field_init(Field *f, uint64_t seed) {
  f->q = next_prime(((uint64_t)1 << 36) + (field_hash(seed, 1) & 0x7FFFFFFFF));
  f->p = prime_over(f->q, seed);
  f->q_inverse = 1 / (double)f->q;
  f->p_inverse = negative_inverse(f->p);
  f->one = (uint64_t)(((UInt128)1 << 64) % f->p);
  f->square = mul_mod(f->one, f->one, f->p);
  uint64_t omega = f->one;
  for (uint64_t n = 3; omega == f->one; n++)
    omega = field_power(f, field_from(f, field_hash(seed, n)), (f->p - 1) / f->q);
  for (unsigned d = 0; d < FIELD_DIGITS; d++) {
    f->powers[d][0] = f->one;
    for (unsigned i = 1; i < FIELD_DIGIT; i++) f->powers[d][i] = field_mul(f, f->powers[d][i - 1], omega);
    omega = field_mul(f, f->powers[d][FIELD_DIGIT - 1], omega);
  }
}

uint64_t field_power(const Field *f, uint64_t a, uint64_t exponent) {
  uint64_t r = f->one;
  for (; exponent; exponent >>= 1, a = field_mul(f, a, a))
    if (exponent & 1) r = field_mul(f, r, a);
  return r;
}

uint64_t field_power_q(const Field *f, uint64_t a, uint64_t exponent) { return power_mod(a, exponent, f->q); }

uint64_t field_exp(const Field *f, uint64_t q_residue) {
  uint64_t r = f->powers[0][q_residue % FIELD_DIGIT];
  for (unsigned d = 1; d < FIELD_DIGITS && (q_residue /= FIELD_DIGIT); d++)
    r = field_mul(f, r, f->powers[d][q_residue % FIELD_DIGIT]);
  return r;
}

static uint64_t residue(Int128 value, uint64_t n) {
  Int128 r = value % (Int128)n;
  return (uint64_t)(r < 0 ? r + (Int128)n : r);
}

bool field_rational(const Field *f, Rational value, uint64_t *p, uint64_t *q) {
  uint64_t den_p = residue(value.den, f->p), den_q = residue(value.den, f->q);
  if (!den_p || !den_q) return false;
  *p = field_mul(f, field_from(f, residue(value.num, f->p)), field_power(f, field_from(f, den_p), f->p - 2));
  *q = field_mul_q(f, residue(value.num, f->q), field_power_q(f, den_q, f->q - 2));
  return true;
}
