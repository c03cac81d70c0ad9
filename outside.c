void some(const int *at, const float *x, float *y, int n, int m) {
  for (int i = 0; i < n; i++) if (i < m) y[i] = x[at[i]] + y[i];
}
void negative(const int *at, const float *x, float *y, int n, int m) {
  for (int i = 0; i < n; i++) y[i] = i < m ? x[at[i]] + y[i] : at[i] < 0 ? 7 : y[i];
}
