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

# The formula holds S in one block, min(S, 32), and that the block covers it is assumed by the launch's safety alone: a
# longer axis is no counterexample, another value within it is one.
cat >columns.json <<JSON
{ "schema": 1, "name": "columns",
  "tensors": { "x": { "dtype": "f32", "shape": ["B", "S", "64"] }, "y": { "dtype": "f32", "shape": ["B", "64", "M"] } },
  "launches": [ { "file": "$SOURCE/tests/cli/data/columns.ttir", "grid": ["B", "cdiv(M, 8)", "16"],
                  "args": { "x_ptr": "x", "y_ptr": "y", "M": "M", "S": "S" } } ] }
JSON
cat >columns.py <<'PY'
def right(x, M): return x.sum(1)[:, :, None].expand(-1, -1, M)
def wrong(x, M): return x[:, 1:].sum(1)[:, :, None].expand(-1, -1, M)
PY
expect 0 "$ASSAY" check columns.json columns.py:right
has out 'S <= 32: one block covers the axis'
expect 0 "$ASSAY" check columns.json columns.json
expect 1 "$ASSAY" check columns.json columns.py:right --assume 'S > 32'
expect 1 "$ASSAY" check columns.json columns.py:wrong
[ "$(sed -n 's/.*witness .* S = \([0-9]*\),.*/\1/p' out)" -le 32 ] || fail "beyond the assumption: $(grep witness out)"

# An argument that is set to a number is the size that the file gives it, in shapes, samples and witnesses too.
expect 0 "$ASSAY" check columns.json columns.py:right --set S=20
grep -q '^  safety *proved' out || fail 'not safe'
expect 1 "$ASSAY" check columns.json columns.py:wrong --set S=20
! grep -q 'witness .* S =' out || fail "beyond the number: $(grep witness out)"
expect 1 "$ASSAY" check columns.json columns.py:right --set S=40
! grep -q 'witness .* S =' out || fail "beyond the number: $(grep witness out)"

# grid_x of --shape is that of the launch, as the formula prints it, and no other size by that name.
cat >band.ttir <<'TTIR'
tt.func public @band(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %N: i32, %W: i32, %sx: i32, %sy: i32) {
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %r = tt.get_program_id x : i32
  %c = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %n = tt.splat %N : i32 -> tensor<32xi32>
  %in = arith.cmpi slt, %c, %n : tensor<32xi32>
  %first = arith.subi %r, %W : i32
  %f = tt.splat %first : i32 -> tensor<32xi32>
  %late = arith.cmpi sge, %c, %f : tensor<32xi32>
  %m = arith.andi %in, %late : tensor<32xi1>
  %xo = arith.muli %r, %sx : i32
  %xr = tt.addptr %x, %xo : !tt.ptr<f32>, i32
  %xs = tt.splat %xr : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %c : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
  %v = tt.load %xp, %m, %zero : tensor<32x!tt.ptr<f32>>
  %yo = arith.muli %r, %sy : i32
  %yr = tt.addptr %y, %yo : !tt.ptr<f32>, i32
  %ys = tt.splat %yr : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  %yp = tt.addptr %ys, %c : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
  tt.store %yp, %v, %in : tensor<32x!tt.ptr<f32>>
  tt.return
}
TTIR
cat >band.py <<'PY'
import torch
def right(x, W): return torch.where(torch.arange(x.shape[1]) >= torch.arange(x.shape[0])[:, None] - W, x, 0)
def wrong(x, W): return torch.where(torch.arange(x.shape[1]) > torch.arange(x.shape[0])[:, None] - W, x, 0)
PY
expect 0 "$ASSAY" check band.ttir band.py:right --shape x=grid_x,N
expect 1 "$ASSAY" check band.ttir band.py:wrong --shape x=grid_x,N
has out 'the values differ'
# Without one it is as long as the programs go along it, of which the mask leaves out what lies behind N + W rows: said.
expect 0 "$ASSAY" check band.ttir band.py:right
has out 'axis 0 of x has grid_x elements: as it is gone along, of which N + W would do'
expect 1 "$ASSAY" check band.ttir band.py:wrong
finish
