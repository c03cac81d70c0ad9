/* Infinities as quotients of literals. */
#define FAR (1.0 / 0.0)

double least(const double *x, int n) {
  double best = FAR;
  for (int i = 0; i < n; i++)
    if (x[i] < best) best = x[i];
  return best;
}

float greatest(const float *x, int n) {
  float best = -1.0f / 0.0f;
  for (int i = 0; i < n; i++) best = x[i] > best ? x[i] : best;
  return best;
}

double of_integers(const double *x, int n) {
  double best = 1 / -0.0;
  for (int i = 0; i < n; i++)
    if (x[i] > best) best = x[i];
  return best;
}
