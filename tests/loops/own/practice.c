/* Loops as they occur: images, signals, statistics, finance, physics, linear algebra, inference. */
#include <math.h>
#include <stdint.h>
/* image */
void grey(int n, const uint8_t *rgb, uint8_t *out) {
  for (int i = 0; i < n; i++) out[i] = (uint8_t)((77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2]) >> 8);
}
void box3(int h, int w, const float *src, float *dst) {
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      float s = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) s += src[(y + dy) * w + x + dx];
      dst[y * w + x] = s / 9;
    }
}
void sobel_x(int h, int w, const float *s, float *d) {
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++)
      d[y * w + x] = s[(y - 1) * w + x + 1] + 2 * s[y * w + x + 1] + s[(y + 1) * w + x + 1] - s[(y - 1) * w + x - 1] -
                     2 * s[y * w + x - 1] - s[(y + 1) * w + x - 1];
}
void gamma_lut(int n, const uint8_t lut[256], const uint8_t *in, uint8_t *out) {
  for (int i = 0; i < n; i++) out[i] = lut[in[i]];
}
void alpha_blend(int n, float a, const float *x, const float *y, float *o) {
  for (int i = 0; i < n; i++) o[i] = a * x[i] + (1 - a) * y[i];
}
/* dsp */
void fir(int n, int taps, const float *x, const float *h, float *y) {
  for (int i = 0; i < n; i++) {
    float acc = 0;
    for (int k = 0; k < taps; k++) acc += h[k] * x[i + k];
    y[i] = acc;
  }
}
void one_pole(int n, double a, const double *x, double *y) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s = a * s + (1 - a) * x[i];
    y[i] = s;
  }
}
void hann(int n, double *w) {
  for (int i = 0; i < n; i++) w[i] = 0.5 - 0.5 * cos(2 * 3.141592653589793 * i / n);
}
void decimate(int n, const float *x, float *y) {
  for (int i = 0; i < n; i++) y[i] = 0.5f * (x[2 * i] + x[2 * i + 1]);
}
double energy(int n, const double *x) {
  double e = 0;
  for (int i = 0; i < n; i++) e += x[i] * x[i];
  return e / n;
}
int zero_crossings(int n, const float *x) {
  int c = 0;
  for (int i = 1; i < n; i++)
    if ((x[i - 1] < 0) != (x[i] < 0)) c++;
  return c;
}
/* statistics */
double variance(int n, const double *x) {
  double m = 0, v = 0;
  for (int i = 0; i < n; i++) m += x[i];
  m /= n;
  for (int i = 0; i < n; i++) v += (x[i] - m) * (x[i] - m);
  return v / n;
}
double covariance(int n, const double *x, const double *y) {
  double mx = 0, my = 0, c = 0;
  for (int i = 0; i < n; i++) {
    mx += x[i];
    my += y[i];
  }
  mx /= n;
  my /= n;
  for (int i = 0; i < n; i++) c += (x[i] - mx) * (y[i] - my);
  return c / n;
}
double weighted(int n, const double *w, const double *x) {
  double a = 0, b = 0;
  for (int i = 0; i < n; i++) {
    a += w[i] * x[i];
    b += w[i];
  }
  return b != 0 ? a / b : 0;
}
void zscore(int n, const double *x, double m, double s, double *z) {
  for (int i = 0; i < n; i++) z[i] = (x[i] - m) / s;
}
double spread(int n, const double *x) {
  double lo = x[0], hi = x[0];
  for (int i = 1; i < n; i++) {
    if (x[i] < lo) lo = x[i];
    if (x[i] > hi) hi = x[i];
  }
  return hi - lo;
}
/* finance */
double npv(int n, double r, const double *cash) {
  double v = 0, d = 1;
  for (int i = 0; i < n; i++) {
    v += cash[i] * d;
    d /= 1 + r;
  }
  return v;
}
void returns(int n, const double *p, double *r) {
  for (int i = 1; i < n; i++) r[i - 1] = p[i] / p[i - 1] - 1;
}
void ema(int n, double a, const double *x, double *y) {
  y[0] = x[0];
  for (int i = 1; i < n; i++) y[i] = a * x[i] + (1 - a) * y[i - 1];
}
double compound(int n, const double *r) {
  double v = 1;
  for (int i = 0; i < n; i++) v *= 1 + r[i];
  return v;
}
/* physics */
void euler(int n, double dt, double *x, const double *v) {
  for (int i = 0; i < n; i++) x[i] += dt * v[i];
}
void heat(int n, double c, const double *u, double *out) {
  for (int i = 1; i < n - 1; i++) out[i] = u[i] + c * (u[i - 1] - 2 * u[i] + u[i + 1]);
}
void gravity(int n, double g, const double *m, const double *x, double *f) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < n; j++) {
      double d = x[j] - x[i];
      s += g * m[j] * d;
    }
    f[i] = m[i] * s;
  }
}
double kinetic(int n, const double *m, const double *v) {
  double e = 0;
  for (int i = 0; i < n; i++)
    e += 0.5 * m[i] * (v[3 * i] * v[3 * i] + v[3 * i + 1] * v[3 * i + 1] + v[3 * i + 2] * v[3 * i + 2]);
  return e;
}
/* linear algebra */
void gemv_t(int m, int n, const double *A, const double *x, double *y) {
  for (int j = 0; j < n; j++) y[j] = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) y[j] += A[i * n + j] * x[i];
}
void rank1(int m, int n, double a, const double *x, const double *y, double *A) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) A[i * n + j] += a * x[i] * y[j];
}
double trace(int n, const double *A) {
  double t = 0;
  for (int i = 0; i < n; i++) t += A[i * n + i];
  return t;
}
double frobenius(int m, int n, const double *A) {
  double s = 0;
  for (int i = 0; i < m * n; i++) s += A[i] * A[i];
  return sqrt(s);
}
void transpose(int m, int n, const double *A, double *B) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) B[j * m + i] = A[i * n + j];
}
/* inference */
void rmsnorm(int n, float *o, const float *x, const float *w) {
  float ss = 0;
  for (int j = 0; j < n; j++) ss += x[j] * x[j];
  ss = 1.0f / sqrtf(ss / n + 1e-5f);
  for (int j = 0; j < n; j++) o[j] = w[j] * (ss * x[j]);
}
void softmax(int n, float *x) {
  float m = x[0];
  for (int i = 1; i < n; i++)
    if (x[i] > m) m = x[i];
  float s = 0;
  for (int i = 0; i < n; i++) {
    x[i] = expf(x[i] - m);
    s += x[i];
  }
  for (int i = 0; i < n; i++) x[i] /= s;
}
void linear(int m, int n, const float *w, const float *x, const float *b, float *y) {
  for (int i = 0; i < m; i++) {
    float v = b[i];
    for (int j = 0; j < n; j++) v += w[i * n + j] * x[j];
    y[i] = v;
  }
}
void silu_gate(int n, float *h, const float *g) {
  for (int i = 0; i < n; i++) {
    float v = h[i];
    v *= 1.0f / (1.0f + expf(-v));
    h[i] = v * g[i];
  }
}
void dequant(int rows, int cols, const int8_t *q, const float *s, float *w) {
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < cols; c++) w[r * cols + c] = s[r] * q[r * cols + c];
}
void rope(int n, const float *c, const float *s, float *v) {
  for (int i = 0; i < n; i++) {
    float a = v[2 * i], b = v[2 * i + 1];
    v[2 * i] = a * c[i] - b * s[i];
    v[2 * i + 1] = a * s[i] + b * c[i];
  }
}
int argmax(int n, const float *p) {
  int k = 0;
  for (int i = 1; i < n; i++)
    if (p[i] > p[k]) k = i;
  return k;
}
void embed(int d, int token, const float *table, float *x) {
  for (int i = 0; i < d; i++) x[i] = table[token * d + i];
}

void reverse_by_steps(double *x, int n) {
  int i = 0, j = n - 1;
  while (i < j) {
    double t = x[i];
    x[i++] = x[j];
    x[j--] = t;
  }
}
/* long double, numbers that are none */
double norm_extended(const double *x, int n) {
  long double s = 0;
  for (int i = 0; i < n; i++) s += fabsl((long double)x[i]);
  return sqrtl(s);
}
double mean_or_nan(const double *x, int n) {
  if (n < 1) return NAN;
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i];
  return s / n;
}
double sum_finite(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    if (isfinite(x[i]) && !isnan(x[i]) && !isinf(x[i])) s += x[i];
  return s;
}
