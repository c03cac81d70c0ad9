/* Elements that are made of their old value and of a neighbour's: the loop goes so that the neighbour is still old. */
#include <stdint.h>

void product_with_the_one_before(int n, float *x) {
  for (int j = n - 1; j >= 1; j--) x[j] = x[j - 1] * x[j];
}

void chosen_by_itself(int n, float *x) {
  for (int j = n - 1; j >= 1; j--) x[j] = x[j] < 0 ? x[j - 1] : 3;
}

void product_with_the_row_above(int n, float a[n][n]) {
  for (int i = n - 1; i >= 1; i--)
    for (int j = 0; j < n; j++) a[i][j] *= a[i - 1][j];
}

void kept_where_it_is_not_zero(int n, int *x) {
  for (int j = n - 1; j >= 1; j--) x[j] = x[j] ? x[j - 1] : 0;
}

void bits_of_two_before(int n, int x[n]) {
  for (int j = n - 1; j >= 2; j--) x[j] = x[j - 2] & x[j];
}

void scaled_by_the_first(int n, float *x) {
  float m = x[0];
  for (int i = 0; i < n; i++) x[i] *= m;
}
