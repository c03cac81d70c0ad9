// Vectors whose length changes, std::array, std::numeric_limits, references to numbers.
#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>
using namespace std;

vector<int> relu_resized(const vector<int> &x) {
  vector<int> y;
  y.resize(x.size());
  for (size_t i = 0; i < x.size(); i++) y[i] = max(0, x[i]);
  return y;
}

vector<int> cleared(const vector<int> &x) {
  vector<int> y;
  for (int i = 0; i < 3; i++) y.push_back(i);
  y.clear();
  for (int v : x) y.push_back(v * 2);
  return y;
}

vector<int> assigned(const vector<int> &x) {
  vector<int> y;
  y.assign(x.size(), 7);
  for (size_t i = 0; i < x.size(); i++) y[i] += x[i];
  return y;
}

vector<int> padded(const vector<int> &x, int n) {
  vector<int> y = x;
  y.resize(n, 5);
  return y;
}

vector<vector<int>> outer_resized(const vector<int> &a, const vector<int> &b) {
  vector<vector<int>> r;
  r.resize(a.size());
  for (size_t i = 0; i < a.size(); i++) {
    r[i].resize(b.size());
    for (size_t j = 0; j < b.size(); j++) r[i][j] = a[i] * b[j];
  }
  return r;
}

int least(const vector<int> &x) {
  int m = numeric_limits<int>::max();
  for (int v : x) m = min(m, v);
  return m;
}

vector<int> histogram8(const vector<int> &x) {
  array<int, 8> h{};
  vector<int> y(8);
  for (int v : x) h[v & 7]++;
  for (size_t i = 0; i < h.size(); i++) y[i] = h[i];
  return y;
}

// Elements by reference under a condition.
vector<int> relu_continued(vector<int> x) {
  for (auto &v : x) {
    if (v >= 0) continue;
    v = 0;
  }
  return x;
}

vector<int> capped(vector<int> x, int most) {
  for (int &v : x)
    if (v > most) v = most;
  return x;
}

vector<vector<int>> marked(vector<vector<int>> x, int t) {
  for (auto &row : x)
    for (auto &v : row)
      if (v >= t) v = t;
  return x;
}

vector<int> capped_by_iterator(vector<int> x, int most) {
  for (auto at = x.begin(); at != x.end(); ++at) {
    int &v = *at;
    if (v > most) v = most;
  }
  return x;
}
