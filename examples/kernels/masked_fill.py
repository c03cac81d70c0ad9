"""Replace the elements where a Boolean mask is true."""

import torch
import triton
import triton.language as tl


@triton.jit
def masked_fill_kernel(x_ptr, mask_ptr, out_ptr, value, n_elements, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n_elements
    x = tl.load(x_ptr + offsets, mask=inside, other=0.0)
    fill = tl.load(mask_ptr + offsets, mask=inside, other=0)
    tl.store(out_ptr + offsets, tl.where(fill, value, x), mask=inside)


def masked_fill(x, mask, value):
    out = torch.empty_like(x)
    masked_fill_kernel[(triton.cdiv(x.numel(), 1024),)](x, mask, out, value, x.numel(), BLOCK=1024)
    return out
