#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif
void fir(const float *x, const float *h, float *y, int n, int taps) {
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int k = 0; k < taps; k++)
      if (i - k >= 0) y[i] += h[k] * x[i - k];
  }
}
void fir_min(const double *x, int nx, const double *h, int nh, double *y) {
  for (int n = 0; n < nx + nh - 1; n++) {
    int kmin = (n >= nh - 1) ? n - (nh - 1) : 0;
    int kmax = (n < nx - 1) ? n : nx - 1;
    y[n] = 0;
    for (int k = kmin; k <= kmax; k++) y[n] += x[k] * h[n - k];
  }
}
void conv_scatter(const double *a, int na, const double *b, int nb, double *c) {
  for (int i = 0; i < na + nb - 1; i++) c[i] = 0.0;
  for (int i = 0; i < na; i++)
    for (int j = 0; j < nb; j++) c[i + j] += a[i] * b[j];
}
void iir1(const float *x, float *y, int n, float a, float b) {
  y[0] = b * x[0];
  for (int i = 1; i < n; i++) y[i] = b * x[i] + a * y[i - 1];
}
void ema(const double *x, double *y, int n, double alpha) {
  double s = x[0];
  for (int i = 0; i < n; i++) {
    s = alpha * x[i] + (1 - alpha) * s;
    y[i] = s;
  }
}
void biquad(const float *x, float *y, int n, float b0, float b1, float b2, float a1, float a2) {
  float x1 = 0, x2 = 0, y1 = 0, y2 = 0;
  for (int i = 0; i < n; i++) {
    float out = b0 * x[i] + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2;
    x2 = x1;
    x1 = x[i];
    y2 = y1;
    y1 = out;
    y[i] = out;
  }
}
void moving_average(const double *x, double *y, int n, int w) {
  for (int i = 0; i <= n - w; i++) {
    double s = 0;
    for (int k = 0; k < w; k++) s += x[i + k];
    y[i] = s / w;
  }
}
void moving_average_running(const double *x, double *y, int n, int w) {
  double s = 0;
  for (int i = 0; i < w; i++) s += x[i];
  y[0] = s / w;
  for (int i = 1; i <= n - w; i++) {
    s += x[i + w - 1] - x[i - 1];
    y[i] = s / w;
  }
}
void autocorr(const float *x, float *r, int n, int lags) {
  for (int k = 0; k < lags; k++) {
    float s = 0;
    for (int i = 0; i + k < n; i++) s += x[i] * x[i + k];
    r[k] = s;
  }
}
void dft(const double *re, const double *im, double *ore, double *oim, int n) {
  for (int k = 0; k < n; k++) {
    ore[k] = 0;
    oim[k] = 0;
    for (int t = 0; t < n; t++) {
      double a = 2 * M_PI * t * k / n;
      ore[k] += re[t] * cos(a) + im[t] * sin(a);
      oim[k] += -re[t] * sin(a) + im[t] * cos(a);
    }
  }
}
void hann(float *w, int n) {
  for (int i = 0; i < n; i++) w[i] = 0.5 * (1 - cos(2 * M_PI * i / (n - 1)));
}
void apply_window(float *x, const float *w, size_t n) {
  for (size_t i = 0; i < n; ++i) x[i] *= w[i];
}
double rms(const double *x, size_t n) {
  double s = 0;
  for (size_t i = 0; i < n; i++) s += x[i] * x[i];
  return sqrt(s / n);
}
int zero_crossings(const float *x, int n) {
  int c = 0;
  for (int i = 1; i < n; i++)
    if ((x[i - 1] >= 0 && x[i] < 0) || (x[i - 1] < 0 && x[i] >= 0)) c++;
  return c;
}
void preemphasis(const float *x, float *y, int n, float a) {
  y[0] = x[0];
  for (int i = 1; i < n; i++) y[i] = x[i] - a * x[i - 1];
}
void preemphasis_inplace(float *x, int n, float a) {
  for (int i = n - 1; i > 0; i--) x[i] -= a * x[i - 1];
}
void deemphasis_inplace(float *x, int n, float a) {
  for (int i = 1; i < n; i++) x[i] += a * x[i - 1];
}
void normalize(float *x, int n) {
  float m = 0;
  for (int i = 0; i < n; i++)
    if (fabsf(x[i]) > m) m = fabsf(x[i]);
  if (m > 0)
    for (int i = 0; i < n; i++) x[i] /= m;
}
void decimate(const float *x, float *y, int n, int m) {
  for (int i = 0; i < n; i++) y[i] = x[i * m];
}
void upsample(const float *x, float *y, int n, int m) {
  memset(y, 0, sizeof(float) * n * m);
  for (int i = 0; i < n; i++) y[i * m] = x[i];
}
void mix16(const int16_t *a, const int16_t *b, int16_t *out, int n) {
  for (int i = 0; i < n; i++) {
    int32_t s = (int32_t)a[i] + b[i];
    if (s > 32767)
      s = 32767;
    else if (s < -32768)
      s = -32768;
    out[i] = (int16_t)s;
  }
}
void float_to_s16(const float *x, int16_t *y, int n) {
  for (int i = 0; i < n; i++) {
    float v = x[i] * 32768.0f;
    if (v > 32767.0f) v = 32767.0f;
    if (v < -32768.0f) v = -32768.0f;
    y[i] = (int16_t)lrintf(v);
  }
}
void stereo_to_mono(const int16_t *in, int16_t *out, int frames) {
  for (int i = 0; i < frames; i++) out[i] = (in[2 * i] + in[2 * i + 1]) / 2;
}
void interleave(const float *l, const float *r, float *out, int n) {
  for (int i = 0; i < n; i++) {
    out[2 * i] = l[i];
    out[2 * i + 1] = r[i];
  }
}
void diff(const double *x, double *d, int n) {
  for (int i = 0; i < n - 1; i++) d[i] = x[i + 1] - x[i];
}
void cumsum_inplace(double *x, int n) {
  for (int i = 1; i < n; i++) x[i] += x[i - 1];
}
void shift_left(int *a, int n) {
  int first = a[0];
  for (int i = 0; i < n - 1; i++) a[i] = a[i + 1];
  a[n - 1] = first;
}
void shift_right(int *a, int n) {
  for (int i = n - 1; i > 0; i--) a[i] = a[i - 1];
  a[0] = 0;
}
void reverse(int *a, int n) {
  for (int i = 0; i < n / 2; i++) {
    int t = a[i];
    a[i] = a[n - 1 - i];
    a[n - 1 - i] = t;
  }
}
void reverse_two(int *a, int n) {
  int i = 0, j = n - 1;
  while (i < j) {
    int t = a[i];
    a[i] = a[j];
    a[j] = t;
    i++;
    j--;
  }
}
void smooth_inplace(double *x, int n) {
  for (int i = 1; i < n - 1; i++) x[i] = (x[i - 1] + x[i] + x[i + 1]) / 3;
}
void smooth_forward(double *x, int n) {
  for (int i = 0; i < n - 1; i++) x[i] = 0.5 * (x[i] + x[i + 1]);
}
void twice(int *x, int n) {
  for (int i = 0; i < n; i++) x[i] = 2 * x[i];
  for (int i = 0; i < n; i++) x[i] = x[i] + 1;
}
void delay_line(float *buf, const float *in, float *out, int n, int d) {
  for (int i = 0; i < n; i++) {
    out[i] = in[i] + (i >= d ? 0.5f * in[i - d] : 0.0f);
  }
}
void echo(float *x, int n, int d, float g) {
  for (int i = d; i < n; i++) x[i] += g * x[i - d];
}
void complex_mul(const float *a, const float *b, float *c, int n) {
  for (int i = 0; i < n; i++) {
    c[2 * i] = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
    c[2 * i + 1] = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
  }
}
void haar(const double *x, double *lo, double *hi, int n) {
  for (int i = 0; i < n / 2; i++) {
    lo[i] = (x[2 * i] + x[2 * i + 1]) / sqrt(2.0);
    hi[i] = (x[2 * i] - x[2 * i + 1]) / sqrt(2.0);
  }
}
float goertzel(const float *x, int n, float coeff) {
  float s1 = 0, s2 = 0;
  for (int i = 0; i < n; i++) {
    float s = x[i] + coeff * s1 - s2;
    s2 = s1;
    s1 = s;
  }
  return s1 * s1 + s2 * s2 - coeff * s1 * s2;
}
