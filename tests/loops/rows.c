/* Rows of fixed and of variable length, as parameters and as local arrays; pointers to rows. */
void mvt(const float A[40][50], float x[40], const float y[50]) {
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 50; j++) x[i] = x[i] + A[i][j] * y[j];
}

void row_sums(int n, int m, const int A[n][m], int *y) {
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int j = 0; j < m; j++) s += A[i][j];
    y[i] = s;
  }
}

void row_sums_of_pointer(int n, int m, const int (*A)[m], int *y) {
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int j = 0; j < m; j++) s += A[i][j];
    y[i] = s;
  }
}

void depth_sums(int l, int n, int m, const int A[l][n][m], int y[l][n]) {
  for (int i = 0; i < l; i++)
    for (int j = 0; j < n; j++) {
      int s = 0;
      for (int k = 0; k < m; k++) s += A[i][j][k];
      y[i][j] = s;
    }
}

/* The length of a row is that on entry, whatever becomes of m. */
void length_on_entry(int n, int m, const int A[n][m], int *y) {
  int width = m;
  m = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < width; j++) y[i * width + j] = A[i][j] + m;
}

static int inner(int m, const int *a, const int *b) {
  int s = 0;
  for (int i = 0; i < m; i++) s += a[i] * b[i];
  return s;
}

void matvec_by_rows(int n, int m, const int A[n][m], const int x[m], int y[n]) {
  for (int i = 0; i < n; i++) y[i] = inner(m, A[i], x);
}

void walking_rows(int n, int m, const int (*A)[m], int *y) {
  for (int i = 0; i < n; i++) {
    const int *row = *A++;
    int s = 0;
    for (int j = 0; j < m; j++) s += row[j];
    *y++ = s;
  }
}

int buffer(int n, const int *a) {
  int t[n];
  int s = 0;
  for (int i = 0; i < n; i++) t[i] = a[i] * 2;
  for (int i = 0; i < n; i++) s += t[i];
  return s;
}
