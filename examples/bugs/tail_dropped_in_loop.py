"""The loop runs n_cols // BLOCK times: the last, partial block of each row is never written."""

import triton
import triton.language as tl

SPEC = {
    "kind": "coverage",
    "types": "x_ptr:*fp32 y_ptr:*fp32 n_cols:i32",
    "constexprs": {"BLOCK": 32},
    "tensors": {"x": ("f32", "M", "n_cols"), "y": ("f32", "M", "n_cols")},
    "grid": ["M"],
    "sample": {"M": 2, "n_cols": 70},
}


@triton.jit
def tail_dropped_in_loop_bug(x_ptr, y_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    for block in range(0, n_cols // BLOCK):
        cols = block * BLOCK + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n_cols + cols, mask=cols < n_cols, other=0.0)
        tl.store(y_ptr + row * n_cols + cols, x * x, mask=cols < n_cols)


@triton.jit
def tail_dropped_in_loop_fixed(x_ptr, y_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    for block in range(0, tl.cdiv(n_cols, BLOCK)):
        cols = block * BLOCK + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n_cols + cols, mask=cols < n_cols, other=0.0)
        tl.store(y_ptr + row * n_cols + cols, x * x, mask=cols < n_cols)
