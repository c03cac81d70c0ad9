/* The like, each wrong in a typical way: what was meant stands in tests/cli/test_loops.sh. */
#include <stdint.h>
double mean_from_one(int n, const double *x) {
  double s = 0;
  for (int i = 1; i < n; i++) s += x[i];
  return s / n;
}
double mean_uninitialised(int n, const double *x) {
  double s;
  for (int i = 0; i < n; i++) s += x[i];
  return s / n;
}
double mean_integer(int n, const int *x) {
  int s = 0;
  for (int i = 0; i < n; i++) s += x[i];
  return s / n;
}
void grey_narrow(int n, const uint8_t *rgb, uint8_t *out) {
  for (int i = 0; i < n; i++) out[i] = (uint8_t)(rgb[3 * i] + rgb[3 * i + 1] + rgb[3 * i + 2]) / 3;
}
void smooth_in_place(int n, double *x) {
  for (int i = 1; i < n; i++) x[i] = 0.5 * (x[i] + x[i - 1]);
}
void transpose_swapped(int m, int n, const double *A, double *B) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) B[j * n + i] = A[i * n + j];
}
void scale_half(int n, int num, int den, const int *x, int *y) {
  for (int i = 0; i < n; i++) y[i] = x[i] * (num / den);
}
void euler_energy(int n, double dt, double *x, double *v) {
  for (int i = 0; i < n; i++) {
    v[i] -= dt * x[i];
    x[i] += dt * v[i];
  }
}
double past(const double x[8]) {
  double s = 0;
  for (int i = 0; i <= 8; i++) s += x[i];
  return s;
}
void shift(int n, double *x) {
  for (int i = 0; i < n; i++) x[i + 1] = x[i];
}
