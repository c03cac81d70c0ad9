"""Rows are reversed in place, but every lane swaps, so that each pair of elements is swapped by two lanes."""

import triton
import triton.language as tl

SPEC = {
    "kind": "race",
    "types": "x_ptr:*fp32 n_cols:i32 stride:i32",
    "constexprs": {"BLOCK": 64},
    "assume": ["n_cols <= 64"],
    "tensors": {"x": ("f32", "M", "n_cols", {"strides": ["stride", 1]})},
    "grid": ["M"],
    "sample": {"M": 3, "n_cols": 20, "stride": 24},
}


@triton.jit
def row_swapped_twice_bug(x_ptr, n_cols, stride, BLOCK: tl.constexpr):
    row = x_ptr + tl.program_id(0).to(tl.int64) * stride
    cols = tl.arange(0, BLOCK)
    left = tl.load(row + cols, mask=cols < n_cols, other=0.0)
    right = tl.load(row + n_cols - 1 - cols, mask=cols < n_cols, other=0.0)
    tl.store(row + cols, right, mask=cols < n_cols)
    tl.store(row + n_cols - 1 - cols, left, mask=cols < n_cols)


@triton.jit
def row_swapped_twice_fixed(x_ptr, n_cols, stride, BLOCK: tl.constexpr):
    row = x_ptr + tl.program_id(0).to(tl.int64) * stride
    cols = tl.arange(0, BLOCK)
    left = tl.load(row + cols, mask=cols < n_cols // 2, other=0.0)
    right = tl.load(row + n_cols - 1 - cols, mask=cols < n_cols // 2, other=0.0)
    tl.store(row + cols, right, mask=cols < n_cols // 2)
    tl.store(row + n_cols - 1 - cols, left, mask=cols < n_cols // 2)
