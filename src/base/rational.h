/* Exact rationals with 127-bit numerator and denominator, always in lowest terms, denominator > 0.
 *
 * A result that does not fit throws GUARD_LIMIT: never a rounded value. f64 literals and products of a few
 * f32 literals fit; nothing in kernels needs more. */
#ifndef ASSAY_BASE_RATIONAL_H
#define ASSAY_BASE_RATIONAL_H

#include <stdbool.h>

#include "base/text.h"

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

typedef struct Rational {
  Int128 num, den;
} Rational;

static inline Rational rational_int(int64_t n) { return (Rational){n, 1}; }
Rational rational_make(Guard *guard, Int128 num, Int128 den); /* den != 0 */
Rational rational_add(Guard *guard, Rational a, Rational b);
Rational rational_sub(Guard *guard, Rational a, Rational b);
Rational rational_mul(Guard *guard, Rational a, Rational b);
Rational rational_div(Guard *guard, Rational a, Rational b); /* b != 0 */
Rational rational_neg(Rational a);
int rational_compare(Guard *guard, Rational a, Rational b);
bool rational_is_int(Rational a);
static inline bool rational_equal(Rational a, Rational b) { return a.num == b.num && a.den == b.den; }
static inline int rational_sign(Rational a) { return a.num > 0 ? 1 : a.num < 0 ? -1 : 0; }
Int128 rational_floor(Rational a);
Int128 rational_gcd(Int128 a, Int128 b); /* of integers: not negative, 0 of 0 and 0 */
/* a^n for an integer n; a != 0 if n < 0. */
Rational rational_power(Guard *guard, Rational a, int64_t n);
/* Of the larger of numerator and denominator; a product has no more than both together. */
uint32_t rational_bits(Rational a);
double rational_to_double(Rational a);
/* The exact value of a finite double; false if it does not fit. */
bool rational_from_double(double value, Rational *out);
/* The exact square root, if there is one. */
bool rational_sqrt(Rational a, Rational *out);
/* "3", "-7/2"; with `decimal`, the shortest decimal that reads back as the same f16, f32 or f64 when the value is
 * exactly such a number ("0.044715"), else a fraction. */
void rational_print(Rational a, bool decimal, Text *out);

#endif
