"""The two strides of the input are swapped: a transposed read, beyond the end of a wide matrix."""

import triton
import triton.language as tl

SPEC = {
    "kind": "bounds",
    "types": "x_ptr:*fp32 y_ptr:*fp32 M:i32 N:i32",
    "constexprs": {"BLOCK": 8},
    "tensors": {"x": ("f32", "M", "N"), "y": ("f32", "M", "N")},
    "grid": ["cdiv(M,8)", "cdiv(N,8)"],
    "sample": {"M": 5, "N": 9},
}


@triton.jit
def strides_swapped_bug(x_ptr, y_ptr, M, N, BLOCK: tl.constexpr):
    rows = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    cols = tl.program_id(1).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = (rows[:, None] < M) & (cols[None, :] < N)
    x = tl.load(x_ptr + rows[:, None] + cols[None, :] * N, mask=mask, other=0.0)
    tl.store(y_ptr + rows[:, None] * N + cols[None, :], x, mask=mask)


@triton.jit
def strides_swapped_fixed(x_ptr, y_ptr, M, N, BLOCK: tl.constexpr):
    rows = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    cols = tl.program_id(1).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = (rows[:, None] < M) & (cols[None, :] < N)
    x = tl.load(x_ptr + rows[:, None] * N + cols[None, :], mask=mask, other=0.0)
    tl.store(y_ptr + rows[:, None] * N + cols[None, :], x, mask=mask)
