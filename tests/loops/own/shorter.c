/* Arrays that are shorter than the loop: at the least sizes they have no element, and none is read. */
#include <math.h>

void exclusive(int n, const double *x, double *y) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    y[i] = s;
    if (i < n - 1) s += x[i];
  }
}

void offsets(int n, const int *lengths, int *start) {
  start[0] = 0;
  for (int i = 1; i < n; i++) start[i] = start[i - 1] + lengths[i - 1];
}

void products(int n, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double p = 1;
    for (int j = 0; j < i; j++) p *= x[j];
    y[i] = p;
  }
}

void inclusive(int n, const double *x, double *y) {
  double s = 0;
  for (int i = 0; i < n - 1; i++) {
    s += x[i];
    y[i] = s;
  }
}

void horner(int n, const double *c, double a, double *y) {
  double s = 0;
  for (int i = 0; i < n - 1; i++) {
    s = a * s + c[i];
    y[i] = s;
  }
}

void newton(int n, const double *x, double *y) {
  double s = 1;
  for (int i = 0; i < n - 1; i++) {
    s = 0.5 * (s + fabs(x[i]) / s);
    y[i] = s;
  }
}

void tails(int n, const double *x, double *y) {
  for (int i = 0; i < n - 1; i++) {
    y[i] = 0;
    for (int j = i; j < n - 1; j++) y[i] += x[j];
  }
}

double steepest(int n, const double *x) {
  double s = 0;
  for (int i = 0; i < n - 1; i++) {
    double d = fabs(x[i + 1] - x[i]);
    if (d > s) s = d;
  }
  return s;
}

void power(int n, double a, double *y) {
  y[0] = 1;
  for (int i = 1; i < n; i++) y[i] = a * y[i - 1];
}
