"""Absolute value, in place."""

import torch
import triton
import triton.language as tl


@triton.jit
def abs_kernel(x_ptr, n_elements, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n_elements
    pointers = x_ptr + offsets
    tl.store(pointers, tl.abs(tl.load(pointers, mask=mask)), mask=mask)


def abs_(x):
    abs_kernel[(triton.cdiv(x.numel(), 1024),)](x, x.numel(), BLOCK=1024)
    return x
