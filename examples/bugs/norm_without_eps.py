"""Row divided by its standard deviation without eps: 0 / 0 for a constant row."""

import triton
import triton.language as tl

SPEC = {
    "kind": "undefined",
    "types": "x_ptr:*fp32 y_ptr:*fp32 n_cols:i32",
    "constexprs": {"BLOCK": 64},
    "assume": ["n_cols <= 64"],
    "tensors": {"x": ("f32", "M", "n_cols"), "y": ("f32", "M", "n_cols")},
    "grid": ["M"],
    "sample": {"M": 2, "n_cols": 4, "x": [1, 2, 3, 4, 2, 2, 2, 2]},
}


@triton.jit
def norm_without_eps_bug(x_ptr, y_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n_cols
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row + cols, mask=cols < n_cols, other=0.0)
    centred = tl.where(cols < n_cols, x - tl.sum(x, axis=0) / n_cols, 0.0)
    deviation = tl.sqrt(tl.sum(centred * centred, axis=0) / n_cols)
    tl.store(y_ptr + row + cols, centred / deviation, mask=cols < n_cols)


@triton.jit
def norm_without_eps_fixed(x_ptr, y_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n_cols
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row + cols, mask=cols < n_cols, other=0.0)
    centred = tl.where(cols < n_cols, x - tl.sum(x, axis=0) / n_cols, 0.0)
    deviation = tl.sqrt(tl.sum(centred * centred, axis=0) / n_cols + 0.00001)
    tl.store(y_ptr + row + cols, centred / deviation, mask=cols < n_cols)
