"""Difference of two matrices with any strides, in tiles of 64 x 64."""

import torch
import triton
import triton.language as tl


@triton.jit
def sub_kernel(
    x_ptr,
    y_ptr,
    out_ptr,
    M,
    N,
    stride_xm,
    stride_xn,
    stride_ym,
    stride_yn,
    stride_om,
    stride_on,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    offs_m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = (offs_m[:, None] < M) & (offs_n[None, :] < N)
    x = tl.load(x_ptr + offs_m[:, None] * stride_xm + offs_n[None, :] * stride_xn, mask=mask, other=0.0)
    y = tl.load(y_ptr + offs_m[:, None] * stride_ym + offs_n[None, :] * stride_yn, mask=mask, other=0.0)
    tl.store(out_ptr + offs_m[:, None] * stride_om + offs_n[None, :] * stride_on, x - y, mask=mask)


def sub(x, y):
    M, N = x.shape
    out = torch.empty_like(x)
    grid = (triton.cdiv(M, 64), triton.cdiv(N, 64))
    sub_kernel[grid](x, y, out, M, N, *x.stride(), *y.stride(), *out.stride(), BLOCK_M=64, BLOCK_N=64)
    return out
