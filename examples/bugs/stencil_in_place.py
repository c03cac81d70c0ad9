"""A stencil that is right for two tensors is launched in place: a program reads the neighbour that another one
has overwritten.
"""

import triton
import triton.language as tl

SPEC = {
    "kind": "alias",
    "types": "x_ptr:*fp32 y_ptr:*fp32 n:i32",
    "constexprs": {"BLOCK": 16},
    "tensors": {"x": ("f32", "n")},
    "args": {"y_ptr": "x"},
    "grid": ["cdiv(n,16)"],
    "sample": {"n": 40},
    "detect": "race",
    "fixed": {"tensors": {"x": ("f32", "n"), "y": ("f32", "n")}, "args": {"y_ptr": "y"}},
}


@triton.jit
def stencil_in_place_bug(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + index, mask=index < n, other=0.0)
    right = tl.load(x_ptr + index + 1, mask=index < n - 1, other=0.0)
    tl.store(y_ptr + index, x + right, mask=index < n)


@triton.jit
def stencil_in_place_fixed(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + index, mask=index < n, other=0.0)
    right = tl.load(x_ptr + index + 1, mask=index < n - 1, other=0.0)
    tl.store(y_ptr + index, x + right, mask=index < n)
