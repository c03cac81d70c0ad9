/* Arrays, as in textbooks. */
#include <vector>

using namespace std;

vector<int> array_inc(vector<int> arr, int n) {
  vector<int> out;
  for (int i = 0; i < n; i++) {
    out.push_back(arr[i] + 1);
  }
  return out;
}

int array_sum(vector<int> arr, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += arr[i];
  return sum;
}

vector<int> cube_in_place(vector<int> arr, int n) {
  vector<int> out;
  for (int i = 0; i < n; i++) {
    out.push_back(arr[i] * arr[i] * arr[i]);
  }
  return out;
}

vector<int> fourth_in_place(vector<int> arr, int n) {
  vector<int> out;
  for (int i = 0; i < n; i++) {
    int sq = arr[i] * arr[i];
    int fourth = sq * sq;
    out.push_back(fourth);
  }
  return out;
}

int sum_elts(vector<int> arr, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += arr[i];
  return sum;
}
