"""Gradient of RMS norm with respect to its input, one block per row."""

import torch
import triton
import triton.language as tl


@triton.jit
def rms_norm_backward_kernel(
    dy_ptr, dx_ptr, x_ptr, w_ptr, rstd_ptr, dy_stride, dx_stride, x_stride, n_cols, BLOCK: tl.constexpr
):
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    dy = tl.load(dy_ptr + row * dy_stride + cols, mask=mask, other=0.0).to(tl.float32)
    x = tl.load(x_ptr + row * x_stride + cols, mask=mask, other=0.0).to(tl.float32)
    w = tl.load(w_ptr + cols, mask=mask, other=0.0).to(tl.float32)
    rstd = tl.load(rstd_ptr + row)
    m = dy * w
    dx = rstd * m
    dx += rstd * (-(1 / n_cols) * rstd * rstd * tl.sum(m * x, axis=0) * x)
    tl.store(dx_ptr + row * dx_stride + cols, dx.to(dx_ptr.dtype.element_ty), mask=mask)


def rms_norm_backward(dy, x, weight, rstd):
    n_rows, n_cols = x.shape
    dx = torch.empty_like(x)
    rms_norm_backward_kernel[(n_rows,)](
        dy,
        dx,
        x,
        weight,
        rstd,
        dy.stride(0),
        dx.stride(0),
        x.stride(0),
        n_cols,
        BLOCK=max(1024, triton.next_power_of_2(n_cols)),
    )
    return dx
