/* Vectors of a game. */
#include <vector>

using namespace std;

vector<int> diveq(vector<int> a, vector<int> b, int n) {
  vector<int> out;
  for (int i = 0; i < n; i++) {
    out.push_back(a[i] / b[i]);
  }
  return out;
}

vector<int> diveq_sca(vector<int> a, int b, int n) {
  vector<int> out;
  for (int i = 0; i < n; i++) {
    out.push_back(a[i] / b);
  }
  return out;
}

int len(vector<int> arr, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += arr[i] * arr[i];
  return sum;
}

int len_sq(vector<int> arr, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += arr[i] * arr[i];
  return sum;
}

vector<vector<int>> matmul_sca(vector<vector<int>> matA, int val, int m, int n) {
  vector<vector<int>> out;
  for (int i = 0; i < m; i++) {
    vector<int> row;
    for (int j = 0; j < n; j++) row.push_back(matA[i][j] * val);
    out.push_back(row);
  }
  return out;
}

vector<int> muleq(vector<int> a, vector<int> b, int n) {
  vector<int> out;
  for (int i = 0; i < n; i++) {
    out.push_back(a[i] * b[i]);
  }
  return out;
}

vector<int> muleq_sca(vector<int> a, int b, int n) {
  vector<int> out;
  for (int i = 0; i < n; i++) {
    out.push_back(a[i] * b);
  }
  return out;
}

vector<int> negate(vector<int> arr, int n) {
  vector<int> out;
  for (int i = 0; i < n; i++) {
    out.push_back(-arr[i]);
  }
  return out;
}

vector<int> pluseq(vector<int> a, vector<int> b, int n) {
  vector<int> out;
  for (int i = 0; i < n; i++) {
    out.push_back(a[i] + b[i]);
  }
  return out;
}

vector<int> subeq(vector<int> a, vector<int> b, int n) {
  vector<int> out;
  for (int i = 0; i < n; i++) {
    out.push_back(a[i] - b[i]);
  }
  return out;
}

vector<int> subeq_sca(vector<int> a, int b, int n) {
  vector<int> out;
  for (int i = 0; i < n; i++) {
    out.push_back(a[i] - b);
  }
  return out;
}
