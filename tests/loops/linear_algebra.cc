/* Vectors and matrices. */
#include <vector>

using namespace std;

int dot(vector<int> a, vector<int> b, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

vector<int> gemv(int M, int N, vector<vector<int>> A, vector<int> x) {
  vector<int> y;
  for (int i = 0; i < M; i++) {
    int sum = 0;
    for (int j = 0; j < N; j++) sum += A[i][j] * x[j];
    y.push_back(sum);
  }
  return y;
}

vector<int> mat1x3(int N, vector<vector<int>> h, vector<int> x) {
  vector<int> y;
  for (int i = 0; i < N; i++) {
    int sum = 0;
    for (int j = 0; j < N; j++) sum += h[i][j] * x[j];
    y.push_back(sum);
  }
  return y;
}

vector<int> n_real_updates(int N, vector<int> A, vector<int> B, vector<int> C) {
  vector<int> out;
  for (int i = 0; i < N; i++) {
    int curr = C[i] + A[i] * B[i];
    out.push_back(curr);
  }
  return out;
}

int sum_of_squares(vector<int> arr, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += arr[i] * arr[i];
  return sum;
}
