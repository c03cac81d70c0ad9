"""Sum of a long vector: grid-stride programs, each adds its share to one cell atomically."""

import torch
import triton
import triton.language as tl


@triton.jit
def sum_atomic_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    first = tl.program_id(0)
    programs = tl.num_programs(0)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for block in range(first, tl.cdiv(n, BLOCK), programs):
        cols = block * BLOCK + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + cols, mask=cols < n, other=0.0).to(tl.float32)
    tl.atomic_add(out_ptr, tl.sum(total, axis=0), sem="relaxed")


def sum_atomic(x, block=32, programs=4):
    out = torch.zeros((1,), dtype=torch.float32)
    sum_atomic_kernel[(min(programs, triton.cdiv(x.numel(), block)),)](x, out, x.numel(), block)
    return {"out_ptr": out}
