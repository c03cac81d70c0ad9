/* Ranges, iterators that append, function objects, vectors that are moved and swapped, effects in conditions. */
#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

using std::vector;

vector<int> first_part(const vector<int> &a, int n) {
  vector<int> out(a.begin(), a.begin() + n);
  for (int &v : out) v *= 3;
  return out;
}
vector<int> negated(const vector<int> &a) {
  vector<int> out;
  std::transform(a.begin(), a.end(), std::back_inserter(out), std::negate<int>());
  return out;
}
vector<int> products(const vector<int> &a, const vector<int> &b, int n) {
  vector<int> out(n);
  std::transform(a.begin(), a.begin() + n, b.begin(), out.begin(), std::multiplies<int>());
  return out;
}
vector<int> joined(const vector<int> &a, const vector<int> &b) {
  vector<int> out = a;
  out.insert(out.end(), b.begin(), b.end());
  return out;
}
vector<int> reassigned(const vector<int> &a, const vector<int> &b) {
  vector<int> out = a;
  out.assign(b.begin(), b.end());
  return out;
}

template <typename F>
static vector<vector<int>> pairwise(const vector<vector<int>> &p, const vector<vector<int>> &q, F f) {
  vector<vector<int>> out;
  for (size_t i = 0; i < p.size(); ++i) {
    vector<int> row;
    for (size_t j = 0; j < p[i].size(); ++j) row.push_back(f(p[i][j], q[i][j]));
    out.push_back(std::move(row));
  }
  return out;
}
vector<vector<int>> screened(const vector<vector<int>> &base, const vector<vector<int>> &active) {
  auto blend = [](int x, int y) -> int { return x + y - x * y / 32; };
  return pairwise(base, active, blend);
}
vector<vector<int>> moved_rows(const vector<vector<int>> &b) {
  vector<vector<int>> out;
  vector<int> row;
  for (size_t i = 0; i < b.size(); i++) {
    row.clear();
    for (size_t j = 0; j < b[i].size(); j++) row.push_back(b[i][j] * 2);
    out.push_back(std::move(row));
  }
  return out;
}
vector<vector<int>> darkened(const vector<vector<int>> &base, const vector<vector<int>> &active) {
  vector<vector<int>> out = base;
  for (size_t i = 0; i < out.size(); i++)
    for (size_t j = 0; j < out[i].size(); j++) out[i][j] = std::min(out[i][j], active[i][j]);
  return out;
}
vector<vector<int>> changed_rows(const vector<vector<int>> &base, const vector<vector<int>> &active) {
  vector<vector<int>> out;
  for (size_t i = 0; i < base.size(); i++) {
    vector<int> row;
    for (size_t j = 0; j < base[i].size(); j++) row.push_back(base[i][j] * 2);
    out.push_back(row);
  }
  for (size_t i = 0; i < out.size(); i++)
    for (size_t j = 0; j < out[i].size(); j++) out[i][j] += active[i][j];
  return out;
}
vector<int> swapped(const vector<int> &x) {
  vector<int> a = x, b(x.size());
  for (int s = 0; s < 2; s++) {
    for (size_t i = 0; i < a.size(); i++) b[i] = a[i] + 5;
    std::swap(a, b);
  }
  return a;
}
vector<int> clipped(const vector<int> &x, int t) {
  vector<int> y = x;
  for (size_t i = 0; i < y.size(); i++)
    if (y[i] < t) y[i] = 0;
  return y;
}
vector<int> counted_up(const vector<int> &a, const vector<int> &b, int m, int n) {
  vector<int> out;
  int i = 0;
  do {
    out.push_back(m * a[i] + b[i]);
  } while (++i < n);
  return out;
}
int ranked(const vector<int> &x, int n) {
  int k = 0, s = 0;
  for (int i = 0; i < n; i++) s += x[i] > 0 ? k++ : 0;
  return s;
}
