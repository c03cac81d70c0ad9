"""Index of the maximum of each row, of any length; the first one where several are equal."""

import torch
import triton
import triton.language as tl


@triton.jit
def argmax_long_kernel(x_ptr, out_ptr, stride_x, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    best = float("-inf")
    best_index = 0
    for start in range(0, n_cols, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride_x + cols, mask=cols < n_cols, other=float("-inf")).to(tl.float32)
        block_best, block_index = tl.max(x, axis=0, return_indices=True)
        better = block_best > best
        best_index = tl.where(better, start + block_index, best_index)
        best = tl.where(better, block_best, best)
    tl.store(out_ptr + row, best_index)


def argmax_long(x, block=64):
    out = torch.empty((x.shape[0],), dtype=torch.int32)
    argmax_long_kernel[(x.shape[0],)](x, out, x.stride(0), x.shape[1], block)
    return {"out_ptr": out}
