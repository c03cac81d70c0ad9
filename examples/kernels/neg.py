"""Negation; programs beyond the end return at once."""

import torch
import triton
import triton.language as tl


@triton.jit
def neg_kernel(x_ptr, out_ptr, n_elements, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    if start >= n_elements:
        return
    offsets = start + tl.arange(0, BLOCK)
    mask = offsets < n_elements
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, -x, mask=mask)


def neg(x):
    out = torch.empty_like(x)
    neg_kernel[(triton.cdiv(x.numel(), 1024) + 1,)](x, out, x.numel(), BLOCK=1024)
    return out
