/* Loops whose condition changes a variable, and that are left early. */

int last_zero(const int *y, int n) {
  while (n--) {
    if (y[n] == 0) break;
  }
  return n;
}

int last_above(const int *y, int n) {
  while (n-- > 0) {
    if (y[n] > 3) break;
  }
  return n;
}

int last_below(const int *y, int n) {
  while (--n >= 0) {
    if (y[n] < 3) break;
  }
  return n;
}

int last_one(const int *y, int n) {
  for (; n--;) {
    if (y[n] == 0) continue;
    if (y[n] == 1) break;
  }
  return n;
}
