"""The halves of a vector are swapped in place, and the second one begins an element too early: the middle belongs to both."""

import triton
import triton.language as tl

SPEC = {
    "kind": "race",
    "types": "x_ptr:*fp32 n:i32",
    "constexprs": {"BLOCK": 16},
    "tensors": {"x": ("f32", "n")},
    "grid": ["cdiv(n//2,16)"],
    "sample": {"n": 50},
}


@triton.jit
def swap_halves_overlap_bug(x_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < n // 2
    low = tl.load(x_ptr + index, mask=inside, other=0.0)
    high = tl.load(x_ptr + n // 2 - 1 + index, mask=inside, other=0.0)
    tl.store(x_ptr + index, high, mask=inside)
    tl.store(x_ptr + n // 2 - 1 + index, low, mask=inside)


@triton.jit
def swap_halves_overlap_fixed(x_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < n // 2
    low = tl.load(x_ptr + index, mask=inside, other=0.0)
    high = tl.load(x_ptr + n // 2 + index, mask=inside, other=0.0)
    tl.store(x_ptr + index, high, mask=inside)
    tl.store(x_ptr + n // 2 + index, low, mask=inside)
