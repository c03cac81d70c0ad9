"""The kernel loops over everything and never reads its program id, but is launched many times: all programs
write all elements.
"""

import triton
import triton.language as tl

SPEC = {
    "kind": "race",
    "types": "x_ptr:*fp32 y_ptr:*fp32 n:i32",
    "constexprs": {"BLOCK": 32},
    "tensors": {"x": ("f32", "n"), "y": ("f32", "n")},
    "grid": ["cdiv(n,32)"],
    "sample": {"n": 70},
}


@triton.jit
def program_id_unread_bug(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    for start in range(0, n, BLOCK):
        index = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + index, mask=index < n, other=0.0)
        tl.store(y_ptr + index, tl.abs(x), mask=index < n)


@triton.jit
def program_id_unread_fixed(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + index, mask=index < n, other=0.0)
    tl.store(y_ptr + index, tl.abs(x), mask=index < n)
