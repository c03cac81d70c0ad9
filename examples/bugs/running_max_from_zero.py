"""The running maximum starts at 0: rows of negative numbers give 0."""

import triton
import triton.language as tl

SPEC = {
    "kind": "value",
    "types": "x_ptr:*fp32 out_ptr:*fp32 n_cols:i32",
    "constexprs": {"BLOCK": 16},
    "tensors": {"x": ("f32", "M", "n_cols"), "out": ("f32", "M")},
    "grid": ["M"],
    "sample": {"M": 2, "n_cols": 40, "x": "negative"},
}


@triton.jit
def running_max_from_zero_bug(x_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n_cols
    best = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, n_cols, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        best = tl.maximum(best, tl.load(x_ptr + row + cols, mask=cols < n_cols, other=-float("inf")))
    tl.store(out_ptr + tl.program_id(0), tl.max(best, axis=0))


@triton.jit
def running_max_from_zero_fixed(x_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n_cols
    best = tl.full((BLOCK,), -float("inf"), dtype=tl.float32)
    for start in range(0, n_cols, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        best = tl.maximum(best, tl.load(x_ptr + row + cols, mask=cols < n_cols, other=-float("inf")))
    tl.store(out_ptr + tl.program_id(0), tl.max(best, axis=0))
