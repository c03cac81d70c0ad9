"""An in-place update is run again by the autotuner (here: launched twice): the second run works on the first
one's result.
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
    "runs": 2,
    "sample": {"n": 21},
    "fixed": {"tensors": {"x": ("f32", "n"), "y": ("f32", "n")}, "args": {"y_ptr": "y"}},
    "compare": {"x": "y"},
}


@triton.jit
def autotuned_in_place_bug(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + index, mask=index < n, other=0.0)
    tl.store(y_ptr + index, tl.where(x > 0, x, x * 0.1), mask=index < n)


@triton.jit
def autotuned_in_place_fixed(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + index, mask=index < n, other=0.0)
    tl.store(y_ptr + index, tl.where(x > 0, x, x * 0.1), mask=index < n)
