/* Loops that count down to 0, without sign. */
#include <stdint.h>

void copy_while_above(float *d, const float *s, unsigned n) {
  while (n > 0) {
    *d++ = *s++;
    n--;
  }
}

void copy_while_not_zero(float *d, const float *s, unsigned n) {
  while (n != 0) {
    d[n - 1] = s[n - 1];
    --n;
  }
}

void copy_while(float *d, const float *s, uint32_t n) {
  while (n) {
    *d++ = *s++;
    n -= 1;
  }
}

void copy_for(float *d, const float *s, unsigned n) {
  for (; n; n--) *d++ = *s++;
}

void scale_for(float *d, float by, unsigned n) {
  for (; n != 0; --n) *d++ *= by;
}

void copy_do(float *d, const float *s, unsigned n) {
  do {
    *d++ = *s++;
  } while (--n);
}

float dot_do(const float *a, const float *b, uint32_t n) {
  float sum = 0;
  do {
    sum += *a++ * *b++;
  } while (--n > 0);
  return sum;
}

int sum_do(const int *a, int n) {
  int sum = 0;
  do sum += a[n - 1];
  while (--n != 0);
  return sum + n;
}

unsigned what_is_left(float *d, unsigned n) {
  unsigned m = n;
  while (n > 0) {
    d[n - 1] = m;
    --n;
  }
  return n;
}

void axpy_from_behind(float *y, const float *x, float a, unsigned n) {
  unsigned i = n;
  while (i--) y[i] += a * x[i];
}

unsigned keep_positive(float *y, unsigned n) {
  while (n-- > 0) {
    if (y[n] > 0) continue;
    y[n] = n;
  }
  return n;
}

void copy_walking(float *y, const float *x, uint32_t n) {
  while (n-- != 0) *y++ = *x++;
}
