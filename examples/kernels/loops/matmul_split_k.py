"""Matrix product with K split over programs; the parts are added to C (f32, zeroed before) atomically."""

import torch
import triton
import triton.language as tl


@triton.jit
def matmul_split_k_kernel(
    a_ptr,
    b_ptr,
    c_ptr,
    M,
    N,
    K,
    stride_am,
    stride_bk,
    stride_cm,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    SPLIT_K: tl.constexpr,
):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    part = tl.program_id(2)
    inner = part * BLOCK_K + tl.arange(0, BLOCK_K)
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for _ in range(0, tl.cdiv(K, BLOCK_K * SPLIT_K)):
        a = tl.load(
            a_ptr + rows[:, None] * stride_am + inner[None, :],
            mask=(rows[:, None] < M) & (inner[None, :] < K),
            other=0.0,
        )
        b = tl.load(
            b_ptr + inner[:, None] * stride_bk + cols[None, :],
            mask=(inner[:, None] < K) & (cols[None, :] < N),
            other=0.0,
        )
        acc += tl.dot(a, b)
        inner += BLOCK_K * SPLIT_K
    tl.atomic_add(
        c_ptr + rows[:, None] * stride_cm + cols[None, :],
        acc,
        mask=(rows[:, None] < M) & (cols[None, :] < N),
        sem="relaxed",
    )


def matmul_split_k(a, b, block=(16, 32, 16), split_k=3):
    M, K = a.shape
    N = b.shape[1]
    c = torch.zeros((M, N), dtype=torch.float32)
    grid = (triton.cdiv(M, block[0]), triton.cdiv(N, block[1]), split_k)
    matmul_split_k_kernel[grid](a, b, c, M, N, K, a.stride(0), b.stride(0), c.stride(0), *block, split_k)
    return {"c_ptr": c}
