"""A difference with the right neighbour: the mask is that of the element, not of the neighbour."""

import triton
import triton.language as tl

SPEC = {
    "kind": "bounds",
    "types": "x_ptr:*fp32 y_ptr:*fp32 n:i32",
    "constexprs": {"BLOCK": 16},
    "tensors": {"x": ("f32", "n"), "y": ("f32", "n")},
    "grid": ["cdiv(n,16)"],
    "sample": {"n": 21},
}


@triton.jit
def right_neighbour_of_last_bug(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + index, mask=index < n, other=0.0)
    right = tl.load(x_ptr + index + 1, mask=index < n, other=0.0)
    tl.store(y_ptr + index, right - x, mask=index < n)


@triton.jit
def right_neighbour_of_last_fixed(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + index, mask=index < n, other=0.0)
    right = tl.load(x_ptr + index + 1, mask=index < n - 1, other=0.0)
    tl.store(y_ptr + index, right - x, mask=index < n)
