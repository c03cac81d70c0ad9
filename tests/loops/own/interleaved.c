/* Numbers of several parts, one after another, that a loop changes in place. */
void scale_complex(double *x, double a, double b, int n) {
  for (int i = 0; i < n; i++) {
    double re = x[2 * i], im = x[2 * i + 1];
    x[2 * i] = re * a - im * b;
    x[2 * i + 1] = re * b + im * a;
  }
}

void swap_complex(double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    double t = x[2 * i];
    x[2 * i] = y[2 * i];
    y[2 * i] = t;
    t = x[2 * i + 1];
    x[2 * i + 1] = y[2 * i + 1];
    y[2 * i + 1] = t;
  }
}

void invert_colours(unsigned char *p, int n) {
  for (int i = 0; i < n; i++) {
    p[3 * i] = 255 - p[3 * i];
    p[3 * i + 1] = 255 - p[3 * i + 1];
    p[3 * i + 2] = 255 - p[3 * i + 2];
  }
}

void swap_red_and_blue(unsigned char *p, int n) {
  for (int i = 0; i < n; i++) {
    unsigned char t = p[4 * i];
    p[4 * i] = p[4 * i + 2];
    p[4 * i + 2] = t;
  }
}

void conjugate(float *z, int n) {
  for (int i = 0; i < n; i++) z[2 * i + 1] = -z[2 * i + 1];
}
