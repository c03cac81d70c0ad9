/* Exact rationals over __int128 with overflow checks (see rational.h). */
#include "base/rational.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static UInt128 magnitude(Int128 a) { return a < 0 ? -(UInt128)a : (UInt128)a; }

static UInt128 gcd(UInt128 a, UInt128 b) {
  while (b) {
    if ((a >> 64) == 0 && (b >> 64) == 0) { /* the usual case: 64-bit division */
      uint64_t x = (uint64_t)a, y = (uint64_t)b;
      while (y) {
        uint64_t r = x % y;
        x = y, y = r;
      }
      return x;
    }
    UInt128 r = a % b;
    a = b, b = r;
  }
  return a;
}

Int128 rational_gcd(Int128 a, Int128 b) { return (Int128)gcd(magnitude(a), magnitude(b)); }

static Int128 mul(Guard *guard, Int128 a, Int128 b) {
  Int128 product;
  if (__builtin_mul_overflow(a, b, &product)) guard_throw(guard, GUARD_LIMIT, "coefficient exceeds 127 bits");
  return product;
}

static Int128 add(Guard *guard, Int128 a, Int128 b) {
  Int128 sum;
  if (__builtin_add_overflow(a, b, &sum)) guard_throw(guard, GUARD_LIMIT, "coefficient exceeds 127 bits");
  return sum;
}

Rational rational_make(Guard *guard, Int128 num, Int128 den) {
  if (den == 0) guard_throw(guard, GUARD_INTERNAL, "rational with denominator zero");
  if (den == 1) return (Rational){num, 1};
  UInt128 g = gcd(magnitude(num), magnitude(den));
  num /= (Int128)g, den /= (Int128)g;
  return den < 0 ? (Rational){-num, -den} : (Rational){num, den};
}

Rational rational_add(Guard *guard, Rational a, Rational b) {
  if (a.den == 1 && b.den == 1) return (Rational){add(guard, a.num, b.num), 1};
  Int128 g = rational_gcd(a.den, b.den);
  Int128 left = mul(guard, a.num, b.den / g), right = mul(guard, b.num, a.den / g);
  return rational_make(guard, add(guard, left, right), mul(guard, a.den / g, b.den));
}

Rational rational_neg(Rational a) { return (Rational){-a.num, a.den}; }
Rational rational_sub(Guard *guard, Rational a, Rational b) { return rational_add(guard, a, rational_neg(b)); }

Rational rational_mul(Guard *guard, Rational a, Rational b) {
  if (a.num == 1 && a.den == 1) return b; /* most products are these */
  if (b.num == 1 && b.den == 1) return a;
  if (a.den == 1 && b.den == 1) return (Rational){mul(guard, a.num, b.num), 1};
  Int128 g = rational_gcd(a.num, b.den), h = rational_gcd(b.num, a.den);
  if (g == 0) g = 1;
  if (h == 0) h = 1;
  return (Rational){mul(guard, a.num / g, b.num / h), mul(guard, a.den / h, b.den / g)};
}

Rational rational_div(Guard *guard, Rational a, Rational b) {
  if (b.num == 0) guard_throw(guard, GUARD_INTERNAL, "rational division by zero");
  Rational inverse = b.num < 0 ? (Rational){-b.den, -b.num} : (Rational){b.den, b.num};
  return rational_mul(guard, a, inverse);
}

int rational_compare(Guard *guard, Rational a, Rational b) {
  if (rational_sign(a) != rational_sign(b)) return rational_sign(a) < rational_sign(b) ? -1 : 1;
  return rational_sign(rational_sub(guard, a, b));
}

bool rational_is_int(Rational a) { return a.den == 1; }

Int128 rational_floor(Rational a) {
  Int128 q = a.num / a.den;
  return a.num % a.den < 0 ? q - 1 : q;
}

Rational rational_power(Guard *guard, Rational a, int64_t n) {
  if (n < 0) return rational_div(guard, rational_int(1), rational_power(guard, a, -n));
  Rational result = rational_int(1);
  for (; n; n >>= 1) {
    if (n & 1) result = rational_mul(guard, result, a);
    if (n > 1) a = rational_mul(guard, a, a);
  }
  return result;
}

uint32_t rational_bits(Rational a) {
  uint32_t n = 0;
  for (UInt128 most = (a.num < 0 ? -(UInt128)a.num : (UInt128)a.num) | (UInt128)a.den; most; most >>= 1) n++;
  return n;
}

double rational_to_double(Rational a) {
  Int128 exact = (Int128)1 << 53;
  if (a.num >= -exact && a.num <= exact && a.den <= exact) return (double)(int64_t)a.num / (double)(int64_t)a.den;
  return (double)((long double)a.num / (long double)a.den);
}

bool rational_from_double(double value, Rational *out) {
  int exponent;
  if (!isfinite(value)) return false;
  double fraction = frexp(value, &exponent);
  int64_t mantissa = (int64_t)ldexp(fraction, 53);
  exponent -= 53;
  if (mantissa == 0) exponent = 0;
  while (exponent < 0 && mantissa % 2 == 0) mantissa /= 2, exponent++;
  if (exponent < -120 || exponent > 70) return false;
  *out =
      exponent >= 0 ? (Rational){mantissa * ((Int128)1 << exponent), 1} : (Rational){mantissa, (Int128)1 << -exponent};
  return true;
}

static bool int_sqrt(Int128 a, Int128 *root) {
  if (a < 0) return false;
  Int128 r = (Int128)sqrtl((long double)a);
  while (r > 0 && r > a / r) r--;
  while ((r + 1) <= a / (r + 1)) r++;
  *root = r;
  return r * r == a;
}

bool rational_sqrt(Rational a, Rational *out) { return int_sqrt(a.num, &out->num) && int_sqrt(a.den, &out->den); }

static void print_int(Int128 value, Text *out) {
  char digits[48];
  int n = 0;
  UInt128 m = magnitude(value);
  do digits[n++] = (char)('0' + (int)(m % 10));
  while (m /= 10);
  if (value < 0) text_char(out, '-');
  while (n) text_char(out, digits[--n]);
}

/* The fewest digits that read back as the same number of the narrowest format that holds it. */
static bool print_decimal(Rational a, Text *out) {
  double value = rational_to_double(a);
  Rational exact;
  if (!rational_from_double(value, &exact) || !rational_equal(exact, a)) return false;
  bool single = (double)(float)value == value;
  for (int digits = 1; digits <= 17; digits++) {
    char text[40];
    snprintf(text, sizeof text, "%.*g", digits, value);
    double back = single ? (double)strtof(text, NULL) : strtod(text, NULL);
    if (back != value) continue;
    text_add(out, text);
    return true;
  }
  return false;
}

void rational_print(Rational a, bool decimal, Text *out) {
  if (a.den == 1 && magnitude(a.num) <= (UInt128)1 << 64) { /* an integer of a program, or the end of its type */
    print_int(a.num, out);
    return;
  }
  if (decimal && print_decimal(a, out)) return;
  print_int(a.num, out);
  if (a.den == 1) return;
  text_char(out, '/');
  print_int(a.den, out);
}
