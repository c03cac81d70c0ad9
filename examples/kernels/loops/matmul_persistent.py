"""Matrix product by a fixed number of programs, each of which walks over tiles of C (grid stride)."""

import torch
import triton
import triton.language as tl


@triton.jit
def matmul_persistent_kernel(
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
):
    tiles_n = tl.cdiv(N, BLOCK_N)
    tiles = tl.cdiv(M, BLOCK_M) * tiles_n
    for tile in range(tl.program_id(0), tiles, tl.num_programs(0)):
        rows = (tile // tiles_n) * BLOCK_M + tl.arange(0, BLOCK_M)
        cols = (tile % tiles_n) * BLOCK_N + tl.arange(0, BLOCK_N)
        acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
        for start in range(0, K, BLOCK_K):
            inner = start + tl.arange(0, BLOCK_K)
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
            acc = tl.dot(a, b, acc)
        tl.store(
            c_ptr + rows[:, None] * stride_cm + cols[None, :],
            acc.to(c_ptr.dtype.element_ty),
            mask=(rows[:, None] < M) & (cols[None, :] < N),
        )


def matmul_persistent(a, b, block=(16, 32, 16), programs=3):
    M, K = a.shape
    N = b.shape[1]
    c = torch.empty((M, N), dtype=a.dtype)
    tiles = triton.cdiv(M, block[0]) * triton.cdiv(N, block[1])
    matmul_persistent_kernel[(min(programs, tiles),)](a, b, c, M, N, K, a.stride(0), b.stride(0), c.stride(0), *block)
    return {"c_ptr": c}
