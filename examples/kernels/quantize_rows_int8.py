"""Symmetric int8 quantisation of each row: scale = max |x| / 127."""

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def quantize_rows_int8_kernel(x_ptr, q_ptr, scale_ptr, x_stride, q_stride, n_cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    x = tl.load(x_ptr + row * x_stride + cols, mask=mask, other=0.0).to(tl.float32)
    absmax = tl.maximum(tl.max(tl.abs(x), axis=0), eps)
    scale = absmax / 127.0
    q = libdevice.rint(x / scale)
    q = tl.clamp(q, -128.0, 127.0)
    tl.store(q_ptr + row * q_stride + cols, q.to(tl.int8), mask=mask)
    tl.store(scale_ptr + row, scale)


def quantize_rows_int8(x, eps=1e-10):
    n_rows, n_cols = x.shape
    q = torch.empty((n_rows, n_cols), dtype=torch.int8)
    scale = torch.empty((n_rows,), dtype=torch.float32)
    quantize_rows_int8_kernel[(n_rows,)](
        x, q, scale, x.stride(0), q.stride(0), n_cols, eps, BLOCK=max(1024, triton.next_power_of_2(n_cols))
    )
    return q, scale
