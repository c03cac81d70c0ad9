"""A masked load without `other` is summed: the masked lanes hold anything."""

import triton
import triton.language as tl

SPEC = {
    "kind": "undefined",
    "types": "x_ptr:*fp32 out_ptr:*fp32 n:i32",
    "constexprs": {"BLOCK": 64},
    "tensors": {"x": ("f32", "n"), "out": ("f32", "cdiv(n,64)")},
    "grid": ["cdiv(n,64)"],
    "sample": {"n": 70},
}


@triton.jit
def undefined_in_sum_bug(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + index, mask=index < n)
    tl.store(out_ptr + tl.program_id(0), tl.sum(x, axis=0))


@triton.jit
def undefined_in_sum_fixed(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + index, mask=index < n)
    tl.store(out_ptr + tl.program_id(0), tl.sum(tl.where(index < n, x, 0.0), axis=0))
