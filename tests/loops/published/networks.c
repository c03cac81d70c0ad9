/* What inference in plain C is made of: norms, products, attention, losses, optimisers. */
#include <math.h>
#include <stdint.h>
#include <string.h>

void scale_by_rms(float *y, const float *x, const float *gain, int n) {
  float square = 0.0f;
  for (int i = 0; i < n; i++) square += x[i] * x[i];
  const float inverse = 1.0f / sqrtf(square / n + 1e-5f);
  for (int i = 0; i < n; i++) y[i] = gain[i] * (inverse * x[i]);
}

void softmax_in_place(float *x, int n) {
  float top = x[0], total = 0;
  for (int i = 1; i < n; i++)
    if (x[i] > top) top = x[i];
  for (int i = 0; i < n; i++) {
    x[i] = expf(x[i] - top);
    total += x[i];
  }
  for (int i = 0; i < n; i++) x[i] /= total;
}

void softmax_of_rows(float *out, const float *in, int batch, int steps, int words) {
  for (int b = 0; b < batch; b++) {
    for (int t = 0; t < steps; t++) {
      const float *row = in + b * steps * words + t * words;
      float *to = out + b * steps * words + t * words;
      float top = row[0], total = 0.0f;
      for (int v = 0; v < words; v++)
        if (row[v] > top) top = row[v];
      for (int v = 0; v < words; v++) {
        to[v] = expf(row[v] - top);
        total += to[v];
      }
      for (int v = 0; v < words; v++) to[v] /= total;
    }
  }
}

void rotate_pairs(float *q, const float *c, const float *s, int heads, int size) {
  for (int h = 0; h < heads; h++) {
    for (int k = 0; k < size; k++) {
      float *pair = q + h * 2 * size + 2 * k;
      const float a = pair[0], b = pair[1];
      pair[0] = a * c[k] - b * s[k];
      pair[1] = a * s[k] + b * c[k];
    }
  }
}

void gate(float *a, const float *b, int n) {
  for (int i = 0; i < n; i++) {
    float v = a[i];
    v *= 1.0f / (1.0f + expf(-v));
    a[i] = v * b[i];
  }
}

void attention_scores(float *score, const float *q, const float *keys, int pos, int width, int size) {
  for (int t = 0; t <= pos; t++) {
    const float *k = keys + t * width;
    float sum = 0.0f;
    for (int i = 0; i < size; i++) sum += q[i] * k[i];
    score[t] = sum / sqrtf(size);
  }
}

void attention_mix(float *y, const float *weight, const float *values, int pos, int size) {
  memset(y, 0, size * sizeof(float));
  for (int t = 0; t <= pos; t++) {
    const float *v = values + t * size;
    for (int i = 0; i < size; i++) y[i] += weight[t] * v[i];
  }
}

int best(const float *p, int n) {
  int at = 0;
  float top = p[0];
  for (int i = 1; i < n; i++)
    if (p[i] > top) {
      at = i;
      top = p[i];
    }
  return at;
}

void rows_from_int8(const int8_t *q, const float *scale, float *out, int rows, int columns) {
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++) out[r * columns + c] = scale[r] * (float)q[r * columns + c];
}

void groups_from_int8(const int8_t *q, const float *scale, float *x, int groups) {
  for (int i = 0; i < 32 * groups; i++) x[i] = q[i] * scale[i / 32];
}

void int8_product(float *y, const int8_t *x, float sx, const int8_t *w, const float *sw, int n, int d) {
  for (int i = 0; i < d; i++) {
    int32_t sum = 0;
    for (int j = 0; j < n; j++) sum += (int32_t)x[j] * (int32_t)w[i * n + j];
    y[i] = (float)sum * sx * sw[i];
  }
}

