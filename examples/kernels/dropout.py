"""Dropout with a given mask of the elements to keep."""

import torch
import triton
import triton.language as tl


@triton.jit
def dropout_kernel(x_ptr, keep_ptr, out_ptr, n_elements, p, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n_elements
    x = tl.load(x_ptr + offsets, mask=mask)
    keep = tl.load(keep_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, tl.where(keep != 0, x / (1 - p), 0.0), mask=mask)


def dropout(x, keep, p=0.5):
    out = torch.empty_like(x)
    dropout_kernel[(triton.cdiv(x.numel(), 1024),)](x, keep, out, x.numel(), p, BLOCK=1024)
    return out
