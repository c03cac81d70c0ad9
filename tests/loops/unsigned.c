/* Numbers without sign: what wraps, is compared, shifted, divided, written and returned. */
#include <stdint.h>

void add_saturating(const uint8_t *a, const uint8_t *b, uint8_t *d, int n) {
  for (int i = 0; i < n; i++) {
    unsigned s = a[i] + b[i];
    d[i] = s > 255 ? 255 : s;
  }
}

void add_wrapping(const uint8_t *a, const uint8_t *b, uint8_t *d, int n) {
  for (int i = 0; i < n; i++) d[i] = a[i] + b[i];
}

void above(const uint32_t *a, uint32_t t, uint8_t *d, int n) {
  for (int i = 0; i < n; i++) d[i] = a[i] > t ? 255 : 0;
}

void remainder_and_quotient(const uint32_t *a, uint32_t b, uint32_t *d, int n) {
  for (int i = 0; i < n; i++) d[i] = a[i] % (b | 1) + a[i] / (b | 1);
}

void shifted(uint32_t a, const uint32_t *b, uint32_t *d, int n) {
  for (int i = 0; i < n; i++) d[i] = (a >> 3) ^ (b[i] >> 7);
}

void halves(const uint16_t *a, uint8_t *d, int n) {
  for (int i = 0; i < n; i++) d[i] = (a[i] >> 8) ^ (a[i] & 255);
}

uint32_t checksum(const uint8_t *a, int n) {
  uint32_t s = 0;
  for (int i = 0; i < n; i++) s += a[i] * 2654435761u;
  return s;
}

void negated(const uint32_t *a, uint32_t *d, int n) {
  for (int i = 0; i < n; i++) d[i] = -a[i];
}
