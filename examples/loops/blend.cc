#include <vector>

using std::vector;

vector<vector<int>> color_burn(vector<vector<int>> base, vector<vector<int>> active) {
  vector<vector<int>> out;
  for (int i = 0; i < base.size(); i++) {
    vector<int> row;
    for (int j = 0; j < base[0].size(); j++) {
      if (active[i][j] == 0)
        row.push_back(32);
      else
        row.push_back(32 - (32 - base[i][j]) / active[i][j]);
    }
    out.push_back(row);
  }
  return out;
}
