"""Softmax of rows of any length in three passes: maximum, sum of exponentials, quotient."""

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_looped_kernel(x_ptr, y_ptr, stride_x, stride_y, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x_row = x_ptr + row * stride_x
    y_row = y_ptr + row * stride_y
    lanes = tl.arange(0, BLOCK)
    row_max = -float("inf")
    for start in range(0, n_cols, BLOCK):
        cols = start + lanes
        x = tl.load(x_row + cols, mask=cols < n_cols, other=-float("inf")).to(tl.float32)
        row_max = tl.maximum(row_max, tl.max(x, axis=0))
    total = 0.0
    for start in range(0, n_cols, BLOCK):
        cols = start + lanes
        x = tl.load(x_row + cols, mask=cols < n_cols, other=-float("inf")).to(tl.float32)
        total += tl.sum(tl.exp(x - row_max), axis=0)
    for start in range(0, n_cols, BLOCK):
        cols = start + lanes
        x = tl.load(x_row + cols, mask=cols < n_cols, other=0.0).to(tl.float32)
        tl.store(y_row + cols, tl.exp(x - row_max) / total, mask=cols < n_cols)


def softmax_looped(x, block=64):
    y = torch.empty_like(x)
    softmax_looped_kernel[(x.shape[0],)](x, y, x.stride(0), y.stride(0), x.shape[1], block)
    return {"y_ptr": y}
