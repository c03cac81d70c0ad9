/* Ways through loops: what ends them early, what is skipped, what is chosen; pointers that walk. */
#include <stdint.h>

int first_place(const int *x, int n, int v) {
  int i;
  for (i = 0; i < n; i++)
    if (x[i] == v) break;
  return i;
}

int find_value(const int *x, int n, int v) {
  int place = -1;
  for (int i = 0; i < n; i++) {
    if (x[i] == v) {
      place = i;
      break;
    }
  }
  return place;
}

int find_or_none(const int *x, int n, int v) {
  for (int i = 0; i < n; i++)
    if (x[i] == v) return i;
  return -1;
}

int sum_until(const int *x, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    if (x[i] < 0) break;
    s += x[i];
  }
  return s;
}

int sum_of_positive(const int *x, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    if (x[i] < 0) continue;
    s += x[i];
  }
  return s;
}

void levels(const int *x, int *y, int n) {
  for (int i = 0; i < n; i++) {
    int v;
    switch (x[i] & 3) {
    case 0: v = 1; break;
    case 1:
    case 2: v = 5; break;
    case 7: v = 3;
    default: v = 7;
    }
    y[i] = v;
  }
}

int sum_once(const int *x, int n) {
  int s = 0, i = 0;
  do {
    s += x[i];
    i++;
  } while (i < n);
  return s;
}

void count_down(const int *x, int *y, int n) {
  while (n--) *y++ = *x++;
}

void walk_to_end(const int *x, int *y, int n) {
  const int *end = x + n;
  while (x < end) *y++ = 2 * *x++;
}

int last_before(const int *x, int n) {
  const int *p = x;
  while (p != x + n) p++;
  return (int)(p - x);
}

/* Words of 32 bits without sign, compared and masked. */
void opaque_words(const uint32_t *p, uint32_t *q, int n) {
  for (int i = 0; i < n; i++) {
    if (p[i] < 0xff000000u)
      q[i] = p[i] & 0xff00u;
    else
      q[i] = p[i] >> 24;
  }
}

static const int kernel[3] = {1, 2, 1};

void smooth(const int *x, int *y, int n) {
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int k = 0; k < 3; k++) s += kernel[k] * x[i + k];
    y[i] = s / 4;
  }
}

void through_an_array(const double *x, double *y, int n) {
  double t[100];
  for (int i = 0; i < n; i++) t[i] = 2 * x[i];
  for (int i = 0; i < n; i++) y[i] = t[n - 1 - i];
}

void sums_of_three(const int *x, int *y, int n) {
  for (int i = 0, k = 0; i < n; i++, k += 3) y[i] = x[k] + x[k + 1] + x[k + 2];
}

int sum_walking(const int *x, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i, ++x) {
    if (*x < 0) continue;
    s += *x;
  }
  return s;
}

void reversed_copy(const int *x, int *y, int n) {
  for (int i = 0, j = n - 1; i < n; j--, i++) y[i] = x[j];
}

int after_own_step(const int *x, int n) {
  int s = 0, k = 0;
  for (int i = 0; i < n; i++, k = i) s += x[k];
  return s;
}
