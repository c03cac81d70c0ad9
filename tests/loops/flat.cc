// Vectors of one axis that hold the rows of a table.
#include <vector>
using std::vector;

vector<int> doubled(const vector<int> &x, int n, int m) {
  vector<int> y(n * m);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) y[i * m + j] = 2 * x[i * m + j];
  return y;
}

vector<int> turned(const vector<int> &x, int n, int m) {
  vector<int> y(n * m);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) y[j * n + i] = x[i * m + j];
  return y;
}

vector<int> inner(const vector<int> &x, int n, int m) {
  vector<int> y(n * m, 0);
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) y[i * m + j] = x[(i - 1) * m + j] + x[(i + 1) * m + j] - 2 * x[i * m + j];
  return y;
}
