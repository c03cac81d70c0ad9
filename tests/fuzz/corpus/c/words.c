static const int T[3] = {1, 2};
int f(int *p, int n) { int s = 0; while (n--) { switch (*p++) { case 1: s++; break; default: continue; } } return s ? T[s % 3] : -s, s; }
