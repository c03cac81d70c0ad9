/* Places that data decides, where the last of several writers counts; ends of do .. while; arrays of a length that is a
 * number in the code. */
#include <stddef.h>
#include <stdint.h>
#define LEN 200

// ip < 5
void last_writer(int n, float a[5], const float *b, const float *c, const int *ip) {
  for (int i = 0; i < n; i++) a[ip[i]] = b[i] + c[i];
}

void pack_positive(int n, const float *b, float *a) {
  int j = -1;
  for (int i = 0; i < n; i++)
    if (b[i] > 0) {
      j++;
      a[j] = b[i];
    }
}

void histogram_of_image(const unsigned char *img, int rows, int cols, int hist[256]) {
  for (int k = 0; k < 256; k++) hist[k] = 0;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++) hist[img[i * cols + j]] += 1;
}

void fill_downwards(int *x, int n) {
  int *p = x;
  do *p++ = 1;
  while (--n > 0);
}

void powers_of_rows(int n, int k, const double x[n], double out[n][k]) {
  for (int i = 0; i < n; i++) {
    out[i][0] = 1;
    for (int j = 1; j < k; j++) out[i][j] = out[i][j - 1] * x[i];
  }
}

void first_everywhere(float a[LEN]) {
  for (int i = 0; i < LEN; i++) a[i] = a[0];
}

void mirrored(float a[LEN], float b[LEN], const float c[LEN]) {
  for (int i = 0; i < LEN; i++) {
    float x = a[LEN - i - 1] + b[i] * c[i];
    a[i] = x - 1.0f;
    b[i] = x;
  }
}

void residues(int n, const unsigned *x, int h[16]) {
  for (int i = 0; i < 16; i++) h[i] = 0;
  for (int i = 0; i < n; i++) h[x[i] % 16]++;
}

void coarse_histogram(int n, const unsigned char *x, int h[16]) {
  for (int i = 0; i < 16; i++) h[i] = 0;
  for (int i = 0; i < n; i++) h[x[i] >> 4]++;
}

void letters(int n, const char *s, int count[26]) {
  for (int i = 0; i < 26; i++) count[i] = 0;
  for (int i = 0; i < n; i++)
    if (s[i] >= 'a' && s[i] <= 'z') count[s[i] - 'a']++;
}

// a < k
void counting_sort(const int *a, int n, int *count, int *out, int k) {
  for (int i = 0; i < k; i++) count[i] = 0;
  for (int i = 0; i < n; i++) count[a[i]]++;
  for (int i = 1; i < k; i++) count[i] += count[i - 1];
  for (int i = n - 1; i >= 0; i--) {
    out[count[a[i]] - 1] = a[i];
    count[a[i]]--;
  }
}

void byte_histogram(const uint8_t *x, size_t n, uint32_t h[256]) {
  for (int i = 0; i < 256; i++) h[i] = 0;
  while (n--) h[*x++]++;
}

void narrow_counts(int n, const uint8_t *x, uint8_t h[256]) {
  for (int i = 0; i < n; i++) h[x[i]]++;
}

unsigned wrapping_sum(int n, const unsigned *x) {
  unsigned sum = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > 3) sum += x[i];
  return sum;
}
