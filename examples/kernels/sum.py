"""Sum of each row of a matrix with any strides; a program takes 16 rows, a row fits in one block."""

import torch
import triton
import triton.language as tl


@triton.jit
def sum_kernel(x_ptr, out_ptr, M, N, stride_m, stride_n, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tl.arange(0, BLOCK_N)
    mask = (rows < M)[:, None] & (cols < N)[None, :]
    x = tl.load(x_ptr + rows[:, None] * stride_m + cols[None, :] * stride_n, mask=mask, other=0.0).to(tl.float32)
    tl.store(out_ptr + rows, tl.sum(x, axis=1), mask=rows < M)


def row_sum(x):
    M, N = x.shape
    out = torch.empty((M,), dtype=torch.float32)
    sum_kernel[(triton.cdiv(M, 16),)](
        x, out, M, N, *x.stride(), BLOCK_M=16, BLOCK_N=max(256, triton.next_power_of_2(N))
    )
    return out
