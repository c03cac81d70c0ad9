void each(float *y, int n) { for (int i = 0; i < n; i++) y[i] = y[i] + 1; }
void turns(float *y, int n) {
  for (int i = 0; i < n; i += 2) y[i] = y[i] + 1;
  for (int i = 1; i < n; i += 2) y[i] = y[i] + 1;
}
void wrong(float *y, int n) {
  for (int i = 0; i < n; i += 2) y[i] = y[i] + 1;
  for (int i = 1; i < n; i += 2) y[i] = y[i] + 2;
}
void even(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[2 * i] = x[i]; }
void keeps(const float *x, float *y, int n) {
  for (int i = 0; i < n; i++) { y[2 * i] = x[i]; y[2 * i + 1] = y[2 * i + 1]; }
}
void adds(const float *x, float *y, int n) {
  for (int i = 0; i < n; i++) { y[2 * i] = x[i]; y[2 * i + 1] = y[2 * i + 1] + 1; }
}
void copies(const float *x, float *y, int n) {
  for (int i = 0; i < n; i++) { y[2 * i] = x[i]; y[2 * i + 1] = y[2 * i]; }
}
