/* `continue`, and loops that test behind their body. */
int weighted_where(int n, const int *a) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    if (a[i] == 16) continue;
    if (a[i] > 100) {
      s += 1;
      continue;
    }
    s += 2;
  }
  return s;
}

void keep_negative(int n, const int *a, int *y) {
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    if (a[i] >= 0) continue;
    y[i] = a[i];
  }
}

int lower_triangle(int n, const int *A) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (j > i) continue;
      s += A[i * n + j];
    }
  return s;
}

int sum_at_least_one(int n, const int *a) {
  int s = 0, i = 0;
  do {
    s += a[i];
    i++;
  } while (i < n);
  return s;
}
