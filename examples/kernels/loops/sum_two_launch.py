"""Sum of a long vector in two launches: one partial sum per block, then one program adds these."""

import torch
import triton
import triton.language as tl


@triton.jit
def sum_partial_kernel(x_ptr, partial_ptr, n, BLOCK: tl.constexpr):
    block = tl.program_id(0)
    cols = block * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + cols, mask=cols < n, other=0.0).to(tl.float32)
    tl.store(partial_ptr + block, tl.sum(x, axis=0))


@triton.jit
def sum_final_kernel(partial_ptr, out_ptr, count, BLOCK: tl.constexpr):
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, count, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        total += tl.load(partial_ptr + cols, mask=cols < count, other=0.0)
    tl.store(out_ptr, tl.sum(total, axis=0))


def sum_two_launch(x, block=64, final_block=16):
    n = x.numel()
    count = triton.cdiv(n, block)
    partial = torch.empty((count,), dtype=torch.float32)
    out = torch.empty((1,), dtype=torch.float32)
    sum_partial_kernel[(count,)](x, partial, n, block)
    sum_final_kernel[(1,)](partial, out, count, final_block)
    return {"out_ptr": out}
