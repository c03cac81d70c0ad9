/* The parts of a transformer in integers. */
#include <vector>

using namespace std;

vector<int> matmul(vector<vector<int>> weight, vector<int> input) {
  vector<int> output;
  int m = weight.size();
  int n = input.size();
  for (int row = 0; row < m; row++) {
    int sum = 0;
    for (int col = 0; col < n; col++) sum += weight[row][col] * input[col];
    output.push_back(sum);
  }
  return output;
}

int rmsnorm_part1(vector<int> input, vector<int> weight) {
  int ss = 0;
  for (int i = 0; i < input.size(); i++) ss += input[i] * input[i];
  return ss;
}

int integer_sqrt(int x);
int integer_exp(int x);

vector<int> rmsnorm_part2(vector<int> input, vector<int> weight, int ss) {
  vector<int> output;
  int size = input.size();
  int inv_ss = 1 / integer_sqrt(ss / size + 1);
  for (int i = 0; i < size; i++) output.push_back(inv_ss * input[i] * weight[i]);
  return output;
}

int softmax_part1(vector<int> input, int max_pos) {
  int max_val = input[0];
  for (int i = 1; i < max_pos; i++)
    if (input[i] > max_val) max_val = input[i];
  return max_val;
}

vector<int> softmax_part2(vector<int> input, int max_pos, int max_val) {
  vector<int> output;
  for (int i = 0; i < max_pos; i++) {
    int cur = integer_exp(input[i] - max_val);
    output.push_back(cur);
  }
  return output;
}

int softmax_part3(vector<int> output, int max_pos) {
  int sum = 0;
  for (int i = 0; i < max_pos; i++) sum += output[i];
  return sum;
}

vector<int> softmax_part4(vector<int> unnormalized, int max_pos, int sum) {
  vector<int> output;
  for (int i = 0; i < max_pos; i++) output.push_back(unnormalized[i] / sum);
  return output;
}

vector<int> transformer_part1(int token_position, int head, int head_size, vector<vector<int>> key_cache,
                              vector<int> q) {
  vector<int> attention;
  for (int timestep = 0; timestep < token_position; timestep++) {
    int score = 0;
    for (int i = 0; i < head_size; i++) score += q[head * head_size + i] * key_cache[timestep][head * head_size + i];
    score /= integer_sqrt(head_size * 1);
    attention.push_back(score);
  }
  return attention;
}

vector<int> transformer_part2(int token_position, int head, int head_size, vector<vector<int>> key_cache,
                              vector<int> attention) {
  vector<int> xb;
  for (int i = 0; i < head_size; i++) {
    int curr = 0;
    for (int timestep = 0; timestep <= token_position; timestep++)
      curr += attention[timestep] * key_cache[timestep][head * head_size + i];
    xb.push_back(curr);
  }
  return xb;
}

vector<int> transformer_part3(vector<int> input, int hidden_dim) {
  vector<int> output;
  for (int i = 0; i < hidden_dim; i++) {
    int curr = 1 / (1 + integer_exp(0 - input[i])) * input[i];
    output.push_back(curr);
  }
  return output;
}

vector<int> transformer_part4(vector<int> input1, vector<int> input2, int hidden_dim) {
  vector<int> output;
  for (int i = 0; i < hidden_dim; i++) output.push_back(input1[i] * input2[i]);
  return output;
}
