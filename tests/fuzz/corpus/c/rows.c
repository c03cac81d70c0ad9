typedef int Row[4];
void a(float A[4][5], float *x) { for (int i = 0; i < 4; i++) x[i] += A[i][1]; }
void b(int n, int m, float (*A)[m], float B[][m]) { for (int i = n - 1; i >= 0; i--) *A[0] = *B[i], A++; }
void c(int n, Row A[n][n], float **p) { (*A)[0][0] = p[0][0]; }
int d(int n) { int t[n], u[2][2] = {{1}}; do t[0] = n--; while (n); return t[u[0][0]]; }
