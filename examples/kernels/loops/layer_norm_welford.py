"""Layer norm with a running mean and squared deviation, merged block by block (Welford, Chan)."""

import torch
import triton
import triton.language as tl


@triton.jit
def layer_norm_welford_kernel(x_ptr, w_ptr, b_ptr, y_ptr, stride_x, stride_y, n_cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x_row = x_ptr + row * stride_x
    y_row = y_ptr + row * stride_y
    mean = 0.0
    m2 = 0.0
    count = 0.0
    for start in range(0, n_cols, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        mask = cols < n_cols
        x = tl.load(x_row + cols, mask=mask, other=0.0).to(tl.float32)
        block_count = tl.minimum(n_cols - start, BLOCK).to(tl.float32)
        block_mean = tl.sum(x, axis=0) / block_count
        centred = tl.where(mask, x - block_mean, 0.0)
        block_m2 = tl.sum(centred * centred, axis=0)
        new_count = count + block_count
        delta = block_mean - mean
        mean += delta * (block_count / new_count)
        m2 += block_m2 + delta * delta * (count * block_count / new_count)
        count = new_count
    rstd = tl.rsqrt(m2 / n_cols + eps)
    for start in range(0, n_cols, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        mask = cols < n_cols
        x = tl.load(x_row + cols, mask=mask, other=0.0).to(tl.float32)
        w = tl.load(w_ptr + cols, mask=mask, other=0.0).to(tl.float32)
        b = tl.load(b_ptr + cols, mask=mask, other=0.0).to(tl.float32)
        y = (x - mean) * rstd * w + b
        tl.store(y_row + cols, y.to(y_ptr.dtype.element_ty), mask=mask)


def layer_norm_welford(x, w, b, eps=1e-5, block=64):
    rows, n_cols = x.shape
    y = torch.empty_like(x)
    layer_norm_welford_kernel[(rows,)](x, w, b, y, x.stride(0), y.stride(0), n_cols, eps, block)
    return {"y_ptr": y}
