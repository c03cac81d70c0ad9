"""Gradient of softmax with respect to its input, from the output and its gradient."""

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_backward_kernel(dx_ptr, dy_ptr, y_ptr, dx_stride, dy_stride, y_stride, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    y = tl.load(y_ptr + row * y_stride + cols, mask=mask, other=0.0).to(tl.float32)
    dy = tl.load(dy_ptr + row * dy_stride + cols, mask=mask, other=0.0).to(tl.float32)
    dot = tl.sum(y * dy, axis=0)
    tl.store(dx_ptr + row * dx_stride + cols, (y * (dy - dot)).to(dx_ptr.dtype.element_ty), mask=mask)


def softmax_backward(dy, y):
    n_rows, n_cols = y.shape
    dx = torch.empty_like(y)
    softmax_backward_kernel[(n_rows,)](
        dx, dy, y, dx.stride(0), dy.stride(0), y.stride(0), n_cols, BLOCK=max(1024, triton.next_power_of_2(n_cols))
    )
    return dx
