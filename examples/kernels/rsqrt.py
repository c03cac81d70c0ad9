"""1 / sqrt(x) for bf16 input, computed in f32."""

import torch
import triton
import triton.language as tl


@triton.jit
def rsqrt_kernel(x_ptr, out_ptr, numel, BLOCK: tl.constexpr):
    idx = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + idx, mask=idx < numel, other=1.0).to(tl.float32)
    tl.store(out_ptr + idx, tl.rsqrt(x).to(out_ptr.dtype.element_ty), mask=idx < numel)


def rsqrt(x):
    out = torch.empty_like(x)
    rsqrt_kernel[(triton.cdiv(x.numel(), 1024),)](x, out, x.numel(), BLOCK=1024)
    return out
