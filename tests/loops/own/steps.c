/* Steps of several elements, up and down, from a place that a number or an argument gives. */

void down_by_three(float *x, int n) {
  for (int i = n; i > 0; i -= 3) x[i] = 1;
}

void from_the_end(float *x, int n) {
  for (int t = 0; 3 * t < n; t++) x[n - 3 * t] = 2;
}

void every_other_from_behind(float *x, int n) {
  for (int i = n - 1; i >= 0; i -= 2) x[i] = 2 * x[i];
}

void pairs_from_behind(float *x, const float *y, int n) {
  for (int i = n - 2; i >= 0; i -= 2) {
    x[i] = y[i];
    x[i + 1] = 3 * y[i + 1];
  }
}

void from_parity(float *x, int n) {
  for (int i = n & 1; i < n; i += 2) x[i] = 3;
}

void channel(float *x, const float *y, int n, int c) {
  for (int i = 0; i < n; i++) x[3 * i + c] = 2 * y[i];
}

void up_from_five(float *x, int n) {
  for (int i = 5; i < n; i += 3) x[i] = 1;
}

void rows_from_behind(int *x, int n) {
  for (int i = n; i > 1; i -= 2)
    for (int j = 0; j < 5; j++) x[i * 5 + j] = i;
}

void corners(int *x, int n, int m) {
  for (int i = n - 1; i >= 0; i -= 2)
    for (int j = m - 1; j >= 0; j -= 2) x[i * m + j] = j + i;
}
