/* Vectors and matrices behind pointers. */
int dot(int n, const int *a, const int *b) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

void gemv(int M, int N, const int *A, const int *x, int *y) {
  for (int i = 0; i < M; i++) {
    int sum = 0;
    for (int j = 0; j < N; j++) sum += A[i * N + j] * x[j];
    y[i] = sum;
  }
}

int mag_array(const int *a, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * a[i];
  return sum;
}

void matrix_add_matrix(int m, int n, const int *from, const int *to, int *out) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      out[i * n + j] = from[i * n + j] + to[i * n + j];
    }
}

void mult_add_into_cpu(int N, const int *X, const int *Y, const int *Z, int *out) {
  for (int i = 0; i < N; i++) {
    out[i] = Z[i] + X[i] * Y[i];
  }
}

void ol_l2_cpu1(int n, const int *pred, const int *truth, int *out) {
  for (int i = 0; i < n; i++) {
    int diff = truth[i] - pred[i];
    out[i] = diff * diff;
  }
}

void ol_l2_cpu2(int n, const int *pred, const int *truth, int *out) {
  for (int i = 0; i < n; i++) {
    int diff = truth[i] - pred[i];
    out[i] = diff;
  }
}

void scale_array(const int *a, int n, int s, int *out) {
  for (int i = 0; i < n; i++) {
    out[i] = a[i] * s;
  }
}

void scale_matrix(int m, int n, const int *x, int scale, int *out) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      out[i * n + j] = x[i * n + j] * scale;
    }
}

int sum_array(const int *a, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += a[i];
  return sum;
}

void translate_array(const int *a, int n, int s, int *out) {
  for (int i = 0; i < n; i++) {
    out[i] = a[i] + s;
  }
}

void matsub(int m, int n, const int *A, const int *B, int *out) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      out[i * n + j] = A[i * n + j] - B[i * n + j];
    }
}

void vadd(const int *a, const int *b, int n, int *out) {
  for (int i = 0; i < n; i++) {
    out[i] = a[i] + b[i];
  }
}

void vcopy(const int *a, int n, int *out) {
  for (int i = 0; i < n; i++) {
    out[i] = a[i];
  }
}

void vmul(const int *a, const int *b, int n, int *out) {
  for (int i = 0; i < n; i++) {
    out[i] = a[i] * b[i];
  }
}

void vneg(const int *arr, int n, int *out) {
  for (int i = 0; i < n; i++) {
    out[i] = -arr[i];
  }
}

void vrecip(const int *arr, int n, int *out) {
  for (int i = 0; i < n; i++) {
    out[i] = 1 / arr[i];
  }
}

void vsub(const int *a, const int *b, int n, int *out) {
  for (int i = 0; i < n; i++) {
    out[i] = a[i] - b[i];
  }
}

void wvec(const int *a, const int *b, int m, int n, int *out) {
  for (int i = 0; i < n; i++) {
    out[i] = m * a[i] + b[i];
  }
}

void lmsfir2(int NTAPS, const int *input, const int *coefficient, int error, int *out) {
  for (int i = 0; i < NTAPS - 1; i++) {
    out[i] = coefficient[i] + input[i] * error;
  }
}

void mat1x3(int N, const int *h, const int *x, int *y) {
  for (int i = 0; i < N; i++) {
    int sum = 0;
    for (int j = 0; j < N; j++) sum += h[i * N + j] * x[j];
    y[i] = sum;
  }
}

void n_real_updates(int N, const int *A, const int *B, const int *C, int *out) {
  for (int i = 0; i < N; i++) {
    int curr = C[i] + A[i] * B[i];
    out[i] = curr;
  }
}

void diveq(const int *a, const int *b, int n, int *out) {
  for (int i = 0; i < n; i++) {
    out[i] = a[i] / b[i];
  }
}

void diveq_sca(const int *a, int b, int n, int *out) {
  for (int i = 0; i < n; i++) {
    out[i] = a[i] / b;
  }
}

void array_inc(const int *arr, int n, int *out) {
  for (int i = 0; i < n; i++) {
    out[i] = arr[i] + 1;
  }
}

void cube_in_place(const int *arr, int n, int *out) {
  for (int i = 0; i < n; i++) {
    out[i] = arr[i] * arr[i] * arr[i];
  }
}

void fourth_in_place(const int *arr, int n, int *out) {
  for (int i = 0; i < n; i++) {
    int sq = arr[i] * arr[i];
    out[i] = sq * sq;
  }
}
