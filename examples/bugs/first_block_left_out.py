"""The sum starts at the second block."""

import triton
import triton.language as tl

SPEC = {
    "kind": "value",
    "types": "x_ptr:*fp32 out_ptr:*fp32 n_cols:i32",
    "constexprs": {"BLOCK": 16},
    "tensors": {"x": ("f32", "M", "n_cols"), "out": ("f32", "M")},
    "grid": ["M"],
    "sample": {"M": 2, "n_cols": 40},
}


@triton.jit
def first_block_left_out_bug(x_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n_cols
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for block in range(1, tl.cdiv(n_cols, BLOCK)):
        cols = block * BLOCK + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + row + cols, mask=cols < n_cols, other=0.0)
    tl.store(out_ptr + tl.program_id(0), tl.sum(total, axis=0))


@triton.jit
def first_block_left_out_fixed(x_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n_cols
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for block in range(0, tl.cdiv(n_cols, BLOCK)):
        cols = block * BLOCK + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + row + cols, mask=cols < n_cols, other=0.0)
    tl.store(out_ptr + tl.program_id(0), tl.sum(total, axis=0))
