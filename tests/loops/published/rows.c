/* Matrices as pointers to rows, and rows by pointer arithmetic. */
#include <stddef.h>
#include <string.h>

void add_matrices(float **x, float **y, float **z, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) z[i][j] = x[i][j] + y[i][j];
}

void multiply_matrices(double **A, double **B, double **C, int n, int m, int p) {
  int i, j, k;
  for (i = 0; i < n; i++)
    for (j = 0; j < p; j++) {
      C[i][j] = 0;
      for (k = 0; k < m; k++) C[i][j] += A[i][k] * B[k][j];
    }
}

int trace_of_rows(int **a, int n) {
  int t = 0;
  for (int i = 0; i < n; i++) t += a[i][i];
  return t;
}

void transpose_rows(int **a, int **b, int n, int m) {
  if (a == NULL || !b) return;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) b[j][i] = a[i][j];
}

void sums_by_row(float **rows, float *out, int n, int m) {
  for (int i = 0; i < n; i++) {
    const float *r = rows[i];
    float s = 0;
    for (int j = 0; j < m; j++) s += r[j];
    out[i] = s;
  }
}

void fill_rows(float **a, int n, int m) {
  for (int i = 0; i < n; i++) {
    float *p = a[i], *end = a[i] + m;
    while (p < end) *p++ = i;
  }
}

static void add_one(float **a, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] += 1;
}

void add_two(float **a, int n, int m) {
  add_one(a, n, m);
  add_one(a, n, m);
}

static float sum_of(const float *r, int m) {
  float s = 0;
  for (int j = 0; j < m; j++) s += r[j];
  return s;
}

void sums_by_function(float **a, float *out, int n, int m) {
  for (int i = 0; i < n; i++) out[i] = sum_of(a[i], m);
}

void dereferenced(int **a, int *o, int n, int m) {
  for (int i = 0; i < n; i++) {
    o[i] = 0;
    for (int j = 0; j < m; j++) o[i] += *(*(a + i) + j);
  }
}

void dereferenced_array(int n, int m, int a[n][m], int *o) {
  for (int i = 0; i < n; i++) {
    o[i] = 0;
    for (int j = 0; j < m; j++) o[i] += *(*(a + i) + j);
  }
}

float first_rows(float a[10][50], int n) {
  float s = 0;
  for (int j = 0; j < 50; j++) s += (*a)[j] * n + *a[j / 10] + *(a[1] + j);
  return s;
}

float dereferenced_local(int n) {
  float a[3][4];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) *(*(a + i) + j) = i + n * j;
  return *(*(a + 2) + 1);
}

void copy_rows(float **d, float **s, int n, int m) {
  for (int i = 0; i < n; i++) memcpy(d[i], s[i], m * sizeof(float));
}

void zero_rows(float **d, int n, int m) {
  for (int i = 0; i < n; i++) memset(d[i], 0, m * sizeof(float));
}
