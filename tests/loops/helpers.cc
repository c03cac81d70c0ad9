/* Loops over ranges, and functions that are called. */
#include <cmath>
#include <vector>

using namespace std;

int clamp_byte(int x) {
  if (x > 255) return 255;
  return x < 0 ? 0 : x;
}

vector<int> saturate(vector<int> a, vector<int> b, int n) {
  vector<int> out;
  for (int i = 0; i < n; i++) out.push_back(clamp_byte(a[i] + b[i]));
  return out;
}

int total(const vector<int> &a) {
  int sum = 0;
  for (int x : a) sum += x;
  return sum;
}

int sum_rows(vector<vector<int>> m) {
  int sum = 0;
  for (const vector<int> &row : m)
    for (int x : row) sum += x;
  return sum;
}

int shifted_total(vector<int> a, vector<int> b) {
  return total(a) - total(b);
}

vector<int> negated(vector<int> a) {
  for (int &x : a) x = -x;
  return a;
}

vector<int> filled(int n, int value) {
  vector<int> v(n, value);
  for (int i = 0; i < n; i++) v[i] = v[i] + i;
  return v;
}
