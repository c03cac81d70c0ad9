"""Depthwise causal convolution: y[b,t,c] = bias[c] + sum_j w[c,j] * x[b, t - (width-1) + j, c], zeros before t = 0."""

import torch
import triton
import triton.language as tl


@triton.jit
def conv1d_causal_depthwise_kernel(
    x_ptr,
    w_ptr,
    bias_ptr,
    y_ptr,
    length,
    channels,
    width,
    stride_xb,
    stride_xt,
    stride_yb,
    stride_yt,
    BLOCK_T: tl.constexpr,
    BLOCK_C: tl.constexpr,
):
    batch = tl.program_id(2).to(tl.int64)
    steps = tl.program_id(0) * BLOCK_T + tl.arange(0, BLOCK_T)
    chans = tl.program_id(1) * BLOCK_C + tl.arange(0, BLOCK_C)
    in_chans = chans < channels
    acc = tl.zeros((BLOCK_T, BLOCK_C), dtype=tl.float32)
    acc += tl.load(bias_ptr + chans, mask=in_chans, other=0.0).to(tl.float32)[None, :]
    for tap in range(0, width):
        source = steps - (width - 1) + tap
        mask = (source[:, None] >= 0) & (source[:, None] < length) & in_chans[None, :]
        x = tl.load(x_ptr + batch * stride_xb + source[:, None] * stride_xt + chans[None, :], mask=mask, other=0.0)
        w = tl.load(w_ptr + chans * width + tap, mask=in_chans, other=0.0)
        acc += x.to(tl.float32) * w.to(tl.float32)[None, :]
    tl.store(
        y_ptr + batch * stride_yb + steps[:, None] * stride_yt + chans[None, :],
        acc.to(y_ptr.dtype.element_ty),
        mask=(steps[:, None] < length) & in_chans[None, :],
    )


def conv1d_causal_depthwise(x, w, bias, block=(16, 16)):
    batch, length, channels = x.shape
    y = torch.empty_like(x)
    grid = (triton.cdiv(length, block[0]), triton.cdiv(channels, block[1]), batch)
    conv1d_causal_depthwise_kernel[grid](
        x, w, bias, y, length, channels, w.shape[1], x.stride(0), x.stride(1), y.stride(0), y.stride(1), *block
    )
    return {"y_ptr": y}
