void same(float *y, int n) { for (int i = 0; i < n; i++) y[i] = y[i]; }
void none(float *y, int n) { }
void relu(float *y, int n) { for (int i = 0; i < n; i++) y[i] = y[i] < 0 ? 0 : y[i]; }
void negative(float *y, int n) { for (int i = 0; i < n; i++) if (y[i] < 0) y[i] = 0; }
void below(float *y, int n) { for (int i = 0; i < n; i++) if (y[i] < 1) y[i] = 0; }
void head(float *y, int n, int m) { for (int i = 0; i < n; i++) if (i < m) y[i] = 2 * y[i]; }
void whole(float *y, int n, int m) { for (int i = 0; i < n; i++) y[i] = i < m ? 2 * y[i] : y[i]; }
void beyond(float *y, int n, int m) { for (int i = 0; i < n; i++) y[i] = i <= m ? 2 * y[i] : y[i]; }
