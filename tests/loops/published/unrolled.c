/* Loops with several steps in one, and conditions one step ahead. */
#include <stddef.h>
#include <stdint.h>
void u4tail(int n, double da, const double *dx, double *dy) {
  int i;
  for (i = 0; i + 3 < n; i += 4) {
    dy[i] += da * dx[i];
    dy[i + 1] += da * dx[i + 1];
    dy[i + 2] += da * dx[i + 2];
    dy[i + 3] += da * dx[i + 3];
  }
  for (; i < n; i++) dy[i] += da * dx[i];
}
void u4size(size_t n, double da, const double *dx, double *dy) {
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    dy[i] = da * dx[i];
    dy[i + 1] = da * dx[i + 1];
    dy[i + 2] = da * dx[i + 2];
    dy[i + 3] = da * dx[i + 3];
  }
  for (; i < n; i++) dy[i] = da * dx[i];
}
void diff(const double *x, double *y, int n) {
  for (int i = 0; i + 1 < n; i++) y[i] = x[i + 1] - x[i];
}
void diffd(const double *x, double *y, int n) {
  for (int i = n - 1; i - 1 >= 0; i--) y[i] = x[i] - x[i - 1];
}
void mix3(int *p, int n) {
  for (int i = 0; i < n; i++) {
    int r = p[3 * i], g = p[3 * i + 1], b = p[3 * i + 2];
    p[3 * i] = r + g + b;
    p[3 * i + 1] = r - g;
    p[3 * i + 2] = g - b;
  }
}
