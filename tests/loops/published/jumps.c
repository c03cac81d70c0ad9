// goto to a label behind it: out of loops, to the next step, to the end of the function.
int sum_until_negative(const int *x, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    if (x[i] < 0) goto done;
    sum += x[i];
  }
done:
  return sum;
}

int has_negative(const int *x, int n) {
  for (int i = 0; i < n; i++) {
    if (x[i] < 0) goto found;
  }
  return 0;
found:
  return 1;
}

void copy_positive(const int *x, int *y, int n) {
  for (int i = 0; i < n; i++) {
    if (x[i] < 0) goto next;
    y[i] = x[i];
  next:;
  }
}

int lacks(const int *x, int n, int m, int t) {
  int r = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      if (x[i * m + j] == t) goto out;
    }
  r = 1;
out:
  return r;
}

void has_no_negative(const int *x, int *y, int n, int m) {
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < m; j++) {
      if (x[i * m + j] < 0) goto next;
    }
    y[i] = 1;
  next:;
  }
}

// Two counters that meet.
void reverse_in_place(int *x, int n) {
  int i = 0, j = n - 1;
  while (i < j) {
    int t = x[i];
    x[i] = x[j];
    x[j] = t;
    i++;
    j--;
  }
}

void mirror(const int *x, int *y, int n) {
  for (int i = 0, j = n - 1; i < j; ++i, --j) {
    y[i] = x[j];
    y[j] = x[i];
  }
}

int meeting(int *x, int n) {
  int i = 0, j = n - 1;
  while (j > i) {
    x[i] = 0;
    i += 2;
    j -= 1;
  }
  return i;
}
