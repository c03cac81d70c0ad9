"""Gradient of SiLU."""

import torch
import triton
import triton.language as tl


@triton.jit
def silu_backward_kernel(dy_ptr, x_ptr, dx_ptr, n_elements, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n_elements
    dy = tl.load(dy_ptr + offsets, mask=mask, other=0.0)
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    sigma = 1 / (1 + tl.exp(-x))
    tl.store(dx_ptr + offsets, dy * sigma * (1.0 + x * (1.0 - sigma)), mask=mask)


def silu_backward(dy, x):
    dx = torch.empty_like(x)
    silu_backward_kernel[(triton.cdiv(x.numel(), 1024),)](dy, x, dx, x.numel(), BLOCK=1024)
    return dx
