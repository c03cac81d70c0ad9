"""Group norm: one program normalises all channels and positions of one group of one sample."""

import torch
import triton
import triton.language as tl


@triton.jit
def group_norm_kernel(x_ptr, w_ptr, b_ptr, y_ptr, n_channels, channels_per_group, positions, eps, BLOCK: tl.constexpr):
    sample = tl.program_id(0).to(tl.int64)
    group = tl.program_id(1)
    first_channel = group * channels_per_group
    base = (sample * n_channels + first_channel) * positions
    size = channels_per_group * positions
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    squares = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, size, BLOCK):
        index = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + base + index, mask=index < size, other=0.0).to(tl.float32)
        total += x
        squares += x * x
    mean = tl.sum(total, axis=0) / size
    var = tl.sum(squares, axis=0) / size - mean * mean
    rstd = tl.rsqrt(var + eps)
    for channel in range(0, channels_per_group):
        w = tl.load(w_ptr + first_channel + channel).to(tl.float32)
        b = tl.load(b_ptr + first_channel + channel).to(tl.float32)
        for start in range(0, positions, BLOCK):
            index = start + tl.arange(0, BLOCK)
            offsets = base + channel * positions + index
            x = tl.load(x_ptr + offsets, mask=index < positions, other=0.0).to(tl.float32)
            y = (x - mean) * rstd * w + b
            tl.store(y_ptr + offsets, y.to(y_ptr.dtype.element_ty), mask=index < positions)


def group_norm(x, w, b, groups, eps=1e-5, block=32):
    samples, channels, positions = x.shape
    y = torch.empty_like(x)
    group_norm_kernel[(samples, groups)](x, w, b, y, channels, channels // groups, positions, eps, block)
    return {"y_ptr": y}
