"""A remainder by a count that is read from memory and may be zero."""

import triton
import triton.language as tl

SPEC = {
    "kind": "division",
    "types": "x_ptr:*i32 count_ptr:*i32 y_ptr:*i32 n:i32",
    "constexprs": {"BLOCK": 16},
    "tensors": {"x": ("i32", "n"), "count": ("i32", 1), "y": ("i32", "n")},
    "grid": ["cdiv(n,16)"],
    "sample": {"n": 5, "x": [1, 2, 3, 4, 5], "count": [0]},
}


@triton.jit
def divisor_from_memory_bug(x_ptr, count_ptr, y_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    count = tl.load(count_ptr)
    x = tl.load(x_ptr + index, mask=index < n, other=0)
    tl.store(y_ptr + index, x % count, mask=index < n)


@triton.jit
def divisor_from_memory_fixed(x_ptr, count_ptr, y_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    count = tl.maximum(tl.load(count_ptr), 1)
    x = tl.load(x_ptr + index, mask=index < n, other=0)
    tl.store(y_ptr + index, x % count, mask=index < n)
