#include <math.h>
#include <float.h>
#include <stdbool.h>
double mean(const double *x, int n) {
  double s = 0.0;
  for (int i = 0; i < n; i++) s += x[i];
  return s / n;
}
double variance(const double *x, int n) {
  double m = mean(x, n), s = 0;
  for (int i = 0; i < n; i++) s += (x[i] - m) * (x[i] - m);
  return s / (n - 1);
}
double welford(const double *x, int n) {
  double m = 0, m2 = 0;
  for (int i = 0; i < n; i++) {
    double d = x[i] - m;
    m += d / (i + 1);
    m2 += d * (x[i] - m);
  }
  return m2 / n;
}
double variance_sums(const double *x, int n) {
  double s = 0, s2 = 0;
  for (int i = 0; i < n; i++) {
    s += x[i];
    s2 += x[i] * x[i];
  }
  return (s2 - s * s / n) / (n - 1);
}
double covary(const double *x, const double *y, int n) {
  double mx = 0, my = 0, c = 0;
  for (int i = 0; i < n; i++) {
    mx += x[i];
    my += y[i];
  }
  mx /= n;
  my /= n;
  for (int i = 0; i < n; i++) c += (x[i] - mx) * (y[i] - my);
  return c / (n - 1);
}
double pearson(const double *x, const double *y, int n) {
  double sx = 0, sy = 0, sxy = 0, sx2 = 0, sy2 = 0;
  for (int i = 0; i < n; i++) {
    sx += x[i];
    sy += y[i];
    sxy += x[i] * y[i];
    sx2 += x[i] * x[i];
    sy2 += y[i] * y[i];
  }
  return (n * sxy - sx * sy) / sqrt((n * sx2 - sx * sx) * (n * sy2 - sy * sy));
}
void linreg(const double *x, const double *y, int n, double *slope, double *intercept) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int i = 0; i < n; i++) {
    sx += x[i];
    sy += y[i];
    sxx += x[i] * x[i];
    sxy += x[i] * y[i];
  }
  *slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  *intercept = (sy - *slope * sx) / n;
}
void extremes(const float *x, int n, float *mn, float *mx) {
  *mn = FLT_MAX;
  *mx = -FLT_MAX;
  for (int i = 0; i < n; i++) {
    if (x[i] < *mn) *mn = x[i];
    if (x[i] > *mx) *mx = x[i];
  }
}
void standardize(double *x, int n) {
  double m = 0, v = 0;
  for (int i = 0; i < n; i++) m += x[i];
  m /= n;
  for (int i = 0; i < n; i++) v += (x[i] - m) * (x[i] - m);
  v /= n;
  double sd = sqrt(v);
  for (int i = 0; i < n; i++) x[i] = (x[i] - m) / sd;
}
void standardize_columns(double *X, int rows, int cols) {
  for (int j = 0; j < cols; j++) {
    double m = 0, v = 0;
    for (int i = 0; i < rows; i++) m += X[i * cols + j];
    m /= rows;
    for (int i = 0; i < rows; i++) v += (X[i * cols + j] - m) * (X[i * cols + j] - m);
    v /= rows;
    for (int i = 0; i < rows; i++) X[i * cols + j] = (X[i * cols + j] - m) / sqrt(v + 1e-9);
  }
}
double max_drawdown(const double *p, int n) {
  double peak = p[0], worst = 0;
  for (int i = 1; i < n; i++) {
    if (p[i] > peak) peak = p[i];
    double dd = (peak - p[i]) / peak;
    if (dd > worst) worst = dd;
  }
  return worst;
}
void returns(const double *p, double *r, int n) {
  for (int i = 1; i < n; i++) r[i - 1] = p[i] / p[i - 1] - 1;
}
double npv(const double *cf, int n, double rate) {
  double total = 0;
  for (int t = 0; t < n; t++) total += cf[t] / pow(1 + rate, t);
  return total;
}
double npv_running(const double *cf, int n, double rate) {
  double total = 0, d = 1;
  for (int t = 0; t < n; t++) {
    total += cf[t] * d;
    d /= 1 + rate;
  }
  return total;
}
double horner(const double *c, int n, double x) {
  double r = 0;
  for (int i = n - 1; i >= 0; i--) r = r * x + c[i];
  return r;
}
double trapz(const double *x, const double *y, int n) {
  double s = 0;
  for (int i = 0; i < n - 1; i++) s += 0.5 * (y[i] + y[i + 1]) * (x[i + 1] - x[i]);
  return s;
}
double euclid(const double *a, const double *b, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double d = a[i] - b[i];
    s += d * d;
  }
  return sqrt(s);
}
double cosine(const double *a, const double *b, int n) {
  double ab = 0, aa = 0, bb = 0;
  for (int i = 0; i < n; i++) {
    ab += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return ab / (sqrt(aa) * sqrt(bb));
}
int count_above(const double *x, int n, double t) {
  int c = 0;
  for (int i = 0; i < n; i++) c += x[i] > t;
  return c;
}
bool is_sorted(const int *x, int n) {
  for (int i = 1; i < n; i++)
    if (x[i - 1] > x[i]) return false;
  return true;
}
bool all_equal(const int *x, const int *y, int n) {
  bool same = true;
  for (int i = 0; i < n; i++)
    if (x[i] != y[i]) same = false;
  return same;
}
void pairwise(const double *X, double *D, int n, int d) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < d; k++) {
        double t = X[i * d + k] - X[j * d + k];
        s += t * t;
      }
      D[i * n + j] = sqrt(s);
    }
}
void pairwise_sym(const double *X, double *D, int n, int d) {
  for (int i = 0; i < n; i++) {
    D[i * n + i] = 0;
    for (int j = i + 1; j < n; j++) {
      double s = 0;
      for (int k = 0; k < d; k++) {
        double t = X[i * d + k] - X[j * d + k];
        s += t * t;
      }
      D[i * n + j] = s;
      D[j * n + i] = s;
    }
  }
}
void kmeans_assign(const double *X, const double *C, int *label, int n, int k, int d) {
  for (int i = 0; i < n; i++) {
    double best = 1e300;
    int arg = 0;
    for (int c = 0; c < k; c++) {
      double s = 0;
      for (int j = 0; j < d; j++) {
        double t = X[i * d + j] - C[c * d + j];
        s += t * t;
      }
      if (s < best) {
        best = s;
        arg = c;
      }
    }
    label[i] = arg;
  }
}
void gram(const double *X, double *G, int n, int d) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double s = 0;
      for (int k = 0; k < d; k++) s += X[i * d + k] * X[j * d + k];
      G[i * n + j] = G[j * n + i] = s;
    }
}
void transpose_inplace(double *A, int n) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) {
      double t = A[i * n + j];
      A[i * n + j] = A[j * n + i];
      A[j * n + i] = t;
    }
}
void identity(double *A, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) A[i * n + j] = (i == j) ? 1.0 : 0.0;
}
void identity2(double *A, int n) {
  for (int i = 0; i < n * n; i++) A[i] = 0;
  for (int i = 0; i < n; i++) A[i * n + i] = 1;
}
double trace(const double *A, int n) {
  double t = 0;
  for (int i = 0; i < n; i++) t += A[i * n + i];
  return t;
}
double frob(const double *A, int n, int m) {
  double s = 0;
  for (int i = 0; i < n * m; i++) s += A[i] * A[i];
  return sqrt(s);
}
void gradient(const double *f, double *g, int n, double h) {
  g[0] = (f[1] - f[0]) / h;
  for (int i = 1; i < n - 1; i++) g[i] = (f[i + 1] - f[i - 1]) / (2 * h);
  g[n - 1] = (f[n - 1] - f[n - 2]) / h;
}
void laplace2d(const double *u, double *v, int nx, int ny) {
  for (int i = 1; i < nx - 1; i++)
    for (int j = 1; j < ny - 1; j++)
      v[i * ny + j] =
          u[(i - 1) * ny + j] + u[(i + 1) * ny + j] + u[i * ny + j - 1] + u[i * ny + j + 1] - 4 * u[i * ny + j];
}
void heat_step(double *u, double *un, int n, double r) {
  for (int i = 0; i < n; i++) un[i] = u[i];
  for (int i = 1; i < n - 1; i++) u[i] = un[i] + r * (un[i + 1] - 2 * un[i] + un[i - 1]);
}
// x < m
void bincount(const int *x, int n, int *count, int m) {
  for (int i = 0; i < m; i++) count[i] = 0;
  for (int i = 0; i < n; i++) count[x[i]] += 1;
}
// y < k
void one_hot(const int *y, int n, int k, float *out) {
  for (int i = 0; i < n * k; i++) out[i] = 0;
  for (int i = 0; i < n; i++) out[i * k + y[i]] = 1;
}
// g < k
void group_sum(const int *g, const double *x, int n, double *out, int k) {
  for (int i = 0; i < k; i++) out[i] = 0;
  for (int i = 0; i < n; i++) out[g[i]] += x[i];
}
// rowptr < 1, col < n
void spmv(int n, const int *rowptr, const int *col, const double *val, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = rowptr[i]; k < rowptr[i + 1]; k++) s += val[k] * x[col[k]];
    y[i] = s;
  }
}
void bubble(int *a, int n) {
  for (int i = 0; i < n - 1; i++)
    for (int j = 0; j < n - 1 - i; j++)
      if (a[j] > a[j + 1]) {
        int t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
      }
}
void matpow2(const double *A, double *B, int n) {
  double T[64][64];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      T[i][j] = 0;
      for (int k = 0; k < n; k++) T[i][j] += A[i * n + k] * A[k * n + j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) B[i * n + j] = T[i][j];
}
double weighted_mean(const double *w, const double *x, int n) {
  double m = 0, total = 0;
  for (int i = 0; i < n; i++) {
    double wi = w[i];
    if (wi > 0) {
      total += wi;
      m += (x[i] - m) * (wi / total);
    }
  }
  return m;
}
void smoothed(const double *p, double *out, int n, int period) {
  double k = 2.0 / (period + 1);
  out[0] = p[0];
  for (int i = 1; i < n; i++) out[i] = p[i] * k + out[i - 1] * (1 - k);
}
int every_second_positive(const double *x, int n) {
  for (int j = 0; j < n; j++)
    if (x[2 * j] <= 0.0) return 0;
  return 1;
}
