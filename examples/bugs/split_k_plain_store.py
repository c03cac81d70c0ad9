"""Parts of K are summed by different programs, which then overwrite each other instead of adding."""

import triton
import triton.language as tl

SPEC = {
    "kind": "race",
    "types": "a_ptr:*fp32 b_ptr:*fp32 c_ptr:*fp32 M:i32 N:i32 K:i32",
    "constexprs": {"BLOCK": 16, "SPLIT": 2},
    "tensors": {"a": ("f32", "M", "K"), "b": ("f32", "K", "N"), "c": ("f32", "M", "N")},
    "grid": ["cdiv(M,16)", "cdiv(N,16)", 2],
    "sample": {"M": 17, "N": 5, "K": 40},
}


@triton.jit
def split_k_plain_store_bug(a_ptr, b_ptr, c_ptr, M, N, K, BLOCK: tl.constexpr, SPLIT: tl.constexpr):
    rows = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    cols = tl.program_id(1).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for block in range(0, tl.cdiv(K, BLOCK * SPLIT)):
        inner = (block * SPLIT + tl.program_id(2)).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
        a = tl.load(
            a_ptr + rows[:, None] * K + inner[None, :], mask=(rows[:, None] < M) & (inner[None, :] < K), other=0.0
        )
        b = tl.load(
            b_ptr + inner[:, None] * N + cols[None, :], mask=(inner[:, None] < K) & (cols[None, :] < N), other=0.0
        )
        acc += tl.dot(a, b)
    tl.store(c_ptr + rows[:, None] * N + cols[None, :], acc, mask=(rows[:, None] < M) & (cols[None, :] < N))


@triton.jit
def split_k_plain_store_fixed(a_ptr, b_ptr, c_ptr, M, N, K, BLOCK: tl.constexpr, SPLIT: tl.constexpr):
    rows = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    cols = tl.program_id(1).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for block in range(0, tl.cdiv(K, BLOCK * SPLIT)):
        inner = (block * SPLIT + tl.program_id(2)).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
        a = tl.load(
            a_ptr + rows[:, None] * K + inner[None, :], mask=(rows[:, None] < M) & (inner[None, :] < K), other=0.0
        )
        b = tl.load(
            b_ptr + inner[:, None] * N + cols[None, :], mask=(inner[:, None] < K) & (cols[None, :] < N), other=0.0
        )
        acc += tl.dot(a, b)
    tl.atomic_add(
        c_ptr + rows[:, None] * N + cols[None, :], acc, mask=(rows[:, None] < M) & (cols[None, :] < N), sem="relaxed"
    )
