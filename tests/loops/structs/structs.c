/* Structs: by value, behind pointers, in arrays, in structs, returned; pointers into arrays of them. */
#include <math.h>
#include <stddef.h>

typedef struct {
  float x, y, z;
} Vec;

typedef struct {
  int rows, cols;
  float *data;
} Mat;

typedef struct {
  int dim;
  Mat w;
  float scale[4];
} Layer;

typedef struct {
  unsigned char r, g, b, a;
} Pixel;

typedef struct {
  double sum;
  int count;
} Acc;

static float dot3(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static Vec add(Vec a, Vec b) {
  Vec r = {a.x + b.x, a.y + b.y, a.z + b.z};
  return r;
}

static Vec scaled(Vec a, float s) { return (Vec){.x = a.x * s, .z = a.z * s, .y = a.y * s}; }

void axpy(Vec *y, const Vec *x, float a, int n) {
  for (int i = 0; i < n; i++) y[i] = add(y[i], scaled(x[i], a));
}

void gray(unsigned char *out, const Pixel *in, int n) {
  for (int i = 0; i < n; i++) out[i] = (in[i].r * 77 + in[i].g * 150 + in[i].b * 29) >> 8;
}

void matvec(float *out, const Mat *m, const float *x) {
  for (int i = 0; i < m->rows; i++) {
    float s = 0;
    for (int j = 0; j < m->cols; j++) s += m->data[i * m->cols + j] * x[j];
    out[i] = s;
  }
}

void layer(float *out, const Layer *l, const float *x) {
  for (int i = 0; i < l->dim; i++) out[i] = x[i] * l->scale[i % 4] + l->w.data[i];
}

Vec centroid(const Vec *p, int n) {
  Vec c = {0};
  for (int i = 0; i < n; i++) {
    c.x += p[i].x;
    c.y += p[i].y;
    c.z += p[i].z;
  }
  c.x /= n, c.y /= n, c.z /= n;
  return c;
}

float sum_walk(const Vec *p, int n) {
  float s = 0;
  const Vec *end = p + n;
  for (; p < end; p++) s += p->x;
  return s;
}

float sum_alias(const Vec *p, int n) {
  float s = 0;
  for (int i = 0; i < n; i++) {
    const Vec *q = &p[i];
    s += q->x * q->y;
  }
  return s;
}

void accumulate(Acc *acc, const double *x, int n) {
  for (int i = 0; i < n; i++) {
    acc->sum += x[i];
    acc->count++;
  }
}

void invert(Pixel *p, int n) {
  for (int i = 0; i < n; i++) p[i].r = 255 - p[i].r;
}

void rotate(Vec *p, int n) {
  for (int i = 0; i < n; i++) p[i] = (Vec){p[i].y, p[i].z, p[i].x};
}

float norms(const Vec *p, int n) {
  float s = 0;
  for (int i = 0; i < n; i++) s += sqrtf(dot3(p[i], p[i]));
  return s;
}
