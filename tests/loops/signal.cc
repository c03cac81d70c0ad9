/* Signal processing. */
#include <vector>

using namespace std;

vector<vector<int>> matadd(vector<vector<int>> matA, vector<vector<int>> matB, int m, int n) {
  vector<vector<int>> out;
  for (int i = 0; i < m; i++) {
    vector<int> row;
    for (int j = 0; j < n; j++) row.push_back(matA[i][j] + matB[i][j]);
    out.push_back(row);
  }
  return out;
}

vector<vector<int>> matscal(vector<vector<int>> mat, int val, int m, int n) {
  vector<vector<int>> out;
  for (int i = 0; i < m; i++) {
    vector<int> row;
    for (int j = 0; j < n; j++) row.push_back(mat[i][j] * val);
    out.push_back(row);
  }
  return out;
}

vector<vector<int>> matsub(vector<vector<int>> matA, vector<vector<int>> matB, int m, int n) {
  vector<vector<int>> out;
  for (int i = 0; i < m; i++) {
    vector<int> row;
    for (int j = 0; j < n; j++) row.push_back(matA[i][j] - matB[i][j]);
    out.push_back(row);
  }
  return out;
}

vector<int> vadd(vector<int> a, vector<int> b, int n) {
  vector<int> out;
  for (int i = 0; i < n; i++) {
    out.push_back(a[i] + b[i]);
  }
  return out;
}

vector<int> vcopy(vector<int> a, int n) {
  vector<int> out;
  for (int i = 0; i < n; i++) {
    out.push_back(a[i]);
  }
  return out;
}

vector<int> vmul(vector<int> a, vector<int> b, int n) {
  vector<int> out;
  for (int i = 0; i < n; i++) {
    out.push_back(a[i] * b[i]);
  }
  return out;
}

vector<int> vneg(vector<int> arr, int n) {
  vector<int> out;
  for (int i = 0; i < n; i++) {
    out.push_back(-arr[i]);
  }
  return out;
}

vector<int> voffset(vector<int> arr, int v, int n) {
  vector<int> out;
  for (int i = 0; i < n; i++) {
    out.push_back(arr[i] + v);
  }
  return out;
}

vector<int> vrecip(vector<int> arr, int n) {
  vector<int> out;
  for (int i = 0; i < n; i++) {
    out.push_back(1 / arr[i]);
  }
  return out;
}

vector<int> vscal(vector<int> arr, int v, int n) {
  vector<int> out;
  for (int i = 0; i < n; i++) {
    out.push_back(v * arr[i]);
  }
  return out;
}

vector<int> vsub(vector<int> a, vector<int> b, int n) {
  vector<int> out;
  for (int i = 0; i < n; i++) {
    out.push_back(a[i] - b[i]);
  }
  return out;
}

vector<int> w_vec(vector<int> a, vector<int> b, int m, int n) {
  vector<int> out;
  for (int i = 0; i < n; i++) {
    out.push_back(m * a[i] + b[i]);
  }
  return out;
}

int fir_small(int NTAPS, vector<int> input, vector<int> coefficient) {
  int sum = 0;
  for (int i = 0; i < NTAPS; i++) sum += input[i] * coefficient[i];
  return sum;
}

int lmsfir1(int NTAPS, vector<int> input, vector<int> coefficient) {
  int sum = 0;
  for (int i = 0; i < NTAPS; i++) sum += input[i] * coefficient[i];
  return sum;
}

vector<int> lmsfir2(int NTAPS, vector<int> input, vector<int> coefficient, int error) {
  vector<int> out;
  for (int i = 0; i < NTAPS - 1; i++) {
    int curr = coefficient[i] + input[i] * error;
    out.push_back(curr);
  }
  return out;
}
