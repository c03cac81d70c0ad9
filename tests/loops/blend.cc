/* Layers of an image blended, in integers with 32 for white. */
#include <vector>

using std::vector;

vector<vector<int>> color_burn_8(vector<vector<int>> base, vector<vector<int>> active) {
  vector<vector<int>> out;
  int m = base.size();
  int n = base[0].size();
  for (int row = 0; row < m; row++) {
    vector<int> line;
    for (int col = 0; col < n; col++) {
      int pixel;
      if (active[row][col] == 0)
        pixel = 32;
      else
        pixel = 32 - (32 - base[row][col]) / active[row][col];
      line.push_back(pixel);
    }
    out.push_back(line);
  }
  return out;
}

vector<vector<int>> color_dodge_8(vector<vector<int>> base, vector<vector<int>> active) {
  vector<vector<int>> out;
  int m = base.size();
  int n = base[0].size();
  for (int row = 0; row < m; row++) {
    vector<int> line;
    for (int col = 0; col < n; col++) {
      int pixel;
      if (active[row][col] == 32)
        pixel = 32;
      else
        pixel = base[row][col] / (32 - active[row][col]);
      line.push_back(pixel);
    }
    out.push_back(line);
  }
  return out;
}

vector<vector<int>> darken_blend_8(vector<vector<int>> base, vector<vector<int>> active) {
  vector<vector<int>> out;
  int m = base.size();
  int n = base[0].size();
  for (int row = 0; row < m; row++) {
    vector<int> line;
    for (int col = 0; col < n; col++) {
      int pixel;
      if (base[row][col] > active[row][col])
        pixel = active[row][col];
      else
        pixel = base[row][col];
      line.push_back(pixel);
    }
    out.push_back(line);
  }
  return out;
}

vector<vector<int>> dissolve_blend_8(vector<vector<int>> base, vector<vector<int>> active, int opacity,
                                     int rand_cons) {
  vector<vector<int>> out;
  int m = base.size();
  int n = base[0].size();
  for (int row = 0; row < m; row++) {
    vector<int> line;
    for (int col = 0; col < n; col++) {
      int rand_val = ((rand_cons % 100) + 1) / 100;
      int pixel;
      if (opacity - rand_val >= 0)
        pixel = active[row][col];
      else
        pixel = base[row][col];
      line.push_back(pixel);
    }
    out.push_back(line);
  }
  return out;
}

vector<vector<int>> lighten_blend_8(vector<vector<int>> base, vector<vector<int>> active) {
  vector<vector<int>> out;
  int m = base.size();
  int n = base[0].size();
  for (int row = 0; row < m; row++) {
    vector<int> line;
    for (int col = 0; col < n; col++) {
      int pixel;
      if (base[row][col] < active[row][col]) {
        pixel = active[row][col];
      } else {
        pixel = base[row][col];
      }
      line.push_back(pixel);
    }
    out.push_back(line);
  }
  return out;
}

vector<vector<int>> linear_burn_8(vector<vector<int>> base, vector<vector<int>> active) {
  vector<vector<int>> out;
  int m = base.size();
  int n = base[0].size();
  for (int row = 0; row < m; row++) {
    vector<int> line;
    for (int col = 0; col < n; col++) {
      int pixel = (base[row][col] + active[row][col]) - 32;
      line.push_back(pixel);
    }
    out.push_back(line);
  }
  return out;
}

vector<vector<int>> linear_dodge_8(vector<vector<int>> base, vector<vector<int>> active) {
  vector<vector<int>> out;
  int m = base.size();
  int n = base[0].size();
  for (int row = 0; row < m; row++) {
    vector<int> line;
    for (int col = 0; col < n; col++) line.push_back(base[row][col] + active[row][col]);
    out.push_back(line);
  }
  return out;
}

vector<vector<int>> multiply_blend_8(vector<vector<int>> base, vector<vector<int>> active) {
  vector<vector<int>> out;
  int m = base.size();
  int n = base[0].size();
  for (int row = 0; row < m; row++) {
    vector<int> line;
    for (int col = 0; col < n; col++) {
      int pixel = (base[row][col] * active[row][col]) / 32;
      line.push_back(pixel);
    }
    out.push_back(line);
  }
  return out;
}

vector<int> normal_blend_8(vector<int> base, vector<int> active, int opacity) {
  vector<int> out;
  for (int i = 0; i < base.size(); i++) out.push_back(opacity * active[i] + (32 - opacity) * base[i]);
  return out;
}

vector<int> normal_blend_f(vector<int> base, vector<int> active, int opacity) {
  vector<int> out;
  for (int i = 0; i < base.size(); i++) out.push_back(opacity * active[i] + (1 - opacity) * base[i]);
  return out;
}

vector<vector<int>> overlay_blend_8(vector<vector<int>> base, vector<vector<int>> active) {
  vector<vector<int>> out;
  int m = base.size();
  int n = base[0].size();
  for (int row = 0; row < m; row++) {
    vector<int> line;
    for (int col = 0; col < n; col++) {
      int pixel;
      if (base[row][col] >= 16)
        pixel = 2 * base[row][col] + base[row][col] - 2 * base[row][col] * base[row][col] / 32 - 32;
      else
        pixel = 2 * base[row][col] * base[row][col] / 32;
      line.push_back(pixel);
    }
    out.push_back(line);
  }
  return out;
}

vector<vector<int>> screen_blend_8(vector<vector<int>> base, vector<vector<int>> active) {
  vector<vector<int>> out;
  int m = base.size();
  int n = base[0].size();
  for (int row = 0; row < m; row++) {
    vector<int> line;
    for (int col = 0; col < n; col++) {
      int pixel = base[row][col] + active[row][col] - (base[row][col] * active[row][col]) / 32;
      line.push_back(pixel);
    }
    out.push_back(line);
  }
  return out;
}
