"""Lanes of one store share addresses (index // 2) but hold different values: which one wins is not said."""

import triton
import triton.language as tl

SPEC = {
    "kind": "race",
    "types": "x_ptr:*fp32 y_ptr:*fp32 n:i32",
    "constexprs": {"BLOCK": 16},
    "tensors": {"x": ("f32", "n"), "y": ("f32", "cdiv(n,2)")},
    "grid": ["cdiv(n,16)"],
    "sample": {"n": 20},
}


@triton.jit
def lanes_share_an_address_bug(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + index, mask=index < n, other=0.0)
    tl.store(y_ptr + index // 2, x, mask=index < n)


@triton.jit
def lanes_share_an_address_fixed(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + index, mask=index < n, other=0.0)
    tl.store(y_ptr + index // 2, x, mask=(index < n) & (index % 2 == 0))
