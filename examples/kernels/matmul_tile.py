"""Product of small half-precision matrices, one pair a program: each matrix fits in one tile."""

import torch
import triton
import triton.language as tl


@triton.jit
def matmul_tile_kernel(
    a_ptr,
    b_ptr,
    c_ptr,
    M,
    N,
    K,
    stride_ab,
    stride_am,
    stride_bb,
    stride_bk,
    stride_cb,
    stride_cm,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    batch = tl.program_id(0)
    m = tl.arange(0, BLOCK_M)
    n = tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    a = tl.load(
        a_ptr + batch * stride_ab + m[:, None] * stride_am + k[None, :],
        mask=(m[:, None] < M) & (k[None, :] < K),
        other=0.0,
    )
    b = tl.load(
        b_ptr + batch * stride_bb + k[:, None] * stride_bk + n[None, :],
        mask=(k[:, None] < K) & (n[None, :] < N),
        other=0.0,
    )
    c = tl.dot(a, b, out_dtype=tl.float32)
    tl.store(
        c_ptr + batch * stride_cb + m[:, None] * stride_cm + n[None, :],
        c.to(c_ptr.dtype.element_ty),
        mask=(m[:, None] < M) & (n[None, :] < N),
    )


def matmul_tile(a, b):
    batch, M, K = a.shape
    N = b.shape[2]
    c = torch.empty((batch, M, N), dtype=a.dtype)
    matmul_tile_kernel[(batch,)](
        a, b, c, M, N, K, *a.stride()[:2], *b.stride()[:2], *c.stride()[:2], BLOCK_M=64, BLOCK_N=64, BLOCK_K=64
    )
    return c
