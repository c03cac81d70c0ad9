"""The host launches M // 16 programs: the last rows are left out. The kernel itself is right."""

import triton
import triton.language as tl

SPEC = {
    "kind": "coverage",
    "types": "x_ptr:*fp32 y_ptr:*fp32 M:i32",
    "constexprs": {"BLOCK": 16},
    "tensors": {"x": ("f32", "M"), "y": ("f32", "M")},
    "grid": ["M//16"],
    "sample": {"M": 37},
    "fixed": {"grid": ["cdiv(M,16)"]},
}


@triton.jit
def grid_rounded_down_bug(x_ptr, y_ptr, M, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + rows, tl.load(x_ptr + rows, mask=rows < M, other=0.0) + 1.0, mask=rows < M)


@triton.jit
def grid_rounded_down_fixed(x_ptr, y_ptr, M, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + rows, tl.load(x_ptr + rows, mask=rows < M, other=0.0) + 1.0, mask=rows < M)
