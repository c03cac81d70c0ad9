"""Sum of each row, of any length: a vector of partial sums, reduced once after the loop."""

import torch
import triton
import triton.language as tl


@triton.jit
def sum_long_kernel(x_ptr, out_ptr, stride_x, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    lanes = tl.arange(0, BLOCK)
    partial = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, n_cols, BLOCK):
        cols = start + lanes
        partial += tl.load(x_ptr + row * stride_x + cols, mask=cols < n_cols, other=0.0).to(tl.float32)
    tl.store(out_ptr + row, tl.sum(partial, axis=0))


def sum_long(x, block=64):
    out = torch.empty((x.shape[0],), dtype=torch.float32)
    sum_long_kernel[(x.shape[0],)](x, out, x.stride(0), x.shape[1], block)
    return {"out_ptr": out}
