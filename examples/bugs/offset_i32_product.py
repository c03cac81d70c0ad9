"""Row offset formed in i32: row * stride wraps for large tensors; the fix widens the program id first."""

import triton
import triton.language as tl

SPEC = {
    "kind": "overflow",
    "types": "x_ptr:*fp32 y_ptr:*fp32 stride_x:i32 stride_y:i32 n_cols:i32",
    "constexprs": {"BLOCK": 128},
    "tensors": {
        "x": ("f32", "M", "n_cols", {"strides": ["stride_x", 1]}),
        "y": ("f32", "M", "n_cols", {"strides": ["stride_y", 1]}),
    },
    "grid": ["M", "cdiv(n_cols,128)"],
    "sample": {"M": 3, "n_cols": 130, "stride_x": 140, "stride_y": 131},
    "dynamic": False,
    "sizes": {"M": 20973, "stride_x": 102400, "stride_y": 102400, "n_cols": 102400},
}


@triton.jit
def offset_i32_product_bug(x_ptr, y_ptr, stride_x, stride_y, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride_x + cols, mask=cols < n_cols, other=0.0)
    tl.store(y_ptr + row * stride_y + cols, x * 2.0, mask=cols < n_cols)


@triton.jit
def offset_i32_product_fixed(x_ptr, y_ptr, stride_x, stride_y, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    cols = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride_x + cols, mask=cols < n_cols, other=0.0)
    tl.store(y_ptr + row * stride_y + cols, x * 2.0, mask=cols < n_cols)
