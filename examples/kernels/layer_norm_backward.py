"""Gradient of layer norm with respect to its input, one block per row."""

import torch
import triton
import triton.language as tl


@triton.jit
def layer_norm_backward_kernel(DX, DY, X, W, Mean, Rstd, stride, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < N
    X += row * stride
    DY += row * stride
    DX += row * stride
    x = tl.load(X + cols, mask=mask, other=0).to(tl.float32)
    dy = tl.load(DY + cols, mask=mask, other=0).to(tl.float32)
    w = tl.load(W + cols, mask=mask).to(tl.float32)
    mean = tl.load(Mean + row)
    rstd = tl.load(Rstd + row)
    xhat = (x - mean) * rstd
    wdy = w * dy
    xhat = tl.where(mask, xhat, 0.0)
    wdy = tl.where(mask, wdy, 0.0)
    c1 = tl.sum(xhat * wdy, axis=0) / N
    c2 = tl.sum(wdy, axis=0) / N
    dx = (wdy - (xhat * c1 + c2)) * rstd
    tl.store(DX + cols, dx, mask=mask)


def layer_norm_backward(dy, x, weight, mean, rstd):
    n_rows, n_cols = x.shape
    dx = torch.empty_like(dy)
    layer_norm_backward_kernel[(n_rows,)](
        dx, dy, x, weight, mean, rstd, x.stride(0), n_cols, BLOCK=max(1024, triton.next_power_of_2(n_cols))
    )
    return dx
