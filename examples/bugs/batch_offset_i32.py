"""Batch offset formed in i32: batch * stride_b is the largest product of all and wraps first."""

import triton
import triton.language as tl

SPEC = {
    "kind": "overflow",
    "types": "x_ptr:*fp16 out_ptr:*fp32 stride_b:i32 stride_r:i32 n_rows:i32 n_cols:i32",
    "constexprs": {"BLOCK": 256},
    "tensors": {
        "x": ("f16", "B", "n_rows", "n_cols", {"strides": ["stride_b", "stride_r", 1]}),
        "out": ("f32", "B", "n_rows"),
    },
    "grid": ["n_rows", "B"],
    "sample": {"B": 2, "n_rows": 3, "n_cols": 200, "stride_b": 600, "stride_r": 200},
    "dynamic": False,
    "assume": ["n_cols <= 256"],
    "sizes": {"B": 70000, "n_rows": 128, "n_cols": 256, "stride_b": 32768, "stride_r": 256},
}


@triton.jit
def batch_offset_i32_bug(x_ptr, out_ptr, stride_b, stride_r, n_rows, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    batch = tl.program_id(1)
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + batch * stride_b + row * stride_r + cols, mask=cols < n_cols, other=0.0).to(tl.float32)
    tl.store(out_ptr + batch * n_rows + row, tl.sum(x, axis=0))


@triton.jit
def batch_offset_i32_fixed(x_ptr, out_ptr, stride_b, stride_r, n_rows, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    batch = tl.program_id(1).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + batch * stride_b + row * stride_r + cols, mask=cols < n_cols, other=0.0).to(tl.float32)
    tl.store(out_ptr + batch * n_rows + row, tl.sum(x, axis=0))
