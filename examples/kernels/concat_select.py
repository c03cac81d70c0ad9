"""Two flat tensors one after the other: each lane selects the pointer that it reads from."""

import torch
import triton
import triton.language as tl


@triton.jit
def concat_select_kernel(a_ptr, b_ptr, out_ptr, n_a, n_b, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n_a + n_b
    source = tl.where(offsets < n_a, a_ptr + offsets, b_ptr + (offsets - n_a))
    tl.store(out_ptr + offsets, tl.load(source, mask=mask), mask=mask)


def concat_select(a, b):
    out = torch.empty((a.numel() + b.numel(),), dtype=a.dtype)
    concat_select_kernel[(triton.cdiv(out.numel(), 1024),)](a, b, out, a.numel(), b.numel(), BLOCK=1024)
    return out
