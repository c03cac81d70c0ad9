/* Floats behind pointers. */
#include <math.h>
#include <stdint.h>

void axpy(int n, float a, const float *x, const float *y, float *out) {
  for (int i = 0; i < n; i++) out[i] = a * x[i] + y[i];
}

void add_bytes(int m, int n, const uint8_t *base, const uint8_t *active, uint8_t *out) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int p = base[i * n + j] + active[i * n + j];
      out[i * n + j] = p > 255 ? 255 : p;
    }
}

double rms(const double *x, int n) {
  double ss = 0.0;
  for (int j = 0; j < n; j++) ss += x[j] * x[j];
  return 1.0 / sqrt(ss / n + 1e-5);
}

void gemv(int m, int n, const double *A, const double *x, double *y) {
  for (int i = 0; i < m; i++) {
    double s = 0;
    for (int j = 0; j < n; j++) s += A[i * n + j] * x[j];
    y[i] = s;
  }
}

void matmul(int n, int m, int l, const double *A, const double *B, double *C) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double s = 0;
      for (int k = 0; k < l; k++) s += A[i * l + k] * B[k * m + j];
      C[i * m + j] = s;
    }
}

long double long_sum_of_roots(int n, const long double *x) {
  long double s = 0;
  for (int i = 0; i < n; i++) s += sqrtl(fabsl(x[i])) * i;
  return s;
}

int last_equal(int n, const double *x, double v) {
  int i = n - 1;
  while (i >= 0 && x[i] != v) i--;
  return i;
}
