"""A vector is reversed in place, each program reading what another one overwrites."""

import triton
import triton.language as tl

SPEC = {
    "kind": "race",
    "types": "x_ptr:*fp32 n:i32",
    "constexprs": {"BLOCK": 16},
    "tensors": {"x": ("f32", "n")},
    "grid": ["cdiv(n,16)"],
    "sample": {"n": 50},
    "fixed": {"grid": ["cdiv(n//2,16)"], "sample": {"n": 51}},
}


@triton.jit
def reverse_in_place_bug(x_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + n - 1 - index, mask=index < n, other=0.0)
    tl.store(x_ptr + index, x, mask=index < n)


@triton.jit
def reverse_in_place_fixed(x_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < n // 2
    low = tl.load(x_ptr + index, mask=inside, other=0.0)
    high = tl.load(x_ptr + n - 1 - index, mask=inside, other=0.0)
    tl.store(x_ptr + index, high, mask=inside)
    tl.store(x_ptr + n - 1 - index, low, mask=inside)
