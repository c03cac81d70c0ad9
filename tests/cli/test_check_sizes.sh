# Formulas that differ only beyond a block of 16, and only where the largest element lies beyond it, are told apart;
# and sizes that operation files name.
. "$SOURCE/tests/cli/common.sh"

form() {
  printf 'pointwise f\ntensor x: f32[m, n]\ntensor y: f32[m]\nsize m: 1 <= m\nsize n: 1 <= n\ny[i] = %s\n' "$1"
}

differ() {
  form "$1" >left
  form "$2" >right
  expect 1 "$ASSAY" check left right
  has out refuted
}

differ 'max[k < min(16, n)](x[i, k])' 'max[k < n](x[i, k])'
differ 'sum[k < min(16, n)](x[i, k])' 'sum[k < n](x[i, k])'
differ 'sum[k < (n + 15) // 16](max[j < min(16*k + 16, n)](x[i, j]))' '((n + 15) // 16) * max[j < n](x[i, j])'
differ 'sum[k < (n + 15) // 16](sum[j < min(16, n - 16*k)](exp(x[i, 16*k + j] - max[l < min(16*k + 16, n)](x[i, l]))))' \
  'sum[j < n](exp(x[i, j] - max[l < n](x[i, l])))'

# KV and group are no extents by themselves, and one on both sides: an operation computes what it computes itself, and
# not what it does with one head less.
heads() {
  cat <<JSON
{ "schema": 1, "name": "heads",
  "tensors": { "x": { "dtype": "f32", "shape": ["$1", "N"] }, "y": { "dtype": "f32", "shape": ["$1", "N"] } },
  "launches": [ { "file": "$SOURCE/examples/softmax.ttir", "grid": ["$1"],
                  "args": { "x_ptr": "x", "out_ptr": "y", "n_cols": "N",
                            "x_row_stride": "N", "out_row_stride": "N" } } ] }
JSON
}
heads 'KV*group' >left.json
heads 'KV*group+1' >right.json
expect 0 "$ASSAY" check left.json left.json
expect 1 "$ASSAY" check --json left.json right.json
json
finish
