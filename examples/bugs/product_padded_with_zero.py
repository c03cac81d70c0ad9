"""Masked lanes of a product are 0, its neutral element is 1."""

import triton
import triton.language as tl

SPEC = {
    "kind": "value",
    "types": "x_ptr:*fp32 out_ptr:*fp32 n_cols:i32",
    "constexprs": {"BLOCK": 32},
    "tensors": {"x": ("f32", "M", "n_cols"), "out": ("f32", "M")},
    "grid": ["M"],
    "sample": {"M": 3, "n_cols": 4},
}


@triton.jit
def multiply(a, b):
    return a * b


@triton.jit
def product_padded_with_zero_bug(x_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    product = tl.full((BLOCK,), 1.0, dtype=tl.float32)
    for start in range(0, n_cols, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        product *= tl.load(x_ptr + row * n_cols + cols, mask=cols < n_cols, other=0.0)
    tl.store(out_ptr + row, tl.reduce(product, 0, multiply))


@triton.jit
def product_padded_with_zero_fixed(x_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    product = tl.full((BLOCK,), 1.0, dtype=tl.float32)
    for start in range(0, n_cols, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        product *= tl.load(x_ptr + row * n_cols + cols, mask=cols < n_cols, other=1.0)
    tl.store(out_ptr + row, tl.reduce(product, 0, multiply))
