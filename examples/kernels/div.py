"""Quotient of two tensors; offsets in 64 bits, and 1 where there is no denominator."""

import torch
import triton
import triton.language as tl


@triton.jit
def div_kernel(x_ptr, y_ptr, out_ptr, n_elements, BLOCK: tl.constexpr):
    start = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = start + tl.arange(0, BLOCK)
    mask = offsets < n_elements
    numerator = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    denominator = tl.load(y_ptr + offsets, mask=mask, other=1.0)
    tl.store(out_ptr + offsets, numerator / denominator, mask=mask)


def div(x, y):
    out = torch.empty_like(x)
    n_elements = out.numel()
    div_kernel[lambda meta: (triton.cdiv(n_elements, meta["BLOCK"]),)](x, y, out, n_elements, BLOCK=1024)
    return out
