"""Matrix product whose K tail is not masked: rows of B beyond K are read (and elements of the next row of A
multiplied).
"""

import triton
import triton.language as tl

SPEC = {
    "kind": "bounds",
    "types": "a_ptr:*fp32 b_ptr:*fp32 c_ptr:*fp32 M:i32 N:i32 K:i32",
    "constexprs": {"BLOCK": 16},
    "tensors": {"a": ("f32", "M", "K"), "b": ("f32", "K", "N"), "c": ("f32", "M", "N")},
    "grid": ["cdiv(M,16)", "cdiv(N,16)"],
    "sample": {"M": 17, "N": 18, "K": 21},
}


@triton.jit
def k_tail_unmasked_bug(a_ptr, b_ptr, c_ptr, M, N, K, BLOCK: tl.constexpr):
    rows = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    cols = tl.program_id(1).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for start in range(0, K, BLOCK):
        inner = start + tl.arange(0, BLOCK)
        a = tl.load(a_ptr + rows[:, None] * K + inner[None, :], mask=rows[:, None] < M, other=0.0)
        b = tl.load(b_ptr + inner[:, None].to(tl.int64) * N + cols[None, :], mask=cols[None, :] < N, other=0.0)
        acc += tl.dot(a, b)
    tl.store(c_ptr + rows[:, None] * N + cols[None, :], acc, mask=(rows[:, None] < M) & (cols[None, :] < N))


@triton.jit
def k_tail_unmasked_fixed(a_ptr, b_ptr, c_ptr, M, N, K, BLOCK: tl.constexpr):
    rows = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    cols = tl.program_id(1).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for start in range(0, K, BLOCK):
        inner = start + tl.arange(0, BLOCK)
        a = tl.load(
            a_ptr + rows[:, None] * K + inner[None, :], mask=(rows[:, None] < M) & (inner[None, :] < K), other=0.0
        )
        b = tl.load(
            b_ptr + inner[:, None].to(tl.int64) * N + cols[None, :],
            mask=(inner[:, None] < K) & (cols[None, :] < N),
            other=0.0,
        )
        acc += tl.dot(a, b)
    tl.store(c_ptr + rows[:, None] * N + cols[None, :], acc, mask=(rows[:, None] < M) & (cols[None, :] < N))
