/* Loops with several steps in one, and conditions one step ahead. */
#include <math.h>
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
/* The remainder first, as the reference BLAS has it. */
void axpy4(int n, double da, const double *dx, double *dy) {
  int i, m;
  if (n <= 0) return;
  if (da == 0.0) return;
  m = n % 4;
  if (m != 0) {
    for (i = 0; i < m; i++) dy[i] = dy[i] + da * dx[i];
    if (n < 4) return;
  }
  for (i = m; i < n; i += 4) {
    dy[i] = dy[i] + da * dx[i];
    dy[i + 1] = dy[i + 1] + da * dx[i + 1];
    dy[i + 2] = dy[i + 2] + da * dx[i + 2];
    dy[i + 3] = dy[i + 3] + da * dx[i + 3];
  }
}
void copy7(int n, const double *dx, double *dy) {
  int i, m = n % 7;
  if (m != 0) {
    for (i = 0; i < m; i++) dy[i] = dx[i];
    if (n < 7) return;
  }
  for (i = m; i < n; i += 7) {
    dy[i] = dx[i];
    dy[i + 1] = dx[i + 1];
    dy[i + 2] = dx[i + 2];
    dy[i + 3] = dx[i + 3];
    dy[i + 4] = dx[i + 4];
    dy[i + 5] = dx[i + 5];
    dy[i + 6] = dx[i + 6];
  }
}
void scal5(int n, double da, double *dx) {
  int i, m = n % 5;
  if (n <= 0) return;
  if (m != 0) {
    for (i = 0; i < m; i++) dx[i] = da * dx[i];
    if (n < 5) return;
  }
  for (i = m; i < n; i += 5) {
    dx[i] = da * dx[i];
    dx[i + 1] = da * dx[i + 1];
    dx[i + 2] = da * dx[i + 2];
    dx[i + 3] = da * dx[i + 3];
    dx[i + 4] = da * dx[i + 4];
  }
}
double dot5(int n, const double *dx, const double *dy) {
  int i, m = n % 5;
  double t = 0.0;
  if (n <= 0) return 0.0;
  if (m != 0) {
    for (i = 0; i < m; i++) t += dx[i] * dy[i];
    if (n < 5) return t;
  }
  for (i = m; i < n; i += 5)
    t += dx[i] * dy[i] + dx[i + 1] * dy[i + 1] + dx[i + 2] * dy[i + 2] + dx[i + 3] * dy[i + 3] + dx[i + 4] * dy[i + 4];
  return t;
}
void turned(double *x, size_t n) {
  for (size_t i = 0; i < n / 2; i++) {
    double t = x[i];
    x[i] = x[n - 1 - i];
    x[n - 1 - i] = t;
  }
}
double greatest(const double *x, int n) {
  double m = NAN;
  for (int i = 0; i < n; i++) m = fmax(m, x[i]);
  return m;
}
double least(const double *x, int n) {
  double m = NAN;
  for (int i = 0; i < n; i++)
    if (isnan(m) || x[i] < m) m = x[i];
  return m;
}
void turned_by_pointers(double *x, int n) {
  double *p = x, *q = x + n - 1;
  while (p < q) {
    double t = *p;
    *p++ = *q;
    *q-- = t;
  }
}
void exchanged(double *a, double *b, int n) {
  for (int s = 0; s < 3; s++) {
    for (int i = 1; i < n - 1; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    double *t = a;
    a = b;
    b = t;
  }
}
int all_equal(const double *u, const double *v, int n) {
  for (int j = 0; j < n; j++)
    for (int k = 0; k < 1; k++)
      if (u[1 * j + k] != v[1 * j + k]) return 0;
  return 1;
}
void from_behind(double *x, int n) {
  for (int i = n - 2; i >= 0; i--) x[i] += x[i + 1];
}
/* What another store of the same loop leaves is stored to again by the next iteration. */
void pairs_ahead(int n, int c, const double *x, double *y) {
  for (int i = 0; i + 1 < n; i += 2) {
    y[i] = x[i];
    y[i + 1] = x[i + 1];
    if (c > 6 && i + 2 < n) y[i + 2] = 3;
  }
}
