"""SiLU of a matrix with any strides, exponential as a power of two, in tiles of 64 x 64."""

import torch
import triton
import triton.language as tl


@triton.jit
def silu_kernel(
    x_ptr, out_ptr, M, N, stride_xm, stride_xn, stride_om, stride_on, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr
):
    LOG2_E: tl.constexpr = 1.4426950408889634
    offs_m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = (offs_m < M)[:, None] & (offs_n < N)[None, :]
    x = tl.load(x_ptr + (offs_m * stride_xm)[:, None] + (offs_n * stride_xn)[None, :], mask=mask).to(tl.float32)
    y = x / (1.0 + tl.exp2(-x * LOG2_E))
    tl.store(
        out_ptr + (offs_m * stride_om)[:, None] + (offs_n * stride_on)[None, :],
        y.to(out_ptr.dtype.element_ty),
        mask=mask,
    )


def silu(x):
    M, N = x.shape
    out = torch.empty_like(x)
    silu_kernel[(triton.cdiv(M, 64), triton.cdiv(N, 64))](
        x, out, M, N, *x.stride(), *out.stride(), BLOCK_M=64, BLOCK_N=64
    )
    return out
