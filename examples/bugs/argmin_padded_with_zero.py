"""Masked lanes of an argmin are 0: a row of positive numbers has its minimum in the padding."""

import triton
import triton.language as tl

SPEC = {
    "kind": "value",
    "types": "x_ptr:*fp32 out_ptr:*i32 n_cols:i32",
    "constexprs": {"BLOCK": 32},
    "assume": ["n_cols <= 32"],
    "tensors": {"x": ("f32", "M", "n_cols"), "out": ("i32", "M")},
    "grid": ["M"],
    "sample": {"M": 3, "n_cols": 20, "x": "positive"},
}


@triton.jit
def argmin_padded_with_zero_bug(x_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n_cols + cols, mask=cols < n_cols, other=0.0)
    tl.store(out_ptr + row, tl.argmin(x, axis=0))


@triton.jit
def argmin_padded_with_zero_fixed(x_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n_cols + cols, mask=cols < n_cols, other=float("inf"))
    tl.store(out_ptr + row, tl.argmin(x, axis=0))
