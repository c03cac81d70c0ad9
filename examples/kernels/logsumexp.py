"""Logarithm of the sum of the exponentials of each row; 8 rows a program."""

import torch
import triton
import triton.language as tl


@triton.jit
def logsumexp_kernel(x_ptr, out_ptr, M, N, stride_m, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tl.arange(0, BLOCK_N)
    x = tl.load(
        x_ptr + rows[:, None] * stride_m + cols[None, :],
        mask=(rows[:, None] < M) & (cols[None, :] < N),
        other=-float("inf"),
    )
    x = tl.where(rows[:, None] < M, x, 0.0)
    largest = tl.max(x, axis=1)
    total = tl.sum(tl.exp(x - largest[:, None]), axis=1)
    tl.store(out_ptr + rows, largest + tl.log(total), mask=rows < M)


def logsumexp(x):
    M, N = x.shape
    out = torch.empty((M,), dtype=x.dtype)
    logsumexp_kernel[(triton.cdiv(M, 8),)](
        x, out, M, N, x.stride(0), BLOCK_M=8, BLOCK_N=max(256, triton.next_power_of_2(N))
    )
    return out
