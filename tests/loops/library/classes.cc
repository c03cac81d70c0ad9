// Classes with constructors and methods, as filters, layers and vectors of geometry have them.
#include <vector>

class Biquad {
public:
  Biquad(float gain, float bias) : b0(gain), b1(bias) {}
  float at(float x) const { return b0 * x + b1; }
  void process(const float *x, float *y, int n) const;

private:
  float b0, b1;
};

void Biquad::process(const float *x, float *y, int n) const {
  for (int i = 0; i < n; i++) y[i] = at(x[i]);
}

void filter(int n, float g, const float *x, float *y) {
  Biquad f(g, 1.0f);
  for (int i = 0; i < n; i++) y[i] = f.at(x[i]);
}

struct Mean {
  double sum;
  int count;
  Mean() : sum(0), count(0) {}
  void add(double v) {
    sum += v;
    count++;
  }
  double value() const { return sum / count; }
};

double mean(const std::vector<double> &x) {
  Mean m;
  for (double v : x) m.add(v);
  return m.value();
}

struct Vec3 {
  float x, y, z;
  Vec3(float a, float b, float c) : x(a), y(b), z(c) {}
  Vec3 operator-(const Vec3 &o) const { return Vec3(x - o.x, y - o.y, z - o.z); }
  Vec3 &operator+=(const Vec3 &o) {
    x += o.x, y += o.y, z += o.z;
    return *this;
  }
  float dot(const Vec3 &o) const { return x * o.x + y * o.y + z * o.z; }
};

float distances(int n, const float *p, const float *q) {
  float sum = 0;
  for (int i = 0; i < n; i++) {
    Vec3 a(p[3 * i], p[3 * i + 1], p[3 * i + 2]), b(q[3 * i], q[3 * i + 1], q[3 * i + 2]);
    sum += (a - b).dot(a - b);
  }
  return sum;
}

float moved(int n, const float *x) {
  Vec3 s(0, 0, 0);
  for (int i = 0; i < n; i++) s += Vec3(x[i], 1, 0);
  return s.x + s.y;
}

class Matrix {
public:
  Matrix(int rows, int cols) : r(rows), c(cols), data(rows * cols, 0.0) {}
  void set(int i, int j, double v) { data[i * c + j] = v; }
  double get(int i, int j) const { return data[i * c + j]; }

private:
  int r, c;
  std::vector<double> data;
};

double row_sum(int n, const double *x) {
  Matrix m(1, n);
  for (int j = 0; j < n; j++) m.set(0, j, 2 * x[j]);
  double sum = 0;
  for (int j = 0; j < n; j++) sum += m.get(0, j);
  return sum;
}

class Total {
public:
  Total() : sum(0), count(0) {}
  Total &add(float x) {
    sum += x;
    count += 1;
    return *this;
  }
  Total &halve() {
    sum *= 0.5f;
    return *this;
  }
  float sum;
  int count;
};

float chained(int n, const float *x) {
  Total t;
  for (int i = 0; i < n; i++) t.add(x[i]).add(1).halve();
  return t.add(2).halve().sum;
}
