"""Cumulative sum of rows of any length: a scan of each block plus the sum of the blocks before."""

import torch
import triton
import triton.language as tl


@triton.jit
def cumsum_kernel(x_ptr, y_ptr, stride_x, stride_y, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    carry = 0.0
    for start in range(0, n_cols, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        mask = cols < n_cols
        x = tl.load(x_ptr + row * stride_x + cols, mask=mask, other=0.0).to(tl.float32)
        y = carry + tl.cumsum(x, axis=0)
        tl.store(y_ptr + row * stride_y + cols, y.to(y_ptr.dtype.element_ty), mask=mask)
        carry += tl.sum(x, axis=0)


def cumsum(x, block=64):
    y = torch.empty_like(x)
    cumsum_kernel[(x.shape[0],)](x, y, x.stride(0), y.stride(0), x.shape[1], block)
    return {"y_ptr": y}
