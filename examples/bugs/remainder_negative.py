"""A circular shift by % keeps the sign of the dividend: (i - shift) % n is negative, and reads before the
tensor.
"""

import triton
import triton.language as tl

SPEC = {
    "kind": "bounds",
    "types": "x_ptr:*fp32 y_ptr:*fp32 n:i32",
    "constexprs": {"BLOCK": 16, "SHIFT": 3},
    "tensors": {"x": ("f32", "n"), "y": ("f32", "n")},
    "grid": ["cdiv(n,16)"],
    "sample": {"n": 21},
}


@triton.jit
def remainder_negative_bug(x_ptr, y_ptr, n, BLOCK: tl.constexpr, SHIFT: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + (index - SHIFT) % n, mask=index < n, other=0.0)
    tl.store(y_ptr + index, x, mask=index < n)


@triton.jit
def remainder_negative_fixed(x_ptr, y_ptr, n, BLOCK: tl.constexpr, SHIFT: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + (index + (n - SHIFT % n)) % n, mask=index < n, other=0.0)
    tl.store(y_ptr + index, x, mask=index < n)
