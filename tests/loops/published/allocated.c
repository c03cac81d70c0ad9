/* Memory that is allocated, pointers that may be NULL, further functions of <math.h>. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void centred(float *y, const float *x, int n) {
  float *t = (float *)malloc(n * sizeof(float));
  if (!t) return;
  for (int i = 0; i < n; i++) t[i] = x[i] * 2;
  for (int i = 0; i < n; i++) y[i] = t[i] - t[0];
  free(t);
}

void with_bias(double *y, const double *x, const double *bias, int n) {
  double *acc = calloc(n, sizeof *acc);
  if (acc == NULL) return;
  for (int i = 0; i < n; i++) acc[i] += x[i];
  for (int i = 0; i < n; i++) {
    y[i] = acc[i];
    if (bias != NULL) y[i] += bias[i];
  }
  free(acc);
}

float lengths(const float *x, const float *y, int n) {
  float s = 0;
  for (int i = 0; i < n; i++) s += hypotf(x[i], y[i]);
  return s;
}

void nearest(int *y, const float *x, int n) {
  for (int i = 0; i < n; i++) y[i] = (int)lrintf(x[i]) + (int)lroundf(x[i] * 4);
}
