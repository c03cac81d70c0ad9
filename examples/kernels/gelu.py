"""GELU by the error function."""

import torch
import triton
import triton.language as tl


@triton.jit
def gelu_kernel(x_ptr, out_ptr, n_elements, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n_elements
    x = tl.load(x_ptr + offsets, mask=mask).to(tl.float32)
    cdf = 0.5 * (1.0 + tl.erf(x * 0.70710678118654752440))
    tl.store(out_ptr + offsets, (x * cdf).to(out_ptr.dtype.element_ty), mask=mask)


def gelu(x):
    out = torch.empty_like(x)
    gelu_kernel[(triton.cdiv(x.numel(), 1024),)](x, out, x.numel(), BLOCK=1024)
    return out
