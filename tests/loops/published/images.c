#include <stdint.h>
#include <stdlib.h>
#include <math.h>
#define CLAMP(x, lo, hi) ((x) < (lo) ? (lo) : ((x) > (hi) ? (hi) : (x)))
typedef unsigned char uchar;
void rgb2gray(const uint8_t *rgb, uint8_t *gray, int width, int height) {
  for (int i = 0; i < width * height; i++) {
    uint8_t r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
    gray[i] = (uint8_t)((77 * r + 150 * g + 29 * b) >> 8);
  }
}
void rgb2gray_f(const uint8_t *rgb, uint8_t *gray, int width, int height) {
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const uint8_t *p = rgb + (y * width + x) * 3;
      gray[y * width + x] = (uint8_t)(0.299f * p[0] + 0.587f * p[1] + 0.114f * p[2]);
    }
}
void invert(uint8_t *img, int n) {
  for (int i = 0; i < n; i++) img[i] = 255 - img[i];
}
void brightness(uint8_t *img, int n, int delta) {
  for (int i = 0; i < n; i++) {
    int v = img[i] + delta;
    if (v > 255) v = 255;
    if (v < 0) v = 0;
    img[i] = v;
  }
}
void contrast(const uint8_t *src, uint8_t *dst, int n, float factor) {
  for (int i = 0; i < n; i++) {
    float v = factor * (src[i] - 128) + 128;
    dst[i] = (uint8_t)CLAMP(v, 0.0f, 255.0f);
  }
}
void threshold(const uint8_t *src, uint8_t *dst, int w, int h, uint8_t t) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) dst[y * w + x] = src[y * w + x] >= t ? 255 : 0;
}
void box3(const uint8_t *src, uint8_t *dst, int w, int h) {
  for (int y = 1; y < h - 1; y++) {
    for (int x = 1; x < w - 1; x++) {
      int sum = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) sum += src[(y + dy) * w + (x + dx)];
      dst[y * w + x] = sum / 9;
    }
  }
}
void sobel(const uint8_t *src, uint8_t *dst, int w, int h) {
  static const int gx[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
  static const int gy[3][3] = {{-1, -2, -1}, {0, 0, 0}, {1, 2, 1}};
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      int sx = 0, sy = 0;
      for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
          int p = src[(y + j) * w + x + i];
          sx += gx[j + 1][i + 1] * p;
          sy += gy[j + 1][i + 1] * p;
        }
      int m = abs(sx) + abs(sy);
      dst[y * w + x] = m > 255 ? 255 : m;
    }
}
void flip_h(uint8_t *img, int w, int h) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w / 2; x++) {
      uint8_t t = img[y * w + x];
      img[y * w + x] = img[y * w + w - 1 - x];
      img[y * w + w - 1 - x] = t;
    }
}
void flip_v_copy(const uint8_t *src, uint8_t *dst, int w, int h) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) dst[(h - 1 - y) * w + x] = src[y * w + x];
}
void rotate90(const uint8_t *src, uint8_t *dst, int w, int h) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) dst[x * h + (h - 1 - y)] = src[y * w + x];
}
void histogram(const uint8_t *img, int n, int hist[256]) {
  for (int i = 0; i < 256; i++) hist[i] = 0;
  for (int i = 0; i < n; i++) hist[img[i]]++;
}
void apply_lut(uint8_t *img, int n, const uint8_t lut[256]) {
  for (int i = 0; i < n; i++) img[i] = lut[img[i]];
}
void equalize_cdf(const int hist[256], int cdf[256]) {
  int sum = 0;
  for (int i = 0; i < 256; i++) {
    sum += hist[i];
    cdf[i] = sum;
  }
}
void equalize(uint8_t *img, int n) {
  int hist[256] = {0};
  for (int i = 0; i < n; i++) hist[img[i]]++;
  int cdf[256];
  cdf[0] = hist[0];
  for (int i = 1; i < 256; i++) cdf[i] = cdf[i - 1] + hist[i];
  for (int i = 0; i < n; i++) img[i] = cdf[img[i]] * 255 / n;
}
void blend(uint8_t *dst, const uint8_t *src, int n, uint8_t alpha) {
  for (int i = 0; i < n; ++i) {
    dst[i] = (uint8_t)((src[i] * alpha + dst[i] * (255 - alpha)) / 255);
  }
}
void blend_rgba(uint8_t *dst, const uint8_t *src, int n) {
  for (int i = 0; i < n; i++) {
    int a = src[4 * i + 3];
    for (int c = 0; c < 3; c++) dst[4 * i + c] = (src[4 * i + c] * a + dst[4 * i + c] * (255 - a)) / 255;
    dst[4 * i + 3] = 255;
  }
}
void sepia(uint8_t *p, int n) {
  for (int i = 0; i < n; i++, p += 3) {
    int r = p[0], g = p[1], b = p[2];
    int tr = (393 * r + 769 * g + 189 * b) / 1000;
    int tg = (349 * r + 686 * g + 168 * b) / 1000;
    int tb = (272 * r + 534 * g + 131 * b) / 1000;
    p[0] = tr > 255 ? 255 : tr;
    p[1] = tg > 255 ? 255 : tg;
    p[2] = tb > 255 ? 255 : tb;
  }
}
void downsample2(const float *src, float *dst, int w, int h) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      dst[y * w + x] = 0.25f * (src[(2 * y) * (2 * w) + 2 * x] + src[(2 * y) * (2 * w) + 2 * x + 1] +
                                src[(2 * y + 1) * (2 * w) + 2 * x] + src[(2 * y + 1) * (2 * w) + 2 * x + 1]);
}
void convolve(const float *in, float *out, int w, int h, const float *kernel, int ksize) {
  int half = ksize / 2;
  for (int y = half; y < h - half; y++)
    for (int x = half; x < w - half; x++) {
      float sum = 0;
      for (int ky = 0; ky < ksize; ky++)
        for (int kx = 0; kx < ksize; kx++) sum += in[(y + ky - half) * w + (x + kx - half)] * kernel[ky * ksize + kx];
      out[y * w + x] = sum;
    }
}
void blur_clamped(const float *in, float *out, int w, int h, int r) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float sum = 0;
      for (int k = -r; k <= r; k++) {
        int xx = x + k;
        if (xx < 0) xx = 0;
        if (xx >= w) xx = w - 1;
        sum += in[y * w + xx];
      }
      out[y * w + x] = sum / (2 * r + 1);
    }
}
void blur_zero(const float *in, float *out, int w, int h, int r) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float sum = 0;
      int count = 0;
      for (int k = -r; k <= r; k++) {
        int xx = x + k;
        if (xx >= 0 && xx < w) {
          sum += in[y * w + xx];
          count++;
        }
      }
      out[y * w + x] = sum / count;
    }
}
void erode(const uint8_t *src, uint8_t *dst, int w, int h) {
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      uint8_t m = 255;
      for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
          if (src[(y + j) * w + (x + i)] < m) m = src[(y + j) * w + (x + i)];
      dst[y * w + x] = m;
    }
}
void integral(const uint8_t *src, int *sum, int w, int h) {
  for (int y = 0; y < h; y++) {
    int row = 0;
    for (int x = 0; x < w; x++) {
      row += src[y * w + x];
      sum[y * w + x] = row + (y > 0 ? sum[(y - 1) * w + x] : 0);
    }
  }
}
void gamma_lut(uint8_t lut[256], float g) {
  for (int i = 0; i < 256; i++) lut[i] = (uint8_t)(255.0f * powf(i / 255.0f, g) + 0.5f);
}
void yuv2rgb(const uint8_t *y, const uint8_t *u, const uint8_t *v, uint8_t *rgb, int n) {
  for (int i = 0; i < n; i++) {
    int c = y[i] - 16, d = u[i] - 128, e = v[i] - 128;
    int r = (298 * c + 409 * e + 128) >> 8;
    int g = (298 * c - 100 * d - 208 * e + 128) >> 8;
    int b = (298 * c + 516 * d + 128) >> 8;
    rgb[3 * i + 0] = (uint8_t)CLAMP(r, 0, 255);
    rgb[3 * i + 1] = (uint8_t)CLAMP(g, 0, 255);
    rgb[3 * i + 2] = (uint8_t)CLAMP(b, 0, 255);
  }
}
double psnr(const uint8_t *a, const uint8_t *b, int n) {
  double mse = 0;
  for (int i = 0; i < n; i++) {
    int d = a[i] - b[i];
    mse += d * d;
  }
  mse /= n;
  return 10 * log10(255.0 * 255.0 / mse);
}
void deinterleave(const uint8_t *rgb, uint8_t *r, uint8_t *g, uint8_t *b, int n) {
  while (n-- > 0) {
    *r++ = *rgb++;
    *g++ = *rgb++;
    *b++ = *rgb++;
  }
}
void pack565(const uint8_t *rgb, uint16_t *out, int n) {
  for (int i = 0; i < n; i++) out[i] = ((rgb[3 * i] >> 3) << 11) | ((rgb[3 * i + 1] >> 2) << 5) | (rgb[3 * i + 2] >> 3);
}
void swap_rb(uint32_t *px, int n) {
  for (int i = 0; i < n; i++) {
    uint32_t p = px[i];
    px[i] = (p & 0xff00ff00u) | ((p & 0xff) << 16) | ((p >> 16) & 0xff);
  }
}
