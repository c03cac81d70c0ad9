"""Cosine, with the hints that authors give about contiguous offsets."""

import torch
import triton
import triton.language as tl


@triton.jit
def cos_kernel(x_ptr, out_ptr, n_elements, BLOCK: tl.constexpr):
    block_start = tl.multiple_of(tl.program_id(0) * BLOCK, BLOCK)
    offsets = tl.max_contiguous(block_start + tl.arange(0, BLOCK), BLOCK)
    mask = offsets < n_elements
    x = tl.load(x_ptr + offsets, mask=mask, eviction_policy="evict_first")
    y = tl.cos(x.to(tl.float32))
    tl.store(out_ptr + offsets, y, mask=mask)


def cos(x):
    out = torch.empty_like(x)
    cos_kernel[(triton.cdiv(x.numel(), 1024),)](x, out, x.numel(), BLOCK=1024)
    return out
