"""Programs are BLOCK / 2 apart but write BLOCK elements: neighbours write the same elements, with different
values.
"""

import triton
import triton.language as tl

SPEC = {
    "kind": "race",
    "types": "x_ptr:*fp32 y_ptr:*fp32 n:i32",
    "constexprs": {"BLOCK": 32},
    "tensors": {"x": ("f32", "n"), "y": ("f32", "n")},
    "grid": ["cdiv(n,16)"],
    "sample": {"n": 70},
    "fixed": {"grid": ["cdiv(n,32)"]},
}


@triton.jit
def overlapping_writes_bug(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * (BLOCK // 2) + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + index, mask=index < n, other=0.0)
    tl.store(y_ptr + index, x - tl.sum(x, axis=0), mask=index < n)


@triton.jit
def overlapping_writes_fixed(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + index, mask=index < n, other=0.0)
    tl.store(y_ptr + index, x - tl.sum(x, axis=0), mask=index < n)
