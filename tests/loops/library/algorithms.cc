/* The algorithms of the library, iterators, lambdas, templates. */
#include <vector>
#include <cmath>
#include <algorithm>
#include <array>
#include <numeric>
using namespace std;
int acc(const vector<int> &x) { return accumulate(x.begin(), x.end(), 0); }
double accd(const vector<double> &x) { return accumulate(x.begin(), x.end(), 0.0) / x.size(); }
int dot(const vector<int> &x, const vector<int> &y) { return inner_product(x.begin(), x.end(), y.begin(), 0); }
int mx(const vector<int> &x) { return *max_element(x.begin(), x.end()); }
int amx(const vector<int> &x) { return max_element(x.begin(), x.end()) - x.begin(); }
vector<int> filled(int n) {
  vector<int> v(n);
  fill(v.begin(), v.end(), 3);
  return v;
}
vector<int> trans(const vector<int> &x) {
  vector<int> v(x.size());
  transform(x.begin(), x.end(), v.begin(), [](int a) { return a * 2; });
  return v;
}
vector<int> trans2(const vector<int> &x, const vector<int> &y, int k) {
  vector<int> v(x.size());
  transform(x.begin(), x.end(), y.begin(), v.begin(), [&](int a, int b) { return a * k + b; });
  return v;
}
int itsum(const vector<int> &x) {
  int s = 0;
  for (auto it = x.begin(); it != x.end(); ++it) s += *it;
  return s;
}
int lam(const vector<int> &x) {
  int s = 0;
  auto add = [&s](int v) { s += v; };
  for (int v : x) add(v);
  return s;
}
int fe(const vector<int> &x) {
  int s = 0;
  for_each(x.begin(), x.end(), [&](int v) { s += v * v; });
  return s;
}
int cnt(const vector<int> &x, int t) {
  return count_if(x.begin(), x.end(), [t](int v) { return v > t; });
}
int fnd(const vector<int> &x, int t) { return find(x.begin(), x.end(), t) - x.begin(); }
void rev(vector<int> &x) { reverse(x.begin(), x.end()); }
vector<int> io(int n) {
  vector<int> v(n);
  iota(v.begin(), v.end(), 5);
  return v;
}
template <class T> T sum(const vector<T> &x) {
  T s = 0;
  for (size_t i = 0; i < x.size(); i++) s += x[i];
  return s;
}
double usesum(const vector<double> &x) { return sum(x); }
int local(int n) {
  int a[10];
  int *p = a;
  for (int i = 0; i < 10; i++) *p++ = i * n;
  int s = 0;
  for (const int *q = a; q < a + 10; q++) s += *q;
  return s;
}
vector<int> ps(const vector<int> &x) {
  vector<int> v(x.size());
  partial_sum(x.begin(), x.end(), v.begin());
  return v;
}

bool has_negative(const vector<int> &x) {
  return any_of(x.begin(), x.end(), [](int v) { return v < 0; });
}

bool is_copy(const vector<int> &x, const vector<int> &y) { return equal(x.begin(), x.end(), y.begin()); }

vector<int> without_zeros(vector<int> x) {
  replace(x.begin(), x.end(), 0, 7);
  replace_if(x.begin(), x.end(), [](int v) { return v < 0; }, 1);
  return x;
}

vector<double> steps(const vector<double> &x) {
  vector<double> y(x.size());
  adjacent_difference(x.begin(), x.end(), y.begin());
  return y;
}

pair<vector<double>, vector<double>> column_and_row_sums(const vector<vector<double>> &a) {
  int n = a.size(), m = a[0].size();
  vector<double> columns(m), rows(n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double x{a[i][j]};
      columns[j] += x;
      rows[i] += x;
    }
  return {columns, rows};
}

double total(const vector<double> &x) { return reduce(x.begin(), x.end(), 0.0); }

double energy(const vector<double> &x) {
  return transform_reduce(x.begin(), x.end(), 0.0, std::plus<double>(), [](double v) { return v * v; });
}

void running(const vector<double> &x, vector<double> &y) { inclusive_scan(x.begin(), x.end(), y.begin()); }

double powers(const vector<int> &k) {
  double s = 0;
  for (int v : k) s += std::pow(v, 2) + std::exp(v) + std::abs(v);
  return s;
}

bool any_nan(const vector<double> &x) {
  bool any = false;
  for (double v : x) any = any || std::isnan(v) || isinf(v);
  return any;
}

vector<vector<double>> table(const vector<double> &a, const vector<double> &b) {
  vector<vector<double>> c;
  for (size_t i = 0; i < a.size(); i++) {
    c.emplace_back();
    for (size_t j = 0; j < b.size(); j++) c.back().push_back(a[i] * b[j]);
  }
  return c;
}

vector<double> backwards(const vector<double> &a) {
  vector<double> c(a.size());
  reverse_copy(a.begin(), a.end(), c.begin());
  return c;
}

double weighted(const vector<double> &x, double m) { /* s by reference, m a copy */
  double s = 0;
  for_each(x.begin(), x.end(), [&s, m](double v) { s += v * m; });
  return s;
}

double follows(const vector<double> &x) { /* s is what it is when the lambda is called */
  double s = 1, u = 2, t = 0;
  auto f = [=, &s](double v) { return v * s * u; };
  for (double v : x) {
    s = v;
    t += f(v);
  }
  return t;
}

void meeting_swaps(vector<double> &x) {
  int i = 0, j = x.size() - 1;
  while (i < j) swap(x[i++], x[j--]);
}

vector<double> from_behind(const vector<double> &a) {
  vector<double> c;
  for (auto it = a.rbegin(); it != a.rend(); ++it) c.push_back(*it);
  return c;
}

vector<double> copied_from_behind(const vector<double> &a) {
  vector<double> c(a.size());
  copy(a.rbegin(), a.rend(), c.begin());
  return c;
}

double horner(const vector<double> &c, double x) {
  double r = 0;
  for (auto it = c.crbegin(); it != c.crend(); it++) r = r * x + *it;
  return r;
}

void doubled_from_behind(vector<double> &c) {
  double k = 1;
  for (auto it = c.rbegin(); it < c.rend(); ++it) {
    *it = *it * k;
    k = k * 2;
  }
}

void centre(std::vector<std::array<double, 3>> &r) {
  for (int k = 0; k < 3; k++) {
    double m = 0;
    for (size_t i = 0; i < r.size(); ++i) m += r[i][k];
    m /= r.size();
    for (size_t i = 0; i < r.size(); ++i) r[i][k] -= m;
  }
}

double first_column(const std::vector<std::array<double, 3>> &r) {
  double s = 0;
  for (const auto &p : r) s += p[0];
  return s;
}
