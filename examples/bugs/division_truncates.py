"""Integer division truncates towards zero: (i - 1) // 2 is 0 for i = 0, so an element that floor division would
leave out is read.
"""

import triton
import triton.language as tl

SPEC = {
    "kind": "value",
    "types": "x_ptr:*fp32 y_ptr:*fp32 n:i32 half:i32",
    "constexprs": {"BLOCK": 16},
    "tensors": {"x": ("f32", "half"), "y": ("f32", "n")},
    "grid": ["cdiv(n,16)"],
    "sample": {"n": 21, "half": 11},
}


@triton.jit
def division_truncates_bug(x_ptr, y_ptr, n, half, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    source = (index - 1) // 2
    x = tl.load(x_ptr + source, mask=(index < n) & (source >= 0) & (source < half), other=0.0)
    tl.store(y_ptr + index, x, mask=index < n)


@triton.jit
def division_truncates_fixed(x_ptr, y_ptr, n, half, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    source = (index + 1) // 2 - 1
    x = tl.load(x_ptr + source, mask=(index < n) & (source >= 0) & (source < half), other=0.0)
    tl.store(y_ptr + index, x, mask=index < n)
