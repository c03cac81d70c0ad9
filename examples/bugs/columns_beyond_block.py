"""One block per row and no loop: columns from BLOCK on are ignored."""

import triton
import triton.language as tl

SPEC = {
    "kind": "coverage",
    "types": "x_ptr:*fp32 y_ptr:*fp32 n_cols:i32",
    "constexprs": {"BLOCK": 64},
    "tensors": {"x": ("f32", "M", "K+64"), "y": ("f32", "M", "K+64")},
    "args": {"n_cols": "K+64"},
    "grid": ["M"],
    "sample": {"M": 2, "K": 6},
}


@triton.jit
def columns_beyond_block_bug(x_ptr, y_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n_cols + cols, mask=cols < n_cols, other=0.0)
    tl.store(y_ptr + row * n_cols + cols, x * 0.5, mask=cols < n_cols)


@triton.jit
def columns_beyond_block_fixed(x_ptr, y_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    for start in range(0, n_cols, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n_cols + cols, mask=cols < n_cols, other=0.0)
        tl.store(y_ptr + row * n_cols + cols, x * 0.5, mask=cols < n_cols)
