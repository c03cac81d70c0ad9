"""Maximum of a long vector in two launches, the blocks of the first folded by a while loop in the second."""

import torch
import triton
import triton.language as tl


@triton.jit
def max_partial_kernel(x_ptr, partial_ptr, n, BLOCK: tl.constexpr):
    block = tl.program_id(0)
    cols = block * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + cols, mask=cols < n, other=float("-inf"))
    tl.store(partial_ptr + block, tl.max(x, axis=0))


@triton.jit
def max_final_kernel(partial_ptr, out_ptr, count, BLOCK: tl.constexpr):
    best = float("-inf")
    start = 0
    while start < count:
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(partial_ptr + cols, mask=cols < count, other=float("-inf"))
        best = tl.maximum(best, tl.max(x, axis=0))
        start += BLOCK
    tl.store(out_ptr, best)


def max_two_launch(x, block=64, final_block=16):
    n = x.numel()
    count = triton.cdiv(n, block)
    partial = torch.empty((count,), dtype=x.dtype)
    out = torch.empty((1,), dtype=x.dtype)
    max_partial_kernel[(count,)](x, partial, n, block)
    max_final_kernel[(1,)](partial, out, count, final_block)
    return {"out_ptr": out}
