"""The row stride is an argument, but the kernel uses the row length: wrong rows of a padded tensor."""

import triton
import triton.language as tl

SPEC = {
    "kind": "bounds",
    "types": "x_ptr:*fp32 y_ptr:*fp32 stride_x:i32 n_cols:i32",
    "constexprs": {"BLOCK": 64},
    "assume": ["n_cols <= 64"],
    "tensors": {"x": ("f32", "M", "n_cols", {"strides": ["stride_x", 1]}), "y": ("f32", "M", "n_cols")},
    "grid": ["M"],
    "sample": {"M": 3, "n_cols": 5, "stride_x": 8},
}


@triton.jit
def stride_assumed_bug(x_ptr, y_ptr, stride_x, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n_cols + cols, mask=cols < n_cols, other=0.0)
    tl.store(y_ptr + row * n_cols + cols, x + 1.0, mask=cols < n_cols)


@triton.jit
def stride_assumed_fixed(x_ptr, y_ptr, stride_x, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride_x + cols, mask=cols < n_cols, other=0.0)
    tl.store(y_ptr + row * n_cols + cols, x + 1.0, mask=cols < n_cols)
