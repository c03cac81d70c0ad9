/* Programs that are wrong in typical ways: tests/cli/test_loops.sh has what each was meant to compute. */
#include <stdint.h>
float beyond(float A[40][50]) {
  float s = 0;
  for (int i = 0; i <= 40; i++) s += A[i][0];
  return s;
}
double unset(const double *x, int n) {
  double s;
  for (int i = 0; i < n; i++) s += x[i];
  return s;
}
int largest(const int *x, int n) {
  int m = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > m) m = x[i];
  return m;
}
int half_sum(const int *x, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += x[i] / 2;
  return s;
}
double mean(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n - 1; i++) s += x[i];
  return s / n;
}
void shift(int *x, int n) {
  for (int i = 1; i < n; i++) x[i] = x[i - 1];
}
int area(int w, int h) { return w * h; }
void scale(const uint8_t *x, uint8_t *y, int n) {
  for (int i = 0; i < n; i++) y[i] = x[i] * 2;
}
double average(const int *x, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += x[i];
  return s / n;
}
void transposed(int n, int m, const float A[n][m], const float x[m], float y[n]) {
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < m; j++) y[i] += A[i][j] * x[i];
  }
}
double dot(const double *x, const double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s = x[i] * y[i];
  return s;
}
double past_row(int m, int n, const double A[m][n]) {
  double s = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j <= n; j++) s += A[i][j];
  return s;
}
void past_length(int n, double y[n]) {
  for (int i = 0; i <= n; i++) y[i] = 0;
}
void behind_last(int n, const double x[n], double y[n]) {
  for (int i = 0; i < n; i++) y[i] = x[2 * i];
}
void named(const int *a, const int *b, int *y, int n) {
  for (int i = 0; i < n; i++) y[i] = a[i] == 32 ? 32 : b[i] / (32 - a[i]);
}
void unnamed(const int *a, const int *b, int *y, int n) {
  for (int i = 0; i < n; i++) y[i] = a[i] == 32 ? 0 : b[i] / (32 - a[i]);
}
int upwards(int m, const int x[m], int n) {
  int s = 0;
  for (int i = 0; i != n; i++) s += x[i];
  return s;
}
int downwards(int m, const int x[m], int n) {
  int s = 0;
  for (int i = 0; i != -n; i++) s += x[i];
  return s;
}
void below_zero(double *x) {
  for (unsigned i = 0; i >= 0; i--) x[i] = 0;
}
