/* Layers of an image blended, behind pointers. */
void color_burn_8(int m, int n, const int *base, const int *active, int *out) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int pixel;
      if (active[i * n + j] == 0)
        pixel = 32;
      else
        pixel = 32 - (32 - base[i * n + j]) / active[i * n + j];
      out[i * n + j] = pixel;
    }
}

void color_dodge_8(int m, int n, const int *base, const int *active, int *out) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      out[i * n + j] = active[i * n + j] == 32 ? 32 : base[i * n + j] / (32 - active[i * n + j]);
    }
}

void darken_blend_8(int m, int n, const int *base, const int *active, int *out) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      out[i * n + j] = base[i * n + j] > active[i * n + j] ? active[i * n + j] : base[i * n + j];
    }
}

void dissolve_blend_8(int m, int n, const int *base, const int *active, int opacity, int rand_cons, int *out) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      out[i * n + j] = opacity - ((rand_cons % 100) + 1) / 100 >= 0 ? active[i * n + j] : base[i * n + j];
    }
}

void lighten_blend_8(int m, int n, const int *base, const int *active, int *out) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      out[i * n + j] = base[i * n + j] < active[i * n + j] ? active[i * n + j] : base[i * n + j];
    }
}

void linear_burn_8(int m, int n, const int *base, const int *active, int *out) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      out[i * n + j] = base[i * n + j] + active[i * n + j] - 32;
    }
}

void linear_dodge_8(int m, int n, const int *base, const int *active, int *out) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      out[i * n + j] = base[i * n + j] + active[i * n + j];
    }
}

void multiply_blend_8(int m, int n, const int *base, const int *active, int *out) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      out[i * n + j] = base[i * n + j] * active[i * n + j] / 32;
    }
}

void normal_blend_8(int n, const int *base, const int *active, int opacity, int *out) {
  for (int i = 0; i < n; i++) {
    out[i] = opacity * active[i] + (32 - opacity) * base[i];
  }
}

void normal_blend_f(int n, const int *base, const int *active, int opacity, int *out) {
  for (int i = 0; i < n; i++) {
    out[i] = opacity * active[i] + (1 - opacity) * base[i];
  }
}

void overlay_blend_8(int m, int n, const int *base, int *out) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      out[i * n + j] = base[i * n + j] >= 16
                           ? 2 * base[i * n + j] + base[i * n + j] - 2 * base[i * n + j] * base[i * n + j] / 32 - 32
                           : 2 * base[i * n + j] * base[i * n + j] / 32;
    }
}

void screen_blend_8(int m, int n, const int *base, const int *active, int *out) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      out[i * n + j] = base[i * n + j] + active[i * n + j] - base[i * n + j] * active[i * n + j] / 32;
    }
}
