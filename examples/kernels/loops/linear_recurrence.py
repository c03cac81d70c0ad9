"""First-order linear recurrence per channel: h[t] = a[t] * h[t-1] + x[t], h[-1] = h0; every h is stored."""

import torch
import triton
import triton.language as tl


@triton.jit
def linear_recurrence_kernel(a_ptr, x_ptr, h0_ptr, h_ptr, length, channels, stride_b, stride_t, BLOCK: tl.constexpr):
    batch = tl.program_id(1).to(tl.int64)
    cols = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = cols < channels
    h = tl.load(h0_ptr + batch * channels + cols, mask=mask, other=0.0).to(tl.float32)
    offsets = batch * stride_b + cols
    for _ in range(0, length):
        a = tl.load(a_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
        x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
        h = a * h + x
        tl.store(h_ptr + offsets, h.to(h_ptr.dtype.element_ty), mask=mask)
        offsets += stride_t


def linear_recurrence(a, x, h0, block=32):
    batch, length, channels = x.shape
    h = torch.empty_like(x)
    linear_recurrence_kernel[(triton.cdiv(channels, block), batch)](
        a, x, h0, h, length, channels, x.stride(0), x.stride(1), block
    )
    return {"h_ptr": h}