void normalise_layers(float *out, float *mean, float *inverse, const float *in, const float *w, const float *b,
                      int rows, int n) {
  for (int r = 0; r < rows; r++) {
    const float *x = in + r * n;
    float m = 0.0f, v = 0.0f;
    for (int i = 0; i < n; i++) m += x[i];
    m = m / n;
    for (int i = 0; i < n; i++) v += (x[i] - m) * (x[i] - m);
    v = v / n;
    const float s = 1.0f / sqrtf(v + 1e-5f);
    for (int i = 0; i < n; i++) out[r * n + i] = s * (x[i] - m) * w[i] + b[i];
    mean[r] = m;
    inverse[r] = s;
  }
}

void linear(float *out, const float *in, const float *weight, const float *bias, int batch, int steps, int inner,
            int outer) {
  for (int b = 0; b < batch; b++)
    for (int t = 0; t < steps; t++) {
      const int row = b * steps + t;
      for (int o = 0; o < outer; o++) {
        float sum = bias[o];
        for (int i = 0; i < inner; i++) sum += in[row * inner + i] * weight[o * inner + i];
        out[row * outer + o] = sum;
      }
    }
}

// token < 1
void embed(float *out, const int *token, const float *words, const float *places, int batch, int steps, int width) {
  for (int b = 0; b < batch; b++)
    for (int t = 0; t < steps; t++) {
      float *to = out + b * steps * width + t * width;
      const float *word = words + token[b * steps + t] * width, *place = places + t * width;
      for (int i = 0; i < width; i++) to[i] = word[i] + place[i];
    }
}

void gelu(float *out, const float *in, int n) {
  for (int i = 0; i < n; i++) {
    const float x = in[i], cube = 0.044715f * x * x * x;
    out[i] = 0.5f * x * (1.0f + tanhf(sqrtf(2.0f / (float)M_PI) * (x + cube)));
  }
}

void residual_gradient(float *da, float *db, const float *d, int n) {
  for (int i = 0; i < n; i++) {
    da[i] += d[i];
    db[i] += d[i];
  }
}

void bias_of_channels(float *x, const float *bias, int batch, int channels, int size) {
  int b, c, j;
  for (b = 0; b < batch; ++b)
    for (c = 0; c < channels; ++c)
      for (j = 0; j < size; ++j) x[(b * channels + c) * size + j] += bias[c];
}

void mean_of_channels(const float *x, int batch, int channels, int size, float *mean) {
  for (int c = 0; c < channels; ++c) {
    mean[c] = 0;
    for (int b = 0; b < batch; ++b)
      for (int k = 0; k < size; ++k) mean[c] += x[b * channels * size + c * size + k];
    mean[c] /= batch * size;
  }
}

void gemm_of_strides(int M, int N, int K, float alpha, const float *A, int lda, const float *B, int ldb, float *C,
                     int ldc) {
  for (int i = 0; i < M; ++i)
    for (int k = 0; k < K; ++k) {
      const float part = alpha * A[i * lda + k];
      for (int j = 0; j < N; ++j) C[i * ldc + j] += part * B[k * ldb + j];
    }
}

void largest_of_four(const float *in, float *out, int h, int w) {
  for (int y = 0; y < h / 2; y++)
    for (int x = 0; x < w / 2; x++) {
      float m = in[2 * y * w + 2 * x];
      for (int dy = 0; dy < 2; dy++)
        for (int dx = 0; dx < 2; dx++) {
          const float v = in[(2 * y + dy) * w + 2 * x + dx];
          if (v > m) m = v;
        }
      out[y * (w / 2) + x] = m;
    }
}
/* The values of causal attention, whose heads are as wide as the division says: channels may be left over. */
void attended(float *out, const float *att, const float *values, int T, int C, int heads) {
  int width = C / heads;
  for (int t = 0; t < T; t++)
    for (int h = 0; h < heads; h++) {
      const float *weights = att + h * T * T + t * T;
      float *o = out + t * C + h * width;
      for (int i = 0; i < width; i++) o[i] = 0.0f;
      for (int s = 0; s <= t; s++) {
        const float *v = values + s * C + h * width;
        for (int i = 0; i < width; i++) o[i] += weights[s] * v[i];
      }
    }
}
