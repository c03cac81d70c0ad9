"""Rows narrower than a block: n_cols // BLOCK is 0, and the program id is divided by it."""

import triton
import triton.language as tl

SPEC = {
    "kind": "division",
    "types": "x_ptr:*fp32 y_ptr:*fp32 n_cols:i32",
    "constexprs": {"BLOCK": 16},
    "tensors": {"x": ("f32", "M", "n_cols"), "y": ("f32", "M", "n_cols")},
    "grid": ["M*cdiv(n_cols,16)"],
    "sample": {"M": 3, "n_cols": 5},
}


@triton.jit
def blocks_per_row_zero_bug(x_ptr, y_ptr, n_cols, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    blocks = n_cols // BLOCK
    row = (pid // blocks).to(tl.int64)
    cols = pid % blocks * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n_cols + cols, mask=cols < n_cols, other=0.0)
    tl.store(y_ptr + row * n_cols + cols, x + x, mask=cols < n_cols)


@triton.jit
def blocks_per_row_zero_fixed(x_ptr, y_ptr, n_cols, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    blocks = tl.cdiv(n_cols, BLOCK)
    row = (pid // blocks).to(tl.int64)
    cols = pid % blocks * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n_cols + cols, mask=cols < n_cols, other=0.0)
    tl.store(y_ptr + row * n_cols + cols, x + x, mask=cols < n_cols)
