"""A causal filter reads steps before the first one: the lower bound is not masked."""

import triton
import triton.language as tl

SPEC = {
    "kind": "bounds",
    "types": "x_ptr:*fp32 w_ptr:*fp32 y_ptr:*fp32 n:i32 width:i32",
    "constexprs": {"BLOCK": 16},
    "tensors": {"x": ("f32", "n"), "w": ("f32", "width"), "y": ("f32", "n")},
    "grid": ["cdiv(n,16)"],
    "sample": {"n": 21, "width": 4},
}


@triton.jit
def history_before_start_bug(x_ptr, w_ptr, y_ptr, n, width, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for tap in range(0, width):
        source = index - tap
        acc += tl.load(w_ptr + tap) * tl.load(x_ptr + source, mask=source < n, other=0.0)
    tl.store(y_ptr + index, acc, mask=index < n)


@triton.jit
def history_before_start_fixed(x_ptr, w_ptr, y_ptr, n, width, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for tap in range(0, width):
        source = index - tap
        acc += tl.load(w_ptr + tap) * tl.load(x_ptr + source, mask=(source >= 0) & (source < n), other=0.0)
    tl.store(y_ptr + index, acc, mask=index < n)
