"""Logarithm of the softmax of each row of a half-precision matrix."""

import torch
import triton
import triton.language as tl


@triton.jit
def log_softmax_kernel(out_ptr, x_ptr, x_row_stride, out_row_stride, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    x = tl.load(x_ptr + row * x_row_stride + cols, mask=mask, other=-float("inf")).to(tl.float32)
    shifted = x - tl.max(x, axis=0)
    log_sum = tl.log(tl.sum(tl.exp(shifted), axis=0))
    tl.store(out_ptr + row * out_row_stride + cols, (shifted - log_sum).to(out_ptr.dtype.element_ty), mask=mask)


def log_softmax(x):
    n_rows, n_cols = x.shape
    out = torch.empty_like(x)
    log_softmax_kernel[(n_rows,)](
        out, x, x.stride(0), out.stride(0), n_cols, BLOCK=max(1024, triton.next_power_of_2(n_cols))
    )
    return out
