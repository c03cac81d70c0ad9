float dot(const float *x, const float *y, long n) {
  float s = 0;
  for (long i = 0; i < n; i++) s += x[i] * y[i];
  return s;
}

float dot_wrong(const float *x, const float *y, long n) {
  float s = 0;
  for (long i = 1; i < n; i++) s += x[i] * y[i];
  return s;
}

double horner(double x, const double c[4]) { return ((c[0] * x + c[1]) * x + c[2]) * x + c[3]; }

double horner_wrong(double x, const double c[4]) { return ((c[3] * x + c[2]) * x + c[1]) * x + c[0]; }

void matmul(const float a[16][32], const float b[32][8], float c[16][8]) {
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 8; j++) {
      float s = 0;
      for (int k = 0; k < 32; k++) s += a[i][k] * b[k][j];
      c[i][j] = s;
    }
}

void matmul_wrong(const float a[16][32], const float b[32][8], float c[16][8]) {
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 8; j++) {
      float s = 0;
      for (int k = 0; k < 31; k++) s += a[i][k] * b[k][j];
      c[i][j] = s;
    }
}

void add_in_place(float *a, const float *b, int n) {
  for (int i = 0; i < n; i++) a[i] = b[i] + a[i];
}

void add_in_place_wrong(float *a, const float *b, int n) {
  for (int i = 0; i + 1 < n; i++) a[i] = b[i] + a[i];
}
