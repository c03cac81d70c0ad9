void one(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = x[0] + 1; }
void all(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] + 1; }
void first(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = *x + 1; }
void cancels(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = x[0] + x[i] - x[i] + 1; }
void second(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = x[1] + x[i] - x[i] + 1; }
