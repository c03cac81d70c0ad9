/* Images made larger and smaller by whole blocks of elements, and groups that share a number. */

void enlarge(const float *in, int w, int h, int c, int batch, int stride, float scale, float *out) {
  for (int b = 0; b < batch; ++b)
    for (int k = 0; k < c; ++k)
      for (int j = 0; j < h * stride; ++j)
        for (int i = 0; i < w * stride; ++i) {
          int from = b * w * h * c + k * w * h + (j / stride) * w + i / stride;
          int to = b * w * h * c * stride * stride + k * w * h * stride * stride + j * w * stride + i;
          out[to] = scale * in[from];
        }
}

void enlarge_back(float *in, int w, int h, int c, int batch, int stride, float scale, const float *out) {
  for (int b = 0; b < batch; ++b)
    for (int k = 0; k < c; ++k)
      for (int j = 0; j < h * stride; ++j)
        for (int i = 0; i < w * stride; ++i) {
          int to = b * w * h * c + k * w * h + (j / stride) * w + i / stride;
          int from = b * w * h * c * stride * stride + k * w * h * stride * stride + j * w * stride + i;
          in[to] += scale * out[from];
        }
}

void group_sums(int groups, int size, const double *x, double *s) {
  for (int i = 0; i < groups; i++) s[i] = 0;
  for (int i = 0; i < groups * size; i++) s[i / size] += x[i];
}

void halved(const unsigned char *s, unsigned char *d, int w, int h) {
  for (int y = 0; y < h / 2; y++)
    for (int x = 0; x < w / 2; x++)
      d[y * (w / 2) + x] = (s[2 * y * w + 2 * x] + s[2 * y * w + 2 * x + 1] + s[(2 * y + 1) * w + 2 * x] +
                            s[(2 * y + 1) * w + 2 * x + 1] + 2) /
                           4;
}
