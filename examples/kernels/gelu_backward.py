"""Gradient of GELU (error function form)."""

import torch
import triton
import triton.language as tl


@triton.jit
def gelu_backward_kernel(dy_ptr, x_ptr, dx_ptr, n_elements, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n_elements
    x = tl.load(x_ptr + offsets, mask=mask).to(tl.float32)
    dy = tl.load(dy_ptr + offsets, mask=mask).to(tl.float32)
    sqrt_half = 0.70710678118654752440
    inv_sqrt_2pi = 0.39894228040143267794
    cdf = 0.5 * (1.0 + tl.erf(x * sqrt_half))
    pdf = tl.exp(-0.5 * x * x) * inv_sqrt_2pi
    tl.store(dx_ptr + offsets, (dy * (cdf + x * pdf)).to(dx_ptr.dtype.element_ty), mask=mask)


def gelu_backward(dy, x):
    dx = torch.empty_like(x)
    gelu_backward_kernel[(triton.cdiv(x.numel(), 1024),)](dy, x, dx, x.numel(), BLOCK=1024)
    return dx
