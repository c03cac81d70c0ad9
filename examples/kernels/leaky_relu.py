"""Leaky rectifier with the slope as an argument."""

import torch
import triton
import triton.language as tl


@triton.jit
def leaky_relu_kernel(x_ptr, out_ptr, negative_slope, n_elements, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n_elements
    x = tl.load(x_ptr + offsets, mask=mask).to(tl.float32)
    y = tl.where(x >= 0, x, negative_slope * x)
    tl.store(out_ptr + offsets, y.to(out_ptr.dtype.element_ty), mask=mask)


def leaky_relu(x, negative_slope=0.01):
    out = torch.empty_like(x)
    leaky_relu_kernel[(triton.cdiv(x.numel(), 1024),)](x, out, negative_slope, x.numel(), BLOCK=1024)
    return out
