/* The parts of a transformer in integers, behind pointers. */
void matmul(int m, int n, const int *weight, const int *input, int *y) {
  for (int i = 0; i < m; i++) {
    int sum = 0;
    for (int j = 0; j < n; j++) sum += weight[i * n + j] * input[j];
    y[i] = sum;
  }
}

int rmsnorm_part1(int n, const int *input) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += input[i] * input[i];
  return sum;
}

int softmax_part1(int max_pos, const int *input) {
  int max_val = input[0];
  for (int i = 1; i < max_pos; i++)
    if (input[i] > max_val) max_val = input[i];
  return max_val;
}

int softmax_part3(int max_pos, const int *output) {
  int sum = 0;
  for (int i = 0; i < max_pos; i++) sum += output[i];
  return sum;
}

void softmax_part4(int max_pos, const int *unnormalized, int sum, int *out) {
  for (int i = 0; i < max_pos; i++) {
    out[i] = unnormalized[i] / sum;
  }
}

void transformer_part2(int token_position, int head, int head_size, int dim, const int *key_cache, const int *attention,
                       int *xb) {
  for (int i = 0; i < head_size; i++) {
    int curr = 0;
    for (int t = 0; t <= token_position; t++) curr += attention[t] * key_cache[t * dim + head * head_size + i];
    xb[i] = curr;
  }
}

void transformer_part4(int hidden_dim, const int *input1, const int *input2, int *out) {
  for (int i = 0; i < hidden_dim; i++) {
    out[i] = input1[i] * input2[i];
  }
}
