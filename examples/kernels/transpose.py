"""Transpose of a matrix, tile by tile: read along rows, written along columns."""

import torch
import triton
import triton.language as tl


@triton.jit
def transpose_kernel(x_ptr, out_ptr, M, N, stride_xm, stride_on, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    rm = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    rn = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    x = tl.load(x_ptr + rm[:, None] * stride_xm + rn[None, :], mask=(rm[:, None] < M) & (rn[None, :] < N))
    tl.store(out_ptr + rn[:, None] * stride_on + rm[None, :], tl.trans(x), mask=(rn[:, None] < N) & (rm[None, :] < M))


def transpose(x):
    M, N = x.shape
    out = torch.empty((N, M), dtype=x.dtype)
    transpose_kernel[(triton.cdiv(M, 64), triton.cdiv(N, 32))](
        x, out, M, N, x.stride(0), out.stride(0), BLOCK_M=64, BLOCK_N=32
    )
    return out
