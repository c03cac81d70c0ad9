/* Arrays that a step makes of other elements of them: substitution, stencils in place and with a second array, scans of
 * the elements before. */
#include <math.h>

void forward_substitution(int n, const double *L, const double *b, double *y) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < i; j++) sum += L[i * n + j] * y[j];
    y[i] = (b[i] - sum) / L[i * n + i];
  }
}

void back_substitution(int n, double U[n][n], double x[n], double b[n]) {
  for (int i = n - 1; i >= 0; i--) {
    double s = b[i];
    for (int j = i + 1; j < n; j++) s -= U[i][j] * x[j];
    x[i] = s / U[i][i];
  }
}

void jacobi_1d(int steps, int n, double A[n], double B[n]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
    for (int i = 1; i < n - 1; i++) A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
  }
}

void seidel_2d(int steps, int n, double A[n][n]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1] +
                   A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) /
                  9.0;
}

void durbin(int n, double r[n], double y[n]) {
  double z[n], alpha = -r[0], beta = 1, sum;
  y[0] = -r[0];
  for (int k = 1; k < n; k++) {
    beta = (1 - alpha * alpha) * beta;
    sum = 0;
    for (int i = 0; i < k; i++) sum += r[k - i - 1] * y[i];
    alpha = -(r[k] + sum) / beta;
    for (int i = 0; i < k; i++) z[i] = y[i] + alpha * y[k - i - 1];
    for (int i = 0; i < k; i++) y[i] = z[i];
    y[k] = alpha;
  }
}

void two_before(int n, float *a, const float *b, const float *c) {
  for (int i = 2; i < n; i++) a[i] = a[i] + a[i - 1] * b[i] + a[i - 2] * c[i];
}

void fibonacci(int n, long *a) {
  a[0] = 0;
  a[1] = 1;
  for (int i = 2; i < n; i++) a[i] = a[i - 1] + a[i - 2];
}

void logistic(int n, double *x) {
  for (int i = 1; i < n; i++) x[i] = 3.9 * x[i - 1] * (1 - x[i - 1]);
}

int greatest_sum(const int *a, int n) {
  int best = a[0], sum = a[0];
  for (int i = 1; i < n; i++) {
    sum = sum + a[i] > a[i] ? sum + a[i] : a[i];
    if (sum > best) best = sum;
  }
  return best;
}

float greatest_sum_of_floats(const float *a, int n) {
  float best = a[0], sum = a[0];
  for (int i = 1; i < n; i++) {
    sum = sum + a[i] > a[i] ? sum + a[i] : a[i];
    if (sum > best) best = sum;
  }
  return best;
}

void sums_behind(int n, const double *b, double *x) {
  for (int i = n - 1; i >= 0; i--) {
    double s = 0;
    for (int j = i + 1; j < n; j++) s += b[j];
    x[i] = s;
  }
}

void padded_rows(float *y, const float *x, int B, int T, int V, int W) {
  for (int b = 0; b < B; b++)
    for (int t = 0; t < T; t++) {
      const float *from = x + b * T * W + t * W;
      float *to = y + b * T * W + t * W;
      for (int i = 0; i < V; i++) to[i] = expf(from[i]);
      for (int i = 0; i < V; i++) to[i] *= 2;
      for (int i = V; i < W; i++) to[i] = 0;
    }
}

void eliminate(int n, const double *a, const double *b, const double *c, const double *d, double *p, double *q) {
  p[0] = c[0] / b[0];
  q[0] = d[0] / b[0];
  for (int i = 1; i < n; i++) {
    double m = b[i] - a[i] * p[i - 1];
    p[i] = c[i] / m;
    q[i] = (d[i] - a[i] * q[i - 1]) / m;
  }
}

void tridiagonal(int n, const double *a, const double *b, double *c, double *d) {
  c[0] /= b[0];
  d[0] /= b[0];
  for (int i = 1; i < n; i++) {
    double m = 1.0 / (b[i] - a[i] * c[i - 1]);
    c[i] = c[i] * m;
    d[i] = (d[i] - a[i] * d[i - 1]) * m;
  }
  for (int i = n - 2; i >= 0; i--) d[i] -= c[i] * d[i + 1];
}

void eliminate_rows(int n, double A[n][n]) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      A[i][k] /= A[k][k];
      for (int j = k + 1; j < n; j++) A[i][j] -= A[i][k] * A[k][j];
    }
}

void heat_1d(int n, int steps, double *u, double *v) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) v[i] = u[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]);
    for (int i = 1; i < n - 1; i++) u[i] = v[i];
  }
}
