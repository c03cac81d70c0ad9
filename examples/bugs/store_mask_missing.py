"""The load is masked, the store is not: the last block writes beyond the end."""

import triton
import triton.language as tl

SPEC = {
    "kind": "bounds",
    "types": "x_ptr:*fp32 y_ptr:*fp32 n:i32",
    "constexprs": {"BLOCK": 64},
    "tensors": {"x": ("f32", "n"), "y": ("f32", "n")},
    "grid": ["cdiv(n,64)"],
    "sample": {"n": 70},
}


@triton.jit
def store_mask_missing_bug(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + index, mask=index < n, other=0.0)
    tl.store(y_ptr + index, tl.exp(x))


@triton.jit
def store_mask_missing_fixed(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + index, mask=index < n, other=0.0)
    tl.store(y_ptr + index, tl.exp(x), mask=index < n)
