"""Exponentials of base 2 without log2 e in the scale: the softmax is too flat."""

import triton
import triton.language as tl

SPEC = {
    "kind": "value",
    "types": "x_ptr:*fp32 y_ptr:*fp32 n_cols:i32",
    "constexprs": {"BLOCK": 64},
    "assume": ["n_cols <= 64"],
    "tensors": {"x": ("f32", "M", "n_cols"), "y": ("f32", "M", "n_cols")},
    "grid": ["M"],
    "sample": {"M": 3, "n_cols": 50},
}


@triton.jit
def base_two_without_log2e_bug(x_ptr, y_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n_cols
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row + cols, mask=cols < n_cols, other=-float("inf"))
    e = tl.math.exp2(x - tl.max(x, axis=0))
    tl.store(y_ptr + row + cols, e / tl.sum(e, axis=0), mask=cols < n_cols)


@triton.jit
def base_two_without_log2e_fixed(x_ptr, y_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n_cols
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row + cols, mask=cols < n_cols, other=-float("inf")) * 1.4426950408889634
    e = tl.math.exp2(x - tl.max(x, axis=0))
    tl.store(y_ptr + row + cols, e / tl.sum(e, axis=0), mask=cols < n_cols)
