#!/bin/sh
# What a user reads: nothing is said twice, nothing is cut away, and things go by their names in the source.
. "$(dirname "$0")/common.sh"
if ! "$ASSAY" lift "$SOURCE/tests/loops/blend.cc:linear_dodge_8" >out 2>err && grep -q c.libclang err; then
  echo "no libclang: not tested"
  exit 0
fi

# One assumption says what another one implies for all sizes.
cat >rows.c <<'END'
void twice(int n, int k, float *y, const float *x) {
  for (int j = 0; j < k; j++) for (int i = 0; i < n; i++) y[j*n + i] = x[i + n*j] * 2;
}
void apart(int n, int k, float *y, const float *x) { for (int i = 0; i < n; i++) y[i] = x[i*k] + x[i*n]; }
void strided(int n, int k, float *y, const float *x) { for (int i = 0; i < n; i++) y[i] = x[i*k]; }
void from(int n, int m, int k, float *y, const float *x) { for (int i = m; i < n; i++) y[i] = x[i*k]; }
END
expect 0 "$ASSAY" lift rows.c:twice
has out 'k*n - 1 <= 2147483647'
hasnt out 'k*n - n <='
expect 0 "$ASSAY" lift --json rows.c:twice
has out '"text": "k*n - 1 <= 2147483647"'
# ... and the obligation of each line keeps the first sizes of its own.
expect 1 "$ASSAY" lift --strict overflow rows.c:twice
# Neither implies the other one: both are there.
expect 2 "$ASSAY" lift rows.c:apart # of x nothing tells how long it is
has out 'i*k fits i32'
has out 'n ** 2 - n <= 2147483647'

# A counter is said by the loop's variable, wherever that begins.
expect 0 "$ASSAY" lift rows.c:strided
has out 'i*k fits i32'
"$ASSAY" lift rows.c:from >out 2>err
hasnt out 'iteration'
has out 'i*k fits i32'

# A formula that is too long as a whole has names for its parts, also inside of a recurrence, and reads back.
cat >crc.c <<'END'
#include <stddef.h>
#include <stdint.h>
uint32_t crc(const uint8_t *p, size_t n) {
  uint32_t c = 0xffffffffu;
  for (size_t i = 0; i < n; i++) {
    c ^= p[i];
    for (int k = 0; k < 8; k++) c = (c >> 1) ^ (0xedb88320u & -(c & 1));
  }
  return ~c;
}
uint32_t step(const uint8_t *p, int n) {
  uint32_t c = 5;
  for (int i = 0; i < n; i++) { c ^= p[i]; c = (c >> 1) ^ (0xedb88320u & -(c & 1)); }
  return c;
}
END
expect 0 "$ASSAY" lift crc.c:crc
hasnt out '...'
has out 'formula     result = where(t1 >= 0, 4294967295 - t1, -t1 - 1)'
has out 'where       t1 = recur[k < n, s](-1, '
has out 't2(k, s) = bitxor'
expect 0 "$ASSAY" lift --stop-after tensor crc.c:crc
cp out crc.tensor
"$ASSAY" check crc.c:crc crc.tensor >out 2>err
has out 'result: equal where the right is defined'
sed 's/306674912/306674911/' crc.tensor >wrong.tensor
expect 1 "$ASSAY" check crc.c:crc wrong.tensor
sed 's/t4(k, s)/t4(s, k)/' crc.tensor >wrong.tensor # another order of the parameters, once
expect 1 "$ASSAY" check crc.c:crc wrong.tensor
expect 0 "$ASSAY" lift --stop-after tensor crc.c:step
cp out step.tensor
expect 0 "$ASSAY" check crc.c:step step.tensor

# Where the claim relies on divisors, what shows in a run that divides by 0 refutes nothing.
cat >quotient.c <<'END'
void taken(int n, const int *idx, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[idx[i]] / x[i]; }
void zero(int n, const int *idx, const float *x, float *y) {
  for (int i = 0; i < n; i++) { float s = 0; y[i] = x[idx[i]] / s; }
}
END
expect 2 "$ASSAY" lift --shape x=n quotient.c:taken
has out 'x[i] != 0: else a division has no value'
hasnt out 'undefined refuted'
expect 1 "$ASSAY" lift --shape x=n quotient.c:zero
has out 'undefined refuted, y: y[0] becomes an undefined value'
has out 'idx[0] = 0' # the index that was read is part of the witness

# A function of C has conditions and iterations, neither masks nor programs and lanes.
cat >words.c <<'END'
void bytes(const unsigned char *x, int n, int *h) {
  for (int i = 0; i < 256; i++) h[i] = 0;
  for (int i = 0; i < n; i++) h[x[i]]++;
}
void ring(int n, int m, float *x, const float *y) { for (int i = 0; i < n; i++) x[i % m] = y[i]; }
END
expect 0 "$ASSAY" lift words.c:bytes
has out '256 <= h_d0: h has the elements that the conditions around let through'
"$ASSAY" lift words.c:ring >out 2>err
has out 'several iterations may write one element'
hasnt out 'lanes'
finish
